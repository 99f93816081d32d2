/**
 * The planes of a solid B seen from a point near a much smaller solid A, in twice the digits: a chip rests on a block of a kilometre with a depth
 * below the rounding of the block's size, and R_Aᵀ (p_B − p_A) would have the rounding of R_A times the distance of the frames.
 *
 *   s = R_Bᵀ ((p_A − p_B) + R_A o),        offset of a face from o: d − n · s
 *
 *   o     a point near A, in A's frame, m
 *   n, d  normal and offset of the face in B's frame
 */
import { CompensatedSum } from '../../math/compensated-sum.js';
import type { Separation, ShapePoses } from '../route.js';
import type { ConvexSolid } from './convex-solid.js';

/** How many times A's size B is at least where this is worth its time */
export const MUCH_LARGER = 64;
/** Error of a distance found with all of B's digits, over B's size */
const NOISE = 64 * 2.220446049250313e-16;

export class DistantFaces {
  private readonly sum = new CompensatedSum();
  /** 6: the vector and what its rounding leaves out, m: from B's frame to o in world's axes, and s */
  private readonly way = new Float64Array(6);
  private readonly place = new Float64Array(6);
  private readonly origin = new Float64Array(3);

  /** @param origin 3: o in A's frame, m */
  lookFrom({ position, rotation }: ShapePoses, a: number, b: number, origin: Float64Array): void {
    const { sum, way, place } = this;
    for (let k = 0; k < 3; k++) {
      sum.begin();
      sum.add(position[3 * a + k]);
      sum.add(0 - position[3 * b + k]);
      for (let j = 0; j < 3; j++) sum.addProduct(rotation[9 * a + 3 * k + j], origin[j]);
      way[k] = sum.value;
      way[3 + k] = sum.remainder;
    }
    for (let k = 0; k < 3; k++) {
      sum.begin();
      for (let j = 0; j < 3; j++) {
        sum.addProduct(rotation[9 * b + 3 * j + k], way[j]);
        sum.add(rotation[9 * b + 3 * j + k] * way[3 + j]);
      }
      place[k] = sum.value;
      place[3 + k] = sum.remainder;
    }
  }

  /** Of a face of B from o, m */
  offset({ normals, offsets }: ConvexSolid, f: number): number {
    const { sum, place } = this;
    sum.begin();
    sum.add(offsets[f]);
    for (let k = 0; k < 3; k++) {
      sum.addProduct(0 - normals[3 * f + k], place[k]);
      sum.add(0 - normals[3 * f + k] * place[3 + k]);
    }
    return sum.value;
  }

  /**
   * A distance that is within the rounding of B's size of how far A is in front of a face of B becomes this; so that what is apart by less than
   * the rounding, and what overlaps, are told from each other.
   */
  refine(solidA: ConvexSolid, solidB: ConvexSolid, a: number, b: number, poses: ShapePoses, out: Separation): void {
    const { origin } = this;
    const { rotation, position } = poses;
    const { corners } = solidA;
    for (let k = 0; k < 3; k++) origin[k] = Math.fround(solidA.middle[k]);
    this.lookFrom(poses, a, b, origin);
    let gap = -Infinity;
    let face = 0;
    let nearest = 0;
    for (let f = 0; f < solidB.faceCount; f++) {
      this.turnNormal(solidB, f, b, rotation);
      const { way: n } = this;
      // along the normal, in A's axes
      let x = 0;
      let y = 0;
      let z = 0;
      for (let j = 0; j < 3; j++) {
        x += rotation[9 * a + 3 * j] * n[j];
        y += rotation[9 * a + 3 * j + 1] * n[j];
        z += rotation[9 * a + 3 * j + 2] * n[j];
      }
      let least = Infinity;
      let at = 0;
      for (let i = 0; i < corners.length; i += 3) {
        const h = x * (corners[i] - origin[0]) + y * (corners[i + 1] - origin[1]) + z * (corners[i + 2] - origin[2]);
        if (h < least) {
          least = h;
          at = i;
        }
      }
      const height = least - this.offset(solidB, f);
      if (height > gap) {
        gap = height;
        face = f;
        nearest = at;
      }
    }
    if (out.distance > Math.max(gap, 0) + NOISE * solidB.size) return;
    out.distance = Math.max(gap, 0);
    if (!(gap > 0)) return;
    this.turnNormal(solidB, face, b, rotation);
    for (let k = 0; k < 3; k++) {
      const i = 9 * a + 3 * k;
      const corner =
        rotation[i] * corners[nearest] +
        rotation[i + 1] * corners[nearest + 1] +
        rotation[i + 2] * corners[nearest + 2];
      out.direction[k] = 0 - this.way[k];
      out.pointA[k] = corner + position[3 * a + k];
      out.pointB[k] = out.pointA[k] - gap * this.way[k];
    }
  }

  /** A face's normal in the world's axes, into `way` */
  private turnNormal({ normals }: ConvexSolid, f: number, b: number, rotation: Float64Array): void {
    for (let k = 0; k < 3; k++) {
      const i = 9 * b + 3 * k;
      this.way[k] =
        rotation[i] * normals[3 * f] + rotation[i + 1] * normals[3 * f + 1] + rotation[i + 2] * normals[3 * f + 2];
    }
  }
}
