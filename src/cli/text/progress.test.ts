import { performance } from 'node:perf_hooks';
import { expect, test, vi } from 'vitest';
import { duration, Progress, progressText } from './progress.js';

test('how far, how fast, how long still, and who holds it up', () => {
  expect(progressText({ at: 0.25, done: 12345, what: 'steps', simulated: true }, 1, 10)).toBe(
    '25.0 %  t = 0.25 s, 12 345 steps, 1/40 of real time, 30 s left',
  );
  expect(progressText({ at: 5, done: 80, what: 'steps', simulated: true }, 10, 2)).toBe(
    '50.0 %  t = 5 s, 80 steps, 2.5 × real time, 2 s left',
  );
  expect(
    progressText({ at: 0, done: 7, what: 'steps', simulated: true, holdUp: 'pawl–ring holds the step' }, 1, 3),
  ).toBe('0.0 %  t = 0 s, 7 steps; pawl–ring holds the step');
  expect(progressText({ at: 30, done: 30, what: 'frames' }, 60, 4)).toBe('50.0 %  30 frames, 4 s left');
});

test('durations', () => {
  expect([0.2, 59.5, 75, 119.7, 3600, 5000].map(duration)).toEqual([
    '1 s',
    '1 min 0 s',
    '1 min 15 s',
    '2 min 0 s',
    '1 h 0 min',
    '1 h 23 min',
  ]);
});

// Without a terminal a run that crawls names who holds it within seconds; one that does not is silent for its first minute.
test.each([
  ['one that is held up tells so after 5 s, then every minute', 'pawl–ring holds the step', [5, 65]],
  ['one that is not tells how far it is every minute', undefined, [60, 120]],
])('lines of a run without a terminal: %s', (_, holdUp, lines) => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const written: number[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    expect(String(text)).toContain(holdUp ?? '10.0 %');
    written.push(now / 1000);
    return true;
  });
  const terminal = process.stderr.isTTY;
  process.stderr.isTTY = false;
  try {
    const progress = new Progress(1, false);
    for (now = 0; now <= 124_000; now += 50)
      progress.show(() => ({ at: 0.1, done: 7, what: 'steps', simulated: true, holdUp }));
  } finally {
    process.stderr.isTTY = terminal;
    vi.restoreAllMocks();
  }
  expect(written).toEqual(lines);
});
