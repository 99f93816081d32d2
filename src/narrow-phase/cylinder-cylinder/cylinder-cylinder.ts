/**
 * The overlap of two cylinders, exactly: no facets, so that rollers roll on each other, logs lie across and coins stand on coins. One region, always.
 *
 * Lines of each side inside the other cylinder (bar.ts) are summed over their angle, piece by piece between the angles at which their bounds change
 * (breaks.ts), with the substitution φ = φ₁ + (φ₂ − φ₁)(1 − cos θ)/2: where lines begin to touch the other side their length grows as √(φ − φ₁), which is
 * smooth in θ. Pieces that end near such a line, but not there, are halved towards it. Ends are plane figures and follow from their borders (plane-sums.ts). With w = dl/sin (angle of the surfaces) these are
 *
 *   rim of an end, inside the other          w = R dφ
 *   side and another end or side of normal n′       w = R dφ/|n′ · a|, or ds/|n × n′| where lines of the side run along it
 *   end and end                              straight, w = dl/sin γ
 *
 * and all but the rims carry the derivative of S (overlap-gradient.ts). V = ⅓ ∮ r · n dA, ∫ r dV = ¼ ∮ r (r · n) dA, all from the point o in the overlap.
 *
 * **Flush.** Coins of one size upon each other, or side by side on a table, share a surface. A counts as larger than it is, by 1e-14 of the sizes, where
 * B's surface is held against it, and B as smaller where A's is: then B's has it.
 */

import { lineRoots } from '../../math/circle-roots.js';
import { cos, sin } from '../../math/elementary.js';
import { GAUSS_3, GAUSS_14 } from '../../math/gauss-legendre.js';
import { FLUSH, type OverlapGradient } from '../overlap-gradient.js';
import { ALONG, type Bar, BOUND } from './bar.js';
import { BarSums, dot, LINE, sineOf } from './bar-sums.js';
import { Breaks } from './breaks.js';

/** Longest piece of an angle that Gauss's nodes are laid on, rad */
const LONGEST = 1.6;
/** Longest piece beside a line that touches, in distances from it. Of 14 nodes the error is some 2⁻²⁸. */
const NEAR_TOUCH = 10;
const MOST_HALVINGS = 24;

/** θ-substitution on Gauss's nodes: part of the piece, and weight over its length */
const PART = GAUSS_14.nodes.map((x) => 0.5 * (1 - cos(Math.PI * x)));
const SHARE = GAUSS_14.weights.map((w, i) => 0.5 * Math.PI * w * sin(Math.PI * GAUSS_14.nodes[i]));

/** Sums over an overlap, about o in the axes of cylinder B. */
export class CylinderCylinder extends BarSums {
  private readonly breaksOfA = new Breaks();
  private readonly breaksOfB = new Breaks();

  /**
   * Sums over the overlap. False if there is none.
   *
   * @param r, t 9 by rows and 3: from A's frame to B's
   */
  evaluate(r: Float64Array, t: Float64Array, gradient: OverlapGradient | undefined): boolean {
    const { a, b, breaksOfA, breaksOfB, origin } = this;
    this.gradient = gradient;
    origin.fill(0);
    this.place(r, t);
    if (this.isApart()) return false;
    breaksOfA.find(a, b);
    breaksOfB.find(b, a);
    if (!this.chooseOrigin()) return false;
    this.place(r, t);
    this.clearBars();
    this.integrateSide(a, b, breaksOfA);
    this.integrateSide(b, a, breaksOfB);
    this.integrateAlong(a, b);
    this.integrateAlong(b, a);
    this.integrateEnds();
    this.addPlaneFigures(2);
    return this.volume > 0;
  }

  /** o in the middle of the lines in the middles of the pieces; false if there are none */
  private chooseOrigin(): boolean {
    const { origin, a, b, breaksOfA, breaksOfB } = this;
    let count = 0;
    let [x, y, z] = [0, 0, 0];
    for (let side = 0; side < 2; side++) {
      const bar = side === 0 ? a : b;
      const other = side === 0 ? b : a;
      const breaks = side === 0 ? breaksOfA : breaksOfB;
      for (let i = 0; i <= breaks.count; i++) {
        const [from, to] = pieceOf(breaks, i);
        if (!(to > from) || !bar.cut(other, 0.5 * (from + to))) continue;
        const s = 0.5 * (bar.low + bar.high);
        x += bar.p[0] + s * bar.a[0];
        y += bar.p[1] + s * bar.a[1];
        z += bar.p[2] + s * bar.a[2];
        count++;
      }
    }
    if (count === 0) return false;
    origin[0] = x / count;
    origin[1] = y / count;
    origin[2] = z / count;
    return true;
  }

  // ---- sides ----------------------------------------------------------------------------------------------------------------------

  private integrateSide(bar: Bar, other: Bar, breaks: Breaks): void {
    for (let i = 0; i <= breaks.count; i++) {
      const [from, to] = pieceOf(breaks, i);
      if (!(to > from) || !bar.cut(other, 0.5 * (from + to))) continue;
      const bySide = bar.lowBound === BOUND.side || bar.highBound === BOUND.side;
      const parts = Math.max(1, Math.ceil((to - from) / LONGEST));
      const width = (to - from) / parts;
      for (let part = 0; part < parts; part++)
        this.integratePiece(bar, other, breaks, from + width * part, width, bySide ? MOST_HALVINGS : 0);
    }
  }

  private integratePiece(bar: Bar, other: Bar, breaks: Breaks, from: number, width: number, halvings: number): void {
    if (halvings > 0 && width > NEAR_TOUCH * breaks.fromTouch(from, from + width)) {
      const half = 0.5 * width;
      this.integratePiece(bar, other, breaks, from, half, halvings - 1);
      this.integratePiece(bar, other, breaks, from + half, half, halvings - 1);
      return;
    }
    for (let k = 0; k < PART.length; k++) {
      if (!bar.cut(other, from + width * PART[k])) continue;
      const w = bar.radius * width * SHARE[k];
      this.addLine(bar, w);
      this.addBound(bar, other, bar.lowBound, bar.low, w);
      this.addBound(bar, other, bar.highBound, bar.high, w);
    }
  }

  /** A line of the side, w wide */
  private addLine(bar: Bar, w: number): void {
    const { a, p, n, c, radius, low, high } = bar;
    const l0 = w * (high - low);
    const l1 = 0.5 * l0 * (high + low);
    const l2 = (l0 * (high * high + high * low + low * low)) / 3;
    const out = radius + (c[0] * n[0] + c[1] * n[1] + c[2] * n[2]); // r · n
    const { volumeFirst } = this;
    this.volume += (out * l0) / 3;
    for (let k = 0; k < 3; k++) volumeFirst[k] += 0.25 * out * (p[k] * l0 + a[k] * l1);
    if (bar === this.a) this.addLineOfA(l0, l1, l2);
    else this.addLineOfB(l0, l1, l2);
  }

  private addLineOfA(l0: number, l1: number, l2: number): void {
    const { a, p, n } = this.a;
    const { vectorA, momentA, first, second } = this;
    this.areaA += l0;
    for (let k = 0; k < 3; k++) {
      const i = k === 2 ? 0 : k + 1;
      const j = k === 0 ? 2 : k - 1;
      vectorA[k] += n[k] * l0;
      first[k] += p[k] * l0 + a[k] * l1;
      momentA[k] += (p[i] * l0 + a[i] * l1) * n[j] - (p[j] * l0 + a[j] * l1) * n[i];
      second[k] += p[k] * p[k] * l0 + 2 * p[k] * a[k] * l1 + a[k] * a[k] * l2;
    }
    second[3] += p[0] * p[1] * l0 + (p[0] * a[1] + p[1] * a[0]) * l1 + a[0] * a[1] * l2;
    second[4] += p[0] * p[2] * l0 + (p[0] * a[2] + p[2] * a[0]) * l1 + a[0] * a[2] * l2;
    second[5] += p[1] * p[2] * l0 + (p[1] * a[2] + p[2] * a[1]) * l1 + a[1] * a[2] * l2;
  }

  /** ∫ r nᵀ and ∫ r (r × n)ᵀ, r × n = p × n + s a × n */
  private addLineOfB(l0: number, l1: number, l2: number): void {
    const { a, p, n } = this.b;
    const { surface } = this;
    this.areaB += l0;
    for (let l = 0; l < 3; l++) {
      const i = l === 2 ? 0 : l + 1;
      const j = l === 0 ? 2 : l - 1;
      const pn = p[i] * n[j] - p[j] * n[i];
      const an = a[i] * n[j] - a[j] * n[i];
      for (let k = 0; k < 3; k++) {
        surface[3 * k + l] += (p[k] * l0 + a[k] * l1) * n[l];
        surface[9 + 3 * k + l] += (p[k] * l0 + a[k] * l1) * pn + (p[k] * l1 + a[k] * l2) * an;
      }
    }
  }

  /** An end of a line of the side, w wide */
  private addBound(bar: Bar, other: Bar, bound: number, s: number, w: number): void {
    const { a, p, n } = bar;
    const x = p[0] + s * a[0];
    const y = p[1] + s * a[1];
    const z = p[2] + s * a[2];
    this.addPoint(x, y, z);
    if (bound === BOUND.ownLow || bound === BOUND.ownHigh) {
      this.planes.add((bar === this.a ? 0 : 2) + bound, w, n[0], n[1], n[2], x, y, z);
      return;
    }
    if (bound !== BOUND.side) {
      this.addEndCut(
        bar,
        other,
        bound,
        w / Math.abs(a[0] * other.a[0] + a[1] * other.a[1] + a[2] * other.a[2]),
        x,
        y,
        z,
      );
      return;
    }
    // both sides meet here; lines of A tell it
    if (bar !== this.a) return;
    normalAt(other, x, y, z);
    const across = Math.abs(N[0] * a[0] + N[1] * a[1] + N[2] * a[2]);
    if (across > 0) this.addCut(w / across, n, N, x, y, z);
  }

  /** A point where the side of `bar` and an end of the other meet */
  private addEndCut(bar: Bar, other: Bar, bound: number, w: number, x: number, y: number, z: number): void {
    const { n } = bar;
    const high = bound === BOUND.otherHigh ? 1 : 0;
    this.planes.add((bar === this.a ? 2 : 0) + high, w, n[0], n[1], n[2], x, y, z);
    for (let k = 0; k < 3; k++) N[k] = high === 1 ? other.a[k] : 0 - other.a[k];
    if (bar === this.a) this.addCut(w, n, N, x, y, z);
    else this.addCut(w, N, n, x, y, z);
  }

  /** Lines of the side that run along the other's side or ends, where axes are parallel or square */
  private integrateAlong(bar: Bar, other: Bar): void {
    const { c, u, v, a, radius } = bar;
    const b = other.a;
    const slope = dot(a, b);
    if (!(Math.abs(slope) > ALONG)) {
      for (let high = 0; high < 2; high++) {
        const limit = bar.endOf(other, high === 1);
        const found = lineRoots(radius * dot(u, b), radius * dot(v, b), limit - dot(c, b), ANGLES);
        for (let i = 0; i < found; i++)
          this.addAlong(bar, other, high === 1 ? BOUND.otherHigh : BOUND.otherLow, ANGLES[i]);
      }
      return;
    }
    if (bar !== this.a || sineOf(a, b) > ALONG) return;
    for (let k = 0; k < 3; k++) N[k] = c[k] - other.c[k];
    const along = dot(N, b);
    for (let k = 0; k < 3; k++) N[k] -= along * b[k];
    const R = other.radius + bar.grown;
    const found = lineRoots(
      2 * radius * dot(N, u),
      2 * radius * dot(N, v),
      (R - radius) * (R + radius) - dot(N, N),
      ANGLES,
    );
    for (let i = 0; i < found; i++) this.addAlong(bar, other, BOUND.side, ANGLES[i]);
  }

  private addAlong(bar: Bar, other: Bar, bound: number, phi: number): void {
    if (!bar.cut(other, phi, bound === BOUND.side ? BOUND.side : BOUND.otherLow)) return;
    const { a, p, n, low, high } = bar;
    for (let k = 0; k < 3; k++) {
      const s = low + (high - low) * GAUSS_3.nodes[k];
      const x = p[0] + s * a[0];
      const y = p[1] + s * a[1];
      const z = p[2] + s * a[2];
      this.addPoint(x, y, z);
      if (bound === BOUND.side) normalAt(other, x, y, z);
      else N.set(other.a);
      const i = n[1] * N[2] - n[2] * N[1];
      const j = n[2] * N[0] - n[0] * N[2];
      const l = n[0] * N[1] - n[1] * N[0];
      const sine = Math.sqrt(i * i + j * j + l * l);
      if (!(sine > FLUSH)) continue;
      const w = ((high - low) * GAUSS_3.weights[k]) / sine;
      if (bound === BOUND.side) this.addCut(w, n, N, x, y, z);
      else this.addEndCut(bar, other, bound, w, x, y, z);
    }
  }

  // ---- ends -----------------------------------------------------------------------------------------------------------------------

  /** Where an end of A and one of B cut each other: a straight line within both discs */
  private integrateEnds(): void {
    const { a, b, planes } = this;
    const sine = sineOf(a.a, b.a);
    if (!(sine > ALONG)) return;
    const t = LINE;
    const k = dot(a.a, b.a);
    const sign = k < 0 ? -1 : 1;
    // 1 − |k| without cancellation; e = (b − k a)/sin γ
    let short = 0;
    for (let l = 0; l < 3; l++) {
      const step = b.a[l] - sign * a.a[l];
      short += 0.5 * step * step;
    }
    for (let l = 0; l < 3; l++) {
      t[l] /= sine;
      ACROSS[l] = (b.a[l] - sign * a.a[l] + sign * short * a.a[l]) / sine;
    }
    // in the plane of A's ends to rounding, however small the angle; and the same for B's
    const out = dot(ACROSS, a.a);
    for (let l = 0; l < 3; l++) {
      ACROSS[l] -= out * a.a[l];
      ACROSS_B[l] = sine * a.a[l] - k * ACROSS[l];
    }
    for (let i = 0; i < 2; i++)
      for (let j = 0; j < 2; j++) {
        const za = i === 0 ? a.lowEnd : a.highEnd;
        const zb = a.endOf(b, j === 1);
        // r · a = z_a and r · b = z_b
        const along = (zb - sign * za + sign * short * za) / sine;
        for (let l = 0; l < 3; l++) FOOT[l] = za * a.a[l] + along * ACROSS[l];
        RANGE[0] = Number.NEGATIVE_INFINITY;
        RANGE[1] = Number.POSITIVE_INFINITY;
        clipDisc(a, za, t);
        clipDisc(b, zb, t);
        const length = RANGE[1] - RANGE[0];
        if (!(length > 0)) continue;
        for (let l = 0; l < 3; l++) {
          NORMAL_A[l] = i === 0 ? 0 - a.a[l] : a.a[l];
          NORMAL_B[l] = j === 0 ? 0 - b.a[l] : b.a[l];
        }
        for (let q = 0; q < 3; q++) {
          const s = RANGE[0] + length * GAUSS_3.nodes[q];
          const l = length * GAUSS_3.weights[q];
          const x = FOOT[0] + s * t[0];
          const y = FOOT[1] + s * t[1];
          const z = FOOT[2] + s * t[2];
          this.addPoint(x, y, z);
          // dl/sin γ times the normal of the other, as far as it is in the plane: dl times a unit vector
          const [lb, la] = [j === 0 ? 0 - l : l, i === 0 ? 0 - l : l];
          planes.add(i, lb, ACROSS[0], ACROSS[1], ACROSS[2], x, y, z);
          planes.add(2 + j, la, ACROSS_B[0], ACROSS_B[1], ACROSS_B[2], x, y, z);
          this.addCut(l / sine, NORMAL_A, NORMAL_B, x, y, z);
        }
      }
  }
}

/** Between break i − 1 and break i; the last piece ends at π. */
function pieceOf({ angles, count }: Breaks, i: number): readonly [number, number] {
  return [i === 0 ? -Math.PI : angles[i - 1], i < count ? angles[i] : Math.PI];
}

/** Unit normal of a bar's side at a point of it, into N */
function normalAt({ c, a, radius }: Bar, x: number, y: number, z: number): void {
  const s = x * a[0] + y * a[1] + z * a[2];
  N[0] = (x - c[0] - s * a[0]) / radius;
  N[1] = (y - c[1] - s * a[1]) / radius;
  N[2] = (z - c[2] - s * a[2]) / radius;
}

/** The part of the line FOOT + s t in the disc of a bar at the height z, with what was in RANGE */
function clipDisc({ c, a, radius }: Bar, z: number, t: Float64Array): void {
  const x = FOOT[0] - c[0] - z * a[0];
  const y = FOOT[1] - c[1] - z * a[1];
  const d = FOOT[2] - c[2] - z * a[2];
  const middle = x * t[0] + y * t[1] + d * t[2];
  const under = middle * middle - (x * x + y * y + d * d - radius * radius);
  const root = under > 0 ? Math.sqrt(under) : 0;
  RANGE[0] = Math.max(RANGE[0], 0 - middle - root);
  RANGE[1] = Math.min(RANGE[1], root - middle);
}

/** Scratch: of one evaluation, nothing is remembered */
const N = new Float64Array(3);
const ANGLES = new Float64Array(2);
const FOOT = new Float64Array(3);
const ACROSS = new Float64Array(3);
const ACROSS_B = new Float64Array(3);
const RANGE = new Float64Array(2);
const NORMAL_A = new Float64Array(3);
const NORMAL_B = new Float64Array(3);
