// The Swiss lever escapement of Elmqvist et al. (2015), §8.1: one second of a watch, eight beats. The paper gives no time for it. The error is
// that of the wheel, which must go on by 24° for two beats, in degrees.
import { type Model, simulate } from 'tippetop';
import escapement from '../examples/lever-escapement/lever-escapement.model.js';
import { benchmark } from './harness.js';

const degree = Math.PI / 180;

benchmark<Model, ReturnType<typeof simulate>>('lever-escapement/watch', {
  source:
    'Elmqvist et al. (2015), §8.1; 1 s, extruded parts in the plane, 28 800 beats an hour. Error of the wheel in degrees',
  unit: 'second of the watch',
  sizes: [1],
  rounds: 3,
  prepare: () => escapement(),
  run: (model) => simulate(model, { stopTime: 1, interval: 1e-3 }),
  work: () => 1,
  error: (run) => {
    const { values } = run.signal('wheelArbor.angle');
    return Math.abs(Math.abs(values[values.length - 1] - values[0]) / degree - 96);
  },
  note: ({ trust }) => `${trust.steps?.accepted ?? 0} steps; must be at most 20 s of computing`,
});
