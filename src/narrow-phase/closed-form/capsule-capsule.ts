/**
 * Two capsules: the balls about the two nearest points of their axes, P = c_A + s a and Q = c_B + t b, |s| ≤ ℓ_A, |t| ≤ ℓ_B.
 *
 * If the axes are parallel, the nearest points are not unique, and the point of contact would jump from end to end with the sign of
 * an angle. So the capsules are crowned, as rollers in bearings are: thinner by CROWN of the radius at the ends of the axis,
 *
 *   D² = |Q − P|² + ε_A s² + ε_B t²,     ε_A = 2 CROWN r_A (r_A + r_B)/ℓ_A²,     d = r_A + r_B − D
 *
 * with s and t where D is least: one place always, that moves continuously, along the capsules while they tip against each other by
 * about 2 CROWN (r_A + r_B)/ℓ. At the minimum dD is that at fixed s and t, so with w = Q − P, n = w/|w| and u the displacement of B's material at Q
 *
 *   dd = −(|w|/D) n · u
 *
 * and force and depth do the same work. ds and dt follow from −a · w + ε_A s = 0 and b · w + ε_B t = 0, or are 0 at an end.
 *
 * Volume and areas are those of the lens of the two balls, which is all there is where ends meet, and less than the overlap where
 * capsules cross (its volume is √(r_A r_B)/sin θ, that of the lens r_A r_B/(r_A + r_B) times π d²) or lie along each other.
 *
 * Nearest points of segments: Ericson, Real-Time Collision Detection (2005), §5.1.9; its steps hold for every convex quadratic.
 */
import { type ContactPatches, GRADIENT } from '../contact-patches.js';
import type { Route, Separation, ShapePoses } from '../route.js';
import { BallContact } from './ball-contact.js';
import { CAPSULE } from './sphere-capsule.js';

/** By how much of its radius a capsule is thinner at the ends of its axis than in the middle. */
export const CROWN = 1e-4;

export class CapsuleCapsule implements Route {
  readonly name = 'capsule–capsule';
  readonly mostRegions = 1;
  readonly patches = true;
  readonly curvature = 0;
  private readonly halfA: number;
  private readonly halfB: number;
  private readonly crownA: number;
  private readonly crownB: number;
  private readonly contact = new BallContact();
  private readonly axisA = new Float64Array(3);
  private readonly axisB = new Float64Array(3);
  /** of the last nearest points: s, t, whether they are free to move, |w| */
  private s = 0;
  private t = 0;
  private freeA = false;
  private freeB = false;
  private length = 0;

  constructor(
    readonly a: number,
    readonly b: number,
    readonly radiusA: number,
    heightA: number,
    readonly radiusB: number,
    heightB: number,
  ) {
    const sum = radiusA + radiusB;
    this.halfA = heightA / 2;
    this.halfB = heightB / 2;
    this.crownA = (2 * CROWN * (radiusA / this.halfA) * sum) / this.halfA;
    this.crownB = (2 * CROWN * (radiusB / this.halfB) * sum) / this.halfB;
    this.contact.radius = radiusA;
  }

  find(poses: ShapePoses, pair: number, patches: ContactPatches, gradients: boolean): void {
    const { contact } = this;
    const distance = this.nearest(poses);
    const { length, s, t } = this;
    const depth = this.radiusA + this.radiusB - distance;
    if (!(depth > 0)) return;
    contact.set(depth, 1 / this.radiusB, 0);
    contact.featureA = this.freeA ? CAPSULE.side : s < 0 ? CAPSULE.bottom : CAPSULE.top;
    contact.featureB = this.freeB ? CAPSULE.side : t < 0 ? CAPSULE.bottom : CAPSULE.top;
    const row = contact.append(patches, pair, 0, false);
    const share = distance > 0 ? length / distance : 1;
    // the lens is that of balls D apart: put in the middle between P and Q
    const shift = 0.5 * (length - distance);
    for (let k = 0; k < 3; k++) {
      patches.vectorArea[3 * row + k] *= share;
      patches.centroid[3 * row + k] += shift * contact.normal[k];
      patches.patchCentroid[3 * row + k] += shift * contact.normal[k];
    }
    if (gradients) this.differentiate(patches.gradient, 54 * row, distance, share);
  }

  separate(poses: ShapePoses, out: Separation): void {
    const { contact } = this;
    // Of the crowned ones, as `find` sees them: the micrometre between them and the round ones would be crossed in the steps of an impact. dD is at most the shift, so D − r_A − r_B is never
    // more than the distance, and less by CROWN of it.
    const distance = this.nearest(poses);
    contact.set(this.radiusA + this.radiusB - distance, 0, 0);
    contact.separate(out);
  }

  /** Finds where |w|² + ε_A s² + ε_B t² = D² is least; gives D, m. */
  private nearest({ position, rotation }: ShapePoses): number {
    const { a, b, axisA, axisB, contact, halfA, halfB, crownA, crownB } = this;
    for (let k = 0; k < 3; k++) {
      axisA[k] = rotation[9 * a + 3 * k + 2];
      axisB[k] = rotation[9 * b + 3 * k + 2];
    }
    const dx = position[3 * b] - position[3 * a];
    const dy = position[3 * b + 1] - position[3 * a + 1];
    const dz = position[3 * b + 2] - position[3 * a + 2];
    const alongA = axisA[0] * dx + axisA[1] * dy + axisA[2] * dz;
    const alongB = axisB[0] * dx + axisB[1] * dy + axisB[2] * dz;
    const cosine = axisA[0] * axisB[0] + axisA[1] * axisB[1] + axisA[2] * axisB[2];
    const cx = axisA[1] * axisB[2] - axisA[2] * axisB[1];
    const cy = axisA[2] * axisB[0] - axisA[0] * axisB[2];
    const cz = axisA[0] * axisB[1] - axisA[1] * axisB[0];
    // (1 + ε_A)(1 + ε_B) − cos²θ, without cancellation
    const determinant = cx * cx + cy * cy + cz * cz + crownA + crownB + crownA * crownB;
    // (1 + ε_A) s − cos θ t = a · d,   −cos θ s + (1 + ε_B) t = −b · d
    let s = determinant > 0 ? clamp(((1 + crownB) * alongA - cosine * alongB) / determinant, halfA) : 0;
    let t = (cosine * s - alongB) / (1 + crownB);
    if (Math.abs(t) > halfB) {
      t = t < 0 ? -halfB : halfB;
      s = clamp((cosine * t + alongA) / (1 + crownA), halfA);
    }
    this.s = s;
    this.t = t;
    this.freeA = Math.abs(s) < halfA;
    this.freeB = Math.abs(t) < halfB;
    const wx = dx + t * axisB[0] - s * axisA[0];
    const wy = dy + t * axisB[1] - s * axisA[1];
    const wz = dz + t * axisB[2] - s * axisA[2];
    const length = Math.sqrt(wx * wx + wy * wy + wz * wz);
    const inverse = length > 0 ? 1 / length : 0;
    this.length = length;
    contact.normal[0] = wx * inverse;
    contact.normal[1] = wy * inverse;
    contact.normal[2] = length > 0 ? wz * inverse : 1;
    for (let k = 0; k < 3; k++) contact.centre[k] = position[3 * a + k] + s * axisA[k];
    return Math.sqrt(length * length + crownA * s * s + crownB * t * t);
  }

  private differentiate(out: Float64Array, at: number, distance: number, share: number): void {
    const { axisA, axisB, contact, length, crownA, crownB } = this;
    const { normal, overlap } = contact;
    const { volumeByDepth } = overlap;
    const lambda = overlap.centroid + 0.5 * (length - distance);
    const inverse = length > 0 ? 1 / length : 0;
    const cosine = axisA[0] * axisB[0] + axisA[1] * axisB[1] + axisA[2] * axisB[2];
    const nx = normal[0];
    const ny = normal[1];
    const nz = normal[2];
    for (let column = 0; column < 6; column++) {
      const turn = column > 2;
      const ex = column === 0 || column === 3 ? 1 : 0;
      const ey = column === 1 || column === 4 ? 1 : 0;
      const ez = column === 2 || column === 5 ? 1 : 0;
      // displacement of B's material at Q, and of the axis b
      const lever = length - lambda;
      const ux = turn ? lever * (ey * nz - ez * ny) : ex;
      const uy = turn ? lever * (ez * nx - ex * nz) : ey;
      const uz = turn ? lever * (ex * ny - ey * nx) : ez;
      const bx = turn ? ey * axisB[2] - ez * axisB[1] : 0;
      const by = turn ? ez * axisB[0] - ex * axisB[2] : 0;
      const bz = turn ? ex * axisB[1] - ey * axisB[0] : 0;
      // (1 + ε_A) ds − cos θ dt = a · u,   −cos θ ds + (1 + ε_B) dt = −b · u − w · db
      const first = axisA[0] * ux + axisA[1] * uy + axisA[2] * uz;
      const second = -(axisB[0] * ux + axisB[1] * uy + axisB[2] * uz) - length * (nx * bx + ny * by + nz * bz);
      let ds = 0;
      let dt = 0;
      if (this.freeA && this.freeB) {
        const determinant = this.determinant(crownA, crownB);
        ds = ((1 + crownB) * first + cosine * second) / determinant;
        dt = ((1 + crownA) * second + cosine * first) / determinant;
      } else if (this.freeA) ds = first / (1 + crownA);
      else if (this.freeB) dt = second / (1 + crownB);
      const wx = ux + dt * axisB[0] - ds * axisA[0];
      const wy = uy + dt * axisB[1] - ds * axisA[1];
      const wz = uz + dt * axisB[2] - ds * axisA[2];
      const stretch = nx * wx + ny * wy + nz * wz;
      const depthRate = -share * (nx * ux + ny * uy + nz * uz);
      const shareRate = distance > 0 ? (stretch + share * depthRate) / distance : 0;
      out[at + GRADIENT.volume + column] = volumeByDepth * depthRate;
      out[at + GRADIENT.depth + column] = depthRate;
      out[at + GRADIENT.vectorArea + column] = share * overlap.volumeByDepths * depthRate + volumeByDepth * shareRate;
      const lambdaRate = (overlap.centroidByDepth + 0.5) * depthRate + 0.5 * stretch;
      for (let c = 0; c < 3; c++) {
        const w = c === 0 ? wx : c === 1 ? wy : wz;
        const rate = inverse * (w - stretch * normal[c]);
        out[at + GRADIENT.normal + 6 * c + column] = rate;
        out[at + GRADIENT.centroid + 6 * c + column] = ds * axisA[c] + lambdaRate * normal[c] + lambda * rate;
      }
    }
  }

  private determinant(crownA: number, crownB: number): number {
    const { axisA, axisB } = this;
    const cx = axisA[1] * axisB[2] - axisA[2] * axisB[1];
    const cy = axisA[2] * axisB[0] - axisA[0] * axisB[2];
    const cz = axisA[0] * axisB[1] - axisA[1] * axisB[0];
    return cx * cx + cy * cy + cz * cz + crownA + crownB + crownA * crownB;
  }
}

const clamp = (x: number, most: number): number => Math.max(-most, Math.min(most, x));
