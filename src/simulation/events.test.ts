/** Events of a model: at a time, on a condition, several at once; letting go, taking hold, ending the run. */
import { describe, expect, test } from 'vitest';
import { box, extrude, halfSpace, sphere } from '../geometry/index.js';
import { body } from '../model/body.js';
import { fixed, prismatic, revolute } from '../model/joints.js';
import { concrete, steel } from '../model/materials.js';
import { type ModelOptions, model, touch } from '../model/model.js';
import { simulate } from './simulation.js';

const weight = body({ mass: 1, inertia: [1, 1, 1] });
/** A weight on a latch, 9.81 m/s². */
const latched = (events: ModelOptions['events']) =>
  model({ bodies: { load: weight }, joints: { latch: fixed({ body: 'load' }) }, events });

describe('at a time', () => {
  test('to the bit, on whichever grid', () => {
    for (const at of [0.1, 0.3, Math.SQRT1_2]) {
      const run = simulate(latched({ drop: { at, release: 'latch' } }), { stopTime: 1, interval: 0.1 });
      expect(run.events).toEqual([{ time: at, name: 'drop' }]);
      expect(run.signal('load.position.z').valueAt(at)).toBe(0);
      expect(run.signal('load.position.z').at(-1)).toBeCloseTo(-0.5 * 9.81 * (1 - at) ** 2, 10);
    }
  });
  test('at the very start', () => {
    const run = simulate(latched({ drop: { at: 0, release: 'latch' } }), { stopTime: 1 });
    expect(run.events).toEqual([{ time: 0, name: 'drop' }]);
    expect(run.signal('load.position.z').at(-1)).toBeCloseTo(-0.5 * 9.81, 10);
  });
  test('after the end it does not come', () => {
    expect(simulate(latched({ drop: { at: 2, release: 'latch' } }), { stopTime: 1 }).events).toEqual([]);
  });
  test('several at once are carried out in the order written', () => {
    const run = simulate(
      model({
        bodies: { a: weight, b: { ...weight, position: [1, 0, 0] } },
        joints: { one: fixed({ body: 'a' }), two: fixed({ body: 'b' }) },
        events: {
          second: { at: 0.5, release: 'two' },
          first: { at: 0.5, release: 'one' },
          end: { at: 0.75, stop: true },
          never: { at: 0.8, attach: 'one' },
        },
      }),
      { stopTime: 1, interval: 0.25 },
    );
    expect(run.events.map(({ name }) => name)).toEqual(['second', 'first', 'end']);
    expect([...run.times]).toEqual([0, 0.25, 0.5, 0.5, 0.75, 0.75]);
    for (const name of ['a', 'b'])
      expect(run.signal(`${name}.position.z`).at(-1)).toBeCloseTo(-0.5 * 9.81 * 0.25 ** 2, 10);
    expect(run.state).toBe('finished');
  });
});

describe('on a condition', () => {
  // A weight falls h = 1 m in √(2h/g).
  const fall = (events: ModelOptions['events']) =>
    model({
      bodies: { load: weight, pan: { ...weight, position: [1, 0, 0] } },
      joints: { hold: fixed({ body: 'pan' }) },
      events,
    });

  test('located to rounding, and the run ends there', () => {
    const run = simulate(fall({ hit: { when: (signal) => -1 - signal('load.position.z'), stop: true } }), {
      stopTime: 10,
      rtol: 1e-9,
    });
    expect(run.events[0].time).toBeCloseTo(Math.sqrt(2 / 9.81), 11);
    expect(run.signal('load.position.z').at(-1)).toBeCloseTo(-1, 11);
    expect(run.times.at(-1)).toBe(run.events[0].time);
    expect(run.state).toBe('finished');
  });
  test('happens when it rises through zero, not when it falls, and once', () => {
    const swing = (sign: number) =>
      simulate(
        model({
          bodies: { bob: body({ mass: 1, inertia: [0, 0, 0], position: [0, 0, -1] }), load: weight },
          joints: {
            pivot: revolute({ body: 'bob', axis: [0, 1, 0], at: [0, 0, 0], initialAngle: 0.01 }),
            latch: fixed({ body: 'load' }),
          },
          events: { pass: { when: (signal) => sign * signal('pivot.angle'), release: 'latch' } },
        }),
        { stopTime: 6, interval: 1, rtol: 1e-9 },
      );
    // φ ≈ 0.01 cos √g t: falls through zero after a quarter of the period, rises after three.
    const quarter = Math.PI / 2 / Math.sqrt(9.81);
    expect(swing(-1).events[0].time).toBeCloseTo(quarter, 4);
    expect(swing(1).events[0].time).toBeCloseTo(3 * quarter, 4);
    // Three periods pass, but only what happened stands in the recording twice.
    expect(swing(-1).rows).toBe(7 + 2);
    expect(swing(-1).events).toHaveLength(1);
  });
  test('what has happened is not asked again', () => {
    let last = 0;
    const run = simulate(
      fall({
        hit: {
          when: (signal) => {
            last = Math.max(last, -signal('load.position.z'));
            return -1 - signal('load.position.z');
          },
          release: 'hold',
        },
      }),
      { stopTime: 10, rtol: 1e-9 },
    );
    expect(run.signal('load.position.z').at(-1)).toBeCloseTo(-0.5 * 9.81 * 100, 6);
    // The step in which it happens goes a little further; 490 m it does not.
    expect(last).toBeGreaterThan(1);
    expect(last).toBeLessThan(480);
  });
  test('a time and a condition that fall together', () => {
    const time = Math.sqrt(2 / 9.81);
    const run = simulate(
      fall({
        timed: { at: time, release: 'hold' },
        hit: { when: (signal) => -1 - signal('load.position.z'), stop: true },
      }),
      { stopTime: 1, rtol: 1e-10 },
    );
    expect(run.events.map(({ name }) => name).sort()).toEqual(['hit', 'timed']);
    for (const event of run.events) expect(event.time).toBeCloseTo(time, 11);
  });
});

describe('taking hold and letting go', () => {
  test('a joint attaches where the bodies are then, and can let go again', () => {
    const run = simulate(
      model({
        gravity: 'none',
        bodies: {
          tug: body({ mass: 3, inertia: [1, 1, 1], velocity: [2, 0, 0] }),
          barge: body({ mass: 1, inertia: [1, 1, 1], position: [4, 0.5, 0] }),
        },
        joints: { hook: fixed({ body: 'barge', to: 'tug' }) },
        events: {
          meet: { when: (signal) => signal('tug.position.x') - 3, attach: 'hook' },
          part: { at: 4, release: 'hook' },
        },
      }),
      { stopTime: 6, rtol: 1e-9, interval: 0.5 },
    );
    const at = (name: string, t: number): number => run.signal(name).valueAt(t);
    expect(run.events.map(({ name }) => name)).toEqual(['meet', 'part']);
    expect(run.events[0].time).toBeCloseTo(1.5, 11);
    // Momentum 6 kg m/s and angular momentum stay, before, between, after
    for (const t of [1, 2, 3, 5, 6]) {
      expect(at('momentum.x', t)).toBeCloseTo(6, 10);
      expect(at('angularMomentum.z', t)).toBeCloseTo(0, 10);
    }
    // Held together: the distance of the frames stays as it was when the hook took hold, √(1² + 0.5²)
    for (const t of [2, 3, 4])
      expect(
        Math.hypot(
          at('barge.position.x', t) - at('tug.position.x', t),
          at('barge.position.y', t) - at('tug.position.y', t),
        ),
      ).toBeCloseTo(Math.hypot(1, 0.5), 8);
    expect(at('barge.angularVelocity.z', 3)).toBeCloseTo(at('tug.angularVelocity.z', 3), 10);
  });

  test('from one to another in one event', () => {
    const run = simulate(
      model({
        gravity: 'none',
        bodies: { left: weight, right: { ...weight, position: [0, 1, 0] }, part: { ...weight, position: [0, 0.5, 0] } },
        joints: {
          a: prismatic({ body: 'left', axis: [1, 0, 0], speed: 1 }),
          b: prismatic({ body: 'right', axis: [1, 0, 0], speed: 2 }),
          inLeft: fixed({ body: 'part', to: 'left' }),
          inRight: fixed({ body: 'part', to: 'right' }),
        },
        events: { pass: { at: 1, release: 'inLeft', attach: 'inRight' } },
      }),
      { stopTime: 2, interval: 0.5, rtol: 1e-8 },
    );
    expect(run.signal('part.position.x').valueAt(1)).toBeCloseTo(1, 10);
    expect(run.signal('part.position.x').at(-1)).toBeCloseTo(3, 10);
    expect(run.trust.energy!.relativeError).toBeLessThan(1e-8);
  });
});

// A ball that falls from h above the floor touches it at √(2h/g); the instant is located on the step's own polynomial.
describe('when bodies touch', () => {
  const ball = body({ shape: sphere(0.05), material: steel, position: [0, 0, 1.05] });
  const floor = body({ shape: halfSpace(), fixed: true, material: concrete });
  test.each([
    ['ball', 'floor'],
    ['floor', 'ball'],
  ])('%s and %s', (a, b) => {
    const run = simulate(
      model({ bodies: { floor, ball }, events: { landed: { when: touch(a, b) }, end: { at: 0.6, stop: true } } }),
      { stopTime: 1 },
    );
    expect(run.events.map(({ name }) => name)).toEqual(['landed', 'end']);
    expect(run.events[0].time).toBeCloseTo(Math.sqrt(2 / 9.81), 9);
  });
  // A steel block goes flat 5 mm at 1 m/s to a flexible beam; of a beam in pieces any of them counts.
  test.each([
    ['automatic', 1, 'block', 'beam'],
    ['automatic', 4, 'beam', 'block'],
    ['time-stepping', 1, 'block', 'beam'],
  ] as const)('flexible bodies, %s, %i pieces', (integrator, substructures, a, b) => {
    const beam = body({
      shape: extrude(
        [
          [0, -0.01],
          [0.4, -0.01],
          [0.4, 0.01],
          [0, 0.01],
        ],
        0.01,
      ),
      material: steel,
      flexible: { grid: [16, 1], modes: 2, ...(substructures > 1 && { substructures }) },
    });
    const block = body({
      shape: box([0.02, 0.02, 0.01]),
      material: steel,
      position: [0.3, 0.025, 0.005],
    });
    const run = simulate(
      model({
        gravity: [0, 0, 0],
        bodies: { beam, block },
        joints: {
          wall: fixed({ body: 'beam' }),
          guide: prismatic({ body: 'block', axis: [0, 1, 0], at: [0.3, 0.025, 0], initialSpeed: -1 }),
        },
        contacts: { defaults: { friction: 0 } },
        events: { landed: { when: touch(a, b), stop: true } },
      }),
      { stopTime: 0.1, integrator, ...(integrator === 'time-stepping' && { step: 1e-4 }) },
    );
    expect(run.events.map(({ name }) => name)).toEqual(['landed']);
    // located to rounding under error control; time steps act at their ends
    expect(Math.abs(run.events[0].time - 5e-3)).toBeLessThan(integrator === 'automatic' ? 1e-9 : 1.01e-4);
  });
  test('bodies that are not there are refused by name', () => {
    expect(() =>
      simulate(model({ bodies: { floor, ball }, events: { landed: { when: touch('ball', 'flor') } } }), {
        stopTime: 1,
      }),
    ).toThrow(/events\.landed\.when: there is no signal "contacts\..*touching"/);
  });
});
