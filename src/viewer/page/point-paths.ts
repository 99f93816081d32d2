/**
 * Paths of points over the whole recording: of a body's centre of mass, or of a frame on it. They are read from instants of the recording,
 * so that a path is right wherever the slider was; of a recording of gigabytes it is collected from what is shown instead.
 */
import { rotate } from '../../math/quaternion.js';
import { add, type Vec3 } from '../../math/vec3.js';
import type { Signal } from '../../results/signal.js';
import type { Playback } from '../playback/playback.js';
import type { Stage } from '../stage/stage.js';

const MOST_INSTANTS = 1500; // of a path
const MOST_READ = 2e8; // bytes of the recording
const SHOWN_EVERY = 250; // instants, while it is being read

interface PointPath {
  readonly body: number;
  readonly position: Vec3;
  /** Signals of its place: a frame of a body that deforms is not where the body's pose alone would have it */
  readonly signals?: readonly string[];
}

export class PointPaths {
  readonly #shown = new Map<string, PointPath>();
  readonly #listeners = new Set<() => void>();
  #isDisposed = false;

  constructor(
    private readonly playback: Playback,
    private readonly stage: Pick<Stage, 'setTrail' | 'setDecor'>,
    private readonly failed: (error: Error) => void,
  ) {}

  /** @param frame by its name; the centre of mass without one */
  has(body: number, frame = ''): boolean {
    return this.#shown.has(`${body} ${frame}`);
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  toggle(body: number, frame = ''): void {
    const key = `${body} ${frame}`;
    if (this.#shown.delete(key)) this.stage.setTrail(key, undefined);
    else {
      const { name: owner, centreOfMass, frames } = this.playback.scene.bodies[body];
      const signals = ['x', 'y', 'z'].map((axis) => `${owner}.${frame}.position.${axis}`);
      const isRecorded = signals.every((one) => this.playback.signals.some(({ name }) => name === one));
      const position = frames.find(({ name }) => name === frame)?.pose.position ?? centreOfMass;
      const path: PointPath = { body, position, ...(frame !== '' && isRecorded && { signals }) };
      this.#shown.set(key, path);
      if (!this.#isLarge) this.#read(key, path).catch((error) => this.failed(error));
    }
    if (this.#isLarge) this.stage.setDecor({ trails: [...this.#shown.values()] });
    for (const listener of this.#listeners) listener();
  }

  /** All of them again, of a recording that has grown. */
  refresh(): void {
    if (!this.#isLarge)
      for (const [key, path] of this.#shown) this.#read(key, path).catch((error) => this.failed(error));
  }

  get #isLarge(): boolean {
    return 8 * this.playback.signals.length * this.playback.times.length > MOST_READ;
  }

  async #read(key: string, path: PointPath): Promise<void> {
    const last = this.playback.times.length - 1;
    const count = Math.min(last + 1, MOST_INSTANTS);
    const points = new Float64Array(3 * count);
    const { times } = this.playback;
    const told = path.signals && (await Promise.all(path.signals.map((name) => this.playback.signal(name))));
    for (let i = 0; i < count; i++) {
      const instant = count > 1 ? Math.round((i * last) / (count - 1)) : 0;
      if (told) {
        // of a film a signal may have other rows than its pictures
        const at = (signal: Signal): number =>
          signal.values.length === last + 1 ? signal.values[instant] : signal.valueAt(times[instant]);
        points.set(told.map(at), 3 * i);
      } else {
        const { poses } = await this.playback.frame(instant);
        const [x, y, z, w, a, b, c] = poses.subarray(7 * path.body, 7 * path.body + 7);
        points.set(add([x, y, z], rotate([w, a, b, c], path.position)) as unknown as number[], 3 * i);
      }
      if (this.#isDisposed || this.#shown.get(key) !== path) return;
      if ((i + 1) % SHOWN_EVERY === 0 || i === count - 1) this.stage.setTrail(key, points.slice(0, 3 * (i + 1)));
    }
  }

  dispose(): void {
    this.#isDisposed = true;
  }
}
