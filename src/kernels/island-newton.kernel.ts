/**
 * The passes of Newton's method over one island of a time step (time-stepping/island-newton.ts, which leads them). Here: imbalance of blocks, and what the search along a step asks. Beside it:
 * velocities of rows, and which groups can act (island-rows), impulses and their slopes (island-impulses), the matrix (island-assembly) and its solution (island-matrix).
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
import { subtractScaled6 } from './six-blocks.js';

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
