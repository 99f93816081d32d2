/** What a model measures of its grains at places it names: means over regions and grids, flows through planes, pressures on walls. */
import type { Solid } from '../geometry/solid.js';
import type { Bed, ContactRecords } from '../grains/bed.js';
import { FIELD_COLUMNS, fieldsOf, gridParts, orderedContacts, type Parts } from '../grains/grain-fields.js';
import type { GrainPlan } from '../grains/grain-plan.js';
import { type Region, regionOf } from '../grains/region.js';
import type { Model } from '../model/model.js';
import type { RecordTable } from '../results/record-table.js';
import type { Recording, SignalDescription } from '../results/recording.js';

/** Rows over which flows are told */
const FLOW_ROWS = 20;

/** Grains and contacts of an instant */
export interface GrainInstant {
  readonly t: number;
  /** In the order of their numbers */
  readonly places: Int32Array;
  /** m/s, 3 per place */
  readonly speeds: Float64Array;
  readonly records: ContactRecords;
  /** Whether it is the turn of what is kept at every so many rows */
  readonly kept: boolean;
}

interface Probe {
  readonly signals: readonly SignalDescription[];
  open?(recording: Recording): void;
  measure(now: GrainInstant, contacts: Float64Array, row: Float64Array, at: number): void;
  /** What it remembers from row to row */
  snapshot?(): number[];
  restore?(numbers: ArrayLike<number>): void;
}

export class GrainProbes {
  readonly descriptions: readonly SignalDescription[];
  private readonly probes: readonly Probe[];
  private readonly bed: Bed;

  constructor(plan: GrainPlan, bed: Bed, model: Model) {
    this.bed = bed;
    this.probes = Object.entries(plan.grains.probes ?? {}).map(([name, probe]): Probe => {
      if ('grid' in probe) return new GridProbe(name, bed, probe.grid.box, probe.grid.cells);
      if ('plane' in probe) return new PlaneProbe(name, bed, probe.plane);
      if ('wall' in probe) {
        const region = probe.region && regionOf(probe.region);
        const body = plan.wallNames.indexOf(probe.wall);
        const { shape } = model.bodies.get(probe.wall)!;
        const solids = (shape === undefined ? [] : Array.isArray(shape) ? shape : [shape]) as readonly Solid[];
        return new WallProbe(name, body, region, probe.area ?? areaIn(bed, body, solids, region));
      }
      return new RegionProbe(name, bed, regionOf(probe.region));
    });
    this.descriptions = this.probes.flatMap(({ signals }) => signals);
  }

  get any(): boolean {
    return this.probes.length > 0;
  }

  /** Adds tables; before the first row. */
  open(recording: Recording): void {
    for (const probe of this.probes) probe.open?.(recording);
  }

  measure(now: GrainInstant, row: Float64Array, first: number): void {
    if (this.probes.length === 0) return;
    const contacts = orderedContacts(this.bed, now.records);
    let at = first;
    for (const probe of this.probes) {
      probe.measure(now, contacts, row, at);
      at += probe.signals.length;
    }
  }

  snapshot(): number[][] {
    return this.probes.map((probe) => probe.snapshot?.() ?? []);
  }

  restore(numbers: readonly ArrayLike<number>[]): void {
    this.probes.forEach((probe, k) => {
      probe.restore?.(numbers[k]);
    });
  }
}

class RegionProbe implements Probe {
  readonly signals: readonly SignalDescription[];
  private readonly parts: Parts;

  constructor(
    name: string,
    private readonly bed: Bed,
    region: Region,
  ) {
    this.signals = FIELD_COLUMNS.map(({ name: own, unit = '' }) => ({
      name: `${name}.${own}`,
      unit,
      description: 'of grains in the region',
    }));
    this.parts = { count: 1, volume: region.volume, partOf: (x, y, z) => (region.contains(x, y, z) ? 0 : -1) };
  }

  measure({ places, speeds, records }: GrainInstant, contacts: Float64Array, row: Float64Array, at: number): void {
    row.set(fieldsOf(this.bed, this.parts, places, speeds, records, contacts), at);
  }
}

/** A row of its table for each cell, wherever grains are kept */
class GridProbe implements Probe {
  readonly signals: readonly SignalDescription[] = [];
  private readonly parts: ReturnType<typeof gridParts>;
  private table: RecordTable | undefined;

  constructor(
    private readonly name: string,
    private readonly bed: Bed,
    [a, b]: readonly [readonly number[], readonly number[]],
    cells: readonly number[],
  ) {
    const low = a.map((x, k) => Math.min(x, b[k]));
    this.parts = gridParts(
      low,
      a.map((x, k) => Math.max(x, b[k])),
      cells,
    );
  }

  open(recording: Recording): void {
    this.table = recording.addTable(this.name, [
      ...['x', 'y', 'z'].map((axis) => ({ name: axis, unit: 'm', quantity: 'middle of the cell' })),
      ...FIELD_COLUMNS,
    ]);
  }

  measure({ t, places, speeds, records, kept }: GrainInstant, contacts: Float64Array): void {
    if (!kept || !this.table) return;
    const fields = fieldsOf(this.bed, this.parts, places, speeds, records, contacts);
    const width = FIELD_COLUMNS.length;
    const values = new Float64Array(3 + width);
    for (let p = 0; p < this.parts.count; p++) {
      values.set(this.parts.centre(p));
      values.set(fields.subarray(width * p, width * (p + 1)), 3);
      this.table.append(t, values);
    }
  }
}

/** Net of what goes through along the normal, by the sides grains are on at two rows */
class PlaneProbe implements Probe {
  readonly signals: readonly SignalDescription[];
  private count = 0;
  private mass = 0;
  private past: { t: number; mass: number }[] = [];
  /** By number of the grain: 0 not seen, 1 behind, 2 in front */
  private sides = new Uint8Array(1024);

  constructor(
    name: string,
    private readonly bed: Bed,
    private readonly plane: {
      readonly through: readonly number[];
      readonly normal: readonly number[];
      readonly radius?: number | undefined;
    },
  ) {
    this.signals = [
      { name: `${name}.count`, description: 'grains that have gone through, less those that have come back' },
      { name: `${name}.mass`, unit: 'kg', description: 'that has gone through' },
      { name: `${name}.flow`, unit: 'kg/s', description: `mean of the last ${FLOW_ROWS} rows` },
    ];
  }

  measure({ t, places }: GrainInstant, _contacts: Float64Array, row: Float64Array, at: number): void {
    const { bed, plane } = this;
    const { grains: x, motion: v, ids } = bed;
    const within = (plane.radius ?? Number.POSITIVE_INFINITY) * (plane.radius ?? Number.POSITIVE_INFINITY);
    for (const i of places) {
      const id = ids[i];
      if (id >= this.sides.length) {
        const more = new Uint8Array(Math.max(2 * this.sides.length, id + 1));
        more.set(this.sides);
        this.sides = more;
      }
      let [along, square] = [0, 0];
      for (let k = 0; k < 3; k++) {
        const d = x[4 * i + k] - plane.through[k];
        along += d * plane.normal[k];
        square += d * d;
      }
      const side = along >= 0 ? 2 : 1;
      const before = this.sides[id];
      this.sides[id] = side;
      if (before === 0 || before === side || square - along * along > within) continue;
      this.count += side === 2 ? 1 : -1;
      this.mass += (side === 2 ? 1 : -1) / v[8 * i + 3];
    }
    this.past.push({ t, mass: this.mass });
    if (this.past.length > FLOW_ROWS + 1) this.past.shift();
    const [first] = this.past;
    row[at] = this.count;
    row[at + 1] = this.mass;
    row[at + 2] = t > first.t ? (this.mass - first.mass) / (t - first.t) : 0;
  }

  snapshot(): number[] {
    return [this.count, this.mass, this.past.length, ...this.past.flatMap(({ t, mass }) => [t, mass]), ...this.sides];
  }

  restore(numbers: ArrayLike<number>): void {
    const rows = numbers[2];
    this.count = numbers[0];
    this.mass = numbers[1];
    this.past = Array.from({ length: rows }, (_, k) => ({ t: numbers[3 + 2 * k], mass: numbers[4 + 2 * k] }));
    this.sides = Uint8Array.from(Array.from(numbers).slice(3 + 2 * rows));
  }
}

class WallProbe implements Probe {
  readonly signals: readonly SignalDescription[];

  constructor(
    name: string,
    private readonly body: number,
    private readonly region: Region | undefined,
    private readonly area: number,
  ) {
    const part = `of grains on the part of the wall, ${Number(area.toPrecision(4))} m²`;
    this.signals = [
      ...['x', 'y', 'z'].map((axis) => ({ name: `${name}.force.${axis}`, unit: 'N', description: part })),
      { name: `${name}.normal`, unit: 'N', description: `sum of the normal forces ${part}` },
      { name: `${name}.pressure`, unit: 'Pa', description: 'that sum by the area' },
      { name: `${name}.contacts`, description: 'on the part of the wall' },
    ];
  }

  measure({ records }: GrainInstant, contacts: Float64Array, row: Float64Array, at: number): void {
    const r = records.numbers;
    const own = -1 - this.body;
    row.fill(0, at, at + 6);
    for (const o of contacts) {
      if (r[o + 1] !== own || !(this.region?.contains(r[o + 10], r[o + 11], r[o + 12]) ?? true)) continue;
      for (let k = 0; k < 3; k++) row[at + k] -= r[o + 7 + k];
      row[at + 3] += r[o + 6];
      row[at + 5]++;
    }
    row[at + 4] = row[at + 3] / this.area;
  }
}

/** Area of a body's mesh in a region where the body is at the start, by triangles cut into small ones */
function areaIn(bed: Bed, body: number, solids: readonly Solid[], region: Region | undefined): number {
  const { rotation: q, position } = bed.walls[body].pose;
  let area = 0;
  for (const { mesh } of solids) {
    const { vertices, triangles } = mesh;
    const point = (v: number): number[] =>
      [0, 1, 2].map(
        (k) =>
          position[k] +
          q[3 * k] * vertices[3 * v] +
          q[3 * k + 1] * vertices[3 * v + 1] +
          q[3 * k + 2] * vertices[3 * v + 2],
      );
    for (let f = 0; f < triangles.length; f += 3) {
      const [a, b, c] = [point(triangles[f]), point(triangles[f + 1]), point(triangles[f + 2])];
      const [u, v] = [b.map((x, k) => x - a[k]), c.map((x, k) => x - a[k])];
      const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
      const whole = 0.5 * Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
      if (!region) {
        area += whole;
        continue;
      }
      let inside = 0;
      for (let i = 0; i < CUTS; i++)
        for (let j = 0; j < 2 * (CUTS - i) - 1; j++) {
          // The 2 (n − i) − 1 small triangles of strip i, upright and upside down in turn
          const [s, t] = [(i + (j % 2 ? 2 / 3 : 1 / 3)) / CUTS, (Math.floor(j / 2) + (j % 2 ? 2 / 3 : 1 / 3)) / CUTS];
          const [x, y, z] = a.map((o, k) => o + s * u[k] + t * v[k]);
          if (region.contains(x, y, z)) inside++;
        }
      area += (whole * inside) / (CUTS * CUTS);
    }
  }
  return area;
}

const CUTS = 40;
