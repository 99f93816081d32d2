/** Stops of joints in time stepping: one that the step resolves gives way and throws back by its own law, as under error control; a stiffer one is rigid, with its restitution. */
import { describe, expect, test } from 'vitest';
import { box, halfSpace, sphere } from '../../src/index.js';
import { body } from '../../src/model/body.js';
import { prismatic, revolute } from '../../src/model/joints.js';
import { oak, steel } from '../../src/model/materials.js';
import { type Model, model } from '../../src/model/model.js';
import { Simulation, type SimulationOptions } from '../../src/simulation/simulation.js';

const run = (of: Model, options: SimulationOptions): Simulation => {
  const simulation = new Simulation(of, options);
  simulation.advance();
  simulation.finish();
  return simulation;
};
const g = 9.81;

interface Touch {
  readonly time: number;
  readonly deepest: number;
  readonly leaving: number;
  readonly word: string | undefined;
}

/** First touch of the lower stop at 0 of a coordinate: how long, how deep, how fast away */
function touch(of: Model, options: SimulationOptions): Touch {
  const { recording } = run(of, options);
  const { times } = recording;
  const x = recording.signal('rail.position').values;
  // where the straight line between two rows meets zero
  const crossing = (i: number): number => times[i - 1] + ((times[i] - times[i - 1]) * x[i - 1]) / (x[i - 1] - x[i]);
  const inside = x.findIndex((value) => value < 0);
  const outside = x.findIndex((value, i) => i > inside && value > 0);
  expect(inside).toBeGreaterThan(0);
  expect(outside).toBeGreaterThan(inside);
  const beyond = outside + 1;
  return {
    time: crossing(outside) - crossing(inside),
    deepest: -Math.min(...x.slice(inside, outside)),
    leaving: (x[beyond] - x[outside]) / (times[beyond] - times[outside]),
    word: recording.trust.verdict?.word,
  };
}

// towards the stop at 1 m/s; 0.0203 m are gone in no whole number of steps
const slider = (stiffness: number, restitution: number): Model =>
  model({
    gravity: [0, 0, 0],
    bodies: { slider: body({ mass: 1, inertia: [1, 1, 1] }) },
    joints: {
      rail: prismatic({
        body: 'slider',
        axis: [1, 0, 0],
        initialPosition: 0.0203,
        initialSpeed: -1,
        stops: { lower: 0, upper: 1, stiffness, restitution },
      }),
    },
    contacts: false,
  });

describe('a mass of 1 kg at 1 m/s against a stop of 1 kN/m', () => {
  test.each([1, 0.9, 0.5, 0.1])('e = %f: in touch as long and as deep as under error control', (e) => {
    const exact = touch(slider(1e3, e), { stopTime: 0.3, interval: 1e-4, rtol: 1e-8 });
    for (const step of [0.25e-3, 1e-3, 2e-3, 8e-3]) {
      const own = touch(slider(1e3, e), {
        integrator: 'time-stepping',
        step,
        stopTime: 0.3,
        interval: step,
      });
      // second order: (h ω)² is 6e-5 … 0.064; rows tell the deepest to (h ω)²/8
      const close = 2e-3 + 0.4 * step * step * 1e3;
      expect(Math.abs(own.time / exact.time - 1)).toBeLessThan(close);
      expect(Math.abs(own.deepest / exact.deepest - 1)).toBeLessThan(close);
      expect(Math.abs(own.leaving / e - 1)).toBeLessThan(close);
      expect(own.word).toBe('trusted');
    }
  });

  test('steps that choose themselves', () => {
    const exact = touch(slider(1e3, 0.5), { stopTime: 0.3, interval: 1e-3, rtol: 1e-8 });
    const own = touch(slider(1e3, 0.5), {
      integrator: 'time-stepping',
      accuracy: 1e-4,
      stopTime: 0.3,
      interval: 1e-3,
    });
    expect(Math.abs(own.deepest / exact.deepest - 1)).toBeLessThan(0.02);
    expect(Math.abs(own.leaving / 0.5 - 1)).toBeLessThan(0.02);
  });
});

// 3.2 mm deep for 10 ms, and 0.32 mm for 1 ms, where 0.1 mm is asked for; 10 µm where it is rigid
test.each([1e5, 1e7, 1e10])('steps that choose themselves against a stop of %f N/m', (stiffness) => {
  const places = (options: SimulationOptions): ArrayLike<number> =>
    run(slider(stiffness, 0.5), { stopTime: 0.06, interval: 0.03, ...options }).recording.signal('rail.position')
      .values;
  const exact = places({ rtol: 1e-8 });
  const own = places({ integrator: 'time-stepping', accuracy: 1e-4 });
  for (let i = 0; i < exact.length; i++) expect(Math.abs(own[i] - exact[i])).toBeLessThan(3e-4);
});

// h² k/m is 25 and more: rigid, it rebounds within a step
test.each([1e8, 1e10])('a stop of %f N/m is rigid and throws back with e', (stiffness) => {
  for (const e of [0.9, 0.5]) {
    const { recording } = run(slider(stiffness, e), {
      integrator: 'time-stepping',
      step: 5e-4,
      stopTime: 0.05,
      interval: 5e-4,
    });
    expect(recording.signal('rail.position').min()).toBeGreaterThan(-1e-6);
    expect(Math.abs(recording.signal('rail.speed').at(-1)! - e)).toBeLessThan(1e-9);
  }
});

const high = 0.0203;
const plateMass = 2;
/** A plate that falls on its stop, with a box on it unless there is none */
const loaded = (stiffness: number, restitution: number, mass: number, ownMass = plateMass): Model =>
  model({
    gravity: [0, 0, -g],
    bodies: {
      plate: body({ shape: box([0.3, 0.3, 0.02]), material: steel, mass: ownMass, position: [0, 0, -0.01] }),
      ...(mass > 0 && {
        load: body({
          shape: box([0.1, 0.1, 0.1]),
          material: steel,
          mass,
          position: [0, 0, high + 0.05],
          velocity: [0, 0, -1],
        }),
      }),
    },
    joints: {
      lift: prismatic({
        body: 'plate',
        axis: [0, 0, 1],
        initialPosition: high,
        initialSpeed: -1,
        stops: { lower: 0, upper: 1, stiffness, restitution },
      }),
    },
    contacts: { defaults: { friction: 0.5, restitution: 0.2 } },
  });

/** How far a coordinate is from that of error control, at most, over its deepest place */
function apart(of: Model, signal: string, step: number, stopTime: number): number {
  const [exact, own] = [{ rtol: 1e-6 }, { integrator: 'time-stepping', step } as const].map(
    (more) => run(of, { stopTime, interval: 2e-3, ...more }).recording,
  );
  expect(own.trust.verdict?.word).toBe('trusted');
  const x = own.signal(signal).values;
  const y = exact.signal(signal).values;
  return Math.max(...Array.from(x, (value, i) => Math.abs(value - y[i]))) / -Math.min(...y);
}

describe('under load', () => {
  test.each([
    [0, 0.9, 4e3],
    [0, 0.5, 2e4],
    [3, 0.9, 2e4],
    [3, 0.5, 4e3],
    [20, 0.5, 4e3],
  ])('a plate with %f kg on it falls on a soft stop, e = %f, %f N/m: as under error control', (mass, e, stiffness) => {
    // (h ω)² is 0.002 … 0.04, and gravity acts for up to a step where touch begins: 4e-4 … 1.2e-2 measured
    for (const step of [1e-3, 2e-3]) {
      const close = 3e-3 + 0.3 * ((step * step * stiffness) / plateMass);
      expect(apart(loaded(stiffness, e, mass), 'lift.position', step, 0.25)).toBeLessThan(close);
    }
  });

  // h² k/m is 0.4 … 40 for the plate alone and 4e-4 … 4e-2 with what lies on it: how far it goes and how fast it comes back is up to the load
  test.each([
    [20, 2, 0.5, 2e5],
    [20, 2, 0.9, 2e5],
    [100, 0.1, 0.5, 1e5],
    [100, 0.1, 0.5, 1e6],
    [10, 0.1, 0.3, 3e4],
  ])('%f kg on a plate of %f kg, e = %f, %f N/m: soft by the load alone', (mass, ownMass, e, stiffness) => {
    // 0.3 … 1.6 % of the deepest place measured at 2 ms
    expect(apart(loaded(stiffness, e, mass, ownMass), 'lift.position', 2e-3, 0.12)).toBeLessThan(0.03);
  });

  test('soft by its load, steps that choose themselves', () => {
    const of = loaded(1e5, 0.5, 100, 0.1);
    const deepest = (options: SimulationOptions): number =>
      -run(of, { stopTime: 0.15, interval: 1e-3, ...options })
        .recording.signal('lift.position')
        .min();
    expect(Math.abs(deepest({ integrator: 'time-stepping', accuracy: 1e-4 }) - deepest({ rtol: 1e-6 }))).toBeLessThan(
      3e-4,
    );
  });

  test('stiffer than the step for plate and load: it rebounds with its restitution', () => {
    const impact = Math.sqrt(1 + 2 * g * high);
    for (const mass of [0, 3, 20])
      for (const stiffness of [mass === 20 ? 2e6 : 2e5, 1e6, 1e8])
        for (const e of [0.9, 0.5]) {
          const { recording } = run(loaded(stiffness, e, mass), {
            integrator: 'time-stepping',
            step: 2e-3,
            stopTime: 0.05,
            interval: 2e-3,
          });
          // gravity takes g h for a step or less, of 1.18 m/s, and what the contact under the load gives way by: 1e-2
          const share = recording.signal('lift.speed').max() / impact;
          expect(Math.abs(share - e)).toBeLessThan(0.03 * e + 3e-3);
          expect(recording.signal('lift.position').min()).toBeGreaterThan(-1e-4);
        }
  });

  test('a hinge', () => {
    const flap = (stiffness: number, e: number): Model =>
      model({
        gravity: [0, 0, -g],
        bodies: { flap: body({ mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0] }) },
        joints: {
          hinge: revolute({
            body: 'flap',
            at: [0, 0, 0],
            axis: [0, -1, 0],
            initialAngle: 0.2,
            stops: { lower: 0, upper: 1.2, stiffness, restitution: e },
          }),
        },
        contacts: false,
      });
    for (const e of [0.9, 0.3]) expect(apart(flap(2e3, e), 'hinge.angle', 2e-3, 0.6)).toBeLessThan(4e-3);
  });
});

// Balls of oak under a cart become soft for the step at some 0.25 ms: a contact that is rigid in one step and follows its law in the next goes to and fro between two depths. The cart trembled, and its
// steps made 24 % of the energy that moved.
test.each([1e-3, 5e-4, 4e-4, 2.5e-4, 2e-4, 1e-4])('a cart on two balls comes to rest at steps of %f s', (step) => {
  const cart = model({
    gravity: [0, 0, -g],
    bodies: {
      floor: body({ shape: halfSpace(), material: oak, fixed: true }),
      tub: body({ shape: box([0.6, 0.4, 0.05]), material: oak, position: [0.3, 0, 0.22] }),
      wheel: body({ shape: sphere(0.2), material: oak, position: [0, 0, 0.2] }),
      foot: body({ shape: sphere(0.02), material: oak, mass: 0.1, position: [0.6, 0, 0.02] }),
    },
    joints: {
      axle: revolute({ body: 'wheel', to: 'tub', axis: [0, 1, 0], at: [0, 0, 0.2] }),
      leg: prismatic({ body: 'foot', to: 'tub', axis: [0, 0, 1], position: () => 0 }),
    },
    contacts: {
      defaults: { friction: 0.4, restitution: 0.1 },
      exclude: [
        ['wheel', 'tub'],
        ['tub', 'foot'],
      ],
    },
  });
  const { trust } = run(cart, { integrator: 'time-stepping', step, stopTime: 0.2, interval: 0.2 }).recording;
  // 1e-21 J is 2e-11 m/s; it weighs 30 kg
  expect(trust.energy!.kinetic).toBeLessThan(1e-20);
  expect(trust.verdict?.word).toBe('trusted');
});

// A bar on a hinge that turns at 2 rad/s meets a stop of 50 N m/rad that asks for 0.5 of the speed back. The stop is slow beside the bar's own swings, so what bounces is the whole bar, however
// it deforms: stiff as a rigid one it has 0.5. In the first instant the pin alone resists the stop, a tenth of the bar's inertia, and by that it came back with 0.91.
test.each([5e12, 5e8])('a bar that deforms rebounds as under error control, E = %d Pa', (youngsModulus) => {
  const bar = model({
    gravity: 'none',
    contacts: false,
    bodies: {
      bar: body({
        shape: box([0.5, 0.03, 0.01]),
        material: { density: 2700, youngsModulus, poissonRatio: 0.3 },
        position: [0.25, 0, 0],
        flexible: { grid: [12, 1], modes: 2 },
      }),
    },
    joints: {
      pin: revolute({
        body: 'bar',
        axis: [0, 0, 1],
        initialSpeed: -2,
        stops: { lower: -0.01, stiffness: 50, restitution: 0.5 },
      }),
    },
  });
  const back = (options: SimulationOptions): number => {
    const angle = run(bar, { stopTime: 0.2, interval: 0.002, ...options }).recording.signal('pin.angle');
    return (angle.valueAt(0.2) - angle.valueAt(0.16)) / 0.04 / 2;
  };
  const stepped = back({ integrator: 'time-stepping', step: 2e-4 });
  // second order in the step: 1e-4 of the soft one's; the stiff one has 3e-5 of a rigid bar's
  expect(Math.abs(stepped - back({ rtol: 1e-6 }))).toBeLessThan(1e-3);
  if (youngsModulus > 1e12) expect(Math.abs(stepped - 0.5)).toBeLessThan(1e-3);
});

// The inertia that a stop feels is that of the pose: of two strips pinned to each other it is another one when they have fallen. With that of the start, the elbow was 0.012 rad from error control
// after 0.8 s at 4e-4 s and at 1e-4 s alike.
test('parts that deform and fold up: a stop rebounds by the inertia that it feels where they are', () => {
  const strip = (x: number) =>
    body({
      shape: box([1, 0.05, 0.01]),
      material: { density: 2700, youngsModulus: 5e8, poissonRatio: 0.3 },
      position: [x + 0.5, 0, 0],
      flexible: { grid: [20, 2], modes: 2, damping: 0, membrane: false },
    });
  const stops = (stiffness: number) => ({ lower: -0.4, upper: 0.4, stiffness, restitution: 0.5 });
  const pendulum = model({
    gravity: [0, -g, 0],
    contacts: false,
    bodies: { upper: strip(0), lower: strip(1) },
    joints: {
      shoulder: revolute({ body: 'upper', axis: [0, 0, 1], stops: stops(500) }),
      elbow: revolute({ body: 'lower', to: 'upper', axis: [0, 0, 1], at: [1, 0, 0], stops: stops(100) }),
    },
  });
  const angles = (options: SimulationOptions): number[] => {
    const { recording } = run(pendulum, { stopTime: 0.8, interval: 0.1, ...options });
    return ['shoulder', 'elbow'].map((joint) => recording.signal(`${joint}.angle`).at(-1)!);
  };
  const exact = angles({ rtol: 1e-6 });
  for (const step of [4e-4, 2e-4]) {
    const stepped = angles({ integrator: 'time-stepping', step });
    // second order: bending swings at 70/s by about 0.1 rad, 0.1 (70 h)²
    for (const [i, angle] of stepped.entries())
      expect(Math.abs(angle - exact[i])).toBeLessThan(0.1 * (70 * step) ** 2 + 1e-5);
  }
});
