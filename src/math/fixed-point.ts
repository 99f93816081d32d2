/**
 * Numbers with 160 bits behind the point as integers, for tables that are worked out when the program starts: a kilobyte of digits takes longer to come over the
 * net than to compute, and integers are exact in every engine.
 */
export const BITS = 160n;
export const ONE = 1n << BITS;
const SCALE = /* @__PURE__ */ Number(ONE);

/** The double nearest x */
export const rounded = (x: bigint): number => Number(x) / SCALE; // of an integer the nearest double is defined; dividing by a power of two is exact
/** x of a double that has no bits beyond the last */
export const exactly = (x: number): bigint => BigInt(x * SCALE);

/** √x, rounded down: Newton's method from above falls until it is there. */
export function fixedSqrt(x: bigint): bigint {
  const square = x << BITS;
  let root = x > ONE ? x : ONE;
  for (;;) {
    const next = (root + square / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** log(a/b) = 2 (z + z³/3 + z⁵/5 + …), z = (a − b)/(a + b); a and b integers near each other */
export function fixedLogarithm(a: bigint, b: bigint): bigint {
  const z = ((a - b) << BITS) / (a + b);
  const square = (z * z) >> BITS;
  let sum = 0n;
  for (let power = z, k = 1n; power !== 0n && power !== -1n; power = (power * square) >> BITS, k += 2n)
    sum += power / k;
  return 2n * sum;
}
