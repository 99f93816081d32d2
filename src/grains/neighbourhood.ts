/** Grains that are there, by cell: who is near a place. Where space is periodic, nearness goes through its borders. */
import type { Vec3 } from '../math/vec3.js';

/** Low corner and lengths of a periodic box, m; length 0 along an axis: not periodic */
export interface Period {
  readonly low: Vec3;
  readonly length: Vec3;
}

/** The shortest way from b to a along axis k, m */
export function wayBetween(a: number, b: number, k: number, period: Period | undefined): number {
  const way = a - b;
  const length = period?.length[k] ?? 0;
  return length > 0 ? way - length * Math.round(way / length) : way;
}

/** The image of a coordinate along axis k that lies in the period, m */
export function imageWithin(x: number, k: number, period: Period | undefined): number {
  const length = period?.length[k] ?? 0;
  return length > 0 ? x - length * Math.floor((x - period!.low[k]) / length) : x;
}

export class Neighbourhood {
  /** Of a cell along each axis, m; where space is periodic a whole number of cells fills the period */
  private readonly sides: Vec3;
  /** Cells along each axis; 0 where there is no end to them */
  private readonly around: Vec3;
  private readonly period: Period | undefined;
  private readonly cells = new Map<string, number[]>();
  private readonly numbers: number[] = [];

  /** @param side of a cell, m: at least the greatest diameter */
  constructor(side: number, period?: Period) {
    this.period = period;
    const lengths = [0, 1, 2].map((k) => period?.length[k] ?? 0);
    const around = lengths.map((length) => (length > 0 ? Math.max(1, Math.floor(length / side)) : 0));
    this.around = around as unknown as Vec3;
    this.sides = lengths.map((length, k) => (length > 0 ? length / around[k] : side)) as unknown as Vec3;
  }

  add(x: number, y: number, z: number, radius: number): void {
    const index = this.numbers.push(x, y, z, radius) / 4 - 1;
    const key = this.key(x, y, z, 0, 0, 0);
    const cell = this.cells.get(key);
    if (cell) cell.push(index);
    else this.cells.set(key, [index]);
  }

  at(index: number): Vec3 {
    const o = 4 * index;
    return [this.numbers[o], this.numbers[o + 1], this.numbers[o + 2]];
  }

  /** Whether one of those that overlap is seen as asked for. @param see its number, and the way from its centre, m */
  someNear(x: number, y: number, z: number, radius: number, see: (index: number, way: Vec3) => boolean): boolean {
    const { numbers, period } = this;
    for (let k = 0; k < 27; k++) {
      const cell = this.cells.get(this.key(x, y, z, (k % 3) - 1, (Math.floor(k / 3) % 3) - 1, Math.floor(k / 9) - 1));
      if (!cell) continue;
      for (const i of cell) {
        const dx = wayBetween(x, numbers[4 * i], 0, period);
        const dy = wayBetween(y, numbers[4 * i + 1], 1, period);
        const dz = wayBetween(z, numbers[4 * i + 2], 2, period);
        const least = radius + numbers[4 * i + 3];
        if (dx * dx + dy * dy + dz * dz < least * least && see(i, [dx, dy, dz])) return true;
      }
    }
    return false;
  }

  /** The first that overlaps by more than `part` of the smaller radius, −1 if none */
  firstNear(x: number, y: number, z: number, radius: number, part: number): number {
    const { numbers, period } = this;
    for (let k = 0; k < 27; k++) {
      const cell = this.cells.get(this.key(x, y, z, (k % 3) - 1, (Math.floor(k / 3) % 3) - 1, Math.floor(k / 9) - 1));
      if (!cell) continue;
      for (const i of cell) {
        const dx = wayBetween(x, numbers[4 * i], 0, period);
        const dy = wayBetween(y, numbers[4 * i + 1], 1, period);
        const dz = wayBetween(z, numbers[4 * i + 2], 2, period);
        const other = numbers[4 * i + 3];
        const least = radius + other - part * Math.min(radius, other);
        if (dx * dx + dy * dy + dz * dz < least * least) return i;
      }
    }
    return -1;
  }

  private key(x: number, y: number, z: number, dx: number, dy: number, dz: number): string {
    return `${this.cellOf(x, 0, dx)},${this.cellOf(y, 1, dy)},${this.cellOf(z, 2, dz)}`;
  }

  private cellOf(x: number, k: number, beside: number): number {
    const cell = Math.floor(x / this.sides[k]) + beside;
    const around = this.around[k];
    return around > 0 ? ((cell % around) + around) % around : cell;
  }
}
