/** Shapes packed by their own form. Who is in whom is found here by the axes that separate boxes, and how full a region is by random points: nothing of the packing's own code. */
import { describe, expect, test } from 'vitest';
import { extrude } from '../../geometry/extrude.js';
import { box } from '../../geometry/primitives.js';
import type { Solid } from '../../geometry/solid.js';
import { conjugate, type Quaternion, rotate } from '../../math/quaternion.js';
import { random } from '../../math/random.js';
import { cross, dot, norm, sub, type Vec3 } from '../../math/vec3.js';
import type { Packing } from '../../model/grains.js';
import { model } from '../../model/model.js';
import type { NewGrain } from '../bed.js';
import { grainPlan } from '../grain-plan.js';
import { type Period, wayBetween } from '../neighbourhood.js';
import { shapeSurroundings, startingGrains } from './starting-grains.js';

const oak = { density: 700, youngsModulus: 1e7, poissonRatio: 0.3 };
const UPRIGHT = [1, 0, 0, 0] as const;

function pack(
  size: number | Vec3,
  packing: Partial<Packing>,
  gravity: Vec3 = [0, 0, 0],
  period?: Period,
): readonly NewGrain[] {
  const made = model({
    grains: {
      species: { dice: { shape: { polyhedron: box(size) }, material: oak, friction: 0.4, restitution: 0.3 } },
      packings: { all: { species: 'dice', ...packing } },
    },
  });
  const plan = grainPlan(made);
  const shapes = shapeSurroundings(plan, [], period);
  return startingGrains(plan, () => true, { walls: [], gravity, period, shapes }).grains;
}

const cube = (side: number): Packing['region'] => ({
  box: [
    [0, 0, 0],
    [side, side, side],
  ],
});

const AXES: readonly Vec3[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

const wayTo = (a: NewGrain, b: NewGrain, period: Period | undefined): Vec3 =>
  a.position.map((x, k) => wayBetween(b.position[k], x, k, period)) as unknown as Vec3;

/** Least overlap of two boxes along the fifteen axes that can separate them (Gottschalk 1996); ≤ 0: apart */
function overlap(a: NewGrain, b: NewGrain, half: Vec3, period?: Period): number {
  const [u, v] = [a, b].map(({ orientation }) => AXES.map((e) => rotate(orientation!, e)));
  const way = wayTo(a, b, period);
  const candidates = [...u, ...v, ...u.flatMap((p) => v.map((q) => cross(p, q)))].filter((e) => norm(e) > 1e-9);
  const reach = (frame: readonly Vec3[], e: Vec3): number =>
    frame.reduce((sum, axis, k) => sum + half[k] * Math.abs(dot(axis, e)), 0);
  return Math.min(...candidates.map((e) => (reach(u, e) + reach(v, e) - Math.abs(dot(way, e))) / norm(e)));
}

function deepest(grains: readonly NewGrain[], half: Vec3, period?: Period): number {
  let most = Number.NEGATIVE_INFINITY;
  grains.forEach((a, i) => {
    for (const b of grains.slice(0, i))
      if (norm(wayTo(a, b, period)) < 2 * norm(half)) most = Math.max(most, overlap(a, b, half, period));
  });
  return most;
}

const cornersOf = ({ position, orientation }: NewGrain, half: Vec3): Vec3[] =>
  Array.from({ length: 8 }, (_, c) => {
    const corner: Vec3 = [c & 1 ? half[0] : -half[0], c & 2 ? half[1] : -half[1], c & 4 ? half[2] : -half[2]];
    const [x, y, z] = rotate(orientation as Quaternion, corner);
    return [position[0] + x, position[1] + y, position[2] + z];
  });

/** Part of random points in a cube that are in a grain */
function filled(grains: readonly NewGrain[], side: number, half: Vec3, points: number): number {
  const stream = random('points');
  let within = 0;
  for (let n = 0; n < points; n++) {
    const p = AXES.map(() => side * stream.uniform()) as unknown as Vec3;
    if (
      grains.some(({ position, orientation }) =>
        rotate(conjugate(orientation!), sub(p, position)).every((x, k) => Math.abs(x) <= half[k]),
      )
    )
      within++;
  }
  return within / points;
}

describe('at random', () => {
  // Cubes shaken into a vessel reach 0.67 (Baker & Kudrolli 2010), less beside walls; the balls about them would reach 0.64 · 2/(π √3) = 0.24
  test('cubes to 0.55 of a box: none overlaps, none sticks out', () => {
    const side = 0.05;
    const half: Vec3 = [0.005, 0.005, 0.005];
    const wanted: Partial<Packing> = { arrangement: 'random', fraction: 0.55, region: cube(side) };
    const grains = pack(0.01, wanted);
    expect(grains.length).toBe(68);
    expect(deepest(grains, half)).toBeLessThan(1e-9 * side);
    for (const grain of grains)
      for (const corner of cornersOf(grain, half))
        for (const x of corner) expect(Math.abs(x - side / 2)).toBeLessThan(side / 2 + 1e-9 * side);
    // Standard deviation of 4000 points: √(0.55 · 0.45/4000) = 0.008
    expect(Math.abs(filled(grains, side, half, 4000) - 0.55)).toBeLessThan(0.03);
    // Turned every way: of directions at random the mean |cos| to an axis is ½
    const leaning = grains.map(({ orientation }) => Math.abs(rotate(orientation!, [0, 0, 1])[2]));
    expect(Math.min(...leaning)).toBeLessThan(0.2);
  });

  test('bricks to 0.4 inside an angle, which is not convex, the same from the same seed', () => {
    const angle: Solid = extrude(
      [
        [0, 0],
        [0.08, 0],
        [0.08, 0.04],
        [0.04, 0.04],
        [0.04, 0.08],
        [0, 0.08],
      ],
      0.04,
    );
    const half: Vec3 = [0.0075, 0.005, 0.005];
    const wanted: Partial<Packing> = { arrangement: 'random', fraction: 0.4, region: { inside: angle } };
    const grains = pack([0.015, 0.01, 0.01], wanted);
    expect(pack([0.015, 0.01, 0.01], wanted)).toEqual(grains);
    expect(grains.length).toBe(51);
    expect(deepest(grains, half)).toBeLessThan(1e-10);
    const low = Math.min(...angle.mesh.vertices.filter((_, i) => i % 3 === 2));
    for (const grain of grains)
      for (const [x, y, z] of cornersOf(grain, half)) {
        expect(Math.min(x, y, z - low, 0.08 - x, 0.08 - y, low + 0.04 - z)).toBeGreaterThan(-1e-9);
        expect(Math.min(x, y)).toBeLessThan(0.04 + 1e-9);
      }
  });

  test('turned alike: they stay so', () => {
    const grains = pack(0.01, { arrangement: 'random', fraction: 0.45, region: cube(0.05), orientation: UPRIGHT });
    expect(deepest(grains, [0.005, 0.005, 0.005])).toBeLessThan(1e-10);
    for (const { orientation } of grains) expect(Math.abs(orientation![0])).toBeCloseTo(1, 12);
  });

  // The balls about cubes at 0.45 are in one another and reach into the box beside theirs: what comes second is packed by form, too, and they stay where they are
  describe('balls after cubes', () => {
    const side = 0.05;
    const laid = (
      low: number,
      count: number,
      radius = 0.003,
      told?: (what: string) => void,
    ): readonly (readonly NewGrain[])[] => {
      const dry = { material: oak, friction: 0.4, restitution: 0.3 };
      const beside: Packing['region'] = {
        box: [
          [low, 0, 0],
          [low + 0.03, side, side],
        ],
      };
      const plan = grainPlan(
        model({
          grains: {
            species: { dice: { ...dry, shape: { polyhedron: box(0.01) } }, bead: { ...dry, radius } },
            packings: {
              cubes: { species: 'dice', arrangement: 'random', fraction: 0.45, region: cube(side) },
              beads: { species: 'bead', arrangement: 'random', count, region: beside },
            },
          },
        }),
      );
      const shapes = shapeSurroundings(plan, []);
      const around = { walls: [], gravity: [0, 0, 0], period: undefined, shapes, told } as const;
      const { grains, groups } = startingGrains(plan, () => true, around);
      return groups.map(({ first, end }) => grains.slice(first, end));
    };

    /** Of balls to each other and to cubes of 10 mm, m */
    const leastGap = (beads: readonly NewGrain[], cubes: readonly NewGrain[], radius = 0.003): number => {
      let nearest = Infinity;
      beads.forEach(({ position }, i) => {
        for (const other of beads.slice(0, i))
          nearest = Math.min(nearest, norm(sub(position, other.position)) - 2 * radius);
        for (const { position: middle, orientation } of cubes) {
          const [x, y, z] = rotate(conjugate(orientation!), sub(position, middle));
          const beyond = [x, y, z].map((u) => Math.max(0, Math.abs(u) - 0.005));
          nearest = Math.min(nearest, Math.hypot(...beyond) - radius);
        }
      });
      return nearest;
    };

    test('in the box beside theirs: none is in a cube, in another or out of its box', () => {
      const told: string[] = [];
      const [cubes, beads] = laid(side, 330, 0.003, (what) => told.push(what)); // a fraction of 0.5
      expect([cubes.length, beads.length]).toEqual([56, 330]);
      for (const { position } of beads)
        [0.015, 0.025, 0.025].forEach((half, k) => {
          const x = position[k] - half - (k === 0 ? side : 0);
          expect(Math.abs(x)).toBeLessThan(half - 0.003 + 1e-9);
        });
      expect(leastGap(beads, cubes)).toBeGreaterThan(-1e-9);
      // Whoever waits hears what is made
      expect(told[0]).toMatch(/^packing "cubes": 56 grains grow, \d+ % of the size$/);
      expect(told.at(-1)).toMatch(/^packing "beads": 330 grains have their size and are pushed apart$/);
    });

    // The balls about cubes at 0.45 fill the box 1.2 times: by them there would be no room at all. Balls of 3 mm go between cubes of 10 mm, those of 6 mm hardly
    test('among the cubes, in the room that they left: none is in a cube or another', () => {
      const [cubes, beads] = laid(0.01, 250, 0.0015);
      expect(beads.length).toBe(250);
      for (const { position } of beads) expect(Math.abs(position[0] - 0.025)).toBeLessThan(0.015 - 0.0015 + 1e-9);
      expect(leastGap(beads, cubes, 0.0015)).toBeGreaterThan(-1e-9);
    });
  });

  test('what cannot be reached says what can', () => {
    const wanted: Partial<Packing> = { arrangement: 'random', fraction: 0.8, region: cube(0.035) };
    expect(() => pack(0.01, wanted)).toThrow(
      /expected 34 grains \(a fraction of 0.8\), but they overlap beyond a fraction of 0\.[4-6]\d+/,
    );
  });
});

describe('on a lattice', () => {
  test('cubes face to face fill a box', () => {
    const grains = pack(0.01, {
      arrangement: 'lattice',
      region: cube(0.05),
      spacing: 1,
      jitter: 0,
      fraction: 1,
      orientation: UPRIGHT,
    });
    expect(grains.length).toBe(125);
    expect(deepest(grains, [0.005, 0.005, 0.005])).toBeLessThan(1e-15);
  });

  test('bricks have rows as long as they are, and go where the region is', () => {
    const region = { cylinder: { radius: 0.03, height: 0.02 } };
    const grains = pack([0.015, 0.01, 0.005], { arrangement: 'lattice', region, orientation: UPRIGHT });
    const half: Vec3 = [0.0075, 0.005, 0.0025];
    expect(deepest(grains, half)).toBeLessThan(0);
    // Rows of 3, 5 and 3 in three layers: the next would stick out by its corners
    expect(grains.length).toBe(33);
    for (const grain of grains)
      for (const [x, y, z] of cornersOf(grain, half)) {
        expect(Math.hypot(x, y)).toBeLessThan(0.03);
        expect(Math.abs(z - 0.01)).toBeLessThan(0.01 + 1e-9);
      }
  });
});

// In a period of six widths without walls: grains stick out on every side, and the next box's stick in
describe('where space is periodic', () => {
  const side = 0.06;
  const half: Vec3 = [0.005, 0.005, 0.005];
  const round: Period = { low: [0, 0, 0], length: [side, side, side] };

  test('cubes to 0.45: none overlaps through the borders', () => {
    const grains = pack(0.01, { arrangement: 'random', fraction: 0.45, region: cube(side) }, [0, 0, 0], round);
    expect(grains.length).toBe(97);
    expect(deepest(grains, half, round)).toBeLessThan(1e-9 * side);
    for (const k of [0, 1, 2]) {
      const ends = grains.flatMap((grain) => cornersOf(grain, half).map((corner) => corner[k]));
      expect(Math.min(...ends)).toBeLessThan(-1e-3);
      expect(Math.max(...ends)).toBeGreaterThan(side + 1e-3);
    }
  });

  test('cubes face to face go round', () => {
    const wanted = { arrangement: 'lattice', spacing: 1, jitter: 0, fraction: 1, orientation: UPRIGHT } as const;
    const grains = pack(0.01, { ...wanted, region: cube(side) }, [0, 0, 0], round);
    expect(grains.length).toBe(216);
    expect(deepest(grains, half, round)).toBeLessThan(1e-15);
  });

  test('poured between two borders: they lie over them', () => {
    const layer: Period = { low: [0, 0, 0], length: [side, side, 0] };
    const wanted: Partial<Packing> = {
      arrangement: 'poured',
      count: 16,
      region: {
        box: [
          [0, 0, 0],
          [side, side, 0.03],
        ],
      },
    };
    const grains = pack(0.01, wanted, [0, 0, -9.81], layer);
    expect(deepest(grains, half, layer)).toBeLessThan(5e-4);
    expect(Math.min(...grains.flatMap((grain) => cornersOf(grain, half).map(([x]) => x)))).toBeLessThan(-1e-3);
  });
});

// They lie: the lowest touch the floor of the region, and the heap is denser than the balls about cubes ever are
test('poured: cubes come to lie on one another', () => {
  const half: Vec3 = [0.005, 0.005, 0.005];
  const grains = pack(0.01, { arrangement: 'poured', count: 25, region: cube(0.04) }, [0, 0, -9.81]);
  expect(deepest(grains, half)).toBeLessThan(5e-4);
  const tops = grains.map((grain) => Math.max(...cornersOf(grain, half).map(([, , z]) => z)));
  const lows = grains.map((grain) => Math.min(...cornersOf(grain, half).map(([, , z]) => z)));
  expect(Math.min(...lows)).toBeGreaterThan(-5e-4);
  expect(lows.filter((z) => z < 5e-4).length).toBeGreaterThan(5);
  expect((grains.length * 1e-6) / (0.04 * 0.04 * Math.max(...tops))).toBeGreaterThan(0.4);
});
