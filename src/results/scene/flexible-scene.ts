/** What is drawn of bodies that deform: both faces and the rim of a planar mesh or the surface of a solid one, and the shapes by which it moves. */
import { drawnBody } from '../../assembly/places.js';
import type { FlexibleNode } from '../../assembly/system.js';
import { ratioAcross } from '../../flexible-bodies/fem/stress.js';
import type { PlaneFlexiblePart, SolidFlexiblePart } from '../../flexible-bodies/flexible-part.js';
import type { PlaneMesh } from '../../flexible-bodies/mesh/plane-mesh.js';
import type { Form, Solid } from '../../geometry/solid.js';
import { surfaceOf } from '../../geometry/solid-mesh.js';
import { fromQuaternion } from '../../math/mat3.js';
import type { Model } from '../../model/model.js';
import type { SceneSurface, SurfaceModes } from '../scene.js';
import { deform } from './deforming-surfaces.js';

/** Names of the signals of a flexible body's coordinates */
export const coordinateNames = (body: string, count: number): string[] =>
  Array.from({ length: count }, (_, k) => `${body}.deformation.${k + 1}`);

/** And of what loads it by inertia, where its stress is told by mode acceleration */
export const inertiaNames = (body: string, count: number): string[] =>
  Array.from({ length: count }, (_, k) => `${body}.inertia.${k + 1}`);

/** And of what bending lengthens the spans of a slender part by, which axial coordinates take back without stress (membrane term) */
export const stretchNames = (body: string, { spans }: Pick<FlexibleNode, 'spans'>): string[] =>
  spans.map((_, i) => (spans.length === 1 ? `${body}.stretch` : `${body}.stretch.${i + 1}`));

/** Stress per unit of elongation of each span, as of the shapes */
export const axialStresses = ({ spans, part }: Pick<FlexibleNode, 'spans' | 'part'>): Float64Array[] =>
  spans.map(({ shift }) => {
    const out = new Float64Array((part.kind === 'plane' ? 3 : 6) * part.mesh.nodeCount);
    shift.forEach((share, k) => {
      if (share !== 0) for (let i = 0; i < out.length; i++) out[i] += share * part.stresses[k][i];
    });
    return out;
  });

export function flexibleSurfaces(model: Model, flexible: readonly FlexibleNode[]): SceneSurface[] {
  return flexible.map(({ name: path, body: owner, part, nodes, spans }): SceneSurface => {
    const name = path.slice(path.indexOf('.') + 1);
    const body = model.bodies.get(owner)!;
    const solid = (Array.isArray(body.shape) ? body.shape[0] : body.shape) as Solid;
    const { position, orientation } = solid.pose;
    const r = fromQuaternion(orientation);
    const { shapes, stresses, inertial } = part;
    const drawn = part.kind === 'plane' ? drawnPlane(part, solid) : drawnSolid(part);
    const stretch = stretchNames(name, { spans });
    const still = (): Float64Array => new Float64Array(drawn.d * part.mesh.nodeCount);
    const modes: SurfaceModes = {
      frame: name,
      ...(name !== owner && { whole: owner }),
      coordinates: [...coordinateNames(name, nodes.length), ...inertiaNames(name, inertial?.count ?? 0), ...stretch],
      plane: Float64Array.from([...position, r[0], r[3], r[6], r[1], r[4], r[7], r[2], r[5], r[8]]),
      ...(drawn.faces && { faces: drawn.faces }),
      rest: drawn.of(part.mesh.points, drawn.d),
      shapes: joined([...shapes, ...(inertial?.shapes ?? []), ...stretch.map(still)], (one) => drawn.of(one, drawn.d)),
      stresses: joined([...stresses, ...(inertial?.stresses ?? []), ...axialStresses({ spans, part })], (one) =>
        drawn.of(one, drawn.components),
      ),
      acrossRatio: ratioAcross(part.material),
    };
    const vertices = new Float64Array(3 * drawn.vertexCount);
    const values = new Float64Array(drawn.vertexCount).fill(Number.NaN);
    const at = drawnBody(model, owner);
    const undeformed = new Array<number>(modes.coordinates.length).fill(0);
    deform(modes, [...at.position, ...at.orientation], undeformed, { vertices, values });
    return {
      name,
      vertexCount: drawn.vertexCount,
      triangles: drawn.triangles,
      vertices,
      ...(body.colour && { colour: body.colour }),
      quantity: 'von Mises stress',
      unit: 'Pa',
      modes,
    };
  });
}

/** What is drawn of a mesh */
interface Drawn {
  readonly vertexCount: number;
  readonly triangles: Uint32Array;
  readonly faces?: readonly [number, number];
  /** Numbers of a displacement and of a stress */
  readonly d: number;
  readonly components: number;
  /** Values of the nodes that are drawn, of `width` numbers each */
  readonly of: (field: Float64Array, width: number) => Float64Array;
}

function drawnPlane({ mesh }: PlaneFlexiblePart, solid: Solid): Drawn {
  const { height } = solid.form as Extract<Form, { kind: 'extrusion' }>;
  return {
    vertexCount: 2 * mesh.nodeCount,
    triangles: facesAndRim(mesh),
    faces: [0, height],
    d: 2,
    components: 3,
    of: (field) => field.slice(),
  };
}

/** Node of the mesh that each vertex shows; of a planar part those of the lower face */
export const drawnNodes = ({ part }: Pick<FlexibleNode, 'part'>): Int32Array =>
  part.kind === 'plane' ? Int32Array.from({ length: part.mesh.nodeCount }, (_, i) => i) : surfaceOf(part.mesh).nodes;

function drawnSolid({ mesh }: SolidFlexiblePart): Drawn {
  const { nodes, triangles } = surfaceOf(mesh);
  return {
    vertexCount: nodes.length,
    triangles,
    d: 3,
    components: 6,
    of: (field, width) => {
      const out = new Float64Array(width * nodes.length);
      nodes.forEach((node, i) => {
        for (let k = 0; k < width; k++) out[width * i + k] = field[width * node + k];
      });
      return out;
    },
  };
}

/** One after the other */
function joined(fields: readonly Float64Array[], of: (field: Float64Array) => Float64Array): Float64Array {
  const parts = fields.map(of);
  const out = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const one of parts) {
    out.set(one, at);
    at += one.length;
  }
  return out;
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
