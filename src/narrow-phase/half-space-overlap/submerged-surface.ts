/**
 * The part of a closed mesh below a plane: which triangles, cut where, and what of it hangs together.
 *
 * A vertex is wet if its height is < 0, dry otherwise; nothing else is ever decided, so all triangles agree. An edge between a wet and a
 * dry vertex crosses the plane in one point, computed once. A triangle's wet part is a triangle or a quadrilateral; where it is cut, the
 * reverse of its cut is border of the cap in the plane. Wet vertices that share an edge are joined (union–find). The boxes of the
 * mesh's tree leave out what is above: the cost is that of the submerged part.
 */
import { findRoot, unite } from '../../math/union-find.js';
import type { MeshTopology } from '../mesh-overlap/index.js';
import type { PlaneFrame } from './plane-frame.js';

export class SubmergedSurface {
  /** 3 per vertex, then 3 per crossing: relative to the frame's origin, m; vertices only where they were met */
  points: Float64Array;
  /** one per vertex, m */
  readonly height: Float64Array;
  /** triangles with a wet corner */
  readonly wet: Int32Array;
  wetCount = 0;
  /** crossings, places in `points` from `firstCrossing` on */
  readonly firstCrossing: number;
  crossingCount = 0;
  /** 3 per cut: from and to (places in `points` / 3, counter-clockwise for the cap), triangle */
  cuts: Int32Array;
  cutCount = 0;
  /** union–find over vertices; roots stand for connected pieces of wet surface */
  readonly parent: Int32Array;
  /** one per vertex, valid for roots: whether the piece is cut by the plane (the stamp) */
  readonly cutPiece: Int32Array;
  /** number of the evaluation */
  stamp = 0;

  private readonly placed: Int32Array;
  private readonly edgePlaced: Int32Array;
  private readonly edgeCrossing: Int32Array;
  private readonly stack: Int32Array;

  constructor(readonly topology: MeshTopology) {
    const vertices = topology.mesh.vertices.length / 3;
    const triangles = topology.mesh.triangles.length / 3;
    this.firstCrossing = vertices;
    this.points = new Float64Array(3 * vertices + 96);
    this.height = new Float64Array(vertices);
    this.placed = new Int32Array(vertices);
    this.parent = new Int32Array(vertices);
    this.cutPiece = new Int32Array(vertices);
    this.wet = new Int32Array(triangles);
    this.cuts = new Int32Array(96);
    this.edgePlaced = new Int32Array(topology.edgeCount);
    this.edgeCrossing = new Int32Array(topology.edgeCount);
    this.stack = new Int32Array(topology.tree.depth + 2);
  }

  /** Finds everything for a frame that is set. */
  find(frame: PlaneFrame): void {
    if (this.stamp === 0x7fffffff) {
      for (const stamps of [this.placed, this.edgePlaced, this.cutPiece]) stamps.fill(0);
      this.stamp = 0;
    }
    this.stamp++;
    this.wetCount = this.crossingCount = this.cutCount = 0;
    this.search(frame);
    for (let i = 0; i < this.wetCount; i++) this.cut(this.wet[i]);
    for (let i = 0; i < this.cutCount; i++) {
      const t = 3 * this.cuts[3 * i + 2];
      this.cutPiece[this.pieceOf(t / 3)] = this.stamp;
    }
  }

  /** Root of the piece that a wet triangle belongs to. */
  pieceOf(t: number): number {
    const { triangles } = this.topology.mesh;
    const { height } = this;
    const a = triangles[3 * t];
    const b = triangles[3 * t + 1];
    return this.findRoot(height[a] < 0 ? a : height[b] < 0 ? b : triangles[3 * t + 2]);
  }

  findRoot(v: number): number {
    return findRoot(this.parent, v);
  }

  /** The smaller number becomes the root. */
  unite(v: number, w: number): void {
    unite(this.parent, v, w);
  }

  /** Triangles with a wet corner, in the order of the tree. */
  private search({ normal, origin, originHeight }: PlaneFrame): void {
    const { boxes, links, order } = this.topology.tree;
    const { triangles } = this.topology.mesh;
    const { stack, height, wet } = this;
    const nx = normal[0];
    const ny = normal[1];
    const nz = normal[2];
    const base = originHeight - (nx * origin[0] + ny * origin[1] + nz * origin[2]);
    const margin = 1e-13 * (this.topology.size + Math.abs(base));
    stack[0] = 0;
    for (let top = 1; top > 0; ) {
      const node = stack[--top];
      const i = 6 * node;
      const reach = Math.abs(nx) * boxes[i + 3] + Math.abs(ny) * boxes[i + 4] + Math.abs(nz) * boxes[i + 5];
      if (nx * boxes[i] + ny * boxes[i + 1] + nz * boxes[i + 2] + base - reach > margin) continue;
      const count = 0 - links[2 * node];
      if (count <= 0) {
        stack[top++] = links[2 * node + 1];
        stack[top++] = links[2 * node];
        continue;
      }
      const first = links[2 * node + 1];
      for (let k = first; k < first + count; k++) {
        const t = order[k];
        const a = triangles[3 * t];
        const b = triangles[3 * t + 1];
        const c = triangles[3 * t + 2];
        this.place(a, normal, origin, originHeight);
        this.place(b, normal, origin, originHeight);
        this.place(c, normal, origin, originHeight);
        if (height[a] < 0 || height[b] < 0 || height[c] < 0) wet[this.wetCount++] = t;
      }
    }
  }

  private place(v: number, normal: Float64Array, origin: Float64Array, originHeight: number): void {
    if (this.placed[v] === this.stamp) return;
    this.placed[v] = this.stamp;
    this.parent[v] = v;
    const { vertices } = this.topology.mesh;
    const x = vertices[3 * v] - origin[0];
    const y = vertices[3 * v + 1] - origin[1];
    const z = vertices[3 * v + 2] - origin[2];
    this.points[3 * v] = x;
    this.points[3 * v + 1] = y;
    this.points[3 * v + 2] = z;
    this.height[v] = normal[0] * x + normal[1] * y + normal[2] * z + originHeight;
  }

  /** Joins the wet corners of a triangle and finds its cut. */
  private cut(t: number): void {
    const { height, topology } = this;
    const { triangles } = topology.mesh;
    let leaving = -1;
    let entering = -1;
    for (let k = 0; k < 3; k++) {
      const i = triangles[3 * t + k];
      const j = triangles[3 * t + (k === 2 ? 0 : k + 1)];
      const wetI = height[i] < 0;
      const wetJ = height[j] < 0;
      if (wetI && wetJ) this.unite(i, j);
      else if (wetI) leaving = this.crossing(topology.edgeOf[3 * t + k], i, j);
      else if (wetJ) entering = this.crossing(topology.edgeOf[3 * t + k], j, i);
    }
    if (leaving < 0) return;
    if (3 * this.cutCount === this.cuts.length) {
      const wider = new Int32Array(2 * this.cuts.length);
      wider.set(this.cuts);
      this.cuts = wider;
    }
    const at = 3 * this.cutCount++;
    this.cuts[at] = entering;
    this.cuts[at + 1] = leaving;
    this.cuts[at + 2] = t;
  }

  /** The crossing on the edge from wet i to dry j of triangle corner order, after `find`: place in `points` / 3. */
  crossingOf(edge: number): number {
    return this.edgeCrossing[edge];
  }

  private crossing(edge: number, i: number, j: number): number {
    if (this.edgePlaced[edge] === this.stamp) return this.edgeCrossing[edge];
    this.edgePlaced[edge] = this.stamp;
    const node = this.firstCrossing + this.crossingCount++;
    this.edgeCrossing[edge] = node;
    if (this.points.length < 3 * node + 3) {
      const wider = new Float64Array(2 * this.points.length);
      wider.set(this.points);
      this.points = wider;
    }
    const { points, height } = this;
    // from the nearer end, so that a short way keeps its digits
    const below = 0 - height[i];
    const above = height[j];
    const near = above < below ? 3 * j : 3 * i;
    const far = 3 * i + 3 * j - near;
    const s = Math.min(above, below) / (above + below);
    for (let k = 0; k < 3; k++) points[3 * node + k] = points[near + k] + s * (points[far + k] - points[near + k]);
    return node;
  }
}
