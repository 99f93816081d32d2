/** Claims about 5 050 balls hit by one (A2): energy, momentum and the mirror image of the run, against LAMMPS and a prototype. */
import { contactRecords, energiesOf } from '../grains/measures.js';
import { random } from '../math/random.js';
import { type Check, once, within } from './check.js';
import { billiardBalls, billiardBed, stateOf } from './grain-scenes.js';

interface Billiard {
  readonly energy: number;
  readonly momentum: readonly [number, number];
  readonly striker: number;
  readonly backRow: number;
  /** Greatest difference of a ball and its mirror image, m */
  readonly mirror: number;
  /** Pairs that touch at the end */
  readonly pairs: number;
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
    pairs: bed.facts.pairs,
    hash: bed.hash,
  };
}

const coarse = once(() => billiard(1e-3));
const fine = once(() => billiard(4e-4));
const BILLIARD = 'LAMMPS and a prototype of these laws agree to ten digits';

export const grainBilliardChecks: readonly Check[] = [
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
  within('A2-contacts', 'the same: pairs that touch', BILLIARD, 3834, 0, () => coarse().pairs),
  within('A2-contacts-fine', 'the same at h = 0.4 ms', BILLIARD, 3838, 0, () => fine().pairs),
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
];
