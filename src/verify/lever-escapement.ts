/**
 * Claims about the lever escapement (X3), examples/lever-escapement: what is too long for the tests. References marked "elsewhere" are from an
 * independent simulation of the same outlines: three rotations, vertices against edges, 5·10⁴ N/m, explicit steps of 1 µs.
 */
import { join } from 'node:path';
import type { Model } from '../model/model.js';
import { findModel, loadModel, requireModel } from '../node/model-files/load-model.js';
import { PACKAGE_ROOT } from '../node/package-root.js';
import type { Check } from './check.js';
import { type Beat, type Drive, dailyRate, type Steady, steadyState, watchBeats } from './escapement-beats.js';

const degree = Math.PI / 180;
const ELSEWHERE = 'independent simulation of the same outlines, vertices against edges, steps of 1 µs';

async function escapement(parameters: Readonly<Record<string, number | string>> = {}): Promise<Model> {
  const file = findModel(join(PACKAGE_ROOT, 'examples', 'lever-escapement'));
  return requireModel(await (await loadModel(file))(parameters), file);
}

const watch: Drive = { inertia: 1.2e-9, quality: 200, omega: 8 * Math.PI, torque: 1.3e-6 };
const found = new Map<string, Promise<Steady>>();

/** Steady state of the watch; one search serves all its claims. */
function settled(parameters: Readonly<Record<string, number>> = {}, rtol = 1e-4): Promise<Steady> {
  const key = JSON.stringify([parameters, rtol]);
  let steady = found.get(key);
  if (!steady) {
    const { beats = 28800, torque = watch.torque } = parameters;
    const drive = { ...watch, torque, omega: (2 * Math.PI * beats) / 7200 };
    steady = steadyState((amplitude) => escapement({ ...parameters, amplitude }), drive, { rtol });
    found.set(key, steady);
  }
  return steady;
}

const amplitudeOf = async (parameters: Readonly<Record<string, number>>, rtol?: number): Promise<number> =>
  (await settled(parameters, rtol)).amplitude / degree;

/** Most that two beats differ from a pitch of the wheel, degrees */
function slip(beats: readonly Beat[], pitch = 24): number {
  let most = 0;
  for (let i = 2; i < beats.length; i++)
    most = Math.max(most, Math.abs(Math.abs(beats[i].wheel - beats[i - 2].wheel) / degree - pitch));
  return most;
}

/** Beats of the run without slip that is long enough to be called a day's work */
const MANY_BEATS = 10_000;

export const escapementChecks: readonly Check[] = [
  {
    id: 'X3-amplitude',
    title: 'steady amplitude of the watch at 1.3 µN m, degrees',
    source: ELSEWHERE,
    limit: 6,
    long: true,
    measure: async () => ({ value: await amplitudeOf({}), reference: 280 }),
  },
  {
    id: 'X3-rate',
    title: 'what the escapement makes the watch lose, s a day',
    source: ELSEWHERE,
    limit: 1,
    long: true,
    measure: async () => ({ value: (await settled({}, 1e-5)).rate, reference: -6.6 }),
  },
  {
    id: 'X3-efficiency',
    title: "share of the wheel's energy that reaches the balance",
    source: ELSEWHERE,
    limit: 0.02,
    long: true,
    measure: async () => ({ value: (await settled()).efficiency, reference: 0.522 }),
  },
  {
    id: 'X3-torque',
    title: 'amplitude at 0.5 µN m over that at 1.3 µN m',
    source: 'A ~ √τ: the damper takes energy with A², the wheel gives it with τ',
    limit: 0.01,
    long: true,
    measure: async () => ({
      value: (await amplitudeOf({ torque: 0.5e-6 })) / (await amplitudeOf({})),
      reference: Math.sqrt(0.5 / 1.3),
    }),
  },
  {
    id: 'X3-isochronism',
    title: 'rate × amplitude at 0.5 µN m over that at 1.3 µN m',
    source:
      'Airy (1827): the impulse is the same share of the motion, and off the middle by the same angle, so the rate goes as 1/A',
    limit: 0.05,
    long: true,
    measure: async () => {
      const [low, high] = [await settled({ torque: 0.5e-6 }, 1e-5), await settled({}, 1e-5)];
      return { value: (low.rate * low.amplitude) / (high.rate * high.amplitude), reference: 1 };
    },
  },
  ...(
    [
      [18000, 0.508e-6, 280.1],
      [21600, 0.731e-6, 279.7],
    ] as const
  ).map(
    ([beats, torque, reference]): Check => ({
      id: `X3-${beats}`,
      title: `amplitude at ${beats} beats an hour and ${1e6 * torque} µN m, degrees`,
      source: `${ELSEWHERE}; τ ~ ω² for the same amplitude`,
      limit: 3,
      long: true,
      measure: async () => ({ value: await amplitudeOf({ beats, torque }), reference }),
    }),
  ),
  {
    id: 'X3-refinement',
    title: 'amplitude at rtol 1e-4 less that at 1e-5, degrees',
    source: 'converges under the tolerance',
    limit: 0.1,
    long: true,
    measure: async () => ({ value: (await amplitudeOf({})) - (await amplitudeOf({}, 1e-5)), reference: 0 }),
  },
  {
    id: 'X3-facets',
    title: 'amplitude with round parts of 384 corners less that with 192, degrees',
    source: 'converges under refinement of the facets; 96 corners are 0.26° less',
    limit: 0.1,
    long: true,
    measure: async () => ({
      value: (await amplitudeOf({ segments: 384 })) - (await amplitudeOf({ segments: 192 })),
      reference: 0,
    }),
  },
  {
    id: 'X3-teaching',
    title: 'steady amplitude of the teaching model, 50 times as large, degrees',
    source: ELSEWHERE,
    limit: 6,
    long: true,
    measure: async () => {
      const drive = { inertia: 0.01, quality: 100, omega: 2 * Math.PI, torque: 1.2 };
      const { amplitude } = await steadyState((start) => escapement({ size: 50, amplitude: start }), drive);
      return { value: amplitude / degree, reference: 241 };
    },
  },
  {
    id: 'X3-threshold',
    title: 'torques of 0.7 and 1.0 µN m from which it starts by itself: 0 and 1',
    source: 'below some 0.85 µN m a tooth comes to rest on the impulse face, the hairspring in balance with it',
    limit: 0,
    long: true,
    measure: async () => {
      let starts = '';
      for (const torque of [0.7e-6, 1e-6]) {
        const { beats } = watchBeats(await escapement({ start: 'rest', torque }), { stopTime: 0.75 });
        starts += beats.some(({ amplitude }) => amplitude > 30 * degree) ? '1' : '0';
      }
      return { value: Number(starts), reference: 1 };
    },
  },
  {
    id: 'X3-knocking',
    title: 'gain with twice the torque, when the pin strikes the outside of the fork, above 1000 s a day: 1',
    source: 'a balance that swings beyond 342° is thrown back: watchmakers call it knocking, or rebanking',
    limit: 0,
    long: true,
    measure: async () => {
      const { beats } = watchBeats(await escapement({ torque: 2.6e-6, amplitude: 335 }), { stopTime: 1.5 });
      return { value: dailyRate(beats.slice(2), 0.25) > 1000 ? 1 : 0, reference: 1 };
    },
  },
  {
    id: 'X3-close',
    title: 'teeth that pass in six beats with the wheel 0.02 mm too close to the lever',
    source: 'a tooth that is set too deep is not let off, and the watch stops',
    limit: 1,
    long: true,
    measure: async () => {
      const { beats } = watchBeats(await escapement({ closeness: 2e-5 }), { stopTime: 0.75 });
      return { value: Math.abs(beats[beats.length - 1].wheel - beats[0].wheel) / (24 * degree), reference: 0 };
    },
  },
  {
    id: 'X3-day',
    title: `${MANY_BEATS} beats: most that two beats differ from 24° of wheel, degrees`,
    source: '15 teeth, one of them for two beats; no slip, no double release',
    limit: 0.002,
    long: true,
    measure: async () => {
      const model = await escapement();
      const quiet = {
        ...model,
        contacts: model.contacts === false ? false : { ...model.contacts, sensors: [] },
      } as Model;
      const { beats } = watchBeats(quiet, { stopTime: (MANY_BEATS + 2) / 8, rtol: 1e-3 });
      return { value: beats.length >= MANY_BEATS ? slip(beats) : Number.NaN, reference: 0 };
    },
  },
];
