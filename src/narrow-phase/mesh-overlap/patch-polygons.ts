/**
 * The patch as something to draw: for every triangle of a body the part of it inside the other, as closed polygons.
 * Made on request; the force law needs only the integrals.
 */
import type { Vec3 } from '../../math/vec3.js';
import type { MeshOverlap } from './mesh-overlap.js';

export interface PatchPolygon {
  /** number of the triangle in the body's mesh, or of the edge in the outline of an extrusion */
  readonly feature: number;
  /** corners in A's frame, m; counter-clockwise against the triangle's normal, holes clockwise */
  readonly loops: readonly (readonly Vec3[])[];
}

/**
 * Polygons of one region of the last evaluation.
 *
 * @param side 'A' for A's surface inside B, 'B' for B's inside A
 * @example for (const { loops } of patchPolygons(overlap, 0, 'A')) draw(loops);
 */
export function patchPolygons(overlap: MeshOverlap, region: number, side: 'A' | 'B'): PatchPolygon[] {
  const { curves, regionAt, origin } = overlap;
  const body = side === 'A' ? overlap.a : overlap.b;
  const { stamp, edgeCrossed, edgeOf, triangles, vertexInside, vertexNode } = body;
  const { edgeVertices } = body.topology;
  const nodeOf = (vertex: number): number => (vertexInside[vertex] === stamp ? vertexNode[vertex] : -1);
  const point = (node: number): Vec3 => [
    curves.points[3 * node] + origin[0],
    curves.points[3 * node + 1] + origin[1],
    curves.points[3 * node + 2] + origin[2],
  ];

  const polygons: PatchPolygon[] = [];
  for (let w = 0; w < body.wetCount; w++) {
    const triangle = body.wetTriangles[w];
    // pieces of border by their first node
    const following = new Map<number, number[]>();
    const add = (from: number, to: number): void => {
      if (regionAt[curves.region[from]] !== region) return;
      const ends = following.get(from);
      if (ends) ends.push(to);
      else following.set(from, [to]);
    };
    for (let h = 3 * triangle; h < 3 * triangle + 3; h++) {
      const edge = edgeOf[h];
      const forward = triangles[h] === edgeVertices[2 * edge];
      let open = nodeOf(edgeVertices[2 * edge]);
      const ends: number[] = [];
      if (edgeCrossed[edge] === stamp)
        for (let node = body.edgeFirst[edge]; node >= 0; node = curves.next[node]) ends.push(node);
      ends.push(nodeOf(edgeVertices[2 * edge + 1]));
      for (const node of ends) {
        if (open >= 0 && node >= 0) forward ? add(open, node) : add(node, open);
        open = open >= 0 ? -1 : node;
      }
    }
    if (body.triangleCut[triangle] === stamp)
      for (let s = body.triangleFirst[triangle]; s >= 0; s = curves.segmentNext[2 * s + (side === 'A' ? 0 : 1)]) {
        const start = curves.segments[4 * s];
        const end = curves.segments[4 * s + 1];
        if (side === 'A') add(start, end);
        else add(end, start);
      }

    // chained
    const loops: Vec3[][] = [];
    for (const [first, ends] of following)
      while (ends.length > 0) {
        const loop: Vec3[] = [];
        let node: number | undefined = first;
        while (node !== undefined) {
          const next: number | undefined = following.get(node)?.pop();
          if (next !== undefined) loop.push(point(node));
          node = next === first ? undefined : next;
        }
        if (loop.length > 2) loops.push(loop);
      }
    if (loops.length > 0) polygons.push({ feature: triangle, loops });
  }
  return polygons;
}
