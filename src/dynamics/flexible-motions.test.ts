// Flexible parts in every kind of motion, in the plane (where they and what solves for them take short forms) and out of it: forward = inverse dynamics = mass
// matrix, derivatives = differences, and the O(n) sweep = the dense matrix.
import { expect, test } from 'vitest';
import { solveResidual } from '../../tests/fixtures/solve-residual.js';
import { assemble } from '../assembly/assemble.js';
import { extrude } from '../geometry/extrude.js';
import { box } from '../geometry/primitives.js';
import { random } from '../math/random.js';
import { type BodyOptions, body } from '../model/body.js';
import { applied, spring } from '../model/forces.js';
import { fixed, prismatic, revolute, spherical } from '../model/joints.js';
import { type ModelOptions, model } from '../model/model.js';
import { inverseDynamics, MechanicalSystem, massMatrix } from './index.js';

type Axis = readonly [number, number, number];
const X: Axis = [1, 0, 0];
const Y: Axis = [0, 1, 0];
const Z: Axis = [0, 0, 1];
const material = { density: 2700, youngsModulus: 1e5, poissonRatio: 0.3 };
/** Not symmetric, and its middle is beside the plane of its joints */
const strip = extrude(
  [
    [0, -0.02],
    [0.5, -0.02],
    [0.5, 0.03],
    [0, 0.03],
  ],
  0.01,
);
const soft = (x: number, more: Partial<BodyOptions> = {}): BodyOptions =>
  body({
    shape: strip,
    material,
    position: [x, 0, 0],
    flexible: { grid: [6, 1], modes: 3, membrane: false, damping: 0.05 },
    ...more,
  } as BodyOptions);
const lump = (x: number): BodyOptions =>
  body({ mass: 0.2, inertia: [1e-3, 2e-3, 3e-3], centreOfMass: [0.02, 0.03, 0.04], position: [x, 0, 0] });
const links = (axes: readonly Axis[], more: Partial<ModelOptions> = {}): ModelOptions => ({
  gravity: [1, -9, 3],
  contacts: false,
  bodies: { a: soft(0), b: soft(0.5), c: lump(1) },
  joints: {
    one: revolute({ body: 'a', axis: axes[0] }),
    two: revolute({ body: 'b', to: 'a', axis: axes[1], at: [0.5, 0, 0] }),
    three: revolute({ body: 'c', to: 'b', axis: axes[2], at: [1, 0, 0] }),
  },
  ...more,
});
const plane = links([Z, Z, Z]);

const CASES: readonly (readonly [string, ModelOptions])[] = [
  ['in the plane', plane],
  [
    'in the plane, a spring to the ground',
    {
      ...plane,
      forces: {
        pull: spring({
          from: { body: 'b', at: [1, 0, 0] },
          to: [0.4, 0.6, 0.2],
          stiffness: 30,
          damping: 2,
          restLength: 0.3,
        }),
      },
    },
  ],
  ['in the plane, the last joint leads out of it', links([Z, Z, X])],
  ['in the plane, then out of it', links([Z, Y, Z])],
  ['out of the plane from the start', links([Y, Z, Z])],
  ['on a ball joint', { ...plane, joints: { ...plane.joints, one: spherical({ body: 'a' }) } }],
  [
    'on a driven base that turns and slides',
    {
      ...plane,
      bodies: { ...plane.bodies, base: lump(0) },
      joints: {
        ...plane.joints,
        base: revolute({ body: 'base', axis: Z, angle: (t: number) => 0.3 + 2 * t + t * t }),
        one: prismatic({ body: 'a', to: 'base', axis: [0.6, 0.8, 0] }),
      },
    },
  ],
  [
    'lifted out of its plane, turning in it',
    {
      ...plane,
      bodies: { ...plane.bodies, base: lump(0) },
      joints: {
        ...plane.joints,
        base: prismatic({ body: 'base', axis: Z }),
        one: revolute({ body: 'a', to: 'base', axis: Z }),
      },
    },
  ],
  [
    'two pieces',
    {
      ...plane,
      bodies: {
        ...plane.bodies,
        a: soft(0, {
          flexible: { grid: [8, 1], modes: 2, substructures: 2, membrane: true, damping: 0.05 },
        } as Partial<BodyOptions>),
      },
    },
  ],
  ['a body welded on', { ...plane, joints: { ...plane.joints, three: fixed({ body: 'c', to: 'b', at: [1, 0, 0] }) } }],
  [
    'the plane stands upright',
    {
      ...links([Y, Y, Y]),
      bodies: {
        a: soft(0, { orientation: { axis: X, angle: Math.PI / 2 } } as Partial<BodyOptions>),
        b: soft(0.5, { orientation: { axis: X, angle: Math.PI / 2 } } as Partial<BodyOptions>),
        c: lump(1),
      },
    },
  ],
  [
    'a solid',
    {
      ...plane,
      bodies: {
        ...plane.bodies,
        b: soft(0.5, { flexible: { grid: [3, 1], layers: 1, modes: 2, damping: 0.05 } } as Partial<BodyOptions>),
      },
    },
  ],
  [
    'a loop',
    {
      ...plane,
      bodies: { a: soft(0), b: soft(0.5), c: body({ shape: box([0.1, 0.1, 0.1]), material, position: [1, 0, 0] }) },
      joints: { ...plane.joints, guide: prismatic({ body: 'c', axis: X, at: [1, 0, 0] }) },
    },
  ],
  [
    'held by nothing',
    {
      gravity: [1, -9, 3],
      contacts: false,
      bodies: { a: soft(0) },
      joints: {},
      forces: { tip: applied({ on: { body: 'a', at: [0.5, 0, 0] }, force: [1, 2, 3] }) },
    },
  ],
];

/** Where everything moves in the xy plane */
const IN_PLANE = [
  'in the plane',
  'in the plane, a spring to the ground',
  'on a driven base that turns and slides',
  'two pieces',
  'a body welded on',
  'a loop',
];

test.each(CASES)('%s', (name, options) => {
  const system = assemble(model(options));
  const own = (sweepFrom: number) => new MechanicalSystem(system, { sweepFrom });
  const mechanics = own(1);
  const { nq, nv, size } = mechanics;
  const { plane: inPlane, flexible } = mechanics.kinematics;
  for (const { node } of flexible) expect(inPlane[node]).toBe(IN_PLANE.includes(name) ? 1 : 0);
  const draw = random(11);
  const y = new Float64Array(size);
  const loop = name === 'a loop';
  y.set(system.initial);
  for (let i = 0; i < nq + nv; i++) if (!loop || i >= nq) y[i] += draw.uniformBetween(-1, 1) * (i < nq ? 0.02 : 1);
  mechanics.normalise(y);
  if (loop) {
    mechanics.prepare(0.2, y);
    mechanics.closeVelocities(y);
  }
  const rates = new Float64Array(size);
  mechanics.rates(0.2, y, rates);
  if (!loop) {
    const a = rates.slice(nq, nq + nv);
    const needed = inverseDynamics(mechanics, 0.2, y, a);
    const bias = inverseDynamics(mechanics, 0.2, y, new Float64Array(nv));
    const m = massMatrix(mechanics, 0.2, y);
    const scale = bias.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    for (let k = 0; k < nv; k++) {
      let sum = bias[k];
      for (let l = 0; l < nv; l++) sum += m[k * nv + l] * a[l];
      expect(Math.abs(needed[k]), `force ${k}`).toBeLessThan(1e-10 * scale);
      expect(Math.abs(sum), `row ${k}`).toBeLessThan(1e-10 * scale);
    }
  }
  // what is left is the rounding of the differences
  expect(solveResidual(mechanics, 0.2, y, 1e-2, 3, 1e-3)).toBeLessThan(1e-7);
  if (loop) return;
  for (const e of [1e-5, 1e-2]) {
    const [swept, dense] = [1, 1e9].map((from) => {
      const solver = own(from);
      const f = new Float64Array(size);
      solver.rates(0.2, y, f);
      solver.linear.linearise(0.2, y, f, new Float64Array(size));
      expect(solver.linear.factorise(e)).toBe(true);
      const x = Float64Array.from({ length: size }, (_, i) => Math.sin(7 * i));
      solver.linear.solve(x);
      return x;
    });
    const scale = dense.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    swept.forEach((x, i) => {
      expect(Math.abs(x - dense[i]), `number ${i}`).toBeLessThan(1e-10 * scale);
    });
  }
});
