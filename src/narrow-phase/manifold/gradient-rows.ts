/** Writes a contact point from the tape into a row of patches, with its gradient. */
import { type ContactPatches, GRADIENT } from '../contact-patches.js';
import type { Tape } from './tape.js';

/**
 * The tape's points are about an origin (ox, oy, oz) in the world, and its turns too; a row's turns are about its own point c. Turning by dφ about c is
 * turning about the origin and a displacement −dφ × c.
 */
export function writePoint(
  tape: Tape,
  patches: ContactPatches,
  row: number,
  depth: number,
  normal: number,
  place: number,
  ox: number,
  oy: number,
  oz: number,
  gradients: boolean,
): void {
  const x = tape.value(place);
  const y = tape.value(place + 1);
  const z = tape.value(place + 2);
  patches.depth[row] = tape.value(depth);
  patches.centroid[3 * row] = x + ox;
  patches.centroid[3 * row + 1] = y + oy;
  patches.centroid[3 * row + 2] = z + oz;
  for (let k = 0; k < 3; k++) patches.normal[3 * row + k] = tape.value(normal + k);
  if (!gradients) return;
  for (let r = 0; r < 7; r++) {
    const from = r === 0 ? depth : r < 4 ? normal + r - 1 : place + r - 4;
    const to =
      54 * row + (r === 0 ? GRADIENT.depth : r < 4 ? GRADIENT.normal + 6 * (r - 1) : GRADIENT.centroid + 6 * (r - 4));
    const dx = tape.derivative(from, 0);
    const dy = tape.derivative(from, 1);
    const dz = tape.derivative(from, 2);
    const { gradient } = patches;
    gradient[to] = dx;
    gradient[to + 1] = dy;
    gradient[to + 2] = dz;
    gradient[to + 3] = tape.derivative(from, 3) + (dy * z - dz * y);
    gradient[to + 4] = tape.derivative(from, 4) + (dz * x - dx * z);
    gradient[to + 5] = tape.derivative(from, 5) + (dx * y - dy * x);
  }
}
