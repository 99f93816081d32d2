/** Places of a part as `--fix`, `--move` and `--load` name them, in the plane and of solids. */
import { ModelError } from '../../errors.js';
import { addPressure } from '../../flexible-bodies/fem/loads.js';
import { type SolidPart, solidNodes } from '../../flexible-bodies/fem/solid-part.js';
import { addTraction, namedPoint, namedSides, nodesOf } from '../../flexible-bodies/fem/supports.js';
import type { PlaneMesh } from '../../flexible-bodies/mesh/plane-mesh.js';
import * as format from '../text/format.js';

export interface Places {
  readonly dimension: 2 | 3;
  /** Unknowns, `dimension` per node */
  readonly size: number;
  /** A place of the part that is meant by all of the text, colons included */
  isName(text: string): boolean;
  /** @throws ModelError if there is no such place */
  nodes(where: string, option: string): ReadonlySet<number>;
  /** A force spread evenly over sides or faces, or at a point, N; added to `out` */
  addForce(where: string, force: readonly number[], out: Float64Array, option: string): void;
  /** Pa, on sides or faces, towards the material; added to `out` */
  addPressure(where: string, pressure: number, out: Float64Array, option: string): void;
}

/** Sides of an outline, also of one that was extruded: the faces above them. Its top and bottom are those along z */
const OF_OUTLINE = /^\s*(left|right|(hole|edge)\s*\d+|near\s.*)\s*$/;

const NO_AREA = 'a point has no area that a pressure could act on; name sides, or give a force in N';

export function planePlaces(mesh: PlaneMesh, thickness: number): Places {
  return {
    dimension: 2,
    size: 2 * mesh.nodeCount,
    isName: () => false,
    nodes(where, option) {
      const point = namedPoint(mesh, where, option);
      return point === undefined ? nodesOf(mesh, namedSides(mesh, where, option)) : new Set([point]);
    },
    addForce(where, [fx, fy], out, option) {
      const point = namedPoint(mesh, where, option);
      if (point === undefined) {
        addTraction(mesh, namedSides(mesh, where, option), [fx, fy], out);
        return;
      }
      out[2 * point] += fx;
      out[2 * point + 1] += fy;
    },
    addPressure(where, pressure, out, option) {
      if (namedPoint(mesh, where, option) !== undefined) throw new ModelError(option, `"${where}": ${NO_AREA}`);
      addPressure(mesh, namedSides(mesh, where, option), pressure, thickness, out);
    },
  };
}

/** @param drawn the outline that the solid was extruded from, and the node of it that each node lies above */
export function solidPlaces(
  part: SolidPart,
  drawn?: { readonly plane: PlaneMesh; readonly planeNode: Int32Array },
): Places {
  const { mesh } = part;
  const nodesAt = (where: string, option: string): Int32Array => {
    if (!drawn || !OF_OUTLINE.test(where) || mesh.sets.has(where)) return solidNodes(mesh, where, option);
    const below = nodesOf(drawn.plane, namedSides(drawn.plane, where, option));
    return Int32Array.from({ length: mesh.nodeCount }, (_, i) => i).filter((i) => below.has(drawn.planeNode[i]));
  };
  return {
    dimension: 3,
    size: part.size,
    isName: (text) => mesh.sets.has(text),
    nodes(where, option) {
      const point = nearestNode(part, where, option);
      return new Set(point === undefined ? nodesAt(where, option) : [point]);
    },
    addForce(where, [fx, fy, fz], out, option) {
      const point = nearestNode(part, where, option);
      if (point === undefined) {
        part.addForce(nodesAt(where, option), [fx, fy, fz], out, option);
        return;
      }
      [fx, fy, fz].forEach((f, d) => {
        out[3 * point + d] += f;
      });
    },
    addPressure(where, pressure, out, option) {
      if (nearestNode(part, where, option) !== undefined) throw new ModelError(option, `"${where}": ${NO_AREA}`);
      part.addPressure(nodesAt(where, option), pressure, out, option);
    },
  };
}

/** `point x,y,z` of a solid: its nearest node; undefined if the text names no point */
function nearestNode({ mesh }: SolidPart, text: string, option: string): number | undefined {
  const asked = /^point\s+(.+)$/.exec(text.trim());
  if (!asked || mesh.sets.has(text)) return undefined;
  const at = asked[1].split(',').map((one) => format.parseLength(one, option));
  if (at.length !== 3) throw new ModelError(option, `expected three lengths such as "point 0,20mm,5mm", got "${text}"`);
  const { points, nodeCount } = mesh;
  const square = (i: number): number => {
    const [x, y, z] = [0, 1, 2].map((d) => points[3 * i + d] - at[d]);
    return x * x + y * y + z * z;
  };
  let best = 0;
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < nodeCount; i++) {
    if (square(i) < square(best)) best = i;
    for (let d = 0; d < 3; d++) [low, high] = [Math.min(low, points[3 * i + d]), Math.max(high, points[3 * i + d])];
  }
  const distance = Math.sqrt(square(best));
  if (distance > 0.5 * (high - low))
    throw new ModelError(
      option,
      `"${text}" is nothing of this part: its nearest node is ${distance.toPrecision(3)} m away; lengths without a unit are m, others are written such as 20mm,5mm,0`,
    );
  return best;
}
