/**
 * Lists of a bed: grains sorted by cell, rows of neighbours, groups of near wall features (kernels/grain-lists.kernel.ts). What they hold besides the contacts,
 * and when they are made, changes no bit.
 *
 * Cells are as wide as the largest grain and the skin. Where a few grains are much larger than the others, cells are made for the others, and the few look through the cells
 * that they reach: tiny beside huge costs no more than tiny alone.
 */
import { ModelError } from '../errors.js';
import { STRIDE } from '../kernels/index.js';
import type { GrainArrays } from './grain-arrays.js';
import type { Team } from './team.js';
import type { WallBody } from './wall-arrays.js';

const MOST_CELLS_PER_GRAIN = 8;
/** Cells are made for the smaller grains where the largest are so many times larger, and at most so many per √n grains are set apart. */
const APART = 2;
const MOST_APART = 4;
/** By mean diameter */
export const USUAL_SLACK = 0.1;
const LEAST_SLACK = 0.02;

export class GrainLists {
  /** How often they were made */
  builds = 0;
  /** To be made anew whatever moved */
  stale = true;
  /** Slack, m */
  skin = 0;
  /** Mean diameter, m, where the slack may follow what the lists are worth; 0: it stays */
  follow = 0;
  /** Steps since they were made */
  age = 0;
  /** m, beyond touch */
  adhesionReach = 0;
  private readonly arrays: GrainArrays;
  private readonly team: Team;
  private readonly walls: readonly WallBody[];
  private readonly refuseNoNumber: () => never;
  /** Where walls were when lists were made */
  private readonly listedPoses: Float64Array;
  private count = 0;

  constructor(arrays: GrainArrays, team: Team, walls: readonly WallBody[], refuseNoNumber: () => never) {
    this.arrays = arrays;
    this.team = team;
    this.walls = walls;
    this.refuseNoNumber = refuseNoNumber;
    this.listedPoses = arrays.floats('walls').slice();
  }

  /** Makes the lists anew; not between forces and the kick that takes them. */
  make(count: number): void {
    const { arrays, team } = this;
    const { threads } = team;
    this.count = count;
    this.builds++;
    this.stale = false;
    this.followAge();
    this.age = 0;
    this.listedPoses.set(arrays.floats('walls').subarray(0, this.listedPoses.length));
    const counts = arrays.ints('counts');
    counts[0] = count;
    arrays.floats('numbers')[15] = this.skin + this.adhesionReach;
    const ranges = arrays.ints('ranges');
    for (let t = 0; t < threads; t++) {
      ranges[STRIDE.range * t + 2] = Math.floor((count * t) / threads);
      ranges[STRIDE.range * t + 3] = Math.floor((count * (t + 1)) / threads);
    }
    this.layCells();
    arrays.kernels.sort();
    for (const [one, other] of LISTS) arrays.swap(one, other);
    this.roomFor(Math.ceil(6 * count), Math.ceil(0.25 * count) + 64, count + 256);
    for (;;) {
      this.cutSegments();
      team.run('rows');
      let overflow = 0;
      for (let t = 0; t < threads; t++) overflow |= arrays.ints('ranges')[STRIDE.range * t + 15];
      if (overflow === 0) break;
      const grown = (slot: 'neighbours' | 'groupInts' | 'candidates', per: number, bit: number): number =>
        Math.ceil((arrays.lengthOf(slot) / per) * (overflow & bit ? 1.5 : 1));
      this.roomFor(grown('neighbours', 1, 1), grown('groupInts', 4, 2), grown('candidates', 1, 4));
    }
    for (const [one, other] of RECORDS) arrays.swap(one, other);
    this.cutRows();
  }

  /**
   * The slack that costs least. Lists cost as much as 1.7 steps; entries that do not touch make a step dearer by 0.75 of the slack by diameter. Lists last n ∝ s steps, so the sum
   * 1.7/n + 0.75 s is least where s = 2.3/n. Half of the way each time, by the geometric mean; never beyond the slack of the start, which the period of a box was checked for.
   */
  private followAge(): void {
    if (!(this.follow > 0) || this.age === 0) return;
    const share = Math.sqrt(((this.skin / this.follow) * 2.3) / this.age);
    this.skin = this.follow * Math.max(LEAST_SLACK, Math.min(USUAL_SLACK, share));
  }

  private layCells(): void {
    const { arrays, team, count } = this;
    team.run('bounds');
    const results = arrays.floats('results');
    const numbers = arrays.floats('numbers');
    const counts = arrays.ints('counts');
    const low = [0, 0, 0];
    const size = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (let t = 0; t < team.threads; t++) {
        least = Math.min(least, results[STRIDE.result * t + 8 + k]);
        most = Math.max(most, results[STRIDE.result * t + 11 + k]);
      }
      if (!(most - least < Number.POSITIVE_INFINITY) && count > 0) this.refuseNoNumber();
      const period = numbers[9 + k];
      low[k] = period > 0 ? numbers[12 + k] : count > 0 ? least : 0;
      size[k] = period > 0 ? period : count > 0 ? most - least : 0;
    }
    const widest = this.setApart();
    const side = 2 * widest + numbers[15];
    const number = (length: number, cell: number): number => Math.max(1, Math.floor(length / cell));
    let cell = side;
    const most = MOST_CELLS_PER_GRAIN * count + 64;
    while (number(size[0], cell) * number(size[1], cell) * number(size[2], cell) > most) cell *= 1.26;
    for (let k = 0; k < 3; k++) {
      const n = number(size[k], cell);
      if (numbers[9 + k] > 0 && n < 3)
        throw new ModelError(
          'grains.periodic',
          `expected a period of at least three cells of ${side.toPrecision(3)} m (greatest diameter and skin) along ${'xyz'[k]}, got ${size[k]} m`,
        );
      counts[2 + k] = n;
      numbers[16 + k] = low[k];
      numbers[19 + k] = size[k] > 0 ? n / size[k] : 0;
      // A cell may be a little longer than needed, never shorter; rounding of n/size must not make it so
      if (numbers[9 + k] === 0 && n > 0) numbers[19 + k] = Math.min(numbers[19 + k], 1 / side);
    }
    arrays.give('cellStart', counts[2] * counts[3] * counts[4] + 2);
  }

  /** Decides which grains are too large for the cells, by radius (number 23); returns the radius that cells are made for. */
  private setApart(): number {
    const { arrays, count } = this;
    const x = arrays.floats('grains');
    const numbers = arrays.floats('numbers');
    numbers[23] = Number.POSITIVE_INFINITY;
    let greatest = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < count; i++) {
      const radius = x[4 * i + 3];
      if (radius > greatest) greatest = radius;
      if (radius < least) least = radius;
    }
    if (arrays.ints('counts')[8] || count < 64 || !(least < greatest / APART)) return greatest;
    // Octaves of the radius from the greatest down: the few of the first ones are set apart as long as they are few
    const few = MOST_APART * Math.sqrt(count);
    const inOctave = new Int32Array(OCTAVES);
    for (let i = 0; i < count; i++) {
      let k = 0;
      for (let bound = greatest / APART; k < OCTAVES - 1 && x[4 * i + 3] < bound; bound /= APART) k++;
      inOctave[k]++;
    }
    let apart = 0;
    let octaves = 0;
    while (octaves < OCTAVES - 1 && apart + inOctave[octaves] <= few) apart += inOctave[octaves++];
    if (apart === 0 || apart === count) return greatest;
    let bound = greatest;
    for (let k = 0; k < octaves; k++) bound /= APART;
    let widest = 0;
    for (let i = 0; i < count; i++) if (x[4 * i + 3] < bound) widest = Math.max(widest, x[4 * i + 3]);
    numbers[23] = widest;
    return widest;
  }

  /** For pairs, groups and candidates of the new lists; the old ones have had theirs. */
  roomFor(pairs: number, groups: number, candidates: number): void {
    const { arrays } = this;
    const stride = arrays.ints('counts')[7];
    arrays.give('neighbours', pairs);
    arrays.give('owners', arrays.lengthOf('neighbours'));
    arrays.give('history', stride * arrays.lengthOf('neighbours'));
    if (this.walls.length === 0) return;
    arrays.give('groupInts', 4 * groups);
    arrays.give('groupOwners', arrays.lengthOf('groupInts') >> 2);
    arrays.give('candidates', candidates);
    arrays.give('groups', STRIDE.contact * arrays.lengthOf('candidates'));
  }

  /** Each thread its part of the room */
  private cutSegments(): void {
    const { arrays } = this;
    const { threads } = this.team;
    const ranges = arrays.ints('ranges');
    const walls = this.walls.length > 0;
    const rooms = [
      [4, arrays.lengthOf('neighbours')],
      [9, walls ? arrays.lengthOf('groupInts') >> 2 : 0],
      [12, walls ? arrays.lengthOf('candidates') : 0],
    ];
    for (const [at, room] of rooms)
      for (let t = 0; t < threads; t++) {
        ranges[STRIDE.range * t + at] = Math.floor((room * t) / threads);
        ranges[STRIDE.range * t + at + 1] = Math.floor((room * (t + 1)) / threads);
      }
  }

  /** Rows by what they cost: a bed is denser below, and touches there. Changes no bit. */
  private cutRows(): void {
    const { arrays, count } = this;
    const { threads } = this.team;
    const ranges = arrays.ints('ranges');
    const counts = arrays.ints('counts');
    const weights = arrays.ints('weights');
    const cells = counts[2] * counts[3] * counts[4];
    const firstApart = arrays.ints('cellStart')[cells];
    let total = 0;
    for (let i = 0; i < count; i++) total += weights[i];
    let i = 0;
    let sum = 0;
    for (let t = 0; t < threads; t++) {
      const at = STRIDE.range * t;
      ranges[at] = i;
      const share = t === threads - 1 ? Number.POSITIVE_INFINITY : (total * (t + 1)) / threads;
      while (i < count && sum < share) {
        sum += weights[i];
        i++;
      }
      ranges[at + 1] = i;
      // Forces reach forward by a cell in each direction at most; over a period, and of the large, anywhere
      if (ranges[at] === i) {
        ranges[at + 7] = 0;
        ranges[at + 8] = 0;
      } else if (counts[8] || i > firstApart) {
        ranges[at + 7] = 0;
        ranges[at + 8] = count;
      } else {
        ranges[at + 7] = ranges[at];
        const last = this.cellOf(i - 1) + 1 + counts[2] + counts[2] * counts[3];
        ranges[at + 8] = arrays.ints('cellStart')[Math.min(last, cells - 1) + 1];
      }
    }
  }

  private cellOf(i: number): number {
    const x = this.arrays.floats('grains');
    const numbers = this.arrays.floats('numbers');
    const counts = this.arrays.ints('counts');
    const c = [0, 1, 2].map((k) =>
      Math.max(0, Math.min(counts[2 + k] - 1, Math.floor((x[4 * i + k] - numbers[16 + k]) * numbers[19 + k]))),
    );
    return c[0] + counts[2] * (c[1] + counts[3] * c[2]);
  }

  /** Whether the farthest point of a wall has moved half of the skin since lists were made */
  get wallsMoved(): boolean {
    const walls = this.arrays.floats('walls');
    const old = this.listedPoses;
    for (let b = 0; b < this.walls.length; b++) {
      const at = STRIDE.wall * b;
      let turn = 0;
      for (let k = 0; k < 9; k++) turn = Math.max(turn, Math.abs(walls[at + k] - old[at + k]));
      let way = 0;
      for (let k = 9; k < 12; k++) way += Math.abs(walls[at + k] - old[at + k]);
      if (turn === 0 && way === 0) continue;
      // |ΔR r| ≤ √9 · greatest element · |r|
      if (way + 3 * turn * this.walls[b].farthest > 0.5 * this.skin) return true;
    }
    return false;
  }
}

const OCTAVES = 16;
const LISTS = [
  ['starts', 'oldStarts'],
  ['ends', 'oldEnds'],
  ['neighbours', 'oldNeighbours'],
  ['history', 'oldHistory'],
  ['wallStarts', 'oldWallStarts'],
  ['wallEnds', 'oldWallEnds'],
  ['groupInts', 'oldGroupInts'],
  ['groups', 'oldGroups'],
] as const;
const RECORDS = [
  ['grains', 'newGrains'],
  ['motion', 'newMotion'],
  ['ids', 'newIds'],
  ['kinds', 'newKinds'],
] as const;
