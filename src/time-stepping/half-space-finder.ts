/**
 * Points of a convex solid near a half-space: corners of a polyhedron, the lowest point and three more of the rim of a disc, the ends of a capsule, the
 * lowest point of a sphere or an ellipsoid. Gaps are exact.
 */
import type { Solid } from '../geometry/solid.js';
import type { ConvexShape } from '../narrow-phase/manifold/index.js';
import type { FoundPoints, PointFinder, Poses } from './found-points.js';

/** Cosine of 10°: a face is turned to the plane */
export const FACING = 0.985;

export class HalfSpaceFinder implements PointFinder {
  /** Plane in the solid's frame: outward normal and height */
  private readonly n = new Float64Array(3);
  private height = 0;
  private readonly point = new Float64Array(3);
  private readonly onFace: Uint8Array;

  /**
   * @param plane, other the shapes' places in the poses
   * @param planeIsA      the half-space is the route's A: the normal goes out of it
   */
  constructor(
    private readonly plane: number,
    private readonly other: number,
    private readonly planeIsA: boolean,
    private readonly shape: ConvexShape,
    private readonly solid: Solid,
  ) {
    this.onFace = new Uint8Array((shape.polyhedron?.corners.length ?? 0) / 3);
  }

  find({ position, rotation }: Poses, margin: number, out: FoundPoints): void {
    const { plane, other, n, shape, solid } = this;
    const r = 9 * plane;
    const s = 9 * other;
    const ux = rotation[r + 2];
    const uy = rotation[r + 5];
    const uz = rotation[r + 8];
    this.height =
      ux * (position[3 * other] - position[3 * plane]) +
      uy * (position[3 * other + 1] - position[3 * plane + 1]) +
      uz * (position[3 * other + 2] - position[3 * plane + 2]);
    if (this.height - shape.size > margin) return;
    for (let k = 0; k < 3; k++) n[k] = rotation[s + k] * ux + rotation[s + 3 + k] * uy + rotation[s + 6 + k] * uz;
    const sign = this.planeIsA ? 1 : -1;
    out.open(sign * ux, sign * uy, sign * uz);
    const { form } = solid;
    if (form.kind === 'ellipsoid') {
      const [a, b, c] = form.radii;
      const length = Math.sqrt(a * a * n[0] * n[0] + b * b * n[1] * n[1] + c * c * n[2] * n[2]);
      this.add(
        -(a * a * n[0]) / length,
        -(b * b * n[1]) / length,
        -(c * c * n[2]) / length,
        0,
        margin,
        position,
        rotation,
        out,
      );
      out.close();
    } else if (shape.discs) this.discs(margin, position, rotation, out);
    else {
      this.polyhedron(margin, position, rotation, out);
    }
  }

  private add(
    x: number,
    y: number,
    z: number,
    radius: number,
    margin: number,
    position: Float64Array,
    rotation: Float64Array,
    out: FoundPoints,
  ): void {
    const { n, other, plane, point } = this;
    const gap = this.height + n[0] * x + n[1] * y + n[2] * z - radius;
    if (!(gap < margin)) return;
    const s = 9 * other;
    const r = 9 * plane;
    const back = radius + 0.5 * gap;
    for (let k = 0; k < 3; k++)
      point[k] =
        position[3 * other + k] +
        rotation[s + 3 * k] * x +
        rotation[s + 3 * k + 1] * y +
        rotation[s + 3 * k + 2] * z -
        back * rotation[r + 3 * k + 2];
    out.add(point[0], point[1], point[2], gap);
  }

  /** The corners of the face that is turned to the plane tell area and moments; every corner near the plane may be a point. */
  private polyhedron(margin: number, position: Float64Array, rotation: Float64Array, out: FoundPoints): void {
    const { n, shape, onFace } = this;
    const { corners, normals, loops, first } = shape.polyhedron!;
    const { radius } = shape;
    onFace.fill(0);
    const f = shape.polyhedron!.faceAlong(-n[0], -n[1], -n[2]);
    const facing =
      f >= 0 && 0 - (n[0] * normals[3 * f] + n[1] * normals[3 * f + 1] + n[2] * normals[3 * f + 2]) > FACING;
    if (facing) {
      for (let k = first[f]; k < first[f + 1]; k++) {
        const i = 3 * loops[k];
        onFace[loops[k]] = 1;
        this.add(corners[i], corners[i + 1], corners[i + 2], radius, margin, position, rotation, out);
      }
      out.measure();
    }
    for (let i = 0; i < corners.length; i += 3)
      if (onFace[i / 3] === 0)
        this.add(corners[i], corners[i + 1], corners[i + 2], radius, margin, position, rotation, out);
    if (!facing && out.cornerCount === 2) out.measure();
    out.close();
  }

  private discs(margin: number, position: Float64Array, rotation: Float64Array, out: FoundPoints): void {
    const { n, shape } = this;
    const { bottom, top, half } = shape.discs!;
    const across = Math.sqrt(n[0] * n[0] + n[1] * n[1]);
    // direction of the lowest point of the rims; any where the axis is along the normal
    const ex = across > 1e-12 ? -n[0] / across : 1;
    const ey = across > 1e-12 ? -n[1] / across : 0;
    const facing = Math.abs(n[2]) > FACING;
    if (!facing) {
      // on its side: the lowest points of both rims
      this.add(bottom * ex, bottom * ey, -half, 0, margin, position, rotation, out);
      this.add(top * ex, top * ey, half, 0, margin, position, rotation, out);
      out.measure();
      out.close();
      return;
    }
    const z = n[2] > 0 ? -half : half;
    const radius = n[2] > 0 ? bottom : top;
    this.add(radius * ex, radius * ey, z, 0, margin, position, rotation, out);
    if (radius > 0) {
      this.add(-radius * ey, radius * ex, z, 0, margin, position, rotation, out);
      this.add(-radius * ex, -radius * ey, z, 0, margin, position, rotation, out);
      this.add(radius * ey, -radius * ex, z, 0, margin, position, rotation, out);
    }
    const r = out.regions - 1;
    if (out.cornerCount > 2) {
      out.area[r] = Math.PI * radius * radius;
      const s = 9 * this.other;
      const m = 0.25 * radius * radius;
      // ¼ R² (1 − a aᵀ), a the axis
      const ax = rotation[s + 2];
      const ay = rotation[s + 5];
      const az = rotation[s + 8];
      out.moments[6 * r] = m * (1 - ax * ax);
      out.moments[6 * r + 1] = m * (1 - ay * ay);
      out.moments[6 * r + 2] = m * (1 - az * az);
      out.moments[6 * r + 3] = -m * ax * ay;
      out.moments[6 * r + 4] = -m * ax * az;
      out.moments[6 * r + 5] = -m * ay * az;
    } else out.measure();
    out.close();
  }
}
