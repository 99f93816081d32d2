import { describe, expect, test, vi } from 'vitest';
import { halfSpace } from '../geometry/half-space.js';
import { box, sphere } from '../geometry/primitives.js';
import type { Vec3 } from '../math/vec3.js';
import { type BodyOptions, body } from '../model/body.js';
import { spring } from '../model/forces.js';
import { free, prismatic } from '../model/joints.js';
import { type Model, type ModelOptions, model } from '../model/model.js';
import type { Recording } from '../results/recording.js';
import { Simulation } from '../simulation/simulation.js';

const wood = { name: 'wood', density: 500, youngsModulus: 1e7, poissonRatio: 0.3 };
const a = 0.1;
const block = (position: Vec3, more: Partial<BodyOptions> = {}): BodyOptions =>
  body({ shape: box(a), material: wood, position, ...more });
const floor = body({ shape: halfSpace(), fixed: true, material: wood });
const scene = (options: ModelOptions): Model =>
  model({ contacts: { defaults: { friction: 0.5, restitution: 0.2 } }, ...options });

interface Run {
  readonly recording: Recording;
  readonly simulation: Simulation;
  /** s, from when on something rested without a break */
  readonly since: number;
}

/** With one step for all: by itself a stack at rest has steps of seconds, and no need to rest (that one too is woken: tests/verification/islands.test.ts). */
function run(described: Model, stopTime: number, mayRest = true): Run {
  const simulation = new Simulation(described, { stopTime, interval: 0.01, steps: 'one for all' });
  const { resting } = simulation.contacts!;
  if (!mayRest) vi.spyOn(resting, 'letRest').mockReturnValue(false);
  let since = Number.POSITIVE_INFINITY;
  while (
    simulation.advance(stopTime, () => {
      if (!resting.any) since = Number.POSITIVE_INFINITY;
      else since = Math.min(since, simulation.time);
      return false;
    })
  );
  return { recording: simulation.finish(), simulation, since };
}

const mass = 500 * a ** 3;
const g = 9.81;
/** Far away, 8 Hz: keeps the steps of all short. */
const restless = {
  bodies: { weight: body({ mass: 1, inertia: [1, 1, 1], position: [5, 0, 1] }) },
  joints: {
    guide: prismatic({ body: 'weight', axis: [0, 0, 1], spring: { stiffness: 2500 }, initialPosition: 0.01 }),
  },
};
const bodies = { floor, lower: block([0, 0, a / 2]), upper: block([0.01, 0, 1.5 * a + 1e-3]) };

describe('a stack that has settled', () => {
  const { recording, simulation, since } = run(
    scene({ bodies: { ...bodies, ...restless.bodies }, joints: restless.joints }),
    3,
  );
  const after = recording.times.findIndex((t) => t > since + 0.02);

  test('rests: nothing moves any more, at no cost', () => {
    expect([...simulation.contacts!.resting.bodies]).toEqual([1, 1]);
    expect(since).toBeLessThan(2.5);
    for (const name of ['lower', 'upper'])
      for (const axis of ['x', 'y', 'z']) {
        const places = recording.signal(`${name}.position.${axis}`).values.subarray(after);
        expect(Math.max(...places) - Math.min(...places)).toBeLessThan(1e-15); // rounding of dense output
        for (const speed of recording.signal(`${name}.velocity.${axis}`).values.subarray(after))
          expect(Math.abs(speed)).toBe(0);
      }
    // forces of what rests are not even asked for
    expect(simulation.mechanics.pairs).toEqual([]);
    expect(simulation.contacts!.pairs.length).toBeGreaterThan(0);
  });
  test('its contacts carry what they carried, and are recorded', () => {
    expect(recording.signal('upper.contact.force.z').at(-1)! / (mass * g)).toBeCloseTo(1, 4);
    expect(recording.signal('contacts.floor-lower.force.z').at(-1)! / (2 * mass * g)).toBeCloseTo(1, 4);
    const table = recording.table('contacts');
    expect(table.instant(-1).count).toBe(2);
  });
  test('the books stay closed: what is elastic and what is lost do not jump when it comes to rest', () => {
    const energy = recording.trust.energy!;
    expect(energy.relativeError).toBeLessThan(1e-3);
    // the contacts hold ½ (2 m g d + m g d'), 0.1 mJ; the weight far away swings with 125 mJ, kept to 1e-4 by the run's tolerance
    const parts = ['dissipated', 'total'].map((part) => recording.signal(`energy.${part}`).values);
    for (const values of parts) expect(Math.abs(values[after] - values[after - 5])).toBeLessThan(1e-5);
  });
});

describe('a ball that falls on it later', () => {
  // from 5 m above: 1 s
  const ball = body({ shape: sphere(0.05), material: wood, position: [0.02, 0.01, 5 + 2 * a] });
  const described = scene({ bodies: { ...bodies, ball, ...restless.bodies }, joints: restless.joints });
  const rested = run(described, 1.2);
  const awake = run(described, 1.2, false);

  test('wakes it: before nothing moved, after all do', () => {
    const at = (t: number): number => rested.recording.times.findIndex((time) => time >= t);
    const speed = rested.recording.signal('upper.velocity.z').values;
    expect(speed[at(0.95)]).toBe(0);
    expect(Math.max(...speed.subarray(at(1)).map(Math.abs))).toBeGreaterThan(0.1);
    expect(awake.recording.signal('upper.velocity.z').values[at(0.95)]).not.toBe(0);
  });
  test('and all goes as if it had been awake all the time', () => {
    // Both runs are within 1e-2 of the contacts' depths, about 10 µm, before; the impact makes more of it.
    for (const name of ['upper', 'lower', 'ball'])
      for (const axis of ['x', 'y', 'z']) {
        const [one, other] = [rested, awake].map(
          ({ recording }) => recording.signal(`${name}.position.${axis}`).at(-1)!,
        );
        expect(Math.abs(one - other), `${name}.${axis}`).toBeLessThan(5e-5);
      }
    expect(rested.recording.trust.energy!.relativeError).toBeLessThan(1e-3);
  });
});

describe('who does not rest', () => {
  const resting = ({ simulation }: Run): number[] => [...simulation.contacts!.resting.bodies];
  test('who hangs on a spring, and who lies on such a one', () => {
    const tied = run(
      scene({
        bodies: { ...bodies, aside: block([1, 0, a / 2]), ...restless.bodies },
        joints: restless.joints,
        forces: { tie: spring({ from: [0, 0, 1], to: { body: 'lower', at: [0, 0, 0] }, stiffness: 10, damping: 10 }) },
      } as unknown as ModelOptions),
      3,
    );
    expect(resting(tied)).toEqual([0, 0, 1]);
  });
  test('who has a joint, and who lies on what has one', () => {
    const lifted = run(
      scene({
        bodies: { table: block([0, 0, 0], { shape: box([0.3, 0.3, 0.02]) }), thing: block([0, 0, 0.01 + a / 2]) },
        joints: { lift: prismatic({ body: 'table', axis: [0, 0, 1], position: () => 0 }) },
      } as unknown as ModelOptions),
      2,
    );
    expect(resting(lifted)).toEqual([0]);
    expect(
      resting(
        run(scene({ bodies: { floor, thing: block([0, 0, a / 2]) }, joints: { none: free({ body: 'thing' }) } }), 2),
      ),
    ).toEqual([]);
  });
  test('a ball that rolls, and anything without gravity', () => {
    const rolling = body({
      shape: sphere(0.05),
      material: wood,
      position: [0, 0, 0.05],
      velocity: [0.01, 0, 0],
      angularVelocity: [0, 0.2, 0],
    });
    expect(resting(run(scene({ bodies: { floor, rolling } }), 2))).toEqual([0]);
    expect(resting(run(scene({ gravity: 'none', bodies: { floor, thing: block([0, 0, a / 2]) } }), 1))).toEqual([0]);
  });
  test('who has somebody near who moves, until that one has gone', () => {
    const passes = body({
      shape: sphere(0.05),
      material: wood,
      position: [-1, 0, 1.2 * a + 0.05],
      velocity: [0.5, 0, 0],
    });
    const gone = run(
      scene({
        gravity: [0, 0, -g],
        bodies: { floor, thing: block([0, 0, a / 2]), passes },
        contacts: { defaults: { friction: 0.5, restitution: 0.2 }, exclude: [['passes', 'floor']] },
      }),
      0.5,
    );
    expect(resting(gone)).toHaveLength(2);
    expect(resting(gone)[1]).toBe(0);
  });
});
