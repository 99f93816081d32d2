/** What an output may ask of a signal over a window of time. */
import { ModelError } from '../../errors.js';
import type { Recording } from '../../results/recording.js';
import { Signal } from '../../results/signal.js';

const AXES = ['x', 'y', 'z'] as const;

export interface SignalFacts {
  readonly name: string;
  readonly unit: string;
}

/** Whether a run records it: itself, or as a vector of which the length is meant (`ball.contact.force` of `ball.contact.force.x, .y, .z`) */
export function findSignal(name: string, recording: Recording): SignalFacts | undefined {
  if (recording.has(name)) return { name, unit: recording.signal(name).unit };
  if (AXES.every((axis) => recording.has(`${name}.${axis}`))) return { name, unit: recording.signal(`${name}.x`).unit };
  return undefined;
}

/** A signal by its name; a vector's length where the name is that of a vector */
export function signalOf(recording: Recording, name: string): Signal {
  if (recording.has(name) || !AXES.every((axis) => recording.has(`${name}.${axis}`))) return recording.signal(name);
  const parts = AXES.map((axis) => recording.signal(`${name}.${axis}`));
  const [x, y, z] = parts.map(({ values }) => values);
  return new Signal(
    { name, unit: parts[0].unit, description: `length of ${name}` },
    recording.times,
    x.map((_, i) => Math.sqrt(x[i] * x[i] + y[i] * y[i] + z[i] * z[i])),
  );
}

/** Rows between two times, those on the borders made by interpolation: a signal of its own */
export function windowOf(signal: Signal, from: number, to: number): Signal {
  const { times, values } = signal;
  const first = Math.max(from, times[0]);
  const last = Math.min(to, times[times.length - 1]);
  if (!(last >= first))
    throw new ModelError(
      signal.name,
      `expected a window within the run, ${times[0]} to ${times[times.length - 1]} s, got ${from} to ${to}`,
    );
  const t: number[] = [];
  const v: number[] = [];
  if (times.length > 0 && first > times[0]) {
    t.push(first);
    v.push(signal.valueAt(first));
  }
  for (let i = 0; i < times.length; i++)
    if (times[i] >= first && times[i] <= last && !(t.length === 1 && times[i] === first && first > times[0])) {
      t.push(times[i]);
      v.push(values[i]);
    }
  if (t[t.length - 1] < last) {
    t.push(last);
    v.push(signal.valueAt(last));
  }
  return new Signal(signal, Float64Array.from(t), Float64Array.from(v));
}

/** ∫ f(x) dt by trapezoids */
export function integralOf({ times, values }: Signal, of: (value: number) => number = (x) => x): number {
  let sum = 0;
  for (let i = 1; i < times.length; i++) sum += 0.5 * (of(values[i]) + of(values[i - 1])) * (times[i] - times[i - 1]);
  return sum;
}

/** Over time, not over rows; the one value where there is one */
export function meanOf(signal: Signal, of: (value: number) => number = (x) => x): number {
  const { times, values } = signal;
  const span = times[times.length - 1] - times[0];
  return span > 0 ? integralOf(signal, of) / span : of(values[0]);
}

/** Times at which it passes a level upwards, on straight lines between rows */
export function upwardCrossings({ times, values }: Signal, level: number): number[] {
  const found: number[] = [];
  for (let i = 1; i < times.length; i++)
    if (values[i - 1] < level && values[i] >= level)
      found.push(times[i - 1] + ((level - values[i - 1]) / (values[i] - values[i - 1])) * (times[i] - times[i - 1]));
  return found;
}

/**
 * The period of what swings: slope of the straight line that fits the times of its upward passes through the middle between its extremes best. NaN where it
 * passes less than twice.
 */
export function periodOf(signal: Signal): number {
  const passes = upwardCrossings(signal, 0.5 * (signal.min() + signal.max()));
  const n = passes.length;
  if (n < 2) return Number.NaN;
  const middle = (n - 1) / 2;
  let [above, below] = [0, 0];
  passes.forEach((t, k) => {
    above += (k - middle) * (t - passes[0]);
    below += (k - middle) * (k - middle);
  });
  return above / below;
}
