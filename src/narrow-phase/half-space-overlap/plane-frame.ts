/**
 * The half-space's plane seen from the solid's frame: heights of its points over the plane, and the patch of a submerged part.
 *
 * A is the half-space, B the solid. All sums are taken in B's axes about `origin`, near the solid's lowest corner, in single precision so
 * that subtracting it costs no digits. A's patch is the cap in the plane: S = n · area exactly, and the normal is n whatever B does.
 */
import { type ContactPatches, type DepthMeasure, GRADIENT, PATCH } from '../contact-patches.js';
import type { SurfaceSums } from '../convex-overlap/index.js';
import type { Support } from '../distance/index.js';
import { finishExtent, type OverlapGradient } from '../overlap-gradient.js';
import type { Separation, ShapePoses } from '../route.js';

export class PlaneFrame {
  /** 3: the plane's normal in B's axes, out of the half-space */
  readonly normal = new Float64Array(3);
  /** 3, B's frame, m */
  readonly origin = new Float64Array(3);
  /** of the origin over the plane, m */
  originHeight = 0;
  /** of B's lowest corner over the plane, m */
  lowest = 0;
  /** 9, by rows: B's axes to the world's */
  readonly rotation = new Float64Array(9);
  private readonly corner = new Float64Array(3);
  private readonly world = new Float64Array(3);
  private readonly extremes = new Float64Array(12);

  /** @param support farthest corners of B */
  constructor(
    private readonly support: Support,
    private readonly depth: DepthMeasure,
  ) {}

  /** Sets the frame for shapes a (half-space) and b; returns whether any of B is below the plane. */
  set({ position, rotation }: ShapePoses, a: number, b: number): boolean {
    const { normal, world, corner, origin, rotation: r } = this;
    for (let k = 0; k < 9; k++) r[k] = rotation[9 * b + k];
    let height = 0;
    for (let k = 0; k < 3; k++) {
      world[k] = rotation[9 * a + 3 * k + 2];
      height += world[k] * (position[3 * b + k] - position[3 * a + k]);
    }
    for (let k = 0; k < 3; k++) normal[k] = r[k] * world[0] + r[3 + k] * world[1] + r[6 + k] * world[2];
    this.support.support(0 - normal[0], 0 - normal[1], 0 - normal[2], corner, 0);
    this.lowest = normal[0] * corner[0] + normal[1] * corner[1] + normal[2] * corner[2] + height;
    for (let k = 0; k < 3; k++) origin[k] = Math.fround(corner[k]);
    this.originHeight = normal[0] * origin[0] + normal[1] * origin[1] + normal[2] * origin[2] + height;
    return this.lowest < 0;
  }

  /** The distance to the lowest corner: exact for every solid. */
  separate(poses: ShapePoses, a: number, b: number, out: Separation): void {
    this.set(poses, a, b);
    const { corner, rotation: r, world } = this;
    const distance = Math.max(0, this.lowest);
    out.distance = distance;
    for (let k = 0; k < 3; k++) {
      const x = r[3 * k] * corner[0] + r[3 * k + 1] * corner[1] + r[3 * k + 2] * corner[2] + poses.position[3 * b + k];
      out.direction[k] = world[k];
      out.pointB[k] = x;
      out.pointA[k] = x - distance * world[k];
    }
  }

  /**
   * Fills a row from the sums of a region.
   *
   * @param crossed   whether the region reaches the plane; if not, all of it is below
   * @param points    where corners are found, relative to `origin` in B's axes, m
   * @param low, high places in `points` of the region's lowest and, if it does not reach the plane, highest corner
   */
  append(
    region: number,
    surface: SurfaceSums,
    gradient: OverlapGradient | undefined,
    poses: ShapePoses,
    b: number,
    patches: ContactPatches,
    row: number,
    crossed: boolean,
    points: Float64Array,
    low: number,
    high: number,
  ): void {
    const { normal: n, world, rotation, originHeight } = this;
    surface.fill(region, patches, row, crossed);
    for (let k = 0; k < 3; k++) patches.normal[3 * row + k] = n[k];
    const bottom = n[0] * points[low] + n[1] * points[low + 1] + n[2] * points[low + 2] + originHeight;
    const top = crossed ? 0 : n[0] * points[high] + n[1] * points[high + 1] + n[2] * points[high + 2] + originHeight;
    const extent = top - bottom;
    patches.extent[row] = extent;
    const area = crossed ? patches.area[row] : 0;
    if (!(area > 0)) patches.flags[row] |= PATCH.contained;
    let factor = !(area > 0) || this.depth === 'extent' ? 1 : 0;
    if (factor === 0 && !(patches.volume[row] <= area * extent)) factor = 2;
    patches.depth[row] = factor > 0 ? factor * extent : (2 * patches.volume[row]) / area;
    surface.place(region, patches, row, this.origin, rotation, poses.position, 3 * b);
    for (let k = 0; k < 3; k++) {
      patches.normal[3 * row + k] = world[k];
      patches.vectorArea[3 * row + k] = area * world[k];
    }
    if (!gradient) return;

    gradient.finish(region, patches, row, surface.centroid, 0, rotation);
    const g = 54 * row + GRADIENT.normal;
    patches.gradient.fill(0, g, g + 18); // the plane's normal stays
    if (factor > 0) this.finishDepth(region, surface, patches, row, crossed, points, low, high, factor);
  }

  /** The row of a depth that is a multiple of the extent: both corners are B's, or the upper end is the plane. */
  private finishDepth(
    region: number,
    surface: SurfaceSums,
    patches: ContactPatches,
    row: number,
    crossed: boolean,
    points: Float64Array,
    low: number,
    high: number,
    factor: number,
  ): void {
    const { extremes, rotation: r, world } = this;
    for (let side = 0; side < 12; side += 6) {
      const corner = side === 0 ? high : low;
      const x = points[corner] - surface.originOf(region, 0) - surface.centroid[0];
      const y = points[corner + 1] - surface.originOf(region, 1) - surface.centroid[1];
      const z = points[corner + 2] - surface.originOf(region, 2) - surface.centroid[2];
      for (let k = 0; k < 3; k++) {
        extremes[side + k] = r[3 * k] * x + r[3 * k + 1] * y + r[3 * k + 2] * z;
        extremes[side + 3 + k] = crossed && side === 0 ? 0 : world[k];
      }
    }
    finishExtent(patches, row, extremes, factor);
  }
}
