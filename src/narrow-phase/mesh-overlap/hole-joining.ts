/**
 * Holes within one triangle. A closed curve that lies in a single triangle and runs clockwise bounds a hole of that
 * triangle's part inside; no edge leads from it to what surrounds it, so it is joined by looking: along the way from
 * corner 0 of the triangle to a point of the curve, what is met last before the curve bounds the same part.
 */
import type { OverlapBody } from './overlap-body.js';
import type { OverlapCurves } from './overlap-curves.js';

export class HoleJoining {
  /** per root of a curve: 1 + the only triangle of A, of B, that it lies in; −1 if there are several */
  private onlyA = new Int32Array(64);
  private onlyB = new Int32Array(64);
  /** number of joins in the last call */
  joined = 0;

  /** To be called when nodes are joined by segments only, before edges join them: finds curves in one triangle. */
  findCurves(curves: OverlapCurves): void {
    if (this.onlyA.length < curves.nodeCount) {
      this.onlyA = new Int32Array(2 * curves.nodeCount);
      this.onlyB = new Int32Array(2 * curves.nodeCount);
    }
    const { onlyA, onlyB } = this;
    onlyA.fill(0, 0, curves.nodeCount);
    onlyB.fill(0, 0, curves.nodeCount);
    for (let s = 0; s < curves.segmentCount; s++) {
      const root = curves.findRoot(curves.segments[4 * s]);
      const ta = curves.segments[4 * s + 2] + 1;
      const tb = curves.segments[4 * s + 3] + 1;
      onlyA[root] = onlyA[root] === 0 || onlyA[root] === ta ? ta : -1;
      onlyB[root] = onlyB[root] === 0 || onlyB[root] === tb ? tb : -1;
    }
    this.crossings = curves.nodeCount;
    this.single = false;
    for (let node = 0; node < curves.nodeCount; node++) if (onlyA[node] > 0 || onlyB[node] > 0) this.single = true;
    if (!this.single) return;
    // remember each node's curve, since the forest goes on growing
    if (this.curve.length < curves.nodeCount) this.curve = new Int32Array(2 * curves.nodeCount);
    for (let node = 0; node < curves.nodeCount; node++) this.curve[node] = curves.findRoot(node);
  }
  private crossings = 0;
  private single = false;
  private curve = new Int32Array(64);

  /** Joins every hole to what bounds it. */
  join(curves: OverlapCurves, a: OverlapBody, b: OverlapBody): void {
    this.joined = 0;
    if (!this.single) return;
    for (let root = 0; root < this.crossings; root++) {
      if (this.onlyA[root] > 0) this.joinOne(curves, a, 0, root, this.onlyA[root] - 1);
      if (this.onlyB[root] > 0) this.joinOne(curves, b, 1, root, this.onlyB[root] - 1);
    }
  }

  /** @param side 0 for A, 1 for B */
  private joinOne(curves: OverlapCurves, body: OverlapBody, side: 0 | 1, root: number, t: number): void {
    const { points, segments, segmentNext } = curves;
    const { normals, mesh } = body.topology;
    const { rotation: r } = body;
    // coordinates in the triangle's plane: leave out the axis along which its normal is longest
    let axis = 0;
    let height = 0;
    for (let k = 0; k < 3; k++) {
      const n = r[3 * k] * normals[3 * t] + r[3 * k + 1] * normals[3 * t + 1] + r[3 * k + 2] * normals[3 * t + 2];
      if (Math.abs(n) > Math.abs(height)) {
        height = n;
        axis = k;
      }
    }
    const facing = (height > 0 ? 1 : -1) * (side === 0 ? 1 : -1); // B's segments are read backwards
    const e = (axis + 1) % 3;
    const f = (axis + 2) % 3;

    // area of the curve, about its first node
    const x0 = points[3 * root + e];
    const y0 = points[3 * root + f];
    let area = 0;
    for (let s = body.triangleFirst[t]; s >= 0; s = segmentNext[2 * s + side]) {
      const p = 3 * segments[4 * s];
      const q = 3 * segments[4 * s + 1];
      if (this.curve[segments[4 * s]] !== root) continue;
      area += (points[p + e] - x0) * (points[q + f] - y0) - (points[p + f] - y0) * (points[q + e] - x0);
    }
    if (!(facing * area < 0)) return;

    // way from corner 0 to the first node: what is met, and where
    const corner = mesh.triangles[3 * t];
    body.placeVertex(corner);
    const cx = body.points[3 * corner + e];
    const cy = body.points[3 * corner + f];
    const wx = x0 - cx;
    const wy = y0 - cy;
    let reach = 1; // where the curve itself is met first
    for (let pass = 0; pass < 2; pass++) {
      let best = -1;
      let bestAt = -1;
      for (let s = body.triangleFirst[t]; s >= 0; s = segmentNext[2 * s + side]) {
        const own = this.curve[segments[4 * s]] === root;
        if (own !== (pass === 0)) continue;
        const p = 3 * segments[4 * s];
        const q = 3 * segments[4 * s + 1];
        // sides of the way on which the two ends lie, then the place on the way
        const px = points[p + e] - cx;
        const py = points[p + f] - cy;
        const qx = points[q + e] - cx;
        const qy = points[q + f] - cy;
        const sideP = wx * py - wy * px;
        const sideQ = wx * qy - wy * qx;
        if (sideP < 0 === sideQ < 0) continue;
        const along = sideP / (sideP - sideQ);
        const hx = px + along * (qx - px);
        const hy = py + along * (qy - py);
        const at = Math.abs(wx) > Math.abs(wy) ? hx / wx : hy / wy;
        if (!(at > 0 && at <= 1)) continue;
        if (pass === 0) reach = Math.min(reach, at);
        else if (at < reach && at > bestAt) {
          best = s;
          bestAt = at;
        }
      }
      if (pass === 0) continue;
      if (best >= 0) {
        curves.unite(root, segments[4 * best]);
        this.joined++;
      } else if (body.vertexInside[corner] === body.stamp) {
        curves.unite(root, body.vertexNode[corner]);
        this.joined++;
      }
    }
  }
}
