/**
 * How deep two convex solids overlap, and along which direction: the smallest displacement of B that parts them. It is the distance of the origin from
 * the surface of the solid of differences a − b: that solid is built from inside, and the face nearest to the origin is pushed out
 * until it lies in the surface (expanding polytope; van den Bergen 2001).
 *
 * The start is any tetrahedron of corners. Distances of faces carry a sign, so that it does not matter whether the origin is inside from the
 * beginning: the face that has it farthest outside is pushed out first. So solids that just touch are nothing special.
 */
import { DifferenceCorners, type Support } from '../distance/index.js';

const MOST_CORNERS = 160;
const ROUNDING = 2.220446049250313e-16;

export class Expansion {
  /** m; not less than the true depth along `normal`, and for polyhedra equal to it */
  depth = 0;
  /** 3: unit vector from A to B, A's axes */
  readonly normal = new Float64Array(3);
  /** places of the face's corners in `corners`, and the weights of the point of it nearest to the origin */
  readonly face = new Int32Array(3);
  readonly weight = new Float64Array(3);
  readonly corners = new DifferenceCorners(MOST_CORNERS);

  // faces: 3 places of corners each, −1: free; outward unit normal, signed distance of the origin from inside, the same or ∞ for a
  // face too thin for its normal to be trusted
  private readonly triangles = new Int32Array(12 * MOST_CORNERS);
  private readonly planes = new Float64Array(20 * MOST_CORNERS);
  private faces = 0;
  // edges around the faces that see a new corner
  private readonly rim = new Int32Array(12 * MOST_CORNERS);
  private rimLength = 0;
  private readonly inner = new Float64Array(3);

  /**
   * @param r, t      pose of B seen from A
   * @param precision m; how much less the depth found may be than that of the direction's true value
   * @returns false if the differences span no volume: points and segments
   */
  run(supportA: Support, supportB: Support, r: Float64Array, t: Float64Array, precision: number): boolean {
    const { corners, planes, triangles } = this;
    corners.size = 0;
    let count = this.start(supportA, supportB, r, t);
    if (count === 0) return false;
    for (;;) {
      let nearest = -1;
      for (let f = 0; f < this.faces; f++)
        if (triangles[3 * f] >= 0 && (nearest < 0 || planes[5 * f + 4] < planes[5 * nearest + 4])) nearest = f;
      const nx = planes[5 * nearest];
      const ny = planes[5 * nearest + 1];
      const nz = planes[5 * nearest + 2];
      const distance = planes[5 * nearest + 3];
      const { w } = corners;
      if (count < MOST_CORNERS) corners.take(supportA, supportB, r, t, nx, ny, nz, count);
      const beyond = nx * w[3 * count] + ny * w[3 * count + 1] + nz * w[3 * count + 2] - distance;
      const floor = Math.max(precision, 8 * ROUNDING * corners.size);
      if (count === MOST_CORNERS || beyond <= floor || corners.known(count)) {
        this.finish(nearest, distance);
        return true;
      }
      if (!this.expand(count)) {
        this.finish(nearest, distance);
        return true;
      }
      count++;
    }
  }

  /** Four corners that span a volume; 0 if there are none. */
  private start(supportA: Support, supportB: Support, r: Float64Array, t: Float64Array): number {
    const { corners, inner } = this;
    const { w } = corners;
    const take = (x: number, y: number, z: number, i: number): void =>
      corners.take(supportA, supportB, r, t, x, y, z, i);
    // the longest of the three axes
    let axis = 0;
    let longest = -1;
    for (let k = 0; k < 3; k++) {
      take(k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0, 0);
      take(k === 0 ? -1 : 0, k === 1 ? -1 : 0, k === 2 ? -1 : 0, 1);
      const length = w[k] - w[3 + k];
      if (length > longest) {
        longest = length;
        axis = k;
      }
    }
    const small = 1e-12 * corners.size;
    if (!(longest > small)) return 0;
    take(axis === 0 ? 1 : 0, axis === 1 ? 1 : 0, axis === 2 ? 1 : 0, 0);
    take(axis === 0 ? -1 : 0, axis === 1 ? -1 : 0, axis === 2 ? -1 : 0, 1);
    const ux = w[3] - w[0];
    const uy = w[4] - w[1];
    const uz = w[5] - w[2];
    // across it: two perpendicular directions, both ways
    const ax = axis === 0 ? uz : axis === 1 ? uy : 0;
    const ay = axis === 0 ? 0 : axis === 1 ? -ux : uz;
    const az = axis === 0 ? -ux : axis === 1 ? 0 : -uy;
    const bx = uy * az - uz * ay;
    const by = uz * ax - ux * az;
    const bz = ux * ay - uy * ax;
    let found = false;
    for (let k = 0; k < 4 && !found; k++) {
      const sign = k & 1 ? -1 : 1;
      const x = sign * (k < 2 ? ax : bx);
      const y = sign * (k < 2 ? ay : by);
      const z = sign * (k < 2 ? az : bz);
      take(x, y, z, 2);
      const length = Math.sqrt(x * x + y * y + z * z);
      found = Math.abs(x * (w[6] - w[0]) + y * (w[7] - w[1]) + z * (w[8] - w[2])) > small * length;
    }
    if (!found) return 0;
    const cx = w[6] - w[0];
    const cy = w[7] - w[1];
    const cz = w[8] - w[2];
    const nx = uy * cz - uz * cy;
    const ny = uz * cx - ux * cz;
    const nz = ux * cy - uy * cx;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    found = false;
    for (let sign = 1; sign >= -1 && !found; sign -= 2) {
      take(sign * nx, sign * ny, sign * nz, 3);
      found = Math.abs(nx * (w[9] - w[0]) + ny * (w[10] - w[1]) + nz * (w[11] - w[2])) > small * length;
    }
    if (!found) return 0;
    for (let k = 0; k < 3; k++) inner[k] = 0.25 * (w[k] + w[3 + k] + w[6 + k] + w[9 + k]);
    this.faces = 0;
    this.addFace(0, 1, 2);
    this.addFace(0, 1, 3);
    this.addFace(0, 2, 3);
    this.addFace(1, 2, 3);
    return 4;
  }

  /** Adds a face, its normal away from the inner point. */
  private addFace(i: number, j: number, k: number): void {
    const { triangles, planes, inner } = this;
    const { w } = this.corners;
    let f = 0;
    while (f < this.faces && triangles[3 * f] >= 0) f++;
    if (f === this.faces) this.faces++;
    const ux = w[3 * j] - w[3 * i];
    const uy = w[3 * j + 1] - w[3 * i + 1];
    const uz = w[3 * j + 2] - w[3 * i + 2];
    const cx = w[3 * k] - w[3 * i];
    const cy = w[3 * k + 1] - w[3 * i + 1];
    const cz = w[3 * k + 2] - w[3 * i + 2];
    let nx = uy * cz - uz * cy;
    let ny = uz * cx - ux * cz;
    let nz = ux * cy - uy * cx;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const side =
      nx * (w[3 * i] - inner[0]) + ny * (w[3 * i + 1] - inner[1]) + nz * (w[3 * i + 2] - inner[2]) < 0 ? -1 : 1;
    nx *= side / length;
    ny *= side / length;
    nz *= side / length;
    triangles[3 * f] = i;
    triangles[3 * f + 1] = side < 0 ? k : j;
    triangles[3 * f + 2] = side < 0 ? j : k;
    const thin = !(length > 0) || length <= 1e-14 * Math.max(ux * ux + uy * uy + uz * uz, cx * cx + cy * cy + cz * cz);
    planes[5 * f] = nx;
    planes[5 * f + 1] = ny;
    planes[5 * f + 2] = nz;
    planes[5 * f + 3] = nx * w[3 * i] + ny * w[3 * i + 1] + nz * w[3 * i + 2];
    planes[5 * f + 4] = thin ? Infinity : planes[5 * f + 3];
  }

  /** Replaces all faces that see corner n by a cone from their rim. False if none does or too many faces came about. */
  private expand(n: number): boolean {
    const { triangles, planes, rim } = this;
    const { w } = this.corners;
    this.rimLength = 0;
    const roundingMargin = 2 * ROUNDING * this.corners.size;
    for (let f = 0; f < this.faces; f++) {
      if (triangles[3 * f] < 0) continue;
      const above =
        planes[5 * f] * w[3 * n] +
        planes[5 * f + 1] * w[3 * n + 1] +
        planes[5 * f + 2] * w[3 * n + 2] -
        planes[5 * f + 3];
      if (!(above > roundingMargin)) continue;
      for (let k = 0; k < 3; k++) this.toggle(triangles[3 * f + k], triangles[3 * f + (k === 2 ? 0 : k + 1)]);
      triangles[3 * f] = -1;
    }
    if (this.rimLength === 0 || this.faces + this.rimLength / 2 > 4 * MOST_CORNERS - 8) return false;
    for (let e = 0; e < this.rimLength; e += 2) this.addFace(rim[e], rim[e + 1], n);
    return true;
  }

  /** An edge between two faces that both go is no part of the rim. */
  private toggle(p: number, q: number): void {
    const { rim } = this;
    for (let e = 0; e < this.rimLength; e += 2)
      if (rim[e] === q && rim[e + 1] === p) {
        this.rimLength -= 2;
        rim[e] = rim[this.rimLength];
        rim[e + 1] = rim[this.rimLength + 1];
        return;
      }
    rim[this.rimLength++] = p;
    rim[this.rimLength++] = q;
  }

  /** Where on face f the origin's foot lies. */
  private finish(f: number, distance: number): void {
    const { triangles, planes, face, weight, normal } = this;
    const { w } = this.corners;
    this.depth = distance;
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      normal[k] = planes[5 * f + k];
      face[k] = triangles[3 * f + k];
    }
    for (let k = 0; k < 3; k++) {
      const p = 3 * face[k === 2 ? 0 : k + 1];
      const q = 3 * face[k === 0 ? 2 : k - 1];
      // area of the foot with the opposite side
      const x = (w[p + 1] * w[q + 2] - w[p + 2] * w[q + 1]) * normal[0];
      const y = (w[p + 2] * w[q] - w[p] * w[q + 2]) * normal[1];
      const z = (w[p] * w[q + 1] - w[p + 1] * w[q]) * normal[2];
      weight[k] = Math.max(0, x + y + z);
      sum += weight[k];
    }
    for (let k = 0; k < 3; k++) weight[k] = sum > 0 ? weight[k] / sum : 1 / 3;
  }

  /** Weighted sum of the face's points of A or B. */
  point(of: Float64Array, k: number): number {
    const { face, weight } = this;
    return weight[0] * of[3 * face[0] + k] + weight[1] * of[3 * face[1] + k] + weight[2] * of[3 * face[2] + k];
  }
}
