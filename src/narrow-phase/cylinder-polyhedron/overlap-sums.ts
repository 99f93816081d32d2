/**
 * What is summed up of an overlap with a cylinder, about a point o of it: volume and centroid by the divergence theorem,
 *
 *   V = ⅓ ∮ r · n dA,   ∫ r dV = ¼ ∮ r (r · n) dA,
 *
 * area, S = ∫ n dA, Q = ∫ r × n dA, ∫ r dA and ∫ r rᵀ dA of A's surface inside B, and the points that the overlap extends over. Round sides are summed by those who know them; plane
 * figures, faces of A and ends of B, follow from their borders (plane-sums.ts): the first planes are A's, the last two B's ends.
 */
import { FACE, type OverlapGradient } from '../overlap-gradient.js';
import { PlaneSums } from './plane-sums.js';

export class OverlapSums {
  /** Of the last `evaluate`: m³, m⁴ */
  volume = 0;
  readonly volumeFirst = new Float64Array(3);
  /** A's surface inside B: area, S, Q, ∫ r dA, ∫ r rᵀ dA */
  areaA = 0;
  readonly vectorA = new Float64Array(3);
  readonly momentA = new Float64Array(3);
  readonly first = new Float64Array(3);
  readonly second = new Float64Array(6);
  /** B's surface inside A, m² */
  areaB = 0;
  /** Largest flat face of A (a place among its planes) and end of B in the overlap and their areas; −1: none. Ends are 0 (at −z) and 1. */
  mostFace = -1;
  mostFaceArea = 0;
  mostEnd = -1;
  mostEndArea = 0;
  /** Corners and nodes of the borders, 3 each: what the overlap extends over */
  protected points = new Float64Array(3 * 256);
  protected pointCount = 0;
  protected readonly planes = new PlaneSums();
  /** ∫ r nᵀ and ∫ r (r × n)ᵀ of B's side */
  protected readonly surface = new Float64Array(18);
  protected gradient: OverlapGradient | undefined;
  private readonly face = new Float64Array(FACE.length);

  /** Nothing is summed up yet; the planes are to be set. */
  protected clearSums(planes: number): void {
    this.volume = this.areaA = this.areaB = 0;
    this.volumeFirst.fill(0);
    this.vectorA.fill(0);
    this.momentA.fill(0);
    this.first.fill(0);
    this.second.fill(0);
    this.surface.fill(0);
    this.planes.begin(planes);
  }

  protected addPoint(x: number, y: number, z: number): void {
    if (3 * this.pointCount + 3 > this.points.length) {
      const more = new Float64Array(2 * this.points.length);
      more.set(this.points);
      this.points = more;
    }
    const i = 3 * this.pointCount++;
    this.points[i] = x;
    this.points[i + 1] = y;
    this.points[i + 2] = z;
  }

  /** Adds the plane figures, whose borders are known, of `faces` planes of A and the two ends of B. */
  protected addPlaneFigures(faces: number): void {
    const { planes, vectorA, momentA, first, second, volumeFirst, gradient, face } = this;
    this.mostFace = this.mostEnd = -1;
    this.mostFaceArea = this.mostEndArea = 0;
    for (let p = 0; p < faces + 2; p++) {
      planes.read(p);
      const { area, first: f, second: s } = planes;
      if (!(area > 0)) continue;
      const nx = planes.planes[4 * p];
      const ny = planes.planes[4 * p + 1];
      const nz = planes.planes[4 * p + 2];
      const d = planes.planes[4 * p + 3];
      this.volume += (d * area) / 3;
      for (let k = 0; k < 3; k++) volumeFirst[k] += 0.25 * d * f[k];
      if (p >= faces) {
        this.areaB += area;
        if (area > this.mostEndArea) {
          this.mostEndArea = area;
          this.mostEnd = p - faces;
        }
        if (!gradient) continue;
        face[FACE.normal] = nx;
        face[FACE.normal + 1] = ny;
        face[FACE.normal + 2] = nz;
        face.set(f, FACE.first);
        face.set(s, FACE.second);
        gradient.addFaceB(0, face);
        continue;
      }
      this.areaA += area;
      if (area > this.mostFaceArea) {
        this.mostFaceArea = area;
        this.mostFace = p;
      }
      vectorA[0] += nx * area;
      vectorA[1] += ny * area;
      vectorA[2] += nz * area;
      momentA[0] += f[1] * nz - f[2] * ny;
      momentA[1] += f[2] * nx - f[0] * nz;
      momentA[2] += f[0] * ny - f[1] * nx;
      for (let k = 0; k < 3; k++) first[k] += f[k];
      for (let k = 0; k < 6; k++) second[k] += s[k];
    }
    gradient?.addSurfaceB(0, this.surface);
  }

  /** Lowest and highest of the points along n, m */
  protected span(nx: number, ny: number, nz: number, out: Float64Array): void {
    const { points, pointCount } = this;
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < 3 * pointCount; i += 3) {
      const h = nx * points[i] + ny * points[i + 1] + nz * points[i + 2];
      low = Math.min(low, h);
      high = Math.max(high, h);
    }
    out[0] = low;
    out[1] = high;
  }
}
