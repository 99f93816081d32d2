/**
 * Which places the light reaches: how near to the light the nearest surface is, on a grid across its direction. A place is lit by as much of the
 * nine grid points about it as nothing nearer covers, which makes the borders of shadows soft.
 */
import type { Colour } from '../geometry/solid.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { cross, dot, normalize, perpendicular, type Vec3 } from '../math/vec3.js';

/** What casts a shadow, and what the picture must fit */
export interface Caster {
  readonly mesh: TriangleMesh;
  /** What can be seen through casts none. */
  readonly colour?: Colour;
  readonly balls?: { readonly radii: Float64Array };
  readonly onTop?: boolean;
}

const RESOLUTION = 1024;
/** Grid widths by which a surface may lie behind itself: its own depth is kept at grid points beside the place that asks */
const BIAS = 3;

export class ShadowMap {
  readonly across: Vec3;
  readonly upwards: Vec3;
  readonly #depth = new Float64Array(RESOLUTION * RESOLUTION).fill(-Infinity);
  readonly #low: readonly [number, number];
  readonly #perMetre: number;
  readonly #bias: number;

  /**
   * @param light towards it, a unit vector
   * @param shown what the picture must fit; shadows end where that ends
   */
  constructor(
    parts: readonly Caster[],
    shown: readonly Caster[],
    readonly light: Vec3,
  ) {
    this.across = normalize(perpendicular(light));
    this.upwards = cross(light, this.across);
    const low = [Infinity, Infinity];
    const high = [-Infinity, -Infinity];
    for (const { mesh, balls } of shown)
      for (let i = 0; i < mesh.vertices.length; i += 3) {
        const p: Vec3 = [mesh.vertices[i], mesh.vertices[i + 1], mesh.vertices[i + 2]];
        const reach = balls?.radii[i / 3] ?? 0;
        for (const [k, axis] of [this.across, this.upwards].entries()) {
          low[k] = Math.min(low[k], dot(axis, p) - reach);
          high[k] = Math.max(high[k], dot(axis, p) + reach);
        }
      }
    const span = Math.max(high[0] - low[0], high[1] - low[1], 1e-300);
    this.#low = [low[0], low[1]];
    this.#perMetre = (RESOLUTION - 3) / span;
    this.#bias = BIAS / this.#perMetre;
    for (const part of parts)
      if (part.balls) this.#addBalls(part.mesh.vertices, part.balls.radii);
      else if (!part.onTop && (part.colour?.[3] ?? 1) === 1) this.#addTriangles(part);
  }

  /** From 0, in the dark, to 1. */
  reaches(across: number, upwards: number, towards: number): number {
    const u = Math.floor((across - this.#low[0]) * this.#perMetre + 1.5);
    const v = Math.floor((upwards - this.#low[1]) * this.#perMetre + 1.5);
    if (!(u >= 1 && v >= 1 && u < RESOLUTION - 1 && v < RESOLUTION - 1)) return 1;
    let lit = 0;
    for (let j = v - 1; j <= v + 1; j++)
      for (let i = u - 1; i <= u + 1; i++) if (this.#depth[j * RESOLUTION + i] <= towards + this.#bias) lit++;
    return lit / 9;
  }

  #addTriangles({ mesh: { vertices, triangles } }: Caster): void {
    const corner = (t: number): Vec3 => {
      const i = 3 * triangles[t];
      const p: Vec3 = [vertices[i], vertices[i + 1], vertices[i + 2]];
      return [
        (dot(this.across, p) - this.#low[0]) * this.#perMetre + 1,
        (dot(this.upwards, p) - this.#low[1]) * this.#perMetre + 1,
        dot(this.light, p),
      ];
    };
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [corner(t), corner(t + 1), corner(t + 2)];
      const area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
      if (area === 0) continue;
      const range = (k: 0 | 1): [number, number] => [
        Math.max(0, Math.ceil(Math.min(a[k], b[k], c[k]))),
        Math.min(RESOLUTION - 1, Math.floor(Math.max(a[k], b[k], c[k]))),
      ];
      const [u0, u1] = range(0);
      const [v0, v1] = range(1);
      for (let y = v0; y <= v1; y++)
        for (let x = u0; x <= u1; x++) {
          const v = ((x - a[0]) * (c[1] - a[1]) - (y - a[1]) * (c[0] - a[0])) / area;
          const w = ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) / area;
          if (v < 0 || w < 0 || v + w > 1) continue;
          this.#cover(x, y, a[2] + v * (b[2] - a[2]) + w * (c[2] - a[2]));
        }
    }
  }

  #addBalls(centres: Float64Array, radii: Float64Array): void {
    for (let b = 0; b < radii.length; b++) {
      const p: Vec3 = [centres[3 * b], centres[3 * b + 1], centres[3 * b + 2]];
      const cx = (dot(this.across, p) - this.#low[0]) * this.#perMetre + 1;
      const cy = (dot(this.upwards, p) - this.#low[1]) * this.#perMetre + 1;
      const r = radii[b] * this.#perMetre;
      for (let y = Math.max(0, Math.ceil(cy - r)); y <= Math.min(RESOLUTION - 1, Math.floor(cy + r)); y++)
        for (let x = Math.max(0, Math.ceil(cx - r)); x <= Math.min(RESOLUTION - 1, Math.floor(cx + r)); x++) {
          const square = r * r - (x - cx) * (x - cx) - (y - cy) * (y - cy);
          if (square >= 0) this.#cover(x, y, dot(this.light, p) + Math.sqrt(square) / this.#perMetre);
        }
    }
  }

  #cover(x: number, y: number, towards: number): void {
    const i = y * RESOLUTION + x;
    if (towards > this.#depth[i]) this.#depth[i] = towards;
  }
}
