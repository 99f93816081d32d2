/**
 * Forces of the system's plans, and others that are held for good, in contrast to contacts, which come and go: how they are made, and what some of them have beyond a force: a history
 * that accepted steps commit, a bound on the step, a look back on it.
 */
import type { System } from '../../assembly/system.js';
import type { Tape } from '../../math/tape.js';
import type { Carriers } from '../tree/carriers.js';
import type { TreeKinematics } from '../tree/tree-kinematics.js';
import { AppliedForce } from './applied-force.js';
import { Bushing } from './bushing.js';
import { FlexibleContact } from './flexible-contact.js';
import { JointForce } from './joint-forces.js';
import { LineForce } from './line-force.js';
import { OwnElement } from './own-element.js';
import type { PairElement } from './pair-element.js';

/** What elements ask of the system they are in */
export interface ElementRoom {
  readonly carriers: Carriers;
  readonly kinematics: TreeKinematics;
  /** dᵀ M⁻¹ d at a place of a carrier, 1/kg */
  mobility(carrier: number, place: ArrayLike<number>, direction: ArrayLike<number>): number;
  /** Generalised forces of the last evaluation */
  applied(): Float64Array;
}

export class LastingElements {
  readonly joints: readonly JointForce[];
  readonly pairs: readonly PairElement[];
  /** Contact elements of the user's own */
  readonly own: readonly OwnElement[];
  /** The element for whose sake the last step was cut, if any */
  limitedBy: PairElement | undefined;
  /** J of stored energy that the last `commit` let go of as heat */
  released = 0;
  /** Elements whose committed history others of the same plan can take over, and the index of each among the system's plans */
  readonly remembering: readonly (OwnElement | FlexibleContact)[];
  private readonly rememberingPlans: readonly number[];
  private readonly committing: readonly PairElement[];
  private readonly limiting: readonly PairElement[];
  private readonly judging: readonly PairElement[];

  /** @param held elements beyond those of the plans */
  constructor(
    system: System,
    { carriers, kinematics, mobility, applied }: ElementRoom,
    held: () => readonly PairElement[] | undefined,
  ) {
    const joints: JointForce[] = [];
    const pairs: PairElement[] = [];
    for (const plan of system.elements)
      if (plan.kind === 'coordinate') joints.push(new JointForce(plan, system.nq, system.nv));
      else if (plan.kind === 'line') pairs.push(new LineForce(plan, carriers));
      else if (plan.kind === 'bushing') pairs.push(new Bushing(plan, carriers));
      else if (plan.kind === 'own') pairs.push(new OwnElement(plan, system, carriers, mobility));
      else if (plan.kind === 'flexibleContact')
        pairs.push(new FlexibleContact(plan, system, carriers, kinematics.flexible, applied));
      else {
        const size = system.bodies.find(({ anchor }) => anchor.node === plan.b.node)?.size ?? 1;
        pairs.push(new AppliedForce(plan, carriers, size));
      }
    pairs.push(...(held() ?? []));
    this.joints = joints;
    this.pairs = pairs;
    this.own = pairs.filter((pair) => pair instanceof OwnElement);
    this.remembering = pairs.filter((pair) => pair instanceof OwnElement || pair instanceof FlexibleContact);
    this.rememberingPlans = system.elements.flatMap(({ kind }, i) =>
      kind === 'own' || kind === 'flexibleContact' ? [i] : [],
    );
    this.committing = pairs.filter(({ commit }) => commit);
    this.limiting = pairs.filter(({ stepLimit }) => stepLimit);
    this.judging = pairs.filter(({ steppedOver }) => steppedOver);
  }

  /** Some element bounds the step. */
  get bounds(): boolean {
    return this.limiting.length > 0;
  }

  /** Some element looks back on the step. */
  get judges(): boolean {
    return this.judging.length > 0;
  }

  /**
   * Rates have kinks that no derivative tells of: one of the user's own elements commits a history with every step, as soil does; flexible bodies touch, point by
   * point, and rest on each other as deep as a difference of the rates would move them.
   */
  get hasKinks(): boolean {
    return this.pairs.some(
      (pair) => pair instanceof FlexibleContact || (pair instanceof OwnElement && pair.commit !== undefined),
    );
  }

  /** A body that deforms rests on another. */
  get rests(): boolean {
    return this.pairs.some((pair) => pair instanceof FlexibleContact && pair.contact.rests);
  }

  /** Some element has a history. */
  get commits(): boolean {
    return this.committing.length > 0;
  }

  /** The least of `limit` and what the elements bound a step to, s. Carriers must be at (t, y). */
  stepLimit(t: number, y: Float64Array, f: Float64Array, limit: number, planned: number): number {
    let least = limit;
    for (const element of this.limiting) {
      const own = element.stepLimit!(t, y, f);
      if (!(own < least)) continue;
      least = own;
      if (own < planned) this.limitedBy = element;
    }
    return least;
  }

  /** The step to (t, y), where the carriers must be, was too long for one of them. */
  steppedOver(t: number, y: Float64Array): boolean {
    for (const element of this.judging) if (element.steppedOver!(t, y)) return true;
    return false;
  }

  /** After an accepted step to (t, y), where the carriers must be: history is committed. True if rates at y are others from here on. */
  commit(t: number, y: Float64Array): boolean {
    let changed = false;
    this.released = 0;
    for (const element of this.committing) {
      if (element.commit!(t, y)) changed = true;
      // of one that books its work whole, what it holds less is in its heat
      if (element instanceof FlexibleContact && !element.booksWork)
        this.released += element.regions?.slots.released ?? 0;
    }
    return changed;
  }

  /** Takes over what elements of another part of the model have committed. @param planHere index here of a plan of theirs */
  takeOver(other: LastingElements, planHere: (planThere: number) => number): void {
    for (let k = 0; k < other.remembering.length; k++) {
      const here = this.rememberingPlans.indexOf(planHere(other.rememberingPlans[k]));
      if (here < 0) continue;
      const [mine, theirs] = [this.remembering[here], other.remembering[k]];
      if (mine instanceof OwnElement && theirs instanceof OwnElement) mine.follow(theirs);
      if (mine instanceof FlexibleContact && theirs instanceof FlexibleContact) mine.follow(theirs);
    }
  }

  /** What they have committed */
  remember(tape: Tape): void {
    for (const element of this.remembering) {
      const committed = tape.plain(tape.reading ? undefined : element.snapshot());
      if (tape.reading && committed !== undefined) element.restore(committed);
    }
  }
}
