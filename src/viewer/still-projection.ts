/**
 * From the world to the samples of a still picture and back. Parallel, for drawings to scale; or as an eye sees it that is far enough away for everything to be in its field:
 *
 *   d = D − (z − z₀)    way from the eye's plane to a point,   x = w/2 + f (X − X₀)/d,   f = (h/2) / tan(field/2)
 *
 * The depth kept of a sample is f D/d: it is linear over the picture of a plane, so that triangles can be filled line by line, and grows as a length in samples does in the middle.
 */
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { addScaled, cross, dot, normalize, type Vec3 } from '../math/vec3.js';

/** Degrees from top to bottom of what an eye sees, in stills and in the viewer */
export const FIELD_OF_VIEW = 30;
/** Part of the picture that is filled */
const FILL = 0.88;
/** Of the way to the middle: what is nearer to the eye is cut away */
const NEAREST = 0.02;

export interface Eye {
  /** Towards the eye */
  readonly from: Vec3;
  /** What points up in the picture; default +z, or +y when looking along z */
  readonly up?: Vec3 | undefined;
  /** Degrees from top to bottom; 0: parallel */
  readonly field: number;
}

export class Projection {
  /** To the right, up, and back towards the eye */
  readonly right: Vec3;
  readonly up: Vec3;
  readonly back: Vec3;
  /** World coordinates along these of what is in the middle of the picture, m */
  readonly #middle: Vec3;
  /** Samples per metre in the middle */
  readonly #zoom: number;
  /** m from the eye to the middle; Infinity: parallel */
  readonly #distance: number;
  readonly #width: number;
  readonly #height: number;
  /** True where there is something to see */
  readonly sees: boolean;

  constructor({ from, up, field }: Eye, fit: readonly TriangleMesh[], width: number, height: number) {
    this.back = normalize(from);
    const upright: Vec3 = up ?? (Math.abs(this.back[2]) > 0.999 ? [0, 1, 0] : [0, 0, 1]);
    this.right = normalize(cross(upright, this.back));
    this.up = cross(this.back, this.right);
    this.#width = width;
    this.#height = height;
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    const along = fit.map((mesh) => this.#along(mesh));
    for (const points of along)
      for (let i = 0; i < points.length; i++) {
        low[i % 3] = Math.min(low[i % 3], points[i]);
        high[i % 3] = Math.max(high[i % 3], points[i]);
      }
    this.sees = low[0] <= high[0];
    const middle = [0, 1, 2].map((k) => (low[k] + high[k]) / 2) as unknown as Vec3;
    this.#middle = middle;
    const [across, tall] = [0, 1].map((k) => Math.max(high[k] - low[k], 1e-300));
    this.#distance = Infinity;
    this.#zoom = FILL * Math.min(width / across, height / tall);
    if (!(field > 0)) return;
    // each point must lie inside the field: the distance at which the widest one does
    const tangent = Math.tan((field * Math.PI) / 360);
    let distance = 1e-300;
    for (const points of along)
      for (let i = 0; i < points.length; i += 3) {
        const x = (Math.abs(points[i] - middle[0]) * height) / width;
        const y = Math.abs(points[i + 1] - middle[1]);
        distance = Math.max(distance, points[i + 2] - middle[2] + Math.max(x, y) / (tangent * FILL));
      }
    this.#distance = distance;
    this.#zoom = height / 2 / tangent / distance;
  }

  /** 3 per vertex: along right, up and back, m */
  #along({ vertices }: TriangleMesh): Float64Array {
    const points = new Float64Array(vertices.length);
    for (let i = 0; i < points.length; i += 3) {
      const p: Vec3 = [vertices[i], vertices[i + 1], vertices[i + 2]];
      points[i] = dot(this.right, p);
      points[i + 1] = dot(this.up, p);
      points[i + 2] = dot(this.back, p);
    }
    return points;
  }

  /** D/d: 1 in the middle */
  #nearness(towards: number): number {
    return this.#distance === Infinity ? 1 : this.#distance / (this.#distance - (towards - this.#middle[2]));
  }

  /** 3 per vertex: samples from the left and from the top, and the depth, which grows towards the eye */
  project(mesh: TriangleMesh): Float64Array {
    const points = this.#along(mesh);
    const [mx, my, mz] = this.#middle;
    for (let i = 0; i < points.length; i += 3) {
      const near = this.#nearness(points[i + 2]);
      const zoom = this.#zoom * near;
      points[i] = this.#width / 2 + (points[i] - mx) * zoom;
      points[i + 1] = this.#height / 2 - (points[i + 1] - my) * zoom;
      points[i + 2] = this.#distance === Infinity ? (points[i + 2] - mz) * zoom : this.#distance * zoom;
    }
    return points;
  }

  /** Samples per metre at a depth */
  zoomAt(depth: number): number {
    return this.#distance === Infinity ? this.#zoom : depth / this.#distance;
  }

  /** Depth of what is so many m nearer to the eye than what has this depth */
  nearer(depth: number, by: number): number {
    if (this.#distance === Infinity) return depth + by * this.#zoom;
    const way = (this.#zoom * this.#distance * this.#distance) / depth;
    return (this.#zoom * this.#distance * this.#distance) / Math.max(way - by, NEAREST * this.#distance);
  }

  /** World place of a sample */
  place(x: number, y: number, depth: number, out: Float64Array): void {
    const zoom = this.zoomAt(depth);
    const across = this.#middle[0] + (x - this.#width / 2) / zoom;
    const over = this.#middle[1] - (y - this.#height / 2) / zoom;
    const towards =
      this.#distance === Infinity
        ? this.#middle[2] + depth / this.#zoom
        : this.#middle[2] + this.#distance - (this.#zoom * this.#distance * this.#distance) / depth;
    for (let k = 0; k < 3; k++) out[k] = across * this.right[k] + over * this.up[k] + towards * this.back[k];
  }

  /** How far along `back` something may reach, m: what is beyond is beside or behind the eye */
  get limit(): number {
    return this.#middle[2] + (1 - NEAREST) * this.#distance;
  }

  /** The mesh without what is behind the eye, and for each triangle that of which it is; itself where nothing is. Vertices keep their numbers. */
  cut(mesh: TriangleMesh): { readonly mesh: TriangleMesh; readonly of?: Uint32Array } {
    const { vertices, triangles } = mesh;
    const { limit, back } = this;
    const beyond = (i: number): number =>
      dot(back, [vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]]) - limit;
    let any = false;
    for (let i = 0; i < vertices.length / 3 && !any; i++) any = beyond(i) > 0;
    if (!any) return { mesh };
    const points = [...vertices];
    const corners: number[] = [];
    const of: number[] = [];
    for (let t = 0; t < triangles.length; t += 3) {
      const kept: number[] = [];
      for (let k = 0; k < 3; k++) {
        const [i, j] = [triangles[t + k], triangles[t + ((k + 1) % 3)]];
        const [a, b] = [beyond(i), beyond(j)];
        if (a <= 0) kept.push(i);
        if (a <= 0 === b <= 0) continue;
        kept.push(points.length / 3);
        for (let axis = 0; axis < 3; axis++)
          points.push(vertices[3 * i + axis] + (a / (a - b)) * (vertices[3 * j + axis] - vertices[3 * i + axis]));
      }
      for (let k = 2; k < kept.length; k++) {
        corners.push(kept[0], kept[k - 1], kept[k]);
        of.push(t / 3);
      }
    }
    return {
      mesh: { vertices: Float64Array.from(points), triangles: Uint32Array.from(corners) },
      of: Uint32Array.from(of),
    };
  }

  /** Towards a light over the left shoulder, and towards a weaker one at the right */
  get lights(): { readonly key: Vec3; readonly fill: Vec3 } {
    const { right, up, back } = this;
    return {
      key: normalize(addScaled(addScaled(back, 0.55, up), -0.45, right)),
      fill: normalize(addScaled(addScaled(back, 0.1, up), 0.9, right)),
    };
  }
}
