/** What a study has found, in a few lines. */
import type { Analysis } from '../../studies/analysis.js';
import * as format from '../text/format.js';

const figure = (value: number, digits = 5): string => format.number(value, digits);

export interface Units {
  readonly parameters: Readonly<Record<string, string>>;
  readonly outputs: Readonly<Record<string, string>>;
}

const withUnit = (text: string, unit: string | undefined): string => (unit ? `${text} ${unit}` : text);

export function analysisText(
  { best, fit, pareto, morris, sobol, local, reason, remarks = [] }: Analysis,
  units: Units,
): string[] {
  const lines: string[] = [];
  if (best) {
    const parameters = Object.entries(best.parameters)
      .filter(([name]) => Object.hasOwn(units.parameters, name))
      .map(
        ([name, value]) =>
          `${name} = ${typeof value === 'number' ? withUnit(figure(value), units.parameters[name]) : value}`,
      );
    const outputs = Object.entries(best.outputs).map(
      ([name, value]) => `${name} = ${withUnit(figure(value), units.outputs[name])}`,
    );
    lines.push(`best        row ${best.row + 1}: ${parameters.join(', ')}`, `            ${outputs.join(', ')}`);
  }
  if (fit) {
    lines.push(
      `fit         residuals ${figure(fit.before, 3)} → ${figure(fit.after, 3)} of their deviation, root mean square of ${format.count(fit.residuals)}`,
    );
    const width = Math.max(...fit.parameters.map(({ name }) => name.length));
    for (const { name, value, low, high, joint, atBound } of fit.parameters)
      lines.push(
        `  ${name.padEnd(width)}  ${withUnit(figure(value, 6), units.parameters[name])}, 95 % between ${figure(low)} and ${figure(high)}${fit.parameters.length > 1 ? `; all at once ${figure(joint[0])} to ${figure(joint[1])}` : ''}${atBound ? '; at the end of its range' : ''}`,
      );
    const pairs = fit.parameters.flatMap((a, i) =>
      fit.parameters.slice(0, i).map((b, j) => ({ a: b.name, b: a.name, r: fit.correlation[i][j] })),
    );
    const strong = pairs.filter(({ r }) => Math.abs(r) > 0.95);
    for (const { a, b, r } of strong) lines.push(`  ${a} and ${b} go together: correlation ${figure(r, 3)}`);
    if (fit.together.length > 0)
      lines.push(
        `warning     the data do not tell ${fit.together.join(' and ')} apart (condition ${figure(fit.condition, 2)}): fix one of them, or measure what depends on it alone`,
      );
  }
  if (pareto) lines.push(`pareto      ${format.plural(pareto.length, 'row')} that no other beats in all objectives`);
  for (const [output, effects] of Object.entries(morris ?? {})) {
    lines.push(`effects on ${output}   µ* ± its error, σ`);
    for (const [name, { meanSize, error, deviation }] of sorted(effects, ({ meanSize }) => meanSize))
      lines.push(`  ${name.padEnd(14)} ${figure(meanSize, 3)} ± ${figure(error, 2)}, ${figure(deviation, 3)}`);
  }
  for (const [output, { indices }] of Object.entries(sobol ?? {})) {
    lines.push(`shares of the variance of ${output}   alone, with others`);
    for (const [name, { first, total, firstBar, totalBar }] of sorted(indices, ({ total }) => total))
      lines.push(`  ${name.padEnd(14)} ${share(first)} ± ${share(firstBar)}, ${share(total)} ± ${share(totalBar)}`);
  }
  for (const [output, derivatives] of Object.entries(local?.outputs ?? {})) {
    lines.push(`d ${output}   by ${local!.method}`);
    for (const [name, { value, error, relative, doubt, below, above }] of Object.entries(derivatives)) {
      lines.push(
        `  / d ${name.padEnd(12)} ${figure(value, 7)}${error > 0 ? ` ± ${figure(error, 2)}` : ''}; ${figure(relative, 3)} % by 1 %`,
      );
      if (doubt)
        lines.push(
          `    doubtful: ${doubt}${below === undefined ? '' : `; from below ${figure(below)}, from above ${figure(above!)}`}`,
        );
    }
  }
  if (reason) lines.push(`ended       ${reason}`);
  for (const remark of remarks) lines.push(`note        ${remark}`);
  return lines;
}

const share = (value: number): string => value.toFixed(3);
const sorted = <T>(table: Readonly<Record<string, T>>, by: (item: T) => number): [string, T][] =>
  Object.entries(table).sort(([, a], [, b]) => by(b) - by(a));

const MOST_LINES = 24;

/** What varied and what came out, as a table for a terminal; the first rows of many */
export function tableText(
  columns: readonly { readonly name: string; readonly unit: string; readonly values: readonly unknown[] }[],
): string[] {
  const status = columns.find(({ name }) => name === 'run.status')!.values;
  const shown = columns.filter(
    ({ name, values }) => name.startsWith('out.') || (name.startsWith('p.') && new Set(values).size > 1),
  );
  // seeds and counts are told in full
  const whole = new Set(shown.filter(({ values }) => values.every(Number.isSafeInteger)).map(({ name }) => name));
  const cell = (value: unknown, row: number, name: string): string => {
    if (typeof value === 'number') return whole.has(name) ? String(value) : figure(value);
    if (value === null && name.startsWith('out.')) return String(status[row]);
    return String(value ?? '');
  };
  const rows = Math.min(MOST_LINES, status.length);
  const text = shown.map(({ name, unit, values }) => [
    withUnit(name.replace(/^(?:p|out)\./, ''), unit && `[${unit}]`),
    ...Array.from({ length: rows }, (_, row) => cell(values[row], row, name)),
  ]);
  const widths = text.map((column) => Math.max(...column.map((one) => one.length)));
  const lines = Array.from({ length: rows + 1 }, (_, i) =>
    text.map((column, k) => column[i].padStart(widths[k])).join('  '),
  );
  return status.length > rows ? [...lines, `… ${format.count(status.length - rows)} more rows in the table`] : lines;
}
