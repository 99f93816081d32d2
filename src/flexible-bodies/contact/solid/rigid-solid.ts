/** A rigid solid that a flexible one touches, in its own axes: a wall with a formula or a closed mesh that points of the other press on, and points of its own that press on the other. */
import { cos, sin } from '../../../math/elementary.js';
import { add, cross, dot, scale, sub, type Vec3, ZERO } from '../../../math/vec3.js';
import { FACING, TriangleSurface } from './triangle-surface.js';

export type RigidForm =
  | { readonly kind: 'halfSpace' }
  /** `stiffness`: Hertz's K, N/m^1.5 */
  | { readonly kind: 'ball'; readonly radius: number; readonly stiffness: number }
  /** About z, centred. Round ends: a capsule, `height` between their centres */
  | { readonly kind: 'rod'; readonly radius: number; readonly height: number; readonly roundEnds: boolean }
  | { readonly kind: 'mesh'; readonly vertices: Float64Array; readonly triangles: Uint32Array };

/** Of a point near a wall: distance (negative inside), normal n = ∇gap, and its change H = bendAlong 1 + (bend − bendAlong) c cᵀ across n, c = z × n */
export interface WallFoot {
  gap: number;
  readonly n: Float64Array;
  /** 1/m: along c and along n × c */
  bend: number;
  bendAlong: number;
  /** How far inside the rim of its face, m, ∞: it has none; the way inward from there, and its change −inwardBend (1 − e eᵀ) across the axis */
  inset: number;
  readonly inward: Float64Array;
  inwardBend: number;
}

/** @param facing normal of the point's own surface, which chooses between faces beside a rim */
export type Wall = (x: number, y: number, z: number, out: WallFoot, facing?: Float64Array) => void;

/** Of the length of a face: so deep a point beside a rim is looked for round the corner */
export const ROUND_CORNER = 0.25;
/** Cosine between the normals of faces beyond which their common edge counts as one, 1° */
const FLAT = 0.99985;

export interface RigidSolid {
  readonly wall: Wall | undefined;
  readonly surface: TriangleSurface | undefined;
  /** 3 per point: place, and the mean normal of the faces that meet there */
  readonly points: Float64Array;
  readonly normals: Float64Array;
  /** Per point: of a ball around it, m; with `circles` of a circle about z, of which the point nearest to the other body presses */
  readonly radii: Float64Array;
  readonly circles: boolean;
  /** So many circles, the first, stand for a piece of the axis each */
  readonly pieces: number;
  /** Between points along an axis, m */
  readonly spacing: number;
}

/** @param spacing of points along edges and axes, m */
export function rigidSolid(form: RigidForm, spacing: number): RigidSolid {
  if (form.kind === 'halfSpace')
    return {
      wall: halfSpaceWall,
      surface: undefined,
      points: NONE,
      normals: NONE,
      radii: NONE,
      circles: false,
      pieces: 0,
      spacing,
    };
  if (form.kind === 'ball')
    return {
      wall: undefined,
      surface: undefined,
      points: new Float64Array(3),
      normals: new Float64Array(3),
      radii: Float64Array.of(form.radius),
      circles: false,
      pieces: 0,
      spacing,
    };
  if (form.kind === 'rod')
    return { wall: rodWall(form, ROUND_CORNER * spacing), surface: undefined, ...rodPoints(form, spacing) };
  const { vertices, triangles } = form;
  const { points, normals } = edgePoints(vertices, triangles, spacing);
  return {
    wall: undefined,
    surface: new TriangleSurface(vertices, triangles, []),
    points,
    normals,
    radii: new Float64Array(points.length / 3),
    circles: false,
    pieces: 0,
    spacing,
  };
}

type Rod = Extract<RigidForm, { kind: 'rod' }>;

/** Along the axis; at flat ends also at and around the rims */
function rodPoints(
  { radius, height, roundEnds }: Rod,
  spacing: number,
): Pick<RigidSolid, 'points' | 'normals' | 'radii' | 'circles' | 'pieces' | 'spacing'> {
  const points: number[] = [];
  const normals: number[] = [];
  const radii: number[] = [];
  const pieces = Math.max(1, Math.ceil(height / spacing));
  const put = (z: number): void => {
    points.push(0, 0, z * height);
    normals.push(0, 0, 0);
    radii.push(radius);
  };
  if (roundEnds) for (let i = 0; i <= pieces; i++) put(i / pieces - 0.5);
  else {
    // each in the middle of its piece; those at the ends carry one that tilts
    for (let i = 0; i < pieces; i++) put((i + 0.5) / pieces - 0.5);
    put(-0.5);
    put(0.5);
  }
  if (!roundEnds) {
    const corners = Math.max(16, Math.ceil((2 * Math.PI * radius) / spacing));
    for (let i = 0; i < corners; i++) {
      const angle = (2 * Math.PI * i) / corners;
      for (const side of [-0.5, 0.5]) {
        points.push(radius * cos(angle), radius * sin(angle), side * height);
        normals.push(Math.SQRT1_2 * cos(angle), Math.SQRT1_2 * sin(angle), 2 * Math.SQRT1_2 * side);
        radii.push(0);
      }
    }
  }
  return {
    points: Float64Array.from(points),
    normals: Float64Array.from(normals),
    radii: Float64Array.from(radii),
    circles: !roundEnds,
    pieces,
    spacing: height / pieces,
  };
}

const NONE = new Float64Array(0);

const halfSpaceWall: Wall = (_x, _y, z, out) => {
  out.gap = z;
  out.n[0] = out.n[1] = 0;
  out.n[2] = 1;
  out.bend = out.bendAlong = 0;
  out.inset = Number.POSITIVE_INFINITY;
};

/** Beside its rim the larger of the two distances, which is not too large */
function rodWall({ radius, height, roundEnds }: Rod, deepest: number): Wall {
  return (x, y, z, out, facing) => {
    const { n, inward } = out;
    const rho = Math.sqrt(x * x + y * y);
    const beyond = Math.abs(z) - height / 2;
    out.bend = out.bendAlong = out.inwardBend = 0;
    out.inset = Number.POSITIVE_INFINITY;
    if (roundEnds && beyond > 0) {
      const dz = z > 0 ? beyond : -beyond;
      const away = Math.sqrt(rho * rho + dz * dz);
      out.gap = away - radius;
      n[0] = x / away;
      n[1] = y / away;
      n[2] = dz / away;
      out.bend = out.bendAlong = 1 / away;
      return;
    }
    let flat = beyond > rho - radius || !(rho > 0);
    // a point inside is pushed out of the face that its own surface lies on, if that is near
    if (facing && !roundEnds && beyond < 0 && rho < radius && rho > 0) {
      const onEnd = -beyond < deepest && (z > 0 ? facing[2] : -facing[2]) < FACING;
      const onSide = radius - rho < deepest && (x * facing[0] + y * facing[1]) / rho < FACING;
      if (onEnd !== onSide) flat = onEnd;
    }
    if (!roundEnds && flat) {
      out.gap = beyond;
      n[0] = n[1] = 0;
      n[2] = z > 0 ? 1 : -1;
      out.inset = radius - rho;
      inward[0] = rho > 0 ? -x / rho : 0;
      inward[1] = rho > 0 ? -y / rho : 0;
      inward[2] = 0;
      out.inwardBend = rho > 0 ? 1 / rho : 0;
      return;
    }
    if (!roundEnds) {
      out.inset = -beyond;
      inward[0] = inward[1] = 0;
      inward[2] = z > 0 ? -1 : 1;
    }
    out.gap = rho - radius;
    n[0] = rho > 0 ? x / rho : 1;
    n[1] = rho > 0 ? y / rho : 0;
    n[2] = 0;
    out.bend = rho > 0 ? 1 / rho : 0;
  };
}

/** Vertices of a mesh, and points along its edges where two faces make an angle */
function edgePoints(
  vertices: Float64Array,
  triangles: Uint32Array,
  spacing: number,
): Pick<RigidSolid, 'points' | 'normals'> {
  const corner = (v: number): Vec3 => [vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]];
  const faceNormals: Vec3[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const a = corner(triangles[t]);
    const n = cross(sub(corner(triangles[t + 1]), a), sub(corner(triangles[t + 2]), a));
    const size = Math.sqrt(dot(n, n));
    faceNormals.push(size > 0 ? scale(1 / size, n) : ZERO);
  }
  const edges = new Map<string, { readonly ends: readonly [number, number]; readonly faces: number[] }>();
  for (let t = 0; t < triangles.length; t += 3)
    for (let k = 0; k < 3; k++) {
      const [a, b] = [triangles[t + k], triangles[t + ((k + 1) % 3)]];
      const key = `${Math.min(a, b)} ${Math.max(a, b)}`;
      const known = edges.get(key);
      if (known) known.faces.push(t / 3);
      else edges.set(key, { ends: [a, b], faces: [t / 3] });
    }
  const points: number[] = [];
  const normals: number[] = [];
  const put = (at: Vec3, sum: Vec3): void => {
    const size = Math.sqrt(dot(sum, sum));
    points.push(...at);
    normals.push(...(size > 0 ? scale(1 / size, sum) : ZERO));
  };
  // of a vertex the faces of all its edges count, each with its normal once
  const atVertex = new Map<number, Vec3[]>();
  for (const { ends, faces } of edges.values()) {
    const [first, second] = faces.map((face) => faceNormals[face]);
    if (second && dot(first, second) > FLAT) continue;
    const sum = second ? add(first, second) : first;
    const [a, b] = ends.map(corner);
    for (const end of ends) {
      const seen = atVertex.get(end) ?? [];
      for (const n of [first, ...(second ? [second] : [])])
        if (!seen.some((other) => dot(n, other) > FLAT)) seen.push(n);
      atVertex.set(end, seen);
    }
    const along = sub(b, a);
    const pieces = Math.ceil(Math.sqrt(dot(along, along)) / spacing);
    for (let i = 1; i < pieces; i++) put(add(a, scale(i / pieces, along)), sum);
  }
  for (const [vertex, around] of atVertex) put(corner(vertex), around.reduce(add, ZERO));
  return { points: Float64Array.from(points), normals: Float64Array.from(normals) };
}
