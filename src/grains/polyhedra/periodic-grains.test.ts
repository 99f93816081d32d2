/**
 * Grains with shapes in a box whose sides are one: space has no origin there, so whoever is moved by any way does the same, through the borders or far from them; and bits depend on
 * nothing but the input.
 */
import { describe, expect, test } from 'vitest';
import { angularRock, belgianBlock } from '../../assets/stones.js';
import { box } from '../../geometry/primitives.js';
import { translate } from '../../geometry/transform.js';
import { fromAxisAngle } from '../../math/quaternion.js';
import { random } from '../../math/random.js';
import { add, norm, scale, sub, type Vec3 } from '../../math/vec3.js';
import { imageWithin, type Period, wayBetween } from '../neighbourhood.js';
import { clumpGrain, compoundGrain, type GrainShape, polyhedronGrain } from '../shapes/grain-shape.js';
import { SerialTeam } from '../team.js';
import { energiesOf } from './energies.js';
import type { GrainBody } from './grain-arrays.js';
import { RigidGrains, type RigidGrainsOptions } from './rigid-grains.js';

const r = 0.05;
const shapes: readonly GrainShape[] = [
  polyhedronGrain(angularRock({ radius: r, seed: 1 }).mesh),
  polyhedronGrain(belgianBlock({ size: [0.07, 0.05, 0.04], seed: 2 }).mesh),
  clumpGrain([{ position: [0, 0, 0], radius: r }]),
  clumpGrain([
    { position: [-0.02, 0, 0], radius: 0.025 },
    { position: [0.02, 0, 0], radius: 0.025 },
  ]),
  compoundGrain([translate([0.01, 0, 0], box([0.06, 0.03, 0.03])).mesh, translate([0, 0, 0.03], box(0.03)).mesh]),
];
const side = 0.5;
const period: Period = { low: [-0.1, 0.2, 0], length: [side, side, side] };
const numberOf = 48;

/** Grains of all shapes that fly about in the box, all moved by `way` */
function crowd(way: Vec3, order = Array.from({ length: numberOf }, (_, k) => k)): GrainBody[] {
  const bodies = Array.from({ length: numberOf }, (_, k): GrainBody => {
    const draw = random(`grain ${k}`);
    const cell = [k % 4, Math.floor(k / 4) % 4, Math.floor(k / 16)];
    return {
      shape: shapes[k % shapes.length],
      species: 0,
      density: 2500,
      position: [0, 1, 2].map((a) => 0.125 * cell[a] + way[a]) as unknown as Vec3,
      orientation: draw.rotation(),
      velocity: [3 * draw.normal(), 3 * draw.normal(), 3 * draw.normal()],
      angularVelocity: [9 * draw.normal(), 9 * draw.normal(), 9 * draw.normal()],
    };
  });
  return order.map((k) => bodies[k]);
}

const engine = (bodies: readonly GrainBody[], within?: Period, more: Partial<RigidGrainsOptions> = {}): RigidGrains => {
  const grains = new RigidGrains({
    bodies,
    contact: () => ({ modulus: 1e8, restitution: 0.6, friction: 0.4, reducedModulus: 1e7, reducedShearModulus: 4e6 }),
    gravity: [0, 0, 0],
    step: 1e-4,
    ...(within && { period: within }),
    ...more,
  });
  grains.refusing = false; // some meet in one another; so much the better
  return grains;
};

/** How far grains of two runs are apart in place, orientation, velocity and angular momentum by its scale, the whole of one being `way` off */
function difference(a: RigidGrains, b: RigidGrains, way: Vec3, within: Period | undefined = period): number {
  let most = 0;
  const see = (x: number, y: number, scale: number): void => {
    most = Math.max(most, Math.abs(x - y) / scale);
  };
  for (let i = 0; i < a.arrays.bodyCount; i++) {
    if (!(a.arrays.velocities.view[8 * i + 3] > 0)) continue;
    const [p, q] = [a, b].map(({ arrays }) => arrays.positions.view.subarray(4 * i));
    for (let k = 0; k < 3; k++) see(wayBetween(q[k] - way[k], p[k], k, within), 0, r);
    for (let k = 0; k < 4; k++) see(a.arrays.orientations.view[4 * i + k], b.arrays.orientations.view[4 * i + k], 1);
    for (let k = 0; k < 3; k++) see(a.arrays.velocities.view[8 * i + k], b.arrays.velocities.view[8 * i + k], 1);
    for (let k = 0; k < 3; k++) see(a.arrays.momenta.view[4 * i + k], b.arrays.momenta.view[4 * i + k], 1e-2);
  }
  return most;
}

/** Two of the shapes that meet at a place, 600 steps on */
function meeting(first: number, second: number, [x, y, z]: Vec3, within?: Period): RigidGrains {
  const common = { species: 0, density: 2500, orientation: random(`pair ${first} ${second}`).rotation() };
  const grains = engine(
    [
      { ...common, shape: shapes[first], position: [x - 0.055, y - 0.016, z], velocity: [2, 0.1, 0.2] },
      { ...common, shape: shapes[second], position: [x + 0.055, y + 0.016, z], velocity: [-2, 0, 0] },
    ],
    within,
  );
  grains.advance(600);
  return grains;
}

// A corner of the box is at half a period from its middle along each axis. Places that differ by rounding, 1e-16 m, make what follows differ by as much times what an impact makes of it
// (the stiffness by the step and the mass), some 1e4.
describe('two that meet in a corner of the box do what they would do in its middle', () => {
  const middle: Vec3 = [0.15, 0.45, 0.25];
  const way: Vec3 = [side / 2, -side / 2, side / 2];
  test.each([
    [0, 1],
    [1, 1],
    [0, 2],
    [3, 1],
    [4, 0],
    [3, 4],
  ])('shapes %d and %d', (first, second) => {
    const free = meeting(first, second, middle, period);
    const round = meeting(first, second, add(middle, way), period);
    expect(free.counts.contacts).toBeGreaterThan(20);
    expect(round.counts.contacts).toBe(free.counts.contacts);
    expect(difference(free, round, way)).toBeLessThan(1e-11);
    // In the middle there might as well be no period
    expect(meeting(first, second, middle).hash()).toBe(free.hash());
  });
});

describe('a crowd of all shapes', () => {
  const steps = 300;
  const still = engine(crowd([0, 0, 0]), period);
  still.advance(steps);

  // Each impact makes rounding grow; after few of them there is little of it
  test('moved by any way, meets and goes on alike', () => {
    for (const way of [
      [0.111, -0.23, 0.4],
      [5 * side + 0.01, 0, -7 * side],
    ] as const) {
      const moved = engine(crowd(way), period);
      moved.advance(steps);
      expect(moved.counts.contacts).toBe(still.counts.contacts);
      expect(difference(still, moved, way)).toBeLessThan(1e-6);
    }
    expect(still.counts.contacts / steps).toBeGreaterThan(4);
    // all of them are in the box
    for (let b = 0; b < numberOf; b++)
      for (let k = 0; k < 3; k++) {
        const x = still.arrays.positions.view[4 * b + k];
        expect(x).toBe(imageWithin(x, k, period));
      }
  });

  test('keeps its momentum', () => {
    const sum = (grains: RigidGrains): Vec3 => {
      const v = grains.arrays.velocities.view;
      let p: Vec3 = [0, 0, 0];
      for (let b = 0; b < numberOf; b++) p = add(p, scale(1 / v[8 * b + 3], [v[8 * b], v[8 * b + 1], v[8 * b + 2]]));
      return p;
    };
    const start = engine(crowd([0, 0, 0]), period);
    expect(norm(sub(sum(still), sum(start)))).toBeLessThan(1e-14);
  });

  test.each([2, 3, 4, 7])('%d threads: the same bits', (threads) => {
    const grains = engine(crowd([0, 0, 0]), period, { team: new SerialTeam(threads) });
    grains.advance(steps);
    expect(grains.hash()).toBe(still.hash());
  });

  test('any skin, order, and the kernels as TypeScript: the same bits', () => {
    const order = Array.from({ length: numberOf }, (_, k) => (k * 29) % numberOf);
    const places = order.map((_, k) => order.indexOf(k));
    const others: readonly [Partial<RigidGrainsOptions>, number[] | undefined][] = [
      [{ skin: 1e-3 }, undefined],
      [{ skin: 0.03 }, undefined],
      [{ wasm: false }, undefined],
      [{}, order],
    ];
    for (const [more, shuffled] of others) {
      const grains = engine(crowd([0, 0, 0], shuffled), period, more);
      grains.advance(steps);
      expect(grains.hash(shuffled && places)).toBe(still.hash());
    }
  });

  test('stopped and gone on with: the same bits', () => {
    const before = engine(crowd([0, 0, 0]), period);
    before.advance(117);
    const after = engine(crowd([0, 0, 0]), period, { levers: before.levers, team: new SerialTeam(2) });
    after.resume(before.snapshot(), '');
    after.advance(steps - 117);
    expect(after.hash()).toBe(still.hash());
    expect(after.wentRound).toBe(still.wentRound);
  });
});

// Falling along x for 1/2 s is 1.23 m, more than twice round: the work of gravity is m g²t²/2 and the book knows where it went
test('falling round a period is work of gravity', () => {
  const body = {
    shape: shapes[4],
    species: 0,
    density: 2500,
    orientation: [1, 0, 0, 0],
    position: [0, 0.4, 0.2],
  } as const;
  const grains = engine([body], period, { gravity: [9.81, 0, 0], step: 1e-3 });
  const before = energiesOf(grains, [9.81, 0, 0]);
  grains.advance(500);
  const after = energiesOf(grains, [9.81, 0, 0]);
  const work = (2500 * shapes[4].volume * (9.81 * 0.5) ** 2) / 2;
  expect(after.kinetic / work).toBeCloseTo(1, 12);
  // rounded to the grid of the sums, 2⁻⁵⁰ of the scale of forces by the period
  expect((before.potential - after.potential) / work).toBeCloseTo(1, 10);
});

// A gutter along y that is longer than the period, of equal parts: two of them on, everything is alike. Its parts are listed by cells, over the borders. Without friction and loss, for what a contact remembers stays with its part of the wall.
test('grains in a gutter that goes through the borders', () => {
  const sides: GrainBody[] = [-1, 1].flatMap((s) =>
    Array.from({ length: 12 }, (_, k) => ({
      shape: polyhedronGrain(box([0.2, 0.125, 0.1]).mesh),
      species: 0,
      density: Number.POSITIVE_INFINITY,
      position: [0.15 + s * 0.1, -0.2 + 0.125 * k, 0] as const,
      orientation: fromAxisAngle([0, 1, 0], s * -0.6),
    })),
  );
  const gutter: Period = { low: [0, 0.2, 0], length: [0, side, 0] };
  const poured = (way: number): RigidGrains => {
    const some = crowd([0.02, 0, 0.11])
      .slice(0, 16)
      .map((own) => {
        const [x, y, z] = own.position;
        return { ...own, position: [0.6 * x + 0.04, y + way, z] as const, velocity: scale(0.1, own.velocity!) };
      });
    const grains = engine([...sides, ...some], gutter, {
      gravity: [0, 0, -9.81],
      step: 2e-4,
      contact: () => ({ modulus: 1e8, restitution: 1, friction: 0, reducedModulus: 1e7, reducedShearModulus: 4e6 }),
    });
    grains.advance(800);
    return grains;
  };
  const [still, moved] = [poured(0), poured(0.25)];
  expect(moved.counts.contacts).toBe(still.counts.contacts);
  expect(still.counts.contacts).toBeGreaterThan(1000);
  expect(difference(still, moved, [0, 0.25, 0], gutter)).toBeLessThan(1e-6);
});

test('a period that is too narrow for its grains is refused', () => {
  expect(() => engine(crowd([0, 0, 0]), { low: [0, 0, 0], length: [0, 0.3, 0] })).toThrow(
    'grains.periodic.y: expected a period of at least three cells of 0.122 m (greatest diameter and skin), got 0.3 m',
  );
});
