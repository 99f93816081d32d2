/** `tippetop fem`: statics, stress and natural modes of a planar part, from its outline. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Command } from 'commander';
import { ModelError } from '../../errors.js';
import { PlanePart } from '../../flexible-bodies/fem/plane-part.js';
import { nodalStress, vonMises } from '../../flexible-bodies/fem/stress.js';
import { addLoad, holdPlace, requireFree } from '../../flexible-bodies/fem/supports.js';
import { extrudeMesh } from '../../flexible-bodies/mesh/extruded-mesh.js';
import { meshProfile } from '../../flexible-bodies/mesh/mesh-profile.js';
import { cornerQuality } from '../../flexible-bodies/mesh/plane-mesh.js';
import { LENGTH_UNITS, parseUnit } from '../../geometry/files/cad-document.js';
import { leftOutNote, readSolidMesh } from '../../geometry/files/tetrahedra-read.js';
import { quantity } from '../../math/quantity.js';
import { readBytes } from '../../node/cad-files.js';
import { meshVtk, type NodeField } from '../../results/exchange/mesh-vtk.js';
import { meshSvg } from '../../viewer/mesh-svg.js';
import * as format from '../text/format.js';
import { femSolid } from './fem-solid.js';
import { type FemOptions, frequencyText, materialNamed, readOutline } from './fem-words.js';

const collect = (value: string, before: readonly string[]): string[] => [...before, value];

export function femCommand(): Command {
  return new Command('fem')
    .description('statics, stress and natural modes of a planar part, or of a solid')
    .argument(
      '<part>',
      'a DXF with one closed outline, perhaps with holes; or a mesh of tetrahedra: .msh of Gmsh, .inp of Abaqus or CalculiX',
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
      '--load <where=fx,fy>',
      'a force in N spread over sides, e.g. "right=0,-1000", of a solid "top=0,0,-1000"; may be repeated',
      collect,
      [],
    )
    .option('--modes <number>', 'natural modes to find', '6')
    .option(
      '--layers <number>',
      'of a DXF: a solid of so many layers of elements over the thickness, in place of plane stress',
    )
    .option('--plane-strain', 'instead of plane stress')
    .option('--unit <unit>', 'unit of the numbers in the DXF, where it does not say: m, mm, in …')
    .option('--join <length>', 'ends of curves in the DXF that are so near each other are joined')
    .option('--out <folder>', 'for pictures, tables and VTK (default: out/<part>)')
    .option('--json', 'print one JSON document and nothing else')
    .addHelpText(
      'after',
      '\nExamples:\n  tippetop fem bracket.dxf --material steel --thickness 5mm --fix "hole 1" --load "right=0,-500"\n  tippetop fem fork.dxf --fix left --modes 10\n  tippetop fem bracket.msh --unit mm --fix wall --load "end=0,0,-100"',
    )
    .action(fem);
}

async function fem(file: string, options: FemOptions): Promise<void> {
  if (/\.(msh|inp)$/i.test(file)) {
    if (options.layers !== undefined || options.planeStrain)
      throw new ModelError('--layers', 'a mesh of tetrahedra is a solid already; take this and --plane-strain away');
    const scale = options.unit ? LENGTH_UNITS[parseUnit(options.unit, '--unit')] : 1;
    if (!options.unit && !options.json)
      console.log('note: such a file does not say its unit: numbers taken as m; pass --unit mm if they are');
    const mesh = readSolidMesh(await readBytes(file), file, scale);
    if (!options.json) for (const text of leftOutNote(mesh)) console.log(`note: ${text}`);
    femSolid(file, mesh, options);
    return;
  }
  const material = materialNamed(options.material);
  const { profile, notes } = await readOutline(file, options);
  const note = (text: string): void => {
    if (!options.json) console.log(`note: ${text}`);
  };
  notes.forEach(note);
  const thickness = format.parseSize(options.thickness, '--thickness');
  const mesh = meshProfile(profile, {
    ...(options.size !== undefined && { size: format.parseSize(options.size, '--size') }),
    path: file,
  });
  const extent = extentOf(mesh.points);
  if (thickness > extent)
    note(
      `--thickness is ${quantity(thickness, 'm')}, and the part reaches over ${quantity(extent, 'm')}; lengths without a unit are m`,
    );
  if (options.layers !== undefined) {
    if (options.planeStrain)
      throw new ModelError('--plane-strain', 'layers make a solid, which deforms in space; take one of the two away');
    femSolid(file, extrudeMesh(mesh, thickness, Number(options.layers)), options);
    return;
  }
  const part = new PlanePart(mesh, {
    youngsModulus: material.youngsModulus,
    poissonRatio: material.poissonRatio,
    density: material.density,
    thickness,
    ...(options.planeStrain && { strain: true }),
  });
  const free = new Uint8Array(part.size).fill(1);
  for (const where of options.fix) holdPlace(mesh, where, free, '--fix');
  const isHeld = options.fix.length > 0;
  const folder = options.out ?? join('out', basename(file).replace(/\.[^.]*$/, ''));
  mkdirSync(folder, { recursive: true });
  const fields: NodeField[] = [];
  const name = basename(file);
  const write = (picture: string, text: string): void => writeFileSync(join(folder, picture), text);
  write('mesh.svg', meshSvg(mesh, { title: `${name}: ${mesh.elementCount} triangles, ${mesh.nodeCount} nodes` }));

  // Statics
  let statics: Record<string, unknown> | undefined;
  if (options.load.length > 0) {
    if (!isHeld) throw new ModelError('--load', 'the part is not held; say where it is with --fix');
    const force = new Float64Array(part.size);
    const sum = [0, 0];
    for (const text of options.load) {
      const one = new Float64Array(part.size);
      const { force: whole } = addLoad(mesh, text, one, '--load');
      requireFree(one, free, '--load', text);
      one.forEach((f, i) => {
        force[i] += f;
      });
      sum[0] += whole[0];
      sum[1] += whole[1];
    }
    const u = force.slice();
    part.factor(free, 0, file).solve(u);
    const jump = { largest: 0 };
    const stress = nodalStress(mesh, part.material, u, jump);
    const across = options.planeStrain ? material.poissonRatio : 0;
    const mises = Float64Array.from({ length: mesh.nodeCount }, (_, i) =>
      vonMises(stress[3 * i], stress[3 * i + 1], stress[3 * i + 2], across),
    );
    let most = 0;
    let where = 0;
    let largest = 0;
    let energy = 0;
    for (let i = 0; i < mesh.nodeCount; i++) {
      if (mises[i] > mises[where]) where = i;
      const length = Math.hypot(u[2 * i], u[2 * i + 1]);
      if (length > largest) {
        largest = length;
        most = i;
      }
      energy += 0.5 * (u[2 * i] * force[2 * i] + u[2 * i + 1] * force[2 * i + 1]);
    }
    const exaggeration = largest > 0 ? (0.08 * extent) / largest : 1;
    write(
      'stress.svg',
      meshSvg(mesh, {
        title: `${name}: von Mises stress, deformation × ${exaggeration.toPrecision(3)}`,
        displacement: u,
        exaggeration,
        values: mises.map((value) => value / 1e6),
        quantity: 'von Mises stress',
        unit: 'MPa',
      }),
    );
    fields.push(
      { name: 'displacement_m', values: u, components: 2 },
      { name: 'von_mises_Pa', values: mises, components: 1 },
      { name: 'sigma_x_Pa', values: stress.filter((_, i) => i % 3 === 0), components: 1 },
      { name: 'sigma_y_Pa', values: stress.filter((_, i) => i % 3 === 1), components: 1 },
      { name: 'tau_xy_Pa', values: stress.filter((_, i) => i % 3 === 2), components: 1 },
    );
    statics = {
      force: sum,
      largestDisplacement: largest,
      displacementAt: [mesh.points[2 * most], mesh.points[2 * most + 1]],
      largestStress: mises[where],
      stressAt: [mesh.points[2 * where], mesh.points[2 * where + 1]],
      strainEnergy: energy,
      stressJump: jump.largest,
    };
  }

  // Modes
  const wanted = Number(options.modes);
  if (!(Number.isInteger(wanted) && wanted >= 0 && wanted <= 200))
    throw new ModelError('--modes', `expected a whole number from 0 to 200, got "${options.modes}"`);
  // below all elastic frequencies of anything of this size: a hundredth of a wave across it
  const speed = Math.sqrt(material.youngsModulus / material.density);
  const shift = isHeld ? 0 : -(((0.01 * speed) / extent) ** 2);
  const { frequencies, shapes } = part.modes(wanted, free, shift);
  shapes.forEach((shape, k) => {
    let most = 0;
    for (const x of shape) most = Math.max(most, Math.abs(x));
    write(
      `mode-${k + 1}.svg`,
      meshSvg(mesh, {
        title: `${name}: mode ${k + 1}, ${frequencyText(frequencies, k)}`,
        displacement: shape,
        exaggeration: (0.08 * extent) / most,
        values: Float64Array.from(
          { length: mesh.nodeCount },
          (_, i) => Math.hypot(shape[2 * i], shape[2 * i + 1]) / most,
        ),
        quantity: 'displacement, largest 1',
      }),
    );
    fields.push({ name: `mode_${k + 1}`, values: shape, components: 2 });
  });
  write('result.vtk', meshVtk(mesh, name, fields));
  const { area, largestCosine } = cornerQuality(mesh);
  const result = {
    part: file,
    material: options.material,
    thickness,
    mesh: {
      triangles: mesh.elementCount,
      nodes: mesh.nodeCount,
      smallestAngle: (Math.acos(largestCosine) * 180) / Math.PI,
    },
    mass: area * thickness * material.density,
    statics,
    frequencies: [...frequencies].map((w) => w / (2 * Math.PI)),
    folder,
  };
  write('result.json', `${JSON.stringify(result, null, 2)}\n`);
  if (options.json) {
    console.log(JSON.stringify(result, null, 2));
    return;
  }
  const n = format.number;
  console.log(
    `${name}: ${format.count(mesh.elementCount)} triangles of six nodes, ${format.count(mesh.nodeCount)} nodes, ` +
      `smallest angle ${n(result.mesh.smallestAngle, 3)}°; ${format.mass(result.mass)} of ${options.material}`,
  );
  if (statics) {
    const s = statics as { [key: string]: number } & { displacementAt: number[]; stressAt: number[] };
    console.log(
      `  displacement  ${n(s.largestDisplacement)} m at (${s.displacementAt.map((x) => n(x, 4)).join(', ')}) m`,
    );
    console.log(
      `  stress        ${n(s.largestStress / 1e6)} MPa von Mises at (${s.stressAt.map((x) => n(x, 4)).join(', ')}) m; ` +
        `jumps between elements up to ${n(s.stressJump / 1e6, 3)} MPa`,
    );
    console.log(`  strain energy ${n(s.strainEnergy)} J`);
  }
  result.frequencies.forEach((_, k) => {
    console.log(`  mode ${String(k + 1).padEnd(9)}${frequencyText(frequencies, k)}`);
  });
  console.log(
    `wrote ${folder}/mesh.svg, result.json, result.vtk${statics ? ', stress.svg' : ''}${wanted > 0 ? ', mode-….svg' : ''}`,
  );
}

function extentOf(points: Float64Array): number {
  let extent = 0;
  for (let axis = 0; axis < 2; axis++) {
    let [low, high] = [Infinity, -Infinity];
    for (let i = axis; i < points.length; i += 2) {
      low = Math.min(low, points[i]);
      high = Math.max(high, points[i]);
    }
    extent = Math.max(extent, high - low);
  }
  return extent;
}
