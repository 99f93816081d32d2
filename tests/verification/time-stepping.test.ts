/**
 * Time stepping held to closed forms: creep, sliding, restitution, oblique impact, spinning disc, a masonry arch at its limit, a gripper, a heap, drag.
 * Every scene must also keep its books: what the identity of kinetic energy misses is below 1e-12 of the energy that moved.
 */
import { describe, expect, test, vi } from 'vitest';
import { halfSpace } from '../../src/geometry/half-space.js';
import { convexHull } from '../../src/geometry/hull.js';
import { box, cylinder, sphere } from '../../src/geometry/primitives.js';
import { ORIGIN, type Solid } from '../../src/geometry/solid.js';
import { random } from '../../src/math/random.js';
import type { Vec3 } from '../../src/math/vec3.js';
import { body } from '../../src/model/body.js';
import { applied } from '../../src/model/forces.js';
import { prismatic, revolute } from '../../src/model/joints.js';
import { oak, rubber, steel } from '../../src/model/materials.js';
import { type Model, type ModelOptions, model } from '../../src/model/model.js';
import { Simulation, type SimulationOptions } from '../../src/simulation/simulation.js';
import { randomScene, runScenes } from '../../src/verify/time-stepping.js';

const g = 9.81;
const floor = body({ shape: halfSpace(), material: oak, fixed: true });
const scene = (
  bodies: ModelOptions['bodies'],
  friction: number,
  restitution: number,
  more: Partial<ModelOptions> = {},
): Model => model({ bodies, contacts: { defaults: { friction, restitution } }, gravity: [0, 0, -g], ...more });
function run(of: Model, options: SimulationOptions): Simulation {
  const simulation = new Simulation(of, { integrator: 'time-stepping', resting: false, ...options });
  simulation.advance();
  simulation.finish();
  return simulation;
}
/** Missing energy over what moved */
const missing = ({ stepping }: Simulation): number => stepping!.account.worst / stepping!.account.scale;
const end = ({ recording }: Simulation, name: string): number => recording.signal(name).at(-1)!;

describe('rest', () => {
  const a = 0.1;
  const stack = scene(
    {
      floor,
      box: Array.from({ length: 10 }, (_, i) =>
        body({ shape: box([a, a, a]), material: oak, position: [0, 0, a * (i + 0.5)] }),
      ),
    },
    0.4,
    0,
  );
  test.each([false, true])('ten boxes stand for a minute; resting %s', (resting) => {
    const simulation = run(stack, { step: 5e-3, stopTime: 60, rigidity: 1e4, interval: 1, resting });
    const { recording } = simulation;
    const top = recording.signal('box[9].position.z');
    for (let row = 5; row < recording.rows; row++) {
      expect(Math.abs(recording.signal('box[9].velocity.z').at(row)!)).toBeLessThan(1e-10);
      expect(Math.abs(top.at(row)! - top.at(5)!)).toBeLessThan(1e-9);
    }
    // each contact gives way by h² w N/κ: 2 µm for the whole stack
    expect(Math.abs(top.at(-1)! - 0.95)).toBeLessThan(4e-6);
    expect(missing(simulation)).toBeLessThan(1e-12);
  });

  test.each([1e-2, 1e-3])('a box on a slope of 10° does not creep, h = %d s', (step) => {
    const angle = Math.PI / 18;
    const slope = scene(
      { floor, box: body({ shape: box([a, a, a]), material: oak, position: [0, 0, a / 2] }) },
      0.5,
      0,
      {
        gravity: [g * Math.sin(angle), 0, -g * Math.cos(angle)],
      },
    );
    const { recording } = run(slope, { step, stopTime: 10, interval: 1 });
    const x = recording.signal('box.position.x');
    expect(Math.abs(x.at(-1)! - x.at(5)!) / 5).toBeLessThan(1e-15);
  });
});

describe('sliding', () => {
  test('down a slope of 0.3 rad with µ = 0.1', () => {
    const slope = scene(
      { floor, box: body({ shape: box([0.1, 0.1, 0.1]), material: oak, position: [0, 0, 0.05] }) },
      0.1,
      0,
      {
        gravity: [g * Math.sin(0.3), 0, -g * Math.cos(0.3)],
      },
    );
    const simulation = run(slope, { step: 1e-3, stopTime: 2 });
    const exact = 2 * g * (Math.sin(0.3) - 0.1 * Math.cos(0.3));
    expect(Math.abs(end(simulation, 'box.velocity.x') / exact - 1)).toBeLessThan(1e-6);
    expect(missing(simulation)).toBeLessThan(1e-12);
  });

  // Σ h v⁺ of a constant deceleration is v²/2a − v h/2
  test('to a stop: distance is short by v h/2, and extrapolates', () => {
    const slide = scene(
      {
        floor,
        box: body({ shape: box([0.1, 0.1, 0.02]), material: oak, position: [0, 0, 0.01], velocity: [3, 0, 0] }),
      },
      0.4,
      0,
    );
    const exact = 9 / (2 * 0.4 * g);
    const steps = [1e-2, 1e-3, 5e-4];
    const errors = steps.map((step) => {
      const simulation = run(slide, { step, stopTime: 1, interval: 0.01 });
      expect(simulation.recording.signal('box.position.z').max()).toBeLessThan(0.01 + 1e-9);
      expect(missing(simulation)).toBeLessThan(1e-12);
      return end(simulation, 'box.position.x') - exact;
    });
    for (const [i, h] of steps.entries()) expect(Math.abs(errors[i] / (-1.5 * h) - 1)).toBeLessThan(0.02);
    expect(Math.abs(2 * errors[2] - errors[1])).toBeLessThan(1e-5);
  });

  // 2/3 µ m g R = ½ m R² ω': t = 3 ω R/(4 µ g)
  test('a spinning disc stops when Coulomb and Contensou say', () => {
    const disc = scene(
      {
        floor,
        disc: body({
          shape: cylinder({ radius: 0.5, height: 0.02 }),
          material: oak,
          position: [0, 0, 0.01],
          angularVelocity: [0, 0, 10],
        }),
      },
      0.4,
      0,
    );
    const { recording } = run(disc, { step: 1e-3, stopTime: 1, interval: 1e-3 });
    const spin = recording.signal('disc.angularVelocity.z');
    const stopped = recording.times[spin.values.findIndex((w) => w < 1e-6)];
    expect(Math.abs(stopped - (3 * 10 * 0.5) / (4 * 0.4 * g))).toBeLessThan(1.1e-3);
  });
});

describe('impact', () => {
  test.each([
    ['steel', steel],
    ['oak', oak],
    ['rubber', rubber],
  ])('%s: restitution at seven phases of the step', (_, material) => {
    for (const step of [1e-3, 1e-4])
      for (const e of [0.3, 0.6, 0.9])
        for (let phase = 0; phase < 7; phase++) {
          const ball = scene(
            {
              floor: body({ shape: halfSpace(), material, fixed: true }),
              ball: body({
                shape: sphere(0.05),
                material,
                position: [0, 0, 0.052 + (3 * step * phase) / 7],
                velocity: [0, 0, -3],
              }),
            },
            0.3,
            e,
            { gravity: [0, 0, 0] },
          );
          const simulation = run(ball, { step, stopTime: 0.012, interval: 0.012 });
          expect(Math.abs(end(simulation, 'ball.velocity.z') / 3 - e)).toBeLessThan(step === 1e-3 ? 0.006 : 0.001);
        }
  });

  test('a ball that bounces comes to rest', () => {
    const ball = scene({ floor, ball: body({ shape: sphere(0.05), material: oak, position: [0, 0, 0.15] }) }, 0.3, 0.6);
    const simulation = run(ball, { step: 1e-3, stopTime: 2, interval: 0.1 });
    expect(Math.abs(end(simulation, 'ball.velocity.z'))).toBeLessThan(1e-10);
    expect(Math.abs(end(simulation, 'ball.position.z') - 0.05)).toBeLessThan(1e-6);
    expect(missing(simulation)).toBeLessThan(1e-12);
  });

  // Apex n of a ball let go at H: e²ⁿ H. Speed is what it is where the gap closes, within the step, so that only the time of a bounce is off by up to a step.
  test.each([
    [1, 4e-3, 1e-4],
    [0.8, 1e-3, 5e-5],
  ])('bounces as high as e = %d has it, steps of %d s', (e, step, tolerance) => {
    const ball = scene({ floor, ball: body({ shape: sphere(0.05), material: oak, position: [0, 0, 0.55] }) }, 0, e);
    const simulation = new Simulation(ball, { integrator: 'time-stepping', step, stopTime: 2.2, interval: 1 });
    const { y, account } = simulation.stepping!;
    let bounces = 0;
    for (let rising = false; simulation.stepping!.t < 2.1; ) {
      simulation.stepping!.step(2.2);
      if (rising && y[9] <= 0) {
        bounces++;
        const apex = y[2] - 0.05 + y[9] ** 2 / (2 * g);
        expect(Math.abs(apex / (0.5 * e ** (2 * bounces)) - 1)).toBeLessThan(tolerance);
      }
      rising = y[9] > 0;
    }
    expect(bounces).toBeGreaterThan(2);
    expect(Math.abs(account.step) / account.scale).toBeLessThan(tolerance);
  });

  // Sticks: v' = 5/7 v. Slips: v' = v − µ (1 + e) v_n
  test.each([
    [45, 0.9, 3 * Math.SQRT1_2, (5 / 7) * 3 * Math.SQRT1_2],
    [72, 0.3, 3 * Math.sin(0.4 * Math.PI), 3 * Math.sin(0.4 * Math.PI) - 0.48 * 3 * Math.cos(0.4 * Math.PI)],
  ])('oblique at %d°', (angle, friction, vx, exact) => {
    const vz = -3 * Math.cos((angle * Math.PI) / 180);
    const ball = scene(
      { floor, ball: body({ shape: sphere(0.05), material: oak, position: [0, 0, 0.06], velocity: [vx, 0, vz] }) },
      friction,
      0.6,
      { gravity: [0, 0, 0] },
    );
    const simulation = run(ball, { step: 1e-3, stopTime: 0.03 });
    expect(Math.abs(end(simulation, 'ball.velocity.x') / exact - 1)).toBeLessThan(0.001);
  });
});

const solid = (points: readonly Vec3[]): Solid => ({ mesh: convexHull(points), form: { kind: 'mesh' }, pose: ORIGIN });

/** Nine voussoirs on a half circle of 1 m, between straight joints */
function arch(thickness: number): Model {
  const voussoirs = Array.from({ length: 9 }, (_, i) => {
    const [from, to] = [(Math.PI * i) / 9, (Math.PI * (i + 1)) / 9];
    const [x, z] = [Math.cos((from + to) / 2), Math.sin((from + to) / 2)];
    const corners = [-0.15, 0.15].flatMap((y) =>
      [from, to].flatMap((angle) =>
        [1 - thickness / 2, 1 + thickness / 2].map((r): Vec3 => [r * Math.cos(angle) - x, y, r * Math.sin(angle) - z]),
      ),
    );
    return body({ shape: solid(corners), material: oak, position: [x, 0, z] });
  });
  return scene({ floor, voussoir: voussoirs }, 0.6, 0);
}

describe('many bodies', () => {
  /** m, at the end of the heap's run */
  let heapDepth = 0;

  // Limit analysis of this arch (a linear program over corner forces, friction 0.6) ends at a thickness of 0.101525 m.
  test('a masonry arch stands above its limit thickness and falls below it', () => {
    const crown = (thickness: number): number =>
      end(run(arch(thickness), { step: 2e-3, stopTime: 2, rigidity: 1e4 }), 'voussoir[4].position.z');
    expect(Math.abs(crown(0.1018) - 1)).toBeLessThan(1e-6);
    expect(crown(0.1012)).toBeLessThan(0.5);
  });

  test('a gripper holds what it shakes', () => {
    const grip = (memory: boolean): number => {
      const finger = (x: number) => body({ shape: box([0.02, 0.06, 0.06]), material: oak, position: [x, 0, 0.2] });
      const shaken = (t: number): number => 0.02 * Math.sin(10 * t); // 2 m/s²
      const gripper = model({
        gravity: [0, 0, -g],
        bodies: {
          hand: body({ shape: box([0.01, 0.01, 0.01]), material: oak, position: [0, 0, 0.5] }),
          left: finger(-0.035),
          right: finger(0.035),
          box: body({ shape: box([0.05, 0.05, 0.05]), material: oak, position: [0, 0, 0.2] }),
        },
        joints: {
          lift: prismatic({ body: 'hand', axis: [0, 0, 1], position: shaken }),
          closeLeft: prismatic({ body: 'left', to: 'hand', axis: [1, 0, 0], force: () => 20 }),
          closeRight: prismatic({ body: 'right', to: 'hand', axis: [-1, 0, 0], force: () => 20 }),
        },
        contacts: {
          defaults: { friction: 0.5, restitution: 0 },
          exclude: [
            ['hand', 'left'],
            ['hand', 'right'],
            ['hand', 'box'],
          ],
        },
      });
      const simulation = new Simulation(gripper, {
        integrator: 'time-stepping',
        step: 1e-3,
        stopTime: 5,
        interval: 0.5,
      });
      simulation.stepping!.contacts!.regions.friction.memory = memory;
      simulation.advance();
      const { recording } = simulation;
      const height = recording.signal('box.position.z');
      const finger0 = recording.signal('left.position.z');
      return Math.abs(height.at(-1)! - finger0.at(-1)! - (height.at(1)! - finger0.at(1)!));
    };
    expect(grip(true)).toBeLessThan(1e-7);
    expect(grip(false)).toBeGreaterThan(1e-4);
  });

  test('a heap of thirty in a box', () => {
    const draw = random(3);
    const wall = (size: Vec3, position: Vec3) => body({ shape: box(size), material: oak, position, fixed: true });
    const things = Array.from({ length: 30 }, (_, i) => {
      const size = () => draw.uniformBetween(0.06, 0.1);
      const shape =
        i % 3 === 0
          ? box([size(), size(), size()])
          : i % 3 === 1
            ? sphere(size() / 2)
            : cylinder({ radius: size() / 2, height: size() });
      const position: Vec3 = [
        ((i % 2) - 0.5) * 0.15,
        ((Math.floor(i / 2) % 2) - 0.5) * 0.15,
        0.1 + Math.floor(i / 4) * 0.15,
      ];
      return body({ shape, material: oak, position, orientation: draw.rotation() });
    });
    const heap = model({
      bodies: {
        floor,
        wall: [
          wall([0.05, 0.5, 1.2], [0.225, 0, 0.6]),
          wall([0.05, 0.5, 1.2], [-0.225, 0, 0.6]),
          wall([0.5, 0.05, 1.2], [0, 0.225, 0.6]),
          wall([0.5, 0.05, 1.2], [0, -0.225, 0.6]),
        ],
        thing: things,
      },
    });
    const hashes = [0, 1].map(() => {
      const simulation = new Simulation(heap, {
        integrator: 'time-stepping',
        step: 4e-3,
        stopTime: 1.2,
        interval: 0.05,
        resting: false,
      });
      const { recording, stepping } = simulation;
      for (let step = 250; step <= 300; step++) {
        simulation.advance(4e-3 * step);
        for (let i = 0; i < stepping!.contacts!.count; i++)
          heapDepth = Math.max(heapDepth, stepping!.contacts!.present[i].pair.depth);
      }
      simulation.finish();
      for (let i = 0; i < 30; i++) {
        expect(Math.abs(end(simulation, `thing[${i}].position.x`))).toBeLessThan(0.2);
        expect(Math.abs(end(simulation, `thing[${i}].position.y`))).toBeLessThan(0.2);
        expect(end(simulation, `thing[${i}].position.z`)).toBeGreaterThan(0.02);
      }
      expect(stepping!.unsolved / stepping!.solutions).toBeLessThan(1e-3);
      expect(missing(simulation)).toBeLessThan(1e-12);
      return recording.hash;
    });
    expect(hashes[0]).toBe(hashes[1]);
  });

  // Known miss: some 1e-5 … 8e-5 m after 1 s, wanted is 1e-4 of the smaller body (6e-6 m). Rims and generators of cylinders that touch in one point: while the
  // body rocks the point jumps along the rim, and what comes down there was not in the step
  test.fails('… in which nothing is deeper than 1e-5 m', () => {
    expect(heapDepth).toBeLessThan(1e-5);
  });

  test('a brick is pulled out of a wall, and the same again from the notes of the hand', () => {
    const bricks = Array.from({ length: 20 }, (_, i) => {
      const row = Math.floor(i / 4);
      return body({
        shape: box([0.2, 0.1, 0.08]),
        material: oak,
        position: [0.2 * (i % 4) + (row % 2) * 0.1, 0, 0.08 * row + 0.04],
      });
    });
    const wall = scene({ floor, brick: bricks }, 0.5, 0.2);
    const pulled = new Simulation(wall, { integrator: 'time-stepping', step: 1 / 120, stopTime: 1.5, interval: 0.05 });
    const grip = pulled.grab('brick[9]', [0.3, 0.05, 0.2]);
    for (let t = 0; t < 0.8; t += 1 / 60) {
      grip.moveTo([0.3, 0.05 + t, 0.2]);
      pulled.advance(t);
    }
    grip.release();
    pulled.advance();
    const { recording } = pulled;
    for (let i = 0; i < 20; i++)
      for (const axis of 'xyz') {
        const speed = recording.signal(`brick[${i}].velocity.${axis}`);
        expect(Math.max(speed.max(), -speed.min())).toBeLessThan(5);
      }
    expect(end(pulled, 'brick[9].position.y')).toBeGreaterThan(0.3);
    const again = run(wall, {
      step: 1 / 120,
      stopTime: 1.5,
      interval: 0.05,
      resting: true,
      handling: pulled.hand!.notes,
    });
    expect(end(again, 'brick[9].position.y')).toBe(end(pulled, 'brick[9].position.y'));
    expect(end(again, 'brick[13].position.x')).toBe(end(pulled, 'brick[13].position.x'));
  });
});

describe('mechanisms', () => {
  test('a pendulum swings at second order', () => {
    const pendulum = model({
      gravity: [0, 0, -g],
      bodies: { bob: body({ shape: sphere(0.05), material: steel, position: [1, 0, 0] }) },
      joints: { hinge: revolute({ body: 'bob', axis: [0, 1, 0], at: [0, 0, 0] }) },
    });
    const exact = new Simulation(pendulum, { stopTime: 1, rtol: 1e-10 });
    exact.advance();
    exact.finish();
    const [coarse, fine] = [2e-2, 5e-3].map(
      (step) => end(run(pendulum, { step, stopTime: 1 }), 'hinge.angle') - end(exact, 'hinge.angle'),
    );
    expect(Math.abs(fine / coarse)).toBeLessThan(0.1);
    expect(Math.abs(fine)).toBeLessThan(1e-5);
  });

  test('a four-bar linkage hits a stop and rebounds as under error control; its loop stays closed', () => {
    const [A, B, C, D]: Vec3[] = [
      [0, 0, 0],
      [0, 0, 0.3],
      [0.4, 0, 0.35],
      [0.5, 0, 0],
    ];
    const link = (p: Vec3, q: Vec3) => {
      const angle = Math.atan2(q[2] - p[2], q[0] - p[0]);
      return body({
        shape: box([Math.hypot(q[0] - p[0], q[2] - p[2]), 0.02, 0.02]),
        material: steel,
        position: [(p[0] + q[0]) / 2, 0, (p[2] + q[2]) / 2],
        orientation: [Math.cos(angle / 2), 0, -Math.sin(angle / 2), 0],
      });
    };
    const axis: Vec3 = [0, 1, 0];
    const linkage = model({
      gravity: [0, 0, -g],
      bodies: { crank: link(A, B), coupler: link(B, C), rocker: link(C, D) },
      joints: {
        a: revolute({ body: 'crank', axis, at: A, stops: { lower: -1, upper: 0.2, restitution: 0.4, stiffness: 1e7 } }),
        b: revolute({ body: 'coupler', to: 'crank', axis, at: B }),
        c: revolute({ body: 'rocker', to: 'coupler', axis, at: C }),
        d: revolute({ body: 'rocker', axis, at: D }),
      },
      contacts: false,
    });
    const exact = new Simulation(linkage, { stopTime: 0.6, rtol: 1e-7 });
    exact.advance();
    exact.finish();
    const simulation = run(linkage, { step: 1e-3, stopTime: 0.6 });
    expect(Math.abs(end(simulation, 'a.angle') - end(exact, 'a.angle'))).toBeLessThan(2e-3);
    expect(simulation.recording.signal('a.angle').max()).toBeLessThan(0.2 + 1e-3);
    expect(simulation.recording.trust.constraints!.position).toBeLessThan(1e-12);
    expect(missing(simulation)).toBeLessThan(1e-12);
  });

  test('a light body under one a million times heavier does not sink; a ball rolls to rest', () => {
    const pile = scene(
      {
        floor,
        light: body({ shape: box([0.1, 0.1, 0.1]), material: { ...oak, density: 1 }, position: [0, 0, 0.05] }),
        heavy: body({ shape: box([0.1, 0.1, 0.1]), material: { ...oak, density: 1e6 }, position: [0, 0, 0.15] }),
      },
      0.4,
      0,
    );
    expect(Math.abs(end(run(pile, { step: 2e-3, stopTime: 0.5 }), 'heavy.position.z') - 0.15)).toBeLessThan(1e-6);
    const ball = scene(
      {
        floor,
        ball: body({
          shape: sphere(0.05),
          material: oak,
          position: [0, 0, 0.05],
          velocity: [1, 0, 0],
          angularVelocity: [0, 20, 0],
        }),
      },
      0.5,
      0,
      { contacts: { defaults: { friction: 0.5, restitution: 0, rollingFriction: 0.01 } } },
    );
    // I ω' = µ_r R N − R F, m v' = F: v' = −5/7 µ_r g
    expect(
      Math.abs(end(run(ball, { step: 1e-3, stopTime: 1 }), 'ball.velocity.x') - (1 - (5 / 7) * 0.01 * g)),
    ).toBeLessThan(1e-6);
  });

  // Dropped by 10 mm it arrives with √(2 g h) = 0.44 m/s; nothing may send it up faster than e times that, nor let it through
  test.each([1e-3, 4e-3, 2e-2])('a ton that drops onto a gram is not thrown, h = %d s', (step) => {
    const drop = scene(
      {
        floor,
        light: body({ shape: box([0.1, 0.1, 0.02]), material: oak, mass: 1e-3, position: [0, 0, 0.0101] }),
        heavy: body({ shape: box([0.1, 0.1, 0.1]), material: oak, mass: 1e3, position: [0, 0, 0.08] }),
      },
      0.5,
      0.2,
    );
    const simulation = run(drop, { step, stopTime: 0.5, interval: 0.01 });
    expect(simulation.recording.signal('heavy.velocity.z').max()).toBeLessThan(0.2 * Math.sqrt(2 * g * 0.01));
    expect(Math.abs(end(simulation, 'heavy.position.z') - 0.07)).toBeLessThan(1e-4);
  });

  // 100 N move 0.1 kg by a h²/2 = 50 mm in the first 10 ms, ten times as far as the wall is away: contact has to be looked for as far as forces will take bodies, not as far as
  // their speed does, which is 0. So has it for a motor of a joint, and for a force on a free body
  test.each(['joint', 'free body'])('a force does not drive what stands still through a wall: %s', (what) => {
    const pushed = scene(
      {
        wall: body({ shape: box([0.02, 0.2, 0.2]), material: steel, fixed: true, position: [0.065, 0, 0] }),
        pusher: body({ shape: box([0.1, 0.02, 0.02]), material: steel, mass: 0.1 }),
      },
      0.3,
      0,
      {
        gravity: [0, 0, 0],
        ...(what === 'joint'
          ? { joints: { slide: prismatic({ body: 'pusher', axis: [1, 0, 0], force: () => 100 }) } }
          : { forces: { push: applied({ on: 'pusher', force: () => [100, 0, 0] }) } }),
      },
    );
    const simulation = run(pushed, { step: 1e-2, stopTime: 0.2 });
    // rigid but for h² w N/κ per point at the most: 1e-4 · 10 · 100/1000
    expect(Math.abs(end(simulation, 'pusher.position.x') - 5e-3)).toBeLessThan(1e-4);
    expect(simulation.recording.signal('pusher.position.x').max()).toBeLessThan(5e-3 + 1e-4);
  });

  // A box of 100 mm between walls that leave it 99.95 mm: no force of theirs may come out of their own stiffness. Without friction it falls as if they were not there, late by
  // half a step as every body that is pushed is; with friction it hangs
  test.each([
    [0, 1e-3],
    [0, 1e-2],
    [0.5, 1e-3],
    [0.5, 2e-3],
  ])('a box wedged 0.05 mm too tight, µ = %d, h = %d s', (friction, step) => {
    const wall = (x: number) => body({ shape: box([0.1, 1, 1]), material: steel, fixed: true, position: [x, 0, 0.5] });
    const wedged = scene(
      {
        left: wall(-0.099975),
        right: wall(0.099975),
        box: body({ shape: box(0.1), material: oak, position: [0, 0, 0.5] }),
      },
      friction,
      0,
    );
    const simulation = run(wedged, { step, stopTime: 0.05 });
    const { stepping } = simulation;
    expect(stepping!.unsolved).toBe(0);
    expect(missing(simulation)).toBeLessThan(1e-12);
    expect(Math.abs(end(simulation, 'box.position.x'))).toBeLessThan(1e-12);
    const fall = friction > 0 ? 0 : 0.5 * g * 0.05 * (0.05 + step);
    expect(Math.abs(end(simulation, 'box.position.z') - 0.5 + fall)).toBeLessThan(1e-7);
  });

  test('the same bits with kernels in WebAssembly and in TypeScript', () => {
    const hash = (): string => {
      const { scene, step } = randomScene(5);
      const simulation = new Simulation(scene, { integrator: 'time-stepping', step, stopTime: 60 * step });
      simulation.advance();
      return simulation.recording.hash;
    };
    const compiled = hash();
    vi.stubGlobal('WebAssembly', undefined);
    try {
      expect(hash()).toBe(compiled);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  test('forty random scenes: nothing gains energy, everything is solved', () => {
    const { gain, unsolved, solutions } = runScenes(0, 40);
    expect(gain).toBeLessThan(1e-6);
    expect(unsolved / solutions).toBeLessThan(1e-3);
  });
});

describe('refinement', () => {
  // Uniform pressure on the disc, by quadrature: dv/dt = −µ g <u>, dω/dt = −µ g <r × u>/(R²/2), u the direction of slip
  test('a disc that slides and spins comes to the exact path at first order', () => {
    const [R, friction, time] = [0.1, 0.3, 0.3];
    let [x, v, w] = [0, 1, 10];
    const h = time / 300;
    for (let step = 0; step < 300; step++) {
      let [force, torque, weight] = [0, 0, 0];
      for (let i = 0.5; i < 40; i++)
        for (let k = 0.5; k < 80; k++) {
          const r = (R * i) / 40;
          const [px, py] = [r * Math.cos((Math.PI * k) / 40), r * Math.sin((Math.PI * k) / 40)];
          const [ux, uy] = [v - w * py, w * px];
          const speed = Math.hypot(ux, uy);
          force += (r * ux) / speed;
          torque += (r * (px * uy - py * ux)) / speed;
          weight += r;
        }
      x += h * (v - (0.5 * h * friction * g * force) / weight);
      v -= (h * friction * g * force) / weight;
      w -= (2 * h * friction * g * torque) / weight / (R * R);
    }
    const disc = scene(
      {
        floor,
        disc: body({
          shape: cylinder({ radius: R, height: 0.02 }),
          material: oak,
          position: [0, 0, 0.01],
          velocity: [1, 0, 0],
          angularVelocity: [0, 0, 10],
        }),
      },
      friction,
      0,
    );
    const [coarse, fine] = [4e-3, 1e-3].map((step) => run(disc, { step, stopTime: time }));
    const error = (of: Simulation): number => end(of, 'disc.position.x') - x;
    expect(error(fine) / error(coarse)).toBeGreaterThan(0.2);
    expect(error(fine) / error(coarse)).toBeLessThan(0.3);
    // extrapolated; the quadrature is good to 1e-4
    expect(Math.abs((4 * error(fine) - error(coarse)) / 3)).toBeLessThan(0.002 * x);
    expect(Math.abs(end(fine, 'disc.angularVelocity.z') / w - 1)).toBeLessThan(0.002);
  });

  // A slab that has been tipped on its edge and falls back: no impact before it lies flat
  test('a slab that rocks on its edge and a block that slides come to error control at first order', () => {
    const slab = scene(
      {
        floor,
        slab: body({
          shape: box([0.2, 0.2, 0.4]),
          material: oak,
          position: [0.1 * Math.cos(0.2) + 0.2 * Math.sin(0.2) - 0.1, 0, 0.2 * Math.cos(0.2) + 0.1 * Math.sin(0.2)],
          orientation: [Math.cos(0.1), 0, -Math.sin(0.1), 0],
        }),
      },
      0.8,
      0,
    );
    const exact = new Simulation(slab, { stopTime: 0.12, rtol: 1e-7 });
    exact.advance();
    exact.finish();
    const [coarse, fine] = [4e-3, 1e-3].map(
      (step) => end(run(slab, { step, stopTime: 0.12 }), 'slab.position.z') - end(exact, 'slab.position.z'),
    );
    expect(Math.abs(fine / coarse)).toBeLessThan(0.35);
    expect(Math.abs(fine)).toBeLessThan(1e-4);
  });

  test('steps that choose themselves keep to the accuracy', () => {
    const ball = scene(
      { floor, ball: body({ shape: sphere(0.05), material: oak, position: [0, 0, 0.3], velocity: [1, 0, 0] }) },
      0.3,
      0.5,
    );
    const x = (options: SimulationOptions): number => end(run(ball, { stopTime: 0.8, ...options }), 'ball.position.x');
    // rigid as that which is chosen; steps of 20 µs would follow the blow of 0.4 ms itself, and its spring along the floor
    const fine = x({ step: 1e-4 });
    const chosen = x({ accuracy: 1e-4 });
    expect(Math.abs(chosen - fine)).toBeLessThan(3e-4);
  });
});
