/**
 * A wheel in a testbed, predicted over slip from trials at three slips. Measured sinkage changes much more with slip than any integral of stresses
 * at rest tells; this adds slip sinkage to the integral of Wong and Reece:
 *
 *   z = z₀ [1 + λ_d (g(i) − g(0))]          driven,  g = 1 − e^(−j/K), j = r (θ₁ − (1 − i) sin θ₁): shear that the wheel's lowest point has seen
 *   z = z₀ [1 + λ_b (|i|/(1 − |i|))²]       braked,  |i|/(1 − |i|): way slipped per way rolled
 *
 * z₀ sinkage at slip 0 under the load of the trial. Soil so dug out carries less at its depth: pressures are scaled so that the load is carried
 * there, and pull follows. Five numbers: n, λ_d, λ_b, φ between wheel and soil, and (given) K; cohesion is 0.
 *
 * The two shapes over slip are ours, chosen with the measured curves in view: a description of these trials. What a form that was there before them tells,
 * an exponent of sinkage linear in slip (Ding et al. 2010; Pavlov & Johnson have it, too, with a slope of its own for braked wheels),
 *
 *   n = n₀ + n_d i  driven,  n₀ + n_b |i|  braked
 *
 * is `foretoldTrial`. Numbers of both are found at the slips asked for only.
 */
import type { WheelSize } from '../contact-laws/soil/bekker-wheel.js';
import { motionOfSlip, wongReeceForces, wongReeceSinkage } from '../contact-laws/soil/wong-reece.js';
import { acos, exp, sin } from '../math/elementary.js';
import type { Soil } from '../model/soil.js';
import type { WheelPoint } from './calibrate-terra.js';
import { type Fit, leastSquares } from './least-squares.js';

/** Pavlov & Johnson (CMU), smooth wheel of 62.5 mm and 50 mm width at 10 mm/s on sand, slip angle 0: means of three runs, load as measured */
export const CMU_SMOOTH: readonly WheelPoint[] = [
  [-1, -38.84, 19.5, 50.31],
  [-0.7, -24.13, 21.84, 32.37],
  [-0.5, -17.15, 23.24, 23.66],
  [-0.2, -7.31, 23.72, 15.07],
  [0, -1.34, 24.58, 14.43],
  [0.23, 0.7, 24.62, 17.88],
  [0.5, 0.97, 25.28, 22.74],
  [0.75, 0.82, 24, 25.44],
  [0.9, 1.51, 25.67, 25.73],
].map(([slip, drawbarPull, load, millimetres]) => ({ slip, drawbarPull, load, sinkage: 1e-3 * millimetres }));

export const CMU_WHEEL = { radius: 0.0625, width: 0.05 } as const;

export interface SlipSinkage {
  /** Exponent of sinkage, λ_d, λ_b, friction angle rad */
  readonly exponent: number;
  readonly driven: number;
  readonly braked: number;
  readonly frictionAngle: number;
}

/** Sinkage m and pull N of a wheel at a slip above −1 under a load */
export function predictedTrial(
  soil: Soil,
  size: WheelSize,
  { exponent, driven, braked, frictionAngle }: SlipSinkage,
  slip: number,
  load: number,
): { readonly sinkage: number; readonly drawbarPull: number } {
  const ground = { ...soil, n: exponent, frictionAngle, cohesion: 0 };
  const still = wongReeceSinkage(ground, size, load, motionOfSlip(0));
  const entry = acos(1 - still / size.radius);
  const sheared = (i: number): number => 1 - exp((-size.radius * (entry - (1 - i) * sin(entry))) / ground.shearLength);
  const slipped = slip < 0 ? -slip / Math.max(1e-9, 1 + slip) : 0;
  const more = slip > 0 ? driven * (sheared(slip) - sheared(0)) : braked * slipped * slipped;
  const sinkage = Math.min(0.9 * size.radius, still * (1 + more));
  const forces = wongReeceForces(ground, size, sinkage, motionOfSlip(slip));
  return { sinkage, drawbarPull: (load * forces.drawbarPull) / forces.load };
}

/** Numbers from trials; sinkage counts to 2.5 mm, pull to 2 N, the errors that are aimed at */
export function fitSlipSinkage(
  soil: Soil,
  size: WheelSize,
  trials: readonly WheelPoint[],
): { readonly numbers: SlipSinkage; readonly fit: Fit } {
  const made = ([exponent, driven, braked, frictionAngle]: readonly number[]): SlipSinkage => ({
    exponent,
    driven,
    braked,
    frictionAngle,
  });
  const fit = leastSquares(
    (values) =>
      trials.flatMap(({ slip, load, sinkage, drawbarPull }) => {
        const there = predictedTrial(soil, size, made(values), slip, load);
        return [(there.sinkage - sinkage) / 2.5e-3, (there.drawbarPull - drawbarPull) / 2];
      }),
    [soil.n, 0.5, 0.3, 0.4],
    200,
  );
  return { numbers: made(fit.values), fit };
}

/** Sinkage m and pull N by the exponent n₀, n_d, n_b and the friction angle; cohesion and K are the soil's */
export function foretoldTrial(
  soil: Soil,
  size: WheelSize,
  [exponent, driven, braked, frictionAngle]: readonly number[],
  slip: number,
  load: number,
): { readonly sinkage: number; readonly drawbarPull: number } {
  const ground = { ...soil, n: exponent + (slip > 0 ? driven * slip : -braked * slip), frictionAngle };
  const motion = motionOfSlip(slip);
  const sinkage = wongReeceSinkage(ground, size, load, motion);
  return { sinkage, drawbarPull: wongReeceForces(ground, size, sinkage, motion).drawbarPull };
}

/** The same trials tell and judge the form that was there before them. */
export function cmuForetold(soil: Soil) {
  const { told, judged } = cmuParts();
  const { values } = leastSquares(
    (numbers) =>
      told.flatMap(({ slip, load, sinkage, drawbarPull }) => {
        const there = foretoldTrial(soil, CMU_WHEEL, numbers, slip, load);
        return [(there.sinkage - sinkage) / 2.5e-3, (there.drawbarPull - drawbarPull) / 2];
      }),
    [soil.n, 0.3, 0.3, 0.4],
    200,
  );
  return {
    numbers: values,
    errors: trialErrors(judged, ({ slip, load }) => foretoldTrial(soil, CMU_WHEEL, values, slip, load)),
    judged,
  };
}

/** Root mean square errors, m and N, of trials that were predicted */
export function trialErrors(
  trials: readonly WheelPoint[],
  predicted: (trial: WheelPoint) => { readonly sinkage: number; readonly drawbarPull: number },
): { readonly sinkage: number; readonly drawbarPull: number } {
  let [z, pull] = [0, 0];
  for (const trial of trials) {
    const { sinkage, drawbarPull } = trial;
    const there = predicted(trial);
    z += (there.sinkage - sinkage) * (there.sinkage - sinkage);
    pull += (there.drawbarPull - drawbarPull) * (there.drawbarPull - drawbarPull);
  }
  return { sinkage: Math.sqrt(z / trials.length), drawbarPull: Math.sqrt(pull / trials.length) };
}

/** The trials at −0.2, 0 and 0.5 tell the numbers; those between −0.5 and 0.9 judge them. */
function cmuParts(): { readonly told: readonly WheelPoint[]; readonly judged: readonly WheelPoint[] } {
  const told = CMU_SMOOTH.filter(({ slip }) => slip === -0.2 || slip === 0 || slip === 0.5);
  return { told, judged: CMU_SMOOTH.filter((trial) => trial.slip >= -0.5 && !told.includes(trial)) };
}

export function cmuPrediction(soil: Soil) {
  const { told, judged } = cmuParts();
  const { numbers } = fitSlipSinkage(soil, CMU_WHEEL, told);
  const errors = trialErrors(judged, ({ slip, load }) => predictedTrial(soil, CMU_WHEEL, numbers, slip, load));
  return { numbers, errors, judged };
}
