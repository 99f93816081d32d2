import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { engineDependentMath, importCycles, importViolations } from './house-rules.js';

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
