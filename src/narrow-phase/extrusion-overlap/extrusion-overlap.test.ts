import { describe, expect, test } from 'vitest';
import { at, HERE, Pair, type Placement } from '../../../tests/fixtures/overlap.js';
import { involuteGear } from '../../assets/machine-elements/gear.js';
import { genevaWheelOutline } from '../../assets/machine-elements/geneva-outline.js';
import { extrude } from '../../geometry/extrude.js';
import type { Profile } from '../../geometry/profile.js';
import { fromQuaternion } from '../../math/mat3.js';
import { fromAxisAngle, multiply } from '../../math/quaternion.js';
import { random } from '../../math/random.js';
import { ContactPatches, PATCH } from '../contact-patches.js';
import { prepareMesh } from '../mesh-overlap/mesh-topology.js';
import { ExtrusionOverlap } from './extrusion-overlap.js';
import { LoopBody, prepareLoops } from './loop-body.js';

const profile = (outer: Profile['outer'], ...holes: Profile['outer'][]): Profile => ({ outer, holes });
const square = (half: number): [number, number][] => [
  [-half, -half],
  [half, -half],
  [half, half],
  [-half, half],
];
const L = profile([
  [0, 0],
  [1, 0],
  [1, 0.4],
  [0.35, 0.4],
  [0.35, 1],
  [0, 1],
]);
const gear = involuteGear({ teeth: 14, module: 0.1, points: 4, bore: 0.2 });
const geneva = profile(genevaWheelOutline({ radius: 0.8, segments: 48 }, 'chords'));

class PlanePair {
  readonly overlap: ExtrusionOverlap;
  readonly patches = new ContactPatches(1);
  constructor(a: Profile, b: Profile, heightA = 1, heightB = 1) {
    this.overlap = new ExtrusionOverlap(
      new LoopBody(prepareLoops(a, 0, heightA)),
      new LoopBody(prepareLoops(b, 0, heightB)),
    );
  }
  place(a: Placement, b: Placement): number {
    const rotation = Float64Array.from([...fromQuaternion(a.orientation), ...fromQuaternion(b.orientation)]);
    const count = this.overlap.evaluate(rotation, Float64Array.from([...a.position, ...b.position]), 0, 1);
    this.patches.clear();
    if (count > 0) this.overlap.append(this.patches, 0);
    return count;
  }
}
const spin = (angle: number): Placement => ({ ...HERE, orientation: fromAxisAngle([0, 0, 1], angle) });

describe('an L with itself', () => {
  const pair = new PlanePair(L, L);
  test.each([
    [HERE, 0.61, 1],
    [at(0.65, 0, 0), 0.14, 1],
    [at(0.1, 0, 0), 0.51, 1],
    [at(0.1, 0, 0.25), 0.51 * 0.75, 1],
    [at(0.35, 0.4, 0), 0, 0],
    [at(-0.35, -0.4, 0), 0, 0],
    [at(0, 0, 1), 0, 0],
  ])('%o', (pose, volume, regions) => {
    pair.place(HERE, pose);
    expect(Math.abs(pair.overlap.volume() - volume)).toBeLessThan(1e-15);
    if (regions > 0) expect(pair.overlap.count).toBe(regions);
    expect(pair.overlap.contradictions).toBe(0);
  });
});

test('a gear turned by whole teeth is itself; by a little, nearly so', () => {
  const pair = new PlanePair(gear, gear);
  pair.place(HERE, HERE);
  const whole = pair.overlap.volume();
  let area = 0;
  for (const loop of [gear.outer, ...gear.holes])
    loop.forEach(([x, y], i) => {
      const [u, v] = loop[(i + 1) % loop.length];
      area += 0.5 * (x * v - y * u);
    });
  expect(Math.abs(whole / area - 1)).toBeLessThan(1e-14);
  // the bore is a circle of 64 corners: 7 whole teeth bring it back on itself only after half a turn
  pair.place(HERE, spin(Math.PI));
  expect(Math.abs(pair.overlap.volume() / area - 1)).toBeLessThan(1e-14);
  const teeth = new PlanePair(profile(gear.outer), profile(gear.outer));
  teeth.place(HERE, HERE);
  const solid = teeth.overlap.volume();
  for (let k = 1; k < 14; k++) {
    teeth.place(HERE, spin((2 * Math.PI * k) / 14));
    expect(Math.abs(teeth.overlap.volume() / solid - 1)).toBeLessThan(1e-14);
    expect(teeth.overlap.contradictions).toBe(0);
  }
  for (const angle of [1e-15, 1e-12, 1e-9, 1e-6]) {
    teeth.place(HERE, spin(angle));
    const lost = solid - teeth.overlap.volume();
    expect(lost).toBeGreaterThan(-1e-14);
    expect(lost).toBeLessThan(5 * angle + 1e-14);
  }
});

test('holes: a ring on a disc in its hole, around it, and on its rim', () => {
  const ring = profile(square(1), square(0.5).toReversed());
  const small = new PlanePair(ring, profile(square(0.4)));
  expect(small.place(HERE, HERE)).toBe(0);
  const large = new PlanePair(ring, profile(square(2)));
  expect(large.place(HERE, HERE)).toBe(1);
  expect(large.overlap.volume()).toBeCloseTo(3, 14);
  expect(large.patches.flags[0]).toBe(PATCH.contained);
  const rim = new PlanePair(ring, profile(square(0.6)));
  expect(rim.place(HERE, HERE)).toBe(1);
  expect(rim.overlap.volume()).toBeCloseTo(1.44 - 1, 14);
  expect(rim.place(HERE, at(1, 0, 0))).toBe(1);
  expect(rim.overlap.volume()).toBeCloseTo(0.6 * 1.2 - 0.1, 14);
});

test('axes that are not parallel are not for this route', () => {
  const pair = new PlanePair(L, L);
  expect(pair.place(HERE, { ...HERE, orientation: fromAxisAngle([1, 0, 0], 2e-9) })).toBe(-1);
  expect(pair.place(HERE, { ...HERE, orientation: fromAxisAngle([1, 0, 0], 1e-10) })).toBe(1);
});

// The general overlap of meshes finds the same: volume, centroid, S and Q across the axis, regions.
test('as the overlap of meshes, in any direction of the axes', () => {
  const draw = random('plane overlap');
  const figures = [L, gear, geneva, profile(square(0.5), square(0.3).toReversed())];
  const meshes = figures.map((figure) => prepareMesh(extrude(figure, 0.5).mesh));
  let regions = 0;
  for (let k = 0; k < 240; k++) {
    const i = draw.integer(4);
    const j = draw.integer(4);
    const plane = new PlanePair(figures[i], figures[j], 0.5, 0.5);
    const space = new Pair(meshes[i], meshes[j]);
    const flip = draw.integer(2) === 1 ? fromAxisAngle([1, 0, 0], Math.PI) : ([1, 0, 0, 0] as const);
    const [x, y] = draw.inSphere();
    const poseA = HERE;
    const poseB: Placement = {
      position: [1.2 * x, 1.2 * y, draw.uniformBetween(-0.4, 0.4) + (flip[0] === 1 ? 0 : 0.5)],
      orientation: multiply(fromAxisAngle([0, 0, 1], draw.uniformBetween(0, 6.28)), flip),
    };
    const count = plane.place(poseA, poseB);
    expect(space.place(poseA, poseB)).toBe(count);
    regions += count;
    expect(Math.abs(plane.overlap.volume() - space.total('volume')[0])).toBeLessThan(1e-14);
    for (let p = 0; p < count; p++) {
      // the region of the other route with the nearest centroid
      const gap = (n: number) =>
        [0, 1].reduce(
          (sum, c) => sum + Math.abs(plane.patches.centroid[3 * p + c] - space.patches.centroid[3 * n + c]),
          0,
        );
      const q = [...Array(count).keys()].reduce((best, n) => (gap(n) < gap(best) ? n : best));
      if (plane.patches.volume[p] < 1e-6) continue;
      const tolerance = 1e-14 / plane.patches.volume[p] + 1e-13;
      for (let c = 0; c < 3; c++)
        expect(Math.abs(plane.patches.centroid[3 * p + c] - space.patches.centroid[3 * q + c])).toBeLessThan(tolerance);
      for (let c = 0; c < 2; c++)
        expect(Math.abs(plane.patches.vectorArea[3 * p + c] - space.patches.vectorArea[3 * q + c])).toBeLessThan(1e-13);
      expect(Math.abs(plane.patches.moment[3 * p + 2] - space.patches.moment[3 * q + 2])).toBeLessThan(
        1e-13 + tolerance,
      );
      expect(plane.patches.vectorArea[3 * p + 2]).toBe(0);
      expect(plane.patches.normal[3 * p + 2]).toBe(0);
    }
    expect(plane.overlap.contradictions).toBe(0);
  }
  expect(regions).toBeGreaterThan(150);
});

// Unit square on a wide one, sunk by 0.1: A's patch is a line of length 1 and two sides of 0.1, times the height 1.
test('patch of a block sunk into another', () => {
  const pair = new PlanePair(
    profile(square(0.5)),
    profile([
      [-2, 0.4],
      [2, 0.4],
      [2, 2],
      [-2, 2],
    ]),
  );
  expect(pair.place(HERE, HERE)).toBe(1);
  const { patches } = pair;
  expect(patches.area[0]).toBeCloseTo(1.2, 14);
  expect([...patches.vectorArea.subarray(0, 3)].map((x) => Math.round(x * 1e12) / 1e12)).toEqual([0, 1, 0]);
  expect(patches.depth[0]).toBeCloseTo(0.2, 14);
  expect(patches.extent[0]).toBeCloseTo(0.1, 14);
  expect(patches.secondMoments[0]).toBeCloseTo(1 / 12 + 0.2 * 0.25, 14);
  expect(patches.secondMoments[2]).toBeCloseTo(1.2 / 12, 14);
  // turned in the world: the trace stays, the normal turns
  const turned = { position: [1, 2, 3], orientation: fromAxisAngle([1, 1, 0], 1) } as const;
  const trace = patches.secondMoments[0] + patches.secondMoments[1] + patches.secondMoments[2];
  pair.place(turned, turned);
  expect(patches.secondMoments[0] + patches.secondMoments[1] + patches.secondMoments[2]).toBeCloseTo(trace, 13);
});
