/** One signal of a recording: its values over time, with the questions that are asked most. */
import { ModelError } from '../errors.js';

export class Signal {
  readonly name: string;
  /** SI unit as text, e.g. `m/s`; empty if the signal has none. */
  readonly unit: string;
  readonly description: string;
  /** s, never decreasing; an instant with an event may stand there twice. Not to be written to. */
  readonly times: Float64Array;
  /** One per time. Not to be written to. */
  readonly values: Float64Array;

  constructor(
    { name, unit, description }: { name: string; unit: string; description: string },
    times: Float64Array,
    values: Float64Array,
  ) {
    this.name = name;
    this.unit = unit;
    this.description = description;
    this.times = times;
    this.values = values;
  }

  get length(): number {
    return this.values.length;
  }

  /** The value of row `index`; −1 is the last. Undefined outside, as with arrays. */
  at(index: number): number | undefined {
    return this.values.at(index);
  }

  /** The row of the smallest value, the first if there are several; NaN is passed over; −1 if nothing is left. */
  argmin(): number {
    return this.#best((value, best) => value < best);
  }

  /** The row of the largest value, the first if there are several; NaN is passed over; −1 if nothing is left. */
  argmax(): number {
    return this.#best((value, best) => value > best);
  }

  /** NaN if there is no value. */
  min(): number {
    return this.values[this.argmin()] ?? Number.NaN;
  }

  /** NaN if there is no value. */
  max(): number {
    return this.values[this.argmax()] ?? Number.NaN;
  }

  #best(better: (value: number, best: number) => boolean): number {
    const { values } = this;
    let found = -1;
    for (let i = 0; i < values.length; i++)
      if (!Number.isNaN(values[i]) && (found < 0 || better(values[i], values[found]))) found = i;
    return found;
  }

  /**
   * The value at a time, on the straight line between the rows around it. At a time that was recorded several times
   * it is the last of them: what holds after the event.
   *
   * @param time s, within what was recorded
   */
  valueAt(time: number): number {
    const { times, values } = this;
    const end = times.length - 1;
    if (!(time >= times[0] && time <= times[end]))
      throw new ModelError(
        this.name,
        end < 0
          ? 'nothing is recorded yet'
          : `expected a time from ${times[0]} to ${times[end]} s, which is what was recorded, got ${time}`,
      );
    // The last row that is not later than the time
    let low = 0;
    let high = end;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (times[middle] <= time) low = middle;
      else high = middle - 1;
    }
    if (times[low] === time) return values[low];
    const part = (time - times[low]) / (times[low + 1] - times[low]);
    return values[low] + part * (values[low + 1] - values[low]);
  }
}
