/**
 * What the pages tell one to type: every command exists with its options and its model's parameters, and what it reads is
 * an example, a model of the same page or what a line before it made; every program in a page that imports the package has
 * the types of it. (The README's minute is typed line by line from the packed package: tests/browser/package.test.ts.)
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { afterAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../src/cli/commands.js';
import { modelArguments, parameterHelp } from '../src/cli/model-files/model-arguments.js';
import { exampleStudies, studyName } from '../src/cli/studies/study-files.js';
import { parametersOf } from '../src/model/parameters.js';
import { exampleNames, findModel, modelName } from '../src/node/model-files/load-model.js';
import { load } from './fixtures/example-claims.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tippetop-pages-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...below('docs', /\.md$/),
  ...below('examples', /README\.md$|(?<!test)\.ts$/),
];

/** Files of a folder whose names match */
function below(place: string, names: RegExp): string[] {
  return readdirSync(join(root, place), { recursive: true, encoding: 'utf8' })
    .filter((file) => names.test(file))
    .map((file) => join(place, file))
    .sort();
}

const text = (page: string): string => readFileSync(join(root, page), 'utf8');

/** A line to type, inline code, or the comment above a model; it ends where two spaces or a # begin a remark. */
const TYPED = /(?:^(?: {4}|\/\/ +(?:\S+ +)?)?|`)(?:npx )?tippetop ([a-z]+\b[^`\n]*)/gm;

/** Words as a shell sees them */
const words = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare);

function commandsOf(page: string): { line: string; typed: string[] }[] {
  return [...text(page).matchAll(TYPED)]
    .map(([, line]) => line.split(/ {2,}| #/)[0].trim())
    .filter((line) => Object.hasOwn(COMMANDS, words(line)[0]) && !/…|\.\.\.|<\w+>/.test(line))
    .map((line) => ({ line, typed: words(line) }));
}

/** Models that a page writes out, by the name in the comment at their head */
const modelsOf = (page: string): string[] =>
  [...text(page).matchAll(/```(?:ts|json)\n\/\/ (\S+\.(?:model\.ts|json))/g)].map(([, name]) => name);

/** What the command would have been asked to do: its words, as commander reads them. */
function parsed(command: Command, typed: readonly string[]): { name: string; args: string[]; options: object } {
  let read: { name: string; args: string[]; options: object } | undefined;
  const every = (one: Command): Command[] => [one, ...one.commands.flatMap(every)];
  for (const one of every(command)) {
    one.exitOverride().configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
    if (one.commands.length === 0)
      one.action(() => {
        read = { name: one.name(), args: one.args, options: one.opts() };
      });
  }
  command.parse([...typed], { from: 'user' });
  if (!read) throw new Error('names no command of those below it');
  return read;
}

/** Parameters of the model that is meant, checked where it is an example */
async function checkModel(typed: string, rest: readonly string[], options: object, own: ReadonlySet<string>) {
  if (own.has(typed) || own.has(modelName(typed))) return;
  const construct = await load(findModel(typed), (options as { model?: string }).model);
  modelArguments(parametersOf(construct), rest, (options as { set?: string[] }).set);
}

/** Every complaint about the commands of a page, in their order */
async function complaints(page: string): Promise<string[]> {
  const found: string[] = [];
  const own = new Set([...modelsOf(page), ...modelsOf(page).map(modelName)]); // what the page has the reader make
  if (/^docs.guide/.test(page)) for (const name of modelsOf('README.md')) own.add(name).add(modelName(name));
  for (const { line, typed } of commandsOf(page)) {
    if (!typed.slice(1).some((word) => !/^-|^(study|run|retry)$/.test(word))) continue; // a command by its name alone
    try {
      const { name, args, options } = parsed(await COMMANDS[typed[0]](), typed.slice(1));
      const [first, second] = args;
      if (['run', 'explain', 'linear', 'build', 'optimise'].includes(name) && typed[0] !== 'study') {
        if (name !== 'optimise' || !/\.(dxf|svg)$/.test(first)) await checkModel(first, args.slice(1), options, own);
        own.add((options as { out?: string }).out ?? join('out', modelName(first)));
      } else if (name === 'new') own.add(first).add(join('out', first));
      else if (name === 'sweep') findModel(first);
      else if (['view', 'render', 'export', 'stress', 'compare'].includes(name) && typed[0] !== 'study') {
        const isRecording = first.startsWith('out/') || name === 'compare' || name === 'stress';
        const of = modelName(first.replace(/^out\//, ''));
        if (isRecording && !own.has(first) && !own.has(join('out', first)) && !exampleNames().includes(of))
          throw new Error(`no line before leaves ${first}`);
        if (!isRecording && !/\.h5$/.test(first))
          await checkModel(first, name === 'view' ? args.slice(1) : [], {}, own);
        if (name !== 'view') own.add(second);
      } else if (typed[0] === 'study' && name === 'run' && !/\.study\.ts$/.test(first)) {
        if (!exampleStudies().map(studyName).includes(first)) throw new Error(`there is no study ${first}`);
      }
    } catch (error) {
      found.push(`${page}: tippetop ${line}\n    ${(error as Error).message.split('\n')[0]}`);
    }
  }
  return found;
}

test('every command in the pages can be typed: its options, parameters, and what it reads are there', async () => {
  expect(pages.flatMap(commandsOf).length).toBeGreaterThan(250); // the pages are read at all
  const all: string[] = [];
  for (const page of pages) all.push(...(await complaints(page)));
  expect(all.join('\n')).toBe('');
});

test('every program in the pages that imports the package has its types', () => {
  const place = join(folder, 'programs');
  mkdirSync(join(place, 'node_modules'), { recursive: true });
  symlinkSync(root, join(place, 'node_modules', 'tippetop'));
  const models = pages.filter((page) => /^(README|docs.guide)/.test(page)).flatMap((page) => blocks(page));
  for (const page of pages.filter((name) => name.endsWith('.md'))) {
    const room = join(place, page.replace(/\W+/g, '-'));
    mkdirSync(room, { recursive: true });
    // Models of other pages that a program imports lie beside it
    for (const { name, code } of [...models.filter((one) => /\.model\.ts$/.test(one.name)), ...blocks(page)])
      if (/from 'tippetop/.test(code)) writeFileSync(join(room, name), code);
  }
  writeFileSync(join(place, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(place, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        noEmit: true,
        strict: true,
        noImplicitAny: false, // a callback's argument in a fragment
        module: 'nodenext',
        target: 'es2023',
        lib: ['es2023', 'dom'],
        allowImportingTsExtensions: true,
        skipLibCheck: true,
        preserveSymlinks: true,
        typeRoots: [join(root, 'node_modules/@types')],
        types: ['node'],
      },
      include: ['*/*.ts'],
    }),
  );
  const { stdout } = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', place], {
    cwd: place,
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
});

/** Blocks of TypeScript in a page, each with the file name in its first line or a number */
function blocks(page: string): { name: string; code: string }[] {
  return [...text(page).matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code], i) => ({
    name: /^\/\/ (\S+\.ts)\b/.exec(code)?.[1] ?? `program-${i + 1}.ts`,
    code,
  }));
}

describe('in an empty folder', () => {
  const empty = join(folder, 'empty');
  mkdirSync(join(empty, 'node_modules'), { recursive: true });
  symlinkSync(root, join(empty, 'node_modules', 'tippetop'));
  const type = (...typed: string[]) =>
    spawnSync(process.execPath, [join(root, 'dist/cli/main.js'), ...typed], { cwd: empty, encoding: 'utf8' });
  test('the guide on contact shows what explain says of its model', () => {
    writeFileSync(join(empty, 'drop.model.ts'), blocks('docs/guide/contact.md')[0].code);
    const { stdout } = type('explain', 'drop.model.ts');
    const [, shown] = /```\n(contact {5}[\s\S]*?)```/.exec(text('docs/guide/contact.md'))!;
    for (const line of shown.trimEnd().split('\n')) expect(stdout).toContain(line);
  });

  test('examples/… is the package’s where there is no such folder, and a figure that run and model both ask for reaches both', () => {
    const { stdout } = type('run', 'examples/billiard', '--layers', '2', '--step', '1e-4', '--stop', '0.01', '--json');
    expect(JSON.parse(stdout).parameters).toMatchObject({ layers: 2, step: 1e-4, stop: 0.01 });
  });
});

test('a parameter that has the name of another option of the command is set by --set, and that is said', () => {
  const parameters = parametersOf(({ force = 1 } = {}) => force);
  expect(() => modelArguments(parameters, ['150'], [], ['--force'])).toThrow(
    'got "150"; --force is an option of the command, the model\'s is set by --set force=150',
  );
  expect(parameterHelp(parameters, ['--force'])).toEqual(['  --set force=<value>  (default: 1)']);
});
