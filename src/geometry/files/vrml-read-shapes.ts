/**
 * Meshes of VRML 2.0 geometry nodes, in the numbers of the file, in the node's own frame.
 * ISO/IEC 14772-1:1997 (VRML97), §6.6 Box, §6.11 Cone, §6.14 Cylinder, §6.23 IndexedFaceSet, §6.42 Sphere.
 */
import { FileError } from '../../errors.js';
import { acos } from '../../math/elementary.js';
import { box, cone, cylinder, sphere } from '../primitives.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import { weldMesh } from '../weld.js';
import { crossingNote, FaceCutter } from './face-cutter.js';
import { GrowingUint32 } from './growing.js';
import type { VrmlNode } from './vrml-read-nodes.js';

export interface ShapeOptions {
  readonly file: string;
  /** In the numbers of the file; undefined: 1/1000 of the radius */
  readonly chordError: number | undefined;
  readonly notes: Set<string>;
}

/** The mesh of a geometry node, undefined (with a note) if it is of a kind we do not read. */
export function meshOfGeometry(node: VrmlNode, options: ShapeOptions): TriangleMesh | undefined {
  switch (node.type) {
    case 'IndexedFaceSet':
      return indexedFaceSet(node, options);
    case 'Box': {
      const [x, y, z] = numbers(node, 'size', [2, 2, 2], options.file);
      return box([
        positive(x, node, 'size', options),
        positive(y, node, 'size', options),
        positive(z, node, 'size', options),
      ]).mesh;
    }
    case 'Sphere': {
      const radius = positive(numbers(node, 'radius', [1], options.file)[0], node, 'radius', options);
      // A triangle of edge L has its middle L²/(6 r) below the sphere; finer than r/10 000 is not asked for.
      const error = Math.max(options.chordError ?? radius / 1000, radius / 10_000);
      return sphere(radius, { edgeLength: Math.min(radius, Math.sqrt(6 * error * radius)) }).mesh;
    }
    case 'Cylinder':
    case 'Cone': {
      const isCone = node.type === 'Cone';
      const name = isCone ? 'bottomRadius' : 'radius';
      const radius = positive(numbers(node, name, [1], options.file)[0], node, name, options);
      const height = positive(numbers(node, 'height', [2], options.file)[0], node, 'height', options);
      if (['top', 'bottom', 'side'].some((field) => node.fields.get(field)?.words[0] === 'FALSE'))
        options.notes.add(`line ${node.line}: a ${node.type} without all its faces was read as a closed one`);
      const segments = segmentsFor(radius, options.chordError);
      const { mesh } = isCone ? cone({ radius, height, segments }) : cylinder({ radius, height, segments });
      return uprightAlongY(mesh);
    }
    default:
      options.notes.add(`line ${node.line}: ${node.type.slice(0, 60)} was skipped`);
      return undefined;
  }
}

/** Corners of a polygon whose sides stay within the chord error of the circle: r (1 − cos π/n) ≤ e. */
function segmentsFor(radius: number, chordError: number | undefined): number {
  const relative = Math.min(0.1, Math.max(1e-6, (chordError ?? radius / 1000) / radius));
  return Math.max(12, 4 * Math.ceil(Math.PI / acos(1 - relative) / 4));
}

/** Our axis is z, that of VRML y: (x, y, z) → (x, z, −y). */
function uprightAlongY({ vertices, triangles }: TriangleMesh): TriangleMesh {
  const turned = new Float64Array(vertices.length);
  for (let i = 0; i < vertices.length; i += 3) {
    turned[i] = vertices[i];
    turned[i + 1] = vertices[i + 2];
    turned[i + 2] = 0 - vertices[i + 1];
  }
  return { vertices: turned, triangles };
}

function indexedFaceSet(node: VrmlNode, { file, notes }: ShapeOptions): TriangleMesh {
  const coordinates = node.fields.get('coord')?.nodes[0]?.fields.get('point')?.numbers ?? new Float64Array(0);
  if (coordinates.length % 3 !== 0)
    throw new FileError(file, `line ${node.line}`, `expected 3 numbers per point, got ${coordinates.length} in all`);
  for (let i = 0; i < coordinates.length; i++)
    if (!Number.isFinite(coordinates[i]))
      throw new FileError(
        file,
        `line ${node.line}, point ${Math.floor(i / 3)}`,
        `expected a finite coordinate, got ${coordinates[i]}`,
      );
  const count = coordinates.length / 3;
  const indices = node.fields.get('coordIndex')?.numbers ?? new Float64Array(0);
  const clockwise = node.fields.get('ccw')?.words[0] === 'FALSE';
  if (node.fields.has('color')) notes.add('colours of single faces or vertices were skipped');

  const triangles = new GrowingUint32();
  const cutter = new FaceCutter(coordinates, file);
  const face = new GrowingUint32();
  let lines = 0;
  const finishFace = (at: number) => {
    const corners = face.values;
    let n = face.length;
    while (n > 1 && corners[n - 1] === corners[0]) n--;
    if (n > 2) {
      if (clockwise) corners.subarray(0, n).reverse();
      cutter.cut(corners, 0, n, triangles, () => `line ${node.line}, coordIndex ${at}`);
    } else if (n > 0) lines++;
    face.length = 0;
  };
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i];
    if (index === -1) finishFace(i);
    else if (!(Number.isInteger(index) && index >= 0 && index < count))
      throw new FileError(
        file,
        `line ${node.line}, coordIndex ${i}`,
        `expected -1 or a point from 0 to ${count - 1}, got ${index}`,
      );
    else if (face.length === 0 || face.values[face.length - 1] !== index) face.push(index);
  }
  finishFace(indices.length);
  if (lines > 0) notes.add(`line ${node.line}: ${lines} faces of less than three corners were skipped`);
  for (const note of crossingNote(cutter)) notes.add(`line ${node.line}: ${note}`);
  return weldMesh({ vertices: coordinates.slice(), triangles: triangles.toArray() });
}

/** A field of fixed length, or its default. */
export function numbers(
  node: VrmlNode,
  field: string,
  otherwise: readonly number[],
  file: string,
): ArrayLike<number> & Iterable<number> {
  const given = node.fields.get(field)?.numbers;
  if (given === undefined || given.length === 0) return otherwise;
  if (given.length !== otherwise.length || !given.every(Number.isFinite))
    throw new FileError(
      file,
      `line ${node.line}`,
      `expected ${otherwise.length} finite number${otherwise.length > 1 ? 's' : ''} in ${node.type}.${field}, got ${[...given.slice(0, 8)].join(' ')}`,
    );
  return given;
}

function positive(value: number, node: VrmlNode, field: string, { file }: ShapeOptions): number {
  // Sizes near the ends of double precision would over- or underflow in the mesh.
  if (!(value > 1e-100 && value < 1e100))
    throw new FileError(file, `line ${node.line}`, `expected ${node.type}.${field} > 0, got ${value}`);
  return value;
}
