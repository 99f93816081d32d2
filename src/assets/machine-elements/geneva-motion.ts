/**
 * How the wheel of a Geneva mechanism moves if nothing has play, and by how much play lets it differ.
 *
 * φ is the angle of the drive, 0 in mid dwell with the pin away from the wheel, A = φ − π that of the pin from the centre line, λ = a/C = sin(π/n).
 * While |A| < π/2 − π/n the slot points at the pin, which is D = √(C² + a² − 2 C a cos A) from the wheel's axis:
 *
 *   ψ = −(β + π/n),   tan β = λ sin A/(1 − λ cos A)
 *   dψ/dφ = −λ (cos A − λ)/(1 − 2 λ cos A + λ²),   d²ψ/dφ² = λ (1 − λ²) sin A/(1 − 2 λ cos A + λ²)²
 *
 * and the wheel rests at −2π/n times the turns of the drive otherwise. Bickford, Mechanisms for Intermittent Motion (1972), ch. 9.
 */
import { asin, atan2, cos, sin } from '../../math/elementary.js';
import type { GenevaDimensions } from './geneva-dimensions.js';

export interface GenevaMotion {
  /** ψ of the wheel without play, rad */
  readonly angle: number;
  /** dψ/dφ */
  readonly speed: number;
  /** d²ψ/dφ²; it jumps by tan(π/n) where the pin enters and leaves */
  readonly acceleration: number;
  /** How far the wheel can be from ψ to either side, rad */
  readonly play: number;
  /** The pin is in a slot. */
  readonly indexing: boolean;
}

/**
 * The motion of the wheel at an angle of the drive, rad, over any number of turns.
 *
 * @example genevaMotion(genevaDimensions({ slots: 6 }), Math.PI).angle // −π/6: half of an index
 */
export function genevaMotion(d: GenevaDimensions, driveAngle: number): GenevaMotion {
  const { slots: n, centreDistance: C, crankRadius: a, clearance, discRadius: z, lockArcRadius: R } = d;
  const turn = Math.floor(driveAngle / (2 * Math.PI));
  const A = driveAngle - 2 * Math.PI * turn - Math.PI;
  const rest = (-2 * Math.PI * turn) / n;
  if (Math.abs(A) >= d.entryAngle) {
    // the disc ends at θ from the centre line on the pin's side: it holds the arc there, e² + 2 z e sin θ = R² − z²
    const theta = Math.abs(A) - d.reliefHalfAngle;
    const s = z * sin(Math.min(theta, Math.PI / 2));
    const edge = (Math.sqrt(s * s + R * R - z * z) - s) / C;
    const play = theta < d.arcHalfAngle ? Math.max(d.lockPlay, edge) : d.lockPlay;
    return { angle: A < 0 ? rest : rest - (2 * Math.PI) / n, speed: 0, acceleration: 0, play, indexing: false };
  }
  const lambda = a / C;
  const q = 1 - 2 * lambda * cos(A) + lambda * lambda; // (D/C)²
  const beta = atan2(lambda * sin(A), 1 - lambda * cos(A));
  return {
    angle: rest - Math.PI / n - beta,
    speed: (0 - lambda * (cos(A) - lambda)) / q,
    acceleration: (lambda * (1 - lambda * lambda) * sin(A)) / (q * q),
    play: asin(clearance / (2 * C * Math.sqrt(q))),
    indexing: true,
  };
}
