import { describe, expect, test } from 'vitest';
import { frustum, sphere } from '../../geometry/primitives.js';
import type { Vec3 } from '../../math/vec3.js';
import type { GrainRadius, Packing } from '../../model/grains.js';
import type { NewGrain } from '../bed.js';
import { Neighbourhood } from '../neighbourhood.js';
import { type Region, regionOf } from '../region.js';
import { AT_REST } from '../wall-arrays.js';
import { planeFeature } from '../wall-features.js';
import { packed } from './packing.js';
import type { Surroundings } from './relaxed-packing.js';

const material = { density: 2500, youngsModulus: 1e7, poissonRatio: 0.3 };
const kinds = [
  { name: 'bead', youngsModulus: 1e7, poissonRatio: 0.3 },
  { name: 'slope', youngsModulus: 1e7, poissonRatio: 0.3, wall: true },
];
const around: Surroundings = {
  walls: [],
  kinds,
  lawOf: () => ({ restitution: 0.5, friction: 0.5 }),
  gravity: [0, 0, -9.81],
};
const pack = (
  packing: Partial<Packing>,
  {
    radius = 1e-3,
    seed = 'a',
    ...more
  }: Partial<Surroundings> & { radius?: GrainRadius; seed?: string; others?: NewGrain[] } = {},
) =>
  packed(
    { path: 'packing', packing: { species: 'bead', ...packing }, species: { radius, material }, kind: 0, seed },
    new Neighbourhood(6e-3),
    () => true,
    { ...around, others: [], ...more },
  );
const cube = (side: number): Packing['region'] => ({
  box: [
    [0, 0, 0],
    [side, side, side],
  ],
});
const solid = (grains: readonly NewGrain[]) =>
  grains.reduce((sum, { radius: r }) => sum + (4 / 3) * Math.PI * r ** 3, 0);

/** Greatest overlap of a pair by the sum of radii; brute force */
function deepest(grains: readonly NewGrain[], period = 0): number {
  let most = 0;
  for (let i = 0; i < grains.length; i++)
    for (let j = 0; j < i; j++) {
      const d = grains[i].position.map((x, k) => {
        const way = x - grains[j].position[k];
        return period > 0 ? way - period * Math.round(way / period) : way;
      });
      const reach = grains[i].radius + grains[j].radius;
      most = Math.max(most, 1 - Math.hypot(...d) / reach);
    }
  return most;
}

// Not only their centres: what would stick out of the region is tried elsewhere
test.each([
  ['a box', cube(0.02)],
  ['a cylinder', { cylinder: { radius: 0.01, height: 0.02, axis: [1, 1, 0] } }],
  ['a mesh', { inside: frustum({ bottomRadius: 0.006, topRadius: 0.012, height: 0.02 }) }],
] as const)('loose at random in %s: whole balls are in it', (_, given) => {
  const region = regionOf(given as NonNullable<Packing['region']>);
  const grains = pack({ region: given as NonNullable<Packing['region']>, arrangement: 'random', fraction: 0.15 });
  expect(grains.length).toBeGreaterThan(50);
  for (const { position, radius } of grains) {
    expect(region.holds(...position, radius)).toBe(true);
    // By points of the ball's surface, independently of `holds`
    for (let k = 0; k < 14; k++) {
      const d =
        k < 6
          ? [0, 1, 2].map((m) => (m === k >> 1 ? (k & 1 ? 1 : -1) : 0))
          : [0, 1, 2].map((m) => (((k - 6) >> m) & 1 ? 1 : -1) / Math.sqrt(3));
      const [x, y, z] = position.map((p, m) => p + 0.999 * radius * d[m]);
      expect(region.contains(x, y, z)).toBe(true);
    }
  }
});

// A slab one and a half grains high: random places do not hold all of them whole, and they are moved until there is room
test('loose at random where the region is narrow', () => {
  const box = [
    [-0.004, -0.004, 0],
    [0.004, 0.004, 0.003],
  ] as const;
  const grains = pack({ region: { box } as never, arrangement: 'random', fraction: 0.28 });
  for (const { position, radius } of grains)
    for (let k = 0; k < 3; k++) {
      expect(position[k] - radius).toBeGreaterThan(box[0][k] - 1e-3 * radius);
      expect(position[k] + radius).toBeLessThan(box[1][k] + 1e-3 * radius);
    }
});

describe('random to a fraction', () => {
  const period = { low: [0, 0, 0] as Vec3, length: [0.012, 0.012, 0.012] as Vec3 };
  test('0.6 in a periodic box: none overlaps, the same from the same seed', () => {
    const grains = pack({ region: cube(0.012), arrangement: 'random', fraction: 0.6 }, { period });
    expect(solid(grains) / 0.012 ** 3).toBeCloseTo(0.6, 2);
    expect(deepest(grains, 0.012)).toBe(0);
    expect(pack({ region: cube(0.012), arrangement: 'random', fraction: 0.6 }, { period })).toEqual(grains);
    expect(pack({ region: cube(0.012), arrangement: 'random', fraction: 0.6 }, { period, seed: 'b' })).not.toEqual(
      grains,
    );
  });

  // Equal spheres jam at random at 0.64 (Bernal & Mason 1960: 0.64; Torquato et al. 2000: 0.62 to 0.66 by how they are driven)
  test('what cannot be reached says what can', () => {
    let message = '';
    try {
      pack({ region: cube(0.012), arrangement: 'random', fraction: 0.7 }, { period });
    } catch (error) {
      message = (error as Error).message;
    }
    const reached = Number(/beyond a fraction of (0\.\d+)/.exec(message)?.[1]);
    expect(message).toContain(
      'packing: expected 288 grains (a fraction of 0.7), but they overlap beyond a fraction of',
    );
    expect(reached).toBeGreaterThan(0.6);
    expect(reached).toBeLessThan(0.65);
  });

  test('beside grains that are there, in walls that are there', () => {
    const big = { position: [5e-3, 5e-3, 5e-3] as Vec3, radius: 3e-3, kind: 0, density: 2500 };
    const grains = pack({ region: cube(0.01), arrangement: 'random', fraction: 0.35 }, { others: [big], radius: 8e-4 });
    expect(deepest([...grains, big])).toBe(0);
    for (const { position, radius } of grains)
      for (const x of position) expect(Math.min(x, 0.01 - x)).toBeGreaterThanOrEqual(radius);
  });

  test.each([
    ['a cylinder', { cylinder: { radius: 6e-3, height: 0.014, from: [0, 0, 0], axis: [0, 1, 0] } }],
    ['a ball, by its mesh', { inside: sphere(8e-3) }],
    ['a hopper, by its mesh', { inside: frustum({ bottomRadius: 4e-3, topRadius: 9e-3, height: 0.012 }) }],
  ] as const)('in %s', (_, region) => {
    const grains = pack({ region: region as never, arrangement: 'random', fraction: 0.45 });
    const inside: Region = regionOf(region as never);
    expect(solid(grains) / inside.volume).toBeGreaterThan(0.44);
    expect(deepest(grains)).toBe(0);
    for (const { position } of grains) expect(inside.contains(...position)).toBe(true);
  });
});

describe('poured', () => {
  const heightOf = (grains: readonly NewGrain[]) =>
    grains.reduce((sum, { position }) => sum + position[2], 0) / grains.length;
  test('into a box: looser than random close packing, denser than the loosest heap', () => {
    const grains = pack({
      region: {
        box: [
          [0, 0, 0],
          [0.014, 0.014, 0.02],
        ],
      },
      arrangement: 'poured',
      count: 260,
    });
    // Middle of the bed is at half its height
    const fraction = solid(grains) / (0.014 * 0.014 * 2 * heightOf(grains));
    expect(fraction).toBeGreaterThan(0.5);
    expect(fraction).toBeLessThan(0.6);
    expect(deepest(grains)).toBeLessThan(5e-3); // they carry their weight
  });
  test('on a slope they lie against its lower end', () => {
    const s = Math.sin(0.35);
    const slope = {
      name: 'slope',
      kind: 1,
      features: planeFeature([-s, 0, Math.sqrt(1 - s * s)], 0),
      pose: AT_REST,
      farthest: 1,
    };
    const grains = pack(
      {
        region: {
          box: [
            [0, 0, 0],
            [0.02, 0.01, 0.02],
          ],
        },
        arrangement: 'poured',
        count: 150,
      },
      { walls: [slope] },
    );
    const x = grains.reduce((sum, { position }) => sum + position[0], 0) / grains.length;
    // Below the middle of the box, 0.01 m, by more than the mean of 150 places scatters: 0.02 m/√12/√150
    expect(x).toBeLessThan(0.01 - 0.02 / Math.sqrt(12 * 150));
    for (const { position, radius } of grains)
      expect(position[2] * Math.sqrt(1 - s * s) - position[0] * s).toBeGreaterThan(0.99 * radius);
  });
  test('without gravity nothing can be', () => {
    expect(() => pack({ region: cube(0.01), arrangement: 'poured', count: 20 }, { gravity: [0, 0, 0] })).toThrow(
      'packing: grains are poured by gravity, and there is none',
    );
  });
});

describe('sizes', () => {
  const many = (radius: GrainRadius) => pack({ region: cube(0.2), count: 4000 }, { radius }).map(({ radius: r }) => r);
  // Of mass that passes linearly from 2 mm (0) over 4 mm (0.3) to 6 mm (1); 4000 grains leave about 2 % of the mass to chance
  test('a sieve curve passes the parts of the mass it should', () => {
    const radii = many({
      sieve: [
        [2e-3, 0],
        [4e-3, 0.3],
        [6e-3, 1],
      ],
    });
    const mass = (from: number, to: number) =>
      radii.filter((r) => 2 * r >= from && 2 * r < to).reduce((sum, r) => sum + r ** 3, 0) /
      radii.reduce((sum, r) => sum + r ** 3, 0);
    expect(mass(0, 4e-3)).toBeCloseTo(0.3, 1);
    expect(Math.abs(mass(2e-3, 3e-3) - 0.15)).toBeLessThan(0.02);
    expect(Math.abs(mass(4e-3, 5e-3) - 0.35)).toBeLessThan(0.03);
  });
  test('normal, uniform and list', () => {
    const normal = many({ normal: { mean: 2e-3, deviation: 2e-4 } });
    const mean = normal.reduce((sum, r) => sum + r, 0) / normal.length;
    expect(Math.abs(mean - 2e-3)).toBeLessThan(1.2e-5); // 4 σ/√n
    const spread = Math.sqrt(normal.reduce((sum, r) => sum + (r - mean) ** 2, 0) / normal.length);
    expect(spread / 2e-4).toBeCloseTo(0.987, 1); // cut at 3σ: 0.9866
    const uniform = many({ uniform: [1e-3, 2e-3] });
    expect(Math.min(...uniform)).toBeGreaterThanOrEqual(1e-3);
    expect(uniform.reduce((sum, r) => sum + r, 0) / uniform.length).toBeCloseTo(1.5e-3, 4);
    expect(new Set(many({ list: [1e-3, 2.5e-3] }))).toEqual(new Set([1e-3, 2.5e-3]));
  });
});

// Shaken by up to 5 radii either way, and by two hundredths beside limits that touch the lattice
test.each([
  { spacing: 6, jitter: 5, side: 0.05 },
  { spacing: 1.05, jitter: 0.05, side: 0.02 + 2.1e-3 - 1e-4 },
])('a lattice stays in its region however it is shaken: $jitter', ({ spacing, jitter, side }) => {
  const grains = pack({ region: cube(side), spacing, jitter });
  expect(grains.length).toBeGreaterThan(20);
  for (const { position, radius } of grains)
    for (const x of position) {
      expect(x).toBeGreaterThanOrEqual(radius);
      expect(x).toBeLessThanOrEqual(side - radius);
    }
});

describe('what is refused', () => {
  test('grains in one another, by place', () => {
    const at = [
      [0, 0, 0],
      [0.0015, 0, 0],
    ] as never;
    expect(() => pack({ arrangement: 'given', at })).toThrow(
      'packing.at[1]: the grain at (0.0015, 0, 0) m, radius 0.001 m, is in the one at (0, 0, 0) m; move them apart',
    );
  });
  test('a region that is full already', () => {
    const placed = new Neighbourhood(6e-3);
    const fill = () =>
      packed(
        {
          path: 'packing',
          packing: { species: 'bead', region: cube(0.01) },
          species: { radius: 1e-3, material },
          kind: 0,
          seed: 'a',
        },
        placed,
        () => true,
        { ...around, others: [] },
      );
    expect(fill().length).toBeGreaterThan(60);
    expect(fill).toThrow('packing: no grain fits into its region, for grains of earlier packings are there');
  });
  test('a radius of 0, a lattice that does not fit', () => {
    expect(() => pack({ arrangement: 'given', at: [[0, 0, 0, 0]] as never })).toThrow('expected a radius > 0 m, got 0');
    expect(() => pack({ region: cube(0.01), count: 1000 })).toThrow('expected 1000 grains, but only');
  });
});
