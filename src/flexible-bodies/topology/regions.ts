/** Parts of a design region that stay full or empty, around joints and where the user says, and its image in a mirror. */
import { ModelError } from '../../errors.js';
import type { Vec2 } from '../../math/vec3.js';
import type { PartInterface } from '../interfaces.js';
import type { DesignMesh } from './design-mesh.js';

export interface Circle {
  readonly at: Vec2;
  /** m */
  readonly radius: number;
}

/** 1 per element that stays full, −1 that stays empty, 0 free; material around joints goes before what shall be empty. */
export function givenRegions(
  mesh: DesignMesh,
  interfaces: readonly PartInterface[],
  size: number,
  { full = [], empty = [] }: { readonly full?: readonly Circle[]; readonly empty?: readonly Circle[] } = {},
): Int8Array {
  const { points, centre, elementCount } = mesh;
  const out = new Int8Array(elementCount);
  const mark = ({ at, radius }: Circle, value: number): void => {
    for (let e = 0; e < elementCount; e++) {
      const [dx, dy] = [centre[2 * e] - at[0], centre[2 * e + 1] - at[1]];
      if (dx * dx + dy * dy <= radius * radius) out[e] = value;
    }
  };
  for (const circle of empty) mark(circle, -1);
  for (const circle of full) mark(circle, 1);
  for (const { point, nodes } of interfaces) {
    const corners = nodes.filter((node) => 2 * node < points.length);
    let reach = 0;
    for (const node of corners) {
      const [dx, dy] = [points[2 * node] - point[0], points[2 * node + 1] - point[1]];
      reach = Math.max(reach, dx * dx + dy * dy);
    }
    // half as far again as a pin reaches, at least two elements
    const around = Math.max(2 * size, Math.min(0.55 * Math.sqrt(reach), 6 * size));
    for (const node of corners) mark({ at: [points[2 * node], points[2 * node + 1]], radius: around }, 1);
  }
  return out;
}

/** @throws ModelError if a circle has no element of any of the meshes: it is beside the part, or smaller than they are */
export function requireCircles(
  meshes: readonly DesignMesh[],
  circles: { readonly full?: readonly Circle[] | undefined; readonly empty?: readonly Circle[] | undefined },
): void {
  for (const name of ['full', 'empty'] as const)
    for (const { at, radius } of circles[name] ?? []) {
      const alone = { [name]: [{ at, radius }] };
      if (!meshes.some((mesh) => givenRegions(mesh, [], 0, alone).some((value) => value !== 0)))
        throw new ModelError(
          name,
          `no element has its middle within ${radius} m of (${at.join(', ')}) m: the circle is beside the part, or smaller than an element; lengths without a unit are m`,
        );
    }
}

/** @throws ModelError if a filter reaches no neighbour: triangles in a checkerboard are stiff only by their few unknowns, and no part */
export function requireRadius(radius: number, size: number): void {
  if (!(radius >= size))
    throw new ModelError(
      'radius',
      `expected at least the side of an element, ${size.toPrecision(3)} m, better two or three, got ${radius} m: it would reach no neighbour; take a larger radius, or smaller elements (size)`,
    );
}

/**
 * A loaded node from which no way through elements that may have material leads to what is held; undefined: all have one.
 *
 * @param empty tells of an element that it has no material
 */
export function cutOff(
  { elements, elementCount, nodesPerElement: n, nodeCount }: DesignMesh,
  empty: (element: number) => boolean,
  held: Iterable<number>,
  loaded: Iterable<number>,
): number | undefined {
  const root = Int32Array.from({ length: nodeCount }, (_, i) => i);
  const find = (node: number): number => {
    let at = node;
    while (root[at] !== at) at = root[at] = root[root[at]];
    return at;
  };
  for (let e = 0; e < elementCount; e++)
    if (!empty(e)) for (let a = 1; a < n; a++) root[find(elements[n * e + a])] = find(elements[n * e]);
  const carried = new Set(Array.from(held, find));
  for (const node of loaded) if (!carried.has(find(node))) return node;
  return undefined;
}

/** Part of the area without an image beyond which a line is no mirror of a part */
const MOST_ALONE = 0.2;

/**
 * Per element the one whose centre is nearest to its image in the line x = value (axis 0) or y = value (axis 1)
 *
 * @throws ModelError if much of the part has no image there
 */
export function mirrorImages({ centre, elementCount, area }: DesignMesh, axis: 0 | 1, value: number): Int32Array {
  // by cells, so that it is not the square of their number
  let [left, low, right, high] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let e = 0; e < elementCount; e++) {
    left = Math.min(left, centre[2 * e]);
    right = Math.max(right, centre[2 * e]);
    low = Math.min(low, centre[2 * e + 1]);
    high = Math.max(high, centre[2 * e + 1]);
  }
  const cell = Math.max(1e-300, Math.sqrt(((right - left) * (high - low)) / elementCount) * 1.5);
  const cells = new Map<string, number[]>();
  const key = (x: number, y: number): string => `${Math.floor((x - left) / cell)},${Math.floor((y - low) / cell)}`;
  for (let e = 0; e < elementCount; e++) {
    const own = key(centre[2 * e], centre[2 * e + 1]);
    const list = cells.get(own);
    if (list) list.push(e);
    else cells.set(own, [e]);
  }
  let [alone, whole] = [0, 0];
  const images = Int32Array.from({ length: elementCount }, (_, e) => {
    const image = [centre[2 * e], centre[2 * e + 1]];
    image[axis] = 2 * value - image[axis];
    let [best, least] = [e, Number.POSITIVE_INFINITY];
    for (let i = -1; i <= 1; i++)
      for (let j = -1; j <= 1; j++)
        for (const other of cells.get(key(image[0] + i * cell, image[1] + j * cell)) ?? []) {
          const [dx, dy] = [centre[2 * other] - image[0], centre[2 * other + 1] - image[1]];
          if (dx * dx + dy * dy < least) {
            least = dx * dx + dy * dy;
            best = other;
          }
        }
    whole += area[e];
    if (least > cell * cell) alone += area[e];
    return best;
  });
  if (alone > MOST_ALONE * whole)
    throw new ModelError(
      'mirror',
      `${'xy'[axis]} = ${value} m is no line of symmetry of the part: ${((100 * alone) / whole).toFixed(0)} % of it has nothing on the other side; lengths without a unit are m`,
    );
  return images;
}
