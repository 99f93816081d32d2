// Round parts take few steps: no facet is an impact. Bounds on the counts of steps are those of the design with some room.
import { expect, test } from 'vitest';
import geneva from '../../examples/geneva-mechanism/geneva-mechanism.model.js';
import {
  body,
  extrude,
  fitArcs,
  type Model,
  model,
  planar,
  prismatic,
  revolute,
  Simulation,
  steel,
} from '../../src/index.js';

type Outline = Parameters<typeof extrude>[0];
const circle = (radius: number, x = 0, y = 0): Outline => [
  [x + radius, y, 1],
  [x - radius, y, 1],
];

function run(of: Model, stopTime: number, options: { rtol: number }) {
  const simulation = new Simulation(of, { stopTime, interval: 1e-3, ...options });
  simulation.advance();
  const { accepted, rejected } = simulation.statistics;
  return { accepted, rejected, recording: simulation.finish() };
}

// Without slip the centre goes on with 1 m/s; the elastic patch may creep by a part of its strain, some 1e-5.
test('a disc rolls', () => {
  const disc = (depth: number) =>
    model({
      gravity: [0, -9.81, 0],
      bodies: {
        disc: body({ shape: extrude(circle(0.05), 0.01), material: steel, position: [0, 0.05 - depth, 0] }),
        floor: body({
          shape: extrude([[-1, -0.1], [3, -0.1], [3, 0], [-1, 0]], 0.01), // biome-ignore format: one line
          material: steel,
          fixed: true,
        }),
      },
      joints: {
        plane: planar({
          body: 'disc',
          normal: [0, 0, 1],
          at: [0, 0.05 - depth, 0],
          initialVelocity: [1, 0, 0],
          initialSpin: -20,
        }),
      },
      contacts: { defaults: { friction: 0.3 } },
    });
  const dropped = run(disc(0), 0.5, { rtol: 1e-4 });
  expect(dropped.accepted).toBeLessThan(150);
  expect(Math.abs(dropped.recording.signal('disc.position.x').at(-1)! - 0.5)).toBeLessThan(1e-5);
  // from the depth at which it rests nothing is rejected
  const depth = 0.05 - dropped.recording.signal('disc.position.y').at(-1)!;
  for (const rtol of [1e-3, 1e-4, 1e-5]) {
    const resting = run(disc(depth), 0.5, { rtol });
    expect(resting.accepted).toBeLessThan(150);
    expect(resting.rejected).toBe(0);
  }
});

const turning = 2 * Math.PI; // rad/s
function cam(
  outline: Outline,
  follower: Outline,
  initialSpeed: number,
  { tolerance, force = 0 }: { tolerance?: number; force?: number } = {},
): Model {
  return model({
    gravity: [0, -9.81, 0],
    bodies: {
      cam: body({ shape: extrude(outline, 0.01), material: steel }),
      follower: body({ shape: extrude(follower, 0.01), material: steel }),
    },
    joints: {
      shaft: revolute({ body: 'cam', axis: [0, 0, 1], speed: turning }),
      guide: prismatic({ body: 'follower', axis: [0, 1, 0], initialSpeed, force }),
    },
    contacts: { defaults: { friction: 0.1 }, ...(tolerance && { tolerance }) },
  });
}
const e = 0.005; // m
const flat: Outline = [[-0.05, 0.02], [0.05, 0.02], [0.05, 0.03], [-0.05, 0.03]]; // biome-ignore format: one line

// The light follower dips in by 0.14 µm only, of which a step may be wrong by 1 %; pressed by 5 N the contact is as deep as in a machine.
test('an eccentric lifts a flat and a round follower', () => {
  expect(run(cam(circle(0.02, e), flat, e * turning), 2, { rtol: 1e-4 }).accepted).toBeLessThan(600);
  const height = Math.sqrt(0.03 * 0.03 - e * e);
  for (const follower of [flat, circle(0.01, 0, height)])
    expect(run(cam(circle(0.02, e), follower, e * turning, { force: -5 }), 1, { rtol: 1e-4 }).accepted).toBeLessThan(
      250,
    );
});

// The follower is pressed in by 0.14 µm, the more the harder it is pushed: 1.3 % of that for ±2 % of its weight, 4e-7 of the eccentricity.
test('and the lift is that of the circle, whatever its angle', () => {
  const { recording } = run(cam(circle(0.02, e), flat, e * turning, { tolerance: 1e-3 }), 0.5, { rtol: 1e-5 });
  const y = recording.signal('follower.position.y');
  const off: number[] = [];
  for (let i = 100; i < y.length; i++) off.push(y.at(i)! - e * Math.sin(turning * 1e-3 * i));
  expect((Math.max(...off) - Math.min(...off)) / 2 / e).toBeLessThan(1e-6);
});

test('a harmonic cam lifts a roller', () => {
  const r = (t: number) => 0.02 * (1 + 0.15 * (1 - Math.cos(t)));
  const slope = (t: number) => 0.003 * Math.sin(t);
  const outline = fitArcs(
    (t) => [r(t) * Math.cos(t), r(t) * Math.sin(t)],
    (t) => [slope(t) * Math.cos(t) - r(t) * Math.sin(t), slope(t) * Math.sin(t) + r(t) * Math.cos(t)],
    0,
    2 * Math.PI,
  );
  // the roller's centre where it touches the cam turned by an angle: (0, y) at distance q from the nearest point of the curve
  const q = 0.005;
  const height = (turned: number): number => {
    let highest = 0;
    for (let k = -4000; k <= 4000; k++) {
      const t = Math.PI / 2 - turned + k * 1e-4;
      const [x, y] = [r(t) * Math.cos(t + turned), r(t) * Math.sin(t + turned)];
      if (Math.abs(x) < q) highest = Math.max(highest, y + Math.sqrt(q * q - x * x));
    }
    return highest;
  };
  const speed = ((height(1e-2) - height(-1e-2)) / 2e-2) * turning;
  const { accepted, recording } = run(cam(outline, circle(q, 0, height(0)), speed, { force: -20 }), 2, { rtol: 1e-4 });
  const y = recording.signal('follower.position.y');
  let worst = 0;
  for (let i = 200; i < 1200; i += 20)
    worst = Math.max(worst, Math.abs(y.at(i)! + height(0) - height(turning * 1e-3 * i)));
  expect(accepted).toBeLessThan(450);
  // the fit is within 1e-5 of 23 mm, the steel yields by 1.2 µm under 20 N
  expect(worst).toBeLessThan(2e-6);
});

// 40.2292 µJ at rtol 1e-8: what the drive puts in depends on the depths of contacts, 1 µm, at every instant of the way
test.each([
  ['outlines', {}],
  ['cut and joined by CSG, which keeps their arcs', { csg: true }],
])('a Geneva wheel is indexed twice: %s', (_, parts) => {
  const { accepted, recording } = run(geneva(parts), 2, { rtol: 1e-4 });
  expect(accepted).toBeLessThan(1000);
  expect(recording.trust.energy!.relativeError).toBeLessThan(1e-3);
  expect(Math.abs(recording.signal('energy.supplied').at(-1)! / 40.2292e-6 - 1)).toBeLessThan(1e-3);
});
