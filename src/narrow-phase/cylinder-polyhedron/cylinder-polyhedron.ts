/**
 * The overlap of a convex polyhedron A and a cylinder B, exactly: no facets, so that a wheel rolls and a disc spins as they do on a
 * half-space, over edges and corners, too. One region, always.
 *
 * All is seen in the cylinder's axes, z along it, turned about it and moved so that the origin o lies in the middle of the corners of the
 * overlap: small regions then have small numbers. With b the distance of o from the axis, a point of the side is
 *
 *   (b + x, y, ζ + o_z) = (R cos ψ, R sin ψ, …),   x = R − b − 2R sin²(ψ/2),   y = R sin ψ,   normal ν = (cos ψ, sin ψ, 0),   r · ν = R − b + 2b sin²(ψ/2)
 *
 * **Side.** Over ψ the overlap has the length ζ₂ − ζ₁ between the highest of the planes (and the end) that bound it from below and the lowest of those
 * above. Between the angles of its corners both are smooth: Gauss–Legendre. Planes along the axis bound ψ itself.
 * **Plane figures**, the faces of A inside B and the ends of B inside A, follow from their borders (plane-sums.ts). These are
 *
 *   face and side     w = R dψ/|n_z|, or w = dζ/|n_y cos ψ − n_x sin ψ| where the cut runs up the side rather than around
 *   face and end      straight, w = dl/√(n_x² + n_y²)
 *   face and face     an edge of A inside the cylinder
 *   side and end      the rim inside A, w = R dψ
 *
 * and the first two carry the derivative of S (overlap-gradient.ts). A corner at the angle ψ on a rim or edge solves, with τ = tan(ψ/2),
 *
 *   (g + 2R n_x) τ² − 2R n_y τ + g = 0,      g = h − n_z ζ − n_x (R − b),   n · r = h the plane
 *
 * Volume and centroid by the divergence theorem: V = ⅓ ∮ r · n dA, ∫ r dV = ¼ ∮ r (r · n) dA.
 */
import { atan, atan2, cos, sin } from '../../math/elementary.js';
import { GAUSS_3, GAUSS_6 } from '../../math/gauss-legendre.js';
import type { ConvexSolid } from '../convex-overlap/index.js';
import { FACE, type OverlapGradient } from '../overlap-gradient.js';
import { PlaneSums } from './plane-sums.js';

/** Planes closer to the axis than this angle (rad) stand upright: they bound angles, not heights. */
const UPRIGHT = 1e-12;
/** Slope, over the radius, from which a cut is followed up the side: around it, its height would be told by a small difference over a small n_z. */
const STEEP = 1e4;
/** Longest piece of an angle that Gauss's nodes are laid on, rad */
const LONGEST = 0.5;
/** How far beyond a plane a corner may be and still count, over the size: one too many does no harm. */
const SLACK = 1e-9;
/**
 * A face that cuts off less of the cylinder than this, over the size, does not cut it: where a face is flush with an end, rounding would count
 * the border that both share twice or not at all.
 */
const FLUSH = 1e-12;

const { nodes: NODE, weights: WEIGHT } = GAUSS_6;
const { nodes: STRAIGHT_NODE, weights: STRAIGHT_WEIGHT } = GAUSS_3;

/** Edges of a convex solid, each once: faces on both sides, corners at its ends; 4 numbers per edge */
export function edgesOf(solid: ConvexSolid): Int32Array {
  const { edges, firstEdge, faceCount } = solid;
  const owner = new Map<number, number>();
  const corners = solid.corners.length / 3;
  for (let f = 0; f < faceCount; f++)
    for (let e = firstEdge[f]; e < firstEdge[f + 1]; e++) owner.set(edges[2 * e] * corners + edges[2 * e + 1], f);
  const list: number[] = [];
  for (let f = 0; f < faceCount; f++)
    for (let e = firstEdge[f]; e < firstEdge[f + 1]; e++) {
      const p = edges[2 * e];
      const q = edges[2 * e + 1];
      const other = owner.get(q * corners + p);
      if (other !== undefined && f < other) list.push(f, other, p, q);
    }
  return Int32Array.from(list);
}

/** What of an overlap is summed up, about o in the turned axes. */
export class CylinderPolyhedron {
  /** Of the last `evaluate`: m³, m⁴ */
  volume = 0;
  readonly volumeFirst = new Float64Array(3);
  /** A's faces inside B: area, S, Q, ∫ r dA, ∫ r rᵀ dA */
  areaA = 0;
  readonly vectorA = new Float64Array(3);
  readonly momentA = new Float64Array(3);
  readonly first = new Float64Array(3);
  readonly second = new Float64Array(6);
  /** B's surface inside A, m² */
  areaB = 0;
  /** Largest face of A and end of B in the overlap and their areas; −1: none. Ends are 0 (at −z) and 1. */
  mostFace = -1;
  mostFaceArea = 0;
  mostEnd = -1;
  mostEndArea = 0;
  /** The cylinder lies behind all faces. */
  isContained = false;
  /** o in the turned axes: (b, 0, o_z); cos and sin of the turn */
  b = 0;
  oz = 0;
  turnCos = 1;
  turnSin = 0;
  /** Corners and nodes of the borders, 3 each: what the overlap extends over */
  points = new Float64Array(3 * 256);
  pointCount = 0;

  private readonly planes = new PlaneSums();
  // per face of A that cuts the cylinder: number, n and h about o in the turned axes; before that in the cylinder's own
  private active = new Int32Array(0);
  private count = 0;
  private own = new Float64Array(0);
  private local = new Float64Array(0);
  private placeOf = new Int32Array(0);
  /** 3 per corner of A, cylinder's axes, m */
  private corners = new Float64Array(0);
  /** angles of corners on the side, ascending */
  private angles = new Float64Array(256);
  /** beside each: its height, and the planes whose corner it is (−1: the rim) */
  private angleHeights = new Float64Array(256);
  private anglePlanes = new Int32Array(512);
  private angleCount = 0;
  private size = 0;
  private readonly face = new Float64Array(FACE.length);
  private readonly surface = new Float64Array(18);
  private readonly roots = new Float64Array(2);
  private readonly range = new Float64Array(2);
  private gradient: OverlapGradient | undefined;
  // bounds of the side at an angle, and which planes they are; −1: the end
  private low = 0;
  private high = 0;
  private lowPlane = -1;
  private highPlane = -1;

  constructor(
    private readonly solid: ConvexSolid,
    private readonly edges: Int32Array,
    private readonly radius: number,
    private readonly half: number,
  ) {
    const { faceCount, corners } = solid;
    this.active = new Int32Array(faceCount);
    this.own = new Float64Array(4 * faceCount);
    this.local = new Float64Array(4 * faceCount);
    this.placeOf = new Int32Array(faceCount);
    this.corners = new Float64Array(corners.length);
  }

  /**
   * Sums over the overlap. False if there is none, or the cylinder lies wholly in A.
   *
   * @param r, t 9 by rows and 3: from A's frame to the cylinder's
   */
  evaluate(r: Float64Array, t: Float64Array, gradient: OverlapGradient | undefined): boolean {
    this.gradient = gradient;
    if (!this.setPlanes(r, t)) return false;
    this.placeCorners(r, t);
    // where the corners are, from the axis; then all again from the middle between them
    this.b = this.oz = 0;
    this.turnCos = 1;
    this.turnSin = 0;
    this.setLocal();
    this.gather();
    this.chooseOrigin();
    this.setLocal();
    this.gather();
    this.clear();
    this.integrateSide();
    this.integrateEnds();
    this.integrateEdges();
    return this.finish();
  }

  /** Faces that cut the cylinder, in its own axes; false if it lies in front of one or behind all. */
  private setPlanes(r: Float64Array, t: Float64Array): boolean {
    const { solid, radius, half, own, active, placeOf } = this;
    const { normals, offsets } = solid;
    let count = 0;
    this.isContained = false;
    this.size = solid.size + 2 * (radius + half);
    for (let f = 0; f < solid.faceCount; f++) {
      const x = normals[3 * f];
      const y = normals[3 * f + 1];
      const z = normals[3 * f + 2];
      const nx = r[0] * x + r[1] * y + r[2] * z;
      const ny = r[3] * x + r[4] * y + r[5] * z;
      const nz = r[6] * x + r[7] * y + r[8] * z;
      const h = offsets[f] + (nx * t[0] + ny * t[1] + nz * t[2]);
      const reach = radius * Math.sqrt(nx * nx + ny * ny) + half * Math.abs(nz);
      placeOf[f] = -1;
      if (h <= -reach) return false;
      if (h >= reach - FLUSH * this.size) continue;
      own[4 * count] = nx;
      own[4 * count + 1] = ny;
      own[4 * count + 2] = nz;
      own[4 * count + 3] = h;
      placeOf[f] = count;
      active[count++] = f;
    }
    this.count = count;
    this.isContained = count === 0;
    return count > 0;
  }

  private placeCorners(r: Float64Array, t: Float64Array): void {
    const { corners } = this;
    const given = this.solid.corners;
    for (let i = 0; i < given.length; i += 3) {
      const x = given[i];
      const y = given[i + 1];
      const z = given[i + 2];
      corners[i] = r[0] * x + r[1] * y + r[2] * z + t[0];
      corners[i + 1] = r[3] * x + r[4] * y + r[5] * z + t[1];
      corners[i + 2] = r[6] * x + r[7] * y + r[8] * z + t[2];
    }
  }

  /** Planes about o in the turned axes */
  private setLocal(): void {
    const { own, local, turnCos: c, turnSin: s, b, oz } = this;
    for (let p = 0; p < this.count; p++) {
      const x = own[4 * p];
      const y = own[4 * p + 1];
      const z = own[4 * p + 2];
      const nx = c * x + s * y;
      local[4 * p] = nx;
      local[4 * p + 1] = c * y - s * x;
      local[4 * p + 2] = z;
      local[4 * p + 3] = own[4 * p + 3] - nx * b - z * oz;
    }
  }

  /** o in the middle of the corners; where there are none, on the axis at the end that the planes leave */
  private chooseOrigin(): void {
    const { points, pointCount, half, own, count } = this;
    if (pointCount === 0) {
      let up = 0;
      for (let p = 0; p < count; p++) up += own[4 * p + 2];
      this.oz = up > 0 ? -half : half;
      return;
    }
    let x = 0;
    let y = 0;
    let z = 0;
    for (let i = 0; i < 3 * pointCount; i += 3) {
      x += points[i];
      y += points[i + 1];
      z += points[i + 2];
    }
    x /= pointCount;
    y /= pointCount;
    this.oz = z / pointCount;
    const b = Math.sqrt(x * x + y * y);
    if (!(b > 1e-6 * this.radius)) return;
    this.b = b;
    this.turnCos = x / b;
    this.turnSin = y / b;
  }

  // ---- corners --------------------------------------------------------------------------------------------------------------------

  /** Corners of the overlap on the side, as angles, and all of them as points */
  private gather(): void {
    this.angleCount = this.pointCount = 0;
    const { local, count, radius: R, b, half, oz, roots } = this;
    for (let p = 0; p < count; p++) {
      const upright = Math.abs(local[4 * p + 2]) < UPRIGHT;
      for (let end = 0; end < 2; end++) {
        const zeta = (end === 0 ? -half : half) - oz;
        const found = this.anglesOf(p, zeta);
        for (let k = 0; k < found; k++) {
          const psi = roots[k];
          const half2 = sin(0.5 * psi);
          const x = R - b - 2 * R * half2 * half2;
          const y = R * sin(psi);
          // an upright plane bounds the angle wherever it ends
          if (upright) this.addAngle(psi, zeta, p, -1);
          if (!this.isInside(x, y, zeta, p)) continue;
          if (!upright) this.addAngle(psi, zeta, p, -1);
          this.addPoint(x, y, zeta);
        }
        this.clipEnd(p, zeta);
        if (this.range[1] > this.range[0]) {
          this.addEndPoint(zeta, this.range[0]);
          this.addEndPoint(zeta, this.range[1]);
        }
      }
    }
    const { edges, placeOf } = this;
    for (let e = 0; e < edges.length; e += 4) {
      if (placeOf[edges[e]] < 0 || placeOf[edges[e + 1]] < 0) continue;
      this.clipEdge(e);
      const { range } = this;
      if (!(range[1] > range[0])) continue;
      for (let k = 0; k < 2; k++) {
        const x = EDGE[0] + range[k] * EDGE[3];
        const y = EDGE[1] + range[k] * EDGE[4];
        const z = EDGE[2] + range[k] * EDGE[5];
        this.addPoint(x, y, z);
        const miss = x * x + y * y + 2 * b * x - (R - b) * (R + b);
        if (Math.abs(miss) < SLACK * R * this.size)
          this.addAngle(atan2(y, b + x), z, placeOf[edges[e]], placeOf[edges[e + 1]]);
      }
    }
    this.sortAngles();
  }

  /** Angles at which plane p cuts the side at the height ζ, into `roots`; how many */
  private anglesOf(p: number, zeta: number): number {
    const { local, radius: R, b, roots } = this;
    const nx = local[4 * p];
    const ny = local[4 * p + 1];
    const g = local[4 * p + 3] - local[4 * p + 2] * zeta - nx * (R - b);
    const square = g + 2 * R * nx;
    const middle = R * ny;
    const under = middle * middle - square * g;
    if (!(under > 0)) return 0;
    const root = Math.sqrt(under);
    const far = middle >= 0 ? middle + root : middle - root;
    // τ = far/square and g/far; ∞ is the angle π
    roots[0] = 2 * atan2(square < 0 ? -far : far, Math.abs(square));
    roots[1] = 2 * atan(g / far);
    return 2;
  }

  /** Not beyond any plane but p, by more than slack */
  private isInside(x: number, y: number, z: number, p: number): boolean {
    const { local, count, size } = this;
    const slack = SLACK * size;
    for (let q = 0; q < count; q++) {
      if (q === p) continue;
      if (local[4 * q] * x + local[4 * q + 1] * y + local[4 * q + 2] * z > local[4 * q + 3] + slack) return false;
    }
    return true;
  }

  private addAngle(psi: number, z: number, p: number, q: number): void {
    const i = this.angleCount++;
    if (i >= this.angles.length) {
      this.angles = enlarged(this.angles);
      this.angleHeights = enlarged(this.angleHeights);
      const planes = new Int32Array(2 * this.anglePlanes.length);
      planes.set(this.anglePlanes);
      this.anglePlanes = planes;
    }
    this.angles[i] = psi > Math.PI ? psi - 2 * Math.PI : psi < -Math.PI ? psi + 2 * Math.PI : psi;
    this.angleHeights[i] = z;
    this.anglePlanes[2 * i] = p;
    this.anglePlanes[2 * i + 1] = q;
  }

  private addPoint(x: number, y: number, z: number): void {
    if (3 * this.pointCount + 3 > this.points.length) this.points = enlarged(this.points);
    const i = 3 * this.pointCount++;
    this.points[i] = x;
    this.points[i + 1] = y;
    this.points[i + 2] = z;
  }

  /** Few: by insertion */
  private sortAngles(): void {
    const { angles, angleHeights, anglePlanes } = this;
    for (let i = 1; i < this.angleCount; i++) {
      const value = angles[i];
      const height = angleHeights[i];
      const p = anglePlanes[2 * i];
      const q = anglePlanes[2 * i + 1];
      let j = i - 1;
      for (; j >= 0 && angles[j] > value; j--) {
        angles[j + 1] = angles[j];
        angleHeights[j + 1] = angleHeights[j];
        anglePlanes[2 * j + 2] = anglePlanes[2 * j];
        anglePlanes[2 * j + 3] = anglePlanes[2 * j + 1];
      }
      angles[j + 1] = value;
      angleHeights[j + 1] = height;
      anglePlanes[2 * j + 2] = p;
      anglePlanes[2 * j + 3] = q;
    }
  }

  // ---- side -----------------------------------------------------------------------------------------------------------------------

  /** Heights between which the side is in A at an angle, upright planes left out; `but`: a plane that is not asked */
  private bounds(x: number, y: number, but: number): void {
    const { local, count, half, oz } = this;
    let low = -half - oz;
    let high = half - oz;
    let lowPlane = -1;
    let highPlane = -1;
    for (let p = 0; p < count; p++) {
      const nz = local[4 * p + 2];
      if (p === but || Math.abs(nz) < UPRIGHT) continue;
      const z = (local[4 * p + 3] - local[4 * p] * x - local[4 * p + 1] * y) / nz;
      if (nz > 0) {
        if (z < high) {
          high = z;
          highPlane = p;
        }
      } else if (z > low) {
        low = z;
        lowPlane = p;
      }
    }
    this.low = low;
    this.high = high;
    this.lowPlane = lowPlane;
    this.highPlane = highPlane;
  }

  /** Behind all upright planes but one */
  private behindUpright(x: number, y: number, but: number): boolean {
    const { local, count } = this;
    for (let p = 0; p < count; p++) {
      if (p === but || !(Math.abs(local[4 * p + 2]) < UPRIGHT)) continue;
      if (local[4 * p] * x + local[4 * p + 1] * y > local[4 * p + 3]) return false;
    }
    return true;
  }

  private clear(): void {
    const { planes, local, count, half, oz } = this;
    this.volume = this.areaA = this.areaB = 0;
    this.volumeFirst.fill(0);
    this.surface.fill(0);
    // the ends come after the faces
    planes.begin(count + 2);
    for (let p = 0; p < count; p++) planes.set(p, local[4 * p], local[4 * p + 1], local[4 * p + 2], local[4 * p + 3]);
    planes.set(count, 0, 0, -1, half + oz);
    planes.set(count + 1, 0, 0, 1, half - oz);
  }

  private integrateSide(): void {
    const { angles, angleCount } = this;
    let from = -Math.PI;
    for (let i = 0; i <= angleCount; i++) {
      const to = i < angleCount ? angles[i] : Math.PI;
      if (to > from) this.integratePiece(from, to);
      from = Math.max(from, to);
    }
    const { local, count } = this;
    for (let p = 0; p < count; p++) if (Math.abs(local[4 * p + 2]) < UPRIGHT) this.integrateUpright(p);
  }

  /** Between two corners: the bounds are those of the middle all along. */
  private integratePiece(from: number, to: number): void {
    const middle = 0.5 * (from + to);
    const { radius: R, b } = this;
    const sine = sin(0.5 * middle);
    const x = R - b - 2 * R * sine * sine;
    const y = R * sin(middle);
    if (!this.behindUpright(x, y, -1)) return;
    this.bounds(x, y, -1);
    const { lowPlane, highPlane } = this;
    if (!(this.high > this.low)) return;
    const parts = Math.max(1, Math.ceil((to - from) / LONGEST));
    for (let part = 0; part < parts; part++) {
      const start = from + ((to - from) * part) / parts;
      this.integrateStrip(start, (to - from) / parts, lowPlane, highPlane);
    }
    this.integrateCut(lowPlane, from, to, parts);
    this.integrateCut(highPlane, from, to, parts);
  }

  /** Height of a plane over a place; of the end below or above if it is none */
  private heightOf(p: number, x: number, y: number, above: boolean): number {
    if (p < 0) return (above ? this.half : -this.half) - this.oz;
    const { local } = this;
    return (local[4 * p + 3] - local[4 * p] * x - local[4 * p + 1] * y) / local[4 * p + 2];
  }

  private integrateStrip(start: number, width: number, lowPlane: number, highPlane: number): void {
    const { radius: R, b, volumeFirst, surface, planes, count } = this;
    for (let k = 0; k < NODE.length; k++) {
      const psi = start + width * NODE[k];
      const s = sin(psi);
      const c = cos(psi);
      const h = sin(0.5 * psi);
      const x = R - b - 2 * R * h * h;
      const y = R * s;
      const low = this.heightOf(lowPlane, x, y, false);
      const high = this.heightOf(highPlane, x, y, true);
      const w = width * WEIGHT[k] * R;
      const l0 = w * (high - low);
      const l1 = 0.5 * l0 * (high + low);
      const l2 = (l0 * (high * high + high * low + low * low)) / 3;
      const out = R - b + 2 * b * h * h; // r · ν
      this.areaB += l0;
      this.volume += (out * l0) / 3;
      volumeFirst[0] += 0.25 * out * x * l0;
      volumeFirst[1] += 0.25 * out * y * l0;
      volumeFirst[2] += 0.25 * out * l1;
      // ∫ r νᵀ and ∫ r (r × ν)ᵀ, r × ν = (−ζ ν_y, ζ ν_x, x ν_y − y ν_x)
      const q = x * s - y * c;
      surface[0] += x * c * l0;
      surface[1] += x * s * l0;
      surface[3] += y * c * l0;
      surface[4] += y * s * l0;
      surface[6] += c * l1;
      surface[7] += s * l1;
      surface[9] -= x * s * l1;
      surface[10] += x * c * l1;
      surface[11] += x * q * l0;
      surface[12] -= y * s * l1;
      surface[13] += y * c * l1;
      surface[14] += y * q * l0;
      surface[15] -= s * l2;
      surface[16] += c * l2;
      surface[17] += q * l1;
      // the rims are borders of the ends
      if (lowPlane < 0) planes.add(count, w, c, s, 0, x, y, low);
      if (highPlane < 0) planes.add(count + 1, w, c, s, 0, x, y, high);
    }
  }

  /** The cut of a face and the side between two angles: around, or where it is steep up the side */
  private integrateCut(p: number, from: number, to: number, parts: number): void {
    if (p < 0) return;
    const { radius: R, b, local } = this;
    const nx = local[4 * p];
    const ny = local[4 * p + 1];
    const nz = local[4 * p + 2];
    const middle = 0.5 * (from + to);
    // All along: a cut that turns has two angles for a height.
    const acrossFrom = ny * cos(from) - nx * sin(from);
    const acrossTo = ny * cos(to) - nx * sin(to);
    if (Math.min(Math.abs(acrossFrom), Math.abs(acrossTo)) > STEEP * Math.abs(nz) && acrossFrom * acrossTo > 0) {
      this.integrateSteep(p, this.endOfCut(p, from), this.endOfCut(p, to), middle);
      return;
    }
    const width = (to - from) / parts;
    for (let part = 0; part < parts; part++)
      for (let k = 0; k < NODE.length; k++) {
        const psi = from + width * (part + NODE[k]);
        const s = sin(psi);
        const h = sin(0.5 * psi);
        const x = R - b - 2 * R * h * h;
        const y = R * s;
        const z = (local[4 * p + 3] - nx * x - ny * y) / nz;
        this.addCut(p, (R * width * WEIGHT[k]) / Math.abs(nz), cos(psi), s, 0, x, y, z);
      }
  }

  /** Height of a steep plane p at an angle: that of its own corner there, or told from the plane, which is the less exact the steeper it is */
  private endOfCut(p: number, psi: number): number {
    const { radius: R, b, local, angles, angleHeights, anglePlanes } = this;
    const h = sin(0.5 * psi);
    const x = R - b - 2 * R * h * h;
    const y = R * sin(psi);
    const z = (local[4 * p + 3] - local[4 * p] * x - local[4 * p + 1] * y) / local[4 * p + 2];
    let nearest = z;
    let gap = Infinity;
    for (let i = 0; i < this.angleCount; i++) {
      if (anglePlanes[2 * i] !== p && anglePlanes[2 * i + 1] !== p) continue;
      if (Math.abs(angles[i] - psi) > 4e-16) continue;
      const miss = Math.abs(angleHeights[i] - z);
      if (miss < gap) {
        gap = miss;
        nearest = angleHeights[i];
      }
    }
    return nearest;
  }

  private integrateSteep(p: number, from: number, to: number, near: number): void {
    const { radius: R, b, local, roots } = this;
    const nx = local[4 * p];
    const ny = local[4 * p + 1];
    const length = Math.abs(to - from);
    for (let k = 0; k < NODE.length; k++) {
      const z = from + (to - from) * NODE[k];
      if (this.anglesOf(p, z) === 0) continue;
      const psi = Math.abs(roots[0] - near) < Math.abs(roots[1] - near) ? roots[0] : roots[1];
      const s = sin(psi);
      const c = cos(psi);
      const h = sin(0.5 * psi);
      const across = Math.abs(ny * c - nx * s);
      if (!(across > 0)) continue;
      this.addCut(p, (length * WEIGHT[k]) / across, c, s, 0, R - b - 2 * R * h * h, R * s, z);
    }
  }

  /** An upright plane cuts the side along lines. */
  private integrateUpright(p: number): void {
    const { radius: R, b, local, roots } = this;
    const found = this.anglesOf(p, 0);
    const [first, second] = [roots[0], roots[1]];
    for (let i = 0; i < found; i++) {
      const psi = i === 0 ? first : second;
      const s = sin(psi);
      const c = cos(psi);
      const h = sin(0.5 * psi);
      const x = R - b - 2 * R * h * h;
      const y = R * s;
      const sine = Math.abs(local[4 * p + 1] * c - local[4 * p] * s);
      if (!(sine > UPRIGHT) || !this.behindUpright(x, y, p)) continue;
      this.bounds(x, y, p);
      const { low, high } = this;
      if (!(high > low)) continue;
      for (let k = 0; k < 3; k++)
        this.addCut(
          p,
          ((high - low) * STRAIGHT_WEIGHT[k]) / sine,
          c,
          s,
          0,
          x,
          y,
          low + (high - low) * STRAIGHT_NODE[k],
        );
    }
  }

  /** A point where face p is cut by B's surface with the normal ν */
  private addCut(p: number, w: number, vx: number, vy: number, vz: number, x: number, y: number, z: number): void {
    const { local } = this;
    this.planes.add(p, w, vx, vy, vz, x, y, z);
    this.addPoint(x, y, z);
    this.gradient?.addCut(0, w, local[4 * p], local[4 * p + 1], local[4 * p + 2], vx, vy, vz, x, y, z);
  }

  // ---- ends and edges -------------------------------------------------------------------------------------------------------------

  /** The line in which plane p cuts the end at ζ, inside the disc and A: from `range[0]` to `range[1]` along it, from the foot of o */
  private clipEnd(p: number, zeta: number): void {
    const { local, count, radius: R, b, range } = this;
    const nx = local[4 * p];
    const ny = local[4 * p + 1];
    const rho2 = nx * nx + ny * ny;
    range[0] = range[1] = 0;
    if (!(rho2 > UPRIGHT * UPRIGHT)) return;
    const rho = Math.sqrt(rho2);
    const g = local[4 * p + 3] - local[4 * p + 2] * zeta;
    const fx = (nx * g) / rho2;
    const fy = (ny * g) / rho2;
    const tx = -ny / rho;
    const ty = nx / rho;
    // s² + 2 (b t_x) s + |f|² + 2 b f_x − (R² − b²) ≤ 0, for f · t = 0
    const middle = b * tx;
    const under = middle * middle - (fx * fx + fy * fy + 2 * b * fx - (R - b) * (R + b));
    if (!(under > 0)) return;
    const root = Math.sqrt(under);
    let low = -middle - root;
    let high = -middle + root;
    for (let q = 0; q < count; q++) {
      if (q === p) continue;
      const slope = local[4 * q] * tx + local[4 * q + 1] * ty;
      const rest = local[4 * q + 3] - local[4 * q] * fx - local[4 * q + 1] * fy - local[4 * q + 2] * zeta;
      if (slope > 0) high = Math.min(high, rest / slope);
      else if (slope < 0) low = Math.max(low, rest / slope);
      else if (rest < 0) high = low;
    }
    range[0] = low;
    range[1] = high;
    LINE[0] = fx;
    LINE[1] = fy;
    LINE[2] = tx;
    LINE[3] = ty;
    LINE[4] = rho;
  }

  private addEndPoint(zeta: number, s: number): void {
    this.addPoint(LINE[0] + s * LINE[2], LINE[1] + s * LINE[3], zeta);
  }

  private integrateEnds(): void {
    const { count, half, oz, range, local, planes } = this;
    for (let end = 0; end < 2; end++) {
      const zeta = (end === 0 ? -half : half) - oz;
      const up = end === 0 ? -1 : 1;
      for (let p = 0; p < count; p++) {
        this.clipEnd(p, zeta);
        const length = range[1] - range[0];
        if (!(length > 0)) continue;
        for (let k = 0; k < 3; k++) {
          const s = range[0] + length * STRAIGHT_NODE[k];
          const w = (length * STRAIGHT_WEIGHT[k]) / LINE[4];
          const x = LINE[0] + s * LINE[2];
          const y = LINE[1] + s * LINE[3];
          this.addCut(p, w, 0, 0, up, x, y, zeta);
          planes.add(count + end, w, local[4 * p], local[4 * p + 1], local[4 * p + 2], x, y, zeta);
        }
      }
    }
  }

  /** The part of edge e inside the cylinder, as shares of the edge; its start and direction in EDGE */
  private clipEdge(e: number): void {
    const { corners, edges, turnCos: c, turnSin: s, b, oz, radius: R, half, range } = this;
    const p = 3 * edges[e + 2];
    const q = 3 * edges[e + 3];
    const px = c * corners[p] + s * corners[p + 1] - b;
    const py = c * corners[p + 1] - s * corners[p];
    const pz = corners[p + 2] - oz;
    const dx = c * corners[q] + s * corners[q + 1] - b - px;
    const dy = c * corners[q + 1] - s * corners[q] - py;
    const dz = corners[q + 2] - oz - pz;
    EDGE[0] = px;
    EDGE[1] = py;
    EDGE[2] = pz;
    EDGE[3] = dx;
    EDGE[4] = dy;
    EDGE[5] = dz;
    range[0] = range[1] = 0;
    const square = dx * dx + dy * dy;
    const linear = px * dx + py * dy + b * dx;
    const constant = px * px + py * py + 2 * b * px - (R - b) * (R + b);
    let low = 0;
    let high = 1;
    const length2 = square + dz * dz;
    if (square > UPRIGHT * UPRIGHT * length2) {
      const under = linear * linear - square * constant;
      if (!(under > 0)) return;
      const root = Math.sqrt(under);
      const far = linear >= 0 ? -linear - root : root - linear;
      const one = far / square;
      const other = constant / far;
      low = Math.max(low, Math.min(one, other));
      high = Math.min(high, Math.max(one, other));
    } else if (constant > 0) return;
    const below = -half - oz - pz;
    const above = half - oz - pz;
    if (dz > 0) {
      low = Math.max(low, below / dz);
      high = Math.min(high, above / dz);
    } else if (dz < 0) {
      low = Math.max(low, above / dz);
      high = Math.min(high, below / dz);
    } else if (below > 0 || above < 0) return;
    range[0] = low;
    range[1] = high;
  }

  private integrateEdges(): void {
    const { edges, placeOf, range, local, planes } = this;
    for (let e = 0; e < edges.length; e += 4) {
      const p = placeOf[edges[e]];
      const q = placeOf[edges[e + 1]];
      if (p < 0 || q < 0) continue;
      this.clipEdge(e);
      const share = range[1] - range[0];
      if (!(share > 0)) continue;
      const length = share * Math.sqrt(EDGE[3] * EDGE[3] + EDGE[4] * EDGE[4] + EDGE[5] * EDGE[5]);
      const ax = local[4 * p];
      const ay = local[4 * p + 1];
      const az = local[4 * p + 2];
      const bx = local[4 * q];
      const by = local[4 * q + 1];
      const bz = local[4 * q + 2];
      const ux = ay * bz - az * by;
      const uy = az * bx - ax * bz;
      const uz = ax * by - ay * bx;
      const sine = Math.sqrt(ux * ux + uy * uy + uz * uz);
      for (let k = 0; k < 3; k++) {
        const s = range[0] + share * STRAIGHT_NODE[k];
        const w = (length * STRAIGHT_WEIGHT[k]) / sine;
        const x = EDGE[0] + s * EDGE[3];
        const y = EDGE[1] + s * EDGE[4];
        const z = EDGE[2] + s * EDGE[5];
        planes.add(p, w, bx, by, bz, x, y, z);
        planes.add(q, w, ax, ay, az, x, y, z);
      }
    }
  }

  // ---- sums -----------------------------------------------------------------------------------------------------------------------

  private finish(): boolean {
    const { planes, count, active, vectorA, momentA, first, second, volumeFirst, gradient, face } = this;
    vectorA.fill(0);
    momentA.fill(0);
    first.fill(0);
    second.fill(0);
    this.mostFace = this.mostEnd = -1;
    this.mostFaceArea = this.mostEndArea = 0;
    for (let p = 0; p < count + 2; p++) {
      planes.read(p);
      const { area, first: f, second: s } = planes;
      if (!(area > 0)) continue;
      const nx = planes.planes[4 * p];
      const ny = planes.planes[4 * p + 1];
      const nz = planes.planes[4 * p + 2];
      const d = planes.planes[4 * p + 3];
      this.volume += (d * area) / 3;
      for (let k = 0; k < 3; k++) volumeFirst[k] += 0.25 * d * f[k];
      if (p >= count) {
        this.areaB += area;
        if (area > this.mostEndArea) {
          this.mostEndArea = area;
          this.mostEnd = p - count;
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
        this.mostFace = active[p];
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
    return this.volume > 0 && this.areaA > 0;
  }

  /** How far the overlap goes along n (turned axes): its corners, the points of its borders, and the line of the side that faces −n, m */
  extent(nx: number, ny: number, nz: number): number {
    const { points, pointCount, radius: R, b } = this;
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < 3 * pointCount; i += 3) {
      const h = nx * points[i] + ny * points[i + 1] + nz * points[i + 2];
      low = Math.min(low, h);
      high = Math.max(high, h);
    }
    const across = Math.sqrt(nx * nx + ny * ny);
    if (across > UPRIGHT) {
      const x = (-R * nx) / across - b;
      const y = (-R * ny) / across;
      if (this.behindUpright(x, y, -1)) {
        this.bounds(x, y, -1);
        if (this.high > this.low)
          low = Math.min(low, nx * x + ny * y + nz * this.low, nx * x + ny * y + nz * this.high);
      }
    } else if (this.mostEnd >= 0) low = Math.min(low, nz * ((this.mostEnd === 0 ? -this.half : this.half) - this.oz));
    return high - low;
  }
}

function enlarged(array: Float64Array): Float64Array<ArrayBuffer> {
  const more = new Float64Array(2 * array.length);
  more.set(array);
  return more;
}

/** Scratch of `clipEnd` and `clipEdge` */
const LINE = new Float64Array(5);
const EDGE = new Float64Array(6);
