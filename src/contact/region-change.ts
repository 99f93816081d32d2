/**
 * How one contact region changes with a unit motion of one of its carriers: its geometry, its velocities, and the forces that follow.
 *
 * A pose changes by (θ_A, δp_A, θ_B, δp_B). What is geometry follows A and changes with the motion of B relative to it at c:
 *
 *   dφ = θ_B − θ_A,   dx = δp_B + θ_B × (c − p_B) − δp_A − θ_A × (c − p_A)
 *   dV, dd, d|S| = G (dx, dφ),   dn = θ_A × n + G_n,   dc = δp_A + θ_A × (c − p_A) + G_c
 *
 * The tangents follow as region-frame.ts has it; from all of these the measures of the laws, from the measures the forces.
 */
import { BY } from '../contact-laws/contact-law.js';
import type { PairLaw } from '../contact-laws/pair-law.js';
import type { Carriers } from '../dynamics/tree/carriers.js';
import { type ContactPatches, GRADIENT } from '../narrow-phase/contact-patches.js';
import type { RegionForces } from './region-forces.js';

/** What one unit motion changes: places in `change`. Vectors take 3. */
export const D = {
  volume: 0,
  depth: 1,
  area: 2,
  normal: 3,
  tangent1: 6,
  tangent2: 9,
  point: 12,
  /** u and ω_B − ω_A */
  velocity: 15,
  turning: 18,
  /** n · (ω_B − ω_A), N */
  spin: 21,
  normalForce: 22,
  /** On B: F, and the torque about c */
  force: 23,
  torque: 26,
  width: 29,
} as const;
export class RegionChange {
  protected readonly change = new Float64Array(D.width);
  /** T₁, T₂, M, s₁', s₂', ψ' */
  protected readonly friction = new Float64Array(6);
  /** F₁, F₂ of the rolling bristle */
  protected readonly roll = new Float64Array(2);

  constructor(
    private readonly carriers: Carriers,
    protected readonly region: RegionForces,
  ) {}

  // ---- what a unit motion does to the geometry and the velocities -------------------------------------------------------------------

  /** Geometry and velocities as the pose of a carrier changes: about x, y, z, along x, y, z of A, then of B */
  protected changePose(patches: ContactPatches, p: number, a: number, b: number, column: number): void {
    const { basis, leverA, leverB, kappa } = this.region;
    const { change: d } = this;
    const { twist } = this.carriers;
    const side = column < 6 ? 0 : 1;
    const m6 = column - 6 * side;
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
    const ex = sign * cx;
    const ey = sign * cy;
    const ez = sign * cz;
    const fx = sign * rx;
    const fy = sign * ry;
    const fz = sign * rz;
    const g = patches.gradient;
    const base = 54 * p;
    d[D.volume] = row(g, base + GRADIENT.volume, ex, ey, ez, fx, fy, fz);
    d[D.depth] = row(g, base + GRADIENT.depth, ex, ey, ez, fx, fy, fz);
    d[D.area] = row(g, base + GRADIENT.vectorArea, ex, ey, ez, fx, fy, fz);
    let dnx = row(g, base + GRADIENT.normal, ex, ey, ez, fx, fy, fz);
    let dny = row(g, base + GRADIENT.normal + 6, ex, ey, ez, fx, fy, fz);
    let dnz = row(g, base + GRADIENT.normal + 12, ex, ey, ez, fx, fy, fz);
    let px = row(g, base + GRADIENT.centroid, ex, ey, ez, fx, fy, fz);
    let py = row(g, base + GRADIENT.centroid + 6, ex, ey, ez, fx, fy, fz);
    let pz = row(g, base + GRADIENT.centroid + 12, ex, ey, ez, fx, fy, fz);
    const along1 = basis[3] * dnx + basis[4] * dny + basis[5] * dnz;
    const along2 = basis[6] * dnx + basis[7] * dny + basis[8] * dnz;
    const turn = kappa * along2;
    let d1x = 0 - along1 * basis[0] - turn * basis[6];
    let d1y = 0 - along1 * basis[1] - turn * basis[7];
    let d1z = 0 - along1 * basis[2] - turn * basis[8];
    let d2x = 0 - along2 * basis[0] + turn * basis[3];
    let d2y = 0 - along2 * basis[1] + turn * basis[4];
    let d2z = 0 - along2 * basis[2] + turn * basis[5];
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
    set(d, D.normal, dnx, dny, dnz);
    set(d, D.tangent1, d1x, d1y, d1z);
    set(d, D.tangent2, d2x, d2y, d2z);
    set(d, D.point, px, py, pz);
    // du = ω_B × (dc − δp_B) − ω_A × (dc − δp_A)
    const bx = px - (side === 1 && m6 === 3 ? 1 : 0);
    const by = py - (side === 1 && m6 === 4 ? 1 : 0);
    const bz = pz - (side === 1 && m6 === 5 ? 1 : 0);
    const ax = px - (side === 0 && m6 === 3 ? 1 : 0);
    const ay = py - (side === 0 && m6 === 4 ? 1 : 0);
    const az = pz - (side === 0 && m6 === 5 ? 1 : 0);
    const wax = twist[6 * a];
    const way = twist[6 * a + 1];
    const waz = twist[6 * a + 2];
    const wbx = twist[6 * b];
    const wby = twist[6 * b + 1];
    const wbz = twist[6 * b + 2];
    set(
      d,
      D.velocity,
      wby * bz - wbz * by - (way * az - waz * ay),
      wbz * bx - wbx * bz - (waz * ax - wax * az),
      wbx * by - wby * bx - (wax * ay - way * ax),
    );
    set(d, D.turning, 0, 0, 0);
  }

  /** Velocities as the twist of a carrier changes; geometry stays. */
  protected changeTwist(column: number): void {
    const { leverA, leverB } = this.region;
    const { change: d } = this;
    const side = column < 6 ? 0 : 1;
    const m6 = column - 6 * side;
    const lever = side === 0 ? leverA : leverB;
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
    for (let i = 0; i < D.velocity; i++) d[i] = 0;
    set(d, D.velocity, sign * cx, sign * cy, sign * cz);
    set(d, D.turning, sign * rx, sign * ry, sign * rz);
  }

  // ---- from there to the forces -----------------------------------------------------------------------------------------------------

  /** Measures of the laws, then force and torque on B */
  protected changeForces(law: PairLaw, a: number, b: number): void {
    const { basis, velocity, measures, forces, patch, added, stiffnessByDepth, stiffnessByArea } = this.region;
    const { change: d, friction: T } = this;
    const { normal, derivatives, byStiffness, byArm } = forces;
    const { twist } = this.carriers;
    const wx = twist[6 * b] - twist[6 * a];
    const wy = twist[6 * b + 1] - twist[6 * a + 1];
    const wz = twist[6 * b + 2] - twist[6 * a + 2];
    const dnx = d[D.normal];
    const dny = d[D.normal + 1];
    const dnz = d[D.normal + 2];
    const d1x = d[D.tangent1];
    const d1y = d[D.tangent1 + 1];
    const d1z = d[D.tangent1 + 2];
    const d2x = d[D.tangent2];
    const d2y = d[D.tangent2 + 1];
    const d2z = d[D.tangent2 + 2];
    const dux = d[D.velocity];
    const duy = d[D.velocity + 1];
    const duz = d[D.velocity + 2];
    const dwx = d[D.turning];
    const dwy = d[D.turning + 1];
    const dwz = d[D.turning + 2];
    const dd = d[D.depth];
    const dS = d[D.area];
    const dv =
      0 -
      (dnx * velocity[0] + dny * velocity[1] + dnz * velocity[2]) -
      (basis[0] * dux + basis[1] * duy + basis[2] * duz);
    const ds1 =
      d1x * velocity[0] + d1y * velocity[1] + d1z * velocity[2] + basis[3] * dux + basis[4] * duy + basis[5] * duz;
    const ds2 =
      d2x * velocity[0] + d2y * velocity[1] + d2z * velocity[2] + basis[6] * dux + basis[7] * duy + basis[8] * duz;
    const dspin = dnx * wx + dny * wy + dnz * wz + basis[0] * dwx + basis[1] * dwy + basis[2] * dwz;
    const dN = normal.byDepth * dd + normal.bySpeed * dv + normal.byVolume * d[D.volume] + normal.byArea * dS;
    const dk = stiffnessByDepth * dd + stiffnessByArea * dS;
    for (let i = 0; i < 6; i++) {
      const r = 7 * i;
      T[i] =
        derivatives[r + BY.normalForce] * dN +
        derivatives[r + BY.slip1] * ds1 +
        derivatives[r + BY.slip2] * ds2 +
        derivatives[r + BY.spin] * dspin +
        byStiffness[i] * (dk / measures.stiffness) +
        byArm[i] * (patch.growth * dS);
    }
    const dM = T[2] + added.byForce * dN + added.bySpin * dspin + added.byArea * dS + added.byDepth * dd;
    const N = normal.force;
    const T1 = forces.friction[0];
    const T2 = forces.friction[1];
    const M = this.region.torqueAboutNormal;
    set(
      d,
      D.force,
      dN * basis[0] + T[0] * basis[3] + T[1] * basis[6] + N * dnx + T1 * d1x + T2 * d2x,
      dN * basis[1] + T[0] * basis[4] + T[1] * basis[7] + N * dny + T1 * d1y + T2 * d2y,
      dN * basis[2] + T[0] * basis[5] + T[1] * basis[8] + N * dnz + T1 * d1z + T2 * d2z,
    );
    set(d, D.torque, dM * basis[0] + M * dnx, dM * basis[1] + M * dny, dM * basis[2] + M * dnz);
    d[D.spin] = dspin;
    d[D.normalForce] = dN;
    const { rocking } = this.region;
    if (rocking[0] + rocking[1] + rocking[2] > 0) this.changeRocking(wx, wy, wz);
    if (law.rolling) this.changeRolling(law.rolling, wx, wy, wz);
  }

  private changeRocking(wx: number, wy: number, wz: number): void {
    const { rocking, basis, measures, forces } = this.region;
    const { change: d } = this;
    const { spin } = measures;
    const dspin = d[D.spin];
    const w1 = basis[3] * wx + basis[4] * wy + basis[5] * wz;
    const w2 = basis[6] * wx + basis[7] * wy + basis[8] * wz;
    const dw1 = this.turningAlong(D.tangent1, 3, wx, wy, wz);
    const dw2 = this.turningAlong(D.tangent2, 6, wx, wy, wz);
    const m0 = 0 - rocking[0] * spin - rocking[3] * w1 - rocking[4] * w2;
    const m1 = 0 - rocking[3] * spin - rocking[1] * w1 - rocking[5] * w2;
    const m2 = 0 - rocking[4] * spin - rocking[5] * w1 - rocking[2] * w2;
    const perForce = d[D.normalForce] / forces.normal.force;
    const dm0 = 0 - rocking[0] * dspin - rocking[3] * dw1 - rocking[4] * dw2 + perForce * m0;
    const dm1 = 0 - rocking[3] * dspin - rocking[1] * dw1 - rocking[5] * dw2 + perForce * m1;
    const dm2 = 0 - rocking[4] * dspin - rocking[5] * dw1 - rocking[2] * dw2 + perForce * m2;
    for (let k = 0; k < 3; k++)
      d[D.torque + k] +=
        dm0 * basis[k] +
        dm1 * basis[3 + k] +
        dm2 * basis[6 + k] +
        m0 * d[D.normal + k] +
        m1 * d[D.tangent1 + k] +
        m2 * d[D.tangent2 + k];
  }

  /** Change of t · (ω_B − ω_A) for a tangent that is at `at` of the basis and changes by what is at `tangent` */
  private turningAlong(tangent: number, at: number, wx: number, wy: number, wz: number): number {
    const { basis } = this.region;
    const { change: d } = this;
    return (
      d[tangent] * wx +
      d[tangent + 1] * wy +
      d[tangent + 2] * wz +
      basis[at] * d[D.turning] +
      basis[at + 1] * d[D.turning + 1] +
      basis[at + 2] * d[D.turning + 2]
    );
  }

  private changeRolling(
    { radius, coefficient }: NonNullable<PairLaw['rolling']>,
    wx: number,
    wy: number,
    wz: number,
  ): void {
    const { basis, rolling } = this.region;
    const { change: d, roll } = this;
    const dr1 = radius * this.turningAlong(D.tangent1, 3, wx, wy, wz);
    const dr2 = radius * this.turningAlong(D.tangent2, 6, wx, wy, wz);
    const dL = coefficient * d[D.normalForce];
    const { by: q, damping, forces } = rolling;
    const dF1 = damping * (q[0] * dr1 + q[1] * dr2) + q[4] * dL;
    const dF2 = damping * (q[2] * dr1 + q[3] * dr2) + q[5] * dL;
    for (let k = 0; k < 3; k++)
      d[D.torque + k] -=
        radius *
        (dF1 * basis[3 + k] + dF2 * basis[6 + k] + forces[0] * d[D.tangent1 + k] + forces[1] * d[D.tangent2 + k]);
    roll[0] = dF1;
    roll[1] = dF2;
  }
}

function set(d: Float64Array, at: number, x: number, y: number, z: number): void {
  d[at] = x;
  d[at + 1] = y;
  d[at + 2] = z;
}

/** One row of a gradient times (dx, dφ) */
function row(g: Float64Array, i: number, x: number, y: number, z: number, a: number, b: number, c: number): number {
  return g[i] * x + g[i + 1] * y + g[i + 2] * z + g[i + 3] * a + g[i + 4] * b + g[i + 5] * c;
}
