/**
 * A cylinder and a half-space, exactly: wheels, discs, rollers and drums on floors, without facets. One region, always.
 *
 * A is the half-space, its patch the section of the cylinder by the plane (cylinder-section.ts): S = n · area, and the normal is n whatever
 * the cylinder does. In the axes E (level line's normal, across the axis), F (level) and Z (along the axis, upwards) with the lowest point
 * of the rim as origin, n = s E + c Z. If the cylinder moves by u(r) = dx + dφ × r′, r′ = r − centroid, p that of the section:
 *
 *   dV = −A n · dx − A ((p − c) × n) · dφ
 *   dc = dx − 1/V ∫ r′ (u · n) dA = (1 − A/V (p − c) nᵀ) dx − 1/V (M × n) dφ,     M = ∫ r′ r′ᵀ dA, row by row × n
 *   dA = A_t u_t + A_z u_z, which see
 *
 * for what moves along with the cylinder is all of the overlap but its lid. The depth is 2V/A, at most twice the extent, which is the depth of
 * the lowest point. A cylinder wholly below keeps that bound; nothing jumps when its last rim goes under.
 *
 * Turning about its axis the cylinder rolls and does not rock (`roller`).
 */
import { type ContactPatches, GRADIENT, PATCH } from '../contact-patches.js';
import type { Route, Separation, ShapePoses } from '../route.js';
import { CylinderSection } from './cylinder-section.js';
import { CYLINDER } from './sphere-cylinder.js';

/** 2V/A is limited only where it is greater than twice the extent by more than rounding: flat on its end a disc has just that. */
const ROUNDING = 1e-12;

export class CylinderHalfSpace implements Route {
  readonly name = 'half-space–cylinder';
  readonly mostRegions = 1;
  readonly curvature = 0;
  readonly patches = true;
  readonly roller: number;
  private readonly section: CylinderSection;
  /** 9, world: E, F, Z by rows */
  private readonly axes = new Float64Array(9);
  private readonly normal = new Float64Array(3);
  /** 3, world, m: lowest point of the cylinder */
  private readonly lowest = new Float64Array(3);
  /** of the normal along E and Z */
  private s = 0;
  private c = 0;
  /** of the lowest point below the plane, m */
  private depth = 0;
  private upward = true;
  /** 6, axes E F Z, dx then dφ: rows of a gradient before they are turned into world axes */
  private readonly local = new Float64Array(6);

  /** @param a, b places of the half-space and of the cylinder in the poses */
  constructor(
    readonly a: number,
    readonly b: number,
    readonly radius: number,
    readonly height: number,
  ) {
    this.roller = b;
    this.section = new CylinderSection(radius, height);
  }

  separate(poses: ShapePoses, out: Separation): void {
    this.place(poses);
    const distance = Math.max(0, 0 - this.depth);
    out.distance = distance;
    for (let k = 0; k < 3; k++) {
      out.direction[k] = this.normal[k];
      out.pointB[k] = this.lowest[k];
      out.pointA[k] = this.lowest[k] - distance * this.normal[k];
    }
  }

  find(poses: ShapePoses, pair: number, patches: ContactPatches, gradients: boolean): void {
    this.place(poses);
    const { section, radius, height, s, c, depth: d } = this;
    if (!(d > 0)) return;
    const row = patches.add(pair, 0);
    const most = 2 * radius * s + height * c;
    if (d >= most) {
      this.appendContained(patches, row, most, gradients);
      return;
    }
    section.cut(d, s, c);
    const { volume, area } = section;
    patches.feature[2 * row] = 0;
    patches.feature[2 * row + 1] = this.feature();
    // places in E and Z from the lowest point: centroids of overlap and section
    const ct = section.volumeT / volume;
    const cz = section.volumeZ / volume;
    const along = area > 0 ? section.areaS / area : 0;
    const pt = 0.5 * (section.startT + section.endT) + along * c;
    const pz = 0.5 * (section.startZ + section.endZ) - along * s;
    const limited = !(volume <= (1 + ROUNDING) * area * d);
    patches.volume[row] = volume;
    patches.area[row] = area;
    patches.extent[row] = d;
    patches.depth[row] = limited ? 2 * d : (2 * volume) / area;
    const torque = area * ((pz - cz) * s - (pt - ct) * c);
    const { axes, lowest, normal } = this;
    for (let k = 0; k < 3; k++) {
      const i = 3 * row + k;
      patches.centroid[i] = lowest[k] + ct * axes[k] + cz * axes[6 + k];
      patches.patchCentroid[i] = lowest[k] + pt * axes[k] + pz * axes[6 + k];
      patches.normal[i] = normal[k];
      patches.vectorArea[i] = area * normal[k];
      patches.moment[i] = torque * axes[3 + k];
    }
    // second moments: along the line, g = c E − s Z, and along F
    const gg = section.areaSS - along * section.areaS;
    const yy = section.areaYY;
    for (let k = 0; k < 6; k++) {
      const i = k < 3 ? k : k === 5 ? 1 : 0;
      const j = k < 3 ? k : k === 3 ? 1 : 2;
      const gi = c * axes[i] - s * axes[6 + i];
      const gj = c * axes[j] - s * axes[6 + j];
      patches.secondMoments[6 * row + k] = gg * gi * gj + yy * axes[3 + i] * axes[3 + j];
    }
    if (gradients) this.appendGradient(patches, row, ct, cz, pt, pz, gg, torque, limited);
  }

  private appendGradient(
    patches: ContactPatches,
    row: number,
    ct: number,
    cz: number,
    pt: number,
    pz: number,
    gg: number,
    torque: number,
    limited: boolean,
  ): void {
    const { section, local, s, c } = this;
    const { volume, area, areaYY } = section;
    const g = 54 * row;
    const { gradient, vectorArea, moment } = patches;
    for (let k = 0; k < 3; k++) {
      gradient[g + k] = 0 - vectorArea[3 * row + k];
      gradient[g + 3 + k] = 0 - moment[3 * row + k];
    }
    // u = F × r′ is z′ along E and −t′ along Z
    const byT = section.areaByT;
    const byZ = section.areaByZ;
    const byTurn = section.areaByTurn - cz * byT + ct * byZ;
    local[0] = byT;
    local[2] = byZ;
    local[4] = byTurn;
    local[1] = local[3] = local[5] = 0;
    this.turnRow(gradient, g + GRADIENT.vectorArea);
    if (limited) {
      local[0] = -2 * s;
      local[2] = -2 * c;
      local[4] = 2 * (cz * s - ct * c); // −2 (lowest − c) × n
    } else {
      const depth = (2 * volume) / area;
      local[0] = (-2 * area * s - depth * byT) / area;
      local[2] = (-2 * area * c - depth * byZ) / area;
      local[4] = (-2 * torque - depth * byTurn) / area;
    }
    this.turnRow(gradient, g + GRADIENT.depth);

    // centroid: rows along E, F, Z, each a function of the world's motion; then its rows are turned, too
    const at = pt - ct;
    const az = pz - cz;
    const ratio = area / volume;
    const mtt = (gg * c * c + area * at * at) / volume;
    const mtz = (area * at * az - gg * c * s) / volume;
    const mzz = (gg * s * s + area * az * az) / volume;
    const myy = areaYY / volume;
    for (let e = 0; e < 3; e++) {
      const arm = e === 0 ? at : e === 2 ? az : 0;
      local[0] = (e === 0 ? 1 : 0) - ratio * arm * s;
      local[1] = e === 1 ? 1 : 0;
      local[2] = (e === 2 ? 1 : 0) - ratio * arm * c;
      // −(row of M) × n, n = (s, 0, c)
      const mt = e === 0 ? mtt : e === 2 ? mtz : 0;
      const my = e === 1 ? myy : 0;
      const mz = e === 0 ? mtz : e === 2 ? mzz : 0;
      local[3] = 0 - my * c;
      local[4] = mt * c - mz * s;
      local[5] = my * s;
      const { axes } = this;
      for (let l = 0; l < 6; l++) {
        const from = l < 3 ? 0 : 3;
        const m = l - from;
        const value = local[from] * axes[m] + local[from + 1] * axes[3 + m] + local[from + 2] * axes[6 + m];
        for (let k = 0; k < 3; k++) gradient[g + GRADIENT.centroid + 6 * k + l] += axes[3 * e + k] * value;
      }
    }
  }

  /** Wholly below the plane: all of the cylinder, with no section. */
  private appendContained(patches: ContactPatches, row: number, extent: number, gradients: boolean): void {
    const { radius, height, axes, lowest, normal } = this;
    patches.flags[row] |= PATCH.contained;
    patches.feature[2 * row] = 0;
    patches.feature[2 * row + 1] = this.upward ? CYLINDER.bottom : CYLINDER.top;
    patches.volume[row] = Math.PI * radius * radius * height;
    patches.extent[row] = extent;
    patches.depth[row] = 2 * extent;
    for (let k = 0; k < 3; k++) {
      const middle = lowest[k] + radius * axes[k] + 0.5 * height * axes[6 + k];
      patches.centroid[3 * row + k] = middle;
      patches.patchCentroid[3 * row + k] = middle;
      patches.normal[3 * row + k] = normal[k];
    }
    if (!gradients) return;
    const g = 54 * row;
    for (let k = 0; k < 3; k++) patches.gradient[g + GRADIENT.centroid + 7 * k] = 1;
    // the highest point against the lowest: 2 ((2R E + H Z) × n) · dφ
    const turn = 2 * (height * this.s - 2 * radius * this.c);
    for (let k = 0; k < 3; k++) patches.gradient[g + GRADIENT.depth + 3 + k] = turn * axes[3 + k];
  }

  /** `local` into world axes, at gradient[g …] */
  private turnRow(gradient: Float64Array, g: number): void {
    const { axes, local } = this;
    for (let k = 0; k < 3; k++) {
      gradient[g + k] = local[0] * axes[k] + local[1] * axes[3 + k] + local[2] * axes[6 + k];
      gradient[g + 3 + k] = local[3] * axes[k] + local[4] * axes[3 + k] + local[5] * axes[6 + k];
    }
  }

  private feature(): number {
    const { onUpperEnd, onLowerEnd } = this.section;
    if (!onLowerEnd) return this.upward ? CYLINDER.bottom : CYLINDER.top;
    if (onUpperEnd) return CYLINDER.side;
    return this.upward ? CYLINDER.bottomRim : CYLINDER.topRim;
  }

  /** Axes, lowest point and its depth */
  private place({ position, rotation }: ShapePoses): void {
    const { a, b, axes, lowest, normal, radius, height } = this;
    let level = 0;
    for (let k = 0; k < 3; k++) {
      normal[k] = rotation[9 * a + 3 * k + 2];
      level += normal[k] * (position[3 * b + k] - position[3 * a + k]);
    }
    const r = 9 * b;
    const nx = normal[0] * rotation[r] + normal[1] * rotation[r + 3] + normal[2] * rotation[r + 6];
    const ny = normal[0] * rotation[r + 1] + normal[1] * rotation[r + 4] + normal[2] * rotation[r + 7];
    const nz = normal[0] * rotation[r + 2] + normal[1] * rotation[r + 5] + normal[2] * rotation[r + 8];
    const s = Math.sqrt(nx * nx + ny * ny);
    const c = Math.abs(nz);
    this.upward = nz >= 0;
    // upright, any direction across is as good as the other
    const ex = s > 0 ? nx / s : 1;
    const ey = s > 0 ? ny / s : 0;
    for (let k = 0; k < 3; k++) {
      axes[k] = ex * rotation[r + 3 * k] + ey * rotation[r + 3 * k + 1];
      axes[6 + k] = this.upward ? rotation[r + 3 * k + 2] : 0 - rotation[r + 3 * k + 2];
    }
    axes[3] = axes[7] * axes[2] - axes[8] * axes[1];
    axes[4] = axes[8] * axes[0] - axes[6] * axes[2];
    axes[5] = axes[6] * axes[1] - axes[7] * axes[0];
    this.s = s;
    this.c = c;
    this.depth = s * radius + 0.5 * c * height - level;
    for (let k = 0; k < 3; k++) lowest[k] = position[3 * b + k] - radius * axes[k] - 0.5 * height * axes[6 + k];
  }
}
