import { describe, expect, test } from 'vitest';
import { randomSystem } from '../../../tests/fixtures/random-system.js';
import { solveResidual } from '../../../tests/fixtures/solve-residual.js';
import { withElements } from '../../../tests/fixtures/with-elements.js';
import { random } from '../../math/random.js';
import { MechanicalSystem } from '../mechanical-system.js';

describe('(I − e J) x = r', () => {
  // Differences of f leave about 1e-9; the solve itself is exact.
  test.each([0, 1, 2, 3, 4, 5, 6, 7])('trees without forces, seed %i', (seed) => {
    const system = randomSystem({ seed, nodes: 8, special: true });
    for (const sweepFrom of [1, 1000]) {
      const mechanics = new MechanicalSystem(system, { sweepFrom });
      for (const e of [1e-3, 0.1]) expect(solveResidual(mechanics, 0.2, system.initial, e, seed)).toBeLessThan(1e-7);
    }
  });
  test('free bodies spin', () => {
    const system = randomSystem({ seed: 3, nodes: 0, freeBodies: 3 });
    const mechanics = new MechanicalSystem(system);
    expect(solveResidual(mechanics, 0, system.initial, 0.2, 1)).toBeLessThan(1e-9);
  });
  test.each([0, 1, 2])('gravity of a point mass and of a field, seed %i', (seed) => {
    for (const gravity of [
      { kind: 'point', mu: 20, centre: [3, 2, 1] },
      { kind: 'field', field: ([x, y, z]: readonly number[]) => [x * y, Math.sin(z), -3 - x] as const },
    ] as const)
      for (const sweepFrom of [1, 1000]) {
        const system = randomSystem({ seed, nodes: 5, freeBodies: 2, gravity });
        const mechanics = new MechanicalSystem(system, { sweepFrom });
        expect(solveResidual(mechanics, 0, system.initial, 0.1, seed)).toBeLessThan(1e-7);
      }
  });
  test.each([0, 1, 2, 3, 4, 5])('force elements to the ground, seed %i', (seed) => {
    const plain = randomSystem({ seed, nodes: 7, special: true, freeBodies: 1 });
    const draw = random(`ends ${seed}`);
    const system = withElements(plain, seed, () => {
      const end = draw.integer(8);
      const carrier = end === 7 ? -2 : end;
      return draw.uniform() < 0.5 ? [-1, carrier] : [carrier, -1];
    });
    for (const sweepFrom of [1, 1000]) {
      const mechanics = new MechanicalSystem(system, { sweepFrom });
      mechanics.prepare(0.2, system.initial);
      for (const e of [1e-2, 0.1]) expect(solveResidual(mechanics, 0.2, system.initial, e, seed)).toBeLessThan(1e-7);
    }
  });
  test.each([0, 1, 2, 3, 4, 5])('force elements between bodies, seed %i', (seed) => {
    const plain = randomSystem({ seed, nodes: 7, special: true, freeBodies: 2 });
    const draw = random(`ends ${seed}`);
    const carrier = () => {
      const end = draw.integer(10);
      return end < 7 ? end : end === 7 ? -1 : end === 8 ? -2 : -3;
    };
    const system = withElements(plain, seed, () => {
      const a = carrier();
      let b = carrier();
      while (b === a) b = carrier();
      return [a, b];
    });
    const mechanics = new MechanicalSystem(system);
    mechanics.prepare(0.2, system.initial);
    for (const e of [1e-2, 0.1]) expect(solveResidual(mechanics, 0.2, system.initial, e, seed)).toBeLessThan(1e-7);
  });
});
