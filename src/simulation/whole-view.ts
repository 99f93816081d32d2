/**
 * The whole as its islands have it at one time that all of them cover: state, contacts, and what they hold constant over their steps. Signals, records
 * and conditions of events read it as if one integration had made it.
 */
import type { ContactSystem, ShownPart } from '../contact/contact-system.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import type { Front } from './front.js';
import type { MovingIsland } from './moving-island.js';

export class WholeView {
  /** State of the whole at the time of the last `gather` */
  y: Float64Array;
  private readonly seen = new Map<MovingIsland, number>();
  private seenIslands = -1;
  /** By their lowest mechanism */
  private islands: MovingIsland[] = [];
  /** First loop row of each constraint */
  private readonly firstRow: Int32Array;
  /** Joint force of each element, −1: none */
  private readonly jointOf: Int32Array;

  constructor(
    private readonly front: Front,
    private readonly mechanics: MechanicalSystem,
    private readonly contacts: ContactSystem | undefined,
  ) {
    this.y = new Float64Array(mechanics.size);
    const { system, loops } = mechanics;
    this.firstRow = Int32Array.from(system.constraints, (_, i) => loops.rows.findIndex((row) => row.constraint === i));
    let joints = 0;
    this.jointOf = Int32Array.from(system.elements, ({ kind }) => (kind === 'coordinate' ? joints++ : -1));
  }

  /** Brings the whole to a time that all islands cover; gives its state there. */
  gather(t: number): Float64Array {
    const anew = this.hasChanged();
    if (anew) this.makeRoom();
    const { islands, y, contacts } = this;
    const parts: ShownPart[] = [];
    for (const island of islands) {
      const own = island.stateAt(t);
      island.put(own, y);
      if (island.contacts)
        parts.push({ contacts: island.contacts, shapes: island.part.shapes, free: island.part.free, y: own });
    }
    this.holdLoops();
    this.followElements();
    contacts?.show(parts, anew, t, y);
    return y;
  }

  /** Islands or their lists of pairs are others than at the last look. */
  private hasChanged(): boolean {
    const { front, seen } = this;
    let changed = this.seenIslands !== front.version;
    if (changed) {
      this.seenIslands = front.version;
      this.islands = [...front.islands].sort((a, b) => a.members[0] - b.members[0]);
      for (const island of seen.keys()) if (!front.islands.has(island)) seen.delete(island);
    }
    for (const island of this.islands) {
      const version = island.contacts?.version ?? 0;
      if (seen.get(island) === version) continue;
      seen.set(island, version);
      changed = true;
    }
    return changed;
  }

  private makeRoom(): void {
    const { mechanics, contacts } = this;
    const { nq, nv, ns } = mechanics.system;
    let states = 0;
    for (const island of this.islands) states += island.contacts?.statesInUse ?? 0;
    if (nq + nv + ns + states <= mechanics.size) return;
    mechanics.reserveStates(2 * states);
    contacts!.resize();
    const more = new Float64Array(mechanics.size);
    more.set(this.y);
    this.y = more;
  }

  /** Elements have the history of those that act in the islands. */
  private followElements(): void {
    if (this.mechanics.lasting.remembering.length === 0) return;
    for (const { part, mechanics } of this.islands)
      this.mechanics.takeOverHistory(mechanics, (there) => part.elements[there]);
  }

  /** Independent rows of loops and the inertia that joints feel are those of the islands' steps. */
  private holdLoops(): void {
    const { islands, firstRow, jointOf, mechanics } = this;
    const { loops, jointForces } = mechanics;
    for (const { part, mechanics: own } of islands)
      for (let k = 0, joint = 0; k < part.elements.length; k++) {
        const there = jointOf[part.elements[k]];
        if (there >= 0) jointForces[there].effectiveInertia = own.jointForces[joint++].effectiveInertia;
      }
    if (!loops.any) return;
    const positions: number[] = [];
    const velocities: number[] = [];
    for (const { part, mechanics: own } of islands)
      own.loops.kept.forEach((row, k) => {
        const { constraint } = own.loops.rows[row];
        const first = own.loops.rows.findIndex((other) => other.constraint === constraint);
        (k < own.loops.keptPositions ? positions : velocities).push(
          firstRow[part.constraints[constraint]] + row - first,
        );
      });
    loops.kept = [...positions, ...velocities];
    loops.keptPositions = positions.length;
  }
}
