/**
 * What joints carry in runs with 'time-stepping': all that acts along them, on them and in loops counts, as the mean of a step, and approaches what error control tells.
 */
import { describe, expect, test } from 'vitest';
import { bodyInertia } from '../../src/assembly/inertia.js';
import { halfSpace } from '../../src/geometry/half-space.js';
import { box, sphere } from '../../src/geometry/primitives.js';
import { body } from '../../src/model/body.js';
import { fixed, prismatic, revolute } from '../../src/model/joints.js';
import { oak, steel } from '../../src/model/materials.js';
import { type Model, model } from '../../src/model/model.js';
import type { Recording } from '../../src/results/recording.js';
import { Simulation } from '../../src/simulation/simulation.js';

const g = 9.81; // m/s²
const stepping = (step: number) => ({ integrator: 'time-stepping', step }) as const;

/** Largest difference of a signal between two runs over its range */
function difference(a: Recording, b: Recording, name: string): number {
  const [x, y] = [a.signal(name).values, b.signal(name).values];
  let worst = 0;
  let [least, most] = [0, 0];
  for (let i = 0; i < y.length; i++) {
    worst = Math.max(worst, Math.abs(x[i] - y[i]));
    least = Math.min(least, y[i]);
    most = Math.max(most, y[i]);
  }
  return worst / (most - least);
}

/** A trolley drawn along a rail by a motor, a rod on a hinge with spring and damper, a load below it */
const crane = (): Model =>
  model({
    contacts: false,
    bodies: {
      trolley: body({ shape: box([0.2, 0.2, 0.1]), material: steel, position: [0, 0, 1] }),
      rod: body({ shape: box([0.05, 0.05, 0.5]), material: oak, position: [0, 0, 0.75] }),
      load: body({ shape: sphere(0.1), material: steel, position: [0, 0, 0.4] }),
    },
    joints: {
      rail: prismatic({
        body: 'trolley',
        at: [0, 0, 1],
        axis: [1, 0, 0],
        motor: { kp: 2000, kd: 400, target: (t: number) => 0.5 * t * t },
      }),
      hinge: revolute({
        body: 'rod',
        to: 'trolley',
        at: [0, 0, 1],
        axis: [0, 1, 0],
        damping: 0.5,
        spring: { stiffness: 20 },
      }),
      swivel: revolute({ body: 'load', to: 'rod', at: [0, 0, 0.5], axis: [0, 1, 0], damping: 0.05 }),
    },
  });

const run = (made: Model, options: object): Recording => {
  const simulation = new Simulation(made, options);
  simulation.advance();
  return simulation.finish();
};

describe('a crane: reactions as error control tells them', () => {
  const rows = { stopTime: 1, interval: 0.02 };
  const exact = run(crane(), { ...rows, rtol: 1e-9 });
  const coarse = run(crane(), { ...rows, ...stepping(2e-3) });
  const fine = run(crane(), { ...rows, ...stepping(1e-3) });

  // the mean of a step is the force half a step ago: what is off falls with the step
  test.each([
    'rail.force.x',
    'rail.force.z',
    'rail.torque.y',
    'rail.drive',
    'hinge.force.x',
    'hinge.torque.y',
    'hinge.drive',
    'swivel.force.x',
    'swivel.torque.y',
  ])('%s', (name) => {
    const [at2, at1] = [difference(coarse, exact, name), difference(fine, exact, name)];
    expect(at1).toBeLessThan(0.01);
    expect(at1).toBeLessThan(0.7 * at2);
  });

  test('along its rail the joint pushes with what the motor drives', () => {
    const [force, drive] = [fine.signal('rail.force.x').values, fine.signal('rail.drive').values];
    for (let i = 0; i < force.length; i++) expect(force[i]).toBeCloseTo(drive[i], 9);
  });
});

/** One run to rest with steps of 2 ms; the last value of a signal */
const atRest = (made: Model): ((name: string) => number) => {
  const recording = run(made, { stopTime: 1, interval: 0.1, ...stepping(2e-3) });
  return (name) => recording.signal(name).at(-1)!;
};

// Statics: sums of forces and torques about the joint
test('a slide that stands on its stop', () => {
  const weight = 2 * g;
  const last = atRest(
    model({
      contacts: false,
      bodies: { ram: body({ mass: 2, inertia: [0.01, 0.01, 0.01], position: [0, 0, 0.1] }) },
      joints: {
        slide: prismatic({
          body: 'ram',
          axis: [0, 0, 1],
          stops: { lower: -0.1, upper: 1, stiffness: 1e6, restitution: 0.1 },
        }),
      },
    }),
  );
  expect(last('slide.drive') / weight).toBeCloseTo(1, 6);
  expect(last('slide.force.z') / weight).toBeCloseTo(1, 6);
});

test('friction in a hinge holds an arm: its torque is that of the weight', () => {
  const last = atRest(
    model({
      contacts: false,
      bodies: { arm: body({ mass: 2, inertia: [0.01, 0.01, 0.01], position: [0.3, 0, 0] }) },
      joints: { hinge: revolute({ body: 'arm', at: [0, 0, 0], axis: [0, 1, 0], friction: { limit: 10 } }) },
    }),
  );
  // Rᵧ(−ε) lifts: the weight at +x turns about +y, the joint holds with −m g a
  expect(last('hinge.drive') / (-2 * g * 0.3)).toBeCloseTo(1, 6);
  expect(last('hinge.torque.y') / (-2 * g * 0.3)).toBeCloseTo(1, 6);
  expect(last('hinge.force.z') / (2 * g)).toBeCloseTo(1, 6);
});

/** An arm of 2 kg, centre 0.3 m out, pressed on the floor by a torque at its hinge; its ball touches 0.6 m out */
const leaning = (): Model =>
  model({
    bodies: {
      floor: body({ shape: halfSpace({}), material: oak, fixed: true }),
      arm: body({
        shape: sphere(0.05),
        material: steel,
        mass: 2,
        centreOfMass: [-0.3, 0, 0],
        inertia: [0.01, 0.06, 0.06],
        position: [0.6, 0, 0.05],
      }),
    },
    joints: { hinge: revolute({ body: 'arm', at: [0, 0, 0.05], axis: [0, 1, 0], torque: 5 }) },
  });

test('a torque leans an arm on the floor: floor and hinge share the weight', () => {
  const last = atRest(leaning());
  const [x, z] = [last('arm.contact.force.x'), last('arm.contact.force.z')];
  // about the hinge, with the friction of the floor 0.05 m below it
  expect((0.6 * z + 0.05 * x) / (2 * g * 0.3 + 5)).toBeCloseTo(1, 6);
  expect(last('hinge.drive')).toBeCloseTo(5, 9);
  expect(last('hinge.torque.y')).toBeCloseTo(5, 5);
  expect(last('hinge.force.x') / -x).toBeCloseTo(1, 5);
  expect(last('hinge.force.z') / (2 * g - z)).toBeCloseTo(1, 5);
});

// The joint holds what the hand pulls with, less the weight
test('a hand lifts an arm against its stop', () => {
  const made = model({
    contacts: false,
    bodies: { arm: body({ mass: 2, inertia: [0.01, 0.06, 0.06], position: [0.3, 0, 0] }) },
    joints: {
      hinge: revolute({
        body: 'arm',
        at: [0, 0, 0],
        axis: [0, 1, 0],
        stops: { lower: 0, upper: 1, stiffness: 1e5, restitution: 0.1 },
      }),
    },
  });
  const simulation = new Simulation(made, { stopTime: 1, interval: 0.1, ...stepping(2e-3) });
  const grip = simulation.grab('arm', [0.3, 0, 0]);
  grip.moveTo([0.3, 0, 1]);
  simulation.advance();
  const recording = simulation.finish();
  const force = recording.signal('hinge.force.z').at(-1)!;
  const torque = recording.signal('hinge.torque.y').at(-1)!;
  // about the hinge: the hand at 0.3 m, as the weight; the stop presses down by +y
  expect(force).toBeLessThan(-100);
  expect(torque / (-0.3 * force)).toBeCloseTo(1, 6);
});

test('a four-bar turned by a motor: loops carry as error control tells', () => {
  const fourBar = (): Model =>
    model({
      contacts: false,
      bodies: {
        crank: body({ mass: 1, inertia: [0.01, 0.01, 0.01], position: [0, 0, 0.1] }),
        coupler: body({ mass: 2, inertia: [0.02, 0.05, 0.05], position: [0.25, 0, 0.25] }),
        rocker: body({ mass: 1.5, inertia: [0.03, 0.03, 0.03], position: [0.5, 0, 0.15] }),
      },
      joints: {
        a: revolute({
          body: 'crank',
          at: [0, 0, 0],
          axis: [0, 1, 0],
          motor: { targetSpeed: (t: number) => 4 * t, kd: 5 },
        }),
        b: revolute({ body: 'coupler', to: 'crank', at: [0, 0, 0.2], axis: [0, 1, 0] }),
        c: revolute({ body: 'rocker', to: 'coupler', at: [0.5, 0, 0.3], axis: [0, 1, 0] }),
        d: revolute({ body: 'rocker', at: [0.5, 0, 0], axis: [0, 1, 0], damping: 0.3 }),
      },
    });
  const rows = { stopTime: 1, interval: 0.02 };
  const exact = run(fourBar(), { ...rows, rtol: 1e-9 });
  const [coarse, fine] = [2e-3, 1e-3].map((step) => run(fourBar(), { ...rows, ...stepping(step) }));
  for (const name of ['a.drive', 'a.force.x', 'a.torque.y', 'b.force.z', 'c.force.x', 'd.force.x', 'd.force.z']) {
    const [at2, at1] = [difference(coarse, exact, name), difference(fine, exact, name)];
    expect(at1, name).toBeLessThan(0.01);
    expect(at1, name).toBeLessThan(0.7 * at2);
  }
});

// What is recorded adds up, in every step and for every body: m (v − v₀)/h = weight + contacts + joints
test('a shaken tray with walls and loose parts: forces that are told make the motion', () => {
  const made = model({
    bodies: {
      tray: body({ shape: box([0.6, 0.4, 0.02]), material: steel }),
      wall: body({ shape: box([0.02, 0.4, 0.1]), material: steel, position: [0.31, 0, 0.04] }),
      block: body({ shape: box([0.08, 0.08, 0.08]), material: oak, position: [0.25, 0, 0.0501] }),
      ball: body({ shape: sphere(0.03), material: steel, position: [0, -0.1, 0.0401] }),
    },
    joints: {
      shaker: prismatic({
        body: 'tray',
        axis: [1, 0, 0],
        motor: { kp: 2e5, kd: 2e3, target: (t: number) => 0.01 * Math.sin(20 * t), limit: 5000 },
      }),
      weld: fixed({ body: 'wall', to: 'tray' }),
    },
  });
  const h = 1e-3;
  const recording = run(made, { stopTime: 0.4, interval: h, ...stepping(h) });
  const carried: Record<string, readonly (readonly [joint: string, sign: number])[]> = {
    tray: [
      ['shaker', 1],
      ['weld', -1],
    ],
    wall: [['weld', 1]],
    block: [],
    ball: [],
  };
  for (const [name, joints] of Object.entries(carried)) {
    const { mass } = bodyInertia(made.bodies.get(name)!, name);
    for (const [k, axis] of ['x', 'y', 'z'].entries()) {
      const v = recording.signal(`${name}.velocity.${axis}`).values;
      const terms = [[`${name}.contact`, 1] as const, ...joints].map(([of, sign]) => ({
        sign,
        values: recording.signal(`${of}.force.${axis}`).values,
      }));
      for (let i = 1; i < v.length; i++) {
        const force = terms.reduce((sum, { sign, values }) => sum + sign * values[i], k === 2 ? -mass * g : 0);
        const largest = Math.max(mass * g, ...terms.map(({ values }) => Math.abs(values[i])));
        expect(Math.abs((mass * (v[i] - v[i - 1])) / h - force) / largest, `${name} ${axis} ${i}`).toBeLessThan(1e-9);
      }
    }
  }
});
