/**
 * Bodies that are drawn inside each other. The depth told is how far they must be moved to come apart, not that of the force law, which is twice as much
 * where faces lie on each other: for convex solids the least way out (narrow-phase/manifold), for others the extent of the overlap along its normal.
 *
 * Pairs with a flexible body (dynamics/elements/flexible-contact.ts) know their deepest point and are pushed along the force between them.
 *
 * Parts can be moved apart before the run (`contacts: { resolve: true }`): pair after pair, each along its normal and in proportion to the other's mass,
 * again and again until nothing overlaps. What hangs on joints or is fixed stays where it is drawn.
 */
import { NODE } from '../assembly/system.js';
import { FlexibleContact } from '../dynamics/elements/flexible-contact.js';
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

const refusal = (pair: string, depth: number, first: string, second: string): ModelError =>
  new ModelError(
    `contacts (${pair})`,
    `the two overlap by ${shownDepth(depth)} at the start: move them apart, or have them moved: contacts: { resolve: true }; or say that they do not touch: ` +
      `contacts: { exclude: [['${first}', '${second}']] }`,
  );

/** @throws ModelError naming the first pair that is drawn too deep into each other; with `told` all of them go there in its place */
export function refuseOverlaps(
  list: ContactList,
  facts: ShapeFacts,
  overlap: OverlapDepth,
  bodyName: (shape: number) => string,
  told?: string[],
): void {
  for (const { pair, shapeA, shapeB } of list.present) {
    if (!pair.touching) continue;
    const depth = overlap.of(pair, NORMAL);
    if (depth > DEEPEST_START * Math.min(facts.sizes[shapeA], facts.sizes[shapeB]))
      refuse(refusal(pair.name, depth, bodyName(shapeA), bodyName(shapeB)), told);
  }
}

function refuse(error: ModelError, told: string[] | undefined): void {
  if (!told) throw error;
  if (!told.includes(error.message)) told.push(error.message);
}

/** Pairs with a flexible body */
export const softPairs = ({ pairs }: MechanicalSystem): readonly FlexibleContact[] =>
  pairs.filter((pair) => pair instanceof FlexibleContact);

/** The smaller of those of a pair that move, m: the size of what is fixed is not told */
function smallerOf({ system }: MechanicalSystem, { bodies }: FlexibleContact): number {
  return Math.min(
    ...system.bodies.filter(({ name, fixed }) => !fixed && bodies.includes(name)).map(({ size }) => size),
  );
}

/** Of pairs with a flexible body, also where one is so deep that no step from there would be believed. @throws ModelError naming the first */
export function refuseSoftOverlaps(mechanics: MechanicalSystem, t: number, y: Float64Array, told?: string[]): void {
  mechanics.update(t, y);
  for (const pair of softPairs(mechanics)) {
    const depth = pair.overlap(t, y, NORMAL);
    if (depth > Math.min(DEEPEST_START * smallerOf(mechanics, pair), pair.mostDepth))
      refuse(refusal(pair.shownName, depth, ...pair.bodies), told);
  }
}

/** Two that may overlap */
interface Near {
  readonly name: string;
  /** Carriers */
  readonly a: number;
  readonly b: number;
  /** Of the smaller one, m */
  readonly size: number;
  /** m, along the normal from A to B, which is written, at the carriers' present poses; 0 where they do not overlap */
  depth(normal: Float64Array): number;
}

/** Of a pair with a flexible body */
export function nearSoft(mechanics: MechanicalSystem, t: number, y: Float64Array): Near[] {
  return softPairs(mechanics).map((pair) => ({
    name: pair.shownName,
    a: pair.a,
    b: pair.b,
    size: smallerOf(mechanics, pair),
    depth: (normal) => pair.overlap(t, y, normal),
  }));
}

/** Of pairs of rigid bodies whose boxes meet */
export function nearRigid(
  list: ContactList,
  { sizes }: ShapeFacts,
  overlap: OverlapDepth,
  { carriers }: MechanicalSystem,
): Near[] {
  const found = list.candidates(0, new Float64Array(6 * (carriers.ground + 1)));
  return Array.from({ length: found.count }, (_, k) => {
    const { pair, shapeA, shapeB } = list.of(found.a[k], found.b[k]);
    return {
      name: pair.name,
      a: pair.a,
      b: pair.b,
      size: Math.min(sizes[shapeA], sizes[shapeB]),
      depth: (normal) => overlap.of(pair, normal),
    };
  });
}

/**
 * Moves free bodies apart, in place.
 *
 * @param near who may overlap at the carriers' present poses
 * @throws ModelError naming a pair that still overlaps: both are held by joints or fixed, or there is no room
 */
export function resolveOverlaps(near: () => Near[], mechanics: MechanicalSystem, t: number, y: Float64Array): void {
  const loose = looseBodies(mechanics);
  /** 1/kg; 0 for what stays */
  const ease = (carrier: number): number => loose.get(carrier)?.ease ?? 0;
  const move = (carrier: number, way: number): void => {
    const { at } = loose.get(carrier) ?? {};
    if (at) for (let k = 0; k < 3; k++) y[at[k]] += way * NORMAL[k];
  };
  let left: Near | undefined;
  let depth = 0;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    mechanics.update(t, y);
    let moved = false;
    left = undefined;
    for (const pair of near()) {
      const [first, second] = [ease(pair.a), ease(pair.b)];
      const both = first + second;
      if (both === 0) continue; // refused below, if it is too deep
      const deep = pair.depth(NORMAL);
      if (!(deep > 0)) continue;
      left = pair;
      depth = deep;
      const way = deep + GAP * pair.size;
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

/** Carriers of bodies that nothing holds: how easily they move, 1/kg, and where their place is in y */
function looseBodies({
  carriers,
  freeBodies,
  nq,
  system,
}: MechanicalSystem): Map<number, { ease: number; at: number[] }> {
  const found = new Map<number, { ease: number; at: number[] }>();
  for (let i = 0; i < freeBodies.count; i++) {
    const at = nq - 7 * freeBodies.count + 7 * i;
    found.set(carriers.nodes + i, { ease: 1 / freeBodies.mass[i], at: [at, at + 1, at + 2] });
  }
  // a flexible one hangs on three slides along the world's axes and a ball, which no joint is; in a loop it stays
  const { tree, flexible = [], joints, constraints } = system;
  for (const { node, body } of flexible) {
    const chain: number[] = [];
    for (let i = node; i >= 0; i = tree.parent[i]) chain.unshift(i);
    const [x, y, z] = chain;
    const floats =
      chain.length === 4 &&
      [x, y, z].every((i) => tree.kind[i] === NODE.prismatic && tree.q[i] >= 0) &&
      constraints.length === 0 &&
      !joints.some(({ nodes }) => nodes.includes(x));
    const mass = system.bodies.find(({ name }) => name === body)!.mass;
    if (floats) found.set(node, { ease: 1 / mass, at: [x, y, z].map((i) => tree.q[i]) });
  }
  return found;
}
