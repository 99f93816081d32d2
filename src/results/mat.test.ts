import { describe, expect, test } from 'vitest';
import { matBytes } from './mat.js';
import { Recording } from './recording.js';

/** The matrices of a MATLAB level 4 file: name, type, extents, and the elements column by column. */
function matrices(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const found: { name: string; type: number; rows: number; columns: number; values: number[] }[] = [];
  for (let at = 0; at < bytes.length; ) {
    const [type, rows, columns, imaginary, length] = [0, 1, 2, 3, 4].map((i) => view.getInt32(at + 4 * i, true));
    expect(imaginary).toBe(0);
    const name = new TextDecoder().decode(bytes.subarray(at + 20, at + 20 + length - 1));
    at += 20 + length;
    const size = type === 51 ? 1 : type === 20 ? 4 : 8;
    const values = Array.from({ length: rows * columns }, (_, i) =>
      size === 1 ? bytes[at + i] : size === 4 ? view.getInt32(at + 4 * i, true) : view.getFloat64(at + 8 * i, true),
    );
    at += size * rows * columns;
    found.push({ name, type, rows, columns, values });
  }
  return found;
}

describe('Modelica result file', () => {
  test('matrices in the order and shape of the format', () => {
    const recording = new Recording(
      [
        { name: 'ball.z', unit: 'm', description: 'height' },
        { name: 'n', description: '' },
      ],
      { parameters: { radius: 0.5, on: true, label: 'x' } },
    );
    for (let i = 0; i < 3; i++) recording.append(i, [10 * i, 100 * i]);
    const pieces = [...matBytes(recording)].flatMap((piece) => Array.from(piece));
    const found = matrices(Uint8Array.from(pieces));
    expect(found.map(({ name, type, rows, columns }) => [name, type, rows, columns])).toEqual([
      ['Aclass', 51, 4, 11],
      ['name', 51, 17, 5],
      ['description', 51, 19, 5],
      ['dataInfo', 20, 4, 5],
      ['data_1', 0, 3, 2],
      ['data_2', 0, 3, 3],
    ]);
    const text = (codes: number[]) => String.fromCharCode(...codes.filter((code) => code > 0));
    expect([0, 1, 2, 3].map((row) => text(found[0].values.filter((_, i) => i % 4 === row)))).toEqual([
      'Atrajectory',
      '1.1',
      '',
      'binTrans',
    ]);
    const names = [0, 1, 2, 3, 4].map((i) => text(found[1].values.slice(17 * i, 17 * (i + 1))));
    expect(names).toEqual(['time', 'ball.z', 'n', 'parameters.radius', 'parameters.on']);
    expect(text(found[2].values.slice(19, 38))).toBe('height [m]');
    expect(found[3].values).toEqual([0, 1, 0, -1, 2, 2, 0, -1, 2, 3, 0, -1, 1, 2, 0, -1, 1, 3, 0, -1]);
    expect(found[4].values).toEqual([0, 0.5, 1, 2, 0.5, 1]);
    expect(found[5].values).toEqual([0, 0, 0, 1, 10, 100, 2, 20, 200]);
  });
});
