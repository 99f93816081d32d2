/**
 * Contact of a flexible part A with another part B in their common plane, with exact derivatives.
 *
 * Points of A's surface are held against B, corners of B against A's sides (touch-search.ts). A point that is δ inside presses with
 *
 *   (R + 1/(κ a)) f = δ,   f ≥ 0,      κ = 20 E/h
 *
 *   R  residual compliance of the surfaces (residual-compliance.ts)   m/N
 *   a  area that the point stands for, h length of its side        m², m
 *   δ  with damping of the pair's own δ + τ δ'; τ = 0 unless somebody says so
 *
 * along the normal n of the surface it is in. Energy ½ f δ. Friction by bristles: plane-friction.ts.
 *
 * Forces come to the nodes by the shape functions of the sides, or by the rule of nodal-rule.ts, whose weights `move` takes for constant.
 *
 * Loads that walk along a side that deforms are drawn to where it is softer (walking-loads.ts); not by the rule of nodal-rule.ts, which keeps no energy.
 *
 * Derivatives are taken forward: `move` tells what a change of the inputs does to all outputs.
 */
import { Approach } from './approach.js';
import type { FrictionOfPair, LocalContact } from './local-contact.js';
import { NodalRule } from './nodal-rule.js';
import { PlaneFriction, SLOTS } from './plane-friction.js';
import { PlaneSlips } from './plane-slips.js';
import { PressedAhead } from './pressed-ahead.js';
import { PressedPlaces, type PressedSurfaces } from './pressed-places.js';
import type { RigidOutline } from './rigid-outline.js';
import { bulgeBy, compliance, isSoft, type SoftSide, sideShapes, type Touch } from './soft-side.js';
import { TouchMotion } from './touch-motion.js';
import { TouchSearch } from './touch-search.js';
import { WalkingLoads } from './walking-loads.js';

export class PlaneContact extends TouchSearch implements LocalContact, PressedSurfaces<Touch> {
  readonly poses = 3;
  readonly speeds = 6;
  readonly wrenches = 4;
  /** Input: displacement of each bristle, m */
  readonly bristle = new Float64Array(SLOTS);
  /** Outputs: force on A, moment on A about its origin and on B about its own, generalised forces of A and B, rates of bristles */
  readonly out: Float64Array;
  energy = 0;
  /** W, by friction */
  dissipated = 0;
  /** m */
  deepest = 0;
  readonly inputs: number;
  readonly outputs: number;
  /** τ of the pair's own damping, s: points press as if they were δ + τ δ' deep */
  relaxation = 0;
  stretchedOnly = false;
  /** W, taken from the bodies by normal forces and by friction */
  pressed = 0;
  rubbed = 0;
  readonly ahead = new PressedAhead<Touch>(this);
  readonly slips: PlaneSlips;
  /** None with nodal forces by a rule */
  readonly walks: WalkingLoads | undefined;
  private readonly loaded: PressedPlaces<Touch>;
  private readonly rubbing = new PlaneFriction(this);
  private readonly motion = new TouchMotion(this);
  private readonly approaching = new Approach(this);
  /** Some load can walk */
  private walking = false;
  // of `moveForces`, with room for all places
  private work = new Float64Array(0);
  /** Of A and of B where it deforms, if they are asked for */
  private readonly rules: readonly NodalRule[];
  private readonly dForces = new Float64Array(4 * SLOTS);

  constructor(
    a: SoftSide,
    b: SoftSide | RigidOutline,
    readonly friction: FrictionOfPair | undefined,
    nodalForces: 'consistent' | 'elmqvist' = 'consistent',
  ) {
    super(a, b);
    const sides = nodalForces === 'elmqvist' ? [a, ...(isSoft(b) ? [b] : [])] : [];
    this.rules = sides.map((side) => new NodalRule(this, side, side === a, SLOTS));
    this.inputs = 9 + 2 * (this.nA + this.nB) + SLOTS;
    this.outputs = 4 + this.nA + this.nB + SLOTS;
    this.out = new Float64Array(this.outputs);
    this.slips = new PlaneSlips(this, SLOTS);
    this.walks = this.rules.length > 0 ? undefined : new WalkingLoads(this);
    this.loaded = new PressedPlaces<Touch>(this);
  }

  get longestSide(): number {
    return this.a.surface.longestSide;
  }

  approach(visit: (gap: number, closing: number) => number): void {
    this.approaching.look(visit);
  }

  get pressure(): number {
    let most = 0;
    for (let i = 0; i < this.count; i++) {
      const { index, force } = this.touches[i];
      if (index >= 0) most = Math.max(most, force / this.a.surface.areas[index]);
    }
    return most;
  }

  /** Hertz's half-width a of what presses hardest with something round, a² = 4 F r/(π E t), over the side it is on; 0: nothing round presses */
  get widthInSides(): number {
    const { touches, count, a, corners } = this;
    const { mesh, sides, thickness } = a.surface;
    let total = 0;
    let hardest: Touch | undefined;
    for (let i = 0; i < count; i++) {
      const touch = touches[i];
      total += touch.force;
      if (touch.index < -corners && (touch.bends || touch.radius > 0) && !(touch.force <= (hardest?.force ?? 0)))
        hardest = touch;
    }
    if (!hardest) return 0;
    const { foot, bends, nx, ny } = hardest;
    // in a hollow of curvature κ as one of 1/(1/r − κ) on a plane
    const radius = bends
      ? (foot.tx * foot.tx + foot.ty * foot.ty) / (nx * foot.bx + ny * foot.by)
      : hardest.radius / (1 - hardest.radius * this.hollows[foot.side]);
    const [p, q] = [2 * sides[3 * foot.side], 2 * sides[3 * foot.side + 1]];
    const [dx, dy] = [mesh.points[q] - mesh.points[p], mesh.points[q + 1] - mesh.points[p + 1]];
    return Math.sqrt((4 * total * radius) / (Math.PI * a.modulus * thickness * (dx * dx + dy * dy)));
  }

  /** Compliance between two touches, both bodies */
  residual(i: Touch, j: Touch): number {
    const { a, b } = this;
    const own = compliance(a, i, j, true);
    return isSoft(b) ? own + compliance(b, i, j, false) : own;
  }

  bulgeBy(touch: Touch): number {
    const { a, b } = this;
    const own = bulgeBy(a, touch, true);
    return isSoft(b) ? own + bulgeBy(b, touch, false) : own;
  }

  /** Points of A on a rigid body always meet the same compliance */
  nameOf(touch: Touch): number {
    return isSoft(this.b) ? -1 : touch.index;
  }

  /** Forces at the inputs. False if they cannot be found. */
  evaluate(): boolean {
    const { out, touches, friction, rubbing, loaded: places } = this;
    out.fill(0);
    if (!places.find()) return false;
    this.energy = places.energy;
    this.pressed = places.power;
    this.deepest = places.deepest;
    if (this.work.length < places.pressing.count) this.work = new Float64Array(2 * places.pressing.count);
    this.energy = rubbing.rub(friction, this.bristle, this.stretchedOnly, this.energy, out);
    this.dissipated = rubbing.dissipated;
    this.rubbed = rubbing.taken;
    const { nA, nB, c, s, px, py } = this;
    const { normalForce, held } = rubbing;
    for (let i = 0; i < this.count; i++) {
      const touch = touches[i];
      const share = friction ? (held[touch.slot] * touch.force) / normalForce[touch.slot] : 0;
      // t = (−n_y, n_x)
      const fx = touch.force * touch.nx + share * touch.ny;
      const fy = touch.force * touch.ny - share * touch.nx;
      touch.fx = fx;
      touch.fy = fy;
      out[0] += fx;
      out[1] += fy;
      out[2] += touch.ax * fy - touch.ay * fx;
      out[3] -= (touch.bx - px) * fy - (touch.by - py) * fx;
      for (let k = 0; k < nA; k++) out[4 + k] += touch.phiA[2 * k] * fx + touch.phiA[2 * k + 1] * fy;
      const u = c * fx + s * fy;
      const v = c * fy - s * fx;
      for (let k = 0; k < nB; k++) out[4 + nA + k] -= touch.phiB[2 * k] * u + touch.phiB[2 * k + 1] * v;
    }
    this.walking = this.walks?.find() ?? false;
    if (this.walking) {
      this.walks!.add(out);
      this.pressed += this.walks!.power;
    }
    this.rules.forEach((rule, of) => {
      this.followRule(rule, of === 0 ? this.etaA : this.etaB, of === 0 ? 4 : 4 + nA);
    });
    return true;
  }

  /** Generalised forces by a rule of its own in place of those of the shape functions; what it takes beyond these is taken from the body. */
  private followRule(rule: NodalRule, eta: Float64Array, at: number): void {
    const { out } = this;
    rule.update();
    for (let k = 0; k < eta.length; k++) {
      const own = rule.generalised(k, rule.force);
      this.pressed -= (own - out[at + k]) * eta[k];
      out[at + k] = own;
    }
  }

  /** Shapes at a touch, velocity of A's point seen from B's */
  speedOf(touch: Touch): void {
    const { nA, nB, etaA, etaB, velocity: v, c, s, px, py } = this;
    this.shapesAt(touch);
    let wx = v[0] - v[2] * touch.ay - (v[3] - v[5] * (touch.by - py));
    let wy = v[1] + v[2] * touch.ax - (v[4] + v[5] * (touch.bx - px));
    for (let k = 0; k < nA; k++) {
      wx += touch.phiA[2 * k] * etaA[k];
      wy += touch.phiA[2 * k + 1] * etaA[k];
    }
    for (let k = 0; k < nB; k++) {
      wx -= (c * touch.phiB[2 * k] - s * touch.phiB[2 * k + 1]) * etaB[k];
      wy -= (s * touch.phiB[2 * k] + c * touch.phiB[2 * k + 1]) * etaB[k];
    }
    touch.wx = wx;
    touch.wy = wy;
    touch.closing = -(touch.nx * wx + touch.ny * wy);
  }

  private shapesAt(touch: Touch): void {
    const { a, b, nA, nB, phi } = this;
    if (touch.index >= 0) {
      const f = 2 * nA * touch.index;
      for (let k = 0; k < 2 * nA; k++) touch.phiA[k] = phi[f + k];
      if (isSoft(b)) sideShapes(b, touch.foot, touch.phiB, touch.slideB, touch.bendB);
    } else {
      sideShapes(a, touch.foot, touch.phiA, touch.slideA, touch.bendA);
      if (isSoft(b)) {
        const node = b.surface.nodes[3 * (b.surface.firstCorner - 1 - touch.index)];
        for (let k = 0; k < nB; k++) {
          touch.phiB[2 * k] = b.shapes[k][2 * node];
          touch.phiB[2 * k + 1] = b.shapes[k][2 * node + 1];
        }
      }
    }
  }

  /**
   * Change of the outputs, after `evaluate`.
   *
   * @param d as the inputs: p, ψ, q_A, q_B | velocities of A and B, η_A, η_B | bristles
   */
  move(d: Float64Array, result: Float64Array): void {
    result.fill(0);
    const { nA, nB, touches, count } = this;
    const places = !isZero(d, 0, 3 + nA + nB);
    for (let i = 0; i < count; i++) {
      const touch = touches[i];
      touch.dForce = touch.dDepth = touch.dXi = touch.dnx = touch.dny = 0;
      touch.dax = touch.day = touch.dbx = touch.dby = touch.dx = touch.dy = touch.dSlope = 0;
      touch.foot.still();
      if (places) this.motion.move(touch, d);
      this.moveSpeed(touch, d);
    }
    if (places || this.relaxation > 0) this.moveForces();
    if (this.friction) this.rubbing.move(this.friction, d, result);
    this.moveOutputs(d, result);
    if (this.walking) this.walks!.move(d, result);
  }

  /** (R + 1/(κ a)) df = dδ − dR f,   dR_ij = ∂R_ij/∂ξ_i dξ_i + ∂R_ij/∂ξ_j dξ_j */
  private moveForces(): void {
    const { touches, count, work } = this;
    const { pressing } = this.loaded;
    const { active } = pressing;
    for (let i = 0; i < count; i++) work[active[i]] = touches[i].dDepth;
    if (this.walking) this.walks!.lessen(work, active);
    pressing.solveActive(work);
    for (let i = 0; i < count; i++) touches[i].dForce = work[active[i]];
  }

  /** Change of w */
  private moveSpeed(touch: Touch, d: Float64Array): void {
    const { nA, nB, c, s, px, py, velocity: v, etaA, etaB } = this;
    const at = 3 + nA + nB;
    const turn = d[2];
    let x = d[at] - d[at + 2] * touch.ay - v[2] * touch.day;
    let y = d[at + 1] + d[at + 2] * touch.ax + v[2] * touch.dax;
    x -= d[at + 3] - d[at + 5] * (touch.by - py) - v[5] * (touch.dby - d[1]);
    y -= d[at + 4] + d[at + 5] * (touch.bx - px) + v[5] * (touch.dbx - d[0]);
    const soft = touch.index < 0;
    for (let k = 0; k < nA; k++) {
      const rate = d[at + 6 + k];
      x += touch.phiA[2 * k] * rate;
      y += touch.phiA[2 * k + 1] * rate;
      if (soft) {
        x += touch.slideA[2 * k] * touch.dXi * etaA[k];
        y += touch.slideA[2 * k + 1] * touch.dXi * etaA[k];
      }
    }
    for (let k = 0; k < nB; k++) {
      const rate = d[at + 6 + nA + k];
      const [fx, fy] = [touch.phiB[2 * k], touch.phiB[2 * k + 1]];
      let u = fx * rate - turn * fy * etaB[k];
      let w = fy * rate + turn * fx * etaB[k];
      if (!soft) {
        u += touch.slideB[2 * k] * touch.dXi * etaB[k];
        w += touch.slideB[2 * k + 1] * touch.dXi * etaB[k];
      }
      x -= c * u - s * w;
      y -= s * u + c * w;
    }
    touch.dwx = x;
    touch.dwy = y;
    if (this.relaxation > 0)
      touch.dDepth -= this.relaxation * (touch.nx * x + touch.ny * y + touch.dnx * touch.wx + touch.dny * touch.wy);
  }

  private moveOutputs(d: Float64Array, result: Float64Array): void {
    const { touches, count, friction, nA, nB, c, s, px, py } = this;
    const { held, dHeld, normalForce, dNormal } = this.rubbing;
    const { rules, dForces } = this;
    const turn = d[2];
    dForces.fill(0);
    for (let i = 0; i < count; i++) {
      const touch = touches[i];
      const r = touch.slot;
      const part = friction ? touch.force / normalForce[r] : 0;
      const share = part * held[r];
      const dShare = friction ? part * dHeld[r] + (held[r] * (touch.dForce - part * dNormal[r])) / normalForce[r] : 0;
      const { nx, ny, dnx, dny, force, dForce, ax, ay, bx, by } = touch;
      const fx = force * nx + share * ny;
      const fy = force * ny - share * nx;
      const gx = dForce * nx + force * dnx + dShare * ny + share * dny;
      const gy = dForce * ny + force * dny - dShare * nx - share * dnx;
      result[0] += gx;
      result[1] += gy;
      result[2] += ax * gy - ay * gx + touch.dax * fy - touch.day * fx;
      result[3] -= (bx - px) * gy - (by - py) * gx + (touch.dbx - d[0]) * fy - (touch.dby - d[1]) * fx;
      const soft = touch.index < 0;
      dForces[2 * r] += gx;
      dForces[2 * r + 1] += gy;
      for (let k = 0; k < nA; k++) {
        let sum = touch.phiA[2 * k] * gx + touch.phiA[2 * k + 1] * gy;
        if (soft) sum += touch.dXi * (touch.slideA[2 * k] * fx + touch.slideA[2 * k + 1] * fy);
        result[4 + k] += sum;
      }
      if (nB === 0) continue;
      // in B's axes: R⁻ᵠ F, which turns back
      const u = c * fx + s * fy;
      const v = c * fy - s * fx;
      const du = c * gx + s * gy + turn * v;
      const dv = c * gy - s * gx - turn * u;
      dForces[2 * (SLOTS + r)] -= du;
      dForces[2 * (SLOTS + r) + 1] -= dv;
      for (let k = 0; k < nB; k++) {
        let sum = touch.phiB[2 * k] * du + touch.phiB[2 * k + 1] * dv;
        if (!soft) sum += touch.dXi * (touch.slideB[2 * k] * u + touch.slideB[2 * k + 1] * v);
        result[4 + nA + k] -= sum;
      }
    }
    rules.forEach((rule, of) => {
      const own = dForces.subarray(2 * SLOTS * of, 2 * SLOTS * (of + 1));
      for (let k = 0; k < (of === 0 ? nA : nB); k++) result[4 + of * nA + k] = rule.generalised(k, own);
    });
  }

  placesOf(i: number, normal: Float64Array, onA: Float64Array, onB: Float64Array): void {
    const { nx, ny, ax, ay, bx, by } = this.touches[i];
    normal[0] = nx;
    normal[1] = ny;
    onA[0] = ax;
    onA[1] = ay;
    onB[0] = bx;
    onB[1] = by;
    normal[2] = onA[2] = onB[2] = 0;
  }

  addAlong(i: number, e: Float64Array, out: Float64Array): void {
    const { nA, nB, c, s } = this;
    const { phiA, phiB } = this.touches[i];
    for (let k = 0; k < nA; k++) out[k] += phiA[2 * k] * e[0] + phiA[2 * k + 1] * e[1];
    const u = c * e[0] + s * e[1];
    const v = c * e[1] - s * e[0];
    for (let k = 0; k < nB; k++) out[nA + k] -= phiB[2 * k] * u + phiB[2 * k + 1] * v;
  }

  /** Adds nodal forces of the present touches on A or on B, in its own axes, N. */
  addNodalForces(of: 'a' | 'b', out: Float64Array): void {
    const soft = of === 'a' ? this.a : this.b;
    if (!isSoft(soft)) return;
    if (this.rules.length > 0) {
      this.rules[of === 'a' ? 0 : 1].addNodalForces(out);
      return;
    }
    const { friction, c, s } = this;
    const { held, normalForce } = this.rubbing;
    const { surface } = soft;
    for (let i = 0; i < this.count; i++) {
      const touch = this.touches[i];
      const share = friction ? (held[touch.slot] * touch.force) / normalForce[touch.slot] : 0;
      let fx = touch.force * touch.nx + share * touch.ny;
      let fy = touch.force * touch.ny - share * touch.nx;
      if (of === 'b') [fx, fy] = [-(c * fx + s * fy), -(c * fy - s * fx)];
      const own = of === 'a' ? touch.index >= 0 : touch.index < 0;
      const point = of === 'a' ? touch.index : surface.firstCorner - 1 - touch.index;
      for (let j = 0; j < 3; j++) {
        const node = own ? surface.nodes[3 * point + j] : surface.sides[3 * touch.foot.side + j];
        const weight = own ? surface.weights[3 * point + j] : touch.foot.shape[j];
        out[2 * node] += weight * fx;
        out[2 * node + 1] += weight * fy;
      }
      if (this.walking) this.walks!.addNodal(touch, of, out);
    }
  }
}

function isZero(values: Float64Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (values[i] !== 0) return false;
  return true;
}
