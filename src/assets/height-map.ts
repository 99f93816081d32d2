/** Heights on a regular grid, looked up between its points: straight (bilinear) or smooth (bicubic, Catmull–Rom). Beyond the edge the nearest holds. */
import { ModelError } from '../errors.js';

export interface HeightMap {
  /** Columns and rows */
  readonly columns: number;
  readonly rows: number;
  /** m, row by row; the first row has the smallest y */
  readonly heights: ArrayLike<number>;
  /** Distance of columns and of rows, m */
  readonly spacing: number;
  /** Place of the first height; unless said the map is centred on the origin */
  readonly origin?: readonly [number, number];
  readonly interpolation?: 'bilinear' | 'bicubic';
}

/** @throws ModelError on sizes that do not agree, and on holes, with the place of the first and their number */
export function heightMapField(map: HeightMap, path: string): (x: number, y: number, out: Float64Array) => void {
  // from a file, or written by hand: anything may be missing
  if (typeof (map as HeightMap | undefined)?.heights?.length !== 'number')
    throw new ModelError(path, 'expected { columns, rows, heights, spacing }');
  const { columns, rows, heights, spacing, interpolation = 'bilinear' } = map;
  if (!(Number.isInteger(columns) && Number.isInteger(rows) && columns >= 2 && rows >= 2))
    throw new ModelError(path, `expected at least 2 × 2 heights, got ${columns} × ${rows}`);
  if (heights.length !== columns * rows)
    throw new ModelError(
      `${path}.heights`,
      `expected ${columns} × ${rows} = ${columns * rows} heights, got ${heights.length}`,
    );
  if (!(spacing > 0 && spacing < Infinity))
    throw new ModelError(`${path}.spacing`, `expected a length > 0 m, got ${spacing}`);
  refuseHoles(map, path);
  const [ox, oy] = map.origin ?? [-0.5 * (columns - 1) * spacing, -0.5 * (rows - 1) * spacing];
  const grid = Float64Array.from(heights);
  const at = (i: number, j: number): number =>
    grid[Math.min(rows - 1, Math.max(0, j)) * columns + Math.min(columns - 1, Math.max(0, i))];
  return (x, y, out) => {
    const u = (x - ox) / spacing;
    const v = (y - oy) / spacing;
    const [insideX, insideY] = [u > 0 && u < columns - 1, v > 0 && v < rows - 1];
    const cu = Math.min(columns - 1, Math.max(0, u));
    const cv = Math.min(rows - 1, Math.max(0, v));
    const i = Math.min(columns - 2, Math.floor(cu));
    const j = Math.min(rows - 2, Math.floor(cv));
    const [s, t] = [cu - i, cv - j];
    if (interpolation === 'bilinear') {
      const [a, b, c, d] = [at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)];
      out[0] = (1 - t) * ((1 - s) * a + s * b) + t * ((1 - s) * c + s * d);
      out[1] = insideX ? ((1 - t) * (b - a) + t * (d - c)) / spacing : 0;
      out[2] = insideY ? ((1 - s) * (c - a) + s * (d - b)) / spacing : 0;
      return;
    }
    let [h, hx, hy] = [0, 0, 0];
    for (let n = -1; n <= 2; n++) {
      let [row, slope] = [0, 0];
      for (let m = -1; m <= 2; m++) {
        const value = at(i + m, j + n);
        row += weight(m, s) * value;
        slope += weightSlope(m, s) * value;
      }
      h += weight(n, t) * row;
      hx += weight(n, t) * slope;
      hy += weightSlope(n, t) * row;
    }
    out[0] = h;
    out[1] = insideX ? hx / spacing : 0;
    out[2] = insideY ? hy / spacing : 0;
  };
}

/** Weight of the point m = −1 … 2 at s from point 0 to point 1 */
function weight(m: number, s: number): number {
  if (m === -1) return 0.5 * s * (s * (2 - s) - 1);
  if (m === 0) return 1 + 0.5 * s * s * (3 * s - 5);
  if (m === 1) return 0.5 * s * (1 + s * (4 - 3 * s));
  return 0.5 * s * s * (s - 1);
}
function weightSlope(m: number, s: number): number {
  if (m === -1) return 0.5 * (s * (4 - 3 * s) - 1);
  if (m === 0) return s * (4.5 * s - 5);
  if (m === 1) return 0.5 + s * (4 - 4.5 * s);
  return s * (1.5 * s - 1);
}

function refuseHoles({ columns, heights }: HeightMap, path: string): void {
  let holes = 0;
  let first = -1;
  for (let k = 0; k < heights.length; k++)
    if (!Number.isFinite(heights[k])) {
      if (first < 0) first = k;
      holes++;
    }
  if (holes > 0)
    throw new ModelError(
      `${path}.heights`,
      `${holes} of ${heights.length} heights are holes, the first in column ${first % columns} of row ${Math.floor(first / columns)}; expected a height in m everywhere: fill them before, or cut the map`,
    );
}
