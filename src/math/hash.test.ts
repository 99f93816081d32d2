import { describe, expect, test } from 'vitest';
import { ELEMENTARY, elementaryHash } from './elementary-hash.js';
import { Hash, hashBytes, hashNumbers } from './hash.js';

/** The next double above a positive finite x. */
const next = (x: number): number => {
  const double = new Float64Array([x]);
  new BigInt64Array(double.buffer)[0] += x >= 0 ? 1n : -1n;
  return double[0];
};

describe('hash', () => {
  test('is fixed: recordings of other machines and versions are compared by it', () => {
    expect(hashNumbers([])).toBe('5c0a880da3c512d3');
    expect(hashNumbers(new Float64Array([1, 2, 3]))).toBe(hashNumbers([1, 2, 3]));
    expect(hashNumbers([1, 2, 3])).toBe('f6c01b9ec39cac6b');
    expect(hashBytes(new Uint8Array([1, 2, 3, 4, 5]))).toBe('0e8c050a2aca5600');
  });

  test('sees one ulp, the sign of zero, the order and the count', () => {
    const values = Float64Array.from({ length: 100 }, (_, i) => Math.sqrt(i));
    const seen = new Set([hashNumbers(values)]);
    for (let i = 0; i < 100; i++) seen.add(hashNumbers(values.with(i, next(values[i]))));
    expect(seen.size).toBe(101);
    expect(hashNumbers([0])).not.toBe(hashNumbers([-0]));
    expect(hashNumbers([1, 2])).not.toBe(hashNumbers([2, 1]));
    expect(hashNumbers([0])).not.toBe(hashNumbers([0, 0]));
    expect(hashBytes(new Uint8Array(3))).not.toBe(hashBytes(new Uint8Array(4)));
    expect(hashBytes(new Uint8Array(4))).not.toBe(hashBytes(new Uint8Array(5)));
  });

  test('takes every NaN for the same', () => {
    const payload = new Float64Array(1);
    new Uint32Array(payload.buffer).set([12345, 0xfff80001]);
    expect(payload[0]).toBeNaN();
    expect(hashNumbers(payload)).toBe(hashNumbers([Number.NaN]));
  });

  test('may be fed in pieces', () => {
    const parts = new Hash().numbers([1, 2]).number(3);
    expect(parts.hex()).toBe(hashNumbers([1, 2, 3]));
    expect(new Hash().text('a').text('b').hex()).not.toBe(new Hash().text('ab').hex());
  });

  // 2^17 short inputs among 2^64 values: an equal pair has a chance of 5e-10. Each lane alone expects 2 pairs.
  test('spreads over its range', () => {
    const seen = new Set<string>();
    let ones = 0;
    for (let i = 0; i < 131072; i++) {
      const hash = new Hash().number(i);
      seen.add(hash.hex());
      for (let lane = hash.lanes()[i & 1]; lane !== 0; lane &= lane - 1) ones++;
    }
    expect(seen.size).toBe(131072);
    // half the bits are set: 2^21 fair coins for a lane each, standard deviation √(32 · 2^17)/2 = 1024
    expect(Math.abs(ones - 16 * 131072)).toBeLessThan(5 * 1024);
  });
});

describe('elementaryHash', () => {
  test('is fixed, so that engines can be compared', () => {
    expect(elementaryHash(20_000)).toBe('546022aec50a67f5');
  });

  test('changes when one result of one function changes by an ulp', () => {
    const expected = elementaryHash(500);
    for (const [name, f] of Object.entries(ELEMENTARY)) {
      let calls = 0;
      const changed = (x: number, y: number) => {
        const result = (f as (x: number, y: number) => number)(x, y);
        return calls++ === 250 + (name.length % 3) ? next(result) : result;
      };
      expect(elementaryHash(500, { ...ELEMENTARY, [name]: changed }), name).not.toBe(expected);
    }
  });
});
