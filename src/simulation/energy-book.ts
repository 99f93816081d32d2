/**
 * Energy over time. Kinetic, potential and elastic energy follow from the state; heat and what is put in are integrals of power, taken
 * over every accepted step by Simpson's rule on dense output,
 *
 *   ∫ P dt ≈ h/6 (P₀ + 4 P_½ + P₁),   error h⁵/2880 P⁗,
 *
 * in panels that are halved until both halves together agree with the whole: a step is as long as the motion allows, and one that is
 * prescribed allows any. Contacts whose law has no potential are booked whole: all that they take from the bodies, less what they hold.
 *
 * Sensors of contacts have the same integrals of what single pairs turn into heat, taken from the same samples.
 */
import { bookedEnergy, energiesInto, type HeatSensors, massMatrix, powersInto } from '../dynamics/analysis.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import type { PowerLedger } from '../dynamics/pair-element.js';
import type { Integration } from '../integration/integration.js';
import type { Ledger } from './signals.js';

const LEDGERS = ['dissipated', 'supplied', 'friction'] as const;
/** Numbers per panel */
const PANEL = 14;
/** 1 in 2¹⁰ of a step is the shortest panel: what jumps need not be found out to the end. */
const DEEPEST = 9;

/** Powers at one instant, W */
interface Sample extends PowerLedger {
  /** Per sensor */
  readonly heats: Float64Array;
}

/** Sensors that heat is told to, and how many there are */
export interface SensedHeat extends HeatSensors {
  readonly count: number;
  heatInto: Float64Array;
}

const noPower = (sensors: number): Sample => ({
  dissipated: 0,
  supplied: 0,
  friction: 0,
  heats: new Float64Array(sensors),
});
const isNothing = ({ dissipated, supplied }: PowerLedger): boolean => dissipated === 0 && supplied === 0;

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

/** J at a fraction x of a panel h s long, from J before it and W at its start, middle and end: h ∫₀ˣ of the parabola through them */
function within(panels: Float64Array, at: number, h: number, x: number): number {
  const p0 = panels[at + 1];
  const p1 = panels[at + 2];
  const p2 = panels[at + 3];
  const part = x * (p0 + x * (-1.5 * p0 + 2 * p1 - 0.5 * p2 + x * ((2 / 3) * p0 - (4 / 3) * p1 + (2 / 3) * p2)));
  return panels[at] + h * part;
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
  /** In contacts that are booked whole, at the last accepted step and at the start, J */
  held = 0;
  heldAtStart = 0;
  private readonly mechanics: MechanicalSystem;
  /** Of the energy that moved: what the quadrature may be wrong by in a step */
  private readonly tolerance: number;
  /** s between recorded rows */
  private readonly interval: number;
  private between: Float64Array;
  private readonly energies = new Float64Array(3);
  private readonly energiesAtStart = new Float64Array(3);
  /** Powers at the end of the last step, at its start and in its middle, W */
  private atEnd: Sample;
  private atStart: Sample;
  private readonly atMiddle: Sample;
  /** Powers in the middles of the two halves of a panel, per depth */
  private readonly left: readonly Sample[];
  private readonly right: readonly Sample[];
  /** J at the end of the last step */
  private readonly after: { dissipated: number; supplied: number; friction: number; readonly heats: Float64Array };
  /** Per panel and sensor: J before it, W at its start, middle and end */
  private heatPanels: Float64Array;
  private readonly sensors: SensedHeat | undefined;
  /** J per sensor, at the time of the last `at` */
  readonly heats: Float64Array;
  /** Panels of the last step: per panel start and length in s; per ledger J before it and W at its start, middle and end */
  private panels = new Float64Array(8 * PANEL);
  private count = 0;

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
    this.left = Array.from({ length: DEEPEST + 1 }, () => noPower(count));
    this.right = Array.from({ length: DEEPEST + 1 }, () => noPower(count));
    this.after = { dissipated: 0, supplied: 0, friction: 0, heats: new Float64Array(count) };
    this.heats = new Float64Array(count);
    this.heatPanels = new Float64Array(8 * 4 * count);
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
    const start = this.atEnd;
    this.atEnd = this.atStart;
    this.atStart = start;
    this.powerAt(integration, 0.5 * (tPrevious + t), this.atMiddle);
    this.measure(t, y, this.atEnd);
    this.count = 0;
    if (t > tPrevious) this.integrate(integration, tPrevious, t, start, this.atMiddle, this.atEnd, 0);
    this.checkBalance(t, y);
  }

  /** Contacts hold other masses from here on: the next step begins with other powers than the last one ended with. */
  renew(t: number, y: Float64Array): void {
    this.measure(t, y, this.atEnd);
  }

  /** Books [a, b] in two panels, or more where two do not do. */
  private integrate(
    integration: Integration,
    a: number,
    b: number,
    atA: Sample,
    atMiddle: Sample,
    atB: Sample,
    depth: number,
  ): void {
    if (isNothing(atA) && isNothing(atMiddle) && isNothing(atB)) {
      this.addPanel(a, b, atA, atMiddle, atB);
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
      this.addPanel(a, middle, atA, left, atMiddle);
      this.addPanel(middle, b, atMiddle, right, atB);
    } else {
      this.integrate(integration, a, middle, atA, left, atMiddle, depth + 1);
      this.integrate(integration, middle, b, atMiddle, right, atB, depth + 1);
    }
  }

  /** What single pairs turn into heat may cancel in the whole. */
  private sensorsAgree(h: number, atA: Sample, left: Sample, middle: Sample, right: Sample, atB: Sample): boolean {
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

  private addPanel(a: number, b: number, atA: Sample, atMiddle: Sample, atB: Sample): void {
    let at = this.count++ * PANEL;
    if (at + PANEL > this.panels.length) {
      const more = new Float64Array(2 * this.panels.length);
      more.set(this.panels);
      this.panels = more;
    }
    const panels = this.panels;
    panels[at++] = a;
    panels[at++] = b - a;
    const { after } = this;
    for (const key of LEDGERS) {
      panels[at++] = after[key];
      panels[at++] = atA[key];
      panels[at++] = atMiddle[key];
      panels[at++] = atB[key];
      after[key] += ((b - a) / 6) * (atA[key] + 4 * atMiddle[key] + atB[key]);
    }
    if (this.sensors) this.addHeatPanel(this.count - 1, b - a, atA.heats, atMiddle.heats, atB.heats);
  }

  private addHeatPanel(panel: number, h: number, atA: Float64Array, atMiddle: Float64Array, atB: Float64Array): void {
    const count = this.heats.length;
    if (4 * count * (panel + 1) > this.heatPanels.length) {
      const more = new Float64Array(2 * this.heatPanels.length);
      more.set(this.heatPanels);
      this.heatPanels = more;
    }
    const panels = this.heatPanels;
    const { heats } = this.after;
    for (let s = 0; s < count; s++) {
      const at = 4 * (count * panel + s);
      panels[at] = heats[s];
      panels[at + 1] = atA[s];
      panels[at + 2] = atMiddle[s];
      panels[at + 3] = atB[s];
      heats[s] += (h / 6) * (atA[s] + 4 * atMiddle[s] + atB[s]);
    }
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
    this.count = 0;
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
    const panels = this.panels;
    let panel = this.count - 1;
    while (panel > 0 && t < panels[panel * PANEL]) panel--;
    const h = panel < 0 ? 0 : panels[panel * PANEL + 1];
    const x = h > 0 ? (t - panels[panel * PANEL]) / h : 1;
    const ended = panel < 0 || (panel === this.count - 1 && x >= 1);
    for (const [i, key] of LEDGERS.entries())
      this[key] = ended ? this.after[key] : within(panels, panel * PANEL + 2 + 4 * i, h, x);
    for (let s = 0; s < this.heats.length; s++)
      this.heats[s] = ended ? this.after.heats[s] : within(this.heatPanels, 4 * (this.heats.length * panel + s), h, x);
  }

  private measure(t: number, y: Float64Array, out: Sample): void {
    const sensors = this.sensors;
    if (sensors) sensors.heatInto = out.heats.fill(0);
    powersInto(this.mechanics, t, y, out, sensors);
  }

  private powerAt(integration: Integration, t: number, out: Sample): void {
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

  /** kinetic, potential, elastic at the last accepted step, J */
  get parts(): readonly [number, number, number] {
    return [this.energies[0], this.energies[1], this.energies[2]];
  }
}
