/** What contacts turn into heat, per body and per pair of bodies. */
import { describe, expect, test } from 'vitest';
import { halfSpace } from '../geometry/half-space.js';
import { box, sphere } from '../geometry/primitives.js';
import type { Vec3 } from '../math/vec3.js';
import { type BodyOptions, body } from '../model/body.js';
import { type ModelOptions, model } from '../model/model.js';
import type { Recording } from '../results/recording.js';
import { Simulation, simulate } from './simulation.js';

const soft = { name: 'soft', density: 1000, youngsModulus: 1e7, poissonRatio: 0.3 };
const floor = body({ shape: halfSpace(), fixed: true, material: soft });
const ball = (position: Vec3, more: Partial<BodyOptions> = {}): BodyOptions =>
  body({ shape: sphere(0.1), material: soft, position, ...more });
const run = (options: ModelOptions, stopTime: number): Recording => simulate(model(options), { stopTime });
const ballMass = 1000 * (4 / 3) * Math.PI * 0.1 ** 3;

describe('heat', () => {
  test('of one impact: ½ m v² (1 − e²)', () => {
    const recording = run(
      {
        gravity: 'none',
        bodies: { floor, ball: ball([0, 0, 0.15], { velocity: [0, 0, -2] }) },
        contacts: { defaults: { restitution: 0.6, friction: 0 } },
      },
      0.1,
    );
    const heat = recording.signal('contacts.floor-ball.heat');
    // The restitution is met to the contact tolerance, 1e-2
    expect(heat.at(-1)! / (0.5 * ballMass * 4 * (1 - 0.36))).toBeCloseTo(1, 2);
    const lost = recording.signal('energy.kinetic').values;
    expect(heat.at(-1)! / (lost[0] - lost[lost.length - 1])).toBeCloseTo(1, 2);
    expect(heat.values[0]).toBe(0);
    // it never cools down
    for (let i = 1; i < heat.values.length; i++)
      expect(heat.values[i]).toBeGreaterThanOrEqual(heat.values[i - 1] - 1e-9);
  });

  test('of a block that slides until it stops: ½ m v²', () => {
    const a = 0.1;
    const recording = run(
      {
        bodies: {
          floor,
          block: body({ shape: box(a), material: soft, position: [0, 0, a / 2], velocity: [0.5, 0, 0] }),
        },
        contacts: { defaults: { friction: 0.4, restitution: 0.1 } },
      },
      0.4,
    );
    // and what it fell by, its depth at rest: m g d, of which half is elastic
    expect(recording.signal('block.contact.heat').at(-1)! / (0.5 * 1000 * a ** 3 * 0.25)).toBeCloseTo(1, 2);
    expect(recording.signal('block.contact.heat').values).toEqual(recording.signal('contacts.floor-block.heat').values);
  });

  test('of the pairs adds up to that of the whole at every time, that of a body to that of its pairs', () => {
    const recording = run(
      {
        bodies: {
          floor,
          block: body({ shape: box([0.3, 0.3, 0.1]), material: soft, position: [0, 0, 0.05], velocity: [1, 0, 0] }),
          a: ball([0, 0, 0.21], { velocity: [0, 0, -1], angularVelocity: [0, 0, 20] }),
          b: ball([0.5, 0.02, 0.1], { velocity: [-1, 0, 0] }),
        },
        contacts: { defaults: { friction: 0.4, restitution: 0.3 } },
      },
      0.5,
    );
    const heat = (name: string): Float64Array => recording.signal(`${name}.heat`).values;
    const pairs = recording.names('contacts.*.heat').map((name) => name.slice(0, -5));
    expect(pairs).toHaveLength(6);
    const whole = recording.signal('energy.dissipated').values;
    const scale = whole[whole.length - 1];
    expect(scale).toBeGreaterThan(1);
    expect(pairs.filter((name) => heat(name)[whole.length - 1] > 0.01 * scale).length).toBeGreaterThanOrEqual(4);
    for (let i = 0; i < whole.length; i++) {
      const sum = pairs.reduce((total, name) => total + heat(name)[i], 0);
      // the same samples, added up in another order
      expect(Math.abs(sum - whole[i])).toBeLessThan(1e-12 * scale);
      for (const name of ['block', 'a', 'b']) {
        const own = pairs.filter((pair) => pair.split(/[.-]/).includes(name));
        expect(own).toHaveLength(3);
        const total = own.reduce((so, pair) => so + heat(pair)[i], 0);
        expect(Math.abs(total - heat(`${name}.contact`)[i])).toBeLessThan(1e-12 * scale);
      }
    }
  });

  test('of contacts that are stressed as drawn: what they hold at the start is none', () => {
    const recording = run(
      { bodies: { floor, block: body({ shape: box(0.1), material: soft, position: [0, 0, 0.05 - 1e-5] }) } },
      0.01,
    );
    expect(recording.signal('block.contact.heat').values[0]).toBe(0);
  });

  test('is no condition of an event: it is known at the end of a step only', () => {
    const options = { bodies: { floor, ball: ball([0, 0, 0.2]) } };
    const when = (signal: string) => () =>
      new Simulation(model({ ...options, events: { warm: { when: (read) => read(signal) - 1, stop: true } } })).advance(
        0.01,
      );
    for (const signal of ['ball.contact.heat', 'contacts.floor-ball.heat'])
      expect(when(signal)).toThrow(`events.warm.when: "${signal}" is an integral`);
    expect(when('ball.contact.touching')).not.toThrow();
  });

  test('costs nothing where there are no sensors', () => {
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`ball${i}`, ball([0.3 * i, 0, 0.1])]));
    const simulation = new Simulation(model({ bodies: { floor, ...many } }), { stopTime: 1e-3 });
    expect(simulation.recording.names('*.heat')).toEqual([]);
    const named = new Simulation(model({ bodies: { floor, ...many }, contacts: { sensors: [['ball7', 'floor']] } }));
    expect(named.recording.names('*.heat')).toEqual(['contacts.floor-ball7.heat']);
  });
});
