/**
 * TerRA's numbers from wheel trials: of the soil grid, or measured. Steady states in closed form are fitted to sinkage, drawbar pull and torque over
 * loads and slips. They see only the ratio of how fast slip sinkage comes and goes; how fast, a trial tells whose slip changes on the way, and where there
 * is none it keeps its default. Buse et al. (2023), §4.3.1: tuned to SCM, sinkage within 3 %, drawbar pull worse.
 *
 * Trials of the grid put soil down over a field (soil-flow.ts), not on a ring of nodes: on that a wheel climbs its own heap, whose width is the grid's, and
 * sinkage jumps by some 10 % from one slip to the next, which no smooth law can follow.
 */
import { wheel } from '../assets/wheel.js';
import { RolledWheel, rolledWheel, SoilRig } from '../contact/soil/rigs.js';
import { sinkageModulus } from '../contact-laws/soil/pressure-sinkage.js';
import { type TerraParameters, terraFrom, terraSlipSinkage, terraSteady } from '../contact-laws/soil/terra.js';
import { exp, log } from '../math/elementary.js';
import type { Soil } from '../model/soil.js';
import { type Fit, leastSquares } from './least-squares.js';

export interface WheelPoint {
  /** N */
  readonly load: number;
  readonly slip: number;
  /** m, N, N m */
  readonly sinkage: number;
  readonly drawbarPull: number;
  readonly torque?: number;
}

/** A trial under one load whose slip changes on the way */
export interface WheelHistory {
  readonly load: number;
  /** Way along the ground since the one before, m; slip on it; sinkage at its end, m */
  readonly points: readonly { readonly way: number; readonly slip: number; readonly sinkage: number }[];
}

export interface TerraFit {
  readonly parameters: TerraParameters;
  readonly names: readonly string[];
  readonly fit: Fit;
  /** Root mean square over all trials: of sinkage over the mean sinkage, of pull over the load */
  readonly sinkageError: number;
  readonly pullError: number;
  /** Of sinkage over the mean sinkage where slip changed on the way; undefined without such a trial */
  readonly historyError?: number;
}

export interface WheelOnSoil {
  readonly soil: Soil;
  readonly radius: number;
  readonly width: number;
  readonly gravity: number;
}

const TUNED = [
  'stiffness',
  'exponent',
  'sinkIn',
  'sinkPower',
  'sinkMost',
  'sinkDepth',
  'friction',
  'shearLength',
  'sinkageLoss',
  'resistance',
] as const;

/** Of sinkage against pull: what TerRA is tuned for first */
const SINKAGE_WEIGHT = 5;

export const SLIPS = [0.05, 0.1, 0.2, 0.4, 0.6, 0.8] as const;
export const LOADS = [0.5, 1, 1.5] as const;

/** Trials of a smooth wheel on the soil grid: loads as parts of `load`, N, by slips */
export function scmTrials(
  { soil, radius, width, gravity }: WheelOnSoil,
  {
    load,
    spacing,
    digging = 0.05,
    slips = SLIPS,
    loads = LOADS,
  }: { load: number; spacing: number; digging?: number; slips?: readonly number[]; loads?: readonly number[] },
): WheelPoint[] {
  const { mesh } = wheel({ radius, width, segments: 360 }).solid;
  return loads.flatMap((part) =>
    slips.map((slip) => {
      const way = 5 * Math.sqrt(2 * radius * 0.15 * radius);
      const result = rolledWheel(
        mesh,
        { radius, slip, load: part * load, way, flows: true },
        { soil, spacing, gravity },
        { pressureWidth: width, digging },
      );
      return {
        load: part * load,
        slip,
        sinkage: result.sinkage,
        drawbarPull: result.drawbarPull,
        torque: result.torque,
      };
    }),
  );
}

/** m at each slip, one after another: into the ground, digging in, climbing out */
const STAGES = [
  [0.1, 0.3],
  [0.7, 0.4],
  [0.1, 0.4],
] as const;

/** The same wheel on the grid under a load, N, while its slip goes up and down again */
export function scmHistory(
  { soil, radius, width, gravity }: WheelOnSoil,
  { load, spacing, digging = 0.05 }: { load: number; spacing: number; digging?: number },
): WheelHistory {
  const { mesh } = wheel({ radius, width, segments: 360 }).solid;
  const rig = new SoilRig(mesh, { soil, spacing, gravity }, { pressureWidth: width, digging });
  const rolled = new RolledWheel(rig, radius, { load }, true);
  const scale = radius / 0.15;
  const points = STAGES.flatMap(([slip, way]) => {
    const step = rolled.stepAt(slip);
    return Array.from({ length: Math.ceil((scale * way) / step) }, () => {
      rolled.step(slip);
      return { way: step, slip, sinkage: rolled.sinkage };
    });
  });
  return { load, points };
}

/** TerRA's error over a history, part of the mean sinkage: from the steady state of its first slip, once the grid's wheel has come there */
function errorOver(p: TerraParameters, { soil, radius, width, gravity }: WheelOnSoil, history: WheelHistory): number {
  const size = { radius, width };
  const first = history.points[0].slip;
  const begins = history.points.findIndex(({ slip }) => slip !== first);
  const { sinkage } = terraSteady(p, soil, size, history.load, first, gravity);
  const rate = terraSlipSinkage(p, soil, size, gravity, history.load);
  let slipSinkage = sinkage - rate.effective;
  let [square, mean] = [0, 0];
  const judged = history.points.slice(begins);
  for (const { way, slip, sinkage: there } of judged) {
    // the rate is steep just where slip jumps: a few parts of each step
    for (let k = 0; k < 8; k++) slipSinkage += (way / 8) * rate.perWay(slipSinkage, slip);
    const off = rate.effective + slipSinkage - there;
    square += (off * off) / judged.length;
    mean += there / judged.length;
  }
  return Math.sqrt(square) / mean;
}

/** How fast slip sinkage comes and goes, both alike: the factor on their rates that follows a history best, by golden section over its logarithm */
function rateOver(p: TerraParameters, on: WheelOnSoil, history: WheelHistory): TerraParameters {
  const faster = (x: number): TerraParameters => ({ ...p, sinkIn: p.sinkIn * exp(x), sinkOut: p.sinkOut * exp(x) });
  const error = (x: number): number => errorOver(faster(x), on, history);
  const part = (Math.sqrt(5) - 1) / 2;
  let [low, high] = [log(1 / 16), log(64)];
  let [a, b] = [high - part * (high - low), low + part * (high - low)];
  let [atA, atB] = [error(a), error(b)];
  while (high - low > 0.01) {
    if (atA < atB) {
      [high, b, atB] = [b, a, atA];
      a = high - part * (high - low);
      atA = error(a);
    } else {
      [low, a, atA] = [a, b, atB];
      b = low + part * (high - low);
      atB = error(b);
    }
  }
  return faster((low + high) / 2);
}

/** @throws ModelError if there is nothing to fit */
export function fitTerra(points: readonly WheelPoint[], on: WheelOnSoil, history?: WheelHistory): TerraFit {
  const { soil, radius, width, gravity } = on;
  const size = { radius, width };
  const start = terraFrom(soil, size, sinkageModulus(soil, width));
  const meanSinkage = points.reduce((sum, { sinkage }) => sum + sinkage, 0) / points.length;
  const made = (values: readonly number[]): TerraParameters => ({
    ...start,
    ...Object.fromEntries(TUNED.map((name, i) => [name, values[i]])),
  });
  const residuals = (values: readonly number[]): number[] => {
    const p = made(values);
    return points.flatMap(({ load, slip, sinkage, drawbarPull, torque }) => {
      const steady = terraSteady(p, soil, size, load, slip, gravity);
      return [
        (SINKAGE_WEIGHT * (steady.sinkage - sinkage)) / meanSinkage,
        (steady.drawbarPull - drawbarPull) / load,
        ...(torque === undefined ? [] : [(Math.sqrt(0.3) * (steady.torque - torque)) / (load * radius)]),
      ];
    });
  };
  const fit = leastSquares(
    residuals,
    TUNED.map((name) => start[name]),
  );
  const steady = made(fit.values);
  const parameters = history ? rateOver(steady, on, history) : steady;
  let [sinkage, pull] = [0, 0];
  for (const point of points) {
    const there = terraSteady(parameters, soil, size, point.load, point.slip, gravity);
    const [deeper, more] = [there.sinkage - point.sinkage, there.drawbarPull - point.drawbarPull];
    sinkage += (deeper / meanSinkage) * (deeper / meanSinkage);
    pull += (more / point.load) * (more / point.load);
  }
  return {
    parameters,
    names: TUNED,
    fit,
    sinkageError: Math.sqrt(sinkage / points.length),
    pullError: Math.sqrt(pull / points.length),
    ...(history && { historyError: errorOver(parameters, on, history) }),
  };
}
