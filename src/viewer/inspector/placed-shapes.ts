/**
 * Shapes of the scene as the overlap search takes them: closed meshes with a pose.
 *
 * Solids with plane faces are what the run saw, in double precision. A half-space becomes a block under its plane, wider and deeper than
 * the other body. A sphere becomes facets that are fine at the contact (sphere-facets.ts).
 */
import { fromQuaternion, type Mat3 } from '../../math/mat3.js';
import { conjugate, type Quaternion, rotate } from '../../math/quaternion.js';
import { addScaled, cross, dot, norm, normalize, perpendicular, sub, type Vec3 } from '../../math/vec3.js';
import { OverlapBody, prepareMesh } from '../../narrow-phase/mesh-overlap/index.js';
import type { Scene, SceneShape } from '../../results/scene/scene.js';
import type { Contact, ScenePlace } from './contact-rows.js';
import { SECTORS, sphereFacets } from './sphere-facets.js';

export interface PlacedShape {
  readonly body: OverlapBody;
  readonly position: Vec3;
  readonly rotation: Mat3;
}

/** Triangles of all prepared meshes that are kept */
const KEPT_TRIANGLES = 400_000;

export class PlacedShapes {
  readonly #kept = new Map<string, OverlapBody>();

  constructor(private readonly scene: Scene) {}

  shape({ body, part }: ScenePlace): SceneShape | undefined {
    const place = this.scene.bodies[body].parts[part];
    return place && this.scene.shapes[place.shape];
  }

  /**
   * @param contact near which the shape must be right
   * @param poses   7 per body, as recorded
   * @param side    0 for A, 1 for B
   */
  place(own: ScenePlace, other: ScenePlace, contact: Contact, poses: Float64Array, side: 0 | 1): PlacedShape {
    const shape = this.shape(own)!;
    const { position, orientation } = poseAt(poses, own.body);
    const inBody = (point: Vec3): Vec3 => rotate(conjugate(orientation), sub(point, position));
    let body: OverlapBody;
    if (shape.form === 'halfSpace') {
      const normal = rotate(conjugate(orientation), contact.normal);
      const reach = this.#reach(other, contact.point, poses);
      body = new OverlapBody(prepareMesh(blockUnder(shape, inBody(contact.point), normal, reach)));
    } else if (shape.form === 'sphere' && shape.radius !== undefined) {
      const centre = middle(shape);
      const pole = sub(inBody(contact.point), centre);
      const reach = Math.max(Math.sqrt(contact.area / Math.PI), Math.sqrt(2 * shape.radius * contact.depth));
      const turn = (side * Math.PI) / SECTORS;
      const facets = sphereFacets(centre, shape.radius, norm(pole) > 0 ? pole : [0, 0, 1], reach, turn);
      body = new OverlapBody(prepareMesh(facets));
    } else body = this.#prepared(own, shape, side);
    return { body, position, rotation: fromQuaternion(orientation) };
  }

  /** One for each shape and side: the two of a pair must not be one. */
  #prepared({ body, part }: ScenePlace, shape: SceneShape, side: 0 | 1): OverlapBody {
    const key = `${this.scene.bodies[body].parts[part].shape}:${side}`;
    const known = this.#kept.get(key);
    if (known) return known;
    const made = new OverlapBody(prepareMesh(shape));
    let triangles = made.triangles.length / 3;
    for (const kept of this.#kept.values()) triangles += kept.triangles.length / 3;
    if (triangles > KEPT_TRIANGLES) this.#kept.clear();
    this.#kept.set(key, made);
    return made;
  }

  /** How far a shape reaches from a point, m */
  #reach(place: ScenePlace, point: Vec3, poses: Float64Array): number {
    const { position, orientation } = poseAt(poses, place.body);
    const [x, y, z] = rotate(conjugate(orientation), sub(point, position));
    const { vertices } = this.shape(place)!;
    let most = 0;
    for (let i = 0; i < vertices.length; i += 3)
      most = Math.max(most, Math.hypot(vertices[i] - x, vertices[i + 1] - y, vertices[i + 2] - z));
    return most;
  }
}

const poseAt = (poses: Float64Array, body: number): { position: Vec3; orientation: Quaternion } => {
  const [x, y, z, w, i, j, k] = poses.subarray(7 * body, 7 * body + 7);
  return { position: [x, y, z], orientation: [w, i, j, k] };
};

/** Of the bounds of the vertices: the centre of a sphere, however its mesh is made. */
function middle({ vertices }: SceneShape): Vec3 {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < vertices.length; i++) {
    low[i % 3] = Math.min(low[i % 3], vertices[i]);
    high[i % 3] = Math.max(high[i % 3], vertices[i]);
  }
  return [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2];
}

/** Corners 0–3 below, 4–7 in the plane above them, counter-clockwise seen from above. */
const BLOCK = [
  [0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7],
  [0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7],
].flat();

/**
 * A half-space is drawn as a slab; which of its faces is the plane, the contact says.
 *
 * @param at, normal the contact, in the body's frame
 */
function blockUnder(shape: SceneShape, at: Vec3, normal: Vec3, reach: number): SceneShape {
  const { corner, outward } = faceAt(shape, at, normal);
  const u = perpendicular(outward);
  const v = cross(outward, u);
  const size = 2.5 * reach;
  // off the middle, so that the diagonal of the block's face does not cut the patch
  const foot = addScaled(at, -dot(sub(at, corner), outward), outward);
  const origin = addScaled(addScaled(foot, 0.37 * size, u), -0.21 * size, v);
  const vertices = new Float64Array(24);
  for (let i = 0; i < 8; i++) {
    const [x, y] = [i % 4 === 0 || i % 4 === 3 ? -size : size, i % 4 < 2 ? -size : size];
    for (let k = 0; k < 3; k++)
      vertices[3 * i + k] = origin[k] + x * u[k] + y * v[k] - (i < 4 ? 2 * size * outward[k] : 0);
  }
  return { vertices, triangles: Uint32Array.from(BLOCK), form: 'mesh' };
}

/** The triangle across the normal whose plane is nearest to the contact. */
function faceAt({ vertices, triangles }: SceneShape, at: Vec3, normal: Vec3): { corner: Vec3; outward: Vec3 } {
  const vertex = (i: number): Vec3 => [vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]];
  let best: { corner: Vec3; outward: Vec3 } | undefined;
  let nearest = Infinity;
  for (let t = 0; t < triangles.length; t += 3) {
    const corner = vertex(triangles[t]);
    const outward = normalize(cross(sub(vertex(triangles[t + 1]), corner), sub(vertex(triangles[t + 2]), corner)));
    if (Math.abs(dot(outward, normal)) < 0.9) continue;
    const away = Math.abs(dot(sub(at, corner), outward));
    if (away >= nearest) continue;
    nearest = away;
    best = { corner, outward };
  }
  return best ?? { corner: at, outward: normal };
}
