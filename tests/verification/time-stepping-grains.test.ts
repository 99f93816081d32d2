/** Machines in steps of known length among grains, which make steps of their own: momentum to rounding, and the answer of error control as steps become short. */
import { expect, test } from 'vitest';
import { halfSpace } from '../../src/geometry/half-space.js';
import { box } from '../../src/geometry/primitives.js';
import type { Vec3 } from '../../src/math/vec3.js';
import { body } from '../../src/model/body.js';
import { revolute } from '../../src/model/joints.js';
import { type ModelOptions, model } from '../../src/model/model.js';
import { Simulation, type SimulationOptions } from '../../src/simulation/simulation.js';

const soft = { density: 2500, youngsModulus: 1e7, poissonRatio: 0.3, restitution: 0.7, friction: 0.4 };
const run = (
  of: ModelOptions,
  at: readonly Vec3[],
  options: SimulationOptions,
  velocity: Vec3 = [0, 0, 0],
): Simulation => {
  const simulation = new Simulation(
    model({
      ...of,
      grains: {
        species: { bead: { radius: 0.01, material: soft } },
        packings: { heap: { species: 'bead', arrangement: 'given', at: [...at], velocity } },
      },
    }),
    { interval: 0.01, ...options },
  );
  simulation.advance();
  simulation.finish();
  return simulation;
};
const end = ({ recording }: Simulation, name: string): number => recording.signal(name).at(-1)!;
const stepped = (step: number): SimulationOptions => ({ integrator: 'time-stepping', step });
const layers = (count: number): Vec3[] =>
  Array.from({ length: 25 * count }, (_, k) => [
    0.0201 * (k % 5) - 0.0402,
    0.0201 * (Math.floor(k / 5) % 5) - 0.0402,
    0.0101 + 0.0201 * Math.floor(k / 25),
  ]);
const floor = body({ shape: halfSpace(), material: soft, fixed: true });
const wall = (x: number, y: number) =>
  body({
    shape: box(x ? [0.02, 0.2, 0.3] : [0.2, 0.02, 0.3]),
    material: soft,
    position: [0.0605 * x, 0.0605 * y, 0.15],
    fixed: true,
  });
const pit = { floor, wall: [wall(1, 0), wall(-1, 0), wall(0, 1), wall(0, -1)] };

test('what grains lose the body has, to rounding', () => {
  const simulation = run(
    {
      gravity: 'none',
      bodies: { plate: body({ shape: box([0.1, 0.1, 0.01]), material: soft, position: [0.01, 0, -0.02] }) },
    },
    layers(1),
    { ...stepped(1e-3), stopTime: 0.05 },
    [0, 0, -1],
  );
  const { bed } = simulation.grains!;
  const [velocities, mass] = [bed.motion, soft.density * 1e-4];
  let momentum = 0;
  let before = 0;
  for (let i = 0; i < bed.count; i++) {
    momentum += velocities[8 * i + 2] / velocities[8 * i + 3];
    before -= 1 / velocities[8 * i + 3];
  }
  expect(end(simulation, 'plate.velocity.z')).toBeLessThan(-0.1); // they did meet
  expect(Math.abs((momentum + mass * end(simulation, 'plate.velocity.z')) / before - 1)).toBeLessThan(1e-12);
});

// A lid that is let fall 3 cm onto three layers of beads: the beads are the same in both, so that what differs is the steps of the lid
test('a lid comes to lie on beads where error control puts it; the ledger closes with the step', () => {
  const scene: ModelOptions = {
    bodies: { ...pit, lid: body({ shape: box([0.095, 0.095, 0.02]), material: soft, position: [0, 0, 0.1] }) },
  };
  const exact = run(scene, layers(3), { stopTime: 0.5 });
  const [coarse, fine] = [1e-3, 2.5e-4].map((step) => run(scene, layers(3), { ...stepped(step), stopTime: 0.5 }));
  for (const simulation of [coarse, fine])
    expect(Math.abs(end(simulation, 'lid.position.z') - end(exact, 'lid.position.z'))).toBeLessThan(5e-5);
  const open = ({ recording }: Simulation): number => recording.trust.energy!.relativeError;
  expect(open(fine)).toBeLessThan(0.3 * open(coarse));
  expect(fine.recording.trust.verdict!.word).toBe('trusted');
});

test('a motor turns a blade through beads: its angle is that of error control, motors are solved for in the step', () => {
  const scene: ModelOptions = {
    bodies: { ...pit, blade: body({ shape: box([0.08, 0.004, 0.03]), material: soft, position: [0, 0, 0.062] }) },
    joints: {
      shaft: revolute({ body: 'blade', axis: [0, 0, 1], at: [0, 0, 0.062], motor: { targetSpeed: 12, kd: 2e-3 } }),
    },
  };
  // a furrow for the blade to begin in
  const beads = layers(3).filter(([, y, z]) => z < 0.05 || Math.abs(y) > 0.015);
  const exact = run(scene, beads, { stopTime: 0.25 });
  const simulation = run(scene, beads, { ...stepped(5e-4), stopTime: 0.25 });
  // alone it would turn by nearly 3 rad; beads hold it up
  expect(end(exact, 'shaft.angle')).toBeLessThan(2.7);
  expect(Math.abs(end(simulation, 'shaft.angle') / end(exact, 'shaft.angle') - 1)).toBeLessThan(0.02);
});
