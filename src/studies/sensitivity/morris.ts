/**
 * Elementary effects: which parameters matter at all, from few runs. Each trajectory goes from a random place of a grid of p levels along all axes in random
 * order, one step Δ = p/(2(p − 1)) each; the effect of a parameter is the change over its step, (y(x + Δ e_i) − y(x))/Δ in the unit cube.
 *
 *   µ*  mean of |effect|: how much it matters          σ  deviation of the effects: whether it acts alone and straight (0) or not
 *
 * Morris (1991), doi 10.2307/1269043; Campolongo, Cariboni & Saltelli (2007) for µ*.
 */
import { type Random, random } from '../../math/random.js';

export interface MorrisOptions {
  readonly trajectories: number;
  readonly levels: number;
  readonly dimensions: number;
  readonly seed: number | string;
}

/** Points of all trajectories, one trajectory after another, dimensions + 1 points each */
export function morrisPoints({ trajectories, levels, dimensions, seed }: MorrisOptions): Float64Array[] {
  const draw = random(seed).fork('morris');
  return Array.from({ length: trajectories }, (_, i) => trajectory(levels, dimensions, draw.fork(i))).flat();
}

function trajectory(levels: number, dimensions: number, draw: Random): Float64Array[] {
  const half = levels / 2;
  const delta = half / (levels - 1);
  const x = new Float64Array(dimensions);
  const up = x.map(() => (draw.uniform() < 0.5 ? 1 : -1));
  for (let k = 0; k < dimensions; k++) {
    const low = draw.integer(Math.ceil(half)) / (levels - 1);
    x[k] = up[k] > 0 ? low : low + delta;
  }
  const points = [x.slice()];
  for (const k of draw.shuffle(Array.from({ length: dimensions }, (_, i) => i))) {
    x[k] += up[k] * delta;
    points.push(x.slice());
  }
  return points;
}

export interface ElementaryEffects {
  readonly mean: number;
  /** µ* and its standard error */
  readonly meanSize: number;
  readonly error: number;
  readonly deviation: number;
  /** Trajectories that told it; those with a failed run do not */
  readonly count: number;
}

/** @param values one per point, NaN where the run failed */
export function elementaryEffects(points: readonly Float64Array[], values: readonly number[]): ElementaryEffects[] {
  const d = points[0].length;
  const effects: number[][] = Array.from({ length: d }, () => []);
  for (let first = 0; first + d < points.length; first += d + 1)
    for (let i = first; i < first + d; i++) {
      const k = points[i].findIndex((value, j) => value !== points[i + 1][j]);
      const effect = (values[i + 1] - values[i]) / (points[i + 1][k] - points[i][k]);
      if (Number.isFinite(effect)) effects[k].push(effect);
    }
  return effects.map((list) => {
    const mean = average(list);
    const meanSize = average(list.map(Math.abs));
    const spread = (values: readonly number[], middle: number): number =>
      Math.sqrt(values.reduce((sum, v) => sum + (v - middle) * (v - middle), 0) / Math.max(1, values.length - 1));
    return {
      mean,
      meanSize,
      error: spread(list.map(Math.abs), meanSize) / Math.sqrt(Math.max(1, list.length)),
      deviation: spread(list, mean),
      count: list.length,
    };
  });
}

const average = (values: readonly number[]): number => values.reduce((sum, v) => sum + v, 0) / values.length;
