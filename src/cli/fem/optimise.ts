/** `tippetop optimise`: where a planar part needs its material, under given loads or those of its own motion. */
import { basename, join } from 'node:path';
import { Command } from 'commander';
import { FileError, ModelError } from '../../errors.js';
import { loosePiece } from '../../flexible-bodies/fem/loose-pieces.js';
import { requireFree } from '../../flexible-bodies/fem/supports.js';
import { meshProfile } from '../../flexible-bodies/mesh/mesh-profile.js';
import type { PlaneMesh } from '../../flexible-bodies/mesh/plane-mesh.js';
import { Compliance, type LoadCase } from '../../flexible-bodies/topology/compliance.js';
import { designOutlines } from '../../flexible-bodies/topology/contour.js';
import { meshDesign } from '../../flexible-bodies/topology/design-mesh.js';
import { designPieces } from '../../flexible-bodies/topology/design-profile.js';
import { elementInertia } from '../../flexible-bodies/topology/element-inertia.js';
import { improvements, sharpened, type TopologyOptions } from '../../flexible-bodies/topology/optimise.js';
import {
  cutOff,
  givenRegions,
  mirrorImages,
  requireCircles,
  requireRadius,
} from '../../flexible-bodies/topology/regions.js';
import { extrude } from '../../geometry/extrude.js';
import { nestOutlines, profileArea } from '../../geometry/polygon.js';
import { quantity } from '../../math/quantity.js';
import type { Vec2 } from '../../math/vec3.js';
import { writeCadFile } from '../../node/cad-files.js';
import { meshSvg } from '../../viewer/mesh-svg.js';
import * as format from '../text/format.js';
import { asTyped, nodeDensities, type OptimiseOptions, parseCircle, parseMirror, parseVolume } from './design-words.js';
import { materialNamed, readOutline, telling } from './fem-words.js';
import { listening } from './listening.js';
import { addNamedLoad, inertiaFields, readHolds } from './load-words.js';
import { optimiseMotion } from './optimise-motion.js';
import { type Places, planePlaces } from './places.js';
import { resultFolder } from './result-folder.js';

const collect = (value: string, before: readonly string[]): string[] => [...before, value];

/** Options that mean nothing to the other kind of part */
const OF_DRAWINGS = ['material', 'thickness', 'fix', 'load', 'gravity', 'spin', 'unit', 'drawnOn', 'join'] as const;
const OF_MODELS = ['body', 'samples', 'from', 'stop', 'runs', 'strict', 'set'] as const;

export function optimiseCommand(): Command {
  return new Command('optimise')
    .description(
      'the stiffest planar part of a given volume: topology optimisation, under given loads or those of its motion',
    )
    .argument(
      '<part>',
      'a DXF or SVG with the outline of the room there is; or a model, one of whose bodies is to be designed',
    )
    .argument('[parameters...]', 'parameters of the model, such as --length 2')
    .option('--material <name>', 'e.g. steel, aluminium', 'steel')
    .option('--thickness <length>', 'e.g. 5mm', '1mm')
    .option(
      '--size <length>',
      'side of the elements (default: a hundredth of the part; of a body in motion some 4000 elements)',
    )
    .option(
      '--fix <where>',
      'what is held: left, right, bottom, top, "hole 1", "edge 3", "near x,y", "point x,y"; one direction of it: left:x; may be repeated',
      collect,
      [],
    )
    .option(
      '--load <where=what>',
      'a load case: forces in N, "right=0,-1000", or pressures, "hole 1=5MPa", several joined by ";"; may be repeated',
      collect,
      [],
    )
    .option('--gravity <gx,gy>', 'in each load case: its own weight, acceleration in m/s², e.g. 0,-9.81')
    .option('--spin <speed>', 'in each load case: a steady turn, 3000rpm or "314rad/s at 20mm,0"')
    .option('--volume <part>', 'part of the room that may be filled', '0.5')
    .option('--radius <length>', 'finest detail (default: three elements)')
    .option('--full <x,y,radius>', 'a circle that stays full, in the axes of the outline; may be repeated', collect, [])
    .option('--empty <x,y,radius>', 'a circle that stays empty; may be repeated', collect, [])
    .option('--mirror <line>', 'the same on both sides of a line, such as y=0')
    .option('--method <name>', 'mma or oc', 'mma')
    .option(
      '--iterations <number>',
      'at most (default: 100; in motion 30 after each run); up to 48 more make the design black and white',
    )
    .option('--grey', 'leaves densities as they are: what is cut out is then less stiff than told')
    .option('--body <name>', 'of a model: the flexible body to be designed; may be repeated', collect, [])
    .option('--samples <number>', 'of a model: instants of the run that load it (default: 24)')
    .option('--from <s>', 'of a model: only instants after this time', '0')
    .option('--stop <s>', 'of a model: end of the run')
    .option('--runs <number>', 'of a model: runs at most, until its loads settle (default: 5)')
    .option(
      '--strict',
      'of a model: a run for each iteration (default 40), instead of some iterations under frozen accelerations',
    )
    .option(
      '--set <name=value>',
      'of a model: set a parameter; may be repeated',
      (value, all: string[]) => [...all, value],
      [],
    )
    .option('--unit <unit>', 'unit of the numbers in the DXF, where it does not say')
    .option(
      '--drawn-on <layers>',
      'layers of the DXF that are the room, taken together, such as "CUT,HOLES"; others are left out',
    )
    .option('--join <length>', 'ends of curves in the DXF that are so near each other are joined')
    .option('--out <folder>', '(default: out/<part>-optimised)')
    .allowUnknownOption()
    .addHelpText(
      'after',
      '\nOf a model: the mechanism is run, what its motion loads the body with becomes static load cases, and the design is put back: cut out, meshed anew, run,' +
        '\nand its stress over time held beside that of the whole outline thinned to the same mass.' +
        '\n\nExamples:\n  tippetop optimise room.dxf --fix left --load "right=0,-1000" --volume 0.4' +
        '\n  tippetop optimise connecting-rod --body rod --volume 0.6 --mirror y=0\n\nCtrl-C ends it and keeps the design.',
    )
    .action((file: string, words: string[], options: OptimiseOptions, command: Command) => {
      const drawn = /\.(dxf|svg)$/i.test(file);
      if (/\.(msh|inp|stl|obj|ply|3mf|gl(b|tf)|st(e?)p|ige?s)$/i.test(file))
        throw new FileError(
          file,
          '',
          'is a solid, and designs are planar; expected a drawing (.dxf, .svg) of the room there is, or a model with a flexible body',
        );
      const alien = (drawn ? OF_MODELS : OF_DRAWINGS).find((name) => command.getOptionValueSource(name) === 'cli');
      if (alien)
        throw new ModelError(
          `--${alien.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}`,
          drawn
            ? 'is for a body of a model, and this is a drawing; take it away'
            : 'is for a drawing; a body of a model has its own, and its motion loads it; take it away',
        );
      return asTyped(() => (drawn ? optimise(file, words, options) : optimiseMotion(file, words, options)));
    });
}

/** Load cases, what acts on every kilogram in each of them, and the nodes where forces act */
function readCases(
  mesh: PlaneMesh,
  places: Places,
  sheet: { readonly density: number; readonly thickness: number },
  free: Uint8Array,
  options: OptimiseOptions,
): { readonly loads: LoadCase[]; readonly loaded: ReadonlySet<number> } {
  const fields = inertiaFields(mesh.points, 2, options);
  const body = new Float64Array(6 * mesh.elementCount);
  for (const { name, option, field } of fields) {
    requireFree(field, free, option, name);
    elementInertia(mesh, sheet, field).forEach((f, i) => {
      body[i] += f;
    });
  }
  const loaded = new Set<number>();
  const cases = options.load.map((text) => {
    const force = new Float64Array(places.size);
    for (const one of text.split(';')) addNamedLoad(places, one, force, '--load');
    requireFree(force, free, '--load', text);
    force.forEach((f, i) => {
      if (f !== 0) loaded.add(i >> 1);
    });
    return force;
  });
  if (cases.length === 0) cases.push(new Float64Array(places.size));
  return { loads: cases.map((force) => ({ force, ...(fields.length > 0 && { body }) })), loaded };
}

async function optimise(file: string, words: readonly string[], options: OptimiseOptions): Promise<void> {
  if (words.length > 0) throw new ModelError(words[0], 'is no option of `tippetop optimise` for an outline');
  const material = materialNamed(options.material);
  const { profile, notes } = await readOutline(file, options);
  const { tell } = telling({});
  notes.forEach(tell);
  const { method } = options;
  if (method !== 'mma' && method !== 'oc') throw new ModelError('--method', `expected mma or oc, got "${method}"`);
  if (options.load.length === 0 && options.gravity === undefined && options.spin === undefined)
    throw new ModelError('--load', 'expected at least one load such as "right=0,-1000"');
  if (options.load.length === 0 && options.full.length === 0)
    throw new ModelError(
      '--load',
      'weight and spin alone are borne best where there is no material at all; expected a load that the design must carry, or a circle that stays full (--full)',
    );
  if (options.method === 'oc' && (options.gravity !== undefined || options.spin !== undefined))
    tell(
      'oc does not know that material can be too heavy for where it is; mma finds stiffer designs under weight and spin',
    );
  if (options.fix.length === 0) throw new ModelError('--fix', 'expected at least one place that is held, such as left');
  const thickness = format.parseSize(options.thickness, '--thickness');
  const xs = profile.outer.map(([x]) => x);
  const ys = profile.outer.map(([, y]) => y);
  const extent = Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
  const size = options.size === undefined ? extent / 100 : format.parseSize(options.size, '--size');
  if (size > 0.25 * extent)
    throw new ModelError(
      '--size',
      `expected elements far smaller than the part, which reaches over ${quantity(extent, 'm')}, got ${quantity(size, 'm')}; lengths without a unit are m`,
    );
  const volume = parseVolume(options.volume);
  const mesh = meshProfile(profile, { size, nodesPerElement: 3, path: file });
  const design = meshDesign(mesh, { ...material, thickness });
  const places = planePlaces(mesh, thickness, tell);
  const { free } = readHolds(places, options);
  const held: number[] = [];
  for (let i = 0; i < mesh.nodeCount; i++) if (free[2 * i] === 0 || free[2 * i + 1] === 0) held.push(i);
  const loose = loosePiece(mesh, 2, free);
  if (loose) throw new ModelError('--fix', `the part is not held: ${loose.what}; ${loose.remedy}`);
  const { loads, loaded } = readCases(mesh, places, { density: material.density, thickness }, free, options);
  // Material stays at rims that are held or loaded; along a plane of symmetry, held in one direction, it may go
  const given = new Int8Array(mesh.elementCount);
  for (let e = 0; e < mesh.elementCount; e++)
    for (let a = 0; a < 3; a++) {
      const node = mesh.elements[3 * e + a];
      if (loaded.has(node) || (free[2 * node] === 0 && free[2 * node + 1] === 0)) given[e] = 1;
    }
  const circles = {
    full: options.full.map((text) => parseCircle(text, '--full')),
    empty: options.empty.map((text) => parseCircle(text, '--empty')),
  };
  requireCircles([design], circles);
  const regions = givenRegions(design, [], size, circles);
  for (let e = 0; e < given.length; e++) if (given[e] === 0) given[e] = regions[e];
  const place = (node: number): string =>
    `(${Array.from(mesh.points.subarray(2 * node, 2 * node + 2), (x) => format.number(x, 4)).join(', ')}) m`;
  const lost = cutOff(design, (e) => given[e] < 0, held, loaded);
  if (lost !== undefined)
    throw new ModelError(
      '--empty',
      `what stays empty cuts the load at ${place(lost)} off from all that is held: no design can carry it; leave a way between them`,
    );
  const mirror = options.mirror === undefined ? undefined : parseMirror(options.mirror);
  const folder = options.out ?? join('out', `${basename(file).replace(/\.[^.]*$/, '')}-optimised`);
  const write = resultFolder(folder);
  const name = basename(file);
  const picture = (densities: Float64Array, title: string): void => {
    const values = nodeDensities(mesh, densities);
    write('design-density.svg', meshSvg(mesh, { title, values, quantity: 'density', lines: false }));
  };
  const started = performance.now();
  const problem = new Compliance(design, free, loads);
  const radius = options.radius === undefined ? 3 * size : format.parseSize(options.radius, '--radius');
  requireRadius(radius, size);
  const asked: Omit<TopologyOptions, 'progress'> = {
    volume,
    radius,
    method,
    iterations: format.parseCount(options.iterations ?? '100', '--iterations'),
    given,
    ...(mirror && { mirror: mirrorImages(design, mirror.axis === 'x' ? 0 : 1, mirror.at) }),
  };
  const steps = (function* () {
    const soft = yield* improvements(problem, asked);
    return soft.stopped || options.grey ? soft : yield* sharpened(problem, asked, soft);
  })();
  const { result, stopped } = await listening(steps, ({ iteration, compliance, volume: used, change, densities }) => {
    console.log(
      `  ${String(iteration).padStart(4)}  compliance ${format.number(compliance)} J, volume ${format.number(used, 4)}, change ${format.number(change, 3)}`,
    );
    picture(densities, `${name}: iteration ${iteration}`);
  });
  picture(result.densities, `${name}: ${format.number(volume, 3)} of the volume after ${result.iteration} iterations`);
  const off = cutOff(design, (e) => result.densities[e] < 0.5, held, loaded);
  // as a part to be made; what fell apart is shown as it is. Where weight counts, less than what may be filled can be stiffer
  const filled = Math.min(volume, result.volume);
  const needs = [...(loaded.size > 0 ? loaded : held)].map((i): Vec2 => [mesh.points[2 * i], mesh.points[2 * i + 1]]);
  const profiles =
    off === undefined
      ? designPieces(design, result.smooth, { area: filled * profileArea(profile), needs, size })
      : nestOutlines(designOutlines(design, result.smooth));
  const outlines = { profiles: profiles.map((one, i) => ({ name: `design${i}`, profile: one })) };
  for (const ending of ['dxf', 'svg']) await writeCadFile(join(folder, `design.${ending}`), outlines, {});
  await writeCadFile(
    join(folder, 'design.stl'),
    { parts: profiles.map((one, i) => ({ name: `design${i}`, mesh: extrude(one, thickness).mesh })) },
    {},
  );
  console.log(
    `${name}: ${format.count(mesh.elementCount)} elements, ${format.plural(result.iteration, 'iteration')} in ${format.number((performance.now() - started) / 1000, 3)} s; ` +
      `compliance ${format.number(result.compliance)} J${result.finished ? '' : stopped ? '; stopped' : '; not settled yet'}`,
  );
  if (filled < volume - 1e-3)
    tell(
      `the design fills ${format.number(filled, 3)} of the room, less than it may: more would load it more than it carries`,
    );
  if (off === undefined && profiles.length > 1)
    tell(
      `the design is in ${profiles.length} pieces, each of which carries loads to what is held; \`tippetop fem\` takes one outline at a time`,
    );
  if (off !== undefined)
    console.log(
      `  the design fell apart: nothing leads from the load at ${place(off)} to what is held; allow more volume, more iterations or a smaller radius`,
    );
  console.log(`wrote ${folder}/design-density.svg, and the outline as design.dxf, .svg, .stl`);
}
