/**
 * The overlap of two shapes of the scene at a recorded instant, found again in the page with the product's own narrow phase, because
 * records have its measures but not its polygons.
 *
 * Some round forms are known here by their drawing mesh only, whose chords are deeper than most overlaps; and a film has rounded poses.
 * So what is found is compared with the recorded volume, and not shown where it is something else.
 */
import { distance, type Vec3 } from '../../math/vec3.js';
import { ContactPatches } from '../../narrow-phase/contact-patches.js';
import { MeshOverlap, patchPolygons } from '../../narrow-phase/mesh-overlap/index.js';
import type { Scene } from '../../results/scene/scene.js';
import type { Contact, PairPlaces, ScenePlace } from './contact-rows.js';
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
const ROUND = new Set(['cylinder', 'capsule', 'frustum']);

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
    // a sphere's facets are made for one contact; all else is found at once
    const once = shapeA.form !== 'sphere' && shapeB.form !== 'sphere';
    const round = [shapeA, shapeB].find(({ form }) => ROUND.has(form))?.form;
    try {
      const all = once ? this.#regions(a, b, contacts[0], poses) : [];
      return contacts.map((contact) => matched(contact, once ? all : this.#regions(a, b, contact, poses), round));
    } catch (error) {
      return absent(`The overlap could not be found again: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  #regions(a: ScenePlace, b: ScenePlace, contact: Contact, poses: Float64Array): Intersection[] {
    const first = this.#shapes.place(a, b, contact, poses, 0);
    const second = this.#shapes.place(b, a, contact, poses, 1);
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

/** The region nearest to the record, if it is the same. */
function matched(contact: Contact, regions: readonly Intersection[], round: string | undefined): FoundIntersection {
  let nearest: Intersection | undefined;
  for (const region of regions)
    if (!nearest || distance(region.centroid, contact.point) < distance(nearest.centroid, contact.point))
      nearest = region;
  const difference = nearest ? nearest.volume / contact.volume - 1 : Number.NaN;
  if (nearest && Math.abs(difference) <= TRUSTED) return { kind: 'found', intersection: nearest, difference };
  const told = nearest
    ? `The drawn shapes overlap by ${(nearest.volume / contact.volume).toPrecision(2)} times the recorded volume`
    : 'The drawn shapes do not overlap';
  const why = round
    ? `the ${round} is drawn with plane facets, whose chords are deeper than the contact`
    : 'their poses are not those of the run to the last digit';
  return { kind: 'absent', reason: `${told}: ${why}. The ellipse has the recorded moments.` };
}
