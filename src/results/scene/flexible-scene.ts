/** What is drawn of bodies that deform: both faces and the rim of the mesh, and the shapes by which it moves. */
import { drawnBody } from '../../assembly/places.js';
import type { FlexibleNode } from '../../assembly/system.js';
import type { PlaneMesh } from '../../flexible-bodies/mesh/plane-mesh.js';
import type { Form, Solid } from '../../geometry/solid.js';
import { fromQuaternion } from '../../math/mat3.js';
import type { Model } from '../../model/model.js';
import type { SceneSurface } from '../scene.js';
import { deform } from './deforming-surfaces.js';

/** Names of the signals of a flexible body's coordinates */
export const coordinateNames = (body: string, count: number): string[] =>
  Array.from({ length: count }, (_, k) => `${body}.deformation.${k + 1}`);

/** And of what loads it by inertia, where its stress is told by mode acceleration */
export const inertiaNames = (body: string, count: number): string[] =>
  Array.from({ length: count }, (_, k) => `${body}.inertia.${k + 1}`);

interface Slender {
  readonly membrane?: FlexibleNode['membrane'] | undefined;
}

/** And of what bending lengthens a slender part by, which its axial coordinate takes back without stress (membrane term) */
export const stretchNames = (body: string, { membrane }: Slender): string[] => (membrane ? [`${body}.stretch`] : []);

/** σx, σy, τxy per unit of elongation, 3 per node */
export function axialStress({ membrane, part }: Slender & Pick<FlexibleNode, 'part'>): Float64Array {
  const out = new Float64Array(3 * part.mesh.nodeCount);
  membrane?.along.forEach((share, k) => {
    if (share !== 0) for (let i = 0; i < out.length; i++) out[i] += share * part.stresses[k][i];
  });
  return out;
}

export function flexibleSurfaces(model: Model, flexible: readonly FlexibleNode[]): SceneSurface[] {
  return flexible.map(({ name: path, body: owner, part, nodes, membrane }): SceneSurface => {
    const name = path.slice(path.indexOf('.') + 1);
    const body = model.bodies.get(owner)!;
    const solid = (Array.isArray(body.shape) ? body.shape[0] : body.shape) as Solid;
    const { position, orientation } = solid.pose;
    const r = fromQuaternion(orientation);
    const { height } = solid.form as Extract<Form, { kind: 'extrusion' }>;
    const { mesh, shapes, stresses, material } = part;
    const { inertial } = part;
    const stretch = stretchNames(name, { membrane });
    const all = {
      shapes: [...shapes, ...(inertial?.shapes ?? []), ...stretch.map(() => new Float64Array(2 * mesh.nodeCount))],
      stresses: [...stresses, ...(inertial?.stresses ?? []), ...stretch.map(() => axialStress({ membrane, part }))],
    };
    const count = all.shapes.length;
    const allShapes = new Float64Array(2 * mesh.nodeCount * count);
    const allStresses = new Float64Array(3 * mesh.nodeCount * count);
    for (let k = 0; k < count; k++) {
      allShapes.set(all.shapes[k], 2 * mesh.nodeCount * k);
      allStresses.set(all.stresses[k], 3 * mesh.nodeCount * k);
    }
    const modes = {
      frame: name,
      coordinates: [...coordinateNames(name, nodes.length), ...inertiaNames(name, inertial?.count ?? 0), ...stretch],
      plane: Float64Array.from([...position, r[0], r[3], r[6], r[1], r[4], r[7], r[2], r[5], r[8]]),
      faces: [0, height] as const,
      rest: mesh.points.slice(),
      shapes: allShapes,
      stresses: allStresses,
      acrossRatio: material.strain ? material.poissonRatio : 0,
    };
    const vertices = new Float64Array(6 * mesh.nodeCount);
    const values = new Float64Array(2 * mesh.nodeCount);
    const at = drawnBody(model, owner);
    deform(modes, [...at.position, ...at.orientation], new Array<number>(count).fill(0), { vertices, values });
    return {
      name,
      vertexCount: 2 * mesh.nodeCount,
      triangles: facesAndRim(mesh),
      vertices,
      ...(body.colour && { colour: body.colour }),
      quantity: 'von Mises stress',
      unit: 'Pa',
      modes,
    };
  });
}

/** Triangles of both faces, four for each element of six nodes, and of the rim */
function facesAndRim({ elements, elementCount, nodesPerElement, nodeCount, sides }: PlaneMesh): Uint32Array {
  const out: number[] = [];
  const face = (a: number, b: number, c: number): void => {
    out.push(a, c, b, a + nodeCount, b + nodeCount, c + nodeCount);
  };
  for (let e = 0; e < elementCount; e++) {
    const [a, b, c, d, f, g] = elements.subarray(nodesPerElement * e, nodesPerElement * (e + 1));
    if (nodesPerElement === 3) face(a, b, c);
    else {
      face(a, d, g);
      face(d, b, f);
      face(g, f, c);
      face(d, f, g);
    }
  }
  const wall = (a: number, b: number): void => {
    out.push(a, b, b + nodeCount, a, b + nodeCount, a + nodeCount);
  };
  for (let s = 0; s < sides.length; s += 3) {
    const [a, b, m] = [sides[s], sides[s + 1], sides[s + 2]];
    if (m < 0) wall(a, b);
    else {
      wall(a, m);
      wall(m, b);
    }
  }
  return Uint32Array.from(out);
}
