/**
 * What spheres touch: a surface as features whose own contacts are the local minima of the distance from the centre. Faces, edges and vertices of a
 * closed mesh ask the same expressions, so that outside a band of 1e-10 edge lengths exactly one of those that meet in a place says yes: a
 * convex corner gives one contact, from face to edge to vertex without a jump, an inner corner two or three.
 *
 * Concave edges never hold a minimum. With vertices they hold what is between two of them, saddles and maxima of the distance, by which contacts of one surface are merged
 * (kernels/wall-merging.kernel.ts). Edges between faces of one plane are left out, and the face of the lower number takes the line itself.
 */
import { ModelError } from '../errors.js';
import { STRIDE } from '../kernels/index.js';
import type { Vec3 } from '../math/vec3.js';
import { cross, dot, normalize, scale, sub } from '../math/vec3.js';

export interface WallFeatures {
  readonly count: number;
  /** First ones, which have no box */
  readonly unbounded: number;
  /** 32 each, see kernels/grain-slots.ts */
  readonly numbers: Float64Array;
  /** 6 each: low and high corner, m */
  readonly boxes: Float64Array;
  /** 6 each: unit vector of an edge, its offset, its length, 1 if the vertex is its start */
  readonly spokes: Float64Array;
}

const FLAT = 1e-9; // sine of the angle between faces of one plane
const NO_BOX = new Float64Array(6);

/** A half-space below the plane n·x = d; n unit, outward. */
export function planeFeature(normal: Vec3, offset: number): WallFeatures {
  return gathered([[0, ...normal, offset]], [], [], 1);
}

/** A ball, grains outside it. */
export function ballFeature(centre: Vec3, radius: number): WallFeatures {
  const box = [...centre.map((x) => x - radius), ...centre.map((x) => x + radius)];
  return gathered([[6, ...centre, radius]], [Float64Array.from(box)], [], 0);
}

/**
 * A profile in (ρ, z) turned about an axis; grains are on the left of its direction, seen with ρ to the right and z up.
 *
 * @param closed whether the last point is joined to the first
 */
export function revolvedFeatures(
  profile: readonly (readonly [rho: number, z: number])[],
  { origin = [0, 0, 0], axis = [0, 0, 1], closed = false }: { origin?: Vec3; axis?: Vec3; closed?: boolean } = {},
): WallFeatures {
  const e = normalize(axis);
  const side = normalize(cross(e, Math.abs(e[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0]));
  const points = profile.length;
  const segments = closed ? points : points - 1;
  const tangents: [number, number][] = [];
  const numbers: number[][] = [];
  const onAxis = (k: number): boolean => profile[k][0] === 0 && profile[(k + 1) % points][0] === 0;
  for (let k = 0; k < segments; k++) {
    const [a, b] = [profile[k], profile[(k + 1) % points]];
    const [dr, dz] = [b[0] - a[0], b[1] - a[1]];
    const length = Math.sqrt(dr * dr + dz * dz);
    if (!(length > 0)) throw new ModelError('grains.walls', `point ${k + 1} of the profile is the same as point ${k}`);
    const t: [number, number] = [dr / length, dz / length];
    tangents.push(t);
    if (onAxis(k)) continue; // on the axis there is no surface
    const segment = [4, ...origin, ...e, a[0], a[1], t[0], t[1], -t[1], t[0], length, 0, 0, ...side];
    numbers.push(segment);
    // What closes in round the axis is met on its far side, too, by a ball that it does not let through
    if (t[1] > FLAT) numbers.push([...segment, 0, 0, 1]);
  }
  for (let k = 0; k < points; k++) {
    const last = closed ? (k + points - 1) % points : k - 1;
    const before = last >= 0 && !onAxis(last) ? tangents[last] : undefined;
    const behind = k < segments && !onAxis(k) ? tangents[k] : undefined;
    if (!before && !behind) continue;
    if (profile[k][0] === 0) {
      // On the axis: the tip of a cone holds a contact; the bottom of a funnel is between those of its two sides; the middle of a disc is neither
      const [dr, dz] = (before ?? behind)!;
      const ends = before ? [dr, dz, dr, -dz] : [dr, -dz, dr, dz];
      if (dz > FLAT) numbers.push([9, ...origin, ...e, 0, profile[k][1], ...ends, 0, 0, 0, ...side, 1, 1]);
      if (!(dz < -FLAT)) continue;
    }
    // Turning left is an inner corner: it never holds a minimum, but may be what is between two
    const turning = before && behind ? before[0] * behind[1] - before[1] * behind[0] : -1;
    if (turning >= -FLAT && turning <= FLAT) continue;
    const b = before ?? [0, 0];
    const c = behind ?? [0, 0];
    const place = [...origin, ...e, profile[k][0], profile[k][1], ...b, ...c, 0, 0, 0, ...side];
    const sides = [before ? 1 : 0, behind ? 1 : 0];
    numbers.push([turning > 0 ? 9 : 5, ...place, ...sides]);
    if (profile[k][0] > 0) numbers.push([turning > 0 ? 9 : 5, ...place, ...sides, 1]);
  }
  return gathered(numbers, [], [], numbers.length);
}

/**
 * Faces, convex edges and vertices of a closed mesh, oriented outward.
 *
 * @throws ModelError if an edge is open, with where it is
 */
export function meshFeatures(vertices: ArrayLike<number>, triangles: ArrayLike<number>, path: string): WallFeatures {
  const point = (v: number): Vec3 => [vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]];
  const faces = triangles.length / 3;
  const normals: Vec3[] = [];
  const live: boolean[] = [];
  for (let f = 0; f < faces; f++) {
    const [a, b, c] = [0, 1, 2].map((k) => point(triangles[3 * f + k]));
    const n = cross(sub(b, a), sub(c, a));
    const area = Math.sqrt(dot(n, n));
    live.push(area > 0);
    normals.push(area > 0 ? scale(1 / area, n) : [0, 0, 0]);
  }
  // Edges by their two vertices; an edge is written from its lower vertex
  const edges = new Map<number, { a: number; b: number; faces: number[] }>();
  const most = vertices.length / 3;
  for (let f = 0; f < faces; f++)
    for (let k = 0; k < 3; k++) {
      const [i, j] = [triangles[3 * f + k], triangles[3 * f + ((k + 1) % 3)]];
      const key = Math.min(i, j) * most + Math.max(i, j);
      const edge = edges.get(key);
      if (edge) edge.faces.push(f);
      else edges.set(key, { a: Math.min(i, j), b: Math.max(i, j), faces: [f] });
    }
  for (const { a, b, faces: meeting } of edges.values())
    if (meeting.length !== 2)
      throw new ModelError(
        path,
        `a wall of grains must be closed, but the edge from (${point(a).join(', ')}) to (${point(b).join(', ')}) m has ${meeting.length} faces; repair the mesh`,
      );

  // Inward directions in the plane of each face, by edge of the face; taken over from the other side where both are in one plane
  const inward = new Float64Array(12 * faces);
  const takes = new Uint8Array(3 * faces).fill(0);
  const numbers: number[][] = [];
  const boxes: Float64Array[] = [];
  const spokesOf = new Map<number, number[][]>();
  const convexAt = new Set<number>();
  const innerAt = new Set<number>();
  const edgeNumbers: number[][] = [];
  const edgeBoxes: Float64Array[] = [];
  const sideOf = (f: number, a: number, b: number): number => {
    for (let k = 0; k < 3; k++) {
      const [i, j] = [triangles[3 * f + k], triangles[3 * f + ((k + 1) % 3)]];
      if ((i === a && j === b) || (i === b && j === a)) return k;
    }
    return 0;
  };
  for (const { a, b, faces: meeting } of edges.values()) {
    const [p, q] = [point(a), point(b)];
    const along = sub(q, p);
    const length = Math.sqrt(dot(along, along));
    const e = scale(1 / length, along);
    const [f, g] = meeting[0] < meeting[1] ? meeting : [meeting[1], meeting[0]];
    const inwards = [f, g].map((face) => {
      const k = sideOf(face, a, b);
      const forward = triangles[3 * face + k] === a ? 1 : -1;
      const side = scale(forward, cross(normals[face], e));
      const at = 12 * face + 4 * k;
      inward.set([...side, dot(side, p)], at);
      return { at, k, face };
    });
    const sine = dot(cross(normals[f], normals[g]), e);
    const flat = Math.abs(sine) < FLAT && dot(normals[f], normals[g]) > 0;
    const forward = triangles[3 * f + inwards[0].k] === a ? 1 : -1;
    const convex = !flat && forward * sine > 0;
    const inner = live[f] && live[g] && forward * sine < -FLAT;
    if (flat) {
      for (let k = 0; k < 4; k++) inward[inwards[1].at + k] = -inward[inwards[0].at + k];
      takes[3 * f + inwards[0].k] = 1;
    }
    const de = dot(e, p);
    for (const [v, start] of [
      [a, 1],
      [b, 0],
    ] as const) {
      const list = spokesOf.get(v) ?? [];
      list.push([...e, de, length, start]);
      spokesOf.set(v, list);
      if (convex) convexAt.add(v);
      if (inner) innerAt.add(v);
    }
    if (convex || inner) {
      const [one, two] = inwards.map(({ at }) => [...inward.subarray(at, at + 4)]);
      edgeNumbers.push([convex ? 2 : 7, ...p, ...e, length, de, ...one, ...two, ...normals[f], ...normals[g]]);
      edgeBoxes.push(boxOf([p, q]));
    }
  }
  for (let f = 0; f < faces; f++) {
    if (!live[f]) continue;
    const corners = [0, 1, 2].map((k) => point(triangles[3 * f + k]));
    numbers.push([
      1,
      ...normals[f],
      dot(normals[f], corners[0]),
      ...inward.subarray(12 * f, 12 * f + 12),
      ...takes.subarray(3 * f, 3 * f + 3),
    ]);
    boxes.push(boxOf(corners));
  }
  numbers.push(...edgeNumbers);
  boxes.push(...edgeBoxes);
  const spokes: number[][] = [];
  for (const v of [...convexAt].sort((a, b) => a - b)) {
    const own = spokesOf.get(v)!;
    numbers.push([3, ...point(v), spokes.length, own.length]);
    boxes.push(boxOf([point(v)]));
    for (const spoke of own) spokes.push(spoke);
  }
  const around = neighboursAround(triangles, innerAt);
  for (const v of [...innerAt].sort((a, b) => a - b)) {
    const own = around.get(v);
    if (!own) continue;
    numbers.push([8, ...point(v), spokes.length, own.length]);
    boxes.push(boxOf([point(v)]));
    for (const w of own) {
      const [p, q] = v < w ? [point(v), point(w)] : [point(w), point(v)];
      const along = sub(q, p);
      const length = Math.sqrt(dot(along, along));
      const e = scale(1 / length, along);
      spokes.push([...e, dot(e, p), length, v < w ? 1 : 0]);
    }
  }
  return gathered(numbers, boxes, spokes, 0);
}

/** Of each vertex asked for, its neighbours as they follow each other about it; none where surfaces touch in the vertex alone */
function neighboursAround(triangles: ArrayLike<number>, asked: ReadonlySet<number>): Map<number, number[]> {
  const next = new Map<number, Map<number, number>>();
  for (let t = 0; t < triangles.length; t++) {
    const v = triangles[t];
    if (!asked.has(v)) continue;
    const f = t - (t % 3);
    const own = next.get(v) ?? new Map<number, number>();
    own.set(triangles[f + ((t + 1) % 3)], triangles[f + ((t + 2) % 3)]);
    next.set(v, own);
  }
  const found = new Map<number, number[]>();
  for (const [v, own] of next) {
    const [first] = own.keys();
    const round: number[] = [];
    let w: number | undefined = first;
    while (w !== undefined && round.length < own.size) {
      round.push(w);
      w = own.get(w);
      if (w === first) break;
    }
    if (w === first && round.length === own.size) found.set(v, round);
  }
  return found;
}

/** Features of several parts of one body, those without a box first. */
export function joinFeatures(parts: readonly WallFeatures[]): WallFeatures {
  if (parts.length === 1) return parts[0];
  const numbers: number[][] = [];
  const boxes: Float64Array[] = [];
  let spokes: number[] = [];
  const take = (bounded: boolean): void => {
    for (const part of parts)
      for (let f = bounded ? part.unbounded : 0; f < (bounded ? part.count : part.unbounded); f++) {
        const own = [...part.numbers.subarray(STRIDE.feature * f, STRIDE.feature * (f + 1))];
        if (own[0] === 3 || own[0] === 8) {
          const from = own[4];
          own[4] = spokes.length / STRIDE.spoke;
          spokes = spokes.concat([...part.spokes.subarray(STRIDE.spoke * from, STRIDE.spoke * (from + own[5]))]);
        }
        numbers.push(own);
        boxes.push(part.boxes.slice(6 * f, 6 * f + 6));
      }
  };
  take(false);
  const unbounded = numbers.length;
  take(true);
  const all = gathered(numbers, boxes.slice(unbounded), [], unbounded);
  return { ...all, spokes: Float64Array.from(spokes) };
}

function boxOf(points: readonly Vec3[]): Float64Array {
  const box = new Float64Array(6);
  for (let k = 0; k < 3; k++) {
    box[k] = Math.min(...points.map((p) => p[k]));
    box[3 + k] = Math.max(...points.map((p) => p[k]));
  }
  return box;
}

function gathered(
  numbers: readonly (readonly number[])[],
  boxes: readonly Float64Array[],
  spokes: readonly (readonly number[])[],
  unbounded: number,
): WallFeatures {
  const count = numbers.length;
  const features: WallFeatures = {
    count,
    unbounded,
    numbers: new Float64Array(STRIDE.feature * count),
    boxes: new Float64Array(6 * count),
    spokes: new Float64Array(STRIDE.spoke * spokes.length),
  };
  for (const [f, own] of numbers.entries()) features.numbers.set(own, STRIDE.feature * f);
  for (let f = 0; f < count; f++) features.boxes.set(f < unbounded ? NO_BOX : boxes[f - unbounded], 6 * f);
  for (const [k, own] of spokes.entries()) features.spokes.set(own, STRIDE.spoke * k);
  return features;
}
