/** Quantiles of the normal, of Student's and of Fisher's distribution. */
import { exp, log } from '../../math/elementary.js';

const CENTRE = [
  [
    3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987, 67265.7709270087,
    33430.57558358813, 2509.0809287301227,
  ],
  [
    1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271,
    28729.085735721943, 5226.495278852854,
  ],
];
const SIDE = [
  [
    1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684,
    0.2417807251774506, 0.022723844989269184, 0.0007745450142783414,
  ],
  [
    1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
    0.0005475938084995345, 1.0507500716444169e-9,
  ],
];
const TAIL = [
  [
    6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
    0.0012426609473880784, 2.7115555687434876e-5, 2.0103343992922881e-7,
  ],
  [
    1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133, 1.8463183175100548e-5,
    1.421511758316446e-7, 2.0442631033899397e-15,
  ],
];

/** z with Φ(z) = u, 0 < u < 1, to 1e-16: Wichura (1988), algorithm AS 241, doi 10.2307/2347330 */
export function normalQuantile(u: number): number {
  if (!(u > 0)) return Number.NEGATIVE_INFINITY;
  if (!(u < 1)) return Number.POSITIVE_INFINITY;
  const q = u - 0.5;
  if (Math.abs(q) <= 0.425) return q * ratio(CENTRE, 0.180625 - q * q);
  const r = Math.sqrt(-log(q < 0 ? u : 1 - u));
  const z = r <= 5 ? ratio(SIDE, r - 1.6) : ratio(TAIL, r - 5);
  return q < 0 ? -z : z;
}

const polynomial = (c: readonly number[], x: number): number => c.reduceRight((sum, a) => sum * x + a, 0);
const ratio = ([above, below]: readonly (readonly number[])[], x: number): number =>
  polynomial(above, x) / polynomial(below, x);

/**
 * t that Student's variable of ν degrees of freedom stays below with probability u. Its distribution is, for t > 0,
 *
 *   F(t) = 1 − ½ I_x(ν/2, ½),    x = ν/(ν + t²)
 *
 * with I the incomplete beta function by its continued fraction (Abramowitz & Stegun 26.5.8, 26.7.1); t by halving.
 */
export function studentQuantile(u: number, freedom: number): number {
  if (u < 0.5) return -studentQuantile(1 - u, freedom);
  if (!(freedom < 1e7)) return normalQuantile(u);
  const below = (t: number): number => 1 - 0.5 * incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5);
  return reachedAt(below, u);
}

/**
 * F that the ratio of two mean squares, of n and ν degrees of freedom, stays below with probability u:
 *
 *   P(F) = I_x(n/2, ν/2),    x = n F/(n F + ν)        (Abramowitz & Stegun 26.6.2)
 */
export function fisherQuantile(u: number, n: number, freedom: number): number {
  return reachedAt((f) => incompleteBeta((n * f) / (n * f + freedom), n / 2, freedom / 2), u);
}

/** Where a distribution over positive values reaches u, by halving */
function reachedAt(below: (value: number) => number, u: number): number {
  let [low, high] = [0, 1];
  while (below(high) < u && high < 1e300) high *= 2;
  for (let i = 0; i < 200 && high - low > 1e-15 * high; i++) {
    const middle = 0.5 * (low + high);
    if (below(middle) < u) low = middle;
    else high = middle;
  }
  return 0.5 * (low + high);
}

/** I_x(a, b); the fraction converges fast for x < (a + 1)/(a + b + 2), the other side by I_x(a, b) = 1 − I_{1−x}(b, a) */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * log(x) + b * log(1 - x)) / a;
  // 1/(1 + d₁/(1 + d₂/(1 + …))), evaluated from the front as a quotient of two sequences that are kept near 1
  let [numerator, denominator] = [1, 1];
  let [numeratorBefore, denominatorBefore] = [1, 0];
  let value = 1;
  for (let i = 1; i < 400; i++) {
    const m = Math.floor(i / 2);
    const d =
      i % 2 === 0
        ? (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
        : (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    [numerator, numeratorBefore] = [numerator + d * numeratorBefore, numerator];
    [denominator, denominatorBefore] = [denominator + d * denominatorBefore, denominator];
    const scale = 1 / numerator;
    numerator *= scale;
    numeratorBefore *= scale;
    denominator *= scale;
    denominatorBefore *= scale;
    const now = numerator / denominator;
    if (Math.abs(now - value) < 1e-16 * Math.abs(now)) break;
    value = now;
  }
  return front / value;
}

/** log Γ(x), x > 0: Stirling's series above 10, Γ(x) = Γ(x + 1)/x below */
function logGamma(x: number): number {
  let [shift, z] = [0, x];
  while (z < 10) {
    shift += log(z);
    z += 1;
  }
  const w = 1 / (z * z);
  const series = (1 / 12 - w * (1 / 360 - w * (1 / 1260 - w * (1 / 1680 - w * (1 / 1188 - (w * 691) / 360360))))) / z;
  return (z - 0.5) * log(z) - z + 0.5 * log(2 * Math.PI) + series - shift;
}
