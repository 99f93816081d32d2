/**
 * Which grains may touch soon: cell sort and rows of neighbours. Made anew when a grain has moved half of
 * the skin; what the lists hold besides the contacts changes no bit of the answer, for sums of forces are exact (grain-forces.kernel.ts).
 *
 * Arrays are those of grain-slots.ts, in the order said there. Every entry point takes the number of a thread and works on its range alone.
 *
 * Grains are kept sorted by cell, x fastest, so that the three cells x − 1 … x + 1 of a row of cells are one run of grains, and a
 * half list needs five runs: the rest of the own row, one row beside, three above.
 */
import { cellOf } from './cells.kernel.js';
import { RANGE, RESULT, TOUCHED } from './grain-sizes.kernel.js';
import { type FloatArray, type f64, type IntArray, type i32, ptrF, ptrI } from './prelude.js';
import { wallGroups } from './wall-groups.kernel.js';

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
let rowTouches: i32 = 0;
/** What a pair that touches and a row cost, in entries that do not touch; measured */
const PER_TOUCH: i32 = 7;
const PER_ROW: i32 = 1;

/**
 * Rows of neighbours and groups of near wall features of the grains first … end of the thread's build range, written into its own segments
 * of the lists. History of what touched comes over from the old lists. Out: where the segments end; overflow 1 (pairs), 2 (groups), 4 (candidates).
 */
export function grainRows(thread: i32): void {
  const counts: IntArray = ptrI(1);
  const ranges: IntArray = ptrI(2);
  const starts: IntArray = ptrI(16);
  const ends: IntArray = ptrI(17);
  const weights: IntArray = ptrI(48);
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
    rowTouches = 0;
    if (periodic) neighboursInPeriodicCells(i);
    else if (i >= firstApart) neighboursOfLarge(i);
    else neighboursInRuns(i);
    ends[i] = rowAt;
    weights[i] = PER_ROW + rowAt - starts[i] + PER_TOUCH * rowTouches;
  }
  ranges[base + 6] = rowAt;
  ranges[base + 15] = rowOverflow | wallGroups(thread, first, end);
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
  const owners: IntArray = ptrI(45);
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
        owners[rowAt] = i;
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
  rowTouches += 1;
  const to: i32 = stride * at;
  const from: i32 = stride * found;
  for (let k: i32 = 0; k < 3; k++) history[to + k] = sign * oldHistory[from + k];
  history[to + 3] = oldHistory[from + 3];
  if (stride > 4) {
    for (let k: i32 = 4; k < 7; k++) history[to + k] = sign * oldHistory[from + k];
    history[to + 7] = oldHistory[from + 7];
  }
}
