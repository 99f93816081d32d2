/** Walls that are not convex among grains with shapes: what grains overlap, where they lie, and that no seam is felt. */
import { describe, expect, test } from 'vitest';
import { intersect, subtract } from '../../geometry/csg/index.js';
import { extrude } from '../../geometry/extrude.js';
import { meshMassProperties } from '../../geometry/mass-properties.js';
import { box } from '../../geometry/primitives.js';
import { revolve } from '../../geometry/revolve.js';
import type { Solid } from '../../geometry/solid.js';
import { translate } from '../../geometry/transform.js';
import { type Quaternion, rotate as turned } from '../../math/quaternion.js';
import { random } from '../../math/random.js';
import { add, cross, dot, type Vec3 } from '../../math/vec3.js';
import { clumpGrain, type GrainShape, polyhedronGrain, toolShape } from '../shapes/grain-shape.js';
import type { Piece } from '../shapes/piece.js';
import { surfacePieces } from '../shapes/surface-pieces.js';
import { RigidGrains } from './rigid-grains.js';

/** 0.4 wide, walls of 0.05 around a room that is open above */
const tray = subtract(box([0.4, 0.4, 0.2]), translate([0, 0, 0.05], box([0.3, 0.3, 0.2])));
const angle = extrude(
  [
    [0, 0],
    [0.3, 0],
    [0.3, 0.1],
    [0.1, 0.1],
    [0.1, 0.3],
    [0, 0.3],
  ],
  0.3,
);
const funnel = revolve(
  [
    [0.05, 0],
    [0.2, 0.15],
    [0.2, 0.3],
    [0.25, 0.3],
    [0.25, 0.1],
    [0.1, 0],
  ],
  { segments: 24 },
);

/** A plate with two holes: its sides are cut into strips by the corners of the holes */
const screen = subtract(
  box([0.4, 0.3, 0.06]),
  translate([-0.08, 0, 0], box([0.08, 0.1, 0.1])),
  translate([0.08, 0.02, 0], box([0.08, 0.08, 0.1])),
);

const shapes = new Map<Solid, GrainShape>();
function shapeOf(wall: Solid): GrainShape {
  let shape = shapes.get(wall);
  if (!shape) shapes.set(wall, (shape = toolShape(surfacePieces(wall.mesh, 0.1))));
  return shape;
}

/** A cube of side a at a place, against a wall: sum of overlaps with its cells, m³ */
function overlapWith(wall: Solid, cube: Solid, at: Vec3, turn: Quaternion): number {
  const grains = new RigidGrains({
    bodies: [
      {
        shape: shapeOf(wall),
        species: 0,
        density: Number.POSITIVE_INFINITY,
        position: [0, 0, 0],
        orientation: [1, 0, 0, 0],
      },
      { shape: polyhedronGrain(cube.mesh), species: 1, density: 1000, position: at, orientation: turn },
    ],
    contact: () => ({ modulus: 1e6, restitution: 0.5, friction: 0.3 }),
    gravity: [0, 0, 0],
    step: 1e-5,
  });
  grains.recording = true;
  grains.refusing = false;
  grains.begin();
  let volume = 0;
  for (let pair = 0; pair < grains.arrays.pairCount; pair++) volume += grains.arrays.records.view[16 * pair];
  return volume;
}

// Cells meet in the planes that halve the angles of the surface, so an overlap is counted once; where more than three faces meet in a corner, or a grain reaches a cell beside its face, it is
// so to the third power of the depth only: of cubes of 60 mm, some mm deep at the sharp rims of a funnel, 3.5 % of the largest overlap, and 2e-4 where seams of a plate run into the corners of its holes.
describe('what a cube overlaps of a wall is the sum over its cells', () => {
  test.each([
    ['tray', tray, 1e-10],
    ['angle', angle, 1e-10],
    ['screen', screen, 1e-3],
    ['funnel', funnel, 0.05],
  ] as const)('%s', (name, wall, tolerance) => {
    const cube = box(0.06);
    const draw = random(`cells ${name}`);
    const { vertices, triangles } = wall.mesh;
    let [worst, largest, touching] = [0, 0, 0];
    while (touching < 8) {
      // Near the surface
      const t = 3 * draw.integer(triangles.length / 3);
      const [u, v] = [draw.uniform(), draw.uniform()];
      const at = [0, 1, 2].map((k) => {
        const [a, b, c] = [0, 1, 2].map((m) => vertices[3 * triangles[t + m] + k]);
        return a + u * (b - a) + v * (1 - u) * (c - a) + draw.uniformBetween(-0.05, 0.05);
      }) as unknown as Vec3;
      const turn = draw.rotation();
      const placed = { ...cube, mesh: { ...cube.mesh, vertices: cube.mesh.vertices.slice() } };
      for (let k = 0; k < placed.mesh.vertices.length; k += 3)
        placed.mesh.vertices.set(
          add(at, turned(turn, [...cube.mesh.vertices.subarray(k, k + 3)] as unknown as Vec3)),
          k,
        );
      if (overlapWith(wall, cube, at, turn) > 3e-6) continue;
      let expected = 0;
      try {
        expected = meshMassProperties(intersect(wall, { ...placed, form: { kind: 'mesh' } }).mesh).volume;
      } catch {
        continue; // nothing in common
      }
      if (!(expected > 1e-9 && expected < 2e-6)) continue;
      touching++;
      worst = Math.max(worst, Math.abs(overlapWith(wall, cube, at, turn) - expected));
      largest = Math.max(largest, expected);
    }
    expect(worst / largest).toBeLessThan(tolerance);
  });
});

// Of an outline that is turned outward volume is positive, and what lies within half the thickness of a plate, under both sides and beside its rims, is all of it; where a seam of one plane runs into the corner of a hole
// they overlap a little (0.2 % of all that there is, at its full depth; third order at the depth of a contact)
test('cells are whole and do not overlap', () => {
  for (const wall of [tray, angle, screen, funnel])
    for (const piece of shapeOf(wall).pieces) if (piece.surfaces) expect(volumeOf(piece)).toBeGreaterThan(0);
  const filled = shapeOf(screen).pieces.reduce((sum, piece) => sum + (piece.surfaces ? volumeOf(piece) : 0), 0);
  expect(Math.abs(filled / (0.06 * (0.4 * 0.3 - 0.08 * 0.1 - 0.08 * 0.08)) - 1)).toBeLessThan(3e-3);
});

function volumeOf({ vertices, loops, loopStart }: Piece): number {
  const at = (k: number): Vec3 => [...vertices.subarray(3 * loops[k], 3 * loops[k] + 3)] as unknown as Vec3;
  let six = 0;
  for (let f = 0; f + 1 < loopStart.length; f++)
    for (let k = loopStart[f] + 1; k + 1 < loopStart[f + 1]; k++) six += dot(at(loopStart[f]), cross(at(k), at(k + 1)));
  return six / 6;
}

// The floor of the angle is a mesh with a wall beside it; cut in two, its cells have a seam under the cube. A flat face sinks by ρ g a/K wherever it lies, and no seam pushes it aside.
test('a cube lies on a seam between cells as on one face', () => {
  const a = 0.06;
  const floor = extrude(
    [
      [-0.3, -0.1],
      [0, -0.1],
      [0.3, -0.1],
      [0.3, 0.2],
      [0.2, 0.2],
      [0.2, 0],
      [0.1, 0],
      [0, 0],
      [-0.3, 0],
    ],
    0.3,
  ); // upright along y; an L whose inner floor is at y = 0
  const grains = new RigidGrains({
    bodies: [
      {
        shape: toolShape(surfacePieces(floor.mesh, 0.1)),
        species: 0,
        density: Number.POSITIVE_INFINITY,
        position: [0, 0, 0],
        orientation: [1, 0, 0, 0],
      },
      {
        shape: polyhedronGrain(box(a).mesh),
        species: 1,
        density: 2500,
        position: [0.005, a / 2, 0.15],
        orientation: [1, 0, 0, 0],
      },
    ],
    contact: () => ({ modulus: 1e7, restitution: 0.2, friction: 0 }),
    gravity: [0, -9.81, 0],
    step: 2e-4,
  });
  grains.advance(5000);
  const [x, y, z] = grains.arrays.positions.view.subarray(4);
  expect(y).toBeCloseTo(a / 2 - (2500 * 9.81 * a) / 1e7, 9);
  expect(Math.abs(x - 0.005)).toBeLessThan(1e-9);
  expect(z).toBeCloseTo(0.15, 9);
});

// The end of the angle is an L, two polygons in one plane. On one of them a flat blow is a linear spring and gives what was asked for; across the seam each part sees its own share of the energy
// and damps a little more: 0.497 for 0.5.
test('restitution of a flat blow, on one polygon and across a seam', () => {
  const bounce = (x: number, y: number): number => {
    const grains = new RigidGrains({
      bodies: [
        {
          shape: shapeOf(angle),
          species: 0,
          density: Number.POSITIVE_INFINITY,
          position: [0, 0, 0],
          orientation: [1, 0, 0, 0],
        },
        {
          shape: polyhedronGrain(box(0.06).mesh),
          species: 1,
          density: 2500,
          position: [x, y, top + 0.0301],
          orientation: [1, 0, 0, 0],
          velocity: [0, 0, -1],
        },
      ],
      contact: () => ({ modulus: 1e8, restitution: 0.5, friction: 0 }),
      gravity: [0, 0, 0],
      step: 2e-5,
    });
    grains.advance(1500);
    return grains.arrays.velocities.view[10];
  };
  const top = angle.mesh.vertices.reduce((most, z, k) => (k % 3 === 2 ? Math.max(most, z) : most), -1);
  const found = [bounce(0.05, 0.2), bounce(0.2, 0.05), bounce(0.1, 0.05), bounce(0.05, 0.1)];
  expect(Math.abs(found[0] - 0.5)).toBeLessThan(1e-3);
  expect(Math.abs(found[1] - 0.5)).toBeLessThan(1e-3);
  expect(Math.abs(found[2] - 0.5)).toBeLessThan(1e-2);
  expect(found[3]).toBeCloseTo(found[2], 12); // the angle is its own mirror image
});

// Balls of a clump touch faces, convex edges and corners of the surface: exactly one of them over a convex corner, two in an inner one.
test('a ball meets one feature of a convex place and two in an inner edge', () => {
  const touching = (at: Vec3): number => {
    const grains = new RigidGrains({
      bodies: [
        {
          shape: shapeOf(tray),
          species: 0,
          density: Number.POSITIVE_INFINITY,
          position: [0, 0, 0],
          orientation: [1, 0, 0, 0],
        },
        {
          shape: clumpGrain([{ position: [0, 0, 0], radius: 0.02 }]),
          species: 1,
          density: 1000,
          position: at,
          orientation: [1, 0, 0, 0],
        },
      ],
      contact: () => ({ modulus: 1e6, restitution: 0.5, friction: 0.3, reducedModulus: 1e6, reducedShearModulus: 1e6 }),
      gravity: [0, 0, 0],
      step: 1e-5,
    });
    grains.begin();
    return grains.touching;
  };
  const r = 0.0199;
  // floor, over the middle (where triangles of the mesh meet), rims, outer corner of the rim, inner edge, inner corner
  expect(touching([0, 0, -0.05 + r])).toBe(1);
  expect(touching([0.05, 0.05, -0.05 + r])).toBe(1);
  expect(touching([0.175, 0, 0.1 + r])).toBe(1);
  expect(touching([0.2, 0.1, 0.1 + r])).toBe(1);
  expect(touching([0.205, 0.1, 0.1 + 0.7 * r])).toBe(1);
  expect(touching([0.205, 0.205, 0.1 + 0.7 * r])).toBe(1);
  expect(touching([0.15 - r, 0, -0.05 + r])).toBe(2);
  expect(touching([0.15 - r, 0.15 - r, -0.05 + r])).toBe(3);
  expect(touching([0, 0, 0.05])).toBe(0);
});
