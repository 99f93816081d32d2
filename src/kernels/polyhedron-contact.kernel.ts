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
 * **Who is A** follows from the state, not from the numbering: a wall is B, else A has the smaller x (then y, z), of the images that are nearest where space is periodic. Histories are kept for the
 * first piece of the pair as listed and change sign with the roles (the twist does not).
 *
 * **Normal law**, polyhedra: a bed of springs N = K V along n = S/|S| at the centroid of the overlap. The
 * elastic energy is U = F δ/(q + 1) for F ~ δ^q, where δ is the penetration along n and q = δ|S|/V: 1 for a face, 2 for an edge, 3 for a corner.
 * Spheres: Hertz, U = 2/5 F δ. Then N = F max(0, 1 + x v/√(v² + w)), w = 2U/m, 1/m = nᵀWn with the rotation of both bodies in it, gives the restitution
 * that was asked for (contact-laws/normal/constant-restitution.ts, floor speed 0).
 *
 * Friction, the book of energy and the sums are in polyhedron-law.kernel.ts.
 */

import { press } from './polyhedron-law.kernel.js';
import { POSITIONS, SETTINGS, SHARES, SPHERES, VELOCITIES } from './polyhedron-motion.kernel.js';
import {
  FEATURE,
  HALF_SPACE,
  OVERLAP_RESULT,
  overlapHalfSpace,
  overlapPolyhedra,
  PIECES,
  PLANES,
  SPHERE,
  WORK,
} from './polyhedron-overlap.kernel.js';
import {
  HISTORY,
  LAWS,
  PAIRS,
  RECORDS,
  REPORT,
  REPORT_CONTACTS,
  REPORT_CUTS,
  REPORT_DEEPEST,
  REPORT_DEPTH,
  REPORT_LENGTH,
  REPORT_NEAR,
  REPORT_NEW,
  REPORT_RECORD,
  REPORT_VECTORS,
  REPORT_WALLS,
  THINNESS,
} from './polyhedron-report.kernel.js';
import { separated } from './polyhedron-separation.kernel.js';
import { type FloatArray, type f64, type IntArray, type i32, ptrF, ptrI } from './prelude.js';
import { distanceToFeature, nearestOfPolyhedron } from './sphere-polyhedron.kernel.js';

const PI: f64 = Math.PI;

/** The share of one thread. The bristles advance by h. */
export function pressPolyhedra(thread: i32): void {
  const shares: IntArray = ptrI(SHARES);
  const settings: FloatArray = ptrF(SETTINGS);
  const step: f64 = settings[1];
  const periodic: f64 = settings[5];
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
  const result: i32 = OVERLAP_RESULT * room;
  const recording: f64 = reports[report + REPORT_RECORD];

  for (let pair: i32 = from; pair < to; pair++) {
    let a: i32 = pairs[2 * pair];
    let b: i32 = pairs[2 * pair + 1];
    const h: i32 = 16 * pair;
    let kindA: i32 = pieces[8 * a + 1];
    let kindB: i32 = pieces[8 * b + 1];
    let bodyA: i32 = pieces[8 * a];
    let bodyB: i32 = pieces[8 * b];

    let dx: f64 = positions[4 * bodyB] - positions[4 * bodyA];
    let dy: f64 = positions[4 * bodyB + 1] - positions[4 * bodyA + 1];
    let dz: f64 = positions[4 * bodyB + 2] - positions[4 * bodyA + 2];
    // Grains meet by their nearest images, walls are where they are
    if (periodic > 0 && velocities[8 * bodyA + 3] > 0 && velocities[8 * bodyB + 3] > 0) {
      dx = nearest(dx, settings[8]);
      dy = nearest(dy, settings[9]);
      dz = nearest(dz, settings[10]);
    }

    // Roles: sphere, polyhedron, half-space in this order; a wall last; else by position
    let swap: boolean = false;
    if (kindA !== kindB) swap = kindB === SPHERE || kindA === HALF_SPACE;
    else if (velocities[8 * bodyB + 3] > 0) {
      if (!(velocities[8 * bodyA + 3] > 0)) swap = true;
      else swap = dx !== 0 ? dx < 0 : dy !== 0 ? dy < 0 : dz < 0;
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
      dx = 0 - dx; // no −0
      dy = 0 - dy;
      dz = 0 - dz;
    }
    const touched: boolean = history[h + 7] > 0;
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
        const px: f64 = spheres[4 * a] - dx;
        const py: f64 = spheres[4 * a + 1] - dy;
        const pz: f64 = spheres[4 * a + 2] - dz;
        own =
          kindB === FEATURE
            ? distanceToFeature(b, px, py, pz, radiusA, work, result)
            : nearestOfPolyhedron(b, px, py, pz, radiusA, work, result);
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
            const w: i32 = 4 * pieces[8 * b + 4];
            if (pieces[8 * b + 7] > 0)
              // A part of a wall has one face that matters
              free = separated(a, b, dx, dy, dz, -planes[w], -planes[w + 1], -planes[w + 2], size, report, room);
            else if (length > 0)
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
        if (pieces[8 * b + 7] > 0) {
          const w: i32 = 4 * pieces[8 * b + 4];
          nx = -planes[w];
          ny = -planes[w + 1];
          nz = -planes[w + 2];
        }
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
      } else if (pieces[8 * b + 7] > 0) {
        // Beside the face of this part of a wall: its neighbours carry
        forget(history, h);
        if (recording > 0) records[16 * pair] = 0;
        continue;
      } else area = volume / depth; // swallowed whole: the report below says so
      rx = work[result + 1] / volume;
      ry = work[result + 2] / volume;
      rz = work[result + 3] / volume;
      // Springs of a part of a wall stand on its face, as long as it is thick: what reaches under it from beside the face, as about a sharp edge, is pressed by none, and says nothing of how deep it is
      let beside: boolean = false;
      if (pieces[8 * b + 7] > 0) {
        if (depth > 0.5 * thinness[b]) depth = 0.5 * thinness[b];
        if (volume > area * depth) {
          volume = area * depth;
          beside = true;
        }
      }

      // V ~ δ^p: 1 a face, 2 an edge, 3 a corner
      const mean: f64 = volume / area;
      let power: f64 = depth / mean;
      if (power < 1) power = 1;
      if (power > 3) power = 3;
      elastic = laws[law] * volume;
      normalStiffness = laws[law] * area;
      energy2 = (2 * elastic * mean * power) / (power + 1);
      held = 0.5 * energy2;
      if (kindB === HALF_SPACE)
        held = elastic * (planes[4 * pieces[8 * b + 4] + 3] - (nx * (dx - rx) + ny * (dy - ry) + nz * (dz - rz)));
      tangential = 0.8 * normalStiffness;
      twisting = (tangential * area) / (2 * PI);
      twistRadius = (2 * Math.sqrt(area / PI)) / 3;
      // Nor does a sliver of the face beside a sharp edge that a wider grain lies about
      if (pieces[8 * b + 7] > 0 && mean * mean > area && 4 * area < thinness[a] * thinness[a]) beside = true;
      deep = beside ? 0 : mean;
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

    held -= laws[law + 4] * volume; // of cohesion
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
      laws[law + 4] * area,
      laws[kindA === SPHERE ? law + 7 : law + 3],
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

/** A distance along an axis by the nearest image; 0: the axis is not periodic */
function nearest(way: f64, period: f64): f64 {
  if (!(period > 0)) return way;
  if (way > 0.5 * period) return way - period;
  if (way < -0.5 * period) return way + period;
  return way;
}

/** The pair does not touch: no bristle, no twist; the normal stays as a separating vector. */
function forget(history: FloatArray, h: i32): void {
  history[h] = 0;
  history[h + 1] = 0;
  history[h + 2] = 0;
  history[h + 3] = 0;
  for (let k: i32 = 7; k < 13; k++) history[h + k] = 0;
}
