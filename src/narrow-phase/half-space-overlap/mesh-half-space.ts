/**
 * Any closed mesh and a half-space: volume, patch and gradient of what is below the plane, body by body, as the four feet of a table are
 * four. Cost in proportion to the surface below the plane.
 */
import type { ContactPatches, DepthMeasure } from '../contact-patches.js';
import { SUM, SurfaceSums } from '../convex-overlap/index.js';
import { CornerSupport } from '../distance/index.js';
import type { MeshTopology } from '../mesh-overlap/index.js';
import { OverlapGradient } from '../overlap-gradient.js';
import type { Route, Separation, ShapePoses } from '../route.js';
import { PieceJoining } from './piece-joining.js';
import { PlaneFrame } from './plane-frame.js';
import { SubmergedSurface } from './submerged-surface.js';

export class MeshHalfSpace implements Route {
  readonly name = 'half-space–mesh';
  readonly mostRegions = Number.POSITIVE_INFINITY;
  readonly curvature = 0;
  readonly patches = true;
  private readonly frame: PlaneFrame;
  private readonly surface: SubmergedSurface;
  private readonly joining = new PieceJoining();
  private readonly sums = new SurfaceSums();
  private readonly gradient = new OverlapGradient();
  private readonly isCavity: Uint8Array;
  private readonly hasCavities: boolean;
  /** one per vertex, valid for roots: the region, if the stamp is right */
  private readonly regionOf: Int32Array;
  private readonly regionStamp: Int32Array;
  private count = 0;
  /** 4 per region: apex of its cap (−1 without one), lowest corner, highest corner (places in points / 3), least triangle */
  private marks = new Int32Array(16);

  /** @param a, b places of the half-space and of the solid in the poses */
  constructor(
    private readonly topology: MeshTopology,
    readonly a: number,
    readonly b: number,
    depth: DepthMeasure = 'volume',
  ) {
    const { vertices } = topology.mesh;
    this.frame = new PlaneFrame(new CornerSupport(vertices), depth);
    this.surface = new SubmergedSurface(topology);
    this.regionOf = new Int32Array(vertices.length / 3);
    this.regionStamp = new Int32Array(vertices.length / 3);
    this.isCavity = inwardShells(topology);
    this.hasCavities = this.isCavity.includes(1);
  }

  separate(poses: ShapePoses, out: Separation): void {
    this.frame.separate(poses, this.a, this.b, out);
  }

  find(poses: ShapePoses, pair: number, patches: ContactPatches, gradients: boolean): void {
    const { frame, surface, sums } = this;
    if (!frame.set(poses, this.a, this.b)) return;
    surface.find(frame);
    if (this.numberRegions() > 1) {
      // pieces that are one body although no edge says so
      this.joining.joinRims(surface, frame);
      if (this.hasCavities) this.joining.joinCavities(surface, frame, this.isCavity);
      this.numberRegions();
    }
    const gradient = gradients ? this.gradient : undefined;
    sums.begin(this.count);
    gradient?.begin(this.count);
    this.mark(gradient);
    this.addTriangles(gradient, gradients);
    this.addCaps(gradient);
    let region = 0;
    for (let k = 0; k < this.count; k++) {
      if (!(sums.sums[SUM.length * k + SUM.volume] > 0)) continue;
      const row = patches.add(pair, region++);
      const { marks } = this;
      patches.feature[2 * row] = 0;
      patches.feature[2 * row + 1] = marks[4 * k + 3];
      const crossed = marks[4 * k] >= 0;
      const low = 3 * marks[4 * k + 1];
      const high = 3 * marks[4 * k + 2];
      frame.append(k, sums, gradient, poses, this.b, patches, row, crossed, surface.points, low, high);
    }
  }

  /** Gives every connected piece a number, in the order of its first triangle; returns how many there are. */
  private numberRegions(): number {
    const { surface, regionOf, regionStamp } = this;
    const { wet, wetCount, stamp } = surface;
    this.count = 0;
    for (let i = 0; i < wetCount; i++) regionStamp[surface.pieceOf(wet[i])] = 0;
    for (let i = 0; i < wetCount; i++) {
      const root = surface.pieceOf(wet[i]);
      if (regionStamp[root] === stamp) continue;
      regionStamp[root] = stamp;
      regionOf[root] = this.count++;
    }
    return this.count;
  }

  /** Origins and extreme corners of the regions. */
  private mark(gradient: OverlapGradient | undefined): void {
    const { surface, regionOf, sums, topology } = this;
    const { wet, wetCount, cuts, cutCount, points, height } = surface;
    const { triangles } = topology.mesh;
    if (this.marks.length < 4 * this.count) this.marks = new Int32Array(8 * this.count);
    const { marks } = this;
    marks.fill(-1, 0, 4 * this.count);
    for (let i = 0; i < cutCount; i++) {
      const k = 4 * regionOf[surface.pieceOf(cuts[3 * i + 2])];
      if (marks[k] < 0) marks[k] = cuts[3 * i];
    }
    for (let i = 0; i < wetCount; i++) {
      const t = wet[i];
      const k = 4 * regionOf[surface.pieceOf(t)];
      if (marks[k + 3] < 0 || t < marks[k + 3]) marks[k + 3] = t;
      for (let h = 3 * t; h < 3 * t + 3; h++) {
        const v = triangles[h];
        if (!(height[v] < 0)) continue;
        if (marks[k + 1] < 0 || height[v] < height[marks[k + 1]]) marks[k + 1] = v;
        if (marks[k + 2] < 0 || height[v] > height[marks[k + 2]]) marks[k + 2] = v;
      }
    }
    for (let k = 0; k < this.count; k++) {
      const origin = 3 * (marks[4 * k] >= 0 ? marks[4 * k] : marks[4 * k + 1]);
      sums.setOrigin(k, points, origin);
      gradient?.setOrigin(k, points, origin);
    }
  }

  /** The wet parts of B's triangles. */
  private addTriangles(gradient: OverlapGradient | undefined, moments: boolean): void {
    const { surface, regionOf, sums, topology } = this;
    const { wet, wetCount, points, height } = surface;
    const { normals, edgeOf, mesh } = topology;
    const { triangles } = mesh;
    for (let i = 0; i < wetCount; i++) {
      const t = wet[i];
      const h = 3 * t;
      // turn it so that its first corner is wet and the one before is dry, if any is
      let k = 0;
      while (k < 2 && !(height[triangles[h + k]] < 0 && height[triangles[h + (k === 0 ? 2 : k - 1)]] >= 0)) k++;
      const v0 = triangles[h + k];
      const v1 = triangles[h + ((k + 1) % 3)];
      const v2 = triangles[h + ((k + 2) % 3)];
      const region = regionOf[surface.pieceOf(t)];
      sums.startFace(region, false, normals, h, points, 3 * v0, moments);
      if (height[v2] < 0) sums.addTriangle(points, 3 * v0, 3 * v1, 3 * v2);
      else {
        const last = surface.crossingOf(edgeOf[h + ((k + 2) % 3)]);
        if (height[v1] < 0) {
          const next = surface.crossingOf(edgeOf[h + ((k + 1) % 3)]);
          sums.addTriangle(points, 3 * v0, 3 * v1, 3 * next);
          sums.addTriangle(points, 3 * v0, 3 * next, 3 * last);
        } else sums.addTriangle(points, 3 * v0, 3 * surface.crossingOf(edgeOf[h + k]), 3 * last);
      }
      sums.endFace(region, gradient);
    }
  }

  /** The caps, A's surface inside B, as triangles from one point of each region's rim to every cut. */
  private addCaps(gradient: OverlapGradient | undefined): void {
    const { surface, regionOf, sums, topology, marks, frame } = this;
    const { cuts, cutCount, points } = surface;
    for (let i = 0; i < cutCount; i++) {
      const t = cuts[3 * i + 2];
      const region = regionOf[surface.pieceOf(t)];
      const apex = 3 * marks[4 * region];
      const p = 3 * cuts[3 * i];
      const q = 3 * cuts[3 * i + 1];
      sums.startFace(region, true, frame.normal, 0, points, apex, true);
      sums.addTriangle(points, apex, p, q);
      sums.endFace(region, undefined);
      gradient?.addSegment(region, frame.normal, 0, topology.normals, 3 * t, points, p, q);
    }
  }
}

/** One per shell: 1 if its triangles face inward, that is if it bounds a cavity. */
function inwardShells({ mesh, shellOf, shellVertex }: MeshTopology): Uint8Array {
  const { vertices, triangles } = mesh;
  const volume = new Float64Array(shellVertex.length);
  for (let h = 0; h < triangles.length; h += 3) {
    const shell = shellOf[triangles[h]];
    const o = 3 * shellVertex[shell];
    const [a, b, c] = [0, 1, 2].map((k) => [0, 1, 2].map((l) => vertices[3 * triangles[h + k] + l] - vertices[o + l]));
    volume[shell] +=
      a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return Uint8Array.from(volume, (v) => (v < 0 ? 1 : 0));
}
