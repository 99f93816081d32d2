/**
 * Slots of a pair without a region: their memory fades, s' = −(k/d) s, and what they hold with it, as stiff as at the last touch. What has become part of
 * another region keeps its memory until it is handed on (region-life.ts).
 */
import type { PairLaw } from '../contact-laws/pair-law.js';
import type { PairDerivative } from '../dynamics/elements/pair-element.js';
import type { PairRegions } from './pair-regions.js';

export class OpenSlots {
  /** Tangential, N/m */
  private readonly stiffness: number;

  constructor(private readonly regions: PairRegions) {
    this.stiffness = stiffnessAtTouch(regions.law);
  }

  /** Rates of their states, after the last search */
  fade(y: Float64Array, rates: Float64Array): void {
    const { slots, stateAt, perRegion, occupied, mergedInto } = this.regions;
    for (let s = 0; s < slots.length; s++) {
      const at = stateAt + perRegion * s;
      if (occupied[s] !== 0) continue;
      const rate = mergedInto[s] < 0 ? slots[s].relaxationRate : 0;
      for (let k = 0; k < perRegion; k++) rates[at + k] = 0 - rate * y[at + k];
    }
  }

  /** Derivatives of these rates */
  differentiate(out: PairDerivative): void {
    const { slots, states, perRegion, occupied, mergedInto } = this.regions;
    for (let s = 0; s < slots.length; s++) {
      if (occupied[s] !== 0 || mergedInto[s] >= 0) continue;
      const rate = slots[s].relaxationRate;
      for (let k = 0; k < perRegion; k++) {
        const i = perRegion * s + k;
        out.ratesByState[i * states + i] = 0 - rate;
      }
    }
  }

  /** What they still hold, J */
  energy(y: Float64Array): number {
    const { slots, occupied } = this.regions;
    let sum = 0;
    for (let s = 0; s < slots.length; s++) if (occupied[s] === 0) sum += this.energyOf(s, y);
    return sum;
  }

  /** What they lose as their memory fades, W */
  loss(y: Float64Array): number {
    const { slots, occupied, mergedInto } = this.regions;
    let sum = 0;
    for (let s = 0; s < slots.length; s++)
      if (occupied[s] === 0 && mergedInto[s] < 0) sum += 2 * slots[s].relaxationRate * this.energyOf(s, y);
    return sum;
  }

  private energyOf(s: number, y: Float64Array): number {
    const { perRegion, stateAt, law } = this.regions;
    let bristle = 0;
    let rolling = 0;
    const first = law.states.rolling < 0 ? perRegion : law.states.rolling;
    for (let k = 0; k < perRegion; k++) {
      const z = y[stateAt + perRegion * s + k];
      if (k < first) bristle += z * z;
      else rolling += z * z;
    }
    return 0.5 * (this.stiffness * bristle + (law.rolling ? law.rolling.stiffness * rolling : 0));
  }
}

/** Tangential stiffness of a region at touch, N/m */
function stiffnessAtTouch({ tangential }: PairLaw): number {
  const { coefficient, areaPower, areaFloor, depthPower, depthFloor } = tangential;
  const byArea = areaPower === 0 ? 1 : areaPower === 1 ? areaFloor : Math.sqrt(areaFloor);
  return coefficient * byArea * (depthPower === 0 ? 1 : Math.sqrt(depthFloor));
}
