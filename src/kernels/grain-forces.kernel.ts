/**
 * Forces of grains on grains and on walls.
 *
 * **Sums are exact.** Every force and torque is rounded to a multiple of a power of two q before it is added: with C = 1.5·2⁵² q,
 * (F + C) − C does it in two additions. Sums of such numbers are exact while |sum| ≤ 2⁵³ q, hence the same in any order: answers do not depend on the
 * number of threads, on how grains are sorted or numbered, on the skin, or on what the lists hold besides contacts.
 *
 * Arrays are those of grain-slots.ts.
 */
import {
  adhesiveRoot,
  contact,
  damper,
  dampingWork,
  fx,
  fy,
  fz,
  mx,
  my,
  mz,
  normalForce,
  recall,
  recallTurns,
  rollingWork,
  rx,
  ry,
  rz,
  slidingWork,
  sx,
  sy,
  sz,
  twist,
  tx,
  ty,
  tz,
} from './grain-law.kernel.js';
import { note } from './grain-records.kernel.js';
import { LAW, RANGE, RESULT, TOUCHED } from './grain-sizes.kernel.js';
import { wallForces } from './grain-walls.kernel.js';
import { pairsByTwo } from './pairs-by-two.js';
import { type FloatArray, type f64, type IntArray, type i32, ptrF, ptrI } from './prelude.js';

const NEARLY: f64 = 0.999999;

/**
 * Forces of the pairs and walls of a thread's rows into its own forces. With counts[10] = 1 nothing is advanced or added: instead every contact is
 * written to slot 46 as the last step left it (i, j or −1 − body, n, depth, N, force on i, point, feature or −1, s·k_t², …), for measuring.
 */
export function grainForces(thread: i32): void {
  const counts: IntArray = ptrI(1);
  const results: FloatArray = ptrF(3);
  const base: i32 = RESULT * thread;
  results[base + 1] = 0; // greatest normal force
  results[base + 2] = 0; // greatest depth in a wall by radius
  results[base + 3] = 0; // pairs that touch
  results[base + 4] = 0; // contacts with walls
  results[base + 5] = -1; // grain deepest in a wall
  results[base + 6] = 0; // greatest depth of a pair by radius
  if (counts[10] === 0) {
    results[base + 7] = 0; // work against damping, sliding, rolling and twisting in this step
    results[base + 14] = 0;
    results[base + 15] = 0;
  }
  if (!pairsByTwo(thread)) pairForces(thread);
  if (counts[9] > 0) wallForces(thread);
}

function pairForces(thread: i32): void {
  const numbers: FloatArray = ptrF(0);
  const counts: IntArray = ptrI(1);
  const ranges: IntArray = ptrI(2);
  const results: FloatArray = ptrF(3);
  const grains: FloatArray = ptrF(4);
  const motion: FloatArray = ptrF(5);
  const kinds: IntArray = ptrI(7);
  const starts: IntArray = ptrI(16);
  const ends: IntArray = ptrI(17);
  const neighbours: IntArray = ptrI(18);
  const history: FloatArray = ptrF(19);
  const forces: FloatArray = ptrF(39);
  const laws: FloatArray = ptrF(40);
  const kindCount: i32 = counts[6];
  const stride: i32 = counts[7];
  const periodic: i32 = counts[8];
  const measure: i32 = counts[10];
  const full: i32 = counts[11];
  const adhesive: i32 = counts[12];
  const first: i32 = ranges[RANGE * thread];
  const end: i32 = ranges[RANGE * thread + 1];
  const h: f64 = measure ? 0 : numbers[0];
  const roundForce: f64 = numbers[6];
  const roundTorque: f64 = numbers[7];
  const px: f64 = numbers[9];
  const py: f64 = numbers[10];
  const pz: f64 = numbers[11];
  const offset: i32 = 8 * counts[5] * thread;
  let strongest: f64 = 0;
  let deepest: f64 = 0;
  let touching: i32 = 0;
  let damped: f64 = 0;
  let slid: f64 = 0;
  let rolled: f64 = 0;

  for (let i: i32 = first; i < end; i++) {
    const xi: f64 = grains[4 * i];
    const yi: f64 = grains[4 * i + 1];
    const zi: f64 = grains[4 * i + 2];
    const ri: f64 = grains[4 * i + 3];
    const rowEnd: i32 = ends[i];
    const lawRow: i32 = kinds[i] * kindCount;
    for (let k: i32 = starts[i]; k < rowEnd; k++) {
      const entry: i32 = neighbours[k];
      const j: i32 = entry & (TOUCHED - 1);
      let dx: f64 = xi - grains[4 * j];
      let dy: f64 = yi - grains[4 * j + 1];
      let dz: f64 = zi - grains[4 * j + 2];
      if (periodic) {
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
      const rj: f64 = grains[4 * j + 3];
      const square: f64 = dx * dx + dy * dy + dz * dz;
      let touch: i32 = square < (ri + rj) * (ri + rj) ? 1 : 0;
      if (adhesive && touch === 0 && (entry & TOUCHED) !== 0) {
        // Adhesion holds until the force law has no contact radius any more
        const c: f64 = laws[LAW * (lawRow + kinds[j]) + 11];
        if (c > 0 && adhesiveRoot((ri * rj) / (ri + rj), ri + rj - Math.sqrt(square), c) > 0) touch = 1;
      }
      if (touch === 0) {
        if ((entry & TOUCHED) !== 0 && measure === 0) {
          // Open: nothing is remembered
          neighbours[k] = j;
          for (let m: i32 = 0; m < stride; m++) history[stride * k + m] = 0;
        }
      } else {
        const distance: f64 = Math.sqrt(square);
        const inverse: f64 = distance > 0 ? 1 / distance : 0;
        const nx: f64 = -dx * inverse;
        const ny: f64 = -dy * inverse;
        const nz: f64 = -dz * inverse;
        const depth: f64 = ri + rj - distance;
        const li: f64 = ri - 0.5 * depth;
        const lj: f64 = rj - 0.5 * depth;
        const vi: i32 = 8 * i;
        const vj: i32 = 8 * j;
        const ax: f64 = li * motion[vi + 4] + lj * motion[vj + 4];
        const ay: f64 = li * motion[vi + 5] + lj * motion[vj + 5];
        const az: f64 = li * motion[vi + 6] + lj * motion[vj + 6];
        const law: i32 = LAW * (lawRow + kinds[j]);
        const at: i32 = stride * k;
        recall(history[at], history[at + 1], history[at + 2], history[at + stride - 1]);
        if (full) recallTurns(history[at + 3], history[at + 4], history[at + 5], history[at + 6]);
        contact(
          laws,
          law,
          full,
          h,
          nx,
          ny,
          nz,
          depth,
          (ri * rj) / (ri + rj),
          motion[vi + 3] + motion[vj + 3],
          motion[vi] - motion[vj] + (ay * nz - az * ny),
          motion[vi + 1] - motion[vj + 1] + (az * nx - ax * nz),
          motion[vi + 2] - motion[vj + 2] + (ax * ny - ay * nx),
          motion[vi + 4] - motion[vj + 4],
          motion[vi + 5] - motion[vj + 5],
          motion[vi + 6] - motion[vj + 6],
        );
        if (measure) note(thread, touching, i, j, nx, ny, nz, depth, xi + li * nx, yi + li * ny, zi + li * nz, -1);
        else {
          if ((entry & TOUCHED) === 0) neighbours[k] = j | TOUCHED;
          history[at] = sx;
          history[at + 1] = sy;
          history[at + 2] = sz;
          history[at + stride - 1] = damper;
          damped += dampingWork + roundTorque - roundTorque;
          slid += slidingWork + roundTorque - roundTorque;
          const gx: f64 = fx + roundForce - roundForce;
          const gy: f64 = fy + roundForce - roundForce;
          const gz: f64 = fz + roundForce - roundForce;
          let cx: f64 = 0;
          let cy: f64 = 0;
          let cz: f64 = 0;
          if (full) {
            history[at + 3] = twist;
            history[at + 4] = rx;
            history[at + 5] = ry;
            history[at + 6] = rz;
            cx = mx + roundTorque - roundTorque;
            cy = my + roundTorque - roundTorque;
            cz = mz + roundTorque - roundTorque;
            rolled += rollingWork + roundTorque - roundTorque;
          }
          const fi: i32 = offset + 8 * i;
          const fj: i32 = offset + 8 * j;
          forces[fi] += gx;
          forces[fi + 1] += gy;
          forces[fi + 2] += gz;
          forces[fi + 3] += li * tx + roundTorque - roundTorque + cx;
          forces[fi + 4] += li * ty + roundTorque - roundTorque + cy;
          forces[fi + 5] += li * tz + roundTorque - roundTorque + cz;
          forces[fj] -= gx;
          forces[fj + 1] -= gy;
          forces[fj + 2] -= gz;
          forces[fj + 3] += lj * tx + roundTorque - roundTorque - cx;
          forces[fj + 4] += lj * ty + roundTorque - roundTorque - cy;
          forces[fj + 5] += lj * tz + roundTorque - roundTorque - cz;
        }
        touching += 1;
        if (!(normalForce <= strongest)) strongest = normalForce;
        const smaller: f64 = ri < rj ? ri : rj;
        // The quotient is told only where it may be the greatest, and then compared itself: the same in any order
        if (depth > NEARLY * (deepest * smaller)) {
          const share: f64 = depth / smaller;
          if (share > deepest) deepest = share;
        }
      }
    }
  }
  const base: i32 = RESULT * thread;
  results[base + 1] = strongest;
  results[base + 3] = touching;
  results[base + 6] = deepest;
  if (measure === 0) {
    results[base + 7] += damped;
    results[base + 14] += slid;
    results[base + 15] += rolled;
  }
}
