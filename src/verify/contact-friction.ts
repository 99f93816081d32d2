/** Claims about friction (figures V6, V7, V9, V10, V13, V14): sliding, rolling, spinning to rest, holding on a slope, walls of triangles. */
import { halfSpace } from '../geometry/half-space.js';
import { box, cylinder, sphere } from '../geometry/primitives.js';
import { ORIGIN, type Solid } from '../geometry/solid.js';
import { triangleMesh } from '../geometry/triangle-mesh.js';
import { random } from '../math/random.js';
import type { Vec3 } from '../math/vec3.js';
import { body } from '../model/body.js';
import { model } from '../model/model.js';
import type { Recording } from '../results/recording.js';
import { simulate } from '../simulation/simulation.js';
import { type Check, relative } from './check.js';

const G = 9.81;
const downhill = (degrees: number): Vec3 => {
  const angle = (degrees * Math.PI) / 180;
  return [G * Math.sin(angle), 0, -G * Math.cos(angle)];
};
const HARD = { density: 2500, youngsModulus: 1e10, poissonRatio: 0.3 };
const floor = (shape: Solid = halfSpace(), material = HARD) => body({ shape, fixed: true, material });
const end = (run: Recording, signal: string): number => run.signal(signal).values.at(-1)!;

/** When a speed that falls by `rate` m/s² comes to zero: from the last row on which it is above a thousandth of what it was */
function stopTime(run: Recording, signal: string, rate: number): number {
  const { values, times } = run.signal(signal);
  let row = 0;
  while (values[row + 1] > 1e-3 * values[0]) row++;
  return times[row] + values[row] / rate;
}

const slidingCube = (): Recording =>
  simulate(
    model({
      gravity: downhill(0),
      bodies: {
        floor: floor(),
        cube: body({
          shape: box([0.5, 0.5, 0.5]),
          mass: 1,
          inertia: [1 / 24, 1 / 24, 1 / 24],
          material: HARD,
          position: [0, 0, 0.25],
          velocity: [5, 0, 0],
        }),
      },
      contacts: { defaults: { friction: 0.5, restitution: 0.3 } },
    }),
    { stopTime: 1.5, interval: 1e-3 },
  );

const rollingDown = (): Recording =>
  simulate(
    model({
      gravity: downhill(15),
      bodies: {
        slope: floor(),
        ball: body({
          shape: sphere(0.05),
          mass: 0.1,
          inertia: [1e-4, 1e-4, 1e-4],
          material: HARD,
          position: [0, 0, 0.05],
        }),
      },
      contacts: { defaults: { friction: 0.5, restitution: 0.5 } },
    }),
    { stopTime: 1 },
  );

const spinningDisc = (): Recording =>
  simulate(
    model({
      gravity: downhill(0),
      bodies: {
        floor: floor(),
        disc: body({
          shape: cylinder({ radius: 0.5, height: 0.1 }),
          mass: 1,
          inertia: [0.125, 0.125, 0.25],
          material: HARD,
          position: [0, 0, 0.05],
          angularVelocity: [0, 0, 10],
        }),
      },
      contacts: { defaults: { friction: 0.4, restitution: 0.3 } },
    }),
    { stopTime: 2.2, interval: 1e-2 },
  );

const bowledBall = (rollingFriction: number, stopTime: number): Recording =>
  simulate(
    model({
      gravity: downhill(0),
      bodies: {
        floor: floor(),
        ball: body({ shape: sphere(0.005), material: HARD, position: [0, 0, 0.005], velocity: [1, 0, 0] }),
      },
      contacts: { defaults: { friction: 0.8, restitution: 0.5, rollingFriction } },
    }),
    { stopTime, interval: 1e-4 * Math.max(1, stopTime) },
  );

/** A plate whose upper side, z = 0, is one plane in irregular triangles; below it is hollow, so that it is not convex */
function tessellatedPlate(): Solid {
  const [nx, ny, lx, ly, thickness] = [24, 8, 1.2, 0.4, 0.05];
  const draw = random('V14');
  const vertices: Vec3[] = [];
  const triangles: [number, number, number][] = [];
  const at = (i: number, j: number, below: number): number => (below * (ny + 1) + j) * (nx + 1) + i;
  for (const below of [0, 1])
    for (let j = 0; j <= ny; j++)
      for (let i = 0; i <= nx; i++) {
        const inside = i > 0 && i < nx && j > 0 && j < ny;
        const [dx, dy] =
          inside && !below ? [0.5 * draw.uniformBetween(-0.5, 0.5), 0.5 * draw.uniformBetween(-0.5, 0.5)] : [0, 0];
        const z = below ? -(inside ? 0.7 : 1) * thickness : 0;
        vertices.push([lx * ((i + dx) / nx - 0.1), ly * ((j + dy) / ny - 0.5), z]);
      }
  for (let j = 0; j < ny; j++)
    for (let i = 0; i < nx; i++)
      for (const below of [0, 1]) {
        const [a, b, c, d] = [at(i, j, below), at(i + 1, j, below), at(i + 1, j + 1, below), at(i, j + 1, below)];
        if (below) triangles.push([a, c, b], [a, d, c]);
        else if ((i + j) % 2) triangles.push([a, b, c], [a, c, d]);
        else triangles.push([a, b, d], [b, c, d]);
      }
  const wall = (i: number, j: number, k: number, l: number): void => {
    triangles.push([at(i, j, 0), at(i, j, 1), at(k, l, 1)], [at(i, j, 0), at(k, l, 1), at(k, l, 0)]);
  };
  for (let i = 0; i < nx; i++) {
    wall(i, 0, i + 1, 0);
    wall(i + 1, ny, i, ny);
  }
  for (let j = 0; j < ny; j++) {
    wall(nx, j, nx, j + 1);
    wall(0, j + 1, 0, j);
  }
  return { mesh: triangleMesh(vertices, triangles), form: { kind: 'mesh' }, pose: ORIGIN };
}

const DISTANCE = 25 / (2 * 0.5 * G);
const ROLLING = (5 / 7) * G * Math.sin(Math.PI / 12);
const DRILLING = (2 / 3) * 0.4 * G * 0.5;

export const frictionChecks: readonly Check[] = [
  {
    id: 'V6-way',
    title: 'cube of 1 kg sliding at 5 m/s, friction 0.5: way until it stops, relative',
    source: 'v²/2µg = 2.548420 m',
    limit: 1e-4,
    measure: () => relative(end(slidingCube(), 'cube.position.x'), DISTANCE),
  },
  {
    id: 'V6-time',
    title: 'the same: time until it stops, relative',
    source: 'v/µg = 1.019368 s',
    limit: 1e-4,
    measure: () => relative(stopTime(slidingCube(), 'cube.velocity.x', 0.5 * G), 5 / (0.5 * G)),
  },
  ...(
    [
      ['speed', 'speed after 1 s', 'ball.velocity.x', ROLLING],
      ['way', 'way after 1 s', 'ball.position.x', ROLLING / 2],
      ['friction', 'friction, N', 'ball.contact.force.x', 0.1 * (ROLLING - G * Math.sin(Math.PI / 12))],
    ] as const
  ).map(([what, text, signal, reference]) => ({
    id: `V7-${what}`,
    title: `ball rolling down 15°: ${text}, relative`,
    source: '(5/7) g sin α; friction (2/7) m g sin α',
    limit: 1e-4,
    measure: () => relative(end(rollingDown(), signal), reference),
  })),
  {
    id: 'V9-torque',
    title: 'disc spinning on its face: torque, relative',
    source: '2/3 µ N R',
    limit: 1e-4,
    measure: () => relative(spinningDisc().signal('disc.contact.torque.z').valueAt(1), -DRILLING),
  },
  {
    id: 'V9-time',
    title: 'disc spinning on its face: time until it stops, relative',
    source: 'ω I/(2/3 µ N R) = 1.911315 s; a point at the rim would stop it after 1.274 s',
    limit: 1e-4,
    measure: () => relative(stopTime(spinningDisc(), 'disc.angularVelocity.z', DRILLING / 0.25), 2.5 / DRILLING),
  },
  {
    id: 'V10-time',
    title: 'ball bowled at 1 m/s without spin: time until it rolls, relative',
    source: '2v/7µg = 0.0364060 s',
    limit: 1e-4,
    measure: () => {
      const run = bowledBall(0, 0.05);
      const [v, w, t] = [run.signal('ball.velocity.x'), run.signal('ball.angularVelocity.y'), run.times];
      const slip = (i: number): number => v.values[i] - 0.005 * w.values[i];
      let row = 0;
      while (slip(row + 1) > 1e-2) row++;
      return relative(t[row] + slip(row) / (3.5 * 0.8 * G), 2 / (7 * 0.8 * G));
    },
  },
  {
    id: 'V10-speed',
    title: 'the same: speed from then on, relative',
    source: '5/7 of the first',
    limit: 1e-4,
    measure: () => relative(end(bowledBall(0, 0.2), 'ball.velocity.x'), 5 / 7),
  },
  {
    id: 'V10-resistance',
    title: 'ball rolling with rolling friction 0.1: deceleration, relative',
    source: '(5/7) µr g = 0.70071 m/s²',
    limit: 1e-4,
    measure: () => {
      const v = bowledBall(0.1, 1.5).signal('ball.velocity.x');
      return relative((v.valueAt(0.1) - v.valueAt(0.6)) / 0.5, (5 / 7) * 0.1 * G);
    },
  },
  {
    id: 'V10-rest',
    title: 'the same: way rolled back when it has come to rest, m',
    source: 'none but the spring of the contact, less than 1e-4 of the radius',
    limit: 5e-7,
    measure: () => {
      const x = bowledBall(0.1, 1.5).signal('ball.position.x');
      return { value: x.max() - x.values.at(-1)!, reference: 0 };
    },
  },
  {
    id: 'V13',
    title: 'block on a slope of 10°, friction 0.5, 60 s: creep from 10 s on, m/s',
    source: 'it holds',
    limit: 1e-9,
    measure: () => {
      const x = simulate(
        model({
          gravity: downhill(10),
          bodies: {
            slope: floor(),
            block: body({ shape: box([0.4, 0.2, 0.1]), material: HARD, position: [0, 0, 0.05] }),
          },
          contacts: { defaults: { friction: 0.5, restitution: 0.3 } },
        }),
        { stopTime: 60, interval: 0.5 },
      ).signal('block.position.x');
      return { value: (x.values.at(-1)! - x.valueAt(10)) / 50, reference: 0 };
    },
  },
  {
    id: 'V14',
    title: 'ball rolling over a plane of irregular triangles: greatest vertical speed, m/s',
    source: 'no bump at inner edges',
    limit: 1e-6,
    measure: () => {
      const material = { density: 2000, youngsModulus: 1e8, poissonRatio: 0.3 };
      const radius = 0.05;
      const weight = (4 / 3) * Math.PI * radius ** 3 * material.density * G;
      const modulus = material.youngsModulus / (2 * (1 - material.poissonRatio ** 2));
      const depth = (weight / ((4 / 3) * modulus * Math.sqrt(radius))) ** (2 / 3);
      const run = simulate(
        model({
          gravity: downhill(0),
          bodies: {
            plate: floor(tessellatedPlate(), material),
            ball: body({
              shape: sphere(radius),
              material,
              position: [0, 0.013, radius - depth],
              velocity: [1, 0.1, 0],
              angularVelocity: [-0.1 / radius, 1 / radius, 0],
            }),
          },
          contacts: { defaults: { friction: 0.5, restitution: 0.5 } },
        }),
        { stopTime: 0.8, interval: 1e-3 },
      );
      const up = run.signal('ball.velocity.z');
      return { value: Math.max(up.max(), -up.min()), reference: 0 };
    },
  },
];
