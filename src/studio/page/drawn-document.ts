/** The document as a scene: a worker builds it after each change, late answers are dropped, and the eye goes to what is new. */
import { add, scale, sub, type Vec3 } from '../../math/vec3.js';
import type { Scene } from '../../results/scene.js';
import type { Problem } from '../activity.js';
import { cornersOf } from '../build/place-on-floor.js';
import type { JsonModel, StudioDocument } from '../document/document.js';
import { Store } from '../document/store.js';
import type { ParameterText } from '../run/messages.js';
import type { SceneReader } from '../run/scene-reader.js';
import { Work, type WorkerLike } from '../run/work.js';
import type { Drawing } from './drawing.js';
import type { ModelRunners } from './model-runners.js';

interface DrawingDesk {
  document(): StudioDocument;
  /** A run is what is to be seen, not the document */
  isRunShown(): boolean;
  built(parameters: readonly ParameterText[]): void;
  refused(path: string, text: string): void;
}

export class DrawnDocument {
  readonly #builder: Work;
  /** What the picture is of, or will be when the worker has answered */
  #asked: StudioDocument['source'] | undefined;
  /** What the worker was last handed; another than asked for while its files are being read */
  #handed: StudioDocument['source'] | undefined;
  #scene: Scene | undefined;
  readonly #isBuilding = new Store(false);
  readonly #watched = new Set<string>();
  /** Nothing of this document has been shown yet: the eye goes to it */
  isFresh = true;

  constructor(
    startWorker: () => WorkerLike,
    scenes: SceneReader,
    private readonly runners: ModelRunners,
    private readonly drawing: Drawing,
    private readonly desk: DrawingDesk,
  ) {
    this.#builder = new Work(startWorker);
    this.#builder.listen = (answer) => {
      if (answer.kind === 'scene') {
        desk.built(answer.parameters);
        this.#scene = scenes.read(answer, desk.document().title);
        this.#show(this.#scene);
      } else if (answer.kind === 'failed') desk.refused(answer.path, answer.text);
      else return;
      // the answer to an earlier one is shown, but whoever waits waits for the one that was asked for
      if (this.#handed === this.#asked) this.#isBuilding.set(false);
    };
  }

  /** Another document takes the place of this one. */
  forget(): void {
    this.isFresh = true;
    this.#asked = this.#scene = undefined;
  }

  isOf({ source }: StudioDocument): boolean {
    return this.#asked === source;
  }

  /** The picture is as it should be without the worker: a run shows it */
  skip({ source }: StudioDocument): void {
    this.#asked = source;
    this.#isBuilding.set(false);
  }

  async build(document: StudioDocument): Promise<void> {
    this.#asked = document.source;
    this.#isBuilding.set(true);
    const source = await this.runners.sourceOf(document);
    if (this.#asked !== document.source) return; // the one after it is being built
    // A program is not run for a picture of it: only when it is asked for.
    if (source.kind === 'code') this.#isBuilding.set(false);
    else {
      this.#handed = document.source;
      this.#builder.begin({ kind: 'build', source });
    }
  }

  /** The scene of the document as it is now, when the worker has answered; of a wrong one, the last that was right */
  async scene(): Promise<Scene | undefined> {
    if (this.#isBuilding.value)
      await new Promise<void>((resolve) => {
        const stop = this.#isBuilding.onChange(() => {
          stop();
          resolve();
        });
      });
    return this.#scene;
  }

  async mistakeIn(model: JsonModel): Promise<Problem | undefined> {
    const source = await this.runners.sourceOf({ ...this.desk.document(), source: { kind: 'scene', model } });
    return this.#builder.mistakeIn(source);
  }

  /** The next time it is drawn, this body is to be seen. */
  watch(body: string): void {
    this.#watched.add(body);
  }

  #show(scene: Scene): void {
    if (this.desk.isRunShown()) return;
    // The eye stays after an edit, but goes to the first part of an empty scene, and back from where a new part cannot be seen
    const before = this.drawing.session.value?.playback.scene.bodies ?? [];
    const wasEmpty = !before.some(({ fixed }) => !fixed);
    const { isFresh } = this;
    this.drawing.showScene(scene, isFresh || wasEmpty);
    this.isFresh = false;
    const had = new Set(before.map(({ name }) => name));
    const added = scene.bodies.filter(({ name }) => !had.has(name) || this.#watched.delete(name));
    const corners = added.flatMap(({ name }) => cornersOf(scene, name));
    const { stage } = this.drawing;
    if (isFresh) return;
    if (wasEmpty && corners.length > 0) stage?.fitPoints(Float64Array.from(roomAround(corners).flat()), false);
    else if (!this.drawing.sees(corners)) stage?.fit();
  }
}

/** Points half as far again from their middle: the first part of a scene does not fill the view, for there will be others. */
function roomAround(points: readonly Vec3[]): Vec3[] {
  const middle = scale(1 / points.length, points.reduce(add, [0, 0, 0]));
  return points.map((point) => add(middle, scale(1.5, sub(point, middle))));
}
