// Elements and forces of the user's own in time steps: slow ones at second order, stiff ones implicitly, on free bodies and on mechanisms.
import { describe, expect, test } from 'vitest';
import {
  applied,
  body,
  contactElement,
  type Model,
  model,
  prismatic,
  type Recording,
  revolute,
  simulate,
  type Triple,
} from '../../src/index.js';
import { zenerPad } from '../fixtures/pads.js';

const [g, ORIGIN] = [9.81, [0, 0, 0] as Triple];
const mass = (position: readonly [number, number, number] = [0, 0, 0]) =>
  body({ mass: 1, inertia: [1e-3, 1e-2, 1e-2], position });

/** −k z − c z' on the body's origin; on one side only: where it is below 0, and never pulls */
const pad = (k: number, c: number, oneSided = false) =>
  contactElement({
    between: ['ground', 'mass'],
    create: ({ b }) => {
      const [place, velocity, force] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
      return {
        evaluate() {
          b.place(ORIGIN, place);
          b.velocity(ORIGIN, velocity);
          force[2] = -k * place[2] - c * velocity[2];
          if (oneSided) force[2] = place[2] < 0 ? Math.max(0, force[2]) : 0;
          b.addForce(ORIGIN, force);
        },
      };
    },
  });
const free = (elements: object, position?: readonly [number, number, number]): Model =>
  model({ contacts: false, bodies: { mass: mass(position) }, elements: elements as never });
const sliding = (elements: object, position?: readonly [number, number, number]): Model =>
  model({
    contacts: false,
    bodies: { mass: mass(position) },
    joints: { rail: prismatic({ body: 'mass', axis: [0, 0, 1] }) },
    elements: elements as never,
  });
const swinging = (elements: object): Model =>
  model({
    contacts: false,
    bodies: { mass: mass([0.25, 0, 0]) },
    joints: { hinge: revolute({ body: 'mass', axis: [0, 1, 0], at: [0, 0, 0] }) },
    elements: elements as never,
  });
const stepped = (scene: Model, step: number, stopTime = 1): Recording =>
  simulate(scene, { integrator: 'time-stepping', step, stopTime, interval: 0.01 });
const height = (run: Recording): number => run.signal('mass.position.z').at(-1)!;

const STEPS = [1e-3, 4e-3, 1e-2];

describe('dampers, from a hundredth of what an explicit step bears to a thousand times as much', () => {
  // z = −g/c (t − (1 − e^(−ct))/c): the time of rising is a step at most where the damper is stiff, of which backward Euler makes g/c²
  const fallen = (c: number): number => -(g / c) * (1 - (1 - Math.exp(-c)) / c);
  test.each([10, 1e3, 1e5])('%d N s/m', (c) => {
    for (const step of STEPS)
      for (const scene of [free, sliding]) {
        const error = Math.abs(height(stepped(scene({ pad: pad(0, c) }), step)) / fallen(c) - 1);
        // slow: second order, (h c)²/24 … /6; stiff: its end is exact to the square of the time of rising
        expect(error).toBeLessThan(c * step < 0.5 ? 0.1 * (c * step) ** 2 : 1e-6);
      }
  });
  test.each([1e3, 1e5])('%d N s/m on a hinge', (c) => {
    const exact = simulate(swinging({ pad: pad(0, c) }), { stopTime: 1, rtol: 1e-7 })
      .signal('hinge.angle')
      .at(-1)!;
    for (const step of STEPS)
      expect(
        Math.abs(
          stepped(swinging({ pad: pad(0, c) }), step)
            .signal('hinge.angle')
            .at(-1)! /
            exact -
            1,
        ),
      ).toBeLessThan(1e-3 * step + 1e-5);
  });
  test('own forces on bodies', () => {
    for (const c of [10, 1e3, 1e5])
      for (const step of STEPS) {
        const run = stepped(
          model({
            contacts: false,
            bodies: { mass: mass() },
            forces: { drag: applied({ on: 'mass', force: (_t, { velocity: [, , v] }) => [0, 0, -c * v] }) },
          }),
          step,
        );
        expect(Math.abs(height(run) / fallen(c) - 1)).toBeLessThan(c * step < 0.5 ? 0.1 * (c * step) ** 2 : 1e-6);
      }
  });
});

describe('springs', () => {
  // z = −g/k (1 − cos ωt); the steps lengthen a period by (hω)²/24
  test('slow ones swing at second order, on free bodies as in mechanisms', () => {
    const k = 1e3;
    for (const step of STEPS)
      for (const scene of [free, sliding]) {
        const { values } = stepped(scene({ pad: pad(k, 0) }), step).signal('mass.position.z');
        const phase = (step ** 2 * k * Math.sqrt(k)) / 24;
        expect(Math.abs(values.at(-1)! + (g / k) * (1 - Math.cos(Math.sqrt(k))))).toBeLessThan(
          1.2 * phase * (g / k) + 1e-9,
        );
        expect(-Math.min(...values)).toBeLessThan((2 * g) / k + 1e-9);
      }
  });
  test('stiff ones hold their load', () => {
    for (const [k, c] of [
      [1e7, 0],
      [1e7, 1e4],
      [1e5, 1e3],
    ])
      for (const step of STEPS)
        for (const scene of [free, sliding])
          expect(height(stepped(scene({ pad: pad(k, c) }), step))).toBeCloseTo(-g / k, 10);
  });
  test('what comes down on a pad is never thrown higher than it fell from, and comes to rest on a damped one', () => {
    for (const [k, c] of [
      [1e6, 0],
      [1e8, 0],
      [1e8, 1e5],
      [1e5, 1e5],
      [1e6, 1e3],
    ])
      for (const step of STEPS)
        for (const scene of [free, sliding]) {
          const { values } = stepped(scene({ pad: pad(k, c, true) }, [0, 0, 0.1]), step).signal('mass.position.z');
          expect(Math.max(...values)).toBeLessThan(0.1 + 1e-9);
          if (c > 0) expect(Math.abs(values.at(-1)! + g / k)).toBeLessThan(0.5 * step);
        }
  });
});

test('states that follow within a step: a pad whose damper is stiff beside its spring', () => {
  // k₂ ≫: spring k₁ beside the damper c alone, z'' = −g − k₁ z − c z'; that k₂ is not drawn at the start is a blow of c z
  const [k1, c] = [100, 10];
  for (const k2 of [1e5, 1e7])
    for (const scene of [free, sliding]) {
      const errors = [4e-3, 1e-3].map((step) => {
        const run = stepped(scene({ pad: zenerPad({ k1, k2, c, scale: 0.01 }) }, [0, 0, 0.1]), step, 0.5);
        const [q, rest, u] = [c / 2, -g / k1, 0.1 + g / k1];
        const w = Math.sqrt(k1 - q * q);
        const v = -c * 0.1;
        return Math.abs(
          height(run) - rest - Math.exp(-q / 2) * (u * Math.cos(w / 2) + ((v + q * u) / w) * Math.sin(w / 2)),
        );
      });
      // first order: 0.4 of the amplitude per s of step; what is left is k₁ c/k₂² and c/k₂ of the model
      expect(errors[1]).toBeLessThan(1.5e-3);
      expect(errors[0]).toBeLessThan(4.3 * errors[1] + 1e-5);
    }
});

test('gravity towards a point: an orbit stays one, at second order', () => {
  for (const step of STEPS) {
    const run = simulate(
      model({
        gravity: { centre: [0, 0, 0], mu: 1 },
        contacts: false,
        bodies: { mass: body({ mass: 1, inertia: [1, 1, 1], position: [1, 0, 0], velocity: [0, 1, 0] }) },
      }),
      { integrator: 'time-stepping', step, stopTime: 20, interval: 0.1 },
    );
    const [x, y] = ['x', 'y'].map((axis) => run.signal(`mass.position.${axis}`).values);
    x.forEach((_, i) => {
      expect(Math.abs(Math.hypot(x[i], y[i]) - 1)).toBeLessThan(step ** 2);
    });
    // the angle runs ahead or behind by t h²/24 … /8
    expect(Math.abs(x.at(-1)! - Math.cos(20))).toBeLessThan((20 * step ** 2) / 2);
  }
});

test('forces of time act as in the middle of the step', () => {
  const w = 10;
  for (const step of STEPS) {
    const run = stepped(
      model({
        gravity: [0, 0, 0],
        contacts: false,
        bodies: { mass: mass() },
        forces: { push: applied({ on: 'mass', force: (t) => [0, 0, Math.sin(w * t)] }) },
      }),
      step,
      3,
    );
    // z = t/w − sin(wt)/w²; the mean of sin over a step is its middle to (wh)²/24
    expect(Math.abs(height(run) / (3 / w - Math.sin(3 * w) / w ** 2) - 1)).toBeLessThan((w * step) ** 2 / 20);
  }
});
