/**
 * A study made ready: model loaded, names checked, measurements read, first run tried. All that can be refused is refused here, before the first run.
 */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { FileError, ModelError } from '../../errors.js';
import type { Model } from '../../model/model.js';
import { type ModelFunction, type ParameterValue, parametersOf } from '../../model/parameters.js';
import type { Study } from '../../model/study.js';
import { onFileRead } from '../../node/files-read.js';
import { loadModel, requireModel } from '../../node/model-files/load-model.js';
import { requirePlainFile } from '../../node/plain-file.js';
import { contentKey, engineHash, filesHash } from '../../node/studies/content-keys.js';
import { withTimeLimit } from '../../node/studies/time-limit.js';
import { systemError } from '../../node/system-error.js';
import { packageVersion } from '../../node/versions.js';
import { Simulation } from '../../simulation/simulation.js';
import {
  csvColumns,
  intervalFor,
  type MeasuredSignal,
  measuredSignals,
} from '../../studies/calibration/measurements.js';
import { checkExpression, parseExpression } from '../../studies/outputs/expression.js';
import { findSignal } from '../../studies/outputs/signal-questions.js';
import { designRows, planOf, type Row, rowOf, type StudyPlan } from '../../studies/plan.js';
import { optionsOf, type RunSetup } from '../../studies/run-task.js';
import { TIGHT, USUAL_DIFFERENCE } from '../../studies/sensitivity/local.js';
import { roughness } from '../../studies/sensitivity/tangent-run.js';
import { modelOfStudy } from './study-files.js';

/** What a process that runs a study's runs must know; plain data */
export interface ChildSetup {
  readonly modelFile: string;
  readonly export: string;
  /** Where outputs are functions: the file that has them */
  readonly studyFile?: string;
  readonly run: RunSetup;
}

/** What must be equal for two runs with the same parameters to give the same bits */
export interface StudyIdentity {
  readonly model: string;
  readonly modelName: string;
  readonly export: string;
  readonly study?: string;
  readonly run: RunSetup;
  readonly version: string;
  readonly engine: string;
}

/** What goes through a queue beside parameters: plain data, no code */
export interface QueuedSetup {
  readonly identity: StudyIdentity;
  readonly limits?: { readonly seconds?: number; readonly memory?: number };
}

export interface ReadyStudy {
  readonly study: Study;
  /** Beside which its model and measurements are */
  readonly source: string;
  readonly plan: StudyPlan;
  readonly measured: readonly MeasuredSignal[];
  readonly setup: ChildSetup;
  readonly identity: StudyIdentity;
  /** Units of outputs, where they are told */
  readonly units: Readonly<Record<string, string>>;
  /** Of all its runs together */
  readonly id: string;
  readonly keyOf: (row: Row) => string;
}

export async function readyStudy(study: Study, file: string): Promise<ReadyStudy> {
  const modelFile = modelOfStudy(study, file);
  const construct = await loadModel(modelFile, study.export);
  const plan = planOf(study, parametersOf(construct));
  const rows = triedRows(plan);
  const read = new Set<string>();
  onFileRead((path) => read.add(resolve(path)));
  const { model, recording, simulation } = await firstThatWorks(construct, modelFile, rows, study);
  onFileRead(() => undefined);

  // Names in expressions, and units
  const units: Record<string, string> = {};
  const values: Record<string, string> = { ...plan.units };
  for (const parameter of parametersOf(construct)) values[parameter.name] ??= '';
  const outputs = Object.entries(study.outputs ?? {}).map(([name, given]) => {
    const path = `outputs.${name}`;
    const text = typeof given === 'string' ? given : typeof given === 'object' ? given.value : undefined;
    const told =
      text === undefined
        ? ''
        : checkExpression(parseExpression(text, path), { recording, events: [...model.events.keys()], values }, path);
    units[name] = (typeof given === 'object' && given.unit) || told;
    values[name] = units[name];
    return { name, ...(text !== undefined && { expression: text }) };
  });

  // Measurements: times at which signals are asked
  const measured = study.measurements?.file
    ? measurements(study, file, (name) => findSignal(name, recording)?.unit)
    : [];
  const last = Math.max(0, ...measured.flatMap(({ times }) => times));
  const stop = study.simulation?.stop ?? model.simulation.stop ?? (last > 0 ? last : undefined);
  if (stop !== undefined && last > stop * (1 + 1e-12))
    throw new ModelError(
      'simulation.stop',
      `measurements go on until ${last} s, the run ends at ${stop}; let it run as long`,
    );
  const tight =
    study.search?.kind === 'levenberg-marquardt' || study.design?.kind === 'local' || study.measurements !== undefined;
  const run: RunSetup = {
    simulation: {
      ...study.simulation,
      ...(stop !== undefined &&
        measured.length > 0 && { stop, interval: study.simulation?.interval ?? intervalFor(measured, stop / 500) }),
      ...(tight && study.simulation?.rtol === undefined && { rtol: TIGHT }),
    },
    outputs,
    samples: measured.map(({ signal, times }) => ({ signal, times })),
    events: study.design?.kind === 'local',
    ...tangentsFor(study, plan, model, simulation),
  };
  const withFunctions = outputs.some(({ expression }) => expression === undefined);
  const identity: StudyIdentity = {
    model: filesHash(modelFile, read),
    modelName: modelFile.replaceAll('\\', '/').split('/').at(-1)!,
    export: study.export ?? 'default',
    ...(withFunctions && { study: filesHash(file) }),
    run,
    version: packageVersion(),
    engine: engineHash(),
  };
  const common = contentKey(identity);
  return {
    study,
    source: resolve(file),
    plan,
    measured,
    identity,
    units,
    setup: { modelFile, export: study.export ?? 'default', run, ...(withFunctions && { studyFile: file }) },
    id: common.slice(0, 24),
    keyOf: ({ parameters }) => contentKey(common, parameters),
  };
}

/** Whether derivatives come from tangents, and by which parameters. Refused where they are asked for and the model is not smooth. */
function tangentsFor(study: Study, plan: StudyPlan, model: Model, simulation: Simulation): Pick<RunSetup, 'tangents'> {
  const asker =
    study.design?.kind === 'local'
      ? study.design
      : study.search?.kind === 'levenberg-marquardt'
        ? study.search
        : undefined;
  if (!asker || asker.method === 'difference') return {};
  const why = roughness(model, simulation);
  if (why && asker.method === 'tangent')
    throw new ModelError(
      study.design ? 'design.method' : 'search.method',
      `tangents need a smooth model: ${why}; write 'difference' or 'auto'`,
    );
  if (why) return {};
  const { difference = USUAL_DIFFERENCE } = asker;
  return {
    tangents: plan.variables.flatMap(({ name, range }) =>
      range ? [{ name, step: difference * (Math.abs(range.start) || range.to - range.from) }] : [],
    ),
  };
}

function measurements(study: Study, file: string, unitOf: (name: string) => string | undefined): MeasuredSignal[] {
  const path = resolve(dirname(file), study.measurements!.file!);
  let text: string;
  try {
    requirePlainFile(path);
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw systemError(path, error, 'read');
  }
  return measuredSignals(study.measurements!, csvColumns(text, study.measurements!.file!), unitOf);
}

/** First, middle and last row of a design; of a search its start */
function triedRows(plan: StudyPlan): Row[] {
  const rows = designRows(plan);
  if (rows.length > 0) return [...new Set([0, Math.floor(rows.length / 2), rows.length - 1])].map((i) => rows[i]);
  const start: Record<string, ParameterValue> = {};
  for (const { name, range, values } of plan.variables) start[name] = range?.start ?? values[0];
  return [rowOf(plan, 0, start)];
}

/** s a model may take to be built, and to begin, unless the study has a limit */
const USUAL_BEGIN = 60;

/** Builds the model and begins a run; refused if none of the rows lets it begin */
async function firstThatWorks(
  construct: ModelFunction,
  modelFile: string,
  rows: readonly Row[],
  study: Study,
): Promise<{
  model: Model;
  recording: Simulation['recording'];
  simulation: Simulation;
}> {
  const limit = study.limits?.seconds ?? USUAL_BEGIN;
  let failure: unknown;
  for (const { parameters } of rows) {
    try {
      // a model of the user's may loop for ever, and here nobody else would end it
      const model = requireModel(await withTimeLimit(limit, () => construct(parameters)), modelFile);
      const simulation = withTimeLimit(limit, () => {
        const run = new Simulation(
          model,
          optionsOf({ simulation: study.simulation ?? {}, outputs: [], samples: [], events: false }),
        );
        let steps = 0;
        run.advance(undefined, () => ++steps >= 3);
        return run;
      });
      return { model, recording: simulation.recording, simulation };
    } catch (error) {
      failure ??= error;
    }
  }
  if (failure instanceof FileError) throw failure;
  if (failure instanceof Error)
    throw new ModelError(
      'model',
      `fails at once${rows.length > 1 ? ', with the first, the middle and the last row' : ''}: ${failure.message}\n  with ${JSON.stringify(rows[0].parameters)}`,
    );
  throw failure;
}
