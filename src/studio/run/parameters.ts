/**
 * The slider of a parameter, from its default and comment: `3 to 12` in the comment is the range; without it, a quarter to four times the default, in equal ratios. Whole numbers
 * step by 1. The unit is the comment's first word where that is one.
 */
import type { ParameterValue } from '../../model/parameters.js';
import type { ParameterText } from './messages.js';

export interface SliderRange {
  readonly low: number;
  readonly high: number;
  /** Equal ratios in place of equal differences */
  readonly logarithmic: boolean;
  readonly isWhole: boolean;
}

const UNITS = new Set(
  (
    'm mm cm um km kg g mg t s ms us min h N kN MN mN Pa kPa MPa GPa J kJ W kW Hz kHz rad deg degrees ° K °C % ' +
    'm/s mm/s km/h m/s² m/s^2 rad/s rpm rad/s² N/m kN/m N/mm N·m Nm N/m³ kg/m³ g/cm³ Pa·s s/m 1/s 1/m turns turn/s turns/s'
  ).split(' '),
);

export function unitOf({ comment }: Pick<ParameterText, 'comment'>): { readonly unit: string; readonly rest: string } {
  const compound = /^(N m s\/rad|N m\/rad|N s\/m|N m|kg m²)(?=$|[\s,;:])/.exec(comment)?.[0];
  const word = compound ?? comment.split(/[\s,;:]/, 1)[0];
  if (word === '' || !(compound || UNITS.has(word))) return { unit: '', rest: comment };
  return { unit: word === 'degrees' ? '°' : word, rest: comment.slice(word.length).replace(/^[\s,;:]+/, '') };
}

/** Undefined for what is no number, and for 0, which has no scale: a field without a slider */
export function rangeOf({ default: usual, defaultText, comment }: ParameterText): SliderRange | undefined {
  if (typeof usual !== 'number' || !Number.isFinite(usual)) return undefined;
  const isWhole = Number.isInteger(usual) && /^-?\d+$/.test(defaultText.replaceAll('_', ''));
  const said = /(-?\d+(?:\.\d+)?(?:e-?\d+)?)\s*(?:to|…|–|\.\.)\s*(-?\d+(?:\.\d+)?(?:e-?\d+)?)/i.exec(comment);
  if (said && Number(said[1]) < Number(said[2])) {
    const [low, high] = [Number(said[1]), Number(said[2])];
    return { low, high, logarithmic: low > 0 && high / low >= 100, isWhole };
  }
  if (usual === 0) return undefined;
  const [a, b] = [usual / 4, usual * 4];
  const [low, high] = usual > 0 ? [a, b] : [b, a];
  if (isWhole)
    return {
      low: Math.max(usual > 0 ? 1 : -Infinity, Math.round(low)),
      high: Math.round(high),
      logarithmic: false,
      isWhole,
    };
  return { low, high, logarithmic: true, isWhole };
}

/** 0 … 1 to a value with three digits */
export function valueAt({ low, high, logarithmic, isWhole }: SliderRange, part: number): number {
  const size = Math.sign(low) || 1;
  const value = logarithmic ? size * Math.abs(low) * (high / low) ** part : low + part * (high - low);
  return isWhole ? Math.round(value) : Number(value.toPrecision(3));
}

export function partOf({ low, high, logarithmic }: SliderRange, value: number): number {
  const part = logarithmic ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return Math.min(1, Math.max(0, Number.isFinite(part) ? part : 0));
}

/** What was typed, as the parameter wants it; undefined where that cannot be. */
export function typed({ default: usual }: ParameterText, text: string): ParameterValue | undefined {
  if (typeof usual === 'boolean') return text === 'true';
  if (typeof usual !== 'number') return text;
  const value = Number(text.trim().replace(',', '.').replace('−', '-'));
  return text.trim() !== '' && Number.isFinite(value) ? value : undefined;
}
