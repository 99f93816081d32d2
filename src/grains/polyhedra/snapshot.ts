/**
 * All that the future of rigid grains depends on, taken after the forces of a step: poses and momenta, the forces that act, what touching pairs remember, the scale of the sums.
 * Lists are made anew; separating vectors of pairs that do not touch only save time.
 */
import { type GrainArrays, PAIR_HISTORY } from './grain-arrays.js';

export interface RigidGrainsSnapshot {
  /** 26 per body: position, 0; orientation; velocities, 8; momenta, 0; force and torque */
  readonly bodies: Float64Array;
  /** 18 per touching pair of pieces: the two, the first the lower, and their history */
  readonly pairs: Float64Array;
  /** Scale of the sums, greatest force, whether all sums were exact, critical step, deepest contact and when, touching pairs; energies, work of the told bodies; counts */
  readonly scales: Float64Array;
}

export const BODY = 26;
export const PAIR = 2 + PAIR_HISTORY;

export function bodiesOf(arrays: GrainArrays, wrench: (body: number, into: Float64Array) => void): Float64Array {
  const { bodyCount, positions, orientations, velocities, momenta } = arrays;
  const out = new Float64Array(BODY * bodyCount);
  const force = new Float64Array(6);
  for (let b = 0; b < bodyCount; b++) {
    out.set(positions.view.subarray(4 * b, 4 * b + 4), BODY * b);
    out.set(orientations.view.subarray(4 * b, 4 * b + 4), BODY * b + 4);
    out.set(velocities.view.subarray(8 * b, 8 * b + 8), BODY * b + 8);
    out.set(momenta.view.subarray(4 * b, 4 * b + 4), BODY * b + 16);
    wrench(b, force);
    out.set(force, BODY * b + 20);
  }
  return out;
}

/** Poses and momenta, without the forces */
export function placeBodies(arrays: GrainArrays, bodies: Float64Array): void {
  const { bodyCount, positions, orientations, velocities, momenta } = arrays;
  for (let b = 0; b < bodyCount; b++) {
    const own = bodies.subarray(BODY * b, BODY * (b + 1));
    positions.view.set(own.subarray(0, 4), 4 * b);
    orientations.view.set(own.subarray(4, 8), 4 * b);
    velocities.view.set(own.subarray(8, 16), 8 * b);
    momenta.view.set(own.subarray(16, 20), 4 * b);
    arrays.turned(b);
  }
}

export function touchingPairs({ pairCount, pairs, history }: GrainArrays): Float64Array {
  const touching: number[] = [];
  for (let k = 0; k < pairCount; k++) if (history.view[PAIR_HISTORY * k + 7] > 0) touching.push(k);
  touching.sort((a, b) => pairs.view[2 * a] - pairs.view[2 * b] || pairs.view[2 * a + 1] - pairs.view[2 * b + 1]);
  const out = new Float64Array(PAIR * touching.length);
  touching.forEach((k, at) => {
    out.set(pairs.view.subarray(2 * k, 2 * k + 2), PAIR * at);
    out.set(history.view.subarray(PAIR_HISTORY * k, PAIR_HISTORY * (k + 1)), PAIR * at + 2);
  });
  return out;
}
