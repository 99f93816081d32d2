/** From the faces of an OBJ file to parts: objects or groups, triangles, one colour each. */
import type { Colour } from '../solid.js';
import type { CadPart } from './cad-document.js';
import { crossingNote, FaceCutter } from './face-cutter.js';
import { type GrowingFloat64, GrowingUint32 } from './growing.js';
import { readMtl } from './obj-materials.js';
import { stemOf } from './part-names.js';
import { UsedVertices } from './used-vertices.js';

/** Faces of one object and group. */
export interface ObjSegment {
  readonly object: string;
  readonly group: string;
  /** Material of the first face. */
  readonly material: string;
  /** Other faces have another material. */
  mixed: boolean;
  /** For each face: number of corners, then its line if there are more than 4, then vertex indices. */
  readonly faces: GrowingUint32;
}

export interface ObjContent {
  /** 3 per vertex, m */
  readonly vertices: GrowingFloat64;
  /** 3 per vertex, NaN for a vertex without colour; missing if no vertex has one. */
  colours?: GrowingFloat64;
  /** In the order of their first face. */
  readonly segments: ObjSegment[];
  /** Names of material files. */
  readonly libraries: string[];
}

export function assembleObj(
  content: ObjContent,
  options: { fileName: string; companion?: (name: string) => Uint8Array | undefined },
): { parts: CadPart[]; notes: string[] } {
  const { segments } = content;
  const vertices = content.vertices.toArray();
  const cutter = new FaceCutter(vertices, options.fileName);
  const used = new UsedVertices(vertices);
  const materials = readMaterials(content, options);
  const notes = [...materials.notes];

  // Objects are parts; where there is only one, its groups are.
  const objects = groupBy(segments, (segment) => segment.object);
  const groups = objects.size > 1 ? objects : groupBy(segments, (segment) => segment.group);
  const single = groups.size <= 1;
  let mixed = 0;
  const parts = Array.from(groups, ([key, members], i): CadPart => {
    const triangles = new GrowingUint32();
    for (const { faces } of members) triangulate(faces, cutter, triangles);
    const { material } = members[0];
    const sameMaterial = members.every((member) => member.material === material && !member.mixed);
    if (!sameMaterial) mixed++;
    const indices = triangles.toArray();
    const colour = (sameMaterial && materials.colours.get(material)) || uniformColour(content.colours, indices);
    const vertexColours = colour ? undefined : coloursOf(content.colours, indices);
    const name = (single ? members[0].object || members[0].group : key) || nameless(options.fileName, single, i);
    return { name, mesh: used.mesh(indices), ...(colour && { colour }), ...(vertexColours && { vertexColours }) };
  });
  if (mixed > 0 && materials.colours.size > 0)
    notes.push(`${mixed} parts have faces of several materials; a part keeps only one colour, so none was kept`);
  if (parts.length === 0) notes.push('holds no faces');
  return { parts, notes: [...notes, ...crossingNote(cutter)] };
}

function triangulate(faces: GrowingUint32, cutter: FaceCutter, triangles: GrowingUint32): void {
  const stream = faces.values;
  for (let at = 0; at < faces.length; ) {
    const count = stream[at++];
    const line = count > 4 ? stream[at++] : 0;
    cutter.cut(stream, at, count, triangles, () => `line ${line}`);
    at += count;
  }
}

const nameless = (fileName: string, single: boolean, i: number): string =>
  single ? stemOf(fileName) : `${stemOf(fileName)} ${i + 1}`;

function groupBy(segments: readonly ObjSegment[], key: (segment: ObjSegment) => string): Map<string, ObjSegment[]> {
  const groups = new Map<string, ObjSegment[]>();
  for (const segment of segments) {
    const members = groups.get(key(segment));
    if (members) members.push(segment);
    else groups.set(key(segment), [segment]);
  }
  return groups;
}

/** The colour that all vertices of the triangles share, or undefined. */
function uniformColour(colours: GrowingFloat64 | undefined, triangles: Uint32Array): Colour | undefined {
  if (!colours || triangles.length === 0) return undefined;
  const { values } = colours;
  const first = 3 * triangles[0];
  const [red, green, blue] = [values[first], values[first + 1], values[first + 2]];
  for (let i = 0; i < triangles.length; i++) {
    const at = 3 * triangles[i];
    if (values[at] !== red || values[at + 1] !== green || values[at + 2] !== blue) return undefined; // NaN too
  }
  // Most programs write 0 to 1, some 0 to 255.
  const full = Math.max(red, green, blue) > 1 ? 255 : 1;
  const channel = (c: number) => Math.min(1, Math.max(0, c / full));
  return [channel(red), channel(green), channel(blue), 1];
}

/** Colours of the vertices that the triangles use, in the order in which they are left; undefined if one of them has none. */
function coloursOf(colours: GrowingFloat64 | undefined, triangles: Uint32Array): Uint8Array | undefined {
  if (!colours || triangles.length === 0) return undefined;
  const used = new UsedVertices(colours.toArray()).mesh(triangles.slice()).vertices;
  if (used.some(Number.isNaN)) return undefined;
  const full = used.some((part) => part > 1) ? 1 : 255;
  return Uint8Array.from(used, (part) => Math.round(Math.min(255, Math.max(0, full * part))));
}

function readMaterials(
  content: ObjContent,
  options: { fileName: string; companion?: (name: string) => Uint8Array | undefined },
): { colours: Map<string, Colour>; notes: string[] } {
  const colours = new Map<string, Colour>();
  const notes: string[] = [];
  for (const library of new Set(content.libraries)) {
    const bytes = options.companion?.(library);
    if (bytes) for (const [name, colour] of readMtl(bytes, library)) colours.set(name, colour);
    else notes.push(`colours are in "${library}", which was not found`);
  }
  return { colours, notes };
}
