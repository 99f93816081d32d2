/** What `explain` tells of bodies that deform: their mesh, modes and frequencies, and whether linear strain will do. */
import type { FlexibleNode, System } from '../assembly/system.js';
import { heldAlong } from '../flexible-bodies/interfaces.js';
import { extentsOf } from '../flexible-bodies/reduction.js';
import { factoriseLu, solveLu } from '../math/dense-lu.js';
import { fromQuaternion } from '../math/mat3.js';
import * as format from './format.js';

/** rad: so far an end may turn against the frame, with the membrane term three times as far; simulation/strain-range.ts warns beyond */
const LARGEST_TURN = 0.1;
const WEIGHT = 9.81;

export interface FlexibleFacts {
  readonly name: string;
  /** Triangles of a planar part, tetrahedra of a solid */
  readonly elements: number;
  readonly solid: boolean;
  readonly nodes: number;
  readonly coordinates: number;
  /** Coordinates that are modes with all interfaces held; the others are the motion of the interfaces */
  readonly modes: number;
  /** Hz, natural frequencies with the frame held, ascending */
  readonly frequencies: readonly number[];
  /** Longest over shortest extent along its own axes (of planar parts in the plane) */
  readonly slenderness: number;
  /** Share of the length of a slender part that one joint holds as one rigid piece */
  readonly held: number;
  /** Stretching stiffens its bending */
  readonly membrane: boolean;
  /** rad, by which 9.81 m/s² across it bends it, at most */
  readonly turn: number;
  /** Linear strain tells that much */
  readonly linear: boolean;
  /** Pieces in a row that would; of parts that cannot be cut, too */
  readonly substructures: number;
}

export const flexibleFacts = ({ flexible = [] }: System): FlexibleFacts[] =>
  flexible.map((plan) => {
    const { name, nodes, carrying, frequencies, part, spans } = plan;
    const membrane = spans.length > 0;
    const extents = extentsOf(part.mesh.points, part.kind === 'plane' ? 2 : 3);
    const turn = turnByWeight(plan, Math.max(...extents));
    const limit = LARGEST_TURN * (membrane ? 3 : 1);
    return {
      name: name.slice(name.indexOf('.') + 1),
      elements: part.mesh.elementCount,
      solid: part.kind === 'solid',
      nodes: part.mesh.nodeCount,
      coordinates: nodes.length,
      modes: nodes.length - carrying,
      frequencies: Array.from(frequencies, (w) => w / (2 * Math.PI)),
      slenderness: Math.max(...extents) / Math.min(...extents),
      held: heldAlong(part.mesh.points, part.kind === 'plane' ? 2 : 3, part.interfaces),
      membrane,
      turn,
      linear: turn <= limit,
      substructures: Math.max(1, Math.ceil(turn / limit)),
    };
  });

/** K q = ∫ρ φ · g along each of the part's axes: 1.5 times the largest displacement over the length, as the end of a bent beam turns (4/3 to 3/2) */
function turnByWeight({ part, integrals, stiffness, plane }: FlexibleNode, length: number): number {
  const d = part.kind === 'plane' ? 2 : 3;
  const n = integrals.count;
  const lu = stiffness.slice();
  const pivots = new Int32Array(n);
  if (!factoriseLu(lu, n, pivots)) return 0;
  const axes = fromQuaternion(plane.orientation);
  let most = 0;
  for (let axis = 0; axis < d; axis++) {
    const q = Float64Array.from({ length: n }, (_, k) => {
      let sum = 0;
      for (let j = 0; j < 3; j++) sum += integrals.p[3 * k + j] * axes[3 * j + axis];
      return WEIGHT * sum;
    });
    solveLu(lu, n, pivots, q);
    for (let i = 0; i < part.mesh.nodeCount; i++) {
      let square = 0;
      for (let j = 0; j < d; j++) {
        let u = 0;
        for (let k = 0; k < n; k++) u += q[k] * part.shapes[k][d * i + j];
        square += u * u;
      }
      most = Math.max(most, square);
    }
  }
  return (1.5 * Math.sqrt(most)) / length;
}

export function flexibleText(facts: FlexibleFacts): string {
  const { elements, solid, nodes, coordinates, modes, frequencies, membrane, slenderness, turn, linear } = facts;
  const shown = frequencies.slice(0, 4).map((f) => format.number(f, 4));
  const last = frequencies.length > 4 ? ` … ${format.number(frequencies.at(-1)!, 4)}` : '';
  return [
    `${format.count(elements)} ${solid ? 'tetrahedra' : 'triangles'}, ${format.count(nodes)} nodes`,
    `${coordinates} coordinates, ${modes} of them modes; held at its frame ${shown.join(', ')}${last} Hz`,
    `${format.number(slenderness, 2)} times as long as wide${membrane ? ', stretching stiffens its bending' : ''}`,
    ...(facts.held > 0.5
      ? [`a joint holds ${Math.round(100 * facts.held)} % of its length as one rigid piece, which cannot bend`]
      : []),
    `its own weight across it turns its end by ${format.number(turn, 2)} rad: ` +
      (linear
        ? `linear strain will do (up to ${membrane ? 0.3 : 0.1} rad) for that; its speed and other loads are not in it, the report of a run tells of them`
        : `beyond linear strain (${membrane ? 0.3 : 0.1} rad), some ${facts.substructures} substructures would do`),
  ].join('; ');
}
