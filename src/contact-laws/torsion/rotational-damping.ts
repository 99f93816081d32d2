/**
 * Torque about the contact normal, proportional to the spin:
 *
 *   M = −A F c_r ω
 *
 *   A    patch area projected along the normal             m²
 *   F    normal force                                      N
 *   ω    relative spin about the normal                    rad/s
 *   c_r  constant of the model                             s/m
 *
 * A damping, not friction: a spinning disc slows down exponentially and a load about the normal is never held. For
 * comparison with the paper; mean-slip.ts integrates friction over the patch, which the paper names as the better solution.
 *
 * Elmqvist et al. (2015), §6.2.3.
 */

/** M, N m */
export function rotationalDamping(constant: number, area: number, normalForce: number, spin: number): number {
  return -area * normalForce * constant * spin;
}

/** ∂M/∂ω, N m s */
export function rotationalDampingBySpin(constant: number, area: number, normalForce: number): number {
  return -area * normalForce * constant;
}

/** ∂M/∂F, m */
export function rotationalDampingByForce(constant: number, area: number, spin: number): number {
  return -area * constant * spin;
}

/** ∂M/∂A, N/m */
export function rotationalDampingByArea(constant: number, normalForce: number, spin: number): number {
  return -normalForce * constant * spin;
}
