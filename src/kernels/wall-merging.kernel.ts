/**
 * Contacts of a grain with one surface are minima of the distance from its centre, and where the surface is hollow, a new minimum is born beside an old one at full depth: a ball that
 * rolls from one facet of a drum to the next would feel a second contact as strong as the first at once, and lose one as suddenly. Minima are born and die with what is between them, a saddle of the
 * distance, at the same place. So the surface has the energy
 *
 *   U = Σ U(δ) of minima − Σ U(δ) of saddles + Σ U(δ) of maxima,   δ = r − distance
 *
 * (the integral of the Euler number of what of the surface is within a distance), which has no jumps. Far from inner edges, or where these are sharp, it is the sum over the minima.
 * Saddles lie on inner edges, between the feet on their faces, and on vertices; maxima on vertices. A vertex counts 1 less the number of runs of directions along which one comes nearer to
 * the centre (Banchoff 1967, Critical points and curvature for embedded polyhedra), 1 where all do.
 *
 * A ball pressed into a ring (a hole or a funnel with facets, narrower than it) has as many saddles as minima; there each facet bears for itself.
 *
 * Each minimum keeps a share g of its contact, so that friction and damping are as continuous as the force: a saddle takes from the two minima nearest to it what its own force is in their
 * directions. What remains (nothing at an edge between two faces) acts through the centre.
 */
import { FEATURE, FRESH, MOST_CONTACTS } from './grain-sizes.kernel.js';
import { type FloatArray, type f64, type IntArray, type i32, ptrF, ptrI, wholeOf } from './prelude.js';

const TIE: f64 = 1e-10;

// Force on the grain beside those of its contacts, by the stiffness of a whole one, in the body's frame
export let restX: f64 = 0;
export let restY: f64 = 0;
export let restZ: f64 = 0;
/** Energy of saddles and maxima by the same: Σ w δ f, f the force of δ */
export let between: f64 = 0;

let passX: f64 = 0;
let passY: f64 = 0;
let passZ: f64 = 0;

/**
 * Shares of the contacts of a group, in the last two numbers but one of each: g, and the elastic force by the stiffness of a whole one.
 *
 * @param first,last candidates; at, count of the contacts in the scratch
 * @param linear the force is ∝ δ, else ∝ δ^1.5
 * @returns 1 if there is more than the contacts on their own
 */
export function mergeContacts(
  first: i32,
  last: i32,
  at: i32,
  count: i32,
  room: i32,
  cx: f64,
  cy: f64,
  cz: f64,
  radius: f64,
  linear: i32,
): i32 {
  const features: FloatArray = ptrF(31);
  const candidates: IntArray = ptrI(30);
  const scratch: FloatArray = ptrF(42);
  restX = 0;
  restY = 0;
  restZ = 0;
  between = 0;

  // Saddles and maxima within the grain
  let passes: i32 = 0;
  let euler: f64 = 0;
  for (let k: i32 = first; k < last; k++) {
    const o: i32 = FEATURE * candidates[k];
    if (features[o] < 7 || passes === MOST_CONTACTS) continue;
    const weight: f64 = weightOf(o, cx, cy, cz);
    if (weight === 0) continue;
    const dx: f64 = passX - cx;
    const dy: f64 = passY - cy;
    const dz: f64 = passZ - cz;
    const far: f64 = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (!(far < radius) || !(far > 0)) continue;
    const p: i32 = room + FRESH * passes;
    scratch[p] = passX;
    scratch[p + 1] = passY;
    scratch[p + 2] = passZ;
    scratch[p + 3] = dx / far;
    scratch[p + 4] = dy / far;
    scratch[p + 5] = dz / far;
    scratch[p + 6] = radius - far;
    scratch[p + 7] = weight;
    euler += weight;
    passes += 1;
  }
  if (passes === 0) return 0;
  for (let m: i32 = 0; m < count; m++) {
    const o: i32 = at + FRESH * m;
    const depth: f64 = radius - scratch[o + 6];
    scratch[o + 8] = 1;
    scratch[o + 9] = forceOf(depth, linear);
    if (depth > 0) euler += 1;
  }
  if (euler < 1) return 0;

  for (let s: i32 = 0; s < passes; s++) {
    const p: i32 = room + FRESH * s;
    const force: f64 = scratch[p + 7] * forceOf(scratch[p + 6], linear);
    between += force * scratch[p + 6];
    restX -= force * scratch[p + 3];
    restY -= force * scratch[p + 4];
    restZ -= force * scratch[p + 5];
    // The two minima nearest to it
    let one: i32 = -1;
    let two: i32 = -1;
    let near: f64 = 0;
    let next: f64 = 0;
    for (let m: i32 = 0; m < count; m++) {
      const o: i32 = at + FRESH * m;
      if (!(scratch[o + 9] > 0)) continue;
      const ex: f64 = scratch[o] - scratch[p];
      const ey: f64 = scratch[o + 1] - scratch[p + 1];
      const ez: f64 = scratch[o + 2] - scratch[p + 2];
      const way: f64 = ex * ex + ey * ey + ez * ez;
      if (one < 0 || way < near) {
        two = one;
        next = near;
        one = o;
        near = way;
      } else if (two < 0 || way < next) {
        two = o;
        next = way;
      }
    }
    if (one < 0) continue;
    const a: f64 =
      scratch[one + 3] * scratch[p + 3] + scratch[one + 4] * scratch[p + 4] + scratch[one + 5] * scratch[p + 5];
    let alpha: f64 = a;
    if (two >= 0) {
      const b: f64 =
        scratch[two + 3] * scratch[p + 3] + scratch[two + 4] * scratch[p + 4] + scratch[two + 5] * scratch[p + 5];
      const c: f64 =
        scratch[one + 3] * scratch[two + 3] + scratch[one + 4] * scratch[two + 4] + scratch[one + 5] * scratch[two + 5];
      const det: f64 = 1 - c * c;
      if (det > 1e-12) {
        alpha = (a - b * c) / det;
        scratch[two + 8] += (force * ((b - a * c) / det)) / scratch[two + 9];
      }
    }
    scratch[one + 8] += (force * alpha) / scratch[one + 9];
  }
  for (let m: i32 = 0; m < count; m++) {
    const o: i32 = at + FRESH * m;
    if (!(scratch[o + 8] > 0)) scratch[o + 8] = 0;
    if (scratch[o + 8] > 1) scratch[o + 8] = 1;
    const lost: f64 = (1 - scratch[o + 8]) * scratch[o + 9];
    restX -= lost * scratch[o + 3];
    restY -= lost * scratch[o + 4];
    restZ -= lost * scratch[o + 5];
  }
  return 1;
}

// inline
function forceOf(depth: f64, linear: i32): f64 {
  if (!(depth > 0)) return 0;
  return linear ? depth : depth * Math.sqrt(depth);
}

/** −1 of a saddle, 1 of a maximum, 0 where the distance goes on; and where that is */
function weightOf(o: i32, cx: f64, cy: f64, cz: f64): f64 {
  const f: FloatArray = ptrF(31);
  if (f[o] === 7) {
    // An inner edge: between its ends, and towards both faces it is nearer
    const t: f64 = f[o + 4] * cx + f[o + 5] * cy + f[o + 6] * cz - f[o + 8];
    if (!(t > 0) || !(t < f[o + 7])) return 0;
    if (!(f[o + 9] * cx + f[o + 10] * cy + f[o + 11] * cz - f[o + 12] > 0)) return 0;
    if (!(f[o + 13] * cx + f[o + 14] * cy + f[o + 15] * cz - f[o + 16] > 0)) return 0;
    passX = f[o + 1] + t * f[o + 4];
    passY = f[o + 2] + t * f[o + 5];
    passZ = f[o + 3] + t * f[o + 6];
    // Not through the solid from behind
    const ux: f64 = cx - passX;
    const uy: f64 = cy - passY;
    const uz: f64 = cz - passZ;
    if (!(f[o + 17] * ux + f[o + 18] * uy + f[o + 19] * uz > 0)) return 0;
    if (!(f[o + 20] * ux + f[o + 21] * uy + f[o + 22] * uz > 0)) return 0;
    return -1;
  }
  if (f[o] === 8) {
    // A vertex: runs of edges along which it is nearer, as they follow each other about it
    const spokes: FloatArray = ptrF(43);
    const from: i32 = wholeOf(f[o + 4]);
    const edges: i32 = wholeOf(f[o + 5]);
    let runs: i32 = 0;
    let nearer: i32 = 0;
    let before: i32 = isNearer(spokes, from + edges - 1, cx, cy, cz);
    for (let e: i32 = from; e < from + edges; e++) {
      const now: i32 = isNearer(spokes, e, cx, cy, cz);
      nearer += now;
      if (now === 1 && before === 0) runs += 1;
      before = now;
    }
    if (nearer === 0 || (runs === 1 && nearer < edges)) return 0;
    if (!seenFrom(spokes, from, edges, cx - f[o + 1], cy - f[o + 2], cz - f[o + 3])) return 0;
    passX = f[o + 1];
    passY = f[o + 2];
    passZ = f[o + 3];
    if (nearer < edges) return 1 - runs;
    return surrounds(spokes, from, edges, cx - passX, cy - passY, cz - passZ) ? 1 : 0;
  }
  // An inner corner of a revolved profile, in the half-plane (ρ, z) through the centre, or the one on the far side of the axis
  const dx: f64 = cx - f[o + 1];
  const dy: f64 = cy - f[o + 2];
  const dz: f64 = cz - f[o + 3];
  const z: f64 = f[o + 4] * dx + f[o + 5] * dy + f[o + 6] * dz;
  let ex: f64 = dx - z * f[o + 4];
  let ey: f64 = dy - z * f[o + 5];
  let ez: f64 = dz - z * f[o + 6];
  const rho: f64 = Math.sqrt(ex * ex + ey * ey + ez * ez);
  if (rho > 0) {
    ex /= rho;
    ey /= rho;
    ez /= rho;
  } else {
    ex = f[o + 16];
    ey = f[o + 17];
    ez = f[o + 18];
  }
  const far: f64 = f[o + 21] > 0 ? -1 : 1;
  const pr: f64 = far * rho - f[o + 7];
  const pz: f64 = z - f[o + 8];
  if (!(pr * f[o + 9] + pz * f[o + 10] < 0) || !(pr * f[o + 11] + pz * f[o + 12] > 0)) return 0;
  const out: f64 = far * f[o + 7];
  passX = f[o + 1] + f[o + 8] * f[o + 4] + out * ex;
  passY = f[o + 2] + f[o + 8] * f[o + 5] + out * ey;
  passZ = f[o + 3] + f[o + 8] * f[o + 6] + out * ez;
  return -1;
}

/** Whether u points from a vertex out of the solid: it is on the outer side of the face, or of both faces of the edge, whose direction is nearest to its own */
function seenFrom(spokes: FloatArray, from: i32, edges: i32, ux: f64, uy: f64, uz: f64): boolean {
  let best: f64 = 0; // square of the part of u along what is nearest
  let outer: f64 = 0;
  // Each face between an edge and the next, each edge with the faces on both sides
  let before: i32 = 6 * (from + edges - 1);
  let bs: f64 = spokes[before + 5] > 0 ? 1 : -1;
  let px: f64 = 0;
  let py: f64 = 0;
  let pz: f64 = 0;
  for (let k: i32 = 0; k <= edges; k++) {
    const q: i32 = 6 * (from + (k < edges ? k : 0));
    const qs: f64 = spokes[q + 5] > 0 ? 1 : -1;
    const ax: f64 = bs * spokes[before];
    const ay: f64 = bs * spokes[before + 1];
    const az: f64 = bs * spokes[before + 2];
    const bx: f64 = qs * spokes[q];
    const by: f64 = qs * spokes[q + 1];
    const bz: f64 = qs * spokes[q + 2];
    let nx: f64 = ay * bz - az * by;
    let ny: f64 = az * bx - ax * bz;
    let nz: f64 = ax * by - ay * bx;
    const size: f64 = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (size > 0) {
      nx /= size;
      ny /= size;
      nz /= size;
    }
    const height: f64 = ux * nx + uy * ny + uz * nz;
    // Of the edge before, once the face before it is known
    if (k > 0) {
      const along: f64 = ux * ax + uy * ay + uz * az;
      if (along > 0 && along * along > best) {
        best = along * along;
        outer = height + ux * px + uy * py + uz * pz;
      }
    }
    // Foot in the face: between the two edges
    const fx: f64 = ux - height * nx;
    const fy: f64 = uy - height * ny;
    const fz: f64 = uz - height * nz;
    const left: f64 = (ay * fz - az * fy) * nx + (az * fx - ax * fz) * ny + (ax * fy - ay * fx) * nz;
    const right: f64 = (fy * bz - fz * by) * nx + (fz * bx - fx * bz) * ny + (fx * by - fy * bx) * nz;
    const flat: f64 = fx * fx + fy * fy + fz * fz;
    if (left > 0 && right > 0 && flat > best) {
      best = flat;
      outer = height;
    }
    px = nx;
    py = ny;
    pz = nz;
    before = q;
    bs = qs;
  }
  return outer > 0;
}

/** Whether the edges of a vertex, all of which lead towards u, go round it: it is at the bottom of a pit, not at the tip of a needle */
function surrounds(spokes: FloatArray, from: i32, edges: i32, ux: f64, uy: f64, uz: f64): boolean {
  // Two directions across u
  const far: f64 = Math.sqrt(ux * ux + uy * uy + uz * uz);
  const sx: f64 = ux * ux < 0.5 * far * far ? 1 : 0;
  let ax: f64 = -uz * (1 - sx);
  let ay: f64 = uz * sx;
  let az: f64 = ux * (1 - sx) - uy * sx;
  const size: f64 = Math.sqrt(ax * ax + ay * ay + az * az);
  ax /= size;
  ay /= size;
  az /= size;
  const bx: f64 = uy * az - uz * ay;
  const by: f64 = uz * ax - ux * az;
  const bz: f64 = ux * ay - uy * ax;
  let odd: i32 = 0;
  let q: i32 = 6 * (from + edges - 1);
  let sign: f64 = spokes[q + 5] > 0 ? 1 : -1;
  let pa: f64 = sign * (spokes[q] * ax + spokes[q + 1] * ay + spokes[q + 2] * az);
  let pb: f64 = sign * (spokes[q] * bx + spokes[q + 1] * by + spokes[q + 2] * bz);
  let along: f64 = sign * (spokes[q] * ux + spokes[q + 1] * uy + spokes[q + 2] * uz);
  pa /= along;
  pb /= along;
  for (let e: i32 = from; e < from + edges; e++) {
    q = 6 * e;
    sign = spokes[q + 5] > 0 ? 1 : -1;
    along = sign * (spokes[q] * ux + spokes[q + 1] * uy + spokes[q + 2] * uz);
    const qa: f64 = (sign * (spokes[q] * ax + spokes[q + 1] * ay + spokes[q + 2] * az)) / along;
    const qb: f64 = (sign * (spokes[q] * bx + spokes[q + 1] * by + spokes[q + 2] * bz)) / along;
    if (pb > 0 !== qb > 0 && pa + ((qa - pa) * pb) / (pb - qb) > 0) odd = 1 - odd;
    pa = qa;
    pb = qb;
  }
  return odd === 1;
}

function isNearer(spokes: FloatArray, e: i32, cx: f64, cy: f64, cz: f64): i32 {
  const q: i32 = 6 * e;
  const t: f64 = spokes[q] * cx + spokes[q + 1] * cy + spokes[q + 2] * cz - spokes[q + 3];
  const length: f64 = spokes[q + 4];
  if (spokes[q + 5] > 0) return t > TIE * length ? 1 : 0;
  return t < length - TIE * length ? 1 : 0;
}
