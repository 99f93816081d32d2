/**
 * A rectangle on a face: the corners of what both cover, seen along the normal of the face (Oestersötebier et al. 2014, figs 8 and 9).
 *
 *   0 … 3       corner of B over the face
 *   4 … 11      a corner that is not, moved along an edge of B to the border of the face: 4 + 2 corner towards the next corner, one more
 *               towards the one before
 *   12 … 15     corner of the face under B; the source leaves it out
 *
 * Four points as a rule, five with one corner off; eight if two rectangles of like size lie crosswise. Corners are numbered
 * (−,−), (+,−), (+,+), (−,+).
 *
 * Points on an edge p + s d of B move as line-clip.ts says. The point b of B's plane over a corner of the face moves along the face's
 * normal n only: db = n (n_B · v_b)/(n_B · n), v_b the velocity of B's material there.
 */
import type { Separation, ShapePoses } from '../route.js';
import { DistanceField } from './distance-field.js';
import { FLUSH, LineClip } from './line-clip.js';
import { PointRoute, type PointRouteOptions } from './point-route.js';
import { type Circle, isEndless, type Rectangle, sides } from './surface.js';

/** Cosine of the angle between the faces from which on a corner of A under B is sought. */
const FACING = -0.5;

export class RectangleFaceRoute extends PointRoute {
  private readonly clip: LineClip;
  /** 3 per corner: in A's frame, m */
  private readonly corners = new Float64Array(12);
  private readonly halfX: number;
  private readonly halfY: number;
  /** half sides of A, 0 where it has no corners */
  private readonly cornerX: number;
  private readonly cornerY: number;

  constructor(a: number, b: number, face: Rectangle | Circle, rectangle: Rectangle, options: PointRouteOptions) {
    const points = isEndless(face) && Math.min(...sides(face as Rectangle)) === Number.POSITIVE_INFINITY ? 4 : 8;
    super(`rectangle–${face.kind}`, a, b, points, new DistanceField(face, true, options.thickness), options);
    this.clip = new LineClip(face);
    const [width, length] = sides(rectangle);
    this.halfX = width / 2;
    this.halfY = length / 2;
    const cornered = face.kind === 'rectangle' && !isEndless(face);
    this.cornerX = cornered ? sides(face)[0] / 2 : 0;
    this.cornerY = cornered ? sides(face)[1] / 2 : 0;
  }

  protected search(): void {
    this.setCorners();
    const { corners: q, clip } = this;
    for (let i = 0; i < 4; i++) {
      const j = (i + 1) & 3;
      const x = q[3 * i];
      const y = q[3 * i + 1];
      const dx = q[3 * j] - x;
      const dy = q[3 * j + 1] - y;
      if (!clip.clip(x, y, dx, dy, 0, 1)) continue;
      const { from, to, fromBorder, toBorder } = clip;
      this.addEdgePoint(fromBorder < 0 ? i : 4 + 2 * i, i, j, from, fromBorder);
      if (toBorder >= 0) this.addEdgePoint(5 + 2 * j, i, j, to, toBorder);
    }
    if (this.cornerX > 0) for (let i = 0; i < 4; i++) this.addCornerBelow(i);
  }

  private setCorners(): void {
    const { corners, rotation: r, position: p, halfX, halfY } = this;
    for (let i = 0; i < 4; i++) {
      const u = i === 0 || i === 3 ? -halfX : halfX;
      const v = i < 2 ? -halfY : halfY;
      for (let k = 0; k < 3; k++) corners[3 * i + k] = p[k] + r[3 * k] * u + r[3 * k + 1] * v;
    }
  }

  /** The point at s on the edge from corner i to corner j. */
  private addEdgePoint(number: number, i: number, j: number, s: number, border: number): void {
    const { corners: q, field, rows } = this;
    const dx = q[3 * j] - q[3 * i];
    const dy = q[3 * j + 1] - q[3 * i + 1];
    const dz = q[3 * j + 2] - q[3 * i + 2];
    const z = q[3 * i + 2] + s * dz;
    field.locateFace(z);
    if (!this.touches(0)) return;
    const x = q[3 * i] + s * dx;
    const y = q[3 * i + 1] + s * dy;
    if (rows.gradients) {
      rows.setRigid(0, 0, 0);
      if (border >= 0) {
        // the material of the edge at s is displaced by dx and does not move under dφ about it; its direction turns, but at s that is the same
        for (let c = 0; c < 3; c++) {
          const ds = this.clip.slide(border, x, y, dx, dy, c === 0 ? 1 : 0, c === 1 ? 1 : 0);
          rows.motion[c] += ds * dx;
          rows.motion[6 + c] += ds * dy;
          rows.motion[12 + c] += ds * dz;
        }
      }
    }
    rows.addPoint(field, number, x, y, z);
  }

  /** Corner i of A, if B covers it. */
  private addCornerBelow(i: number): void {
    const { rotation: r, position: p, field, rows, cornerX, cornerY } = this;
    const nx = r[2];
    const ny = r[5];
    const nz = r[8];
    if (!(nz < FACING)) return;
    const x = i === 0 || i === 3 ? -cornerX : cornerX;
    const y = i < 2 ? -cornerY : cornerY;
    const z = p[2] - (nx * (x - p[0]) + ny * (y - p[1])) / nz;
    field.locateFace(z);
    if (!this.touches(0)) return;
    const dx = x - p[0];
    const dy = y - p[1];
    const dz = z - p[2];
    const u = r[0] * dx + r[3] * dy + r[6] * dz;
    const v = r[1] * dx + r[4] * dy + r[7] * dz;
    if (!(Math.abs(u) < this.halfX * (1 - 2 * FLUSH) && Math.abs(v) < this.halfY * (1 - 2 * FLUSH))) return;
    if (rows.gradients) {
      rows.motion.fill(0);
      rows.motion[12] = nx / nz;
      rows.motion[13] = ny / nz;
      rows.motion[14] = 1;
    }
    rows.addPoint(field, 12 + i, x, y, z);
  }

  /** The lowest corner over the face: exact; elsewhere at least the distance of the ball around B. */
  separate(poses: ShapePoses, out: Separation): void {
    this.setPose(poses, this.a, this.b);
    this.setCorners();
    const { corners, position: p, halfX, halfY } = this;
    let lowest = 0;
    for (let i = 1; i < 4; i++) if (corners[3 * i + 2] < corners[3 * lowest + 2]) lowest = i;
    const z = corners[3 * lowest + 2];
    this.separateBall(poses, out, p[0], p[1], p[2], Math.sqrt(halfX * halfX + halfY * halfY));
    if (z > out.distance) this.setSeparation(poses, out, z, 0, 0, 1, corners[3 * lowest], corners[3 * lowest + 1], 0);
  }
}
