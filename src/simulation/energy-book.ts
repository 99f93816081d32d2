/**
 * Energy over time. Kinetic, potential and elastic energy follow from the state; heat and what is put in are integrals of power over every accepted step
 * (work-quadrature.ts). Contacts whose law has no potential are booked whole: all that they take from the bodies, less what they hold. All together should stay what it was: what
 * it does not is the run's error.
 */
import { bookedEnergy, energiesInto, massMatrix } from '../dynamics/analysis.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import type { Integration } from '../integration/integration.js';
import { LEDGERS, type PowerSample } from './power-sample.js';
import type { Ledger } from './signals.js';
import { type SensedHeat, WorkQuadrature } from './work-quadrature.js';

/** Of the energy that springs and flexible parts hold: so far ½ q K q of stiff parts is rounded */
const ROUNDING = 2e-12;

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
  /** Of the energy that moved: what errors may change in a step */
  private readonly tolerance: number;
  private readonly energies = new Float64Array(3);
  private readonly energiesAtStart = new Float64Array(3);
  private readonly work: WorkQuadrature;
  /** J at the end of the last step */
  private readonly after: PowerSample;
  /** J per sensor, at the time of the last `at` */
  readonly heats: Float64Array;

  /**
   * @param tolerance of the energy that moved
   * @param interval  s between recorded rows: what a user finds fine enough to see the motion
   */
  constructor(mechanics: MechanicalSystem, tolerance: number, interval: number, sensors?: SensedHeat) {
    this.work = new WorkQuadrature(mechanics, tolerance, interval, sensors);
    this.after = this.work.booked;
    this.heats = new Float64Array(sensors?.count ?? 0);
    this.mechanics = mechanics;
    this.tolerance = tolerance;
  }

  start(t: number, y: Float64Array): void {
    energiesInto(this.mechanics, t, y, this.energiesAtStart);
    this.energies.set(this.energiesAtStart);
    this.initial = this.energiesAtStart[0] + this.energiesAtStart[1] + this.energiesAtStart[2];
    this.scale = Math.abs(this.energiesAtStart[0]);
    this.held = this.heldAtStart = bookedEnergy(this.mechanics, t, y);
    this.work.beginAt(t, y);
  }

  /** Books the step that was just accepted. */
  step(integration: Integration): void {
    const { t, y } = integration;
    this.work.add(integration, this.scale);
    const { earlier } = this;
    earlier.imbalance = this.imbalance;
    earlier.worst = this.worst;
    earlier.scale = this.scale;
    this.checkBalance(t, y);
    this.lastError = Math.abs(this.imbalance - earlier.imbalance);
  }

  /** The last step is taken back to its start t. */
  takeBack(t: number, y: Float64Array): void {
    this.retreat(t, y);
    this.worst = this.earlier.worst;
    this.scale = this.earlier.scale;
  }

  /** So much of what bristles of friction held became heat at once, J; the carriers' motion did not change. */
  release(heat: number): void {
    this.after.dissipated += heat;
    this.after.friction += heat;
    this.work.closeStep();
  }

  /** Contacts hold other masses from here on: the next step begins with other powers than the last one ended with. */
  renew(t: number, y: Float64Array): void {
    this.work.beginAt(t, y);
  }

  /** Goes on from (t, y) as if nothing older were known; what is booked stays. */
  forget(t: number, y: Float64Array): void {
    this.work.forget();
    this.work.beginAt(t, y);
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
    this.work.closeStep();
    this.work.beginAt(t, after);
  }

  /** The last step ended earlier after all: what was booked until then is all. */
  retreat(t: number, y: Float64Array): void {
    this.at(t);
    for (const key of LEDGERS) this.after[key] = this[key];
    this.after.heats.set(this.heats);
    this.work.beginAt(t, y);
    this.checkBalance(t, y);
  }

  /** Sets `dissipated`, `supplied` and `friction` to a time within the last step, by the parabola through the three powers of a panel. */
  at(t: number): void {
    this.work.at(t, this);
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

  /** What errors that the tolerance allows, and rounding, may change the energy by in a step, about, J: what rests under load holds energy, and moves none */
  get allowedError(): number {
    return Math.max(this.tolerance * this.mechanics.norm.energyAtScales, ROUNDING * Math.abs(this.energies[2]));
  }

  /** kinetic, potential, elastic at the last accepted step, J */
  get parts(): readonly [number, number, number] {
    return [this.energies[0], this.energies[1], this.energies[2]];
  }
}
