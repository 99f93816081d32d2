import { describe, expect, test } from 'vitest';
import { box } from '../../geometry/primitives.js';
import { body } from '../../model/body.js';
import { steel } from '../../model/materials.js';
import { model } from '../../model/model.js';
import { sceneOf } from '../../results/scene/scene-of.js';
import { blend } from './blend.js';
import { modelPlayback } from './model-playback.js';
import type { Frame, Playback } from './playback.js';
import { Player } from './player.js';

const scene = sceneOf(model({ bodies: { brick: body({ shape: box([1, 1, 1]), material: steel }) } }));

/** The brick at x = t, turned by t rad about z; loading takes as long as the test says. */
const frameAt = (time: number): Frame => ({
  time,
  poses: Float64Array.of(time, 0, 0, Math.cos(time / 2), 0, 0, Math.sin(time / 2)),
  velocities: Float64Array.of(1, 0, 0, 0, 0, 1),
});

class Slow {
  readonly asked: number[] = [];
  readonly waiting: (() => void)[] = [];
  readonly playback: Playback;
  isSlow = false;
  failAt = -1;

  constructor(times: readonly number[]) {
    this.playback = {
      ...modelPlayback(scene),
      times: Float64Array.from(times),
      frame: async (instant) => {
        this.asked.push(instant);
        if (this.isSlow) await new Promise<void>((resolve) => this.waiting.push(resolve));
        if (instant === this.failAt) throw new Error(`instant ${instant} is damaged`);
        return frameAt(times[instant]);
      },
    };
  }

  /** Lets one frame arrive. */
  async arrive(): Promise<void> {
    this.waiting.shift()?.();
    for (let i = 0; i < 10; i++) await Promise.resolve();
  }
}

const TIMES = [0, 1, 2, 3, 3, 4]; // an event at 3 s
const x = (player: Player): number => player.frame.poses[0];

describe('going to a time', () => {
  test('shows what is drawn until the first instant is there', async () => {
    const player = new Player(new Slow(TIMES).playback);
    expect([...player.frame.poses]).toEqual([0, 0, 0, 1, 0, 0, 0]);
    expect(player.frame.velocities[0]).toBeNaN();
    await player.settled();
    expect(player.frame.velocities[0]).toBe(1);
    expect(player.duration).toBe(4);
  });

  test('lies between two instants, on the line and the shorter turn', async () => {
    const player = new Player(new Slow(TIMES).playback);
    player.time = 1.25;
    await player.settled();
    expect(player.instant).toBe(1);
    expect(player.frame.time).toBeCloseTo(1.25, 15);
    expect(x(player)).toBeCloseTo(1.25, 15);
    // a turn of 1 rad between the two: 0.0041 rad at most from the turn at constant speed
    expect(2 * Math.atan2(player.frame.poses[6], player.frame.poses[3])).toBeCloseTo(1.25, 2);
  });

  test.each([
    [-5, 0, 0],
    [99, 4, 5],
    [3, 3, 4],
    [2.999, 2.999, 2],
    [Number.POSITIVE_INFINITY, 4, 5],
  ])('%d s is %d s, instant %d', async (asked, time, instant) => {
    const player = new Player(new Slow(TIMES).playback);
    player.time = asked;
    await player.settled();
    expect([player.time, player.instant]).toEqual([time, instant]);
    expect(player.frame.time).toBeCloseTo(time, 12);
  });

  test('no number changes nothing', async () => {
    const player = new Player(new Slow(TIMES).playback);
    player.time = 2;
    player.time = Number.NaN;
    player.speed = Number.NaN;
    await player.settled();
    expect([player.time, player.speed]).toEqual([2, 1]);
  });

  test('tells once it is there; whoever left is not told', async () => {
    const player = new Player(new Slow(TIMES).playback);
    await player.settled();
    const seen: number[] = [];
    const stop = player.on('frame', (frame) => seen.push(frame.time));
    player.time = 2;
    await player.settled();
    stop();
    player.time = 3;
    await player.settled();
    expect(seen).toEqual([2]);
  });

  test('a hand that drags on does not wait for what it passed', async () => {
    const slow = new Slow(Array.from({ length: 1000 }, (_, i) => i));
    const player = new Player(slow.playback);
    await player.settled();
    slow.isSlow = true;
    const seen: number[] = [];
    player.on('frame', (frame) => seen.push(frame.time));
    for (let t = 1; t < 900; t++) player.time = t;
    const done = player.settled();
    await slow.arrive();
    await slow.arrive();
    await done;
    expect(slow.asked).toEqual([0, 1, 899]);
    expect(seen).toEqual([1, 899]); // something moves meanwhile
  });
});

describe('steps', () => {
  test('are instants; those before and after an event are two', async () => {
    const player = new Player(new Slow(TIMES).playback);
    player.time = 2;
    player.playing = true;
    const seen: [number, number][] = [];
    for (const by of [1, 1, 1, 1, -1, -1, -2]) {
      player.step(by);
      await player.settled();
      seen.push([player.instant, player.time]);
    }
    expect(player.playing).toBe(false);
    expect(seen).toEqual([
      [3, 3],
      [4, 3],
      [5, 4],
      [5, 4],
      [4, 3],
      [3, 3],
      [1, 1],
    ]);
  });

  test('from between two instants lead to the next', async () => {
    const player = new Player(new Slow(TIMES).playback);
    player.time = 1.5;
    player.step(1);
    expect(player.time).toBe(2);
    player.time = 1.5;
    player.step(-1);
    expect(player.time).toBe(0);
  });
});

describe('play', () => {
  test('goes on with the wall clock at its speed, stops at the end, and begins anew from there', async () => {
    const player = new Player(new Slow(TIMES).playback);
    let told = 0;
    player.on('state', () => told++);
    player.tick(1);
    expect(player.time).toBe(0);
    player.playing = true;
    player.speed = 2;
    player.tick(0.25);
    expect(player.time).toBe(0.5);
    player.tick(100);
    expect([player.time, player.playing, told]).toEqual([4, false, 3]);
    player.playing = true;
    expect(player.time).toBe(0);
    await player.settled();
  });

  test('round and round, forwards and backwards', () => {
    const player = new Player(new Slow(TIMES).playback);
    player.loop = true;
    player.playing = true;
    player.tick(4.5);
    expect(player.time).toBeCloseTo(0.5, 12);
    player.tick(9);
    expect(player.time).toBeCloseTo(1.5, 12);
    player.speed = -1;
    player.tick(2.5);
    expect(player.time).toBeCloseTo(3, 12);
    expect(player.playing).toBe(true);
  });

  test('backwards stops at the start', () => {
    const player = new Player(new Slow(TIMES).playback);
    player.time = 1;
    player.speed = -1;
    player.playing = true;
    player.tick(3);
    expect([player.time, player.playing]).toEqual([0, false]);
  });

  test('fetches instants before their time', async () => {
    const slow = new Slow(Array.from({ length: 100 }, (_, i) => i / 20));
    const player = new Player(slow.playback);
    player.playing = true;
    await player.settled();
    for (let i = 0; i < 100; i++) await Promise.resolve();
    // half a second ahead at 20 instants per second, and the one beyond
    expect(Math.max(...slow.asked)).toBe(11);
    const before = slow.asked.length;
    player.tick(0.3);
    expect(x(player)).toBeCloseTo(0.3, 12); // at hand, so shown at once
    expect(slow.asked.length - before).toBeLessThanOrEqual(1);
    expect(new Set(slow.asked).size).toBe(slow.asked.length);
  });

  test('a model that has not been run has nothing to play', async () => {
    const player = new Player(modelPlayback(scene));
    player.playing = true;
    player.tick(1);
    await player.settled();
    expect([player.playing, player.duration, player.time]).toEqual([false, 0, 0]);
  });
});

describe('what cannot be loaded', () => {
  test('is told, ends play, and does not keep anyone from going elsewhere', async () => {
    const slow = new Slow(TIMES);
    slow.failAt = 2;
    const player = new Player(slow.playback);
    await player.settled();
    const errors: string[] = [];
    player.on('error', ({ message }) => errors.push(message));
    player.playing = true;
    player.time = 2;
    await expect(player.settled()).rejects.toThrow('instant 2 is damaged');
    expect(errors).toEqual(['instant 2 is damaged']);
    expect(player.playing).toBe(false);
    player.time = 1;
    await player.settled();
    expect(x(player)).toBe(1);
  });
});

describe('between two frames', () => {
  test('q and −q are one orientation', () => {
    const [a, b] = [frameAt(0), frameAt(0.4)];
    const turned = { ...b, poses: b.poses.map((v, i) => (i < 3 ? v : -v)) };
    const [straight, other] = [blend(a, b, 0.3), blend(a, turned, 0.3)];
    for (let i = 0; i < 7; i++) expect(other.poses[i]).toBeCloseTo(straight.poses[i], 14);
  });

  test('the turn is off by at most 0.0041 θ³ from one at constant speed', () => {
    for (const turn of [0.1, 0.5, 1, 2])
      for (let s = 0; s <= 1; s += 0.05) {
        const { poses } = blend(frameAt(0), frameAt(turn), s);
        const angle = 2 * Math.atan2(poses[6], poses[3]);
        expect(Math.abs(angle - s * turn)).toBeLessThanOrEqual(0.0041 * turn ** 3 * (1 + (turn * turn) / 10) + 1e-15);
      }
  });
});
