/** How a spring between two points is drawn, in the page and in stills alike. */

/** Of the coils, m: slender, but never lost in a large scene. */
export const coilRadius = (length: number, sceneSize: number): number =>
  Math.min(0.05 * sceneSize, Math.max(0.008 * sceneSize, 0.09 * length));

/** @param length free, or at the start if that is longer, m */
export const coilTurns = (length: number, radius: number): number =>
  Math.min(18, Math.max(5, Math.round(length / (1.1 * radius))));

/** Radius of the wire, m: a fifth of the coil's, thinner where the coils are pressed together. */
export const wireRadius = (length: number, radius: number, turns: number): number =>
  Math.max(Math.min(0.2 * radius, (0.4 * length) / turns), 0.05 * radius);
