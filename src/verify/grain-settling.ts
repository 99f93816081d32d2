/** Claims about 5 000 spheres that settle in a box: the same bits in any way of computing them (A3), where they come to rest (A4), their critical step (A13). */
import type { NewGrain } from '../grains/bed.js';
import { restoreBed, snapshotOf } from '../grains/bed-snapshot.js';
import { GrainBed } from '../grains/grain-bed.js';
import { census, contactRecords, energiesOf } from '../grains/measures.js';
import { SerialTeam } from '../grains/team.js';
import { KernelWorkers } from '../node/kernel-workers.js';
import { type Check, once, within } from './check.js';
import { bedOf, boxSide, OTHERS, openBox, ROUGH, SOFT, STEP, settlingBed, stateOf, tiled } from './grain-scenes.js';

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
  const next = new GrainBed({
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
    const copy = new GrainBed({ kinds: [SOFT], lawOf: () => ROUGH, walls: [openBox(side)], gravity: [0, 0, -9.81] });
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

const same = (id: string, title: string, hash: () => string): Check => ({
  id,
  title,
  source: 'same input, same bits',
  limit: 0,
  long: true,
  measure: () => ({ value: hash() === plainHash() ? 1 : 0, reference: 1 }),
});
const plainHash = once(() => settledHash({}));

export const grainSettlingChecks: readonly Check[] = [
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
