/**
 * Surfaces at the time that is shown, with the deformation as often as is chosen and one scale for the whole run. Between two instants every vertex is
 * on the straight line from one to the next, as bodies are: parts that deform stay at the joints that hold them, however slowly one plays.
 */
import type { Playback, SurfaceFrame } from '../playback/playback.js';
import type { Player } from '../playback/player.js';
import type { Stage } from '../stage/stage.js';

/** Instants at hand: the two about the time, and those that come next or were seen last */
const KEPT = 4;

export class MovingSurfaces {
  readonly #playback: Playback;
  readonly #player: Player;
  readonly #stage: Pick<Stage, 'showSurfaces' | 'setSurfaceRanges'>;
  readonly #failed: (error: Error) => void;
  readonly #kept = new Map<number, Promise<readonly SurfaceFrame[]>>();
  #shown = '';
  #loading = false;
  #exaggeration = 1;

  constructor(
    playback: Playback,
    player: Player,
    stage: Pick<Stage, 'showSurfaces' | 'setSurfaceRanges'>,
    failed: (error: Error) => void,
  ) {
    this.#playback = playback;
    this.#player = player;
    this.#stage = stage;
    this.#failed = failed;
    if (playback.scene.surfaces.length > 0)
      playback.surfaceRanges().then((ranges) => stage.setSurfaceRanges(ranges), failed);
  }

  /** How often the deformation of what deforms is drawn */
  get exaggeration(): number {
    return this.#exaggeration;
  }
  set exaggeration(factor: number) {
    this.#exaggeration = factor;
    this.#kept.clear();
    this.show();
  }

  show(): void {
    if (this.#playback.scene.surfaces.length === 0 || this.#loading) return;
    this.#loading = true;
    this.#load()
      .catch(this.#failed)
      .finally(() => {
        this.#loading = false;
      });
  }

  /** Until what is shown is what is wanted now: what comes late is shown all the same, so that something moves. */
  async #load(): Promise<void> {
    for (;;) {
      const { times } = this.#playback; // a run that goes on has more of them each time
      const { instant, time } = this.#player;
      const factor = this.#exaggeration;
      const wish = `${instant} ${time} ${factor}`;
      if (wish === this.#shown) return;
      const next = time > times[instant] && instant + 1 < times.length ? instant + 1 : instant;
      const part = next > instant ? (time - times[instant]) / (times[next] - times[instant]) : 0;
      const [from, to] = await Promise.all([this.#at(instant), this.#at(next)]);
      if (factor !== this.#exaggeration) continue;
      this.#stage.showSurfaces(part > 0 ? from.map((frame, s) => between(frame, to[s], part)) : from);
      this.#shown = wish;
    }
  }

  #at(instant: number): Promise<readonly SurfaceFrame[]> {
    let frames = this.#kept.get(instant);
    if (frames) this.#kept.delete(instant);
    else {
      frames = this.#playback.surfaces(instant, this.#exaggeration);
      frames.catch(() => this.#kept.delete(instant)); // it is told; the next wish tries again
    }
    this.#kept.set(instant, frames);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= KEPT) break;
      this.#kept.delete(oldest);
    }
    return frames;
  }
}

function between(a: SurfaceFrame, b: SurfaceFrame, part: number): SurfaceFrame {
  const mix = (from: Float64Array, to: Float64Array): Float64Array =>
    from.length === to.length ? from.map((x, i) => (1 - part) * x + part * to[i]) : from;
  return { vertices: mix(a.vertices, b.vertices), values: mix(a.values, b.values) };
}
