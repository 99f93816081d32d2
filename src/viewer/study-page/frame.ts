/** Axes of a chart with two of them: ticks, grid lines, titles, and where a point lies. */
import { ticks } from '../svg-plot.js';
import { figure, type Sheet, titled } from './canvas.js';
import { type Axis, placeOn } from './rows.js';

export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  x(place: number): number;
  y(place: number): number;
}

/** Room beyond the outermost points */
const ROOM = 0.04;

export function frameIn([left, top, right, bottom]: readonly [number, number, number, number], room = ROOM): Frame {
  return {
    left,
    right,
    top,
    bottom,
    x: (place) => left + ((place + room) / (1 + 2 * room)) * (right - left),
    y: (place) => bottom - ((place + room) / (1 + 2 * room)) * (bottom - top),
  };
}

/** Values at which an axis has marks, with what stands there */
export function marksOf(axis: Axis, count: number): { readonly value: number; readonly text: string }[] {
  if (axis.words.length > 0) return axis.words.map((text, value) => ({ value, text }));
  if (axis.log) {
    const decades: number[] = [];
    for (let k = Math.floor(Math.log10(axis.low)); k <= Math.ceil(Math.log10(axis.high)); k++)
      for (const factor of axis.high / axis.low > 300 ? [1] : [1, 2, 5]) decades.push(factor * 10 ** k);
    const inside = decades.filter((value) => value >= axis.low * 0.999 && value <= axis.high * 1.001);
    if (inside.length >= 2) return inside.map((value) => ({ value, text: figure(value) }));
  }
  return ticks(axis.low, axis.high, count).map((value) => ({ value, text: figure(value) }));
}

export function drawFrame({ context, look }: Sheet, frame: Frame, across: Axis, up: Axis): void {
  const { left, right, top, bottom } = frame;
  context.strokeStyle = look.line;
  context.fillStyle = look.quiet;
  context.lineWidth = 1;
  context.textAlign = 'center';
  for (const { value, text } of marksOf(across, Math.max(2, (right - left) / 90))) {
    const x = frame.x(placeOn(across, value));
    stroke(context, [x, top], [x, bottom]);
    context.fillText(text, x, bottom + 12);
  }
  context.textAlign = 'right';
  for (const { value, text } of marksOf(up, Math.max(2, (bottom - top) / 60))) {
    const y = frame.y(placeOn(up, value));
    stroke(context, [left, y], [right, y]);
    context.fillText(text, left - 6, y);
  }
  context.fillStyle = look.ink;
  context.textAlign = 'center';
  context.fillText(titled(across), (left + right) / 2, bottom + 30);
  context.save();
  context.translate(14, (top + bottom) / 2);
  context.rotate(-Math.PI / 2);
  context.fillText(titled(up), 0, 0);
  context.restore();
}

export function stroke(
  context: CanvasRenderingContext2D,
  [x0, y0]: readonly [number, number],
  [x1, y1]: readonly [number, number],
): void {
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}

export function dot(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

/** The run that is pointed at, or chosen: a ring that shows on any colour */
export function ring({ context, look }: Sheet, x: number, y: number, chosen: boolean): void {
  context.lineWidth = 4;
  context.strokeStyle = look.paper;
  context.beginPath();
  context.arc(x, y, 6, 0, 2 * Math.PI);
  context.stroke();
  context.lineWidth = 2;
  context.strokeStyle = chosen ? look.warning : look.ink;
  context.stroke();
}
