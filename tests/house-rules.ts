/**
 * The rules of the house, as functions over source text so that each can be shown to fail on a planted violation:
 * imports point one way along the pipeline, there are no cycles between files or between the rooms of a stage, a package is touched in one folder only, and nothing on
 * the simulation path calls a Math function whose bits differ between engines.
 */

/** Stages in the order data flows; a folder may import itself and folders before it. `errors` is the ground floor. */
export const STAGES = [
  'errors',
  'math',
  'kernels',
  'geometry',
  'assets',
  'model',
  'flexible-bodies',
  'assembly',
  'broad-phase',
  'narrow-phase',
  'contact-laws',
  'dynamics',
  'contact',
  'grains',
  'integration',
  'time-stepping',
  'results',
  'simulation',
  'explain',
  'studies',
  'viewer',
  'studio',
  'index',
  'node',
  'verify',
  'gallery',
  'cli',
] as const;

/** `integration` knows only mathematics (y' = f(t, y)); everything of mechanics above it stays out of its sight. */
const KNOWS_ONLY: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  math: ['errors'],
  integration: ['errors', 'math'],
};

/** Third-party packages and the one folder that may touch each. */
const PACKAGE_HOME: Readonly<Record<string, string>> = {
  'pure-rand': 'math',
  earcut: 'geometry',
  'robust-predicates': 'geometry',
  fflate: 'geometry',
  'occt-import-js': 'geometry',
  acorn: 'model',
  '@mcap/core': 'results',
  'hyparquet-writer': 'node',
  bullmq: 'node',
  ioredis: 'node',
  three: 'viewer',
  'camera-controls': 'viewer',
  uplot: 'viewer',
  '@codemirror/autocomplete': 'studio',
  '@codemirror/commands': 'studio',
  '@codemirror/lang-javascript': 'studio',
  '@codemirror/lang-json': 'studio',
  '@codemirror/language': 'studio',
  '@codemirror/lint': 'studio',
  '@codemirror/search': 'studio',
  '@codemirror/state': 'studio',
  '@codemirror/view': 'studio',
  '@lezer/highlight': 'studio',
  'ts-blank-space': 'studio',
  typescript6: 'studio',
  // the sandbox has the library as its users have it
  tippetop: 'studio',
  commander: 'cli',
  '@swc/wasm-typescript': 'node',
};

/** Folders whose numbers end up in a simulation. */
const ENGINE_INDEPENDENT = STAGES.slice(STAGES.indexOf('math'), STAGES.indexOf('explain'));

/** Exact by IEEE 754 or by definition, hence the same in every engine. */
const EXACT_MATH = new Set(
  'abs sqrt floor ceil min max sign trunc fround imul clz32 round PI E LN2 LN10 LOG2E LOG10E SQRT2 SQRT1_2'.split(' '),
);

/** Source files by path below src/, e.g. `geometry/extrude.ts`. */
export type Sources = ReadonlyMap<string, string>;

export function importViolations(sources: Sources): string[] {
  const violations: string[] = [];
  for (const [path, source] of sources) {
    const stage = stageOf(path);
    const position = STAGES.indexOf(stage as (typeof STAGES)[number]);
    if (position < 0) violations.push(`${path}: "${stage}" is not a stage of the pipeline`);
    for (const specifier of importsOf(source)) {
      if (specifier.startsWith('.')) {
        const target = stageOf(resolve(path, specifier));
        if (target === stage) continue;
        if (STAGES.indexOf(target as (typeof STAGES)[number]) > position)
          violations.push(`${path}: imports ${specifier}, but "${target}" comes after "${stage}"`);
        else if (KNOWS_ONLY[stage] && !KNOWS_ONLY[stage].includes(target))
          violations.push(`${path}: imports ${specifier}, but "${stage}" knows only ${KNOWS_ONLY[stage].join(', ')}`);
      } else if (specifier.startsWith('node:')) {
        if (!['node', 'verify', 'gallery', 'cli'].includes(stage))
          violations.push(`${path}: imports ${specifier}; what also runs in a browser must not need Node`);
      } else {
        const name = packageOf(specifier);
        if (PACKAGE_HOME[name] !== stage)
          violations.push(`${path}: imports "${name}", which only ${PACKAGE_HOME[name] ?? 'nobody'} may touch`);
      }
    }
  }
  return violations;
}

/** Cycles of imports between files, each as the chain that closes it. */
export function importCycles(sources: Sources): string[] {
  const imports = new Map<string, readonly string[]>();
  for (const [path, source] of sources) imports.set(path, filesImportedBy(path, source, sources));
  return cyclesOf(imports);
}

/**
 * Cycles between the rooms of a stage: its folders, and what lies in none of them (`results` beside `results/hdf5`). Rooms that need each
 * other are one room. A stage's `index.ts` is its door: it names what is in all rooms, and nobody inside goes out by it.
 */
export function roomCycles(sources: Sources): string[] {
  const imports = new Map<string, string[]>();
  const through = new Map<string, string>();
  for (const [path, source] of sources) {
    if (isDoor(path)) continue;
    const room = roomOf(path);
    for (const target of filesImportedBy(path, source, sources)) {
      if (stageOf(target) !== stageOf(path)) continue;
      const next = isDoor(target) ? target : roomOf(target);
      if (next === room) continue;
      through.set(`${room} → ${next}`, path);
      imports.set(room, [...(imports.get(room) ?? []), next]);
      if (isDoor(target)) imports.set(target, [room]); // the door opens to every room
    }
  }
  return cyclesOf(imports).map((cycle) => {
    const rooms = cycle.split(' → ');
    const files = rooms.slice(1).map((room, i) => through.get(`${rooms[i]} → ${room}`));
    return `${cycle} (by ${files.filter((file) => file !== undefined).join(', ')})`;
  });
}

/** Chains of a graph that come back to where they began, one for each edge that closes one. */
function cyclesOf(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const cycles: string[] = [];
  const state = new Map<string, 'open' | 'done'>();
  const visit = (node: string, chain: readonly string[]): void => {
    if (state.get(node) === 'done') return;
    if (state.get(node) === 'open') {
      cycles.push([...chain.slice(chain.indexOf(node)), node].join(' → '));
      return;
    }
    state.set(node, 'open');
    for (const target of imports.get(node) ?? []) visit(target, [...chain, node]);
    state.set(node, 'done');
  };
  for (const node of imports.keys()) visit(node, []);
  return cycles;
}

const filesImportedBy = (path: string, source: string, sources: Sources): string[] =>
  importsOf(source)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => resolve(path, specifier))
    .filter((target) => sources.has(target));

/** `viewer/page/keys.ts` → `viewer/page`; `viewer/still.ts` → `viewer` */
const roomOf = (path: string): string => {
  const parts = path.split('/');
  return parts.length > 2 ? parts.slice(0, 2).join('/') : stageOf(path);
};

/** `results/index.ts`, but not `results/hdf5/index.ts` */
const isDoor = (path: string): boolean => /^[^/]+\/index\.ts$/.test(path);

/** Uses of engine-dependent Math functions and of ** on the simulation path, as `file:line: what`. */
export function engineDependentMath(sources: Sources): string[] {
  const found: string[] = [];
  for (const [path, source] of sources) {
    if (!(ENGINE_INDEPENDENT as readonly string[]).includes(stageOf(path))) continue;
    blankComments(source)
      .split('\n')
      .forEach((line, i) => {
        for (const [, name] of line.matchAll(/\bMath\s*(?:\.\s*|\[\s*['"])(\w+)/g))
          if (!EXACT_MATH.has(name)) found.push(`${path}:${i + 1}: Math.${name}; use src/math/elementary`);
        if (/[\w)\]]\s*\*\*=?\s*[\w(+-]/.test(line))
          found.push(`${path}:${i + 1}: **; multiply, or use pow of src/math/elementary`);
        if (/=\s*Math\s*[;,]/.test(line))
          found.push(`${path}:${i + 1}: takes functions out of Math; use src/math/elementary`);
      });
  }
  return found;
}

const stageOf = (path: string): string => path.split('/')[0].replace(/\.tsx?$/, '');

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** Static and dynamic imports and re-exports; type-only ones too, for a type is knowledge as well. */
function importsOf(source: string): string[] {
  const code = blankComments(source);
  const specifiers: string[] = [];
  for (const [, specifier] of code.matchAll(/\b(?:from\s+|import\s*\(?\s*)['"]([^'"\n]+)['"]/g))
    specifiers.push(specifier);
  return specifiers;
}

/** `../math/vec3.js` seen from `geometry/solid.ts` → `math/vec3.ts`; generated and vendored files keep their name. */
function resolve(path: string, specifier: string): string {
  const parts = path.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/').replace(/\.js$/, '.ts');
}

/** Comments replaced by spaces, so that line numbers stay. Strings are left alone, also those that contain `//`. */
function blankComments(source: string): string {
  return source.replace(
    /('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g,
    (match, string) => (string !== undefined ? string : match.replace(/[^\n]/g, ' ')),
  );
}
