/** `tippetop run`: simulates a model, with a progress bar; leaves the recording, a summary and a report. Ctrl-C keeps what is computed. */
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setImmediate as breathe } from 'node:timers/promises';
import { Command } from 'commander';
import { ModelError } from '../errors.js';
import { contactSummary, describeContacts } from '../explain/contact-summary.js';
import { describeStress } from '../explain/stress-text.js';
import { describeTrust } from '../explain/trust-text.js';
import { INTEGRATOR_NAMES, type IntegratorName } from '../integration/method-name.js';
import type { Model } from '../model/model.js';
import { type Parameter, type ParameterValue, parametersOf } from '../model/parameters.js';
import { writeBytes } from '../node/cad-files.js';
import { CHECKPOINT, DiskCheckpoints, readRestart, removeMarks } from '../node/checkpoint-files.js';
import { makeFolder } from '../node/folders.js';
import { KernelWorkers } from '../node/kernel-workers.js';
import { findModel, loadModel, modelName, requireModel } from '../node/model-files/load-model.js';
import { DiskRecording, openRecordingFile } from '../node/recording-files.js';
import { reportOf } from '../node/report.js';
import { versions } from '../node/versions.js';
import type { Checkpoint } from '../results/checkpoint.js';
import { csvText, recordsCsvText } from '../results/csv.js';
import { matBytes } from '../results/mat.js';
import type { Recording } from '../results/recording.js';
import { stressPeaks } from '../results/stress-summary.js';
import { Simulation, type StepsOf } from '../simulation/simulation.js';
import { findRecording } from './find-recording.js';
import { live } from './live/live.js';
import { complain } from './live/report-to-parent.js';
import { modelArguments, parameterList } from './model-files/model-arguments.js';
import { openView, serveView } from './serve-view.js';
import * as format from './text/format.js';
import { Preparation, Progress } from './text/progress.js';
import { plotLines } from './text/sparkline.js';

export interface RunOptions {
  readonly stop?: string;
  readonly rtol?: string;
  readonly integrator?: string;
  readonly interval?: string;
  readonly step?: string;
  readonly accuracy?: string;
  readonly rigidity?: string;
  readonly maxSteps?: string;
  readonly maxTime?: string;
  readonly longestStep?: string;
  readonly steps?: string;
  readonly threads?: string;
  readonly restart?: string;
  readonly at?: string;
  readonly restartable?: string;
  readonly checkpoint?: string;
  readonly out?: string;
  readonly force?: boolean;
  readonly model?: string;
  readonly csv?: boolean;
  readonly mat?: boolean;
  readonly set: string[];
  readonly parameters?: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
  readonly view?: boolean;
  readonly watch?: boolean;
}

/** Options that are figures of the run, by the names that a model has for them, too */
const FIGURES: ReadonlySet<string> = new Set(
  'stop rtol integrator interval step accuracy rigidity longestStep threads'.split(' '),
);

export function runCommand(): Command {
  return new Command('run')
    .description('simulate a model and leave its recording, a summary and a report')
    .argument('<model>', 'a model file, a folder with one, or the name of an example')
    .argument('[parameters...]', 'parameters of the model, such as --length 2')
    .option('--stop <s>', 'end of the run')
    .option('--rtol <number>', 'relative tolerance (default: the model’s, or 1e-6)')
    .option('--integrator <name>', `automatic, ${INTEGRATOR_NAMES.join(', ')}`)
    .option('--interval <s>', 'time between recorded rows (default: 1/500 of the run)')
    .option('--step <s>', 'step of fixed-step integrators and of time-stepping')
    .option('--accuracy <m>', 'in place of the step of time-stepping: how far one may be from two of half its length')
    .option('--rigidity <number>', 'of contacts in time-stepping (default 1000, 100 where more than 50 bodies touch)')
    .option('--longest-step <s>', 'no step of the other integrators is longer')
    .option('--steps <who>', "'per island': what touches nothing in common makes steps of its own; or 'one for all'")
    .option(
      '--max-steps <number>',
      'end the run after so many steps, those tried again included; what is computed is kept',
    )
    .option(
      '--threads <number>',
      'compute grains on so many threads; changes no bit (default: all processors where grains have shapes, one for spheres)',
    )
    .option(
      '--restart <folder>',
      'go on with a run from its last checkpoint or mark; same bits as if it had not stopped',
    )
    .option('--at <s>', 'with --restart: from the last mark before this instant of the run')
    .option('--restartable <s>', 'simulated time between marks, instants a run without grains can be gone on with from')
    .option('--checkpoint <s>', 'time on the clock between checkpoints of a run with grains (default: 60)')
    .option('--max-time <s>', 'end the run after so long on the clock; what is computed is kept')
    .option('--out <folder>', 'where the files go (default: out/<name>)')
    .option('--force', 'write over files in that folder that no run has left')
    .option('--model <export>', 'which model of a file that exports several')
    .option('--csv', 'also write recording.csv, and contacts.csv where bodies touch')
    .option('--mat', 'also write recording.mat, as Modelica tools do')
    .option('--set <name=value>', 'set a parameter; may be repeated', (value, all: string[]) => [...all, value], [])
    .option('--parameters', 'list the parameters of the model and stop')
    .option('--quiet', 'nothing about the progress')
    .option('--view', 'look at it in the browser afterwards')
    .option('--watch', 'run again whenever the model or a file it uses is saved; with --view the page follows')
    .option('--json', 'print one JSON document and nothing else')
    .allowUnknownOption()
    .addHelpText(
      'after',
      '\nA run ends with a verdict: trusted, doubtful, or not to be trusted, with the reason and what to do.' +
        '\n\nExit codes: 0 done; 1 the run failed, was ended by a limit, or is not to be trusted; 2 bad input; 129, 130, 143 stopped by a hang-up, Ctrl-C, a kill.' +
        '\nWhat had been computed is kept in every case.' +
        '\n\nExample:\n  tippetop run pendulum --length 2 --stop 20 --csv',
    )
    .action(run);
}

async function run(typed: string, words: string[], options: RunOptions, command: Command): Promise<void> {
  if (options.view && options.json)
    throw new ModelError('--view', 'cannot be combined with --json, which prints one document and ends');
  if (options.watch && (options.json || options.parameters))
    throw new ModelError('--watch', 'goes on until Ctrl-C; leave --json and --parameters out');
  const file = findModel(typed);
  const name = modelName(file) + (options.model ? `-${options.model}` : '');
  const stopped = options.restart === undefined ? undefined : findRecording(options.restart).file;
  const folder = options.out ?? (stopped ? dirname(stopped) : join('out', name));
  if (options.watch) {
    const words = process.argv.slice(2).filter((word) => word !== '--watch' && word !== '--view');
    if (options.view) makeFolder(folder);
    const server = options.view ? await openView({ title: folder, path: folder, live: true }, {}) : undefined;
    await live({ files: [file], words: () => words, atOnce: true, server });
    return;
  }
  const construct = await loadModel(file, options.model);
  const parameters = parametersOf(construct);
  const own = command.options.filter((one) => !FIGURES.has(one.attributeName())).map(({ long }) => long ?? '');
  if (options.parameters) {
    console.log(parameterList(name, parameters, own));
    return;
  }
  const number = (text: string | undefined, option: string, unit: string): number | undefined =>
    text === undefined ? undefined : format.parsePositive(text, option, unit);
  if (options.at !== undefined && stopped === undefined)
    throw new ModelError('--at', 'says where to go on with a run: expected --restart <its folder> beside it');
  const past = stopped === undefined ? undefined : await readRestart(stopped, number(options.at, '--at', 's'));
  // A figure that the run and the model both ask for by one name is given to both; --set sets the model's alone
  const shared = parameters.filter(({ name }) => FIGURES.has(name) && options[name as 'stop'] !== undefined);
  const settings = [...shared.map((one) => `${one.name}=${options[one.name as 'stop']}`), ...options.set];
  const given = asBefore(modelArguments(parameters, words, settings, own), parameters, past?.checkpoint);
  const model = requireModel(await construct(given), file);
  const values = Object.fromEntries(
    parameters.map((parameter) => [
      parameter.name,
      given[parameter.name] ?? parameter.default ?? parameter.defaultText,
    ]),
  );
  const was = (past?.checkpoint.facts ?? {}) as { stop?: number; interval?: number; rtol?: number };
  if (model.bodies.size > MANY && !options.quiet && !options.json)
    console.error(`preparing ${format.count(model.bodies.size)} bodies, about 1 s for each thousand`);
  const preparation = new Preparation();
  const begin = (): Simulation =>
    new Simulation(model, {
      ...defined('restart', past),
      ...defined('stopTime', was.stop),
      ...defined('interval', was.interval),
      ...defined('rtol', was.rtol),
      ...defined('stopTime', number(options.stop, '--stop', 's')),
      ...defined('rtol', number(options.rtol, '--rtol', '')),
      ...defined('interval', number(options.interval, '--interval', 's')),
      ...defined('step', number(options.step, '--step', 's')),
      ...defined('accuracy', number(options.accuracy, '--accuracy', 'm')),
      ...defined('rigidity', number(options.rigidity, '--rigidity', '')),
      ...defined('longestStep', number(options.longestStep, '--longest-step', 's')),
      ...defined('restartable', number(options.restartable, '--restartable', 's')),
      ...defined('maxSteps', number(options.maxSteps, '--max-steps', '')),
      ...defined('maxTime', number(options.maxTime, '--max-time', 's')),
      ...defined('integrator', options.integrator as IntegratorName | undefined),
      ...((options.threads !== undefined || hasShapedGrains(model)) && {
        team: new KernelWorkers(number(options.threads, '--threads', '')),
      }),
      ...defined('steps', options.steps as StepsOf | undefined),
      ...(!options.quiet && !options.json && { preparing: (what: string) => preparation.show(what) }),
      origin: { title: model.title || name, parameters: values, versions: versions() },
    });
  const simulation = preparation.during(begin);

  if (!options.force) await refuseForeignFiles(folder);
  removeMarks(folder, past?.checkpoint.time);
  for (const warning of simulation.warnings) console.error(`warning: ${warning}`);
  const started = performance.now();
  const { recording, failure, signal } = await watch(
    simulation,
    folder,
    number(options.checkpoint, '--checkpoint', 's'),
    options.quiet === true || options.json === true,
  );
  const seconds = (performance.now() - started) / 1000;
  if (failure === undefined) {
    await leave(folder, name, model, recording, seconds, options);
    const interrupted = recording.state === 'interrupted' && simulation.interruption === undefined;
    if (interrupted) process.exitCode = 128 + constants.signals[signal ?? 'SIGINT'];
    else if (simulation.interruption || recording.trust.verdict?.word === 'not to be trusted') process.exitCode = 1;
    if (options.view && !interrupted) await serveView({ title: folder, path: folder }, {});
    return;
  }
  // What it had computed is left all the same; a disk that is full is not worth a second complaint.
  const message = failure instanceof Error ? failure.message : String(failure);
  await leave(folder, name, model, recording, seconds, options, message).catch(() => undefined);
  if (!(failure instanceof ModelError)) throw failure; // a mistake in the user's file or in us: the stack says where
  complain(message);
  process.exitCode = 1;
}

/** Parameters of a run that is gone on with; of those that are given, only its end may be another. */
function asBefore(
  given: Record<string, ParameterValue>,
  parameters: readonly Parameter[],
  past: Checkpoint | undefined,
): Record<string, ParameterValue> {
  const were = (past?.facts.parameters ?? {}) as Record<string, ParameterValue>;
  const values = { ...given };
  for (const { name, default: usual } of parameters) {
    const was = were[name];
    if (was === undefined || typeof was !== typeof usual) continue;
    if (given[name] === undefined) values[name] = was;
    else if (given[name] !== was && name !== 'stop')
      throw new ModelError(`--${name}`, `the run that is gone on with had ${was}, got ${given[name]}; leave it out`);
  }
  return values;
}

const hasShapedGrains = ({ grains }: Model): boolean =>
  Object.values(grains?.species ?? {}).some(({ shape }) => shape !== undefined);

const defined = <Key extends string, Value>(key: Key, value: Value | undefined): Partial<Record<Key, Value>> =>
  value === undefined ? {} : ({ [key]: value } as Record<Key, Value>);

/** Bodies from which it takes seconds until the bar appears */
const MANY = 3000;

/** s: a run that takes longer tells who sets its steps, however long they are */
const PATIENCE = 60;

/** A closed terminal, Ctrl-C and a polite kill end a run alike: what is computed is kept. Exit code 128 + the signal's number. */
const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;
type Signal = (typeof SIGNALS)[number];

/** Runs in slices so that the bar moves and Ctrl-C is heard; the recording is on disk up to the last second. */
async function watch(
  simulation: Simulation,
  folder: string,
  every: number | undefined,
  quiet: boolean,
): Promise<{ recording: Recording; failure?: unknown; signal?: Signal | undefined }> {
  const disk = new DiskRecording(join(folder, 'recording.h5'), simulation.recording);
  const checkpoints = new DiskCheckpoints(folder, simulation, disk, every);
  const progress = new Progress(simulation.stopTime, quiet);
  let signal: Signal | undefined;
  const interrupt = (received: NodeJS.Signals): void => {
    signal = received as Signal;
  };
  for (const name of SIGNALS) process.once(name, interrupt);
  try {
    let more = true;
    while (more && !signal) {
      const slice = performance.now() + 50;
      more = simulation.advance(simulation.stopTime, () => performance.now() > slice);
      progress.show((elapsed) => ({
        at: simulation.reached,
        done: simulation.stepsMade.accepted,
        what: 'steps',
        simulated: true,
        holdUp: simulation.holdUp ?? (elapsed < PATIENCE ? undefined : simulation.pace),
      }));
      disk.flushWhenDue();
      checkpoints.writeWhenDue();
      checkpoints.writeMarks();
      await breathe();
    }
    checkpoints.finish();
    const state = simulation.finished ? 'finished' : 'interrupted';
    const recording = simulation.finish(state);
    await disk.finish(state);
    return { recording, signal };
  } catch (failure) {
    const recording = simulation.finish('failed');
    await disk.finish('failed').catch(() => undefined); // the first failure is the one to tell
    return { recording, failure };
  } finally {
    progress.done();
    for (const name of SIGNALS) process.off(name, interrupt);
  }
}

/** Names that a run leaves in its folder. */
const LEFT = [
  'recording.h5',
  CHECKPOINT,
  'report.html',
  'summary.json',
  'recording.csv',
  'contacts.csv',
  'recording.mat',
];

/** @throws ModelError if the folder holds files of these names that are no run's: a run's folder has a recording of ours */
async function refuseForeignFiles(folder: string): Promise<void> {
  const there = LEFT.filter((file) => existsSync(join(folder, file)));
  if (there.length === 0) return;
  const recording = await openRecordingFile(join(folder, LEFT[0])).catch(() => undefined);
  await recording?.close();
  if (!recording)
    throw new ModelError(
      '--out',
      `${folder} holds ${there.join(', ')}, and no run has left ${there.length === 1 ? 'it' : 'them'}; choose another folder, or --force to write over ${there.length === 1 ? 'it' : 'them'}`,
    );
}

async function leave(
  folder: string,
  name: string,
  model: Model,
  recording: Recording,
  seconds: number,
  options: RunOptions,
  error?: string,
): Promise<void> {
  const files = [join(folder, 'recording.h5')];
  const write = async (file: string, bytes: Parameters<typeof writeBytes>[1]): Promise<void> => {
    await writeBytes(join(folder, file), bytes);
    files.push(join(folder, file));
  };
  if (options.csv) await write('recording.csv', csvText(recording));
  if (options.csv && recording.hasTable('contacts')) await write('contacts.csv', recordsCsvText(recording, 'contacts'));
  if (options.mat) await write('recording.mat', matBytes(recording));
  const contacts = contactSummary(recording);
  const stresses = stressPeaks(recording);
  const trust = [
    ...(contacts ? describeContacts(contacts) : []),
    ...describeStress(recording),
    ...describeTrust(recording.trust),
  ];
  await write('report.html', reportOf(name, recording));
  const summary = {
    model: name,
    title: model.title,
    state: recording.state,
    ...(error !== undefined && { error }),
    parameters: recording.parameters,
    versions: recording.versions,
    time: recording.times.at(-1) ?? 0,
    rows: recording.rows,
    signals: recording.signals.length,
    seconds,
    hash: recording.hash,
    events: recording.events,
    ...(contacts && { contacts }),
    ...(stresses.length > 0 && { stress: stresses }),
    trust: recording.trust,
    end: Object.fromEntries(recording.signals.map((signal) => [signal.name, recording.signal(signal.name).at(-1)])),
    files: [...files, join(folder, 'summary.json')],
  };
  await write('summary.json', `${JSON.stringify(summary, null, 2)}\n`);
  if (options.json) {
    console.log(JSON.stringify(summary, null, 2));
    return;
  }
  console.log(
    `${name}: ${format.number(summary.time)} s ${recording.state === 'finished' ? 'simulated' : `kept (${recording.state})`} in ${format.number(seconds, 3)} s, ${format.count(recording.rows)} rows of ${format.count(recording.signals.length)} signals, run ${recording.hash}`,
  );
  for (const { time, name: event } of recording.events)
    console.log(`  event       ${event} at ${format.number(time, 6)} s`);
  if (process.stdout.isTTY) for (const line of plotLines(recording)) console.log(`  ${line}`);
  for (const line of trust) console.log(`  ${line}`);
  console.log(`wrote ${summary.files.join(', ')}`);
}
