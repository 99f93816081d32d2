/**
 * Runs on all cores of this machine: child processes that are kept, each with one batch of runs at a time. A run that crashes or hangs takes only its own process;
 * it becomes an outcome that says so, and the others go on. Threads would do with less, but a run that eats all memory would end them all.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import type { Outcome, Task } from '../../studies/run-task.js';

/** To a child and back. Its first message is its setup, which it answers by `ready` or `refused`. */
export type ToChild =
  | { readonly kind: 'setup'; readonly setup: unknown }
  | { readonly kind: 'runs'; readonly tasks: readonly Task[] };
export type FromChild =
  | { readonly kind: 'ready' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'outcomes'; readonly outcomes: readonly Outcome[]; readonly memory: number };

export interface RunPoolOptions {
  /** The child's program */
  readonly script: URL | string;
  readonly setup: unknown;
  /** Processes; one per processor unless given */
  readonly size?: number | undefined;
  /** For one run, s; 20 times the median so far and at least 10 s unless given */
  readonly seconds?: number | undefined;
  /** Of the heap of a child, MB */
  readonly memory?: number | undefined;
}

/** Runs shorter than this, s, go in batches */
const SHORT = 5e-3;
const BATCH = 16;
const LEAST_LIMIT = 10; // s
const FIRST_LIMIT = 86_400; // s
const KNOWN_FROM = 3;
const LOOK = 100; // ms
const LIMIT_FACTOR = 20;
/** A child is replaced after so many runs, or when it has grown by half and this many bytes */
const MOST_RUNS = 20_000;
const GROWTH = 1.5;
const MUCH = 150e6;
const STANDARD_MEMORY = 2048;
/** A process that is not ready after so long, ms, is taken for stuck and started again, three times at most */
const START = 60_000;

interface Waiting {
  readonly task: Task;
  readonly alone: boolean;
  readonly done: (outcome: Outcome) => void;
}

interface Slot {
  child: ChildProcess | undefined;
  ready: boolean;
  batch: readonly Waiting[];
  began: number;
  timer: NodeJS.Timeout | undefined;
  /** Why we end it, if we do */
  ending: 'limit' | undefined;
  stderr: string;
  runs: number;
  /** Bytes after the first runs */
  memory: number;
}

export class RunPool {
  readonly size: number;
  private readonly options: RunPoolOptions;
  private readonly slots: Slot[];
  private readonly waiting: Waiting[] = [];
  private next = 0;
  private closed = false;
  private readonly durations: number[] = [];
  private refusal: Error | undefined;
  private readonly refused: ((error: Error) => void)[] = [];
  private failedStarts = 0;

  constructor(options: RunPoolOptions) {
    this.options = options;
    this.size = options.size ?? availableParallelism();
    this.slots = Array.from({ length: this.size }, () => ({
      child: undefined,
      ready: false,
      batch: [],
      began: 0,
      timer: undefined,
      ending: undefined,
      stderr: '',
      runs: 0,
      memory: 0,
    }));
  }

  /** Computes a run; rejects only where the children cannot start at all */
  run(task: Task): Promise<Outcome> {
    if (this.refusal) return Promise.reject(this.refusal);
    return new Promise((done, reject) => {
      this.waiting.push({ task, alone: false, done });
      this.refused.push(reject);
      if (this.refused.length > 50_000) this.refused.splice(0, 25_000);
      queueMicrotask(() => this.dispatch());
    });
  }

  /** Median of the last runs, s; NaN before the first */
  get median(): number {
    const sorted = [...this.durations].sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  }

  /** What one run may take, s */
  get limit(): number {
    if (this.options.seconds !== undefined) return this.options.seconds;
    // nothing is known of how long runs take until some have come through
    if (this.durations.length < KNOWN_FROM) return FIRST_LIMIT;
    return Math.max(LEAST_LIMIT, LIMIT_FACTOR * this.median);
  }

  /** Ends all children; runs on their way are lost */
  close(): void {
    this.closed = true;
    for (const slot of this.slots) {
      clearTimeout(slot.timer);
      slot.child?.kill('SIGKILL');
    }
  }

  private get left(): number {
    return this.waiting.length - this.next;
  }

  private dispatch(): void {
    if (this.closed) return;
    for (const slot of this.slots) {
      if (this.left === 0) return;
      if (slot.batch.length > 0) continue;
      if (!slot.child) {
        // a process more only where there is work for it beyond what those that start will take
        const starting = this.slots.filter((other) => other.child && other.batch.length === 0 && !other.ready).length;
        if (starting < this.left) this.start(slot);
        continue;
      }
      if (slot.ready) this.give(slot);
    }
  }

  private give(slot: Slot): void {
    const short = this.durations.length >= BATCH && this.median < SHORT;
    const most = short ? Math.max(1, Math.min(BATCH, Math.ceil(this.left / this.size))) : 1;
    const batch: Waiting[] = [];
    while (batch.length < most && this.left > 0) {
      const one = this.waiting[this.next];
      if (one.alone && batch.length > 0) break;
      this.next++;
      batch.push(one);
      if (one.alone) break;
    }
    if (this.next > 10_000) {
      this.waiting.splice(0, this.next);
      this.next = 0;
    }
    slot.batch = batch;
    slot.began = performance.now();
    // a batch of short runs has the limit of one: whoever hangs in it is found when they run again one by one
    slot.timer = setInterval(() => {
      // the limit may have become known only while it runs
      if (performance.now() - slot.began < 1000 * this.limit) return;
      clearInterval(slot.timer);
      slot.ending = 'limit';
      slot.child?.kill('SIGKILL');
    }, LOOK);
    slot.child!.send({ kind: 'runs', tasks: batch.map(({ task }) => task) } satisfies ToChild);
  }

  private start(slot: Slot): void {
    const { script, setup, memory = STANDARD_MEMORY } = this.options;
    const child = fork(script, [], {
      execArgv: [`--max-old-space-size=${Math.round(memory)}`, '--expose-gc'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced', // JSON has neither NaN nor −0
    });
    Object.assign(slot, { child, ready: false, stderr: '', runs: 0, memory: 0, ending: undefined });
    child.stderr!.on('data', (text: Buffer) => {
      slot.stderr = (slot.stderr + text.toString()).slice(-4000);
    });
    child.on('message', (message: FromChild) => this.hear(slot, child, message));
    child.on('error', () => undefined); // an exit follows
    child.on('exit', (code, signal) => this.ended(slot, child, code, signal));
    slot.timer = setTimeout(() => child.kill('SIGKILL'), START);
    child.send({ kind: 'setup', setup } satisfies ToChild);
  }

  private hear(slot: Slot, child: ChildProcess, message: FromChild): void {
    if (slot.child !== child) return;
    if (message.kind === 'refused') {
      this.refuse(new Error(message.message));
      return;
    }
    if (message.kind === 'ready') {
      clearTimeout(slot.timer);
      slot.ready = true;
      this.failedStarts = 0;
      this.dispatch();
      return;
    }
    clearTimeout(slot.timer);
    const { batch } = slot;
    slot.batch = [];
    slot.runs += batch.length;
    for (const { seconds } of message.outcomes) {
      this.durations.push(seconds);
      if (this.durations.length > 101) this.durations.shift();
    }
    if (slot.memory === 0 && slot.runs >= 50) slot.memory = message.memory;
    const grown = slot.memory > 0 && message.memory > GROWTH * slot.memory && message.memory > slot.memory + MUCH;
    if (grown || slot.runs >= MOST_RUNS) {
      slot.child = undefined;
      child.kill('SIGKILL');
    }
    batch.forEach(({ done }, i) => {
      done(message.outcomes[i]);
    });
    this.dispatch();
  }

  private ended(slot: Slot, child: ChildProcess, code: number | null, signal: NodeJS.Signals | null): void {
    if (slot.child !== child) return;
    clearTimeout(slot.timer);
    const { batch, ready, ending, stderr } = slot;
    slot.child = undefined;
    slot.batch = [];
    if (this.closed) return;
    if (!ready && ++this.failedStarts >= 3) {
      this.refuse(new Error(`the processes that run the study cannot start${stderr ? `: ${lastLine(stderr)}` : ''}`));
      return;
    }
    if (batch.length > 1) for (const one of batch) this.waiting.push({ ...one, alone: true });
    else
      for (const { task, done } of batch)
        done({
          key: task.key,
          status: ending === 'limit' ? 'timeout' : 'crashed',
          error:
            ending === 'limit'
              ? `stopped after ${Number(this.limit.toPrecision(3))} s on the clock; limits: { seconds } allows more`
              : crashText(code, signal, stderr, this.options.memory ?? STANDARD_MEMORY),
          outputs: {},
          seconds: (performance.now() - slot.began) / 1000,
        });
    this.dispatch();
  }

  private refuse(error: Error): void {
    this.refusal = error;
    for (const reject of this.refused) reject(error);
    this.close();
  }
}

function crashText(code: number | null, signal: NodeJS.Signals | null, stderr: string, memory: number): string {
  if (/heap out of memory|Reached heap limit|Array buffer allocation failed/i.test(stderr))
    return `ran out of memory, ${memory} MB; limits: { memory } allows more`;
  const how = signal ? `by ${signal}` : `with exit code ${code}`;
  return `its process ended ${how}${stderr.trim() ? `: ${lastLine(stderr)}` : ''}`;
}

const lastLine = (text: string): string =>
  text
    .trim()
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^Node\.js v/.test(line))
    .at(-1)
    ?.trim()
    .slice(0, 300) ?? '';
