/** The last minute of a play: snapshots every few seconds, from which it is gone on with; what was done between one and the wanted time is done again, to the bit. */
import { ModelError } from '../../errors.js';
import { Simulation, type Snapshot } from '../../simulation/simulation.js';

const EVERY = 3; // s
const LONGEST = 60; // s

export class PlayPast {
  #snapshots: Snapshot[] = [];
  #cannot = false;

  forget(): void {
    this.#snapshots = [];
    this.#cannot = false;
  }

  /** Where it is time for one */
  keep(run: object): void {
    const last = this.#snapshots.at(-1)?.time ?? 0;
    if (!(run instanceof Simulation) || this.#cannot || run.time < last + EVERY) return;
    try {
      this.#snapshots.push(run.snapshot());
      this.#snapshots = this.#snapshots.filter(({ time }) => time >= run.time - LONGEST - EVERY);
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      this.#cannot = true; // then all is done again from the start
    }
  }

  /** The run at the last snapshot before `time`; undefined: there is none, or it can no longer be gone back to. */
  back(run: object | undefined, time: number): Simulation | undefined {
    if (!(run instanceof Simulation)) return undefined;
    this.#snapshots = this.#snapshots.filter((snapshot) => snapshot.time <= time);
    const last = this.#snapshots.at(-1);
    if (!last) return undefined;
    try {
      run.restore(last);
      return run;
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      return undefined;
    }
  }
}
