/** `tippetop inspect`: what a CAD file holds, whether it is solid, and what is wrong where it is not. */
import { Command } from 'commander';
import { type CadDocument, type CadPart, parseUnit } from '../geometry/files/cad-document.js';
import { type MassProperties, meshMassProperties } from '../geometry/mass-properties.js';
import { mendMesh } from '../geometry/mend.js';
import { profileArea } from '../geometry/polygon.js';
import { meshBounds, triangleCount } from '../geometry/triangle-mesh.js';
import { describeReport, type MeshReport, validateMesh } from '../geometry/validation.js';
import { quantity } from '../math/quantity.js';
import type { Vec3 } from '../math/vec3.js';
import { readCadFile, writeBytes } from '../node/cad-files.js';
import { encodePng } from '../node/png.js';
import { drawStill } from '../viewer/still.js';
import * as format from './text/format.js';

interface InspectOptions {
  readonly unit?: string;
  readonly density: string;
  readonly chordError?: string;
  readonly repair?: boolean;
  readonly picture?: string;
  readonly json?: boolean;
}

export function inspectCommand(): Command {
  return new Command('inspect')
    .description(
      'report size, volume, area, inertia and closedness of the parts in a CAD file, and what is wrong with them',
    )
    .argument('<file>', 'STL, OBJ, PLY, 3MF, glTF, VRML, DXF, STEP or IGES')
    .option('--unit <unit>', 'unit of the numbers in the file, where the file does not say: m, cm, mm, um, km, in, ft')
    .option('--density <kg/m3>', 'density for mass and inertia', '1000')
    .option('--chord-error <length>', 'greatest distance of a curve from its polygon, e.g. 0.01mm')
    .option(
      '--repair',
      'repair the parts first and say what was changed: join vertices, drop slivers and repeats, turn faces outward, fill holes',
    )
    .option('--picture <file.png>', 'draw the parts; open edges in red')
    .option('--json', 'print one JSON document and nothing else')
    .addHelpText(
      'after',
      '\nExit code 1 if a part is not a closed, properly oriented solid. What --repair made is kept by tippetop convert … --repair --fill-holes.\n\nExample:\n  tippetop inspect bracket.stl --unit mm --density 7850 --picture bracket.png',
    )
    .action(inspect);
}

async function inspect(file: string, options: InspectOptions): Promise<void> {
  const density = format.parsePositive(options.density, '--density', 'kg/m³');
  const document = await readCadFile(file, {
    ...(options.unit && { unit: parseUnit(options.unit, '--unit') }),
    ...(options.chordError && { chordError: format.parseLength(options.chordError, '--chord-error') }),
  });
  const parts = document.parts.map((part) => inspectPart(part, density, options.repair === true));
  if (options.picture) await writeBytes(options.picture, encodePng(drawStill(parts.map(({ part }) => part))));

  if (options.json) console.log(JSON.stringify(asJson(file, document, parts, density), null, 2));
  else for (const line of asText(file, document, parts, density)) console.log(line);
  if (options.picture && !options.json) console.log(`wrote ${options.picture}`);
  if (parts.some(({ report }) => !report.ok)) process.exitCode = 1;
}

interface InspectedPart {
  readonly part: CadPart;
  readonly changes: readonly string[];
  /** What repairing could not do */
  readonly remaining: readonly string[];
  readonly report: MeshReport;
  /** Only of what is closed and oriented outward. */
  readonly properties: MassProperties | undefined;
}

function inspectPart(part: CadPart, density: number, repair: boolean): InspectedPart {
  const repaired = repair ? mendMesh(part.mesh) : { mesh: part.mesh, changes: [], remaining: [] };
  const report = validateMesh(repaired.mesh);
  const properties =
    report.closed && report.oriented && report.volume > 0 ? meshMassProperties(repaired.mesh, density) : undefined;
  const { changes, remaining } = repaired;
  return { part: { ...part, mesh: repaired.mesh }, changes, remaining, report, properties };
}

function* asText(
  file: string,
  document: CadDocument,
  parts: readonly InspectedPart[],
  density: number,
): Generator<string> {
  const from = { file: 'from the file', option: 'as given', assumed: 'assumed: the file does not say; --unit sets it' };
  yield `${file}: ${document.format.toUpperCase()}, unit ${format.unitName(document.unit)} (${from[document.unitFrom]}), ${format.plural(parts.length, 'part')}${document.profiles.length > 0 ? `, ${format.plural(document.profiles.length, 'profile')}` : ''}`;
  for (const note of document.notes) yield `  note: ${note}`;
  for (const { part, changes, remaining, report, properties } of parts) {
    const { min, max } = meshBounds(part.mesh);
    const extent: Vec3 = [max[0] - min[0], max[1] - min[1], max[2] - min[2]];
    const reach = Math.max(...extent);
    yield '';
    yield `${part.name}`;
    for (const change of changes) yield `  repaired    ${change}`;
    for (const line of remaining) yield `  not mended  ${line}`;
    yield `  triangles   ${format.count(triangleCount(part.mesh))}`;
    yield `  size        ${format.size(extent)}, from ${format.position(min, reach)}`;
    yield `  solid       ${report.ok ? 'yes: closed, oriented, not crossing itself' : 'no'}`;
    if (!report.ok) for (const line of describeReport(report)) yield `    ${line}`;
    if (!properties) continue;
    yield `  volume      ${quantity(properties.volume, 'm³')}`;
    yield `  area        ${quantity(properties.area, 'm²')}`;
    yield `  centroid    ${format.position(properties.centroid, reach)}`;
    yield `  mass        ${format.mass(properties.mass)} at ${format.number(density)} kg/m³`;
    const [xx, xy, xz, , yy, yz, , , zz] = properties.inertia;
    const small = 1e-7 * Math.max(xx, yy, zz); // corners of most files are in single precision
    const clean = (value: number) => format.number(Math.abs(value) < small ? 0 : value, 4);
    yield `  inertia     xx ${clean(xx)}, yy ${clean(yy)}, zz ${clean(zz)}, xy ${clean(xy)}, xz ${clean(xz)}, yz ${clean(yz)} kg m² about the centroid`;
    yield `  principal   ${properties.principalMoments.map((moment) => format.number(moment, 4)).join(', ')} kg m²`;
  }
  for (const { name, profile } of document.profiles) {
    yield '';
    yield `${name} (outline)`;
    yield `  corners     ${format.count(profile.outer.length)}, ${format.plural(profile.holes.length, 'hole')}`;
    yield `  area        ${quantity(profileArea(profile), 'm²')}`;
  }
}

function asJson(file: string, document: CadDocument, parts: readonly InspectedPart[], density: number): unknown {
  const { format, unit, unitFrom, notes } = document;
  return {
    file,
    format,
    unit,
    unitFrom,
    notes,
    parts: parts.map(({ part, changes, remaining, report, properties }) => ({
      name: part.name,
      ...(part.colour && { colour: part.colour }),
      triangles: triangleCount(part.mesh),
      bounds: meshBounds(part.mesh),
      solid: report.ok,
      problems: report.ok ? [] : describeReport(report),
      changes,
      remaining,
      report,
      ...(properties && { density, ...properties }),
    })),
    profiles: document.profiles.map(({ name, profile }) => ({
      name,
      corners: profile.outer.length,
      holes: profile.holes.length,
      area: profileArea(profile),
    })),
  };
}
