/**
 * Grousers and the soil between them: which faces of a body are the floors of pockets and which their walls.
 *
 * A face presses soil away through the opening of the hollow it lies in. A point q of it sees that opening as the body's convex hull, whose faces f fill the
 * solid angles Ω_f; the mean direction of what it sees,
 *
 *   e ~ Σ Ω_f n_f,       tan(Ω/2) = |a·(b × c)| / (abc + (a·b) c + (b·c) a + (c·a) b)      Van Oosterom & Strackee (1983)
 *
 * is the face's own normal where it lies on the hull. A **flank** stands across e. Soil beside it is held by grousers and tread and moves with them; it
 * fails along the circle of the tips, where shear is counted. Bearing pressure k sⁿ, found with plates that push soil down and away, must
 * not push such a face sideways: three flanks of 10 mm then pull a wheel harder than soil can hold. A flank's pressure acts along e instead;
 * what it pushes as a wall is passive earth pressure (upright-faces.ts).
 *
 * The **floor** of a pocket is a face off the hull, not across e, with a flank near. The groove of a grouser closes behind it, and the floor that follows
 * bears as if no tip had passed: σ = μ σ(tips) + (1 − μ) σ(tread) of Wong–Reece wheels with grousers. Soil keeps what it carried and how far
 * it stays pressed apart for floors and for all else.
 */
import { convexHull } from '../../geometry/hull.js';
import type { TriangleMesh } from '../../geometry/triangle-mesh.js';

/** A face is a flank if its normal and e are farther apart than 60° */
const ACROSS = 0.5;
/** and is none, without a look at the rest of the hull, if it is within 37° of that of the hull's nearest face */
const ALONG = 0.8;
/** Nearer to the hull than this part of the body's size, a face lies on it */
const ON_HULL = 1e-4;

/** A pocket is at most this part of the body's size deep, and has a flank within so many of its depths */
const SHALLOW = 0.25;
const NEAR = 4;
/** The edge of a tip is so many times as long as the tip is thick */
const NARROW = 2.5;

export interface Relief {
  /** 3 per triangle: for flanks the direction out of the body that pressure acts against, body's frame; 0, 0, 0 for all others */
  readonly flanks: Float64Array;
  /** Per triangle: 1 for floors of pockets, else 0 */
  readonly floors: Uint8Array;
  /** m: thickness of the thinnest grouser, seen from outside; ∞ without any */
  readonly thinnest: number;
}

export function relief(mesh: TriangleMesh): Relief {
  const { vertices, triangles } = mesh;
  const count = triangles.length / 3;
  const flanks = new Float64Array(triangles.length);
  const floors = new Uint8Array(count);
  const hull = convexHull(vertices);
  const faces = hull.triangles.length / 3;
  const normals = new Float64Array(3 * faces);
  const planes = new Float64Array(faces);
  for (let f = 0; f < faces; f++) {
    normalOf(hull, f, normals, 3 * f);
    const v = 3 * hull.triangles[3 * f];
    planes[f] =
      normals[3 * f] * hull.vertices[v] +
      normals[3 * f + 1] * hull.vertices[v + 1] +
      normals[3 * f + 2] * hull.vertices[v + 2];
  }
  let size = 0;
  for (let i = 0; i < vertices.length; i++) size = Math.max(size, Math.abs(vertices[i]));
  const depth = new Float64Array(count); // below the hull
  const centre = new Float64Array(3 * count);
  const own = new Float64Array(3);
  const e = new Float64Array(3);
  const found: number[] = [];
  for (let t = 0; t < count; t++) {
    for (let k = 0; k < 3; k++)
      centre[3 * t + k] =
        (vertices[3 * triangles[3 * t] + k] +
          vertices[3 * triangles[3 * t + 1] + k] +
          vertices[3 * triangles[3 * t + 2] + k]) /
        3;
    const q = centre.subarray(3 * t, 3 * t + 3);
    const over = nearest(q, normals, planes);
    depth[t] = planes[over] - dot(normals, 3 * over, q);
    if (!(depth[t] > ON_HULL * size)) continue;
    normalOf(mesh, t, own, 0);
    if (dot(normals, 3 * over, own) > ALONG) continue;
    opening(hull, normals, q, e);
    const length = Math.sqrt(dot(e, 0, e));
    if (!(length > 0) || dot(e, 0, own) > ACROSS * length) continue;
    for (let k = 0; k < 3; k++) flanks[3 * t + k] = e[k] / length;
    found.push(t);
  }
  for (let t = 0; t < count; t++) {
    if (!(depth[t] > ON_HULL * size && depth[t] < SHALLOW * size) || isFlank(flanks, t)) continue;
    if (found.some((f) => isNear(vertices, triangles, f, centre, t, NEAR * depth[t]))) floors[t] = 1;
  }
  return { flanks, floors, thinnest: thinnestOf(mesh, flanks, depth, ON_HULL * size) };
}

const isFlank = (flanks: Float64Array, t: number): boolean =>
  flanks[3 * t] !== 0 || flanks[3 * t + 1] !== 0 || flanks[3 * t + 2] !== 0;

/** A corner of flank f is that near to the middle of triangle t. */
function isNear(
  vertices: Float64Array,
  triangles: Uint32Array,
  f: number,
  centre: Float64Array,
  t: number,
  distance: number,
): boolean {
  for (let c = 0; c < 3; c++) {
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const d = vertices[3 * triangles[3 * f + c] + k] - centre[3 * t + k];
      square += d * d;
    }
    if (square <= distance * distance) return true;
  }
  return false;
}

/** Least height of a triangle of the hull over an edge that it has in common with a flank, m; of tips, which are long and narrow: stones have edges, too */
function thinnestOf(
  { vertices, triangles }: TriangleMesh,
  flanks: Float64Array,
  depth: Float64Array,
  on: number,
): number {
  const edges = new Set<string>();
  const count = triangles.length / 3;
  const edge = (t: number, k: number): [number, number] => [triangles[3 * t + k], triangles[3 * t + ((k + 1) % 3)]];
  for (let t = 0; t < count; t++)
    if (isFlank(flanks, t))
      for (let k = 0; k < 3; k++) {
        const [a, b] = edge(t, k);
        edges.add(`${Math.min(a, b)} ${Math.max(a, b)}`);
      }
  let least = Infinity;
  for (let t = 0; t < count && edges.size > 0; t++) {
    if (depth[t] > on || isFlank(flanks, t)) continue;
    for (let k = 0; k < 3; k++) {
      const [a, b] = edge(t, k);
      if (!edges.has(`${Math.min(a, b)} ${Math.max(a, b)}`)) continue;
      const c = triangles[3 * t + ((k + 2) % 3)];
      const [ux, uy, uz] = [0, 1, 2].map((m) => vertices[3 * b + m] - vertices[3 * a + m]);
      const [wx, wy, wz] = [0, 1, 2].map((m) => vertices[3 * c + m] - vertices[3 * a + m]);
      const [x, y, z] = [uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx];
      const long = ux * ux + uy * uy + uz * uz;
      const thick = Math.sqrt((x * x + y * y + z * z) / long);
      if (Math.sqrt(long) > NARROW * thick) least = Math.min(least, thick);
    }
  }
  return least;
}

const dot = (a: Float64Array, at: number, b: Float64Array): number =>
  a[at] * b[0] + a[at + 1] * b[1] + a[at + 2] * b[2];

/** Of the hull's faces, the one whose plane is nearest */
function nearest(q: Float64Array, normals: Float64Array, planes: Float64Array): number {
  let [found, least] = [0, Infinity];
  for (let f = 0; f < planes.length; f++) {
    const distance = planes[f] - (normals[3 * f] * q[0] + normals[3 * f + 1] * q[1] + normals[3 * f + 2] * q[2]);
    if (distance < least) {
      least = distance;
      found = f;
    }
  }
  return found;
}

function normalOf({ vertices, triangles }: TriangleMesh, t: number, out: Float64Array, at: number): void {
  const [a, b, c] = [3 * triangles[3 * t], 3 * triangles[3 * t + 1], 3 * triangles[3 * t + 2]];
  const [bx, by, bz] = [0, 1, 2].map((k) => vertices[b + k] - vertices[a + k]);
  const [cx, cy, cz] = [0, 1, 2].map((k) => vertices[c + k] - vertices[a + k]);
  const [x, y, z] = [by * cz - bz * cy, bz * cx - bx * cz, bx * cy - by * cx];
  const length = Math.sqrt(x * x + y * y + z * z) || 1;
  out[at] = x / length;
  out[at + 1] = y / length;
  out[at + 2] = z / length;
}

/** Σ Ω_f n_f seen from q inside; Ω to some percent, V/(V + D) and 2 − V/(V − D) for the arc tangent of V/D: nothing hangs on it */
function opening(
  { vertices, triangles }: TriangleMesh,
  normals: Float64Array,
  q: Float64Array,
  out: Float64Array,
): void {
  const qx = q[0];
  const qy = q[1];
  const qz = q[2];
  out.fill(0);
  for (let f = 0; f < triangles.length; f += 3) {
    const i = 3 * triangles[f];
    const j = 3 * triangles[f + 1];
    const k = 3 * triangles[f + 2];
    const ax = vertices[i] - qx;
    const ay = vertices[i + 1] - qy;
    const az = vertices[i + 2] - qz;
    const bx = vertices[j] - qx;
    const by = vertices[j + 1] - qy;
    const bz = vertices[j + 2] - qz;
    const cx = vertices[k] - qx;
    const cy = vertices[k + 1] - qy;
    const cz = vertices[k + 2] - qz;
    const a = Math.sqrt(ax * ax + ay * ay + az * az);
    const b = Math.sqrt(bx * bx + by * by + bz * bz);
    const c = Math.sqrt(cx * cx + cy * cy + cz * cz);
    const volume = Math.abs(ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx));
    const across =
      a * b * c +
      (ax * bx + ay * by + az * bz) * c +
      (bx * cx + by * cy + bz * cz) * a +
      (cx * ax + cy * ay + cz * az) * b;
    const weight = across >= 0 ? volume / (volume + across) : 2 - volume / (volume - across);
    out[0] += weight * normals[f];
    out[1] += weight * normals[f + 1];
    out[2] += weight * normals[f + 2];
  }
}
