/** Any closed mesh against any other: the overlap by signed crossings as a route. */
import { ModelError } from '../../errors.js';
import { locatePoint } from '../../geometry/point-location.js';
import type { ContactPatches, DepthMeasure } from '../contact-patches.js';
import { MeshDistance } from '../distance/mesh-distance.js';
import { RelativePose } from '../distance/relative-pose.js';
import type { Route, Separation, ShapePoses } from '../route.js';
import { MeshOverlap } from './mesh-overlap.js';
import type { MeshTopology } from './mesh-topology.js';
import type { OverlapBody } from './overlap-body.js';
import { type PatchPolygon, patchPolygons } from './patch-polygons.js';
import { averageFlush } from './symmetric-flush.js';

export interface OverlapRouteOptions {
  /** default 'volume': 2V/|S| */
  readonly depth?: DepthMeasure;
  /** mean of both sides where faces are flush; default false, see symmetric-flush.ts */
  readonly symmetricFlush?: boolean;
}

export class MeshRoute implements Route {
  readonly name = 'mesh–mesh';
  readonly mostRegions = Infinity;
  readonly curvature = 0;
  readonly patches = true;
  /** what the last `find` left, for the polygons of its patches and for contradictions */
  readonly overlap: MeshOverlap;
  private readonly distance: MeshDistance;
  private readonly pose = new RelativePose();
  private readonly depth: DepthMeasure;
  private readonly symmetric: boolean;

  /**
   * @param bodyA, bodyB meshes in the frames of the poses; the scratch may serve many routes, but the two must not be one
   * @param a, b         the shapes' places in the poses
   * @example new MeshRoute(new OverlapBody(prepareMesh(formMesh(gear))), new OverlapBody(prepareMesh(formMesh(rack))), 0, 1)
   */
  constructor(
    bodyA: OverlapBody,
    bodyB: OverlapBody,
    readonly a: number,
    readonly b: number,
    options: OverlapRouteOptions = {},
  ) {
    if (bodyA === bodyB)
      throw new ModelError('meshRoute', 'expected two bodies, got the same twice; make an OverlapBody for each shape');
    this.depth = options.depth ?? 'volume';
    this.symmetric = options.symmetricFlush ?? false;
    this.overlap = new MeshOverlap(bodyA, bodyB, { depth: this.depth });
    this.distance = new MeshDistance(bodyA.topology.tree, bodyB.topology.tree);
  }

  find(poses: ShapePoses, pair: number, patches: ContactPatches, gradients: boolean): void {
    const { overlap } = this;
    overlap.direction = 1;
    const count = overlap.evaluate(poses.rotation, poses.position, this.a, this.b);
    if (count === 0) return;
    const first = patches.count;
    overlap.append(patches, pair, gradients);
    if (!(this.symmetric && overlap.tied)) return;
    overlap.direction = -1;
    overlap.evaluate(poses.rotation, poses.position, this.a, this.b);
    overlap.append(patches, pair, gradients);
    averageFlush(patches, first, count, this.depth, gradients);
  }

  /** Exact, by both trees of boxes; a body wholly inside the other is at distance 0. */
  separate(poses: ShapePoses, out: Separation): void {
    this.distance.evaluate(poses, this.a, this.b, out);
    if (!(out.distance > 0)) return;
    const { a, b } = this.overlap;
    this.pose.set(poses, this.a, this.b);
    if (holdsShell(a.topology, b.topology, this.pose)) out.distance = 0;
    else {
      this.pose.set(poses, this.b, this.a);
      if (holdsShell(b.topology, a.topology, this.pose)) out.distance = 0;
    }
  }

  /** The part of a triangle in a region of the last `find`, as polygons in A's frame; not after an averaged flush one. */
  polygons(region: number, side: 'A' | 'B'): PatchPolygon[] {
    return patchPolygons(this.overlap, region, side);
  }
}

/** Whether a shell of `inner`, whose surface meets `outer`'s nowhere, lies in it. */
function holdsShell(outer: MeshTopology, inner: MeshTopology, pose: RelativePose): boolean {
  const { boxes } = outer.tree;
  const { vertices } = inner.mesh;
  const { rotation_AB: r, position_AB: t } = pose;
  for (let shell = 0; shell < inner.shellVertex.length; shell++) {
    const v = 3 * inner.shellVertex[shell];
    const x = r[0] * vertices[v] + r[1] * vertices[v + 1] + r[2] * vertices[v + 2] + t[0];
    const y = r[3] * vertices[v] + r[4] * vertices[v + 1] + r[5] * vertices[v + 2] + t[1];
    const z = r[6] * vertices[v] + r[7] * vertices[v + 1] + r[8] * vertices[v + 2] + t[2];
    if (Math.abs(x - boxes[0]) > boxes[3] || Math.abs(y - boxes[1]) > boxes[4] || Math.abs(z - boxes[2]) > boxes[5])
      continue;
    if (locatePoint(outer.tree, x, y, z) >= 0) return true;
  }
  return false;
}
