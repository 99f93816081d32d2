/**
 * Whether a mesh bounds a solid, and if not, what is wrong and where.
 *
 * A solid has a closed, oriented surface that does not run through itself, and its shells face outward and inward in
 * turns (`nestShells`). Then every point is inside or outside, and volume, mass and contact have a meaning.
 */
import { ModelError } from '../errors.js';
import { buildBvh } from './bvh.js';
import { describeDefects, describeReport, type EdgeDefect, type MeshReport, type ShellReport } from './mesh-report.js';
import { measureShells, nestShells } from './nesting.js';
import { selfIntersections } from './self-intersection.js';
import { type EdgeTable, edgeBalance, edgeTable, shells } from './topology.js';
import { degenerateTriangles, duplicateTriangles, pinchedVertices, unusedVertexCount } from './triangle-defects.js';
import { type TriangleMesh, triangleCount, vertexAt, vertexCount } from './triangle-mesh.js';
import { coincidentVertices } from './weld.js';

export { describeReport, type EdgeDefect, type MeshReport, type ShellReport };

export interface ValidationOptions {
  /** longest list of each kind of defect; all are counted. Default 20 */
  readonly limit?: number;
  /** look for self-intersections, which takes most of the time. Default true */
  readonly selfIntersections?: boolean;
}

/**
 * Examines a mesh and reports all that is wrong with it. Changes nothing. Some 10 µs a triangle.
 *
 * @example for (const line of describeReport(validateMesh(mesh))) console.log(line);
 */
export function validateMesh(mesh: TriangleMesh, options: ValidationOptions = {}): MeshReport {
  const limit = options.limit ?? 20;
  const edges = edgeTable(mesh);
  const edgeDefects = findEdgeDefects(mesh, edges, limit);
  const duplicates = duplicateTriangles(mesh, edges);
  const degenerates = degenerateTriangles(mesh);
  const pinched = pinchedVertices(mesh, edges);
  const first = coincidentVertices(mesh.vertices);
  let duplicateVertices = 0;
  for (let i = 0; i < first.length; i++) if (first[i] !== i) duplicateVertices++;

  const tree = buildBvh(mesh);
  const parts = shells(mesh, edges);
  const measures = measureShells(mesh, edges, parts);
  const nesting = nestShells(
    tree,
    parts,
    measures.closed.map((closed, s) => (closed === 1 && measures.flat[s] === 0 ? 1 : 0)),
  );
  const kinds = { solid: 0, cavity: 0, 'inside-out': 0, nested: 0, flat: 0, open: 0 };
  const list: ShellReport[] = [];
  let volume = 0;
  for (let s = 0; s < parts.count; s++) {
    const outward = measures.volume[s] > 0;
    let kind: ShellReport['kind'];
    if (measures.closed[s] === 0) kind = 'open';
    else if (measures.flat[s] === 1) kind = 'flat';
    else if (nesting.depth[s] % 2 === 0) kind = outward ? 'solid' : 'inside-out';
    else kind = outward ? 'nested' : 'cavity';
    kinds[kind]++;
    volume += measures.volume[s];
    if (list.length < limit)
      list.push({ triangles: measures.triangles[s], volume: measures.volume[s], kind, inside: nesting.inside[s] });
  }
  const crossings = options.selfIntersections === false ? null : selfIntersections(mesh, limit, tree, first);
  return {
    ok:
      kinds.solid > 0 &&
      kinds.solid + kinds.cavity === parts.count &&
      duplicates.length === 0 &&
      !(crossings && crossings.crossing + crossings.overlapping > 0),
    vertices: vertexCount(mesh),
    triangles: triangleCount(mesh),
    closed: edgeDefects.closed,
    oriented: edgeDefects.oriented,
    volume,
    edges: edgeDefects.edges,
    degenerate: { count: degenerates.length, list: degenerates.slice(0, limit) },
    duplicate: { count: duplicates.length, list: duplicates.slice(0, limit) },
    pinched: {
      count: pinched.length,
      list: pinched.slice(0, limit).map((vertex) => ({ vertex, at: vertexAt(mesh, vertex) })),
    },
    unusedVertices: unusedVertexCount(mesh),
    duplicateVertices,
    shells: { count: parts.count, kinds, list },
    selfIntersections: crossings,
  };
}

function findEdgeDefects(
  mesh: TriangleMesh,
  edges: EdgeTable,
  limit: number,
): Pick<MeshReport, 'closed' | 'oriented' | 'edges'> {
  const found = { open: 0, flipped: 0, 'non-manifold': 0 };
  const list: EdgeDefect[] = [];
  let closed = true;
  let oriented = true;
  for (let e = 0; e < edges.count; e++) {
    const count = edges.start[e + 1] - edges.start[e];
    const [lo, hi] = [edges.vertices[2 * e], edges.vertices[2 * e + 1]];
    if (lo === hi) continue; // the side of a triangle with a repeated index
    const balance = edgeBalance(mesh, edges, e);
    if (count === 2 && balance === 0) continue;
    if (count % 2 === 1) closed = false;
    else if (balance !== 0) oriented = false;
    const kind = count === 1 ? 'open' : count === 2 ? 'flipped' : 'non-manifold';
    if (++found[kind] > limit) continue;
    const [from, to] = balance < 0 ? [hi, lo] : [lo, hi];
    list.push({
      kind,
      vertices: [from, to],
      from: vertexAt(mesh, from),
      to: vertexAt(mesh, to),
      triangles: [...edges.halfEdges.slice(edges.start[e], edges.start[e] + Math.min(count, limit))].map((h) =>
        Math.floor(h / 3),
      ),
    });
  }
  return {
    closed,
    oriented,
    edges: { open: found.open, flipped: found.flipped, nonManifold: found['non-manifold'], list },
  };
}

/**
 * Lets a mesh pass that bounds a solid.
 *
 * @param path where the mesh comes from, for the message
 * @throws ModelError that names what is wrong and where, the open edges first
 * @example requireSolid(mesh, 'bodies.wheel.shape');
 */
export function requireSolid(mesh: TriangleMesh, path: string, options: ValidationOptions = {}): MeshReport {
  const report = validateMesh(mesh, options);
  if (report.ok) return report;
  const [verdict] = describeReport(report);
  throw new ModelError(path, `expected a closed solid, got ${verdict}. ${describeDefects(report).join('. ')}`);
}
