/**
 * Width b of a contact in Bekker's kc/b, from the cells of a grid that it covers: of the largest connected patch, by its convex hull of cell corners. A cell that is covered in part has the corners of
 * the rectangle around the middle of that part that ends at the nearer borders of the cell: the part itself where the outline goes along the grid.
 *
 *   'minWidth'  the narrowest strip that holds it: the smaller side of a rectangle, as Bekker has it
 *   'patch'     2 area/perimeter: the radius of a disc, half the side of a square
 */
import type { Coverage } from './coverage.js';

export function contactWidth(
  columns: number,
  rows: number,
  spacing: number,
  mode: 'minWidth' | 'patch',
  coverage: Coverage,
  covered: (a: number, b: number) => boolean,
): number {
  const label = new Int32Array(columns * rows).fill(-1);
  let best: number[] = [];
  for (let b = 0; b < rows; b++)
    for (let a = 0; a < columns; a++) {
      if (label[b * columns + a] >= 0 || !covered(a, b)) continue;
      const patch = flood(a, b, columns, rows, label, covered);
      if (patch.length > best.length) best = patch;
    }
  if (best.length === 0) return spacing;
  const hull = hullOfCells(best, columns, spacing, coverage);
  if (mode === 'patch') {
    let perimeter = 0;
    for (let i = 0; i < hull.length; i++) {
      const [p, q] = [hull[i], hull[(i + 1) % hull.length]];
      perimeter += Math.sqrt((q[0] - p[0]) * (q[0] - p[0]) + (q[1] - p[1]) * (q[1] - p[1]));
    }
    let area = 0;
    for (const cell of best) area += coverage.cover[cell];
    return (2 * area * spacing) / perimeter;
  }
  let narrowest = Infinity;
  for (let i = 0; i < hull.length; i++) {
    const [p, q] = [hull[i], hull[(i + 1) % hull.length]];
    const length = Math.sqrt((q[0] - p[0]) * (q[0] - p[0]) + (q[1] - p[1]) * (q[1] - p[1]));
    let farthest = 0;
    for (const r of hull)
      farthest = Math.max(farthest, ((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])) / length);
    narrowest = Math.min(narrowest, farthest);
  }
  return narrowest * spacing;
}

/** Cells connected over sides with (a, b) */
function flood(
  a: number,
  b: number,
  columns: number,
  rows: number,
  label: Int32Array,
  covered: (a: number, b: number) => boolean,
): number[] {
  const patch: number[] = [];
  const waiting = [b * columns + a];
  label[waiting[0]] = 0;
  while (waiting.length > 0) {
    const cell = waiting.pop()!;
    patch.push(cell);
    const [x, y] = [cell % columns, Math.floor(cell / columns)];
    for (const [c, d] of [
      [x + 1, y],
      [x - 1, y],
      [x, y + 1],
      [x, y - 1],
    ]) {
      if (c < 0 || d < 0 || c >= columns || d >= rows || label[d * columns + c] >= 0 || !covered(c, d)) continue;
      label[d * columns + c] = 0;
      waiting.push(d * columns + c);
    }
  }
  return patch;
}

/** Convex hull of the corners of cells, counter-clockwise, in cells: only the first and the last of each row and column can be on it (Andrew's chain). */
function hullOfCells(
  cells: readonly number[],
  columns: number,
  spacing: number,
  { offsetX, offsetY }: Coverage,
): [number, number][] {
  const rows = new Map<number, [number, number]>();
  const files = new Map<number, [number, number]>();
  const extend = (lines: Map<number, [number, number]>, line: number, cell: number): void => {
    const ends = lines.get(line);
    if (!ends) lines.set(line, [cell, cell]);
    else if (cell < ends[0]) ends[0] = cell;
    else if (cell > ends[1]) ends[1] = cell;
  };
  for (const cell of cells) {
    extend(rows, Math.floor(cell / columns), cell);
    extend(files, cell % columns, cell);
  }
  const outer = new Set<number>();
  for (const lines of [rows, files])
    for (const [first, last] of lines.values()) {
      outer.add(first);
      outer.add(last);
    }
  const corners: [number, number][] = [];
  for (const cell of outer) {
    const [ox, oy] = [offsetX[cell] / spacing, offsetY[cell] / spacing];
    const [x, y] = [(cell % columns) + ox, Math.floor(cell / columns) + oy];
    const [wide, deep] = [0.5 - Math.abs(ox), 0.5 - Math.abs(oy)];
    corners.push([x - wide, y - deep], [x - wide, y + deep], [x + wide, y - deep], [x + wide, y + deep]);
  }
  corners.sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  const chain = (points: readonly [number, number][]): [number, number][] => {
    const kept: [number, number][] = [];
    for (const p of points) {
      while (kept.length > 1) {
        const [o, q] = [kept[kept.length - 2], kept[kept.length - 1]];
        if ((q[0] - o[0]) * (p[1] - o[1]) - (q[1] - o[1]) * (p[0] - o[0]) > 0) break;
        kept.pop();
      }
      kept.push(p);
    }
    kept.pop();
    return kept;
  };
  return [...chain(corners), ...chain([...corners].reverse())];
}
