/** Claims about impacts (figures V1–V5, V15): Hertz impacts in closed form, restitution that is met, oblique impacts, ten bounces. */
import { halfSpace } from '../geometry/half-space.js';
import { sphere } from '../geometry/primitives.js';
import { body } from '../model/body.js';
import type { Material } from '../model/material.js';
import { type Model, model } from '../model/model.js';
import type { Recording } from '../results/recording.js';
import { simulate } from '../simulation/simulation.js';
import { type Check, type Measured, relative } from './check.js';

const HERTZ = 'Hertz impact in closed form, Johnson (1985), §11.4';

/** d* = (15 m v²/(16 E* √R))^(2/5), F = 4/3 E* √R d*^(3/2), T = 2.94328 d*∕v */
function hertzImpact(modulus: number, radius: number, mass: number, speed: number) {
  const depth = ((15 * mass * speed ** 2) / (16 * modulus * Math.sqrt(radius))) ** 0.4;
  return { depth, force: (4 / 3) * modulus * Math.sqrt(radius) * depth ** 1.5, time: (2.943275 * depth) / speed };
}

interface Impact {
  readonly model: Model;
  /** m, at a row of the recording */
  readonly gap: (run: Recording, row: number) => number;
  readonly force: string;
  readonly exact: ReturnType<typeof hertzImpact>;
  /** s until they touch */
  readonly wait: number;
}

function twoBalls(radius: number, mass: number, material: Material, speed: number, restitution: number): Impact {
  const { youngsModulus = 1, poissonRatio = 0 } = material;
  const exact = hertzImpact(youngsModulus / (2 * (1 - poissonRatio ** 2)), radius / 2, mass / 2, 2 * speed);
  const gap = exact.depth;
  const inertia = 0.4 * mass * radius ** 2;
  const ball = (side: number) =>
    body({
      shape: sphere(radius),
      mass,
      inertia: [inertia, inertia, inertia],
      material,
      position: [side * (radius + 0.5 * gap), 0, 0],
      velocity: [-side * speed, 0, 0],
    });
  return {
    model: model({
      gravity: [0, 0, 0],
      bodies: { a: ball(-1), b: ball(1) },
      contacts: { defaults: { restitution, friction: 0 } },
    }),
    gap: (run, row) => run.signal('b.position.x').values[row] - run.signal('a.position.x').values[row] - 2 * radius,
    force: 'b.contact.force.x',
    exact,
    wait: gap / (2 * speed),
  };
}

/** A ball onto a plane that is rigid, or of the ball's material; `angle` from the normal in rad */
function ballOnPlane(
  radius: number,
  material: Material,
  speed: number,
  { rigid = false, restitution = 1, friction = 0, angle = 0 } = {},
): Impact {
  const { density, youngsModulus = 1, poissonRatio = 0 } = material;
  const modulus = youngsModulus / ((rigid ? 1 : 2) * (1 - poissonRatio ** 2));
  const exact = hertzImpact(modulus, radius, (4 / 3) * Math.PI * radius ** 3 * density, speed * Math.cos(angle));
  const gap = exact.depth;
  return {
    model: model({
      gravity: [0, 0, 0],
      bodies: {
        plane: body({ shape: halfSpace(), fixed: true, material }),
        ball: body({
          shape: sphere(radius),
          material,
          position: [0, 0, radius + gap],
          velocity: [speed * Math.sin(angle), 0, -speed * Math.cos(angle)],
        }),
      },
      contacts: { defaults: { restitution, friction, reducedModulus: modulus } },
    }),
    gap: (run, row) => run.signal('ball.position.z').values[row] - radius,
    force: 'ball.contact.force.z',
    exact,
    wait: gap / (speed * Math.cos(angle)),
  };
}

/** Rows are so close that straight lines between them find touch and parting to 1e-6 of the contact time. */
function run({ model: of, exact, wait }: Impact, rows = 800, contactTimes = 1.5): Recording {
  const stopTime = wait + contactTimes * exact.time;
  return simulate(of, { stopTime, interval: stopTime / rows, rtol: 1e-7 });
}

/** How long the gap is below zero, s */
function duration(recording: Recording, gap: Impact['gap']): number {
  const times = recording.times;
  const crossings: number[] = [];
  for (let row = 1; row < times.length; row++) {
    const [before, after] = [gap(recording, row - 1), gap(recording, row)];
    if (before > 0 !== after > 0)
      crossings.push(times[row - 1] + ((times[row] - times[row - 1]) * before) / (before - after));
  }
  return crossings[1] - crossings[0];
}

const peakForce = (impact: Impact): Measured => relative(run(impact).signal(impact.force).max(), impact.exact.force);

function peakDepth(impact: Impact): Measured {
  const recording = run(impact);
  let deepest = 0;
  for (let row = 0; row < recording.rows; row++) deepest = Math.max(deepest, -impact.gap(recording, row));
  return relative(deepest, impact.exact.depth);
}

const contactTime = (impact: Impact): Measured => relative(duration(run(impact), impact.gap), impact.exact.time);

/** Peak force, overlap and duration of one elastic impact: what the tolerance of the run leaves, and the rows around the peak */
const three = (id: string, title: string, impact: () => Impact, printed: string): Check[] =>
  (
    [
      ['force', 'peak force, N', peakForce],
      ['depth', 'greatest overlap, m', peakDepth],
      ['time', 'contact time, s', contactTime],
    ] as const
  ).map(([what, text, measure]) => ({
    id: `${id}-${what}`,
    title: `${title}: ${text}, relative`,
    source: `${HERTZ}; ${printed}`,
    limit: 2e-5,
    measure: () => measure(impact()),
  }));

const GLASS = { density: 2800, youngsModulus: 4.8e10, poissonRatio: 0.2 };
const ALUMINIUM = { density: 2699, youngsModulus: 7e10, poissonRatio: 0.3 };
const ALUMINA = { density: 4000, youngsModulus: 3.8e11, poissonRatio: 0.23 };
const SOFT = { density: 1, youngsModulus: 2e5, poissonRatio: 0.3 };
const CHUNG = 'Chung & Ooi (2011)';

/** Largest |e out − e in| */
function restitutionError(impact: (e: number) => Impact, nominal: readonly number[], velocity: string, speed: number) {
  let worst = 0;
  for (const e of nominal) {
    const one = impact(e);
    const end = run(one, 4, e < 0.2 ? 20 : 4)
      .signal(velocity)
      .values.at(-1)!;
    worst = Math.max(worst, Math.abs(end / speed - e));
  }
  return { value: worst, reference: 0 };
}

/** Chung & Ooi's test 4 by Hertz–Mindlin: angle from the normal in °; v_t'/v_t; spin, rad/s; angle at which the contact point leaves, ° */
const OBLIQUE = [
  [10, 0.703, -201, -0.4],
  [20, 0.622, -504, -6.8],
  [30, 0.685, -615, -3.5],
  [40, 0.783, -544, 11.6],
  [60, 0.895, -355, 48.2],
  [80, 0.968, -123, 79],
] as const;

function oblique(degrees: number): readonly [number, number, number] {
  const [radius, speed, angle] = [0.0025, 3.9, (degrees * Math.PI) / 180];
  const impact = ballOnPlane(radius, ALUMINA, speed, { restitution: 0.98, friction: 0.092, angle });
  const recording = run(impact, 4, 2);
  const last = (name: string): number => recording.signal(name).values.at(-1)!;
  const [along, up, spin] = [last('ball.velocity.x'), last('ball.velocity.z'), last('ball.angularVelocity.y')];
  const leaving = (Math.atan2(along - radius * spin, up) * 180) / Math.PI;
  return [along / (speed * Math.sin(angle)), -spin, leaving];
}

/** Largest deviation of column k from the table */
const obliqueError = (k: 1 | 2 | 3, isRelative: boolean): Measured => ({
  value: Math.max(
    ...OBLIQUE.map((row) => {
      const deviation = Math.abs(oblique(row[0])[k - 1] - row[k]);
      return isRelative ? deviation / Math.abs(row[k]) : deviation;
    }),
  ),
  reference: 0,
});

export const impactChecks: readonly Check[] = [
  ...three(
    'V1',
    'two glass balls, 10 m/s each',
    () => twoBalls(0.01, (GLASS.density * 4e-6 * Math.PI) / 3, GLASS, 10, 1),
    `${CHUNG}, test 1: 10 696.9 N, 0.274113 mm, 40.339 µs`,
  ),
  ...three(
    'V2',
    'aluminium ball on a rigid plane, 0.2 m/s',
    () => ballOnPlane(0.1, ALUMINIUM, 0.2, { rigid: true }),
    `${CHUNG}, test 2: 11 369.9 N, 0.0497172 mm, 0.731657 ms`,
  ),
  ...three(
    'V2-same',
    'aluminium ball on a plane of aluminium, 0.2 m/s',
    () => ballOnPlane(0.1, ALUMINIUM, 0.2),
    `${CHUNG}, test 2: 8 616.7 N, 0.0656022 mm, 0.965427 ms`,
  ),
  {
    id: 'V3',
    title: 'alumina ball, 3.9 m/s, restitution 0, 0.1 … 1: largest difference from what was asked',
    source: `${CHUNG}, test 3`,
    limit: 1e-3,
    measure: () =>
      restitutionError(
        (restitution) => ballOnPlane(0.0025, ALUMINA, 3.9, { restitution }),
        [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.98, 1],
        'ball.velocity.z',
        3.9,
      ),
  },
  {
    id: 'V4-speed',
    title: 'oblique impacts, 10° … 80°: tangential speed after over before, largest relative difference',
    source: `${CHUNG}, test 4, by Hertz–Mindlin with three digits`,
    limit: 0.02,
    measure: () => obliqueError(1, true),
  },
  {
    id: 'V4-spin',
    title: 'oblique impacts, 10° … 80°: spin, largest relative difference',
    source: `${CHUNG}, test 4, by Hertz–Mindlin with three digits`,
    limit: 0.025,
    measure: () => obliqueError(2, true),
  },
  {
    id: 'V4-angle',
    title: 'oblique impacts, 10° … 80°: angle at which the contact point leaves, largest difference, °',
    source: `${CHUNG}, test 4, by Hertz–Mindlin with three digits`,
    limit: 1,
    measure: () => obliqueError(3, false),
  },
  {
    id: 'V4-sliding',
    title: 'oblique impacts that slide throughout: tangential speed after over before, largest difference',
    source: '1 − µ (1 + e)/tan θ',
    limit: 1e-4,
    measure: () => ({
      value: Math.max(
        ...[40, 60, 80].map((degrees) =>
          Math.abs(oblique(degrees)[0] - (1 - (0.092 * 1.98) / Math.tan((degrees * Math.PI) / 180))),
        ),
      ),
      reference: 0,
    }),
  },
  ...three(
    'V5',
    'two soft balls of 1 kg, 1 m/s each',
    () => twoBalls(0.5, 1, SOFT, 1, 1),
    'Buse et al. (2023), table 1: 153.007 N, 16.339 mm, 24.045 ms',
  ),
  {
    id: 'V5-restitution',
    title: 'two soft balls of 1 kg, restitution 0, 0.25 … 1: largest difference from what was asked',
    source: 'Buse et al. (2023), table 1',
    limit: 1e-3,
    measure: () => restitutionError((e) => twoBalls(0.5, 1, SOFT, 1, e), [0, 0.25, 0.5, 0.75, 1], 'b.velocity.x', 1),
  },
  {
    id: 'V15',
    title: 'ball dropped from 1 m with restitution 1: height of the tenth bounce, m',
    source: 'energy',
    limit: 1e-4,
    measure: () => {
      const material = { density: 2500, youngsModulus: 1e9, poissonRatio: 0.3 };
      const recording = simulate(
        model({
          bodies: {
            floor: body({ shape: halfSpace(), fixed: true, material }),
            ball: body({ shape: sphere(0.05), material, position: [0, 0, 1.05] }),
          },
          contacts: { defaults: { restitution: 1, friction: 0.3 } },
        }),
        { stopTime: 9.5, interval: 1e-3 },
      );
      const height = recording.signal('ball.position.z').values;
      const apexes: number[] = [];
      for (let i = 1; i + 1 < height.length; i++)
        if (height[i] > height[i - 1] && height[i] >= height[i + 1]) apexes.push(height[i] - 0.05);
      return { value: apexes[9], reference: 1 };
    },
  },
];
