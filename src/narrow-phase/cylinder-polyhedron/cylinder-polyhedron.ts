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
 * and the first two carry the derivative of S (overlap-gradient.ts). Where the corners are: cylinder-corners.ts.
 */
import { cos, sin } from '../../math/elementary.js';
import { GAUSS_3, GAUSS_6 } from '../../math/gauss-legendre.js';
import type { OverlapGradient } from '../overlap-gradient.js';
import { CylinderCorners, EDGE, LINE, UPRIGHT } from './cylinder-corners.js';

/** Slope, over the radius, from which a cut is followed up the side: around it, its height would be told by a small difference over a small n_z. */
const STEEP = 1e4;
/** Longest piece of an angle that Gauss's nodes are laid on, rad */
const LONGEST = 0.5;

const { nodes: NODE, weights: WEIGHT } = GAUSS_6;
const { nodes: STRAIGHT_NODE, weights: STRAIGHT_WEIGHT } = GAUSS_3;

/** Sums over an overlap, about o in the turned axes. */
export class CylinderPolyhedron extends CylinderCorners {
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

  // ---- side -----------------------------------------------------------------------------------------------------------------------

  private clear(): void {
    const { planes, local, count, half, oz } = this;
    // the ends come after the faces
    this.clearSums(count + 2);
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
    this.addPlaneFigures(this.count);
    if (this.mostFace >= 0) this.mostFace = this.active[this.mostFace];
    return this.volume > 0 && this.areaA > 0;
  }

  /** How far the overlap goes along n (turned axes): its corners, the points of its borders, and the line of the side that faces −n, m */
  extent(nx: number, ny: number, nz: number): number {
    const { radius: R, b, range } = this;
    this.span(nx, ny, nz, range);
    let low = range[0];
    const high = range[1];
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
