/**
 * Quantities over time written as data, where a function of time may stand: the angle or position of a driven joint, the target of a motor, the
 * force of one. Each gives value, rate and acceleration in closed form.
 *
 *   constant   value
 *   ramp       from + (to − from) σ(τ), τ = (t − start)/duration within 0 … 1, σ = 10 τ³ − 15 τ⁴ + 6 τ⁵: from rest to rest, the
 *              acceleration is continuous too, greatest 5.77 (to − from)/duration²
 *   sine       offset + amplitude sin(2π frequency t + phase)
 *   table      the cubic spline through (times, values): before the first time and after the last one it rests there, so the spline begins
 *              and ends with rate 0; its acceleration is continuous but at these two
 *
 * Spline: with hᵢ = tᵢ₊₁ − tᵢ the rates m obey  m₀ = mₙ = 0,  mᵢ₋₁/hᵢ₋₁ + 2 (1/hᵢ₋₁ + 1/hᵢ) mᵢ + mᵢ₊₁/hᵢ = 3 (Δyᵢ₋₁/hᵢ₋₁² + Δyᵢ/hᵢ²).
 */

import { cos, sin } from '../math/elementary.js';
import { notNegative, positive, real, shown } from './schema.js';
import * as z from './schema-kinds.js';

/** Value, rate, acceleration. */
type Triple = readonly [number, number, number];

const many = (what: string, unit: string) =>
  z.array(real(what, unit), { error: ({ input }) => `expected ${what} in ${unit}, a list, got ${shown(input)}` });

const schemaOf = (what: string, unit: string) =>
  z.discriminatedUnion(
    'kind',
    [
      z.strictObject({ kind: z.literal('constant'), value: real(what, unit) }),
      z.strictObject({
        kind: z.literal('ramp'),
        /** 0 unless given */
        from: real(what, unit).optional(),
        to: real(what, unit),
        /** 0 unless given */
        start: notNegative('a time', 's').optional(),
        duration: positive('a time', 's'),
      }),
      z.strictObject({
        kind: z.literal('sine'),
        amplitude: real(what, unit),
        frequency: positive('a frequency', 'Hz'),
        /** 0 unless given */
        phase: real('an angle', 'rad').optional(),
        /** 0 unless given */
        offset: real(what, unit).optional(),
      }),
      z
        .strictObject({ kind: z.literal('table'), times: many('times', 's'), values: many(what, unit) })
        .superRefine(({ times, values }, told) => {
          const refuse = (path: PropertyKey[], message: string) => told.addIssue({ code: 'custom', path, message });
          if (times.length < 2) refuse(['times'], `expected at least 2 times in s, got ${times.length}`);
          else if (values.length !== times.length)
            refuse(['values'], `expected ${times.length} values, as many as times, got ${values.length}`);
          const i = times.findIndex((time, k) => k > 0 && !(time > times[k - 1]));
          if (i > 0) refuse(['times', i], `expected more than the time before, ${times[i - 1]} s, got ${times[i]}`);
        }),
    ],
    {
      error: ({ input }) =>
        `expected ${what} in ${unit} as data of kind constant, ramp, sine or table, got ${shown(input)}`,
    },
  );

export type MotionData = z.output<ReturnType<typeof schemaOf>>;

/** A function of time that still knows the data it was made of. */
export interface DataMotion {
  (t: number): Triple;
  readonly data: MotionData;
}

/** Data in the model, a function behind it: value, rate and acceleration. */
export const motionData = (what: string, unit: string) =>
  schemaOf(what, unit).transform((data): DataMotion => Object.assign(motionFromData(data), { data }));

/** The same where only the value is asked for. */
export const valueData = (what: string, unit: string) =>
  schemaOf(what, unit).transform((data): ((t: number) => number) => {
    const motion = motionFromData(data);
    return Object.assign((t: number) => motion(t)[0], { data });
  });

/** The data a function of time was made of; undefined if a user wrote the function. */
export const dataOf = (motion: unknown): MotionData | undefined =>
  typeof motion === 'function' && 'data' in motion ? (motion as DataMotion).data : undefined;

const TURN = 2 * Math.PI;

export function motionFromData(data: Readonly<MotionData>): (t: number) => Triple {
  switch (data.kind) {
    case 'constant': {
      const held: Triple = [data.value, 0, 0];
      return () => held;
    }
    case 'ramp': {
      const { from = 0, to, start = 0, duration } = data;
      const rise = to - from;
      return (t) => {
        const x = Math.min(1, Math.max(0, (t - start) / duration));
        const y = 1 - x;
        return [
          from + rise * x * x * x * (10 - 15 * x + 6 * x * x),
          (rise * 30 * x * x * y * y) / duration,
          (rise * 60 * x * y * (y - x)) / (duration * duration),
        ];
      };
    }
    case 'sine': {
      const { amplitude, frequency, phase = 0, offset = 0 } = data;
      const omega = TURN * frequency;
      return (t) => {
        const [s, c] = [sin(omega * t + phase), cos(omega * t + phase)];
        return [offset + amplitude * s, amplitude * omega * c, -amplitude * omega * omega * s];
      };
    }
    case 'table':
      return spline(data.times, data.values);
  }
}

function spline(times: readonly number[], values: readonly number[]): (t: number) => Triple {
  const last = times.length - 1;
  const rates = splineRates(times, values);
  return (t) => {
    if (t <= times[0]) return [values[0], 0, 0];
    if (t >= times[last]) return [values[last], 0, 0];
    let [i, j] = [0, last]; // times[i] ≤ t < times[j]
    while (j - i > 1) {
      const middle = (i + j) >> 1;
      if (times[middle] <= t) i = middle;
      else j = middle;
    }
    const h = times[i + 1] - times[i];
    const x = (t - times[i]) / h;
    const y = 1 - x;
    const slope = (values[i + 1] - values[i]) / h;
    return [
      y * y * ((1 + 2 * x) * values[i] + x * h * rates[i]) +
        x * x * ((1 + 2 * y) * values[i + 1] - y * h * rates[i + 1]),
      6 * x * y * slope + y * (1 - 3 * x) * rates[i] + x * (1 - 3 * y) * rates[i + 1],
      (6 * (y - x) * slope + (6 * x - 4) * rates[i] + (6 * x - 2) * rates[i + 1]) / h,
    ];
  };
}

/** The tridiagonal system of the rates, by elimination; it is diagonally dominant. */
function splineRates(times: readonly number[], values: readonly number[]): Float64Array {
  const n = times.length - 1;
  const rates = new Float64Array(n + 1);
  const above = new Float64Array(n + 1);
  for (let i = 1; i < n; i++) {
    const [a, b] = [1 / (times[i] - times[i - 1]), 1 / (times[i + 1] - times[i])];
    const right = 3 * ((values[i] - values[i - 1]) * a * a + (values[i + 1] - values[i]) * b * b);
    const pivot = 2 * (a + b) - a * above[i - 1];
    above[i] = b / pivot;
    rates[i] = (right - a * rates[i - 1]) / pivot;
  }
  for (let i = n - 1; i > 0; i--) rates[i] -= above[i] * rates[i + 1];
  return rates;
}
