/**
 * Width b of a contact in Bekker's kc/b, from the cells of a grid that it covers: of the largest connected patch, by its convex hull of cell corners
 *
 *   'minWidth'  the narrowest strip that holds it: the smaller side of a rectangle, as Bekker has it
 *   'patch'     2 area/perimeter: the radius of a disc, half the side of a square
 */
export function contactWidth(
  columns: number,
  rows: number,
  spacing: number,
  mode: 'minWidth' | 'patch',
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
  const hull = hullOfCells(best, columns);
  if (mode === 'patch') {
    let perimeter = 0;
    for (let i = 0; i < hull.length; i++) {
      const [p, q] = [hull[i], hull[(i + 1) % hull.length]];
      perimeter += Math.sqrt((q[0] - p[0]) * (q[0] - p[0]) + (q[1] - p[1]) * (q[1] - p[1]));
    }
    return (2 * best.length * spacing) / perimeter;
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

/** Convex hull of the corners of cells, counter-clockwise, in cells: only the ends of each row can be on it (Andrew's chain). */
function hullOfCells(cells: readonly number[], columns: number): [number, number][] {
  const ends = new Map<number, [number, number]>();
  for (const cell of cells) {
    const [x, y] = [cell % columns, Math.floor(cell / columns)];
    const row = ends.get(y);
    if (!row) ends.set(y, [x, x]);
    else {
      row[0] = Math.min(row[0], x);
      row[1] = Math.max(row[1], x);
    }
  }
  const corners: [number, number][] = [];
  for (const [y, [low, high]] of ends) corners.push([low, y], [low, y + 1], [high + 1, y], [high + 1, y + 1]);
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
