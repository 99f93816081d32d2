/**
 * Contact of a flexible solid A with a rigid half space or ball B, with exact derivatives; all in A's axes.
 *
 * A half space is met by points of A's surface: one that is δ inside presses with
 *
 *   (R + 1/(κ a)) f = δ,   f ≥ 0,      κ = 20 E/h      as in the plane (plane-contact.ts)
 *
 * A ball may be smaller than an element. Its nearest point of A's triangles, as they have moved, is where it touches; what the mesh cannot resolve is Hertz's
 * indentation of flat by ball:
 *
 *   c f + (f/K)^(2/3) = δ,   K = 4/3 E* √r,      c = λ_a λ_b R_ab − λ_a 16 (1 − ν²)/(3 π² E b_a)
 *
 *   λ_a  weights of the triangle's nodes; R_ab residual compliance of pressure on all faces around each node, of area π b²
 *
 * c leaves out the indentation of a half space by that pressure, for Hertz has counted it (Johnson, Contact Mechanics, § 3.4); δ with damping of the pair's own is
 * δ + τ δ'. Friction of one bristle vector z in A's axes (contact-laws/friction): with N = Σ f, mean slip velocity u = Σ f P w/N, P = 1 − n nᵀ, the force k z + d u,
 * not more than µ N, acts on each place as −P F f/N, so that its power is −F · u. A single place has no torque about its normal.
 */

import type { FrictionOfPair, LocalContact } from '../local-contact.js';
import { Pressing } from '../pressing.js';
import type { SolidSurface } from './solid-surface.js';
import { SolidTouch } from './solid-touch.js';
import type { SurfaceCompliance } from './surface-compliance.js';

/** κ h/E, as in the plane */
const HARDNESS = 20;

export type RigidForm =
  | { readonly kind: 'halfSpace' }
  /** `stiffness`: Hertz's K, N/m^1.5 */
  | { readonly kind: 'ball'; readonly radius: number; readonly stiffness: number };

export interface SolidSide {
  readonly surface: SolidSurface;
  readonly compliance: SurfaceCompliance;
  /** Displacement per unit of each coordinate, 3 per node */
  readonly shapes: readonly Float64Array[];
  readonly modulus: number;
  readonly poissonRatio: number;
}

export class SolidContact implements LocalContact {
  readonly nA: number;
  readonly nB = 0;
  readonly poses = 6;
  readonly speeds = 12;
  readonly wrenches = 9;
  /** Where B's origin is, and the normal of a half space (its z) */
  readonly place = new Float64Array(3);
  readonly axis = new Float64Array(3);
  readonly qA: Float64Array;
  readonly etaA: Float64Array;
  readonly qB = new Float64Array(0);
  readonly etaB = new Float64Array(0);
  /** v_A, ω_A, v_B, ω_B of the origins */
  readonly velocity = new Float64Array(12);
  readonly bristle = new Float64Array(3);
  readonly inputs: number;
  readonly outputs: number;
  readonly out: Float64Array;
  readonly touches: SolidTouch[] = [];
  count = 0;
  energy = 0;
  dissipated = 0;
  pressed = 0;
  rubbed = 0;
  deepest = 0;
  pressure = 0;
  relaxation = 0;
  readonly longestSide: number;
  private readonly pressing = new Pressing();
  /** 3 per point and coordinate */
  private readonly pointShapes: Float64Array;
  private readonly pointPlaces: Float64Array;
  /** Per coordinate: the most that it moves any point */
  private readonly most: Float64Array;
  /** Undeformed middle and reach of each triangle: 4 numbers */
  private readonly spans: Float64Array;
  /** 3 per node; those whose stamp is of this state */
  private readonly moved: Float64Array;
  private readonly stamp: Int32Array;
  private now = 0;
  private readonly corners = new Float64Array(9);
  private readonly dCorners = new Float64Array(9);
  private normalForce = 0;
  private readonly slip = new Float64Array(3);
  private readonly held = new Float64Array(3);
  private pull = 0;
  private sliding = false;
  private readonly work = new Float64Array(9);
  /** Hertz's part of the depth, m */
  private indented = 0;

  constructor(
    readonly a: SolidSide,
    readonly b: RigidForm,
    readonly friction: FrictionOfPair | undefined,
  ) {
    const { surface, shapes } = a;
    const n = shapes.length;
    this.nA = n;
    this.qA = new Float64Array(n);
    this.etaA = new Float64Array(n);
    this.inputs = 18 + 2 * n + 3;
    this.outputs = 9 + n + 3;
    this.out = new Float64Array(this.outputs);
    this.longestSide = surface.longestSide;
    const { pointCount, nodes, weights, points, boundary, triangles } = surface;
    this.pointShapes = new Float64Array(3 * n * pointCount);
    this.pointPlaces = new Float64Array(3 * pointCount);
    for (let i = 0; i < pointCount; i++)
      for (let j = 0; j < 6; j++) {
        const node = 3 * nodes[6 * i + j];
        for (let d = 0; d < 3; d++) {
          this.pointPlaces[3 * i + d] += weights[6 * i + j] * points[node + d];
          for (let k = 0; k < n; k++) this.pointShapes[3 * (n * i + k) + d] += weights[6 * i + j] * shapes[k][node + d];
        }
      }
    this.most = Float64Array.from(shapes, (shape) => {
      let most = 0;
      for (const i of boundary) most = Math.max(most, squareOf(shape, 3 * i));
      return Math.sqrt(most);
    });
    this.moved = new Float64Array(points.length);
    this.stamp = new Int32Array(points.length / 3).fill(-1);
    this.spans = new Float64Array((4 * triangles.length) / 3);
    for (let t = 0; t < triangles.length; t += 3) {
      const at = (4 * t) / 3;
      for (let k = 0; k < 3; k++)
        for (let d = 0; d < 3; d++) this.spans[at + d] += points[3 * triangles[t + k] + d] / 3;
      for (let k = 0; k < 3; k++) {
        for (let d = 0; d < 3; d++) this.work[d] = points[3 * triangles[t + k] + d] - this.spans[at + d];
        this.spans[at + 3] = Math.max(this.spans[at + 3], Math.sqrt(squareOf(this.work, 0)));
      }
    }
  }

  // ---- where they touch -----------------------------------------------------------------------------------------------------------

  private touchAt(k: number): SolidTouch {
    if (k === this.touches.length) this.touches.push(new SolidTouch(this.nA));
    return this.touches[k];
  }

  /** How far the solid's points have moved at most, m */
  private reach(): number {
    let sum = 0;
    for (let k = 0; k < this.nA; k++) sum += this.most[k] * Math.abs(this.qA[k]);
    return sum;
  }

  private find(): void {
    this.count = 0;
    if (this.b.kind === 'halfSpace') this.findPoints();
    else this.findFoot(this.b.radius);
  }

  private findPoints(): void {
    const { a, nA: n, qA, axis, place, pointPlaces, pointShapes } = this;
    const { areas, lengths, pointCount } = a.surface;
    const reach = this.reach();
    const level = axis[0] * place[0] + axis[1] * place[1] + axis[2] * place[2];
    for (let i = 0; i < pointCount; i++) {
      let height =
        axis[0] * pointPlaces[3 * i] + axis[1] * pointPlaces[3 * i + 1] + axis[2] * pointPlaces[3 * i + 2] - level;
      if (height > reach) continue;
      const from = 3 * n * i;
      for (let k = 0; k < n; k++)
        height +=
          qA[k] *
          (axis[0] * pointShapes[from + 3 * k] +
            axis[1] * pointShapes[from + 3 * k + 1] +
            axis[2] * pointShapes[from + 3 * k + 2]);
      if (height >= 0) continue;
      const touch = this.touchAt(this.count++);
      touch.index = i;
      touch.depth = -height;
      touch.give = lengths[i] / (HARDNESS * a.modulus * areas[i]);
      for (let d = 0; d < 3; d++) {
        touch.n[d] = axis[d];
        touch.x[d] = pointPlaces[3 * i + d];
        for (let k = 0; k < n; k++) touch.x[d] += qA[k] * pointShapes[from + 3 * k + d];
      }
      for (let k = 0; k < 3 * n; k++) touch.phi[k] = pointShapes[from + k];
    }
  }

  /** Where the corners of a triangle are */
  private readCorners(t: number): void {
    const { a, moved, stamp, now, qA, corners } = this;
    const { triangles, points } = a.surface;
    for (let k = 0; k < 3; k++) {
      const node = triangles[3 * t + k];
      if (stamp[node] !== now) {
        stamp[node] = now;
        for (let d = 0; d < 3; d++) {
          let x = points[3 * node + d];
          for (let m = 0; m < qA.length; m++) x += a.shapes[m][3 * node + d] * qA[m];
          moved[3 * node + d] = x;
        }
      }
      for (let d = 0; d < 3; d++) corners[3 * k + d] = moved[3 * node + d];
    }
  }

  /** The triangle nearest to B's origin; its distance goes into the foot of the first touch. −1: none is nearer than `within` */
  private nearest(within: number): number {
    const { spans, place } = this;
    const touch = this.touchAt(0);
    this.now++;
    const reach = this.reach();
    let best = within;
    let found = -1;
    const [x, y, z] = place;
    for (let t = 0; t < spans.length / 4; t++) {
      const [dx, dy, dz] = [x - spans[4 * t], y - spans[4 * t + 1], z - spans[4 * t + 2]];
      const least = best + spans[4 * t + 3] + reach;
      if (dx * dx + dy * dy + dz * dz >= least * least) continue;
      this.readCorners(t);
      touch.foot.find(this.corners, x, y, z);
      if (touch.foot.distance >= best) continue;
      best = touch.foot.distance;
      found = t;
    }
    if (found < 0) return -1;
    this.readCorners(found);
    touch.foot.find(this.corners, x, y, z);
    return found;
  }

  private findFoot(radius: number): void {
    const t = this.nearest(radius);
    if (t < 0) return;
    const { place, nA: n, a } = this;
    const { triangles } = a.surface;
    const touch = this.touches[0];
    const { weights, offset, distance } = touch.foot;
    if (!(distance > 0)) return;
    this.count = 1;
    touch.index = -1;
    touch.triangle = t;
    touch.depth = radius - distance;
    for (let d = 0; d < 3; d++) {
      touch.n[d] = -offset[d] / distance;
      touch.x[d] = place[d] - offset[d];
      for (let k = 0; k < n; k++) {
        let sum = 0;
        for (let j = 0; j < 3; j++) sum += weights[j] * a.shapes[k][3 * triangles[3 * t + j] + d];
        touch.phi[3 * k + d] = sum;
      }
    }
    touch.give = this.footGive(touch, weights);
  }

  /** c of the triangle's nodes with weights λ; not below 0 */
  private footGive({ triangle }: SolidTouch, weights: Float64Array): number {
    const { compliance, surface } = this.a;
    let sum = 0;
    for (let i = 0; i < 3; i++) {
      if (weights[i] === 0) continue;
      const first = surface.triangles[3 * triangle + i];
      sum -= weights[i] * this.indentation(first);
      for (let j = 0; j < 3; j++) {
        if (weights[j] === 0) continue;
        const second = surface.triangles[3 * triangle + j];
        sum +=
          weights[i] * weights[j] * compliance.between(compliance.aroundNode(first), compliance.aroundNode(second));
      }
    }
    return Math.max(0, sum);
  }

  /** Of a half space by even pressure on the faces around a node, mean, m/N */
  private indentation(node: number): number {
    const { modulus, poissonRatio: nu, surface } = this.a;
    const b = Math.sqrt(surface.around.get(node)!.area / Math.PI);
    return (16 * (1 - nu * nu)) / (3 * Math.PI * Math.PI * modulus * b);
  }

  // ---- forces ---------------------------------------------------------------------------------------------------------------------

  evaluate(): boolean {
    const { out, touches } = this;
    out.fill(0);
    this.energy = this.dissipated = this.deepest = this.pressed = this.rubbed = this.pressure = 0;
    this.find();
    for (let i = 0; i < this.count; i++) {
      this.speedOf(touches[i]);
      this.deepest = Math.max(this.deepest, touches[i].depth);
    }
    if (this.count > 0 && !(this.b.kind === 'ball' ? this.pressBall(this.b) : this.pressPoints())) return false;
    this.rub();
    for (let i = 0; i < this.count; i++) this.addForce(touches[i]);
    return true;
  }

  private pressPoints(): boolean {
    const { touches, pressing, a, count } = this;
    pressing.begin(count);
    const { matrix, depth, force } = pressing;
    for (let i = 0; i < count; i++) {
      depth[i] = touches[i].depth + this.relaxation * touches[i].closing;
      for (let j = 0; j <= i; j++)
        matrix[i * count + j] = matrix[j * count + i] = a.compliance.between(touches[i].index, touches[j].index);
      matrix[i * count + i] += touches[i].give;
    }
    if (!pressing.solve()) return false;
    let n = 0;
    for (let k = 0; k < pressing.activeCount; k++) {
      const i = pressing.active[k];
      const touch = touches[i];
      touch.force = force[i];
      this.pressed += force[i] * touch.closing;
      this.energy += 0.5 * force[i] * touch.depth;
      this.pressure = Math.max(this.pressure, force[i] / a.surface.areas[touch.index]);
      touches[i] = touches[n];
      touches[n++] = touch;
    }
    this.count = n;
    return true;
  }

  /** c f + (f/K)^(2/3) = δ: with s = (f/K)^(1/3), c K s³ + s² = δ */
  private pressBall({ stiffness: k, radius }: Extract<RigidForm, { kind: 'ball' }>): boolean {
    const [touch] = this.touches;
    const deep = touch.depth + this.relaxation * touch.closing;
    if (!(deep > 0)) {
      this.count = 0;
      return true;
    }
    const ck = touch.give * k;
    // from above: rising and convex, so Newton falls towards the root
    let s = Math.sqrt(deep);
    for (let round = 0; round < 60; round++) {
      const step = (ck * s * s * s + s * s - deep) / (3 * ck * s * s + 2 * s);
      s -= step;
      if (!(Math.abs(step) > 1e-16 * s)) break;
    }
    const f = k * s * s * s;
    touch.force = f;
    this.indented = s * s;
    this.pressed = f * touch.closing;
    this.energy = 0.5 * touch.give * f * f + 0.4 * f * s * s;
    // Hertz: 3 F/(2 π a²), a² = r δ_H
    this.pressure = (1.5 * f) / (Math.PI * radius * s * s);
    return Number.isFinite(f);
  }

  /** Velocity of A's point seen from B's */
  private speedOf(touch: SolidTouch): void {
    const { velocity: v, place, etaA, nA } = this;
    const { x, w, phi, n } = touch;
    for (let d = 0; d < 3; d++) {
      const [e, g] = [(d + 1) % 3, (d + 2) % 3];
      w[d] = v[d] + v[3 + e] * x[g] - v[3 + g] * x[e];
      w[d] -= v[6 + d] + v[9 + e] * (x[g] - place[g]) - v[9 + g] * (x[e] - place[e]);
      for (let k = 0; k < nA; k++) w[d] += phi[3 * k + d] * etaA[k];
    }
    touch.closing = -dot(n, w);
  }

  private rub(): void {
    const { touches, friction, slip, held, bristle: z, out } = this;
    slip.fill(0);
    held.fill(0);
    this.normalForce = 0;
    for (let i = 0; i < this.count; i++) {
      const { n, w, force } = touches[i];
      const along = dot(n, w);
      this.normalForce += force;
      for (let d = 0; d < 3; d++) slip[d] += force * (w[d] - along * n[d]);
    }
    if (!friction) return;
    const rates = this.outputs - 3;
    const k = friction.stiffness[0];
    const damping = friction.damping[0];
    const limit = friction.coefficient * this.normalForce;
    const square = dot(z, z);
    this.energy += 0.5 * k * square;
    this.sliding = false;
    if (!(limit > 0)) {
      for (let d = 0; d < 3; d++) out[rates + d] = (-k * z[d]) / damping;
      this.dissipated += (k * k * square) / damping;
      return;
    }
    for (let d = 0; d < 3; d++) {
      slip[d] /= this.normalForce;
      held[d] = k * z[d] + damping * slip[d];
    }
    this.pull = Math.sqrt(dot(held, held));
    this.sliding = this.pull > limit;
    if (this.sliding) for (let d = 0; d < 3; d++) held[d] *= limit / this.pull;
    for (let d = 0; d < 3; d++) {
      const rate = this.sliding ? (held[d] - k * z[d]) / damping : slip[d];
      out[rates + d] = rate;
      this.rubbed += held[d] * slip[d];
      this.dissipated += damping * rate * rate + held[d] * (slip[d] - rate);
    }
  }

  /** What acts on A at a place: f n − P F f/N */
  private forceAt({ n, force }: SolidTouch, into: Float64Array): void {
    const { held, friction, normalForce } = this;
    const share = friction && normalForce > 0 ? force / normalForce : 0;
    const along = dot(n, held);
    for (let d = 0; d < 3; d++) into[d] = force * n[d] - share * (held[d] - along * n[d]);
  }

  private addForce(touch: SolidTouch): void {
    const { out, place, nA, work } = this;
    this.forceAt(touch, work);
    const { x, phi } = touch;
    for (let d = 0; d < 3; d++) {
      const [e, g] = [(d + 1) % 3, (d + 2) % 3];
      out[d] += work[d];
      out[3 + d] += x[e] * work[g] - x[g] * work[e];
      out[6 + d] -= (x[e] - place[e]) * work[g] - (x[g] - place[g]) * work[e];
    }
    for (let k = 0; k < nA; k++)
      out[9 + k] += phi[3 * k] * work[0] + phi[3 * k + 1] * work[1] + phi[3 * k + 2] * work[2];
  }

  // ---- derivatives ----------------------------------------------------------------------------------------------------------------

  /** @param d as the inputs: p, ψ, q | v_A, ω_A, v_B, ω_B, η | bristle */
  move(d: Float64Array, result: Float64Array): void {
    result.fill(0);
    for (let i = 0; i < this.count; i++) {
      const touch = this.touches[i];
      if (touch.index >= 0) this.movePoint(touch, d);
      else this.moveFoot(touch, d);
      this.moveSpeed(touch, d);
    }
    this.moveForces();
    this.moveFriction(d, result);
    for (let i = 0; i < this.count; i++) this.moveOutputs(this.touches[i], d, result);
  }

  private movePoint(touch: SolidTouch, d: Float64Array): void {
    const { nA, place } = this;
    const { n, dn, dx, x, phi } = touch;
    touch.dGive = 0;
    touch.dPhi.fill(0);
    for (let i = 0; i < 3; i++) {
      const [e, g] = [(i + 1) % 3, (i + 2) % 3];
      dn[i] = d[3 + e] * n[g] - d[3 + g] * n[e];
      dx[i] = 0;
      for (let k = 0; k < nA; k++) dx[i] += phi[3 * k + i] * d[6 + k];
    }
    touch.dDepth = 0;
    for (let i = 0; i < 3; i++) touch.dDepth -= n[i] * (dx[i] - d[i]) + dn[i] * (x[i] - place[i]);
  }

  private moveFoot(touch: SolidTouch, d: Float64Array): void {
    const { nA, a, dCorners, corners } = this;
    const { triangles } = a.surface;
    const { foot, n, dn, dx, dPhi, triangle: t } = touch;
    this.readCorners(t);
    for (let j = 0; j < 3; j++)
      for (let i = 0; i < 3; i++) {
        let sum = 0;
        for (let k = 0; k < nA; k++) sum += a.shapes[k][3 * triangles[3 * t + j] + i] * d[6 + k];
        dCorners[3 * j + i] = sum;
      }
    foot.move(corners, dCorners, d[0], d[1], d[2]);
    const { dOffset, dWeights, distance } = foot;
    touch.dDepth = dot(n, dOffset);
    for (let i = 0; i < 3; i++) {
      dn[i] = -(dOffset[i] - touch.dDepth * n[i]) / distance;
      dx[i] = d[i] - dOffset[i];
    }
    for (let k = 0; k < nA; k++)
      for (let i = 0; i < 3; i++) {
        let sum = 0;
        for (let j = 0; j < 3; j++) sum += dWeights[j] * a.shapes[k][3 * triangles[3 * t + j] + i];
        dPhi[3 * k + i] = sum;
      }
    touch.dGive = touch.give > 0 ? this.slidGive(touch) : 0;
  }

  /** dc as the foot slides */
  private slidGive({ triangle, foot }: SolidTouch): number {
    const { compliance, surface } = this.a;
    const { weights, dWeights } = foot;
    let sum = 0;
    for (let i = 0; i < 3; i++) {
      const first = surface.triangles[3 * triangle + i];
      if (dWeights[i] === 0) continue;
      sum -= dWeights[i] * this.indentation(first);
      for (let j = 0; j < 3; j++) {
        if (weights[j] === 0) continue;
        const second = surface.triangles[3 * triangle + j];
        sum +=
          2 *
          dWeights[i] *
          weights[j] *
          compliance.between(compliance.aroundNode(first), compliance.aroundNode(second));
      }
    }
    return sum;
  }

  private moveSpeed(touch: SolidTouch, d: Float64Array): void {
    const { velocity: v, place, etaA, nA } = this;
    const at = 6 + nA;
    const { x, dx, w, dw, phi, dPhi, n, dn } = touch;
    for (let i = 0; i < 3; i++) {
      const [e, g] = [(i + 1) % 3, (i + 2) % 3];
      dw[i] = d[at + i] + d[at + 3 + e] * x[g] - d[at + 3 + g] * x[e] + v[3 + e] * dx[g] - v[3 + g] * dx[e];
      dw[i] -= d[at + 6 + i] + d[at + 9 + e] * (x[g] - place[g]) - d[at + 9 + g] * (x[e] - place[e]);
      dw[i] -= v[9 + e] * (dx[g] - d[g]) - v[9 + g] * (dx[e] - d[e]);
      for (let k = 0; k < nA; k++) dw[i] += phi[3 * k + i] * d[at + 12 + k] + dPhi[3 * k + i] * etaA[k];
    }
    if (this.relaxation > 0) touch.dDepth -= this.relaxation * (dot(n, dw) + dot(dn, w));
  }

  private moveForces(): void {
    const { touches, count, pressing, b } = this;
    if (count === 0) return;
    if (b.kind === 'ball') {
      const [touch] = touches;
      // d(f/K)^(2/3) = 2/3 (f/K)^(2/3)/f df
      touch.dForce =
        (touch.dDepth - touch.force * touch.dGive) / (touch.give + (2 * this.indented) / (3 * touch.force));
      return;
    }
    const { active } = pressing;
    const work = new Float64Array(pressing.count);
    for (let i = 0; i < count; i++) work[active[i]] = touches[i].dDepth;
    pressing.solveActive(work);
    for (let i = 0; i < count; i++) touches[i].dForce = work[active[i]];
  }

  private dNormal = 0;
  private readonly dSlip = new Float64Array(3);
  private readonly dHeld = new Float64Array(3);

  private moveFriction(d: Float64Array, result: Float64Array): void {
    const { friction, touches, count, slip, held, dSlip, dHeld, normalForce } = this;
    dHeld.fill(0);
    this.dNormal = 0;
    if (!friction) return;
    const at = this.inputs - 3;
    const rates = this.outputs - 3;
    const k = friction.stiffness[0];
    const damping = friction.damping[0];
    if (!(normalForce > 0)) {
      for (let i = 0; i < 3; i++) result[rates + i] = (-k * d[at + i]) / damping;
      return;
    }
    dSlip.fill(0);
    for (let t = 0; t < count; t++) {
      const { n, dn, w, dw, force, dForce } = touches[t];
      const along = dot(n, w);
      const change = dot(n, dw) + dot(dn, w);
      this.dNormal += dForce;
      for (let i = 0; i < 3; i++)
        dSlip[i] += dForce * (w[i] - along * n[i]) + force * (dw[i] - change * n[i] - along * dn[i]);
    }
    for (let i = 0; i < 3; i++) {
      dSlip[i] = (dSlip[i] - slip[i] * this.dNormal) / normalForce;
      dHeld[i] = k * d[at + i] + damping * dSlip[i];
    }
    if (this.sliding) {
      // F = µ N g/|g|
      const limit = friction.coefficient * normalForce;
      const along = dot(held, dHeld) / (limit * limit);
      for (let i = 0; i < 3; i++)
        dHeld[i] = (limit / this.pull) * (dHeld[i] - along * held[i]) + (held[i] * this.dNormal) / normalForce;
    }
    for (let i = 0; i < 3; i++) result[rates + i] = this.sliding ? (dHeld[i] - k * d[at + i]) / damping : dSlip[i];
  }

  private moveOutputs(touch: SolidTouch, d: Float64Array, result: Float64Array): void {
    const { friction, normalForce, held, dHeld, place, nA, work } = this;
    const { n, dn, x, dx, phi, dPhi, force, dForce } = touch;
    this.forceAt(touch, work);
    const along = dot(n, held);
    const change = dot(dn, held) + dot(n, dHeld);
    const share = friction && normalForce > 0 ? force / normalForce : 0;
    const dShare = share > 0 ? (dForce - share * this.dNormal) / normalForce : 0;
    for (let i = 0; i < 3; i++)
      work[3 + i] =
        dForce * n[i] +
        force * dn[i] -
        dShare * (held[i] - along * n[i]) -
        share * (dHeld[i] - change * n[i] - along * dn[i]);
    for (let i = 0; i < 3; i++) {
      const [e, g] = [(i + 1) % 3, (i + 2) % 3];
      result[i] += work[3 + i];
      result[3 + i] += x[e] * work[3 + g] - x[g] * work[3 + e] + dx[e] * work[g] - dx[g] * work[e];
      result[6 + i] -=
        (x[e] - place[e]) * work[3 + g] -
        (x[g] - place[g]) * work[3 + e] +
        (dx[e] - d[e]) * work[g] -
        (dx[g] - d[g]) * work[e];
    }
    for (let k = 0; k < nA; k++)
      for (let i = 0; i < 3; i++) result[9 + k] += phi[3 * k + i] * work[3 + i] + dPhi[3 * k + i] * work[i];
  }

  // ---- between steps --------------------------------------------------------------------------------------------------------------

  approach(visit: (gap: number, closing: number) => void): void {
    const { a, b, nA: n, qA, etaA, axis, place, pointPlaces, pointShapes, velocity: v } = this;
    if (b.kind === 'ball') {
      this.now++;
      const t = this.nearest(Number.POSITIVE_INFINITY);
      if (t < 0) return;
      const { foot } = this.touches[0];
      const away = foot.distance - b.radius;
      let closing = 0;
      for (let i = 0; i < 3; i++) {
        const [e, g] = [(i + 1) % 3, (i + 2) % 3];
        const x = (j: number): number => place[j] - foot.offset[j];
        let w = v[i] + v[3 + e] * x(g) - v[3 + g] * x(e) - v[6 + i];
        for (let k = 0; k < n; k++) {
          let sum = 0;
          for (let j = 0; j < 3; j++) sum += foot.weights[j] * a.shapes[k][3 * a.surface.triangles[3 * t + j] + i];
          w += sum * etaA[k];
        }
        closing += (w * foot.offset[i]) / foot.distance;
      }
      visit(Math.max(0, away), closing);
      return;
    }
    const level = axis[0] * place[0] + axis[1] * place[1] + axis[2] * place[2];
    for (let i = 0; i < a.surface.pointCount; i++) {
      let height = -level;
      let closing = 0;
      const from = 3 * n * i;
      for (let d = 0; d < 3; d++) {
        let x = pointPlaces[3 * i + d];
        let u = 0;
        for (let k = 0; k < n; k++) {
          x += qA[k] * pointShapes[from + 3 * k + d];
          u += etaA[k] * pointShapes[from + 3 * k + d];
        }
        this.work[d] = x;
        height += axis[d] * x;
        closing -= axis[d] * u;
      }
      for (let d = 0; d < 3; d++) {
        const [e, g] = [(d + 1) % 3, (d + 2) % 3];
        const { work: x } = this;
        const w =
          v[d] +
          v[3 + e] * x[g] -
          v[3 + g] * x[e] -
          v[6 + d] -
          v[9 + e] * (x[g] - place[g]) +
          v[9 + g] * (x[e] - place[e]);
        closing -= axis[d] * w;
      }
      visit(Math.max(0, height), closing);
    }
  }

  addNodalForces(of: 'a' | 'b', out: Float64Array): void {
    if (of === 'b') return;
    const { a, touches, work } = this;
    const { nodes, weights, triangles, around } = a.surface;
    for (let i = 0; i < this.count; i++) {
      const touch = touches[i];
      this.forceAt(touch, work);
      if (touch.index >= 0) {
        for (let j = 0; j < 6; j++)
          for (let d = 0; d < 3; d++) out[3 * nodes[6 * touch.index + j] + d] += weights[6 * touch.index + j] * work[d];
        continue;
      }
      // as pressure on the faces around the triangle's nodes: a point force has no stress that a mesh could tell
      for (let j = 0; j < 3; j++) {
        const share = touch.foot.weights[j];
        if (share === 0) continue;
        const load = around.get(triangles[3 * touch.triangle + j])!;
        for (let k = 0; k < load.nodes.length; k++)
          for (let d = 0; d < 3; d++) out[3 * load.nodes[k] + d] += share * load.shares[k] * work[d];
      }
    }
  }
}

const dot = (a: Float64Array, b: Float64Array): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

const squareOf = (a: Float64Array, at: number): number => a[at] * a[at] + a[at + 1] * a[at + 1] + a[at + 2] * a[at + 2];
