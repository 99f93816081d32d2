/**
 * The overlap of two convex solids: A is cut by the planes of B, one by one, and what is left is summed up over its faces. One region,
 * always. See docs/theory/narrow-phase-convex.md.
 *
 *   apart?    a face plane of either solid with the other wholly in front of it
 *   cut       polytope-clip.ts   A behind the planes of B; the caps are B's surface inside A
 *   sums      surface-sums.ts    volume, centroid, patch, S and Q about a point of the overlap
 *   gradient  overlap-gradient.ts
 *
 * Everything happens in A's axes about a point o in the middle of the common bounds, in single precision so that subtracting it costs no
 * digits. Where B is much larger than A its planes are brought there in twice the digits (distant-faces.ts). Nothing is remembered between evaluations but the size of the scratch arrays, so that one `ConvexOverlap` serves all pairs.
 */
import { type ContactPatches, type DepthMeasure, PATCH } from '../contact-patches.js';
import { finishCentreLine, finishExtent, OverlapGradient } from '../overlap-gradient.js';
import type { ShapePoses } from '../route.js';
import type { ConvexSolid } from './convex-solid.js';
import { cornerRate } from './corner-rate.js';
import { DistantFaces, MUCH_LARGER } from './distant-faces.js';
import { preferFaces } from './face-normal.js';
import { PolytopeClip } from './polytope-clip.js';
import { SUM, SurfaceSums } from './surface-sums.js';

/** Rounding of a vector area that is zero, over the area summed up. */
const NO_DIRECTION = 1e-12;
/** Rounding of a vertex' height over a plane, over the size of the solids and their distance from o. */
const ROUNDING = 4.5e-16;

export class ConvexOverlap {
  private readonly clip = new PolytopeClip();
  private readonly surface = new SurfaceSums();
  private readonly gradient = new OverlapGradient();
  // of the pair at work
  private solidA!: ConvexSolid;
  private solidB!: ConvexSolid;
  private a = 0;
  private b = 0;
  private depth: DepthMeasure = 'volume';

  /** 9, by rows, and 3: from B's frame to A's */
  private readonly rotation_AB = new Float64Array(9);
  private readonly position_AB = new Float64Array(3);
  private readonly rotation_WA = new Float64Array(9);
  /** 3: o in A's frame, m */
  private readonly origin = new Float64Array(3);
  /** 3 per corner of B, seen from o in A's axes, m; only where it was needed */
  private cornersB = new Float64Array(0);
  /** one per face of B: how far A's centroid is in front of it, m */
  private ahead = new Float64Array(0);
  /** Rounding of B's corners, m */
  private slackOfB = 0;
  /** B is much larger than A. */
  private local = false;
  private readonly distant = new DistantFaces();
  private readonly extremes = new Float64Array(12);
  private readonly line = new Float64Array(6);

  /**
   * Appends the region in which two solids overlap, if they do.
   *
   * @param a, b places of their frames in the poses
   */
  find(
    solidA: ConvexSolid,
    solidB: ConvexSolid,
    a: number,
    b: number,
    depth: DepthMeasure,
    poses: ShapePoses,
    pair: number,
    patches: ContactPatches,
    gradients: boolean,
  ): void {
    this.solidA = solidA;
    this.solidB = solidB;
    this.a = a;
    this.b = b;
    this.depth = depth;
    const { clip } = this;
    if (!this.setFrames(poses)) return;
    if (this.ahead.length < solidB.faceCount) this.ahead = new Float64Array(2 * solidB.faceCount);
    clip.reserveFor(solidA, solidB.faceCount);
    const first = this.firstPlane();
    if (first < 0 || this.behindPlaneOfA()) return;
    clip.begin(solidA, solidB.faceCount, this.origin);
    const own = solidA.faceCount;
    const { ahead } = this;
    if (!clip.cut(own + first)) return;
    // then those that have A's centroid in front: they take away most
    for (let f = 0; f < solidB.faceCount; f++) if (f !== first && ahead[f] > 0 && !clip.cut(own + f)) return;
    for (let f = 0; f < solidB.faceCount; f++) if (f !== first && !(ahead[f] > 0) && !clip.cut(own + f)) return;
    clip.finish();
    if (clip.faceCount > 0 && this.sum(gradients)) this.append(poses, pair, patches, gradients);
  }

  /** Relative pose and the origin o; false if the bounds are apart. */
  private setFrames(poses: ShapePoses): boolean {
    const { position, rotation } = poses;
    const { a, b, rotation_AB, position_AB, rotation_WA, origin } = this;
    const { middle: middleA, half: halfA } = this.solidA;
    const { middle: middleB, half: halfB } = this.solidB;
    for (let k = 0; k < 9; k++) rotation_WA[k] = rotation[9 * a + k];
    const dx = position[3 * b] - position[3 * a];
    const dy = position[3 * b + 1] - position[3 * a + 1];
    const dz = position[3 * b + 2] - position[3 * a + 2];
    let reach = this.solidA.size + this.solidB.size;
    for (let k = 0; k < 3; k++) {
      const x = rotation_WA[k];
      const y = rotation_WA[3 + k];
      const z = rotation_WA[6 + k];
      const t = x * dx + y * dy + z * dz;
      const r0 = x * rotation[9 * b] + y * rotation[9 * b + 3] + z * rotation[9 * b + 6];
      const r1 = x * rotation[9 * b + 1] + y * rotation[9 * b + 4] + z * rotation[9 * b + 7];
      const r2 = x * rotation[9 * b + 2] + y * rotation[9 * b + 5] + z * rotation[9 * b + 8];
      position_AB[k] = t;
      rotation_AB[3 * k] = r0;
      rotation_AB[3 * k + 1] = r1;
      rotation_AB[3 * k + 2] = r2;
      const centre = r0 * middleB[0] + r1 * middleB[1] + r2 * middleB[2] + t;
      const half = Math.abs(r0) * halfB[0] + Math.abs(r1) * halfB[1] + Math.abs(r2) * halfB[2];
      const low = Math.max(middleA[k] - halfA[k], centre - half);
      const high = Math.min(middleA[k] + halfA[k], centre + half);
      // inclusive by rounding: the planes decide
      if (!(low <= high + 1e-13 * (Math.abs(low) + Math.abs(high) + reach))) return false;
      origin[k] = Math.fround(0.5 * low + 0.5 * high);
      reach += Math.abs(middleA[k] - origin[k]) + Math.abs(middleB[k]);
    }
    this.slackOfB = ROUNDING * reach;
    this.local = this.solidB.size > MUCH_LARGER * this.solidA.size;
    this.clip.tolerance = this.local ? 2 * ROUNDING * this.solidA.size : this.slackOfB;
    if (this.local) this.distant.lookFrom(poses, a, b, origin);
    return true;
  }

  /** Puts B's planes into the frame. Returns the one that A's centroid is farthest in front of, −1 if all of A is in front of one. */
  private firstPlane(): number {
    const { solidA, solidB, clip, rotation_AB: r, position_AB, origin, ahead, local, distant } = this;
    const { normals, offsets } = clip;
    const own = solidA.faceCount;
    const tx = position_AB[0] - origin[0];
    const ty = position_AB[1] - origin[1];
    const tz = position_AB[2] - origin[2];
    const cx = solidA.centroid[0] - origin[0];
    const cy = solidA.centroid[1] - origin[1];
    const cz = solidA.centroid[2] - origin[2];
    let first = 0;
    let farthest = -Infinity;
    for (let f = 0; f < solidB.faceCount; f++) {
      const x = solidB.normals[3 * f];
      const y = solidB.normals[3 * f + 1];
      const z = solidB.normals[3 * f + 2];
      const nx = r[0] * x + r[1] * y + r[2] * z;
      const ny = r[3] * x + r[4] * y + r[5] * z;
      const nz = r[6] * x + r[7] * y + r[8] * z;
      const offset = local ? distant.offset(solidB, f) : solidB.offsets[f] + (nx * tx + ny * ty + nz * tz);
      const at = own + f;
      normals[3 * at] = nx;
      normals[3 * at + 1] = ny;
      normals[3 * at + 2] = nz;
      offsets[at] = offset;
      const height = nx * cx + ny * cy + nz * cz - offset;
      ahead[f] = height;
      if (height > farthest) {
        farthest = height;
        first = f;
      }
    }
    if (farthest <= 0) return first;
    // the deepest corner of A under the planes that have its centroid in front
    const { corners } = solidA;
    for (let f = own; f < own + solidB.faceCount; f++) {
      if (!(ahead[f - own] > 0)) continue;
      const nx = normals[3 * f];
      const ny = normals[3 * f + 1];
      const nz = normals[3 * f + 2];
      const offset = offsets[f] + nx * origin[0] + ny * origin[1] + nz * origin[2];
      const slack = this.clip.tolerance;
      let apart = true;
      for (let i = 0; apart && i < corners.length; i += 3)
        if (nx * corners[i] + ny * corners[i + 1] + nz * corners[i + 2] - offset < slack) apart = false;
      if (apart) return -1;
    }
    return first;
  }

  /** Whether all of B lies in front of a plane of A. */
  private behindPlaneOfA(): boolean {
    const { solidA, solidB, rotation_AB: r, position_AB: t } = this;
    const { normals, offsets } = solidA;
    const [cx, cy, cz] = solidB.centroid;
    const x = r[0] * cx + r[1] * cy + r[2] * cz + t[0];
    const y = r[3] * cx + r[4] * cy + r[5] * cz + t[1];
    const z = r[6] * cx + r[7] * cy + r[8] * cz + t[2];
    const slack = this.slackOfB;
    const { corners } = solidB;
    let placed = false;
    for (let f = 0; f < solidA.faceCount; f++) {
      const nx = normals[3 * f];
      const ny = normals[3 * f + 1];
      const nz = normals[3 * f + 2];
      if (nx * x + ny * y + nz * z - offsets[f] <= 0) continue;
      if (!placed) {
        placed = true;
        if (this.cornersB.length < corners.length) this.cornersB = new Float64Array(2 * corners.length);
        const { cornersB } = this;
        for (let i = 0; i < corners.length; i += 3) {
          const u = corners[i];
          const v = corners[i + 1];
          const w = corners[i + 2];
          cornersB[i] = r[0] * u + r[1] * v + r[2] * w + t[0];
          cornersB[i + 1] = r[3] * u + r[4] * v + r[5] * w + t[1];
          cornersB[i + 2] = r[6] * u + r[7] * v + r[8] * w + t[2];
        }
      }
      const { cornersB } = this;
      let apart = true;
      for (let i = 0; apart && i < corners.length; i += 3)
        if (nx * cornersB[i] + ny * cornersB[i + 1] + nz * cornersB[i + 2] - offsets[f] < slack) apart = false;
      if (apart) return true;
    }
    return false;
  }

  // what `sum` found beside the sums
  private crossed = false;
  private featureA = -1;
  private featureB = -1;
  /** Areas of those faces in the overlap, m² */
  private mostA = 0;
  private mostB = 0;
  private readonly faces = new Float64Array(6);

  /** Sums over the faces left. False if what is left is no volume. */
  private sum(gradients: boolean): boolean {
    const { clip, surface, solidA } = this;
    const { points, normals, edges, face, edgeStart, edgeEnd } = clip;
    const gradient = gradients ? this.gradient : undefined;
    const origin = 3 * edges[edgeStart[face[0]]];
    surface.begin(1);
    surface.setOrigin(0, points, origin);
    gradient?.begin(1);
    gradient?.setOrigin(0, points, origin);
    this.crossed = false;
    this.featureA = this.featureB = -1;
    let mostA = 0;
    let mostB = 0;
    for (let f = 0; f < clip.faceCount; f++) {
      const n = 3 * face[f];
      const isA = face[f] < solidA.faceCount;
      const start = edgeStart[face[f]];
      const end = edgeEnd[face[f]];
      const apex = 3 * edges[start];
      surface.startFace(0, isA, normals, n, points, apex, gradients);
      for (let e = start; e < end; e += 3) {
        const p = 3 * edges[e];
        const q = 3 * edges[e + 1];
        if (p !== apex && q !== apex) surface.addTriangle(points, apex, p, q);
        if (isA && edges[e + 2] >= 0) {
          this.crossed = true;
          gradient?.addSegment(0, normals, n, normals, 3 * edges[e + 2], points, p, q);
        }
      }
      surface.endFace(0, gradient);
      const area = surface.faceArea;
      if (isA && area > mostA) {
        mostA = area;
        this.featureA = face[f];
      } else if (!isA && area > mostB) {
        mostB = area;
        this.featureB = face[f] - solidA.faceCount;
      }
    }
    this.mostA = mostA;
    this.mostB = mostB;
    const { sums } = surface;
    const least = 8 * clip.tolerance;
    return sums[SUM.volume] > 0 && sums[SUM.areaA] + sums[SUM.areaB] > least * least;
  }

  private append(poses: ShapePoses, pair: number, patches: ContactPatches, gradients: boolean): void {
    const { surface, clip, rotation_WA, origin, extremes } = this;
    const row = patches.add(pair, 0);
    surface.fill(0, patches, row, this.crossed);
    patches.feature[2 * row] = this.featureA;
    patches.feature[2 * row + 1] = this.featureB;

    // normal
    const { normal, vectorArea } = patches;
    const i = 3 * row;
    const { sums } = surface;
    const sx = vectorArea[i];
    const sy = vectorArea[i + 1];
    const sz = vectorArea[i + 2];
    const size = Math.sqrt(sx * sx + sy * sy + sz * sz);
    const contained = !(size > NO_DIRECTION * (sums[SUM.areaA] + sums[SUM.areaB]));
    if (contained) {
      patches.flags[row] |= PATCH.contained;
      this.centreLine(normal, i);
    } else {
      normal[i] = sx / size;
      normal[i + 1] = sy / size;
      normal[i + 2] = sz / size;
    }

    // extent and depth
    const nx = normal[i];
    const ny = normal[i + 1];
    const nz = normal[i + 2];
    const { points, live } = clip;
    let low = Infinity;
    let high = -Infinity;
    let lowest = 0;
    let highest = 0;
    for (let k = 0; k < clip.liveCount; k++) {
      const v = 3 * live[k];
      const h = nx * points[v] + ny * points[v + 1] + nz * points[v + 2];
      if (h < low) {
        low = h;
        lowest = v;
      }
      if (h > high) {
        high = h;
        highest = v;
      }
    }
    const extent = high - low;
    patches.extent[row] = extent;
    // a column has V = |S| · extent; where A runs through B and S nearly vanishes, 2V/|S| would have no bound
    let factor = contained || this.depth === 'extent' ? 1 : 0;
    if (factor === 0 && !(patches.volume[row] <= size * extent)) factor = 2;
    patches.depth[row] = factor > 0 ? factor * extent : (2 * patches.volume[row]) / size;
    if (gradients && factor > 0) {
      cornerRate(clip, highest, normal, i, extremes, 0);
      cornerRate(clip, lowest, normal, i, extremes, 6);
    }

    const { position } = poses;
    surface.place(0, patches, row, origin, rotation_WA, position, 3 * this.a);
    if (gradients) {
      this.gradient.finish(0, patches, row, surface.centroid, 0, rotation_WA);
      if (contained) this.finishLine(poses, patches, row);
      if (factor > 0) this.finishDepth(patches, row, factor);
    }
    if (!contained && this.featureA >= 0 && this.featureB >= 0) this.alignWithFaces(patches, row, gradients);
  }

  /** Face on face: the normal of the faces; see face-normal.ts. */
  private alignWithFaces(patches: ContactPatches, row: number, gradients: boolean): void {
    const { surface, clip, solidA, rotation_WA: r, faces, mostA, mostB } = this;
    const { sums } = surface;
    for (let side = 0; side < 2; side++) {
      const n = 3 * (side === 0 ? this.featureA : solidA.faceCount + this.featureB);
      const { normals } = clip;
      for (let k = 0; k < 3; k++)
        faces[3 * side + k] = r[3 * k] * normals[n] + r[3 * k + 1] * normals[n + 1] + r[3 * k + 2] * normals[n + 2];
    }
    preferFaces(patches, row, sums[SUM.areaA] / mostA - 1 + (sums[SUM.areaB] / mostB - 1), faces, gradients);
  }

  /** The row of a depth that is a multiple of the extent. */
  private finishDepth(patches: ContactPatches, row: number, factor: number): void {
    const { extremes, rotation_WA: r, surface } = this;
    for (let at = 0; at < 12; at += 3) {
      const isPoint = at % 6 === 0;
      let x = extremes[at];
      let y = extremes[at + 1];
      let z = extremes[at + 2];
      if (isPoint) {
        x -= surface.sums[SUM.origin] + surface.centroid[0];
        y -= surface.sums[SUM.origin + 1] + surface.centroid[1];
        z -= surface.sums[SUM.origin + 2] + surface.centroid[2];
      }
      extremes[at] = r[0] * x + r[1] * y + r[2] * z;
      extremes[at + 1] = r[3] * x + r[4] * y + r[5] * z;
      extremes[at + 2] = r[6] * x + r[7] * y + r[8] * z;
    }
    finishExtent(patches, row, extremes, factor);
  }

  /** The rows of a normal that is the direction between the centroids. */
  private finishLine({ position, rotation }: ShapePoses, patches: ContactPatches, row: number): void {
    const { line, a, b } = this;
    const [ax, ay, az] = this.solidA.centroid;
    const [bx, by, bz] = this.solidB.centroid;
    for (let k = 0; k < 3; k++) {
      const i = 9 * a + 3 * k;
      const j = 9 * b + 3 * k;
      const fromA = rotation[i] * ax + rotation[i + 1] * ay + rotation[i + 2] * az + position[3 * a + k];
      const toB = rotation[j] * bx + rotation[j + 1] * by + rotation[j + 2] * bz + position[3 * b + k];
      line[k] = toB - fromA;
      line[3 + k] = toB - patches.centroid[3 * row + k];
    }
    finishCentreLine(patches, row, line);
  }

  /** Direction from A's centroid to B's in A's axes; z if they coincide. */
  private centreLine(into: Float64Array, at: number): void {
    const { rotation_AB: r, position_AB: t } = this;
    const a = this.solidA.centroid;
    const [x, y, z] = this.solidB.centroid;
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const d = r[3 * k] * x + r[3 * k + 1] * y + r[3 * k + 2] * z + t[k] - a[k];
      into[at + k] = d;
      square += d * d;
    }
    const size = Math.sqrt(square);
    if (size > 0) for (let k = 0; k < 3; k++) into[at + k] /= size;
    else into[at + 2] = 1;
  }
}
