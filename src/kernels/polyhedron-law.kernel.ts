/**
 * The force of a contact of rigid grains, once its normal, its point, its elastic force and its stiffnesses are known.
 *
 * **Friction**: bristle s and twist ψ, springs with dampers behind a Coulomb slider:
 *   W = k_t s + c_t u_t, |W| ≤ µN;   T = k_ψ ψ + c_ψ ω_n, |T| ≤ µ N ρ
 *   bed: k_t = 0.8 K|S|, k_ψ = k_t |S|/2π, ρ = ⅔ √(|S|/π) (even pressure on a disc of that area);  Hertz: k_t = 8 G* a, k_ψ = k_t a², ρ = 3π/16 a
 *
 * **Cohesion** c, Pa: a pull c A on the area of contact, as in the SJKR law of balls; A = |S| of polyhedra, π a² of balls. Both areas are dV/dδ, so the pull has the potential −c V. It opposes N
 * along the normal and does not change the limit of friction, µN with N of the springs.
 *
 * **Book of energy**: in a leapfrog step from n − 1 to n a force does the work ½(F_{n−1} + F_n)·u h, u the velocity between. Damping takes that of N − F, friction that of W and T, of which
 * bristles hold ½ k_t s² + ½ k_ψ ψ². Overlaps hold U; in a half-space exactly K V z, z the depth of the centroid, for springs side by side hold ½ K ∫ d² dA. Between polyhedra the bed
 * has no potential where the faces that touch change, and U is that of the form it has now.
 *
 * **Exact sums**: (F + C) − C with C = 1.5·2⁵² q rounds to multiples of q; sums of those are exact in any order while they stay below 2⁵³ q.
 */
import { FORCES, INVERSE_INERTIA, MOBILITIES, VELOCITIES } from './polyhedron-motion.kernel.js';
import { WORK } from './polyhedron-overlap.kernel.js';
import {
  HISTORY,
  LAWS,
  REPORT,
  REPORT_BRISTLES,
  REPORT_DAMPED,
  REPORT_ELASTIC,
  REPORT_FORCE,
  REPORT_FORCE_GRID,
  REPORT_SLID,
  REPORT_TORQUE,
  REPORT_TORQUE_GRID,
  REPORT_WALL_GRID,
} from './polyhedron-report.kernel.js';
import { type FloatArray, type f64, type i32, ptrF } from './prelude.js';

/** The force of one contact from its geometry, the velocities and the history; added to both bodies. Writes N and W to `out` in WORK. */
export function press(
  bodyA: i32,
  bodyB: i32,
  sign: f64,
  dx: f64,
  dy: f64,
  dz: f64,
  nx: f64,
  ny: f64,
  nz: f64,
  rx: f64,
  ry: f64,
  rz: f64,
  elastic: f64,
  energy2: f64,
  held: f64,
  tangential: f64,
  twisting: f64,
  twistRadius: f64,
  pull: f64,
  dampingRatio: f64,
  law: i32,
  h: i32,
  step: f64,
  offset: i32,
  report: i32,
  out: i32,
): void {
  const velocities: FloatArray = ptrF(VELOCITIES);
  const inertia: FloatArray = ptrF(INVERSE_INERTIA);
  const history: FloatArray = ptrF(HISTORY);
  const laws: FloatArray = ptrF(LAWS);
  const reports: FloatArray = ptrF(REPORT);
  const forces: FloatArray = ptrF(FORCES);
  const work: FloatArray = ptrF(WORK);
  const i: i32 = 8 * bodyA;
  const j: i32 = 8 * bodyB;

  // Relative velocity of the material points, and the mobility along n
  const qx: f64 = rx - dx;
  const qy: f64 = ry - dy;
  const qz: f64 = rz - dz;
  const wax: f64 = velocities[i + 4];
  const way: f64 = velocities[i + 5];
  const waz: f64 = velocities[i + 6];
  const wbx: f64 = velocities[j + 4];
  const wby: f64 = velocities[j + 5];
  const wbz: f64 = velocities[j + 6];
  const ux: f64 = velocities[i] + (way * rz - waz * ry) - velocities[j] - (wby * qz - wbz * qy);
  const uy: f64 = velocities[i + 1] + (waz * rx - wax * rz) - velocities[j + 1] - (wbz * qx - wbx * qz);
  const uz: f64 = velocities[i + 2] + (wax * ry - way * rx) - velocities[j + 2] - (wbx * qy - wby * qx);
  const speed: f64 = ux * nx + uy * ny + uz * nz;
  // A part of a machine is told where to be, and gives way all the same
  const central: f64 = velocities[i + 3] + velocities[j + 3] + (velocities[i + 7] + velocities[j + 7]);
  let mobility: f64 =
    velocities[i + 3] +
    velocities[j + 3] +
    quadratic(inertia, i, ry * nz - rz * ny, rz * nx - rx * nz, rx * ny - ry * nx) +
    quadratic(inertia, j, qy * nz - qz * ny, qz * nx - qx * nz, qx * ny - qy * nx);
  if (velocities[i + 7] > 0) mobility += givingWay(bodyA, nx, ny, nz, rx, ry, rz);
  if (velocities[j + 7] > 0) mobility += givingWay(bodyB, nx, ny, nz, qx, qy, qz);

  // Normal
  const estimate: f64 = Math.sqrt(speed * speed + energy2 * mobility);
  let factor: f64 = estimate > 0 ? 1 + (laws[law + 1] * speed) / estimate : 1;
  if (factor < 0) factor = 0;
  const normal: f64 = elastic * factor;
  const limit: f64 = laws[law + 2] * normal;

  // Bristle
  const tx: f64 = ux - speed * nx;
  const ty: f64 = uy - speed * ny;
  const tz: f64 = uz - speed * nz;
  let sx: f64 = sign * history[h];
  let sy: f64 = sign * history[h + 1];
  let sz: f64 = sign * history[h + 2];
  const along: f64 = sx * nx + sy * ny + sz * nz;
  sx = sx - along * nx + tx * step;
  sy = sy - along * ny + ty * step;
  sz = sz - along * nz + tz * step;
  const damping: f64 = 2 * dampingRatio * Math.sqrt(tangential / central);
  let wx: f64 = tangential * sx + damping * tx;
  let wy: f64 = tangential * sy + damping * ty;
  let wz: f64 = tangential * sz + damping * tz;
  const size: f64 = Math.sqrt(wx * wx + wy * wy + wz * wz);
  if (size > limit) {
    const share: f64 = limit / size;
    wx *= share;
    wy *= share;
    wz *= share;
    sx = (wx - damping * tx) / tangential;
    sy = (wy - damping * ty) / tangential;
    sz = (wz - damping * tz) / tangential;
  }

  // Twist
  const spin: f64 = (wax - wbx) * nx + (way - wby) * ny + (waz - wbz) * nz;
  let angle: f64 = history[h + 3] + spin * step;
  const turning: f64 = quadratic(inertia, i, nx, ny, nz) + quadratic(inertia, j, nx, ny, nz);
  const twistDamping: f64 = turning > 0 ? 2 * dampingRatio * Math.sqrt(twisting / turning) : 0;
  let torque: f64 = twisting * angle + twistDamping * spin;
  const most: f64 = limit * twistRadius;
  if (torque > most) {
    torque = most;
    angle = (torque - twistDamping * spin) / twisting;
  } else if (torque < -most) {
    torque = -most;
    angle = (torque - twistDamping * spin) / twisting;
  }

  // Work of this step, with the forces of the last one; energies in the contact
  const e: f64 = reports[report + REPORT_TORQUE_GRID];
  const resisting: f64 = normal - elastic;
  reports[report + REPORT_DAMPED] += 0.5 * (history[h + 8] + resisting) * speed * step + e - e;
  reports[report + REPORT_SLID] +=
    0.5 *
      ((sign * history[h + 9] + wx) * tx +
        (sign * history[h + 10] + wy) * ty +
        (sign * history[h + 11] + wz) * tz +
        (history[h + 12] + torque) * spin) *
      step +
    e -
    e;
  reports[report + REPORT_ELASTIC] += held + e - e;
  reports[report + REPORT_BRISTLES] +=
    0.5 * (tangential * (sx * sx + sy * sy + sz * sz) + twisting * angle * angle) + e - e;
  history[h + 8] = resisting;
  history[h + 9] = sign * wx;
  history[h + 10] = sign * wy;
  history[h + 11] = sign * wz;
  history[h + 12] = torque;

  history[h] = sign * sx;
  history[h + 1] = sign * sy;
  history[h + 2] = sign * sz;
  history[h + 3] = angle;
  history[h + 4] = sign * nx;
  history[h + 5] = sign * ny;
  history[h + 6] = sign * nz;
  history[h + 7] = 1;
  const net: f64 = normal - pull; // what is left of it after cohesion
  work[out] = net;
  work[out + 1] = wx;
  work[out + 2] = wy;
  work[out + 3] = wz;

  // On the grid, and to both
  const c: f64 = reports[report + REPORT_FORCE_GRID];
  const fx: f64 = c - (net * nx + wx) - c;
  const fy: f64 = c - (net * ny + wy) - c;
  const fz: f64 = c - (net * nz + wz) - c;
  const t: f64 = reports[report + (velocities[i + 3] > 0 ? REPORT_TORQUE_GRID : REPORT_WALL_GRID)];
  const max: f64 = ry * fz - rz * fy - torque * nx + t - t;
  const may: f64 = rz * fx - rx * fz - torque * ny + t - t;
  const maz: f64 = rx * fy - ry * fx - torque * nz + t - t;
  const u: f64 = reports[report + (velocities[j + 3] > 0 ? REPORT_TORQUE_GRID : REPORT_WALL_GRID)];
  const mbx: f64 = torque * nx - (qy * fz - qz * fy) + u - u;
  const mby: f64 = torque * ny - (qz * fx - qx * fz) + u - u;
  const mbz: f64 = torque * nz - (qx * fy - qy * fx) + u - u;
  const f: i32 = offset + i;
  forces[f] += fx;
  forces[f + 1] += fy;
  forces[f + 2] += fz;
  forces[f + 3] += max;
  forces[f + 4] += may;
  forces[f + 5] += maz;
  const g: i32 = offset + j;
  forces[g] -= fx;
  forces[g + 1] -= fy;
  forces[g + 2] -= fz;
  forces[g + 3] += mbx;
  forces[g + 4] += mby;
  forces[g + 5] += mbz;
  reports[report + REPORT_FORCE] = greatest(reports[report + REPORT_FORCE], fx, fy, fz);
  // a grain's lever is no longer than its radius; a wall's may be
  if (!(velocities[j + 3] > 0))
    reports[report + REPORT_TORQUE] = greatest(reports[report + REPORT_TORQUE], mbx, mby, mbz);
  if (!(velocities[i + 3] > 0))
    reports[report + REPORT_TORQUE] = greatest(reports[report + REPORT_TORQUE], max, may, maz);
}

/** jᵀ W j of a part of a machine, j = (n, r × n): how fast the point r from its origin yields along n, 1/kg */
function givingWay(body: i32, nx: f64, ny: f64, nz: f64, rx: f64, ry: f64, rz: f64): f64 {
  const m: FloatArray = ptrF(MOBILITIES);
  const tx: f64 = ry * nz - rz * ny;
  const ty: f64 = rz * nx - rx * nz;
  const tz: f64 = rx * ny - ry * nx;
  let sum: f64 = 0;
  for (let k: i32 = 0; k < 6; k++) {
    const at: i32 = 36 * body + 6 * k;
    const rate: f64 = m[at] * nx + m[at + 1] * ny + m[at + 2] * nz + (m[at + 3] * tx + m[at + 4] * ty + m[at + 5] * tz);
    const own: f64 = k === 0 ? nx : k === 1 ? ny : k === 2 ? nz : k === 3 ? tx : k === 4 ? ty : tz;
    sum += own * rate;
  }
  return sum > 0 ? sum : 0;
}

/** vᵀ J v of the body whose inverse inertia starts at `at` */
function quadratic(inertia: FloatArray, at: i32, x: f64, y: f64, z: f64): f64 {
  return (
    x * (inertia[at] * x + 2 * inertia[at + 3] * y) +
    y * (inertia[at + 1] * y + 2 * inertia[at + 4] * z) +
    z * (inertia[at + 2] * z + 2 * inertia[at + 5] * x)
  );
}

function greatest(least: f64, x: f64, y: f64, z: f64): f64 {
  let most: f64 = least;
  if (Math.abs(x) > most) most = Math.abs(x);
  if (Math.abs(y) > most) most = Math.abs(y);
  if (Math.abs(z) > most) most = Math.abs(z);
  return most;
}
