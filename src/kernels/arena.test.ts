import { afterEach, describe, expect, test, vi } from 'vitest';
import { Arena } from './arena.js';

afterEach(() => void vi.unstubAllGlobals());

describe('starts of arrays', () => {
  test('63 long arrays in a row start on 63 different cache lines of a page, none of them the first', () => {
    const arena = new Arena();
    const lines = new Set<number>();
    for (let i = 0; i < 63; i++) {
      const { address } = i % 2 === 0 ? arena.floats(512 + i) : arena.ints(1024 + i);
      expect(address % 64).toBe(0);
      lines.add(address % 4096);
    }
    expect(lines.size).toBe(63);
    expect(lines.has(0)).toBe(false);
  });

  test('short arrays lie close together, also off the page boundary', () => {
    const arena = new Arena();
    const starts = Array.from({ length: 1000 }, () => arena.floats(22).address);
    expect(starts.every((address) => address % 64 === 0 && address % 4096 !== 0)).toBe(true);
    expect(arena.usedBytes).toBeLessThan(1000 * 22 * 8 * 1.5);
  });

  test('no two arrays overlap', () => {
    const arena = new Arena();
    const blocks = Array.from({ length: 200 }, (_, i) => (i % 3 ? arena.floats((i * 37) % 1500) : arena.ints(i * 11)));
    for (const [i, block] of blocks.entries()) block.view.fill(i + 1);
    for (const [i, block] of blocks.entries()) expect(block.view.every((value) => value === i + 1)).toBe(true);
  });
});

describe('growth and release', () => {
  for (const kind of ['WebAssembly', 'shared', 'plain'] as const)
    test(`${kind}: content survives growth, views are on the new memory`, () => {
      if (kind === 'plain') vi.stubGlobal('WebAssembly', undefined);
      const arena = new Arena({ initialBytes: 65536, shared: kind === 'shared' });
      expect(arena.shared).toBe(kind === 'shared');
      expect(arena.memory === undefined).toBe(kind === 'plain');
      const small = arena.floats(3);
      small.view.set([1, 2, 3]);
      const before = arena.buffer;
      const large = arena.floats(1_000_000);
      expect(arena.buffer).not.toBe(before);
      expect(small.view.buffer).toBe(arena.buffer);
      expect(large.view.buffer).toBe(arena.buffer);
      expect([...small.view]).toEqual([1, 2, 3]);
      expect(large.view.length).toBe(1_000_000);
    });

  test('memory freed and taken again is zero, and freed views are empty', () => {
    const arena = new Arena();
    const mark = arena.mark();
    const first = arena.floats(1000);
    first.view.fill(7);
    arena.release(mark);
    expect(first.view.length).toBe(0);
    const second = arena.floats(1000);
    expect(second.address).toBe(first.address);
    expect(second.view.every((value) => value === 0)).toBe(true);
  });

  test('what was allocated before a mark stays', () => {
    const arena = new Arena();
    const kept = arena.ints(4);
    kept.view.set([1, 2, 3, 4]);
    const mark = arena.mark();
    arena.floats(5000);
    arena.release(mark);
    arena.floats(1_000_000).view.fill(1);
    expect([...kept.view]).toEqual([1, 2, 3, 4]);
  });

  test('a second arena on the same memory, as in a worker, begins where it is told', () => {
    const main = new Arena({ shared: true });
    const room = main.floats(10_000);
    const other = new Arena({ memory: main.memory!, firstByte: room.address });
    expect(other.shared).toBe(true);
    other.floats(10).view.fill(3);
    expect(room.view.filter((value) => value === 3).length).toBe(10);
  });
});

describe('refusals', () => {
  test('more than the maximum', () => {
    const arena = new Arena({ initialBytes: 65536, maximumBytes: 131072 });
    expect(() => arena.floats(16_300)).toThrow(/arena: needs \d+ B, but maximumBytes is 131072/);
    expect(arena.floats(10_000).view.length).toBe(10_000);
    const uneven = new Arena({ initialBytes: 65536, maximumBytes: 140000 });
    expect(() => uneven.floats(16_300)).toThrow('maximumBytes is 131072');
  });

  test.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('a length of %s', (length) => {
    expect(() => new Arena().floats(length)).toThrow('arena.length: expected a whole number');
  });

  test('a maximum beyond 4 GiB', () => {
    expect(() => new Arena({ maximumBytes: 2 ** 33 })).toThrow('arena.maximumBytes');
  });
});
