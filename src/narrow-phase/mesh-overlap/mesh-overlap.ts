/**
 * The overlap of any two closed triangle meshes: volume, centroid, patch and the exact gradient of the volume, region by
 * region, without building the overlap's mesh. See docs/theory/narrow-phase-mesh.md.
 *
 *   search            box-descent.ts        triangles whose boxes meet
 *   cross             triangle-crossing.ts  curves in which the surfaces cross, by exact signs
 *   inside, outside   inside.ts             vertices inside the other body, by signed sums
 *   regions           inside.ts, hole-joining.ts    what is connected, by union–find
 *   sums              region-sums.ts        surface integrals about each region's own origin
 *   gradients         region-gradient.ts    how all of it changes with the pose, where asked for
 *
 * Everything happens in A's axes about a point o in the middle of the two bodies' common bounds, so that coordinates are
 * as small as the overlap allows.
 */
import { type ContactPatches, type DepthMeasure, PATCH } from '../contact-patches.js';
import { turn, turnTensor } from '../turn.js';
import { BoxDescent } from './box-descent.js';
import { mergeCavities } from './cavities.js';
import { HoleJoining } from './hole-joining.js';
import { InsideMarking } from './inside.js';
import type { OverlapBody } from './overlap-body.js';
import { OverlapCurves } from './overlap-curves.js';
import { RegionGradient } from './region-gradient.js';
import { RegionSums, SUM } from './region-sums.js';
import { shift, signCounts } from './triangle-crossing.js';

export interface MeshOverlapOptions {
  /** default 'volume'; the extent jumps where the normal turns over a long patch, see the theory page */
  readonly depth?: DepthMeasure;
}

/** Rounding of a vector area that is zero, over the area summed up. */
const NO_DIRECTION = 1e-12;

export class MeshOverlap {
  readonly curves = new OverlapCurves();
  readonly sums = new RegionSums();
  /** contradictions met in the last evaluation; more than none if a surface runs through itself */
  contradictions = 0;
  /** regions in the last evaluation */
  count = 0;
  /** 1, or −1 to have coinciding features decided by a shift of B the other way */
  direction: 1 | -1 = 1;
  /** whether features coincided exactly in the last evaluation */
  tied = false;
  /** one per region: its place in `sums` */
  place = new Int32Array(4);
  /** one per place in `sums`: the region, −1 if it has no volume */
  regionAt = new Int32Array(4);
  private least = new Float64Array(4);
  private greatest = new Float64Array(4);
  /** one per region: the nodes where these are reached */
  private lowest = new Int32Array(4);
  private highest = new Int32Array(4);
  private readonly descent: BoxDescent;
  private readonly markA: InsideMarking;
  private readonly markB: InsideMarking;
  private readonly holes = new HoleJoining();
  private readonly depth: DepthMeasure;
  private readonly gradient: RegionGradient;

  /** 9, by rows, and 3: from B's frame to A's */
  private readonly rotation_AB = new Float64Array(9);
  private readonly position_AB = new Float64Array(3);
  /** 3: o in A's frame, m */
  readonly origin = new Float64Array(3);
  /** 9 and 3: A's pose in the world */
  private readonly rotation_WA = new Float64Array(9);
  private readonly position_WA = new Float64Array(3);

  /**
   * @param a, b scratch of the two bodies; it may be shared with other pairs, which are then evaluated one after the other
   * @example const overlap = new MeshOverlap(new OverlapBody(gear), new OverlapBody(rack));
   */
  constructor(
    readonly a: OverlapBody,
    readonly b: OverlapBody,
    options: MeshOverlapOptions = {},
  ) {
    this.descent = new BoxDescent(a, b);
    this.markA = new InsideMarking(a, b, true);
    this.markB = new InsideMarking(b, a, false);
    this.depth = options.depth ?? 'volume';
    this.gradient = new RegionGradient(a, b, this.curves, this.sums);
  }

  /** joins of holes within one triangle in the last evaluation */
  get holesJoined(): number {
    return this.holes.joined;
  }

  /**
   * Finds the regions in which the bodies overlap; returns their number.
   *
   * @param rotation 9 per frame, by rows: from the frame's axes to the world's
   * @param position 3 per frame: its origin in the world, m
   * @param i, j     places of the frames of A's and B's mesh in the two arrays
   */
  evaluate(rotation: Float64Array, position: Float64Array, i: number, j: number): number {
    this.contradictions = 0;
    this.count = 0;
    this.holes.joined = 0;
    this.tied = false;
    const margin = this.setFrames(rotation, position, i, j);
    if (margin < 0) return 0;
    const { a, b, curves, sums, holes } = this;
    a.begin();
    b.begin();
    curves.begin();
    shift.direction = this.direction;
    const ties = signCounts.shifted;
    this.descent.search(this.rotation_AB, this.position_AB, margin, curves);
    holes.findCurves(curves);
    this.contradictions += this.markA.mark(curves, margin);
    this.contradictions += this.markB.mark(curves, margin);
    this.tied = signCounts.shifted !== ties;
    if (curves.nodeCount === 0) return 0;
    holes.join(curves, a, b);
    sums.begin(curves);
    sums.add(a, true);
    sums.add(b, false);
    this.numberRegions();
    return this.count;
  }

  /** Volume of all regions of the last evaluation, m³. */
  volume(): number {
    let sum = 0;
    for (let k = 0; k < this.count; k++) sum += this.sums.sums[SUM.length * this.place[k] + SUM.volume];
    return sum;
  }

  /** Relative pose, the origin o and the bodies' offsets from it. Returns the margin for boxes, −1 if the bounds are apart. */
  private setFrames(rotation: Float64Array, position: Float64Array, i: number, j: number): number {
    const { a, b, rotation_AB, position_AB, rotation_WA, position_WA, origin } = this;
    for (let k = 0; k < 9; k++) rotation_WA[k] = rotation[9 * i + k];
    for (let k = 0; k < 3; k++) position_WA[k] = position[3 * i + k];
    const dx = position[3 * j] - position_WA[0];
    const dy = position[3 * j + 1] - position_WA[1];
    const dz = position[3 * j + 2] - position_WA[2];
    for (let row = 0; row < 3; row++) {
      const x = rotation_WA[row];
      const y = rotation_WA[3 + row];
      const z = rotation_WA[6 + row];
      position_AB[row] = x * dx + y * dy + z * dz;
      for (let column = 0; column < 3; column++)
        rotation_AB[3 * row + column] =
          x * rotation[9 * j + column] + y * rotation[9 * j + 3 + column] + z * rotation[9 * j + 6 + column];
    }
    const boxA = a.topology.tree.boxes;
    const boxB = b.topology.tree.boxes;
    let size = 0;
    for (let k = 0; k < 3; k++)
      size += Math.abs(boxA[k]) + boxA[3 + k] + Math.abs(boxB[k]) + boxB[3 + k] + Math.abs(position_AB[k]);
    const margin = 1e-13 * size;
    for (let k = 0; k < 3; k++) {
      const x = rotation_AB[3 * k];
      const y = rotation_AB[3 * k + 1];
      const z = rotation_AB[3 * k + 2];
      const centre = x * boxB[0] + y * boxB[1] + z * boxB[2] + position_AB[k];
      const half = Math.abs(x) * boxB[3] + Math.abs(y) * boxB[4] + Math.abs(z) * boxB[5];
      const low = Math.max(boxA[k] - boxA[3 + k], centre - half);
      const high = Math.min(boxA[k] + boxA[3 + k], centre + half);
      if (!(low <= high + margin)) return -1;
      // single precision: x − o loses no more than the last digit of x
      const o = Math.fround(0.5 * low + 0.5 * high);
      origin[k] = o;
      a.offset[k] = 0 - o;
      b.offset[k] = position_AB[k] - o;
    }
    for (let k = 0; k < 9; k++) {
      a.rotation[k] = k % 4 === 0 ? 1 : 0;
      b.rotation[k] = rotation_AB[k];
    }
    return margin;
  }

  /** Adds cavities to what they are in, leaves out what has no volume, numbers the rest. */
  private numberRegions(): void {
    const { sums, curves } = this;
    const n = sums.count;
    if (this.place.length < n) {
      this.place = new Int32Array(2 * n);
      this.regionAt = new Int32Array(2 * n);
      this.least = new Float64Array(2 * n);
      this.greatest = new Float64Array(2 * n);
      this.lowest = new Int32Array(2 * n);
      this.highest = new Int32Array(2 * n);
    }
    let negative = false;
    for (let at = 0; at < n; at++) if (sums.sums[SUM.length * at + SUM.volume] < 0) negative = true;
    if (negative) mergeCavities(sums, curves);
    for (let at = 0; at < n; at++) {
      const kept = sums.sums[SUM.length * at + SUM.volume] > 0;
      this.regionAt[at] = kept ? this.count : -1;
      if (kept) this.place[this.count++] = at;
    }
  }

  /** Appends the regions of the last evaluation to the patches. */
  append(patches: ContactPatches, pair: number, gradients = false): void {
    const { curves, count, place, sums: regions, least, greatest, lowest, highest } = this;
    const { rotation_WA: r, position_WA, origin, gradient } = this;
    const { sums } = regions;
    if (gradients && count > 0) gradient.begin();
    const first = patches.count;
    for (let k = 0; k < count; k++) this.appendRegion(patches, patches.add(pair, k), SUM.length * place[k]);

    // extent along the normal; the normal is still in A's axes
    for (let k = 0; k < count; k++) {
      least[k] = Infinity;
      greatest[k] = -Infinity;
    }
    const { normal } = patches;
    for (let node = 0; node < curves.nodeCount; node++) {
      const k = this.regionAt[curves.region[node]];
      if (k < 0) continue;
      const n = 3 * (first + k);
      const height =
        normal[n] * curves.points[3 * node] +
        normal[n + 1] * curves.points[3 * node + 1] +
        normal[n + 2] * curves.points[3 * node + 2];
      if (height < least[k]) {
        least[k] = height;
        lowest[k] = node;
      }
      if (height > greatest[k]) {
        greatest[k] = height;
        highest[k] = node;
      }
    }

    for (let k = 0; k < count; k++) {
      const p = first + k;
      const extent = greatest[k] - least[k];
      patches.extent[p] = extent;
      patches.feature[2 * p] = regions.features[2 * place[k]];
      patches.feature[2 * p + 1] = regions.features[2 * place[k] + 1];
      const contained = (patches.flags[p] & PATCH.contained) !== 0;
      // a column has V = |S| · extent; where A runs through B and S nearly vanishes, 2V/|S| would have no bound
      let factor = contained || this.depth === 'extent' ? 1 : 0;
      if (factor === 0) {
        const depth = (2 * patches.volume[p]) / length3(patches.vectorArea, 3 * p);
        if (depth > 2 * extent) factor = 2;
        else patches.depth[p] = depth;
      }
      if (factor > 0) patches.depth[p] = factor * extent;
      if (gradients && factor > 0)
        gradient.noteCorners(place[k], highest[k], lowest[k], patches.normal, patches.centroid, 3 * p);

      // to world axes
      turn(r, patches.normal, 3 * p);
      turn(r, patches.vectorArea, 3 * p);
      turn(r, patches.moment, 3 * p);
      turnTensor(r, patches.secondMoments, 6 * p);
      const at = SUM.length * place[k] + SUM.origin;
      for (let axis = 0; axis < 3; axis++) {
        const start = sums[at + axis] + origin[axis];
        patches.centroid[3 * p + axis] += start;
        patches.patchCentroid[3 * p + axis] += start;
      }
      turn(r, patches.centroid, 3 * p);
      turn(r, patches.patchCentroid, 3 * p);
      for (let axis = 0; axis < 3; axis++) {
        patches.centroid[3 * p + axis] += position_WA[axis];
        patches.patchCentroid[3 * p + axis] += position_WA[axis];
      }
      if (!gradients) continue;
      if (contained) this.noteLine(patches.centroid, 3 * p);
      gradient.finish(patches, p, place[k], factor, r);
    }
  }

  /** Row p from the sums of a region, in A's axes, points relative to the region's origin. */
  private appendRegion(patches: ContactPatches, p: number, at: number): void {
    const { sums } = this.sums;
    const volume = sums[at + SUM.volume];
    const area = sums[at + SUM.area];
    patches.volume[p] = volume;
    patches.area[p] = area;
    const c = 3 * p;
    const { centroid, patchCentroid, vectorArea, moment, secondMoments: second, normal } = patches;
    for (let k = 0; k < 3; k++) {
      centroid[c + k] = sums[at + SUM.volumeFirst + k] / volume;
      patchCentroid[c + k] = area > 0 ? sums[at + SUM.first + k] / area : centroid[c + k];
      vectorArea[c + k] = 0.5 * (sums[at + SUM.vectorA + k] - sums[at + SUM.vectorB + k]);
      moment[c + k] = 0.5 * (sums[at + SUM.momentA + k] - sums[at + SUM.momentB + k]);
    }
    const x = patchCentroid[c];
    const y = patchCentroid[c + 1];
    const z = patchCentroid[c + 2];
    second[2 * c] = sums[at + SUM.second] - area * x * x;
    second[2 * c + 1] = sums[at + SUM.second + 1] - area * y * y;
    second[2 * c + 2] = sums[at + SUM.second + 2] - area * z * z;
    second[2 * c + 3] = sums[at + SUM.second + 3] - area * x * y;
    second[2 * c + 4] = sums[at + SUM.second + 4] - area * x * z;
    second[2 * c + 5] = sums[at + SUM.second + 5] - area * y * z;

    // no curve: one body lies in the other, and no small motion changes that
    if (this.sums.features[2 * (at / SUM.length)] < 0)
      for (let k = 0; k < 3; k++) vectorArea[c + k] = moment[c + k] = 0;
    // Q about the centroid: ∫ (r − c) × n dA = Q − c × S
    const u = centroid[c];
    const v = centroid[c + 1];
    const w = centroid[c + 2];
    moment[c] -= v * vectorArea[c + 2] - w * vectorArea[c + 1];
    moment[c + 1] -= w * vectorArea[c] - u * vectorArea[c + 2];
    moment[c + 2] -= u * vectorArea[c + 1] - v * vectorArea[c];
    const size = length3(vectorArea, c);
    if (size > NO_DIRECTION * (area + sums[at + SUM.areaB])) {
      for (let k = 0; k < 3; k++) normal[c + k] = vectorArea[c + k] / size;
      return;
    }
    // a bar right through a plate has S = 0 as well, but turning it does change the volume: Q stays
    patches.flags[p] |= PATCH.contained;
    this.centreLine(normal, c);
  }

  /** Direction from A's centroid to B's in A's axes; z if they coincide. */
  private centreLine(into: Float64Array, at: number): void {
    const { rotation_AB: r, position_AB: t } = this;
    const a = this.a.topology.centroid;
    const [x, y, z] = this.b.topology.centroid;
    for (let k = 0; k < 3; k++) into[at + k] = r[3 * k] * x + r[3 * k + 1] * y + r[3 * k + 2] * z + t[k] - a[k];
    const size = length3(into, at);
    if (size > 0) for (let k = 0; k < 3; k++) into[at + k] /= size;
    else into[at + 2] = 1;
  }

  /** The same line and its arm for the gradient, world axes. @param centroid, c of the overlap, at centroid[c …], m */
  private noteLine(centroid: Float64Array, c: number): void {
    const { rotation_AB: r, position_AB: t, rotation_WA, position_WA } = this;
    const { line } = this.gradient;
    const a = this.a.topology.centroid;
    const [x, y, z] = this.b.topology.centroid;
    for (let k = 0; k < 3; k++) {
      line[3 + k] = r[3 * k] * x + r[3 * k + 1] * y + r[3 * k + 2] * z + t[k];
      line[k] = line[3 + k] - a[k];
    }
    turn(rotation_WA, line, 0);
    turn(rotation_WA, line, 3);
    for (let k = 0; k < 3; k++) line[3 + k] += position_WA[k] - centroid[c + k];
  }
}

const length3 = (v: Float64Array, at: number): number =>
  Math.sqrt(v[at] * v[at] + v[at + 1] * v[at + 1] + v[at + 2] * v[at + 2]);
