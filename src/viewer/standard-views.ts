/** The sides from which an engineer looks, for a scene whose up is known. */
import { ModelError, suggestion } from '../errors.js';
import { normalize, type Vec3 } from '../math/vec3.js';

/** Towards the eye, in a frame where z is up. */
const VIEWS: Readonly<Record<string, Vec3>> = {
  isometric: [0.55, -0.75, 0.5],
  front: [0, -1, 0],
  back: [0, 1, 0],
  left: [-1, 0, 0],
  right: [1, 0, 0],
  top: [0, 0, 1],
  bottom: [0, 0, -1],
};
/** Behind a scene by day, at the top and at the bottom of the picture: sRGB, 0…1 */
export const DAY_SKY = { top: [0.91, 0.925, 0.945], bottom: [0.985, 0.985, 0.98] } as const;

/** Towards the sun of a scene: over the left shoulder of a person at its front. @param right, front axes of the scene as that person sees it */
export const sunOver = (right: Vec3, front: Vec3, up: Vec3): Vec3 =>
  normalize([0, 1, 2].map((k) => -0.42 * right[k] + 0.5 * front[k] + 0.76 * up[k]) as unknown as Vec3);

/** Sun and sky of a scene of which up alone is known; with z up the front is −y and right is x, with y up the front is z. */
export function daylightOf(up: Vec3): { readonly sun: Vec3; readonly up: Vec3 } {
  const [front, above]: [Vec3, Vec3] = up[1] > 0.7 ? [[0, 0, 1], [0, 1, 0]] : [[0, -1, 0], [0, 0, 1]]; // biome-ignore format: one line
  return { sun: sunOver([1, 0, 0], front, above), up: above };
}

export const VIEW_NAMES = Object.keys(VIEWS);

/**
 * Where the eye is and what points up in the picture. Where things fall along −y, y is up and z comes towards the front.
 *
 * @param path of the option, for errors
 */
export function standardView(name: string, sceneUp: Vec3, path: string): { readonly from: Vec3; readonly up: Vec3 } {
  const side = VIEWS[name];
  if (!side)
    throw new ModelError(
      path,
      `expected one of ${VIEW_NAMES.join(', ')}, got "${name}"${suggestion(name, VIEW_NAMES)}`,
    );
  const yUp = sceneUp[1] > 0.7;
  const place = ([x, y, z]: Vec3): Vec3 => (yUp ? [x, z, -y] : [x, y, z]);
  return { from: place(side), up: place(Math.abs(side[2]) > 0.999 ? [0, 1, 0] : [0, 0, 1]) };
}
