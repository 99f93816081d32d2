/**
 * Exchanges A and B in a row. The new A stays where the old B is: if the old A moves by dx and turns by dφ about the centroid, that is the old B
 * moved the other way, and then both moved along:
 *
 *   V, depth, |S|: −G,     n′ = −n: G_n − dφ × n,     centroid: dx − G_c
 *
 * Patch area, centroid and moments remain those of the old A's surface: at small depths the two differ by less than the depth over the size.
 */
import { type ContactPatches, GRADIENT } from './contact-patches.js';

export function flipRow(patches: ContactPatches, row: number): void {
  const { normal, vectorArea, moment, feature, gradient } = patches;
  const i = 3 * row;
  const g = 54 * row;
  const f = feature[2 * row];
  feature[2 * row] = feature[2 * row + 1];
  feature[2 * row + 1] = f;
  for (let k = 0; k < 18; k++) gradient[g + k] = 0 - gradient[g + k];
  for (let k = 0; k < 3; k++) {
    // e_j × n has −n_m in row l and n_l in row m
    const l = k === 2 ? 0 : k + 1;
    const m = k === 0 ? 2 : k - 1;
    gradient[g + GRADIENT.normal + 6 * l + 3 + k] += normal[i + m];
    gradient[g + GRADIENT.normal + 6 * m + 3 + k] -= normal[i + l];
    for (let c = 0; c < 6; c++)
      gradient[g + GRADIENT.centroid + 6 * k + c] = (c === k ? 1 : 0) - gradient[g + GRADIENT.centroid + 6 * k + c];
  }
  for (let k = i; k < i + 3; k++) {
    normal[k] = 0 - normal[k];
    vectorArea[k] = 0 - vectorArea[k];
    moment[k] = 0 - moment[k];
  }
}
