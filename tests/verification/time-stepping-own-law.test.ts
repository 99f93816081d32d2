/** Contacts that the step resolves follow the law of their materials in time stepping, in blows, too: held to error control, at second order, and what they keep is kept. */
import { expect, test } from 'vitest';
import { halfSpace } from '../../src/geometry/half-space.js';
import { box, sphere } from '../../src/geometry/primitives.js';
import { type BodyOptions, body } from '../../src/model/body.js';
import { concrete, type Material, rubber } from '../../src/model/materials.js';
import { model } from '../../src/model/model.js';
import { Simulation, type SimulationOptions } from '../../src/simulation/simulation.js';

const foam: Material = { density: 300, youngsModulus: 2e5, poissonRatio: 0.3, friction: 0.6, restitution: 0.6 };
const floor = body({ shape: halfSpace(), fixed: true, material: concrete });
const scene = (things: Record<string, BodyOptions>, stopTime: number) => {
  const of = model({
    bodies: { floor, ...Object.fromEntries(Object.entries(things).map(([name, thing]) => [name, body(thing)])) },
  });
  return (options: SimulationOptions): Simulation => {
    const simulation = new Simulation(of, { stopTime, interval: 0.005, ...options });
    simulation.advance();
    simulation.finish();
    return simulation;
  };
};
const stepping = (step: number): SimulationOptions => ({ integrator: 'time-stepping', step });
/** Largest difference of a signal, in its own unit */
const apart = (a: Simulation, b: Simulation, name: string): number => {
  const [x, y] = [a, b].map(({ recording }) => recording.signal(name).values);
  return x!.reduce((most, value, i) => Math.max(most, Math.abs(value - y![i]!)), 0);
};

test.each([
  ['a ball (Hertz)', sphere(0.07), rubber, [4e-4, 1e-4]],
  ['a slab on its face (bed)', box([0.14, 0.1, 0.06]), foam, [4e-4, 1e-4]],
] as const)('%s that bounces is on its way as under error control', (_, shape, material, steps) => {
  const run = scene({ thing: { shape, material, position: [0, 0, 0.2] } }, 0.4);
  const exact = run({ rtol: 1e-8 });
  const [coarse, fine] = steps.map((step) => {
    const simulation = run(stepping(step));
    const { account } = simulation.stepping!;
    // nothing is lost but by damping
    expect(Math.abs(account.step)).toBeLessThan(1e-3 * account.scale);
    return apart(simulation, exact, 'thing.position.z');
  });
  // of bounces of 0.1 m; rigid it was 10 mm off at any step, for it left the floor at once
  expect(coarse).toBeLessThan(6e-4);
  expect(fine).toBeLessThan(0.3 * coarse!);
});

test('a rubber ball that spins is thrown forward by the spring along the floor', () => {
  const ball = { shape: sphere(0.05), material: rubber, position: [0, 0, 0.3], velocity: [0.5, 0, 0] } as const;
  const run = scene({ ball: { ...ball, angularVelocity: [0, 40, 0] } }, 0.6);
  const exact = run({ rtol: 1e-7 });
  const near = run(stepping(1e-4));
  // 0.45 m on its way; two blows
  expect(apart(near, exact, 'ball.position.x')).toBeLessThan(4e-3);
  expect(apart(near, exact, 'ball.position.z')).toBeLessThan(1e-4);
});

test('two cubes of foam sink by their weight over the stiffness of their faces', () => {
  const cube = (z: number): BodyOptions => ({ shape: box([0.1, 0.1, 0.1]), material: foam, position: [0, 0, z] });
  const run = scene({ lower: cube(0.05), upper: cube(0.15) }, 1.5);
  const exact = run({});
  const near = run(stepping(2e-4));
  for (const name of ['lower', 'upper']) {
    const [a, b] = [exact, near].map(({ recording }) => recording.signal(`${name}.position.z`).at(-1)!);
    // of 0.25 and 0.5 mm; it was twice that
    expect(Math.abs(a! - b!)).toBeLessThan(1e-6);
  }
});
