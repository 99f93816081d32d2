/** Rows of all constraints of a system: between two carriers, or couplers that tie joint coordinates to each other. */
import { type ConstraintRow, NODE, type System } from '../../assembly/system.js';
import type { Carriers } from '../tree/carriers.js';
import { PairRowFormula } from './constraint-rows.js';

/** Σ ratio_i q_i = offset */
export interface Coupler {
  readonly coordinates: readonly number[];
  readonly velocities: readonly number[];
  readonly ratios: readonly number[];
  offset: number;
}

export interface LoopRow {
  /** Index of its constraint */
  readonly constraint: number;
  readonly formula?: PairRowFormula;
  readonly coupler?: Coupler;
  readonly holonomic: boolean;
}

/** Two carriers that rows of one constraint tie */
export interface RowGroup {
  readonly a: number;
  readonly b: number;
  readonly rows: readonly number[];
}

export function loopRows({ tree, constraints }: System, carriers: Carriers): LoopRow[] {
  const velocityOf = new Map<number, number>();
  for (let i = 0; i < tree.count; i++) if (tree.kind[i] !== NODE.spherical) velocityOf.set(tree.q[i], tree.v[i]);
  return constraints.flatMap(({ rows }, constraint) =>
    rows.map((row): LoopRow => {
      if (row.kind !== 'coupler') {
        const formula = new PairRowFormula(row, carriers);
        return { constraint, formula, holonomic: formula.holonomic };
      }
      const velocities = row.coordinates.map((q) => velocityOf.get(q)!);
      return { constraint, coupler: { ...row, velocities }, holonomic: true };
    }),
  );
}

export function rowGroups(rows: readonly LoopRow[]): RowGroup[] {
  const groups = new Map<string, { a: number; b: number; rows: number[] }>();
  rows.forEach(({ constraint, formula }, i) => {
    if (!formula) return;
    const key = `${constraint} ${formula.a} ${formula.b}`;
    const group = groups.get(key) ?? { a: formula.a, b: formula.b, rows: [] };
    group.rows.push(i);
    groups.set(key, group);
  });
  return [...groups.values()];
}

/** Longest arm of the tree or of a constraint's anchor, m; 1 where all are zero */
export function mechanismSize({ tree, constraints }: System): number {
  let longest = 0;
  for (let i = 0; i < tree.count; i++) {
    if (tree.shared && tree.shared[i] !== 0) continue; // may be far away
    const p = tree.position.subarray(3 * i, 3 * i + 3);
    const c = tree.centre.subarray(3 * i, 3 * i + 3);
    longest = Math.max(
      longest,
      Math.sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]),
      Math.sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]),
    );
  }
  for (const { rows } of constraints)
    for (const row of rows)
      for (const { position: p } of anchors(row))
        longest = Math.max(longest, Math.sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]));
  return longest > 0 ? longest : 1;
}

const anchors = (row: ConstraintRow) => (row.kind === 'coupler' ? [] : [row.a, row.b]);
