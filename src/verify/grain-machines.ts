/** Claims about machines among grains (A14): momentum of a free paddle and what it meets, order of the coupling in the machine's step, a part much lighter than the grains. */
import { box } from '../geometry/primitives.js';
import { random } from '../math/random.js';
import type { Vec3 } from '../math/vec3.js';
import { body } from '../model/body.js';
import { revolute } from '../model/joints.js';
import { model } from '../model/model.js';
import { Simulation } from '../simulation/simulation.js';
import { type Check, once, within } from './check.js';

const SOFT = { density: 2500, youngsModulus: 1e7, poissonRatio: 0.3, restitution: 0.7, friction: 0.4 };
const RADIUS = 0.01;
const BEAD = (4 / 3) * Math.PI * SOFT.density * RADIUS ** 3; // kg

/** Linear and angular momentum of grains and machine at the last row, and the sum of their amounts; the velocities of grains are half a step behind */
function momentum({ grains, recording }: Simulation): { readonly sum: number[]; readonly amounts: readonly number[] } {
  const { bed, step } = grains!;
  const { grains: x, motion: v } = bed;
  const force = new Float64Array(6);
  const half = bed.firstKick ? 0 : 0.5 * step;
  const sum = ['momentum', 'angularMomentum'].flatMap((name) =>
    ['x', 'y', 'z'].map((axis) => recording.signal(`${name}.${axis}`).at(-1)!),
  );
  const amounts = [Math.hypot(...sum.slice(0, 3)), Math.hypot(...sum.slice(3))];
  for (let i = 0; i < bed.count; i++) {
    bed.forceOn(i, force);
    const m = 1 / v[8 * i + 3];
    const p = [0, 1, 2].map((k) => m * v[8 * i + k] + half * force[k]);
    const l = [0, 1, 2].map((k) => {
      const [a, b] = [(k + 1) % 3, (k + 2) % 3];
      return x[4 * i + a] * p[b] - x[4 * i + b] * p[a] + v[8 * i + 4 + k] / v[8 * i + 7] + half * force[3 + k];
    });
    for (let k = 0; k < 3; k++) {
      sum[k] += p[k];
      sum[3 + k] += l[k];
    }
    amounts[0] += Math.hypot(...p);
    amounts[1] += Math.hypot(...l);
  }
  return { sum, amounts };
}

/** A free paddle of 0.3 m turns among 20 beads for 0.6 s: momentum lost, by that of all */
const paddle = once(() => {
  const draw = random(4);
  const at = Array.from(
    { length: 20 },
    (_, k): Vec3 => [
      0.06 * (k % 5) - 0.12,
      0.03 * (k < 10 ? 1 : -1) * (1.5 + Math.floor((k % 10) / 5)),
      0.004 * draw.normal(),
    ],
  );
  const run = new Simulation(
    model({
      gravity: 'none',
      bodies: {
        paddle: body({
          shape: box([0.3, 0.02, 0.05]),
          material: SOFT,
          angularVelocity: [0, 0.2, 3],
          velocity: [0.01, 0.1, 0],
        }),
      },
      grains: {
        species: { bead: { radius: RADIUS, material: SOFT } },
        packings: { cloud: { species: 'bead', arrangement: 'given', at } },
      },
    }),
    { stopTime: 0.6, interval: 0.01, rtol: 1e-12 },
  );
  const before = momentum(run);
  run.advance();
  run.finish();
  const after = momentum(run);
  const lost = (first: number): number =>
    Math.max(...[0, 1, 2].map((k) => Math.abs(after.sum[first + k] - before.sum[first + k])));
  if (!(run.grains!.report.deepestWall > 1e-3)) throw new Error('the paddle met no bead');
  return { linear: lost(0) / after.amounts[0], angular: lost(3) / after.amounts[1] };
});

/** A hammer on an arm of 30 mm swings into a row of ten beads without friction: its angle after 2.56 ms, rad. @param mass of the hammer, kg. @param substeps of the grains, 1 µs each, in one of the machine */
function hammerAngle(mass: number, substeps: number): number {
  const run = new Simulation(
    model({
      gravity: [0, 0, -9.81],
      bodies: {
        hammer: body({
          shape: box([0.02, 0.04, 0.04]),
          material: SOFT,
          mass,
          inertia: [1e-5, 1e-5, 1e-5].map((i) => (i * mass) / (5 * BEAD)) as unknown as Vec3,
          position: [-0.01, 0, 0],
        }),
      },
      joints: { pivot: revolute({ body: 'hammer', at: [-0.01, 0, 0.03], axis: [0, 1, 0], initialSpeed: -60 }) },
      grains: {
        species: { bead: { radius: RADIUS, material: { ...SOFT, restitution: 1, friction: 0 } } },
        packings: {
          row: {
            species: 'bead',
            arrangement: 'given',
            at: Array.from({ length: 10 }, (_, k): Vec3 => [RADIUS + 2 * RADIUS * k, 0, 0]),
          },
        },
        pairs: [{ between: ['bead', '*'], restitution: 1, friction: 0 }],
        step: 1e-6,
      },
    }),
    { stopTime: 2.56e-3, interval: 1.28e-3, rtol: 1e-11, integrator: 'dop853' },
  );
  run.grains!.fixedSubsteps = substeps;
  run.advance();
  run.finish();
  return run.recording.signal('pivot.angle').at(-1)!;
}

const order = once(() => {
  const exact = hammerAngle(5 * BEAD, 1);
  const [fine, coarse] = [16, 64].map((n) => Math.abs(hammerAngle(5 * BEAD, n) - exact));
  return Math.log2(coarse / fine) / 2;
});

export const grainMachineChecks: readonly Check[] = [
  within(
    'A14-paddle',
    'free paddle among 20 beads, 0.6 s: momentum lost, by that of all',
    'conserved',
    0,
    1e-12,
    () => paddle().linear,
    false,
  ),
  within(
    'A14-paddle-angular',
    'the same: angular momentum lost',
    'conserved; the machine follows a tolerance of 1e-12',
    0,
    1e-12,
    () => paddle().angular,
    false,
  ),
  {
    id: 'A14-order',
    title: 'hammer on a short arm that swings into a row of beads: order in the step of the machine',
    source: 'impulse and first moment of the grains: 3',
    limit: 0,
    measure: () => ({ value: order(), reference: 2.7, error: Math.max(0, 2.7 - order()) }),
  },
  within(
    'A14-light',
    'the same with a hammer of 1/100 of a bead and H ω_c = 3: angle, relative difference from steps of 1 µs',
    'steps of the grains; a prediction by velocities alone fails at 2',
    0,
    1e-3,
    () => {
      const exact = hammerAngle(0.01 * BEAD, 1);
      return hammerAngle(0.01 * BEAD, 256) / exact - 1;
    },
    false,
  ),
];
