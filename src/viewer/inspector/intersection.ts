/**
 * The overlap of two shapes of the scene at a recorded instant, found again in the page with the product's own narrow phase, because
 * records have its measures but not its polygons.
 *
 * Of round forms the run takes the exact one or the mesh, by pair; here both are tried, and that is shown whose volume is nearer to the
 * recorded one. A film has rounded poses: what differs by more than a tenth is something else, and not shown.
 */
import { distance, type Vec3 } from '../../math/vec3.js';
import { ContactPatches } from '../../narrow-phase/contact-patches.js';
import { MeshOverlap, patchPolygons } from '../../narrow-phase/mesh-overlap/index.js';
import type { PairPlaces, ScenePlace } from '../../results/scene/contact-side.js';
import type { Scene, SceneShape } from '../../results/scene.js';
import type { Contact } from './contact-rows.js';
import { PlacedShapes } from './placed-shapes.js';
import type { Loops } from './pressure.js';

export interface Intersection {
  /** A's surface inside B and B's inside A, world, m */
  readonly polygonsA: readonly Loops[];
  readonly polygonsB: readonly Loops[];
  /** As found again, m³ */
  readonly volume: number;
  readonly centroid: Vec3;
}

/** An intersection and by which part its volume differs from the recorded one, or why there is none to show. */
export type FoundIntersection =
  | { readonly kind: 'found'; readonly intersection: Intersection; readonly difference: number }
  | { readonly kind: 'absent'; readonly reason: string };

/** Farther off than this part of the recorded volume, polygons would show something else than the run had. */
const TRUSTED = 0.1;
const ROUND: ReadonlySet<string> = new Set(['cylinder', 'capsule', 'frustum', 'ellipsoid', 'extrusion']);
const isRound = ({ exact }: SceneShape): boolean => exact !== undefined && ROUND.has(exact.form.kind);

export class Intersections {
  readonly #shapes: PlacedShapes;

  constructor(
    scene: Scene,
    private readonly pairs: PairPlaces,
  ) {
    this.#shapes = new PlacedShapes(scene);
  }

  /**
   * One for each of some regions of a pair.
   *
   * @param poses 7 per body, as recorded
   */
  find(label: string, contacts: readonly Contact[], poses: Float64Array): FoundIntersection[] {
    const absent = (reason: string): FoundIntersection[] => contacts.map(() => ({ kind: 'absent', reason }));
    const [a, b] = this.pairs.places(label);
    const shapeA = a && this.#shapes.shape(a);
    const shapeB = b && this.#shapes.shape(b);
    if (!a || !b || !shapeA || !shapeB) return absent('The scene does not have these two shapes.');
    if (!contacts.some(({ volume }) => volume > 0)) return absent('A contact of points has no overlap to draw.');
    // facets of round forms are made for one contact; all else is found at once
    const hasSphere = shapeA.form === 'sphere' || shapeB.form === 'sphere';
    const hasRound = isRound(shapeA) || isRound(shapeB);
    const hasCapsule = [shapeA, shapeB].some(({ exact }) => exact?.form.kind === 'capsule');
    try {
      const all = hasSphere ? undefined : this.#regions(a, b, contacts[0], poses, false);
      return contacts.map((contact) => {
        const found = [all ?? this.#regions(a, b, contact, poses, false)];
        if (hasRound) found.push(this.#regions(a, b, contact, poses, true));
        if (hasCapsule) found.push(this.#regions(a, b, contact, poses, 'side'));
        return matched(contact, found);
      });
    } catch (error) {
      return absent(`The overlap could not be found again: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  #regions(
    a: ScenePlace,
    b: ScenePlace,
    contact: Contact,
    poses: Float64Array,
    exactly: boolean | 'side',
  ): Intersection[] {
    const first = this.#shapes.place(a, b, contact, poses, 0, exactly);
    const second = this.#shapes.place(b, a, contact, poses, 1, exactly);
    const overlap = new MeshOverlap(first.body, second.body);
    const rotation = Float64Array.of(...first.rotation, ...second.rotation);
    const position = Float64Array.of(...first.position, ...second.position);
    const count = overlap.evaluate(rotation, position, 0, 1);
    const patches = new ContactPatches(Math.max(1, count));
    overlap.append(patches, 0);
    const toWorld = ([x, y, z]: Vec3): Vec3 => [
      rotation[0] * x + rotation[1] * y + rotation[2] * z + position[0],
      rotation[3] * x + rotation[4] * y + rotation[5] * z + position[1],
      rotation[6] * x + rotation[7] * y + rotation[8] * z + position[2],
    ];
    const polygons = (region: number, side: 'A' | 'B'): Loops[] =>
      patchPolygons(overlap, region, side).map(({ loops }) => loops.map((loop) => loop.map(toWorld)));
    return Array.from({ length: count }, (_, k) => ({
      polygonsA: polygons(k, 'A'),
      polygonsB: polygons(k, 'B'),
      volume: patches.volume[k],
      centroid: [patches.centroid[3 * k], patches.centroid[3 * k + 1], patches.centroid[3 * k + 2]],
    }));
  }
}

/** Of each search the region nearest to the record; of those the one of its volume. */
function matched(contact: Contact, searches: readonly (readonly Intersection[])[]): FoundIntersection {
  let best: Intersection | undefined;
  const off = (one: Intersection): number => Math.abs(one.volume / contact.volume - 1);
  for (const regions of searches) {
    let nearest: Intersection | undefined;
    for (const region of regions)
      if (!nearest || distance(region.centroid, contact.point) < distance(nearest.centroid, contact.point))
        nearest = region;
    if (nearest && (!best || off(nearest) < off(best))) best = nearest;
  }
  if (best && off(best) <= TRUSTED)
    return { kind: 'found', intersection: best, difference: best.volume / contact.volume - 1 };
  const told = best
    ? `The drawn shapes overlap by ${(best.volume / contact.volume).toPrecision(2)} times the recorded volume`
    : 'The drawn shapes do not overlap';
  return {
    kind: 'absent',
    reason: `${told}: their poses are not those of the run to the last digit. The ellipse has the recorded moments.`,
  };
}
