import { describe, expect, test } from 'vitest';
import { random } from '../../math/random.js';
import { type BristleState, mergeBristles, splitBristle } from './bristle-life.js';

const draw = random('bristle life');
const anywhere = (): BristleState => ({
  c1: draw.uniformBetween(-0.1, 0.1),
  c2: draw.uniformBetween(-0.1, 0.1),
  s1: draw.uniformBetween(-1e-6, 1e-6),
  s2: draw.uniformBetween(-1e-6, 1e-6),
  psi: draw.uniformBetween(-1e-6, 1e-6),
  stiffness: draw.uniformBetween(1e5, 1e7),
  effectiveRadius: draw.uniformBetween(0, 0.05),
});
/** ½ k (|s|² + ψ²), J */
const bristleStateEnergy = ({ s1, s2, psi, stiffness }: BristleState): number =>
  0.5 * stiffness * (s1 * s1 + s2 * s2 + psi * psi);
/** Force and torque about the origin. */
const wrench = (states: readonly BristleState[]) =>
  states.reduce(
    ([f1, f2, m], { c1, c2, s1, s2, psi, stiffness, effectiveRadius }) => [
      f1 + stiffness * s1,
      f2 + stiffness * s2,
      m + stiffness * (effectiveRadius * psi + c1 * s2 - c2 * s1),
    ],
    [0, 0, 0],
  );

describe('regions', () => {
  test('merging keeps force and torque and never adds energy', () => {
    for (let n = 0; n < 2000; n++) {
      const parts = [...Array(2 + draw.integer(4))].map(anywhere);
      const merged = mergeBristles(parts);
      // forces up to 50 N and torques up to 5 N m, rounding only
      wrench([merged]).forEach((x, i) => {
        expect(Math.abs(x - wrench(parts)[i])).toBeLessThan(1e-13);
      });
      const before = parts.reduce((sum, part) => sum + bristleStateEnergy(part), 0);
      expect(bristleStateEnergy(merged)).toBeLessThanOrEqual(before * (1 + 1e-14));
    }
  });
  test('merging into a place given keeps force and torque', () => {
    for (let n = 0; n < 500; n++) {
      const parts = [anywhere(), anywhere()];
      const merged = mergeBristles(parts, { ...anywhere(), effectiveRadius: 0.03 });
      wrench([merged]).forEach((x, i) => {
        expect(Math.abs(x - wrench(parts)[i])).toBeLessThan(1e-13);
      });
    }
  });
  test('splitting and merging again gives the parent back, with its energy', () => {
    for (let n = 0; n < 500; n++) {
      // two halves left and right of the parent's centroid, radii so that the angular stiffness adds up
      const parent = { ...anywhere(), effectiveRadius: 0.05 };
      const half = { stiffness: parent.stiffness / 2, effectiveRadius: 0.03 };
      const children = splitBristle(parent, [
        { ...half, c1: parent.c1 + 0.024, c2: parent.c2 + 0.032 },
        { ...half, c1: parent.c1 - 0.024, c2: parent.c2 - 0.032 },
      ]);
      const energy = children.reduce((sum, child) => sum + bristleStateEnergy(child), 0);
      expect(energy / bristleStateEnergy(parent)).toBeCloseTo(1, 12);
      const merged = mergeBristles(children);
      for (const key of ['c1', 'c2', 's1', 's2', 'psi', 'stiffness', 'effectiveRadius'] as const)
        expect(Math.abs(merged[key] - parent[key])).toBeLessThan(
          1e-12 * Math.max(1e-6, Math.abs(parent[key])) + 1e-15 * parent.c1 * parent.c1,
        );
    }
  });
});
