/**
 * Bodies that are drawn inside each other. The depth told is how far they must be moved to come apart, not that of the force law, which is twice as much
 * where faces lie on each other: for convex solids the least way out (narrow-phase/manifold), for others the extent of the overlap along its normal.
 *
 * Parts can be moved apart before the run (`contacts: { resolve: true }`): pair after pair, each along its normal and in proportion to the other's mass,
 * again and again until nothing overlaps. What hangs on joints or is fixed stays where it is drawn.
 */
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { ModelError } from '../errors.js';
import type { Solid } from '../geometry/solid.js';
import { ContactPatches } from '../narrow-phase/contact-patches.js';
import { manifoldRoute } from '../narrow-phase/manifold/index.js';
import type { ShapePoses } from '../narrow-phase/route.js';
import type { ContactList } from './contact-list.js';
import type { ContactPair } from './contact-pair.js';
import type { ShapeFacts } from './shape-facts.js';

/** A pair that starts deeper than this part of the smaller body is a mistake in the drawing. */
const DEEPEST_START = 0.02;
/** Of the smaller body: gap that is left between two that were moved apart */
const GAP = 1e-6;
/** Triangles from which a solid counts as round: what its overlap extends along the normal is its way out, and facets are many to look through. */
const ROUND = 1000;
/** Passes over all pairs */
const MOST_PASSES = 200;

const NORMAL = new Float64Array(3);

/** How far two shapes must be moved to come apart, at the carriers' present poses */
export class OverlapDepth {
  private readonly patches = new ContactPatches();

  constructor(
    private readonly facts: ShapeFacts,
    private readonly poses: ShapePoses,
  ) {}

  /** m, along the normal from A to B, which is written; 0 where they do not overlap */
  of(pair: ContactPair, normal: Float64Array): number {
    const extent = pair.overlap(normal);
    const { a, b } = pair.route;
    const [first, second] = [this.facts.shapes[a], this.facts.shapes[b]];
    if (!(extent > 0) || first.surface || second.surface || !first.solid || !second.solid) return extent;
    if (isRound(first.solid) || isRound(second.solid)) return extent;
    const route = manifoldRoute(first.solid, second.solid, a, b);
    if (!route) return extent;
    const { patches } = this;
    patches.clear();
    route.find(this.poses, 0, patches, false);
    let deepest = 0;
    for (let p = 0; p < patches.count; p++) {
      if (!(patches.depth[p] > deepest)) continue;
      deepest = patches.depth[p];
      for (let k = 0; k < 3; k++) normal[k] = (route.a === a ? 1 : -1) * patches.normal[3 * p + k];
    }
    return deepest > 0 ? deepest : extent;
  }
}

const isRound = ({ mesh }: Solid): boolean => mesh.triangles.length > 3 * ROUND;

const shownDepth = (depth: number): string => `${(1e3 * depth).toPrecision(3)} mm`;

/** @throws ModelError naming the first pair that is drawn too deep into each other */
export function refuseOverlaps(
  list: ContactList,
  facts: ShapeFacts,
  overlap: OverlapDepth,
  bodyName: (shape: number) => string,
): void {
  for (const { pair, shapeA, shapeB } of list.present) {
    if (!pair.touching) continue;
    const depth = overlap.of(pair, NORMAL);
    if (!(depth > DEEPEST_START * Math.min(facts.sizes[shapeA], facts.sizes[shapeB]))) continue;
    throw new ModelError(
      `contacts (${pair.name})`,
      `the two overlap by ${shownDepth(depth)} at the start: move them apart, or have them moved: contacts: { resolve: true }; or say that they do not touch: ` +
        `contacts: { exclude: [['${bodyName(shapeA)}', '${bodyName(shapeB)}']] }`,
    );
  }
}

/**
 * Moves free bodies apart, in place.
 *
 * @throws ModelError naming a pair that still overlaps: both are held by joints or fixed, or there is no room
 */
export function resolveOverlaps(
  list: ContactList,
  facts: ShapeFacts,
  overlap: OverlapDepth,
  mechanics: MechanicalSystem,
  t: number,
  y: Float64Array,
): void {
  const { carriers, freeBodies, nq } = mechanics;
  const still = new Float64Array(6 * (carriers.ground + 1));
  /** 1/kg; 0 for what stays */
  const ease = (carrier: number): number =>
    carrier >= carriers.nodes && carrier < carriers.ground ? 1 / freeBodies.mass[carrier - carriers.nodes] : 0;
  const move = (carrier: number, way: number): void => {
    if (way === 0) return;
    const at = nq - 7 * freeBodies.count + 7 * (carrier - carriers.nodes);
    for (let k = 0; k < 3; k++) y[at + k] += way * NORMAL[k];
  };
  let left: ContactPair | undefined;
  let depth = 0;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    mechanics.update(t, y);
    const found = list.candidates(0, still);
    let moved = false;
    left = undefined;
    for (let k = 0; k < found.count; k++) {
      const { pair, shapeA, shapeB } = list.of(found.a[k], found.b[k]);
      depth = overlap.of(pair, NORMAL);
      if (!(depth > 0)) continue;
      left = pair;
      const [first, second] = [ease(pair.a), ease(pair.b)];
      const both = first + second;
      if (both === 0) continue; // refused below, if it is too deep
      const way = depth + GAP * Math.min(facts.sizes[shapeA], facts.sizes[shapeB]);
      move(pair.a, (-first / both) * way);
      move(pair.b, (second / both) * way);
      moved = true;
      mechanics.update(t, y);
    }
    if (!moved) return;
  }
  if (left)
    throw new ModelError(
      'contacts.resolve',
      `${MOST_PASSES} passes did not move all parts apart: ${left.name} overlap by ${shownDepth(depth)} still; is there room for them? Draw them farther apart`,
    );
}
