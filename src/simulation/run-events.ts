/** Events of a run: those that have not happened yet, their conditions on signals, and which are due. Each happens once. */
import { ModelError, suggestion } from '../errors.js';
import type { LocatedCrossing } from '../integration/crossings.js';
import type { ZeroCrossing } from '../integration/problem.js';
import type { ModelEvent } from '../model/model.js';
import type { ComingEvent, JointSwitch } from './run-steps.js';

type Condition = ZeroCrossing['value'];

/** What conditions may look at */
export interface SeenSignals {
  readonly names: readonly string[];
  /** Values at (t, y), in the order of the names */
  sample(t: number, y: Float64Array): ArrayLike<number>;
  /** It is an integral over time, known at the end of a step only. */
  isIntegral(name: string): boolean;
}

export class RunEvents {
  private readonly pending: Map<string, ModelEvent>;
  /** Conditions, and which were met at the start */
  private readonly conditions = new Map<string, Condition>();
  private readonly metAtStart = new Set<string>();
  /** For those who make the steps */
  coming: readonly ComingEvent[];

  constructor(
    events: ReadonlyMap<string, ModelEvent>,
    private readonly signals: SeenSignals,
    private readonly constraintOf: (joint: string) => number,
  ) {
    this.pending = new Map(events);
    this.coming = this.listComing();
    for (const [name, { when }] of events) if (when) this.conditions.set(name, this.condition(name, when));
  }

  private listComing(): ComingEvent[] {
    return [...this.pending.values()].map((event) => ({
      at: event.at,
      constraints: this.switchedBy(event).map(({ constraint }) => constraint),
    }));
  }

  private switchedBy({ release, attach }: ModelEvent): JointSwitch[] {
    return [
      ...[release ?? []].flat().map((joint) => ({ constraint: this.constraintOf(joint), active: false })),
      ...[attach ?? []].flat().map((joint) => ({ constraint: this.constraintOf(joint), active: true })),
    ];
  }

  /** Conditions as zero crossings. Those that have happened are over: −1 crosses nothing. */
  crossings(): ZeroCrossing[] {
    return Array.from(this.conditions, ([name, value]) => ({
      name,
      direction: 'rising',
      stops: true,
      value: (t, y) => (this.pending.has(name) ? value(t, y) : -1),
    }));
  }

  /** A condition of the user's on signals. */
  private condition(event: string, when: NonNullable<ModelEvent['when']>): Condition {
    const path = `events.${event}.when`;
    const { signals } = this;
    const index = new Map(signals.names.map((name, i) => [name, i]));
    let values: ArrayLike<number> = [];
    const read = (name: string): number => {
      const i = index.get(name);
      if (i === undefined) throw new ModelError(path, `there is no signal "${name}"${suggestion(name, index.keys())}`);
      if (signals.isIntegral(name))
        throw new ModelError(
          path,
          `"${name}" is an integral that is known at the end of a step only; take another signal`,
        );
      return values[i];
    };
    return (t, y) => {
      values = signals.sample(t, y);
      const value = when(read);
      if (!Number.isFinite(value))
        throw new ModelError(path, `t = ${t} s: expected a finite number whose zero is the event, got ${value}`);
      return value;
    };
  }

  start(y: Float64Array): void {
    for (const [name, value] of this.conditions) if (value(0, y) >= 0) this.metAtStart.add(name);
  }

  /** Those that are due at t, which are pending no longer: their names, what they switch, and whether one ends the run. Undefined: none. */
  takeDue(t: number, located: readonly LocatedCrossing[]): DueEvents | undefined {
    if (this.pending.size === 0) return undefined;
    const found = new Set(located.map(({ crossing }) => crossing.name));
    const due = [...this.pending].filter(([name, { at }]) => (at === undefined ? found.has(name) : at <= t));
    if (due.length === 0) return undefined;
    for (const [name] of due) this.pending.delete(name);
    this.coming = this.listComing();
    return {
      names: due.map(([name]) => name),
      switched: due.flatMap(([, event]) => this.switchedBy(event)),
      stops: due.some(([, { stop }]) => stop),
    };
  }

  /** Names of those that have not happened, and of those whose condition was met at the start */
  snapshot(): { readonly pending: string[]; readonly metAtStart: string[] } {
    return { pending: [...this.pending.keys()], metAtStart: [...this.metAtStart] };
  }

  /** Those that have happened are over; gives what they switched. */
  restore({ pending, metAtStart }: ReturnType<RunEvents['snapshot']>): JointSwitch[] {
    const switched: JointSwitch[] = [];
    for (const [name, event] of [...this.pending]) {
      if (pending.includes(name)) continue;
      switched.push(...this.switchedBy(event));
      this.pending.delete(name);
    }
    for (const name of metAtStart) this.metAtStart.add(name);
    this.coming = this.listComing();
    return switched;
  }

  /** Events that have not happened and whose condition is met: since the start, or not */
  waiting(t: number, y: Float64Array): { readonly heldBack: string[]; readonly metAtStart: string[] } {
    const names = [...this.conditions]
      .filter(([name, value]) => this.pending.has(name) && value(t, y) > 0)
      .map(([name]) => name);
    return {
      heldBack: names.filter((name) => !this.metAtStart.has(name)),
      metAtStart: names.filter((name) => this.metAtStart.has(name)),
    };
  }
}

export interface DueEvents {
  readonly names: readonly string[];
  readonly switched: readonly JointSwitch[];
  /** One of them ends the run. */
  readonly stops: boolean;
}
