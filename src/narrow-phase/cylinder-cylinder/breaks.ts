/**
 * Angles of a cylinder's side at which what bounds its lines in another cylinder changes, and so all in between is smooth:
 *
 *   its rims on the other's side             circle and cylinder, at most 4 each
 *   its rims in the planes of the other's ends       2 each
 *   the other's rims on its side             at most 4 each, told as angles here
 *   lines that touch the other's side        |(r − c′) · (a × a′)| = R′ sin γ: 2 on either side
 *
 * Towards the last the length of lines goes as a root. That is so beside them too, where a piece ends elsewhere, and where lines only nearly touch: the angle is then a complex one.
 */

import { circleRoots, lineRoots } from '../../math/circle-roots.js';
import { atan2, cos, sin } from '../../math/elementary.js';
import { ALONG, type Bar } from './bar.js';

const MOST = 64;
/** Where a piece ends at a touching line it does so to rounding, rad */
const SAME = 1e-9;
const roots = new Float64Array(8);
const D = new Float64Array(3);

export class Breaks {
  /** Ascending, in [−π, π] */
  readonly angles = new Float64Array(MOST);
  count = 0;
  /** Lines that touch the other's side, or would at a complex angle: its real and its imaginary part */
  private readonly touching = new Float64Array(4);
  private readonly aside = new Float64Array(4);
  private touches = 0;

  find(bar: Bar, other: Bar): void {
    this.count = this.touches = 0;
    for (let end = 0; end < 2; end++) {
      const own = end === 0 ? bar.lowEnd : bar.highEnd;
      const onSide = rimOnSide(bar, bar.radius, own, other, other.radius + bar.grown);
      for (let i = 0; i < onSide; i++) this.add(roots[i]);
      const theirs = bar.endOf(other, end === 1);
      const onOwn = rimOnSide(other, other.radius + bar.grown, theirs, bar, bar.radius);
      for (let i = 0; i < onOwn; i++) this.add(angleOf(bar, other, roots[i], theirs));
      for (let high = 0; high < 2; high++) this.addPlane(bar, own, other, bar.endOf(other, high === 1));
    }
    this.addTangents(bar, other);
    this.angles.subarray(0, this.count).sort();
  }

  private add(phi: number): void {
    this.angles[this.count++] = phi;
  }

  /** Where the circle of the side at the height s lies in the plane r · a′ = limit */
  private addPlane(bar: Bar, s: number, other: Bar, limit: number): void {
    const { c, u, v, a, radius } = bar;
    const b = other.a;
    const found = lineRoots(radius * dot(u, b), radius * dot(v, b), limit - dot(c, b) - s * dot(a, b), roots);
    for (let i = 0; i < found; i++) this.add(roots[i]);
  }

  private addTangents(bar: Bar, other: Bar): void {
    const { c, u, v, a, radius } = bar;
    const b = other.a;
    D[0] = a[1] * b[2] - a[2] * b[1];
    D[1] = a[2] * b[0] - a[0] * b[2];
    D[2] = a[0] * b[1] - a[1] * b[0];
    const sine = Math.sqrt(dot(D, D));
    if (!(sine > ALONG)) return;
    const R = (other.radius + bar.grown) * sine;
    const offset = dot(c, D) - dot(other.c, D);
    for (let sign = -1; sign <= 1; sign += 2) {
      const [x, y, d] = [radius * dot(u, D), radius * dot(v, D), sign * R - offset];
      const found = lineRoots(x, y, d, roots);
      for (let i = 0; i < found; i++) {
        this.add(roots[i]);
        this.touch(roots[i], 0);
      }
      // cosh ε = |d|/size of (x, y)
      if (found === 0)
        this.touch(d > 0 ? atan2(y, x) : atan2(0 - y, 0 - x), root(2 * (Math.abs(d) / (radius * sine) - 1)));
    }
  }

  private touch(phi: number, aside: number): void {
    this.touching[this.touches] = phi;
    this.aside[this.touches++] = aside;
  }

  /** How far a piece is from the nearest line that touches and is not its own end, rad */
  fromTouch(from: number, to: number): number {
    const { touching, aside, touches } = this;
    let nearest = Number.POSITIVE_INFINITY;
    for (let i = 0; i < touches; i++)
      for (let turn = -1; turn <= 1; turn++) {
        const phi = touching[i] + 2 * Math.PI * turn;
        const gap = Math.max(from - phi, phi - to, 0);
        if (aside[i] === 0 && (Math.abs(phi - from) < SAME || Math.abs(phi - to) < SAME)) continue;
        nearest = Math.min(nearest, root(gap * gap + aside[i] * aside[i]));
      }
    return nearest;
  }
}

const root = (x: number): number => Math.sqrt(Math.max(0, x));

/** Angles at which the circle of `bar` with the given radius, at the height s, meets the side of `other` if that has the radius R; into `roots` */
function rimOnSide({ c, u, v, a }: Bar, radius: number, s: number, other: Bar, R: number): number {
  const b = other.a;
  for (let k = 0; k < 3; k++) D[k] = c[k] + s * a[k] - other.c[k];
  const along = dot(D, b);
  for (let k = 0; k < 3; k++) D[k] -= along * b[k];
  const ub = radius * dot(u, b);
  const vb = radius * dot(v, b);
  return circleRoots(
    dot(D, D) + (radius - R) * (radius + R) - 0.5 * (ub * ub + vb * vb),
    2 * radius * dot(D, u),
    2 * radius * dot(D, v),
    0.5 * (vb * vb - ub * ub),
    0 - ub * vb,
    roots,
  );
}

/** Angle on `bar` of the point of `other`'s side at the angle ψ and the height s */
function angleOf(bar: Bar, other: Bar, psi: number, s: number): number {
  const { c, u, v, a, radius } = other;
  const cosine = radius * cos(psi);
  const sine = radius * sin(psi);
  for (let k = 0; k < 3; k++) D[k] = c[k] + cosine * u[k] + sine * v[k] + s * a[k] - bar.c[k];
  return atan2(dot(D, bar.v), dot(D, bar.u));
}

const dot = (p: Float64Array, q: Float64Array): number => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
