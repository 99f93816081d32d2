import { expect, test } from 'vitest';
import { harmonicMean, inSeries, reducedModulus, reducedShearModulus, tangentialRatio } from './combination.js';

const glass = { youngsModulus: 4.8e10, poissonRatio: 0.2 };
const rigid = { youngsModulus: Number.POSITIVE_INFINITY, poissonRatio: 0.3 };

test('two glass spheres: E* = 25 GPa', () => {
  expect(reducedModulus(glass, glass)).toBeCloseTo(2.5e10, 2);
  expect(reducedModulus(glass, rigid)).toBeCloseTo(5e10, 2);
});

// Mindlin: k_t/k_n = 2(1 − ν)/(2 − ν) for equal materials, 0.8235 at ν = 0.3
test.each([0, 0.2, 0.3, 0.49])('tangential ratio at ν = %f', (poissonRatio) => {
  const material = { youngsModulus: 3e9, poissonRatio };
  expect(tangentialRatio(material, material)).toBeCloseTo((2 * (1 - poissonRatio)) / (2 - poissonRatio), 14);
});

test('shear modulus: a rigid partner drops out', () => {
  const G = 4.8e10 / 2.4;
  expect(reducedShearModulus(glass, rigid)).toBeCloseTo(G / 1.8, 2);
});

test('radii, masses, means', () => {
  expect(inSeries(0.01, Number.POSITIVE_INFINITY)).toBe(0.01);
  expect(inSeries(0.01, 0.01)).toBeCloseTo(0.005, 15);
  expect(inSeries(0.01, -0.02)).toBeCloseTo(0.02, 15);
  expect(harmonicMean(0.3, 0.6)).toBeCloseTo(0.4, 15);
  expect(harmonicMean(0, 0)).toBe(0);
});
