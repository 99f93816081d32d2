/**
 * How long arrows are: so many newtons per metre. By itself the largest force of the run is a quarter of the scene across; a person
 * makes arrows longer or shorter by a factor.
 */
import { roundLength } from '../stage/round-length.js';

/** N per m so that the largest force is a quarter of the scene. @param size diameter of what is drawn, m */
export function automaticScale(largestForce: number, size: number): number {
  return largestForce > 0 && size > 0 ? (4 * largestForce) / size : 1;
}

/** What the largest arrow stands for: the largest force of the run or of the instant, lengths as the forces; or lengths as the roots of the forces, so that small ones are seen beside large ones */
export const ARROW_SCALES = {
  run: 'largest of the run',
  instant: 'largest of the instant',
  root: 'root of the force',
} as const;
export type ArrowScale = keyof typeof ARROW_SCALES;

/** m, of an arrow as the root of its force: as long as on the linear scale at the largest force F₀, L = √(F F₀)/s */
export const rootLength = (force: number, largest: number, newtonsPerMetre: number): number =>
  Math.sqrt(Math.max(0, force) * largest) / newtonsPerMetre;

/** The slider runs from −1 to 1: a thousandth to a thousand times as long. */
const DECADES = 3;
export const factorOf = (slider: number): number => 10 ** (DECADES * slider);
export const sliderOf = (factor: number): number => Math.max(-1, Math.min(1, Math.log10(factor) / DECADES));

/**
 * CSS px per m for a length across the line of sight at a place, from where the place and a point a small step along each axis appear:
 * of three perpendicular unit vectors seen in parallel projection the squares of the lengths add up to 2.
 *
 * @param step m, small against the distance of the camera
 */
export function pixelsPerMetre(
  project: (point: readonly [number, number, number]) => { readonly x: number; readonly y: number },
  [x, y, z]: readonly [number, number, number],
  step: number,
): number {
  let squares = 0;
  // both ways, so that perspective cancels to first order
  for (let k = 0; k < 3; k++) {
    const ahead: [number, number, number] = [x, y, z];
    const behind: [number, number, number] = [x, y, z];
    ahead[k] += step;
    behind[k] -= step;
    const a = project(ahead);
    const b = project(behind);
    squares += (a.x - b.x) ** 2 + (a.y - b.y) ** 2;
  }
  return Math.sqrt(squares / 2) / (2 * step);
}

/**
 * The arrow of the legend: a round force whose arrow is about as long as there is room.
 *
 * @param longest px
 */
export function legendArrow(
  newtonsPerMetre: number,
  pixels: number,
  longest: number,
): { readonly force: number; readonly length: number } | undefined {
  const most = (longest / pixels) * newtonsPerMetre;
  if (!(most > 0 && most < Infinity)) return undefined;
  const force = roundLength(most);
  return { force, length: (force / newtonsPerMetre) * pixels };
}

/** The largest of the sums of forces and where it is: instants worth a look for the largest single force. */
export function largestInstants(forces: Float64Array, count: number): number[] {
  const best: number[] = [];
  for (let i = 0; i < forces.length; i++) {
    if (!(forces[i] > 0)) continue;
    if (best.length === count && !(forces[i] > forces[best[count - 1]])) continue;
    let at = best.length;
    while (at > 0 && forces[best[at - 1]] < forces[i]) at--;
    best.splice(at, 0, i);
    if (best.length > count) best.pop();
  }
  return best;
}
