import { describe, expect, test } from 'vitest';
import { randomSystem } from '../../tests/fixtures/random-system.js';
import { solveResidual } from '../../tests/fixtures/solve-residual.js';
import { type ElementPlan, NODE, type System } from '../assembly/system.js';
import { random } from '../math/random.js';
import { MechanicalSystem } from './mechanical-system.js';

const anchor = (node: number, draw: ReturnType<typeof random>) => ({
  node,
  position: draw.inSphere(),
  orientation: draw.rotation(),
});

/** One of each force element between random carriers */
function withElements(system: System, seed: number, ends: () => [number, number]): System {
  const draw = random(`elements ${seed}`);
  const elements: ElementPlan[] = [];
  for (let k = 0; k < 3; k++) {
    const [a, b] = ends();
    elements.push({
      kind: 'line',
      name: `line ${k}`,
      a: anchor(a, draw),
      b: anchor(b, draw),
      stiffness: 30,
      damping: 4,
      rest: 0.4,
    });
    const [c, d] = ends();
    elements.push({
      kind: 'bushing',
      name: `bushing ${k}`,
      a: anchor(c, draw),
      b: anchor(d, draw),
      stiffness: [10, 20, 30, 4, 5, 6],
      damping: [1, 2, 3, 0.4, 0.5, 0.6],
    });
    const [p, q] = ends();
    elements.push({
      kind: 'applied',
      name: `applied ${k}`,
      ...(k > 0 && { a: anchor(p, draw) }),
      b: anchor(q, draw),
      axes: k === 1 ? 'world' : 'body',
      onlyTime: k === 0,
      wrench: (t, { position, velocity, orientation, angularVelocity }, out) => {
        if (k === 0) out.set([1, 2, 3, -1, t, 2]);
        else
          out.set([
            Math.sin(position[0] + velocity[1]),
            orientation[0] * orientation[0],
            velocity[2] * velocity[2],
            angularVelocity[0] * position[2],
            orientation[1] * orientation[2],
            angularVelocity[1] + angularVelocity[2],
          ]);
      },
    });
  }
  const [a, b] = ends();
  elements.push({
    kind: 'line',
    name: 'law',
    a: anchor(a, draw),
    b: anchor(b, draw),
    stiffness: 0,
    damping: 0,
    rest: 1,
    law: (length, speed) => 1 / (1 + length * length) - 0.3 * speed,
  });
  // Joint forces on the first scalar coordinates, one of them in its stop, one stuck, one slipping
  let states = 0;
  for (let i = 0, k = 0; i < system.tree.count && k < 4; i++) {
    if (system.tree.v[i] < 0 || system.tree.kind[i] === NODE.spherical) continue;
    const x = system.initial[system.tree.q[i]];
    elements.push({
      kind: 'coordinate',
      name: `joint ${i}`,
      q: system.tree.q[i],
      v: system.tree.v[i],
      stiffness: 5,
      rest: 0.2,
      damping: 0.7,
      ...(k % 2 === 0 && {
        stops: { lower: x - (k === 0 ? 1 : -0.02), upper: x + (k === 0 ? -0.01 : 1), stiffness: 300, restitution: 0.6 },
      }),
      ...(k >= 2 && { friction: { limit: k === 2 ? 1e-3 : 1e3, stiffness: 50, state: states++ } }),
      ...(k === 1 && {
        motor: { target: (t: number) => Math.sin(t), speed: () => 0.1, kp: 3, kd: 0.3, limit: 100 },
        force: (t: number, q: number, v: number) => Math.cos(q) * v + t,
      }),
    });
    k++;
  }
  const initial = new Float64Array(system.initial.length + states);
  initial.set(system.initial);
  for (let i = 0; i < states; i++) initial[system.initial.length + i] = 0.01 * (i + 1);
  return { ...system, ns: states, elements, initial };
}

describe('(I − e J) x = r', () => {
  // Differences of f leave about 1e-9; the solve itself is exact.
  test.each([0, 1, 2, 3, 4, 5, 6, 7])('trees without forces, seed %i', (seed) => {
    const system = randomSystem({ seed, nodes: 8, special: true });
    for (const sweepFrom of [1, 1000]) {
      const mechanics = new MechanicalSystem(system, { sweepFrom });
      for (const e of [1e-3, 0.1]) expect(solveResidual(mechanics, 0.2, system.initial, e, seed)).toBeLessThan(1e-7);
    }
  });
  test('free bodies spin', () => {
    const system = randomSystem({ seed: 3, nodes: 0, freeBodies: 3 });
    const mechanics = new MechanicalSystem(system);
    expect(solveResidual(mechanics, 0, system.initial, 0.2, 1)).toBeLessThan(1e-9);
  });
  test.each([0, 1, 2])('gravity of a point mass and of a field, seed %i', (seed) => {
    for (const gravity of [
      { kind: 'point', mu: 20, centre: [3, 2, 1] },
      { kind: 'field', field: ([x, y, z]: readonly number[]) => [x * y, Math.sin(z), -3 - x] as const },
    ] as const)
      for (const sweepFrom of [1, 1000]) {
        const system = randomSystem({ seed, nodes: 5, freeBodies: 2, gravity });
        const mechanics = new MechanicalSystem(system, { sweepFrom });
        expect(solveResidual(mechanics, 0, system.initial, 0.1, seed)).toBeLessThan(1e-7);
      }
  });
  test.each([0, 1, 2, 3, 4, 5])('force elements to the ground, seed %i', (seed) => {
    const plain = randomSystem({ seed, nodes: 7, special: true, freeBodies: 1 });
    const draw = random(`ends ${seed}`);
    const system = withElements(plain, seed, () => {
      const end = draw.integer(8);
      const carrier = end === 7 ? -2 : end;
      return draw.uniform() < 0.5 ? [-1, carrier] : [carrier, -1];
    });
    for (const sweepFrom of [1, 1000]) {
      const mechanics = new MechanicalSystem(system, { sweepFrom });
      mechanics.prepare(0.2, system.initial);
      for (const e of [1e-2, 0.1]) expect(solveResidual(mechanics, 0.2, system.initial, e, seed)).toBeLessThan(1e-7);
    }
  });
  test.each([0, 1, 2, 3, 4, 5])('force elements between bodies, seed %i', (seed) => {
    const plain = randomSystem({ seed, nodes: 7, special: true, freeBodies: 2 });
    const draw = random(`ends ${seed}`);
    const carrier = () => {
      const end = draw.integer(10);
      return end < 7 ? end : end === 7 ? -1 : end === 8 ? -2 : -3;
    };
    const system = withElements(plain, seed, () => {
      const a = carrier();
      let b = carrier();
      while (b === a) b = carrier();
      return [a, b];
    });
    const mechanics = new MechanicalSystem(system);
    mechanics.prepare(0.2, system.initial);
    for (const e of [1e-2, 0.1]) expect(solveResidual(mechanics, 0.2, system.initial, e, seed)).toBeLessThan(1e-7);
  });
});
