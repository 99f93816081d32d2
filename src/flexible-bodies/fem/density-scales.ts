/**
 * A part whose elements are filled in part, as topology optimisation leaves them on the way: stiffness E_min + x³ (1 − E_min), E_min = 1e-6, mass x. Below a
 * tenth an element weighs nothing, so that void has no modes of its own.
 */
const LEAST = 1e-6;
const VOID = 0.1;

/** Factor of the stiffness and of the mass, 2 per element */
export function densityScales(densities: ArrayLike<number>): Float64Array {
  const out = new Float64Array(2 * densities.length);
  for (let e = 0; e < densities.length; e++) {
    const x = densities[e];
    out[2 * e] = LEAST + x * x * x * (1 - LEAST);
    out[2 * e + 1] = x > VOID ? x : 0;
  }
  return out;
}
