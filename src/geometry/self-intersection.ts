/** Places where a mesh runs through itself: pairs of triangles that meet where they should not. */
import type { Vec3 } from '../math/vec3.js';
import { type Bvh, buildBvh } from './bvh.js';
import { selfPairs } from './overlap-search.js';
import type { TriangleMesh } from './triangle-mesh.js';
import { APART, CROSSING, meetingOf, meetingPoint, OVERLAPPING, TOUCHING } from './triangle-pair.js';
import { coincidentVertices } from './weld.js';

export interface Intersection {
  /**
   * crossing: the triangles have a line in common that is not a shared side; overlapping: they lie in one plane and
   * have an area in common; touching: they have a point in common that is not a shared corner
   */
  readonly kind: 'crossing' | 'overlapping' | 'touching';
  readonly triangles: readonly [number, number];
  /** one of the common points, m */
  readonly at: Vec3;
}

export interface SelfIntersections {
  /** pairs that have a line in common */
  readonly crossing: number;
  /** pairs that have an area in common */
  readonly overlapping: number;
  /** pairs that have only a point in common: the surface touches itself but does not run through itself there */
  readonly touching: number;
  /** false if the search was ended at a million pairs */
  readonly complete: boolean;
  /** the first of them in the order of triangles; crossing and overlapping ones before touching ones */
  readonly list: readonly Intersection[];
}

/**
 * Finds all pairs of triangles that have more in common than shared corners and sides, by exact signs, so that a
 * crossing by one rounding is found and neighbours are never taken for one. Vertices at the same place count as one;
 * duplicate triangles overlap; triangles without area are passed over.
 *
 * A surface that runs through itself has pairs of triangles with a line or an area in common, also if it does so
 * exactly along edges; where only points are in common it touches itself.
 *
 * @param limit how many pairs to list; all are counted
 */
export function selfIntersections(
  mesh: TriangleMesh,
  limit = 20,
  tree: Bvh = buildBvh(mesh),
  first: Uint32Array = coincidentVertices(mesh.vertices),
): SelfIntersections {
  const { vertices, triangles } = mesh;
  const corners = new Int32Array(triangles.length);
  for (let h = 0; h < corners.length; h++) corners[h] = 3 * first[triangles[h]];
  const count = [0, 0, 0]; // by dimension
  let found = 0;
  const severe = new Shortlist(limit);
  const slight = new Shortlist(limit);
  selfPairs(tree, (s, t) => {
    const a = 3 * s;
    const b = 3 * t;
    const meeting = meetingOf(
      vertices,
      corners[a],
      corners[a + 1],
      corners[a + 2],
      corners[b],
      corners[b + 1],
      corners[b + 2],
    );
    if (meeting === APART) return true;
    count[meeting]++;
    (meeting === TOUCHING ? slight : severe).offer(s, t, KINDS[meeting]);
    return ++found < ENOUGH;
  });
  return {
    crossing: count[CROSSING],
    overlapping: count[OVERLAPPING],
    touching: count[TOUCHING],
    complete: found < ENOUGH,
    list: [...severe.sorted(), ...slight.sorted()].slice(0, limit),
  };
}

/** More pairs than this help nobody; a hundred thousand copies of one triangle would make 5e9. */
const ENOUGH = 1_000_000;
const KINDS = ['touching', 'crossing', 'overlapping'] as const;

/** The first pairs in the order of triangles, whatever order they are found in. */
class Shortlist {
  private readonly kept: Intersection[] = [];
  constructor(private readonly limit: number) {}

  offer(s: number, t: number, kind: Intersection['kind']): void {
    this.kept.push({ kind, triangles: [s, t], at: [meetingPoint[0], meetingPoint[1], meetingPoint[2]] });
    if (this.kept.length > 2 * this.limit + 64) this.sorted().length = this.limit;
  }

  sorted(): Intersection[] {
    return this.kept.sort((p, q) => p.triangles[0] - q.triangles[0] || p.triangles[1] - q.triangles[1]);
  }
}
