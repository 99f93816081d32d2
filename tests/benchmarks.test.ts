// The harness itself: what it counts, compares and prints. No test asserts a time.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { compilerVersion, cProgram, removePrograms } from '../benchmarks/c-program.js';
import { benchmark, type Effort, median, type Row, registeredBenchmarks, rival } from '../benchmarks/harness.js';
import { lumpyMesh } from '../benchmarks/lumpy-mesh.js';
import { table, time } from '../benchmarks/report.js';
import { sourceHash, thisMachine, withColumn } from '../benchmarks/results.js';
import { matches } from '../benchmarks/run.js';

afterAll(removePrograms);

const EFFORT: Effort = { rounds: 3, sampleTime: 0, warmUpTime: 0, sizes: 2 };

async function measure(name: string): Promise<Row[]> {
  const found = registeredBenchmarks().find((one) => one.name === name);
  return (await found?.measure(EFFORT, () => {})) ?? [];
}

test('variants and rivals take turns on each size, and work and error come from the result', async () => {
  const calls: string[] = [];
  const note = (who: string) => (input: { n: number }) => {
    calls.push(who + input.n);
    return { sum: input.n };
  };
  benchmark('turns', {
    source: 'made up',
    unit: 'apple',
    sizes: [2, 3, 4],
    prepare: async (n) => ({ n: 10 * n }),
    run: { plain: note('p'), later: async (input) => note('l')(input) },
    work: ({ sum }, { n }) => sum + n,
    error: ({ sum }) => sum / 1000,
    ratios: {
      peer: rival({ prepare: ({ n }: { n: number }) => ({ n: -n }), run: note('r'), error: ({ sum }) => -sum }),
      absent: rival({ run: () => 0, missing: () => 'it is not installed' }),
    },
  });
  const rows = await measure('turns');
  const round = (n: number) => [`p${n}`, `l${n}`, `r-${n}`];
  // Short runs are grouped, so one turn is one or more calls
  const turns = calls.filter((call, i) => call !== calls[i - 1]);
  expect(turns.slice(0, 12)).toEqual([...round(20), ...round(20), ...round(20), ...round(20)]);
  expect(rows.map(({ variant, size, work, error }) => [variant, size, work, error])).toEqual([
    ['plain', 2, 40, 0.02],
    ['later', 2, 40, 0.02],
    ['plain', 3, 60, 0.03],
    ['later', 3, 60, 0.03],
  ]);
  for (const { ratios, fastest, median: middle } of rows) {
    expect(ratios.absent).toEqual({ missing: 'it is not installed' });
    expect(ratios.peer).toMatchObject({ ratio: expect.any(Number), error: expect.any(Number) });
    expect(fastest).toBeLessThanOrEqual(middle);
  }
});

test('without prepare a run gets the size, as in the billiard of the guide', async () => {
  benchmark('plain', { source: '', sizes: [5], run: (n) => n * n, work: (result) => result, error: () => 0 });
  expect(await measure('plain')).toMatchObject([{ benchmark: 'plain', variant: '', work: 25, error: 0, ratios: {} }]);
  expect(() => benchmark('plain', { source: '', sizes: [], run: () => 0, work: () => 1, error: () => 0 })).toThrow(
    'two benchmarks "plain"',
  );
});

test.skipIf(!compilerVersion())('a C program computes the moments of the same mesh', async () => {
  const mesh = lumpyMesh(100);
  const header = Float64Array.of(...mesh.reference, mesh.vertices.length / 3, mesh.triangles.length / 3);
  const program = cProgram<typeof mesh>({
    file: 'mass-properties.c',
    input: ({ vertices, triangles }) =>
      Buffer.concat([header, vertices, triangles].map((part) => new Uint8Array(part.buffer))),
    error: (results) => results[0],
  });
  const sampler = await program.start(mesh);
  expect(await sampler.sample(0)).toBeGreaterThan(0);
  // A lumpy ellipsoid with half axes 1.3, 1 and 0.7 m, coarsely drawn
  expect(sampler.error()! / ((4 / 3) * Math.PI * 1.3 * 0.7)).toBeGreaterThan(0.7);
  expect(sampler.error()! / ((4 / 3) * Math.PI * 1.3 * 0.7)).toBeLessThan(1.1);
  sampler.stop?.();
});

test('a column against another run compares the same row, per unit of work', () => {
  const row = {
    benchmark: 'b',
    variant: 'v',
    size: 1,
    unit: 'u',
    work: 10,
    fastest: 2,
    median: 3,
    error: 0,
    ratios: {},
  };
  const [same, other] = withColumn([row, { ...row, size: 2 }], 'before', [{ ...row, work: 20, fastest: 1 }]);
  expect(same.ratios.before).toEqual({ ratio: 4, fastest: 1, error: 0 });
  expect(other.ratios.before).toEqual({ missing: 'not measured there' });
  const text = table([same, other], new Map([['b', 'a paper']]));
  expect(text).toContain('b: a paper');
  expect(text).toMatch(
    /size +per u +median +error +× before\n +1 +v +200 ms +300 ms +0 +4\.00\n +2 .* –\n +× before: not/,
  );
});

test.skipIf(!existsSync('.git'))('sources have the same hash in a clean working tree and in its commit', () => {
  const changed = execFileSync('git', ['status', '--porcelain'], { encoding: 'utf8' });
  expect(sourceHash()).toMatch(/^[0-9a-f]{20}$/);
  expect(sourceHash('HEAD')).toMatch(/^[0-9a-f]{20}$/);
  if (changed === '') expect(sourceHash()).toBe(sourceHash('HEAD'));
});

test('small things', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
  expect(matches('mass-properties', 'mass-*')).toBe(true);
  expect(matches('mass-properties', 'mass')).toBe(false);
  expect(matches('a.b', 'a*b')).toBe(true);
  expect(matches('axb', 'a.b')).toBe(false);
  expect(matches('anything', undefined)).toBe(true);
  expect([time(2.5), time(0.0123), time(4.56e-6), time(16.4e-9), time(0.12e-9)]).toEqual([
    '2.50 s',
    '12.3 ms',
    '4.56 µs',
    '16.4 ns',
    '0.120 ns',
  ]);
  expect(thisMachine().id).toMatch(/^[a-z0-9-]+$/);
});
