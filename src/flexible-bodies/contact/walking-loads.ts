/**
 * Loads that walk along a side that deforms. The energy of a contact, ½ f · A f with A f = δ, depends on where its loads are, for the surface does not give alike everywhere. By the places ξ_i on the
 * sides its change is
 *
 *   dE = f · dδ − Σ T_i dξ_i,     T_i = f_i Σ_j f_j ∂R_ij/∂ξ_i      (½ f² dR/dξ of one load alone)
 *
 * so that beside the pressure the bodies feel T_i along what moves ξ_i: loads are drawn to where the surface is softer. Without it the energy of a contact changes without a force. Of a point P (the
 * centre of an arc) over a side E(ξ), (P − E) · E' = 0, with o = P − E and D = E'² − o · E'':
 *
 *   D dξ = E' · (dP − Σ N dx) + o · Σ N' dx       F = T E'/D on P,   −N F + N' T o/D on the side's nodes
 *
 * and of a side that bends over a straight edge with normal n, n · E' = 0:
 *
 *   n · E'' dξ = −n · Σ N' dx − dn · E'           −N' T n/(n · E'') on the side's nodes,   the couple T (E' × n)/(n · E'') on the edge
 *
 * Force and moment are opposite on the two, because ξ does not change when both move together. Derivatives are exact.
 */

import { ListedLoads } from './listed-loads.js';
import { SPREAD } from './load-spread.js';
import type { ResidualCompliance } from './residual-compliance.js';
import { isSoft, type SoftSide, type Touch } from './soft-side.js';
import type { TouchSearch } from './touch-search.js';

/** The loads on one part that deforms, by their numbers (residual-compliance.ts), and what they do to places of its sides */
class SideLoads extends ListedLoads {
  private readonly of: ResidualCompliance;

  constructor(
    readonly side: SoftSide,
    readonly isA: boolean,
  ) {
    super(side.surface.loadCount, side.compliance);
    this.of = side.compliance;
  }

  /** Whether a touch walks along this part's sides */
  hasWalking({ index }: Touch): boolean {
    return this.isA === index < 0;
  }

  /** A force at a touch, and what a force there does that walks by so much of ξ */
  put(touch: Touch, force: number, walked: number): void {
    const { isA, side, of } = this;
    const { surface } = side;
    const { foot, index } = touch;
    if (!this.hasWalking(touch)) {
      if (force !== 0) this.add(isA ? index : surface.firstCorner - 1 - index, force);
      return;
    }
    for (let k = 0; k < SPREAD; k++) {
      const { spread } = surface;
      const weight = spread.weight(foot.side, foot.xi, k, 0) * force + spread.weight(foot.side, foot.xi, k, 1) * walked;
      if (weight !== 0) this.add(of.around(spread.node(foot.side, foot.xi, k)), weight);
    }
  }

  /** What the loads do at a touch, m; of one that walks also by ξ, once or twice */
  at(touch: Touch, order: 0 | 1 | 2): number {
    const { isA, side, of } = this;
    const { surface } = side;
    const { foot, index } = touch;
    if (!this.hasWalking(touch)) return order > 0 ? 0 : this.along(isA ? index : surface.firstCorner - 1 - index);
    let sum = 0;
    for (let k = 0; k < SPREAD; k++) {
      const weight = surface.spread.weight(foot.side, foot.xi, k, order);
      if (weight !== 0) sum += weight * this.along(of.around(surface.spread.node(foot.side, foot.xi, k)));
    }
    return sum;
  }
}

export class WalkingLoads {
  /** W, taken from the bodies */
  power = 0;
  private readonly parts: readonly SideLoads[];
  // of one touch: T; force on what walks and couple on B; force along the slopes N' of the side; their changes
  private pull = 0;
  private fx = 0;
  private fy = 0;
  private couple = 0;
  private lx = 0;
  private ly = 0;

  constructor(private readonly plane: TouchSearch) {
    const { a, b } = plane;
    this.parts = [new SideLoads(a, true), ...(isSoft(b) ? [new SideLoads(b, false)] : [])];
  }

  /** Whether any of the touches can walk */
  private get any(): boolean {
    const { touches, count, b } = this.plane;
    if (isSoft(b)) return count > 0;
    for (let i = 0; i < count; i++) if (touches[i].index < 0) return true;
    return false;
  }

  /** Σ_j f_j ∂R_ij/∂ξ_i of all touches, N m/N by unit of ξ, into `slope`; and by ξ_i again, into `bend`. @param force of each; their own where it is not told */
  find(force?: Float64Array): boolean {
    const { touches, count } = this.plane;
    if (!this.any) return false;
    for (let i = 0; i < count; i++) touches[i].slope = touches[i].bend = 0;
    for (const part of this.parts) {
      part.clear();
      for (let i = 0; i < count; i++) part.put(touches[i], force ? force[i] : touches[i].force, 0);
      for (let i = 0; i < count; i++) {
        if (!part.hasWalking(touches[i]) || touches[i].foot.atEnd) continue;
        touches[i].slope = part.at(touches[i], 1);
        touches[i].bend = part.at(touches[i], 2);
      }
    }
    return true;
  }

  /** F, L and the couple of a touch with T */
  private resolve(touch: Touch, pull: number): void {
    const { foot, bends, nx, ny } = touch;
    const { tx, ty, bx, by, ox, oy } = foot;
    this.pull = pull;
    if (bends) {
      const per = pull / (nx * bx + ny * by);
      this.fx = this.fy = 0;
      this.lx = -per * nx;
      this.ly = -per * ny;
      this.couple = per * (tx * ny - ty * nx);
      return;
    }
    const per = pull / (tx * tx + ty * ty - ox * bx - oy * by);
    this.fx = per * tx;
    this.fy = per * ty;
    this.lx = per * ox;
    this.ly = per * oy;
    this.couple = 0;
  }

  /** Adds to forces, moments and generalised forces. */
  add(out: Float64Array): void {
    const { touches, count, px, py, c, s, nA, nB, velocity: v, etaA, etaB } = this.plane;
    this.power = 0;
    for (let i = 0; i < count; i++) {
      const touch = touches[i];
      if (touch.slope === 0) continue;
      this.resolve(touch, touch.force * touch.slope);
      const { lx, ly, couple } = this;
      const { phiA, phiB, slideA, slideB, index } = touch;
      // on A, at the point that walks
      const sign = index >= 0 ? 1 : -1;
      const [fx, fy] = [sign * this.fx, sign * this.fy];
      const [x, y] = index >= 0 ? [touch.ax, touch.ay] : [touch.x, touch.y];
      const onA = x * fy - y * fx - couple;
      const onB = couple - ((x - px) * fy - (y - py) * fx);
      out[0] += fx;
      out[1] += fy;
      out[2] += onA;
      out[3] += onB;
      this.power -= fx * (v[0] - v[3]) + fy * (v[1] - v[4]) + onA * v[2] + onB * v[5];
      for (let k = 0; k < nA; k++) {
        let q = phiA[2 * k] * fx + phiA[2 * k + 1] * fy;
        if (index < 0) q += slideA[2 * k] * lx + slideA[2 * k + 1] * ly;
        out[4 + k] += q;
        this.power -= q * etaA[k];
      }
      if (nB === 0) continue;
      const [u, w] = [c * fx + s * fy, c * fy - s * fx];
      const [lu, lw] = [c * lx + s * ly, c * ly - s * lx];
      for (let k = 0; k < nB; k++) {
        let q = -(phiB[2 * k] * u + phiB[2 * k + 1] * w);
        if (index >= 0) q += slideB[2 * k] * lu + slideB[2 * k + 1] * lw;
        out[4 + nA + k] += q;
        this.power -= q * etaB[k];
      }
    }
  }

  /** Adds nodal forces of one touch on A or on B, in its own axes. */
  addNodal(touch: Touch, of: 'a' | 'b', out: Float64Array): void {
    if (touch.slope === 0) return;
    const { a, b, c, s } = this.plane;
    const side = of === 'a' ? a : b;
    if (!isSoft(side)) return;
    const { surface } = side;
    this.resolve(touch, touch.force * touch.slope);
    const turned = (x: number, y: number): [number, number] => (of === 'a' ? [x, y] : [c * x + s * y, c * y - s * x]);
    const [fx, fy] = turned(this.fx, this.fy);
    const [lx, ly] = turned(this.lx, this.ly);
    const walks = (of === 'a') === touch.index < 0;
    const point = of === 'a' ? touch.index : surface.firstCorner - 1 - touch.index;
    for (let j = 0; j < 3; j++) {
      const node = walks ? surface.sides[3 * touch.foot.side + j] : surface.nodes[3 * point + j];
      const { shape } = touch.foot;
      const weight = walks ? -shape[j] : surface.weights[3 * point + j];
      const slope = walks ? shape[3 + j] : 0;
      out[2 * node] += weight * fx + slope * lx;
      out[2 * node + 1] += weight * fy + slope * ly;
    }
  }

  /** dR f at all touches as their places move, m, subtracted from `depths`, by index[i] of touch i */
  lessen(depths: Float64Array, index: Int32Array): void {
    const { touches, count } = this.plane;
    let slides = false;
    for (let i = 0; i < count; i++) if (touches[i].dXi !== 0) slides = true;
    if (!slides) return;
    for (const part of this.parts) {
      part.clear();
      for (let i = 0; i < count; i++)
        if (part.hasWalking(touches[i])) part.put(touches[i], 0, touches[i].force * touches[i].dXi);
      for (let i = 0; i < count; i++) depths[index[i]] -= part.at(touches[i], 0);
    }
    for (let i = 0; i < count; i++) depths[index[i]] -= touches[i].slope * touches[i].dXi;
  }

  /** Adds the change of what `add` gave, after changes of places and forces of all touches are known. @param d as the inputs of the contact */
  move(d: Float64Array, result: Float64Array): void {
    const { touches, count, px, py, c, s, nA, nB } = this.plane;
    for (const part of this.parts) {
      part.clear();
      for (let i = 0; i < count; i++)
        part.put(touches[i], touches[i].dForce, part.hasWalking(touches[i]) ? touches[i].force * touches[i].dXi : 0);
      for (let i = 0; i < count; i++)
        if (part.hasWalking(touches[i])) touches[i].dSlope = touches[i].foot.atEnd ? 0 : part.at(touches[i], 1);
    }
    const turn = d[2];
    for (let i = 0; i < count; i++) {
      const touch = touches[i];
      if (touch.slope === 0 && touch.dSlope === 0) continue;
      const { index, foot, phiA, phiB, slideA, slideB, dXi } = touch;
      if (index >= 0 && this.parts.length === 1) continue;
      const [sx, sy] = index >= 0 ? [touch.ax, touch.ay] : [touch.x, touch.y];
      const [dx, dy] = index >= 0 ? [touch.dax, touch.day] : [touch.dx, touch.dy];
      const sign = index >= 0 ? 1 : -1;
      const dPull = touch.dForce * touch.slope + touch.force * (touch.dSlope + touch.bend * dXi);
      this.resolve(touch, touch.force * touch.slope);
      const { pull, lx, ly } = this;
      const [fx, fy] = [sign * this.fx, sign * this.fy];
      let [gx, gy, mx, my, dCouple] = [0, 0, 0, 0, 0];
      if (touch.bends) {
        const { nx, ny, dnx, dny } = touch;
        const across = nx * foot.bx + ny * foot.by;
        const dPer =
          (dPull - (pull * (dnx * foot.bx + dny * foot.by + nx * foot.dbx + ny * foot.dby)) / across) / across;
        const per = pull / across;
        mx = -dPer * nx - per * dnx;
        my = -dPer * ny - per * dny;
        dCouple =
          dPer * (foot.tx * ny - foot.ty * nx) + per * (foot.dtx * ny - foot.dty * nx + foot.tx * dny - foot.ty * dnx);
      } else {
        const { tx, ty, bx, by, ox, oy, dtx, dty, dbx, dby, dox, doy } = foot;
        const across = tx * tx + ty * ty - ox * bx - oy * by;
        const dAcross = 2 * (tx * dtx + ty * dty) - dox * bx - doy * by - ox * dbx - oy * dby;
        const per = pull / across;
        const dPer = (dPull - per * dAcross) / across;
        gx = sign * (dPer * tx + per * dtx);
        gy = sign * (dPer * ty + per * dty);
        mx = dPer * ox + per * dox;
        my = dPer * oy + per * doy;
      }
      result[0] += gx;
      result[1] += gy;
      result[2] += sx * gy - sy * gx + dx * fy - dy * fx - dCouple;
      result[3] += dCouple - ((sx - px) * gy - (sy - py) * gx + (dx - d[0]) * fy - (dy - d[1]) * fx);
      for (let k = 0; k < nA; k++) {
        let q = phiA[2 * k] * gx + phiA[2 * k + 1] * gy;
        if (index < 0) {
          q += dXi * (slideA[2 * k] * fx + slideA[2 * k + 1] * fy);
          q += slideA[2 * k] * mx + slideA[2 * k + 1] * my;
          q += dXi * (touch.bendA[2 * k] * lx + touch.bendA[2 * k + 1] * ly);
        }
        result[4 + k] += q;
      }
      if (nB === 0) continue;
      // in B's axes, which turn
      const [u, w] = [c * fx + s * fy, c * fy - s * fx];
      const [du, dw] = [c * gx + s * gy + turn * w, c * gy - s * gx - turn * u];
      const [lu, lw] = [c * lx + s * ly, c * ly - s * lx];
      const [mu, mw] = [c * mx + s * my + turn * lw, c * my - s * mx - turn * lu];
      for (let k = 0; k < nB; k++) {
        let q = -(phiB[2 * k] * du + phiB[2 * k + 1] * dw);
        if (index >= 0) {
          q -= dXi * (slideB[2 * k] * u + slideB[2 * k + 1] * w);
          q += slideB[2 * k] * mu + slideB[2 * k + 1] * mw;
          q += dXi * (touch.bendB[2 * k] * lu + touch.bendB[2 * k + 1] * lw);
        }
        result[4 + nA + k] += q;
      }
    }
  }

  /**
   * After `find`, of touch i per newton of its own force: what pushes A at the place that walks, into `e`, `at`, and what the slopes of the side add per coordinate of A, then of B. False: nothing.
   */
  along(i: number, e: Float64Array, at: Float64Array, out: Float64Array): boolean {
    const { touches, nA, nB, c, s } = this.plane;
    const touch = touches[i];
    if (touch.slope === 0 || touch.bends) return false;
    this.resolve(touch, touch.slope);
    const { lx, ly } = this;
    const { index, slideA, slideB } = touch;
    const sign = index >= 0 ? 1 : -1;
    e[0] = sign * this.fx;
    e[1] = sign * this.fy;
    at[0] = index >= 0 ? touch.ax : touch.x;
    at[1] = index >= 0 ? touch.ay : touch.y;
    e[2] = at[2] = 0;
    if (index < 0) for (let k = 0; k < nA; k++) out[k] += slideA[2 * k] * lx + slideA[2 * k + 1] * ly;
    else {
      const [lu, lw] = [c * lx + s * ly, c * ly - s * lx];
      for (let k = 0; k < nB; k++) out[nA + k] += slideB[2 * k] * lu + slideB[2 * k + 1] * lw;
    }
    return true;
  }
}
