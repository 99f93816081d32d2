/**
 * Cuts the polygonal faces of mesh files into triangles, keeping every corner and the winding, so that a surface that
 * was closed stays closed: n corners give n − 2 triangles, each edge of the face is in exactly one of them.
 *
 * Faces are looked at along the axis nearest to their normal (Newell's sum over the edges). Quadrilaterals take the
 * shorter of the two diagonals that stay inside, convex faces are halved again and again, which avoids the slivers of
 * a fan; the rest is left to earcut. Where no proper cut exists, because the face crosses itself or has no area, a fan
 * from its first corner keeps the topology, and `crossing` counts it.
 *
 * Newell's normal: Sutherland, Sproull & Schumacker (1974), A characterization of ten hidden-surface algorithms.
 */
import earcut, { refine } from 'earcut';
import { FileError } from '../../errors.js';
import type { GrowingUint32 } from './growing.js';

export class FaceCutter {
  /** Faces so far that cross themselves or fold back. */
  crossing = 0;
  readonly #vertices: Float64Array;
  readonly #file: string;
  /** Corners of the face at hand in its plane, 2 per corner. */
  #plane = new Float64Array(64);

  /** @param vertices 3 per vertex */
  constructor(vertices: Float64Array, file: string) {
    this.#vertices = vertices;
    this.#file = file;
  }

  /**
   * Appends the triangles of the face corners[start … start + count − 1] to `triangles`.
   *
   * @param where gives the place of the face for an error
   * @throws FileError if the face is not convex and has more than 5000 corners
   */
  cut(corners: Uint32Array, start: number, count: number, triangles: GrowingUint32, where: () => string): void {
    if (count === 3) triangles.push3(corners[start], corners[start + 1], corners[start + 2]);
    else if (count > 3) {
      if (!this.#project(corners, start, count)) fan(corners, start, count, triangles);
      else if (count === 4) this.#quadrilateral(corners, start, triangles);
      else if (isConvex(this.#plane, count)) halve(corners, start, 0, count - 1, triangles);
      else this.#concave(corners, start, count, triangles, where);
    }
  }

  /** Fills #plane with the corners seen against the normal, counter-clockwise, size 1; false if there is no area. */
  #project(corners: Uint32Array, start: number, count: number): boolean {
    const v = this.#vertices;
    const first = 3 * corners[start];
    let size = 0;
    for (let i = 1; i < count; i++) {
      const at = 3 * corners[start + i];
      for (let k = 0; k < 3; k++) size = Math.max(size, Math.abs(v[at + k] - v[first + k]));
    }
    if (!(size > 0 && size < Infinity)) return false;

    // Newell: twice the area vector, Σ pᵢ × pᵢ₊₁, from the first corner
    let nx = 0;
    let ny = 0;
    let nz = 0;
    for (let i = 1; i + 1 < count; i++) {
      const a = 3 * corners[start + i];
      const b = 3 * corners[start + i + 1];
      const ax = (v[a] - v[first]) / size;
      const ay = (v[a + 1] - v[first + 1]) / size;
      const az = (v[a + 2] - v[first + 2]) / size;
      const bx = (v[b] - v[first]) / size;
      const by = (v[b + 1] - v[first + 1]) / size;
      const bz = (v[b + 2] - v[first + 2]) / size;
      nx += ay * bz - az * by;
      ny += az * bx - ax * bz;
      nz += ax * by - ay * bx;
    }
    const alongX = Math.abs(nx);
    const alongY = Math.abs(ny);
    const alongZ = Math.abs(nz);
    const axis = alongX > alongY ? (alongX > alongZ ? 0 : 2) : alongY > alongZ ? 1 : 2;
    const towards = axis === 0 ? nx : axis === 1 ? ny : nz;
    if (!(Math.abs(towards) > 0)) return false;
    const p = (axis + (towards > 0 ? 1 : 2)) % 3;
    const q = (axis + (towards > 0 ? 2 : 1)) % 3;
    if (this.#plane.length < 2 * count) this.#plane = new Float64Array(4 * count);
    for (let i = 0; i < count; i++) {
      const at = 3 * corners[start + i];
      this.#plane[2 * i] = (v[at + p] - v[first + p]) / size;
      this.#plane[2 * i + 1] = (v[at + q] - v[first + q]) / size;
    }
    return true;
  }

  #quadrilateral(corners: Uint32Array, start: number, triangles: GrowingUint32): void {
    const plane = this.#plane;
    const a = corners[start];
    const b = corners[start + 1];
    const c = corners[start + 2];
    const d = corners[start + 3];
    // Least area of the two triangles on either side of each diagonal: positive if the diagonal stays inside.
    const inside02 = Math.min(turn(plane, 0, 1, 2), turn(plane, 0, 2, 3));
    const inside13 = Math.min(turn(plane, 1, 2, 3), turn(plane, 1, 3, 0));
    if (!(inside02 > 0 || inside13 > 0)) this.crossing++;
    const both = inside02 > 0 && inside13 > 0;
    if (both ? this.#squaredDistance(a, c) <= this.#squaredDistance(b, d) : inside02 >= inside13) {
      triangles.push3(a, b, c);
      triangles.push3(a, c, d);
    } else {
      triangles.push3(b, c, d);
      triangles.push3(b, d, a);
    }
  }

  #concave(corners: Uint32Array, start: number, count: number, triangles: GrowingUint32, where: () => string): void {
    if (count > MOST_CORNERS)
      throw new FileError(
        this.#file,
        where(),
        `expected a face of at most ${MOST_CORNERS} corners unless convex, got ${count}; ` +
          'let the program that wrote the file cut its faces into triangles',
      );
    const flat = this.#plane.subarray(0, 2 * count);
    const cut = count > MANY_CORNERS && runsTwice(flat, count) ? [] : earcut(flat);
    if (cut.length !== 3 * (count - 2)) {
      this.crossing++;
      fan(corners, start, count, triangles);
      return;
    }
    refine(cut, flat);
    for (let i = 0; i < cut.length; i += 3)
      triangles.push3(corners[start + cut[i]], corners[start + cut[i + 1]], corners[start + cut[i + 2]]);
  }

  #squaredDistance(a: number, b: number): number {
    const v = this.#vertices;
    const x = v[3 * a] - v[3 * b];
    const y = v[3 * a + 1] - v[3 * b + 1];
    const z = v[3 * a + 2] - v[3 * b + 2];
    return x * x + y * y + z * z;
  }
}

/** Note for a reader's list, if some faces crossed themselves. */
export function crossingNote({ crossing }: FaceCutter): string[] {
  return crossing > 0
    ? [`${crossing} faces cross themselves or fold back; they were cut from their first corner and may overlap`]
    : [];
}

/** Twice the signed area of three corners in the plane. */
function turn(plane: Float64Array, a: number, b: number, c: number): number {
  const ax = plane[2 * a];
  const ay = plane[2 * a + 1];
  return (plane[2 * b] - ax) * (plane[2 * c + 1] - ay) - (plane[2 * b + 1] - ay) * (plane[2 * c] - ax);
}

/** Each corner turns left by more than LEAST_TURN, and the first corner sees all others in order. */
function isConvex(plane: Float64Array, count: number): boolean {
  for (let a = 0; a < count; a++) {
    const b = a + 1 < count ? a + 1 : 0;
    const c = b + 1 < count ? b + 1 : 0;
    const ux = plane[2 * b] - plane[2 * a];
    const uy = plane[2 * b + 1] - plane[2 * a + 1];
    const vx = plane[2 * c] - plane[2 * b];
    const vy = plane[2 * c + 1] - plane[2 * b + 1];
    if (!(ux * vy - uy * vx > LEAST_TURN * Math.sqrt((ux * ux + uy * uy) * (vx * vx + vy * vy)))) return false;
  }
  for (let i = 1; i + 1 < count; i++) if (!(turn(plane, 0, i, i + 1) > 0)) return false;
  return true;
}

/** Triangles of the corners first … last of a convex face: the middle corner, then both halves. */
function halve(corners: Uint32Array, start: number, first: number, last: number, triangles: GrowingUint32): void {
  if (last - first < 2) return;
  const middle = (first + last) >> 1;
  triangles.push3(corners[start + first], corners[start + middle], corners[start + last]);
  halve(corners, start, first, middle, triangles);
  halve(corners, start, middle, last, triangles);
}

/** Some edge comes twice in the same direction, by its places: no outline does that, and cutting ears off it would take cubic time. */
function runsTwice(plane: Float64Array, count: number): boolean {
  const seen = new Set<string>();
  for (let i = 0; i < count; i++) {
    const j = i + 1 < count ? i + 1 : 0;
    if (plane[2 * i] === plane[2 * j] && plane[2 * i + 1] === plane[2 * j + 1]) continue;
    const edge = `${plane[2 * i]} ${plane[2 * i + 1]} ${plane[2 * j]} ${plane[2 * j + 1]}`;
    if (seen.has(edge)) return true;
    seen.add(edge);
  }
  return false;
}

function fan(corners: Uint32Array, start: number, count: number, triangles: GrowingUint32): void {
  for (let i = 1; i + 1 < count; i++) triangles.push3(corners[start], corners[start + i], corners[start + i + 1]);
}

/** Sine of the least turn that does not make a sliver; a regular polygon of 100 000 corners turns by 6e-5. */
const LEAST_TURN = 1e-6;
/** Cutting ears takes up to quadratic time: half a second for this many corners. */
const MOST_CORNERS = 5000;
/** From here on an outline is looked through before its ears are cut off. */
const MANY_CORNERS = 64;
