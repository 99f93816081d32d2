import { expect, test } from 'vitest';
import { NO_GRAINS } from '../../results/scene/grain-frames.js';
import { FollowedPlayback } from './followed-playback.js';
import type { Playback } from './playback.js';
import { Player } from './player.js';

function playback(times: readonly number[], state: Playback['state'], more: Partial<Playback> = {}): Playback {
  const scene = { title: '', up: [0, 0, 1], shapes: [], bodies: [], joints: [], springs: [], surfaces: [], plots: {} };
  return {
    title: 'run',
    scene: scene as unknown as Playback['scene'],
    times: Float64Array.from(times),
    signals: [{ name: 'x', unit: '', description: '' }],
    events: [],
    parameters: { length: 1 },
    versions: {},
    trust: {},
    state,
    hash: '',
    pairs: [],
    frame: async (instant) => ({
      time: times[instant],
      poses: new Float64Array(0),
      velocities: new Float64Array(0),
    }),
    signal: () => Promise.reject(new Error('none')),
    contacts: () => Promise.reject(new Error('none')),
    contactForces: async () => new Float64Array(times.length),
    deforms: false,
    surfaces: async () => [],
    surfaceRanges: async () => ({}),
    grains: async () => NO_GRAINS,
    close: () => undefined,
    ...more,
  };
}

test('a run that goes on is followed to its end', () => {
  const followed = new FollowedPlayback(playback([0, 1], 'running'));
  expect(followed.goOn(playback([0, 1, 2], 'running', { pairs: ['a – b'] }))).toBe(true);
  expect(followed.times).toHaveLength(3);
  expect(followed.pairs).toEqual(['a – b']);
  expect(followed.goOn(playback([0, 1, 2, 3], 'finished', { pairs: ['a – b'] }))).toBe(true);
  expect(followed.state).toBe('finished');
});

test.each([
  ['one that had ended', 'finished', playback([0, 1, 2], 'finished')],
  ['other times', 'running', playback([0, 1.5, 2], 'running')],
  ['fewer instants', 'running', playback([0], 'running')],
  ['other parameters', 'running', playback([0, 1, 2], 'running', { parameters: { length: 2 } })],
  ['other signals', 'running', playback([0, 1, 2], 'running', { signals: [] })],
] as const)('another run is not: %s', (_, state, next) => {
  const followed = new FollowedPlayback(playback([0, 1], state));
  expect(followed.goOn(next)).toBe(false);
  expect(followed.times).toHaveLength(2);
});

test('a player at the end goes along, one before it stays; one without instants begins', async () => {
  const followed = new FollowedPlayback(playback([0, 1], 'running'));
  const player = new Player(followed);
  player.time = 1;
  followed.goOn(playback([0, 1, 2], 'running'));
  player.grown(2);
  await player.settled();
  expect([player.time, player.duration, player.frame.time]).toEqual([2, 2, 2]);
  player.time = 0.5;
  followed.goOn(playback([0, 1, 2, 3], 'finished'));
  player.grown(3);
  expect([player.time, player.duration]).toEqual([0.5, 3]);

  const early = new FollowedPlayback(playback([], 'running'));
  const waiting = new Player(early);
  early.goOn(playback([0.5, 1], 'running'));
  waiting.grown(0);
  await waiting.settled();
  expect(waiting.time).toBe(0.5);
});
