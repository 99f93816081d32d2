/** All plots as one PNG: titles, lines with their names, axes. */
import type { Plot } from './plot.js';

const ROW = 16; // px, a line of text

export function plotsPicture(plots: readonly Plot[], place: HTMLElement): Promise<Blob> {
  const drawn = plots.filter(({ canvas }) => canvas);
  const ratio = globalThis.devicePixelRatio || 1;
  const width = Math.max(200 * ratio, ...drawn.map(({ canvas }) => canvas!.width));
  const textRows = (plot: Plot): number => plot.lines.length + (plot.title ? 1 : 0);
  const height = drawn.reduce(
    (sum, plot) => sum + plot.canvas!.height + (textRows(plot) * ROW + 12) * ratio,
    8 * ratio,
  );
  const picture = document.createElement('canvas');
  picture.width = width;
  picture.height = height;
  const pen = picture.getContext('2d')!;
  const ink = getComputedStyle(place).color;
  pen.fillStyle = background(place);
  pen.fillRect(0, 0, width, height);
  let y = 8 * ratio;
  for (const plot of drawn) {
    pen.textBaseline = 'top';
    if (plot.title) {
      pen.fillStyle = ink;
      pen.font = `600 ${13 * ratio}px system-ui, sans-serif`;
      pen.fillText(plot.title, 8 * ratio, y);
      y += ROW * ratio;
    }
    pen.font = `${12 * ratio}px system-ui, sans-serif`;
    for (const { name, unit, colour } of plot.lines) {
      pen.fillStyle = colour;
      pen.fillRect(8 * ratio, y + 5 * ratio, 14 * ratio, 3 * ratio);
      pen.fillStyle = ink;
      pen.fillText(unit ? `${name}, ${unit}` : name, 28 * ratio, y);
      y += ROW * ratio;
    }
    pen.drawImage(plot.canvas!, 0, y);
    y += plot.canvas!.height + 12 * ratio;
  }
  return new Promise((resolve, reject) =>
    picture.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The browser made no picture of the plots.'))),
      'image/png',
    ),
  );
}

/** The first colour behind an element that is not transparent. */
function background(place: HTMLElement): string {
  for (let at: HTMLElement | null = place; at; at = at.parentElement) {
    const { backgroundColor } = getComputedStyle(at);
    if (!/^(transparent|rgba\(0, 0, 0, 0\))$/.test(backgroundColor)) return backgroundColor;
  }
  return '#ffffff';
}
