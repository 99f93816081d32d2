/**
 * Islands with their own steps: every mechanism that touches nothing makes the steps it would make alone, to the bit, whoever else is there; what
 * meets is joined in time, what parts is split; accuracy, friction memory and ledger are those of one step for all.
 */
import { describe, expect, test } from 'vitest';
import { box, cylinder, halfSpace, sphere } from '../../src/geometry/index.js';
import { random } from '../../src/math/random.js';
import {
  applied,
  type BodyOptions,
  body,
  model,
  oak,
  prismatic,
  revolute,
  rubber,
  steel,
} from '../../src/model/index.js';
import type { Recording } from '../../src/results/recording.js';
import { Simulation, type SimulationOptions } from '../../src/simulation/simulation.js';

const floor = body({ shape: halfSpace(), material: oak, fixed: true });

function run(bodies: Record<string, BodyOptions | BodyOptions[]>, options: SimulationOptions, more: object = {}) {
  const simulation = new Simulation(model({ bodies, ...more }), { steps: 'per island', ...options });
  simulation.advance();
  return { simulation, recording: simulation.finish() };
}

/** Every recorded number of a body, bit by bit */
function path(recording: Recording, name: string): number[] {
  return recording.signals
    .filter((signal) => signal.name.startsWith(`${name}.`))
    .flatMap(({ name: signal }) => [...recording.signal(signal).values]);
}

describe('each as if it were alone', () => {
  const ball = (i: number) =>
    body({
      shape: sphere(0.05),
      material: oak,
      position: [i % 4, Math.floor(i / 4), 0.3 + 0.013 * ((7 * i) % 11)],
      angularVelocity: [0, 0.1 * i, 1],
    });
  const options = { stopTime: 0.6, interval: 0.02, rtol: 1e-5 };
  const alone = Array.from({ length: 16 }, (_, i) => run({ floor, [`ball${i}`]: ball(i) }, options));

  test.each([4, 16])('%i balls: steps are the sum of single runs, and every ball has the bits of its own', (count) => {
    const { simulation, recording } = run(
      { floor, ...Object.fromEntries(Array.from({ length: count }, (_, i) => [`ball${i}`, ball(i)])) },
      options,
    );
    const steps = alone.slice(0, count).reduce((sum, { simulation: one }) => sum + one.statistics.accepted, 0);
    expect(simulation.statistics.accepted).toBe(steps);
    expect(simulation.islandCounts).toEqual({ joins: 0, splits: 0, largest: 1 });
    for (let i = 0; i < count; i++)
      expect(path(recording, `ball${i}`), `ball${i}`).toEqual(path(alone[i].recording, `ball${i}`));
  });
});

describe('same bits, whoever else is there', () => {
  // three balls without weight: a runs into b, b into c, and c turns back from a wall to meet b again
  const chosen = {
    a: body({ shape: sphere(0.05), material: oak, position: [0, 0, 5], velocity: [2, 0.01, 0] }),
    b: body({ shape: sphere(0.05), material: steel, position: [0.4, 0.01, 5], angularVelocity: [3, 1, 0] }),
    c: body({
      shape: box([0.1, 0.08, 0.06]),
      material: oak,
      position: [0.8, 0, 5],
      velocity: [-1, 0, 0],
      angularVelocity: [0, 2, 5],
    }),
    wall: body({ shape: box([0.1, 4, 4]), material: oak, fixed: true, position: [1.1, 0, 5] }),
  };
  const others = {
    floor,
    belt: body({ shape: box([2, 0.5, 0.1]), material: oak, position: [0, 30, 1] }),
    crate: body({ shape: box([0.2, 0.2, 0.2]), material: oak, position: [0, 30, 1.2] }),
    arm: body({ shape: box([0.5, 0.05, 0.05]), material: steel, position: [20, 0, 3] }),
    hand: body({ shape: box([0.5, 0.05, 0.05]), material: steel, position: [20.5, 0, 3] }),
    bullet: body({ shape: sphere(0.02), material: steel, position: [-30, 0, 8], velocity: [40, 0, 0] }),
    pair: [
      body({ shape: sphere(0.1), material: rubber, position: [0, -20, 0.3] }),
      body({ shape: sphere(0.1), material: rubber, position: [0.02, -20, 0.6] }),
    ],
  };
  const joints = {
    drive: prismatic({ body: 'belt', axis: [1, 0, 0], position: (t: number) => 0.02 * Math.sin(20 * t) }),
    shoulder: revolute({ body: 'arm', axis: [0, 1, 0], at: [19.75, 0, 3] }),
    elbow: revolute({ body: 'hand', to: 'arm', axis: [0, 1, 0], at: [20.25, 0, 3] }),
  };
  const field = { gravity: 'none' as const };
  const options = { stopTime: 0.7, interval: 0.01, rtol: 1e-5 };
  const alone = run(chosen, options, field);

  test('three bodies that meet and part, alone and with trees, a driven belt and a bullet before, between and after them', () => {
    expect(alone.simulation.islandCounts!.joins).toBeGreaterThanOrEqual(2);
    expect(alone.simulation.islandCounts!.splits).toBeGreaterThanOrEqual(2);
    const { a, b, c, wall } = chosen;
    const { floor: ground, belt, crate, arm, hand, bullet, pair } = others;
    const mixtures = [
      { ...others, ...chosen },
      { a, belt, crate, arm, hand, b, bullet, pair, c, wall, floor: ground },
    ];
    for (const mixture of mixtures) {
      const { recording } = run(mixture, options, { ...field, joints });
      for (const name of ['a', 'b', 'c']) expect(path(recording, name), name).toEqual(path(alone.recording, name));
    }
  });

  test('in pieces as in one go, to the bit', () => {
    const simulation = new Simulation(model({ bodies: chosen, ...field }), { ...options, steps: 'per island' });
    for (let t = 0.03; simulation.advance(t, () => Math.floor(1e5 * simulation.time) % 3 === 0); )
      if (simulation.time >= t) t += 0.03;
    const pieces = simulation.finish();
    expect(pieces.times).toEqual(alone.recording.times);
    for (const name of ['a', 'b', 'c']) expect(path(pieces, name)).toEqual(path(alone.recording, name));
  });
});

test('convergence: four groups of three colliding balls', () => {
  const bodies = Object.fromEntries(
    Array.from({ length: 12 }, (_, i) => {
      const group = Math.floor(i / 3);
      const place = i % 3;
      return [
        `ball${i}`,
        body({
          shape: sphere(0.05),
          material: rubber,
          position: [0.25 * (place - 1) + 0.013 * group * place, group + 0.004 * place, 1],
          velocity: [place === 0 ? 2 + 0.3 * group : place === 2 ? -1 : 0, 0, 0],
        }),
      ];
    }),
  );
  const places = (rtol: number, steps: SimulationOptions['steps']): number[] => {
    const { recording } = run(
      bodies,
      { stopTime: 0.4, interval: 0.4, rtol, ...(steps && { steps }) },
      {
        gravity: 'none',
        contacts: { tolerance: Math.min(1e-2, 1e3 * rtol) },
      },
    );
    return Array.from({ length: 12 }, (_, i) =>
      ['x', 'y', 'z'].map((axis) => recording.signal(`ball${i}.position.${axis}`).at(-1)!),
    ).flat();
  };
  const exact = places(1e-10, 'one for all');
  const error = (rtol: number, steps: SimulationOptions['steps']): number =>
    Math.max(...places(rtol, steps).map((x, k) => Math.abs(x - exact[k])));
  const tolerances = [1e-4, 1e-6, 1e-7];
  const own = tolerances.map((rtol) => error(rtol, 'per island'));
  const one = tolerances.map((rtol) => error(rtol, 'one for all'));
  // With one step for all a group gets the short steps of the other three as a present, three times as many: 4.8e-6, 1.7e-6, 6.5e-8 m against 2.6e-6, 1.8e-7, 1e-7 m
  for (let k = 0; k < own.length; k++) expect(own[k]).toBeLessThan(10 * one[k]);
  // falls at least three times a decade of rtol
  expect(own[2]).toBeLessThan(own[0] / 27);
});

/** Mixed solids thrown on a floor */
const thrown = (count: number): Record<string, BodyOptions> => {
  const draw = random('thrown');
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => {
      const shape = [sphere(0.05), box([0.1, 0.07, 0.06]), cylinder({ radius: 0.04, height: 0.08 })][i % 3];
      return [
        `solid${i}`,
        body({
          shape,
          material: i % 2 === 0 ? oak : steel,
          position: [0.16 * ((i % 3) - 1), 0.16 * ((Math.floor(i / 3) % 3) - 1), 0.12 + 0.16 * Math.floor(i / 9)],
          velocity: [0.3 * draw.normal(), 0.3 * draw.normal(), -1],
          angularVelocity: [draw.normal(), draw.normal(), draw.normal()],
        }),
      ];
    }),
  );
};

describe('thrown solids', () => {
  const bodies = { floor, ...thrown(12) };
  const options = { stopTime: 0.25, interval: 0.25 / 200, rtol: 1e-4 };

  test('at every row all islands are covered, and no two of them are nearer than ε', () => {
    const simulation = new Simulation(model({ bodies }), { ...options, steps: 'per island' });
    const { front } = simulation.islands!;
    let rows = 0;
    while (
      simulation.advance(undefined, () => {
        const t = simulation.time;
        const islands = [...front.islands];
        for (const island of islands) {
          expect(island.tPrevious).toBeLessThanOrEqual(t);
          expect(island.t).toBeGreaterThanOrEqual(t);
        }
        if (simulation.recording.rows === rows) return false;
        rows = simulation.recording.rows;
        // those that wait for each other at this very time are joined next
        for (const [k, i] of islands.entries())
          for (const j of islands.slice(k + 1))
            if (!(i.meets >= 0 && front.islandOf(i.meets) === j) && !(j.meets >= 0 && front.islandOf(j.meets) === i))
              expect(front.meetings!.within(i, j, t, 1)).toBe(false);
        return false;
      })
    );
    expect(simulation.islandCounts!.joins).toBeGreaterThan(3);
  });

  test('the ledger closes to the tolerance, and heats of bodies add up', () => {
    const own = run(bodies, options);
    const one = run(bodies, { ...options, steps: 'one for all' });
    const error = ({ recording }: typeof own): number => recording.trust!.energy!.relativeError;
    // 9e-5 and 5e-6: with one step for all every body gets the short steps of eleven others as a present
    expect(error(own)).toBeLessThan(options.rtol);
    expect(error(one)).toBeLessThan(options.rtol);
    // every contact is between a body and the floor, or two bodies: sensors count the first once and the second twice
    const heat = (name: string): number => own.recording.signal(`${name}.contact.heat`).at(-1)!;
    const dissipated = own.recording.signal('energy.dissipated').at(-1)!;
    const sum = Object.keys(thrown(12)).reduce((total, name) => total + heat(name), 0);
    expect(sum).toBeGreaterThan(0.999 * dissipated);
    expect(sum).toBeLessThan(2.001 * dissipated);
    const total = own.recording.signal('energy.total').values;
    const scale = Math.max(...own.recording.signal('energy.kinetic').values);
    for (const value of total) expect(Math.abs(value - total[0])).toBeLessThan(1e-3 * scale);
  });
});

test('bullets: whatever is thrown at plates and balls meets them, at any speed and however it spins', () => {
  const draw = random('bullets');
  const missed: number[] = [];
  for (let k = 0; k < 40; k++) {
    const speed = 10 ** (3 * (k / 39));
    const spin = k % 3 === 0 ? 100 * draw.normal() : 0;
    const target =
      k % 2 === 0
        ? body({ shape: box([0.001, 0.2, 0.2]), material: steel, position: [1, 0, 0] })
        : body({ shape: sphere(0.05), material: steel, position: [1, 0, 0] });
    const bullet = body({
      shape: k % 4 < 2 ? sphere(0.005) : box([0.01, 0.008, 0.006]),
      material: steel,
      position: [0, 0.02 * (draw.uniform() - 0.5), 0.02 * (draw.uniform() - 0.5)],
      velocity: [speed, 0, 0],
      angularVelocity: [spin, spin, 0],
    });
    const simulation = new Simulation(model({ gravity: 'none', bodies: { target, bullet } }), {
      stopTime: 1.2 / speed,
      rtol: 1e-4,
      steps: 'per island',
    });
    simulation.advance(undefined, () => simulation.islandCounts!.joins > 0);
    if (simulation.islandCounts!.joins === 0) missed.push(k);
  }
  expect(missed).toEqual([]);
});

// A bar that turns about its middle and goes nowhere: its tip comes to a ball with ω l/2 = 20 m/s. Joined at ε = 10⁻³ of the ball's reach the two have not
// touched, and the ledger closes; where only the middle's way counted, the bar was found deep inside the ball, or behind it.
test('what turns in place meets with its tip', () => {
  const { simulation, recording } = run(
    {
      bar: body({ shape: box([0.4, 0.02, 0.02]), material: steel, angularVelocity: [0, 0, 100] }),
      ball: body({ shape: sphere(0.02), material: steel, position: [0.12, 0.17, 0] }),
    },
    { stopTime: 0.02, interval: 1e-4 },
    { gravity: 'none' },
  );
  expect(simulation.islandCounts!.joins).toBe(1);
  expect(recording.signal('ball.velocity.x').at(-1)).toBeLessThan(-1);
  expect(recording.trust.energy!.relativeError).toBeLessThan(1e-5);
});

test('friction memory: a block stuck on a slope creeps by the jolts of balls as it does with one step for all', () => {
  const angle = 0.2;
  const g = 9.81;
  const bodies = {
    slope: body({ shape: halfSpace(), material: oak, fixed: true }),
    block: body({ shape: box([0.4, 0.3, 0.1]), material: oak, position: [0, 0, 0.0499999] }),
    ...Object.fromEntries(
      Array.from({ length: 3 }, (_, i) => [
        `ball${i}`,
        body({
          shape: sphere(0.03),
          material: steel,
          position: [0.1 * (i - 1) - 0.1, 0.02 * i, 0.2 + 0.03 * i],
        }),
      ]),
    ),
  };
  const creep = (steps: 'per island' | 'one for all') => {
    const { simulation, recording } = run(
      bodies,
      { stopTime: 0.6, rtol: 1e-5, steps },
      // one friction: where it falls, a jolt either tears the block off or not, and that is as sharp as friction is
      { gravity: [g * Math.sin(angle), 0, -g * Math.cos(angle)], contacts: { defaults: { friction: 0.48 } } },
    );
    return { simulation, way: recording.signal('block.position.x').at(-1)! };
  };
  const own = creep('per island');
  const one = creep('one for all');
  expect(own.simulation.islandCounts!.joins).toBeGreaterThanOrEqual(10);
  expect(own.simulation.islandCounts!.splits).toBeGreaterThanOrEqual(8);
  // 0.12 mm; a memory that was lost at a join or a split would let the block slip by µ N/k each time, some 1e-8 m, or slide
  expect(Math.abs(own.way / one.way - 1)).toBeLessThan(0.01);
});

test('stacks at rest need no steps, and a ball wakes only the one it hits', () => {
  const crate = (x: number, k: number) =>
    body({ shape: box([0.2, 0.2, 0.1]), material: oak, position: [x, 0, 0.05 + 0.1 * k] });
  const bodies = {
    floor,
    ...Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`crate${i}`, crate(Math.floor(i / 2), i % 2)])),
    ball: body({ shape: sphere(0.03), material: rubber, position: [1, 0, 6] }),
  };
  const simulation = new Simulation(model({ bodies }), { stopTime: 1.5, rtol: 1e-5, steps: 'per island' });
  simulation.advance(1);
  const { front } = simulation.islands!;
  const { mechanisms } = simulation.islands!;
  const islandOf = (name: string) => {
    const { node } = simulation.system.bodies.find((place) => place.name === name)!.anchor;
    return front.islandOf(mechanisms.ofFree[-2 - node]);
  };
  const untouched = [islandOf('crate0'), islandOf('crate4')];
  // in steps of most of the run: from 0.2 s to beyond 1 s in one, or to the end
  for (const island of untouched) {
    expect(island.t).toBeGreaterThan(1);
    expect(island.t - island.tPrevious).toBeGreaterThan(0.6);
  }
  simulation.advance();
  expect(islandOf('crate0')).toBe(untouched[0]);
  expect(islandOf('crate4')).toBe(untouched[1]);
  expect(simulation.islandCounts!.joins).toBeGreaterThan(0);
});

test('a condition switches a joint at the time of its single run, and others keep their bits', () => {
  const pendulum = (x: number) => ({
    bodies: {
      bob: body({ shape: box([0.3, 0.05, 0.05]), material: oak, position: [x + 0.15, 0, 2] }),
      tip: body({ shape: box([0.3, 0.05, 0.05]), material: oak, position: [x + 0.45, 0, 2] }),
    },
    joints: {
      pivot: revolute({ body: 'bob', axis: [0, 1, 0], at: [x, 0, 2] }),
      elbow: revolute({ body: 'tip', to: 'bob', axis: [0, 1, 0], at: [x + 0.3, 0, 2] }),
    },
    events: {
      letGo: { when: (signal: (name: string) => number) => -0.2 + Math.abs(signal('pivot.angle')), release: 'elbow' },
    },
  });
  const options = { stopTime: 0.8, interval: 0.02, rtol: 1e-7 };
  const single = pendulum(0);
  const ball = { floor, ball: body({ shape: sphere(0.05), material: oak, position: [5, 0, 0.4] }) };
  const alone = run({ floor, ...single.bodies }, options, { joints: single.joints, events: single.events });
  const quiet = run(ball, options);
  const both = run({ ...ball, ...single.bodies }, options, { joints: single.joints, events: single.events });
  const at = ({ recording }: typeof alone): number => recording.events[0].time;
  expect(Math.abs(at(both) - at(alone))).toBeLessThan(1e-12);
  const row = (recording: Recording): number[] => {
    // rows at the event are recorded before and after it
    const kept = [...recording.times.keys()].filter(
      (k) => Math.abs(recording.times[k] / 0.02 - Math.round(recording.times[k] / 0.02)) < 1e-9,
    );
    return kept.map((k) => recording.signal('ball.position.z').values[k]);
  };
  expect(row(both.recording)).toEqual(row(quiet.recording));
  const end = ({ recording }: typeof alone): number => recording.signal('tip.position.z').at(-1)!;
  expect(Math.abs(end(both) - end(alone))).toBeLessThan(1e-8);
});

test('a force that nobody can follow holds the front; memory stays, and what is recorded ends at the front', () => {
  const bodies = Object.fromEntries(
    Array.from({ length: 5 }, (_, i) => [
      `ball${i}`,
      body({ shape: sphere(0.05), material: oak, position: [i, 0, 1] }),
    ]),
  );
  const simulation = new Simulation(
    model({ bodies, forces: { hum: applied({ on: 'ball3', force: (t: number) => [1e6 * Math.sin(1e7 * t), 0, 0] }) } }),
    { stopTime: 1, steps: 'per island', maxSteps: 400 },
  );
  simulation.advance();
  expect(simulation.interruption).toMatch(/steps/);
  const recording = simulation.finish('interrupted');
  expect(recording.times.at(-1)).toBe(simulation.time);
  expect(simulation.time).toBeLessThan(1);
  // the others are one step ahead at most
  for (const island of simulation.islands!.front.islands) expect(island.tPrevious).toBeLessThanOrEqual(simulation.time);
});

// A slow bristle is no tie: a corner that lets go is soft in the end, and its memory fades with the root of its stiffness.
test('solids that have hit each other and flown apart are islands of their own', () => {
  const solid = (x: number, z: number, angle: number) =>
    body({
      shape: box([0.05, 0.04, 0.03]),
      material: oak,
      position: [x, 0, z],
      orientation: { axis: [1, 0.3, 0.2], angle },
    });
  const simulation = new Simulation(
    model({
      gravity: 'none',
      bodies: {
        one: { ...solid(0, 0, 0.4), velocity: [1, 0, 0] },
        other: solid(0.08, 0.004, 1.3),
      },
    }),
    { stopTime: 0.2 },
  );
  let [apart, touched] = [Number.NaN, false];
  simulation.advance(undefined, () => {
    const { joins, splits } = simulation.islandCounts!;
    touched ||= joins > 0;
    if (splits > 0 && Number.isNaN(apart)) apart = simulation.time;
    return false;
  });
  expect(touched).toBe(true);
  expect(simulation.islandCounts!.splits).toBeGreaterThan(0);
  // joined a thousandth of a size before they touch, split two behind: a few ms at 1 m/s
  const { recording } = simulation;
  const meeting = recording.signal('other.velocity.x').values.findIndex((v) => v !== 0);
  expect(apart - recording.times[meeting]).toBeLessThan(5e-3);
  expect(simulation.finish().trust.energy!.relativeError).toBeLessThan(1e-3);
});
