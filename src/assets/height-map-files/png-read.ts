/** Reads grey PNG pictures of 8 or 16 bits, as height maps are kept in: W3C PNG specification (third edition), §5 chunks, §9 filters. */
import { FileError } from '../../errors.js';
import { inflate } from '../../geometry/deflate.js';
import type { GreyImage } from './grey-image.js';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Numbers a pixel has, by colour type */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 };

export const isPng = (bytes: Uint8Array): boolean => SIGNATURE.every((byte, i) => bytes[i] === byte);

/** @throws FileError on a picture that is damaged, interlaced, indexed, or coloured */
export function readPng(bytes: Uint8Array, file: string): GreyImage {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const packed: Uint8Array[] = [];
  let [columns, rows, depth, colour] = [0, 0, 0, 0];
  let ended = false;
  for (let at = 8; at + 12 <= bytes.length && !ended; ) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (at + 12 + length > bytes.length)
      throw new FileError(file, `byte ${at}`, `the chunk ${type} ends beyond the file`);
    const body = bytes.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') {
      if (length < 13) throw new FileError(file, `byte ${at}`, 'the header is too short');
      [columns, rows, depth, colour] = [view.getUint32(at + 8), view.getUint32(at + 12), body[8], body[9]];
      if (body[12] !== 0)
        throw new FileError(file, 'header', 'an interlaced picture; expected one that is not, save it again without');
    } else if (type === 'IDAT') packed.push(body);
    else if (type === 'IEND') ended = true;
    at += 12 + length;
  }
  const channels = CHANNELS[colour];
  if (channels === undefined || (depth !== 8 && depth !== 16))
    throw new FileError(
      file,
      'header',
      `expected a grey picture of 8 or 16 bits, got colour type ${colour} of ${depth} bits`,
    );
  if (!(columns > 0 && rows > 0 && columns * rows <= 2e8))
    throw new FileError(file, 'header', `a picture of ${columns} × ${rows} pixels`);
  const pixel = (channels * depth) / 8;
  const stride = columns * pixel;
  const raw = inflate(joined(packed), rows * (stride + 1));
  if (!raw)
    throw new FileError(
      file,
      'IDAT',
      `the pixels do not unpack to ${columns} × ${rows}: the file is damaged or cut off`,
    );
  unfilter(raw, rows, stride, pixel, file);
  const values = new Float64Array(columns * rows);
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++) {
      const at = j * (stride + 1) + 1 + i * pixel;
      const sample = (c: number): number => (depth === 8 ? raw[at + c] : 256 * raw[at + 2 * c] + raw[at + 2 * c + 1]);
      if (channels >= 3 && (sample(0) !== sample(1) || sample(0) !== sample(2)))
        throw new FileError(
          file,
          `pixel ${i}, ${j}`,
          'a coloured pixel; expected a grey picture, whose brightness is the height',
        );
      values[j * columns + i] = sample(0);
    }
  return { columns, rows, values, full: depth === 8 ? 255 : 65535 };
}

function unfilter(raw: Uint8Array, rows: number, stride: number, pixel: number, file: string): void {
  for (let j = 0; j < rows; j++) {
    const start = j * (stride + 1);
    const filter = raw[start];
    if (filter > 4) throw new FileError(file, `row ${j}`, `there is no filter ${filter}: the file is damaged`);
    for (let i = 1; i <= stride; i++) {
      const at = start + i;
      const left = i > pixel ? raw[at - pixel] : 0;
      const above = j > 0 ? raw[at - stride - 1] : 0;
      const corner = j > 0 && i > pixel ? raw[at - stride - 1 - pixel] : 0;
      if (filter === 1) raw[at] += left;
      else if (filter === 2) raw[at] += above;
      else if (filter === 3) raw[at] += (left + above) >> 1;
      else if (filter === 4) raw[at] += paeth(left, above, corner);
    }
  }
}

function paeth(a: number, b: number, c: number): number {
  const p = a + b - c;
  const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
