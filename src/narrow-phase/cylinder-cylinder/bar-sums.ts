/**
 * What all sums over the overlap of two cylinders share: the two as bars about a point o of the overlap, whether they are apart, the planes of their
 * ends, and how far the overlap extends.
 *
 * **Flush.** Coins of one size upon each other, or side by side on a table, share a surface. A counts as larger than it is, by 1e-14 of the sizes, where
 * B's surface is held against it, and B as smaller where A's is: then B's has it.
 */
import { atan2 } from '../../math/elementary.js';
import { OverlapSums } from '../cylinder-polyhedron/index.js';
import { FLUSH } from '../overlap-gradient.js';
import { ALONG, Bar } from './bar.js';

/** By how much A counts as larger, a part of the sizes: some 40 roundings */
const GROWN = 1e-14;

const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/** Sums about o in the axes of cylinder B. */
export class BarSums extends OverlapSums {
  /** o in B's axes, m */
  readonly origin = new Float64Array(3);
  readonly a: Bar;
  readonly b: Bar;
  /** By how much an extent may be wrong, m */
  readonly slack: number;

  constructor(radiusA: number, halfA: number, radiusB: number, halfB: number) {
    super();
    const grown = GROWN * (radiusA + halfA + radiusB + halfB);
    this.a = new Bar(radiusA, halfA, 0 - grown);
    this.b = new Bar(radiusB, halfB, grown);
    this.slack = 4 * grown;
  }

  protected place(r: Float64Array, t: Float64Array): void {
    const [x, y, z] = this.origin;
    this.a.place(r, t[0] - x, t[1] - y, t[2] - z);
    this.b.place(IDENTITY, -x, -y, -z);
  }

  /** Apart along one of the axes, or along what is square to both */
  protected isApart(): boolean {
    const { a, b } = this;
    const sine = sineOf(a.a, b.a);
    const cosine = Math.abs(dot(a.a, b.a));
    const [middleA, middleB] = [0.5 * (a.lowEnd + a.highEnd), 0.5 * (b.lowEnd + b.highEnd)];
    for (let k = 0; k < 3; k++) FOOT[k] = a.c[k] + middleA * a.a[k] - b.c[k] - middleB * b.a[k];
    if (Math.abs(dot(FOOT, a.a)) > a.half + b.half * cosine + b.radius * sine) return true;
    if (Math.abs(dot(FOOT, b.a)) > b.half + a.half * cosine + a.radius * sine) return true;
    return Math.abs(dot(FOOT, LINE)) > (a.radius + b.radius) * sine;
  }

  /** Nothing is summed up yet; planes 0 and 1 are the ends of A, 2 and 3 those of B. */
  protected clearBars(): void {
    const { planes, a, b } = this;
    this.pointCount = 0;
    this.clearSums(4);
    for (let i = 0; i < 2; i++) {
      const bar = i === 0 ? a : b;
      const [x, y, z] = bar.a;
      planes.set(2 * i, -x, -y, -z, 0 - bar.lowEnd);
      planes.set(2 * i + 1, x, y, z, bar.highEnd);
    }
  }

  /** A point of the curve in which both surfaces meet, unless they are flush there */
  protected addCut(w: number, nA: Float64Array, nB: Float64Array, x: number, y: number, z: number): void {
    const { gradient } = this;
    if (!gradient) return;
    const i = nA[1] * nB[2] - nA[2] * nB[1];
    const j = nA[2] * nB[0] - nA[0] * nB[2];
    const k = nA[0] * nB[1] - nA[1] * nB[0];
    if (!(i * i + j * j + k * k >= FLUSH * FLUSH)) return;
    gradient.addCut(0, w, nA[0], nA[1], nA[2], nB[0], nB[1], nB[2], x, y, z);
  }

  /** How far the overlap goes along n (B's axes): the ends of its lines, those of A's side that face n and those of B's that face −n, m */
  extent(nx: number, ny: number, nz: number): number {
    const { a, b } = this;
    this.span(nx, ny, nz, RANGE);
    let low = RANGE[0];
    let high = RANGE[1];
    for (let side = 0; side < 2; side++) {
      const bar = side === 0 ? a : b;
      const sign = side === 0 ? 1 : -1;
      const x = sign * (nx * bar.u[0] + ny * bar.u[1] + nz * bar.u[2]);
      const y = sign * (nx * bar.v[0] + ny * bar.v[1] + nz * bar.v[2]);
      if (!(x * x + y * y > ALONG * ALONG) || !bar.cut(side === 0 ? b : a, atan2(y, x))) continue;
      for (let k = 0; k < 2; k++) {
        const s = k === 0 ? bar.low : bar.high;
        const h = nx * (bar.p[0] + s * bar.a[0]) + ny * (bar.p[1] + s * bar.a[1]) + nz * (bar.p[2] + s * bar.a[2]);
        low = Math.min(low, h);
        high = Math.max(high, h);
      }
    }
    return high - low;
  }
}

/** |p × q| of unit vectors; p × q itself into LINE */
export function sineOf(p: Float64Array, q: Float64Array): number {
  LINE[0] = p[1] * q[2] - p[2] * q[1];
  LINE[1] = p[2] * q[0] - p[0] * q[2];
  LINE[2] = p[0] * q[1] - p[1] * q[0];
  return Math.sqrt(dot(LINE, LINE));
}

export const dot = (p: Float64Array, q: Float64Array): number => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];

/** Scratch: of one evaluation, nothing is remembered */
export const LINE = new Float64Array(3);
const FOOT = new Float64Array(3);
const RANGE = new Float64Array(2);
