import { describe, expect, test } from 'vitest';
import { ContactScene } from '../../tests/fixtures/contact-scene.js';
import { halfSpace } from '../geometry/half-space.js';
import { box, capsule, sphere } from '../geometry/primitives.js';
import type { Solid } from '../geometry/solid.js';
import { translate } from '../geometry/transform.js';
import { fromRotationVector, multiply } from '../math/quaternion.js';
import { random } from '../math/random.js';
import { add, scale, type Vec3 } from '../math/vec3.js';
import { type BodyOptions, body } from '../model/body.js';
import type { ContactsOptions } from '../model/contacts.js';
import { revolute } from '../model/joints.js';
import { type Model, model } from '../model/model.js';
import { Simulation, simulate } from '../simulation/simulation.js';

const hard = { name: 'hard', density: 1000, youngsModulus: 1e9, poissonRatio: 0.3 };
const soft = { name: 'soft', density: 1000, youngsModulus: 1e6, poissonRatio: 0.4 };
const floor = body({ shape: halfSpace(), fixed: true, material: hard });
const solid = (shape: Solid, position: Vec3, more: Partial<BodyOptions> = {}): BodyOptions =>
  body({ shape, material: hard, position, ...more });
const space = (bodies: Record<string, BodyOptions>, contacts: ContactsOptions = {}): Model =>
  model({ gravity: 'none', bodies, contacts });
const pairNames = ({ contacts }: ContactScene): string[] => contacts.pairs.map(({ name }) => name);

describe('who may touch', () => {
  const near = { one: solid(sphere(0.1), [0, 0, 0.1]), two: solid(sphere(0.1), [0.2, 0, 0.1]), floor };
  test('all who are near', () => {
    expect(pairNames(new ContactScene(space(near)).start())).toEqual(['one–two', 'one–floor', 'two–floor']);
  });
  test('but not who is excluded, in another group, or joined', () => {
    const none = (contacts: ContactsOptions, bodies: Record<string, BodyOptions> = near): string[] =>
      pairNames(new ContactScene(space(bodies, contacts)).start());
    expect(none({ exclude: [['one', 'two']] })).toEqual(['one–floor', 'two–floor']);
    expect(none({ exclude: [['*', 'floor']] })).toEqual(['one–two']);
    expect(none({ pairs: [{ between: ['one', 'floor'], touch: false }] })).toEqual(['one–two', 'two–floor']);
    const apart = { ...near, two: { ...near.two, contact: { group: 'other', touches: 'default' } } };
    const deaf = { ...apart, one: { ...near.one, contact: { touches: 'default' } } };
    expect(none({}, apart)).toEqual(['one–two', 'one–floor', 'two–floor']);
    expect(none({}, deaf)).toEqual(['one–floor', 'two–floor']);
    const joints = { hinge: revolute({ body: 'one', to: 'two', axis: [0, 0, 1], at: [0.1, 0, 0.1] }) };
    expect(pairNames(new ContactScene(model({ bodies: near, joints })).start())).toEqual(['one–floor', 'two–floor']);
    expect(
      pairNames(new ContactScene(model({ bodies: near, joints, contacts: { joined: true } })).start()),
    ).toHaveLength(3);
  });
  test('nobody who is drawn inside another', () => {
    const overlap = (depth: number) => () =>
      new ContactScene(space({ one: solid(box(0.1), [0, 0, 0]), two: solid(box(0.1), [0, 0, 0.1 - depth]) })).start();
    expect(overlap(1e-4)).not.toThrow();
    expect(overlap(0.02)).toThrow(/contacts \(one–two\): the two overlap by .* mm at the start: move them apart/);
    expect(overlap(0.02)).toThrow("exclude: [['one', 'two']]");
    expect(() => new Simulation(space({ floor, ball: solid(sphere(0.1), [0, 0, 0]) }))).toThrow(/overlap by/);
  });
});

describe('pairs come and go', () => {
  const scene = new ContactScene(
    space({ still: solid(sphere(0.1), [0, 0, 0]), flies: solid(sphere(0.1), [-5, 0.15, 0.15]) }),
  ).start();
  const rates = new Float64Array(scene.y.length);
  const { contacts } = scene;
  const spare = contacts.freeStates;
  test('none while they are far from each other; one when a step could bring them together', () => {
    expect(contacts.pairs).toEqual([]);
    scene.move('flies', [10, 0, 0]);
    contacts.stepLimit(0, scene.y, rates, 0.1);
    expect(contacts.pairs).toEqual([]);
    // boxes swept over half a second overlap, though the balls will pass
    contacts.stepLimit(0, scene.y, rates, 0.6);
    expect(pairNames(scene)).toEqual(['still–flies']);
    expect(contacts.freeStates).toBe(spare - 3);
  });
  test('it goes when it has been away for a while, and its states with it', () => {
    const version = contacts.version;
    scene.place('flies', [5, 0.15, 0.15]);
    for (let i = 0; i < 15; i++) {
      contacts.stepLimit(scene.time, scene.y, rates, 0.01);
      scene.accept();
    }
    expect(contacts.pairs).toHaveLength(1);
    for (let i = 0; i < 15; i++) {
      contacts.stepLimit(scene.time, scene.y, rates, 0.01);
      scene.accept();
    }
    expect(contacts.pairs).toEqual([]);
    expect(contacts.freeStates).toBe(spare);
    expect(contacts.version).toBeGreaterThan(version);
    expect(contacts.met).toHaveLength(1);
  });
  test('but not while something is left in its bristle', () => {
    scene.place('flies', [0, 0, 0.199]);
    scene.move('flies', [0, 0, 0]);
    contacts.stepLimit(scene.time, scene.y, rates, 0.01);
    scene.accept();
    const pair = scene.pair('still', 'flies');
    expect(pair.touching).toBe(true);
    scene.y[pair.stateAt] = 1e-5;
    scene.place('flies', [5, 0.15, 0.15]);
    for (let i = 0; i < 30; i++) {
      contacts.stepLimit(scene.time, scene.y, rates, 0.01);
      scene.accept();
    }
    expect(contacts.pairs).toHaveLength(1);
    expect(scene.y[pair.stateAt]).toBe(1e-5);
    scene.y[pair.stateAt] = 0;
    scene.accept();
    expect(contacts.pairs).toEqual([]);
  });
});

describe('room for states', () => {
  const legs = [-0.2, 0, 0.2].map((x) => translate([x, 0, 0], box(0.02)));
  const standing = (): Model =>
    model({
      bodies: {
        floor: { ...floor, material: soft },
        stool: body({ shape: legs, material: soft, position: [0, 0, 0.01] }),
      },
    });

  test('pairs that find none wait outside, and no step reaches them', () => {
    const scene = new ContactScene(standing(), 6).start();
    expect(scene.contacts.outOfRoom).toBe(true);
    expect(scene.contacts.pairs).toHaveLength(2);
    scene.move('stool', [0, 0, -1]);
    const before = scene.y.slice();
    const limit = scene.contacts.stepLimit(0, scene.y, new Float64Array(scene.y.length), 1);
    // they would touch at once
    expect(limit).toBeLessThan(1e-2);
    expect(scene.y).toEqual(before);
    // with more room all are in
    scene.mechanics.reserveStates(30);
    scene.contacts.resize();
    const y = new Float64Array(scene.mechanics.size);
    y.set(scene.y);
    scene.y = y;
    scene.start();
    expect(scene.contacts.outOfRoom).toBe(false);
    expect(scene.contacts.pairs).toHaveLength(3);
    expect(scene.mechanics.pairs).toHaveLength(3);
  });

  test('a pair that needs more for its regions keeps what it has until there is some', () => {
    // a capsule touches the floor with one end, and comes to lie on both
    const scene = new ContactScene(
      model({
        bodies: {
          floor: { ...floor, material: soft },
          rod: body({ shape: capsule({ radius: 0.05, height: 0.4 }), material: soft, position: [0, 0, 0.25] }),
        },
      }),
      3,
    );
    scene.place('rod', [0, 0, 0.05 - 1e-4], fromRotationVector([0, Math.PI / 2 + 0.002, 0]));
    scene.start();
    const pair = scene.pair('floor', 'rod');
    expect(scene.regions(pair)).toHaveLength(1);
    const [name] = scene.regions(pair);
    const s = pair.slots.findIndex(({ region }) => region === name);
    scene.y.set([1e-6, 2e-6], pair.stateAt + 3 * s);
    scene.place('rod', [0, 0, 0.05 - 5e-4], fromRotationVector([0, Math.PI / 2, 0]));
    scene.accept();
    expect(scene.contacts.outOfRoom).toBe(true);
    expect(scene.regions(pair)).toHaveLength(2);
    expect(scene.regions(pair)).toContain(name);
    expect(scene.regions(pair)).toContain(-1);
    const kept = pair.slots.findIndex(({ region }) => region === name);
    expect([...scene.y.subarray(pair.stateAt + 3 * kept, pair.stateAt + 3 * kept + 2)]).toEqual([1e-6, 2e-6]);
    scene.mechanics.reserveStates(12);
    scene.contacts.resize();
    const y = new Float64Array(scene.mechanics.size);
    y.set(scene.y);
    scene.y = y;
    scene.accept();
    expect(scene.contacts.outOfRoom).toBe(false);
    const now = scene.regions(pair);
    expect(now).toHaveLength(2);
    expect(Math.min(...now)).toBeGreaterThanOrEqual(0);
    const still = pair.slots.findIndex(({ region }) => region === name);
    expect([...scene.y.subarray(pair.stateAt + 3 * still, pair.stateAt + 3 * still + 2)]).toEqual([1e-6, 2e-6]);
  });

  test('a run makes room as it goes: a lattice of balls, six neighbours each, more pairs than were reserved for', () => {
    const n = 3;
    const bodies: Record<string, BodyOptions> = {};
    for (let i = 0; i < n ** 3; i++)
      bodies[`ball${i}`] = solid(sphere(0.05), [
        0.1 * (i % n),
        0.1 * (Math.floor(i / n) % n),
        0.1 * Math.floor(i / n ** 2),
      ]);
    const started = new Simulation(space(bodies), { stopTime: 1e-3 });
    const neighbours = 3 * n * n * (n - 1);
    const near = started.contacts!.pairs.length;
    expect(near).toBeGreaterThanOrEqual(neighbours);
    expect(started.contacts!.outOfRoom).toBe(false);
    // and those come together in a run: the upper layers, thrown at the lowest
    const thrown = Object.fromEntries(
      Object.entries(bodies).map(([name, options], i) => {
        const upper = Math.floor(i / n ** 2) >= 1;
        return [
          name,
          {
            ...options,
            position: add(options.position as Vec3, [0, 0, upper ? 0.05 : 0]),
            velocity: [0, 0, upper ? -1 : 0],
          },
        ];
      }),
    ) as Record<string, BodyOptions>;
    const run = new Simulation(space(thrown), { stopTime: 0.06, rtol: 1e-3 });
    const before = run.contacts!.pairs.length;
    run.advance();
    expect(run.contacts!.met.length).toBeGreaterThan(before);
    const recording = run.finish();
    // nothing is lost in space but what the collisions take; momentum is kept
    const mass = 1000 * (4 / 3) * Math.PI * 0.05 ** 3 * n ** 2 * (n - 1);
    expect(recording.signal('momentum.z').at(-1)! / -mass).toBeCloseTo(1, 9);
  });
});

describe('the guard', () => {
  test('a ball meets another: until just before they touch, then as much of the impact as the tolerance allows', () => {
    const scene = new ContactScene(
      space({ a: solid(sphere(0.1), [0, 0, 0]), b: solid(sphere(0.1), [0, 0, 0.3]) }),
    ).start();
    scene.move('b', [0, 0, -2]);
    const limit = scene.contacts.stepLimit(0, scene.y, new Float64Array(scene.y.length), 1);
    const pair = scene.pair('a', 'b');
    // rtol 1e-6, no gravity: 3 % of (3 c)^2.5 is that
    const part = (1e-6 / 0.03) ** 0.4 / 3;
    const beyond = part * pair.impactTime(2);
    expect((0.1 / 2 - limit) / beyond).toBeCloseTo(1, 9);
    // a way that is short against that leads over the kink
    scene.place('b', [0, 0, 0.2 + 2 * beyond]);
    scene.move('b', [0, 0, -2]);
    scene.accept();
    expect(scene.contacts.stepLimit(scene.time, scene.y, new Float64Array(scene.y.length), 1) / beyond).toBeCloseTo(
      2,
      6,
    );
    scene.place('b', [0, 0, 0.3]);
    scene.accept();
    // 3 d*/v with d* = (15 m v²/(16 E* √R))^(2/5), the two halved
    const m = (1000 * (4 / 3) * Math.PI * 0.1 ** 3) / 2;
    const depth = ((15 * m * 4) / (16 * (1e9 / (2 * 0.91)) * Math.sqrt(0.05))) ** 0.4;
    expect(pair.impactTime(2) / ((3 * depth) / 2)).toBeCloseTo(1, 2);
    scene.move('b', [0, 0, 2]);
    expect(scene.contacts.stepLimit(0, scene.y, new Float64Array(scene.y.length), 1)).toBe(1);
  });

  test('falling: the speed that gravity will have given counts', () => {
    const scene = new ContactScene(model({ bodies: { floor, ball: solid(sphere(0.1), [0, 0, 0.6]) } })).start();
    const rates = new Float64Array(scene.y.length);
    scene.mechanics.rates(0, scene.y, rates);
    const limit = scene.contacts.stepLimit(0, scene.y, rates, 10);
    // half a metre: √(2 s/g) = 0.319 s; the guard takes 1.5 g
    expect(limit).toBeGreaterThan(0.8 * Math.sqrt(1 / 9.81));
    expect(limit).toBeLessThan(Math.sqrt(1 / 9.81));
  });

  test('a bar that spins beside a plate: its ends go no farther than the gap and a quarter of the thickness', () => {
    const [length, gap, thick, spin] = [0.4, 1e-4, 1e-3, 300];
    const scene = new ContactScene(
      space({
        plate: solid(box([0.5, 0.5, thick]), [0, 0, 0]),
        bar: solid(box([length, 0.02, 0.02]), [0, 0, 0.01 + thick / 2 + gap]),
      }),
    ).start();
    scene.move('bar', [0, 0, 0], [0, 0, spin]);
    const limit = scene.contacts.stepLimit(0, scene.y, new Float64Array(scene.y.length), 1);
    // of the end, at half the length; sizes are those of boxes, to be on the safe side
    expect((limit * spin * length) / 2).toBeLessThan(gap + thick / 4);
    expect(limit * spin * length).toBeGreaterThan(0.5 * gap);
  });

  // Anything that moves anyhow beside a thin plate, for as long as the guard allows, with the motion it has: what overlaps on the way still
  // does at the end, where the step sees it.
  test('nothing passes a thin plate unseen', () => {
    const shapes: readonly Solid[] = [box([0.4, 0.02, 0.02]), box(0.05), capsule({ radius: 0.01, height: 0.3 })];
    const draw = random('beside a plate');
    let met = 0;
    for (const shape of shapes) {
      const scene = new ContactScene(
        space({ plate: solid(box([0.5, 0.5, 1e-3]), [0, 0, 0]), thing: solid(shape, [0, 0, 2]) }),
      ).start();
      const rates = new Float64Array(scene.y.length);
      for (let k = 0; k < 60; k++) {
        const position: Vec3 = [0.2 * draw.normal(), 0.2 * draw.normal(), draw.uniformBetween(0.03, 0.4)];
        const turned = draw.rotation();
        // every other one straight at the plate
        const speed = draw.uniformBetween(1, 200);
        const velocity: Vec3 = k % 2 ? [0, 0, -speed] : scale(speed, draw.unitVector());
        const spin =
          k % 2
            ? scale(draw.uniformBetween(0, 1), draw.unitVector())
            : scale(draw.uniformBetween(0, 2000), draw.unitVector());
        const at = (time: number): void => {
          scene.place(
            'thing',
            add(position, scale(time, velocity)),
            multiply(fromRotationVector(scale(time, spin)), turned),
          );
          scene.move('thing', velocity, spin);
        };
        const depth = (): number => {
          scene.mechanics.update(scene.time, scene.y);
          return scene.contacts.pairOf(0, 1).deepest();
        };
        at(0);
        scene.accept();
        if (depth() > 0) continue;
        // step by step: the one in which they touch ends while they do
        let touched = false;
        for (let step = 0, from = 0; step < 20 && from < 1 && !touched; step++) {
          const limit = scene.contacts.stepLimit(scene.time, scene.y, rates, 1);
          for (let i = 1; i <= 100; i++) {
            at(from + (limit * i) / 100);
            if (depth() > 0) touched = true;
          }
          if (touched && limit < 1) expect(depth(), `${position} ${velocity} ${spin}`).toBeGreaterThan(0);
          from += limit;
          scene.accept();
        }
        if (touched) met++;
      }
    }
    expect(met).toBeGreaterThan(20);
  });

  // so hard that the fastest goes less than 0.2 mm deep
  const rigid = { name: 'rigid', density: 1000, youngsModulus: 1e14, poissonRatio: 0.3 };
  const plate = (v: number, thing: BodyOptions): Model =>
    space(
      {
        plate: body({ shape: box([0.2, 0.2, 1e-3]), fixed: true, material: rigid }),
        thing: { ...thing, velocity: [0, 0, -v] },
      },
      { defaults: { restitution: 0.7, friction: 0 } },
    );
  test.each([1, 30, 1000])('a ball of 10 mm at %d m/s bounces off 1 mm of plate', (v) => {
    const run = simulate(plate(v, solid(sphere(5e-3), [0, 0, 0.1], { material: rigid })), {
      stopTime: 0.2 / v,
      rtol: 1e-6,
    });
    expect(run.signal('thing.position.z').at(-1)!).toBeGreaterThan(0);
    expect(run.signal('thing.velocity.z').at(-1)! / v).toBeCloseTo(0.7, 1.7);
  });
  test('a bar that spins fast comes back from the plate it falls on, and has no more energy than before', () => {
    const bar = solid(box([0.1, 0.01, 0.01]), [0, 0, 0.08], { angularVelocity: [0, 500, 0] });
    const run = simulate(plate(5, bar), { stopTime: 0.03 });
    const z = run.signal('thing.position.z').values;
    for (const height of z) expect(height).toBeGreaterThan(0);
    const energy = run.signal('energy.kinetic').values;
    expect(run.signal('thing.contact.touching').max()).toBeGreaterThan(0);
    expect(energy[energy.length - 1]).toBeLessThan(energy[0]);
  });

  test.each(['verlet', 'symplecticEuler'] as const)(
    'steps of one length: %s keeps the restitution to a hundredth',
    (integrator) => {
      for (const [v, e] of [
        [0.5, 0.9],
        [2, 0.7],
        [10, 0.4],
      ]) {
        const run = simulate(
          space(
            { floor, ball: solid(sphere(0.02), [0, 0, 0.05], { velocity: [0, 0, -v] }) },
            { defaults: { restitution: e, friction: 0 } },
          ),
          { stopTime: 0.1 / v, integrator, step: 1e-3 },
        );
        expect(run.signal('ball.velocity.z').at(-1)! / v / e, `${v} m/s`).toBeCloseTo(1, 2);
      }
    },
  );
});
