/**
 * The overlap of two cylinders with nearly parallel axes that touch with their sides: logs in a pile, rollers, pins beside each other. A lens of two
 * circles, drawn along the axes.
 *
 * With e half way between the axes and t the direction in which they lean away from it by γ/2 each, a plane z = r · e cuts both cylinders in ellipses
 * of the same shape, 1/cos (γ/2) as long along t as across. Shrunk along t by that factor they are circles about points that move apart linearly,
 *
 *   D(z) = D₀ − 2 z sin (γ/2) t,    d = |D|,    δ = R_A + R_B − d,    1 − cos α_A = δ (2 R_B − δ)/(2 d R_A)
 *
 * with α half the arc of A inside B, from −α to α about D. In angles about its own axis an element of a side is R dψ dz/cos (γ/2): the arcs by six
 * nodes of Gauss (exact to 1e-13 up to α = 0.6), the length by as many as δ changes along it asks for. The two lines in which the sides meet have the
 * weight dz/|(n_A × n_B) · e|, and the lens at either end is a plane figure known by its border (plane-sums.ts).
 *
 * Ends are square to their own axes, not to e: the sides go on to there with the lens of the last slice, exact but for terms of γ² w/L (w the chord, L the
 * length). Where both ends of the cylinders lie in the lens and cut each other, the one nearer at its middle is taken for both, 1e-9 of the volume at most.
 * Above γ = 1e-5 and in all other cases the general sums are asked.
 */
import { asin, sin } from '../../math/elementary.js';
import { GAUSS_3, GAUSS_6, GAUSS_14, type GaussRule } from '../../math/gauss-legendre.js';
import type { OverlapGradient } from '../overlap-gradient.js';
import type { Bar } from './bar.js';
import { BarSums, dot, sineOf } from './bar-sums.js';

/** Largest angle between the axes, rad */
const NEARLY = 1e-5;
/** Largest half arc, rad */
const LONGEST = 0.6;
/** Least length, in chords */
const SHORT_LENS = 0.1;
/** Part of the volume that flush ends which cut each other may be wrong by */
const FLUSH_ENDS = 1e-9;
/** By how much of the deepest place the depth may change along the overlap for so many nodes, and at most: errors of 1e-15 */
const RULES: readonly (readonly [number, GaussRule])[] = [
  [0.01, GAUSS_3],
  [0.2, GAUSS_6],
  [0.66, GAUSS_14],
];

export const FOUND = { apart: 0, overlap: 1, unknown: 2 } as const;

export class ParallelCylinders extends BarSums {
  /** e, t, and p = e × t, B's axes */
  private readonly e = new Float64Array(3);
  private readonly t = new Float64Array(3);
  private readonly p = new Float64Array(3);
  /** sin and cos of γ/2; and 1, or −1 where B points the other way */
  private sine = 0;
  private cosine = 1;
  private sense = 1;
  /** Where the axes of A and B meet z = 0: along p and t, m */
  private readonly footA = new Float64Array(2);
  private readonly footB = new Float64Array(2);
  /** Of the last slice: height, D/d along p and t, δ, and of both arcs 1 − cos α and α */
  private z = 0;
  private up = 0;
  private ut = 0;
  private depth = 0;
  private readonly short = new Float64Array(2);
  private readonly alpha = new Float64Array(2);

  /**
   * Sums over the overlap, if the cylinders are nearly parallel and touch with their sides.
   *
   * @param r, t 9 by rows and 3: from A's frame to B's
   * @returns one of `FOUND`; `unknown` where the general sums are to be asked
   */
  evaluate(r: Float64Array, t: Float64Array, gradient: OverlapGradient | undefined): number {
    const { origin, a, b } = this;
    this.gradient = gradient;
    origin.fill(0);
    this.place(r, t);
    if (this.isApart()) return FOUND.apart;
    if (sineOf(a.a, b.a) > NEARLY) return FOUND.unknown;
    this.setAxes();
    this.setFeet();
    if (!this.chooseOrigin()) return FOUND.unknown;
    this.place(r, t);
    this.setFeet();

    // where it ends, by whose end, and how deep it is there
    const [lowA, highA] = [a.lowEnd / this.cosine, a.highEnd / this.cosine];
    const lowB = (this.sense > 0 ? b.lowEnd : 0 - b.highEnd) / this.cosine;
    const highB = (this.sense > 0 ? b.highEnd : 0 - b.lowEnd) / this.cosine;
    const bottomOfA = lowA > lowB + b.grown;
    const topOfA = highA < highB - b.grown;
    const low = bottomOfA ? lowA : lowB;
    const high = topOfA ? highA : highB;
    if (!(high > low)) return FOUND.unknown;
    if (!this.slice(low)) return FOUND.unknown;
    const first = this.depth;
    if (!this.slice(high)) return FOUND.unknown;
    const last = this.depth;
    if (!this.slice(0.5 * (low + high))) return FOUND.unknown;
    const most = Math.max(first, last, this.depth);
    const change = 1 - Math.min(first, last, this.depth) / most;
    const rule = RULES.find(([limit]) => change < limit)?.[1];
    const chord = 2 * a.radius * Math.sqrt(this.short[0] * (2 - this.short[0]));
    if (!rule || !(high - low > SHORT_LENS * chord)) return FOUND.unknown;
    const cross = 2 * this.sine * chord;
    if (cross > 8 * FLUSH_ENDS * (high - low) && Math.min(Math.abs(lowA - lowB), Math.abs(highA - highB)) < cross)
      return FOUND.unknown;

    this.clearBars();
    for (let i = 0; i < rule.nodes.length; i++) {
      this.slice(low + (high - low) * rule.nodes[i]);
      const dz = (high - low) * rule.weights[i];
      this.addArc(a, 0, dz / this.cosine);
      this.addArc(b, 1, dz / this.cosine);
      this.addEdges(dz);
    }
    this.slice(low);
    this.addEnd(bottomOfA, false);
    this.slice(high);
    this.addEnd(topOfA, true);
    this.addPlaneFigures(2);
    return this.volume > 0 ? FOUND.overlap : FOUND.apart;
  }

  private setAxes(): void {
    const { e, t, p, a, b } = this;
    this.sense = dot(a.a, b.a) < 0 ? -1 : 1;
    for (let k = 0; k < 3; k++) e[k] = a.a[k] + this.sense * b.a[k];
    unit(e);
    for (let k = 0; k < 3; k++) t[k] = 0.5 * (a.a[k] - this.sense * b.a[k]);
    square(t, e);
    this.sine = unit(t);
    // without an angle, or with one that is nothing but rounding, any direction across will do
    if (!(this.sine > 0 && Math.abs(dot(t, e)) < 1e-9)) {
      t.fill(0);
      t[Math.abs(e[0]) < 0.6 ? 0 : 1] = 1;
      this.sine = 0;
    }
    square(t, e);
    unit(t);
    this.cosine = Math.sqrt(1 - this.sine * this.sine);
    p[0] = e[1] * t[2] - e[2] * t[1];
    p[1] = e[2] * t[0] - e[0] * t[2];
    p[2] = e[0] * t[1] - e[1] * t[0];
  }

  private setFeet(): void {
    const { e, t, p, sine, cosine } = this;
    for (let side = 0; side < 2; side++) {
      const { c } = side === 0 ? this.a : this.b;
      const foot = side === 0 ? this.footA : this.footB;
      // along the axis until z = 0
      const along = dot(c, e) / cosine;
      foot[0] = dot(c, p);
      foot[1] = dot(c, t) - (side === 0 ? sine : 0 - sine) * along;
    }
  }

  /** o between the deepest lines of both sides, in the middle of the length; false if there is none */
  private chooseOrigin(): boolean {
    const { a, b, e, t, p, origin, cosine } = this;
    const low = Math.max(a.lowEnd, this.sense > 0 ? b.lowEnd : 0 - b.highEnd) / cosine;
    const high = Math.min(a.highEnd, this.sense > 0 ? b.highEnd : 0 - b.lowEnd) / cosine;
    const z = 0.5 * (low + high);
    if (!this.slice(z)) return false;
    const { up, ut } = this;
    const lean = (z * this.sine) / cosine;
    const x = 0.5 * (this.footA[0] + a.radius * up + (this.footB[0] - b.radius * up));
    const y = 0.5 * (this.footA[1] + lean + a.radius * ut + (this.footB[1] - lean - b.radius * ut));
    for (let k = 0; k < 3; k++) origin[k] = x * p[k] + y * t[k] + z * e[k];
    return true;
  }

  /** The lens at a height; false if there is none, or none with short arcs */
  private slice(z: number): boolean {
    const { footA, footB, short, alpha } = this;
    const [A, B] = [this.a.radius, this.b.radius];
    const dp = footB[0] - footA[0];
    const dt = this.cosine * (footB[1] - footA[1]) - 2 * z * this.sine;
    const d = Math.sqrt(dp * dp + dt * dt);
    const depth = A + B - d;
    this.z = z;
    this.depth = depth;
    if (!(depth > 0 && depth < A && depth < B)) return false;
    this.up = dp / d;
    this.ut = dt / d;
    short[0] = (depth * (2 * B - depth)) / (2 * d * A);
    short[1] = (depth * (2 * A - depth)) / (2 * d * B);
    if (!(short[0] < SHORTEST && short[1] < SHORTEST)) return false;
    alpha[0] = 2 * asin(Math.sqrt(0.5 * short[0]));
    alpha[1] = 2 * asin(Math.sqrt(0.5 * short[1]));
    return true;
  }

  /**
   * A point of a side in the last slice and the normal there, into R and N, B's axes.
   *
   * @param side    0: A, seen along D; 1: B, seen against it
   * @param s, vers sin ψ and 1 − cos ψ
   */
  private point(side: number, s: number, vers: number): void {
    const { e, t, p, sine, cosine, z } = this;
    const { radius } = side === 0 ? this.a : this.b;
    const foot = side === 0 ? this.footA : this.footB;
    const lean = side === 0 ? sine : 0 - sine;
    const up = side === 0 ? this.up : 0 - this.up;
    const ut = side === 0 ? this.ut : 0 - this.ut;
    // from the deepest line of the side, not from its axis: short arcs stay exact
    const rp = foot[0] + radius * up - radius * (vers * up + s * ut);
    const rt = foot[1] + (radius * ut + z * lean) / cosine + (radius * (s * up - vers * ut)) / cosine;
    const np = (1 - vers) * up - s * ut;
    const nt = (1 - vers) * ut + s * up;
    for (let k = 0; k < 3; k++) {
      R[k] = rp * p[k] + rt * t[k] + z * e[k];
      N[k] = np * p[k] + nt * (cosine * t[k] - lean * e[k]);
    }
  }

  /** A strip of a side, `height` wide along its axis */
  private addArc(bar: Bar, side: number, height: number): void {
    const alpha = this.alpha[side];
    for (let i = 0; i < HALF; i++) {
      const s = sin(alpha * REACH[i]);
      const vers = (s * s) / (1 + Math.sqrt(1 - s * s));
      const w = bar.radius * alpha * SHARE[i] * height;
      for (let sign = -1; sign <= 1; sign += 2) {
        this.point(side, sign * s, vers);
        this.addElement(side, w);
      }
    }
  }

  /** An element of a side, w large, at R */
  private addElement(side: number, w: number): void {
    const { volumeFirst } = this;
    const out = w * dot(R, N);
    this.volume += out / 3;
    for (let k = 0; k < 3; k++) volumeFirst[k] += 0.25 * out * R[k];
    if (side === 0) this.addElementOfA(w);
    else this.addElementOfB(w);
  }

  private addElementOfA(w: number): void {
    const { vectorA, momentA, first, second } = this;
    const [x, y, z] = R;
    this.areaA += w;
    for (let k = 0; k < 3; k++) {
      vectorA[k] += w * N[k];
      first[k] += w * R[k];
    }
    momentA[0] += w * (y * N[2] - z * N[1]);
    momentA[1] += w * (z * N[0] - x * N[2]);
    momentA[2] += w * (x * N[1] - y * N[0]);
    second[0] += w * x * x;
    second[1] += w * y * y;
    second[2] += w * z * z;
    second[3] += w * x * y;
    second[4] += w * x * z;
    second[5] += w * y * z;
  }

  /** ∫ r nᵀ and ∫ r (r × n)ᵀ */
  private addElementOfB(w: number): void {
    const { surface } = this;
    this.areaB += w;
    for (let l = 0; l < 3; l++) {
      const i = l === 2 ? 0 : l + 1;
      const j = l === 0 ? 2 : l - 1;
      const n = w * N[l];
      const m = w * (R[i] * N[j] - R[j] * N[i]);
      for (let k = 0; k < 3; k++) {
        surface[3 * k + l] += R[k] * n;
        surface[9 + 3 * k + l] += R[k] * m;
      }
    }
  }

  /** The lines in which the sides meet, dz long */
  private addEdges(dz: number): void {
    const [a, b] = this.short;
    const sineA = Math.sqrt(a * (2 - a));
    const sineB = Math.sqrt(b * (2 - b));
    const w = dz / (this.cosine * (sineA * (1 - b) + sineB * (1 - a)));
    for (let sign = -1; sign <= 1; sign += 2) {
      // what is on the left seen along D is on the right against it
      this.point(1, 0 - sign * sineB, b);
      NORMAL_B.set(N);
      this.point(0, sign * sineA, a);
      this.addCut(w, N, NORMAL_B, R[0], R[1], R[2]);
    }
  }

  /** The lens at an end of A or of B, by its border: arcs of both sides; and the slivers of both sides between it and the last slice */
  private addEnd(ofA: boolean, high: boolean): void {
    const { e, t, sine, cosine, planes } = this;
    const bar = ofA ? this.a : this.b;
    const up = ofA || this.sense > 0 ? high : !high; // of its own ends
    const plane = (ofA ? 0 : 2) + (up ? 1 : 0);
    const limit = up ? bar.highEnd : bar.lowEnd;
    const sense = ofA ? 1 : this.sense;
    const lean = ofA ? sine : 0 - sine;
    for (let k = 0; k < 3; k++) END[k] = up ? bar.a[k] : 0 - bar.a[k];
    for (let side = 0; side < 2; side++) {
      const own = (side === 0) === ofA;
      const { radius } = side === 0 ? this.a : this.b;
      const alpha = this.alpha[side];
      for (let i = 0; i < HALF; i++) {
        const s = sin(alpha * REACH[i]);
        const vers = (s * s) / (1 + Math.sqrt(1 - s * s));
        const arc = radius * alpha * SHARE[i];
        const w = own ? arc : arc / (cosine * cosine - sine * sine);
        for (let sign = -1; sign <= 1; sign += 2) {
          this.point(side, sign * s, vers);
          // along e into the plane of the end, and what is between
          const half = 0.5 * ((sense * limit - lean * dot(R, t)) / cosine - dot(R, e));
          for (let k = 0; k < 3; k++) R[k] += half * e[k];
          this.addElement(side, (arc * (high ? 2 * half : -2 * half)) / cosine);
          for (let k = 0; k < 3; k++) R[k] += half * e[k];
          this.addPoint(R[0], R[1], R[2]);
          planes.add(plane, w, N[0], N[1], N[2], R[0], R[1], R[2]);
          if (own) continue;
          if (ofA) this.addCut(w, END, N, R[0], R[1], R[2]);
          else this.addCut(w, N, END, R[0], R[1], R[2]);
        }
      }
    }
  }
}

/** 1 − cos of the longest arc */
const SHORTEST = 2 * sin(0.5 * LONGEST) * sin(0.5 * LONGEST);

/** Gauss's six nodes on (−1, 1): those on the right, and their weights on this length */
const HALF = 3;
const REACH = GAUSS_6.nodes.slice(3).map((x) => 2 * x - 1);
const SHARE = GAUSS_6.weights.slice(3).map((w) => 2 * w);

/** v less its part along the unit vector e */
function square(v: Float64Array, e: Float64Array): void {
  const along = dot(v, e);
  for (let k = 0; k < 3; k++) v[k] -= along * e[k];
}

/** Makes a unit vector of v, unless it is zero; its length before */
function unit(v: Float64Array): number {
  const size = Math.sqrt(dot(v, v));
  if (size > 0) for (let k = 0; k < 3; k++) v[k] /= size;
  return size;
}

/** Scratch: of one evaluation, nothing is remembered */
const R = new Float64Array(3);
const N = new Float64Array(3);
const NORMAL_B = new Float64Array(3);
const END = new Float64Array(3);
