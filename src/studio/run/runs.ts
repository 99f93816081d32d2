/** The run that goes on or was made last, and some before it to compare with. */
import type { Scene } from '../../results/scene.js';
import { LivePlayback } from '../../viewer/playback/live-playback.js';
import { Store } from '../document/store.js';
import type { Answer, Asked, ModelSource, ParameterText, PlaySettings, Pull, Rows, RunHead } from './messages.js';
import type { SceneReader } from './scene-reader.js';
import { addRows, recordingLike } from './stream.js';
import type { Work } from './work.js';

/** Earlier runs that stay */
const KEPT = 5;

export type RunPhase = 'none' | 'building' | 'running' | 'paused' | 'ended' | 'failed';

export interface RunNow {
  readonly phase: RunPhase;
  readonly head?: RunHead;
  /** 0 … 1 */
  readonly part: number;
  /** s of the clock per simulated s */
  readonly pace: number;
  readonly step: number;
  /** Why it failed or ended early */
  readonly why?: string;
  readonly isPlay: boolean;
  /** Of the hand, while it holds something */
  readonly pull?: Pull | undefined;
}

export interface KeptRun {
  readonly playback: LivePlayback;
  readonly label: string;
}

export interface RunListener {
  /** The model has been built; what it can be told. */
  built(parameters: readonly ParameterText[]): void;
  /** A run has begun. */
  begun(playback: LivePlayback): void;
  /** Rows were added. @param had how many there were */
  grown(playback: LivePlayback, had: number): void;
  ended(playback: LivePlayback, had: number): void;
  failed(path: string, text: string): void;
}

const NOTHING: RunNow = { phase: 'none', part: 0, pace: 0, step: 0, isPlay: false };

export class Runs {
  readonly now = new Store<RunNow>(NOTHING);
  readonly kept = new Store<readonly KeptRun[]>([]);
  readonly #work: () => Work;
  readonly #listener: RunListener;
  #at: Work | undefined;
  #playback: LivePlayback | undefined;
  #label = '';

  /** @param work who runs the next one: the house, or the sandbox for programs */
  constructor(
    work: () => Work,
    private readonly scenes: SceneReader,
    listener: RunListener,
  ) {
    this.#work = work;
    this.#listener = listener;
  }

  get playback(): LivePlayback | undefined {
    return this.#playback;
  }

  /** @param label how it is told apart from others: `slots = 8` */
  start(source: ModelSource, { label = '', paused = false }: { label?: string; paused?: boolean } = {}): void {
    this.#begin(label, false);
    this.#at!.begin({ kind: 'run', source, paused });
    if (paused) this.#set({ phase: 'paused' });
  }

  play(source: ModelSource, play: PlaySettings): void {
    this.#begin('', true);
    this.#at!.begin({ kind: 'play', source, play });
  }

  #begin(label: string, isPlay: boolean): void {
    this.#keep();
    this.#label = label;
    if (this.#isGoing) this.#at?.end();
    this.#at = this.#work();
    this.#at.listen = (answer) => this.#hear(answer);
    this.now.set({ ...NOTHING, phase: 'building', isPlay });
  }

  /** Is there something to compare with? A run of a tenth or more is. */
  #keep(): void {
    const had = this.#playback;
    if (!had || this.now.value.isPlay || had.times.length < 2) return;
    const kept = [{ playback: had, label: this.#label }, ...this.kept.value.filter(({ playback }) => playback !== had)];
    this.kept.set(kept.slice(0, KEPT));
  }

  /** Another document: nothing of this one is worth comparing. */
  forget(): void {
    if (this.#isGoing) this.#at?.end();
    this.#playback = undefined;
    this.kept.set([]);
    this.now.set(NOTHING);
  }

  dropKept(): void {
    this.kept.set([]);
  }

  get #isGoing(): boolean {
    return ['building', 'running', 'paused'].includes(this.now.value.phase);
  }
  get isGoing(): boolean {
    return this.#isGoing;
  }

  pause(): void {
    if (this.now.value.phase !== 'running') return;
    this.#at?.tell({ kind: 'pause' });
    this.#set({ phase: 'paused' });
  }

  resume(): void {
    if (this.now.value.phase !== 'paused') return;
    this.#at?.tell({ kind: 'resume' });
    this.#set({ phase: 'running' });
  }

  step(): void {
    this.#at?.tell({ kind: 'step' });
    if (this.now.value.phase === 'running') this.#set({ phase: 'paused' });
  }

  async stop(): Promise<void> {
    if (!this.#isGoing) return;
    const heard = await this.#at?.stop(() => !this.#isGoing);
    if (heard || !this.#isGoing) return;
    const playback = this.#playback;
    playback?.end({ state: 'interrupted', hash: '', trust: {} });
    this.#set({
      phase: 'ended',
      why: 'stopped in the middle of a step; the worker was ended, and the recording with it',
    });
    if (playback) this.#listener.ended(playback, playback.times.length);
  }

  tell(...[request]: Parameters<Work['tell']>): void {
    this.#at?.tell(request);
  }

  ask(what: Asked): ReturnType<Work['ask']> {
    return this.#at ? this.#at.ask(what) : Promise.resolve({});
  }

  #set(change: Partial<RunNow>): void {
    this.now.set({ ...this.now.value, ...change });
  }

  #hear(answer: Answer): void {
    if (answer.kind === 'scene' && answer.run) {
      this.#listener.built(answer.parameters);
      this.#open(this.scenes.read(answer, answer.run.title), answer.run);
    } else if (answer.kind === 'rows') this.#add(answer.rows);
    else if (answer.kind === 'end') {
      const playback = this.#playback;
      if (!playback) return;
      const { state, hash, trust, why } = answer.end;
      playback.end({ state, hash, trust });
      this.#set({
        phase: state === 'failed' ? 'failed' : 'ended',
        part: state === 'finished' ? 1 : this.now.value.part,
        ...(why !== undefined && { why }),
      });
      this.#listener.ended(playback, playback.times.length);
    } else if (answer.kind === 'failed') {
      this.#set({ phase: 'failed', why: answer.path ? `${answer.path}: ${answer.text}` : answer.text });
      this.#listener.failed(answer.path, answer.text);
    }
  }

  #open(scene: Scene, head: RunHead): void {
    this.#playback = new LivePlayback(recordingLike(head), scene);
    this.#set({ phase: this.now.value.phase === 'paused' ? 'paused' : 'running', head });
  }

  /** The first rows are the start, without which there is nothing to show. */
  #add(rows: Rows): void {
    const playback = this.#playback;
    if (!playback) return;
    const had = playback.recording.rows;
    addRows(playback.recording, rows);
    const stop = this.now.value.head?.stopTime ?? 0;
    this.#set({
      part: stop > 0 ? Math.min(1, (rows.times.at(-1) ?? 0) / stop) : 0,
      pace: rows.pace,
      step: rows.step,
      pull: rows.pull,
    });
    if (had === 0) this.#listener.begun(playback);
    else this.#listener.grown(playback, had);
  }
}
