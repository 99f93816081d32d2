import { describe, expect, test } from 'vitest';
import { convexHull } from '../geometry/hull.js';
import { meshMassProperties } from '../geometry/mass-properties.js';
import { validateMesh } from '../geometry/validation.js';
import { exp, log } from '../math/elementary.js';
import { random } from '../math/random.js';
import { rock } from './rock.js';
import { rockField } from './rock-field.js';
import { coverageAbove, poisson, type RockStatistic, SizeTable } from './rock-sizes.js';
import { flatTerrain } from './terrain.js';

describe('a rock', () => {
  // Ellipsoid: V = 4/3 π abc, I_xx = m/5 (b² + c²); the inscribed polyhedron of 10 242 vertices is 0.2 % short in volume
  test('without roughness is an ellipsoid', () => {
    const { properties } = rock({ form: 0, surface: 0, length: 0.4, width: 0.3, height: 0.2, subdivision: 5 });
    expect(Math.abs(properties.volume / ((4 / 3) * Math.PI * 0.2 * 0.15 * 0.1) - 1)).toBeLessThan(5e-3);
    expect(Math.abs(properties.inertia[0] / ((properties.mass / 5) * (0.15 ** 2 + 0.1 ** 2)) - 1)).toBeLessThan(5e-3);
  });
  test('is a solid of the dimensions asked, whatever its roughness', () => {
    for (const seed of [1, 2, 3]) {
      const { solid } = rock({ form: 0.5, surface: 0.2, facets: 4, seed, subdivision: 3 });
      expect(validateMesh(solid.mesh).ok).toBe(true);
      const x = solid.mesh.vertices.filter((_, i) => i % 3 === 0);
      expect(Math.max(...x) - Math.min(...x)).toBeCloseTo(0.3, 12);
    }
  });
  test('by volume', () => {
    const { properties } = rock({ match: 'volume', form: 0.4 });
    expect(properties.volume / ((4 / 3) * Math.PI * 0.15 * 0.12 * 0.09)).toBeCloseTo(1, 9);
  });
  test('the rougher its surface, the more area over its hull', () => {
    const ratio = (surface: number): number => {
      const { solid, properties } = rock({ surface, form: 0.2, seed: 4 });
      return properties.area / meshMassProperties(convexHull(solid.mesh.vertices)).area;
    };
    const ratios = [0, 0.05, 0.1, 0.2].map(ratio);
    for (let i = 1; i < 4; i++) expect(ratios[i]).toBeGreaterThan(ratios[i - 1]);
  });
  test('its hull is a few percent larger', () => {
    const excess = rock({ seed: 2 }).hullExcess();
    expect(excess).toBeGreaterThan(0.005);
    expect(excess).toBeLessThan(0.2);
  });
});

const mars: RockStatistic = {
  statistic: 'golombek',
  coverage: 0.05,
  density: 0,
  exponent: 3,
  smallest: 0.05,
  largest: 2,
};

describe('sizes', () => {
  // Golombek & Rapp with 2 m as the largest: F(0.1 m) = .00782 (k .02), .03084 (.05), .05526 (.08), .14558 (.19)
  test.each([
    [0.02, 0.00782],
    [0.05, 0.03084],
    [0.08, 0.05526],
    [0.19, 0.14558],
  ])('coverage of k = %f', (coverage, expected) => {
    expect(coverageAbove({ ...mars, coverage }, 0.1)).toBeCloseTo(expected, 5);
  });
  test('rocks on 2500 m²: 8098 of k = 0.05, 21 062 of k = 0.19', () => {
    expect(Math.round(2500 * new SizeTable(mars).number)).toBe(8098);
    expect(Math.round(2500 * new SizeTable({ ...mars, coverage: 0.19 }).number)).toBe(21062);
  });
  test('power law: the sampled slope is the exponent', () => {
    const table = new SizeTable({
      ...mars,
      statistic: 'powerLaw',
      density: 0.02,
      exponent: 3,
      smallest: 0.1,
      largest: 1e3,
    });
    const draw = random(2);
    let sum = 0;
    for (let k = 0; k < 20000; k++) sum += log(table.diameter(draw.uniform()) / 0.1);
    expect(20000 / sum).toBeCloseTo(3, 1); // Hill's estimate, error 3/√20000
  });
  test('Poisson numbers have the mean as variance', () => {
    const draw = random(9);
    let [sum, squares] = [0, 0];
    for (let k = 0; k < 2000; k++) {
      const n = poisson(700, draw);
      [sum, squares] = [sum + n, squares + n * n];
    }
    expect(sum / 2000 / 700).toBeCloseTo(1, 2);
    expect((squares / 2000 - (sum / 2000) ** 2) / 700).toBeCloseTo(1, 0);
  });
});

describe('a field of rocks', () => {
  // Poisson: the covered part has the variance (1/A) ∫ (π D²/4)² dN; the mean of ten fields of 2500 m² lies within 1.5 % where D ≤ 0.2 m
  test('ten fields cover the ground as the statistic says', () => {
    const ground = flatTerrain();
    const covered = [0.05, 0.1, 0.2].map(() => 0);
    for (let seed = 0; seed < 10; seed++) {
      const { rocks, notPlaced } = rockField(ground, {
        coverage: 0.05,
        length: 50,
        width: 50,
        shapes: 1,
        subdivision: 2,
        seed,
      });
      expect(notPlaced).toBeLessThan(5);
      for (const [i, D] of [0.05, 0.1, 0.2].entries())
        for (const { diameter } of rocks) if (diameter >= D) covered[i] += (Math.PI / 4) * diameter * diameter;
    }
    for (const [i, D] of [0.05, 0.1, 0.2].entries()) {
      const value = covered[i] / (10 * 2500);
      const q = 1.79 + 0.152 / 0.05;
      // ∫ (π D²/4) k q e^(−qD) dD from D to ∞
      const variance = ((Math.PI / 4) * 0.05 * exp(-q * D) * (D * D + (2 * D) / q + 2 / (q * q))) / (10 * 2500);
      expect(Math.abs(value - coverageAbove(mars, D))).toBeLessThan(3 * Math.sqrt(variance));
    }
  });
  test('no two rocks are nearer than asked; they stand in the ground; seeds give other fields', () => {
    const field = rockField(flatTerrain(), {
      coverage: 0.1,
      length: 8,
      width: 8,
      gap: 0.1,
      clear: 1,
      seed: 3,
      subdivision: 2,
    });
    const { rocks, library } = field;
    const radius = (k: number): number => (rocks[k].diameter * library[rocks[k].shape].parameters.length) / 2;
    for (let i = 0; i < rocks.length; i++) {
      const [x, y, z] = rocks[i].position;
      expect(Math.sqrt(x * x + y * y)).toBeGreaterThanOrEqual(1);
      expect(z).toBeLessThan(rocks[i].diameter);
      for (let j = 0; j < i; j++) {
        const [u, v] = rocks[j].position;
        expect(Math.sqrt((x - u) ** 2 + (y - v) ** 2)).toBeGreaterThanOrEqual(1.1 * (radius(i) + radius(j)) - 1e-12);
      }
    }
    expect(rockField(flatTerrain(), { seed: 4, length: 4, width: 4 }).id).not.toBe(
      rockField(flatTerrain(), { seed: 5, length: 4, width: 4 }).id,
    );
  });
  test('a field that cannot be placed says how many were', () => {
    expect(() => rockField(flatTerrain(), { coverage: 0.4, length: 6, width: 6, gap: 3, seed: 1 })).toThrow(
      /only \d+ of \d+ rocks found a free place/,
    );
  });
});
