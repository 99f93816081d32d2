/** What can be read off a mechanical system at (t, y): energies, power, momentum, reactions, drift, redundancy, inverse dynamics. */
import type { Vec3 } from '../math/vec3.js';
import type { PowerLedger } from './elements/pair-element.js';
import type { MechanicalSystem } from './mechanical-system.js';
import { alongJoints, jointWrenches, nodeAccelerations } from './tree/inverse-dynamics.js';

/** J */
export interface Energies {
  readonly kinetic: number;
  /** Of gravity; 0 in a field of the user's own */
  readonly potential: number;
  /** Of springs, bushings, stops, friction bristles */
  readonly elastic: number;
}

export function energies(mechanics: MechanicalSystem, t: number, y: Float64Array): Energies {
  const out = new Float64Array(3);
  energiesInto(mechanics, t, y, out);
  return { kinetic: out[0], potential: out[1], elastic: out[2] };
}

/** The same into out[0 … 2], for every step */
export function energiesInto(mechanics: MechanicalSystem, t: number, y: Float64Array, out: Float64Array): void {
  mechanics.update(t, y);
  out[0] = kineticEnergy(mechanics, y);
  out[1] = mechanics.gravity.potential();
  out[2] = mechanics.restingEnergy;
  const { jointForces, pairs } = mechanics;
  const { flexible } = mechanics.kinematics;
  for (let i = 0; i < flexible.length; i++) out[2] += flexible[i].strainEnergy();
  for (let i = 0; i < jointForces.length; i++) out[2] += jointForces[i].energy(y);
  for (let i = 0; i < pairs.length; i++) out[2] += pairs[i].energy(t, y);
}

/** Of it, what elements store whose work is booked whole, J; to be called right after `energiesInto`. */
export function bookedEnergy({ pairs, restingWork }: MechanicalSystem, t: number, y: Float64Array): number {
  let sum = restingWork;
  for (let i = 0; i < pairs.length; i++) if (pairs[i].booksWork) sum += pairs[i].energy(t, y);
  return sum;
}

function kineticEnergy(mechanics: MechanicalSystem, y: Float64Array): number {
  const { tree, flexible } = mechanics.kinematics;
  const { twist } = mechanics.carriers;
  let kinetic = 0;
  for (let i = 0; i < tree.count; i++) kinetic += kineticOfNode(mechanics, i);
  for (let i = 0; i < flexible.length; i++) kinetic += flexible[i].kineticEnergy(twist);
  for (let i = 0; i < mechanics.freeBodies.count; i++) kinetic = withFree(mechanics, y, i, kinetic);
  return kinetic;
}

/** Of what is rigid on a node of the tree; carriers at (t, y) */
function kineticOfNode(
  { carriers: { twist }, kinematics: { tree, centre, inertia } }: MechanicalSystem,
  i: number,
): number {
  const m = tree.mass[i];
  if (m === 0) return 0;
  const s = 6 * i;
  const wx = twist[s];
  const wy = twist[s + 1];
  const wz = twist[s + 2];
  const vx = twist[s + 3];
  const vy = twist[s + 4];
  const vz = twist[s + 5];
  const cx = centre[3 * i];
  const cy = centre[3 * i + 1];
  const cz = centre[3 * i + 2];
  // ½ ω J ω + ½ m v² + m v · (ω × c), J about the node's origin
  return (
    0.5 *
      (inertia[s] * wx * wx + inertia[s + 1] * wy * wy + inertia[s + 2] * wz * wz + m * (vx * vx + vy * vy + vz * vz)) +
    inertia[s + 3] * wx * wy +
    inertia[s + 4] * wx * wz +
    inertia[s + 5] * wy * wz +
    m * (vx * (wy * cz - wz * cy) + vy * (wz * cx - wx * cz) + vz * (wx * cy - wy * cx))
  );
}

/** `kinetic` and that of a free body */
function withFree(
  { freeBodies, system, derivatives }: MechanicalSystem,
  y: Float64Array,
  i: number,
  kinetic: number,
): number {
  const { mass, moments } = freeBodies;
  const v = system.nq + derivatives.size + 6 * i;
  kinetic += 0.5 * mass[i] * (y[v] * y[v] + y[v + 1] * y[v + 1] + y[v + 2] * y[v + 2]);
  for (let j = 0; j < 3; j++) kinetic += 0.5 * moments[3 * i + j] * y[v + 3 + j] * y[v + 3 + j];
  return kinetic;
}

/** Kinetic energy of each body, J; of those that are welded together on one carrier, all of it in the name of the heaviest. */
export function kineticByBody(mechanics: MechanicalSystem, t: number, y: Float64Array): Map<string, number> {
  mechanics.update(t, y);
  const { system, kinematics, carriers, freeBodies } = mechanics;
  const heaviest = new Map<number, { readonly name: string; readonly mass: number }>();
  for (const { name, mass, anchor, fixed } of system.bodies)
    if (!fixed && !((heaviest.get(anchor.node)?.mass ?? 0) >= mass)) heaviest.set(anchor.node, { name, mass });
  for (const { node, body: name } of system.flexible ?? []) heaviest.set(node, { name, mass: 0 }); // pieces, too
  const shares = new Map<string, number>();
  const add = (name: string, energy: number) => shares.set(name, (shares.get(name) ?? 0) + energy);
  for (let i = 0; i < kinematics.tree.count; i++) add(heaviest.get(i)?.name ?? '', kineticOfNode(mechanics, i));
  for (const [i, part] of kinematics.flexible.entries())
    add(system.flexible![i].body, part.kineticEnergy(carriers.twist));
  for (let i = 0; i < freeBodies.count; i++) add(heaviest.get(-2 - i)?.name ?? '', withFree(mechanics, y, i, 0));
  shares.delete('');
  return shares;
}

/** Power turned into heat, and put in by motors, prescribed motions, applied forces and the user's own laws, W. */
export function powers(mechanics: MechanicalSystem, t: number, y: Float64Array): PowerLedger {
  const ledger: PowerLedger = { dissipated: 0, supplied: 0, friction: 0 };
  powersInto(mechanics, t, y, ledger);
  return ledger;
}

/** Somebody who wants to know what single elements turn into heat. */
export interface HeatSensors {
  /** @param element index among the system's pairs; W */
  addHeat(element: number, power: number): void;
}

/** The same into a ledger, for every step */
export function powersInto(
  mechanics: MechanicalSystem,
  t: number,
  y: Float64Array,
  ledger: PowerLedger,
  sensors?: HeatSensors,
): void {
  ledger.dissipated = 0;
  ledger.supplied = 0;
  ledger.friction = 0;
  const { system, carriers, jointForces, pairs } = mechanics;
  if (system.motions.length > 0 && mechanics.timeDependent) {
    mechanics.wrenches(t, y);
    addDrivePower(mechanics, t, ledger);
  } else mechanics.update(t, y);
  const { flexible } = mechanics.kinematics;
  if (!mechanics.jointsApart) {
    for (let i = 0; i < flexible.length; i++) ledger.dissipated += flexible[i].dissipation();
    for (let i = 0; i < jointForces.length; i++) jointForces[i].power(t, y, ledger);
  }
  if (!sensors) for (let i = 0; i < pairs.length; i++) pairs[i].power(t, y, ledger);
  else
    for (let i = 0; i < pairs.length; i++) {
      const before = ledger.dissipated;
      pairs[i].power(t, y, ledger);
      sensors.addHeat(i, ledger.dissipated - before);
    }
  if (system.gravity.kind === 'field') {
    // The work of a field without a known potential
    carriers.load.fill(0);
    mechanics.gravity.addLoads();
    for (let k = 0; k < 6 * carriers.ground; k++) ledger.supplied += carriers.load[k] * carriers.twist[k];
    // and on what deformation moves against the frame, g · Σ p_k η_k
    for (let i = 0; i < flexible.length; i++) {
      const { gravity: g, momentum: p } = flexible[i];
      ledger.supplied += g[0] * p[0] + g[1] * p[1] + g[2] * p[2];
    }
  }
}

const SAMPLE = new Float64Array(3);

/** What holds prescribed coordinates, times their speeds */
function addDrivePower({ kinematics, system, wrench }: MechanicalSystem, t: number, ledger: PowerLedger): void {
  const { tree, axis, turn, slide } = kinematics;
  for (let i = 0; i < tree.count; i++) {
    if (tree.motion[i] < 0) continue;
    system.motions[tree.motion[i]](t, SAMPLE);
    let along = 0;
    for (let j = 0; j < 3; j++)
      along += axis[3 * i + j] * (turn[i] * wrench[6 * i + j] + slide[i] * wrench[6 * i + 3 + j]);
    ledger.supplied += along * SAMPLE[1];
  }
}

/** Momentum of everything that moves: kg m/s, and kg m²/s about the world's origin */
export function momentum(mechanics: MechanicalSystem, t: number, y: Float64Array): { linear: Vec3; angular: Vec3 } {
  mechanics.update(t, y);
  const { carriers, kinematics, freeBodies } = mechanics;
  const { tree, centre, inertia } = kinematics;
  const linear = [0, 0, 0];
  const angular = [0, 0, 0];
  const add = (p: readonly number[], at: readonly number[], spin: readonly number[]): void => {
    for (let j = 0; j < 3; j++) {
      linear[j] += p[j];
      angular[j] += spin[j] + at[(j + 1) % 3] * p[(j + 2) % 3] - at[(j + 2) % 3] * p[(j + 1) % 3];
    }
  };
  for (let i = 0; i < carriers.ground; i++) {
    const [wx, wy, wz, vx, vy, vz] = carriers.twist.subarray(6 * i, 6 * i + 6);
    const at = [...carriers.position.subarray(3 * i, 3 * i + 3)];
    if (i < carriers.nodes) {
      const m = tree.mass[i];
      if (m === 0) continue;
      const [cx, cy, cz] = centre.subarray(3 * i, 3 * i + 3);
      const [xx, yy, zz, xy, xz, yz] = inertia.subarray(6 * i, 6 * i + 6);
      add([m * (vx + wy * cz - wz * cy), m * (vy + wz * cx - wx * cz), m * (vz + wx * cy - wy * cx)], at, [
        xx * wx + xy * wy + xz * wz + m * (cy * vz - cz * vy),
        xy * wx + yy * wy + yz * wz + m * (cz * vx - cx * vz),
        xz * wx + yz * wy + zz * wz + m * (cx * vy - cy * vx),
      ]);
    } else {
      const k = i - carriers.nodes;
      const m = freeBodies.mass[k];
      const r = carriers.rotation.subarray(9 * i, 9 * i + 9);
      const spin = [0, 0, 0];
      for (let a = 0; a < 3; a++) {
        const own = freeBodies.moments[3 * k + a] * (r[a] * wx + r[3 + a] * wy + r[6 + a] * wz);
        for (let j = 0; j < 3; j++) spin[j] += r[3 * j + a] * own;
      }
      add([m * vx, m * vy, m * vz], at, spin);
    }
  }
  for (const { momentum: p, eta, byRate, count, node } of kinematics.flexible) {
    const spin = [0, 0, 0];
    for (let k = 0; k < count; k++) for (let j = 0; j < 3; j++) spin[j] += eta[k] * byRate[6 * k + j];
    add([...p], [...carriers.position.subarray(3 * node, 3 * node + 3)], spin);
  }
  return { linear: linear as unknown as Vec3, angular: angular as unknown as Vec3 };
}

/** What a joint carries: acts on its `body`, at the joint's point on the body, world axes. */
export interface Reaction {
  readonly joint: string;
  /** N */
  readonly force: Vec3;
  /** N m, about `point` */
  readonly torque: Vec3;
  /** m, world */
  readonly point: Vec3;
  /** False where redundant constraints leave the split of reactions open */
  readonly unique: boolean;
}

export function reactions(mechanics: MechanicalSystem, t: number, y: Float64Array): Reaction[] {
  mechanics.wrenches(t, y);
  const { carriers, wrench, loops, system } = mechanics;
  const redundant = redundancy(mechanics).some(({ rows, independent }) => independent < rows);
  return system.joints.map(({ name, nodes, constraint, reversed }): Reaction => {
    const force = [0, 0, 0];
    const torque = [0, 0, 0];
    let point = [0, 0, 0];
    if (constraint < 0) {
      // All nodes of the chain but the last are massless: the last one's wrench is the joint's.
      const node = nodes.reduce((a, b) => Math.max(a, b), -1);
      const sign = reversed ? -1 : 1;
      for (let j = 0; j < 3; j++) {
        torque[j] = sign * wrench[6 * node + j];
        force[j] = sign * wrench[6 * node + 3 + j];
      }
      point = [...carriers.position.subarray(3 * node, 3 * node + 3)];
    } else
      loops.rows.forEach(({ constraint: own, formula }, row) => {
        if (own !== constraint || !formula) return;
        loops.evaluateRow(row);
        const lever = formula.leverOf(1);
        for (let j = 0; j < 3; j++) {
          force[j] += loops.lambda[row] * formula.force[j];
          torque[j] += loops.lambda[row] * formula.torque[j];
          point[j] = carriers.position[3 * formula.b + j] + lever[j];
        }
      });
    return {
      joint: name,
      force: force as unknown as Vec3,
      torque: torque as unknown as Vec3,
      point: point as unknown as Vec3,
      unique: !(redundant && loops.any),
    };
  });
}

/** Per constraint: rows that hold, and how many of them are independent of all others chosen before */
export interface Redundancy {
  readonly constraint: string;
  readonly rows: number;
  readonly independent: number;
}

export function redundancy({ loops, system }: MechanicalSystem): Redundancy[] {
  return system.constraints.flatMap(({ name, rows }, index) =>
    loops.active[index] === 0
      ? []
      : [
          {
            constraint: name,
            rows: rows.length,
            independent: loops.kept.filter((row) => loops.rows[row].constraint === index).length,
          },
        ],
  );
}

/** Degrees of freedom: velocities less independent rows */
export const degreesOfFreedom = ({ nv, loops }: MechanicalSystem): number => nv - loops.kept.length;

/** How far each constraint is open, and how fast it opens */
export interface Drift {
  readonly constraint: string;
  /** m or rad, the largest of its rows */
  readonly position: number;
  /** m/s or rad/s */
  readonly velocity: number;
}

export function constraintDrift(mechanics: MechanicalSystem, t: number, y: Float64Array): Drift[] {
  mechanics.update(t, y);
  const { loops, system } = mechanics;
  return system.constraints.flatMap(({ name }, index) => {
    if (loops.active[index] === 0) return [];
    let position = 0;
    let velocity = 0;
    loops.rows.forEach(({ constraint }, row) => {
      if (constraint !== index) return;
      position = Math.max(position, Math.abs(loops.value(row, y)));
      loops.evaluateRow(row);
      velocity = Math.max(velocity, Math.abs(loops.rateOf(row, y)));
    });
    return [{ constraint: name, position, velocity }];
  });
}

/** M(q), nv × nv row-major, constraints left out */
export function massMatrix(mechanics: MechanicalSystem, t: number, y: Float64Array): Float64Array {
  mechanics.update(t, y);
  const { nv, derivatives, freeBodies } = mechanics;
  const out = new Float64Array(nv * nv);
  mechanics.loops.massMatrix(out);
  for (let i = 0; i < freeBodies.count; i++)
    for (let j = 0; j < 3; j++) {
      const v = derivatives.size + 6 * i + j;
      out[v * nv + v] = freeBodies.mass[i];
      out[(v + 3) * nv + v + 3] = freeBodies.moments[3 * i + j];
    }
  return out;
}

/**
 * Forces along the velocities that accelerations `a` need beyond all that acts already (gravity, springs, motors); constraints left
 * out. For free bodies: force in world axes, torque in the principal frame.
 */
export function inverseDynamics(
  mechanics: MechanicalSystem,
  t: number,
  y: Float64Array,
  a: Float64Array,
): Float64Array {
  const { kinematics, nv, nq, derivatives, carriers, freeBodies } = mechanics;
  mechanics.wrenches(t, y); // loads and joint forces as they are
  const load = carriers.load;
  if (mechanics.loops.any) {
    for (let row = 0; row < mechanics.loops.lambda.length; row++) mechanics.loops.lambda[row] *= -1;
    mechanics.loops.addReactions(load); // take the reactions out again
  }
  const acceleration = new Float64Array(6 * carriers.nodes);
  const wrench = new Float64Array(6 * carriers.nodes);
  const out = new Float64Array(nv);
  nodeAccelerations(kinematics, a, 0, acceleration);
  jointWrenches(kinematics, acceleration, a, 0, wrench);
  alongJoints(kinematics, wrench, out);
  for (const flexible of kinematics.flexible)
    for (let k = 0; k < flexible.count; k++)
      out[flexible.velocity[k]] += flexible.generalisedForce(k, acceleration, a, 0);
  for (let k = 0; k < derivatives.size; k++) out[k] -= mechanics.applied[k];
  for (let i = 0; i < freeBodies.count; i++) {
    const v = derivatives.size + 6 * i;
    const k = carriers.nodes + i;
    const [jx, jy, jz] = freeBodies.moments.subarray(3 * i, 3 * i + 3);
    const [wx, wy, wz] = y.subarray(nq + v + 3, nq + v + 6);
    const gyro = [(jz - jy) * wy * wz, (jx - jz) * wz * wx, (jy - jx) * wx * wy];
    for (let j = 0; j < 3; j++) {
      out[v + j] = freeBodies.mass[i] * a[v + j] - load[6 * k + 3 + j];
      const own =
        carriers.rotation[9 * k + j] * load[6 * k] +
        carriers.rotation[9 * k + 3 + j] * load[6 * k + 1] +
        carriers.rotation[9 * k + 6 + j] * load[6 * k + 2];
      out[v + 3 + j] = freeBodies.moments[3 * i + j] * a[v + 3 + j] + gyro[j] - own;
    }
  }
  return out;
}
