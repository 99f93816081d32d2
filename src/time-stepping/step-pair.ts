/**
 * A pair of shapes in a time-stepping run: how its points are found, what its materials say, and its regions with their memory.
 */
import type { ContactPair } from '../contact/contact-pair.js';
import { COLUMN, PairTable } from '../contact/contact-table.js';
import type { ShapeFacts } from '../contact/shape-facts.js';
import { dampingFactor } from '../contact-laws/normal/restitution.js';
import type { PairLaw } from '../contact-laws/pair-law.js';
import { convexHull } from '../geometry/hull.js';
import type { Solid } from '../geometry/solid.js';
import type { Tape } from '../math/tape.js';
import { type ConvexShape, convexShape } from '../narrow-phase/manifold/index.js';
import { ContactRegion } from './contact-region.js';
import { ConvexFinder } from './convex-finder.js';
import type { FoundPoints, PointFinder } from './found-points.js';
import { HalfSpaceFinder } from './half-space-finder.js';
import { REGION, type RegionStore } from './region-store.js';
import { RouteFinder } from './route-finder.js';

/** h² k w below this: the law of the materials is soft enough to be followed, else the contact is rigid. */
export const SOFT = 0.1;

export class StepPair {
  readonly a: number;
  readonly b: number;
  /** Carrier of the smaller body, in whose axes regions remember: points are its corners, and move with it */
  readonly home: number;
  readonly law: PairLaw;
  readonly regions: ContactRegion[] = [];
  /** Regions of this step */
  active = 0;
  /** Step in which it was looked at last */
  stamp = -2;
  /** As they were when the step began */
  savedStamp = -2;
  savedActive = 0;
  /** m: of the smaller body, and cube root of its volume */
  readonly size: number;
  readonly length: number;
  /** e; 0 where the law has a damping of its own */
  readonly restitution: number;
  readonly damping: number;
  /** J in the last step: turned into heat, of it by friction, and of that in blows */
  heat = 0;
  frictionHeat = 0;
  blowFriction = 0;
  /** It has returned a blow. */
  rebounds = false;
  readonly table = new PairTable();

  constructor(
    readonly pair: ContactPair,
    readonly shapeA: number,
    readonly shapeB: number,
    readonly finder: PointFinder,
    { sizes, lengths }: ShapeFacts,
    private readonly store: RegionStore,
  ) {
    this.a = pair.a;
    this.b = pair.b;
    this.law = pair.law;
    this.home = sizes[pair.route.a] < sizes[pair.route.b] ? pair.a : pair.b;
    const smaller = Math.min(sizes[shapeA], sizes[shapeB]);
    this.size = Number.isFinite(smaller) ? smaller : 1;
    const length = Math.min(lengths[shapeA], lengths[shapeB]);
    this.length = Number.isFinite(length) ? length : this.size;
    this.restitution = pair.law.restitution === 'none' ? 0 : Math.min(1, Math.max(0, pair.law.properties.restitution));
    this.damping = dampingFactor(Math.max(5e-4, this.restitution));
  }

  /** Friction coefficient at a slip speed, m/s */
  coefficient(slip: number): number {
    const { friction, properties } = this.law;
    if (friction.kind === 'none') return 0;
    if (friction.kind === 'curve') return properties.kineticFriction;
    return typeof friction.coefficient === 'number' ? friction.coefficient : friction.coefficient.coefficient(slip);
  }

  /** Stiffness of the materials by the approach of the bodies for a region with an area at the depth of rest, N/m: K A of a bed, ∝ √A of an overlap */
  lawStiffness(area: number): number {
    const { stiffness, exponent, depthOf } = this.law;
    if (exponent !== 1 || depthOf === 'depth' || !(area > 0)) return stiffness;
    const part = area / (this.length * this.length);
    return 2 * stiffness * (depthOf === 'bed' ? part : Math.sqrt(part));
  }

  /** k of the law N = k dⁿ of the materials at each of the points of a region, N/mⁿ; dN/dd of all is `lawStiffness` at the depth of rest */
  pointStiffness(area: number, count: number): number {
    const { exponent, referenceDepth } = this.law;
    const own = this.lawStiffness(area) / count;
    return exponent === 1 ? own : own / (1.5 * Math.sqrt(referenceDepth));
  }

  /**
   * Gives what was found to the regions: the nearest that is alive, else a new one.
   *
   * @param axes, at, origin, from axes and place of the smaller body
   */
  match(found: FoundPoints, axes: Float64Array, at: number, origin: Float64Array, from: number): void {
    const { regions } = this;
    const count = found.regions;
    while (regions.length < count) regions.push(new ContactRegion(this.store));
    if (count > 1 || this.active > 1) this.order(found, axes, at, origin, from);
    for (let r = 0; r < count; r++) regions[r].take(found, r);
    for (let r = count; r < regions.length; r++) regions[r].forget();
    this.active = count;
  }

  /** Puts the region whose middle was nearest to each found one in its place. */
  private order(found: FoundPoints, axes: Float64Array, at: number, origin: Float64Array, from: number): void {
    const { regions } = this;
    const d = this.store.values;
    for (let r = 0; r < found.regions; r++) {
      let best = -1;
      let least = Number.POSITIVE_INFINITY;
      for (let i = r; i < regions.length; i++) {
        if (!regions[i].alive) continue;
        const m = regions[i].at + REGION.oldMiddle;
        let square = 0;
        for (let k = 0; k < 3; k++) {
          const x =
            axes[at + 3 * k] * d[m] +
            axes[at + 3 * k + 1] * d[m + 1] +
            axes[at + 3 * k + 2] * d[m + 2] +
            origin[from + k];
          let middle = 0;
          for (let p = 0; p < found.count[r]; p++) middle += found.place[12 * r + 3 * p + k] / found.count[r];
          square += (x - middle) * (x - middle);
        }
        if (square < least) {
          least = square;
          best = i;
        }
      }
      if (best < 0) {
        // none is left: an empty one
        for (let i = r; i < regions.length && best < 0; i++) if (!regions[i].alive) best = i;
        if (best < 0) continue;
      }
      if (best !== r) {
        const other = regions[r];
        regions[r] = regions[best];
        regions[best] = other;
      }
    }
  }

  /** What lasts, and what was told of the last step that looked at it */
  remember(tape: Tape): void {
    const { regions, table } = this;
    const count = tape.number(regions.length);
    while (regions.length < count) regions.push(new ContactRegion(this.store));
    for (const region of regions) region.keepOn(tape);
    this.active = tape.number(this.active);
    this.stamp = tape.number(this.stamp);
    this.rebounds = tape.flag(this.rebounds);
    table.count = tape.number(table.count);
    const told = tape.numbers(table.values.subarray(0, table.count * COLUMN.width));
    if (tape.reading) table.values = Float64Array.from(told);
  }

  /** Nothing is near any more. */
  forget(): void {
    for (const region of this.regions) region.forget();
    this.active = 0;
  }
}

/** Convex forms of shapes, made once; bricks of one size share theirs */
export class StepShapes {
  private readonly known = new Map<Solid, ConvexShape | undefined>();
  private readonly hulls = new Map<Solid, ConvexShape | undefined>();
  private readonly alike = new Map<string, ConvexShape | undefined>();

  private of(solid: Solid): ConvexShape | undefined {
    if (!this.known.has(solid)) this.known.set(solid, this.made(solid));
    return this.known.get(solid);
  }

  /** The form tells all of a box, in whose frame the shape is. */
  private made(solid: Solid): ConvexShape | undefined {
    const { form } = solid;
    if (form.kind !== 'box') return convexShape(solid);
    const key = form.size.join(' ');
    if (!this.alike.has(key)) this.alike.set(key, convexShape(solid));
    return this.alike.get(key);
  }

  /** Of a solid that is not convex, all that a plane can touch */
  private hullOf(solid: Solid): ConvexShape | undefined {
    if (!this.hulls.has(solid)) this.hulls.set(solid, convexShape({ ...solid, mesh: convexHull(solid.mesh.vertices) }));
    return this.hulls.get(solid);
  }

  /** How points of a pair are found */
  finder({ route }: ContactPair, { shapes, sizes }: ShapeFacts): PointFinder {
    const size = Math.min(sizes[route.a], sizes[route.b]);
    const first = shapes[route.a];
    const second = shapes[route.b];
    const solidA = first.surface ? undefined : first.solid;
    const solidB = second.surface ? undefined : second.solid;
    if (!solidA || !solidB) return new RouteFinder(route, size);
    if (solidA.form.kind === 'halfSpace' || solidB.form.kind === 'halfSpace') {
      const planeIsA = solidA.form.kind === 'halfSpace';
      const other = planeIsA ? solidB : solidA;
      const shape = other.form.kind === 'halfSpace' ? undefined : (this.of(other) ?? this.hullOf(other));
      if (!shape) return new RouteFinder(route, size);
      return new HalfSpaceFinder(planeIsA ? route.a : route.b, planeIsA ? route.b : route.a, planeIsA, shape, other);
    }
    const a = this.of(solidA);
    const b = this.of(solidB);
    return a && b ? new ConvexFinder(route.a, route.b, a, b) : new RouteFinder(route, size);
  }
}
