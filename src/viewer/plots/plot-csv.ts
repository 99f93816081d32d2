/** What plots show as comma-separated values (RFC 4180), in full precision and with every row, however few pixels it is drawn with. */
import { firstRowFrom, lastRowTo } from '../playback/decimation.js';

export interface ShownLine {
  readonly name: string;
  readonly unit: string;
  readonly values: Float64Array;
}

/**
 * @param times of all lines, s
 * @param from, to what is visible, s
 */
export function plotCsv(times: Float64Array, lines: readonly ShownLine[], from: number, to: number): string {
  const heads = lines.map(({ name, unit }) => (unit ? `${name} [${unit}]` : name));
  const rows = [['time [s]', ...heads].map(quoted).join(',')];
  const last = lastRowTo(times, to);
  for (let row = firstRowFrom(times, from); row <= last; row++)
    rows.push([times[row], ...lines.map(({ values }) => values[row])].join(','));
  return `${rows.join('\r\n')}\r\n`;
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
