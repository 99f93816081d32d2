// Workers on shared memory give the bits of one thread.
import { expect, test } from 'vitest';
import { angularRock } from '../assets/stones.js';
import { AT_REST, GrainBed, planeFeature } from '../grains/index.js';
import { RigidGrains } from '../grains/polyhedra/rigid-grains.js';
import { polyhedronGrain, toolShape } from '../grains/shapes/grain-shape.js';
import { halfSpacePiece } from '../grains/shapes/piece.js';
import { SerialTeam, type Team } from '../grains/team.js';
import { random } from '../math/random.js';
import { KernelWorkers } from './kernel-workers.js';

function heap(team: Team): { hash: string; contacts: number } {
  const draw = random('heap');
  const stones = Array.from({ length: 60 }, (_, i) => ({
    shape: polyhedronGrain(angularRock({ radius: 0.01, seed: i }).mesh),
    species: 0,
    density: 2500,
    position: [0.021 * (i % 4), 0.021 * (Math.floor(i / 4) % 4), 0.012 + 0.021 * Math.floor(i / 16)] as const,
    orientation: draw.rotation(),
  }));
  const floor = {
    shape: toolShape([halfSpacePiece([0, 0, 0], [0, 0, 1])]),
    species: 0,
    density: Number.POSITIVE_INFINITY,
    position: [0, 0, 0] as const,
    orientation: [1, 0, 0, 0] as const,
  };
  const grains = new RigidGrains({
    bodies: [...stones, floor],
    contact: () => ({ modulus: 2e8, restitution: 0.3, friction: 0.5 }),
    gravity: [0, 0, -9.81],
    step: 1e-4,
    team,
  });
  grains.advance(600);
  grains.close();
  return { hash: grains.hash(), contacts: grains.counts.contacts };
}

/** Balls thrown on a floor */
function bed(team: Team): { hash: string; contacts: number; work: object } {
  const draw = random('bed');
  const grains = new GrainBed({
    kinds: [{ name: 'soft', youngsModulus: 1e7, poissonRatio: 0.3 }],
    lawOf: () => ({ restitution: 0.5, friction: 0.5, rollingFriction: 0.1 }),
    walls: [{ name: 'floor', kind: 0, features: planeFeature([0, 0, 1], 0), pose: AT_REST, farthest: 1 }],
    gravity: [0, 0, -9.81],
    team,
  });
  grains.add(
    Array.from({ length: 500 }, (_, k) => ({
      position: [0.011 * (k % 8), 0.011 * (Math.floor(k / 8) % 8), 0.006 + 0.011 * Math.floor(k / 64)] as const,
      radius: 0.005 * (0.9 + 0.2 * draw.uniform()),
      velocity: [0.2 * draw.uniform(), 0, -draw.uniform()] as const,
      kind: 0,
      density: 2500,
    })),
  );
  grains.start();
  for (let k = 0; k < 400; k++) grains.step(5e-5);
  grains.close();
  return { hash: grains.hash, contacts: grains.facts.pairs, work: { ...grains.work } };
}

test('one hash of spheres, and one work of their contacts, for one thread and for two, three, four and seven workers', () => {
  const expected = bed(new SerialTeam());
  expect(expected.contacts).toBeGreaterThan(100);
  for (const threads of [2, 3, 4, 7]) expect(bed(new KernelWorkers(threads))).toEqual(expected);
});

test('one hash of stones for one thread and for two, three, four and seven workers', () => {
  const expected = heap(new SerialTeam());
  expect(expected.contacts).toBeGreaterThan(5000);
  for (const threads of [2, 3, 4, 7]) expect(heap(new KernelWorkers(threads))).toEqual(expected);
});

test('a number of threads that cannot be is refused', () => {
  expect(() => new KernelWorkers(0)).toThrow('threads: expected a whole number from 1 to 256, got 0');
});
