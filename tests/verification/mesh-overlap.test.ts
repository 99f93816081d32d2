// The overlap of meshes against independent computations: constructive solid geometry (another algorithm, in double
// precision), counting of cells, closed forms, and the continuity that the exact volume has.
// TIPPETOP_SWEEP=1 runs the long sweeps: 4 050 random poses against the CSG library, 4 000 polycubes.
import { describe, expect, test } from 'vitest';
import { extrude } from '../../src/geometry/extrude.js';
import { meshMassProperties } from '../../src/geometry/mass-properties.js';
import { box, torus } from '../../src/geometry/primitives.js';
import { sphere } from '../../src/geometry/sphere.js';
import type { TriangleMesh } from '../../src/geometry/triangle-mesh.js';
import { fromAxisAngle, type Quaternion, rotate } from '../../src/math/quaternion.js';
import { random } from '../../src/math/random.js';
import { normalize, scale, type Vec3 } from '../../src/math/vec3.js';
import { prepareMesh } from '../../src/narrow-phase/mesh-overlap/mesh-topology.js';
import {
  assortedMeshes,
  at,
  block,
  HERE,
  L_OUTLINE,
  oracle,
  Pair,
  type Placement,
  polycube,
  prepared,
  unitCube,
} from '../fixtures/overlap.js';

const SWEEP = process.env.TIPPETOP_SWEEP === '1';
const solids = prepared(assortedMeshes());
const pairOf = (a: TriangleMesh, b: TriangleMesh) => new Pair(prepareMesh(a), prepareMesh(b));

/** Volume within 1e-14 per unit size or 1e-12 of itself, and the centroid as well as the volume allows. */
function expectAsOracle(pair: Pair, a: TriangleMesh, poseA: Placement, b: TriangleMesh, poseB: Placement, size = 1) {
  pair.place(poseA, poseB);
  expect(pair.overlap.contradictions).toBe(0);
  const reference = oracle(a, poseA, b, poseB);
  const [volume] = pair.total('volume');
  const expected = reference?.volume ?? 0;
  const error = Math.abs(volume - expected);
  expect(error).toBeLessThanOrEqual(Math.max(1e-14 * size ** 3, 1e-12 * expected));
  if (reference && volume > 1e-9 * size ** 3) {
    const centroid = pair.centroid();
    for (let k = 0; k < 3; k++)
      expect(Math.abs(centroid[k] - reference.centroid[k])).toBeLessThan((1e-13 * size ** 4) / volume + 1e-13 * size);
  }
  return { volume, parts: reference?.parts ?? [] };
}

test('random poses of assorted solids: as constructive solid geometry finds', { timeout: 600_000 }, () => {
  const draw = random('overlap against CSG');
  const each = SWEEP ? 50 : 2;
  let overlapping = 0;
  for (const [, meshA, a] of solids)
    for (const [, meshB, b] of solids) {
      const pair = new Pair(a, b);
      for (let k = 0; k < each; k++) {
        const poseA = { position: HERE.position, orientation: draw.rotation() };
        const poseB = { position: draw.inSphere(), orientation: draw.rotation() };
        const { volume, parts } = expectAsOracle(pair, meshA, poseA, meshB, poseB);
        if (volume > 0) overlapping++;
        // regions are the connected parts; a cavity of one is no part of its own
        const { patches } = pair;
        const regions = patches.volume.subarray(0, patches.count).filter((v) => v > 1e-12);
        expect(regions.length).toBe(parts.filter((v) => v > 1e-12).length);
      }
    }
  expect(overlapping).toBeGreaterThan(each * 50);
});

// Cells of two polycubes overlap by ∏ max(0, 1 − |Δ|): exact. Grid shifts by halves make everything coplanar at once.
test('polycubes on the grid: as counting finds', { timeout: 600_000 }, () => {
  const draw = random('polycubes');
  const grow = (n: number): Vec3[] => {
    const cells: Vec3[] = [[0, 0, 0]];
    while (cells.length < n) {
      const next = [...cells[draw.integer(cells.length)]] as [number, number, number];
      next[draw.integer(3)] += draw.integer(2) ? 1 : -1;
      if (draw.integer(4) === 0) next[draw.integer(3)] += draw.integer(2) ? 1 : -1; // may touch in an edge only
      if (!cells.some((cell) => cell.every((x, k) => x === next[k]))) cells.push(next);
    }
    return cells;
  };
  for (let k = 0; k < (SWEEP ? 4000 : 250); k++) {
    const cellsA = grow(1 + draw.integer(12));
    const cellsB = grow(1 + draw.integer(12));
    const { overlap } = pairOf(polycube(cellsA), polycube(cellsB));
    // one of the 24 turns of a cube, as a matrix without rounding
    const axes = draw.shuffle([0, 1, 2]);
    const even = (axes[0] + 1) % 3 === axes[1];
    const signs = [draw.integer(2) ? 1 : -1, draw.integer(2) ? 1 : -1, 1];
    signs[2] = (even ? 1 : -1) * signs[0] * signs[1];
    const rotation = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    for (let row = 0; row < 3; row++) rotation[9 + 3 * row + axes[row]] = signs[row];
    const step = draw.integer(2) ? 0.5 : 1;
    const shift = [0, 1, 2].map(() => (draw.integer(9) - 4) * step);
    overlap.evaluate(rotation, Float64Array.of(0, 0, 0, ...shift), 0, 1);

    let expected = 0;
    for (const cell of cellsB) {
      const centre = [0, 1, 2].map((row) => signs[row] * (cell[axes[row]] + 0.5) + shift[row]);
      for (const other of cellsA) {
        let common = 1;
        for (let row = 0; row < 3; row++) common *= Math.max(0, 1 - Math.abs(other[row] + 0.5 - centre[row]));
        expected += common;
      }
    }
    expect(Math.abs(overlap.volume() - expected)).toBeLessThan(1e-13);
    expect(overlap.contradictions).toBe(0);
  }
});

describe('adversarial poses', () => {
  const ball = sphere(0.5, { subdivision: 4 }).mesh;
  const bracket = extrude(L_OUTLINE, 0.5).mesh;
  const sliver = block([-1, -1e-6, -0.5], [1, 1e-6, 0.5]);
  const turn = (axis: Vec3, angle: number): Quaternion => fromAxisAngle(axis, angle);
  const cases: [string, TriangleMesh, TriangleMesh, Placement][] = [
    ['flush sides', unitCube(), unitCube(), at(0.5, 0, 0)],
    ['flush caps, turned', bracket, bracket, { position: [0.1, 0.2, 0], orientation: turn([0, 0, 1], 0.7) }],
    ['edge on edge', unitCube(), unitCube(), { position: [0, 0.9, 0.95], orientation: turn([0, 0, 1], 0) }],
    [
      'edge across edge',
      unitCube(),
      unitCube(),
      { position: [1, 0.2, 0.9], orientation: turn([0, 0, 1], Math.PI / 4) },
    ],
    ['vertex on a face', unitCube(), block([0, 0, 0], [0.5, 0.5, 0.5]), at(0.25, 0.25, 1)],
    ['vertex just in a face', unitCube(), ball, at(0.5, 0.5, 1.5 - 1e-9)],
    ['ball in a cube', block([-1, -1, -1], [1, 1, 1]), ball, at(0.1, 0, 0)],
    ['identical balls', ball, ball, HERE],
    ['the notch of an L filled', bracket, block([0.4, 0.35, 0], [1, 1, 0.5]), HERE],
    ['the notch filled too much', bracket, block([0.4, 0.35, 0], [1, 1, 0.5]), at(-0.1, 0, 0)],
    [
      'a sheet through a cube',
      block([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]),
      sliver,
      { position: [0, 0.1, 0], orientation: turn([0, 0, 1], 0.3) },
    ],
    ['a sheet in a face', block([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]), sliver, at(0, 0.5, 0)],
    ['sheets across each other', sliver, sliver, { position: [0, 0, 0], orientation: turn([0, 0, 1], 0.01) }],
    ['corner on corner', unitCube(), unitCube(), at(1 - 1e-9, 1 - 1e-9, 1 - 1e-9)],
  ];
  test.each(cases)('%s', (_, a, b, pose) => {
    expectAsOracle(pairOf(a, b), a, HERE, b, pose);
    expectAsOracle(pairOf(b, a), b, pose, a, HERE);
  });

  test.each([1e-6, 1e-3, 123, 1e5])('sizes: everything %d times as large', (factor) => {
    const draw = random('sizes');
    const enlarge = (mesh: TriangleMesh): TriangleMesh => ({ ...mesh, vertices: mesh.vertices.map((x) => x * factor) });
    for (const [i, j] of [
      [0, 3],
      [1, 2],
      [5, 6],
      [8, 4],
    ]) {
      const [a, b] = [enlarge(solids[i][1]), enlarge(solids[j][1])];
      const pose = { position: scale(0.5 * factor, draw.unitVector()), orientation: draw.rotation() };
      const whole = new Pair(solids[i][2], solids[j][2]);
      whole.place(HERE, { ...pose, position: scale(1 / factor, pose.position) });
      const { volume } = expectAsOracle(pairOf(a, b), a, HERE, b, pose, factor);
      expect(Math.abs(volume / factor ** 3 / whole.total('volume')[0] - 1)).toBeLessThan(1e-12);
    }
  });

  test('a part of a micrometre on one of a hundred metres', () => {
    const ground = block([-50, -50, -100], [50, 50, 0]);
    const grain = box(1e-6).mesh;
    const pair = pairOf(ground, grain);
    // lower half inside: 5e-19 m³; the grain's own coordinates are known to 1e-16 m near the ground's centre
    expect(pair.place(HERE, at(3, 4, 0))).toBe(1);
    expect(Math.abs(pair.patches.volume[0] / 0.5e-18 - 1)).toBeLessThan(1e-8);
    const contained = pair.place(HERE, at(3, 4, -50));
    expect(contained).toBe(1);
    expect(Math.abs(pair.patches.volume[0] / 1e-18 - 1)).toBeLessThan(1e-7); // 50 m + 0.5 µm: 7e-15 m, the last digit
  });
});

describe('a mesh with itself', () => {
  test.each(solids)('%s: volume of the mesh, and nearly so when moved a little', (name, mesh, topology) => {
    const { volume, area } = meshMassProperties(mesh);
    const pair = new Pair(topology, topology);
    const axis = normalize([-0.3, 0.5, 0.7]);
    for (const step of [0, 1e-16, 1e-15, 1e-14, 1e-12, 1e-10, 1e-8])
      for (const pose of [
        at(step, 0, 0),
        at(0, 0, -step),
        at(step * axis[0], step * axis[1], step * axis[2]),
        { position: HERE.position, orientation: fromAxisAngle(axis, step) },
        { position: HERE.position, orientation: fromAxisAngle([0, 0, 1], -step) },
      ]) {
        expect(pair.place(HERE, pose), name).toBe(1);
        // no point moves by more than 1.5 steps, and the volume by no more than the surface sweeps over
        expect(Math.abs(pair.patches.volume[0] - volume)).toBeLessThan(1.5 * step * area + 1e-13 * volume);
        expect(pair.overlap.contradictions).toBe(0);
      }
  });
  test('a torus turned by its own symmetry', () => {
    const mesh = torus({ majorRadius: 0.6, minorRadius: 0.25, segments: 24, minorSegments: 12 }).mesh;
    const pair = pairOf(mesh, mesh);
    for (let k = 1; k < 24; k++) {
      pair.place(HERE, { position: [0, 0, 0], orientation: fromAxisAngle([0, 0, 1], (2 * Math.PI * k) / 24) });
      expect(Math.abs(pair.total('volume')[0] / meshMassProperties(mesh).volume - 1)).toBeLessThan(1e-13);
      expect(pair.overlap.contradictions).toBe(0);
    }
  });
});

// Through every degenerate pose V and the centroid are continuous: |V(s) − V(0)| ≤ max|S| s.
describe('continuity through degenerate poses', () => {
  const [, gear] = solids.find(([name]) => name === 'gear')!;
  const bracket = extrude(L_OUTLINE, 0.5).mesh;
  const half = box(1).mesh;
  const spin = (axis: Vec3, angle: number): Placement => ({ ...HERE, orientation: fromAxisAngle(axis, angle) });
  const edge = fromAxisAngle([0, 1, 0], Math.PI / 4);
  const cases: [string, TriangleMesh, TriangleMesh, (s: number) => Placement][] = [
    ['flush box sides', unitCube(), unitCube(), (s) => at(0.9, s, 0.2)],
    ['identical boxes', unitCube(), unitCube(), (s) => at(s, -s, 0.5 * s)],
    ['opposed faces touching', unitCube(), unitCube(), (s) => at(1 + s, 0.2, 0.1)],
    ['edge on a face', half, half, (s) => ({ position: [0, 0.1, 0.5 + Math.SQRT1_2 + s], orientation: edge })],
    [
      'tilt through parallel',
      half,
      half,
      (s) => ({ position: [0.2, 0.1, 0.9], orientation: fromAxisAngle([1, 0, 0], s) }),
    ],
    ['flush gears, shifted', gear, gear, (s) => at(1.35, 0.01, s)],
    [
      'flush gears, tilted',
      gear,
      gear,
      (s) => ({ position: [1.35, 0.01, 0], orientation: fromAxisAngle([1, 0, 0], s) }),
    ],
    ['L on L', bracket, bracket, (s) => at(0.1, s, 0)],
    ['identical gears', gear, gear, (s) => spin([0, 0, 1], s)],
  ];
  test.each(cases)('%s', (_, a, b, pose) => {
    const pair = pairOf(a, b);
    pair.place(HERE, pose(0));
    const [volume] = pair.total('volume');
    const centroid = pair.centroid();
    for (const size of [1e-15, 1e-13, 1e-11, 1e-9])
      for (const s of [size, -size]) {
        pair.place(HERE, pose(s));
        expect(pair.overlap.contradictions).toBe(0);
        expect(Math.abs(pair.total('volume')[0] - volume)).toBeLessThan(6 * size + 1e-14);
        if (!(volume > 1e-6)) continue;
        const moved = pair.centroid();
        for (let k = 0; k < 3; k++) expect(Math.abs(moved[k] - centroid[k])).toBeLessThan(30 * size + 1e-12);
      }
  });

  test('flush gears in a turned world, where rounding makes every face noise', () => {
    const pair = pairOf(gear, gear);
    pair.place(HERE, at(1.35, 0.01, 0));
    const [volume] = pair.total('volume');
    const draw = random('turned world');
    for (let k = 0; k < 10; k++) {
      const orientation = draw.rotation();
      pair.place({ ...HERE, orientation }, { position: rotate(orientation, [1.35, 0.01, 0]), orientation });
      expect(Math.abs(pair.total('volume')[0] - volume)).toBeLessThan(1e-14);
      expect(pair.overlap.contradictions).toBe(0);
    }
  });
});

// Volume of the lens of two balls of radius R at distance R: 5/12 π R³. Facets leave an error of second order in their size.
test('faceted balls approach the lens at second order', () => {
  const exact = ((5 * Math.PI) / 12) * 0.125;
  const errors = [4, 8, 16].map((subdivision) => {
    const ball = prepareMesh(sphere(0.5, { subdivision }).mesh);
    const pair = new Pair(ball, ball);
    pair.place(HERE, { position: scale(0.5, normalize([1, 2, 3])), orientation: fromAxisAngle([3, 1, 2], 1) });
    return 1 - pair.total('volume')[0] / exact;
  });
  expect(errors[0] / errors[1]).toBeGreaterThan(3.5);
  expect(errors[0] / errors[1]).toBeLessThan(4.5);
  expect(errors[1] / errors[2]).toBeGreaterThan(3.6);
  expect(errors[1] / errors[2]).toBeLessThan(4.4);
});
