/**
 * The overlap of two extrusions with parallel axes: overlap of their outlines in the plane times the common height.
 *
 * A region of the plane overlap is bounded by runs: from where an outline enters the other body to where it leaves it.
 * Runs that end in the same crossing bound the same region.
 *
 *   search    extrusion-overlap.ts   edges whose boxes meet
 *   cross     edge-crossing.ts       crossings of outlines, by exact signs
 *   runs      inside-runs.ts         parts of outlines inside the other body, by signed sums
 *   sums      run-sums.ts            line integrals about each region's own origin
 *   gradients run-gradient.ts        how all of it changes with the pose, where asked for
 *
 * The caps carry no normal: where they are flush, the exact normal of the solid overlap would jump with the sign of a
 * rounding error, and the bearings of machines take the axial part anyway. The force is that of the overlap per height.
 */
import { type ContactPatches, type DepthMeasure, PATCH } from '../contact-patches.js';
import { turn, turnTensor } from '../turn.js';
import { crossEdges, EdgeCrossings } from './edge-crossing.js';
import { InsideRuns } from './inside-runs.js';
import type { LoopBody } from './loop-body.js';
import { planeShift } from './plane-shift.js';
import { RunGradient } from './run-gradient.js';
import { RunSums, SUM } from './run-sums.js';

/** Axes that differ by less are parallel, rad: what the rounding of long chains of joints may leave, and no more. */
export const PARALLEL = 1e-9;

export class ExtrusionOverlap {
  /** regions in the last evaluation */
  count = 0;
  contradictions = 0;
  /** 1, or −1 to have coinciding features decided by a shift of B the other way */
  direction: 1 | -1 = 1;
  /** whether features coincided exactly in the last evaluation */
  tied = false;
  readonly crossings = new EdgeCrossings();
  readonly inside = new InsideRuns(this.crossings);
  readonly regions: RunSums;
  private readonly gradient: RunGradient;
  private readonly stack: Int32Array;
  private readonly depth: DepthMeasure;
  private readonly rotation_WA = new Float64Array(9);
  private readonly position_WA = new Float64Array(3);
  /** common height: bottom and top in A's frame, m */
  bottom = 0;
  top = 0;
  /** 2: origin of the plane of the evaluation in A's frame, m */
  readonly origin = new Float64Array(2);
  /** 2: B's origin in the plane of the evaluation */
  private readonly centres = new Float64Array(2);
  /** height of B's origin above A's, m */
  private along = 0;

  constructor(
    readonly a: LoopBody,
    readonly b: LoopBody,
    options: { readonly depth?: DepthMeasure } = {},
  ) {
    this.depth = options.depth ?? 'volume';
    this.regions = new RunSums(a, b, this.crossings, this.inside);
    this.gradient = new RunGradient(a, b, this.crossings, this.inside, this.regions);
    this.stack = new Int32Array(2 * (a.given.depth + b.given.depth + 2));
  }

  /**
   * Finds the regions; −1 if the axes are not parallel, so that the general overlap of meshes must be asked.
   *
   * @param rotation 9 per frame, by rows: from the frame's axes to the world's; z is the axis of extrusion
   * @param position 3 per frame: its origin in the world, m
   * @param i, j     places of A's and B's frame in the two arrays
   */
  evaluate(rotation: Float64Array, position: Float64Array, i: number, j: number): number {
    this.count = 0;
    this.contradictions = 0;
    this.tied = false;
    const margin = this.setFrames(rotation, position, i, j);
    if (margin < 0) return margin === -2 ? -1 : 0;
    const { a, b, crossings, inside, regions } = this;
    a.begin();
    b.begin();
    inside.begin();
    crossings.count = 0;
    planeShift.direction = this.direction;
    const { ties } = planeShift;
    this.search(margin);
    const crossed = crossings.count;
    inside.find(a, b, 0, margin);
    inside.find(b, a, 1, margin);
    this.contradictions = inside.contradictions;
    this.tied = planeShift.ties !== ties;
    if (crossings.count === 0) return 0;
    regions.add(crossed);
    this.count = regions.count;
    return this.count;
  }

  /** Returns the margin of boxes; −1 if the bodies are apart, −2 if the axes are not parallel. */
  private setFrames(rotation: Float64Array, position: Float64Array, i: number, j: number): number {
    const { a, b, rotation_WA: w, position_WA } = this;
    for (let k = 0; k < 9; k++) w[k] = rotation[9 * i + k];
    for (let k = 0; k < 3; k++) position_WA[k] = position[3 * i + k];
    const q = 9 * j;
    const entry = (row: number, column: number): number =>
      w[row] * rotation[q + column] + w[3 + row] * rotation[q + 3 + column] + w[6 + row] * rotation[q + 6 + column];
    if (!(Math.abs(entry(0, 2)) <= PARALLEL && Math.abs(entry(1, 2)) <= PARALLEL)) return -2;
    const dx = position[3 * j] - position_WA[0];
    const dy = position[3 * j + 1] - position_WA[1];
    const dz = position[3 * j + 2] - position_WA[2];
    const along = w[2] * dx + w[5] * dy + w[8] * dz;
    this.along = along;
    // an axis that points the other way: B turned by half a turn about its x is the same solid
    const flip = entry(2, 2) < 0;
    const s = flip ? -1 : 1;
    a.loops = a.given;
    b.loops = flip ? b.given.flipped! : b.given;
    this.bottom = Math.max(a.loops.bottom, b.loops.bottom + along);
    this.top = Math.min(a.loops.top, b.loops.top + along);
    if (!(this.top > this.bottom)) return -1;

    a.rotation[0] = a.rotation[3] = 1;
    a.rotation[1] = a.rotation[2] = 0;
    b.rotation[0] = entry(0, 0);
    b.rotation[1] = s * entry(0, 1);
    b.rotation[2] = entry(1, 0);
    b.rotation[3] = s * entry(1, 1);
    const boxA = a.loops.boxes;
    const boxB = b.loops.boxes;
    let size = 0;
    for (let k = 0; k < 2; k++) {
      this.centres[k] = w[k] * dx + w[3 + k] * dy + w[6 + k] * dz;
      size += Math.abs(boxA[k]) + boxA[2 + k] + Math.abs(boxB[k]) + boxB[2 + k] + Math.abs(this.centres[k]);
    }
    const margin = 1e-13 * size;
    for (let k = 0; k < 2; k++) {
      const x = b.rotation[2 * k];
      const y = b.rotation[2 * k + 1];
      const centre = x * boxB[0] + y * boxB[1] + this.centres[k];
      const half = Math.abs(x) * boxB[2] + Math.abs(y) * boxB[3];
      const low = Math.max(boxA[k] - boxA[2 + k], centre - half);
      const high = Math.min(boxA[k] + boxA[2 + k], centre + half);
      if (!(low <= high + margin)) return -1;
      const o = Math.fround(0.5 * low + 0.5 * high);
      this.origin[k] = o;
      a.offset[k] = 0 - o;
      b.offset[k] = this.centres[k] - o;
    }
    return margin;
  }

  /** Both trees together, the larger box opened; four axes. */
  private search(margin: number): void {
    const { a, b, crossings, stack } = this;
    const { boxes: boxesA, nodes: nodesA, next: nextA } = a.loops;
    const { boxes: boxesB, nodes: nodesB, next: nextB } = b.loops;
    const r00 = b.rotation[0];
    const r01 = b.rotation[1];
    const r10 = b.rotation[2];
    const r11 = b.rotation[3];
    const tx = b.offset[0] - a.offset[0];
    const ty = b.offset[1] - a.offset[1];
    const s00 = Math.abs(r00);
    const s01 = Math.abs(r01);
    const s10 = Math.abs(r10);
    const s11 = Math.abs(r11);
    stack[0] = stack[1] = 0;
    for (let top = 2; top > 0; ) {
      const nodeB = stack[--top];
      const nodeA = stack[--top];
      const i = 4 * nodeA;
      const j = 4 * nodeB;
      const ha = boxesA[i + 2];
      const ka = boxesA[i + 3];
      const hb = boxesB[j + 2];
      const kb = boxesB[j + 3];
      const x = r00 * boxesB[j] + r01 * boxesB[j + 1] + tx - boxesA[i];
      if (Math.abs(x) > ha + margin + s00 * hb + s01 * kb) continue;
      const y = r10 * boxesB[j] + r11 * boxesB[j + 1] + ty - boxesA[i + 1];
      if (Math.abs(y) > ka + margin + s10 * hb + s11 * kb) continue;
      if (Math.abs(x * r00 + y * r10) > hb + margin + s00 * ha + s10 * ka) continue;
      if (Math.abs(x * r01 + y * r11) > kb + margin + s01 * ha + s11 * ka) continue;
      const rightA = nodesA[3 * nodeA + 2];
      const rightB = nodesB[3 * nodeB + 2];
      if (rightA === 0 && rightB === 0) {
        for (let e = nodesA[3 * nodeA]; e < nodesA[3 * nodeA + 1]; e++) {
          a.place(e);
          a.place(nextA[e]);
          for (let f = nodesB[3 * nodeB]; f < nodesB[3 * nodeB + 1]; f++) {
            b.place(f);
            b.place(nextB[f]);
            crossEdges(a, b, crossings, e, f);
          }
        }
      } else if (rightB === 0 || (rightA !== 0 && ha + ka >= hb + kb)) {
        stack[top++] = rightA;
        stack[top++] = nodeB;
        stack[top++] = nodeA + 1;
        stack[top++] = nodeB;
      } else {
        stack[top++] = nodeA;
        stack[top++] = rightB;
        stack[top++] = nodeA;
        stack[top++] = nodeB + 1;
      }
    }
  }

  /** Volume of all regions of the last evaluation, m³. */
  volume(): number {
    let area = 0;
    for (let k = 0; k < this.count; k++) area += this.regions.sums[SUM.count * this.regions.place[k]];
    return area * (this.top - this.bottom);
  }

  /** Appends the regions of the last evaluation to the patches. */
  append(patches: ContactPatches, pair: number, gradients = false): void {
    const { count, regions, origin, rotation_WA: r, position_WA, gradient } = this;
    const { place, sums, curved, least, greatest, features } = regions;
    const height = this.top - this.bottom;
    if (gradients && count > 0) gradient.begin(height);
    const middle = 0.5 * this.bottom + 0.5 * this.top;
    const first = patches.count;
    for (let k = 0; k < count; k++) {
      const p = patches.add(pair, k);
      const s = SUM.count * place[k];
      const area = sums[s];
      const length = sums[s + SUM.length];
      const c = 3 * p;
      const gx = sums[s + SUM.first] / area;
      const gy = sums[s + SUM.first + 1] / area;
      const lx = length > 0 ? sums[s + SUM.line] / length : gx;
      const ly = length > 0 ? sums[s + SUM.line + 1] / length : gy;
      const vx = curved[place[k]] === 1 ? sums[s + SUM.vector] : 0;
      const vy = curved[place[k]] === 1 ? sums[s + SUM.vector + 1] : 0;
      if (features[2 * place[k]] >= 0) {
        patches.feature[2 * p] = this.a.loops.source[features[2 * place[k]]];
        patches.feature[2 * p + 1] = this.b.loops.source[features[2 * place[k] + 1]];
      }
      patches.volume[p] = area * height;
      patches.area[p] = length * height;
      patches.vectorArea[c] = vx * height;
      patches.vectorArea[c + 1] = vy * height;
      patches.moment[c + 2] = curved[place[k]] === 1 ? (sums[s + SUM.moment] - (gx * vy - gy * vx)) * height : 0;
      patches.secondMoments[2 * c] = (sums[s + SUM.second] - length * lx * lx) * height;
      patches.secondMoments[2 * c + 1] = (sums[s + SUM.second + 1] - length * ly * ly) * height;
      patches.secondMoments[2 * c + 2] = (length * height * height * height) / 12;
      patches.secondMoments[2 * c + 3] = (sums[s + SUM.second + 2] - length * lx * ly) * height;
      const size = Math.sqrt(vx * vx + vy * vy);
      if (size > 1e-12 * (length + sums[s + SUM.lengthB])) {
        patches.normal[c] = vx / size;
        patches.normal[c + 1] = vy / size;
      } else {
        patches.flags[p] |= PATCH.contained;
        this.centreLine(patches.normal, c);
      }
      const x = sums[s + SUM.origin] + origin[0];
      const y = sums[s + SUM.origin + 1] + origin[1];
      patches.centroid[c] = gx + x;
      patches.centroid[c + 1] = gy + y;
      patches.patchCentroid[c] = lx + x;
      patches.patchCentroid[c + 1] = ly + y;
      patches.centroid[c + 2] = patches.patchCentroid[c + 2] = middle;
    }

    regions.measure(patches.normal, first);
    for (let k = 0; k < count; k++) {
      const p = first + k;
      const c = 3 * p;
      const extent = greatest[k] - least[k];
      const s = patches.vectorArea;
      const size = Math.sqrt(s[c] * s[c] + s[c + 1] * s[c + 1]);
      patches.extent[p] = extent;
      const contained = (patches.flags[p] & PATCH.contained) !== 0;
      let factor = contained || this.depth === 'extent' ? 1 : 0;
      if (factor === 0) {
        const depth = (2 * patches.volume[p]) / size;
        if (depth > 2 * extent) factor = 2;
        else patches.depth[p] = depth;
      }
      if (factor > 0) patches.depth[p] = factor * extent;
      if (gradients && factor > 0) gradient.noteCorners(k, patches.normal, c);
      turn(r, patches.normal, c);
      turn(r, patches.vectorArea, c);
      turn(r, patches.moment, c);
      turn(r, patches.centroid, c);
      turn(r, patches.patchCentroid, c);
      for (let axis = 0; axis < 3; axis++) {
        patches.centroid[c + axis] += position_WA[axis];
        patches.patchCentroid[c + axis] += position_WA[axis];
      }
      turnTensor(r, patches.secondMoments, 2 * c);
      if (!gradients) continue;
      if (contained) this.noteLine(patches.centroid, c);
      gradient.finish(patches, p, place[k], factor, r, this.middleRate());
    }
  }

  /** How fast the middle of the common height follows B along the axis; the mean of both sides where caps are flush. */
  private middleRate(): number {
    const { a, b, along } = this;
    const top = b.loops.top + along - a.loops.top;
    const bottom = b.loops.bottom + along - a.loops.bottom;
    return 0.25 * (2 - sign(top) + sign(bottom));
  }

  /** The line between the middles of the bounds and its arm for the gradient, world axes. */
  private noteLine(centroid: Float64Array, c: number): void {
    const { a, b, centres, rotation_WA, position_WA } = this;
    const { line } = this.gradient;
    const { rotation: r } = b;
    const [x, y] = b.loops.boxes;
    line[3] = r[0] * x + r[1] * y + centres[0];
    line[4] = r[2] * x + r[3] * y + centres[1];
    line[5] = 0.5 * this.bottom + 0.5 * this.top;
    line[0] = line[3] - a.loops.boxes[0];
    line[1] = line[4] - a.loops.boxes[1];
    line[2] = 0;
    turn(rotation_WA, line, 0);
    turn(rotation_WA, line, 3);
    for (let k = 0; k < 3; k++) line[3 + k] += position_WA[k] - centroid[c + k];
  }

  /** Direction from the middle of A's bounds to that of B's, in A's axes; x if they coincide. */
  private centreLine(into: Float64Array, at: number): void {
    const { a, b, centres } = this;
    const { rotation: r } = b;
    const [x, y] = b.loops.boxes;
    const dx = r[0] * x + r[1] * y + centres[0] - a.loops.boxes[0];
    const dy = r[2] * x + r[3] * y + centres[1] - a.loops.boxes[1];
    const size = Math.sqrt(dx * dx + dy * dy);
    into[at] = size > 0 ? dx / size : 1;
    into[at + 1] = size > 0 ? dy / size : 0;
  }
}

const sign = (x: number): number => (x > 0 ? 1 : x < 0 ? -1 : 0);
