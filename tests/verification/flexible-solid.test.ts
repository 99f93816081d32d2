// Solids of ten-node tetrahedra in mechanisms: equations in space, closed forms of bending and twisting, the rigid limit.
import { describe, expect, test } from 'vitest';
import { assemble } from '../../src/assembly/assemble.js';
import { energies, initialise, inverseDynamics, MechanicalSystem, massMatrix } from '../../src/dynamics/index.js';
import { extrudeMesh } from '../../src/flexible-bodies/mesh/extruded-mesh.js';
import { stripMesh } from '../../src/flexible-bodies/mesh/strip.js';
import { extrude } from '../../src/geometry/extrude.js';
import { meshedSolid } from '../../src/geometry/meshed-solid.js';
import { rotate, translate } from '../../src/geometry/transform.js';
import { integrate } from '../../src/integration/index.js';
import { random } from '../../src/math/random.js';
import { body } from '../../src/model/body.js';
import type { FlexibleOptions } from '../../src/model/flexible.js';
import { applied } from '../../src/model/forces.js';
import { fixed, revolute, spherical } from '../../src/model/joints.js';
import { type ModelOptions, model } from '../../src/model/model.js';
import { simulate } from '../../src/simulation/simulation.js';
import { solveResidual } from '../fixtures/solve-residual.js';

const bar = (length: number, width: number, height: number) =>
  translate(
    [0, 0, -height / 2],
    extrude(
      [
        [0, -width / 2],
        [length, -width / 2],
        [length, width / 2],
        [0, width / 2],
      ],
      height,
    ),
  );
const soft = (youngsModulus: number) => ({ density: 2700, youngsModulus, poissonRatio: 0.3 });

function started(options: ModelOptions, relative = 1e-6) {
  const mechanics = new MechanicalSystem(assemble(model(options)), { tolerance: { relative } });
  const y = mechanics.system.initial.slice();
  initialise(mechanics, 0, y);
  return { mechanics, y };
}

/** Two bars, the first on a hinge about z, the second on one about y: out of any plane */
const twoHinges = (youngsModulus: number, flexible: FlexibleOptions | false): ModelOptions => {
  const link = (x: number) =>
    body({
      shape: bar(0.5, 0.04, 0.03),
      material: soft(youngsModulus),
      ...(flexible && { flexible }),
      position: [x, 0, 0],
    });
  return {
    gravity: [0, -9.81, 0],
    contacts: false,
    bodies: { upper: link(0), lower: link(0.5) },
    joints: {
      shoulder: revolute({ body: 'upper', axis: [0, 0, 1], speed: 1 }),
      elbow: revolute({ body: 'lower', to: 'upper', axis: [0, 1, 0], at: [0.5, 0, 0], initialSpeed: 3 }),
    },
  };
};

describe('equations', () => {
  const swinging = twoHinges(1e5, { grid: [4, 1], layers: 1, modes: 2, damping: 0.02 });
  const { mechanics } = started({
    ...swinging,
    joints: { ...swinging.joints, shoulder: revolute({ body: 'upper', axis: [0, 0, 1] }) },
  });
  const { nq, nv, size } = mechanics;
  const draw = random(7);
  const y = new Float64Array(size);
  for (let i = 0; i < nq; i++) y[i] = draw.uniformBetween(-0.01, 0.01);
  y[0] = 0.7;
  for (let i = nq; i < nq + nv; i++) y[i] = draw.uniformBetween(-1, 1);

  test('forward = inverse dynamics = mass matrix', () => {
    expect(nv).toBe(2 + 8 + 2); // hinges; six of the elbow's interface and two modes; two modes
    const rates = new Float64Array(size);
    mechanics.rates(0, y, rates);
    const a = rates.slice(nq, nq + nv);
    const needed = inverseDynamics(mechanics, 0, y, a);
    const bias = inverseDynamics(mechanics, 0, y, new Float64Array(nv));
    const m = massMatrix(mechanics, 0, y);
    const scale = bias.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    for (let k = 0; k < nv; k++) {
      expect(Math.abs(needed[k])).toBeLessThan(1e-11 * scale);
      let sum = bias[k];
      for (let l = 0; l < nv; l++) sum += m[k * nv + l] * a[l];
      expect(Math.abs(sum)).toBeLessThan(1e-11 * scale);
    }
  });
  test('exact derivatives', () => {
    for (const e of [1e-4, 1e-2]) expect(solveResidual(mechanics, 0, y, e, 3)).toBeLessThan(1e-8);
  });
});

// A bar 0.3 × 0.02 × 0.012 m clamped at x = 0, loaded at the other end, in equilibrium. Both ends are rigid faces; Timoshenko's beam
//   w = F L³/(3 E I) + F L/(κ G A), κ = 5/6,      slope = F L²/(2 E I),      θ = T L/(G J), J = a b³ (1/3 − 0.21 b/a (1 − b⁴/(12 a⁴)))
// Without Poisson's ratio rigid ends do not hinder bending (with 0.3 they take 0.6 % of it); they keep sections from warping, over about one
// thickness of 0.012 m at each end of 0.3 m, which takes some 2 % of the twist.
describe('a bar bends both ways and twists', () => {
  const [L, a, b, E, G] = [0.3, 0.02, 0.012, 70e9, 35e9];
  const J = a * b ** 3 * (1 / 3 - ((0.21 * b) / a) * (1 - b ** 4 / (12 * a ** 4)));
  const loaded = (load: { force?: readonly [number, number, number]; torque?: readonly [number, number, number] }) =>
    simulate(
      model({
        gravity: [0, 0, 0],
        contacts: false,
        bodies: {
          bar: body({
            shape: bar(L, a, b),
            material: { ...soft(E), poissonRatio: 0 },
            flexible: { grid: [15, 4], layers: 2, modes: 0, gauges: { root: { at: [0.1, 0.01, 0.012] } } },
          }),
        },
        joints: { wall: fixed({ body: 'bar' }) },
        forces: { tip: applied({ on: { body: 'bar', at: [L, 0, 0] }, force: [0, 0, 0], ...load }) },
        simulation: { start: 'equilibrium', stop: 1e-4 },
      }),
    );
  const at = (run: ReturnType<typeof loaded>, k: number): number => run.signal(`bar.deformation.${k}`).values[0];
  const bent = (F: number, I: number): number => (F * L ** 3) / (3 * E * I) + (F * L) / ((5 / 6) * G * a * b);

  test('in the plane of its outline and across it', () => {
    const [across, along] = [loaded({ force: [0, 0, 100] }), loaded({ force: [0, 100, 0] })];
    const [thin, wide] = [(a * b ** 3) / 12, (b * a ** 3) / 12];
    expect(Math.abs(at(along, 2) / bent(100, wide) - 1)).toBeLessThan(1e-3);
    expect(Math.abs(at(across, 3) / bent(100, thin) - 1)).toBeLessThan(1e-3);
    expect(Math.abs(at(along, 6) / ((100 * L ** 2) / (2 * E * wide)) - 1)).toBeLessThan(1e-3);
    expect(Math.abs(at(across, 5) / ((-100 * L ** 2) / (2 * E * thin)) - 1)).toBeLessThan(1e-3);
    // σ = F (L − x) c/I at a corner of the section, a third of the length from the wall; elements are 20 mm long, over which the moment changes by a tenth
    for (const [run, c, I] of [
      [across, b / 2, thin],
      [along, a / 2, wide],
    ] as const) {
      const sigma = (100 * (L - 0.1) * c) / I;
      expect(Math.abs(run.signal('bar.stress.root.mises').values[0] / sigma - 1)).toBeLessThan(0.015);
    }
  });
  test('about its axis', () => {
    const twisted = loaded({ torque: [10, 0, 0] });
    const ratio = at(twisted, 4) / ((10 * L) / (G * J));
    expect(ratio).toBeGreaterThan(0.97);
    expect(ratio).toBeLessThan(1);
  });
});

// The stiffer the nearer, by 1/E
test('a nearly rigid chain in space moves as the rigid one', () => {
  const place = (options: ModelOptions): number[] => {
    const { mechanics, y } = started(options);
    const end = integrate(mechanics, { t0: 0, y0: y, t1: 0.5, method: 'rodas4', maxSteps: 20_000 }).y;
    mechanics.update(0.5, end);
    const { anchor } = mechanics.system.bodies.find(({ name }) => name === 'lower')!;
    const i = mechanics.carriers.indexOf(anchor);
    const [p, r] = [mechanics.carriers.position, mechanics.carriers.rotation];
    // tip of the lower bar
    return [0, 1, 2].map((k) => p[3 * i + k] + 0.5 * r[9 * i + 3 * k]);
  };
  const rigid = place(twoHinges(1, false));
  const apart = (E: number): number =>
    Math.hypot(...place(twoHinges(E, { grid: [6, 1], layers: 1, modes: 1 })).map((x, k) => x - rigid[k]));
  const [near, nearer] = [apart(1e12), apart(1e13)];
  expect(near).toBeLessThan(5e-5);
  expect(nearer).toBeLessThan(0.15 * near);
});

// Thrown, nothing holds it: mean axes. Momentum and energy stay (the energy but for damping, none here).
test('a free bar of a mesh file keeps momentum and energy', () => {
  const mesh = extrudeMesh(stripMesh([0, -0.02], [0.4, 0.02], 6, 1), 0.02, 1);
  const shape = rotate({ axis: [0, 1, 0], angle: 0.5 }, translate([-0.2, 0, -0.01], meshedSolid(mesh)));
  const { mechanics, y } = started({
    gravity: [0, 0, 0],
    contacts: false,
    bodies: {
      bar: body({
        shape,
        material: soft(1e8),
        flexible: { modes: 6, damping: 0 },
        velocity: [1, 0, 0],
        angularVelocity: [3, 20, 5],
      }),
    },
  });
  const total = (t: number, state: Float64Array): number => {
    const { kinetic, elastic } = energies(mechanics, t, state);
    return kinetic + elastic;
  };
  const before = total(0, y);
  const end = integrate(mechanics, { t0: 0, y0: y, t1: 0.2, method: 'rodas4', maxSteps: 20_000 }).y;
  expect(Math.abs(total(0.2, end) / before - 1)).toBeLessThan(1e-5);
  const { anchor } = mechanics.system.bodies[0];
  mechanics.update(0.2, end);
  expect(Math.abs(mechanics.carriers.position[3 * mechanics.carriers.indexOf(anchor)] - 0.2)).toBeLessThan(1e-3);
});

test('what a solid cannot take is said', () => {
  const made = (flexible: FlexibleOptions, at: readonly [number, number, number] = [0, 0, 0]) =>
    assemble(
      model({
        contacts: false,
        bodies: { bar: body({ shape: bar(0.3, 0.02, 0.012), material: soft(1e9), flexible }) },
        joints: { wall: spherical({ body: 'bar', at }) },
      }),
    );
  const coarse = { grid: [4, 1], layers: 1 } as const;
  expect(() => made({ ...coarse, substructures: 4 })).toThrow('bodies.bar.flexible.substructures: is for planar parts');
  expect(() => made({ ...coarse, interfaces: { wall: { set: 'bore' } } })).toThrow('the mesh has no set "bore"');
  expect(() => made(coarse, [1, 0, 0])).toThrow('joints.wall: takes hold of nothing: the flexible part is 0.7');
  expect(() => made({ ...coarse, interfaces: { wall: { radius: 1e-4 } } })).toThrow('narrower than an element');
  expect(() => made({ ...coarse, gauges: { g: { at: [0.1, 0] } } })).toThrow('[x, y, z] of a solid');
});
