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
 * Room of a thread: the list, 16 bytes a pair (32 i, 32 j, where its history is, where its law is), two more for what is found beyond a full list, and behind it what is known of two pairs,
 * 16 bytes a quantity:
 *
 *   0 n, 48 δ, 64 R, 80 1/m*, 96 vₙ, 112 u_t, 160 levers                                    by approach
 *   48 k_t before the step, 64 k_t, 96 N, 192 push, 208 push before, 224 damping            by normalForces
 *   112 force on i, 48 n × force                                                            by friction
 */
const PAIRS: i32 = 64;
export const TWO: usize = 240;
const ROOM: i32 = 16384;
export const KNOWN: usize = (PAIRS + 2) << 4;

/** Where a thread's room begins */
export function roomOf(thread: i32): usize {
  return changetype<usize>(ptrI(44)) + <usize>(thread * ROOM);
}

/** False where the case is another: a period, all terms of the law, adhesion, measuring only. */
export function pairsByTwo(thread: i32): bool {
  const counts: IntArray = ptrI(1);
  if ((counts[8] | counts[10] | counts[11] | counts[12] | counts[14]) !== 0) return false;
  const ranges: IntArray = ptrI(2);
  const starts: IntArray = ptrI(16);
  const ends: IntArray = ptrI(17);
  const first: i32 = ranges[RANGE * thread];
  const end: i32 = ranges[RANGE * thread + 1];
  let filled: i32 = 0;
  // Rows lie behind one another as far as one thread made them
  for (let t: i32 = 0; t < counts[1]; t++) {
    const from: i32 = max(first, ranges[RANGE * t + 2]);
    const to: i32 = min(end, ranges[RANGE * t + 3]);
    if (from < to) filled = seek(thread, starts[from], ends[to - 1], filled);
  }
  compute(thread, filled);
  return true;
}

/** Which of the entries `from` … `to` touch, two at a time and without a branch; computes what is found whenever the list is full. Returns how many are in it then. */
function seek(thread: i32, from: i32, to: i32, found: i32): i32 {
  const counts: IntArray = ptrI(1);
  const kinds: IntArray = ptrI(7);
  const grains: usize = changetype<usize>(ptrF(4));
  const neighbours: usize = changetype<usize>(ptrI(18));
  const owners: usize = changetype<usize>(ptrI(45));
  const history: usize = changetype<usize>(ptrF(19));
  const laws: usize = changetype<usize>(ptrF(40));
  const list: usize = roomOf(thread);
  const kindCount: i32 = counts[6];
  const last: usize = neighbours + ((<usize>(to - 1)) << 2);
  const toOwner: usize = owners - neighbours;
  let filled: i32 = found;
  let row: i32 = load<i32>(last + toOwner);
  for (let at: usize = neighbours + ((<usize>from) << 2); at <= last; at += 8) {
    const after: usize = min(at + 4, last);
    const entry0: i32 = load<i32>(at);
    const entry1: i32 = load<i32>(after);
    const j0: i32 = entry0 & (TOUCHED - 1);
    const j1: i32 = entry1 & (TOUCHED - 1);
    const i0: i32 = load<i32>(at + toOwner);
    const i1: i32 = load<i32>(after + toOwner);
    const gi0: usize = grains + ((<usize>i0) << 5);
    const gi1: usize = grains + ((<usize>i1) << 5);
    const gj0: usize = grains + ((<usize>j0) << 5);
    const gj1: usize = grains + ((<usize>j1) << 5);
    const xy0: v128 = sub(v128.load(gi0), v128.load(gj0));
    const xy1: v128 = sub(v128.load(gi1), v128.load(gj1));
    const zi0: v128 = v128.load(gi0, 16);
    const zi1: v128 = v128.load(gi1, 16);
    const zj0: v128 = v128.load(gj0, 16);
    const zj1: v128 = v128.load(gj1, 16);
    const dx: v128 = low(xy0, xy1);
    const dy: v128 = high(xy0, xy1);
    const dz: v128 = low(sub(zi0, zj0), sub(zi1, zj1));
    const reach: v128 = high(add(zi0, zj0), add(zi1, zj1));
    const touch: i32 = i64x2.bitmask(f64x2.lt(add(add(mul(dx, dx), mul(dy, dy)), mul(dz, dz)), mul(reach, reach)));
    const touch0: i32 = touch & 1;
    const touch1: i32 = after > at ? touch >> 1 : 0;
    // Seldom: a contact opens or closes
    if (((entry0 >>> 30) ^ touch0) | (after > at ? (entry1 >>> 30) ^ touch1 : 0)) {
      turn(at, touch0);
      if (after > at) turn(after, touch1);
    }
    const to0: usize = list + <usize>(filled << 4);
    store<usize>(to0, gi0 - grains);
    store<usize>(to0, gj0 - grains, 4);
    store<usize>(to0, history + ((at - neighbours) << 3), 8);
    filled += touch0;
    const to1: usize = list + <usize>(filled << 4);
    store<usize>(to1, gi1 - grains);
    store<usize>(to1, gj1 - grains, 4);
    store<usize>(to1, history + ((after - neighbours) << 3), 8);
    filled += touch1;
    if (kindCount > 1) {
      store<usize>(to0, laws + ((<usize>(LAW * (kinds[i0] * kindCount + kinds[j0]))) << 3), 12);
      store<usize>(to1, laws + ((<usize>(LAW * (kinds[i1] * kindCount + kinds[j1]))) << 3), 12);
    }
    if (filled >= PAIRS) {
      compute(thread, PAIRS);
      readAhead(thread, row, i1);
      row = i1;
      // What did not fit begins the next list
      v128.store(list, v128.load(list + (PAIRS << 4)));
      filled -= PAIRS;
    }
  }
  return filled;
}

/** A contact opens, and nothing is remembered, or it closes. */
function turn(at: usize, touches: i32): void {
  const entry: i32 = load<i32>(at);
  if (entry >>> 30 === touches) return;
  store<i32>(at, entry ^ TOUCHED);
  if (touches) return;
  const remembered: usize = changetype<usize>(ptrF(19)) + ((at - changetype<usize>(ptrI(18))) << 3);
  v128.store(remembered, both(0));
  v128.store(remembered, both(0), 16);
}

/** Rows reach a layer of cells and a row of them ahead. What they will find there first is read in order before, so that it is near when they come. */
function readAhead(thread: i32, from: i32, to: i32): void {
  const counts: IntArray = ptrI(1);
  const grains: usize = changetype<usize>(ptrF(4));
  const motion: usize = changetype<usize>(ptrF(5));
  const forces: usize = changetype<usize>(ptrF(39)) + ((<usize>(counts[5] * thread)) << 6);
  const layer: i32 = counts[0] / counts[4];
  const ahead: i32 = layer + 2 * (layer / counts[3]) + 16;
  const end: i32 = min(to + ahead, counts[0]);
  let read: i32 = 0;
  for (let i: i32 = from + ahead; i < end; i++)
    read ^=
      load<i32>(grains + ((<usize>i) << 5)) ^
      load<i32>(motion + ((<usize>i) << 6)) ^
      load<i32>(forces + ((<usize>i) << 6));
  store<i32>(roomOf(thread) + ROOM - 4, read); // or nobody would read
}

function compute(thread: i32, filled: i32): void {
  if (filled === 0) return;
  const results: FloatArray = ptrF(3);
  const list: usize = roomOf(thread);
  const base: i32 = RESULT * thread;
  const end: usize = list + <usize>(filled << 4);
  if (filled & 1) v128.store(end, v128.load(end - 16));
  approach(list, filled, base);
  if (ptrI(1)[6] === 1) {
    normalForcesOfOne(list, filled, base);
    frictionOfOne(list, filled, base);
  } else {
    normalForcesOfMany(list, filled, base);
    frictionOfMany(list, filled, base);
  }
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
  let out: usize = list + KNOWN;
  for (let c: i32 = 0; c < filled; c += 2, out += TWO) {
    const p: usize = list + <usize>(c << 4);
    const i0: usize = load<usize>(p);
    const j0: usize = load<usize>(p, 4);
    const i1: usize = load<usize>(p, 16);
    const j1: usize = load<usize>(p, 20);
    const gi0: usize = grains + i0;
    const gj0: usize = grains + j0;
    const gi1: usize = grains + i1;
    const gj1: usize = grains + j1;
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

    const vi0: usize = motion + (i0 << 1);
    const vj0: usize = motion + (j0 << 1);
    const vi1: usize = motion + (i1 << 1);
    const vj1: usize = motion + (j1 << 1);
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

// inline
function law(p: usize): usize {
  return load<usize>(p, 12);
}

function normalForcesOfOne(list: usize, filled: i32, base: i32): void {
  normalForces(list, filled, base, true);
}
export function normalForcesOfMany(list: usize, filled: i32, base: i32): void {
  normalForces(list, filled, base, false);
}
function frictionOfOne(list: usize, filled: i32, base: i32): void {
  friction(list, filled, base, true);
}
export function frictionOfMany(list: usize, filled: i32, base: i32): void {
  friction(list, filled, base, false);
}

/** N, and what friction takes from it. @param one all pairs have the same law, the first of them */
// inline
function normalForces(list: usize, filled: i32, base: i32, one: bool): void {
  const numbers: FloatArray = ptrF(0);
  const results: FloatArray = ptrF(3);
  const laws: usize = changetype<usize>(ptrF(40));
  const h: v128 = both(numbers[0]);
  const roundTorque: v128 = both(numbers[7]);
  const zero: v128 = both(0);
  const unit: v128 = both(1);
  const half: v128 = both(0.5);
  const twoThirds: v128 = both(0.6666666666666666);
  const fourFifths: v128 = both(0.8);
  let perArea: v128 = v128.load64_splat(laws);
  let perShear: v128 = v128.load64_splat(laws, 8);
  let returning: v128 = v128.load64_splat(laws, 16);
  const sticky: f64 = load<f64>(laws, 56);
  let strongest: v128 = both(results[base + 1]);
  let damped: v128 = zero;
  let at: usize = list + KNOWN;
  for (let c: i32 = 0; c < filled; c += 2, at += TWO) {
    const p: usize = list + <usize>(c << 4);
    const h0: usize = load<usize>(p, 8);
    const h1: usize = load<usize>(p, 24);
    if (!one) {
      const la0: v128 = v128.load(law(p));
      const la1: v128 = v128.load(law(p + 16));
      perArea = low(la0, la1);
      perShear = high(la0, la1);
      returning = low(v128.load(law(p), 16), v128.load(law(p + 16), 16));
    }
    const depth: v128 = v128.load(at, 48);
    const radius: v128 = v128.load(at, 64);
    const vn: v128 = v128.load(at, 96);
    const way: v128 = mul(vn, h);
    const sum: v128 = sub(depth, way);
    const past: v128 = v128.and(sum, f64x2.gt(sum, zero));
    const a: v128 = f64x2.sqrt(mul(radius, depth));
    const pastA: v128 = f64x2.sqrt(mul(radius, past));
    const elastic: v128 = mul(mul(twoThirds, mul(perArea, a)), depth);
    const w: v128 = mul(mul(mul(fourFifths, elastic), depth), v128.load(at, 80));
    const speed: v128 = f64x2.sqrt(add(mul(vn, vn), w));
    let factor: v128 = add(unit, f64x2.div(mul(returning, vn), speed));
    factor = choose(factor, unit, f64x2.gt(speed, zero));
    factor = v128.and(factor, f64x2.gt(factor, zero));
    const push: v128 = mul(elastic, factor);
    let normal: v128 = push;
    if (one) {
      if (sticky !== 0) normal = sub(push, mul(mul(both(sticky), a), a));
    } else normal = sub(push, mul(mul(high(v128.load(law(p), 48), v128.load(law(p + 16), 48)), a), a));
    const damper: v128 = high(v128.load(h0, 16), v128.load(h1, 16));
    const resisting: v128 = sub(push, elastic);
    let before: v128 = add(mul(mul(twoThirds, mul(perArea, pastA)), past), damper);
    before = v128.and(before, f64x2.gt(before, zero));
    v128.store(at, mul(perShear, pastA), 48);
    v128.store(at, mul(perShear, a), 64);
    v128.store(at, normal, 96);
    v128.store(at, push, 192);
    v128.store(at, before, 208);
    v128.store(at, resisting, 224);
    let heat: v128 = sub(add(mul(mul(half, add(damper, resisting)), way), roundTorque), roundTorque);
    if (c + 1 >= filled) heat = f64x2.replace_lane(heat, 1, 0);
    damped = add(damped, heat);
    strongest = f64x2.pmax(normal, strongest);
  }
  results[base + 1] = max(f64x2.extract_lane(strongest, 0), f64x2.extract_lane(strongest, 1));
  results[base + 7] += f64x2.extract_lane(damped, 0) + f64x2.extract_lane(damped, 1);
}

/** Bristle and slider; all of the force on i */
// inline
function friction(list: usize, filled: i32, base: i32, one: bool): void {
  const numbers: FloatArray = ptrF(0);
  const results: FloatArray = ptrF(3);
  const laws: usize = changetype<usize>(ptrF(40));
  const h: v128 = both(numbers[0]);
  const roundForce: v128 = both(numbers[6]);
  const roundTorque: v128 = both(numbers[7]);
  const zero: v128 = both(0);
  const half: v128 = both(0.5);
  let ratio: v128 = v128.load64_splat(laws, 24);
  let mu: v128 = v128.load64_splat(laws, 32);
  let rough: v128 = f64x2.gt(mu, zero);
  let slid: v128 = zero;
  let at: usize = list + KNOWN;
  for (let c: i32 = 0; c < filled; c += 2, at += TWO) {
    const p: usize = list + <usize>(c << 4);
    const h0: usize = load<usize>(p, 8);
    const h1: usize = load<usize>(p, 24);
    const nx: v128 = v128.load(at);
    const ny: v128 = v128.load(at, 16);
    const nz: v128 = v128.load(at, 32);
    if (!one) {
      ratio = high(v128.load(law(p), 16), v128.load(law(p + 16), 16));
      mu = low(v128.load(law(p), 32), v128.load(law(p + 16), 32));
      rough = f64x2.gt(mu, zero);
    }
    const normal: v128 = v128.load(at, 96);
    const resisting: v128 = v128.load(at, 224);
    if (v128.any_true(rough)) {
      const s0: v128 = v128.load(h0);
      const s1: v128 = v128.load(h1);
      const oldX: v128 = low(s0, s1);
      const oldY: v128 = high(s0, s1);
      const oldZ: v128 = low(v128.load(h0, 16), v128.load(h1, 16));
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
      let sx: v128 = add(ox, mul(vx, h));
      let sy: v128 = add(oy, mul(vy, h));
      let sz: v128 = add(oz, mul(vz, h));
      const damping: v128 = mul(ratio, f64x2.sqrt(f64x2.div(tangential, v128.load(at, 80))));
      const cx: v128 = mul(damping, vx);
      const cy: v128 = mul(damping, vy);
      const cz: v128 = mul(damping, vz);
      let bx: v128 = add(mul(tangential, sx), cx);
      let by: v128 = add(mul(tangential, sy), cy);
      let bz: v128 = add(mul(tangential, sz), cz);
      const size: v128 = add(add(mul(bx, bx), mul(by, by)), mul(bz, bz));
      const slides: v128 = f64x2.gt(size, mul(limit, limit));
      if (v128.any_true(slides)) {
        const scale: v128 = f64x2.div(limit, f64x2.sqrt(size));
        bx = choose(mul(bx, scale), bx, slides);
        by = choose(mul(by, scale), by, slides);
        bz = choose(mul(bz, scale), bz, slides);
        const yielding: v128 = f64x2.div(both(1), tangential);
        sx = choose(mul(sub(bx, cx), yielding), sx, slides);
        sy = choose(mul(sub(by, cy), yielding), sy, slides);
        sz = choose(mul(sub(bz, cz), yielding), sz, slides);
      }
      const stiff: v128 = v128.load(at, 48);
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
      let rub: v128 = mul(mul(half, add(add(mul(add(bx, ex), vx), mul(add(by, ey), vy)), mul(add(bz, ez), vz))), h);
      if (!one && !i64x2.all_true(rough)) {
        bx = v128.and(bx, rough);
        by = v128.and(by, rough);
        bz = v128.and(bz, rough);
        rub = v128.and(rub, rough);
        sx = choose(sx, oldX, rough);
        sy = choose(sy, oldY, rough);
        sz = choose(sz, oldZ, rough);
      }
      v128.store(h0, low(sx, sy));
      v128.store(h0, low(sz, resisting), 16);
      v128.store(h1, high(sx, sy));
      v128.store(h1, high(sz, resisting), 16);
      rub = sub(add(rub, roundTorque), roundTorque);
      if (c + 1 >= filled) rub = f64x2.replace_lane(rub, 1, 0);
      slid = add(slid, rub);
      // Rounded, so that sums are exact
      v128.store(at, sub(sub(roundForce, add(bx, mul(normal, nx))), roundForce), 112);
      v128.store(at, sub(sub(roundForce, add(by, mul(normal, ny))), roundForce), 128);
      v128.store(at, sub(sub(roundForce, add(bz, mul(normal, nz))), roundForce), 144);
      v128.store(at, sub(mul(by, nz), mul(bz, ny)), 48);
      v128.store(at, sub(mul(bz, nx), mul(bx, nz)), 64);
      v128.store(at, sub(mul(bx, ny), mul(by, nx)), 80);
    } else {
      store<f64>(h0, f64x2.extract_lane(resisting, 0), 24);
      store<f64>(h1, f64x2.extract_lane(resisting, 1), 24);
      v128.store(at, sub(sub(roundForce, mul(normal, nx)), roundForce), 112);
      v128.store(at, sub(sub(roundForce, mul(normal, ny)), roundForce), 128);
      v128.store(at, sub(sub(roundForce, mul(normal, nz)), roundForce), 144);
      v128.store(at, zero, 48);
      v128.store(at, zero, 64);
      v128.store(at, zero, 80);
    }
  }
  results[base + 14] += f64x2.extract_lane(slid, 0) + f64x2.extract_lane(slid, 1);
}

/** Forces and torques, rounded so that sums are exact, to both grains of each pair */
function give(thread: i32, list: usize, filled: i32): void {
  const numbers: FloatArray = ptrF(0);
  const counts: IntArray = ptrI(1);
  const forces: usize = changetype<usize>(ptrF(39)) + ((<usize>(counts[5] * thread)) << 6);
  const roundTorque: v128 = both(numbers[7]);
  let at: usize = list + KNOWN;
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
    const fi0: usize = forces + (load<usize>(p) << 1);
    const fj0: usize = forces + (load<usize>(p, 4) << 1);
    const g0: v128 = low(gx, gy);
    v128.store(fi0, add(v128.load(fi0), g0));
    v128.store(fi0, add(v128.load(fi0, 16), low(gz, ix)), 16);
    v128.store(fi0, add(v128.load(fi0, 32), low(iy, iz)), 32);
    v128.store(fj0, sub(v128.load(fj0), g0));
    v128.store(fj0, add(v128.load(fj0, 16), low(away, jx)), 16);
    v128.store(fj0, add(v128.load(fj0, 32), low(jy, jz)), 32);
    if (c + 1 < filled) {
      const fi1: usize = forces + (load<usize>(p, 16) << 1);
      const fj1: usize = forces + (load<usize>(p, 20) << 1);
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
