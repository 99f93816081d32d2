/**
 * Parts of a system that do not feel each other at the present linearisation: mechanisms, joined where an element that acts ties their
 * velocities. Each island has a step matrix of its own.
 */
import { findRoot, unite } from '../../math/union-find.js';
import type { LoadTerm, LoadTerms } from './load-terms.js';
import type { Mechanisms } from './mechanisms.js';

/**
 * body: one free body that nothing acts on with derivatives; sweep: one tree whose forces all act from the ground, solved in O(n);
 * sparse: many mechanisms; dense: everything else
 */
export type IslandKind = 'body' | 'sweep' | 'dense' | 'sparse';

/** From this many velocities on the O(n) sweep beats a dense factorisation. */
const SWEEP_FROM = 16;
/** From this many mechanisms on a matrix of blocks beats a dense one. */
const SPARSE_FROM = 4;

export interface IslandOptions {
  readonly sweepFrom?: number;
  readonly sparseFrom?: number;
}

export class Islands {
  count = 0;
  readonly kinds: IslandKind[] = [];
  /** members[start[i] … start[i + 1]): mechanisms of island i, ascending; islands by their first mechanism */
  readonly start: Int32Array;
  readonly members: Int32Array;
  /** Per island: terms between two of its carriers */
  readonly cross: LoadTerm[][] = [];
  /** And those on coordinates of deforming bodies */
  readonly modal: LoadTerm[][] = [];
  /** Island of each mechanism */
  private readonly of: Int32Array;
  private readonly mechanisms: Mechanisms;
  private readonly firstBody: number;
  private readonly sweepFrom: number;
  private readonly sparseFrom: number;
  private readonly leader: Int32Array;
  /** 1 per mechanism: it acts on itself */
  private readonly within: Uint8Array;
  private readonly filled: Int32Array;

  /** @param firstBody carrier of the first free body */
  constructor(mechanisms: Mechanisms, firstBody: number, options: IslandOptions) {
    const count = mechanisms.all.length;
    this.mechanisms = mechanisms;
    this.firstBody = firstBody;
    this.sweepFrom = options.sweepFrom ?? SWEEP_FROM;
    this.sparseFrom = options.sparseFrom ?? SPARSE_FROM;
    this.start = new Int32Array(count + 1);
    this.members = new Int32Array(count);
    this.of = new Int32Array(count);
    this.leader = new Int32Array(count);
    this.within = new Uint8Array(count);
    this.filled = new Int32Array(count);
  }

  group({ cross, modal, loaded }: LoadTerms): void {
    const { leader, within, of, start, members, filled, kinds, mechanisms } = this;
    const mechanismCount = mechanisms.all.length;
    within.fill(0);
    for (let m = 0; m < mechanismCount; m++) leader[m] = m;
    for (let k = 0; k < cross.length; k++) {
      const a = mechanisms.of[cross[k].blocks.a];
      const b = mechanisms.of[cross[k].blocks.b];
      if (a === b) within[a] = 1;
      else unite(leader, a, b);
    }

    for (let k = 0; k < modal.length; k++) {
      const { a, b } = modal[k].blocks;
      if (a < mechanisms.of.length) within[mechanisms.of[a]] = 1;
      if (b < mechanisms.of.length) within[mechanisms.of[b]] = 1;
      if (a < mechanisms.of.length && b < mechanisms.of.length) unite(leader, mechanisms.of[a], mechanisms.of[b]);
    }

    // The lowest leads, so that it comes first
    let count = 0;
    start.fill(0);
    for (let m = 0; m < mechanismCount; m++) {
      const top = findRoot(leader, m);
      of[m] = top === m ? count++ : of[top];
      start[of[m] + 1]++;
    }
    this.count = count;
    for (let i = 0; i < count; i++) {
      start[i + 1] += start[i];
      filled[i] = start[i];
    }
    for (let m = 0; m < mechanismCount; m++) members[filled[of[m]]++] = m;
    for (let i = 0; i < count; i++) kinds[i] = this.kindOf(i, loaded);
    this.sortTerms(cross);
    while (this.modal.length < count) this.modal.push([]);
    for (const terms of this.modal) terms.length = 0;
    for (const term of modal) this.modal[of[mechanisms.of[term.blocks.a]]].push(term);
  }

  private kindOf(island: number, loaded: Uint8Array): IslandKind {
    const first = this.start[island];
    const count = this.start[island + 1] - first;
    if (count > 1) return count >= this.sparseFrom && !this.deforms(island) ? 'sparse' : 'dense';
    const index = this.members[first];
    const { body, tied, velocities } = this.mechanisms.all[index];
    if (body >= 0) return loaded[this.firstBody + body] === 0 ? 'body' : 'dense';
    return !tied && this.within[index] === 0 && velocities.length >= this.sweepFrom ? 'sweep' : 'dense';
  }

  /** Blocks do not know the coordinates of deforming bodies. */
  private deforms(island: number): boolean {
    for (let k = this.start[island]; k < this.start[island + 1]; k++)
      if (this.mechanisms.all[this.members[k]].flexible) return true;
    return false;
  }

  private sortTerms(terms: readonly LoadTerm[]): void {
    const { cross, filled, of, mechanisms, count } = this;
    while (cross.length < count) cross.push([]);
    filled.fill(0);
    for (let k = 0; k < terms.length; k++) {
      const island = of[mechanisms.of[terms[k].blocks.a]];
      cross[island][filled[island]++] = terms[k];
    }
    for (let i = 0; i < count; i++) if (cross[i].length !== filled[i]) cross[i].length = filled[i];
  }
}
