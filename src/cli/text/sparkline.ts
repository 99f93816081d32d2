/** The author's plots as lines of text, for a terminal. */
import type { Recording } from '../../results/recording.js';
import { number } from './format.js';

const BARS = '▁▂▃▄▅▆▇█';
const WIDTH = 48;
/** Lines of all plots together; a report has the rest */
const MOST = 6;

/** `▁▃▅█▇▅▂▁`: the mean of the samples behind each place, between the smallest and the largest; a place without number is blank. */
export function sparkline(times: ArrayLike<number>, values: ArrayLike<number>, width = WIDTH): string {
  const sum = new Float64Array(width);
  const count = new Float64Array(width);
  const start = times[0];
  const span = times[times.length - 1] - start;
  for (let i = 0; i < times.length; i++) {
    if (!Number.isFinite(values[i])) continue;
    const place = span > 0 ? Math.min(width - 1, Math.floor((width * (times[i] - start)) / span)) : 0;
    sum[place] += values[i];
    count[place]++;
  }
  const means = Array.from(sum, (value, k) => (count[k] > 0 ? value / count[k] : Number.NaN));
  const seen = means.filter((value) => !Number.isNaN(value));
  const low = Math.min(...seen);
  const high = Math.max(...seen);
  let last = ' ';
  return means
    .map((value) => {
      // fewer rows than places: the line goes on
      if (!Number.isNaN(value)) last = BARS[high > low ? Math.round((7 * (value - low)) / (high - low)) : 0];
      return last;
    })
    .join('');
}

/** `swing       ▁▂▅█…  pivot.angle, −0.5 … 0.5 rad` for each signal of the model's own plots */
export function plotLines(recording: Recording): string[] {
  if (recording.rows < 2) return [];
  const lines: string[] = [];
  let left = 0;
  for (const [title, patterns] of Object.entries(recording.scene?.plots ?? {}))
    recording.select(patterns).forEach((signal, i) => {
      if (lines.length === MOST) {
        left++;
        return;
      }
      const [low, high] = [signal.min(), signal.max()];
      // rounding noise beside the other end is 0
      const shown = (value: number): string => number(Math.abs(value) < 1e-12 * (high - low) ? 0 : value, 3);
      const name = i > 0 ? '' : title.length > 11 ? `${title.slice(0, 10)}…` : title;
      lines.push(
        `${name.padEnd(11)} ${sparkline(recording.times, signal.values)}  ${signal.name}, ${shown(low)} … ${shown(high)}${signal.unit ? ` ${signal.unit}` : ''}`,
      );
    });
  return left > 0 ? [...lines, `            and ${left} more in the report`] : lines;
}
