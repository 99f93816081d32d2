/**
 * All that the future of a bed depends on, in the order of the grains' numbers, so that it does not depend on how they lie: grains with the forces that act on them,
 * what touching pairs and contacts with walls remember, scales of the sums. Taken after the forces of a step: they are kept, not found again, for history would
 * advance twice. Lists are made anew.
 */
import { STRIDE, TOUCHED } from '../kernels/index.js';
import type { GrainBed } from './grain-bed.js';

export interface BedSnapshot {
  /** 20 per grain: id, kind, x y z r, v, 1/m, ω, 1/I, force, torque */
  readonly grains: Float64Array;
  /** Per touching pair: ids, the one with the lower number first, and 8 numbers of history, those of that one as owner */
  readonly pairs: Float64Array;
  /** Per contact with a wall: id, body, and 16 numbers of history */
  readonly wallContacts: Float64Array;
  /** 8 per wall: what the grains do to it; and where it is, 32 */
  readonly walls: Float64Array;
  /** Scale of the sums, steps beyond it, lists made, whether the next kick is a half one, next id, greatest radius, extent, skin; facts of the last step; work against damping, sliding, rolling; energy of going round periods */
  readonly scales: Float64Array;
}

const GRAIN = 20;
const PAIR = 10;
const WALL_CONTACT = 2 + STRIDE.contact;

export function snapshotOf(bed: GrainBed): BedSnapshot {
  const { arrays, count, facts, lists } = bed;
  const places = bed.inOrder();
  const x = arrays.floats('grains');
  const v = arrays.floats('motion');
  const ids = arrays.ints('ids');
  const kinds = arrays.ints('kinds');
  const force = new Float64Array(6);
  const grains = new Float64Array(GRAIN * count);
  places.forEach((i, k) => {
    const at = GRAIN * k;
    grains[at] = ids[i];
    grains[at + 1] = kinds[i];
    grains.set(x.subarray(4 * i, 4 * i + 4), at + 2);
    grains.set(v.subarray(8 * i, 8 * i + 8), at + 6);
    grains.set(bed.forceOn(i, force), at + 14);
  });

  const stride = arrays.ints('counts')[7];
  const starts = arrays.ints('starts');
  const ends = arrays.ints('ends');
  const neighbours = arrays.ints('neighbours');
  const history = arrays.floats('history');
  let touching = 0;
  for (let i = 0; i < count; i++)
    for (let k = starts[i]; k < ends[i]; k++) if ((neighbours[k] & TOUCHED) !== 0) touching++;
  const pairs = new Float64Array(PAIR * touching);
  let at = 0;
  for (let i = 0; i < count; i++)
    for (let k = starts[i]; k < ends[i]; k++) {
      if ((neighbours[k] & TOUCHED) === 0) continue;
      const j = neighbours[k] & (TOUCHED - 1);
      // With the other as owner s and the rolling angle point the other way, the twist does not
      const turned = ids[j] < ids[i];
      pairs[at] = turned ? ids[j] : ids[i];
      pairs[at + 1] = turned ? ids[i] : ids[j];
      for (let m = 0; m < stride; m++) {
        const value = history[stride * k + m];
        pairs[at + 2 + m] = turned && isVector(m) ? -value : value;
      }
      at += PAIR;
    }

  const wallContacts: number[] = [];
  const wallStarts = arrays.ints('wallStarts');
  const wallEnds = arrays.ints('wallEnds');
  for (let i = 0; bed.walls.length > 0 && i < count; i++)
    for (let g = wallStarts[i]; g < wallEnds[i]; g++) {
      const [body, first, , contacts] = arrays.ints('groupInts').subarray(4 * g, 4 * g + 4);
      for (let c = first; c < first + contacts; c++)
        wallContacts.push(
          ids[i],
          body,
          ...arrays.floats('groups').subarray(STRIDE.contact * c, STRIDE.contact * (c + 1)),
        );
    }

  const walls = new Float64Array((8 + STRIDE.wall) * bed.walls.length);
  bed.walls.forEach((_, b) => {
    walls.set(bed.wrenchOn(b, force), (8 + STRIDE.wall) * b);
    walls.set(arrays.floats('walls').subarray(STRIDE.wall * b, STRIDE.wall * (b + 1)), (8 + STRIDE.wall) * b + 8);
  });
  const scales = Float64Array.of(
    bed.forceScale,
    bed.inexactSteps,
    lists.builds,
    bed.firstKick ? 1 : 0,
    bed.nextId,
    bed.greatestRadius,
    bed.extent,
    lists.skin,
    facts.pairs,
    facts.wallContacts,
    facts.strongest,
    facts.deepestPair,
    facts.deepestWall,
    facts.deepestWallGrain,
    bed.work.damping,
    bed.work.sliding,
    bed.work.rolling,
    bed.wentRound,
    bed.lastStep,
  );
  return { grains, pairs: sorted(pairs, PAIR), wallContacts: sorted(wallContacts, WALL_CONTACT), walls, scales };
}

/** s and the rolling angle; 3 is the twist, 7 the force of the damping */
const isVector = (m: number): boolean => m !== 3 && m !== 7;

/** Records of `width` numbers in the order of their first two, else as they are */
function sorted(records: ArrayLike<number>, width: number): Float64Array {
  const order = Int32Array.from({ length: records.length / width }, (_, k) => k).sort(
    (a, b) => records[width * a] - records[width * b] || records[width * a + 1] - records[width * b + 1] || a - b,
  );
  const out = new Float64Array(records.length);
  order.forEach((from, to) => {
    for (let m = 0; m < width; m++) out[width * to + m] = records[width * from + m];
  });
  return out;
}

/** Puts a bed that has no grains yet where the snapshot was taken. */
export function restoreBed(bed: GrainBed, { grains, pairs, wallContacts, walls, scales }: BedSnapshot): void {
  const { arrays, facts, lists } = bed;
  const count = grains.length / GRAIN;
  bed.add(
    Array.from({ length: count }, (_, k) => ({
      position: [0, 0, 0],
      radius: grains[GRAIN * k + 5],
      kind: grains[GRAIN * k + 1],
      density: 1,
      id: grains[GRAIN * k],
    })),
  );
  const placeOf = new Map<number, number>();
  for (let k = 0; k < count; k++) {
    placeOf.set(grains[GRAIN * k], k);
    arrays.floats('grains').set(grains.subarray(GRAIN * k + 2, GRAIN * k + 6), 4 * k);
    arrays.floats('motion').set(grains.subarray(GRAIN * k + 6, GRAIN * k + 14), 8 * k);
  }
  [bed.forceScale, bed.inexactSteps, lists.builds] = scales;
  [, , , , bed.nextId, bed.greatestRadius, bed.extent, lists.skin] = scales;
  [facts.pairs, facts.wallContacts, facts.strongest, facts.deepestPair, facts.deepestWall, facts.deepestWallGrain] =
    scales.subarray(8);
  [bed.work.damping, bed.work.sliding, bed.work.rolling, bed.wentRound, bed.lastStep] = scales.subarray(14);
  bed.walls.forEach((_, b) => {
    const at = (8 + STRIDE.wall) * b;
    arrays.floats('walls').set(walls.subarray(at + 8, at + 8 + STRIDE.wall), STRIDE.wall * b);
  });

  // What contacts remember, as lists that hold nothing else; the new ones take it from them
  const stride = arrays.ints('counts')[7];
  const touches = wallContacts.length / WALL_CONTACT;
  lists.roomFor(pairs.length / PAIR + 1, touches + 1, touches + 1);
  let k = 0;
  for (let i = 0; i < count; i++) {
    const id = grains[GRAIN * i];
    arrays.ints('starts')[i] = k;
    for (; PAIR * k < pairs.length && pairs[PAIR * k] === id; k++) {
      arrays.ints('neighbours')[k] = placeOf.get(pairs[PAIR * k + 1])! | TOUCHED;
      arrays.floats('history').set(pairs.subarray(PAIR * k + 2, PAIR * k + 2 + stride), stride * k);
    }
    arrays.ints('ends')[i] = k;
  }
  let [g, c] = [0, 0];
  for (let i = 0; bed.walls.length > 0 && i < count; i++) {
    const id = grains[GRAIN * i];
    arrays.ints('wallStarts')[i] = g;
    for (; wallContacts[WALL_CONTACT * c] === id; g++) {
      const [first, body] = [c, wallContacts[WALL_CONTACT * c + 1]];
      for (; wallContacts[WALL_CONTACT * c] === id && wallContacts[WALL_CONTACT * c + 1] === body; c++) {
        const own = wallContacts.subarray(WALL_CONTACT * c + 2, WALL_CONTACT * (c + 1));
        arrays.floats('groups').set(own, STRIDE.contact * c);
      }
      arrays.ints('groupInts').set([body, first, c, c - first], 4 * g);
    }
    arrays.ints('wallEnds')[i] = g;
  }
  bed.resume(scales[3] === 1);
  lists.builds = scales[2];

  // Forces, now that grains lie as they will
  const ids = arrays.ints('ids');
  for (let i = 0; i < count; i++) {
    const at = GRAIN * placeOf.get(ids[i])! + 14;
    bed.setForce(i, grains.subarray(at, at + 6));
  }
  bed.walls.forEach((_, b) => {
    const at = (8 + STRIDE.wall) * b;
    arrays.floats('wrenches').set(walls.subarray(at, at + 6), 8 * b);
  });
}
