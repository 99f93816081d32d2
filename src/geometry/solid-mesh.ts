/** What fills a solid: a mesh of tetrahedra of ten nodes (T10), and the surface that it has. */
import { identity, setsOf, unite } from '../math/union-find.js';
import type { TriangleMesh } from './triangle-mesh.js';

export interface SolidMesh {
  /** 3 per node, m */
  readonly points: Float64Array;
  readonly nodeCount: number;
  /** 10 per element: corners a, b, c, d (d on the side from which abc run counter-clockwise), then middles of ab, bc, ca, ad, bd, cd */
  readonly elements: Int32Array;
  readonly elementCount: number;
  /** Nodes by the name the file gives them */
  readonly sets: ReadonlyMap<string, Int32Array>;
  /** Nodes of the file that no element has */
  readonly leftOut?: number;
  /** Elements of the file that would carry something and are no tetrahedra, shells, beams, springs: how many, by type */
  readonly otherElements?: ReadonlyMap<string, number>;
}

/** Nodes of the four faces, seen from outside counter-clockwise: three corners, then middles of their sides */
const FACES = [
  [0, 2, 1, 6, 5, 4],
  [0, 1, 3, 4, 8, 7],
  [1, 2, 3, 5, 9, 8],
  [2, 0, 3, 6, 7, 9],
] as const;

/** Calls for each face of each element, with the same text for both elements that have it. @param k element · 4 + face */
function eachFace({ elements, elementCount }: SolidMesh, visit: (key: string, k: number) => void): void {
  for (let k = 0; k < 4 * elementCount; k++)
    visit(
      FACES[k & 3]
        .slice(0, 3)
        .map((a) => elements[10 * (k >> 2) + a])
        .sort((a, b) => a - b)
        .join(),
      k,
    );
}

/** Faces that one element has, 6 nodes each */
export function boundaryFaces(mesh: SolidMesh): Int32Array {
  const { elements } = mesh;
  const seen = new Map<string, number>();
  eachFace(mesh, (key, k) => {
    if (seen.has(key)) seen.delete(key);
    else seen.set(key, k);
  });
  return Int32Array.from([...seen.values()].flatMap((k) => FACES[k & 3].map((a) => elements[10 * (k >> 2) + a])));
}

/** How many bodies it is: elements hang together by faces, not by edges or points alone */
export function piecesOf(mesh: SolidMesh): number {
  const parent = identity(mesh.elementCount);
  const seen = new Map<string, number>();
  eachFace(mesh, (key, k) => {
    const other = seen.get(key);
    if (other === undefined) seen.set(key, k >> 2);
    else unite(parent, other, k >> 2);
  });
  return setsOf(parent).length;
}

/** Triangles of the surface, four for each face of six nodes, and which node of the solid each of their vertices is */
export function surfaceOf(mesh: SolidMesh): TriangleMesh & { readonly nodes: Int32Array } {
  const faces = boundaryFaces(mesh);
  const place = new Map<number, number>();
  const at = (node: number): number => {
    const known = place.get(node);
    if (known !== undefined) return known;
    place.set(node, place.size);
    return place.size - 1;
  };
  const triangles: number[] = [];
  for (let f = 0; f < faces.length; f += 6) {
    const [a, b, c, d, e, g] = Array.from(faces.subarray(f, f + 6), at);
    triangles.push(a, d, g, d, b, e, g, e, c, d, e, g);
  }
  const nodes = Int32Array.from(place.keys());
  const vertices = new Float64Array(3 * nodes.length);
  nodes.forEach((node, i) => {
    vertices.set(mesh.points.subarray(3 * node, 3 * node + 3), 3 * i);
  });
  return { vertices, triangles: Uint32Array.from(triangles), nodes };
}
