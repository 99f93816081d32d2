/**
 * Simple craters: a bowl of the diameter D and the depth below the ground around, a rim that falls off as the cube of the distance
 *
 *   ρ = 2 r/D:   h = (d + w) ρ² − d  within the rim,   h = w/ρ³ · (1 − (ρ − 1)/2)² from ρ = 1 to 3, 0 beyond
 *
 *   d = 0.15 D, w = 0.04 D: fresh craters have (d + w)/D ≈ 0.196 and w/D ≈ 0.036 (Pike 1977, small lunar craters). The last factor, ours, ends
 *   the blanket smoothly. Sizes: N(≥ D) = N₁ (D/1 m)^−p per m². Craters add up where they overlap; the rim is a crease.
 */
import { pow } from '../math/elementary.js';
import { random } from '../math/random.js';
import { type Filled, fill, type Given, number, whole } from './parameters.js';

const CRATERS = {
  seed: whole(0, 0, 2147483000, 'another seed, other places and sizes'),
  density: number(0.002, 0, 100, '1/m²', 'craters of at least 1 m on a square metre, N₁'),
  exponent: number(2, 0.5, 5, '', 'p of N(≥ D) = N₁ D^−p'),
  smallest: number(0.5, 0.01, 1000, 'm', 'diameter'),
  largest: number(10, 0.01, 1000, 'm', 'diameter'),
  extent: number(20, 0.1, 1e4, 'm', 'side of the square about the origin that they lie in'),
  depthRatio: number(0.15, 0, 0.5, '', 'depth below the ground around, over the diameter'),
  rimRatio: number(0.04, 0, 0.2, '', 'height of the rim, over the diameter'),
} as const;
export type CraterOptions = Given<typeof CRATERS>;
export type CraterParameters = Filled<typeof CRATERS>;

export const craterParameters = (given: CraterOptions, path: string): CraterParameters => fill(path, CRATERS, given);

interface Crater {
  readonly x: number;
  readonly y: number;
  /** Radius, m */
  readonly radius: number;
}

export function craterList({ seed, density, exponent, smallest, largest, extent }: CraterParameters): Crater[] {
  const draw = random(seed).fork('craters');
  const [many, few] = [pow(smallest, -exponent), pow(Math.max(smallest, largest), -exponent)];
  const expected = density * (many - few) * extent * extent;
  const count = Math.floor(expected + draw.uniform()); // right on average
  return Array.from({ length: Math.min(count, 1e6) }, () => ({
    x: draw.uniformBetween(-extent / 2, extent / 2),
    y: draw.uniformBetween(-extent / 2, extent / 2),
    radius: pow(few + (many - few) * draw.uniform(), -1 / exponent) / 2,
  }));
}

export function craters(p: CraterParameters): (x: number, y: number, out: Float64Array) => void {
  const list = craterList(p);
  // Square cells; a crater is listed in all it reaches
  const cell = Math.max(p.largest, p.smallest);
  const cells = new Map<string, Crater[]>();
  for (const crater of list) {
    const reach = 3 * crater.radius;
    for (let i = Math.floor((crater.x - reach) / cell); i <= Math.floor((crater.x + reach) / cell); i++)
      for (let j = Math.floor((crater.y - reach) / cell); j <= Math.floor((crater.y + reach) / cell); j++) {
        const key = `${i} ${j}`;
        const here = cells.get(key);
        if (here) here.push(crater);
        else cells.set(key, [crater]);
      }
  }
  return (x, y, out) => {
    out.fill(0, 0, 3);
    for (const crater of cells.get(`${Math.floor(x / cell)} ${Math.floor(y / cell)}`) ?? []) {
      const [dx, dy] = [x - crater.x, y - crater.y];
      const r = Math.sqrt(dx * dx + dy * dy);
      const rho = r / crater.radius;
      if (rho >= 3) continue;
      const [d, w] = [2 * p.depthRatio * crater.radius, 2 * p.rimRatio * crater.radius];
      let slope: number; // by ρ
      if (rho < 1) {
        out[0] += (d + w) * rho * rho - d;
        slope = 2 * (d + w) * rho;
      } else {
        const end = 1.5 - 0.5 * rho;
        const fall = w / (rho * rho * rho);
        out[0] += fall * end * end;
        slope = -fall * end * ((3 * end) / rho + 1);
      }
      if (r > 0) {
        out[1] += (slope * dx) / (crater.radius * r);
        out[2] += (slope * dy) / (crater.radius * r);
      }
    }
  };
}
