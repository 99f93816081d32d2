/** Contact as a user of the library meets it: sensors, records, fixed bodies, and what is refused. */
import { describe, expect, test } from 'vitest';
import { halfSpace } from '../geometry/half-space.js';
import { box, sphere, torus } from '../geometry/primitives.js';
import { translate } from '../geometry/transform.js';
import type { Vec3 } from '../math/vec3.js';
import { type BodyOptions, body } from '../model/body.js';
import { revolute } from '../model/joints.js';
import { type ModelOptions, model } from '../model/model.js';
import { pairNames } from '../results/contact-records.js';
import type { Recording } from '../results/recording.js';
import { Simulation, simulate } from './simulation.js';

const soft = { name: 'soft', density: 1000, youngsModulus: 1e7, poissonRatio: 0.3 };
const R = 0.1;
const mass = 1000 * (4 / 3) * Math.PI * R ** 3;
const g = 9.81;
const floor = body({ shape: halfSpace(), fixed: true, material: soft });
const ball = (position: Vec3, more: Partial<BodyOptions> = {}): BodyOptions =>
  body({ shape: sphere(R), material: soft, position, ...more });
const dead = { defaults: { friction: 0.5, restitution: 0.1 } };
const run = (options: ModelOptions, stopTime: number): Recording => simulate(model(options), { stopTime });
const last = (recording: Recording, name: string): number => recording.signal(name).at(-1)!;

// Hertz at rest: d = (m g/k)^(2/3), k = 4/3 E* √R, E* = E/(2 (1 − ν²))
const k = (4 / 3) * (1e7 / (2 * 0.91)) * Math.sqrt(R);
const depth = ((mass * g) / k) ** (2 / 3);

describe('a ball that has come to rest on a fixed floor', () => {
  const recording = run({ bodies: { floor, ball: ball([0.3, 0, R]) }, contacts: dead }, 1);
  // Quiet to the contact tolerance, 1e-2 of the depth; the force is within a few of it
  const weight = mass * g;
  test('feels its weight', () => {
    for (const name of ['ball.contact', 'contacts.floor-ball']) {
      expect(last(recording, `${name}.force.z`) / weight).toBeCloseTo(1, 3);
      for (const axis of ['x', 'y'])
        expect(Math.abs(last(recording, `${name}.force.${axis}`))).toBeLessThan(1e-3 * weight);
      // the force acts below the ball's own origin
      for (const axis of ['x', 'y', 'z'])
        expect(Math.abs(last(recording, `${name}.torque.${axis}`))).toBeLessThan(1e-3 * weight * R);
      expect(last(recording, `${name}.touching`)).toBe(1);
    }
  });
  test('is as deep as Hertz says', () => {
    expect((R - last(recording, 'ball.position.z')) / depth).toBeCloseTo(1, 2);
  });
  test('the floor stays where it is, and has no sensor of its own', () => {
    expect(last(recording, 'floor.position.z')).toBe(0);
    expect(recording.names('floor.contact.*')).toEqual([]);
  });
  test('the records say the same as the sensor', () => {
    const contacts = recording.table('contacts');
    expect(contacts.instants).toBe(recording.rows);
    const now = contacts.instant(-1);
    expect(now.count).toBe(1);
    const of = (name: string): number => now.column(name)[0];
    const [a, b] = pairNames(contacts.labels[of('pair')]);
    expect([a, b].sort()).toEqual(['ball', 'floor']);
    const towardsBall = b === 'ball' ? 1 : -1;
    expect(of('normal.z')).toBeCloseTo(towardsBall, 12);
    expect(towardsBall * (of('normal.z') * of('normalForce') + of('friction.z'))).toBe(
      last(recording, 'ball.contact.force.z'),
    );
    expect(of('depth') / depth).toBeCloseTo(1, 2);
    expect(of('point.x')).toBeCloseTo(0.3, 4);
    expect(of('region')).toBe(contacts.column('region')[0]); // one and the same from beginning to end
  });
  test('and the trust report counts it', () => {
    expect(recording.trust.contacts).toMatchObject({ regions: 1 });
    expect(recording.trust.energy!.relativeError).toBeLessThan(1e-2);
    expect(recording.trust.notes).toEqual([]);
  });
});

describe('sensors', () => {
  test('a box that slides: friction on it, its moment about its origin, and the heat', () => {
    const a = 0.1;
    const v = 0.5;
    const mu = 0.4;
    const recording = run(
      {
        bodies: { floor, block: body({ shape: box(a), material: soft, position: [0, 0, a / 2], velocity: [v, 0, 0] }) },
        contacts: { defaults: { friction: mu, restitution: 0.1 } },
      },
      0.5,
    );
    const m = 1000 * a ** 3;
    const middle = recording.times.findIndex((t) => t >= 0.06);
    const at = (name: string): number => recording.signal(name).values[middle];
    // Sliding: F = µ N; within what the start leaves of rocking
    expect(at('block.contact.force.x') / (-mu * m * g)).toBeCloseTo(1, 1);
    expect(at('block.contact.force.x') / at('block.contact.force.z')).toBeCloseTo(-mu, 6);
    // stops after v/(µ g) = 0.127 s and v²/(2 µ g) = 31.9 mm; all kinetic energy has become heat of friction
    expect(last(recording, 'block.position.x')).toBeCloseTo((v * v) / (2 * mu * g), 3);
    expect(Math.abs(last(recording, 'block.velocity.x'))).toBeLessThan(1e-6);
    const { frictionHeat } = recording.trust.contacts as { frictionHeat: number };
    expect(frictionHeat / (0.5 * m * v * v)).toBeCloseTo(1, 2);
  });
  test('a pair sensor tells of its second body; two bodies feel opposite forces, bit for bit', () => {
    const recording = run(
      {
        gravity: 'none',
        bodies: { a: ball([0, 0, 0], { velocity: [1, 0, 0] }), b: ball([2 * R + 1e-4, 0.02, 0]) },
        contacts: { defaults: { friction: 0.5, restitution: 0.6 } },
      },
      0.04,
    );
    const rows = recording.rows;
    let peak = 0;
    for (const axis of ['x', 'y', 'z']) {
      const [onA, onB, pair] = ['a.contact', 'b.contact', 'contacts.a-b'].map(
        (name) => recording.signal(`${name}.force.${axis}`).values,
      );
      for (let i = 0; i < rows; i++) {
        expect(onA[i] + onB[i]).toBe(0);
        expect(pair[i]).toBe(onB[i]);
        peak = Math.max(peak, pair[i]);
      }
    }
    expect(peak).toBeGreaterThan(10);
    expect(recording.signal('contacts.a-b.touching').max()).toBe(1);
    expect(last(recording, 'contacts.a-b.touching')).toBe(0);
    // momentum: what one loses the other has
    const start = mass;
    expect(last(recording, 'momentum.x') / start).toBeCloseTo(1, 12);
  });
  test('named pairs only; the ground first in their name', () => {
    const bodies = { one: ball([0, 0, R]), two: ball([1, 0, R]), floor };
    const names = new Simulation(model({ bodies, contacts: { sensors: [['two', 'floor']] } })).recording.names(
      'contacts.*.force.z',
    );
    expect(names).toEqual(['contacts.floor-two.force.z']);
  });
  test('records can be left out', () => {
    const recording = run({ bodies: { floor, ball: ball([0, 0, R]) }, contacts: { records: false } }, 0.01);
    expect(recording.hasTable('contacts')).toBe(false);
  });
  test('several shapes on a body: each has its region, the sensor their sum', () => {
    const feet = [-0.3, 0.3].map((x) => translate([x, 0, 0], sphere(R)));
    const recording = run(
      {
        bodies: { floor, skid: body({ shape: feet, material: soft, position: [0, 0, R] }) },
        contacts: dead,
      },
      1,
    );
    expect(last(recording, 'skid.contact.touching')).toBe(2);
    expect(last(recording, 'skid.contact.force.z') / (2 * mass * g)).toBeCloseTo(1, 3);
    expect([...recording.table('contacts').labels].map((label) => pairNames(label).toSorted())).toEqual([
      ['floor', 'skid[0]'],
      ['floor', 'skid[1]'],
    ]);
  });
});

describe('notes of the trust report', () => {
  test('guessed friction, restitution and stiffness of what came near, once per pair of materials', () => {
    const wax = { name: 'wax', density: 1000 };
    const { notes } = run(
      {
        bodies: {
          floor,
          a: ball([0, 0, R], { material: wax }),
          b: ball([1, 0, R], { material: wax }),
          c: ball([9, 0, 9]),
        },
      },
      1e-4,
    ).trust;
    expect(notes).toEqual([
      expect.stringMatching(
        /^friction \(0\.3 taken\) and restitution \(0\.5 taken\) of (wax on soft|soft on wax), such as floor–a, are guesses$/,
      ),
      'stiffness of wax is not known: 2 GPa taken',
    ]);
  });
});

describe('what is refused', () => {
  const start = (options: ModelOptions) => new Simulation(model(options));
  test('bodies drawn inside each other, with what to do', () => {
    expect(() => start({ bodies: { a: ball([0, 0, 1]), b: ball([0.15, 0, 1]) } })).toThrow(
      /^contacts \(a–b\): the two overlap by 50\.0 mm at the start: move them apart.*exclude: \[\['a', 'b'\]\]/,
    );
    expect(() =>
      start({ bodies: { a: ball([0, 0, 1]), b: ball([0.15, 0, 1]) }, contacts: { exclude: [['a', 'b']] } }),
    ).not.toThrow();
    expect(() => start({ bodies: { floor, a: ball([0, 0, 0.05]) } })).toThrow(/overlap by 50\.0 mm at the start/);
  });
  test('a little overlap is a load, not a mistake', () => {
    expect(() => start({ bodies: { floor, a: ball([0, 0, R - 1e-4]) } })).not.toThrow();
  });
  test('bodies inside each other that a joint connects', () => {
    const bodies = { a: ball([0, 0, 1]), b: ball([0.15, 0, 1]) };
    const joints = { pin: revolute({ body: 'b', to: 'a', at: [0.1, 0, 1], axis: [0, 1, 0] }) };
    expect(() => start({ bodies, joints })).not.toThrow();
    expect(() => start({ bodies, joints, contacts: { joined: true } })).toThrow(/overlap by/);
  });
  test('surfaces against solids', () => {
    const rail = ball([0, 0, R], { contact: { surfaces: [{ kind: 'sphere', radius: R }] } });
    expect(() => start({ bodies: { floor, rail } })).toThrow(
      'bodies.floor.contact.surfaces: "rail" touches by idealized surfaces; expected surfaces here, too, or the pair in contacts.exclude',
    );
  });
  test('a fixed body that moves', () => {
    expect(() => model({ bodies: { wall: { ...floor, velocity: [1, 0, 0] }, a: ball([0, 0, 1]) } })).toThrow(
      'bodies.wall.velocity: the body is fixed and does not move; take one of them away',
    );
  });
  test('a half-space that is not fixed', () => {
    expect(() => start({ bodies: { a: body({ shape: halfSpace(), material: soft }) } })).toThrow(
      /bodies\.a\.shape.*half-space; it has no mass and belongs on a body that is fixed/,
    );
  });
  test('deepest points of shapes that are not convex', () => {
    const ring = body({ shape: torus({ majorRadius: 0.2, minorRadius: 0.05 }), material: soft });
    expect(() =>
      start({ bodies: { ring, a: ball([0.2, 0, 0.05 + R]) }, contacts: { defaults: { search: 'points' } } }),
    ).toThrow(/^contacts\.pairs \(ring–a\)\.search: 'points' needs two convex solids; take 'overlap', which takes any/);
  });
  test('a law of the user’s that gives no number, by its name and where', () => {
    const normalLaw = () => Number.NaN;
    expect(() =>
      run({ bodies: { floor, a: ball([0, 0, R - 1e-5]) }, contacts: { defaults: { normalLaw } } }, 0.1),
    ).toThrow(/law "floor–a": expected a finite force in N, got NaN at depth/);
  });
});
