// A step makes no arrays, maps or sets: what it works on was made when the system was assembled. Counted, not timed: constructors and the methods that
// hand out new arrays are watched while a run goes on. What may come now and then is a pair that is new, an island that comes into being, a row; so the
// claim is on the share of steps that make nothing at all.
import { afterEach, expect, test } from 'vitest';
import gears from '../../examples/gears/gears.model.js';
import cradle from '../../examples/newtons-cradle/newtons-cradle.model.js';
import tippeTop from '../../examples/tippe-top/tippe-top.model.js';
import type { Model } from '../../src/model/model.js';
import { Simulation } from '../../src/simulation/simulation.js';

const CONSTRUCTORS = [
  'Float64Array',
  'Int32Array',
  'Uint32Array',
  'Uint8Array',
  'Int8Array',
  'Array',
  'Map',
  'Set',
] as const;
const METHODS = ['slice', 'subarray', 'map', 'filter', 'flatMap', 'flat', 'concat', 'toSorted'] as const;

const undo: (() => void)[] = [];
afterEach(() => {
  for (const put of undo.splice(0).reverse()) put();
});

/** Calls `made` for every array, map or set that is made from now on. */
function watch(made: () => void): void {
  const names = globalThis as unknown as Record<string, object>;
  for (const name of CONSTRUCTORS) {
    const plain = names[name];
    undo.push(() => {
      names[name] = plain;
    });
    names[name] = new Proxy(plain as new (...given: unknown[]) => object, {
      construct(target, given) {
        made();
        return Reflect.construct(target, given);
      },
      get(target, key) {
        const value: unknown = Reflect.get(target, key, target);
        if (key !== 'from' && key !== 'of') return value;
        made();
        return (value as (...given: unknown[]) => unknown).bind(target);
      },
    });
  }
  for (const prototype of [Array.prototype, Object.getPrototypeOf(Float64Array.prototype)] as Record<string, unknown>[])
    for (const name of METHODS) {
      const plain = prototype[name];
      if (typeof plain !== 'function') continue;
      undo.push(() => {
        prototype[name] = plain;
      });
      prototype[name] = function (this: unknown, ...given: unknown[]) {
        made();
        return plain.apply(this, given);
      };
    }
}

/** Of the steps from `from` to `to` s, the share that makes nothing */
function idleShare(described: Model, from: number, to: number): { steps: number; idle: number } {
  const simulation = new Simulation(described, { stopTime: to, interval: to });
  simulation.advance(from);
  let [count, steps, idle] = [0, 0, 0];
  watch(() => count++);
  simulation.advance(0.999 * to, () => {
    steps++;
    if (count === 0) idle++;
    count = 0;
    return false;
  });
  for (const put of undo.splice(0).reverse()) put();
  return { steps, idle: idle / steps };
}

test('what is made is seen', () => {
  let count = 0;
  watch(() => count++);
  const list = new Float64Array(3);
  list.slice();
  [1, 2].map((x) => x);
  Array.from(new Set([1]));
  expect(count).toBe(5);
});

// The rest are regions that come and go, and islands that join and part.
test.each([
  ['a tippe top on a plate, in closed form', tippeTop(), 0.05, 0.25, 50],
  ['gears, tooth by tooth', gears(), 2e-3, 0.01, 150],
  ["Newton's cradle, whose balls are islands", cradle(), 0.19, 0.25, 300],
])('%s: nearly all steps make no array', (_, described, from, to, least) => {
  const { steps, idle } = idleShare(described, from, to);
  expect(steps).toBeGreaterThan(least);
  expect(idle).toBeGreaterThan(0.95);
});
