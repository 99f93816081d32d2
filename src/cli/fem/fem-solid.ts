/** `tippetop fem` of a solid: a mesh of tetrahedra from Gmsh, Abaqus or CalculiX, or an extruded outline in layers. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ModelError } from '../../errors.js';
import { SolidPart, solidNodes } from '../../flexible-bodies/fem/solid-part.js';
import { solidMises } from '../../flexible-bodies/fem/stress.js';
import { requireFree } from '../../flexible-bodies/fem/supports.js';
import type { SolidMesh } from '../../geometry/solid-mesh.js';
import { type SolidField, solidVtk } from '../../results/exchange/mesh-vtk.js';
import * as format from '../text/format.js';
import { type FemOptions, frequencyText, materialNamed } from './fem-words.js';

export function femSolid(file: string, mesh: SolidMesh, options: FemOptions): void {
  const material = materialNamed(options.material);
  const name = basename(file);
  const folder = options.out ?? join('out', name.replace(/\.[^.]*$/, ''));
  const wanted = Number(options.modes);
  if (!(Number.isInteger(wanted) && wanted >= 0 && wanted <= 200))
    throw new ModelError('--modes', `expected a whole number from 0 to 200, got "${options.modes}"`);
  const part = new SolidPart(mesh, material);
  const free = new Uint8Array(part.size).fill(1);
  for (const text of options.fix) {
    // one direction of a place, as a plane of symmetry holds it: x=min:x
    const [, where, directions = 'xyz'] = /^(.*?)(?::([xyz]+))?$/s.exec(text)!;
    for (const node of solidNodes(mesh, where, '--fix'))
      for (const d of directions) free[3 * node + 'xyz'.indexOf(d)] = 0;
  }
  const isHeld = options.fix.length > 0;
  const fields: SolidField[] = [];

  // Statics
  let statics: Statics | undefined;
  if (options.load.length > 0) {
    if (!isHeld) throw new ModelError('--load', 'the part is not held; say where it is with --fix');
    const force = new Float64Array(part.size);
    for (const text of options.load) {
      // a plane such as x=max has the sign in its own name
      const at = text.lastIndexOf('=');
      const parts = text
        .slice(at + 1)
        .split(',')
        .map(Number);
      if (at < 0 || parts.length !== 3 || !parts.every(Number.isFinite))
        throw new ModelError('--load', `expected <where>=fx,fy,fz in N such as "top=0,0,-1000", got "${text}"`);
      const one = new Float64Array(part.size);
      part.addForce(solidNodes(mesh, text.slice(0, at), '--load'), [parts[0], parts[1], parts[2]], one, '--load');
      requireFree(one, free, '--load', text);
      one.forEach((f, i) => {
        force[i] += f;
      });
    }
    const u = force.slice();
    part.factor(free, 0, file).solve(u);
    const stress = part.stress(u);
    const mises = Float64Array.from({ length: mesh.nodeCount }, (_, i) => solidMises(stress, 6 * i));
    let [most, where, energy] = [0, 0, 0];
    const length = (i: number): number => Math.hypot(u[3 * i], u[3 * i + 1], u[3 * i + 2]);
    for (let i = 0; i < mesh.nodeCount; i++) {
      if (mises[i] > mises[where]) where = i;
      if (length(i) > length(most)) most = i;
    }
    for (let i = 0; i < u.length; i++) energy += 0.5 * u[i] * force[i];
    const place = (i: number): number[] => Array.from(mesh.points.subarray(3 * i, 3 * i + 3));
    statics = {
      largestDisplacement: length(most),
      displacementAt: place(most),
      largestStress: mises[where],
      stressAt: place(where),
      strainEnergy: energy,
    };
    fields.push(
      { name: 'displacement_m', values: u, components: 3 },
      { name: 'von_mises_Pa', values: mises, components: 1 },
    );
  }

  // Modes
  let extent = 0;
  for (let axis = 0; axis < 3; axis++) {
    let [low, high] = [Infinity, -Infinity];
    for (let i = axis; i < mesh.points.length; i += 3) {
      low = Math.min(low, mesh.points[i]);
      high = Math.max(high, mesh.points[i]);
    }
    extent = Math.max(extent, high - low);
  }
  const shift = isHeld ? 0 : -(((0.01 * Math.sqrt(material.youngsModulus / material.density)) / extent) ** 2);
  const { frequencies, shapes } = wanted > 0 ? part.modes(wanted, free, shift) : { frequencies: [], shapes: [] };
  shapes.forEach((values, k) => {
    fields.push({ name: `mode_${k + 1}`, values, components: 3 });
  });
  const result = {
    part: file,
    material: options.material,
    mesh: { tetrahedra: mesh.elementCount, nodes: mesh.nodeCount, sets: [...mesh.sets.keys()] },
    mass: part.mass,
    statics,
    frequencies: Array.from(frequencies, (w) => w / (2 * Math.PI)),
    folder,
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'result.vtk'), solidVtk(mesh, name, fields));
  writeFileSync(join(folder, 'result.json'), `${JSON.stringify(result, null, 2)}\n`);
  if (options.json) {
    console.log(JSON.stringify(result, null, 2));
    return;
  }
  const n = format.number;
  console.log(
    `${name}: ${format.count(mesh.elementCount)} tetrahedra of ten nodes, ${format.count(mesh.nodeCount)} nodes; ${format.mass(part.mass)} of ${options.material}` +
      `${mesh.sets.size > 0 ? `; sets ${[...mesh.sets.keys()].join(', ')}` : ''}`,
  );
  if (statics) {
    const at = (place: readonly number[]): string => `(${place.map((x) => n(x, 4)).join(', ')}) m`;
    console.log(`  displacement  ${n(statics.largestDisplacement)} m at ${at(statics.displacementAt)}`);
    console.log(`  stress        ${n(statics.largestStress / 1e6)} MPa von Mises at ${at(statics.stressAt)}`);
    console.log(`  strain energy ${n(statics.strainEnergy)} J`);
  }
  result.frequencies.forEach((_, k) => {
    console.log(`  mode ${String(k + 1).padEnd(9)}${frequencyText(frequencies, k)}`);
  });
  console.log(`wrote ${folder}/result.json, result.vtk`);
}

interface Statics {
  readonly largestDisplacement: number;
  readonly displacementAt: readonly number[];
  readonly largestStress: number;
  readonly stressAt: readonly number[];
  readonly strainEnergy: number;
}
