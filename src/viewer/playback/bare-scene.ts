/** Of recordings that do not say what they show: the bodies that their signals tell of, without shapes. */
import type { Scene } from '../../results/scene.js';

const END = '.orientation.w';

export function bareScene(title: string, signals: readonly { readonly name: string }[]): Scene {
  const names = signals.filter(({ name }) => name.endsWith(END)).map(({ name }) => name.slice(0, -END.length));
  return {
    title,
    up: [0, 0, 1],
    shapes: [],
    bodies: names.map((name) => ({
      name,
      mass: Number.NaN,
      centreOfMass: [0, 0, 0],
      fixed: false,
      pose: { position: [0, 0, 0], orientation: [1, 0, 0, 0] },
      parts: [],
      frames: [],
    })),
    joints: [],
    springs: [],
    surfaces: [],
    plots: {},
  };
}
