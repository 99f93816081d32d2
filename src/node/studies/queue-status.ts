/** What a queue knows of its studies: for `study status` from any machine. */
import { outcomeFrom } from '../../studies/outcome-text.js';
import { connectionOptions, queueName, queuePackages, studyFacts } from './queue-connection.js';

export interface QueuedStudyStatus {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly engine: string;
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  /** On the clock, of all runs together */
  readonly seconds: number;
  readonly started: number;
  readonly waiting: number;
  readonly active: number;
  readonly workers: number;
  /** Runs that used up their attempts */
  readonly dead: readonly { readonly key: string; readonly reason: string }[];
}

export async function studiesInQueue(url: string): Promise<QueuedStudyStatus[]> {
  const { bullmq, Redis } = await queuePackages();
  const client = new Redis(url, { ...connectionOptions(url), maxRetriesPerRequest: 3 });
  client.on('error', () => undefined);
  const found: QueuedStudyStatus[] = [];
  for (const key of (await client.keys(studyFacts('*'))).sort()) {
    const { name = '', version = '', engine = '', ...facts } = await client.hgetall(key);
    const id = key.slice(studyFacts('').length);
    const own = client.duplicate({ maxRetriesPerRequest: null });
    const queue = new bullmq.Queue(queueName(version, engine), { connection: own as never });
    queue.on('error', () => undefined);
    const counts = await queue.getJobCounts('waiting', 'delayed', 'active');
    const dead = (await queue.getFailed(0, 999)).filter((job) => (job?.data as { study?: string })?.study === id);
    found.push({
      id,
      name,
      version,
      engine,
      total: Number(facts.total ?? 0),
      done: Number(facts.done ?? 0),
      failed: Number(facts.failed ?? 0),
      seconds: Number(facts.seconds ?? 0),
      started: Number(facts.started ?? 0),
      waiting: (counts.waiting ?? 0) + (counts.delayed ?? 0),
      active: counts.active ?? 0,
      workers: (await queue.getWorkers()).length,
      dead: dead.map((job) => ({ key: job.id ?? '', reason: reasonOf(job.failedReason ?? '') })),
    });
    await queue.close();
    own.disconnect(); // a queue leaves it to who gave it, and an open one keeps the program alive
  }
  client.disconnect();
  return found;
}

function reasonOf(text: string): string {
  try {
    return outcomeFrom(text).error ?? text;
  } catch {
    return text;
  }
}
