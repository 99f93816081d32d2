/**
 * What the regions of contact of all pairs remember and are in a step: one record of numbers each, all in one array, so that a step that goes through
 * hundreds of them reads memory in a row.
 *
 * The first numbers are what lasts from step to step, in the axes of the smaller body; then room for a copy of them; the rest is of this step, in the world.
 */
import { MOST_POINTS } from './found-points.js';

/** Places in a record */
export const REGION = {
  // ---- memory, axes of the smaller body -----------------------------------------------------------------------------------------------------------
  /** 1: it held something or was near in the last step */
  alive: 0,
  /** Identity for the records, −1: none yet */
  number: 1,
  /** N */
  load: 2,
  /** N m of friction about the normal */
  oldTorque: 3,
  /** m/s: mean slip, for friction that falls with it */
  slip: 4,
  oldCount: 5,
  /** 3 each: normal and middle; friction force and rolling force, N */
  oldNormal: 6,
  oldMiddle: 9,
  oldFriction: 12,
  oldRolling: 15,
  /** N per point; 3 per point: where it was */
  oldLoads: 18,
  oldPlaces: 18 + MOST_POINTS,
  /** J: elastic, where the law itself acts */
  stored: 18 + 4 * MOST_POINTS,
  /** N/m: stiffness of the bristle in the last step where the law itself acts, 0 elsewhere */
  bristle: 19 + 4 * MOST_POINTS,
  /** Copy of all these */
  kept: 20 + 4 * MOST_POINTS,

  // ---- of this step, world --------------------------------------------------------------------------------------------------------
  normal: 40 + 8 * MOST_POINTS,
  t1: 43 + 8 * MOST_POINTS,
  t2: 46 + 8 * MOST_POINTS,
  /** 3 per point, and gap, m */
  place: 49 + 8 * MOST_POINTS,
  gap: 49 + 11 * MOST_POINTS,
  /** Second moments in (t₁, t₂), 11, 12, 22, m² */
  spread: 49 + 12 * MOST_POINTS,
  middle: 52 + 12 * MOST_POINTS,
  /** m: gap there */
  middleGap: 55 + 12 * MOST_POINTS,
  /** m² */
  area: 56 + 12 * MOST_POINTS,
  /** Per point: mobility along n, 1/kg; N now */
  mobility: 57 + 12 * MOST_POINTS,
  loads: 57 + 13 * MOST_POINTS,
  /** m/s per point: approach at the start of the step, < 0 where the gap opens; ≥ 0: where the gap closes in it, and at its end if nothing touched */
  approach: 57 + 14 * MOST_POINTS,
  impact: 57 + 15 * MOST_POINTS,
  freely: 57 + 16 * MOST_POINTS,
  /** N, of the region, as it was assumed */
  assumedLoad: 57 + 17 * MOST_POINTS,
  /** Part of the loads that the last solution has moved from point to point, or changed */
  moved: 58 + 17 * MOST_POINTS,
  /** Friction force W at rest along t₁, t₂, b × about n, N; rolling; N m about n that was held */
  held: 59 + 17 * MOST_POINTS,
  heldRolling: 62 + 17 * MOST_POINTS,
  heldTorque: 64 + 17 * MOST_POINTS,
  /** m per point: between the surfaces where the points were found, which is the gap unless they were found ahead */
  opening: 65 + 17 * MOST_POINTS,
  /** s, and 3: of what was found ahead */
  ahead: 65 + 18 * MOST_POINTS,
  aside: 66 + 18 * MOST_POINTS,
} as const;

/** Numbers that last */
export const LASTING: number = REGION.kept;
/** Numbers of a record: whole lines of the cache */
const WIDTH = 144;

export class RegionStore {
  /** Replaced when it grows, which it does while points are found and at no other time */
  values = new Float64Array(64 * WIDTH);
  private count = 0;

  /** Room for one more; gives where it starts. */
  add(): number {
    const at = WIDTH * this.count++;
    if (at + WIDTH > this.values.length) {
      const more = new Float64Array(2 * this.values.length);
      more.set(this.values);
      this.values = more;
    }
    this.values[at + REGION.number] = -1;
    return at;
  }
}
