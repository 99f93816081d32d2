/**
 * What `explain` tells of bodies that deform: their mesh, modes and frequencies, and whether linear strain will do for the loads that are known before a
 * run: weight across them, all that acts at rest where a position of rest is known, and the speed at which they start or are driven.
 */
import { type FlexibleNode, NODE, type System } from '../assembly/system.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { heldAlong } from '../flexible-bodies/interfaces.js';
import { extentsOf } from '../flexible-bodies/reduction.js';
import { factoriseLu, solveLu } from '../math/dense-lu.js';
import { fromQuaternion } from '../math/mat3.js';
import { norm } from '../math/vec3.js';
import * as format from './format.js';

/** rad: so far an end may turn against the frame, with the membrane term three times as far; simulation/strain-range.ts warns beyond */
const LARGEST_TURN = 0.1;
const WEIGHT = 9.81;
/** Of the first frequency: so fast a part without the membrane term may turn; simulation/strain-range.ts warns beyond */
const FAST = 0.3;
/** Instants at which driven joints are asked for their speed */
const INSTANTS = 200;

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
  /** rad, by which its own weight bends it at most, whichever way it lies; 9.81 m/s² where gravity is no constant */
  readonly turn: number;
  /** rad, by which all that acts on it bends it where it is at rest; null where no position of rest is known */
  readonly turnAtRest: number | null;
  /** rad/s: how fast it turns at the start, or as the joints that carry it are driven, if all are */
  readonly speed: number;
  /** Linear strain tells that much, as far as these loads go */
  readonly linear: boolean;
  /** Pieces in a row that would; of parts that cannot be cut, too */
  readonly substructures: number;
}

/** Where the mechanism starts and, if that is known, rests */
export interface KnownLoads {
  readonly mechanics: MechanicalSystem;
  /** At t = 0; poses and twists are those of this state */
  readonly start: Float64Array;
  readonly rest?: Float64Array | undefined;
  /** s */
  readonly stopTime: number;
}

export const flexibleFacts = (system: System, known?: KnownLoads): FlexibleFacts[] =>
  (system.flexible ?? []).map((plan) => {
    const { name, nodes, carrying, frequencies, part, spans } = plan;
    const membrane = spans.length > 0;
    const extents = extentsOf(part.mesh.points, part.kind === 'plane' ? 2 : 3);
    const length = Math.max(...extents);
    const { gravity } = system;
    const turn = turnByWeight(plan, length, gravity.kind === 'uniform' ? norm(gravity.acceleration) : WEIGHT);
    const turnAtRest = known?.rest ? turnBy(plan, length, coordinatesOf(system, plan, known.rest)) : null;
    const speed = known ? speedOf(system, plan, known) : 0;
    const limit = LARGEST_TURN * (membrane ? 3 : 1);
    const most = Math.max(turn, turnAtRest ?? 0);
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
      turnAtRest,
      speed,
      linear: most <= limit && (membrane || speed <= FAST * frequencies[0]),
      substructures: Math.max(1, Math.ceil(most / limit)),
    };
  });

const coordinatesOf = ({ tree }: System, { nodes }: FlexibleNode, y: Float64Array): Float64Array =>
  Float64Array.from(nodes, (node) => y[tree.q[node]]);

/** Of the frame at the start, and over the run where all joints between it and the ground that turn are driven, rad/s */
function speedOf({ tree }: System, { node }: FlexibleNode, { mechanics, start, stopTime }: KnownLoads): number {
  const { twist } = mechanics.carriers;
  const at = (t: number): number => {
    mechanics.update(t, start);
    return Math.hypot(twist[6 * node], twist[6 * node + 1], twist[6 * node + 2]);
  };
  const now = at(0);
  let driven = false;
  for (let i = node; i >= 0; i = tree.parent[i]) {
    const turns = tree.kind[i] === NODE.revolute || tree.kind[i] === NODE.screw || tree.kind[i] === NODE.spherical;
    if (turns && tree.motion[i] < 0) return now; // it may turn back as it likes
    if (turns) driven = true;
  }
  if (!driven) return now;
  // however the axes of several joints lie to each other: how the frame turns depends on nothing else
  let most = now;
  for (let k = 1; k <= INSTANTS; k++) most = Math.max(most, at((stopTime * k) / INSTANTS));
  mechanics.update(0, start);
  return most;
}

/** K q = ∫ρ φ · g along each of the part's axes, and how far that turns it */
function turnByWeight(plan: FlexibleNode, length: number, weight: number): number {
  const { part, integrals, stiffness, plane } = plan;
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
      return weight * sum;
    });
    solveLu(lu, n, pivots, q);
    most = Math.max(most, turnBy(plan, length, q));
  }
  return most;
}

/** 1.5 times the largest displacement over the length, as the end of a bent beam turns (4/3 to 3/2) */
function turnBy({ part }: FlexibleNode, length: number, q: Float64Array): number {
  const d = part.kind === 'plane' ? 2 : 3;
  let most = 0;
  for (let i = 0; i < part.mesh.nodeCount; i++) {
    let square = 0;
    for (let j = 0; j < d; j++) {
      let u = 0;
      for (let k = 0; k < q.length; k++) u += q[k] * part.shapes[k][d * i + j];
      square += u * u;
    }
    most = Math.max(most, square);
  }
  return (1.5 * Math.sqrt(most)) / length;
}

export function flexibleText(facts: FlexibleFacts): string {
  const { elements, solid, nodes, coordinates, modes, frequencies, membrane, slenderness } = facts;
  const shown = frequencies.slice(0, 4).map((f) => format.number(f, 4));
  const last = frequencies.length > 4 ? ` … ${format.number(frequencies.at(-1)!, 4)}` : '';
  return [
    `${format.count(elements)} ${solid ? 'tetrahedra' : 'triangles'}, ${format.count(nodes)} nodes`,
    `${coordinates} coordinates, ${modes} of them modes; held at its frame ${shown.join(', ')}${last} Hz, the modes whose damping is set; small motions tell it as mounted`,
    `${format.number(slenderness, 2)} times as long as wide${membrane ? ', stretching stiffens its bending' : ''}`,
    ...(facts.held > 0.5
      ? [`a joint holds ${Math.round(100 * facts.held)} % of its length as one rigid piece, which cannot bend`]
      : []),
    linearText(facts),
  ].join('; ');
}

/** Which loads were looked at, what they do, and what was not looked at */
function linearText({ turn, turnAtRest, speed, frequencies, membrane, linear, substructures }: FlexibleFacts): string {
  const limit = membrane ? 0.3 : 0.1;
  const rad = (angle: number): string => `${format.number(angle, 2)} rad`;
  const first = 2 * Math.PI * frequencies[0];
  const share =
    speed > 0 && !membrane && first > 0 ? `, ${format.number(speed / first, 2)} of its first frequency` : '';
  const looked = [
    turn > 0 ? `its own weight turns its end by ${rad(turn)} at most, however it lies` : 'it has no weight',
    ...(turnAtRest !== null ? [`all that acts at rest turns it by ${rad(turnAtRest)}`] : []),
    speed > 0
      ? `it turns at ${format.number(speed, 3)} rad/s at the start or as it is driven${share}`
      : 'it does not turn at the start, nor is it driven to',
  ].join(', ');
  const beyond = [
    ...(Math.max(turn, turnAtRest ?? 0) > limit ? [`${limit} rad, some ${substructures} substructures would do`] : []),
    ...(share !== '' && speed > FAST * first ? [`${FAST} of its first frequency, whose tension it does not know`] : []),
  ];
  const verdict = linear
    ? `linear strain will do for that (up to ${limit} rad${membrane ? '' : `, ${FAST} of its first frequency`})`
    : `beyond linear strain (${beyond.join('; ')})`;
  return `${looked}: ${verdict}; what drives, blows and motion bring later is not in it, the report of a run measures it`;
}
