/** A mesh of triangles in the plane of a part, with straight sides (T3) or with nodes in the middle of the sides (T6). */

export interface PlaneMesh {
  /** 2 per node, m: corners of triangles first, then middles of sides */
  readonly points: Float64Array;
  readonly nodeCount: number;
  /** Nodes that are corners */
  readonly cornerCount: number;
  /** Nodes per element: 3, or 6 (corners a, b, c, then middles of ab, bc, ca) */
  readonly nodesPerElement: 3 | 6;
  /** Counter-clockwise */
  readonly elements: Int32Array;
  readonly elementCount: number;
  /** 3 per boundary side, the inside to the left: from, to, middle (−1 in T3) */
  readonly sides: Int32Array;
  /** Per boundary side: number of the outline edge it lies on, counted through `outer` and then the holes; equal arcs of one circle that follow each other are one edge */
  readonly sideEdge: Int32Array;
  /** Per outline edge: its loop, 0 for the outside, 1 … for holes */
  readonly edgeLoop: Int32Array;
}

/** Area of the triangles (by corners) in m² and the cosine of their smallest angle. */
export function cornerQuality({ points, elements, elementCount, nodesPerElement }: PlaneMesh): {
  area: number;
  largestCosine: number;
} {
  let area = 0;
  let largestCosine = -1;
  for (let e = 0; e < elementCount; e++) {
    const [a, b, c] = [
      elements[nodesPerElement * e],
      elements[nodesPerElement * e + 1],
      elements[nodesPerElement * e + 2],
    ];
    const abx = points[2 * b] - points[2 * a];
    const aby = points[2 * b + 1] - points[2 * a + 1];
    const bcx = points[2 * c] - points[2 * b];
    const bcy = points[2 * c + 1] - points[2 * b + 1];
    const cax = points[2 * a] - points[2 * c];
    const cay = points[2 * a + 1] - points[2 * c + 1];
    area += (abx * bcy - aby * bcx) / 2;
    const ab = Math.sqrt(abx * abx + aby * aby);
    const bc = Math.sqrt(bcx * bcx + bcy * bcy);
    const ca = Math.sqrt(cax * cax + cay * cay);
    largestCosine = Math.max(
      largestCosine,
      -(abx * bcx + aby * bcy) / (ab * bc),
      -(bcx * cax + bcy * cay) / (bc * ca),
      -(cax * abx + cay * aby) / (ca * ab),
    );
  }
  return { area, largestCosine };
}

/** T3 → T6: a node in the middle of each side; `middle` may put those of boundary sides elsewhere, as on an arc. */
export function withMiddles(mesh: PlaneMesh, middle?: (side: number) => readonly [number, number]): PlaneMesh {
  const { elements, elementCount, points, cornerCount, sides } = mesh;
  const found = new Map<number, number>();
  const extra: number[] = [];
  const key = (a: number, b: number): number => (a < b ? a * cornerCount + b : b * cornerCount + a);
  const nodeBetween = (a: number, b: number): number => {
    const k = key(a, b);
    let node = found.get(k);
    if (node === undefined) {
      node = cornerCount + extra.length / 2;
      extra.push((points[2 * a] + points[2 * b]) / 2, (points[2 * a + 1] + points[2 * b + 1]) / 2);
      found.set(k, node);
    }
    return node;
  };
  const six = new Int32Array(6 * elementCount);
  for (let e = 0; e < elementCount; e++) {
    const [a, b, c] = [elements[3 * e], elements[3 * e + 1], elements[3 * e + 2]];
    six.set([a, b, c, nodeBetween(a, b), nodeBetween(b, c), nodeBetween(c, a)], 6 * e);
  }
  const newSides = sides.slice();
  for (let s = 0; s < sides.length / 3; s++) {
    const node = found.get(key(sides[3 * s], sides[3 * s + 1]))!;
    newSides[3 * s + 2] = node;
    if (!middle) continue;
    const [x, y] = middle(s);
    extra[2 * (node - cornerCount)] = x;
    extra[2 * (node - cornerCount) + 1] = y;
  }
  const all = new Float64Array(2 * cornerCount + extra.length);
  all.set(points.subarray(0, 2 * cornerCount));
  all.set(extra, 2 * cornerCount);
  return {
    ...mesh,
    points: all,
    nodeCount: all.length / 2,
    nodesPerElement: 6,
    elements: six,
    sides: newSides,
  };
}
