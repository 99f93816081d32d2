/**
 * Integrals over the surface of every region of the overlap, from the borders of the triangles' parts inside.
 *
 * The part of a triangle (unit normal n) inside the other body is bounded by straight pieces p → q, counter-clockwise:
 * its segments, and the intervals inside on its three sides. With p and q measured from the region's own origin r₀ (one
 * of its nodes), d = n · p and c = d n the foot of r₀ on the plane, the triangle c, p, q has
 *
 *   a = ½ n · (p × q),   s = c + p + q,   ∫ r dA = a s/3,   ∫ r rᵀ dA = a/12 (c cᵀ + p pᵀ + q qᵀ + s sᵀ)
 *
 * and the sum over the pieces is the integral over the part, whatever its shape. Since n · r = d on the plane, the
 * divergence theorem (div r = 3, div(x r) = 4 x) gives volume and its first moment from the same sums:
 *
 *   V += d a/3,   ∫ r dV += d/4 ∫ r dA
 *
 * An origin in the region keeps all numbers small where the region is small: a corner sunk by δ into a face of size L has
 * its volume right to about ε L/δ, the least that the rounding of the coordinates allows.
 */
import { FACE, type OverlapGradient } from '../overlap-gradient.js';
import type { OverlapBody } from './overlap-body.js';
import type { OverlapCurves } from './overlap-curves.js';

/** Places of the sums of a region. A's surface: area, S, ∫r dA, Q, ∫r rᵀ dA; both: V, ∫r dV; B's: S, Q, area; origin. */
export const SUM = {
  area: 0,
  vectorA: 1,
  first: 4,
  momentA: 7,
  second: 10, // xx yy zz xy xz yz
  volume: 16,
  volumeFirst: 17,
  vectorB: 20,
  momentB: 23,
  areaB: 26,
  origin: 27,
  length: 30,
} as const;

export class RegionSums {
  count = 0;
  /** `SUM.length` per region */
  sums = new Float64Array(4 * SUM.length);
  /** 2 per region: least triangle of A and of B on the region's curves, −1 without curves */
  features = new Int32Array(8);
  private curves!: OverlapCurves;

  // the triangle at work
  private nx = 0;
  private ny = 0;
  private nz = 0;
  private isA = true;
  /** whether ∫ r rᵀ dA is wanted: of A's surface, and of B's for gradients */
  private second = true;
  private gradient: OverlapGradient | undefined;
  private readonly face = new Float64Array(FACE.length);
  // sums of its pieces, about the origin of region `current`
  private current = -1;
  private ox = 0;
  private oy = 0;
  private oz = 0;
  private d = 0;
  private twice = 0; // twice the area
  private sx = 0; // ∑ 2a s
  private sy = 0;
  private sz = 0;
  private xx = 0; // ∑ 2a (p pᵀ + q qᵀ + s sᵀ)
  private yy = 0;
  private zz = 0;
  private xy = 0;
  private xz = 0;
  private yz = 0;

  /** Numbers the connected sets of nodes in the order of their first nodes and gives each its origin. */
  begin(curves: OverlapCurves): void {
    this.curves = curves;
    const { region, parent, points } = curves;
    this.count = 0;
    for (let node = 0; node < curves.nodeCount; node++) {
      const root = curves.findRoot(node);
      if (root !== node) region[node] = region[root];
      else {
        region[node] = this.count;
        parent[node] = node;
        const at = SUM.length * this.count++;
        if (this.sums.length < at + SUM.length) this.grow();
        this.sums.fill(0, at, at + SUM.length);
        for (let k = 0; k < 3; k++) this.sums[at + SUM.origin + k] = points[3 * node + k];
      }
    }
    this.features.fill(-1, 0, 2 * this.count);
    for (let s = 0; s < curves.segmentCount; s++) {
      const at = 2 * region[curves.segments[4 * s]];
      for (let side = 0; side < 2; side++) {
        const t = curves.segments[4 * s + 2 + side];
        if (this.features[at + side] < 0 || t < this.features[at + side]) this.features[at + side] = t;
      }
    }
  }

  /** Adds the surface of one body inside the other. */
  add(body: OverlapBody, isA: boolean): void {
    this.isA = this.second = isA;
    this.walk(body, isA);
  }

  /** Hands the faces of B inside A to the gradient instead, once regions have their final places. */
  addFaces(b: OverlapBody, gradient: OverlapGradient): void {
    this.isA = false;
    this.second = true;
    this.gradient = gradient;
    this.walk(b, false);
    this.gradient = undefined;
  }

  private walk(body: OverlapBody, isA: boolean): void {
    const { curves } = this;
    const { stamp, wetTriangles, triangleCut, triangleFirst, edgeCrossed, vertexInside, vertexNode } = body;
    const { edgeOf, normals, areas, mesh } = body.topology;
    const { triangles } = mesh;
    const r = body.rotation;
    for (let w = 0; w < body.wetCount; w++) {
      const t = wetTriangles[w];
      const h = 3 * t;
      this.nx = r[0] * normals[h] + r[1] * normals[h + 1] + r[2] * normals[h + 2];
      this.ny = r[3] * normals[h] + r[4] * normals[h + 1] + r[5] * normals[h + 2];
      this.nz = r[6] * normals[h] + r[7] * normals[h + 1] + r[8] * normals[h + 2];
      const cut = triangleCut[t] === stamp;
      const free0 = edgeCrossed[edgeOf[h]] !== stamp;
      const free1 = edgeCrossed[edgeOf[h + 1]] !== stamp;
      const free2 = edgeCrossed[edgeOf[h + 2]] !== stamp;
      const v0 = triangles[h];
      const v1 = triangles[h + 1];
      const v2 = triangles[h + 2];
      if (!cut && free0 && free1 && free2) {
        if (vertexInside[v0] === stamp) this.whole(vertexNode[v0], vertexNode[v1], vertexNode[v2], areas[t]);
        continue;
      }
      // sides
      if (!free0) this.edgePieces(body, edgeOf[h], v0 < v1);
      else if (vertexInside[v0] === stamp) this.piece(vertexNode[v0], vertexNode[v1]);
      if (!free1) this.edgePieces(body, edgeOf[h + 1], v1 < v2);
      else if (vertexInside[v1] === stamp) this.piece(vertexNode[v1], vertexNode[v2]);
      if (!free2) this.edgePieces(body, edgeOf[h + 2], v2 < v0);
      else if (vertexInside[v2] === stamp) this.piece(vertexNode[v2], vertexNode[v0]);
      // segments
      if (cut) {
        const { segments, segmentNext } = curves;
        for (let s = triangleFirst[t]; s >= 0; s = segmentNext[isA ? 2 * s : 2 * s + 1])
          if (isA) this.piece(segments[4 * s], segments[4 * s + 1]);
          else this.piece(segments[4 * s + 1], segments[4 * s]);
      }
      this.flush();
    }
  }

  /** The intervals inside of a crossed edge, along (forward) or against its direction from lo to hi. */
  private edgePieces(body: OverlapBody, edge: number, forward: boolean): void {
    const { next } = this.curves;
    const lo = body.topology.edgeVertices[2 * edge];
    const hi = body.topology.edgeVertices[2 * edge + 1];
    let open = body.vertexInside[lo] === body.stamp ? body.vertexNode[lo] : -1;
    for (let node = body.edgeFirst[edge]; node >= 0; node = next[node]) {
      if (open < 0) open = node;
      else {
        if (forward) this.piece(open, node);
        else this.piece(node, open);
        open = -1;
      }
    }
    if (open >= 0 && body.vertexInside[hi] === body.stamp) {
      if (forward) this.piece(open, body.vertexNode[hi]);
      else this.piece(body.vertexNode[hi], open);
    }
  }

  /** One piece of border of the triangle at work, from node to node. */
  private piece(from: number, to: number): void {
    const { points, region } = this.curves;
    const px = points[3 * from];
    const py = points[3 * from + 1];
    const pz = points[3 * from + 2];
    if (region[from] !== this.current) this.enter(region[from], px, py, pz);
    const { ox, oy, oz, nx, ny, nz, d } = this;
    const x = px - ox;
    const y = py - oy;
    const z = pz - oz;
    const u = points[3 * to] - ox;
    const v = points[3 * to + 1] - oy;
    const w = points[3 * to + 2] - oz;
    const twice = nx * (y * w - z * v) + ny * (z * u - x * w) + nz * (x * v - y * u);
    const sx = d * nx + x + u;
    const sy = d * ny + y + v;
    const sz = d * nz + z + w;
    this.twice += twice;
    this.sx += twice * sx;
    this.sy += twice * sy;
    this.sz += twice * sz;
    if (!this.second) return;
    this.xx += twice * (x * x + u * u + sx * sx);
    this.yy += twice * (y * y + v * v + sy * sy);
    this.zz += twice * (z * z + w * w + sz * sz);
    this.xy += twice * (x * y + u * v + sx * sy);
    this.xz += twice * (x * z + u * w + sx * sz);
    this.yz += twice * (y * z + v * w + sy * sz);
  }

  /** A triangle that lies inside altogether. */
  private whole(node0: number, node1: number, node2: number, area: number): void {
    const { points, region } = this.curves;
    const x0 = points[3 * node0];
    const y0 = points[3 * node0 + 1];
    const z0 = points[3 * node0 + 2];
    this.enter(region[node0], x0, y0, z0);
    const { ox, oy, oz } = this;
    const x = x0 - ox;
    const y = y0 - oy;
    const z = z0 - oz;
    const u = points[3 * node1] - ox;
    const v = points[3 * node1 + 1] - oy;
    const w = points[3 * node1 + 2] - oz;
    const f = points[3 * node2] - ox;
    const g = points[3 * node2 + 1] - oy;
    const h = points[3 * node2 + 2] - oz;
    const sx = x + u + f;
    const sy = y + v + g;
    const sz = z + w + h;
    const twice = 2 * area;
    // the corner takes the place of the foot c in the sums, which `flush` would add
    const cx = this.d * this.nx;
    const cy = this.d * this.ny;
    const cz = this.d * this.nz;
    this.twice = twice;
    this.sx = twice * sx;
    this.sy = twice * sy;
    this.sz = twice * sz;
    if (this.second) {
      this.xx = twice * (x * x + u * u + f * f + sx * sx - cx * cx);
      this.yy = twice * (y * y + v * v + g * g + sy * sy - cy * cy);
      this.zz = twice * (z * z + w * w + h * h + sz * sz - cz * cz);
      this.xy = twice * (x * y + u * v + f * g + sx * sy - cx * cy);
      this.xz = twice * (x * z + u * w + f * h + sx * sz - cx * cz);
      this.yz = twice * (y * z + v * w + g * h + sy * sz - cy * cz);
    }
    this.flush();
  }

  /** The pieces that follow belong to another region: (x, y, z) is a point of the triangle's plane. */
  private enter(region: number, x: number, y: number, z: number): void {
    this.flush();
    this.current = region;
    const at = SUM.length * region + SUM.origin;
    this.ox = this.sums[at];
    this.oy = this.sums[at + 1];
    this.oz = this.sums[at + 2];
    this.d = this.nx * (x - this.ox) + this.ny * (y - this.oy) + this.nz * (z - this.oz);
  }

  /** Adds the sums of the pieces to their region. */
  private flush(): void {
    if (this.current < 0) return;
    const { sums, nx, ny, nz, d, isA } = this;
    const at = SUM.length * this.current;
    this.current = -1;
    const area = 0.5 * this.twice;
    const mx = this.sx / 6;
    const my = this.sy / 6;
    const mz = this.sz / 6;
    if (this.gradient) {
      this.handFace(at / SUM.length, mx, my, mz);
      return;
    }
    const vector = at + (isA ? SUM.vectorA : SUM.vectorB);
    sums[vector] += area * nx;
    sums[vector + 1] += area * ny;
    sums[vector + 2] += area * nz;
    const moment = at + (isA ? SUM.momentA : SUM.momentB);
    sums[moment] += my * nz - mz * ny;
    sums[moment + 1] += mz * nx - mx * nz;
    sums[moment + 2] += mx * ny - my * nx;
    sums[at + SUM.volume] += (d * area) / 3;
    sums[at + SUM.volumeFirst] += 0.25 * d * mx;
    sums[at + SUM.volumeFirst + 1] += 0.25 * d * my;
    sums[at + SUM.volumeFirst + 2] += 0.25 * d * mz;
    if (isA) {
      const c = d * d * this.twice;
      sums[at + SUM.area] += area;
      sums[at + SUM.first] += mx;
      sums[at + SUM.first + 1] += my;
      sums[at + SUM.first + 2] += mz;
      sums[at + SUM.second] += (this.xx + c * nx * nx) / 24;
      sums[at + SUM.second + 1] += (this.yy + c * ny * ny) / 24;
      sums[at + SUM.second + 2] += (this.zz + c * nz * nz) / 24;
      sums[at + SUM.second + 3] += (this.xy + c * nx * ny) / 24;
      sums[at + SUM.second + 4] += (this.xz + c * nx * nz) / 24;
      sums[at + SUM.second + 5] += (this.yz + c * ny * nz) / 24;
      this.xx = this.yy = this.zz = this.xy = this.xz = this.yz = 0;
    } else sums[at + SUM.areaB] += area;
    this.twice = this.sx = this.sy = this.sz = 0;
  }

  /** The pieces as a face of B for the gradient. */
  private handFace(region: number, mx: number, my: number, mz: number): void {
    const { face, nx, ny, nz } = this;
    const c = this.d * this.d * this.twice;
    face[0] = nx;
    face[1] = ny;
    face[2] = nz;
    face[3] = mx;
    face[4] = my;
    face[5] = mz;
    face[6] = (this.xx + c * nx * nx) / 24;
    face[7] = (this.yy + c * ny * ny) / 24;
    face[8] = (this.zz + c * nz * nz) / 24;
    face[9] = (this.xy + c * nx * ny) / 24;
    face[10] = (this.xz + c * nx * nz) / 24;
    face[11] = (this.yz + c * ny * nz) / 24;
    this.gradient?.addFaceB(region, face);
    this.xx = this.yy = this.zz = this.xy = this.xz = this.yz = 0;
    this.twice = this.sx = this.sy = this.sz = 0;
  }

  private grow(): void {
    const sums = new Float64Array(2 * this.sums.length);
    sums.set(this.sums);
    this.sums = sums;
    this.features = new Int32Array(2 * this.features.length);
  }
}
