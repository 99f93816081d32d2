import { expect, test } from 'vitest';
import { AT_REST, GrainBed, planeFeature, SerialTeam, type Team } from '../grains/index.js';
import { GrainWorkers } from './grain-workers.js';

/** Beads fall onto a floor. */
function hashWith(team: Team): string {
  const bed = new GrainBed({
    kinds: [{ name: 'bead', youngsModulus: 1e7, poissonRatio: 0.3 }],
    lawOf: () => ({ restitution: 0.5, friction: 0.5 }),
    walls: [{ name: 'floor', kind: 0, features: planeFeature([0, 0, 1], 0), pose: AT_REST, farthest: 1 }],
    gravity: [0, 0, -9.81],
    team,
  });
  bed.add(
    Array.from({ length: 500 }, (_, k) => ({
      position: [
        0.0101 * (k % 10) + 1e-4 * (k % 3),
        0.0101 * (Math.floor(k / 10) % 10),
        0.0055 + 0.0102 * Math.floor(k / 100),
      ],
      radius: 0.005,
      velocity: [0, 0, -0.5],
      kind: 0,
      density: 2500,
    })),
  );
  bed.start();
  for (let k = 0; k < 400; k++) bed.step(5e-5);
  bed.close();
  return bed.hash;
}

test('workers give the bits of one thread', () => {
  const hash = hashWith(new SerialTeam());
  for (const threads of [1, 2, 3, 4]) expect(hashWith(new GrainWorkers(threads))).toBe(hash);
});

test('a number of threads that is none is refused', () => {
  expect(() => new GrainWorkers(0)).toThrow('threads: expected a whole number from 1 to 256, got 0');
});
