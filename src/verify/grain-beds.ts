/** Claims about many spheres: the acceptance scenes A2–A13, each held to a closed form, to a law of the literature, or to the bands that other codes leave. */

import type { NewGrain } from '../grains/bed.js';
import { restoreBed, snapshotOf } from '../grains/bed-snapshot.js';
import type { GrainBed } from '../grains/grain-bed.js';
import { GrainBed as Bed } from '../grains/grain-bed.js';
import { census, contactRecords, energiesOf } from '../grains/measures.js';
import { SerialTeam } from '../grains/team.js';
import { AT_REST } from '../grains/wall-arrays.js';
import { meshFeatures } from '../grains/wall-features.js';
import { random } from '../math/random.js';
import { KernelWorkers } from '../node/kernel-workers.js';
import { findModel, loadModel, requireModel } from '../node/model-files/load-model.js';
import { simulate } from '../simulation/simulation.js';
import type { Check } from './check.js';
import {
  bedOf,
  billiardBalls,
  billiardBed,
  boxSide,
  DRUM_SPEED,
  facetedDrum,
  mulberry32,
  openBox,
  ROUGH,
  SOFT,
  settlingBed,
  spheresInDrum,
  stateOf,
  tiled,
  turnDrum,
} from './grain-scenes.js';

/** Made when first asked for, and kept */
function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

// ---- A2 -----------------------------------------------------------------------------------------------------------------------

interface Billiard {
  readonly energy: number;
  readonly momentum: readonly [number, number];
  readonly striker: number;
  readonly backRow: number;
  /** Greatest difference of a ball and its mirror image, m */
  readonly mirror: number;
  readonly hash: string;
}

function billiard(h: number, shuffled = false): Billiard {
  const balls = billiardBalls().map((ball, id) => ({ ...ball, id }));
  const bed = billiardBed(shuffled ? random(7).shuffle(balls) : balls);
  const steps = Math.round(8 / h);
  for (let k = 0; k < steps; k++) bed.step(h);
  const [x, v] = [bed.arrays.floats('grains'), bed.arrays.floats('motion')];
  const place = bed.inOrder();
  const energy = (id: number): number => {
    const i = place[id];
    return (0.5 / v[8 * i + 3]) * (v[8 * i] ** 2 + v[8 * i + 1] ** 2 + v[8 * i + 2] ** 2);
  };
  let [backRow, mirror] = [0, 0];
  for (let id = 4950; id < 5050; id++) backRow += energy(id);
  for (let i = 0; i < 100; i++)
    for (let j = 0; j <= i; j++) {
      const [a, b] = [place[(i * (i + 1)) / 2 + j], place[(i * (i + 1)) / 2 + i - j]];
      mirror = Math.max(
        mirror,
        Math.abs(x[4 * a] - x[4 * b]),
        Math.abs(x[4 * a + 1] + x[4 * b + 1]),
        Math.abs(v[8 * a] - v[8 * b]),
        Math.abs(v[8 * a + 1] + v[8 * b + 1]),
      );
    }
  const striker = v[8 * place[5050]];
  // Arrays may move as records are made
  const { kinetic, rotational, elastic } = energiesOf(bed, h, contactRecords(bed));
  const [px, py] = stateOf(bed).momentum;
  const impulse = (4 / 3) * Math.PI * 2000 * 0.125;
  return {
    energy: (kinetic + rotational + elastic) / (0.5 * impulse) - 1,
    momentum: [px / impulse - 1, py / impulse],
    striker,
    backRow,
    mirror,
    hash: bed.hash,
  };
}

const coarse = once(() => billiard(1e-3));
const fine = once(() => billiard(4e-4));
const BILLIARD = 'LAMMPS and a prototype of these laws agree to ten digits';

// ---- A3, A4, A13 --------------------------------------------------------------------------------------------------------------

const STEP = 5e-5;
const SETTLED = 12_000;

/** Hash of 5 000 spheres after 6 000 steps, in another way of computing it */
function settledHash(
  options: Parameters<typeof settlingBed>[1],
  disturb?: (bed: GrainBed, step: number) => GrainBed,
): string {
  let bed = settlingBed(5000, options);
  for (let k = 0; k < 6000; k++) {
    if (disturb) bed = disturb(bed, k);
    bed.step(STEP);
  }
  const { hash } = bed;
  bed.close();
  return hash;
}

/** Ten grains high above, between the walls, which are half-spaces, come at step 2 000 and go at 4 000: between drift and forces */
function withGuests(): string {
  const bed = settlingBed(5000);
  const middle = 0.5 * boxSide(5000);
  for (let k = 0; k < 6000; k++) {
    bed.move(STEP);
    if (k === 2000)
      bed.add(
        Array.from(
          { length: 10 },
          (_, i): NewGrain => ({ position: [middle, middle, 5 + i], radius: 0.005, kind: 0, density: 2500 }),
        ),
      );
    if (k === 4000)
      bed.remove([...bed.arrays.ints('ids').subarray(0, bed.count)].flatMap((id, i) => (id >= 5000 ? i : [])));
    bed.evaluate(STEP);
  }
  return bed.hash;
}

/** Stopped after 3 000 steps and gone on with other threads and another skin */
const restarted = (bed: GrainBed, step: number): GrainBed => {
  if (step !== 3000) return bed;
  const next = new Bed({
    kinds: [SOFT],
    lawOf: () => ROUGH,
    walls: [openBox(boxSide(5000))],
    gravity: [0, 0, -9.81],
    team: new SerialTeam(3),
    skin: 2e-3,
  });
  restoreBed(next, snapshotOf(bed));
  bed.close();
  return next;
};

const settled = once(() => {
  const bed = settlingBed(5000);
  let early = 0;
  for (let k = 1; k <= SETTLED; k++) {
    bed.step(STEP);
    if (k === 1000) early = energiesOf(bed, STEP, contactRecords(bed)).kinetic;
  }
  return {
    bed,
    early,
    height: stateOf(bed).centre[2],
    kinetic: energiesOf(bed, STEP, contactRecords(bed)).kinetic,
    pairs: bed.facts.pairs,
    wallContacts: bed.facts.wallContacts,
  };
});

/** The settled bed, its contacts' memory dropped, 0.09 s later: critical step, and kinetic energy after 0.1 s of steps of h over that after 0.03 s */
const afresh = once(() => {
  const side = boxSide(5000);
  const bed = bedOf(tiled(settled().bed, side, 1), { walls: [openBox(side)], gravity: [0, 0, -9.81] });
  for (let k = 0; k < 1800; k++) bed.step(STEP);
  const critical = census(bed, contactRecords(bed)).step;
  const snapshot = snapshotOf(bed);
  const growth = (h: number): number => {
    const copy = new Bed({ kinds: [SOFT], lawOf: () => ROUGH, walls: [openBox(side)], gravity: [0, 0, -9.81] });
    restoreBed(copy, snapshot);
    const energy = (): number => energiesOf(copy, h, contactRecords(copy)).kinetic;
    // Velocities lag by half a step, so another step is a jolt: let it pass
    for (let k = 0; k < Math.round(0.03 / h); k++) copy.step(h);
    const before = energy();
    for (let k = 0; k < Math.round(0.07 / h); k++) copy.step(h);
    return energy() / before;
  };
  return { critical, slow: growth(1.5e-4), fast: growth(2e-4) };
});

const OTHERS = 'band of LAMMPS, LIGGGHTS, YADE and a prototype';

// ---- A5 -----------------------------------------------------------------------------------------------------------------------

/** 20 000 spheres in a drum of 864 triangles that turns at 15 rpm from the start, after 0.2 s */
const drum = once(() => {
  const bed = bedOf(spheresInDrum(), { walls: [facetedDrum()], gravity: [0, 0, -9.81] });
  let work = 0;
  const wrench = new Float64Array(6);
  for (let k = 1; k <= 4000; k++) {
    turnDrum(bed, STEP, DRUM_SPEED * STEP * k);
    work -= bed.wrenchOn(0, wrench)[4] * DRUM_SPEED * STEP;
  }
  const { centre } = stateOf(bed);
  const { kinetic, rotational, potential, elastic, bristles } = energiesOf(bed, STEP, contactRecords(bed));
  const heat = bed.work.damping + bed.work.sliding + bed.work.rolling - bristles;
  return {
    kinetic: kinetic + rotational,
    centre,
    stored: kinetic + rotational + potential + elastic + bristles,
    heat,
    work,
  };
});

// ---- A6 -----------------------------------------------------------------------------------------------------------------------

/** A slab, its top and bottom cut into 2 n² triangles each, top at z = 0 */
function slab(n: number, size: number): ReturnType<typeof meshFeatures> {
  const points: number[] = [];
  const triangles: number[] = [];
  for (const z of [0, -0.2 * size])
    for (let j = 0; j <= n; j++)
      for (let i = 0; i <= n; i++) points.push(size * (i / n - 0.5), size * (j / n - 0.5), z);
  const at = (i: number, j: number, k: number): number => k * (n + 1) * (n + 1) + j * (n + 1) + i;
  const quad = (a: number, b: number, c: number, d: number): void => void triangles.push(a, b, c, a, c, d);
  for (let j = 0; j < n; j++)
    for (let i = 0; i < n; i++) {
      quad(at(i, j, 0), at(i + 1, j, 0), at(i + 1, j + 1, 0), at(i, j + 1, 0));
      quad(at(i, j, 1), at(i, j + 1, 1), at(i + 1, j + 1, 1), at(i + 1, j, 1));
    }
  for (let i = 0; i < n; i++) {
    quad(at(i, 0, 0), at(i, 0, 1), at(i + 1, 0, 1), at(i + 1, 0, 0));
    quad(at(i + 1, n, 0), at(i + 1, n, 1), at(i, n, 1), at(i, n, 0));
    quad(at(0, i + 1, 0), at(0, i + 1, 1), at(0, i, 1), at(0, i, 0));
    quad(at(n, i, 0), at(n, i, 1), at(n, i + 1, 1), at(n, i + 1, 0));
  }
  return meshFeatures(points, triangles, 'slab');
}

/** A sphere rolls 1.5 m down a slope of triangles, in a frame turned about an odd axis: greatest speed along the normal; contacts other than one */
function rolledDown(n: number): { readonly speed: number; readonly jumps: number } {
  const [radius, size, density] = [0.05, 2, 2500];
  // R of (1, 2, 3)/√14 by 0.7 rad
  const [ux, uy, uz] = [1, 2, 3].map((u) => u / Math.sqrt(14));
  const [c, s] = [Math.cos(0.7), Math.sin(0.7)];
  const t = 1 - c;
  const r = [
    ...[t * ux * ux + c, t * ux * uy - s * uz, t * ux * uz + s * uy],
    ...[t * ux * uy + s * uz, t * uy * uy + c, t * uy * uz - s * ux],
    ...[t * ux * uz - s * uy, t * uy * uz + s * ux, t * uz * uz + c],
  ];
  const turned = (x: number, y: number, z: number) =>
    [0, 3, 6].map((k) => r[k] * x + r[k + 1] * y + r[k + 2] * z) as unknown as readonly [number, number, number];
  // A slope of 0.3 rad, across the rows of triangles at an odd angle
  const along = 9.81 * Math.sin(0.3);
  const down = 9.81 * Math.cos(0.3);
  const gravity = turned(along * Math.cos(0.4), along * Math.sin(0.4), -down);
  const stuff = { name: 'stiff', youngsModulus: 1e9, poissonRatio: 0.3 };
  const mass = (4 / 3) * Math.PI * density * radius ** 3;
  const modulus = 1e9 / (2 * 0.91);
  const depth = ((0.75 * mass * down) / (modulus * Math.sqrt(radius))) ** (2 / 3);
  const bed = bedOf([{ position: turned(-0.65, -0.3, radius - depth), radius, kind: 0, density }], {
    kinds: [stuff],
    walls: [{ name: 'slope', kind: 0, features: slab(n, size), pose: { ...AT_REST, rotation: r }, farthest: 2 }],
    gravity,
  });
  const v = bed.arrays.floats('motion');
  const x = bed.arrays.floats('grains');
  let [speed, jumps] = [0, 0];
  const normal = turned(0, 0, 1);
  for (let k = 0; k < 40_000; k++) {
    bed.step(3e-5);
    speed = Math.max(speed, Math.abs(v[0] * normal[0] + v[1] * normal[1] + v[2] * normal[2]));
    if (bed.facts.wallContacts !== 1) jumps++;
  }
  const way = Math.hypot(
    x[0] - turned(-0.65, -0.3, 0)[0],
    x[1] - turned(-0.65, -0.3, 0)[1],
    x[2] - turned(-0.65, -0.3, 0)[2],
  );
  if (!(way > 1)) throw new Error(`expected a way of more than 1 m, got ${way}`);
  return { speed, jumps };
}

const coarseSlope = once(() => rolledDown(20));
const fineSlope = once(() => rolledDown(200));

// ---- A10 ----------------------------------------------------------------------------------------------------------------------

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

// ---- A11 ----------------------------------------------------------------------------------------------------------------------

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

const within = (
  id: string,
  title: string,
  source: string,
  reference: number,
  limit: number,
  value: () => number | Promise<number>,
  long = true,
): Check => ({
  id,
  title,
  source,
  limit,
  long,
  measure: async () => ({ value: await value(), reference }),
});
const same = (id: string, title: string, hash: () => string): Check => ({
  id,
  title,
  source: 'same input, same bits',
  limit: 0,
  long: true,
  measure: () => ({ value: hash() === plainHash() ? 1 : 0, reference: 1 }),
});
const plainHash = once(() => settledHash({}));

export const grainBedChecks: readonly Check[] = [
  within(
    'A2-energy',
    '5 050 balls hit by one, 8 s at h = 1 ms: energy, relative',
    'prototype: 4.39e-6, leapfrog',
    4.39e-6,
    1e-8,
    () => coarse().energy,
  ),
  within('A2-energy-fine', 'the same at h = 0.4 ms', 'prototype: 4.8e-7', 4.8e-7, 2e-8, () => fine().energy),
  within('A2-momentum', 'the same: momentum along and across, relative', 'conservation', 0, 1e-14, () =>
    Math.max(...coarse().momentum.map(Math.abs)),
  ),
  within(
    'A2-striker',
    'the same: speed of the ball that hit, m/s',
    BILLIARD,
    -0.1705113259,
    1e-10,
    () => coarse().striker,
  ),
  within('A2-striker-fine', 'the same at h = 0.4 ms', BILLIARD, -0.1705147511, 1e-10, () => fine().striker),
  within('A2-back-row', 'the same: energy of the back row, J', BILLIARD, 281.6848, 1e-4, () => coarse().backRow),
  within('A2-back-row-fine', 'the same at h = 0.4 ms', BILLIARD, 281.6684, 1e-4, () => fine().backRow),
  within(
    'A2-mirror',
    'the same: greatest difference from its mirror image',
    'symmetry, to the last bit',
    0,
    0,
    () => coarse().mirror,
  ),
  within('A2-shuffled', 'the same from balls in another order: same bits', 'same input, same bits', 1, 0, () =>
    billiard(1e-3, true).hash === coarse().hash ? 1 : 0,
  ),
  same('A3-2', '5 000 spheres settle for 6 000 steps on two workers', () =>
    settledHash({ team: new KernelWorkers(2) }),
  ),
  same('A3-3', 'the same on three', () => settledHash({ team: new KernelWorkers(3) })),
  same('A3-4', 'the same on four', () => settledHash({ team: new KernelWorkers(4) })),
  same('A3-7', 'the same cut into seven, one after the other', () => settledHash({ team: new SerialTeam(7) })),
  same('A3-skin', 'the same with a skin of 0.4 mm', () => settledHash({ skin: 4e-4 })),
  same('A3-skin-wide', 'the same with a skin of 2 mm', () => settledHash({ skin: 2e-3 })),
  same('A3-restart', 'the same, stopped after 3 000 and gone on with other threads and skin', () =>
    settledHash({}, restarted),
  ),
  same('A3-guests', 'the same while ten grains far away come and go', withGuests),
  within(
    'A4-height',
    '5 000 spheres settled for 0.6 s: height of the centre, m',
    OTHERS,
    0.1055,
    6e-4,
    () => settled().height,
  ),
  within('A4-pairs', 'the same: pairs that touch', OTHERS, 11640, 100, () => settled().pairs),
  within('A4-walls', 'the same: contacts with walls', OTHERS, 960, 30, () => settled().wallContacts),
  within('A4-rest', 'the same: kinetic energy, J', 'at rest: below 5e-6 J', 0, 5e-6, () => settled().kinetic),
  within('A4-fall', 'the same after 0.05 s: kinetic energy, J', OTHERS, 0.665, 3e-3, () => settled().early),
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
    'A6-speed',
    'a sphere rolls 1 m down 800 triangles in a turned frame: greatest speed along the normal, m/s',
    'a plane has no bumps',
    0,
    1e-12,
    () => coarseSlope().speed,
    false,
  ),
  within(
    'A6-contacts',
    'the same: steps with other than one contact',
    'a plane touches a sphere once',
    0,
    0,
    () => coarseSlope().jumps,
    false,
  ),
  within('A6-speed-fine', 'the same on 80 000 triangles', 'a plane has no bumps', 0, 1e-12, () => fineSlope().speed),
  within('A6-contacts-fine', 'the same', 'a plane touches a sphere once', 0, 0, () => fineSlope().jumps),
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
  within(
    'A13-step',
    'critical step of a settled bed by census, s',
    'prototype: 1.40e-4 s ± 5 %; sharp, see the next two',
    1.4e-4,
    7e-6,
    () => afresh().critical,
  ),
  {
    id: 'A13-slow',
    title: 'the same bed at steps of 0.15 ms: kinetic energy after 0.1 s over that after 0.03 s',
    source: 'just above critical: still falls',
    limit: 0,
    long: true,
    measure: () => {
      const value = afresh().slow;
      return { value, reference: 1, error: Math.max(0, value - 1) };
    },
  },
  {
    id: 'A13-fast',
    title: 'the same at 0.2 ms',
    source: 'far above critical: heats',
    limit: 0,
    long: true,
    measure: () => {
      const value = afresh().fast;
      return { value, reference: 1, error: Math.max(0, 1 - value) };
    },
  },
];
