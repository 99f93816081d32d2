import { describe, expect, test } from 'vitest';
import { constrained, ROWS } from '../../../tests/fixtures/random-rows.js';
import { solveResidual } from '../../../tests/fixtures/solve-residual.js';
import { type ConstraintRow, NODE } from '../../assembly/system.js';
import { MechanicalSystem } from '../mechanical-system.js';

describe('rows', () => {
  test.each(Object.keys(ROWS))('%s: rate, Jacobian and acceleration against differences along the motion', (kind) => {
    for (let seed = 0; seed < 4; seed++) {
      const system = constrained(seed, (draw, ends) => [ROWS[kind](draw, ...ends())]);
      const mechanics = new MechanicalSystem(system);
      const { loops } = mechanics;
      const t = 0.2;
      const y = system.initial.slice();
      const f = new Float64Array(mechanics.size);
      mechanics.rates(t, y, f); // without rows: free accelerations
      const along = (h: number) => {
        const z = y.map((value, i) => value + h * f[i]);
        // second order along the motion: q'' enters positions
        const g = new Float64Array(mechanics.size);
        mechanics.rates(t + h, z, g);
        return z.map((_, i) => y[i] + 0.5 * h * (f[i] + g[i]));
      };
      const valueAt = (h: number) => {
        mechanics.update(t + h, along(h));
        return loops.value(0, along(h));
      };
      const rateAt = (h: number) => {
        mechanics.update(t + h, along(h));
        loops.evaluateRow(0);
        return loops.rateOf(0, along(h));
      };
      const h = 1e-5;
      mechanics.rates(t, y, f);
      loops.evaluateRow(0);
      const rate = loops.rateOf(0, y);
      if (!kind.match(/roll|lateral/)) expect((valueAt(h) - valueAt(-h)) / (2 * h)).toBeCloseTo(rate, 6);
      // Rate linear in velocities: G v (prescribed motions add to it, so only without them)
      mechanics.prepare(t, y);
      mechanics.rates(t, y, f);
      if (system.motions.length === 0 && loops.kept.length > 0) {
        let sum = 0;
        for (let k = 0; k < system.nv; k++) sum += loops.jacobian[k] * y[system.nq + k];
        expect(sum).toBeCloseTo(rate, 10);
      }
      // With the row kept, its rate does not change along the motion
      if (loops.kept.length > 0) expect((rateAt(h) - rateAt(-h)) / (2 * h)).toBeCloseTo(0, 5);
    }
  });

  // Differences of f leave about 1e-8.
  test.each(Object.keys(ROWS))('%s: exact derivatives in the step matrix', (kind) => {
    for (let seed = 0; seed < 4; seed++) {
      const system = constrained(seed, (draw, ends) => [ROWS[kind](draw, ...ends())]);
      const mechanics = new MechanicalSystem(system);
      mechanics.prepare(0.2, system.initial);
      for (const e of [1e-3, 0.05]) expect(solveResidual(mechanics, 0.2, system.initial, e, seed)).toBeLessThan(2e-7);
    }
  });

  test('several rows and a coupler together', () => {
    for (let seed = 0; seed < 6; seed++) {
      const system = constrained(seed, (draw, ends) => {
        const [a, b] = ends();
        return [
          ...Object.values(ROWS)
            .slice(0, 4)
            .map((row) => row(draw, a, b)),
        ];
      });
      const scalars = [...system.tree.q].filter((q, i) => q >= 0 && system.tree.kind[i] !== NODE.spherical);
      const coupler: ConstraintRow = {
        kind: 'coupler',
        coordinates: scalars.slice(0, 2),
        ratios: [1, -2.5],
        offset: 0,
      };
      const mechanics = new MechanicalSystem({
        ...system,
        constraints: [
          ...system.constraints,
          ...(scalars.length > 1 ? [{ name: 'constraints.gear', rows: [coupler], activeAtStart: true }] : []),
        ],
      });
      mechanics.prepare(0.2, system.initial);
      expect(solveResidual(mechanics, 0.2, system.initial, 0.02, seed)).toBeLessThan(2e-7);
    }
  });
});
