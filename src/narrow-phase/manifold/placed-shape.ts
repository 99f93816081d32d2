/** A shape at its pose, in world axes about the origin of A's frame, where all coordinates are as small as the bodies. */
import type { ShapePoses } from '../route.js';
import type { ConvexShape } from './convex-shape.js';
import type { Tape } from './tape.js';

export class PlacedShape {
  /** 9, by rows: v_world = R v_shape */
  readonly r = new Float64Array(9);
  /** 3: origin of its frame, m */
  readonly p = new Float64Array(3);
  /** 3: a direction in the shape's frame, or a point of it in the world, as the last call left it */
  readonly local = new Float64Array(3);
  readonly world = new Float64Array(3);

  /** @param moving whether it is B, by whose displacement everything is differentiated */
  constructor(
    readonly shape: ConvexShape,
    readonly moving: boolean,
  ) {}

  place({ position, rotation }: ShapePoses, index: number, origin: number): void {
    for (let k = 0; k < 9; k++) this.r[k] = rotation[9 * index + k];
    for (let k = 0; k < 3; k++) this.p[k] = position[3 * index + k] - position[3 * origin + k];
  }

  /** The direction (x, y, z) seen from the shape, into `local`. */
  turnBack(x: number, y: number, z: number): void {
    const { r, local } = this;
    local[0] = r[0] * x + r[3] * y + r[6] * z;
    local[1] = r[1] * x + r[4] * y + r[7] * z;
    local[2] = r[2] * x + r[5] * y + r[8] * z;
  }

  /** How far the core reaches along a world direction, m; the point is left in `world`. */
  reach(x: number, y: number, z: number): number {
    const { r, p, local, world } = this;
    this.turnBack(x, y, z);
    this.shape.support.support(local[0], local[1], local[2], local, 0);
    for (let k = 0; k < 3; k++)
      world[k] = r[3 * k] * local[0] + r[3 * k + 1] * local[1] + r[3 * k + 2] * local[2] + p[k];
    return x * world[0] + y * world[1] + z * world[2];
  }

  /** Coordinate k of a point given in the shape's frame. */
  coordinate(k: number, of: Float64Array, at: number): number {
    const { r, p } = this;
    return r[3 * k] * of[at] + r[3 * k + 1] * of[at + 1] + r[3 * k + 2] * of[at + 2] + p[k];
  }
  /** Component k of a direction given in the shape's frame. */
  component(k: number, of: Float64Array, at: number): number {
    const { r } = this;
    return r[3 * k] * of[at] + r[3 * k + 1] * of[at + 1] + r[3 * k + 2] * of[at + 2];
  }

  /** The point (x, y, z) of the shape's frame on the tape. */
  point(tape: Tape, x: number, y: number, z: number): number {
    const { r, p } = this;
    const wx = r[0] * x + r[1] * y + r[2] * z + p[0];
    const wy = r[3] * x + r[4] * y + r[5] * z + p[1];
    const wz = r[6] * x + r[7] * y + r[8] * z + p[2];
    return this.moving ? tape.movingPoint(wx, wy, wz) : tape.vector(wx, wy, wz);
  }
  corner(tape: Tape, of: Float64Array, i: number): number {
    return this.point(tape, of[3 * i], of[3 * i + 1], of[3 * i + 2]);
  }
  /** The direction (x, y, z) of the shape's frame on the tape. */
  direction(tape: Tape, x: number, y: number, z: number): number {
    const { r } = this;
    const wx = r[0] * x + r[1] * y + r[2] * z;
    const wy = r[3] * x + r[4] * y + r[5] * z;
    const wz = r[6] * x + r[7] * y + r[8] * z;
    return this.moving ? tape.movingDirection(wx, wy, wz) : tape.vector(wx, wy, wz);
  }

  /**
   * The point of a circle across the shape's z axis that is farthest along the vector n on the tape: it moves round the circle as n turns.
   * Without a farthest one, where n is along z, the point on the x axis.
   */
  farthestOnCircle(tape: Tape, n: number, radius: number, height: number): number {
    const centre = this.point(tape, 0, 0, height);
    const axis = this.direction(tape, 0, 0, 1);
    const across = tape.along(n, tape.combine(-1, tape.dot(n, axis), 0, n), axis);
    const length = tape.value(tape.dot(across, across));
    if (!(length > 1e-24)) return this.point(tape, radius, 0, height);
    return tape.combineVectors(1, centre, radius, tape.unit(across));
  }

  /** The farthest point of the core along n on the tape. */
  farthest(tape: Tape, n: number): number {
    const { discs } = this.shape;
    const { local } = this;
    this.turnBack(tape.value(n), tape.value(n + 1), tape.value(n + 2));
    this.shape.support.support(local[0], local[1], local[2], local, 0);
    if (!discs) return this.point(tape, local[0], local[1], local[2]);
    const upper = local[2] > 0;
    return this.farthestOnCircle(tape, n, upper ? discs.top : discs.bottom, local[2]);
  }
}
