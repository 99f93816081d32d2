/** Impulses of the terms of an island and their slopes (time-stepping/convex-terms.ts has the formulas); island-newton.kernel.ts lists the slots. */
import { type FloatArray, type f64, type IntArray, type i32, ptrF, ptrI } from './prelude.js';

const WIDTH: i32 = 8;
const NORMAL: i32 = 0;
const PATCH: i32 = 2;

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
