/**
 * Runs on many machines: hands runs to a queue and takes outcomes from it. A queue delivers at least once; a run's key is the job's id and the row's, so each row comes exactly
 * once. Truth is the journal of whoever started the study: a job is removed when its outcome is there. What the server may have lost is added again every minute.
 */
import type { Queue, QueueEvents } from 'bullmq';
import { outcomeFrom } from '../../studies/outcome-text.js';
import type { Outcome, Task } from '../../studies/run-task.js';
import { connectionText, lasting, queueName, queuePackages, quiet, studyFacts } from './queue-connection.js';

export interface QueuedStudy {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly engine: string;
  /** Plain data that workers need beside the parameters; no code */
  readonly setup: unknown;
  readonly total: number;
}

export interface QueueRunnerOptions {
  readonly url: string;
  readonly study: QueuedStudy;
  /** Told once when the server is lost, and when it is back */
  readonly say: (text: string) => void;
}

const BULK = 500;
const ATTEMPTS = 3;
const LOOK = 2000; // ms between looks for what events have not told
const ADD_AGAIN = 60_000;

export class QueueRunner {
  private readonly pending = new Map<string, { readonly task: Task; readonly done: (outcome: Outcome) => void }>();
  private readonly toAdd: Task[] = [];
  private adding = false;
  private lost = false;
  private closed = false;
  private done = 0;
  private failed = 0;
  private seconds = 0;
  private readonly timers: NodeJS.Timeout[] = [];

  private constructor(
    private readonly queue: Queue,
    private readonly events: QueueEvents,
    private readonly facts: import('ioredis').Redis,
    private readonly connections: readonly import('ioredis').Redis[],
    private readonly options: QueueRunnerOptions,
  ) {}

  /** The server was asked by `checkQueue` before */
  static async open(options: QueueRunnerOptions): Promise<QueueRunner> {
    const { url, study } = options;
    const { bullmq, Redis } = await queuePackages();
    const connections: import('ioredis').Redis[] = [];
    const connection = (): import('ioredis').Redis => {
      const one = new Redis(url, lasting(url));
      connections.push(quiet(one));
      return one;
    };
    const name = queueName(study.version, study.engine);
    const facts = connection();
    const queue = new bullmq.Queue(name, { connection: connection() as never });
    const events = new bullmq.QueueEvents(name, { connection: connection() as never });
    const runner = new QueueRunner(queue, events, facts, connections, options);
    queue.on('error', (error) => runner.lose(error));
    events.on('error', (error) => runner.lose(error));
    facts.on('error', (error) => runner.lose(error));
    facts.on('ready', () => runner.regain());
    await facts.hset(studyFacts(study.id), {
      name: study.name,
      version: study.version,
      engine: study.engine,
      setup: JSON.stringify(study.setup),
      total: study.total,
      started: Date.now(),
    });
    await facts.expire(studyFacts(study.id), 30 * 86_400);
    events.on('completed', ({ jobId, returnvalue }) => runner.take(jobId, String(returnvalue)));
    events.on('failed', ({ jobId, failedReason }) => void runner.dead(jobId, failedReason));
    await events.waitUntilReady();
    runner.timers.push(
      setInterval(() => void runner.look().catch(() => undefined), LOOK),
      setInterval(() => runner.toAdd.push(...[...runner.pending.values()].map(({ task }) => task)), ADD_AGAIN),
      setInterval(() => void runner.add(), 50),
    );
    return runner;
  }

  run(task: Task): Promise<Outcome> {
    return new Promise((done) => {
      this.pending.set(task.key, { task, done });
      this.toAdd.push(task);
    });
  }

  /** Dead letters of the study are taken out, so that they are tried again */
  async forgetDead(keys: Iterable<string>): Promise<void> {
    for (const key of keys) {
      const job = await this.queue.getJob(key);
      if (job && (await job.isFailed())) await job.remove();
    }
  }

  /** How many workers of this version listen */
  async workers(): Promise<number> {
    return (await this.queue.getWorkers()).length;
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const timer of this.timers) clearInterval(timer);
    const gone = Promise.allSettled([this.events.close(), this.queue.close()]);
    await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 1000))]);
    // A queue leaves connections that it was given to who gave them, and an open one keeps the program alive
    for (const connection of this.connections) connection.disconnect();
  }

  private async add(): Promise<void> {
    if (this.adding || this.toAdd.length === 0) return;
    this.adding = true;
    try {
      const tasks = this.toAdd.splice(0, BULK);
      await this.queue.addBulk(
        tasks.map(({ key, parameters, rtol }) => ({
          name: 'run',
          data: { study: this.options.study.id, parameters, ...(rtol !== undefined && { rtol }) },
          opts: { jobId: key, attempts: ATTEMPTS, backoff: { type: 'exponential', delay: 1000 } },
        })),
      );
    } catch (error) {
      if (!this.closed) this.lose(error);
    } finally {
      this.adding = false;
    }
  }

  private take(key: string, text: string): void {
    const waiting = this.pending.get(key);
    if (!waiting) return;
    const outcome = outcomeFrom(text);
    this.pending.delete(key);
    this.count(outcome);
    waiting.done(outcome);
    void this.queue.remove(key).catch(() => undefined);
  }

  /** All attempts are used up: a dead letter, which stays in the queue to be looked at and retried */
  private async dead(key: string, reason: string): Promise<void> {
    const waiting = this.pending.get(key);
    if (!waiting) return;
    const job = await this.queue.getJob(key);
    if (job && !(await job.isFailed())) return; // tried again
    if (!this.pending.delete(key)) return;
    let outcome: Outcome = { key, status: 'crashed', error: reason, outputs: {}, seconds: 0 };
    try {
      outcome = outcomeFrom(reason);
    } catch {
      // a message, not an outcome
    }
    this.count(outcome);
    waiting.done(outcome);
  }

  private count({ status, seconds }: Outcome): void {
    this.done++;
    if (status !== 'ok') this.failed++;
    this.seconds += seconds;
    if (this.done % 20 === 0 || this.pending.size === 0)
      void this.facts
        .hset(studyFacts(this.options.study.id), { done: this.done, failed: this.failed, seconds: this.seconds })
        .catch(() => undefined);
  }

  /** Outcomes whose events were missed, such as those of a study that was killed */
  private async look(): Promise<void> {
    if (this.pending.size === 0) return;
    for (const job of await this.queue.getCompleted(0, 999))
      if (job?.id && this.pending.has(job.id)) this.take(job.id, String(job.returnvalue));
    for (const job of await this.queue.getFailed(0, 999))
      if (job?.id && this.pending.has(job.id)) await this.dead(job.id, job.failedReason ?? '');
  }

  private lose(error: unknown): void {
    if (this.lost || this.closed) return;
    this.lost = true;
    this.options.say(`lost the queue, ${connectionText(this.options.url, error)}; trying again, nothing is lost`);
  }

  private regain(): void {
    if (!this.lost) return;
    this.lost = false;
    this.options.say('the queue is back');
    this.toAdd.push(...[...this.pending.values()].map(({ task }) => task)); // what it may have lost
  }
}
