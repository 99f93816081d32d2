/**
 * Wrench of one contact region between two carriers, the rates of its friction states, and their exact derivatives.
 *
 * The region has a point c, a normal n from A to B, and a basis (t₁, t₂) of its plane that turns with A: t₁ is the part of e across n, e
 * fixed in A and set to t₁ after every accepted step, so that within a step all is a smooth function of the poses.
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
 * ρ is the rolling bristle. The friction displacement turns with the mean of the two bodies: (s₁, s₂)' += ½ spin (−s₂, s₁).
 *
 * A pose changes by (θ_A, δp_A, θ_B, δp_B). What is geometry follows A and changes with the motion of B relative to it at c:
 *
 *   dφ = θ_B − θ_A,   dx = δp_B + θ_B × (c − p_B) − δp_A − θ_A × (c − p_A)
 *   dV, dd, d|S| = G (dx, dφ),   dn = θ_A × n + G_n,   dc = δp_A + θ_A × (c − p_A) + G_c
 *   dt₁ = θ_A × t₁ − (t₁·ν) n − κ (t₂·ν) t₂,   dt₂ = θ_A × t₂ − (t₂·ν) n + κ (t₂·ν) t₁,   ν = G_n,  κ = (e·n)/|e − n (e·n)|
 */
import { BY, ContactForces, type ContactMeasures } from '../contact-laws/contact-law.js';
import { bristle, bristleDerivatives } from '../contact-laws/friction/bristle.js';
import type { PairLaw } from '../contact-laws/pair-law.js';
import {
  contactCircleTorque,
  contactCircleTorqueByRadius,
  contactCircleTorqueBySpin,
} from '../contact-laws/torsion/contact-circle-torque.js';
import { PatchContour } from '../contact-laws/torsion/patch-contour.js';
import { HERTZ_DISC, momentShare } from '../contact-laws/torsion/pressure.js';
import {
  rotationalDamping,
  rotationalDampingByArea,
  rotationalDampingByForce,
  rotationalDampingBySpin,
} from '../contact-laws/torsion/rotational-damping.js';
import type { Carriers } from '../dynamics/carriers.js';
import type { PairDerivative } from '../dynamics/pair-element.js';
import { type ContactPatches, GRADIENT } from '../narrow-phase/contact-patches.js';

/** What is held within a step, of one region. */
export interface RegionConstants {
  /** 3: e in A's axes */
  readonly edge: Float64Array;
  /** c of the bristle's d = c √k, with which d follows the stiffness smoothly; a d held over a step would jump between steps, and jar */
  dampingScale: number;
  /** Mass felt along the normal, kg */
  effectiveMass: number;
  /** How its area grows with depth; see overlap-volume.ts */
  growth: number;
  /** 6: minus torque of rocking by ω and N in (n, t₁, t₂), nn, 11, 22, n1, n2, 12, m s */
  readonly rocking: Float64Array;
  /**
   * 3: shape of the patch, second moments over the square of its area as friction sees them, in (t₁, t₂), 11, 12, 22; below 0: as found. No
   * route tells how they change with the poses, and a step matrix that leaves that out costs order: within a step a patch grows, but keeps
   * its shape.
   */
  readonly patch?: Float64Array;
}

/** States of a region: s₁, s₂, ψ, and two of rolling where the pair has rolling friction */
export const regionStates = (law: PairLaw): number => (law.rolling ? 5 : 3);

export class RegionForces {
  readonly forces = new ContactForces();
  readonly contour = new PatchContour();
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
  };
  /** 9: n, t₁, t₂ */
  readonly basis = new Float64Array(9);
  /** 3 each: u, c − p_A, c − p_B, F on B, torque on B */
  readonly velocity = new Float64Array(3);
  readonly leverA = new Float64Array(3);
  readonly leverB = new Float64Array(3);
  readonly force = new Float64Array(3);
  readonly torque = new Float64Array(3);
  /** On B by friction, the papers' torsion laws included, N m */
  torqueAboutNormal = 0;
  /** Rates of its states */
  readonly rates = new Float64Array(5);
  /** Elastic energy, J, of normal force and bristles; NaN where the law has none to tell */
  energy = 0;
  /** Power that the wrenches take from the bodies, W */
  taken = 0;
  /** Of it, what is lost, where the normal force is a potential's; else NaN */
  loss = 0;
  private kappa = 0;
  private stiffnessByDepth = 0;
  private stiffnessByArea = 0;
  /** ∂ ln b/∂|S|, 1/m² */
  private patchGrowth = 0;
  private hasPatch = false;
  /** Its limit surface is the ellipsoid of ellipsoid-limit.ts. */
  private ellipsoid = false;
  /** Torque about n beyond that of the friction law, and its derivatives by N, spin, |S|, depth */
  private extra = 0;
  private extraByForce = 0;
  private extraBySpin = 0;
  private extraByArea = 0;
  private extraByDepth = 0;
  /** Minus torque of rocking by ω in (n, t₁, t₂): nn, 11, 22, n1, n2, 12, N m s */
  private readonly rocking = new Float64Array(6);
  /** Second moments of the patch per area, (t₁, t₂): 11, 12, 22, m² */
  readonly moments = new Float64Array(3);
  /** The same as friction sees them: less where pressure is not even */
  readonly felt = new Float64Array(3);
  private readonly rolling = new Float64Array(4);
  private readonly rollingBy = new Float64Array(6);
  private readonly rollSpeed = new Float64Array(2);
  private readonly point = new Float64Array(3);

  constructor(private readonly carriers: Carriers) {}

  /**
   * @param p  row of the patches
   * @param y  states, this region's from `at`
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
  ): void {
    const { carriers, basis, velocity, leverA, leverB, measures, forces, force, torque, rates, point } = this;
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
    const wx = twist[6 * b] - twist[6 * a];
    const wy = twist[6 * b + 1] - twist[6 * a + 1];
    const wz = twist[6 * b + 2] - twist[6 * a + 2];
    measures.spin = basis[0] * wx + basis[1] * wy + basis[2] * wz;
    measures.effectiveMass = constants.effectiveMass;
    measures.growth = constants.growth;
    this.stiffen(law);
    measures.damping = constants.dampingScale * Math.sqrt(measures.stiffness);
    this.shape(law, constants, patches, p);
    forces.evaluate(law, this.contour, measures, y, at);
    const { normal, friction } = forces;
    this.twistBeyond(law);
    const spin = measures.spin;
    rates[0] = forces.rates[0] - 0.5 * spin * y[at + 1];
    rates[1] = forces.rates[1] + 0.5 * spin * y[at];
    rates[2] = forces.rates[2];
    const about = friction[2] + this.extra;
    this.torqueAboutNormal = about;
    for (let k = 0; k < 3; k++) {
      force[k] = normal.force * basis[k] + friction[0] * basis[3 + k] + friction[1] * basis[6 + k];
      torque[k] = about * basis[k];
    }
    let rollingLoss = 0;
    let rollingEnergy = 0;
    const { rocking } = this;
    for (let i = 0; i < 6; i++) rocking[i] = normal.force * constants.rocking[i];
    let rockingLoss = 0;
    if (rocking[0] + rocking[1] + rocking[2] > 0) {
      const w1 = basis[3] * wx + basis[4] * wy + basis[5] * wz;
      const w2 = basis[6] * wx + basis[7] * wy + basis[8] * wz;
      const m0 = 0 - rocking[0] * spin - rocking[3] * w1 - rocking[4] * w2;
      const m1 = 0 - rocking[3] * spin - rocking[1] * w1 - rocking[5] * w2;
      const m2 = 0 - rocking[4] * spin - rocking[5] * w1 - rocking[2] * w2;
      for (let k = 0; k < 3; k++) torque[k] += m0 * basis[k] + m1 * basis[3 + k] + m2 * basis[6 + k];
      rockingLoss = 0 - m0 * spin - m1 * w1 - m2 * w2;
    }
    if (law.rolling) {
      const { coefficient, radius, stiffness } = law.rolling;
      const r1 = radius * (basis[3] * wx + basis[4] * wy + basis[5] * wz);
      const r2 = radius * (basis[6] * wx + basis[7] * wy + basis[8] * wz);
      this.rollSpeed[0] = r1;
      this.rollSpeed[1] = r2;
      const damping = rollingDamping(stiffness, constants.effectiveMass);
      bristle(stiffness, damping, coefficient * normal.force, y[at + 3], y[at + 4], r1, r2, this.rolling);
      rates[3] = this.rolling[2] - 0.5 * spin * y[at + 4];
      rates[4] = this.rolling[3] + 0.5 * spin * y[at + 3];
      for (let k = 0; k < 3; k++)
        torque[k] -= radius * (this.rolling[0] * basis[3 + k] + this.rolling[1] * basis[6 + k]);
      rollingEnergy = 0.5 * stiffness * (y[at + 3] * y[at + 3] + y[at + 4] * y[at + 4]);
      rollingLoss =
        this.rolling[0] * r1 +
        this.rolling[1] * r2 -
        stiffness * (y[at + 3] * this.rolling[2] + y[at + 4] * this.rolling[3]);
    }
    const torquePower = torque[0] * wx + torque[1] * wy + torque[2] * wz;
    this.taken = 0 - (force[0] * velocity[0] + force[1] * velocity[1] + force[2] * velocity[2]) - torquePower;
    this.energy = normal.energy + forces.bristleEnergy + rollingEnergy;
    // Heat, where N_elastic is the slope of the energy: what damping and friction take; a bristle that stiffens with depth is stretched by that
    const z = y[at] * y[at] + y[at + 1] * y[at + 1] + y[at + 2] * y[at + 2];
    this.loss =
      (normal.force - normal.elastic) * measures.approachSpeed +
      forces.frictionLoss -
      0.5 * this.stiffnessByDepth * measures.approachSpeed * z -
      this.extra * spin +
      rollingLoss +
      rockingLoss;
  }

  /** Tangential stiffness of the region and its derivatives */
  private stiffen({ tangential }: PairLaw): void {
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

  /**
   * The patch as friction sees it. It changes with the pose; of that, derivatives know how the patches of balls grow with their area, b² ~ |S|.
   * Friction sees b in b ω and in the torque b F₃ only.
   */
  private shape(law: PairLaw, { patch }: RegionConstants, patches: ContactPatches, p: number): void {
    const { contour, basis, measures } = this;
    const area = patches.area[p];
    this.patchGrowth = 0;
    const spins = law.torsion === 'patch' || law.torsion === 'ellipsoid';
    const given = spins && law.torsionRadius > 0;
    this.hasPatch = area > 0 && spins && !given;
    this.ellipsoid = law.torsion === 'ellipsoid';
    if (given) this.circle(law);
    if (!(area > 0)) {
      if (!given) contour.setPoint();
    } else {
      const m = patches.secondMoments;
      const i = 6 * p;
      let s11 = 0;
      let s12 = 0;
      let s22 = 0;
      for (let r = 0; r < 3; r++)
        for (let c = 0; c < 3; c++) {
          const entry = m[i + (r === c ? r : r + c + 2)];
          s11 += basis[3 + r] * entry * basis[3 + c];
          s12 += basis[3 + r] * entry * basis[6 + c];
          s22 += basis[6 + r] * entry * basis[6 + c];
        }
      this.moments[0] = s11 / area;
      this.moments[1] = s12 / area;
      this.moments[2] = s22 / area;
      if (!spins) contour.setPoint();
      else if (!given) {
        const share = momentShare(law.pressure, measures.volume, measures.area, patches.extent[p]) / area;
        const { felt } = this;
        felt[0] = share * s11;
        felt[1] = share * s12;
        felt[2] = share * s22;
        const held = patch !== undefined && patch[0] >= 0;
        if (held || Number.isFinite(law.effectiveRadius)) this.patchGrowth = 0.5 / measures.area;
        if (held) contour.setEllipse(patch[0] * measures.area, patch[1] * measures.area, patch[2] * measures.area);
        else contour.setEllipse(felt[0], felt[1], felt[2]);
        if (this.ellipsoid) contour.setEllipsoid();
      }
    }
  }

  /** The circle of contact that the user gives, whatever the overlap is */
  private circle({ pressure, torsionRadius }: PairLaw): void {
    const radius = pressure === 'hertz' ? HERTZ_DISC * torsionRadius : torsionRadius;
    if (this.ellipsoid) this.contour.setEllipsoid((2 / 3) * radius);
    else this.contour.setDisc(radius);
  }

  /** b of the patch as it was found by the last `evaluate`, whatever shape was held, m; the contour is that patch from here on. */
  foundRadius(): number {
    const { contour, felt } = this;
    if (this.hasPatch) {
      contour.setEllipse(felt[0], felt[1], felt[2]);
      if (this.ellipsoid) contour.setEllipsoid();
    }
    return contour.effectiveRadius;
  }

  /** The papers' torques about the normal */
  private twistBeyond(law: PairLaw): void {
    const { measures } = this;
    const { force: load } = this.forces.normal;
    this.extra = this.extraByForce = this.extraBySpin = this.extraByArea = this.extraByDepth = 0;
    const { torsion } = law;
    if (typeof torsion === 'string') return;
    const { spin, area, depth } = measures;
    if (torsion.kind === 'elmqvist') {
      const c = torsion.constant;
      this.extra = rotationalDamping(c, area, load, spin);
      this.extraByForce = rotationalDampingByForce(c, area, spin);
      this.extraBySpin = rotationalDampingBySpin(c, area, load);
      this.extraByArea = rotationalDampingByArea(c, load, spin);
      return;
    }
    if (!(depth > 0)) return;
    const round = Number.isFinite(law.effectiveRadius) ? law.effectiveRadius : law.rollingRadius;
    const circle = { friction: law.properties.kineticFriction, deadBand: torsion.deadBand };
    const radius = Math.sqrt(round * depth);
    this.extra = contactCircleTorque(circle, load, radius, spin);
    this.extraByForce = load > 0 ? this.extra / load : 0;
    this.extraBySpin = contactCircleTorqueBySpin(circle, load, radius, spin);
    this.extraByDepth = (contactCircleTorqueByRadius(circle, load, radius, spin) * radius) / (2 * depth);
  }

  /**
   * Adds the derivatives of the last `evaluate`, which must have been with gradients.
   *
   * @param first index of the region's first state within the element's
   */
  differentiate(
    law: PairLaw,
    constants: RegionConstants,
    patches: ContactPatches,
    p: number,
    a: number,
    b: number,
    y: Float64Array,
    at: number,
    first: number,
    out: PairDerivative,
  ): void {
    const { basis, velocity, leverA, leverB, force, torque, forces, measures } = this;
    const { twist } = this.carriers;
    const { normal, derivatives: D } = forces;
    const count = regionStates(law);
    const states = out.states;
    const k = measures.stiffness;
    this.differentiateRolling(law, constants, y, at);
    for (let j = 0; j < 3; j++) {
      out.wrench[3 + j] -= force[j];
      out.wrench[9 + j] += force[j];
      const l = j === 2 ? 0 : j + 1;
      const m = j === 0 ? 2 : j - 1;
      out.wrench[j] -= leverA[l] * force[m] - leverA[m] * force[l] + torque[j];
      out.wrench[6 + j] += leverB[l] * force[m] - leverB[m] * force[l] + torque[j];
    }
    const rocks = this.rocking[0] + this.rocking[1] + this.rocking[2] > 0;
    const g = patches.gradient;
    const base = 54 * p;
    const wax = twist[6 * a];
    const way = twist[6 * a + 1];
    const waz = twist[6 * a + 2];
    const wbx = twist[6 * b];
    const wby = twist[6 * b + 1];
    const wbz = twist[6 * b + 2];

    // ---- columns of poses and twists
    for (let column = 0; column < 24; column++) {
      const ofTwist = column >= 12;
      const c12 = ofTwist ? column - 12 : column;
      const side = c12 < 6 ? 0 : 1;
      const m6 = c12 - 6 * side;
      const lever = side === 0 ? leverA : leverB;
      // the unit motion of the side's carrier: rotation (rx, ry, rz) and what it does at c
      const rx = m6 === 0 ? 1 : 0;
      const ry = m6 === 1 ? 1 : 0;
      const rz = m6 === 2 ? 1 : 0;
      let cx = m6 === 3 ? 1 : 0;
      let cy = m6 === 4 ? 1 : 0;
      let cz = m6 === 5 ? 1 : 0;
      cx += ry * lever[2] - rz * lever[1];
      cy += rz * lever[0] - rx * lever[2];
      cz += rx * lever[1] - ry * lever[0];
      const sign = side === 0 ? -1 : 1;
      let dV = 0;
      let dd = 0;
      let dS = 0;
      let dnx = 0;
      let dny = 0;
      let dnz = 0;
      let d1x = 0;
      let d1y = 0;
      let d1z = 0;
      let d2x = 0;
      let d2y = 0;
      let d2z = 0;
      let px = 0; // dc
      let py = 0;
      let pz = 0;
      let dux = 0;
      let duy = 0;
      let duz = 0;
      let dwx = 0; // d(ω_B − ω_A)
      let dwy = 0;
      let dwz = 0;
      if (ofTwist) {
        dux = sign * cx;
        duy = sign * cy;
        duz = sign * cz;
        dwx = sign * rx;
        dwy = sign * ry;
        dwz = sign * rz;
      } else {
        const ex = sign * cx;
        const ey = sign * cy;
        const ez = sign * cz;
        const fx = sign * rx;
        const fy = sign * ry;
        const fz = sign * rz;
        dV = row(g, base + GRADIENT.volume, ex, ey, ez, fx, fy, fz);
        dd = row(g, base + GRADIENT.depth, ex, ey, ez, fx, fy, fz);
        dS = row(g, base + GRADIENT.vectorArea, ex, ey, ez, fx, fy, fz);
        dnx = row(g, base + GRADIENT.normal, ex, ey, ez, fx, fy, fz);
        dny = row(g, base + GRADIENT.normal + 6, ex, ey, ez, fx, fy, fz);
        dnz = row(g, base + GRADIENT.normal + 12, ex, ey, ez, fx, fy, fz);
        px = row(g, base + GRADIENT.centroid, ex, ey, ez, fx, fy, fz);
        py = row(g, base + GRADIENT.centroid + 6, ex, ey, ez, fx, fy, fz);
        pz = row(g, base + GRADIENT.centroid + 12, ex, ey, ez, fx, fy, fz);
        const along1 = basis[3] * dnx + basis[4] * dny + basis[5] * dnz;
        const along2 = basis[6] * dnx + basis[7] * dny + basis[8] * dnz;
        const turn = this.kappa * along2;
        d1x = 0 - along1 * basis[0] - turn * basis[6];
        d1y = 0 - along1 * basis[1] - turn * basis[7];
        d1z = 0 - along1 * basis[2] - turn * basis[8];
        d2x = 0 - along2 * basis[0] + turn * basis[3];
        d2y = 0 - along2 * basis[1] + turn * basis[4];
        d2z = 0 - along2 * basis[2] + turn * basis[5];
        if (side === 0) {
          // all of the region turns and moves with A
          dnx += ry * basis[2] - rz * basis[1];
          dny += rz * basis[0] - rx * basis[2];
          dnz += rx * basis[1] - ry * basis[0];
          d1x += ry * basis[5] - rz * basis[4];
          d1y += rz * basis[3] - rx * basis[5];
          d1z += rx * basis[4] - ry * basis[3];
          d2x += ry * basis[8] - rz * basis[7];
          d2y += rz * basis[6] - rx * basis[8];
          d2z += rx * basis[7] - ry * basis[6];
          px += cx;
          py += cy;
          pz += cz;
        }
        // du = ω_B × (dc − δp_B) − ω_A × (dc − δp_A)
        const bx = px - (side === 1 && m6 === 3 ? 1 : 0);
        const by = py - (side === 1 && m6 === 4 ? 1 : 0);
        const bz = pz - (side === 1 && m6 === 5 ? 1 : 0);
        const ax = px - (side === 0 && m6 === 3 ? 1 : 0);
        const ay = py - (side === 0 && m6 === 4 ? 1 : 0);
        const az = pz - (side === 0 && m6 === 5 ? 1 : 0);
        dux = wby * bz - wbz * by - (way * az - waz * ay);
        duy = wbz * bx - wbx * bz - (waz * ax - wax * az);
        duz = wbx * by - wby * bx - (wax * ay - way * ax);
      }
      const wx = wbx - wax;
      const wy = wby - way;
      const wz = wbz - waz;
      const dv =
        0 -
        (dnx * velocity[0] + dny * velocity[1] + dnz * velocity[2]) -
        (basis[0] * dux + basis[1] * duy + basis[2] * duz);
      const ds1 =
        d1x * velocity[0] + d1y * velocity[1] + d1z * velocity[2] + basis[3] * dux + basis[4] * duy + basis[5] * duz;
      const ds2 =
        d2x * velocity[0] + d2y * velocity[1] + d2z * velocity[2] + basis[6] * dux + basis[7] * duy + basis[8] * duz;
      const dspin = dnx * wx + dny * wy + dnz * wz + basis[0] * dwx + basis[1] * dwy + basis[2] * dwz;
      const dN = normal.byDepth * dd + normal.bySpeed * dv + normal.byVolume * dV + normal.byArea * dS;
      const dk = this.stiffnessByDepth * dd + this.stiffnessByArea * dS;
      const T = this.scratch;
      for (let i = 0; i < 6; i++) {
        const r = 7 * i;
        T[i] =
          D[r + BY.normalForce] * dN +
          D[r + BY.slip1] * ds1 +
          D[r + BY.slip2] * ds2 +
          D[r + BY.spin] * dspin +
          forces.byStiffness[i] * (dk / k) +
          D[r + BY.spin] * (this.patchGrowth * dS * measures.spin);
      }
      T[2] += this.patchGrowth * dS * forces.friction[2];
      const dM =
        T[2] + this.extraByForce * dN + this.extraBySpin * dspin + this.extraByArea * dS + this.extraByDepth * dd;
      const N = normal.force;
      const T1 = forces.friction[0];
      const T2 = forces.friction[1];
      const M = this.torqueAboutNormal;
      const fx = dN * basis[0] + T[0] * basis[3] + T[1] * basis[6] + N * dnx + T1 * d1x + T2 * d2x;
      const fy = dN * basis[1] + T[0] * basis[4] + T[1] * basis[7] + N * dny + T1 * d1y + T2 * d2y;
      const fz = dN * basis[2] + T[0] * basis[5] + T[1] * basis[8] + N * dnz + T1 * d1z + T2 * d2z;
      let mx = dM * basis[0] + M * dnx;
      let my = dM * basis[1] + M * dny;
      let mz = dM * basis[2] + M * dnz;
      if (rocks) {
        const { rocking } = this;
        const w1 = basis[3] * wx + basis[4] * wy + basis[5] * wz;
        const w2 = basis[6] * wx + basis[7] * wy + basis[8] * wz;
        const dw1 = d1x * wx + d1y * wy + d1z * wz + basis[3] * dwx + basis[4] * dwy + basis[5] * dwz;
        const dw2 = d2x * wx + d2y * wy + d2z * wz + basis[6] * dwx + basis[7] * dwy + basis[8] * dwz;
        const { spin } = measures;
        const m0 = 0 - rocking[0] * spin - rocking[3] * w1 - rocking[4] * w2;
        const m1 = 0 - rocking[3] * spin - rocking[1] * w1 - rocking[5] * w2;
        const m2 = 0 - rocking[4] * spin - rocking[5] * w1 - rocking[2] * w2;
        const perForce = dN / normal.force;
        const dm0 = 0 - rocking[0] * dspin - rocking[3] * dw1 - rocking[4] * dw2 + perForce * m0;
        const dm1 = 0 - rocking[3] * dspin - rocking[1] * dw1 - rocking[5] * dw2 + perForce * m1;
        const dm2 = 0 - rocking[4] * dspin - rocking[5] * dw1 - rocking[2] * dw2 + perForce * m2;
        mx += dm0 * basis[0] + dm1 * basis[3] + dm2 * basis[6] + m0 * dnx + m1 * d1x + m2 * d2x;
        my += dm0 * basis[1] + dm1 * basis[4] + dm2 * basis[7] + m0 * dny + m1 * d1y + m2 * d2y;
        mz += dm0 * basis[2] + dm1 * basis[5] + dm2 * basis[8] + m0 * dnz + m1 * d1z + m2 * d2z;
      }
      const rowOf = ofTwist ? out.ratesByTwist : out.ratesByPose;
      const from = 12 * first + c12;
      rowOf[from] += T[3] - 0.5 * dspin * y[at + 1];
      rowOf[from + 12] += T[4] + 0.5 * dspin * y[at];
      rowOf[from + 24] += T[5];
      if (law.rolling) {
        const { radius, coefficient } = law.rolling;
        const dr1 = radius * (d1x * wx + d1y * wy + d1z * wz + basis[3] * dwx + basis[4] * dwy + basis[5] * dwz);
        const dr2 = radius * (d2x * wx + d2y * wy + d2z * wz + basis[6] * dwx + basis[7] * dwy + basis[8] * dwz);
        const dL = coefficient * dN;
        const q = this.rollingBy;
        const d = this.rollDamping;
        const dF1 = d * (q[0] * dr1 + q[1] * dr2) + q[4] * dL;
        const dF2 = d * (q[2] * dr1 + q[3] * dr2) + q[5] * dL;
        const F1 = this.rolling[0];
        const F2 = this.rolling[1];
        mx -= radius * (dF1 * basis[3] + dF2 * basis[6] + F1 * d1x + F2 * d2x);
        my -= radius * (dF1 * basis[4] + dF2 * basis[7] + F1 * d1y + F2 * d2y);
        mz -= radius * (dF1 * basis[5] + dF2 * basis[8] + F1 * d1z + F2 * d2z);
        rowOf[from + 36] += dF1 / d - 0.5 * dspin * y[at + 4];
        rowOf[from + 48] += dF2 / d + 0.5 * dspin * y[at + 3];
      }
      // wrenches: d(lever) = dc − δp
      const matrix = ofTwist ? out.byTwist : out.byPose;
      let lx = 0;
      let ly = 0;
      let lz = 0;
      if (!ofTwist) {
        lx = px - (side === 0 && m6 === 3 ? 1 : 0);
        ly = py - (side === 0 && m6 === 4 ? 1 : 0);
        lz = pz - (side === 0 && m6 === 5 ? 1 : 0);
      }
      matrix[c12] -= leverA[1] * fz - leverA[2] * fy + (ly * force[2] - lz * force[1]) + mx;
      matrix[12 + c12] -= leverA[2] * fx - leverA[0] * fz + (lz * force[0] - lx * force[2]) + my;
      matrix[24 + c12] -= leverA[0] * fy - leverA[1] * fx + (lx * force[1] - ly * force[0]) + mz;
      matrix[36 + c12] -= fx;
      matrix[48 + c12] -= fy;
      matrix[60 + c12] -= fz;
      if (!ofTwist) {
        lx = px - (side === 1 && m6 === 3 ? 1 : 0);
        ly = py - (side === 1 && m6 === 4 ? 1 : 0);
        lz = pz - (side === 1 && m6 === 5 ? 1 : 0);
      }
      matrix[72 + c12] += leverB[1] * fz - leverB[2] * fy + (ly * force[2] - lz * force[1]) + mx;
      matrix[84 + c12] += leverB[2] * fx - leverB[0] * fz + (lz * force[0] - lx * force[2]) + my;
      matrix[96 + c12] += leverB[0] * fy - leverB[1] * fx + (lx * force[1] - ly * force[0]) + mz;
      matrix[108 + c12] += fx;
      matrix[120 + c12] += fy;
      matrix[132 + c12] += fz;
    }

    // ---- columns of states
    for (let s = 0; s < count; s++) {
      const column = first + s;
      let t1 = 0;
      let t2 = 0;
      let mx = 0;
      let my = 0;
      let mz = 0;
      if (s < 3) {
        t1 = D[4 + s];
        t2 = D[7 + 4 + s];
        const dM = D[14 + 4 + s];
        mx = dM * basis[0];
        my = dM * basis[1];
        mz = dM * basis[2];
        for (let i = 0; i < 3; i++) out.ratesByState[(first + i) * states + column] += D[7 * (3 + i) + 4 + s];
      } else {
        const { radius, stiffness } = law.rolling!;
        const q = this.rollingBy;
        const d = this.rollDamping;
        const i = s - 3;
        const dF1 = stiffness * q[i];
        const dF2 = stiffness * q[2 + i];
        mx = -radius * (dF1 * basis[3] + dF2 * basis[6]);
        my = -radius * (dF1 * basis[4] + dF2 * basis[7]);
        mz = -radius * (dF1 * basis[5] + dF2 * basis[8]);
        out.ratesByState[(first + 3) * states + column] += (dF1 - (i === 0 ? stiffness : 0)) / d;
        out.ratesByState[(first + 4) * states + column] += (dF2 - (i === 1 ? stiffness : 0)) / d;
      }
      const fx = t1 * basis[3] + t2 * basis[6];
      const fy = t1 * basis[4] + t2 * basis[7];
      const fz = t1 * basis[5] + t2 * basis[8];
      const S = out.byState;
      S[column] -= leverA[1] * fz - leverA[2] * fy + mx;
      S[states + column] -= leverA[2] * fx - leverA[0] * fz + my;
      S[2 * states + column] -= leverA[0] * fy - leverA[1] * fx + mz;
      S[3 * states + column] -= fx;
      S[4 * states + column] -= fy;
      S[5 * states + column] -= fz;
      S[6 * states + column] += leverB[1] * fz - leverB[2] * fy + mx;
      S[7 * states + column] += leverB[2] * fx - leverB[0] * fz + my;
      S[8 * states + column] += leverB[0] * fy - leverB[1] * fx + mz;
      S[9 * states + column] += fx;
      S[10 * states + column] += fy;
      S[11 * states + column] += fz;
    }
    // the turning of the displacement with the mean spin
    const half = 0.5 * measures.spin;
    out.ratesByState[first * states + first + 1] -= half;
    out.ratesByState[(first + 1) * states + first] += half;
    if (law.rolling) {
      out.ratesByState[(first + 3) * states + first + 4] -= half;
      out.ratesByState[(first + 4) * states + first + 3] += half;
    }
  }

  private readonly scratch = new Float64Array(6);
  private rollDamping = 1;

  private differentiateRolling(law: PairLaw, constants: RegionConstants, y: Float64Array, at: number): void {
    if (!law.rolling) return;
    const { coefficient, stiffness } = law.rolling;
    this.rollDamping = rollingDamping(stiffness, constants.effectiveMass);
    bristleDerivatives(
      stiffness,
      this.rollDamping,
      coefficient * this.forces.normal.force,
      y[at + 3],
      y[at + 4],
      this.rollSpeed[0],
      this.rollSpeed[1],
      this.rollingBy,
    );
  }
}

/** Critical, with the mass felt along the normal */
const rollingDamping = (stiffness: number, mass: number): number => 1.4 * Math.sqrt(stiffness * mass);

/** One row of a gradient times (dx, dφ) */
function row(g: Float64Array, i: number, x: number, y: number, z: number, a: number, b: number, c: number): number {
  return g[i] * x + g[i + 1] * y + g[i + 2] * z + g[i + 3] * a + g[i + 4] * b + g[i + 5] * c;
}

/** t₁ and t₂ into basis[3 …] from n in basis[0 …] and e in the carrier's axes; gives κ. */
export function tangents(basis: Float64Array, rotation: Float64Array, r: number, edge: Float64Array): number {
  const ex = rotation[r] * edge[0] + rotation[r + 1] * edge[1] + rotation[r + 2] * edge[2];
  const ey = rotation[r + 3] * edge[0] + rotation[r + 4] * edge[1] + rotation[r + 5] * edge[2];
  const ez = rotation[r + 6] * edge[0] + rotation[r + 7] * edge[1] + rotation[r + 8] * edge[2];
  const nx = basis[0];
  const ny = basis[1];
  const nz = basis[2];
  const along = nx * ex + ny * ey + nz * ez;
  let tx = ex - along * nx;
  let ty = ey - along * ny;
  let tz = ez - along * nz;
  let length = Math.sqrt(tx * tx + ty * ty + tz * tz);
  if (!(length > 1e-6)) {
    // A region that appears where nobody expected it, with nothing in its bristle yet: any direction will do.
    const other = Math.abs(nx) < 0.8;
    tx = other ? 1 - nx * nx : 0 - ny * nx;
    ty = other ? 0 - nx * ny : 1 - ny * ny;
    tz = other ? 0 - nx * nz : 0 - ny * nz;
    length = Math.sqrt(tx * tx + ty * ty + tz * tz);
  }
  basis[3] = tx / length;
  basis[4] = ty / length;
  basis[5] = tz / length;
  basis[6] = ny * basis[5] - nz * basis[4];
  basis[7] = nz * basis[3] - nx * basis[5];
  basis[8] = nx * basis[4] - ny * basis[3];
  return along / length;
}
