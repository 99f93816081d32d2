/** The route of two convex solids. */
import type { Solid } from '../../geometry/solid.js';
import type { ContactPatches, DepthMeasure } from '../contact-patches.js';
import { ConvexDistance } from '../distance/index.js';
import type { Route, Separation, ShapePoses } from '../route.js';
import { ConvexOverlap } from './convex-overlap.js';
import { type ConvexSolid, prepareConvex } from './convex-solid.js';
import { DistantFaces, MUCH_LARGER } from './distant-faces.js';

export interface ConvexOverlapOptions {
  /** default 'volume': 2V/|S| */
  readonly depth?: DepthMeasure;
}

/** Scratch for all pairs: evaluations come one after the other and remember nothing. */
const overlap = new ConvexOverlap();
const distant = new DistantFaces();

/**
 * Most faces of A times faces of B. The time goes with this product, that of the route for meshes with the surface in touch: finely
 * tessellated solids are better off there. They meet at about 128 faces each.
 */
const MOST_WORK = 16384;

/**
 * The route of two convex solids, undefined if one of them is not or if they have too many faces for clipping to pay (the route for meshes
 * finds the same). A, which is cut, is the first, but not where it is much the larger: edges of its size would lend their rounding to the overlap.
 *
 * @param ia, ib the shapes' places in the poses
 * @example const route = convexRoute(box(0.1), box(0.1), 0, 1);
 */
export function convexRoute(
  a: Solid,
  b: Solid,
  ia: number,
  ib: number,
  options: ConvexOverlapOptions = {},
): Route | undefined {
  const solidA = prepareConvex(a);
  const solidB = solidA && prepareConvex(b);
  if (!(solidA && solidB) || solidA.faceCount * solidB.faceCount > MOST_WORK) return undefined;
  if (solidA.size > MUCH_LARGER * solidB.size) return new ConvexRoute(solidB, solidA, ib, ia, options);
  return new ConvexRoute(solidA, solidB, ia, ib, options);
}

export class ConvexRoute implements Route {
  readonly name = 'convex–convex';
  readonly mostRegions = 1;
  readonly costly = true;
  readonly curvature = 0;
  readonly patches = true;
  private readonly depth: DepthMeasure;
  private distance: ConvexDistance | undefined;

  /** @param solidA, solidB prepared solids; they may be shared by many routes */
  constructor(
    private readonly solidA: ConvexSolid,
    private readonly solidB: ConvexSolid,
    readonly a: number,
    readonly b: number,
    options: ConvexOverlapOptions = {},
  ) {
    this.depth = options.depth ?? 'volume';
  }

  find(poses: ShapePoses, pair: number, patches: ContactPatches, gradients: boolean): void {
    overlap.find(this.solidA, this.solidB, this.a, this.b, this.depth, poses, pair, patches, gradients);
  }

  separate(poses: ShapePoses, out: Separation): void {
    this.distance ??= new ConvexDistance(this.solidA.support, this.solidB.support);
    this.distance.evaluate(poses, this.a, this.b, out);
    const { solidA, solidB } = this;
    if (solidB.size > MUCH_LARGER * solidA.size) distant.refine(solidA, solidB, this.a, this.b, poses, out);
  }
}
