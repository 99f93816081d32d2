/**
 * Packings as CSV: a line of names with x, y, z and radius among them, units in brackets or not; what `export … --table grains` writes, or any table like it. Of grains with a shape
 * the orientation (`orientation.w` …) and `form` come along.
 */
import { FileError } from '../../errors.js';

/**
 * Places for `{ arrangement: 'given', at }`; of a table with times the last instant.
 *
 * @param name    how errors name the file
 * @param species only grains of this one, where the table has several
 * @example packings: { fill: { species: 'bead', arrangement: 'given', at: packingFromCsv(readFileSync('beads.csv', 'utf8')) } }
 */
export function packingFromCsv(text: string, name = 'packing.csv', species?: string): number[][] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length < 2) throw new FileError(name, '', 'expected a line of names and a line for each grain');
  const names = lines[0].split(',').map((word) =>
    word
      .replace(/\[.*\]/, '')
      .replaceAll('"', '')
      .trim()
      .toLowerCase(),
  );
  const place = (column: string): number => {
    const at = names.indexOf(column);
    if (at < 0) throw new FileError(name, 'line 1', `expected a column "${column}", got ${names.join(', ')}`);
    return at;
  };
  const columns = [place('x'), place('y'), place('z'), place('radius')];
  if (names.includes('orientation.w'))
    columns.push(...['w', 'x', 'y', 'z'].map((part) => place(`orientation.${part}`)));
  if (names.includes('orientation.w') && names.includes('form')) columns.push(place('form'));
  const kind = species === undefined ? -1 : place('species');
  const time = names.indexOf('time');
  const last = time < 0 ? undefined : lines[lines.length - 1].split(',')[time];
  return lines.slice(1).flatMap((line, i) => {
    const words = line.split(',');
    if (time >= 0 && words[time] !== last) return [];
    if (kind >= 0 && words[kind].replaceAll('"', '').trim() !== species) return [];
    const row = columns.map((column) => Number(words[column]));
    if (!row.every(Number.isFinite)) throw new FileError(name, `line ${i + 2}`, `expected numbers in m, got "${line}"`);
    return [row];
  });
}
