import { describe, expect, test } from 'vitest';
import { compareRecordings } from './compare.js';
import { Recording } from './recording.js';

/** x = t² on n rows over 1 s, plus what `off` adds. */
function parabola(rows: number, off: (t: number) => number = () => 0, name = 'x'): Recording {
  const recording = new Recording([
    { name, unit: 'm' },
    { name: 'still', unit: 'm' },
  ]);
  for (let i = 0; i < rows; i++) {
    const t = i / (rows - 1);
    recording.append(t, [t * t + off(t), 3]);
  }
  return recording;
}

describe('compare', () => {
  test('a recording with itself: the same bits', () => {
    const compared = compareRecordings(parabola(11), parabola(11));
    expect(compared.equal).toBe(true);
    expect(compared.differences.every(({ largest, relative }) => largest === 0 && relative === 0)).toBe(true);
  });

  test('tells the largest difference and when', () => {
    const bump = (t: number): number => (Math.abs(t - 0.3) < 1e-9 ? 0.05 : 0);
    const { differences, equal } = compareRecordings(parabola(11), parabola(11, bump));
    expect(equal).toBe(false);
    expect(differences[0]).toMatchObject({ name: 'x', unit: 'm' });
    expect(differences[0].largest).toBeCloseTo(0.05, 12);
    expect(differences[0].at).toBeCloseTo(0.3, 12);
    expect(differences[0].relative).toBeCloseTo(0.05, 12); // the range is 1
  });

  // A straight line between rows h apart misses t² by h²/4 at most (x″/8 h² with x″ = 2).
  test('other rows are read on a straight line', () => {
    const { differences, equal } = compareRecordings(parabola(101), parabola(11));
    expect(equal).toBe(false);
    expect(differences[0].largest).toBeCloseTo(0.1 ** 2 / 4, 12);
  });

  test('only the common time counts, and signals of one are named', () => {
    const short = new Recording([{ name: 'x' }, { name: 'y' }]);
    for (const t of [0, 0.25, 0.5]) short.append(t, [t * t, 0]);
    const { to, onlyFirst, onlySecond } = compareRecordings(short, parabola(5));
    expect(to).toBe(0.5);
    expect(onlyFirst).toEqual(['y']);
    expect(onlySecond).toEqual(['still']);
  });

  test('no number against a number is as different as can be', () => {
    const { differences } = compareRecordings(
      parabola(3),
      parabola(3, (t) => (t === 0.5 ? Number.NaN : 0)),
    );
    expect(differences[0].largest).toBe(Number.POSITIVE_INFINITY);
  });

  test('events of a name are paired in order', () => {
    const [a, b] = [parabola(3), parabola(3)];
    a.addEvent(0.2, 'hit');
    b.addEvent(0.25, 'hit');
    expect(compareRecordings(a, b).events.map(({ later }) => later)[0]).toBeCloseTo(0.05, 12);
  });

  test('a quaternion and its negative are one orientation, and rounding is no difference to speak of', () => {
    const turning = (flip: boolean, noise: number): Recording => {
      const parts = ['w', 'x', 'y', 'z'].map((part) => ({ name: `body.orientation.${part}`, unit: '' }));
      const recording = new Recording([...parts, { name: 'x', unit: 'm' }, { name: 'y', unit: 'm' }]);
      for (let i = 0; i <= 20; i++) {
        const angle = 0.3 * i;
        const sign = flip && i > 7 ? -1 : 1;
        recording.append(i, [
          sign * Math.cos(angle),
          0,
          sign * Math.sin(angle),
          0,
          i + 1e-3 * noise,
          noise * 1e-17 * (i % 3),
        ]);
      }
      return recording;
    };
    const { differences } = compareRecordings(turning(false, 0), turning(true, 1));
    for (const { name, largest } of differences) if (name.startsWith('body')) expect(largest).toBeLessThan(1e-15);
    expect(differences[0].name).toBe('x'); // 1 mm of 20 m, before 2e-17 m of 2e-17
    const y = differences.find(({ name }) => name === 'y')!;
    expect(y.largest).toBeCloseTo(2e-17, 20);
    expect(y.relative).toBeLessThan(1e-7);
  });
});
