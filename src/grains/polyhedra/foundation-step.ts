/**
 * Step of grains that press by a bed of springs, before there are contacts:
 *
 *   h = 0.1 · 2/√(K A/m),   A the largest face, m the lightest grain, half of it among its like
 *
 * A tenth of the frequency of a pair: grains of a pile have many contacts, which turn them too, and √(K A/m) of a pair alone is five times too low for them. The census of a run
 * (census.ts) says what its contacts bear.
 */
import { add, cross, norm, type Vec3, ZERO } from '../../math/vec3.js';
import type { GrainShape } from '../shapes/grain-shape.js';
import type { Piece } from '../shapes/piece.js';

/** @param modulus K, N/m³; Infinity comes back for a grain of balls */
export function foundationStep(
  grain: {
    /** Of size 1 */
    readonly shape: GrainShape;
    /** Sizes, m */
    readonly least: number;
    readonly greatest: number;
    /** kg/m³ */
    readonly density: number;
  },
  modulus: number,
  onWall: boolean,
): number {
  const { shape, least, greatest, density } = grain;
  let area = 0;
  for (const piece of shape.pieces) area = Math.max(area, largestFace(piece));
  if (area === 0) return Number.POSITIVE_INFINITY;
  const mass = (onWall ? 1 : 0.5) * density * shape.volume * least * least * least;
  return 0.2 / Math.sqrt((modulus * area * greatest * greatest) / mass);
}

/** m² */
export function largestFace({ vertices, loopStart, loops }: Piece): number {
  let largest = 0;
  for (let f = 0; f + 1 < loopStart.length; f++) {
    const at = (k: number): Vec3 => [vertices[3 * loops[k]], vertices[3 * loops[k] + 1], vertices[3 * loops[k] + 2]];
    let sum: Vec3 = ZERO;
    for (let k = loopStart[f]; k < loopStart[f + 1]; k++)
      sum = add(sum, cross(at(k), at(k + 1 < loopStart[f + 1] ? k + 1 : loopStart[f])));
    largest = Math.max(largest, 0.5 * norm(sum));
  }
  return largest;
}
