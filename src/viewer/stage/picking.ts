/** What is under a place on the screen: the first part a ray meets, in double precision and on the exact sphere where there is one. */
import { type Bvh, buildBvh } from '../../geometry/bvh.js';
import { firstHit, RayHit } from '../../geometry/ray.js';
import { dot, normalize, sub, type Vec3 } from '../../math/vec3.js';
import type { Scene } from '../../results/scene.js';
import type { Bodies } from './bodies.js';
import type { GroundPlane } from './ground.js';
import type { Placement } from './placement.js';
import type { Surfaces } from './surfaces.js';

export interface Pick {
  readonly body: number;
  /** −1 of a body that deforms, which has none */
  readonly part: number;
  /** World, m */
  readonly point: Vec3;
  /** Out of the body */
  readonly normal: Vec3;
}

export class Picker {
  /** Trees of boxes over triangles, grown when a shape is first aimed at */
  readonly #trees = new Map<number, Bvh>();
  readonly #hit = new RayHit();

  constructor(
    private readonly scene: Scene,
    private readonly placement: Placement,
    private readonly bodies: Bodies,
    private readonly grounds: readonly GroundPlane[],
    private readonly surfaces: Surfaces,
  ) {}

  /** @param origin world, m @param direction unit vector */
  pick(origin: Vec3, direction: Vec3): Pick | undefined {
    const { poses, rotations } = this.placement;
    const { extents } = this.bodies;
    // Spheres around parts that the ray comes through, the nearer first
    const met: { body: number; part: number; shape: number; enter: number }[] = [];
    this.bodies.forEachPart((body, part, shape) => {
      const { centre, radius } = extents[shape];
      const r = 9 * body;
      const p = 7 * body;
      const x =
        poses[p] + rotations[r] * centre[0] + rotations[r + 1] * centre[1] + rotations[r + 2] * centre[2] - origin[0];
      const y =
        poses[p + 1] +
        rotations[r + 3] * centre[0] +
        rotations[r + 4] * centre[1] +
        rotations[r + 5] * centre[2] -
        origin[1];
      const z =
        poses[p + 2] +
        rotations[r + 6] * centre[0] +
        rotations[r + 7] * centre[1] +
        rotations[r + 8] * centre[2] -
        origin[2];
      const along = x * direction[0] + y * direction[1] + z * direction[2];
      const aside = (x - along * direction[0]) ** 2 + (y - along * direction[1]) ** 2 + (z - along * direction[2]) ** 2;
      const square = (1.000001 * radius) ** 2;
      if (aside > square || along < -radius) return;
      met.push({ body, part, shape, enter: along - Math.sqrt(square - aside) });
    });
    met.sort((a, b) => a.enter - b.enter || a.body - b.body || a.part - b.part);

    let best: Pick | undefined;
    let nearest = Infinity;
    const consider = (distance: number, body: number, part: number, normal: Vec3): void => {
      if (!(distance >= 0 && distance < nearest)) return;
      nearest = distance;
      const point = [0, 1, 2].map((k) => origin[k] + distance * direction[k]) as unknown as Vec3;
      best = { body, part, point, normal };
    };
    for (const { body, part, shape, enter } of met) {
      if (enter > nearest) break;
      const { form, radius } = this.scene.shapes[shape];
      if (form === 'sphere' && radius !== undefined) {
        const centre = this.placement.point(body, extents[shape].centre);
        const to = sub(centre, origin);
        const along = dot(to, direction);
        const foot = sub(to, [along * direction[0], along * direction[1], along * direction[2]]);
        const half = radius * radius - dot(foot, foot);
        if (half < 0) continue;
        const distance = along - Math.sqrt(half);
        const out = [0, 1, 2].map((k) => distance * direction[k] - to[k]) as unknown as Vec3;
        consider(distance, body, part, normalize(out));
        continue;
      }
      const hit = firstHit(
        this.#tree(shape),
        this.#into(body, origin, true),
        this.#into(body, direction, false),
        this.#hit,
      );
      if (hit.triangle < 0 || hit.parameter >= nearest) continue;
      consider(hit.parameter, body, part, this.placement.direction(body, this.#faceNormal(shape, hit.triangle)));
    }

    // Bodies that deform have no parts
    const bent = this.surfaces.pick(origin, direction);
    if (bent) consider(bent.distance, bent.body, -1, bent.normal);

    // Ground, seen from above only
    for (const { body, part, plane, middle, reach } of this.grounds) {
      if (body < 0 || !this.bodies.isVisible(body)) continue;
      const normal = this.placement.direction(body, plane.normal);
      const down = -dot(normal, direction);
      if (!(down > 0)) continue;
      const distance = dot(sub(origin, middle), normal) / down;
      const at = [0, 1, 2].map((k) => origin[k] + distance * direction[k] - middle[k]) as unknown as Vec3;
      const along = this.placement.direction(body, plane.along);
      const x = dot(at, along);
      const y = dot(at, [
        normal[1] * along[2] - normal[2] * along[1],
        normal[2] * along[0] - normal[0] * along[2],
        normal[0] * along[1] - normal[1] * along[0],
      ]);
      if (Math.max(Math.abs(x), Math.abs(y)) <= reach) consider(distance, body, part, normal);
    }
    return best;
  }

  #tree(shape: number): Bvh {
    let tree = this.#trees.get(shape);
    if (!tree) {
      tree = buildBvh(this.scene.shapes[shape]);
      this.#trees.set(shape, tree);
    }
    return tree;
  }

  /** World point or direction in the body's frame. */
  #into(body: number, [x, y, z]: Vec3, isPoint: boolean): Vec3 {
    const { poses, rotations: r } = this.placement;
    const i = 9 * body;
    const [a, b, c] = isPoint ? [x - poses[7 * body], y - poses[7 * body + 1], z - poses[7 * body + 2]] : [x, y, z];
    return [
      r[i] * a + r[i + 3] * b + r[i + 6] * c,
      r[i + 1] * a + r[i + 4] * b + r[i + 7] * c,
      r[i + 2] * a + r[i + 5] * b + r[i + 8] * c,
    ];
  }

  #faceNormal(shape: number, triangle: number): Vec3 {
    const { vertices, triangles } = this.scene.shapes[shape];
    const corner = (k: number): Vec3 => {
      const v = 3 * triangles[3 * triangle + k];
      return [vertices[v], vertices[v + 1], vertices[v + 2]];
    };
    const [a, b, c] = [corner(0), corner(1), corner(2)];
    const [u, w] = [sub(b, a), sub(c, a)];
    return normalize([u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]]);
  }
}
