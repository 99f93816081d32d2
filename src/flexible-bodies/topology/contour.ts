/**
 * The outline of a design: where the density, averaged at the nodes, is one half. Triangles are clipped there; edges that two of them share
 * cancel, and what is left joins to closed outlines with the material to their left. Loops smaller than a few elements are dropped.
 */
import { signedArea } from '../../geometry/polygon.js';
import type { Polygon } from '../../geometry/profile.js';
import type { DesignMesh } from './design-mesh.js';

/** Outer outlines counter-clockwise, holes clockwise, m; the largest first */
export function designOutlines(mesh: DesignMesh, densities: Float64Array, level = 0.5): Polygon[] {
  const { elements, elementCount, nodesPerElement: n, nodeCount, points, area } = mesh;
  const corners = n === 6 ? 3 : n;
  const sum = new Float64Array(nodeCount);
  const weight = new Float64Array(nodeCount);
  for (let e = 0; e < elementCount; e++)
    for (let a = 0; a < corners; a++) {
      sum[elements[n * e + a]] += area[e] * densities[e];
      weight[elements[n * e + a]] += area[e];
    }
  const value = sum.map((total, i) => (weight[i] > 0 ? total / weight[i] : 0));

  // Corners of the clipped triangles: nodes, and crossings on their edges
  const xs: number[] = [];
  const ys: number[] = [];
  const known = new Map<number, number>();
  const vertex = (key: number, x: number, y: number): number => {
    let at = known.get(key);
    if (at === undefined) {
      at = xs.length;
      xs.push(x);
      ys.push(y);
      known.set(key, at);
    }
    return at;
  };
  const nodeVertex = (i: number): number => vertex(i * nodeCount + i, points[2 * i], points[2 * i + 1]);
  const crossing = (a: number, b: number): number => {
    const [p, q] = a < b ? [a, b] : [b, a];
    // not at the ends themselves, where two corners would fall together
    const t = Math.min(0.99, Math.max(0.01, (level - value[p]) / (value[q] - value[p])));
    return vertex(
      p * nodeCount + q,
      points[2 * p] + t * (points[2 * q] - points[2 * p]),
      points[2 * p + 1] + t * (points[2 * q + 1] - points[2 * p + 1]),
    );
  };
  const next = new Map<number, number[]>();
  const edge = (a: number, b: number): void => {
    const back = next.get(b);
    const place = back ? back.indexOf(a) : -1;
    if (back && place >= 0) {
      back.splice(place, 1);
      if (back.length === 0) next.delete(b);
      return;
    }
    const from = next.get(a);
    if (from) from.push(b);
    else next.set(a, [b]);
  };
  const clip = (triangle: readonly number[]): void => {
    const ring: number[] = [];
    for (let k = 0; k < 3; k++) {
      const a = triangle[k];
      const b = triangle[(k + 1) % 3];
      if (value[a] >= level) ring.push(nodeVertex(a));
      if (value[a] >= level !== value[b] >= level) ring.push(crossing(a, b));
    }
    for (let k = 0; k < ring.length; k++) edge(ring[k], ring[(k + 1) % ring.length]);
  };
  for (let e = 0; e < elementCount; e++) {
    const own = Array.from(elements.subarray(n * e, n * e + corners));
    for (let k = 2; k < corners; k++) clip([own[0], own[k - 1], own[k]]);
  }

  // Loops
  const loops: [number, number][][] = [];
  for (const start of [...next.keys()]) {
    while (next.get(start)?.length) {
      const loop: [number, number][] = [];
      let at = start;
      do {
        loop.push([xs[at], ys[at]]);
        const onward = next.get(at)!;
        const to = onward.pop()!;
        if (onward.length === 0) next.delete(at);
        at = to;
      } while (at !== start);
      loops.push(loop);
    }
  }
  const least = (3 * area.reduce((total, a) => total + a, 0)) / elementCount;
  return loops
    .map((loop) => straightened(loop))
    .filter((loop) => loop.length >= 3 && Math.abs(signedArea(loop)) > least)
    .sort((a, b) => Math.abs(signedArea(b)) - Math.abs(signedArea(a)));
}

/** Without corners that lie on a line with their neighbours */
function straightened(loop: readonly [number, number][]): [number, number][] {
  return loop.filter(([x, y], i) => {
    const [px, py] = loop[(i + loop.length - 1) % loop.length];
    const [qx, qy] = loop[(i + 1) % loop.length];
    const turn = (x - px) * (qy - y) - (y - py) * (qx - x);
    const size = (x - px) * (x - px) + (y - py) * (y - py) + (qx - x) * (qx - x) + (qy - y) * (qy - y);
    return Math.abs(turn) > 1e-9 * size;
  });
}
