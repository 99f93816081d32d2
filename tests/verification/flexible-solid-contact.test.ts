// A ball dropped on flexible solids, and a solid dropped on a floor: Hertz, Zener, momentum and energy.
import { describe, expect, test } from 'vitest';
import { extrude } from '../../src/geometry/extrude.js';
import { halfSpace, sphere } from '../../src/geometry/index.js';
import { translate } from '../../src/geometry/transform.js';
import { body } from '../../src/model/body.js';
import type { FlexibleOptions } from '../../src/model/flexible.js';
import { applied } from '../../src/model/forces.js';
import { fixed, prismatic } from '../../src/model/joints.js';
import { model } from '../../src/model/model.js';
import { simulate } from '../../src/simulation/simulation.js';

const steel = { density: 7850, youngsModulus: 210e9, poissonRatio: 0.3 };
const plate = (side: number, height: number) =>
  translate(
    [0, 0, -height],
    extrude(
      [
        [-side / 2, -side / 2],
        [side / 2, -side / 2],
        [side / 2, side / 2],
        [-side / 2, side / 2],
      ],
      height,
    ),
  );

const dropped = (
  slab: { side: number; height: number; flexible: FlexibleOptions; held: boolean },
  radius: number,
  speed: number,
  stop: number,
) =>
  simulate(
    model({
      gravity: [0, 0, 0],
      bodies: {
        slab: body({ shape: plate(slab.side, slab.height), material: steel, flexible: slab.flexible }),
        ball: body({
          shape: sphere(radius),
          material: steel,
          position: [0, 0, radius + 1e-7],
          velocity: [0, 0, -speed],
        }),
      },
      joints: slab.held ? { bed: fixed({ body: 'slab', at: [0, 0, -slab.height] }) } : {},
      contacts: { defaults: { friction: 0 } },
      simulation: { stop, interval: stop / 200 },
    }),
    { rtol: 1e-6 },
  );

/** Ball on Hertz's spring on an infinite plate, whose middle moves with F/Z (Boussinesq; Zener, Phys. Rev. 59 (1941) 669); Z = ∞: rigid */
function zener(radius: number, speed: number, height: number): { restitution: number; force: number; time: number } {
  const { youngsModulus: E, poissonRatio: nu, density } = steel;
  const K = (4 / 3) * (E / (2 * (1 - nu * nu))) * Math.sqrt(radius);
  const mass = (4 / 3) * Math.PI * radius ** 3 * density;
  const D = (E * height ** 3) / (12 * (1 - nu * nu));
  const Z = height === Infinity ? Infinity : 8 * Math.sqrt(D * density * height);
  let [depth, v, t, most] = [0, speed, 0, 0];
  const h = 1e-9;
  const rate = (d: number, u: number): [number, number] => {
    const force = d > 0 ? K * d ** 1.5 : 0;
    return [u - force / Z, -force / mass];
  };
  do {
    const [a, b] = rate(depth, v);
    const [c, e] = rate(depth + (h / 2) * a, v + (h / 2) * b);
    depth += h * c;
    v += h * e;
    t += h;
    most = Math.max(most, K * Math.max(0, depth) ** 1.5);
  } while (depth > 0);
  return { restitution: -v / speed, force: most, time: t };
}

const peak = (run: ReturnType<typeof dropped>): number => Math.max(...run.signal('contacts.slab-ball.force.z').values);

describe('a steel ball of 8 mm', () => {
  test('on a thick block bounces as Hertz says', () => {
    // 60 × 60 × 30 mm on a rigid bed: what is left to its modes (above 20 kHz) in 55 µs is small
    const run = dropped(
      { side: 0.06, height: 0.03, flexible: { grid: [4, 4], layers: 2, modes: 4 }, held: true },
      8e-3,
      1,
      7e-5,
    );
    const { force, time } = zener(8e-3, 1, Infinity);
    const { values, times } = { values: run.signal('contacts.slab-ball.force.z').values, times: run.times };
    const last = times[values.findLastIndex((f) => f > 0)];
    expect(Math.abs(peak(run) / force - 1)).toBeLessThan(0.02);
    expect(Math.abs(last / time - 1)).toBeLessThan(0.03);
    expect(run.signal('ball.velocity.z').at(-1)!).toBeGreaterThan(0.97);
  });
  test('on a thin plate leaves its energy in waves as Zener says', () => {
    // 120 × 120 × 6 mm, free: waves of 55 µs are not back from its rim before the ball is gone. Thin plates have no shear, and forty modes end at
    // 40 kHz: within 0.03 of the speed, and 8 % of
    // the force, which falls as modes are added (20, 40, 60 of a plate of 4 mm: 794, 770, 749 N)
    const flexible = { grid: [8, 8], layers: 1, modes: 40, damping: 0 } as const;
    const run = dropped({ side: 0.12, height: 6e-3, flexible, held: false }, 8e-3, 1, 8e-5);
    const { restitution, force } = zener(8e-3, 1, 6e-3);
    expect(restitution).toBeLessThan(0.75);
    expect(Math.abs(run.signal('ball.velocity.z').at(-1)! - restitution)).toBeLessThan(0.03);
    expect(Math.abs(peak(run) / force - 1)).toBeLessThan(0.08);
    // momentum of both, and energy with the plate's
    const mass = (4 / 3) * Math.PI * 8e-3 ** 3 * 7850;
    expect(Math.abs(run.signal('momentum.z').at(-1)! / -mass - 1)).toBeLessThan(1e-9);
    const total = run.signal('energy.total');
    expect(Math.abs(total.at(-1)! / total.at(0)! - 1)).toBeLessThan(1e-4);
  });
});

// A bar lands flat on a hard floor at 0.1 m/s: all of its mass stops as a wave runs up and down, 2 h/c; p = ρ c v is the pressure meanwhile
// (uniaxial wave in a free bar: c = √(E/ρ)).
test('a bar on end hits the floor with the pressure of its wave', () => {
  const [side, length, v] = [0.01, 0.1, 0.1];
  const c = Math.sqrt(210e9 / 7850);
  const run = simulate(
    model({
      gravity: [0, 0, 0],
      bodies: {
        bar: body({
          shape: translate(
            [-side / 2, -side / 2, 0],
            extrude(
              [
                [0, 0],
                [side, 0],
                [side, side],
                [0, side],
              ],
              length,
            ),
          ),
          material: { ...steel, poissonRatio: 0 },
          flexible: { grid: [1, 1], layers: 10, modes: 40, damping: 0 },
          position: [0, 0, 1e-8],
          velocity: [0, 0, -v],
        }),
        floor: body({ shape: halfSpace(), fixed: true }),
      },
      contacts: { defaults: { friction: 0 } },
      simulation: { stop: (2.5 * length) / c, interval: (0.02 * length) / c },
    }),
    { rtol: 1e-5 },
  );
  const { values } = run.signal('contacts.bar-floor.force.z');
  const push = Array.from(values, (f) => -f);
  const during = push.slice(25, 85);
  const mean = during.reduce((sum, f) => sum + f, 0) / during.length;
  expect(Math.abs(mean / (7850 * c * v * side * side) - 1)).toBeLessThan(0.05);
  expect(Math.abs(run.signal('momentum.z').at(-1)! / (v * 7850 * side * side * length) - 1)).toBeLessThan(0.05);
});

// Hertz: δ = (F/K)^(2/3), K = 4/3 E* √r, and p₀ = 3 F/(2 π a²), a² = r δ; the mesh is far coarser than a (0.2 mm). Without gravity nothing but the law's own frequency tells what rounding is: 70 000 steps
// a second, two of five rejected, where nothing moves.
test('a ball pressed on a block, without gravity, rests as deep as Hertz says, in a few steps', () => {
  const [F, r] = [100, 8e-3];
  const alu = { density: 2700, youngsModulus: 70e9, poissonRatio: 0.33 };
  const run = simulate(
    model({
      gravity: [0, 0, 0],
      bodies: {
        block: body({ shape: plate(0.06, 0.03), material: alu, flexible: { grid: [3, 3], layers: 2, modes: 4 } }),
        ball: body({ shape: sphere(r), material: steel, position: [3e-3, 2e-3, r] }),
      },
      joints: {
        bed: fixed({ body: 'block', at: [0, 0, -0.03] }),
        guide: prismatic({ body: 'ball', axis: [0, 0, 1] }),
      },
      forces: { press: applied({ on: 'ball', force: [0, 0, -F] }) },
      contacts: { defaults: { friction: 0 } },
      simulation: { start: 'equilibrium' },
    }),
    { stopTime: 5e-3, interval: 5e-3 },
  );
  const reduced = 1 / ((1 - 0.33 ** 2) / 70e9 + (1 - 0.3 ** 2) / 210e9);
  const a = Math.cbrt((3 * F * r) / (4 * reduced));
  const depth = run.signal('contacts.block-ball.depth').at(-1)!;
  expect(Math.abs(depth / ((a * a) / r) - 1)).toBeLessThan(0.01);
  const pressure = run.signal('contacts.block-ball.pressure').at(-1)!;
  expect(Math.abs(pressure / ((1.5 * F) / (Math.PI * a * a)) - 1)).toBeLessThan(1e-3);
  const { accepted, rejected } = run.trust!.steps!;
  expect(accepted + rejected).toBeLessThan(60);
  // it touches from the start, and what the mesh cannot tell is said
  expect((run.trust!.contacts as { regions: number }).regions).toBe(1);
  expect(run.trust!.notes!.join()).toContain(
    'block-ball: pressed with up to 1.0 GPa (Hertz), which stresses "block" beneath by some 628 MPa',
  );
});
