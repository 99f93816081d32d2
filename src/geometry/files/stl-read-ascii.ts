/**
 * STL as text:
 *
 *     solid name
 *       facet normal nx ny nz
 *         outer loop
 *           vertex x y z   (three times)
 *         endloop
 *       endfacet
 *     endsolid name
 *
 * Words in either case. Coordinates keep the double precision of their digits.
 */
import { type CadDocument, type CadPart, chooseUnit, type ReadOptions, unitNotes } from './cad-document.js';
import { type LengthParser, lengthParser } from './decimal-shift.js';
import { GrowingUint32 } from './growing.js';
import { stemOf, unitIn } from './part-names.js';
import { NORMALS_OPPOSE, sideOfNormal } from './stl-read-binary.js';
import { TextReader } from './text-reader.js';
import { Float64Welder } from './vertex-weld.js';

export function readAsciiStl(bytes: Uint8Array, options: ReadOptions): CadDocument {
  const reader = new TextReader(bytes, options.fileName);
  const solids: Solid[] = [];
  let { unit, unitFrom } = chooseUnit(options, undefined);
  const notes: string[] = [];
  let first = true;
  let empty = 0;
  let facets = 0;
  let against = 0;
  while (reader.nextWordInFile()) {
    expectWord(reader, 'solid');
    const title = reader.restOfLine();
    // The first solid speaks for all.
    if (first) {
      ({ unit, unitFrom } = chooseUnit(options, unitIn(title)));
      notes.push(...unitNotes(options, unitIn(title)));
    }
    first = false;
    const solid = readSolid(reader, lengthParser(unit), title.replace(/\s*\bunits?\s*[=:]\s*\S+\s*$/i, ''));
    if (solid.triangles.length === 0) empty++;
    else solids.push(solid);
    facets += solid.facets;
    against += solid.against;
  }
  const stem = stemOf(options.fileName);
  const parts = solids.map((solid, i): CadPart => {
    const mesh = { vertices: solid.welder.points(), triangles: solid.triangles.toArray() };
    return { name: solid.name || (solids.length > 1 ? `${stem} ${i + 1}` : stem), mesh };
  });
  if (parts.length === 0) notes.push('holds no triangles');
  else if (empty > 0) notes.push(`left out ${empty} solids without triangles`);
  if (2 * against > facets) notes.push(NORMALS_OPPOSE);
  return { format: 'stl', unit, unitFrom, parts, profiles: [], notes };
}

interface Solid {
  name: string;
  welder: Float64Welder;
  triangles: GrowingUint32;
  /** Facets that have a normal, and those of them whose normal points against the winding. */
  facets: number;
  against: number;
}

function readSolid(reader: TextReader, parse: LengthParser, name: string): Solid {
  const start = reader.line;
  const solid: Solid = { name, welder: new Float64Welder(), triangles: new GrowingUint32(), facets: 0, against: 0 };
  const normal = new Float64Array(3);
  const corners = new Float64Array(9);
  for (;;) {
    if (!reader.nextWordInFile())
      throw reader.error(
        `expected "facet" or "endsolid", got the end of the file: the solid that starts in line ${start} is cut ` +
          `short after ${solid.triangles.length / 3} triangles`,
      );
    if (reader.wordIs('endsolid')) {
      reader.restOfLine();
      return solid;
    }
    expectWord(reader, 'facet', 'endsolid');

    // Normals are not needed, so they may be missing numbers, as for triangles without area.
    nextIs(reader, 'normal');
    for (let k = 0; k < 3; k++) normal[k] = reader.nextWord() ? reader.wordNumber() : Number.NaN;
    nextIs(reader, 'outer');
    nextIs(reader, 'loop');
    for (let corner = 0; corner < 3; corner++) {
      nextIs(reader, 'vertex');
      corners[3 * corner] = reader.length('x', parse);
      corners[3 * corner + 1] = reader.length('y', parse);
      corners[3 * corner + 2] = reader.length('z', parse);
    }
    nextIs(reader, 'endloop');
    nextIs(reader, 'endfacet');

    const [ax, ay, az, bx, by, bz, cx, cy, cz] = corners;
    const { welder } = solid;
    solid.triangles.push3(welder.add(ax, ay, az), welder.add(bx, by, bz), welder.add(cx, cy, cz));
    const [nx, ny, nz] = normal;
    const side = sideOfNormal(nx, ny, nz, bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az);
    if (side !== 0) solid.facets++;
    if (side < 0) solid.against++;
  }
}

function nextIs(reader: TextReader, word: string): void {
  if (!reader.nextWordInFile()) throw reader.error(`expected "${word}", got the end of the file: it is cut short`);
  expectWord(reader, word);
}

function expectWord(reader: TextReader, word: string, other?: string): void {
  if (!reader.wordIs(word))
    throw reader.error(`expected "${word}"${other ? ` or "${other}"` : ''}, got ${reader.got()}`);
}
