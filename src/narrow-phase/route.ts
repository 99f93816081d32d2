/**
 * A route: how one allowed pair of shapes is searched for contact. It is chosen once, at assembly, by the kinds of the two shapes; from
 * then on everything asks it the same two questions.
 *
 * `find` must be pure: the same poses give the same rows, bit for bit, whatever was asked before. Where gradients are asked for, every row
 * it appends carries them (contact-patches.ts): they make the step matrix exact.
 */
import type { ContactPatches } from './contact-patches.js';

/** World poses of all shapes: of the frame of the shape's form (`Form`), or of the solid's frame where the mesh is all there is. */
export interface ShapePoses {
  /** 3 per shape, m */
  readonly position: Float64Array;
  /** 9 per shape, by rows: v_world = R v_shape */
  readonly rotation: Float64Array;
}

export interface Route {
  /** For `explain` and the contact records, such as `sphere–box` */
  readonly name: string;
  /** Indices of the shapes in the poses. The route decides which of the two is its A. */
  readonly a: number;
  readonly b: number;
  /** Most regions it can find at once; Infinity where nobody knows. */
  readonly mostRegions: number;
  /** 1/R₁ + 1/R₂ where the shapes touch in one point with one curvature all round (Hertz), 1/m; 0 where they do not. */
  readonly curvature: number;
  /** Shape that is round about the z axis of its form, where one is: turning about it changes no overlap, it rolls and does not rock. */
  readonly roller?: number;
  /** True if both shapes are smooth and round where they touch: they roll and do not rock, as those with a `curvature` do. */
  readonly rolls?: boolean;
  /** True if a patch has area and volume; false for points with a depth, whose volume and areas are 0. */
  readonly patches: boolean;
  /** True if contact can end under load, as where a point passes the border of a face; not so unless said */
  readonly borders?: boolean;
  /** True if `find` takes so long that what it found is worth keeping. Unless said: where nobody knows how many regions there are. */
  readonly costly?: boolean;
  /** Appends one row per region of overlap. */
  find(poses: ShapePoses, pair: number, patches: ContactPatches, gradients: boolean): void;
  /** How far apart the shapes are, and where; for the guard against tunnelling. */
  separate(poses: ShapePoses, out: Separation): void;
}

/** Nearest points of two shapes; owned and used again by the caller. */
export class Separation {
  /** m; 0 where they touch or overlap. May be less than the true distance, never more. */
  distance = 0;
  /** 3: unit vector from A to B; without meaning where the distance is 0 */
  readonly direction = new Float64Array(3);
  /** 3: the points of A and B that are nearest to each other, world, m */
  readonly pointA = new Float64Array(3);
  readonly pointB = new Float64Array(3);

  /** @param flipped what is A here was B there */
  copy({ distance, direction, pointA, pointB }: Separation, flipped = false): void {
    this.distance = distance;
    this.direction.set(direction);
    this.pointA.set(flipped ? pointB : pointA);
    this.pointB.set(flipped ? pointA : pointB);
    if (flipped) for (let k = 0; k < 3; k++) this.direction[k] = 0 - this.direction[k];
  }
}
