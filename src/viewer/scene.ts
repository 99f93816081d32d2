/** The bodies of a model where a recording has them at one of its rows, as parts to draw. */
import { rotate, translate } from '../geometry/transform.js';
import type { Quaternion } from '../math/quaternion.js';
import type { Model } from '../model/model.js';
import type { Recording } from '../results/recording.js';
import type { StillPart } from './still.js';

export function sceneAt(model: Model, recording: Recording, row: number): StillPart[] {
  const parts: StillPart[] = [];
  const value = (name: string): number => recording.signal(name).values[row];
  for (const [name, { shape, colour }] of model.bodies) {
    if (!shape) continue;
    const q = ['w', 'x', 'y', 'z'].map((part) => value(`${name}.orientation.${part}`)) as unknown as Quaternion;
    const p = ['x', 'y', 'z'].map((axis) => value(`${name}.position.${axis}`)) as [number, number, number];
    for (const solid of Array.isArray(shape) ? shape : [shape]) {
      const tint = colour ?? solid.colour;
      parts.push({ mesh: translate(p, rotate(q, solid.mesh)), ...(tint && { colour: tint }) });
    }
  }
  return parts;
}
