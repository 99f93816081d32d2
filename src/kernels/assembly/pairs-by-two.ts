// @ts-nocheck AssemblyScript, not TypeScript: read by scripts/build-kernels.mjs in place of ../pairs-by-two.ts.
/**
 * Forces of touching pairs, two at a time in the lanes of f64x2: what `pairForces` of ../grain-forces.kernel.ts does one by one, operation by operation, so that the bits are the same.
 * Pairs are sought first and put into a short list; what touches is then computed without branches, in four loops over the list. An iteration of each is short enough for the
 * processor to have several under way, where one loop over all of it waits for one root and quotient after the other.
 */
import { LAW, RANGE, RESULT, TOUCHED } from './grain-sizes.kernel.js';
import { type FloatArray, type IntArray, ptrF, ptrI } from './prelude.js';

const NEARLY: f64 = 0.999999;
/**
 * Room of a thread: the list, 16 bytes a pair (i, j, entry, law), one more for the double of an odd one, and behind it what is known of two pairs, 16 bytes a quantity:
 *
 *   0 n, 48 δ, 64 R, 80 1/m*, 96 vₙ, 112 u_t, 160 levers                       by approach
 *   48 √(k_t m*), 64 k_t, 80 k_t before, 96 N, 192 push, 208 push before, 224 damping   by normalForces
 *   112 force on i, 48 n × force                                              by friction
 */
const PAIRS: i32 = 64;
const TWO: usize = 240;
const ROOM: i32 = 16384;

/** False where the case is another: a period, all terms of the law, adhesion, measuring only. */
export function pairsByTwo(thread: i32): bool {
  const counts: IntArray = ptrI(1);
  if ((counts[8] | counts[10] | counts[11] | counts[12] | counts[14]) !== 0) return false;
  const ranges: IntArray = ptrI(2);
  const grains: FloatArray = ptrF(4);
  const motion: FloatArray = ptrF(5);
  const kinds: IntArray = ptrI(7);
  const starts: IntArray = ptrI(16);
  const ends: IntArray = ptrI(17);
  const neighbours: IntArray = ptrI(18);
  const history: FloatArray = ptrF(19);
  const forces: FloatArray = ptrF(39);
  const list: usize = changetype<usize>(ptrI(44)) + <usize>(thread * ROOM);
  const kindCount: i32 = counts[6];
  const first: i32 = ranges[RANGE * thread];
  const end: i32 = ranges[RANGE * thread + 1];
  // Rows reach a layer of cells and a row of them ahead. What they will find there first is read in order before, so that it is near when they come
  const last: i32 = counts[0] - 1;
  const ahead: i32 = counts[0] / counts[4] + 2 * (counts[0] / (counts[4] * counts[3])) + 16;
  const own: i32 = counts[5] * thread;
  let read: f64 = 0;
  let filled: i32 = 0;
  for (let i: i32 = first; i < end; i++) {
    const soon: i32 = i + ahead > last ? last : i + ahead;
    read += grains[4 * soon] + motion[8 * soon] + forces[8 * (own + soon)];
    const xi: f64 = grains[4 * i];
    const yi: f64 = grains[4 * i + 1];
    const zi: f64 = grains[4 * i + 2];
    const ri: f64 = grains[4 * i + 3];
    const rowEnd: i32 = ends[i];
    const lawRow: i32 = kinds[i] * kindCount;
    for (let k: i32 = starts[i]; k < rowEnd; k++) {
      const entry: i32 = neighbours[k];
      const j: i32 = entry & (TOUCHED - 1);
      const dx: f64 = xi - grains[4 * j];
      const dy: f64 = yi - grains[4 * j + 1];
      const dz: f64 = zi - grains[4 * j + 2];
      const reach: f64 = ri + grains[4 * j + 3];
      if (dx * dx + dy * dy + dz * dz < reach * reach) {
        if ((entry & TOUCHED) === 0) neighbours[k] = j | TOUCHED;
        const at: usize = list + <usize>(filled << 4);
        store<i32>(at, i);
        store<i32>(at, j, 4);
        store<i32>(at, k, 8);
        store<i32>(at, LAW * (lawRow + kinds[j]), 12);
        filled += 1;
        if (filled === PAIRS) {
          compute(thread, list, filled);
          filled = 0;
        }
      } else if ((entry & TOUCHED) !== 0) {
        neighbours[k] = j;
        for (let m: i32 = 0; m < 4; m++) history[4 * k + m] = 0;
      }
    }
  }
  compute(thread, list, filled);
  store<f64>(list + <usize>(ROOM - 8), read); // or nobody would read
  return true;
}

function compute(thread: i32, list: usize, filled: i32): void {
  if (filled === 0) return;
  const results: FloatArray = ptrF(3);
  const base: i32 = RESULT * thread;
  const end: usize = list + <usize>(filled << 4);
  if (filled & 1) v128.store(end, v128.load(end - 16));
  approach(list, filled, base);
  normalForces(list, filled, base);
  friction(list, filled, base);
  give(thread, list, filled);
  results[base + 3] += <f64>filled;
}

// inline
function add(a: v128, b: v128): v128 {
  return f64x2.add(a, b);
}
// inline
function sub(a: v128, b: v128): v128 {
  return f64x2.sub(a, b);
}
// inline
function mul(a: v128, b: v128): v128 {
  return f64x2.mul(a, b);
}
/** First lanes, second lanes of two */
// inline
function low(a: v128, b: v128): v128 {
  return v128.shuffle<f64>(a, b, 0, 2);
}
// inline
function high(a: v128, b: v128): v128 {
  return v128.shuffle<f64>(a, b, 1, 3);
}
// inline
function both(x: f64): v128 {
  return f64x2.splat(x);
}
// inline
function choose(yes: v128, no: v128, mask: v128): v128 {
  return v128.bitselect(yes, no, mask);
}

/** Normal, overlap, R, 1/m*, relative velocity and levers */
function approach(list: usize, filled: i32, base: i32): void {
  const results: FloatArray = ptrF(3);
  const grains: usize = changetype<usize>(ptrF(4));
  const motion: usize = changetype<usize>(ptrF(5));
  const zero: v128 = both(0);
  const one: v128 = both(1);
  const half: v128 = both(0.5);
  let deepest: v128 = both(results[base + 6]);
  let out: usize = list + ((PAIRS + 1) << 4);
  for (let c: i32 = 0; c < filled; c += 2, out += TWO) {
    const p: usize = list + <usize>(c << 4);
    const i0: usize = <usize>load<i32>(p);
    const j0: usize = <usize>load<i32>(p, 4);
    const i1: usize = <usize>load<i32>(p, 16);
    const j1: usize = <usize>load<i32>(p, 20);
    const gi0: usize = grains + (i0 << 5);
    const gj0: usize = grains + (j0 << 5);
    const gi1: usize = grains + (i1 << 5);
    const gj1: usize = grains + (j1 << 5);
    const xy0: v128 = sub(v128.load(gi0), v128.load(gj0));
    const xy1: v128 = sub(v128.load(gi1), v128.load(gj1));
    const zi0: v128 = v128.load(gi0, 16);
    const zj0: v128 = v128.load(gj0, 16);
    const zi1: v128 = v128.load(gi1, 16);
    const zj1: v128 = v128.load(gj1, 16);
    const dx: v128 = low(xy0, xy1);
    const dy: v128 = high(xy0, xy1);
    const dz: v128 = low(sub(zi0, zj0), sub(zi1, zj1));
    const ri: v128 = high(zi0, zi1);
    const rj: v128 = high(zj0, zj1);
    const distance: v128 = f64x2.sqrt(add(add(mul(dx, dx), mul(dy, dy)), mul(dz, dz)));
    const inverse: v128 = v128.and(f64x2.div(one, distance), f64x2.gt(distance, zero));
    const nx: v128 = mul(f64x2.neg(dx), inverse);
    const ny: v128 = mul(f64x2.neg(dy), inverse);
    const nz: v128 = mul(f64x2.neg(dz), inverse);
    const sum: v128 = add(ri, rj);
    const depth: v128 = sub(sum, distance);
    const halfDepth: v128 = mul(half, depth);
    const li: v128 = sub(ri, halfDepth);
    const lj: v128 = sub(rj, halfDepth);

    const vi0: usize = motion + (i0 << 6);
    const vj0: usize = motion + (j0 << 6);
    const vi1: usize = motion + (i1 << 6);
    const vj1: usize = motion + (j1 << 6);
    const u0: v128 = sub(v128.load(vi0), v128.load(vj0));
    const u1: v128 = sub(v128.load(vi1), v128.load(vj1));
    const mi0: v128 = v128.load(vi0, 16);
    const mj0: v128 = v128.load(vj0, 16);
    const mi1: v128 = v128.load(vi1, 16);
    const mj1: v128 = v128.load(vj1, 16);
    const wi0: v128 = v128.load(vi0, 32);
    const wi1: v128 = v128.load(vi1, 32);
    const wj0: v128 = v128.load(vj0, 32);
    const wj1: v128 = v128.load(vj1, 32);
    const ax: v128 = add(mul(li, low(wi0, wi1)), mul(lj, low(wj0, wj1)));
    const ay: v128 = add(mul(li, high(wi0, wi1)), mul(lj, high(wj0, wj1)));
    const az: v128 = add(
      mul(li, low(v128.load(vi0, 48), v128.load(vi1, 48))),
      mul(lj, low(v128.load(vj0, 48), v128.load(vj1, 48))),
    );
    const ux: v128 = add(low(u0, u1), sub(mul(ay, nz), mul(az, ny)));
    const uy: v128 = add(high(u0, u1), sub(mul(az, nx), mul(ax, nz)));
    const uz: v128 = add(low(sub(mi0, mj0), sub(mi1, mj1)), sub(mul(ax, ny), mul(ay, nx)));
    const vn: v128 = add(add(mul(ux, nx), mul(uy, ny)), mul(uz, nz));
    v128.store(out, nx);
    v128.store(out, ny, 16);
    v128.store(out, nz, 32);
    v128.store(out, depth, 48);
    v128.store(out, f64x2.div(mul(ri, rj), sum), 64);
    v128.store(out, high(add(mi0, mj0), add(mi1, mj1)), 80);
    v128.store(out, vn, 96);
    v128.store(out, sub(ux, mul(vn, nx)), 112);
    v128.store(out, sub(uy, mul(vn, ny)), 128);
    v128.store(out, sub(uz, mul(vn, nz)), 144);
    v128.store(out, li, 160);
    v128.store(out, lj, 176);
    const smaller: v128 = choose(ri, rj, f64x2.lt(ri, rj));
    if (v128.any_true(f64x2.gt(depth, mul(both(NEARLY), mul(deepest, smaller)))))
      deepest = f64x2.max(deepest, f64x2.div(depth, smaller));
  }
  results[base + 6] = max(f64x2.extract_lane(deepest, 0), f64x2.extract_lane(deepest, 1));
}

/** N, and what friction takes from it */
function normalForces(list: usize, filled: i32, base: i32): void {
  const numbers: FloatArray = ptrF(0);
  const results: FloatArray = ptrF(3);
  const history: usize = changetype<usize>(ptrF(19));
  const laws: usize = changetype<usize>(ptrF(40));
  const h: v128 = both(numbers[0]);
  const roundTorque: v128 = both(numbers[7]);
  const zero: v128 = both(0);
  const one: v128 = both(1);
  const half: v128 = both(0.5);
  let strongest: v128 = both(results[base + 1]);
  let damped: v128 = zero;
  let at: usize = list + ((PAIRS + 1) << 4);
  for (let c: i32 = 0; c < filled; c += 2, at += TWO) {
    const p: usize = list + <usize>(c << 4);
    const h0: usize = history + ((<usize>load<i32>(p, 8)) << 5);
    const h1: usize = history + ((<usize>load<i32>(p, 24)) << 5);
    const l0: usize = laws + ((<usize>load<i32>(p, 12)) << 3);
    const l1: usize = laws + ((<usize>load<i32>(p, 28)) << 3);
    const la0: v128 = v128.load(l0);
    const la1: v128 = v128.load(l1);
    const depth: v128 = v128.load(at, 48);
    const perMass: v128 = v128.load(at, 80);
    const vn: v128 = v128.load(at, 96);
    const a: v128 = f64x2.sqrt(mul(v128.load(at, 64), depth));
    const stiffness: v128 = mul(low(la0, la1), a);
    const tangential: v128 = mul(high(la0, la1), a);
    const elastic: v128 = mul(mul(both(0.6666666666666666), stiffness), depth);
    const w: v128 = mul(mul(mul(both(0.8), elastic), depth), perMass);
    const pull: v128 = mul(mul(high(v128.load(l0, 48), v128.load(l1, 48)), a), a);
    const speed: v128 = f64x2.sqrt(add(mul(vn, vn), w));
    let factor: v128 = add(one, f64x2.div(mul(low(v128.load(l0, 16), v128.load(l1, 16)), vn), speed));
    factor = choose(factor, one, f64x2.gt(speed, zero));
    factor = v128.and(factor, f64x2.gt(factor, zero));
    const push: v128 = mul(elastic, factor);
    const normal: v128 = sub(push, pull);
    const damper: v128 = high(v128.load(h0, 16), v128.load(h1, 16));
    const resisting: v128 = sub(push, elastic);
    const way: v128 = mul(vn, h);
    const dampingWork: v128 = mul(mul(half, add(damper, resisting)), way);
    let rho: v128 = sub(one, f64x2.div(way, depth));
    rho = v128.and(rho, f64x2.gt(rho, zero));
    const root: v128 = f64x2.sqrt(rho);
    let before: v128 = add(mul(elastic, mul(rho, root)), damper);
    before = v128.and(before, f64x2.gt(before, zero));
    v128.store(at, f64x2.sqrt(f64x2.div(tangential, perMass)), 48);
    v128.store(at, tangential, 64);
    v128.store(at, mul(tangential, root), 80);
    v128.store(at, normal, 96);
    v128.store(at, push, 192);
    v128.store(at, before, 208);
    v128.store(at, resisting, 224);
    let heat: v128 = sub(add(dampingWork, roundTorque), roundTorque);
    if (c + 1 >= filled) heat = f64x2.replace_lane(heat, 1, 0);
    damped = add(damped, heat);
    strongest = f64x2.pmax(normal, strongest);
  }
  results[base + 1] = max(f64x2.extract_lane(strongest, 0), f64x2.extract_lane(strongest, 1));
  results[base + 7] += f64x2.extract_lane(damped, 0) + f64x2.extract_lane(damped, 1);
}

/** Bristle and slider; all of the force on i */
function friction(list: usize, filled: i32, base: i32): void {
  const numbers: FloatArray = ptrF(0);
  const results: FloatArray = ptrF(3);
  const history: usize = changetype<usize>(ptrF(19));
  const laws: usize = changetype<usize>(ptrF(40));
  const h: v128 = both(numbers[0]);
  const roundForce: v128 = both(numbers[6]);
  const roundTorque: v128 = both(numbers[7]);
  const zero: v128 = both(0);
  const one: v128 = both(1);
  const half: v128 = both(0.5);
  let slid: v128 = zero;
  let at: usize = list + ((PAIRS + 1) << 4);
  for (let c: i32 = 0; c < filled; c += 2, at += TWO) {
    const p: usize = list + <usize>(c << 4);
    const h0: usize = history + ((<usize>load<i32>(p, 8)) << 5);
    const h1: usize = history + ((<usize>load<i32>(p, 24)) << 5);
    const l0: usize = laws + ((<usize>load<i32>(p, 12)) << 3);
    const l1: usize = laws + ((<usize>load<i32>(p, 28)) << 3);
    const nx: v128 = v128.load(at);
    const ny: v128 = v128.load(at, 16);
    const nz: v128 = v128.load(at, 32);
    const s0: v128 = v128.load(h0);
    const s1: v128 = v128.load(h1);
    const mu: v128 = low(v128.load(l0, 32), v128.load(l1, 32));
    const rough: v128 = f64x2.gt(mu, zero);
    const oldX: v128 = low(s0, s1);
    const oldY: v128 = high(s0, s1);
    const oldZ: v128 = low(v128.load(h0, 16), v128.load(h1, 16));
    let bx: v128 = zero;
    let by: v128 = zero;
    let bz: v128 = zero;
    let sx: v128 = oldX;
    let sy: v128 = oldY;
    let sz: v128 = oldZ;
    let slidingWork: v128 = zero;
    if (v128.any_true(rough)) {
      const vx: v128 = v128.load(at, 112);
      const vy: v128 = v128.load(at, 128);
      const vz: v128 = v128.load(at, 144);
      const tangential: v128 = v128.load(at, 64);
      let limit: v128 = mul(mu, v128.load(at, 192));
      limit = v128.andnot(limit, f64x2.lt(limit, zero));
      const along: v128 = add(add(mul(oldX, nx), mul(oldY, ny)), mul(oldZ, nz));
      const ox: v128 = sub(oldX, mul(along, nx));
      const oy: v128 = sub(oldY, mul(along, ny));
      const oz: v128 = sub(oldZ, mul(along, nz));
      sx = add(ox, mul(vx, h));
      sy = add(oy, mul(vy, h));
      sz = add(oz, mul(vz, h));
      const damping: v128 = mul(high(v128.load(l0, 16), v128.load(l1, 16)), v128.load(at, 48));
      const cx: v128 = mul(damping, vx);
      const cy: v128 = mul(damping, vy);
      const cz: v128 = mul(damping, vz);
      bx = add(mul(tangential, sx), cx);
      by = add(mul(tangential, sy), cy);
      bz = add(mul(tangential, sz), cz);
      const size: v128 = add(add(mul(bx, bx), mul(by, by)), mul(bz, bz));
      const slides: v128 = f64x2.gt(size, mul(limit, limit));
      if (v128.any_true(slides)) {
        const scale: v128 = f64x2.div(limit, f64x2.sqrt(size));
        bx = choose(mul(bx, scale), bx, slides);
        by = choose(mul(by, scale), by, slides);
        bz = choose(mul(bz, scale), bz, slides);
        const yielding: v128 = f64x2.div(one, tangential);
        sx = choose(mul(sub(bx, cx), yielding), sx, slides);
        sy = choose(mul(sub(by, cy), yielding), sy, slides);
        sz = choose(mul(sub(bz, cz), yielding), sz, slides);
      }
      const stiff: v128 = v128.load(at, 80);
      let ex: v128 = add(mul(stiff, ox), cx);
      let ey: v128 = add(mul(stiff, oy), cy);
      let ez: v128 = add(mul(stiff, oz), cz);
      const most: v128 = mul(mu, v128.load(at, 208));
      const force: v128 = add(add(mul(ex, ex), mul(ey, ey)), mul(ez, ez));
      const slid0: v128 = f64x2.gt(force, mul(most, most));
      if (v128.any_true(slid0)) {
        const scale: v128 = f64x2.div(most, f64x2.sqrt(force));
        ex = choose(mul(ex, scale), ex, slid0);
        ey = choose(mul(ey, scale), ey, slid0);
        ez = choose(mul(ez, scale), ez, slid0);
      }
      slidingWork = mul(mul(half, add(add(mul(add(bx, ex), vx), mul(add(by, ey), vy)), mul(add(bz, ez), vz))), h);
      bx = v128.and(bx, rough);
      by = v128.and(by, rough);
      bz = v128.and(bz, rough);
      slidingWork = v128.and(slidingWork, rough);
      sx = choose(sx, oldX, rough);
      sy = choose(sy, oldY, rough);
      sz = choose(sz, oldZ, rough);
    }

    // Rounded, so that sums are exact
    const normal: v128 = v128.load(at, 96);
    const resisting: v128 = v128.load(at, 224);
    v128.store(at, sub(add(sub(f64x2.neg(bx), mul(normal, nx)), roundForce), roundForce), 112);
    v128.store(at, sub(add(sub(f64x2.neg(by), mul(normal, ny)), roundForce), roundForce), 128);
    v128.store(at, sub(add(sub(f64x2.neg(bz), mul(normal, nz)), roundForce), roundForce), 144);
    v128.store(at, sub(mul(by, nz), mul(bz, ny)), 48);
    v128.store(at, sub(mul(bz, nx), mul(bx, nz)), 64);
    v128.store(at, sub(mul(bx, ny), mul(by, nx)), 80);
    v128.store(h0, low(sx, sy));
    v128.store(h0, low(sz, resisting), 16);
    v128.store(h1, high(sx, sy));
    v128.store(h1, high(sz, resisting), 16);
    let rub: v128 = sub(add(slidingWork, roundTorque), roundTorque);
    if (c + 1 >= filled) rub = f64x2.replace_lane(rub, 1, 0);
    slid = add(slid, rub);
  }
  results[base + 14] += f64x2.extract_lane(slid, 0) + f64x2.extract_lane(slid, 1);
}

/** Forces and torques, rounded so that sums are exact, to both grains of each pair */
function give(thread: i32, list: usize, filled: i32): void {
  const numbers: FloatArray = ptrF(0);
  const counts: IntArray = ptrI(1);
  const forces: usize = changetype<usize>(ptrF(39)) + ((<usize>(counts[5] * thread)) << 6);
  const roundTorque: v128 = both(numbers[7]);
  let at: usize = list + ((PAIRS + 1) << 4);
  for (let c: i32 = 0; c < filled; c += 2, at += TWO) {
    const p: usize = list + <usize>(c << 4);
    const gx: v128 = v128.load(at, 112);
    const gy: v128 = v128.load(at, 128);
    const gz: v128 = v128.load(at, 144);
    const tx: v128 = v128.load(at, 48);
    const ty: v128 = v128.load(at, 64);
    const tz: v128 = v128.load(at, 80);
    const li: v128 = v128.load(at, 160);
    const lj: v128 = v128.load(at, 176);
    const ix: v128 = sub(add(mul(li, tx), roundTorque), roundTorque);
    const iy: v128 = sub(add(mul(li, ty), roundTorque), roundTorque);
    const iz: v128 = sub(add(mul(li, tz), roundTorque), roundTorque);
    const jx: v128 = sub(add(mul(lj, tx), roundTorque), roundTorque);
    const jy: v128 = sub(add(mul(lj, ty), roundTorque), roundTorque);
    const jz: v128 = sub(add(mul(lj, tz), roundTorque), roundTorque);
    const away: v128 = f64x2.neg(gz);
    const fi0: usize = forces + ((<usize>load<i32>(p)) << 6);
    const fj0: usize = forces + ((<usize>load<i32>(p, 4)) << 6);
    const g0: v128 = low(gx, gy);
    v128.store(fi0, add(v128.load(fi0), g0));
    v128.store(fi0, add(v128.load(fi0, 16), low(gz, ix)), 16);
    v128.store(fi0, add(v128.load(fi0, 32), low(iy, iz)), 32);
    v128.store(fj0, sub(v128.load(fj0), g0));
    v128.store(fj0, add(v128.load(fj0, 16), low(away, jx)), 16);
    v128.store(fj0, add(v128.load(fj0, 32), low(jy, jz)), 32);
    if (c + 1 < filled) {
      const fi1: usize = forces + ((<usize>load<i32>(p, 16)) << 6);
      const fj1: usize = forces + ((<usize>load<i32>(p, 20)) << 6);
      const g1: v128 = high(gx, gy);
      v128.store(fi1, add(v128.load(fi1), g1));
      v128.store(fi1, add(v128.load(fi1, 16), high(gz, ix)), 16);
      v128.store(fi1, add(v128.load(fi1, 32), high(iy, iz)), 32);
      v128.store(fj1, sub(v128.load(fj1), g1));
      v128.store(fj1, add(v128.load(fj1, 16), high(away, jx)), 16);
      v128.store(fj1, add(v128.load(fj1, 32), high(jy, jz)), 32);
    }
  }
}
