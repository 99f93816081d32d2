/**
 * The overlap of two extrusions with parallel axes: overlap of their outlines in the plane times the common height.
 *
 * A region of the plane overlap is bounded by runs: from where an outline enters the other body to where it leaves it.
 * Runs that end in the same crossing bound the same region. With p and q measured from the region's own origin,
 *
 *   Area += p × q / 2,   ∫ r dA += (p × q)(p + q)/6        over the runs of both
 *   length += l,   ∫ r dl += l (p + q)/2,   S += (Δy, −Δx),   ∫ r rᵀ dl += l/3 (p pᵀ + (p qᵀ + q pᵀ)/2 + q qᵀ)   over A's
 *
 * The caps carry no normal: where they are flush, the exact normal of the solid overlap would jump with the sign of a
 * rounding error, and the bearings of machines take the axial part anyway. The force is that of the overlap per height.
 */
import { type ContactPatches, PATCH } from '../contact-patches.js';
import { turn, turnTensor } from '../turn.js';
import { crossEdges, EdgeCrossings, windingAround } from './edge-crossing.js';
import type { LoopBody } from './loop-body.js';

/** Axes that differ by less are parallel, rad. */
export const PARALLEL = 1e-12;

/** Places of the sums of a region; A's outline inside B: length, ∫r, S, ∫r × n, ∫r rᵀ (xx yy xy). */
const SUM = {
  area: 0,
  first: 1,
  length: 3,
  line: 4,
  vector: 6,
  moment: 8,
  second: 9,
  lengthB: 12,
  origin: 13,
  count: 15,
} as const;

export class ExtrusionOverlap {
  /** regions in the last evaluation */
  count = 0;
  contradictions = 0;
  private readonly crossings = new EdgeCrossings();
  private readonly stack: Int32Array;
  /** 5 per run: body, node entered at or −1 for a whole loop, node left at, edge entered on or the loop, edge left on */
  private runs = new Int32Array(5 * 32);
  private runCount = 0;
  private sums = new Float64Array(8 * SUM.count);
  private bounds = new Float64Array(4 * 8);
  private places = 0;
  private place = new Int32Array(8);
  private regionAt = new Int32Array(8);
  private curved = new Uint8Array(8);
  private least = new Float64Array(8);
  private greatest = new Float64Array(8);
  private readonly rotation_WA = new Float64Array(9);
  private readonly position_WA = new Float64Array(3);
  /** common height: bottom and top in A's frame, m */
  private bottom = 0;
  private top = 0;
  private readonly origin = new Float64Array(2);
  /** 2: B's origin in the plane of the evaluation */
  private readonly centres = new Float64Array(2);

  constructor(
    readonly a: LoopBody,
    readonly b: LoopBody,
  ) {
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
    const margin = this.setFrames(rotation, position, i, j);
    if (margin < 0) return margin === -2 ? -1 : 0;
    const { a, b, crossings } = this;
    a.begin();
    b.begin();
    crossings.count = 0;
    this.runCount = 0;
    this.search(margin);
    const crossed = crossings.count;
    this.findRuns(a, b, 0, margin);
    this.findRuns(b, a, 1, margin);
    if (crossings.count === 0) return 0;
    this.sumRegions(crossed);
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
    // an axis that points the other way: B turned by half a turn about its x is the same solid
    const flip = entry(2, 2) < 0;
    const s = flip ? -1 : 1;
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
    const [r00, r01, r10, r11] = b.rotation;
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

  /** Runs of one body's outlines inside the other. @param side 0 for A, 1 for B */
  private findRuns(body: LoopBody, other: LoopBody, side: 0 | 1, margin: number): void {
    const { crossings } = this;
    const { start } = body.loops;
    const direction = side === 0 ? 1 : -1; // B leaves A where A enters B
    body.sortCrossed();
    let at = 0;
    for (let loop = 0; loop + 1 < start.length; loop++) {
      // status of the loop's first vertex, from the sums of signs up to each edge
      const first = at;
      let status = 0;
      let least = 0;
      let greatest = 0;
      for (; at < body.crossedCount && body.crossedEdges[at] < start[loop + 1]; at++) {
        for (let node = body.edgeFirst[body.crossedEdges[at]]; node >= 0; node = crossings.next[2 * node + side])
          status += direction * crossings.sign[node];
        least = Math.min(least, status);
        greatest = Math.max(greatest, status);
      }
      if (status !== 0 || greatest - least > 1) this.contradictions++;
      let inside = least < 0;
      if (least === 0 && greatest === 0) {
        const winding = windingAround(body, other, start[loop], side === 0, margin);
        if (winding !== 0 && winding !== 1) this.contradictions++;
        inside = winding !== 0;
      }
      if (first === at) {
        if (inside) this.addWhole(body, side, loop);
        continue;
      }

      // crossings in the order of the outline, entering and leaving in turns
      let open = -1;
      let openEdge = -1;
      let wrapped = -1; // what ends the run that began before the first vertex
      let wrappedEdge = -1;
      for (let k = first; k < at; k++) {
        const edge = body.crossedEdges[k];
        let rest = body.edgeFirst[edge];
        while (rest >= 0) {
          const wanted = inside ? -1 : 1;
          let best = -1;
          let beforeBest = -1;
          for (let node = rest, before = -1; node >= 0; before = node, node = crossings.next[2 * node + side])
            if (
              direction * crossings.sign[node] === wanted &&
              (best < 0 || crossings.parameter[2 * node + side] < crossings.parameter[2 * best + side])
            ) {
              best = node;
              beforeBest = before;
            }
          if (best < 0) {
            this.contradictions++;
            break;
          }
          if (beforeBest < 0) rest = crossings.next[2 * best + side];
          else crossings.next[2 * beforeBest + side] = crossings.next[2 * best + side];
          if (!inside) {
            open = best;
            openEdge = edge;
          } else if (open < 0) {
            wrapped = best;
            wrappedEdge = edge;
          } else this.addRun(side, open, best, openEdge, edge);
          inside = !inside;
        }
      }
      if (wrapped >= 0 && open >= 0) this.addRun(side, open, wrapped, openEdge, wrappedEdge);
    }
  }

  private addRun(side: number, from: number, to: number, fromEdge: number, toEdge: number): void {
    if (5 * this.runCount === this.runs.length) {
      const runs = new Int32Array(2 * this.runs.length);
      runs.set(this.runs);
      this.runs = runs;
    }
    const at = 5 * this.runCount++;
    this.runs[at] = side;
    this.runs[at + 1] = from;
    this.runs[at + 2] = to;
    this.runs[at + 3] = fromEdge;
    this.runs[at + 4] = toEdge;
    if (to >= 0) this.crossings.unite(from, to);
  }

  /** A loop that lies inside altogether gets a node of its own. */
  private addWhole(body: LoopBody, side: number, loop: number): void {
    const v = body.loops.start[loop];
    body.place(v);
    const node = this.crossings.add(body.points[2 * v], body.points[2 * v + 1]);
    this.addRun(side, node, -1, loop, -1);
  }

  /** Numbers the connected sets of nodes and sums their runs. */
  private sumRegions(crossed: number): void {
    const { crossings } = this;
    const { region, points } = crossings;
    if (this.place.length < crossings.count) {
      const n = 2 * crossings.count;
      this.sums = new Float64Array(n * SUM.count);
      this.bounds = new Float64Array(4 * n);
      this.place = new Int32Array(n);
      this.regionAt = new Int32Array(n);
      this.curved = new Uint8Array(n);
      this.least = new Float64Array(n);
      this.greatest = new Float64Array(n);
    }
    this.places = 0;
    for (let node = 0; node < crossings.count; node++) {
      const root = crossings.findRoot(node);
      if (root !== node) {
        region[node] = region[root];
        continue;
      }
      const at = this.places++;
      region[node] = at;
      this.curved[at] = node < crossed ? 1 : 0;
      this.sums.fill(0, SUM.count * at, SUM.count * (at + 1));
      this.sums[SUM.count * at + SUM.origin] = points[2 * node];
      this.sums[SUM.count * at + SUM.origin + 1] = points[2 * node + 1];
      this.bounds[4 * at] = this.bounds[4 * at + 1] = Infinity;
      this.bounds[4 * at + 2] = this.bounds[4 * at + 3] = -Infinity;
    }
    for (let k = 0; k < this.runCount; k++) this.sumRun(k);
    for (let at = 0; at < this.places; at++) if (this.sums[SUM.count * at] < 0) this.mergeHole(at);
    for (let at = 0; at < this.places; at++) {
      const kept = this.sums[SUM.count * at] > 0;
      this.regionAt[at] = kept ? this.count : -1;
      if (kept) this.place[this.count++] = at;
    }
  }

  private sumRun(k: number): void {
    const { crossings, runs } = this;
    const side = runs[5 * k];
    const body = side === 0 ? this.a : this.b;
    const { next } = body.loops;
    const from = runs[5 * k + 1];
    const to = runs[5 * k + 2];
    const at = crossings.region[from];
    const s = SUM.count * at;
    const ox = this.sums[s + SUM.origin];
    const oy = this.sums[s + SUM.origin + 1];
    let px = crossings.points[2 * from] - ox;
    let py = crossings.points[2 * from + 1] - oy;
    this.hold(at, px + ox, py + oy);
    if (to < 0) {
      const first = body.loops.start[runs[5 * k + 3]];
      let v = first;
      do {
        v = next[v];
        body.place(v);
        this.piece(s, side, px, py, (px = body.points[2 * v] - ox), (py = body.points[2 * v + 1] - oy));
        this.hold(at, px + ox, py + oy);
      } while (v !== first);
      return;
    }
    // vertices between the two edges; a run that ends on its own edge behind its start goes all the way round
    const ahead = crossings.parameter[2 * to + side] >= crossings.parameter[2 * from + side];
    let v = runs[5 * k + 3];
    const last = runs[5 * k + 4];
    if (v !== last || !ahead)
      do {
        v = next[v];
        body.place(v);
        this.piece(s, side, px, py, (px = body.points[2 * v] - ox), (py = body.points[2 * v + 1] - oy));
        this.hold(at, px + ox, py + oy);
      } while (v !== last);
    this.piece(s, side, px, py, crossings.points[2 * to] - ox, crossings.points[2 * to + 1] - oy);
  }

  private hold(at: number, x: number, y: number): void {
    const { bounds } = this;
    bounds[4 * at] = Math.min(bounds[4 * at], x);
    bounds[4 * at + 1] = Math.min(bounds[4 * at + 1], y);
    bounds[4 * at + 2] = Math.max(bounds[4 * at + 2], x);
    bounds[4 * at + 3] = Math.max(bounds[4 * at + 3], y);
  }

  private piece(s: number, side: number, px: number, py: number, qx: number, qy: number): void {
    const { sums } = this;
    const c = px * qy - py * qx;
    const dx = qx - px;
    const dy = qy - py;
    const length = Math.sqrt(dx * dx + dy * dy);
    sums[s] += 0.5 * c;
    sums[s + SUM.first] += (c * (px + qx)) / 6;
    sums[s + SUM.first + 1] += (c * (py + qy)) / 6;
    if (side === 1) {
      sums[s + SUM.lengthB] += length;
      return;
    }
    sums[s + SUM.length] += length;
    sums[s + SUM.line] += 0.5 * length * (px + qx);
    sums[s + SUM.line + 1] += 0.5 * length * (py + qy);
    sums[s + SUM.vector] += dy;
    sums[s + SUM.vector + 1] -= dx;
    sums[s + SUM.moment] -= 0.5 * ((px + qx) * dx + (py + qy) * dy);
    sums[s + SUM.second] += (length / 3) * (px * px + px * qx + qx * qx);
    sums[s + SUM.second + 1] += (length / 3) * (py * py + py * qy + qy * qy);
    sums[s + SUM.second + 2] += (length / 3) * (px * py + 0.5 * (px * qy + qx * py) + qx * qy);
  }

  /** A region of negative area is a hole of the smallest one around it. */
  private mergeHole(hole: number): void {
    const { sums, bounds } = this;
    let host = -1;
    for (let at = 0; at < this.places; at++) {
      const area = sums[SUM.count * at];
      if (!(area > 0 && area > -sums[SUM.count * hole] && (host < 0 || area < sums[SUM.count * host]))) continue;
      if (bounds[4 * at] > bounds[4 * hole] || bounds[4 * at + 1] > bounds[4 * hole + 1]) continue;
      if (bounds[4 * at + 2] < bounds[4 * hole + 2] || bounds[4 * at + 3] < bounds[4 * hole + 3]) continue;
      host = at;
    }
    if (host < 0) return;
    const from = SUM.count * hole;
    const to = SUM.count * host;
    const x = sums[from + SUM.origin] - sums[to + SUM.origin];
    const y = sums[from + SUM.origin + 1] - sums[to + SUM.origin + 1];
    const area = sums[from];
    const length = sums[from + SUM.length];
    const lx = sums[from + SUM.line];
    const ly = sums[from + SUM.line + 1];
    sums[to + SUM.first] += sums[from + SUM.first] + area * x;
    sums[to + SUM.first + 1] += sums[from + SUM.first + 1] + area * y;
    sums[to + SUM.second] += sums[from + SUM.second] + 2 * lx * x + length * x * x;
    sums[to + SUM.second + 1] += sums[from + SUM.second + 1] + 2 * ly * y + length * y * y;
    sums[to + SUM.second + 2] += sums[from + SUM.second + 2] + lx * y + ly * x + length * x * y;
    sums[to + SUM.line] += lx + length * x;
    sums[to + SUM.line + 1] += ly + length * y;
    sums[to + SUM.moment] += sums[from + SUM.moment] + x * sums[from + SUM.vector + 1] - y * sums[from + SUM.vector];
    sums[to] += area;
    sums[to + SUM.length] += length;
    sums[to + SUM.lengthB] += sums[from + SUM.lengthB];
    sums[to + SUM.vector] += sums[from + SUM.vector];
    sums[to + SUM.vector + 1] += sums[from + SUM.vector + 1];
    sums[from] = 0;
    if (this.curved[hole] === 1) this.curved[host] = 1;
    const { region, count } = this.crossings;
    for (let node = 0; node < count; node++) if (region[node] === hole) region[node] = host;
  }

  /** Volume of all regions of the last evaluation, m³. */
  volume(): number {
    let area = 0;
    for (let k = 0; k < this.count; k++) area += this.sums[SUM.count * this.place[k]];
    return area * (this.top - this.bottom);
  }

  /** Appends the regions of the last evaluation to the patches. */
  append(patches: ContactPatches, pair: number): void {
    const { count, place, sums, origin, rotation_WA: r, position_WA } = this;
    const height = this.top - this.bottom;
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
      const vx = this.curved[place[k]] === 1 ? sums[s + SUM.vector] : 0;
      const vy = this.curved[place[k]] === 1 ? sums[s + SUM.vector + 1] : 0;
      patches.volume[p] = area * height;
      patches.area[p] = length * height;
      patches.vectorArea[c] = vx * height;
      patches.vectorArea[c + 1] = vy * height;
      patches.moment[c + 2] = this.curved[place[k]] === 1 ? (sums[s + SUM.moment] - (gx * vy - gy * vx)) * height : 0;
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
      this.least[k] = Infinity;
      this.greatest[k] = -Infinity;
    }

    // extent along the normal, over crossings and the vertices of the runs
    for (let k = 0; k < this.runCount; k++) this.measureRun(k, patches.normal, first);
    for (let k = 0; k < count; k++) {
      const p = first + k;
      const c = 3 * p;
      const extent = this.greatest[k] - this.least[k];
      const s = patches.vectorArea;
      const size = Math.sqrt(s[c] * s[c] + s[c + 1] * s[c + 1]);
      patches.extent[p] = extent;
      patches.depth[p] =
        (patches.flags[p] & PATCH.contained) !== 0 ? extent : Math.min((2 * patches.volume[p]) / size, 2 * extent);
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
    }
  }

  /** Heights of a run's points along its region's normal. */
  private measureRun(k: number, normal: Float64Array, firstPatch: number): void {
    const { crossings, runs, least, greatest } = this;
    const body = runs[5 * k] === 0 ? this.a : this.b;
    const from = runs[5 * k + 1];
    const to = runs[5 * k + 2];
    const region = this.regionAt[crossings.region[from]];
    if (region < 0) return;
    const nx = normal[3 * (firstPatch + region)];
    const ny = normal[3 * (firstPatch + region) + 1];
    const start = nx * crossings.points[2 * from] + ny * crossings.points[2 * from + 1];
    let low = Math.min(least[region], start);
    let high = Math.max(greatest[region], start);
    const whole = to < 0;
    const last = whole ? body.loops.start[runs[5 * k + 3]] : runs[5 * k + 4];
    let v = whole ? last : runs[5 * k + 3];
    const { parameter } = crossings;
    const side = runs[5 * k];
    if (whole || v !== last || parameter[2 * to + side] < parameter[2 * from + side])
      do {
        v = body.loops.next[v];
        const height = nx * body.points[2 * v] + ny * body.points[2 * v + 1];
        low = Math.min(low, height);
        high = Math.max(high, height);
      } while (v !== last);
    least[region] = low;
    greatest[region] = high;
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
