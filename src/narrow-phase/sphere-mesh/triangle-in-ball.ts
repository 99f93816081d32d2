/**
 * The part of a triangle inside a ball, exactly: bounded by chords, the parts of its sides inside, and by arcs of the circle in which its plane
 * cuts the sphere.
 *
 * All points are measured from the ball's centre; n the triangle's unit normal, d = n · p for its points p, ρ² = R² − d². Seen from the
 * foot d n, which is the middle of the circle, the part is a sum of triangles over its chords p → q and of sectors over its arcs, of
 * angle θ from p to q:
 *
 *             chord                                             arc
 *   area      a = ½ n · (p × q)                                 a = ½ ρ² θ
 *   ∫ r dA    a (d n + p + q)/3                                 a d n + ρ²/3 (q − p) × n
 *   Ω         2 sgn d · atan2(2a, |p||q| + |d|(|p| + |q|) + p·q)   sgn d · θ (1 − |d|/R)
 *
 * Ω is the solid angle under which the centre sees the part (van Oosterom & Strackee 1983, doi 10.1109/TBME.1983.325207, with one corner
 * at the foot). Behind the part, between it and the sphere, lies the volume
 *
 *   v = (R³ Ω − d a)/3;       for a sector sgn d · θ δ² (3R − δ)/6 with δ = R − |d|
 *
 * without cancellation: a whole circle gives the spherical cap.
 *
 * A part that is small beside the circle, where an edge or a corner just reaches into the ball, is a difference of large triangles and sectors in this: its volume would be known to
 * ε R³ and no better, 1e-23 m³ of a ball of 2 cm, as much as a corner has that is 100 nm deep. Where all of it is within ρ/4, triangles are taken about the first point of the border instead,
 * and arcs add their segments between chord and arc: seen from the foot under the angle φ from −θ/2 to θ/2, from the chord at r₁ to the circle,
 *
 *   u = ρ² − r₁² = ρ² sin(θ/2 − φ) sin(θ/2 + φ)/cos² φ,    s = √(R² − u)
 *
 *   area ∫ u/2 dφ      ∫ r cos φ dA = ∫ cos φ u (ρ² + ρ r₁ + r₁²)/(3(ρ + r₁)) dφ      Ω = d ∫ u/(s R (R + s)) dφ      v = d/6 ∫ u² (2R + s)/(s (R + s)²) dφ
 *
 * with no difference of large numbers in it, by Gauss–Legendre, for whose six nodes all of it is a polynomial to the last digit. If the ball is displaced by w, the arcs slide in the plane and
 *
 *   dS = T w,    S = ∫ n dA,    T = Σ n (d n θ + (q − p) × n)ᵀ       over the arcs
 */
import { asin, atan2, cos, sin } from '../../math/elementary.js';
import { GAUSS_6 } from '../../math/gauss-legendre.js';

/** Places of the sums of a triangle: −∑v, Ω, area, S, ∑ d ∫r dA, ∫ r nᵀ dA by rows, T by rows. */
export const PART = {
  volume: 0,
  solidAngle: 1,
  area: 2,
  vector: 3,
  first: 6,
  spread: 9,
  slide: 18,
  length: 27,
} as const;

/** Ends closer than this angle (rad) that seem to lie the wrong way round do so by rounding. */
const SAME_POINT = 1e-11;

/** Arcs below this are short, rad. */
const SHORT = 0.5;
/** Square of how far points of a small part are from each other, over that of the circle's radius */
const NEAR = 1 / 16;
/** Numbers of a piece of border: 0 for a chord, 1 for an arc; its ends; the angle of an arc */
const PIECE = 8;

export class TriangleInBall {
  /** Which of the three sides have a part inside in the last call. */
  readonly inside = new Uint8Array(3);
  // the triangle at work
  private radius = 0;
  private nx = 0;
  private ny = 0;
  private nz = 0;
  /** d of the last triangle, m */
  d = 0;
  private square = 0; // ρ²
  private into: Float64Array = new Float64Array(0);
  private at = 0;
  private area = 0;
  private mx = 0;
  private my = 0;
  private mz = 0;
  /** 3 each: corners, and from side to side the point where the border left the ball last, and where it came in first */
  private readonly corners = new Float64Array(9);
  private readonly left = new Float64Array(3);
  private readonly first = new Float64Array(3);
  private readonly points = new Float64Array(6);
  /** `PIECE` per piece of border: at most three chords and three arcs */
  private readonly pieces = new Float64Array(6 * PIECE);
  private pieceCount = 0;

  /**
   * Writes the sums of a triangle to into[at …]; returns false, with nothing written, if no part of it is inside.
   *
   * @param vertices, p, q, r  corners at vertices[p …], [q …], [r …], m
   * @param order              bit k is set if corner k has a greater number than corner k + 1: both triangles on an edge cut it alike
   * @param normals, n         unit normal at normals[n …]; zero for a triangle without area
   * @param centre             3, radius: the ball, m
   */
  measure(
    vertices: Float64Array,
    p: number,
    q: number,
    r: number,
    order: number,
    normals: Float64Array,
    n: number,
    centre: Float64Array,
    radius: number,
    into: Float64Array,
    at: number,
  ): boolean {
    const { corners, inside, left, first, points } = this;
    for (let k = 0; k < 3; k++) {
      corners[k] = vertices[p + k] - centre[k];
      corners[3 + k] = vertices[q + k] - centre[k];
      corners[6 + k] = vertices[r + k] - centre[k];
    }
    const s0 = square(corners, 0);
    const s1 = square(corners, 3);
    const s2 = square(corners, 6);
    const nearest = s0 <= s1 && s0 <= s2 ? 0 : s1 <= s2 ? 3 : 6;
    const nx = normals[n];
    const ny = normals[n + 1];
    const nz = normals[n + 2];
    const d = nx * corners[nearest] + ny * corners[nearest + 1] + nz * corners[nearest + 2];
    const size = Math.abs(d);
    if (!(size < radius)) return false;
    const limit = radius * radius;
    const bits = (s0 < limit ? 1 : 0) | (s1 < limit ? 2 : 0) | (s2 < limit ? 4 : 0);
    this.radius = radius;
    this.nx = nx;
    this.ny = ny;
    this.nz = nz;
    this.d = d;
    this.square = (radius - size) * (radius + size);
    this.into = into;
    this.at = at;
    this.area = this.mx = this.my = this.mz = 0;
    into.fill(0, at, at + PART.length);
    this.pieceCount = 0;

    // chords along the border; arcs from where it leaves to where it comes back, `turned` corners later
    let outside = -1; // corners turned since it left, −1 before the first time
    let began = -1; // side on which it came in first
    for (let k = 0; k < 3; k++) {
      const i = 3 * k;
      const j = k === 2 ? 0 : i + 3;
      const inI = (bits >> k) & 1;
      const inJ = (bits >> (k === 2 ? 0 : k + 1)) & 1;
      inside[k] = this.chord(i, j, inI, inJ, ((order >> k) & 1) !== 0, limit) ? 1 : 0;
      if (inside[k] === 1) {
        if (inI === 0) {
          // comes in
          if (outside >= 0) this.arc(left, 0, points, 0, outside);
          else {
            began = k;
            copy(points, 0, first);
          }
        }
        this.note(0, points, 0, points, 3, 0);
        if (inJ === 0) {
          copy(points, 3, left);
          outside = 0;
        }
      }
      if (outside >= 0) outside++;
    }
    if (began >= 0) this.arc(left, 0, first, 0, outside + began);
    else if (outside < 0 && bits === 0) {
      // no side meets the ball: the whole circle lies in the triangle, or none of it
      if (!this.holdsFoot()) return false;
      this.sector(2 * Math.PI, 0, 0, 0);
    }
    this.addPieces();
    this.finish();
    // a triangle without area has no plane; it only joins its neighbours
    if (nx === 0 && ny === 0 && nz === 0) into.fill(0, at, at + PART.length);
    return true;
  }

  /**
   * The part of the side from corner i to corner j inside, into `points`; false if there is none.
   *
   * Measured from the point of its line that is nearest to the centre, so that long sides cut as exactly as short ones.
   */
  private chord(i: number, j: number, inI: number, inJ: number, backward: boolean, limit: number): boolean {
    const { corners: c, points, radius } = this;
    if (inI === 1 && inJ === 1) {
      copy2(c, i, points, 0);
      copy2(c, j, points, 3);
      return true;
    }
    const from = backward ? j : i;
    const to = backward ? i : j;
    const ex = c[to] - c[from];
    const ey = c[to + 1] - c[from + 1];
    const ez = c[to + 2] - c[from + 2];
    const ee = ex * ex + ey * ey + ez * ez;
    const t = (0 - (c[from] * ex + c[from + 1] * ey + c[from + 2] * ez)) / ee;
    const fx = c[from] + t * ex;
    const fy = c[from + 1] + t * ey;
    const fz = c[from + 2] + t * ez;
    const hh = fx * fx + fy * fy + fz * fz;
    if (inI === 0 && inJ === 0 && !(hh < limit && t > 0 && t < 1)) return false;
    const h = Math.sqrt(hh);
    const half = h < radius ? Math.sqrt(((radius - h) * (radius + h)) / ee) : 0;
    // with both ends outside and the nearest point between them, the whole chord lies on the side
    if (inI === 0 && inJ === 0 && !(half > 0)) return false;
    const sign = backward ? -half : half;
    if (inI === 1) copy2(c, i, points, 0);
    else {
      points[0] = fx - sign * ex;
      points[1] = fy - sign * ey;
      points[2] = fz - sign * ez;
    }
    if (inJ === 1) copy2(c, j, points, 3);
    else {
      points[3] = fx + sign * ex;
      points[4] = fy + sign * ey;
      points[5] = fz + sign * ez;
    }
    return true;
  }

  private note(kind: 0 | 1, a: Float64Array, i: number, b: Float64Array, j: number, angle: number): void {
    const { pieces } = this;
    const at = PIECE * this.pieceCount++;
    pieces[at] = kind;
    copy2(a, i, pieces, at + 1);
    copy2(b, j, pieces, at + 4);
    pieces[at + 7] = angle;
  }

  /** Sums over the border, about the foot, or about a point of it where the part is small. */
  private addPieces(): void {
    const { pieces, pieceCount } = this;
    const small = this.isSmall();
    for (let k = 0; k < pieceCount; k++) {
      const at = PIECE * k;
      if (small) {
        this.addFromFirst(at);
        if (pieces[at] === 1) this.addSegment(at);
      } else if (pieces[at] === 0) this.add(at + 1);
      else {
        const x = pieces[at + 4] - pieces[at + 1];
        const y = pieces[at + 5] - pieces[at + 2];
        this.sector(pieces[at + 7], x, y, pieces[at + 6] - pieces[at + 3]);
      }
    }
  }

  /** It has arcs, all of them short, and no point of it is far from the first: the foot lies well outside. */
  private isSmall(): boolean {
    const { pieces, pieceCount } = this;
    let arcs = 0;
    for (let at = 0; at < PIECE * pieceCount; at += PIECE) {
      const x = pieces[at + 4] - pieces[1];
      const y = pieces[at + 5] - pieces[2];
      const z = pieces[at + 6] - pieces[3];
      if (!(x * x + y * y + z * z < NEAR * this.square)) return false;
      if (pieces[at] === 0) continue;
      if (!(pieces[at + 7] < SHORT)) return false;
      arcs++;
    }
    return arcs > 0;
  }

  /** The triangle of the first point of the border and a piece's ends */
  private addFromFirst(piece: number): void {
    const { pieces: c, nx, ny, nz, d, into, at, radius } = this;
    const ax = c[piece + 1] - c[1];
    const ay = c[piece + 2] - c[2];
    const az = c[piece + 3] - c[3];
    const bx = c[piece + 4] - c[1];
    const by = c[piece + 5] - c[2];
    const bz = c[piece + 6] - c[3];
    const twice = nx * (ay * bz - az * by) + ny * (az * bx - ax * bz) + nz * (ax * by - ay * bx);
    if (twice === 0) return;
    const sixth = twice / 6;
    this.area += 0.5 * twice;
    this.mx += sixth * (c[1] + c[piece + 1] + c[piece + 4]);
    this.my += sixth * (c[2] + c[piece + 2] + c[piece + 5]);
    this.mz += sixth * (c[3] + c[piece + 3] + c[piece + 6]);
    // van Oosterom & Strackee; the three points span d · twice
    const o = Math.sqrt(square(c, 1));
    const p = Math.sqrt(square(c, piece + 1));
    const q = Math.sqrt(square(c, piece + 4));
    const op = c[1] * c[piece + 1] + c[2] * c[piece + 2] + c[3] * c[piece + 3];
    const oq = c[1] * c[piece + 4] + c[2] * c[piece + 5] + c[3] * c[piece + 6];
    const pq = c[piece + 1] * c[piece + 4] + c[piece + 2] * c[piece + 5] + c[piece + 3] * c[piece + 6];
    const angle = 2 * atan2(d * twice, o * p * q + op * q + oq * p + pq * o);
    into[at + PART.solidAngle] += angle;
    into[at + PART.volume] += (0.5 * d * twice - radius * radius * radius * angle) / 3;
  }

  /** The segment between a short arc and its chord */
  private addSegment(piece: number): void {
    const { pieces: c, nx, ny, nz, d, square: rho2, into, at, radius: R } = this;
    const x = c[piece + 4] - c[piece + 1];
    const y = c[piece + 5] - c[piece + 2];
    const z = c[piece + 6] - c[piece + 3];
    const chord = Math.sqrt(x * x + y * y + z * z);
    const rho = Math.sqrt(rho2);
    if (!(chord > 0)) return;
    const half = asin(Math.min(1, chord / (2 * rho)));
    let [area, rise, solid, volume] = [0, 0, 0, 0];
    for (let k = 0; k < GAUSS_6.nodes.length; k++) {
      const phi = half * GAUSS_6.nodes[k];
      const cosine = cos(phi);
      const u = (rho2 * sin(half - phi) * sin(half + phi)) / (cosine * cosine);
      const near = Math.sqrt(rho2 - u);
      const s = Math.sqrt(R * R - u);
      const weight = 2 * half * GAUSS_6.weights[k];
      area += weight * 0.5 * u;
      rise += (weight * cosine * u * (rho2 + rho * near + near * near)) / (3 * (rho + near));
      solid += (weight * u) / (s * R * (R + s));
      volume += (weight * u * u * (2 * R + s)) / (6 * s * (R + s) * (R + s));
    }
    // (q − p) × n, from the foot to the middle of the arc
    const cx = y * nz - z * ny;
    const cy = z * nx - x * nz;
    const cz = x * ny - y * nx;
    const lever = rise / chord;
    this.area += area;
    this.mx += area * d * nx + lever * cx;
    this.my += area * d * ny + lever * cy;
    this.mz += area * d * nz + lever * cz;
    into[at + PART.solidAngle] += d * solid;
    into[at + PART.volume] -= d * volume;
    this.addSlide(c[piece + 7], cx, cy, cz);
  }

  /** A chord between two points of the border */
  private add(first: number): void {
    const { nx, ny, nz, d, into, at, radius, pieces } = this;
    const x = pieces[first];
    const y = pieces[first + 1];
    const z = pieces[first + 2];
    const u = pieces[first + 3];
    const v = pieces[first + 4];
    const w = pieces[first + 5];
    const twice = nx * (y * w - z * v) + ny * (z * u - x * w) + nz * (x * v - y * u);
    const sixth = twice / 6;
    this.area += 0.5 * twice;
    this.mx += sixth * (d * nx + x + u);
    this.my += sixth * (d * ny + y + v);
    this.mz += sixth * (d * nz + z + w);
    const p = Math.sqrt(x * x + y * y + z * z);
    const q = Math.sqrt(u * u + v * v + w * w);
    const size = Math.abs(d);
    const half = atan2(twice, p * q + size * (p + q) + x * u + y * v + z * w);
    const angle = d < 0 ? -2 * half : 2 * half;
    into[at + PART.solidAngle] += angle;
    into[at + PART.volume] += (0.5 * d * twice - radius * radius * radius * angle) / 3;
  }

  /**
   * An arc from a[i …] to b[j …], counter-clockwise about n.
   *
   * @param turned corners of the triangle between the two points on the way along the border outside. With one, the arc faces that corner
   *   and is less than half a circle. With two, it cannot be nearly whole unless its ends are clearly apart.
   */
  private arc(a: Float64Array, i: number, b: Float64Array, j: number, turned: number): void {
    const { nx, ny, nz, d } = this;
    const x = a[i];
    const y = a[i + 1];
    const z = a[i + 2];
    const u = b[j];
    const v = b[j + 1];
    const w = b[j + 2];
    const sine = nx * (y * w - z * v) + ny * (z * u - x * w) + nz * (x * v - y * u);
    const cosine = x * u + y * v + z * w - d * d;
    let angle = atan2(sine, cosine);
    if (angle < 0) angle = turned === 1 || (turned === 2 && angle > -SAME_POINT) ? 0 : angle + 2 * Math.PI;
    this.note(1, a, i, b, j, angle);
  }

  /** A sector of the circle; (x, y, z) leads from the first end of its arc to the last. */
  private sector(angle: number, x: number, y: number, z: number): void {
    const { nx, ny, nz, d, square: rho2, into, at, radius } = this;
    const area = 0.5 * rho2 * angle;
    // (q − p) × n
    const cx = y * nz - z * ny;
    const cy = z * nx - x * nz;
    const cz = x * ny - y * nx;
    this.area += area;
    this.mx += area * d * nx + (rho2 / 3) * cx;
    this.my += area * d * ny + (rho2 / 3) * cy;
    this.mz += area * d * nz + (rho2 / 3) * cz;
    const depth = radius - Math.abs(d);
    const solid = (angle * depth) / radius;
    const volume = (angle * depth * depth * (3 * radius - depth)) / 6;
    into[at + PART.solidAngle] += d < 0 ? 0 - solid : solid;
    into[at + PART.volume] += d < 0 ? volume : 0 - volume;
    this.addSlide(angle, cx, cy, cz);
  }

  /** n (d n θ + c)ᵀ, c = (q − p) × n of an arc */
  private addSlide(angle: number, cx: number, cy: number, cz: number): void {
    const { nx, ny, nz, d, into, at } = this;
    const gx = d * nx * angle + cx;
    const gy = d * ny * angle + cy;
    const gz = d * nz * angle + cz;
    const s = at + PART.slide;
    into[s] += nx * gx;
    into[s + 1] += nx * gy;
    into[s + 2] += nx * gz;
    into[s + 3] += ny * gx;
    into[s + 4] += ny * gy;
    into[s + 5] += ny * gz;
    into[s + 6] += nz * gx;
    into[s + 7] += nz * gy;
    into[s + 8] += nz * gz;
  }

  /** Whether the foot of the centre on the plane lies in the triangle. */
  private holdsFoot(): boolean {
    const { corners: c, nx, ny, nz, d } = this;
    const fx = d * nx;
    const fy = d * ny;
    const fz = d * nz;
    for (let i = 0; i < 9; i += 3) {
      const j = i === 6 ? 0 : i + 3;
      const ex = c[j] - c[i];
      const ey = c[j + 1] - c[i + 1];
      const ez = c[j + 2] - c[i + 2];
      const gx = fx - c[i];
      const gy = fy - c[i + 1];
      const gz = fz - c[i + 2];
      if (!(nx * (ey * gz - ez * gy) + ny * (ez * gx - ex * gz) + nz * (ex * gy - ey * gx) > 0)) return false;
    }
    return true;
  }

  private finish(): void {
    const { into, at, nx, ny, nz, mx, my, mz, d, area } = this;
    into[at + PART.area] = area;
    into[at + PART.vector] = area * nx;
    into[at + PART.vector + 1] = area * ny;
    into[at + PART.vector + 2] = area * nz;
    into[at + PART.first] = d * mx;
    into[at + PART.first + 1] = d * my;
    into[at + PART.first + 2] = d * mz;
    const g = at + PART.spread;
    into[g] = mx * nx;
    into[g + 1] = mx * ny;
    into[g + 2] = mx * nz;
    into[g + 3] = my * nx;
    into[g + 4] = my * ny;
    into[g + 5] = my * nz;
    into[g + 6] = mz * nx;
    into[g + 7] = mz * ny;
    into[g + 8] = mz * nz;
  }
}

const square = (v: Float64Array, at: number): number => v[at] * v[at] + v[at + 1] * v[at + 1] + v[at + 2] * v[at + 2];
function copy2(from: Float64Array, i: number, to: Float64Array, j: number): void {
  to[j] = from[i];
  to[j + 1] = from[i + 1];
  to[j + 2] = from[i + 2];
}
const copy = (from: Float64Array, i: number, to: Float64Array): void => copy2(from, i, to, 0);
