// A step makes no arrays and lets none lie: ten boxes in a stack and ten that slide, after a warm-up. Single numbers may be boxed by the engine where a call is not inlined; they are gone with the next collection.
import { expect, test } from 'vitest';
import { halfSpace } from '../geometry/half-space.js';
import { box } from '../geometry/primitives.js';
import { body } from '../model/body.js';
import { oak } from '../model/materials.js';
import { model } from '../model/model.js';
import { Simulation } from '../simulation/simulation.js';

/** Typed arrays that are constructed, cut or copied while `work` runs */
function arraysMadeIn(work: () => void): number {
  let made = 0;
  const names = ['Float64Array', 'Int32Array', 'Uint8Array', 'Map', 'Set'] as const;
  const scope = globalThis as unknown as Record<string, new () => object>;
  const originals = names.map((name) => scope[name]);
  names.forEach((name, i) => {
    scope[name] = new Proxy(originals[i], {
      construct(target, args, as) {
        made++;
        return Reflect.construct(target, args, as);
      },
    });
  });
  const typed = Object.getPrototypeOf(Float64Array.prototype) as Record<string, (...args: unknown[]) => unknown>;
  const cuts = ['subarray', 'slice', 'map', 'filter'].map((name) => [typed, name, typed[name]] as const);
  const lists = ['slice', 'map', 'filter', 'concat', 'flatMap'].map(
    (name) => [Array.prototype, name, Array.prototype[name as 'slice']] as const,
  );
  for (const [owner, name, original] of [...cuts, ...lists])
    (owner as Record<string, unknown>)[name] = function (this: unknown, ...args: unknown[]) {
      made++;
      return (original as (...given: unknown[]) => unknown).apply(this, args);
    };
  try {
    work();
  } finally {
    names.forEach((name, i) => {
      scope[name] = originals[i];
    });
    for (const [owner, name, original] of [...cuts, ...lists]) (owner as Record<string, unknown>)[name] = original;
  }
  return made;
}

test('no array is made in a step, none is let lie', () => {
  const brick = { shape: box([0.2, 0.2, 0.1]), material: oak };
  const { stepping } = new Simulation(
    model({
      bodies: {
        floor: body({ shape: halfSpace(), material: oak, fixed: true }),
        stack: Array.from({ length: 10 }, (_, i) => body({ ...brick, position: [0.001 * (i % 2), 0, 0.05 + 0.1 * i] })),
        sliding: Array.from({ length: 10 }, (_, i) =>
          body({ ...brick, position: [1 + 0.3 * i, 0, 0.05], velocity: [0, 30, 0], angularVelocity: [0, 0, 0.3 * i] }),
        ),
      },
      contacts: { defaults: { friction: 0.1, restitution: 0.3 }, records: false },
    }),
    { integrator: 'time-stepping', step: 5e-3, resting: false, stopTime: 1e9, interval: 1e6 },
  );
  const steps = (count: number): void => {
    for (let k = 0; k < count; k++) stepping!.step(1e9);
  };
  steps(150);
  expect(arraysMadeIn(() => new Float64Array(1).slice())).toBe(2); // it would be seen
  const buffers = process.memoryUsage().arrayBuffers;
  expect(arraysMadeIn(() => steps(50))).toBe(0);
  expect(process.memoryUsage().arrayBuffers - buffers).toBeLessThanOrEqual(0);
  // what a step leaves to the collector, in blocks without a collection: 46 kB, and a record of a region made anew each time would be some hundred
  const left: number[] = [];
  for (let block = 0; block < 30 && left.length < 3; block++) {
    const before = process.memoryUsage().heapUsed;
    steps(5);
    const more = process.memoryUsage().heapUsed - before;
    if (more > 0) left.push(more / 5);
  }
  expect(Math.min(...left)).toBeLessThan(1e5);
});
