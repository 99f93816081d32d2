/** The pieces of a run, one after the other: parts of edges from the crossing entered at to the one left at, or all edges of a loop. */
import { SEGMENT, segmentSums } from './circular-segment.js';
import type { EdgeCrossings } from './edge-crossing.js';
import type { InsideRuns } from './inside-runs.js';
import type { LoopBody } from './loop-body.js';

export class RunPieces {
  /** of the run: 0 for A's, 1 for B's, and the body it is of */
  side: 0 | 1 = 0;
  body: LoopBody;
  /** whether the run is a whole loop */
  closed = false;
  /** of the piece: its edge, and the vertex it ends in, −1 if that is the crossing left at */
  edge = 0;
  vertex = 0;
  /** ends, from the origin that `begin` was given, m */
  px = 0;
  py = 0;
  qx = 0;
  qy = 0;
  /** whether it runs against its edge: two crossings so close that their places contradict the order of entering and leaving */
  backward = false;
  /** see `SEGMENT`: of an arc, filled by `setSegment` */
  readonly segment = new Float64Array(SEGMENT.count);
  private whole = false;
  private last = 0;
  private to = 0;
  private ox = 0;
  private oy = 0;
  private done = false;
  private current = 0;
  private around = false;

  constructor(
    private readonly a: LoopBody,
    private readonly b: LoopBody,
    private readonly crossings: EdgeCrossings,
    private readonly inside: InsideRuns,
  ) {
    this.body = a;
  }

  /** Starts with run k, places relative to the origin given. */
  begin(k: number, ox: number, oy: number): void {
    const { crossings } = this;
    const { runs } = this.inside;
    const from = runs[5 * k + 1];
    this.side = (runs[5 * k] & 1) as 0 | 1;
    this.body = this.side === 0 ? this.a : this.b;
    this.to = runs[5 * k + 2];
    this.closed = this.to < 0;
    this.current = this.closed ? this.body.loops.start[runs[5 * k + 3]] : runs[5 * k + 3];
    this.last = this.closed ? this.current : runs[5 * k + 4];
    this.around = this.closed || runs[5 * k] > 1;
    this.backward =
      !this.around &&
      this.current === this.last &&
      crossings.parameter[2 * from + this.side] > crossings.parameter[2 * this.to + this.side];
    this.whole = this.closed;
    this.done = false;
    this.ox = ox;
    this.oy = oy;
    this.qx = crossings.points[2 * from] - ox;
    this.qy = crossings.points[2 * from + 1] - oy;
    this.vertex = -1;
  }

  /** The next piece; false after the last. */
  next(): boolean {
    if (this.done) return false;
    const { body, crossings, ox, oy } = this;
    this.px = this.qx;
    this.py = this.qy;
    this.edge = this.current;
    if (this.current !== this.last || this.around) {
      this.whole = this.closed || this.vertex >= 0;
      const v = body.loops.next[this.current];
      body.place(v);
      this.qx = body.points[2 * v] - ox;
      this.qy = body.points[2 * v + 1] - oy;
      this.vertex = this.current = v;
      if (v === this.last) {
        this.around = false;
        this.done = this.closed;
      }
      return true;
    }
    this.whole = false;
    this.vertex = -1;
    this.qx = crossings.points[2 * this.to] - ox;
    this.qy = crossings.points[2 * this.to + 1] - oy;
    this.done = true;
    return true;
  }

  /** Whether the piece is part of an arc. */
  isArc(): boolean {
    return this.body.loops.sine[this.edge] !== 0;
  }

  /** Fills `segment`: of a whole edge what is known, else by the length of the piece's chord. */
  setSegment(chord: number): void {
    const { body, edge, segment } = this;
    if (this.whole) {
      const { segments } = body.loops;
      for (let k = 0; k < SEGMENT.count; k++) segment[k] = segments[SEGMENT.count * edge + k];
    } else segmentSums(segment, 0, chord, 0.5 * body.loops.curvature[edge] * chord);
  }
}
