/** Writes the rows of a run: signals, records of contacts, surfaces and grains, at every multiple of the interval and where something jumps. */
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import type { Model } from '../model/model.js';
import { addContactTable } from '../results/contact-records.js';
import type { RecordTable } from '../results/record-table.js';
import { type Origin, Recording, type SignalDescription } from '../results/recording.js';
import { sceneOf } from '../results/scene/scene-of.js';
import type { ContactSampler } from './contact-signals.js';
import { ElementRecords } from './element-records.js';
import type { GrainRun } from './grain-run.js';
import { copyRows, refuseOtherSignals } from './past-rows.js';
import type { SeenSignals } from './run-events.js';
import type { TrustLedger } from './run-ledger.js';
import type { RunSteps } from './run-steps.js';
import { SignalSampler } from './signals.js';
import { SurfaceSampler } from './surface-sampler.js';

/** Signals that cannot be told inside a step. */
const INTEGRALS: readonly string[] = ['energy.dissipated', 'energy.supplied', 'energy.total'];

const ENERGY = 'energy.';

interface Recorded {
  readonly model: Model;
  readonly mechanics: MechanicalSystem;
  readonly ledger: TrustLedger;
  readonly contacts: ContactSampler | undefined;
  readonly grains: GrainRun | undefined;
  /** s between rows */
  readonly interval: number;
  readonly origin: Origin | undefined;
}

export class RunRecorder {
  readonly recording: Recording;
  private readonly sampler: SignalSampler;
  private readonly descriptions: readonly SignalDescription[];
  private readonly row: Float64Array;
  /** Place of the energies in a row */
  private readonly energyAt: number;
  private readonly contactTable: RecordTable | undefined;
  private readonly elementRecords: ElementRecords | undefined;
  private readonly surfaceSampler: SurfaceSampler | undefined;
  /** Index of the next row; its time is this × interval. */
  private nextRow = 0;

  /** @param begun by an earlier recorder of the same run, which this one goes on with */
  constructor(
    private readonly of: Recorded,
    begun?: Recording,
  ) {
    const { model, mechanics, ledger, contacts, grains, origin } = of;
    this.sampler = new SignalSampler(model, mechanics, ledger, contacts);
    const own = this.sampler.descriptions;
    this.energyAt = own.findIndex(({ name }) => name.startsWith(ENERGY));
    this.descriptions = grains?.book
      ? [...own.map(withGrains), ...grains.signals.descriptions]
      : [...own, ...(grains?.signals.descriptions ?? [])];
    this.recording =
      begun ??
      new Recording(this.descriptions, {
        title: model.title,
        scene: () => ({
          ...sceneOf(model, mechanics.system.flexible),
          ...(grains && { grains: grains.signals.drawn }),
        }),
        ...origin,
      });
    const tells = mechanics.own.some(({ tellsTouches }) => tellsTouches);
    const records =
      mechanics.system.contacts?.records ?? (tells && (model.contacts === false || (model.contacts.records ?? true)));
    const table = begun ? begun.table.bind(begun, 'contacts') : () => addContactTable(this.recording);
    this.contactTable = records ? table() : undefined;
    this.elementRecords = tells ? new ElementRecords(mechanics.own) : undefined;
    const { pressed } = this.sampler;
    this.surfaceSampler =
      model.surfaces.size + pressed.length > 0
        ? new SurfaceSampler(model, pressed, this.recording, begun !== undefined)
        : undefined;
    grains?.keep(this.recording);
    this.row = new Float64Array(this.descriptions.length);
  }

  /** Takes over the rows of a run that is gone on with, up to t. @param rows how many these are, where that is known */
  takeOver(past: Recording, t: number, rows?: number): void {
    refuseOtherSignals(this.recording, past);
    copyRows(past, this.recording, t, rows);
    this.goOnFrom(t);
  }

  /** The rows up to t are there. */
  goOnFrom(t: number): void {
    this.nextRow = Math.floor(t / this.of.interval);
    while (this.isDue(t)) this.nextRow++;
  }

  private isDue(time: number): boolean {
    return this.nextRow * this.of.interval <= time * (1 + 1e-14);
  }

  /** Time of the last row, s */
  get lastTime(): number {
    return this.recording.times[this.recording.rows - 1];
  }

  /** Rows whose times lie in the last step, up to `time` */
  recordUpTo(time: number, steps: RunSteps): void {
    const { interval } = this.of;
    const { jumpsTo } = steps; // rows behind a jump see what is behind it
    while (this.isDue(time) && this.nextRow * interval < jumpsTo) {
      const at = Math.min(this.nextRow * interval, time);
      this.record(at, steps.stateAt(at));
      this.nextRow++;
    }
  }

  /** A row at (t, y), where y is within the last step */
  record(t: number, y: Float64Array): void {
    const { ledger, contacts, grains } = this.of;
    ledger.at(t);
    this.sampler.sample(t, y, this.row);
    if (this.contactTable) {
      contacts?.record(t, y, this.contactTable);
      this.elementRecords?.record(t, y, this.contactTable);
    }
    this.surfaceSampler?.record(t);
    grains?.record(t, this.row, this.sampler.descriptions.length);
    this.addGrains(this.row);
    this.recording.append(t, this.row);
  }

  /**
   * Energies of a run are those of bodies and grains, as in its trust report. What a machine gives to grains is taken from the one book and put into the other, so that what is supplied is what drives
   * give, and grains that come.
   */
  private addGrains(row: Float64Array): void {
    const book = this.of.grains?.book;
    if (!book) return;
    const at = this.energyAt;
    for (let k = 0; k < 3; k++) row[at + k] += book.parts[k];
    row[at + 3] += book.dissipated;
    row[at + 4] += book.supplied;
    row[at + 5] = row[at] + row[at + 1] + row[at + 2] + row[at + 3] - row[at + 4];
  }

  /** What conditions of events look at; values of grains are those of the last row. @param stateOf state of the whole, by time or by what is integrated */
  signalsFor(stateOf: (t: number, y: Float64Array) => Float64Array): SeenSignals {
    const seen = new Float64Array(this.row.length);
    const own = this.sampler.descriptions.length;
    return {
      names: this.descriptions.map(({ name }) => name),
      sample: (t, y) => {
        this.sampler.sample(t, stateOf(t, y), seen);
        for (let k = own; k < seen.length; k++) seen[k] = this.row[k];
        this.addGrains(seen);
        return seen;
      },
      isIntegral: (name) => INTEGRALS.includes(name) || (this.of.contacts?.isHeat(name) ?? false),
    };
  }
}

const withGrains = (signal: SignalDescription): SignalDescription =>
  signal.name.startsWith(ENERGY)
    ? {
        ...signal,
        description: `${signal.description}; of bodies and grains${signal.name === 'energy.supplied' ? ', with those that came less those that left' : ''}`,
      }
    : signal;
