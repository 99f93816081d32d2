/**
 * How force and torque on a body change with its pose and twist, the soil frozen: exact for the nodes that are there. A change of pose moves material by
 * δP = δp + θ × r. At a node, whose x and y stay,
 *
 *   the underside rises by    δz = δP_z − z_x δP_x − z_y δP_y            (slopes of the surface)
 *   its normal turns by       δn = θ × n
 *   material there has come   δd = δx − M (δx − δP),  δx = (0, 0, δz),  M = Q Rᵀ from the present axes to the accepted ones
 *
 * and pressure, shear and lever follow by the chain rule of node-response.ts. All of it is linear in δP, δn and the change δu of the material's velocity:
 *
 *   δf = P δP + N δn + U δu          three 3 × 3 matrices of a node
 *
 * so six changes are followed through the laws, and the twelve columns of force and torque are put together from them.
 */
import type { Footprint } from './footprint.js';
import type { NodeResponse } from './node-response.js';
import type { SoilLaw } from './soil-law.js';
import type { SoilMotion, SoilObject } from './soil-object.js';
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
/** Q Rᵀ */
const M = new Float64Array(9);

/** M = Q Rᵀ, once for all nodes of a body */
export function turnSinceAccepted({ rotation: Q }: SoilObject, { rotation: R }: SoilMotion): void {
  for (let i = 0; i < 3; i++)
    for (let k = 0; k < 3; k++)
      M[3 * i + k] = Q[3 * i] * R[3 * k] + Q[3 * i + 1] * R[3 * k + 1] + Q[3 * i + 2] * R[3 * k + 2];
}

/** Adds what node k of the window does. @param up z component of the terrain's normal; @param area m² of a cell */
export function addDerivative(
  law: SoilLaw,
  at: NodeResponse,
  walls: UprightFaces | undefined,
  object: SoilObject,
  { spin: w, position: p }: SoilMotion,
  k: number,
  spacing: number,
  up: number,
  area: number,
  out: SoilDerivative,
): void {
  const { footprint, accepted } = object;
  const sx = footprint.slopes[2 * k];
  const sy = footprint.slopes[2 * k + 1];
  const dA = area / at.nz;
  const secant = at.tauMax * (at.j > 1e-9 * law.shearLength ? (1 - at.left) / at.j : 1 / law.shearLength);
  velocityPart(law, at, secant, dA);
  for (let c = 0; c < 3; c++) {
    poseColumn(law, at, secant, dA, up, accepted, sx, sy, c, false);
    poseColumn(law, at, secant, dA, up, accepted, sx, sy, c, true);
  }
  // the force on the node as it is
  const slipX = at.ux - at.out * at.nx;
  const slipY = at.uy - at.out * at.ny;
  const slipZ = at.uz - at.out * at.nz;
  const tx = dA * (at.sigma * at.nx - secant * at.jx - at.viscous * slipX) + (walls ? walls.fx : 0);
  const ty = dA * (at.sigma * at.ny - secant * at.jy - at.viscous * slipY) + (walls ? walls.fy : 0);
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
    // a shift: the node is at r − e + rise ẑ from the origin, where the spin gives w × of it
    let rise = ez - sx * ex - sy * ey;
    poseForce(ex, ey, ez, 0, 0, 0, -ex, -ey, rise - ez, w);
    if (walls) pushWalls(walls, footprint, spacing, p, axis, false, rise);
    addColumn(out.byPose, axis, at, fx, fy, fz);
    addLever(out.byPose, axis, -ex, -ey, rise - ez, tx, ty, tz);
    // a turn
    rise = qz - sx * qx - sy * qy;
    const mx = ey * at.nz - ez * at.ny;
    const my = ez * at.nx - ex * at.nz;
    const mz = at.steep ? 0 : ex * at.ny - ey * at.nx;
    poseForce(qx, qy, qz, mx, my, mz, 0, 0, rise, w);
    if (walls) pushWalls(walls, footprint, spacing, p, axis, true, rise);
    addColumn(out.byPose, 3 + axis, at, fx, fy, fz);
    addLever(out.byPose, 3 + axis, 0, 0, rise, tx, ty, tz);
  }
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

/** Column c of P and JP, for a unit of δP, or of N and JN, for a unit of δn: velocities of the material as they are */
function poseColumn(
  law: SoilLaw,
  at: NodeResponse,
  secant: number,
  dA: number,
  up: number,
  accepted: boolean,
  slopeX: number,
  slopeY: number,
  c: number,
  turns: boolean,
): void {
  const { nx, ny, nz } = at;
  const x = c === 0 ? 1 : 0;
  const y = c === 1 ? 1 : 0;
  const z = c === 2 ? 1 : 0;
  const px = turns ? 0 : x;
  const py = turns ? 0 : y;
  const pz = turns ? 0 : z;
  const mx = turns ? x : 0;
  const my = turns ? y : 0;
  const mz = turns ? z : 0;
  const rise = pz - slopeX * px - slopeY * py;
  const dOut = mx * at.ux + my * at.uy + mz * at.uz;
  const dS = -up * rise;
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
    const ox = -px;
    const oy = -py;
    const oz = rise - pz;
    const ddx = -(M[0] * ox + M[1] * oy + M[2] * oz);
    const ddy = -(M[3] * ox + M[4] * oy + M[5] * oz);
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
  const [A, J] = turns ? TURNED : SHIFTED;
  A[c] = dA * (gx + viscous * (dOut * nx + at.out * mx) + widen * tx);
  A[3 + c] = dA * (gy + viscous * (dOut * ny + at.out * my) + widen * ty);
  A[6 + c] = dA * (gz + viscous * (dOut * nz + at.out * mz) + widen * tz);
  J[c] = djx;
  J[3 + c] = djy;
  J[6 + c] = djz;
}
const SHIFTED = [P, JP] as const;
const TURNED = [N, JN] as const;

/** What walls beside the node add to δf of the change at hand */
function pushWalls(
  walls: UprightFaces,
  { i0, j0, columns, slopes, under }: Footprint,
  spacing: number,
  p: Float64Array,
  axis: number,
  turn: boolean,
  rise: number,
): void {
  for (let side = 0; side < 4; side++) {
    if (walls.byWay[side] === 0 && walls.byHeight[side] === 0) continue;
    const mx = TOWARDS_X[side];
    const my = TOWARDS_Y[side];
    let higher = -rise;
    const c = walls.neighbour[side];
    if (c >= 0) {
      const ex = axis === 0 ? 1 : 0;
      const ey = axis === 1 ? 1 : 0;
      const ez = axis === 2 ? 1 : 0;
      const x = (i0 + (c % columns)) * spacing - p[0];
      const y = (j0 + Math.floor(c / columns)) * spacing - p[1];
      const z = under[c] - p[2];
      const qx = turn ? ey * z - ez * y : ex;
      const qy = turn ? ez * x - ex * z : ey;
      const qz = turn ? ex * y - ey * x : ez;
      higher += qz - slopes[2 * c] * qx - slopes[2 * c + 1] * qy;
    }
    const more = walls.byWay[side] * (jx * mx + jy * my) + walls.byHeight[side] * higher;
    fx -= more * mx;
    fy -= more * my;
  }
}
