/**
 * How many rocks of which diameter lie on a square metre.
 *
 *   golombek   F(≥ D) = k e^(−q D), part of the ground under rocks of at least D; q = 1.79 + 0.152/k; so dN/dD = 4/(π D²) k q e^(−q D).
 *              Golombek & Rapp (1997), doi 10.1029/96JE03319. k: 0.02 Phoenix, 0.03 InSight, 0.05 Spirit, 0.19 Pathfinder
 *   powerLaw   N(≥ D) = N₁ (D/1 m)^−p, as on airless bodies; p from 2.5 to 3.5
 *
 *   D diameter, m; N number per m²; k part of the ground under all rocks
 */
import { exp, log, pow } from '../math/elementary.js';
import type { Random } from '../math/random.js';

export interface RockStatistic {
  readonly statistic: 'golombek' | 'powerLaw';
  /** k of golombek */
  readonly coverage: number;
  /** N₁ of the power law, 1/m² */
  readonly density: number;
  /** p of the power law */
  readonly exponent: number;
  /** Diameters, m */
  readonly smallest: number;
  readonly largest: number;
}

const NODES = 4000;

/** Rocks on a square metre and metre of diameter, at diameter D */
export function numberDensity({ statistic, coverage: k, density, exponent }: RockStatistic, D: number): number {
  if (statistic === 'powerLaw') return density * exponent * pow(D, -exponent - 1);
  const q = 1.79 + 0.152 / k;
  return (4 / (Math.PI * D * D)) * k * q * exp(-q * D);
}

/** Part of the ground under rocks from D to the largest */
export function coverageAbove(statistic: RockStatistic, D: number): number {
  const { coverage: k, density, exponent: p, largest } = statistic;
  if (statistic.statistic === 'golombek') {
    const q = 1.79 + 0.152 / k;
    return k * (exp(-q * D) - exp(-q * largest));
  }
  const quarter = (Math.PI / 4) * density * p;
  return p === 2 ? quarter * log(largest / D) : (quarter / (2 - p)) * (pow(largest, 2 - p) - pow(D, 2 - p));
}

export class SizeTable {
  /** Expected on a square metre */
  readonly number: number;
  private readonly diameters = new Float64Array(NODES);
  private readonly cumulative = new Float64Array(NODES);

  constructor(statistic: RockStatistic) {
    const { smallest, largest } = statistic;
    const ratio = log(largest / smallest) / (NODES - 1);
    for (let i = 0; i < NODES; i++) this.diameters[i] = i === NODES - 1 ? largest : smallest * exp(ratio * i);
    for (let i = 1; i < NODES; i++) {
      const [a, b] = [this.diameters[i - 1], this.diameters[i]];
      const middle = Math.sqrt(a * b);
      const rule = numberDensity(statistic, a) + 4 * numberDensity(statistic, middle) + numberDensity(statistic, b); // nearly Simpson's
      this.cumulative[i] = this.cumulative[i - 1] + ((b - a) / 6) * rule;
    }
    this.number = this.cumulative[NODES - 1];
  }

  /** Diameter below which the part u of all rocks lies, m */
  diameter(u: number): number {
    const wanted = u * this.number;
    let [low, high] = [0, NODES - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.cumulative[middle] <= wanted) low = middle;
      else high = middle;
    }
    const t = (wanted - this.cumulative[low]) / (this.cumulative[high] - this.cumulative[low]);
    return this.diameters[low] + t * (this.diameters[high] - this.diameters[low]);
  }
}

/** A Poisson number: gaps of an even flow are counted until the mean is used up, in pieces whose e^−m does not vanish. */
export function poisson(mean: number, draw: Random): number {
  let count = 0;
  for (let left = mean; left > 0; left -= 500) {
    const limit = exp(-Math.min(left, 500));
    for (let product = draw.uniform(); product > limit; product *= draw.uniform()) count++;
  }
  return count;
}
