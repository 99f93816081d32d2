/**
 * Looks through an IGES file before Open CASCADE gets it: that all five sections are there and as long as the last line
 * says, and which unit its lengths are in.
 *
 * ANSI US PRO/IPO-100-1996 (IGES 5.3), §2.2.
 */
import { FileError } from '../../errors.js';
import type { LengthUnit } from './cad-document.js';
import { asciiText } from './number-parser.js';

export interface IgesStructure {
  /** undefined if the file names one that we do not know, which is then `unitName` */
  readonly unit: LengthUnit | undefined;
  readonly unitName: string;
}

/** Unit flags of global parameter 14 that we know. */
const UNIT_FLAGS: ReadonlyMap<number, LengthUnit> = new Map([
  [1, 'in'],
  [2, 'mm'],
  [4, 'ft'],
  [6, 'm'],
  [7, 'km'],
  [9, 'um'],
  [10, 'cm'],
]);

/** @throws FileError naming the line */
export function checkIges(bytes: Uint8Array, file: string): IgesStructure {
  const counts: Record<string, number> = { S: 0, G: 0, D: 0, P: 0, T: 0 };
  const order = 'SGDPT';
  let section = 0;
  let globals = '';
  let terminate = '';
  let line = 0;
  for (let i = 0; i < bytes.length; ) {
    // A record is 80 characters; column 73 names its section.
    let end = i;
    while (end < bytes.length && bytes[end] !== 0x0a && bytes[end] !== 0x0d) end++;
    const next = bytes[end] === 0x0d && bytes[end + 1] === 0x0a ? end + 2 : end + 1;
    line++;
    if (end - i === 0) {
      i = next;
      continue;
    }
    const letter = end - i > 72 ? String.fromCharCode(bytes[i + 72]) : '';
    const at = order.indexOf(letter);
    const where = `line ${line}`;
    if (letter === 'C' || letter === 'B')
      throw new FileError(
        file,
        where,
        `is IGES in the ${letter === 'C' ? 'compressed' : 'binary'} form; save it as ASCII`,
      );
    if (letter === '' || at < 0) {
      if (section === 4) break; // anything may follow the last record
      throw new FileError(file, where, `expected a record of 80 characters with S, G, D, P or T in column 73`);
    }
    if (at < section) throw new FileError(file, where, `section ${letter} comes after section ${order[section]}`);
    section = at;
    if (++counts[letter] !== Number(asciiText(bytes, i + 73, Math.min(end, i + 80)).trim()))
      throw new FileError(
        file,
        where,
        `expected record ${counts[letter]} of section ${letter}; some records are missing`,
      );
    if (letter === 'G' && counts.G < 1000) globals += asciiText(bytes, i, i + 72);
    if (letter === 'T') terminate = asciiText(bytes, i, i + 72);
    i = next;
  }
  if (counts.T === 0) throw new FileError(file, `line ${line}`, 'the last record (T) is missing; the file is cut off');
  for (const letter of 'SGDP') {
    const said = Number(new RegExp(`${letter}\\s*(\\d{1,7})`).exec(terminate)?.[1] ?? Number.NaN);
    if (said !== counts[letter])
      throw new FileError(file, `line ${line}`, `expected ${said} records in section ${letter}, got ${counts[letter]}`);
  }
  if (counts.D % 2 !== 0) throw new FileError(file, '', 'expected two D records for each entity, got an odd number');

  const parameters = readGlobals(globals, file);
  const flag = Number(parameters[13] || 1); // inches where nothing is said
  const name = (parameters[14] ?? '').trim();
  return { unit: flag === 3 ? unitNamed(name) : UNIT_FLAGS.get(flag), unitName: name || `flag ${flag}` };
}

function unitNamed(name: string): LengthUnit | undefined {
  const known: Readonly<Record<string, LengthUnit>> = {
    IN: 'in',
    INCH: 'in',
    MM: 'mm',
    FT: 'ft',
    M: 'm',
    KM: 'km',
    UM: 'um',
    CM: 'cm',
  };
  return Object.hasOwn(known, name.toUpperCase()) ? known[name.toUpperCase()] : undefined;
}

/** The parameters of the global section; texts are `5Hhello`, the first two may change the separators (§2.2.4.3). */
function readGlobals(text: string, file: string): string[] {
  const parameters: string[] = [];
  let separator = ',';
  let ending = ';';
  for (let i = 0; i < text.length && parameters.length < 30; ) {
    const hollerith = /^\s*(\d{1,5})H/.exec(text.slice(i, i + 80));
    let value: string;
    if (hollerith) {
      const start = i + hollerith[0].length;
      value = text.slice(start, start + Number(hollerith[1]));
      i = start + value.length;
    } else {
      const start = i;
      while (i < text.length && text[i] !== separator && text[i] !== ending) i++;
      value = text.slice(start, i).trim();
    }
    parameters.push(value);
    if (parameters.length === 1 && value.length === 1) separator = value;
    if (parameters.length === 2 && value.length === 1) ending = value;
    while (i < text.length && text[i] === ' ') i++;
    if (text[i] === ending) return parameters;
    if (i < text.length && text[i] !== separator)
      throw new FileError(file, 'global section', `expected ${separator} after parameter ${parameters.length}`);
    i++;
  }
  return parameters;
}
