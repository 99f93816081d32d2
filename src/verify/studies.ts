/** Claims about studies: the example studies' figures; what studies cost, how often intervals hold and a queue under kills stand in files of their own. */
import { factoriseLu, solveLu } from '../math/dense-lu.js';
import type { Analysis } from '../studies/analysis.js';
import { fisherQuantile } from '../studies/designs/quantiles.js';
import type { Check, Measured } from './check.js';
import { coverageCheck } from './fit-coverage.js';
import { queueCheck } from './queue-kills.js';
import { studyCostChecks } from './study-costs.js';
import { FRICTIONS, GRAZING, LEVEL, SPINS } from './tippe-top-map.js';
import { columnOf, type Told, withStudy } from './told-study.js';

/** How many of the fitted parameters have the true value outside their 95 % interval */
const outside = ({ fit }: Analysis, truth: Readonly<Record<string, number>>): number =>
  fit!.parameters.filter(({ name, low, high }) => !(truth[name] >= low && truth[name] <= high)).length;

/**
 * dᵀ C⁻¹ d / (n F), d the truth less the fit, C its covariance. Where parameters go together, one unlucky record moves several of them out of their own intervals at once; the
 * ellipsoid is what holds all of them in 95 records of 100.
 */
function placeInEllipsoid({ fit }: Analysis, truth: Readonly<Record<string, number>>): number {
  const { parameters, correlation, residuals } = fit!;
  const n = parameters.length;
  const d = parameters.map(({ name, value, deviation }) => (truth[name] - value) / deviation);
  const lu = Float64Array.from(correlation.flat());
  const [pivots, solved] = [new Int32Array(n), Float64Array.from(d)];
  factoriseLu(lu, n, pivots);
  solveLu(lu, n, pivots, solved);
  return d.reduce((sum, one, k) => sum + one * solved[k], 0) / (n * fisherQuantile(0.95, n, residuals - n));
}

const examples: readonly Check[] = [
  {
    id: 'STUDY-ball',
    title: "A thrown ball's track: friction and restitution within their 95 % intervals",
    source: 'the record was made with 0.72 and 0.14, noise 2 mm',
    limit: 0,
    measure: () =>
      withStudy(
        'thrown-ball',
        ({ analysis }): Measured => ({
          value: outside(analysis, { restitution: 0.72, friction: 0.14 }),
          reference: 0,
        }),
      ),
  },
  {
    id: 'STUDY-watch',
    title:
      "A watch's rate, amplitude and torque from a noisy record: the truth's place in the 95 % ellipsoid of all three, 1 its surface",
    source: 'the record was made with 28800 beats an hour, 280°, 1.3 µN m, noise 0.02 rad',
    limit: 1,
    long: true,
    measure: () =>
      withStudy('escapement-rate', ({ analysis }): Measured => {
        if (!/standard deviations/.test(analysis.fit!.reason))
          throw new Error(`the fit did not converge: ${analysis.fit!.reason}`);
        return { value: placeInEllipsoid(analysis, { beats: 28800, amplitude: 280, torque: 1.3e-6 }), reference: 0 };
      }),
  },
  {
    id: 'STUDY-tippe-top',
    title: 'Map of the tippe top over spin and friction: time to level at 19 points, largest relative difference',
    source: 'rigid bodies in eight coordinates, where a rigid table need not pull; 0.3 % is required of the example',
    limit: 3e-3,
    long: true,
    measure: () =>
      withStudy('tippe-top-inversion', (_, folder): Measured => {
        const [spin, friction, level] = ['p.spin', 'p.friction', 'out.level'].map((name) => columnOf(folder, name));
        const differences = level.flatMap((time, i) => {
          const [row, column] = [
            SPINS.indexOf(spin[i]),
            FRICTIONS.findIndex((one) => Math.abs(one - friction[i]) < 1e-9),
          ];
          const grazes = spin[i] === GRAZING.spin && FRICTIONS[column] === GRAZING.friction;
          return row < 0 || grazes ? [] : [Math.abs(time / LEVEL[row][column] - 1)];
        });
        if (differences.length !== 19) throw new Error(`compared ${differences.length} points, expected 19`);
        return { value: Math.max(...differences), reference: 0 };
      }),
  },
  {
    id: 'STUDY-geneva',
    title: 'Geneva clearance against peak force: runs of the Pareto set that another run beats',
    source: 'definition, held against all runs of the table one by one',
    limit: 0,
    long: true,
    measure: () => withStudy('geneva-clearance', (told, folder) => beaten(told, folder, ['-clearance', 'peak'])),
  },
  {
    id: 'STUDY-geneva-peak',
    title: 'Geneva clearance: peak force at four clearances as the study has it, largest relative difference',
    source: 'the same runs at rtol 1e-7 with rows every 5 µs; neighbours of the Pareto set differ by some per cent',
    limit: 0.01,
    long: true,
    async measure() {
      const peaks = (simulation: object): Promise<number[]> =>
        withStudy(
          {
            model: 'geneva-mechanism',
            parameters: {
              play: { from: 0.002, to: 0.0111, scale: 'log', steps: 4 },
              lockPlay: 0.02,
              speed: 2,
              start: 100,
            },
            design: { kind: 'grid' },
            outputs: { peak: "max('contacts.wheel-drive.force')" },
            simulation: { stop: 0.25, ...simulation },
          },
          (_, folder) => columnOf(folder, 'out.peak'),
        );
      const [usual, tight] = [await peaks({ interval: 1e-5 }), await peaks({ interval: 5e-6, rtol: 1e-7 })];
      return { value: Math.max(...usual.map((peak, i) => Math.abs(peak / tight[i] - 1))), reference: 0 };
    },
  },
  {
    id: 'STUDY-car',
    title: 'Quarter car, comfort against road holding: runs of the Pareto set that another run beats',
    source: 'definition, held against all runs of the table one by one',
    limit: 0,
    long: true,
    measure: () =>
      withStudy('quarter-car-comfort', (told, folder) =>
        beaten(told, folder, ['acceleration', 'tyre'], { name: 'travel', most: 0.08 }),
      ),
  },
];

/** Both are to be small, or with a minus large; a Pareto set of fewer than five runs is none worth the name */
function beaten(
  { analysis }: Told,
  folder: string,
  goals: readonly string[],
  bound?: { readonly name: string; readonly most: number },
): Measured {
  const [a, b] = goals.map((goal) => {
    const name = goal.replace('-', '');
    return columnOf(folder, `out.${name}`).map((value) => (name === goal ? value : -value));
  });
  const bounded = bound && columnOf(folder, `out.${bound.name}`);
  const kept = (i: number): boolean => !bounded || bounded[i] <= bound.most;
  const front = analysis.pareto ?? [];
  if (front.length < 5) throw new Error(`the Pareto set has ${front.length} runs`);
  const count = front.filter(({ row }) =>
    a.some((_, i) => kept(i) && a[i] <= a[row] && b[i] <= b[row] && (a[i] < a[row] || b[i] < b[row])),
  ).length;
  return { value: count, reference: 0 };
}

export const studyChecks: readonly Check[] = [...examples, coverageCheck, ...studyCostChecks, queueCheck];
