import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ModelError } from '../errors.js';
import { hashNumbers } from '../math/hash.js';
import { Recording } from './recording.js';
import { SampleTable } from './sample-table.js';

const billiard = () =>
  new Recording(
    [
      { name: 'cue.speed', unit: 'm/s', description: 'speed of its centre' },
      { name: 'rack[0].position.x', unit: 'm' },
      { name: 'rack[1].position.x', unit: 'm' },
      { name: 'rack[1].position.y', unit: 'm' },
      { name: 'system.energy', unit: 'J' },
      { name: 'contacts' },
    ],
    { title: 'billiard', parameters: { layers: 2 }, versions: { tippetop: '0.1.0' } },
  );

describe('a table of samples', () => {
  test('gives back what was appended, whatever the blocks', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 0, max: 300 }), (width, rows) => {
        const table = new SampleTable(width);
        const row = new Float64Array(width);
        const value = (i: number, k: number) => i * 10 + k + 0.5;
        for (let i = 0; i < rows; i++) {
          for (let k = 0; k < width; k++) row[k] = value(i, k);
          table.append(i / 4, row); // the same array each time: the table must copy
        }
        expect(table.rows).toBe(rows);
        expect(Array.from(table.times)).toEqual(Array.from({ length: rows }, (_, i) => i / 4));
        for (let k = 0; k < width; k++)
          expect(Array.from(table.column(k))).toEqual(Array.from({ length: rows }, (_, i) => value(i, k)));
        if (rows > 0) expect(table.row(rows - 1)[0]).toBe(value(rows - 1, 0));
        // Runs of any range join to that range
        const [from, to] = [Math.floor(rows / 3), Math.ceil(rows / 1.5)];
        const runs = [...table.runs(from, to)];
        expect(runs.flatMap((run) => Array.from(run.times))).toEqual(Array.from(table.times).slice(from, to));
        expect(runs.flatMap((run) => Array.from(run.values)).length).toBe(width * (to - from));
      }),
      { seed: 11, numRuns: 60 },
    );
  });
  test('keeps few bytes for few rows and never moves what it has', () => {
    const table = new SampleTable(1000);
    table.append(0, new Float64Array(1000));
    const [first] = table.runs();
    expect(first.values.buffer.byteLength).toBeLessThan(200_000);
    for (let i = 1; i < 500; i++) table.append(i, new Float64Array(1000).fill(i));
    expect([...table.runs()][0].values.buffer).toBe(first.values.buffer);
    for (const { values } of table.runs()) expect(values.buffer.byteLength).toBeLessThanOrEqual(1 << 20);
  });
  test('its hash is that of all numbers in order, time first', () => {
    const table = new SampleTable(2);
    table.append(0, [1, -0]);
    table.append(0.5, [Number.NaN, 3]);
    expect(table.hash).toBe(hashNumbers([0, 1, -0, 0.5, Number.NaN, 3]));
  });
  test('refuses a row that does not fit', () => {
    const table = new SampleTable(2);
    table.append(1, [0, 0]);
    table.append(1, [0, 1]); // before and after an event
    for (const time of [0.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => table.append(time, [0, 0])).toThrow(/expected a time ≥ 1 s/);
    expect(() => table.append(2, [0])).toThrow(/expected 2 values at t = 2 s, got 1/);
    expect(() => new SampleTable(0)).toThrow(/at least one signal/);
    expect(table.rows).toBe(2);
  });
});

describe('signals of a recording', () => {
  test('by name, growing with the recording', () => {
    const recording = billiard();
    recording.append(0, [1, 2, 3, 4, 5, 6]);
    const early = recording.signal('cue.speed');
    recording.append(0.1, [10, 20, 30, 40, 50, 60]);
    expect(early.length).toBe(1);
    const { name, unit, description, values, times } = recording.signal('cue.speed');
    expect({ name, unit, description }).toEqual({
      name: 'cue.speed',
      unit: 'm/s',
      description: 'speed of its centre',
    });
    expect(Array.from(values)).toEqual([1, 10]);
    expect(Array.from(times)).toEqual([0, 0.1]);
    expect(recording.signal('rack[1].position.y').at(-1)).toBe(40);
    expect(recording.signal('contacts').at(5)).toBeUndefined();
  });
  test('by pattern, in order', () => {
    const recording = billiard();
    expect(recording.names('rack[*].position.x')).toEqual(['rack[0].position.x', 'rack[1].position.x']);
    expect(recording.names('rack[1].*')).toEqual(['rack[1].position.x', 'rack[1].position.y']);
    expect(recording.names(['*.energy', '{contacts,cue.speed}'])).toEqual(['cue.speed', 'system.energy', 'contacts']);
    expect(recording.names()).toHaveLength(6);
    expect(recording.select('rack[?].position.x').map(({ unit }) => unit)).toEqual(['m', 'm']);
  });
  test.each([
    ['cue.sped', 'did you mean "cue.speed"?'],
    ['rack[7].angularVelocity.longAndWrong', 'there are "rack[0].position.x", "rack[1].position.x"'],
    ['rack[*].position.x', 'is a pattern; select('],
  ])('an unknown name: %s', (name, message) => {
    expect(() => billiard().signal(name)).toThrow(ModelError);
    expect(() => billiard().signal(name)).toThrow(message);
  });
  test('a pattern that matches nothing, names that clash', () => {
    expect(() => billiard().select(['contacts', 'rock[*].position.x'])).toThrow(
      'no signal matches "rock[*].position.x"',
    );
    expect(() => new Recording([{ name: 'a' }, { name: 'a' }])).toThrow('recording.signals[1].name: "a" is already');
    expect(() => new Recording([{ name: 'time' }])).toThrow('recording.signals[0].name');
    expect(() => new Recording([])).toThrow('at least one signal');
    expect(() => billiard().addEvent(Number.NaN, 'hit')).toThrow('recording.events.hit');
  });
});

describe('questions to a signal', () => {
  const recording = new Recording([{ name: 'x' }, { name: 'gone' }]);
  for (const [time, x] of [
    [0, 2],
    [1, Number.NaN],
    [2, -4],
    [2, 6],
    [4, 10],
    [5, -4],
  ])
    recording.append(time, [x, Number.NaN]);
  const x = recording.signal('x');
  test('extremes, NaN passed over, the first of equals', () => {
    expect([x.min(), x.argmin(), x.max(), x.argmax()]).toEqual([-4, 2, 10, 4]);
    const gone = recording.signal('gone');
    expect([gone.min(), gone.argmin(), gone.max(), gone.argmax()]).toEqual([Number.NaN, -1, Number.NaN, -1]);
  });
  test('the value at a time', () => {
    expect(x.valueAt(0)).toBe(2);
    expect(x.valueAt(2)).toBe(6); // after the event
    expect(x.valueAt(3)).toBe(8);
    expect(x.valueAt(4.5)).toBe(3);
    expect(x.valueAt(5)).toBe(-4);
    for (const time of [-0.1, 5.1, Number.NaN]) expect(() => x.valueAt(time)).toThrow(/from 0 to 5 s/);
    expect(() => new Recording([{ name: 'a' }]).signal('a').valueAt(0)).toThrow(/nothing is recorded/);
  });
});
