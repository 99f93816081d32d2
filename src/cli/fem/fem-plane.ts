/** `tippetop fem` of a planar part: its mesh in plane stress or strain, pictures and tables. */
import { basename, join } from 'node:path';
import { PlanePart } from '../../flexible-bodies/fem/plane-part.js';
import { nodalStress, vonMises } from '../../flexible-bodies/fem/stress.js';
import { cornerQuality, type PlaneMesh } from '../../flexible-bodies/mesh/plane-mesh.js';
import { meshVtk, type NodeField } from '../../results/exchange/mesh-vtk.js';
import { meshSvg } from '../../viewer/mesh-svg.js';
import * as format from '../text/format.js';
import { bear, bearingJson, bearingLines } from './bearing.js';
import {
  extentOf,
  type FemOptions,
  frequencyText,
  materialNamed,
  modesWanted,
  notesOnStatics,
  peaksOf,
  shiftOf,
  type Telling,
  type Told,
} from './fem-words.js';
import { planePlaces } from './places.js';
import { resultFolder } from './result-folder.js';

export function femPlane(
  file: string,
  mesh: PlaneMesh,
  thickness: number,
  options: FemOptions,
  telling: Telling & Told,
): void {
  const { youngsModulus, poissonRatio, density } = materialNamed(options.material);
  const wanted = modesWanted(options);
  const part = new PlanePart(mesh, {
    youngsModulus,
    poissonRatio,
    density,
    thickness,
    ...(options.planeStrain && { strain: true }),
  });
  part.told = telling.told;
  const extent = extentOf(part);
  const { free, isHeld, ldl, bearing } = bear(part, planePlaces(mesh, thickness, telling.tell), options, file);
  const folder = options.out ?? join('out', basename(file).replace(/\.[^.]*$/, ''));
  const write = resultFolder(folder);
  const fields: NodeField[] = [];
  const name = basename(file);
  write(
    'mesh.svg',
    meshSvg(mesh, {
      title: `${name}: ${mesh.elementCount} triangles, ${mesh.nodeCount} nodes; numbers of edges and holes`,
      numbers: true,
    }),
  );

  // Statics
  let statics: ReturnType<typeof peaksOf> | undefined;
  const jump = { largest: 0 };
  if (bearing) {
    const { displacements: u } = bearing.statics;
    const stress = nodalStress(mesh, part.material, u, jump);
    const across = options.planeStrain ? poissonRatio : 0;
    const mises = Float64Array.from({ length: mesh.nodeCount }, (_, i) =>
      vonMises(stress[3 * i], stress[3 * i + 1], stress[3 * i + 2], across),
    );
    statics = peaksOf(part, bearing.statics, mises);
    const exaggeration = statics.largestDisplacement > 0 ? (0.08 * extent) / statics.largestDisplacement : 1;
    write(
      'stress.svg',
      meshSvg(mesh, {
        title: `${name}: von Mises stress, deformation × ${format.number(exaggeration, 3)}`,
        displacement: u,
        exaggeration,
        values: mises.map((value) => value / 1e6),
        quantity: 'von Mises stress',
        unit: 'MPa',
      }),
    );
    fields.push(
      { name: 'displacement_m', values: u, components: 2 },
      { name: 'reaction_N', values: bearing.statics.reactions, components: 2 },
      { name: 'von_mises_Pa', values: mises, components: 1 },
      { name: 'sigma_x_Pa', values: stress.filter((_, i) => i % 3 === 0), components: 1 },
      { name: 'sigma_y_Pa', values: stress.filter((_, i) => i % 3 === 1), components: 1 },
      { name: 'tau_xy_Pa', values: stress.filter((_, i) => i % 3 === 2), components: 1 },
    );
  }

  // Modes
  const { frequencies, shapes } = part.modes(wanted, free, isHeld ? 0 : shiftOf(part), ldl);
  shapes.forEach((shape, k) => {
    let most = 0;
    for (const x of shape) most = Math.max(most, Math.abs(x));
    write(
      `mode-${k + 1}.svg`,
      meshSvg(mesh, {
        title: `${name}: mode ${k + 1}, ${frequencyText(part, frequencies, k)}`,
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
  telling.over();
  for (const note of notesOnStatics(part, statics, jump.largest, options)) telling.tell(note);
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
    mass: area * thickness * density,
    statics: statics && bearing && { ...statics, stressJump: jump.largest, ...bearingJson(bearing) },
    frequencies: [...frequencies].map((w) => w / (2 * Math.PI)),
    notes: telling.notes,
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
  if (statics && bearing) {
    const at = (place: readonly number[]): string => `(${place.map((x) => n(x, 4)).join(', ')}) m`;
    console.log(`  displacement  ${n(statics.largestDisplacement)} m at ${at(statics.displacementAt)}`);
    console.log(
      `  stress        ${n(statics.largestStress / 1e6)} MPa von Mises at ${at(statics.stressAt)}; ` +
        `jumps between elements up to ${n(jump.largest / 1e6, 3)} MPa`,
    );
    console.log(`  strain energy ${n(statics.strainEnergy)} J`);
    for (const line of bearingLines(bearing)) console.log(line);
  }
  result.frequencies.forEach((_, k) => {
    console.log(`  mode ${String(k + 1).padEnd(9)}${frequencyText(part, frequencies, k)}`);
  });
  console.log(
    `wrote ${folder}/mesh.svg, result.json, result.vtk${statics ? ', stress.svg' : ''}${wanted > 0 ? ', mode-….svg' : ''}`,
  );
}
