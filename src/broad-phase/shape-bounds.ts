/**
 * Boxes of shapes that bodies carry, from the bodies' poses. With p the position of the body, R its rotation (its rows R_k are
 * the world axes seen from the body), c the origin and A the axes of the form in the body's frame, and Q = R A:
 *
 *   least and greatest coordinate k: p_k + R_k · c + what the form reaches along Q_k, where
 *
 *   box           ± Σ_j |Q_kj| size_j/2
 *   ellipsoid     ± √(Σ_j Q_kj² radius_j²)
 *   round         two discs of radii r₁, r₂ across the form's z axis at ∓h/2, rounded off by balls of radius ρ:
 *                 from min(−a − r₁ s, a − r₂ s) − ρ to max(−a + r₁ s, a + r₂ s) + ρ,  a = Q_kz h/2,  s = √(Q_kx² + Q_ky²)
 *                   sphere h = r₁ = r₂ = 0;  capsule r₁ = r₂ = 0;  cylinder r₁ = r₂, ρ = 0;  frustum ρ = 0
 *   half-space    from −∞ to ∞, but on the outer side of its plane where that lies square to the world's axis k
 *   other         the outermost of Q_k · v over the corners v of the convex hull
 *
 * These are the smallest boxes there are. They are then enlarged by 2^-49 of the coordinates involved, more than all
 * roundings on the way together, so that the shape is inside to the last bit and shapes that touch have boxes that meet.
 */
import { ModelError } from '../errors.js';
import { pointsAround } from '../geometry/outline.js';
import { type Form, ORIGIN, type Pose, type Solid } from '../geometry/solid.js';
import type { Bounds } from '../geometry/triangle-mesh.js';
import { fromQuaternion } from '../math/mat3.js';
import { multiply, rotate } from '../math/quaternion.js';
import { add } from '../math/vec3.js';
import { hullCorners, OutermostPoints, outlineHull } from './outermost-points.js';

/** A solid on a body. */
export interface BodyShape {
  readonly solid: Solid;
  /** Index of the pose it follows, −1 for the ground. */
  readonly body: number;
  /** Of the solid's frame in the body's; default: they coincide. */
  readonly pose?: Pose;
}

const ROUND = 0;
const BOX = 1;
const CORNERS = 2;
const HALF_SPACE = 3;
const ELLIPSOID = 4;
const ROUNDING = 1.7763568394002505e-15; // 2^-49

export class ShapeBounds {
  readonly count: number;
  private readonly body: Int32Array;
  private readonly kind: Uint8Array;
  // 3 and 9 per shape: origin and axes (columns) of the form's or the mesh's frame in the body's frame
  private readonly centre: Float64Array;
  private readonly axes: Float64Array;
  // 4 per shape: half height, r₁, r₂, ρ (round); half edges (box) or half axes (ellipsoid); m
  private readonly sizes: Float64Array;
  // one per shape: bound on |x| + |y| + |z| of its points in the body's frame, m
  private readonly extent: Float64Array;
  // corners of the convex hull, for solids that have no simple form
  private readonly corners: (OutermostPoints | undefined)[] = [];

  /** @throws ModelError for a solid without vertices, whose mesh is all there is of it */
  constructor(shapes: readonly BodyShape[]) {
    const n = shapes.length;
    this.count = n;
    this.body = Int32Array.from(shapes, ({ body }) => body);
    this.kind = new Uint8Array(n);
    this.centre = new Float64Array(3 * n);
    this.axes = new Float64Array(9 * n);
    this.sizes = new Float64Array(4 * n);
    this.extent = new Float64Array(n);
    const known = new Map<Solid, OutermostPoints>(); // a thousand equal grains share their corners
    shapes.forEach(({ solid, pose = ORIGIN }, i) => {
      const sizes = sizesOf(solid.form);
      // The mesh is in the solid's frame, a form in a frame of its own
      const frame = solid.form.kind === 'mesh' ? pose : within(pose, solid.pose);
      this.centre.set(frame.position, 3 * i);
      this.axes.set(fromQuaternion(frame.orientation), 9 * i);
      let extent: number;
      if (solid.form.kind === 'halfSpace') {
        this.kind[i] = HALF_SPACE;
        extent = 0;
      } else if (sizes) {
        this.kind[i] = solid.form.kind === 'box' ? BOX : solid.form.kind === 'ellipsoid' ? ELLIPSOID : ROUND;
        this.sizes.set(sizes, 4 * i);
        extent = absoluteSum(sizes);
      } else {
        const corners = known.get(solid) ?? new OutermostPoints(cornersOf(solid, i));
        known.set(solid, corners);
        this.kind[i] = CORNERS;
        this.corners[i] = corners;
        extent = corners.extent;
      }
      this.extent[i] = absoluteSum(frame.position) + 2 * extent;
    });
  }

  /**
   * @param position 3 per body: origin of its frame in the world, m
   * @param rotation 9 per body, row-major: v_world = R v_body
   * @param boxes    out, 6 per shape: least x, y, z, greatest x, y, z, m
   */
  update(position: Float64Array, rotation: Float64Array, boxes: Float64Array): void {
    for (let i = 0; i < this.count; i++) {
      const body = this.body[i];
      if (body < 0) this.write(i, GROUND_POSITION, 0, GROUND_ROTATION, 0, boxes);
      else this.write(i, position, 3 * body, rotation, 9 * body, boxes);
    }
  }

  private write(
    shape: number,
    position: Float64Array,
    p: number,
    rotation: Float64Array,
    r: number,
    boxes: Float64Array,
  ): void {
    const { kind, centre, axes, sizes } = this;
    const c = 3 * shape;
    const a = 9 * shape;
    const s = 4 * shape;
    for (let k = 0; k < 3; k++) {
      const rx = rotation[r + 3 * k];
      const ry = rotation[r + 3 * k + 1];
      const rz = rotation[r + 3 * k + 2];
      const qx = rx * axes[a] + ry * axes[a + 3] + rz * axes[a + 6];
      const qy = rx * axes[a + 1] + ry * axes[a + 4] + rz * axes[a + 7];
      const qz = rx * axes[a + 2] + ry * axes[a + 5] + rz * axes[a + 8];
      const middle = rx * centre[c] + ry * centre[c + 1] + rz * centre[c + 2];
      let min: number;
      let max: number;
      if (kind[shape] === CORNERS) {
        const corners = this.corners[shape]!;
        min = -corners.reach(-qx, -qy, -qz);
        max = corners.reach(qx, qy, qz);
      } else if (kind[shape] === HALF_SPACE) {
        const square = qx === 0 && qy === 0;
        min = square && qz < 0 ? 0 : -Infinity;
        max = square && qz > 0 ? 0 : Infinity;
      } else if (kind[shape] === BOX) {
        max = Math.abs(qx) * sizes[s] + Math.abs(qy) * sizes[s + 1] + Math.abs(qz) * sizes[s + 2];
        min = -max;
      } else if (kind[shape] === ELLIPSOID) {
        const x = qx * sizes[s];
        const y = qy * sizes[s + 1];
        const z = qz * sizes[s + 2];
        max = Math.sqrt(x * x + y * y + z * z);
        min = -max;
      } else {
        const end = qz * sizes[s];
        const across = Math.sqrt(qx * qx + qy * qy);
        const bottom = across * sizes[s + 1];
        const top = across * sizes[s + 2];
        min = Math.min(-end - bottom, end - top) - sizes[s + 3];
        max = Math.max(-end + bottom, end + top) + sizes[s + 3];
      }
      const origin = position[p + k];
      const slack = ROUNDING * (Math.abs(origin) + this.extent[shape]);
      boxes[6 * shape + k] = origin + (middle + min) - slack;
      boxes[6 * shape + 3 + k] = origin + (middle + max) + slack;
    }
  }
}

/** Box of a solid at a pose. @example solidBounds(cylinder({ radius: 0.1, height: 1 }), { position: [0, 0, 1], orientation }) */
export function solidBounds(solid: Solid, pose: Pose = ORIGIN): Bounds {
  const box = new Float64Array(6);
  new ShapeBounds([{ solid, body: 0 }]).update(
    Float64Array.from(pose.position),
    Float64Array.from(fromQuaternion(pose.orientation)),
    box,
  );
  return { min: [box[0], box[1], box[2]], max: [box[3], box[4], box[5]] };
}

const GROUND_POSITION = new Float64Array(3);
const GROUND_ROTATION = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);

/** Half height, radii of the ends, radius of the rounding; or half edges; undefined for forms that are known by corners. */
function sizesOf(form: Form): readonly [number, number, number, number] | undefined {
  switch (form.kind) {
    case 'sphere':
      return [0, 0, 0, form.radius];
    case 'ellipsoid':
      return [form.radii[0], form.radii[1], form.radii[2], 0];
    case 'capsule':
      return [form.height / 2, 0, 0, form.radius];
    case 'cylinder':
      return [form.height / 2, form.radius, form.radius, 0];
    case 'frustum':
      return [form.height / 2, form.bottomRadius, form.topRadius, 0];
    case 'box':
      return [form.size[0] / 2, form.size[1] / 2, form.size[2] / 2, 0];
    case 'extrusion':
    case 'halfSpace':
    case 'mesh':
      return undefined;
  }
}

/** Corners of the convex hull: of the profile at both ends, in the form's frame; or of the mesh, in the solid's frame. */
function cornersOf({ form, mesh }: Solid, shape: number): Float64Array {
  if (form.kind === 'extrusion') {
    const outline = outlineHull(pointsAround(form.profile.outer));
    return Float64Array.from([0, form.height].flatMap((z) => outline.flatMap(([x, y]) => [x, y, z])));
  }
  if (!(mesh.vertices.length > 0))
    throw new ModelError(`shapeBounds[${shape}].solid.mesh`, 'expected at least one vertex, got none');
  return hullCorners(mesh.vertices);
}

/** Pose in the outer frame of what has the pose `inner` in a frame at `outer`. */
const within = (outer: Pose, inner: Pose): Pose => ({
  position: add(outer.position, rotate(outer.orientation, inner.position)),
  orientation: multiply(outer.orientation, inner.orientation),
});

const absoluteSum = (values: readonly number[]): number => values.reduce((sum, x) => sum + Math.abs(x), 0);
