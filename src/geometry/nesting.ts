/**
 * Shells of a mesh: their volumes, and which lies inside which.
 *
 * Seen from outside, every second shell one passes must be turned inward: the outermost bounds material, one inside it
 * a cavity, one inside that a loose piece in the cavity, and so on. A shell turned the other way counts its inside
 * twice or takes away what is not there.
 */
import type { Bvh } from './bvh.js';
import { Crossings, crossingsAlongX } from './point-location.js';
import type { EdgeTable, Labels } from './topology.js';
import { edgeBalance } from './topology.js';
import type { TriangleMesh } from './triangle-mesh.js';

export interface ShellMeasures {
  /** triangles of each shell */
  readonly triangles: Uint32Array;
  /** 1 if every edge of the shell is used equally often in both directions */
  readonly closed: Uint8Array;
  /** m³, positive if triangles face outward; means nothing for an open shell */
  readonly volume: Float64Array;
  /** 1 if the volume is nothing but rounding: a sheet without thickness */
  readonly flat: Uint8Array;
}

/**
 * Sizes and volumes of shells. V = ⅙ Σ (a − o)·((b − o) × (c − o)) over the triangles, with o a vertex of the shell, so
 * that a part far from the origin loses no digits.
 */
export function measureShells(mesh: TriangleMesh, edges: EdgeTable, shells: Labels): ShellMeasures {
  const { vertices, triangles } = mesh;
  const { count, labels } = shells;
  const size = new Uint32Array(count);
  const origin = new Uint32Array(count);
  const volume = new Float64Array(count);
  const magnitude = new Float64Array(count);
  for (let t = 0; t < labels.length; t++) {
    const s = labels[t];
    const a = 3 * triangles[3 * t];
    const b = 3 * triangles[3 * t + 1];
    const c = 3 * triangles[3 * t + 2];
    if (size[s]++ === 0) origin[s] = a;
    const o = origin[s];
    const [ax, ay, az] = [
      vertices[a] - vertices[o],
      vertices[a + 1] - vertices[o + 1],
      vertices[a + 2] - vertices[o + 2],
    ];
    const [bx, by, bz] = [
      vertices[b] - vertices[o],
      vertices[b + 1] - vertices[o + 1],
      vertices[b + 2] - vertices[o + 2],
    ];
    const [cx, cy, cz] = [
      vertices[c] - vertices[o],
      vertices[c + 1] - vertices[o + 1],
      vertices[c + 2] - vertices[o + 2],
    ];
    const [x, y, z] = [ax * (by * cz - bz * cy), ay * (bz * cx - bx * cz), az * (bx * cy - by * cx)];
    volume[s] += x + y + z;
    magnitude[s] += Math.abs(x) + Math.abs(y) + Math.abs(z);
  }
  const closed = new Uint8Array(count).fill(1);
  for (let e = 0; e < edges.count; e++)
    if (edgeBalance(mesh, edges, e) !== 0) closed[labels[Math.floor(edges.halfEdges[edges.start[e]] / 3)]] = 0;
  const flat = new Uint8Array(count);
  // each term is off by a few 2^-53 of its products
  for (let s = 0; s < count; s++) {
    if (!(Math.abs(volume[s]) > 1e-15 * magnitude[s])) flat[s] = 1;
    volume[s] /= 6;
  }
  return { triangles: size, closed, volume, flat };
}

export interface Nesting {
  /** how many shells lie around each shell */
  readonly depth: Uint32Array;
  /** the innermost shell around each shell, −1 if there is none */
  readonly inside: Int32Array;
}

/** How many vertices of a shell must agree on what is around it. */
const SAMPLES = 256;

/**
 * For each shell the shells around it; only shells with `counts[s] = 1` are looked at and for. A shell lies inside
 * another if its vertices do (up to 256 of them, evenly chosen, those on other shells left out): two shells that cross
 * are not nested.
 */
export function nestShells(tree: Bvh, shells: Labels, counts: Uint8Array): Nesting {
  const { vertices, triangles } = tree.mesh;
  const { count, labels } = shells;
  const depth = new Uint32Array(count);
  const inside = new Int32Array(count).fill(-1);
  if (count < 2) return { depth, inside };

  // triangles of each shell, to choose a vertex from
  const start = new Uint32Array(count + 1);
  for (let t = 0; t < labels.length; t++) start[labels[t] + 1]++;
  for (let s = 0; s < count; s++) start[s + 1] += start[s];
  const next = start.slice();
  const members = new Uint32Array(labels.length);
  for (let t = 0; t < labels.length; t++) members[next[labels[t]]++] = t;

  const crossings = new Crossings();
  crossings.labels = labels;
  const around: (readonly number[])[] = [];
  for (let s = 0; s < count; s++) {
    around.push([]);
    if (counts[s] === 0) continue;
    crossings.except = s;
    let candidates: number[] | undefined;
    const corners = 3 * (start[s + 1] - start[s]);
    const stride = Math.max(1, Math.floor(corners / SAMPLES));
    // vertices, and after them the middles of triangles in case that all vertices lie on other shells
    for (let m = 0; m < 2 * corners && candidates?.length !== 0; m += stride) {
      if (m >= corners && candidates) break;
      const t = 3 * members[start[s] + Math.floor((m % corners) / 3)];
      const [p, q, r] = [
        3 * triangles[t + (m % 3)],
        3 * triangles[t + ((m + 1) % 3)],
        3 * triangles[t + ((m + 2) % 3)],
      ];
      const [x, y, z] =
        m < corners
          ? [vertices[p], vertices[p + 1], vertices[p + 2]]
          : [0, 1, 2].map((k) => (vertices[p + k] + vertices[q + k] + vertices[r + k]) / 3);
      crossingsAlongX(tree, x, y, z, crossings);
      if (crossings.on >= 0 && counts[labels[crossings.on]] === 1) continue; // on another shell: says nothing
      const winding = new Map<number, number>();
      for (let i = 0; i < crossings.count; i++) {
        const other = labels[crossings.triangles[i]];
        if (counts[other] === 1) winding.set(other, (winding.get(other) ?? 0) + crossings.signs[i]);
      }
      const holds = (other: number) => (winding.get(other) ?? 0) !== 0;
      candidates = candidates ? candidates.filter(holds) : [...winding.keys()].filter(holds);
    }
    around[s] = candidates ?? [];
    depth[s] = around[s].length;
  }
  for (let s = 0; s < count; s++)
    for (const other of around[s])
      if (inside[s] < 0 || depth[other] > depth[inside[s]] || (depth[other] === depth[inside[s]] && other < inside[s]))
        inside[s] = other;
  return { depth, inside };
}
