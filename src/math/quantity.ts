/**
 * Numbers as a person reads them: with a prefix of a thousand that leaves one to three digits before the point.
 *
 *   quantity(0.00123, 'm')      1.230 mm
 *   quantity(3.2e-9, 'm³')      3.200 mm³     the prefix is raised with its unit
 *   quantity(0.02, 'kg')        20.00 g
 *   quantity(1e-7, '')          1.000e-7      what has no unit to carry a prefix
 *   quantity(3e-23, 'N m')      0 N m         far below all prefixes
 *
 * Only the first symbol of a unit carries the prefix: N m becomes kN m, m/s becomes mm/s.
 */

export interface ScaledUnit {
  /** A value in the SI unit times this is the number to write. */
  readonly factor: number;
  /** With the prefix, e.g. `kN m` */
  readonly unit: string;
}

const PREFIXES: Readonly<Record<number, string>> = {
  [-12]: 'p',
  [-9]: 'n',
  [-6]: 'µ',
  [-3]: 'm',
  0: '',
  3: 'k',
  6: 'M',
  9: 'G',
};
/** Exponent of the smallest prefix; of a number with it, what is shown as zero */
const SMALLEST = -12;
const NOTHING = 1e-3;
const POWERS: Readonly<Record<string, number>> = { '': 1, '²': 2, '³': 3, '⁴': 4 };
/** Symbols that take a prefix, and the largest exponent that is usual with them: nobody writes ks or krad. */
const LARGEST: Readonly<Record<string, number>> = {
  m: 3,
  g: 3,
  N: 9,
  J: 9,
  W: 9,
  Pa: 9,
  Hz: 9,
  V: 6,
  A: 3,
  s: 0,
  rad: 0,
};

/**
 * The prefix for numbers of about this size.
 *
 * @param magnitude the largest |value| that will be written, in the SI unit
 */
export function scaledUnit(magnitude: number, unit: string): ScaledUnit {
  const match = /^(k?[A-Za-z]+)([²³⁴]?)(.*)$/su.exec(unit);
  const symbol = match?.[1] === 'kg' ? 'g' : (match?.[1] ?? '');
  const largest = LARGEST[symbol];
  if (match === null || largest === undefined || !(magnitude > 0 && magnitude < Infinity)) return { factor: 1, unit };
  const [, , mark, rest] = match;
  const power = POWERS[mark];
  const size = symbol === 'g' ? 1000 * magnitude : magnitude;
  // 0.012 m² and 0.005 m³ are read more easily than 12 000 mm² and 5 000 000 mm³
  const least = power === 1 ? 1 : power === 2 ? 1e-2 : 1e-3;
  let exponent = power === 1 ? largest : 0;
  while (exponent > SMALLEST && size * powerOfTen(-exponent * power) < least * (1 - 1e-12)) exponent -= 3;
  const head = symbol === 'g' && exponent === 3 ? 'kg' : `${PREFIXES[exponent]}${symbol}`;
  return {
    factor: (symbol === 'g' ? 1000 : 1) * powerOfTen(-exponent * power),
    unit: `${head}${mark}${rest}`,
  };
}

/** 10^n as a double written out would be */
const powerOfTen = (n: number): number => Number(`1e${n}`);

/** A number with its unit and the prefix that suits it; `–` for what is not a number. Far below the smallest prefix is nothing: 3e-23 N m is rounding. */
export function quantity(value: number, unit: string, digits = 4): string {
  const scaled = scaledUnit(Math.abs(value), unit);
  if (scaled.factor > 1 && Math.abs(value * scaled.factor) < NOTHING) return `0 ${unit}`;
  const text = decimal(value * scaled.factor, digits);
  return scaled.unit === '' || Number.isNaN(value) ? text : `${text} ${scaled.unit}`;
}

/** With so many digits, as long as that is readable; a power of ten beyond. */
export function decimal(value: number, digits = 4): string {
  if (Number.isNaN(value)) return '–';
  if (value === 0) return '0';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  const size = Math.abs(value);
  const text =
    size >= 1e-3 && size < powerOfTen(Math.max(5, digits))
      ? plain(value, digits)
      : value.toExponential(digits - 1).replace('e+', 'e');
  return text.replace('-', '−').replace('e-', 'e−');
}

function plain(value: number, digits: number): string {
  const text = value.toPrecision(digits);
  return text.includes('e') ? value.toFixed(0) : text;
}
