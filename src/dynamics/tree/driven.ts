/** What prescribed motions move: it makes the rates depend on time. */
import { type Anchor, NODE, type System } from '../../assembly/system.js';
import type { Carriers } from './carriers.js';

/** 1 per carrier that a prescribed motion moves, its own or that of one it hangs on */
export function drivenCarriers({ tree }: System, carriers: Carriers): Uint8Array {
  const driven = new Uint8Array(carriers.ground + 1);
  for (let i = 0; i < tree.count; i++)
    if (tree.motion[i] >= 0 || (tree.parent[i] >= 0 && driven[tree.parent[i]] !== 0)) driven[i] = 1;
  return driven;
}

/** A prescribed motion drives something of the system's own, or what constraints tie to it; not so what only every part has (restrict.ts). */
export function drivesItself({ tree, constraints, motions }: System, driven: Uint8Array): boolean {
  const { shared } = tree;
  if (!shared) return motions.length > 0;
  const isDriven = ({ node }: Anchor): boolean => node >= 0 && driven[node] !== 0;
  return (
    driven.some((one, i) => one !== 0 && shared[i] === 0) ||
    constraints.some(({ rows }) => rows.some((row) => row.kind !== 'coupler' && (isDriven(row.a) || isDriven(row.b))))
  );
}

/** Something is driven, and all that is slides at constant speed on what stands: no point of it accelerates. */
export function isDrivenStraight({ tree, motions }: System): boolean {
  for (let i = 0; i < tree.count; i++) {
    if (tree.motion[i] < 0) continue;
    if (tree.kind[i] !== NODE.prismatic || tree.parent[i] >= 0 || motions[tree.motion[i]].given) return false;
  }
  return motions.length > 0;
}
