/**
 * A convex solid against a half-space: every corner below the plane is a point of contact. A cylinder or cone has four points on each rim, body-fixed as on
 * the cap of `contact-points.ts`, and its lowest point for what they leave out: standing it is carried by four points, lying by the two
 * ends of a line, on its edge by one.
 */
import type { ContactPatches } from '../contact-patches.js';
import type { Route, Separation, ShapePoses } from '../route.js';
import type { ConvexShape, Discs } from './convex-shape.js';
import { writePoint } from './gradient-rows.js';
import { PlacedShape } from './placed-shape.js';
import { Tape } from './tape.js';

/** Ends of two diameters. */
const RIM = [1, 0, 0, 1, -1, 0, 0, -1];
/** Numbers of points of a rim: its four anchors, then the lowest. */
const RIM_POINTS = 5;

export class HalfSpacePoints implements Route {
  readonly name: string;
  readonly mostRegions: number;
  readonly curvature: number;
  readonly patches = false;
  private readonly tape = new Tape(512);
  private readonly placed: PlacedShape;
  /** the plane's normal on the tape */
  private normal = 0;
  private region = 0;

  /** @param a, b places of the half-space and of the solid in the poses */
  constructor(
    readonly a: number,
    readonly b: number,
    private readonly shape: ConvexShape,
  ) {
    this.name = `halfSpace–${shape.kind} by deepest points`;
    this.placed = new PlacedShape(shape, true);
    this.mostRegions = shape.discs ? 2 * RIM_POINTS : shape.polyhedron!.corners.length / 3;
    this.curvature = shape.kind === 'sphere' ? 1 / shape.radius : 0;
  }

  find(poses: ShapePoses, pair: number, patches: ContactPatches, gradients: boolean): void {
    const { a, tape, placed, shape } = this;
    tape.wind(gradients);
    placed.place(poses, this.b, a);
    const { rotation } = poses;
    const normal = tape.vector(rotation[9 * a + 2], rotation[9 * a + 5], rotation[9 * a + 8]);
    this.normal = normal;
    this.region = 0;
    if (shape.discs) {
      this.rim(poses, pair, patches, gradients, shape.discs, false);
      this.rim(poses, pair, patches, gradients, shape.discs, true);
      return;
    }
    const { corners } = shape.polyhedron!;
    const nx = tape.value(normal);
    const ny = tape.value(normal + 1);
    const nz = tape.value(normal + 2);
    for (let i = 0; i < corners.length / 3; i++) {
      const height =
        nx * placed.coordinate(0, corners, 3 * i) +
        ny * placed.coordinate(1, corners, 3 * i) +
        nz * placed.coordinate(2, corners, 3 * i);
      if (!(shape.radius - height > 0)) continue;
      const point = placed.corner(tape, corners, i);
      this.write(poses, pair, patches, gradients, this.depth(point), point, i);
    }
  }

  private depth(point: number): number {
    const { tape, normal, shape } = this;
    const height = tape.dot(normal, point);
    return tape.combine(-1, height, shape.radius, tape.constant(1));
  }

  private rim(
    poses: ShapePoses,
    pair: number,
    patches: ContactPatches,
    gradients: boolean,
    discs: Discs,
    top: boolean,
  ): void {
    const { tape, placed, normal } = this;
    const radius = top ? discs.top : discs.bottom;
    const height = top ? discs.half : -discs.half;
    const id = top ? RIM_POINTS : 0;
    const down = tape.combineVectors(-1, normal, 0, normal);
    const lowest = placed.farthestOnCircle(tape, down, radius, height);
    let left = this.depth(lowest);
    if (!(tape.value(left) > 0)) return;
    const deepest = tape.value(left);
    if (radius > 0) {
      const across = tape.cross(normal, placed.direction(tape, 0, 0, 1));
      const capDrop = tape.combine(radius, tape.dot(across, across), 0, across);
      let most = -1;
      for (let i = 0; i < 4; i++) {
        const point = placed.point(tape, radius * RIM[2 * i], radius * RIM[2 * i + 1], height);
        const depth = tape.sub(this.depth(point), capDrop);
        if (!(tape.value(depth) > 0)) continue;
        if (most < 0 || tape.value(depth) > tape.value(most)) most = depth;
        this.write(poses, pair, patches, gradients, depth, point, id + i);
      }
      if (most >= 0) left = tape.sub(left, most);
    }
    if (tape.value(left) > 1e-9 * deepest + 1e-14 * this.shape.size)
      this.write(poses, pair, patches, gradients, left, lowest, id + 4);
  }

  /** A row for a point of the core, moved to halfway between its surface and the plane. */
  private write(
    poses: ShapePoses,
    pair: number,
    patches: ContactPatches,
    gradients: boolean,
    depth: number,
    point: number,
    feature: number,
  ): void {
    const { tape, a, normal, shape } = this;
    // the surface is r below the core's point, the plane h below it: halfway −(r + h)/2
    const middle = tape.combine(-0.5, tape.dot(normal, point), -0.5 * shape.radius, tape.constant(1));
    const place = tape.along(point, middle, normal);
    const row = patches.add(pair, this.region++);
    patches.feature[2 * row] = 0;
    patches.feature[2 * row + 1] = feature;
    const { position } = poses;
    const o = 3 * a;
    writePoint(tape, patches, row, depth, normal, place, position[o], position[o + 1], position[o + 2], gradients);
  }

  separate(poses: ShapePoses, out: Separation): void {
    const { a, placed, shape } = this;
    placed.place(poses, this.b, a);
    const { rotation, position } = poses;
    const nx = rotation[9 * a + 2];
    const ny = rotation[9 * a + 5];
    const nz = rotation[9 * a + 8];
    const height = -placed.reach(-nx, -ny, -nz);
    const { world } = placed;
    out.distance = Math.max(0, height - shape.radius);
    for (let k = 0; k < 3; k++) {
      const n = k === 0 ? nx : k === 1 ? ny : nz;
      out.direction[k] = n;
      out.pointA[k] = world[k] - height * n + position[3 * a + k];
      out.pointB[k] = world[k] - shape.radius * n + position[3 * a + k];
    }
  }
}
