/** `tippetop export`: a recording for other programs, the format told by the ending of the file's name. */
import { basename, dirname, extname, join } from 'node:path';
import { Command } from 'commander';
import { FileError, ModelError, suggestion } from '../errors.js';
import { printJson } from '../model/json-print.js';
import { modelToJson } from '../model/json-write.js';
import { writeBytes } from '../node/cad-files.js';
import { findModel, loadModel, requireModel } from '../node/model-files/load-model.js';
import { readRecordingFile } from '../node/recording-files.js';
import { csvText, recordsCsvText } from '../results/csv.js';
import type { FilmOptions } from '../results/exchange/film.js';
import { glbBytes } from '../results/exchange/gltf.js';
import { extendedXyz, lammpsDump } from '../results/exchange/grain-text.js';
import { mcapBytes } from '../results/exchange/mcap.js';
import { vtkFiles } from '../results/exchange/vtk.js';
import { vtpFiles } from '../results/exchange/vtp.js';
import { matBytes } from '../results/mat.js';
import type { Recording } from '../results/recording.js';
import { lammpsScene } from '../simulation/lammps-scene.js';
import { Simulation } from '../simulation/simulation.js';
import { svgPlot } from '../viewer/svg-plot.js';
import { findRecording } from './find-recording.js';
import * as format from './text/format.js';

interface ExportOptions {
  readonly signals?: string[];
  readonly table?: string;
  readonly from?: string;
  readonly to?: string;
  readonly instants?: string;
  readonly json?: boolean;
}

/** What an ending means, and which options it knows. */
const FORMATS: Readonly<Record<string, { readonly what: string; readonly options: readonly (keyof ExportOptions)[] }>> =
  {
    '.glb': { what: 'a film in glTF', options: ['from', 'to', 'instants'] },
    '.vtk': { what: 'a series of VTK files', options: ['from', 'to', 'instants'] },
    '.mcap': { what: 'MCAP for robotics viewers', options: ['from', 'to', 'instants'] },
    '.vtp': { what: 'grains for ParaView', options: [] },
    '.json': { what: 'a model as data, for any program and the studio', options: [] },
    '.lammps': { what: 'the scene of a model for LAMMPS', options: [] },
    '.dump': { what: 'grains as LAMMPS writes them', options: [] },
    '.xyz': { what: 'grains in extended XYZ', options: [] },
    '.csv': { what: 'signals as text, or a table of records', options: ['signals', 'table'] },
    '.mat': { what: 'signals as Modelica tools write them', options: [] },
    '.svg': { what: 'a plot', options: ['signals'] },
  };

export function exportCommand(): Command {
  return new Command('export')
    .description(
      'write a recording for other programs: glTF, VTK, MCAP, LAMMPS dump, XYZ, CSV, MAT, SVG; or the grains of a model for LAMMPS',
    )
    .argument('<recording>', 'a recording, a folder with one, or the name of a run in out/; for .lammps a model')
    .argument('<file>', 'ending in .glb, .vtk, .vtp, .mcap, .lammps, .dump, .xyz, .csv, .mat or .svg')
    .option('--signals <patterns...>', 'which signals, e.g. "ball.position.*" (.csv, .svg)')
    .option('--table <name>', 'a table of records instead of the signals, e.g. contacts (.csv)')
    .option('--from <s>', 'first instant (.glb, .vtk, .mcap)')
    .option('--to <s>', 'last instant (.glb, .vtk, .mcap)')
    .option('--instants <n>', 'at most so many instants, evenly over the rows (.glb, .vtk, .mcap; default 1000)')
    .option('--json', 'print one JSON document and nothing else')
    .addHelpText(
      'after',
      '\nA .vtk name gives a file for each instant and name.vtk.series, which ParaView opens as one.' +
        '\n\nExamples:\n  tippetop export out/newtons-cradle cradle.glb\n  tippetop export newtons-cradle height.svg --signals "ball*.position.z"',
    )
    .action(exportRecording);
}

async function exportRecording(typed: string, path: string, options: ExportOptions): Promise<void> {
  const ending = extname(path).toLowerCase();
  const target = FORMATS[ending];
  if (!target)
    throw new FileError(
      path,
      '',
      `expected a name that ends in ${Object.keys(FORMATS).join(', ')}, got "${ending}"${suggestion(ending, Object.keys(FORMATS))}`,
    );
  for (const option of ['signals', 'table', 'from', 'to', 'instants'] as const)
    if (options[option] !== undefined && !target.options.includes(option))
      throw new ModelError(`--${option}`, `does not go with ${ending}, ${target.what}`);
  if (ending === '.lammps') {
    const written = await exportScene(typed, path);
    console.log(options.json ? JSON.stringify({ model: typed, written }, null, 2) : `wrote ${written.join(', ')}`);
    return;
  }
  if (ending === '.json') return exportModel(typed, path, options.json === true);
  const { file } = findRecording(typed);
  const recording = await readRecordingFile(file);
  const written = await write(recording, path, ending, options);
  if (options.json) console.log(JSON.stringify({ recording: file, written }, null, 2));
  else if (written.length <= 3) console.log(`wrote ${written.join(', ')}`);
  else console.log(`wrote ${written[0]} … ${written.at(-1)}, ${format.plural(written.length, 'file')}`);
}

async function write(
  recording: Recording,
  path: string,
  ending: string,
  { signals, table, ...options }: ExportOptions,
): Promise<string[]> {
  const film = filmOptions(options);
  if (ending === '.vtk' || ending === '.vtp') {
    const written: string[] = [];
    const base = basename(path, extname(path));
    for (const { name, bytes } of ending === '.vtk' ? vtkFiles(recording, base, film) : vtpFiles(recording, base)) {
      written.push(join(dirname(path), name));
      await writeBytes(written[written.length - 1], bytes);
    }
    return written;
  }
  if (ending === '.glb') await writeBytes(path, await glbBytes(recording, film));
  else if (ending === '.mcap') await writeBytes(path, mcapBytes(recording, film));
  else if (ending === '.mat') await writeBytes(path, matBytes(recording, path));
  else if (ending === '.dump') await writeBytes(path, lammpsDump(recording));
  else if (ending === '.xyz') await writeBytes(path, extendedXyz(recording));
  else if (ending === '.svg') await writeBytes(path, plot(recording, signals));
  else if (table !== undefined && signals !== undefined)
    throw new ModelError('--signals', 'does not go with --table: a table has all its columns');
  else await writeBytes(path, table === undefined ? csvText(recording, signals) : recordsCsvText(recording, table));
  return [path];
}

/** A model as data; what data cannot hold is named. */
async function exportModel(typed: string, path: string, asJson: boolean): Promise<void> {
  const file = findModel(typed);
  const construct = await loadModel(file);
  const { model, lost } = modelToJson(requireModel(await construct({}), file));
  await writeBytes(path, `${printJson(model)}\n`);
  if (asJson) console.log(JSON.stringify({ model: typed, written: [path], lost }, null, 2));
  else {
    console.log(`wrote ${path}`);
    for (const one of lost) console.log(`left out: ${one.path} ${one.why}`);
  }
}

/** The grains of a model at their start, and their laws, for LAMMPS: the script, and the data file beside it */
async function exportScene(typed: string, path: string): Promise<string[]> {
  const file = findModel(typed);
  const construct = await loadModel(file);
  const model = requireModel(await construct({}), file);
  if (!model.grains) throw new ModelError('grains', 'the model has none; a scene for LAMMPS is one of grains');
  const simulation = new Simulation(model, {});
  const base = basename(path, extname(path));
  const { script, data } = lammpsScene(model, simulation.grains!, {
    stopTime: simulation.stopTime,
    interval: model.simulation.interval ?? simulation.stopTime / 500,
    dataName: `${base}.data`,
    dumpName: `${base}.dump`,
  });
  simulation.grains!.close();
  const beside = join(dirname(path), `${base}.data`);
  await writeBytes(path, script);
  await writeBytes(beside, data);
  return [path, beside];
}

function filmOptions({ from, to, instants }: ExportOptions): FilmOptions {
  const time = (value: string, option: string): number => {
    const seconds = value.trim() === '' ? Number.NaN : Number(value);
    if (!Number.isFinite(seconds)) throw new ModelError(option, `expected a time in s, got "${value}"`);
    return seconds;
  };
  return {
    ...(from !== undefined && { from: time(from, '--from') }),
    ...(to !== undefined && { to: time(to, '--to') }),
    ...(instants !== undefined && { instants: format.parsePositive(instants, '--instants', '') }),
  };
}

/** The chosen signals in one plot, or else the author's first plot. */
function plot(recording: Recording, signals: readonly string[] | undefined): string {
  const chosen = signals ?? Object.values(recording.scene?.plots ?? {})[0];
  if (!chosen)
    throw new ModelError(
      '--signals',
      'expected signals to plot, for the model has no plots of its own; e.g. "*.position.z"',
    );
  return `${svgPlot(recording.select(chosen), { title: recording.title })}\n`;
}
