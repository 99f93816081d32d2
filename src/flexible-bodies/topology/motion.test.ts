// Loads of a motion: a connecting rod whose forces are in closed form (connecting-rod.ts), and what a recorded motion gives
import { describe, expect, test } from 'vitest';
import { profileArea } from '../../geometry/polygon.js';
import { PlanePart } from '../fem/plane-part.js';
import { stripMesh } from '../mesh/strip.js';
import { reducePart } from '../reduction.js';
import { Compliance } from './compliance.js';
import { connectingRod } from './connecting-rod.js';
import { type DesignMesh, gridDesign, meshDesign } from './design-mesh.js';
import { designPieces, designProfile } from './design-profile.js';
import { DensityFilter } from './filter.js';
import { cornerMesh, motionLoads } from './motion-loads.js';
import { optimiseTopology } from './optimise.js';
import { givenRegions, mirrorImages, requireCircles } from './regions.js';

test('a connecting rod: compliance as a second program has it, whole and at the first iteration', () => {
  const { mesh, problem, given } = connectingRod(24);
  const whole = problem.evaluate(new Float64Array(mesh.elementCount).fill(1));
  expect(Math.abs(whole / 0.930516 - 1)).toBeLessThan(5e-6); // 6 digits are published
  const { history } = optimiseTopology(problem, { volume: 0.6, radius: 4.5e-3, given, iterations: 2 });
  expect(Math.abs(history[0] / 2.80626 - 1)).toBeLessThan(1e-5);
});

test('grips: the derivative is that of differences, with a reaction that balances', () => {
  const { mesh, problem } = connectingRod(2);
  const x = new Float64Array(mesh.elementCount).fill(0.7);
  problem.evaluate(x);
  const gradient = problem.gradient.slice();
  for (const e of [300, 2500, 4800]) {
    const h = 1e-4;
    x[e] = 0.7 + h;
    const above = problem.evaluate(x);
    x[e] = 0.7 - h;
    const below = problem.evaluate(x);
    x[e] = 0.7;
    expect(Math.abs((above - below) / (2 * h) - gradient[e])).toBeLessThan(1e-4 * Math.abs(gradient[e]) + 1e-12);
  }
});

// A strip that turns about its end at ω without anything else: the pull at its root is ρ A ω² L²/2, and f·u = ∫ N²/(E A) dx, N = ρ A ω² (L² − x²)/2
test('a turning strip: its loads from a recorded motion give the energy of a bar', () => {
  const material = { youngsModulus: 1e9, poissonRatio: 0, density: 2700, thickness: 0.01 };
  const mesh = stripMesh([0, -0.025], [1, 0.025], 40, 2);
  const left = Int32Array.from({ length: mesh.nodeCount }, (_, i) => i).filter((i) => mesh.points[2 * i] === 0);
  const [speed, area] = [50, 0.05 * 0.01];
  const { loads, grips, pinned } = motionLoads(
    { mesh, material, shapes: [], interfaces: [{ point: [0, 0], nodes: left }], stiffness: new Float64Array(0) },
    [{ coordinates: [], inertia: [0, 0, 0, speed * speed] }],
  );
  expect(pinned).toBe(false); // one joint alone cannot be a pin: nothing else would hold the part
  const design = meshDesign(cornerMesh(mesh), material);
  const problem = new Compliance(design, new Uint8Array(design.points.length).fill(1), loads, { grips });
  const value = problem.evaluate(new Float64Array(design.elementCount).fill(1));
  const pull = 2700 * area * speed * speed;
  // ∫ ((1 − x²)/2)² dx = 2/15; triangles of constant strain, 40 in a row: 2e-4
  expect(Math.abs(value / ((pull * pull * (2 / 15)) / (1e9 * area)) - 1)).toBeLessThan(1e-3);
});

test('a design is cut at the wanted area, with the places of its joints, and falls apart by name', () => {
  const mesh = gridDesign(60, 20, 0.6, 0.2, { youngsModulus: 1, poissonRatio: 0.3, density: 1, thickness: 1 });
  const bar = (gap: number): Float64Array =>
    Float64Array.from({ length: mesh.elementCount }, (_, e) => {
      const [x, y] = [mesh.centre[2 * e], mesh.centre[2 * e + 1]];
      return Math.abs(x - 0.3) < gap ? 0 : Math.max(0, 1 - Math.abs(y - 0.1) / 0.1);
    });
  const needs = [
    [0.02, 0.1],
    [0.58, 0.1],
  ] as const;
  const profile = designProfile(mesh, bar(0), { area: 0.06, needs, size: 0.01 });
  const top = profile.outer.reduce((most, [, y]) => Math.max(most, y), 0);
  expect(Math.abs(top - 0.15)).toBeLessThan(2e-3); // half of the room: |y − 0.1| < 0.05
  expect(() => designProfile(mesh, bar(0.05), { area: 0.03, needs, size: 0.01 })).toThrow('fell apart');
});

// Two brackets in one room: the outline was the larger of them alone
test('a design of two pieces that both carry loads has both, and what carries none goes', () => {
  const mesh = gridDesign(60, 20, 0.6, 0.2, { youngsModulus: 1, poissonRatio: 0.3, density: 1, thickness: 1 });
  const densities = Float64Array.from({ length: mesh.elementCount }, (_, e) => {
    const [x, y] = [mesh.centre[2 * e], mesh.centre[2 * e + 1]];
    return x < 0.1 || x > 0.45 || Math.abs(x - 0.3) + Math.abs(y - 0.1) < 0.06 ? 1 : 0;
  });
  const needs = [[0.1, 0.1], [0.46, 0.1]] as const; // biome-ignore format: one line
  const pieces = designPieces(mesh, densities, { area: 0.05, needs, size: 0.01 });
  expect(pieces.map(({ outer }) => outer[0][0] > 0.3).sort()).toEqual([false, true]);
  expect(Math.abs(pieces.reduce((sum, piece) => sum + profileArea(piece), 0) / 0.05 - 1)).toBeLessThan(0.02);
});

test('what names nothing of the part, or takes no memory there is, is refused', () => {
  const mesh = gridDesign(150, 60, 0.15, 0.06, { youngsModulus: 1, poissonRatio: 0.3, density: 1, thickness: 1 });
  const circle = { at: [0.5, 0.03], radius: 0.01 } as const;
  requireCircles([mesh], { full: [{ ...circle, at: [0.05, 0.03] }] });
  expect(() => requireCircles([mesh], { empty: [circle] })).toThrow(
    'empty: no element has its middle within 0.01 m of (0.5, 0.03) m',
  );
  expect(() => mirrorImages(mesh, 1, 0.04)).toThrow(
    'mirror: y = 0.04 m is no line of symmetry of the part: 32 % of it',
  );
  expect(() => new DensityFilter(mesh, 1)).toThrow('radius: 1 m reaches over some 9000 elements');
});

test('regions that stay, and mirrors', () => {
  const mesh = gridDesign(20, 10, 0.2, 0.1, { youngsModulus: 1, poissonRatio: 0.3, density: 1, thickness: 1 });
  const given = givenRegions(mesh, [], 0.01, {
    full: [{ at: [0.05, 0.05], radius: 0.02 }],
    empty: [{ at: [0.15, 0.05], radius: 0.02 }],
  });
  expect(given.filter((value) => value > 0).length).toBe(12);
  expect(given.filter((value) => value < 0).length).toBe(12);
  const images = mirrorImages(mesh, 1, 0.05);
  for (let e = 0; e < mesh.elementCount; e++) {
    expect(images[images[e]]).toBe(e);
    expect(mesh.centre[2 * images[e] + 1]).toBeCloseTo(0.1 - mesh.centre[2 * e + 1], 12);
  }
});

// A strip 1 × 0.05 × 0.01 m in three interfaces, Poisson's ratio 0: pulled by q it bears E A q/L; what 2 ω × u of a stretching strip, c x/L across it, does to its end is
// ρ A c ∫ x/L (3 ξ² − 2 ξ³) dx = 0.35 ρ A L c (Bernoulli, end without turn)
describe('loads of a recorded motion, term by term', () => {
  const material = { youngsModulus: 1e9, poissonRatio: 0, density: 2700, thickness: 0.01 };
  const mesh = stripMesh([0, -0.025], [1, 0.025], 40, 2);
  const column = (x: number) => ({
    point: [x, 0] as [number, number],
    nodes: Int32Array.from({ length: mesh.nodeCount }, (_, i) => i).filter((i) => mesh.points[2 * i] === x),
  });
  const partOf = (xs: number[]) => {
    const interfaces = xs.map(column);
    const { shapes, stiffness } = reducePart(new PlanePart(mesh, material), interfaces, 0, 0);
    return { mesh, material, shapes, interfaces, stiffness };
  };
  const area = 0.05 * 0.01;
  test('deformation', () => {
    const part = partOf([0, 1]);
    const { loads } = motionLoads(part, [{ coordinates: [1e-3, 0, 0], inertia: new Array(10).fill(0) }]);
    const pull = (1e9 * area * 1e-3) / 1;
    expect(loads[0].wrenches![3] / pull).toBeCloseTo(1, 9);
    expect(Math.abs(loads[0].wrenches![4])).toBeLessThan(1e-9 * pull);
  });
  test('Coriolis', () => {
    const part = partOf([0, 1]);
    const c = 3;
    // 2 ω η of the first coordinate, by which the strip stretches
    const { loads } = motionLoads(part, [{ coordinates: [0, 0, 0], inertia: [0, 0, 0, 0, 0, 0, 0, c, 0, 0] }]);
    // shear of a strip twenty times as long as high: below a part in a thousand
    expect(Math.abs(loads[0].wrenches![4] / (0.35 * 2700 * area * c) - 1)).toBeLessThan(1e-3);
    let across = 0;
    loads[0].body!.forEach((f, i) => {
      if (i % 2 === 1) across += f;
    });
    // what is left to the part is the inertia: −∫ρ A c x/L dx
    expect(across / (-0.5 * 2700 * area * c)).toBeCloseTo(1, 9);
  });
  test('a pin is balanced by the joint farthest from it, across the line between them', () => {
    const { loads, pinned } = motionLoads(partOf([0, 1, 0.5]), [
      { coordinates: new Array(6).fill(0), inertia: new Array(16).fill(0) },
    ]);
    expect(pinned).toBe(true);
    expect(Array.from(loads[0].held!, Math.abs)).toEqual([0, 0, 0, 0, 1, 0, 0, 0, 0]);
  });
});

// Three elements in a row, 1, 2 and 3 m² large: h = R − distance; volumes weigh densities, sensitivities of Sigmund have h alone
test('filters where elements are not alike', () => {
  const [centre, area, R] = [Float64Array.of(0, 0, 1, 0, 1.8, 0), Float64Array.of(1, 2, 3), 1.5];
  const filter = new DensityFilter({ centre, area, elementCount: 3 } as unknown as DesignMesh, R);
  const [x, g, out] = [Float64Array.of(0.2, 0.5, 0.9), Float64Array.of(-3, -1, -2), new Float64Array(3)];
  const h = (e: number, i: number): number => Math.max(0, R - Math.abs(centre[2 * e] - centre[2 * i]));
  const sum = (of: (i: number) => number): number => of(0) + of(1) + of(2);
  filter.apply(x, out);
  for (let e = 0; e < 3; e++)
    expect(out[e]).toBeCloseTo(sum((i) => h(e, i) * area[i] * x[i]) / sum((i) => h(e, i) * area[i]), 14);
  filter.smoothSensitivity(x, g, area, out);
  for (let e = 0; e < 3; e++)
    expect(out[e]).toBeCloseTo(sum((i) => h(e, i) * x[i] * g[i]) / (x[e] * sum((i) => h(e, i))), 13);
});

// Around a wide interface material stays within six elements of its nodes, around a narrow one within two
test('material that stays around joints', () => {
  const mesh = gridDesign(50, 50, 0.5, 0.5, { youngsModulus: 1, poissonRatio: 0.3, density: 1, thickness: 1 });
  const nearest = (x: number, y: number): number => {
    let best = 0;
    const away = (i: number): number => Math.hypot(mesh.points[2 * i] - x, mesh.points[2 * i + 1] - y);
    for (let i = 1; i < mesh.nodeCount; i++) if (away(i) < away(best)) best = i;
    return best;
  };
  const full = (reach: number): number => {
    const nodes = Int32Array.of(nearest(0.25, 0.25), nearest(0.25 + reach, 0.25));
    return givenRegions(mesh, [{ point: [0.25, 0.25], nodes }], 0.01).filter((value) => value > 0).length;
  };
  // two circles apart from each other: six elements across, a half of one to and fro along their rims
  expect(Math.abs(full(0.2) / ((2 * Math.PI * 0.06 ** 2) / 1e-4) - 1)).toBeLessThan(0.05);
  expect(Math.abs(full(0.04) / ((2 * Math.PI * 0.022 ** 2) / 1e-4) - 1)).toBeLessThan(0.1);
});
