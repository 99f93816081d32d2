/**
 * Two features of convex solids in contact: a corner, a line, a circle, a cone or cylinder surface each, a(u) on A and b(w) on B with tangents τ.
 * The normal n and the depth D of the cores obey
 *
 *   τ · n = 0 for every tangent of both,     a(u) − b(w) − D n = 0,     n · n = 1
 *
 * which are as many equations as unknowns u, w, n, D. Newton's method makes what GJK or the expansion found exact, and the same matrix gives the
 * derivatives by the displacement of B (implicit function): J dz = −∂G with db = dx + dφ × b and dτ = dφ × τ on B. Nothing in it fails
 * as D goes through zero, where a − b tells no direction any more.
 */
import { factoriseLu, solveLu } from '../../math/dense-lu.js';
import { atan2, cos, sin } from '../../math/elementary.js';
import type { PlacedShape } from './placed-shape.js';

export const CORNER = 0;
export const LINE = 1;
export const CIRCLE = 2;
export const SURFACE = 3;
export type FeatureKind = 0 | 1 | 2 | 3;

/** One feature, in world axes about the origin of the points. */
export class Feature {
  kind: FeatureKind = CORNER;
  /** coordinates u: along the line, m; round the axis, rad, and along it, m */
  readonly u = new Float64Array(2);
  readonly point = new Float64Array(3);
  /** 3 each: ∂a/∂u₀, ∂a/∂u₁ */
  readonly tangents = new Float64Array(6);
  /** 3 each: ∂²a/∂u₀², ∂²a/∂u₀∂u₁; that by u₁ twice is zero */
  readonly seconds = new Float64Array(6);
  private readonly origin = new Float64Array(3);
  private readonly axes = new Float64Array(9); // three rows: x, y, z
  private radius = 0;
  private slope = 0;
  /** bounds of the coordinate along a line or a surface, m */
  private least = 0;
  private most = 0;

  get size(): number {
    return this.kind === SURFACE ? 2 : this.kind === CORNER ? 0 : 1;
  }

  setCorner(placed: PlacedShape, corner: number): void {
    this.kind = CORNER;
    const { corners } = placed.shape.polyhedron!;
    for (let k = 0; k < 3; k++) this.origin[k] = placed.coordinate(k, corners, 3 * corner);
  }
  /** A tip, where a circle has no radius. */
  setPoint(placed: PlacedShape, height: number): void {
    this.kind = CORNER;
    for (let k = 0; k < 3; k++) this.origin[k] = placed.p[k] + placed.r[3 * k + 2] * height;
  }

  /** @param near 3: a point near which the contact is */
  setLine(placed: PlacedShape, p: number, q: number, near: Float64Array): void {
    this.kind = LINE;
    const { corners } = placed.shape.polyhedron!;
    const { origin, axes } = this;
    let length = 0;
    for (let k = 0; k < 3; k++) {
      origin[k] = placed.coordinate(k, corners, 3 * p);
      axes[k] = placed.coordinate(k, corners, 3 * q) - origin[k];
      length += axes[k] * axes[k];
    }
    length = Math.sqrt(length);
    this.least = 0;
    this.most = length;
    this.u[0] = 0;
    for (let k = 0; k < 3; k++) {
      axes[k] /= length;
      this.u[0] += axes[k] * (near[k] - origin[k]);
    }
  }

  /** The circle at a height, or the surface of radius + slope z for |z| ≤ half. */
  setRound(
    placed: PlacedShape,
    kind: FeatureKind,
    radius: number,
    slope: number,
    height: number,
    half: number,
    near: Float64Array,
  ): void {
    this.kind = kind;
    this.radius = radius;
    this.slope = slope;
    const { origin, axes } = this;
    for (let k = 0; k < 3; k++) {
      origin[k] = placed.p[k] + placed.r[3 * k + 2] * height;
      for (let i = 0; i < 3; i++) axes[3 * i + k] = placed.r[3 * k + i];
    }
    let x = 0;
    let y = 0;
    let z = 0;
    for (let k = 0; k < 3; k++) {
      x += axes[k] * (near[k] - origin[k]);
      y += axes[3 + k] * (near[k] - origin[k]);
      z += axes[6 + k] * (near[k] - origin[k]);
    }
    this.u[0] = atan2(y, x);
    this.u[1] = z;
    this.least = -half;
    this.most = half;
  }

  copy(other: Feature): void {
    this.kind = other.kind;
    this.u.set(other.u);
    this.origin.set(other.origin);
    this.axes.set(other.axes);
    this.radius = other.radius;
    this.slope = other.slope;
    this.least = other.least;
    this.most = other.most;
  }

  /** Whether the contact lies on the feature and not beyond its ends. */
  holds(slack: number): boolean {
    const { kind, u, least, most } = this;
    if (kind !== LINE && kind !== SURFACE) return true;
    const at = kind === LINE ? u[0] : u[1];
    return at >= least - slack && at <= most + slack;
  }

  evaluate(): void {
    const { kind, u, point, tangents, seconds, origin, axes } = this;
    if (kind === CORNER) point.set(origin);
    else if (kind === LINE) {
      for (let k = 0; k < 3; k++) {
        point[k] = origin[k] + u[0] * axes[k];
        tangents[k] = axes[k];
        seconds[k] = 0;
      }
    } else {
      const c = cos(u[0]);
      const s = sin(u[0]);
      const along = kind === SURFACE ? u[1] : 0;
      const radius = this.radius + this.slope * along;
      for (let k = 0; k < 3; k++) {
        const out = c * axes[k] + s * axes[3 + k];
        const round = c * axes[3 + k] - s * axes[k];
        point[k] = origin[k] + along * axes[6 + k] + radius * out;
        tangents[k] = radius * round;
        tangents[3 + k] = axes[6 + k] + this.slope * out;
        seconds[k] = -radius * out;
        seconds[3 + k] = this.slope * round;
      }
    }
  }
}

const N = 8;
const STEPS = 12;

export class StationaryPair {
  readonly a = new Feature();
  readonly b = new Feature();
  /** 3: from A to B */
  readonly normal = new Float64Array(3);
  depth = 0;
  /** unknowns: a's, b's, normal, depth */
  size = 0;
  private readonly matrix = new Float64Array(N * N);
  private readonly right = new Float64Array(N);
  private readonly pivots = new Int32Array(N);

  /** Solves from the normal and depth set; false where it does not converge. */
  solve(length: number): boolean {
    const { a, b, normal, right } = this;
    const ka = a.size;
    const k = ka + b.size;
    this.size = k + 4;
    for (let step = 0; step < STEPS; step++) {
      if (!this.factorise() || this.parallel()) return false;
      // the residual
      for (let i = 0; i < k; i++) {
        const tangents = i < ka ? a.tangents : b.tangents;
        right[i] = -along(tangents, 3 * (i < ka ? i : i - ka), normal);
      }
      let unit = 1;
      for (let c = 0; c < 3; c++) {
        right[k + c] = -(a.point[c] - b.point[c] - this.depth * normal[c]);
        unit -= normal[c] * normal[c];
      }
      right[k + 3] = 0.5 * unit;
      solveLu(this.matrix, this.size, this.pivots, right);
      let change = 0;
      for (let i = 0; i < k; i++) {
        const f = i < ka ? a : b;
        const j = i < ka ? i : i - ka;
        f.u[j] += right[i];
        const isAngle = f.kind >= CIRCLE && j === 0;
        change = Math.max(change, Math.abs(right[i]) * (isAngle ? 1 : 1 / length));
      }
      for (let c = 0; c < 3; c++) {
        normal[c] += right[k + c];
        change = Math.max(change, Math.abs(right[k + c]));
      }
      this.depth += right[k + 3];
      if (!(change < 4)) return false;
      if (change < 1e-13) break;
      if (step === STEPS - 1 && !(change < 1e-10)) return false;
    }
    return this.factorise();
  }

  /** Straight lines that are nearly parallel come nearest nowhere in particular. */
  private parallel(): boolean {
    const { a, b } = this;
    if ((a.kind !== LINE && a.kind !== SURFACE) || (b.kind !== LINE && b.kind !== SURFACE)) return false;
    const i = a.kind === LINE ? 0 : 3;
    const j = b.kind === LINE ? 0 : 3;
    const x = a.tangents[i + 1] * b.tangents[j + 2] - a.tangents[i + 2] * b.tangents[j + 1];
    const y = a.tangents[i + 2] * b.tangents[j] - a.tangents[i] * b.tangents[j + 2];
    const z = a.tangents[i] * b.tangents[j + 1] - a.tangents[i + 1] * b.tangents[j];
    return x * x + y * y + z * z < 1e-12;
  }

  /** Takes over another solution, ready for `derivative`. */
  copy(other: StationaryPair): void {
    this.a.copy(other.a);
    this.b.copy(other.b);
    this.normal.set(other.normal);
    this.depth = other.depth;
    this.size = other.size;
    this.factorise();
  }

  /** Matrix J at the present values, factorised. Rows: τ · n, a − b − D n, n · n/2. */
  private factorise(): boolean {
    const { a, b, normal: n, matrix, size } = this;
    a.evaluate();
    b.evaluate();
    const ka = a.size;
    const k = ka + b.size;
    matrix.fill(0, 0, size * size);
    for (let i = 0; i < k; i++) {
      const f = i < ka ? a : b;
      const first = i < ka ? 0 : ka;
      const j = i - first;
      for (let l = 0; l < f.size; l++)
        matrix[i * size + first + l] = j === 1 && l === 1 ? 0 : along(f.seconds, j === l ? 0 : 3, n);
      for (let c = 0; c < 3; c++) {
        matrix[i * size + k + c] = f.tangents[3 * j + c];
        matrix[(k + c) * size + i] = (i < ka ? 1 : -1) * f.tangents[3 * j + c];
      }
    }
    for (let c = 0; c < 3; c++) {
      matrix[(k + c) * size + k + c] = -this.depth;
      matrix[(k + c) * size + k + 3] = -n[c];
      matrix[(k + 3) * size + k + c] = n[c];
    }
    return factoriseLu(matrix, size, this.pivots);
  }

  /**
   * Derivatives by column 0 … 5 of dx, dφ, after `solve`: of u into out[0 … size − 5], of the normal into the three places after, of the depth
   * into the last.
   */
  derivative(column: number, out: Float64Array): void {
    const { a, b, normal, size } = this;
    const ka = a.size;
    const k = ka + b.size;
    out.fill(0);
    if (column < 3) out[k + column] = 1;
    else {
      const j = column - 3;
      const l = j === 2 ? 0 : j + 1;
      const m = j === 0 ? 2 : j - 1;
      // e_j × v has −v_m at l and v_l at m
      out[k + l] = -b.point[m];
      out[k + m] = b.point[l];
      for (let i = 0; i < b.size; i++)
        out[ka + i] = -(normal[m] * b.tangents[3 * i + l] - normal[l] * b.tangents[3 * i + m]);
    }
    solveLu(this.matrix, size, this.pivots, out);
  }
}

const along = (of: Float64Array, at: number, n: Float64Array): number =>
  of[at] * n[0] + of[at + 1] * n[1] + of[at + 2] * n[2];
