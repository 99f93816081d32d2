/**
 * The step matrix of an island of many mechanisms as a sparse one: a diagonal block per mechanism, blocks off the diagonal where an
 * element ties two of them. A chain of n bodies costs O(n). Where a diagonal block turns out singular the island is solved as a dense
 * one, which exchanges rows across mechanisms.
 */
import { BlockLu } from '../../math/block-lu.js';
import { intRoom, numberRoom } from '../../math/room.js';
import type { ScaledLu } from '../../math/scaled-lu.js';
import { DenseIsland, type IslandParts } from './dense-island.js';
import type { LoadTerm } from './load-terms.js';

/** Unknowns above which a dense matrix is not tried: 72 MB */
const LARGEST_DENSE = 3000;

export class SparseIsland {
  readonly blocks = new BlockLu();
  /** Its first mechanism when it was last set, by which it is found again */
  key = -1;
  private readonly parts: IslandParts;
  private readonly dense: DenseIsland;
  /** True if the last factorisation is the dense one */
  private isDense = false;
  private members: Int32Array = new Int32Array(0);
  private from = 0;
  private count = 0;
  private cross: readonly LoadTerm[] = [];
  private sizes: Int32Array = new Int32Array(0);
  private edges: Int32Array = new Int32Array(0);
  /** Two per term: where its blocks off the diagonal start, −1 for terms within one mechanism */
  private at: Int32Array = new Int32Array(0);
  private readonly diagonals: ScaledLu[] = [];
  private first: Int32Array = new Int32Array(0);
  private work: Float64Array = new Float64Array(0);
  private e = 0;

  constructor(parts: IslandParts) {
    this.parts = parts;
    this.dense = new DenseIsland(parts);
  }

  /** Another island: the mechanisms members[from … to), the terms between two of its carriers */
  set(members: Int32Array, from: number, to: number, cross: readonly LoadTerm[]): void {
    const { mechanisms, firstOf } = this.parts;
    const count = to - from;
    this.members = members;
    this.from = from;
    this.count = count;
    this.cross = cross;
    this.key = members[from];
    this.dense.set(members, from, to, cross, NO_TERMS);
    this.sizes = intRoom(this.sizes, count);
    this.first = intRoom(this.first, count);
    this.edges = intRoom(this.edges, 2 * cross.length);
    this.at = intRoom(this.at, 2 * cross.length);
    const { sizes, edges, at, blocks } = this;
    const blockOf = firstOf;
    for (let k = 0; k < count; k++) {
      blockOf[members[from + k]] = k;
      sizes[k] = mechanisms.all[members[from + k]].velocities.length;
    }
    for (let k = 0; k < cross.length; k++) {
      edges[2 * k] = blockOf[mechanisms.of[cross[k].blocks.a]];
      edges[2 * k + 1] = blockOf[mechanisms.of[cross[k].blocks.b]];
    }
    blocks.structure(count, sizes, edges, cross.length);
    for (let k = 0; k < cross.length; k++) {
      const a = edges[2 * k];
      const b = edges[2 * k + 1];
      at[2 * k] = a === b ? -1 : blocks.at(a, b);
      at[2 * k + 1] = a === b ? -1 : blocks.at(b, a);
    }
  }

  /** False if the matrix is singular. */
  factorise(e: number): boolean {
    const { members, from, count, cross, blocks, at, diagonals, edges, sizes, first } = this;
    const { mechanisms, entries, pool } = this.parts;
    this.e = e;
    this.isDense = false;
    let unknowns = 0;
    blocks.clear();
    for (let k = 0; k < count; k++) {
      const mechanism = mechanisms.all[members[from + k]];
      const lu = pool.take(sizes[k] + mechanism.keptCount);
      diagonals[k] = lu;
      first[k] = unknowns;
      unknowns += lu.size;
      entries.fill(e, mechanism, lu.matrix, 0, lu.size);
    }
    diagonals.length = count;
    this.work = numberRoom(this.work, unknowns);
    const { values } = blocks;
    for (let k = 0; k < cross.length; k++) {
      const a = edges[2 * k];
      const b = edges[2 * k + 1];
      if (a !== b) {
        entries.fillCross(e, cross[k], 0, values, at[2 * k], sizes[b]);
        entries.fillCross(e, cross[k], 1, values, at[2 * k + 1], sizes[a]);
      } else
        for (let side = 0; side < 2; side++)
          entries.fillCross(e, cross[k], side, diagonals[a].matrix, 0, diagonals[a].size);
    }
    if (blocks.factorise(diagonals)) return true;
    if (unknowns > LARGEST_DENSE) return false;
    this.isDense = true;
    return this.dense.factorise(e);
  }

  /** As of the dense island */
  solve(right: Float64Array, shift: Float64Array, r: Float64Array, nq: number): void {
    if (this.isDense) {
      this.dense.solve(right, shift, r, nq);
      return;
    }
    const { members, from, count, work, first, e } = this;
    const { mechanisms, entries } = this.parts;
    for (let k = 0; k < count; k++)
      entries.rightSide(e, mechanisms.all[members[from + k]], right, shift, r, nq, work, first[k]);
    this.blocks.solve(work, first);
    for (let k = 0; k < count; k++) {
      const { velocities } = mechanisms.all[members[from + k]];
      for (let local = 0; local < velocities.length; local++) r[nq + velocities[local]] = work[first[k] + local];
    }
  }
}

const NO_TERMS: readonly LoadTerm[] = [];
