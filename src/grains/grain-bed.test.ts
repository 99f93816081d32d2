import { describe, expect, test } from 'vitest';
import { subtract } from '../geometry/csg/boolean.js';
import { sphere as ball, cylinder, box as solidBox } from '../geometry/primitives.js';
import { random } from '../math/random.js';
import { restoreBed, snapshotOf } from './bed-snapshot.js';
import {
  AT_REST,
  GrainBed,
  type GrainBedOptions,
  type GrainPairLaw,
  joinFeatures,
  meshFeatures,
  type NewGrain,
  planeFeature,
  revolvedFeatures,
  SerialTeam,
  type WallFeatures,
} from './index.js';
import { contactRecords, energiesOf } from './measures.js';

const soft = { name: 'soft', youngsModulus: 1e7, poissonRatio: 0.3 };
const bedOf = (law: GrainPairLaw, grains: readonly NewGrain[], options: Partial<GrainBedOptions> = {}): GrainBed => {
  const bed = new GrainBed({ kinds: [soft], lawOf: () => law, ...options });
  bed.add(grains);
  bed.start();
  return bed;
};
const wall = (features: WallFeatures) => ({ name: 'wall', kind: 0, features, pose: AT_REST, farthest: 1 });
const box = (size: number): WallFeatures =>
  joinFeatures([
    planeFeature([0, 0, 1], 0),
    planeFeature([1, 0, 0], 0),
    planeFeature([-1, 0, 0], -size),
    planeFeature([0, 1, 0], 0),
    planeFeature([0, -1, 0], -size),
  ]);

/** Grains thrown into a box, of sizes 4.5 to 5.5 mm */
function thrown(count: number, side: number): NewGrain[] {
  const draw = random(5);
  return Array.from({ length: count }, (_, k) => ({
    position: [0, 1, 2].map(
      (axis) =>
        0.006 + 0.0115 * (Math.floor(k / side ** axis) % (axis < 2 ? side : 1e9)) + 5e-4 * (draw.uniform() - 0.5),
    ) as unknown as [number, number, number],
    radius: 0.005 * (0.9 + 0.2 * draw.uniform()),
    velocity: [0.4 * (draw.uniform() - 0.5), 0.4 * (draw.uniform() - 0.5), -0.5 * draw.uniform()],
    kind: 0,
    density: 2500,
    id: k,
  }));
}

describe('the same bits', () => {
  const rough = { restitution: 0.5, friction: 0.5, rollingFriction: 0.1 };
  const run = (law: GrainPairLaw, options: Partial<GrainBedOptions>, grains = thrown(600, 6), steps = 700): string => {
    const bed = bedOf(law, grains, { walls: [wall(box(0.072))], gravity: [0, 0, -9.81], ...options });
    for (let k = 0; k < steps; k++) bed.step(5e-5);
    expect(bed.facts.pairs).toBeGreaterThan(100);
    expect(bed.inexactSteps).toBe(0);
    return bed.hash;
  };
  test.each([
    ['friction', { restitution: 0.5, friction: 0.5 }],
    ['rolling and twisting', rough],
  ])('whatever threads, skin, kernels and order of input: %s', (_, law) => {
    const hash = run(law, {});
    for (const threads of [2, 3, 4, 7]) expect(run(law, { team: new SerialTeam(threads) })).toBe(hash);
    for (const skin of [4e-4, 2e-3]) expect(run(law, { skin })).toBe(hash);
    expect(run(law, { wasm: false })).toBe(hash);
    expect(run(law, {}, random(3).shuffle(thrown(600, 6)))).toBe(hash);
  });
  test('two species, one of them slippery and sticky: the same work, too', () => {
    const hard = { name: 'hard', youngsModulus: 3e7, poissonRatio: 0.2 };
    const laws: GrainPairLaw[] = [
      { restitution: 0.5, friction: 0.5 },
      { restitution: 0.8, friction: 0, cohesion: 2000 },
      { restitution: 0.9, friction: 0.2, cohesion: 100 },
    ];
    const mixed = (options: Partial<GrainBedOptions>): string => {
      const bed = new GrainBed({
        kinds: [soft, hard],
        lawOf: (a, b) => laws[a + b],
        walls: [wall(box(0.072))],
        gravity: [0, 0, -9.81],
        ...options,
      });
      bed.add(thrown(500, 6).map((grain, k) => ({ ...grain, kind: k % 3 === 0 ? 1 : 0 })));
      bed.start();
      for (let k = 0; k < 500; k++) bed.step(5e-5);
      expect(bed.facts.pairs).toBeGreaterThan(100);
      return `${bed.hash} ${bed.work.damping} ${bed.work.sliding}`;
    };
    const told = mixed({});
    expect(mixed({ wasm: false })).toBe(told);
    expect(mixed({ team: new SerialTeam(3) })).toBe(told);
  });
  test('looking at contacts changes nothing, also where memory grows for it', () => {
    const law = { restitution: 0.5, friction: 0.5 };
    const bed = bedOf(law, thrown(600, 6), {
      walls: [wall(box(0.072))],
      gravity: [0, 0, -9.81],
      team: new SerialTeam(7),
    });
    for (let k = 0; k < 700; k++) {
      bed.step(5e-5);
      if (k % 10 === 0) expect(contactRecords(bed).count).toBe(bed.facts.pairs + bed.facts.wallContacts);
    }
    expect(bed.hash).toBe(run(law, {}));
  });
  test('grains far away come and go', () => {
    const law = { restitution: 0.5, friction: 0.5 };
    const hash = run(law, {});
    const bed = bedOf(law, thrown(600, 6), { walls: [wall(box(0.072))], gravity: [0, 0, -9.81] });
    for (let k = 0; k < 700; k++) {
      bed.move(5e-5);
      if (k === 200)
        bed.add([0, 1, 2].map((i) => ({ position: [0.036, 0.036, 5 + i], radius: 0.005, kind: 0, density: 2500 })));
      if (k === 400)
        bed.remove([...bed.arrays.ints('ids').subarray(0, bed.count)].flatMap((id, i) => (id >= 600 ? i : [])));
      bed.evaluate(5e-5);
    }
    expect(bed.count).toBe(600);
    expect(bed.hash).toBe(hash);
  });
  test.each([
    ['friction', { restitution: 0.5, friction: 0.5 }],
    ['rolling and twisting', rough],
    ['adhesion', { restitution: 0.5, friction: 0.5, adhesion: 0.2 }],
  ])('stopped and gone on with other threads and skin: %s', (_, law) => {
    const options = { walls: [wall(box(0.072))], gravity: [0, 0, -9.81] as const };
    const through = bedOf(law, thrown(600, 6), options);
    for (let k = 0; k < 450; k++) through.step(5e-5);
    const snapshot = snapshotOf(through);
    expect(snapshot.pairs.length).toBeGreaterThan(1000);
    expect(snapshot.wallContacts.length).toBeGreaterThan(15 * 18);
    for (let k = 0; k < 250; k++) through.step(5e-5);
    for (const [threads, skin, wasm] of [
      [1, 4e-4, true],
      [3, 2e-3, false],
    ] as const) {
      const bed = new GrainBed({ kinds: [soft], lawOf: () => law, ...options, team: new SerialTeam(threads), wasm });
      restoreBed(bed, snapshot);
      expect(snapshotOf(bed)).toEqual(snapshot);
      bed.lists.skin = skin;
      for (let k = 0; k < 250; k++) bed.step(5e-5);
      expect(bed.hash).toBe(through.hash);
    }
  });
});

// Cells for the tiny ones; the huge ones look through those they reach. Held against all pairs, one by one.
test('a boulder falls among grains of a fiftieth of its size', () => {
  const radius = 1e-3;
  const draw = random(8);
  const tiny = Array.from(
    { length: 900 },
    (_, k): NewGrain => ({
      position: [
        0.0024 * (k % 30) + 1e-4 * draw.uniform(),
        0.0024 * Math.floor(k / 30) + 1e-4 * draw.uniform(),
        radius * (1 + 0.2 * draw.uniform()),
      ],
      radius: radius * (0.9 + 0.2 * draw.uniform()),
      kind: 0,
      density: 2500,
    }),
  );
  const huge = [0, 1].map(
    (k): NewGrain => ({
      position: [0.036 + 0.1 * k, 0.036, 0.0524],
      radius: 50 * radius,
      kind: 0,
      density: 2500,
      velocity: [0.2, 0, -0.5],
    }),
  );
  const run = (options: Partial<GrainBedOptions>): GrainBed => {
    const bed = bedOf({ restitution: 0.5, friction: 0.5 }, [...tiny, ...huge], {
      walls: [wall(planeFeature([0, 0, 1], 0))],
      gravity: [0, 0, -9.81],
      ...options,
    });
    for (let k = 0; k < 400; k++) bed.step(5e-6);
    return bed;
  };
  const bed = run({});
  const [x, count] = [bed.arrays.floats('grains'), bed.count];
  let touching = 0;
  for (let i = 0; i < count; i++)
    for (let j = 0; j < i; j++) {
      const [dx, dy, dz] = [0, 1, 2].map((k) => x[4 * i + k] - x[4 * j + k]);
      const reach = x[4 * i + 3] + x[4 * j + 3];
      if (dx * dx + dy * dy + dz * dz < reach * reach) touching++;
    }
  expect(bed.facts.pairs).toBe(touching);
  expect(touching).toBeGreaterThan(20);
  // The boulder is in no cell of the others: these are as wide as the others are
  expect(bed.arrays.floats('numbers')[23]).toBeLessThan(1.2 * radius);
  for (const threads of [2, 5]) expect(run({ team: new SerialTeam(threads) }).hash).toBe(bed.hash);
  expect(run({ wasm: false, skin: 1e-3 }).hash).toBe(bed.hash);
});

// The constant-restitution law holds e at every speed; 40 steps per contact leave 1e-3 (grains.md §3.2, measured there).
// Contact time of two equal spheres: T = 2.87 (m*²/(R E*² v))^(1/5), Johnson (1985), §11.4
describe('restitution is met', () => {
  test.each([0.98, 0.9, 0.7, 0.5, 0.2])('e = %d at 0.01, 1 and 100 m/s', (e) => {
    for (const v of [0.01, 1, 100]) {
      const radius = 0.01;
      const mass = (4 / 3) * Math.PI * 2500 * radius ** 3;
      const stiff = { ...soft, youngsModulus: 1e7 * Math.max(1, v * v) }; // else 100 m/s would go through
      const modulus = stiff.youngsModulus / (2 * 0.91);
      const time = 2.87 * ((mass / 2) ** 2 / ((radius / 2) * modulus ** 2 * v)) ** 0.2;
      const ball = (side: number): NewGrain => ({
        position: [side * (radius + 0.1 * v * (time / 40)), 0, 0],
        radius,
        velocity: [-side * 0.5 * v, 0, 0],
        kind: 0,
        density: 2500,
      });
      const bed = bedOf({ restitution: e, friction: 0 }, [ball(-1), ball(1)], { skin: 0.01, kinds: [stiff] });
      for (let k = 0; k < 400; k++) {
        bed.step(time / 40);
        expect(bed.facts.strongest).toBeGreaterThanOrEqual(0);
      }
      const speed = bed.arrays.floats('motion');
      expect(Math.abs(Math.abs(speed[8] - speed[0]) / v - e)).toBeLessThan(1e-3);
    }
  });
});

test('a triangle of balls hit by one keeps momentum, energy and its mirror image to the last bit', () => {
  const layers = 12;
  const rack: NewGrain[] = [];
  for (let i = 0; i < layers; i++)
    for (let j = 0; j <= i; j++)
      rack.push({ position: [(i * Math.sqrt(3)) / 2, j - i / 2, 0], radius: 0.5, kind: 0, density: 2000 });
  const bed = bedOf(
    { restitution: 1, friction: 0 },
    [...rack, { position: [-1.05, 0, 0], radius: 0.5, velocity: [1, 0, 0], kind: 0, density: 2000 }],
    { skin: 0.1 },
  );
  for (let k = 0; k < 3000; k++) bed.step(1e-3);
  const [x, v] = [bed.arrays.floats('grains'), bed.arrays.floats('motion')];
  const place = bed.inOrder();
  let [energy, px, py] = [0, 0, 0];
  for (const i of place) {
    energy += v[8 * i] ** 2 + v[8 * i + 1] ** 2;
    px += v[8 * i];
    py += v[8 * i + 1];
  }
  // All balls are apart by then, so all energy is of motion; leapfrog at 93 steps per contact leaves 4e-6
  expect(Math.abs(px - 1)).toBeLessThan(1e-13);
  expect(Math.abs(py)).toBeLessThan(1e-14);
  expect(Math.abs(energy - 1)).toBeLessThan(bed.facts.pairs === 0 ? 1e-5 : 5e-3);
  for (let i = 0; i < layers; i++)
    for (let j = 0; j <= i; j++) {
      const [a, b] = [place[(i * (i + 1)) / 2 + j], place[(i * (i + 1)) / 2 + i - j]];
      expect(x[4 * a]).toBe(x[4 * b]);
      expect(x[4 * a + 1]).toBe(-x[4 * b + 1] + 0);
    }
});

// Levers that add up to the distance: what one grain gets of angular momentum the other loses
test('colliding grains with friction, rolling and twisting keep momentum and angular momentum', () => {
  const draw = random(9);
  const grains: NewGrain[] = Array.from({ length: 300 }, (_, k) => ({
    position: [0.011 * (k % 7), 0.011 * (Math.floor(k / 7) % 7), 0.011 * Math.floor(k / 49)],
    radius: 0.0045 + 1e-3 * draw.uniform(),
    velocity: draw.inSphere(),
    spin: [50 * draw.normal(), 50 * draw.normal(), 50 * draw.normal()],
    kind: 0,
    density: 2500,
  }));
  const bed = bedOf({ restitution: 0.6, friction: 0.4, rollingFriction: 0.2 }, grains);
  const sums = (): number[] => {
    const [x, v] = [bed.arrays.floats('grains'), bed.arrays.floats('motion')];
    const out = [0, 0, 0, 0, 0, 0];
    for (let i = 0; i < bed.count; i++) {
      const m = 1 / v[8 * i + 3];
      for (let k = 0; k < 3; k++) {
        const [a, b] = [(k + 1) % 3, (k + 2) % 3];
        out[k] += m * v[8 * i + k];
        out[3 + k] += m * (x[4 * i + a] * v[8 * i + b] - x[4 * i + b] * v[8 * i + a]) + v[8 * i + 4 + k] / v[8 * i + 7];
      }
    }
    return out;
  };
  const before = sums();
  // x × p does not change in a drift along v, and a kick changes it by x × F: leapfrog keeps it
  for (let k = 0; k < 1000; k++) bed.step(2e-5);
  const after = sums();
  const scale = 300 * 1.3e-3 * 1; // kg m/s that are thrown about
  for (let k = 0; k < 3; k++) expect(Math.abs(after[k] - before[k])).toBeLessThan(1e-14 * scale);
  for (let k = 3; k < 6; k++) expect(Math.abs(after[k] - before[k])).toBeLessThan(1e-13 * scale);
});

// Simple cubic lattice under uniaxial strain ε: each contact has δ = 2rε, so σ = F/(2r)² = ⅔ E* ε^1.5
test.each([
  [0.005, 1295.07],
  [0.01, 3663.0],
  [0.02, 10360.5],
])('strain %d of a lattice gives %d Pa', (strain, stress) => {
  const r = 0.005;
  const bed = bedOf(
    { restitution: 1, friction: 0 },
    Array.from({ length: 4 }, (_, k) => ({
      position: [0, 0, (r + 2 * r * k) * (1 - strain)] as const,
      radius: r,
      kind: 0,
      density: 2500,
    })),
    { period: { low: [-0.5, -0.5, 0], length: [0, 0, 8 * r * (1 - strain)] } },
  );
  expect(bed.facts.pairs).toBe(4);
  expect(bed.facts.strongest / (2 * r) ** 2 / stress).toBeCloseTo(1, 5);
});

// Walls have no images: the floor on the other side of a border, here another body, is there at once for a ball that creeps over
test('a ball rolls over a border on a floor of tiles as on one without', () => {
  const { vertices, triangles } = solidBox([0.1, 0.4, 0.1]).mesh;
  const tiles = Array.from({ length: 8 }, (_, k) => ({
    ...wall(meshFeatures(vertices, triangles, 'tile')),
    pose: { ...AT_REST, position: [0.1 * k - 0.05, 0, -0.05] as const },
  }));
  const heights = [undefined, { low: [0, 0, 0], length: [0.5, 0, 0] } as const].map((period) => {
    const start = { position: [0.499, 0, 0.02 - 1e-5], velocity: [0.02, 0, 0] } as const;
    const bed = bedOf({ restitution: 0.5, friction: 0 }, [{ ...start, radius: 0.02, kind: 0, density: 2500 }], {
      walls: tiles,
      gravity: [0, 0, -9.81],
      ...(period && { period }),
    });
    let low = 1;
    for (let k = 0; k < 4000; k++) {
      bed.step(5e-5);
      low = Math.min(low, bed.arrays.floats('grains')[2]);
    }
    return low;
  });
  expect(heights[1]).toBeCloseTo(heights[0], 15);
});

describe('walls', () => {
  const cube = meshFeatures(
    [-0.5, 0.5].flatMap((x) => [-0.5, 0.5].flatMap((y) => [-0.5, 0.5].flatMap((z) => [x, y, z]))),
    [0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1, 2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3],
    'cube',
  );
  const touching = (positions: readonly (readonly [number, number, number])[], features: WallFeatures, r: number) => {
    const bed = bedOf(
      { restitution: 1, friction: 0 },
      positions.map((position) => ({ position, radius: r, kind: 0, density: 1 })),
      { walls: [wall(features)], skin: 0.01 },
    );
    return bed;
  };

  test('a cube touches in one point wherever the ball is: at random, and on every tie', () => {
    const values = [0.55, 0.5, 0.45, 0.25, 0, -0.25, -0.45, -0.5, -0.55];
    const grid = values.flatMap((x) => values.flatMap((y) => values.map((z) => [x, y, z] as const)));
    const outside = ([x, y, z]: readonly number[]) => Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) > 0.5;
    const draw = random(1);
    // verify A7 has 100 000
    const anywhere = Array.from({ length: 500 }, () => [0, 1, 2].map(() => 1.2 * (draw.uniform() - 0.5)));
    const bed = touching([[5, 5, 5]], cube, 0.2);
    const force = new Float64Array(6);
    for (const at of [...grid, ...(anywhere as unknown as (typeof grid)[number][])].filter(outside)) {
      const gap = Math.hypot(...at.map((x) => Math.max(0, Math.abs(x) - 0.5)));
      bed.arrays.floats('grains').set(at);
      bed.arrays.floats('forces').fill(0);
      bed.makeLists();
      bed.arrays.kernels.run('forces', 0);
      expect([at, bed.arrays.floats('results')[4]]).toEqual([at, 1]);
      const expected = (4 / 3) * (1e7 / (2 * 0.91)) * Math.sqrt(0.2) * (0.2 - gap) ** 1.5;
      expect(Math.abs(Math.hypot(...bed.forceOn(0, force)) / expected - 1)).toBeLessThan(1e-9);
    }
  });

  test('an inner corner of a box touches in three', () => {
    expect(touching([[0.009, 0.009, 0.009]], box(0.1), 0.01).facts.wallContacts).toBe(3);
  });

  // Contacts with a hollow surface come and go beside each other; energy and force must not jump. A ball anywhere in a drum of flat sides, in a bowl of triangles and in the corner of a silo: the force
  // that it feels is the slope of the energy that is booked, and acts on the wall through the ball's centre. Central differences over 2e-7 m are good to 1e-6 of what a full contact presses.
  describe('where a surface is hollow, force is the slope of the energy', () => {
    const block = solidBox([0.3, 0.3, 0.3]);
    const carved = (from: { readonly mesh: { vertices: ArrayLike<number>; triangles: ArrayLike<number> } }) =>
      meshFeatures(from.mesh.vertices, from.mesh.triangles, 'block');
    const r = 0.01;
    test.each<[string, WallFeatures, (draw: () => number) => readonly [number, number, number]]>([
      [
        'drum',
        carved(subtract(block, cylinder({ radius: 0.1, height: 0.2, segments: 24 }))),
        (draw) => [0.099 - r * (0.75 + 0.25 * draw()), 0.02 * (draw() - 0.5), 0.1 - r * (0.4 + 0.9 * draw())],
      ],
      [
        'bowl',
        carved(subtract(block, ball(0.03))),
        (draw) => {
          const n = [draw() - 0.5, draw() - 0.5, draw() - 0.5];
          const size = (0.0292 - r * (0.75 + 0.25 * draw())) / Math.hypot(...n);
          return [n[0] * size, n[1] * size, n[2] * size];
        },
      ],
      [
        'funnel',
        revolvedFeatures([
          [0.02, -0.06],
          [0.05, 0],
          [0.05, 0.2],
        ]),
        (draw) => [0.05 - r * (0.5 + 0.5 * draw()), 0, 0.012 * (draw() - 0.4)],
      ],
      // Below the middle of its slope the ball is between both sides of the axis, at a distance of 0.9 to 1 of its radius from them
      [
        'round funnel that is narrower',
        revolvedFeatures([
          [0, 0],
          [0.03, 0.03],
        ]),
        (draw) => [0.002 * (draw() - 0.5), 0.002 * (draw() - 0.5), r * (1.3 + 0.1 * draw())],
      ],
    ])('in a %s', (_, features, place) => {
      const bed = touching([[0, 0, 0.5]], features, r);
      const draw = random(7);
      const measured = (at: readonly number[]): { energy: number; force: Float64Array; wrench: Float64Array } => {
        bed.arrays.floats('grains').set(at);
        bed.arrays.floats('forces').fill(0);
        bed.makeLists();
        bed.arrays.kernels.run('forces', 0);
        const results = bed.arrays.floats('results');
        bed.facts.wallContacts = results[4];
        const force = Float64Array.from(bed.forceOn(0, new Float64Array(6)));
        return { force, wrench: bed.wrenchOn(0), energy: energiesOf(bed, 0, contactRecords(bed)).elastic };
      };
      const whole = ((4 / 3) * 1e7 * r * r * 0.2 ** 1.5) / (2 * 0.91);
      let several = 0;
      for (let k = 0; k < 60; k++) {
        const at = place(() => draw.uniform());
        const { force, wrench } = measured(at);
        if (bed.facts.wallContacts > 1) several++;
        for (let axis = 0; axis < 3; axis++) {
          const e = 1e-7;
          const beside = (way: number) => measured(at.map((x, m) => (m === axis ? x + way : x))).energy;
          const slope = (beside(e) - beside(-e)) / (2 * e);
          expect(Math.abs(force[axis] + slope) / whole).toBeLessThan(2e-5);
          const [m, n] = [(axis + 1) % 3, (axis + 2) % 3];
          expect(Math.abs(wrench[3 + axis] + (at[m] * force[n] - at[n] * force[m]))).toBeLessThan(1e-9 * whole);
        }
      }
      expect(several).toBeGreaterThan(5);
      // From place to place the work is the difference, 128 steps by the middle of each; a contact that came or went at once would leave up to all that it holds
      for (let k = 0; k < 12; k++) {
        const [from, towards] = [place(() => draw.uniform()), place(() => draw.uniform())];
        const part = Math.min(1, r / Math.hypot(...towards.map((x, axis) => x - from[axis])));
        const to = towards.map((x, axis) => from[axis] + part * (x - from[axis]));
        const along = to.map((x, axis) => (x - from[axis]) / 128);
        let work = 0;
        for (let m = 0; m < 128; m++) {
          const { force } = measured(from.map((x, axis) => x + (m + 0.5) * along[axis]));
          for (let axis = 0; axis < 3; axis++) work += force[axis] * along[axis];
        }
        expect(Math.abs(measured(to).energy - measured(from).energy + work) / (whole * r)).toBeLessThan(1e-4);
      }
    });
  });

  // 24 edges of a rim at 15 mm, a ball of 20 mm on them: it stays where it is, each edge bears 1/24, and a restart knows them all
  test('a ball on a round hole touches every side of it, and lies still', () => {
    const hole = subtract(solidBox([0.1, 0.1, 0.02]), cylinder({ radius: 0.015, height: 1, segments: 24 })).mesh;
    const features = meshFeatures(hole.vertices, hole.triangles, 'plate');
    const options = { walls: [wall(features)], gravity: [0, 0, -9.81] as const };
    const law = { restitution: 0.5, friction: 0.5 };
    const inscribed = 0.015 * Math.cos(Math.PI / 24);
    const z = 0.01 + Math.sqrt(0.02 ** 2 - inscribed ** 2) - 1e-6;
    const bed = bedOf(law, [{ position: [0, 0, z], radius: 0.02, kind: 0, density: 2500 }], options);
    expect(bed.facts.wallContacts).toBe(24);
    for (let k = 0; k < 2000; k++) bed.step(2e-5);
    const copy = new GrainBed({ kinds: [soft], lawOf: () => law, ...options });
    restoreBed(copy, snapshotOf(bed));
    for (let k = 0; k < 500; k++) {
      bed.step(2e-5);
      copy.step(2e-5);
    }
    expect(copy.hash).toBe(bed.hash);
    expect(bed.facts.wallContacts).toBe(24);
    const [x, v] = [bed.arrays.floats('grains'), bed.arrays.floats('motion')];
    // Off its place by the rounding of the mesh's corners, 1e-18 m, at most as far as friction lets it
    expect(Math.hypot(x[0], x[1])).toBeLessThan(1e-12);
    expect(Math.hypot(v[0], v[1], v[2])).toBeLessThan(1e-12);
  });

  test('inside a cylinder, on its floor and in the corner between', () => {
    const silo = revolvedFeatures([
      [0, 0],
      [0.05, 0],
      [0.05, 0.2],
    ]);
    expect(touching([[0.041, 0, 0.1]], silo, 0.01).facts.wallContacts).toBe(1);
    expect(touching([[0, 0, 0.009]], silo, 0.01).facts.wallContacts).toBe(1);
    expect(touching([[0, -0.0405, 0.0095]], silo, 0.01).facts.wallContacts).toBe(2);
    expect(touching([[0, 0, 0.1]], silo, 0.01).facts.wallContacts).toBe(0);
  });

  // A tip holds one contact from straight above to beside it; balls fell through it
  test('on the tip of a cone', () => {
    const cone = revolvedFeatures([
      [0, 0],
      [0.05, -0.1],
      [0, -0.1],
    ]);
    const at = (x: number, z: number) => touching([[x, 0, z]], cone, 0.01).facts;
    expect(at(0, 0.009)).toMatchObject({ wallContacts: 1 });
    expect(at(0, 0.009).deepestWall).toBeCloseTo(0.1, 12);
    expect(at(0.003, 0.008).deepestWall).toBeCloseTo(1 - Math.hypot(0.3, 0.8), 12);
    expect(at(0, 0.0101).wallContacts).toBe(0);
  });

  test('an open mesh is refused with its open edge', () => {
    expect(() => meshFeatures([0, 0, 0, 1, 0, 0, 0, 1, 0], [0, 1, 2], 'bodies.sheet')).toThrow(
      'bodies.sheet: a wall of grains must be closed, but the edge from (0, 0, 0) to (1, 0, 0) m has 1 faces',
    );
  });

  // Rolling friction: on a slope below its angle a ball stays, above it rolls (Ai et al. 2011)
  test.each([
    [9.9, false],
    [10.1, true],
  ])('on %d° with a rolling friction of tan 10° a ball rolls: %s', (angle, rolls) => {
    const a = (angle * Math.PI) / 180;
    const r = 0.01;
    const bed = bedOf(
      { restitution: 0.5, friction: 0.6, rollingFriction: Math.tan(Math.PI / 18) },
      [{ position: [0, 0, r - 1e-6], radius: r, kind: 0, density: 2500 }],
      { walls: [wall(planeFeature([0, 0, 1], 0))], gravity: [9.81 * Math.sin(a), 0, -9.81 * Math.cos(a)] },
    );
    for (let k = 0; k < 70000; k++) bed.step(2e-5);
    const speed = bed.arrays.floats('motion')[0];
    if (rolls) expect(speed).toBeGreaterThan(1e-3);
    else expect(Math.abs(speed)).toBeLessThan(1e-12);
  });
});

// JKR: pull-off force 1.5 π γ R at least; Johnson, Kendall & Roberts (1971)
test('an adhesive contact holds up to its pull-off force and no further', () => {
  const r = 0.01;
  const adhesion = 1;
  const pullOff = 1.5 * Math.PI * adhesion * r;
  const mass = (4 / 3) * Math.PI * 1000 * r ** 3;
  for (const [part, holds] of [
    [0.95, true],
    [1.05, false],
  ] as const) {
    const bed = bedOf(
      { restitution: 0.3, friction: 0, adhesion },
      [{ position: [0, 0, r - 1e-6], radius: r, kind: 0, density: 1000 }],
      { walls: [wall(planeFeature([0, 0, 1], 0))], gravity: [0, 0, 0] },
    );
    // The load grows slowly
    for (let k = 0; k < 60000; k++) {
      bed.arrays.floats('numbers')[5] = ((part * pullOff) / mass) * Math.min(1, k / 40000);
      bed.step(2e-5);
    }
    expect(bed.facts.wallContacts).toBe(holds ? 1 : 0);
  }
});
