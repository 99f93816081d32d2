/**
 * Signals over another signal instead of over time: the way of a point, a hysteresis, a phase portrait. Of one signal alone it is the portrait: its rate over itself. The visible stretch of
 * time is drawn, the present moment is a dot.
 */
import { element } from '../controls/element.js';
import { axisUnit, paddedRange, tickLabels } from './axes.js';
import { transformed, transformedName, transformedUnit } from './transform.js';

export interface XyLine {
  readonly name: string;
  readonly unit: string;
  readonly colour: string;
  readonly values: Float64Array;
}

const HEIGHT = 260; // px
const LEFT = 64;
const BOTTOM = 34;
const MARGIN = 10;
const MOST_POINTS = 20_000;

/** The lines over the first of them, or the rate of a single one over itself */
export function xyPairs(lines: readonly XyLine[], times: Float64Array): { x: XyLine; ys: readonly XyLine[] } {
  const [x, ...ys] = lines;
  if (ys.length > 0) return { x, ys };
  const rate = {
    ...x,
    name: transformedName(x.name, 'rate'),
    unit: transformedUnit(x.unit, 'rate'),
    values: transformed(times, x.values, 'rate'),
  };
  return { x, ys: [rate] };
}

/** Round places within a range, about so many */
export function ticks(low: number, high: number, about: number): number[] {
  const rough = (high - low) / about;
  if (!(rough > 0 && rough < Infinity)) return [];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((k) => k * power >= rough)! * power;
  const marks: number[] = [];
  for (let k = Math.ceil(low / step); k * step <= high; k++) marks.push(k * step);
  return marks;
}

export class XyChart {
  readonly root = element('canvas', { class: 'plot-xy', role: 'img' });
  #lines: readonly XyLine[] = [];
  #x: XyLine | undefined;
  #rows: readonly [number, number] = [0, 0];
  #now = 0;

  /** @param rows first and last row that are visible */
  show(lines: readonly XyLine[], times: Float64Array, rows: readonly [number, number]): void {
    this.#rows = rows;
    this.#x = undefined;
    if (lines.length === 0) return;
    const { x, ys } = xyPairs(lines, times);
    this.#x = x;
    this.#lines = ys;
    this.root.setAttribute('aria-label', `${ys.map(({ name }) => name).join(', ')} over ${x.name}`);
  }

  /** @param now row, with a part of the way to the next */
  draw(width: number, now = this.#now): void {
    this.#now = now;
    const canvas = this.root;
    const x = this.#x;
    const ratio = globalThis.devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(HEIGHT * ratio);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${HEIGHT}px`;
    const pen = canvas.getContext('2d');
    if (!pen || !x) return;
    pen.scale(ratio, ratio);
    const [lowX, highX] = this.#range([x]);
    const [lowY, highY] = this.#range(this.#lines);
    const [w, h] = [width - LEFT - MARGIN, HEIGHT - BOTTOM - MARGIN];
    const px = (value: number): number => LEFT + ((value - lowX) / (highX - lowX)) * w;
    const py = (value: number): number => MARGIN + (1 - (value - lowY) / (highY - lowY)) * h;

    // axes
    const ink = getComputedStyle(canvas).color;
    pen.font = '11px system-ui, sans-serif';
    pen.fillStyle = pen.strokeStyle = ink;
    pen.lineWidth = 1;
    const across = ticks(lowX, highX, Math.max(2, w / 90));
    const upwards = ticks(lowY, highY, 5);
    pen.globalAlpha = 0.13;
    pen.beginPath();
    for (const mark of across) {
      pen.moveTo(px(mark), MARGIN);
      pen.lineTo(px(mark), MARGIN + h);
    }
    for (const mark of upwards) {
      pen.moveTo(LEFT, py(mark));
      pen.lineTo(LEFT + w, py(mark));
    }
    pen.stroke();
    pen.globalAlpha = 1;
    pen.textAlign = 'center';
    tickLabels(across, x.unit, lowX, highX).forEach((label, i) => {
      pen.fillText(label ?? '', px(across[i]), MARGIN + h + 13);
    });
    pen.fillText(`${x.name} ${unitText(x.unit, lowX, highX)}`, LEFT + w / 2, MARGIN + h + 28);
    pen.textAlign = 'right';
    const [{ unit }] = this.#lines;
    tickLabels(upwards, unit, lowY, highY).forEach((label, i) => {
      pen.fillText(label ?? '', LEFT - 5, py(upwards[i]) + 4);
    });
    pen.save();
    pen.translate(12, MARGIN + h / 2);
    pen.rotate(-Math.PI / 2);
    pen.textAlign = 'center';
    const named = this.#lines.length === 1 ? this.#lines[0].name : '';
    pen.fillText(`${named} ${unitText(unit, lowY, highY)}`, 0, 0);
    pen.restore();

    // ways, and the present moment
    const [first, last] = this.#rows;
    const stride = Math.max(1, Math.ceil((last - first) / MOST_POINTS));
    for (const { values, colour } of this.#lines) {
      pen.strokeStyle = pen.fillStyle = colour;
      pen.lineWidth = 1.5;
      pen.beginPath();
      for (let row = first; row <= last; row += stride)
        if (Number.isFinite(values[row]) && Number.isFinite(x.values[row]))
          pen.lineTo(px(x.values[row]), py(values[row]));
      pen.stroke();
      const at = (of: Float64Array): number => {
        const row = Math.min(of.length - 1, Math.floor(now));
        const part = now - row;
        return part > 0 && row + 1 < of.length ? of[row] + part * (of[row + 1] - of[row]) : of[row];
      };
      pen.beginPath();
      pen.arc(px(at(x.values)), py(at(values)), 4.5, 0, 2 * Math.PI);
      pen.fill();
    }
  }

  #range(lines: readonly XyLine[]): readonly [number, number] {
    let [low, high] = [Infinity, -Infinity];
    const [first, last] = this.#rows;
    for (const { values } of lines)
      for (let row = first; row <= last; row++) {
        low = Math.min(low, Number.isNaN(values[row]) ? Infinity : values[row]);
        high = Math.max(high, Number.isNaN(values[row]) ? -Infinity : values[row]);
      }
    return paddedRange(low, high);
  }
}

const unitText = (unit: string, low: number, high: number): string => {
  const text = axisUnit(unit, low, high);
  return text ? `(${text})` : '';
};
