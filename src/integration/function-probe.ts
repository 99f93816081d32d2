/**
 * Finds where functions that somebody else wrote jump or bend, before a step runs over it unseen. A method looks at a few instants of a
 * step; a square wave whose period divides their distances looks constant to all of them. Such functions are cheap to read by themselves,
 * so they are: at instants no further apart than `gap`, and not evenly spaced, so that no period fits.
 *
 *   jump     over an interval w the value moves by D more than the slope s before it foretells; halving keeps at least ½ D in one half,
 *            down to neighbouring numbers. Of anything continuous the halves lose it. The step ends just before, the next begins just after.
 *   corner   the value bends away from the slope before it, and goes on with another slope: the step ends where the two lines meet.
 *   ripple   over a whole step the values keep within 10 % of the polynomial of degree 4 through five of them, which is what a method of
 *            order 5 can follow; otherwise the step is halved.
 *
 * What shifts the end of the step by less than a hundredth of the error allowed is left alone. Two jumps that follow each other closely show
 * how fine the functions are, and from then on they are read as closely as that; a look at the whole time ahead before the first step sees to
 * it that this is known from the start. A pulse shorter than `gap` that nothing else announces can be missed.
 *
 * Jumps that come with the state, not with time, are looked for along the step that was just tried (`along`).
 */
import type { GivenFunctions } from './problem.js';

/** Size of what the rates change by between two instants in a step h, the state being held, in the error norm. */
export type Significance = (t1: number, t2: number, h: number) => number;

/** Of the error allowed: what is not worth a step's end */
const NEGLIGIBLE = 0.01;
/** Rounding of a function's values, of their size */
const ROUNDING = 1e-11;
/** Jumps that may be noise, of the size of a function, do not make it fine before it is known that they matter. */
const NOISE = 1e-6;
/** Of the gap at the start: the least it can become */
const FINEST = 1e-4;
/** Steps that hold fewer samples than this are not checked for ripple. */
const RESOLVED_BY = 8;
/** Of the range of the values: deviation from the polynomial through five of them */
const MISFIT = 0.1;
/** Jumps looked at before the first step, to know how fine the functions are */
const SURVEYED = 200;
/** Just before a jump: far enough that t + (end − t), rounded, does not fall behind it */
const MARGIN = 8 * Number.EPSILON;
/** Instants at which a step that was tried is looked at, and how closely a jump on its way is located, as parts of the step */
const FEWEST_PIECES = 6;
const FRACTION = 1e-10;
/** Of the distance of two samples: what changes in a part as small as this is steep. */
const STEEP = 1 / 16;
/** Of the gap: how well a corner is located */
const LOCATED = 0.01;
const NODES = [0, 0.146, 0.5, 0.854, 1];

export class FunctionProbe {
  /** The next jump: last instant before it and first one behind; equal at a corner, ∞ where none is known. */
  before = Number.POSITIVE_INFINITY;
  after = Number.POSITIVE_INFINITY;
  /** The jump that `along` has found */
  alongBefore = 0;
  alongAfter = 0;
  /** and which function it is of */
  alongFunction = -1;
  /** Largest distance of instants at which the functions are read */
  gap: number;
  readonly #given: GivenFunctions;
  readonly #significance: Significance;
  readonly #count: number;
  readonly #finest: number;
  /** There is no jump between these. */
  #from = Number.POSITIVE_INFINITY;
  #clear = Number.NEGATIVE_INFINITY;
  /** Behind the second of them some function gives no number. */
  #undefined = false;
  /** End of the last jump passed */
  #passed = Number.NEGATIVE_INFINITY;
  /** Time in which the function rises behind the next corner, and behind the last; 0 where it is not steep */
  #rise = 0;
  #longest = 0;
  #surveyed = false;
  /** Nothing is read beyond. */
  #limit = Number.POSITIVE_INFINITY;
  /** Instants of the present look, and the values there, `count` each */
  #times = new Float64Array(64);
  #values: Float64Array;
  #samples = 0;
  readonly #value: Float64Array;
  /** Largest size of each function so far */
  readonly #size: Float64Array;
  readonly #node = new Float64Array(5);
  readonly #coefficient = new Float64Array(5);
  /** Where the last search ended: what is found lies between these. */
  #a = 0;
  #b = 0;
  /** The state over time, where that is not held */
  #path: ((time: number) => Float64Array) | undefined;
  #random = 0.5;

  /** @param gap features that last as long as this are never missed */
  constructor(given: GivenFunctions, gap: number, significance: Significance) {
    this.#given = given;
    this.#significance = significance;
    this.#count = given.count;
    this.gap = gap;
    this.#finest = FINEST * gap;
    this.#value = new Float64Array(given.count);
    this.#size = new Float64Array(given.count);
    this.#values = new Float64Array(64 * given.count);
  }

  /** Nothing is known any more, as after a change of the state. */
  forget(): void {
    this.before = this.after = Number.POSITIVE_INFINITY;
    this.#clear = Number.NEGATIVE_INFINITY;
  }

  /** How fine the functions are in all the time ahead, as far as they show it at the present state. */
  surveyAhead(t: number, y: Float64Array, until: number): void {
    if (this.#surveyed) return;
    this.#surveyed = true;
    this.#limit = until;
    this.#given.hold(t, y);
    let start = t;
    let previous = Number.NEGATIVE_INFINITY;
    for (let found = 0; found < SURVEYED && start < until; found++) {
      this.#scan(start, until, 0);
      if (!(this.before < Number.POSITIVE_INFINITY)) break;
      this.#refineGap(this.before - previous);
      previous = this.after;
      start = this.#passed = this.after > start ? this.after : start + this.gap;
    }
    this.#passed = Number.NEGATIVE_INFINITY;
    this.forget();
  }

  /** The jump or corner at `before` is behind. */
  pass(): void {
    this.#passed = this.after;
    this.#longest = this.#rise;
    this.before = this.after = Number.POSITIVE_INFINITY;
  }

  /** Latest end of a step from (t, y) that is meant to end at `end` and could end at `limit`; t itself where a jump is to be passed first. */
  ahead(t: number, y: Float64Array, end: number, limit: number): number {
    if (this.before <= t && t < this.after) return t;
    const known = t >= this.#from && t <= this.#clear && (end <= this.#clear || this.before === this.#clear);
    this.#limit = limit;
    if (!known) this.#readAhead(t, y, Math.min(limit, Math.max(end, t + 8 * this.gap)), end - t);
    if (this.before <= t) return t;
    let until = Math.min(end, this.before);
    // Beyond it a function is not defined: what is before is to be kept.
    if (this.#undefined && this.#clear > t) until = Math.min(until, this.#clear);
    if (t < this.#passed + 8 * this.#longest) until = Math.min(until, t + this.#longest);
    while (until - t > RESOLVED_BY * this.gap && !this.#resolved(t, until)) until = t + 0.5 * (until - t);
    return until;
  }

  #readAhead(t: number, y: Float64Array, until: number, h: number): void {
    this.#given.hold(t, y);
    for (;;) {
      this.#scan(t, until, h);
      if (this.before === Number.POSITIVE_INFINITY || !this.#refineGap(this.before - this.#passed)) return;
    }
  }

  /** Two jumps were `apart`: reads more closely from now on where that is too near for the present gap. True if it does. */
  #refineGap(apart: number): boolean {
    if (!(apart > 0 && apart < 1.6 * this.gap) || !(this.after > this.before)) return false;
    const gap = Math.max(0.4 * apart, this.#finest);
    if (!(gap < this.gap)) return false;
    this.gap = gap;
    return true;
  }

  /** Reads the functions from t to `until`, or to the first jump that matters in a step of h (0: all do). */
  #scan(t: number, until: number, h: number): void {
    this.before = this.after = Number.POSITIVE_INFINITY;
    this.#samples = 0;
    this.#from = this.#clear = t;
    this.#undefined = false;
    // Behind a jump the next may be near: from very close, further and further
    let distance = t === this.#passed ? 1e-3 * this.gap : this.gap;
    if (!this.#read(t)) return;
    let time = t;
    let first = 0;
    while (time < until) {
      this.#random = (this.#random + 0.6180339887498949) % 1;
      const next = time + Math.min(distance, this.gap) * (0.55 + 0.4 * this.#random);
      time = Math.min(next, until);
      distance *= 1.5;
      if (!this.#read(time)) {
        this.#undefined = true;
        return;
      }
      const last = this.#samples - 1;
      let apart = false;
      for (let i = 0; i < this.#count; i++)
        if (this.#suspect(i, first, last) && this.#locate(i, first, last, h)) apart = true;
      if (apart) first = last;
      if (this.before < Number.POSITIVE_INFINITY) {
        this.#clear = this.before;
        return;
      }
      this.#clear = time;
    }
  }

  /** Adds the values at t to the samples. False if there are none. */
  #read(t: number): boolean {
    const n = this.#samples;
    if (n === this.#times.length) {
      const times = new Float64Array(2 * n);
      times.set(this.#times);
      this.#times = times;
      const values = new Float64Array(2 * n * this.#count);
      values.set(this.#values);
      this.#values = values;
    }
    this.#given.sample(t, this.#value);
    for (let i = 0; i < this.#count; i++) {
      const size = Math.abs(this.#value[i]);
      if (!(size < Number.POSITIVE_INFINITY)) return false;
      if (size > this.#size[i]) this.#size[i] = size;
    }
    this.#times[n] = t;
    this.#values.set(this.#value, n * this.#count);
    this.#samples++;
    return true;
  }

  /** Change of function i from sample `from` to the next, per time */
  #slope(i: number, from: number): number {
    const count = this.#count;
    const values = this.#values;
    const change = values[(from + 1) * count + i] - values[from * count + i];
    return change / (this.#times[from + 1] - this.#times[from]);
  }

  /** Does function i move otherwise, up to sample `last`, than slope and curvature before foretell? Samples before `first` say nothing. */
  #suspect(i: number, first: number, last: number): boolean {
    const count = this.#count;
    const before = this.#values[(last - 1) * count + i];
    const value = this.#values[last * count + i];
    if (last - first < 2) return Math.abs(value - before) > ROUNDING * this.#size[i];
    const w = this.#times[last] - this.#times[last - 1];
    const slope = this.#slope(i, last - 2);
    const excess = Math.abs(value - before - slope * w);
    if (excess <= ROUNDING * this.#size[i]) return false;
    if (last - first < 3) return true;
    const bend = (2 * (slope - this.#slope(i, last - 3))) / (this.#times[last - 1] - this.#times[last - 3]);
    return excess > 3 * Math.abs(bend) * w * w;
  }

  /**
   * A jump or corner of function i in the last interval becomes the next end of a step, if it is the nearest and matters. True if the
   * samples behind it say nothing of those before.
   */
  #locate(i: number, first: number, last: number, h: number): boolean {
    const count = this.#count;
    const left = this.#times[last - 1];
    const right = this.#times[last];
    const atLeft = this.#values[(last - 1) * count + i];
    const atRight = this.#values[last * count + i];
    const slope = last - first < 2 ? 0 : this.#slope(i, last - 2);
    if (this.#jumps(i, left, right, atLeft, atRight, slope, Number.EPSILON * Number.EPSILON * this.gap)) {
      const [a, b] = [this.#a, this.#b];
      if (a >= this.before) return true;
      if (h > 0 && this.#significance(a, b, h) < NEGLIGIBLE) return true;
      this.#given.sample(a, this.#value);
      const value = this.#value[i];
      this.#given.sample(b, this.#value);
      if (h === 0 && Math.abs(this.#value[i] - value) < NOISE * this.#size[i]) return true;
      this.#given.refuse?.(i, b, value, this.#value[i]);
      this.before = a - MARGIN * Math.abs(a);
      this.after = b;
      this.#rise = 0;
      return true;
    }
    return this.#corner(i, first, last, h) || this.#steep(right - left, h);
  }

  /** A corner in the last interval, between the slopes of function i before and behind it */
  #corner(i: number, first: number, last: number, h: number): boolean {
    if (last - first < 2) return false;
    const count = this.#count;
    const left = this.#times[last - 1];
    const right = this.#times[last];
    const atLeft = this.#values[(last - 1) * count + i];
    const atRight = this.#values[last * count + i];
    const slope = this.#slope(i, last - 2);
    // Two slopes behind it, which are alike at a corner; it is where the lines meet
    const w = right - left;
    const further = right + 0.5 * w;
    if (!(right + w <= this.#limit)) return false;
    this.#given.sample(further, this.#value);
    const beyond = (this.#value[i] - atRight) / (further - right);
    const between = this.#value[i];
    this.#given.sample(right + w, this.#value);
    const bend = Math.abs((this.#value[i] - between) / (right + w - further) - beyond);
    const bendBefore = last - first < 3 ? 0 : Math.abs(slope - this.#slope(i, last - 3));
    const corner = left + (atRight - atLeft - beyond * w) / (slope - beyond);
    if (!(corner > left && corner < right && Math.abs(beyond - slope) > 10 * Math.max(bend, bendBefore))) return false;
    if (corner >= this.before || this.#near(corner)) return true;
    // What the rates have changed by at a time h behind it, beyond what they would have without it
    if (h > 0) {
      const turn = Math.abs(beyond - slope) / (Math.abs(beyond) + Math.abs(slope));
      const change = this.#significance(corner - w, corner, h) + this.#significance(corner, corner + w, h);
      if ((0.5 * turn * change * h) / w < NEGLIGIBLE) return true;
    }
    this.before = this.after = corner;
    this.#rise = 0;
    return true;
  }

  /** A rise in a small part of the interval w: up to its foot, and then on in steps no longer than it. */
  #steep(w: number, h: number): boolean {
    const rise = this.#b - this.#a;
    const foot = this.#a - 2 * rise;
    if (!(rise < STEEP * w) || foot >= this.before || this.#near(foot)) return false;
    if (h > 0 && this.#significance(this.#a, this.#b, h) < NEGLIGIBLE) return true;
    this.before = this.after = foot;
    this.#rise = rise;
    return true;
  }

  /** A corner is located to a small part of a gap only: the one just passed shows again, and what is as near is no use as an end. */
  #near(time: number): boolean {
    return time - Math.max(this.#passed, this.#from) < LOCATED * this.gap;
  }

  /**
   * Halves the interval as long as one half keeps at least half of what the value of function i moves beyond the slope. True if that ends at
   * `floor` or at neighbouring numbers. #a and #b are where it ends.
   */
  #jumps(
    i: number,
    left: number,
    right: number,
    atLeft: number,
    atRight: number,
    slope: number,
    floor: number,
  ): boolean {
    let a = left;
    let b = right;
    let value = atLeft;
    let excess = atRight - atLeft - slope * (b - a);
    const kept = 0.5 * Math.abs(excess);
    let jump = false;
    while (!jump) {
      const middle = 0.5 * (a + b);
      if (this.#path) this.#given.hold(middle, this.#path(middle));
      this.#given.sample(middle, this.#value);
      const there = this.#value[i];
      const inLeft = there - value - slope * (middle - a);
      if (Math.abs(inLeft) >= kept) {
        b = middle;
        excess = inLeft;
      } else {
        excess -= inLeft;
        a = middle;
        value = there;
        if (!(Math.abs(excess) >= kept)) break;
      }
      jump = !(0.5 * (a + b) > a && 0.5 * (a + b) < b && b - a > floor);
    }
    this.#a = a;
    this.#b = b;
    return jump;
  }

  /**
   * Looks for a jump that comes with the state, on the way from t to `end` of a step that was tried; `path` tells the state at a time.
   * True if there is one, between `alongBefore` and `alongAfter`.
   */
  along(t: number, end: number, path: (time: number) => Float64Array): boolean {
    const h = end - t;
    const pieces = Math.min(this.#given.readsPerStep, Math.max(FEWEST_PIECES, Math.ceil(h / this.gap)));
    this.#clear = Number.NEGATIVE_INFINITY; // the samples of the look ahead are overwritten
    this.#samples = 0;
    this.#path = path;
    let found = false;
    for (let piece = 0; piece <= pieces && !found; piece++) {
      this.#random = (this.#random + 0.6180339887498949) % 1;
      const time = piece === 0 ? t : piece === pieces ? end : t + (h * (piece - 0.25 + 0.5 * this.#random)) / pieces;
      this.#given.hold(time, path(time));
      if (!this.#read(time)) break;
      for (let i = 0; piece > 0 && i < this.#count && !found; i++) {
        this.alongFunction = i;
        found =
          this.#suspect(i, 0, piece) &&
          this.#jumps(
            i,
            this.#times[piece - 1],
            time,
            this.#values[(piece - 1) * this.#count + i],
            this.#values[piece * this.#count + i],
            piece < 2 ? 0 : this.#slope(i, piece - 2),
            FRACTION * h,
          );
      }
    }
    this.#path = undefined;
    this.alongBefore = this.#a;
    this.alongAfter = this.#b;
    return found;
  }

  /** Do the samples in [t, until] follow a polynomial of degree 4, as far as they matter? */
  #resolved(t: number, until: number): boolean {
    const times = this.#times;
    const count = this.#count;
    let first = 0;
    while (first < this.#samples && times[first] < t) first++;
    let end = first;
    while (end < this.#samples && times[end] <= until) end++;
    if (end - first < RESOLVED_BY) return true;
    for (let i = 0; i < count; i++) {
      let low = first;
      let high = first;
      for (let k = first; k < end; k++) {
        if (this.#values[k * count + i] < this.#values[low * count + i]) low = k;
        if (this.#values[k * count + i] > this.#values[high * count + i]) high = k;
      }
      const least = this.#values[low * count + i];
      const most = this.#values[high * count + i];
      if (most - least <= 1e-9 * Math.max(Math.abs(least), Math.abs(most))) continue;
      if (this.#misfit(i, first, end) <= MISFIT * (most - least)) continue;
      if (this.#significance(times[low], times[high], until - t) > NEGLIGIBLE) return false;
    }
    return true;
  }

  /** Largest deviation of samples first … end − 1 from the polynomial through five of them (Newton's divided differences) */
  #misfit(i: number, first: number, end: number): number {
    const node = this.#node;
    const c = this.#coefficient;
    const count = this.#count;
    let k = first;
    for (let j = 0; j < 5; j++) {
      const at = this.#times[first] + NODES[j] * (this.#times[end - 1] - this.#times[first]);
      while (k < end - 5 + j && this.#times[k] < at) k++;
      node[j] = this.#times[k];
      c[j] = this.#values[k++ * count + i];
    }
    for (let order = 1; order < 5; order++)
      for (let j = 4; j >= order; j--) c[j] = (c[j] - c[j - 1]) / (node[j] - node[j - order]);
    let worst = 0;
    for (let m = first; m < end; m++) {
      const x = this.#times[m];
      let p = c[4];
      for (let j = 3; j >= 0; j--) p = p * (x - node[j]) + c[j];
      worst = Math.max(worst, Math.abs(p - this.#values[m * count + i]));
    }
    return worst;
  }
}
