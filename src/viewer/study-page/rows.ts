/** The study's rows as charts see them: numbers by column, and which row is pointed at, chosen, or kept by the brushes. */
import type { ReportColumn, StudyReport } from '../study-report.js';

export interface Axis {
  readonly name: string;
  readonly unit: string;
  readonly role: ReportColumn['role'];
  /** Numbers; texts and truth values as the place among those there are */
  readonly values: Float64Array;
  /** What stands at whole numbers, where values are no numbers */
  readonly words: readonly string[];
  readonly low: number;
  readonly high: number;
  readonly log: boolean;
}

/** Columns that vary; NaN where a run gave nothing */
export function axesOf({ columns }: StudyReport): Axis[] {
  return columns.flatMap((column): Axis[] => {
    const { name, unit, role, values: given } = column;
    const isNumber = given.every((value) => value === null || typeof value === 'number');
    const words = isNumber ? [] : [...new Set(given.filter((value) => value !== null).map(String))].sort();
    const values = Float64Array.from(given, (value) =>
      value === null ? Number.NaN : isNumber ? (value as number) : words.indexOf(String(value)),
    );
    let [low, high] = [Infinity, -Infinity];
    for (const value of values) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
    return low < high ? [{ name, unit, role, values, words, low, high, log: column.log && low > 0 }] : [];
  });
}

/** Place on an axis, 0 … 1 */
export function placeOn({ low, high, log }: Axis, value: number): number {
  return log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
}

export function valueAt({ low, high, log }: Axis, place: number): number {
  return log ? low * (high / low) ** place : low + place * (high - low);
}

export class Rows {
  readonly count: number;
  /** 1 where all brushes keep it */
  readonly kept: Uint8Array;
  hovered = -1;
  chosen = -1;
  colourBy = 0;
  private readonly brushes = new Map<Axis, readonly [number, number]>();
  private readonly listeners: { all: () => void; light: () => void }[] = [];

  constructor(
    readonly report: StudyReport,
    readonly axes: readonly Axis[],
  ) {
    this.count = report.status.length;
    this.kept = new Uint8Array(this.count).fill(1);
  }

  /** @param light called when only the row pointed at changes */
  listen(all: () => void, light: () => void = all): void {
    this.listeners.push({ all, light });
  }

  hover(row: number): void {
    if (row === this.hovered) return;
    this.hovered = row;
    for (const { light } of this.listeners) light();
  }

  choose(row: number): void {
    this.chosen = row;
    for (const { light } of this.listeners) light();
  }

  colour(axis: number): void {
    this.colourBy = axis;
    this.changed();
  }

  brushOf = (axis: Axis): readonly [number, number] | undefined => this.brushes.get(axis);

  /** Keeps rows between two places on an axis; undefined takes the brush away */
  brush(axis: Axis, range: readonly [number, number] | undefined): void {
    if (range) this.brushes.set(axis, range);
    else this.brushes.delete(axis);
    this.kept.fill(1);
    for (const [one, [from, to]] of this.brushes)
      for (let i = 0; i < this.count; i++) {
        const place = placeOn(one, one.values[i]);
        if (!(place >= from && place <= to)) this.kept[i] = 0;
      }
    this.changed();
  }

  changed(): void {
    for (const { all } of this.listeners) all();
  }

  /** 0 … 1 by the chosen colour axis; undefined where the run gave none */
  shade(row: number): number | undefined {
    const axis = this.axes[this.colourBy];
    const value = axis?.values[row];
    return axis && Number.isFinite(value) ? placeOn(axis, value) : undefined;
  }
}
