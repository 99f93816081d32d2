/**
 * One body of an overlap: where its vertices are in this evaluation, and which of its parts were met.
 *
 * Nothing is cleared between evaluations: an entry counts only if its stamp equals the number of the evaluation. The
 * arrays have the size of the mesh from the start. One `OverlapBody` may serve many pairs one after the other, but the
 * two bodies of a pair need one each, also if they have the same mesh.
 */
import type { MeshTopology } from './mesh-topology.js';

export class OverlapBody {
  /** number of the evaluation */
  stamp = 0;
  /** 9, by rows: from the mesh's axes to those of the evaluation */
  readonly rotation = new Float64Array(9);
  /** 3: the mesh's origin in the frame of the evaluation, m */
  readonly offset = new Float64Array(3);

  /** of the topology, near at hand for inner loops */
  readonly triangles: Uint32Array;
  readonly edgeOf: Uint32Array;

  /** 3 per vertex: place in the frame of the evaluation, m; each computed once, so that all questions see the same doubles */
  readonly points: Float64Array;
  private readonly placed: Int32Array;
  /** 6 per triangle: least x, y, z, greatest x, y, z of the placed corners, m */
  readonly bounds: Float64Array;
  private readonly bounded: Int32Array;

  /** edges with crossings: the stamp, the first of a list (see `OverlapCurves.next`), the sum of their signs */
  readonly edgeCrossed: Int32Array;
  readonly edgeFirst: Int32Array;
  readonly edgeNet: Int8Array;
  readonly crossedEdges: Int32Array;
  crossedCount = 0;

  /** triangles with segments: the stamp and the first of a list (see `OverlapCurves.segmentNext`) */
  readonly triangleCut: Int32Array;
  readonly triangleFirst: Int32Array;

  /** vertices inside the other body: the stamp and the node */
  readonly vertexInside: Int32Array;
  readonly vertexNode: Int32Array;
  readonly insideVertices: Int32Array;
  insideCount = 0;
  /** shells of which a vertex is known to be inside or outside */
  readonly shellKnown: Int32Array;

  /** triangles of which a part may be inside: cut, or touching a vertex inside */
  readonly wetTriangles: Int32Array;
  wetCount = 0;
  private readonly wet: Int32Array;

  constructor(readonly topology: MeshTopology) {
    const vertices = topology.mesh.vertices.length / 3;
    const triangles = topology.mesh.triangles.length / 3;
    const edges = topology.edgeCount;
    this.triangles = topology.mesh.triangles;
    this.edgeOf = topology.edgeOf;
    this.points = new Float64Array(3 * vertices);
    this.placed = new Int32Array(vertices);
    this.bounds = new Float64Array(6 * triangles);
    this.bounded = new Int32Array(triangles);
    this.edgeCrossed = new Int32Array(edges);
    this.edgeFirst = new Int32Array(edges);
    this.edgeNet = new Int8Array(edges);
    this.crossedEdges = new Int32Array(edges);
    this.triangleCut = new Int32Array(triangles);
    this.triangleFirst = new Int32Array(triangles);
    this.vertexInside = new Int32Array(vertices);
    this.vertexNode = new Int32Array(vertices);
    this.insideVertices = new Int32Array(vertices);
    this.shellKnown = new Int32Array(topology.shellVertex.length);
    this.wetTriangles = new Int32Array(triangles);
    this.wet = new Int32Array(triangles);
  }

  /** Starts an evaluation; `rotation` and `offset` are set by the caller. */
  begin(): void {
    if (this.stamp === 0x7fffffff) {
      for (const stamps of [this.placed, this.bounded, this.edgeCrossed, this.triangleCut]) stamps.fill(0);
      for (const stamps of [this.vertexInside, this.shellKnown, this.wet]) stamps.fill(0);
      this.stamp = 0;
    }
    this.stamp++;
    this.crossedCount = 0;
    this.insideCount = 0;
    this.wetCount = 0;
  }

  /** Makes sure that vertex v is placed. */
  placeVertex(v: number): void {
    if (this.placed[v] === this.stamp) return;
    this.placed[v] = this.stamp;
    const { rotation: r, offset, points } = this;
    const { vertices } = this.topology.mesh;
    const x = vertices[3 * v];
    const y = vertices[3 * v + 1];
    const z = vertices[3 * v + 2];
    points[3 * v] = r[0] * x + r[1] * y + r[2] * z + offset[0];
    points[3 * v + 1] = r[3] * x + r[4] * y + r[5] * z + offset[1];
    points[3 * v + 2] = r[6] * x + r[7] * y + r[8] * z + offset[2];
  }

  /** Makes sure that triangle t has its corners placed and its bounds known. */
  placeTriangle(t: number): void {
    if (this.bounded[t] === this.stamp) return;
    this.bounded[t] = this.stamp;
    const { triangles } = this;
    const a = triangles[3 * t];
    const b = triangles[3 * t + 1];
    const c = triangles[3 * t + 2];
    this.placeVertex(a);
    this.placeVertex(b);
    this.placeVertex(c);
    const { points, bounds } = this;
    for (let k = 0; k < 3; k++) {
      const p = points[3 * a + k];
      const q = points[3 * b + k];
      const r = points[3 * c + k];
      bounds[6 * t + k] = Math.min(p, q, r);
      bounds[6 * t + 3 + k] = Math.max(p, q, r);
    }
  }

  /** Puts a triangle on the list of wet ones. */
  wetTriangle(t: number): void {
    if (this.wet[t] === this.stamp) return;
    this.wet[t] = this.stamp;
    this.wetTriangles[this.wetCount++] = t;
  }
}
