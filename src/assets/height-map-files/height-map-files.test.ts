import { describe, expect, test } from 'vitest';
import { deflate } from '../../geometry/deflate.js';
import { readHeightMap } from './index.js';

const [columns, rows] = [37, 11];
/** 16-bit heights with long runs and jumps */
const grey = Uint16Array.from({ length: columns * rows }, (_, k) => (k % 7 < 3 ? 500 : (k * 2654435761) >>> 16));

/** A 16-bit grey PNG whose row j has the filter j mod 5 */
function png(): Uint8Array {
  const stride = 2 * columns;
  const raw = new Uint8Array(rows * stride);
  for (const [k, value] of grey.entries()) raw.set([value >> 8, value & 255], 2 * k);
  const filtered = new Uint8Array(rows * (stride + 1));
  for (let j = 0; j < rows; j++) {
    filtered[j * (stride + 1)] = j % 5;
    for (let i = 0; i < stride; i++) {
      const left = i >= 2 ? raw[j * stride + i - 2] : 0;
      const above = j > 0 ? raw[(j - 1) * stride + i] : 0;
      const corner = j > 0 && i >= 2 ? raw[(j - 1) * stride + i - 2] : 0;
      const p = left + above - corner;
      const nearest = [left, above, corner].reduce((best, x) => (Math.abs(p - x) < Math.abs(p - best) ? x : best));
      const guess = [0, left, above, (left + above) >> 1, nearest][j % 5];
      filtered[j * (stride + 1) + 1 + i] = raw[j * stride + i] - guess;
    }
  }
  const chunk = (type: string, body: Uint8Array): number[] => {
    const n = body.length;
    return [
      n >>> 24,
      (n >>> 16) & 255,
      (n >>> 8) & 255,
      n & 255,
      ...new TextEncoder().encode(type),
      ...body,
      0,
      0,
      0,
      0,
    ];
  };
  const header = Uint8Array.of(0, 0, 0, columns, 0, 0, 0, rows, 16, 0, 0, 0, 0);
  return Uint8Array.from([
    0x89,
    0x50,
    0x4e,
    0x47,
    13,
    10,
    26,
    10,
    ...chunk('IHDR', header),
    ...chunk('IDAT', deflate(filtered)),
    ...chunk('IEND', new Uint8Array(0)),
  ]);
}

/** Little-endian TIFF of one strip */
function tiff(body: Uint8Array, bits: number, format: number, compression: number, predictor = 1): Uint8Array {
  const tags: [number, number, number][] = [
    [256, 3, columns],
    [257, 3, rows],
    [258, 3, bits],
    [259, 3, compression],
    [273, 4, 8],
    [277, 3, 1],
    [278, 3, rows],
    [279, 4, body.length],
    [317, 3, predictor],
    [339, 3, format],
  ];
  const directory = 8 + body.length + (body.length % 2);
  const view = new DataView(new ArrayBuffer(directory + 2 + 12 * tags.length + 4));
  view.setUint16(0, 0x4949);
  view.setUint16(2, 42, true);
  view.setUint32(4, directory, true);
  const bytes = new Uint8Array(view.buffer);
  bytes.set(body, 8);
  view.setUint16(directory, tags.length, true);
  for (const [k, [tag, type, value]] of tags.entries()) {
    const at = directory + 2 + 12 * k;
    view.setUint16(at, tag, true);
    view.setUint16(at + 2, type, true);
    view.setUint32(at + 4, 1, true);
    if (type === 3) view.setUint16(at + 8, value, true);
    else view.setUint32(at + 8, value, true);
  }
  return bytes;
}

/** TIFF's LZW, written from section 13 of the specification */
function lzw(raw: Uint8Array): Uint8Array {
  const bits: number[] = [];
  const emit = (code: number, width: number): void => {
    for (let k = width - 1; k >= 0; k--) bits.push((code >> k) & 1);
  };
  let table = new Map<string, number>();
  let next = 258;
  const width = (): number => (next > 2047 ? 12 : next > 1023 ? 11 : next > 511 ? 10 : 9);
  emit(256, 9);
  let word = '';
  const codeOf = (text: string): number => (text.length === 1 ? text.charCodeAt(0) : table.get(text)!);
  for (const byte of raw) {
    const longer = word + String.fromCharCode(byte);
    if (longer.length === 1 || table.has(longer)) {
      word = longer;
      continue;
    }
    emit(codeOf(word), width());
    table.set(longer, next++);
    if (next === 4094) {
      emit(256, 12);
      table = new Map();
      next = 258;
    }
    word = String.fromCharCode(byte);
  }
  emit(codeOf(word), width());
  next++;
  emit(257, width());
  const packed = new Uint8Array(Math.ceil(bits.length / 8));
  bits.forEach((bit, k) => {
    packed[k >> 3] |= bit << (7 - (k & 7));
  });
  return packed;
}

const asBytes = (array: ArrayBufferView): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
const expected = (value: number): number => -1 + (3 * value) / 65535;
const read = (bytes: Uint8Array) => readHeightMap(bytes, { spacing: 0.1, lowest: -1, highest: 2 });
const check = (bytes: Uint8Array): void => {
  const map = read(bytes);
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++)
      expect(map.heights[(rows - 1 - j) * columns + i]).toBe(expected(grey[j * columns + i]));
};

describe('height maps from files', () => {
  test('PNG with all five filters', () => check(png()));
  test('TIFF, unpacked', () => check(tiff(asBytes(grey), 16, 1, 1)));
  test('TIFF, LZW', () => check(tiff(lzw(asBytes(grey)), 16, 1, 5)));
  test('TIFF, deflate with differences', () => {
    const rowsOf = Uint16Array.from(grey, (value, k) => (k % columns === 0 ? value : value - grey[k - 1]));
    check(tiff(deflate(asBytes(rowsOf)), 16, 1, 8, 2));
  });
  test('TIFF of floating-point heights, with and without their predictor', () => {
    const heights = Float32Array.from(grey, (value) => value / 977 - 20);
    const big = new DataView(new ArrayBuffer(4 * heights.length));
    heights.forEach((height, k) => {
      big.setFloat32(4 * k, height);
    });
    const bytes = asBytes(big);
    const coded = new Uint8Array(bytes.length);
    const stride = 4 * columns;
    for (let j = 0; j < rows; j++) {
      for (let i = 0; i < columns; i++)
        for (let b = 0; b < 4; b++) coded[j * stride + b * columns + i] = bytes[j * stride + 4 * i + b];
      for (let i = stride - 1; i > 0; i--) coded[j * stride + i] -= coded[j * stride + i - 1];
    }
    for (const file of [tiff(asBytes(heights), 32, 3, 1), tiff(deflate(coded), 32, 3, 8, 3)]) {
      const map = readHeightMap(file, { spacing: 1 });
      expect(map.heights[0]).toBe(heights[(rows - 1) * columns]);
      expect(map.heights[columns * rows - 1]).toBe(heights[columns - 1]);
    }
  });
  test('a cut file, a missing spacing and a missing range are named', () => {
    expect(() => read(png().subarray(0, 200))).toThrow(/ends beyond the file|do not unpack/);
    expect(() => readHeightMap(png(), { lowest: 0, highest: 1 })).toThrow('does not say how far apart its pixels are');
    expect(() => readHeightMap(png(), { spacing: 1 })).toThrow('expected the heights of black and white in m');
  });
});
