/**
 * Derivatives of all loads for one step: force elements, the turning of loop reactions, gravity that is not uniform; pair by pair, and
 * gathered as one 6 × 6 block per carrier.
 *
 * Elements come and go between steps, and one that is there may have nothing to say: a contact that is open has neither wrench nor
 * derivatives. Which of them act is found anew at each linearisation; the others are left out of everything that follows.
 */
import type { System } from '../../assembly/system.js';
import { PairDerivative, type PairElement } from '../elements/pair-element.js';
import type { Loops } from '../loops/loops.js';
import type { Carriers } from '../tree/carriers.js';
import type { GravityField } from '../tree/gravity.js';
import type { TreeDerivatives } from '../tree/tree-derivatives.js';
import { PairBlocks } from './load-derivatives.js';
import { ModalBlocks } from './modal-blocks.js';

/** The derivatives of one load; used for another element when its own is gone */
export class LoadTerm {
  /** Index of the element's state in y, −1 for loops and gravity */
  stateAt = -1;
  readonly derivative: PairDerivative;
  readonly blocks: PairBlocks;
  /** Velocities that move A and B, from the carrier to its root; empty where nobody asks for them */
  velocitiesA: Int32Array = NO_VELOCITIES;
  velocitiesB: Int32Array = NO_VELOCITIES;
  /** It has a wrench or derivatives of one */
  acts = true;
  /** The rates of its states depend on the motion of its carriers */
  follows = false;
  /** Wrench or rates depend on time beyond the motion */
  timeDependent = false;

  /** Of elements that act on coordinates of deforming carriers */
  readonly modal: ModalBlocks | undefined;

  constructor(states: number, carriers: Carriers, derivatives: TreeDerivatives, modes?: PairElement['modes']) {
    this.derivative = new PairDerivative(states, modes?.velocities.length);
    this.blocks = new PairBlocks(states, carriers, derivatives);
    this.modal = modes && new ModalBlocks(modes, states);
  }
}

interface Parts {
  readonly system: System;
  readonly carriers: Carriers;
  readonly derivatives: TreeDerivatives;
  readonly gravity: GravityField;
  readonly loops: Loops;
}

export class LoadTerms {
  /** Those that act: of pair elements, then of constraints (the turning of their reactions), then of nodes in non-uniform gravity */
  readonly acting: LoadTerm[] = [];
  /** The same, and those that have nothing to say */
  readonly all: LoadTerm[] = [];
  /** Of those that act, those between two carriers whose velocities they tie, and those with states */
  readonly cross: LoadTerm[] = [];
  readonly withStates: LoadTerm[] = [];
  /** Of those that act, those on coordinates of deforming carriers */
  readonly modal: LoadTerm[] = [];
  /** All that have states, acting or not */
  readonly stateful: LoadTerm[] = [];
  /** 36 per carrier: X'', C */
  readonly pose: Float64Array;
  readonly twist: Float64Array;
  /** Per carrier: they are not zero */
  readonly loaded: Uint8Array;
  /** Per carrier: its motion is asked for, by loads or by states that follow it */
  readonly asked: Uint8Array;
  /** Twists of the carriers at the linearisation; stages that come after move the carriers on. */
  readonly carrierTwist: Float64Array;
  private readonly parts: Parts;
  private pairs: readonly PairElement[] = [];
  /** Of elements that act on coordinates of deforming carriers: they stay for good */
  private readonly own = new Map<PairElement, LoadTerm>();
  /** One per pair element */
  private readonly ofPairs: LoadTerm[] = [];
  /** One per pair of carriers that rows of one constraint tie, then one per node under non-uniform gravity */
  private readonly fixed: LoadTerm[] = [];
  /** By number of states: terms made so far, and how many of them are in use */
  private readonly pool: LoadTerm[][] = [];
  private readonly inUse: number[] = [];
  private readonly velocitiesOf: (Int32Array | undefined)[];
  private readonly loadedCarriers: Int32Array;
  private loadedCount = 0;
  private changed = true;
  /** 9 per free body under non-uniform gravity: m ∇g */
  private readonly freeGradient: Float64Array;
  private readonly moved = new Float64Array(3);
  private readonly change = new Float64Array(3);

  constructor(parts: Parts, pairs: readonly PairElement[]) {
    this.parts = parts;
    const { system, carriers, derivatives, loops } = parts;
    const count = carriers.ground + 1;
    this.velocitiesOf = new Array(count).fill(undefined);
    const uniform = system.gravity.kind === 'uniform';
    for (const { a, b } of loops.groups) this.fixed.push(this.place(new LoadTerm(0, carriers, derivatives), a, b, -1));
    if (!uniform)
      for (let i = 0; i < carriers.nodes; i++)
        this.fixed.push(this.place(new LoadTerm(0, carriers, derivatives), carriers.ground, i, -1));
    this.pose = new Float64Array(36 * count);
    this.twist = new Float64Array(36 * count);
    this.carrierTwist = new Float64Array(6 * count);
    this.freeGradient = new Float64Array(uniform ? 0 : 9 * carriers.free);
    this.loaded = new Uint8Array(count);
    this.asked = new Uint8Array(count);
    this.loadedCarriers = new Int32Array(count);
    this.setPairs(pairs);
  }

  /** Other elements from the next linearisation on */
  setPairs(pairs: readonly PairElement[]): void {
    const { carriers, derivatives } = this.parts;
    const { ofPairs, stateful, pool, inUse } = this;
    this.pairs = pairs;
    this.changed = true;
    for (let states = 0; states < inUse.length; states++) inUse[states] = 0;
    let withStates = 0;
    for (let i = 0; i < pairs.length; i++) {
      const { a, b, states, stateAt, modes } = pairs[i];
      if (modes) {
        const term = this.own.get(pairs[i]) ?? new LoadTerm(states, carriers, derivatives, modes);
        this.own.set(pairs[i], term);
        ofPairs[i] = this.place(term, a, b, stateAt);
        ofPairs[i].timeDependent = pairs[i].timeDependent;
        if (states > 0) stateful[withStates++] = term;
        continue;
      }
      while (pool.length <= states) {
        pool.push([]);
        inUse.push(0);
      }
      const made = pool[states];
      const index = inUse[states]++;
      if (index === made.length) made.push(new LoadTerm(states, carriers, derivatives));
      ofPairs[i] = this.place(made[index], a, b, stateAt);
      ofPairs[i].timeDependent = pairs[i].timeDependent;
      if (states > 0) stateful[withStates++] = ofPairs[i];
    }
    ofPairs.length = pairs.length;
    stateful.length = withStates;
  }

  /** The largest number of states that an element has had */
  get mostStates(): number {
    let most = Math.max(0, this.pool.length - 1);
    for (const { states } of this.own.keys()) most = Math.max(most, states);
    return most;
  }

  private place(term: LoadTerm, a: number, b: number, stateAt: number): LoadTerm {
    const { carriers } = this.parts;
    const wanted =
      term.derivative.states > 0 || term.modal !== undefined || (a !== carriers.ground && b !== carriers.ground);
    term.blocks.a = a;
    term.blocks.b = b;
    term.stateAt = stateAt;
    term.velocitiesA = wanted ? this.velocities(a) : NO_VELOCITIES;
    term.velocitiesB = wanted ? this.velocities(b) : NO_VELOCITIES;
    return term;
  }

  private velocities(carrier: number): Int32Array {
    const { carriers, derivatives } = this.parts;
    return (this.velocitiesOf[carrier] ??= velocitiesOf(carrier, carriers, derivatives));
  }

  /** Derivatives at (t, y), at the carriers' present motion. True if other terms act than at the last linearisation. */
  linearise(t: number, y: Float64Array): boolean {
    const { pairs, ofPairs, fixed } = this;
    const { loops, system, carriers } = this.parts;
    this.carrierTwist.set(carriers.twist);
    let changed = this.changed;
    for (let i = 0; i < pairs.length; i++) {
      const term = ofPairs[i];
      const { derivative } = term;
      derivative.clear();
      pairs[i].differentiate(t, y, derivative);
      const acts = pairs[i].idle !== true && actsOn(derivative);
      const follows = derivative.states > 0 && !(isZero(derivative.ratesByPose) && isZero(derivative.ratesByTwist));
      if (acts !== term.acts || follows !== term.follows) changed = true;
      term.acts = acts;
      term.follows = follows;
    }
    for (let i = 0; i < loops.groups.length; i++) {
      const { derivative } = fixed[i];
      derivative.clear();
      loops.differentiateReaction(i, derivative);
    }
    if (system.gravity.kind !== 'uniform') this.differentiateGravity(loops.groups.length);
    if (changed) this.sort();
    this.changed = false;
    return changed;
  }

  /** Which terms act, and on what */
  private sort(): void {
    const { ofPairs, fixed, all, acting, cross, withStates, modal, pose, twist, loaded, asked, loadedCarriers } = this;
    const { carriers, system } = this.parts;
    for (let k = 0; k < this.loadedCount; k++) {
      const at = 36 * loadedCarriers[k];
      pose.fill(0, at, at + 36);
      twist.fill(0, at, at + 36);
    }
    loaded.fill(0);
    asked.fill(0);
    let total = 0;
    let tying = 0;
    let remembering = 0;
    modal.length = 0;
    for (let i = 0; i < ofPairs.length + fixed.length; i++) {
      const term = i < ofPairs.length ? ofPairs[i] : fixed[i - ofPairs.length];
      const { blocks, velocitiesA, velocitiesB } = term;
      all[i] = term;
      if (term.follows) asked[blocks.a] = asked[blocks.b] = 1;
      if (!term.acts) continue;
      loaded[blocks.a] = loaded[blocks.b] = 1;
      acting[total++] = term;
      if (velocitiesA.length > 0 && velocitiesB.length > 0) cross[tying++] = term;
      if (term.derivative.states > 0) withStates[remembering++] = term;
      if (term.modal) modal.push(term);
    }
    all.length = ofPairs.length + fixed.length;
    acting.length = total;
    cross.length = tying;
    withStates.length = remembering;
    if (system.gravity.kind !== 'uniform') loaded.fill(1, carriers.nodes, carriers.ground);
    loaded[carriers.ground] = 0;
    let count = 0;
    for (let carrier = 0; carrier < carriers.ground; carrier++)
      if (loaded[carrier] !== 0) {
        asked[carrier] = 1;
        loadedCarriers[count++] = carrier;
      }
    this.loadedCount = count;
  }

  /** F = m g(x) at the centre of mass: δF = m ∇g (δc + θ × r), torque r × F */
  private differentiateGravity(first: number): void {
    const { carriers, gravity, system, derivatives } = this.parts;
    const { position, nodes } = carriers;
    const { centre, tree } = derivatives.kinematics;
    const { gradient, value } = gravity;
    for (let i = 0; i < carriers.free; i++) {
      const at = 3 * (nodes + i);
      gravity.gradientAt(position[at], position[at + 1], position[at + 2]);
      for (let j = 0; j < 9; j++) this.freeGradient[9 * i + j] = system.free.mass[i] * gradient[j];
    }
    const { moved, change } = this;
    for (let i = 0; i < nodes; i++) {
      const { derivative } = this.fixed[first + i];
      derivative.clear();
      const mass = tree.mass[i];
      if (mass === 0) continue;
      const r = 3 * i;
      gravity.gradientAt(position[r] + centre[r], position[r + 1] + centre[r + 1], position[r + 2] + centre[r + 2]);
      const { byPose, wrench } = derivative;
      for (let column = 0; column < 6; column++) {
        moved.fill(0);
        if (column < 3) {
          moved[(column + 1) % 3] = -centre[r + ((column + 2) % 3)];
          moved[(column + 2) % 3] = centre[r + ((column + 1) % 3)];
        } else moved[column - 3] = 1;
        for (let k = 0; k < 3; k++) {
          const g = 3 * k;
          change[k] = mass * (gradient[g] * moved[0] + gradient[g + 1] * moved[1] + gradient[g + 2] * moved[2]);
        }
        for (let k = 0; k < 3; k++) {
          const n = (k + 1) % 3;
          const p = (k + 2) % 3;
          const turning = column < 3 ? mass * (moved[n] * value[p] - moved[p] * value[n]) : 0;
          byPose[12 * (6 + k) + 6 + column] = centre[r + n] * change[p] - centre[r + p] * change[n] + turning;
          byPose[12 * (9 + k) + 6 + column] = change[k];
        }
      }
      for (let k = 0; k < 3; k++) {
        const n = (k + 1) % 3;
        const p = (k + 2) % 3;
        wrench[6 + k] = mass * (centre[r + n] * value[p] - centre[r + p] * value[n]);
        wrench[9 + k] = mass * value[k];
      }
    }
  }

  /** Blocks for a step size. False if the states of an element cannot be eliminated at it. */
  prepare(e: number): boolean {
    const { pose, twist, acting, stateful, loadedCarriers, loadedCount, carrierTwist } = this;
    const { carriers } = this.parts;
    for (let k = 0; k < loadedCount; k++) {
      const at = 36 * loadedCarriers[k];
      pose.fill(0, at, at + 36);
      twist.fill(0, at, at + 36);
    }
    for (let k = 0; k < stateful.length; k++)
      if (!stateful[k].blocks.eliminate(stateful[k].derivative, e)) return false;
    for (let k = 0; k < acting.length; k++) {
      const { blocks, derivative } = acting[k];
      blocks.update(derivative, carrierTwist, e);
      if (derivative.modal)
        acting[k].modal!.update(
          derivative,
          derivative.modal,
          blocks,
          carrierTwist,
          e,
          carriers,
          this.parts.derivatives,
        );
      for (let side = 0; side < 2; side++) {
        const carrier = side === 0 ? blocks.a : blocks.b;
        if (carrier === carriers.ground) continue;
        const at = 36 * carrier;
        const from = 78 * side; // 12 · 6 + 6
        for (let i = 0; i < 6; i++)
          for (let j = 0; j < 6; j++) {
            pose[at + 6 * i + j] += blocks.pose[from + 12 * i + j];
            twist[at + 6 * i + j] += blocks.twist[from + 12 * i + j];
          }
      }
    }
    for (let k = 0; k < this.freeGradient.length; k++) {
      const at = 36 * (carriers.nodes + Math.floor(k / 9));
      pose[at + 6 * (3 + Math.floor((k % 9) / 3)) + 3 + (k % 3)] += this.freeGradient[k];
    }
    return true;
  }
}

const NO_VELOCITIES = new Int32Array(0);

function velocitiesOf(
  carrier: number,
  { nodes, ground }: Carriers,
  { size, kinematics, nodeOf }: TreeDerivatives,
): Int32Array {
  if (carrier === ground) return NO_VELOCITIES;
  if (carrier >= nodes) return Int32Array.from({ length: 6 }, (_, j) => size + 6 * (carrier - nodes) + j);
  const { parent, v } = kinematics.tree;
  const found: number[] = [];
  for (let i = carrier; i >= 0; i = parent[i])
    for (let k = v[i]; k >= 0 && k < size && nodeOf[k] === i; k++) found.push(k);
  return Int32Array.from(found);
}

const actsOn = ({ wrench, byTwist, byPose, byState }: PairDerivative): boolean =>
  !(isZero(wrench) && isZero(byTwist) && isZero(byPose) && isZero(byState));

/** NaN is not zero. */
function isZero(values: Float64Array): boolean {
  for (let i = 0; i < values.length; i++) if (values[i] !== 0) return false;
  return true;
}
