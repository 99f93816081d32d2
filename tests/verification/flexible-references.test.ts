// Reference numbers of flexible parts that two independent programs agree on, and what must hold of any mesh.
import { describe, expect, test } from 'vitest';
import { traced } from '../../examples/traced-pallet/traced-pallet.model.js';
import { assemble } from '../../src/assembly/assemble.js';
import { staticEquilibrium } from '../../src/dynamics/equilibrium.js';
import { energies, initialise, MechanicalSystem } from '../../src/dynamics/index.js';
import { eigenmodes } from '../../src/dynamics/modes.js';
import { PlanePart } from '../../src/flexible-bodies/fem/plane-part.js';
import { SolidPart } from '../../src/flexible-bodies/fem/solid-part.js';
import { addTraction, namedSides } from '../../src/flexible-bodies/fem/supports.js';
import { meshProfile } from '../../src/flexible-bodies/mesh/mesh-profile.js';
import { stripMesh } from '../../src/flexible-bodies/mesh/strip.js';
import { circle } from '../../src/geometry/circle-outline.js';
import { extrude } from '../../src/geometry/extrude.js';
import { box } from '../../src/geometry/primitives.js';
import { integrate } from '../../src/integration/index.js';
import { random } from '../../src/math/random.js';
import { body } from '../../src/model/body.js';
import type { FlexibleOptions } from '../../src/model/flexible.js';
import { applied } from '../../src/model/forces.js';
import { prismatic, revolute } from '../../src/model/joints.js';
import { model } from '../../src/model/model.js';

const ofSteel = { youngsModulus: 210e9, poissonRatio: 0.3, density: 7850 };
const steel = { ...ofSteel, thickness: 0.01 };
const Z = [0, 0, 1] as const;
const strip = (length: number, width: number, height: number) =>
  extrude(
    [
      [0, -width / 2],
      [length, -width / 2],
      [length, width / 2],
      [0, width / 2],
    ],
    height,
  );

// Patch test: u = a + B x has the same stress everywhere and no force inside, exact for T3 and T6 whatever the mesh
test.each([3, 6] as const)('patch test of T%i on an irregular mesh with a hole', (nodesPerElement) => {
  const mesh = meshProfile(
    {
      outer: [
        [0, 0],
        [0.2, 0.03],
        [0.17, 0.11],
        [0.02, 0.1],
      ],
      holes: [circle(0.02, [0.1, 0.06])],
    },
    { size: 0.02, nodesPerElement },
  );
  const part = new PlanePart(mesh, steel);
  const u = new Float64Array(part.size);
  for (let i = 0; i < mesh.nodeCount; i++) {
    const [x, y] = [mesh.points[2 * i], mesh.points[2 * i + 1]];
    u[2 * i] = 1e-5 + 1e-4 * x - 2e-4 * y;
    u[2 * i + 1] = 3e-4 * x + 2e-4 * y;
  }
  const stress = part.stress(u);
  const c = 210e9 / (1 - 0.09);
  const expected = [c * (1e-4 + 0.3 * 2e-4), c * (2e-4 + 0.3 * 1e-4), (210e9 / 2.6) * 1e-4];
  for (let i = 0; i < stress.length; i++) expect(Math.abs(stress[i] / expected[i % 3] - 1)).toBeLessThan(1e-9);
  const force = new Float64Array(part.size);
  part.applyStiffness(u, force);
  const rim = new Set(mesh.sides);
  const largest = force.reduce((most, f) => Math.max(most, Math.abs(f)), 0);
  for (let i = 0; i < mesh.nodeCount; i++)
    if (!rim.has(i)) for (let d = 0; d < 2; d++) expect(Math.abs(force[2 * i + d])).toBeLessThan(1e-9 * largest);
});

// T6 80 × 8 of the cantilever 1 × 0.1 × 0.01 m: two programs
test('cantilever of T6 elements, 80 × 8', () => {
  const part = new PlanePart(stripMesh([0, -0.05], [1, 0.05], 80, 8), steel);
  const free = Uint8Array.from({ length: part.size }, (_, i) => (part.mesh.points[2 * (i >> 1)] === 0 ? 0 : 1));
  const { frequencies } = part.modes(6, free);
  [82.99875, 497.91243, 1294.55976, 1311.51751, 2383.35005, 3634.82346].forEach((f, k) => {
    expect(Math.abs(frequencies[k] / (2 * Math.PI * f) - 1)).toBeLessThan(1e-7);
  });
  // 1000 N shear as uniform traction on the end: middle of the end, and energy ½ f·u
  const force = new Float64Array(part.size);
  addTraction(part.mesh, namedSides(part.mesh, 'right', 'load'), [0, -1000], force);
  const u = force.slice();
  part.factor(free).solve(u);
  const { points } = part.mesh;
  const tip = points.findIndex((x, i) => i % 2 === 0 && x === 1 && Math.abs(points[i + 1]) < 1e-12);
  expect(Math.abs(u[tip + 1] / -1.915908918e-3 - 1)).toBeLessThan(1e-9);
  expect(Math.abs(force.reduce((sum, f, i) => sum + 0.5 * f * u[i], 0) / 0.9580028647 - 1)).toBeLessThan(1e-9);
});

// The pallet of the drawing, the rim of its pivot hole held: two programs on one mesh to 5e-5, 1 % on another
test('frequencies of the traced pallet', () => {
  const mm = 1e-3;
  const outer = traced.map(([x, y, bulge = 0]) => [x * mm, y * mm, bulge] as const);
  const mesh = meshProfile({ outer, holes: [circle(0.1 * mm, [0, 0])] }, { size: 0.06 * mm, chords: 24 });
  const part = new PlanePart(mesh, { ...steel, thickness: 0.15 * mm });
  expect(Math.abs(part.mass / 3.26828e-6 - 1)).toBeLessThan(2e-3);
  const free = new Uint8Array(part.size).fill(1);
  for (let i = 0; i < mesh.nodeCount; i++)
    if (Math.hypot(mesh.points[2 * i], mesh.points[2 * i + 1]) < 0.1001 * mm) free.fill(0, 2 * i, 2 * i + 2);
  const { frequencies } = part.modes(6, free);
  [11.2, 84.14, 99.66, 188.03, 259.5, 308.3].forEach((kHz, k) => {
    expect(Math.abs(frequencies[k] / (2000 * Math.PI * kHz) - 1)).toBeLessThan(0.01);
  });
});

// T = ½ Σ m_ij v_i · v_j over the nodes, v = v_o + ω × x + φ_k η_k: s, J, n_k, p_k, Mff at once
test.each([
  ['planar', { grid: [6, 2], modes: 3, membrane: false }],
  ['solid', { grid: [4, 1], layers: 1, modes: 3 }],
] as const)('energy of a %s body is that of its particles', (_, flexible: FlexibleOptions) => {
  const system = assemble(
    model({
      gravity: [0, 0, 0],
      contacts: false,
      bodies: {
        rod: body({
          shape: strip(0.5, 0.05, 0.02),
          material: ofSteel,
          flexible,
          orientation: { axis: [1, 2, 3], angle: 1 },
        }),
      },
    }),
  );
  const mechanics = new MechanicalSystem(system);
  const y = system.initial.slice();
  const draw = random(5);
  const [flex] = mechanics.kinematics.flexible;
  for (let k = 0; k < flex.count; k++) y[flex.coordinate[k]] = draw.uniformBetween(-0.02, 0.02);
  for (let k = 0; k < mechanics.nv; k++) y[mechanics.nq + k] = draw.uniformBetween(-2, 2);
  const { kinetic } = energies(mechanics, 0, y);
  const { part, plane, node, integrals } = flex.plan;
  const { rotation, twist } = mechanics.carriers;
  const d = part.kind === 'plane' ? 2 : 3;
  // the part's own axes in the world
  const [qw, qx, qy, qz] = plane.orientation;
  const own = [
    [1 - 2 * (qy * qy + qz * qz), 2 * (qx * qy - qw * qz), 2 * (qx * qz + qw * qy)],
    [2 * (qx * qy + qw * qz), 1 - 2 * (qx * qx + qz * qz), 2 * (qy * qz - qw * qx)],
    [2 * (qx * qz - qw * qy), 2 * (qy * qz + qw * qx), 1 - 2 * (qx * qx + qy * qy)],
  ];
  const world = (v: readonly number[]): number[] => {
    const inNode = own.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]);
    return [0, 3, 6].map((k) => {
      const r = rotation.subarray(9 * node + k, 9 * node + k + 3);
      return r[0] * inNode[0] + r[1] * inNode[1] + r[2] * inNode[2];
    });
  };
  const offset = [0, 3, 6].map((k) => {
    const r = rotation.subarray(9 * node + k, 9 * node + k + 3);
    return r[0] * plane.position[0] + r[1] * plane.position[1] + r[2] * plane.position[2];
  });
  const w = twist.subarray(6 * node, 6 * node + 3);
  // planar parts: two layers at ± t/√12 of the middle have the moments of the whole thickness
  const levels = d === 2 ? [0.01 - 0.02 / Math.sqrt(12), 0.01 + 0.02 / Math.sqrt(12)] : [0];
  const elastic =
    part.kind === 'plane' ? new PlanePart(part.mesh, part.material) : new SolidPart(part.mesh, part.material);
  const { pattern, mass } = elastic.matrices;
  const velocities = levels.map((z) =>
    Array.from({ length: part.mesh.nodeCount }, (__, i) => {
      const x = [0, 1, 2].map((k) => (k < d ? part.mesh.points[d * i + k] : z));
      const u = [0, 0, 0];
      for (let k = 0; k < flex.count; k++)
        for (let j = 0; j < d; j++) {
          x[j] += flex.q[k] * part.shapes[k][d * i + j];
          u[j] += flex.eta[k] * part.shapes[k][d * i + j];
        }
      const at = world(x).map((value, k) => value + offset[k]);
      const moved = world(u);
      return [0, 1, 2].map((k) => {
        const [a, b] = [(k + 1) % 3, (k + 2) % 3];
        return twist[6 * node + 3 + k] + w[a] * at[b] - w[b] * at[a] + moved[k];
      });
    }),
  );
  let sum = 0;
  for (const v of velocities)
    for (let i = 0; i < pattern.count; i++)
      for (let c = pattern.rowStart[i]; c < pattern.rowStart[i + 1]; c++)
        for (let k = 0; k < 3; k++) sum += (0.5 / levels.length) * mass[c] * v[i][k] * v[pattern.column[c]][k];
  expect(integrals.mass).toBeCloseTo(7850 * 0.5 * 0.05 * 0.02, 9);
  expect(Math.abs(sum / kinetic - 1)).toBeLessThan(1e-12);
});

// Links as in flexible.test.ts. E = 1e10 with two modes by the same formulation in another program; geometrically exact beams at E = 1e9
describe('double pendulum beside geometrically exact beams', () => {
  const ends = (E: number, flexible: FlexibleOptions) => {
    const link = (x: number) =>
      body({
        shape: strip(1, 0.05, 0.01),
        material: { density: 2700, youngsModulus: E, poissonRatio: 0.3 },
        flexible,
        position: [x, 0, 0],
      });
    const mechanics = new MechanicalSystem(
      assemble(
        model({
          gravity: [0, -9.81, 0],
          contacts: false,
          bodies: { upper: link(0), lower: link(1) },
          joints: {
            shoulder: revolute({ body: 'upper', axis: Z }),
            elbow: revolute({ body: 'lower', to: 'upper', axis: Z, at: [1, 0, 0] }),
          },
          forces: { tip: applied({ on: { body: 'lower', at: [2, 0, 0] }, force: [0, 0, 0] }) },
        }),
      ),
      { tolerance: { relative: 1e-4 } },
    );
    const y = mechanics.system.initial.slice();
    initialise(mechanics, 0, y);
    const end = integrate(mechanics, { t0: 0, y0: y, t1: 1, method: 'rodas4', hInitial: 1e-5, maxSteps: 30_000 }).y;
    mechanics.update(1, end);
    const { flexible: parts, bodies } = mechanics.system;
    const at = (node: number): number[] => Array.from(mechanics.carriers.position.subarray(3 * node, 3 * node + 2));
    const { anchor } = bodies.find(({ name }) => name === 'lower')!;
    return { pin: at(mechanics.carriers.indexOf(anchor)), tip: at(parts!.at(-1)!.nodes[2]) };
  };
  const apart = ([x, y]: number[], [a, b]: readonly number[]): number => Math.hypot(x - a, y - b);
  // written with five digits, so known to 5e-6 m along each axis
  test('ten times as stiff', () => {
    const { pin, tip } = ends(1e10, { grid: [20, 2], modes: 2, damping: 0, membrane: false });
    expect(apart(pin, [-0.93442, -0.35619])).toBeLessThan(7e-6);
    expect(apart(tip, [-1.66293, -1.04123])).toBeLessThan(7e-6);
  });
  // The exact beams are known to 2e-5 m. Pin and tip 4.1e-4 and 6.2e-4 m off with one piece and two modes; two pieces with the motions of their
  // ends alone 3e-5 and 2e-5, with two modes each, too, 1.3e-4 and 1.8e-4
  test('two pieces to a link halve the distance twice', () => {
    const exact = { pin: [-0.93376, -0.35803], tip: [-1.66402, -1.04121] };
    const options = { grid: [20, 2], damping: 0, membrane: false } as const;
    const whole = ends(1e9, { ...options, modes: 2 });
    const halves = ends(1e9, { ...options, modes: 0, substructures: 2 });
    for (const end of ['pin', 'tip'] as const) {
      expect(apart(whole[end], exact[end])).toBeGreaterThan(3e-4);
      expect(apart(halves[end], exact[end])).toBeLessThan(0.25 * apart(whole[end], exact[end]));
    }
  });
});

// Euler–Bernoulli beam turning at γ √(EI/ρA L⁴): first frequency in the plane of turning, over √(EI/ρA L⁴), about the stretched steady state.
// Exact 3.543236, 3.897723, 5.048975 at γ = 1, 4, 10; eight pieces with the membrane term by a second program 3.54312, 3.89793, 5.0496; linear
// 3.53861, 3.82717, 4.52428
test.each([
  [4, true, [3.54368, 3.90427, 5.08816]],
  [8, true, [3.54312, 3.89793, 5.0496]],
  [8, false, [3.53861, 3.82717, 4.52428]],
] as const)('a turning beam of %i pieces, membrane term %s', (pieces, membrane, references) => {
  const [length, width] = [10, 0.05];
  const material = { density: 1000, youngsModulus: 1e9, poissonRatio: 0 };
  const unit = Math.sqrt((material.youngsModulus * width * width) / (12 * material.density * length ** 4));
  [1, 4, 10].forEach((gamma, k) => {
    const mechanics = new MechanicalSystem(
      assemble(
        model({
          gravity: [0, 0, 0],
          contacts: false,
          bodies: {
            beam: body({
              shape: strip(length, width, 0.1),
              material,
              flexible: { grid: [10 * pieces, 1], modes: 0, damping: 0, membrane, substructures: pieces },
            }),
          },
          joints: { hub: revolute({ body: 'beam', axis: Z, speed: gamma * unit }) },
        }),
      ),
    );
    const y = mechanics.system.initial.slice();
    initialise(mechanics, 0, y);
    staticEquilibrium(mechanics, 0, y);
    const [first] = eigenmodes(mechanics, 0, y).filter(({ imaginary }) => imaginary > 0.5 * unit);
    expect(Math.abs(first.imaginary / unit / references[k] - 1)).toBeLessThan(1e-3);
  });
});

// A strip on three pins, two spans of l each, ends and middle free along it: its lowest mode has a node at the middle pin, where it has no moment, so each span
// swings as one with hinged ends: ω = (π/l)² √(EI/ρA) √(1 + N l²/(π² EI)) (Timoshenko, Vibration Problems in Engineering, §54). Where only one of the spans is
// pulled, eight pieces of it are the reference.
describe('a strip on three pins is stiffened by what pulls its spans', () => {
  const [l, width, depth] = [0.2, 0.004, 0.02];
  const material = { density: 7850, youngsModulus: 210e9, poissonRatio: 0 };
  const bending = (material.youngsModulus * depth * width ** 3) / 12;
  const hinged = (Math.PI / l) ** 2 * Math.sqrt(bending / (material.density * depth * width));
  const euler = (Math.PI ** 2 * bending) / l ** 2;
  /** Lowest frequency over that without pull; forces on middle and end over Euler's load of a span */
  const lowest = (middle: number, end: number, flexible: FlexibleOptions, inboard: 'left' | 'middle' = 'left') => {
    const slider = (x: number) =>
      body({ shape: box([0.01, 0.01, 0.01]), mass: 0.1, material, position: [x, 0, depth / 2] });
    const pin = (slides: string, x: number) => revolute({ body: slides, to: 'strip', axis: Z, at: [x, 0, depth / 2] });
    const guide = (slides: string) => prismatic({ body: slides, axis: [1, 0, 0] });
    const ends = { left: revolute({ body: 'strip', axis: Z }) };
    const mechanics = new MechanicalSystem(
      assemble(
        model({
          gravity: [0, 0, 0],
          contacts: false,
          bodies: {
            strip: body({ shape: strip(2 * l, width, depth), material, flexible: { damping: 0, ...flexible } }),
            middle: slider(l),
            right: slider(2 * l),
          },
          joints: {
            ...(inboard === 'left' && ends),
            middlePin: pin('middle', l),
            ...(inboard === 'middle' && ends),
            rightPin: pin('right', 2 * l),
            middleGuide: guide('middle'),
            rightGuide: guide('right'),
          },
          forces: {
            middle: applied({ on: 'middle', force: [middle * euler, 0, 0] }),
            end: applied({ on: 'right', force: [end * euler, 0, 0] }),
          },
        }),
      ),
    );
    const y = mechanics.system.initial.slice();
    initialise(mechanics, 0, y);
    staticEquilibrium(mechanics, 0, y);
    return eigenmodes(mechanics, 0, y).find(({ imaginary }) => imaginary > 0.1 * hinged)!.imaginary / hinged;
  };
  const whole = { grid: [80, 2] } as const;
  test.each(['left', 'middle'] as const)('both, closed form; joints drawn from the %s', (inboard) => {
    // rigid edges at the pins, shear and inertia of turning: half a thousandth
    expect(Math.abs(lowest(0, 0, whole, inboard) - 1)).toBeLessThan(1e-3);
    expect(Math.abs(lowest(0, 1, whole, inboard) / Math.SQRT2 - 1)).toBeLessThan(1e-3);
    // its fastest mode is 10⁴ times as fast as this one
    expect(Math.abs(lowest(0, 0, { grid: [80, 2], substructures: 8 }, inboard) - 1)).toBeLessThan(1e-3);
    // what the turn of the frame alone tells of the pull
    expect(lowest(0, 1, { ...whole, membrane: false }, inboard) / Math.SQRT2).toBeLessThan(0.9);
  });
  test('one of them', () => {
    const pieces = lowest(1, 0, { grid: [80, 2], substructures: 8 });
    expect(pieces).toBeGreaterThan(1.1);
    expect(Math.abs(lowest(1, 0, whole) / pieces - 1)).toBeLessThan(1e-3);
  });
});
