/** The sides from which an engineer looks, for a scene whose up is known. */
import { ModelError, suggestion } from '../errors.js';
import type { Vec3 } from '../math/vec3.js';

/** Towards the eye, in a frame where z is up. */
const VIEWS: Readonly<Record<string, Vec3>> = {
  isometric: [0.55, -0.75, 0.6],
  front: [0, -1, 0],
  back: [0, 1, 0],
  left: [-1, 0, 0],
  right: [1, 0, 0],
  top: [0, 0, 1],
  bottom: [0, 0, -1],
};
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
