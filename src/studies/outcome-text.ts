/** Outcomes as lines of JSON, bit for bit: JSON has no NaN, no ∞ and no −0, so these are texts. */
import type { Outcome } from './run-task.js';

const SPECIAL: Readonly<Record<string, number>> = { NaN: Number.NaN, Infinity, '-Infinity': -Infinity, '-0': -0 };

const packed = (value: number): number | string =>
  Number.isFinite(value) && !Object.is(value, -0) ? value : Object.is(value, -0) ? '-0' : String(value);
const unpacked = (value: unknown): number =>
  typeof value === 'string' ? (SPECIAL[value] ?? Number.NaN) : Number(value);

export function outcomeText(outcome: Outcome): string {
  return JSON.stringify({
    ...outcome,
    outputs: Object.fromEntries(Object.entries(outcome.outputs).map(([name, value]) => [name, packed(value)])),
    ...(outcome.samples && { samples: outcome.samples.map(packed) }),
    ...(outcome.tangents && { tangents: outcome.tangents.map((one) => one.map(packed)) }),
  });
}

/** @throws SyntaxError on what is no outcome, such as a line that a kill has cut */
export function outcomeFrom(text: string): Outcome {
  const raw = JSON.parse(text) as Outcome & {
    outputs: Record<string, unknown>;
    samples?: unknown[];
    tangents?: unknown[][];
  };
  if (typeof raw.key !== 'string' || typeof raw.status !== 'string') throw new SyntaxError('no outcome');
  return {
    ...raw,
    outputs: Object.fromEntries(Object.entries(raw.outputs).map(([name, value]) => [name, unpacked(value)])),
    ...(raw.samples && { samples: raw.samples.map(unpacked) }),
    ...(raw.tangents && { tangents: raw.tangents.map((one) => one.map(unpacked)) }),
  };
}

/** What must be equal wherever a run is computed: all but the clock */
export const outcomeBits = ({ seconds: _, ...rest }: Outcome): string => outcomeText({ ...rest, seconds: 0 });

/** JSON with sorted keys and numbers in their shortest form: equal data, equal text */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`)
      .join(',')}}`;
  if (typeof value === 'number') return JSON.stringify(packed(value));
  return JSON.stringify(value) ?? 'null';
}
