/** Height maps from files: grey PNG, TIFF (GeoTIFF too) and ESRI ASCII grids. */
import { FileError, ModelError } from '../../errors.js';
import type { HeightMap } from '../height-map.js';
import { isAsc, readAsc } from './asc-read.js';
import type { GreyImage } from './grey-image.js';
import { isPng, readPng } from './png-read.js';
import { isTiff, readTiff } from './tiff-read.js';

export interface HeightMapReading {
  /** For messages */
  readonly fileName?: string;
  /** Distance of pixels, m; needed where the file does not say it */
  readonly spacing?: number;
  /** Heights of black and of white, m; needed for pictures of 8 and 16 bits */
  readonly lowest?: number;
  readonly highest?: number;
  readonly interpolation?: 'bilinear' | 'bicubic';
  /** Where the middle of the map lies; the origin unless said */
  readonly centre?: readonly [number, number];
}

/**
 * @throws FileError if the file is none of the three or damaged, ModelError if spacing or range are missing
 * @example const map = readHeightMap(bytes, { fileName: 'crater.png', spacing: 0.1, lowest: 0, highest: 2 });
 */
export function readHeightMap(bytes: Uint8Array, options: HeightMapReading = {}): HeightMap {
  const { fileName = 'height map', lowest, highest, interpolation, centre = [0, 0] } = options;
  let image: GreyImage;
  if (isPng(bytes)) image = readPng(bytes, fileName);
  else if (isTiff(bytes)) image = readTiff(bytes, fileName);
  else if (isAsc(bytes)) image = readAsc(bytes, fileName);
  else throw new FileError(fileName, '', 'expected a grey PNG, a TIFF or an ESRI ASCII grid (.asc)');
  const { columns, rows, values, full } = image;
  const spacing = options.spacing ?? image.spacing;
  if (spacing === undefined || !(spacing > 0))
    throw new ModelError(
      `${fileName}: spacing`,
      `the file does not say how far apart its pixels are; expected a length > 0 m, got ${spacing}`,
    );
  if (full !== undefined && !(lowest !== undefined && highest !== undefined && highest > lowest))
    throw new ModelError(
      `${fileName}: lowest, highest`,
      `the file has brightness from 0 to ${full}; expected the heights of black and white in m, got ${lowest} and ${highest}`,
    );
  const heights = new Float64Array(values.length);
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++) {
      const value = values[(rows - 1 - j) * columns + i]; // north is up, y grows northwards
      heights[j * columns + i] = full === undefined ? value : lowest! + ((highest! - lowest!) * value) / full;
    }
  return {
    columns,
    rows,
    heights,
    spacing,
    origin: [centre[0] - 0.5 * (columns - 1) * spacing, centre[1] - 0.5 * (rows - 1) * spacing],
    ...(interpolation && { interpolation }),
  };
}
