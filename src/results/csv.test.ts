import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FileError } from '../errors.js';
import { csvText, readCsv, recordsCsvText } from './csv.js';
import { Recording } from './recording.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const write = (recording: Recording) => [...csvText(recording)].join('');

describe('CSV', () => {
  test('names with units, CRLF, quotes where needed', () => {
    const recording = new Recording([
      { name: 'ball.position.z', unit: 'm' },
      { name: 'a "b", c' },
      { name: 'rack[0].x' },
    ]);
    recording.append(0, [0.1, -0, 1e21]);
    recording.append(0.001, [Number.NaN, Number.NEGATIVE_INFINITY, 5e-324]);
    expect(write(recording)).toBe(
      'time [s],ball.position.z [m],"a ""b"", c",rack[0].x\r\n0,0.1,-0,1e+21\r\n0.001,NaN,-Infinity,5e-324\r\n',
    );
  });
  test('chosen signals', () => {
    const recording = new Recording([{ name: 'a.x' }, { name: 'b.x' }, { name: 'a.y' }]);
    recording.append(0, [1, 2, 3]);
    expect([...csvText(recording, 'a.*')].join('')).toBe('time [s],a.x,a.y\r\n0,1,3\r\n');
    expect(() => [...csvText(recording, 'c.*')]).toThrow('no signal matches "c.*"');
  });
  test('a table of records: time first, labels as texts, no line for an instant without records', () => {
    const recording = new Recording([{ name: 'x' }]);
    const table = recording.addTable('contacts', [
      { name: 'pair', type: 'label' },
      { name: 'state', type: 'i32' },
      { name: 'depth', unit: 'm' },
    ]);
    recording.append(0, [0]);
    table.append(0.1, [table.label('ball – "floor", left'), 1, 1e-7]);
    table.append(0.1, [table.label('ball – wall'), -2, -0]);
    recording.append(0.1, [0]);
    recording.append(0.2, [0]);
    expect([...recordsCsvText(recording, 'contacts')].join('')).toBe(
      'time [s],pair,state,depth [m]\r\n0.1,"ball – ""floor"", left",1,1e-7\r\n0.1,ball – wall,-2,-0\r\n',
    );
    expect(() => [...recordsCsvText(recording, 'contact')]).toThrow('did you mean "contacts"?');
    // In pieces: many lines are not one text
    for (let i = 0; i < 20_000; i++) table.append(1, [0, i, i / 3]);
    recording.append(1, [0]);
    const pieces = [...recordsCsvText(recording, 'contacts')];
    expect(pieces.length).toBeGreaterThan(5);
    expect(pieces.join('').split('\r\n')).toHaveLength(20_004);
  });
  test('reads back the same bits, names and units', () => {
    const text = fc.string({ unit: fc.constantFrom(...'ab.[0]"\',\n\r é'), minLength: 1 }).map((name) => `n${name}n`);
    const signals = fc.uniqueArray(fc.record({ name: text, unit: fc.constantFrom('', 'm', 'kg m²/s', '1/s') }), {
      selector: ({ name }) => name,
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(
        signals,
        fc.array(fc.array(fc.double(), { minLength: 4, maxLength: 4 }), { maxLength: 8 }),
        (all, rows) => {
          const recording = new Recording(all);
          for (const [i, row] of rows.entries()) recording.append(i / 3, row.slice(0, all.length));
          const copy = readCsv(bytes(write(recording)));
          expect(copy.signals).toEqual(recording.signals);
          expect(copy.rows).toBe(recording.rows);
          expect(copy.hash).toBe(recording.hash);
        },
      ),
      { seed: 3, numRuns: 300 },
    );
  });
  test('comes in pieces', () => {
    const recording = new Recording([{ name: 'x' }]);
    for (let i = 0; i < 50_000; i++) recording.append(i, [i / 7]);
    const pieces = [...csvText(recording)];
    expect(pieces.length).toBeGreaterThan(10);
    expect(pieces.every((piece) => piece.length < 70_000)).toBe(true);
    expect(readCsv(bytes(pieces.join(''))).hash).toBe(recording.hash);
  });
  test('files of other tools: LF, byte order mark, blanks', () => {
    const copy = readCsv(bytes('\ufeffTime,x [m]\n0, 1 \n.5,+2e0\n'));
    expect(Array.from(copy.signal('x').values)).toEqual([1, 2]);
    expect(copy.signal('x').unit).toBe('m');
  });
  test.each([
    ['', 'an empty file'],
    ['x,y\n1,2\n', 'line 1: expected "time [s]" as the first name, got "x"'],
    ['time [ms],y\n1,2\n', 'line 1: expected "time [s]"'],
    ['time\n1\n', 'line 1: recording.signals'],
    ['time,a,a\n0,1,1\n', 'line 1: recording.signals[1]'],
    ['time,a\n0,1\n1\n', 'line 3: expected 2 numbers, got 1'],
    ['time,a\n0,1\n1,2,3\n', 'line 3: expected 2 numbers, got 3'],
    ['time,a\n0,1\n1,2', 'line 3: does not end with a line break'],
    ['time,a\n0,1\n1,', 'line 3: does not end with a line break'],
    ['time,a\n0,\n', 'line 2, column 2: expected a number, got ""'],
    ['time,a\n0,1;5\n', 'line 2, column 2'],
    ['time,a\n0,0x10\n', 'line 2, column 2'],
    ['time,a\n1,0\n0,0\n', 'line 3: recording.append: expected a time ≥ 1 s, got 0'],
    ['time,"a\n0,0\n', 'line 1: a quotation mark is never closed'],
    ['time,"a"b\n0,0\n', 'line 1: expected a comma'],
    ['\u0089HDF\r\n', 'line 1'],
  ])('%j is refused', (text, message) => {
    expect(() => readCsv(bytes(text), 'r.csv')).toThrow(FileError);
    expect(() => readCsv(bytes(text), 'r.csv')).toThrow(message);
  });
  test('bytes that are no text are refused', () => {
    expect(() => readCsv(new Uint8Array([0x89, 0x48, 0xff, 0xfe]), 'r.csv')).toThrow('r.csv: is not a text in UTF-8');
  });
});
