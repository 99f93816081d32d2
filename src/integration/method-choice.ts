/**
 * Which method makes the next step. Named by the user it stays, with one exception; 'automatic' starts with DOPRI5, of a problem that
 * its owner knows to be stiff with the stiff method, and changes to a stiff method and back:
 *
 * - explicit → stiff when the estimate of h λ exceeds 3.25, just inside the boundary of stability, in 15 steps that no 6 others in
 *   a row interrupt (Hairer & Wanner, Solving ODEs II, §IV.2), or when half of the last 40 tries were rejected;
 * - stiff → explicit when h ρ < 1 in 15 steps in a row, ρ = spectral radius of ∂f/∂y by a power iteration that is carried along with
 *   one evaluation a step. With each return the number of steps asked for doubles, so the choice comes to rest;
 * - explicit or stiff → Radau IIA 5 on trial, when the method at work has cost four times what the trial will; for DOPRI5 only while
 *   h λ is far above what the rates change by in a step, so that not the motion holds it. After twelve steps the method that costs less per
 *   unit of time goes on (method-cost.ts); each trial that is lost doubles the wait for the next. Where steps are rejected often, the rates
 *   have kinks, and nothing is tried; nor where ESDIRK is the stiff method, which says that rates have kinks;
 * - a Rosenbrock method → ESDIRK when the Jacobian given is off by more than 1 % along a direction: the first loses its order then,
 *   the second only iterates more. Probed at the first step and every 50th, where an owner gave the Jacobian.
 */
import { Dop853 } from './dop853.js';
import { Dopri5 } from './dopri5.js';
import { Esdirk } from './esdirk.js';
import { JacobianProbe } from './jacobian-probe.js';
import { MethodCost } from './method-cost.js';
import type { MethodName } from './method-name.js';
import type { OneStepMethod, Workshop } from './one-step-method.js';
import { Radau5 } from './radau5.js';
import { Rosenbrock } from './rosenbrock.js';
import { SpectralRadius } from './spectral-radius.js';
import { SymplecticEuler, Verlet } from './verlet.js';

export type StiffMethodName = 'rodas4' | 'rodas4p' | 'esdirk4' | 'radau5';

/** The first stiff method for a problem: driven in time, RODAS4 falls to order 1 on stiff parts and RODAS4P does not. */
export const firstStiffMethod = (timeDependent: boolean): 'rodas4' | 'rodas4p' =>
  timeDependent ? 'rodas4p' : 'rodas4';

/**
 * The same where rates have kinks. Soil that has yielded answers with another stiffness on the way back, so every accepted step begins at one: a block that
 * falls into snow and comes to rest takes ESDIRK 132 steps, RODAS4 210, Radau 231; one that lands on its edge lets Rosenbrock methods try again and again.
 * Flexible bodies touch point by point: the lever of a watch rests 10 pm deep on its banking, where Radau's differences of the rates know nothing; the first 12 ms take
 * ESDIRK 1 349 steps and 17 000 evaluations, Radau 3 150 and 250 000.
 */
export const stiffMethodFor = (timeDependent: boolean, kinks: boolean): 'rodas4' | 'rodas4p' | 'esdirk4' =>
  kinks ? 'esdirk4' : firstStiffMethod(timeDependent);

/**
 * The method for bodies that touch: pressed on by what is driven, RODAS4P leaves the surface within a step by what the surface accelerates
 * (esdirk.ts). A belt at constant speed does not, and RODAS4P follows what sticks and slips on it more exactly. The same where a hollow shape leads a body along
 * a curve, a pin in its hole, a marble in its groove, a ring on a rod: the surface turns under it, stages that are linearised leave it by half the curvature of the way, and the
 * energy drifts (docs/theory/integration.md has figures).
 */
export const touchingMethod = (
  timeDependent: boolean,
  drivenStraight: boolean,
  hollow: boolean,
  kinks = false,
): 'rodas4' | 'rodas4p' | 'esdirk4' =>
  hollow || (timeDependent && !drivenStraight) ? 'esdirk4' : stiffMethodFor(timeDependent, kinks);

/** What 'automatic' is expected to end with on a smooth stiff problem: order 5 pays from rtol 1e-6 on while dense matrices are small. */
export const expectedStiffMethod = (size: number, timeDependent: boolean, rtol: number): StiffMethodName =>
  rtol <= 1e-6 && size <= 100 ? 'radau5' : firstStiffMethod(timeDependent);

const STIFF = 3.25;
const STIFF_STEPS = 15;
const NON_STIFF_STEPS = 6;
const WINDOW = 40;
const PROBE_EVERY = 50;
const MISMATCH = 0.01;
/** h λ from which stability may hold DOPRI5, if it is so many times what the rates change by: what is followed does not ask for it. */
const HELD = 0.3;
const HELD_BY = 5;
const HELD_STEPS = 24;
/** A trial is begun when the present method has cost so many times what the trial will; twice as many after each that was lost. */
const TRIAL_PATIENCE = 4;
const TRIAL_STEPS = 12;
/** The first steps find their length, and are not counted. */
const TRIAL_RUN_UP = 4;
const CHEAPER = 0.8;

export class MethodChoice {
  current: OneStepMethod;
  readonly #work: Workshop;
  /** Left to us by the user, */
  readonly #free: boolean;
  /** and still looked for by what steps cost */
  #automatic: boolean;
  readonly #stiffMethod: StiffMethodName;
  readonly #made = new Map<MethodName, OneStepMethod>();
  readonly #probe: JacobianProbe | undefined;
  #untilProbe = 0;
  #radius: SpectralRadius | undefined;
  #stiffSteps = 0;
  #nonStiffSteps = 0;
  #tries = 0;
  #rejections = 0;
  #patience = 15;
  #easySteps = 0;
  readonly #cost: MethodCost;
  #heldSteps = 0;
  /** Under way: what it is held against, and its place in the list of changes, which others may share */
  #trial: { readonly from: MethodName; readonly rate: number; readonly h: number; readonly place: number } | undefined;
  #trialPatience = TRIAL_PATIENCE;

  constructor(work: Workshop, method: MethodName | 'automatic', stiffMethod: StiffMethodName) {
    this.#work = work;
    this.#free = this.#automatic = method === 'automatic';
    this.#stiffMethod = stiffMethod;
    this.#cost = new MethodCost(work);
    const first = work.problem.stiff ? stiffMethod : 'dopri5';
    this.current = this.#method(method === 'automatic' ? first : method);
    if (work.problem.linear || work.problem.jacobian) this.#probe = new JacobianProbe(work);
  }

  /** Before the first try of a step; the current method knows where it starts. May replace it. */
  beforeStep(): void {
    this.#cost.stepBegins();
    if (!(this.current instanceof Rosenbrock) || !this.#probe || this.#work.linear.exact || this.#untilProbe-- > 0)
      return;
    this.#untilProbe = PROBE_EVERY - 1;
    const { t, y0, f0, h } = this.current;
    this.current.linearise();
    const mismatch = this.#probe.mismatch(t, y0, f0);
    if (!(mismatch > MISMATCH)) return;
    this.#change(
      'esdirk4',
      t,
      `the Jacobian differs from differences of the rates by ${(100 * mismatch).toPrecision(2)} %; ` +
        'RODAS needs an exact one, ESDIRK does not',
    );
    const next = this.current;
    next.t = t;
    next.h = h;
    next.y0.set(y0);
    next.f0.set(f0);
  }

  /** From now on the stiff method, if the choice was free; said again with ESDIRK, that one, and none thereafter. */
  stiffen(t: number, reason: string, method: StiffMethodName = this.#stiffMethod): void {
    if (!this.#free) return;
    this.#automatic = false;
    this.#trial = undefined;
    // ESDIRK may be at work because the Jacobian is not exact
    if (!(this.current instanceof Esdirk) && this.current.name !== method) this.#change(method, t, reason);
  }

  rejected(): void {
    this.#tries++;
    this.#rejections++;
  }

  /** After an accepted step to (t, y), rates f, that proposes the step h. Returns the step to try next. */
  accepted(t: number, y: Float64Array, f: Float64Array, h: number): number {
    if (!this.#automatic) return h;
    this.#cost.add(this.current);
    this.#tries++;
    const struggling = this.#tries >= WINDOW && 2 * this.#rejections >= this.#tries;
    const fewRejections = 5 * this.#rejections <= this.#tries;
    if (this.#tries >= WINDOW) this.#tries = this.#rejections = 0;
    if (this.#trial) return this.#judgeTrial(t, h);
    if (this.current instanceof Dopri5) this.#watchExplicit(this.current, t, struggling);
    else this.#watchStiff(t, y, f, h, struggling);
    return fewRejections ? this.#considerTrial(t, h) : h;
  }

  #watchExplicit(method: Dopri5, t: number, struggling: boolean): void {
    const { stiffness, turning } = method;
    if (stiffness > STIFF) {
      this.#stiffSteps++;
      this.#nonStiffSteps = 0;
    } else if (++this.#nonStiffSteps === NON_STIFF_STEPS) this.#stiffSteps = 0;
    this.#heldSteps = stiffness > HELD && stiffness > HELD_BY * turning ? this.#heldSteps + 1 : 0;
    if (struggling) this.#change(this.#stiffMethod, t, `half of the last ${WINDOW} steps were rejected`);
    else if (this.#stiffSteps >= STIFF_STEPS)
      this.#change(this.#stiffMethod, t, `stability bounds the step: h λ = ${stiffness.toPrecision(3)}`);
  }

  #watchStiff(t: number, y: Float64Array, f: Float64Array, h: number, struggling: boolean): void {
    if (struggling && this.current instanceof Radau5 && this.#stiffMethod !== 'radau5') {
      this.#trialPatience *= 2;
      this.#change(this.#stiffMethod, t, `half of the last ${WINDOW} steps were rejected`);
      return;
    }
    this.#radius ??= new SpectralRadius(this.#work);
    const radius = this.#radius.refine(t, y, f);
    this.#easySteps = h * radius < 1 ? this.#easySteps + 1 : 0;
    if (this.#easySteps < this.#patience) return;
    this.#patience *= 2;
    this.#change('dopri5', t, `no longer stiff: h ρ = ${(h * radius).toPrecision(3)}`);
  }

  #considerTrial(t: number, h: number): number {
    const { current } = this;
    if (this.#stiffMethod === 'esdirk4') return h;
    const cost = this.#cost;
    if (current instanceof Radau5 || (current instanceof Dopri5 && this.#heldSteps < HELD_STEPS)) return h;
    if (!(cost.steps >= HELD_STEPS && cost.spent >= this.#trialPatience * cost.trial)) return h;
    this.#trial = { from: current.name, rate: cost.rate(), h, place: this.#work.statistics.switches.length };
    const why =
      current instanceof Dopri5
        ? `h λ = ${current.stiffness.toPrecision(3)} while the rates change by ${current.turning.toPrecision(2)} a step`
        : 'higher order';
    this.#change('radau5', t, `on trial: ${why}`);
    return h;
  }

  /** After so many steps the cheaper of the two goes on. */
  #judgeTrial(t: number, h: number): number {
    const trial = this.#trial!;
    const cost = this.#cost;
    if (cost.steps < TRIAL_STEPS && cost.spent < 4 * cost.trial) return h;
    this.#trial = undefined;
    const ratio = cost.rate(TRIAL_STEPS - TRIAL_RUN_UP) / trial.rate;
    if (ratio < CHEAPER) {
      const { switches } = this.#work.statistics;
      const begun = switches[trial.place];
      // the list may have been cut short meanwhile
      if (begun)
        switches[trial.place] = { ...begun, reason: `costs ${ratio.toPrecision(2)} of ${trial.from}: ${begun.reason}` };
      return h;
    }
    this.#trialPatience *= 2;
    this.#change(trial.from, t, `radau5 costs ${ratio.toPrecision(2)} of ${trial.from}`);
    return trial.h;
  }

  #change(to: MethodName, t: number, reason: string): void {
    this.#work.statistics.switches.push({ t, from: this.current.name, to, reason });
    this.current = this.#method(to);
    this.current.forget();
    this.#radius?.forget();
    this.#cost.begin();
    this.#stiffSteps = this.#nonStiffSteps = this.#tries = this.#rejections = this.#easySteps = this.#heldSteps = 0;
  }

  #method(name: MethodName): OneStepMethod {
    let method = this.#made.get(name);
    if (!method) {
      method = makeMethod(name, this.#work);
      this.#made.set(name, method);
    }
    return method;
  }
}

function makeMethod(name: MethodName, work: Workshop): OneStepMethod {
  switch (name) {
    case 'dopri5':
      return new Dopri5(work);
    case 'dop853':
      return new Dop853(work);
    case 'rodas4':
    case 'rodas4p':
      return new Rosenbrock(work, name);
    case 'esdirk4':
      return new Esdirk(work);
    case 'radau5':
      return new Radau5(work);
    case 'verlet':
      return new Verlet(work);
    case 'symplecticEuler':
      return new SymplecticEuler(work);
  }
}
