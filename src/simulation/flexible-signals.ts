/** What is recorded of a body that deforms: its coordinates, its strain energy, and its stress: the largest with its place, and at gauges. */
import { type FlexibleNode, NODE, type System } from '../assembly/system.js';
import { FlexibleContact } from '../dynamics/elements/flexible-contact.js';
import type { FlexibleInertia } from '../dynamics/flexible/flexible-inertia.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { rigidMotions } from '../flexible-bodies/fem/rigid-motions.js';
import {
  planeExtremes,
  principalStresses,
  ratioAcross,
  type StressExtremes,
  solidExtremes,
  solidMises,
  solidPrincipals,
  vonMises,
} from '../flexible-bodies/fem/stress.js';
import { fromQuaternion } from '../math/mat3.js';
import type { SignalDescription } from '../results/recording.js';
import { axialStresses, coordinateNames, inertiaNames, stretchNames } from '../results/scene/flexible-scene.js';
import { acrossStress } from './across-plane.js';
import { PressedStress } from './pressed-stress.js';

type Writer = (t: number, y: Float64Array, out: Float64Array, at: number) => void;

export function flexibleSignals(
  flexible: FlexibleInertia,
  mechanics: MechanicalSystem,
): { signals: SignalDescription[]; write: Writer; pressed?: PressedStress } {
  const { plan, count, nodes, coordinate } = flexible;
  const { tree }: System = mechanics.system;
  const { part } = plan;
  const { mesh, stresses, inertial, beyond } = part;
  const d = dimensionOf(plan);
  const name = plan.name.slice(plan.name.indexOf('.') + 1);
  const across = ratioAcross(part.material);
  const stress = (what: string, description: string): SignalDescription => ({
    name: `${name}.stress.${what}`,
    unit: 'Pa',
    description,
  });
  const signals: SignalDescription[] = [
    ...coordinateNames(name, count).map((signal, k) => ({
      name: signal,
      unit: tree.kind[nodes[k]] === NODE.revolute ? 'rad' : 'm',
      description: 'coordinate of its deformation',
    })),
    ...inertiaNames(name, inertial?.count ?? 0).map((signal) => ({
      name: signal,
      unit: 'm/s²',
      description: 'acceleration that loads it: of its frame (turning: 1/s²), of its coordinates, by Coriolis',
    })),
    ...stretchNames(name, plan).map((signal) => ({
      name: signal,
      unit: 'm',
      description: 'how much longer it is than its ends are apart, because it is bent',
    })),
    { name: `${name}.strainEnergy`, unit: 'J', description: 'of its deformation' },
    stress('largest', 'largest von Mises stress of all nodes'),
    ...['x', 'y', 'z'].slice(0, d).map((axis) => ({
      name: `${name}.stress.${axis}`,
      unit: 'm',
      description: d === 2 ? 'where, in the plane of the outline' : 'where, in the axes of its mesh',
    })),
    stress('major', 'largest principal stress of all nodes: tension'),
    stress('minor', 'smallest principal stress of all nodes: pressure'),
    ...(beyond
      ? [
          stress(
            'beyond',
            'largest von Mises stress of what inertia and weight make beyond its modes, which is not in the others',
          ),
        ]
      : []),
    ...(d === 2 ? [stress('across', 'estimate of what loads across its plane would make, in which it is rigid')] : []),
    ...plan.gauges.flatMap((gauge) => [
      stress(`${gauge.name}.mises`, 'von Mises stress there'),
      stress(`${gauge.name}.major`, 'largest principal stress there'),
      stress(`${gauge.name}.minor`, 'smallest principal stress there'),
    ]),
  ];
  const sum = new Float64Array((d === 2 ? 3 : 6) * mesh.nodeCount);
  const found: StressExtremes = { mises: 0, node: 0, major: 0, minor: 0 };
  const pulls = axialStresses(plan);
  const loadsBeyond = beyond && beyondModes(flexible, mechanics, beyond);
  const loadsAcross = d === 2 ? acrossStress(flexible, mechanics) : undefined;
  const contacts = mechanics.pairs.filter((pair) => pair instanceof FlexibleContact);
  const mine = contacts.filter(({ plan: { flexible: names } }) => names.includes(plan.name));
  const pressed = mine.length > 0 ? new PressedStress(name, plan, mine) : undefined;
  const add = (value: number, own: Float64Array): void => {
    if (value !== 0) for (let i = 0; i < sum.length; i++) sum[i] += value * own[i];
  };
  return {
    signals,
    ...(pressed && { pressed }),
    write: (t, y, out, at) => {
      let next = at;
      sum.fill(0);
      for (let k = 0; k < count; k++) {
        out[next] = y[coordinate[k]];
        add(out[next++], stresses[k]);
      }
      if (inertial) {
        accelerationsOf(flexible, mechanics, t, y, out, next);
        for (let k = 0; k < inertial.count; k++) add(out[next++], inertial.stresses[k]);
      }
      // the axial force is that of a + ½ q Gm q
      for (let i = 0; i < pulls.length; i++) {
        out[next] = flexible.lengthening(i);
        add(out[next++], pulls[i]);
      }
      pressed?.add(t, y, sum);
      if (d === 2) planeExtremes(sum, across, found);
      else solidExtremes(sum, found);
      pressed?.selectNodes(sum, found);
      out[next++] = flexible.strainEnergy();
      out[next++] = found.mises;
      for (let k = 0; k < d; k++) out[next++] = mesh.points[d * found.node + k];
      out[next++] = found.major;
      out[next++] = found.minor;
      if (loadsBeyond) out[next++] = loadsBeyond(t, y);
      if (loadsAcross) out[next++] = loadsAcross();
      for (const { node } of plan.gauges) {
        if (d === 2) {
          const [sx, sy, txy] = [sum[3 * node], sum[3 * node + 1], sum[3 * node + 2]];
          out[next++] = vonMises(sx, sy, txy, across);
          for (const principal of principalStresses(sx, sy, txy)) out[next++] = principal;
        } else {
          out[next++] = solidMises(sum, 6 * node);
          for (const principal of solidPrincipals(sum, 6 * node)) out[next++] = principal;
        }
      }
    },
  };
}

/**
 * Where a point of a deforming body is: the interface there, else its place moved with the nearest node of the mesh. Writes x, y, z in the world.
 *
 * @param point in the body's own frame, m
 */
export function flexiblePointWriter(mechanics: MechanicalSystem, body: string, point: readonly number[]): Writer {
  const { carriers, kinematics } = mechanics;
  const { tree } = mechanics.system;
  const { position, rotation } = carriers;
  const pieces = kinematics.flexible.filter(({ plan }) => plan.body === body);
  let best:
    | { piece: FlexibleInertia; place: number[]; node: number; distance: number; end: number; aside: number[] }
    | undefined;
  for (const piece of pieces) {
    const { anchor, plane, part, nodes, carrying } = piece.plan;
    const turned = rotated(fromQuaternion(anchor.orientation), point);
    const place = turned.map((x, k) => x + anchor.position[k]); // in the node's frame
    const r = fromQuaternion(plane.orientation);
    const from = place.map((x, k) => x - plane.position[k]);
    const own = [0, 1, 2].map((axis) => r[axis] * from[0] + r[3 + axis] * from[1] + r[6 + axis] * from[2]);
    const { points, nodeCount } = part.mesh;
    const d = dimensionOf(piece.plan);
    const width = rigidMotions(d);
    for (let k = 0; k < carrying; k += width) {
      const at = tree.position.subarray(3 * nodes[k], 3 * nodes[k] + 3);
      const off = place.map((x, j) => x - at[j]);
      // a planar part moves as one over its thickness
      const across = d === 2 ? off[0] * r[2] + off[1] * r[5] + off[2] * r[8] : 0;
      const aside = [r[2], r[5], r[8]].map((x) => across * x);
      if (off.every((x, j) => Math.abs(x - aside[j]) <= 1e-9 * (1 + Math.abs(place[j]))))
        best = { piece, place, node: 0, distance: -1, end: nodes[k + width - 1], aside };
    }
    for (let i = 0; i < nodeCount; i++) {
      let distance = 0;
      for (let k = 0; k < d; k++) distance += (points[d * i + k] - own[k]) * (points[d * i + k] - own[k]);
      if (!best || distance < best.distance) best = { piece, place, node: i, distance, end: -1, aside: [] };
    }
  }
  const { piece, place, node, end, aside } = best!;
  if (end >= 0)
    return (_t, _y, out, at) => {
      for (let k = 0; k < 3; k++) {
        const row = 9 * end + 3 * k;
        const offset = rotation[row] * aside[0] + rotation[row + 1] * aside[1] + rotation[row + 2] * aside[2];
        out[at + k] = position[3 * end + k] + offset;
      }
    };
  const r = fromQuaternion(piece.plan.plane.orientation);
  const { shapes } = piece.plan.part;
  const d = dimensionOf(piece.plan);
  const u = new Float64Array(3);
  return (_t, _y, out, at) => {
    u.fill(0);
    for (let k = 0; k < piece.count; k++) for (let j = 0; j < d; j++) u[j] += piece.q[k] * shapes[k][d * node + j];
    const frame = 9 * piece.node;
    for (let k = 0; k < 3; k++) {
      let sum = position[3 * piece.node + k];
      for (let j = 0; j < 3; j++)
        sum += rotation[frame + 3 * k + j] * (place[j] + r[3 * j] * u[0] + r[3 * j + 1] * u[1] + r[3 * j + 2] * u[2]);
      out[at + k] = sum;
    }
  };
}

const rotated = (r: ArrayLike<number>, v: readonly number[]): number[] =>
  [0, 3, 6].map((row) => r[row] * v[0] + r[row + 1] * v[1] + r[row + 2] * v[2]);

const dimensionOf = ({ part }: FlexibleNode): 2 | 3 => (part.kind === 'plane' ? 2 : 3);

/** Largest von Mises stress of Σ x_k σ_k, x_k the accelerations of its frame and its interfaces, Pa: what inertia and weight make beyond the shapes */
function beyondModes(
  flexible: FlexibleInertia,
  mechanics: MechanicalSystem,
  fields: readonly Float64Array[],
): (t: number, y: Float64Array) => number {
  const accelerations = new Float64Array(fields.length);
  const { velocity, plan } = flexible;
  const sum = new Float64Array(fields[0].length);
  const d = dimensionOf(plan);
  const found: StressExtremes = { mises: 0, node: 0, major: 0, minor: 0 };
  return (t, y) => {
    const rates = mechanics.wrenches(t, y);
    frameAccelerations(flexible, mechanics, accelerations, 0);
    for (let k = 0; k < plan.carrying; k++) accelerations[RIGID_FIELDS[d] + k] = rates[mechanics.nq + velocity[k]];
    sum.fill(0);
    for (let k = 0; k < fields.length; k++) {
      const [x, own] = [accelerations[k], fields[k]];
      if (x !== 0) for (let i = 0; i < sum.length; i++) sum[i] += x * own[i];
    }
    if (d === 2) planeExtremes(sum, ratioAcross(plan.part.material), found);
    else solidExtremes(sum, found);
    return found.mises;
  };
}

/** Accelerations less gravity that load the part, in its own axes and in the order of inertial-fields.ts, from index `at` */
function accelerationsOf(
  flexible: FlexibleInertia,
  mechanics: MechanicalSystem,
  t: number,
  y: Float64Array,
  out: Float64Array,
  at: number,
): void {
  const { count, velocity, plan, eta } = flexible;
  const rates = mechanics.wrenches(t, y);
  const spin = frameAccelerations(flexible, mechanics, out, at);
  const d = dimensionOf(plan);
  let next = at + RIGID_FIELDS[d];
  for (let k = 0; k < count; k++) out[next++] = rates[mechanics.nq + velocity[k]];
  for (let k = 0; k < count; k++)
    for (let axis = d === 2 ? 2 : 0; axis < 3; axis++) out[next++] = 2 * spin[axis] * eta[k];
}

/** a_x, a_y, α, ω²; in space a, α and the six of ω ωᵀ */
const RIGID_FIELDS = { 2: 4, 3: 12 } as const;

/** Those of the frame, from index `at`; after the wrenches of the instant are known. Gives its angular velocity in the part's axes, rad/s */
function frameAccelerations(
  { node, plan, gravity }: FlexibleInertia,
  mechanics: MechanicalSystem,
  out: Float64Array,
  at: number,
): number[] {
  const { rotation, twist } = mechanics.carriers;
  const a = mechanics.loops.acceleration.subarray(6 * node, 6 * node + 6);
  const w = twist.subarray(6 * node, 6 * node + 6);
  const r = rotation.subarray(9 * node, 9 * node + 9);
  const plane = fromQuaternion(plan.plane.orientation);
  // classical acceleration of the origin, world axes
  const seen = [0, 1, 2].map((k) => {
    const [n, m] = [(k + 1) % 3, (k + 2) % 3];
    return a[3 + k] + w[n] * w[3 + m] - w[m] * w[3 + n] - gravity[k];
  });
  const along = (vector: ArrayLike<number>, axis: number): number => {
    let sum = 0;
    for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) sum += vector[i] * r[3 * i + j] * plane[3 * j + axis];
    return sum;
  };
  const d = dimensionOf(plan);
  const spin = [0, 1, 2].map((axis) => along(w, axis));
  let next = at;
  for (let k = 0; k < d; k++) out[next++] = along(seen, k);
  for (let k = d === 2 ? 2 : 0; k < 3; k++) out[next++] = along(a, k);
  if (d === 2) out[next++] = spin[2] * spin[2];
  else {
    for (let k = 0; k < 3; k++) out[next++] = spin[k] * spin[k];
    for (let k = 0; k < 3; k++) out[next++] = spin[k] * spin[(k + 1) % 3];
  }
  return spin;
}
