/**
 * A capsule and a convex solid: the cylinder between its ends and its two end balls, each a region of its own where it overlaps.
 *
 * The rims of the cylinder are the circles in which the balls touch it, so that nothing of it stands out of the capsule. A capsule that lies flat
 * presses with its side and its ends; when it tips, the side's overlap passes smoothly into one end's, and over an edge it is the side alone. What ball
 * and cylinder have in common is pressed twice, which makes ends somewhat stiffer than the side, but each region is the overlap of a solid with the
 * other: force and depth do the same work, at every place.
 *
 * A is the solid, B the capsule.
 */
import { cylinder, sphere } from '../../geometry/index.js';
import type { Solid } from '../../geometry/solid.js';
import { closedFormRoute } from '../closed-form/index.js';
import type { ContactPatches } from '../contact-patches.js';
import { convexRoute, prepareConvex } from '../convex-overlap/index.js';
import { cylinderCylinderRoute } from '../cylinder-cylinder/index.js';
import { cylinderPolyhedronRoute } from '../cylinder-polyhedron/index.js';
import { ConvexDistance, CylinderSupport, SegmentSupport } from '../distance/index.js';
import { flipRow } from '../flip-row.js';
import { type Route, Separation, type ShapePoses } from '../route.js';
import { sphereMeshRoute } from '../sphere-mesh/index.js';

/** Places in the route's own poses */
const SOLID = 0;
const SIDE = 1;
const END = 2;

/**
 * The route of a capsule and a convex solid in either order, undefined if the two are not that.
 *
 * @param ia, ib the shapes' places in the poses
 */
export function capsuleRoute(a: Solid, b: Solid, ia: number, ib: number): Route | undefined {
  return inOrder(a, b, ia, ib) ?? inOrder(b, a, ib, ia);
}

/** What a capsule is made of */
interface Pieces {
  readonly bar: Solid;
  readonly ball: Solid;
}

/** Of capsules met already: what other routes prepare of a solid they keep by the solid, and islands that join make their routes anew. */
const pieces = new WeakMap<Solid, Pieces>();

function piecesOf(round: Solid, radius: number, height: number): Pieces {
  let known = pieces.get(round);
  if (!known) {
    known = { bar: cylinder({ radius, height }), ball: sphere(radius) };
    pieces.set(round, known);
  }
  return known;
}

function inOrder(solid: Solid, round: Solid, ia: number, ib: number): Route | undefined {
  if (round.form.kind !== 'capsule') return undefined;
  const { radius, height } = round.form;
  const prepared = prepareConvex(solid);
  if (!prepared) return undefined;
  const { bar, ball } = piecesOf(round, radius, height);
  const exact = cylinderPolyhedronRoute(solid, bar, SOLID, SIDE) ?? cylinderCylinderRoute(solid, bar, SOLID, SIDE);
  const side = exact ?? convexRoute(solid, bar, SOLID, SIDE);
  const ends = [END, END + 1].map(
    (end) => closedFormRoute({ solid }, { solid: ball }, SOLID, end) ?? sphereMeshRoute(solid, ball, SOLID, end),
  );
  if (!side || !ends[0] || !ends[1]) return undefined;
  // of a cylinder as it is: its facets would be farther away
  const { form } = solid;
  const support = form.kind === 'cylinder' ? new CylinderSupport(form.radius, 0.5 * form.height) : prepared.support;
  const distance = exact && new ConvexDistance(support, new SegmentSupport(0.5 * height), 0, radius);
  return new CapsuleRoute([side, ends[0], ends[1]], distance, ia, ib, height);
}

export class CapsuleRoute implements Route {
  readonly name = 'solid–capsule';
  /** Convex with convex: one of each */
  readonly mostRegions = 3;
  readonly costly = true;
  readonly curvature = 0;
  readonly patches = true;
  readonly roller: number;
  private readonly poses = { position: new Float64Array(12), rotation: new Float64Array(36) };

  /**
   * @param parts    routes of the solid and the cylinder, and of it and each ball, in places SOLID, SIDE, END and END + 1
   * @param distance of the solid and the capsule; undefined where the side has facets, which are farther away than the round side: theirs is told then,
   *                 for a pair that is called near before it has a region is followed in the steps of an impact
   */
  constructor(
    private readonly parts: readonly Route[],
    private readonly distance: ConvexDistance | undefined,
    readonly a: number,
    readonly b: number,
    private readonly height: number,
  ) {
    this.roller = b;
  }

  separate(poses: ShapePoses, out: Separation): void {
    if (this.distance) {
      this.distance.evaluate(poses, this.a, this.b, out);
      return;
    }
    this.place(poses);
    out.distance = Number.POSITIVE_INFINITY;
    for (const route of this.parts) {
      route.separate(this.poses, NEAREST);
      if (NEAREST.distance < out.distance) out.copy(NEAREST, route.a !== SOLID);
    }
  }

  find(poses: ShapePoses, pair: number, patches: ContactPatches, gradients: boolean): void {
    this.place(poses);
    const before = patches.count;
    for (const route of this.parts) {
      const first = patches.count;
      route.find(this.poses, pair, patches, gradients);
      if (route.a !== SOLID) for (let row = first; row < patches.count; row++) flipRow(patches, row);
    }
    for (let row = before; row < patches.count; row++) patches.region[row] = row - before;
  }

  private place({ position, rotation }: ShapePoses): void {
    const { a, b, poses, height } = this;
    for (let k = 0; k < 3; k++) {
      const along = 0.5 * height * rotation[9 * b + 3 * k + 2];
      poses.position[3 * SOLID + k] = position[3 * a + k];
      poses.position[3 * SIDE + k] = position[3 * b + k];
      poses.position[3 * END + k] = position[3 * b + k] - along;
      poses.position[3 * END + 3 + k] = position[3 * b + k] + along;
    }
    for (let k = 0; k < 9; k++) {
      poses.rotation[9 * SOLID + k] = rotation[9 * a + k];
      for (let shape = SIDE; shape <= END + 1; shape++) poses.rotation[9 * shape + k] = rotation[9 * b + k];
    }
  }
}

const NEAREST = new Separation();
