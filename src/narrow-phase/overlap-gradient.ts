/**
 * How an overlap changes with the pose: the exact derivatives of volume, depth, |S|, normal and centroid for any route that finds
 * the overlap's faces and the curve in which the two surfaces cross. Faces are flat: triangles or polygons.
 *
 * A stays, B moves by u(r) = dx + dφ × (r − c), c the centroid of the overlap. Only B's surface inside A carries the overlap along, so
 *
 *   volume       dV = ∫_B u · n_B dA = −S · dx − Q · dφ
 *   centroid     dc = 1/V ∫_B (r − c) (u · n_B) dA = 1/V (G dx + H dφ),    G = ∫ r′ n_Bᵀ dA,  H = ∫ r′ (r′ × n_B)ᵀ dA,  r′ = r − c
 *   vector area  S = ∫ n_A dA over A's patch. A's faces stay; the border of the patch moves where a face of B cuts a face of A. There the
 *                cut travels in A's face by (u · n_B)/(m · n_B), with m the direction in A's face square to the cut and out of the patch:
 *                m · n_B = |n_A × n_B| = sin θ. u is linear along a straight cut of length l with middle r_m, thus exactly
 *                dS = Σ l/sin θ · n_A (n_B · dx + ((r_m − c) × n_B) · dφ)
 *   normal       n = S/|S|:   d|S| = n · dS,   dn = (dS − n d|S|)/|S|
 *   depth        2V/|S|:      dd = (2 dV − d · d|S|)/|S|
 *
 * ∂S/∂x = Σ l/sin θ n_A n_Bᵀ is minus the second derivative of V and therefore symmetric: a free check.
 *
 * **Flush faces.** Where sin θ → 0 the two faces lie in one plane and V has a kink, so there is no derivative; cuts between faces with
 * sin θ < 1e-9 (`FLUSH`) are left out, which is the derivative on the side where the border is A's own edge.
 *
 * Use, per evaluation: `begin`; for every region `setOrigin`; `addFaceB` for every face of B inside A; `addSegment` for every cut; when the
 * row of the patch is filled, `finish`; and if its depth is not 2V/|S| or its normal not S/|S|, `finishExtent` or `finishCentreLine`.
 * Sums may be taken in any axes and about any origin; an origin in the region itself keeps small regions exact.
 */
import { type ContactPatches, GRADIENT } from './contact-patches.js';

/** Cuts between faces closer to parallel than this angle (rad) belong to flush faces and have no derivative. */
export const FLUSH = 1e-9;

/** Places of one face in the array that `addFaceB` reads: unit normal out of B, ∫ r dA, ∫ r rᵀ dA about the region's origin. */
export const FACE = { normal: 0, first: 3, second: 6 /* xx yy zz xy xz yz */, length: 12 } as const;

/** Places of the sums of a region: ∫ r n_Bᵀ, ∫ r (r × n_B)ᵀ over B's faces; Σ w n_A n_Bᵀ, Σ w n_A (r_m × n_B)ᵀ over the cuts; by rows. */
const SUM = { first: 0, second: 9, slide: 18, tilt: 27, origin: 36, length: 39 } as const;

export class OverlapGradient {
  private sums = new Float64Array(SUM.length);
  /** 4 tensors of a region in world axes about its centroid, by rows */
  private readonly tensors = new Float64Array(36);

  /** Clears the sums of so many regions. */
  begin(regions: number): void {
    const length = SUM.length * regions;
    if (this.sums.length < length) this.sums = new Float64Array(2 * length);
    else this.sums.fill(0, 0, length);
  }

  /** The point about which the region's sums are taken, in the frame of the points that `addSegment` gets, m. */
  setOrigin(region: number, points: Float64Array, at: number): void {
    const o = SUM.length * region + SUM.origin;
    for (let k = 0; k < 3; k++) this.sums[o + k] = points[at + k];
  }

  /**
   * A face of B inside A, or the part of it that is.
   *
   * @param face see `FACE`; moments about the region's origin, m³ and m⁴
   */
  addFaceB(region: number, face: Float64Array): void {
    const { sums } = this;
    const at = SUM.length * region;
    const nx = face[0];
    const ny = face[1];
    const nz = face[2];
    const fx = face[3];
    const fy = face[4];
    const fz = face[5];
    sums[at] += fx * nx;
    sums[at + 1] += fx * ny;
    sums[at + 2] += fx * nz;
    sums[at + 3] += fy * nx;
    sums[at + 4] += fy * ny;
    sums[at + 5] += fy * nz;
    sums[at + 6] += fz * nx;
    sums[at + 7] += fz * ny;
    sums[at + 8] += fz * nz;
    // rows of ∫ r rᵀ dA, each × n
    const xx = face[6];
    const yy = face[7];
    const zz = face[8];
    const xy = face[9];
    const xz = face[10];
    const yz = face[11];
    sums[at + 9] += xy * nz - xz * ny;
    sums[at + 10] += xz * nx - xx * nz;
    sums[at + 11] += xx * ny - xy * nx;
    sums[at + 12] += yy * nz - yz * ny;
    sums[at + 13] += yz * nx - xy * nz;
    sums[at + 14] += xy * ny - yy * nx;
    sums[at + 15] += yz * nz - zz * ny;
    sums[at + 16] += zz * nx - xz * nz;
    sums[at + 17] += xz * ny - yz * nx;
  }

  /**
   * A prism along z whose walls belong to B but for one, added to the wall that it replaces: what lies between an arc and its chord. By
   * Gauss' theorem ∮ r nᵀ dA = V 1 and ∮ r (r × n)_z dA = V (−y, x); caps carry no normal.
   *
   * @param volume  m³, negative if B's wall lies within the other
   * @param mx, my  ∫ r dV about the region's origin, its middle height at z = 0, m⁴
   */
  addPrismB(region: number, volume: number, mx: number, my: number): void {
    const { sums } = this;
    const at = SUM.length * region;
    sums[at] += volume;
    sums[at + 4] += volume;
    sums[at + 11] -= my;
    sums[at + 14] += mx;
  }

  /**
   * A straight cut between a face of A and one of B; its direction does not matter.
   *
   * @param normalsA, a unit normal out of A at normalsA[a …]
   * @param normalsB, b unit normal out of B at normalsB[b …]
   * @param points      the ends at points[p …] and points[q …], m, in the frame of the region's origin
   */
  addSegment(
    region: number,
    normalsA: Float64Array,
    a: number,
    normalsB: Float64Array,
    b: number,
    points: Float64Array,
    p: number,
    q: number,
  ): void {
    const { sums } = this;
    const at = SUM.length * region;
    const ax = normalsA[a];
    const ay = normalsA[a + 1];
    const az = normalsA[a + 2];
    const bx = normalsB[b];
    const by = normalsB[b + 1];
    const bz = normalsB[b + 2];
    const cx = ay * bz - az * by;
    const cy = az * bx - ax * bz;
    const cz = ax * by - ay * bx;
    const sine2 = cx * cx + cy * cy + cz * cz;
    if (!(sine2 >= FLUSH * FLUSH)) return;
    const lx = points[q] - points[p];
    const ly = points[q + 1] - points[p + 1];
    const lz = points[q + 2] - points[p + 2];
    const w = Math.sqrt((lx * lx + ly * ly + lz * lz) / sine2);
    const mx = 0.5 * (points[p] + points[q]) - sums[at + 36];
    const my = 0.5 * (points[p + 1] + points[q + 1]) - sums[at + 37];
    const mz = 0.5 * (points[p + 2] + points[q + 2]) - sums[at + 38];
    const tx = my * bz - mz * by;
    const ty = mz * bx - mx * bz;
    const tz = mx * by - my * bx;
    const wx = w * ax;
    const wy = w * ay;
    const wz = w * az;
    sums[at + 18] += wx * bx;
    sums[at + 19] += wx * by;
    sums[at + 20] += wx * bz;
    sums[at + 21] += wy * bx;
    sums[at + 22] += wy * by;
    sums[at + 23] += wy * bz;
    sums[at + 24] += wz * bx;
    sums[at + 25] += wz * by;
    sums[at + 26] += wz * bz;
    sums[at + 27] += wx * tx;
    sums[at + 28] += wx * ty;
    sums[at + 29] += wx * tz;
    sums[at + 30] += wy * tx;
    sums[at + 31] += wy * ty;
    sums[at + 32] += wy * tz;
    sums[at + 33] += wz * tx;
    sums[at + 34] += wz * ty;
    sums[at + 35] += wz * tz;
  }

  /**
   * A curved surface of B inside A.
   *
   * @param tensors 18, by rows, about the region's origin: ∫ r n_Bᵀ dA in m³, ∫ r (r × n_B)ᵀ dA in m⁴
   */
  addSurfaceB(region: number, tensors: Float64Array): void {
    const at = SUM.length * region;
    for (let k = 0; k < 18; k++) this.sums[at + k] += tensors[k];
  }

  /**
   * A point of a cut between two surfaces with the weight dl/sin θ, m, from the region's origin.
   *
   * Where the two lie flush the weight has no bound; such points are not to be given.
   */
  addCut(
    region: number,
    w: number,
    ax: number,
    ay: number,
    az: number,
    bx: number,
    by: number,
    bz: number,
    x: number,
    y: number,
    z: number,
  ): void {
    const { sums } = this;
    const at = SUM.length * region + SUM.slide;
    const tx = y * bz - z * by;
    const ty = z * bx - x * bz;
    const tz = x * by - y * bx;
    for (let k = 0; k < 3; k++) {
      const a = w * (k === 0 ? ax : k === 1 ? ay : az);
      sums[at + 3 * k] += a * bx;
      sums[at + 3 * k + 1] += a * by;
      sums[at + 3 * k + 2] += a * bz;
      sums[at + 9 + 3 * k] += a * tx;
      sums[at + 9 + 3 * k + 1] += a * ty;
      sums[at + 9 + 3 * k + 2] += a * tz;
    }
  }

  /**
   * Writes the gradient of a patch whose volume, depth, vector area, normal and moment are filled (world axes), for depth = 2V/|S| and
   * normal = S/|S|. Without a vector area the rows of depth, |S| and normal stay zero.
   *
   * @param c, at    the overlap's centroid relative to the region's origin at c[at …], in the axes of the sums, m
   * @param rotation 9, by rows: from the axes of the sums to the world's; undefined if they are the same
   */
  finish(
    region: number,
    patches: ContactPatches,
    row: number,
    c: Float64Array,
    at: number,
    rotation: Float64Array | undefined,
  ): void {
    const { tensors } = this;
    this.toCentroid(SUM.length * region, patches, row, c[at], c[at + 1], c[at + 2], rotation);
    const { gradient, vectorArea, moment, normal } = patches;
    const g = 54 * row;
    const i = 3 * row;
    const volume = patches.volume[row];
    for (let k = 0; k < 3; k++) {
      gradient[g + k] = 0 - vectorArea[i + k];
      gradient[g + 3 + k] = 0 - moment[i + k];
      for (let l = 0; l < 3; l++) {
        gradient[g + GRADIENT.centroid + 6 * k + l] = tensors[3 * k + l] / volume;
        gradient[g + GRADIENT.centroid + 6 * k + 3 + l] = tensors[9 + 3 * k + l] / volume;
      }
    }
    const sx = vectorArea[i];
    const sy = vectorArea[i + 1];
    const sz = vectorArea[i + 2];
    const size = Math.sqrt(sx * sx + sy * sy + sz * sz);
    if (!(size > 0)) return;
    const nx = normal[i];
    const ny = normal[i + 1];
    const nz = normal[i + 2];
    const depth = patches.depth[row];
    for (let l = 0; l < 6; l++) {
      const from = l < 3 ? 18 + l : 24 + l; // columns of ∂S/∂x, then of ∂S/∂φ
      const dx = tensors[from];
      const dy = tensors[from + 3];
      const dz = tensors[from + 6];
      const along = nx * dx + ny * dy + nz * dz;
      gradient[g + GRADIENT.vectorArea + l] = along;
      gradient[g + GRADIENT.normal + l] = (dx - nx * along) / size;
      gradient[g + GRADIENT.normal + 6 + l] = (dy - ny * along) / size;
      gradient[g + GRADIENT.normal + 12 + l] = (dz - nz * along) / size;
      gradient[g + GRADIENT.depth + l] = (2 * gradient[g + l] - depth * along) / size;
    }
  }

  /** The four tensors of a region about its centroid, in world axes. */
  private toCentroid(
    at: number,
    patches: ContactPatches,
    row: number,
    cx: number,
    cy: number,
    cz: number,
    rotation: Float64Array | undefined,
  ): void {
    const { sums, tensors } = this;
    for (let k = 0; k < 36; k++) tensors[k] = sums[at + k];
    // ∫ r (r′ × n)ᵀ: what turns about the origin less c × what slides, row by row; likewise for the cuts
    for (let t = 0; t < 36; t += 18)
      for (let k = 0; k < 9; k += 3) {
        const x = tensors[t + k];
        const y = tensors[t + k + 1];
        const z = tensors[t + k + 2];
        tensors[t + 9 + k] -= cy * z - cz * y;
        tensors[t + 9 + k + 1] -= cz * x - cx * z;
        tensors[t + 9 + k + 2] -= cx * y - cy * x;
      }
    if (rotation) for (let t = 0; t < 36; t += 9) turnMatrix(rotation, tensors, t);
    // r → r′ = r − c on the left: less c (∫ n_B dA)ᵀ = −c Sᵀ, and less c (∫ r′ × n_B dA)ᵀ = −c Qᵀ
    let ux = cx;
    let uy = cy;
    let uz = cz;
    if (rotation) {
      ux = rotation[0] * cx + rotation[1] * cy + rotation[2] * cz;
      uy = rotation[3] * cx + rotation[4] * cy + rotation[5] * cz;
      uz = rotation[6] * cx + rotation[7] * cy + rotation[8] * cz;
    }
    const { vectorArea, moment } = patches;
    for (let l = 0; l < 3; l++) {
      const s = vectorArea[3 * row + l];
      const q = moment[3 * row + l];
      tensors[l] += ux * s;
      tensors[3 + l] += uy * s;
      tensors[6 + l] += uz * s;
      tensors[9 + l] += ux * q;
      tensors[12 + l] += uy * q;
      tensors[15 + l] += uz * q;
    }
  }
}

/**
 * Row of the depth where it is a multiple of the overlap's extent along the normal (option `extent`, contained bodies, or where 2V/|S| has
 * to be limited). To be called when the rows of the normal are written.
 *
 * The extent is n · (h − l) with h the highest and l the lowest corner of the overlap. A corner p moves by T u(p); as far as n sees it,
 * by w · u(p), w = Tᵀ n:
 *
 *   corner of A                            w = 0
 *   corner of B                            w = n
 *   edge of A (direction e) on a face of B  w = n_B (e · n)/(e · n_B)
 *   edge of B (direction e) on a face of A  w = n − n_A (e · n)/(e · n_A)
 *
 * @param corners 12, world axes: h − centroid, w of h, l − centroid, w of l
 * @param factor  depth = factor × extent
 */
export function finishExtent(patches: ContactPatches, row: number, corners: Float64Array, factor: number): void {
  const { gradient } = patches;
  const g = 54 * row;
  const x = corners[0] - corners[6];
  const y = corners[1] - corners[7];
  const z = corners[2] - corners[8];
  for (let l = 0; l < 6; l++) {
    const n = g + GRADIENT.normal + l;
    gradient[g + GRADIENT.depth + l] = factor * (x * gradient[n] + y * gradient[n + 6] + z * gradient[n + 12]);
  }
  for (let side = 0; side < 12; side += 6) {
    const sign = side === 0 ? factor : 0 - factor;
    const d = g + GRADIENT.depth;
    for (let k = 0; k < 3; k++) {
      const i = k === 2 ? 0 : k + 1;
      const j = k === 0 ? 2 : k - 1;
      // w · (dφ × r) = (r × w) · dφ
      gradient[d + k] += sign * corners[side + 3 + k];
      gradient[d + 3 + k] +=
        sign * (corners[side + i] * corners[side + 3 + j] - corners[side + j] * corners[side + 3 + i]);
    }
  }
}

/**
 * Rows of the normal where it is the direction between the bodies' centroids (flag `contained`): dn = (I − n nᵀ)/|line| (dx + dφ × arm).
 *
 * @param line 6, world axes, m: from A's centroid to B's, then from the overlap's centroid to B's
 */
export function finishCentreLine(patches: ContactPatches, row: number, line: Float64Array): void {
  const { gradient, normal } = patches;
  const size = Math.sqrt(line[0] * line[0] + line[1] * line[1] + line[2] * line[2]);
  const g = 54 * row + GRADIENT.normal;
  gradient.fill(0, g, g + 18);
  if (!(size > 0)) return;
  for (let k = 0; k < 3; k++) {
    const n = normal[3 * row + k];
    // row k of I − n nᵀ, over |line|; its columns meet dx, and crossed with the arm dφ
    for (let l = 0; l < 3; l++) gradient[g + 6 * k + l] = ((k === l ? 1 : 0) - n * normal[3 * row + l]) / size;
    const px = gradient[g + 6 * k];
    const py = gradient[g + 6 * k + 1];
    const pz = gradient[g + 6 * k + 2];
    gradient[g + 6 * k + 3] = line[4] * pz - line[5] * py;
    gradient[g + 6 * k + 4] = line[5] * px - line[3] * pz;
    gradient[g + 6 * k + 5] = line[3] * py - line[4] * px;
  }
}

/** M ← R M Rᵀ for the nine numbers from `at` on. */
function turnMatrix(r: Float64Array, m: Float64Array, at: number): void {
  for (let k = 0; k < 9; k += 3) {
    const x = m[at + k];
    const y = m[at + k + 1];
    const z = m[at + k + 2];
    m[at + k] = r[0] * x + r[1] * y + r[2] * z;
    m[at + k + 1] = r[3] * x + r[4] * y + r[5] * z;
    m[at + k + 2] = r[6] * x + r[7] * y + r[8] * z;
  }
  for (let k = 0; k < 3; k++) {
    const x = m[at + k];
    const y = m[at + k + 3];
    const z = m[at + k + 6];
    m[at + k] = r[0] * x + r[1] * y + r[2] * z;
    m[at + k + 3] = r[3] * x + r[4] * y + r[5] * z;
    m[at + k + 6] = r[6] * x + r[7] * y + r[8] * z;
  }
}
