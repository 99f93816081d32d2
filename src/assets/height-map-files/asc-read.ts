/** Reads ESRI ASCII grids (.asc): a header of keys and numbers, then heights row by row from the north; holes are marked by NODATA_value. */
import { FileError } from '../../errors.js';
import type { GreyImage } from './grey-image.js';

export interface AscGrid extends GreyImage {
  readonly spacing: number;
  /** Place of the south-west height, m */
  readonly origin: readonly [number, number];
}

export const isAsc = (bytes: Uint8Array): boolean => /^\s*ncols\s/i.test(String.fromCharCode(...bytes.subarray(0, 64)));

/** @throws FileError naming the key or the height that is wrong; holes become NaN */
export function readAsc(bytes: Uint8Array, file: string): AscGrid {
  const words = new TextDecoder().decode(bytes).split(/\s+/).filter(Boolean);
  const header = new Map<string, number>();
  let at = 0;
  while (at + 1 < words.length && /^[a-z]/i.test(words[at]) && !/^nan$/i.test(words[at])) {
    header.set(words[at].toLowerCase(), Number(words[at + 1]));
    at += 2;
  }
  const need = (key: string): number => {
    const value = header.get(key);
    if (value === undefined || !Number.isFinite(value))
      throw new FileError(file, key, `expected a number, got ${value ?? 'no such key'}`);
    return value;
  };
  const [columns, rows, spacing] = [need('ncols'), need('nrows'), need('cellsize')];
  if (!(Number.isInteger(columns) && Number.isInteger(rows) && columns > 0 && rows > 0 && spacing > 0))
    throw new FileError(file, 'header', `expected a grid, got ${columns} × ${rows} of ${spacing} m`);
  if (words.length - at !== columns * rows)
    throw new FileError(file, 'heights', `expected ${columns} × ${rows} = ${columns * rows}, got ${words.length - at}`);
  const missing = header.get('nodata_value') ?? -9999;
  const values = new Float64Array(columns * rows);
  for (let k = 0; k < values.length; k++) {
    const value = Number(words[at + k]);
    if (Number.isNaN(value) && !/^nan$/i.test(words[at + k]))
      throw new FileError(
        file,
        `row ${Math.floor(k / columns) + 1}, column ${(k % columns) + 1}`,
        `expected a height in m, got "${words[at + k]}"`,
      );
    values[k] = value === missing ? Number.NaN : value;
  }
  const corner = (axis: string): number =>
    header.get(`${axis}llcenter`) ?? (header.get(`${axis}llcorner`) ?? 0) + spacing / 2;
  return { columns, rows, values, spacing, origin: [corner('x'), corner('y')] };
}
