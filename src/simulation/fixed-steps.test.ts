/** Contact with friction under methods of one step length, and what the records say of the papers' torsion laws. */
import { describe, expect, test } from 'vitest';
import { halfSpace } from '../geometry/half-space.js';
import { sphere } from '../geometry/primitives.js';
import { body } from '../model/body.js';
import { type ModelOptions, model } from '../model/model.js';
import { Simulation, simulate } from './simulation.js';

const R = 0.02;
const material = (youngsModulus: number) => ({ name: 'm', density: 2000, youngsModulus, poissonRatio: 0.3 });
const thrown = (youngsModulus: number, restitution: number): ModelOptions => ({
  bodies: {
    floor: body({ shape: halfSpace(), fixed: true, material: material(youngsModulus) }),
    ball: body({
      shape: sphere(R),
      material: material(youngsModulus),
      position: [0, 0, R + 1e-3],
      velocity: [1, 0.3, -2],
      angularVelocity: [5, 0, 20],
    }),
  },
  contacts: { defaults: { friction: 0.4, restitution } },
});
const SIGNALS = [
  'velocity.x',
  'velocity.y',
  'velocity.z',
  'angularVelocity.x',
  'angularVelocity.y',
  'angularVelocity.z',
];

describe.each([
  ['verlet', 1e-4],
  ['symplecticEuler', 1e-4],
  ['verlet', 2e-3],
] as const)('%s, steps of %f s', (integrator, step) => {
  // k/d of the bristle is ω/2ζ, up to 50 ω where bodies are elastic: far above what an explicit formula can follow with 8 steps per 1/ω
  test.each([
    [1e8, 0.98],
    [1e8, 0.3],
    [1e10, 0.7],
  ])('a ball that hits the floor obliquely, E %f Pa, restitution %f', (youngsModulus, restitution) => {
    const stopTime = 0.03; // before it comes down again
    const simulation = new Simulation(model(thrown(youngsModulus, restitution)), { integrator, step, stopTime });
    let largest = 0;
    while (simulation.advance(simulation.time + 1e-6)) {
      const { state } = simulation;
      for (let i = 13; i < state.length; i++) largest = Math.max(largest, Math.abs(state[i]));
    }
    // a bristle is stretched by at most µ N/k_t, some depths; the deepest is below 0.4 mm
    expect(largest).toBeLessThan(1e-3);
    const run = simulation.finish();
    const exact = simulate(model(thrown(youngsModulus, restitution)), { integrator: 'rodas4', stopTime, rtol: 1e-8 });
    for (const signal of SIGNALS) {
      const scale = signal.startsWith('angular') ? 1 / R : 1;
      const [value, reference] = [run, exact].map((r) => r.signal(`ball.${signal}`).at(-1)! / scale);
      // a fiftieth of a period per step, first order: 3 % of the impact's speed
      expect(Math.abs(value - reference)).toBeLessThan(0.06);
    }
  });
});

test.each([[{ kind: 'elmqvist', constant: 3e2 }], [{ kind: 'buse', deadBand: 1e-3 }]] as const)(
  'the records of a spinning ball have the torque of the law %o',
  (torsion) => {
    const options = thrown(1e7, 0.1);
    const run = simulate(
      model({
        ...options,
        bodies: {
          ...options.bodies,
          ball: body({ shape: sphere(R), material: material(1e7), position: [0, 0, R], angularVelocity: [0, 0, 100] }),
        },
        contacts: { defaults: { friction: 0.4, restitution: 0.1, torsion } },
      }),
      { stopTime: 0.02, interval: 1e-3 },
    );
    const sensor = run.signal('ball.contact.torque.z').at(-1)!;
    expect(Math.abs(sensor)).toBeGreaterThan(1e-7);
    const now = run.table('contacts').instant(-1);
    // the record tells of B, along the normal towards it; the ball is round about the point: all of the sensor's z is this
    const torque = now.column('torque')[0] * now.column('normal.z')[0];
    expect(Math.abs(torque / sensor)).toBeCloseTo(1, 9);
  },
);
