/** What all routes of idealized surfaces have in common: A has the distance field, B bears the points (point-rows.ts). */
import type { ContactPatches } from '../contact-patches.js';
import type { Route, Separation, ShapePoses } from '../route.js';
import type { DistanceField } from './distance-field.js';
import { PointRows } from './point-rows.js';

export interface PointRouteOptions {
  /** The law acts on each component of the penetration in the axes of A. */
  readonly perAxis?: boolean;
  /** t of the source: deeper than this is no contact, m; see `layerThickness` */
  readonly thickness?: number;
  /** Balls touch the edges of faces; true unless given. False where neighbouring faces of one body share an edge. */
  readonly edges?: boolean;
  /** Axes of two cylinders closer than this touch in a line, rad */
  readonly parallelAngle?: number;
}

export abstract class PointRoute implements Route {
  readonly patches = false;
  readonly borders = true;
  readonly mostRegions: number;
  protected readonly rows: PointRows;
  /** B's pose seen from A: origin, and rotation by rows */
  protected readonly position = new Float64Array(3);
  protected readonly rotation = new Float64Array(9);

  constructor(
    readonly name: string,
    readonly a: number,
    readonly b: number,
    /** most contact points */
    points: number,
    protected readonly field: DistanceField,
    options: PointRouteOptions,
    readonly curvature = 0,
  ) {
    const perAxis = options.perAxis ?? false;
    this.rows = new PointRows(perAxis);
    this.mostRegions = perAxis ? 3 * points : points;
  }

  find(poses: ShapePoses, pair: number, patches: ContactPatches, gradients: boolean): void {
    this.rows.begin(poses, this.a, pair, patches, gradients);
    this.setPose(poses, this.a, this.b);
    this.search(poses);
  }

  /** Looks up B's points, whose pose against A is set. */
  protected abstract search(poses: ShapePoses): void;

  abstract separate(poses: ShapePoses, out: Separation): void;

  /** Pose of shape j in the frame of shape i. */
  protected setPose({ position: p, rotation: r }: ShapePoses, i: number, j: number): void {
    const dx = p[3 * j] - p[3 * i];
    const dy = p[3 * j + 1] - p[3 * i + 1];
    const dz = p[3 * j + 2] - p[3 * i + 2];
    const a = 9 * i;
    const b = 9 * j;
    for (let k = 0; k < 3; k++) {
      const x = r[a + k];
      const y = r[a + 3 + k];
      const z = r[a + 6 + k];
      this.position[k] = x * dx + y * dy + z * dz;
      for (let l = 0; l < 3; l++) this.rotation[3 * k + l] = x * r[b + l] + y * r[b + 3 + l] + z * r[b + 6 + l];
    }
  }

  /** True if a ball of radius r at the place where the field was asked is in contact. */
  protected touches(radius: number): boolean {
    const { field } = this;
    const depth = radius - field.distance;
    return field.touchable && depth > 0 && depth <= field.thickness;
  }

  /** Separation along (nx, ny, nz) from the point (x, y, z) of A, all in A's axes; nothing nearer was found. */
  protected setSeparation(
    { position: p, rotation: r }: ShapePoses,
    out: Separation,
    distance: number,
    nx: number,
    ny: number,
    nz: number,
    x: number,
    y: number,
    z: number,
  ): void {
    const { a } = this;
    out.distance = Math.max(0, distance);
    for (let k = 0; k < 3; k++) {
      const i = 9 * a + 3 * k;
      const direction = r[i] * nx + r[i + 1] * ny + r[i + 2] * nz;
      const point = p[3 * a + k] + r[i] * x + r[i + 1] * y + r[i + 2] * z;
      out.direction[k] = direction;
      out.pointA[k] = point;
      out.pointB[k] = point + distance * direction;
    }
  }

  /** Separation of a ball with its centre at (x, y, z) in A's axes. */
  protected separateBall(poses: ShapePoses, out: Separation, x: number, y: number, z: number, radius: number): void {
    const { field } = this;
    field.locate(x, y, z);
    const { distance: g, nx, ny, nz } = field;
    this.setSeparation(poses, out, g - radius, nx, ny, nz, x - g * nx, y - g * ny, z - g * nz);
  }
}
