/** A claim that can be re-run: a figure, its reference, the error that is allowed. */
export interface Check {
  /** As in the docs: A01, ANDREWS, S3 … */
  readonly id: string;
  readonly title: string;
  /** Where the reference comes from. */
  readonly source: string;
  /** Largest error that passes. */
  readonly limit: number;
  /** More than a few seconds: run with --all only. */
  readonly long?: boolean;
  measure(): Promise<Measured> | Measured;
}

export interface Measured {
  readonly value: number;
  readonly reference: number;
  /** |value − reference|, unless said: relative errors and orders say their own. */
  readonly error?: number;
}

export interface CheckResult {
  readonly id: string;
  readonly title: string;
  readonly value: number;
  readonly reference: number;
  readonly error: number;
  readonly limit: number;
  readonly pass: boolean;
  readonly seconds: number;
  readonly source: string;
  /** Why there is no value: the check itself failed. */
  readonly failure?: string;
}

export const relative = (value: number, reference: number): Measured => ({
  value,
  reference,
  error: Math.abs(value / reference - 1),
});

/** Made when first asked for, and kept: figures of one run that several claims are about */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** A claim that a value is within `limit` of its reference; long unless said */
export const within = (
  id: string,
  title: string,
  source: string,
  reference: number,
  limit: number,
  value: () => number | Promise<number>,
  long = true,
): Check => ({
  id,
  title,
  source,
  limit,
  long,
  measure: async () => ({ value: await value(), reference }),
});

/** A claim that a value is at most `limit`: a cost, a ratio of costs */
export const atMost = (
  id: string,
  title: string,
  source: string,
  limit: number,
  value: () => number | Promise<number>,
): Check => ({
  id,
  title,
  source,
  limit: 0,
  long: true,
  measure: async () => {
    const measured = await value();
    return { value: measured, reference: limit, error: Math.max(0, measured - limit) };
  },
});
