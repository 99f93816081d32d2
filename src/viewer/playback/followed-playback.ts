/**
 * A recording that may still be growing. The viewer holds this one playback; behind it stands the file as it was when it was last looked
 * at. What was read of earlier instants stays right, because a run only adds to its recording.
 */
import type { Playback } from './playback.js';

export class FollowedPlayback implements Playback {
  #now: Playback;
  readonly scene: Playback['scene'];

  constructor(first: Playback) {
    this.#now = first;
    this.scene = first.scene;
  }

  /** Shows a later state of the file from now on. @returns false, and changes nothing, if that is another run */
  goOn(next: Playback): boolean {
    if (!isContinued(this.#now, next)) return false;
    this.#now.close();
    this.#now = next;
    return true;
  }

  get title(): string {
    return this.#now.title;
  }
  get times(): Float64Array {
    return this.#now.times;
  }
  get signals(): Playback['signals'] {
    return this.#now.signals;
  }
  get events(): Playback['events'] {
    return this.#now.events;
  }
  get parameters(): Playback['parameters'] {
    return this.#now.parameters;
  }
  get versions(): Playback['versions'] {
    return this.#now.versions;
  }
  get trust(): Playback['trust'] {
    return this.#now.trust;
  }
  get state(): Playback['state'] {
    return this.#now.state;
  }
  get hash(): string {
    return this.#now.hash;
  }
  get pairs(): readonly string[] {
    return this.#now.pairs;
  }
  frame: Playback['frame'] = (instant) => this.#now.frame(instant);
  signal: Playback['signal'] = (name, progress) => this.#now.signal(name, progress);
  contacts: Playback['contacts'] = (instant) => this.#now.contacts(instant);
  contactForces: Playback['contactForces'] = (pairs, progress) => this.#now.contactForces(pairs, progress);
  get deforms(): boolean {
    return this.#now.deforms;
  }
  surfaces: Playback['surfaces'] = (instant, exaggeration) => this.#now.surfaces(instant, exaggeration);
  surfaceRanges: Playback['surfaceRanges'] = () => this.#now.surfaceRanges();
  grains: Playback['grains'] = (instant) => this.#now.grains(instant);
  close(): void {
    this.#now.close();
  }
}

/** The same model with the same parameters and versions computes the same, to the bit: then a longer recording is the same run. */
function isContinued(had: Playback, next: Playback): boolean {
  const origin = ({ title, parameters, versions, signals, scene, pairs }: Playback, known: number): string =>
    JSON.stringify([
      title,
      parameters,
      versions,
      signals.map(({ name }) => name),
      scene.bodies.map(({ name, pose }) => [name, pose]),
      pairs.slice(0, known),
    ]);
  return (
    had.state === 'running' &&
    next.times.length >= had.times.length &&
    had.times.every((time, i) => time === next.times[i]) &&
    origin(had, had.pairs.length) === origin(next, had.pairs.length)
  );
}
