import { describe, expect, test } from 'vitest';
import { type StudyOptions, study } from './study.js';

const good: StudyOptions = {
  model: 'pendulum',
  parameters: { length: { from: 1, to: 2 } },
  design: { kind: 'grid' },
  outputs: { period: "period('pivot.angle')" },
};
const bad =
  (changes: object): (() => unknown) =>
  () =>
    study({ ...good, ...changes } as StudyOptions);

test('a good study comes back checked', () => {
  expect(study(good)).toMatchObject({ kind: 'study', model: 'pendulum', design: { kind: 'grid' } });
});

describe('refused with the place and what to write', () => {
  test.each([
    [
      { parameters: { length: { from: 2, to: 1 } } },
      "parameters.length.to: expected an end above the range's beginning 2, got 1",
    ],
    [
      { parameters: { length: { from: 0, to: 1, scale: 'log' } } },
      "parameters.length.from: expected a number > 0 with scale 'log', got 0",
    ],
    [{ parameters: { length: { form: 1, to: 2 } } }, 'parameters.length'],
    [
      { parameters: { length: { from: 1, to: 2, steps: 0 } } },
      'parameters.length.steps: expected a number of values ≥ 1, got 0',
    ],
    [
      { parameters: { length: { from: '1', to: 2 } } },
      'parameters.length: expected a value, a list of values, { from, to }',
    ],
    [{ design: { kind: 'sobol' } }, 'design.runs: expected a number of runs, got nothing'],
    [{ design: { kind: 'sobl', runs: 8 } }, "design.kind: expected { kind: 'list' | 'grid'"],
    [
      { design: undefined },
      'study: expected one of design (which points) and search (what is sought), got both or none',
    ],
    [{ outputs: {} }, 'outputs: expected at least one output'],
    [{ output: {} }, 'study: has no "output"; did you mean "outputs"?'],
    [{ outputs: { period: 3 } }, 'outputs.period: expected an expression'],
    [{ constraints: { peak: { atMost: 1 } } }, 'constraints.peak: there is no output "peak"'],
    [{ constraints: { period: {} } }, 'constraints.period: expected { atMost } or { atLeast } or both'],
    [{ design: undefined, search: { kind: 'cma-es' } }, 'search: expected an objective or measurements'],
    [
      { design: undefined, search: { kind: 'nsga-ii' }, objective: { minimise: 'period' } },
      "objective: expected a list of at least two objectives for 'nsga-ii', got one",
    ],
    [
      {
        design: undefined,
        search: { kind: 'cma-es' },
        objective: { minimise: 'period' },
        parameters: { length: [1, 2] },
      },
      'parameters.length: expected a value or a range { from, to }',
    ],
    [{ measurements: { file: 'a.csv' } }, 'measurements: expected file and signals together'],
    [{ keep: { best: 0 } }, 'keep.best: expected a number of runs ≥ 1, got 0'],
    [{ model: undefined }, 'model: expected a model file or the name of an example'],
  ])('%j', (changes, message) => {
    expect(bad(changes)).toThrow(message);
  });
});
