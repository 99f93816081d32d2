/** An output as a map over two parameters: local planes through the runs, lines of equal value, the runs themselves on it. */
import { localPlane } from '../../studies/report/response-surface.js';
import type { Chart } from './canvas.js';
import { figure, titled } from './canvas.js';
import { dot, drawFrame, frameIn, ring } from './frame.js';
import { type Axis, placeOn, type Rows } from './rows.js';

const CELLS = 48;
const BANDS = 12;
const LEGEND = 74;

export interface Surface {
  readonly chart: Chart;
  /** How far runs lie beside the map, in words */
  remark(): string;
}

export function responseSurface(rows: Rows, axes: () => readonly [Axis, Axis, Axis]): Surface {
  const frame = (width: number, height: number) => frameIn([78, 12, width - 14 - LEGEND, height - 44], 0);
  const at = (row: number, width: number, height: number): [number, number] => {
    const [across, up] = axes();
    const box = frame(width, height);
    return [box.x(placeOn(across, across.values[row])), box.y(placeOn(up, up.values[row]))];
  };
  const points = () => {
    const [across, up, output] = axes();
    const used = Array.from({ length: rows.count }, (_, i) => i).filter((i) =>
      Number.isFinite(across.values[i] + up.values[i] + output.values[i]),
    );
    return {
      u: used.map((i) => placeOn(across, across.values[i])),
      v: used.map((i) => placeOn(up, up.values[i])),
      value: used.map((i) => output.values[i]),
    };
  };
  return {
    remark() {
      const all = points();
      if (all.value.length < 4) return 'too few runs for a map';
      const surface = localPlane(all);
      const mean = all.value.reduce((sum, v) => sum + v, 0) / all.value.length;
      let [left, total] = [0, 0];
      const stride = Math.max(1, Math.floor(all.value.length / 500));
      for (let i = 0; i < all.value.length; i += stride) {
        left += (all.value[i] - surface(all.u[i], all.v[i])) ** 2;
        total += (all.value[i] - mean) ** 2;
      }
      const share = total > 0 ? (100 * (total - left)) / total : 100;
      return `The map holds ${figure(Math.max(0, share), 3)} % of the variance of the runs; the rest is what it smooths over and what other parameters do.`;
    },
    chart: {
      label: 'An output as a map over two parameters',
      height: () => 400,
      draw(sheet) {
        const { context, width, height, look } = sheet;
        const [across, up, output] = axes();
        const box = frame(width, height);
        const all = points();
        drawFrame(sheet, box, across, up);
        if (all.value.length < 4) return;
        const surface = localPlane(all);
        const shade = (value: number): number => Math.min(1, Math.max(0, placeOn(output, value)));
        const [w, h] = [(box.right - box.left) / CELLS, (box.bottom - box.top) / CELLS];
        for (let i = 0; i < CELLS; i++)
          for (let j = 0; j < CELLS; j++) {
            // bands, so that lines of equal value show
            const band =
              (Math.floor(BANDS * shade(surface((i + 0.5) / CELLS, (j + 0.5) / CELLS)) * 0.9999) + 0.5) / BANDS;
            context.fillStyle = look.shade(band);
            context.fillRect(box.left + i * w, box.bottom - (j + 1) * h, w + 0.5, h + 0.5);
          }
        context.textAlign = 'left';
        for (let k = 0; k < BANDS; k++) {
          const top = box.bottom - ((k + 1) * (box.bottom - box.top)) / BANDS;
          context.fillStyle = look.shade((k + 0.5) / BANDS);
          context.fillRect(box.right + 14, top, 14, (box.bottom - box.top) / BANDS + 0.5);
        }
        context.fillStyle = look.quiet;
        for (let k = 0; k <= BANDS; k += 3) {
          const value = output.log
            ? output.low * (output.high / output.low) ** (k / BANDS)
            : output.low + (k / BANDS) * (output.high - output.low);
          context.fillText(figure(value, 3), box.right + 32, box.bottom - (k * (box.bottom - box.top)) / BANDS);
        }
        context.fillStyle = look.ink;
        context.textAlign = 'right';
        context.fillText(titled(output), width - 4, box.bottom + 30);
        if (rows.count <= 2000)
          for (let row = 0; row < rows.count; row++) {
            if (!rows.kept[row]) continue;
            const [x, y] = at(row, width, height);
            if (!Number.isFinite(x + y)) continue;
            context.fillStyle = look.paper;
            dot(context, x, y, 3);
            context.fillStyle = Number.isFinite(output.values[row])
              ? look.shade(shade(output.values[row]))
              : look.warning;
            dot(context, x, y, 2.2);
          }
      },
      mark(sheet, row, chosen) {
        const [x, y] = at(row, sheet.width, sheet.height);
        if (Number.isFinite(x + y)) ring(sheet, x, y, chosen);
      },
      pick(px, py, width, height) {
        let [best, least] = [-1, 9];
        for (let row = 0; row < rows.count; row++) {
          const [x, y] = at(row, width, height);
          const away = Math.hypot(x - px, y - py);
          if (away < least && rows.kept[row]) [best, least] = [row, away];
        }
        return best;
      },
    },
  };
}
