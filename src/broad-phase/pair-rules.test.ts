import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AllowedPairs } from './allowed-pairs.js';
import { PairList } from './candidate-pairs.js';
import { CodeList, spreadBits } from './morton-code.js';
import { PairSet } from './pair-set.js';

describe('who may touch whom', () => {
  test('shapes of one body never touch, nor do two shapes of the ground', () => {
    const allowed = new AllowedPairs({ body: [0, 0, 1, -1, -1] });
    expect(allowed.allows(0, 1)).toBe(false);
    expect(allowed.allows(0, 2)).toBe(true);
    expect(allowed.allows(3, 4)).toBe(false);
    expect(allowed.allows(2, 3)).toBe(true);
  });
  test('groups and masks must agree both ways', () => {
    const allowed = new AllowedPairs({ body: [0, 1, 2, 3], group: [1, 2, 4, 0], mask: [2, 1, 3, -1] });
    expect(allowed.allows(0, 1)).toBe(true); // 1 touches 2, 2 touches 1
    expect(allowed.allows(0, 2)).toBe(false); // 2 would touch 0, but 0 not 2
    expect(allowed.allows(2, 0)).toBe(false);
    expect(allowed.allows(0, 3)).toBe(false); // in no group
  });
  test('the thirty-second group works', () => {
    const last = 1 << 31;
    expect(new AllowedPairs({ body: [0, 1], group: [last, last], mask: [last, last] }).allows(0, 1)).toBe(true);
    expect(new AllowedPairs({ body: [0, 1], group: [2 ** 31, 1], mask: [1, 2 ** 31] }).allows(0, 1)).toBe(true);
  });
  test('shapes and bodies are excluded in either order; bodies without a shape may be named', () => {
    const shapes = new AllowedPairs({ body: [0, 0, 1], excludedShapes: [2, 0] });
    expect([shapes.allows(0, 2), shapes.allows(2, 0), shapes.allows(1, 2)]).toEqual([false, false, true]);
    const bodies = new AllowedPairs({ body: [0, 0, 1], excludedBodies: [1, 0, 0, 1, 7, 8] });
    expect([bodies.allows(0, 2), bodies.allows(1, 2)]).toEqual([false, false]);
  });
});

test('a set of pairs behaves like a set', () => {
  const step = fc.tuple(fc.integer({ min: -1, max: 9 }), fc.integer({ min: -1, max: 9 }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const set = new PairSet();
      const plain = new Set<string>();
      for (const [i, j] of steps) {
        const name = `${Math.min(i, j)} ${Math.max(i, j)}`;
        expect(set.add(i, j)).toBe(!plain.has(name) && !!plain.add(name));
        expect(set.size).toBe(plain.size);
      }
      for (let i = -1; i < 10; i++)
        for (let j = -1; j < 10; j++) expect(set.has(j, i)).toBe(plain.has(`${Math.min(i, j)} ${Math.max(i, j)}`));
    }),
    { seed: 3, numRuns: 300 },
  );
});

test('pairs are sorted by the first, then by the second', () => {
  const pair = fc.tuple(fc.nat(20), fc.nat(20)).filter(([i, j]) => i !== j);
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 200 }), (pairs) => {
      const list = new PairList(1);
      for (const [i, j] of pairs) list.push(i, j);
      list.sort(21);
      const wanted = pairs.map(([i, j]) => [Math.min(i, j), Math.max(i, j)]).sort((p, q) => p[0] - q[0] || p[1] - q[1]);
      expect(Array.from({ length: list.count }, (_, i) => [list.a[i], list.b[i]])).toEqual(wanted);
    }),
    { seed: 4, numRuns: 300 },
  );
});

describe('Morton codes', () => {
  test('bits are spread by three', () => {
    for (let n = 0; n < 1024; n++) {
      let wanted = 0;
      for (let bit = 0; bit < 10; bit++) wanted |= ((n >> bit) & 1) << (3 * bit);
      expect(spreadBits(n)).toBe(wanted);
    }
  });
  test('sorted by code, equal ones by rank', () => {
    const word = fc.oneof(fc.nat(0x3fffffff), fc.nat(3), fc.constantFrom(0, 1 << 10, 1 << 20, 0x3fffffff));
    fc.assert(
      fc.property(fc.array(fc.tuple(word, word, fc.nat(20)), { maxLength: 100 }), (entries) => {
        const codes = new CodeList(1);
        const rank = Uint8Array.from(entries, ([, , r]) => r);
        entries.forEach(([upper, lower], i) => {
          codes.reserve(1);
          codes.upper[i] = upper;
          codes.lower[i] = lower;
          codes.item[i] = 8 * i + (i % 8);
          codes.count = i + 1;
        });
        codes.sort(rank);
        const wanted = entries
          .map(([upper, lower, r], i) => ({ upper, lower, r, item: 8 * i + (i % 8) }))
          .sort((p, q) => p.upper - q.upper || p.lower - q.lower || q.r - p.r || p.item - q.item);
        expect(Array.from(codes.item.subarray(0, codes.count))).toEqual(wanted.map(({ item }) => item));
      }),
      { seed: 5, numRuns: 500 },
    );
  });
});
