// @ts-nocheck AssemblyScript, not TypeScript: read by scripts/build-kernels.mjs in place of ../walls-by-two.ts.
/**
 * Forces of contacts with walls: what `press` of ../grain-walls.kernel.ts does one by one, operation by operation. How they touch is told one by one into the room of pairs-by-two.ts,
 * normal force and friction are found two at a time by its loops, with the bristle in world axes in a place of its own.
 */
import { HELD, HELD_AT, RESULT, SCRATCH, WAITING, WALL } from './grain-sizes.kernel.js';
import { frictionOfMany, KNOWN, normalForcesOfMany, roomOf, TWO } from './pairs-by-two.js';
import { type FloatArray, type IntArray, ptrF, ptrI } from './prelude.js';

/** Behind what is known of pairs: bristle and damping force of each contact, and of the double of an odd one, 32 bytes */
const REMEMBERED: usize = KNOWN + TWO * (WAITING / 2);

export function wallsByTwo(thread: i32, held: i32): boolean {
  const counts: IntArray = ptrI(1);
  if ((counts[10] | counts[11] | counts[12] | counts[14]) !== 0) return false;
  if (held === 0) return true;
  const list: usize = roomOf(thread);
  const scratch: usize = changetype<usize>(ptrF(42)) + ((<usize>(SCRATCH * thread + HELD_AT)) << 3);
  const base: i32 = RESULT * thread;
  for (let m: i32 = 0; m < held; m++) touch(list, m, scratch + ((<usize>(HELD * m)) << 3));
  if (held & 1) touch(list, held, scratch + ((<usize>(HELD * (held - 1))) << 3));
  normalForcesOfMany(list, held, base);
  frictionOfMany(list, held, base);
  for (let m: i32 = 0; m < held; m++) give(thread, list, m, scratch + ((<usize>(HELD * m)) << 3));
  return true;
}

/** Normal, overlap, R, 1/m*, relative velocity, and what is remembered, out of the body's frame */
function touch(list: usize, m: i32, held: usize): void {
  const grains: FloatArray = ptrF(4);
  const motion: FloatArray = ptrF(5);
  const walls: FloatArray = ptrF(24);
  const groups: FloatArray = ptrF(29);
  const laws: usize = changetype<usize>(ptrF(40));
  const i: i32 = <i32>load<f64>(held);
  const w: i32 = WALL * <i32>load<f64>(held, 8);
  const at: i32 = <i32>load<f64>(held, 16);
  const nx: f64 = load<f64>(held, 24);
  const ny: f64 = load<f64>(held, 32);
  const nz: f64 = load<f64>(held, 40);
  const depth: f64 = load<f64>(held, 48);
  const remembered: usize = list + REMEMBERED + ((<usize>m) << 5);
  const entry: usize = list + ((<usize>m) << 4);
  store<usize>(entry, remembered, 8);
  store<usize>(entry, laws + ((<usize>load<f64>(held, 56)) << 3), 12);
  const x: f64 = groups[at];
  const y: f64 = groups[at + 1];
  const z: f64 = groups[at + 2];
  store<f64>(remembered, walls[w] * x + walls[w + 1] * y + walls[w + 2] * z);
  store<f64>(remembered, walls[w + 3] * x + walls[w + 4] * y + walls[w + 5] * z, 8);
  store<f64>(remembered, walls[w + 6] * x + walls[w + 7] * y + walls[w + 8] * z, 16);
  store<f64>(remembered, groups[at + 10], 24);
  const radius: f64 = grains[4 * i + 3];
  const lever: f64 = radius - depth;
  const ax: f64 = grains[4 * i] + lever * nx - walls[w + 9];
  const ay: f64 = grains[4 * i + 1] + lever * ny - walls[w + 10];
  const az: f64 = grains[4 * i + 2] + lever * nz - walls[w + 11];
  const wx: f64 = walls[w + 15];
  const wy: f64 = walls[w + 16];
  const wz: f64 = walls[w + 17];
  const v: i32 = 8 * i;
  const lx: f64 = lever * motion[v + 4];
  const ly: f64 = lever * motion[v + 5];
  const lz: f64 = lever * motion[v + 6];
  const ux: f64 = motion[v] - (walls[w + 12] + (wy * az - wz * ay)) + (ly * nz - lz * ny);
  const uy: f64 = motion[v + 1] - (walls[w + 13] + (wz * ax - wx * az)) + (lz * nx - lx * nz);
  const uz: f64 = motion[v + 2] - (walls[w + 14] + (wx * ay - wy * ax)) + (lx * ny - ly * nx);
  const vn: f64 = ux * nx + uy * ny + uz * nz;
  const lane: usize = list + KNOWN + TWO * <usize>(m >> 1) + ((<usize>(m & 1)) << 3);
  store<f64>(lane, nx);
  store<f64>(lane, ny, 16);
  store<f64>(lane, nz, 32);
  store<f64>(lane, depth, 48);
  store<f64>(lane, radius, 64);
  store<f64>(lane, motion[v + 3] + walls[w + 27], 80);
  store<f64>(lane, vn, 96);
  store<f64>(lane, ux - vn * nx, 112);
  store<f64>(lane, uy - vn * ny, 128);
  store<f64>(lane, uz - vn * nz, 144);
}

/** Force and torque to the grain, force and moment about the origin of the world to the body; the bristle into the body's frame */
function give(thread: i32, list: usize, m: i32, held: usize): void {
  const numbers: FloatArray = ptrF(0);
  const counts: IntArray = ptrI(1);
  const grains: FloatArray = ptrF(4);
  const walls: FloatArray = ptrF(24);
  const groups: FloatArray = ptrF(29);
  const forces: FloatArray = ptrF(39);
  const wrenches: FloatArray = ptrF(41);
  const roundTorque: f64 = numbers[7];
  const roundMoment: f64 = numbers[8];
  const i: i32 = <i32>load<f64>(held);
  const b: i32 = <i32>load<f64>(held, 8);
  const at: i32 = <i32>load<f64>(held, 16);
  const lever: f64 = grains[4 * i + 3] - load<f64>(held, 48);
  const qx: f64 = grains[4 * i] + lever * load<f64>(held, 24);
  const qy: f64 = grains[4 * i + 1] + lever * load<f64>(held, 32);
  const qz: f64 = grains[4 * i + 2] + lever * load<f64>(held, 40);
  const w: i32 = WALL * b;
  const remembered: usize = list + REMEMBERED + ((<usize>m) << 5);
  const sx: f64 = load<f64>(remembered);
  const sy: f64 = load<f64>(remembered, 8);
  const sz: f64 = load<f64>(remembered, 16);
  groups[at] = walls[w] * sx + walls[w + 3] * sy + walls[w + 6] * sz;
  groups[at + 1] = walls[w + 1] * sx + walls[w + 4] * sy + walls[w + 7] * sz;
  groups[at + 2] = walls[w + 2] * sx + walls[w + 5] * sy + walls[w + 8] * sz;
  groups[at + 10] = load<f64>(remembered, 24);
  const lane: usize = list + KNOWN + TWO * <usize>(m >> 1) + ((<usize>(m & 1)) << 3);
  const gx: f64 = load<f64>(lane, 112);
  const gy: f64 = load<f64>(lane, 128);
  const gz: f64 = load<f64>(lane, 144);
  const f: i32 = 8 * (counts[5] * thread + i);
  forces[f] += gx;
  forces[f + 1] += gy;
  forces[f + 2] += gz;
  forces[f + 3] += lever * load<f64>(lane, 48) + roundTorque - roundTorque;
  forces[f + 4] += lever * load<f64>(lane, 64) + roundTorque - roundTorque;
  forces[f + 5] += lever * load<f64>(lane, 80) + roundTorque - roundTorque;
  const r: i32 = 8 * (counts[9] * thread + b);
  wrenches[r] -= gx;
  wrenches[r + 1] -= gy;
  wrenches[r + 2] -= gz;
  wrenches[r + 3] -= qy * gz - qz * gy + roundMoment - roundMoment;
  wrenches[r + 4] -= qz * gx - qx * gz + roundMoment - roundMoment;
  wrenches[r + 5] -= qx * gy - qy * gx + roundMoment - roundMoment;
}
