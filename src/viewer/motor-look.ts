/** A motor behind its joint: where it sits and how large it is. Viewer and stills draw the same. */
import { dot, type Vec3 } from '../math/vec3.js';
import type { Scene, SceneJoint } from '../results/scene.js';

/** In parts of its size (`motorSize`): radius and length of shaft, flange and housing */
export const MOTOR = {
  shaft: { radius: 0.008, length: 0.02 },
  flange: { radius: 0.034, length: 0.008 },
  body: { radius: 0.028, length: 0.055 },
} as const;

/** A body that goes on behind its joint for more than this part of the scene's size has its motor inside. */
const FARTHEST = 0.25;

/** m from the joint, against its axis, to where the moving body ends: its motor begins there. */
export function motorSeat(scene: Scene, { at, axes: [axis] }: SceneJoint, size: number): number {
  if (at.body < 0) return 0;
  const here = dot(at.position, axis);
  let behind = 0;
  for (const { shape } of scene.bodies[at.body].parts) {
    const { vertices, form } = scene.shapes[shape];
    if (form === 'halfSpace') continue;
    for (let v = 0; v < vertices.length; v += 3)
      behind = Math.max(behind, here - dot([vertices[v], vertices[v + 1], vertices[v + 2]] as Vec3, axis));
  }
  return behind <= FARTHEST * size ? behind : 0;
}

/** A motor is small beside what it moves: a flange of at most about a quarter of its radius. */
const OF_BODY = 8;

/** m: the scene's size, less for a small body in a large scene */
export function motorSize(scene: Scene, { at }: SceneJoint, size: number): number {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const { shape } of at.body < 0 ? [] : scene.bodies[at.body].parts) {
    const { vertices, form } = scene.shapes[shape];
    if (form === 'halfSpace') continue;
    for (let i = 0; i < vertices.length; i++) {
      low[i % 3] = Math.min(low[i % 3], vertices[i]);
      high[i % 3] = Math.max(high[i % 3], vertices[i]);
    }
  }
  const across = high.map((x, k) => x - low[k]);
  const radius = 0.5 * Math.sqrt(across[0] * across[0] + across[1] * across[1] + across[2] * across[2]);
  return radius > 0 && radius < Infinity ? Math.min(size, OF_BODY * radius) : size;
}
