/** The step matrix of one island as a dense one: mechanism after mechanism, each with its loop rows. */
import { numberRoom } from '../../math/room.js';
import type { ScaledLu } from '../../math/scaled-lu.js';
import type { IslandEntries } from './island-entries.js';
import type { LoadTerm } from './load-terms.js';
import type { LuPool } from './lu-pool.js';
import type { Mechanisms } from './mechanisms.js';

export interface IslandParts {
  readonly mechanisms: Mechanisms;
  readonly entries: IslandEntries;
  readonly pool: LuPool;
  /** Per mechanism: where it starts in its island */
  readonly firstOf: Int32Array;
}

export class DenseIsland {
  private readonly parts: IslandParts;
  /** The mechanisms members[from … to) */
  private members: Int32Array = NONE;
  private from = 0;
  private to = 0;
  private cross: readonly LoadTerm[] = [];
  private modal: readonly LoadTerm[] = [];
  private lu: ScaledLu | undefined;
  private work: Float64Array = new Float64Array(0);
  private e = 0;

  constructor(parts: IslandParts) {
    this.parts = parts;
  }

  /** Another island. @param cross terms between two of its carriers. @param modal those on coordinates of deforming bodies */
  set(members: Int32Array, from: number, to: number, cross: readonly LoadTerm[], modal: readonly LoadTerm[]): void {
    this.members = members;
    this.from = from;
    this.to = to;
    this.cross = cross;
    this.modal = modal;
  }

  /** False if the matrix is singular. */
  factorise(e: number): boolean {
    const { members, from, to, cross, modal } = this;
    const { mechanisms, entries, pool, firstOf } = this.parts;
    this.e = e;
    let size = 0;
    for (let k = from; k < to; k++) {
      const { velocities, keptCount } = mechanisms.all[members[k]];
      firstOf[members[k]] = size;
      size += velocities.length + keptCount;
    }
    const lu = pool.take(size);
    const { matrix } = lu;
    this.lu = lu;
    this.work = numberRoom(this.work, size);
    for (let k = from; k < to; k++)
      entries.fill(e, mechanisms.all[members[k]], matrix, firstOf[members[k]] * (size + 1), size);
    for (let k = 0; k < cross.length; k++) {
      const { blocks } = cross[k];
      const a = firstOf[mechanisms.of[blocks.a]];
      const b = firstOf[mechanisms.of[blocks.b]];
      entries.fillCross(e, cross[k], 0, matrix, a * size + b, size);
      entries.fillCross(e, cross[k], 1, matrix, b * size + a, size);
    }
    for (let k = 0; k < modal.length; k++) {
      const { blocks } = modal[k];
      const a = firstOf[mechanisms.of[blocks.a]];
      const b = blocks.b < mechanisms.of.length ? firstOf[mechanisms.of[blocks.b]] : 0;
      entries.fillModal(e, modal[k], matrix, a, b, size);
    }
    return lu.factorise();
  }

  /**
   * Solves for the velocities in r, from index `nq`.
   *
   * @param right per velocity: the right side of W
   * @param shift per velocity: E r̃
   */
  solve(right: Float64Array, shift: Float64Array, r: Float64Array, nq: number): void {
    const { members, from, to, work, e } = this;
    const { mechanisms, entries, firstOf } = this.parts;
    for (let k = from; k < to; k++)
      entries.rightSide(e, mechanisms.all[members[k]], right, shift, r, nq, work, firstOf[members[k]]);
    this.lu!.solve(work);
    for (let k = from; k < to; k++) {
      const { velocities } = mechanisms.all[members[k]];
      const first = firstOf[members[k]];
      for (let local = 0; local < velocities.length; local++) r[nq + velocities[local]] = work[first + local];
    }
  }
}

const NONE = new Int32Array(0);
