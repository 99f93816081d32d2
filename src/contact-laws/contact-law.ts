/**
 * One contact region in its own frame (n, t₁, t₂): measures and bristle in, wrench, rates of the bristle and all their exact partial
 * derivatives out. What the stages after this one need to know of any law is here; how n, the depth and the velocities follow from
 * the poses of the two bodies is theirs.
 *
 *   N              from the normal law, pressing, along n
 *   T₁, T₂, M      friction force along t₁, t₂ and torque about n on the body whose velocity against the other is the slip;
 *                  the other body has their negatives, to the bit
 *   z₁, z₂, ψ      bristle, m: three states a region (a point does not use ψ)
 *
 * Friction is one of
 *   none       0
 *   curve      −µ(D) N (f, m), no state; `cap` limits µ N (Hofmann et al., eq. 12)
 *   bristle    friction/bristle.ts on the limit surface of the patch, limit L = µ(D) N with µ constant or a Stribeck curve
 * with D, f, m of mean-slip.ts; a patch that is a point makes them |v|, v/|v|, 0.
 */
import { OPEN, type Regime, SLIP } from './friction/bristle.js';
import type { FrictionCurve } from './friction/friction-curve.js';
import { type NormalForce, type NormalLaw, type NormalMeasures, noNormalForce } from './normal/normal-law.js';
import { meanSlip } from './torsion/mean-slip.js';
import { PatchBristle } from './torsion/patch-bristle.js';
import type { PatchContour } from './torsion/patch-contour.js';
import { patchFriction } from './torsion/patch-friction.js';

export type FrictionLaw =
  | { readonly kind: 'none' }
  | { readonly kind: 'curve'; readonly curve: FrictionCurve; readonly cap?: number }
  | {
      readonly kind: 'bristle';
      /** k, N/m, and d, N s/m; see bristle.ts */
      readonly stiffness: number;
      readonly damping: number;
      /** µ, or a curve that does not vanish at rest (stribeck.ts) */
      readonly coefficient: number | FrictionCurve;
    };

export interface ContactLaw {
  readonly normal: NormalLaw;
  readonly friction: FrictionLaw;
}

export interface ContactMeasures extends NormalMeasures {
  /** Slip velocity of the patch's centroid along t₁, t₂, m/s */
  slip1: number;
  slip2: number;
  /** Relative spin about n, rad/s */
  spin: number;
  /** k and d of this region's bristle, N/m and N s/m, in place of the law's own */
  stiffness?: number;
  damping?: number;
  /** ϱ of a twist's damping, m (patch-bristle.ts); 0: as that of a slip */
  twistRadius?: number;
  /** The bristle held at the start of the step: it bears its static limit, however fast it is stretched */
  held?: boolean;
}

/** Columns of `derivatives`. */
export const BY = { normalForce: 0, slip1: 1, slip2: 2, spin: 3, z1: 4, z2: 5, psi: 6 } as const;
const COLUMNS = 7;

/** What `evaluate` leaves; owned and used again by the caller. */
export class ContactForces {
  /** N and its derivatives by depth, approach speed, volume, area */
  readonly normal: NormalForce = noNormalForce();
  /** T₁, T₂ in N, M in N m */
  readonly friction = new Float64Array(3);
  /** z₁', z₂', ψ', m/s */
  readonly rates = new Float64Array(3);
  /** Rows T₁, T₂, M, z₁', z₂', ψ' by columns `BY`; N is differentiated further by `normal` */
  readonly derivatives = new Float64Array(6 * COLUMNS);
  /** The same six by ln k of the bristle, for a damping d that goes with √k; 0 for the other laws */
  readonly byStiffness = new Float64Array(6);
  /** The same six by ln b, b the effective radius of a patch that grows and keeps its shape */
  readonly byArm = new Float64Array(6);
  /** d₃/d of the bristle */
  twistDamping = 1;
  regime: Regime = OPEN;
  /** µ N of a bristle, N */
  limit = 0;
  /** Power lost to friction, ≥ 0, W */
  frictionLoss = 0;
  /** Elastic energy of the bristle, J */
  bristleEnergy = 0;

  private readonly bristle = new PatchBristle();
  private readonly slip = new Float64Array(13);
  private readonly stateless = new Float64Array(15);
  private readonly rows = new Float64Array(42);

  /**
   * @param z         states, this region's three from `at`
   * @param gradients derivatives are asked for; they are without meaning if not
   */
  evaluate(
    law: ContactLaw,
    patch: PatchContour,
    measures: ContactMeasures,
    z: Float64Array,
    at: number,
    gradients = true,
  ): void {
    law.normal.evaluate(measures, this.normal);
    const { friction } = law;
    for (let i = 0; i < 3; i++) this.rates[i] = this.friction[i] = 0;
    if (gradients) {
      this.derivatives.fill(0);
      this.byStiffness.fill(0);
      this.byArm.fill(0);
    }
    this.regime = OPEN;
    this.limit = this.frictionLoss = this.bristleEnergy = 0;
    if (friction.kind === 'curve') this.slide(friction.curve, friction.cap, patch, measures);
    else if (friction.kind === 'bristle') this.hold(friction, patch, measures, z, at, gradients);
    if (!gradients) return;
    // b is in b ω and in the torque b F₃, and in the damping of a twist
    const { byArm, derivatives } = this;
    for (let i = 0; i < 6; i++) byArm[i] += derivatives[COLUMNS * i + BY.spin] * measures.spin;
    byArm[2] += this.friction[2];
  }

  private slide(
    curve: FrictionCurve,
    cap: number | undefined,
    patch: PatchContour,
    { slip1, slip2, spin }: ContactMeasures,
  ): void {
    const { stateless, friction, derivatives } = this;
    let load = this.normal.force;
    if (!(load > 0)) return;
    let byLoad = 1;
    if (cap !== undefined) {
      // min(cap, µ N) = µ N' with N' = min(N, cap/µ)
      meanSlip(patch, slip1, slip2, spin, this.slip);
      const most = cap / curve.coefficient(this.slip[0]);
      if (most < load) {
        load = most;
        byLoad = 0;
      }
    }
    patchFriction(curve, patch, load, slip1, slip2, spin, stateless);
    for (let i = 0; i < 3; i++) {
      friction[i] = stateless[i];
      derivatives[COLUMNS * i] = byLoad * stateless[3 + i];
      for (let j = 0; j < 3; j++) derivatives[COLUMNS * i + 1 + j] = stateless[6 + 3 * i + j];
    }
    if (byLoad === 0) this.holdCapped(curve);
    this.regime = SLIP;
    this.frictionLoss = -(friction[0] * slip1 + friction[1] * slip2 + friction[2] * spin);
  }

  /** At the cap the force is cap · G: what µ(D) adds to the derivatives is taken back. */
  private holdCapped(curve: FrictionCurve): void {
    const { slip, friction, derivatives } = this;
    const share = curve.slope(slip[0]) / curve.coefficient(slip[0]);
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) derivatives[COLUMNS * i + 1 + j] -= friction[i] * share * slip[1 + j];
  }

  private hold(
    law: Extract<FrictionLaw, { kind: 'bristle' }>,
    patch: PatchContour,
    {
      slip1,
      slip2,
      spin,
      stiffness = law.stiffness,
      damping = law.damping,
      twistRadius = 0,
      held = false,
    }: ContactMeasures,
    z: Float64Array,
    at: number,
    gradients: boolean,
  ): void {
    const { bristle, friction, rates } = this;
    const { coefficient } = law;
    const load = this.normal.force;
    let mu = 0;
    let slope = 0;
    if (typeof coefficient === 'number') mu = coefficient;
    else if (held) mu = coefficient.coefficient(0);
    else {
      meanSlip(patch, slip1, slip2, spin, this.slip);
      mu = coefficient.coefficient(this.slip[0]);
      slope = this.slip[0] > 0 ? coefficient.slope(this.slip[0]) : 0;
    }
    this.limit = mu * load;
    this.regime = bristle.evaluate(
      patch,
      stiffness,
      damping,
      this.limit,
      z,
      at,
      slip1,
      slip2,
      spin,
      twistRadius,
      gradients,
    );
    this.twistDamping = bristle.twistDamping;
    for (let i = 0; i < 3; i++) {
      friction[i] = -bristle.wrench[i];
      rates[i] = bristle.rates[i];
      this.bristleEnergy += 0.5 * stiffness * z[at + i] * z[at + i];
    }
    this.frictionLoss = bristle.loss(patch, damping, slip1, slip2, spin);
    if (gradients) this.differentiateHeld(patch, stiffness, damping, mu, slope, slip1, slip2, spin, z, at);
  }

  /**
   * Derivatives of the bristle evaluated last
   *
   * @param slope dµ/dD, s/m
   */
  private differentiateHeld(
    patch: PatchContour,
    stiffness: number,
    damping: number,
    mu: number,
    slope: number,
    slip1: number,
    slip2: number,
    spin: number,
    z: Float64Array,
    at: number,
  ): void {
    const { bristle, rows, derivatives, byStiffness, byArm } = this;
    const load = this.normal.force;
    bristle.derivatives(patch, stiffness, damping, rows);
    for (let i = 0; i < 6; i++) {
      const sign = i < 3 ? -1 : 1; // on the body that slips the bristle pulls back
      const from = 7 * i;
      const to = COLUMNS * i;
      const byLimit = rows[from + 6];
      derivatives[to] = sign * byLimit * mu;
      for (let j = 0; j < 3; j++) {
        derivatives[to + 4 + j] = sign * rows[from + j];
        derivatives[to + 1 + j] = sign * rows[from + 3 + j];
        if (slope !== 0) derivatives[to + 1 + j] += sign * byLimit * load * slope * this.slip[1 + j];
      }
    }
    // Wrench and d z' know k and d as k z and d u only, at a given limit: ∂/∂ln k = z·∂/∂z, ∂/∂ln d = u·∂/∂u, less z' for the rate
    for (let i = 0; i < 6; i++) {
      const r = 7 * i;
      const byBristle = rows[r] * z[at] + rows[r + 1] * z[at + 1] + rows[r + 2] * z[at + 2];
      const bySlip = rows[r + 3] * slip1 + rows[r + 4] * slip2 + rows[r + 5] * spin;
      byStiffness[i] = i < 3 ? 0 - (byBristle + 0.5 * bySlip) : byBristle + 0.5 * (bySlip - bristle.rates[i - 3]);
    }
    if (bristle.dampingByArm !== 0)
      for (let i = 0; i < 6; i++) {
        const r = 7 * i;
        byArm[i] = (i < 3 ? -1 : 1) * rows[r + 5] * bristle.dampingByArm + (i === 5 ? bristle.rates[2] : 0);
      }
  }
}
