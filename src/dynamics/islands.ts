/**
 * Parts of a system that do not feel each other: trees and free bodies, joined where a force element or a constraint ties them. Each
 * island has a step matrix of its own.
 */
import type { System } from '../assembly/system.js';
import type { Carriers } from './carriers.js';
import type { PairElement } from './pair-element.js';
import type { TreeDerivatives } from './tree-derivatives.js';

export interface Island {
  /**
   * body: one free body that nothing acts on with derivatives; sweep: one tree whose forces all act from the ground, solved in O(n);
   * dense: everything else
   */
  readonly kind: 'body' | 'sweep' | 'dense';
  /** Velocity indices, ascending */
  readonly velocities: Int32Array;
  readonly nodes: Int32Array;
  /** Free bodies (0 … count − 1) */
  readonly bodies: Int32Array;
  /** Indices of pair elements within */
  readonly pairs: readonly number[];
}

/** From this many velocities on the O(n) sweep beats a dense factorisation. */
const SWEEP_FROM = 16;

export function islandsOf(
  system: System,
  carriers: Carriers,
  derivatives: TreeDerivatives,
  pairs: readonly PairElement[],
  options: { readonly sweepFrom?: number } = {},
): Island[] {
  const { tree } = system;
  const { root } = derivatives.kinematics;
  const { nodes, ground } = carriers;

  // Union of carriers, by tree root or body
  const group = Int32Array.from({ length: ground }, (_, i) => (i < nodes ? root[i] : i));
  const leader = (i: number): number => {
    let top = i;
    while (group[top] !== top) top = group[top];
    return top;
  };
  const join = (a: number, b: number): void => {
    const low = Math.min(leader(a), leader(b));
    group[leader(a)] = low;
    group[leader(b)] = low;
  };
  const tied = new Set<number>();
  for (const { a, b } of pairs) if (a !== ground && b !== ground) join(a, b);
  const nodeOfCoordinate = new Map<number, number>();
  for (let i = 0; i < tree.count; i++) nodeOfCoordinate.set(tree.q[i], i);
  const constrained: number[] = [];
  for (const { rows } of system.constraints)
    for (const row of rows) {
      const ends =
        row.kind === 'coupler'
          ? row.coordinates.map((q) => nodeOfCoordinate.get(q)!)
          : [carriers.indexOf(row.a), carriers.indexOf(row.b)].filter((end) => end !== ground);
      for (const end of ends) {
        join(ends[0], end);
        constrained.push(end);
      }
    }

  // Members
  const members = new Map<number, { nodes: number[]; bodies: number[]; pairs: number[] }>();
  const of = (carrier: number) => {
    const top = leader(carrier);
    let found = members.get(top);
    if (!found) members.set(top, (found = { nodes: [], bodies: [], pairs: [] }));
    return found;
  };
  for (let i = 0; i < nodes; i++) of(i).nodes.push(i);
  for (let i = nodes; i < ground; i++) of(i).bodies.push(i - nodes);
  pairs.forEach(({ a, b }, index) => {
    if (a === ground && b === ground) return;
    of(a === ground ? b : a).pairs.push(index);
    if (a !== ground && b !== ground) tied.add(leader(a));
  });
  for (const end of constrained) tied.add(leader(end));

  return [...members].map(([top, island]): Island => {
    const velocities: number[] = [];
    for (let k = 0; k < derivatives.size; k++) if (leader(derivatives.nodeOf[k]) === top) velocities.push(k);
    for (const body of island.bodies) for (let j = 0; j < 6; j++) velocities.push(derivatives.size + 6 * body + j);
    const alone = !tied.has(top) && island.pairs.length === 0 && system.gravity.kind === 'uniform';
    const kind =
      island.nodes.length === 0 && alone
        ? 'body'
        : island.bodies.length === 0 && !tied.has(top) && velocities.length >= (options.sweepFrom ?? SWEEP_FROM)
          ? 'sweep'
          : 'dense';
    return {
      kind,
      velocities: Int32Array.from(velocities),
      nodes: Int32Array.from(island.nodes),
      bodies: Int32Array.from(island.bodies),
      pairs: island.pairs,
    };
  });
}
