/**
 * Writes 3MF: names, colours and the unit are kept, and coordinates come back with the same bits when the unit is m,
 * cm, mm or µm. The same parts give the same bytes: the dates in the zip are fixed.
 *
 * 3D Manufacturing Format, Core Specification 1.3.
 */
import { type Zippable, zipSync } from 'fflate';
import { ModelError } from '../../errors.js';
import type { Colour } from '../solid.js';
import type { CadPart, LengthUnit, WriteOptions } from './cad-document.js';
import { lengthWriter } from './decimal-shift.js';
import { TextWriter } from './text-writer.js';

const UNIT_NAMES: Partial<Record<LengthUnit, string>> = {
  um: 'micron',
  mm: 'millimeter',
  cm: 'centimeter',
  in: 'inch',
  ft: 'foot',
  m: 'meter',
};

const CONTENT_TYPES =
  '<?xml version="1.0" encoding="UTF-8"?>\n' +
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  '<Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/>' +
  '</Types>\n';

const RELATIONSHIPS =
  '<?xml version="1.0" encoding="UTF-8"?>\n' +
  '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
  '<Relationship Id="rel0" Target="/3D/3dmodel.model" ' +
  'Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/>' +
  '</Relationships>\n';

/**
 * @param parts coordinates in m; triangles that repeat a corner are left out, as the format forbids them
 * @throws ModelError on a part without triangles, a coordinate that is not finite, a unit that 3MF does not know
 * @example writeThreeMf([{ name: 'wheel', mesh: wheel.mesh, colour: [0.8, 0.6, 0.2, 1] }])
 */
export function writeThreeMf(parts: readonly CadPart[], options: WriteOptions = {}): Uint8Array {
  const unit = options.unit ?? 'mm';
  const unitName = UNIT_NAMES[unit];
  if (!unitName)
    throw new ModelError(
      'unit',
      `expected a unit that 3MF knows, one of ${Object.keys(UNIT_NAMES).join(', ')}, got "${unit}"`,
    );
  const format = lengthWriter(unit);
  const colours = [...new Set(parts.flatMap((part) => (part.colour ? [hexColour(part.colour)] : [])))];

  const writer = new TextWriter();
  const write = (text: string) => writer.write(text);
  write('<?xml version="1.0" encoding="UTF-8"?>\n');
  write(
    `<model unit="${unitName}" xml:lang="en-US" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">\n`,
  );
  write('<metadata name="Application">tippetop</metadata>\n<resources>\n');
  if (colours.length > 0) {
    write('<basematerials id="1">\n');
    for (const colour of colours) write(`<base name="${colour}" displaycolor="${colour}"/>\n`);
    write('</basematerials>\n');
  }
  parts.forEach((part, i) => {
    const paint = part.colour ? ` pid="1" pindex="${colours.indexOf(hexColour(part.colour))}"` : '';
    write(`<object id="${i + 2}" type="model" name="${escapeAttribute(part.name)}"${paint}>\n<mesh>\n<vertices>\n`);
    const { vertices, triangles } = part.mesh;
    for (let v = 0; v < vertices.length; v += 3) {
      for (let k = 0; k < 3; k++)
        if (!Number.isFinite(vertices[v + k]))
          throw new ModelError(
            `parts[${i}].mesh.vertices[${v / 3}].${'xyz'[k]}`,
            `expected a finite coordinate in m, got ${vertices[v + k]}`,
          );
      write(`<vertex x="${format(vertices[v])}" y="${format(vertices[v + 1])}" z="${format(vertices[v + 2])}"/>\n`);
    }
    write('</vertices>\n<triangles>\n');
    let written = 0;
    for (let t = 0; t < triangles.length; t += 3) {
      const a = triangles[t];
      const b = triangles[t + 1];
      const c = triangles[t + 2];
      if (a === b || b === c || c === a) continue;
      write(`<triangle v1="${a}" v2="${b}" v3="${c}"/>\n`);
      written++;
    }
    if (written === 0)
      throw new ModelError(
        `parts[${i}].mesh`,
        `expected triangles in "${part.name}", got none; 3MF has no empty parts`,
      );
    write('</triangles>\n</mesh>\n</object>\n');
  });
  write('</resources>\n<build>\n');
  for (let i = 0; i < parts.length; i++) write(`<item objectid="${i + 2}"/>\n`);
  write('</build>\n</model>\n');

  const encoder = new TextEncoder();
  const files: Zippable = {
    '[Content_Types].xml': encoder.encode(CONTENT_TYPES),
    '_rels/.rels': encoder.encode(RELATIONSHIPS),
    '3D/3dmodel.model': writer.toBytes(),
  };
  // fflate writes the local time's fields, so this is 1 January 1980, 0:00 in every time zone.
  return zipSync(files, { level: 4, mtime: new Date(1980, 0, 1) });
}

function hexColour(colour: Colour): string {
  const part = (value: number) => {
    const clamped = Math.min(1, Math.max(0, value));
    return Math.round(255 * clamped)
      .toString(16)
      .padStart(2, '0')
      .toUpperCase();
  };
  const opaque = colour[3] >= 1;
  return `#${colour
    .slice(0, opaque ? 3 : 4)
    .map(part)
    .join('')}`;
}

/** Text for an attribute in double quotes; characters that XML 1.0 forbids become U+FFFD. */
function escapeAttribute(text: string): string {
  return Array.from(text, (c) => {
    const code = c.codePointAt(0)!;
    if (c === '&') return '&amp;';
    if (c === '<') return '&lt;';
    if (c === '>') return '&gt;';
    if (c === '"') return '&quot;';
    if (code === 9 || code === 10 || code === 13) return `&#${code};`;
    if (code < 0x20 || code === 0xfffe || code === 0xffff || (code >= 0xd800 && code <= 0xdfff)) return '\ufffd';
    return c;
  }).join('');
}
