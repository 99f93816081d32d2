/**
 * The C column: the same algorithm in C, compiled on this machine when gcc is here, run on the same input and timed
 * inside the program. `-ffp-contract=off` keeps the compiler from fusing multiply and add, which we must not do either.
 *
 * The program is called as `program <input file> <minimum seconds>`, repeats its work for at least that time and
 * prints the seconds of one run, then its results, one number a line with 17 digits: see `c/timing.h`.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Rival } from './harness.js';
import { packageRoot } from './package-root.js';

export const COMPILER = 'gcc';
export const COMPILER_FLAGS = ['-O3', '-march=native', '-ffp-contract=off', '-std=gnu11', '-Wall'];

/**
 * @param file  name in `benchmarks/c/`
 * @param input the bytes the program reads
 * @param error relative error of the numbers it prints
 * @param libraries that it is linked with, such as cholmod
 * @param missing why it cannot be built here although there is a compiler, undefined if it can
 */
export function cProgram<Input>(options: {
  readonly file: string;
  readonly input: (input: Input) => Uint8Array;
  readonly error?: (results: readonly number[], input: Input) => number;
  readonly libraries?: readonly string[];
  readonly missing?: () => string | undefined;
}): Rival<Input> {
  return {
    missing: () => (compilerVersion() ? options.missing?.() : `${COMPILER} is not installed`),
    start(input) {
      const program = compile(options.file, options.libraries ?? []);
      const inputFile = join(folder(), `${options.file}.input`);
      writeFileSync(inputFile, options.input(input));
      let results: number[] = [];
      return {
        sample(minimumTime) {
          const printed = execFileSync(program, [inputFile, String(minimumTime)], { encoding: 'utf8' });
          const numbers = printed.trim().split(/\s+/).map(Number);
          if (!numbers.every(Number.isFinite)) throw new Error(`${options.file} printed ${printed}`);
          results = numbers.slice(1);
          return numbers[0];
        },
        error: () => options.error?.(results, input),
        stop: () => rmSync(inputFile),
      };
    },
  };
}

/** First line of `gcc --version`, undefined if there is none. */
export function compilerVersion(): string | undefined {
  const asked = spawnSync(COMPILER, ['--version'], { encoding: 'utf8' });
  return asked.status === 0 ? asked.stdout.split('\n')[0] : undefined;
}

const compiled = new Map<string, string>();
function compile(file: string, libraries: readonly string[]): string {
  let program = compiled.get(file);
  if (!program) {
    program = join(folder(), file.replace(/\.c$/, ''));
    const source = join(packageRoot(), 'benchmarks', 'c', file);
    execFileSync(COMPILER, [...COMPILER_FLAGS, '-o', program, source, ...libraries.map((one) => `-l${one}`), '-lm'], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    compiled.set(file, program);
  }
  return program;
}

let made: string | undefined;
/** A folder for this process, gone when it ends. */
function folder(): string {
  if (!made) {
    made = mkdtempSync(join(tmpdir(), 'tippetop-bench-'));
    process.once('exit', removePrograms);
  }
  return made;
}

/** Removes what was compiled: for a process that is killed rather than ends, such as that of a test. */
export function removePrograms(): void {
  if (made) rmSync(made, { recursive: true, force: true });
  made = undefined;
  compiled.clear();
}
