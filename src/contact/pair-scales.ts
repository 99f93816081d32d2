/**
 * What is much and what is little between two shapes: depths, speeds and times by which errors of a step are judged and impacts are told from rest.
 */
import type { PairLaw } from '../contact-laws/pair-law.js';
import { exp, pow } from '../math/elementary.js';
import type { Route } from '../narrow-phase/route.js';
import { PairRegions, type Workbench } from './pair-regions.js';
import type { Slot } from './slot.js';

/** Part of √(N d/m) that counts as slow under a load that lasts */
const QUIET = 0.01;
/** Of what friction can bear: below it errors of the load do not matter to it */
const LITTLE_BORNE = 0.05;
/** Of `resolution`, a fiftieth of a period: 50 periods */
const LASTING = 2500;
/** 2.5 periods */
const CARRIED = 125;
/** Of its own weight: what counts as none beyond it */
const OWN = 0.25;

export class PairScales extends PairRegions {
  /** At the start of the step: a region touches; depth and approach speed of the deepest, m and m/s */
  touching = false;
  depth = 0;
  approachSpeed = 0;
  /** m/s: how fast a body may be wrong at rest on this pair; see `followLoad` */
  referenceSpeed: number;
  private readonly speedAtRest: number;
  /** Load over mass that lasts, m/s² */
  protected lastingLoad = 0;
  /** See `carriedBy` */
  protected carried = 1;
  /** kg: 1/m = 1/m_a + 1/m_b; 0 where more than weight may press the two together, or there is none */
  private readonly ownMass: number;
  /** At the start of the step a bristle holds most of what it can, or begins to slip: speeds must be told apart that are small against the one over which friction falls. */
  protected nearLimit = false;
  /** Most that a bristle bears, as a part of what it can */
  protected borneShare = 0;

  /** @param referenceDepth m: at rest, but not below a fraction of the body's size */
  constructor(
    a: number,
    b: number,
    route: Route,
    law: PairLaw,
    bench: Workbench,
    readonly referenceDepth: number,
    private readonly gravity: number,
  ) {
    super(a, b, route, law, bench);
    this.speedAtRest = Math.sqrt(gravity * referenceDepth);
    this.referenceSpeed = this.speedAtRest;
    this.ownMass = gravity > 0 ? bench.ownMass(a, b) : 0;
  }

  /** Error of a bristle that counts as one: what it is stretched by when it slips, now or at the depth of the impact that goes on */
  stateScale(k: number): number {
    const slot = this.slots[Math.floor(k / this.perRegion)];
    const mu = Math.max(0.01, this.law.properties.kineticFriction);
    const rest = this.borneShare > LITTLE_BORNE ? this.law.referenceDepth : this.restingScale();
    const depth = Math.max(rest, this.depth, this.impactDepth(this.approachSpeed));
    return mu * Math.max(depth, slot.stiffness > 0 ? slot.load / slot.stiffness : 0);
  }

  /** Depth that counts as one for errors across the contact, m: at rest, now, or of an impact at the present speed */
  depthScale(): number {
    return Math.max(this.restingScale(), this.depth, this.impactDepth(this.approachSpeed));
  }

  /**
   * At rest a floor counts, for hard bodies are less deep than anybody needs to know. Not where friction bears a part u of µ N: with the depth wrong by
   * (1 − u) d there is too little load, and what holds slips. Half of that at a contact tolerance of 1e-2.
   */
  private restingScale(): number {
    const { borneShare: u, referenceDepth, law } = this;
    if (this.nearLimit) return law.referenceDepth;
    return u > LITTLE_BORNE ? Math.min(referenceDepth, 50 * (1 - u) * law.referenceDepth) : referenceDepth;
  }

  /** d_ref (v/v*)^(2/(n+1)), v*² = 2 k d²/(n (n+1) m) with k the stiffness at d_ref */
  impactDepth(speed: number): number {
    if (!(speed > 0)) return 0;
    const { stiffness, referenceDepth: d, exponent: n } = this.law;
    const mass = this.slots[0].effectiveMass;
    const squared = (2 * stiffness * d * d) / (n * (n + 1) * mass);
    return d * pow((speed * speed) / squared, 1 / (n + 1));
  }

  /** Half period of the contact, s: how long an impact at a speed takes */
  impactTime(speed: number): number {
    return speed > 0 ? (3 * this.impactDepth(speed)) / speed : Number.POSITIVE_INFINITY;
  }

  /** A step that an explicit method resolves the contact with, s: 1/50 of the period 2π √(m/k) at the depth it has or will reach */
  resolution(): number {
    const { stiffness, referenceDepth: d, exponent: n } = this.law;
    const k = stiffness * pow(Math.max(this.depth, this.impactDepth(this.approachSpeed), d) / d, n - 1);
    let least = Number.POSITIVE_INFINITY;
    for (const slot of this.slots) least = Math.min(least, slot.effectiveMass);
    return 0.125 * Math.sqrt(least / k);
  }

  /**
   * What counts as slow for bodies that rest on each other: √(g d_ref) under their own weight, and under any other load N that lasts 1 % of √(N d/m), as
   * of a pawl that a spring holds in its notch, whatever gravity there is; such bodies may go fast together, which their weight would not tell.
   * The load of an impact does not last: N/m is followed down at once and up with a time constant of 50 periods of the contact.
   */
  protected followLoad(t: number): void {
    const h = t - this.time;
    this.followCarried(h);
    let load = 0;
    for (const { region, load: force, effectiveMass } of this.slots)
      if (region >= 0) load = Math.max(load, force / effectiveMass);
    if (!this.touching || !(load > this.lastingLoad)) this.lastingLoad = this.touching ? load : 0;
    else if (h > 0) this.lastingLoad += (load - this.lastingLoad) * Math.min(1, h / (LASTING * this.resolution()));
    const quiet = Math.max(this.speedAtRest, QUIET * Math.sqrt(this.lastingLoad * this.depth));
    this.referenceSpeed = Math.min(quiet, this.speedToSlip());
  }

  /**
   * How many times the pair's own weight m g a region carries for good, 1/m = 1/m_a + 1/m_b: its load now, but not more than grew from m g with a time constant of 2.5 periods of
   * the contact. A blow lasts half a period, in which it grows by 22 %, less than the quarter that counts as the own weight. Up to all there is in the island, for what is wedged in
   * is pressed by stiffness and not by weight. Of free bodies that nothing but weight and contact acts on.
   */
  carriedBy({ load }: Slot): number {
    const { gravity, ownMass } = this;
    return ownMass > 0 ? Math.max(1, Math.min(this.carried, load / (ownMass * gravity)) - OWN) : 1;
  }

  private followCarried(h: number): void {
    const { gravity, ownMass, bench } = this;
    if (!(ownMass > 0)) return;
    let load = 0;
    for (const slot of this.slots) if (slot.region >= 0) load = Math.max(load, slot.load);
    const grown = this.touching && h > 0 ? this.carried * exp(Math.min(50, h / (CARRIED * this.resolution()))) : 1;
    this.carried = Math.max(1, Math.min(grown, Math.min(load / gravity, bench.allMass) / ownMass));
  }

  /**
   * Speeds that are wrong by δ change what a bristle bears by d δ, and what holds a part u of its limit L slips at δ = (1 − u) L/d: half of that at a contact
   * tolerance of 1e-2. Where it is about to slip, speeds are told apart that are small against the one over which friction falls.
   */
  private speedToSlip(): number {
    const { borneShare: u, law, slots } = this;
    let speed = this.nearLimit ? 30 * law.stribeckSpeed : Number.POSITIVE_INFINITY;
    if (u > LITTLE_BORNE)
      for (const { holds, bearable, dampingScale, stiffness } of slots)
        if (holds)
          speed = Math.min(speed, (50 * Math.max(0.2, 1 - u) * bearable) / (dampingScale * Math.sqrt(stiffness)));
    return speed;
  }
}
