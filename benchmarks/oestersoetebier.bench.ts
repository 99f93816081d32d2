// The three experiments of Oestersötebier et al. (2014), 1 s each, as a user runs them. CPU seconds are in their table; so are they here, as
// a run has one thread. The error is the largest of a coordinate of the centre against two integrators at 1e-12, m.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Model, type Recording, simulate } from 'tippetop';
import boxOnPlane from '../examples/box-on-plane/box-on-plane.model.js';
import cylinderOnDisc from '../examples/cylinder-on-disc/cylinder-on-disc.model.js';
import sphereOnCylinder from '../examples/sphere-on-cylinder/sphere-on-cylinder.model.js';
import { benchmark } from './harness.js';
import { packageRoot } from './package-root.js';

const references: Record<string, { readonly samples: readonly (readonly number[])[] }> = JSON.parse(
  readFileSync(join(packageRoot(), 'tests/verification/references/oestersoetebier.json'), 'utf8'),
);

/** Largest error of the centre at the times of the reference, m */
function errorOf(run: Recording, body: string, name: string, until: number): number {
  let most = 0;
  for (const [t, ...state] of references[name].samples)
    if (t <= until)
      for (const [k, axis] of ['x', 'y', 'z'].entries())
        most = Math.max(most, Math.abs(run.signal(`${body}.position.${axis}`).valueAt(t) - state[k]));
  return most;
}

interface Experiment {
  readonly title: string;
  readonly model: Model;
  readonly body: string;
  readonly reference: string;
  /** Errors count up to this time, s; all of the run unless given */
  readonly until?: number;
  /** CPU seconds in their table 1: their library, its filter off, and a commercial code, idealized to solid */
  readonly library: string;
  readonly commercial: string;
}

const experiments: Record<string, Experiment> = {
  'oestersoetebier/sphere-on-cylinder': {
    title: 'sphere on cylinder, experiment 1',
    model: sphereOnCylinder(),
    body: 'sphere',
    reference: 'experiment1',
    library: '0.37 s',
    commercial: '0.20–0.50 s',
  },
  'oestersoetebier/cylinder-on-disc': {
    title: 'cylinder on disc, experiment 2',
    model: cylinderOnDisc(),
    body: 'cylinder',
    reference: 'experiment2',
    library: '0.61 s',
    commercial: '4.98 s',
  },
  'oestersoetebier/box-on-plane': {
    title: 'cuboid on rectangle, experiment 3; error up to 0.2 s, for it clatters',
    model: boxOnPlane(),
    body: 'cuboid',
    reference: 'experiment3',
    until: 0.2001,
    library: '5.63 s',
    commercial: '0.59–1.90 s',
  },
};

for (const [name, { title, model, body, reference, until = 1, library, commercial }] of Object.entries(experiments))
  benchmark(name, {
    source: `${title}, 1 s; Oestersötebier et al. (2014), §4, on one core of 2.53 GHz of 2008. Error of the centre in m`,
    unit: 'run',
    sizes: [1],
    // Rows at the times of the reference: 0.02 s, 0.025 s
    run: () => simulate(model, { stopTime: 1, interval: 0.005 }),
    work: () => 1,
    error: (run) => errorOf(run, body, reference, until),
    note: ({ trust }) =>
      `${trust.steps?.accepted ?? 0} steps; the paper: ${library}, a commercial code ${commercial} (2.53 GHz, 2008)`,
  });
