/**
 * How force and torque on a body change with its pose and twist, the soil frozen: exact for the nodes that are there. A change of pose moves material by
 * δP = δp + θ × r. At a node, whose x and y stay,
 *
 *   the underside rises by    δz = δP_z − z_x δP_x − z_y δP_y            (slopes of the surface)
 *   its normal turns by       δn = θ × n
 *   material there has come   δd = δx − M (δx − δP),  δx = (0, 0, δz),  M = Q Rᵀ from the present axes to the accepted ones
 *
 * and pressure, shear and lever follow by the chain rule of node-response.ts. Where the outline crosses the cell, the covered part α and its middle, where the underside is seen, move by δα and δo
 * (coverage.ts), and δx = (δo, δz) with δz = δP_z − z_x (δP_x − δo_x) − z_y (δP_y − δo_y). All of it is linear in δP, δn, δo and the change δu of the material's velocity:
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
  const dA = (area * at.cover) / at.nz;
  const secant = at.tauMax * (at.j > 1e-9 * law.shearLength ? (1 - at.left) / at.j : 1 / law.shearLength);
  velocityPart(law, at, secant, dA);
  for (let c = 0; c < 3; c++) {
    poseColumn(law, at, secant, dA, fields, node, accepted, sx, sy, c, SHIFTED);
    poseColumn(law, at, secant, dA, fields, node, accepted, sx, sy, c, TURNED);
    if (cut && c < 2) poseColumn(law, at, secant, dA, fields, node, accepted, sx, sy, c, SEEN_ELSEWHERE);
  }
  if (cut) footprint.coverage.ratesOf(k, RATE);
  // the force on the node as it is
  const slipX = at.ux - at.out * at.nx;
  const slipY = at.uy - at.out * at.ny;
  const slipZ = at.uz - at.out * at.nz;
  const soilX = dA * (at.sigma * at.nx - secant * at.jx - at.viscous * slipX);
  const soilY = dA * (at.sigma * at.ny - secant * at.jy - at.viscous * slipY);
  const tx = soilX + (walls ? walls.fx : 0);
  const ty = soilY + (walls ? walls.fy : 0);
  const tz = dA * (at.sigma * at.nz - secant * at.jz - at.viscous * slipZ);
  const { rx, ry, rz } = at;
  for (let axis = 0; axis < 3; axis++) {
    const ex = axis === 0 ? 1 : 0;
    const ey = axis === 1 ? 1 : 0;
    const ez = axis === 2 ? 1 : 0;
    // e × r and e × n
    const qx = ey * rz - ez * ry;
    const qy = ez * rx - ex * rz;
    const qz = ex * ry - ey * rx;
    addColumn(out.byTwist, axis, at, times(U, 0, ex, ey, ez), times(U, 3, ex, ey, ez), times(U, 6, ex, ey, ez));
    addColumn(out.byTwist, 3 + axis, at, times(U, 0, qx, qy, qz), times(U, 3, qx, qy, qz), times(U, 6, qx, qy, qz));
    for (let turn = 0; turn < 2; turn++) {
      const column = 3 * turn + axis;
      // the part of the cell that is covered, and its middle
      const more = cut ? RATE[column] / at.cover : 0;
      const ox = cut ? RATE[6 + column] / at.cover : 0;
      const oy = cut ? RATE[12 + column] / at.cover : 0;
      const gx = turn === 0 ? ex : qx;
      const gy = turn === 0 ? ey : qy;
      const gz = turn === 0 ? ez : qz;
      const rise = gz - sx * (gx - ox) - sy * (gy - oy);
      // a shift: the node is at r − e + δo + rise ẑ from the origin, where the spin gives w × of it
      const lx = ox - (turn === 0 ? ex : 0);
      const ly = oy - (turn === 0 ? ey : 0);
      const lz = rise - (turn === 0 ? ez : 0);
      if (turn === 0) poseForce(gx, gy, gz, 0, 0, 0, lx, ly, lz, w);
      else {
        const mz = at.steep ? 0 : ex * at.ny - ey * at.nx;
        poseForce(gx, gy, gz, ey * at.trueNz - ez * at.ny, ez * at.nx - ex * at.trueNz, mz, lx, ly, lz, w);
      }
      if (cut) {
        seenElsewhere(ox, oy, more, soilX, soilY, tz);
        if (at.kept < 1) diluted(law, at, secant, dA, more, slipX, slipY, slipZ);
      }
      if (walls) pushWalls(walls, footprint, spacing, p, axis, turn === 1, rise, more * at.cover);
      addColumn(out.byPose, column, at, fx, fy, fz);
      addLever(out.byPose, column, lx, ly, lz, tx, ty, tz);
    }
  }
}

/** What a shift of the place where the underside is seen, m, and more of the cell, as a part of what is covered, add to δf of the change at hand */
function seenElsewhere(ox: number, oy: number, more: number, x: number, y: number, z: number): void {
  fx += O[0] * ox + O[1] * oy + more * x;
  fy += O[3] * ox + O[4] * oy + more * y;
  fz += O[6] * ox + O[7] * oy + more * z;
  jx += JO[0] * ox + JO[1] * oy;
  jy += JO[3] * ox + JO[4] * oy;
}

/** More of the cell, as a part of what is covered, is not sheared yet: δj = −more j_accepted */
function diluted(
  law: SoilLaw,
  at: NodeResponse,
  secant: number,
  dA: number,
  more: number,
  slipX: number,
  slipY: number,
  slipZ: number,
): void {
  const djx = -more * at.laidX;
  const djy = -more * at.laidY;
  const djz = -more * at.laidZ;
  const inverse = at.j > 0 ? 1 / at.j : 0;
  const longer = (djx * at.jx + djy * at.jy + djz * at.jz) * inverse;
  const change = ((at.tauMax * at.left) / law.shearLength - secant) * inverse * longer;
  const dViscous = (-at.viscous * longer) / law.shearLength;
  fx -= dA * (change * at.jx + secant * djx + dViscous * slipX);
  fy -= dA * (change * at.jy + secant * djy + dViscous * slipY);
  fz -= dA * (change * at.jz + secant * djz + dViscous * slipZ);
  jx += djx;
  jy += djy;
}

/** Row of a matrix, from entry i on, times a vector */
const times = (A: Float64Array, i: number, x: number, y: number, z: number): number =>
  A[i] * x + A[i + 1] * y + A[i + 2] * z;

/** δf of the change at hand, N, and the change of its shear, m */
let fx = 0;
let fy = 0;
let fz = 0;
let jx = 0;
let jy = 0;

function poseForce(
  x: number,
  y: number,
  z: number,
  mx: number,
  my: number,
  mz: number,
  rx: number,
  ry: number,
  rz: number,
  w: Float64Array,
): void {
  const ux = w[1] * rz - w[2] * ry;
  const uy = w[2] * rx - w[0] * rz;
  const uz = w[0] * ry - w[1] * rx;
  fx = times(P, 0, x, y, z) + times(N, 0, mx, my, mz) + times(U, 0, ux, uy, uz);
  fy = times(P, 3, x, y, z) + times(N, 3, mx, my, mz) + times(U, 3, ux, uy, uz);
  fz = times(P, 6, x, y, z) + times(N, 6, mx, my, mz) + times(U, 6, ux, uy, uz);
  jx = times(JP, 0, x, y, z) + times(JN, 0, mx, my, mz);
  jy = times(JP, 3, x, y, z) + times(JN, 3, mx, my, mz);
}

/** Adds a force and its moment r × f to a column. */
function addColumn(
  matrix: Float64Array,
  column: number,
  { rx, ry, rz }: NodeResponse,
  x: number,
  y: number,
  z: number,
): void {
  matrix[column] += x;
  matrix[6 + column] += y;
  matrix[12 + column] += z;
  matrix[18 + column] += ry * z - rz * y;
  matrix[24 + column] += rz * x - rx * z;
  matrix[30 + column] += rx * y - ry * x;
}

/** The lever changes by δr: δr × t */
function addLever(
  matrix: Float64Array,
  column: number,
  rx: number,
  ry: number,
  rz: number,
  x: number,
  y: number,
  z: number,
): void {
  matrix[18 + column] += ry * z - rz * y;
  matrix[24 + column] += rz * x - rx * z;
  matrix[30 + column] += rx * y - ry * x;
}

/** U: δout = n·δu, δσ = −damping δout, and viscous shear along the surface */
function velocityPart(law: SoilLaw, at: NodeResponse, secant: number, dA: number): void {
  const { nx, ny, nz, viscous } = at;
  // what a change of σ by one does: along n, and by τ_max on both kinds of shear
  const more = at.tauMax > 0 ? law.friction / at.tauMax : 0;
  const c = -at.damping * dA;
  const v = viscous * dA;
  const s = more * secant;
  const q = more * viscous;
  const sx = c * (nx - s * at.jx - q * (at.ux - at.out * nx)) + v * nx;
  const sy = c * (ny - s * at.jy - q * (at.uy - at.out * ny)) + v * ny;
  const sz = c * (nz - s * at.jz - q * (at.uz - at.out * nz)) + v * nz;
  U[0] = sx * nx - v;
  U[1] = sx * ny;
  U[2] = sx * nz;
  U[3] = sy * nx;
  U[4] = sy * ny - v;
  U[5] = sy * nz;
  U[6] = sz * nx;
  U[7] = sz * ny;
  U[8] = sz * nz - v;
}

/** Column c of P and JP, for a unit of δP, of N and JN, for a unit of δn, or of O and JO, for a unit of δo: velocities of the material as they are */
function poseColumn(
  law: SoilLaw,
  at: NodeResponse,
  secant: number,
  dA: number,
  fields: SoilFields,
  node: number,
  accepted: boolean,
  slopeX: number,
  slopeY: number,
  c: number,
  [A, J]: readonly [Float64Array, Float64Array],
): void {
  const { nx, ny, nz } = at;
  const x = c === 0 ? 1 : 0;
  const y = c === 1 ? 1 : 0;
  const z = c === 2 ? 1 : 0;
  const shifts = A === P;
  const turns = A === N;
  const px = shifts ? x : 0;
  const py = shifts ? y : 0;
  const pz = shifts ? z : 0;
  const mx = turns ? x : 0;
  const my = turns ? y : 0;
  const mz = turns ? z : 0;
  const vx = shifts || turns ? 0 : x;
  const vy = shifts || turns ? 0 : y;
  const rise = pz - slopeX * (px - vx) - slopeY * (py - vy);
  const dOut = mx * at.ux + my * at.uy + mz * at.uz;
  const dS = fields.up[node] * (fields.slopeX[node] * vx + fields.slopeY[node] * vy - rise);
  const dSigma = at.slope * dS - at.damping * dOut;
  let djx = 0;
  let djy = 0;
  let djz = 0;
  // What is stored, h laid into the surface with its length kept: F = h − (h·n) n, j = |h| F/|F|
  if (turns) {
    const { hx, hy, hz } = at;
    const along = hx * nx + hy * ny + hz * nz;
    const fx = hx - along * nx;
    const fy = hy - along * ny;
    const fz = hz - along * nz;
    const flat = fx * fx + fy * fy + fz * fz;
    if (flat > 0) {
      const stretch = Math.sqrt((hx * hx + hy * hy + hz * hz) / flat);
      const turned = mx * hx + my * hy + mz * hz;
      const a = -turned * nx - along * mx;
      const b = -turned * ny - along * my;
      const d = -turned * nz - along * mz;
      const less = (fx * a + fy * b + fz * d) / flat;
      djx = stretch * (a - less * fx);
      djy = stretch * (b - less * fy);
      djz = stretch * (d - less * fz);
    }
  }
  // What has come since: part (d − (d·n) n)
  if (accepted) {
    const along = at.dx * nx + at.dy * ny + at.dz * nz;
    const ox = vx - px;
    const oy = vy - py;
    const oz = rise - pz;
    const ddx = vx - (M[0] * ox + M[1] * oy + M[2] * oz);
    const ddy = vy - (M[3] * ox + M[4] * oy + M[5] * oz);
    const ddz = rise - (M[6] * ox + M[7] * oy + M[8] * oz);
    const dAlong = ddx * nx + ddy * ny + ddz * nz + mx * at.dx + my * at.dy + mz * at.dz;
    let dPart = 0;
    if (at.part < 1) {
      // part = s/sank, sank = −(d·n)/n_z
      const sank = -along / nz;
      const dSank = -dAlong / nz + (along * mz) / (nz * nz);
      dPart = dS / sank - (at.part * dSank) / sank;
    }
    djx += at.part * (ddx - dAlong * nx - along * mx) + dPart * (at.dx - along * nx);
    djy += at.part * (ddy - dAlong * ny - along * my) + dPart * (at.dy - along * ny);
    djz += at.part * (ddz - dAlong * nz - along * mz) + dPart * (at.dz - along * nz);
  }
  const K = law.shearLength;
  const inverse = at.j > 0 ? 1 / at.j : 0;
  const dLength = (djx * at.jx + djy * at.jy + djz * at.jz) * inverse;
  const more = at.tauMax > 0 ? (law.friction * dSigma) / at.tauMax : 0;
  const tangent = (at.tauMax * at.left) / K;
  const change = more * secant + (tangent - secant) * inverse * dLength;
  const dViscous = at.tauMax > 0 ? at.viscous * (more - dLength / K) : 0;
  const widen = -mz / nz;
  const slipX = at.ux - at.out * nx;
  const slipY = at.uy - at.out * ny;
  const slipZ = at.uz - at.out * nz;
  const tx = at.sigma * nx - secant * at.jx - at.viscous * slipX;
  const ty = at.sigma * ny - secant * at.jy - at.viscous * slipY;
  const tz = at.sigma * nz - secant * at.jz - at.viscous * slipZ;
  const { sigma, viscous } = at;
  const gx = dSigma * nx + sigma * mx - change * at.jx - secant * djx - dViscous * slipX;
  const gy = dSigma * ny + sigma * my - change * at.jy - secant * djy - dViscous * slipY;
  const gz = dSigma * nz + sigma * mz - change * at.jz - secant * djz - dViscous * slipZ;
  A[c] = dA * (gx + viscous * (dOut * nx + at.out * mx) + widen * tx);
  A[3 + c] = dA * (gy + viscous * (dOut * ny + at.out * my) + widen * ty);
  A[6 + c] = dA * (gz + viscous * (dOut * nz + at.out * mz) + widen * tz);
  J[c] = djx;
  J[3 + c] = djy;
  J[6 + c] = djz;
}
const SHIFTED = [P, JP] as const;
const TURNED = [N, JN] as const;
const SEEN_ELSEWHERE = [O, JO] as const;

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
    const push = walls.byWay[side] * (jx * mx + jy * my) + walls.byHeight[side] * higher + walls.whole[side] * longer;
    fx -= push * mx;
    fy -= push * my;
  }
}
