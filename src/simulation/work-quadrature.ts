/**
 * Work over an accepted step: heat and what is put in are integrals of power, taken by Simpson's rule on dense output,
 *
 *   ∫ P dt ≈ h/6 (P₀ + 4 P_½ + P₁),   error h⁵/2880 P⁗,
 *
 * over the whole step where the powers of the step before say that it is good enough, corrected by what they tell (power-history.ts); else in panels
 * that are halved until both halves together agree with the whole: a step is as long as the motion allows, and one that is prescribed allows any.
 *
 * Where the method has a quadrature of its own, h Σ bᵢ P(t + cᵢ h, Yᵢ), that is taken: bodies are pressed on at its stages as deep as their rates say, while the
 * polynomial between the ends of a step passes beside the surface, by little of the way and much of a depth of 1 µm. The middle power is then the one with which Simpson's rule
 * gives the same.
 *
 * Sensors of contacts have the same integrals of what single pairs turn into heat, taken from the same samples.
 */
import { type HeatSensors, powersInto } from '../dynamics/analysis.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import type { Integration } from '../integration/integration.js';
import { fourthOrder, PowerHistory } from './power-history.js';
import { PowerPanels } from './power-panels.js';
import { addPowers, clearPowers, copyPowers, isNothing, LEDGERS, noPower, type PowerSample } from './power-sample.js';

/** 1 in 2¹⁰ of a step is the shortest panel: what jumps need not be found out to the end. */
const DEEPEST = 9;

/** Part of the tolerance that one panel for a whole step may use: with it ledgers close as with two that were compared. */
const WHOLE_STEP = 0.1;

/** Sensors that heat is told to, and how many there are */
export interface SensedHeat extends HeatSensors {
  readonly count: number;
  heatInto: Float64Array;
}

/** Simpson's rule over two halves is as good as asked; its error is a fifteenth of what the whole differs by. */
function agree(
  h: number,
  a: number,
  left: number,
  middle: number,
  right: number,
  b: number,
  tolerance: number,
  scale: number,
): boolean {
  const whole = (h / 6) * (a + 4 * middle + b);
  const halves = (h / 12) * (a + 4 * left + 2 * middle + 4 * right + b);
  const most = Math.max(Math.abs(a), Math.abs(left), Math.abs(middle), Math.abs(right), Math.abs(b));
  return !(Math.abs(halves - whole) > 15 * tolerance * Math.max(scale, h * most));
}

export class WorkQuadrature {
  /** J booked so far */
  readonly booked: PowerSample;
  /** What is measured against: the energy that moved so far, J */
  private scale = 0;
  private readonly sensors: SensedHeat | undefined;
  private between: Float64Array;
  private readonly atStage: PowerSample;
  private readonly compared: PowerSample;
  /** Powers at the end of the last step, at its start and in its middle, W */
  private atEnd: PowerSample;
  private atStart: PowerSample;
  private atMiddle: PowerSample;
  /** The same of the step before it, and those at the end of the last step before slots changed */
  private earlierStart: PowerSample;
  private earlierMiddle: PowerSample;
  private readonly before: PowerSample;
  private readonly history = new PowerHistory();
  /** Powers in the middles of the two halves of a panel, per depth */
  private readonly left: readonly PowerSample[];
  private readonly right: readonly PowerSample[];
  /** Of the last step */
  private readonly panels: PowerPanels;

  /**
   * @param tolerance of the energy that moved: what the quadrature may be wrong by in a step
   * @param interval  s between recorded rows: what a user finds fine enough to see the motion
   */
  constructor(
    private readonly mechanics: MechanicalSystem,
    private readonly tolerance: number,
    private readonly interval: number,
    sensors?: SensedHeat,
  ) {
    const count = sensors?.count ?? 0;
    this.sensors = count > 0 ? sensors : undefined;
    this.atEnd = noPower(count);
    this.atStart = noPower(count);
    this.atMiddle = noPower(count);
    this.earlierStart = noPower(count);
    this.earlierMiddle = noPower(count);
    this.before = noPower(count);
    this.atStage = noPower(count);
    this.compared = noPower(count);
    this.left = Array.from({ length: DEEPEST + 1 }, () => noPower(count));
    this.right = Array.from({ length: DEEPEST + 1 }, () => noPower(count));
    this.panels = new PowerPanels(count);
    this.booked = this.panels.after;
    this.between = new Float64Array(mechanics.size);
  }

  /** Longest panel, s. Steps over a prescribed motion may span several of its periods, and samples of them look alike. */
  private get longestPanel(): number {
    const { system, timeDependent } = this.mechanics;
    return system.motions.length > 0 && timeDependent ? this.interval : Number.POSITIVE_INFINITY;
  }

  /** The next step begins with the powers at (t, y). */
  beginAt(t: number, y: Float64Array): void {
    this.measure(t, y, this.atEnd);
  }

  /** What was booked so far is all: nothing inside the last step can be asked for any more. */
  closeStep(): void {
    this.panels.begin();
  }

  /** Nothing older than the next step is known. */
  forget(): void {
    this.history.forget();
    this.panels.begin();
  }

  /** Adds the step that was just accepted. @param scale J, the energy that moved so far */
  add(integration: Integration, scale: number): void {
    const { tPrevious, t, y } = integration;
    const { earlierStart, earlierMiddle } = this;
    this.scale = scale;
    this.earlierStart = this.atStart;
    this.earlierMiddle = this.atMiddle;
    this.atStart = this.atEnd;
    this.atMiddle = earlierMiddle;
    this.atEnd = earlierStart;
    const byStages = this.stagesTell(integration, y);
    if (!byStages) {
      this.powerAt(integration, 0.5 * (tPrevious + t), this.atMiddle);
      this.measure(t, y, this.atEnd);
    }
    this.panels.begin();
    if (t > tPrevious) {
      if (byStages) this.panels.terms.fill(0);
      if (byStages || this.isSmooth(tPrevious, t))
        this.panels.add(tPrevious, t, this.atStart, this.atMiddle, this.atEnd, this.history.node);
      else {
        this.panels.terms.fill(0);
        this.integrate(integration, tPrevious, t, this.atStart, this.atMiddle, this.atEnd, 0);
      }
      this.history.remember(tPrevious, t);
    }
    copyPowers(this.atEnd, this.before);
  }

  /** J at a time within the last step, by the polynomial through the powers of its panel */
  at(t: number, out: PowerSample): void {
    this.panels.at(t, out);
  }

  /**
   * The method's own quadrature over the step, as the power in its middle; powers at its end too. False if it has none, or if the step is longer than a panel may be and its two
   * quadratures do not agree: a prescribed motion may do in between what nothing else asks for.
   */
  private stagesTell(integration: Integration, y: Float64Array): boolean {
    const { quadrature, tPrevious, t } = integration;
    if (!quadrature || !(t > tPrevious)) return false;
    const { atStart, atMiddle, atEnd, atStage, compared } = this;
    const { nodes, weights, compared: others } = quadrature;
    const h = t - tPrevious;
    if (this.between.length !== this.mechanics.size) this.between = new Float64Array(this.mechanics.size);
    clearPowers(atMiddle);
    clearPowers(compared);
    for (let s = 0; s < nodes.length; s++) {
      if (weights[s] === 0 && others[s] === 0) continue;
      let power = atStage;
      if (s === 0) power = atStart;
      else if (s === nodes.length - 1) {
        this.measure(t, y, atEnd);
        power = atEnd;
      } else {
        integration.stageState(s, this.between);
        this.measure(tPrevious + nodes[s] * h, this.between, atStage);
      }
      addPowers(atMiddle, weights[s], power);
      addPowers(compared, others[s], power);
    }
    // where something begins or ends, as contact does, there is a kink, over which no quadrature is of its order
    if (isNothing(atStart) !== isNothing(atEnd)) return false;
    if (h > this.longestPanel) {
      const most = Math.max(Math.abs(atMiddle.dissipated), Math.abs(atMiddle.supplied));
      const allowed = 15 * this.tolerance * Math.max(this.scale, h * most);
      for (const key of LEDGERS) if (h * Math.abs(compared[key] - atMiddle[key]) > allowed) return false;
    }
    // from means to the powers in the middle
    for (const key of LEDGERS) atMiddle[key] = 1.5 * atMiddle[key] - 0.25 * (atStart[key] + atEnd[key]);
    for (let i = 0; i < atMiddle.heats.length; i++)
      atMiddle.heats[i] = 1.5 * atMiddle.heats[i] - 0.25 * (atStart.heats[i] + atEnd.heats[i]);
    return true;
  }

  /** The powers of the step and of the one before say that one panel for all of it is as good as asked. Its higher terms into `terms` */
  private isSmooth(a: number, b: number): boolean {
    const { history, atStart, atMiddle, atEnd, earlierStart, earlierMiddle, before } = this;
    const { terms } = this.panels;
    if (b - a > this.longestPanel || !history.prepare(a, b)) return false;
    // where something begins or ends, as contact does, there is a kink, and a parabola over it goes below zero
    const idle = isNothing(atStart);
    if (isNothing(atMiddle) !== idle || isNothing(atEnd) !== idle) return false;
    if (isNothing(earlierMiddle) !== idle || isNothing(earlierStart) !== idle) return false;
    let at = 0;
    for (const key of LEDGERS) {
      history.terms(
        atStart[key],
        atMiddle[key],
        atEnd[key],
        earlierMiddle[key],
        earlierStart[key],
        before[key],
        terms,
        at,
      );
      at += 2;
    }
    for (let s = 0; s < atStart.heats.length; s++) {
      const p0 = atStart.heats[s];
      const p1 = atMiddle.heats[s];
      const p2 = atEnd.heats[s];
      history.terms(p0, p1, p2, earlierMiddle.heats[s], earlierStart.heats[s], before.heats[s], terms, at);
      at += 2;
    }
    const most = (WHOLE_STEP * this.tolerance * this.scale) / ((b - a) * Math.abs(fourthOrder(1, 0)));
    for (let k = 1; k < terms.length; k += 2) if (!(Math.abs(terms[k]) <= most)) return false;
    return true;
  }

  /** Books [a, b] in two panels, or more where two do not do. */
  private integrate(
    integration: Integration,
    a: number,
    b: number,
    atA: PowerSample,
    atMiddle: PowerSample,
    atB: PowerSample,
    depth: number,
  ): void {
    if (isNothing(atA) && isNothing(atMiddle) && isNothing(atB)) {
      this.panels.add(a, b, atA, atMiddle, atB, this.history.node);
      return;
    }
    const h = b - a;
    const middle = 0.5 * (a + b);
    const left = this.left[depth];
    const right = this.right[depth];
    this.powerAt(integration, 0.5 * (a + middle), left);
    this.powerAt(integration, 0.5 * (middle + b), right);
    const good =
      h <= 2 * this.longestPanel &&
      agree(
        h,
        atA.dissipated,
        left.dissipated,
        atMiddle.dissipated,
        right.dissipated,
        atB.dissipated,
        this.tolerance,
        this.scale,
      ) &&
      agree(
        h,
        atA.supplied,
        left.supplied,
        atMiddle.supplied,
        right.supplied,
        atB.supplied,
        this.tolerance,
        this.scale,
      ) &&
      this.sensorsAgree(h, atA, left, atMiddle, right, atB);
    if (good || depth === DEEPEST) {
      this.panels.add(a, middle, atA, left, atMiddle, this.history.node);
      this.panels.add(middle, b, atMiddle, right, atB, this.history.node);
    } else {
      this.integrate(integration, a, middle, atA, left, atMiddle, depth + 1);
      this.integrate(integration, middle, b, atMiddle, right, atB, depth + 1);
    }
  }

  /** What single pairs turn into heat may cancel in the whole. */
  private sensorsAgree(
    h: number,
    atA: PowerSample,
    left: PowerSample,
    middle: PowerSample,
    right: PowerSample,
    atB: PowerSample,
  ): boolean {
    for (let s = 0; s < atA.heats.length; s++)
      if (
        !agree(
          h,
          atA.heats[s],
          left.heats[s],
          middle.heats[s],
          right.heats[s],
          atB.heats[s],
          this.tolerance,
          this.scale,
        )
      )
        return false;
    return true;
  }

  private measure(t: number, y: Float64Array, out: PowerSample): void {
    const sensors = this.sensors;
    if (sensors) sensors.heatInto = out.heats.fill(0);
    powersInto(this.mechanics, t, y, out, sensors);
  }

  private powerAt(integration: Integration, t: number, out: PowerSample): void {
    if (this.between.length !== this.mechanics.size) this.between = new Float64Array(this.mechanics.size);
    integration.interpolate(t, this.between);
    this.measure(t, this.between, out);
  }
}
