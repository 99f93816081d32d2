/** `tippetop convert`: from one CAD format to another, with volume, closedness and units reported. */
import { readFile } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { Command } from 'commander';
import { FileError, ModelError } from '../errors.js';
import { extrude } from '../geometry/extrude.js';
import { type CadPart, type CadProfile, parseUnit } from '../geometry/files/cad-document.js';
import { meshMassProperties } from '../geometry/mass-properties.js';
import { mendMesh } from '../geometry/mend.js';
import { repairMesh } from '../geometry/repair.js';
import { triangleCount } from '../geometry/triangle-mesh.js';
import { describeReport, validateMesh } from '../geometry/validation.js';
import { quantity } from '../math/quantity.js';
import { readCadFile, writeCadFile, writtenFormat } from '../node/cad-files.js';
import { requirePlainFile } from '../node/plain-file.js';
import { writeRecordingFile } from '../node/recording-files.js';
import { recordingOfDump } from '../results/exchange/lammps-dump.js';
import * as format from './text/format.js';

interface ConvertOptions {
  readonly unit?: string;
  readonly outUnit?: string;
  readonly chordError?: string;
  readonly extrude?: string;
  readonly repair?: boolean;
  readonly fillHoles?: boolean;
  readonly ascii?: boolean;
  readonly json?: boolean;
  readonly step?: string;
  readonly species?: string[];
}

export function convertCommand(): Command {
  return new Command('convert')
    .description('convert a CAD file into another format, or a LAMMPS dump into a recording')
    .argument('<in>', 'STL, OBJ, PLY, 3MF, glTF, VRML, DXF, STEP or IGES; a LAMMPS dump')
    .argument('<out>', 'ending in .stl, .obj, .ply, .3mf, .glb, .dxf or .svg; .h5 for a dump')
    .option('--step <s>', 'time of a step of a dump that does not tell times')
    .option('--species <names...>', 'of the types in a dump, in turn')
    .option('--unit <unit>', 'unit of the numbers in the input, where the file does not say: m, cm, mm, um, km, in, ft')
    .option('--out-unit <unit>', 'unit of the numbers written (default: m; mm in 3MF)')
    .option('--chord-error <length>', 'greatest distance of a curve from its polygon, e.g. 0.01mm')
    .option('--extrude <height>', 'make solids of the outlines in a DXF, e.g. 2mm')
    .option('--repair', 'weld, orient and drop degenerate triangles, and say what was changed')
    .option('--fill-holes', 'with --repair: also join over small gaps and fill holes')
    .option('--ascii', 'write the text variant of STL or PLY')
    .option('--json', 'print one JSON document and nothing else')
    .addHelpText('after', '\nExample:\n  tippetop convert bracket.step bracket.stl --out-unit mm')
    .action(convert);
}

async function convert(input: string, output: string, options: ConvertOptions): Promise<void> {
  if (resolve(input) === resolve(output)) throw new FileError(output, '', 'is the input; give the output another name');
  if (extname(output).toLowerCase() === '.h5') return convertDump(input, output, options);
  if (options.fillHoles && !options.repair) throw new ModelError('--fill-holes', 'goes with --repair');
  const target = writtenFormat(output);
  const outUnit = options.outUnit && parseUnit(options.outUnit, '--out-unit');
  const height = options.extrude === undefined ? undefined : format.parseLength(options.extrude, '--extrude');
  const document = await readCadFile(input, {
    ...(options.unit && { unit: parseUnit(options.unit, '--unit') }),
    ...(options.chordError && { chordError: format.parseLength(options.chordError, '--chord-error') }),
  });

  const flat = target === 'dxf' || target === 'svg';
  const changes: string[] = [];
  const parts: CadPart[] = document.parts.map((part) => {
    if (!options.repair) return part;
    const repaired = options.fillHoles ? mendMesh(part.mesh) : repairMesh(part.mesh);
    changes.push(...repaired.changes.map((change) => `${part.name}: ${change}`));
    return { ...part, mesh: repaired.mesh };
  });
  if (height !== undefined)
    // 72 chords to a full circle are within 1/1000 of the radius, as curves of all formats are
    for (const { name, profile } of document.profiles)
      parts.push({ name, mesh: extrude(profile, height, { segments: 72 }).mesh });
  const profiles: readonly CadProfile[] = height === undefined ? document.profiles : [];
  if (flat && profiles.length === 0)
    throw new FileError(
      input,
      '',
      `has no outlines, and ${target.toUpperCase()} holds nothing else; expected a DXF with closed outlines`,
    );
  if (!flat && parts.length === 0)
    throw new FileError(
      input,
      '',
      `has ${format.plural(profiles.length, 'outline')} but no solids; --extrude <height> makes solids of them`,
    );

  const bytes = await writeCadFile(output, flat ? { profiles } : { parts }, {
    ...(outUnit && { unit: outUnit }),
    ...(options.ascii && { ascii: true }),
  });
  const judged = flat ? [] : parts.map(judge);
  if (options.json) {
    const { unit, unitFrom, notes } = document;
    console.log(
      JSON.stringify(
        {
          input,
          output,
          bytes,
          unit,
          unitFrom,
          notes,
          changes,
          parts: judged,
          profiles: flat ? profiles.map(({ name }) => name) : [],
        },
        null,
        2,
      ),
    );
    return;
  }
  for (const note of document.notes) console.log(`note: ${note}`);
  if (document.unitFrom === 'assumed')
    console.log(`note: ${input} does not say its unit; taken as ${document.unit}, --unit sets it`);
  for (const change of changes) console.log(`repaired ${change}`);
  for (const { name, triangles, volume, problems } of judged) {
    console.log(
      `${name}: ${format.plural(triangles, 'triangle')}, ${volume === undefined ? 'not a solid' : `closed, volume ${quantity(volume, 'm³')}`}`,
    );
    for (const problem of problems) console.log(`  ${problem}`);
  }
  console.log(`wrote ${output} (${format.count(bytes)} bytes)`);
}

/** What LAMMPS computed as a recording: looked at, measured and exported like a run */
async function convertDump(input: string, output: string, { step, species, json }: ConvertOptions): Promise<void> {
  let text: string;
  try {
    requirePlainFile(input);
    text = await readFile(input, 'utf8');
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError(input, '', 'cannot be read; expected a LAMMPS dump');
  }
  const recording = recordingOfDump(text, input, {
    title: basename(input),
    ...(step !== undefined && { step: format.parsePositive(step, '--step', 's') }),
    ...(species && { species }),
  });
  await writeRecordingFile(output, recording);
  if (json) console.log(JSON.stringify({ input, output, instants: recording.rows }, null, 2));
  else console.log(`wrote ${output}: ${format.plural(recording.rows, 'instant')}`);
}

function judge({ name, mesh }: CadPart): {
  name: string;
  triangles: number;
  volume: number | undefined;
  problems: string[];
} {
  const report = validateMesh(mesh);
  const sound = report.closed && report.oriented && report.volume > 0;
  return {
    name,
    triangles: triangleCount(mesh),
    volume: sound ? meshMassProperties(mesh).volume : undefined,
    problems: report.ok ? [] : describeReport(report),
  };
}
