/**
 * Which bodies and parts of a scene a contact is between, and on which of the two a viewer shows the force: on the second, as recorded, unless that one
 * is fixed and the first is not. What a floor does to a ball is what one wants to see, whatever the order of the pair.
 */
import { pairNames } from '../contact-records.js';
import type { Scene } from '../scene.js';

/** A shape of the scene by body and part. */
export interface ScenePlace {
  readonly body: number;
  readonly part: number;
}

/**
 * Bodies and parts by the names in a pair's label. A body of several solids calls them `name[0]`, `name[1]`, …; a body of one, and a body
 * in an array (`rack[3]`), goes by its own name.
 */
export class PairPlaces {
  readonly #bodies: ReadonlyMap<string, number>;

  constructor(readonly scene: Scene) {
    this.#bodies = new Map(scene.bodies.map(({ name }, i) => [name, i]));
  }

  place(name: string): ScenePlace | undefined {
    const own = this.#bodies.get(name);
    if (own !== undefined) return { body: own, part: 0 };
    const match = /^(.*)\[(\d+)\]$/s.exec(name);
    const body = match ? this.#bodies.get(match[1]) : undefined;
    return body === undefined ? undefined : { body, part: Number(match![2]) };
  }

  /** A and B of a label; undefined where the scene does not have them. */
  places(label: string): readonly [ScenePlace | undefined, ScenePlace | undefined] {
    const [a, b] = pairNames(label);
    return [this.place(a), this.place(b)];
  }

  /**
   * The body whose force is shown. A shape that the scene does not have cannot move.
   *
   * @returns sign 1 if the recorded force, which is that on B, is shown as it is; −1 if its reaction
   */
  shownSide(label: string): { readonly name: string; readonly sign: 1 | -1 } {
    const [nameA, nameB] = pairNames(label);
    const [a, b] = this.places(label);
    const isFixed = (place: ScenePlace | undefined): boolean => !place || this.scene.bodies[place.body].fixed;
    return isFixed(b) && !isFixed(a) ? { name: nameA, sign: -1 } : { name: nameB, sign: 1 };
  }
}

/** For each pair by its number: 1 if the recorded force is shown, −1 if its opposite. */
export function shownSides(scene: Scene, labels: readonly string[]): Int8Array {
  const places = new PairPlaces(scene);
  return Int8Array.from(labels, (label) => places.shownSide(label).sign);
}
