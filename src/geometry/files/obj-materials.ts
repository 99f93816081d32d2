/**
 * Colours from an .mtl file beside an OBJ file: `newmtl` starts a material, `Kd` is its diffuse colour, `d` its
 * opacity or `Tr` its transparency. All else is about rendering and ignored.
 */
import type { Colour } from '../solid.js';
import { TextReader } from './text-reader.js';

/** Colours by material name. @throws FileError naming the line */
export function readMtl(bytes: Uint8Array, fileName: string): Map<string, Colour> {
  const colours = new Map<string, Colour>();
  const reader = new TextReader(bytes, fileName, { comment: '#' });
  let material = '';
  while (reader.nextLine()) {
    if (!reader.nextWord()) continue;
    if (reader.wordIs('newmtl')) material = reader.restOfLine();
    else if (reader.wordIs('kd')) {
      if (!reader.nextWord() || Number.isNaN(reader.wordNumber())) continue; // `Kd spectral file` or `Kd xyz …`
      const red = unit(reader.wordNumber());
      // One number alone is a grey.
      const green = reader.nextWord() ? unit(numberHere(reader)) : red;
      const blue = reader.nextWord() ? unit(numberHere(reader)) : red;
      colours.set(material, [red, green, blue, colours.get(material)?.[3] ?? 1]);
    } else if (reader.wordIs('d') || reader.wordIs('tr')) {
      const transparency = reader.wordIs('tr');
      if (!reader.nextWord() || Number.isNaN(reader.wordNumber())) continue; // `d -halo 0.5`
      const value = unit(reader.wordNumber());
      const [red, green, blue] = colours.get(material) ?? [1, 1, 1];
      colours.set(material, [red, green, blue, transparency ? 1 - value : value]);
    }
  }
  return colours;
}

function numberHere(reader: TextReader): number {
  const value = reader.wordNumber();
  if (Number.isNaN(value)) throw reader.error(`expected a number from 0 to 1, got ${reader.got()}`);
  return value;
}

const unit = (value: number): number => Math.min(1, Math.max(0, value));
