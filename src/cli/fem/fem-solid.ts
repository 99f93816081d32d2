/** `tippetop fem` of a solid: a mesh of tetrahedra from Gmsh, Abaqus or CalculiX, or an extruded outline in layers. */
import { basename, join } from 'node:path';
import { SolidPart } from '../../flexible-bodies/fem/solid-part.js';
import { solidMises } from '../../flexible-bodies/fem/stress.js';
import type { ExtrudedMesh } from '../../flexible-bodies/mesh/extruded-mesh.js';
import type { PlaneMesh } from '../../flexible-bodies/mesh/plane-mesh.js';
import type { SolidMesh } from '../../geometry/solid-mesh.js';
import { type SolidField, solidVtk } from '../../results/exchange/mesh-vtk.js';
import * as format from '../text/format.js';
import { bear, bearingJson, bearingLines } from './bearing.js';
import {
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
import { solidPlaces } from './places.js';
import { resultFolder } from './result-folder.js';

/** @param plane the mesh that was extruded */
export function femSolid(
  file: string,
  mesh: SolidMesh | ExtrudedMesh,
  options: FemOptions,
  telling: Telling & Told,
  plane?: PlaneMesh,
): void {
  const material = materialNamed(options.material);
  const name = basename(file);
  const folder = options.out ?? join('out', name.replace(/\.[^.]*$/, ''));
  const wanted = modesWanted(options);
  const part = new SolidPart(mesh, material);
  part.told = telling.told;
  const { free, isHeld, ldl, bearing } = bear(
    part,
    solidPlaces(part, telling.tell, plane && 'planeNode' in mesh ? { plane, planeNode: mesh.planeNode } : undefined),
    options,
    file,
  );
  const fields: SolidField[] = [];

  // Statics
  const jump = { largest: 0 };
  let statics: ReturnType<typeof peaksOf> | undefined;
  if (bearing) {
    const { displacements: u, reactions } = bearing.statics;
    const stress = part.stress(u, jump);
    const mises = Float64Array.from({ length: mesh.nodeCount }, (_, i) => solidMises(stress, 6 * i));
    statics = peaksOf(part, bearing.statics, mises);
    fields.push(
      { name: 'displacement_m', values: u, components: 3 },
      { name: 'reaction_N', values: reactions, components: 3 },
      { name: 'von_mises_Pa', values: mises, components: 1 },
    );
  }

  // Modes
  const { frequencies, shapes } =
    wanted > 0 ? part.modes(wanted, free, isHeld ? 0 : shiftOf(part), ldl) : { frequencies: [], shapes: [] };
  shapes.forEach((values, k) => {
    fields.push({ name: `mode_${k + 1}`, values, components: 3 });
  });
  telling.over();
  for (const note of notesOnStatics(part, statics, jump.largest, options)) telling.tell(note);
  const result = {
    part: file,
    material: options.material,
    mesh: { tetrahedra: mesh.elementCount, nodes: mesh.nodeCount, sets: [...mesh.sets.keys()] },
    mass: part.mass,
    statics: statics && bearing && { ...statics, stressJump: jump.largest, ...bearingJson(bearing) },
    frequencies: Array.from(frequencies, (w) => w / (2 * Math.PI)),
    notes: telling.notes,
    folder,
  };
  const write = resultFolder(folder);
  write('result.vtk', solidVtk(mesh, name, fields));
  write('result.json', `${JSON.stringify(result, null, 2)}\n`);
  if (options.json) {
    console.log(JSON.stringify(result, null, 2));
    return;
  }
  const n = format.number;
  console.log(
    `${name}: ${format.count(mesh.elementCount)} tetrahedra of ten nodes, ${format.count(mesh.nodeCount)} nodes; ${format.mass(part.mass)} of ${options.material}` +
      `${mesh.sets.size > 0 ? `; sets ${[...mesh.sets.keys()].join(', ')}` : ''}`,
  );
  if (statics && bearing) {
    const at = (place: readonly number[]): string => `(${place.map((x) => n(x, 4)).join(', ')}) m`;
    console.log(`  displacement  ${n(statics.largestDisplacement)} m at ${at(statics.displacementAt)}`);
    console.log(
      `  stress        ${n(statics.largestStress / 1e6)} MPa von Mises at ${at(statics.stressAt)}; jumps between elements up to ${n(jump.largest / 1e6, 3)} MPa`,
    );
    console.log(`  strain energy ${n(statics.strainEnergy)} J`);
    for (const line of bearingLines(bearing)) console.log(line);
  }
  result.frequencies.forEach((_, k) => {
    console.log(`  mode ${String(k + 1).padEnd(9)}${frequencyText(part, frequencies, k)}`);
  });
  console.log(`wrote ${folder}/result.json, result.vtk`);
}
