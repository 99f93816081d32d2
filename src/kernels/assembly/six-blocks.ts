// @ts-nocheck AssemblyScript, not TypeScript: read by scripts/build-kernels.mjs in place of ../six-blocks.ts.
/** ../six-blocks.ts with two numbers of a row in the lanes of f64x2, operation by operation, so that the bits are the same. */
import type { FloatArray } from './prelude.js';

// inline
function address(a: FloatArray, i: i32): usize {
  return changetype<usize>(a) + ((<usize>i) << 3);
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

export function addProducts6(c: FloatArray, at: i32, w: FloatArray, p: i32, q: i32, rows: i32, width: i32): void {
  const stride: usize = (<usize>width) << 3;
  const to: usize = address(c, at);
  // three rows of C at a time stay in registers
  for (let i: usize = 0; i < 6; i += 3) {
    const row: usize = to + i * 48;
    let a0: v128 = v128.load(row);
    let a1: v128 = v128.load(row, 16);
    let a2: v128 = v128.load(row, 32);
    let b0: v128 = v128.load(row, 48);
    let b1: v128 = v128.load(row, 64);
    let b2: v128 = v128.load(row, 80);
    let c0: v128 = v128.load(row, 96);
    let c1: v128 = v128.load(row, 112);
    let c2: v128 = v128.load(row, 128);
    let from: usize = address(w, q);
    let by: usize = address(w, p) + (i << 3);
    for (let r: i32 = 0; r < rows; r++) {
      const w0: v128 = v128.load(from);
      const w1: v128 = v128.load(from, 16);
      const w2: v128 = v128.load(from, 32);
      const x: v128 = v128.load64_splat(by);
      a0 = add(a0, mul(x, w0));
      a1 = add(a1, mul(x, w1));
      a2 = add(a2, mul(x, w2));
      const y: v128 = v128.load64_splat(by, 8);
      b0 = add(b0, mul(y, w0));
      b1 = add(b1, mul(y, w1));
      b2 = add(b2, mul(y, w2));
      const z: v128 = v128.load64_splat(by, 16);
      c0 = add(c0, mul(z, w0));
      c1 = add(c1, mul(z, w1));
      c2 = add(c2, mul(z, w2));
      from += stride;
      by += stride;
    }
    v128.store(row, a0);
    v128.store(row, a1, 16);
    v128.store(row, a2, 32);
    v128.store(row, b0, 48);
    v128.store(row, b1, 64);
    v128.store(row, b2, 80);
    v128.store(row, c0, 96);
    v128.store(row, c1, 112);
    v128.store(row, c2, 128);
  }
}

export function addSquare6(c: FloatArray, at: i32, w: FloatArray, p: i32, q: i32, rows: i32, width: i32): void {
  const stride: usize = (<usize>width) << 3;
  const to: usize = address(c, at);
  // twelve pairs of numbers stay in registers
  let a0: v128 = v128.load(to);
  let b0: v128 = v128.load(to, 48);
  let c0: v128 = v128.load(to, 96);
  let c1: v128 = v128.load(to, 112);
  let d0: v128 = v128.load(to, 144);
  let d1: v128 = v128.load(to, 160);
  let e0: v128 = v128.load(to, 192);
  let e1: v128 = v128.load(to, 208);
  let e2: v128 = v128.load(to, 224);
  let f0: v128 = v128.load(to, 240);
  let f1: v128 = v128.load(to, 256);
  let f2: v128 = v128.load(to, 272);
  let from: usize = address(w, q);
  let by: usize = address(w, p);
  for (let r: i32 = 0; r < rows; r++) {
    const w0: v128 = v128.load(from);
    const w1: v128 = v128.load(from, 16);
    const w2: v128 = v128.load(from, 32);
    a0 = add(a0, mul(v128.load64_splat(by), w0));
    b0 = add(b0, mul(v128.load64_splat(by, 8), w0));
    let x: v128 = v128.load64_splat(by, 16);
    c0 = add(c0, mul(x, w0));
    c1 = add(c1, mul(x, w1));
    x = v128.load64_splat(by, 24);
    d0 = add(d0, mul(x, w0));
    d1 = add(d1, mul(x, w1));
    x = v128.load64_splat(by, 32);
    e0 = add(e0, mul(x, w0));
    e1 = add(e1, mul(x, w1));
    e2 = add(e2, mul(x, w2));
    x = v128.load64_splat(by, 40);
    f0 = add(f0, mul(x, w0));
    f1 = add(f1, mul(x, w1));
    f2 = add(f2, mul(x, w2));
    from += stride;
    by += stride;
  }
  v128.store(to, a0);
  v128.store(to, b0, 48);
  v128.store(to, c0, 96);
  v128.store(to, c1, 112);
  v128.store(to, d0, 144);
  v128.store(to, d1, 160);
  v128.store(to, e0, 192);
  v128.store(to, e1, 208);
  v128.store(to, e2, 224);
  v128.store(to, f0, 240);
  v128.store(to, f1, 256);
  v128.store(to, f2, 272);
}

export function subtractSquare6(v: FloatArray, c: i32, a: i32): void {
  const to: usize = address(v, c);
  let from: usize = address(v, a);
  let w0: v128 = v128.load(from);
  let w1: v128 = v128.load(from, 16);
  let w2: v128 = v128.load(from, 32);
  let a0: v128 = mul(v128.load64_splat(from), w0);
  let b0: v128 = mul(v128.load64_splat(from, 8), w0);
  let x: v128 = v128.load64_splat(from, 16);
  let c0: v128 = mul(x, w0);
  let c1: v128 = mul(x, w1);
  x = v128.load64_splat(from, 24);
  let d0: v128 = mul(x, w0);
  let d1: v128 = mul(x, w1);
  x = v128.load64_splat(from, 32);
  let e0: v128 = mul(x, w0);
  let e1: v128 = mul(x, w1);
  let e2: v128 = mul(x, w2);
  x = v128.load64_splat(from, 40);
  let f0: v128 = mul(x, w0);
  let f1: v128 = mul(x, w1);
  let f2: v128 = mul(x, w2);
  for (let m: i32 = 1; m < 6; m++) {
    from += 48;
    w0 = v128.load(from);
    w1 = v128.load(from, 16);
    w2 = v128.load(from, 32);
    a0 = add(a0, mul(v128.load64_splat(from), w0));
    b0 = add(b0, mul(v128.load64_splat(from, 8), w0));
    x = v128.load64_splat(from, 16);
    c0 = add(c0, mul(x, w0));
    c1 = add(c1, mul(x, w1));
    x = v128.load64_splat(from, 24);
    d0 = add(d0, mul(x, w0));
    d1 = add(d1, mul(x, w1));
    x = v128.load64_splat(from, 32);
    e0 = add(e0, mul(x, w0));
    e1 = add(e1, mul(x, w1));
    e2 = add(e2, mul(x, w2));
    x = v128.load64_splat(from, 40);
    f0 = add(f0, mul(x, w0));
    f1 = add(f1, mul(x, w1));
    f2 = add(f2, mul(x, w2));
  }
  v128.store(to, sub(v128.load(to), a0));
  v128.store(to, sub(v128.load(to, 48), b0), 48);
  v128.store(to, sub(v128.load(to, 96), c0), 96);
  v128.store(to, sub(v128.load(to, 112), c1), 112);
  v128.store(to, sub(v128.load(to, 144), d0), 144);
  v128.store(to, sub(v128.load(to, 160), d1), 160);
  v128.store(to, sub(v128.load(to, 192), e0), 192);
  v128.store(to, sub(v128.load(to, 208), e1), 208);
  v128.store(to, sub(v128.load(to, 224), e2), 224);
  v128.store(to, sub(v128.load(to, 240), f0), 240);
  v128.store(to, sub(v128.load(to, 256), f1), 256);
  v128.store(to, sub(v128.load(to, 272), f2), 272);
}

export function subtractProducts6(v: FloatArray, c: i32, a: i32, b: i32): void {
  const to: usize = address(v, c);
  const left: usize = address(v, a);
  const right: usize = address(v, b);
  for (let i: usize = 0; i < 6; i += 3) {
    let by: usize = left + (i << 3);
    let w0: v128 = v128.load(right);
    let w1: v128 = v128.load(right, 16);
    let w2: v128 = v128.load(right, 32);
    let x: v128 = v128.load64_splat(by);
    let a0: v128 = mul(x, w0);
    let a1: v128 = mul(x, w1);
    let a2: v128 = mul(x, w2);
    x = v128.load64_splat(by, 8);
    let b0: v128 = mul(x, w0);
    let b1: v128 = mul(x, w1);
    let b2: v128 = mul(x, w2);
    x = v128.load64_splat(by, 16);
    let c0: v128 = mul(x, w0);
    let c1: v128 = mul(x, w1);
    let c2: v128 = mul(x, w2);
    let from: usize = right;
    for (let m: i32 = 1; m < 6; m++) {
      from += 48;
      by += 48;
      w0 = v128.load(from);
      w1 = v128.load(from, 16);
      w2 = v128.load(from, 32);
      x = v128.load64_splat(by);
      a0 = add(a0, mul(x, w0));
      a1 = add(a1, mul(x, w1));
      a2 = add(a2, mul(x, w2));
      x = v128.load64_splat(by, 8);
      b0 = add(b0, mul(x, w0));
      b1 = add(b1, mul(x, w1));
      b2 = add(b2, mul(x, w2));
      x = v128.load64_splat(by, 16);
      c0 = add(c0, mul(x, w0));
      c1 = add(c1, mul(x, w1));
      c2 = add(c2, mul(x, w2));
    }
    const row: usize = to + i * 48;
    v128.store(row, sub(v128.load(row), a0));
    v128.store(row, sub(v128.load(row, 16), a1), 16);
    v128.store(row, sub(v128.load(row, 32), a2), 32);
    v128.store(row, sub(v128.load(row, 48), b0), 48);
    v128.store(row, sub(v128.load(row, 64), b1), 64);
    v128.store(row, sub(v128.load(row, 80), b2), 80);
    v128.store(row, sub(v128.load(row, 96), c0), 96);
    v128.store(row, sub(v128.load(row, 112), c1), 112);
    v128.store(row, sub(v128.load(row, 128), c2), 128);
  }
}

// inline
function entry(d: usize, i: usize): v128 {
  return v128.load64_splat(d + (i << 3));
}

export function divide6(v: FloatArray, at: i32, d: i32): void {
  const l: usize = address(v, d);
  const p0: v128 = f64x2.splat(1 / load<f64>(l));
  const p1: v128 = f64x2.splat(1 / load<f64>(l, 56));
  const p2: v128 = f64x2.splat(1 / load<f64>(l, 112));
  const p3: v128 = f64x2.splat(1 / load<f64>(l, 168));
  const p4: v128 = f64x2.splat(1 / load<f64>(l, 224));
  const p5: v128 = f64x2.splat(1 / load<f64>(l, 280));
  const block: usize = address(v, at);
  for (let i: usize = block; i < block + 48; i += 16) {
    const x0: v128 = mul(v128.load(i), p0);
    const x1: v128 = mul(sub(v128.load(i, 48), mul(x0, entry(l, 6))), p1);
    const x2: v128 = mul(sub(sub(v128.load(i, 96), mul(x0, entry(l, 12))), mul(x1, entry(l, 13))), p2);
    const x3: v128 = mul(
      sub(sub(sub(v128.load(i, 144), mul(x0, entry(l, 18))), mul(x1, entry(l, 19))), mul(x2, entry(l, 20))),
      p3,
    );
    let s: v128 = sub(sub(v128.load(i, 192), mul(x0, entry(l, 24))), mul(x1, entry(l, 25)));
    const x4: v128 = mul(sub(sub(s, mul(x2, entry(l, 26))), mul(x3, entry(l, 27))), p4);
    s = sub(sub(v128.load(i, 240), mul(x0, entry(l, 30))), mul(x1, entry(l, 31)));
    s = sub(sub(s, mul(x2, entry(l, 32))), mul(x3, entry(l, 33)));
    const x5: v128 = mul(sub(s, mul(x4, entry(l, 34))), p5);
    v128.store(i, x0);
    v128.store(i, x1, 48);
    v128.store(i, x2, 96);
    v128.store(i, x3, 144);
    v128.store(i, x4, 192);
    v128.store(i, x5, 240);
  }
}

export function forward6(v: FloatArray, a: i32, x: FloatArray, from: i32, to: i32): void {
  const p: usize = address(v, a);
  const f: usize = address(x, from);
  const x0: v128 = v128.load64_splat(f);
  const x1: v128 = v128.load64_splat(f, 8);
  const x2: v128 = v128.load64_splat(f, 16);
  const x3: v128 = v128.load64_splat(f, 24);
  const x4: v128 = v128.load64_splat(f, 32);
  const x5: v128 = v128.load64_splat(f, 40);
  const t: usize = address(x, to);
  for (let i: usize = 0; i < 48; i += 16) {
    let s: v128 = mul(v128.load(p + i), x0);
    s = add(s, mul(v128.load(p + i, 48), x1));
    s = add(s, mul(v128.load(p + i, 96), x2));
    s = add(s, mul(v128.load(p + i, 144), x3));
    s = add(s, mul(v128.load(p + i, 192), x4));
    s = add(s, mul(v128.load(p + i, 240), x5));
    v128.store(t + i, sub(v128.load(t + i), s));
  }
}

export function backward6(v: FloatArray, a: i32, x: FloatArray, from: i32, to: i32): void {
  const f: usize = address(x, from);
  const x0: v128 = v128.load(f);
  const x1: v128 = v128.load(f, 16);
  const x2: v128 = v128.load(f, 32);
  const t: usize = address(x, to);
  let p: usize = address(v, a);
  for (let i: usize = 0; i < 48; i += 8) {
    const s: v128 = add(add(mul(v128.load(p), x0), mul(v128.load(p, 16), x1)), mul(v128.load(p, 32), x2));
    store<f64>(t + i, load<f64>(t + i) - (f64x2.extract_lane(s, 0) + f64x2.extract_lane(s, 1)));
    p += 48;
  }
}

export function dot6(a: FloatArray, p: i32, x: FloatArray, q: i32): f64 {
  const l: usize = address(a, p);
  const r: usize = address(x, q);
  const s: v128 = add(
    add(mul(v128.load(l), v128.load(r)), mul(v128.load(l, 16), v128.load(r, 16))),
    mul(v128.load(l, 32), v128.load(r, 32)),
  );
  return f64x2.extract_lane(s, 0) + f64x2.extract_lane(s, 1);
}

export function subtractScaled6(x: FloatArray, q: i32, s: f64, a: FloatArray, p: i32): void {
  const t: usize = address(x, q);
  const f: usize = address(a, p);
  const w: v128 = f64x2.splat(s);
  v128.store(t, sub(v128.load(t), mul(w, v128.load(f))));
  v128.store(t, sub(v128.load(t, 16), mul(w, v128.load(f, 16))), 16);
  v128.store(t, sub(v128.load(t, 32), mul(w, v128.load(f, 32))), 32);
}
