/**
 * Gradients of the regions of a mesh overlap: hands faces, cuts and corners to `OverlapGradient` (../overlap-gradient.ts), where the
 * formulas are. Asked for only where a step matrix is wanted; costs about as much as the sums.
 */
import { type ContactPatches, GRADIENT, PATCH } from '../contact-patches.js';
import { finishCentreLine, finishExtent, OverlapGradient } from '../overlap-gradient.js';
import { turn } from '../turn.js';
import type { OverlapBody } from './overlap-body.js';
import type { OverlapCurves } from './overlap-curves.js';
import { type RegionSums, SUM } from './region-sums.js';

export class RegionGradient {
  private readonly sums = new OverlapGradient();
  private readonly normalB = new Float64Array(3);
  /** see `finishExtent` and `finishCentreLine` */
  private readonly corners = new Float64Array(12);
  readonly line = new Float64Array(6);
  private readonly centroid = new Float64Array(3);

  constructor(
    private readonly a: OverlapBody,
    private readonly b: OverlapBody,
    private readonly curves: OverlapCurves,
    private readonly regions: RegionSums,
  ) {}

  /** Sums over the last evaluation, when cavities have been added to what they are in. */
  begin(): void {
    const { sums, a, b, curves, regions, normalB } = this;
    sums.begin(regions.count);
    for (let place = 0; place < regions.count; place++)
      sums.setOrigin(place, regions.sums, SUM.length * place + SUM.origin);
    regions.addFaces(b, sums);
    const { segments, points, region } = curves;
    const normalsA = a.topology.normals;
    for (let s = 0; s < curves.segmentCount; s++) {
      const start = segments[4 * s];
      placeNormal(b, segments[4 * s + 3], normalB);
      sums.addSegment(
        region[start],
        normalsA,
        3 * segments[4 * s + 2],
        normalB,
        0,
        points,
        3 * start,
        3 * segments[4 * s + 1],
      );
    }
  }

  /**
   * Notes the highest and the lowest corner of a region along its normal, both still in A's axes, for a depth that is its extent.
   *
   * @param normal, n   at normal[n …]
   * @param centroid, c relative to the region's origin, at centroid[c …], m
   */
  noteCorners(
    place: number,
    highest: number,
    lowest: number,
    normal: Float64Array,
    centroid: Float64Array,
    at: number,
  ): void {
    const { corners, curves } = this;
    const origin = SUM.length * place + SUM.origin;
    for (let k = 0; k < 3; k++) {
      const centre = this.regions.sums[origin + k] + centroid[at + k];
      corners[k] = curves.points[3 * highest + k] - centre;
      corners[6 + k] = curves.points[3 * lowest + k] - centre;
    }
    this.noteMotion(highest, normal, at, 3);
    this.noteMotion(lowest, normal, at, 9);
  }

  /** w of a corner, such that n · dp = w · u(p); see `finishExtent`. */
  private noteMotion(node: number, normal: Float64Array, n: number, into: number): void {
    const { corners, curves, a, b, normalB } = this;
    if (node >= curves.crossingCount) {
      // vertices of A were made nodes first
      const ofB = node - curves.crossingCount >= a.insideCount;
      for (let k = 0; k < 3; k++) corners[into + k] = ofB ? normal[n + k] : 0;
      return;
    }
    const label = curves.edge[node];
    const ofA = label >= 0;
    const body = ofA ? a : b;
    const edge = ofA ? label : ~label;
    const lo = 3 * body.topology.edgeVertices[2 * edge];
    const hi = 3 * body.topology.edgeVertices[2 * edge + 1];
    placeNormal(ofA ? b : a, curves.pierced[node], normalB);
    let along = 0;
    let across = 0;
    for (let k = 0; k < 3; k++) {
      const e = body.points[hi + k] - body.points[lo + k];
      along += e * normal[n + k];
      across += e * normalB[k];
    }
    const slide = across !== 0 ? along / across : 0;
    for (let k = 0; k < 3; k++) corners[into + k] = ofA ? slide * normalB[k] : normal[n + k] - slide * normalB[k];
  }

  /**
   * Writes the gradient of a row that is filled, in world axes.
   *
   * @param factor   0 if the depth is 2V/|S|, else depth = factor × extent, and the corners have been noted
   * @param rotation 9: from A's axes to the world's
   */
  finish(patches: ContactPatches, row: number, place: number, factor: number, rotation: Float64Array): void {
    const { centroid, regions, corners } = this;
    const at = SUM.length * place;
    for (let k = 0; k < 3; k++) centroid[k] = regions.sums[at + SUM.volumeFirst + k] / regions.sums[at + SUM.volume];
    this.sums.finish(place, patches, row, centroid, 0, rotation);
    if ((patches.flags[row] & PATCH.contained) !== 0) {
      // |S| = 0 has no derivative
      const g = 54 * row + GRADIENT.vectorArea;
      patches.gradient.fill(0, g, g + 6);
      finishCentreLine(patches, row, this.line);
    }
    if (factor === 0) return;
    for (let k = 0; k < 12; k += 3) turn(rotation, corners, k);
    finishExtent(patches, row, corners, factor);
  }
}

/** Unit normal of a triangle in the axes of the evaluation. */
function placeNormal(body: OverlapBody, triangle: number, into: Float64Array): void {
  const { normals } = body.topology;
  for (let k = 0; k < 3; k++) into[k] = normals[3 * triangle + k];
  turn(body.rotation, into, 0);
}
