import type { MechanicalSystem } from '../dynamics/mechanical-system.js';

/**
 * Inertia that stops and friction of a joint feel, kg or kg m². Loops know it, and parts that deform: in the first instant their modes give way, and are not what bounces or is held
 * (dynamics/loops/felt-inertia.ts); both are prepared at the start of the step. Else it is that of the joint in its tree, 1/(M⁻¹)_ii.
 *
 * @param i index of the joint force; @param mobility (M⁻¹)_ii of its velocity
 */
export function inertiaFelt({ loops, system, jointForces }: MechanicalSystem, i: number, mobility: number): number {
  return loops.any || system.flexible !== undefined ? jointForces[i].effectiveInertia : 1 / mobility;
}
