/**
 * Forces of walls on grains: the law of grain-law.kernel.ts with R = r, 1/mⱼ the wall's and the lever l = r − δ. Contacts are the local minima of the distance from the centre
 * to the surface, told feature by feature (wall-nearest.kernel.ts); the history lies in the body's frame and follows the nearest point of the last step,
 * whatever feature that was on.
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
import { note, noteShare } from './grain-records.kernel.js';
import { CONTACT, FRESH, LAW, MOST_CONTACTS, RANGE, RESULT, WALL } from './grain-sizes.kernel.js';
import { type FloatArray, type f64, type IntArray, type i32, ptrF, ptrI, wholeOf } from './prelude.js';
import { between, mergeContacts, restX, restY, restZ } from './wall-merging.kernel.js';
import { awayX, awayY, awayZ, hitDistance, hitX, hitY, hitZ, nearestOn } from './wall-nearest.kernel.js';

const NEARLY: f64 = 0.999999;
/**
 * New contacts of a group: point, n, distance, feature, share, force; behind them the old ones that they may continue, the last number of which tells whether one does; then what is between the new ones
 * (wall-merging.kernel.ts), and the law of a share of a contact
 */
const USED: i32 = 15;

export function wallForces(thread: i32): void {
  const numbers: FloatArray = ptrF(0);
  const counts: IntArray = ptrI(1);
  const ranges: IntArray = ptrI(2);
  const results: FloatArray = ptrF(3);
  const grains: FloatArray = ptrF(4);
  const motion: FloatArray = ptrF(5);
  const kinds: IntArray = ptrI(7);
  const walls: FloatArray = ptrF(24);
  const wallInts: IntArray = ptrI(25);
  const wallStarts: IntArray = ptrI(26);
  const wallEnds: IntArray = ptrI(27);
  const groupInts: IntArray = ptrI(28);
  const groups: FloatArray = ptrF(29);
  const candidates: IntArray = ptrI(30);
  const forces: FloatArray = ptrF(39);
  const laws: FloatArray = ptrF(40);
  const wrenches: FloatArray = ptrF(41);
  const scratch: FloatArray = ptrF(42);
  const kindCount: i32 = counts[6];
  const measure: i32 = counts[10];
  const full: i32 = counts[11];
  const adhesive: i32 = counts[12];
  const bodies: i32 = counts[9];
  const h: f64 = measure ? 0 : numbers[0];
  const roundForce: f64 = numbers[6];
  const roundTorque: f64 = numbers[7];
  const roundMoment: f64 = numbers[8];
  const first: i32 = ranges[RANGE * thread];
  const end: i32 = ranges[RANGE * thread + 1];
  const offset: i32 = 8 * counts[5] * thread;
  const fresh: i32 = ((2 * FRESH + CONTACT) * MOST_CONTACTS + LAW) * thread;
  const past: i32 = fresh + FRESH * MOST_CONTACTS;
  const passes: i32 = past + CONTACT * MOST_CONTACTS;
  const sharedLaw: i32 = passes + FRESH * MOST_CONTACTS;
  const base: i32 = RESULT * thread;
  let strongest: f64 = results[base + 1];
  let deepest: f64 = 0;
  let deepGrain: i32 = -1;
  let touching: i32 = 0;
  let damped: f64 = 0;
  let slid: f64 = 0;
  let rolled: f64 = 0;
  let noted: i32 = wholeOf(results[base + 3]);
  if (measure === 0) for (let k: i32 = 0; k < 8 * bodies; k++) wrenches[8 * bodies * thread + k] = 0;

  for (let i: i32 = first; i < end; i++)
    for (let g: i32 = wallStarts[i]; g < wallEnds[i]; g++) {
      const b: i32 = groupInts[4 * g];
      const w: i32 = WALL * b;
      const radius: f64 = grains[4 * i + 3];
      const x: f64 = grains[4 * i];
      const y: f64 = grains[4 * i + 1];
      const z: f64 = grains[4 * i + 2];
      const px: f64 = x - walls[w + 9];
      const py: f64 = y - walls[w + 10];
      const pz: f64 = z - walls[w + 11];
      const cx: f64 = walls[w] * px + walls[w + 3] * py + walls[w + 6] * pz;
      const cy: f64 = walls[w + 1] * px + walls[w + 4] * py + walls[w + 7] * pz;
      const cz: f64 = walls[w + 2] * px + walls[w + 5] * py + walls[w + 8] * pz;
      const law: i32 = LAW * (kinds[i] * kindCount + wallInts[16 * b + 6]);
      const old: i32 = groupInts[4 * g + 3];
      let reach: f64 = radius;
      if (adhesive && old > 0) reach += numbers[22];

      // Local minima of the distance
      let count: i32 = 0;
      for (let k: i32 = groupInts[4 * g + 1]; k < groupInts[4 * g + 2]; k++)
        if (count < MOST_CONTACTS && nearestOn(candidates[k], cx, cy, cz, reach)) {
          let twice: i32 = 0;
          for (let m: i32 = 0; m < count; m++) {
            const o: i32 = fresh + FRESH * m;
            const ex: f64 = scratch[o] - hitX;
            const ey: f64 = scratch[o + 1] - hitY;
            const ez: f64 = scratch[o + 2] - hitZ;
            if (ex * ex + ey * ey + ez * ez < 1e-14 * radius * radius) twice = 1;
          }
          if (twice === 0) {
            const o: i32 = fresh + FRESH * count;
            scratch[o] = hitX;
            scratch[o + 1] = hitY;
            scratch[o + 2] = hitZ;
            scratch[o + 3] = awayX;
            scratch[o + 4] = awayY;
            scratch[o + 5] = awayZ;
            scratch[o + 6] = hitDistance;
            scratch[o + 7] = candidates[k];
            count += 1;
          }
        }

      // Those of a hollow surface are born and die beside each other
      const kind: f64 = full ? laws[law + 8] : 0;
      let merged: i32 = 0;
      if (count > 0 && kind !== 2)
        merged = mergeContacts(
          groupInts[4 * g + 1],
          groupInts[4 * g + 2],
          fresh,
          count,
          passes,
          cx,
          cy,
          cz,
          radius,
          kind === 1 ? 1 : 0,
        );
      let whole: f64 = 0;
      if (merged === 1) {
        whole = kind === 1 ? laws[law + 9] : 0.6666666666666666 * laws[law] * Math.sqrt(radius);
        for (let k: i32 = 0; k < LAW; k++) scratch[sharedLaw + k] = laws[law + k];
      }

      // What they continue: the unmatched old contact whose point is nearest, within 0.3 r
      const own: i32 = CONTACT * groupInts[4 * g + 1];
      for (let k: i32 = 0; k < CONTACT * old; k++) scratch[past + k] = groups[own + k];
      for (let p: i32 = 0; p < old; p++) scratch[past + CONTACT * p + USED] = 0;
      let kept: i32 = 0;
      for (let m: i32 = 0; m < count; m++) {
        const o: i32 = fresh + FRESH * m;
        let best: i32 = -1;
        let nearest: f64 = 0.09 * radius * radius;
        for (let p: i32 = 0; p < old; p++)
          if (scratch[past + CONTACT * p + USED] === 0) {
            const q: i32 = past + CONTACT * p;
            const ex: f64 = scratch[q + 3] - scratch[o];
            const ey: f64 = scratch[q + 4] - scratch[o + 1];
            const ez: f64 = scratch[q + 5] - scratch[o + 2];
            const way: f64 = ex * ex + ey * ey + ez * ez;
            if (way < nearest) {
              nearest = way;
              best = p;
            }
          }
        const depth: f64 = radius - scratch[o + 6];
        let holds: i32 = depth > 0 ? 1 : 0;
        if (holds === 0 && best >= 0) {
          const c: f64 = laws[law + 11];
          if (c > 0 && adhesiveRoot(radius, depth, c) > 0) holds = 1;
        }
        if (holds === 1) {
          recall(0, 0, 0, 0);
          recallTurns(0, 0, 0, 0);
          if (best >= 0) {
            const q: i32 = past + CONTACT * best;
            scratch[q + USED] = 1;
            // Out of the body's frame
            recall(
              walls[w] * scratch[q] + walls[w + 1] * scratch[q + 1] + walls[w + 2] * scratch[q + 2],
              walls[w + 3] * scratch[q] + walls[w + 4] * scratch[q + 1] + walls[w + 5] * scratch[q + 2],
              walls[w + 6] * scratch[q] + walls[w + 7] * scratch[q + 1] + walls[w + 8] * scratch[q + 2],
              scratch[q + 10],
            );
            if (full)
              recallTurns(
                scratch[q + 6],
                walls[w] * scratch[q + 7] + walls[w + 1] * scratch[q + 8] + walls[w + 2] * scratch[q + 9],
                walls[w + 3] * scratch[q + 7] + walls[w + 4] * scratch[q + 8] + walls[w + 5] * scratch[q + 9],
                walls[w + 6] * scratch[q + 7] + walls[w + 7] * scratch[q + 8] + walls[w + 8] * scratch[q + 9],
              );
          }
          const nx: f64 = walls[w] * scratch[o + 3] + walls[w + 1] * scratch[o + 4] + walls[w + 2] * scratch[o + 5];
          const ny: f64 = walls[w + 3] * scratch[o + 3] + walls[w + 4] * scratch[o + 4] + walls[w + 5] * scratch[o + 5];
          const nz: f64 = walls[w + 6] * scratch[o + 3] + walls[w + 7] * scratch[o + 4] + walls[w + 8] * scratch[o + 5];
          const lever: f64 = radius - depth;
          const qx: f64 = x + lever * nx;
          const qy: f64 = y + lever * ny;
          const qz: f64 = z + lever * nz;
          // Velocity of the wall there
          const ax: f64 = qx - walls[w + 9];
          const ay: f64 = qy - walls[w + 10];
          const az: f64 = qz - walls[w + 11];
          const wx: f64 = walls[w + 15];
          const wy: f64 = walls[w + 16];
          const wz: f64 = walls[w + 17];
          const v: i32 = 8 * i;
          const lx: f64 = lever * motion[v + 4];
          const ly: f64 = lever * motion[v + 5];
          const lz: f64 = lever * motion[v + 6];
          let share: f64 = 1;
          let lawsOfIt: FloatArray = laws;
          let place: i32 = law;
          if (merged === 1) {
            // A share of the contact has a share of its stiffness
            share = scratch[o + 8];
            lawsOfIt = scratch;
            place = sharedLaw;
            scratch[place] = share * laws[law];
            scratch[place + 1] = share * laws[law + 1];
            scratch[place + 7] = share * laws[law + 7];
            scratch[place + 9] = share * laws[law + 9];
            scratch[place + 10] = share * laws[law + 10];
          }
          contact(
            lawsOfIt,
            place,
            full,
            h,
            nx,
            ny,
            nz,
            depth,
            radius,
            motion[v + 3] + walls[w + 27],
            motion[v] - (walls[w + 12] + (wy * az - wz * ay)) + (ly * nz - lz * ny),
            motion[v + 1] - (walls[w + 13] + (wz * ax - wx * az)) + (lz * nx - lx * nz),
            motion[v + 2] - (walls[w + 14] + (wx * ay - wy * ax)) + (lx * ny - ly * nx),
            motion[v + 4] - wx,
            motion[v + 5] - wy,
            motion[v + 6] - wz,
          );
          if (measure) {
            note(thread, noted, i, -1 - b, nx, ny, nz, depth, qx, qy, qz, wholeOf(scratch[o + 7]));
            if (merged === 1)
              noteShare(thread, noted, share, kept === 0 ? whole * between * (kind === 1 ? 0.5 : 0.4) : 0);
            noted += 1;
          } else {
            const at: i32 = own + CONTACT * kept;
            groups[at] = walls[w] * sx + walls[w + 3] * sy + walls[w + 6] * sz;
            groups[at + 1] = walls[w + 1] * sx + walls[w + 4] * sy + walls[w + 7] * sz;
            groups[at + 2] = walls[w + 2] * sx + walls[w + 5] * sy + walls[w + 8] * sz;
            groups[at + 3] = scratch[o];
            groups[at + 4] = scratch[o + 1];
            groups[at + 5] = scratch[o + 2];
            groups[at + 6] = twist;
            groups[at + 7] = walls[w] * rx + walls[w + 3] * ry + walls[w + 6] * rz;
            groups[at + 8] = walls[w + 1] * rx + walls[w + 4] * ry + walls[w + 7] * rz;
            groups[at + 9] = walls[w + 2] * rx + walls[w + 5] * ry + walls[w + 8] * rz;
            groups[at + 10] = damper;
            damped += dampingWork + roundTorque - roundTorque;
            slid += slidingWork + roundTorque - roundTorque;
            const gx: f64 = fx + roundForce - roundForce;
            const gy: f64 = fy + roundForce - roundForce;
            const gz: f64 = fz + roundForce - roundForce;
            let ox: f64 = 0;
            let oy: f64 = 0;
            let oz: f64 = 0;
            if (full) {
              ox = mx + roundTorque - roundTorque;
              oy = my + roundTorque - roundTorque;
              oz = mz + roundTorque - roundTorque;
              rolled += rollingWork + roundTorque - roundTorque;
            }
            const f: i32 = offset + 8 * i;
            forces[f] += gx;
            forces[f + 1] += gy;
            forces[f + 2] += gz;
            forces[f + 3] += lever * tx + roundTorque - roundTorque + ox;
            forces[f + 4] += lever * ty + roundTorque - roundTorque + oy;
            forces[f + 5] += lever * tz + roundTorque - roundTorque + oz;
            // On the body: the opposite, moment about the origin of the world
            const r: i32 = 8 * (bodies * thread + b);
            wrenches[r] -= gx;
            wrenches[r + 1] -= gy;
            wrenches[r + 2] -= gz;
            wrenches[r + 3] -= qy * gz - qz * gy + ox + roundMoment - roundMoment;
            wrenches[r + 4] -= qz * gx - qx * gz + oy + roundMoment - roundMoment;
            wrenches[r + 5] -= qx * gy - qy * gx + oz + roundMoment - roundMoment;
          }
          kept += 1;
          touching += 1;
          if (!(normalForce <= strongest)) strongest = normalForce;
          if (depth > NEARLY * (deepest * radius)) {
            const share: f64 = depth / radius;
            if (share > deepest) {
              deepest = share;
              deepGrain = i;
            }
          }
        }
      }
      if (measure === 0) {
        groupInts[4 * g + 3] = kept;
        if (merged === 1) {
          // Through the centre
          const ex: f64 = walls[w] * restX + walls[w + 1] * restY + walls[w + 2] * restZ;
          const ey: f64 = walls[w + 3] * restX + walls[w + 4] * restY + walls[w + 5] * restZ;
          const ez: f64 = walls[w + 6] * restX + walls[w + 7] * restY + walls[w + 8] * restZ;
          const gx: f64 = whole * ex + roundForce - roundForce;
          const gy: f64 = whole * ey + roundForce - roundForce;
          const gz: f64 = whole * ez + roundForce - roundForce;
          const f: i32 = offset + 8 * i;
          forces[f] += gx;
          forces[f + 1] += gy;
          forces[f + 2] += gz;
          const r: i32 = 8 * (bodies * thread + b);
          wrenches[r] -= gx;
          wrenches[r + 1] -= gy;
          wrenches[r + 2] -= gz;
          wrenches[r + 3] -= y * gz - z * gy + roundMoment - roundMoment;
          wrenches[r + 4] -= z * gx - x * gz + roundMoment - roundMoment;
          wrenches[r + 5] -= x * gy - y * gx + roundMoment - roundMoment;
        }
      }
    }
  results[base + 1] = strongest;
  results[base + 2] = deepest;
  results[base + 4] = touching;
  results[base + 5] = deepGrain;
  if (measure === 0) {
    results[base + 7] += damped;
    results[base + 14] += slid;
    results[base + 15] += rolled;
  }
}
