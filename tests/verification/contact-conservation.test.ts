// What must hold of every contact, whatever the law and the shapes: action and reaction, momentum, energy, the same bits twice.
import { describe, expect, test } from 'vitest';
import {
  body,
  box,
  cylinder,
  halfSpace,
  type Model,
  model,
  type Recording,
  type Solid,
  simulate,
  sphere,
} from '../../src/index.js';

const AXES = ['x', 'y', 'z'] as const;
const material = { density: 2500, youngsModulus: 1e8, poissonRatio: 0.3 };

/** Four bodies of different shapes that meet, free of all else */
const crowd = (): Model =>
  model({
    gravity: 'none',
    bodies: {
      brick: body({ shape: box([0.1, 0.08, 0.06]), material, velocity: [1, 0.1, 0], angularVelocity: [1, 2, 3] }),
      slab: body({
        shape: box([0.09, 0.07, 0.05]),
        material,
        position: [0.15, 0.01, 0.01],
        velocity: [-1, 0, 0],
        orientation: { axis: [1, 1, 1], angle: 0.5 },
      }),
      can: body({
        shape: cylinder({ radius: 0.03, height: 0.1 }),
        material,
        position: [-0.12, 0.01, 0.01],
        velocity: [2, 0, 0],
        orientation: { axis: [1, 0, 1], angle: 0.5 },
      }),
      ball: body({ shape: sphere(0.04), material, position: [0.02, 0.15, 0.01], velocity: [0, -2, 0] }),
    },
    contacts: { defaults: { restitution: 0.5, friction: 0.4 } },
  });

describe('four bodies that collide', () => {
  const run = simulate(crowd(), { stopTime: 0.15, interval: 1e-3 });
  const start = Math.hypot(...AXES.map((axis) => run.signal(`momentum.${axis}`).values[0]));

  test('momentum is kept to rounding', () => {
    expect(run.table('contacts').rows).toBeGreaterThan(10);
    for (const axis of AXES) {
      const { values } = run.signal(`momentum.${axis}`);
      for (const value of values) expect(Math.abs(value - values[0])).toBeLessThan(1e-12 * start);
    }
  });

  // The integrator keeps it within its tolerance: levers turn within a step
  test('angular momentum is kept to the tolerance', () => {
    const size = Math.hypot(...AXES.map((axis) => run.signal(`angularMomentum.${axis}`).values[0]));
    for (const axis of AXES) {
      const { values } = run.signal(`angularMomentum.${axis}`);
      for (const value of values) expect(Math.abs(value - values[0])).toBeLessThan(1e-5 * size);
    }
  });

  test('two runs give the same bits', () => {
    expect(simulate(crowd(), { stopTime: 0.15, interval: 1e-3 }).hash).toBe(run.hash);
  });
});

// One pair each: the force on the one is the negative of that on the other, to the bit; the sum over a region's parts, too.
test.each<[string, Solid, Solid]>([
  ['ball and ball', sphere(0.05), sphere(0.04)],
  ['ball and box', sphere(0.05), box([0.1, 0.1, 0.1])],
  ['box and box', box([0.1, 0.1, 0.1]), box([0.08, 0.09, 0.1])],
  ['can and box', cylinder({ radius: 0.05, height: 0.1 }), box([0.1, 0.1, 0.1])],
  ['meshes', { ...box([0.1, 0.1, 0.1]), form: { kind: 'mesh' } }, { ...sphere(0.05), form: { kind: 'mesh' } }],
])('action is reaction: %s', (_, first, second) => {
  const run = simulate(
    model({
      gravity: 'none',
      bodies: {
        a: body({ shape: first, material, angularVelocity: [3, 1, 2] }),
        b: body({
          shape: second,
          material,
          position: [0.01, 0.02, 0.115],
          velocity: [0.5, 0.1, -1],
          orientation: { axis: [1, 2, 3], angle: 0.3 },
        }),
      },
      contacts: { defaults: { restitution: 0.5, friction: 0.4 } },
    }),
    { stopTime: 0.05, interval: 2e-4 },
  );
  let touching = 0;
  for (const axis of AXES) {
    const { values: onA } = run.signal(`a.contact.force.${axis}`);
    const { values: onB } = run.signal(`b.contact.force.${axis}`);
    onB.forEach((force, i) => {
      if (force !== 0) touching++;
      expect(onA[i] + force).toBe(0);
    });
  }
  expect(touching).toBeGreaterThan(5);
});

// Energy now + heat = energy at the start; what is left falls with the tolerance, for no term is left out
describe('the ledger closes', () => {
  const scenes: Record<string, Model> = {
    'a box that tumbles': model({
      bodies: {
        floor: body({ shape: halfSpace(), fixed: true, material }),
        box: body({
          shape: box([0.2, 0.2, 0.1]),
          material,
          position: [0, 0, 0.2],
          orientation: { axis: [1, 2, 0.3], angle: 0.4 },
          velocity: [1, 0, 0],
        }),
      },
      contacts: { records: false, defaults: { friction: 0.5, restitution: 0.4 } },
    }),
    'a ball that bounces and rolls': model({
      bodies: {
        floor: body({ shape: halfSpace(), fixed: true, material }),
        ball: body({
          shape: sphere(0.05),
          material,
          position: [0, 0, 0.15],
          velocity: [1, 0, 0],
          angularVelocity: [0, 3, 0],
        }),
      },
      contacts: { records: false, defaults: { friction: 0.5, restitution: 0.4 } },
    }),
    'a box on its corners': model({
      bodies: {
        floor: body({ fixed: true, contact: { surfaces: [{ kind: 'rectangle' }] } }),
        box: body({
          shape: box([0.4, 0.2, 0.1]),
          material,
          position: [0, 0, 0.3],
          orientation: { axis: [1, 2, 0.5], angle: 0.7 },
          velocity: [1, 0, 0],
          contact: {
            surfaces: [
              {
                kind: 'points',
                points: [-1, 1].flatMap((x) =>
                  [-1, 1].flatMap((y) => [-1, 1].map((z) => [0.2 * x, 0.1 * y, 0.05 * z] as const)),
                ),
              },
            ],
          },
        }),
      },
      contacts: {
        records: false,
        defaults: { friction: 0.4, restitution: 0.4, normalLaw: { kind: 'power', stiffness: 2e6, exponent: 1 } },
      },
    }),
  };
  test.each(Object.entries(scenes))('%s', (_, scene) => {
    const error = (rtol: number): number =>
      simulate(scene, { stopTime: 0.3, interval: 0.1, rtol }).trust.energy!.relativeError;
    expect(error(1e-6)).toBeLessThan(3e-4);
    expect(error(1e-8)).toBeLessThan(3e-6);
  });
});

// Elastic: what of the energy is missing is the integrator's error
test('an elastic box keeps its energy', () => {
  const kept = (rtol: number): number => {
    const run: Recording = simulate(
      model({
        bodies: {
          floor: body({ shape: halfSpace(), fixed: true, material }),
          box: body({
            shape: box([0.2, 0.2, 0.1]),
            material,
            position: [0, 0, 0.2],
            orientation: { axis: [1, 2, 0.3], angle: 0.4 },
          }),
        },
        contacts: { records: false, defaults: { friction: 0, restitution: 1 } },
      }),
      { stopTime: 0.3, interval: 0.3, rtol },
    );
    const sum = (row: number): number =>
      run.signal('energy.kinetic').values.at(row)! +
      run.signal('energy.potential').values.at(row)! +
      run.signal('energy.elastic').values.at(row)!;
    return Math.abs(sum(-1) - sum(0)) / Math.abs(run.signal('energy.kinetic').max());
  };
  expect(kept(1e-8)).toBeLessThan(1e-5);
});
