/**
 * Faces of a drawing as triangle meshes: 3DFACE, polyface meshes and polygon meshes. Corners with the same coordinates,
 * digit for digit, become one vertex.
 */
import { cross, dot, norm, sub, type Vec3 } from '../../math/vec3.js';
import type { Colour } from '../solid.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import { type Frame, place } from './dxf-entities-frames.js';
import type { DxfGroups } from './dxf-read-groups.js';
import { numberOf } from './dxf-read-sections.js';
import { GrowingUint32 } from './growing.js';
import { Float64Welder } from './vertex-weld.js';

/** A mesh that grows face by face, and the colour its faces agree on. */
export class FaceList {
  readonly #vertices = new Float64Welder();
  readonly #triangles = new GrowingUint32();
  #colour: Colour | undefined;
  #mixed = false;

  get triangleCount(): number {
    return this.#triangles.length / 3;
  }

  /** A face of three or four corners, corners in order around it; repeated corners count once. */
  face(corners: readonly Vec3[], colour: Colour | undefined): void {
    if (this.#triangles.length === 0) this.#colour = colour;
    else if (!sameColour(this.#colour, colour)) this.#mixed = true;
    const around = corners.filter((p, i) => !samePlace(p, corners[(i + 1) % corners.length]));
    if (around.length < 3) return;
    if (around.length === 3) this.#triangle(around[0], around[1], around[2]);
    else if (splitsAlongFirst(around)) {
      this.#triangle(around[0], around[1], around[2]);
      this.#triangle(around[0], around[2], around[3]);
    } else {
      this.#triangle(around[0], around[1], around[3]);
      this.#triangle(around[1], around[2], around[3]);
    }
  }

  #triangle(a: Vec3, b: Vec3, c: Vec3): void {
    const i = this.#vertices.add(a[0], a[1], a[2]);
    const j = this.#vertices.add(b[0], b[1], b[2]);
    const k = this.#vertices.add(c[0], c[1], c[2]);
    if (i !== j && j !== k && k !== i) this.#triangles.push3(i, j, k);
  }

  /** The mesh in m, and the faces' colour, or `otherwise` where they do not agree. */
  build(
    metres: (length: number) => number,
    otherwise: Colour | undefined,
  ): { mesh: TriangleMesh; colour: Colour | undefined } {
    return {
      mesh: { vertices: this.#vertices.points().map(metres), triangles: this.#triangles.toArray() },
      colour: this.#mixed ? otherwise : this.#colour,
    };
  }
}

/** Which diagonal cuts a quadrilateral: the one whose halves face the same way, the shorter if both do. */
function splitsAlongFirst([a, b, c, d]: readonly Vec3[]): boolean {
  const first = dot(cross(sub(b, a), sub(c, a)), cross(sub(c, a), sub(d, a)));
  const second = dot(cross(sub(b, a), sub(d, a)), cross(sub(c, b), sub(d, b)));
  if (first >= 0 !== second >= 0) return first >= 0;
  return norm(sub(c, a)) <= norm(sub(d, b));
}

/** The corners of a 3DFACE: 10–13, 20–23, 30–33; a missing fourth is the third again. */
export function faceCorners(groups: DxfGroups, first: number, end: number, frame: Frame): Vec3[] {
  const corners: Vec3[] = [];
  for (let k = 0; k < 4; k++) {
    const x = numberOf(groups, first, end, 10 + k, Number.NaN);
    const y = numberOf(groups, first, end, 20 + k, Number.NaN);
    if (k === 3 && Number.isNaN(x)) break;
    if (Number.isNaN(x) || Number.isNaN(y))
      throw groups.error(first, `3DFACE: corner ${k + 1} has no x or y (group codes ${10 + k}, ${20 + k})`);
    corners.push(place(frame, [x, y, numberOf(groups, first, end, 30 + k, 0)]));
  }
  return corners;
}

/** Faces of a polyface mesh: vertices with places first, then vertices that list up to four of them. */
export function polyface(
  groups: DxfGroups,
  vertices: readonly (readonly [first: number, end: number])[],
  frame: Frame,
  face: (corners: Vec3[]) => void,
): void {
  const places: Vec3[] = [];
  const isFace = (first: number, end: number): boolean => {
    const flags = numberOf(groups, first, end, 70, 0);
    return (flags & 128) !== 0 && (flags & 64) === 0;
  };
  for (const [first, end] of vertices) if (!isFace(first, end)) places.push(place(frame, position(groups, first, end)));
  for (const [first, end] of vertices) {
    if (!isFace(first, end)) continue;
    const corners: Vec3[] = [];
    for (let code = 71; code <= 74; code++) {
      const index = numberOf(groups, first, end, code, 0);
      if (index === 0) break;
      const p = places[Math.abs(index) - 1]; // a negative number hides the edge that starts there
      if (!p) throw groups.error(first, `polyface mesh: expected vertices 1 to ${places.length}, got ${index}`);
      corners.push(p);
    }
    if (corners.length >= 3) face(corners);
  }
}

/** Faces of a polygon mesh of m × n vertices, closed in m or n where said. */
export function polygonMesh(
  places: readonly Vec3[],
  [m, n]: readonly [number, number],
  [closedM, closedN]: readonly [boolean, boolean],
  face: (corners: Vec3[]) => void,
): void {
  for (let i = 0; i < (closedM ? m : m - 1); i++)
    for (let j = 0; j < (closedN ? n : n - 1); j++) {
      const i1 = (i + 1) % m;
      const j1 = (j + 1) % n;
      face([places[i * n + j], places[i1 * n + j], places[i1 * n + j1], places[i * n + j1]]);
    }
}

/** Group codes 10, 20, 30. */
export const position = (groups: DxfGroups, first: number, end: number): Vec3 => [
  numberOf(groups, first, end, 10, 0),
  numberOf(groups, first, end, 20, 0),
  numberOf(groups, first, end, 30, 0),
];

const samePlace = (a: Vec3, b: Vec3): boolean => a[0] === b[0] && a[1] === b[1] && a[2] === b[2];

const sameColour = (a: Colour | undefined, b: Colour | undefined): boolean =>
  a === b || (!!a && !!b && a.every((channel, i) => channel === b[i]));
