/**
 * Two extrusions as a route: in the plane while their axes are parallel, which joints have to see to, and as meshes where they are not.
 */
import { ModelError } from '../../errors.js';
import type { ContactPatches, DepthMeasure } from '../contact-patches.js';
import type { MeshRoute, OverlapRouteOptions } from '../mesh-overlap/mesh-route.js';
import type { PatchPolygon } from '../mesh-overlap/patch-polygons.js';
import { averageFlush } from '../mesh-overlap/symmetric-flush.js';
import type { Route, Separation, ShapePoses } from '../route.js';
import { ExtrusionOverlap } from './extrusion-overlap.js';
import type { LoopBody } from './loop-body.js';
import { LoopDistance } from './loop-distance.js';
import { patchWalls } from './patch-walls.js';

export class ExtrusionRoute implements Route {
  readonly name = 'extrusion–extrusion';
  /** 1 for two convex outlines */
  readonly mostRegions: number;
  /** One whose outline is smooth and curved all round */
  readonly roller?: number;
  readonly curvature = 0;
  readonly patches = true;
  readonly a: number;
  readonly b: number;
  /** what the last `find` left, if the axes were parallel */
  readonly overlap: ExtrusionOverlap;
  private inPlane = true;
  private readonly distance: LoopDistance;
  private readonly depth: DepthMeasure;
  private readonly symmetric: boolean;

  /**
   * @param bodyA, bodyB outlines in the frames of the poses; the scratch may serve many routes, but the two must not be one
   * @param space        the same pair as meshes, for tilted axes
   * @example new ExtrusionRoute(new LoopBody(prepareLoops(profile, 0, height)), rackLoops, new MeshRoute(gearBody, rackBody, 0, 1))
   */
  constructor(
    bodyA: LoopBody,
    bodyB: LoopBody,
    readonly space: MeshRoute,
    options: OverlapRouteOptions = {},
  ) {
    if (bodyA === bodyB)
      throw new ModelError('extrusionRoute', 'expected two bodies, got the same twice; make a LoopBody for each shape');
    this.a = space.a;
    this.b = space.b;
    this.mostRegions = bodyA.given.convex && bodyB.given.convex ? 1 : Infinity;
    if (bodyA.given.round || bodyB.given.round) this.roller = bodyA.given.round ? this.a : this.b;
    this.depth = options.depth ?? 'volume';
    this.symmetric = options.symmetricFlush ?? false;
    this.overlap = new ExtrusionOverlap(bodyA, bodyB, { depth: this.depth });
    this.distance = new LoopDistance(bodyA.given, bodyB.given);
  }

  find(poses: ShapePoses, pair: number, patches: ContactPatches, gradients: boolean): void {
    const { overlap } = this;
    overlap.direction = 1;
    const count = overlap.evaluate(poses.rotation, poses.position, this.a, this.b);
    this.inPlane = count >= 0;
    if (count < 0) this.space.find(poses, pair, patches, gradients);
    if (count <= 0) return;
    const first = patches.count;
    overlap.append(patches, pair, gradients);
    if (!(this.symmetric && overlap.tied)) return;
    overlap.direction = -1;
    overlap.evaluate(poses.rotation, poses.position, this.a, this.b);
    overlap.append(patches, pair, gradients);
    averageFlush(patches, first, count, this.depth, gradients);
  }

  separate(poses: ShapePoses, out: Separation): void {
    if (!this.distance.evaluate(poses, this.a, this.b, out)) this.space.separate(poses, out);
  }

  /** The surface of one body in a region of the last `find`, as polygons in A's frame. */
  polygons(region: number, side: 'A' | 'B'): PatchPolygon[] {
    return this.inPlane ? patchWalls(this.overlap, region, side) : this.space.polygons(region, side);
  }
}
