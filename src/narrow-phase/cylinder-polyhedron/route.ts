/** The route of a cylinder and a convex solid with flat faces. */
import type { Solid } from '../../geometry/solid.js';
import type { ContactPatches } from '../contact-patches.js';
import { ConvexRoute, type ConvexSolid, preferFaces, prepareConvex } from '../convex-overlap/index.js';
import { ConvexDistance, CylinderSupport, RelativePose } from '../distance/index.js';
import { OverlapGradient } from '../overlap-gradient.js';
import type { Route, Separation, ShapePoses } from '../route.js';
import { edgesOf } from './cylinder-corners.js';
import { CylinderPolyhedron } from './cylinder-polyhedron.js';
import { appendOverlap } from './overlap-row.js';

/** Most faces of the polyhedron; the time goes with it, and beyond it facets are as small as those of a drawn cylinder. */
const MOST_FACES = 256;
/** Rounding of a vector area that is zero, over the area summed up */
const NO_DIRECTION = 1e-12;
/** 2V/|S| is limited only where it is greater than twice the extent by more than rounding: flat on its end a disc has just that. */
const ROUNDING = 1e-9;

/**
 * The route of a cylinder and a convex polyhedron in either order, undefined if the two are not that. A is the polyhedron.
 *
 * @param ia, ib the shapes' places in the poses
 * @example const route = cylinderPolyhedronRoute(box(0.1), cylinder({ radius: 0.05, height: 0.1 }), 0, 1);
 */
export function cylinderPolyhedronRoute(a: Solid, b: Solid, ia: number, ib: number): Route | undefined {
  return inOrder(a, b, ia, ib) ?? inOrder(b, a, ib, ia);
}

/** Forms whose faces are flat: those that a mesh draws exactly */
const FLAT: readonly string[] = ['box', 'extrusion', 'mesh'];

function inOrder(a: Solid, b: Solid, ia: number, ib: number): Route | undefined {
  if (b.form.kind !== 'cylinder' || !FLAT.includes(a.form.kind)) return undefined;
  const polyhedron = prepareConvex(a);
  const faceted = prepareConvex(b);
  if (!polyhedron || !faceted || polyhedron.faceCount > MOST_FACES) return undefined;
  return new CylinderPolyhedronRoute(polyhedron, faceted, ia, ib, b.form.radius, b.form.height);
}

export class CylinderPolyhedronRoute implements Route {
  readonly name = 'polyhedron–cylinder';
  readonly mostRegions = 1;
  readonly costly = true;
  readonly curvature = 0;
  readonly patches = true;
  readonly roller: number;
  private readonly overlap: CylinderPolyhedron;
  private readonly distance: ConvexDistance;
  /** For what has no direction or is too deep for one */
  private readonly deep: ConvexRoute;
  /** A as seen from the cylinder; and from the turned axes to the world's */
  private readonly relative = new RelativePose();
  private readonly rotation = new Float64Array(9);
  private readonly origin = new Float64Array(3);
  private readonly faces = new Float64Array(6);

  constructor(
    private readonly polyhedron: ConvexSolid,
    faceted: ConvexSolid,
    readonly a: number,
    readonly b: number,
    radius: number,
    height: number,
  ) {
    this.roller = b;
    this.overlap = new CylinderPolyhedron(polyhedron, edgesOf(polyhedron), radius, 0.5 * height);
    this.distance = new ConvexDistance(polyhedron.support, new CylinderSupport(radius, 0.5 * height));
    this.deep = new ConvexRoute(polyhedron, faceted, a, b);
  }

  separate(poses: ShapePoses, out: Separation): void {
    this.distance.evaluate(poses, this.a, this.b, out);
  }

  find(poses: ShapePoses, pair: number, patches: ContactPatches, gradients: boolean): void {
    const { overlap, deep } = this;
    const { rotation_AB, position_AB } = this.relative;
    this.relative.set(poses, this.b, this.a);
    if (gradients) {
      gradient.begin(1);
      gradient.setOrigin(0, NOWHERE, 0);
    }
    if (!overlap.evaluate(rotation_AB, position_AB, gradients ? gradient : undefined)) {
      if (overlap.isContained) deep.find(poses, pair, patches, gradients);
      return;
    }
    const [sx, sy, sz] = overlap.vectorA;
    const size = Math.sqrt(sx * sx + sy * sy + sz * sz);
    const extent = size > 0 ? overlap.extent(sx / size, sy / size, sz / size) : 0;
    if (
      !(size > NO_DIRECTION * (overlap.areaA + overlap.areaB)) ||
      !(overlap.volume <= (1 + ROUNDING) * size * extent)
    ) {
      deep.find(poses, pair, patches, gradients);
      return;
    }
    this.append(poses, pair, patches, size, extent, gradients);
  }

  private append(
    poses: ShapePoses,
    pair: number,
    patches: ContactPatches,
    size: number,
    extent: number,
    gradients: boolean,
  ): void {
    const { overlap, origin } = this;
    origin[0] = overlap.b;
    origin[2] = overlap.oz;
    this.turnedAxes(poses);
    const row = appendOverlap(overlap, pair, patches, size, extent, gradients ? gradient : undefined, {
      origin,
      rotation: this.rotation,
      position: poses.position,
      at: 3 * this.b,
    });
    this.flatten(poses, patches, row, gradients);
  }

  /**
   * Face on face the normal is that of A's face, whose S it is alone as long as A's sides are outside: where they are flush with a disc, S would
   * jump by them. The other face, B's, may lean by what the disc is deep.
   */
  private flatten({ rotation }: ShapePoses, patches: ContactPatches, row: number, gradients: boolean): void {
    const { overlap, polyhedron, faces, a } = this;
    const { mostFace, mostEnd, mostFaceArea, mostEndArea } = overlap;
    if (mostFace < 0 || mostEnd < 0) return;
    const { normals } = polyhedron;
    const n = 3 * mostFace;
    for (let k = 0; k < 3; k++) {
      const r = 9 * a + 3 * k;
      faces[k] = rotation[r] * normals[n] + rotation[r + 1] * normals[n + 1] + rotation[r + 2] * normals[n + 2];
      faces[3 + k] = 0 - faces[k];
    }
    const rest = overlap.areaA / mostFaceArea - 1 + (overlap.areaB / mostEndArea - 1);
    preferFaces(patches, row, rest, faces, gradients, false);
  }

  /** From the turned axes to the world's */
  private turnedAxes({ rotation: given }: ShapePoses): void {
    const { overlap, rotation, b } = this;
    const { turnCos: c, turnSin: s } = overlap;
    for (let k = 0; k < 3; k++) {
      const x = given[9 * b + 3 * k];
      const y = given[9 * b + 3 * k + 1];
      rotation[3 * k] = c * x + s * y;
      rotation[3 * k + 1] = c * y - s * x;
      rotation[3 * k + 2] = given[9 * b + 3 * k + 2];
    }
  }
}

/** Scratch for all pairs: evaluations come one after the other and remember nothing. */
const gradient = new OverlapGradient();
const NOWHERE = new Float64Array(3);
