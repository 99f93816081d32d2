/**
 * Runs a model inside a worker, in slices so that it can be told to pause, step or stop, and sends what has been recorded. Who builds the model is told from outside: the
 * house worker from data, the sandbox from a program.
 */
import { ModelError } from '../../errors.js';
import { TIME_STEPPING } from '../../integration/method-name.js';
import { modelFromJson } from '../../model/json.js';
import { modelToJson } from '../../model/json-write.js';
import type { Model } from '../../model/model.js';
import { firstDifference } from '../../model/same-model.js';
import { csvText } from '../../results/csv.js';
import { writeHdf5 } from '../../results/hdf5/write.js';
import { sceneBytes } from '../../results/scene/scene-bytes.js';
import { sceneOf } from '../../results/scene/scene-of.js';
import type { Scene } from '../../results/scene.js';
import { MemoryFile } from '../../results/writable-file.js';
import type { Grip, Hand } from '../../simulation/hand.js';
import { Simulation } from '../../simulation/simulation.js';
import { filmBytes } from '../../viewer/playback/film.js';
import { creasedMesh } from '../../viewer/stage/creases.js';
import type { JsonModel } from '../document/document.js';
import {
  type Answer,
  type HandAct,
  type ModelSource,
  type ParameterText,
  type PlaySettings,
  type Request,
  type RunHead,
  STEPS_PER_ROW,
  type WrittenScene,
} from './messages.js';
import { PlayPast } from './play-past.js';
import { buffersOf, RowSender } from './stream.js';

/** ms of work at a time, and between two messages at least */
const SLICE = 8;
const BETWEEN = 1000 / 60;
const FILM_BUDGET = 5e6;
/** s, as long as a play may go on */
const LONGEST_PLAY = 600;

type SceneAnswer = Extract<Answer, { readonly kind: 'scene' }>;

export interface BuiltModel {
  readonly model: Model;
  readonly parameters: readonly ParameterText[];
}

export interface RunnerPlace {
  post(answer: Answer, transfer: ArrayBuffer[]): void;
  build(source: ModelSource): Promise<BuiltModel>;
  readonly versions: Readonly<Record<string, string>>;
  /** What `tippetop explain` would say */
  explain?(model: Model): string;
}

export class Runner {
  readonly #place: RunnerPlace;
  #built: { readonly key: string; readonly built: BuiltModel } | undefined;
  #run: Simulation | undefined;
  #model: Model | undefined;
  #sender: RowSender | undefined;
  #number = 0;
  #isPaused = false;
  #isLooping = false;
  #isEnded = true;
  /** s that a play may compute; a run may compute all */
  #until = Number.POSITIVE_INFINITY;
  #lastSent = 0;
  #pace = 0;
  readonly #past = new PlayPast();
  readonly #grips = new Map<number, Grip>();

  constructor(place: RunnerPlace) {
    this.#place = place;
  }

  async receive(request: Request): Promise<void> {
    try {
      await this.#answer(request);
    } catch (error) {
      this.#fail('number' in request ? request.number : this.#number, error);
    }
  }

  async #answer(request: Request): Promise<void> {
    switch (request.kind) {
      case 'build': {
        const { model, parameters } = await this.#build(request.source);
        this.#post({ kind: 'scene', number: request.number, ...sceneParts(sceneOf(model)), parameters });
        return;
      }
      case 'run':
        this.#isPaused = request.paused === true;
        return this.#start(request.number, request.source, { stopTime: request.stopTime });
      case 'play':
        this.#isPaused = false;
        return this.#start(request.number, request.source, { play: request.play });
      case 'pause':
        this.#isPaused = true;
        this.#send();
        return;
      case 'resume':
        this.#isPaused = false;
        return this.#loop();
      case 'step':
        this.#isPaused = true;
        this.#step();
        return;
      case 'stop':
        if (!this.#isEnded) this.#finish('interrupted');
        return;
      case 'until':
        this.#until = request.time;
        return this.#loop();
      case 'hand':
        this.#hand(request.note);
        return;
      case 'check': {
        const problem = await this.#place.build(request.source).then(() => undefined, problemOf);
        this.#post({ kind: 'answer', number: request.number, text: problem ? JSON.stringify(problem) : '' });
        return;
      }
      case 'write': {
        const { model } = await this.#build(request.source);
        this.#post({ kind: 'answer', number: request.number, text: JSON.stringify(await writtenScene(model)) });
        return;
      }
      case 'ask':
        return this.#tell(request.number, request.what);
    }
  }

  /** Once for equal sources: a run after a picture needs no second building. */
  async #build(source: ModelSource): Promise<BuiltModel> {
    const key = JSON.stringify(source, (_, value) => (value instanceof Uint8Array ? undefined : value));
    if (this.#built?.key !== key) this.#built = { key, built: await this.#place.build(source) };
    return this.#built.built;
  }

  async #start(
    number: number,
    source: ModelSource,
    { stopTime, play }: { stopTime?: number | undefined; play?: PlaySettings },
  ): Promise<void> {
    this.#number = number;
    const had = this.#run;
    this.#run = this.#sender = undefined;
    this.#isEnded = true;
    this.#grips.clear();
    const before = this.#model;
    const { model, parameters } = await this.#build(source);
    if (this.#number !== number) return;
    const past = model === before && play?.liveFrom !== undefined ? this.#past.back(had, play.liveFrom) : undefined;
    const given = source.kind === 'scene' ? {} : source.parameters;
    const values = Object.fromEntries(
      parameters.map(({ name, default: usual, defaultText }) => [name, given[name] ?? usual ?? defaultText]),
    );
    const origin = { title: model.title, parameters: values, versions: this.#place.versions };
    this.#model = model;
    if (!past) this.#past.forget();
    past?.hand?.doAgain(play?.notes ?? []);
    const run =
      past ??
      (play
        ? new Simulation(model, {
            origin,
            integrator: TIME_STEPPING,
            step: play.step,
            interval: STEPS_PER_ROW * play.step,
            stopTime: play.stopTime ?? LONGEST_PLAY,
            maxTime: LONGEST_PLAY,
            ...(play.notes && { handling: play.notes }),
          })
        : new Simulation(model, { origin, ...(stopTime !== undefined && { stopTime }) }));
    this.#run = run;
    this.#isEnded = false;
    const { recording } = run;
    this.#sender = new RowSender(recording);
    this.#until = play && play.stopTime === undefined ? (play.liveFrom ?? 0) : Number.POSITIVE_INFINITY;
    const head: RunHead = {
      title: recording.title,
      stopTime: run.stopTime,
      signals: recording.signals,
      tables: recording.tables.map(({ name, columns }) => ({ name, columns })),
      parameters: values,
      versions: this.#place.versions,
      warnings: run.warnings,
      ...(run.hand && whatMoves(run, run.hand)),
    };
    const scene = recording.scene ?? sceneOf(model);
    this.#post({ kind: 'scene', number, ...sceneParts(scene), parameters, run: head });
    this.#send();
    await this.#loop();
  }

  async #loop(): Promise<void> {
    if (this.#isLooping) return;
    this.#isLooping = true;
    try {
      let run = this.#run;
      while (run && !this.#isEnded && !this.#isPaused && run.time < this.#until) {
        const [started, from] = [performance.now(), run.time];
        const end = started + SLICE;
        run.advance(Math.min(run.stopTime, this.#until), () => performance.now() >= end);
        const took = (performance.now() - started) / 1000;
        if (run.time > from) this.#pace = took / (run.time - from);
        const isDone = run.finished || run.interruption !== undefined;
        if (isDone) {
          this.#finish(run.finished ? 'finished' : 'interrupted', run.interruption);
          return;
        }
        if (performance.now() - this.#lastSent >= BETWEEN || run.time >= this.#until) this.#send();
        if (this.#until < Number.POSITIVE_INFINITY) this.#past.keep(run);
        await breath();
        run = this.#run;
      }
    } catch (error) {
      this.#finish('failed', error instanceof Error ? error.message : String(error));
    } finally {
      this.#isLooping = false;
    }
  }

  /** On to the next row, at least one step of the integrator */
  #step(): void {
    const run = this.#run;
    if (!run || this.#isEnded) return;
    const { rows } = run.recording;
    let more = true;
    while (more && run.recording.rows === rows) more = run.advance(run.stopTime, () => true);
    if (!more) this.#finish(run.finished ? 'finished' : 'interrupted', run.interruption);
    else this.#send();
  }

  #hand({ action, grip = 0, body, point, joint, speed }: HandAct): void {
    const run = this.#run;
    if (!run || this.#isEnded) return;
    if (action === 'gravity') run.hand?.setGravity(point!);
    else if (action === 'drive') run.hand?.drive(joint ?? '', speed ?? 0);
    else if (action === 'grab') this.#grips.set(grip, run.grab(body ?? '', point!));
    else if (action === 'move') this.#grips.get(grip)?.moveTo(point!);
    else {
      this.#grips.get(grip)?.release();
      this.#grips.delete(grip);
    }
  }

  #send(): void {
    const sender = this.#sender;
    if (!sender || sender.waiting === 0) return;
    this.#lastSent = performance.now();
    const run = this.#run;
    const pull = run?.hand?.pull;
    const rows = { ...sender.take(this.#pace, run?.statistics.lastStep ?? 0), ...(pull && { pull }) };
    this.#place.post({ kind: 'rows', number: this.#number, rows }, buffersOf(rows));
  }

  #finish(state: 'finished' | 'interrupted' | 'failed', why?: string): void {
    const run = this.#run;
    if (!run || this.#isEnded) return;
    this.#isEnded = true;
    const recording = run.finish(state);
    this.#send();
    const { hash, trust, events } = recording;
    this.#post({
      kind: 'end',
      number: this.#number,
      end: { state, hash, trust, events, ...(why !== undefined && { why }) },
    });
  }

  async #tell(number: number, what: string): Promise<void> {
    const recording = this.#run?.recording;
    if (what === 'explain') {
      const text = this.#model && this.#place.explain?.(this.#model);
      this.#post({ kind: 'answer', number, text: text ?? '' });
      return;
    }
    if (!recording) throw new ModelError('run', 'there is no recording yet; run the model first');
    if (what === 'csv') this.#post({ kind: 'answer', number, text: [...csvText(recording)].join('') });
    else if (what === 'notes') {
      const notes = this.#run?.hand?.notes ?? [];
      this.#post({ kind: 'answer', number, text: JSON.stringify(notes) });
    } else if (what === 'film') {
      this.#post({ kind: 'answer', number, bytes: filmBytes(recording, { budget: FILM_BUDGET }) });
    } else {
      const file = new MemoryFile();
      await writeHdf5(recording, file);
      this.#post({ kind: 'answer', number, bytes: file.bytes() });
    }
  }

  #fail(number: number, error: unknown): void {
    // what is not the model's mistake is ours, and the console has where
    if (!(error instanceof ModelError)) console.error(error);
    this.#post({ kind: 'failed', number, ...problemOf(error) });
  }

  #post(answer: Answer): void {
    this.#place.post(answer, []);
  }
}

function problemOf(error: unknown): { readonly path: string; readonly text: string } {
  const text = error instanceof Error ? error.message : String(error);
  const path = error instanceof ModelError ? error.path : '';
  return { path, text: path ? text.slice(path.length + 2) : text };
}

/** The model as data, read again to see that it is the same: what is not, and was not told, is told here. */
async function writtenScene(model: Model): Promise<WrittenScene> {
  const { model: data, lost } = modelToJson(model);
  const again = await modelFromJson(JSON.parse(JSON.stringify(data)));
  const told = [...lost];
  for (;;) {
    const path = firstDifference(
      model,
      again,
      told.map((one) => one.path),
    );
    if (path === undefined || told.length > lost.length + 20)
      return { model: data as unknown as JsonModel, lost: told };
    told.push({ path, why: 'is not quite the same as data' });
  }
}

/** As bytes, and how its shapes look: found here, where nobody waits for the page */
const sceneParts = (scene: Scene): { readonly scene: Uint8Array; readonly creases: SceneAnswer['creases'] } => ({
  scene: sceneBytes(scene),
  creases: scene.shapes.map((shape) =>
    shape.form === 'sphere' || shape.form === 'halfSpace' ? undefined : creasedMesh(shape),
  ),
});

/** Gravity and driven joints, which a hand can turn */
const whatMoves = ({ system }: Simulation, hand: Hand): Pick<RunHead, 'gravity' | 'motors'> => ({
  ...(system.gravity.kind === 'uniform' && { gravity: system.gravity.acceleration }),
  motors: [...hand.driven.keys()].map((joint) => ({ joint, speed: hand.speedOf(joint) })),
});

/** Lets messages in; quicker than a timer, which browsers hold back. */
function breath(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });
}
