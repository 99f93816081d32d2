/** Going back and on again gives the bits of a run that never went back. */
import { describe, expect, test } from 'vitest';
import { halfSpace } from '../geometry/half-space.js';
import { box, capsule, cylinder, sphere } from '../geometry/primitives.js';
import { body } from '../model/body.js';
import { revolute } from '../model/joints.js';
import { brass, oak, rubber, steel } from '../model/materials.js';
import { model } from '../model/model.js';
import { Simulation } from './simulation.js';

const STEP = 4e-3;
const options = { integrator: 'time-stepping', step: STEP, interval: 4 * STEP, stopTime: 1.6 } as const;
const shapes = [
  box([0.1, 0.08, 0.06]),
  cylinder({ radius: 0.04, height: 0.1 }),
  sphere(0.05),
  capsule({ radius: 0.03, height: 0.1 }),
];
const materials = [steel, oak, rubber, brass];

/** Twelve parts that fall on each other and on the floor, and an arm that is driven through them */
const heap = () =>
  model({
    bodies: {
      floor: body({ shape: halfSpace({}), material: steel, fixed: true }),
      arm: body({ shape: box([0.5, 0.04, 0.04]), material: steel, position: [0, 0, 0.03] }),
      part: Array.from({ length: 12 }, (_, i) =>
        body({
          shape: shapes[i % 4],
          material: materials[(i + 1) % 4],
          position: [0.12 * (i % 3) - 0.1, 0.14 * (i % 2) + 0.01 * i, 0.15 + 0.12 * Math.floor(i / 3)],
        }),
      ),
    },
    joints: { axis: revolute({ body: 'arm', at: [0, 0, 0.03], axis: [0, 0, 1], speed: 2 }) },
  });

/** What a person does from `from` s on, always the same */
function play(run: Simulation, from: number): void {
  run.advance(from + 0.1);
  const grip = run.grab('part[4]', [0, 0, 0.1]);
  run.advance(from + 0.15);
  grip.moveTo([0.2, 0.1, 0.4]);
  run.hand!.drive('axis', -3);
  run.advance(from + 0.3);
  grip.release();
  run.hand!.setGravity([0, 1, -9]);
  run.advance();
}

describe('snapshot and restore', () => {
  test('the same acts after going back give the same recording, to the bit', () => {
    const straight = new Simulation(heap(), options);
    play(straight, 0.8);
    const { hash } = straight.finish();

    const run = new Simulation(heap(), options);
    run.advance(0.8);
    const then = run.snapshot();
    // something else happens first: thrown about, other pairs touch, gravity is off
    run.grab('part[0]', [0, 0, 0.2]).moveTo([-0.5, 0.3, 0.6]);
    run.hand!.setGravity([0, 0, 3]);
    run.hand!.drive('axis', 9);
    run.advance(1.4);
    const astray = run.recording.hash;
    run.restore(then);
    expect(run.time).toBe(then.time);
    expect(run.hand!.notes).toEqual([]);
    play(run, 0.8);
    expect(run.finish().hash).toBe(hash);
    expect(hash).not.toBe(astray);
    // once more, from the end of a run that is over
    run.restore(then);
    expect(run.finished).toBe(false);
    play(run, 0.8);
    expect(run.finish().hash).toBe(hash);
  });

  test('is refused where not all that a run holds can be seen, and for another run', () => {
    const exact = new Simulation(heap(), { stopTime: 1 });
    expect(() => exact.snapshot()).toThrow("expected a run with 'time-stepping'");
    const [a, b] = [new Simulation(heap(), options), new Simulation(heap(), options)];
    expect(() => b.restore(a.snapshot())).toThrow('expected a snapshot of this simulation');
  });
});
