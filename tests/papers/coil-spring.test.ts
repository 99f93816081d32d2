// The coil spring of Hofmann et al. (2014), §4.3, made of rigid segments: rate, natural frequencies, what a refinement changes. Runs
// against time are in examples/coil-spring/expected.json.
import { describe, expect, test } from 'vitest';
import { coilSpring } from '../../src/model/coil-spring.js';
import { runCheck } from '../../src/verify/checks.js';
import { coilSpringChecks, surgeModes, tangentRate } from '../../src/verify/coil-spring.js';

describe('claims', () => {
  test.each(coilSpringChecks.filter(({ long }) => !long).map((check) => [check.id, check] as const))(
    '%s',
    async (_, check) => {
      const { failure, error } = await runCheck(check);
      expect(failure).toBeUndefined();
      expect(error).toBeLessThanOrEqual(check.limit);
    },
  );
});

const spring = (segmentsPerCoil: number) =>
  coilSpring({
    wireDiameter: 2e-3,
    meanDiameter: 20e-3,
    activeCoils: 6,
    freeLength: 50e-3,
    material: { density: 7850, youngsModulus: 2.6 * 81.5e9, poissonRatio: 0.3 },
    segmentsPerCoil,
  });

test('the chain converges to the rod with the square of the segments', () => {
  const error = (segments: number): number => {
    const made = spring(segments);
    return 1 - tangentRate(made) / made.figures.rateGuided;
  };
  // Order 2 within what 12 segments, 30° each, are from small angles
  expect(Math.abs(Math.log2(error(12) / error(24)) - 2)).toBeLessThan(0.15);
  expect(error(12)).toBeGreaterThan(0);
});

test('frequencies converge, too', () => {
  const [coarse, middle, fine] = [8, 16, 32].map((segments) => surgeModes(spring(segments), 1).modes[0].frequency);
  expect((coarse - middle) / (middle - fine)).toBeGreaterThan(3);
  expect((coarse - middle) / (middle - fine)).toBeLessThan(5);
});

test('left and right springs are equally stiff', () => {
  const left = coilSpring({
    wireDiameter: 2e-3,
    meanDiameter: 20e-3,
    activeCoils: 6,
    freeLength: 50e-3,
    material: { density: 7850, youngsModulus: 2.6 * 81.5e9, poissonRatio: 0.3 },
    segmentsPerCoil: 12,
    hand: 'left',
  });
  expect(tangentRate(left) / tangentRate(spring(12))).toBeCloseTo(1, 9);
});
