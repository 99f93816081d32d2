/**
 * A run of rigid grains: a model whose free bodies are grains and whose other bodies are walls, tools on prescribed paths or a machine (rigid-grain-machine.ts), taken in
 * fixed steps and recorded like any other. Looks from outside like `Simulation`: advanced piece by piece, stopped, continued.
 */
import { ModelError } from '../errors.js';
import { GrainBook } from '../grains/grain-book.js';
import { energiesOf } from '../grains/polyhedra/energies.js';
import { RigidGrains } from '../grains/polyhedra/rigid-grains.js';
import type { RigidGrainsSnapshot } from '../grains/polyhedra/snapshot.js';
import { noStatistics, type Statistics } from '../integration/statistics.js';
import type { Model } from '../model/model.js';
import type { Checkpoint } from '../results/checkpoint.js';
import { Recording, type SignalDescription } from '../results/recording.js';
import { sceneOf } from '../results/scene/scene-of.js';
import type { EnergyLedger, Verdict } from '../results/trust-report.js';
import { askedStop, refuseRowsBeyondMemory, refuseUnknownPlots } from './asked.js';
import { GrainLedger } from './grain-ledger.js';
import { copyRows, refuseOtherSignals } from './past-rows.js';
import { RigidGrainMachine } from './rigid-grain-machine.js';
import { type GrainPlan, grainPlan } from './rigid-grain-plan.js';
import { LimitWatch } from './run-limits.js';
import type { Restart, SimulationOptions } from './simulation-options.js';
import { DOUBTFUL_GRAINS, WRONG_GRAINS } from './verdict.js';

/** As of every run; the step is that of the grains, tolerance and method are those of the machine */
export type GrainRunOptions = SimulationOptions;

const AXES = ['x', 'y', 'z'] as const;
/** Depth over width of the thinner piece: beyond, what a bed of springs says is doubtful */
const DOUBTFUL_DEPTH = 0.1;

export class RigidGrainSimulation {
  readonly model: Model;
  readonly plan: GrainPlan;
  readonly grains: RigidGrains;
  readonly recording: Recording;
  readonly stopTime: number;
  readonly statistics: Statistics = noStatistics();
  readonly holdUp: string | undefined = undefined;
  readonly interval: number;
  private readonly stepsPerRow: number;
  private readonly limits: LimitWatch;
  private readonly row: Float64Array;
  private readonly load = new Float64Array(6);
  /** Bodies that feel grains and do not move for it, and 6 per such body: the sum of their loads since the last row */
  private readonly walls: readonly number[];
  private readonly impulse: Float64Array;
  private stepsInRow = 0;
  /** Where bodies on joints have coordinates of their own */
  readonly machine: RigidGrainMachine | undefined;
  /** Names whose poses are told by the grains */
  private readonly told: readonly number[];
  private endedBy: string | undefined;
  /** Energy of the grains; that of a machine has its own book */
  private readonly book = new GrainBook();

  constructor(model: Model, options: GrainRunOptions = {}) {
    this.model = model;
    const { maxSteps = model.simulation.maxSteps, maxTime = model.simulation.maxTime } = options;
    this.limits = new LimitWatch({ maxSteps, maxTime });
    this.stopTime = askedStop(options.stopTime ?? model.simulation.stop ?? 10);
    this.plan = grainPlan(model);
    const { names, bodies, contact, gravity, motions } = this.plan;
    const longest = options.step ?? model.simulation.step ?? this.plan.step;
    const wanted = options.interval ?? model.simulation.interval ?? this.stopTime / 500;
    // Rows are a whole number of steps apart
    this.stepsPerRow = Math.max(1, Math.ceil(wanted / longest - 1e-9));
    this.interval = wanted;
    const step = options.step ?? model.simulation.step ?? wanted / this.stepsPerRow;
    this.grains = new RigidGrains({
      bodies,
      contact,
      gravity,
      motions,
      step,
      ...(options.team && { team: options.team }),
      nameOf: (body) => names[body],
    });
    this.walls = bodies.flatMap(({ density, shape }, i) =>
      density < Number.POSITIVE_INFINITY || shape.pieces.length === 0 ? [] : [i],
    );
    this.impulse = new Float64Array(6 * this.walls.length);
    this.machine = this.plan.machine && this.machineFor(this.plan.machine, options);
    this.told = names.flatMap((name, i) => (this.plan.machine?.bodies.has(name) ? [] : [i]));
    const descriptions = this.describe();
    refuseRowsBeyondMemory(this.stopTime, wanted, descriptions.length);
    this.recording = new Recording(descriptions, { scene: () => sceneOf(model), ...options.origin });
    refuseUnknownPlots(model.plots, this.recording);
    this.row = new Float64Array(descriptions.length);
    if (options.restart) {
      this.restart(options.restart);
      return;
    }
    this.grains.begin();
    this.machine?.begin();
    this.gather();
    this.record();
  }

  private machineFor(machine: Model, options: GrainRunOptions): RigidGrainMachine {
    const { plan, grains, stopTime, interval, statistics } = this;
    const walls = plan.names.flatMap((name, body) => {
      const { shape } = plan.bodies[body];
      return plan.inMachine(name) && shape.pieces.length > 0 ? [{ name, body, farthest: shape.radius }] : [];
    });
    let smallest = Number.POSITIVE_INFINITY;
    for (const { density, shape } of plan.bodies)
      if (density < Number.POSITIVE_INFINITY) smallest = Math.min(smallest, shape.radius);
    return new RigidGrainMachine(machine, grains, walls, smallest, options, {
      stopTime,
      interval,
      statistics,
      left: () => this.stepsPerRow - this.stepsInRow,
      stepped: () => this.gather(),
    });
  }

  /** All that the rest of the run depends on, at a row; undefined between rows. */
  checkpoint(): Checkpoint | undefined {
    const { grains, recording, statistics } = this;
    if (this.stepsInRow > 0 || grains.counts.steps === 0) return undefined;
    return {
      time: this.time,
      facts: {
        run: 'rigid grains',
        parameters: recording.parameters,
        interval: this.interval,
        stop: this.stopTime,
        deepest: grains.deepest.pair,
        accepted: statistics.accepted,
      },
      arrays: {
        ...grains.snapshot(),
        step: Float64Array.of(grains.step),
        book: Float64Array.from(this.book.snapshot()),
        ...this.machine?.snapshot(),
      },
    };
  }

  private restart({ checkpoint, recording }: Restart): void {
    const { time, facts, arrays } = checkpoint;
    if (facts.run !== 'rigid grains')
      throw new ModelError('restart', `expected the checkpoint of a run of rigid grains, got one of ${facts.run}`);
    for (const [name, was, is] of [
      ['interval', facts.interval, this.interval],
      ['step', arrays.step[0], this.grains.step],
    ] as const)
      if (was !== is) throw new ModelError(name, `expected ${was} s, as in the run that is gone on with, got ${is}`);
    if (!(time <= this.stopTime))
      throw new ModelError(
        'stop',
        `the run is gone on with from ${time} s: expected a later end, got ${this.stopTime} s`,
      );
    refuseOtherSignals(this.recording, recording);
    this.grains.resume(arrays as unknown as RigidGrainsSnapshot, String(facts.deepest));
    this.machine?.restore(time, arrays);
    this.book.restore(arrays.book);
    this.statistics.accepted = Number(facts.accepted);
    copyRows(recording, this.recording, time);
  }

  get time(): number {
    return this.grains.time;
  }

  get finished(): boolean {
    return this.time >= this.stopTime - 1e-9 * this.stopTime;
  }

  get interruption(): string | undefined {
    return this.endedBy;
  }

  /** Goes on until `time` s, the end, or a limit. True if there is more to do. */
  advance(time = this.stopTime, shouldPause?: () => boolean): boolean {
    this.limits.resume();
    const { grains, statistics } = this;
    const until = Math.min(time, this.stopTime) * (1 - 1e-12);
    while (this.time < until && this.endedBy === undefined) {
      if (this.machine) this.machine.step();
      else {
        grains.advance(1);
        statistics.accepted++;
        this.gather();
      }
      if (this.stepsInRow >= this.stepsPerRow || this.finished) this.record();
      this.endedBy = this.limits.reached(statistics);
      if (shouldPause?.()) break;
    }
    this.limits.pause();
    return !this.finished && this.endedBy === undefined;
  }

  finish(state: 'finished' | 'interrupted' | 'failed' = this.finished ? 'finished' : 'interrupted'): Recording {
    if (this.stepsInRow > 0) this.record();
    const { grains, recording } = this;
    const { counts } = grains;
    const margin = grains.criticalStep / grains.step;
    const energy = this.energy();
    recording.trust = {
      verdict: this.verdict(state, energy),
      energy,
      steps: { accepted: counts.steps, rejected: 0, smallest: grains.step },
      notes: [
        `${counts.contacts} contacts evaluated, ${counts.touches} times two bodies began to touch; ${grains.touching} touch now`,
        `greatest contact force ${grains.greatestForce.toPrecision(4)} N; deepest contact ${(100 * grains.deepest.share).toFixed(1)} % of a width, ${grains.deepest.pair}`,
        `longest stable step ${grains.criticalStep.toPrecision(3)} s, ${margin.toPrecision(2)} times the step`,
        ...(this.machine
          ? [
              `the machine made ${this.statistics.accepted} steps; predictions of it were at most ${this.machine.greatestJump.toPrecision(2)} m off`,
            ]
          : []),
        `sums of forces ${grains.exact ? 'exact throughout: the bits depend on no number of threads, no order' : 'were not all exact: a force was beyond its scale'}`,
        `hash ${grains.hash()}`,
      ],
      grains: {
        ...counts,
        greatestForce: grains.greatestForce,
        criticalStep: grains.criticalStep,
        exact: grains.exact,
      },
    };
    recording.state = state;
    grains.close();
    return recording;
  }

  /** Of grains and machine together; what the two do to each other is in both books, with opposite sign */
  private energy(): EnergyLedger {
    const { book, machine, time } = this;
    if (machine) {
      const whole = new GrainLedger(machine.steps.ledger, book);
      whole.at(time);
      const [kinetic, potential, elastic] = whole.parts;
      const dissipated = whole.dissipated - whole.held + whole.heldAtStart;
      const error = kinetic + potential + elastic + dissipated - whole.supplied - whole.initial;
      const relativeError = whole.scale > 0 ? whole.worst / whole.scale : 0;
      return { kinetic, potential, elastic, dissipated, putIn: whole.supplied, error, relativeError };
    }
    const [kinetic, potential, elastic] = book.parts;
    const { dissipated, supplied: putIn, imbalance: error, worst, scale } = book;
    return { kinetic, potential, elastic, dissipated, putIn, error, relativeError: scale > 0 ? worst / scale : 0 };
  }

  private verdict(state: string, { relativeError }: EnergyLedger): Verdict {
    const { grains } = this;
    const reasons: { reason: string; remedy?: string }[] = [];
    const ledger = {
      reason: `the energy ledger is open by ${relativeError.toPrecision(2)} of the energy that moved`,
      remedy: 'try half the step; does the result change?',
    };
    // Written so that NaN is wrong
    if (!(relativeError <= WRONG_GRAINS)) return { word: 'not to be trusted', reasons: [ledger] };
    if (state === 'failed') reasons.push({ reason: 'the run failed' });
    if (relativeError > DOUBTFUL_GRAINS) reasons.push(ledger);
    if (grains.deepest.share > DOUBTFUL_DEPTH)
      reasons.push({
        reason: `${grains.deepest.pair} went ${(100 * grains.deepest.share).toFixed(0)} % of the thinner one's width deep at t = ${grains.deepest.time.toPrecision(4)} s`,
        remedy: 'a greater foundation modulus with a shorter step',
      });
    if (!grains.exact)
      reasons.push({ reason: 'a force was beyond the scale of exact sums', remedy: 'run it again with one thread' });
    return reasons.length > 0
      ? { word: 'doubtful', reasons }
      : {
          word: 'trusted',
          reasons: [
            {
              reason: `the energy ledger closes to ${relativeError.toPrecision(2)}, the step is stable, contacts are shallow, sums are exact`,
            },
          ],
        };
  }

  private describe(): SignalDescription[] {
    const vector = (name: string, unit: string, description: string): SignalDescription[] =>
      AXES.map((axis) => ({ name: `${name}.${axis}`, unit, description }));
    return [
      ...(this.machine?.descriptions ?? []),
      ...this.told
        .map((body) => this.plan.names[body])
        .flatMap((name) => [
          ...vector(`${name}.position`, 'm', "of the body's frame, world axes"),
          ...['w', 'x', 'y', 'z'].map((part) => ({
            name: `${name}.orientation.${part}`,
            unit: '',
            description: 'unit quaternion',
          })),
        ]),
      ...this.walls.flatMap((body) => [
        ...vector(
          `${this.plan.names[body]}.grains.force`,
          'N',
          'of all grains on it, mean since the last row, world axes',
        ),
        ...vector(`${this.plan.names[body]}.grains.torque`, 'N m', 'the same, about the origin of its frame'),
      ]),
      { name: 'grains.touching', unit: '', description: 'pairs that touch' },
      { name: 'grains.contacts', unit: '', description: 'contacts evaluated since the start' },
      { name: 'grains.kineticEnergy', unit: 'J', description: 'of all grains' },
      { name: 'grains.potentialEnergy', unit: 'J', description: 'of all grains in the field of gravity' },
      { name: 'grains.elasticEnergy', unit: 'J', description: 'in overlaps and bristles' },
      { name: 'grains.heat', unit: 'J', description: 'made by damping and friction so far' },
      { name: 'grains.imbalance', unit: 'J', description: 'that the book of energy misses since the start' },
    ];
  }

  /** Loads of this step */
  private gather(): void {
    const { grains, load, impulse, walls } = this;
    for (let i = 0; i < walls.length; i++) {
      grains.wrench(walls[i], load);
      for (let k = 0; k < 6; k++) impulse[6 * i + k] += load[k];
    }
    this.stepsInRow++;
  }

  private record(): void {
    const { row, grains, impulse } = this;
    const { bodies, gravity } = this.plan;
    let at = this.machine?.descriptions.length ?? 0;
    this.machine?.record(row);
    for (const b of this.told) {
      const { position, orientation } = grains.poseOf(b, bodies[b].shape);
      row.set(position, at);
      const sign = orientation[0] < 0 ? -1 : 1;
      for (let k = 0; k < 4; k++) row[at + 3 + k] = sign * orientation[k];
      at += 7;
    }
    for (let k = 0; k < impulse.length; k++) row[at++] = impulse[k] / this.stepsInRow;
    impulse.fill(0);
    const { book } = this;
    book.look(energiesOf(grains, gravity), { ...grains.work, rolling: 0 }, this.machine?.supplied ?? grains.driven);
    row[at++] = grains.touching;
    row[at++] = grains.counts.contacts;
    for (const part of book.parts) row[at++] = part;
    row[at++] = book.dissipated;
    row[at++] = book.imbalance;
    this.recording.append(this.time, row);
    this.stepsInRow = 0;
  }
}
