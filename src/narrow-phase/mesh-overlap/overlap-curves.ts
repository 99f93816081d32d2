/**
 * The curves in which two surfaces cross, as nodes and segments, and what is connected through them.
 *
 * A node is a crossing (an edge of one body pierces a triangle of the other) or, added later, a vertex of one body inside
 * the other. A segment is the common line of two triangles; it runs from `start` to `end` so that the part of A's
 * triangle inside B lies to its left, seen against A's normal; for B's triangle it is read from end to start.
 */
import { findRoot, unite } from '../../math/union-find.js';

export class OverlapCurves {
  nodeCount = 0;
  /** nodes below this number are crossings, the others vertices */
  crossingCount = 0;
  private nodeCapacity: number;
  /** 3 per node, m, in the frame of the evaluation */
  points: Float64Array;
  /** one per crossing: place on the edge, from 0 at its lo vertex to 1 at its hi vertex */
  parameter: Float64Array;
  /** one per crossing: +1 if the edge, from lo to hi, enters the other body, −1 if it leaves */
  sign: Int8Array;
  /** one per crossing: the triangle pierced */
  pierced: Int32Array;
  /** one per crossing: the edge that pierces it, e for edge e of A, ~e for edge e of B */
  edge: Int32Array;
  /** one per crossing: the next on the same edge, −1 at the end */
  next: Int32Array;
  /** union–find forest; the smaller number is the root */
  parent: Int32Array;
  /** one per node, written when regions are numbered */
  region: Int32Array;

  segmentCount = 0;
  private segmentCapacity: number;
  /** 4 per segment: start, end, triangle of A, triangle of B */
  segments: Int32Array;
  /** 2 per segment: the next segment on the same triangle of A, of B; −1 at the end */
  segmentNext: Int32Array;

  constructor(nodes = 64, segments = 64) {
    this.nodeCapacity = nodes;
    this.points = new Float64Array(3 * nodes);
    this.parameter = new Float64Array(nodes);
    this.sign = new Int8Array(nodes);
    this.pierced = new Int32Array(nodes);
    this.edge = new Int32Array(nodes);
    this.next = new Int32Array(nodes);
    this.parent = new Int32Array(nodes);
    this.region = new Int32Array(nodes);
    this.segmentCapacity = segments;
    this.segments = new Int32Array(4 * segments);
    this.segmentNext = new Int32Array(2 * segments);
  }

  begin(): void {
    this.nodeCount = this.crossingCount = this.segmentCount = 0;
  }

  /** Adds a node that is its own root. */
  addNode(x: number, y: number, z: number): number {
    if (this.nodeCount === this.nodeCapacity) this.growNodes();
    const node = this.nodeCount++;
    this.points[3 * node] = x;
    this.points[3 * node + 1] = y;
    this.points[3 * node + 2] = z;
    this.parent[node] = node;
    return node;
  }

  /** Adds a segment; the lists of its two triangles are the caller's to link. */
  addSegment(start: number, end: number, triangleA: number, triangleB: number): number {
    if (this.segmentCount === this.segmentCapacity) this.growSegments();
    const segment = this.segmentCount++;
    this.segments[4 * segment] = start;
    this.segments[4 * segment + 1] = end;
    this.segments[4 * segment + 2] = triangleA;
    this.segments[4 * segment + 3] = triangleB;
    this.unite(start, end);
    return segment;
  }

  findRoot(node: number): number {
    return findRoot(this.parent, node);
  }

  unite(a: number, b: number): void {
    unite(this.parent, a, b);
  }

  private growNodes(): void {
    this.nodeCapacity *= 2;
    this.points = grown(this.points, new Float64Array(3 * this.nodeCapacity));
    this.parameter = grown(this.parameter, new Float64Array(this.nodeCapacity));
    this.sign = grown(this.sign, new Int8Array(this.nodeCapacity));
    this.pierced = grown(this.pierced, new Int32Array(this.nodeCapacity));
    this.edge = grown(this.edge, new Int32Array(this.nodeCapacity));
    this.next = grown(this.next, new Int32Array(this.nodeCapacity));
    this.parent = grown(this.parent, new Int32Array(this.nodeCapacity));
    this.region = grown(this.region, new Int32Array(this.nodeCapacity));
  }

  private growSegments(): void {
    this.segmentCapacity *= 2;
    this.segments = grown(this.segments, new Int32Array(4 * this.segmentCapacity));
    this.segmentNext = grown(this.segmentNext, new Int32Array(2 * this.segmentCapacity));
  }
}

function grown<T extends Float64Array | Int32Array | Int8Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}
