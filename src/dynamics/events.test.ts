import { describe, expect, test } from 'vitest';
import { assemble } from '../assembly/assemble.js';
import { integrate } from '../integration/index.js';
import { body } from '../model/body.js';
import { fixed, revolute } from '../model/joints.js';
import { type ModelOptions, model } from '../model/model.js';
import { energies, initialise, MechanicalSystem, momentum } from './index.js';

function started(options: ModelOptions) {
  const mechanics = new MechanicalSystem(assemble(model(options)), { tolerance: { relative: 1e-8 } });
  const y = mechanics.system.initial.slice();
  initialise(mechanics, 0, y);
  return { mechanics, y };
}

const height = ({ carriers, system }: MechanicalSystem, k: number): number => {
  const { node } = system.bodies[k].anchor;
  return carriers.position[3 * node + 2];
};

describe('joints that let go or take hold', () => {
  test('a latch holds, lets go, and the body falls freely', () => {
    const { mechanics, y } = started({
      bodies: { load: body({ mass: 3, inertia: [0.1, 0.2, 0.3], centreOfMass: [0.2, 0, 0], position: [0, 0, 5] }) },
      joints: { latch: fixed({ body: 'load', at: [0, 0, 5] }) },
      events: { open: { at: 1, release: 'latch' } },
    });
    const held = integrate(mechanics, { t0: 0, y0: y, t1: 1, method: 'rodas4' }).y.slice();
    mechanics.update(1, held);
    expect(height(mechanics, 0)).toBeCloseTo(5, 12);
    mechanics.setActive(mechanics.constraintIndex('joints.latch'), false, 1, held);
    const fallen = integrate(mechanics, { t0: 1, y0: held, t1: 1.5, method: 'rodas4' }).y;
    mechanics.update(1.5, fallen);
    expect(height(mechanics, 0)).toBeCloseTo(5 - 0.5 * 9.81 * 0.25, 9);
    expect(() => mechanics.constraintIndex('joints.door')).toThrow('joints.door');
  });

  test('docking keeps momentum, loses energy, and holds where the bodies are', () => {
    const { mechanics, y } = started({
      gravity: 'none',
      bodies: {
        station: body({ mass: 5, inertia: [1, 2, 3], angularVelocity: [0, 0, 0.1] }),
        capsule: body({
          mass: 1,
          inertia: [0.1, 0.1, 0.2],
          position: [-2, 0.3, 0],
          velocity: [1, 0, 0],
          angularVelocity: [0.2, 0, 0],
        }),
      },
      joints: { dock: fixed({ body: 'capsule', to: 'station', at: [-1, 0, 0] }) },
      events: { contact: { at: 0.8, attach: 'dock' } },
    });
    const met = integrate(mechanics, { t0: 0, y0: y, t1: 0.8, method: 'rodas4' }).y.slice();
    const before = momentum(mechanics, 0.8, met);
    const energy = energies(mechanics, 0.8, met).kinetic;
    mechanics.setActive(mechanics.constraintIndex('joints.dock'), true, 0.8, met);
    const after = momentum(mechanics, 0.8, met);
    for (let i = 0; i < 3; i++) {
      expect(after.linear[i]).toBeCloseTo(before.linear[i], 12);
      expect(after.angular[i]).toBeCloseTo(before.angular[i], 12);
    }
    expect(energies(mechanics, 0.8, met).kinetic).toBeLessThan(energy);
    const gap = (state: Float64Array, t: number): number => {
      mechanics.update(t, state);
      const [a, b] = mechanics.system.bodies.map(({ anchor: { node } }) =>
        mechanics.carriers.position.subarray(3 * node, 3 * node + 3),
      );
      return Math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2);
    };
    const start = gap(met, 0.8);
    const later = integrate(mechanics, { t0: 0.8, y0: met, t1: 5, method: 'rodas4' }).y;
    expect(gap(later, 5)).toBeCloseTo(start, 10);
    expect(momentum(mechanics, 5, later).angular[2]).toBeCloseTo(before.angular[2], 6);
  });
});

describe('error norm', () => {
  const arm = (at: number, scale: number): ModelOptions => ({
    gravity: [0, 0, -9.81 * scale],
    bodies: {
      a: body({
        mass: 1,
        inertia: [0, scale * scale, scale * scale].map((x) => 0.1 * x) as [number, number, number],
        position: [at + 0.5 * scale, 0, 0],
      }),
      b: body({
        mass: 1,
        inertia: [0, scale * scale, scale * scale].map((x) => 0.1 * x) as [number, number, number],
        position: [at + 1.5 * scale, 0, 0],
      }),
    },
    joints: {
      root: revolute({ body: 'a', axis: [0, 1, 0], at: [at, 0, 0], initialSpeed: 1 }),
      elbow: revolute({ body: 'b', to: 'a', axis: [0, 1, 0], at: [at + scale, 0, 0], initialSpeed: -2 }),
    },
  });
  test('does not depend on place nor on size', () => {
    const steps = (options: ModelOptions): number => {
      const { mechanics, y } = started(options);
      return integrate(mechanics, { t0: 0, y0: y, t1: 2, method: 'rodas4', hInitial: 1e-4 }).statistics.accepted;
    };
    const reference = steps(arm(0, 1));
    expect(steps(arm(1e6, 1))).toBe(reference);
    // Lengths and accelerations both a thousandth: the same motion in time
    expect(Math.abs(steps(arm(0, 1e-3)) - reference)).toBeLessThanOrEqual(1);
  });
  test('an error at the root counts by what it does at the tip', () => {
    const { mechanics, y } = started(arm(0, 1));
    const error = new Float64Array(mechanics.size);
    error[0] = 1e-8;
    const root = mechanics.errorNorm(error, y, y);
    error[0] = 0;
    error[1] = 1e-8;
    const tip = mechanics.errorNorm(error, y, y);
    expect(root).toBeGreaterThan(tip);
  });
});
