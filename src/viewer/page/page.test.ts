/** What the panels say, apart from the page they stand on. */
import { describe, expect, test } from 'vitest';
import { BodyLooks } from '../stage/body-looks.js';
import { orientationText, vectorText } from './body-card.js';
import { bodyGroups } from './body-groups.js';
import { nextSpeed, SPEEDS, suitableSpeed, timeText } from './time-bar.js';

describe('figures of a body', () => {
  test('a vector has one prefix, and noise is 0', () => {
    expect(vectorText([0.0012, -0.0034, 1e-17], 'm')).toBe('(1.200, −3.400, 0) mm');
    expect(vectorText([12, 0, -0.5], 'm/s')).toBe('(12.00, 0, −0.5000) m/s');
    expect(vectorText([Number.NaN, 0, 0], 'm/s')).toBe('not recorded');
    expect(vectorText([0, 0, 0], 'm')).toBe('(0, 0, 0) m');
  });
  test('an orientation is a turn about an axis, the shorter way', () => {
    const half = Math.SQRT1_2;
    expect(orientationText([1, 0, 0, 0])).toBe('as drawn');
    expect(orientationText([-1, 0, 0, 0])).toBe('as drawn');
    expect(orientationText([half, 0, 0, half])).toBe('90.00° about (0, 0, 1.00)');
    expect(orientationText([-half, 0, 0, -half])).toBe('90.00° about (0, 0, 1.00)');
    expect(orientationText([Math.cos(2), Math.sin(2), 0, 0])).toBe(
      `${(((2 * Math.PI - 4) * 180) / Math.PI).toPrecision(4)}° about (−1.00, 0, 0)`,
    );
    expect(orientationText([Number.NaN, 0, 0, 0])).toBe('not recorded');
  });
});

describe('time', () => {
  test('now and end with the same digits', () => {
    expect(timeText(0.41309, 2)).toBe('0.413 / 2.000 s');
    expect(timeText(0, 1000)).toBe('0.0 / 1000.0 s');
    expect(timeText(0.001, 0.02)).toBe('1.00 / 20.00 ms');
    expect(timeText(0, 0)).toBe('0.0000 / 0.0000 s');
  });
  test('what is short is played slowly', () => {
    expect(suitableSpeed(20)).toBe(1);
    expect(suitableSpeed(0)).toBe(1);
    expect(suitableSpeed(1)).toBe(0.2);
    expect(suitableSpeed(0.01)).toBe(0.002);
    for (const duration of [1e-5, 1e-3, 0.3, 2.9]) {
      const seconds = duration / suitableSpeed(duration);
      expect(seconds).toBeGreaterThanOrEqual(4);
      expect(seconds).toBeLessThan(11);
    }
  });
  test('speeds go up and down and stop at the ends', () => {
    expect(SPEEDS).toEqual([...SPEEDS].sort((a, b) => a - b));
    expect(nextSpeed(1, 1)).toBe(2);
    expect(nextSpeed(1, -1)).toBe(0.5);
    expect(nextSpeed(0.3, -1)).toBe(0.2);
    expect(nextSpeed(SPEEDS[0], -1)).toBe(SPEEDS[0]);
    expect(nextSpeed(SPEEDS.at(-1)!, 1)).toBe(SPEEDS.at(-1));
  });
});

describe('bodies', () => {
  test('are grouped by what their names begin with', () => {
    const names = ['rack[0]', 'rack[1]', 'cue', 'arm.hand', 'arm.finger[0]', 'rack[2]'];
    expect(bodyGroups(names)).toEqual([
      { name: 'rack', bodies: [0, 1, 5] },
      { name: 'cue', bodies: [2] },
      { name: 'arm', bodies: [3, 4] },
    ]);
    expect(bodyGroups(['a[0]'])).toEqual([{ name: 'a[0]', bodies: [0] }]);
    expect(bodyGroups(['[x]'])).toEqual([{ name: '[x]', bodies: [0] }]);
  });

  test('looks reach the stage, and can be taken back', () => {
    const told: unknown[] = [];
    const looks = new BodyLooks(3, {
      setBody: (body, look) => told.push([body, look]),
      isolate: (bodies) => told.push(bodies),
    });
    looks.toggle('hidden', [0, 1]);
    expect(told.splice(0)).toEqual([
      [0, { visible: false }],
      [1, { visible: false }],
    ]);
    expect([0, 1, 2].map((body) => looks.isSeen(body))).toEqual([false, false, true]);
    looks.toggle('hidden', [1, 2]); // one is still seen: all are hidden
    expect([1, 2].map((body) => looks.isSeen(body))).toEqual([false, false]);
    looks.set('wireframe', [2], true);
    looks.isolate([2]);
    expect(looks.isAlone([2])).toBe(true);
    expect(looks.changed).toBe(true);
    told.length = 0;
    looks.reset();
    expect(told).toEqual([
      [0, { visible: true }],
      [1, { visible: true }],
      [2, { visible: true }],
      [2, { wireframe: false }],
      undefined,
    ]);
    expect(looks.changed).toBe(false);
    // A temporary look of some bodies goes, and they look as they were told before and meanwhile
    looks.set('transparent', [0], true);
    looks.setTemporary('transparent', [0, 1]);
    looks.set('transparent', [1, 2], true);
    looks.set('transparent', [1, 2], false);
    expect(told.slice(-2)).toEqual([
      [1, { transparent: true }],
      [2, { transparent: false }],
    ]);
    told.length = 0;
    looks.setTemporary(undefined);
    expect(told).toEqual([
      [0, { transparent: true }],
      [1, { transparent: false }],
    ]);
    looks.pick(1);
    looks.pick(2);
    expect(told.slice(-3)).toEqual([
      [1, { selected: true }],
      [1, { selected: false }],
      [2, { selected: true }],
    ]);
  });
});
