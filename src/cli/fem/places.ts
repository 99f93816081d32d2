/** Places of a part as `--fix`, `--move` and `--load` name them, in the plane and of solids. */
import { ModelError } from '../../errors.js';
import { addPressure } from '../../flexible-bodies/fem/loads.js';
import { type SolidPart, solidNodes } from '../../flexible-bodies/fem/solid-part.js';
import { addTraction, namedPoint, namedSides, nodeMeant, nodesOf } from '../../flexible-bodies/fem/supports.js';
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
const OF_OUTLINE = /^\s*(left|right|(hole|edges?)\s*\d.*|near\s.*)\s*$/;

const NO_AREA = 'a point has no area that a pressure could act on; name sides, or give a force in N';

/** @param tell of places that are not quite where they were asked for */
export function planePlaces(mesh: PlaneMesh, thickness: number, tell: (note: string) => void): Places {
  return {
    dimension: 2,
    size: 2 * mesh.nodeCount,
    isName: () => false,
    nodes(where, option) {
      const point = namedPoint(mesh, where, option, tell);
      return point === undefined ? nodesOf(mesh, namedSides(mesh, where, option, tell)) : new Set([point]);
    },
    addForce(where, [fx, fy], out, option) {
      const point = namedPoint(mesh, where, option, tell);
      if (point === undefined) {
        addTraction(mesh, namedSides(mesh, where, option, tell), [fx, fy], out);
        return;
      }
      out[2 * point] += fx;
      out[2 * point + 1] += fy;
    },
    addPressure(where, pressure, out, option) {
      if (namedPoint(mesh, where, option, tell) !== undefined) throw new ModelError(option, `"${where}": ${NO_AREA}`);
      addPressure(mesh, namedSides(mesh, where, option, tell), pressure, thickness, out);
    },
  };
}

/** @param drawn the outline that the solid was extruded from, and the node of it that each node lies above */
export function solidPlaces(
  part: SolidPart,
  tell: (note: string) => void,
  drawn?: { readonly plane: PlaneMesh; readonly planeNode: Int32Array },
): Places {
  const { mesh } = part;
  const nodesAt = (where: string, option: string): Int32Array => {
    if (drawn && /^(bottom|top)$/.test(where))
      tell(
        `"${where}" of a part in layers is its face at z = ${where === 'top' ? 'max' : 'min'}; the side of the drawing is "y=${where === 'top' ? 'max' : 'min'}"`,
      );
    if (!drawn || !OF_OUTLINE.test(where) || mesh.sets.has(where)) return solidNodes(mesh, where, option);
    const below = nodesOf(drawn.plane, namedSides(drawn.plane, where, option, tell));
    return Int32Array.from({ length: mesh.nodeCount }, (_, i) => i).filter((i) => below.has(drawn.planeNode[i]));
  };
  return {
    dimension: 3,
    size: part.size,
    isName: (text) => mesh.sets.has(text),
    nodes(where, option) {
      const point = pointOf(part, where, option, tell);
      return new Set(point === undefined ? nodesAt(where, option) : [point]);
    },
    addForce(where, [fx, fy, fz], out, option) {
      const point = pointOf(part, where, option, tell);
      if (point === undefined) {
        part.addForce(nodesAt(where, option), [fx, fy, fz], out, option);
        return;
      }
      [fx, fy, fz].forEach((f, d) => {
        out[3 * point + d] += f;
      });
    },
    addPressure(where, pressure, out, option) {
      if (pointOf(part, where, option, tell) !== undefined) throw new ModelError(option, `"${where}": ${NO_AREA}`);
      part.addPressure(nodesAt(where, option), pressure, out, option);
    },
  };
}

/** `point x,y,z` of a solid: its nearest node; undefined if the text names no point */
function pointOf({ mesh }: SolidPart, text: string, option: string, tell: (note: string) => void): number | undefined {
  const asked = /^point\s+(.+)$/.exec(text.trim());
  if (!asked || mesh.sets.has(text)) return undefined;
  const at = asked[1].split(',').map((one) => format.parseLength(one, option));
  if (at.length !== 3) throw new ModelError(option, `expected three lengths such as "point 0,20mm,5mm", got "${text}"`);
  return nodeMeant({ ...mesh, dimension: 3, nodesPerElement: 10 }, at, text, option, tell);
}
