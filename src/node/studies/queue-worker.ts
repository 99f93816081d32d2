/**
 * A worker: takes runs from the queue and has them computed by a pool of processes, never by itself, so that it goes on telling the queue that it lives. Of what a killed worker had
 * in hand others take over after half a minute, or as said.
 */
import type { Job } from 'bullmq';
import type { ParameterValue } from '../../model/parameters.js';
import { outcomeText } from '../../studies/outcome-text.js';
import { connectionText, lasting, queueName, queuePackages, quiet, studyFacts } from './queue-connection.js';
import { RunPool } from './run-pool.js';

export interface QueueWorkerOptions {
  readonly url: string;
  readonly version: string;
  readonly engine: string;
  readonly jobs: number;
  /** s */
  readonly takeover?: number;
  readonly script: URL | string;
  /** The setup of a study's runs on this machine; undefined where its model is not here */
  readonly setupFor: (
    setup: unknown,
    parameters: Readonly<Record<string, ParameterValue>>,
  ) => Promise<{ readonly setup: unknown; readonly seconds?: number; readonly memory?: number } | undefined>;
  readonly say: (text: string) => void;
  /** Told of every run */
  readonly ran: (study: string, status: string, seconds: number) => void;
}

/** s after which runs of a worker that has gone are taken over, unless said */
export const USUAL_TAKEOVER = 30;
const LATER = 10_000; // ms
const MOST_POOLS = 3;

/** Works until `stopped` resolves; runs in hand are given back then */
export async function workOnQueue(options: QueueWorkerOptions, stopped: Promise<unknown>): Promise<void> {
  const { url, version, engine, jobs, script, say, takeover = USUAL_TAKEOVER } = options;
  const { bullmq, Redis } = await queuePackages();
  const connections: import('ioredis').Redis[] = [];
  const connection = (): import('ioredis').Redis => {
    const one = new Redis(url, lasting(url));
    connections.push(quiet(one));
    return one;
  };
  const facts = connection();
  const pools = new Map<string, RunPool>();
  const told = new Set<string>();
  const once = (key: string, text: string): void => {
    if (told.has(key)) return;
    told.add(key);
    say(text);
  };
  let lost = false;
  const lose = (error: Error): void => {
    if (lost) return;
    lost = true;
    say(`lost the queue, ${connectionText(url, error)}; trying again, what is computed meanwhile is handed in later`);
  };
  facts.on('error', lose);
  facts.on('ready', () => {
    if (lost) say('the queue is back');
    lost = false;
  });

  const poolOf = async (
    study: string,
    parameters: Readonly<Record<string, ParameterValue>>,
  ): Promise<RunPool | undefined> => {
    const known = pools.get(study);
    if (known) return known;
    const { setup: text, name = study } = await facts.hgetall(studyFacts(study));
    if (text === undefined) throw new Error(`the queue has no facts of study ${study}`);
    const found = await options.setupFor(JSON.parse(text), parameters);
    if (!found) {
      once(study, `study ${name}: its model is not in the folders of this worker; its runs are left to others`);
      return undefined;
    }
    const other = pools.get(study);
    if (other) return other;
    if (pools.size >= MOST_POOLS) {
      const [oldest, pool] = [...pools][0];
      pools.delete(oldest);
      pool.close();
    }
    const pool = new RunPool({ script, setup: found.setup, size: jobs, seconds: found.seconds, memory: found.memory });
    pools.set(study, pool);
    say(`study ${name}: runs are computed`);
    return pool;
  };

  const worker = new bullmq.Worker(
    queueName(version, engine),
    async (job: Job, token?: string) => {
      const { study, parameters, rtol } = job.data as {
        study: string;
        parameters: Record<string, ParameterValue>;
        rtol?: number;
      };
      const pool = await poolOf(study, parameters);
      if (!pool) {
        await job.moveToDelayed(Date.now() + LATER, token);
        throw new bullmq.DelayedError();
      }
      const outcome = await pool.run({ key: job.id!, parameters, ...(rtol !== undefined && { rtol }) });
      options.ran(study, outcome.status, outcome.seconds);
      // a run that fails is an answer; one that took its process with it may be the machine's fault
      if (outcome.status === 'crashed' || outcome.status === 'timeout') throw new Error(outcomeText(outcome));
      return outcomeText(outcome);
    },
    {
      connection: connection() as never,
      concurrency: jobs,
      lockDuration: 1000 * takeover,
      stalledInterval: (1000 * takeover) / 3,
      maxStalledCount: 1000,
    },
  );
  worker.on('error', lose);

  // Studies of other versions wait for other workers
  const lookAround = async (): Promise<void> => {
    for (const key of await facts.keys(studyFacts('*'))) {
      const study = await facts.hgetall(key);
      if (study.version !== version || study.engine !== engine)
        once(
          key,
          `study ${study.name} asks for tippetop ${study.version} (engine ${study.engine}); this worker is ${version} (${engine}): left to others`,
        );
    }
  };
  await lookAround().catch(() => undefined);
  const timer = setInterval(() => void lookAround().catch(() => undefined), 5000);
  await stopped;
  clearInterval(timer);
  for (const pool of pools.values()) pool.close();
  await Promise.race([worker.close(true), new Promise((resolve) => setTimeout(resolve, 2000))]);
  for (const one of connections) one.disconnect();
}
