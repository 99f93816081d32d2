/** A chart on two sheets: one with all runs, drawn when they change, and a clear one above it for the run that is pointed at. */
import { cssColour, scaleColour } from '../../results/scene/colour-scale.js';
import { element } from '../controls/element.js';
import type { Rows } from './rows.js';

export interface Sheet {
  readonly context: CanvasRenderingContext2D;
  readonly width: number;
  readonly height: number;
  readonly look: Look;
}

export interface Look {
  readonly ink: string;
  readonly quiet: string;
  readonly line: string;
  readonly paper: string;
  readonly accent: string;
  readonly warning: string;
  /** 0 … 1 as a colour that shows on the paper */
  shade(place: number | undefined): string;
}

export interface Chart {
  readonly label: string;
  height(width: number): number;
  draw(sheet: Sheet): void;
  /** Marks one row; called for the row pointed at and for the chosen one */
  mark?(sheet: Sheet, row: number, chosen: boolean): void;
  /** Row near a place, −1 where there is none */
  pick?(x: number, y: number, width: number, height: number): number;
  /** A drag that is no click; true where the chart takes it */
  drag?(from: readonly [number, number], to: readonly [number, number], width: number, height: number): boolean;
}

const dark = matchMedia('(prefers-color-scheme: dark)');

function look(host: HTMLElement): Look {
  const style = getComputedStyle(host);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  // the scale's light end is lost on white paper, its dark end on black
  const [from, to] = dark.matches ? [0.3, 1] : [0, 0.8];
  const shades = Array.from({ length: 65 }, (_, i) => cssColour(scaleColour(from + ((to - from) * i) / 64)));
  return {
    ink: colour('--ink'),
    quiet: colour('--quiet'),
    line: colour('--line'),
    paper: colour('--paper'),
    accent: colour('--accent'),
    warning: colour('--warning'),
    shade: (place) =>
      place === undefined ? colour('--quiet') : shades[Math.round(64 * Math.min(1, Math.max(0, place)))],
  };
}

/** Puts a chart into the page; drawn anew when its width, the rows or the theme change */
export function show(chart: Chart, rows: Rows): { readonly host: HTMLElement; redraw(): void } {
  const all = element('canvas', { role: 'img', 'aria-label': chart.label });
  const one = element('canvas', { 'aria-hidden': 'true' });
  const host = element('div', { class: 'chart' }, all, one);
  let [width, height] = [0, 0];
  const sheet = (canvas: HTMLCanvasElement): Sheet => {
    const context = canvas.getContext('2d')!;
    const ratio = devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = '12px system-ui, sans-serif';
    context.textBaseline = 'middle';
    return { context, width, height, look: look(host) };
  };
  const light = (): void => {
    if (width === 0) return;
    const above = sheet(one);
    if (!chart.mark) return;
    if (rows.chosen >= 0) chart.mark(above, rows.chosen, true);
    if (rows.hovered >= 0 && rows.hovered !== rows.chosen) chart.mark(above, rows.hovered, false);
  };
  const redraw = (): void => {
    width = host.clientWidth;
    if (width === 0) return;
    height = chart.height(width);
    host.style.height = `${height}px`;
    chart.draw(sheet(all));
    light();
  };
  rows.listen(redraw, light);
  dark.addEventListener('change', redraw);
  new ResizeObserver(() => host.clientWidth !== width && redraw()).observe(host);

  const at = (event: PointerEvent): [number, number] => {
    const box = host.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  let down: [number, number] | undefined;
  host.addEventListener('pointerdown', (event) => {
    down = at(event);
  });
  host.addEventListener('pointermove', (event) => {
    const row = chart.pick?.(...at(event), width, height) ?? -1;
    host.classList.toggle('points', row >= 0);
    rows.hover(row);
  });
  host.addEventListener('pointerleave', () => rows.hover(-1));
  host.addEventListener('pointerup', (event) => {
    const [from, to] = [down, at(event)];
    down = undefined;
    if (!from) return;
    if (Math.hypot(to[0] - from[0], to[1] - from[1]) > 4 && chart.drag?.(from, to, width, height)) return;
    if (chart.drag?.(to, to, width, height)) return;
    const row = chart.pick?.(...to, width, height) ?? -1;
    if (row >= 0) rows.choose(row);
  });
  return { host, redraw };
}

/** Short, for axes and cards */
export function figure(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return String(value);
  const text = String(Number(value.toPrecision(digits)));
  return (
    text.length <= digits + 5
      ? text
      : value
          .toExponential(digits - 1)
          .replace(/\.?0+e/, 'e')
          .replace('e+', 'e')
  ).replace('-', '−');
}

export const titled = ({ name, unit }: { readonly name: string; readonly unit: string }): string =>
  unit ? `${name}, ${unit}` : name;
