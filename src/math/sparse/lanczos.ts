/**
 * Lowest eigenpairs of K x = λ M x by shift-invert Lanczos in the inner product of M: the operator (K − σM)⁻¹ M has the eigenvalues
 * θ = 1/(λ − σ), the wanted ones first. All vectors are kept and each new one is made orthogonal to them twice.
 *
 *   accepted when β |z_last| ≤ 1e-10 θ; else the basis grows
 *
 * A basis that grows from one vector holds one vector of a repeated eigenvalue (a square, a disc, equal teeth of a comb); others come into it by
 * rounding alone, perhaps after all that is wanted was accepted. So the search goes on from a fresh vector orthogonal to what was found, until what
 * is largest there is clearly below all of it.
 *
 * Ericsson & Ruhe (1980), doi 10.1090/S0025-5718-1980-0583502-2; Grimes, Lewis & Simon (1994), doi 10.1137/S0895479888151111; Parlett (1998), The
 * Symmetric Eigenvalue Problem, § 13.
 */
import { random } from '../random.js';
import { denseSymmetricEigen } from './dense-symmetric.js';

export interface Eigenpairs {
  /** Ascending */
  readonly values: Float64Array;
  /** One after the other, xᵀ M x = 1 */
  readonly vectors: readonly Float64Array[];
}

/** An eigenpair of the operator */
interface Found {
  readonly theta: number;
  readonly x: Float64Array;
  /** M x */
  readonly image: Float64Array;
}

/** Residuals accepted, as part of θ: of what is given out; of what only shows that nothing was missed */
const ACCEPTED = 1e-10;
const SEEN = 1e-6;
/** Eigenvalues nearer than this are one to what residuals tell */
const SAME = 1e-9;

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
  const operator: Operator = { size, solve, mass, uniform: random(1).uniform };
  let found = lanczos(operator, [], most, wanted, Math.max(Math.ceil(2.2 * wanted) + 8, 20), ACCEPTED, 0);
  while (found.length < most) {
    const least = (found.length < wanted ? 0 : found[found.length - 1].theta) * (1 + SAME);
    const missed = lanczos(operator, found, most - found.length, 1, 12, SEEN, least).filter(
      ({ theta }) => theta > least,
    );
    if (missed.length === 0) break;
    found = [...found, ...missed].sort((a, b) => b.theta - a.theta).slice(0, wanted);
  }
  for (const { x } of found) {
    // One sign for good: the entry of largest size is positive
    let at = 0;
    for (let i = 1; i < size; i++) if (Math.abs(x[i]) > Math.abs(x[at]) * (1 + 1e-9)) at = i;
    if (x[at] < 0) for (let i = 0; i < size; i++) x[i] = -x[i];
  }
  return { values: Float64Array.from(found, ({ theta }) => shift + 1 / theta), vectors: found.map(({ x }) => x) };
}

interface Operator {
  readonly size: number;
  readonly solve: (x: Float64Array) => void;
  readonly mass: (x: Float64Array, out: Float64Array) => void;
  readonly uniform: () => number;
}

/**
 * The largest eigenpairs of the operator orthogonal to those that are known, from one fresh vector.
 *
 * @param known    taken out of every vector
 * @param most     greatest number of independent vectors there are beside them
 * @param first    size of the basis at which it is looked at first
 * @param residual accepted, as part of θ, of pairs below `above`; of those above it 1e-10 always
 */
function lanczos(
  { size, solve, mass, uniform }: Operator,
  known: readonly Found[],
  most: number,
  wanted: number,
  first: number,
  residual: number,
  above: number,
): Found[] {
  const basis: Float64Array[] = [];
  const images: Float64Array[] = []; // M times the basis
  const alpha: number[] = [];
  const beta: number[] = [];
  const w = new Float64Array(size);
  const start = (): void => {
    for (let i = 0; i < size; i++) w[i] = uniform() - 0.5;
    const mw = new Float64Array(size);
    mass(w, mw);
    w.set(mw);
    solve(w); // in the range of the operator, so that held unknowns are zero
  };
  const takeOut = (v: Float64Array, image: Float64Array): void => {
    let dot = 0;
    for (let i = 0; i < size; i++) dot += image[i] * w[i];
    for (let i = 0; i < size; i++) w[i] -= dot * v[i];
  };
  const orthogonalise = (): number => {
    const mw = new Float64Array(size);
    for (let turn = 0; turn < 2; turn++) {
      for (const { x, image } of known) takeOut(x, image);
      for (let k = 0; k < basis.length; k++) takeOut(basis[k], images[k]);
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
  let target = Math.min(most, first);
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
    const order = Array.from({ length: n }, (_, i) => i)
      .filter((i) => values[i] > 0) // what rounds to nothing beside the largest may be negative
      .sort((i, j) => values[j] - values[i]);
    const chosen = order.slice(0, wanted);
    const last = n < most && beta.length >= n ? beta[n - 1] : 0;
    const done = chosen.every((k) => {
      const off = Math.abs(last * vectors[k * n + n - 1]);
      return off <= (values[k] + off > above ? ACCEPTED : residual) * values[k];
    });
    if ((done && chosen.length === wanted) || n >= most || basis.length <= n - 1)
      return chosen.map((k) => {
        const x = new Float64Array(size);
        const image = new Float64Array(size);
        for (let j = 0; j < n; j++) {
          const z = vectors[k * n + j];
          const [v, own] = [basis[j], images[j]];
          for (let i = 0; i < size; i++) {
            x[i] += z * v[i];
            image[i] += z * own[i];
          }
        }
        return { theta: values[k], x, image };
      });
    target = Math.min(most, Math.ceil(1.4 * target) + 4);
  }
}
