/**
 * The claim about intervals of a fit: a ball is thrown with known restitution and friction, its track gets noise, the study fits both back; a hundred times. The truth must lie in the 95 % interval
 * of each in at least 90 of them (of a right interval it lies in 95 ± 2.2), and not in all, for intervals that always hold are too wide.
 */
import { random } from '../math/random.js';
import { parametersOf } from '../model/parameters.js';
import { study } from '../model/study.js';
import { findModel, loadModel } from '../node/model-files/load-model.js';
import type { MeasuredSignal } from '../studies/calibration/measurements.js';
import { conduct } from '../studies/conduct.js';
import { canonicalJson } from '../studies/outcome-text.js';
import { planOf, type Row } from '../studies/plan.js';
import { type Outcome, prepareRuns, type RunSetup, runTask } from '../studies/run-task.js';
import type { Check, Measured } from './check.js';

const TRIALS = 100;
const TRUTH = { restitution: 0.72, friction: 0.14 };
const NOISE = 2e-3; // m
/** One bounce, at 0.45 s, and the flight after it; 60 pictures a second */
const TIMES = Array.from({ length: 43 }, (_, i) => i / 60);
const SIGNALS = ['ball.position.x', 'ball.position.z'];

export interface Coverage {
  readonly trials: number;
  /** In how many trials the interval of each holds the truth, and the ellipsoid's ends those of all at once */
  readonly held: Readonly<Record<string, number>>;
  readonly together: number;
  readonly runs: number;
}

export async function coverage(): Promise<Coverage> {
  const construct = await loadModel(findModel('thrown-ball'));
  const plan = planOf(
    study({
      model: 'thrown-ball',
      parameters: {
        restitution: { from: 0.3, to: 0.95, start: 0.68 },
        friction: { from: 0.02, to: 0.3, start: 0.16 },
      },
      search: { kind: 'levenberg-marquardt' },
      measurements: { file: 'track', signals: Object.fromEntries(SIGNALS.map((name) => [name, name])) },
    }),
    parametersOf(construct),
  );
  const setup: RunSetup = {
    simulation: { stop: TIMES.at(-1)!, interval: 1 / 60, rtol: 1e-9 },
    outputs: [],
    samples: SIGNALS.map((signal) => ({ signal, times: TIMES })),
    events: false,
  };
  const prepared = prepareRuns(construct, setup);
  const known = new Map<string, Outcome>();
  const run = async ({ parameters: point }: Pick<Row, 'parameters'>): Promise<Outcome> => {
    const key = canonicalJson(point);
    const outcome = known.get(key) ?? (await runTask(prepared, { key, parameters: point }));
    known.set(key, outcome);
    return outcome;
  };
  const exact = (await run({ parameters: TRUTH })).samples!;

  const held: Record<string, number> = { restitution: 0, friction: 0 };
  let together = 0;
  for (let trial = 0; trial < TRIALS; trial++) {
    const draw = random('thrown ball').fork(trial);
    const measured: MeasuredSignal[] = SIGNALS.map((signal, s) => ({
      signal,
      unit: 'm',
      times: TIMES,
      values: TIMES.map((_, i) => exact[s * TIMES.length + i] + NOISE * draw.normal()),
      deviation: NOISE,
    }));
    const { analysis } = await conduct({
      plan,
      measured,
      evaluate: async (rows) => {
        const outcomes: Outcome[] = [];
        for (const row of rows) outcomes.push(await run(row));
        return outcomes;
      },
    });
    const inside = analysis.fit!.parameters.map(({ name, low, high, joint }) => {
      const truth = TRUTH[name as keyof typeof TRUTH];
      if (truth >= low && truth <= high) held[name]++;
      return truth >= joint[0] && truth <= joint[1];
    });
    if (inside.every(Boolean)) together++;
  }
  return { trials: TRIALS, held, together, runs: known.size };
}

export const coverageCheck: Check = {
  id: 'STUDY-coverage',
  title: `Of ${TRIALS} noisy tracks of a thrown ball those whose 95 % interval holds the truth, the rarer of restitution and friction`,
  source: 'right intervals hold it in 95 ± 2.2 of 100; at least 90, and not all',
  limit: 5,
  long: true,
  async measure(): Promise<Measured> {
    const { held } = await coverage();
    const counts = Object.values(held);
    if (Math.max(...counts) === TRIALS) throw new Error('an interval that always holds is too wide');
    return { value: Math.min(...counts), reference: 95 };
  },
};
