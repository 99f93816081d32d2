/** The matrix H = M + Σ Jᵀ G J of an island, in blocks; island-newton.kernel.ts lists the slots. */
import { type FloatArray, type f64, type IntArray, type i32, ptrF, ptrI } from './prelude.js';
import { addProducts6, addSquare6 } from './six-blocks.js';

const NORMAL: i32 = 0;

/** H = M + Σ Jᵀ G J into the blocks of the matrix, of which `used` numbers are in use */
export function assembleMatrix(groupCount: i32, blockCount: i32, firstFree: i32, used: i32): void {
  const members: IntArray = ptrI(2);
  const size: IntArray = ptrI(17);
  const at: IntArray = ptrI(18);
  const massAt: IntArray = ptrI(19);
  const diagonal: FloatArray = ptrF(25);
  const mass: FloatArray = ptrF(26);
  const values: FloatArray = ptrF(31);
  const places: IntArray = ptrI(32);
  for (let k: i32 = 0; k < used; k++) values[k] = 0;
  for (let i: i32 = 0; i < blockCount; i++) {
    const b: i32 = members[i];
    const n: i32 = size[b];
    const d: i32 = places[i];
    if (b >= firstFree) for (let k: i32 = 0; k < n; k++) values[d + n * k + k] = diagonal[at[b] + k];
    else for (let k: i32 = 0; k < n * n; k++) values[d + k] = mass[massAt[b] + k];
  }
  for (let i: i32 = 0; i < groupCount; i++) addGroup(i);
}

function addGroup(index: i32): void {
  const groups: IntArray = ptrI(1);
  const ends: IntArray = ptrI(3);
  const firstRow: IntArray = ptrI(4);
  const firstTerm: IntArray = ptrI(5);
  const starts: IntArray = ptrI(6);
  const jacobian: FloatArray = ptrF(7);
  const kind: IntArray = ptrI(12);
  const row: IntArray = ptrI(13);
  const slope: FloatArray = ptrF(15);
  const size: IntArray = ptrI(17);
  const local: IntArray = ptrI(29);
  const values: FloatArray = ptrF(31);
  const places: IntArray = ptrI(32);
  const off: IntArray = ptrI(39);
  const later: IntArray = ptrI(40);
  const weighted: FloatArray = ptrF(41);
  const g: i32 = groups[index];
  const a: i32 = ends[2 * g];
  const b: i32 = ends[2 * g + 1];
  const na: i32 = a < 0 ? 0 : size[a];
  const nb: i32 = b < 0 ? 0 : size[b];
  const width: i32 = na + nb;
  const base: i32 = starts[g];
  const first: i32 = firstRow[g];
  // J and G J of the rows that act, one after the other: J from 0 on, G J behind all that J can be
  const behind: i32 = width * (firstRow[g + 1] - first);
  let rows: i32 = 0;
  for (let t: i32 = firstTerm[g]; t < firstTerm[g + 1]; t++) {
    const from: i32 = base + (row[t] - first) * width;
    const n: i32 = row[t + 1] - row[t];
    if (kind[t] === NORMAL) {
      const s: f64 = slope[9 * t];
      if (s === 0) continue;
      const to: i32 = rows * width;
      for (let k: i32 = 0; k < width; k++) {
        const x: f64 = jacobian[from + k];
        weighted[to + k] = x;
        weighted[behind + to + k] = s * x;
      }
      rows += 1;
      continue;
    }
    for (let i: i32 = 0; i < n; i++) {
      let acts: i32 = 0;
      for (let l: i32 = 0; l < n; l++) if (slope[9 * t + n * i + l] !== 0) acts = 1;
      if (acts === 0) continue;
      const to: i32 = rows * width;
      rows += 1;
      for (let k: i32 = 0; k < width; k++) {
        weighted[to + k] = jacobian[from + i * width + k];
        weighted[behind + to + k] = 0;
      }
      for (let l: i32 = 0; l < n; l++) {
        const s: f64 = slope[9 * t + n * i + l];
        if (s === 0) continue;
        const j: i32 = from + l * width;
        for (let k: i32 = 0; k < width; k++) weighted[behind + to + k] += s * jacobian[j + k];
      }
    }
  }
  if (rows === 0) return;
  if (a >= 0) addSquare(values, places[local[a]], weighted, 0, behind, na, rows, width);
  if (b >= 0) addSquare(values, places[local[b]], weighted, na, behind + na, nb, rows, width);
  if (a < 0 || b < 0) return;
  if (later[index] !== 0) addProducts(values, off[index], weighted, na, nb, behind, na, rows, width);
  else addProducts(values, off[index], weighted, 0, na, behind + na, nb, rows, width);
}

/** C += Jᵀ W over rows, both in w: C of n × m */
function addProducts(
  c: FloatArray,
  at: i32,
  w: FloatArray,
  p: i32,
  n: i32,
  q: i32,
  m: i32,
  rows: i32,
  width: i32,
): void {
  if (n === 6 && m === 6) {
    addProducts6(c, at, w, p, q, rows, width);
    return;
  }
  for (let r: i32 = 0; r < rows; r++)
    for (let i: i32 = 0; i < n; i++) {
      const x: f64 = w[p + r * width + i];
      for (let k: i32 = 0; k < m; k++) c[at + m * i + k] += x * w[q + r * width + k];
    }
}

/** The same on the diagonal: C is symmetric, and only its lower triangle is read */
function addSquare(c: FloatArray, at: i32, w: FloatArray, p: i32, q: i32, n: i32, rows: i32, width: i32): void {
  if (n === 6) {
    addSquare6(c, at, w, p, q, rows, width);
    return;
  }
  for (let r: i32 = 0; r < rows; r++)
    for (let i: i32 = 0; i < n; i++) {
      const x: f64 = w[p + r * width + i];
      for (let k: i32 = 0; k <= i; k++) c[at + n * i + k] += x * w[q + r * width + k];
    }
}
