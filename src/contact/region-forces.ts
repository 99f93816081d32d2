/**
 * Wrench of one contact region between two carriers, and the rates of its friction states; region-derivatives.ts has their exact derivatives.
 *
 * The region has a point c, a normal n from A to B, and a basis (t₁, t₂) of its plane that turns with A (region-frame.ts).
 *
 *   u = v_B + ω_B × (c − p_B) − v_A − ω_A × (c − p_A)        velocity of B's material against A's
 *   v = −n·u,  slip_i = t_i·u,  spin = n·(ω_B − ω_A)
 *   F = N n + T₁ t₁ + T₂ t₂ on B at c, −F on A;   torque M n − R (ρ₁ t₁ + ρ₂ t₂) on B, its negative on A
 *
 * A patch that rocks is damped like one that is pressed: the pressure of a place follows its own approach speed, which to first order is
 * a torque −c (n × S n×) ω about the centroid, c = ∂N/∂v and S the patch's second moments per area; c S/N is held within a step. Balls
 * roll, and have none. Where one shape is round about an axis k, turning about it changes nothing and is not resisted: with P = 1 − k kᵀ the
 * torque is −P c (n × S n×) P ω. A wheel rolls free, a disc that lies flat is damped in both directions.
 *
 * ρ is the rolling bristle (region-rolling.ts). The friction displacement turns with the mean of the two bodies: (s₁, s₂)' += ½ spin (−s₂, s₁).
 */
import { ContactForces, type ContactMeasures } from '../contact-laws/contact-law.js';
import type { PairLaw } from '../contact-laws/pair-law.js';
import { MOST_REGION_STATES } from '../contact-laws/region-states.js';
import type { PatchContour } from '../contact-laws/torsion/patch-contour.js';
import type { Carriers } from '../dynamics/tree/carriers.js';
import type { ContactPatches } from '../narrow-phase/contact-patches.js';
import { AddedTorque } from './added-torque.js';
import { tangents } from './region-frame.js';
import { RegionPatch } from './region-patch.js';
import { RegionRolling } from './region-rolling.js';

/** What is held within a step, of one region. */
export interface RegionConstants {
  /** 3: e in A's axes */
  readonly edge: Float64Array;
  /** c of the bristle's d = c √k, with which d follows the stiffness smoothly; a d held over a step would jump between steps, and jar */
  dampingScale: number;
  /** Effective mass along the normal, kg */
  effectiveMass: number;
  /** How many times its own weight it carries for good, ≥ 1; see constant-restitution.ts */
  carried: number;
  /** √(I/m), inertia felt about the normal and mass felt along the tangent, m: how a twist is damped; see patch-bristle.ts */
  twistRadius: number;
  /** How its area grows with depth; see overlap-volume.ts */
  growth: number;
  /** Its bristle held at the start of the step. */
  holds: boolean;
  /** 6: minus torque of rocking by ω and N in (n, t₁, t₂), nn, 11, 22, n1, n2, 12, m s */
  readonly rocking: Float64Array;
  /**
   * 3: shape of the patch, second moments over the square of its area as friction sees them, in (t₁, t₂), 11, 12, 22; below 0: as found. No
   * route tells how they change with the poses, and a step matrix that leaves that out costs order: within a step a patch grows, but keeps
   * its shape.
   */
  readonly patch?: Float64Array;
}

export class RegionForces {
  readonly forces = new ContactForces();
  readonly patch = new RegionPatch();
  readonly added = new AddedTorque();
  readonly rolling = new RegionRolling();
  readonly measures: Required<ContactMeasures> = {
    depth: 0,
    approachSpeed: 0,
    volume: 0,
    area: 0,
    effectiveMass: 1,
    growth: 0,
    slip1: 0,
    slip2: 0,
    spin: 0,
    stiffness: 1,
    damping: 1,
    twistRadius: 0,
    held: false,
  };
  /** 9: n, t₁, t₂, and κ of region-frame.ts */
  readonly basis = new Float64Array(9);
  kappa = 0;
  /** 3 each: u, c − p_A, c − p_B, F on B, torque on B */
  readonly velocity = new Float64Array(3);
  readonly leverA = new Float64Array(3);
  readonly leverB = new Float64Array(3);
  readonly force = new Float64Array(3);
  readonly torque = new Float64Array(3);
  /** On B by friction, the papers' torsion laws included, N m */
  torqueAboutNormal = 0;
  /** Rates of its states */
  readonly rates = new Float64Array(MOST_REGION_STATES);
  /** Elastic energy, J, of normal force and bristles; NaN where the law has none to tell */
  energy = 0;
  /** Power that the wrenches take from the bodies, W */
  absorbed = 0;
  /** Of it, what is lost, where the normal force is a potential's; else NaN */
  loss = 0;
  stiffnessByDepth = 0;
  stiffnessByArea = 0;
  /** Minus torque of rocking by ω in (n, t₁, t₂): nn, 11, 22, n1, n2, 12, N m s */
  readonly rocking = new Float64Array(6);
  private readonly point = new Float64Array(3);

  constructor(private readonly carriers: Carriers) {}

  get contour(): PatchContour {
    return this.patch.contour;
  }

  /**
   * @param p         row of the patches
   * @param y         states, this region's from `at`
   * @param gradients derivatives of the laws are asked for; they are without meaning if not
   */
  evaluate(
    law: PairLaw,
    constants: RegionConstants,
    patches: ContactPatches,
    p: number,
    a: number,
    b: number,
    y: Float64Array,
    at: number,
    gradients = true,
  ): void {
    const { basis, measures, forces, force, torque, rates, patch, added } = this;
    const { twist } = this.carriers;
    const wx = twist[6 * b] - twist[6 * a];
    const wy = twist[6 * b + 1] - twist[6 * a + 1];
    const wz = twist[6 * b + 2] - twist[6 * a + 2];
    this.measure(constants, patches, p, a, b, wx, wy, wz);
    this.findStiffness(law);
    measures.damping = constants.dampingScale * Math.sqrt(measures.stiffness);
    patch.set(law, constants.patch, measures.volume, measures.area, basis, patches, p);

    // normal force and friction
    const { bristle, rolling } = law.states;
    const s = at + bristle;
    forces.evaluate(law, patch.contour, measures, y, s, gradients);
    const { normal, friction } = forces;
    const { spin } = measures;
    added.evaluate(law, normal.force, spin, measures.area, measures.depth);
    let stretch = 0; // z², m²
    if (bristle >= 0) {
      rates[bristle] = forces.rates[0] - 0.5 * spin * y[s + 1];
      rates[bristle + 1] = forces.rates[1] + 0.5 * spin * y[s];
      rates[bristle + 2] = forces.rates[2];
      stretch = y[s] * y[s] + y[s + 1] * y[s + 1] + y[s + 2] * y[s + 2];
    }
    const about = friction[2] + added.torque;
    this.torqueAboutNormal = about;
    for (let k = 0; k < 3; k++) {
      force[k] = normal.force * basis[k] + friction[0] * basis[3 + k] + friction[1] * basis[6 + k];
      torque[k] = about * basis[k];
    }

    // rocking and rolling
    const rockingLoss = this.rock(constants, wx, wy, wz);
    let rollingLoss = 0;
    let rollingEnergy = 0;
    if (law.rolling) {
      const roll = this.rolling;
      const r = at + rolling;
      roll.evaluate(law.rolling, measures.effectiveMass, normal.force, basis, wx, wy, wz, y, r, torque);
      rates[rolling] = roll.forces[2] - 0.5 * spin * y[r + 1];
      rates[rolling + 1] = roll.forces[3] + 0.5 * spin * y[r];
      rollingEnergy = roll.energy;
      rollingLoss = roll.loss;
    }

    // energy and power
    const { velocity } = this;
    const torquePower = torque[0] * wx + torque[1] * wy + torque[2] * wz;
    this.absorbed = 0 - (force[0] * velocity[0] + force[1] * velocity[1] + force[2] * velocity[2]) - torquePower;
    this.energy = normal.energy + forces.bristleEnergy + rollingEnergy;
    // Heat, where N_elastic is the slope of the energy: what damping and friction take; a bristle that stiffens with depth is stretched by that
    this.loss =
      (normal.force - normal.elastic) * measures.approachSpeed +
      forces.frictionLoss -
      0.5 * this.stiffnessByDepth * measures.approachSpeed * stretch -
      added.torque * spin +
      rollingLoss +
      rockingLoss;
  }

  /** Frame, levers, velocities and what the laws measure */
  private measure(
    constants: RegionConstants,
    patches: ContactPatches,
    p: number,
    a: number,
    b: number,
    wx: number,
    wy: number,
    wz: number,
  ): void {
    const { carriers, basis, velocity, leverA, leverB, measures, point } = this;
    const { position, rotation, twist } = carriers;
    for (let k = 0; k < 3; k++) {
      point[k] = patches.centroid[3 * p + k];
      leverA[k] = point[k] - position[3 * a + k];
      leverB[k] = point[k] - position[3 * b + k];
      basis[k] = patches.normal[3 * p + k];
    }
    this.kappa = tangents(basis, rotation, 9 * a, constants.edge);
    for (let k = 0; k < 3; k++) {
      const l = k === 2 ? 0 : k + 1;
      const m = k === 0 ? 2 : k - 1;
      velocity[k] =
        twist[6 * b + 3 + k] +
        (twist[6 * b + l] * leverB[m] - twist[6 * b + m] * leverB[l]) -
        (twist[6 * a + 3 + k] + (twist[6 * a + l] * leverA[m] - twist[6 * a + m] * leverA[l]));
    }
    measures.depth = patches.depth[p];
    measures.volume = patches.volume[p];
    const sx = patches.vectorArea[3 * p];
    const sy = patches.vectorArea[3 * p + 1];
    const sz = patches.vectorArea[3 * p + 2];
    measures.area = Math.sqrt(sx * sx + sy * sy + sz * sz);
    measures.approachSpeed = 0 - (basis[0] * velocity[0] + basis[1] * velocity[1] + basis[2] * velocity[2]);
    measures.slip1 = basis[3] * velocity[0] + basis[4] * velocity[1] + basis[5] * velocity[2];
    measures.slip2 = basis[6] * velocity[0] + basis[7] * velocity[1] + basis[8] * velocity[2];
    measures.spin = basis[0] * wx + basis[1] * wy + basis[2] * wz;
    measures.effectiveMass = constants.effectiveMass * constants.carried;
    measures.growth = constants.growth;
    measures.twistRadius = constants.twistRadius;
    measures.held = constants.holds;
  }

  /** Tangential stiffness of the region and its derivatives */
  private findStiffness({ tangential }: PairLaw): void {
    const { measures } = this;
    const { coefficient, areaPower, areaFloor, depthPower, depthFloor } = tangential;
    let k = coefficient;
    this.stiffnessByArea = this.stiffnessByDepth = 0;
    if (areaPower !== 0) {
      const area = Math.max(measures.area, areaFloor);
      k *= areaPower === 1 ? area : Math.sqrt(area);
      if (measures.area > areaFloor) this.stiffnessByArea = (areaPower * k) / area;
    }
    if (depthPower !== 0) {
      const depth = Math.max(measures.depth, depthFloor);
      k *= Math.sqrt(depth);
      if (measures.depth > depthFloor) this.stiffnessByDepth = (0.5 * k) / depth;
    }
    measures.stiffness = k;
  }

  /** Adds the torque of a patch that rocks; gives the power it loses, W. */
  private rock(constants: RegionConstants, wx: number, wy: number, wz: number): number {
    const { rocking, basis, torque, measures, forces } = this;
    for (let i = 0; i < 6; i++) rocking[i] = forces.normal.force * constants.rocking[i];
    if (!(rocking[0] + rocking[1] + rocking[2] > 0)) return 0;
    const { spin } = measures;
    const w1 = basis[3] * wx + basis[4] * wy + basis[5] * wz;
    const w2 = basis[6] * wx + basis[7] * wy + basis[8] * wz;
    const m0 = 0 - rocking[0] * spin - rocking[3] * w1 - rocking[4] * w2;
    const m1 = 0 - rocking[3] * spin - rocking[1] * w1 - rocking[5] * w2;
    const m2 = 0 - rocking[4] * spin - rocking[5] * w1 - rocking[2] * w2;
    for (let k = 0; k < 3; k++) torque[k] += m0 * basis[k] + m1 * basis[3 + k] + m2 * basis[6 + k];
    return 0 - m0 * spin - m1 * w1 - m2 * w2;
  }
}
