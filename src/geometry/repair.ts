/** Mends what can be mended in a mesh without guessing, and says what it did. */
import type { Vec3 } from '../math/vec3.js';
import { fillMeshHoles } from './hole-filling.js';
import { orientNeighbours, orientShells } from './orient.js';
import { selfIntersections } from './self-intersection.js';
import { removeThinTriangles, withoutRepeatedIndices } from './thin-triangles.js';
import { type EdgeTable, edgeTable, openEdges } from './topology.js';
import { duplicateTriangles } from './triangle-defects.js';
import { meshBounds, type TriangleMesh, vertexAt } from './triangle-mesh.js';
import { applyWeld, coincidentVertices } from './weld.js';

export interface RepairOptions {
  /**
   * Which vertices to join. 'exact': equal ones. A number: all within so many m of each other. Default 'borders': equal
   * ones, and if the surface is then still open, vertices on open edges within 2^-22 of the mesh's size, the rounding
   * of a file in single precision.
   */
  readonly weld?: number | 'exact' | 'borders';
  /** Turn triangles and shells round so that they face outward, cavities inward. Default true */
  readonly orient?: boolean;
  /** Remove triangles without area and duplicates. Default true */
  readonly dropDegenerate?: boolean;
  /** Close holes with new triangles. Default false: a hole may be a missing part */
  readonly fillHoles?: boolean;
}

export interface RepairCounts {
  weldedVertices: number;
  duplicateTriangles: number;
  degenerateTriangles: number;
  turnedTriangles: number;
  turnedShells: number;
  filledHoles: number;
  addedTriangles: number;
  unusedVertices: number;
}

export interface Repair {
  readonly mesh: TriangleMesh;
  /** what was changed, in words; empty if nothing was */
  readonly changes: readonly string[];
  readonly counts: Readonly<RepairCounts>;
  /** why the result is not closed and oriented, or what new triangles run into, in words; empty if all is well */
  readonly remaining: readonly string[];
}

/**
 * Repairs a mesh: welds vertices, removes duplicate triangles and triangles without area, orients, and on request fills
 * holes. Vertices that stay keep their coordinates bit by bit. Self-intersections stay; a union (CSG) removes them.
 *
 * @throws ModelError on a weld tolerance that is negative or more than 1 % of the mesh's size
 * @example const { mesh, changes, remaining } = repairMesh(soup, { fillHoles: true });
 */
export function repairMesh(mesh: TriangleMesh, options: RepairOptions = {}): Repair {
  const changes: string[] = [];
  const counts: RepairCounts = {
    weldedVertices: 0,
    duplicateTriangles: 0,
    degenerateTriangles: 0,
    turnedTriangles: 0,
    turnedShells: 0,
    filledHoles: 0,
    addedTriangles: 0,
    unusedVertices: 0,
  };
  let current = weld(mesh, options.weld ?? 'borders', counts, changes);
  if (options.dropDegenerate !== false) current = dropDuplicates(current, counts, changes);
  let contradictions = 0;
  if (options.orient !== false) {
    const oriented = orientNeighbours(current);
    current = oriented.mesh;
    contradictions = oriented.contradictions;
    counts.turnedTriangles = oriented.turned;
    if (oriented.turned > 0)
      changes.push(`turned ${count(oriented.turned, 'triangle')} round to agree with the neighbours`);
  }
  if (options.dropDegenerate !== false) {
    const { mesh: thinned, collapsed, merged, dropped } = removeThinTriangles(current);
    if (collapsed + merged + dropped > 0) {
      counts.degenerateTriangles += (current.triangles.length - thinned.triangles.length) / 3;
      current = thinned;
      changes.push(
        `removed triangles without area: ${collapsed} closed, ${merged} merged into a neighbour, ${dropped} left out`,
      );
      current = dropDuplicates(current, counts, changes);
    }
  }
  let crossing = 0;
  if (options.fillHoles) {
    const { mesh: filled, holes } = fillMeshHoles(current);
    if (holes.length > 0) crossing = crossingsFrom(filled, current.triangles.length / 3);
    current = filled;
    counts.filledHoles = holes.length;
    for (const hole of holes) {
      counts.addedTriangles += hole.triangles;
      changes.push(
        `filled a hole of ${hole.corners} edges at ${place(hole.at)} with ${count(hole.triangles, 'triangle')} (${hole.way})`,
      );
    }
  }
  if (options.orient !== false) {
    const oriented = orientShells(current);
    current = oriented.mesh;
    counts.turnedShells = oriented.turned;
    if (oriented.turned > 0) changes.push(`turned ${count(oriented.turned, 'shell')} inside out`);
  }
  current = dropUnused(current, counts, changes);
  const remaining = stillWrong(current, contradictions);
  if (crossing > 0)
    remaining.push(
      `the triangles put into holes run through ${count(crossing, 'other triangle')}; draw what is missing there instead`,
    );
  return { mesh: current, changes, counts, remaining };
}

const count = (n: number, thing: string, things = `${thing}s`): string => `${n} ${n === 1 ? thing : things}`;
const place = (p: Vec3): string => `(${p.map((x) => String(Number(x.toPrecision(6)))).join(', ')}) m`;

function weld(
  mesh: TriangleMesh,
  how: number | 'exact' | 'borders',
  counts: RepairCounts,
  changes: string[],
): TriangleMesh {
  const before = mesh.vertices.length / 3;
  let welded = applyWeld(mesh, coincidentVertices(mesh.vertices, typeof how === 'number' ? how : 0));
  const joined = before - welded.vertices.length / 3;
  if (joined > 0)
    changes.push(
      `welded ${count(joined, 'vertex', 'vertices')} ${typeof how === 'number' && how > 0 ? `within ${how} m of another` : 'equal to another'}`,
    );
  counts.weldedVertices = joined;
  if (how === 'borders') {
    const near = nearOnBorders(welded);
    if (near.joined > 0) {
      welded = near.mesh;
      counts.weldedVertices += near.joined;
      changes.push(
        `welded ${count(near.joined, 'vertex', 'vertices')} on open edges within ${near.tolerance.toExponential(2)} m of another`,
      );
    }
  }
  const { mesh: kept, dropped } = withoutRepeatedIndices(welded);
  counts.degenerateTriangles = dropped;
  if (dropped > 0) changes.push(`left out ${count(dropped, 'triangle')} whose corners are one vertex`);
  return kept;
}

/** Joins vertices of open edges that are closer than single precision can tell apart. */
function nearOnBorders(mesh: TriangleMesh): { mesh: TriangleMesh; joined: number; tolerance: number } {
  const edges = edgeTable(mesh);
  const border: number[] = [];
  const onBorder = new Uint8Array(mesh.vertices.length / 3);
  for (let e = 0; e < edges.count; e++)
    if (edges.start[e + 1] - edges.start[e] === 1)
      for (const v of [edges.vertices[2 * e], edges.vertices[2 * e + 1]])
        if (onBorder[v] === 0) {
          onBorder[v] = 1;
          border.push(v);
        }
  if (border.length === 0) return { mesh, joined: 0, tolerance: 0 };
  const { min, max } = meshBounds(mesh);
  const reach = Math.max(...[...min, ...max].map(Math.abs), 0);
  border.sort((a, b) => a - b);
  const vertices = new Float64Array(3 * border.length);
  border.forEach((v, i) => {
    vertices.set(mesh.vertices.subarray(3 * v, 3 * v + 3), 3 * i);
  });
  const part = meshBounds({ vertices, triangles: mesh.triangles });
  const extent = Math.max(part.max[0] - part.min[0], part.max[1] - part.min[1], part.max[2] - part.min[2]);
  // coordinates in single precision are off by 2^-25 of the largest, two of them in three directions by less than 2^-22
  const tolerance = Math.min(reach / 4194304, 0.01 * extent);
  const near = coincidentVertices(vertices, tolerance);
  const first = new Uint32Array(onBorder.length);
  for (let v = 0; v < first.length; v++) first[v] = v;
  let joined = 0;
  border.forEach((v, i) => {
    first[v] = border[near[i]];
    if (near[i] !== i) joined++;
  });
  return { mesh: joined > 0 ? applyWeld(mesh, first) : mesh, joined, tolerance };
}

/**
 * Leaves out triangles that repeat another. One of each group stays, unless the group is a wall without thickness:
 * triangles back to back whose sides are complete without them.
 */
function dropDuplicates(mesh: TriangleMesh, counts: RepairCounts, changes: string[]): TriangleMesh {
  const edges = edgeTable(mesh);
  const pairs = duplicateTriangles(mesh, edges);
  if (pairs.length === 0) return mesh;
  const groups = new Map<number, number[]>();
  for (const [earlier, later] of pairs) {
    const group = groups.get(earlier);
    if (group) group.push(later);
    else groups.set(earlier, [earlier, later]);
  }
  const gone = new Uint8Array(mesh.triangles.length / 3);
  let dropped = 0;
  for (const group of groups.values()) {
    const wall = isWall(mesh, edges, group);
    for (const t of wall ? group : group.slice(1)) {
      gone[t] = 1;
      dropped++;
    }
  }
  counts.duplicateTriangles += dropped;
  changes.push(`left out ${count(dropped, 'triangle')} that ${dropped === 1 ? 'repeats' : 'repeat'} another`);
  return { vertices: mesh.vertices, triangles: mesh.triangles.filter((_, i) => gone[Math.floor(i / 3)] === 0) };
}

function isWall({ triangles }: TriangleMesh, edges: EdgeTable, group: readonly number[]): boolean {
  const h = 3 * group[0];
  // direction of each: whether its corners follow in the order of the first
  let net = 0;
  for (const t of group) {
    const corners = triangles.subarray(3 * t, 3 * t + 3);
    const at = corners.indexOf(triangles[h]);
    net += corners[(at + 1) % 3] === triangles[h + 1] ? 1 : -1;
  }
  if (net !== 0) return false;
  for (let k = 0; k < 3; k++) {
    const e = edges.edgeOf[h + k];
    if ((edges.start[e + 1] - edges.start[e] - group.length) % 2 !== 0) return false;
  }
  return true;
}

function dropUnused(mesh: TriangleMesh, counts: RepairCounts, changes: string[]): TriangleMesh {
  const used = new Uint8Array(mesh.vertices.length / 3);
  for (let h = 0; h < mesh.triangles.length; h++) used[mesh.triangles[h]] = 1;
  const renumbered = new Uint32Array(used.length);
  let kept = 0;
  for (let v = 0; v < used.length; v++) if (used[v] === 1) renumbered[v] = kept++;
  if (kept === used.length) return mesh;
  const vertices = new Float64Array(3 * kept);
  for (let v = 0; v < used.length; v++)
    if (used[v] === 1) vertices.set(mesh.vertices.subarray(3 * v, 3 * v + 3), 3 * renumbered[v]);
  counts.unusedVertices = used.length - kept;
  changes.push(`left out ${count(used.length - kept, 'vertex', 'vertices')} used by no triangle`);
  return { vertices, triangles: mesh.triangles.map((v) => renumbered[v]) };
}

/** How many pairs of triangles run through each other of which one is `first` or later. */
const crossingsFrom = (mesh: TriangleMesh, first: number): number =>
  selfIntersections(mesh, Infinity).list.filter(({ kind, triangles }) => kind !== 'touching' && triangles[1] >= first)
    .length;

function stillWrong(mesh: TriangleMesh, contradictions: number): string[] {
  const lines: string[] = [];
  if (mesh.triangles.length === 0) lines.push('no triangles are left');
  const open = openEdges(mesh);
  if (open.length > 0) {
    const [{ from, to }] = open;
    lines.push(
      `${count(open.length, 'edge is', 'edges are')} still open, e.g. ${place(vertexAt(mesh, from))} – ${place(vertexAt(mesh, to))}; a larger weld tolerance or fillHoles may close the surface`,
    );
  }
  if (contradictions > 0)
    lines.push(
      `${count(contradictions, 'edge', 'edges')} of a one-sided surface (Möbius strip): it has no inside, whichever way its triangles are turned`,
    );
  return lines;
}
