import { describe, expect, test } from 'vitest';
import { Bristle } from '../../../tests/fixtures/bristle.js';
import { randomSystem } from '../../../tests/fixtures/random-system.js';
import { solveResidual } from '../../../tests/fixtures/solve-residual.js';
import { MechanicalSystem } from '../mechanical-system.js';

describe('elements with states', () => {
  // As contacts will have them: eliminated inside the step matrix. Differences of f leave 1e-9.
  test.each([
    ['node and ground', 3, -1, 1],
    ['node and ground, dense', 3, -1, 1000],
    ['two nodes', 2, 4, 1000],
    ['node and free body', 3, 5, 1000],
    ['two free bodies', 5, 6, 1000],
    ['free body and ground', 6, -1, 1000],
  ] as const)('%s', (_name, a, b, sweepFrom) => {
    const plain = randomSystem({ seed: 11, nodes: 5, freeBodies: 2, special: true });
    const initial = new Float64Array(plain.initial.length + 3);
    initial.set(plain.initial);
    initial.set([0.1, -0.2, 0.3], plain.initial.length);
    const system = { ...plain, ns: 3, initial };
    for (const swap of [false, true]) {
      const mechanics = new MechanicalSystem(system, {
        sweepFrom,
        elements: (carriers) => {
          const other = b < 0 ? carriers.ground : b;
          return [new Bristle(swap ? other : a, swap ? a : other, plain.initial.length, carriers)];
        },
      });
      for (const e of [0.01, 0.2]) expect(solveResidual(mechanics, 0.1, initial, e, 5)).toBeLessThan(1e-8);
    }
  });
});
