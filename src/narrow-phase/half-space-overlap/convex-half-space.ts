/** A convex solid and a half-space: the solid is cut by one plane. One region, always. */
import type { ContactPatches, DepthMeasure } from '../contact-patches.js';
import { type ConvexSolid, PolytopeClip, SUM, SurfaceSums } from '../convex-overlap/index.js';
import { OverlapGradient } from '../overlap-gradient.js';
import type { Route, Separation, ShapePoses } from '../route.js';
import { PlaneFrame } from './plane-frame.js';

/** Rounding of a corner's height over the plane, over the size of the solid. */
const ROUNDING = 4.5e-16;

// Scratch for all pairs: evaluations come one after the other and remember nothing.
const clip = new PolytopeClip();
const surface = new SurfaceSums();
const overlapGradient = new OverlapGradient();

export class ConvexHalfSpace implements Route {
  readonly name = 'half-space–convex';
  readonly mostRegions = 1;
  readonly costly = true;
  readonly curvature = 0;
  readonly patches = true;
  private readonly frame: PlaneFrame;

  /** @param a, b places of the half-space and of the solid in the poses */
  constructor(
    private readonly solid: ConvexSolid,
    readonly a: number,
    readonly b: number,
    depth: DepthMeasure = 'volume',
  ) {
    this.frame = new PlaneFrame(solid.support, depth);
  }

  separate(poses: ShapePoses, out: Separation): void {
    this.frame.separate(poses, this.a, this.b, out);
  }

  find(poses: ShapePoses, pair: number, patches: ContactPatches, gradients: boolean): void {
    const { frame, solid } = this;
    if (!frame.set(poses, this.a, this.b)) return;
    const own = solid.faceCount;
    clip.begin(solid, 1, frame.origin);
    const { normals } = clip;
    for (let k = 0; k < 3; k++) normals[3 * own + k] = frame.normal[k];
    clip.offsets[own] = 0 - frame.originHeight;
    const { middle } = solid;
    clip.tolerance = ROUNDING * (solid.size + Math.abs(middle[0]) + Math.abs(middle[1]) + Math.abs(middle[2]));
    if (!clip.cut(own)) return;
    clip.finish();

    // sums over the faces left: B's own, and the cap, which is A's
    const gradient = gradients ? overlapGradient : undefined;
    const { points, edges, face, edgeStart, edgeEnd, live } = clip;
    const origin = 3 * edges[edgeStart[face[clip.faceCount - 1]]]; // of the cap, if there is one
    surface.begin(1);
    surface.setOrigin(0, points, origin);
    gradient?.begin(1);
    gradient?.setOrigin(0, points, origin);
    let crossed = false;
    let most = 0;
    let feature = -1;
    for (let f = 0; f < clip.faceCount; f++) {
      const n = 3 * face[f];
      const isA = face[f] === own;
      const end = edgeEnd[face[f]];
      const apex = 3 * edges[edgeStart[face[f]]];
      surface.startFace(0, isA, normals, n, points, apex, gradients);
      for (let e = edgeStart[face[f]]; e < end; e += 3) {
        const p = 3 * edges[e];
        const q = 3 * edges[e + 1];
        if (p !== apex && q !== apex) surface.addTriangle(points, apex, p, q);
        if (!isA && edges[e + 2] >= 0) {
          crossed = true;
          gradient?.addSegment(0, normals, 3 * own, normals, n, points, p, q);
        }
      }
      surface.endFace(0, gradient);
      if (!isA && surface.faceArea > most) {
        most = surface.faceArea;
        feature = face[f];
      }
    }
    if (!(surface.sums[SUM.volume] > 0)) return;

    // lowest and highest corner
    const nx = frame.normal[0];
    const ny = frame.normal[1];
    const nz = frame.normal[2];
    let low = 3 * live[0];
    let high = low;
    let bottom = Infinity;
    let top = -Infinity;
    for (let i = 0; i < clip.liveCount; i++) {
      const v = 3 * live[i];
      const h = nx * points[v] + ny * points[v + 1] + nz * points[v + 2];
      if (h < bottom) {
        bottom = h;
        low = v;
      }
      if (h > top) {
        top = h;
        high = v;
      }
    }
    const row = patches.add(pair, 0);
    patches.feature[2 * row] = 0;
    patches.feature[2 * row + 1] = feature;
    frame.append(0, surface, gradient, poses, this.b, patches, row, crossed, points, low, high);
  }
}
