import { describe, expect, test } from 'vitest';
import { Recording } from '../results/recording.js';
import { figureOf } from './examples.js';

/** x = t² at 0, 1, 2, 3 s */
const recording = (): Recording => {
  const made = new Recording([{ name: 'x', unit: 'm', description: 'a parabola' }], { title: 'parabola' });
  for (let t = 0; t < 4; t++) made.append(t, Float64Array.of(t * t));
  return made;
};

describe('figures of a run', () => {
  test.each([
    [{ at: 'end' }, 9],
    [{ at: 1.5 }, 2.5],
    [{ at: 'max' }, 9],
    [{ at: 'min', from: 0.5 }, 1],
    [{ at: 'min', from: 1 }, 1],
    [{ at: 'mean' }, (0.5 + 2.5 + 6.5) / 3],
    [{ at: 'mean', from: 1 }, (2.5 + 6.5) / 2],
    [{ passes: 2.5 }, 1.5],
    [{ passes: 4 }, 2],
    [{ passes: 0 }, 0],
    [{ passes: 10 }, Number.NaN],
  ] as const)('%j is %d', (asked, value) => {
    expect(figureOf(recording(), { signal: 'x', ...asked })).toBe(value);
  });
});
