/**
 * Contact of a flexible solid A with another solid B, rigid or flexible, with exact derivatives; all in A's axes. Where they touch: solid-search.ts.
 *
 * A place that is δ deep presses with
 *
 *   (R + 1/(κ a)) f = δ,   f ≥ 0,      κ = 20 E/h      as in the plane (plane-contact.ts), R of both bodies
 *
 * A ball may be smaller than an element. Its nearest point of A's triangles is where it touches; what the mesh cannot resolve is Hertz's
 * indentation of flat by ball:
 *
 *   c f + (f/K)^(2/3) = δ,   K = 4/3 E* √r,      c = w_a w_b (R_ab − I_ab) ≥ 0
 *
 *   w_a  how a force at a place is spread over pressures on the faces around nodes (surface-spread.ts); R_ab their residual compliance
 *   I_ab what such pressures indent a half space, for Hertz has counted it (solid-side.ts)
 *
 * δ with damping of the pair's own is δ + τ δ'. Friction: solid-friction.ts. Loads that walk over a flexible face are drawn to the softer place, ½ f² dR/ds (walking-places.ts).
 */
import type { FrictionOfPair, LocalContact, PressureAhead } from '../local-contact.js';
import { PressedAhead } from '../pressed-ahead.js';
import { PressedPlaces, type PressedSurfaces } from '../pressed-places.js';
import type { RigidForm } from './rigid-solid.js';
import { SolidFriction } from './solid-friction.js';
import { SolidMotion } from './solid-motion.js';
import { BeyondHalfSpace, bulgeAt, giveBetween, type SolidPlace, type SolidSide } from './solid-side.js';
import { SolidSlips } from './solid-slips.js';
import type { SolidTouch } from './solid-touch.js';
import { SpreadPlace } from './surface-spread.js';
import { WalkingPlaces } from './walking-places.js';

/** Numbers of the bristle: of a ball a vector, else spin about the normal as well */
export const bristlesOf = (form: RigidForm | undefined): 3 | 4 => (form?.kind === 'ball' ? 3 : 4);

export class SolidContact extends SolidMotion implements LocalContact, PressedSurfaces<SolidTouch> {
  readonly poses = 6;
  readonly speeds = 12;
  readonly wrenches = 9;
  readonly bristle: Float64Array;
  readonly inputs: number;
  readonly outputs: number;
  readonly out: Float64Array;
  energy = 0;
  dissipated = 0;
  pressed = 0;
  rubbed = 0;
  deepest = 0;
  pressure = 0;
  relaxation = 0;
  stretchedOnly = false;
  private readonly ball: Extract<RigidForm, { kind: 'ball' }> | undefined;
  readonly ahead: PressureAhead;
  readonly slips: SolidSlips;
  readonly walks: WalkingPlaces;
  /** Some load can walk */
  private walking = false;
  readonly widthInSides = 0;
  readonly roundest = 0;
  private readonly loaded: PressedPlaces<SolidTouch>;
  private readonly rubbing: SolidFriction;
  private readonly force = new Float64Array(3);
  private readonly dForce = new Float64Array(3);
  private right = new Float64Array(0);
  /** Hertz's part of the depth, m */
  private indented = 0;
  // places of two touches on one body
  private readonly one: SolidPlace = { index: 0, spread: new SpreadPlace() };
  private readonly two: SolidPlace = { index: 0, spread: new SpreadPlace() };

  constructor(
    a: SolidSide,
    b: SolidSide | RigidForm,
    readonly friction: FrictionOfPair | undefined,
  ) {
    super('kind' in b && b.kind === 'ball' ? beyondHalfSpace(a) : a, b);
    const { nA, nB } = this;
    const form = 'kind' in b ? b : undefined;
    this.ball = form?.kind === 'ball' ? form : undefined;
    const bristles = bristlesOf(form);
    this.bristle = new Float64Array(bristles);
    this.inputs = 18 + 2 * (nA + nB) + bristles;
    this.outputs = 9 + nA + nB + bristles;
    this.out = new Float64Array(this.outputs);
    this.rubbing = new SolidFriction(friction, this.longestSide);
    this.ahead = this.ball ? this.ballAhead(this.ball) : new PressedAhead<SolidTouch>(this);
    this.slips = new SolidSlips(this, this.rubbing, bristles);
    this.loaded = new PressedPlaces<SolidTouch>(this);
    this.walks = new WalkingPlaces(this, this.soft ? [this.a, this.soft] : [this.a], form?.kind === 'ball');
  }

  // ---- forces ---------------------------------------------------------------------------------------------------------------------

  evaluate(): boolean {
    const { out, touches, rubbing } = this;
    out.fill(0);
    this.energy = this.deepest = this.pressed = this.pressure = 0;
    if (!(this.ball ? this.pressBall(this.ball) : this.pressPlaces())) return false;
    rubbing.stretchedOnly = this.stretchedOnly;
    rubbing.evaluate(touches, this.count, this.bristle, out, this.outputs - this.bristle.length);
    this.energy += rubbing.energy;
    this.dissipated = rubbing.dissipated;
    this.rubbed = rubbing.power;
    for (let i = 0; i < this.count; i++) this.addForce(touches[i]);
    this.walking = this.walks.find();
    if (this.walking) {
      this.walks.add(out);
      this.pressed += this.walks.power;
    }
    return true;
  }

  /** Where a touch is on A's surface, or on B's */
  private placeOn(isA: boolean, touch: SolidTouch, into: SolidPlace): SolidPlace {
    const ofA = touch.index >= 0;
    into.index = ofA === isA ? (isA ? touch.index : this.soft!.surface.firstCorner - 1 - touch.index) : -1;
    into.spread = touch.spread;
    return into;
  }

  /** R between two touches, both bodies */
  residual(i: SolidTouch, j: SolidTouch): number {
    const { a, soft, one, two } = this;
    let sum = giveBetween(a, this.placeOn(true, i, one), this.placeOn(true, j, two));
    if (soft) sum += giveBetween(soft, this.placeOn(false, i, one), this.placeOn(false, j, two));
    return sum;
  }

  bulgeBy(touch: SolidTouch): number {
    const { a, soft, one } = this;
    const own = bulgeAt(a, this.placeOn(true, touch, one));
    return soft ? own + bulgeAt(soft, this.placeOn(false, touch, one)) : own;
  }

  /** Points of A on a rigid body always meet the same compliance, but beside a rim */
  nameOf(touch: SolidTouch): number {
    return this.soft || touch.share.share < 1 ? -1 : touch.index;
  }

  private pressPlaces(): boolean {
    const { loaded: places, touches, a } = this;
    if (!places.find()) return false;
    this.energy = places.energy;
    this.pressed = places.power;
    this.deepest = places.deepest;
    for (let i = 0; i < this.count; i++) {
      const { index, force } = touches[i];
      if (index >= 0) this.pressure = Math.max(this.pressure, force / a.surface.areas[index]);
    }
    return true;
  }

  /** c f + (f/K)^(2/3) = δ: with s = (f/K)^(1/3), c K s³ + s² = δ */
  private pressBall({ stiffness: k, radius }: Extract<RigidForm, { kind: 'ball' }>): boolean {
    this.find(0);
    if (this.count === 0) return true;
    const [touch] = this.touches;
    this.speedOf(touch);
    this.deepest = touch.depth;
    const deep = touch.depth + this.relaxation * touch.closing;
    if (!(deep > 0)) {
      this.count = 0;
      return true;
    }
    this.giveUnderBall(touch);
    const s = rootOfDepth(touch.give * k, deep);
    const f = k * s * s * s;
    touch.force = f;
    this.indented = s * s;
    this.pressed = f * touch.closing;
    this.energy = 0.5 * touch.give * f * f + 0.4 * f * s * s;
    // Hertz: 3 F/(2 π a²), a² = r δ_H
    this.pressure = (1.5 * f) / (Math.PI * radius * s * s);
    return Number.isFinite(f);
  }

  /** c, the compliance beyond Hertz's */
  private giveUnderBall(touch: SolidTouch): void {
    this.placeOn(true, touch, this.one);
    touch.give = Math.max(0, giveBetween(this.a, this.one, this.one));
    touch.whole = 0;
    touch.wholeSlope.fill(0);
  }

  /** Of a ball: df/dδ = 1/(c + 2 (f/K)^(2/3)/(3 f)) */
  private ballAhead({ stiffness: k }: Extract<RigidForm, { kind: 'ball' }>): PressureAhead {
    const contact = this;
    return {
      get count() {
        return contact.count;
      },
      look: (near) => {
        this.find(near);
        if (this.count === 0) return;
        this.speedOf(this.touches[0]);
        this.giveUnderBall(this.touches[0]);
      },
      press: (depth, force, stiffness, at = 0, scale = 1) => {
        if (this.count === 0) return true;
        const { give } = this.touches[0];
        const s = depth[0] > 0 ? rootOfDepth(give * k, depth[0]) : 0;
        const f = k * s * s * s;
        force[0] = f;
        if (stiffness) stiffness[at] = f > 0 ? scale / (give + (2 * s * s) / (3 * f)) : 0;
        return Number.isFinite(f);
      },
    };
  }

  placesOf(i: number, normal: Float64Array, onA: Float64Array, onB: Float64Array): void {
    const { n, x } = this.touches[i];
    normal.set(n);
    onA.set(x);
    onB.set(x);
  }

  addAlong(i: number, e: Float64Array, out: Float64Array): void {
    const { nA, nB } = this;
    const { phiA, phiB } = this.touches[i];
    for (let k = 0; k < nA; k++) out[k] += phiA[3 * k] * e[0] + phiA[3 * k + 1] * e[1] + phiA[3 * k + 2] * e[2];
    for (let k = 0; k < nB; k++) out[nA + k] -= phiB[3 * k] * e[0] + phiB[3 * k + 1] * e[1] + phiB[3 * k + 2] * e[2];
  }

  private addForce(touch: SolidTouch): void {
    const { out, place, nA, nB, force: f } = this;
    this.rubbing.forceAt(touch, f);
    const { x, phiA, phiB } = touch;
    for (let d = 0; d < 3; d++) {
      const [e, g] = [(d + 1) % 3, (d + 2) % 3];
      out[d] += f[d];
      out[3 + d] += x[e] * f[g] - x[g] * f[e];
      out[6 + d] -= (x[e] - place[e]) * f[g] - (x[g] - place[g]) * f[e];
    }
    for (let k = 0; k < nA; k++) out[9 + k] += phiA[3 * k] * f[0] + phiA[3 * k + 1] * f[1] + phiA[3 * k + 2] * f[2];
    for (let k = 0; k < nB; k++)
      out[9 + nA + k] -= phiB[3 * k] * f[0] + phiB[3 * k + 1] * f[1] + phiB[3 * k + 2] * f[2];
  }

  // ---- derivatives ----------------------------------------------------------------------------------------------------------------

  /** @param d as the inputs: p, ψ, q_A, q_B | v_A, ω_A, v_B, ω_B, η_A, η_B | bristle */
  move(d: Float64Array, result: Float64Array): void {
    const { touches, count, bristle } = this;
    result.fill(0);
    for (let i = 0; i < count; i++) {
      this.moveTouch(touches[i], d);
      this.moveSpeed(touches[i], d, this.relaxation);
    }
    if (count > 0) this.moveForces();
    this.rubbing.move(touches, count, d, this.inputs - bristle.length, result, this.outputs - bristle.length);
    for (let i = 0; i < count; i++) this.moveOutputs(touches[i], d, result);
    if (this.walking) this.walks.move(d, result);
  }

  /** (R + 1/(κ a)) df = dδ − dR f */
  private moveForces(): void {
    const { touches, count, walks } = this;
    const { pressing } = this.loaded;
    if (this.walking) walks.slide();
    if (this.ball) {
      const [touch] = touches;
      touch.dWhole = touch.dGive = 0;
      touch.dWholeSlope.fill(0);
      const lessened = this.walking && touch.pulls ? walks.lessened(touch) : 0;
      // d(f/K)^(2/3) = 2/3 (f/K)^(2/3)/f df
      touch.dForce = (touch.dDepth - lessened) / (touch.give + (2 * this.indented) / (3 * touch.force));
      return;
    }
    const { active } = pressing;
    if (this.right.length < pressing.count) this.right = new Float64Array(2 * pressing.count);
    const { right } = this;
    for (let i = 0; i < count; i++)
      right[active[i]] = touches[i].dDepth - (this.walking ? walks.lessened(touches[i]) : 0);
    pressing.solveActive(right);
    for (let i = 0; i < count; i++) touches[i].dForce = right[active[i]];
  }

  private moveOutputs(touch: SolidTouch, d: Float64Array, result: Float64Array): void {
    const { place, nA, nB, force: f, dForce: df, rubbing } = this;
    const { x, dx, phiA, dPhiA, phiB, dPhiB } = touch;
    rubbing.forceAt(touch, f);
    rubbing.moveForceAt(touch, df);
    for (let i = 0; i < 3; i++) {
      const [e, g] = [(i + 1) % 3, (i + 2) % 3];
      result[i] += df[i];
      result[3 + i] += x[e] * df[g] - x[g] * df[e] + dx[e] * f[g] - dx[g] * f[e];
      result[6 + i] -=
        (x[e] - place[e]) * df[g] - (x[g] - place[g]) * df[e] + (dx[e] - d[e]) * f[g] - (dx[g] - d[g]) * f[e];
    }
    for (let k = 0; k < nA; k++)
      for (let i = 0; i < 3; i++) result[9 + k] += phiA[3 * k + i] * df[i] + dPhiA[3 * k + i] * f[i];
    for (let k = 0; k < nB; k++)
      for (let i = 0; i < 3; i++) result[9 + nA + k] -= phiB[3 * k + i] * df[i] + dPhiB[3 * k + i] * f[i];
  }

  // ---- nodes ----------------------------------------------------------------------------------------------------------------------

  addNodalForces(of: 'a' | 'b', out: Float64Array): void {
    const { a, soft, touches, force: f, turn: t, one } = this;
    const side = of === 'a' ? a : soft;
    if (!side) return;
    const { nodes, weights, patches } = side.surface;
    for (let i = 0; i < this.count; i++) {
      this.rubbing.forceAt(touches[i], f);
      if (of === 'b') {
        const [x, y, z] = f;
        for (let d = 0; d < 3; d++) f[d] = -(t[d] * x + t[3 + d] * y + t[6 + d] * z);
      }
      this.placeOn(of === 'a', touches[i], one);
      if (one.index >= 0) {
        for (let j = 6 * one.index; j < 6 * one.index + 6; j++)
          for (let d = 0; d < 3; d++) out[3 * nodes[j] + d] += weights[j] * f[d];
        continue;
      }
      // as pressure on the faces around nodes: a point force has no stress that a mesh could tell
      const { spread } = one;
      for (let j = 0; j < spread.count; j++) {
        const load = patches[spread.patches[j]];
        for (let k = 0; k < load.nodes.length; k++)
          for (let d = 0; d < 3; d++) out[3 * load.nodes[k] + d] += spread.weights[j] * load.shares[k] * f[d];
      }
    }
  }
}

const beyondHalfSpace = (a: SolidSide): SolidSide => ({
  ...a,
  compliance: new BeyondHalfSpace(a.compliance, a.surface, a.modulus, a.poissonRatio),
});

/** s = (f/K)^(1/3) of c K s³ + s² = δ */
function rootOfDepth(ck: number, depth: number): number {
  // from above: rising and convex, so Newton falls towards the root
  let s = Math.sqrt(depth);
  for (let round = 0; round < 60; round++) {
    const step = (ck * s * s * s + s * s - depth) / (3 * ck * s * s + 2 * s);
    s -= step;
    if (!(Math.abs(step) > 1e-16 * s)) break;
  }
  return s;
}
