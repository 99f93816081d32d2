// Workers on shared memory give the bits of one thread.
import { expect, test } from 'vitest';
import { angularRock } from '../assets/stones.js';
import { polyhedronGrain, toolShape } from '../grains/polyhedra/grain-shape.js';
import { halfSpacePiece } from '../grains/polyhedra/piece.js';
import { RigidGrains } from '../grains/polyhedra/rigid-grains.js';
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

test('one hash for one thread and for two, three and five workers', () => {
  const expected = heap(new SerialTeam());
  expect(expected.contacts).toBeGreaterThan(5000);
  for (const threads of [2, 3, 5]) expect(heap(new KernelWorkers(threads))).toEqual(expected);
});

test('a number of threads that cannot be is refused', () => {
  expect(() => new KernelWorkers(0)).toThrow('threads: expected a whole number from 1 to 256, got 0');
});
