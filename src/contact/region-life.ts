/**
 * What becomes of the slots of a pair when regions merge, split and go: who hands its states to whom. slot.ts has how states are handed on.
 *
 * A loaded slot is never dropped nor renamed: the body would slip by F/k at once.
 */
import type { PairRegions } from './pair-regions.js';
import { merge, type RegionSize, reaches, type Slot, split } from './slot.js';

/**
 * Slots whose region has become part of another hand their states on.
 *
 * @param h        s since the slots were told their places
 * @param reshaped 1 is written for slots whose region has merged
 */
export function mergeRegions(regions: PairRegions, h: number, y: Float64Array, reshaped: Uint8Array): void {
  const { slots, mergedInto, slotOf, perRegion, stateAt } = regions;
  for (let p = 0; p < regions.found; p++) {
    let merged: number[] | undefined;
    for (let s = 0; s < slots.length; s++) {
      if (mergedInto[s] !== p) continue;
      merged ??= [slotOf[p]];
      merged.push(s);
    }
    if (!merged) continue;
    merge(
      merged.map((s) => slots[s]),
      h,
      sizeOf(regions, p, y),
      merged.map((s) => stateAt + perRegion * s),
      regions.law.states,
      y,
    );
    reshaped[slotOf[p]] = 1;
    slots[slotOf[p]].patch[0] = -1; // states go with the patch as it is found
  }
}

/** Regions that were part of another a step ago take their share of what it held. */
export function splitRegions(regions: PairRegions, h: number, y: Float64Array, reshaped: Uint8Array): void {
  const { slots, slotOf, perRegion, stateAt } = regions;
  for (let s = 0; s < slots.length; s++) {
    const whole = slots[s];
    if (whole.region < 0 || !(whole.load > 0) || regions.occupied[s] === 0) continue;
    let rows: number[] | undefined;
    for (let p = 0; p < regions.found; p++)
      if (slotOf[p] >= 0 && slots[slotOf[p]].region < 0 && parentOf(regions, p, h) === s) {
        rows ??= [slotOf.indexOf(s)];
        rows.push(p);
        // the child's tangents are the parent's, as far as normals agree
        slots[slotOf[p]].edge.set(whole.edge);
        slots[slotOf[p]].drift.set(whole.drift);
      }
    if (!rows) continue;
    reshaped[s] = 1;
    const at = rows.map((p) => stateAt + perRegion * slotOf[p]);
    split(
      whole,
      rows.map((p) => sizeOf(regions, p, y)),
      at,
      regions.law.states,
      y,
    );
    whole.patch[0] = -1;
  }
}

/** Slot of the loaded region that row p was part of: the nearest that reached as far; −1: none */
function parentOf(regions: PairRegions, p: number, h: number): number {
  const { slots, occupied } = regions;
  let parent = -1;
  let best = Number.POSITIVE_INFINITY;
  regions.localPlace(p, POINT);
  for (let s = 0; s < slots.length; s++) {
    const slot = slots[s];
    if (slot.region < 0 || !(slot.load > 0) || occupied[s] === 0) continue;
    regions.predictedPlace(slot, h, PLACE);
    const distance = regions.squareDistance(p, PLACE);
    if (!(distance < best) || !reaches(slot, h, POINT)) continue;
    best = distance;
    parent = s;
  }
  return parent;
}

function sizeOf(regions: PairRegions, p: number, y: Float64Array): RegionSize {
  const { forces } = regions.bench;
  regions.evaluateRegion(p, y);
  const place = new Float64Array(3);
  regions.localPlace(p, place);
  return { stiffness: forces.measures.stiffness, effectiveRadius: forces.patch.foundRadius(), place };
}

/** A region that is no more waits until its memory has faded to `least` m. */
export function emptySlot(regions: PairRegions, slot: Slot, y: Float64Array, at: number, least: number): void {
  const { perRegion } = regions;
  slot.load = 0;
  let largest = 0;
  for (let k = 0; k < perRegion; k++) largest = Math.max(largest, Math.abs(y[at + k]));
  if (largest < least) {
    y.fill(0, at, at + perRegion);
    slot.region = -1;
    slot.drift.fill(0);
  }
}

const POINT = new Float64Array(3);
const PLACE = new Float64Array(3);
