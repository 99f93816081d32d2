/**
 * Lawson's flips: wherever two triangles share an edge and the fourth corner lies inside the circle through the other
 * three, the other diagonal of the quadrilateral is better. Ends in the Delaunay triangulation among those that keep
 * the outer edges.
 */
import { turn } from './orientation.js';

/**
 * The determinant of the circle test, relative to the sum of the sizes of its terms, below which four corners count as on
 * one circle: then both diagonals have the same smallest angle and no flip is made. Rounding errs by less than 1.2e-15 of
 * that sum (Shewchuk 1997, § 4.4), so each flip made is one exact arithmetic would make, and flipping ends (Lawson 1977).
 * Beside the fourth power of lengths the determinant of a needle is nothing: two corners near each other and a third far off.
 */
const ON_CIRCLE = 1e-13;

/** Flips edges of counter-clockwise triangles in place. x and y are those of the corners, m. */
export function flipToDelaunay(triangles: Uint32Array, x: Float64Array, y: Float64Array): void {
  const twin = twinEdges(triangles);
  // Edges still to be looked at, the last one added first; each is waiting at most once
  const stack = new Uint32Array(triangles.length);
  const isWaiting = new Uint8Array(triangles.length);
  let waiting = 0;
  const push = (edge: number) => {
    const other = twin[edge];
    if (other < 0 || isWaiting[edge] || isWaiting[other]) return;
    isWaiting[edge] = 1;
    stack[waiting++] = edge;
  };
  for (let edge = 0; edge < triangles.length; edge++) push(edge);
  while (waiting > 0) {
    const a = stack[--waiting];
    isWaiting[a] = 0;
    const b = twin[a];
    // Triangle (p, q, r) with edge a from p to q, and (q, p, s) beyond it
    const [a1, a2] = [after(a), after(after(a))];
    const [b1, b2] = [after(b), after(after(b))];
    const [p, q, r, s] = [triangles[a], triangles[b], triangles[a2], triangles[b2]];
    if (!insideCircle(x, y, p, q, r, s)) continue;
    // The new triangles (r, s, q) and (s, r, p) must be proper ones
    if (!(turn(x[r], y[r], x[s], y[s], x[q], y[q]) > 0 && turn(x[s], y[s], x[r], y[r], x[p], y[p]) > 0)) continue;
    // a becomes s → q, b becomes r → p; the edges a2 and b2 become the new diagonal
    triangles[a] = s;
    triangles[b] = r;
    link(twin, a, twin[b2]);
    link(twin, b, twin[a2]);
    link(twin, a2, b2);
    push(a);
    push(a1);
    push(b);
    push(b1);
  }
}

/** Next edge of the same triangle; edge e runs from corner triangles[e] to triangles[after(e)]. */
const after = (edge: number): number => (edge % 3 === 2 ? edge - 2 : edge + 1);

function link(twin: Int32Array, a: number, b: number): void {
  twin[a] = b;
  if (b >= 0) twin[b] = a;
}

/** Whether s lies inside the circle through p, q, r by more than rounding. */
function insideCircle(x: Float64Array, y: Float64Array, p: number, q: number, r: number, s: number): boolean {
  const [px, py] = [x[p] - x[s], y[p] - y[s]];
  const [qx, qy] = [x[q] - x[s], y[q] - y[s]];
  const [rx, ry] = [x[r] - x[s], y[r] - y[s]];
  const pp = px * px + py * py;
  const qq = qx * qx + qy * qy;
  const rr = rx * rx + ry * ry;
  const determinant = px * (qy * rr - qq * ry) - py * (qx * rr - qq * rx) + pp * (qx * ry - qy * rx);
  const sizes =
    Math.abs(px) * (Math.abs(qy) * rr + qq * Math.abs(ry)) +
    Math.abs(py) * (Math.abs(qx) * rr + qq * Math.abs(rx)) +
    pp * (Math.abs(qx * ry) + Math.abs(qy * rx));
  return determinant > ON_CIRCLE * sizes;
}

/** The edge running the other way in the neighbouring triangle, or −1: an open-addressing hash over corner pairs. */
function twinEdges(triangles: Uint32Array): Int32Array {
  const n = triangles.length;
  const twin = new Int32Array(n).fill(-1);
  let size = 4;
  while (size < 2 * n) size *= 2;
  const table = new Int32Array(size).fill(-1);
  for (let edge = 0; edge < n; edge++) {
    const [a, b] = [triangles[edge], triangles[after(edge)]];
    const [low, high] = a < b ? [a, b] : [b, a];
    let slot = (Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b)) >>> 0;
    slot = (slot ^ (slot >>> 15)) & (size - 1);
    while (table[slot] >= 0) {
      const other = table[slot];
      if (triangles[other] === b && triangles[after(other)] === a) {
        link(twin, edge, other);
        break;
      }
      slot = (slot + 1) & (size - 1);
    }
    if (twin[edge] < 0) table[slot] = edge;
  }
  return twin;
}
