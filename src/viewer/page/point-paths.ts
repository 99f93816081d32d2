/**
 * Paths of points over the whole recording: of a body's centre of mass, or of a frame on it. They are read from instants of the recording,
 * so that a path is right wherever the slider was; of a recording of gigabytes it is collected from what is shown instead.
 */
import { rotate } from '../../math/quaternion.js';
import { add, type Vec3 } from '../../math/vec3.js';
import type { Playback } from '../playback/playback.js';
import type { Stage } from '../stage/stage.js';

const MOST_INSTANTS = 1500; // of a path
const MOST_READ = 2e8; // bytes of the recording
const SHOWN_EVERY = 250; // instants, while it is being read

interface PointPath {
  readonly body: number;
  readonly position: Vec3;
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
      const { centreOfMass, frames } = this.playback.scene.bodies[body];
      const path = { body, position: frames.find(({ name }) => name === frame)?.pose.position ?? centreOfMass };
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
    for (let i = 0; i < count; i++) {
      const { poses } = await this.playback.frame(count > 1 ? Math.round((i * last) / (count - 1)) : 0);
      if (this.#isDisposed || this.#shown.get(key) !== path) return;
      const [x, y, z, w, a, b, c] = poses.subarray(7 * path.body, 7 * path.body + 7);
      points.set(add([x, y, z], rotate([w, a, b, c], path.position)) as unknown as number[], 3 * i);
      if ((i + 1) % SHOWN_EVERY === 0 || i === count - 1) this.stage.setTrail(key, points.slice(0, 3 * (i + 1)));
    }
  }

  dispose(): void {
    this.#isDisposed = true;
  }
}
