/**
 * Points of pairs that are not both convex, or are idealized surfaces, by the route that the error-controlled path has for them. Where they overlap: a
 * row with an area A has four points at its centroid ± √(moments of A) along the principal axes and the gap −V/A, a row without one is a point with its
 * depth. Where they are apart: the nearest points with the distance, so that nothing is passed through.
 */
import { ContactPatches } from '../narrow-phase/contact-patches.js';
import { type Route, Separation } from '../narrow-phase/route.js';
import type { FoundPoints, PointFinder, Poses } from './found-points.js';

const PATCHES = new ContactPatches();
const SEPARATION = new Separation();
/** Of the smaller of the two: nearest points that are nearer to each other tell no direction but that of rounding */
const TOUCHING = 1e-9;

export class RouteFinder implements PointFinder {
  private readonly least: number;

  /** @param size m, of the smaller of the two */
  constructor(
    private readonly route: Route,
    size: number,
  ) {
    this.least = TOUCHING * size;
  }

  find(poses: Poses, margin: number, out: FoundPoints): void {
    const { route } = this;
    PATCHES.clear();
    route.find(poses, 0, PATCHES, false);
    const { normal } = PATCHES;
    let found = false;
    for (let p = 0; p < PATCHES.count; p++) {
      if (!(PATCHES.depth[p] > 0)) continue;
      found = true;
      out.open(normal[3 * p], normal[3 * p + 1], normal[3 * p + 2]);
      if (PATCHES.area[p] > 0 && route.curvature === 0) this.addPatch(p, out);
      else {
        const { centroid, depth } = PATCHES;
        out.add(centroid[3 * p], centroid[3 * p + 1], centroid[3 * p + 2], -depth[p]);
      }
      out.close();
    }
    if (found) return;
    route.separate(poses, SEPARATION);
    const { distance, direction, pointA, pointB } = SEPARATION;
    if (!(distance > this.least && distance < margin)) return;
    out.open(direction[0], direction[1], direction[2]);
    out.add(0.5 * (pointA[0] + pointB[0]), 0.5 * (pointA[1] + pointB[1]), 0.5 * (pointA[2] + pointB[2]), distance);
    out.close();
  }

  private addPatch(p: number, out: FoundPoints): void {
    const { area, volume, centroid, secondMoments, normal } = PATCHES;
    const r = out.regions - 1;
    const a = area[p];
    out.area[r] = a;
    const s = secondMoments;
    const at = 6 * p;
    for (let k = 0; k < 6; k++) out.moments[6 * r + k] = s[at + k] / a;
    const nx = normal[3 * p];
    const ny = normal[3 * p + 1];
    const nz = normal[3 * p + 2];
    // moments in a basis across the normal, and its principal axes
    const ax = Math.abs(nx);
    const ay = Math.abs(ny);
    const az = Math.abs(nz);
    let tx = 0;
    let ty = 0;
    let tz = 0;
    if (ax <= ay && ax <= az) tx = 1;
    else if (ay <= az) ty = 1;
    else tz = 1;
    const along = tx * nx + ty * ny + tz * nz;
    tx -= along * nx;
    ty -= along * ny;
    tz -= along * nz;
    const length = Math.sqrt(tx * tx + ty * ty + tz * tz);
    tx /= length;
    ty /= length;
    tz /= length;
    const wx = ny * tz - nz * ty;
    const wy = nz * tx - nx * tz;
    const wz = nx * ty - ny * tx;
    const form = (x: number, y: number, z: number, u: number, v: number, w: number): number =>
      (s[at] * x * u +
        s[at + 1] * y * v +
        s[at + 2] * z * w +
        s[at + 3] * (x * v + y * u) +
        s[at + 4] * (x * w + z * u) +
        s[at + 5] * (y * w + z * v)) /
      a;
    const s11 = form(tx, ty, tz, tx, ty, tz);
    const s12 = form(tx, ty, tz, wx, wy, wz);
    const s22 = form(wx, wy, wz, wx, wy, wz);
    const half = 0.5 * (s11 - s22);
    const radius = Math.sqrt(half * half + s12 * s12);
    const large = Math.max(0, 0.5 * (s11 + s22) + radius);
    const small = Math.max(0, 0.5 * (s11 + s22) - radius);
    // axis of the larger: (s12, large − s11) or (large − s22, s12), whichever is longer
    let c = half >= 0 ? large - s22 : s12;
    let d = half >= 0 ? s12 : large - s11;
    const size = Math.sqrt(c * c + d * d);
    if (size > 0) {
      c /= size;
      d /= size;
    } else {
      c = 1;
      d = 0;
    }
    const gap = -volume[p] / a;
    const l = Math.sqrt(large);
    const m = Math.sqrt(small);
    const x = centroid[3 * p];
    const y = centroid[3 * p + 1];
    const z = centroid[3 * p + 2];
    const ex = c * tx + d * wx;
    const ey = c * ty + d * wy;
    const ez = c * tz + d * wz;
    const fx = c * wx - d * tx;
    const fy = c * wy - d * ty;
    const fz = c * wz - d * tz;
    out.add(x + l * ex, y + l * ey, z + l * ez, gap);
    out.add(x + m * fx, y + m * fy, z + m * fz, gap);
    out.add(x - l * ex, y - l * ey, z - l * ez, gap);
    out.add(x - m * fx, y - m * fy, z - m * fz, gap);
  }
}
