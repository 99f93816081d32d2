/**
 * Which pairs of shapes are near enough to be forces. Boxes are swept over the step that is planned (broad phase); a pair that they find is listed
 * with states of its own until it has been away for a while and nothing is left in its bristles. What was found out about two shapes is kept
 * if they have touched; others are forgotten, or everybody who ever passed anybody would stay.
 */
import type { ContactShape, System } from '../assembly/system.js';
import { AllowedPairs } from '../broad-phase/allowed-pairs.js';
import { BroadPhase } from '../broad-phase/broad-phase.js';
import type { ShapeBounds } from '../broad-phase/shape-bounds.js';
import { inSeries } from '../contact-laws/combination.js';
import { tellableDepth } from '../contact-laws/depth-limits.js';
import { pairLaw } from '../contact-laws/pair-law.js';
import type { Carriers } from '../dynamics/tree/carriers.js';
import type { Tape } from '../math/tape.js';
import { norm } from '../math/vec3.js';
import type { Route } from '../narrow-phase/route.js';
import { ContactPair } from './contact-pair.js';
import type { Workbench } from './pair-regions.js';
import { rollingRadius, type ShapeFacts } from './shape-facts.js';
import type { StateRoom } from './state-room.js';

/** Depth below which nobody looks, as a fraction of the smaller body: floor of the reference depth for errors */
const DEPTH_FLOOR = 1e-5;
/** Steps for which a pair stays listed that has gone out of reach */
const STEPS_KEPT = 20;
/** Forms whose kind alone says how they are searched */
const PLAIN: ReadonlySet<string> = new Set([
  'sphere',
  'ellipsoid',
  'box',
  'cylinder',
  'capsule',
  'frustum',
  'halfSpace',
]);

/** A pair of shapes and what is kept of it while it is near, and as long as the run lasts if it has touched */
export interface ListedPair {
  readonly pair: ContactPair;
  readonly shapeA: number;
  readonly shapeB: number;
  /** Orders pairs as their shapes */
  readonly key: number;
  /** It is a force. */
  present: boolean;
  /** Updates since it was last within reach */
  stepsAway: number;
}

/** Pairs of shapes, by number */
export interface Candidates {
  readonly count: number;
  readonly a: Int32Array;
  readonly b: Int32Array;
}

export class ContactList {
  /** Pairs that are near; in the order of their shapes after `sort` */
  present: ListedPair[] = [];
  /** m/s² */
  readonly gravity: number;
  private readonly carriers: Carriers;
  private readonly known = new Map<number, ListedPair>();
  /** The first pair of each two materials, for reports */
  private readonly samples = new Map<string, ContactPair>();
  private readonly broad: BroadPhase;
  private readonly bounds: ShapeBounds;
  /** 6 per shape: where it is, and where it may be within the step */
  private readonly boxes: Float64Array;
  private readonly swept: Float64Array;

  /** @param carrierOf carrier of each shape */
  constructor(
    private readonly system: System,
    private readonly facts: ShapeFacts,
    private readonly bench: Workbench,
    private readonly room: StateRoom,
    readonly carrierOf: Int32Array,
  ) {
    const { shapes } = facts;
    this.carriers = bench.carriers;
    this.bounds = facts.bounds(this.carriers);
    const { rules, broadPhase } = system.contacts!;
    this.broad = new BroadPhase({ rules, method: broadPhase });
    this.boxes = new Float64Array(6 * shapes.length);
    this.swept = new Float64Array(6 * shapes.length);
    this.gravity = system.gravity.kind === 'uniform' ? norm(system.gravity.acceleration) : 0;
  }

  /** What is known of two shapes, i < j; made when they first come near. */
  of(i: number, j: number): ListedPair {
    const { shapes, sizes, lengths, thin } = this.facts;
    const key = i * shapes.length + j;
    let listed = this.known.get(key);
    if (listed) return listed;
    const { bodies, contacts } = this.system;
    const a = shapes[i];
    const b = shapes[j];
    const name = `${a.name}–${b.name}`;
    const options = contacts!.pairOptions(a.body, b.body);
    const route = this.routeOf(i, j);
    const first = shapes[route.a];
    const second = shapes[route.b];
    const size = Math.min(sizes[i], sizes[j]);
    const law = pairLaw(options, {
      materialA: first.material,
      materialB: second.material,
      curvature: route.curvature,
      patches: route.patches,
      effectiveMass: inSeries(bodies[a.body].mass, bodies[b.body].mass),
      size,
      length: Math.min(lengths[i], lengths[j]),
      tellableDepth: Math.min(
        tellableDepth(thin[i], a.surface !== undefined),
        tellableDepth(thin[j], b.surface !== undefined),
      ),
      rollingRadius: Math.min(rollingRadius(a), rollingRadius(b), 0.5 * size),
      roller: Number.isFinite(Math.min(rollingRadius(a), rollingRadius(b))),
      gravity: this.gravity,
      name,
    });
    const pair = new ContactPair(
      name,
      this.carrierOf[route.a],
      this.carrierOf[route.b],
      route,
      law,
      Math.max(law.referenceDepth, DEPTH_FLOOR * size),
      this.gravity,
      this.bench,
    );
    listed = { pair, shapeA: i, shapeB: j, key, present: false, stepsAway: 0 };
    this.known.set(key, listed);
    const kind = [first.material?.name, second.material?.name, ...law.guessed, ...law.assumed].join('|');
    if (!this.samples.has(kind)) this.samples.set(kind, pair);
    return listed;
  }

  /** How two shapes are searched for contact, i < j */
  routeOf(i: number, j: number): Route {
    const { shapes, routing } = this.facts;
    const { search, normalLaw } = this.system.contacts!.pairOptions(shapes[i].body, shapes[j].body);
    const elmqvist = typeof normalLaw === 'object' && normalLaw.kind === 'elmqvist';
    return routing.route(i, j, {
      search: search ?? 'automatic',
      depth: elmqvist && normalLaw.depth === 'extent' ? 'extent' : 'volume',
    });
  }

  /** Looks for a way to search any two shapes that may touch, sort by sort. @throws ModelError where the program has none */
  refuseUnfound(): void {
    const { facts, carrierOf, carriers } = this;
    if (facts.routing.complete) return;
    const allowed = new AllowedPairs(this.system.contacts!.rules);
    const sorts = new Map<unknown, number>();
    const sortOf = ({ solid, surface, planeNormal }: ContactShape): number => {
      // of a mesh or a profile it matters which it is: convex, with arcs
      const plain = solid && PLAIN.has(solid.form.kind);
      const sort = surface ? 'surface' : plain ? `${solid.form.kind} ${planeNormal !== undefined}` : solid;
      sorts.set(sort, sorts.get(sort) ?? sorts.size);
      return sorts.get(sort)!;
    };
    const of = facts.shapes.map(sortOf);
    const seen = new Set<number>();
    for (let j = 1; j < of.length; j++)
      for (let i = 0; i < j; i++) {
        const both = of[i] * of.length + of[j];
        const fixed = carrierOf[i] === carriers.ground && carrierOf[j] === carriers.ground;
        if (fixed || seen.has(both) || !allowed.allows(i, j)) continue;
        seen.add(both);
        this.routeOf(i, j);
      }
  }

  /** Pairs that have come near each other since the start: those that touched or are near still, and of the others one of each two materials */
  get met(): readonly ContactPair[] {
    return [...new Set([...this.samples.values(), ...[...this.known.values()].map(({ pair }) => pair)])];
  }

  /**
   * Pairs that may meet within the next h s; the carriers must be at the present state.
   *
   * @param twistRates 6 per carrier, rad/s² and m/s²
   */
  candidates(h: number, twistRates: Float64Array): Candidates {
    const { carriers, boxes, swept, facts, carrierOf } = this;
    const { reach, sizes } = facts;
    this.bounds.update(carriers.position, carriers.rotation, boxes);
    for (let i = 0; i < carrierOf.length; i++) {
      const c = 6 * carrierOf[i];
      const { twist } = carriers;
      const moves = carrierOf[i] !== carriers.ground;
      const wx = twist[c];
      const wy = twist[c + 1];
      const wz = twist[c + 2];
      // how far from a straight way: ½ a h² and what turning moves
      let aside = 0;
      let turn = 0;
      if (moves) {
        for (let k = 0; k < 3; k++) {
          aside += twistRates[c + 3 + k] * twistRates[c + 3 + k];
          turn += twistRates[c + k] * twistRates[c + k];
        }
        const spin = Math.sqrt(wx * wx + wy * wy + wz * wz) + h * Math.sqrt(turn);
        const swing = Math.min(2, h * spin);
        aside = 0.5 * h * h * Math.sqrt(aside) + (swing > 0 ? reach[i] * swing : 0); // reach of a half-space is infinite
      }
      // a little more than nothing, so that what touches is within reach with its neighbours
      const margin = aside + 1e-3 * Math.min(sizes[i], 1e300) * (Number.isFinite(sizes[i]) ? 1 : 0);
      for (let k = 0; k < 3; k++) {
        const d = moves ? h * twist[c + 3 + k] : 0;
        swept[6 * i + k] = boxes[6 * i + k] + Math.min(0, d) - margin;
        swept[6 * i + 3 + k] = boxes[6 * i + 3 + k] + Math.max(0, d) + margin;
      }
    }
    return this.broad.update(swept);
  }

  /** Lists candidates that are not yet; false if some found no room for their states. */
  add(found: Candidates, y: Float64Array): boolean {
    let room = true;
    for (const listed of this.present) listed.stepsAway++;
    for (let k = 0; k < found.count; k++) {
      const listed = this.of(found.a[k], found.b[k]);
      listed.stepsAway = 0;
      if (listed.present) continue;
      const { pair } = listed;
      const start = this.room.allocate(pair.states, y);
      if (start < 0) {
        room = false;
        continue;
      }
      pair.stateAt = start;
      listed.present = true;
      this.present.push(listed);
    }
    return room;
  }

  /** Lists a pair that was one elsewhere; false if there is no room for its states. */
  adopt(i: number, j: number, before: ListedPair, from: Float64Array, y: Float64Array): boolean {
    const start = this.room.allocate(before.pair.states, y);
    if (start < 0) return false;
    const listed = this.of(i, j);
    const { pair } = listed;
    pair.takeOver(before.pair);
    pair.stateAt = start;
    for (let k = 0; k < pair.states; k++) y[start + k] = from[before.pair.stateAt + k];
    listed.present = true;
    listed.stepsAway = before.stepsAway;
    this.present.push(listed);
    return true;
  }

  /** Pairs that are known and which of them are listed; their states stay where they are in y. `sort` is to follow when it was read. */
  remember(tape: Tape): void {
    const { samples, known } = this;
    const shapes = this.facts.shapes.length;
    const pairs = <Item>(items: Iterable<Item>, keyOf: (item: Item) => number, each: (listed: ListedPair) => void) => {
      const keys = Float64Array.from(tape.reading ? [] : [...items], keyOf);
      for (const key of tape.numbers(keys)) each(this.of(Math.floor(key / shapes), key % shapes));
    };
    const keyOfPair = ({ route: { a, b } }: ContactPair): number => Math.min(a, b) * shapes + Math.max(a, b);
    const before = new Set(known.keys());
    pairs(samples.values(), keyOfPair, () => {});
    const listed = new Set<number>();
    pairs(
      [...known.values()].filter(({ key }) => tape.reading || before.has(key)),
      ({ key }) => key,
      (one) => {
        listed.add(one.key);
        one.stepsAway = tape.number(one.stepsAway);
        one.pair.stateAt = tape.number(one.pair.stateAt);
        one.pair.remember(tape);
        const present = tape.flag(one.present);
        if (!tape.reading || !present) return;
        one.present = true;
        this.room.take(one.pair.stateAt, one.pair.states);
        this.present.push(one);
      },
    );
    for (const key of known.keys()) if (!listed.has(key)) known.delete(key);
  }

  /** Pairs are known, but none is listed, and all room for states is free. */
  forgetListed(): void {
    for (const { pair } of this.present) this.room.release(pair.stateAt, pair.states);
    for (const listed of this.present) listed.present = false;
    this.present = [];
  }

  /** Drops pairs that went away and hold nothing any more: true if there were such. */
  dropAbsent(y: Float64Array): boolean {
    const { present } = this;
    let kept = 0;
    for (let k = 0; k < present.length; k++) {
      const listed = present[k];
      const { pair } = listed;
      if (listed.stepsAway > STEPS_KEPT && !pair.touching && isUnloaded(pair, y)) {
        listed.present = false;
        this.room.release(pair.stateAt, pair.states, y);
        if (!pair.hasTouched) this.known.delete(listed.key);
      } else present[kept++] = listed;
    }
    if (kept === present.length) return false;
    present.length = kept;
    return true;
  }

  /** The present pairs in the order of their shapes */
  sort(): readonly ContactPair[] {
    this.present.sort((p, q) => p.key - q.key);
    return this.present.map(({ pair }) => pair);
  }
}

/** Nothing is left in its bristles. */
export function isUnloaded(pair: ContactPair, y: Float64Array): boolean {
  for (let k = 0; k < pair.states; k++) if (y[pair.stateAt + k] !== 0) return false;
  return true;
}
