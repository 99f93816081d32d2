// @ts-nocheck AssemblyScript, not TypeScript: read by scripts/build-kernels.mjs in place of ../leap-by-two.ts.
/** Kick and drift of grains, two components at a time in the lanes of f64x2: what `leap` of ../grain-motion.kernel.ts does, operation by operation. */
import { RANGE, RESULT } from './grain-sizes.kernel.js';
import { type FloatArray, type IntArray, ptrF, ptrI } from './prelude.js';

export function leapByTwo(thread: i32): boolean {
  const numbers: FloatArray = ptrF(0);
  const counts: IntArray = ptrI(1);
  if (counts[8] !== 0) return false;
  const ranges: IntArray = ptrI(2);
  const results: FloatArray = ptrF(3);
  const first: i32 = ranges[RANGE * thread];
  const end: i32 = ranges[RANGE * thread + 1];
  let x: usize = changetype<usize>(ptrF(4)) + ((<usize>first) << 5);
  let v: usize = changetype<usize>(ptrF(5)) + ((<usize>first) << 6);
  let r: usize = changetype<usize>(ptrF(11)) + ((<usize>first) << 5);
  let f: usize = changetype<usize>(ptrF(39)) + ((<usize>(counts[5] * thread + first)) << 6);
  const last: usize = changetype<usize>(ptrF(4)) + ((<usize>end) << 5);
  const kick: v128 = f64x2.splat(numbers[1]);
  const drift: v128 = f64x2.splat(numbers[2]);
  const zero: v128 = f64x2.splat(0);
  const kickXY: v128 = f64x2.mul(kick, v128.load(changetype<usize>(numbers), 24));
  const kickZ: v128 = f64x2.mul(kick, f64x2.replace_lane(zero, 0, numbers[5]));
  let greatest: f64 = 0;
  let lost: f64 = 0;
  for (; x < last; x += 32, v += 64, r += 32, f += 64) {
    const z: v128 = v128.load(v, 16);
    const wz: v128 = v128.load(v, 48);
    const f0: v128 = v128.load(f);
    const f1: v128 = v128.load(f, 16);
    const f2: v128 = v128.load(f, 32);
    const perMass: v128 = v128.shuffle<f64>(z, z, 1, 1);
    const perInertia: v128 = v128.shuffle<f64>(wz, wz, 1, 1);
    // What has no mass to speak of does not fall either
    const falls: v128 = f64x2.gt(perMass, zero);
    const vXY: v128 = f64x2.add(
      v128.load(v),
      f64x2.add(f64x2.mul(kick, f64x2.mul(f0, perMass)), v128.and(kickXY, falls)),
    );
    const vZ: v128 = f64x2.add(z, f64x2.add(f64x2.mul(kick, f64x2.mul(f1, perMass)), v128.and(kickZ, falls)));
    const torqueXY: v128 = v128.shuffle<f64>(f1, f2, 1, 2);
    const torqueZ: v128 = v128.shuffle<f64>(f2, zero, 1, 2);
    v128.store(v, vXY);
    v128.store(v, v128.shuffle<f64>(vZ, z, 0, 3), 16);
    v128.store(v, f64x2.add(v128.load(v, 32), f64x2.mul(kick, f64x2.mul(torqueXY, perInertia))), 32);
    const spinZ: v128 = f64x2.add(wz, f64x2.mul(kick, f64x2.mul(torqueZ, perInertia)));
    v128.store(v, v128.shuffle<f64>(spinZ, wz, 0, 3), 48);
    v128.store(f, zero);
    v128.store(f, zero, 16);
    v128.store(f, zero, 32);
    const xXY: v128 = f64x2.add(v128.load(x), f64x2.mul(drift, vXY));
    const xZ: v128 = f64x2.add(v128.load(x, 16), f64x2.mul(drift, v128.shuffle<f64>(vZ, zero, 0, 2)));
    v128.store(x, xXY);
    v128.store(x, xZ, 16); // r + 0
    const d: v128 = f64x2.sub(xXY, v128.load(r));
    const dz: v128 = f64x2.sub(xZ, v128.load(r, 16));
    const squares: v128 = f64x2.mul(d, d);
    const way: f64 =
      f64x2.extract_lane(squares, 0) + f64x2.extract_lane(squares, 1) + f64x2.extract_lane(f64x2.mul(dz, dz), 0);
    if (!(way <= greatest)) {
      greatest = way;
      lost += way - way;
    }
  }
  results[RESULT * thread] = greatest + lost;
  results[RESULT * thread + 8] = 0;
  return true;
}
