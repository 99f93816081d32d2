/**
 * Gradients of the regions of a plane overlap, by the formulas of ../overlap-gradient.ts: B's outline inside A is a row of upright walls, a
 * crossing of outlines an upright cut as long as the common height h. In the plane a crossing p of A's edge e with B's edge slides along e,
 *
 *   dp = e (n_B · u)/(n_B · e),     S = Σ (Δy, −Δx) over A's runs,     dS follows from the dp at their ends
 *
 * which is what the cuts of length h give as well: l/sin θ n_A (n_B · u). Edges closer to parallel than 1e-9 are left out. Of arcs the
 * tangents count where they cross; and a run of B along an arc is its chord plus the circular segment between, by Gauss' theorem.
 *
 * Only motions in the plane change anything to first order: a tilt moves B's walls oppositely above and below the middle. Along the axis S is
 * zero by definition, since caps carry no normal, and so are the derivatives by that displacement; only the centroid's height
 * follows the common middle.
 */
import { type ContactPatches, GRADIENT, PATCH } from '../contact-patches.js';
import { FACE, finishCentreLine, finishExtent, OverlapGradient } from '../overlap-gradient.js';
import { turn } from '../turn.js';
import { SEGMENT } from './circular-segment.js';
import type { EdgeCrossings } from './edge-crossing.js';
import type { InsideRuns } from './inside-runs.js';
import type { LoopBody } from './loop-body.js';
import { POINT, type RunSums, SUM } from './run-sums.js';

export class RunGradient {
  private readonly sums = new OverlapGradient();
  private readonly face = new Float64Array(FACE.length);
  /** 3 each: normals of A's and B's edge */
  private readonly normals = new Float64Array(6);
  /** 6: ends of a cut; 3: origin or centroid, z from the middle of the common height */
  private readonly cut = new Float64Array(6);
  private readonly point = new Float64Array(3);
  /** see `finishExtent` and `finishCentreLine` */
  private readonly corners = new Float64Array(12);
  readonly line = new Float64Array(6);
  private height = 0;

  constructor(
    private readonly a: LoopBody,
    private readonly b: LoopBody,
    private readonly crossings: EdgeCrossings,
    private readonly inside: InsideRuns,
    private readonly regions: RunSums,
  ) {}

  /** Sums over the last evaluation, when holes have been added to what they are in. @param height common, m */
  begin(height: number): void {
    const { sums, regions, crossings, inside, normals, cut, point } = this;
    this.height = height;
    sums.begin(regions.places);
    for (let at = 0; at < regions.places; at++) {
      point[0] = regions.sums[SUM.count * at + SUM.origin];
      point[1] = regions.sums[SUM.count * at + SUM.origin + 1];
      point[2] = 0;
      sums.setOrigin(at, point, 0);
    }
    for (let node = 0; node < regions.crossed; node++) {
      this.crossingNormals(node);
      cut[0] = cut[3] = crossings.points[2 * node];
      cut[1] = cut[4] = crossings.points[2 * node + 1];
      cut[2] = -0.5 * height;
      cut[5] = 0.5 * height;
      sums.addSegment(crossings.region[node], normals, 0, normals, 3, cut, 0, 3);
    }
    for (let k = 0; k < inside.count; k++) if ((inside.runs[5 * k] & 1) === 1) this.addRun(k);
  }

  /** Unit normals out of A and B at a crossing. */
  private crossingNormals(node: number): void {
    const { edge, points } = this.crossings;
    this.edgeNormal(this.a, edge[2 * node], points[2 * node], points[2 * node + 1], 0);
    this.edgeNormal(this.b, edge[2 * node + 1], points[2 * node], points[2 * node + 1], 3);
  }

  /** Unit normal out of an edge at (x, y): −∇F of arc-side.ts, which for a line is the same everywhere. */
  private edgeNormal(body: LoopBody, edge: number, x: number, y: number, into: number): void {
    const p = 2 * edge;
    const q = 2 * body.loops.next[edge];
    let dx = body.points[q] - body.points[p];
    let dy = body.points[q + 1] - body.points[p + 1];
    const s = body.loops.sine[edge];
    if (s !== 0) {
      const c = body.loops.cosine[edge];
      dx = c * dx - s * (2 * y - body.points[p + 1] - body.points[q + 1]);
      dy = c * dy + s * (2 * x - body.points[p] - body.points[q]);
    }
    const length = Math.sqrt(dx * dx + dy * dy);
    this.normals[into] = length > 0 ? dy / length : 0;
    this.normals[into + 1] = length > 0 ? (0 - dx) / length : 0;
  }

  /** Walls of a run of B's outline. */
  private addRun(k: number): void {
    const { crossings, regions, sums } = this;
    const { pieces } = regions;
    const at = crossings.region[this.inside.runs[5 * k + 1]];
    pieces.begin(k, regions.sums[SUM.count * at + SUM.origin], regions.sums[SUM.count * at + SUM.origin + 1]);
    while (pieces.next()) {
      const { px, py, qx, qy } = pieces;
      this.addWall(at, px, py, qx, qy);
      if (!pieces.isArc()) continue;
      const dx = qx - px;
      const dy = qy - py;
      const chord = Math.sqrt(dx * dx + dy * dy);
      if (!(chord > 0)) continue;
      pieces.setSegment(chord);
      // against its edge: the chord turned round, less the segment, which lies on its left
      const sign = pieces.backward ? -this.height : this.height;
      const area = sign * pieces.segment[SEGMENT.area];
      const rise = (this.height * pieces.segment[SEGMENT.rise]) / chord;
      sums.addPrismB(at, area, 0.5 * area * (px + qx) + rise * dy, 0.5 * area * (py + qy) - rise * dx);
    }
  }

  private addWall(at: number, px: number, py: number, qx: number, qy: number): void {
    const { face, height } = this;
    const dx = qx - px;
    const dy = qy - py;
    const length = Math.sqrt(dx * dx + dy * dy);
    if (!(length > 0)) return;
    const area = length * height;
    face[FACE.normal] = dy / length;
    face[FACE.normal + 1] = (0 - dx) / length;
    face[FACE.first] = 0.5 * area * (px + qx);
    face[FACE.first + 1] = 0.5 * area * (py + qy);
    face[FACE.second] = (area / 3) * (px * px + px * qx + qx * qx);
    face[FACE.second + 1] = (area / 3) * (py * py + py * qy + qy * qy);
    face[FACE.second + 2] = (area * height * height) / 12;
    face[FACE.second + 3] = (area / 3) * (px * py + 0.5 * (px * qy + qx * py) + qx * qy);
    this.sums.addFaceB(at, face);
  }

  /** The highest and the lowest point of a region along its normal, still in A's axes; see `finishExtent`. */
  noteCorners(region: number, normal: Float64Array, n: number): void {
    this.noteCorner(region, this.regions.highest[region], normal, n, 0);
    this.noteCorner(region, this.regions.lowest[region], normal, n, 6);
  }

  private noteCorner(region: number, point: number, normal: Float64Array, n: number, into: number): void {
    const { corners, regions, normals } = this;
    const s = SUM.count * regions.place[region];
    const from = 4 * region + (into === 0 ? 2 : 0);
    for (let k = 0; k < 2; k++) {
      const centroid = regions.sums[s + SUM.origin + k] + regions.sums[s + SUM.first + k] / regions.sums[s];
      corners[into + k] = regions.reached[from + k] - centroid;
    }
    corners[into + 2] = corners[into + 5] = 0;
    if (point < 0) {
      for (let k = 0; k < 2; k++) corners[into + 3 + k] = point === POINT.ofA ? 0 : normal[n + k];
      return;
    }
    this.crossingNormals(point);
    // A's edge runs along (−n_y, n_x)
    const across = normals[0] * normals[4] - normals[1] * normals[3];
    const slide = across !== 0 ? (normals[0] * normal[n + 1] - normals[1] * normal[n]) / across : 0;
    corners[into + 3] = slide * normals[3];
    corners[into + 4] = slide * normals[4];
  }

  /**
   * Writes the gradient of a row that is filled, in world axes.
   *
   * @param factor     0 if the depth is 2V/|S|, else depth = factor × extent, and the corners have been noted
   * @param rotation   9: from A's axes to the world's
   * @param middleRate d(middle)/d(height of B)
   */
  finish(
    patches: ContactPatches,
    row: number,
    place: number,
    factor: number,
    rotation: Float64Array,
    middleRate: number,
  ): void {
    const { point, regions, corners } = this;
    const s = SUM.count * place;
    point[0] = regions.sums[s + SUM.first] / regions.sums[s];
    point[1] = regions.sums[s + SUM.first + 1] / regions.sums[s];
    point[2] = 0;
    this.sums.finish(place, patches, row, point, 0, rotation);
    const { gradient } = patches;
    const g = 54 * row;
    for (let k = 0; k < 3; k++)
      for (let l = 0; l < 3; l++)
        gradient[g + GRADIENT.centroid + 6 * k + l] += middleRate * rotation[3 * k + 2] * rotation[3 * l + 2];
    if ((patches.flags[row] & PATCH.contained) !== 0) {
      gradient.fill(0, g + GRADIENT.vectorArea, g + GRADIENT.vectorArea + 6);
      finishCentreLine(patches, row, this.line);
    }
    if (factor === 0) return;
    for (let k = 0; k < 12; k += 3) turn(rotation, corners, k);
    finishExtent(patches, row, corners, factor);
  }
}
