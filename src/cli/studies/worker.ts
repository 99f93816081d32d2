/** `tippetop worker`: computes runs of studies that others have put into a queue. No code comes through it: models are found by their fingerprint in folders of this machine. */
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { ModelError } from '../../errors.js';
import type { ParameterValue } from '../../model/parameters.js';
import { onFileRead } from '../../node/files-read.js';
import { loadModel } from '../../node/model-files/load-model.js';
import { PACKAGE_ROOT, RUN_CHILD } from '../../node/package-root.js';
import { engineHash, filesHash } from '../../node/studies/content-keys.js';
import { checkQueue, withoutPassword } from '../../node/studies/queue-connection.js';
import { USUAL_TAKEOVER, workOnQueue } from '../../node/studies/queue-worker.js';
import { packageVersion } from '../../node/versions.js';
import { parsePositive } from '../text/format.js';
import { isStudyFile } from './study-files.js';
import type { ChildSetup, QueuedSetup } from './study-setup.js';

interface WorkerOptions {
  readonly queue: string;
  readonly models: string[];
  readonly jobs?: string;
  readonly quiet?: boolean;
  readonly takeover: string;
}

export function workerCommand(): Command {
  return new Command('worker')
    .description('compute runs of studies that are started elsewhere with --queue')
    .requiredOption('--queue <url>', 'redis://[user:password@]host:6379, or rediss://… with TLS')
    .option(
      '--models <folder>',
      'where models and studies of this machine are; may be repeated (default: here)',
      (value, all: string[]) => [...all, value],
      [],
    )
    .option('--jobs <number>', 'processes (default: one per processor)')
    .option('--takeover <s>', 'runs of a worker that has gone are taken over after this time', String(USUAL_TAKEOVER))
    .option('--quiet', 'nothing about single studies')
    .addHelpText(
      'after',
      '\nEnds with Ctrl-C; what it had in hand is taken over by others.\n\nExample:\n  tippetop worker --queue redis://:secret@head:6379 --models ~/models',
    )
    .action(work);
}

async function work({ queue, models, jobs, quiet, takeover: typed }: WorkerOptions): Promise<void> {
  const count = jobs === undefined ? availableParallelism() : Number(jobs);
  if (!(Number.isInteger(count) && count >= 1))
    throw new ModelError('--jobs', `expected a whole number of processes ≥ 1, got "${jobs}"`);
  const takeover = parsePositive(typed, '--takeover', 's');
  if (takeover < 1) throw new ModelError('--takeover', `expected at least 1 s, got "${typed}"`);
  const folders = (models.length > 0 ? models : ['.']).map((folder) => resolve(folder));
  for (const folder of folders)
    if (!existsSync(folder)) throw new ModelError('--models', `there is no folder ${folder}`);
  await checkQueue(queue);
  const [version, engine] = [packageVersion(), engineHash()];
  const say = (text: string): void => {
    if (!quiet) console.log(text);
  };
  say(
    `worker of tippetop ${version} (engine ${engine}) on ${withoutPassword(queue)}, ${count} processes; models from ${folders.join(', ')} and the examples`,
  );
  let runs = 0;
  const stopped = new Promise<void>((done) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => done());
  });
  await workOnQueue(
    {
      url: queue,
      version,
      engine,
      jobs: count,
      takeover,
      script: RUN_CHILD,
      say,
      ran: (_, status) => {
        runs++;
        if (status !== 'ok' || runs % 100 === 0) say(`${runs} runs, the last ${status}`);
      },
      setupFor: async (given, parameters) => {
        const { identity, limits = {} } = given as QueuedSetup;
        const searched = [...folders, join(PACKAGE_ROOT, 'examples')];
        const modelFile = await findByHash(
          searched,
          identity.modelName,
          (file) => modelHash(file, identity.export, parameters),
          identity.model,
        );
        if (!modelFile) return undefined;
        const studyFile =
          identity.study === undefined
            ? undefined
            : await findByHash(searched, isStudyFile, async (file) => filesHash(file), identity.study);
        if (identity.study !== undefined && !studyFile) return undefined;
        const setup: ChildSetup = {
          modelFile,
          export: identity.export,
          run: identity.run,
          ...(studyFile && { studyFile }),
        };
        return { setup, ...limits };
      },
    },
    stopped,
  );
  say(`ended after ${runs} runs`);
  process.exit(0);
}

/** As the one who started the study computed it: with the files that the model reads when it is built */
async function modelHash(
  file: string,
  name: string,
  parameters: Readonly<Record<string, ParameterValue>>,
): Promise<string> {
  const read = new Set<string>();
  onFileRead((path) => read.add(resolve(path)));
  await (await loadModel(file, name))(parameters);
  onFileRead(() => undefined);
  return filesHash(file, read);
}

async function findByHash(
  folders: readonly string[],
  name: string | ((file: string) => boolean),
  hash: (file: string) => Promise<string>,
  wanted: string,
): Promise<string | undefined> {
  const fits = typeof name === 'string' ? (file: string) => file === name : name;
  for (const file of folders.flatMap((folder) => filesIn(folder, fits)))
    if ((await hash(file).catch(() => '')) === wanted) return file;
  return undefined;
}

function filesIn(folder: string, fits: (file: string) => boolean, depth = 0): string[] {
  if (depth > 6) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory())
      return entry.name === 'node_modules' || entry.name.startsWith('.')
        ? []
        : filesIn(join(folder, entry.name), fits, depth + 1);
    return fits(entry.name) ? [join(folder, entry.name)] : [];
  });
}
