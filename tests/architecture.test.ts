import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { engineDependentMath, importCycles, importViolations, roomCycles } from './house-rules.js';

const src = fileURLToPath(new URL('../src/', import.meta.url));
const sources = new Map(
  readdirSync(src, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter(
      (path) => /\.ts$/.test(path) && !/\.test\.ts$|\.generated\.|\/vendor\/|\.d\.ts$|kernels\/assembly\//.test(path),
    )
    .map((path) => [path, readFileSync(src + path, 'utf8')] as const),
);

describe('the house', () => {
  test('imports point one way and packages stay in their folder', () => {
    expect(sources.size).toBeGreaterThan(10);
    expect(importViolations(sources)).toEqual([]);
  });
  test('there are no import cycles', () => {
    expect(importCycles(sources)).toEqual([]);
  });
  test('rooms of a stage do not need each other in a circle', () => {
    expect(roomCycles(sources)).toEqual([]);
  });
  test('the simulation path uses no engine-dependent Math', () => {
    expect(engineDependentMath(sources)).toEqual([]);
  });
});

describe('the rules see a planted violation', () => {
  const planted = (path: string, source: string) => new Map([[path, source]]);
  test.each([
    ['math/vec3.ts', "import { box } from '../geometry/primitives.js';", 'comes after "math"'],
    ['integration/rodas4.ts', "import type { System } from '../assembly/system.js';", 'knows only errors, math'],
    ['geometry/x.ts', "const m = await import('../cli/main.js');", 'comes after "geometry"'],
    ['geometry/x.ts', "export * from '../viewer/still.js';", 'comes after "geometry"'],
    ['geometry/x.ts', "import { readFileSync } from 'node:fs';", 'must not need Node'],
    ['model/x.ts', "import earcut from 'earcut';", 'only geometry may touch'],
    ['model/x.ts', "import _ from 'lodash';", 'only nobody may touch'],
    ['helpers/x.ts', '', 'not a stage'],
  ])('%s: %s', (path, source, message) => {
    expect(importViolations(planted(path, source)).join()).toContain(message);
  });
  test('an import in a comment is none', () => {
    expect(importViolations(planted('math/x.ts', "// import '../cli/main.js'\n/* from '../cli/x.js' */"))).toEqual([]);
  });
  test('a cycle of three', () => {
    const chain = new Map([
      ['math/a.ts', "import './b.js';"],
      ['math/b.ts', "export * from './c.js';"],
      ['math/c.ts', "import { a } from './a.js';"],
    ]);
    expect(importCycles(chain)).toEqual(['math/a.ts → math/b.ts → math/c.ts → math/a.ts']);
  });
  test('rooms that need each other, without a cycle of files', () => {
    const rooms = new Map([
      ['results/hdf5/write.ts', "import { sceneBytes } from '../scene/bytes.js';"],
      ['results/scene/bytes.ts', "import { sceneTree } from './tree.js';"],
      ['results/scene/tree.ts', "import { shuffle } from '../hdf5/shuffle.js';"],
      ['results/hdf5/shuffle.ts', ''],
    ]);
    expect(importCycles(rooms)).toEqual([]);
    expect(roomCycles(rooms)).toEqual([
      'results/hdf5 → results/scene → results/hdf5 (by results/hdf5/write.ts, results/scene/tree.ts)',
    ]);
  });
  test("a stage's root and a room of it that need each other", () => {
    const root = new Map([
      ['narrow-phase/routing.ts', "import './closed-form/spheres.js';"],
      ['narrow-phase/closed-form/spheres.ts', "import type { Route } from '../route.js';"],
      ['narrow-phase/route.ts', ''],
    ]);
    expect(importCycles(root)).toEqual([]);
    expect(roomCycles(root).join()).toContain('narrow-phase → narrow-phase/closed-form → narrow-phase');
  });
  test('a room that goes out by its own door', () => {
    const door = new Map([
      ['results/index.ts', "export * from './hdf5/write.js';"],
      ['results/hdf5/write.ts', ''],
      ['results/scene/bytes.ts', "import { write } from '../index.js';"],
    ]);
    expect(importCycles(door)).toEqual([]);
    expect(roomCycles(door).join()).toContain('results/scene → results/index.ts');
    door.set('results/scene/bytes.ts', "import { write } from '../hdf5/write.js';");
    expect(roomCycles(door)).toEqual([]);
  });
  test.each(['Math.sin(x)', 'Math["cos"](x)', 'Math.hypot(a, b)', 'x ** 2', 'a[i]**0.5', 'const { tan } = Math;'])(
    'engine-dependent: %s',
    (code) => {
      expect(engineDependentMath(planted('dynamics/x.ts', `const a = 1;\nconst y = ${code}`))).toHaveLength(1);
    },
  );
  test.each(['Math.sqrt(x) * Math.abs(y)', '/** x ** 2 and Math.sin */ 0', '1 // a ** b'])('harmless: %s', (code) => {
    expect(engineDependentMath(planted('dynamics/x.ts', `const y = ${code};`))).toEqual([]);
  });
});
