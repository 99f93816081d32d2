/**
 * Cuts a polygon with holes into pieces that every vertical line meets in one stretch, and those into triangles.
 * Only exact comparisons decide, so every corner, collinear ones too, ends up in a proper triangle and the pieces
 * fill the polygon without overlap. O(n log n).
 *
 * de Berg, Cheong, van Kreveld & Overmars, Computational Geometry (2008), §3.2–3.3, lying on its side.
 */
import { turn } from './orientation.js';
import { isBefore, type SweepEdges, SweepStatus } from './polygon-status.js';

/** Corners of all rings in a row, the outer one counter-clockwise, holes clockwise: the inside is left of each edge. */
export interface Rings extends SweepEdges {
  /** neighbours of each corner in its ring */
  readonly next: Uint32Array;
  readonly previous: Uint32Array;
}

/** Diagonals between corners, two numbers each, that cut the polygon into monotone pieces. */
export function monotoneDiagonals(rings: Rings): number[] {
  const { x, y, next, previous } = rings;
  const n = x.length;
  const order = Uint32Array.from({ length: n }, (_, i) => i).sort((a, b) => x[a] - x[b] || y[a] - y[b] || a - b);
  // In the status are the edges with the inside above them. Each knows the last corner seen above it.
  const status = new SweepStatus(rings);
  const last = new Int32Array(n).fill(-1);
  const merges = new Uint8Array(n); // corners where two parts of the inside joined and a diagonal is still owed
  const diagonals: number[] = [];
  const payDiagonal = (edge: number, corner: number) => {
    if (merges[last[edge]]) diagonals.push(corner, last[edge]);
  };
  for (const corner of order) {
    const [u, w] = [previous[corner], next[corner]];
    const fromLeft = isBefore(x, y, u, corner);
    const toRight = isBefore(x, y, corner, w);
    if (fromLeft && toRight) {
      // Along the lower side
      payDiagonal(u, corner);
      status.replace(u, corner);
      last[corner] = corner;
    } else if (!fromLeft && !toRight) {
      // Along the upper side
      const under = status.locate(corner);
      payDiagonal(under, corner);
      last[under] = corner;
    } else {
      const convex = turn(x[u], y[u], x[corner], y[corner], x[w], y[w]) > 0;
      if (toRight) {
        // Both edges go right: a start, or a split of the inside
        const under = status.locate(corner);
        if (!convex) {
          diagonals.push(corner, last[under]);
          last[under] = corner;
        }
        status.insertAbove(under, corner);
        last[corner] = corner;
      } else {
        // Both come from the left: an end, or two parts of the inside merge
        payDiagonal(u, corner);
        status.remove(u);
        if (!convex) {
          const under = status.locate(corner);
          payDiagonal(under, corner);
          last[under] = corner;
          merges[corner] = 1;
        }
      }
    }
  }
  return diagonals;
}

/** Triangles, counter-clockwise, of a polygon with holes; every corner is used. */
export function monotoneTriangles(rings: Rings): Uint32Array {
  const { x, y, next } = rings;
  const n = x.length;
  const pairs = monotoneDiagonals(rings);
  // Half-edges: 0 … n − 1 the polygon's own, then two per diagonal. `follow` goes round a piece, inside on the left.
  const count = n + pairs.length;
  const target = new Uint32Array(count);
  const follow = new Uint32Array(count);
  target.set(next);
  const leaving = new Map<number, number[]>(); // diagonals leaving a corner
  for (let d = 0; d < pairs.length; d += 2)
    for (const [from, to, edge] of [
      [pairs[d], pairs[d + 1], n + d],
      [pairs[d + 1], pairs[d], n + d + 1],
    ]) {
      target[edge] = to;
      const list = leaving.get(from);
      if (list) list.push(edge);
      else leaving.set(from, [edge]);
    }
  const twin = (edge: number) => n + ((edge - n) ^ 1);
  follow.set(next);
  for (const [corner, list] of leaving) {
    // Counter-clockwise from the edge that leaves along the polygon; the inside angle is up to 360°
    const [ox, oy] = [x[corner], y[corner]];
    const [wx, wy] = [x[next[corner]], y[next[corner]]];
    const half = (p: number) => {
      const side = turn(ox, oy, wx, wy, x[p], y[p]);
      if (side !== 0) return side > 0 ? 0 : 2;
      return 1; // straight back: a diagonal never runs along the edge itself
    };
    list.sort((a, b) => {
      const [p, q] = [target[a], target[b]];
      return half(p) - half(q) || turn(ox, oy, x[q], y[q], x[p], y[p]) || a - b;
    });
    // Arriving by the polygon one leaves by the last diagonal, arriving by a diagonal by the one before it
    follow[rings.previous[corner]] = list[list.length - 1];
    for (let k = 0; k < list.length; k++) follow[twin(list[k])] = k === 0 ? corner : list[k - 1];
  }
  // Each cycle of half-edges is one monotone piece
  const triangles: number[] = [];
  const seen = new Uint8Array(count);
  const source = (edge: number) => (edge < n ? edge : target[twin(edge)]);
  for (let first = 0; first < count; first++) {
    if (seen[first]) continue;
    const piece: number[] = [];
    for (let edge = first; !seen[edge]; edge = follow[edge]) {
      seen[edge] = 1;
      piece.push(source(edge));
    }
    triangulatePiece(rings, piece, triangles);
  }
  return Uint32Array.from(triangles);
}

/** One monotone piece, corners counter-clockwise: walks both sides from the left and cuts off what is convex. */
function triangulatePiece({ x, y }: Rings, piece: readonly number[], triangles: number[]): void {
  const n = piece.length;
  let leftmost = 0;
  for (let i = 1; i < n; i++) if (isBefore(x, y, piece[i], piece[leftmost])) leftmost = i;
  // The lower side runs forwards from the leftmost corner, the upper one backwards
  let lower = leftmost;
  let upper = leftmost;
  const at = (i: number) => piece[((i % n) + n) % n];
  const stack: number[] = [at(leftmost)];
  let stackIsLower = true;
  for (let step = 1; step < n; step++) {
    const isLast = step === n - 1;
    const takeLower: boolean = isLast ? !stackIsLower : isBefore(x, y, at(lower + 1), at(upper - 1));
    const corner = takeLower ? at(++lower) : at(--upper);
    if (stack.length > 1 && takeLower !== stackIsLower) {
      // From the other side: sees the whole stack
      for (let k = 1; k < stack.length; k++)
        if (stackIsLower) triangles.push(stack[k - 1], stack[k], corner);
        else triangles.push(stack[k], stack[k - 1], corner);
      const top = stack[stack.length - 1];
      stack.length = 0;
      stack.push(top, corner);
    } else {
      // From the same side: cuts off corners as long as they are convex
      while (stack.length > 1) {
        const [a, b] = [stack[stack.length - 2], stack[stack.length - 1]];
        const side = turn(x[a], y[a], x[b], y[b], x[corner], y[corner]);
        if (!(takeLower ? side > 0 : side < 0)) break;
        if (takeLower) triangles.push(a, b, corner);
        else triangles.push(b, a, corner);
        stack.pop();
      }
      stack.push(corner);
    }
    stackIsLower = takeLower;
  }
}
