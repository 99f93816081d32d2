/**
 * The clock of the viewer: what instant of a playback is seen, and getting there. Between two instants bodies are drawn on the straight line
 * and the shortest turn from one to the next, so that play is smooth at any speed.
 *
 *   const player = new Player(playback);
 *   player.on('frame', (frame) => stage.show(frame));
 *   player.playing = true;
 *   animate((seconds) => player.tick(seconds));
 *
 * Instants are loaded one after another and only the last wish counts: a hand that drags the slider over a thousand instants does not
 * wait for all of them. While playing, those ahead are fetched before their time comes.
 */

import { drawnPoses } from '../../results/scene/poses.js';
import { blend } from './blend.js';
import { instantAt } from './instants.js';
import type { Frame, Playback } from './playback.js';

const KEPT_BYTES = 48 * 1024 * 1024; // frames at hand
const FEWEST_KEPT = 8;
const MOST_KEPT = 1000;
const AHEAD_SECONDS = 0.5; // of wall time that are fetched ahead
const MOST_AHEAD = 60; // instants

interface Listeners {
  readonly frame: Set<(frame: Frame) => void>;
  readonly state: Set<() => void>;
  readonly error: Set<(error: Error) => void>;
}

export class Player {
  readonly playback: Playback;
  #time: number;
  #instant = 0;
  #playing = false;
  #speed = 1;
  #loop = false;
  #frame: Frame;
  #isShown = false; // whether `#frame` is that of `#time`
  #loading: Promise<void> | undefined;
  #failure: Error | undefined;
  readonly #kept = new Map<number, Frame>(); // the ones used last are last
  readonly #coming = new Map<number, Promise<Frame>>();
  readonly #mostKept: number;
  #fetchingAhead = false;
  readonly #listeners: Listeners = { frame: new Set(), state: new Set(), error: new Set() };

  constructor(playback: Playback) {
    this.playback = playback;
    const { times, scene } = playback;
    this.#time = times[0] ?? 0;
    const poses = drawnPoses(scene.bodies);
    this.#frame = {
      time: this.#time,
      poses,
      velocities: new Float64Array(6 * scene.bodies.length).fill(Number.NaN),
    };
    const frameBytes = 8 * 13 * Math.max(1, scene.bodies.length);
    this.#mostKept = Math.max(FEWEST_KEPT, Math.min(MOST_KEPT, Math.floor(KEPT_BYTES / frameBytes)));
    if (times.length > 0) this.#want();
    else this.#isShown = true;
  }

  /** s, from first to last instant */
  get duration(): number {
    const { times } = this.playback;
    return times.length > 0 ? times[times.length - 1] - times[0] : 0;
  }

  /** s; setting it goes there, as near as the recording reaches. */
  get time(): number {
    return this.#time;
  }

  set time(time: number) {
    if (Number.isNaN(time)) return;
    const { times } = this.playback;
    if (times.length === 0) return;
    this.#time = Math.min(times[times.length - 1], Math.max(times[0], time));
    this.#instant = instantAt(times, this.#time);
    this.#want();
  }

  /** The last recorded instant that is not after `time`. */
  get instant(): number {
    return this.#instant;
  }

  /** Bodies at `time`, or where they were seen last while that is being loaded; not to be written to. */
  get frame(): Frame {
    return this.#frame;
  }

  get playing(): boolean {
    return this.#playing;
  }

  /** Playing on from the end begins at the start. */
  set playing(playing: boolean) {
    const isMoving = playing && this.duration > 0;
    if (isMoving === this.#playing) return;
    this.#playing = isMoving;
    if (isMoving && this.#time === this.#end) this.time = this.#start;
    this.#tell('state');
    if (isMoving) this.#fetchAhead();
  }

  get speed(): number {
    return this.#speed;
  }

  /** Seconds of the recording per second of wall time; negative plays backwards. */
  set speed(speed: number) {
    if (!Number.isFinite(speed) || speed === this.#speed) return;
    this.#speed = speed;
    this.#tell('state');
  }

  get loop(): boolean {
    return this.#loop;
  }

  set loop(loop: boolean) {
    if (loop === this.#loop) return;
    this.#loop = loop;
    this.#tell('state');
  }

  /** Goes on by whole instants, and pauses. Of two instants at one time, before and after an event, each is a step. */
  step(by: number): void {
    this.playing = false;
    this.goTo(this.#instant + Math.trunc(by));
  }

  /** To a recorded instant. */
  goTo(instant: number): void {
    const { times } = this.playback;
    if (times.length === 0 || Number.isNaN(instant)) return;
    this.#instant = Math.min(times.length - 1, Math.max(0, Math.trunc(instant)));
    this.#time = times[this.#instant];
    this.#want();
  }

  /** The recording has become longer. @param had instants that it had; who stood at its end goes along */
  grown(had: number): void {
    const { times } = this.playback;
    if (had === 0) this.goTo(0);
    else if (!this.#playing && this.#instant === had - 1 && had > 1) this.goTo(times.length - 1);
    else if (this.#failure) this.#want();
    this.#tell('state');
  }

  /** Wall time has gone on, s. */
  tick(seconds: number): void {
    if (!this.#playing || !(seconds > 0)) return;
    const { times } = this.playback;
    const [first, last] = [times[0], times[times.length - 1]];
    let time = this.#time + seconds * this.#speed;
    if (time > last || time < first) {
      if (this.#loop) {
        // The rest of the way goes on from the other end
        const over = (time > last ? time - last : first - time) % this.duration;
        time = time > last ? first + over : last - over;
      } else {
        this.time = this.#end;
        this.playing = false;
        return;
      }
    }
    this.time = time;
    this.#fetchAhead();
  }

  /** Waits until what was asked for is loaded and `frame` is it. @throws what made loading fail */
  async settled(): Promise<void> {
    while (this.#loading) await this.#loading;
    if (!this.#isShown && this.#failure) throw this.#failure;
  }

  /** Listens; the result stops it. */
  on(event: 'frame', listener: (frame: Frame) => void): () => void;
  on(event: 'state', listener: () => void): () => void;
  on(event: 'error', listener: (error: Error) => void): () => void;
  on(event: keyof Listeners, listener: (value: never) => void): () => void {
    const listeners = this.#listeners[event] as Set<(value: never) => void>;
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  get #start(): number {
    const { times } = this.playback;
    return this.#speed < 0 ? times[times.length - 1] : times[0];
  }

  get #end(): number {
    const { times } = this.playback;
    return this.#speed < 0 ? times[0] : times[times.length - 1];
  }

  #tell(event: 'frame' | 'state'): void {
    if (event === 'state') for (const listener of this.#listeners.state) listener();
    else for (const listener of this.#listeners.frame) listener(this.#frame);
  }

  /** The instants that the present time lies between; twice the same if it is at one. */
  #around(): readonly [number, number] {
    const { times } = this.playback;
    const instant = this.#instant;
    return times[instant] === this.#time || instant === times.length - 1 ? [instant, instant] : [instant, instant + 1];
  }

  /** Shows the present time at once if its instants are at hand; else loads them. */
  #want(): void {
    this.#failure = undefined;
    this.#isShown = false;
    if (this.#show()) return;
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
  }

  #show(): boolean {
    const [from, to] = this.#around();
    const [a, b] = [this.#keep(from), this.#keep(to)];
    if (!a || !b) return false;
    this.#frame = a === b ? a : blend(a, b, (this.#time - a.time) / (b.time - a.time));
    this.#isShown = true;
    this.#tell('frame');
    return true;
  }

  /** Loads what is wanted until it is shown; what comes meanwhile is shown too, so that something moves. */
  async #load(): Promise<void> {
    while (!this.#isShown) {
      const [from, to] = this.#around();
      try {
        const a = await this.#fetch(from);
        if (to !== from) await this.#fetch(to);
        if (this.#show()) continue;
        this.#frame = a;
        this.#tell('frame');
      } catch (error) {
        const wanted = this.#around();
        if (wanted[0] !== from || wanted[1] !== to) continue; // nobody wants it any more
        this.#failure = error instanceof Error ? error : new Error(String(error));
        this.#playing = false;
        for (const listener of this.#listeners.error) listener(this.#failure);
        this.#tell('state');
        return;
      }
    }
  }

  async #fetch(instant: number): Promise<Frame> {
    const kept = this.#keep(instant);
    if (kept) return kept;
    let coming = this.#coming.get(instant);
    if (!coming) {
      coming = this.playback.frame(instant).finally(() => this.#coming.delete(instant));
      this.#coming.set(instant, coming);
    }
    const frame = await coming;
    this.#kept.set(instant, frame);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#mostKept) break;
      this.#kept.delete(oldest);
    }
    return frame;
  }

  /** The frame of an instant if it is at hand, which keeps it there. */
  #keep(instant: number): Frame | undefined {
    const frame = this.#kept.get(instant);
    if (!frame) return undefined;
    this.#kept.delete(instant);
    this.#kept.set(instant, frame);
    return frame;
  }

  /** Instants that the next half second of wall time will show, one by one. */
  #fetchAhead(): void {
    if (this.#fetchingAhead) return;
    this.#fetchingAhead = true;
    void this.#ahead().finally(() => {
      this.#fetchingAhead = false;
    });
  }

  async #ahead(): Promise<void> {
    const { times } = this.playback;
    const most = Math.min(MOST_AHEAD, this.#mostKept - 3);
    for (let done = 0; this.#playing && done < most; done++) {
      const reach = instantAt(times, this.#time + AHEAD_SECONDS * this.#speed) + 1;
      const sign = this.#speed < 0 ? -1 : 1;
      let next = this.#instant;
      while (this.#kept.has(next) && next !== reach && Math.abs(next - this.#instant) < most) next += sign;
      if (this.#kept.has(next) || next < 0 || next >= times.length || sign * (next - reach) > 0) return;
      try {
        await this.#fetch(next);
      } catch {
        return; // it is told when it is wanted
      }
    }
  }
}
