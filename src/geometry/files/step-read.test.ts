import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { FileError } from '../../errors.js';
import { meshMassProperties } from '../mass-properties.js';
import { readStep, type StepReadOptions } from './step-read.js';
import { checkIges } from './step-read-iges.js';
import { checkStep } from './step-read-structure.js';

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
      /#\d+ \(\w+\) refers to #\d+ \(\w+\), which is made of it$/,
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

  test('may mesh faces that meet to 1e-10 of the size: they are joined, and mm become m', async () => {
    const corners = [[0, 0, 0], [10, 0, 0], [0, 10, 0], [0, 0, 10]]; // biome-ignore format: a table
    const faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]; // biome-ignore format: a table
    const array = faces.flatMap((face, i) => face.flatMap((corner) => corners[corner].map((x) => x + 1e-9 * i)));
    const mesh = {
      name: 'corner',
      color: [0.21404114, 0, 1],
      brep_faces: [],
      attributes: { position: { array } },
      index: { array: array.map((_, i) => i).slice(0, 12) },
    };
    const result = { success: true, root: { name: '', meshes: [0], children: [] }, meshes: [mesh] };
    const factory = async () => ({ ReadStepFile: () => result });
    const { parts, notes } = await readStep(Buffer.from(STEP), { fileName: 'part.step', occt: { factory } });
    expect(notes).toEqual([]);
    expect(parts[0]).toMatchObject({ name: 'corner', colour: [0.5, 0, 1, 1] });
    expect(parts[0].mesh.vertices).toHaveLength(12);
    expect(meshMassProperties(parts[0].mesh).volume / (1e-6 / 6)).toBeCloseTo(1, 8);
    // and a part with a face missing says so
    const open = { ...result, meshes: [{ ...mesh, index: { array: mesh.index.array.slice(3) } }] };
    const opened = await readStep(Buffer.from(STEP), {
      fileName: 'part.step',
      occt: { factory: async () => ({ ReadStepFile: () => open }) },
    });
    expect(opened.notes[0]).toMatch(/"corner" is not closed, e.g. between/);
  });
});

describe('units', () => {
  const iges = (unit: string) => checkIges(Buffer.from(IGES.replace(',1.,2,2HMM,1,', unit), 'latin1'), 'a.igs').unit;
  test('of IGES come from the flag, or from the name where the flag says so', () => {
    expect(iges(',1.,2,2HMM,1,')).toBe('mm');
    expect(iges(',1.,10,1HM,1,')).toBe('cm');
    expect(iges(',1.,2,2HIN,1,')).toBe('mm');
    expect(iges(',1.,3,2HCM,1,')).toBe('cm');
    expect(iges(',1.,,    ,1,,')).toBe('in'); // the default
    expect(iges(',1.,8,3HMIL,1')).toBeUndefined();
  });

  test('of STEP are those that the geometry uses', () => {
    const units = (text: string) => checkStep(Buffer.from(text, 'latin1'), 'a.step').units;
    expect(units(STEP)).toEqual(['mm']);
    expect(units(STEP.replace('.MILLI.,.METRE.', '.MICRO.,.METRE.'))).toEqual(['um']);
    expect(units(STEP.replace('.MILLI.,.METRE.', '$,.METRE.'))).toEqual(['m']);
    // inches stand on mm, which do not count
    expect(units(file('step/bored-block-in.step').toString('latin1'))).toEqual(['in']);
    expect(units(STEP.replace('.MILLI.,.METRE.', '.PETA.,.METRE.'))).toEqual([]);
  });
});
