/**
 * A study laid out for a model: which of its parameters vary and how, which are fixed, and the rows of a design. What the study names and the model lacks is
 * refused here, before anything runs.
 */
import { ModelError, suggestion } from '../errors.js';
import { exp, log } from '../math/elementary.js';
import { random } from '../math/random.js';
import type { Parameter, ParameterValue } from '../model/parameters.js';
import type { Study, StudyGoal, StudyParameter } from '../model/study.js';
import { latinHypercube, monteCarlo } from './designs/latin-hypercube.js';
import { normalQuantile } from './designs/quantiles.js';
import { sobolPoints } from './designs/sobol-sequence.js';
import { morrisPoints } from './sensitivity/morris.js';
import { saltelliPoints } from './sensitivity/sobol-indices.js';

export interface Variable {
  readonly name: string;
  readonly unit: string;
  /** Undefined where it only takes listed values */
  readonly range:
    | { readonly from: number; readonly to: number; readonly log: boolean; readonly start: number }
    | undefined;
  /** Values of a grid */
  readonly values: readonly ParameterValue[];
  /** Value at a place in its distribution, 0 ≤ u < 1 */
  at(u: number): ParameterValue;
}

export interface StudyPlan {
  readonly study: Study;
  readonly variables: readonly Variable[];
  readonly fixed: Readonly<Record<string, ParameterValue>>;
  /** Parameters that get the row's seed */
  readonly seeded: readonly string[];
  /** Units of all that the study sets, by name */
  readonly units: Readonly<Record<string, string>>;
}

export interface Row {
  readonly index: number;
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  readonly seed: number;
}

/** Values of a range on a grid unless said */
const USUAL_STEPS = 5;
const MOST_ROWS = 5e6;

/** @throws ModelError where the study does not fit the model */
export function planOf(study: Study, parameters: readonly Parameter[]): StudyPlan {
  const variables: Variable[] = [];
  const fixed: Record<string, ParameterValue> = {};
  const seeded: string[] = [];
  const units: Record<string, string> = {};
  for (const [name, spec] of Object.entries(study.parameters)) {
    const path = `parameters.${name}`;
    const known = parameters.find((parameter) => parameter.name === name);
    if (!known) throw unknown(path, name, parameters);
    const unit = (typeof spec === 'object' && 'unit' in spec && spec.unit) || unitOf(known);
    units[name] = unit;
    if (typeof spec === 'object' && 'seed' in spec) seeded.push(name);
    else if (typeof spec !== 'object') fixed[name] = fitting(spec, known, path);
    else variables.push(variableOf(name, unit, spec, known));
  }
  const { design } = study;
  if (design?.kind === 'list')
    for (const [i, row] of design.rows.entries())
      for (const [name, value] of Object.entries(row)) {
        const path = `design.rows[${i}].${name}`;
        const known = parameters.find((parameter) => parameter.name === name);
        if (!known) throw unknown(path, name, parameters);
        fitting(value, known, path);
        units[name] = unitOf(known);
      }
  if (design?.kind === 'local')
    for (const [name, value] of Object.entries(design.at ?? {})) {
      const variable = variables.find((one) => one.name === name);
      if (!variable?.range)
        throw new ModelError(
          `design.at.${name}`,
          `expected one of the ranges in parameters${suggestion(
            name,
            variables.map((one) => one.name),
          )}`,
        );
      if (!(value >= variable.range.from && value <= variable.range.to))
        throw new ModelError(
          `design.at.${name}`,
          `expected a value from ${variable.range.from} to ${variable.range.to}, got ${value}`,
        );
    }
  if (variables.length === 0 && seeded.length === 0 && design?.kind !== 'list')
    throw new ModelError(
      'parameters',
      'expected at least one that varies, such as { from: 1, to: 2 }, got fixed values only',
    );
  if (study.search && variables.length === 0)
    throw new ModelError('parameters', 'expected at least one range { from, to } to search in, got none');
  for (const [i, goal] of goalsOf(study).entries()) {
    const name = goalName(goal);
    if (!Object.hasOwn(study.outputs ?? {}, name))
      throw new ModelError(
        goalsOf(study).length > 1 ? `objective[${i}]` : 'objective',
        `there is no output "${name}"${suggestion(name, Object.keys(study.outputs ?? {}))}`,
      );
  }
  for (const name of Object.keys(study.outputs ?? {})) {
    if (!/^[A-Za-z_]\w*$/.test(name))
      throw new ModelError(
        `outputs.${name}`,
        `expected a name of letters, digits and _ that begins with a letter, got "${name}"`,
      );
    if (Object.hasOwn(study.parameters, name))
      throw new ModelError(`outputs.${name}`, `"${name}" is a parameter already; give the output another name`);
  }
  for (const name of Object.keys(study.measurements?.outputs ?? {}))
    if (!Object.hasOwn(study.outputs ?? {}, name))
      throw new ModelError(
        `measurements.outputs.${name}`,
        `there is no output "${name}"${suggestion(name, Object.keys(study.outputs ?? {}))}`,
      );
  return { study, variables, fixed, seeded, units };
}

export const goalsOf = ({ objective }: Study): readonly StudyGoal[] =>
  objective === undefined ? [] : Array.isArray(objective) ? objective : [objective as StudyGoal];
export const goalName = (goal: StudyGoal): string => ('minimise' in goal ? goal.minimise : goal.maximise);

function unknown(path: string, name: string, parameters: readonly Parameter[]): ModelError {
  const names = parameters.map((parameter) => parameter.name);
  return new ModelError(
    path,
    `the model has no parameter "${name}"${suggestion(name, names) || (names.length > 0 ? `; it has ${names.join(', ')}` : '; it has none')}`,
  );
}

/** A comment that is a unit, as in `length = 2 /* m *\/`; explanations are none, and words have none */
const unitOf = ({ comment, default: usual }: Parameter): string =>
  typeof usual === 'string' || typeof usual === 'boolean'
    ? ''
    : (/^([^\s,;:]+(?:[ /·]\S+)?)(?:[,;:].*)?$/.exec(comment)?.[1].replace(/[.,;:]$/, '') ?? '');

function fitting(value: ParameterValue, known: Parameter, path: string): ParameterValue {
  if (known.default !== undefined && typeof known.default !== typeof value)
    throw new ModelError(
      path,
      `expected a ${typeof known.default}, as in the model's ${known.defaultText}, got ${JSON.stringify(value)}`,
    );
  return value;
}

function variableOf(
  name: string,
  unit: string,
  spec:
    | Exclude<StudyParameter, ParameterValue | readonly ParameterValue[] | { seed: true }>
    | readonly ParameterValue[],
  known: Parameter,
): Variable {
  const path = `parameters.${name}`;
  if (isList(spec)) {
    for (const [i, value] of spec.entries()) fitting(value, known, `${path}[${i}]`);
    const values = spec;
    return {
      name,
      unit,
      range: undefined,
      values,
      at: (u) => values[Math.min(values.length - 1, Math.floor(u * values.length))],
    };
  }
  fitting(0, known, path);
  if ('from' in spec) {
    const { from, to, scale, steps = USUAL_STEPS } = spec;
    const isLog = scale === 'log';
    const at = (u: number): number =>
      u <= 0 ? from : u >= 1 ? to : isLog ? exp(log(from) + u * (log(to) - log(from))) : from + u * (to - from);
    const values = Array.from({ length: steps }, (_, i) => at(steps === 1 ? 0.5 : i / (steps - 1)));
    return { name, unit, range: { from, to, log: isLog, start: spec.start ?? at(0.5) }, values, at };
  }
  const at =
    'mean' in spec
      ? (u: number): number => spec.mean + spec.deviation * normalQuantile(inside(u))
      : (u: number): number => spec.median * exp(log(spec.factor) * normalQuantile(inside(u)));
  return {
    name,
    unit,
    range: undefined,
    values: Array.from({ length: USUAL_STEPS }, (_, i) => at((i + 0.5) / USUAL_STEPS)),
    at,
  };
}

const isList = (spec: unknown): spec is readonly ParameterValue[] => Array.isArray(spec);

/** A point on the border of the cube has no finite quantile: it is moved half of 2^-32 inside */
const inside = (u: number): number => Math.min(1 - 2 ** -33, Math.max(2 ** -33, u));

/** A remark a user should hear before the runs */
export function remarksOf({ study: { design } }: StudyPlan): string[] {
  if (design?.kind === 'sobol' && Math.log2(design.runs) % 1 !== 0)
    return [
      `Sobol's sequence is most even at powers of two; ${design.runs} runs are none: ${2 ** Math.round(Math.log2(design.runs))} would be`,
    ];
  if (design?.kind === 'sobol-indices' && Math.log2(design.samples) % 1 !== 0)
    return [`samples of Sobol indices are most even at powers of two, got ${design.samples}`];
  return [];
}

/** Seed of a row: of the study's seed and the row's number alone */
export const seedOf = ({ seed = 1 }: Study, index: number): number =>
  random(seed)
    .fork('row')
    .fork(index)
    .integer(2 ** 31);

/** A row of a study from its varying values */
export function rowOf(
  { study, fixed, seeded }: StudyPlan,
  index: number,
  values: Readonly<Record<string, ParameterValue>>,
): Row {
  const seed = seedOf(study, index);
  return {
    index,
    seed,
    // −0 is 0: a queue's JSON would not keep it
    parameters: Object.fromEntries(
      Object.entries({ ...fixed, ...values, ...Object.fromEntries(seeded.map((name) => [name, seed])) }).map(
        ([name, value]) => [name, value === 0 ? 0 : value],
      ),
    ),
  };
}

/** All rows of a study with a design, in its order */
export function designRows(plan: StudyPlan): Row[] {
  const { study, variables } = plan;
  const { design } = study;
  if (!design) return [];
  if (design.kind === 'list') return design.rows.map((row, i) => rowOf(plan, i, row));
  if (design.kind === 'grid') {
    const count = variables.reduce((product, { values }) => product * values.length, 1);
    refuseTooMany(count);
    return Array.from({ length: count }, (_, index) => {
      let rest = index;
      const values: Record<string, ParameterValue> = {};
      // the last parameter runs fastest
      for (const variable of [...variables].reverse()) {
        values[variable.name] = variable.values[rest % variable.values.length];
        rest = Math.floor(rest / variable.values.length);
      }
      return rowOf(plan, index, values);
    });
  }
  if (design.kind === 'local') return [];
  const points = unitPoints(plan);
  refuseTooMany(points.length);
  return points.map((u, i) =>
    rowOf(plan, i, Object.fromEntries(variables.map((variable, k) => [variable.name, variable.at(u[k])]))),
  );
}

/** Points of a design in the unit cube */
export function unitPoints({ study: { design, seed = 1 }, variables }: StudyPlan): readonly Float64Array[] {
  const d = variables.length;
  switch (design?.kind) {
    case 'latin-hypercube':
      return latinHypercube(design.runs, d, seed);
    case 'sobol':
      return sobolPoints(design.runs, Math.max(1, d), design.scramble ? { seed } : {});
    case 'monte-carlo':
      return monteCarlo(design.runs, d, seed);
    case 'morris':
      return morrisPoints({ trajectories: design.trajectories ?? 10, levels: design.levels ?? 4, dimensions: d, seed });
    case 'sobol-indices':
      return saltelliPoints(design.samples, d, seed);
    default:
      return [];
  }
}

function refuseTooMany(count: number): void {
  if (count > MOST_ROWS)
    throw new ModelError(
      'design',
      `makes ${count} runs; more than ${MOST_ROWS} are refused: fewer steps, or a design with a number of runs`,
    );
}
