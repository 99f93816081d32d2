/** Claims about contact (figures V1–V15 but V11): impacts, friction, a ball on an elastic bed, a stack at rest. */
import { halfSpace } from '../geometry/half-space.js';
import { box, sphere } from '../geometry/primitives.js';
import type { Solid } from '../geometry/solid.js';
import { type BodyOptions, body } from '../model/body.js';
import { prismatic } from '../model/joints.js';
import { model } from '../model/model.js';
import { simulate } from '../simulation/simulation.js';
import { type Check, relative } from './check.js';
import { frictionChecks } from './contact-friction.js';
import { impactChecks } from './contact-impacts.js';

const BED = 1e9; // N/m³
const DEPTHS = [2e-3, 8e-3, 3.2e-2, 6.4e-2]; // m

/** K π h² (3R − h)/3, N, R 1 m */
const bedForce = (depth: number): number => (BED * Math.PI * depth ** 2 * (3 - depth)) / 3;

/** Force on a ball of 1 m that is pressed a depth into a bed, over what it should be, less 1 */
function bedError(ball: Solid, depth: number): number {
  const start = 1e-3;
  const run = simulate(
    model({
      gravity: 'none',
      bodies: {
        bed: body({ shape: halfSpace(), fixed: true }),
        ball: body({ shape: ball, mass: 1000, position: [0, 0, 1 + start] }),
      },
      joints: { press: prismatic({ body: 'ball', axis: [0, 0, 1], position: (t) => -t * (depth + start) }) },
      contacts: { defaults: { restitution: 1, friction: 0, normalLaw: { kind: 'foundation', modulus: BED } } },
    }),
    { stopTime: 1, interval: 0.5 },
  );
  return run.signal('ball.contact.force.z').values.at(-1)! / bedForce(depth) - 1;
}

/** A ball that is nothing but its triangles */
const meshed = (subdivision: number): Solid => ({ ...sphere(1, { subdivision }), form: { kind: 'mesh' } });

/** Ten cuboids dropped through gaps of 1 mm, 1 mm to and fro */
function stack() {
  const material = { density: 1000, youngsModulus: 1e9, poissonRatio: 0.3 };
  const bodies: Record<string, BodyOptions> = { floor: body({ shape: halfSpace(), fixed: true, material }) };
  for (let i = 0; i < 10; i++)
    bodies[`box${i}`] = body({
      shape: box([0.2, 0.2, 0.1]),
      material,
      position: [i % 2 ? 1e-3 : 0, 0, 0.051 + 0.101 * i],
    });
  return simulate(model({ bodies, contacts: { records: false, defaults: { friction: 0.5, restitution: 0.3 } } }), {
    stopTime: 60,
    interval: 0.25,
  });
}

const bedChecks: readonly Check[] = [
  {
    id: 'V8-ball',
    title: 'ball of 1 m pressed 2 … 64 mm into a bed of springs: force, largest relative error',
    source: 'K π h² (3R − h)/3',
    limit: 1e-10,
    measure: () => ({
      value: Math.max(...DEPTHS.map((depth) => Math.abs(bedError(sphere(1), depth)))),
      reference: 0,
    }),
  },
  {
    id: 'V8-mesh',
    title: 'the same, 64 mm, of 20 480 triangles, relative',
    source: 'K π h² (3R − h)/3',
    limit: 1e-2,
    measure: () => relative(1 + bedError(meshed(32), DEPTHS[3]), 1),
  },
  {
    id: 'V8-order',
    title: 'order at which the force of a meshed ball converges',
    source: 'second order: the mesh is h²/8R inside its ball',
    limit: 0.1,
    measure: () => ({
      value: Math.log2(bedError(meshed(12), DEPTHS[3]) / bedError(meshed(24), DEPTHS[3])),
      reference: 2,
    }),
  },
];

const stackChecks: readonly Check[] = [
  {
    id: 'V12-drift',
    title: 'ten cuboids, 60 s: way of the top one in the last 40 s, m',
    source: 'they are at rest',
    limit: 1e-6,
    long: true,
    measure: () => {
      const run = stack();
      const way = (axis: string): number => {
        const x = run.signal(`box9.position.${axis}`);
        return Math.abs(x.values.at(-1)! - x.valueAt(20));
      };
      return { value: Math.max(way('x'), way('y'), way('z')), reference: 0 };
    },
  },
  {
    id: 'V12-rest',
    title: 'ten cuboids, 60 s: greatest speed from 20 s on, m/s',
    source: 'they are at rest',
    limit: 1e-6,
    long: true,
    measure: () => {
      const run = stack();
      let fastest = 0;
      for (const { values, times } of run.select('box*.velocity.*'))
        for (let i = 0; i < values.length; i++) if (times[i] > 20) fastest = Math.max(fastest, Math.abs(values[i]));
      return { value: fastest, reference: 0 };
    },
  },
];

export const contactChecks: readonly Check[] = [...impactChecks, ...frictionChecks, ...bedChecks, ...stackChecks];
