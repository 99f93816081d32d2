/**
 * Which grains may touch soon: cell sort, rows of neighbours, groups of near wall features. Made anew when a grain has moved half of
 * the skin; what the lists hold besides the contacts changes no bit of the answer, for sums of forces are exact (grain-forces.kernel.ts).
 *
 * Arrays are those of grain-slots.ts, in the order said there. Every entry point takes the number of a thread and works on its range alone.
 *
 * Grains are kept sorted by cell, x fastest, so that the three cells x − 1 … x + 1 of a row of cells are one run of grains, and a
 * half list needs five runs: the rest of the own row, one row beside, three above.
 */
import { type FloatArray, type f64, type IntArray, type i32, ptrF, ptrI, wholeOf } from './prelude.js';

const RANGE: i32 = 16; // ints per thread
const RESULT: i32 = 16; // floats per thread
const TOUCHED: i32 = 1 << 30; // in a neighbour: the pair touched at the last step
const FEATURE: i32 = 32; // floats per feature
const GROUP: i32 = 64; // floats per group: 4 contacts of 16
const WALL: i32 = 32; // floats per wall body
const WALL_INTS: i32 = 16;

/** Bounds of all grains of a thread's range into its results 8…13. */
export function grainBounds(thread: i32): void {
  const ranges: IntArray = ptrI(2);
  const results: FloatArray = ptrF(3);
  const grains: FloatArray = ptrF(4);
  const first: i32 = ranges[RANGE * thread + 2];
  const end: i32 = ranges[RANGE * thread + 3];
  let lowX: f64 = 1e300;
  let lowY: f64 = 1e300;
  let lowZ: f64 = 1e300;
  let highX: f64 = -1e300;
  let highY: f64 = -1e300;
  let highZ: f64 = -1e300;
  for (let i: i32 = first; i < end; i++) {
    const x: f64 = grains[4 * i];
    const y: f64 = grains[4 * i + 1];
    const z: f64 = grains[4 * i + 2];
    if (x < lowX) lowX = x;
    if (x > highX) highX = x;
    if (y < lowY) lowY = y;
    if (y > highY) highY = y;
    if (z < lowZ) lowZ = z;
    if (z > highZ) highZ = z;
  }
  results[RESULT * thread + 8] = lowX;
  results[RESULT * thread + 9] = lowY;
  results[RESULT * thread + 10] = lowZ;
  results[RESULT * thread + 11] = highX;
  results[RESULT * thread + 12] = highY;
  results[RESULT * thread + 13] = highZ;
}

/** Cell of a coordinate, clamped: grains beyond the grid are in its outermost cells, so no near pair is missed. */
function cellOf(x: f64, low: f64, perLength: f64, count: i32): i32 {
  const at: f64 = (x - low) * perLength;
  if (!(at > 0)) return 0;
  if (at >= count) return count - 1;
  return wholeOf(at);
}

/**
 * Stable counting sort of all grains by cell; records of grains go from slots 4, 5, 6, 7 to 12, 13, 14, 15. `order` tells the old place of
 * each. Serial: 2 to 3 % of a run.
 */
export function grainSort(): void {
  const numbers: FloatArray = ptrF(0);
  const counts: IntArray = ptrI(1);
  const grains: FloatArray = ptrF(4);
  const motion: FloatArray = ptrF(5);
  const ids: IntArray = ptrI(6);
  const kinds: IntArray = ptrI(7);
  const cellStart: IntArray = ptrI(8);
  const cell: IntArray = ptrI(9);
  const order: IntArray = ptrI(10);
  const reference: FloatArray = ptrF(11);
  const newGrains: FloatArray = ptrF(12);
  const newMotion: FloatArray = ptrF(13);
  const newIds: IntArray = ptrI(14);
  const newKinds: IntArray = ptrI(15);
  const n: i32 = counts[0];
  const nx: i32 = counts[2];
  const ny: i32 = counts[3];
  const nz: i32 = counts[4];
  const cells: i32 = nx * ny * nz;
  const lowX: f64 = numbers[16];
  const lowY: f64 = numbers[17];
  const lowZ: f64 = numbers[18];
  const perX: f64 = numbers[19];
  const perY: f64 = numbers[20];
  const perZ: f64 = numbers[21];
  const widest: f64 = numbers[23];

  for (let c: i32 = 0; c <= cells + 1; c++) cellStart[c] = 0;
  for (let i: i32 = 0; i < n; i++) {
    // Those that are set apart for their size come last
    const c: i32 =
      grains[4 * i + 3] > widest
        ? cells
        : cellOf(grains[4 * i], lowX, perX, nx) +
          nx * (cellOf(grains[4 * i + 1], lowY, perY, ny) + ny * cellOf(grains[4 * i + 2], lowZ, perZ, nz));
    cell[i] = c;
    cellStart[c + 1] += 1;
  }
  for (let c: i32 = 0; c <= cells; c++) cellStart[c + 1] += cellStart[c];
  for (let i: i32 = 0; i < n; i++) {
    const c: i32 = cell[i];
    const at: i32 = cellStart[c];
    cellStart[c] = at + 1;
    order[at] = i;
  }
  for (let c: i32 = cells + 1; c > 0; c--) cellStart[c] = cellStart[c - 1];
  cellStart[0] = 0;

  for (let k: i32 = 0; k < n; k++) {
    const i: i32 = order[k];
    for (let m: i32 = 0; m < 4; m++) {
      const value: f64 = grains[4 * i + m];
      newGrains[4 * k + m] = value;
      reference[4 * k + m] = value;
    }
    for (let m: i32 = 0; m < 8; m++) newMotion[8 * k + m] = motion[8 * i + m];
    newIds[k] = ids[i];
    newKinds[k] = kinds[i];
  }
}

// The row that is being written
let rowAt: i32 = 0;
let rowEnd: i32 = 0;
let rowOverflow: i32 = 0;

/**
 * Rows of neighbours and groups of near wall features of the grains first … end of the thread's build range, written into its own segments
 * of the lists. History of what touched comes over from the old lists. Out: where the segments end; overflow 1 (pairs), 2 (groups), 4 (candidates).
 */
export function grainRows(thread: i32): void {
  const counts: IntArray = ptrI(1);
  const ranges: IntArray = ptrI(2);
  const starts: IntArray = ptrI(16);
  const ends: IntArray = ptrI(17);
  const base: i32 = RANGE * thread;
  const first: i32 = ranges[base + 2];
  const end: i32 = ranges[base + 3];
  const periodic: i32 = counts[8];
  const cellStart: IntArray = ptrI(8);
  const firstApart: i32 = cellStart[counts[2] * counts[3] * counts[4]];
  rowAt = ranges[base + 4];
  rowEnd = ranges[base + 5];
  rowOverflow = 0;
  for (let i: i32 = first; i < end; i++) {
    starts[i] = rowAt;
    if (periodic) neighboursInPeriodicCells(i);
    else if (i >= firstApart) neighboursOfLarge(i);
    else neighboursInRuns(i);
    ends[i] = rowAt;
  }
  ranges[base + 6] = rowAt;
  wallGroups(thread, first, end);
  ranges[base + 15] = rowOverflow;
}

function neighboursInRuns(i: i32): void {
  const numbers: FloatArray = ptrF(0);
  const counts: IntArray = ptrI(1);
  const grains: FloatArray = ptrF(12);
  const cellStart: IntArray = ptrI(8);
  const nx: i32 = counts[2];
  const ny: i32 = counts[3];
  const nz: i32 = counts[4];
  const cx: i32 = cellOf(grains[4 * i], numbers[16], numbers[19], nx);
  const cy: i32 = cellOf(grains[4 * i + 1], numbers[17], numbers[20], ny);
  const cz: i32 = cellOf(grains[4 * i + 2], numbers[18], numbers[21], nz);
  const fromX: i32 = cx > 0 ? cx - 1 : 0;
  const toX: i32 = cx < nx - 1 ? cx + 1 : cx;
  // The rest of the own row of cells
  run(i, i + 1, cellStart[toX + nx * (cy + ny * cz) + 1]);
  // The row beside
  if (cy < ny - 1) {
    const row: i32 = nx * (cy + 1 + ny * cz);
    run(i, cellStart[fromX + row], cellStart[toX + row + 1]);
  }
  // Three rows above
  if (cz < nz - 1)
    for (let y: i32 = cy > 0 ? cy - 1 : 0; y <= cy + 1; y++)
      if (y < ny) {
        const row: i32 = nx * (y + ny * (cz + 1));
        run(i, cellStart[fromX + row], cellStart[toX + row + 1]);
      }
}

/** A grain that is larger than the cells: all cells it reaches, and those like it behind it. */
function neighboursOfLarge(i: i32): void {
  const numbers: FloatArray = ptrF(0);
  const counts: IntArray = ptrI(1);
  const grains: FloatArray = ptrF(12);
  const cellStart: IntArray = ptrI(8);
  const nx: i32 = counts[2];
  const ny: i32 = counts[3];
  const nz: i32 = counts[4];
  const reach: f64 = grains[4 * i + 3] + numbers[15] + numbers[23];
  const x: f64 = grains[4 * i];
  const y: f64 = grains[4 * i + 1];
  const z: f64 = grains[4 * i + 2];
  const x0: i32 = cellOf(x - reach, numbers[16], numbers[19], nx);
  const x1: i32 = cellOf(x + reach, numbers[16], numbers[19], nx);
  const y0: i32 = cellOf(y - reach, numbers[17], numbers[20], ny);
  const y1: i32 = cellOf(y + reach, numbers[17], numbers[20], ny);
  const z0: i32 = cellOf(z - reach, numbers[18], numbers[21], nz);
  const z1: i32 = cellOf(z + reach, numbers[18], numbers[21], nz);
  run(i, i + 1, counts[0]);
  for (let zc: i32 = z0; zc <= z1; zc++)
    for (let yc: i32 = y0; yc <= y1; yc++) {
      const row: i32 = nx * (yc + ny * zc);
      run(i, cellStart[x0 + row], cellStart[x1 + row + 1]);
    }
}

/** Half of the 26 cells around, over the edges of periodic axes; at least three cells there, so none comes twice. */
function neighboursInPeriodicCells(i: i32): void {
  const numbers: FloatArray = ptrF(0);
  const counts: IntArray = ptrI(1);
  const grains: FloatArray = ptrF(12);
  const cellStart: IntArray = ptrI(8);
  const nx: i32 = counts[2];
  const ny: i32 = counts[3];
  const nz: i32 = counts[4];
  const cx: i32 = cellOf(grains[4 * i], numbers[16], numbers[19], nx);
  const cy: i32 = cellOf(grains[4 * i + 1], numbers[17], numbers[20], ny);
  const cz: i32 = cellOf(grains[4 * i + 2], numbers[18], numbers[21], nz);
  run(i, i + 1, cellStart[cx + nx * (cy + ny * cz) + 1]);
  for (let k: i32 = 14; k < 27; k++) {
    // k = (dx + 1) + 3 (dy + 1) + 9 (dz + 1), without division
    const dz: i32 = k < 18 ? 0 : 1;
    const inLayer: i32 = k - 9 * (dz + 1);
    const dy: i32 = inLayer < 3 ? -1 : inLayer < 6 ? 0 : 1;
    let x: i32 = cx + inLayer - 3 * (dy + 1) - 1;
    let y: i32 = cy + dy;
    let z: i32 = cz + dz;
    let inside: i32 = 1;
    if (x < 0) {
      if (numbers[9] > 0) x += nx;
      else inside = 0;
    } else if (x >= nx) {
      if (numbers[9] > 0) x -= nx;
      else inside = 0;
    }
    if (y < 0) {
      if (numbers[10] > 0) y += ny;
      else inside = 0;
    } else if (y >= ny) {
      if (numbers[10] > 0) y -= ny;
      else inside = 0;
    }
    if (z >= nz) {
      if (numbers[11] > 0) z -= nz;
      else inside = 0;
    }
    if (inside) {
      const c: i32 = x + nx * (y + ny * z);
      run(i, cellStart[c], cellStart[c + 1]);
    }
  }
}

/** Neighbours of grain i among `from` … `to`. */
function run(i: i32, from: i32, to: i32): void {
  const numbers: FloatArray = ptrF(0);
  const counts: IntArray = ptrI(1);
  const grains: FloatArray = ptrF(12);
  const neighbours: IntArray = ptrI(18);
  const history: FloatArray = ptrF(19);
  const stride: i32 = counts[7];
  const periodic: i32 = counts[8];
  const x: f64 = grains[4 * i];
  const y: f64 = grains[4 * i + 1];
  const z: f64 = grains[4 * i + 2];
  const reach: f64 = grains[4 * i + 3] + numbers[15];
  for (let j: i32 = from; j < to; j++) {
    let dx: f64 = x - grains[4 * j];
    let dy: f64 = y - grains[4 * j + 1];
    let dz: f64 = z - grains[4 * j + 2];
    if (periodic) {
      const px: f64 = numbers[9];
      const py: f64 = numbers[10];
      const pz: f64 = numbers[11];
      if (px > 0) {
        if (dx > 0.5 * px) dx -= px;
        else if (dx < -0.5 * px) dx += px;
      }
      if (py > 0) {
        if (dy > 0.5 * py) dy -= py;
        else if (dy < -0.5 * py) dy += py;
      }
      if (pz > 0) {
        if (dz > 0.5 * pz) dz -= pz;
        else if (dz < -0.5 * pz) dz += pz;
      }
    }
    const limit: f64 = reach + grains[4 * j + 3];
    if (dx * dx + dy * dy + dz * dz < limit * limit) {
      if (rowAt < rowEnd) {
        for (let k: i32 = 0; k < stride; k++) history[stride * rowAt + k] = 0;
        neighbours[rowAt] = j;
        carryPair(i, j, rowAt, stride);
        rowAt += 1;
      } else rowOverflow |= 1;
    }
  }
}

/** What the pair remembers, from the old lists; there either of the two may own it. The owner changed: s and rolling angle turn round, the twist does not. */
function carryPair(i: i32, j: i32, at: i32, stride: i32): void {
  const order: IntArray = ptrI(10);
  const oldStarts: IntArray = ptrI(20);
  const oldEnds: IntArray = ptrI(21);
  const oldNeighbours: IntArray = ptrI(22);
  const oldHistory: FloatArray = ptrF(23);
  const neighbours: IntArray = ptrI(18);
  const history: FloatArray = ptrF(19);
  const oldI: i32 = order[i];
  const oldJ: i32 = order[j];
  let found: i32 = -1;
  let sign: f64 = 1;
  for (let k: i32 = oldStarts[oldI]; k < oldEnds[oldI]; k++) if (oldNeighbours[k] === (oldJ | TOUCHED)) found = k;
  if (found < 0) {
    sign = -1;
    for (let k: i32 = oldStarts[oldJ]; k < oldEnds[oldJ]; k++) if (oldNeighbours[k] === (oldI | TOUCHED)) found = k;
  }
  if (found < 0) return;
  neighbours[at] = j | TOUCHED;
  const to: i32 = stride * at;
  const from: i32 = stride * found;
  for (let k: i32 = 0; k < 3; k++) history[to + k] = sign * oldHistory[from + k];
  history[to + 3] = oldHistory[from + 3];
  if (stride > 4) {
    for (let k: i32 = 4; k < 7; k++) history[to + k] = sign * oldHistory[from + k];
    history[to + 7] = oldHistory[from + 7];
  }
}

// ---- walls --------------------------------------------------------------------------------------------------------------------

let candidateAt: i32 = 0;
let candidateEnd: i32 = 0;

/**
 * Groups (grain, wall body) with the features near the grain, in ascending order: that order decides which of two equal contacts is kept.
 * Features of a body are in a grid in its own frame, of which no part moves.
 */
function wallGroups(thread: i32, first: i32, end: i32): void {
  const numbers: FloatArray = ptrF(0);
  const counts: IntArray = ptrI(1);
  const ranges: IntArray = ptrI(2);
  const grains: FloatArray = ptrF(12);
  const walls: FloatArray = ptrF(24);
  const wallInts: IntArray = ptrI(25);
  const wallStarts: IntArray = ptrI(26);
  const wallEnds: IntArray = ptrI(27);
  const groupInts: IntArray = ptrI(28);
  const groups: FloatArray = ptrF(29);
  const bodies: i32 = counts[9];
  const base: i32 = RANGE * thread;
  let at: i32 = ranges[base + 9];
  const last: i32 = ranges[base + 10];
  candidateAt = ranges[base + 12];
  candidateEnd = ranges[base + 13];
  for (let i: i32 = first; i < end; i++) {
    wallStarts[i] = at;
    const x: f64 = grains[4 * i];
    const y: f64 = grains[4 * i + 1];
    const z: f64 = grains[4 * i + 2];
    const reach: f64 = grains[4 * i + 3] + numbers[15];
    for (let b: i32 = 0; b < bodies; b++) {
      // The centre in the body's frame
      const w: i32 = WALL * b;
      const px: f64 = x - walls[w + 9];
      const py: f64 = y - walls[w + 10];
      const pz: f64 = z - walls[w + 11];
      const cx: f64 = walls[w] * px + walls[w + 3] * py + walls[w + 6] * pz;
      const cy: f64 = walls[w + 1] * px + walls[w + 4] * py + walls[w + 7] * pz;
      const cz: f64 = walls[w + 2] * px + walls[w + 5] * py + walls[w + 8] * pz;
      const firstCandidate: i32 = candidateAt;
      unboundedFeatures(WALL_INTS * b, cx, cy, cz, reach);
      if (wallInts[WALL_INTS * b + 2] > 0) featuresInGrid(w, WALL_INTS * b, cx, cy, cz, reach, firstCandidate);
      if (candidateAt > firstCandidate) {
        if (at < last) {
          groupInts[4 * at] = b;
          groupInts[4 * at + 1] = firstCandidate;
          groupInts[4 * at + 2] = candidateAt;
          groupInts[4 * at + 3] = 0;
          carryGroup(i, b, at, groupInts, groups);
          at += 1;
        } else rowOverflow |= 2;
      }
    }
    wallEnds[i] = at;
  }
  ranges[base + 11] = at;
  ranges[base + 14] = candidateAt;
}

function addCandidate(feature: i32): void {
  const candidates: IntArray = ptrI(30);
  if (candidateAt < candidateEnd) {
    candidates[candidateAt] = feature;
    candidateAt += 1;
  } else rowOverflow |= 4;
}

/** Planes and revolved profiles come first in a body and have no box. */
function unboundedFeatures(ints: i32, cx: f64, cy: f64, cz: f64, reach: f64): void {
  const wallInts: IntArray = ptrI(25);
  const f: FloatArray = ptrF(31);
  for (let feature: i32 = wallInts[ints]; feature < wallInts[ints + 1]; feature++) {
    const o: i32 = FEATURE * feature;
    if (f[o] === 0) {
      if (f[o + 1] * cx + f[o + 2] * cy + f[o + 3] * cz - f[o + 4] < reach) addCandidate(feature);
    } else {
      // Distance in the half-plane (ρ, z) from the segment or the corner
      const dx: f64 = cx - f[o + 1];
      const dy: f64 = cy - f[o + 2];
      const dz: f64 = cz - f[o + 3];
      const z: f64 = f[o + 4] * dx + f[o + 5] * dy + f[o + 6] * dz;
      const ex: f64 = dx - z * f[o + 4];
      const ey: f64 = dy - z * f[o + 5];
      const ez: f64 = dz - z * f[o + 6];
      let pr: f64 = Math.sqrt(ex * ex + ey * ey + ez * ez) - f[o + 7];
      let pz: f64 = z - f[o + 8];
      if (f[o] === 4) {
        let t: f64 = pr * f[o + 9] + pz * f[o + 10];
        if (t < 0) t = 0;
        if (t > f[o + 13]) t = f[o + 13];
        pr -= t * f[o + 9];
        pz -= t * f[o + 10];
      }
      if (pr * pr + pz * pz < reach * reach) addCandidate(feature);
    }
  }
}

/** Features whose box the sphere of radius `reach` may meet, from the cells of the body's grid under it. */
function featuresInGrid(w: i32, ints: i32, cx: f64, cy: f64, cz: f64, reach: f64, firstCandidate: i32): void {
  const walls: FloatArray = ptrF(24);
  const wallInts: IntArray = ptrI(25);
  const candidates: IntArray = ptrI(30);
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
          if (near === 1) {
            // In order, each once
            let at: i32 = candidateAt;
            while (at > firstCandidate && candidates[at - 1] > f) at -= 1;
            if (at === firstCandidate || candidates[at - 1] !== f) {
              if (candidateAt < candidateEnd) {
                for (let m: i32 = candidateAt; m > at; m--) candidates[m] = candidates[m - 1];
                candidates[at] = f;
                candidateAt += 1;
              } else rowOverflow |= 4;
            }
          }
        }
      }
}

/** Contacts of the group at the last step */
function carryGroup(i: i32, body: i32, at: i32, groupInts: IntArray, groups: FloatArray): void {
  const order: IntArray = ptrI(10);
  const oldStarts: IntArray = ptrI(35);
  const oldEnds: IntArray = ptrI(36);
  const oldInts: IntArray = ptrI(37);
  const oldGroups: FloatArray = ptrF(38);
  const oldI: i32 = order[i];
  for (let g: i32 = oldStarts[oldI]; g < oldEnds[oldI]; g++)
    if (oldInts[4 * g] === body) {
      const contacts: i32 = oldInts[4 * g + 3];
      groupInts[4 * at + 3] = contacts;
      for (let k: i32 = 0; k < 16 * contacts; k++) groups[GROUP * at + k] = oldGroups[GROUP * g + k];
    }
}
