/**
 * Whether what is held of a mesh holds all of it. Elements that share a face (in the plane a side) strain unless they move as one rigid piece, and a piece strains
 * nothing where it does. So displacements without strain are exactly the rigid motions m of pieces that agree at the nodes they share and vanish at what is held:
 *
 *   J(x) m_a − J(x) m_b = 0   at nodes x of two pieces          J(x) m_a = 0   at held unknowns
 *
 * Where that has a solution but m = 0 something can move: a piece that nothing holds, or one that hangs on the rest by nodes at a point or in a line alone, as on a hinge.
 * Factors of K do not tell: what rounding leaves of a pivot that is zero may be positive, and no smaller than that of a slender part that is held.
 */
import { identity, setsOf, unite } from '../../math/union-find.js';
import { addTo, dot, moveRigidly, rigidMotions } from './rigid-motions.js';

/** Corners first in each element, d + 1 of them: triangles or tetrahedra */
export interface SimplexMesh {
  readonly points: Float64Array;
  readonly nodeCount: number;
  readonly elements: Int32Array;
  readonly elementCount: number;
}

/** A piece can turn where what holds it reaches no farther than this part of its size */
const LEAST_LEVER = 1e-6;

/** Pieces on hinges that are looked at together: the time grows with their cube */
const MOST_HINGED = 100;

/**
 * What can move or turn without strain, and what to do, in words; undefined where all of the mesh is held.
 *
 * @param free 0 where an unknown is held, d per node
 */
export function loosePiece(
  mesh: SimplexMesh,
  d: 2 | 3,
  free: Uint8Array,
): { readonly what: string; readonly remedy: string } | undefined {
  const { points, nodeCount } = mesh;
  let pieces = piecesByFaces(mesh, d);
  // whatever hangs together, as if it were rigid
  for (const nodes of joined(pieces, nodeCount, () => true))
    if (!holds(points, d, nodes, heldRows(nodes, d, free))) {
      const what =
        nodes.length === nodeCount
          ? 'it'
          : `its mesh is in pieces, and the one with the node at ${place(mesh, d, nodes[0])}`;
      return { what: `${what} can move or turn freely`, remedy: 'fix more of it' };
    }
  // a piece that is held holds others, and two that hold each other are one
  const still = free.slice();
  const ground = new Uint8Array(nodeCount);
  while (pieces.length > 0) {
    const before = pieces.length;
    pieces = pieces.filter((nodes) => {
      if (!holds(points, d, nodes, heldRows(nodes, d, still))) return true;
      for (const node of nodes) {
        ground[node] = 1;
        still.fill(0, d * node, d * node + d);
      }
      return false;
    });
    if (pieces.length < before) continue;
    pieces = joined(pieces, nodeCount, (a, b, shared) => areOne(points, d, a, b, shared));
    if (pieces.length === before) break;
  }
  if (pieces.length === 0) return undefined;
  const remedy =
    'make its pieces one over a face (in Gmsh by BooleanFragments before meshing, or Coherence Mesh after), or hold that piece, too';
  if (pieces.length > MOST_HINGED)
    return { what: `its mesh is in ${pieces.length} pieces that hang together by edges and points alone`, remedy };
  const loose = hinged(mesh, d, pieces, still, ground);
  if (!loose) return undefined;
  return { what: `its mesh hangs together as by a hinge: the piece with the node at ${loose}`, remedy };
}

/** Nodes of each piece whose elements share faces */
function piecesByFaces({ elements, elementCount, nodeCount }: SimplexMesh, d: 2 | 3): number[][] {
  const per = elementCount > 0 ? elements.length / elementCount : 0;
  const parent = identity(elementCount);
  // faces by their first corner: the others, and the element that has them
  const first = new Int32Array(nodeCount).fill(-1);
  const next: number[] = [];
  const faces: number[] = [];
  for (let e = 0; e < elementCount; e++)
    for (let left = 0; left <= d; left++) {
      const corners = [];
      for (let a = 0; a <= d; a++) if (a !== left) corners.push(elements[per * e + a]);
      corners.sort((a, b) => a - b);
      const [low, middle, high] = [corners[0], corners[1], corners[d - 1]];
      let at = first[low];
      while (at >= 0 && (faces[3 * at] !== middle || faces[3 * at + 1] !== high)) at = next[at];
      if (at >= 0) unite(parent, faces[3 * at + 2], e);
      else {
        next.push(first[low]);
        first[low] = next.length - 1;
        faces.push(middle, high, e);
      }
    }
  const seen = new Int32Array(nodeCount).fill(-1);
  return setsOf(parent).map((own, piece) => {
    const nodes: number[] = [];
    for (const e of own)
      for (let a = per * e; a < per * (e + 1); a++)
        if (seen[elements[a]] !== piece) {
          seen[elements[a]] = piece;
          nodes.push(elements[a]);
        }
    return nodes;
  });
}

/** Which pieces have a node, for nodes of more than one */
function sharing(pieces: readonly (readonly number[])[], nodeCount: number): Map<number, number[]> {
  const owner = new Int32Array(nodeCount).fill(-1);
  const shared = new Map<number, number[]>();
  pieces.forEach((nodes, piece) => {
    for (const node of nodes) {
      if (owner[node] < 0) owner[node] = piece;
      else if (shared.has(node)) shared.get(node)!.push(piece);
      else shared.set(node, [owner[node], piece]);
    }
  });
  return shared;
}

/** Pieces that share nodes by which they are one are put together */
function joined(
  pieces: readonly number[][],
  nodeCount: number,
  areOne: (a: readonly number[], b: readonly number[], shared: readonly number[]) => boolean,
): number[][] {
  if (pieces.length === 1) return [pieces[0]];
  const between = new Map<number, number[]>();
  for (const [node, own] of sharing(pieces, nodeCount))
    own.forEach((b, k) => {
      for (const a of own.slice(0, k)) {
        const pair = a * pieces.length + b;
        const nodes = between.get(pair);
        if (nodes) nodes.push(node);
        else between.set(pair, [node]);
      }
    });
  const parent = identity(pieces.length);
  for (const [pair, shared] of between) {
    const b = pair % pieces.length;
    const a = (pair - b) / pieces.length;
    if (areOne(pieces[a], pieces[b], shared)) unite(parent, a, b);
  }
  return setsOf(parent).map((own) => (own.length === 1 ? pieces[own[0]] : [...new Set(own.flatMap((k) => pieces[k]))]));
}

type Row = readonly [node: number, axis: number];

const allRows = (nodes: readonly number[], d: 2 | 3): Row[] =>
  nodes.flatMap((node) => Array.from({ length: d }, (_, k): Row => [node, k]));

const heldRows = (nodes: readonly number[], d: 2 | 3, free: Uint8Array): Row[] =>
  allRows(
    nodes.filter((node) => free.subarray(d * node, d * node + d).includes(0)),
    d,
  ).filter(([node, k]) => free[d * node + k] === 0);

/** Largest distance of one of the nodes from a place along an axis, m */
function reach(points: Float64Array, d: 2 | 3, nodes: readonly number[], about: readonly number[]): number {
  let most = 0;
  for (const node of nodes)
    for (let k = 0; k < d; k++) most = Math.max(most, Math.abs(points[d * node + k] - about[k]));
  return most;
}

const coordinates = (points: Float64Array, d: 2 | 3, node: number): number[] =>
  Array.from(points.subarray(d * node, d * node + d));

const extentOf = (points: Float64Array, d: 2 | 3, nodes: readonly number[]): number =>
  reach(points, d, nodes, coordinates(points, d, nodes[0]));

/** What a unit of each rigid motion displaces at the rows, one array per motion; turns about a place, by 1/extent */
function displacedBy(
  points: Float64Array,
  d: 2 | 3,
  rows: readonly Row[],
  about: readonly number[],
  extent: number,
): Float64Array[] {
  const whole = new Float64Array(d);
  return Array.from({ length: rigidMotions(d) }, (_, motion) =>
    Float64Array.from(rows, ([node, k]) => {
      whole.fill(0);
      moveRigidly(points.subarray(d * node, d * node + d), d, 0, about, motion, whole);
      return motion < d ? whole[k] : whole[k] / extent;
    }),
  );
}

/** Rigid motions of the piece, by what they displace at these rows, are independent */
function holds(points: Float64Array, d: 2 | 3, nodes: readonly number[], rows: readonly Row[]): boolean {
  if (rows.length < rigidMotions(d)) return false;
  const about = coordinates(points, d, rows[0][0]);
  const left = new Set(displacedBy(points, d, rows, about, reach(points, d, nodes, about)));
  // Gram–Schmidt with the longest first, each taken out of the others twice
  while (left.size > 0) {
    let best: Float64Array | undefined;
    let longest = LEAST_LEVER * LEAST_LEVER;
    for (const motion of left) {
      const square = dot(motion, motion);
      if (square > longest) [best, longest] = [motion, square];
    }
    if (!best) return false;
    left.delete(best);
    for (const motion of left)
      for (let twice = 0; twice < 2; twice++) addTo(motion, best, -dot(best, motion) / longest);
  }
  return true;
}

/**
 * How many motions without strain what is held leaves: 6 of a solid that nothing holds, and one more for each hinge in its mesh. Where more than a hundred pieces hang together by hinges, those of
 * them as a whole alone.
 *
 * @param free 0 where an unknown is held, d per node
 */
export function unstrainedMotions(mesh: SimplexMesh, d: 2 | 3, free: Uint8Array): number {
  const { points, nodeCount } = mesh;
  let pieces = piecesByFaces(mesh, d);
  for (;;) {
    const before = pieces.length;
    pieces = joined(pieces, nodeCount, (a, b, shared) => areOne(points, d, a, b, shared));
    if (pieces.length === before) break;
  }
  // what shares no node does not ask for each other
  const parent = identity(pieces.length);
  const shared = sharing(pieces, nodeCount);
  for (const own of shared.values()) for (const other of own) unite(parent, own[0], other);
  let motions = 0;
  for (const group of setsOf(parent)) {
    const own = group.map((k) => pieces[k]);
    if (own.length > MOST_HINGED) motions += rigidMotions(d);
    else {
      const { size, basis } = conditions(points, d, own, sharing(own, nodeCount), free);
      motions += size - basis.length;
    }
  }
  return motions;
}

/** By the nodes they share neither moves against the other */
function areOne(
  points: Float64Array,
  d: 2 | 3,
  a: readonly number[],
  b: readonly number[],
  shared: readonly number[],
): boolean {
  const smaller = extentOf(points, d, a) < extentOf(points, d, b) ? a : b;
  return holds(points, d, smaller, allRows(shared, d));
}

/** What shared nodes and supports demand of the motions of pieces, as orthogonal rows of length 1; motions of a piece are about its centre, turns by 1/extent */
function conditions(
  points: Float64Array,
  d: 2 | 3,
  pieces: readonly (readonly number[])[],
  shared: ReadonlyMap<number, readonly number[]>,
  held: Uint8Array,
): { size: number; basis: Float64Array[]; displaced: (piece: number, rows: readonly Row[]) => Float64Array[] } {
  const n = rigidMotions(d);
  const size = n * pieces.length;
  const centres = pieces.map((nodes) => {
    const sum = new Array<number>(d).fill(0);
    for (const node of nodes) for (let k = 0; k < d; k++) sum[k] += points[d * node + k];
    return sum.map((x) => x / nodes.length);
  });
  const extents = pieces.map((nodes, a) => reach(points, d, nodes, centres[a]));
  /** An orthogonal basis of the conditions, of length 1 */
  const basis: Float64Array[] = [];
  const demand = (row: Float64Array): void => {
    const length = Math.sqrt(dot(row, row));
    if (!(length > 0)) return;
    for (let twice = 0; twice < 2; twice++) for (const b of basis) addTo(row, b, -dot(b, row));
    const left = Math.sqrt(dot(row, row));
    if (left > LEAST_LEVER * length) basis.push(row.map((x) => x / left));
  };
  const displaced = (a: number, rows: readonly Row[]): Float64Array[] =>
    displacedBy(points, d, rows, centres[a], extents[a]);
  pieces.forEach((nodes, a) => {
    const rows = heldRows(nodes, d, held);
    const by = displaced(a, rows);
    rows.forEach((_, r) => {
      const row = new Float64Array(size);
      for (let m = 0; m < n; m++) row[n * a + m] = by[m][r];
      demand(row);
    });
  });
  for (const [node, own] of shared)
    for (const b of own.slice(1)) {
      const rows = allRows([node], d);
      const [one, other] = [displaced(own[0], rows), displaced(b, rows)];
      rows.forEach((_, r) => {
        const row = new Float64Array(size);
        for (let m = 0; m < n; m++) {
          row[n * own[0] + m] = one[m][r];
          row[n * b + m] = -other[m][r];
        }
        demand(row);
      });
    }
  return { size, basis, displaced };
}

/** A piece that can turn although all hang together: its node that goes farthest, and what it hangs by; undefined where they hold each other, as bars of a truss do */
function hinged(
  mesh: SimplexMesh,
  d: 2 | 3,
  pieces: readonly number[][],
  still: Uint8Array,
  ground: Uint8Array,
): string | undefined {
  const { points, nodeCount } = mesh;
  const n = rigidMotions(d);
  const shared = sharing(pieces, nodeCount);
  const { size, basis, displaced } = conditions(points, d, pieces, shared, still);
  if (basis.length === size) return undefined;
  // the coordinate that the conditions leave most of, and what moves with it
  const taken = new Float64Array(size);
  for (const b of basis) for (let i = 0; i < size; i++) taken[i] += b[i] * b[i];
  const motion = new Float64Array(size);
  motion[taken.indexOf(Math.min(...taken))] = 1;
  const unit = motion.slice();
  for (const b of basis) addTo(motion, b, -dot(b, unit));
  const strength = pieces.map((_, a) => {
    const own = motion.subarray(n * a, n * a + n);
    return dot(own, own);
  });
  const mover = strength.indexOf(Math.max(...strength));
  const nodes = pieces[mover];
  let [far, most] = [nodes[0], -1];
  for (const node of nodes) {
    const by = displaced(mover, allRows([node], d));
    let square = 0;
    for (let k = 0; k < d; k++) {
      let u = 0;
      for (let m = 0; m < n; m++) u += motion[n * mover + m] * by[m][k];
      square += u * u;
    }
    if (square > most * (1 + 1e-9)) [far, most] = [node, square];
  }
  // on other loose pieces, or on those that are held
  const hangs = nodes.filter((node) => shared.get(node)?.includes(mover) || ground[node] !== 0);
  return `${place(mesh, d, far)} hangs on the rest ${along(mesh, d, hangs)}, and can still turn`;
}

/** Where nodes lie by which a piece hangs */
function along(mesh: SimplexMesh, d: 2 | 3, nodes: readonly number[]): string {
  const { points } = mesh;
  if (nodes.length === 0) return 'by too little';
  const start = coordinates(points, d, nodes[0]);
  const distance = (node: number): number => reach(points, d, [node], start);
  const end = nodes.reduce((best, node) => (distance(node) > distance(best) ? node : best), nodes[0]);
  if (!(distance(end) > 0)) return `only at the point ${place(mesh, d, nodes[0])}`;
  const arm = coordinates(points, d, end).map((x, k) => x - start[k]);
  const square = arm.reduce((sum, x) => sum + x * x, 0);
  const straight = nodes.every((node) => {
    const own = coordinates(points, d, node).map((x, k) => x - start[k]);
    const share = own.reduce((sum, x, k) => sum + x * arm[k], 0) / square;
    return own.every((x, k) => Math.abs(x - share * arm[k]) <= LEAST_LEVER * Math.sqrt(square));
  });
  return straight
    ? `only by nodes in a line through ${place(mesh, d, nodes[0])} and ${place(mesh, d, end)}`
    : 'by too little';
}

const place = ({ points }: SimplexMesh, d: 2 | 3, node: number): string =>
  `(${coordinates(points, d, node)
    .map((x) => x.toPrecision(3))
    .join(', ')}) m`;
