/** How the places where two solids touch move as the bodies do: first derivatives of all that solid-search.ts finds. */
import { moveShare, type RimOfFaces } from './rim-of-faces.js';
import { SolidApproach } from './solid-approach.js';
import { HARDNESS } from './solid-search.js';
import type { SolidSide } from './solid-side.js';
import { dot, type SolidTouch } from './solid-touch.js';
import { moveNormal } from './triangle-surface.js';

export class SolidMotion extends SolidApproach {
  private readonly dPoint = new Float64Array(3);
  private readonly dNormal = new Float64Array(3);
  private readonly slid = new Float64Array(3 * this.nB);

  /** @param d p, ψ, q_A, q_B | v_A, ω_A, v_B, ω_B, η_A, η_B */
  protected moveTouch(touch: SolidTouch, d: Float64Array): void {
    touch.slides = false;
    touch.dGive = touch.dWhole = 0;
    touch.dWholeSlope.fill(0);
    touch.share.dShare = 0;
    touch.share.dSlope.fill(0);
    touch.dPhiA.fill(0);
    this.turnShapes(touch, d);
    if (touch.index < 0) this.moveFoot(touch, d);
    else this.movePoint(touch, d);
  }

  /** Change of B's shapes as it turns: ψ × Φ */
  private turnShapes({ phiB, dPhiB }: SolidTouch, d: Float64Array): void {
    for (let m = 0; m < phiB.length; m += 3)
      for (let i = 0; i < 3; i++) {
        const [e, g] = [(i + 1) % 3, (i + 2) % 3];
        dPhiB[m + i] = d[3 + e] * phiB[m + g] - d[3 + g] * phiB[m + e];
      }
  }

  private movePoint(touch: SolidTouch, d: Float64Array): void {
    const { nA, place, surfaceB } = this;
    const { n, dn, dx, x, phiA } = touch;
    for (let i = 0; i < 3; i++) {
      dx[i] = 0;
      for (let k = 0; k < nA; k++) dx[i] += phiA[3 * k + i] * d[6 + k];
    }
    if (touch.triangle < 0) {
      // as seen from B: δ(x − p) − ψ × (x − p)
      const seen = this.dPoint;
      for (let i = 0; i < 3; i++) {
        const [e, g] = [(i + 1) % 3, (i + 2) % 3];
        seen[i] = dx[i] - d[i] - (d[3 + e] * (x[g] - place[g]) - d[3 + g] * (x[e] - place[e]));
      }
      touch.dDepth = -dot(n, seen);
      for (let i = 0; i < 3; i++) {
        const [e, g] = [(i + 1) % 3, (i + 2) % 3];
        const { bend } = touch;
        dn[i] =
          d[3 + e] * n[g] -
          d[3 + g] * n[e] +
          bend[3 * i] * seen[0] +
          bend[3 * i + 1] * seen[1] +
          bend[3 * i + 2] * seen[2];
      }
      if (touch.share.share < 1) this.moveInset(touch, seen);
      return;
    }
    // a triangle of B
    const { corners, foot, dPhiB, dCorners } = touch;
    surfaceB!.cornersByShapes(touch.triangle, d, 6 + nA, dCorners);
    for (let k = 0; k < 9; k += 3) {
      this.outward(dCorners, dCorners, k);
      for (let i = 0; i < 3; i++) {
        const [e, g] = [(i + 1) % 3, (i + 2) % 3];
        dCorners[k + i] += d[i] + d[3 + e] * (corners[k + g] - place[g]) - d[3 + g] * (corners[k + e] - place[e]);
      }
    }
    moveNormal(corners, dCorners, n, dn);
    touch.dDepth = 0;
    for (let i = 0; i < 3; i++) touch.dDepth -= dn[i] * (x[i] - corners[i]) + n[i] * (dx[i] - dCorners[i]);
    if (this.nB === 0 && touch.share.share === 1) return;
    foot.move(corners, dCorners, dx[0], dx[1], dx[2]);
    touch.dArm.set(foot.dOffset);
    this.moveBare(touch, this.rimB, this.soft);
    const { slid } = this;
    surfaceB!.shapesAt(touch.triangle, foot.dWeights, slid);
    for (let m = 0; m < 3 * this.nB; m += 3) {
      this.outward(slid, slid, m);
      for (let i = 0; i < 3; i++) dPhiB[m + i] += slid[m + i];
    }
  }

  /** Of a wall beside its rim. @param seen the way of the point as B sees it, A's axes, which is turned into B's */
  private moveInset(touch: SolidTouch, seen: Float64Array): void {
    const { dNormal: way, dPoint, rimLength } = this;
    const { inset, inward: e, inwardBend, share } = touch;
    way.set(seen);
    this.turnIn(way);
    let along = 0;
    for (let i = 0; i < 3; i++) along += e[i] * way[i];
    for (let i = 0; i < 3; i++) {
      // about the axis
      const turned = i === 2 ? 0 : -inwardBend * (way[i] - e[i] * along);
      dPoint[i] = e[i] * along + inset * turned;
      this.normal[i] = inset * e[i];
    }
    moveShare(inset / rimLength, rimLength, this.normal, inset, dPoint, share);
    touch.dGive = (-touch.whole * share.dShare) / (share.share * share.share);
  }

  /** The place on the undeformed triangle, after the foot has moved */
  private moveBare(touch: SolidTouch, rim: RimOfFaces | undefined, side: SolidSide | undefined): void {
    const { foot, bare, bareCorners, dBare, spread, share, triangle, dWholeSlope } = touch;
    for (let i = 0; i < 3; i++) {
      dBare[i] = 0;
      for (let k = 0; k < 3; k++) dBare[i] += foot.dWeights[k] * bareCorners[3 * k + i];
    }
    if (rim) rim.move(triangle, bare, dBare, share);
    if (side) {
      touch.slides = true;
      side.surface.spread.move(bare, dBare, spread);
    }
    if (touch.index < 0)
      for (let a = 0; a < spread.count; a++) {
        const give = 10 / (HARDNESS * this.a.modulus * this.a.surface.patches[spread.patches[a]].length);
        touch.dWhole += spread.dWeights[a] * give;
        for (let i = 0; i < 3; i++) dWholeSlope[i] += spread.dSlopes[3 * a + i] * give;
      }
    touch.dGive = (touch.dWhole - (touch.whole * share.dShare) / share.share) / share.share;
  }

  private moveFoot(touch: SolidTouch, d: Float64Array): void {
    const { nA, a, dPoint, dNormal, place, at, rigid } = this;
    const { foot, corners, n, dn, dx, radius, phiB, dCorners, dArm } = touch;
    const { triangles: surface } = a.surface;
    const circle = rigid?.circles === true && radius > 0;
    surface.cornersByShapes(touch.triangle, d, 6, dCorners);
    const k = -1 - touch.index;
    this.pointOfB(k);
    for (let i = 0; i < 3; i++) {
      const [e, g] = [(i + 1) % 3, (i + 2) % 3];
      dPoint[i] = d[i] + d[3 + e] * (at[g] - place[g]) - d[3 + g] * (at[e] - place[e]);
      for (let m = 0; m < this.nB; m++) dPoint[i] += phiB[3 * m + i] * d[6 + nA + m];
    }
    const ball = radius > 0 && !circle;
    if (!ball) {
      for (let i = 0; i < 3; i++) this.normal[i] = -n[i];
      moveNormal(corners, dCorners, this.normal, dNormal);
      if (circle) {
        this.lowestOfCircle(this.normal, radius, at);
        this.moveLowest(d, radius, dPoint);
      }
    }
    foot.move(corners, dCorners, dPoint[0], dPoint[1], dPoint[2]);
    const { dOffset, distance } = foot;
    for (let i = 0; i < 3; i++) dArm[i] = dOffset[i] + (circle ? radius * dNormal[i] : 0);
    if (ball) {
      // n = ∓ o/|o|: δ = r ∓ |o|
      const sign = dot(n, foot.offset) > 0 ? -1 : 1;
      touch.dDepth = dot(n, dOffset);
      for (let i = 0; i < 3; i++) dn[i] = (-sign * (dOffset[i] - touch.dDepth * n[i])) / distance;
    } else {
      touch.dDepth = 0;
      for (let i = 0; i < 3; i++) {
        dn[i] = -dNormal[i];
        touch.dDepth += dn[i] * (at[i] - corners[i]) + n[i] * (dPoint[i] - dCorners[i]);
      }
    }
    for (let i = 0; i < 3; i++) dx[i] = dPoint[i] - dOffset[i];
    surface.shapesAt(touch.triangle, foot.dWeights, touch.dPhiA);
    this.moveBare(touch, ball ? undefined : a.surface.rim, a);
  }

  /** g = −m/|m|, m = n − (n · z) z: dg = −(1 − g gᵀ) dm/|m|, after `lowestOfCircle` left m in `rim` */
  private moveLowest(d: Float64Array, radius: number, dPoint: Float64Array): void {
    const { rim, turn, normal: n, dNormal: dn } = this;
    const z = (i: number): number => turn[3 * i + 2];
    const dz = (i: number): number => {
      const [e, g] = [(i + 1) % 3, (i + 2) % 3];
      return d[3 + e] * z(g) - d[3 + g] * z(e);
    };
    let along = 0;
    let change = 0;
    for (let i = 0; i < 3; i++) {
      along += n[i] * z(i);
      change += dn[i] * z(i) + n[i] * dz(i);
    }
    const square = dot(rim, rim);
    const size = Math.sqrt(square);
    const dm = (i: number): number => dn[i] - change * z(i) - along * dz(i);
    const inner = rim[0] * dm(0) + rim[1] * dm(1) + rim[2] * dm(2);
    for (let i = 0; i < 3; i++) dPoint[i] -= (radius * (dm(i) - (inner / square) * rim[i])) / size;
  }

  /** Change of w; of the depth with damping of the pair's own */
  protected moveSpeed(touch: SolidTouch, d: Float64Array, relaxation: number): void {
    const { velocity: v, place, etaA, etaB, nA, nB } = this;
    const at = 6 + nA + nB;
    const { x, dx, w, dw, phiA, dPhiA, phiB, dPhiB, n, dn } = touch;
    for (let i = 0; i < 3; i++) {
      const [e, g] = [(i + 1) % 3, (i + 2) % 3];
      dw[i] = d[at + i] + d[at + 3 + e] * x[g] - d[at + 3 + g] * x[e] + v[3 + e] * dx[g] - v[3 + g] * dx[e];
      dw[i] -= d[at + 6 + i] + d[at + 9 + e] * (x[g] - place[g]) - d[at + 9 + g] * (x[e] - place[e]);
      dw[i] -= v[9 + e] * (dx[g] - d[g]) - v[9 + g] * (dx[e] - d[e]);
      for (let k = 0; k < nA; k++) dw[i] += phiA[3 * k + i] * d[at + 12 + k] + dPhiA[3 * k + i] * etaA[k];
      for (let k = 0; k < nB; k++) dw[i] -= phiB[3 * k + i] * d[at + 12 + nA + k] + dPhiB[3 * k + i] * etaB[k];
    }
    if (relaxation > 0) touch.dDepth -= relaxation * (dot(n, dw) + dot(dn, w));
  }
}
