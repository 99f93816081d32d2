/**
 * Contact of flexible bodies in a step (flexible-pair.ts). Pairs that press are looked at where the velocities of the start take them by the end of the step, others where they meet on the way
 * that they would go freely. After a solution those that went elsewhere are looked at again where they went, ROUNDS times at most.
 */
import { FlexibleContact } from '../dynamics/elements/flexible-contact.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import type { ConvexTerms } from './convex-terms.js';
import { FlexiblePair } from './flexible-pair.js';
import type { VelocityBlocks } from './velocity-blocks.js';

/** How often pairs are looked at again in a step; those that were apart */
const ROUNDS = 8;
const MEETINGS = 2;
/** How often a place where bodies meet is drawn nearer, by this part of the step at least */
const ADVANCES = 100;
const MET = 0.01;
/** How often the way to where a pair is looked at is halved where it is too deep */
const HALVINGS = 5;
/** Over pairs that share bodies, when they are put where they press */
const SWEEPS = 4;

export class FlexibleTerms {
  readonly pairs: readonly FlexiblePair[];
  /** 1 per block of some pair */
  readonly ofPairs: Uint8Array;
  /** By group */
  private readonly pairOf: (FlexiblePair | undefined)[] = [];
  private readonly guess: Float64Array;
  private readonly drift: Float64Array;
  private readonly inBlocks: Float64Array;
  private t = 0;
  private h = 0;
  private y0: Float64Array = new Float64Array(0);
  private free: Float64Array = new Float64Array(0);

  constructor(
    private readonly mechanics: MechanicalSystem,
    private readonly blocks: VelocityBlocks,
    private readonly terms: ConvexTerms,
  ) {
    this.pairs = mechanics.pairs
      .filter((pair): pair is FlexibleContact => pair instanceof FlexibleContact)
      .map((pair) => new FlexiblePair(pair, blocks, terms))
      .filter(({ first }) => first >= 0);
    for (const { contact } of this.pairs) contact.local.stretchedOnly = true;
    this.ofPairs = new Uint8Array(blocks.count);
    for (const { first, second } of this.pairs) {
      this.ofPairs[first] = 1;
      if (second >= 0) this.ofPairs[second] = 1;
    }
    this.guess = new Float64Array(mechanics.size);
    this.drift = new Float64Array(mechanics.nv);
    this.inBlocks = new Float64Array(mechanics.nv);
  }

  /** Takes their forces out of the rates, or puts them back. */
  setApart(apart: boolean): void {
    for (const { contact } of this.pairs) contact.apart = apart;
  }

  /** The same of their powers */
  setPowersApart(apart: boolean): void {
    for (const { contact } of this.pairs) contact.powerApart = apart;
  }

  /** The carriers are at (t, y0), the start of the step. @param free velocities of the end if nothing touched, of all blocks */
  write(t: number, h: number, y0: Float64Array, v0: Float64Array, free: Float64Array): void {
    if (this.pairs.length === 0) return;
    this.t = t;
    this.h = h;
    this.y0 = y0;
    this.free = free;
    for (const pair of this.pairs) pair.begin(t, y0, h);
    for (const pair of this.pairs)
      if (pair.touching) this.lookAt(pair, h, v0);
      else this.meet(pair, free);
    this.mechanics.update(t, y0);
  }

  /** Carriers to where velocities of all blocks take them in s seconds */
  private place(s: number, v: Float64Array): void {
    const { mechanics, guess, drift, y0 } = this;
    const { velocity } = this.blocks;
    const { nq, nv } = mechanics;
    guess.set(y0);
    for (let k = 0; k < nv; k++) {
      drift[velocity[k]] = v[k];
      guess[nq + velocity[k]] = v[k];
    }
    if (s > 0) mechanics.displace(guess, drift, 0, s);
    mechanics.normalise(guess);
    mechanics.update(this.t + s, guess);
  }

  private lookAt(pair: FlexiblePair, s: number, v: Float64Array): void {
    let way = s;
    for (let k = 0; ; k++) {
      this.place(way, v);
      if (pair.look() || way === 0) break;
      way = k < HALVINGS ? 0.5 * way : 0;
    }
    if (pair.write(way, v, this.free, this.y0)) this.pairOf[pair.group] = pair;
    else this.terms.open(pair.first, pair.second); // ties them, for what it is solved with was another
  }

  /** Where they meet within the step, if they do */
  private meet(pair: FlexiblePair, v: Float64Array): boolean {
    const { h } = this;
    let s = 0;
    for (let k = 0; k < ADVANCES; k++) {
      this.place(s, v);
      const least = pair.contact.meetsWithin();
      if (s + least >= h) {
        // what has come to the surface, to rounding in it, does not come nearer any more
        if (s > 0 && pair.meets()) break;
        return false;
      }
      if (least < MET * h) {
        // of what is far away the distance is a bound, which may be none
        pair.look();
        if (pair.contact.local.ahead.count > 0) break;
      }
      s = Math.min(h, s + Math.max(least, MET * h));
    }
    this.lookAt(pair, s, v);
    return pair.group >= 0;
  }

  /** After a solution: looks again at what went elsewhere than was guessed. True if groups were added. @param moving velocities that positions move with */
  follow(round: number, moving: Float64Array): boolean {
    if (this.pairs.length === 0 || round >= ROUNDS) return false;
    let any = false;
    for (const pair of this.pairs) {
      if (pair.group >= 0) {
        if (pair.stands(moving)) continue;
        pair.leave();
        this.lookAt(pair, this.h, moving);
        any = true;
      } else if (round < MEETINGS && this.isPushed(pair, moving) && this.meet(pair, moving)) any = true;
    }
    this.mechanics.update(this.t, this.y0);
    return any;
  }

  /** It goes elsewhere than it would freely. */
  private isPushed({ first, second }: FlexiblePair, moving: Float64Array): boolean {
    const { blocks, free } = this;
    for (const b of [first, second])
      for (let k = b < 0 ? 0 : blocks.at[b]; b >= 0 && k < blocks.at[b] + blocks.size[b]; k++)
        if (moving[k] !== free[k]) return true;
    return false;
  }

  private of(g: number): FlexiblePair | undefined {
    const pair = this.pairOf[g];
    return pair && pair.group === g ? pair : undefined;
  }

  weigh(g: number): number {
    return this.of(g)?.weigh() ?? 0;
  }

  assume(g: number): void {
    this.of(g)?.assume();
  }

  /** False: bodies are stopped by it, or would go in with the mean velocity of the step; they go as far as that of the end takes them. */
  carriesSteadily(g: number, v0: Float64Array, v: Float64Array, mean: Float64Array): boolean {
    return this.of(g)?.carriesSteadily(v0, v, mean) ?? true;
  }

  /** Where bodies go with the mean velocity: places that press end where the problem has them. @param drift by velocity; @param v of the end, of all blocks; @param isMean by block */
  correct(drift: Float64Array, v: Float64Array, isMean: (block: number) => boolean): void {
    const { pairs, blocks, inBlocks } = this;
    const { velocity } = blocks;
    let any = 0;
    for (const pair of pairs)
      if (pair.group >= 0 && pair.acts && isMean(pair.first) && (pair.second < 0 || isMean(pair.second))) any++;
    if (any === 0) return;
    for (let k = 0; k < velocity.length; k++) inBlocks[k] = drift[velocity[k]];
    for (let sweep = 0; sweep < (any > 1 ? SWEEPS : 1); sweep++)
      for (const pair of pairs)
        if (pair.group >= 0 && pair.acts && isMean(pair.first) && (pair.second < 0 || isMean(pair.second)))
          pair.correct(inBlocks, v);
    for (let k = 0; k < velocity.length; k++) drift[velocity[k]] = inBlocks[k];
  }

  rebound(g: number, share: number, v0: Float64Array, least: number): boolean {
    return this.of(g)?.rebound(share, v0, least) ?? false;
  }

  /** Blows that gave less back than they should press deeper, or as deep as they did when they last made no energy. True if some do. */
  reach(g: number, v: Float64Array, makes: boolean): boolean {
    return this.of(g)?.reach(v, makes) ?? false;
  }

  settle(g: number): boolean {
    return this.of(g)?.settle() ?? false;
  }

  /** What a group takes from the motion, J. @param before velocities of rows at the start of the step; those of its end are in the terms */
  takes(g: number, before: Float64Array): number {
    return this.of(g)?.takes(before) ?? 0;
  }

  has(g: number): boolean {
    return this.of(g) !== undefined;
  }

  /** States of bristles at the end of the step */
  keep(y0: Float64Array, y: Float64Array): void {
    for (const pair of this.pairs) pair.keep(y0, y);
  }

  /** Heat of the step, and of it that of friction, J. @param before velocities of rows at the start of the step; those of its end are in the terms */
  book(before: Float64Array, y0: Float64Array, y: Float64Array): void {
    this.heat = this.frictionHeat = 0;
    for (const pair of this.pairs) {
      const { heat, friction } = pair.heat(before, y0, y);
      this.heat += heat;
      this.frictionHeat += friction;
    }
  }
  heat = 0;
  frictionHeat = 0;
}
