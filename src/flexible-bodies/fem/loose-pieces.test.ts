import { describe, expect, test } from 'vitest';
import { fromQuaternion } from '../../math/mat3.js';
import { fromAxisAngle } from '../../math/quaternion.js';
import { extrudeMesh } from '../mesh/extruded-mesh.js';
import { stripMesh } from '../mesh/strip.js';
import { reduceFreePart, reducePart } from '../reduction.js';
import { loosePiece, unstrainedMotions } from './loose-pieces.js';
import { PlanePart } from './plane-part.js';
import { SolidPart } from './solid-part.js';
import { balance, solveStatics } from './statics.js';

const steel = { youngsModulus: 210e9, poissonRatio: 0.3, density: 7850 };
const box = extrudeMesh(stripMesh([0, 0], [1, 1], 1, 1), 1, 1);

/** Cubes of side 1 at these places, nodes at one place being one; scaled, turned about an axis that is none of theirs, and moved */
function cubes(at: readonly (readonly [number, number, number])[], size: number, moved = 0) {
  const found = new Map<string, number>();
  const points: number[] = [];
  const elements = at.flatMap(([dx, dy, dz]) =>
    Array.from(box.elements, (node) => {
      const own = [box.points[3 * node] + dx, box.points[3 * node + 1] + dy, box.points[3 * node + 2] + dz];
      const key = own.join();
      if (!found.has(key)) found.set(key, points.push(...own) / 3 - 1);
      return found.get(key)!;
    }),
  );
  const r = fromQuaternion(fromAxisAngle([1 / 3, 2 / 3, 2 / 3], 0.7));
  const nodeCount = points.length / 3;
  const placed = Float64Array.from({ length: 3 * nodeCount }, (_, i) => {
    const k = i % 3;
    let sum = moved;
    for (let j = 0; j < 3; j++) sum += size * r[3 * k + j] * points[i - k + j];
    return sum;
  });
  const free = new Uint8Array(3 * nodeCount).fill(1);
  const hold = (axis: number, value: number): void => {
    for (let i = 0; i < nodeCount; i++) if (points[3 * i + axis] === value) free.fill(0, 3 * i, 3 * i + 3);
  };
  return {
    mesh: {
      points: placed,
      nodeCount,
      elements: Int32Array.from(elements),
      elementCount: elements.length / 10,
      sets: new Map<string, Int32Array>(),
    },
    free,
    hold,
  };
}

describe.each([
  ['1 nm', 1e-9, 0],
  ['1 mm, a kilometre away', 1e-3, 1000],
  ['1 m', 1, 0],
  ['1000 km', 1e6, 0],
])('cubes of %s', (_, size, moved) => {
  test.each([
    [
      'an edge',
      [1, 1, 0],
      /node at .* hangs on the rest only by nodes in a line through .* and can still turn; make its pieces one over a face/,
    ],
    ['a corner', [1, 1, 1], /hangs on the rest only at the point/],
  ] as const)('two that share %s are a hinge, whatever K rounds to', (_name, place, said) => {
    const { mesh, free, hold } = cubes([[0, 0, 0], place], size, moved);
    hold(0, 0);
    const part = new SolidPart(mesh, steel);
    expect(() => part.factor(free, 0, 'part')).toThrow(said);
    // …as a flexible body, held or floating
    const nodes = Int32Array.from({ length: mesh.nodeCount }, (_, i) => i).filter((i) => free[3 * i] === 0);
    const face = { point: Array.from(mesh.points.subarray(0, 3)), nodes };
    expect(() => reducePart(part, [face], 0, 2)).toThrow(said);
    expect(() => reduceFreePart(part, 2)).toThrow(/only (by nodes in a line|at the point)/);
    // floating: six as a whole, and what the hinge lets go; K rounds to some 1e-3 Hz there
    const afloat = new Uint8Array(part.size).fill(1);
    const turns = place[2] === 0 ? 1 : 3;
    expect(unstrainedMotions(mesh, 3, afloat)).toBe(6 + turns);
    const wave = Math.sqrt(steel.youngsModulus / steel.density) / size;
    const { frequencies } = part.modes(8 + turns, afloat, -(0.01 * wave) * (0.01 * wave));
    expect(Array.from(frequencies.slice(0, 6 + turns))).toEqual(new Array(6 + turns).fill(0));
    expect(frequencies[6 + turns]).toBeGreaterThan(0.1 * wave);
    // held on both sides of it: 1 N across it is borne
    hold(1, 2);
    const force = new Float64Array(part.size);
    force[free.lastIndexOf(1)] = 1;
    const { strainEnergy, reactions } = solveStatics(part, free, force);
    expect(strainEnergy).toBeGreaterThan(0);
    // rounding of positions a kilometre away as part of a millimetre is 1e-10
    expect(balance(part, force, reactions).force).toBeLessThan(moved > 0 ? 1e-8 : 1e-12);
  });

  test('a ring of four on hinges turns, and with a fifth beside it over a face, too; five hinges in space that are not in line hold', () => {
    const ring = [
      [0, 0, 0],
      [1, 1, 0],
      [0, 2, 0],
      [-1, 1, 0],
    ] as const; // prettier
    const four = cubes(ring, size, moved);
    four.hold(1, 0);
    expect(loosePiece(four.mesh, 3, four.free)?.what).toMatch(/as by a hinge/);
    expect(unstrainedMotions(four.mesh, 3, four.free)).toBe(1);
    const filled = cubes([...ring, [0, 1, 0]], size, moved);
    filled.hold(1, 0);
    expect(loosePiece(filled.mesh, 3, filled.free)).toBeUndefined();
    // the same ring, and one above that has an edge with each of two: no two of the three hold each other, all together do
    const over = cubes(
      [
        [0, 0, 0],
        [1, 1, 0],
        [1, 0, 1],
      ],
      size,
      moved,
    );
    over.hold(0, 0);
    expect(loosePiece(over.mesh, 3, over.free)).toBeUndefined();
  });
});

describe('triangles in the plane', () => {
  const part = (corners: readonly number[], triangles: readonly number[]): PlanePart =>
    new PlanePart(
      {
        points: Float64Array.from(corners),
        nodeCount: corners.length / 2,
        cornerCount: corners.length / 2,
        nodesPerElement: 3,
        elements: Int32Array.from(triangles),
        elementCount: triangles.length / 3,
        sides: new Int32Array(0),
        sideEdge: new Int32Array(0),
        edgeLoop: new Int32Array(0),
      },
      { ...steel, thickness: 1 },
    );
  const corners = [0, 0, 1, 0, 2, 0, 0.5, 1, 1.5, 1, 1, 2];

  test('three in a triangle, each on a corner of the two others, are a truss that holds; two of them turn', () => {
    const truss = part(corners, [0, 1, 3, 1, 2, 4, 3, 4, 5]);
    const free = new Uint8Array(truss.size).fill(1);
    free.fill(0, 0, 4);
    const force = new Float64Array(truss.size);
    force[11] = -1000;
    const { reactions, strainEnergy } = solveStatics(truss, free, force);
    expect(strainEnergy).toBeGreaterThan(0);
    // moments about node 0: 1 m · R1 = 1 m · 1000 N
    expect(reactions[1]).toBeCloseTo(0, 8);
    expect(reactions[3]).toBeCloseTo(1000, 8);
    const two = part(corners.slice(0, 10), [0, 1, 3, 1, 2, 4]);
    const held = new Uint8Array(two.size).fill(1);
    held.fill(0, 0, 4);
    expect(() => two.factor(held)).toThrow(/hangs on the rest only at the point \(1\.00, 0\.00\) m/);
    // the second on a roller: held
    held[9] = 0;
    expect(loosePiece(two.mesh, 2, held)).toBeUndefined();
    // a roller whose line goes through the hinge does not stop it: node 2 at the height of node 1, held along x
    held[9] = 1;
    held[4] = 0;
    expect(loosePiece(two.mesh, 2, held)?.what).toMatch(/as by a hinge.* can still turn/);
  });

  test('a rod 1000 times as long as wide is held by its end', () => {
    const mesh = stripMesh([0, 0], [1000, 1], 100, 1);
    const free = new Uint8Array(2 * mesh.nodeCount).fill(1);
    for (let i = 0; i < mesh.nodeCount; i++) if (mesh.points[2 * i] === 0) free.fill(0, 2 * i, 2 * i + 2);
    expect(loosePiece(mesh, 2, free)).toBeUndefined();
    expect(loosePiece(mesh, 2, new Uint8Array(2 * mesh.nodeCount).fill(1))).toEqual({
      what: 'it can move or turn freely',
      remedy: 'fix more of it',
    });
  });
});
