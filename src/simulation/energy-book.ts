/**
 * Energy over time. Kinetic, potential and elastic energy follow from the state; heat and what is put in are integrals of power, taken
 * over every accepted step by Simpson's rule on dense output,
 *
 *   ∫ P dt ≈ h/6 (P₀ + 4 P_½ + P₁),   error h⁵/2880 P⁗,
 *
 * over the whole step where the powers of the step before say that it is good enough, corrected by what they tell (power-history.ts); else in panels
 * that are halved until both halves together agree with the whole: a step is as long as the motion allows, and one that is prescribed allows any. Contacts whose law has no potential are booked whole: all that they take from the bodies, less what they hold.
 *
 * Where the method has a quadrature of its own, h Σ bᵢ P(t + cᵢ h, Yᵢ), that is taken: bodies are pressed on at its stages as deep as their rates say, while the
 * polynomial between the ends of a step passes beside the surface, by little of the way and much of a depth of 1 µm. The middle power is then the one with which Simpson's rule
 * gives the same.
 *
 * Sensors of contacts have the same integrals of what single pairs turn into heat, taken from the same samples.
 */
import { bookedEnergy, energiesInto, type HeatSensors, massMatrix, powersInto } from '../dynamics/analysis.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import type { Integration } from '../integration/integration.js';
import { fourthOrder, PowerHistory } from './power-history.js';
import { PowerPanels } from './power-panels.js';
import { addPowers, clearPowers, copyPowers, isNothing, LEDGERS, noPower, type PowerSample } from './power-sample.js';
import type { Ledger } from './signals.js';

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

export class EnergyBook implements Ledger {
  /** J, at the time of the last `at` */
  dissipated = 0;
  supplied = 0;
  /** Of what is dissipated: by sliding and spinning friction in contacts, J */
  friction = 0;
  /** kinetic + potential + elastic at the start, J */
  initial = 0;
  /** Largest |kinetic|, and largest change of the others: what an error is measured against, J */
  scale = 0;
  /** total − initial at the last accepted step, J */
  imbalance = 0;
  /** Largest |total − initial| at accepted steps, J */
  worst = 0;
  /** By what the last step changed the imbalance, J */
  lastError = 0;
  private earlier = { imbalance: 0, worst: 0, scale: 0 };
  /** In contacts that are booked whole, at the last accepted step and at the start, J */
  held = 0;
  heldAtStart = 0;
  private readonly mechanics: MechanicalSystem;
  /** Of the energy that moved: what the quadrature may be wrong by in a step */
  private readonly tolerance: number;
  /** s between recorded rows */
  private readonly interval: number;
  private between: Float64Array;
  private readonly atStage: PowerSample;
  private readonly compared: PowerSample;
  private readonly energies = new Float64Array(3);
  private readonly energiesAtStart = new Float64Array(3);
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
  /** J at its end */
  private readonly after: PowerSample;
  private readonly sensors: SensedHeat | undefined;
  /** J per sensor, at the time of the last `at` */
  readonly heats: Float64Array;

  /**
   * @param tolerance of the energy that moved
   * @param interval  s between recorded rows: what a user finds fine enough to see the motion
   */
  constructor(mechanics: MechanicalSystem, tolerance: number, interval: number, sensors?: SensedHeat) {
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
    this.after = this.panels.after;
    this.heats = new Float64Array(count);
    this.mechanics = mechanics;
    this.tolerance = tolerance;
    this.interval = interval;
    this.between = new Float64Array(mechanics.size);
  }

  /** Longest panel, s. Steps over a prescribed motion may span several of its periods, and samples of them look alike. */
  private get longestPanel(): number {
    const { system, timeDependent } = this.mechanics;
    return system.motions.length > 0 && timeDependent ? this.interval : Number.POSITIVE_INFINITY;
  }

  start(t: number, y: Float64Array): void {
    energiesInto(this.mechanics, t, y, this.energiesAtStart);
    this.energies.set(this.energiesAtStart);
    this.initial = this.energiesAtStart[0] + this.energiesAtStart[1] + this.energiesAtStart[2];
    this.scale = Math.abs(this.energiesAtStart[0]);
    this.held = this.heldAtStart = bookedEnergy(this.mechanics, t, y);
    this.measure(t, y, this.atEnd);
  }

  /** Books the step that was just accepted. */
  step(integration: Integration): void {
    const { tPrevious, t, y } = integration;
    const { earlierStart, earlierMiddle } = this;
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
    const { earlier } = this;
    earlier.imbalance = this.imbalance;
    earlier.worst = this.worst;
    earlier.scale = this.scale;
    this.checkBalance(t, y);
    this.lastError = Math.abs(this.imbalance - earlier.imbalance);
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

  /** The last step is taken back to its start t. */
  takeBack(t: number, y: Float64Array): void {
    this.retreat(t, y);
    this.worst = this.earlier.worst;
    this.scale = this.earlier.scale;
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
    for (let s = 0; s < this.heats.length; s++) {
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

  /** Contacts hold other masses from here on: the next step begins with other powers than the last one ended with. */
  renew(t: number, y: Float64Array): void {
    this.measure(t, y, this.atEnd);
  }

  /** Goes on from (t, y) as if nothing older were known; what is booked stays. */
  forget(t: number, y: Float64Array): void {
    this.history.forget();
    this.panels.begin();
    this.measure(t, y, this.atEnd);
    this.dissipated = this.after.dissipated;
    this.supplied = this.after.supplied;
    this.friction = this.after.friction;
    this.heats.set(this.after.heats);
  }

  /** All that was booked, after `forget` */
  snapshot(): Float64Array {
    const { after, energies, energiesAtStart } = this;
    return Float64Array.from([
      ...[this.initial, this.scale, this.imbalance, this.worst, this.held, this.heldAtStart],
      ...[after.dissipated, after.supplied, after.friction],
      ...energies,
      ...energiesAtStart,
      ...after.heats,
    ]);
  }

  restore(booked: Float64Array, t: number, y: Float64Array): void {
    [this.initial, this.scale, this.imbalance, this.worst, this.held, this.heldAtStart] = booked;
    [this.after.dissipated, this.after.supplied, this.after.friction] = booked.subarray(6);
    this.energies.set(booked.subarray(9, 12));
    this.energiesAtStart.set(booked.subarray(12, 15));
    this.after.heats.set(booked.subarray(15));
    this.forget(t, y);
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
    for (let s = 0; s < this.heats.length; s++)
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

  /**
   * An event changed velocities at once: a joint that takes hold is an inelastic impact. What is lost is the energy of the lost
   * velocities, ½ Δvᵀ M Δv (Carnot's theorem); the rest of the change was put in by prescribed motions, which give way to no impact.
   */
  jump(t: number, before: Float64Array, after: Float64Array): void {
    const { nq, nv, system } = this.mechanics;
    const parts = this.energies;
    energiesInto(this.mechanics, t, before, parts);
    const gained = -(parts[0] + parts[1] + parts[2]);
    energiesInto(this.mechanics, t, after, parts);
    const change = gained + parts[0] + parts[1] + parts[2];
    if (system.motions.length === 0) this.after.dissipated += Math.max(0, -change);
    else {
      const mass = massMatrix(this.mechanics, t, after);
      let heat = 0;
      for (let i = 0; i < nv; i++)
        for (let j = 0; j < nv; j++)
          heat += 0.5 * mass[i * nv + j] * (after[nq + i] - before[nq + i]) * (after[nq + j] - before[nq + j]);
      this.after.dissipated += heat;
      this.after.supplied += heat + change;
    }
    this.panels.begin();
    this.measure(t, after, this.atEnd);
  }

  /** The last step ended earlier after all: what was booked until then is all. */
  retreat(t: number, y: Float64Array): void {
    this.at(t);
    for (const key of LEDGERS) this.after[key] = this[key];
    this.after.heats.set(this.heats);
    this.measure(t, y, this.atEnd);
    this.checkBalance(t, y);
  }

  /** Sets `dissipated`, `supplied` and `friction` to a time within the last step, by the parabola through the three powers of a panel. */
  at(t: number): void {
    this.panels.at(t, this);
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

  private checkBalance(t: number, y: Float64Array): void {
    const parts = this.energies;
    energiesInto(this.mechanics, t, y, parts);
    this.held = bookedEnergy(this.mechanics, t, y);
    const dissipated = this.after.dissipated - this.held + this.heldAtStart;
    const total = parts[0] + parts[1] + parts[2] + dissipated - this.after.supplied;
    this.imbalance = total - this.initial;
    this.worst = Math.max(this.worst, Math.abs(this.imbalance));
    const moved = Math.max(
      Math.abs(parts[0]),
      Math.abs(parts[1] - this.energiesAtStart[1]),
      Math.abs(parts[2] - this.energiesAtStart[2]),
      Math.abs(dissipated),
      Math.abs(this.after.supplied),
    );
    if (moved > this.scale) this.scale = moved;
  }

  /** Error; kinetic, potential, elastic; dissipated, supplied, all at the last accepted step, J, into out[0 … 5] */
  booked(out: Float64Array): void {
    out[0] = this.imbalance;
    out.set(this.energies, 1);
    out[4] = this.after.dissipated - this.held + this.heldAtStart;
    out[5] = this.after.supplied;
  }

  /** What errors that the tolerance allows may change the energy by in a step, about, J */
  get allowedError(): number {
    return this.tolerance * this.mechanics.norm.energyAtScales;
  }

  /** kinetic, potential, elastic at the last accepted step, J */
  get parts(): readonly [number, number, number] {
    return [this.energies[0], this.energies[1], this.energies[2]];
  }
}
