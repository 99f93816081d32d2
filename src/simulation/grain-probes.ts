/** What a model measures of its grains at places it names: means over regions and grids, flows through planes, pressures on walls. */
import type { Solid } from '../geometry/solid.js';
import type { Bed, ContactRecords } from '../grains/bed.js';
import { FIELD_COLUMNS, fieldsOf, gridParts, orderedContacts, type Parts } from '../grains/grain-fields.js';
import type { GrainPlan } from '../grains/grain-plan.js';
import { type Region, regionOf } from '../grains/region.js';
import type { Tape } from '../math/tape.js';
import type { Model } from '../model/model.js';
import type { RecordTable } from '../results/record-table.js';
import type { Recording, SignalDescription } from '../results/recording.js';
import type { GrainTrails } from './grain-trails.js';

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
  /** Between looks, before the trails are marked */
  follow?(): void;
  /** What it remembers from row to row */
  remember?(tape: Tape): void;
}

export class GrainProbes {
  readonly descriptions: readonly SignalDescription[];
  private readonly probes: readonly Probe[];
  private readonly bed: Bed;

  constructor(plan: GrainPlan, bed: Bed, model: Model, trails: GrainTrails) {
    this.bed = bed;
    this.probes = Object.entries(plan.grains.probes ?? {}).map(([name, probe]): Probe => {
      if ('grid' in probe) return new GridProbe(name, bed, probe.grid.box, probe.grid.cells);
      if ('plane' in probe) return new PlaneProbe(name, bed, probe.plane, trails);
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

  /** Some want to see every way that grains come. */
  get following(): boolean {
    return this.probes.some(({ follow }) => follow !== undefined);
  }

  follow(): void {
    for (const probe of this.probes) probe.follow?.();
  }

  remember(tape: Tape): void {
    for (const probe of this.probes) probe.remember?.(tape);
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

/** Net of what goes through along the normal: each way of a grain from one look to the next that has its ends on two sides */
class PlaneProbe implements Probe {
  readonly signals: readonly SignalDescription[];
  /** Up to the last mark of the trails */
  private readonly gone = { count: 0, mass: 0 };
  private past: { t: number; mass: number }[] = [];
  private readonly since = { count: 0, mass: 0 };
  private readonly way = new Float64Array(3);

  constructor(
    name: string,
    private readonly bed: Bed,
    private readonly plane: {
      readonly through: readonly number[];
      readonly normal: readonly number[];
      readonly radius?: number | undefined;
    },
    private readonly trails: GrainTrails,
  ) {
    this.signals = [
      { name: `${name}.count`, description: 'grains that have gone through, less those that have come back' },
      { name: `${name}.mass`, unit: 'kg', description: 'that has gone through' },
      { name: `${name}.flow`, unit: 'kg/s', description: `mean of the last ${FLOW_ROWS} rows` },
    ];
  }

  follow(): void {
    this.cross();
    this.gone.count += this.since.count;
    this.gone.mass += this.since.mass;
  }

  /** What went through since the trails were marked; masses in the order of numbers, so that their sum does not depend on how grains lie */
  private cross(): void {
    const { bed, plane, way, since } = this;
    const { grains: x, motion: v, ids, count } = bed;
    const within = (plane.radius ?? Number.POSITIVE_INFINITY) * (plane.radius ?? Number.POSITIVE_INFINITY);
    const through: { readonly id: number; readonly mass: number }[] = [];
    for (let i = 0; i < count; i++) {
      if (!this.trails.wayOf(i, x, way)) continue;
      let [after, before] = [0, 0];
      for (let k = 0; k < 3; k++) {
        const d = x[4 * i + k] - plane.through[k];
        after += d * plane.normal[k];
        before += (d - way[k]) * plane.normal[k];
      }
      if (after >= 0 === before >= 0) continue;
      // Where on its way it met the plane
      const back = after / (after - before);
      let square = 0;
      for (let k = 0; k < 3; k++) {
        const d = x[4 * i + k] - back * way[k] - plane.through[k];
        square += d * d;
      }
      if (!(square <= within)) continue;
      through.push({ id: ids[i], mass: (after >= 0 ? 1 : -1) / v[8 * i + 3] });
    }
    through.sort((a, b) => a.id - b.id);
    since.count = 0;
    since.mass = 0;
    for (const { mass } of through) {
      since.count += mass > 0 ? 1 : -1;
      since.mass += mass;
    }
  }

  measure({ t }: GrainInstant, _contacts: Float64Array, row: Float64Array, at: number): void {
    this.cross();
    const mass = this.gone.mass + this.since.mass;
    this.past.push({ t, mass });
    if (this.past.length > FLOW_ROWS + 1) this.past.shift();
    const [first] = this.past;
    row[at] = this.gone.count + this.since.count;
    row[at + 1] = mass;
    row[at + 2] = t > first.t ? (mass - first.mass) / (t - first.t) : 0;
  }

  remember(tape: Tape): void {
    tape.fields(this.gone);
    const past = tape.numbers(Float64Array.from(this.past.flatMap(({ t, mass }) => [t, mass])));
    this.past = Array.from({ length: past.length / 2 }, (_, k) => ({ t: past[2 * k], mass: past[2 * k + 1] }));
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
