/** Dense elimination inside a front: the first `pivots` columns of a symmetric matrix factored as L D Lᵀ, the rest updated. */

const BLOCK = 32;

/**
 * @param f      column-major, `size` rows, lower triangle; columns below `pivots` become L (unit diagonal left out, D on the diagonal),
 *               the others what is left: F₂₂ − L₂ D L₂ᵀ
 * @returns false if a pivot is zero or not finite
 */
export function eliminateFront(f: Float64Array, size: number, pivots: number): boolean {
  for (let start = 0; start < pivots; start += BLOCK) {
    const end = Math.min(start + BLOCK, pivots);
    // The columns of the block, each from those before it in the block
    for (let j = start; j < end; j++) {
      const cj = j * size;
      for (let k = start; k < j; k++) {
        const ck = k * size;
        const factor = f[ck + j] * f[ck + k];
        if (factor !== 0) for (let i = j; i < size; i++) f[cj + i] -= factor * f[ck + i];
      }
      const d = f[cj + j];
      if (!(Math.abs(d) > 0 && Math.abs(d) < Number.POSITIVE_INFINITY)) return false;
      const inverse = 1 / d;
      for (let i = j + 1; i < size; i++) f[cj + i] *= inverse;
    }
    // The columns to the right: two targets and four sources at a time
    let j = end;
    for (; j + 1 < size; j += 2) {
      const c0 = j * size;
      const c1 = c0 + size;
      let k = start;
      for (; k + 3 < end; k += 4) {
        const k0 = k * size;
        const k1 = k0 + size;
        const k2 = k1 + size;
        const k3 = k2 + size;
        const d0 = f[k0 + k];
        const d1 = f[k1 + k + 1];
        const d2 = f[k2 + k + 2];
        const d3 = f[k3 + k + 3];
        const a0 = d0 * f[k0 + j];
        const a1 = d1 * f[k1 + j];
        const a2 = d2 * f[k2 + j];
        const a3 = d3 * f[k3 + j];
        const b0 = d0 * f[k0 + j + 1];
        const b1 = d1 * f[k1 + j + 1];
        const b2 = d2 * f[k2 + j + 1];
        const b3 = d3 * f[k3 + j + 1];
        f[c0 + j] -= a0 * f[k0 + j] + a1 * f[k1 + j] + a2 * f[k2 + j] + a3 * f[k3 + j];
        for (let i = j + 1; i < size; i++) {
          const s0 = f[k0 + i];
          const s1 = f[k1 + i];
          const s2 = f[k2 + i];
          const s3 = f[k3 + i];
          f[c0 + i] -= a0 * s0 + a1 * s1 + a2 * s2 + a3 * s3;
          f[c1 + i] -= b0 * s0 + b1 * s1 + b2 * s2 + b3 * s3;
        }
      }
      for (; k < end; k++) {
        const k0 = k * size;
        const a0 = f[k0 + k] * f[k0 + j];
        const b0 = f[k0 + k] * f[k0 + j + 1];
        f[c0 + j] -= a0 * f[k0 + j];
        for (let i = j + 1; i < size; i++) {
          f[c0 + i] -= a0 * f[k0 + i];
          f[c1 + i] -= b0 * f[k0 + i];
        }
      }
    }
    for (; j < size; j++)
      for (let k = start; k < end; k++) {
        const factor = f[k * size + k] * f[k * size + j];
        for (let i = j; i < size; i++) f[j * size + i] -= factor * f[k * size + i];
      }
  }
  return true;
}
