import { describe, expect, test } from 'vitest';
import * as materials from './materials.js';
import { glass, ice, knownPairCount, materialSchema, oak, pairProperties, rubber, steel } from './materials.js';
import { check } from './schema.js';

const library = Object.values(materials).filter(
  (value): value is materials.Material => typeof value === 'object' && 'density' in value,
);

describe('library', () => {
  test('at least 25 materials, complete, with names of their own, accepted by the schema', () => {
    expect(library.length).toBeGreaterThanOrEqual(25);
    expect(new Set(library.map(({ name }) => name)).size).toBe(library.length);
    for (const material of library) {
      expect(check(materialSchema, material, 'material')).toEqual(material);
      for (const key of ['youngsModulus', 'poissonRatio', 'restitution', 'friction'] as const)
        expect(material[key], `${material.name}.${key}`).toBeTypeOf('number');
    }
  });
  // between the lightest and the densest, the softest and the stiffest of everyday solids
  test('orders of magnitude', () => {
    for (const { density, youngsModulus } of library) {
      expect(density).toBeGreaterThan(100);
      expect(density).toBeLessThan(20000);
      expect(youngsModulus).toBeGreaterThanOrEqual(1e6);
      expect(youngsModulus).toBeLessThan(1e12);
    }
  });
});

describe('pairs', () => {
  test('at least 20, of materials in the library, kinetic at most static', () => {
    expect(knownPairCount).toBeGreaterThanOrEqual(20);
    let found = 0;
    library.forEach((a, i) => {
      for (const b of library.slice(i)) {
        const pair = pairProperties(a, b);
        expect(pair).toEqual({ ...pairProperties(b, a), origin: expect.anything() });
        expect(pair.kineticFriction).toBeLessThanOrEqual(pair.staticFriction);
        expect(pair.restitution).toBeLessThanOrEqual(1);
        if (!pair.guessed.includes('friction')) found++;
      }
    });
    // every entry of the table is reached by names that exist
    expect(found).toBe(knownPairCount);
  });
  test('known: static and kinetic, and who measured', () => {
    const pair = pairProperties(ice, steel);
    expect([pair.staticFriction, pair.kineticFriction]).toEqual([0.4, 0.02]);
    expect(pair.guessed).toEqual(['restitution']);
    expect(pair.origin).toContain('friction of ice on steel (O)');
    expect(pairProperties(glass, glass)).toMatchObject({ restitution: 0.97, guessed: [] });
  });
  test('unknown: the harmonic mean, and it says so', () => {
    const pair = pairProperties(rubber, oak);
    expect(pair.staticFriction).toBeCloseTo((2 * 1 * 0.5) / 1.5, 14);
    expect(pair.guessed).toEqual(['friction', 'restitution']);
    expect(pair.origin).toContain('friction guessed for rubber on oak: harmonic mean of 1 and 0.5');
  });
  test('materials of the user’s own, with and without values', () => {
    const mine = { density: 1000, friction: 0.6, restitution: 0 };
    expect(pairProperties(mine, { density: 1 })).toMatchObject({
      staticFriction: expect.closeTo(0.4, 12),
      restitution: 0,
      rollingFriction: 0,
    });
    expect(pairProperties({ density: 1 }, { density: 2 }).origin).toContain('0.3 (assumed)');
    // what both materials have is a guess; what one of them lacks is not known at all
    expect(pairProperties({ density: 1, friction: 0.4 }, { density: 2, friction: 0.2 }).unknown).toEqual([
      'restitution',
    ]);
    expect(pairProperties({ density: 1, friction: 0.4 }, { density: 2, restitution: 0.2 }).unknown).toEqual([
      'friction',
      'restitution',
    ]);
  });
  test('what the user gives for the pair comes first', () => {
    expect(pairProperties(steel, ice, { kineticFriction: 0.1, restitution: 0.2, rollingFriction: 0.01 })).toEqual({
      staticFriction: 0.1,
      kineticFriction: 0.1,
      restitution: 0.2,
      rollingFriction: 0.01,
      guessed: [],
      unknown: [],
      origin: 'friction as given; restitution as given',
    });
  });
  test.each([
    [{ staticFriction: -0.1 }, 'pairs[0].staticFriction: expected a coefficient ≥ 0, got -0.1'],
    [{ kineticFriction: Number.NaN }, 'pairs[0].kineticFriction: expected a coefficient ≥ 0, got NaN'],
    [{ restitution: 1.1 }, 'pairs[0].restitution: expected a coefficient of restitution from 0 to 1, got 1.1'],
    [{ staticFriction: 0.2, kineticFriction: 0.3 }, 'the two may have been swapped'],
  ])('refused: %j', (given, message) => {
    expect(() => pairProperties(steel, ice, given, 'pairs[0]')).toThrow(message);
  });
});
