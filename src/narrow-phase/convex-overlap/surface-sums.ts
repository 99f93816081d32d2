/**
 * Integrals over the surface of the overlap, region by region, from triangles of its flat faces, and the patch that follows from them.
 *
 * All points are measured from the region's own origin, one of its points, so that a small region has small numbers. A triangle
 * p, q, r of a face with unit normal n, a = ½ n · ((q − p) × (r − p)), s = p + q + r, has
 *
 *   ∫ dA = a,   ∫ r dA = a s/3,   ∫ r rᵀ dA = a/12 (p pᵀ + q qᵀ + r rᵀ + s sᵀ)
 *
 * and for a whole face at n · r = d the divergence theorem (div r = 3, div(x r) = 4 x) gives
 *
 *   V += d/3 ∫ dA,   ∫ r dV += d/4 ∫ r dA,   S += n ∫ dA,   Q += ∫ r dA × n
 *
 * Areas are signed: triangles may overlap or turn round as long as their sum is the face.
 */
import type { ContactPatches } from '../contact-patches.js';
import { FACE, type OverlapGradient } from '../overlap-gradient.js';
import { turn, turnTensor } from '../turn.js';

/** Places of the sums of a region; origin last. */
export const SUM = {
  /** A's faces: area, S, ∫ r dA, ∫ r rᵀ dA */
  areaA: 0,
  vectorA: 1,
  momentA: 4,
  first: 7,
  second: 10,
  /** B's faces: area, S, Q */
  areaB: 16,
  vectorB: 17,
  momentB: 20,
  /** of the inside */
  volume: 23,
  volumeFirst: 24,
  origin: 27,
  length: 30,
} as const;

export class SurfaceSums {
  sums = new Float64Array(SUM.length);
  /** 3: centroid of the region last filled relative to its origin, in the axes of the sums, m */
  readonly centroid = new Float64Array(3);
  /** area of the face last ended, m² */
  faceArea = 0;
  private readonly face = new Float64Array(FACE.length);

  // the face at work
  private at = 0;
  private isA = true;
  private moments = true;
  private nx = 0;
  private ny = 0;
  private nz = 0;
  private ox = 0;
  private oy = 0;
  private oz = 0;
  private d = 0;
  private twice = 0; // Σ 2a
  private fx = 0; // Σ 2a s
  private fy = 0;
  private fz = 0;
  private xx = 0; // Σ 2a (p pᵀ + q qᵀ + r rᵀ + s sᵀ)
  private yy = 0;
  private zz = 0;
  private xy = 0;
  private xz = 0;
  private yz = 0;

  /** Clears the sums of so many regions. */
  begin(regions: number): void {
    const length = SUM.length * regions;
    if (this.sums.length < length) this.sums = new Float64Array(2 * length);
    else this.sums.fill(0, 0, length);
  }

  setOrigin(region: number, points: Float64Array, at: number): void {
    const o = SUM.length * region + SUM.origin;
    for (let k = 0; k < 3; k++) this.sums[o + k] = points[at + k];
  }

  /** Coordinate k of the region's origin, m. */
  originOf(region: number, k: number): number {
    return this.sums[SUM.length * region + SUM.origin + k];
  }

  /**
   * Starts a face of a region.
   *
   * @param normals, n  unit normal, out of the overlap, at normals[n …]
   * @param points, p   a point of the face at points[p …]
   * @param moments     whether second moments of a face of B are wanted, for gradients
   */
  startFace(
    region: number,
    isA: boolean,
    normals: Float64Array,
    n: number,
    points: Float64Array,
    p: number,
    moments: boolean,
  ): void {
    const { sums } = this;
    const at = SUM.length * region;
    this.at = at;
    this.isA = isA;
    this.moments = isA || moments;
    const nx = normals[n];
    const ny = normals[n + 1];
    const nz = normals[n + 2];
    this.nx = nx;
    this.ny = ny;
    this.nz = nz;
    this.ox = sums[at + SUM.origin];
    this.oy = sums[at + SUM.origin + 1];
    this.oz = sums[at + SUM.origin + 2];
    this.d = nx * (points[p] - this.ox) + ny * (points[p + 1] - this.oy) + nz * (points[p + 2] - this.oz);
    this.twice = this.fx = this.fy = this.fz = 0;
    this.xx = this.yy = this.zz = this.xy = this.xz = this.yz = 0;
  }

  /** A triangle of the face; p, q, r are places of x in `points`. */
  addTriangle(points: Float64Array, p: number, q: number, r: number): void {
    const { ox, oy, oz } = this;
    const px = points[p] - ox;
    const py = points[p + 1] - oy;
    const pz = points[p + 2] - oz;
    const qx = points[q] - ox;
    const qy = points[q + 1] - oy;
    const qz = points[q + 2] - oz;
    const rx = points[r] - ox;
    const ry = points[r + 1] - oy;
    const rz = points[r + 2] - oz;
    const ux = qx - px;
    const uy = qy - py;
    const uz = qz - pz;
    const vx = rx - px;
    const vy = ry - py;
    const vz = rz - pz;
    const twice = this.nx * (uy * vz - uz * vy) + this.ny * (uz * vx - ux * vz) + this.nz * (ux * vy - uy * vx);
    const sx = px + qx + rx;
    const sy = py + qy + ry;
    const sz = pz + qz + rz;
    this.twice += twice;
    this.fx += twice * sx;
    this.fy += twice * sy;
    this.fz += twice * sz;
    if (!this.moments) return;
    this.xx += twice * (px * px + qx * qx + rx * rx + sx * sx);
    this.yy += twice * (py * py + qy * qy + ry * ry + sy * sy);
    this.zz += twice * (pz * pz + qz * qz + rz * rz + sz * sz);
    this.xy += twice * (px * py + qx * qy + rx * ry + sx * sy);
    this.xz += twice * (px * pz + qx * qz + rx * rz + sx * sz);
    this.yz += twice * (py * pz + qy * qz + ry * rz + sy * sz);
  }

  /** Ends the face; one of B's goes on to the gradient, if there is one. */
  endFace(region: number, gradient: OverlapGradient | undefined): void {
    const { sums, at, nx, ny, nz, d, isA, face } = this;
    const area = 0.5 * this.twice;
    const mx = this.fx / 6;
    const my = this.fy / 6;
    const mz = this.fz / 6;
    this.faceArea = area;
    const to = at + (isA ? SUM.areaA : SUM.areaB);
    sums[to] += area;
    sums[to + 1] += area * nx;
    sums[to + 2] += area * ny;
    sums[to + 3] += area * nz;
    sums[to + 4] += my * nz - mz * ny;
    sums[to + 5] += mz * nx - mx * nz;
    sums[to + 6] += mx * ny - my * nx;
    sums[at + SUM.volume] += (d * area) / 3;
    sums[at + SUM.volumeFirst] += 0.25 * d * mx;
    sums[at + SUM.volumeFirst + 1] += 0.25 * d * my;
    sums[at + SUM.volumeFirst + 2] += 0.25 * d * mz;
    if (isA) {
      sums[at + SUM.first] += mx;
      sums[at + SUM.first + 1] += my;
      sums[at + SUM.first + 2] += mz;
      sums[at + SUM.second] += this.xx / 24;
      sums[at + SUM.second + 1] += this.yy / 24;
      sums[at + SUM.second + 2] += this.zz / 24;
      sums[at + SUM.second + 3] += this.xy / 24;
      sums[at + SUM.second + 4] += this.xz / 24;
      sums[at + SUM.second + 5] += this.yz / 24;
    } else if (gradient) {
      face[0] = nx;
      face[1] = ny;
      face[2] = nz;
      face[3] = mx;
      face[4] = my;
      face[5] = mz;
      face[6] = this.xx / 24;
      face[7] = this.yy / 24;
      face[8] = this.zz / 24;
      face[9] = this.xy / 24;
      face[10] = this.xz / 24;
      face[11] = this.yz / 24;
      gradient.addFaceB(region, face);
    }
  }

  /**
   * Fills volume, areas, centroids and moments of a patch, in the axes of the sums, points relative to the region's origin. Normal, depth
   * and extent are the caller's affair, then `place`.
   *
   * @param crossed whether the surfaces cross; if not, S and Q are zero exactly
   */
  fill(region: number, patches: ContactPatches, row: number, crossed: boolean): void {
    const { sums } = this;
    const at = SUM.length * region;
    const volume = sums[at + SUM.volume];
    const area = sums[at + SUM.areaA];
    patches.volume[row] = volume;
    patches.area[row] = area;
    const i = 3 * row;
    const { centroid, patchCentroid, vectorArea, moment, secondMoments: second } = patches;
    for (let k = 0; k < 3; k++) {
      const c = sums[at + SUM.volumeFirst + k] / volume;
      centroid[i + k] = this.centroid[k] = c;
      patchCentroid[i + k] = area > 0 ? sums[at + SUM.first + k] / area : c;
      if (!crossed) continue;
      vectorArea[i + k] = 0.5 * (sums[at + SUM.vectorA + k] - sums[at + SUM.vectorB + k]);
      moment[i + k] = 0.5 * (sums[at + SUM.momentA + k] - sums[at + SUM.momentB + k]);
    }
    // about the centroids: Q − c × S, ∫ r rᵀ dA − A c cᵀ
    const u = centroid[i];
    const v = centroid[i + 1];
    const w = centroid[i + 2];
    moment[i] -= v * vectorArea[i + 2] - w * vectorArea[i + 1];
    moment[i + 1] -= w * vectorArea[i] - u * vectorArea[i + 2];
    moment[i + 2] -= u * vectorArea[i + 1] - v * vectorArea[i];
    const x = patchCentroid[i];
    const y = patchCentroid[i + 1];
    const z = patchCentroid[i + 2];
    second[2 * i] = sums[at + SUM.second] - area * x * x;
    second[2 * i + 1] = sums[at + SUM.second + 1] - area * y * y;
    second[2 * i + 2] = sums[at + SUM.second + 2] - area * z * z;
    second[2 * i + 3] = sums[at + SUM.second + 3] - area * x * y;
    second[2 * i + 4] = sums[at + SUM.second + 4] - area * x * z;
    second[2 * i + 5] = sums[at + SUM.second + 5] - area * y * z;
  }

  /**
   * Moves a filled patch into the world.
   *
   * @param origin      3: of the points, in the frame whose axes the sums have, m
   * @param rotation    9, by rows: from those axes to the world's
   * @param position, p that frame's origin in the world at position[p …], m
   */
  place(
    region: number,
    patches: ContactPatches,
    row: number,
    origin: Float64Array,
    rotation: Float64Array,
    position: Float64Array,
    p: number,
  ): void {
    const at = SUM.length * region + SUM.origin;
    const { centroid, patchCentroid } = patches;
    for (let k = 0; k < 3; k++) {
      const start = this.sums[at + k] + origin[k];
      centroid[3 * row + k] += start;
      patchCentroid[3 * row + k] += start;
    }
    turn(rotation, centroid, 3 * row);
    turn(rotation, patchCentroid, 3 * row);
    for (let k = 0; k < 3; k++) {
      centroid[3 * row + k] += position[p + k];
      patchCentroid[3 * row + k] += position[p + k];
    }
    turn(rotation, patches.normal, 3 * row);
    turn(rotation, patches.vectorArea, 3 * row);
    turn(rotation, patches.moment, 3 * row);
    turnTensor(rotation, patches.secondMoments, 6 * row);
  }
}
