// Pressure, weight, spin and known displacements against closed forms, and what holds bear
import { describe, expect, test } from 'vitest';
import { circle } from '../../geometry/circle-outline.js';
import type { Profile } from '../../geometry/profile.js';
import { extrudeMesh } from '../mesh/extruded-mesh.js';
import { meshProfile } from '../mesh/mesh-profile.js';
import { stripMesh } from '../mesh/strip.js';
import type { ElasticPart } from './elastic-part.js';
import { addInertia, addPressure, spinField, weightField } from './loads.js';
import { PlanePart } from './plane-part.js';
import { SolidPart } from './solid-part.js';
import { balance, resultant, solveStatics } from './statics.js';
import { addTraction, namedSides } from './supports.js';

const steel = { youngsModulus: 210e9, poissonRatio: 0.3, density: 7850 };
const [E, nu, rho] = [210e9, 0.3, 7850];
const thickness = 0.02;
const [a, b] = [0.05, 0.1];

/** A quarter of a ring; edges: bottom (y = 0), outer arc, left (x = 0), inner arc */
const bulge = Math.tan(Math.PI / 8);
const quarter: Profile = {
  outer: [
    [a, 0],
    [b, 0, bulge],
    [0, b],
    [0, a, -bulge],
  ],
  holes: [],
};
/** Planes of symmetry x = 0 and y = 0; of solids z = 0, or both faces where they may not move along z */
function symmetric({ dimension: d, mesh: { points }, size }: ElasticPart, bothFaces = false): Uint8Array {
  return Uint8Array.from({ length: size }, (_, i) => {
    if (Math.abs(points[i]) < 1e-12) return 0;
    return d === 3 && bothFaces && i % 3 === 2 && Math.abs(points[i] - thickness) < 1e-12 ? 0 : 1;
  });
}
const radius = ({ dimension: d, mesh: { points } }: ElasticPart, node: number): number =>
  Math.hypot(points[d * node], points[d * node + 1]);
/** Mean of u_r, and of σ round the axis, of nodes at a radius */
function atRadius(part: ElasticPart, r: number, u: Float64Array): { moved: number; hoop: number } {
  const { dimension: d, mesh } = part;
  const stress = part.stress(u);
  let [moved, hoop, count] = [0, 0, 0];
  for (let i = 0; i < mesh.nodeCount; i++) {
    if (Math.abs(radius(part, i) - r) > 1e-9) continue;
    const [c, s] = [mesh.points[d * i] / r, mesh.points[d * i + 1] / r];
    const [sx, sy, txy] = [0, 1, 3].map((k) => stress[d === 2 ? 3 * i + Math.min(k, 2) : 6 * i + k]);
    moved += c * u[d * i] + s * u[d * i + 1];
    hoop += s * s * sx + c * c * sy - 2 * s * c * txy;
    count++;
  }
  return { moved: moved / count, hoop: hoop / count };
}
/** Nodes of the inner arc of a solid */
const inside = (part: ElasticPart): number[] =>
  Array.from({ length: part.mesh.nodeCount }, (_, i) => i).filter((i) => Math.abs(radius(part, i) - a) < 1e-9);

const planes = {
  'T3, plane stress': [3, 0.002, false],
  'T6, plane stress': [6, 0.01, false],
  'T6, plane strain': [6, 0.01, true],
} as const;

// Lamé (1852); Timoshenko & Goodier, Theory of Elasticity, § 28: thick cylinder, inner pressure p,
//   σθ = p a²/(b² − a²) (1 + b²/r²),   u = p a²/(E (b² − a²)) ((1 − ν) r + (1 + ν) b²/r);   plane strain: E → E/(1 − ν²), ν → ν/(1 − ν)
const lame = (p: number, r: number, strain: boolean): { moved: number; hoop: number } => {
  const [e, n] = strain ? [E / (1 - nu * nu), nu / (1 - nu)] : [E, nu];
  const f = (p * a * a) / (b * b - a * a);
  return { moved: (f / e) * ((1 - n) * r + ((1 + n) * b * b) / r), hoop: f * (1 + (b * b) / (r * r)) };
};

describe('thick cylinder under pressure', () => {
  // T6 of a fifth of the wall: displacement to 3.4e-5 (8e-6 at half the size), stress, averaged at the rim, to 0.6 %; T3 of a 25th: 2e-3 and 4 % at the rim
  test.each(Object.entries(planes))('%s', (name, [nodesPerElement, size, strain]) => {
    const mesh = meshProfile(quarter, { size, nodesPerElement });
    const part = new PlanePart(mesh, { ...steel, thickness, strain });
    const force = new Float64Array(part.size);
    addPressure(mesh, namedSides(mesh, 'edge 4', ''), 50e6, thickness, force);
    const free = symmetric(part);
    const { displacements, reactions } = solveStatics(part, free, force);
    for (const r of [a, b]) {
      const [found, exact] = [atRadius(part, r, displacements), lame(50e6, r, strain)];
      expect(Math.abs(found.moved / exact.moved - 1)).toBeLessThan(name.startsWith('T3') ? 2e-3 : 4e-5);
      expect(Math.abs(found.hoop / exact.hoop - 1)).toBeLessThan(name.startsWith('T3') ? 0.04 : 6e-3);
    }
    // A quarter is pressed with p a t along x and along y, whatever the chords; the planes of symmetry bear it
    const { force: pressed } = resultant(part, force);
    for (const f of pressed) expect(Math.abs(f / (50e6 * a * thickness) - 1)).toBeLessThan(1e-12);
    const left = balance(part, force, reactions);
    expect(Math.max(left.force, left.moment)).toBeLessThan(1e-10);
  });

  test('T10, faces held along the axis: plane strain', () => {
    const mesh = extrudeMesh(meshProfile(quarter, { size: 0.012 }), thickness, 1);
    const part = new SolidPart(mesh, steel);
    const force = new Float64Array(part.size);
    part.addPressure(inside(part), 50e6, force, '');
    const { displacements } = solveStatics(part, symmetric(part, true), force);
    for (const r of [a, b]) {
      const [found, exact] = [atRadius(part, r, displacements), lame(50e6, r, true)];
      expect(Math.abs(found.moved / exact.moved - 1)).toBeLessThan(1e-4);
      expect(Math.abs(found.hoop / exact.hoop - 1)).toBeLessThan(0.01);
    }
  });
});

// Timoshenko & Goodier § 32: disc with a hole that turns at ω, k = (3 + ν)/8 ρ ω²,
//   σθ = k (a² + b² + a² b²/r² − (1 + 3 ν)/(3 + ν) r²),   u = (k r/E) ((1 − ν)(a² + b²) + (1 + ν) a² b²/r² − (1 − ν²)/(3 + ν) r²)
describe('disc that turns', () => {
  const w = 1000;
  const k = ((3 + nu) / 8) * rho * w * w;
  const exact = (r: number): { moved: number; hoop: number } => ({
    hoop: k * (a * a + b * b + (a * a * b * b) / (r * r) - ((1 + 3 * nu) / (3 + nu)) * r * r),
    moved:
      ((k * r) / E) *
      ((1 - nu) * (a * a + b * b) + ((1 + nu) * a * a * b * b) / (r * r) - ((1 - nu * nu) / (3 + nu)) * r * r),
  });
  test.each([3, 6] as const)('T%i', (nodesPerElement) => {
    const mesh = meshProfile(quarter, { size: nodesPerElement === 3 ? 0.002 : 0.01, nodesPerElement });
    const part = new PlanePart(mesh, { ...steel, thickness });
    const force = new Float64Array(part.size);
    addInertia(part, spinField(mesh.points, 2, { speed: w, at: [0, 0] }), force);
    const { displacements } = solveStatics(part, symmetric(part), force);
    for (const r of [a, b]) {
      const found = atRadius(part, r, displacements);
      expect(Math.abs(found.moved / exact(r).moved - 1)).toBeLessThan(nodesPerElement === 3 ? 2e-3 : 2e-5);
      expect(Math.abs(found.hoop / exact(r).hoop - 1)).toBeLessThan(nodesPerElement === 3 ? 0.04 : 6e-3);
    }
    // ω² ∫ x dm of the quarter
    const whole = (rho * thickness * w * w * (b ** 3 - a ** 3)) / 3;
    for (const f of resultant(part, force).force)
      expect(Math.abs(f / whole - 1)).toBeLessThan(nodesPerElement === 3 ? 1e-3 : 1e-5);
  });
  test('T10, thin and free along the axis; about an axis off the origin', () => {
    const plane = meshProfile(quarter, { size: 0.012 });
    const moved = { ...plane, points: plane.points.slice() };
    const mesh = extrudeMesh(moved, 0.004, 1);
    const part = new SolidPart(mesh, steel);
    const force = new Float64Array(part.size);
    addInertia(part, spinField(mesh.points, 3, { speed: w, at: [0, 0, 7], axis: [0, 0, 1] }), force);
    const { displacements } = solveStatics(part, symmetric(part), force);
    // plane stress but for (t/b)²
    for (const r of [a, b])
      expect(Math.abs(atRadius(part, r, displacements).moved / exact(r).moved - 1)).toBeLessThan(1e-3);
    // about x = −1 m each kilogram is pulled by ω² more along x
    const other = new Float64Array(part.size);
    addInertia(part, spinField(mesh.points, 3, { speed: w, at: [-1, 0, 0], axis: [0, 0, 1] }), other);
    const [more, same] = resultant(part, other).force.map((f, i) => f - resultant(part, force).force[i]);
    expect(more / (part.mass * w * w)).toBeCloseTo(1, 10);
    expect(Math.abs(same / more)).toBeLessThan(1e-10);
  });
});

// Hanging at its upper end, ν = 0: σ = ρ g (L − s), end lower by ρ g L²/(2 E): parabolas, which T6 and T10 have
describe('bar that hangs', () => {
  const [L, h] = [2, 0.2];
  test.each([3, 6] as const)('T%i', (nodesPerElement) => {
    const mesh = stripMesh([0, 0], [h, L], 2, 20, nodesPerElement);
    const part = new PlanePart(mesh, { ...steel, poissonRatio: 0, thickness });
    const force = new Float64Array(part.size);
    addInertia(part, weightField(mesh.points, [0, -9.81]), force);
    const free = Uint8Array.from({ length: part.size }, (_, i) => (mesh.points[i | 1] === L ? 0 : 1));
    const { displacements, reactions, strainEnergy } = solveStatics(part, free, force);
    let lowest = 0;
    for (let i = 1; i < part.size; i += 2) lowest = Math.min(lowest, displacements[i]);
    expect(Math.abs(lowest / ((-rho * 9.81 * L * L) / (2 * E)) - 1)).toBeLessThan(nodesPerElement === 3 ? 2e-3 : 1e-9);
    // ρ² g² A L³/(6 E); linear elements are short of it by 1/n²
    const energy = ((rho * 9.81) ** 2 * h * thickness * L ** 3) / (6 * E);
    expect(Math.abs(strainEnergy / energy - 1)).toBeLessThan(nodesPerElement === 3 ? 3e-3 : 1e-9);
    expect(resultant(part, reactions).force[1] / (part.mass * 9.81)).toBeCloseTo(1, 9);
  });
  test('T10', () => {
    const mesh = extrudeMesh(stripMesh([0, 0], [h, L], 1, 6), thickness, 1);
    const part = new SolidPart(mesh, { ...steel, poissonRatio: 0 });
    const force = new Float64Array(part.size);
    addInertia(part, weightField(mesh.points, [0, -9.81, 0]), force);
    const free = Uint8Array.from({ length: part.size }, (_, i) => (mesh.points[i - (i % 3) + 1] === L ? 0 : 1));
    const { displacements, reactions } = solveStatics(part, free, force);
    let lowest = 0;
    for (let i = 1; i < part.size; i += 3) lowest = Math.min(lowest, displacements[i]);
    expect(Math.abs(lowest / ((-rho * 9.81 * L * L) / (2 * E)) - 1)).toBeLessThan(1e-9);
    const left = balance(part, force, reactions);
    expect(Math.max(left.force, left.moment)).toBeLessThan(1e-10);
  });
});

// Stretched by δ between ends that are free across: σ = E δ/L everywhere, ends bear E A δ/L; exact on any mesh
test.each([3, 6, 10] as const)('bar that is stretched by a known amount: %i nodes', (nodes) => {
  const plane = stripMesh([0, 0], [0.5, 0.1], 5, 2, nodes === 3 ? 3 : 6);
  const part: ElasticPart =
    nodes === 10
      ? new SolidPart(extrudeMesh(plane, thickness, 1), steel)
      : new PlanePart(plane, { ...steel, thickness });
  const { dimension: d, mesh } = part;
  const free = new Uint8Array(part.size).fill(1);
  const moved = new Float64Array(part.size);
  for (let i = 0; i < mesh.nodeCount; i++)
    for (let k = 0; k < d; k++) {
      const x = mesh.points[d * i + k];
      if (x === 0 || (k === 0 && x === 0.5)) free[d * i + k] = 0;
      if (k === 0 && x === 0.5) moved[d * i] = 1e-4;
    }
  const { displacements, reactions, strainEnergy } = solveStatics(part, free, new Float64Array(part.size), { moved });
  const stress = part.stress(displacements);
  const components = stress.length / mesh.nodeCount;
  for (let i = 0; i < mesh.nodeCount; i++)
    expect(Math.abs(stress[components * i] / ((E * 1e-4) / 0.5) - 1)).toBeLessThan(1e-9);
  const pull = (E * 0.1 * thickness * 1e-4) / 0.5;
  const end = resultant(part, reactions, undefined, (i) => moved[i] !== 0);
  expect(Math.abs(end.force[0] / pull - 1)).toBeLessThan(1e-9);
  expect(Math.abs(strainEnergy / (0.5 * pull * 1e-4) - 1)).toBeLessThan(1e-9);
  const left = balance(part, new Float64Array(part.size), reactions);
  expect(Math.max(left.force, left.moment)).toBeLessThan(1e-10);
});

// The same pressure on all sides, curved ones and holes included: σx = σy = −p. ∇N det J is of second order, for which K's points are exact
test('what is pressed all round has no shear', () => {
  const mesh = meshProfile(
    {
      outer: [
        [0, 0],
        [0.2, 0, 0.5],
        [0.2, 0.1],
        [0, 0.12],
      ],
      holes: [circle(0.02, [0.1, 0.05])],
    },
    { size: 0.02 },
  );
  const part = new PlanePart(mesh, { ...steel, thickness });
  const force = new Float64Array(part.size);
  addPressure(
    mesh,
    Array.from(mesh.sideEdge, (_, s) => s),
    1e7,
    thickness,
    force,
  );
  const free = new Uint8Array(part.size).fill(1);
  const node = (x: number, y: number): number =>
    Array.from({ length: mesh.nodeCount }, (_, i) => i).find(
      (i) => mesh.points[2 * i] === x && mesh.points[2 * i + 1] === y,
    )!;
  free.fill(0, 2 * node(0, 0), 2 * node(0, 0) + 2);
  free[2 * node(0, 0.12)] = 0;
  const { displacements, reactions } = solveStatics(part, free, force);
  const stress = part.stress(displacements);
  for (let i = 0; i < stress.length; i++) expect(Math.abs(stress[i] / 1e7 + (i % 3 === 2 ? 0 : 1))).toBeLessThan(1e-8);
  for (const r of reactions) expect(Math.abs(r)).toBeLessThan(1e-8 * 1e7 * 0.2 * thickness);
});

// A cantilever's end bears −F and the moment −F L; a bracket of tetrahedra likewise, by components
test('holds bear force and moment', () => {
  const mesh = stripMesh([0, 0], [1, 0.1], 20, 2);
  const part = new PlanePart(mesh, { ...steel, thickness });
  const force = new Float64Array(part.size);
  addTraction(mesh, namedSides(mesh, 'right', ''), [0, -1000], force);
  const free = Uint8Array.from({ length: part.size }, (_, i) => (mesh.points[i & ~1] === 0 ? 0 : 1));
  const { reactions } = solveStatics(part, free, force);
  const {
    force: [fx, fy],
    moment: [m],
  } = resultant(part, reactions);
  expect(Math.abs(fx)).toBeLessThan(1e-6);
  expect(fy / 1000).toBeCloseTo(1, 9);
  expect(m / 1000).toBeCloseTo(1, 9);

  const solid = new SolidPart(extrudeMesh(stripMesh([0, 0], [0.3, 0.1], 3, 1), 0.05, 1), steel);
  const { points } = solid.mesh;
  const load = new Float64Array(solid.size);
  const end = Array.from({ length: solid.mesh.nodeCount }, (_, i) => i).filter((i) => points[3 * i] === 0.3);
  solid.addForce(end, [10, -20, 30], load, '');
  const held = Uint8Array.from({ length: solid.size }, (_, i) => (points[i - (i % 3)] === 0 ? 0 : 1));
  const bears = resultant(solid, solveStatics(solid, held, load).reactions);
  // −(r × F) at r = (0.3, 0.05, 0.025)
  [-10, 20, -30].forEach((f, k) => {
    expect(bears.force[k]).toBeCloseTo(f, 7);
  });
  [0.05 * 30 + 0.025 * 20, 0.025 * 10 - 0.3 * 30, -0.3 * 20 - 0.05 * 10].forEach((value, k) => {
    expect(bears.moment[k]).toBeCloseTo(-value, 7);
  });
});
