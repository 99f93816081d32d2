/**
 * Boxes of shapes that bodies carry, from the bodies' poses. With p the position of the body, R its rotation (its rows R_k are
 * the world axes seen from the body), c the centre of the form in the body's frame and Q = R A its axes in the world:
 *
 *   box           p_k + R_k · c ± Σ_j |Q_kj| size_j/2
 *   round         two discs of radii r₁, r₂ across the form's z axis at ∓h/2, rounded off by balls of radius ρ:
 *                 from min(−a − r₁ s, a − r₂ s) − ρ to max(−a + r₁ s, a + r₂ s) + ρ,  a = Q_kz h/2,  s = √(Q_kx² + Q_ky²)
 *                   sphere h = r₁ = r₂ = 0;  capsule r₁ = r₂ = 0;  cylinder r₁ = r₂, ρ = 0;  frustum ρ = 0
 *   other         the outermost of R_k · v over the corners v of the convex hull
 *
 * These are the smallest boxes there are. They are then enlarged by 2^-49 of the coordinates involved, more than all
 * roundings on the way together, so that the shape is inside to the last bit and shapes that touch have boxes that meet.
 */
import { ModelError } from '../errors.js';
import { type Form, ORIGIN, type Pose, type Solid } from '../geometry/solid.js';
import type { Bounds } from '../geometry/triangle-mesh.js';
import { fromQuaternion, type Mat3 } from '../math/mat3.js';
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
const ROUNDING = 1.7763568394002505e-15; // 2^-49

export class ShapeBounds {
  readonly count: number;
  private readonly body: Int32Array;
  private readonly kind: Uint8Array;
  // 3 and 9 per shape: centre and axes (columns) of the form in the body's frame
  private readonly centre: Float64Array;
  private readonly axes: Float64Array;
  // 4 per shape: half height, r₁, r₂, ρ (round); half edges (box); m
  private readonly sizes: Float64Array;
  // one per shape: bound on |x| + |y| + |z| of its points in the body's frame, m
  private readonly extent: Float64Array;
  // corners of the convex hull in the body's frame, for solids that have no simple form
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
    shapes.forEach(({ solid, pose = ORIGIN }, i) => {
      const formPose: Pose = {
        position: add(pose.position, rotate(pose.orientation, solid.pose.position)),
        orientation: multiply(pose.orientation, solid.pose.orientation),
      };
      const sizes = sizesOf(solid.form);
      if (sizes) {
        this.kind[i] = solid.form.kind === 'box' ? BOX : ROUND;
        this.sizes.set(sizes, 4 * i);
        this.centre.set(formPose.position, 3 * i);
        this.axes.set(fromQuaternion(formPose.orientation), 9 * i);
        this.extent[i] = absoluteSum(formPose.position) + 2 * absoluteSum(sizes);
      } else this.setCorners(i, cornersOf(solid, pose, formPose));
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
      let min: number;
      let max: number;
      if (kind[shape] === CORNERS) {
        const corners = this.corners[shape]!;
        max = corners.reach(rx, ry, rz);
        min = -corners.reach(-rx, -ry, -rz);
      } else {
        const qx = rx * axes[a] + ry * axes[a + 3] + rz * axes[a + 6];
        const qy = rx * axes[a + 1] + ry * axes[a + 4] + rz * axes[a + 7];
        const qz = rx * axes[a + 2] + ry * axes[a + 5] + rz * axes[a + 8];
        const middle = rx * centre[c] + ry * centre[c + 1] + rz * centre[c + 2];
        if (kind[shape] === BOX) {
          const half = Math.abs(qx) * sizes[s] + Math.abs(qy) * sizes[s + 1] + Math.abs(qz) * sizes[s + 2];
          min = middle - half;
          max = middle + half;
        } else {
          const end = qz * sizes[s];
          const across = Math.sqrt(qx * qx + qy * qy);
          const bottom = across * sizes[s + 1];
          const top = across * sizes[s + 2];
          min = middle + Math.min(-end - bottom, end - top) - sizes[s + 3];
          max = middle + Math.max(-end + bottom, end + top) + sizes[s + 3];
        }
      }
      const origin = position[p + k];
      const slack = ROUNDING * (Math.abs(origin) + this.extent[shape]);
      boxes[6 * shape + k] = origin + min - slack;
      boxes[6 * shape + 3 + k] = origin + max + slack;
    }
  }

  private setCorners(shape: number, corners: Float64Array): void {
    if (!(corners.length > 0))
      throw new ModelError(`shapeBounds[${shape}].solid.mesh`, 'expected at least one vertex, got none');
    this.kind[shape] = CORNERS;
    this.corners[shape] = new OutermostPoints(corners);
    let extent = 0;
    for (let v = 0; v < corners.length; v += 3)
      extent = Math.max(extent, Math.abs(corners[v]) + Math.abs(corners[v + 1]) + Math.abs(corners[v + 2]));
    this.extent[shape] = extent;
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
    case 'capsule':
      return [form.height / 2, 0, 0, form.radius];
    case 'cylinder':
      return [form.height / 2, form.radius, form.radius, 0];
    case 'frustum':
      return [form.height / 2, form.bottomRadius, form.topRadius, 0];
    case 'box':
      return [form.size[0] / 2, form.size[1] / 2, form.size[2] / 2, 0];
    case 'extrusion':
    case 'mesh':
      return undefined;
  }
}

/** In the body's frame: corners of the convex hull, of the profile at both ends or of the mesh. */
function cornersOf({ form, mesh }: Solid, pose: Pose, formPose: Pose): Float64Array {
  if (form.kind !== 'extrusion') return placed(hullCorners(mesh.vertices), pose);
  const outline = outlineHull(form.profile.outer);
  return placed(Float64Array.from([0, form.height].flatMap((z) => outline.flatMap(([x, y]) => [x, y, z]))), formPose);
}

function placed(points: Float64Array, { position, orientation }: Pose): Float64Array {
  const r: Mat3 = fromQuaternion(orientation);
  const result = new Float64Array(points.length);
  for (let v = 0; v < points.length; v += 3)
    for (let k = 0; k < 3; k++)
      result[v + k] =
        position[k] + (r[3 * k] * points[v] + r[3 * k + 1] * points[v + 1] + r[3 * k + 2] * points[v + 2]);
  return result;
}

const absoluteSum = (values: readonly number[]): number => values.reduce((sum, x) => sum + Math.abs(x), 0);
