/**
 * How the recorded normal force may be spread over the polygons of a patch. Records have the resultant only; it is spread as an elastic
 * foundation would, pressure in proportion to the local depth of the overlap along the normal:
 *
 *   f_i = N w_i/Σ w,   w_i = δ_i A_i,   p_i = f_i/A_i
 *
 *   A_i  area of polygon i seen along the normal, m²; 0 for one that faces away from the other body
 *   δ_i  thickness of the overlap along the normal under the polygon's centroid, m
 *   N    recorded normal force, N
 *
 * All f_i are along the normal, so that they add up to N n exactly. w_i is the volume of the overlap over the polygon, Σ w = V where
 * every line along the normal meets the overlap once.
 */
import { cross, dot, perpendicular, type Vec3 } from '../../math/vec3.js';

/** A plane polygon: the first loop counter-clockwise about its outward normal, holes clockwise; more than one outer loop is fine. */
export type Loops = readonly (readonly Vec3[])[];

export interface PressedPolygon {
  readonly loops: Loops;
  readonly centroid: Vec3;
  /** Seen along the normal, m² */
  readonly area: number;
  /** m */
  readonly depth: number;
  /** Pa */
  readonly pressure: number;
  /** N, along the normal */
  readonly force: number;
}

/** ½ Σ p × q over all loops: area times unit normal, m² */
export function vectorArea(loops: Loops): Vec3 {
  let [x, y, z] = [0, 0, 0];
  for (const loop of loops) {
    // seen from a corner, so that nothing is lost far from the origin
    const [ox, oy, oz] = loop[0];
    for (let k = 1; k + 1 < loop.length; k++) {
      const [ax, ay, az] = loop[k];
      const [bx, by, bz] = loop[k + 1];
      x += (ay - oy) * (bz - oz) - (az - oz) * (by - oy);
      y += (az - oz) * (bx - ox) - (ax - ox) * (bz - oz);
      z += (ax - ox) * (by - oy) - (ay - oy) * (bx - ox);
    }
  }
  return [x / 2, y / 2, z / 2];
}

/** Of the area; the mean of the corners for one without area. */
export function polygonCentroid(loops: Loops, area: Vec3 = vectorArea(loops)): Vec3 {
  const size = Math.sqrt(dot(area, area));
  const origin = loops[0][0];
  const sum = [0, 0, 0];
  let weight = 0;
  for (const loop of loops)
    for (let k = 1; k + 1 < loop.length; k++) {
      const a = difference(loop[k], loop[0]);
      const b = difference(loop[k + 1], loop[0]);
      const part = size > 0 ? dot(cross(a, b), area) / (2 * size) : 0;
      weight += part;
      for (let i = 0; i < 3; i++) sum[i] += (part * (loop[0][i] + loop[k][i] + loop[k + 1][i] - 3 * origin[i])) / 3;
    }
  if (weight > 0) return [origin[0] + sum[0] / weight, origin[1] + sum[1] / weight, origin[2] + sum[2] / weight];
  const corners = loops.flat();
  const mean = (i: number): number => corners.reduce((s, corner) => s + corner[i] - origin[i], 0) / corners.length;
  return [origin[0] + mean(0), origin[1] + mean(1), origin[2] + mean(2)];
}

/**
 * @param polygons of one body's surface inside the other
 * @param opposite of the other body's surface inside this one
 * @param outward  the contact normal out of the body of `polygons`, unit
 * @param normalForce N
 */
export function spreadForce(
  polygons: readonly Loops[],
  opposite: readonly Loops[],
  outward: Vec3,
  normalForce: number,
): PressedPolygon[] {
  const below = new ThicknessSearch(opposite, outward);
  const parts = polygons.map((loops) => {
    const vector = vectorArea(loops);
    const centroid = polygonCentroid(loops, vector);
    const area = Math.max(0, dot(vector, outward));
    return { loops, centroid, area, depth: area > 0 ? below.thickness(centroid) : 0 };
  });
  // where nothing lies under any polygon, as in a body wholly inside another, the load is even
  const total = parts.reduce((sum, { area, depth }) => sum + area * depth, 0);
  const even = parts.reduce((sum, { area }) => sum + area, 0);
  return parts.map((part) => {
    const share = total > 0 ? (part.area * part.depth) / total : even > 0 ? part.area / even : 1 / parts.length;
    const force = share * normalForce;
    return { ...part, force, pressure: part.area > 0 ? force / part.area : 0 };
  });
}

/** Distance from a point against a direction to a set of polygons, found through square cells across the direction. */
class ThicknessSearch {
  readonly #u: Vec3;
  readonly #v: Vec3;
  readonly #polygons: readonly {
    readonly loops: readonly (readonly (readonly [number, number])[])[];
    readonly plane: Vec3;
    readonly at: Vec3;
  }[];
  readonly #cells: number[][];
  readonly #side: number;
  readonly #low: [number, number] = [Infinity, Infinity];
  readonly #high: [number, number] = [-Infinity, -Infinity];

  constructor(
    polygons: readonly Loops[],
    private readonly direction: Vec3,
  ) {
    this.#u = perpendicular(direction);
    this.#v = cross(direction, this.#u);
    this.#polygons = polygons.map((loops) => ({
      loops: loops.map((loop) => loop.map((point) => this.#seen(point))),
      plane: vectorArea(loops),
      at: loops[0][0],
    }));
    for (const { loops } of this.#polygons)
      for (const loop of loops)
        for (const point of loop)
          for (const k of [0, 1]) {
            this.#low[k] = Math.min(this.#low[k], point[k]);
            this.#high[k] = Math.max(this.#high[k], point[k]);
          }
    this.#side = Math.max(1, Math.ceil(Math.sqrt(polygons.length)));
    this.#cells = Array.from({ length: this.#side * this.#side }, () => []);
    this.#polygons.forEach(({ loops }, i) => {
      const xs = loops.flat().map(([x]) => x);
      const ys = loops.flat().map(([, y]) => y);
      const [i0, i1] = [Math.min(...xs), Math.max(...xs)].map((x) => this.#cell(x, 0));
      const [j0, j1] = [Math.min(...ys), Math.max(...ys)].map((y) => this.#cell(y, 1));
      for (let a = i0; a <= i1; a++) for (let b = j0; b <= j1; b++) this.#cells[a * this.#side + b].push(i);
    });
  }

  #seen(point: Vec3): readonly [number, number] {
    return [dot(point, this.#u), dot(point, this.#v)];
  }

  #cell(x: number, k: 0 | 1): number {
    const span = this.#high[k] - this.#low[k];
    const cell = span > 0 ? Math.floor((this.#side * (x - this.#low[k])) / span) : 0;
    return Math.max(0, Math.min(this.#side - 1, cell));
  }

  /** The nearest polygon behind the point, 0 if there is none. */
  thickness(point: Vec3): number {
    if (this.#polygons.length === 0) return 0;
    const [x, y] = this.#seen(point);
    let nearest = Infinity;
    for (const i of this.#cells[this.#cell(x, 0) * this.#side + this.#cell(y, 1)]) {
      const { loops, plane, at } = this.#polygons[i];
      const slope = dot(plane, this.direction);
      if (slope === 0 || !isInside(loops, x, y)) continue;
      // plane · (point − h direction − at) = 0
      const height = dot(plane, difference(point, at)) / slope;
      if (height >= 0 && height < nearest) nearest = height;
    }
    return nearest === Infinity ? 0 : nearest;
  }
}

/** Crossings of a ray to +x, odd inside. */
function isInside(loops: readonly (readonly (readonly [number, number])[])[], x: number, y: number): boolean {
  let inside = false;
  for (const loop of loops)
    for (let k = 0, before = loop.length - 1; k < loop.length; before = k++) {
      const [ax, ay] = loop[before];
      const [bx, by] = loop[k];
      if (ay > y !== by > y && x < ax + ((y - ay) * (bx - ax)) / (by - ay)) inside = !inside;
    }
  return inside;
}

const difference = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
