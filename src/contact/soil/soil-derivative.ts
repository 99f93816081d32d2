/**
 * How force and torque on a body change with its pose and twist, the soil frozen: exact for the nodes that are there. A change of pose moves material by
 * δP = δp + θ × r. At a node, whose x and y stay,
 *
 *   the underside rises by    δz = δP_z − z_x δP_x − z_y δP_y            (slopes of the surface)
 *   its normal turns by       δn = θ × n
 *   material there has come   δd = δx − M (δx − δP),  δx = (0, 0, δz),  M = Q Rᵀ from the present axes to the accepted ones
 *
 * and pressure, shear and lever follow by the chain rule of node-response.ts.
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

/** Vectors of the change at hand */
const n = new Float64Array(3);
const dn = new Float64Array(3);
const dP = new Float64Array(3);
const dr = new Float64Array(3);
const du = new Float64Array(3);
const dd = new Float64Array(3);
const dj = new Float64Array(3);
const f = new Float64Array(3);
const r = new Float64Array(3);
const M = new Float64Array(9);

const dot = (a: Float64Array, x: number, y: number, z: number): number => a[0] * x + a[1] * y + a[2] * z;

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
  const { slopes } = footprint;
  n[0] = at.nx;
  n[1] = at.ny;
  n[2] = at.nz;
  r[0] = at.rx;
  r[1] = at.ry;
  r[2] = at.rz;
  const dA = area / at.nz;
  const K = law.shearLength;
  const g = 1 - at.left;
  const secant = at.tauMax * (at.j > 1e-9 * K ? g / at.j : 1 / K);
  const tangent = (at.tauMax * at.left) / K;
  const inverse = at.j > 0 ? 1 / at.j : 0;
  const slip = [at.ux - at.out * at.nx, at.uy - at.out * at.ny, at.uz - at.out * at.nz];
  const j = [at.jx, at.jy, at.jz];
  const u = [at.ux, at.uy, at.uz];
  // force on the node
  const t = [0, 1, 2].map((i) => at.sigma * n[i] - secant * j[i] - at.viscous * slip[i]);
  const along = at.dx * at.nx + at.dy * at.ny + at.dz * at.nz;
  for (let m = 0; m < 12; m++) {
    const pose = m < 6;
    const turn = m % 6 >= 3;
    const axis = m % 3;
    // δP, or δu for a change of twist: a unit shift, or a unit turn about an axis
    for (let i = 0; i < 3; i++) dP[i] = !turn && i === axis ? 1 : 0;
    dn.fill(0);
    if (turn) {
      const [b, c] = [(axis + 1) % 3, (axis + 2) % 3];
      dP[b] = -r[c];
      dP[c] = r[b];
      if (pose) {
        dn[b] = -n[c];
        dn[c] = n[b];
        if (at.steep) dn[2] = 0;
      }
    }
    let rise = 0;
    if (pose) {
      rise = dP[2] - slopes[2 * k] * dP[0] - slopes[2 * k + 1] * dP[1];
      for (let i = 0; i < 3; i++) dr[i] = !turn && i === axis ? -1 : 0;
      dr[2] += rise;
      du[0] = w[1] * dr[2] - w[2] * dr[1];
      du[1] = w[2] * dr[0] - w[0] * dr[2];
      du[2] = w[0] * dr[1] - w[1] * dr[0];
    } else {
      dr.fill(0);
      du.set(dP);
    }
    const dOut = dot(du, n[0], n[1], n[2]) + dot(dn, u[0], u[1], u[2]);
    const dS = -up * rise;
    const dSigma = at.slope * dS - at.damping * dOut;
    dj.fill(0);
    if (pose) {
      shearStored(at);
      if (accepted) shearSince(at, rise, along, dS);
    }
    const dLength = dot(dj, j[0], j[1], j[2]) * inverse;
    const dTauMax = law.friction * dSigma;
    const dSecant = at.tauMax > 0 ? (dTauMax / at.tauMax) * secant : 0;
    const stretch = (tangent - secant) * inverse * dLength;
    const dViscous = at.tauMax > 0 ? at.viscous * (dTauMax / at.tauMax - dLength / K) : 0;
    const widen = -dn[2] / at.nz;
    for (let i = 0; i < 3; i++) {
      const dSlip = du[i] - dOut * n[i] - at.out * dn[i];
      f[i] =
        dA *
        (dSigma * n[i] +
          at.sigma * dn[i] -
          (dSecant + stretch) * j[i] -
          secant * dj[i] -
          dViscous * slip[i] -
          at.viscous * dSlip +
          widen * t[i]);
    }
    let [fx, fy] = [dA * t[0], dA * t[1]];
    if (walls) {
      fx += walls.fx;
      fy += walls.fy;
      if (pose) pushWalls(walls, footprint, spacing, p, axis, turn, rise);
    }
    const fz = dA * t[2];
    const matrix = pose ? out.byPose : out.byTwist;
    const column = m % 6;
    matrix[column] += f[0];
    matrix[6 + column] += f[1];
    matrix[12 + column] += f[2];
    matrix[18 + column] += r[1] * f[2] - r[2] * f[1] + dr[1] * fz - dr[2] * fy;
    matrix[24 + column] += r[2] * f[0] - r[0] * f[2] + dr[2] * fx - dr[0] * fz;
    matrix[30 + column] += r[0] * f[1] - r[1] * f[0] + dr[0] * fy - dr[1] * fx;
  }
}

/** Of h laid into the surface with its length kept: F = h − (h·n) n, j = |h| F/|F| */
function shearStored(at: NodeResponse): void {
  const { hx, hy, hz } = at;
  const along = hx * n[0] + hy * n[1] + hz * n[2];
  const [x, y, z] = [hx - along * n[0], hy - along * n[1], hz - along * n[2]];
  const flat = x * x + y * y + z * z;
  if (!(flat > 0)) return;
  const stretch = Math.sqrt((hx * hx + hy * hy + hz * hz) / flat);
  const turned = dot(dn, hx, hy, hz);
  const [a, b, c] = [-turned * n[0] - along * dn[0], -turned * n[1] - along * dn[1], -turned * n[2] - along * dn[2]];
  const less = (x * a + y * b + z * c) / flat;
  dj[0] += stretch * (a - less * x);
  dj[1] += stretch * (b - less * y);
  dj[2] += stretch * (c - less * z);
}

/** Of part (d − (d·n) n) */
function shearSince(at: NodeResponse, rise: number, along: number, dS: number): void {
  const [x, y, z] = [-dP[0], -dP[1], rise - dP[2]];
  dd[0] = -(M[0] * x + M[1] * y + M[2] * z);
  dd[1] = -(M[3] * x + M[4] * y + M[5] * z);
  dd[2] = rise - (M[6] * x + M[7] * y + M[8] * z);
  const dAlong = dot(dd, n[0], n[1], n[2]) + dot(dn, at.dx, at.dy, at.dz);
  const d = [at.dx, at.dy, at.dz];
  let dPart = 0;
  if (at.part < 1) {
    // part = s/sank, sank = −(d·n)/n_z
    const sank = -along / n[2];
    const dSank = -dAlong / n[2] + (along * dn[2]) / (n[2] * n[2]);
    dPart = dS / sank - (at.part * dSank) / sank;
  }
  for (let i = 0; i < 3; i++)
    dj[i] += at.part * (dd[i] - dAlong * n[i] - along * dn[i]) + dPart * (d[i] - along * n[i]);
}

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
    const [mx, my] = [TOWARDS_X[side], TOWARDS_Y[side]];
    let higher = -rise;
    const c = walls.neighbour[side];
    if (c >= 0) {
      const x = (i0 + (c % columns)) * spacing - p[0];
      const y = (j0 + Math.floor(c / columns)) * spacing - p[1];
      const z = under[c] - p[2];
      const q = [0, 0, 0];
      if (!turn) q[axis] = 1;
      else {
        const at = [x, y, z];
        q[(axis + 1) % 3] = -at[(axis + 2) % 3];
        q[(axis + 2) % 3] = at[(axis + 1) % 3];
      }
      higher += q[2] - slopes[2 * c] * q[0] - slopes[2 * c + 1] * q[1];
    }
    const more = walls.byWay[side] * (dj[0] * mx + dj[1] * my) + walls.byHeight[side] * higher;
    f[0] -= more * mx;
    f[1] -= more * my;
  }
}
