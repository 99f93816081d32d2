/**
 * A study, as plain data like a model: which model, which of its parameters take which values, what is asked of each run, and perhaps what is sought.
 *
 *   export default study({
 *     model: 'pendulum',
 *     parameters: { length: { from: 0.5, to: 2 } },
 *     design: { kind: 'sobol', runs: 64 },
 *     outputs: { period: "period('pivot.angle')" },
 *   });
 */

import { ModelError } from '../errors.js';
import { simulationSchema } from './model.js';
import { check, notNegative, positive, real, userFunction } from './schema.js';
import * as z from './schema-kinds.js';

const value = z.union([z.number(), z.string(), z.boolean()]);
const whole = (what: string, least: number) =>
  real(what, '')
    .int({ error: `expected ${what}, a whole number` })
    .min(least, { error: (issue) => `expected ${what} ≥ ${least}, got ${String(issue.input)}` });
const seed = z.union([z.number(), z.string()], { error: 'expected a seed: a number or a text' });

const rangeSchema = z
  .strictObject({
    from: real('where the range begins', ''),
    to: real('where the range ends', ''),
    /** Values of a grid, both ends included. */
    steps: whole('a number of values', 1).optional(),
    /** 'log': equal factors instead of equal distances. */
    scale: z.enum(['linear', 'log']).optional(),
    /** Where a search begins; the middle unless given. */
    start: real('a start', '').optional(),
    /** For tables and reports; the comment behind the parameter in the model unless given. */
    unit: z.string().optional(),
  })
  .superRefine(({ from, to, scale, start }, context) => {
    const refuse = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message });
    if (!(to > from)) refuse('to', `expected an end above the range's beginning ${from}, got ${to}`);
    if (scale === 'log' && !(from > 0)) refuse('from', `expected a number > 0 with scale 'log', got ${from}`);
    if (start !== undefined && !(start >= from && start <= to))
      refuse('start', `expected a start from ${from} to ${to}, got ${start}`);
  })
  .readonly();

const parameterSchema = z.union(
  [
    value,
    z.array(value).min(1, { error: 'expected at least one value' }).readonly(),
    rangeSchema,
    z.strictObject({
      mean: real('a mean', ''),
      deviation: positive('a standard deviation', ''),
      unit: z.string().optional(),
    }),
    z.strictObject({
      median: positive('a median', ''),
      factor: real('a factor', '').gt(1, {
        error: 'expected a factor > 1: two thirds of the values lie within median/factor and median·factor',
      }),
      unit: z.string().optional(),
    }),
    /** Each run gets a seed of its own. */
    z.strictObject({ seed: z.literal(true) }),
  ],
  {
    error:
      'expected a value, a list of values, { from, to }, { mean, deviation }, { median, factor } or { seed: true }',
  },
);
export type StudyParameter = z.output<typeof parameterSchema>;

const runs = whole('a number of runs', 1);
const designSchema = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({
      kind: z.literal('list'),
      rows: z.array(z.record(z.string(), value)).min(1, { error: 'expected at least one row' }).readonly(),
    }),
    z.strictObject({ kind: z.literal('grid') }),
    z.strictObject({ kind: z.literal('latin-hypercube'), runs }),
    z.strictObject({ kind: z.literal('sobol'), runs, scramble: z.boolean().optional() }),
    z.strictObject({ kind: z.literal('monte-carlo'), runs }),
    /** Elementary effects: (parameters + 1) runs a trajectory. */
    z.strictObject({
      kind: z.literal('morris'),
      trajectories: whole('a number of trajectories', 2).optional(),
      levels: whole('a number of levels', 2).optional(),
    }),
    /** Shares of the variance: (parameters + 2) runs a sample. */
    z.strictObject({ kind: z.literal('sobol-indices'), samples: whole('a number of samples', 8) }),
    /** Derivatives at one point. */
    z.strictObject({
      kind: z.literal('local'),
      /** tangent: beside the run, for smooth models; difference: of whole runs; auto: tangents where the model is smooth */
      method: z.enum(['auto', 'tangent', 'difference']).optional(),
      difference: positive('a part of the value', '').optional(),
      at: z.record(z.string(), z.number()).optional(),
    }),
  ],
  {
    error: () =>
      "expected { kind: 'list' | 'grid' | 'latin-hypercube' | 'sobol' | 'monte-carlo' | 'morris' | 'sobol-indices' | 'local', … }",
  },
);
export type StudyDesign = z.output<typeof designSchema>;

const mostRuns = whole('a number of runs', 1).optional();
const searchSchema = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({
      kind: z.literal('levenberg-marquardt'),
      iterations: whole('a number of iterations', 1).optional(),
      starts: whole('a number of starts', 1).optional(),
      /** Where its derivatives come from; as for `local` */
      method: z.enum(['auto', 'tangent', 'difference']).optional(),
      difference: positive('a part of the value', '').optional(),
      /** It ends where that part of the parameters' standard deviations is left to go; 1e-3 unless given. */
      tolerance: positive("a part of the parameters' standard deviations", '').optional(),
    }),
    z.strictObject({
      kind: z.literal('nelder-mead'),
      runs: mostRuns,
      tolerance: positive('a tolerance', '').optional(),
    }),
    z.strictObject({
      kind: z.literal('cma-es'),
      runs: mostRuns,
      population: whole('a number of runs', 4).optional(),
      doublings: whole('a number of restarts', 0).optional(),
      target: real('a value', '').optional(),
      tolerance: positive('a tolerance', '').optional(),
    }),
    z.strictObject({
      kind: z.literal('nsga-ii'),
      population: whole('a number of runs', 4).optional(),
      generations: whole('a number of generations', 1).optional(),
    }),
  ],
  { error: () => "expected { kind: 'levenberg-marquardt' | 'nelder-mead' | 'cma-es' | 'nsga-ii', … }" },
);
export type StudySearch = z.output<typeof searchSchema>;

/** What of a recording an output may ask; the type of a function is that of src/studies. */
// biome-ignore lint/suspicious/noExplicitAny: the recording's type belongs to a later stage
export type OutputFunction = (recording: any, parameters: Readonly<Record<string, unknown>>) => number;
const outputSchema = z.union(
  [
    z.string(),
    z.strictObject({ value: z.string(), unit: z.string().optional() }),
    userFunction<OutputFunction>('a function'),
  ],
  { error: 'expected an expression such as "max(\'ball.position.z\')", or a function of the recording' },
);

const goalSchema = z.union([z.strictObject({ minimise: z.string() }), z.strictObject({ maximise: z.string() })], {
  error: "expected { minimise: 'output' } or { maximise: 'output' }",
});
export type StudyGoal = z.output<typeof goalSchema>;

const limitSchema = z
  .strictObject({ atMost: real('a value', '').optional(), atLeast: real('a value', '').optional() })
  .refine(({ atMost, atLeast }) => atMost !== undefined || atLeast !== undefined, {
    error: 'expected { atMost } or { atLeast } or both',
  });

const measurementsSchema = z
  .strictObject({
    /** CSV beside the study: a time column and one for each signal, units in brackets. */
    file: z.string().optional(),
    /** Column of the times; the first unless given. */
    time: z.string().optional(),
    /** By signal of the run: which column, and how well it is known. */
    signals: z
      .record(
        z.string(),
        z.union([
          z.string(),
          z.strictObject({
            column: z.string(),
            /** Standard deviation, in the signal's SI unit. */
            deviation: positive('a standard deviation', '').optional(),
            weight: notNegative('a weight', '').optional(),
          }),
        ]),
      )
      .optional(),
    /** Outputs that were measured themselves. */
    outputs: z
      .record(
        z.string(),
        z.strictObject({ value: real('a measured value', ''), deviation: positive('a standard deviation', '') }),
      )
      .optional(),
  })
  .refine(({ file, signals }) => (file === undefined) === (signals === undefined), {
    error: 'expected file and signals together: the CSV file, and which column is which signal',
  })
  .refine(({ file, outputs }) => file !== undefined || outputs !== undefined, {
    error: 'expected { file, signals } or { outputs } or both',
  });
export type StudyMeasurements = z.output<typeof measurementsSchema>;

export const studySchema = z.strictObject({
  title: z.string().optional(),
  /** A model file beside the study, or the name of an example. */
  model: z.string({ error: 'expected a model file or the name of an example' }),
  /** Which model of a file that exports several. */
  export: z.string().optional(),
  parameters: z.record(z.string(), parameterSchema),
  design: designSchema.optional(),
  search: searchSchema.optional(),
  outputs: z.record(z.string(), outputSchema).optional(),
  objective: z
    .union([
      goalSchema,
      z.array(goalSchema).min(2, { error: 'expected at least two objectives in the list' }).readonly(),
    ])
    .optional(),
  /** By output: bounds that an answer must keep. */
  constraints: z.record(z.string(), limitSchema).optional(),
  measurements: measurementsSchema.optional(),
  simulation: simulationSchema.unwrap().omit({ handling: true, maxTime: true }).optional(),
  /** Recordings that are kept: of all runs, of none, of those that fail, of the n best. */
  keep: z
    .union([z.enum(['all', 'none', 'failures']), z.strictObject({ best: whole('a number of runs', 1) })])
    .optional(),
  limits: z
    .strictObject({
      /** On the clock, for one run; 20 times the median so far and at least 10 s unless given. */
      seconds: positive('a time', 's').optional(),
      /** For one worker. */
      memory: positive('a memory size', 'MB').optional(),
    })
    .optional(),
  seed: seed.optional(),
});
/** What `study` takes. */
export type StudyOptions = z.input<typeof studySchema>;

/** A checked study. */
export interface Study extends z.output<typeof studySchema> {
  readonly kind: 'study';
}

/**
 * Checks a study.
 *
 * @throws ModelError with the path of what is wrong, e.g. `parameters.friction.to`
 * @example study({ model: 'gears', parameters: { friction: { from: 0.05, to: 0.3, steps: 6 } }, design: { kind: 'grid' }, outputs: { peak: "max('wheel.contact.force')" } })
 */
export function study(options: StudyOptions): Study {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) check(studySchema, options, 'study');
  for (const key of Object.keys(options))
    if (!Object.hasOwn(studySchema.shape, key)) check(studySchema, options, 'study');
  const checked: Record<string, unknown> = { kind: 'study' };
  for (const [key, schema] of Object.entries(studySchema.shape)) {
    const given = (options as Record<string, unknown>)[key];
    const found = check(schema as z.AnySchema, given, key);
    if (found !== undefined) checked[key] = found;
  }
  const made = checked as unknown as Study;
  refuseContradictions(made);
  return made;
}

function refuseContradictions({
  parameters,
  design,
  search,
  outputs = {},
  objective,
  constraints = {},
  measurements,
}: Study): void {
  if ((design === undefined) === (search === undefined))
    throw new ModelError(
      'study',
      'expected one of design (which points) and search (what is sought), got both or none',
    );
  if (Object.keys(outputs).length === 0 && !measurements)
    throw new ModelError(
      'outputs',
      'expected at least one output such as { peak: "max(\'ball.position.z\')" }, got none',
    );
  if (search && !objective && !measurements)
    throw new ModelError('search', 'expected an objective or measurements: without either nothing is sought');
  const goals = objective === undefined ? [] : Array.isArray(objective) ? objective : [objective];
  if (search?.kind === 'nsga-ii' && goals.length < 2)
    throw new ModelError('objective', "expected a list of at least two objectives for 'nsga-ii', got one");
  if (search && search.kind !== 'nsga-ii' && goals.length > 1)
    throw new ModelError('search.kind', `expected 'nsga-ii' for ${goals.length} objectives, got '${search.kind}'`);
  if (search?.kind === 'levenberg-marquardt' && !measurements)
    throw new ModelError('measurements', "expected measurements: 'levenberg-marquardt' fits to data");
  if (measurements && goals.length > 0)
    throw new ModelError('objective', 'expected none beside measurements: the misfit to them is what is made small');
  if (search)
    for (const [name, spec] of Object.entries(parameters))
      if (typeof spec === 'object' && !('from' in spec) && !('seed' in spec))
        throw new ModelError(
          `parameters.${name}`,
          'expected a value or a range { from, to }: a search goes between bounds',
        );
  for (const name of Object.keys(constraints))
    if (!Object.hasOwn(outputs, name))
      throw new ModelError(`constraints.${name}`, `there is no output "${name}"; constraints bound outputs`);
}
