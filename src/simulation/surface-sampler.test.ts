// Surfaces that are only drawn: sampled at every recorded row, refused where they are not what they should be.
import { describe, expect, test } from 'vitest';
import { body } from '../model/body.js';
import { modelFromJson } from '../model/json.js';
import { model } from '../model/model.js';
import { type SurfaceOptions, surface } from '../model/surfaces.js';
import { simulate } from './simulation.js';

const CORNERS = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
] as const;
const given = (options: Partial<SurfaceOptions> = {}) =>
  model({
    bodies: { bob: body({ mass: 1, inertia: [1, 1, 1] }) },
    events: { half: { at: 0.35, stop: true } },
    surfaces: { sheet: surface({ triangles: [[0, 1, 2]], vertices: CORNERS, ...options }) },
  });
const run = (options: Partial<SurfaceOptions>) => simulate(given(options), { stopTime: 1, interval: 0.1 });

describe('surfaces that are drawn', () => {
  test('are sampled at every row, the one of an event included', () => {
    const recording = run({
      vertices: (t) => Float64Array.of(0, 0, t, 1, 0, 2 * t, 0, 1, 3),
      values: (t) => [t, -t, 7],
      quantity: 'stress',
      unit: 'Pa',
    });
    const table = recording.table('surfaces');
    expect(table.instants).toBe(recording.rows);
    expect(recording.times.at(-1)).toBe(0.35);
    recording.times.forEach((t, i) => {
      const rows = table.instant(i);
      expect(rows.count).toBe(3);
      expect([...rows.column('surface')].map((label) => table.labels[label])).toEqual(['sheet', 'sheet', 'sheet']);
      expect([...rows.column('vertex')]).toEqual([0, 1, 2]);
      expect([...rows.column('x')]).toEqual([0, 1, 0]);
      expect([...rows.column('z')]).toEqual([t, 2 * t, 3]);
      expect([...rows.column('value')]).toEqual([t, -t, 7]);
    });
    expect(recording.scene!.surfaces[0]).toMatchObject({
      name: 'sheet',
      vertexCount: 3,
      quantity: 'stress',
      unit: 'Pa',
    });
  });

  test('may stand still and show no value; several keep their names', () => {
    const table = simulate(
      model({
        bodies: { bob: body({ mass: 1 }) },
        surfaces: {
          still: { triangles: Uint32Array.of(0, 1, 2), vertices: CORNERS },
          other: surface({ triangles: [0, 1, 2], vertices: CORNERS.flat() }),
        },
      }),
      { stopTime: 0.1 },
    ).table('surfaces');
    expect(table.labels).toEqual(['still', 'other']);
    expect(table.instant(3).column('value').every(Number.isNaN)).toBe(true);
  });

  test('a model without them has no table', () => {
    expect(simulate(model({ bodies: { bob: body({ mass: 1 }) } }), { stopTime: 0.1 }).hasTable('surfaces')).toBe(false);
  });
});

describe('what is refused, with the time and the vertex', () => {
  test.each<[string, Partial<SurfaceOptions>, string]>([
    [
      'no triangle',
      { triangles: [[0, 1, 3]] },
      'surfaces.sheet.triangles[0]: expected places of vertices from 0 to 2, got 3',
    ],
    ['part of one', { triangles: [0, 1] }, 'surfaces.sheet.triangles: expected 3 numbers each, got 2 numbers'],
    ['no list', { vertices: 5 as never }, 'surfaces.sheet.vertices: expected vertices [[x, y, z], …] in m'],
    [
      'NaN at the start',
      {
        vertices: [
          [0, 0, Number.NaN],
          [1, 0, 0],
          [0, 1, 0],
        ],
      },
      'surfaces.sheet.vertices[0]: t = 0 s: expected a finite z in m, got NaN',
    ],
    [
      'two numbers',
      { vertices: [[0, 0]] as never },
      'surfaces.sheet.vertices[0]: t = 0 s: expected 3 numbers, got [0,0]',
    ],
    ['none', { vertices: [] }, 'surfaces.sheet.vertices: expected at least 3 vertices, got none'],
    ['values', { values: [1, 2] }, 'surfaces.sheet.values: t = 0 s: expected 3 values, one per vertex, got 2'],
    [
      'a value',
      { values: [1, Number.NaN, 2], unit: 'Pa' },
      'surfaces.sheet.values[1]: t = 0 s: expected a finite value in Pa, got NaN',
    ],
    [
      'nothing from a function',
      { vertices: () => undefined as never },
      'surfaces.sheet.vertices: t = 0 s: expected [[x, y, z], …], got nothing',
    ],
    ['a misspelt key', { color: [1, 0, 0, 1] } as never, 'surfaces.sheet: has no "color"; did you mean "colour"?'],
  ])('%s', (_, options, message) => {
    expect(() => given(options)).toThrow(message);
  });

  test('while the run goes on', () => {
    expect(() => run({ vertices: (t) => [0, 0, 0, 1, t > 0.25 ? Number.NaN : 0, 0, 0, 1, 0] })).toThrow(
      'surfaces.sheet.vertices[1]: t = 0.3 s: expected a finite y in m, got NaN',
    );
    expect(() => run({ vertices: (t) => (t > 0.25 ? [0, 0, 0] : CORNERS) })).toThrow(
      'surfaces.sheet.vertices: t = 0.3 s: expected 3 vertices as at the start, got 1',
    );
  });

  test('in JSON, which holds no functions', async () => {
    const json = { bodies: { bob: { mass: 1 } }, surfaces: { sheet: { triangles: [[0, 1, 2]], vertices: CORNERS } } };
    await expect(modelFromJson(json)).rejects.toThrow('surfaces.sheet.vertices: is a function, which JSON cannot hold');
  });
});
