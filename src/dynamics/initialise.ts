/**
 * Consistent start: positions that close all loops, then velocities that keep them closed.
 *
 * Newton's iteration with the smallest change of coordinates, weighted by the inertia each joint feels. What the user fixed stays if the
 * loops can close without it; if not, everything may move.
 */
import { NODE } from '../assembly/system.js';
import { RANK_TOLERANCE } from './loops/loops.js';
import { RowBasis } from './loops/row-basis.js';
import type { MechanicalSystem } from './mechanical-system.js';
import { DynamicsError } from './tree/dynamics-error.js';

const CLOSED = 1e-12;
/** No joint moves by more than this (rad, or the mechanism's size) in one iteration. */
const LONGEST = 0.4;

/**
 * Makes y consistent in place.
 *
 * @throws DynamicsError if a loop cannot close, with its constraint and what is left open
 */
export function initialise(mechanics: MechanicalSystem, t: number, y: Float64Array): void {
  const { loops } = mechanics;
  for (const q of mechanics.matrix.columns.rotorQ) {
    const length = Math.sqrt(y[q] * y[q] + y[q + 1] * y[q + 1] + y[q + 2] * y[q + 2] + y[q + 3] * y[q + 3]);
    for (let j = 0; j < 4; j++) y[q + j] /= length;
  }
  mechanics.rememberRotation(y);
  mechanics.prepare(t, y);
  if (!loops.any) return;
  const [heldPositions, heldVelocities] = heldJoints(mechanics);
  const start = y.slice();
  if (!close(mechanics, t, y, heldPositions)) {
    const open = worstRow(mechanics, y);
    const left = y.slice();
    y.set(start);
    if (!heldPositions.includes(1) || !close(mechanics, t, y, new Uint8Array(mechanics.nv))) {
      mechanics.update(t, left);
      const value = loops.value(open, left);
      throw new DynamicsError(
        mechanics.system.constraints[loops.rows[open].constraint].name,
        `cannot be closed: ${Math.abs(value).toPrecision(3)} ${loops.unit(open)} are left open at the best position found; ` +
          'are the lengths and the places of the joints right as drawn, and are there joints enough to let the loop move?',
      );
    }
  }
  // Velocities: what is given first, the rest follows
  mechanics.prepare(t, y);
  if (heldVelocities.includes(1)) closeRates(mechanics, y, heldVelocities);
  mechanics.update(t, y);
  mechanics.closeVelocities(y);
  mechanics.prepare(t, y);
}

/** Velocities of the tree whose position, and whose rate, the user gave */
function heldJoints({ system, nv, derivatives }: MechanicalSystem): [Uint8Array, Uint8Array] {
  const positions = new Uint8Array(nv);
  const rates = new Uint8Array(nv);
  const { tree, fixedInitially, nq } = system;
  for (let k = 0; k < derivatives.size; k++) {
    const i = derivatives.nodeOf[k];
    positions[k] = fixedInitially[tree.q[i] + (tree.kind[i] === NODE.spherical ? 0 : k - tree.v[i])];
    rates[k] = fixedInitially[nq + k];
  }
  return [positions, rates];
}

function worstRow({ loops }: MechanicalSystem, y: Float64Array): number {
  let worst = 0;
  let most = -1;
  for (let row = 0; row < loops.rows.length; row++) {
    if (!loops.isActive(row)) continue;
    const open = Math.abs(loops.value(row, y)) / loops.sizeOf(row);
    if (open > most) {
      most = open;
      worst = row;
    }
  }
  return worst;
}

function openness(mechanics: MechanicalSystem, y: Float64Array): number {
  const { loops } = mechanics;
  const row = worstRow(mechanics, y);
  return loops.isActive(row) ? Math.abs(loops.value(row, y)) / loops.sizeOf(row) : 0;
}

/** Newton's iteration; true when all active rows are closed. */
function close(mechanics: MechanicalSystem, t: number, y: Float64Array, held: Uint8Array): boolean {
  const { loops } = mechanics;
  const change = new Float64Array(mechanics.nv);
  mechanics.update(t, y);
  let open = openness(mechanics, y);
  for (let i = 0; i < 100; i++) {
    if (open < CLOSED) return true;
    mechanics.factoriseMass();
    const rows = smallest(
      mechanics,
      held,
      (row) => (loops.rows[row].holonomic ? loops.value(row, y) : undefined),
      change,
    );
    if (rows === 0) break;
    let longest = 0;
    for (let k = 0; k < mechanics.derivatives.size; k++) {
      const node = mechanics.derivatives.nodeOf[k];
      const unit = mechanics.system.tree.kind[node] === NODE.prismatic ? loops.length : 1;
      longest = Math.max(longest, Math.abs(change[k]) / unit);
    }
    // Shorter and shorter until it helps
    let factor = longest > LONGEST ? LONGEST / longest : 1;
    const from = y.slice();
    let better = false;
    for (let attempt = 0; attempt < 12 && !better; attempt++, factor *= 0.5) {
      y.set(from);
      mechanics.displace(y, change, 0, factor);
      mechanics.update(t, y);
      const now = openness(mechanics, y);
      better = now < open || now < CLOSED;
      if (better) open = now;
    }
    if (!better) {
      y.set(from);
      mechanics.update(t, y);
      break;
    }
  }
  return open < 1e-9;
}

function closeRates(mechanics: MechanicalSystem, y: Float64Array, held: Uint8Array): void {
  const { loops, nq, derivatives } = mechanics;
  const change = new Float64Array(mechanics.nv);
  const rows = smallest(mechanics, held, (row) => loops.rateOf(row, y), change);
  if (rows === 0) return;
  for (let k = 0; k < derivatives.size; k++) y[nq + k] += change[k];
}

/**
 * The smallest change with G · change = −value on as many independent rows as the joints that are not held allow.
 *
 * @returns the number of rows
 */
function smallest(
  mechanics: MechanicalSystem,
  held: Uint8Array,
  residualOf: (row: number) => number | undefined,
  change: Float64Array,
): number {
  const { loops, derivatives, articulated } = mechanics;
  const n = derivatives.size;
  const basis = new RowBasis(n, loops.rows.length);
  const scale = new Float64Array(loops.rows.length);
  const values: number[] = [];
  loops.place();
  for (let row = 0; row < loops.rows.length; row++) {
    if (!loops.isActive(row)) continue;
    loops.evaluateRow(row);
    const value = residualOf(row);
    if (value === undefined) continue;
    const column = values.length;
    scale[column] = loops.jacobianRow(row);
    for (let k = 0; k < n; k++)
      basis.z[column * n + k] = held[k]
        ? 0
        : loops.jacobian[row * loops.nv + k] / Math.sqrt(articulated.along[derivatives.nodeOf[k]]);
    values.push(value);
  }
  const columns = basis.z.slice();
  const chosen = new Int32Array(loops.rows.length);
  const level = new Uint8Array(loops.rows.length);
  const rank = basis.select(values.length, scale, level, RANK_TOLERANCE, new Float64Array(values.length), chosen);
  for (let j = 0; j < rank; j++) basis.z.set(columns.subarray(chosen[j] * n, (chosen[j] + 1) * n), j * n);
  if (rank === 0 || !basis.factorise(rank)) return 0;
  const right = Float64Array.from(chosen.subarray(0, rank), (column) => -values[column]);
  basis.solveTransposed(right);
  const x = new Float64Array(n);
  basis.applyQ(right, x);
  change.fill(0);
  for (let k = 0; k < n; k++) if (!held[k]) change[k] = x[k] / Math.sqrt(articulated.along[derivatives.nodeOf[k]]);
  return rank;
}
