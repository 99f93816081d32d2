/**
 * Which vertices of a body lie inside the other, from the crossings alone.
 *
 * On every edge the signs of its crossings add up to
 *
 *   net = status(hi) − status(lo),      status 1 inside, 0 outside,
 *
 * so net = ±1 tells both ends, and a status spreads over all edges with net = 0. The order of crossings along an edge is
 * never asked for this: two crossings at the same place to all digits would make it a gamble. Only a shell on which all
 * nets are zero needs the question whether one of its vertices lies inside.
 */
import type { OverlapBody } from './overlap-body.js';
import type { OverlapCurves } from './overlap-curves.js';
import { exactSide, FILTER, order, shiftOfPlane } from './triangle-crossing.js';

export class InsideMarking {
  private readonly ray: VertexRay;

  /** @param isA whether `body` is the body that is not shifted */
  constructor(
    private readonly body: OverlapBody,
    other: OverlapBody,
    isA: boolean,
  ) {
    this.ray = new VertexRay(body, other, isA);
  }

  /**
   * Marks vertices inside, makes them nodes, joins nodes along edges and lists the wet triangles. Returns how many
   * contradictions were met: none, unless a surface runs through itself.
   */
  mark(curves: OverlapCurves, margin: number): number {
    const { body } = this;
    const { stamp, edgeFirst, edgeNet, crossedEdges, edgeCrossed, vertexInside, shellKnown, insideVertices } = body;
    const { edgeVertices, shellOf, shellVertex, vertexEdges, vertexTriangles } = body.topology;
    let contradictions = 0;

    // ends of edges with net ±1
    for (let c = 0; c < body.crossedCount; c++) {
      const edge = crossedEdges[c];
      let net = 0;
      for (let node = edgeFirst[edge]; node >= 0; node = curves.next[node]) net += curves.sign[node];
      edgeNet[edge] = net;
      if (net === 0) continue;
      if (net !== 1 && net !== -1) contradictions++;
      const inside = edgeVertices[2 * edge + (net > 0 ? 1 : 0)];
      shellKnown[shellOf[inside]] = stamp;
      if (vertexInside[inside] !== stamp) this.addInside(curves, inside);
    }

    // shells of which nothing is known
    for (let shell = 0; shell < shellVertex.length; shell++) {
      if (shellKnown[shell] === stamp) continue;
      const winding = this.ray.winding(shellVertex[shell], margin);
      if (winding === 0) continue;
      if (winding !== 1) contradictions++;
      this.addInside(curves, shellVertex[shell]);
    }

    // spread
    for (let i = 0; i < body.insideCount; i++) {
      const vertex = insideVertices[i];
      for (let k = vertexTriangles.start[vertex]; k < vertexTriangles.start[vertex + 1]; k++)
        body.wetTriangle(vertexTriangles.items[k]);
      for (let k = vertexEdges.start[vertex]; k < vertexEdges.start[vertex + 1]; k++) {
        const edge = vertexEdges.items[k];
        const crossed = edgeCrossed[edge] === stamp;
        if (crossed && edgeNet[edge] !== 0) continue;
        const end = edgeVertices[2 * edge];
        const other = end === vertex ? edgeVertices[2 * edge + 1] : end;
        if (vertexInside[other] !== stamp) this.addInside(curves, other);
        if (!crossed) curves.unite(body.vertexNode[vertex], body.vertexNode[other]);
      }
    }

    // order along crossed edges, inside intervals
    for (let c = 0; c < body.crossedCount; c++) {
      const edge = crossedEdges[c];
      const net = edgeNet[edge];
      if (net !== 0 && vertexInside[edgeVertices[2 * edge + (net > 0 ? 0 : 1)]] === stamp) contradictions++;
      contradictions += this.joinIntervals(curves, edge);
    }
    return contradictions;
  }

  private addInside(curves: OverlapCurves, vertex: number): void {
    const { body } = this;
    body.vertexInside[vertex] = body.stamp;
    body.insideVertices[body.insideCount++] = vertex;
    body.placeVertex(vertex);
    const { points } = body;
    body.vertexNode[vertex] = curves.addNode(points[3 * vertex], points[3 * vertex + 1], points[3 * vertex + 2]);
  }

  /**
   * Sorts the crossings of an edge from lo to hi, entering and leaving in turns as the status of the lo vertex demands,
   * and joins the two ends of every interval inside.
   */
  private joinIntervals(curves: OverlapCurves, edge: number): number {
    const { body } = this;
    const { next, sign, parameter } = curves;
    const lo = body.topology.edgeVertices[2 * edge];
    const hi = body.topology.edgeVertices[2 * edge + 1];
    let open = body.vertexInside[lo] === body.stamp ? body.vertexNode[lo] : -1;
    let rest = body.edgeFirst[edge];
    let last = -1;
    while (rest >= 0) {
      // the nearest of the wanted sign, taken off the rest
      const wanted = open >= 0 ? -1 : 1;
      let best = -1;
      let beforeBest = -1;
      for (let node = rest, before = -1; node >= 0; before = node, node = next[node])
        if (sign[node] === wanted && (best < 0 || parameter[node] < parameter[best])) {
          best = node;
          beforeBest = before;
        }
      if (best < 0) return 1;
      if (beforeBest < 0) rest = next[best];
      else next[beforeBest] = next[best];
      if (last < 0) body.edgeFirst[edge] = best;
      else next[last] = best;
      next[best] = -1;
      last = best;
      if (open >= 0) {
        curves.unite(open, best);
        open = -1;
      } else open = best;
    }
    if (open < 0) return 0;
    if (body.vertexInside[hi] !== body.stamp) return 1;
    curves.unite(open, body.vertexNode[hi]);
    return 0;
  }
}

/**
 * How often the other body winds around a vertex: an imagined edge runs from the vertex to a point outside, along +x of
 * the other's mesh, and the signs of its crossings are added with the same predicates as for any other edge.
 */
class VertexRay {
  private readonly stack: Int32Array;
  /** 6: start and end of the imagined edge */
  private readonly ends = new Float64Array(6);

  constructor(
    private readonly body: OverlapBody,
    private readonly other: OverlapBody,
    private readonly isA: boolean,
  ) {
    this.stack = new Int32Array(other.topology.tree.depth + 2);
  }

  winding(vertex: number, margin: number): number {
    const { body, other, stack, ends } = this;
    body.placeVertex(vertex);
    const { rotation: r, offset } = other;
    const { boxes, links, order: leaves } = other.topology.tree;
    for (let k = 0; k < 3; k++) ends[k] = body.points[3 * vertex + k];

    // the vertex in the other's frame
    const wx = ends[0] - offset[0];
    const wy = ends[1] - offset[1];
    const wz = ends[2] - offset[2];
    const x = r[0] * wx + r[3] * wy + r[6] * wz;
    const y = r[1] * wx + r[4] * wy + r[7] * wz;
    const z = r[2] * wx + r[5] * wy + r[8] * wz;
    if (Math.abs(x - boxes[0]) > boxes[3] + margin) return 0;
    const length = boxes[0] + boxes[3] + other.topology.size - x;
    for (let k = 0; k < 3; k++) ends[3 + k] = ends[k] + length * r[3 * k];

    let net = 0;
    stack[0] = 0;
    for (let top = 1; top > 0; ) {
      const node = stack[--top];
      const i = 6 * node;
      if (Math.abs(y - boxes[i + 1]) > boxes[i + 4] + margin || Math.abs(z - boxes[i + 2]) > boxes[i + 5] + margin)
        continue;
      if (x - boxes[i] > boxes[i + 3] + margin) continue;
      const count = 0 - links[2 * node];
      if (count <= 0) {
        stack[top++] = links[2 * node + 1];
        stack[top++] = 0 - count;
      } else {
        const first = links[2 * node + 1];
        for (let m = first; m < first + count; m++) net += this.pierce(leaves[m]);
      }
    }
    return 0 - net;
  }

  /** +1 if the imagined edge enters through triangle t, −1 if it leaves, 0 if it misses it. */
  private pierce(t: number): number {
    const { other, ends, isA } = this;
    other.placeTriangle(t);
    const { points, bounds } = other;
    const { triangles } = other.topology.mesh;
    const i = 3 * triangles[3 * t];
    const j = 3 * triangles[3 * t + 1];
    const k = 3 * triangles[3 * t + 2];
    let bound = FILTER;
    for (let axis = 0; axis < 3; axis++)
      bound *=
        Math.max(bounds[6 * t + 3 + axis], ends[axis], ends[3 + axis]) -
        Math.min(bounds[6 * t + axis], ends[axis], ends[3 + axis]);
    const start = this.side(i, j, k, 0);
    if (start === this.side(i, j, k, 3)) return 0;
    const first = isA ? order(ends, 0, 3, points, i, j, bound) : order(points, i, j, ends, 0, 3, bound);
    const second = isA ? order(ends, 0, 3, points, j, k, bound) : order(points, j, k, ends, 0, 3, bound);
    if (first !== second) return 0;
    const third = isA ? order(ends, 0, 3, points, k, i, bound) : order(points, k, i, ends, 0, 3, bound);
    return first === third ? 0 - start : 0;
  }

  private side(i: number, j: number, k: number, end: number): number {
    const { points } = this.other;
    const exact = exactSide(points, i, j, k, this.ends, end);
    if (exact !== 0) return exact > 0 ? 1 : -1;
    return this.isA ? shiftOfPlane(points, i, j, k) : 0 - shiftOfPlane(points, i, j, k);
  }
}
