import { describe, expect, test } from 'vitest';
import { extrude } from '../geometry/extrude.js';
import { halfSpace } from '../geometry/half-space.js';
import { box, sphere } from '../geometry/primitives.js';
import type { Vec3 } from '../math/vec3.js';
import { body } from '../model/body.js';
import { fixed, revolute } from '../model/joints.js';
import { type Model, type ModelOptions, model } from '../model/model.js';
import { Simulation } from '../simulation/simulation.js';

const oak = { name: 'oak', density: 700, youngsModulus: 1e10, poissonRatio: 0.3, friction: 0.4, restitution: 0.3 };
const brick = (position: Vec3) => body({ shape: box([0.2, 0.1, 0.06]), material: oak, position });
const floor = body({ shape: halfSpace(), fixed: true, material: oak });
const start = (bodies: ModelOptions['bodies'], more: Partial<ModelOptions> = {}): Simulation =>
  new Simulation(model({ bodies, ...more } as ModelOptions), { stopTime: 0.1 });

describe('the depth that is told is how far the two must be moved', () => {
  test.each([
    ['faces, end to end', [0.17, 0, 0.5], 30],
    ['faces, end to end, to one side', [0.17, 0.013, 0.507], 30],
    ['faces, one on the other', [0.02, 0.01, 0.548], 12],
  ] as const)('%s', (_, at, depth) => {
    expect(() => start({ a: brick([0, 0, 0.5]), b: brick([...at]) })).toThrow(
      `contacts (a–b): the two overlap by ${depth}.0 mm at the start`,
    );
  });
  test('a face on a plane', () => {
    expect(() => start({ floor, a: brick([0, 0, 0.025]) })).toThrow(/overlap by 5\.00 mm at the start/);
  });
  test('balls', () => {
    const ball = (x: number) => body({ shape: sphere(0.1), material: oak, position: [x, 0, 1] });
    expect(() => start({ a: ball(0), b: ball(0.15) })).toThrow(/overlap by 50\.0 mm at the start/);
  });
});

describe('resolve', () => {
  const resolved = (bodies: ModelOptions['bodies'], more: Partial<ModelOptions> = {}) =>
    start(bodies, { ...more, contacts: { resolve: true } });
  const place = (run: Simulation, name: string): number[] =>
    ['x', 'y', 'z'].map((axis) => run.recording.signal(`${name}.position.${axis}`).at(0)!);

  test('two of equal mass go half the way each, and just do not touch', () => {
    const run = resolved({ a: brick([0, 0, 0.5]), b: brick([0.17, 0, 0.5]) });
    const [a, b] = [place(run, 'a'), place(run, 'b')];
    expect(a[0]).toBeCloseTo(-0.015, 6);
    expect(b[0]).toBeCloseTo(0.185, 6);
    expect(b[0] - a[0]).toBeGreaterThan(0.2);
    expect(run.contacts!.touching).toBe(false);
    expect(run.warnings).toEqual([]);
  });
  test('what is fixed or hangs on a joint stays', () => {
    const door = brick([0, 0, 0.03]);
    const run = resolved(
      { floor, door, a: brick([0.19, 0, 0.025]) },
      { joints: { hinge: revolute({ body: 'door', at: [-0.1, 0, 0], axis: [0, 0, 1] }) } },
    );
    expect(place(run, 'door')).toEqual([0, 0, 0.03]);
    expect(place(run, 'a')[0]).toBeCloseTo(0.2, 6);
    expect(place(run, 'a')[2]).toBeCloseTo(0.03, 6);
  });
  test('a pile that is drawn through itself comes apart, and runs', () => {
    const bodies = { floor, a: brick([0, 0, 0.025]), b: brick([0.03, 0, 0.07]), c: brick([-0.02, 0, 0.12]) };
    const run = resolved(bodies);
    for (const [upper, lower] of [
      ['b', 'a'],
      ['c', 'b'],
    ])
      expect(place(run, upper)[2] - place(run, lower)[2]).toBeGreaterThan(0.06);
    run.advance(0.02);
    expect(
      run
        .finish()
        .trust.verdict?.reasons.map(({ reason }) => reason)
        .join(),
    ).not.toMatch(/as drawn/);
  });
  test('without room it says so', () => {
    const wall = (x: number) => body({ shape: box([0.1, 1, 1]), material: oak, position: [x, 0, 0.5], fixed: true });
    // 0.18 m between the walls for 0.2 m of brick
    expect(() => resolved({ left: wall(-0.14), right: wall(0.14), a: brick([0, 0, 0.5]) })).toThrow(
      /^contacts\.resolve: 200 passes did not move all parts apart: .*a.* overlap by .* mm still; is there room for them\?/,
    );
  });
});

// A ball of radius R pressed by d into the floor holds 2/5 · 4/3 E* √R d^(5/2) (Hertz); all of it is motion when it leaves: v = √(2 E/m).
test('what is accepted but violent is a warning with the speed', () => {
  const R = 0.05;
  const d = 5e-4;
  const steel = { density: 7850, youngsModulus: 2.1e11, poissonRatio: 0.3, friction: 0.2, restitution: 0.9 };
  const drawn = (depth: number): Model =>
    model({
      bodies: {
        floor: body({ shape: halfSpace(), material: steel, fixed: true }),
        ball: body({ shape: sphere(R), material: steel, position: [0, 0, R - depth] }),
      },
    });
  const energy = 0.4 * (4 / 3) * (2.1e11 / (2 * (1 - 0.09))) * Math.sqrt(R) * d ** 2.5;
  const speed = Math.sqrt((2 * energy) / (7850 * (4 / 3) * Math.PI * R ** 3));
  const [warning] = new Simulation(drawn(d)).warnings;
  expect(warning).toBe(
    `floor–ball overlaps by 500 µm as drawn, and is pushed apart at ${speed.toPrecision(2)} m/s: draw them so that they just touch, ` +
      'or have them moved apart: contacts: { resolve: true }',
  );
  expect(new Simulation(drawn(1e-6)).warnings).toEqual([]);
});

// A flexible plate or beam, 20 mm high along `up`, held at its left side, and a box of 20 mm over it that is drawn so deep into it.
describe('a rigid body drawn into a flexible one', () => {
  const material = { density: 2700, youngsModulus: 70e9, poissonRatio: 0.33 };
  const outline = [
    [0, -0.03],
    [0.1, -0.03],
    [0.1, 0.03],
    [0, 0.03],
  ] as const;
  const drawnBodies = (kind: 'plane' | 'solid', depth: number, size: number) => ({
    plate: body({
      shape: extrude(outline, 0.02),
      material,
      flexible: { grid: [5, 3], modes: 2, ...(kind === 'solid' && { layers: 1 }) },
    }),
    thing: body({
      shape: box([size, size, size]),
      material,
      position: kind === 'solid' ? [0.05, 0, 0.02 + size / 2 - depth] : [0.05, 0.03 + size / 2 - depth, 0.01],
    }),
  });
  const joints = { wall: fixed({ body: 'plate', at: [0, 0, 0.01] }) };
  const drawn = (kind: 'plane' | 'solid', depth: number, more: Partial<ModelOptions> = {}, size = 0.02): Model =>
    model({
      gravity: kind === 'solid' ? [0, 0, -9.81] : [0, -9.81, 0],
      bodies: drawnBodies(kind, depth, size),
      joints,
      ...more,
    });
  const [up, top] = [
    { plane: 'y', solid: 'z' },
    { plane: 0.04, solid: 0.03 },
  ];

  test.each(['plane', 'solid'] as const)('%s: told with its speed, which the run then has', (kind) => {
    const run = new Simulation(drawn(kind, 1e-4), { stopTime: 2e-4 });
    expect(run.warnings).toHaveLength(1);
    const [, speed, unit] =
      /^plate–thing overlaps by 100 µm as drawn, and is pushed apart at (.*) (m|mm)\/s: draw them/.exec(
        run.warnings[0],
      )!;
    const told = Number(speed) * (unit === 'mm' ? 1e-3 : 1);
    run.advance(2e-4);
    const { trust } = run.finish();
    expect(trust.verdict?.word).toBe('doubtful');
    expect(trust.verdict?.reasons.map(({ reason }) => reason).join()).toMatch(
      /plate–thing overlaps by 100 µm as drawn/,
    );
    // of the speed of both against each other the plate takes some, and rings
    const got = run.recording.signal(`thing.velocity.${up[kind]}`).at(-1)!;
    expect(got / told).toBeGreaterThan(0.4);
    expect(got / told).toBeLessThan(1.1);
  });
  test.each(['plane', 'solid'] as const)('%s: refused where it is deep, or moved apart', (kind) => {
    expect(() => new Simulation(drawn(kind, 5e-4))).toThrow(
      /^contacts \(plate–thing\): the two overlap by 0\.500 mm at the start/,
    );
    const run = new Simulation(drawn(kind, 5e-4, { contacts: { resolve: true } }));
    expect(run.recording.signal(`thing.position.${up[kind]}`).at(0)! - top[kind]).toBeCloseTo(0, 6);
    expect(run.warnings).toEqual([]);
    // a part that floats gives way by its share, too
    const loose = new Simulation(drawn(kind, 5e-4, { contacts: { resolve: true }, joints: {} }));
    const [thing, plate] = ['thing', 'plate'].map(
      (name) => loose.recording.signal(`${name}.position.${up[kind]}`).at(0)!,
    );
    expect(thing - plate - top[kind]).toBeCloseTo(0, 6);
    expect(thing - top[kind]).toBeLessThan(-1e-5);
  });
  test.each(['plane', 'solid'] as const)('%s: refused where no surface is near the other', (kind) => {
    expect(() => new Simulation(drawn(kind, kind === 'solid' ? 0.011 : 0.03, {}, 2e-3))).toThrow(
      /^contacts \(plate–thing\): "thing" is drawn inside "plate"/,
    );
    expect(() => new Simulation(drawn(kind, kind === 'solid' ? 0.16 : 0.18, {}, 0.3))).toThrow(
      /"plate" is drawn inside "thing"/,
    );
  });
  test('that is fixed', () => {
    const { plate, thing } = drawnBodies('plane', 1e-6, 0.02);
    const held = (depth: number) =>
      new Simulation(
        model({
          gravity: [0, 0, 0],
          bodies: { plate, thing: { ...thing, position: [0.05, 0.04 - depth, 0.01], fixed: true } },
          joints,
        }),
      );
    expect(held(0).warnings).toEqual([]);
    expect(held(1e-9).recording.signal('contacts.plate-thing.force.y').at(0)).toBeGreaterThan(0);
    expect(() => held(2e-3)).toThrow(/overlap by 2\.00 mm/);
  });
  test('of a list', () => {
    const { plate, thing } = drawnBodies('plane', 1e-4, 0.02);
    const listed = model({
      gravity: [0, -9.81, 0],
      bodies: { plate, pins: [{ ...thing, position: [0.05, 0.5, 0.01] }, thing] },
      joints,
    });
    expect(new Simulation(listed).warnings[0]).toMatch(/^plate–pins\[1\] overlaps by 100 µm/);
  });
  test('nothing is said where it begins in equilibrium', () => {
    const run = new Simulation(drawn('plane', 1e-6, { simulation: { start: 'equilibrium' } }));
    expect(run.warnings).toEqual([]);
    expect(run.recording.signal('contacts.plate-thing.force.y').at(0)).toBeCloseTo(2700 * 0.02 ** 3 * 9.81, 6);
  });
});
