/**
 * Grains for ParaView: a `.vtp` (VTK XML PolyData, numbers appended raw, little endian) for each instant at which they were kept, and a `.pvd` that gives each its
 * time. Points with radius, velocity, force, id and species; contacts, where they were kept, as lines with their force.
 *
 * VTK File Formats, "XML File Formats"; ParaView draws points as spheres of their size by Glyph or Point Gaussian with `radius`.
 */
import { ModelError } from '../../errors.js';
import { GRAIN, GRAIN_CONTACT, GRAIN_CONTACT_TABLE, GRAIN_TABLE } from '../grain-records.js';
import type { RecordInstant } from '../record-table.js';
import type { Recording } from '../recording.js';
import type { NamedFile } from './vtk.js';

/** @param base how the files begin: `base.pvd`, `base_0000.vtp`, … */
export function* vtpFiles(recording: Recording, base: string): Generator<NamedFile> {
  if (!recording.hasTable(GRAIN_TABLE))
    throw new ModelError('recording', 'has no grains; expected a run of a model with grains');
  const table = recording.table(GRAIN_TABLE);
  const contacts = recording.hasTable(GRAIN_CONTACT_TABLE) ? recording.table(GRAIN_CONTACT_TABLE) : undefined;
  const entries: string[] = [];
  let k = 0;
  for (let row = 0; row < recording.rows; row++) {
    const rows = table.instant(row);
    if (rows.count === 0) continue;
    const name = `${base}_${String(k++).padStart(4, '0')}.vtp`;
    entries.push(`<DataSet timestep="${recording.times[row]}" part="0" file="${name}"/>`);
    yield { name, bytes: points(rows) };
    const lines = contacts?.instant(row);
    if (!lines || lines.count === 0) continue;
    const own = name.replace(/_(\d+)\.vtp$/, '-contacts_$1.vtp');
    entries.push(`<DataSet timestep="${recording.times[row]}" part="1" file="${own}"/>`);
    yield { name: own, bytes: chains(lines) };
  }
  yield {
    name: `${base}.pvd`,
    bytes: new TextEncoder().encode(
      `<?xml version="1.0"?>\n<VTKFile type="Collection" version="1.0" byte_order="LittleEndian" header_type="UInt32">\n<Collection>\n${entries.join('\n')}\n</Collection>\n</VTKFile>\n`,
    ),
  };
}

type Numbers = Float32Array | Int32Array;

/** Arrays behind the text, each with its length in bytes before it */
class Appended {
  private readonly parts: Uint8Array[] = [];
  private offset = 0;

  add(name: string, values: Numbers, components = 1): string {
    const type = values instanceof Float32Array ? 'Float32' : 'Int32';
    const text = `<DataArray type="${type}" Name="${name}" NumberOfComponents="${components}" format="appended" offset="${this.offset}"/>`;
    const bytes = new Uint8Array(4 + 4 * values.length);
    const view = new DataView(bytes.buffer);
    view.setUint32(0, 4 * values.length, true);
    for (let i = 0; i < values.length; i++)
      if (type === 'Float32') view.setFloat32(4 + 4 * i, values[i], true);
      else view.setInt32(4 + 4 * i, values[i], true);
    this.parts.push(bytes);
    this.offset += bytes.length;
    return text;
  }

  file(head: string): Uint8Array {
    const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
    const all = [
      encode(`${head}\n<AppendedData encoding="raw">\n_`),
      ...this.parts,
      encode('\n</AppendedData>\n</VTKFile>\n'),
    ];
    const bytes = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of all) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }
}

const polyData = (piece: string, inside: string): string =>
  `<?xml version="1.0"?>\n<VTKFile type="PolyData" version="1.0" byte_order="LittleEndian" header_type="UInt32">\n<PolyData>\n<Piece ${piece}>\n${inside}\n</Piece>\n</PolyData>`;

function points({ count, values }: RecordInstant): Uint8Array {
  const appended = new Appended();
  const vector = (at: number): Float32Array =>
    Float32Array.from({ length: 3 * count }, (_, i) => values[at + (i % 3)][Math.floor(i / 3)]);
  const index = Int32Array.from({ length: count }, (_, i) => i);
  const text = [
    `<Points>${appended.add('Points', vector(GRAIN.x), 3)}</Points>`,
    `<Verts>${appended.add('connectivity', index)}${appended.add(
      'offsets',
      index.map((i) => i + 1),
    )}</Verts>`,
    '<PointData Scalars="radius" Vectors="velocity">',
    appended.add('radius', Float32Array.from(values[GRAIN.radius])),
    appended.add('velocity', vector(GRAIN.velocity), 3),
    appended.add('force', Float32Array.from(values[GRAIN.force])),
    appended.add('id', Int32Array.from(values[GRAIN.id])),
    appended.add('species', Int32Array.from(values[GRAIN.species])),
    '</PointData>',
  ];
  return appended.file(polyData(`NumberOfPoints="${count}" NumberOfVerts="${count}"`, text.join('\n')));
}

function chains({ count, values }: RecordInstant): Uint8Array {
  const appended = new Appended();
  const ends = Float32Array.from(
    { length: 6 * count },
    (_, i) => values[GRAIN_CONTACT.from + (i % 6)][Math.floor(i / 6)],
  );
  const text = [
    `<Points>${appended.add('Points', ends, 3)}</Points>`,
    `<Lines>${appended.add(
      'connectivity',
      Int32Array.from({ length: 2 * count }, (_, i) => i),
    )}${appended.add(
      'offsets',
      Int32Array.from({ length: count }, (_, i) => 2 * i + 2),
    )}</Lines>`,
    `<CellData Scalars="force">${appended.add('force', Float32Array.from(values[GRAIN_CONTACT.force]))}</CellData>`,
  ];
  return appended.file(polyData(`NumberOfPoints="${2 * count}" NumberOfLines="${count}"`, text.join('\n')));
}
