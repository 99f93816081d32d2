/**
 * Contact of a flexible part A with another part B in their common plane, with exact derivatives.
 *
 * Everything is told in the axes of A's plane at its origin. B is at p, turned by ψ; velocities are those of the two origins and spins. Points of
 * A's surface (contact-surface.ts) are held against B, corners of B against A's sides. A point that is δ inside presses with
 *
 *   (R + 1/(κ a)) f = δ,   f ≥ 0,      κ = 20 E/h
 *
 *   R  residual compliance of the surfaces (local-compliance.ts)   m/N
 *   a  area that the point stands for, h length of its side        m², m
 *
 * along the normal n of the surface it is in. Energy ½ f δ. Points that lie together share a bristle (contact-laws/friction/bristle.ts): with
 * N = Σ f, slip speed u = Σ f t · w / N (w velocity of A's point seen from B's), F of the bristle with the limit µ N acts on A's points as
 * −F t f/N, so that its power is −F u.
 *
 * Derivatives are taken forward: `move` tells what a change of the inputs does to all outputs. Left out is only that a load that walks along
 * a flexible side meets another compliance and should be pulled towards the softer place: ½ f² dR/ds, some 1e-4 of f.
 */
import type { ContactSurface } from './contact-surface.js';
import type { LocalCompliance } from './local-compliance.js';
import { Pressing } from './pressing.js';
import type { Foot, RigidOutline } from './rigid-outline.js';
import { footOnSides, SideFoot } from './side-foot.js';

/** Regions with a bristle of their own */
export const SLOTS = 3;
/** κ h/E */
const HARDNESS = 20;

/** A part that deforms, as contact sees it */
export interface SoftSide {
  readonly surface: ContactSurface;
  readonly compliance: LocalCompliance;
  /** Displacement per unit of each coordinate, 2 per node */
  readonly shapes: readonly Float64Array[];
  /** E of plane stress, Pa */
  readonly modulus: number;
}

export interface FrictionOfPair {
  readonly coefficient: number;
  /** Per slot: N/m, N s/m */
  readonly stiffness: Float64Array;
  readonly damping: Float64Array;
}

/** Where two parts touch, at one point of a surface */
class Touch {
  /** Of A's surface; −1 − i: corner i of B on a side of A */
  index = 0;
  slot = 0;
  depth = 0;
  force = 0;
  /** 1/(κ a), m/N */
  penalty = 0;
  // normal that pushes A; where the force acts on A and on B
  nx = 0;
  ny = 0;
  ax = 0;
  ay = 0;
  bx = 0;
  by = 0;
  /** Velocity of A's point seen from B's */
  wx = 0;
  wy = 0;
  /** Of a rigid B: line of equal distance */
  curvature = 0;
  readonly foot = new SideFoot();
  /** On flexible sides: displacement of the point per coordinate, 2 each, and by ξ */
  phiA = new Float64Array(0);
  phiB = new Float64Array(0);
  slideA = new Float64Array(0);
  slideB = new Float64Array(0);
  // of `move`
  dDepth = 0;
  dForce = 0;
  dnx = 0;
  dny = 0;
  dax = 0;
  day = 0;
  dbx = 0;
  dby = 0;
  dXi = 0;
  dSlip = 0;
}

export class PlaneContact {
  // inputs
  px = 0;
  py = 0;
  c = 1;
  s = 0;
  /** Velocity of A's origin and spin, then B's */
  readonly velocity = new Float64Array(6);
  readonly qA: Float64Array;
  readonly etaA: Float64Array;
  readonly qB: Float64Array;
  readonly etaB: Float64Array;
  readonly bristle = new Float64Array(SLOTS);
  /** Per point of A's surface, then per corner of B: which bristle it has */
  readonly slotOf: Uint8Array;

  /** Outputs: force on A, moment on A about its origin and on B about its own, generalised forces of A and B, rates of bristles */
  readonly out: Float64Array;
  energy = 0;
  /** W, by friction */
  dissipated = 0;
  touches: Touch[] = [];
  /** Those of `touches` that press are its first */
  count = 0;
  deepest = 0;

  readonly a: SoftSide;
  readonly b: SoftSide | RigidOutline;
  readonly friction: FrictionOfPair | undefined;
  readonly nA: number;
  readonly nB: number;
  readonly inputs: number;
  readonly outputs: number;
  /** Corners of B: number, places (2 each), and points of its surface where it is soft */
  private readonly corners: number;
  private readonly cornerPlaces: Float64Array;
  private readonly phi: Float64Array; // 2 nA per point of A
  private readonly nodesA: Float64Array; // 2 per node of A's mesh: where those of sides are
  private readonly nodesB: Float64Array;
  private readonly pressing = new Pressing();
  private readonly sideMotion = new Float64Array(6);
  private readonly found: Foot = { gap: 0, nx: 0, ny: 0, curvature: 0 };
  // per slot
  private readonly normalForce = new Float64Array(SLOTS);
  private readonly slip = new Float64Array(SLOTS);
  private readonly held = new Float64Array(SLOTS);
  private readonly sliding = new Int8Array(SLOTS);
  private readonly dNormal = new Float64Array(SLOTS);
  private readonly dSlip = new Float64Array(SLOTS);
  private readonly dHeld = new Float64Array(SLOTS);
  // box around A's sides
  private left = 0;
  private right = 0;
  private low = 0;
  private high = 0;
  private placedA = false;
  private placedB = false;

  constructor(a: SoftSide, b: SoftSide | RigidOutline, friction: FrictionOfPair | undefined) {
    this.a = a;
    this.b = b;
    this.friction = friction;
    this.nA = a.shapes.length;
    this.nB = isSoft(b) ? b.shapes.length : 0;
    this.qA = new Float64Array(this.nA);
    this.etaA = new Float64Array(this.nA);
    this.qB = new Float64Array(this.nB);
    this.etaB = new Float64Array(this.nB);
    this.inputs = 9 + 2 * (this.nA + this.nB) + SLOTS;
    this.outputs = 4 + this.nA + this.nB + SLOTS;
    this.out = new Float64Array(this.outputs);
    if (isSoft(b)) {
      const { surface } = b;
      this.corners = surface.pointCount - surface.firstCorner;
      this.cornerPlaces = surface.places.slice(2 * surface.firstCorner);
    } else {
      this.corners = b.corners.length / 2;
      this.cornerPlaces = b.corners;
    }
    const { surface } = a;
    this.slotOf = new Uint8Array(surface.pointCount + this.corners);
    this.phi = pointShapes(a);
    this.nodesA = new Float64Array(2 * surface.mesh.nodeCount);
    this.nodesB = new Float64Array(isSoft(b) ? 2 * b.surface.mesh.nodeCount : 0);
  }

  /** Displaced places of the nodes of A's sides, and a box around them */
  private placeA(): void {
    if (this.placedA) return;
    this.placedA = true;
    placeNodes(this.a, this.qA, this.nodesA);
    const { boundary } = this.a.surface;
    this.left = this.low = Number.POSITIVE_INFINITY;
    this.right = this.high = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < boundary.length; k++) {
      const x = this.nodesA[2 * boundary[k]];
      const y = this.nodesA[2 * boundary[k] + 1];
      if (x < this.left) this.left = x;
      if (x > this.right) this.right = x;
      if (y < this.low) this.low = y;
      if (y > this.high) this.high = y;
    }
  }

  /** Of B's sides, in A's axes */
  private placeB(): void {
    const { b } = this;
    if (this.placedB || !isSoft(b)) return;
    this.placedB = true;
    placeNodes(b, this.qB, this.nodesB);
    const { nodesB: x, c, s, px, py } = this;
    const { boundary } = b.surface;
    for (let k = 0; k < boundary.length; k++) {
      const node = boundary[k];
      const [u, v] = [x[2 * node], x[2 * node + 1]];
      x[2 * node] = px + c * u - s * v;
      x[2 * node + 1] = py + s * u + c * v;
    }
  }

  /** Touches at the inputs: depth, normal, places. Not yet forces. */
  private find(): void {
    const { a, b, phi, qA, nA, c, s, px, py, slotOf, found } = this;
    const { surface } = a;
    this.placedA = this.placedB = false;
    this.count = 0;
    const soft = isSoft(b) ? b : undefined;
    if (soft) this.placeB();
    const { pointCount, places, lengths, areas } = surface;
    const kappa = HARDNESS * a.modulus;
    for (let i = 0; i < pointCount; i++) {
      let x = places[2 * i];
      let y = places[2 * i + 1];
      const f = 2 * nA * i;
      for (let k = 0; k < nA; k++) {
        x += phi[f + 2 * k] * qA[k];
        y += phi[f + 2 * k + 1] * qA[k];
      }
      if (soft) {
        if (!this.nearB(x, y)) continue;
        const { surface: other } = soft;
        if (!footOnSides(x, y, other.sides, other.sideCount, isCurved(other), this.nodesB, other.turns, reachOf(other), FOOT))
          continue;
        if (FOOT.gap >= 0) continue;
        const touch = this.next();
        touch.index = i;
        touch.foot.copy(FOOT);
        touch.depth = -FOOT.gap;
        touch.nx = FOOT.nx;
        touch.ny = FOOT.ny;
        touch.bx = x - FOOT.ox;
        touch.by = y - FOOT.oy;
        touch.ax = x;
        touch.ay = y;
      } else {
        const dx = x - px;
        const dy = y - py;
        if (!(b as RigidOutline).find(c * dx + s * dy, c * dy - s * dx, found) || found.gap >= 0) continue;
        const touch = this.next();
        touch.index = i;
        touch.depth = -found.gap;
        touch.nx = c * found.nx - s * found.ny;
        touch.ny = s * found.nx + c * found.ny;
        touch.curvature = found.curvature;
        touch.ax = touch.bx = x;
        touch.ay = touch.by = y;
      }
      const touch = this.touches[this.count - 1];
      touch.penalty = lengths[i] / (kappa * areas[i]);
      touch.slot = slotOf[i];
    }
    this.findCorners();
  }

  /** Corners of B in A */
  private findCorners(): void {
    const { a, b, corners, cornerPlaces, qB, nB, c, s, px, py, slotOf } = this;
    if (corners === 0) return;
    const { surface } = a;
    this.placeA();
    const kappa = HARDNESS * a.modulus;
    for (let i = 0; i < corners; i++) {
      let u = cornerPlaces[2 * i];
      let v = cornerPlaces[2 * i + 1];
      if (isSoft(b)) {
        const node = b.surface.nodes[3 * (b.surface.firstCorner + i)];
        for (let k = 0; k < nB; k++) {
          u += b.shapes[k][2 * node] * qB[k];
          v += b.shapes[k][2 * node + 1] * qB[k];
        }
      }
      const x = px + c * u - s * v;
      const y = py + s * u + c * v;
      if (x < this.left || x > this.right || y < this.low || y > this.high) continue;
      if (!footOnSides(x, y, surface.sides, surface.sideCount, isCurved(surface), this.nodesA, surface.turns, reachOf(surface), FOOT))
        continue;
      if (FOOT.gap >= 0) continue;
      const touch = this.next();
      touch.index = -1 - i;
      touch.foot.copy(FOOT);
      touch.depth = -FOOT.gap;
      touch.nx = -FOOT.nx;
      touch.ny = -FOOT.ny;
      touch.ax = x - FOOT.ox;
      touch.ay = y - FOOT.oy;
      touch.bx = x;
      touch.by = y;
      // as a tenth of the side it is in
      touch.penalty = 10 / (kappa * surface.thickness);
      touch.slot = slotOf[surface.pointCount + i];
    }
  }

  private next(): Touch {
    if (this.count === this.touches.length) {
      const touch = new Touch();
      touch.phiA = new Float64Array(2 * this.nA);
      touch.slideA = new Float64Array(2 * this.nA);
      touch.phiB = new Float64Array(2 * this.nB);
      touch.slideB = new Float64Array(2 * this.nB);
      this.touches.push(touch);
    }
    return this.touches[this.count++];
  }

  private nearB(x: number, y: number): boolean {
    const { c, s, px, py } = this;
    const dx = x - px;
    const dy = y - py;
    const u = c * dx + s * dy;
    const v = c * dy - s * dx;
    const [left, low, right, high] = this.boxB();
    return u >= left && u <= right && v >= low && v <= high;
  }

  private readonly box = new Float64Array(4);
  private boxKnown = false;
  /** Around B undeformed, with as much again as its coordinates can move it */
  private boxB(): Float64Array {
    if (this.boxKnown) return this.box;
    const { surface } = this.b as SoftSide;
    const { places } = surface;
    this.box.set([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]);
    for (let i = 0; i < places.length; i += 2) {
      this.box[0] = Math.min(this.box[0], places[i]);
      this.box[1] = Math.min(this.box[1], places[i + 1]);
      this.box[2] = Math.max(this.box[2], places[i]);
      this.box[3] = Math.max(this.box[3], places[i + 1]);
    }
    const more = 0.5 * Math.max(this.box[2] - this.box[0], this.box[3] - this.box[1]);
    this.box[0] -= more;
    this.box[1] -= more;
    this.box[2] += more;
    this.box[3] += more;
    this.boxKnown = true;
    return this.box;
  }

  /** Compliance between two touches, both bodies */
  private give(i: Touch, j: Touch): number {
    const { a, b } = this;
    let sum = compliance(a.compliance, this.a.surface, i, j, i.index >= 0, j.index >= 0, i.index, j.index);
    if (isSoft(b)) {
      const first = b.surface.firstCorner;
      sum += compliance(b.compliance, b.surface, i, j, i.index < 0, j.index < 0, first - 1 - i.index, first - 1 - j.index);
    }
    return sum;
  }

  /** Forces at the inputs. False if they cannot be found. */
  evaluate(): boolean {
    const { out, pressing, touches, friction } = this;
    out.fill(0);
    this.energy = this.dissipated = this.deepest = 0;
    this.find();
    const found = this.count;
    if (found > 0) {
      pressing.begin(found);
      const { matrix, depth, force } = pressing;
      for (let i = 0; i < found; i++) {
        depth[i] = touches[i].depth;
        this.deepest = Math.max(this.deepest, touches[i].depth);
        for (let j = 0; j <= i; j++) matrix[i * found + j] = matrix[j * found + i] = this.give(touches[i], touches[j]);
        matrix[i * found + i] += touches[i].penalty;
      }
      if (!pressing.solve()) return false;
      // those that press first
      let n = 0;
      for (let k = 0; k < pressing.activeCount; k++) {
        const i = pressing.active[k];
        const touch = touches[i];
        touch.force = force[i];
        this.energy += 0.5 * force[i] * touch.depth;
        touches[i] = touches[n];
        touches[n++] = touch;
      }
      this.count = n;
    }
    this.rub();
    const { nA, nB, c, s, px, py, normalForce, held } = this;
    for (let i = 0; i < this.count; i++) {
      const touch = touches[i];
      const share = friction ? (held[touch.slot] * touch.force) / normalForce[touch.slot] : 0;
      // t = (−n_y, n_x)
      const fx = touch.force * touch.nx + share * touch.ny;
      const fy = touch.force * touch.ny - share * touch.nx;
      out[0] += fx;
      out[1] += fy;
      out[2] += touch.ax * fy - touch.ay * fx;
      out[3] -= (touch.bx - px) * fy - (touch.by - py) * fx;
      for (let k = 0; k < nA; k++) out[4 + k] += touch.phiA[2 * k] * fx + touch.phiA[2 * k + 1] * fy;
      const u = c * fx + s * fy;
      const v = c * fy - s * fx;
      for (let k = 0; k < nB; k++) out[4 + nA + k] -= touch.phiB[2 * k] * u + touch.phiB[2 * k + 1] * v;
    }
    return true;
  }

  /** Shapes at the touches, slip, bristles */
  private rub(): void {
    const { touches, nA, nB, etaA, etaB, velocity: v, c, s, px, py, normalForce, slip, held, sliding, friction } = this;
    normalForce.fill(0);
    slip.fill(0);
    for (let i = 0; i < this.count; i++) {
      const touch = touches[i];
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
      normalForce[touch.slot] += touch.force;
      slip[touch.slot] += touch.force * (touch.nx * wy - touch.ny * wx);
    }
    if (!friction) return;
    const rates = this.outputs - SLOTS;
    for (let r = 0; r < SLOTS; r++) {
      const k = friction.stiffness[r];
      const d = friction.damping[r];
      const x = this.bristle[r];
      const limit = friction.coefficient * normalForce[r];
      this.energy += 0.5 * k * x * x;
      if (!(limit > 0)) {
        held[r] = 0;
        sliding[r] = -1;
        this.out[rates + r] = (-k * x) / d;
        this.dissipated += (k * x * k * x) / d;
        continue;
      }
      slip[r] /= normalForce[r];
      const pull = k * x + d * slip[r];
      sliding[r] = Math.abs(pull) > limit ? 1 : 0;
      held[r] = sliding[r] === 0 ? pull : pull > 0 ? limit : -limit;
      const rate = sliding[r] === 0 ? slip[r] : (held[r] - k * x) / d;
      this.out[rates + r] = rate;
      this.dissipated += d * rate * rate + held[r] * (slip[r] - rate);
    }
  }

  private shapesAt(touch: Touch): void {
    const { a, b, nA, nB, phi } = this;
    if (touch.index >= 0) {
      const f = 2 * nA * touch.index;
      for (let k = 0; k < 2 * nA; k++) touch.phiA[k] = phi[f + k];
      if (isSoft(b)) sideShapes(b, touch.foot, touch.phiB, touch.slideB);
    } else {
      sideShapes(a, touch.foot, touch.phiA, touch.slideA);
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
      touch.dax = touch.day = touch.dbx = touch.dby = 0;
      if (places) this.moveTouch(touch, d);
    }
    if (places) this.moveForces();
    this.moveFriction(d, result);
    this.moveOutputs(d, result);
  }

  /** Depth, normal and places of one touch */
  private moveTouch(touch: Touch, d: Float64Array): void {
    const { a, b, nA, nB, c, s, px, py, sideMotion: nodes } = this;
    const [dpx, dpy, turn] = [d[0], d[1], d[2]];
    const soft = isSoft(b);
    let mx = 0;
    let my = 0;
    if (touch.index >= 0) {
      // A's own point
      for (let k = 0; k < nA; k++) {
        mx += touch.phiA[2 * k] * d[3 + k];
        my += touch.phiA[2 * k + 1] * d[3 + k];
      }
      touch.dax = mx;
      touch.day = my;
      if (!soft) {
        const ex = mx - dpx + turn * (touch.ay - py);
        const ey = my - dpy - turn * (touch.ax - px);
        touch.dDepth = -(touch.nx * ex + touch.ny * ey);
        const along = touch.curvature * (touch.nx * ey - touch.ny * ex) + turn;
        touch.dnx = -touch.ny * along;
        touch.dny = touch.nx * along;
        touch.dbx = mx;
        touch.dby = my;
        return;
      }
      const { surface, shapes } = b;
      for (let j = 0; j < 3; j++) {
        const node = surface.sides[3 * touch.foot.side + j];
        let u = 0;
        let v = 0;
        for (let k = 0; k < nB; k++) {
          u += shapes[k][2 * node] * d[3 + nA + k];
          v += shapes[k][2 * node + 1] * d[3 + nA + k];
        }
        nodes[2 * j] = dpx - turn * (this.nodesB[2 * node + 1] - py) + c * u - s * v;
        nodes[2 * j + 1] = dpy + turn * (this.nodesB[2 * node] - px) + s * u + c * v;
      }
      this.onSide(touch, mx, my, nodes);
      touch.dDepth = -touch.foot.dGap;
      touch.dnx = touch.foot.dnx;
      touch.dny = touch.foot.dny;
      touch.dbx = nodes[0];
      touch.dby = nodes[1];
      return;
    }
    // a corner of B on a side of A
    let u = 0;
    let v = 0;
    for (let k = 0; k < nB; k++) {
      u += touch.phiB[2 * k] * d[3 + nA + k];
      v += touch.phiB[2 * k + 1] * d[3 + nA + k];
    }
    mx = dpx - turn * (touch.by - py) + c * u - s * v;
    my = dpy + turn * (touch.bx - px) + s * u + c * v;
    touch.dbx = mx;
    touch.dby = my;
    for (let j = 0; j < 3; j++) {
      const node = a.surface.sides[3 * touch.foot.side + j];
      nodes[2 * j] = nodes[2 * j + 1] = 0;
      for (let k = 0; k < nA; k++) {
        nodes[2 * j] += a.shapes[k][2 * node] * d[3 + k];
        nodes[2 * j + 1] += a.shapes[k][2 * node + 1] * d[3 + k];
      }
    }
    this.onSide(touch, mx, my, nodes);
    touch.dDepth = -touch.foot.dGap;
    touch.dnx = -touch.foot.dnx;
    touch.dny = -touch.foot.dny;
    touch.dax = nodes[0];
    touch.day = nodes[1];
  }

  /** Motion of the foot, then of the place on the side into nodes[0], nodes[1] */
  private onSide(touch: Touch, mx: number, my: number, nodes: Float64Array): void {
    const { foot } = touch;
    foot.move(mx, my, nodes);
    touch.dXi = foot.dXi;
    let x = foot.tx * foot.dXi;
    let y = foot.ty * foot.dXi;
    for (let j = 0; j < 3; j++) {
      x += foot.shape[j] * nodes[2 * j];
      y += foot.shape[j] * nodes[2 * j + 1];
    }
    nodes[0] = x;
    nodes[1] = y;
  }

  /** (R + 1/(κ a)) df = dδ − dR f */
  private moveForces(): void {
    const { touches, count, pressing, a, b } = this;
    const { active } = pressing;
    const work = WORK.length >= pressing.count ? WORK : new Float64Array(pressing.count);
    for (let i = 0; i < count; i++) {
      const one = touches[i];
      let value = one.dDepth;
      for (let j = 0; j < count; j++) {
        const other = touches[j];
        if (one.dXi !== 0 || other.dXi !== 0) {
          if (one.index < 0 || other.index < 0) value -= other.force * slidCompliance(a, one, other, true);
          if (isSoft(b)) value -= other.force * slidCompliance(b, one, other, false);
        }
      }
      work[active[i]] = value;
    }
    pressing.solveActive(work);
    for (let i = 0; i < count; i++) touches[i].dForce = work[active[i]];
  }

  private moveFriction(d: Float64Array, result: Float64Array): void {
    const { friction } = this;
    if (!friction) return;
    const { touches, count, nA, nB, c, s, px, py, velocity: v, etaA, etaB } = this;
    const { dNormal, dSlip, dHeld, normalForce, slip, held, sliding } = this;
    const at = 3 + nA + nB;
    const turn = d[2];
    dNormal.fill(0);
    dSlip.fill(0);
    for (let i = 0; i < count; i++) {
      const touch = touches[i];
      // change of w
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
      const along = touch.nx * touch.wy - touch.ny * touch.wx;
      const change = touch.nx * y - touch.ny * x + touch.dnx * touch.wy - touch.dny * touch.wx;
      dNormal[touch.slot] += touch.dForce;
      dSlip[touch.slot] += touch.dForce * along + touch.force * change;
    }
    const states = at + 6 + nA + nB;
    const rates = this.outputs - SLOTS;
    for (let r = 0; r < SLOTS; r++) {
      const k = friction.stiffness[r];
      const damping = friction.damping[r];
      const dx = d[states + r];
      if (sliding[r] < 0) {
        dHeld[r] = 0;
        result[rates + r] = (-k * dx) / damping;
        continue;
      }
      const du = (dSlip[r] - slip[r] * dNormal[r]) / normalForce[r];
      if (sliding[r] === 0) {
        dHeld[r] = k * dx + damping * du;
        result[rates + r] = du;
      } else {
        dHeld[r] = Math.sign(held[r]) * friction.coefficient * dNormal[r];
        result[rates + r] = (dHeld[r] - k * dx) / damping;
      }
    }
  }

  private moveOutputs(d: Float64Array, result: Float64Array): void {
    const { touches, count, friction, nA, nB, c, s, px, py, held, dHeld, normalForce, dNormal } = this;
    const turn = d[2];
    for (let i = 0; i < count; i++) {
      const touch = touches[i];
      const r = touch.slot;
      const part = friction ? touch.force / normalForce[r] : 0;
      const share = part * held[r];
      const dShare = friction
        ? part * dHeld[r] + (held[r] * (touch.dForce - part * dNormal[r])) / normalForce[r]
        : 0;
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
      for (let k = 0; k < nB; k++) {
        let sum = touch.phiB[2 * k] * du + touch.phiB[2 * k + 1] * dv;
        if (!soft) sum += touch.dXi * (touch.slideB[2 * k] * u + touch.slideB[2 * k + 1] * v);
        result[4 + nA + k] -= sum;
      }
    }
  }

  /**
   * How near the parts are: `visit` gets gap and closing speed of each point that does not touch, m and m/s; of points that are far away a
   * distance that is not too large and a speed that is not too small.
   */
  approach(visit: (gap: number, closing: number, index: number) => void): void {
    const { a, b, phi, qA, etaA, nA, nB, c, s, px, py, velocity: v, found, qB, etaB } = this;
    const { surface } = a;
    this.placedA = this.placedB = false;
    const soft = isSoft(b) ? b : undefined;
    if (soft) this.placeB();
    const { pointCount, places } = surface;
    for (let i = 0; i < pointCount; i++) {
      let x = places[2 * i];
      let y = places[2 * i + 1];
      let vx = 0;
      let vy = 0;
      const f = 2 * nA * i;
      for (let k = 0; k < nA; k++) {
        x += phi[f + 2 * k] * qA[k];
        y += phi[f + 2 * k + 1] * qA[k];
        vx += phi[f + 2 * k] * etaA[k];
        vy += phi[f + 2 * k + 1] * etaA[k];
      }
      const dx = x - px;
      const dy = y - py;
      vx += v[0] - v[2] * y - v[3] + v[5] * dy;
      vy += v[1] + v[2] * x - v[4] - v[5] * dx;
      if (soft) {
        const { surface: other } = soft;
        if (!footOnSides(x, y, other.sides, other.sideCount, isCurved(other), this.nodesB, other.turns, Number.POSITIVE_INFINITY, FOOT))
          continue;
        let mx = 0;
        let my = 0;
        sideShapes(soft, FOOT, PHI, SLIDE);
        for (let k = 0; k < nB; k++) {
          mx += PHI[2 * k] * etaB[k];
          my += PHI[2 * k + 1] * etaB[k];
        }
        if (FOOT.gap >= 0)
          visit(FOOT.gap, -(FOOT.nx * (vx - c * mx + s * my) + FOOT.ny * (vy - s * mx - c * my)), i);
        continue;
      }
      const near = (b as RigidOutline).find(c * dx + s * dy, c * dy - s * dx, found);
      if (!near) visit(found.gap, Math.sqrt(vx * vx + vy * vy), i);
      else if (found.gap >= 0) {
        const nx = c * found.nx - s * found.ny;
        const ny = s * found.nx + c * found.ny;
        visit(found.gap, -(nx * vx + ny * vy), i);
      }
    }
    if (this.corners === 0) return;
    this.placeA();
    for (let i = 0; i < this.corners; i++) {
      let p = this.cornerPlaces[2 * i];
      let q = this.cornerPlaces[2 * i + 1];
      let mx = 0;
      let my = 0;
      if (soft) {
        const node = soft.surface.nodes[3 * (soft.surface.firstCorner + i)];
        for (let k = 0; k < nB; k++) {
          p += soft.shapes[k][2 * node] * qB[k];
          q += soft.shapes[k][2 * node + 1] * qB[k];
          mx += soft.shapes[k][2 * node] * etaB[k];
          my += soft.shapes[k][2 * node + 1] * etaB[k];
        }
      }
      const x = px + c * p - s * q;
      const y = py + s * p + c * q;
      const vx = v[3] - v[5] * (y - py) + c * mx - s * my - v[0] + v[2] * y;
      const vy = v[4] + v[5] * (x - px) + s * mx + c * my - v[1] - v[2] * x;
      const index = surface.pointCount + i;
      const away = Math.max(this.left - x, x - this.right, this.low - y, y - this.high);
      const size = Math.max(this.right - this.left, this.high - this.low);
      if (away > 0.25 * size) {
        let most = Math.sqrt(vx * vx + vy * vy);
        for (let k = 0; k < nA; k++) most += Math.abs(etaA[k]);
        visit(away, most, index);
        continue;
      }
      if (!footOnSides(x, y, surface.sides, surface.sideCount, isCurved(surface), this.nodesA, surface.turns, Number.POSITIVE_INFINITY, FOOT))
        continue;
      if (FOOT.gap < 0) continue;
      let ex = 0;
      let ey = 0;
      sideShapes(a, FOOT, PHI, SLIDE);
      for (let k = 0; k < nA; k++) {
        ex += PHI[2 * k] * etaA[k];
        ey += PHI[2 * k + 1] * etaA[k];
      }
      visit(FOOT.gap, -(FOOT.nx * (vx - ex) + FOOT.ny * (vy - ey)), index);
    }
  }

  /** Adds nodal forces of the present touches on A or on B, in its own axes, N. */
  addNodalForces(of: 'a' | 'b', out: Float64Array): void {
    const soft = of === 'a' ? this.a : this.b;
    if (!isSoft(soft)) return;
    const { friction, held, normalForce, c, s } = this;
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
    }
  }
}

const FOOT = new SideFoot();
const PHI = new Float64Array(512);
const SLIDE = new Float64Array(512);
const WORK = new Float64Array(1024);

const isSoft = (side: SoftSide | RigidOutline): side is SoftSide => 'surface' in side;
const isCurved = ({ mesh }: ContactSurface): boolean => mesh.nodesPerElement === 6;
/** A point deeper than so much is not seen. */
const reachOf = ({ longestSide }: ContactSurface): number => longestSide;

function isZero(values: Float64Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (values[i] !== 0) return false;
  return true;
}

/** Displacement of each point of a surface per coordinate, 2 each */
function pointShapes({ surface, shapes }: SoftSide): Float64Array {
  const { pointCount, nodes, weights } = surface;
  const n = shapes.length;
  const out = new Float64Array(2 * n * pointCount);
  for (let i = 0; i < pointCount; i++)
    for (let k = 0; k < n; k++)
      for (let j = 0; j < 3; j++) {
        const node = nodes[3 * i + j];
        out[2 * (n * i + k)] += weights[3 * i + j] * shapes[k][2 * node];
        out[2 * (n * i + k) + 1] += weights[3 * i + j] * shapes[k][2 * node + 1];
      }
  return out;
}

/** Where the nodes of the sides are, in the part's own axes */
function placeNodes({ surface, shapes }: SoftSide, q: Float64Array, out: Float64Array): void {
  const { boundary, mesh } = surface;
  for (let i = 0; i < boundary.length; i++) {
    const node = boundary[i];
    let x = mesh.points[2 * node];
    let y = mesh.points[2 * node + 1];
    for (let k = 0; k < q.length; k++) {
      x += shapes[k][2 * node] * q[k];
      y += shapes[k][2 * node + 1] * q[k];
    }
    out[2 * node] = x;
    out[2 * node + 1] = y;
  }
}

/** Displacement of the foot per coordinate, and by ξ */
function sideShapes({ surface, shapes }: SoftSide, foot: SideFoot, phi: Float64Array, slide: Float64Array): void {
  const { sides } = surface;
  for (let k = 0; k < shapes.length; k++) {
    phi[2 * k] = phi[2 * k + 1] = slide[2 * k] = slide[2 * k + 1] = 0;
    for (let j = 0; j < 3; j++) {
      const node = sides[3 * foot.side + j];
      phi[2 * k] += foot.shape[j] * shapes[k][2 * node];
      phi[2 * k + 1] += foot.shape[j] * shapes[k][2 * node + 1];
      slide[2 * k] += foot.shape[3 + j] * shapes[k][2 * node];
      slide[2 * k + 1] += foot.shape[3 + j] * shapes[k][2 * node + 1];
    }
  }
}

/** Of one body, between two touches: each is a point of its surface, or a place on a side between two hats */
function compliance(
  of: LocalCompliance,
  surface: ContactSurface,
  i: Touch,
  j: Touch,
  iPoint: boolean,
  jPoint: boolean,
  iIndex: number,
  jIndex: number,
): number {
  if (iPoint && jPoint) return of.between(iIndex, jIndex);
  let sum = 0;
  for (let a = 0; a < (iPoint ? 1 : 2); a++)
    for (let b = 0; b < (jPoint ? 1 : 2); b++) {
      const first = iPoint ? iIndex : of.hat(surface.sides[3 * i.foot.side + a]);
      const second = jPoint ? jIndex : of.hat(surface.sides[3 * j.foot.side + b]);
      sum += (iPoint ? 1 : hatWeight(a, i.foot.xi)) * (jPoint ? 1 : hatWeight(b, j.foot.xi)) * of.between(first, second);
    }
  return sum;
}

const hatWeight = (end: number, xi: number): number => (end === 0 ? 1 - xi : 1 + xi) / 2;

/** Its change as the places slide along the sides */
function slidCompliance({ compliance: of, surface }: SoftSide, i: Touch, j: Touch, isA: boolean): number {
  const first = surface.firstCorner;
  const iPoint = isA === i.index >= 0;
  const jPoint = isA === j.index >= 0;
  const indexOf = (touch: Touch): number => (isA ? touch.index : first - 1 - touch.index);
  let sum = 0;
  for (let a = 0; a < (iPoint ? 1 : 2); a++)
    for (let b = 0; b < (jPoint ? 1 : 2); b++) {
      const one = iPoint ? indexOf(i) : of.hat(surface.sides[3 * i.foot.side + a]);
      const other = jPoint ? indexOf(j) : of.hat(surface.sides[3 * j.foot.side + b]);
      const wi = iPoint ? 1 : hatWeight(a, i.foot.xi);
      const wj = jPoint ? 1 : hatWeight(b, j.foot.xi);
      const di = iPoint ? 0 : (a === 0 ? -0.5 : 0.5) * i.dXi;
      const dj = jPoint ? 0 : (b === 0 ? -0.5 : 0.5) * j.dXi;
      const change = di * wj + wi * dj;
      if (change !== 0) sum += change * of.between(one, other);
    }
  return sum;
}
