/** The page's side of a worker: one that draws models, and one that runs them and is ended when it does not listen. */
import type { Answer, Asked, ModelSource, Request, SourceFile, WrittenScene } from './messages.js';

/** ms a worker has to hear that it is to stop; a single step may take longer. */
const PATIENCE = 200;

export interface WorkerLike {
  postMessage(request: Request, transfer?: Transferable[]): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<Answer>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

export class Work {
  readonly #start: () => WorkerLike;
  #worker: WorkerLike | undefined;
  #number = 0;
  /** Hashes of files that the worker has */
  readonly #posted = new Set<string>();
  readonly #asked = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>();
  /** Told of all that is of the last question */
  listen: (answer: Answer) => void = () => undefined;

  constructor(start: () => WorkerLike) {
    this.#start = start;
  }

  /** One that is ready costs a third of a second; it is started before it is needed. */
  warm(): void {
    if (this.#worker) return;
    const worker = this.#start();
    worker.onmessage = ({ data }) => this.#hear(data);
    worker.onerror = (event) => {
      event.preventDefault?.();
      this.listen({
        kind: 'failed',
        number: this.#number,
        path: '',
        text: `the worker failed: ${event.message || 'it could not be started'}`,
      });
    };
    this.#worker = worker;
  }

  #hear(answer: Answer): void {
    if (answer.kind === 'ready') return;
    const waiting = this.#asked.get(answer.number);
    if (waiting) {
      this.#asked.delete(answer.number);
      if (answer.kind === 'failed')
        waiting.reject(new Error(answer.path ? `${answer.path}: ${answer.text}` : answer.text));
      else waiting.resolve(answer);
    } else if (answer.number === this.#number) this.listen(answer);
  }

  /** Answers to what was asked before are heard no longer. @returns the number of the question */
  begin(
    request: Extract<Request, { number: number }> extends infer Known ? DistributedOmit<Known, 'number'> : never,
  ): number {
    this.warm();
    const number = ++this.#number;
    this.#post({ ...request, number } as Request);
    return number;
  }

  /** Files go along once: an edit of a scene with a large one posts its hash. */
  #post(request: Request): void {
    if (!('source' in request) || request.source.kind !== 'scene') {
      this.#worker?.postMessage(request);
      return;
    }
    const files = Object.fromEntries(
      Object.entries(request.source.files).map(([name, file]): [string, SourceFile] => {
        const { hash } = file;
        if (this.#posted.has(hash)) return [name, { hash }];
        if (file.bytes) this.#posted.add(hash);
        return [name, file];
      }),
    );
    this.#worker?.postMessage({ ...request, source: { ...request.source, files } });
  }

  tell(request: Exclude<Request, { number: number }>): void {
    this.#worker?.postMessage(request);
  }

  /** Of the recording that the worker holds */
  ask(what: Asked): Promise<{ readonly bytes?: Uint8Array; readonly text?: string }> {
    return this.#question((number) => ({ kind: 'ask', number, what }));
  }

  /** What a source builds, as data */
  async write(source: ModelSource): Promise<WrittenScene> {
    const { text = '' } = await this.#question((number) => ({ kind: 'write', number, source }));
    return JSON.parse(text) as WrittenScene;
  }

  /** What is wrong with a model; undefined if it can be built */
  async mistakeIn(source: ModelSource): Promise<{ readonly path: string; readonly text: string } | undefined> {
    const { text = '' } = await this.#question((number) => ({ kind: 'check', number, source }));
    return text === '' ? undefined : (JSON.parse(text) as { readonly path: string; readonly text: string });
  }

  async #question(
    request: (number: number) => Request,
  ): Promise<{ readonly bytes?: Uint8Array; readonly text?: string }> {
    this.warm();
    const number = -1 - this.#asked.size - Math.floor(performance.now());
    const answer = new Promise<Answer>((resolve, reject) => this.#asked.set(number, { resolve, reject }));
    this.#post(request(number));
    const heard = await answer;
    return heard.kind === 'answer' ? heard : {};
  }

  /** Ends the run; a worker that does not hear it within a moment is ended with it. @returns whether it heard */
  async stop(ended: () => boolean): Promise<boolean> {
    this.tell({ kind: 'stop' });
    const from = performance.now();
    while (!ended() && performance.now() - from < PATIENCE) await new Promise((resolve) => setTimeout(resolve, 10));
    if (ended()) return true;
    this.end();
    return false;
  }

  end(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#posted.clear();
    for (const { reject } of this.#asked.values()) reject(new Error('the run was ended'));
    this.#asked.clear();
  }
}

type DistributedOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never;
