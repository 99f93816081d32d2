import { expect, test } from 'vitest';
import { readCsv } from '../../results/csv.js';
import { plotCsv } from './plot-csv.js';

test('what is visible, read back to the bit by the reader of recordings', () => {
  const times = Float64Array.of(0, 0.1, 0.2, 0.30000000000000004, 0.4);
  const lines = [
    { name: 'ball.position.z', unit: 'm', values: times.map((t) => t / 3) },
    { name: 'd/dt a,b', unit: '', values: times.map(() => Number.NaN) },
  ];
  const text = plotCsv(times, lines, 0.1, 0.35);
  expect(text.split('\r\n')[0]).toBe('time [s],ball.position.z [m],"d/dt a,b"');
  const back = readCsv(new TextEncoder().encode(text));
  expect([...back.times]).toEqual([0.1, 0.2, 0.30000000000000004]);
  expect([...back.signal('ball.position.z').values]).toEqual([0.1 / 3, 0.2 / 3, 0.30000000000000004 / 3]);
});
