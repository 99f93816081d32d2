/** The table a person reads: one line per variant and size, cost per unit of work, error, ratios. */
import type { Ratio, Row } from './harness.js';

export function table(rows: readonly Row[], sources: ReadonlyMap<string, string>): string {
  const names = [...new Set(rows.map((row) => row.benchmark))];
  return names
    .map((name) => {
      const own = rows.filter((row) => row.benchmark === name);
      const source = sources.get(name);
      return `${name}${source ? `: ${source}` : ''}\n${oneTable(own)}${missing(own)}`;
    })
    .join('\n\n');
}

function oneTable(rows: readonly Row[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row.ratios)))];
  const notes = rows.some(({ note }) => note);
  const heading = ['size', '', `per ${rows[0].unit}`, 'median', 'error', ...columns.map((name) => `× ${name}`)];
  if (notes) heading.push('');
  const lines = rows.map((row) => [
    String(row.size),
    row.variant,
    time(row.fastest / row.work),
    time(row.median / row.work),
    errorText(row.error),
    ...columns.map((column) => ratioText(row.ratios[column])),
    ...(notes ? [row.note ?? ''] : []),
  ]);
  const widths = heading.map((_, i) => Math.max(...[heading, ...lines].map((cells) => cells[i].length)));
  return [heading, ...lines]
    .map(
      (cells) =>
        `  ${cells
          .map((cell, i) => (i === 1 || i > 4 + columns.length ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
          .join('  ')
          .trimEnd()}`,
    )
    .join('\n');
}

/** Why columns are empty, once each. */
function missing(rows: readonly Row[]): string {
  const reasons = new Set<string>();
  for (const row of rows)
    for (const [column, ratio] of Object.entries(row.ratios))
      if ('missing' in ratio) reasons.add(`\n  × ${column}: ${ratio.missing}`);
  return [...reasons].join('');
}

const ratioText = (ratio: Ratio | undefined): string => (ratio && 'ratio' in ratio ? ratio.ratio.toFixed(2) : '–');
const errorText = (error: number): string => (error === 0 ? '0' : error.toExponential(1));

/** Seconds in the unit that leaves one to three digits before the point. */
export function time(seconds: number): string {
  const units: [number, string][] = [
    [1, 's'],
    [1e-3, 'ms'],
    [1e-6, 'µs'],
    [1e-9, 'ns'],
  ];
  const [size, unit] = units.find(([least]) => seconds >= least) ?? units[3];
  return `${(seconds / size).toPrecision(3)} ${unit}`;
}
