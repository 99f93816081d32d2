/** Surfaces of the instant that is shown, with the deformation as often as is chosen and one scale for the whole run. */
import type { Playback } from '../playback/playback.js';
import type { Player } from '../playback/player.js';
import type { Stage } from '../stage/stage.js';

export class MovingSurfaces {
  readonly #playback: Playback;
  readonly #player: Player;
  readonly #stage: Stage;
  readonly #failed: (error: Error) => void;
  #instant = -1;
  #exaggeration = 1;

  constructor(playback: Playback, player: Player, stage: Stage, failed: (error: Error) => void) {
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
    this.#instant = -1;
    this.show();
  }

  show(): void {
    const { instant } = this.#player;
    if (this.#playback.scene.surfaces.length === 0 || instant === this.#instant) return;
    this.#instant = instant;
    const factor = this.#exaggeration;
    this.#playback.surfaces(instant, factor).then((frames) => {
      if (this.#instant === instant && this.#exaggeration === factor) this.#stage.showSurfaces(frames);
    }, this.#failed);
  }
}
