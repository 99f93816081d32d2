/**
 * What a force between two carriers offers, contact included: wrenches, rates of its states, and their exact derivatives.
 *
 * A carrier's motion is told at its reference point: (θ, δc) a small rotation and the displacement of the point, (δω, δv) the change
 * of angular velocity and of the point's velocity. The wrench on a carrier is (torque about the reference point, force). World axes
 * throughout. With ξ = (θ_A, δc_A, θ_B, δc_B), ν = (δω_A, δv_A, δω_B, δv_B), states s:
 *
 *   d wrench = X ξ + C ν + S ds + ∂wrench/∂t dt          ds' = Zx ξ + Zv ν + Zs ds + ∂s'/∂t dt
 */
import type { Carriers } from '../tree/carriers.js';

export interface PairElement {
  readonly name: string;
  /** Carrier indices; see Carriers. The ground is legal. */
  readonly a: number;
  readonly b: number;
  /** Coordinates of deforming carriers that it acts on as well: velocities of A's, then of B's; none unless said */
  readonly modes?: { readonly velocities: Int32Array; readonly ofA: number };
  /** Number of states and the index in y of the first */
  readonly states: number;
  readonly stateAt: number;
  /** True if wrench or rates depend on time beyond the motion; `differentiate` then tells how. */
  readonly timeDependent: boolean;
  /**
   * True if the last `differentiate` found neither wrench nor derivatives of one, as of a contact that is open: the element ties
   * nothing to anything. States may still have rates. Elements that do not say are looked through.
   */
  readonly idle?: boolean;
  /** Adds wrenches to the carriers' loads and writes the rates of its states into rates[stateAt …]. */
  evaluate(t: number, y: Float64Array, rates: Float64Array): void;
  /** Fills `out` at the carriers' present motion; `out` comes cleared. */
  differentiate(t: number, y: Float64Array, out: PairDerivative): void;
  /** Elastic energy, J */
  energy(t: number, y: Float64Array): number;
  /** Adds the power turned into heat and the power put in from outside, W */
  power(t: number, y: Float64Array, ledger: PowerLedger): void;
  /** Error of state k that counts as one, before the tolerance */
  stateScale?(k: number): number;
  /** Errors of its states are held to the relative tolerance, of the scale or of the state where that is more; else to the contact tolerance. */
  readonly relativeStates?: boolean;
  /** Its `power` is all that it takes from the bodies, what `energy` stores included: its law has no potential. */
  readonly booksWork?: boolean;
  /** What a contact allows its bodies to be wrong by, before the contact tolerance; undefined for other forces */
  readonly contact?: ContactScale;
  /** √(k/m) of what the element's law makes of two bodies that touch, at most about, rad/s: what rounded places become as rates */
  readonly swing?: number;

  // Between steps; heard of elements that a system holds for good (those of its plans and `MechanicalOptions.held`)

  /** An accepted step ended at (t, y): commits history, may write its states in y. True if rates at y are others from here on. */
  commit?(t: number, y: Float64Array): boolean;
  /** Longest step from (t, y) with the rates f, s; the carriers are there. */
  stepLimit?(t: number, y: Float64Array, f: Float64Array): number;
  /** A step that ends at (t, y), where the carriers are, is to be taken back and made shorter. */
  steppedOver?(t: number, y: Float64Array): boolean;
  /** A copy of what `commit` has committed, and back to one */
  snapshot?(): unknown;
  restore?(snapshot: unknown): void;
}

/** A force that a time step looks ahead with: it may be held as it is at the start of the step (time-stepping/element-terms.ts). */
export interface HeldElement extends PairElement {
  /** 12: wrenches of the last evaluation, or those that it is held at: torque and force on A, then on B */
  readonly acting: Float64Array;
  held: boolean;
  /** Its power is booked by whoever looks ahead with it: `power` adds nothing. */
  powerApart: boolean;
}

/** Adds what an element is held at. */
export function addHeld({ a, b, acting }: HeldElement, load: Float64Array): void {
  for (let k = 0; k < 6; k++) {
    load[6 * a + k] += acting[k];
    load[6 * b + k] += acting[6 + k];
  }
}

/** Sizes that errors of touching bodies are compared with. */
export interface ContactScale {
  /** They touch, or did at the start of the step. */
  readonly touching: boolean;
  /** 3 each: contact normal and point, world */
  readonly normal: Float64Array;
  readonly point: Float64Array;
  /** d: depth at rest, m, and √(g d), m/s */
  readonly referenceDepth: number;
  readonly referenceSpeed: number;
  /** Of the deepest region at the start of the step, m/s */
  readonly approachSpeed: number;
  /** m, along the normal */
  depthScale(): number;
  /** Of bodies that deform, in place of the one normal and point */
  readonly deforming?: DeformingScale;
}

/** Where bodies that deform touched at the start of the step, for a matrix of places × coordinates of A, then of B */
export interface DeformingScale {
  /** 3 per place, world: normal that pushes A, point */
  readonly count: number;
  readonly normals: Float64Array;
  readonly points: Float64Array;
  /** What a place of A moves by along the normal, seen from B's, per coordinate */
  readonly along: Float64Array;
}

export interface PowerLedger {
  /** W, turned into heat */
  dissipated: number;
  /** W, put in by motors, applied forces and the user's own laws */
  supplied: number;
  /** W, of what is dissipated: by sliding and spinning friction in contacts */
  friction: number;
}

export class PairDerivative {
  /** 12: torque and force on A, then on B */
  readonly wrench = new Float64Array(12);
  /** 12 × 12, row-major */
  readonly byPose = new Float64Array(144);
  readonly byTwist = new Float64Array(144);
  /** 12 × states */
  readonly byState: Float64Array;
  /** states × 12 */
  readonly ratesByPose: Float64Array;
  readonly ratesByTwist: Float64Array;
  /** states × states */
  readonly ratesByState: Float64Array;
  /** 12 and states: by time beyond the motion; of elements that say they depend on it */
  readonly byTime = new Float64Array(12);
  readonly ratesByTime: Float64Array;
  readonly states: number;
  /** Of elements that act on coordinates of deforming carriers */
  readonly modal: ModalDerivative | undefined;

  constructor(states: number, modes = 0) {
    this.states = states;
    this.modal = modes > 0 ? new ModalDerivative(states, modes) : undefined;
    this.byState = new Float64Array(12 * states);
    this.ratesByPose = new Float64Array(12 * states);
    this.ratesByTwist = new Float64Array(12 * states);
    this.ratesByState = new Float64Array(states * states);
    this.ratesByTime = new Float64Array(states);
  }

  clear(): void {
    this.wrench.fill(0);
    this.byPose.fill(0);
    this.byTwist.fill(0);
    this.byState.fill(0);
    this.ratesByPose.fill(0);
    this.ratesByTwist.fill(0);
    this.ratesByState.fill(0);
    this.byTime.fill(0);
    this.ratesByTime.fill(0);
    this.modal?.clear();
  }
}

/**
 * What coordinates q of deforming carriers add, n of them, carriers held:
 *
 *   d wrench += Wq dq + Wη dη      ds' += Zq dq + Zη dη      dQ = Qx ξ + Qv ν + Qq dq + Qη dη + Qs ds
 */
export class ModalDerivative {
  /** Generalised forces along the coordinates */
  readonly force: Float64Array;
  /** 12 × n */
  readonly wrenchByQ: Float64Array;
  readonly wrenchByEta: Float64Array;
  /** n × 12 */
  readonly byPose: Float64Array;
  readonly byTwist: Float64Array;
  /** n × n */
  readonly byQ: Float64Array;
  readonly byEta: Float64Array;
  /** n × states */
  readonly byState: Float64Array;
  /** states × n */
  readonly ratesByQ: Float64Array;
  readonly ratesByEta: Float64Array;

  constructor(
    states: number,
    readonly count: number,
  ) {
    this.force = new Float64Array(count);
    this.wrenchByQ = new Float64Array(12 * count);
    this.wrenchByEta = new Float64Array(12 * count);
    this.byPose = new Float64Array(12 * count);
    this.byTwist = new Float64Array(12 * count);
    this.byQ = new Float64Array(count * count);
    this.byEta = new Float64Array(count * count);
    this.byState = new Float64Array(count * states);
    this.ratesByQ = new Float64Array(states * count);
    this.ratesByEta = new Float64Array(states * count);
  }

  clear(): void {
    const { force, wrenchByQ, wrenchByEta, byPose, byTwist, byQ, byEta, byState, ratesByQ, ratesByEta } = this;
    for (const matrix of [force, wrenchByQ, wrenchByEta, byPose, byTwist, byQ, byEta, byState, ratesByQ, ratesByEta])
      matrix.fill(0);
  }
}

/** World position of a carrier-fixed point relative to the reference point: R p, into out[at …]. */
export function lever(carriers: Carriers, carrier: number, p: ArrayLike<number>, out: Float64Array, at: number): void {
  const { rotation } = carriers;
  const r = 9 * carrier;
  out[at] = rotation[r] * p[0] + rotation[r + 1] * p[1] + rotation[r + 2] * p[2];
  out[at + 1] = rotation[r + 3] * p[0] + rotation[r + 4] * p[1] + rotation[r + 5] * p[2];
  out[at + 2] = rotation[r + 6] * p[0] + rotation[r + 7] * p[1] + rotation[r + 8] * p[2];
}

/** Adds a force at `lever` from the carrier's reference point. */
export function addForce(
  load: Float64Array,
  carrier: number,
  rx: number,
  ry: number,
  rz: number,
  fx: number,
  fy: number,
  fz: number,
): void {
  const s = 6 * carrier;
  load[s] += ry * fz - rz * fy;
  load[s + 1] += rz * fx - rx * fz;
  load[s + 2] += rx * fy - ry * fx;
  load[s + 3] += fx;
  load[s + 4] += fy;
  load[s + 5] += fz;
}

/** The same, times ± 1, from arrays: a number handed to a function that is not inlined becomes a heap object. */
export function addPointForce(
  load: Float64Array,
  carrier: number,
  levers: Float64Array,
  at: number,
  force: Float64Array,
  sign: 1 | -1,
): void {
  const s = 6 * carrier;
  const fx = sign * force[0];
  const fy = sign * force[1];
  const fz = sign * force[2];
  load[s] += levers[at + 1] * fz - levers[at + 2] * fy;
  load[s + 1] += levers[at + 2] * fx - levers[at] * fz;
  load[s + 2] += levers[at] * fy - levers[at + 1] * fx;
  load[s + 3] += fx;
  load[s + 4] += fy;
  load[s + 5] += fz;
}

const STEP = new Float64Array(6);

/**
 * Derivatives of a force F on point B and −F on point A that depends on d = P_B − P_A and its rate: dF = Fp δd + Fv δd'.
 *
 * δP = δc + θ × r and δP' = δv + δω × r + ω × (θ × r); the torque r × F also turns its lever.
 *
 * @param levers 6: r_A, r_B
 */
export function pointForcePair(
  carriers: Carriers,
  a: number,
  b: number,
  levers: Float64Array,
  force: Float64Array,
  byOffset: Float64Array,
  byRate: Float64Array,
  out: PairDerivative,
): void {
  const { twist } = carriers;
  const { byPose, byTwist, wrench } = out;
  for (let side = 0; side < 2; side++) {
    const sign = side === 0 ? -1 : 1;
    const carrier = side === 0 ? a : b;
    const rx = levers[3 * side];
    const ry = levers[3 * side + 1];
    const rz = levers[3 * side + 2];
    wrench[6 * side] += sign * (ry * force[2] - rz * force[1]);
    wrench[6 * side + 1] += sign * (rz * force[0] - rx * force[2]);
    wrench[6 * side + 2] += sign * (rx * force[1] - ry * force[0]);
    for (let j = 0; j < 3; j++) wrench[6 * side + 3 + j] += sign * force[j];
    const wx = twist[6 * carrier];
    const wy = twist[6 * carrier + 1];
    const wz = twist[6 * carrier + 2];
    for (let m = 0; m < 6; m++) {
      // Column m: δP, then δP' as the pose changes, and δP' = the same vector as the twist changes
      const d = STEP;
      d.fill(0);
      if (m < 3) {
        d[0] = m === 1 ? rz : m === 2 ? -ry : 0;
        d[1] = m === 2 ? rx : m === 0 ? -rz : 0;
        d[2] = m === 0 ? ry : m === 1 ? -rx : 0;
        d[3] = wy * d[2] - wz * d[1];
        d[4] = wz * d[0] - wx * d[2];
        d[5] = wx * d[1] - wy * d[0];
      } else d[m - 3] = 1;
      const column = 6 * side + m;
      let px = 0;
      let py = 0;
      let pz = 0;
      let tx = 0;
      let ty = 0;
      let tz = 0;
      for (let j = 0; j < 3; j++) {
        px += byOffset[j] * d[j] + byRate[j] * d[3 + j];
        py += byOffset[3 + j] * d[j] + byRate[3 + j] * d[3 + j];
        pz += byOffset[6 + j] * d[j] + byRate[6 + j] * d[3 + j];
        tx += byRate[j] * d[j];
        ty += byRate[3 + j] * d[j];
        tz += byRate[6 + j] * d[j];
      }
      addColumn(byPose, column, levers, sign * px, sign * py, sign * pz);
      addColumn(byTwist, column, levers, sign * tx, sign * ty, sign * tz);
      // The lever turns: (θ × r) × (± F)
      if (m < 3) {
        byPose[12 * (6 * side) + column] += sign * (d[1] * force[2] - d[2] * force[1]);
        byPose[12 * (6 * side + 1) + column] += sign * (d[2] * force[0] - d[0] * force[2]);
        byPose[12 * (6 * side + 2) + column] += sign * (d[0] * force[1] - d[1] * force[0]);
      }
    }
  }
}

/** A change of the force on B by f, on A by −f. */
function addColumn(
  matrix: Float64Array,
  column: number,
  levers: Float64Array,
  fx: number,
  fy: number,
  fz: number,
): void {
  for (let side = 0; side < 2; side++) {
    const sign = side === 0 ? -1 : 1;
    const rx = sign * levers[3 * side];
    const ry = sign * levers[3 * side + 1];
    const rz = sign * levers[3 * side + 2];
    const row = 72 * side + column;
    matrix[row] += ry * fz - rz * fy;
    matrix[row + 12] += rz * fx - rx * fz;
    matrix[row + 24] += rx * fy - ry * fx;
    matrix[row + 36] += sign * fx;
    matrix[row + 48] += sign * fy;
    matrix[row + 60] += sign * fz;
  }
}
