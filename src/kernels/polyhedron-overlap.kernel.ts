/**
 * Overlap of two convex pieces: volume, first moments and vector area, by clipping faces both ways and the divergence theorem.
 *
 * n is a unit vector from A to B, any: the slab between the farthest vertex of A and the nearest of B along it,
 *
 *   hi = max over A of n·r,   lo = min over B of n·r,   δ = hi − lo        (δ ≤ 0: n separates them)
 *
 * contains the overlap. Only faces of A with a vertex at n·r ≥ lo, and faces of B with one at n·r ≤ hi, reach into the slab; the
 * others bound nothing of the overlap and need no clipping, nor clip anything: whoever leaves B within the slab does so through a face that is
 * in it. With the normal of the last step as n a stone on a flat floor has a corner's three faces left of its six or its twenty.
 *
 * A face polygon of A is clipped (Sutherland & Hodgman 1974) by the planes of B, then those of B by the planes of A. What is left of a face with
 * unit normal N, plane N·r = d, area a and ∫ r dA = c is the base of a cone with its apex in the origin:
 *
 *   V = Σ d a/3                volume of the overlap                       m³
 *   M = Σ d c/4                ∫ r dV                                      m⁴
 *   S = Σ over A of a N        vector area of A's surface inside B         m²
 *
 * The origin is A's farthest vertex along n, so that a small overlap is no difference of large numbers.
 * Faces that lie in one plane must count once. Two faces whose planes agree to 1e-9 (of the pair's size in place, in rad) and look the same way
 * are flush: A's is not cut by the other plane, B's does not count. Which costs 1e-9 × size × area of volume, and is needed: each side would find the line in which
 * nearly parallel planes meet by itself, and differently by rounding over the angle. For rounding alone the planes of B are moved out by 2⁻⁴⁷ of the size, those of A in.
 *
 * specs: Elmqvist et al. (2015), §4, for contact by overlap volume; clip-and-integrate after Mirtich (1996), doi 10.1080/10867651.1996.10487458.
 */
import { type FloatArray, type f64, type IntArray, type i32, ptrF, ptrI } from './prelude.js';

// Slots of the pointer table; those of bodies and pairs are with the kernels that use them.

/** 8 per piece: body, kind, first vertex, vertices, first plane, planes, species, how many of its planes, from the first, are surface where not all are (0: all) */
export const PIECES: i32 = 0;
/** 3 per vertex: seen from its body's centre of mass, world axes, m */
export const VERTICES: i32 = 1;
/** 4 per plane: unit normal out of the piece, world axes; distance from the body's centre of mass, m */
export const PLANES: i32 = 2;
/** one per plane and one more: where the loop of its face starts in LOOPS */
export const LOOP_START: i32 = 3;
/** vertices of faces, counted from the piece's first, counter-clockwise seen from outside */
export const LOOPS: i32 = 4;
/** one per vertex and one more: where the faces that meet in it start in CORNER_FACES */
export const CORNER_START: i32 = 5;
/** faces, counted from the piece's first plane */
export const CORNER_FACES: i32 = 6;
/** room for numbers on the way, 24 room + 16; `room` is the greatest number of vertices or faces of a piece and of corners of a face, at least 4 */
export const WORK: i32 = 7;
/** room for 3 room integers */
export const LISTS: i32 = 8;

/** Kinds of pieces */
export const POLYHEDRON: i32 = 0;
export const SPHERE: i32 = 1;
export const HALF_SPACE: i32 = 2;
/** A face, an edge or a corner of a wall, for spheres: 3 vertices and more, 2 or 1, and planes that a centre it is nearest to is behind; of a face its own plane first */
export const FEATURE: i32 = 3;

/** Where in WORK the result lies, over `room`: V, Mx My Mz (from A's centre of mass), Sx Sy Sz, δ */
export const OVERLAP_RESULT: i32 = 24;

const TOLERANCE: f64 = 7.105427357601002e-15; // 2⁻⁴⁷
/** Planes that agree so far are one, rad and of the size */
const FLUSH: f64 = 1e-9;

/**
 * Overlap of polyhedra a and b. Returns the volume, m³, 0 or less if there is none.
 *
 * @param dx dy dz from the centre of mass of a's body to that of b's, m
 * @param nx ny nz unit vector from a to b
 * @param size     of the pair, sum of bounding radii, m
 */
export function overlapPolyhedra(
  a: i32,
  b: i32,
  dx: f64,
  dy: f64,
  dz: f64,
  nx: f64,
  ny: f64,
  nz: f64,
  size: f64,
  room: i32,
): f64 {
  const pieces: IntArray = ptrI(PIECES);
  const vertices: FloatArray = ptrF(VERTICES);
  const planes: FloatArray = ptrF(PLANES);
  const loopStart: IntArray = ptrI(LOOP_START);
  const loops: IntArray = ptrI(LOOPS);
  const work: FloatArray = ptrF(WORK);
  const lists: IntArray = ptrI(LISTS);
  const tolerance: f64 = TOLERANCE * size;
  const firstVertexA: i32 = pieces[8 * a + 2];
  const verticesA: i32 = pieces[8 * a + 3];
  const firstPlaneA: i32 = pieces[8 * a + 4];
  const firstVertexB: i32 = pieces[8 * b + 2];
  const verticesB: i32 = pieces[8 * b + 3];
  const firstPlaneB: i32 = pieces[8 * b + 4];
  const result: i32 = OVERLAP_RESULT * room;
  // Of a part of a wall seams with other parts are no surface: S is then less the area of B's own surface inside A
  const surfaces: i32 = pieces[8 * b + 7];

  // The slab along n
  let hi: f64 = -1e300;
  let lo: f64 = 1e300;
  let support: i32 = 0;
  for (let i: i32 = 0; i < verticesA; i++) {
    const v: i32 = 3 * (firstVertexA + i);
    const t: f64 = nx * vertices[v] + ny * vertices[v + 1] + nz * vertices[v + 2];
    work[i] = t;
    if (t > hi) {
      hi = t;
      support = v;
    }
  }
  const shift: f64 = nx * dx + ny * dy + nz * dz;
  for (let i: i32 = 0; i < verticesB; i++) {
    const v: i32 = 3 * (firstVertexB + i);
    const t: f64 = nx * vertices[v] + ny * vertices[v + 1] + nz * vertices[v + 2] + shift;
    work[room + i] = t;
    if (t < lo) lo = t;
  }
  work[result + 7] = hi - lo;
  if (hi <= lo) return 0;

  // Faces that reach into it
  const activeA: i32 = reaching(lists, 0, a, work, 0, 1, lo - tolerance, room);
  const activeB: i32 = reaching(lists, room, b, work, room, -1, -hi - tolerance, room);

  // Their planes seen from the origin, A's farthest vertex
  const ox: f64 = vertices[support];
  const oy: f64 = vertices[support + 1];
  const oz: f64 = vertices[support + 2];
  const planesA: i32 = 2 * room;
  const planesB: i32 = 6 * room;
  for (let i: i32 = 0; i < activeA; i++) {
    const p: i32 = 4 * (firstPlaneA + lists[i]);
    const w: i32 = planesA + 4 * i;
    work[w] = planes[p];
    work[w + 1] = planes[p + 1];
    work[w + 2] = planes[p + 2];
    work[w + 3] = planes[p + 3] - (planes[p] * ox + planes[p + 1] * oy + planes[p + 2] * oz);
  }
  const bx: f64 = dx - ox;
  const by: f64 = dy - oy;
  const bz: f64 = dz - oz;
  for (let i: i32 = 0; i < activeB; i++) {
    const p: i32 = 4 * (firstPlaneB + lists[room + i]);
    const w: i32 = planesB + 4 * i;
    work[w] = planes[p];
    work[w + 1] = planes[p + 1];
    work[w + 2] = planes[p + 2];
    work[w + 3] = planes[p + 3] + (planes[p] * bx + planes[p + 1] * by + planes[p + 2] * bz);
  }

  // A's faces inside B, then B's inside A
  for (let k: i32 = 0; k < 7; k++) work[result + k] = 0;
  for (let i: i32 = 0; i < activeA; i++) {
    const f: i32 = firstPlaneA + lists[i];
    const count: i32 = gather(work, vertices, loops, loopStart[f], loopStart[f + 1], firstVertexA, -ox, -oy, -oz, room);
    const left: i32 = clipped(work, count, planesA + 4 * i, planesB, activeB, tolerance, FLUSH * size, 1, room);
    if (left !== 0) addFace(work, left, planesA + 4 * i, result, room, surfaces === 0 ? 1 : 0);
  }
  for (let i: i32 = 0; i < activeB; i++) {
    const f: i32 = firstPlaneB + lists[room + i];
    const count: i32 = gather(work, vertices, loops, loopStart[f], loopStart[f + 1], firstVertexB, bx, by, bz, room);
    const left: i32 = clipped(work, count, planesB + 4 * i, planesA, activeA, -tolerance, FLUSH * size, 0, room);
    if (left !== 0) addFace(work, left, planesB + 4 * i, result, room, lists[room + i] < surfaces ? -1 : 0);
  }
  const volume: f64 = work[result];
  work[result + 1] += ox * volume;
  work[result + 2] += oy * volume;
  work[result + 3] += oz * volume;
  return volume;
}

/**
 * Overlap of polyhedron a with half-space b. The origin lies on the plane, where the cap of the overlap has d = 0: A's faces alone are enough.
 */
export function overlapHalfSpace(a: i32, b: i32, dx: f64, dy: f64, dz: f64, size: f64, room: i32): f64 {
  const pieces: IntArray = ptrI(PIECES);
  const vertices: FloatArray = ptrF(VERTICES);
  const planes: FloatArray = ptrF(PLANES);
  const loopStart: IntArray = ptrI(LOOP_START);
  const loops: IntArray = ptrI(LOOPS);
  const work: FloatArray = ptrF(WORK);
  const lists: IntArray = ptrI(LISTS);
  const firstVertexA: i32 = pieces[8 * a + 2];
  const verticesA: i32 = pieces[8 * a + 3];
  const firstPlaneA: i32 = pieces[8 * a + 4];
  const wall: i32 = 4 * pieces[8 * b + 4];
  const nx: f64 = -planes[wall];
  const ny: f64 = -planes[wall + 1];
  const nz: f64 = -planes[wall + 2];
  const lo: f64 = nx * dx + ny * dy + nz * dz - planes[wall + 3];
  const result: i32 = OVERLAP_RESULT * room;

  let hi: f64 = -1e300;
  let support: i32 = 0;
  for (let i: i32 = 0; i < verticesA; i++) {
    const v: i32 = 3 * (firstVertexA + i);
    const t: f64 = nx * vertices[v] + ny * vertices[v + 1] + nz * vertices[v + 2];
    work[i] = t;
    if (t > hi) {
      hi = t;
      support = v;
    }
  }
  work[result + 7] = hi - lo;
  if (hi <= lo) return 0;

  // The farthest vertex, put on the plane
  const ox: f64 = vertices[support] - (hi - lo) * nx;
  const oy: f64 = vertices[support + 1] - (hi - lo) * ny;
  const oz: f64 = vertices[support + 2] - (hi - lo) * nz;
  const planesA: i32 = 2 * room;
  const planesB: i32 = 6 * room;
  work[planesB] = planes[wall];
  work[planesB + 1] = planes[wall + 1];
  work[planesB + 2] = planes[wall + 2];
  work[planesB + 3] = 0;

  for (let k: i32 = 0; k < 7; k++) work[result + k] = 0;
  const activeA: i32 = reaching(lists, 0, a, work, 0, 1, lo - TOLERANCE * size, room);
  for (let i: i32 = 0; i < activeA; i++) {
    const f: i32 = firstPlaneA + lists[i];
    const count: i32 = gather(work, vertices, loops, loopStart[f], loopStart[f + 1], firstVertexA, -ox, -oy, -oz, room);
    const p: i32 = 4 * f;
    work[planesA] = planes[p];
    work[planesA + 1] = planes[p + 1];
    work[planesA + 2] = planes[p + 2];
    work[planesA + 3] = planes[p + 3] - (planes[p] * ox + planes[p + 1] * oy + planes[p + 2] * oz);
    const left: i32 = clipped(work, count, planesA, planesB, 1, 0, FLUSH * size, 1, room);
    if (left !== 0) addFace(work, left, planesA, result, room, 1);
  }
  const volume: f64 = work[result];
  work[result + 1] += ox * volume;
  work[result + 2] += oy * volume;
  work[result + 3] += oz * volume;
  return volume;
}

/** Lists the faces of a piece that have a vertex with sign · t ≥ least, in their order; returns how many. */
function reaching(
  lists: IntArray,
  to: i32,
  piece: i32,
  work: FloatArray,
  t: i32,
  sign: f64,
  least: f64,
  room: i32,
): i32 {
  const pieces: IntArray = ptrI(PIECES);
  const cornerStart: IntArray = ptrI(CORNER_START);
  const cornerFaces: IntArray = ptrI(CORNER_FACES);
  const firstVertex: i32 = pieces[8 * piece + 2];
  const vertexCount: i32 = pieces[8 * piece + 3];
  const faces: i32 = pieces[8 * piece + 5];
  const mark: i32 = 2 * room;
  for (let f: i32 = 0; f < faces; f++) lists[mark + f] = 0;
  for (let i: i32 = 0; i < vertexCount; i++) {
    if (sign * work[t + i] < least) continue;
    const end: i32 = cornerStart[firstVertex + i + 1];
    for (let k: i32 = cornerStart[firstVertex + i]; k < end; k++) lists[mark + cornerFaces[k]] = 1;
  }
  let count: i32 = 0;
  for (let f: i32 = 0; f < faces; f++) {
    lists[to + count] = f;
    count += lists[mark + f];
  }
  return count;
}

/** Puts the corners of a face, moved by (x, y, z), where `clipped` expects them. */
function gather(
  work: FloatArray,
  vertices: FloatArray,
  loops: IntArray,
  start: i32,
  end: i32,
  firstVertex: i32,
  x: f64,
  y: f64,
  z: f64,
  room: i32,
): i32 {
  let to: i32 = 12 * room;
  for (let k: i32 = start; k < end; k++) {
    const v: i32 = 3 * (firstVertex + loops[k]);
    work[to] = vertices[v] + x;
    work[to + 1] = vertices[v + 1] + y;
    work[to + 2] = vertices[v + 2] + z;
    to += 3;
  }
  return end - start;
}

/**
 * Clips the polygon at 12 room, which lies in the plane at `own`, by `planeCount` planes at `plane`, moved out by `out`. Returns how many corners are left, 0 for nothing;
 * negative if they are at 18 room.
 *
 * @param flush how far apart planes may be to be one, m
 * @param keep  1: a polygon flush with a plane stays; 0: it goes
 */
function clipped(
  work: FloatArray,
  corners: i32,
  own: i32,
  plane: i32,
  planeCount: i32,
  out: f64,
  flush: f64,
  keep: i32,
  room: i32,
): i32 {
  const height: i32 = 10 * room;
  let at: i32 = 12 * room;
  let other: i32 = 18 * room;
  let count: i32 = corners;
  for (let k: i32 = 0; k < planeCount; k++) {
    const p: i32 = plane + 4 * k;
    const nx: f64 = work[p];
    const ny: f64 = work[p + 1];
    const nz: f64 = work[p + 2];
    if (
      Math.abs(nx - work[own]) <= FLUSH &&
      Math.abs(ny - work[own + 1]) <= FLUSH &&
      Math.abs(nz - work[own + 2]) <= FLUSH &&
      Math.abs(work[p + 3] - work[own + 3]) <= flush
    ) {
      if (keep !== 0) continue;
      return 0;
    }
    const d: f64 = work[p + 3] + out;
    let outside: i32 = 0;
    for (let i: i32 = 0; i < count; i++) {
      const v: i32 = at + 3 * i;
      const h: f64 = nx * work[v] + ny * work[v + 1] + nz * work[v + 2] - d;
      work[height + i] = h;
      if (h > 0) outside++;
    }
    if (outside === 0) continue;
    if (outside === count) return 0;

    let to: i32 = other;
    let kept: i32 = 0;
    let before: i32 = count - 1;
    let heightBefore: f64 = work[height + before];
    for (let i: i32 = 0; i < count; i++) {
      const h: f64 = work[height + i];
      const v: i32 = at + 3 * i;
      if (h > 0 !== heightBefore > 0) {
        // from the corner inside to the one outside, whichever way the face runs: its neighbour finds the same point
        const u: i32 = at + 3 * before;
        let inside: i32 = u;
        let beyond: i32 = v;
        let s: f64 = heightBefore / (heightBefore - h);
        if (heightBefore > 0) {
          inside = v;
          beyond = u;
          s = h / (h - heightBefore);
        }
        work[to] = work[inside] + s * (work[beyond] - work[inside]);
        work[to + 1] = work[inside + 1] + s * (work[beyond + 1] - work[inside + 1]);
        work[to + 2] = work[inside + 2] + s * (work[beyond + 2] - work[inside + 2]);
        to += 3;
        kept++;
      }
      if (!(h > 0)) {
        work[to] = work[v];
        work[to + 1] = work[v + 1];
        work[to + 2] = work[v + 2];
        to += 3;
        kept++;
      }
      before = i;
      heightBefore = h;
    }
    count = kept;
    const swap: i32 = at;
    at = other;
    other = swap;
  }
  if (count < 3) return 0;
  return at === 12 * room ? count : -count;
}

/** Adds what is left of a face with the plane at `plane` to V and M and, `own` times, to S. */
function addFace(work: FloatArray, left: i32, plane: i32, result: i32, room: i32, own: f64): void {
  const at: i32 = left > 0 ? 12 * room : 18 * room;
  const count: i32 = left > 0 ? left : -left;
  const nx: f64 = work[plane];
  const ny: f64 = work[plane + 1];
  const nz: f64 = work[plane + 2];
  const ax: f64 = work[at];
  const ay: f64 = work[at + 1];
  const az: f64 = work[at + 2];
  let bx: f64 = work[at + 3];
  let by: f64 = work[at + 4];
  let bz: f64 = work[at + 5];
  let twice: f64 = 0; // twice the area
  let cx: f64 = 0; // six times ∫ r dA
  let cy: f64 = 0;
  let cz: f64 = 0;
  for (let i: i32 = 2; i < count; i++) {
    const v: i32 = at + 3 * i;
    const x: f64 = work[v];
    const y: f64 = work[v + 1];
    const z: f64 = work[v + 2];
    const ux: f64 = bx - ax;
    const uy: f64 = by - ay;
    const uz: f64 = bz - az;
    const wx: f64 = x - ax;
    const wy: f64 = y - ay;
    const wz: f64 = z - az;
    const s: f64 = nx * (uy * wz - uz * wy) + ny * (uz * wx - ux * wz) + nz * (ux * wy - uy * wx);
    twice += s;
    cx += s * (ax + bx + x);
    cy += s * (ay + by + y);
    cz += s * (az + bz + z);
    bx = x;
    by = y;
    bz = z;
  }
  const d: f64 = work[plane + 3];
  work[result] += (d * twice) / 6;
  work[result + 1] += (d * cx) / 24;
  work[result + 2] += (d * cy) / 24;
  work[result + 3] += (d * cz) / 24;
  if (own !== 0) {
    const area: f64 = 0.5 * own * twice;
    work[result + 4] += area * nx;
    work[result + 5] += area * ny;
    work[result + 6] += area * nz;
  }
}
