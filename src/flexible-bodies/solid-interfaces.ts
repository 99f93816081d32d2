/**
 * Where a joint or force takes hold of a flexible solid: a point and the nodes that move with it as one rigid piece.
 *
 * A set of the mesh that the user names, or one that has the name of the joint; all nodes within a radius that the user gives; of an extruded
 * outline the wall of the hole around the point, or the whole flat side on whose edge it lies, from face to face; the whole flat face on which it
 * lies, if that ends the part and does not run along it; else all nodes within one and a half mesh sizes.
 */
import { ModelError, suggestion } from '../errors.js';
import type { SolidMesh } from '../geometry/solid-mesh.js';
import { cross, dot, norm, scale, sub, type Vec3 } from '../math/vec3.js';
import { type Border, heldOf, isJoint, type PartInterface, type Rim, rimAt, rimOf, spread } from './interfaces.js';
import type { ExtrudedMesh } from './mesh/extruded-mesh.js';
import type { PlaneMesh } from './mesh/plane-mesh.js';

export interface SolidInterface extends PartInterface<Vec3> {
  /** Nobody touches its faces from outside: the wall of a hole that a joint holds, or a set */
  readonly closed: boolean;
}

interface Hold {
  readonly name: string;
  readonly at: Vec3;
  readonly radius?: number | undefined;
  readonly set?: string | undefined;
}

/**
 * @param faces    of the surface, 6 nodes each
 * @param size     of the mesh near the point, m
 * @param extruded the planar mesh that it was made of
 * @throws ModelError if nothing of the part is there, or too little to hold it
 */
export function solidInterfaceAt(
  mesh: SolidMesh,
  faces: Int32Array,
  { name, at, radius, set }: Hold,
  size: number,
  extruded?: { readonly plane: PlaneMesh; readonly solid: ExtrudedMesh },
): SolidInterface {
  const { sets } = mesh;
  if (set !== undefined && !sets.has(set))
    throw new ModelError(
      name,
      `the mesh has no set "${set}"${suggestion(set, [...sets.keys()])}; it has ${[...sets.keys()].join(', ') || 'none'}`,
    );
  const own = set ?? name.slice(name.indexOf('.') + 1);
  const named = radius === undefined ? sets.get(own) : undefined;
  const rim =
    named || radius !== undefined
      ? undefined
      : ((extruded && wallAt(extruded, at, size, isJoint(name))) ??
        flatFaceAt(mesh, faces, at, 1e-6 * size, isJoint(name)));
  const told = named ?? (radius !== undefined ? within(mesh, at, radius) : rim?.nodes);
  const nodes = told ?? within(mesh, at, 1.5 * size);
  if (nodes.length === 0) {
    const far = Math.min(...Array.from({ length: mesh.nodeCount }, (_, i) => norm(sub(pointOf(mesh, i), at))));
    throw new ModelError(
      name,
      `takes hold of nothing: the flexible part is ${far.toPrecision(3)} m away from (${at.map((x) => x.toPrecision(4)).join(', ')}) m in its own axes; ` +
        'move the joint onto the part, give the interface a radius, or a set of its mesh',
    );
  }
  if (!spansArea(mesh, nodes))
    throw new ModelError(
      name,
      `takes hold of ${nodes.length} nodes in a line, an interface narrower than an element of ${size.toPrecision(2)} m, about which the part could turn freely; take a smaller mesh size or a larger radius`,
    );
  return {
    point: at,
    nodes,
    closed: named !== undefined || (rim?.closed ?? false),
    ...rim?.slender,
    ...(!told && { within: 1.5 * size }),
  };
}

const pointOf = ({ points }: SolidMesh, i: number): Vec3 => [points[3 * i], points[3 * i + 1], points[3 * i + 2]];

function wallAt(
  { plane, solid }: { readonly plane: PlaneMesh; readonly solid: ExtrudedMesh },
  [x, y]: Vec3,
  size: number,
  glued: boolean,
): Rim | undefined {
  const rim = rimAt(plane, [x, y], size, glued);
  if (!rim) return undefined;
  const own = new Set(rim.nodes);
  const nodes = Int32Array.from({ length: solid.nodeCount }, (_, i) => i).filter((i) => own.has(solid.planeNode[i]));
  return { ...rim, nodes };
}

function within(mesh: SolidMesh, at: Vec3, radius: number): Int32Array {
  return Int32Array.from({ length: mesh.nodeCount }, (_, i) => i).filter(
    (i) => norm(sub(pointOf(mesh, i), at)) <= radius * (1 + 1e-12),
  );
}

/** Nodes of the flat face of the surface through a point, as far as it goes without a bend */
function flatFaceAt(mesh: SolidMesh, faces: Int32Array, at: Vec3, near: number, glued: boolean): Rim | undefined {
  const count = faces.length / 6;
  const corner = (f: number, k: number): Vec3 => pointOf(mesh, faces[6 * f + k]);
  const normalOf = (f: number): Vec3 => {
    const n = cross(sub(corner(f, 1), corner(f, 0)), sub(corner(f, 2), corner(f, 0)));
    return scale(1 / norm(n), n);
  };
  /** All six nodes in the plane through a corner with this normal */
  const liesIn = (f: number, normal: Vec3, through: Vec3): boolean =>
    [0, 1, 2, 3, 4, 5].every((k) => Math.abs(dot(sub(corner(f, k), through), normal)) <= near);
  const holds = (f: number): boolean => {
    const n = normalOf(f);
    if (Math.abs(dot(sub(at, corner(f, 0)), n)) > near) return false;
    return [0, 1, 2].every((k) => {
      const a = corner(f, k);
      const side = sub(corner(f, (k + 1) % 3), a);
      return dot(cross(side, sub(at, a)), n) >= -near * norm(side);
    });
  };
  const found: (Border & { nodes: Set<number>; sides: Set<number> })[] = [];
  for (let first = 0; first < count; first++) {
    if (!holds(first) || found.some(({ sides }) => sides.has(first))) continue;
    const normal = normalOf(first);
    if (!liesIn(first, normal, corner(first, 0))) continue;
    // neighbours share a node
    const byNode = new Map<number, number[]>();
    for (let f = 0; f < count; f++)
      if (liesIn(f, normal, corner(first, 0)) && dot(normalOf(f), normal) > 0)
        for (let k = 0; k < 3; k++) {
          const node = faces[6 * f + k];
          const own = byNode.get(node);
          if (own) own.push(f);
          else byNode.set(node, [f]);
        }
    const seen = new Set([first]);
    const nodes = new Set<number>();
    for (const f of seen) {
      for (let k = 0; k < 6; k++) nodes.add(faces[6 * f + k]);
      for (let k = 0; k < 3; k++) for (const next of byNode.get(faces[6 * f + k])!) seen.add(next);
    }
    const depth = depthBehind(mesh, faces, seen, normal);
    const extents = [0, 1, 2].map((k) => spread(nodes, (i) => mesh.points[3 * i + k]));
    found.push({ nodes, length: Math.max(...extents), depth, sides: seen });
  }
  const held = heldOf(found, glued);
  return held && rimOf(held);
}

/** So many triangles of a flat face tell how deep the part is behind it */
const MOST_RAYS = 200;

/** m: how far it is from triangles of a flat face against their outward normal to the surface on the other side, on average */
function depthBehind(mesh: SolidMesh, faces: Int32Array, own: ReadonlySet<number>, normal: Vec3): number {
  const corner = (f: number, k: number): Vec3 => pointOf(mesh, faces[6 * f + k]);
  const every = Math.ceil(own.size / MOST_RAYS);
  let [sum, area] = [0, 0];
  [...own].forEach((first, turn) => {
    if (turn % every !== 0) return;
    const [a, b, c] = [corner(first, 0), corner(first, 1), corner(first, 2)];
    const middle = scale(1 / 3, [a[0] + b[0] + c[0], a[1] + b[1] + c[1], a[2] + b[2] + c[2]]);
    let nearest = Infinity;
    for (let f = 0; f < faces.length / 6; f++) {
      if (own.has(f)) continue;
      // the line goes through the triangle where its three sides go around the line in one sense; volumes are weights of the corners
      const [p, q, r] = [sub(corner(f, 0), middle), sub(corner(f, 1), middle), sub(corner(f, 2), middle)];
      const [u, v, w] = [dot(normal, cross(q, r)), dot(normal, cross(r, p)), dot(normal, cross(p, q))];
      if (!((u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0)) || u + v + w === 0) continue;
      const far = -(u * dot(p, normal) + v * dot(q, normal) + w * dot(r, normal)) / (u + v + w);
      if (far > 0) nearest = Math.min(nearest, far);
    }
    const weight = norm(cross(sub(b, a), sub(c, a)));
    sum += weight * nearest;
    area += weight;
  });
  return sum / area;
}

/** Three of the nodes make a triangle that is not nearly a line */
function spansArea(mesh: SolidMesh, nodes: Int32Array): boolean {
  if (nodes.length < 3) return false;
  const start = pointOf(mesh, nodes[0]);
  const arms = Array.from(nodes, (node) => sub(pointOf(mesh, node), start));
  const longest = arms.reduce((best, arm) => (norm(arm) > norm(best) ? arm : best));
  const reach = norm(longest);
  return arms.some((arm) => norm(cross(arm, longest)) > 1e-6 * reach * reach);
}
