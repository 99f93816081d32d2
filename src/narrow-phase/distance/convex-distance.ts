/** Distance of the convex hulls of two sets of points, and the nearest points. */
import type { Separation, ShapePoses } from '../route.js';
import { Gjk } from './gjk.js';
import { RelativePose } from './relative-pose.js';
import { CornerSupport, type Support } from './support.js';

export class ConvexDistance {
  private readonly gjk = new Gjk();
  private readonly pose = new RelativePose();
  private readonly supportA: Support;
  private readonly supportB: Support;

  /**
   * @param pointsA, pointsB corners in the forms' frames, 3 per point, m; a single point or a segment will do. Or the supports
   * of other convex shapes.
   * @param radiusA, radiusB m; the balls by which each hull is rounded off, as a capsule is a segment rounded off
   * @example const distance = new ConvexDistance(box([1, 1, 1]).mesh.vertices, stone.mesh.vertices);
   */
  constructor(
    pointsA: Float64Array | Support,
    pointsB: Float64Array | Support,
    private readonly radiusA = 0,
    private readonly radiusB = 0,
  ) {
    this.supportA = pointsA instanceof Float64Array ? new CornerSupport(pointsA) : pointsA;
    this.supportB = pointsB instanceof Float64Array ? new CornerSupport(pointsB) : pointsB;
  }

  /**
   * Nearest points of shape a at A's pose and shape b at B's. Exact but for rounding, about 1e-15 of the size, for corners; for curved
   * supports `distance` is a lower bound that is short by less than 1e-13 of itself where the search has converged.
   *
   * @param most m; where the distance is more, any lower bound from `most` up to the true distance may come back
   */
  evaluate(poses: ShapePoses, a: number, b: number, out: Separation, most = Infinity): void {
    const { gjk, pose, radiusA, radiusB } = this;
    pose.set(poses, a, b);
    gjk.run(this.supportA, this.supportB, pose.rotation_AB, pose.position_AB, most + radiusA + radiusB);
    const { v, distance } = gjk;
    const scale = distance > 0 ? 1 / distance : 0;
    const apart = gjk.lower > radiusA + radiusB;
    out.distance = apart ? gjk.lower - radiusA - radiusB : 0;
    const { position, rotation } = poses;
    const ux = -scale * v[0];
    const uy = -scale * v[1];
    const uz = -scale * v[2];
    const ax = gjk.point(gjk.corners.a, 0) + radiusA * ux;
    const ay = gjk.point(gjk.corners.a, 1) + radiusA * uy;
    const az = gjk.point(gjk.corners.a, 2) + radiusA * uz;
    const bx = gjk.point(gjk.corners.b, 0) - radiusB * ux;
    const by = gjk.point(gjk.corners.b, 1) - radiusB * uy;
    const bz = gjk.point(gjk.corners.b, 2) - radiusB * uz;
    for (let k = 0; k < 3; k++) {
      const i = 9 * a + 3 * k;
      const x = rotation[i];
      const y = rotation[i + 1];
      const z = rotation[i + 2];
      out.direction[k] = x * ux + y * uy + z * uz;
      out.pointA[k] = x * ax + y * ay + z * az + position[3 * a + k];
      out.pointB[k] = x * bx + y * by + z * bz + position[3 * a + k];
    }
  }
}
