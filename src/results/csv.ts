/**
 * Recordings as comma-separated values, RFC 4180: a line of names with units, then a line per row, time first.
 *
 *   time [s],ball.position.z [m],ball.speed [m/s]
 *   0,1,0
 *   0.001,0.999995095,0.00981
 *
 * Numbers have as many digits as it takes to read back the same double, and no more. A file of this kind holds the rows
 * only: title, parameters, events and trust report are in the HDF5 file. A table of records is a file of its own, with a line per
 * record and the time of its instant first; labels are texts there. An instant without records has no line.
 */
import { FileError } from '../errors.js';
import { Recording, type SignalDescription } from './recording.js';

/** The text in pieces of some hundred lines, for writing as it comes. */
export function* csvText(recording: Recording, patterns: string | readonly string[] = '*'): Generator<string> {
  const { signals, samples } = recording;
  const wanted = new Set(
    patterns === '*' ? signals.map(({ name }) => name) : recording.select(patterns).map((s) => s.name),
  );
  const columns = signals.flatMap(({ name }, i) => (wanted.has(name) ? [i] : []));
  const heads = columns.map((i) => (signals[i].unit ? `${signals[i].name} [${signals[i].unit}]` : signals[i].name));
  yield `${['time [s]', ...heads].map(quoted).join(',')}\r\n`;
  for (const { count, times, values } of samples.runs()) {
    let text = '';
    for (let row = 0; row < count; row++) {
      text += decimal(times[row]);
      for (const column of columns) text += `,${decimal(values[row * samples.width + column])}`;
      text += '\r\n';
      if (text.length > 65_536) {
        yield text;
        text = '';
      }
    }
    if (text !== '') yield text;
  }
}

/**
 * A table of records as text, in pieces for writing as it comes.
 *
 * @example await writeBytes('contacts.csv', recordsCsvText(recording, 'contacts'));
 */
export function* recordsCsvText(recording: Recording, name: string): Generator<string> {
  const table = recording.table(name);
  const { columns, first, instants, labels } = table;
  const { times } = recording;
  const heads = columns.map((column) => (column.unit ? `${column.name} [${column.unit}]` : column.name));
  yield `${['time [s]', ...heads].map(quoted).join(',')}\r\n`;
  const texts = labels.map(quoted);
  const fields = columns.map(({ type }, i) => ({ labelled: type === 'label', values: table.column(i) }));
  let text = '';
  for (let instant = 0; instant < instants; instant++) {
    const time = decimal(times[instant]);
    for (let row = first[instant]; row < first[instant + 1]; row++) {
      text += time;
      for (const { labelled, values } of fields) text += `,${labelled ? texts[values[row]] : decimal(values[row])}`;
      text += '\r\n';
      if (text.length > 65_536) {
        yield text;
        text = '';
      }
    }
  }
  if (text !== '') yield text;
}

/** The shortest decimal that reads back as the same double; ECMAScript's Number to String, and the sign of −0. */
const decimal = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const SPECIAL: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  infinity: Number.POSITIVE_INFINITY,
  '+infinity': Number.POSITIVE_INFINITY,
  '-infinity': Number.NEGATIVE_INFINITY,
  inf: Number.POSITIVE_INFINITY,
  '+inf': Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
};

/**
 * Reads what `csvText` wrote, or a like file of another tool: first column the time in s, one number everywhere.
 *
 * @throws FileError with the line of the first thing that is wrong
 */
export function readCsv(bytes: Uint8Array, fileName = 'recording.csv'): Recording {
  if (bytes.length > 500e6)
    throw new FileError(fileName, '', `has ${bytes.length} bytes; up to 500 MB are read, use the HDF5 file instead`);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new FileError(fileName, '', 'is not a text in UTF-8');
  }
  const lines = records(text, fileName);
  const first = lines.next().value;
  if (!first) throw new FileError(fileName, '', 'expected a line of names, got an empty file');
  const [time, ...heads] = first.fields.map(describe);
  if (!/^(time|t)$/i.test(time.name) || !['', 's'].includes(time.unit ?? ''))
    throw new FileError(fileName, 'line 1', `expected "time [s]" as the first name, got ${short(first.fields[0])}`);
  let line = 1;
  try {
    const recording = new Recording(heads);
    const row = new Float64Array(heads.length);
    for (const record of lines) {
      line = record.line;
      const { fields } = record;
      if (fields.length !== heads.length + 1)
        throw new FileError(fileName, `line ${line}`, `expected ${heads.length + 1} numbers, got ${fields.length}`);
      for (let i = 0; i < row.length; i++) row[i] = number(fields[i + 1], fileName, line, i + 2);
      recording.append(number(fields[0], fileName, line, 1), row);
    }
    recording.state = 'finished';
    return recording;
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError(fileName, `line ${line}`, (error as Error).message);
  }
}

/** `ball.position.z [m]` → name and unit. */
function describe(head: string): SignalDescription {
  const parts = /^(.*\S)\s+\[([^[\]]*)\]\s*$/s.exec(head);
  return parts ? { name: parts[1], unit: parts[2] } : { name: head.trim() };
}

function number(field: string, fileName: string, line: number, column: number): number {
  if (NUMBER.test(field)) return Number(field);
  const text = field.trim();
  const value = NUMBER.test(text) ? Number(text) : SPECIAL[text.toLowerCase()];
  if (value === undefined)
    throw new FileError(fileName, `line ${line}, column ${column}`, `expected a number, got ${short(field)}`);
  return value;
}

const short = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** Lines as fields. Quoted fields may hold commas, line breaks and doubled quotes. */
function* records(text: string, fileName: string): Generator<{ readonly line: number; readonly fields: string[] }> {
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  let line = 1;
  while (at < text.length) {
    const start = line;
    // The usual line has no quotes: its fields are what stands between commas.
    const end = text.indexOf('\n', at);
    const whole = end < 0 ? undefined : text.slice(at, end);
    if (whole !== undefined && !whole.includes('"')) {
      at = end + 1;
      line++;
      yield { line: start, fields: (whole.endsWith('\r') ? whole.slice(0, -1) : whole).split(',') };
      continue;
    }
    const fields: string[] = [];
    for (let open = true; open; ) {
      let field = '';
      if (text[at] === '"') {
        let close = at;
        do {
          close = text.indexOf('"', close + 1);
          if (close < 0) throw new FileError(fileName, `line ${start}`, 'a quotation mark is never closed');
        } while (text[close + 1] === '"' && close++ > 0);
        field = text.slice(at + 1, close).replaceAll('""', '"');
        at = close + 1;
      } else {
        const from = at;
        while (at < text.length && text[at] !== ',' && text[at] !== '\n' && text[at] !== '\r') at++;
        field = text.slice(from, at);
      }
      line += field.split('\n').length - 1;
      fields.push(field);
      if (text[at] === ',') at++;
      else {
        if (text[at] === '\r') at++;
        if (at >= text.length)
          throw new FileError(fileName, `line ${start}`, 'does not end with a line break: the file was cut short');
        if (text[at] !== '\n')
          throw new FileError(fileName, `line ${start}`, `expected a comma or a line break after ${short(field)}`);
        at++;
        line++;
        open = false;
      }
    }
    yield { line: start, fields };
  }
}
