/** Claims about the Geneva mechanism, examples/geneva-mechanism: a hundred turns, any number of slots, and that forces do not hang on triangles or steps. */
import { join } from 'node:path';
import { genevaDimensions } from '../assets/machine-elements/geneva-dimensions.js';
import { genevaMotion } from '../assets/machine-elements/geneva-motion.js';
import { findModel, loadModel, requireModel } from '../node/model-files/load-model.js';
import { PACKAGE_ROOT } from '../node/package-root.js';
import type { Recording } from '../results/recording.js';
import { type SimulationOptions, simulate } from '../simulation/simulation.js';
import { type Check, type Measured, relative } from './check.js';

const DEGREE = Math.PI / 180;

async function run(parameters: Record<string, unknown>, options: SimulationOptions): Promise<Recording> {
  const file = findModel(join(PACKAGE_ROOT, 'examples', 'geneva-mechanism'));
  const construct = await loadModel(file);
  return simulate(requireModel(await construct(parameters), file), options);
}

/** What a run of whole turns, one per s, shows in mid dwell and where both corners of the locking arc are on the disc; degrees */
async function turns(slots: number, count: number): Promise<{ dwell: number[]; locked: number; play: number }> {
  const recording = await run({ slots }, { stopTime: count, interval: 2.5e-3 });
  const d = genevaDimensions({ slots });
  const drive = recording.signal('motor.angle').values;
  const wheel = recording.signal('shaft.angle').values;
  const dwell: number[] = [];
  let locked = 0;
  for (let i = 0; i < drive.length; i++) {
    const error = (wheel[i] - genevaMotion(d, drive[i]).angle) / DEGREE;
    const fromMidDwell = Math.abs(drive[i] - 2 * Math.PI * Math.round(drive[i] / (2 * Math.PI)));
    if (fromMidDwell < d.lockedUpTo) locked = Math.max(locked, Math.abs(error));
    if (i > 0 && fromMidDwell < 1e-9) dwell.push(error);
  }
  return { dwell, locked, play: d.lockPlay / DEGREE };
}

/** Work of the drive in the second turn, J, which is 2π times its mean torque */
async function work(parameters: Record<string, unknown>, rtol: number): Promise<number> {
  const recording = await run(parameters, { stopTime: 2, interval: 1e-2, rtol });
  const supplied = recording.signal('energy.supplied');
  return supplied.valueAt(2) - supplied.valueAt(1);
}

/** N s: force of the drive on the wheel, summed up over the first turn, along the line of centres */
async function impulse(parameters: Record<string, unknown>, rtol: number): Promise<number> {
  const recording = await run(parameters, { stopTime: 0.7, interval: 2e-5, rtol });
  const { times, values } = recording.signal('contacts.wheel-drive.force.x');
  let sum = 0;
  for (let i = 1; i < times.length; i++) sum += 0.5 * (values[i] + values[i - 1]) * (times[i] - times[i - 1]);
  return sum;
}

const between = async (value: Promise<number>, reference: Promise<number>): Promise<Measured> =>
  relative(await value, await reference);

let hundred: ReturnType<typeof turns> | undefined;
const hundredTurns = (): ReturnType<typeof turns> => {
  hundred ??= turns(6, 100);
  return hundred;
};

export const genevaChecks: readonly Check[] = [
  {
    id: 'GENEVA-100-turns',
    title: 'Geneva mechanism, 6 slots, 100 turns: index, largest difference of a turn from 60°, degrees',
    source: '360°/n after every turn',
    limit: 1e-3,
    long: true,
    measure: async () => {
      const { dwell } = await hundredTurns();
      let most = 0;
      for (let i = 1; i < dwell.length; i++) most = Math.max(most, Math.abs(dwell[i] - dwell[i - 1]));
      return { value: dwell.length === 100 ? most : Number.NaN, reference: 0 };
    },
  },
  {
    id: 'GENEVA-100-lock',
    title: 'the same: largest angle off while locked, degrees, against the play of the lock',
    source: 'acos((C² + r² − R²)/2Cr) − acos((C² + r² − z²)/2Cr)',
    limit: 0,
    long: true,
    measure: async () => {
      const { locked, play } = await hundredTurns();
      return { value: locked, reference: play, error: Math.max(0, locked - play) };
    },
  },
  {
    id: 'GENEVA-slots',
    title: 'Geneva mechanism, 3 to 12 slots, 2 turns each: largest difference of mid dwell from the lead c/2r, degrees',
    source: 'lead with which the pin lets go; the bearing stops the wheel after 0.04° at most',
    limit: 0.06,
    long: true,
    measure: async () => {
      let most = 0;
      for (let slots = 3; slots <= 12; slots++)
        for (const error of (await turns(slots, 2)).dwell) most = Math.max(most, Math.abs(error + 0.005 / DEGREE));
      return { value: most, reference: 0 };
    },
  },
  {
    id: 'GENEVA-work-steps',
    title: 'work of the drive per turn at rtol 1e-5 against 1e-6, relative',
    source: 'converges with the tolerance',
    limit: 2e-3,
    long: true,
    measure: () => between(work({}, 1e-5), work({}, 1e-6)),
  },
  {
    id: 'GENEVA-work-facets',
    title: 'work of the drive per turn with 128 and 96 corners against 256 and 192, relative',
    source: 'converges with the facets',
    limit: 3e-3,
    long: true,
    measure: () =>
      between(work({ segments: 128, pinSegments: 96 }, 1e-5), work({ segments: 256, pinSegments: 192 }, 1e-5)),
  },
  {
    id: 'GENEVA-impulse-facets',
    title: 'impulse of the drive on the wheel in one index, the same, relative',
    source: 'converges with the facets',
    limit: 3e-3,
    long: true,
    measure: () =>
      between(impulse({ segments: 128, pinSegments: 96 }, 1e-5), impulse({ segments: 256, pinSegments: 192 }, 1e-5)),
  },
  {
    id: 'GENEVA-impulse-mesh',
    title: 'impulse of the drive on the wheel in one index, in space against in the plane, relative',
    source: 'the same parts by another route',
    limit: 2e-4,
    long: true,
    measure: () => between(impulse({ mesh: true }, 1e-5), impulse({}, 1e-5)),
  },
];
