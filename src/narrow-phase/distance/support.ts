/**
 * The point of a convex solid that is farthest along a direction: all that is asked of a shape to measure distances between
 * convex solids and how deep they overlap.
 */
import { ModelError } from '../../errors.js';
import { convexHull } from '../../geometry/hull.js';
import type { TriangleMesh } from '../../geometry/triangle-mesh.js';

export interface Support {
  /**
   * Writes the point farthest along d ≠ 0 (of any length) to out[at …]; the shape's frame, m.
   * Returns its number if it is one of finitely many corners, −1 if it lies on a curved surface.
   */
  support(dx: number, dy: number, dz: number, out: Float64Array, at: number): number;
}

/** From here on walking over the hull beats looking at all corners. */
const MANY = 32;
/** Cells along an edge of the cube of directions, each with the corner to start the walk from. */
const CELLS = 4;

/**
 * The hull of given points. Few corners are all looked at; of many, the walk starts from the corner that is farthest along
 * the middle of the direction's cell on the surface of the cube [−1, 1]³ and goes to the farthest neighbour until there is none:
 * on a convex polyhedron that corner is the farthest of all. Nothing is remembered from one question to the next.
 */
export class CornerSupport implements Support {
  private readonly neighbours: Int32Array | undefined;
  private readonly first: Int32Array = new Int32Array(0);
  private readonly start = new Int32Array(0);
  /** 3 per corner, m */
  readonly corners: Float64Array;

  /** @param points 3 per point, m; those inside the hull do no harm */
  constructor(points: Float64Array) {
    if (!(points.length >= 3) || points.length % 3 !== 0)
      throw new ModelError('convexDistance.points', `expected 3 coordinates each in m, got ${points.length} numbers`);
    for (let i = 0; i < points.length; i++)
      if (!Number.isFinite(points[i]))
        throw new ModelError(
          `convexDistance.points[${Math.floor(i / 3)}]`,
          `expected finite coordinates in m, got ${points[i]}`,
        );
    const hull = points.length > 3 * MANY ? hullOf(points) : undefined;
    this.corners = hull?.vertices ?? points;
    if (!hull) return;
    [this.first, this.neighbours] = neighboursOf(hull);
    this.start = new Int32Array(6 * CELLS * CELLS);
    for (let cell = 0; cell < this.start.length; cell++) {
      const face = Math.floor(cell / (CELLS * CELLS));
      const d = [0, 0, 0];
      d[face >> 1] = face & 1 ? -1 : 1;
      d[((face >> 1) + 1) % 3] = (2 * (cell % CELLS) + 1) / CELLS - 1;
      d[((face >> 1) + 2) % 3] = (2 * (Math.floor(cell / CELLS) % CELLS) + 1) / CELLS - 1;
      this.start[cell] = this.farthest(d[0], d[1], d[2]);
    }
  }

  support(dx: number, dy: number, dz: number, out: Float64Array, at: number): number {
    const i = this.neighbours ? this.walk(dx, dy, dz, this.neighbours) : this.farthest(dx, dy, dz);
    const { corners } = this;
    out[at] = corners[3 * i];
    out[at + 1] = corners[3 * i + 1];
    out[at + 2] = corners[3 * i + 2];
    return i;
  }

  /** The first of the farthest corners. */
  private farthest(dx: number, dy: number, dz: number): number {
    const { corners } = this;
    let best = 0;
    let reach = -Infinity;
    for (let p = 0; p < corners.length; p += 3) {
      const along = dx * corners[p] + dy * corners[p + 1] + dz * corners[p + 2];
      if (along > reach) {
        reach = along;
        best = p;
      }
    }
    return best / 3;
  }

  private walk(dx: number, dy: number, dz: number, neighbours: Int32Array): number {
    const { corners, first } = this;
    let best = this.start[cellOf(dx, dy, dz)];
    let reach = dx * corners[3 * best] + dy * corners[3 * best + 1] + dz * corners[3 * best + 2];
    for (;;) {
      let next = -1;
      for (let k = first[best]; k < first[best + 1]; k++) {
        const p = 3 * neighbours[k];
        const along = dx * corners[p] + dy * corners[p + 1] + dz * corners[p + 2];
        if (along > reach) {
          reach = along;
          next = neighbours[k];
        }
      }
      if (next < 0) return best;
      best = next;
    }
  }
}

function cellOf(dx: number, dy: number, dz: number): number {
  const ax = Math.abs(dx);
  const ay = Math.abs(dy);
  const az = Math.abs(dz);
  const axis = ax >= ay && ax >= az ? 0 : ay >= az ? 1 : 2;
  const along = axis === 0 ? dx : axis === 1 ? dy : dz;
  const u = (axis === 0 ? dy : axis === 1 ? dz : dx) / Math.abs(along);
  const v = (axis === 0 ? dz : axis === 1 ? dx : dy) / Math.abs(along);
  const column = Math.min(CELLS - 1, Math.floor(0.5 * CELLS * (u + 1)));
  const row = Math.min(CELLS - 1, Math.floor(0.5 * CELLS * (v + 1)));
  return ((2 * axis + (along < 0 ? 1 : 0)) * CELLS + row) * CELLS + column;
}

/** Points in a plane or on a line span no solid: they are then searched one by one. */
function hullOf(points: Float64Array): TriangleMesh | undefined {
  try {
    return convexHull(points);
  } catch (error) {
    if (error instanceof ModelError) return undefined;
    throw error;
  }
}

/** Per vertex the first place of its neighbours in the second list. */
function neighboursOf({ vertices, triangles }: TriangleMesh): [Int32Array, Int32Array] {
  const first = new Int32Array(vertices.length / 3 + 1);
  for (const v of triangles) first[v + 1]++;
  for (let i = 1; i < first.length; i++) first[i] += first[i - 1];
  const place = first.slice();
  const neighbours = new Int32Array(triangles.length);
  // every edge of a closed mesh is run once each way, so each corner meets every neighbour once
  for (let h = 0; h < triangles.length; h++) {
    const next = triangles[h % 3 === 2 ? h - 2 : h + 1];
    neighbours[place[triangles[h]]++] = next;
  }
  return [first, neighbours];
}
