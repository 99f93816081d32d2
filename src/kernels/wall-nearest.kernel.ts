/** Where a feature of a wall is nearest to the centre of a grain. */
import { FEATURE } from './grain-sizes.kernel.js';
import { type FloatArray, type f64, type i32, ptrF, wholeOf } from './prelude.js';

/** Ties at edges and vertices, relative to the length of an edge */
const TIE: f64 = 1e-10;

// Where the last feature that was asked is nearest, in the body's frame; n from the grain to it
export let hitX: f64 = 0;
export let hitY: f64 = 0;
export let hitZ: f64 = 0;
export let hitDistance: f64 = 0;
export let awayX: f64 = 0;
export let awayY: f64 = 0;
export let awayZ: f64 = 0;

/**
 * Whether the feature has a local minimum of the distance from c, nearer than `reach`. Faces, edges and vertices ask the same expressions, so
 * outside the bands of ties exactly one of those that meet there says yes.
 */
export function nearestOn(feature: i32, cx: f64, cy: f64, cz: f64, reach: f64): boolean {
  const f: FloatArray = ptrF(31);
  const o: i32 = FEATURE * feature;
  const kind: f64 = f[o];
  if (kind === 0) {
    // A half-space, however deep
    const height: f64 = f[o + 1] * cx + f[o + 2] * cy + f[o + 3] * cz - f[o + 4];
    if (height >= reach) return false;
    awayX = -f[o + 1];
    awayY = -f[o + 2];
    awayZ = -f[o + 3];
    hitDistance = height;
    hitX = cx + height * awayX;
    hitY = cy + height * awayY;
    hitZ = cz + height * awayZ;
    return true;
  }
  if (kind === 1) {
    // A face: its plane's outer side, inside its three edges
    const height: f64 = f[o + 1] * cx + f[o + 2] * cy + f[o + 3] * cz - f[o + 4];
    if (!(height > 0) || height >= reach) return false;
    for (let e: i32 = 0; e < 3; e++) {
      const q: i32 = o + 5 + 4 * e;
      const inward: f64 = f[q] * cx + f[q + 1] * cy + f[q + 2] * cz - f[q + 3];
      if (inward < 0) return false;
      if (inward === 0 && f[o + 17 + e] === 0) return false;
    }
    awayX = -f[o + 1];
    awayY = -f[o + 2];
    awayZ = -f[o + 3];
    hitDistance = height;
    hitX = cx + height * awayX;
    hitY = cy + height * awayY;
    hitZ = cz + height * awayZ;
    return true;
  }
  if (kind === 2) {
    // An edge: between its ends, outside both faces
    const length: f64 = f[o + 7];
    const t: f64 = f[o + 4] * cx + f[o + 5] * cy + f[o + 6] * cz - f[o + 8];
    if (!(t > 0) || !(t < length)) return false;
    const tie: f64 = TIE * length;
    if (f[o + 9] * cx + f[o + 10] * cy + f[o + 11] * cz - f[o + 12] > tie) return false;
    if (f[o + 13] * cx + f[o + 14] * cy + f[o + 15] * cz - f[o + 16] > tie) return false;
    return nearestAt(f[o + 1] + t * f[o + 4], f[o + 2] + t * f[o + 5], f[o + 3] + t * f[o + 6], cx, cy, cz, reach);
  }
  if (kind === 3) {
    // A vertex: beyond it along each of its edges
    const spokes: FloatArray = ptrF(43);
    const from: i32 = wholeOf(f[o + 4]);
    const to: i32 = from + wholeOf(f[o + 5]);
    for (let e: i32 = from; e < to; e++) {
      const q: i32 = 6 * e;
      const t: f64 = spokes[q] * cx + spokes[q + 1] * cy + spokes[q + 2] * cz - spokes[q + 3];
      const length: f64 = spokes[q + 4];
      if (spokes[q + 5] > 0) {
        if (t > TIE * length) return false;
      } else if (t < length - TIE * length) return false;
    }
    return nearestAt(f[o + 1], f[o + 2], f[o + 3], cx, cy, cz, reach);
  }
  if (kind > 6) return false; // what is between minima: wall-merging.kernel.ts
  if (kind === 6) {
    // A ball, grains outside
    const dx: f64 = cx - f[o + 1];
    const dy: f64 = cy - f[o + 2];
    const dz: f64 = cz - f[o + 3];
    const far: f64 = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (far - f[o + 4] >= reach || !(far > 0)) return false;
    hitDistance = far - f[o + 4];
    awayX = -dx / far;
    awayY = -dy / far;
    awayZ = -dz / far;
    hitX = cx + hitDistance * awayX;
    hitY = cy + hitDistance * awayY;
    hitZ = cz + hitDistance * awayZ;
    return true;
  }
  // A profile turned about an axis: seen in the half-plane (ρ, z) through the centre
  const dx: f64 = cx - f[o + 1];
  const dy: f64 = cy - f[o + 2];
  const dz: f64 = cz - f[o + 3];
  const z: f64 = f[o + 4] * dx + f[o + 5] * dy + f[o + 6] * dz;
  let ex: f64 = dx - z * f[o + 4];
  let ey: f64 = dy - z * f[o + 5];
  let ez: f64 = dz - z * f[o + 6];
  let rho: f64 = Math.sqrt(ex * ex + ey * ey + ez * ez);
  if (rho > 0) {
    ex /= rho;
    ey /= rho;
    ez /= rho;
  } else {
    ex = f[o + 16];
    ey = f[o + 17];
    ez = f[o + 18];
  }
  if (f[o + 21] > 0) {
    // The far side of the axis
    rho = -rho;
    ex = -ex;
    ey = -ey;
    ez = -ez;
  }
  let away: f64 = 0; // components of n along ρ and z
  let along: f64 = 0;
  if (kind === 4) {
    // A segment from (ρ₀, z₀), tangent t, normal to the grains' side
    const pr: f64 = rho - f[o + 7];
    const pz: f64 = z - f[o + 8];
    const t: f64 = pr * f[o + 9] + pz * f[o + 10];
    if (t < 0 || t > f[o + 13]) return false;
    const height: f64 = pr * f[o + 11] + pz * f[o + 12];
    if (!(height > 0) || height >= reach) return false;
    hitDistance = height;
    away = -f[o + 11];
    along = -f[o + 12];
  } else {
    // A corner: beyond the end of the segment before it and before the start of the one behind
    const pr: f64 = rho - f[o + 7];
    const pz: f64 = z - f[o + 8];
    if (f[o + 19] > 0 && pr * f[o + 9] + pz * f[o + 10] < 0) return false;
    if (f[o + 20] > 0 && pr * f[o + 11] + pz * f[o + 12] > 0) return false;
    const far: f64 = Math.sqrt(pr * pr + pz * pz);
    if (!(far > 0) || far >= reach) return false;
    hitDistance = far;
    away = -pr / far;
    along = -pz / far;
  }
  awayX = away * ex + along * f[o + 4];
  awayY = away * ey + along * f[o + 5];
  awayZ = away * ez + along * f[o + 6];
  hitX = cx + hitDistance * awayX;
  hitY = cy + hitDistance * awayY;
  hitZ = cz + hitDistance * awayZ;
  return true;
}

function nearestAt(x: f64, y: f64, z: f64, cx: f64, cy: f64, cz: f64, reach: f64): boolean {
  const dx: f64 = x - cx;
  const dy: f64 = y - cy;
  const dz: f64 = z - cz;
  const far: f64 = Math.sqrt(dx * dx + dy * dy + dz * dz);
  if (far >= reach || !(far > 0)) return false;
  hitX = x;
  hitY = y;
  hitZ = z;
  hitDistance = far;
  awayX = dx / far;
  awayY = dy / far;
  awayZ = dz / far;
  return true;
}
