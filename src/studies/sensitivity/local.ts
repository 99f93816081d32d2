/**
 * Derivatives of outputs by parameters at one point, from whole runs at p ± δ and p ± 2δ with tight tolerance:
 *
 *   D(δ) = (y(p + δ) − y(p − δ))/2δ
 *
 * Contact laws are smooth enough for that (differences through an impact are good to 1e-5), where tangents through contact are wrong by percents: a Hertz contact is only
 * once differentiable as it begins. Where D(δ) and D(2δ) disagree the derivative is doubtful; where the runs have other events, or touch another number of times, the output may
 * jump there: it is said, and the two one-sided values are given.
 */

/** Of a run: whether it came through, what it gave, which events it had */
interface Told {
  readonly status: string;
  readonly outputs: Readonly<Record<string, number>>;
  readonly events?: readonly string[];
}

export interface LocalDerivative {
  readonly value: number;
  /** |D(2δ) − D(δ)|/3: what the next order leaves */
  readonly error: number;
  /** dy/dp · p/y: change in per cent by a per cent */
  readonly relative: number;
  /** Why it is not to be relied upon, in words */
  readonly doubt?: string;
  readonly below?: number;
  readonly above?: number;
}

/** Of a parameter's value */
export const USUAL_DIFFERENCE = 1e-4;
export const TIGHT = 1e-9;
const DISAGREEMENT = 1e-4;

/** Multiples of δ at which runs are made, in the order of `derivativeOf` */
export const STEPS = [-2, -1, 1, 2] as const;

/** @param around outcomes at p + STEPS·δ */
export function derivativeOf(
  output: string,
  at: number,
  step: number,
  base: Told,
  around: readonly (Told | undefined)[],
): LocalDerivative {
  const [y0, ...y] = [base, ...around].map((outcome) =>
    outcome?.status === 'ok' ? outcome.outputs[output] : Number.NaN,
  );
  const [twoBelow, below, above, twoAbove] = y;
  const value = (above - below) / (2 * step);
  const wide = (twoAbove - twoBelow) / (4 * step);
  const size = Math.max(Math.abs(value), Math.abs(wide));
  // differences of two nearly equal numbers: what rounding and the tolerance of the runs leave
  const noise = (TIGHT * Math.max(Math.abs(y0), 1e-300)) / step;
  const error = Math.abs(wide - value) / 3;
  const relative = (value * at) / y0;
  const sides = { below: (y0 - below) / step, above: (above - y0) / step };
  if (!y.every(Number.isFinite))
    return { value, error, relative, doubt: 'a run beside it failed, or gave no number', ...sides };
  const other = around.find((outcome) => differs(outcome!.events, base.events));
  if (other)
    return { value, error, relative, doubt: `may jump here: ${difference(base.events, other.events)}`, ...sides };
  if (Math.abs(wide - value) > DISAGREEMENT * size + noise)
    return {
      value,
      error,
      relative,
      doubt: `differences over ${step} and ${2 * step} disagree by ${((100 * Math.abs(wide - value)) / size).toPrecision(2)} %`,
      ...sides,
    };
  return { value, error, relative };
}

const differs = (a: readonly string[] = [], b: readonly string[] = []): boolean =>
  a.length !== b.length || a.some((name, i) => name !== b[i]);

function difference(a: readonly string[] = [], b: readonly string[] = []): string {
  const i = a.findIndex((name, k) => name !== b[k]);
  const at = i < 0 ? a.length : i;
  return `"${a[at] ?? 'nothing'}" here, "${b[at] ?? 'nothing'}" beside it`;
}
