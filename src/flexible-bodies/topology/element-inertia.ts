/** What a field of accelerations loads the elements of a design with, so that it can follow their densities. */
import type { PlaneMaterial } from '../fem/plane-elements.js';
import type { PlaneMesh } from '../mesh/plane-mesh.js';

/** ρ t ∫ N Nᵀ dA · a of each triangle of three nodes at full density, 2 per corner, N. @param acceleration 2 per node, m/s² */
export function elementInertia(
  { points, elements, elementCount }: PlaneMesh,
  { density, thickness }: Pick<PlaneMaterial, 'density' | 'thickness'>,
  acceleration: Float64Array,
): Float64Array {
  const out = new Float64Array(6 * elementCount);
  for (let e = 0; e < elementCount; e++) {
    const [a, b, c] = elements.subarray(3 * e, 3 * e + 3);
    const area =
      ((points[2 * b] - points[2 * a]) * (points[2 * c + 1] - points[2 * a + 1]) -
        (points[2 * b + 1] - points[2 * a + 1]) * (points[2 * c] - points[2 * a])) /
      2;
    const mass = (density * thickness * area) / 12;
    for (let j = 0; j < 2; j++) {
      const sum = acceleration[2 * a + j] + acceleration[2 * b + j] + acceleration[2 * c + j];
      [a, b, c].forEach((node, k) => {
        out[6 * e + 2 * k + j] = mass * (sum + acceleration[2 * node + j]);
      });
    }
  }
  return out;
}
