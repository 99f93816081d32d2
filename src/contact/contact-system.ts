/**
 * All contact of a run: which pairs are near enough to be forces, where their states are, and how long a step may be.
 *
 * Between accepted steps `update` names regions and moves slots (contact-pair.ts); before a step `stepLimit` finds who may be reached in it:
 * boxes swept over the step (broad phase), then for each pair that is apart the time until it can touch,
 *
 *   t = 2 gap/(v + √(v² + 2 a gap)),   h ≤ t + c T,   c ≤ 1/5,   or t − c T where t > 4 c T
 *
 *   v   closing speed of the nearest points, a 1.5 times their closing acceleration; T the time an impact at that speed takes;
 *   c so small that the step over the kink is within the tolerance; it must be short itself, for the force at its end acts over all of it,
 *   so that a longer way is gone to just before the touch first
 *
 * and h ≤ (gap + w/4)/(|v| + ω r), beyond which something w thick could pass unseen. A step that ends with a pair deeper than w/4 that was
 * apart before is taken back (`tooDeep`), and so is one in which contact ended under load, at a border. Steps of one length, which no error
 * control shortens, are cut to a fiftieth of the contact's period where bodies touch. Error control alone does not see a contact that no stage
 * samples.
 */
import type { ContactShape, System } from '../assembly/system.js';
import { BroadPhase } from '../broad-phase/broad-phase.js';
import { ShapeBounds } from '../broad-phase/shape-bounds.js';
import { inSeries } from '../contact-laws/combination.js';
import { pairLaw } from '../contact-laws/pair-law.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { ModelError } from '../errors.js';
import { halfSpace } from '../geometry/half-space.js';
import { solidMassProperties } from '../geometry/mass-properties.js';
import { sphere } from '../geometry/primitives.js';
import type { Pose, Solid } from '../geometry/solid.js';
import { meshBounds } from '../geometry/triangle-mesh.js';
import { cbrt, pow } from '../math/elementary.js';
import { fromQuaternion } from '../math/mat3.js';
import { conjugate, multiply, rotate } from '../math/quaternion.js';
import { norm, sub, ZERO } from '../math/vec3.js';
import type { Surface } from '../model/contacts.js';
import { ContactPatches } from '../narrow-phase/contact-patches.js';
import { type IdealizedSurface, layerThickness } from '../narrow-phase/idealized/index.js';
import { Routing } from '../narrow-phase/routing/routing.js';
import { ContactPair, type Workbench } from './contact-pair.js';
import { RegionForces } from './region-forces.js';
import { Resting } from './resting.js';

/** Depth below which nobody looks, as a fraction of the smaller body: floor of the reference depth for errors */
const DEPTH_FLOOR = 1e-5;
/** A pair that starts deeper than this part of the smaller body is a mistake in the drawing. */
const DEEPEST_START = 0.02;
/** Part of an impact below which no step is cut for its sake */
const LEAST_OVERSHOOT = 5e-4;
/** Steps for which a pair stays that has gone out of reach */
const PATIENCE = 20;
/** Time over which accelerations of points are told from velocities, s */
const GLANCE = 1e-7;

/** A pair of shapes and what is kept of it as long as the run lasts */
interface Known {
  readonly pair: ContactPair;
  readonly shapeA: number;
  readonly shapeB: number;
  readonly key: number;
  present: boolean;
  /** Updates since it was last within reach */
  away: number;
  /** Start and number of its states in y */
  start: number;
  count: number;
}

export class ContactSystem {
  readonly shapes: readonly ContactShape[];
  /** Pairs that are near, in the order of their shapes */
  pairs: readonly ContactPair[] = [];
  /** Bodies that have come to rest; their pairs are no forces until something comes near */
  readonly resting: Resting;
  /** Counts changes of the list */
  version = 0;
  /** Regions that came and went since the start */
  regions = 0;
  private readonly carrierOf: Int32Array;
  /** 3 and 9 per shape: place and axes of its form on its carrier */
  private readonly local: Float64Array;
  private readonly axes: Float64Array;
  private readonly bench: Workbench;
  private readonly routing: Routing;
  private readonly known = new Map<number, Known>();
  private present: Known[] = [];
  private readonly broad: BroadPhase;
  private readonly bounds: ShapeBounds;
  private readonly boxes: Float64Array;
  private readonly swept: Float64Array;
  /** m per shape: farthest point from its carrier's reference point, thinnest extent, size */
  private readonly reach: Float64Array;
  private readonly thin: Float64Array;
  private readonly sizes: Float64Array;
  /** Cube root of the volume */
  private readonly lengths: Float64Array;
  private later: Float64Array;
  /** 6 per carrier: rate of the twist */
  private readonly change: Float64Array;
  /** m/s²; 0 where it is not uniform */
  readonly gravity: number;
  /** Reserved states in y: from, and 1 where taken */
  private readonly first: number;
  private used: Uint8Array;
  private nextRegionNumber = 0;

  constructor(
    private readonly system: System,
    private readonly mechanics: MechanicalSystem,
  ) {
    const plan = system.contacts!;
    const { carriers } = mechanics;
    const { shapes } = plan;
    this.shapes = shapes;
    const n = shapes.length;
    this.carrierOf = Int32Array.from(shapes, ({ anchor }) => carriers.indexOf(anchor));
    this.local = Float64Array.from(shapes.flatMap(({ anchor }) => [...anchor.position]));
    this.axes = Float64Array.from(shapes.flatMap(({ anchor }) => [...fromQuaternion(anchor.orientation)]));
    const position = new Float64Array(3 * n);
    const rotation = new Float64Array(9 * n);
    this.reach = new Float64Array(n);
    this.bench = {
      carriers,
      poses: { position, rotation },
      patches: new ContactPatches(),
      forces: new RegionForces(carriers),
      reach: this.reach,
      place: (a, b) => {
        this.placeShape(a);
        this.placeShape(b);
      },
      mobility: (carrier, point, direction) => mechanics.contactMobility(carrier, point, direction),
      nextRegion: () => {
        this.regions++;
        return this.nextRegionNumber++;
      },
    };
    this.routing = new Routing(
      shapes.map(({ surface, ...shape }) => ({ ...shape, surface: surface && idealized(surface) })),
    );
    const standIns = shapes.map(standIn);
    this.bounds = new ShapeBounds(
      shapes.map((shape, i) => ({
        solid: standIns[i],
        body: this.carrierOf[i] === carriers.ground ? -1 : this.carrierOf[i],
        pose: solidPose(shape, standIns[i]),
      })),
    );
    this.broad = new BroadPhase({ rules: plan.rules, method: plan.broadPhase });
    this.boxes = new Float64Array(6 * n);
    this.swept = new Float64Array(6 * n);
    this.thin = new Float64Array(n);
    this.sizes = new Float64Array(n);
    this.lengths = new Float64Array(n);
    shapes.forEach((shape, i) => {
      const solid = standIns[i];
      if (solid.form.kind === 'halfSpace') {
        this.reach[i] = this.thin[i] = this.sizes[i] = this.lengths[i] = Number.POSITIVE_INFINITY;
        return;
      }
      const { min, max } = meshBounds(solid.mesh);
      const extent = sub(max, min);
      this.thin[i] = Math.max(1e-3 * norm(extent), Math.min(extent[0], extent[1], extent[2]));
      this.sizes[i] = norm(extent);
      this.lengths[i] = cbrt(solidMassProperties(solid).volume);
      const pose = solidPose(shape, solid);
      const { vertices } = solid.mesh;
      for (let k = 0; k < vertices.length; k += 3) {
        const corner = rotate(pose.orientation, [vertices[k], vertices[k + 1], vertices[k + 2]]);
        const x = corner[0] + pose.position[0];
        const y = corner[1] + pose.position[1];
        const z = corner[2] + pose.position[2];
        this.reach[i] = Math.max(this.reach[i], Math.sqrt(x * x + y * y + z * z));
      }
    });
    shapes.forEach(({ surface, thickness, body }, i) => {
      // corners are as large as the body they are on: one alone has no size
      if (surface?.kind === 'points') {
        const { fixed, size } = system.bodies[body];
        for (const measure of [this.thin, this.sizes, this.lengths])
          measure[i] = Math.max(measure[i], fixed ? Number.POSITIVE_INFINITY : size);
      }
      // behind its layer a surface is nothing
      if (surface) this.thin[i] = Math.min(this.thin[i], thickness ?? layerThickness(idealized(surface)));
    });
    this.later = new Float64Array(mechanics.size);
    this.change = new Float64Array(6 * (carriers.ground + 1));
    const g = system.gravity.kind === 'uniform' ? norm(system.gravity.acceleration) : 0;
    this.gravity = g;
    const mayRest = new Uint8Array(carriers.free).fill(1);
    for (const { a, b } of mechanics.pairs)
      for (const carrier of [a, b])
        if (carrier >= carriers.nodes && carrier < carriers.ground) mayRest[carrier - carriers.nodes] = 0;
    const sizes = new Float64Array(carriers.free);
    for (const { anchor, size } of system.bodies) if (anchor.node <= -2) sizes[-2 - anchor.node] = size;
    this.resting = new Resting(carriers, mayRest, sizes, g);
    this.first = system.nq + system.nv + system.ns;
    this.used = new Uint8Array(mechanics.size - this.first);
  }

  /** World pose of a shape from that of its carrier */
  private placeShape(i: number): void {
    const { carriers, poses } = this.bench;
    const c = this.carrierOf[i];
    const r = 9 * c;
    const { position, rotation } = carriers;
    const { local, axes } = this;
    for (let k = 0; k < 3; k++) {
      const a = rotation[r + 3 * k];
      const b = rotation[r + 3 * k + 1];
      const d = rotation[r + 3 * k + 2];
      poses.position[3 * i + k] =
        position[3 * c + k] + (a * local[3 * i] + b * local[3 * i + 1] + d * local[3 * i + 2]);
      for (let j = 0; j < 3; j++)
        poses.rotation[9 * i + 3 * k + j] = a * axes[9 * i + j] + b * axes[9 * i + 3 + j] + d * axes[9 * i + 6 + j];
    }
  }

  /** What is known of two shapes; made when they first come near. */
  private knownOf(i: number, j: number): Known {
    const key = i * this.shapes.length + j;
    let known = this.known.get(key);
    if (known) return known;
    const { bodies, contacts } = this.system;
    const a = this.shapes[i];
    const b = this.shapes[j];
    const name = `${a.name}–${b.name}`;
    const options = contacts!.pairOptions(a.body, b.body);
    const elmqvist = typeof options.normalLaw === 'object' && options.normalLaw.kind === 'elmqvist';
    const route = this.routing.route(i, j, {
      search: options.search ?? 'automatic',
      depth: elmqvist && options.normalLaw.depth === 'extent' ? 'extent' : 'volume',
    });
    const first = this.shapes[route.a];
    const second = this.shapes[route.b];
    const size = Math.min(this.sizes[i], this.sizes[j]);
    const law = pairLaw(options, {
      materialA: first.material,
      materialB: second.material,
      curvature: route.curvature,
      patches: route.patches,
      effectiveMass: inSeries(bodies[a.body].mass, bodies[b.body].mass),
      size,
      length: Math.min(this.lengths[i], this.lengths[j]),
      thickness: Math.min(this.thin[i], this.thin[j]),
      rollingRadius: Math.min(rollingRadius(a), rollingRadius(b), 0.5 * size),
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
    known = { pair, shapeA: i, shapeB: j, key, present: false, away: 0, start: -1, count: 0 };
    this.known.set(key, known);
    return known;
  }

  /** Pair of two shapes, for reports; it may be far apart. */
  pairOf(i: number, j: number): ContactPair {
    return this.knownOf(Math.min(i, j), Math.max(i, j)).pair;
  }

  /** Names of the bodies of a pair, A first */
  bodiesOf(pair: ContactPair): readonly [number, number] {
    return [this.shapes[pair.route.a].body, this.shapes[pair.route.b].body];
  }

  // ---- who is near ----------------------------------------------------------------------------------------------------------------

  /** Candidates over the next h, as shapes; the carriers must be at the present state. */
  private candidates(h: number): { count: number; a: Int32Array; b: Int32Array } {
    const { carriers } = this.bench;
    const { boxes, swept, change } = this;
    this.bounds.update(carriers.position, carriers.rotation, boxes);
    for (let i = 0; i < this.shapes.length; i++) {
      const c = 6 * this.carrierOf[i];
      const { twist } = carriers;
      const moves = this.carrierOf[i] !== carriers.ground;
      const wx = twist[c];
      const wy = twist[c + 1];
      const wz = twist[c + 2];
      let bent = 0;
      let turn = 0;
      if (moves) {
        for (let k = 0; k < 3; k++) {
          bent += change[c + 3 + k] * change[c + 3 + k];
          turn += change[c + k] * change[c + k];
        }
        const spin = Math.sqrt(wx * wx + wy * wy + wz * wz) + h * Math.sqrt(turn);
        const swing = Math.min(2, h * spin);
        bent = 0.5 * h * h * Math.sqrt(bent) + (swing > 0 ? this.reach[i] * swing : 0); // reach of a half-space is infinite
      }
      // a little more than nothing, so that what touches is within reach with its neighbours
      const stray = bent + 1e-3 * Math.min(this.sizes[i], 1e300) * (Number.isFinite(this.sizes[i]) ? 1 : 0);
      for (let k = 0; k < 3; k++) {
        const d = moves ? h * twist[c + 3 + k] : 0;
        swept[6 * i + k] = boxes[6 * i + k] + Math.min(0, d) - stray;
        swept[6 * i + 3 + k] = boxes[6 * i + 3 + k] + Math.max(0, d) + stray;
      }
    }
    return this.broad.update(swept);
  }

  /** Rates of the carriers' twists, from the rates of the state */
  private glance(t: number, y: Float64Array, f: Float64Array): void {
    const { mechanics, later, change } = this;
    const { twist } = this.bench.carriers;
    for (let i = 0; i < later.length; i++) later[i] = y[i] + GLANCE * f[i];
    mechanics.update(t + GLANCE, later);
    change.set(twist);
    mechanics.update(t, y);
    for (let i = 0; i < change.length; i++) change[i] = (change[i] - twist[i]) / GLANCE;
  }

  /** At the start: who touches, and that nobody is drawn inside another. Where it is `crowded` thereafter, again with more room. */
  start(t: number, y: Float64Array): void {
    this.mechanics.update(t, y);
    this.change.fill(0);
    const admitted = this.admit(this.candidates(0), y);
    this.update(t, y);
    if (admitted) this.publish(t, y);
    for (const { pair, shapeA, shapeB } of this.present) {
      const smaller = Math.min(this.sizes[shapeA], this.sizes[shapeB]);
      if (pair.depth > DEEPEST_START * smaller)
        throw new ModelError(
          `contacts (${pair.name})`,
          `the two overlap by ${(1e3 * pair.depth).toPrecision(3)} mm at the start: move them apart, or say that they do not touch: ` +
            `contacts: { exclude: [['${this.system.bodies[this.shapes[shapeA].body].name}', '${this.system.bodies[this.shapes[shapeB].body].name}']] }`,
        );
    }
  }

  /** Makes forces of candidates that are none yet; true if there were such. */
  private admit(found: { count: number; a: Int32Array; b: Int32Array }, y: Float64Array): boolean {
    let changed = false;
    for (const known of this.present) known.away++;
    for (let k = 0; k < found.count; k++) {
      const known = this.knownOf(found.a[k], found.b[k]);
      known.away = 0;
      if (known.present) continue;
      if (!this.allocate(known, y)) {
        this.crowded = true;
        continue;
      }
      known.present = true;
      this.present.push(known);
      changed = true;
    }
    return changed;
  }

  /** First free run of reserved states that is long enough */
  private allocate(known: Known, y: Float64Array): boolean {
    const { used } = this;
    const wanted = known.pair.states;
    let run = 0;
    for (let i = 0; i < used.length; i++) {
      run = used[i] === 0 ? run + 1 : 0;
      if (run < wanted) continue;
      known.start = i - wanted + 1;
      known.count = wanted;
      used.fill(1, known.start, known.start + wanted);
      known.pair.stateAt = this.first + known.start;
      y.fill(0, known.pair.stateAt, known.pair.stateAt + wanted);
      return true;
    }
    return false;
  }

  private release(known: Known, y: Float64Array): void {
    this.used.fill(0, known.start, known.start + known.count);
    y.fill(0, this.first + known.start, this.first + known.start + known.count);
  }

  /** Free reserved states */
  get spare(): number {
    let free = 0;
    for (let i = 0; i < this.used.length; i++) if (this.used[i] === 0) free++;
    return free;
  }

  private publish(t: number, y: Float64Array): void {
    this.present.sort((p, q) => p.key - q.key);
    this.pairs = this.present.map(({ pair }) => pair);
    this.version++;
    const { resting, mechanics } = this;
    mechanics.resting = resting.any ? resting.bodies : undefined;
    mechanics.restingEnergy = mechanics.restingWork = 0;
    if (!resting.any) {
      mechanics.setElements(this.pairs, y);
      return;
    }
    const acting: ContactPair[] = [];
    for (const pair of this.pairs)
      if (this.acts(pair)) acting.push(pair);
      else {
        const energy = pair.energy(t, y);
        mechanics.restingEnergy += energy;
        if (pair.booksWork) mechanics.restingWork += energy;
      }
    mechanics.setElements(acting, y);
  }

  /** Between two that rest, or one and the ground, nothing happens. */
  private acts({ a, b }: ContactPair): boolean {
    return this.resting.isAwake(a) || this.resting.isAwake(b);
  }

  /** Somebody who moves has come within reach of one who rests: true if one was woken. */
  private disturb(): boolean {
    const { resting } = this;
    if (!resting.any) return false;
    let woken = false;
    for (const { pair, away } of this.present) {
      if (away > 0) continue;
      const { a, b } = pair;
      if (resting.isResting(a) && resting.isAwake(b)) resting.wake(a, this.pairs);
      else if (resting.isResting(b) && resting.isAwake(a)) resting.wake(b, this.pairs);
      else continue;
      woken = true;
    }
    return woken;
  }

  /** Names and carries over the regions of a pair, with more or fewer slots where it needs them: true if states moved. */
  private settle(known: Known, t: number, y: Float64Array): boolean {
    const { pair, start, count } = known;
    if (!pair.settle(t, y)) return false;
    const { slots } = pair;
    const before = y.slice(pair.stateAt, pair.stateAt + count);
    const after = pair.reslot(before);
    this.release(known, y);
    if (this.allocate(known, y)) {
      y.set(after, pair.stateAt);
      pair.settle(t, y);
      return true;
    }
    // no room for more regions of this pair: as before, until room is made
    known.start = start;
    known.count = count;
    this.used.fill(1, start, start + count);
    pair.stateAt = this.first + start;
    pair.slots = slots;
    y.set(before, pair.stateAt);
    pair.settle(t, y, true);
    this.crowded = true;
    return true;
  }

  /**
   * After an accepted step, in place: names regions, drops pairs that went away, lets rest what has come to rest (if the rates f are given).
   * True if states moved, the list changed, or regions hold other masses over the next step: rates at y must then be told anew, or the step
   * begins with those of another problem and is cut short.
   */
  update(t: number, y: Float64Array, f?: Float64Array): boolean {
    this.mechanics.update(t, y);
    let changed = false;
    for (const known of this.present) if (this.acts(known.pair) && this.settle(known, t, y)) changed = true;
    const gone = this.present.filter(({ away, pair }) => away > PATIENCE && !pair.touching && this.quiet(pair, y));
    if (gone.length > 0) {
      for (const known of gone) {
        known.present = false;
        this.release(known, y);
      }
      this.present = this.present.filter(({ present }) => present);
      changed = true;
    }
    const { contact } = this.mechanics.norm.tolerance;
    const { nq, nv } = this.system;
    const velocities = nq + nv - 6 * this.system.free.count;
    if (f && this.resting.settle(t, y, f, velocities, this.pairs, contact)) changed = true;
    if (changed || this.version === 0) this.publish(t, y);
    return changed || this.touching;
  }

  /** The steps are of a method without error control: they must resolve every contact by themselves. */
  unchecked = false;

  /** More states are needed than are reserved: call `resize` after having reserved more. */
  crowded = false;

  /** The mechanical system has more reserved states than before. */
  resize(): void {
    const used = new Uint8Array(this.mechanics.size - this.first);
    used.set(this.used);
    this.used = used;
    this.later = new Float64Array(this.mechanics.size);
    this.crowded = false;
  }

  private quiet(pair: ContactPair, y: Float64Array): boolean {
    for (let k = 0; k < pair.states; k++) if (y[pair.stateAt + k] !== 0) return false;
    return true;
  }

  // ---- the guard ------------------------------------------------------------------------------------------------------------------

  /** Longest step from (t, y) with the rates f, at most `planned`; pairs that come within reach become forces. */
  stepLimit(t: number, y: Float64Array, f: Float64Array, planned: number): number {
    this.mechanics.update(t, y);
    this.glance(t, y, f);
    let limit = planned;
    for (const { pair, shapeA, shapeB } of this.present) limit = Math.min(limit, this.limitOf(pair, shapeA, shapeB));
    const horizon = Math.min(limit, 1e6);
    const before = this.present.length;
    const found = this.candidates(horizon);
    const admitted = this.admit(found, y);
    if (this.crowded) limit = Math.min(limit, this.limitOfAbsent(found));
    if (admitted) {
      for (let k = before; k < this.present.length; k++) {
        const { pair, shapeA, shapeB } = this.present[k];
        this.settle(this.present[k], t, y);
        limit = Math.min(limit, this.limitOf(pair, shapeA, shapeB));
      }
    }
    if (this.disturb() || admitted) this.publish(t, y);
    return limit;
  }

  /** Candidates that found no room must not be reached before room is made. */
  private limitOfAbsent(found: { count: number; a: Int32Array; b: Int32Array }): number {
    let limit = Number.POSITIVE_INFINITY;
    for (let k = 0; k < found.count; k++) {
      const { present, pair, shapeA, shapeB } = this.knownOf(found.a[k], found.b[k]);
      if (present) continue;
      pair.lookAhead();
      limit = Math.min(limit, 0.5 * this.limitOf(pair, shapeA, shapeB));
    }
    return limit;
  }

  /**
   * How far into an impact the step may go that begins before it, as a part c of the time it takes. Such a step goes over the kink of the
   * force; its end is some 3 % of (d/d*)ⁿ⁺¹ v wrong, d ≈ 3 c d* deep, and the error estimate tells of that as often as not: steps
   * are tried until it happens to be small.
   */
  private overshoot({ referenceSpeed, law, a, b }: ContactPair, impact: number): number {
    const { norm } = this.mechanics;
    const { relative, contact } = norm.tolerance;
    // parts of a mechanism may be wrong by what is little for the whole
    const speed = Math.max(impact, a === this.bench.carriers.ground ? 0 : norm.sharedSpeed(a), norm.sharedSpeed(b));
    const allowed = Math.max(relative * speed, contact * referenceSpeed) / Math.max(0.03 * impact, 1e-300);
    return Math.max(LEAST_OVERSHOOT, Math.min(0.2, pow(allowed, 1 / (law.exponent + 1)) / 3));
  }

  private limitOf(pair: ContactPair, shapeA: number, shapeB: number): number {
    const { carriers } = this.bench;
    const { twist, position } = carriers;
    const { change } = this;
    const { a, b } = pair;
    const thin = Math.min(this.thin[shapeA], this.thin[shapeB]);
    const { separation } = pair;
    const gap = pair.touching ? 0 : separation.distance;
    // spin of the one against the other, at the farthest point of the smaller
    const sx = twist[6 * b] - twist[6 * a];
    const sy = twist[6 * b + 1] - twist[6 * a + 1];
    const sz = twist[6 * b + 2] - twist[6 * a + 2];
    const spin = Math.sqrt(sx * sx + sy * sy + sz * sz);
    const size = Math.min(this.sizes[shapeA], this.sizes[shapeB]);
    if (pair.touching) {
      if (this.unchecked) return pair.resolution();
      if (Number.isFinite(pair.route.mostRegions)) return Number.POSITIVE_INFINITY;
      // Concave parts: elsewhere they may come together while they touch here
      const turning = spin * size;
      return turning > 0 ? (0.25 * thin) / turning : Number.POSITIVE_INFINITY;
    }
    let closing = 0;
    let hastening = 0;
    let across = 0;
    for (let k = 0; k < 3; k++) {
      const l = k === 2 ? 0 : k + 1;
      const m = k === 0 ? 2 : k - 1;
      const al = separation.pointA[l] - position[3 * a + l];
      const am = separation.pointA[m] - position[3 * a + m];
      const bl = separation.pointB[l] - position[3 * b + l];
      const bm = separation.pointB[m] - position[3 * b + m];
      const speed =
        twist[6 * a + 3 + k] +
        (twist[6 * a + l] * am - twist[6 * a + m] * al) -
        (twist[6 * b + 3 + k] + (twist[6 * b + l] * bm - twist[6 * b + m] * bl));
      const rate =
        change[6 * a + 3 + k] +
        (change[6 * a + l] * am - change[6 * a + m] * al) -
        (change[6 * b + 3 + k] + (change[6 * b + l] * bm - change[6 * b + m] * bl));
      closing += speed * separation.direction[k];
      hastening += rate * separation.direction[k];
      across += speed * speed;
    }
    const pull = Math.max(0, 1.5 * hastening);
    const impact = Math.sqrt(Math.max(0, closing * closing + 2 * pull * gap));
    let limit = Number.POSITIVE_INFINITY;
    if (closing + impact > 0) {
      const least = pair.referenceDepth;
      const hit = (2 * Math.max(gap, 0)) / (closing + impact);
      if (this.unchecked)
        limit = Math.max(hit, 0.03 * pair.impactTime(impact)); // the kick of a long step would be that of its end
      else {
        // Without weight there is no depth at rest that could count.
        const rest = this.gravity > 0 ? least / Math.max(impact, 1e-300) : 0;
        const beyond = this.overshoot(pair, impact) * Math.max(pair.impactTime(impact), rest);
        limit = hit > 4 * beyond ? hit - beyond : hit + beyond;
      }
    }
    const round = pair.route.curvature > 0;
    const fastest = Math.sqrt(across) + (round ? 0 : spin * size) + Math.sqrt(2 * pull * (gap + 0.25 * thin));
    // sliding past at a distance is no danger to round bodies, whose nearest points tell all
    if (!round && fastest > 0) limit = Math.min(limit, (gap + 0.25 * thin) / fastest);
    return limit;
  }

  /** A pair that was apart at the start of the step is deeper now than a step may see, or one that touched passed a border unseen. */
  tooDeep(t: number, y: Float64Array): boolean {
    if (this.unchecked) return false; // its steps end where bodies touch
    this.mechanics.update(t, y);
    for (const { pair, shapeA, shapeB } of this.present) {
      if (!this.acts(pair)) continue;
      if (pair.touching) {
        if (pair.missedBorder(t, this.mechanics.norm.tolerance)) return true;
        continue;
      }
      const most = 0.25 * Math.min(this.thin[shapeA], this.thin[shapeB]);
      if (pair.deepest() > most) return true;
    }
    return false;
  }

  // ---- what others ask ------------------------------------------------------------------------------------------------------------

  /** Pairs that have come near each other since the start */
  get met(): readonly ContactPair[] {
    return [...this.known.values()].map(({ pair }) => pair);
  }

  /** Some pair touches. */
  get touching(): boolean {
    for (const { pair } of this.present) if (pair.touching) return true;
    return false;
  }
}

/** Of a round form or surface, m */
function rollingRadius({ solid, surface }: ContactShape): number {
  if (surface) return 'radius' in surface ? surface.radius : Number.POSITIVE_INFINITY;
  return solid && 'radius' in solid.form ? solid.form.radius : Number.POSITIVE_INFINITY;
}

/** The surface without its place */
function idealized(surface: Surface): IdealizedSurface {
  if (surface.kind !== 'rectangle') return surface;
  const { width = Number.POSITIVE_INFINITY, length = Number.POSITIVE_INFINITY } = surface;
  return { kind: 'rectangle', width, length };
}

/** A solid that bounds the shape: its own, or one for an idealized surface */
function standIn({ solid, surface, thickness = 0 }: ContactShape): Solid {
  if (!surface) return solid!;
  switch (surface.kind) {
    case 'sphere':
      return sphere(surface.radius);
    case 'cylinder':
      return sphere(Math.sqrt(surface.radius * surface.radius + 0.25 * surface.length * surface.length));
    case 'circle':
      return sphere(Math.sqrt(surface.radius * surface.radius + thickness * thickness));
    case 'rectangle':
      if (surface.width === undefined || surface.length === undefined) return halfSpace();
      return sphere(
        Math.sqrt(0.25 * (surface.width * surface.width + surface.length * surface.length) + thickness * thickness),
      );
    case 'points':
      return sphere(Math.max(1e-9, ...surface.points.map((point) => norm(point))));
  }
}

/** Pose of the solid's frame on its carrier; `anchor` is that of the form's */
function solidPose({ anchor, surface }: ContactShape, solid: Solid): Pose {
  if (surface || solid.form.kind === 'mesh') return { position: anchor.position, orientation: anchor.orientation };
  const orientation = multiply(anchor.orientation, conjugate(solid.pose.orientation));
  return { position: sub(anchor.position, rotate(orientation, solid.pose.position ?? ZERO)), orientation };
}
