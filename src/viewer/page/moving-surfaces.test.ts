// A surface that goes along x by 1 m a second, with an instant a second: between instants it is where the clock is.
import { expect, test, vi } from 'vitest';
import type { Scene } from '../../results/scene.js';
import type { Playback, SurfaceFrame } from '../playback/playback.js';
import { Player } from '../playback/player.js';
import { MovingSurfaces } from './moving-surfaces.js';

const TIMES = Float64Array.of(0, 1, 2, 3);

function scene() {
  const surfaces = vi.fn(
    async (instant: number, exaggeration = 1): Promise<SurfaceFrame[]> => [
      { vertices: Float64Array.of(TIMES[instant], exaggeration, 0), values: Float64Array.of(10 * TIMES[instant]) },
    ],
  );
  const playback = {
    times: TIMES,
    scene: { bodies: [], surfaces: [{}] } as unknown as Scene,
    frame: async (instant: number) => ({
      time: TIMES[instant],
      poses: new Float64Array(0),
      velocities: new Float64Array(0),
    }),
    surfaces,
    surfaceRanges: async () => ({}),
  } as unknown as Playback;
  const player = new Player(playback);
  const stage = { showSurfaces: vi.fn<(frames: readonly SurfaceFrame[]) => void>(), setSurfaceRanges: vi.fn() };
  const moving = new MovingSurfaces(playback, player, stage, (error) => {
    throw error;
  });
  const seen = async (time: number): Promise<number[]> => {
    player.time = time;
    moving.show();
    await vi.waitFor(() => expect(stage.showSurfaces).toHaveBeenCalled());
    const [frames] = stage.showSurfaces.mock.lastCall!;
    stage.showSurfaces.mockClear();
    return [...frames[0].vertices, ...frames[0].values];
  };
  return { moving, seen, surfaces, stage };
}

test('at an instant what was recorded, between two the way from one to the next', async () => {
  const { seen } = scene();
  expect(await seen(1)).toEqual([1, 1, 0, 10]);
  expect(await seen(1.25)).toEqual([1.25, 1, 0, 12.5]);
  expect(await seen(1.75)).toEqual([1.75, 1, 0, 17.5]);
  expect(await seen(3)).toEqual([3, 1, 0, 30]);
});

test('instants are read once as time goes on, and again for another exaggeration', async () => {
  const { moving, seen, surfaces, stage } = scene();
  for (const time of [1.1, 1.2, 1.3, 1.4]) await seen(time);
  expect(surfaces.mock.calls.map(([instant]) => instant)).toEqual([1, 2]);
  moving.exaggeration = 5;
  await vi.waitFor(() => expect(stage.showSurfaces).toHaveBeenCalled());
  expect([...stage.showSurfaces.mock.lastCall![0][0].vertices]).toEqual([1.4, 5, 0]);
});
