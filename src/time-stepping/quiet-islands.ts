/** Islands of free bodies come to rest: slower than 10⁻⁵ g h for ten steps on end. They then stay where they are and cost nothing until something comes near (step-contacts.ts). */
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { findRoot } from '../math/union-find.js';
import type { Drags } from './drags.js';
import type { StepContacts } from './step-contacts.js';
import type { StepIslands } from './step-islands.js';
import type { VelocityBlocks } from './velocity-blocks.js';

/** Of g h: slower bodies are quiet; for so many steps: at rest */
const QUIET = 1e-5;
const QUIET_STEPS = 10;

export class QuietIslands {
  /** Per free body: steps that it has been quiet for */
  readonly steps: Int32Array;
  /** Per free body, m */
  readonly sizes: Float64Array;
  private readonly mayRest: Uint8Array;
  /** Per block: 1: its island does not rest */
  private readonly moves: Uint8Array;

  /** @param allowed false: nothing comes to rest */
  constructor(
    private readonly mechanics: MechanicalSystem,
    private readonly blocks: VelocityBlocks,
    private readonly islands: StepIslands,
    private readonly drags: Drags,
    allowed: boolean,
  ) {
    const { carriers } = mechanics;
    this.steps = new Int32Array(carriers.free);
    this.moves = new Uint8Array(blocks.count);
    this.mayRest = new Uint8Array(carriers.free).fill(allowed ? 1 : 0);
    for (const { a, b } of mechanics.pairs)
      for (const carrier of [a, b])
        if (carrier >= carriers.nodes && carrier < carriers.ground) this.mayRest[carrier - carriers.nodes] = 0;
    this.sizes = new Float64Array(carriers.free);
    for (const { anchor, size } of mechanics.system.bodies)
      if (anchor.node <= -2) this.sizes[-2 - anchor.node] = Math.max(this.sizes[-2 - anchor.node], size);
  }

  /** After a step of h s that ended in y: who rests from now on. */
  letRest(contacts: StepContacts, h: number, y: Float64Array): void {
    const { blocks, steps, mechanics, moves } = this;
    const { parent } = this.islands;
    const { gravity, resting, restsWith } = contacts;
    if (!(gravity > 0)) return;
    const { free, ground } = mechanics.carriers;
    const first = mechanics.nq + mechanics.derivatives.size;
    this.count(resting, QUIET * gravity * h, first, y);
    // an island rests when all in it are quiet, and no mechanism or drive is in it
    moves.fill(0);
    for (let i = 0; i < free; i++)
      if (resting[i] === 0 && steps[i] < QUIET_STEPS) moves[findRoot(parent, blocks.firstFree + i)] = 1;
    for (let b = 0; b < blocks.firstFree; b++) moves[findRoot(parent, b)] = 1;
    for (let i = 0; i < contacts.count; i++) {
      const { a, b } = contacts.present[i];
      for (let side = 0; side < 2; side++) {
        const own = blocks.ofCarrier[side === 0 ? a : b];
        const other = side === 0 ? b : a;
        if (own >= 0 && blocks.ofCarrier[other] < 0 && other !== ground) moves[findRoot(parent, own)] = 1;
      }
    }
    for (let i = 0; i < free; i++) {
      const root = findRoot(parent, blocks.firstFree + i);
      if (resting[i] !== 0 || steps[i] < QUIET_STEPS || moves[root] !== 0) continue;
      resting[i] = 1;
      restsWith[i] = root - blocks.firstFree;
      contacts.anyResting = true;
      y.fill(0, first + 6 * i, first + 6 * i + 6);
    }
  }

  /** @param most m/s; @param first where velocities of free bodies start in y */
  private count(resting: Uint8Array, most: number, first: number, y: Float64Array): void {
    const { steps, sizes, mayRest, blocks, drags } = this;
    const { pushed } = this.islands;
    for (let i = 0; i < steps.length; i++) {
      if (resting[i] !== 0) continue;
      let still = mayRest[i] !== 0 && pushed[blocks.firstFree + i] !== 0 && !drags.holds(i);
      const at = first + 6 * i;
      for (let k = 0; k < 6 && still; k++) if (!(Math.abs(y[at + k]) * (k < 3 ? 1 : sizes[i]) < most)) still = false;
      steps[i] = still ? steps[i] + 1 : 0;
    }
  }

  /** Bodies at rest stay where they are, in vectors of all blocks. */
  hold(resting: Uint8Array, v0: Float64Array, free: Float64Array): void {
    const { blocks } = this;
    for (let i = 0; i < resting.length; i++) {
      if (resting[i] === 0) continue;
      const k = blocks.at[blocks.firstFree + i];
      free.fill(0, k, k + 6);
      v0.fill(0, k, k + 6);
    }
  }
}
