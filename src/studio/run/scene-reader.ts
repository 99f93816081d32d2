/** Scenes as workers send them. One that is the same as before is the same object, so that nothing is drawn anew for it. */
import { readScene } from '../../results/scene/scene-bytes.js';
import type { Scene } from '../../results/scene.js';
import { rememberCreases } from '../../viewer/stage/creases.js';
import type { Answer } from './messages.js';

export class SceneReader {
  #last: { readonly bytes: Uint8Array; readonly scene: Scene } | undefined;

  read({ scene: bytes, creases }: Extract<Answer, { readonly kind: 'scene' }>, title: string): Scene {
    if (this.#last && isEqual(this.#last.bytes, bytes)) return this.#last.scene;
    const scene = readScene(bytes, title);
    scene.shapes.forEach((shape, i) => {
      const known = creases[i];
      if (known) rememberCreases(shape, known);
    });
    this.#last = { bytes, scene };
    return scene;
  }
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
