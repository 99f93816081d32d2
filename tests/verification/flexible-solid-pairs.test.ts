// Flexible solids against boxes, rods and each other: statics of a bar, the planar contact, bars that meet, friction that slides and spins.
import { describe, expect, test } from 'vitest';
import { extrude } from '../../src/geometry/extrude.js';
import { box, cylinder, rotate, type Solid } from '../../src/geometry/index.js';
import { translate } from '../../src/geometry/transform.js';
import { body } from '../../src/model/body.js';
import { fixed, prismatic } from '../../src/model/joints.js';
import { model } from '../../src/model/model.js';
import { simulate } from '../../src/simulation/simulation.js';

/** Centred in x and y, from z = 0 up */
const block = (x: number, y: number, height: number): Solid =>
  extrude(
    [
      [-x / 2, -y / 2],
      [x / 2, -y / 2],
      [x / 2, y / 2],
      [-x / 2, y / 2],
    ],
    height,
  );

// A rigid box stands on a soft bar of its own width, ν = 0: the bar is shorter by m g h/(E A). Modal damping and the pair's own bring it to rest.
test('a box stands on a soft bar', () => {
  const [side, height, E, mass] = [0.02, 0.05, 1e6, 0.5];
  const run = simulate(
    model({
      gravity: [0, 0, -9.81],
      bodies: {
        bar: body({
          shape: block(side, side, height),
          material: { density: 10, youngsModulus: E, poissonRatio: 0 },
          flexible: { grid: [2, 2], layers: 4, modes: 6, damping: 0.3 },
        }),
        load: body({
          shape: box([side, side, side]),
          material: { density: mass / side ** 3 },
          position: [0, 0, height + side / 2],
        }),
      },
      joints: {
        bed: fixed({ body: 'bar' }),
        guide: prismatic({ body: 'load', axis: [0, 0, 1], at: [0, 0, height + side / 2], damping: 60 }),
      },
      contacts: { defaults: { friction: 0, restitution: 0.1 } },
      simulation: { stop: 0.5, interval: 0.05 },
    }),
  );
  const shorter = height + side / 2 - run.signal('load.position.z').at(-1)!;
  // and by the give of the pressed faces, h/(20 E) of 7 mm: 0.7 % of the bar's
  expect(Math.abs(shorter / ((mass * 9.81 * height) / (E * side * side)) - 1)).toBeLessThan(0.01);
});

// A rigid cylinder across a block of ν = 0 that is one piece through its width: plane stress, so the planar contact of the same mesh must say the same.
test('a cylinder on a solid presses as a disc on a planar part does', () => {
  const [E, stop] = [1e7, 1.2e-2];
  const [length, height, width, radius, speed] = [0.06, 0.02, 0.01, 0.02, 0.2];
  const material = { density: 1000, youngsModulus: E, poissonRatio: 0 };
  const roller = (planar: boolean) =>
    body({
      shape: planar
        ? cylinder({ radius, height: width })
        : rotate({ axis: [1, 0, 0], angle: Math.PI / 2 }, cylinder({ radius, height: width })),
      material: { density: 7850 },
      position: planar ? [0, height + radius + 1e-7, width / 2] : [0, 0, height + radius + 1e-7],
      velocity: planar ? [0, -speed, 0] : [0, 0, -speed],
    });
  const of = (planar: boolean) =>
    simulate(
      model({
        gravity: [0, 0, 0],
        bodies: {
          block: body({
            shape: planar
              ? translate([0, height / 2, 0], block(length, height, width))
              : translate(
                  [0, width / 2, 0],
                  rotate(
                    { axis: [1, 0, 0], angle: Math.PI / 2 },
                    translate([0, height / 2, 0], block(length, height, width)),
                  ),
                ),
            material,
            flexible: { grid: [24, 6], modes: 8, ...(!planar && { layers: 1 }) },
          }),
          roller: roller(planar),
        },
        joints: { bed: fixed({ body: 'block', at: [0, 0, 0] }) },
        contacts: { defaults: { friction: 0 } },
        simulation: { stop, interval: stop / 200 },
      }),
      { rtol: 1e-5 },
    );
  const planar = of(true);
  const solid = of(false);
  const back = (run: typeof planar, axis: string): number => run.signal(`roller.velocity.${axis}`).at(-1)!;
  const most = (values: ArrayLike<number>): number => Array.from(values).reduce((m, f) => Math.max(m, Math.abs(f)), 0);
  const [p, s] = [
    most(planar.signal('contacts.block-roller.force.y').values),
    most(solid.signal('contacts.block-roller.force.z').values),
  ];
  // the contact is about a side wide
  expect(Math.abs(s / p - 1)).toBeLessThan(0.06);
  expect(Math.abs(back(solid, 'z') / back(planar, 'y') - 1)).toBeLessThan(0.01);
});

// Two equal bars that meet exchange their velocities after 2 L/c, with the force ρ c (v/2) A meanwhile (Saint-Venant; Goldsmith, Impact, § 2).
test('equal bars exchange their velocities', () => {
  const [side, length, v] = [0.01, 0.1, 0.1];
  const c = Math.sqrt(210e9 / 7850);
  const bar = (z: number, speed: number) =>
    body({
      shape: block(side, side, length),
      material: { density: 7850, youngsModulus: 210e9, poissonRatio: 0 },
      flexible: { grid: [1, 1], layers: 10, modes: 30, damping: 0 },
      position: [0, 0, z],
      velocity: [0, 0, speed],
    });
  const run = simulate(
    model({
      gravity: [0, 0, 0],
      bodies: { lower: bar(0, 0), upper: bar(length + 1e-8, -v) },
      contacts: { defaults: { friction: 0 } },
      simulation: { stop: (2.6 * length) / c, interval: (0.02 * length) / c },
    }),
    { rtol: 1e-5 },
  );
  const { values } = run.signal('contacts.lower-upper.force.z');
  const during = Array.from(values).slice(25, 85);
  const mean = during.reduce((sum, f) => sum + Math.abs(f), 0) / during.length;
  expect(Math.abs(mean / ((7850 * c * v * side * side) / 2) - 1)).toBeLessThan(0.05);
  expect(run.signal('lower.velocity.z').at(-1)! / -v).toBeGreaterThan(0.98);
  expect(Math.abs(run.signal('momentum.z').at(-1)! / (-v * 7850 * side * side * length) - 1)).toBeLessThan(1e-9);
});

// A rigid box on a pad of its own outline, ν = 0: even pressure. Sliding takes µ g; spinning about the middle of a square of side s the torque
// µ m g times the mean distance 0.38260 s from its middle, of a plate (m s²/6): 2.2956 µ g/s.
describe('friction on a soft pad', () => {
  const [side, pad, E, friction] = [0.04, 0.004, 2e5, 0.3];
  const on = (velocity: readonly [number, number, number], spin: number, stop: number) =>
    simulate(
      model({
        gravity: [0, 0, -9.81],
        bodies: {
          pad: body({
            shape: block(side, side, pad),
            material: { density: 1000, youngsModulus: E, poissonRatio: 0 },
            flexible: { grid: [4, 4], layers: 1, modes: 2, damping: 0.3 },
          }),
          plate: body({
            shape: box([side, side, side / 8]),
            material: { density: 8000 },
            position: [0, 0, pad + side / 16 - 8e-6],
            velocity,
            angularVelocity: [0, 0, spin],
          }),
        },
        joints: { bed: fixed({ body: 'pad' }) },
        contacts: { defaults: { friction, restitution: 0 } },
        simulation: { stop, interval: stop / 20 },
      }),
    );
  test('slides to a stop by µ g', () => {
    const run = on([0.05, 0, 0], 0, 0.004);
    const slower = (0.05 - run.signal('plate.velocity.x').at(-1)!) / 0.004;
    expect(Math.abs(slower / (friction * 9.81) - 1)).toBeLessThan(0.01);
  });
  test('spins to a stop by 2.3 µ g/s', () => {
    const run = on([0, 0, 0], 3, 0.004);
    const slower = (3 - run.signal('plate.angularVelocity.z').at(-1)!) / 0.004;
    expect(Math.abs(slower / ((2.2956 * friction * 9.81) / side) - 1)).toBeLessThan(0.02);
  });
});

// The finer mesh has the points that press; what the contact is called and which of the two its force acts on do not depend on that.
test.each([
  [4, 6],
  [6, 4],
])('a contact has the order of the model: %i beside %i elements', (first, second) => {
  const part = (x: number, columns: number, speed: number) =>
    body({
      shape: extrude(
        [
          [x, 0],
          [x + 0.1, 0],
          [x + 0.1, 0.02],
          [x, 0.02],
        ],
        0.02,
      ),
      material: { density: 7850, youngsModulus: 210e9, poissonRatio: 0 },
      flexible: { grid: [columns, 1], layers: 1, modes: 4 },
      velocity: [speed, 0, 0],
    });
  const run = simulate(
    model({
      gravity: 'none',
      bodies: { striker: part(-0.1 - 1e-8, first, 1), target: part(0, second, 0) },
      contacts: { defaults: { friction: 0 } },
      simulation: { stop: 1e-5, interval: 5e-6, rtol: 1e-4 },
    }),
  );
  // on the second of the two
  expect(run.signal('contacts.striker-target.force.x').values.at(-1)).toBeGreaterThan(1000);
});
