/**
 * The deepest contact of a run, told from accepted steps: an impact is over between two recorded rows. What counts is the depth against what the
 * law of the pair describes.
 */
import type { BodyPlace, System } from '../assembly/system.js';
import type { ContactPair } from '../contact/contact-pair.js';
import type { ContactSystem } from '../contact/contact-system.js';
import { softPairs } from '../contact/start-overlaps.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import type { Tape } from '../math/tape.js';
import { norm } from '../math/vec3.js';
import type { DeepestContact } from '../results/trust-report.js';

/** Depth at rest times this is a blow. */
const BLOW = 3;
/** Of the size of a body: a higher jump out of the drawing is violent */
const JUMP = 0.01;
/** m/s² */
const EARTH = 9.81;

export interface DrawnOverlap {
  readonly pair: string;
  /** How far the two must be moved to come apart, m */
  readonly depth: number;
  /** Elastic energy of all such pairs, J */
  readonly energy: number;
  /** At which its own energy pushes the two apart, if nothing of it is lost, m/s */
  readonly speed: number;
  /** So fast that the lighter one would jump by more than a hundredth of its size on earth */
  readonly violent: boolean;
}

export class DepthWatch {
  private pair: ContactPair | undefined;
  private depth = 0;
  private time = 0;
  private share = -1;
  /** m/s²; 0: there is no rest */
  private readonly weight: number;
  /** Of pairs of whose materials something is unknown: who has touched, and who was struck */
  readonly touched = new Set<ContactPair>();
  readonly struck = new Set<ContactPair>();

  /** Of pairs that are drawn deeper into each other than they would rest: their elastic energy, J, and the one with most of it */
  drawn: DrawnOverlap | undefined;

  constructor(private readonly system: System) {
    const { gravity } = system;
    this.weight = gravity.kind === 'uniform' ? norm(gravity.acceleration) : 0;
  }

  /** At the start, in place of the first `watch` */
  start(contacts: ContactSystem, y: Float64Array): void {
    this.watch(contacts, 0);
    let sum = 0;
    let most = 0;
    let worst: ContactPair | undefined;
    for (const pair of contacts.pairs) {
      if (!pair.touching || !this.isBlow(pair)) continue;
      const energy = pair.energy(0, y);
      sum += energy;
      if (energy <= most) continue;
      most = energy;
      worst = pair;
    }
    this.drawn = worst && {
      pair: worst.name,
      depth: contacts.overlapOf(worst),
      energy: sum,
      ...push(
        contacts.bodiesOf(worst).map((body) => this.system.bodies[body]),
        most,
      ),
    };
  }

  /** After `start`: pairs with a flexible body, which push from the first instant on */
  startSoft(mechanics: MechanicalSystem, y: Float64Array): void {
    const { bodies } = this.system;
    let allMass = 0;
    for (const { fixed, mass } of bodies) if (!fixed) allMass += mass;
    const rest = BLOW * this.weight * allMass;
    mechanics.update(0, y);
    for (const pair of softPairs(mechanics)) {
      const depth = pair.overlap(0, y, NORMAL);
      if (!(depth > 0) || !(pair.pressing(0, y) > rest)) continue;
      const energy = pair.energy(0, y);
      const two = pair.bodies.map((name) => bodies.find((body) => body.name === name)!);
      const { drawn } = this;
      const pushed = push(two, energy);
      this.drawn =
        drawn && drawn.speed >= pushed.speed
          ? { ...drawn, energy: drawn.energy + energy }
          : { pair: pair.shownName, depth, energy: (drawn?.energy ?? 0) + energy, ...pushed };
    }
  }

  /** Deeper than at rest; without weight there is no rest. */
  private isBlow({ depth, law }: ContactPair): boolean {
    return this.weight === 0 || depth > BLOW * law.referenceDepth;
  }

  /** @param inWhole the pair that stands for one of a part of the model */
  watch({ pairs }: ContactSystem, t: number, inWhole = (pair: ContactPair): ContactPair => pair): void {
    for (const own of pairs) {
      if (!own.touching) continue;
      const { law, depth } = own;
      if (depth / law.depthLimits.doubtful <= this.share && law.unknown.length === 0) continue;
      const pair = inWhole(own);
      const share = depth / law.depthLimits.doubtful;
      if (share > this.share) {
        this.share = share;
        this.pair = pair;
        this.depth = depth;
        this.time = t;
      }
      if (law.unknown.length === 0) continue;
      this.touched.add(pair);
      if (this.isBlow(own)) this.struck.add(pair);
    }
  }

  /** @param contacts of the whole model */
  remember(tape: Tape, contacts: ContactSystem): void {
    const shapes = contacts.shapes.length;
    const keys = (pairs: Iterable<ContactPair>): Float64Array =>
      Float64Array.from(pairs, ({ route: { a, b } }) => Math.min(a, b) * shapes + Math.max(a, b));
    const pairs = (before: Iterable<ContactPair>): ContactPair[] =>
      Array.from(tape.numbers(keys(before)), (key) => contacts.pairOf(Math.floor(key / shapes), key % shapes));
    [this.pair] = pairs(this.pair ? [this.pair] : []);
    for (const pair of pairs(this.touched)) this.touched.add(pair);
    for (const pair of pairs(this.struck)) this.struck.add(pair);
    for (const key of ['depth', 'time', 'share'] as const) this[key] = tape.number(this[key]);
  }

  rememberDrawn(tape: Tape): void {
    this.drawn = tape.plain(this.drawn) as DrawnOverlap | undefined;
  }

  /** A time-stepping run knows which pairs returned a blow: its contacts have another depth than their law's. */
  strike(pair: ContactPair): void {
    if (pair.law.unknown.length > 0) this.struck.add(pair);
  }

  /** The deepest is softer than its materials. */
  get softened(): boolean {
    return this.pair?.law.real !== undefined;
  }

  /** Undefined if nothing touched */
  get deepest(): DeepestContact | undefined {
    const pair = this.pair;
    return pair && { pair: pair.name, depth: this.depth, time: this.time, ...pair.law.depthLimits };
  }
}

/** ½ m v² with the mass of two in series is the energy between them. */
function push([first, second]: readonly BodyPlace[], energy: number): { speed: number; violent: boolean } {
  const ease = (first.fixed ? 0 : 1 / first.mass) + (second.fixed ? 0 : 1 / second.mass);
  const speed = Math.sqrt(2 * energy * ease);
  const lighter = second.fixed || (!first.fixed && first.mass <= second.mass) ? first : second;
  return { speed, violent: speed * speed > 2 * EARTH * JUMP * lighter.size };
}

const NORMAL = new Float64Array(3);
