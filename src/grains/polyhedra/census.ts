/**
 * The longest stable step of leapfrog for the contacts there are: h_c = 2/Ω, Ω the greatest frequency, bounded grain by grain (Gershgorin) by
 *
 *   Ω²  = 2 Σ (k_n + 2 k_t)/m                 moving
 *   Ω'² = 2 Σ (k_n |r × n|² + 2 k_t |r|²)/I    turning, I the smallest principal moment
 *
 *   k_n, k_t  stiffness of a contact, K|S| and 0.8 K|S| for the bed     N/m
 *   r         from the centre of mass to the contact                    m
 *
 * The frequency of a pair alone, √(K|S|/m*), is too low by 5 for a pile: grains have many contacts, which turn them too.
 */
import { ModelError } from '../../errors.js';
import { wayBetween } from '../neighbourhood.js';
import type { GrainArrays } from './grain-arrays.js';

export interface Census {
  /** h_c, s; Infinity where nothing touches */
  readonly criticalStep: number;
  /** The body that decides, −1 for none */
  readonly body: number;
  /** Its stiffest contact, as a listed pair, −1 for none */
  readonly pair: number;
}

/** From the records of the last forces. */
export function census(arrays: GrainArrays): Census {
  const { pairs, pieces, positions, velocities, records, inverseMoments, bodyCount, pairCount, period } = arrays;
  const moving = new Float64Array(bodyCount);
  const turning = new Float64Array(bodyCount);
  const stiffest = new Int32Array(bodyCount).fill(-1);
  const r = records.view;
  const x = positions.view;
  for (let k = 0; k < pairCount; k++) {
    const at = 16 * k;
    if (!(r[at] > 0)) continue;
    const [normal, tangential] = [r[at + 12], r[at + 13]];
    for (let end = 0; end < 2; end++) {
      const b = pieces.view[8 * pairs.view[2 * k + end]];
      if (!(velocities.view[8 * b + 3] > 0)) continue;
      const dx = wayBetween(r[at + 6], x[4 * b], 0, period);
      const dy = wayBetween(r[at + 7], x[4 * b + 1], 1, period);
      const dz = wayBetween(r[at + 8], x[4 * b + 2], 2, period);
      const [nx, ny, nz] = [r[at + 9], r[at + 10], r[at + 11]];
      const square = dx * dx + dy * dy + dz * dz;
      const along = dx * nx + dy * ny + dz * nz;
      moving[b] += normal + 2 * tangential;
      turning[b] += normal * (square - along * along) + 2 * tangential * square;
      if (stiffest[b] < 0 || normal > r[16 * stiffest[b] + 12]) stiffest[b] = k;
    }
  }
  let [greatest, body] = [0, -1];
  for (let b = 0; b < bodyCount; b++) {
    const i = inverseMoments.view;
    const turn = Math.max(i[4 * b], i[4 * b + 1], i[4 * b + 2]);
    const square = 2 * Math.max(moving[b] * velocities.view[8 * b + 3], turning[b] * turn);
    if (square > greatest) [greatest, body] = [square, b];
  }
  return { criticalStep: 2 / Math.sqrt(greatest), body, pair: body < 0 ? -1 : stiffest[body] };
}

/** @throws ModelError that names the grain and the contact */
export function refuseStep(
  step: number,
  { criticalStep, body }: Census,
  time: number,
  nameOf: (b: number) => string,
  other: number,
): void {
  if (step <= criticalStep) return;
  throw new ModelError(
    'grains.step',
    `t = ${time} s: the step of ${step} s is longer than ${criticalStep.toPrecision(3)} s, beyond which ${nameOf(body)} on ${nameOf(other)} ` +
      `shakes itself loose; give a step of ${(0.5 * criticalStep).toPrecision(2)} s, or a smaller modulus`,
  );
}
