/** The node of a mesh that is meant by a point. */

export interface Nodes {
  readonly dimension: 2 | 3;
  /** `dimension` per node, m */
  readonly points: Float64Array;
  readonly nodeCount: number;
  readonly elements: Int32Array;
  readonly nodesPerElement: number;
}

/**
 * Nearest node, its distance, and the longest side of the elements that have it: what is farther away is not of the part.
 *
 * @param at      `dimension` numbers, m
 * @param outline nodes of the outline, one of which is preferred where it is within half a side of its elements
 */
export function nearestNode(
  nodes: Nodes,
  at: ArrayLike<number>,
  outline: Iterable<number> = [],
): { readonly node: number; readonly distance: number; readonly reach: number } {
  const all = Array.from({ length: nodes.nodeCount }, (_, i) => i);
  const [rim, any] = [nearestOf(nodes, at, outline), nearestOf(nodes, at, all)];
  if (rim.node >= 0) {
    const reach = longestSide(nodes, rim.node);
    if (rim.distance <= any.distance || rim.distance <= 0.5 * reach) return { ...rim, reach };
  }
  return { ...any, reach: longestSide(nodes, any.node) };
}

function nearestOf(
  { dimension: d, points }: Nodes,
  at: ArrayLike<number>,
  among: Iterable<number>,
): { node: number; distance: number } {
  let [node, best] = [-1, Infinity];
  for (const i of among) {
    let square = 0;
    for (let k = 0; k < d; k++) square += (points[d * i + k] - at[k]) * (points[d * i + k] - at[k]);
    if (square < best) [node, best] = [i, square];
  }
  return { node, distance: Math.sqrt(best) };
}

/** Of all elements that have the node, m; corners stand before middles */
function longestSide({ dimension: d, points, elements, nodesPerElement: n }: Nodes, node: number): number {
  let longest = 0;
  for (let k = 0; k < elements.length; k++) {
    if (elements[k] !== node) continue;
    const first = k - (k % n);
    for (let a = 0; a <= d; a++)
      for (let b = 0; b < a; b++) {
        let square = 0;
        for (let c = 0; c < d; c++) {
          const by = points[d * elements[first + a] + c] - points[d * elements[first + b] + c];
          square += by * by;
        }
        longest = Math.max(longest, square);
      }
  }
  return Math.sqrt(longest);
}
