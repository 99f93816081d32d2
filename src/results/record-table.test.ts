import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OPEN, SLIP, STICK } from '../contact-laws/friction/bristle.js';
import { ModelError } from '../errors.js';
import { addContactTable, CONTACT, CONTACT_COLUMNS, CONTACT_STATES, pairLabel, pairNames } from './contact-records.js';
import { Recording } from './recording.js';

const start = () => {
  const recording = new Recording([{ name: 'x' }]);
  const table = recording.addTable('contacts', [
    { name: 'pair', type: 'label' },
    { name: 'region', type: 'i32' },
    { name: 'depth', unit: 'm', quantity: 'penetration depth' },
  ]);
  return { recording, table };
};

describe('a table of records', () => {
  test('gives back each instant, however many rows each has', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 60 }), (counts) => {
        const { recording, table } = start();
        const row = new Float64Array(3);
        for (const [k, count] of counts.entries()) {
          for (let i = 0; i < count; i++) {
            row[0] = table.label(`pair ${i % 5}`);
            row[1] = i - 20;
            row[2] = k + i / 3;
            table.append(k / 8, row); // the same array each time: the table must copy
          }
          recording.append(k / 8, [k]);
        }
        const total = counts.reduce((sum, count) => sum + count, 0);
        expect([table.rows, table.instants, table.first.length]).toEqual([total, counts.length, counts.length + 1]);
        expect(table.column('depth').length).toBe(total);
        for (const [k, count] of counts.entries()) {
          expect(table.first[k + 1] - table.first[k]).toBe(count);
          const instant = table.instant(k);
          expect(instant.count).toBe(count);
          const rows = Array.from({ length: count }, (_, i) => i);
          expect(Array.from(instant.column('region'))).toEqual(rows.map((i) => i - 20));
          expect(Array.from(instant.column('depth'))).toEqual(rows.map((i) => k + i / 3));
          expect(Array.from(instant.column('pair'), (place) => table.labels[place])).toEqual(
            rows.map((i) => `pair ${i % 5}`),
          );
        }
      }),
      { seed: 3, numRuns: 60 },
    );
  });

  test('grows to a million rows by doubling: no row is copied more than twice on the average', () => {
    const { recording, table } = start();
    table.label('a – b');
    const buffers = new Set<ArrayBufferLike>();
    const row = [0, 0, 0];
    for (let k = 0; k < 1000; k++) {
      for (let i = 0; i < 1000; i++) {
        row[1] = i;
        row[2] = k;
        table.append(k, row);
      }
      recording.append(k, [0]);
      buffers.add(table.column('depth').buffer);
    }
    expect(table.rows).toBe(1e6);
    expect(buffers.size).toBeLessThanOrEqual(11); // 1024, 2048, … 2²⁰ rows
    expect(table.column('depth').buffer.byteLength).toBeLessThan(2 * 8e6 + 1000);
    expect([table.instant(-1).column('region')[999], table.instant(500).column('depth')[0]]).toEqual([999, 500]);
  });

  test('rows belong to the instant that is closed next; what was given out stays right', () => {
    const { recording, table } = start();
    recording.append(0, [0]); // nothing touches
    table.append(0, [table.label('a – b'), 1, 0.5]); // after an event at the same time
    expect([table.rows, table.instants]).toEqual([0, 1]);
    recording.append(0, [0]);
    const early = table.instant(1).column('depth');
    for (let i = 0; i < 500; i++) table.append(1, [0, i, i]);
    recording.append(1, [0]);
    recording.append(2, [0]);
    expect(Array.from(table.first)).toEqual([0, 0, 1, 501, 501]);
    expect(Array.from(early)).toEqual([0.5]);
    expect(table.instant(-1).count).toBe(0);
  });

  test('the hash sees every number, how rows are divided into instants, labels, and which table it is', () => {
    const hashOf = (counts: number[], change: (row: number[], i: number) => void, label = 'a', name = 'contacts') => {
      const recording = new Recording([{ name: 'x' }]);
      const table = recording.addTable(name, [{ name: 'pair', type: 'label' }, { name: 'depth' }]);
      table.label(label);
      let i = 0;
      for (const [k, count] of counts.entries()) {
        for (let n = 0; n < count; n++) {
          const row = [0, 7];
          change(row, i++);
          table.append(k, row);
        }
        recording.append(k, [0]);
      }
      return recording.hash;
    };
    const same = () => undefined;
    const zero = (row: number[]) => row.fill(0);
    const hashes = [
      hashOf([2, 3], same),
      hashOf([3, 2], same),
      hashOf([2, 3], zero), // the same numbers in any order: only the division tells
      hashOf([3, 2], zero),
      hashOf([2, 3], (row, i) => i === 4 && (row[1] = 7.000000000000001)),
      hashOf([2, 3], same, 'b'),
      hashOf([2, 3], same, 'a', 'wheels'),
      hashOf([2, 3, 0], same),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(hashOf([2, 3], same)).toBe(hashes[0]);
    // The order in which tables are added does not count; a recording without tables has the hash of its rows
    const two = (names: string[]) => {
      const recording = new Recording([{ name: 'x' }]);
      for (const name of names) recording.addTable(name, [{ name: 'v' }]).append(1, [name === 'a' ? 1 : 2]);
      recording.append(1, [0]);
      return recording.hash;
    };
    expect(two(['a', 'b'])).toBe(two(['b', 'a']));
    const bare = new Recording([{ name: 'x' }]);
    bare.append(0, [1]);
    expect(bare.hash).toBe(bare.samples.hash);
  });

  test('refuses what does not fit', () => {
    const { recording, table } = start();
    const label = table.label('a – b');
    expect(table.label('a – b')).toBe(label);
    expect(() => table.append(0, [label, 0])).toThrow('recording.contacts: expected 3 values at t = 0 s, got 2');
    expect(() => table.append(Number.NaN, [label, 0, 0])).toThrow('expected a time ≥ -Infinity s, got NaN');
    expect(() => table.append(0, [1, 0, 0])).toThrow(
      'recording.contacts.pair: expected the place of one of 1 labels at t = 0 s, got 1; label(text) gives it',
    );
    for (const region of [0.5, Number.NaN, 2 ** 31, -(2 ** 31) - 1])
      expect(() => table.append(0, [label, region, 0])).toThrow('recording.contacts.region: expected a whole number');
    table.append(1, [label, 2 ** 31 - 1, 0]);
    expect(() => table.append(2, [label, 0, 0])).toThrow('has rows of t = 1 s that wait for recording.append(1, …)');
    expect(() => recording.append(2, [0])).toThrow('recording.append: contacts has rows of t = 1 s, got t = 2 s');
    expect(recording.rows).toBe(0);
    recording.append(1, [0]);
    expect(() => table.append(0.5, [label, 0, 0])).toThrow('expected a time ≥ 1 s, got 0.5');
    expect(table.column('region')[0]).toBe(2 ** 31 - 1);
    expect(() => table.instant(1)).toThrow('expected an instant from 0 to 0, got 1');
    expect(() => table.instant(0).column('deth')).toThrow('there is no column "deth"; did you mean "depth"?');
    expect(() => recording.table('contact')).toThrow('there is no table "contact"; did you mean "contacts"?');
    expect(() => new Recording([{ name: 'x' }]).table('a')).toThrow('there is none at all');
    expect(() => recording.addTable('late', [{ name: 'x' }])).toThrow('expected "late" before the first row');
    expect(recording.hasTable('contacts') && !recording.hasTable('late')).toBe(true);
  });

  test.each([
    ['a b', [{ name: 'x' }], 'expected a name of letters, digits and _, got "a b"'],
    ['t', [], 'recording.t: expected 1 to 250 columns, got 0'],
    ['t', [{ name: 'offset' }], 'recording.t.columns[0].name: expected letters, digits, _ and dots, and none of time'],
    ['t', [{ name: 'a/b' }], 'got "a/b"'],
    ['t', [{ name: 'a' }, { name: 'a' }], 'recording.t.columns[1].name: "a" is already the name of column 0'],
    ['t', [{ name: 'a', type: 'f32' as 'f64' }], 'recording.t.columns[0].type: expected one of f64, i32, label'],
  ])('refuses the table %s of %j', (name, columns, message) => {
    expect(() => new Recording([{ name: 'x' }]).addTable(name, columns)).toThrow(ModelError);
    expect(() => new Recording([{ name: 'x' }]).addTable(name, columns)).toThrow(message);
  });
});

describe('the table of contacts', () => {
  test('its columns are where CONTACT says, states are those of the friction laws', () => {
    const names = CONTACT_COLUMNS.map(({ name }) => name);
    for (const [name, place] of Object.entries(CONTACT))
      if (name === 'width') expect(names).toHaveLength(place);
      else expect(names[place].split('.')[0]).toBe(name);
    for (const name of ['point', 'normal', 'friction', 'slip', 'patchCentroid'] as const)
      expect(names.slice(CONTACT[name], CONTACT[name] + 3)).toEqual(['x', 'y', 'z'].map((axis) => `${name}.${axis}`));
    expect([CONTACT_STATES[OPEN], CONTACT_STATES[STICK], CONTACT_STATES[SLIP]]).toEqual(['open', 'stick', 'slip']);
    const recording = new Recording([{ name: 'x' }]);
    const contacts = addContactTable(recording);
    const row = new Float64Array(CONTACT.width);
    row[CONTACT.pair] = contacts.label(pairLabel('ball', 'floor[2]'));
    row[CONTACT.state] = SLIP;
    row.set([0, 0, 1], CONTACT.normal);
    contacts.append(0, row);
    recording.append(0, [0]);
    expect(recording.table('contacts').instant(0).column('normal.z')[0]).toBe(1);
    expect(recording.tables).toEqual([contacts]);
    expect(pairNames(contacts.labels[0])).toEqual(['ball', 'floor[2]']);
  });
});
