/**
 * Integrals over the regions of a plane overlap, from the runs that bound them. With p and q measured from the region's own
 * origin,
 *
 *   Area += p × q / 2,   ∫ r dA += (p × q)(p + q)/6        over the runs of both
 *   length += l,   ∫ r dl += l (p + q)/2,   S += (Δy, −Δx),   ∫ r rᵀ dl += l/3 (p pᵀ + (p qᵀ + q pᵀ)/2 + q qᵀ)   over A's
 *
 * An arc has besides its chord's area and first moment those of the circular segment, and in place of its chord's integrals along the
 * line its own, both from circular-segment.ts; with M the chord's middle, t its direction and n to its right:
 *
 *   Area += area,   ∫ r dA += area M + rise n
 *   ∫ r dl += length M + lift n,   ∫ r rᵀ dl += length M Mᵀ + lift (M nᵀ + n Mᵀ) + along t tᵀ + up n nᵀ
 *
 * S and ∫ r × n dl are those of the chord exactly.
 */
import { arcExtreme, extremePoint } from './arc-extreme.js';
import { SEGMENT } from './circular-segment.js';
import type { EdgeCrossings } from './edge-crossing.js';
import type { InsideRuns } from './inside-runs.js';
import type { LoopBody } from './loop-body.js';
import { RunPieces } from './run-pieces.js';

/** Places of the sums of a region; A's outline inside B: length, ∫r, S, ∫r × n, ∫r rᵀ (xx yy xy). */
export const SUM = {
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

/** Points of a region as one number: −1 if fixed to A, −2 if fixed to B (a vertex, or where an arc is highest), else a crossing. */
export const POINT = { ofA: -1, ofB: -2 } as const;

export class RunSums {
  /** regions with area */
  count = 0;
  /** `SUM.count` per place; the first `places` are in use */
  sums = new Float64Array(8 * SUM.count);
  /** one per region: its place */
  place = new Int32Array(8);
  /** one per place: 1 if outlines cross there, 0 if one body's loops lie wholly in the other */
  curved = new Uint8Array(8);
  /** one per region: least and greatest height along its normal, see `measure`, m */
  least = new Float64Array(8);
  greatest = new Float64Array(8);
  /** one per region: the points where these are reached, see `POINT`; 4 per region: where they are, lowest and highest, m */
  lowest = new Int32Array(8);
  highest = new Int32Array(8);
  reached = new Float64Array(4 * 8);
  /** 2 per place: least edge of A and of B that cross there, −1 without crossings */
  features = new Int32Array(16);
  /** one per place: the region, −1 if it has no area */
  regionAt = new Int32Array(8);
  private bounds = new Float64Array(4 * 8);
  places = 0;
  /** nodes below this number are crossings */
  crossed = 0;

  readonly pieces: RunPieces;

  constructor(
    a: LoopBody,
    b: LoopBody,
    private readonly crossings: EdgeCrossings,
    private readonly inside: InsideRuns,
  ) {
    this.pieces = new RunPieces(a, b, crossings, inside);
  }

  /**
   * Numbers the connected sets of nodes and sums their runs.
   *
   * @param crossed nodes below this number are crossings
   */
  add(crossed: number): void {
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
      this.lowest = new Int32Array(n);
      this.highest = new Int32Array(n);
      this.reached = new Float64Array(4 * n);
      this.features = new Int32Array(2 * n);
    }
    this.places = this.count = 0;
    this.crossed = crossed;
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
    for (let k = 0; k < this.inside.count; k++) this.sumRun(k);
    let holes = false;
    for (let at = 0; at < this.places; at++) if (this.sums[SUM.count * at] < 0) holes = true;
    if (holes) this.holdArcs();
    for (let at = 0; at < this.places; at++) if (this.sums[SUM.count * at] < 0) this.mergeHole(at);
    this.features.fill(-1, 0, 2 * this.places);
    for (let node = 0; node < 2 * crossed; node++) {
      const at = 2 * region[node >> 1] + (node & 1);
      const edge = crossings.edge[node];
      if (this.features[at] < 0 || edge < this.features[at]) this.features[at] = edge;
    }
    for (let at = 0; at < this.places; at++) {
      const kept = this.sums[SUM.count * at] > 0;
      this.regionAt[at] = kept ? this.count : -1;
      if (kept) this.place[this.count++] = at;
    }
  }

  private sumRun(k: number): void {
    const { crossings, pieces } = this;
    const at = crossings.region[this.inside.runs[5 * k + 1]];
    const s = SUM.count * at;
    const ox = this.sums[s + SUM.origin];
    const oy = this.sums[s + SUM.origin + 1];
    pieces.begin(k, ox, oy);
    this.hold(at, pieces.qx + ox, pieces.qy + oy);
    while (pieces.next()) {
      if (!pieces.isArc()) this.addLine(s, pieces.side, pieces.px, pieces.py, pieces.qx, pieces.qy);
      else if (pieces.backward) this.addArc(s, pieces.qx, pieces.qy, pieces.px, pieces.py, -1);
      else this.addArc(s, pieces.px, pieces.py, pieces.qx, pieces.qy, 1);
      if (pieces.vertex >= 0) this.hold(at, pieces.qx + ox, pieces.qy + oy);
    }
  }

  private hold(at: number, x: number, y: number): void {
    const { bounds } = this;
    bounds[4 * at] = Math.min(bounds[4 * at], x);
    bounds[4 * at + 1] = Math.min(bounds[4 * at + 1], y);
    bounds[4 * at + 2] = Math.max(bounds[4 * at + 2], x);
    bounds[4 * at + 3] = Math.max(bounds[4 * at + 3], y);
  }

  private addLine(s: number, side: number, px: number, py: number, qx: number, qy: number): void {
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

  /** @param sign −1 to take the piece away again */
  private addArc(s: number, px: number, py: number, qx: number, qy: number, sign: 1 | -1): void {
    const { sums, pieces } = this;
    const { segment } = pieces;
    const dx = qx - px;
    const dy = qy - py;
    const chord = Math.sqrt(dx * dx + dy * dy);
    if (!(chord > 0)) return;
    pieces.setSegment(chord);
    const c = px * qy - py * qx;
    const mx = 0.5 * (px + qx);
    const my = 0.5 * (py + qy);
    const tx = dx / chord;
    const ty = dy / chord;
    const area = segment[SEGMENT.area];
    const rise = segment[SEGMENT.rise];
    const length = segment[SEGMENT.length];
    sums[s] += sign * (0.5 * c + area);
    sums[s + SUM.first] += sign * ((c * mx) / 3 + area * mx + rise * ty);
    sums[s + SUM.first + 1] += sign * ((c * my) / 3 + area * my - rise * tx);
    if (pieces.side === 1) {
      sums[s + SUM.lengthB] += sign * length;
      return;
    }
    const lift = segment[SEGMENT.lift];
    const along = segment[SEGMENT.along];
    const up = segment[SEGMENT.up];
    sums[s + SUM.length] += sign * length;
    sums[s + SUM.line] += sign * (length * mx + lift * ty);
    sums[s + SUM.line + 1] += sign * (length * my - lift * tx);
    sums[s + SUM.vector] += sign * dy;
    sums[s + SUM.vector + 1] -= sign * dx;
    sums[s + SUM.moment] -= sign * (mx * dx + my * dy);
    sums[s + SUM.second] += sign * (length * mx * mx + 2 * lift * mx * ty + along * tx * tx + up * ty * ty);
    sums[s + SUM.second + 1] += sign * (length * my * my - 2 * lift * my * tx + along * ty * ty + up * tx * tx);
    sums[s + SUM.second + 2] += sign * (length * mx * my + lift * (my * ty - mx * tx) + along * tx * ty - up * tx * ty);
  }

  /** Bounds of all regions with what arcs reach beyond their ends. */
  private holdArcs(): void {
    const { pieces, inside, crossings } = this;
    for (let k = 0; k < inside.count; k++) {
      const at = crossings.region[inside.runs[5 * k + 1]];
      pieces.begin(k, 0, 0);
      while (pieces.next())
        if (pieces.isArc() && !pieces.backward)
          for (let axis = 0; axis < 2; axis++)
            if (this.pieceExtreme(1 - axis, axis)) this.hold(at, extremePoint[0], extremePoint[1]);
    }
  }

  private pieceExtreme(nx: number, ny: number): boolean {
    const { px, py, qx, qy, edge, body } = this.pieces;
    return arcExtreme(px, py, qx, qy, body.loops.curvature[edge], nx, ny);
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

  /**
   * Extent of every region along its normal, over crossings, the vertices of the runs, and the points of arcs that lie farthest along it.
   *
   * @param normal     3 per patch, in the axes of the evaluation
   * @param firstPatch the patch of region 0
   */
  measure(normal: Float64Array, firstPatch: number): void {
    this.least.fill(Infinity, 0, this.count);
    this.greatest.fill(-Infinity, 0, this.count);
    for (let k = 0; k < this.inside.count; k++) this.measureRun(k, normal, firstPatch);
  }

  /** Heights of a run's points along its region's normal. */
  private measureRun(k: number, normal: Float64Array, firstPatch: number): void {
    const { crossings, pieces } = this;
    const from = this.inside.runs[5 * k + 1];
    const region = this.regionAt[crossings.region[from]];
    if (region < 0) return;
    const nx = normal[3 * (firstPatch + region)];
    const ny = normal[3 * (firstPatch + region) + 1];
    pieces.begin(k, 0, 0);
    const fixed = pieces.side === 0 ? POINT.ofA : POINT.ofB;
    if (!pieces.closed) this.reach(region, pieces.qx, pieces.qy, nx, ny, from);
    while (pieces.next()) {
      if (pieces.isArc() && !pieces.backward && this.pieceExtreme(nx, ny))
        this.reach(region, extremePoint[0], extremePoint[1], nx, ny, fixed);
      if (pieces.vertex >= 0) this.reach(region, pieces.qx, pieces.qy, nx, ny, fixed);
    }
  }

  private reach(region: number, x: number, y: number, nx: number, ny: number, point: number): void {
    const { least, greatest, lowest, highest, reached } = this;
    const height = nx * x + ny * y;
    if (height < least[region]) {
      least[region] = height;
      lowest[region] = point;
      reached[4 * region] = x;
      reached[4 * region + 1] = y;
    }
    if (height > greatest[region]) {
      greatest[region] = height;
      highest[region] = point;
      reached[4 * region + 2] = x;
      reached[4 * region + 3] = y;
    }
  }
}
