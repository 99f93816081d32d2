import { describe, expect, test } from 'vitest';
import { body, model, revolute } from '../../model/index.js';
import { simulate } from '../../simulation/simulation.js';
import { plotLines, sparkline } from './sparkline.js';

describe('sparkline', () => {
  test('a ramp climbs from the lowest bar to the highest', () => {
    const times = Array.from({ length: 80 }, (_, i) => i);
    expect(sparkline(times, times, 8)).toBe('▁▂▃▄▅▆▇█');
    expect(
      sparkline(
        times,
        times.map((t) => -t),
        8,
      ),
    ).toBe('█▇▆▅▄▃▂▁');
  });
  test('what is constant lies low, what is no number is left out, few rows are stretched', () => {
    expect(sparkline([0, 1, 2], [5, 5, 5], 3)).toBe('▁▁▁');
    expect(sparkline([0, 1, 2, 3], [Number.NaN, 0, 1, 2], 4)).toBe(' ▁▅█');
    expect(sparkline([0, 1], [0, 1], 4)).toBe('▁▁▁█');
    expect(sparkline([0], [1], 3)).toBe('▁▁▁');
  });
  test('time counts, not the number of rows', () => {
    // ten rows in the first tenth
    const times = [...Array.from({ length: 10 }, (_, i) => i / 100), 1];
    expect(sparkline(times, [...Array(10).fill(0), 1], 10)).toBe('▁▁▁▁▁▁▁▁▁█');
  });
});

test('the author’s plots: title once, name, range and unit; noise is 0', () => {
  const swing = model({
    bodies: { bob: body({ mass: 1, inertia: [0, 0, 0], position: [0, 0, -1] }) },
    joints: { pivot: revolute({ body: 'bob', at: [0, 0, 0], axis: [0, 1, 0], initialAngle: 0.5 }) },
    plots: { 'a long title indeed': ['pivot.angle', 'pivot.speed'], side: 'bob.position.y' },
  });
  const lines = plotLines(simulate(swing, { stopTime: 4 }));
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(/^a long tit… [▁-█]{48} {2}pivot\.angle, -0\.5 … 0\.5 rad$/);
  expect(lines[1]).toMatch(/^ {11} [▁-█]{48} {2}pivot\.speed, -1\.5\d … 1\.5\d rad\/s$/);
  expect(lines[2]).toContain('side        ▁▁▁');
});
