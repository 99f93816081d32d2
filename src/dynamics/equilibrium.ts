/**
 * Static equilibrium: positions at which nothing accelerates.
 *
 * Implicit Euler steps from rest that forget their velocity: (I − e J) x = e f. Short steps go downhill as the real motion would, so a
 * stable position is found; as e grows the step becomes Newton's, −K⁻¹ times the force. e grows fourfold while the accelerations
 * shrink and is cut when they do not (pseudo-transient continuation, Kelley & Keyes 1998).
 */
import { DynamicsError } from './dynamics-error.js';
import type { MechanicalSystem } from './mechanical-system.js';

/**
 * Moves y to a static equilibrium in place; velocities become zero.
 *
 * @returns the number of steps
 * @throws DynamicsError if none is found near
 */
export function staticEquilibrium(mechanics: MechanicalSystem, t: number, y: Float64Array): number {
  const { nq, nv, size } = mechanics;
  const f = new Float64Array(size);
  const x = new Float64Array(size);
  const none = new Float64Array(size);
  const from = new Float64Array(size);
  y.fill(0, nq, nq + nv);
  settle(mechanics, t, y);
  mechanics.rates(t, y, f);
  let push = largest(f, nq, nq + nv);
  // Accelerations that count: what weights and forces at the start would do; 1e-12 m/s² or rad/s² is rest for any machine
  const scale = push;
  const rest = Math.max(ROUNDING * scale, 1e-12);
  if (push <= rest) return 0;
  // A first step in which nothing moves far: x = e² a
  let e = 0.1 / Math.sqrt(push + 1e-30);
  for (let step = 1; step <= 500; step++) {
    mechanics.linear.linearise(t, y, f, none);
    from.set(y);
    for (let attempt = 0; ; attempt++) {
      if (attempt === 40) throw stuck(t, push);
      x.set(f);
      for (let i = 0; i < size; i++) x[i] *= e;
      if (mechanics.linear.factorise(e)) {
        mechanics.linear.solve(x);
        // The step as velocity × e, so that quaternions turn
        const moved = largest(x, 0, nq);
        for (let i = 0; i < size; i++) y[i] = from[i] + (i >= nq && i < nq + nv ? 0 : x[i]);
        if (moved < 1 && settle(mechanics, t, y)) {
          y.fill(0, nq, nq + nv);
          mechanics.rates(t, y, f);
          const now = largest(f, nq, nq + nv);
          if (now <= push * 1.5 || now <= rest) {
            if (now <= rest) return step;
            // No more to gain: rounding if little is left, otherwise something that cannot come to rest
            if (moved < 1e-13 || (moved < 1e-9 && now >= 0.5 * push && e > 1e3)) {
              if (now <= 1e-7 * scale) return step;
              throw stuck(t, now);
            }
            e *= now < push ? 4 : 1;
            push = now;
            break;
          }
        }
      }
      y.set(from);
      mechanics.prepare(t, y);
      mechanics.rates(t, y, f);
      e *= 0.25;
    }
  }
  throw stuck(t, push);
}

/** Accelerations below this part of those at the start are none. */
const ROUNDING = 1e-13;

/** Unit quaternions and closed loops at rest, however far the step went. */
function settle(mechanics: MechanicalSystem, t: number, y: Float64Array): boolean {
  mechanics.polish(y);
  if (mechanics.loops.any && !mechanics.closePositions(t, y, 20)) return false;
  mechanics.prepare(t, y);
  return true;
}

const largest = (x: Float64Array, from: number, to: number): number => {
  let most = 0;
  for (let i = from; i < to; i++) most = Math.max(most, Math.abs(x[i]));
  return most;
};

const stuck = (t: number, push: number): DynamicsError =>
  new DynamicsError(
    'equilibrium',
    `t = ${t} s: no position of rest found; the largest acceleration left is ${push.toPrecision(3)} m/s² or rad/s². ` +
      'Is something free to fall, or driven?',
  );
