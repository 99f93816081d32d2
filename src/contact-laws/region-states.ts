/**
 * The states that a contact region has in y. Each law owns its own, if any, and says how many; a region's are those of the laws that were chosen,
 * one after the other.
 */
import type { FrictionLaw } from './contact-law.js';
import { BRISTLE_STATES } from './torsion/patch-bristle.js';
import { ROLLING_STATES } from './torsion/rolling-resistance.js';

export interface RegionStates {
  readonly count: number;
  /** Where those of each law begin, from the region's first; −1 where it has none: (s₁, s₂, ψ) of friction that holds, (ρ₁, ρ₂) of rolling */
  readonly bristle: number;
  readonly rolling: number;
}

export function regionStates({ kind }: FrictionLaw, rolls: boolean): RegionStates {
  const bristle = kind === 'bristle' ? BRISTLE_STATES : 0;
  const rolling = rolls ? ROLLING_STATES : 0;
  return { count: bristle + rolling, bristle: bristle > 0 ? 0 : -1, rolling: rolling > 0 ? bristle : -1 };
}

/** More has no region. */
export const MOST_REGION_STATES = BRISTLE_STATES + ROLLING_STATES;
