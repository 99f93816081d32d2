/** Points of runs: one column over another, and all over all. */
import type { Chart, Sheet } from './canvas.js';
import { figure } from './canvas.js';
import { dot, drawFrame, frameIn, ring } from './frame.js';
import { type Axis, placeOn, type Rows } from './rows.js';

const NEAR = 9; // px

function nearest(rows: Rows, at: (row: number) => readonly [number, number], px: number, py: number): number {
  let [best, least] = [-1, NEAR];
  for (let row = 0; row < rows.count; row++) {
    if (!rows.kept[row]) continue;
    const [x, y] = at(row);
    const away = Math.hypot(x - px, y - py);
    if (away < least) [best, least] = [row, away];
  }
  return best;
}

/** Two columns, chosen by the reader; rows of the Pareto set are joined where the columns are the objectives */
export function scatter(rows: Rows, axes: () => readonly [Axis, Axis]): Chart {
  const { pareto, goals } = rows.report;
  const frame = (width: number, height: number) => frameIn([78, 12, width - 14, height - 44]);
  const at = (row: number, width: number, height: number): [number, number] => {
    const [across, up] = axes();
    const box = frame(width, height);
    return [box.x(placeOn(across, across.values[row])), box.y(placeOn(up, up.values[row]))];
  };
  const radius = rows.count > 2000 ? 2 : rows.count > 300 ? 3 : 4;
  return {
    label: 'One column of the table over another, a point for each run',
    height: () => 360,
    draw(sheet) {
      const { context, width, height, look } = sheet;
      const [across, up] = axes();
      drawFrame(sheet, frame(width, height), across, up);
      const front = new Set(pareto);
      const joined = goals.some(({ name }) => name === across.name) && goals.some(({ name }) => name === up.name);
      for (const kept of [0, 1])
        for (let row = 0; row < rows.count; row++) {
          if (rows.kept[row] !== kept) continue;
          const [x, y] = at(row, width, height);
          if (!Number.isFinite(x + y)) continue;
          context.globalAlpha = joined && !front.has(row) ? 0.35 : 0.9;
          context.fillStyle = kept ? look.shade(rows.shade(row)) : look.line;
          dot(context, x, y, radius);
        }
      context.globalAlpha = 1;
      if (joined && pareto.length > 1) {
        context.strokeStyle = look.warning;
        context.lineWidth = 1.5;
        context.beginPath();
        [...pareto]
          .sort((a, b) => across.values[a] - across.values[b])
          .forEach((row, i) => {
            const point = at(row, width, height);
            if (i === 0) context.moveTo(...point);
            else context.lineTo(...point);
          });
        context.stroke();
      }
    },
    mark(sheet, row, chosen) {
      const [x, y] = at(row, sheet.width, sheet.height);
      if (Number.isFinite(x + y)) ring(sheet, x, y, chosen);
    },
    pick: (px, py, width, height) => nearest(rows, (row) => at(row, width, height), px, py),
  };
}

/** Columns that a matrix shows at most; more would be too small to read */
export const MOST_IN_MATRIX = 7;

export function scatterMatrix(rows: Rows): Chart {
  const shown = chosenForMatrix(rows.axes);
  const n = shown.length;
  const EDGE = 8;
  const cell = (width: number): number => (width - 2 * EDGE) / n;
  const box = (i: number, j: number, width: number) => {
    const size = cell(width);
    return frameIn(
      [EDGE + j * size + 3, EDGE + i * size + 3, EDGE + (j + 1) * size - 3, EDGE + (i + 1) * size - 3],
      0.06,
    );
  };
  const at = (row: number, i: number, j: number, width: number): [number, number] => {
    const one = box(i, j, width);
    return [one.x(placeOn(shown[j], shown[j].values[row])), one.y(placeOn(shown[i], shown[i].values[row]))];
  };
  const cells = function* (): Generator<[number, number]> {
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) if (i !== j) yield [i, j];
  };
  return {
    label: `Scatter matrix of ${shown.map(({ name }) => name).join(', ')}`,
    height: (width) => Math.min(width, 150 * n) + 4,
    draw(sheet) {
      const { context, look } = sheet;
      const width = Math.min(sheet.width, 150 * n);
      context.lineWidth = 1;
      for (let i = 0; i < n; i++)
        for (let j = 0; j < n; j++) {
          const { left, top, right, bottom } = box(i, j, width);
          context.strokeStyle = look.line;
          context.strokeRect(left, top, right - left, bottom - top);
          if (i === j) {
            const axis = shown[i];
            context.textAlign = 'center';
            context.fillStyle = look.ink;
            context.font = axis.role === 'output' ? '600 12px system-ui, sans-serif' : '12px system-ui, sans-serif';
            context.fillText(axis.name.slice(0, 20), (left + right) / 2, (top + bottom) / 2 - 8, right - left - 6);
            context.font = '11px system-ui, sans-serif';
            context.fillStyle = look.quiet;
            const ends =
              axis.words.length > 0 ? axis.words.join(' ') : `${figure(axis.low, 3)} … ${figure(axis.high, 3)}`;
            context.fillText(`${ends} ${axis.unit}`, (left + right) / 2, (top + bottom) / 2 + 9, right - left - 6);
          }
        }
      const radius = rows.count > 1000 ? 1 : rows.count > 200 ? 1.7 : 2.4;
      for (const [i, j] of cells())
        for (const kept of [0, 1])
          for (let row = 0; row < rows.count; row++) {
            if (rows.kept[row] !== kept) continue;
            const [x, y] = at(row, i, j, width);
            if (!Number.isFinite(x + y)) continue;
            context.fillStyle = kept ? look.shade(rows.shade(row)) : look.line;
            dot(context, x, y, radius);
          }
    },
    mark(sheet: Sheet, row, chosen) {
      const width = Math.min(sheet.width, 150 * n);
      for (const [i, j] of cells()) {
        const [x, y] = at(row, i, j, width);
        if (Number.isFinite(x + y)) ring(sheet, x, y, chosen);
      }
    },
    pick(px, py, full) {
      const width = Math.min(full, 150 * n);
      const size = cell(width);
      const [i, j] = [Math.floor((py - EDGE) / size), Math.floor((px - EDGE) / size)];
      if (i < 0 || j < 0 || i >= n || j >= n || i === j) return -1;
      return nearest(rows, (row) => at(row, i, j, width), px, py);
    },
  };
}

/** Outputs first to stay, then parameters, in the order of the table */
function chosenForMatrix(axes: readonly Axis[]): readonly Axis[] {
  const outputs = axes.filter(({ role }) => role === 'output').slice(0, 4);
  const parameters = axes.filter(({ role }) => role === 'parameter').slice(0, MOST_IN_MATRIX - outputs.length);
  return [...parameters, ...outputs];
}
