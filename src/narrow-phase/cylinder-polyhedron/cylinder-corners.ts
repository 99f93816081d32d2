/**
 * Where a convex polyhedron A and a cylinder B cut each other: the faces that do, the corners of the overlap, as angles on B's side and as points, and the lines that faces and ends, and
 * faces and faces, have in common. In the cylinder's axes, z along it, turned about it and moved so that the origin o lies in the middle of the corners (cylinder-polyhedron.ts).
 * A corner at the angle ψ on a rim or edge solves, with τ = tan(ψ/2),
 *
 *   (g + 2R n_x) τ² − 2R n_y τ + g = 0,      g = h − n_z ζ − n_x (R − b),   n · r = h the plane
 */
import { atan, atan2, sin } from '../../math/elementary.js';
import type { ConvexSolid } from '../convex-overlap/index.js';
import { OverlapSums } from './overlap-sums.js';

/** Planes closer to the axis than this angle (rad) stand upright: they bound angles, not heights. */
export const UPRIGHT = 1e-12;
/** How far beyond a plane a corner may be and still count, over the size: one too many does no harm. */
const SLACK = 1e-9;
/**
 * A face that cuts off less of the cylinder than this, over the size, does not cut it: where a face is flush with an end, rounding would count
 * the border that both share twice or not at all.
 */
const FLUSH = 1e-12;

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

export abstract class CylinderCorners extends OverlapSums {
  /** The cylinder lies behind all faces. */
  isContained = false;
  /** o in the turned axes: (b, 0, o_z); cos and sin of the turn */
  b = 0;
  oz = 0;
  turnCos = 1;
  turnSin = 0;
  // per face of A that cuts the cylinder: number, n and h about o in the turned axes; before that in the cylinder's own
  protected active = new Int32Array(0);
  protected count = 0;
  protected own = new Float64Array(0);
  protected local = new Float64Array(0);
  protected placeOf = new Int32Array(0);
  /** 3 per corner of A, cylinder's axes, m */
  protected corners = new Float64Array(0);
  /** angles of corners on the side, ascending */
  protected angles = new Float64Array(256);
  /** beside each: its height, and the planes whose corner it is (−1: the rim) */
  protected angleHeights = new Float64Array(256);
  protected anglePlanes = new Int32Array(512);
  protected angleCount = 0;
  protected size = 0;
  protected readonly roots = new Float64Array(2);
  protected readonly range = new Float64Array(2);
  // bounds of the side at an angle, and which planes they are; −1: the end
  protected low = 0;
  protected high = 0;
  protected lowPlane = -1;
  protected highPlane = -1;

  constructor(
    protected readonly solid: ConvexSolid,
    protected readonly edges: Int32Array,
    protected readonly radius: number,
    protected readonly half: number,
  ) {
    super();
    const { faceCount, corners } = solid;
    this.active = new Int32Array(faceCount);
    this.own = new Float64Array(4 * faceCount);
    this.local = new Float64Array(4 * faceCount);
    this.placeOf = new Int32Array(faceCount);
    this.corners = new Float64Array(corners.length);
  }

  /** Faces that cut the cylinder, in its own axes; false if it lies in front of one or behind all. */
  protected setPlanes(r: Float64Array, t: Float64Array): boolean {
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

  protected placeCorners(r: Float64Array, t: Float64Array): void {
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
  protected setLocal(): void {
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
  protected chooseOrigin(): void {
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

  /** Corners of the overlap on the side, as angles, and all of them as points */
  protected gather(): void {
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
  protected anglesOf(p: number, zeta: number): number {
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
  protected isInside(x: number, y: number, z: number, p: number): boolean {
    const { local, count, size } = this;
    const slack = SLACK * size;
    for (let q = 0; q < count; q++) {
      if (q === p) continue;
      if (local[4 * q] * x + local[4 * q + 1] * y + local[4 * q + 2] * z > local[4 * q + 3] + slack) return false;
    }
    return true;
  }

  protected addAngle(psi: number, z: number, p: number, q: number): void {
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

  /** Few: by insertion */
  protected sortAngles(): void {
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

  /** Heights between which the side is in A at an angle, upright planes left out; `but`: a plane that is not asked */
  protected bounds(x: number, y: number, but: number): void {
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
  protected behindUpright(x: number, y: number, but: number): boolean {
    const { local, count } = this;
    for (let p = 0; p < count; p++) {
      if (p === but || !(Math.abs(local[4 * p + 2]) < UPRIGHT)) continue;
      if (local[4 * p] * x + local[4 * p + 1] * y > local[4 * p + 3]) return false;
    }
    return true;
  }

  /** The line in which plane p cuts the end at ζ, inside the disc and A: from `range[0]` to `range[1]` along it, from the foot of o */
  protected clipEnd(p: number, zeta: number): void {
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

  protected addEndPoint(zeta: number, s: number): void {
    this.addPoint(LINE[0] + s * LINE[2], LINE[1] + s * LINE[3], zeta);
  }

  /** The part of edge e inside the cylinder, as shares of the edge; its start and direction in EDGE */
  protected clipEdge(e: number): void {
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
}

function enlarged(array: Float64Array): Float64Array<ArrayBuffer> {
  const more = new Float64Array(2 * array.length);
  more.set(array);
  return more;
}

/** Scratch of `clipEnd` and `clipEdge` */
export const LINE = new Float64Array(5);
export const EDGE = new Float64Array(6);
