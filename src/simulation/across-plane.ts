/**
 * What a planar flexible part has no stress and no deflection for: loads across its plane, in which it is rigid. How much they would bend it
 * is estimated as of a strip, so that no run is silent about it.
 *
 *   σ = 6 M / (b h²),   b = A / L        M  greatest of the moments about axes in the plane that its interfaces carry, and of m a L / 8,
 *                                           what its own mass makes between two supports (a: acceleration less gravity, across)
 *   w = M L² / (4 E I)                   of a strip clamped at one end under even load, I = b h³/12
 *
 *   A  area of the outline, L its longest extent, h its thickness
 *
 * Forces in the plane that joints drawn beside its middle carry make moments, too, which nobody who draws a planar mechanism in layers means:
 * so much as their height and three thicknesses make is left out. Of a part that is higher than long none is: it is a rod along its height, and
 *
 *   σ = 6 M / (L b²),   w = M h² / (2 E I)   of a rod with a moment at its end, I = L b³/12
 */
import type { System } from '../assembly/system.js';
import type { FlexibleInertia } from '../dynamics/flexible/flexible-inertia.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { rigidMotions } from '../flexible-bodies/fem/rigid-motions.js';
import { fromQuaternion } from '../math/mat3.js';
import { MOST_LAYERS } from '../model/flexible.js';
import type { Recording } from '../results/recording.js';
import { type Doubts, slenderness } from './strain-range.js';
import type { Guess } from './verdict.js';

/** Thicknesses by which parts of a planar mechanism may lie beside each other */
const LAYERS = 3;

/** Of the stress in the plane: from the first part a note, from the second the run is doubtful */
const WORTH_TELLING = 0.1;
const DECISIVE = 0.5;

/** Strain that is no matter */
const NO_MATTER = 1e-6;

/** Of all pieces in a row, m; `rod`: higher than long */
function stripOf(system: System, body: string): { length: number; width: number; thickness: number; rod: boolean } {
  let [length, area, thickness] = [0, 0, 0];
  for (const piece of system.flexible ?? []) {
    if (piece.body !== body || piece.part.kind !== 'plane') continue;
    const own = slenderness(piece);
    thickness = piece.part.material.thickness;
    length += own.length;
    area += own.length * own.width;
  }
  return { length, width: area / length, thickness, rod: thickness > length };
}

/** Estimate of the bending stress by loads across the plane of a part, Pa; after the wrenches of the instant are known. */
export function acrossStress(flexible: FlexibleInertia, mechanics: MechanicalSystem): () => number {
  const { plan, node, gravity } = flexible;
  const { carriers, wrench, loops, system } = mechanics;
  const { rotation, twist, position } = carriers;
  const { length, width, thickness, rod } = stripOf(system, plan.body);
  const { mass, s0 } = plan.integrals;
  const own = fromQuaternion(plan.plane.orientation);
  // of the middle plane, in the frame of the node
  const height = (own[2] * s0[0] + own[5] * s0[1] + own[8] * s0[2]) / mass;
  const ends: number[] = [];
  for (const piece of system.flexible ?? []) {
    if (piece.body !== plan.body) continue;
    ends.push(piece.node);
    for (let k = rigidMotions(2) - 1; k < piece.carrying; k += rigidMotions(2)) ends.push(piece.nodes[k]);
  }
  const normal = new Float64Array(3);
  return () => {
    const r = 9 * node;
    for (let k = 0; k < 3; k++)
      normal[k] = rotation[r + 3 * k] * own[2] + rotation[r + 3 * k + 1] * own[5] + rotation[r + 3 * k + 2] * own[8];
    const along = (vector: ArrayLike<number>, at: number): number =>
      vector[at] * normal[0] + vector[at + 1] * normal[1] + vector[at + 2] * normal[2];
    const aside = (vector: ArrayLike<number>, at: number): number => {
      const across = along(vector, at);
      let square = 0;
      for (let k = 0; k < 3; k++)
        square += (vector[at + k] - across * normal[k]) * (vector[at + k] - across * normal[k]);
      return Math.sqrt(square);
    };
    const level = along(position, 3 * node) + height;
    let moment = 0;
    let layered = 0;
    for (const end of ends) {
      const lever = Math.abs(along(position, 3 * end) - level) + LAYERS * thickness;
      moment = Math.max(moment, aside(wrench, 6 * end));
      layered = Math.max(layered, lever * aside(wrench, 6 * end + 3));
    }
    // classical acceleration of the frame's origin less gravity, across
    const [a, t] = [loops.acceleration, 6 * node];
    let acceleration = 0;
    for (let k = 0; k < 3; k++) {
      const [n, m] = [(k + 1) % 3, (k + 2) % 3];
      const seen = a[t + 3 + k] + twist[t + n] * twist[t + 3 + m] - twist[t + m] * twist[t + 3 + n] - gravity[k];
      acceleration += normal[k] * seen;
    }
    if (rod) return (6 * moment) / (length * width * width);
    const between = (width * length * thickness * plan.part.material.density * Math.abs(acceleration) * length) / 8;
    return (6 * Math.max(moment - layered, between)) / (width * thickness * thickness);
  };
}

/** Planar parts that are loaded across their plane by more than goes without saying: doubtful ones, and notes of others */
export function acrossPlanes(system: System, recording: Recording): Doubts {
  const doubtful: Guess[] = [];
  const notes: string[] = [];
  const seen = new Set<string>();
  for (const { body, part } of system.flexible ?? []) {
    if (part.kind !== 'plane' || seen.has(body)) continue;
    seen.add(body);
    const pieces = system.flexible!.filter((one) => one.body === body).map(({ name }) => name.slice('bodies.'.length));
    const most = (what: string): number =>
      Math.max(0, ...pieces.map((piece) => largest(recording, `${piece}.stress.${what}`)));
    const across = most('across');
    const { youngsModulus } = part.material;
    const share = across / most('largest');
    if (!(across > NO_MATTER * youngsModulus && share > WORTH_TELLING)) continue;
    const { length, width, thickness, rod } = stripOf(system, body);
    // w = M L²/(4 E I) with M = σ b h²/6, of a rod M h²/(2 E I) with M = σ L b²/6
    const deflection = rod
      ? (across * thickness * thickness) / (youngsModulus * width)
      : (across * length * length) / (2 * youngsModulus * thickness);
    const reason =
      `what loads "${body}" ${rod ? 'along its height' : 'across its plane'} would bend it by some ${deflection.toPrecision(2)} m at ${(across * 1e-6).toPrecision(2)} MPa ` +
      `(stress.across), and a planar part is rigid that way: neither is in its shape and stress`;
    const layers = rod ? Math.max(2, Math.ceil(thickness / (2 * width))) : 2;
    const remedy =
      layers <= MOST_LAYERS
        ? `make "${body}" a solid (flexible: { layers: ${layers} }), or turn it into the plane of its loads`
        : `draw "${body}" with its length in its outline in place of its height: then it bends in its plane, or is a solid of a few layers`;
    if (share > DECISIVE) doubtful.push({ reason, remedy });
    else notes.push(`${reason}; ${remedy}`);
  }
  return { doubtful, notes };
}

function largest(recording: Recording, name: string): number {
  if (!recording.has(name)) return 0;
  let most = 0;
  for (const value of recording.signal(name).values) most = Math.max(most, value);
  return most;
}
