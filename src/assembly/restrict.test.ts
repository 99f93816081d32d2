import { describe, expect, test } from 'vitest';
import { initialise } from '../dynamics/initialise.js';
import { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { box, halfSpace, sphere } from '../geometry/index.js';
import { random } from '../math/random.js';
import { applied, body, gear, model, oak, prismatic, revolute, rod, spherical, spring } from '../model/index.js';
import { assemble } from './assemble.js';
import { mechanismsOf, type Part, restrict } from './restrict.js';
import type { System } from './system.js';

const link = (x: number) => body({ shape: box([0.2, 0.05, 0.05]), material: oak, position: [x, 0, 1] });
const ball = (x: number) => body({ shape: sphere(0.05), material: oak, position: [x, 1, 2], velocity: [1, 2, 3] });

/** Trees with loops, gears, balls, friction and stops; free bodies, two of them on a spring; a belt that is driven; far from each other. */
const scene = model({
  bodies: {
    floor: body({ shape: halfSpace(), material: oak, fixed: true }),
    free1: ball(0),
    crank: link(2),
    coupler: link(2.2),
    free2: ball(4),
    belt: body({ shape: box([1, 1, 0.1]), material: oak, position: [8, 0, 1] }),
    arm: link(10),
    hand: link(10.2),
    shaft: link(14),
    wheel: link(15),
    spring1: ball(20),
    spring2: ball(21),
    tied: ball(8.5),
  },
  joints: {
    crankPin: revolute({ body: 'crank', axis: [0, 1, 0], at: [1.9, 0, 1], initialSpeed: 3 }),
    couplerPin: revolute({ body: 'coupler', to: 'crank', axis: [0, 1, 0], at: [2.1, 0, 1] }),
    drive: prismatic({ body: 'belt', axis: [1, 0, 0], position: (t) => 0.1 * t * t }),
    shoulder: spherical({ body: 'arm', at: [9.9, 0, 1], initialAngularVelocity: [0.3, 1, 2] }),
    elbow: revolute({
      body: 'hand',
      to: 'arm',
      axis: [0, 1, 0],
      at: [10.1, 0, 1],
      friction: { limit: 1 },
      stops: { lower: -0.1, upper: 0.1, stiffness: 1e4 },
    }),
    shaftBearing: revolute({ body: 'shaft', axis: [1, 0, 0], torque: (t) => t }),
    wheelBearing: revolute({ body: 'wheel', axis: [1, 0, 0], damping: 0.1, friction: { limit: 2 } }),
  },
  constraints: {
    link: rod({ from: 'coupler', to: [2.6, 0, 1.3] }),
    teeth: gear({ joints: ['shaftBearing', 'wheelBearing'], ratio: 2 }),
  },
  forces: {
    coil: spring({ from: 'spring1', to: 'spring2', stiffness: 100 }),
    onBelt: spring({ from: 'belt', to: 'tied', stiffness: 50 }),
    push: applied({ on: 'free2', force: (t: number) => [t, 0, 0] }),
  },
});
const whole = assemble(scene);
const mechanisms = mechanismsOf(whole);
const names = (system: System, fixed = false): string[] =>
  system.bodies.filter((place) => fixed || !place.fixed).map(({ name }) => name);

describe('mechanisms', () => {
  test('what is tied for good is one, what is prescribed ties nothing', () => {
    const found = mechanisms.all.map((_, i) => names(restrict(whole, mechanisms, [i]).system));
    // the belt is in all of them
    expect(found.map((own) => own.filter((name) => name !== 'belt'))).toEqual([
      ['shaft', 'wheel'],
      ['crank', 'coupler'],
      ['arm', 'hand'],
      ['free1'],
      ['free2'],
      ['spring1', 'spring2'],
      ['tied'],
      [],
    ]);
    expect(found.every((own) => own.includes('belt'))).toBe(true);
    expect(mechanisms.prescribed).toBe(7);
  });
});

/** State of the part, of the whole's */
function slice({ q, v, s }: Part, y: Float64Array): Float64Array {
  const { nq, nv } = whole;
  return Float64Array.from([...q, ...v.map((k) => nq + k), ...s.map((k) => nq + nv + k)], (k) => y[k]);
}

describe('restrict', () => {
  const mechanics = new MechanicalSystem(whole);
  const start = Float64Array.from(whole.initial);
  initialise(mechanics, 0, start);

  test('all mechanisms: the system itself', () => {
    const all = restrict(whole, mechanisms, [...mechanisms.all.keys()]);
    expect(all.system).toBe(whole);
  });

  test.each([[[0]], [[1]], [[2]], [[3]], [[4]], [[5]], [[6]], [[7]], [[0, 3]], [[1, 2, 6]], [[0, 1, 2, 3, 4, 5, 6]]])(
    'mechanisms %j alone have the rates they have in the whole and solve as they do, bit by bit where no loop has to be closed',
    (chosen) => {
      const part = restrict(whole, mechanisms, chosen);
      const alone = new MechanicalSystem(part.system);
      const draw = random(`restrict ${chosen}`);
      const y = start.map((value) => value + 0.01 * draw.normal());
      for (const q of mechanics.matrix.columns.rotorQ) {
        const size = Math.hypot(...y.subarray(q, q + 4));
        for (let j = 0; j < 4; j++) y[q + j] /= size;
      }
      const own = slice(part, y);
      const t = 0.7;
      mechanics.prepare(t, y);
      alone.prepare(t, own);
      const f = new Float64Array(y.length);
      const g = new Float64Array(own.length);
      mechanics.rates(t, y, f);
      alone.rates(t, own, g);
      // Independent rows of loops are found in one sum over all of them: to rounding there
      const same = (one: Float64Array, other: Float64Array): void => {
        if (part.system.constraints.length === 0) expect([...one]).toEqual([...other]);
        else
          for (const [k, value] of one.entries())
            expect(Math.abs(value - other[k])).toBeLessThan(1e-11 * (1 + Math.abs(value)));
      };
      same(g, slice(part, f));

      const byTime = new Float64Array(y.length);
      const byTimeAlone = new Float64Array(own.length);
      mechanics.linear.linearise(t, y, f, byTime);
      alone.linear.linearise(t, own, g, byTimeAlone);
      mechanics.linear.factorise(1e-3);
      alone.linear.factorise(1e-3);
      const right = y.map(() => draw.normal());
      const rightAlone = slice(part, right);
      mechanics.linear.solve(right);
      alone.linear.solve(rightAlone);
      same(rightAlone, slice(part, right));
    },
  );

  test('a part without a driven neighbour does not depend on time, one that is tied to it does', () => {
    const timeDependent = (i: number): boolean =>
      new MechanicalSystem(restrict(whole, mechanisms, [i]).system).timeDependent;
    expect([0, 1, 2, 3, 4, 5, 6, 7].map(timeDependent)).toEqual([true, false, false, false, true, false, true, true]);
  });

  test('names, masses and places of bodies, joints and shapes are those of the whole', () => {
    const part = restrict(whole, mechanisms, [2, 3]);
    expect(names(part.system, true)).toEqual(['floor', 'free1', 'belt', 'arm', 'hand']);
    expect(part.system.joints.map(({ name }) => name)).toEqual(['drive', 'shoulder', 'elbow']);
    expect(part.system.contacts!.shapes.map(({ name }) => name)).toEqual(['floor', 'free1', 'belt', 'arm', 'hand']);
    expect([...part.shapes]).toEqual(
      part.system.contacts!.shapes.map(({ name }) => whole.contacts!.shapes.findIndex((shape) => shape.name === name)),
    );
    const { rules } = part.system.contacts!;
    expect([...rules.body]).toEqual([-1, 1, -1, 3, 4]);
    // arm and hand are joined
    expect([...rules.excludedBodies]).toEqual([4, 3]);
    expect(part.system.tree.mass[part.system.tree.motion.findIndex((motion) => motion >= 0)]).toBe(0);
    expect(part.system.bodies[2].mass).toBe(whole.bodies[5].mass);
  });

  test('what keeps two bodies apart keeps the one apart from the other where that stands in every part', () => {
    const apart = assemble(
      model({
        bodies: {
          a: ball(0),
          b: ball(3),
          belt: body({ shape: [box([1, 1, 0.1]), box([1, 1, 0.2])], material: oak, position: [8, 0, 1] }),
        },
        joints: { drive: prismatic({ body: 'belt', axis: [1, 0, 0], speed: 1 }) },
        contacts: { exclude: [['a', 'belt']] },
      }),
    );
    const { contacts } = restrict(apart, mechanismsOf(apart), [0]).system;
    expect(contacts!.shapes.map(({ name }) => name)).toEqual(['a', 'belt[0]', 'belt[1]']);
    expect([...contacts!.rules.excludedShapes]).toEqual([0, 1, 0, 2]);
    expect([...contacts!.rules.excludedBodies]).toEqual([]);
  });
});
