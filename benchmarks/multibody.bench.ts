// Whole runs of published mechanisms, as a user starts them, and how the cost of a step grows with the number of bodies.
import { type Recording, simulate } from 'tippetop';
import andrewsSqueezer from '../examples/andrews-squeezer/andrews-squeezer.model.js';
import nFourBar from '../examples/n-four-bar/n-four-bar.model.js';
import pendulum from '../examples/pendulum/pendulum.model.js';
import { assemble } from '../src/assembly/assemble.js';
import { energies, initialise, MechanicalSystem } from '../src/dynamics/index.js';
import { Integration, type MethodName } from '../src/integration/index.js';
import { body } from '../src/model/body.js';
import { revolute } from '../src/model/joints.js';
import { type Model, model } from '../src/model/model.js';
import { benchmark } from './harness.js';

/** max |E(t) − E(0)| over the recorded rows, J */
function drift(run: Recording): number {
  const { values } = run.signal('energy.total');
  return values.reduce((most, energy) => Math.max(most, Math.abs(energy - values[0])), 0);
}

const steps = ({ trust }: Recording): string => `${trust?.steps?.accepted ?? 0} steps`;
const driftNote = (run: Recording): string => `${steps(run)}, energy drift ${drift(run).toExponential(1)} J`;

benchmark('multibody/A01', {
  source:
    'simple pendulum, 10 s; IFToMM benchmark A01. Published: 0.637 s for a widely used biomechanics code on a 2013 desktop core, ' +
    'energy drift at most 5e-5 J. Error: place of the bob at 10 s by Jacobi’s elliptic functions',
  unit: 'run',
  sizes: [1],
  run: {
    'rtol 1e-6': () => simulate(pendulum(), { rtol: 1e-6, interval: 0.1 }),
    'rtol 1e-7': () => simulate(pendulum(), { rtol: 1e-7, interval: 0.1 }),
    'rtol 1e-10': () => simulate(pendulum(), { rtol: 1e-10, interval: 0.1 }),
  },
  work: () => 1,
  error: (run) => {
    const x = run.signal('bob.position.x').at(-1)! + 0.2750874625761169;
    const z = run.signal('bob.position.z').at(-1)! + 0.961419205099125;
    return Math.sqrt(x * x + z * z);
  },
  note: driftNote,
});

benchmark('multibody/A02', {
  source:
    'N four-bar linkages, 10 s; IFToMM benchmark A02. Published: 0.455 s for N = 2 for a widely used biomechanics code on a 2013 desktop ' +
    'core, energy drift at most 0.1 J. Error: energy drift over the energy at the start',
  unit: 'run',
  sizes: [2, 10, 40],
  prepare: (n) => nFourBar({ n }),
  run: (described) => simulate(described, { interval: 0.1 }),
  work: () => 1,
  error: (run) => drift(run) / Math.abs(run.signal('energy.total').values[0]),
  note: driftNote,
});

benchmark('multibody/A03', {
  source:
    'Andrews’ squeezing mechanism, 0.03 s; IFToMM benchmark A03, Hairer & Wanner (1996), §VII.7. Error: crank angle at the end ' +
    'against their solution',
  unit: 'run',
  sizes: [1],
  run: {
    automatic: () => simulate(andrewsSqueezer()),
    rodas4: () => simulate(andrewsSqueezer(), { integrator: 'rodas4' }),
    dop853: () => simulate(andrewsSqueezer(), { integrator: 'dop853' }),
  },
  work: () => 1,
  error: (run) => Math.abs(run.signal('drive.angle').at(-1)! / 15.872485085167764 - 1),
  note: steps,
});

/** Some steps of an integrator from the start on, again and again */
interface Scene {
  readonly mechanics: MechanicalSystem;
  readonly start: Float64Array;
  readonly integrations: Readonly<Record<string, Integration>>;
  readonly bodies: number;
  readonly energy: number;
}

const STEPS = 10;

function scene(bodies: number, described: Model, methods: readonly MethodName[]): Scene {
  const system = assemble(described);
  const mechanics = new MechanicalSystem(system);
  const start = Float64Array.from(system.initial);
  initialise(mechanics, 0, start);
  const { kinetic, potential, elastic } = energies(mechanics, 0, start);
  const integrations = Object.fromEntries(
    methods.map((method) => [method, new Integration(mechanics, { t0: 0, y0: start, method })]),
  );
  return { mechanics, start, integrations, bodies, energy: kinetic + potential + elastic };
}

const stepping =
  (method: MethodName) =>
  ({ integrations, start }: Scene): Integration => {
    const integration = integrations[method];
    integration.restart(0, start);
    for (let i = 0; i < STEPS; i++) integration.step(1);
    return integration;
  };

/** Change of the energy over the kinetic energy that came in */
function energyError({ t, y }: Integration, { mechanics, energy }: Scene): number {
  const now = energies(mechanics, t, y);
  return Math.abs(now.kinetic + now.potential + now.elastic - energy) / now.kinetic;
}

benchmark('multibody/free-bodies', {
  source: 'bodies without joints, falling and tumbling: steps per body, no contact. Error: energy',
  unit: 'body-step',
  sizes: [10, 100, 1000, 10_000],
  prepare: (count) => scene(count, tumbling(count), ['dopri5', 'rodas4']),
  run: { dopri5: stepping('dopri5'), rodas4: stepping('rodas4') },
  work: (_, { bodies }) => bodies * STEPS,
  error: energyError,
});

benchmark('multibody/chain', {
  source:
    'a hanging chain on hinges: steps per body; explicit, and implicit with exact derivatives in O(n). Error: energy',
  unit: 'body-step',
  sizes: [10, 100, 1000, 10_000],
  prepare: (count) => scene(count, hangingChain(count), ['dopri5', 'rodas4']),
  run: { dopri5: stepping('dopri5'), rodas4: stepping('rodas4') },
  work: (_, { bodies }) => bodies * STEPS,
  error: energyError,
});

function tumbling(count: number): Model {
  const bodies = Array.from({ length: count }, (_, i) =>
    body({ mass: 1, inertia: [0.02, 0.03, 0.04], position: [i, 0, 0], angularVelocity: [1, 5, (2 * i) / count] }),
  );
  return model({ bodies: { stone: bodies } });
}

/** Links of 1 m on hinges about y and x in turn, the first turned aside */
function hangingChain(count: number): Model {
  return model({
    bodies: {
      link: Array.from({ length: count }, (_, i) =>
        body({ mass: 1, inertia: [0.09, 0.1, 0.02], centreOfMass: [0, 0, -0.5], position: [0, 0, -i] }),
      ),
    },
    joints: {
      hinge: Array.from({ length: count }, (_, i) =>
        revolute({
          body: `link[${i}]`,
          ...(i > 0 && { to: `link[${i - 1}]` }),
          axis: i % 2 === 0 ? [0, 1, 0] : [1, 0, 0],
          at: [0, 0, -i],
          initialSpeed: i === 0 ? 1 : 0,
        }),
      ),
    },
  });
}
