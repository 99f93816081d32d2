/** The route of two convex solids. */
import type { Solid } from '../../geometry/solid.js';
import type { ContactPatches, DepthMeasure } from '../contact-patches.js';
import { ConvexDistance } from '../distance/index.js';
import type { Route, Separation, ShapePoses } from '../route.js';
import { ConvexOverlap } from './convex-overlap.js';
import { type ConvexSolid, prepareConvex } from './convex-solid.js';

export interface ConvexOverlapOptions {
  /** default 'volume': 2V/|S| */
  readonly depth?: DepthMeasure;
}

/** Scratch for all pairs: evaluations come one after the other and remember nothing. */
const overlap = new ConvexOverlap();

/**
 * The route of two convex solids, undefined if one of them is not. A is the first.
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
  return solidA && solidB ? new ConvexRoute(solidA, solidB, ia, ib, options) : undefined;
}

export class ConvexRoute implements Route {
  readonly name = 'convex–convex';
  readonly mostRegions = 1;
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
  }
}
