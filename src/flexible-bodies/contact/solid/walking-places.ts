/**
 * Loads that walk over faces, as in the plane (walking-loads.ts). The energy of a contact, ½ f · A f with A f = δ, changes with the places X_i (undeformed) by
 *
 *   dE = f · dδ − Σ G_i · dX_i,     G_i = f_i (Σ_j f_j ∂R_ij/∂X_i + ½ f_i ∂c_i/∂X_i)      c own compliance, larger beside a sharp edge (rim-of-faces.ts)
 *
 * and the bodies feel G_i along what moves X_i (triangle-foot.ts): loads are drawn to where the surface is softer and, at the end of a face, off it. Forces are then the derivatives of the
 * energy; of a cylinder that tilts to the sine of its tilt. Force and moment are opposite on the two bodies, because X does not change when both move together. Derivatives are exact, with the same exception.
 */
import { ListedLoads } from '../listed-loads.js';
import type { WalksAhead } from '../local-contact.js';
import type { SolidSearch } from './solid-search.js';
import type { SolidSide } from './solid-side.js';
import type { SolidTouch } from './solid-touch.js';

/** Loads on one flexible body by number, and what they do to its places */
class Loads extends ListedLoads {
  constructor(
    private readonly side: SolidSide,
    private readonly isA: boolean,
  ) {
    super(side.surface.loadCount, side.compliance);
  }

  /** Whether a touch is at a place that walks over this body, or at a point of it */
  walks({ index, triangle }: SolidTouch): boolean {
    return this.isA ? index < 0 : index >= 0 && triangle >= 0;
  }

  private pointOf({ index }: SolidTouch): number {
    return this.isA ? index : this.side.surface.firstCorner - 1 - index;
  }

  /** A force at a touch, and what the change of its place does to another one */
  put(touch: SolidTouch, force: number, walked: number): void {
    if (!this.walks(touch)) {
      if (force !== 0) this.add(this.pointOf(touch), force);
      return;
    }
    const { spread } = touch;
    for (let a = 0; a < spread.count; a++)
      this.add(
        this.side.compliance.around(spread.patches[a]),
        spread.weights[a] * force + (walked === 0 ? 0 : spread.dWeights[a] * walked),
      );
  }

  /** What the loads do at a touch, m; with `moved` by the change of its place */
  at(touch: SolidTouch, moved: boolean): number {
    if (!this.walks(touch)) return moved ? 0 : this.along(this.pointOf(touch));
    const { spread } = touch;
    let sum = 0;
    for (let a = 0; a < spread.count; a++)
      sum +=
        (moved ? spread.dWeights[a] : spread.weights[a]) * this.along(this.side.compliance.around(spread.patches[a]));
    return sum;
  }

  /** Adds what they do by its place, or by a change of that. */
  addSlope(touch: SolidTouch, moved: boolean, out: Float64Array): void {
    const { spread } = touch;
    for (let a = 0; a < spread.count; a++) {
      const displaced = this.along(this.side.compliance.around(spread.patches[a]));
      for (let d = 0; d < 3; d++) out[d] += displaced * (moved ? spread.dSlopes[3 * a + d] : spread.slopes[3 * a + d]);
    }
  }
}

export class WalkingPlaces implements WalksAhead {
  /** W, taken from the bodies */
  power = 0;
  private readonly now: readonly Loads[];
  private readonly change: readonly Loads[];
  // on A at a place that walks, and their changes
  private readonly force = new Float64Array(3);
  private readonly dForce = new Float64Array(3);
  private readonly at = new Float64Array(3);
  private readonly dAt = new Float64Array(3);
  private readonly corner = new Float64Array(9);
  private readonly dCorner = new Float64Array(9);
  private readonly modal: Float64Array;

  constructor(
    private readonly solid: SolidSearch,
    sides: readonly SolidSide[],
    /** A ball, which walks where it gives more than a half space */
    private readonly ofBall: boolean,
  ) {
    this.modal = new Float64Array(solid.nA + solid.nB);
    this.now = sides.map((side, i) => new Loads(side, i === 0));
    this.change = sides.map((side, i) => new Loads(side, i === 0));
  }

  /** Pulls on all touches per newton of their own force. @param force of each; their own where it is not told */
  find(force?: Float64Array): boolean {
    const { touches, count } = this.solid;
    let any = false;
    for (let i = 0; i < count; i++) {
      const touch = touches[i];
      touch.pull.fill(0);
      touch.pulls = touch.index < 0 || (touch.triangle >= 0 && touch.spread.count > 0) || touch.share.share < 1;
      if (this.ofBall && !(touch.give > 0)) touch.pulls = false;
      if (touch.pulls) any = true;
    }
    if (!any) return false;
    for (const part of this.now) {
      part.clear();
      for (let i = 0; i < count; i++) part.put(touches[i], force ? force[i] : touches[i].force, 0);
      for (let i = 0; i < count; i++) if (part.walks(touches[i])) part.addSlope(touches[i], false, touches[i].pull);
    }
    for (let i = 0; i < count; i++) {
      const touch = touches[i];
      if (!touch.pulls) continue;
      const { share, slope } = touch.share;
      const own = 0.5 * (force ? force[i] : touch.force);
      for (let d = 0; d < 3; d++)
        touch.pull[d] += own * (touch.wholeSlope[d] / share - (touch.whole * slope[d]) / (share * share));
    }
    return true;
  }

  /** Force on A, where it acts, and on corners of a triangle that walks, per newton */
  private resolve(touch: SolidTouch): void {
    const { force, at, solid } = this;
    const { pull, pulled, x, foot, arm } = touch;
    if (touch.triangle < 0) {
      solid.outwardFrom(pull, force);
      at.set(x);
      return;
    }
    foot.pull(touch.corners, touch.bareCorners, pull, arm, pulled);
    const sign = touch.index < 0 ? -1 : 1;
    for (let d = 0; d < 3; d++) {
      force[d] = sign * pulled.force[d];
      at[d] = x[d] + (touch.index < 0 ? arm[d] : 0);
    }
  }

  /** What the forces on corners do per coordinate of their body */
  private addCorners(touch: SolidTouch, out: Float64Array, from: number): void {
    const { solid, corner } = this;
    if (touch.triangle < 0) return;
    const side = touch.index < 0 ? solid.a : solid.softB;
    if (!side) return;
    corner.set(touch.pulled.corners);
    if (touch.index >= 0) solid.turnCornersIn(corner);
    const { triangles, shapes } = side.surface.triangles;
    for (let k = 0; k < shapes.length; k++) {
      let sum = 0;
      for (let j = 0; j < 3; j++)
        for (let d = 0; d < 3; d++) sum += corner[3 * j + d] * shapes[k][3 * triangles[3 * touch.triangle + j] + d];
      out[from + k] += sum;
    }
  }

  /** Adds to forces, moments and generalised forces. */
  add(out: Float64Array): void {
    const { solid, force, at } = this;
    const { touches, count, place, velocity: v, nA, nB, etaA, etaB } = solid;
    this.power = 0;
    for (let i = 0; i < count; i++) {
      const touch = touches[i];
      if (!touch.pulls) continue;
      this.resolve(touch);
      for (let d = 0; d < 3; d++) {
        const [e, g] = [(d + 1) % 3, (d + 2) % 3];
        const f = touch.force;
        out[d] += f * force[d];
        out[3 + d] += f * (at[e] * force[g] - at[g] * force[e]);
        out[6 + d] -= f * ((at[e] - place[e]) * force[g] - (at[g] - place[g]) * force[e]);
        const relative =
          v[d] +
          v[3 + e] * at[g] -
          v[3 + g] * at[e] -
          v[6 + d] -
          v[9 + e] * (at[g] - place[g]) +
          v[9 + g] * (at[e] - place[e]);
        this.power -= f * force[d] * relative;
      }
      const q = this.modal.fill(0);
      this.addModal(touch, q);
      for (let k = 0; k < nA + nB; k++) {
        out[9 + k] += touch.force * q[k];
        this.power -= touch.force * q[k] * (k < nA ? etaA[k] : etaB[k - nA]);
      }
    }
  }

  /** Per newton of the touch's own force: generalised forces on both bodies, after `resolve` */
  private addModal(touch: SolidTouch, out: Float64Array): void {
    const { solid, force } = this;
    const { nA, nB } = solid;
    const { phiA, phiB, index, triangle } = touch;
    if (index >= 0)
      for (let k = 0; k < nA; k++)
        out[k] += phiA[3 * k] * force[0] + phiA[3 * k + 1] * force[1] + phiA[3 * k + 2] * force[2];
    if (index < 0 || triangle < 0)
      for (let k = 0; k < nB; k++)
        out[nA + k] -= phiB[3 * k] * force[0] + phiB[3 * k + 1] * force[1] + phiB[3 * k + 2] * force[2];
    this.addCorners(touch, out, index < 0 ? 0 : nA);
  }

  /** dR f at a touch as all places move, and what its own compliance does, m; after `slide` */
  lessened(touch: SolidTouch): number {
    let sum = touch.dGive * touch.force;
    for (let p = 0; p < this.now.length; p++) {
      sum += this.change[p].at(touch, false);
      if (touch.slides && this.now[p].walks(touch)) sum += this.now[p].at(touch, true);
    }
    return sum;
  }

  /** Loads of places that move */
  slide(): void {
    const { touches, count } = this.solid;
    for (const part of this.change) {
      part.clear();
      for (let i = 0; i < count; i++)
        if (touches[i].slides && part.walks(touches[i])) part.put(touches[i], 0, touches[i].force);
    }
  }

  /** Adds the change of what `add` gave, once changes of places and forces are known. @param d as the inputs of the contact */
  move(d: Float64Array, result: Float64Array): void {
    const { solid, force, dForce, at, dAt, dCorner, corner } = this;
    const { touches, count, place, nA, nB } = solid;
    for (const part of this.change) {
      part.clear();
      for (let i = 0; i < count; i++) {
        const touch = touches[i];
        part.put(touch, touch.dForce, touch.slides && part.walks(touch) ? touch.force : 0);
      }
    }
    for (let i = 0; i < count; i++) {
      const touch = touches[i];
      if (!touch.pulls) continue;
      this.moveOwn(touch);
      const { dPull, phiA, phiB, dPhiA, dPhiB, index, triangle, dx } = touch;
      // of f G: f' G + f G'
      const [f, df] = [touch.force, touch.dForce];
      this.resolve(touch);
      if (triangle < 0) {
        solid.outwardFrom(dPull, dForce);
        for (let e = 0; e < 3; e++) {
          const [g, h] = [(e + 1) % 3, (e + 2) % 3];
          dForce[e] += d[3 + g] * force[h] - d[3 + h] * force[g];
          dAt[e] = dx[e];
        }
      } else {
        touch.foot.movePull(touch.bareCorners, touch.dCorners, dPull, touch.arm, touch.dArm, touch.pulled);
        const sign = index < 0 ? -1 : 1;
        for (let e = 0; e < 3; e++) {
          dForce[e] = sign * touch.pulled.dForce[e];
          dAt[e] = dx[e] + (index < 0 ? touch.dArm[e] : 0);
        }
      }
      for (let e = 0; e < 3; e++) dForce[e] = f * dForce[e] + df * force[e];
      for (let e = 0; e < 3; e++) force[e] *= f;
      for (let e = 0; e < 3; e++) {
        const [g, h] = [(e + 1) % 3, (e + 2) % 3];
        result[e] += dForce[e];
        result[3 + e] += at[g] * dForce[h] - at[h] * dForce[g] + dAt[g] * force[h] - dAt[h] * force[g];
        result[6 + e] -=
          (at[g] - place[g]) * dForce[h] -
          (at[h] - place[h]) * dForce[g] +
          (dAt[g] - d[g]) * force[h] -
          (dAt[h] - d[h]) * force[g];
      }
      if (index >= 0)
        for (let k = 0; k < nA; k++)
          for (let e = 0; e < 3; e++) result[9 + k] += phiA[3 * k + e] * dForce[e] + dPhiA[3 * k + e] * force[e];
      if (index < 0 || triangle < 0)
        for (let k = 0; k < nB; k++)
          for (let e = 0; e < 3; e++) result[9 + nA + k] -= phiB[3 * k + e] * dForce[e] + dPhiB[3 * k + e] * force[e];
      const side = triangle < 0 ? undefined : index < 0 ? solid.a : solid.softB;
      if (!side) continue;
      // corners, in the axes of their body
      for (let j = 0; j < 9; j++) {
        corner[j] = f * touch.pulled.corners[j];
        dCorner[j] = f * touch.pulled.dCorners[j] + df * touch.pulled.corners[j];
      }
      if (index >= 0) {
        for (let j = 0; j < 9; j += 3)
          for (let e = 0; e < 3; e++) {
            const [g, h] = [(e + 1) % 3, (e + 2) % 3];
            dCorner[j + e] -= d[3 + g] * corner[j + h] - d[3 + h] * corner[j + g];
          }
        solid.turnCornersIn(dCorner);
      }
      const { triangles, shapes } = side.surface.triangles;
      const from = 9 + (index < 0 ? 0 : nA);
      for (let k = 0; k < shapes.length; k++)
        for (let j = 0; j < 3; j++)
          for (let e = 0; e < 3; e++)
            result[from + k] += dCorner[3 * j + e] * shapes[k][3 * triangles[3 * triangle + j] + e];
    }
  }

  /** Change of the pull per newton */
  private moveOwn(touch: SolidTouch): void {
    const { dPull, whole, wholeSlope, dWholeSlope } = touch;
    dPull.fill(0);
    for (let p = 0; p < this.now.length; p++) {
      if (!this.now[p].walks(touch)) continue;
      if (touch.slides) this.now[p].addSlope(touch, true, dPull);
      this.change[p].addSlope(touch, false, dPull);
    }
    const { share: s, slope, dShare, dSlope } = touch.share;
    const square = s * s;
    for (let d = 0; d < 3; d++) {
      const own = wholeSlope[d] / s - (whole * slope[d]) / square;
      const change =
        dWholeSlope[d] / s -
        (wholeSlope[d] * dShare) / square -
        (touch.dWhole * slope[d] + whole * dSlope[d]) / square +
        (2 * whole * slope[d] * dShare) / (square * s);
      dPull[d] += 0.5 * (touch.dForce * own + touch.force * change);
    }
  }

  /** As of local-contact.ts */
  along(i: number, e: Float64Array, at: Float64Array, out: Float64Array): boolean {
    const touch = this.solid.touches[i];
    if (!touch.pulls) return false;
    this.resolve(touch);
    e.set(this.force);
    at.set(this.at);
    // beside what the place moves by
    const { nA, nB } = this.solid;
    const { phiA, phiB } = touch;
    this.addModal(touch, out);
    for (let k = 0; k < nA; k++) out[k] -= phiA[3 * k] * e[0] + phiA[3 * k + 1] * e[1] + phiA[3 * k + 2] * e[2];
    for (let k = 0; k < nB; k++) out[nA + k] += phiB[3 * k] * e[0] + phiB[3 * k + 1] * e[1] + phiB[3 * k + 2] * e[2];
    return true;
  }
}
