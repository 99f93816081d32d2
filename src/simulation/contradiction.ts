/**
 * Rows that repeat what others say are left out of the equations and stay closed by themselves. One that opens was no repetition:
 * prescribed motions and joints contradict each other, and no motion satisfies all.
 */
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { ModelError } from '../errors.js';

/** A row that only repeats others is as closed as they are, 1e-11 of its size; near a fork of the mechanism 1e-6. */
const CONTRADICTION = 1e-4;

/**
 * @param closed scratch, one per loop row
 * @throws ModelError if a row stands open at (t, y)
 */
export function refuseContradiction(mechanics: MechanicalSystem, t: number, y: Float64Array, closed: Uint8Array): void {
  const { loops, system } = mechanics;
  if (!loops.any) return;
  closed.fill(0);
  for (const row of loops.kept) closed[row] = 1;
  mechanics.update(t, y);
  for (let row = 0; row < loops.rows.length; row++) {
    if (closed[row] || !loops.rows[row].holonomic || !loops.isActive(row)) continue;
    const open = Math.abs(loops.value(row, y));
    if (open < CONTRADICTION * loops.sizeOf(row)) continue;
    throw new ModelError(
      system.constraints[loops.rows[row].constraint].name,
      `t = ${Number(t.toPrecision(6))} s: stands open by ${open.toPrecision(3)} ${loops.unit(row)}, and nothing is free to close it; ` +
        'a prescribed motion or another joint demands the opposite: take one of them away',
    );
  }
}
