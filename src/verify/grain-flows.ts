/** Claims about spheres that flow: a turning drum (A5), a gas that cools by its impacts (A10), beads that run out of a hole (A11). */
import { contactRecords, energiesOf } from '../grains/measures.js';
import { random } from '../math/random.js';
import { KernelWorkers } from '../node/kernel-workers.js';
import { findModel, loadModel, requireModel } from '../node/model-files/load-model.js';
import { simulate } from '../simulation/simulation.js';
import { type Check, once, within } from './check.js';
import {
  bedOf,
  DRUM_SPEED,
  facetedDrum,
  mulberry32,
  OTHERS,
  STEP,
  spheresInDrum,
  stateOf,
  turnDrum,
} from './grain-scenes.js';

/** 20 000 spheres in a drum of 864 triangles that turns at 15 rpm from the start */
const turned = (step: number, time: number) => {
  const bed = bedOf(spheresInDrum(), { walls: [facetedDrum()], gravity: [0, 0, -9.81] });
  const energies = () => {
    const { kinetic, rotational, potential, elastic, bristles } = energiesOf(bed, step, contactRecords(bed));
    return {
      kinetic: kinetic + rotational,
      stored: kinetic + rotational + potential + elastic + bristles,
      heat: bed.work.damping + bed.work.sliding + bed.work.rolling - bristles,
    };
  };
  const before = energies();
  let work = 0;
  const wrench = new Float64Array(6);
  for (let k = 1; k * step < time + 0.5 * step; k++) {
    turnDrum(bed, step, DRUM_SPEED * step * k);
    work -= bed.wrenchOn(0, wrench)[4] * DRUM_SPEED * step;
  }
  const { kinetic, stored, heat } = energies();
  return { kinetic, centre: stateOf(bed).centre, missing: (work - (stored - before.stored) - heat) / heat };
};
const drum = once(() => turned(STEP, 0.2));
/** Until they have fallen upon each other, by whole and by half steps */
const fallen = once(() => [turned(STEP, 0.06).missing, turned(0.5 * STEP, 0.06).missing] as const);

/** 1 000 smooth spheres of 10 mm, a tenth of a periodic box, e = 0.9: temperature by the first one at times in τ */
const cooling = once(() => {
  const [count, radius, temperature] = [1000, 0.005, 0.01];
  const side = Math.cbrt((count * (4 / 3) * Math.PI * radius ** 3) / 0.1);
  const u = mulberry32(99);
  const places: (readonly [number, number, number])[] = [];
  const apart = (a: number, b: number): number => Math.min(Math.abs(a - b), side - Math.abs(a - b));
  while (places.length < count) {
    const p = [u() * side, u() * side, u() * side] as const;
    if (places.every((q) => Math.hypot(apart(p[0], q[0]), apart(p[1], q[1]), apart(p[2], q[2])) > 2 * radius))
      places.push(p);
  }
  const draw = random(10);
  const velocities = places.map(() => [draw.normal(), draw.normal(), draw.normal()]);
  const mean = [0, 1, 2].map((k) => velocities.reduce((sum, v) => sum + v[k], 0) / count);
  let square = 0;
  for (const v of velocities) for (let k = 0; k < 3; k++) square += (v[k] -= mean[k]) ** 2;
  const scale = Math.sqrt((3 * count * temperature) / square);
  const bed = bedOf(
    places.map((position, k) => ({
      position,
      radius,
      velocity: velocities[k].map((x) => x * scale) as unknown as readonly [number, number, number],
      kind: 0,
      density: 2500,
    })),
    { lawOf: () => ({ restitution: 0.9, friction: 0 }), period: { low: [0, 0, 0], length: [side, side, side] } },
  );
  const tau = 1 / (5.588 * Math.sqrt(temperature));
  const h = 5e-5;
  const v = bed.arrays.floats('motion');
  const curve: (readonly [number, number])[] = [];
  const each = Math.round((0.05 * tau) / h);
  for (let k = 1; k * h <= 10 * tau; k++) {
    bed.step(h);
    if (k % each !== 0) continue;
    let sum = 0;
    for (let i = 0; i < count; i++) sum += v[8 * i] ** 2 + v[8 * i + 1] ** 2 + v[8 * i + 2] ** 2;
    curve.push([(k * h) / tau, sum / (3 * count * temperature)]);
  }
  const off = (until: number): number =>
    Math.max(...curve.filter(([t]) => t <= until).map(([t, T]) => Math.abs(T * (1 + t) ** 2 - 1)));
  const at = (time: number): number => curve.find(([t]) => t >= time - 1e-9)![1];
  const last = curve[curve.length - 1];
  return { early: off(0.4), later: off(4), exponent: Math.log(at(1) / last[1]) / Math.log((1 + last[0]) / 2) };
});

/** Beads running out of the hopper of the examples, 6 000 of them: kg/s between 0.4 s and the end */
const flow = (orifice: number): (() => Promise<number>) =>
  once(async () => {
    const build = await loadModel(findModel('hopper'));
    const model = requireModel(await build({ orifice, beads: 6000 }), 'hopper');
    const recording = simulate(model, { team: new KernelWorkers() });
    const left = recording.signal('drain.mass').values;
    const { times, rows } = recording;
    let first = 0;
    while (times[first] < 0.4) first++;
    // Until a third is still above
    let last = rows - 1;
    const all = 6000 * (4 / 3) * Math.PI * 2500 * 0.0025 ** 3;
    while (last > first + 5 && left[last] > 0.6 * all) last--;
    return (left[last] - left[first]) / (times[last] - times[first]);
  });
const HOPPER = [
  [0.03, 0.189],
  [0.035, 0.293],
  [0.04, 0.437],
  [0.05, 0.882],
] as const;
const flows = HOPPER.map(([orifice]) => flow(orifice));

/** W^0.4 = (C ρ_b √g)^0.4 (D − k d): k and C of a straight line through the four */
async function beverloo(): Promise<{ readonly k: number; readonly c: number }> {
  const points = await Promise.all(HOPPER.map(async ([d], i) => [d, (await flows[i]()) ** 0.4] as const));
  const n = points.length;
  const [mx, my] = [0, 1].map((k) => points.reduce((sum, p) => sum + p[k], 0) / n);
  let [xy, xx] = [0, 0];
  for (const [x, y] of points) {
    xy += (x - mx) * (y - my);
    xx += (x - mx) ** 2;
  }
  const slope = xy / xx;
  return { k: (mx - my / slope) / 0.005, c: slope ** 2.5 / (1397 * Math.sqrt(9.81)) };
}

export const grainFlowChecks: readonly Check[] = [
  within(
    'A5-energy',
    '20 000 spheres in a turning drum of 864 triangles at 0.2 s: kinetic energy, J',
    OTHERS,
    0.71,
    0.02,
    () => drum().kinetic,
  ),
  within('A5-x', 'the same: centre along x, m', OTHERS, -0.0111, 4e-4, () => drum().centre[0]),
  within('A5-z', 'the same: centre along z, m', OTHERS, -0.106, 5e-4, () => drum().centre[2]),
  within(
    'A5-ledger',
    'the same at 0.06 s, half the step: work of the drum by its torque, less what is stored and what became heat, by that heat',
    'balance of energy',
    0,
    5e-3,
    () => fallen()[1],
  ),
  within(
    'A5-ledger-order',
    'the same: order in the step of what is missing, whole and half steps',
    'leapfrog is of order 2, the heat of sliding is told to h^1.4',
    1.8,
    0.4,
    () => Math.log2(fallen()[0] / fallen()[1]),
  ),
  within(
    'A10-early',
    '1 000 inelastic spheres without gravity: T (1 + t/τ)²/T₀ to 0.4 τ, greatest difference from 1',
    'Haff (1983), τ by kinetic theory',
    0,
    0.03,
    () => cooling().early,
  ),
  within('A10-later', 'the same to 4 τ', 'Haff (1983)', 0, 0.15, () => cooling().later),
  within(
    'A10-exponent',
    'the same: exponent of T in 1 + t/τ between 1 and 10 τ',
    'Haff (1983): 2 for long times',
    1.925,
    0.125,
    () => cooling().exponent,
  ),
  ...HOPPER.map(([orifice, kg], i) =>
    within(
      `A11-${Math.round(1000 * orifice)}`,
      `6 000 beads run out of a hole of ${1000 * orifice} mm: kg/s over the reference`,
      'LIGGGHTS and a prototype, ± 6 %',
      1,
      0.06,
      async () => (await flows[i]()) / kg,
    ),
  ),
  within(
    'A11-k',
    'the same: k of Beverloo’s law through the four',
    'Beverloo (1961): 1 to 1.6',
    1.3,
    0.3,
    async () => (await beverloo()).k,
  ),
  within(
    'A11-C',
    'the same: C, with a bulk density of 1397 kg/m³',
    'Beverloo (1961): 0.45 to 0.6',
    0.525,
    0.075,
    async () => (await beverloo()).c,
  ),
];
