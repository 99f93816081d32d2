import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { FileError } from '../../errors.js';
import { readStep, type StepReadOptions } from './step-read.js';

const file = (name: string) => readFileSync(new URL(`../../../tests/fixtures/files/${name}`, import.meta.url));
const STEP = file('step/bored-block-mm.step').toString('latin1');
const IGES = file('iges/bored-block-mm.igs').toString('latin1');

const refusal = async (text: string, options: Partial<StepReadOptions> = {}): Promise<string> => {
  try {
    await readStep(Buffer.from(text, 'latin1'), { fileName: 'part.step', ...options });
  } catch (error) {
    if (error instanceof FileError) return error.message;
    throw error;
  }
  return 'nothing was refused';
};

describe('STEP that is refused before Open CASCADE sees it', () => {
  test.each([
    ['a cut-off file', STEP.slice(0, 9000), /cut off/],
    [
      'a file without its last line',
      STEP.replace('END-ISO-10303-21;', ''),
      /ends without END-ISO-10303-21; it is cut off/,
    ],
    ['a reference to nothing', STEP.replace('#23)', '#9999)'), /line \d+: #22 refers to #9999, which is not defined/],
    ['an entity defined twice', STEP.replace('#24 =', '#23 ='), /line \d+: #23 is defined twice, first in line \d+/],
    [
      'an entity made of itself',
      STEP.replace("VERTEX_POINT('',#23)", "VERTEX_POINT('',#20)"),
      /refers to #\d+, which is made of it/,
    ],
    [
      'an infinite number',
      STEP.replace('(-20.,-15.,-5.)', '(-20.,-15.E999,-5.)'),
      /expected a finite number, got "-15.E999"/,
    ],
    ['a text without end', STEP.replace("'bored block'", "'bored block"), /line \d+: /],
    [
      'brackets that do not match',
      STEP.replace('(-20.,-15.,-5.)', '(-20.,-15.,-5.'),
      /a bracket is not closed before ;/,
    ],
    ['brackets without end', STEP.replace('(-20.,', `${'('.repeat(200)}-20.,`), /nested deeper than 100/],
    [
      'nothing but a header',
      'ISO-10303-21;\nHEADER;\nENDSEC;\nEND-ISO-10303-21;\n',
      /expected a DATA section with entities/,
    ],
    ['something else', 'solid part', /not STEP or IGES|is an? .*STL/],
    ['nothing', '', /./],
  ])('%s', async (_, text, message) => {
    expect(await refusal(text)).toMatch(message);
  });

  test.each([
    ['a cut-off file', IGES.slice(0, 4000), /line \d+: /],
    [
      'a file without its last line',
      IGES.slice(0, IGES.lastIndexOf('S      1')),
      /the last record \(T\) is missing; the file is cut off/,
    ],
    [
      'a missing record',
      IGES.split('\n').toSpliced(9, 1).join('\n'),
      /line 10: expected record 5 of section D; some records are missing/,
    ],
    ['the binary form', IGES.replace('S0000001', 'B0000001'), /binary form; save it as ASCII/],
  ])('IGES: %s', async (_, text, message) => {
    expect(await refusal(text)).toMatch(message);
  });

  test('chord errors that are none', async () => {
    for (const chordError of [0, -1, Number.NaN, 1e-12])
      await expect(readStep(Buffer.from(STEP), { fileName: 'a', chordError })).rejects.toThrow(
        /chordError: expected a length/,
      );
  });
});

describe('Open CASCADE', () => {
  test('that is not installed is asked for by the command that installs it', async () => {
    vi.doMock('occt-import-js', () => {
      throw new Error('Cannot find package');
    });
    expect(await refusal(STEP)).toMatch(/run "npm install occt-import-js"/);
    vi.doUnmock('occt-import-js');
  });

  test('that does not start says why', async () => {
    const missing = { factory: () => Promise.reject(new Error('no wasm here')) };
    expect(await refusal(STEP, { occt: missing })).toMatch(
      /occt-import-js, which reads STEP and IGES, does not start: no wasm here/,
    );
  });

  test('that gives up is thrown away, and the next file gets a fresh one', async () => {
    let started = 0;
    const empty = { success: true, root: { name: '', meshes: [], children: [] }, meshes: [] };
    const factory = async () => {
      started++;
      let calls = 0;
      return {
        ReadStepFile: () => {
          if (++calls === 2) throw new WebAssembly.RuntimeError('unreachable');
          return empty;
        },
      };
    };
    expect(await refusal(STEP, { occt: { factory } })).toMatch(/finds no surface in it/);
    expect(await refusal(STEP, { occt: { factory } })).toMatch(/Open CASCADE gave up on it \(unreachable\)/);
    expect(await refusal(STEP, { occt: { factory } })).toMatch(/finds no surface in it/);
    expect(started).toBe(2);
  });

  test('is told the unit and the chord error, and gets the bytes of its wasm from the page', async () => {
    const seen: unknown[] = [];
    const wasmBinary = new Uint8Array(3);
    const factory = async (options: object) => {
      seen.push((options as { wasmBinary: unknown }).wasmBinary);
      const ReadStepFile = (_: unknown, parameters: unknown) => {
        seen.push(parameters);
        return { success: false };
      };
      return { ReadStepFile };
    };
    expect(await refusal(STEP, { occt: { factory, wasmBinary }, chordError: 2e-5 })).toMatch(/finds no shape/);
    expect(seen[0]).toBe(wasmBinary);
    expect(seen[1]).toMatchObject({
      linearUnit: 'millimeter',
      linearDeflectionType: 'absolute_value',
      linearDeflection: 0.02,
    });
  });
});
