/** How depth, normal and places of a touch change with pose and coordinates of the two parts. */
import { isSoft, type Touch } from './soft-side.js';
import type { TouchSearch } from './touch-search.js';

export class TouchMotion {
  /** Motion of the nodes of one side */
  private readonly nodes = new Float64Array(6);

  constructor(private readonly plane: TouchSearch) {}

  /** @param d as the inputs of the contact */
  move(touch: Touch, d: Float64Array): void {
    const { plane, nodes } = this;
    const { a, b, nA, nB, c, s, px, py } = plane;
    const [dpx, dpy, turn] = [d[0], d[1], d[2]];
    const soft = isSoft(b);
    let mx = 0;
    let my = 0;
    if (touch.index >= 0) {
      // A's own point
      for (let k = 0; k < nA; k++) {
        mx += touch.phiA[2 * k] * d[3 + k];
        my += touch.phiA[2 * k + 1] * d[3 + k];
      }
      touch.dax = mx;
      touch.day = my;
      if (!soft) {
        const ex = mx - dpx + turn * (touch.ay - py);
        const ey = my - dpy - turn * (touch.ax - px);
        touch.dDepth = -(touch.nx * ex + touch.ny * ey);
        const along = touch.curvature * (touch.nx * ey - touch.ny * ex) + turn;
        touch.dnx = -touch.ny * along;
        touch.dny = touch.nx * along;
        touch.dbx = mx;
        touch.dby = my;
        return;
      }
      const { surface, shapes } = b;
      const { nodes: placed } = plane.sidesB!;
      for (let j = 0; j < 3; j++) {
        const node = surface.sides[3 * touch.foot.side + j];
        let u = 0;
        let v = 0;
        for (let k = 0; k < nB; k++) {
          u += shapes[k][2 * node] * d[3 + nA + k];
          v += shapes[k][2 * node + 1] * d[3 + nA + k];
        }
        nodes[2 * j] = dpx - turn * (placed[2 * node + 1] - py) + c * u - s * v;
        nodes[2 * j + 1] = dpy + turn * (placed[2 * node] - px) + s * u + c * v;
      }
      this.onSide(touch, mx, my, nodes);
      touch.dDepth = -touch.foot.dGap;
      touch.dnx = touch.foot.dnx;
      touch.dny = touch.foot.dny;
      touch.dbx = nodes[0];
      touch.dby = nodes[1];
      return;
    }
    for (let j = 0; j < 3; j++) {
      const node = a.surface.sides[3 * touch.foot.side + j];
      nodes[2 * j] = nodes[2 * j + 1] = 0;
      for (let k = 0; k < nA; k++) {
        nodes[2 * j] += a.shapes[k][2 * node] * d[3 + k];
        nodes[2 * j + 1] += a.shapes[k][2 * node + 1] * d[3 + k];
      }
    }
    if (touch.bends) {
      this.overEdge(touch, dpx, dpy, turn, nodes);
      return;
    }
    // a corner of B on a side of A, or the centre of an arc
    let u = 0;
    let v = 0;
    for (let k = 0; k < nB; k++) {
      u += touch.phiB[2 * k] * d[3 + nA + k];
      v += touch.phiB[2 * k + 1] * d[3 + nA + k];
    }
    mx = dpx - turn * (touch.y - py) + c * u - s * v;
    my = dpy + turn * (touch.x - px) + s * u + c * v;
    touch.dx = mx;
    touch.dy = my;
    this.onSide(touch, mx, my, nodes);
    touch.dDepth = -touch.foot.dGap;
    touch.dnx = -touch.foot.dnx;
    touch.dny = -touch.foot.dny;
    touch.dbx = mx + touch.radius * touch.dnx;
    touch.dby = my + touch.radius * touch.dny;
    touch.dax = nodes[0];
    touch.day = nodes[1];
  }

  /** Of a side of A that bends over a straight edge of B: the motion of the place where n · E' = 0 */
  private overEdge(touch: Touch, dpx: number, dpy: number, turn: number, nodes: Float64Array): void {
    const { foot, nx, ny } = touch;
    const { shape: n } = foot;
    let [ex, ey, sx, sy] = [0, 0, 0, 0];
    for (let j = 0; j < 3; j++) {
      const [u, v] = [nodes[2 * j], nodes[2 * j + 1]];
      ex += n[j] * u;
      ey += n[j] * v;
      sx += n[3 + j] * u;
      sy += n[3 + j] * v;
      foot.dbx += n[6 + j] * u;
      foot.dby += n[6 + j] * v;
    }
    touch.dnx = -ny * turn;
    touch.dny = nx * turn;
    if (!foot.atEnd)
      touch.dXi = -(nx * sx + ny * sy + touch.dnx * foot.tx + touch.dny * foot.ty) / (nx * foot.bx + ny * foot.by);
    touch.dDepth =
      -nx * (ex - dpx + turn * (touch.ay - this.plane.py)) - ny * (ey - dpy - turn * (touch.ax - this.plane.px));
    foot.dtx = sx + foot.bx * touch.dXi;
    foot.dty = sy + foot.by * touch.dXi;
    touch.dax = touch.dbx = touch.dx = ex + foot.tx * touch.dXi;
    touch.day = touch.dby = touch.dy = ey + foot.ty * touch.dXi;
  }

  /** Motion of the foot, then of the place on the side into nodes[0], nodes[1] */
  private onSide(touch: Touch, mx: number, my: number, nodes: Float64Array): void {
    const { foot } = touch;
    foot.move(mx, my, nodes);
    touch.dXi = foot.dXi;
    let x = foot.tx * foot.dXi;
    let y = foot.ty * foot.dXi;
    for (let j = 0; j < 3; j++) {
      x += foot.shape[j] * nodes[2 * j];
      y += foot.shape[j] * nodes[2 * j + 1];
    }
    nodes[0] = x;
    nodes[1] = y;
  }
}
