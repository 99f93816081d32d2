/**
 * A cylinder as it is seen from a point o near the overlap, and which part of a line of its side lies in another cylinder.
 *
 * With c the foot of o on its axis, a the axis, u and v across it, all from o, a point of the side is
 *
 *   r = c + R n + s a,   n = cos φ u + sin φ v,   r · a = s,   r · n = R + c · n
 *
 * and the line of the side at the angle φ lies between the ends of both cylinders and within the other's side,
 *
 *   |r_⊥ − c′|² ≤ R′²:   q₂ s² + 2 q₁ s + q₀ ≤ 0,   q₂ = sin² γ,  γ the angle between the axes
 */
import { cos, sin } from '../../math/elementary.js';

/** Axes closer to parallel, or to square, than this angle (rad) are taken for it: lines of one side then run along the other. */
export const ALONG = 1e-10;

/** What bounds a line of the side: its own ends, the side of the other, the ends of the other */
export const BOUND = { ownLow: 0, ownHigh: 1, side: 2, otherLow: 3, otherHigh: 4 } as const;

export class Bar {
  /** From o, m */
  readonly c = new Float64Array(3);
  readonly u = new Float64Array(3);
  readonly v = new Float64Array(3);
  readonly a = new Float64Array(3);
  /** s of the ends, m */
  lowEnd = 0;
  highEnd = 0;
  /** Of the line last asked for: its point at s = 0, the normal there, and between which s and which bounds it is inside the other */
  readonly p = new Float64Array(3);
  readonly n = new Float64Array(3);
  low = 0;
  high = 0;
  lowBound = 0;
  highBound = 0;

  /** @param grown by how much the other counts as larger when lines of this one are held against it, m */
  constructor(
    readonly radius: number,
    readonly half: number,
    readonly grown: number,
  ) {}

  /** @param r, column 9 by rows: axes in columns; x, y, z its middle from o */
  place(r: ArrayLike<number>, x: number, y: number, z: number): void {
    const { c, u, v, a } = this;
    for (let k = 0; k < 3; k++) {
      u[k] = r[3 * k];
      v[k] = r[3 * k + 1];
      a[k] = r[3 * k + 2];
    }
    const along = x * a[0] + y * a[1] + z * a[2];
    c[0] = x - along * a[0];
    c[1] = y - along * a[1];
    c[2] = z - along * a[2];
    this.lowEnd = along - this.half;
    this.highEnd = along + this.half;
  }

  /** s of an end of `other`, as it counts for lines of this one, m */
  endOf(other: Bar, high: boolean): number {
    return high ? other.highEnd + this.grown : other.lowEnd - this.grown;
  }

  /**
   * The part of the line at φ that is in the other cylinder. False if there is none.
   *
   * @param but a bound of the other that is not asked: its side, or its ends
   */
  cut(other: Bar, phi: number, but = -1): boolean {
    const { c, u, v, a, p, n, radius } = this;
    const cosine = cos(phi);
    const sine = sin(phi);
    for (let k = 0; k < 3; k++) {
      n[k] = cosine * u[k] + sine * v[k];
      p[k] = c[k] + radius * n[k];
    }
    this.low = this.lowEnd;
    this.high = this.highEnd;
    this.lowBound = BOUND.ownLow;
    this.highBound = BOUND.ownHigh;
    const b = other.a;
    const slope = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    const height = p[0] * b[0] + p[1] * b[1] + p[2] * b[2];
    const from = this.endOf(other, false);
    const to = this.endOf(other, true);
    if (Math.abs(slope) > ALONG) {
      const s0 = (from - height) / slope;
      const s1 = (to - height) / slope;
      if (slope > 0) this.clip(s0, BOUND.otherLow, s1, BOUND.otherHigh);
      else this.clip(s1, BOUND.otherHigh, s0, BOUND.otherLow);
    } else if (but !== BOUND.otherLow && (height < from || height > to)) return false;
    if (but !== BOUND.side && !this.clipSide(other, slope)) return false;
    return this.high > this.low;
  }

  /** q₀ = |D|² + 2R D · n + (R − R′)(R + R′) − R² (n · a′)², D from the other's axis to this one's at s = 0: exact where sides are nearly flush */
  private clipSide(other: Bar, slope: number): boolean {
    const { a, c, n, radius } = this;
    const b = other.a;
    const d = other.c;
    const height = (c[0] - d[0]) * b[0] + (c[1] - d[1]) * b[1] + (c[2] - d[2]) * b[2];
    const dx = c[0] - d[0] - height * b[0];
    const dy = c[1] - d[1] - height * b[1];
    const dz = c[2] - d[2] - height * b[2];
    const ex = a[0] - slope * b[0];
    const ey = a[1] - slope * b[1];
    const ez = a[2] - slope * b[2];
    const R = other.radius + this.grown;
    const leaning = radius * (n[0] * b[0] + n[1] * b[1] + n[2] * b[2]);
    const q2 = ex * ex + ey * ey + ez * ez;
    // e is square to a′, and n to a
    const q1 = dx * ex + dy * ey + dz * ez - slope * leaning;
    const q0 =
      dx * dx +
      dy * dy +
      dz * dz +
      2 * radius * (dx * n[0] + dy * n[1] + dz * n[2]) +
      ((radius - R) * (radius + R) - leaning * leaning);
    if (!(q2 > ALONG * ALONG)) return q0 < 0;
    const under = q1 * q1 - q2 * q0;
    if (!(under > 0)) return false;
    const root = Math.sqrt(under);
    const far = q1 >= 0 ? -q1 - root : root - q1;
    const one = far / q2;
    const two = q0 / far;
    this.clip(Math.min(one, two), BOUND.side, Math.max(one, two), BOUND.side);
    return true;
  }

  private clip(low: number, lowBound: number, high: number, highBound: number): void {
    if (low > this.low) {
      this.low = low;
      this.lowBound = lowBound;
    }
    if (high < this.high) {
      this.high = high;
      this.highBound = highBound;
    }
  }
}
