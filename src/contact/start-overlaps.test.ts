import { describe, expect, test } from 'vitest';
import { halfSpace } from '../geometry/half-space.js';
import { box, sphere } from '../geometry/primitives.js';
import type { Vec3 } from '../math/vec3.js';
import { body } from '../model/body.js';
import { revolute } from '../model/joints.js';
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
