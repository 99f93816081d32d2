// Overlap of convex polyhedra: WebAssembly against its TypeScript twin to the bit, constructive solid geometry (manifold-3d) and the signed-crossing
// integral of meshes as independent computations, closed forms, and ties on purpose.
import { expect, test } from 'vitest';
import { angularRock, belgianBlock } from '../../assets/stones.js';
import { box } from '../../geometry/primitives.js';
import type { Pose } from '../../geometry/solid.js';
import { fromAxisAngle, multiply } from '../../math/quaternion.js';
import { random } from '../../math/random.js';
import type { Vec3 } from '../../math/vec3.js';
import { type GrainShape, polyhedronGrain } from '../shapes/grain-shape.js';
import { randomOverlapError } from './overlap-oracle.js';
import { PolyhedronOverlap } from './polyhedron-overlap.js';

const rockGrain = (options: Parameters<typeof angularRock>[0]): GrainShape =>
  polyhedronGrain(angularRock(options).mesh);
const blockGrain = (options: Parameters<typeof belgianBlock>[0]): GrainShape =>
  polyhedronGrain(belgianBlock(options).mesh);

const at = (x: number, y: number, z: number): Pose => ({ position: [x, y, z], orientation: [1, 0, 0, 0] });

test('600 random pairs of rocks and blocks: as constructive solid geometry finds', () => {
  // volumes of solids of size 1 err by the tolerance of flush faces, 2⁻⁴⁷ × area, and by rounding
  const { volume, moment, touching, bitsDiffer } = randomOverlapError(600, 'short');
  expect(touching).toBeGreaterThan(300);
  expect(volume).toBeLessThan(2e-13);
  expect(moment).toBeLessThan(1e-12);
  expect(bitsDiffer).toBe(0);
});

test('the direction along which it looks changes nothing but rounding', () => {
  const draw = random('directions');
  for (let k = 0; k < 60; k++) {
    const pair = new PolyhedronOverlap(
      rockGrain({ radius: 1, seed: k }),
      blockGrain({ size: [1, 1, 1], seed: k }),
      false,
    );
    const a: Pose = { position: [0, 0, 0], orientation: draw.rotation() };
    const b: Pose = { position: draw.inSphere(), orientation: draw.rotation() };
    const one = pair.find(a, b);
    const other = pair.find(a, b, draw.unitVector());
    expect(Math.abs((one?.volume ?? 0) - (other?.volume ?? 0))).toBeLessThan(1e-13);
    for (let i = 0; i < 3; i++)
      expect(Math.abs((one?.vectorArea[i] ?? 0) - (other?.vectorArea[i] ?? 0))).toBeLessThan(1e-12);
  }
});

// dV = −S·dx when B moves by dx: S is the gradient of the volume, found by central differences
test('the vector area is the gradient of the volume', () => {
  const draw = random('gradient');
  for (let k = 0; k < 100; k++) {
    const pair = new PolyhedronOverlap(
      rockGrain({ radius: 1, seed: k }),
      rockGrain({ radius: 1, seed: -k - 1 }),
      false,
    );
    const turn = [draw.rotation(), draw.rotation()] as const;
    const p = draw.unitVector().map((x) => 1.2 * x) as unknown as Vec3;
    const here = pair.find({ position: [0, 0, 0], orientation: turn[0] }, { position: p, orientation: turn[1] });
    if (!here) continue;
    const e = 1e-5;
    for (let i = 0; i < 3; i++) {
      const volume = (s: number): number => {
        const moved = p.map((x, j) => (j === i ? x + s * e : x)) as unknown as Vec3;
        return (
          pair.find({ position: [0, 0, 0], orientation: turn[0] }, { position: moved, orientation: turn[1] })?.volume ??
          0
        );
      };
      // curvature of V over 2e leaves e × |d²V|
      expect(Math.abs((volume(-1) - volume(1)) / (2 * e) - here.vectorArea[i])).toBeLessThan(1e-4);
    }
  }
});

test('two cubes: face, edge and corner by closed forms, flush faces counted once', () => {
  const cube = polyhedronGrain(box(1).mesh);
  const pair = new PolyhedronOverlap(cube, cube);
  const d = 1e-3;
  // side faces are flush: in one plane to the bit
  for (const [x, y, z, volume] of [
    [1 - d, 0, 0, d],
    [1 - d, 1 - d, 0, d * d],
    [1 - d, 1 - d, 1 - d, d * d * d],
    [0.25, 0, 0, 0.75],
    [0, 0, 0, 1],
  ]) {
    const found = pair.find(at(0, 0, 0), at(x, y, z))!;
    expect(found.volume).toBeCloseTo(volume, 13);
    expect(found.centroid[0]).toBeCloseTo(x / 2, 9);
    expect(found.centroid[1]).toBeCloseTo(y / 2, 9);
  }
  expect(pair.find(at(0, 0, 0), at(1 - d, 0, 0))!.vectorArea[0]).toBeCloseTo(1, 12);
  expect(pair.find(at(0, 0, 0), at(1, 0, 0))).toBeUndefined();
  expect(pair.find(at(0, 0, 0), at(1, 1, 1))).toBeUndefined();
  // turned alike, so that flush faces differ in the last digits
  const draw = random('flush');
  for (let k = 0; k < 300; k++) {
    const orientation = draw.rotation();
    const found = pair.find(
      { position: [0, 0, 0], orientation },
      { position: rotateX(orientation, 1 - d), orientation },
    )!;
    expect(Math.abs(found.volume - d)).toBeLessThan(1e-13);
  }
});

// Side faces turned against each other by θ: each solid finds the line in which two such planes meet by itself, to rounding/θ
test('faces that are almost flush count once', () => {
  const cube = polyhedronGrain(box(1).mesh);
  const pair = new PolyhedronOverlap(cube, cube);
  const draw = random('almost flush');
  const d = 1e-3;
  for (let power = -16; power <= -3; power++)
    for (let k = 0; k < 60; k++) {
      const angle = 10 ** (power + draw.uniform());
      const orientation = draw.rotation();
      const found = pair.find(
        { position: [0, 0, 0], orientation },
        {
          position: rotateX(orientation, 1 - d),
          orientation: multiply(orientation, fromAxisAngle(draw.unitVector(), angle)),
        },
      );
      // turned about its centre, a face of the cube moves by no more than θ/√2 and the area by θ: 3 θ of volume
      expect(Math.abs((found?.volume ?? 0) - d)).toBeLessThan(3 * angle + 1e-6 * d);
    }
});

test('a small overlap keeps its digits far from the centres', () => {
  const cube = polyhedronGrain(box(1).mesh);
  const pair = new PolyhedronOverlap(cube, cube);
  for (const d of [1e-4, 1e-5, 1e-6]) {
    const found = pair.find(at(0, 0, 0), at(0.3, 0.2, 1 - d), [0, 0, 1])!;
    // 1 − d itself is rounded to 1e-16, the tolerance is 1.2e-14
    expect(Math.abs(found.volume / (0.7 * 0.8 * d) - 1)).toBeLessThan(3e-14 / d);
    expect(found.centroid[0]).toBeCloseTo(0.15, 8);
  }
});

function rotateX([w, x, y, z]: readonly number[], s: number): Vec3 {
  return [s * (1 - 2 * (y * y + z * z)), s * 2 * (x * y + w * z), s * 2 * (x * z - w * y)];
}
