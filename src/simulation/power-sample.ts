/** Powers of a mechanism at one instant, and sums of them: what becomes heat, what is put in, what of the heat is friction; and the heat that sensors of single pairs tell. */
import type { PowerLedger } from '../dynamics/elements/pair-element.js';

/** The quantities that are integrated over time */
export const LEDGERS = ['dissipated', 'supplied', 'friction'] as const;

/** Powers at one instant, W */
export interface PowerSample extends PowerLedger {
  /** Per sensor */
  readonly heats: Float64Array;
}

/** @param sensors how many sensors of heat there are */
export const noPower = (sensors: number): PowerSample => ({
  dissipated: 0,
  supplied: 0,
  friction: 0,
  heats: new Float64Array(sensors),
});

export function copyPowers(from: PowerSample, into: PowerSample): void {
  for (const key of LEDGERS) into[key] = from[key];
  into.heats.set(from.heats);
}

export function clearPowers(of: PowerSample): void {
  for (const key of LEDGERS) of[key] = 0;
  of.heats.fill(0);
}

export function addPowers(sum: PowerSample, weight: number, of: PowerSample): void {
  for (const key of LEDGERS) sum[key] += weight * of[key];
  for (let i = 0; i < sum.heats.length; i++) sum.heats[i] += weight * of.heats[i];
}

/** Nothing is lost and nothing put in. */
export const isNothing = ({ dissipated, supplied }: PowerLedger): boolean => dissipated === 0 && supplied === 0;
