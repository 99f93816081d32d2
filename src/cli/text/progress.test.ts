import { performance } from 'node:perf_hooks';
import { expect, test, vi } from 'vitest';
import { duration, Preparation, Progress, progressText } from './progress.js';

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

// What is made before the first step: silent where it is quick
test.each([
  ['without a terminal after 5 s, then every minute', false, [5, 65], 'packing "bed"\n'],
  [
    'on a terminal ten times a second from half a second on, and gone at the end',
    true,
    [0.5, 0.6, 0.7],
    '\rpacking "bed"\x1b[K',
  ],
])('what is made before a run: %s', (_, isTTY, first, line) => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const written: [number, string][] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written.push([now / 1000, String(text)]);
    return true;
  });
  const terminal = process.stderr.isTTY;
  process.stderr.isTTY = isTTY;
  try {
    const preparation = new Preparation();
    expect(() =>
      preparation.during(() => {
        for (now = 0; now <= 70_000; now += 50) preparation.show('packing "bed"');
        throw new Error('cannot be reached');
      }),
    ).toThrow('cannot be reached');
  } finally {
    process.stderr.isTTY = terminal;
    vi.restoreAllMocks();
  }
  expect(written.slice(0, first.length)).toEqual(first.map((at) => [at, line]));
  expect(written.at(-1)![1]).toBe(isTTY ? '\r\x1b[K' : line);
});
