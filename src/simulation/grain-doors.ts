/** Where grains come in and go out during a run: inlets draw from seeded streams of their own, outlets take what lies in their region. */
import { ModelError } from '../errors.js';
import type { Bed, NewGrain } from '../grains/bed.js';
import type { Clearance } from '../grains/clearance.js';
import type { GrainPlan } from '../grains/grain-plan.js';
import { type Sizes, sizesOf } from '../grains/grain-sizes.js';
import { wayBetween } from '../grains/neighbourhood.js';
import { type Region, regionOf } from '../grains/region.js';
import { type Random, random } from '../math/random.js';
import type { Vec3 } from '../math/vec3.js';
import type { Inlet } from '../model/grains.js';
import { comingGrain } from './coming-grains.js';
import type { GrainTrails } from './grain-trails.js';

export interface OpenInlet {
  readonly name: string;
  readonly inlet: Inlet;
  readonly kind: number;
  readonly region: Region;
  readonly sizes: Sizes;
  readonly places: Random;
  /** Where grains have shapes: what comes after so many others */
  readonly coming: ((turn: number) => NewGrain) | undefined;
  emitted: number;
  /** The grain that is due next, its place apart: it stays the same until there is room, or large ones would be passed over */
  next: (Partial<NewGrain> & { readonly radius: number }) | undefined;
  /** Places that were tried in vain, and those of them that were in walls */
  skipped: number;
  inWalls: number;
}

export interface OpenOutlet {
  readonly name: string;
  readonly region: Region;
  /** Its least extent, m: longer ways are looked at between their ends */
  readonly thinnest: number;
  count: number;
  /** Of them, those that lay in it at the start */
  atOnce: number;
  mass: number;
  /** Masses that had left at the last rows, kg, and when */
  past: { readonly t: number; readonly mass: number }[];
}

export class GrainDoors {
  readonly inlets: readonly OpenInlet[];
  readonly outlets: readonly OpenOutlet[];
  /** Grains that have left */
  removed = 0;
  /** How often doors were looked at */
  private fed = 0;
  /** Kinetic and potential energy of grains that came, less that of those that left, J */
  brought = 0;
  private readonly plan: GrainPlan;
  private readonly bed: Bed;
  private readonly free: Clearance;
  private readonly trails: GrainTrails;
  private readonly way = new Float64Array(3);

  /** @param moving walls may make room for an inlet later */
  constructor(plan: GrainPlan, bed: Bed, free: Clearance, trails: GrainTrails, moving: boolean) {
    this.plan = plan;
    this.bed = bed;
    this.free = free;
    this.trails = trails;
    const { grains, species } = plan;
    this.inlets = Object.entries(grains.inlets ?? {}).map(([name, inlet], number) => {
      const kind = species.findIndex(([other]) => other === inlet.species);
      const stream = random(`${grains.seed ?? 1} inlet ${name}`);
      return {
        name,
        inlet,
        kind,
        region: regionOf(inlet.region),
        sizes: sizesOf(species[kind][1].radius, stream.fork('sizes')),
        places: stream.fork('places'),
        coming: plan.forms ? (turn) => comingGrain(plan, number, turn) : undefined,
        emitted: 0,
        next: undefined,
        skipped: 0,
        inWalls: 0,
      };
    });
    this.outlets = Object.entries(grains.outlets ?? {}).map(([name, { region: given }]) => {
      const region = regionOf(given);
      const extents = [0, 1, 2].map((k) => region.high[k] - region.low[k]);
      return { name, region, thinnest: Math.min(...extents), count: 0, atOnce: 0, mass: 0, past: [] };
    });
    for (const open of this.inlets) this.refuseUseless(open, moving);
  }

  /** An inlet without a place that is clear of walls, or whose grains would be taken out at once */
  private refuseUseless({ name, region, inlet, sizes }: OpenInlet, moving: boolean): void {
    const path = `grains.inlets.${name}.region`;
    const places = random(path);
    let room = false;
    let taker: OpenOutlet | undefined;
    let stays = false;
    for (let k = 0; k < TRIES && !(room && stays); k++) {
      const [x, y, z] = placeIn(region, places);
      if (!region.contains(x, y, z)) continue;
      room ||= moving || this.free(x, y, z, sizes.least);
      const outlet = this.outlets.find((one) => one.region.contains(x, y, z));
      taker ??= outlet;
      stays ||= outlet === undefined;
    }
    if (!room)
      throw new ModelError(
        path,
        `no place in it is clear of walls for a grain of ${sizes.least} m of "${inlet.species}"; move it out of the bodies, or make it larger`,
      );
    if (!stays && taker) throw new ModelError(path, `lies in grains.outlets.${taker.name}, which takes all its grains`);
  }

  get any(): boolean {
    return this.inlets.length + this.outlets.length > 0;
  }

  /** Some outlet could be passed between two looks. */
  get following(): boolean {
    return this.outlets.some(({ thinnest }) => thinnest < Number.POSITIVE_INFINITY);
  }

  /** Takes out what has left and lets in what is due at t; between the drift and the forces of a step of `step` s, when velocities are half of it behind. */
  feed(t: number, step: number): void {
    const { bed } = this;
    if (this.outlets.length > 0) {
      const { grains: x, motion: v, ids } = bed;
      const gone: { readonly i: number; readonly outlet: OpenOutlet }[] = [];
      const { count } = bed;
      for (let i = 0; i < count; i++)
        for (const outlet of this.outlets)
          if (this.reached(outlet, i, x)) {
            gone.push({ i, outlet });
            break;
          }
      // Sums in the order of numbers
      gone.sort((a, b) => ids[a.i] - ids[b.i]);
      for (const { i, outlet } of gone) {
        if (this.fed === 0) outlet.atOnce++;
        this.brought -= bed.energyOf(i, 0.5 * step);
        outlet.count++;
        outlet.mass += 1 / v[8 * i + 3];
      }
      if (gone.length > 0) bed.remove(gone.map(({ i }) => i));
      this.removed += gone.length;
    }
    for (const open of this.inlets) this.let(open, t, step);
    this.fed++;
  }

  /** Whether a grain is in an outlet, or was on its way since the last look */
  private reached({ region, thinnest }: OpenOutlet, i: number, x: Float64Array): boolean {
    if (region.contains(x[4 * i], x[4 * i + 1], x[4 * i + 2])) return true;
    const { way } = this;
    if (thinnest === Number.POSITIVE_INFINITY || !this.trails.wayOf(i, x, way)) return false;
    const length = Math.sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    const parts = Math.min(MOST_PARTS, Math.ceil((2 * length) / thinnest));
    for (let k = 1; k < parts; k++) {
      const back = k / parts;
      if (region.contains(x[4 * i] - back * way[0], x[4 * i + 1] - back * way[1], x[4 * i + 2] - back * way[2]))
        return true;
    }
    return false;
  }

  private let(open: OpenInlet, t: number, step: number): void {
    const { inlet, region } = open;
    const { from = 0, until = Number.POSITIVE_INFINITY, count = Number.POSITIVE_INFINITY } = inlet;
    const due = Math.min(count, Math.floor((Math.min(t, until) - from) * inlet.rate));
    const fresh: NewGrain[] = [];
    const { density } = this.plan.species[open.kind][1].material;
    const most = this.plan.grains.most ?? Number.POSITIVE_INFINITY;
    let tries = 0;
    while (open.emitted < due && this.bed.count + fresh.length < most) {
      open.next ??= open.coming ? open.coming(open.emitted) : { radius: open.sizes.draw() };
      const { radius, position: _, ...rest } = open.next;
      const position = placeIn(region, open.places);
      const inside = region.contains(...position);
      const inWall = inside && !this.free(...position, radius);
      if (inWall) open.inWalls++;
      if (!inside || inWall || this.taken(position, radius, fresh)) {
        open.skipped++;
        if (++tries < TRIES_A_LOOK) continue;
        break; // again next time
      }
      tries = 0;
      const { velocity } = inlet;
      fresh.push({ position, radius, kind: open.kind, density, ...(velocity && { velocity }), ...rest });
      open.emitted++;
      open.next = undefined;
    }
    if (fresh.length === 0) return;
    const before = new Set(this.bed.ids.subarray(0, this.bed.count));
    this.bed.add(fresh);
    const { ids } = this.bed;
    for (let i = 0; i < this.bed.count; i++) if (!before.has(ids[i])) this.brought += this.bed.energyOf(i, 0.5 * step);
  }

  private taken([px, py, pz]: Vec3, radius: number, fresh: readonly NewGrain[]): boolean {
    const { grains: x, period } = this.bed;
    const overlaps = (qx: number, qy: number, qz: number, other: number): boolean => {
      const dx = wayBetween(qx, px, 0, period);
      const dy = wayBetween(qy, py, 1, period);
      const dz = wayBetween(qz, pz, 2, period);
      return dx * dx + dy * dy + dz * dz < (radius + other) * (radius + other);
    };
    for (let i = 0; i < this.bed.count; i++)
      if (overlaps(x[4 * i], x[4 * i + 1], x[4 * i + 2], x[4 * i + 3])) return true;
    return fresh.some(({ position: [qx, qy, qz], radius: r }) => overlaps(qx, qy, qz, r));
  }

  /** How many grains an inlet should have let in by t, and why it has not, in words */
  remarks(t: number): string[] {
    return [
      ...this.inlets
        .filter(({ inlet, emitted }) => emitted < Math.floor(expectedNumber(inlet, t)) - 1)
        .map(
          ({ name, emitted, inlet, skipped, inWalls }) =>
            `grains.inlets.${name} could place ${emitted} of ${Math.floor(expectedNumber(inlet, t))} grains: there was no room in its region, clear of others and of walls` +
            (inWalls > 0 ? ` (${inWalls} of the ${skipped} places tried in vain were in walls)` : ''),
        ),
      ...this.inlets
        .filter(({ inlet: { from = 0 } }) => from > t)
        .map(({ name, inlet }) => `grains.inlets.${name} was to open at ${inlet.from} s, after the end at ${t} s`),
      ...this.outlets
        .filter(({ atOnce }) => atOnce > 0)
        .map(
          ({ name, atOnce }) => `${atOnce} grains lay in grains.outlets.${name} at the start and were taken at once`,
        ),
      ...this.outlets.filter(({ count }) => count === 0).map(({ name }) => `no grain came to grains.outlets.${name}`),
    ];
  }

  /** Counts, and what flows are told from */
  snapshot(): Float64Array {
    return Float64Array.from([
      this.removed,
      this.brought,
      ...this.inlets.flatMap(({ emitted, skipped }) => [emitted, skipped]),
      ...this.outlets.flatMap(({ count, mass, past }) => [
        count,
        mass,
        past.length,
        ...past.flatMap(({ t, mass: left }) => [t, left]),
      ]),
      ...this.outlets.map(({ atOnce }) => atOnce),
      ...this.inlets.map(({ inWalls }) => inWalls),
    ]);
  }

  /** Streams are drawn from as often as they were. */
  restore(numbers: Float64Array): void {
    let at = 0;
    this.fed = 1;
    this.removed = numbers[at++];
    this.brought = numbers[at++];
    for (const open of this.inlets) {
      open.emitted = numbers[at++];
      open.skipped = numbers[at++];
      for (let k = 0; k < open.emitted + open.skipped; k++) placeIn(open.region, open.places);
      if (!open.coming) for (let k = 0; k < open.emitted; k++) open.sizes.draw();
    }
    for (const outlet of this.outlets) {
      outlet.count = numbers[at++];
      outlet.mass = numbers[at++];
      const rows = numbers[at++];
      outlet.past = Array.from({ length: rows }, () => ({ t: numbers[at++], mass: numbers[at++] }));
    }
    for (const outlet of this.outlets) outlet.atOnce = numbers[at++] ?? 0;
    for (const open of this.inlets) open.inWalls = numbers[at++] ?? 0;
  }
}

/** At random within its bounds; a region may be flat, a line or a point. */
const placeIn = ({ low, high }: Region, places: Random): Vec3 =>
  [0, 1, 2].map((k) => (high[k] > low[k] ? places.uniformBetween(low[k], high[k]) : low[k])) as unknown as Vec3;

/** Places of a way between two looks that are looked at, at most */
const MOST_PARTS = 64;

/** Places that a grain is tried at before it waits for the next look */
const TRIES_A_LOOK = 16;

/** Places that are looked at before an inlet counts as useless */
const TRIES = 400;

export const expectedNumber = (
  { rate, from = 0, until = Number.POSITIVE_INFINITY, count = Number.POSITIVE_INFINITY }: Inlet,
  t: number,
): number => Math.min(count, Math.max(0, Math.min(t, until) - from) * rate);
