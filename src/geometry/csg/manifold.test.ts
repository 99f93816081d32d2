import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { box } from '../primitives.js';
import { union } from './boolean.js';
import { fromLocal, localFrame, toLocal } from './local-frame.js';
import { manifold, withManifold } from './manifold.js';

describe('vendored library', () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const vendored = (name: string) => readFileSync(join(root, 'src/geometry/vendor', name), 'utf8');

  test('needs no path, no Node and no waiting', () => {
    expect(vendored('manifold.js')).not.toMatch(/\b(await|async|import|require|process|fetch|node:)\b/);
    expect(vendored('LICENSE')).toContain('Apache License');
  });
  test('is the binary of the package', () => {
    const [, base64] = /manifoldWasm = '(.*)'/.exec(vendored('manifold-wasm.js'))!;
    expect(
      Buffer.from(base64, 'base64').equals(readFileSync(join(root, 'node_modules/manifold-3d/manifold.wasm'))),
    ).toBe(true);
  });
  test('comes out the same again, and is not written again', async () => {
    const script = new URL('../../../scripts/vendor-manifold.mjs', import.meta.url).href;
    const { vendorManifold } = await import(/* @vite-ignore */ script);
    const folder = mkdtempSync(join(tmpdir(), 'vendor-'));
    try {
      expect(vendorManifold(folder)).toHaveLength(6);
      expect(vendorManifold(folder)).toEqual([]);
      for (const name of readdirSync(folder))
        expect(readFileSync(join(folder, name), 'utf8') === vendored(name)).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('loading', () => {
  // Chromium before 2023 refuses to compile and to instantiate more than 4 kB at once on the main thread.
  const asOldChromium = async (work: (csg: typeof import('./index.js')) => Promise<void> | void) => {
    const { Module, Instance } = WebAssembly;
    const refuse = () => {
      throw new RangeError('disallowed on the main thread');
    };
    const small = new WeakSet<WebAssembly.Module>();
    WebAssembly.Module = new Proxy(Module, {
      construct(_, [bytes]) {
        if (bytes.byteLength > 4096) refuse();
        const module = new Module(bytes);
        small.add(module);
        return module;
      },
    });
    WebAssembly.Instance = new Proxy(Instance, {
      construct(_, [module, imports]) {
        if (!small.has(module)) refuse();
        return new Instance(module, imports);
      },
    });
    vi.resetModules();
    try {
      await work(await import('./index.js'));
    } finally {
      Object.assign(WebAssembly, { Module, Instance });
      vi.resetModules();
    }
  };
  test('beforehand, where it must not block', () =>
    asOldChromium(async ({ loadCsg, union }) => {
      await Promise.all([loadCsg(), loadCsg()]);
      expect(union(box(1), box(2)).mesh.triangles.length).toBeGreaterThan(0);
    }));
  test('not beforehand there: says what to do', () =>
    asOldChromium(({ union }) => {
      expect(() => union(box(1), box(2))).toThrow(
        'csg: this browser loads so large a WebAssembly module only asynchronously here; call `await loadCsg()` first',
      );
    }));
});

describe('withManifold', () => {
  test('deletes what was made, last first, also when the work fails', () => {
    const deleted: number[] = [];
    const make = (id: number) => ({ delete: () => deleted.push(id) });
    expect(withManifold('x', (_, keep) => [keep(make(1)), keep(make(2))].length)).toBe(2);
    expect(() =>
      withManifold('x', (_, keep) => {
        keep(make(3));
        throw new Error('as planned');
      }),
    ).toThrow('as planned');
    expect(deleted).toEqual([2, 1, 3]);
  });
  test('starts afresh after an abort', () => {
    const before = manifold();
    expect(() =>
      withManifold('union', () => {
        throw new WebAssembly.RuntimeError('Aborted(OOM)');
      }),
    ).toThrow('union: the operation is too large for 4 GB of memory, or its numbers are out of range');
    expect(manifold()).not.toBe(before);
    expect(union(box(1), box(2)).mesh.triangles.length).toBeGreaterThan(0);
  });
});

describe('local frame', () => {
  const there = (points: number[], min: number[], max: number[]) => {
    const frame = localFrame(min, max);
    return { frame, local: toLocal(frame, Float64Array.from(points)) };
  };
  test('near the origin nothing is shifted', () => {
    const { frame, local } = there([0.1, -0.3, 1 / 3], [0.1, -0.3, 0], [0.4, 0.2, 1 / 3]);
    expect(frame).toEqual({ shift: [0, 0, 0], scale: 2 });
    expect([...local]).toEqual([0.2, -0.6, 2 / 3]);
  });
  test('there and back is exact, wherever and however large', () => {
    let state = 1;
    const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
    for (let i = 0; i < 2000; i++) {
      const extent = 10 ** (20 * random() - 10);
      const at = [0, 1, 2].map(() => (random() - 0.5) * extent * 10 ** (14 * random()));
      const points = Float64Array.from({ length: 30 }, (_, k) => at[k % 3] + (random() - 0.5) * extent);
      const min = [0, 1, 2].map((k) => Math.min(...points.filter((_, j) => j % 3 === k)));
      const max = [0, 1, 2].map((k) => Math.max(...points.filter((_, j) => j % 3 === k)));
      const frame = localFrame(min, max);
      const local = toLocal(frame, points);
      expect(Math.max(...local.map(Math.abs))).toBeLessThanOrEqual(5);
      expect(fromLocal(frame, local)).toEqual(points);
    }
  });
  test('a point, or nothing', () => {
    expect(localFrame([3, 3, 3], [3, 3, 3])).toEqual({ shift: [0, 0, 0], scale: 1 });
    expect(localFrame([Infinity, Infinity], [-Infinity, -Infinity])).toEqual({ shift: [0, 0], scale: 1 });
  });
});
