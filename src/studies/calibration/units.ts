/** Units of measured columns, brought to SI: `mm`, `deg`, `km/h`, `rpm`, `kN m`, `1/min`; a prefix, a product by space or ·, a quotient, powers by ², ³ or ^2. */
import { ModelError, suggestion } from '../../errors.js';

/** Exponents of m, kg, s, A, K; angles count as numbers */
type Dimension = readonly [number, number, number, number, number];
interface Unit {
  readonly factor: number;
  readonly dimension: Dimension;
}

const unit = (factor: number, ...exponents: number[]): Unit => ({
  factor,
  dimension: [0, 1, 2, 3, 4].map((i) => exponents[i] ?? 0) as unknown as Dimension,
});
const SYMBOLS: Readonly<Record<string, Unit>> = {
  m: unit(1, 1),
  g: unit(1e-3, 0, 1),
  s: unit(1, 0, 0, 1),
  A: unit(1, 0, 0, 0, 1),
  K: unit(1, 0, 0, 0, 0, 1),
  N: unit(1, 1, 1, -2),
  J: unit(1, 2, 1, -2),
  W: unit(1, 2, 1, -3),
  Pa: unit(1, -1, 1, -2),
  Hz: unit(1, 0, 0, -1),
  V: unit(1, 2, 1, -3, -1),
  bar: unit(1e5, -1, 1, -2),
  t: unit(1e3, 0, 1),
  rad: unit(1),
};
/** Those that take no prefix */
const WHOLE: Readonly<Record<string, Unit>> = {
  min: unit(60, 0, 0, 1),
  h: unit(3600, 0, 0, 1),
  d: unit(86400, 0, 0, 1),
  deg: unit(Math.PI / 180),
  '°': unit(Math.PI / 180),
  rev: unit(2 * Math.PI),
  rpm: unit((2 * Math.PI) / 60, 0, 0, -1),
  in: unit(0.0254, 1),
  inch: unit(0.0254, 1),
  ft: unit(0.3048, 1),
  lbf: unit(4.4482216152605, 1, 1, -2),
  '%': unit(0.01),
  '1': unit(1),
  '-': unit(1),
};
const PREFIXES: Readonly<Record<string, number>> = {
  n: 1e-9,
  µ: 1e-6,
  μ: 1e-6,
  u: 1e-6,
  m: 1e-3,
  c: 1e-2,
  d: 1e-1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
};

/** @throws ModelError for a unit that is not known */
export function parseUnit(text: string, path: string): Unit {
  const [above, ...below] = text.trim().split('/');
  let result = product(above, text, path);
  for (const part of below) result = times(result, power(product(part, text, path), -1));
  return result;
}

function product(text: string, whole: string, path: string): Unit {
  return text
    .split(/[\s·*]+/)
    .filter((word) => word !== '')
    .map((word) => symbol(word.replace(/^\((.*)\)$/, '$1'), whole, path))
    .reduce(times, unit(1));
}

function symbol(word: string, whole: string, path: string): Unit {
  const match = /^(.+?)(?:\^?(-?\d)|([²³⁴]))?$/u.exec(word);
  const name = match?.[1] ?? word;
  const exponent = match?.[2] !== undefined ? Number(match[2]) : match?.[3] ? '²³⁴'.indexOf(match[3]) + 2 : 1;
  const found =
    lookup(WHOLE, name) ??
    lookup(SYMBOLS, name) ??
    (PREFIXES[name[0]] !== undefined && lookup(SYMBOLS, name.slice(1))
      ? times(unit(PREFIXES[name[0]]), SYMBOLS[name.slice(1)])
      : undefined);
  if (!found)
    throw new ModelError(
      path,
      `"${whole}" is no unit that is known${suggestion(name, [...Object.keys(SYMBOLS), ...Object.keys(WHOLE)]) || '; expected one such as mm, deg, km/h, rpm, kN m'}`,
    );
  return power(found, exponent);
}

const lookup = (table: Readonly<Record<string, Unit>>, name: string): Unit | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
const times = (a: Unit, b: Unit): Unit => ({
  factor: a.factor * b.factor,
  dimension: a.dimension.map((e, i) => e + b.dimension[i]) as unknown as Dimension,
});
const power = (a: Unit, exponent: number): Unit => ({
  factor: exponent < 0 ? 1 / a.factor ** -exponent : a.factor ** exponent,
  dimension: a.dimension.map((e) => e * exponent) as unknown as Dimension,
});

/**
 * A column's values times this are in the SI unit of a signal.
 *
 * @throws ModelError where the two are not of one kind
 */
export function toSi(column: string, si: string, path: string): number {
  if (column === '') return 1;
  const [from, to] = [parseUnit(column, path), parseUnit(si, path)];
  if (from.dimension.some((e, i) => e !== to.dimension[i]))
    throw new ModelError(path, `is measured in ${column}, which cannot be brought to ${si || 'a number without unit'}`);
  return from.factor / to.factor;
}
