/** Parallel coordinates: an upright axis for each parameter and output, a line for each run. A drag along an axis keeps what passes there; a click on it lets all through again. */
import type { Chart, Sheet } from './canvas.js';
import { figure } from './canvas.js';
import { stroke } from './frame.js';
import { placeOn, type Rows, valueAt } from './rows.js';

const TOP = 34;
const BOTTOM = 22;
const SIDE = 58;

export function parallelCoordinates(rows: Rows): Chart {
  const { axes } = rows;
  const x = (k: number, width: number): number => SIDE + (k * (width - 2 * SIDE)) / Math.max(1, axes.length - 1);
  const y = (place: number, height: number): number => height - BOTTOM - place * (height - TOP - BOTTOM);
  const trace = ({ context, width, height }: Sheet, row: number): void => {
    context.beginPath();
    let pen = false;
    axes.forEach((axis, k) => {
      const value = axis.values[row];
      if (!Number.isFinite(value)) {
        pen = false;
        return;
      }
      const at = [x(k, width), y(placeOn(axis, value), height)] as const;
      if (pen) context.lineTo(...at);
      else context.moveTo(...at);
      pen = true;
    });
    context.stroke();
  };
  const axisAt = (px: number, width: number): number => {
    const k = Math.round(((px - SIDE) * Math.max(1, axes.length - 1)) / (width - 2 * SIDE));
    return k >= 0 && k < axes.length && Math.abs(px - x(k, width)) < 16 ? k : -1;
  };
  return {
    label: `Parallel coordinates of ${rows.count} runs over ${axes.map(({ name }) => name).join(', ')}`,
    height: () => 340,
    draw(sheet) {
      const { context, width, height, look } = sheet;
      context.lineWidth = 1;
      // many lines: each lets the others through
      context.globalAlpha = Math.max(0.06, Math.min(0.75, 60 / rows.count));
      for (const kept of [0, 1]) {
        for (let row = 0; row < rows.count; row++) {
          if (rows.kept[row] !== kept) continue;
          context.strokeStyle = kept ? look.shade(rows.shade(row)) : look.line;
          trace(sheet, row);
        }
      }
      context.globalAlpha = 1;
      axes.forEach((axis, k) => {
        const px = x(k, width);
        context.strokeStyle = look.quiet;
        context.lineWidth = 1;
        stroke(context, [px, y(0, height)], [px, y(1, height)]);
        const brush = rows.brushOf(axis);
        if (brush) {
          context.fillStyle = look.accent;
          context.globalAlpha = 0.35;
          context.fillRect(px - 6, y(brush[1], height), 12, y(brush[0], height) - y(brush[1], height));
          context.globalAlpha = 1;
        }
        context.fillStyle = look.ink;
        context.textAlign = k === 0 ? 'left' : k === axes.length - 1 ? 'right' : 'center';
        const edge = k === 0 ? 2 : k === axes.length - 1 ? width - 2 : px;
        context.font = axis.role === 'output' ? '600 12px system-ui, sans-serif' : '12px system-ui, sans-serif';
        context.fillText(axis.unit ? `${axis.name} [${axis.unit}]` : axis.name, edge, 8);
        context.font = '11px system-ui, sans-serif';
        context.fillStyle = look.quiet;
        context.fillText(axis.words.at(-1) ?? figure(axis.high), edge, 23);
        context.fillText(axis.words[0] ?? figure(axis.low), edge, height - 9);
      });
    },
    mark(sheet, row, chosen) {
      sheet.context.lineWidth = 5;
      sheet.context.strokeStyle = sheet.look.paper;
      trace(sheet, row);
      sheet.context.lineWidth = 2.5;
      sheet.context.strokeStyle = chosen ? sheet.look.warning : sheet.look.ink;
      trace(sheet, row);
    },
    pick(px, py, width, height) {
      const gap = (width - 2 * SIDE) / Math.max(1, axes.length - 1);
      const k = Math.min(axes.length - 2, Math.max(0, Math.floor((px - SIDE) / gap)));
      if (axes.length < 2 || axisAt(px, width) >= 0) return -1;
      const part = (px - x(k, width)) / gap;
      let [best, least] = [-1, 8];
      for (let row = 0; row < rows.count; row++) {
        if (!rows.kept[row]) continue;
        const a = placeOn(axes[k], axes[k].values[row]);
        const b = placeOn(axes[k + 1], axes[k + 1].values[row]);
        const away = Math.abs(y(a + part * (b - a), height) - py);
        if (away < least) [best, least] = [row, away];
      }
      return best;
    },
    drag(from, to, width, height) {
      const k = axisAt(from[0], width);
      if (k < 0) return false;
      const place = (py: number): number => Math.min(1, Math.max(0, (height - BOTTOM - py) / (height - TOP - BOTTOM)));
      const ends = [place(from[1]), place(to[1])].sort((a, b) => a - b) as [number, number];
      rows.brush(axes[k], ends[1] - ends[0] < 0.01 ? undefined : ends);
      return true;
    },
  };
}

/** What a brush keeps, in words */
export const brushText = (rows: Rows): string =>
  rows.axes
    .flatMap((axis) => {
      const brush = rows.brushOf(axis);
      return brush ? [`${axis.name} ${figure(valueAt(axis, brush[0]))} … ${figure(valueAt(axis, brush[1]))}`] : [];
    })
    .join(', ');
