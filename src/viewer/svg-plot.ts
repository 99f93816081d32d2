/** Line plots as SVG, without a browser: for reports and READMEs. Colours told apart by lightness as well as hue. */
import { scaledUnit } from '../math/quantity.js';
import { escaped } from './page.js';

export interface PlotLine {
  readonly name: string;
  readonly unit: string;
  readonly times: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}

export interface PlotOptions {
  readonly title?: string;
  readonly width?: number;
  readonly height?: number;
  /** What runs along the bottom; 'time, s' unless said */
  readonly across?: string;
  /** Which axes are in decades; values ≤ 0 are left out of them */
  readonly decades?: { readonly across?: boolean; readonly up?: boolean };
}

/** Okabe & Ito (2008): safe for the common forms of colour blindness. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#7f7f7f'];
const MARGIN = { left: 74, right: 16, top: 34, bottom: 42 };
const MOST_POINTS = 1200;

/** One plot with a common time axis; all lines share the value axis, in MPa rather than in millions of Pa where they have one unit. */
export function svgPlot(
  given: readonly PlotLine[],
  { title = '', width = 720, height = 300, across = 'time, s', decades = {} }: PlotOptions = {},
): string {
  const inner = { width: width - MARGIN.left - MARGIN.right, height: height - MARGIN.top - MARGIN.bottom };
  const named = [...new Set(given.map(({ unit }) => unit).filter(Boolean))];
  const [least, most] = range(given.map(({ values }) => values));
  const scaled =
    named.length === 1 && !decades.up && given.every(({ unit }) => unit === named[0])
      ? scaledUnit(Math.max(Math.abs(least), Math.abs(most)), named[0])
      : { factor: 1, unit: named.join(', ') };
  // Drawn in powers of ten where asked for; the labels are the figures themselves.
  const lines = given.map((line) => ({
    ...line,
    times: decades.across ? powers(line.times) : line.times,
    values: decades.up
      ? powers(line.values)
      : scaled.factor === 1
        ? line.values
        : Float64Array.from(line.values, (value) => scaled.factor * value),
  }));
  const [t0, t1] = range(lines.map(({ times }) => times));
  const [low, high] = padded(range(lines.map(({ values }) => values)));
  const x = (t: number): number => MARGIN.left + ((t - t0) / (t1 - t0 || 1)) * inner.width;
  const y = (value: number): number => MARGIN.top + (1 - (value - low) / (high - low || 1)) * inner.height;
  const parts: string[] = [];
  for (const tick of decades.across ? wholePowers(t0, t1, 8) : ticks(t0, t1, 8))
    parts.push(
      `<line class="grid" x1="${f(x(tick))}" x2="${f(x(tick))}" y1="${MARGIN.top}" y2="${height - MARGIN.bottom}"/>` +
        `<text x="${f(x(tick))}" y="${height - MARGIN.bottom + 16}" text-anchor="middle">${label(decades.across ? 10 ** tick : tick)}</text>`,
    );
  for (const tick of decades.up ? wholePowers(low, high, 5) : ticks(low, high, 5))
    parts.push(
      `<line class="grid" x1="${MARGIN.left}" x2="${width - MARGIN.right}" y1="${f(y(tick))}" y2="${f(y(tick))}"/>` +
        `<text x="${MARGIN.left - 6}" y="${f(y(tick) + 4)}" text-anchor="end">${label(decades.up ? 10 ** tick : tick)}</text>`,
    );
  lines.forEach((line, i) => {
    parts.push(
      `<path d="${path(line, x, y)}" fill="none" stroke="${COLOURS[i % COLOURS.length]}" stroke-width="1.6" stroke-linejoin="round"/>`,
    );
  });
  let at = MARGIN.left;
  lines.forEach(({ name }, i) => {
    parts.push(
      `<rect x="${f(at)}" y="12" width="12" height="3" fill="${COLOURS[i % COLOURS.length]}"/><text x="${f(at + 16)}" y="17">${escaped(name)}</text>`,
    );
    at += 16 + 7 * name.length + 18;
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title || lines.map(({ name }) => name).join(', '))}">` +
    '<style>text{font:12px system-ui,sans-serif;fill:currentColor}.grid{stroke:currentColor;stroke-opacity:.15}</style>' +
    parts.join('') +
    `<text x="${MARGIN.left + inner.width / 2}" y="${height - 8}" text-anchor="middle">${escaped(across)}</text>` +
    (scaled.unit
      ? `<text transform="translate(14 ${MARGIN.top + inner.height / 2}) rotate(-90)" text-anchor="middle">${escaped(scaled.unit)}</text>`
      : '') +
    '</svg>'
  );
}

const powers = (values: ArrayLike<number>): Float64Array =>
  Float64Array.from(values, (value) => (value > 0 ? Math.log10(value) : Number.NaN));

/** Whole powers of ten within [low, high], about `count`; where fewer than two lie inside, parts of one: 1, 2, 5. */
function wholePowers(low: number, high: number, count: number): number[] {
  const first = Math.ceil(low - 1e-9);
  const last = Math.floor(high + 1e-9);
  if (last - first >= 1) {
    const step = Math.ceil((last - first + 1) / count);
    return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, k) => first + k * step);
  }
  return ticks(10 ** low, 10 ** high, count)
    .filter((value) => value > 0)
    .map(Math.log10);
}

/** At most MOST_POINTS buckets, each drawn by its extremes, so that no spike is lost. */
function path({ times, values }: PlotLine, x: (t: number) => number, y: (v: number) => number): string {
  const points: string[] = [];
  const n = times.length;
  const bucket = Math.max(1, Math.ceil(n / MOST_POINTS));
  let pen = 'M';
  for (let start = 0; start < n; start += bucket) {
    let least = start;
    let most = start;
    for (let i = start; i < Math.min(n, start + bucket); i++) {
      if (values[i] < values[least]) least = i;
      if (values[i] > values[most]) most = i;
    }
    for (const i of least === most ? [least] : [Math.min(least, most), Math.max(least, most)]) {
      if (!Number.isFinite(values[i])) {
        pen = 'M';
        continue;
      }
      points.push(`${pen}${f(x(times[i]))} ${f(y(values[i]))}`);
      pen = 'L';
    }
  }
  return points.join('');
}

function range(columns: readonly ArrayLike<number>[]): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const column of columns)
    for (let i = 0; i < column.length; i++) {
      if (column[i] < low) low = column[i];
      if (column[i] > high) high = column[i];
    }
  return low <= high ? [low, high] : [0, 1];
}

/** A constant line gets room above and below; rounding noise is not blown up to a mountain range. */
function padded([low, high]: [number, number]): [number, number] {
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low > 1e-9 * size) return [low - 0.04 * (high - low), high + 0.04 * (high - low)];
  const room = size > 0 ? 0.1 * size : 1;
  return [low - room, high + room];
}

/** About `count` round numbers within [low, high]: 1, 2 or 5 times a power of ten apart. */
export function ticks(low: number, high: number, count: number): number[] {
  const raw = (high - low) / count;
  if (!(raw > 0 && raw < Infinity)) return [low];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= raw) ?? 10);
  const marks: number[] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) marks.push(k === 0 ? 0 : k * step);
  return marks;
}

const label = (value: number): string => {
  const text = String(Number(value.toPrecision(6)));
  return text.length <= 8
    ? text
    : value
        .toExponential(2)
        .replace(/\.?0+e/, 'e')
        .replace('e+', 'e');
};
const f = (value: number): string => value.toFixed(1);
