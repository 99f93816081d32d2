/**
 * What the colours of a still picture mean: under it, for each quantity, a bar of the scale with its ends and unit, the largest value in the
 * picture (the scale of a film goes on beyond it), and how often the deformation is drawn.
 */
import { decimal, quantity as inWords, scaledUnit } from '../math/quantity.js';
import { scaleColour } from '../results/scene/colour-scale.js';
import { drawText, type Pixels, textWidth } from './lettering.js';

export interface ValueScale {
  readonly quantity: string;
  /** SI */
  readonly unit: string;
  /** Values at the ends of the colours */
  readonly low: number;
  readonly high: number;
  /** Largest value that is shown */
  readonly largest: number;
  /** How often the deformation of what has these colours is drawn; nothing if it does not deform */
  readonly exaggeration?: number;
}

const INK = [32, 38, 48] as const;
/** Room for a legend, in heights of its capitals */
const ROOM = 6;

/** Height of capitals, px */
const capitals = (height: number): number => Math.max(7, Math.round(height / 62));

/** The scales by which parts are coloured, each once. */
export function scalesOf(parts: readonly { readonly scale?: ValueScale }[]): ValueScale[] {
  const known = new Map<string, ValueScale>();
  for (const { scale } of parts)
    if (scale && !known.has(`${scale.quantity} ${scale.unit}`)) known.set(`${scale.quantity} ${scale.unit}`, scale);
  return [...known.values()];
}

/** Height that legends take at the foot of a picture, px. */
export const legendHeight = (scales: readonly ValueScale[], height: number): number =>
  scales.length === 0 ? 0 : Math.round(ROOM * capitals(height));

/** Title above a bar, texts at its ends, and what is told beside it; all in one unit. */
export function legendTexts({ quantity, unit, low, high, largest, exaggeration }: ValueScale): {
  readonly title: string;
  readonly low: string;
  readonly high: string;
  readonly beside: readonly string[];
} {
  const scaled = scaledUnit(Math.max(Math.abs(low), Math.abs(high)), unit);
  const beside = [`largest ${inWords(largest, unit)}`];
  if (exaggeration !== undefined)
    beside.push(exaggeration === 1 ? 'deformation to scale' : `deformation × ${Number(exaggeration.toPrecision(4))}`);
  // beside the other end a thousandth is nothing
  const end = (value: number): string => decimal(Math.abs(value) < 1e-3 * (high - low) ? 0 : scaled.factor * value);
  return {
    title: `${quantity}${scaled.unit ? `, ${scaled.unit}` : ''}`,
    low: end(low),
    high: end(high),
    beside,
  };
}

/** Draws the legends side by side at the foot of a picture. */
export function drawLegends(still: Pixels, scales: readonly ValueScale[]): void {
  const { width, height, rgba } = still;
  const capital = capitals(height);
  const bar = Math.round(Math.min(22 * capital, (0.5 * width) / scales.length));
  let left = 2 * capital;
  for (const scale of scales) {
    const texts = legendTexts(scale);
    const foot = height - capital;
    drawText(still, texts.low, left, foot, capital, INK);
    drawText(still, texts.high, left + bar - textWidth(texts.high, capital), foot, capital, INK);
    const bottom = Math.round(foot - 1.6 * capital);
    const top = bottom - Math.round(1.1 * capital);
    for (let x = 0; x < bar; x++) {
      const colour = scaleColour(x / (bar - 1));
      for (let y = top; y < bottom; y++) {
        const i = 4 * (y * width + left + x);
        for (let k = 0; k < 3; k++) rgba[i + k] = 255 * colour[k];
        rgba[i + 3] = 255;
      }
    }
    drawText(still, texts.title, left, top - 0.7 * capital, capital, INK);
    const beside = left + bar + 2 * capital;
    for (const [i, text] of texts.beside.entries())
      drawText(still, text, beside, foot - 1.7 * capital * (texts.beside.length - 1 - i), capital, INK);
    left = Math.round(
      beside +
        Math.max(0, ...texts.beside.map((text) => textWidth(text, capital)), textWidth(texts.title, capital) - bar) +
        3 * capital,
    );
  }
}
