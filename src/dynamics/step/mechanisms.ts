/**
 * What joints and constraints hold together for good, whatever touches it: trees, as one where constraints tie them, and each free body
 * by itself. The velocities of a mechanism, with the loop rows kept for the step, are one diagonal block of the step matrix.
 */

import type { System } from '../../assembly/system.js';
import { findRoot, unite } from '../../math/union-find.js';
import type { Loops } from '../loops/loops.js';
import type { Carriers } from '../tree/carriers.js';
import type { FreeBodies } from '../tree/free-bodies.js';
import type { TreeDerivatives } from '../tree/tree-derivatives.js';

export interface Mechanism {
  /** Of whole trees, ascending, but for modes of deforming bodies; none for a free body */
  readonly nodes: Int32Array;
  /** Free body (0 … count − 1), −1 for trees */
  readonly body: number;
  /** Velocity indices, ascending */
  readonly velocities: Int32Array;
  /** True if one of its bodies deforms */
  readonly flexible: boolean;
  /** True if constraints act on it, those that are let go included */
  readonly tied: boolean;
  /** Its loop rows of this step: the first `keptCount` */
  readonly kept: Int32Array;
  keptCount: number;
}

export class Mechanisms {
  /** By their first carrier */
  readonly all: readonly Mechanism[];
  /** Mechanism of each carrier that moves */
  readonly of: Int32Array;
  /** Place of each velocity within its mechanism */
  readonly localOf: Int32Array;
  /** 1 per velocity of a free body about an axis without inertia: nothing turns it */
  readonly massless: Uint8Array;
  /** Mechanism of each loop row, −1 where it acts on nothing that moves */
  private readonly ofRow: Int32Array;

  constructor(
    system: System,
    carriers: Carriers,
    derivatives: TreeDerivatives,
    freeBodies: Pick<FreeBodies, 'moments'>,
    loops: Loops,
  ) {
    const { nodes, ground } = carriers;
    const leaderOf = treesTied(system, carriers, derivatives);
    this.of = new Int32Array(ground).fill(-1);
    const members: number[][] = [];
    for (let i = 0; i < nodes; i++) {
      const leader = leaderOf[i];
      if (this.of[leader] < 0) this.of[leader] = members.push([]) - 1;
      this.of[i] = this.of[leader];
      members[this.of[i]].push(i);
    }
    const velocities: number[][] = members.map(() => []);
    this.localOf = new Int32Array(system.nv);
    for (let k = 0; k < derivatives.size; k++) {
      const own = velocities[this.of[derivatives.nodeOf[k]]];
      this.localOf[k] = own.push(k) - 1;
    }
    this.ofRow = Int32Array.from(loops.rows, (_, row) => {
      const first = loops.firstVelocity(row);
      return first < 0 ? -1 : this.of[derivatives.nodeOf[first]];
    });
    const all = members.map((own, index): Mechanism => {
      const rows = this.ofRow.reduce((count, mechanism) => count + (mechanism === index ? 1 : 0), 0);
      return {
        nodes: Int32Array.from(own.filter((node) => derivatives.kinematics.idle[node] !== 1)),
        body: -1,
        velocities: Int32Array.from(velocities[index]),
        flexible: own.some((node) => derivatives.kinematics.flexible.some((body) => body.node === node)),
        tied: rows > 0,
        kept: new Int32Array(rows),
        keptCount: 0,
      };
    });
    this.massless = new Uint8Array(system.nv);
    for (let body = 0; body < carriers.free; body++) {
      const first = derivatives.size + 6 * body;
      this.of[nodes + body] = all.length;
      const own = Int32Array.from({ length: 6 }, (_, j) => first + j);
      all.push({ nodes: NO_NODES, body, velocities: own, flexible: false, tied: false, kept: NO_NODES, keptCount: 0 });
      for (let j = 0; j < 6; j++) this.localOf[first + j] = j;
      for (let j = 0; j < 3; j++) if (freeBodies.moments[3 * body + j] === 0) this.massless[first + 3 + j] = 1;
    }
    this.all = all;
  }

  /** Deals out the loop rows kept for the step. */
  keep(rows: readonly number[]): void {
    const { all, ofRow } = this;
    if (ofRow.length === 0) return;
    for (let k = 0; k < all.length; k++) all[k].keptCount = 0;
    for (let j = 0; j < rows.length; j++) {
      const mechanism = all[ofRow[rows[j]]];
      mechanism.kept[mechanism.keptCount++] = rows[j];
    }
  }
}

const NO_NODES = new Int32Array(0);

/** Per node: the first node of all trees that constraints tie to its own */
function treesTied({ tree, constraints }: System, carriers: Carriers, { kinematics }: TreeDerivatives): Int32Array {
  const group = Int32Array.from(kinematics.root);
  const nodeOfCoordinate = new Map<number, number>();
  for (let i = 0; i < tree.count; i++) nodeOfCoordinate.set(tree.q[i], i);
  for (const { rows } of constraints)
    for (const row of rows) {
      const ends =
        row.kind === 'coupler'
          ? row.coordinates.map((q) => nodeOfCoordinate.get(q)!)
          : [carriers.indexOf(row.a), carriers.indexOf(row.b)].filter((end) => end < carriers.nodes);
      for (const end of ends) unite(group, ends[0], end);
    }
  return group.map((_, i) => findRoot(group, i));
}
