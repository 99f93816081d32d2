/**
 * TerRA's numbers from wheel trials: of the soil grid, or measured. Steady states in closed form are fitted to sinkage, drawbar pull and torque over
 * loads and slips; what the times of transients would tell (how fast slip sinkage comes and goes) keeps its default, for only the ratio of the two is
 * seen in steady trials. Buse et al. (2023), §4.3.1: tuned to SCM, sinkage within 3 %, drawbar pull worse.
 */
import { wheel } from '../assets/wheel.js';
import { rolledWheel } from '../contact/soil/rigs.js';
import { sinkageModulus } from '../contact-laws/soil/pressure-sinkage.js';
import { type TerraParameters, terraFrom, terraSteady } from '../contact-laws/soil/terra.js';
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

export interface TerraFit {
  readonly parameters: TerraParameters;
  readonly names: readonly string[];
  readonly fit: Fit;
  /** Root mean square over all trials: of sinkage over the mean sinkage, of pull over the load */
  readonly sinkageError: number;
  readonly pullError: number;
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

/** @throws ModelError if there is nothing to fit */
export function fitTerra(points: readonly WheelPoint[], { soil, radius, width, gravity }: WheelOnSoil): TerraFit {
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
  const parameters = made(fit.values);
  let [sinkage, pull] = [0, 0];
  for (const point of points) {
    const steady = terraSteady(parameters, soil, size, point.load, point.slip, gravity);
    sinkage += ((steady.sinkage - point.sinkage) / meanSinkage) * ((steady.sinkage - point.sinkage) / meanSinkage);
    pull +=
      ((steady.drawbarPull - point.drawbarPull) / point.load) * ((steady.drawbarPull - point.drawbarPull) / point.load);
  }
  return {
    parameters,
    names: TUNED,
    fit,
    sinkageError: Math.sqrt(sinkage / points.length),
    pullError: Math.sqrt(pull / points.length),
  };
}
