/** Names and units that formats without a place for them carry in comments and headers. */
import { LENGTH_UNITS, type LengthUnit } from './cad-document.js';

/** `wheel` for `parts/wheel.stl`: what a part is called if its file gives it no name. */
export function stemOf(fileName: string): string {
  const base = fileName.slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1);
  const dot = base.lastIndexOf('.');
  return (dot > 0 ? base.slice(0, dot) : base) || 'part';
}

/** The unit said in a free text as `UNITS=mm`, `unit: mm` or `units: millimeters`, if it is one we know. */
export function unitIn(text: string): LengthUnit | undefined {
  const word = /\bunits?\s*[=:]\s*"?([a-zµ]+)/i.exec(text)?.[1].toLowerCase();
  if (word === undefined) return undefined;
  if (Object.hasOwn(LENGTH_UNITS, word)) return word as LengthUnit;
  return Object.hasOwn(UNIT_WORDS, word) ? UNIT_WORDS[word] : undefined;
}

const UNIT_WORDS: Readonly<Record<string, LengthUnit>> = {
  metre: 'm',
  metres: 'm',
  meter: 'm',
  meters: 'm',
  centimetre: 'cm',
  centimetres: 'cm',
  centimeter: 'cm',
  centimeters: 'cm',
  millimetre: 'mm',
  millimetres: 'mm',
  millimeter: 'mm',
  millimeters: 'mm',
  micrometre: 'um',
  micrometres: 'um',
  micrometer: 'um',
  micrometers: 'um',
  micron: 'um',
  microns: 'um',
  µm: 'um',
  inch: 'in',
  inches: 'in',
  foot: 'ft',
  feet: 'ft',
};
