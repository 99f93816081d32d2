/** Velocities of the rows of an island, at v and along a step, and which groups can act at all; island-newton.kernel.ts lists the slots. */
import { type FloatArray, type f64, type IntArray, type i32, ptrF, ptrI } from './prelude.js';
import { dot6 } from './six-blocks.js';

const WIDTH: i32 = 8;
const NORMAL: i32 = 0;

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
