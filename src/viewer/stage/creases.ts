/**
 * How a mesh looks: smooth where its faces turn a little, sharp where they turn much.
 *
 * At each corner of a triangle the normal is the sum of the unit normals of the faces around that vertex which turn against the
 * corner's own face by less than the crease angle, each weighted with its angle there (Thürmer & Wüthrich 1998), so that a round
 * surface looks the same however its facets are cut. Edges whose faces turn by more, and open ones, are lines.
 */
import type { TriangleMesh } from '../../geometry/triangle-mesh.js';

export interface CreasedMesh {
  /** Per drawn vertex: which vertex of the mesh it is; a vertex on a crease is drawn more than once */
  readonly source: Uint32Array;
  /** 3 per drawn vertex */
  readonly normals: Float32Array;
  /** 3 per triangle, drawn vertices */
  readonly triangles: Uint32Array;
  /** 2 per line, vertices of the mesh */
  readonly lines: Uint32Array;
}

const CREASE = Math.cos((30 * Math.PI) / 180);
/** The tip of a fan of more triangles than this keeps the faces' own normals: comparing all pairs would take too long. */
const CROWD = 400;

const known = new WeakMap<TriangleMesh, CreasedMesh>();

/** Takes over what a worker has found of a mesh; what does not fit the mesh is left alone, and found again when it is drawn. */
export function rememberCreases(mesh: TriangleMesh, creases: CreasedMesh): void {
  const { source, normals, triangles, lines } = creases;
  const within = (numbers: Uint32Array, count: number): boolean => numbers.every((number) => number < count);
  const fits =
    source instanceof Uint32Array &&
    normals instanceof Float32Array &&
    triangles instanceof Uint32Array &&
    lines instanceof Uint32Array &&
    normals.length === 3 * source.length &&
    triangles.length === mesh.triangles.length &&
    within(source, mesh.vertices.length / 3) &&
    within(triangles, source.length) &&
    within(lines, mesh.vertices.length / 3);
  if (fits) known.set(mesh, creases);
}

export function creasedMesh(mesh: TriangleMesh): CreasedMesh {
  const had = known.get(mesh);
  if (had) return had;
  const { vertices, triangles } = mesh;
  const same = samePlaces(vertices);
  const faces = faceNormals(vertices, triangles);
  const around = cornersAround(same, triangles, vertices.length / 3);
  const weight = cornerAngles(vertices, triangles);

  const drawn: number[] = [];
  const normals: number[] = [];
  const corners = new Uint32Array(triangles.length);
  const n = new Float64Array(3);
  for (let v = 0; v < around.first.length - 1; v++) {
    const begin = around.first[v];
    const end = around.first[v + 1];
    const firstDrawn = drawn.length;
    for (let i = begin; i < end; i++) {
      const corner = around.corners[i];
      const f = 3 * Math.floor(corner / 3);
      n[0] = faces[f];
      n[1] = faces[f + 1];
      n[2] = faces[f + 2];
      if (end - begin <= CROWD) {
        n.fill(0);
        for (let j = begin; j < end; j++) {
          const g = 3 * Math.floor(around.corners[j] / 3);
          if (faces[f] * faces[g] + faces[f + 1] * faces[g + 1] + faces[f + 2] * faces[g + 2] < CREASE) continue;
          for (let k = 0; k < 3; k++) n[k] += weight[around.corners[j]] * faces[g + k];
        }
      }
      const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) || 1;
      // Corners of the same source and normal are one drawn vertex
      let found = -1;
      for (let d = firstDrawn; d < drawn.length && d < firstDrawn + 32 && found < 0; d++) {
        if (drawn[d] !== triangles[corner]) continue;
        const apart =
          Math.abs(normals[3 * d] - n[0] / length) +
          Math.abs(normals[3 * d + 1] - n[1] / length) +
          Math.abs(normals[3 * d + 2] - n[2] / length);
        if (apart < 1e-5) found = d;
      }
      if (found < 0) {
        found = drawn.length;
        drawn.push(triangles[corner]);
        normals.push(n[0] / length, n[1] / length, n[2] / length);
      }
      corners[corner] = found;
    }
  }
  return {
    source: Uint32Array.from(drawn),
    normals: Float32Array.from(normals),
    triangles: corners,
    lines: creaseLines(same, triangles, faces),
  };
}

/** Vertices at the same place are one: for each, the first of its place. */
function samePlaces(vertices: Float64Array): Uint32Array {
  const count = vertices.length / 3;
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  const by = (a: number, b: number): number =>
    vertices[3 * a] - vertices[3 * b] ||
    vertices[3 * a + 1] - vertices[3 * b + 1] ||
    vertices[3 * a + 2] - vertices[3 * b + 2] ||
    a - b;
  order.sort(by);
  const same = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const v = order[i];
    const u = i > 0 ? same[order[i - 1]] : v;
    const equal =
      i > 0 &&
      vertices[3 * u] === vertices[3 * v] &&
      vertices[3 * u + 1] === vertices[3 * v + 1] &&
      vertices[3 * u + 2] === vertices[3 * v + 2];
    same[v] = equal ? u : v;
  }
  return same;
}

/** 3 per triangle, unit length; zero for a triangle without area. */
function faceNormals(v: Float64Array, triangles: Uint32Array): Float64Array {
  const normals = new Float64Array(triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    const [ux, uy, uz] = [v[b] - v[a], v[b + 1] - v[a + 1], v[b + 2] - v[a + 2]];
    const [wx, wy, wz] = [v[c] - v[a], v[c + 1] - v[a + 1], v[c + 2] - v[a + 2]];
    const x = uy * wz - uz * wy;
    const y = uz * wx - ux * wz;
    const z = ux * wy - uy * wx;
    const length = Math.sqrt(x * x + y * y + z * z) || 1;
    normals[t] = x / length;
    normals[t + 1] = y / length;
    normals[t + 2] = z / length;
  }
  return normals;
}

/** Corners (places in `triangles`) of each place, one after the other. */
function cornersAround(
  same: Uint32Array,
  triangles: Uint32Array,
  count: number,
): { first: Uint32Array; corners: Uint32Array } {
  const first = new Uint32Array(count + 1);
  for (const v of triangles) first[same[v] + 1]++;
  for (let v = 0; v < count; v++) first[v + 1] += first[v];
  const next = first.slice();
  const corners = new Uint32Array(triangles.length);
  for (let corner = 0; corner < triangles.length; corner++) corners[next[same[triangles[corner]]]++] = corner;
  return { first, corners };
}

/** Angle of each triangle at each of its corners, rad. */
function cornerAngles(v: Float64Array, triangles: Uint32Array): Float64Array {
  const angles = new Float64Array(triangles.length);
  for (let t = 0; t < triangles.length; t += 3)
    for (let k = 0; k < 3; k++) {
      const a = 3 * triangles[t + k];
      const b = 3 * triangles[t + ((k + 1) % 3)];
      const c = 3 * triangles[t + ((k + 2) % 3)];
      const [ux, uy, uz] = [v[b] - v[a], v[b + 1] - v[a + 1], v[b + 2] - v[a + 2]];
      const [wx, wy, wz] = [v[c] - v[a], v[c + 1] - v[a + 1], v[c + 2] - v[a + 2]];
      const lengths = Math.sqrt((ux * ux + uy * uy + uz * uz) * (wx * wx + wy * wy + wz * wz));
      const cosine = (ux * wx + uy * wy + uz * wz) / lengths;
      angles[t + k] = lengths > 0 ? Math.acos(Math.min(1, Math.max(-1, cosine))) : 0;
    }
  return angles;
}

/** Edges between faces that turn by more than the crease angle, and edges with one face or more than two. */
function creaseLines(same: Uint32Array, triangles: Uint32Array, faces: Float64Array): Uint32Array {
  // Sorted by their lower and upper end, the sides of one edge lie together
  const sides = triangles.length;
  const low = new Uint32Array(sides);
  const high = new Uint32Array(sides);
  const order = new Uint32Array(sides);
  for (let side = 0; side < sides; side++) {
    const a = same[triangles[side]];
    const b = same[triangles[side % 3 === 2 ? side - 2 : side + 1]];
    low[side] = Math.min(a, b);
    high[side] = Math.max(a, b);
    order[side] = side;
  }
  order.sort((p, q) => low[p] - low[q] || high[p] - high[q] || p - q);
  const lines: number[] = [];
  for (let i = 0; i < sides; ) {
    let end = i + 1;
    while (end < sides && low[order[end]] === low[order[i]] && high[order[end]] === high[order[i]]) end++;
    let sharp = end - i !== 2;
    if (!sharp) {
      const f = order[i] - (order[i] % 3);
      const g = order[i + 1] - (order[i + 1] % 3);
      sharp = faces[f] * faces[g] + faces[f + 1] * faces[g + 1] + faces[f + 2] * faces[g + 2] < CREASE;
    }
    if (sharp && low[order[i]] !== high[order[i]]) lines.push(low[order[i]], high[order[i]]);
    i = end;
  }
  return Uint32Array.from(lines);
}
