/**
 * The passes of Newton's method over one island of a time step (time-stepping/island-newton.ts, which leads them): velocities of rows, impulses and their slopes,
 * imbalance of blocks, the matrix (island-matrix.kernel.ts solves it), and what the search along a step asks.
 *
 * Slots:
 *   0  numbers: h | of `stepSums`: slope of the objective along the step, its rise, its constant part, energy that v differs from v* by
 *   1  groups of the island, those that may act first; 2 blocks of the island
 *   3  blocks of a group, 2 each (−1: none), 4 its first row, 5 its first term, 6 where its Jacobian starts
 *   7  Jacobian, 8 bias, 9 u, 10 du, 11 γ, of rows
 *   12 kind of a term (0 normal, 1 bounded, 2 patch: done elsewhere), 13 its first row, 14 its numbers, 15 slopes, 16 whether the step brakes it
 *   17 velocities of a block, 18 where they start, 19 where its mass matrix starts, of mechanisms
 *   20 v, 21 v*, 22 gradient, 23 step, 24 M (v − v*) without sign, of all blocks
 *   25 diagonal of M, 26 mass matrices, 27 their factors, 28 weight of a block
 *   29 per block: its number in the island; 30 per block of the island: where its velocities start
 *   31 blocks of the matrix, 32 where those on the diagonal start, 33 those below it, 34 where products go
 *   35 velocities of a block of the island, 36 block at each place of the order of elimination, 37 first of its later neighbours, 38 these
 *   39 per group of the island: its block off the diagonal, −1: none; 40 1: its first block is eliminated later
 *   41 room for weighted rows
 *   42 per group: 1: it is open, none of its terms acts
 *
 * Off the diagonal the block of two is kept with the rows of the one that is eliminated earlier.
 */
import { type FloatArray, type f64, type IntArray, type i32, ptrF, ptrI } from './prelude.js';
import { addProducts6, addSquare6, dot6, subtractScaled6 } from './six-blocks.js';

const WIDTH: i32 = 8;
const NORMAL: i32 = 0;
const PATCH: i32 = 2;

/** Σ of n products */
function dot(a: FloatArray, p: i32, x: FloatArray, q: i32, n: i32): f64 {
  if (n === 6) return dot6(a, p, x, q);
  let sum: f64 = 0;
  for (let k: i32 = 0; k < n; k++) sum += a[p + k] * x[q + k];
  return sum;
}

/** u = J v + bias of the rows of groups `from` to `to` of the list; any slip may end in the first step */
export function rowVelocities(from: i32, to: i32): void {
  const groups: IntArray = ptrI(1);
  const ends: IntArray = ptrI(3);
  const firstRow: IntArray = ptrI(4);
  const firstTerm: IntArray = ptrI(5);
  const starts: IntArray = ptrI(6);
  const jacobian: FloatArray = ptrF(7);
  const bias: FloatArray = ptrF(8);
  const u: FloatArray = ptrF(9);
  const braked: IntArray = ptrI(16);
  const size: IntArray = ptrI(17);
  const at: IntArray = ptrI(18);
  const v: FloatArray = ptrF(20);
  for (let i: i32 = from; i < to; i++) {
    const g: i32 = groups[i];
    const a: i32 = ends[2 * g];
    const b: i32 = ends[2 * g + 1];
    const na: i32 = a < 0 ? 0 : size[a];
    const nb: i32 = b < 0 ? 0 : size[b];
    const atA: i32 = a < 0 ? 0 : at[a];
    const atB: i32 = b < 0 ? 0 : at[b];
    let j: i32 = starts[g];
    for (let r: i32 = firstRow[g]; r < firstRow[g + 1]; r++) {
      u[r] = bias[r] + dot(jacobian, j, v, atA, na) + dot(jacobian, j + na, v, atB, nb);
      j += na + nb;
    }
    for (let t: i32 = firstTerm[g]; t < firstTerm[g + 1]; t++) braked[t] = 1;
  }
}

/**
 * Marks in slot 42 which of the groups `from` to `to` of the list are open: none of their terms can act, for every gap stays open in the step by more than the way at `speed` and at a `share` of
 * its own speed, and nothing else has a limit. Their impulses are 0. Gives how many are not.
 *
 * @param ahead 1: they stay open with v*, too
 */
export function openGroups(from: i32, to: i32, speed: f64, share: f64, ahead: i32): i32 {
  const numbers: FloatArray = ptrF(0);
  const groups: IntArray = ptrI(1);
  const ends: IntArray = ptrI(3);
  const firstRow: IntArray = ptrI(4);
  const firstTerm: IntArray = ptrI(5);
  const starts: IntArray = ptrI(6);
  const jacobian: FloatArray = ptrF(7);
  const bias: FloatArray = ptrF(8);
  const u: FloatArray = ptrF(9);
  const gamma: FloatArray = ptrF(11);
  const kind: IntArray = ptrI(12);
  const row: IntArray = ptrI(13);
  const values: FloatArray = ptrF(14);
  const size: IntArray = ptrI(17);
  const at: IntArray = ptrI(18);
  const free: FloatArray = ptrF(21);
  const open: IntArray = ptrI(42);
  const h: f64 = numbers[0];
  let closed: i32 = 0;
  for (let i: i32 = from; i < to; i++) {
    const g: i32 = groups[i];
    const a: i32 = ends[2 * g];
    const b: i32 = ends[2 * g + 1];
    const na: i32 = a < 0 ? 0 : size[a];
    const nb: i32 = b < 0 ? 0 : size[b];
    const atA: i32 = a < 0 ? 0 : at[a];
    const atB: i32 = b < 0 ? 0 : at[b];
    let apart: i32 = 1;
    for (let t: i32 = firstTerm[g]; t < firstTerm[g + 1] && apart !== 0; t++) {
      if (kind[t] !== NORMAL) {
        if (values[WIDTH * t + 4] > 0) apart = 0;
        continue;
      }
      const r: i32 = row[t];
      const gap: f64 = values[WIDTH * t];
      if (!(gap + h * (u[r] - speed - share * Math.abs(u[r])) > 0)) apart = 0;
      if (ahead === 0 || apart === 0) continue;
      const j: i32 = starts[g] + (na + nb) * (r - firstRow[g]);
      const x: f64 = bias[r] + dot(jacobian, j, free, atA, na) + dot(jacobian, j + na, free, atB, nb);
      if (!(gap + h * (x - speed - share * Math.abs(x)) > 0)) apart = 0;
    }
    open[g] = apart;
    if (apart === 0) closed += 1;
    else for (let r: i32 = firstRow[g]; r < firstRow[g + 1]; r++) gamma[r] = 0;
  }
  return closed;
}

/** du = J Δ of all rows of the island; marks what the whole step brakes to its end, for the slopes of the next */
export function rowSteps(groupCount: i32): void {
  const groups: IntArray = ptrI(1);
  const ends: IntArray = ptrI(3);
  const firstRow: IntArray = ptrI(4);
  const firstTerm: IntArray = ptrI(5);
  const starts: IntArray = ptrI(6);
  const jacobian: FloatArray = ptrF(7);
  const u: FloatArray = ptrF(9);
  const du: FloatArray = ptrF(10);
  const kind: IntArray = ptrI(12);
  const row: IntArray = ptrI(13);
  const values: FloatArray = ptrF(14);
  const braked: IntArray = ptrI(16);
  const size: IntArray = ptrI(17);
  const at: IntArray = ptrI(18);
  const step: FloatArray = ptrF(23);
  for (let i: i32 = 0; i < groupCount; i++) {
    const g: i32 = groups[i];
    const a: i32 = ends[2 * g];
    const b: i32 = ends[2 * g + 1];
    const na: i32 = a < 0 ? 0 : size[a];
    const nb: i32 = b < 0 ? 0 : size[b];
    const atA: i32 = a < 0 ? 0 : at[a];
    const atB: i32 = b < 0 ? 0 : at[b];
    let j: i32 = starts[g];
    for (let r: i32 = firstRow[g]; r < firstRow[g + 1]; r++) {
      du[r] = dot(jacobian, j, step, atA, na) + dot(jacobian, j + na, step, atB, nb);
      j += na + nb;
    }
    for (let t: i32 = firstTerm[g]; t < firstTerm[g + 1]; t++) {
      if (kind[t] === NORMAL) continue;
      const n: i32 = WIDTH * t;
      const rise: f64 = values[n + 3];
      const limit: f64 = values[n + 4];
      let square: f64 = 0;
      let along: f64 = 0;
      let k: i32 = n;
      for (let r: i32 = row[t]; r < row[t + 1]; r++) {
        const w: f64 = values[k] + rise * u[r];
        square += w * w;
        along += w * (w + rise * du[r]);
        k += 1;
      }
      braked[t] = square > limit * limit && along < limit * Math.sqrt(square) ? 1 : 0;
    }
  }
}

/** γ at u + α du, of all terms but patches; their slopes too. Gives Σ γ·du, 0 at α = 0. */
export function evaluateTerms(groupCount: i32, alpha: f64, withSlopes: i32): f64 {
  const numbers: FloatArray = ptrF(0);
  const groups: IntArray = ptrI(1);
  const firstTerm: IntArray = ptrI(5);
  const u: FloatArray = ptrF(9);
  const du: FloatArray = ptrF(10);
  const gamma: FloatArray = ptrF(11);
  const kind: IntArray = ptrI(12);
  const row: IntArray = ptrI(13);
  const values: FloatArray = ptrF(14);
  const slope: FloatArray = ptrF(15);
  const braked: IntArray = ptrI(16);
  const h: f64 = numbers[0];
  const moved: i32 = alpha === 0 ? 0 : 1;
  let sum: f64 = 0;
  for (let i: i32 = 0; i < groupCount; i++) {
    const g: i32 = groups[i];
    for (let t: i32 = firstTerm[g]; t < firstTerm[g + 1]; t++) {
      const what: i32 = kind[t];
      if (what === PATCH) continue;
      const r: i32 = row[t];
      const n: i32 = WIDTH * t;
      const s: i32 = 9 * t;
      const x: f64 = moved !== 0 ? u[r] + alpha * du[r] : u[r];
      if (what === NORMAL) {
        const depth: f64 = -(values[n] + h * x);
        const factor: f64 = 1 - values[n + 3] * x;
        if (!(depth > 0 && factor > 0)) {
          gamma[r] = 0;
          if (withSlopes !== 0) slope[s] = 0;
          continue;
        }
        const k: f64 = values[n + 1];
        if (values[n + 2] === 1) {
          gamma[r] = h * k * depth * factor;
          if (withSlopes !== 0) slope[s] = h * k * (h * factor + depth * values[n + 3]);
        } else {
          const root: f64 = Math.sqrt(depth);
          gamma[r] = h * k * depth * root * factor;
          if (withSlopes !== 0) slope[s] = h * k * root * (1.5 * h * factor + depth * values[n + 3]);
        }
        if (moved !== 0) sum += gamma[r] * du[r];
        continue;
      }
      // bounded, by a ball
      const rows: i32 = row[t + 1] - r;
      const rise: f64 = values[n + 3];
      const limit: f64 = values[n + 4];
      if (!(limit > 0)) {
        for (let k: i32 = 0; k < rows; k++) gamma[r + k] = 0;
        if (withSlopes !== 0) for (let k: i32 = 0; k < rows * rows; k++) slope[s + k] = 0;
        continue;
      }
      const w1: f64 = values[n] + rise * x;
      let w2: f64 = 0;
      let w3: f64 = 0;
      if (rows > 1) w2 = values[n + 1] + rise * (moved !== 0 ? u[r + 1] + alpha * du[r + 1] : u[r + 1]);
      if (rows > 2) w3 = values[n + 2] + rise * (moved !== 0 ? u[r + 2] + alpha * du[r + 2] : u[r + 2]);
      const square: f64 = w1 * w1 + w2 * w2 + w3 * w3;
      const outside: i32 = square > limit * limit ? 1 : 0;
      const per: f64 = outside !== 0 ? 1 / Math.sqrt(square) : 0;
      const share: f64 = outside !== 0 ? limit * per : 1;
      gamma[r] = -h * share * w1;
      if (rows > 1) gamma[r + 1] = -h * share * w2;
      if (rows > 2) gamma[r + 2] = -h * share * w3;
      if (moved !== 0) {
        sum += gamma[r] * du[r];
        if (rows > 1) sum += gamma[r + 1] * du[r + 1];
        if (rows > 2) sum += gamma[r + 2] * du[r + 2];
      }
      if (withSlopes === 0) continue;
      const g0: f64 = h * rise * share;
      if (outside === 0) {
        for (let k: i32 = 0; k < rows * rows; k++) slope[s + k] = 0;
        for (let k: i32 = 0; k < rows; k++) slope[s + rows * k + k] = g0;
        continue;
      }
      // across W, and the secant along it where slip ends: g0 (1 − q qᵀ) + [braked] g0 q qᵀ
      const along: f64 = braked[t] !== 0 ? 0 : 1;
      const q1: f64 = per * w1;
      const q2: f64 = per * w2;
      const q3: f64 = per * w3;
      slope[s] = g0 * (1 - along * q1 * q1);
      if (rows === 2) {
        slope[s + 1] = -g0 * along * q1 * q2;
        slope[s + 2] = slope[s + 1];
        slope[s + 3] = g0 * (1 - along * q2 * q2);
      }
      if (rows === 3) {
        slope[s + 1] = -g0 * along * q1 * q2;
        slope[s + 2] = -g0 * along * q1 * q3;
        slope[s + 3] = slope[s + 1];
        slope[s + 4] = g0 * (1 - along * q2 * q2);
        slope[s + 5] = -g0 * along * q2 * q3;
        slope[s + 6] = slope[s + 2];
        slope[s + 7] = slope[s + 5];
        slope[s + 8] = g0 * (1 - along * q3 * q3);
      }
    }
  }
  return sum;
}

/** out −= Jᵀ γ of all groups of the island, out in slot 22 */
function subtractImpulses(groupCount: i32): void {
  const groups: IntArray = ptrI(1);
  const ends: IntArray = ptrI(3);
  const firstRow: IntArray = ptrI(4);
  const starts: IntArray = ptrI(6);
  const jacobian: FloatArray = ptrF(7);
  const gamma: FloatArray = ptrF(11);
  const size: IntArray = ptrI(17);
  const at: IntArray = ptrI(18);
  const out: FloatArray = ptrF(22);
  for (let i: i32 = 0; i < groupCount; i++) {
    const g: i32 = groups[i];
    const a: i32 = ends[2 * g];
    const b: i32 = ends[2 * g + 1];
    const na: i32 = a < 0 ? 0 : size[a];
    const nb: i32 = b < 0 ? 0 : size[b];
    const atA: i32 = a < 0 ? 0 : at[a];
    const atB: i32 = b < 0 ? 0 : at[b];
    let j: i32 = starts[g];
    for (let r: i32 = firstRow[g]; r < firstRow[g + 1]; r++) {
      const impulse: f64 = gamma[r];
      if (impulse !== 0) {
        if (na === 6) subtractScaled6(out, atA, impulse, jacobian, j);
        else for (let k: i32 = 0; k < na; k++) out[atA + k] -= jacobian[j + k] * impulse;
        if (nb === 6) subtractScaled6(out, atB, impulse, jacobian, j + na);
        else for (let k: i32 = 0; k < nb; k++) out[atB + k] -= jacobian[j + na + k] * impulse;
      }
      j += na + nb;
    }
  }
}

/** y = M x of a mechanism, x and y from `first` on */
function applyMass(block: i32, n: i32, first: i32, x: FloatArray, y: FloatArray): void {
  const massAt: IntArray = ptrI(19);
  const mass: FloatArray = ptrF(26);
  const m: i32 = massAt[block];
  for (let i: i32 = 0; i < n; i++) {
    let sum: f64 = 0;
    for (let j: i32 = 0; j < n; j++) sum += mass[m + n * i + j] * x[first + j];
    y[first + i] = sum;
  }
}

/** ∇ into slot 22, −∇ into slot 23; 1 if every block is in balance: |∇|² in M⁻¹ ≤ allowed × weight */
export function imbalance(groupCount: i32, blockCount: i32, firstFree: i32, allowed: f64): i32 {
  const members: IntArray = ptrI(2);
  const size: IntArray = ptrI(17);
  const at: IntArray = ptrI(18);
  const massAt: IntArray = ptrI(19);
  const v: FloatArray = ptrF(20);
  const free: FloatArray = ptrF(21);
  const gradient: FloatArray = ptrF(22);
  const step: FloatArray = ptrF(23);
  const mass: FloatArray = ptrF(24);
  const diagonal: FloatArray = ptrF(25);
  const factor: FloatArray = ptrF(27);
  const weight: FloatArray = ptrF(28);
  for (let i: i32 = 0; i < blockCount; i++) {
    const b: i32 = members[i];
    const n: i32 = size[b];
    const first: i32 = at[b];
    for (let k: i32 = first; k < first + n; k++) step[k] = v[k] - free[k];
    if (b >= firstFree) for (let k: i32 = first; k < first + n; k++) gradient[k] = diagonal[k] * step[k];
    else applyMass(b, n, first, step, gradient);
    for (let k: i32 = first; k < first + n; k++) mass[k] = Math.abs(gradient[k]);
  }
  subtractImpulses(groupCount);
  let balanced: i32 = 1;
  for (let i: i32 = 0; i < blockCount; i++) {
    const b: i32 = members[i];
    const n: i32 = size[b];
    const first: i32 = at[b];
    let square: f64 = 0;
    if (b >= firstFree)
      for (let k: i32 = first; k < first + n; k++) {
        // what rounding leaves of terms that cancel is no imbalance
        const rest: f64 = Math.abs(gradient[k]) - 1e-14 * mass[k];
        if (!(rest <= 0)) square += (rest * rest) / diagonal[k];
      }
    else {
      const m: i32 = massAt[b];
      for (let j: i32 = 0; j < n; j++) {
        let sum: f64 = gradient[first + j];
        for (let k: i32 = 0; k < j; k++) sum -= factor[m + n * j + k] * step[first + k];
        step[first + j] = sum / factor[m + n * j + j];
        square += step[first + j] * step[first + j];
      }
    }
    if (!(square <= allowed * weight[b])) balanced = 0;
    for (let k: i32 = first; k < first + n; k++) step[k] = -gradient[k];
  }
  return balanced;
}

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
    let active: i32 = 0;
    for (let k: i32 = 0; k < n * n; k++) if (slope[9 * t + k] !== 0) active = 1;
    if (active === 0) continue;
    for (let i: i32 = 0; i < n; i++) {
      const to: i32 = (rows + i) * width;
      for (let k: i32 = 0; k < width; k++) {
        weighted[to + k] = jacobian[from + i * width + k];
        weighted[behind + to + k] = 0;
      }
      for (let l: i32 = 0; l < n; l++) {
        const s: f64 = slope[9 * t + n * i + l];
        const j: i32 = from + l * width;
        for (let k: i32 = 0; k < width; k++) weighted[behind + to + k] += s * jacobian[j + k];
      }
    }
    rows += n;
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

/** Of the quadratic part along the step, into slot 0: ∇·Δ, Δᵀ M Δ, Δᵀ M (v − v*); and Σ |M (v − v*)| |v − v*| */
export function stepSums(blockCount: i32, firstFree: i32): void {
  const numbers: FloatArray = ptrF(0);
  const members: IntArray = ptrI(2);
  const size: IntArray = ptrI(17);
  const at: IntArray = ptrI(18);
  const v: FloatArray = ptrF(20);
  const free: FloatArray = ptrF(21);
  const gradient: FloatArray = ptrF(22);
  const step: FloatArray = ptrF(23);
  const mass: FloatArray = ptrF(24);
  const diagonal: FloatArray = ptrF(25);
  let start: f64 = 0;
  let rise: f64 = 0;
  let constant: f64 = 0;
  let energy: f64 = 0;
  for (let i: i32 = 0; i < blockCount; i++) {
    const b: i32 = members[i];
    const n: i32 = size[b];
    const first: i32 = at[b];
    for (let k: i32 = first; k < first + n; k++) energy += mass[k] * Math.abs(v[k] - free[k]);
    if (b >= firstFree) for (let k: i32 = first; k < first + n; k++) mass[k] = diagonal[k] * step[k];
    else applyMass(b, n, first, step, mass);
    for (let k: i32 = first; k < first + n; k++) {
      start += gradient[k] * step[k];
      rise += mass[k] * step[k];
      constant += mass[k] * (v[k] - free[k]);
    }
  }
  numbers[1] = start;
  numbers[2] = rise;
  numbers[3] = constant;
  numbers[4] = energy;
}

/** v += α Δ, u += α du */
export function takeStep(groupCount: i32, blockCount: i32, alpha: f64): void {
  const groups: IntArray = ptrI(1);
  const members: IntArray = ptrI(2);
  const firstRow: IntArray = ptrI(4);
  const u: FloatArray = ptrF(9);
  const du: FloatArray = ptrF(10);
  const size: IntArray = ptrI(17);
  const at: IntArray = ptrI(18);
  const v: FloatArray = ptrF(20);
  const step: FloatArray = ptrF(23);
  for (let i: i32 = 0; i < blockCount; i++) {
    const first: i32 = at[members[i]];
    const end: i32 = first + size[members[i]];
    for (let k: i32 = first; k < end; k++) v[k] += alpha * step[k];
  }
  for (let i: i32 = 0; i < groupCount; i++) {
    const g: i32 = groups[i];
    for (let r: i32 = firstRow[g]; r < firstRow[g + 1]; r++) u[r] += alpha * du[r];
  }
}

/** v ← v* + M⁻¹ Σ Jᵀ γ */
export function balanceVelocities(groupCount: i32, blockCount: i32, firstFree: i32): void {
  const members: IntArray = ptrI(2);
  const size: IntArray = ptrI(17);
  const at: IntArray = ptrI(18);
  const massAt: IntArray = ptrI(19);
  const v: FloatArray = ptrF(20);
  const free: FloatArray = ptrF(21);
  const gradient: FloatArray = ptrF(22);
  const diagonal: FloatArray = ptrF(25);
  const factor: FloatArray = ptrF(27);
  for (let i: i32 = 0; i < blockCount; i++) {
    const first: i32 = at[members[i]];
    const end: i32 = first + size[members[i]];
    for (let k: i32 = first; k < end; k++) gradient[k] = 0;
  }
  subtractImpulses(groupCount);
  for (let i: i32 = 0; i < blockCount; i++) {
    const b: i32 = members[i];
    const n: i32 = size[b];
    const first: i32 = at[b];
    if (b >= firstFree) for (let k: i32 = first; k < first + n; k++) gradient[k] /= diagonal[k];
    else {
      const m: i32 = massAt[b];
      for (let j: i32 = 0; j < n; j++) {
        let sum: f64 = gradient[first + j];
        for (let k: i32 = 0; k < j; k++) sum -= factor[m + n * j + k] * gradient[first + k];
        gradient[first + j] = sum / factor[m + n * j + j];
      }
      for (let j: i32 = n - 1; j >= 0; j--) {
        let sum: f64 = gradient[first + j];
        for (let k: i32 = j + 1; k < n; k++) sum -= factor[m + n * k + j] * gradient[first + k];
        gradient[first + j] = sum / factor[m + n * j + j];
      }
    }
    for (let k: i32 = first; k < first + n; k++) v[k] = free[k] - gradient[k];
  }
}
