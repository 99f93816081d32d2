/** Numbers as a person reads and types them. Machines get full precision through --json. */

import { ModelError } from '../../errors.js';
import { LENGTH_UNITS, type LengthUnit } from '../../geometry/files/cad-document.js';

export * from '../../explain/format.js';

/** `0.002` or `2mm` as a length in m. */
export function parseLength(text: string, option: string): number {
  const match = /^([-+.\deE]+)\s*(µm|[a-z]+)?$/.exec(text.trim());
  const value = match ? Number(match[1]) : Number.NaN;
  const unit = (match?.[2] === 'µm' ? 'um' : (match?.[2] ?? 'm')) as LengthUnit;
  if (!Number.isFinite(value) || !Object.hasOwn(LENGTH_UNITS, unit))
    throw new ModelError(option, `expected a length such as 0.002 (in m) or 2mm, got "${text}"`);
  return value * LENGTH_UNITS[unit];
}

/** A length > 0 in m. */
export function parseSize(text: string, option: string): number {
  const length = parseLength(text, option);
  if (!(length > 0)) throw new ModelError(option, `expected a length > 0 such as 0.002 (in m) or 2mm, got "${text}"`);
  return length;
}

/** A whole number, 1 or more, from the command line. */
export function parseCount(text: string, option: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!(Number.isSafeInteger(value) && value >= 1))
    throw new ModelError(option, `expected a whole number, 1 or more, got "${text}"`);
  return value;
}

/** A number > 0 from an option. */
export function parsePositive(text: string, option: string, unit: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!(value > 0 && value < Infinity))
    throw new ModelError(option, `expected a number > 0${unit && ` ${unit}`}, got "${text}"`);
  return value;
}
