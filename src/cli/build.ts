/** `tippetop build`: the solids of a model file as CAD files, a picture and a summary. */
import { basename, join } from 'node:path';
import { Command } from 'commander';
import { solidMassProperties } from '../geometry/mass-properties.js';
import { meshBounds, triangleCount } from '../geometry/triangle-mesh.js';
import { quantity } from '../math/quantity.js';
import { parametersOf } from '../model/parameters.js';
import { writeBytes, writeCadFile } from '../node/cad-files.js';
import { findModel, loadModel, modelName, requireSolids } from '../node/model-files/load-model.js';
import { encodePng } from '../node/png.js';
import { solidReport } from '../viewer/solid-report.js';
import { drawStill } from '../viewer/still.js';
import { modelArguments, parameterList } from './model-files/model-arguments.js';
import * as format from './text/format.js';

interface BuildOptions {
  readonly out?: string;
  readonly formats: string;
  readonly density: string;
  readonly set: string[];
  readonly json?: boolean;
  readonly parameters?: boolean;
}

export function buildCommand(): Command {
  return new Command('build')
    .description('build the solids of a model file and export them as GLB and STL, with a picture and a summary')
    .argument('<model>', 'a model file, a folder with one, or the name of an example')
    .argument('[parameters...]', 'parameters of the model, such as --slots 8')
    .option('--out <folder>', 'where the files go (default: out/<name>)')
    .option('--formats <list>', 'formats to write: glb, stl, obj, ply, 3mf', 'glb,stl')
    .option('--density <kg/m3>', 'density for mass and inertia', '7850')
    .option('--set <name=value>', 'set a parameter; may be repeated', (value, all: string[]) => [...all, value], [])
    .option('--parameters', 'list the parameters of the model and stop')
    .option('--json', 'print one JSON document and nothing else')
    .allowUnknownOption()
    .addHelpText('after', '\nExample:\n  tippetop build geneva-wheel --slots 8 --out out/geneva-8')
    .action(build);
}

async function build(typed: string, words: string[], options: BuildOptions): Promise<void> {
  const file = findModel(typed);
  const name = modelName(file);
  const construct = await loadModel(file);
  const parameters = parametersOf(construct);
  if (options.parameters) {
    console.log(parameterList(name, parameters));
    return;
  }
  const density = format.parsePositive(options.density, '--density', 'kg/m³');
  const values = modelArguments(parameters, words, options.set);
  const solids = requireSolids(await construct(values), file);

  const folder = options.out ?? join('out', name);
  const parts = solids.map(([part, { mesh, colour }]) => ({ name: part, mesh, ...(colour && { colour }) }));
  const files: string[] = [];
  for (const extension of options.formats.split(',')) {
    const path = join(folder, `${name}.${extension.trim()}`);
    await writeCadFile(path, { parts });
    files.push(path);
  }
  const picture = join(folder, `${name}.png`);
  const drawn = encodePng(drawStill(parts));
  await writeBytes(picture, drawn);
  files.push(picture);

  const summary = {
    model: name,
    parameters: values,
    solids: solids.map(([part, solid]) => {
      const { volume, area, mass, centroid, inertia, principalMoments } = solidMassProperties(solid, density);
      return {
        name: part,
        triangles: triangleCount(solid.mesh),
        bounds: meshBounds(solid.mesh),
        volume,
        area,
        density,
        mass,
        centroid,
        inertia,
        principalMoments,
      };
    }),
    files: [...files, join(folder, 'summary.json'), join(folder, 'report.html')],
  };
  await writeBytes(join(folder, 'summary.json'), `${JSON.stringify(summary, null, 2)}\n`);
  const rows = summary.solids.map(({ name: part, triangles, bounds, volume, area, mass }) => {
    const extent = [0, 1, 2].map((k) => bounds.max[k] - bounds.min[k]) as [number, number, number];
    return [
      part,
      format.size(extent),
      format.count(triangles),
      quantity(volume, 'm³'),
      quantity(area, 'm²'),
      format.mass(mass),
    ];
  });
  const columns = ['solid', 'size', 'triangles', 'volume', 'area', `mass at ${format.number(density)} kg/m³`];
  const report = {
    title: name,
    picture: drawn,
    parameters: values,
    columns,
    rows,
    files: files.map((path) => basename(path)),
  };
  await writeBytes(join(folder, 'report.html'), solidReport(report));

  if (options.json) {
    console.log(JSON.stringify(summary, null, 2));
    return;
  }
  for (const [part, extent, triangles, volume, , mass] of rows)
    console.log(
      `${part}: ${extent}, ${triangles} triangles, volume ${volume}, ${mass} at ${format.number(density)} kg/m³`,
    );
  console.log(`wrote ${summary.files.join(', ')}`);
}
