/**
 * How force and torque on a body change with its pose and twist, the soil frozen: exact for the nodes that are there. A change of pose moves material by
 * δP = δp + θ × r. At a node, whose x and y stay,
 *
 *   the underside rises by    δz = δP_z − z_x δP_x − z_y δP_y            (slopes of the surface)
 *   its normal turns by       δn = θ × n − n_x δP_x − n_y δP_y           (of a round surface, soil-mesh.ts)
 *   material there has come   δd = δx − M (δx − δP),  δx = (0, 0, δz),  M = Q Rᵀ from the present axes to the accepted ones
 *
 * and pressure, shear and lever follow by the chain rule of node-response.ts. Where the outline crosses the cell, the covered part α and its middle, where the underside is seen, move by δα and δo
 * (coverage.ts), and δx = (δo, δz) with δP_x − δo_x and δP_y − δo_y in place of δP_x and δP_y in δz and δn. All of it is linear in δP, δn, δo and the change δu of the material's velocity:
 *
 *   δf = P δP + N δn + O δo + U δu + (δα/α) f          3 × 3 matrices of a node
 *
 * so six changes, eight on the outline, are followed through the laws, and the twelve columns of force and torque are put together from them.
 */
import { RATES } from './coverage.js';
import type { Footprint } from './footprint.js';
import type { NodeResponse } from './node-response.js';
import type { SoilLaw } from './soil-law.js';
import type { SoilMotion, SoilObject } from './soil-object.js';
import type { SoilFields } from './soil-tiles.js';
import { TOWARDS_X, TOWARDS_Y, type UprightFaces } from './upright-faces.js';

/** 6 × 6 each, row by row: force and torque by displacement of the origin and turn, by velocity and angular velocity; terrain axes */
export class SoilDerivative {
  readonly byPose = new Float64Array(36);
  readonly byTwist = new Float64Array(36);

  clear(): void {
    this.byPose.fill(0);
    this.byTwist.fill(0);
  }
}

/** U, P and N of the node at hand, row by row; and of its shear: δj = JP δP + JN δn */
const U = new Float64Array(9);
const P = new Float64Array(9);
const N = new Float64Array(9);
const JP = new Float64Array(9);
const JN = new Float64Array(9);
/** The same of a shift of the place where the underside is seen */
const O = new Float64Array(9);
const JO = new Float64Array(9);
/** Of the cell at hand, and of one beside it: how part and middle change with the pose */
const RATE = new Float64Array(RATES);
const BESIDE = new Float64Array(RATES);
/** Q Rᵀ */
const M = new Float64Array(9);
/** δf of the change at hand, N, and the change of its shear displacement, then of the way of walls, m; numbers in arrays, for calls would make objects of them */
const CHANGE = new Float64Array(6);
/** Changes of what is kept of J, m, and of M */
const HELD = new Float64Array(4);
/** m² of the surface of the node at hand, and the force on it, N, without walls */
const AREA = 0;
const FORCE = 1;
const AT = new Float64Array(4);

/** M = Q Rᵀ, once for all nodes of a body */
export function turnSinceAccepted({ rotation: Q }: SoilObject, { rotation: R }: SoilMotion): void {
  for (let i = 0; i < 3; i++)
    for (let k = 0; k < 3; k++)
      M[3 * i + k] = Q[3 * i] * R[3 * k] + Q[3 * i + 1] * R[3 * k + 1] + Q[3 * i + 2] * R[3 * k + 2];
}

/** Adds what node k of the window does. @param area m² of a cell */
export function addDerivative(
  law: SoilLaw,
  at: NodeResponse,
  walls: UprightFaces | undefined,
  object: SoilObject,
  { spin: w, position: p }: SoilMotion,
  k: number,
  spacing: number,
  fields: SoilFields,
  node: number,
  area: number,
  out: SoilDerivative,
): void {
  const { footprint, accepted } = object;
  const sx = footprint.underside.slopeXAt(k);
  const sy = footprint.underside.slopeYAt(k);
  const cut = at.cover < 1;
  AT[AREA] = (area * at.cover) / at.nz;
  velocityPart(law, at);
  posePart(law, at, fields, node, accepted, sx, sy, SHIFTED);
  posePart(law, at, fields, node, accepted, sx, sy, TURNED);
  if (cut) {
    posePart(law, at, fields, node, accepted, sx, sy, SEEN_ELSEWHERE);
    footprint.coverage.ratesOf(k, RATE);
  }
  for (let c = 0; c < 3; c++) {
    const n = c === 0 ? at.nx : c === 1 ? at.ny : at.nz;
    const s = c === 0 ? at.sx : c === 1 ? at.sy : at.sz;
    AT[FORCE + c] = AT[AREA] * (at.sigma * n - at.secant * s);
  }
  const tx = AT[FORCE] + (walls ? walls.fx : 0);
  const ty = AT[FORCE + 1] + (walls ? walls.fy : 0);
  const tz = AT[FORCE + 2];
  const { rx, ry, rz, nx, ny, trueNz, steep, normal: B } = at;
  const { byTwist, byPose } = out;
  const w0 = w[0];
  const w1 = w[1];
  const w2 = w[2];
  for (let axis = 0; axis < 3; axis++) {
    const ex = axis === 0 ? 1 : 0;
    const ey = axis === 1 ? 1 : 0;
    const ez = axis === 2 ? 1 : 0;
    // e × r
    const qx = ey * rz - ez * ry;
    const qy = ez * rx - ex * rz;
    const qz = ex * ry - ey * rx;
    for (let turn = 0; turn < 2; turn++) {
      const column = 3 * turn + axis;
      const gx = turn === 0 ? ex : qx;
      const gy = turn === 0 ? ey : qy;
      const gz = turn === 0 ? ez : qz;
      // by the twist: U δu
      let fx = U[0] * gx + U[1] * gy + U[2] * gz;
      let fy = U[3] * gx + U[4] * gy + U[5] * gz;
      let fz = U[6] * gx + U[7] * gy + U[8] * gz;
      byTwist[column] += fx;
      byTwist[6 + column] += fy;
      byTwist[12 + column] += fz;
      byTwist[18 + column] += ry * fz - rz * fy;
      byTwist[24 + column] += rz * fx - rx * fz;
      byTwist[30 + column] += rx * fy - ry * fx;
      // by the pose; the part of the cell that is covered, and its middle
      const more = cut ? RATE[column] / at.cover : 0;
      const ox = cut ? RATE[6 + column] / at.cover : 0;
      const oy = cut ? RATE[12 + column] / at.cover : 0;
      const rise = gz - sx * (gx - ox) - sy * (gy - oy);
      // a shift: the node is at r − e + δo + rise ẑ from the origin, where the spin gives w × of it
      const lx = ox - (turn === 0 ? ex : 0);
      const ly = oy - (turn === 0 ? ey : 0);
      const lz = rise - (turn === 0 ? ez : 0);
      // a turn: the normal turns by e × n; and another place of a round surface is over the node
      const bx = gx - ox;
      const by = gy - oy;
      const mx = (turn === 0 ? 0 : ey * trueNz - ez * ny) - B[3] * bx - B[6] * by;
      const my = (turn === 0 ? 0 : ez * nx - ex * trueNz) - B[4] * bx - B[7] * by;
      const mz = steep ? 0 : (turn === 0 ? 0 : ex * ny - ey * nx) - B[5] * bx - B[8] * by;
      const ux = w1 * lz - w2 * ly;
      const uy = w2 * lx - w0 * lz;
      const uz = w0 * ly - w1 * lx;
      fx = P[0] * gx + P[1] * gy + P[2] * gz + (N[0] * mx + N[1] * my + N[2] * mz);
      fy = P[3] * gx + P[4] * gy + P[5] * gz + (N[3] * mx + N[4] * my + N[5] * mz);
      fz = P[6] * gx + P[7] * gy + P[8] * gz + (N[6] * mx + N[7] * my + N[8] * mz);
      fx += U[0] * ux + U[1] * uy + U[2] * uz;
      fy += U[3] * ux + U[4] * uy + U[5] * uz;
      fz += U[6] * ux + U[7] * uy + U[8] * uz;
      if (cut || walls) {
        CHANGE[0] = fx;
        CHANGE[1] = fy;
        CHANGE[2] = fz;
        CHANGE[3] = JP[0] * gx + JP[1] * gy + JP[2] * gz + (JN[0] * mx + JN[1] * my + JN[2] * mz);
        CHANGE[4] = JP[3] * gx + JP[4] * gy + JP[5] * gz + (JN[3] * mx + JN[4] * my + JN[5] * mz);
        CHANGE[5] = JP[6] * gx + JP[7] * gy + JP[8] * gz + (JN[6] * mx + JN[7] * my + JN[8] * mz);
        let lessMost = 0;
        if (cut) {
          addShift(ox, oy, more);
          if (at.kept < 1) {
            lessMost = -more * at.most;
            addDilution(at, more);
          }
        }
        if (walls) findWayChange(at, lessMost);
        if (walls) pushWalls(walls, footprint, spacing, p, axis, turn === 1, rise, more * at.cover);
        fx = CHANGE[0];
        fy = CHANGE[1];
        fz = CHANGE[2];
      }
      // r × δf, and δr × f as the lever changes
      byPose[column] += fx;
      byPose[6 + column] += fy;
      byPose[12 + column] += fz;
      byPose[18 + column] += ry * fz - rz * fy + (ly * tz - lz * ty);
      byPose[24 + column] += rz * fx - rx * fz + (lz * tx - lx * tz);
      byPose[30 + column] += rx * fy - ry * fx + (lx * ty - ly * tx);
    }
  }
}

/** What a shift of the place where the underside is seen, m, and more of the cell, as a part of what is covered, add to the change at hand */
function addShift(ox: number, oy: number, more: number): void {
  for (let c = 0; c < 3; c++) CHANGE[c] += O[3 * c] * ox + O[3 * c + 1] * oy + more * AT[FORCE + c];
  for (let c = 0; c < 3; c++) CHANGE[3 + c] += JO[3 * c] * ox + JO[3 * c + 1] * oy;
}

/** From the change of the shear displacement to that of the way that walls were pushed. @param dMost change of M */
function findWayChange(at: NodeResponse, dMost: number): void {
  const { wayByShear, waySlope, wayByMost, jx, jy, jz } = at;
  const inverse = at.j > 0 ? 1 / at.j : 0;
  const longer = (CHANGE[3] * jx + CHANGE[4] * jy + CHANGE[5] * jz) * inverse;
  const along = ((waySlope - wayByShear) * longer + wayByMost * dMost) * inverse;
  CHANGE[3] = wayByShear * CHANGE[3] + along * jx;
  CHANGE[4] = wayByShear * CHANGE[4] + along * jy;
}

/** More of the cell, as a part of what is covered, is not sheared yet: δJ = −more J_accepted, δM = −more M */
function addDilution(at: NodeResponse, more: number): void {
  const { secant, tangent, sx, sy, sz } = at;
  const djx = -more * at.laidX;
  const djy = -more * at.laidY;
  const djz = -more * at.laidZ;
  findHeldChange(at, djx, djy, djz, -more * at.most);
  const inverse = at.sheared > 0 ? 1 / at.sheared : 0;
  const longer = (HELD[0] * sx + HELD[1] * sy + HELD[2] * sz) * inverse;
  const change = ((tangent - secant) * longer + at.tauMax * at.curve.byMost * HELD[3]) * inverse;
  CHANGE[0] -= AT[AREA] * (change * sx + secant * HELD[0]);
  CHANGE[1] -= AT[AREA] * (change * sy + secant * HELD[1]);
  CHANGE[2] -= AT[AREA] * (change * sz + secant * HELD[2]);
  CHANGE[3] += djx;
  CHANGE[4] += djy;
  CHANGE[5] += djz;
}

/** Of what soil has yielded to: change of what it keeps of J, m, and of M, for changes of J and of M before */
function findHeldChange(at: NodeResponse, djx: number, djy: number, djz: number, dMost: number): void {
  const { heldPart, heldSlope, mostSlope, jx, jy, jz } = at;
  const inverse = at.j > 0 ? 1 / at.j : 0;
  const longer = (djx * jx + djy * jy + djz * jz) * inverse;
  const most = mostSlope * longer + at.mostByMost * dMost;
  const along = ((heldSlope - heldPart) * longer + at.heldByMost * dMost) * inverse;
  HELD[0] = heldPart * djx + along * jx;
  HELD[1] = heldPart * djy + along * jy;
  HELD[2] = heldPart * djz + along * jz;
  HELD[3] = most;
}

/** U: δout = n·δu, δσ = −damping δout, and shear T_s later along the surface: δs = T_s (δu − n δout) */
function velocityPart(law: SoilLaw, at: NodeResponse): void {
  const { nx, ny, nz, sx, sy, sz, secant } = at;
  const T = law.shearRelaxation;
  // what a change of σ by one does: along n, and by τ_max on shear
  const more = at.tauMax > 0 ? (at.tauBySigma / at.tauMax) * secant : 0;
  const c = -at.damping * AT[AREA];
  const v = secant * T * AT[AREA];
  const inverse = at.sheared > 0 ? 1 / at.sheared : 0;
  const along = (at.tangent - secant) * T * AT[AREA] * inverse * inverse;
  const lx = c * (nx - more * sx) + v * nx;
  const ly = c * (ny - more * sy) + v * ny;
  const lz = c * (nz - more * sz) + v * nz;
  const into = sx * nx + sy * ny + sz * nz;
  const ax = sx - into * nx;
  const ay = sy - into * ny;
  const az = sz - into * nz;
  U[0] = lx * nx - v - along * sx * ax;
  U[1] = lx * ny - along * sx * ay;
  U[2] = lx * nz - along * sx * az;
  U[3] = ly * nx - along * sy * ax;
  U[4] = ly * ny - v - along * sy * ay;
  U[5] = ly * nz - along * sy * az;
  U[6] = lz * nx - along * sz * ax;
  U[7] = lz * ny - along * sz * ay;
  U[8] = lz * nz - v - along * sz * az;
}

const SHIFTED = 0;
const TURNED = 1;
const SEEN_ELSEWHERE = 2;

/** Columns of P and JP, for a unit of δP, of N and JN, for a unit of δn, or of O and JO, for a unit of δo along x and y: velocities of the material as they are */
function posePart(
  law: SoilLaw,
  at: NodeResponse,
  fields: SoilFields,
  node: number,
  accepted: boolean,
  slopeX: number,
  slopeY: number,
  what: number,
): void {
  const { nx, ny, nz, sx, sy, sz, sigma, secant, tangent, tauMax, part, dx, dy, dz } = at;
  const dA = AT[AREA];
  const T = law.shearRelaxation;
  const inverse = at.sheared > 0 ? 1 / at.sheared : 0;
  const turns = what === TURNED;
  const along = accepted ? dx * nx + dy * ny + dz * nz : 0;
  // What is stored, h laid into the surface with its length kept: F = h − (h·n) n, j = |h| F/|F|
  const { hx, hy, hz } = at;
  const into = hx * nx + hy * ny + hz * nz;
  const laidX = hx - into * nx;
  const laidY = hy - into * ny;
  const laidZ = hz - into * nz;
  const flat = laidX * laidX + laidY * laidY + laidZ * laidZ;
  const stretch = turns && flat > 0 ? Math.sqrt((hx * hx + hy * hy + hz * hz) / flat) : 0;
  const A = what === SHIFTED ? P : turns ? N : O;
  const J = what === SHIFTED ? JP : turns ? JN : JO;
  for (let c = 0; c < (what === SEEN_ELSEWHERE ? 2 : 3); c++) {
    const ex = c === 0 ? 1 : 0;
    const ey = c === 1 ? 1 : 0;
    const ez = c === 2 ? 1 : 0;
    let dOut = 0;
    let dS = 0;
    let djx = 0;
    let djy = 0;
    let djz = 0;
    // How far material has come, d, changes by dd; its part along n by dAlong
    let ddx = 0;
    let ddy = 0;
    let ddz = 0;
    let dAlong = 0;
    if (turns) {
      dOut = c === 0 ? at.ux : c === 1 ? at.uy : at.uz;
      if (flat > 0) {
        const turned = c === 0 ? hx : c === 1 ? hy : hz;
        const a = -turned * nx - into * ex;
        const b = -turned * ny - into * ey;
        const d = -turned * nz - into * ez;
        const less = (laidX * a + laidY * b + laidZ * d) / flat;
        djx = stretch * (a - less * laidX);
        djy = stretch * (b - less * laidY);
        djz = stretch * (d - less * laidZ);
      }
      dAlong = c === 0 ? dx : c === 1 ? dy : dz;
    } else {
      // a shift of the body by e, or of the place by e; what of the way is that of the place
      const shift = what === SHIFTED ? 1 : -1;
      const rise = shift > 0 ? ez - slopeX * ex - slopeY * ey : slopeX * ex + slopeY * ey;
      const vx = shift > 0 ? 0 : ex;
      const vy = shift > 0 ? 0 : ey;
      dS = fields.up[node] * (fields.slopeX[node] * vx + fields.slopeY[node] * vy - rise);
      const ox = -shift * ex;
      const oy = -shift * ey;
      const oz = shift > 0 ? rise - ez : rise;
      ddx = vx - (M[0] * ox + M[1] * oy + M[2] * oz);
      ddy = vy - (M[3] * ox + M[4] * oy + M[5] * oz);
      ddz = rise - (M[6] * ox + M[7] * oy + M[8] * oz);
      dAlong = ddx * nx + ddy * ny + ddz * nz;
    }
    const mx = turns ? ex : 0;
    const my = turns ? ey : 0;
    const mz = turns ? ez : 0;
    const dSigma = at.slope * dS - at.damping * dOut;
    // What has come since: part (d − (d·n) n)
    if (accepted) {
      let dPart = 0;
      if (part < 1) {
        // part = s/sank, sank = −(d·n)/n_z
        const sank = -along / nz;
        const dSank = -dAlong / nz + (along * mz) / (nz * nz);
        dPart = dS / sank - (part * dSank) / sank;
      }
      djx += part * (ddx - dAlong * nx - along * mx) + dPart * (dx - along * nx);
      djy += part * (ddy - dAlong * ny - along * my) + dPart * (dy - along * ny);
      djz += part * (ddz - dAlong * nz - along * mz) + dPart * (dz - along * nz);
    }
    // Shear acts T_s later; of the velocity, the part along the surface is another as that turns
    findHeldChange(at, djx, djy, djz, 0);
    const dsx = HELD[0] - T * (dOut * nx + at.out * mx);
    const dsy = HELD[1] - T * (dOut * ny + at.out * my);
    const dsz = HELD[2] - T * (dOut * nz + at.out * mz);
    const dLength = (dsx * sx + dsy * sy + dsz * sz) * inverse;
    const more = tauMax > 0 ? (at.tauBySigma * dSigma + at.tauBySinkage * dS) / tauMax : 0;
    const change = more * secant + ((tangent - secant) * dLength + tauMax * at.curve.byMost * HELD[3]) * inverse;
    let gx = dSigma * nx - change * sx - secant * dsx;
    let gy = dSigma * ny - change * sy - secant * dsy;
    let gz = dSigma * nz - change * sz - secant * dsz;
    if (turns) {
      // its direction turns, and it becomes wider or narrower
      const widen = -mz / nz;
      gx += sigma * mx + widen * (sigma * nx - secant * sx);
      gy += sigma * my + widen * (sigma * ny - secant * sy);
      gz += sigma * mz + widen * (sigma * nz - secant * sz);
    }
    A[c] = dA * gx;
    A[3 + c] = dA * gy;
    A[6 + c] = dA * gz;
    J[c] = djx;
    J[3 + c] = djy;
    J[6 + c] = djz;
  }
}

/** What walls beside the node add to δf of the change at hand. @param rise of the underside at the node; @param more of its cell covered */
function pushWalls(
  walls: UprightFaces,
  { i0, j0, columns, underside, coverage }: Footprint,
  spacing: number,
  p: Float64Array,
  axis: number,
  turn: boolean,
  rise: number,
  more: number,
): void {
  const column = turn ? 3 + axis : axis;
  for (let side = 0; side < 4; side++) {
    if (walls.whole[side] === 0 && walls.byWay[side] === 0) continue;
    const mx = TOWARDS_X[side];
    const my = TOWARDS_Y[side];
    let higher = -rise;
    const c = walls.neighbour[side];
    if (c >= 0) {
      const ex = axis === 0 ? 1 : 0;
      const ey = axis === 1 ? 1 : 0;
      const ez = axis === 2 ? 1 : 0;
      coverage.ratesOf(c, BESIDE);
      const ox = BESIDE[6 + column] / coverage.cover[c];
      const oy = BESIDE[12 + column] / coverage.cover[c];
      const x = (i0 + (c % columns)) * spacing + coverage.offsetX[c] - p[0];
      const y = (j0 + Math.floor(c / columns)) * spacing + coverage.offsetY[c] - p[1];
      const z = underside.under[c] - p[2];
      const qx = turn ? ey * z - ez * y : ex;
      const qy = turn ? ez * x - ex * z : ey;
      const qz = turn ? ex * y - ey * x : ez;
      higher += qz - underside.slopeXAt(c) * (qx - ox) - underside.slopeYAt(c) * (qy - oy);
    }
    let longer = more;
    const d = walls.beyond[side];
    if (d >= 0) {
      coverage.ratesOf(d, BESIDE);
      longer -= BESIDE[column];
    }
    const push =
      walls.byWay[side] * (CHANGE[3] * mx + CHANGE[4] * my) +
      walls.byHeight[side] * higher +
      walls.whole[side] * longer;
    CHANGE[0] -= push * mx;
    CHANGE[1] -= push * my;
  }
}
