/**
 * Locates zeros of functions g(t, y) inside accepted steps, on the dense output.
 *
 * Each function is on a side, the sign of g. It crosses when it is seen at zero or on the other side; the zero is then located between
 * that point and the last one on the old side. Steps are sampled at both ends and at three points between, and where a parabola
 * through three samples dips below zero between two of them its lowest point is looked at as well, so that short visits to
 * the other side are not missed.
 *
 * A function that is at zero (at the start, or right after it was located there) has no side. It takes one right after, as soon
 * as it has left zero by more than rounding, without an event: what starts at zero has not crossed, and nothing is reported twice.
 */
import { IntegrationError } from './integration-error.js';
import type { ZeroCrossing } from './problem.js';
import { findRoot } from './root.js';

export interface LocatedCrossing {
  readonly t: number;
  readonly crossing: ZeroCrossing;
  /** Place of the crossing in the list given. */
  readonly index: number;
  readonly rising: boolean;
}

/** A step just made: y(t + θ h) for 0 ≤ θ ≤ 1, exactly the states at both ends. */
export interface SampledStep {
  readonly start: number;
  readonly end: number;
  sample(theta: number, out: Float64Array): void;
}

const SAMPLES = [0, 0.25, 0.5, 0.75, 1];
/** A function without a side takes one at the first of these where it is clearly away from zero. */
const SOON = [1e-9, 1e-6, 1e-3];
/** Rounds of looking for the lowest point of a dip. */
const MOST_DIPS = 8;

export class Crossings {
  readonly #crossings: readonly ZeroCrossing[];
  readonly #sides: Int8Array;
  /** Values at SAMPLES, one row per crossing. */
  readonly #values: Float64Array;
  readonly #y: Float64Array;
  readonly #found: LocatedCrossing[] = [];

  constructor(crossings: readonly ZeroCrossing[], size: number) {
    this.#crossings = crossings;
    this.#sides = new Int8Array(crossings.length);
    this.#values = new Float64Array(crossings.length * SAMPLES.length);
    this.#y = new Float64Array(size);
  }

  get count(): number {
    return this.#crossings.length;
  }

  /** Takes the sides at (t, y), after a start or a change of state. Those in `at` are at zero there, whatever rounding left. */
  start(t: number, y: Float64Array, at: readonly LocatedCrossing[] = []): void {
    for (let k = 0; k < this.count; k++) this.#sides[k] = Math.sign(this.#value(k, t, y));
    for (const { index } of at) this.#sides[index] = 0;
  }

  /**
   * Events in the step in order of time, those of equal time in the order of the list, up to the first that stops the
   * integration and those at the same time with it. The array is reused.
   */
  scan(step: SampledStep): readonly LocatedCrossing[] {
    const found = this.#found;
    found.length = 0;
    const width = SAMPLES.length;
    for (let j = 0; j < width; j++) {
      step.sample(SAMPLES[j], this.#y);
      const t = timeAt(step, SAMPLES[j]);
      for (let k = 0; k < this.count; k++) this.#values[k * width + j] = this.#value(k, t, this.#y);
    }
    for (let k = 0; k < this.count; k++) this.#scanOne(k, step);
    if (found.length > 1) found.sort((a, b) => a.t - b.t || a.index - b.index);
    for (let i = 0; i < found.length; i++)
      if (found[i].crossing.stops) {
        // all that happen at that time, as finely as times are located, belong to it
        const together = found[i].t + 2 * timeTolerance(step);
        let last = i + 1;
        while (last < found.length && found[last].t <= together) last++;
        found.length = last;
        break;
      }
    return found;
  }

  #scanOne(k: number, step: SampledStep): void {
    const row = k * SAMPLES.length;
    let from = 0;
    let valueFrom = this.#values[row];
    let side = this.#sides[k];
    if (side === 0) {
      let largest = 0;
      for (let j = 0; j < SAMPLES.length; j++) largest = Math.max(largest, Math.abs(this.#values[row + j]));
      const rounding = Math.max(8 * Math.abs(valueFrom), 1e-12 * largest);
      for (let j = 0; j < SOON.length && side === 0; j++) {
        const value = this.#at(k, step, SOON[j]);
        if (Math.abs(value) > rounding) {
          from = SOON[j];
          valueFrom = value;
          side = Math.sign(value);
        }
      }
    }
    for (let j = 1; j < SAMPLES.length; j++) {
      const to = SAMPLES[j];
      const valueTo = this.#values[row + j];
      if (side !== 0 && Math.sign(valueTo) === side) {
        const dip = this.#lookForDip(k, step, j, side);
        if (dip > from && dip < to) {
          const valueDip = this.#at(k, step, dip);
          this.#report(k, step, side, from, valueFrom, dip, valueDip);
          if (valueDip !== 0) this.#report(k, step, -side, dip, valueDip, to, valueTo);
        }
      } else if (side !== 0) this.#report(k, step, side, from, valueFrom, to, valueTo);
      side = Math.sign(valueTo);
      from = to;
      valueFrom = valueTo;
    }
    this.#sides[k] = side;
  }

  /** A crossing from `side` at a to zero or the other side at b. */
  #report(k: number, step: SampledStep, side: number, a: number, valueA: number, b: number, valueB: number): void {
    const crossing = this.#crossings[k];
    const rising = side < 0;
    if (crossing.direction === 'rising' ? !rising : crossing.direction === 'falling' && rising) return;
    const tolerance = timeTolerance(step);
    // rounding may have left valueA on the wrong side of zero right after an earlier event
    const theta =
      Math.sign(valueA) === side
        ? findRoot((x) => this.#at(k, step, x), a, valueA, b, valueB, tolerance / (step.end - step.start))
        : a;
    this.#found.push({ t: timeAt(step, theta), crossing, index: k, rising });
  }

  /** A point between samples j − 1 and j where g is on the other side although both samples are on `side`; −1: none seen. */
  #lookForDip(k: number, step: SampledStep, j: number, side: number): number {
    const row = k * SAMPLES.length;
    const first = j >= 2 ? j - 2 : 0;
    let x0 = SAMPLES[first];
    let x1 = SAMPLES[first + 1];
    let x2 = SAMPLES[first + 2];
    let v0 = side * this.#values[row + first];
    let v1 = side * this.#values[row + first + 1];
    let v2 = side * this.#values[row + first + 2];
    const left = SAMPLES[j - 1];
    const right = SAMPLES[j];
    for (let round = 0; round < MOST_DIPS; round++) {
      // Newton's form of the parabola; a dip is where it opens upwards
      const slope = (v1 - v0) / (x1 - x0);
      const bend = ((v2 - v1) / (x2 - x1) - slope) / (x2 - x0);
      if (!(bend > 0)) return -1;
      const lowest = 0.5 * (x0 + x1 - slope / bend);
      if (!(lowest > left && lowest < right)) return -1;
      const predicted = v0 + (lowest - x0) * (slope + bend * (lowest - x1));
      // not even near zero: a quarter of the smaller neighbour leaves room for what the parabola misses
      if (predicted > 0.25 * Math.min(v0, v1, v2)) return -1;
      const v = side * this.#at(k, step, lowest);
      if (v <= 0) return lowest;
      // keep the three points nearest to the lowest
      if (lowest === x0 || lowest === x1 || lowest === x2) return -1;
      const d0 = Math.abs(x0 - lowest);
      const d1 = Math.abs(x1 - lowest);
      const d2 = Math.abs(x2 - lowest);
      if (d0 >= d1 && d0 >= d2) {
        x0 = lowest;
        v0 = v;
      } else if (d1 >= d2) {
        x1 = lowest;
        v1 = v;
      } else {
        x2 = lowest;
        v2 = v;
      }
    }
    return -1;
  }

  #at(k: number, step: SampledStep, theta: number): number {
    step.sample(theta, this.#y);
    return this.#value(k, timeAt(step, theta), this.#y);
  }

  #value(k: number, t: number, y: Float64Array): number {
    const value = this.#crossings[k].value(t, y);
    if (Number.isNaN(value))
      throw new IntegrationError(
        'crossing not finite',
        t,
        0,
        -1,
        `expected a number from the zero-crossing function "${this.#crossings[k].name}", got NaN`,
      );
    return value;
  }
}

const timeAt = (step: SampledStep, theta: number): number =>
  theta === 1 ? step.end : step.start + theta * (step.end - step.start);

/** To 1e-14 of the time, but no finer than the step can be divided. */
const timeTolerance = ({ start, end }: SampledStep): number =>
  Math.max(1e-14 * Math.abs(end), 4 * Number.EPSILON * (end - start));
