/** What is recorded of a body that deforms: its coordinates, its strain energy, and its stress: the largest with its place, and at gauges. */
import { NODE, type System } from '../assembly/system.js';
import { FlexibleContact } from '../dynamics/flexible-contact.js';
import type { FlexibleInertia } from '../dynamics/flexible-inertia.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { nodalStress, principalStresses, vonMises } from '../flexible-bodies/fem/stress.js';
import { fromQuaternion } from '../math/mat3.js';
import type { SignalDescription } from '../results/recording.js';
import { axialStress, coordinateNames, inertiaNames, stretchNames } from '../results/scene/flexible-scene.js';

type Writer = (t: number, y: Float64Array, out: Float64Array, at: number) => void;

export function flexibleSignals(
  flexible: FlexibleInertia,
  mechanics: MechanicalSystem,
): { signals: SignalDescription[]; write: Writer } {
  const { plan, count, nodes, coordinate } = flexible;
  const { tree }: System = mechanics.system;
  const { mesh, stresses, material, inertial } = plan.part;
  const name = plan.name.slice(plan.name.indexOf('.') + 1);
  const across = material.strain ? material.poissonRatio : 0;
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
    { name: `${name}.stress.x`, unit: 'm', description: 'where, in the plane of the outline' },
    { name: `${name}.stress.y`, unit: 'm', description: 'where, in the plane of the outline' },
    stress('major', 'largest principal stress of all nodes: tension'),
    stress('minor', 'smallest principal stress of all nodes: pressure'),
    ...plan.gauges.flatMap((gauge) => [
      stress(`${gauge.name}.mises`, 'von Mises stress there'),
      stress(`${gauge.name}.major`, 'larger principal stress there'),
      stress(`${gauge.name}.minor`, 'smaller principal stress there'),
    ]),
  ];
  const sum = new Float64Array(3 * mesh.nodeCount);
  const pull = axialStress(plan);
  const contacts = mechanics.pairs.filter((pair) => pair instanceof FlexibleContact);
  const mine = contacts.filter(({ plan: { flexible: names } }) => names.includes(plan.name));
  const load = new Float64Array(mine.length > 0 ? 2 * mesh.nodeCount : 0);
  /** Stress of the local deformation where others press */
  const addPressed = (t: number, y: Float64Array): void => {
    load.fill(0);
    let pressed = false;
    for (const contact of mine) if (contact.addNodalForces(t, y, plan.name, load)) pressed = true;
    if (!pressed) return;
    plan.part.residual(load);
    const local = nodalStress(mesh, material, load);
    for (let i = 0; i < sum.length; i++) sum[i] += local[i];
  };
  const add = (value: number, own: Float64Array): void => {
    if (value !== 0) for (let i = 0; i < sum.length; i++) sum[i] += value * own[i];
  };
  return {
    signals,
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
      if (plan.membrane) {
        // the axial force is that of a + ½ q Gm q
        out[next] = flexible.lengthening();
        add(out[next++], pull);
      }
      addPressed(t, y);
      let [most, where, major, minor] = [-1, 0, -Infinity, Infinity];
      for (let i = 0; i < mesh.nodeCount; i++) {
        const mises = vonMises(sum[3 * i], sum[3 * i + 1], sum[3 * i + 2], across);
        if (mises > most) {
          most = mises;
          where = i;
        }
        const [first, second] = principalStresses(sum[3 * i], sum[3 * i + 1], sum[3 * i + 2]);
        major = Math.max(major, first);
        minor = Math.min(minor, second);
      }
      out[next++] = flexible.strainEnergy();
      out[next++] = most;
      out[next++] = mesh.points[2 * where];
      out[next++] = mesh.points[2 * where + 1];
      out[next++] = major;
      out[next++] = minor;
      for (const { node } of plan.gauges) {
        const [sx, sy, txy] = [sum[3 * node], sum[3 * node + 1], sum[3 * node + 2]];
        const [first, second] = principalStresses(sx, sy, txy);
        out[next++] = vonMises(sx, sy, txy, across);
        out[next++] = first;
        out[next++] = second;
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
  let best: { piece: FlexibleInertia; place: number[]; node: number; distance: number; end: number } | undefined;
  for (const piece of pieces) {
    const { anchor, plane, part, nodes, carrying } = piece.plan;
    const turned = rotated(fromQuaternion(anchor.orientation), point);
    const place = turned.map((x, k) => x + anchor.position[k]); // in the node's frame
    const r = fromQuaternion(plane.orientation);
    const from = place.map((x, k) => x - plane.position[k]);
    const [x, y] = [0, 1].map((axis) => r[axis] * from[0] + r[3 + axis] * from[1] + r[6 + axis] * from[2]);
    const { points, nodeCount } = part.mesh;
    for (let k = 0; k < carrying; k += 3) {
      const at = tree.position.subarray(3 * nodes[k], 3 * nodes[k] + 3);
      if (place.every((p, j) => Math.abs(p - at[j]) <= 1e-9 * (1 + Math.abs(p))))
        best = { piece, place, node: 0, distance: -1, end: nodes[k + 2] };
    }
    for (let i = 0; i < nodeCount; i++) {
      const [dx, dy] = [points[2 * i] - x, points[2 * i + 1] - y];
      const distance = dx * dx + dy * dy;
      if (!best || distance < best.distance) best = { piece, place, node: i, distance, end: -1 };
    }
  }
  const { piece, place, node, end } = best!;
  if (end >= 0)
    return (_t, _y, out, at) => {
      for (let k = 0; k < 3; k++) out[at + k] = position[3 * end + k];
    };
  const r = fromQuaternion(piece.plan.plane.orientation);
  const { shapes } = piece.plan.part;
  return (_t, _y, out, at) => {
    let u = 0;
    let v = 0;
    for (let k = 0; k < piece.count; k++) {
      u += piece.q[k] * shapes[k][2 * node];
      v += piece.q[k] * shapes[k][2 * node + 1];
    }
    const frame = 9 * piece.node;
    for (let k = 0; k < 3; k++) {
      let sum = position[3 * piece.node + k];
      for (let j = 0; j < 3; j++) sum += rotation[frame + 3 * k + j] * (place[j] + r[3 * j] * u + r[3 * j + 1] * v);
      out[at + k] = sum;
    }
  };
}

const rotated = (r: ArrayLike<number>, v: readonly number[]): number[] =>
  [0, 3, 6].map((row) => r[row] * v[0] + r[row + 1] * v[1] + r[row + 2] * v[2]);

/** a_x, a_y less gravity, α, ω², η_k', 2 ω η_k in the plane of the part, from index `at` (inertial-fields.ts) */
function accelerationsOf(
  { node, count, velocity, plan, eta, gravity }: FlexibleInertia,
  mechanics: MechanicalSystem,
  t: number,
  y: Float64Array,
  out: Float64Array,
  at: number,
): void {
  const rates = mechanics.wrenches(t, y);
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
  const spin = along(w, 2);
  out[at] = along(seen, 0);
  out[at + 1] = along(seen, 1);
  out[at + 2] = along(a, 2);
  out[at + 3] = spin * spin;
  for (let k = 0; k < count; k++) {
    out[at + 4 + k] = rates[mechanics.nq + velocity[k]];
    out[at + 4 + count + k] = 2 * spin * eta[k];
  }
}
