/**
 * One kick and drift of rigid grains, and their corners and planes where they have come to.
 *
 *   v += k (f/m + g),  x += h v
 *   L += k τ;  ω₀ = R(q) I⁻¹ R(q)ᵀ L;  q½ = (1, h ω₀/4) q;  ω½ from q½ and L;  q += (1, h ω½/2) q;  both normalised
 *
 *   f, τ  force and torque about the centre of mass: the sum over threads, exact       N, N m
 *   L     angular momentum, world axes                                                 kg m²/s
 *   I     principal moments; q turns the principal axes into the world's               kg m²
 *   h     step, k the kick: h/2 at the start, then h; with h = 0 nothing moves, what follows from the poses is found anew     s
 *
 * L is kept to the last bit by a free grain, and |q| by the normalisation; the energy of rotation does not drift, for the turn is the same
 * read backwards to second order. Only + − × ÷ √, so every machine turns alike.
 *
 * Along a periodic axis what leaves on one side comes in on the other, at every step and not when lists are made: else bits would depend on the skin.
 *
 * A body with 1/m = 0 moves as it was told: its pose and twist are the caller's; what it is loaded with is summed all the same.
 */

import { PIECES, PLANES, VERTICES } from './polyhedron-overlap.kernel.js';
import { type FloatArray, type f64, type IntArray, type i32, ptrF, ptrI } from './prelude.js';

/** 4 per body: centre of mass, m; 0 */
export const POSITIONS: i32 = 9;
/** 4 per body: w x y z, principal axes to world */
export const ORIENTATIONS: i32 = 10;
/** 8 per body: v, m/s; 1/m, 1/kg, 0 where it moves as it is told; ω, rad/s; 1/m of a part of a machine, mean over directions */
export const VELOCITIES: i32 = 11;
/** 4 per body: L, kg m²/s; 0 */
export const MOMENTA: i32 = 12;
/** 4 per body: 1/I₁ 1/I₂ 1/I₃, 1/(kg m²); 0 */
export const INVERSE_MOMENTS: i32 = 13;
/** 8 per body: R I⁻¹ Rᵀ as xx yy zz xy yz zx, 1/(kg m²) */
export const INVERSE_INERTIA: i32 = 14;
/** 8 per body and thread: force, N, torque about the centre of mass, N m */
export const FORCES: i32 = 15;
/** 8 per body: the sums over threads that were used last; 1 where a wall is turned as its pieces are: walls of many pieces are not turned at every step for nothing */
export const LOADS: i32 = 16;
/** one per body and one more: its pieces are those from here to the next */
export const FIRST_PIECE: i32 = 17;
/** 3 per vertex, in principal axes from the centre of mass, m */
export const LOCAL_VERTICES: i32 = 18;
/** 4 per plane, the same */
export const LOCAL_PLANES: i32 = 19;
/** 4 per piece: middle of its bounding sphere, the same; radius, m */
export const LOCAL_SPHERES: i32 = 20;
/** 4 per piece: middle of its bounding sphere from the centre of mass, world axes; radius, m */
export const SPHERES: i32 = 21;
/** 3 per piece: where the middle was when the list was made, m */
export const LISTED: i32 = 22;
/** 4 per thread: greatest squared way of a middle since then, m²; potential energy that grains found in this step by going round a period, J */
export const TRAVEL: i32 = 23;

/** What all threads are told: k, h, s; g, m/s²; 1 where an axis is periodic; 0 0; lengths of the period, m, 0 along an axis that has none; its low corner, m; C of energies, J */
export const SETTINGS: i32 = 30;
/** The same in integers: threads, numbers between the forces of one thread and the next, species, room; from 8 on 4 per thread: first body, last + 1, first pair, last + 1 */
export const SHARES: i32 = 31;

/** 36 per body, row by row: velocity and angular velocity of a part of a machine that a force at its origin and a torque make in 1 s; 0 of others, 1/kg, 1/(kg m), 1/(kg m²) */
export const MOBILITIES: i32 = 32;

/** The share of one thread. */
export function movePolyhedra(thread: i32): void {
  const settings: FloatArray = ptrF(SETTINGS);
  const shares: IntArray = ptrI(SHARES);
  const kick: f64 = settings[0];
  const step: f64 = settings[1];
  const gx: f64 = settings[2];
  const gy: f64 = settings[3];
  const gz: f64 = settings[4];
  const periodic: f64 = settings[5];
  const threads: i32 = shares[0];
  const stride: i32 = shares[1];
  const from: i32 = shares[8 + 4 * thread];
  const to: i32 = shares[9 + 4 * thread];
  const positions: FloatArray = ptrF(POSITIONS);
  const orientations: FloatArray = ptrF(ORIENTATIONS);
  const velocities: FloatArray = ptrF(VELOCITIES);
  const momenta: FloatArray = ptrF(MOMENTA);
  const forces: FloatArray = ptrF(FORCES);
  const loads: FloatArray = ptrF(LOADS);
  const travel: FloatArray = ptrF(TRAVEL);
  let farthest: f64 = 0;
  let raised: f64 = 0;

  for (let b: i32 = from; b < to; b++) {
    // What it is loaded with
    const at: i32 = 8 * b;
    for (let k: i32 = 0; k < 6; k++) {
      let sum: f64 = 0;
      for (let t: i32 = 0; t < threads; t++) {
        sum += forces[t * stride + at + k];
        forces[t * stride + at + k] = 0;
      }
      loads[at + k] = sum;
    }

    const inverseMass: f64 = velocities[at + 3];
    if (inverseMass > 0 && step > 0) {
      const x: i32 = 4 * b;
      velocities[at] += kick * (loads[at] * inverseMass + gx);
      velocities[at + 1] += kick * (loads[at + 1] * inverseMass + gy);
      velocities[at + 2] += kick * (loads[at + 2] * inverseMass + gz);
      positions[x] += step * velocities[at];
      positions[x + 1] += step * velocities[at + 1];
      positions[x + 2] += step * velocities[at + 2];
      if (periodic > 0) raised += wrap(b, inverseMass);
      momenta[x] += kick * loads[at + 3];
      momenta[x + 1] += kick * loads[at + 4];
      momenta[x + 2] += kick * loads[at + 5];

      const w: f64 = orientations[x];
      const i: f64 = orientations[x + 1];
      const j: f64 = orientations[x + 2];
      const k: f64 = orientations[x + 3];
      angularVelocity(b);
      turn(b, w, i, j, k, 0.25 * step);
      angularVelocity(b);
      turn(b, w, i, j, k, 0.5 * step);
    }
    if (inverseMass > 0) angularVelocity(b);
    if (inverseMass > 0 || loads[at + 6] === 0) {
      const way: f64 = place(b);
      if (way > farthest) farthest = way;
      if (!(inverseMass > 0)) loads[at + 6] = 1;
    }
  }
  travel[4 * thread] = farthest;
  travel[4 * thread + 1] = raised;
}

/** Brings a body back into the period, and where its pieces were listed with it; returns by how much this raised its potential energy, rounded so that sums are exact, J. */
function wrap(b: i32, inverseMass: f64): f64 {
  const settings: FloatArray = ptrF(SETTINGS);
  const positions: FloatArray = ptrF(POSITIONS);
  const listed: FloatArray = ptrF(LISTED);
  const firstPiece: IntArray = ptrI(FIRST_PIECE);
  const round: f64 = settings[14];
  let raised: f64 = 0;
  for (let k: i32 = 0; k < 3; k++) {
    const period: f64 = settings[8 + k];
    if (!(period > 0)) continue;
    const low: f64 = settings[11 + k];
    const x: f64 = positions[4 * b + k];
    const way: f64 = x < low ? period : x >= low + period ? -period : 0;
    if (way === 0) continue;
    positions[4 * b + k] = x + way;
    for (let p: i32 = firstPiece[b]; p < firstPiece[b + 1]; p++) listed[3 * p + k] += way;
    raised += round - (settings[2 + k] * way) / inverseMass - round;
  }
  return raised;
}

/** ω of the orientation that is there, and the inverse inertia in world axes */
function angularVelocity(b: i32): void {
  const q: FloatArray = ptrF(ORIENTATIONS);
  const inverse: FloatArray = ptrF(INVERSE_MOMENTS);
  const inertia: FloatArray = ptrF(INVERSE_INERTIA);
  const momenta: FloatArray = ptrF(MOMENTA);
  const velocities: FloatArray = ptrF(VELOCITIES);
  const x: i32 = 4 * b;
  const w: f64 = q[x];
  const i: f64 = q[x + 1];
  const j: f64 = q[x + 2];
  const k: f64 = q[x + 3];
  const r00: f64 = 1 - 2 * (j * j + k * k);
  const r01: f64 = 2 * (i * j - w * k);
  const r02: f64 = 2 * (i * k + w * j);
  const r10: f64 = 2 * (i * j + w * k);
  const r11: f64 = 1 - 2 * (i * i + k * k);
  const r12: f64 = 2 * (j * k - w * i);
  const r20: f64 = 2 * (i * k - w * j);
  const r21: f64 = 2 * (j * k + w * i);
  const r22: f64 = 1 - 2 * (i * i + j * j);
  const a: f64 = inverse[x];
  const c: f64 = inverse[x + 1];
  const e: f64 = inverse[x + 2];
  const xx: f64 = a * r00 * r00 + c * r01 * r01 + e * r02 * r02;
  const yy: f64 = a * r10 * r10 + c * r11 * r11 + e * r12 * r12;
  const zz: f64 = a * r20 * r20 + c * r21 * r21 + e * r22 * r22;
  const xy: f64 = a * r00 * r10 + c * r01 * r11 + e * r02 * r12;
  const yz: f64 = a * r10 * r20 + c * r11 * r21 + e * r12 * r22;
  const zx: f64 = a * r20 * r00 + c * r21 * r01 + e * r22 * r02;
  const at: i32 = 8 * b;
  inertia[at] = xx;
  inertia[at + 1] = yy;
  inertia[at + 2] = zz;
  inertia[at + 3] = xy;
  inertia[at + 4] = yz;
  inertia[at + 5] = zx;
  const lx: f64 = momenta[x];
  const ly: f64 = momenta[x + 1];
  const lz: f64 = momenta[x + 2];
  velocities[at + 4] = xx * lx + xy * ly + zx * lz;
  velocities[at + 5] = xy * lx + yy * ly + yz * lz;
  velocities[at + 6] = zx * lx + yz * ly + zz * lz;
}

/** q = (1, s ω) (w, i, j, k), normalised */
function turn(b: i32, w: f64, i: f64, j: f64, k: f64, s: f64): void {
  const q: FloatArray = ptrF(ORIENTATIONS);
  const velocities: FloatArray = ptrF(VELOCITIES);
  const x: f64 = s * velocities[8 * b + 4];
  const y: f64 = s * velocities[8 * b + 5];
  const z: f64 = s * velocities[8 * b + 6];
  const qw: f64 = w - x * i - y * j - z * k;
  const qi: f64 = i + x * w + y * k - z * j;
  const qj: f64 = j + y * w + z * i - x * k;
  const qk: f64 = k + z * w + x * j - y * i;
  const length: f64 = Math.sqrt(qw * qw + qi * qi + qj * qj + qk * qk);
  q[4 * b] = qw / length;
  q[4 * b + 1] = qi / length;
  q[4 * b + 2] = qj / length;
  q[4 * b + 3] = qk / length;
}

/** Turns the pieces of a body; returns the greatest squared way of one of their middles since the list was made, m². */
function place(b: i32): f64 {
  const q: FloatArray = ptrF(ORIENTATIONS);
  const positions: FloatArray = ptrF(POSITIONS);
  const firstPiece: IntArray = ptrI(FIRST_PIECE);
  const pieces: IntArray = ptrI(PIECES);
  const localVertices: FloatArray = ptrF(LOCAL_VERTICES);
  const localPlanes: FloatArray = ptrF(LOCAL_PLANES);
  const localSpheres: FloatArray = ptrF(LOCAL_SPHERES);
  const vertices: FloatArray = ptrF(VERTICES);
  const planes: FloatArray = ptrF(PLANES);
  const spheres: FloatArray = ptrF(SPHERES);
  const listed: FloatArray = ptrF(LISTED);
  const at: i32 = 4 * b;
  const w: f64 = q[at];
  const i: f64 = q[at + 1];
  const j: f64 = q[at + 2];
  const k: f64 = q[at + 3];
  const r00: f64 = 1 - 2 * (j * j + k * k);
  const r01: f64 = 2 * (i * j - w * k);
  const r02: f64 = 2 * (i * k + w * j);
  const r10: f64 = 2 * (i * j + w * k);
  const r11: f64 = 1 - 2 * (i * i + k * k);
  const r12: f64 = 2 * (j * k - w * i);
  const r20: f64 = 2 * (i * k - w * j);
  const r21: f64 = 2 * (j * k + w * i);
  const r22: f64 = 1 - 2 * (i * i + j * j);
  let farthest: f64 = 0;
  for (let p: i32 = firstPiece[b]; p < firstPiece[b + 1]; p++) {
    const vertex: i32 = 3 * pieces[8 * p + 2];
    const lastVertex: i32 = vertex + 3 * pieces[8 * p + 3];
    for (let v: i32 = vertex; v < lastVertex; v += 3) {
      const x: f64 = localVertices[v];
      const y: f64 = localVertices[v + 1];
      const z: f64 = localVertices[v + 2];
      vertices[v] = r00 * x + r01 * y + r02 * z;
      vertices[v + 1] = r10 * x + r11 * y + r12 * z;
      vertices[v + 2] = r20 * x + r21 * y + r22 * z;
    }
    const plane: i32 = 4 * pieces[8 * p + 4];
    const lastPlane: i32 = plane + 4 * pieces[8 * p + 5];
    for (let v: i32 = plane; v < lastPlane; v += 4) {
      const x: f64 = localPlanes[v];
      const y: f64 = localPlanes[v + 1];
      const z: f64 = localPlanes[v + 2];
      planes[v] = r00 * x + r01 * y + r02 * z;
      planes[v + 1] = r10 * x + r11 * y + r12 * z;
      planes[v + 2] = r20 * x + r21 * y + r22 * z;
      planes[v + 3] = localPlanes[v + 3];
    }
    const s: i32 = 4 * p;
    const cx: f64 = localSpheres[s];
    const cy: f64 = localSpheres[s + 1];
    const cz: f64 = localSpheres[s + 2];
    const mx: f64 = r00 * cx + r01 * cy + r02 * cz;
    const my: f64 = r10 * cx + r11 * cy + r12 * cz;
    const mz: f64 = r20 * cx + r21 * cy + r22 * cz;
    spheres[s] = mx;
    spheres[s + 1] = my;
    spheres[s + 2] = mz;
    spheres[s + 3] = localSpheres[s + 3];
    const ux: f64 = positions[at] + mx - listed[3 * p];
    const uy: f64 = positions[at + 1] + my - listed[3 * p + 1];
    const uz: f64 = positions[at + 2] + mz - listed[3 * p + 2];
    const way: f64 = ux * ux + uy * uy + uz * uz;
    if (way > farthest) farthest = way;
  }
  // a body that is moved from outside is watched from outside: its middle tells little of its ends
  return ptrF(VELOCITIES)[8 * b + 3] > 0 ? farthest : 0;
}
