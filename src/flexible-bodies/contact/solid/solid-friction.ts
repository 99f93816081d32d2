/**
 * Friction of all places where two solids touch, by one bristle z of three or four numbers (contact-laws/friction):
 *
 *   mean slip      U = Σ f P w/N                    N = Σ f,  P = 1 − n nᵀ
 *   mean spin      S = Σ f e · w/N                  e = n × (x − x̄)/c,  x̄ = Σ f x/N,  c = Σ f r²/Σ f r,  r = |n × (x − x̄)|
 *   force          (F, M) = k z + d (U, S), not more than µ N
 *   on each place  −(P F + M e) f/N, so that its power is −(F · U + M S)
 *
 * With that c the largest torque about the normal is µ Σ f r, that of every place sliding about x̄. A single place has none.
 */
import type { FrictionOfPair } from '../local-contact.js';
import { dot, type SolidTouch } from './solid-touch.js';

/** Of the largest lever: below that there is no spin */
const NO_LEVER = 1e-9;

export class SolidFriction {
  /** Σ f, N */
  normalForce = 0;
  /** Stored in the bristle, J; W dissipated and taken from the bodies */
  energy = 0;
  dissipated = 0;
  power = 0;
  /** F and M */
  readonly held: Float64Array;
  readonly dHeld: Float64Array;
  dNormal = 0;
  private readonly size: number;
  private readonly slip: Float64Array;
  /** As of local-contact.ts */
  stretchedOnly = false;
  private readonly dSlip: Float64Array;
  private pull = 0;
  private sliding = false;
  // of the spin: x̄, c, Σ f r/N
  private readonly middle = new Float64Array(3);
  private readonly dMiddle = new Float64Array(3);
  private lever = 0;
  private meanArm = 0;
  private readonly arm = new Float64Array(3);

  constructor(
    readonly law: FrictionOfPair | undefined,
    private readonly longest: number,
  ) {
    this.size = law?.stiffness.length ?? 3;
    this.held = new Float64Array(this.size);
    this.dHeld = new Float64Array(this.size);
    this.slip = new Float64Array(this.size);
    this.dSlip = new Float64Array(this.size);
  }

  /** Forces of the bristle; its rates into `out` */
  evaluate(touches: readonly SolidTouch[], count: number, z: Float64Array, out: Float64Array, rates: number): void {
    const { law, slip, held, size } = this;
    slip.fill(0);
    held.fill(0);
    this.normalForce = this.energy = this.dissipated = this.power = 0;
    for (let i = 0; i < count; i++) {
      touches[i].e.fill(0);
      this.normalForce += touches[i].force;
    }
    this.sliding = false;
    if (!law) return;
    const k = law.stiffness[0];
    const damping = law.damping[0];
    const limit = law.coefficient * this.normalForce;
    let square = 0;
    for (let d = 0; d < size; d++) square += z[d] * z[d];
    this.energy = 0.5 * k * square;
    if (!(limit > 0)) {
      for (let d = 0; d < size; d++) out[rates + d] = (-k * z[d]) / damping;
      this.dissipated = (k * k * square) / damping;
      return;
    }
    if (size > 3) this.findLevers(touches, count);
    for (let i = 0; i < count; i++) {
      const { n, w, e, force } = touches[i];
      const along = dot(n, w);
      for (let d = 0; d < 3; d++) slip[d] += force * (w[d] - along * n[d]);
      if (size > 3) slip[3] += force * dot(e, w);
    }
    this.pull = 0;
    for (let d = 0; d < size; d++) {
      slip[d] = this.stretchedOnly ? 0 : slip[d] / this.normalForce;
      held[d] = k * z[d] + damping * slip[d];
      this.pull += held[d] * held[d];
    }
    this.pull = Math.sqrt(this.pull);
    this.sliding = this.pull > limit;
    if (this.sliding) for (let d = 0; d < size; d++) held[d] *= limit / this.pull;
    for (let d = 0; d < size; d++) {
      const rate = this.sliding ? (held[d] - k * z[d]) / damping : slip[d];
      out[rates + d] = rate;
      this.power += held[d] * slip[d];
      this.dissipated += damping * rate * rate + held[d] * (slip[d] - rate);
    }
  }

  /** Directions of spin, with forces that are expected and their sum */
  expectLevers(touches: readonly SolidTouch[], count: number, load: number): void {
    this.normalForce = load;
    for (let i = 0; i < count; i++) touches[i].e.fill(0);
    this.findLevers(touches, count);
  }

  private findLevers(touches: readonly SolidTouch[], count: number): void {
    const { middle, arm, normalForce } = this;
    middle.fill(0);
    for (let i = 0; i < count; i++)
      for (let d = 0; d < 3; d++) middle[d] += (touches[i].force * touches[i].x[d]) / normalForce;
    let squares = 0;
    this.meanArm = 0;
    for (let i = 0; i < count; i++) {
      this.armOf(touches[i], arm);
      const square = dot(arm, arm);
      squares += (touches[i].force * square) / normalForce;
      this.meanArm += (touches[i].force * Math.sqrt(square)) / normalForce;
    }
    if (!(this.meanArm > NO_LEVER * this.longest)) {
      this.lever = 0;
      return;
    }
    this.lever = squares / this.meanArm;
    for (let i = 0; i < count; i++) {
      this.armOf(touches[i], arm);
      for (let d = 0; d < 3; d++) touches[i].e[d] = arm[d] / this.lever;
    }
  }

  /** n × (x − x̄) */
  private armOf({ n, x }: SolidTouch, out: Float64Array): void {
    const { middle: m } = this;
    for (let d = 0; d < 3; d++) {
      const [e, g] = [(d + 1) % 3, (d + 2) % 3];
      out[d] = n[e] * (x[g] - m[g]) - n[g] * (x[e] - m[e]);
    }
  }

  /** What acts on A at a place: f n − (P F + M e) f/N */
  forceAt({ n, e, force }: SolidTouch, into: Float64Array): void {
    const { held, law, normalForce, size } = this;
    const share = law && normalForce > 0 ? force / normalForce : 0;
    const along = dot(n, held);
    const spin = size > 3 ? held[3] : 0;
    for (let d = 0; d < 3; d++) into[d] = force * n[d] - share * (held[d] - along * n[d] + spin * e[d]);
  }

  // ---- derivatives ----------------------------------------------------------------------------------------------------------------

  /** Changes of F, M and of the rates, once the places have been moved. @param at where the bristle stands in the inputs d */
  move(
    touches: readonly SolidTouch[],
    count: number,
    d: Float64Array,
    at: number,
    result: Float64Array,
    rates: number,
  ): void {
    const { law, slip, held, dSlip, dHeld, normalForce, size } = this;
    dHeld.fill(0);
    this.dNormal = 0;
    for (let t = 0; t < count; t++) touches[t].de.fill(0);
    if (!law) return;
    const k = law.stiffness[0];
    const damping = law.damping[0];
    if (!(normalForce > 0)) {
      for (let i = 0; i < size; i++) result[rates + i] = (-k * d[at + i]) / damping;
      return;
    }
    for (let t = 0; t < count; t++) this.dNormal += touches[t].dForce;
    if (size > 3 && this.lever > 0) this.moveLevers(touches, count);
    dSlip.fill(0);
    for (let t = 0; t < count; t++) {
      const { n, dn, w, dw, e, de, force, dForce } = touches[t];
      const along = dot(n, w);
      const change = dot(n, dw) + dot(dn, w);
      for (let i = 0; i < 3; i++)
        dSlip[i] += dForce * (w[i] - along * n[i]) + force * (dw[i] - change * n[i] - along * dn[i]);
      if (size > 3) dSlip[3] += dForce * dot(e, w) + force * (dot(de, w) + dot(e, dw));
    }
    let inner = 0;
    for (let i = 0; i < size; i++) {
      dSlip[i] = (dSlip[i] - slip[i] * this.dNormal) / normalForce;
      dHeld[i] = k * d[at + i] + damping * dSlip[i];
      inner += held[i] * dHeld[i];
    }
    if (this.sliding) {
      // F = µ N g/|g|
      const limit = law.coefficient * normalForce;
      const along = inner / (limit * limit);
      for (let i = 0; i < size; i++)
        dHeld[i] = (limit / this.pull) * (dHeld[i] - along * held[i]) + (held[i] * this.dNormal) / normalForce;
    }
    for (let i = 0; i < size; i++) result[rates + i] = this.sliding ? (dHeld[i] - k * d[at + i]) / damping : dSlip[i];
  }

  /** de = (dr − e dc)/c, c = Σ f r²/Σ f r */
  private moveLevers(touches: readonly SolidTouch[], count: number): void {
    const { dMiddle, middle, arm, normalForce, lever, meanArm } = this;
    dMiddle.fill(0);
    for (let t = 0; t < count; t++) {
      const { x, dx, force, dForce } = touches[t];
      for (let i = 0; i < 3; i++) dMiddle[i] += (dForce * (x[i] - middle[i]) + force * dx[i]) / normalForce;
    }
    let dSquares = 0;
    let dMean = 0;
    for (let t = 0; t < count; t++) {
      const { n, dn, x, dx, force, dForce, de } = touches[t];
      this.armOf(touches[t], arm);
      for (let i = 0; i < 3; i++) {
        const [e, g] = [(i + 1) % 3, (i + 2) % 3];
        de[i] =
          dn[e] * (x[g] - middle[g]) -
          dn[g] * (x[e] - middle[e]) +
          n[e] * (dx[g] - dMiddle[g]) -
          n[g] * (dx[e] - dMiddle[e]);
      }
      const square = dot(arm, arm);
      const size = Math.sqrt(square);
      const change = dot(arm, de);
      dSquares += (dForce * (square - lever * meanArm) + 2 * force * change) / normalForce;
      dMean += (dForce * (size - meanArm) + (size > 0 ? (force * change) / size : 0)) / normalForce;
    }
    const dLever = (dSquares - lever * dMean) / meanArm;
    for (let t = 0; t < count; t++)
      for (let i = 0; i < 3; i++) touches[t].de[i] = (touches[t].de[i] - touches[t].e[i] * dLever) / lever;
  }

  /** Change of what acts on A at a place */
  moveForceAt({ n, dn, e, de, force, dForce }: SolidTouch, into: Float64Array): void {
    const { held, dHeld, law, normalForce, size } = this;
    const share = law && normalForce > 0 ? force / normalForce : 0;
    const dShare = share > 0 ? (dForce - share * this.dNormal) / normalForce : 0;
    const along = dot(n, held);
    const change = dot(dn, held) + dot(n, dHeld);
    const spin = size > 3 ? held[3] : 0;
    const dSpin = size > 3 ? dHeld[3] : 0;
    for (let i = 0; i < 3; i++)
      into[i] =
        dForce * n[i] +
        force * dn[i] -
        dShare * (held[i] - along * n[i] + spin * e[i]) -
        share * (dHeld[i] - change * n[i] - along * dn[i] + dSpin * e[i] + spin * de[i]);
  }
}
