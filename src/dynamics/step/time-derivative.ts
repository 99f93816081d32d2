/**
 * ∂f/∂t at fixed y, exact: what prescribed motions and forces that follow time change while the state stays.
 *
 * Inverse dynamics and loop rows are differentiated along the rise of driven-motion.ts, accelerations a and multipliers λ held:
 *
 *   M δa = δQ − δτ + Gᵀ δλ,      G δa = −δψ'
 *
 *   δτ: per node I (α + χ_ω × g) + B β less the change of its load; summed leaf to root; above a driven joint + (s ×* f) x'
 *
 * The part of a load that turns with its carrier is taken out as in load-derivatives.ts. Contacts, springs, reactions and the rest offer
 * their derivatives by pose and twist; the rise is put into them. So a contact driven along at speed sees its exact stiffness, where a
 * difference in time would move its surfaces by more than their depth. Only functions that a user wrote are differenced, each by itself
 * (math/rate-ahead.ts).
 */
import { NODE } from '../../assembly/system.js';
import type { ArticulatedBody } from '../articulated/articulated-body.js';
import type { JointForce } from '../elements/joint-forces.js';
import type { FlexibleInertia } from '../flexible/flexible-inertia.js';
import type { Loops } from '../loops/loops.js';
import type { Carriers } from '../tree/carriers.js';
import type { DrivenMotion } from '../tree/driven-motion.js';
import type { FreeBodies } from '../tree/free-bodies.js';
import { addCoriolis, addCrossForce, addInertia, dot6, shiftForce } from '../tree/spatial.js';
import type { TreeDerivatives } from '../tree/tree-derivatives.js';
import type { LoadTerm, LoadTerms } from './load-terms.js';

interface Parts {
  readonly nq: number;
  readonly carriers: Carriers;
  readonly driven: DrivenMotion;
  readonly derivatives: TreeDerivatives;
  readonly loads: LoadTerms;
  readonly jointForces: readonly JointForce[];
  readonly loops: Loops;
  readonly articulated: ArticulatedBody;
  readonly freeBodies: FreeBodies;
}

export class TimeDerivative {
  private readonly parts: Parts;
  private readonly load: Float64Array; // 6 per carrier: of nodes δW, of free bodies minus the change of the load
  private readonly right: Float64Array; // per velocity of the tree
  private readonly half: Float64Array; // per velocity of the tree
  private readonly pose = new Float64Array(12); // θ, δc of A and of B
  private readonly twist = new Float64Array(12); // δω, δv
  private readonly change = new Float64Array(12);
  private readonly alpha = new Float64Array(6);
  private readonly wrench = new Float64Array(6);

  constructor(parts: Parts) {
    this.parts = parts;
    this.load = new Float64Array(6 * (parts.carriers.ground + 1));
    this.right = new Float64Array(parts.derivatives.size);
    this.half = new Float64Array(parts.derivatives.size);
  }

  /**
   * Fills `out`, at the linearisation of all parts.
   *
   * @param g uniform gravity or zero
   */
  fill(g: Float64Array, out: Float64Array): void {
    const { driven, derivatives, loads, jointForces, loops, articulated, nq } = this.parts;
    const { load, right, half } = this;
    out.fill(0);
    load.fill(0);
    right.fill(0);
    for (let k = 0; k < jointForces.length; k++) right[jointForces[k].velocity] += jointForces[k].byTime;
    if (driven.any) this.inertial(g);
    for (let k = 0; k < loads.all.length; k++) this.addTerm(loads.all[k], out);
    if (derivatives.size > 0) {
      this.alongTree();
      articulated.halfSolve(right, 0, half, 0);
      articulated.halfSolveTransposed(half, 0, out, nq);
      if (loops.any) loops.constrainChange(out, nq);
    }
    this.alongBodies(out);
  }

  /** I α + B β of all nodes that are carried */
  private inertial(g: Float64Array): void {
    const { load, alpha } = this;
    const { driven, derivatives } = this.parts;
    const { rise, moved } = driven;
    const { tree } = derivatives.kinematics;
    for (let i = 0; i < tree.count; i++) {
      if (moved[i] === 0 || tree.mass[i] === 0) continue;
      const z = 18 * i;
      for (let j = 0; j < 6; j++) alpha[j] = rise[z + 12 + j];
      // −G × χ = (0, χ_ω × g)
      alpha[3] += rise[z + 1] * g[2] - rise[z + 2] * g[1];
      alpha[4] += rise[z + 2] * g[0] - rise[z] * g[2];
      alpha[5] += rise[z] * g[1] - rise[z + 1] * g[0];
      addInertia(derivatives.inertia, 10 * i, alpha, 0, load, 6 * i);
      addCoriolis(1, derivatives.coriolis, 12 * i, rise, z + 6, load, 6 * i);
      const { flexible } = derivatives.kinematics;
      for (let k = 0; k < flexible.length; k++) if (flexible[k].node === i) this.alongFlexible(flexible[k]);
    }
  }

  /** The same along the coordinates of a deforming body that is carried; α is the one of its node. */
  private alongFlexible({ node, count, velocity, byRate, beta }: FlexibleInertia): void {
    const { alpha, wrench, right } = this;
    const { driven, derivatives } = this.parts;
    const z = 18 * node;
    for (let k = 0; k < count; k++) {
      shiftForce(byRate, 6 * k, derivatives.offset, 3 * node, wrench, 0);
      let sum = dot6(wrench, 0, alpha, 0);
      for (let j = 0; j < 3; j++) sum += beta[3 * k + j] * driven.rise[z + 6 + j];
      right[velocity[k]] -= sum;
    }
  }

  /** One load: its change less what turns with the carrier, and the rates of its states */
  private addTerm(
    { blocks, derivative, modal, stateAt, timeDependent, acts, follows }: LoadTerm,
    out: Float64Array,
  ): void {
    const { pose, twist, change, right } = this;
    const { moved } = this.parts.driven;
    const carried = (acts || follows) && (moved[blocks.a] !== 0 || moved[blocks.b] !== 0);
    if (!carried && !timeDependent) return;
    change.set(derivative.byTime);
    for (let k = 0; k < derivative.states; k++) out[stateAt + k] = derivative.ratesByTime[k];
    if (carried) {
      this.motionOf(blocks.a, 0);
      this.motionOf(blocks.b, 6);
      for (let i = 0; i < 12; i++)
        for (let j = 0; j < 12; j++)
          change[i] += derivative.byPose[12 * i + j] * pose[j] + derivative.byTwist[12 * i + j] * twist[j];
      for (let k = 0; k < derivative.states; k++)
        for (let j = 0; j < 12; j++)
          out[stateAt + k] +=
            derivative.ratesByPose[12 * k + j] * pose[j] + derivative.ratesByTwist[12 * k + j] * twist[j];
      if (modal && derivative.modal)
        for (let k = 0; k < modal.count; k++)
          for (let j = 0; j < 12; j++)
            right[modal.velocities[k]] +=
              derivative.modal.byPose[12 * k + j] * pose[j] + derivative.modal.byTwist[12 * k + j] * twist[j];
    }
    this.subtract(blocks.a, 0, derivative.wrench, carried);
    this.subtract(blocks.b, 6, derivative.wrench, carried);
  }

  /** Displacement and change of twist of a carrier at its reference point */
  private motionOf(carrier: number, at: number): void {
    const { pose, twist } = this;
    const { driven, derivatives, loads } = this.parts;
    if (driven.moved[carrier] === 0) {
      pose.fill(0, at, at + 6);
      twist.fill(0, at, at + 6);
      return;
    }
    const { rise } = driven;
    const { offset } = derivatives;
    const { carrierTwist: v } = loads;
    const z = 18 * carrier;
    const w = 6 * carrier;
    for (let j = 0; j < 3; j++) {
      const n = (j + 1) % 3;
      const p = (j + 2) % 3;
      const cn = offset[3 * carrier + n];
      const cp = offset[3 * carrier + p];
      pose[at + j] = rise[z + j];
      pose[at + 3 + j] = rise[z + 3 + j] + rise[z + n] * cp - rise[z + p] * cn;
      // β at the point, + χ × V and the point's own displacement: θ × ω and θ × v
      twist[at + j] = rise[z + 6 + j] + rise[z + n] * v[w + p] - rise[z + p] * v[w + n];
      twist[at + 3 + j] =
        rise[z + 9 + j] +
        rise[z + 6 + n] * cp -
        rise[z + 6 + p] * cn +
        rise[z + n] * v[w + 3 + p] -
        rise[z + p] * v[w + 3 + n];
    }
  }

  /** Subtracts `change` less θ × (τ, F) from the carrier's load, at its tree's origin. */
  private subtract(carrier: number, at: number, wrench: Float64Array, carried: boolean): void {
    const { load, change, pose } = this;
    const { carriers, derivatives } = this.parts;
    if (carrier === carriers.ground) return;
    if (carried)
      for (let half = at; half < at + 6; half += 3)
        for (let j = 0; j < 3; j++) {
          const n = (j + 1) % 3;
          const p = (j + 2) % 3;
          change[half + j] -= pose[at + n] * wrench[half + p] - pose[at + p] * wrench[half + n];
        }
    const s = 6 * carrier;
    for (let j = 0; j < 6; j++) load[s + j] -= change[at + j];
    if (carrier >= carriers.nodes) return;
    const { offset } = derivatives;
    for (let j = 0; j < 3; j++) {
      const n = (j + 1) % 3;
      const p = (j + 2) % 3;
      load[s + j] -= offset[3 * carrier + n] * change[at + 3 + p] - offset[3 * carrier + p] * change[at + 3 + n];
    }
  }

  /** Leaf to root; (s ×* f) x' goes to the joints above only. */
  private alongTree(): void {
    const { load, right } = this;
    const { derivatives, driven } = this.parts;
    const { tree } = derivatives.kinematics;
    const { column, wrench } = derivatives;
    for (let i = tree.count - 1; i >= 0; i--) {
      const v = tree.v[i];
      const p = tree.parent[i];
      const end = v < 0 ? v : v + (tree.kind[i] === NODE.spherical ? 3 : 1);
      for (let k = v; k < end; k++) right[k] -= dot6(column, 6 * k, load, 6 * i);
      if (p < 0) continue;
      if (tree.motion[i] >= 0) addCrossForce(1, driven.own, 6 * i, wrench, 6 * i, load, 6 * i);
      for (let j = 0; j < 6; j++) load[6 * p + j] += load[6 * i + j];
    }
  }

  private alongBodies(out: Float64Array): void {
    const { load } = this;
    const { carriers, freeBodies, derivatives, nq } = this.parts;
    const { rotation, nodes } = carriers;
    for (let i = 0; i < carriers.free; i++) {
      const s = 6 * (nodes + i);
      const r = 9 * (nodes + i);
      const at = nq + derivatives.size + 6 * i;
      for (let j = 0; j < 3; j++) {
        out[at + j] = -load[s + 3 + j] / freeBodies.mass[i];
        const moment = freeBodies.moments[3 * i + j];
        const torque =
          rotation[r + j] * load[s] + rotation[r + 3 + j] * load[s + 1] + rotation[r + 6 + j] * load[s + 2];
        out[at + 3 + j] = moment > 0 ? -torque / moment : 0;
      }
    }
  }
}
