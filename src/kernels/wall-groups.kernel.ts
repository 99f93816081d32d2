/**
 * Groups of near wall features (grain, wall body) with the features near the grain, in ascending order: that order decides which of two equal contacts is kept.
 * Features of a body are in a grid in its own frame, of which no part moves.
 *
 * Walls have no images: a grain that may go over the border of a period before the next lists meets what is beyond it at once, so that is listed with it.
 */
import { cellOf } from './cells.kernel.js';
import { CONTACT, FEATURE, RANGE, WALL, WALL_INTS } from './grain-sizes.kernel.js';
import { type FloatArray, type f64, type IntArray, type i32, ptrF, ptrI } from './prelude.js';

let candidateAt: i32 = 0;
let candidateEnd: i32 = 0;
/** 2 groups, 4 candidates: no room was left */
let overflow: i32 = 0;

/** What a group and a contact of it cost, as entries of rows do; measured */
const PER_GROUP: i32 = 6;
const PER_CONTACT: i32 = 20;

/** Of the grains first … end; returns what did not fit. */
export function wallGroups(thread: i32, first: i32, end: i32): i32 {
  const numbers: FloatArray = ptrF(0);
  const counts: IntArray = ptrI(1);
  const ranges: IntArray = ptrI(2);
  const grains: FloatArray = ptrF(12);
  const walls: FloatArray = ptrF(24);
  const wallInts: IntArray = ptrI(25);
  const wallStarts: IntArray = ptrI(26);
  const wallEnds: IntArray = ptrI(27);
  const groupInts: IntArray = ptrI(28);
  const groupOwners: IntArray = ptrI(47);
  const weights: IntArray = ptrI(48);
  const groups: FloatArray = ptrF(29);
  const bodies: i32 = counts[9];
  const periodic: i32 = counts[8];
  const base: i32 = RANGE * thread;
  let at: i32 = ranges[base + 9];
  const last: i32 = ranges[base + 10];
  overflow = 0;
  candidateAt = ranges[base + 12];
  candidateEnd = ranges[base + 13];
  for (let i: i32 = first; i < end; i++) {
    wallStarts[i] = at;
    const x: f64 = grains[4 * i];
    const y: f64 = grains[4 * i + 1];
    const z: f64 = grains[4 * i + 2];
    const reach: f64 = grains[4 * i + 3] + numbers[15];
    const wayX: f64 = periodic ? wayBeyond(x, 0) : 0;
    const wayY: f64 = periodic ? wayBeyond(y, 1) : 0;
    const wayZ: f64 = periodic ? wayBeyond(z, 2) : 0;
    for (let b: i32 = 0; b < bodies; b++) {
      const w: i32 = WALL * b;
      const firstCandidate: i32 = candidateAt;
      for (let image: i32 = 0; image < 8; image++) {
        const overX: boolean = (image & 1) !== 0;
        const overY: boolean = (image & 2) !== 0;
        const overZ: boolean = (image & 4) !== 0;
        if ((overX && wayX === 0) || (overY && wayY === 0) || (overZ && wayZ === 0)) continue;
        // The centre in the body's frame
        const px: f64 = (overX ? x + wayX : x) - walls[w + 9];
        const py: f64 = (overY ? y + wayY : y) - walls[w + 10];
        const pz: f64 = (overZ ? z + wayZ : z) - walls[w + 11];
        const cx: f64 = walls[w] * px + walls[w + 3] * py + walls[w + 6] * pz;
        const cy: f64 = walls[w + 1] * px + walls[w + 4] * py + walls[w + 7] * pz;
        const cz: f64 = walls[w + 2] * px + walls[w + 5] * py + walls[w + 8] * pz;
        unboundedFeatures(WALL_INTS * b, cx, cy, cz, reach, firstCandidate);
        if (wallInts[WALL_INTS * b + 2] > 0) featuresInGrid(w, WALL_INTS * b, cx, cy, cz, reach, firstCandidate);
        if (periodic === 0) break;
      }
      if (candidateAt > firstCandidate) {
        if (at < last) {
          groupOwners[at] = i;
          groupInts[4 * at] = b;
          groupInts[4 * at + 1] = firstCandidate;
          groupInts[4 * at + 2] = candidateAt;
          groupInts[4 * at + 3] = 0;
          carryGroup(i, b, at, groupInts, groups);
          weights[i] += PER_GROUP + PER_CONTACT * groupInts[4 * at + 3];
          at += 1;
        } else overflow |= 2;
      }
    }
    wallEnds[i] = at;
  }
  ranges[base + 11] = at;
  ranges[base + 14] = candidateAt;
  return overflow;
}

/** By which way a coordinate along axis k would come in again that goes the slack of the lists; 0: none */
function wayBeyond(x: f64, k: i32): f64 {
  const numbers: FloatArray = ptrF(0);
  const period: f64 = numbers[9 + k];
  if (!(period > 0)) return 0;
  const at: f64 = x - numbers[12 + k];
  if (at < numbers[15]) return period;
  return at > period - numbers[15] ? -period : 0;
}

/** In order, each once */
function addCandidate(feature: i32, firstCandidate: i32): void {
  const candidates: IntArray = ptrI(30);
  let at: i32 = candidateAt;
  while (at > firstCandidate && candidates[at - 1] > feature) at -= 1;
  if (at > firstCandidate && candidates[at - 1] === feature) return;
  if (candidateAt < candidateEnd) {
    for (let m: i32 = candidateAt; m > at; m--) candidates[m] = candidates[m - 1];
    candidates[at] = feature;
    candidateAt += 1;
  } else overflow |= 4;
}

/** Planes and revolved profiles come first in a body and have no box. */
function unboundedFeatures(ints: i32, cx: f64, cy: f64, cz: f64, reach: f64, firstCandidate: i32): void {
  const wallInts: IntArray = ptrI(25);
  const f: FloatArray = ptrF(31);
  for (let feature: i32 = wallInts[ints]; feature < wallInts[ints + 1]; feature++) {
    const o: i32 = FEATURE * feature;
    if (f[o] === 0) {
      if (f[o + 1] * cx + f[o + 2] * cy + f[o + 3] * cz - f[o + 4] < reach) addCandidate(feature, firstCandidate);
    } else {
      // Distance in the half-plane (ρ, z) from the segment or the corner
      const dx: f64 = cx - f[o + 1];
      const dy: f64 = cy - f[o + 2];
      const dz: f64 = cz - f[o + 3];
      const z: f64 = f[o + 4] * dx + f[o + 5] * dy + f[o + 6] * dz;
      const ex: f64 = dx - z * f[o + 4];
      const ey: f64 = dy - z * f[o + 5];
      const ez: f64 = dz - z * f[o + 6];
      const rho: f64 = Math.sqrt(ex * ex + ey * ey + ez * ez);
      let pr: f64 = (f[o + 21] > 0 ? -rho : rho) - f[o + 7];
      let pz: f64 = z - f[o + 8];
      if (f[o] === 4) {
        let t: f64 = pr * f[o + 9] + pz * f[o + 10];
        if (t < 0) t = 0;
        if (t > f[o + 13]) t = f[o + 13];
        pr -= t * f[o + 9];
        pz -= t * f[o + 10];
      }
      if (pr * pr + pz * pz < reach * reach) addCandidate(feature, firstCandidate);
    }
  }
}

/** Features whose box the sphere of radius `reach` may meet, from the cells of the body's grid under it. */
function featuresInGrid(w: i32, ints: i32, cx: f64, cy: f64, cz: f64, reach: f64, firstCandidate: i32): void {
  const walls: FloatArray = ptrF(24);
  const wallInts: IntArray = ptrI(25);
  const features: FloatArray = ptrF(31);
  const boxes: FloatArray = ptrF(32);
  const gridStart: IntArray = ptrI(33);
  const gridFeatures: IntArray = ptrI(34);
  const nx: i32 = wallInts[ints + 2];
  const ny: i32 = wallInts[ints + 3];
  const nz: i32 = wallInts[ints + 4];
  const cellBase: i32 = wallInts[ints + 5];
  // Outside the grid's box: nothing near
  if (cx + reach < walls[w + 18] || cy + reach < walls[w + 19] || cz + reach < walls[w + 20]) return;
  if (cx - reach > walls[w + 24] || cy - reach > walls[w + 25] || cz - reach > walls[w + 26]) return;
  const x0: i32 = cellOf(cx - reach, walls[w + 18], walls[w + 21], nx);
  const x1: i32 = cellOf(cx + reach, walls[w + 18], walls[w + 21], nx);
  const y0: i32 = cellOf(cy - reach, walls[w + 19], walls[w + 22], ny);
  const y1: i32 = cellOf(cy + reach, walls[w + 19], walls[w + 22], ny);
  const z0: i32 = cellOf(cz - reach, walls[w + 20], walls[w + 23], nz);
  const z1: i32 = cellOf(cz + reach, walls[w + 20], walls[w + 23], nz);
  for (let zc: i32 = z0; zc <= z1; zc++)
    for (let yc: i32 = y0; yc <= y1; yc++)
      for (let xc: i32 = x0; xc <= x1; xc++) {
        const c: i32 = cellBase + xc + nx * (yc + ny * zc);
        for (let k: i32 = gridStart[c]; k < gridStart[c + 1]; k++) {
          const f: i32 = gridFeatures[k];
          const o: i32 = 6 * f;
          // Distance from the feature's box, squared
          const dx: f64 = cx < boxes[o] ? boxes[o] - cx : cx > boxes[o + 3] ? cx - boxes[o + 3] : 0;
          const dy: f64 = cy < boxes[o + 1] ? boxes[o + 1] - cy : cy > boxes[o + 4] ? cy - boxes[o + 4] : 0;
          const dz: f64 = cz < boxes[o + 2] ? boxes[o + 2] - cz : cz > boxes[o + 5] ? cz - boxes[o + 5] : 0;
          let near: i32 = dx * dx + dy * dy + dz * dz < reach * reach ? 1 : 0;
          if (near === 1 && features[FEATURE * f] === 1) {
            const p: i32 = FEATURE * f;
            const height: f64 = features[p + 1] * cx + features[p + 2] * cy + features[p + 3] * cz - features[p + 4];
            if (height > reach || height < -reach) near = 0;
          }
          if (near === 1) addCandidate(f, firstCandidate);
        }
      }
}

/** Contacts of the group at the last step: as many as there are features now have room; more there cannot be, unless a grain leaves by more than the slack in a step */
function carryGroup(i: i32, body: i32, at: i32, groupInts: IntArray, groups: FloatArray): void {
  const order: IntArray = ptrI(10);
  const oldStarts: IntArray = ptrI(35);
  const oldEnds: IntArray = ptrI(36);
  const oldInts: IntArray = ptrI(37);
  const oldGroups: FloatArray = ptrF(38);
  const oldI: i32 = order[i];
  for (let g: i32 = oldStarts[oldI]; g < oldEnds[oldI]; g++)
    if (oldInts[4 * g] === body) {
      const room: i32 = groupInts[4 * at + 2] - groupInts[4 * at + 1];
      const contacts: i32 = oldInts[4 * g + 3] < room ? oldInts[4 * g + 3] : room;
      groupInts[4 * at + 3] = contacts;
      const to: i32 = CONTACT * groupInts[4 * at + 1];
      const from: i32 = CONTACT * oldInts[4 * g + 1];
      for (let k: i32 = 0; k < CONTACT * contacts; k++) groups[to + k] = oldGroups[from + k];
    }
}
