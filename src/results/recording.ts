/**
 * What a run leaves behind: every signal over time, records of what comes and goes such as contacts, events, how far the numbers
 * can be trusted, and what made them.
 *
 *   const recording = new Recording([{ name: 'ball.position.z', unit: 'm' }], { title: 'bouncing ball' });
 *   recording.append(0, [1]);
 *   recording.signal('ball.position.z').at(-1);
 */
import { ModelError, suggestion } from '../errors.js';
import { Hash } from '../math/hash.js';
import { type RecordColumn, RecordTable } from './record-table.js';
import { SampleTable } from './sample-table.js';
import type { Scene } from './scene.js';
import { Signal } from './signal.js';
import { isGlob, matchesGlob } from './signal-glob.js';
import type { Json, TrustReport } from './trust-report.js';

export interface SignalDescription {
  /** e.g. `rack[17].position.x`; unique in the recording */
  readonly name: string;
  /** SI unit as text, e.g. `m/s`; empty or absent if the signal has none */
  readonly unit?: string;
  readonly description?: string;
}

export interface RecordedEvent {
  readonly time: number; // s
  readonly name: string;
}

/** `running` in a file means that the run goes on, or was killed. `interrupted`: stopped by the user. `failed`: by an error. */
export type RunState = 'running' | 'finished' | 'interrupted' | 'failed';
export const RUN_STATES: readonly RunState[] = ['running', 'finished', 'interrupted', 'failed'];

/** What made the recording. */
export interface Origin {
  readonly title?: string;
  /** The model's parameters as the run used them. */
  readonly parameters?: { readonly [name: string]: Json };
  /** By program or package, e.g. `{ tippetop: '0.1.0', node: '20.19.0' }`. */
  readonly versions?: { readonly [name: string]: string };
  /** What the recording shows; a function gives it when someone asks. No part of the hash. */
  readonly scene?: Scene | (() => Scene) | undefined;
}

export class Recording {
  readonly title: string;
  readonly parameters: { readonly [name: string]: Json };
  readonly versions: { readonly [name: string]: string };
  readonly signals: readonly Required<SignalDescription>[];
  /** The rows themselves, for writers and viewers; signals are its columns in order. */
  readonly samples: SampleTable;
  state: RunState = 'running';
  trust: TrustReport = {};
  readonly #events: RecordedEvent[] = [];
  readonly #tables = new Map<string, RecordTable>();
  readonly #index = new Map<string, number>();
  #scene: Origin['scene'];

  constructor(
    signals: readonly SignalDescription[],
    { title = '', parameters = {}, versions = {}, scene }: Origin = {},
  ) {
    this.signals = signals.map(({ name, unit = '', description = '' }) => ({ name, unit, description }));
    for (const [i, { name }] of this.signals.entries()) {
      if (name === '' || name === 'time')
        throw new ModelError(`recording.signals[${i}].name`, `expected a name other than "time", got "${name}"`);
      if (this.#index.has(name))
        throw new ModelError(
          `recording.signals[${i}].name`,
          `"${name}" is already the name of signal ${this.#index.get(name)}`,
        );
      this.#index.set(name, i);
    }
    this.title = title;
    this.parameters = parameters;
    this.versions = versions;
    this.#scene = scene;
    this.samples = new SampleTable(this.signals.length);
  }

  /** What the recording shows, if it was told; to be set before the first row, for a file that is written meanwhile begins with it. */
  get scene(): Scene | undefined {
    if (typeof this.#scene === 'function') this.#scene = this.#scene();
    return this.#scene;
  }

  set scene(scene: Scene | undefined) {
    if (this.rows > 0)
      throw new ModelError('recording.scene', `expected it before the first row, got it after ${this.rows}`);
    this.#scene = scene;
  }

  /**
   * Copies one row of values, one per signal in order, into the recording. Times never decrease; s. Rows that were appended to
   * tables since the last one belong to this instant.
   */
  append(time: number, values: ArrayLike<number>): void {
    for (const table of this.#tables.values()) table.checkOpen(time);
    this.samples.append(time, values);
    for (const table of this.#tables.values()) table.close(time);
  }

  /** A table of records that grows with the recording; to be added before the first row. See record-table.ts. */
  addTable(name: string, columns: readonly RecordColumn[]): RecordTable {
    if (this.rows > 0)
      throw new ModelError('recording.addTable', `expected "${name}" before the first row, got it after ${this.rows}`);
    if (this.#tables.has(name)) throw new ModelError('recording.addTable', `there is already a table "${name}"`);
    const table = new RecordTable(name, columns);
    this.#tables.set(name, table);
    return table;
  }

  /** All tables, in the order they were added. */
  get tables(): readonly RecordTable[] {
    return [...this.#tables.values()];
  }

  hasTable(name: string): boolean {
    return this.#tables.has(name);
  }

  /** @throws ModelError with the nearest name if there is none */
  table(name: string): RecordTable {
    return this.#tables.get(name) ?? refuseTable(name, [...this.#tables.keys()]);
  }

  /** Between two rows. @returns the way back: what is recorded from now on is forgotten by it, and the hash is that of now */
  keepPlace(): () => void {
    const { state, trust } = this;
    const events = this.#events.length;
    const back = [this.samples.keepPlace(), ...this.tables.map((table) => table.keepPlace())];
    return () => {
      for (const go of back) go();
      this.#events.length = events;
      this.state = state;
      this.trust = trust;
    };
  }

  addEvent(time: number, name: string): void {
    if (!Number.isFinite(time)) throw new ModelError(`recording.events.${name}`, `expected a time in s, got ${time}`);
    this.#events.push({ time, name });
  }

  get events(): readonly RecordedEvent[] {
    return this.#events;
  }

  get rows(): number {
    return this.samples.rows;
  }

  /** s, never decreasing. Not to be written to. */
  get times(): Float64Array {
    return this.samples.times;
  }

  /**
   * Fingerprint of all recorded numbers, row by row, tables and their labels included: equal if and, for all purposes, only if two
   * runs gave the same bits.
   */
  get hash(): string {
    if (this.#tables.size === 0) return this.samples.hash;
    const hash = new Hash().text(this.samples.hash);
    // By name: a file does not keep the order in which they were added.
    for (const name of [...this.#tables.keys()].sort()) hash.text(name).text(this.table(name).hash);
    return hash.hex();
  }

  has(name: string): boolean {
    return this.#index.has(name);
  }

  /**
   * The signal of that name, as recorded so far.
   *
   * @throws ModelError with the nearest name if there is none
   * @example const height = recording.signal('ball.position.z').max();
   */
  signal(name: string): Signal {
    const index = this.#index.get(name);
    if (index === undefined)
      throw new ModelError(
        'recording.signal',
        isGlob(name)
          ? `"${name}" is a pattern; select("${name}") gives the signals that match it`
          : `there is no signal "${name}"${this.nearest(name)}`,
      );
    return new Signal(this.signals[index], this.samples.times, this.samples.column(index));
  }

  /** The names that match a pattern or any of several, in the order of the recording; see signal-glob.ts. */
  names(patterns: string | readonly string[] = '*'): string[] {
    const tests = (typeof patterns === 'string' ? [patterns] : patterns).map(matchesGlob);
    return this.signals.map(({ name }) => name).filter((name) => tests.some((matches) => matches(name)));
  }

  /**
   * The signals that match a pattern or any of several.
   *
   * @throws ModelError if one of the patterns matches nothing
   * @example for (const { name, values } of recording.select('rack[*].position.x')) …
   */
  select(patterns: string | readonly string[]): Signal[] {
    for (const pattern of typeof patterns === 'string' ? [patterns] : patterns)
      if (this.names(pattern).length === 0)
        throw new ModelError('recording.select', `no signal matches "${pattern}"${this.nearest(pattern)}`);
    return this.names(patterns).map((name) => this.signal(name));
  }

  /** `; did you mean …?`, or else some signals that begin alike. */
  nearest(name: string): string {
    const near = suggestion(name, this.#index.keys());
    if (near) return near;
    let alike: string[] = [];
    for (let length = name.length; length >= 0 && alike.length === 0; length--)
      alike = this.signals.map((signal) => signal.name).filter((known) => known.startsWith(name.slice(0, length)));
    const some = alike.slice(0, 5).map((known) => `"${known}"`);
    return `; there are ${some.join(', ')}${alike.length > some.length ? ` and ${alike.length - some.length} more` : ''}`;
  }
}

export function refuseTable(name: string, known: readonly string[]): never {
  throw new ModelError(
    'recording.table',
    `there is no table "${name}"${suggestion(name, known) || (known.length > 0 ? `; there are ${known.join(', ')}` : '; there is none at all')}`,
  );
}
