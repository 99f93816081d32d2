/**
 * A ball of A against the surface of B: what all closed forms have in common.
 *
 * With c the ball's centre, r its radius, g(c) the signed distance of c from B's surface (negative inside) and X the centroid,
 *
 *   n = −∇g,   d = r − g,   X = c + λ n,   V = V(d, κ),   λ = λ(d, κ)         ball-overlap.ts
 *
 * κ is the curvature of the sphere that stands for B's surface at the nearest point; where B is curved differently in two directions
 * by κ₁, κ₂, the sphere that leaves the same Hertz contact to first order (Johnson, Contact Mechanics, 1985, §4.2: equivalent radius
 * √(R′R″)) and the same volume V = π d² √(R′R″) of the overlapping paraboloids:
 *
 *   1/r + κ = √((1/r + κ₁)(1/r + κ₂))
 *
 * If B is displaced by dx and turned by dφ about X, its material at c moves by u = dx + dφ × (c − X) = dx − λ dφ × n. Then
 *
 *   dd = −n · u = −n · dx,     dn = dφ × n + H u,     dκ = −k · u
 *
 * with H = ∇∇g and k = ∇κ. Every gradient follows from these, and S = V_d n + V_κ k, Q = −λ V_κ n × k: exactly the derivative of V.
 * k is zero but for narrow zones where a curved side passes into a rim or a round end; there κ is a function of the latitude
 * ν = −n · (pole) alone, and ∇ν = (pole + ν n)/f with f the distance of c from the rim or from the centre of the end.
 */
import { type ContactPatches, GRADIENT, PATCH } from '../contact-patches.js';
import type { Route, Separation, ShapePoses } from '../route.js';
import { BallOverlap } from './ball-overlap.js';

export class BallContact {
  /** Ball: centre in the world and radius, m */
  readonly centre = new Float64Array(3);
  radius = 0;
  /** n, from A to B, and d = r − g, m */
  readonly normal = new Float64Array(3);
  depth = 0;
  /** H = bend (1 − n nᵀ) + bendAlong t tᵀ, 1/m, with t a unit vector across n */
  bend = 0;
  bendAlong = 0;
  readonly tangent = new Float64Array(3);
  /** κ, 1/m, and its derivatives by the latitude; pole and f, m, where these are not zero */
  curvature = 0;
  curvatureByLatitude = 0;
  curvatureByLatitudes = 0;
  readonly pole = new Float64Array(3);
  arm = 1;
  featureA = -1;
  featureB = -1;
  readonly overlap = new BallOverlap();

  /** A surface that is flat, or bent equally all round; the rest is to be set after. */
  set(depth: number, curvature: number, bend: number): void {
    this.depth = depth;
    this.curvature = curvature;
    this.bend = bend;
    this.bendAlong = this.curvatureByLatitude = this.curvatureByLatitudes = 0;
    this.arm = 1;
    this.featureA = this.featureB = -1;
  }

  /** Appends a row and returns its place. */
  append(patches: ContactPatches, pair: number, region: number, gradients: boolean): number {
    const { overlap, normal, centre, pole } = this;
    const row = patches.add(pair, region);
    overlap.evaluate(this.radius, this.curvature, this.depth);
    const nx = normal[0];
    const ny = normal[1];
    const nz = normal[2];
    // k = ∇κ
    const varies = this.curvatureByLatitude !== 0;
    const latitude = varies ? -(pole[0] * nx + pole[1] * ny + pole[2] * nz) : 0;
    const steep = this.curvatureByLatitude / this.arm;
    const kx = varies ? steep * (pole[0] + latitude * nx) : 0;
    const ky = varies ? steep * (pole[1] + latitude * ny) : 0;
    const kz = varies ? steep * (pole[2] + latitude * nz) : 0;
    const { volumeByDepth, volumeByCurvature: byK, centroid: lambda, momentAcross: across } = overlap;
    const along = overlap.momentAlong - across;

    patches.feature[2 * row] = this.featureA;
    patches.feature[2 * row + 1] = this.featureB;
    patches.flags[row] = overlap.contained ? PATCH.contained : 0;
    patches.volume[row] = overlap.volume;
    patches.depth[row] = patches.extent[row] = this.depth;
    patches.area[row] = overlap.area;
    const i = 3 * row;
    for (let c = 0; c < 3; c++) {
      patches.normal[i + c] = normal[c];
      patches.centroid[i + c] = centre[c] + lambda * normal[c];
      patches.patchCentroid[i + c] = centre[c] + overlap.patchCentroid * normal[c];
    }
    patches.vectorArea[i] = volumeByDepth * nx + byK * kx;
    patches.vectorArea[i + 1] = volumeByDepth * ny + byK * ky;
    patches.vectorArea[i + 2] = volumeByDepth * nz + byK * kz;
    if (varies) {
      const lever = lambda * byK;
      patches.moment[i] = lever * (nz * ky - ny * kz);
      patches.moment[i + 1] = lever * (nx * kz - nz * kx);
      patches.moment[i + 2] = lever * (ny * kx - nx * ky);
    }
    const j = 6 * row;
    patches.secondMoments[j] = across + along * nx * nx;
    patches.secondMoments[j + 1] = across + along * ny * ny;
    patches.secondMoments[j + 2] = across + along * nz * nz;
    patches.secondMoments[j + 3] = along * nx * ny;
    patches.secondMoments[j + 4] = along * nx * nz;
    patches.secondMoments[j + 5] = along * ny * nz;
    if (gradients) this.differentiate(patches.gradient, 54 * row, latitude);
    return row;
  }

  /** Signed distance of the ball from B; nearest points on the line along n. */
  separate(out: Separation): void {
    const distance = 0 - this.depth;
    out.distance = Math.max(0, distance);
    for (let c = 0; c < 3; c++) {
      const n = this.normal[c];
      out.direction[c] = n;
      out.pointA[c] = this.centre[c] + this.radius * n;
      out.pointB[c] = this.centre[c] + (this.radius + distance) * n;
    }
  }

  private differentiate(out: Float64Array, at: number, latitude: number): void {
    const { overlap, normal, tangent, pole, bend, bendAlong, arm } = this;
    const { volumeByDepth: s, volumeByDepths, volumeByCurvature, volumeByBoth, volumeByCurvatures } = overlap;
    const { centroid: lambda, centroidByDepth } = overlap;
    const slope = this.curvatureByLatitude;

    // |S|² = V_d² + V_κ² k² with k² = κ_ν² (1 − ν²)/f²; df = −dd, and dκ = κ_ν dν
    const square = 1 - latitude * latitude;
    const k2 = (slope * slope * square) / (arm * arm);
    const size = Math.sqrt(s * s + volumeByCurvature * volumeByCurvature * k2);
    const byK2 = volumeByCurvature * volumeByCurvature;
    let sizeByDepth = 0;
    let sizeByLatitude = 0;
    if (size > 0) {
      sizeByDepth = (s * volumeByDepths + volumeByCurvature * k2 * volumeByBoth + (byK2 * k2) / arm) / size;
      sizeByLatitude =
        (slope * (s * volumeByBoth + volumeByCurvature * k2 * volumeByCurvatures) +
          (byK2 * slope * (this.curvatureByLatitudes * square - slope * latitude)) / (arm * arm)) /
        size;
    }
    const volumeByLatitude = volumeByCurvature * slope;
    const centroidByLatitude = overlap.centroidByCurvature * slope;

    for (let column = 0; column < 6; column++) {
      const j = column % 3;
      const turn = column > 2;
      // u, and dφ × n for a unit of this column
      const l = j === 2 ? 0 : j + 1;
      const m = j === 0 ? 2 : j - 1;
      // e_j × n has −n_m in row l and n_l in row m
      const depthRate = turn ? 0 : -normal[j];
      let across = 0; // ∇ν · u
      let tangential = 0; // t · u
      if (turn) {
        tangential = -lambda * (tangent[m] * normal[l] - tangent[l] * normal[m]);
        if (slope !== 0) across = (-lambda * (pole[m] * normal[l] - pole[l] * normal[m])) / arm;
      } else {
        tangential = tangent[j];
        if (slope !== 0) across = (pole[j] + latitude * normal[j]) / arm;
      }
      const latitudeRate = -across;
      out[at + GRADIENT.volume + column] = s * depthRate + volumeByLatitude * latitudeRate;
      out[at + GRADIENT.depth + column] = depthRate;
      out[at + GRADIENT.vectorArea + column] = sizeByDepth * depthRate + sizeByLatitude * latitudeRate;
      const lambdaRate = centroidByDepth * depthRate + centroidByLatitude * latitudeRate;
      for (let c = 0; c < 3; c++) {
        const spin = turn ? (c === l ? -normal[m] : c === m ? normal[l] : 0) : 0;
        // (1 − n nᵀ) u: e_j − n_j n for a shift, −λ e_j × n for a turn
        const flat = turn ? -lambda * spin : (c === j ? 1 : 0) - normal[j] * normal[c];
        const turned = bend === 0 ? spin : spin + bend * flat;
        const rate = bendAlong === 0 ? turned : turned + bendAlong * tangential * tangent[c];
        out[at + GRADIENT.normal + 6 * c + column] = rate;
        out[at + GRADIENT.centroid + 6 * c + column] = lambda * rate + lambdaRate * normal[c];
      }
    }
  }
}

/** A pair with one ball against the nearest place of B's surface. */
export abstract class BallRoute implements Route {
  abstract readonly name: string;
  readonly mostRegions: number = 1;
  readonly patches = true;
  protected readonly contact = new BallContact();

  constructor(
    readonly a: number,
    readonly b: number,
    readonly radius: number,
    readonly curvature: number,
  ) {
    this.contact.radius = radius;
  }

  /** Fills `contact` but for the centre. */
  protected abstract locate(poses: ShapePoses): void;

  find(poses: ShapePoses, pair: number, patches: ContactPatches, gradients: boolean): void {
    this.place(poses);
    if (this.contact.depth > 0) this.contact.append(patches, pair, 0, gradients);
  }

  separate(poses: ShapePoses, out: Separation): void {
    this.place(poses);
    this.contact.separate(out);
  }

  private place(poses: ShapePoses): void {
    for (let c = 0; c < 3; c++) this.contact.centre[c] = poses.position[3 * this.a + c];
    this.locate(poses);
  }
}

/** The ball's centre in the frame of shape `b`, m. */
export function intoFrame(poses: ShapePoses, b: number, centre: Float64Array, out: Float64Array): void {
  const { position, rotation: r } = poses;
  const x = centre[0] - position[3 * b];
  const y = centre[1] - position[3 * b + 1];
  const z = centre[2] - position[3 * b + 2];
  const at = 9 * b;
  out[0] = r[at] * x + r[at + 3] * y + r[at + 6] * z;
  out[1] = r[at + 1] * x + r[at + 4] * y + r[at + 7] * z;
  out[2] = r[at + 2] * x + r[at + 5] * y + r[at + 8] * z;
}

/** A vector of the frame of shape `b` in world axes. */
export function outOfFrame(poses: ShapePoses, b: number, x: number, y: number, z: number, out: Float64Array): void {
  const { rotation: r } = poses;
  for (let k = 0; k < 3; k++) out[k] = r[9 * b + 3 * k] * x + r[9 * b + 3 * k + 1] * y + r[9 * b + 3 * k + 2] * z;
}

/** κ of a ball of radius r on the side of a cylinder of radius R: κ₁ = 1/R, κ₂ = 0; without cancellation for r ≪ R. */
export function sideCurvature(r: number, side: number): number {
  // √((1/r)(1/r + 1/R)) − 1/r = (√(1 + r/R) − 1)/r
  return 1 / (side * (Math.sqrt(1 + r / side) + 1));
}
