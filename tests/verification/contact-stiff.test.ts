// Stiff contact under error control: balls, boxes on their corners, chains, stops, thin plates. Closed forms, or the same problem
// in one dimension integrated on its own.
import { describe, expect, test } from 'vitest';
import { dampingFactor } from '../../src/contact-laws/normal/restitution.js';
import {
  applied,
  body,
  box,
  halfSpace,
  type Model,
  model,
  prismatic,
  Simulation,
  simulate,
  sphere,
  spring,
  type Vec3,
} from '../../src/index.js';
import { integrate } from '../../src/integration/index.js';
import type { ContactsOptions } from '../../src/model/contacts.js';

const G = 9.81;
type Contacts = Exclude<ContactsOptions, false>;
type Pair = NonNullable<Contacts['defaults']>;

const cuboid = (mass: number, [a, b, c]: Vec3): Vec3 => [
  (mass * (b * b + c * c)) / 12,
  (mass * (a * a + c * c)) / 12,
  (mass * (a * a + b * b)) / 12,
];
/** The four lower corners, or all eight */
const corners = ([a, b, c]: Vec3, levels = [-1]): Vec3[] =>
  levels.flatMap((z) => [-1, 1].flatMap((x) => [-1, 1].map((y): Vec3 => [(x * a) / 2, (y * b) / 2, (z * c) / 2])));
const plane = body({ fixed: true, contact: { surfaces: [{ kind: 'rectangle' }] } });
/** k per corner, k_t = 0.8 k */
const springs = (stiffness: number, friction: number, restitution = 0.3): Pair => ({
  restitution,
  friction,
  normalLaw: { kind: 'power', stiffness, exponent: 1 },
  frictionLaw: { kind: 'bristle', stiffness: 0.8 * stiffness, dampingRatio: 0.7 },
});
const end = (run: ReturnType<typeof simulate>, signal: string): number => run.signal(signal).values.at(-1)!;

describe('P1: a ball dropped from 0.3 m, Hertz 1e9 N/m^1.5, restitution 0.7', () => {
  const [mass, k, R] = [1.41, 1e9, 0.05];
  const inertia = 0.4 * mass * R * R;
  const drop = (tolerance: number): Model =>
    model({
      gravity: [0, 0, -G],
      bodies: {
        floor: body({ shape: halfSpace(), fixed: true }),
        ball: body({ shape: sphere(R), mass, inertia: [inertia, inertia, inertia], position: [0, 0, 0.35] }),
      },
      contacts: {
        tolerance,
        defaults: { restitution: 0.7, friction: 0.4, normalLaw: { kind: 'power', stiffness: k, exponent: 1.5 } },
      },
    });
  const restDepth = ((mass * G) / k) ** (2 / 3);
  // The same law in one dimension; floor speed x √(g d/n), ζ₀ = 0.5. 1e-9 m by the tolerance.
  const x = dampingFactor(0.7);
  const floor = x * Math.sqrt((G * restDepth) / 1.5);
  const exact = integrate(
    {
      size: 2,
      rates: (_t, y, out) => {
        const depth = R - y[0];
        const elastic = depth > 0 ? k * depth * Math.sqrt(depth) : 0;
        const u = Math.sqrt(y[1] ** 2 + (0.8 * elastic * Math.max(0, depth)) / mass + floor * floor);
        out[0] = y[1];
        out[1] = (elastic * Math.max(0, 1 - (x * y[1]) / u)) / mass - G;
      },
    },
    { t0: 0, t1: 1, y0: [0.35, 0], method: 'dop853', rtol: 1e-10, atol: 1e-12, hMax: 2e-5 },
  ).y[0];

  // An impact is left at an error of some 1e-5 of its speed, and the ball bounces four times before 1 s.
  test.each([
    [1e-2, 1e-6, 3e-4],
    [1e-3, 1e-7, 3e-5],
  ])('tolerance %f, rtol %f: height after 1 s, rest after 3 s', (tolerance, rtol, limit) => {
    const run = simulate(drop(tolerance), { stopTime: 3, interval: 0.5, rtol });
    expect(Math.abs(run.signal('ball.position.z').valueAt(1) - exact)).toBeLessThan(limit);
    expect(Math.abs(end(run, 'ball.position.z') - (R - restDepth))).toBeLessThan(1e-12);
    expect(Math.abs(end(run, 'ball.velocity.z'))).toBeLessThan(1e-9);
  });
});

describe('boxes on their corners', () => {
  const [mass, size, k] = [8, [0.4, 0.2, 0.1] as Vec3, 1e7];
  const boxOnPlane = (gravity: Vec3, velocity: Vec3, friction: number, shake?: (t: number) => Vec3, tolerance = 1e-2) =>
    model({
      gravity,
      bodies: {
        plane,
        box: body({
          shape: box(size),
          mass,
          inertia: cuboid(mass, size),
          position: [0, 0, 0.05 + (mass * gravity[2]) / (4 * k)],
          velocity,
          contact: { surfaces: [{ kind: 'points', points: corners(size) }] },
        }),
      },
      ...(shake && { forces: { shake: applied({ on: 'box', force: shake }) } }),
      contacts: { tolerance, defaults: springs(k, friction) },
    });

  // v²/2µg less what the bristles spring back by, µ m g/(4 k_t) = 0.98 µm
  test('P2: a box slides at 5 m/s and stops', () => {
    const run = simulate(boxOnPlane([0, 0, -G], [5, 0, 0], 0.4), { stopTime: 3, interval: 0.1 });
    const way = 25 / (2 * 0.4 * G) - (0.4 * mass * G) / (4 * 0.8 * k);
    expect(Math.abs(end(run, 'box.position.x') - way)).toBeLessThan(2e-7);
    expect(Math.abs(end(run, 'box.velocity.x'))).toBeLessThan(1e-8);
  });

  const slope = (10 * Math.PI) / 180;
  const downhill: Vec3 = [G * Math.sin(slope), 0, -G * Math.cos(slope)];
  test('P4: a box holds on 10° for a minute, in a few steps', () => {
    const run = simulate(boxOnPlane(downhill, [0, 0, 0], 0.3), { stopTime: 60, interval: 1 });
    const x = run.signal('box.position.x');
    expect(Math.abs(end(run, 'box.position.x') - x.valueAt(30)) / 30).toBeLessThan(1e-15);
    expect(run.trust.steps!.accepted).toBeLessThanOrEqual(25);
  });

  // Displacement 8·0.6/(4 k_t) = 0.15 µm to and fro; a straight line through full periods tells the creep
  test.each([0.3, 0.6])('P4, shaken at 20 Hz with %f m/s², below what slips: no creep', (amplitude) => {
    const shake = (t: number): Vec3 => [mass * amplitude * Math.sin(40 * Math.PI * t), 0, 0];
    const run = simulate(boxOnPlane(downhill, [0, 0, 0], 0.3, shake, 1e-4), {
      stopTime: 2,
      interval: 0.05,
      rtol: 1e-8,
    });
    const { times, values } = run.signal('box.position.x');
    let [n, st, sx, stt, stx] = [0, 0, 0, 0, 0];
    times.forEach((t, i) => {
      if (t < 0.5) return;
      n++;
      st += t;
      sx += values[i];
      stt += t * t;
      stx += t * values[i];
    });
    expect(Math.abs((n * stx - st * sx) / (n * stt - st * st))).toBeLessThan(1e-9);
  });

  // Top at 0.95 m − (10 + 9 + … + 1) m g/(4k); what is left, 1.5 nm, is the tilt by the offsets
  test('P3: six boxes dropped through gaps of 1 mm come to rest', () => {
    const small: Vec3 = [0.2, 0.2, 0.1];
    const bodies = Object.fromEntries(
      Array.from({ length: 6 }, (_, i) => [
        `box${i}`,
        body({
          shape: box(small),
          mass: 4,
          inertia: cuboid(4, small),
          position: [i % 2 ? 1e-3 : 0, 0, 0.051 + 0.101 * i],
          contact: {
            surfaces: [
              { kind: 'points', points: corners(small) },
              { kind: 'rectangle', width: 0.21, length: 0.21, position: [0, 0, 0.05] },
            ],
          },
        }),
      ]),
    );
    const simulation = new Simulation(
      model({
        gravity: [0, 0, -G],
        bodies: { plane, ...bodies },
        contacts: { records: false, tolerance: 1e-2, defaults: springs(k, 0.5) },
      }),
      { stopTime: 60, interval: 5, rtol: 1e-5 },
    );
    simulation.advance(5);
    const { accepted } = simulation.statistics;
    simulation.advance();
    const run = simulation.finish();
    expect(run.trust.steps!.accepted - accepted).toBeLessThanOrEqual(10);
    expect(Math.abs(end(run, 'box5.position.z') - (0.55 - (21 * 4 * G) / (4 * k)))).toBeLessThan(2e-9);
    for (const axis of ['x', 'y', 'z']) {
      const top = run.signal(`box5.position.${axis}`);
      expect(Math.abs(end(run, `box5.position.${axis}`) - top.valueAt(20))).toBeLessThan(1e-9);
    }
    for (const { values } of run.select('box*.velocity.*')) expect(Math.abs(values.at(-1)!)).toBeLessThan(1e-9);
  });

  // No closed form: the default against a run at 1e-8, and the ledger
  test('P7: a box tumbles over its eight corners, and comes to lie', () => {
    const tumble = (rtol: number, tolerance: number, stopTime: number) =>
      simulate(
        model({
          gravity: [0, 0, -G],
          bodies: {
            plane,
            box: body({
              shape: box(size),
              mass,
              inertia: cuboid(mass, size),
              position: [0, 0, 0.3],
              orientation: { axis: [1, 2, 0.5], angle: 0.7 },
              velocity: [1, 0, 0],
              angularVelocity: [1, 3, 0.5],
              contact: { surfaces: [{ kind: 'points', points: corners(size, [-1, 1]) }] },
            }),
          },
          contacts: { tolerance, defaults: springs(2e6, 0.4) },
        }),
        { stopTime, interval: stopTime / 10, rtol },
      );
    const [coarse, fine] = [tumble(1e-6, 1e-2, 0.4), tumble(1e-8, 1e-4, 0.4)];
    for (const axis of ['x', 'y', 'z'])
      expect(Math.abs(end(coarse, `box.position.${axis}`) - end(fine, `box.position.${axis}`))).toBeLessThan(5e-4);
    const long = tumble(1e-6, 1e-2, 60);
    expect(long.trust.steps!.accepted).toBeLessThan(1500);
    expect(Math.abs(end(long, 'box.velocity.z'))).toBeLessThan(1e-9);
    expect(long.trust.energy!.relativeError).toBeLessThan(1e-4);
  });
});

describe('without gravity', () => {
  const ball = (position: Vec3, velocity: Vec3) =>
    body({ shape: sphere(0.05), mass: 1, inertia: [1e-3, 1e-3, 1e-3], position, velocity });

  // §8 test 1: k 1e8, m 1; the floor speed, 1e-6 m/s, changes e by its square over that of the impact
  test.each([0.9, 0.7, 0.5, 0.3].flatMap((e) => [1, 1.5].flatMap((n) => [0.1, 10].map((v) => [e, n, v] as const))))(
    'restitution %f, exponent %f, %f m/s',
    (restitution, exponent, speed) => {
      const depth = (((exponent + 1) * speed * speed) / 2e8) ** (1 / (exponent + 1));
      const run = simulate(
        model({
          gravity: 'none',
          bodies: {
            wall: body({ shape: halfSpace(), fixed: true }),
            ball: ball([0, 0, 0.05 + depth], [0, 0, -speed]),
          },
          contacts: { defaults: { restitution, friction: 0, normalLaw: { kind: 'power', stiffness: 1e8, exponent } } },
        }),
        { stopTime: (12 * depth) / speed, interval: (12 * depth) / speed, rtol: 1e-9 },
      );
      expect(Math.abs(end(run, 'ball.velocity.z') / speed - restitution)).toBeLessThan(1e-6);
    },
  );

  // Five touching Hertz balls, one comes at 1 m/s. Scale-free; two methods agree to 8e-9.
  test('P5: the Hertz chain', () => {
    const expected = [-0.071085, -0.0302738, -0.0144636, 0.127045, 0.9887774];
    const balls = Object.fromEntries(
      expected.map((_, i) => [`ball${i}`, ball([i === 0 ? -1e-4 : 0.1 * i, 0, 0], [i === 0 ? 1 : 0, 0, 0])]),
    );
    const run = simulate(
      model({
        gravity: 'none',
        bodies: balls,
        contacts: {
          defaults: { restitution: 1, friction: 0, normalLaw: { kind: 'power', stiffness: 1e9, exponent: 1.5 } },
        },
      }),
      { stopTime: 0.02, interval: 0.02 },
    );
    let [momentum, energy] = [0, 0];
    expected.forEach((speed, i) => {
      const v = end(run, `ball${i}.velocity.x`);
      expect(Math.abs(v - speed)).toBeLessThan(1e-5);
      momentum += v;
      energy += v * v;
    });
    expect(Math.abs(momentum - 1)).toBeLessThan(1e-12);
    expect(Math.abs(energy - 1)).toBeLessThan(1e-5);
  });

  // Two masses and a stiff rod pressed against a stop by a spring: F = 100 N/(1 + 2e4 (1/1e7 + 1/1e8))
  test.each(['stop', 'contact'])('P6: driven against a %s', (kind) => {
    const inertia: Vec3 = [1e-5, 1e-5, 1e-5];
    const run = simulate(
      model({
        gravity: 'none',
        bodies: {
          a: body({ mass: 0.05, inertia }),
          b: body({
            mass: 0.1,
            inertia,
            position: [0.1, 0, 0],
            ...(kind === 'contact' && { contact: { surfaces: [{ kind: 'points', points: [[0, 0, 0]] }] } }),
          }),
          wall: body({
            fixed: true,
            position: [0.12, 0, 0],
            orientation: { axis: [0, 1, 0], angle: -Math.PI / 2 },
            ...(kind === 'contact' && { contact: { surfaces: [{ kind: 'rectangle' }] } }),
          }),
        },
        joints: {
          drive: prismatic({ body: 'a', axis: [1, 0, 0], spring: { stiffness: 2e4, rest: 0.025 } }),
          guide: prismatic({
            body: 'b',
            axis: [1, 0, 0],
            ...(kind === 'stop' && { stops: { upper: 0.02, stiffness: 1e8, restitution: 0.3 } }),
          }),
        },
        forces: { rod: spring({ from: 'a', to: 'b', stiffness: 1e7, damping: 23, restLength: 0.1 }) },
        contacts: {
          defaults: { restitution: 0.3, friction: 0, normalLaw: { kind: 'power', stiffness: 1e8, exponent: 1 } },
        },
      }),
      { stopTime: 0.2, interval: 0.01 },
    );
    expect(Math.abs(end(run, 'b.position.x') - 0.1 - 0.020000997804829)).toBeLessThan(1e-9);
    expect(Math.abs(end(run, 'b.velocity.x'))).toBeLessThan(1e-6);
  });

  // Between the steps of a method that looks at errors only, a plate of 1 mm is not there.
  test.each([
    [1e-2, 1e-5, 200, 0.02],
    [1e-3, 1e-6, 40, 0.005],
  ])('no ball of 1 … 1000 m/s passes a plate of 1 mm: tolerance %f, rtol %f', (tolerance, rtol, cases, limit) => {
    const steel = { density: 7800, youngsModulus: 2.1e11, poissonRatio: 0.3 };
    let [passed, worst] = [0, 0];
    for (let i = 0; i < cases; i++) {
      const speed = 10 ** ((3 * i) / (cases - 1));
      const height = 0.1 + (0.37 * ((7919 * i) % 97)) / 97;
      const run = simulate(
        model({
          gravity: 'none',
          bodies: {
            plate: body({ shape: box([1, 1, 1e-3]), fixed: true, material: steel }),
            ball: body({
              shape: sphere(0.005),
              material: steel,
              position: [0, 0, height],
              velocity: [i % 2 ? 0.3 * speed : 0, 0, -speed],
            }),
          },
          contacts: { tolerance, records: false, defaults: { restitution: 0.7, friction: 0.3 } },
        }),
        { stopTime: (height + 0.05) / speed, interval: 1, rtol },
      );
      if (!(end(run, 'ball.position.z') > 0)) passed++;
      worst = Math.max(worst, Math.abs(end(run, 'ball.velocity.z') / speed - 0.7));
    }
    expect(passed).toBe(0);
    expect(worst).toBeLessThan(limit);
  });
});

// Without slip the point that does not move is the centroid of the overlap, a cap of depth d: ρ = 3 (2R − d)²/(4 (3R − d)) from the centre,
// hence g sin α/(1 + I/(m ρ²)). Rolling needs no transport of the bristle: nothing of the acceleration is lost.
test('a ball rolls down 10° as a ball should', () => {
  const [R, mass, slope] = [0.05, 1.41, (10 * Math.PI) / 180];
  const inertia = 0.4 * mass * R * R;
  const material = { density: 1, youngsModulus: 1e9, poissonRatio: 0.3 };
  const depth = ((mass * G * Math.cos(slope)) / ((4 / 3) * (1e9 / 1.82) * Math.sqrt(R))) ** (2 / 3);
  const run = simulate(
    model({
      gravity: [G * Math.sin(slope), 0, -G * Math.cos(slope)],
      bodies: {
        slope: body({ shape: halfSpace(), fixed: true, material }),
        ball: body({
          shape: sphere(R),
          mass,
          inertia: [inertia, inertia, inertia],
          material,
          position: [0, 0, R - depth],
        }),
      },
      contacts: { defaults: { restitution: 0.5, friction: 0.5 } },
    }),
    { stopTime: 3, interval: 0.5 },
  );
  const v = run.signal('ball.velocity.x');
  const acceleration = (v.valueAt(3) - v.valueAt(0.5)) / 2.5;
  const arm = (3 * (2 * R - depth) ** 2) / (4 * (3 * R - depth));
  expect(Math.abs(acceleration / ((G * Math.sin(slope)) / (1 + inertia / (mass * arm * arm))) - 1)).toBeLessThan(1e-10);
  // that of a rigid ball within the depth: 0.571 · 2/3 d/R
  expect(Math.abs(acceleration / ((5 / 7) * G * Math.sin(slope)) - 1)).toBeLessThan((0.4 * depth) / R);
});
