/**
 * Forces between pieces of rigid grains, walls and tools: polyhedra, spheres and half-spaces, each against each.
 *
 * A pair goes through: bounding spheres → separating vector → overlap → law → exact sums.
 *
 * **Separating vector** s (Chung & Wang 1996, doi 10.1145/3304181.3304185): if s·r of all of A is below s·r of all of B, they are apart. If not, s is
 * mirrored at the direction between the two support points, 6 times at most. The vector is kept with the pair, so one try is the rule. It only ever
 * says "apart", and only by more than rounding, hence no answer depends on which vector was kept. A pair that touches is cut along the normal of
 * its last step, which is part of the state; one that has just met along a vector found from the centres alone, as good in any run.
 *
 * **Who is A** follows from the state, not from the numbering: a wall is B, else A has the smaller x (then y, z). Histories are kept for the
 * first piece of the pair as listed and change sign with the roles (the twist does not).
 *
 * **Normal law**, polyhedra: a bed of springs N = K V along n = S/|S| at the centroid of the overlap; or E* k √(V d), d = 2V/|S|. The
 * elastic energy is U = F δ/(q + 1) for F ~ δ^q, where δ is the penetration along n and q = δ|S|/V: 1 for a face, 2 for an edge, 3 for a corner.
 * Spheres: Hertz, U = 2/5 F δ. Then N = F max(0, 1 + x v/√(v² + w)), w = 2U/m, 1/m = nᵀWn with the rotation of both bodies in it, gives the restitution
 * that was asked for (contact-laws/normal/constant-restitution.ts, floor speed 0).
 *
 * **Friction**: bristle s and twist ψ, springs with dampers behind a Coulomb slider:
 *   W = k_t s + c_t u_t, |W| ≤ µN;   T = k_ψ ψ + c_ψ ω_n, |T| ≤ µ N ρ
 *   bed: k_t = 0.8 K|S|, k_ψ = k_t |S|/2π, ρ = ⅔ √(|S|/π) (even pressure on a disc of that area);  Hertz: k_t = 8 G* a, k_ψ = k_t a², ρ = 3π/16 a
 *
 * **Book of energy**: in a leapfrog step from n − 1 to n a force does the work ½(F_{n−1} + F_n)·u h, u the velocity between. Damping takes that of N − F, friction that of W and T, of which
 * bristles hold ½ k_t s² + ½ k_ψ ψ². Overlaps hold U; in a half-space exactly K V z, z the depth of the centroid, for springs side by side hold ½ K ∫ d² dA. Between polyhedra the bed
 * has no potential where the faces that touch change, and U is that of the form it has now.
 *
 * **Exact sums**: (F + C) − C with C = 1.5·2⁵² q rounds to multiples of q; sums of those are exact in any order while they stay below 2⁵³ q.
 */

import {
  FORCES,
  INVERSE_INERTIA,
  MOBILITIES,
  POSITIONS,
  SETTINGS,
  SHARES,
  SPHERES,
  VELOCITIES,
} from './polyhedron-motion.kernel.js';
import {
  HALF_SPACE,
  overlapHalfSpace,
  overlapPolyhedra,
  PIECES,
  PLANES,
  RESULT,
  SPHERE,
  VERTICES,
  WORK,
} from './polyhedron-overlap.kernel.js';
import { type FloatArray, type f64, type IntArray, type i32, ptrF, ptrI } from './prelude.js';
import { nearestOfPolyhedron } from './sphere-polyhedron.kernel.js';

/** 2 per pair: pieces */
export const PAIRS: i32 = 24;
/** 16 per pair: s, m; ψ, rad; normal or separating vector, from the first to the second; 1 if they touched in the last step; then of that step, for the book of energy: N − F, N; W on the first, N; T, N m; 0 … */
export const HISTORY: i32 = 25;
/** 12 per two species: K or E*k; x; µ; ζ; law: 0 bed, 1 root of volume and depth; E*; G*; 0 … */
export const LAWS: i32 = 26;
/** 20 per thread, see `REPORT_…` */
export const REPORT: i32 = 27;
/** 16 per pair, if asked for: V, |S|, N, W, point, normal from first to second, k_n, k_t, δ, 0 */
export const RECORDS: i32 = 28;

/** In: C of forces, of torques on grains and on walls, N and N m; 1 to write RECORDS. Out: greatest component of a force and of a torque on a wall; touching pairs; overlaps cut; vectors tried; greatest depth V/|S| over the thinness of the thinner piece, and its pair; pairs with bounding spheres that meet; pairs that did not touch a step before; work done in this step against damping, and against bristles and twists, J; energy in overlaps, and in bristles and twists, J; those of the touching pairs of which one is a wall */
export const REPORT_FORCE_GRID: i32 = 0;
export const REPORT_TORQUE_GRID: i32 = 1;
export const REPORT_RECORD: i32 = 2;
export const REPORT_FORCE: i32 = 3;
export const REPORT_TORQUE: i32 = 4;
export const REPORT_CONTACTS: i32 = 5;
export const REPORT_CUTS: i32 = 6;
export const REPORT_VECTORS: i32 = 7;
export const REPORT_DEPTH: i32 = 8;
export const REPORT_DEEPEST: i32 = 9;
export const REPORT_NEAR: i32 = 10;
export const REPORT_NEW: i32 = 11;
export const REPORT_WALL_GRID: i32 = 12;
export const REPORT_DAMPED: i32 = 13;
export const REPORT_SLID: i32 = 14;
export const REPORT_ELASTIC: i32 = 15;
export const REPORT_BRISTLES: i32 = 16;
export const REPORT_WALLS: i32 = 17;
export const REPORT_LENGTH: i32 = 20;

/** One per piece: smallest width of a polyhedron, radius of a sphere, m */
export const THINNESS: i32 = 29;

const TRIES: i32 = 6;
const PI: f64 = Math.PI;

/** The share of one thread. The bristles advance by h. */
export function pressPolyhedra(thread: i32): void {
  const shares: IntArray = ptrI(SHARES);
  const step: f64 = ptrF(SETTINGS)[1];
  const speciesCount: i32 = shares[2];
  const room: i32 = shares[3];
  const from: i32 = shares[10 + 4 * thread];
  const to: i32 = shares[11 + 4 * thread];
  const offset: i32 = shares[1] * thread;
  const report: i32 = REPORT_LENGTH * thread;
  const pairs: IntArray = ptrI(PAIRS);
  const pieces: IntArray = ptrI(PIECES);
  const history: FloatArray = ptrF(HISTORY);
  const positions: FloatArray = ptrF(POSITIONS);
  const velocities: FloatArray = ptrF(VELOCITIES);
  const spheres: FloatArray = ptrF(SPHERES);
  const planes: FloatArray = ptrF(PLANES);
  const laws: FloatArray = ptrF(LAWS);
  const work: FloatArray = ptrF(WORK);
  const reports: FloatArray = ptrF(REPORT);
  const records: FloatArray = ptrF(RECORDS);
  const thinness: FloatArray = ptrF(THINNESS);
  const result: i32 = RESULT * room;
  const recording: f64 = reports[report + REPORT_RECORD];

  for (let pair: i32 = from; pair < to; pair++) {
    let a: i32 = pairs[2 * pair];
    let b: i32 = pairs[2 * pair + 1];
    const h: i32 = 16 * pair;
    let kindA: i32 = pieces[8 * a + 1];
    let kindB: i32 = pieces[8 * b + 1];
    let bodyA: i32 = pieces[8 * a];
    let bodyB: i32 = pieces[8 * b];

    // Roles: sphere, polyhedron, half-space in this order; a wall last; else by position
    let swap: boolean = false;
    if (kindA !== kindB) swap = kindB === SPHERE || kindA === HALF_SPACE;
    else if (velocities[8 * bodyB + 3] > 0) {
      if (!(velocities[8 * bodyA + 3] > 0)) swap = true;
      else {
        const ax: f64 = positions[4 * bodyA];
        const bx: f64 = positions[4 * bodyB];
        if (ax !== bx) swap = bx < ax;
        else {
          const ay: f64 = positions[4 * bodyA + 1];
          const by: f64 = positions[4 * bodyB + 1];
          swap = ay !== by ? by < ay : positions[4 * bodyB + 2] < positions[4 * bodyA + 2];
        }
      }
    }
    let sign: f64 = 1;
    if (swap) {
      sign = -1;
      const piece: i32 = a;
      a = b;
      b = piece;
      const body: i32 = bodyA;
      bodyA = bodyB;
      bodyB = body;
      const kind: i32 = kindA;
      kindA = kindB;
      kindB = kind;
    }
    const touched: boolean = history[h + 7] > 0;
    const dx: f64 = positions[4 * bodyB] - positions[4 * bodyA];
    const dy: f64 = positions[4 * bodyB + 1] - positions[4 * bodyA + 1];
    const dz: f64 = positions[4 * bodyB + 2] - positions[4 * bodyA + 2];
    const radiusA: f64 = spheres[4 * a + 3];
    const radiusB: f64 = spheres[4 * b + 3];
    const cx: f64 = dx + spheres[4 * b] - spheres[4 * a];
    const cy: f64 = dy + spheres[4 * b + 1] - spheres[4 * a + 1];
    const cz: f64 = dz + spheres[4 * b + 2] - spheres[4 * a + 2];
    const apart: f64 = cx * cx + cy * cy + cz * cz;
    if (kindB !== HALF_SPACE && apart >= (radiusA + radiusB) * (radiusA + radiusB)) {
      if (touched) forget(history, h);
      if (recording > 0) records[16 * pair] = 0;
      continue;
    }
    reports[report + REPORT_NEAR] += 1;

    // The contact: normal n from A to B, point r seen from A's centre of mass, elastic force F, twice its energy, stiffnesses
    let nx: f64 = sign * history[h + 4];
    let ny: f64 = sign * history[h + 5];
    let nz: f64 = sign * history[h + 6];
    let rx: f64 = 0;
    let ry: f64 = 0;
    let rz: f64 = 0;
    let elastic: f64 = 0;
    let energy2: f64 = 0;
    let held: f64 = 0; // in the overlap, J
    let normalStiffness: f64 = 0;
    let tangential: f64 = 0;
    let twisting: f64 = 0;
    let twistRadius: f64 = 0;
    let volume: f64 = 0;
    let area: f64 = 0;
    let depth: f64 = 0;
    let deep: f64 = 0; // by which pieces are said to punch through each other
    const law: i32 = 12 * (speciesCount * pieces[8 * a + 6] + pieces[8 * b + 6]);

    if (kindA === SPHERE) {
      let distance: f64 = 0;
      let radius: f64 = radiusA;
      let own: f64 = 0; // lever of the sphere
      if (kindB === SPHERE) {
        distance = Math.sqrt(apart);
        depth = radiusA + radiusB - distance;
        radius = (radiusA * radiusB) / (radiusA + radiusB);
        own = radiusA - 0.5 * depth;
        nx = cx / distance;
        ny = cy / distance;
        nz = cz / distance;
      } else if (kindB === HALF_SPACE) {
        const w: i32 = 4 * pieces[8 * b + 4];
        nx = -planes[w];
        ny = -planes[w + 1];
        nz = -planes[w + 2];
        own =
          nx * (dx - spheres[4 * a]) + ny * (dy - spheres[4 * a + 1]) + nz * (dz - spheres[4 * a + 2]) - planes[w + 3];
        depth = radiusA - own;
      } else {
        own = nearestOfPolyhedron(
          b,
          spheres[4 * a] - dx,
          spheres[4 * a + 1] - dy,
          spheres[4 * a + 2] - dz,
          radiusA,
          work,
          result,
        );
        depth = radiusA - own;
        nx = work[result];
        ny = work[result + 1];
        nz = work[result + 2];
      }
      if (!(depth > 0)) {
        if (touched) forget(history, h);
        if (recording > 0) records[16 * pair] = 0;
        continue;
      }
      rx = spheres[4 * a] + own * nx;
      ry = spheres[4 * a + 1] + own * ny;
      rz = spheres[4 * a + 2] + own * nz;
      const contactRadius: f64 = Math.sqrt(radius * depth);
      normalStiffness = 2 * laws[law + 5] * contactRadius;
      elastic = (2 * normalStiffness * depth) / 3;
      energy2 = 0.8 * elastic * depth;
      held = 0.5 * energy2;
      tangential = 8 * laws[law + 6] * contactRadius;
      twisting = tangential * contactRadius * contactRadius;
      twistRadius = (3 * PI * contactRadius) / 16;
      area = PI * contactRadius * contactRadius;
      volume = 0.5 * area * depth;
      deep = 0.5 * depth;
    } else {
      const size: f64 = kindB === HALF_SPACE ? 2 * radiusA : radiusA + radiusB;
      if (kindB === HALF_SPACE) {
        reports[report + REPORT_VECTORS] += 1;
        volume = overlapHalfSpace(a, b, dx, dy, dz, size, room);
        if (work[result + 7] > 0) reports[report + REPORT_CUTS] += 1;
      } else {
        if (!touched) {
          // From the kept vector, if there is one; then from the centres
          let free: i32 = 0;
          if (nx !== 0 || ny !== 0 || nz !== 0) free = separated(a, b, dx, dy, dz, nx, ny, nz, size, report, room);
          if (free === 0) {
            const length: f64 = Math.sqrt(apart);
            if (length > 0)
              free = separated(a, b, dx, dy, dz, cx / length, cy / length, cz / length, size, report, room);
            else {
              work[result + 8] = 1;
              work[result + 9] = 0;
              work[result + 10] = 0;
            }
          }
          nx = work[result + 8];
          ny = work[result + 9];
          nz = work[result + 10];
          if (free !== 0) {
            history[h + 4] = sign * nx;
            history[h + 5] = sign * ny;
            history[h + 6] = sign * nz;
            if (recording > 0) records[16 * pair] = 0;
            continue;
          }
        }
        reports[report + REPORT_VECTORS] += 1;
        volume = overlapPolyhedra(a, b, dx, dy, dz, nx, ny, nz, size, room);
        if (work[result + 7] > 0) reports[report + REPORT_CUTS] += 1;
      }
      if (!(volume > 0)) {
        forget(history, h);
        history[h + 4] = sign * nx;
        history[h + 5] = sign * ny;
        history[h + 6] = sign * nz;
        if (recording > 0) records[16 * pair] = 0;
        continue;
      }
      depth = work[result + 7];
      const sx: f64 = work[result + 4];
      const sy: f64 = work[result + 5];
      const sz: f64 = work[result + 6];
      area = Math.sqrt(sx * sx + sy * sy + sz * sz);
      if (area > 0) {
        nx = sx / area;
        ny = sy / area;
        nz = sz / area;
      } else area = volume / depth; // swallowed whole: the report below says so
      rx = work[result + 1] / volume;
      ry = work[result + 2] / volume;
      rz = work[result + 3] / volume;

      // V ~ δ^p: 1 a face, 2 an edge, 3 a corner
      const mean: f64 = volume / area;
      let power: f64 = depth / mean;
      if (power < 1) power = 1;
      if (power > 3) power = 3;
      if (laws[law + 4] > 0) {
        power = 0.5 * (power + 1);
        elastic = laws[law] * Math.sqrt(2 * volume * mean);
        normalStiffness = elastic / mean;
        energy2 = (2 * elastic * mean * (2 * power - 1)) / (power + 1);
      } else {
        elastic = laws[law] * volume;
        normalStiffness = laws[law] * area;
        energy2 = (2 * elastic * mean * power) / (power + 1);
      }
      held = 0.5 * energy2;
      if (kindB === HALF_SPACE && !(laws[law + 4] > 0))
        held = elastic * (planes[4 * pieces[8 * b + 4] + 3] - (nx * (dx - rx) + ny * (dy - ry) + nz * (dz - rz)));
      tangential = 0.8 * normalStiffness;
      twisting = (tangential * area) / (2 * PI);
      twistRadius = (2 * Math.sqrt(area / PI)) / 3;
      deep = mean;
    }
    let thin: f64 = thinness[a];
    if (thinness[b] < thin) thin = thinness[b];
    if (deep > reports[report + REPORT_DEPTH] * thin) {
      reports[report + REPORT_DEPTH] = deep / thin;
      reports[report + REPORT_DEEPEST] = pair;
    }
    reports[report + REPORT_CONTACTS] += 1;
    if (!(velocities[8 * bodyA + 3] > 0 && velocities[8 * bodyB + 3] > 0)) reports[report + REPORT_WALLS] += 1;
    if (!touched) reports[report + REPORT_NEW] += 1;

    press(
      bodyA,
      bodyB,
      sign,
      dx,
      dy,
      dz,
      nx,
      ny,
      nz,
      rx,
      ry,
      rz,
      elastic,
      energy2,
      held,
      tangential,
      twisting,
      twistRadius,
      law,
      h,
      step,
      offset,
      report,
      result,
    );
    if (recording > 0) {
      const r: i32 = 16 * pair;
      records[r] = volume;
      records[r + 1] = area;
      records[r + 2] = work[result];
      records[r + 3] = sign * work[result + 1];
      records[r + 4] = sign * work[result + 2];
      records[r + 5] = sign * work[result + 3];
      records[r + 6] = positions[4 * bodyA] + rx;
      records[r + 7] = positions[4 * bodyA + 1] + ry;
      records[r + 8] = positions[4 * bodyA + 2] + rz;
      records[r + 9] = sign * nx;
      records[r + 10] = sign * ny;
      records[r + 11] = sign * nz;
      records[r + 12] = normalStiffness;
      records[r + 13] = tangential;
      records[r + 14] = depth;
      records[r + 15] = 0.5 * energy2;
    }
  }
}

/** The force of one contact from its geometry, the velocities and the history; added to both bodies. Writes N and W to `out` in WORK. */
function press(
  bodyA: i32,
  bodyB: i32,
  sign: f64,
  dx: f64,
  dy: f64,
  dz: f64,
  nx: f64,
  ny: f64,
  nz: f64,
  rx: f64,
  ry: f64,
  rz: f64,
  elastic: f64,
  energy2: f64,
  held: f64,
  tangential: f64,
  twisting: f64,
  twistRadius: f64,
  law: i32,
  h: i32,
  step: f64,
  offset: i32,
  report: i32,
  out: i32,
): void {
  const velocities: FloatArray = ptrF(VELOCITIES);
  const inertia: FloatArray = ptrF(INVERSE_INERTIA);
  const history: FloatArray = ptrF(HISTORY);
  const laws: FloatArray = ptrF(LAWS);
  const reports: FloatArray = ptrF(REPORT);
  const forces: FloatArray = ptrF(FORCES);
  const work: FloatArray = ptrF(WORK);
  const i: i32 = 8 * bodyA;
  const j: i32 = 8 * bodyB;

  // Relative velocity of the material points, and the mobility along n
  const qx: f64 = rx - dx;
  const qy: f64 = ry - dy;
  const qz: f64 = rz - dz;
  const wax: f64 = velocities[i + 4];
  const way: f64 = velocities[i + 5];
  const waz: f64 = velocities[i + 6];
  const wbx: f64 = velocities[j + 4];
  const wby: f64 = velocities[j + 5];
  const wbz: f64 = velocities[j + 6];
  const ux: f64 = velocities[i] + (way * rz - waz * ry) - velocities[j] - (wby * qz - wbz * qy);
  const uy: f64 = velocities[i + 1] + (waz * rx - wax * rz) - velocities[j + 1] - (wbz * qx - wbx * qz);
  const uz: f64 = velocities[i + 2] + (wax * ry - way * rx) - velocities[j + 2] - (wbx * qy - wby * qx);
  const speed: f64 = ux * nx + uy * ny + uz * nz;
  // A part of a machine is told where to be, and gives way all the same
  const central: f64 = velocities[i + 3] + velocities[j + 3] + (velocities[i + 7] + velocities[j + 7]);
  let mobility: f64 =
    velocities[i + 3] +
    velocities[j + 3] +
    quadratic(inertia, i, ry * nz - rz * ny, rz * nx - rx * nz, rx * ny - ry * nx) +
    quadratic(inertia, j, qy * nz - qz * ny, qz * nx - qx * nz, qx * ny - qy * nx);
  if (velocities[i + 7] > 0) mobility += givingWay(bodyA, nx, ny, nz, rx, ry, rz);
  if (velocities[j + 7] > 0) mobility += givingWay(bodyB, nx, ny, nz, qx, qy, qz);

  // Normal
  const estimate: f64 = Math.sqrt(speed * speed + energy2 * mobility);
  let factor: f64 = estimate > 0 ? 1 + (laws[law + 1] * speed) / estimate : 1;
  if (factor < 0) factor = 0;
  const normal: f64 = elastic * factor;
  const limit: f64 = laws[law + 2] * normal;

  // Bristle
  const tx: f64 = ux - speed * nx;
  const ty: f64 = uy - speed * ny;
  const tz: f64 = uz - speed * nz;
  let sx: f64 = sign * history[h];
  let sy: f64 = sign * history[h + 1];
  let sz: f64 = sign * history[h + 2];
  const along: f64 = sx * nx + sy * ny + sz * nz;
  sx = sx - along * nx + tx * step;
  sy = sy - along * ny + ty * step;
  sz = sz - along * nz + tz * step;
  const damping: f64 = 2 * laws[law + 3] * Math.sqrt(tangential / central);
  let wx: f64 = tangential * sx + damping * tx;
  let wy: f64 = tangential * sy + damping * ty;
  let wz: f64 = tangential * sz + damping * tz;
  const size: f64 = Math.sqrt(wx * wx + wy * wy + wz * wz);
  if (size > limit) {
    const share: f64 = limit / size;
    wx *= share;
    wy *= share;
    wz *= share;
    sx = (wx - damping * tx) / tangential;
    sy = (wy - damping * ty) / tangential;
    sz = (wz - damping * tz) / tangential;
  }

  // Twist
  const spin: f64 = (wax - wbx) * nx + (way - wby) * ny + (waz - wbz) * nz;
  let angle: f64 = history[h + 3] + spin * step;
  const turning: f64 = quadratic(inertia, i, nx, ny, nz) + quadratic(inertia, j, nx, ny, nz);
  const twistDamping: f64 = turning > 0 ? 2 * laws[law + 3] * Math.sqrt(twisting / turning) : 0;
  let torque: f64 = twisting * angle + twistDamping * spin;
  const most: f64 = limit * twistRadius;
  if (torque > most) {
    torque = most;
    angle = (torque - twistDamping * spin) / twisting;
  } else if (torque < -most) {
    torque = -most;
    angle = (torque - twistDamping * spin) / twisting;
  }

  // Work of this step, with the forces of the last one; energies in the contact
  const e: f64 = reports[report + REPORT_TORQUE_GRID];
  const resisting: f64 = normal - elastic;
  reports[report + REPORT_DAMPED] += 0.5 * (history[h + 8] + resisting) * speed * step + e - e;
  reports[report + REPORT_SLID] +=
    0.5 *
      ((sign * history[h + 9] + wx) * tx +
        (sign * history[h + 10] + wy) * ty +
        (sign * history[h + 11] + wz) * tz +
        (history[h + 12] + torque) * spin) *
      step +
    e -
    e;
  reports[report + REPORT_ELASTIC] += held + e - e;
  reports[report + REPORT_BRISTLES] +=
    0.5 * (tangential * (sx * sx + sy * sy + sz * sz) + twisting * angle * angle) + e - e;
  history[h + 8] = resisting;
  history[h + 9] = sign * wx;
  history[h + 10] = sign * wy;
  history[h + 11] = sign * wz;
  history[h + 12] = torque;

  history[h] = sign * sx;
  history[h + 1] = sign * sy;
  history[h + 2] = sign * sz;
  history[h + 3] = angle;
  history[h + 4] = sign * nx;
  history[h + 5] = sign * ny;
  history[h + 6] = sign * nz;
  history[h + 7] = 1;
  work[out] = normal;
  work[out + 1] = wx;
  work[out + 2] = wy;
  work[out + 3] = wz;

  // On the grid, and to both
  const c: f64 = reports[report + REPORT_FORCE_GRID];
  const fx: f64 = c - (normal * nx + wx) - c;
  const fy: f64 = c - (normal * ny + wy) - c;
  const fz: f64 = c - (normal * nz + wz) - c;
  const t: f64 = reports[report + (velocities[i + 3] > 0 ? REPORT_TORQUE_GRID : REPORT_WALL_GRID)];
  const max: f64 = ry * fz - rz * fy - torque * nx + t - t;
  const may: f64 = rz * fx - rx * fz - torque * ny + t - t;
  const maz: f64 = rx * fy - ry * fx - torque * nz + t - t;
  const u: f64 = reports[report + (velocities[j + 3] > 0 ? REPORT_TORQUE_GRID : REPORT_WALL_GRID)];
  const mbx: f64 = torque * nx - (qy * fz - qz * fy) + u - u;
  const mby: f64 = torque * ny - (qz * fx - qx * fz) + u - u;
  const mbz: f64 = torque * nz - (qx * fy - qy * fx) + u - u;
  const f: i32 = offset + i;
  forces[f] += fx;
  forces[f + 1] += fy;
  forces[f + 2] += fz;
  forces[f + 3] += max;
  forces[f + 4] += may;
  forces[f + 5] += maz;
  const g: i32 = offset + j;
  forces[g] -= fx;
  forces[g + 1] -= fy;
  forces[g + 2] -= fz;
  forces[g + 3] += mbx;
  forces[g + 4] += mby;
  forces[g + 5] += mbz;
  reports[report + REPORT_FORCE] = greatest(reports[report + REPORT_FORCE], fx, fy, fz);
  // a grain's lever is no longer than its radius; a wall's may be
  if (!(velocities[j + 3] > 0))
    reports[report + REPORT_TORQUE] = greatest(reports[report + REPORT_TORQUE], mbx, mby, mbz);
  if (!(velocities[i + 3] > 0))
    reports[report + REPORT_TORQUE] = greatest(reports[report + REPORT_TORQUE], max, may, maz);
}

/** jᵀ W j of a part of a machine, j = (n, r × n): how fast the point r from its origin yields along n, 1/kg */
function givingWay(body: i32, nx: f64, ny: f64, nz: f64, rx: f64, ry: f64, rz: f64): f64 {
  const m: FloatArray = ptrF(MOBILITIES);
  const tx: f64 = ry * nz - rz * ny;
  const ty: f64 = rz * nx - rx * nz;
  const tz: f64 = rx * ny - ry * nx;
  let sum: f64 = 0;
  for (let k: i32 = 0; k < 6; k++) {
    const at: i32 = 36 * body + 6 * k;
    const rate: f64 = m[at] * nx + m[at + 1] * ny + m[at + 2] * nz + (m[at + 3] * tx + m[at + 4] * ty + m[at + 5] * tz);
    const own: f64 = k === 0 ? nx : k === 1 ? ny : k === 2 ? nz : k === 3 ? tx : k === 4 ? ty : tz;
    sum += own * rate;
  }
  return sum > 0 ? sum : 0;
}

/** vᵀ J v of the body whose inverse inertia starts at `at` */
function quadratic(inertia: FloatArray, at: i32, x: f64, y: f64, z: f64): f64 {
  return (
    x * (inertia[at] * x + 2 * inertia[at + 3] * y) +
    y * (inertia[at + 1] * y + 2 * inertia[at + 4] * z) +
    z * (inertia[at + 2] * z + 2 * inertia[at + 5] * x)
  );
}

function greatest(least: f64, x: f64, y: f64, z: f64): f64 {
  let most: f64 = least;
  if (Math.abs(x) > most) most = Math.abs(x);
  if (Math.abs(y) > most) most = Math.abs(y);
  if (Math.abs(z) > most) most = Math.abs(z);
  return most;
}

/** The pair does not touch: no bristle, no twist; the normal stays as a separating vector. */
function forget(history: FloatArray, h: i32): void {
  history[h] = 0;
  history[h + 1] = 0;
  history[h + 2] = 0;
  history[h + 3] = 0;
  for (let k: i32 = 7; k < 13; k++) history[h + k] = 0;
}

/**
 * Looks for a vector with all of A below all of B, from the one given. Leaves at RESULT + 8 the one that separates (returns 1) or the one
 * along which they penetrate least (returns 0).
 */
function separated(
  a: i32,
  b: i32,
  dx: f64,
  dy: f64,
  dz: f64,
  startX: f64,
  startY: f64,
  startZ: f64,
  size: f64,
  report: i32,
  room: i32,
): i32 {
  const pieces: IntArray = ptrI(PIECES);
  const vertices: FloatArray = ptrF(VERTICES);
  const work: FloatArray = ptrF(WORK);
  const reports: FloatArray = ptrF(REPORT);
  const result: i32 = RESULT * room;
  const firstA: i32 = 3 * pieces[8 * a + 2];
  const endA: i32 = firstA + 3 * pieces[8 * a + 3];
  const firstB: i32 = 3 * pieces[8 * b + 2];
  const endB: i32 = firstB + 3 * pieces[8 * b + 3];
  const margin: f64 = 1e-12 * size;
  const length: f64 = Math.sqrt(startX * startX + startY * startY + startZ * startZ);
  let sx: f64 = startX / length;
  let sy: f64 = startY / length;
  let sz: f64 = startZ / length;
  let best: f64 = 1e300;
  for (let attempt: i32 = 0; attempt < TRIES; attempt++) {
    reports[report + REPORT_VECTORS] += 1;
    let hi: f64 = -1e300;
    let lo: f64 = 1e300;
    let p: i32 = firstA;
    let q: i32 = firstB;
    for (let v: i32 = firstA; v < endA; v += 3) {
      const t: f64 = sx * vertices[v] + sy * vertices[v + 1] + sz * vertices[v + 2];
      if (t > hi) {
        hi = t;
        p = v;
      }
    }
    for (let v: i32 = firstB; v < endB; v += 3) {
      const t: f64 = sx * vertices[v] + sy * vertices[v + 1] + sz * vertices[v + 2];
      if (t < lo) {
        lo = t;
        q = v;
      }
    }
    const penetration: f64 = hi - lo - (sx * dx + sy * dy + sz * dz);
    if (penetration < best) {
      best = penetration;
      work[result + 8] = sx;
      work[result + 9] = sy;
      work[result + 10] = sz;
    }
    if (penetration < -margin) return 1;

    // Mirror at the direction between the support points
    const rx: f64 = vertices[q] + dx - vertices[p];
    const ry: f64 = vertices[q + 1] + dy - vertices[p + 1];
    const rz: f64 = vertices[q + 2] + dz - vertices[p + 2];
    const square: f64 = rx * rx + ry * ry + rz * rz;
    if (!(square > 0)) return 0;
    const twice: f64 = (2 * (rx * sx + ry * sy + rz * sz)) / square;
    sx -= twice * rx;
    sy -= twice * ry;
    sz -= twice * rz;
  }
  return 0;
}
