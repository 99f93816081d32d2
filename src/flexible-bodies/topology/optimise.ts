/**
 * Where to put material: least compliance at a given part of the volume, densities from 0 to 1.
 *
 *   optimality criteria (OC)   x ← x √(−∂c/∂x / (λ ∂V/∂x)) within a move, λ by bisection; needs sensitivities that are not positive
 *   moving asymptotes (MMA)    separable convex approximations p/(U − x) + q/(x − L); positive sensitivities, as inertia makes them, are no obstacle
 *
 * Svanberg (1987), doi 10.1002/nme.1620240207; Andreassen et al. (2011), doi 10.1007/s00158-010-0594-7.
 */
import { ModelError } from '../../errors.js';
import type { Compliance } from './compliance.js';
import { DesignField, type FieldOptions } from './design-field.js';

export interface TopologyOptions extends FieldOptions {
  /** Part of the volume that may be filled, 0 … 1 */
  readonly volume: number;
  readonly method?: 'mma' | 'oc';
  /** Largest change of a density in an iteration; default 0.2 */
  readonly move?: number;
  /** Stops when none changes by more; default 0.01 */
  readonly change?: number;
  /** Default 200 */
  readonly iterations?: number;
  /** Relative width at which the bisection for λ stops; default 1e-3 of OC, 1e-10 of MMA */
  readonly bisection?: number;
  /** Per element its image in a mirror (itself on the line): the design is made the same on both sides */
  readonly mirror?: Int32Array;
  /** Design to go on from, as `design` of a result; default: the volume everywhere */
  readonly start?: Float64Array;
  /** Told after each iteration; false stops */
  readonly progress?: (state: TopologyState) => boolean;
}

export interface TopologyState {
  readonly iteration: number;
  /** J, of the design before the change */
  readonly compliance: number;
  readonly volume: number;
  readonly change: number;
  /** Per element, as the analysis sees them */
  readonly densities: Float64Array;
}

export interface TopologyResult extends TopologyState {
  /** Compliance of each iteration, J */
  readonly history: Float64Array;
  /** Densities before the filter: what a next optimisation may go on from */
  readonly design: Float64Array;
  /** Densities before they were made black and white: what outlines are cut from */
  readonly smooth: Float64Array;
  readonly finished: boolean;
  /** Whether it was told to stop */
  readonly stopped: boolean;
}

/** @throws ModelError if what stays full is more than may be filled */
export const optimiseTopology = (problem: Compliance, options: TopologyOptions): TopologyResult =>
  conclude(improvements(problem, options), options.progress);

/** Makes a design of `optimiseTopology` black and white, so that what is cut out is as stiff as it is told. */
export const sharpenTopology = (problem: Compliance, options: TopologyOptions, soft: TopologyResult): TopologyResult =>
  conclude(sharpened(problem, options, soft), options.progress);

/** Takes steps to their result, or until `progress` is false. */
export function conclude<State, Result>(
  steps: Generator<State, Result, boolean>,
  progress?: (state: State) => boolean,
): Result {
  let next = steps.next();
  while (!next.done) next = steps.next(progress?.(next.value) !== false);
  return next.value;
}

/** `optimiseTopology` iteration by iteration, so that others (who listens for Ctrl-C) have their turn between them; told `false` it ends. */
export function* improvements(
  problem: Compliance,
  options: Omit<TopologyOptions, 'progress'>,
): Generator<TopologyState, TopologyResult, boolean> {
  const { mesh } = problem;
  const n = mesh.elementCount;
  const { volume, given, method = 'mma' } = options;
  if (!(volume > 0 && volume <= 1))
    throw new ModelError('topology.volume', `expected a part of the volume between 0 and 1, got ${volume}`);
  if (method !== 'mma' && method !== 'oc')
    throw new ModelError('topology.method', `expected mma or oc, got "${method}"`);
  const field = new DesignField(mesh, options);
  const whole = mesh.area.reduce((sum, a) => sum + a, 0);
  const fixedFull = given ? mesh.area.reduce((sum, a, e) => sum + (given[e] > 0 ? a : 0), 0) : 0;
  if (fixedFull > volume * whole)
    throw new ModelError(
      'topology.volume',
      `${((100 * fixedFull) / whole).toFixed(1)} % stay full already, around what is held and loaded and where it is asked for; that is more than the ${(100 * volume).toFixed(1)} % that may be filled`,
    );
  const x = options.start?.slice() ?? new Float64Array(n).fill(volume);
  field.hold(x);
  const physical = new Float64Array(n);
  const byDensity = new Float64Array(n);
  const volumeByDensity = new Float64Array(n);
  const next = new Float64Array(n);
  const trial = new Float64Array(n);
  field.seen(x, physical);
  /** Of densities as designed; those that are given are put right in place. */
  const volumeOf = (values: Float64Array): number => {
    field.hold(values);
    field.seen(values, trial);
    let sum = 0;
    for (let e = 0; e < n; e++) sum += mesh.area[e] * trial[e];
    return sum / whole;
  };
  /** Of what a step makes of them: images are the nearest elements, whose areas and filters differ, so that mirroring changes the volume */
  const mirror = options.mirror;
  const both = mirror && new Float64Array(n);
  const volumeMade = (values: Float64Array): number => {
    if (!mirror || !both) return volumeOf(values);
    field.hold(values);
    both.set(values);
    mirrored(both, mirror);
    return volumeOf(both);
  };
  const asymptotes = method === 'mma' ? new MovingAsymptotes(n) : undefined;
  const history: number[] = [];
  const most = options.iterations ?? 200;
  let change = 1;
  let compliance = 0;
  let stopped = false;
  while (change > (options.change ?? 0.01) && history.length < most && !stopped) {
    compliance = problem.evaluate(physical);
    history.push(compliance);
    field.byDesign(x, problem.gradient, byDensity, volumeByDensity);
    if (mirror) mirrored(byDensity, mirror);
    if (asymptotes)
      asymptotes.step(
        x,
        byDensity,
        volumeByDensity,
        volume * whole,
        options,
        (values) => whole * volumeMade(values),
        next,
      );
    else criteria(x, byDensity, volumeByDensity, options, volumeMade, next);
    if (mirror) mirrored(next, mirror);
    field.hold(next);
    change = 0;
    for (let e = 0; e < n; e++) change = Math.max(change, Math.abs(next[e] - x[e]));
    x.set(next);
    const used = volumeOf(x);
    physical.set(trial);
    stopped = !(yield { iteration: history.length, compliance, volume: used, change, densities: physical });
  }
  const smooth = new Float64Array(n);
  field.smooth(x, smooth);
  return {
    iteration: history.length,
    compliance,
    volume: volumeOf(x),
    change,
    densities: physical.slice(),
    history: Float64Array.from(history),
    design: x.slice(),
    smooth,
    finished: !stopped && change <= (options.change ?? 0.01),
    stopped,
  };
}

/** β of one stage after another, and the improvements in each at most; densities move less where a step makes more of it. */
export const SHARPER = [2, 4, 8, 16] as const;
const IN_EACH = 12;

/** `sharpenTopology` iteration by iteration */
export function* sharpened(
  problem: Compliance,
  options: Omit<TopologyOptions, 'progress' | 'start' | 'sharpness'>,
  soft: TopologyResult,
): Generator<TopologyState, TopologyResult, boolean> {
  let result = soft;
  let going = true;
  for (const sharpness of SHARPER) {
    const before = result;
    const steps = improvements(problem, {
      ...options,
      start: before.design,
      sharpness,
      iterations: IN_EACH,
      move: (options.move ?? 0.2) * Math.sqrt(2 / sharpness),
    });
    let next = steps.next();
    while (!next.done) {
      if (!(yield { ...next.value, iteration: before.iteration + next.value.iteration })) going = false;
      next = steps.next(going);
    }
    const { iteration, history } = next.value;
    result = {
      ...next.value,
      iteration: before.iteration + iteration,
      history: Float64Array.of(...before.history, ...history),
      finished: going && soft.finished,
    };
    if (!going) break;
  }
  return result;
}

/** The mean of each value and its image */
function mirrored(values: Float64Array, image: Int32Array): void {
  const before = values.slice();
  for (let e = 0; e < values.length; e++) values[e] = (before[e] + before[image[e]]) / 2;
}

/** max |∂c/∂x|: what small is measured by, so that the design is the same for newtons and kilonewtons, grams and tons */
const largestOf = (gradient: Float64Array): number => gradient.reduce((most, g) => Math.max(most, Math.abs(g)), 0);

function criteria(
  x: Float64Array,
  gradient: Float64Array,
  byVolume: Float64Array,
  { move = 0.2, bisection = 1e-3, volume }: TopologyOptions,
  volumeOf: (x: Float64Array) => number,
  out: Float64Array,
): void {
  let low = 0;
  let high = 1e9;
  const least = 1e-12 * largestOf(gradient);
  const place = (lambda: number): void => {
    for (let e = 0; e < x.length; e++) {
      const wanted = x[e] * Math.sqrt(Math.max(least, -gradient[e]) / (byVolume[e] * lambda));
      out[e] = Math.max(0, Math.max(x[e] - move, Math.min(1, Math.min(x[e] + move, wanted))));
    }
  };
  for (place(high); volumeOf(out) > volume && high < 1e40; place(high)) high *= 10;
  while ((high - low) / (low + high) > bisection) {
    const lambda = 0.5 * (low + high);
    place(lambda);
    if (volumeOf(out) > volume) low = lambda;
    else high = lambda;
  }
}

class MovingAsymptotes {
  private readonly low: Float64Array;
  private readonly high: Float64Array;
  private readonly before: Float64Array;
  private readonly earlier: Float64Array;
  private iteration = 0;

  constructor(n: number) {
    this.low = new Float64Array(n);
    this.high = new Float64Array(n);
    this.before = new Float64Array(n);
    this.earlier = new Float64Array(n);
  }

  step(
    x: Float64Array,
    gradient: Float64Array,
    byVolume: Float64Array,
    allowed: number,
    { move = 0.2, bisection = 1e-10 }: TopologyOptions,
    volumeOf: (x: Float64Array) => number,
    out: Float64Array,
  ): void {
    const { low, high, before, earlier } = this;
    const n = x.length;
    this.iteration++;
    for (let e = 0; e < n; e++) {
      if (this.iteration <= 2) {
        low[e] = x[e] - 0.5;
        high[e] = x[e] + 0.5;
        continue;
      }
      const sign = (x[e] - before[e]) * (before[e] - earlier[e]);
      const factor = sign < 0 ? 0.7 : sign > 0 ? 1.2 : 1;
      low[e] = x[e] - Math.min(10, Math.max(0.01, factor * (before[e] - low[e])));
      high[e] = x[e] + Math.min(10, Math.max(0.01, factor * (high[e] - before[e])));
    }
    earlier.set(before);
    before.set(x);
    const p = new Float64Array(n);
    const q = new Float64Array(n);
    const p1 = new Float64Array(n);
    const smallest = 1e-9 * largestOf(gradient);
    for (let e = 0; e < n; e++) {
      const up = (high[e] - x[e]) * (high[e] - x[e]);
      const down = (x[e] - low[e]) * (x[e] - low[e]);
      const plus = Math.max(gradient[e], 0);
      const minus = Math.max(-gradient[e], 0);
      const extra = 0.001 * (plus + minus) + smallest;
      p[e] = up * (plus + extra);
      q[e] = down * (minus + extra);
      p1[e] = up * byVolume[e];
    }
    const place = (lambda: number): void => {
      for (let e = 0; e < n; e++) {
        const a = Math.sqrt(p[e] + lambda * p1[e]);
        const b = Math.sqrt(q[e]);
        const wanted = (low[e] * a + high[e] * b) / (a + b);
        const from = Math.max(0, x[e] - move, low[e] + 0.1 * (x[e] - low[e]));
        const to = Math.min(1, x[e] + move, high[e] - 0.1 * (high[e] - x[e]));
        out[e] = Math.min(to, Math.max(from, wanted));
      }
    };
    place(0);
    if (volumeOf(out) <= allowed) return;
    let least = 0;
    let largest = 1e-6;
    for (place(largest); volumeOf(out) > allowed && largest < 1e40; place(largest)) largest *= 10;
    for (let k = 0; k < 200 && largest - least > bisection * largest; k++) {
      const middle = 0.5 * (least + largest);
      place(middle);
      if (volumeOf(out) > allowed) least = middle;
      else largest = middle;
    }
    place(largest);
  }
}
