/** The route of two cylinders. */
import type { Solid } from '../../geometry/solid.js';
import type { ContactPatches } from '../contact-patches.js';
import { ConvexRoute, preferFaces, prepareConvex } from '../convex-overlap/index.js';
import { appendOverlap } from '../cylinder-polyhedron/index.js';
import { ConvexDistance, CylinderSupport, RelativePose } from '../distance/index.js';
import { OverlapGradient } from '../overlap-gradient.js';
import type { Route, Separation, ShapePoses } from '../route.js';
import type { BarSums } from './bar-sums.js';
import { CylinderCylinder } from './cylinder-cylinder.js';
import { FOUND, ParallelCylinders } from './parallel-cylinders.js';

/** Rounding of a vector area that is zero, over the area summed up */
const NO_DIRECTION = 1e-12;
/** 2V/|S| is limited only where it is greater than twice the extent by more than rounding. */
const ROUNDING = 1e-9;

interface Size {
  readonly radius: number;
  readonly height: number;
}

/**
 * The route of two cylinders, undefined if the two are not that.
 *
 * @param ia, ib the shapes' places in the poses
 * @example const route = cylinderCylinderRoute(cylinder({ radius: 0.05, height: 0.1 }), cylinder({ radius: 0.02, height: 0.3 }), 0, 1);
 */
export function cylinderCylinderRoute(a: Solid, b: Solid, ia: number, ib: number): Route | undefined {
  if (a.form.kind !== 'cylinder' || b.form.kind !== 'cylinder') return undefined;
  const facetedA = prepareConvex(a);
  const facetedB = prepareConvex(b);
  if (!facetedA || !facetedB) return undefined;
  return new CylinderCylinderRoute(new ConvexRoute(facetedA, facetedB, ia, ib), ia, ib, a.form, b.form);
}

export class CylinderCylinderRoute implements Route {
  readonly name = 'cylinder–cylinder';
  readonly mostRegions = 1;
  readonly costly = true;
  readonly curvature = 0;
  readonly patches = true;
  readonly roller: number;
  private readonly parallel: ParallelCylinders;
  private readonly general: CylinderCylinder;
  private readonly distance: ConvexDistance;
  /** A as seen from B; and B's axes in the world */
  private readonly relative = new RelativePose();
  private readonly rotation = new Float64Array(9);
  private readonly faces = new Float64Array(6);

  /** @param deep for what has no direction or is too deep for one */
  constructor(
    private readonly deep: Route,
    readonly a: number,
    readonly b: number,
    sizeA: Size,
    sizeB: Size,
  ) {
    this.roller = b;
    const [halfA, halfB] = [0.5 * sizeA.height, 0.5 * sizeB.height];
    this.parallel = new ParallelCylinders(sizeA.radius, halfA, sizeB.radius, halfB);
    this.general = new CylinderCylinder(sizeA.radius, halfA, sizeB.radius, halfB);
    this.distance = new ConvexDistance(
      new CylinderSupport(sizeA.radius, halfA),
      new CylinderSupport(sizeB.radius, halfB),
    );
  }

  separate(poses: ShapePoses, out: Separation): void {
    this.distance.evaluate(poses, this.a, this.b, out);
  }

  find(poses: ShapePoses, pair: number, patches: ContactPatches, gradients: boolean): void {
    const { deep, b } = this;
    const overlap = this.evaluate(poses, gradients ? gradient : undefined);
    if (!overlap) return;
    const [sx, sy, sz] = overlap.vectorA;
    const size = Math.sqrt(sx * sx + sy * sy + sz * sz);
    const extent = size > 0 ? overlap.extent(sx / size, sy / size, sz / size) : 0;
    if (
      !(size > NO_DIRECTION * (overlap.areaA + overlap.areaB)) ||
      !(overlap.volume <= (1 + ROUNDING) * size * (extent + overlap.slack))
    ) {
      deep.find(poses, pair, patches, gradients);
      return;
    }
    for (let k = 0; k < 9; k++) this.rotation[k] = poses.rotation[9 * b + k];
    const row = appendOverlap(overlap, pair, patches, size, extent, gradients ? gradient : undefined, {
      origin: overlap.origin,
      rotation: this.rotation,
      position: poses.position,
      at: 3 * b,
    });
    this.flatten(overlap, poses, patches, row, gradients);
  }

  /** Sums over the overlap: of a drawn lens where the axes are nearly parallel, else the general ones; undefined if there is none */
  private evaluate(poses: ShapePoses, sums: OverlapGradient | undefined): BarSums | undefined {
    const { relative, parallel, general } = this;
    relative.set(poses, this.b, this.a);
    if (sums) {
      sums.begin(1);
      sums.setOrigin(0, NOWHERE, 0);
    }
    const found = parallel.evaluate(relative.rotation_AB, relative.position_AB, sums);
    if (found === FOUND.overlap) return parallel;
    if (found === FOUND.apart) return undefined;
    return general.evaluate(relative.rotation_AB, relative.position_AB, sums) ? general : undefined;
  }

  /** End on end the normal is that of A's end: where sides are flush, S would jump by them. */
  private flatten(
    overlap: BarSums,
    { rotation }: ShapePoses,
    patches: ContactPatches,
    row: number,
    gradients: boolean,
  ): void {
    const { faces, a } = this;
    const { mostFace, mostEnd, mostFaceArea, mostEndArea } = overlap;
    if (mostFace < 0 || mostEnd < 0) return;
    for (let k = 0; k < 3; k++) {
      const along = rotation[9 * a + 3 * k + 2];
      faces[k] = mostFace === 0 ? 0 - along : along;
      faces[3 + k] = 0 - faces[k];
    }
    const rest = overlap.areaA / mostFaceArea - 1 + (overlap.areaB / mostEndArea - 1);
    preferFaces(patches, row, rest, faces, gradients, false);
  }
}

/** Scratch for all pairs: evaluations come one after the other and remember nothing. */
const gradient = new OverlapGradient();
const NOWHERE = new Float64Array(3);
