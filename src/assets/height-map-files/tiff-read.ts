/**
 * Reads TIFF elevation models of one number a pixel: TIFF 6.0, strips or tiles; unpacked, LZW, PackBits or deflate; predictors 1 to 3;
 * whole numbers of 8, 16 and 32 bits, floating-point numbers of 32 and 64. GeoTIFF's pixel scale is read as the spacing, GDAL's mark for no height as a hole.
 */
import { FileError } from '../../errors.js';
import { inflate } from '../../geometry/deflate.js';
import type { GreyImage } from './grey-image.js';

export const isTiff = (bytes: Uint8Array): boolean =>
  (bytes[0] === 0x49 && bytes[1] === 0x49 && bytes[2] === 42) ||
  (bytes[0] === 0x4d && bytes[1] === 0x4d && bytes[3] === 42);

const SIZES: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 8: 2, 9: 4, 11: 4, 12: 8 };
const MOST_PIXELS = 2e8;

/** @throws FileError naming the tag that is wrong or not understood */
export function readTiff(bytes: Uint8Array, file: string): GreyImage {
  const tags = readTags(bytes, file);
  const one = (tag: number, fallback: number): number => tags.get(tag)?.[0] ?? fallback;
  const [columns, rows] = [one(256, 0), one(257, 0)];
  if (!(columns > 0 && rows > 0 && columns * rows <= MOST_PIXELS))
    throw new FileError(file, 'tags 256, 257', `a picture of ${columns} × ${rows} pixels`);
  const bits = one(258, 1);
  const format = one(339, 1); // 1 unsigned, 2 signed, 3 floating point
  if (one(277, 1) !== 1) throw new FileError(file, 'tag 277', `expected one number a pixel, got ${one(277, 1)}`);
  if (!([8, 16, 32].includes(bits) && format <= 2) && !([32, 64].includes(bits) && format === 3))
    throw new FileError(
      file,
      'tags 258, 339',
      `numbers of ${bits} bits and format ${format} are not read; expected whole numbers of 8 to 32 bits or floating-point ones of 32 or 64`,
    );
  const layout = {
    little: bytes[0] === 0x49,
    bits,
    format,
    compression: one(259, 1),
    predictor: one(317, 1),
    file,
  };
  const tiled = tags.has(322);
  const [wide, high] = tiled ? [one(322, 0), one(323, 0)] : [columns, Math.min(rows, one(278, rows))];
  const offsets = tags.get(tiled ? 324 : 273) ?? [];
  const lengths = tags.get(tiled ? 325 : 279) ?? [];
  if (!(wide > 0 && high > 0)) throw new FileError(file, 'tags 278, 322, 323', `pieces of ${wide} × ${high} pixels`);
  const across = Math.ceil(columns / wide);
  if (offsets.length < across * Math.ceil(rows / high) || lengths.length < offsets.length)
    throw new FileError(file, `tag ${tiled ? 324 : 273}`, 'there are fewer pieces than the picture needs');
  const values = new Float64Array(columns * rows);
  for (let k = 0; k < across * Math.ceil(rows / high); k++) {
    const [left, top] = [(k % across) * wide, Math.floor(k / across) * high];
    const tall = tiled ? high : Math.min(high, rows - top);
    if (offsets[k] + lengths[k] > bytes.length)
      throw new FileError(file, `piece ${k}`, 'lies beyond the end of the file');
    const piece = unpackPiece(bytes.subarray(offsets[k], offsets[k] + lengths[k]), wide, tall, layout, k);
    for (let j = 0; j < tall && top + j < rows; j++)
      for (let i = 0; i < wide && left + i < columns; i++) values[(top + j) * columns + left + i] = piece[j * wide + i];
  }
  const missing = noHeight(bytes, tags);
  if (missing !== undefined) for (let i = 0; i < values.length; i++) if (values[i] === missing) values[i] = Number.NaN;
  const scale = tags.get(33550);
  return {
    columns,
    rows,
    values,
    ...(format === 1 && bits < 32 && { full: bits === 8 ? 255 : 65535 }),
    ...(scale && scale[0] > 0 && scale[0] === scale[1] && { spacing: scale[0] }),
  };
}

interface Layout {
  readonly little: boolean;
  readonly bits: number;
  readonly format: number;
  readonly compression: number;
  readonly predictor: number;
  readonly file: string;
}

/** Numbers of the first picture's tags */
function readTags(bytes: Uint8Array, file: string): Map<number, number[]> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = bytes[0] === 0x49;
  const tags = new Map<number, number[]>();
  const cut = (): FileError => new FileError(file, 'tags', 'lie beyond the end of the file: it is damaged or cut off');
  if (bytes.length < 8) throw cut();
  const start = view.getUint32(4, little);
  if (start + 2 > bytes.length) throw cut();
  const count = view.getUint16(start, little);
  for (let k = 0; k < count; k++) {
    const at = start + 2 + 12 * k;
    if (at + 12 > bytes.length) throw cut();
    const type = view.getUint16(at + 2, little);
    const many = view.getUint32(at + 4, little);
    const size = SIZES[type];
    if (size === undefined || many > MOST_PIXELS) continue;
    const from = size * many <= 4 ? at + 8 : view.getUint32(at + 8, little);
    if (from + size * many > bytes.length) throw cut();
    tags.set(
      view.getUint16(at, little),
      Array.from({ length: many }, (_, i) => {
        const place = from + size * i;
        if (type === 3) return view.getUint16(place, little);
        if (type === 4) return view.getUint32(place, little);
        if (type === 5) return view.getUint32(place, little) / view.getUint32(place + 4, little);
        if (type === 8) return view.getInt16(place, little);
        if (type === 9) return view.getInt32(place, little);
        if (type === 11) return view.getFloat32(place, little);
        if (type === 12) return view.getFloat64(place, little);
        return bytes[place];
      }),
    );
  }
  return tags;
}

/** GDAL's tag 42113: a text */
function noHeight(_bytes: Uint8Array, tags: ReadonlyMap<number, readonly number[]>): number | undefined {
  const text = tags.get(42113);
  if (!text) return undefined;
  const value = Number(String.fromCharCode(...text.filter((c) => c > 0)));
  return Number.isFinite(value) ? value : undefined;
}

function unpackPiece(packed: Uint8Array, wide: number, tall: number, layout: Layout, piece: number): Float64Array {
  const { bits, format, compression, predictor, file } = layout;
  const bytesEach = bits / 8;
  const size = wide * tall * bytesEach;
  const damaged = (): FileError => new FileError(file, `piece ${piece}`, `does not unpack to ${wide} × ${tall} pixels`);
  let raw: Uint8Array | undefined;
  if (compression === 1) raw = packed.slice(0, size);
  else if (compression === 8 || compression === 32946) raw = inflate(packed, size);
  else if (compression === 5) raw = unpackLzw(packed, size);
  else if (compression === 32773) raw = unpackBits(packed, size);
  else
    throw new FileError(
      file,
      'tag 259',
      `compression ${compression} is not read; expected none, LZW, PackBits or deflate`,
    );
  if (!raw || raw.length < size) throw damaged();
  let { little } = layout;
  if (predictor === 3) {
    // Bytes of a row by significance, differences along it: TIFF Technical Note 3
    const row = wide * bytesEach;
    const ordered = new Uint8Array(size);
    for (let j = 0; j < tall; j++) {
      for (let i = 1; i < row; i++) raw[j * row + i] += raw[j * row + i - 1];
      for (let i = 0; i < wide; i++)
        for (let b = 0; b < bytesEach; b++) ordered[j * row + i * bytesEach + b] = raw[j * row + b * wide + i];
    }
    raw = ordered;
    little = false;
  }
  const view = new DataView(raw.buffer, raw.byteOffset, size);
  const values = new Float64Array(wide * tall);
  for (let k = 0; k < values.length; k++) {
    const at = k * bytesEach;
    if (format === 3) values[k] = bits === 32 ? view.getFloat32(at, little) : view.getFloat64(at, little);
    else if (bits === 8) values[k] = raw[at];
    else if (bits === 16) values[k] = view.getUint16(at, little);
    else values[k] = view.getUint32(at, little);
  }
  if (format !== 3) {
    const wrap = bits === 8 ? 256 : bits === 16 ? 65536 : 4294967296;
    if (predictor === 2)
      for (let j = 0; j < tall; j++)
        for (let i = 1; i < wide; i++) values[j * wide + i] = (values[j * wide + i] + values[j * wide + i - 1]) % wrap;
    if (format === 2) for (let k = 0; k < values.length; k++) if (values[k] >= wrap / 2) values[k] -= wrap;
  }
  return values;
}

/** TIFF 6.0, section 13: codes of 9 to 12 bits, most significant bit first; 256 clears the table, 257 ends. */
function unpackLzw(packed: Uint8Array, size: number): Uint8Array | undefined {
  const out = new Uint8Array(size);
  const prefix = new Int32Array(4097);
  const last = new Uint8Array(4097);
  const length = new Int32Array(4097);
  for (let i = 0; i < 256; i++) {
    last[i] = i;
    length[i] = 1;
  }
  let [next, width, bit, filled, previous] = [258, 9, 0, 0, -1];
  const write = (code: number, at: number): number => {
    let place = at + length[code] - 1;
    for (let c = code; place >= at; place--) {
      if (place < size) out[place] = last[c];
      c = prefix[c];
    }
    return at + length[code];
  };
  const firstOf = (code: number): number => {
    let c = code;
    while (length[c] > 1) c = prefix[c];
    return last[c];
  };
  while (filled < size && bit + width <= 8 * packed.length) {
    let code = 0;
    for (let k = 0; k < width; k++, bit++) code = (code << 1) | ((packed[bit >> 3] >> (7 - (bit & 7))) & 1);
    if (code === 257) break;
    if (code === 256) {
      [next, width, previous] = [258, 9, -1];
      continue;
    }
    if (previous >= 0) {
      if (code > next || next > 4095) return undefined;
      prefix[next] = previous;
      length[next] = length[previous] + 1;
      last[next] = firstOf(code === next ? previous : code);
      next++;
    } else if (code > 255) return undefined;
    filled = write(code, filled);
    previous = code;
    width = next >= 2047 ? 12 : next >= 1023 ? 11 : next >= 511 ? 10 : 9;
  }
  return filled >= size ? out : undefined;
}

/** TIFF 6.0, section 9 */
function unpackBits(packed: Uint8Array, size: number): Uint8Array | undefined {
  const out = new Uint8Array(size);
  let filled = 0;
  for (let at = 0; at < packed.length && filled < size; ) {
    const head = packed[at++];
    if (head < 128) for (let k = 0; k <= head && filled < size; k++) out[filled++] = packed[at++];
    else if (head > 128) {
      for (let k = 0; k < 257 - head && filled < size; k++) out[filled++] = packed[at];
      at++;
    }
  }
  return filled === size ? out : undefined;
}
