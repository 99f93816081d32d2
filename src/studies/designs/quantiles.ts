/** Quantiles of the normal and of Student's distribution. */
import { exp, log } from '../../math/elementary.js';

const CENTRE = [
  [
    3.387132872796366608, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
    4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3,
  ],
  [
    1, 4.2313330701600911252e1, 6.871870074920579083e2, 5.3941960214247511077e3, 2.1213794301586595867e4,
    3.930789580009271061e4, 2.8729085735721942674e4, 5.226495278852854561e3,
  ],
];
const SIDE = [
  [
    1.42343711074968357734, 4.6303378461565452959, 5.7694972214606914055, 3.64784832476320460504,
    1.27045825245236838258, 2.4178072517745061177e-1, 2.27238449892691845833e-2, 7.7454501427834140764e-4,
  ],
  [
    1, 2.05319162663775882187, 1.6763848301838038494, 6.8976733498510000455e-1, 1.4810397642748007459e-1,
    1.51986665636164571966e-2, 5.475938084995344946e-4, 1.05075007164441684324e-9,
  ],
];
const TAIL = [
  [
    6.6579046435011037772, 5.4637849111641143699, 1.7848265399172913358, 2.9656057182850489123e-1,
    2.6532189526576123093e-2, 1.2426609473880784386e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7,
  ],
  [
    1, 5.9983220655588793769e-1, 1.3692988092273580531e-1, 1.48753612908506148525e-2, 7.868691311456132591e-4,
    1.8463183175100546818e-5, 1.4215117583164458887e-7, 2.04426310338993978564e-15,
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
