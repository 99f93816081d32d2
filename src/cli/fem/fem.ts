/** `tippetop fem`: statics, stress and natural modes of a planar part, from its outline, or of a solid. */
import { Command } from 'commander';
import { ModelError } from '../../errors.js';
import { refuseMany } from '../../flexible-bodies/flexible-solid.js';
import { extrudeMesh } from '../../flexible-bodies/mesh/extruded-mesh.js';
import { meshProfile } from '../../flexible-bodies/mesh/mesh-profile.js';
import { LENGTH_UNITS, parseUnit } from '../../geometry/files/cad-document.js';
import { notesOnMesh, readSolidMesh } from '../../geometry/files/tetrahedra-read.js';
import { quantity } from '../../math/quantity.js';
import { readBytes } from '../../node/cad-files.js';
import * as format from '../text/format.js';
import { Preparation } from '../text/progress.js';
import { femPlane } from './fem-plane.js';
import { femSolid } from './fem-solid.js';
import { extentOf, type FemOptions, readOutline, type Telling, type Told, telling } from './fem-words.js';

const collect = (value: string, before: readonly string[]): string[] => [...before, value];

export function femCommand(): Command {
  return new Command('fem')
    .description('statics, stress and natural modes of a planar part, or of a solid')
    .argument(
      '<part>',
      'a DXF or SVG with one closed outline, perhaps with holes; or a mesh of tetrahedra: .msh of Gmsh, .inp of Abaqus or CalculiX',
    )
    .option('--material <name>', 'e.g. steel, aluminium, acetal', 'steel')
    .option('--thickness <length>', 'e.g. 5mm', '1mm')
    .option('--size <length>', 'largest side of the mesh (default: a fortieth of the part)')
    .option(
      '--fix <where>',
      'what is held: left, right, bottom, top, "hole 1", "edge 3", "near x,y", "point x,y"; of a solid a set of the file, or a plane such as x=min; one direction of it: left:x; may be repeated',
      collect,
      [],
    )
    .option(
      '--move <where=dx,dy>',
      'a place that is held at a known displacement, e.g. "right=0.1mm,0"; some directions of it: "right:x=0.1mm"; may be repeated',
      collect,
      [],
    )
    .option(
      '--load <where=what>',
      'a force in N spread over sides, e.g. "right=0,-1000", of a solid "top=0,0,-1000"; or a pressure on them, towards the material: "hole 1=5MPa"; may be repeated',
      collect,
      [],
    )
    .option('--gravity <gx,gy>', 'its own weight: acceleration in m/s², e.g. 0,-9.81, of a solid 0,0,-9.81')
    .option(
      '--spin <speed>',
      'a steady turn, whose centrifugal force loads the part: 3000rpm or 314rad/s about the origin of the drawing, "3000rpm at 20mm,0"; of a solid "3000rpm about z at 20mm,0,0"',
    )
    .option('--modes <number>', 'natural modes to find', '6')
    .option(
      '--layers <number>',
      'of a DXF: a solid of so many layers of elements over the thickness, in place of plane stress',
    )
    .option('--plane-strain', 'instead of plane stress')
    .option('--unit <unit>', 'unit of the numbers in the DXF, where it does not say: m, mm, in …')
    .option(
      '--drawn-on <layers>',
      'layers of the DXF that are the part, taken together, such as "CUT,HOLES"; others are left out (default: all, each by itself)',
    )
    .option('--join <length>', 'ends of curves in the DXF that are so near each other are joined')
    .option('--out <folder>', 'for pictures, tables and VTK (default: out/<part>)')
    .option('--json', 'print one JSON document and nothing else')
    .addHelpText(
      'after',
      '\nExamples:\n  tippetop fem bracket.dxf --material steel --thickness 5mm --fix "hole 1" --load "right=0,-500"\n  tippetop fem fork.dxf --fix left --modes 10\n  tippetop fem bracket.msh --unit mm --fix wall --load "end=0,0,-100"' +
        '\n  tippetop fem pipe.dxf --fix left:x --fix bottom:y --load "edge 4=20MPa"\n  tippetop fem disc.dxf --fix "hole 1" --spin 3000rpm\n  tippetop fem strap.dxf --fix left --move right:x=0.1mm' +
        '\n\nReactions of what is held stand beside the loads; together they are nothing but rounding.',
    )
    .action(fem);
}

/** Options that mean nothing to a mesh of tetrahedra */
const OF_DRAWINGS = ['thickness', 'size', 'layers', 'planeStrain', 'drawnOn', 'join'] as const;

async function fem(file: string, options: FemOptions, command: Command): Promise<void> {
  const preparation = new Preparation();
  const { notes, tell } = telling(options);
  const told = {
    notes,
    tell: (note: string) => {
      preparation.over();
      tell(note);
    },
    told: (what: string) => preparation.show(what),
    over: () => preparation.over(),
  };
  try {
    await computed(file, options, command, told);
  } finally {
    preparation.over();
  }
}

async function computed(file: string, options: FemOptions, command: Command, told: Telling & Told): Promise<void> {
  if (/\.(msh|inp)$/i.test(file)) {
    const alien = OF_DRAWINGS.find((name) => command.getOptionValueSource(name) === 'cli');
    if (alien)
      throw new ModelError(
        `--${alien.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}`,
        'is for a drawing, and a mesh of tetrahedra is a solid already; take it away',
      );
    const scale = options.unit ? LENGTH_UNITS[parseUnit(options.unit, '--unit')] : 1;
    if (!options.unit) told.tell('such a file does not say its unit: numbers taken as m; pass --unit mm if they are');
    const mesh = readSolidMesh(await readBytes(file), file, scale);
    refuseMany(mesh.nodeCount, file, `it has ${mesh.nodeCount}; mesh it with longer sides`);
    for (const text of notesOnMesh(mesh)) told.tell(text);
    femSolid(file, mesh, options, told);
    return;
  }
  const outline = await readOutline(file, options);
  outline.notes.forEach(told.tell);
  const { profile } = outline;
  const thickness = format.parseSize(options.thickness, '--thickness');
  const size = options.size === undefined ? undefined : format.parseSize(options.size, '--size');
  const mesh = meshProfile(profile, { ...(size !== undefined && { size }), path: file });
  const extent = extentOf({ dimension: 2, mesh });
  for (const [option, length] of [
    ['--thickness', thickness],
    ['--size', size ?? 0],
  ] as const)
    if (length > extent)
      told.tell(
        `${option} is ${quantity(length, 'm')}, and the part reaches over ${quantity(extent, 'm')}; lengths without a unit are m`,
      );
  if (options.layers !== undefined) {
    if (options.planeStrain)
      throw new ModelError('--plane-strain', 'layers make a solid, which deforms in space; take one of the two away');
    const layers = options.layers.trim() === '' ? Number.NaN : Number(options.layers);
    if (!(Number.isInteger(layers) && layers >= 1))
      throw new ModelError('--layers', `expected a whole number of layers from 1, got "${options.layers}"`);
    // corners and middles of sides on each level, as many between two
    const nodes = mesh.nodeCount * (2 * layers + 1);
    refuseMany(
      nodes,
      '--layers',
      `${mesh.elementCount} triangles in ${layers} layers have ${nodes}; take fewer layers, or a larger --size`,
    );
    femSolid(file, extrudeMesh(mesh, thickness, layers), options, told, mesh);
    return;
  }
  femPlane(file, mesh, thickness, options, told);
}
