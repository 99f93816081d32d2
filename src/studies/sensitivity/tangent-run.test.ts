/** Tangents of whole models against closed forms and against extrapolated differences of whole runs. */
import { describe, expect, test } from 'vitest';
import squeezer from '../../../examples/andrews-squeezer/andrews-squeezer.model.js';
import pendulum from '../../../examples/pendulum/pendulum.model.js';
import quarterCar from '../../../examples/quarter-car/quarter-car.model.js';
import type { Model } from '../../model/model.js';
import { simulate } from '../../simulation/simulation.js';
import { tangentRun } from './tangent-run.js';

test('a pendulum by its length: ∂φ/∂L = −t φ′/(2 L) at every row, to 1e-5', () => {
  const [L, d] = [1, 1e-5];
  const { base, sides } = tangentRun({
    modelAt: (_, side) => pendulum({ length: L + side * d }) as Model,
    steps: [d],
    simulation: { stopTime: 5, interval: 0.05, rtol: 1e-8 },
  });
  const [below, above] = sides[0].map((recording) => recording.signal('pivot.angle').values);
  const speed = base.signal('pivot.speed').values;
  expect(base.rows).toBe(101);
  // the largest is t/(2 L) times 4.4 rad/s, about 11
  base.times.forEach((t, i) => {
    expect(Math.abs((above[i] - below[i]) / (2 * d) + (t * speed[i]) / (2 * L))).toBeLessThan(1e-5 * 11);
  });
});

describe("Andrews' mechanism by its spring", () => {
  const c0 = 4530; // N/m
  const at = 0.01; // s
  const signal = 'crank.orientation.z';
  test('six loops closed: the tangent is the extrapolated difference of tight runs, to 1e-5', () => {
    const d = 1e-4 * c0;
    const built = (stiffness: number): Model => squeezer({ stiffness }) as Model;
    const { sides } = tangentRun({
      modelAt: (_, side) => built(c0 + side * d),
      steps: [d],
      simulation: { stopTime: at, interval: at / 10, rtol: 1e-8 },
    });
    const [below, above] = sides[0].map((recording) => recording.signal(signal).at(-1)!);
    const tangent = (above - below) / (2 * d);
    const end = (c: number): number => simulate(built(c), { stopTime: at, rtol: 1e-11 }).signal(signal).at(-1)!;
    const wide = (k: number): number => (end(c0 + k * 0.02 * c0) - end(c0 - k * 0.02 * c0)) / (0.04 * k * c0);
    const [one, two] = [wide(1), wide(2)];
    const extrapolated = (4 * one - two) / 3;
    expect(Math.abs(tangent / extrapolated - 1)).toBeLessThan(1e-5);
  });
});

test('what may touch, jump or stick is refused by name', () => {
  const modelAt = (): Model => quarterCar() as Model;
  expect(() => tangentRun({ modelAt, steps: [1], simulation: { stopTime: 0.1 } })).toThrow(
    /tangents need a smooth model: .*suspension has stops/,
  );
});
