/** Springs, dampers, motors and forces of the user's own in time stepping, held to closed forms: what swings keeps its amplitude, what is damped stops, however stiff, and nothing is thrown. */
import { describe, expect, test } from 'vitest';
import { halfSpace } from '../../src/geometry/half-space.js';
import { convexHull } from '../../src/geometry/hull.js';
import { box } from '../../src/geometry/primitives.js';
import { body } from '../../src/model/body.js';
import { lineForce, spring } from '../../src/model/forces.js';
import { prismatic, revolute } from '../../src/model/joints.js';
import { oak, steel } from '../../src/model/materials.js';
import { type Model, model } from '../../src/model/model.js';
import { Simulation, type SimulationOptions } from '../../src/simulation/simulation.js';

const cube = box([0.1, 0.1, 0.1]);
const mass = 1; // kg
const block = body({ shape: cube, material: oak, mass });
const run = (of: Model, options: SimulationOptions): Simulation => {
  const simulation = new Simulation(of, options);
  simulation.advance();
  simulation.finish();
  return simulation;
};
const stepping = (step: number, stopTime: number): SimulationOptions => ({
  integrator: 'time-stepping',
  step,
  stopTime,
  interval: 0.02,
});
const still = [0, 0, 0] as const;

// the ways to say force = −k x − d v along x, of a block that starts at x₀ with v₀
type Ways = 'joint' | 'own force of the joint' | 'motor' | 'line on a joint' | 'line' | 'own law of a line';
const WAYS: readonly Ways[] = [
  'joint',
  'own force of the joint',
  'motor',
  'line on a joint',
  'line',
  'own law of a line',
];
function oscillator(way: Ways, k: number, d: number, x0: number, v0: number): Model {
  const sliding = { body: 'block', axis: [1, 0, 0], initialPosition: x0, initialSpeed: v0 } as const;
  const onJoint = (more: object): Model =>
    model({ gravity: still, bodies: { block }, joints: { slide: prismatic({ ...sliding, ...more }) } });
  const free = body({ ...block, position: [x0, 0, 0], velocity: [v0, 0, 0] });
  const far = 10; // m: a line that long pulls along x
  const line = spring({ from: [-far, 0, 0], to: 'block', stiffness: k, damping: d, restLength: far });
  switch (way) {
    case 'joint':
      return onJoint({ spring: { stiffness: k }, damping: d });
    case 'own force of the joint':
      return onJoint({ force: (_t: number, x: number, v: number) => -k * x - d * v });
    case 'motor':
      return onJoint({ motor: { target: 0, kp: k, targetSpeed: 0, kd: d } });
    case 'line on a joint':
      return model({ gravity: still, bodies: { block }, joints: { slide: prismatic(sliding) }, forces: { line } });
    case 'line':
      return model({ gravity: still, bodies: { block: free }, forces: { line } });
    case 'own law of a line':
      return model({
        gravity: still,
        bodies: { block: free },
        forces: {
          line: lineForce({
            from: [-far, 0, 0],
            to: 'block',
            law: (length: number, rate: number) => -k * (length - far) - d * rate,
          }),
        },
      });
  }
}

// x = x₀ cos ωt; the middle of the step has tan(ω' h/2) = ω h/2 (Verlet: sin), so that ω' = ω (1 ∓ (ω h)²/12 or /24): phase 1.7e-3 and 8e-4 after 10 s at 4 ms
test.each(WAYS)('swings on with its amplitude: %s', (way) => {
  const omega = 10;
  for (const h of [4e-3, 1e-3]) {
    const { recording } = run(oscillator(way, mass * omega * omega, 0, 0.1, 0), stepping(h, 10));
    const x = recording.signal('block.position.x').values;
    const worst = Math.max(
      ...Array.from(x, (value, i) => Math.abs(value - 0.1 * Math.cos(omega * recording.times[i]))),
    );
    expect(worst).toBeLessThan(0.1 * omega * 10 * ((omega * h) ** 2 / 12 + 1e-6) * 1.1);
  }
});

// m x'' = −k x − d x': the slow root of the overdamped is followed, the fast one is over within the step
test.each(WAYS)('is stopped by a damper, however stiff: %s', (way) => {
  for (const d of [1, 100, 1e3, 1e4, 1e5]) {
    const k = 100;
    const root = Math.sqrt(Math.abs(d * d - 4 * mass * k)) / (2 * mass);
    const t = 0.2;
    const decay = -d / (2 * mass);
    // v₀ = 1 m/s from x = 0; of the two real roots the one near zero is −2 k/(d + √…) without cancellation
    const exact =
      d * d < 4 * mass * k
        ? (Math.exp(decay * t) * Math.sin(root * t)) / root
        : (Math.exp((-2 * k * t) / (d + 2 * mass * root)) - Math.exp((decay - root) * t)) / (2 * root);
    const simulation = run(oscillator(way, k, d, 0, 1), stepping(2e-3, t));
    // at d = 100 the step is a fifth of m/d: (0.2)²/12; stiffer ones decide within one step
    expect(Math.abs(simulation.recording.signal('block.position.x').at(-1)! / exact - 1)).toBeLessThan(5e-3);
  }
});

test('a plate on a spring that carries a box, and is shaken, goes as under error control', () => {
  const shaken = model({
    gravity: [0, 0, -9.81],
    bodies: {
      plate: body({ shape: box([0.4, 0.4, 0.02]), material: steel, position: [0, 0, -0.01] }),
      box: body({ shape: cube, material: oak, position: [0.02, 0, 0.05] }),
    },
    joints: {
      lift: prismatic({
        body: 'plate',
        axis: [0, 0, 1],
        spring: { stiffness: 5000 },
        damping: 5,
        force: (t: number) => 25 * 9.81 + 60 * Math.sin(12 * t),
      }),
    },
    contacts: { defaults: { friction: 0.5, restitution: 0.2 } },
  });
  const exact = run(shaken, { stopTime: 1.5, interval: 0.1 }).recording.signal('plate.position.z').at(-1)!;
  const errors = [4e-3, 2e-3].map((step) => {
    const simulation = run(shaken, stepping(step, 1.5));
    const { account } = simulation.stepping!;
    expect(Math.abs(account.step)).toBeLessThan(5e-4 * account.scale);
    return Math.abs(simulation.recording.signal('plate.position.z').at(-1)! - exact);
  });
  // second order: 1.5e-4 and 4e-5 m measured; backward Euler lost 9 and 5 mm
  expect(errors[0]).toBeLessThan(3e-4);
  expect(errors[1]).toBeLessThan(1e-4);
});

// swings about A by θ'' = −(3/2)(g/L) sin θ − τ/I: dry friction takes 4 τ θ a period, no more
test('a pendulum with dry friction in its hinge loses to friction, not to the step', () => {
  const pendulum = model({
    gravity: [0, 0, -9.81],
    bodies: { rod: body({ shape: box([0.02, 0.02, 0.5]), material: steel, position: [0, 0, -0.25] }) },
    joints: {
      hinge: revolute({ body: 'rod', at: [0, 0, 0], axis: [0, 1, 0], initialAngle: 1, friction: { limit: 0.05 } }),
    },
  });
  for (const step of [4e-3, 1e-3]) {
    const { account } = run(pendulum, stepping(step, 5)).stepping!;
    expect(account.dissipated).toBeGreaterThan(0.2 * account.scale);
    // 4.5e-2 and 1.1e-2 while the velocity of the end moved it
    expect(Math.abs(account.step)).toBeLessThan(100 * step * step * account.scale);
  }
});

// the bristle of a joint is damped critically (theory: dynamics); without its damper the cart went 3.7 % further, at any step
test('a cart held by dry friction and drawn by a pendulum moves as under error control', () => {
  const drawn = model({
    bodies: {
      cart: body({ shape: box([0.2, 0.1, 0.1]), material: steel, position: [0, 0, 1] }),
      bob: body({ shape: cube, material: steel, position: [0.3, 0, 1], contact: false }),
    },
    joints: {
      rail: prismatic({ body: 'cart', at: [0, 0, 1], axis: [1, 0, 0], friction: { limit: 20 } }),
      pin: revolute({ body: 'bob', to: 'cart', at: [0, 0, 1], axis: [0, 1, 0] }),
    },
  });
  const way = (options: SimulationOptions) => run(drawn, options).recording.signal('cart.position.x').at(-1)!;
  const exact = way({ stopTime: 0.4, rtol: 1e-9, interval: 0.02 });
  const errors = [1e-3, 2.5e-4].map((step) => Math.abs(way(stepping(step, 0.4)) - exact) / exact);
  expect(errors[0]).toBeLessThan(1e-3);
  expect(errors[1]).toBeLessThan(0.3 * errors[0]!);
});

describe('faces whose borders fall together', () => {
  // sides of both are the same planes up to rounding; a corner that was cut off between two that lie on the border was thrown 20 mm away
  test('a wedge parts two blocks alike', () => {
    const wedge = convexHull([
      [0, -0.05, 0],
      [0, 0.05, 0],
      [-0.03, -0.05, 0.1],
      [0.03, -0.05, 0.1],
      [-0.03, 0.05, 0.1],
      [0.03, 0.05, 0.1],
    ]);
    const at = (x: number) => body({ shape: cube, material: oak, position: [x, 0, 0.05] });
    const parting = model({
      gravity: [0, 0, -9.81],
      bodies: {
        floor: body({ shape: halfSpace(), material: steel, fixed: true }),
        wedge: body({ shape: wedge, material: steel, position: [0, 0, 0.1] }),
        left: at(-0.0505),
        right: at(0.0505),
      },
      contacts: { defaults: { friction: 0.05, restitution: 0 } },
    });
    for (const step of [4e-3, 2e-3]) {
      const { recording } = run(parting, stepping(step, 0.5));
      const [left, right] = ['left', 'right'].map((name) => recording.signal(`${name}.position.x`).at(-1)!);
      expect(Math.abs(left + right)).toBeLessThan(1e-6);
      // error control: 0.19217 m, at first order
      expect(Math.abs(right - 0.19217)).toBeLessThan(1.1 * step);
    }
  });
});
