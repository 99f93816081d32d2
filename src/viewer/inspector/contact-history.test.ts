import { expect, test } from 'vitest';
import { addContactTable, CONTACT } from '../../results/contact-records.js';
import { Recording } from '../../results/recording.js';
import { RecordCache, trailInstants, trailPieces } from './contact-history.js';

test('instants of a trail are shared by the next ones', () => {
  expect(trailInstants(7, 3, 10)).toEqual([4, 5, 6, 7]);
  expect(trailInstants(1, 3, 10)).toEqual([0, 1]);
  expect(trailInstants(103, 100, 10)).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 103]);
  expect(trailInstants(104, 100, 10).slice(0, -1)).toEqual(trailInstants(103, 100, 10).slice(0, -1));
});

test('a trail follows a region and ends with it', async () => {
  const recording = new Recording([{ name: 'x' }]);
  const table = addContactTable(recording);
  const pair = table.label('a – b');
  const other = table.label('a – c');
  const row = new Float64Array(CONTACT.width);
  const touch = (time: number, of: number, region: number, x: number): void => {
    row.fill(0);
    row[CONTACT.pair] = of;
    row[CONTACT.region] = region;
    row[CONTACT.point] = x;
    row[CONTACT.state] = 1;
    table.append(time, row);
  };
  touch(0, pair, 1, 0);
  touch(0, other, 1, 50);
  recording.append(0, [0]);
  touch(1, other, 1, 51);
  touch(1, pair, 1, 1);
  recording.append(1, [0]);
  touch(2, pair, 2, 9); // a new region of the same pair: no line to it
  recording.append(2, [0]);
  const records = [0, 1, 2].map((k) => table.instant(k));
  const pieces = trailPieces(records, (p) => p === pair);
  expect(pieces).toEqual([{ from: [0, 0, 0], to: [1, 0, 0], state: 'stick', age: 0.5 }]);
  expect(trailPieces(records, () => true)).toHaveLength(2);

  let reads = 0;
  const cache = new RecordCache(async (k) => {
    reads++;
    return records[k];
  });
  const [a, b] = await Promise.all([cache.get(1), cache.get(1)]);
  expect(a).toBe(b);
  await cache.get(1);
  expect(reads).toBe(1);
  expect(cache.peek(1)).toBe(records[1]);
  expect(cache.peek(0)).toBeUndefined();
});
