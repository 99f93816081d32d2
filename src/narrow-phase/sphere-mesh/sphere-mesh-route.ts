/**
 * A sphere against any closed mesh, as a route. A is the sphere.
 *
 * The depth is that of the spherical cap with the same V/|S| = x: from V = π δ² (R − δ/3) and |S| = π δ (2R − δ),
 *
 *   δ = 4 R x / (R + x + √((R + x)² − 8/3 R x)),       dδ/dx = (2R − δ)/√(…)
 *
 * so it is the exact depth on every flat, whatever its triangles, 2V/|S| to first order elsewhere, and never more than 2R. The row says
 * the same for the extent.
 *
 * Gradients: to move the mesh by u is to move everything by u and the sphere back by w = u(C), since turning a sphere about its centre
 * does nothing. With X the centroid, x = X − C, e = −x, u(C) = dx + dφ × e (ball-in-mesh.ts for G and T):
 *
 *   Q  = e × S           dV = −S · u(C)            dS = dφ × S + T u(C)
 *   dX = dx − P u(C),    P = 1 − K,    K = (G + x Sᵀ)/V
 */
import { ClosestPoint, closestPoint } from '../../geometry/closest-point.js';
import { locatePoint } from '../../geometry/point-location.js';
import { type ContactPatches, GRADIENT, PATCH } from '../contact-patches.js';
import { finishCentreLine } from '../overlap-gradient.js';
import type { Route, Separation, ShapePoses } from '../route.js';
import { turn, turnTensor } from '../turn.js';
import type { BallInMesh } from './ball-in-mesh.js';
import { PART } from './triangle-in-ball.js';

/** Rounding of a vector area that is zero, over the area summed up. */
const NO_DIRECTION = 1e-12;

export class SphereMeshRoute implements Route {
  readonly name = 'sphere–mesh';
  readonly mostRegions = Infinity;
  readonly patches = true;
  readonly curvature: number;
  /** 3: the sphere's centre in the mesh's frame, m */
  private readonly centre = new Float64Array(3);
  private readonly rotation = new Float64Array(9);
  private readonly closest = new ClosestPoint();
  /** of the region at work, world axes: S, x = X − C, G, T, and for contained ones the line between the centroids */
  private readonly vector = new Float64Array(3);
  private readonly arm = new Float64Array(3);
  private readonly spread = new Float64Array(9);
  private readonly slide = new Float64Array(9);
  private readonly line = new Float64Array(6);

  /**
   * @param radius of the sphere, m
   * @param ball   scratch of the mesh, in the frame of its poses; may serve many spheres
   * @param a, b   the places of sphere and mesh in the poses
   * @example new SphereMeshRoute(0.01, new BallInMesh(prepareMesh(formMesh(track))), 3, 0)
   */
  constructor(
    readonly radius: number,
    readonly ball: BallInMesh,
    readonly a: number,
    readonly b: number,
  ) {
    this.curvature = 1 / radius;
  }

  find(poses: ShapePoses, pair: number, patches: ContactPatches, gradients: boolean): void {
    this.place(poses);
    const count = this.ball.evaluate(this.centre, this.radius);
    for (let region = 0; region < count; region++) this.append(poses.position, pair, region, patches, gradients);
  }

  /** Exact. */
  separate(poses: ShapePoses, out: Separation): void {
    const { centre, closest, ball, radius, rotation } = this;
    const { tree } = ball.topology;
    this.place(poses);
    const [x, y, z] = centre;
    closestPoint(tree, x, y, z, closest);
    out.distance = Math.max(0, closest.distance - radius);
    if (out.distance > 0 && locatePoint(tree, x, y, z) >= 0) out.distance = 0;
    const scale = closest.distance > 0 ? 1 / closest.distance : 0;
    out.direction[0] = scale * (closest.x - x);
    out.direction[1] = scale * (closest.y - y);
    out.direction[2] = scale * (closest.z - z);
    turn(rotation, out.direction, 0);
    for (let k = 0; k < 3; k++) {
      const c = poses.position[3 * this.a + k];
      out.pointA[k] = c + radius * out.direction[k];
      out.pointB[k] = c + closest.distance * out.direction[k];
    }
  }

  private place({ position, rotation }: ShapePoses): void {
    const { centre, rotation: r, a, b } = this;
    for (let k = 0; k < 9; k++) r[k] = rotation[9 * b + k];
    const x = position[3 * a] - position[3 * b];
    const y = position[3 * a + 1] - position[3 * b + 1];
    const z = position[3 * a + 2] - position[3 * b + 2];
    for (let k = 0; k < 3; k++) centre[k] = r[k] * x + r[3 + k] * y + r[6 + k] * z;
  }

  private append(
    position: Float64Array,
    pair: number,
    region: number,
    patches: ContactPatches,
    gradients: boolean,
  ): void {
    const { ball, radius, rotation, vector: s, arm, spread, slide } = this;
    const { sums } = ball;
    const at = PART.length * region;
    const volume = sums[at + PART.volume];
    const area = radius * radius * sums[at + PART.solidAngle];
    const row = patches.add(pair, region);
    const i = 3 * row;
    patches.volume[row] = volume;
    patches.area[row] = area;
    patches.feature[2 * row + 1] = ball.triangle[region];

    // S, x, G in world axes
    for (let k = 0; k < 3; k++) {
      s[k] = sums[at + PART.vector + k];
      arm[k] = (sums[at + PART.first + k] + radius * radius * s[k]) / (4 * volume);
    }
    turn(rotation, s, 0);
    turn(rotation, arm, 0);
    for (let k = 0; k < 9; k++) spread[k] = sums[at + PART.spread + k];
    const size = Math.sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
    const contained = !(size > NO_DIRECTION * (area + sums[at + PART.area]));
    if (contained) s[0] = s[1] = s[2] = 0;
    const told = contained || this.holdsArm(volume / size, area);

    for (let k = 0; k < 3; k++) {
      const l = k === 2 ? 0 : k + 1;
      const m = k === 0 ? 2 : k - 1;
      const c = position[3 * this.a + k];
      patches.centroid[i + k] = c + arm[k];
      patches.patchCentroid[i + k] = area > 0 ? c + (radius * s[k]) / area : c + arm[k];
      patches.vectorArea[i + k] = s[k];
      patches.moment[i + k] = arm[m] * s[l] - arm[l] * s[m];
      patches.normal[i + k] = s[k] / size;
    }
    // ∫ r rᵀ dA over the sphere = R (V 1 − G), symmetric but for rounding; then about the patch's centroid
    const second = patches.secondMoments;
    const j = 6 * row;
    second[j] = radius * (volume - spread[0]);
    second[j + 1] = radius * (volume - spread[4]);
    second[j + 2] = radius * (volume - spread[8]);
    second[j + 3] = -0.5 * radius * (spread[1] + spread[3]);
    second[j + 4] = -0.5 * radius * (spread[2] + spread[6]);
    second[j + 5] = -0.5 * radius * (spread[5] + spread[7]);
    turnTensor(rotation, second, j);
    if (area > 0) {
      const f = (radius * radius) / area;
      second[j] -= f * s[0] * s[0];
      second[j + 1] -= f * s[1] * s[1];
      second[j + 2] -= f * s[2] * s[2];
      second[j + 3] -= f * s[0] * s[1];
      second[j + 4] -= f * s[0] * s[2];
      second[j + 5] -= f * s[1] * s[2];
    }

    // depth of the cap with the same V/|S|
    const x = contained ? 0 : volume / size;
    const root = Math.sqrt((radius + x) * (radius + x) - (8 / 3) * radius * x);
    const depth = contained ? Math.min(2 * radius, ball.topology.size) : (4 * radius * x) / (radius + x + root);
    patches.depth[row] = patches.extent[row] = depth;
    if (contained) {
      patches.flags[row] |= PATCH.contained;
      this.setCentreLine(patches.normal, i);
    }
    if (!gradients) return;
    turnMatrix(rotation, spread);
    for (let k = 0; k < 9; k++) slide[k] = sums[at + PART.slide + k];
    turnMatrix(rotation, slide);
    this.differentiate(patches, row, volume, contained ? 0 : size, contained ? 0 : (2 * radius - depth) / root, told);
    if (contained) finishCentreLine(patches, row, this.line);
  }

  /**
   * The centroid X = C + x is where the overlap is. Where a corner reaches in by a billionth of R, x is a difference of numbers R²/δ times as large and lost in their rounding: then the
   * middle of the sphere's part, which is as near as the overlap is wide, takes its place, and false is returned. No overlap reaches farther from there than 4 √(R δ), δ ≈ 2V/|S|.
   */
  private holdsArm(x: number, area: number): boolean {
    const { radius, arm, vector: s } = this;
    if (!(area > 0)) return true;
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const off = arm[k] - (radius * s[k]) / area;
      square += off * off;
    }
    if (square <= 32 * radius * x) return true;
    for (let k = 0; k < 3; k++) arm[k] = (radius * s[k]) / area;
    return false;
  }

  /**
   * @param size  |S|, 0 without a direction
   * @param slope dδ/d(V/|S|)
   * @param told  false: the centroid goes with the ball
   */
  private differentiate(
    patches: ContactPatches,
    row: number,
    volume: number,
    size: number,
    slope: number,
    told: boolean,
  ): void {
    const { vector: s, arm: x, spread, slide } = this;
    const { gradient, normal, moment } = patches;
    const g = 54 * row;
    const i = 3 * row;
    for (let l = 0; l < 3; l++) {
      gradient[g + l] = 0 - s[l];
      gradient[g + 3 + l] = 0 - moment[i + l];
    }
    // centroid: rows of P, against dx and against dφ × e: P_k · (dφ × e) = (e × P_k) · dφ, e = −x
    for (let k = 0; k < 3; k++) {
      const at = g + GRADIENT.centroid + 6 * k;
      for (let l = 0; l < 3; l++) gradient[at + l] = told ? (spread[3 * k + l] + x[k] * s[l]) / volume : 0;
      const px = (k === 0 ? 1 : 0) - gradient[at];
      const py = (k === 1 ? 1 : 0) - gradient[at + 1];
      const pz = (k === 2 ? 1 : 0) - gradient[at + 2];
      gradient[at + 3] = x[1] * pz - x[2] * py;
      gradient[at + 4] = x[2] * px - x[0] * pz;
      gradient[at + 5] = x[0] * py - x[1] * px;
    }
    if (!(size > 0)) return;
    const nx = normal[i];
    const ny = normal[i + 1];
    const nz = normal[i + 2];
    for (let l = 0; l < 6; l++) {
      let dx: number;
      let dy: number;
      let dz: number;
      if (l < 3) {
        dx = slide[l];
        dy = slide[3 + l];
        dz = slide[6 + l];
      } else {
        // dφ along axis c: T (c × e) + c × S
        const c = l - 3;
        const a = c === 2 ? 0 : c + 1;
        const b = c === 0 ? 2 : c - 1;
        // c × e has components −e_b on a and e_a on b, e = −x
        dx = slide[a] * x[b] - slide[b] * x[a];
        dy = slide[3 + a] * x[b] - slide[3 + b] * x[a];
        dz = slide[6 + a] * x[b] - slide[6 + b] * x[a];
        if (c === 0) {
          dy -= s[2];
          dz += s[1];
        } else if (c === 1) {
          dx += s[2];
          dz -= s[0];
        } else {
          dx -= s[1];
          dy += s[0];
        }
      }
      const along = nx * dx + ny * dy + nz * dz;
      gradient[g + GRADIENT.vectorArea + l] = along;
      gradient[g + GRADIENT.normal + l] = (dx - nx * along) / size;
      gradient[g + GRADIENT.normal + 6 + l] = (dy - ny * along) / size;
      gradient[g + GRADIENT.normal + 12 + l] = (dz - nz * along) / size;
      gradient[g + GRADIENT.depth + l] = (slope * (gradient[g + l] - (volume / size) * along)) / size;
    }
  }

  /** Direction from the sphere's centre to the mesh's centroid; z if they coincide. Leaves the line for the gradient. */
  private setCentreLine(into: Float64Array, at: number): void {
    const { line, centre, arm, rotation } = this;
    const { centroid } = this.ball.topology;
    for (let k = 0; k < 3; k++) line[k] = centroid[k] - centre[k];
    turn(rotation, line, 0);
    for (let k = 0; k < 3; k++) line[3 + k] = line[k] - arm[k];
    const size = Math.sqrt(line[0] * line[0] + line[1] * line[1] + line[2] * line[2]);
    for (let k = 0; k < 3; k++) into[at + k] = size > 0 ? line[k] / size : k === 2 ? 1 : 0;
  }
}

/** M ← R M Rᵀ, both 9 by rows. */
function turnMatrix(r: Float64Array, m: Float64Array): void {
  for (let k = 0; k < 9; k += 3) turn(r, m, k);
  for (let k = 0; k < 3; k++) {
    const x = m[k];
    const y = m[k + 3];
    const z = m[k + 6];
    m[k] = r[0] * x + r[1] * y + r[2] * z;
    m[k + 3] = r[3] * x + r[4] * y + r[5] * z;
    m[k + 6] = r[6] * x + r[7] * y + r[8] * z;
  }
}
