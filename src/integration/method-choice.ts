/**
 * Which method makes the next step. Named by the user it stays, with one exception; 'automatic' starts with DOPRI5 and changes to a
 * stiff method and back:
 *
 * - explicit → stiff when the estimate of h λ exceeds 3.25, just inside the boundary of stability, in 15 steps that no 6 calm ones in
 *   a row interrupt (Hairer & Wanner, Solving ODEs II, §IV.2), or when half of the last 40 tries were rejected;
 * - stiff → explicit when h ρ < 1 in 15 steps in a row, ρ = spectral radius of ∂f/∂y by a power iteration that is carried along with
 *   one evaluation a step. With each return the number of steps asked for doubles, so the choice comes to rest;
 * - a Rosenbrock method → ESDIRK when the Jacobian given is off by more than 1 % along a direction: the first loses its order then,
 *   the second only iterates more. Probed at the first step and every 50th, where an owner gave the Jacobian.
 */
import { Dop853 } from './dop853.js';
import { Dopri5 } from './dopri5.js';
import { Esdirk } from './esdirk.js';
import { JacobianProbe } from './jacobian-probe.js';
import type { MethodName } from './method-name.js';
import type { OneStepMethod, Workshop } from './one-step-method.js';
import { Radau5 } from './radau5.js';
import { Rosenbrock } from './rosenbrock.js';
import { SpectralRadius } from './spectral-radius.js';
import { SymplecticEuler, Verlet } from './verlet.js';

export type StiffMethodName = 'rodas4' | 'rodas4p' | 'esdirk4' | 'radau5';

const STIFF = 3.25;
const STIFF_STEPS = 15;
const CALM_STEPS = 6;
const WINDOW = 40;
const PROBE_EVERY = 50;
const MISMATCH = 0.01;

export class MethodChoice {
  current: OneStepMethod;
  readonly #work: Workshop;
  #automatic: boolean;
  readonly #stiffMethod: StiffMethodName;
  readonly #made = new Map<MethodName, OneStepMethod>();
  readonly #probe: JacobianProbe | undefined;
  #untilProbe = 0;
  #radius: SpectralRadius | undefined;
  #stiffSteps = 0;
  #calmSteps = 0;
  #tries = 0;
  #rejections = 0;
  #patience = 15;
  #easySteps = 0;

  constructor(work: Workshop, method: MethodName | 'automatic', stiffMethod: StiffMethodName) {
    this.#work = work;
    this.#automatic = method === 'automatic';
    this.#stiffMethod = stiffMethod;
    this.current = this.#method(method === 'automatic' ? 'dopri5' : method);
    if (work.problem.linear || work.problem.jacobian) this.#probe = new JacobianProbe(work);
  }

  /** Before the first try of a step; the current method knows where it starts. May replace it. */
  beforeStep(): void {
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

  /** From now on the stiff method, if the choice was free. */
  stiffen(t: number, reason: string): void {
    if (!this.#automatic) return;
    this.#automatic = false;
    if (this.current instanceof Dopri5) this.#change(this.#stiffMethod, t, reason);
  }

  rejected(): void {
    this.#tries++;
    this.#rejections++;
  }

  /** After an accepted step to (t, y), rates f, that proposes the step h. Returns the step to try next. */
  accepted(t: number, y: Float64Array, f: Float64Array, h: number): number {
    if (!this.#automatic) return h;
    return this.current instanceof Dopri5 ? this.#watchExplicit(this.current, t, h) : this.#watchStiff(t, y, f, h);
  }

  #watchExplicit(method: Dopri5, t: number, h: number): number {
    this.#tries++;
    if (method.stiffness > STIFF) {
      this.#stiffSteps++;
      this.#calmSteps = 0;
    } else if (++this.#calmSteps === CALM_STEPS) this.#stiffSteps = 0;
    const struggling = this.#tries >= WINDOW && 2 * this.#rejections >= this.#tries;
    if (this.#tries >= WINDOW) this.#tries = this.#rejections = 0;
    if (this.#stiffSteps >= STIFF_STEPS || struggling) {
      const reason = struggling
        ? `half of the last ${WINDOW} steps were rejected`
        : `stability bounds the step: h λ = ${method.stiffness.toPrecision(3)}`;
      this.#change(this.#stiffMethod, t, reason);
    }
    return h;
  }

  #watchStiff(t: number, y: Float64Array, f: Float64Array, h: number): number {
    this.#radius ??= new SpectralRadius(this.#work);
    const radius = this.#radius.refine(t, y, f);
    this.#easySteps = h * radius < 1 ? this.#easySteps + 1 : 0;
    if (this.#easySteps < this.#patience) return h;
    this.#patience *= 2;
    this.#change('dopri5', t, `no longer stiff: h ρ = ${(h * radius).toPrecision(3)}`);
    return h;
  }

  #change(to: MethodName, t: number, reason: string): void {
    this.#work.statistics.switches.push({ t, from: this.current.name, to, reason });
    this.current = this.#method(to);
    this.current.forget();
    this.#radius?.forget();
    this.#stiffSteps = this.#calmSteps = this.#tries = this.#rejections = this.#easySteps = 0;
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
