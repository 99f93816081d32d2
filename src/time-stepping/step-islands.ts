/**
 * The convex problem of a step, island by island: bodies that terms tie together. Each is solved (island-newton.ts), again while loads change, and once more for restitution, which is
 * capped where it would make energy.
 */
import { intRoom } from '../math/room.js';
import { findRoot, unite } from '../math/union-find.js';
import type { ConvexTerms } from './convex-terms.js';
import type { FlexibleTerms } from './flexible-terms.js';
import { type Island, IslandNewton } from './island-newton.js';
import type { JointTerms } from './joint-terms.js';
import { leastRebound } from './region-terms.js';
import type { StepContacts } from './step-contacts.js';
import type { StepMemory } from './step-memory.js';
import type { VelocityBlocks } from './velocity-blocks.js';

/** Islands of more blocks are less rigid and solved less closely */
const LARGE = 50;
/** Patches of islands of more blocks are balls: a torque within an eighth in place of a search on the limit surface */
const SMALL = 12;
const RIGID = 1000;
const LARGE_RIGID = 100;
/** Of the speed g h (‖M^(−½)∇‖ per √m); of small islands, and of large ones */
const TOLERANCE = 1e-9;
const LARGE_TOLERANCE = 1e-6;
/** The same, of solutions that tell loads only, or where impacts push to */
const LOOSE = 1e-4;
/** Loads count as settled when they change by less than this part; in large islands */
const SETTLED = 1e-3;
const LARGE_SETTLED = 0.1;
/** Of that part: regions whose loads moved by less are left as they are */
const AS_BEFORE = 0.1;
/** Solutions in which loads are closed. Under a blow, whose friction has no step before it to start from, more of them while loads change by more than this part */
const PASSES = 2;
const BLOW_PASSES = 6;
const BLOW_SETTLED = 3e-3;
/** How often blows on flexible bodies are made deeper */
const REACHES = 8;
/** In `pushed`: pushed by others that fall with it, by nothing else */
export const FALLING = 2;
/** In `pushed`: a mechanism, or what hangs on springs, that nothing strikes: coordinates move with the mean velocity of the step */
export const SWINGING = 3;

/** Vectors of all blocks: at the start, v*, v¹ that positions move with, v at the end */
export interface StepVelocities {
  readonly v0: Float64Array;
  readonly free: Float64Array;
  readonly moving: Float64Array;
  readonly v: Float64Array;
}

export class StepIslands {
  /** Iterations of Newton's method, solutions, and those that ended at the limit of iterations */
  iterations = 0;
  solutions = 0;
  unsolved = 0;
  /** Largest island so far, in blocks */
  largest = 0;
  /** Something may have been struck since it was told that nothing was. */
  struck = false;
  /** Per block: 0: it flies, 1: some impulse acts on it, FALLING, SWINGING */
  readonly pushed: Uint8Array;
  /** Per block: of its island, towards the root */
  readonly parent: Int32Array;
  readonly newton: IslandNewton;
  private readonly v0: Float64Array;
  private readonly free: Float64Array;
  private readonly moving: Float64Array;
  private readonly v: Float64Array;
  private readonly taken: Uint8Array;
  /** Mean velocity of the step, by velocity and of all blocks */
  private readonly drift: Float64Array;
  private readonly mean: Float64Array;
  private readonly first: Int32Array;
  private nextGroup: Int32Array = new Int32Array(64);
  private readonly island: Island = {
    blocks: new Int32Array(16),
    blockCount: 0,
    groups: new Int32Array(16),
    groupCount: 0,
  };

  /** @param rigidity κ; by the size of the island unless said */
  constructor(
    private readonly blocks: VelocityBlocks,
    private readonly terms: ConvexTerms,
    memory: StepMemory,
    private readonly joints: JointTerms,
    private readonly contacts: StepContacts | undefined,
    private readonly flexible: FlexibleTerms,
    private readonly gravity: () => number,
    velocities: StepVelocities,
    private readonly rigidity: number | undefined,
  ) {
    this.newton = new IslandNewton(blocks, terms, memory);
    this.v0 = velocities.v0;
    this.free = velocities.free;
    this.moving = velocities.moving;
    this.v = velocities.v;
    this.pushed = new Uint8Array(blocks.count);
    this.taken = new Uint8Array(blocks.count);
    this.drift = new Float64Array(velocities.v.length);
    this.mean = new Float64Array(velocities.v.length);
    this.parent = new Int32Array(blocks.count);
    this.first = new Int32Array(blocks.count);
  }

  /** Solves islands that have groups from `known` on: all of them, or those to which some were added. */
  solve(known: number): void {
    this.known = known;
    this.eachIsland(this.terms.groups, this.solveKnown);
  }
  private known = 0;
  private readonly solveKnown = (): void => {
    const { island, known, blocks, pushed, v, moving } = this;
    let more = false;
    for (let i = 0; i < island.groupCount; i++) if (island.groups[i] >= known) more = true;
    if (!more) return;
    for (let i = 0; i < island.blockCount; i++) {
      const b = island.blocks[i];
      pushed[b] = 1;
      if (known > 0) for (let k = blocks.at[b]; k < blocks.at[b] + blocks.size[b]; k++) v[k] = moving[k];
    }
    this.solveOne();
  };

  /**
   * Velocities at the end of the step by the first groups alone, of islands that have one of some blocks.
   *
   * @param asked 1 per block that is asked for; @param out of all blocks; others stay as they are
   */
  solveFirst(groups: number, asked: Uint8Array, out: Float64Array): void {
    this.asked = asked;
    this.alone = out;
    this.eachIsland(groups, this.solveAsked);
  }
  private asked: Uint8Array = new Uint8Array(0);
  private alone: Float64Array = new Float64Array(0);
  private readonly solveAsked = (): void => {
    const { island, asked, newton, terms, blocks, joints, free, alone } = this;
    let any = false;
    for (let i = 0; i < island.blockCount; i++) if (asked[island.blocks[i]] !== 0) any = true;
    if (!any) return;
    newton.enter(island);
    for (let i = 0; i < island.groupCount; i++) {
      terms.velocities(island.groups[i], free, terms.u, true);
      joints.prepare(island.groups[i], this.rigidity ?? RIGID);
    }
    for (let i = 0; i < island.blockCount; i++) {
      const b = island.blocks[i];
      for (let k = blocks.at[b]; k < blocks.at[b] + blocks.size[b]; k++) alone[k] = free[k];
    }
    newton.solve(island, alone, free, LOOSE, this.speedScale(), true);
  };

  /** Visits the islands that the first groups make, each in `island`. */
  private eachIsland(groups: number, visit: () => void): void {
    const { blocks, terms, parent, first, island, taken } = this;
    taken.fill(0);
    for (let b = 0; b < blocks.count; b++) parent[b] = b;
    for (let g = 0; g < groups; g++) {
      const a = terms.ends[2 * g];
      const b = terms.ends[2 * g + 1];
      if (a >= 0 && b >= 0) unite(parent, a, b);
    }
    // groups of each island in a list, by its lowest block
    first.fill(-1);
    this.nextGroup = intRoom(this.nextGroup, groups);
    for (let g = groups - 1; g >= 0; g--) {
      const a = terms.ends[2 * g];
      const root = findRoot(parent, a >= 0 ? a : terms.ends[2 * g + 1]);
      this.nextGroup[g] = first[root];
      first[root] = g;
    }
    for (let root = 0; root < blocks.count; root++) {
      if (first[root] < 0) continue;
      island.groupCount = 0;
      island.blockCount = 0;
      for (let g = first[root]; g >= 0; g = this.nextGroup[g]) {
        island.groups = intRoom(island.groups, island.groupCount + 1, true);
        island.groups[island.groupCount++] = g;
        for (let side = 0; side < 2; side++) {
          const b = terms.ends[2 * g + side]; // arrays of the terms move when an island is entered
          if (b < 0 || taken[b] !== 0) continue;
          taken[b] = 1;
          island.blocks = intRoom(island.blocks, island.blockCount + 1, true);
          island.blocks[island.blockCount++] = b;
        }
      }
      visit();
    }
  }

  private solveOne(): void {
    const { island, newton, contacts, terms, moving, v, blocks, pushed } = this;
    const { groups, groupCount } = island;
    this.largest = Math.max(this.largest, island.blockCount);
    const large = island.blockCount > LARGE;
    const rigidity = this.rigidity ?? (large ? LARGE_RIGID : RIGID);
    let mass = 0;
    let heaviest = 0;
    for (let i = 0; i < island.blockCount; i++) {
      const weight = blocks.weight[island.blocks[i]];
      mass += weight;
      heaviest = Math.max(heaviest, weight);
    }
    newton.enter(island);
    // velocities at v*: where points without a load would go
    for (let i = 0; i < groupCount; i++) {
      terms.velocities(groups[i], this.free, terms.u, true);
      this.joints.prepare(groups[i], rigidity);
      contacts?.regions.prepare(groups[i], rigidity, island.blockCount <= SMALL, mass, heaviest);
    }
    let strikes = false;
    for (let i = 0; i < groupCount && !strikes; i++) strikes = contacts?.regions.strikes(groups[i]) ?? false;
    if (strikes) this.struck = true;
    this.passes(rigidity, large, strikes, strikes);
    if (island.blockCount > 1 && this.carry()) this.passes(rigidity, large, strikes, strikes);
    for (let i = 0; i < groupCount && !this.struck; i++) this.struck = this.joints.hitsStop(groups[i]);
    for (let i = 0; i < island.blockCount; i++) {
      const b = island.blocks[i];
      for (let k = blocks.at[b]; k < blocks.at[b] + blocks.size[b]; k++) moving[k] = v[k];
    }
    const motion = this.motionOf(strikes);
    if (motion !== 1) {
      for (let i = 0; i < island.blockCount; i++) pushed[island.blocks[i]] = motion;
      return;
    }
    if (this.fallsFreely()) for (let i = 0; i < island.blockCount; i++) pushed[island.blocks[i]] = FALLING;
    const least = leastRebound(this.gravity(), terms.h);
    // restitution, capped where it would make energy
    for (let share = 1; share > 0.05; share *= 0.5) {
      let any = false;
      for (let i = 0; i < groupCount; i++) {
        if (contacts?.regions.rebound(groups[i], share)) any = true;
        if (this.flexible.rebound(groups[i], share, this.v0, least)) any = this.struck = true;
        if (this.joints.rebound(groups[i], share)) any = true;
      }
      if (!any) {
        if (strikes && share === 1 && !large) this.passes(rigidity, large, strikes);
        return;
      }
      this.passes(rigidity, large, strikes);
      if (this.makesEnergy()) continue;
      this.reach(rigidity, large, strikes);
      return;
    }
  }

  /** Blows on flexible bodies give back what they should. */
  private reach(rigidity: number, large: boolean, strikes: boolean): void {
    const { island, flexible, v } = this;
    let makes = false;
    for (let k = 0; k < REACHES; k++) {
      let more = false;
      for (let i = 0; i < island.groupCount; i++) if (flexible.reach(island.groups[i], v, makes)) more = true;
      if (!more) return;
      this.passes(rigidity, large, strikes);
      makes = this.makesEnergy();
    }
    if (!makes) return;
    let other = false;
    for (let i = 0; i < island.groupCount; i++) if (flexible.settle(island.groups[i])) other = true;
    if (other) this.passes(rigidity, large, strikes);
  }

  /** Some stop is soft for what lies on its part. */
  private carry(): boolean {
    const { groups, groupCount } = this.island;
    let any = false;
    for (let i = 0; i < groupCount; i++) if (this.joints.carry(groups[i], this.v)) any = true;
    return any;
  }

  /**
   * What `pushed` is to say of the island that has been solved. A mechanism, and what hangs on springs, moves with the mean velocity of the step, of second order, where contacts and stops
   * carry it and strike nothing: their points move along the normal as little at its start as at its end.
   *
   * @param strikes some point closes in fast
   */
  private motionOf(strikes: boolean): number {
    const { island, joints, contacts } = this;
    const { groups, groupCount } = island;
    if (this.needsEnd()) return 1;
    let pushes = false;
    for (let i = 0; i < groupCount && !pushes; i++) pushes = !joints.isLoop(groups[i]) && this.acts(groups[i]);
    if (!pushes) return 0;
    if (!this.maySwing()) return 1;
    let touches = false;
    let flexes = false;
    let closed = false;
    for (let i = 0; i < groupCount; i++) {
      const g = groups[i];
      if (joints.isLoop(g)) {
        closed = true;
        continue;
      }
      if (!this.acts(g)) continue;
      if (joints.isElastic(g)) flexes = true;
      else if (contacts?.regions.regionOf[g] !== undefined) {
        touches = true;
        if (strikes || contacts.regions.closesIn(g, this.v0)) return 1;
      } else if (joints.strikes(g)) return 1;
    }
    // loops are closed by one velocity alone: that of the end, where that of fast modes and of stiff springs is; flexible bodies that are touched have that of the end, too
    if (closed && (joints.anyStiff || (flexes && joints.elastic.anyFast))) return 1;
    return touches && flexes ? 1 : SWINGING;
  }

  /** Contact of flexible bodies is such that they may only go with the velocity of the end, not with the mean one of the step, of second order: they strike, or come to touch on the way. */
  private needsEnd(): boolean {
    const { island, flexible, blocks, joints, v0, v, drift, mean } = this;
    let any = false;
    for (let i = 0; i < island.groupCount; i++) if (flexible.has(island.groups[i])) any = true;
    if (!any) return false;
    for (let i = 0; i < island.blockCount; i++) {
      const b = island.blocks[i];
      for (let k = blocks.at[b]; k < blocks.at[b] + blocks.size[b]; k++) {
        const at = blocks.velocity[k];
        drift[at] = joints.stiff[at] === 0 ? 0.5 * (v0[k] + v[k]) : v[k];
      }
    }
    joints.elastic.drift(this.isMember, v0, v, drift);
    for (let i = 0; i < island.blockCount; i++) {
      const b = island.blocks[i];
      for (let k = blocks.at[b]; k < blocks.at[b] + blocks.size[b]; k++) mean[k] = drift[blocks.velocity[k]];
    }
    for (let i = 0; i < island.groupCount; i++)
      if (!flexible.carriesSteadily(island.groups[i], v0, v, mean)) return true;
    return false;
  }
  private readonly isMember = (b: number): boolean => {
    const { blocks, blockCount } = this.island;
    for (let i = 0; i < blockCount; i++) if (blocks[i] === b) return true;
    return false;
  };

  /** A mechanism is in the island, or springs are, or contacts that follow their own law. */
  private maySwing(): boolean {
    const { island, blocks, joints, contacts } = this;
    for (let i = 0; i < island.blockCount; i++) if (island.blocks[i] < blocks.firstFree) return true;
    for (let i = 0; i < island.groupCount; i++) {
      const g = island.groups[i];
      if (g < joints.groups || (contacts?.regions.regionOf[g]?.soft && this.acts(g))) return true;
    }
    return false;
  }

  /** Some impulse of a group is not zero. */
  private acts(g: number): boolean {
    const { firstRow, gamma } = this.terms;
    for (let r = firstRow[g]; r < firstRow[g + 1]; r++) if (gamma[r] !== 0) return true;
    return false;
  }

  /** Free bodies that touch only each other, all accelerated alike */
  private fallsFreely(): boolean {
    const { island, terms, blocks, free, v0 } = this;
    for (let i = 0; i < island.groupCount; i++) {
      const g = island.groups[i];
      if (terms.ends[2 * g] < blocks.firstFree || terms.ends[2 * g + 1] < blocks.firstFree) return false;
    }
    for (let i = 0; i < island.blockCount; i++) {
      const at = blocks.at[island.blocks[i]];
      const first = blocks.at[island.blocks[0]];
      for (let k = 0; k < 3; k++) {
        const change = free[at + k] - v0[at + k];
        if (Math.abs(change - (free[first + k] - v0[first + k])) > 1e-9 * Math.abs(change) + 1e-300) return false;
      }
    }
    return true;
  }

  /** Contacts of the island give more than they take; what prescribed motions put in is not theirs. */
  private makesEnergy(): boolean {
    const { island, terms, v, v0, contacts, flexible } = this;
    let heat = 0;
    let moved = 0;
    for (let i = 0; i < island.groupCount; i++) {
      const g = island.groups[i];
      const region = contacts?.regions.regionOf[g];
      const pair = contacts?.regions.pairOf[g];
      const soft = flexible.has(g);
      if (!soft && (!region || !pair)) continue;
      terms.velocities(g, v0, terms.trial, true);
      terms.velocities(g, v, terms.u, true);
      heat += soft ? flexible.takes(g, terms.trial) : contacts!.settled.heatOf(pair!, region!, terms.trial);
      for (let r = terms.firstRow[g]; r < terms.firstRow[g + 1]; r++)
        moved += Math.abs(terms.gamma[r] * terms.trial[r]);
    }
    return heat < -1e-9 * moved;
  }

  /** Solves, and again with the loads that came out while they change. @param loose no more is made of it than a start for another */
  private passes(rigidity: number, large: boolean, struck: boolean, loose = false): void {
    const { island, contacts, flexible } = this;
    const { groups, groupCount } = island;
    const scale = this.speedScale();
    const close = large ? LARGE_TOLERANCE : TOLERANCE;
    const lags = contacts !== undefined || flexible.pairs.length > 0;
    const most = struck && !loose && island.blockCount <= SMALL ? BLOW_PASSES : PASSES;
    for (let pass = 1; ; pass++) {
      const ends = pass === most || !lags;
      const told = !large && (!ends || loose);
      this.minimise(told ? LOOSE : close, scale, !(told && struck));
      const settled = large ? LARGE_SETTLED : pass < PASSES ? SETTLED : BLOW_SETTLED;
      const changes = lags && this.loadsChange(settled);
      if (!changes || ends) {
        if (ends || loose || large) return;
        this.minimise(close, scale);
        for (let i = 0; i < groupCount; i++) contacts?.regions.weigh(groups[i]);
        return;
      }
      const least = AS_BEFORE * (large ? LARGE_SETTLED : SETTLED);
      for (let i = 0; i < groupCount; i++) {
        contacts?.regions.assume(groups[i], rigidity, island.blockCount <= SMALL, least);
        flexible.assume(groups[i]);
      }
    }
  }

  /** Speed that a tolerance is a part of, m/s: g h; without gravity a hundredth of the fastest, of what is driven against flexible bodies, too */
  private speedScale(): number {
    const { island, terms, blocks, free, flexible } = this;
    const scale = this.gravity() * terms.h;
    if (scale > 0) return scale;
    let fastest = 0;
    for (let i = 0; i < island.blockCount; i++) {
      const at = blocks.at[island.blocks[i]];
      for (let k = at; k < at + blocks.size[island.blocks[i]]; k++) fastest = Math.max(fastest, Math.abs(free[k]));
    }
    for (let i = 0; i < island.groupCount; i++) {
      const g = island.groups[i];
      if (flexible.has(g))
        for (let r = terms.firstRow[g]; r < terms.firstRow[g + 1]; r++)
          fastest = Math.max(fastest, Math.abs(terms.bias[r]));
    }
    return Math.max(1e-2 * fastest, 1e-12);
  }

  /** Loads that came out are others than were assumed, by more than this part. */
  private loadsChange(part: number): boolean {
    const { contacts, flexible } = this;
    const { groups, groupCount } = this.island;
    let changes = false;
    for (let i = 0; i < groupCount; i++) {
      if ((contacts?.regions.weigh(groups[i]) ?? 0) > part) changes = true;
      if (flexible.weigh(groups[i]) > part) changes = true;
    }
    return changes;
  }

  private minimise(tolerance: number, speed: number, contours = true): void {
    const { newton } = this;
    newton.solve(this.island, this.v, this.free, tolerance, speed, contours);
    this.iterations += newton.iterations;
    this.solutions++;
    if (newton.unsolved) this.unsolved++;
  }
}
