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
import {
  CONTACT,
  FRESH,
  HELD,
  HELD_AT,
  LAW,
  MOST_CONTACTS,
  RANGE,
  RESULT,
  SCRATCH,
  WAITING,
  WALL,
} from './grain-sizes.kernel.js';
import { type FloatArray, type f64, type IntArray, type i32, ptrF, ptrI, wholeOf } from './prelude.js';
import { between, mergeContacts, restX, restY, restZ } from './wall-merging.kernel.js';
import { awayX, awayY, awayZ, hitDistance, hitX, hitY, hitZ, nearestOn } from './wall-nearest.kernel.js';
import { wallsByTwo } from './walls-by-two.js';

const NEARLY: f64 = 0.999999;
/**
 * New contacts of a group: point, n, distance, feature, share, force; behind them the old ones that they may continue, the last number of which tells whether one does; then what is between the new ones
 * (wall-merging.kernel.ts), the law of a share of a contact, and the contacts that wait
 */
const USED: i32 = 15;

/** Contacts of the groups of a thread's rows are sought first and wait in a list; whenever it is full, their forces are found. */
export function wallForces(thread: i32): void {
  const counts: IntArray = ptrI(1);
  const ranges: IntArray = ptrI(2);
  const results: FloatArray = ptrF(3);
  const wallStarts: IntArray = ptrI(26);
  const wallEnds: IntArray = ptrI(27);
  const wrenches: FloatArray = ptrF(41);
  const bodies: i32 = counts[9];
  const first: i32 = ranges[RANGE * thread];
  const end: i32 = ranges[RANGE * thread + 1];
  if (counts[10] === 0) for (let k: i32 = 0; k < 8 * bodies; k++) wrenches[8 * bodies * thread + k] = 0;
  waiting = 0;
  noted = wholeOf(results[RESULT * thread + 3]);
  for (let t: i32 = 0; t < counts[1]; t++) {
    const from: i32 = first > ranges[RANGE * t + 2] ? first : ranges[RANGE * t + 2];
    const to: i32 = end < ranges[RANGE * t + 3] ? end : ranges[RANGE * t + 3];
    if (from < to) seek(thread, wallStarts[from], wallEnds[to - 1]);
  }
  press(thread, 1);
}

// Contacts that wait, and those that are written down when measuring
let waiting: i32 = 0;
let noted: i32 = 0;

/** Where the grains of the groups `from` … `to` touch, and which contacts of the last step these continue */
function seek(thread: i32, from: i32, to: i32): void {
  const numbers: FloatArray = ptrF(0);
  const counts: IntArray = ptrI(1);
  const results: FloatArray = ptrF(3);
  const grains: FloatArray = ptrF(4);
  const kinds: IntArray = ptrI(7);
  const walls: FloatArray = ptrF(24);
  const wallInts: IntArray = ptrI(25);
  const groupInts: IntArray = ptrI(28);
  const groupOwners: IntArray = ptrI(47);
  const groups: FloatArray = ptrF(29);
  const candidates: IntArray = ptrI(30);
  const laws: FloatArray = ptrF(40);
  const scratch: FloatArray = ptrF(42);
  const kindCount: i32 = counts[6];
  const measure: i32 = counts[10];
  const full: i32 = counts[11];
  const adhesive: i32 = counts[12];
  const fresh: i32 = SCRATCH * thread;
  const past: i32 = fresh + FRESH * MOST_CONTACTS;
  const passes: i32 = past + CONTACT * MOST_CONTACTS;
  const list: i32 = fresh + HELD_AT;
  const base: i32 = RESULT * thread;
  let deepest: f64 = results[base + 2];
  let touching: f64 = results[base + 4];

  for (let g: i32 = from; g < to; g++) {
    const i: i32 = groupOwners[g];
    const b: i32 = groupInts[4 * g];
    const w: i32 = WALL * b;
    const radius: f64 = grains[4 * i + 3];
    const px: f64 = grains[4 * i] - walls[w + 9];
    const py: f64 = grains[4 * i + 1] - walls[w + 10];
    const pz: f64 = grains[4 * i + 2] - walls[w + 11];
    const cx: f64 = walls[w] * px + walls[w + 3] * py + walls[w + 6] * pz;
    const cy: f64 = walls[w + 1] * px + walls[w + 4] * py + walls[w + 7] * pz;
    const cz: f64 = walls[w + 2] * px + walls[w + 5] * py + walls[w + 8] * pz;
    const firstCandidate: i32 = groupInts[4 * g + 1];
    const endCandidate: i32 = groupInts[4 * g + 2];
    const old: i32 = groupInts[4 * g + 3];
    let reach: f64 = radius;
    if (adhesive && old > 0) reach += numbers[22];

    // Local minima of the distance
    let count: i32 = 0;
    for (let k: i32 = firstCandidate; k < endCandidate; k++)
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
    const law: i32 = LAW * (kinds[i] * kindCount + wallInts[16 * b + 6]);
    const kind: f64 = full ? laws[law + 8] : 0;
    let merged: i32 = 0;
    let whole: f64 = 0;
    if (count > 0 && kind !== 2)
      merged = mergeContacts(
        firstCandidate,
        endCandidate,
        fresh,
        count,
        passes,
        cx,
        cy,
        cz,
        radius,
        kind === 1 ? 1 : 0,
      );
    if (merged) {
      whole = kind === 1 ? laws[law + 9] : 0.6666666666666666 * laws[law] * Math.sqrt(radius);
      press(thread, 1);
    }

    // Old contacts are put aside where new ones could be written over them before they are asked
    const own: i32 = CONTACT * firstCandidate;
    const aside: i32 = old > 1 || count > 1 || measure ? 1 : 0;
    if (aside) for (let k: i32 = 0; k < CONTACT * old; k++) scratch[past + k] = groups[own + k];
    const memory: FloatArray = aside ? scratch : groups;
    const memories: i32 = aside ? past : own;
    if (aside) for (let p: i32 = 0; p < old; p++) memory[memories + CONTACT * p + USED] = 0;

    // What they continue: the unmatched old contact whose point is nearest, within 0.3 r
    let kept: i32 = 0;
    for (let m: i32 = 0; m < count; m++) {
      const o: i32 = fresh + FRESH * m;
      let best: i32 = -1;
      let nearest: f64 = 0.09 * radius * radius;
      for (let p: i32 = 0; p < old; p++)
        if (aside === 0 || memory[memories + CONTACT * p + USED] === 0) {
          const q: i32 = memories + CONTACT * p;
          const ex: f64 = memory[q + 3] - scratch[o];
          const ey: f64 = memory[q + 4] - scratch[o + 1];
          const ez: f64 = memory[q + 5] - scratch[o + 2];
          const way: f64 = ex * ex + ey * ey + ez * ez;
          if (way < nearest) {
            nearest = way;
            best = q;
          }
        }
      const depth: f64 = radius - scratch[o + 6];
      let holds: i32 = depth > 0 ? 1 : 0;
      if (holds === 0 && best >= 0) {
        const c: f64 = laws[law + 11];
        if (c > 0 && adhesiveRoot(radius, depth, c) > 0) holds = 1;
      }
      if (holds === 1) {
        // As it was remembered, at the new point; forces change it. When measuring, what is remembered is only read.
        const at: i32 = measure ? best : own + CONTACT * kept;
        if (best >= 0) {
          if (aside) memory[best + USED] = 1;
          if (measure === 0) {
            groups[at] = memory[best];
            groups[at + 1] = memory[best + 1];
            groups[at + 2] = memory[best + 2];
            groups[at + 6] = memory[best + 6];
            groups[at + 7] = memory[best + 7];
            groups[at + 8] = memory[best + 8];
            groups[at + 9] = memory[best + 9];
            groups[at + 10] = memory[best + 10];
          }
        } else if (measure === 0) {
          groups[at] = 0;
          groups[at + 1] = 0;
          groups[at + 2] = 0;
          groups[at + 6] = 0;
          groups[at + 7] = 0;
          groups[at + 8] = 0;
          groups[at + 9] = 0;
          groups[at + 10] = 0;
        }
        if (measure === 0) {
          groups[at + 3] = scratch[o];
          groups[at + 4] = scratch[o + 1];
          groups[at + 5] = scratch[o + 2];
        }
        const nx: f64 = scratch[o + 3];
        const ny: f64 = scratch[o + 4];
        const nz: f64 = scratch[o + 5];
        const to: i32 = list + HELD * waiting;
        scratch[to] = i;
        scratch[to + 1] = b;
        scratch[to + 2] = at;
        scratch[to + 3] = walls[w] * nx + walls[w + 1] * ny + walls[w + 2] * nz;
        scratch[to + 4] = walls[w + 3] * nx + walls[w + 4] * ny + walls[w + 5] * nz;
        scratch[to + 5] = walls[w + 6] * nx + walls[w + 7] * ny + walls[w + 8] * nz;
        scratch[to + 6] = depth;
        scratch[to + 7] = law;
        scratch[to + 8] = scratch[o + 7];
        scratch[to + 9] = merged ? scratch[o + 8] : -1;
        scratch[to + 10] = merged && kept === 0 ? whole * between * (kind === 1 ? 0.5 : 0.4) : 0;
        waiting += 1;
        kept += 1;
        touching += 1;
        if (depth > NEARLY * (deepest * radius)) {
          const share: f64 = depth / radius;
          if (share > deepest) {
            deepest = share;
            results[base + 5] = i;
          }
        }
        if (measure || waiting === WAITING) press(thread, merged ? 0 : 1);
      }
    }
    if (merged) press(thread, 0);
    if (measure === 0) {
      groupInts[4 * g + 3] = kept;
      if (merged) pressBetween(thread, i, b, whole);
    }
  }
  results[base + 2] = deepest;
  results[base + 4] = touching;
}

/** Forces of the contacts that wait. @param lanes whether two at a time will do: a share of a contact has a law of its own */
function press(thread: i32, lanes: i32): void {
  const held: i32 = waiting;
  waiting = 0;
  if (lanes && wallsByTwo(thread, held)) return;
  const numbers: FloatArray = ptrF(0);
  const counts: IntArray = ptrI(1);
  const results: FloatArray = ptrF(3);
  const grains: FloatArray = ptrF(4);
  const motion: FloatArray = ptrF(5);
  const walls: FloatArray = ptrF(24);
  const groups: FloatArray = ptrF(29);
  const forces: FloatArray = ptrF(39);
  const laws: FloatArray = ptrF(40);
  const wrenches: FloatArray = ptrF(41);
  const scratch: FloatArray = ptrF(42);
  const measure: i32 = counts[10];
  const full: i32 = counts[11];
  const bodies: i32 = counts[9];
  const h: f64 = measure ? 0 : numbers[0];
  const roundForce: f64 = numbers[6];
  const roundTorque: f64 = numbers[7];
  const roundMoment: f64 = numbers[8];
  const offset: i32 = 8 * counts[5] * thread;
  const list: i32 = SCRATCH * thread + HELD_AT;
  const sharedLaw: i32 = list - LAW;
  const memory: FloatArray = measure ? scratch : groups;
  const base: i32 = RESULT * thread;
  let strongest: f64 = results[base + 1];
  let damped: f64 = 0;
  let slid: f64 = 0;
  let rolled: f64 = 0;
  for (let m: i32 = 0; m < held; m++) {
    const o: i32 = list + HELD * m;
    const i: i32 = wholeOf(scratch[o]);
    const b: i32 = wholeOf(scratch[o + 1]);
    const at: i32 = wholeOf(scratch[o + 2]);
    const nx: f64 = scratch[o + 3];
    const ny: f64 = scratch[o + 4];
    const nz: f64 = scratch[o + 5];
    const depth: f64 = scratch[o + 6];
    const share: f64 = scratch[o + 9];
    let law: i32 = wholeOf(scratch[o + 7]);
    let lawsOfIt: FloatArray = laws;
    if (share >= 0) {
      // A share of the contact has a share of its stiffness
      for (let k: i32 = 0; k < LAW; k++) scratch[sharedLaw + k] = laws[law + k];
      scratch[sharedLaw] = share * laws[law];
      scratch[sharedLaw + 1] = share * laws[law + 1];
      scratch[sharedLaw + 7] = share * laws[law + 7];
      scratch[sharedLaw + 9] = share * laws[law + 9];
      scratch[sharedLaw + 10] = share * laws[law + 10];
      lawsOfIt = scratch;
      law = sharedLaw;
    }
    const w: i32 = WALL * b;
    recall(0, 0, 0, 0);
    recallTurns(0, 0, 0, 0);
    if (at >= 0) {
      // Out of the body's frame
      const x: f64 = memory[at];
      const y: f64 = memory[at + 1];
      const z: f64 = memory[at + 2];
      recall(
        walls[w] * x + walls[w + 1] * y + walls[w + 2] * z,
        walls[w + 3] * x + walls[w + 4] * y + walls[w + 5] * z,
        walls[w + 6] * x + walls[w + 7] * y + walls[w + 8] * z,
        memory[at + 10],
      );
      if (full)
        recallTurns(
          memory[at + 6],
          walls[w] * memory[at + 7] + walls[w + 1] * memory[at + 8] + walls[w + 2] * memory[at + 9],
          walls[w + 3] * memory[at + 7] + walls[w + 4] * memory[at + 8] + walls[w + 5] * memory[at + 9],
          walls[w + 6] * memory[at + 7] + walls[w + 7] * memory[at + 8] + walls[w + 8] * memory[at + 9],
        );
    }
    const radius: f64 = grains[4 * i + 3];
    const lever: f64 = radius - depth;
    const qx: f64 = grains[4 * i] + lever * nx;
    const qy: f64 = grains[4 * i + 1] + lever * ny;
    const qz: f64 = grains[4 * i + 2] + lever * nz;
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
    contact(
      lawsOfIt,
      law,
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
    if (!(normalForce <= strongest)) strongest = normalForce;
    if (measure) {
      note(thread, noted, i, -1 - b, nx, ny, nz, depth, qx, qy, qz, wholeOf(scratch[o + 8]));
      if (share >= 0) noteShare(thread, noted, share, scratch[o + 10]);
      noted += 1;
    } else {
      groups[at] = walls[w] * sx + walls[w + 3] * sy + walls[w + 6] * sz;
      groups[at + 1] = walls[w + 1] * sx + walls[w + 4] * sy + walls[w + 7] * sz;
      groups[at + 2] = walls[w + 2] * sx + walls[w + 5] * sy + walls[w + 8] * sz;
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
  }
  results[base + 1] = strongest;
  if (measure === 0) {
    results[base + 7] += damped;
    results[base + 14] += slid;
    results[base + 15] += rolled;
  }
}

/** What is between contacts of a hollow surface: a force through the centre */
function pressBetween(thread: i32, i: i32, b: i32, whole: f64): void {
  const numbers: FloatArray = ptrF(0);
  const counts: IntArray = ptrI(1);
  const grains: FloatArray = ptrF(4);
  const walls: FloatArray = ptrF(24);
  const forces: FloatArray = ptrF(39);
  const wrenches: FloatArray = ptrF(41);
  const roundForce: f64 = numbers[6];
  const roundMoment: f64 = numbers[8];
  const w: i32 = WALL * b;
  const x: f64 = grains[4 * i];
  const y: f64 = grains[4 * i + 1];
  const z: f64 = grains[4 * i + 2];
  const ex: f64 = walls[w] * restX + walls[w + 1] * restY + walls[w + 2] * restZ;
  const ey: f64 = walls[w + 3] * restX + walls[w + 4] * restY + walls[w + 5] * restZ;
  const ez: f64 = walls[w + 6] * restX + walls[w + 7] * restY + walls[w + 8] * restZ;
  const gx: f64 = whole * ex + roundForce - roundForce;
  const gy: f64 = whole * ey + roundForce - roundForce;
  const gz: f64 = whole * ez + roundForce - roundForce;
  const f: i32 = 8 * (counts[5] * thread + i);
  forces[f] += gx;
  forces[f + 1] += gy;
  forces[f + 2] += gz;
  const r: i32 = 8 * (counts[9] * thread + b);
  wrenches[r] -= gx;
  wrenches[r + 1] -= gy;
  wrenches[r + 2] -= gz;
  wrenches[r + 3] -= y * gz - z * gy + roundMoment - roundMoment;
  wrenches[r + 4] -= z * gx - x * gz + roundMoment - roundMoment;
  wrenches[r + 5] -= x * gy - y * gx + roundMoment - roundMoment;
}
