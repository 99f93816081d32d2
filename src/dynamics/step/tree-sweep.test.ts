import { describe, expect, test } from 'vitest';
import { randomSystem } from '../../../tests/fixtures/random-system.js';
import type { ElementPlan, System } from '../../assembly/system.js';
import { random } from '../../math/random.js';
import { MechanicalSystem } from '../mechanical-system.js';

/** A chain or tree with springs and dampers from some of its nodes to the ground */
function loaded(nodes: number, shape: 'chain' | 'tree', seed: number): System {
  const plain = randomSystem({ seed, nodes, shape });
  const draw = random(seed);
  const anchor = (node: number) => ({ node, position: draw.inSphere(), orientation: draw.rotation() });
  const elements = Array.from({ length: 8 }, (_, k): ElementPlan => {
    const node = draw.integer(nodes);
    return { kind: 'line', name: `spring ${k}`, a: anchor(-1), b: anchor(node), stiffness: 40, damping: 3, rest: 1 };
  });
  return { ...plain, elements };
}

function solution(system: System, sweepFrom: number, e: number): Float64Array {
  const mechanics = new MechanicalSystem(system, { sweepFrom });
  const f = new Float64Array(mechanics.size);
  mechanics.rates(0, system.initial, f);
  mechanics.linear.linearise(0, system.initial, f, new Float64Array(mechanics.size));
  expect(mechanics.linear.factorise(e)).toBe(true);
  const x = Float64Array.from({ length: mechanics.size }, (_, i) => Math.sin(7 * i));
  mechanics.linear.solve(x);
  return x;
}

describe('O(n) step solve', () => {
  // Rounding grows with the length of the tree; limits an order above what was seen.
  test.each([
    [10, 'chain', 1e-12],
    [10, 'tree', 1e-12],
    [100, 'chain', 1e-8],
    [100, 'tree', 1e-10],
  ] as const)('%i nodes, %s: equals the dense one', (nodes, shape, limit) => {
    for (let seed = 0; seed < 3; seed++) {
      const system = loaded(nodes, shape, seed);
      const fast = solution(system, 1, 0.02);
      const dense = solution(system, 1e9, 0.02);
      const scale = dense.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
      for (const [i, x] of fast.entries()) expect(Math.abs(x - dense[i])).toBeLessThan(limit * scale);
    }
  });

  test('work grows with n, not faster', () => {
    // How often the tree's own arrays are looked at: every pass over nodes, ancestors or velocities does. Work that grows with n² shows as a ratio of 100.
    const looks = (nodes: number): { solve: number; all: number } => {
      const system = loaded(nodes, 'chain', 1);
      const { tree } = system;
      let count = 0;
      const counted = <T extends Int32Array | Uint8Array>(array: T): T =>
        new Proxy(array, {
          get: (target, key) => {
            if (typeof key === 'string' && key >= '0' && key < ':') count++;
            const value = Reflect.get(target, key, target) as unknown;
            return typeof value === 'function' ? value.bind(target) : value;
          },
        });
      const watched: System = {
        ...system,
        tree: { ...tree, parent: counted(tree.parent), v: counted(tree.v), kind: counted(tree.kind) },
      };
      const mechanics = new MechanicalSystem(watched);
      const f = new Float64Array(mechanics.size);
      const r = new Float64Array(mechanics.size);
      count = 0;
      mechanics.rates(0, system.initial, f);
      mechanics.linear.linearise(0, system.initial, f, r);
      mechanics.linear.factorise(0.01);
      const before = count;
      r.set(f);
      mechanics.linear.solve(r);
      return { solve: count - before, all: count };
    };
    const short = looks(100);
    const long = looks(1000);
    expect(short.solve).toBeGreaterThan(100); // they are seen
    expect(long.solve / short.solve).toBeLessThan(10.5);
    expect(long.all / short.all).toBeLessThan(10.5);
  });
});
