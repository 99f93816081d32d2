/**
 * Shapes of the scene as the overlap search takes them: closed meshes with a pose.
 *
 * Solids with plane faces are what the run saw, in double precision. A half-space becomes a block under its plane, wider and deeper than
 * the other body. A sphere becomes facets that are fine at the contact (sphere-facets.ts), and so do other round forms on demand
 * (round-facets.ts): of some pairs the run takes the exact form, of others the mesh.
 */
import type { Pose } from '../../geometry/solid.js';
import type { TriangleMesh } from '../../geometry/triangle-mesh.js';
import { fromQuaternion, type Mat3 } from '../../math/mat3.js';
import { conjugate, type Quaternion, rotate } from '../../math/quaternion.js';
import { addScaled, cross, dot, norm, perpendicular, sub, type Vec3 } from '../../math/vec3.js';
import { OverlapBody, prepareMesh } from '../../narrow-phase/mesh-overlap/index.js';
import type { ScenePlace } from '../../results/scene/contact-side.js';
import type { Scene, SceneShape } from '../../results/scene.js';
import type { Contact } from './contact-rows.js';
import { patchEllipse } from './patch-ellipse.js';
import { roundFacets } from './round-facets.js';
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
   * @param exactly whether round forms are those of the model, not their meshes; spheres always are. A capsule is then its ball that is nearest to the
   *   contact, or its cylinder where the contact is said to be the 'side'
   */
  place(
    own: ScenePlace,
    other: ScenePlace,
    contact: Contact,
    poses: Float64Array,
    side: 0 | 1,
    exactly: boolean | 'side',
  ): PlacedShape {
    const shape = this.shape(own)!;
    const { position, orientation } = poseAt(poses, own.body);
    const inBody = (point: Vec3): Vec3 => rotate(conjugate(orientation), sub(point, position));
    const { exact } = shape;
    let mesh: TriangleMesh | undefined;
    if (exact?.form.kind === 'halfSpace')
      mesh = blockUnder(exact.pose, inBody(contact.point), this.#reach(other, contact.point, poses));
    else if (exact?.form.kind === 'sphere') {
      const { radius } = exact.form;
      const pole = sub(inBody(contact.point), exact.pose.position);
      const reach = Math.max(Math.sqrt(contact.area / Math.PI), Math.sqrt(2 * radius * contact.depth));
      const turn = (side * Math.PI) / SECTORS;
      mesh = sphereFacets(exact.pose.position, radius, norm(pole) > 0 ? pole : [0, 0, 1], reach, turn);
    } else if (exact && exactly) {
      const ellipse = patchEllipse(contact);
      const axes = ellipse ? [ellipse.major, ellipse.minor].map((axis) => rotate(conjugate(orientation), axis)) : [];
      const { form } = exact;
      const part =
        exactly === 'side' && form.kind === 'capsule'
          ? ({ kind: 'cylinder', radius: form.radius, height: form.height } as const)
          : form;
      mesh = roundFacets(part, exact.pose, { point: inBody(contact.point), depth: contact.depth, axes }, side);
    }
    const body = mesh ? new OverlapBody(prepareMesh(mesh)) : this.#prepared(own, shape, side);
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

/** Corners 0–3 below, 4–7 in the plane above them, counter-clockwise seen from above. */
const BLOCK = [
  [0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7],
  [0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7],
].flat();

/** What of a half-space lies near a contact. @param at the contact, in the body's frame */
function blockUnder({ position, orientation }: Pose, at: Vec3, reach: number): TriangleMesh {
  const outward = rotate(orientation, [0, 0, 1]);
  const u = perpendicular(outward);
  const v = cross(outward, u);
  const size = 2.5 * reach;
  // off the middle, so that the diagonal of the block's face does not cut the patch
  const foot = addScaled(at, -dot(sub(at, position), outward), outward);
  const origin = addScaled(addScaled(foot, 0.37 * size, u), -0.21 * size, v);
  const vertices = new Float64Array(24);
  for (let i = 0; i < 8; i++) {
    const [x, y] = [i % 4 === 0 || i % 4 === 3 ? -size : size, i % 4 < 2 ? -size : size];
    for (let k = 0; k < 3; k++)
      vertices[3 * i + k] = origin[k] + x * u[k] + y * v[k] - (i < 4 ? 2 * size * outward[k] : 0);
  }
  return { vertices, triangles: Uint32Array.from(BLOCK) };
}
