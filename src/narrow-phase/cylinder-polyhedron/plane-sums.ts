/**
 * Areas and moments of plane figures from their borders.
 *
 * A figure in the plane n · r = d, about the foot d n of the origin: r′ = r − d n. With m the direction in the plane out of the figure
 * across its border, the divergence theorem gives for f of degree k in r′
 *
 *   ∫ f dA = 1/(k + 2) ∮ f (r′ · m) dl
 *
 * Where the border is cut by a surface with normal ν, m = (ν − (ν · n) n)/sin θ, so that (r′ · m) dl = (r′ · ν) dl/sin θ with θ the angle
 * between the two surfaces: a border is nothing but points with weights w = dl/sin θ, and serves both surfaces that meet there.
 */
export class PlaneSums {
  /** one per plane: ∮ f (r′ · m) dl for f = 1, x, y, z, xx, yy, zz, xy, xz, yz of r′ */
  private sums = new Float64Array(0);
  /** 4 per plane: n and d */
  planes = new Float64Array(0);
  /** Of the plane last read: area, ∫ r dA, ∫ r rᵀ dA about the origin, m² … m⁴ */
  area = 0;
  readonly first = new Float64Array(3);
  readonly second = new Float64Array(6);

  begin(planes: number): void {
    if (this.planes.length < 4 * planes) {
      this.planes = new Float64Array(8 * planes);
      this.sums = new Float64Array(20 * planes);
    } else this.sums.fill(0, 0, 10 * planes);
  }

  set(p: number, nx: number, ny: number, nz: number, d: number): void {
    const { planes } = this;
    planes[4 * p] = nx;
    planes[4 * p + 1] = ny;
    planes[4 * p + 2] = nz;
    planes[4 * p + 3] = d;
  }

  /** A point of the border of figure p with the weight w, cut by a surface with the normal ν. */
  add(p: number, w: number, vx: number, vy: number, vz: number, rx: number, ry: number, rz: number): void {
    const { planes, sums } = this;
    const d = planes[4 * p + 3];
    const x = rx - d * planes[4 * p];
    const y = ry - d * planes[4 * p + 1];
    const z = rz - d * planes[4 * p + 2];
    const m = w * (x * vx + y * vy + z * vz);
    const k = 10 * p;
    sums[k] += m;
    sums[k + 1] += m * x;
    sums[k + 2] += m * y;
    sums[k + 3] += m * z;
    sums[k + 4] += m * x * x;
    sums[k + 5] += m * y * y;
    sums[k + 6] += m * z * z;
    sums[k + 7] += m * x * y;
    sums[k + 8] += m * x * z;
    sums[k + 9] += m * y * z;
  }

  /** Area and moments of figure p about the origin. */
  read(p: number): void {
    const { planes, sums, first, second } = this;
    const nx = planes[4 * p];
    const ny = planes[4 * p + 1];
    const nz = planes[4 * p + 2];
    const d = planes[4 * p + 3];
    const k = 10 * p;
    const area = 0.5 * sums[k];
    const fx = sums[k + 1] / 3;
    const fy = sums[k + 2] / 3;
    const fz = sums[k + 3] / 3;
    this.area = area;
    first[0] = fx + d * nx * area;
    first[1] = fy + d * ny * area;
    first[2] = fz + d * nz * area;
    second[0] = 0.25 * sums[k + 4] + d * nx * (2 * fx + d * nx * area);
    second[1] = 0.25 * sums[k + 5] + d * ny * (2 * fy + d * ny * area);
    second[2] = 0.25 * sums[k + 6] + d * nz * (2 * fz + d * nz * area);
    second[3] = 0.25 * sums[k + 7] + d * (nx * fy + ny * fx + d * nx * ny * area);
    second[4] = 0.25 * sums[k + 8] + d * (nx * fz + nz * fx + d * nx * nz * area);
    second[5] = 0.25 * sums[k + 9] + d * (ny * fz + nz * fy + d * ny * nz * area);
  }
}
