/**
 * Lowest eigenpairs of K x = λ M x by shift-invert Lanczos in the inner product of M: the operator (K − σM)⁻¹ M has the eigenvalues
 * θ = 1/(λ − σ), the wanted ones first. All vectors are kept and each new one is made orthogonal to them twice.
 *
 *   accepted when β |z_last| ≤ 1e-10 θ; else the basis grows
 *
 * Ericsson & Ruhe (1980), doi 10.1090/S0025-5718-1980-0583502-2; Grimes, Lewis & Simon (1994), doi 10.1137/S0895479888151111.
 */
import { random } from '../random.js';
import { denseSymmetricEigen } from './dense-symmetric.js';

export interface Eigenpairs {
  /** Ascending */
  readonly values: Float64Array;
  /** One after the other, xᵀ M x = 1 */
  readonly vectors: readonly Float64Array[];
}

/**
 * @param size   length of vectors
 * @param solve  x ← (K − σM)⁻¹ x
 * @param mass   out = M x
 * @param most   greatest number of independent vectors there are
 */
export function lowestEigenpairs(
  count: number,
  size: number,
  shift: number,
  solve: (x: Float64Array) => void,
  mass: (x: Float64Array, out: Float64Array) => void,
  most: number,
): Eigenpairs {
  const wanted = Math.min(count, most);
  if (wanted === 0) return { values: new Float64Array(0), vectors: [] };
  const basis: Float64Array[] = [];
  const images: Float64Array[] = []; // M times the basis
  const alpha: number[] = [];
  const beta: number[] = [];
  const w = new Float64Array(size);
  const numbers = random(1);
  const start = (): void => {
    for (let i = 0; i < size; i++) w[i] = numbers.uniform() - 0.5;
    const mw = new Float64Array(size);
    mass(w, mw);
    w.set(mw);
    solve(w); // in the range of the operator, so that held unknowns are zero
  };
  const orthogonalise = (): number => {
    const mw = new Float64Array(size);
    for (let turn = 0; turn < 2; turn++) {
      for (let k = 0; k < basis.length; k++) {
        const image = images[k];
        let dot = 0;
        for (let i = 0; i < size; i++) dot += image[i] * w[i];
        const v = basis[k];
        for (let i = 0; i < size; i++) w[i] -= dot * v[i];
      }
    }
    mass(w, mw);
    let square = 0;
    for (let i = 0; i < size; i++) square += w[i] * mw[i];
    const length = Math.sqrt(Math.max(0, square));
    if (length > 0) {
      const v = new Float64Array(size);
      const image = new Float64Array(size);
      for (let i = 0; i < size; i++) {
        v[i] = w[i] / length;
        image[i] = mw[i] / length;
      }
      basis.push(v);
      images.push(image);
    }
    return length;
  };
  start();
  orthogonalise();
  let target = Math.min(most, Math.max(Math.ceil(2.2 * wanted) + 8, 20));
  for (;;) {
    while (alpha.length < Math.min(target, most) && basis.length > alpha.length) {
      const k = alpha.length;
      w.set(images[k]);
      solve(w);
      let a = 0;
      for (let i = 0; i < size; i++) a += images[k][i] * w[i];
      alpha.push(a);
      if (basis.length >= most) break;
      const b = orthogonalise();
      // An invariant subspace: go on with a fresh direction
      if (!(b > 1e-12 * Math.abs(a))) {
        if (b > 0) {
          basis.pop();
          images.pop();
        }
        beta.push(0);
        start();
        if (!(orthogonalise() > 0)) break;
      } else beta.push(b);
    }
    const n = alpha.length;
    const t = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      t[i * n + i] = alpha[i];
      if (i + 1 < n) t[i * n + i + 1] = t[(i + 1) * n + i] = beta[i];
    }
    const { values, vectors } = denseSymmetricEigen(t, n);
    // λ = σ + 1/θ, ascending in λ: positive θ descending (σ below all wanted)
    const order = Array.from({ length: n }, (_, i) => i)
      .filter((i) => values[i] !== 0)
      .sort((i, j) => shift + 1 / values[i] - (shift + 1 / values[j]));
    const chosen = order.slice(0, wanted);
    const last = n < most && beta.length >= n ? beta[n - 1] : 0;
    const done = chosen.every((k) => Math.abs(last * vectors[k * n + n - 1]) <= 1e-10 * Math.abs(values[k]));
    if ((done && chosen.length === wanted) || n >= most || basis.length <= n - 1) {
      const out = chosen.map((k) => {
        const x = new Float64Array(size);
        for (let j = 0; j < n; j++) {
          const z = vectors[k * n + j];
          const v = basis[j];
          for (let i = 0; i < size; i++) x[i] += z * v[i];
        }
        // One sign for good: the entry of largest size is positive
        let at = 0;
        for (let i = 1; i < size; i++) if (Math.abs(x[i]) > Math.abs(x[at]) * (1 + 1e-9)) at = i;
        if (x[at] < 0) for (let i = 0; i < size; i++) x[i] = -x[i];
        return x;
      });
      return { values: Float64Array.from(chosen, (k) => shift + 1 / values[k]), vectors: out };
    }
    target = Math.min(most, Math.ceil(1.4 * target) + 4);
  }
}
