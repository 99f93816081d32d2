/**
 * The patch of a contact region as friction sees it: the ellipse with its second moments, weighted by pressure. It changes with the pose; of that,
 * derivatives know how the patches of balls grow with their area, b² ~ |S|. Friction sees b in b ω and in the torque b F₃ only.
 */
import type { PairLaw } from '../contact-laws/pair-law.js';
import { PatchContour } from '../contact-laws/torsion/patch-contour.js';
import { HERTZ_DISC, momentShare, patchTilt } from '../contact-laws/torsion/pressure.js';
import type { ContactPatches } from '../narrow-phase/contact-patches.js';

export class RegionPatch {
  readonly contour = new PatchContour();
  /** Second moments per area, (t₁, t₂): 11, 12, 22, m² */
  readonly moments = new Float64Array(3);
  /** The same weighted by pressure, which is less where that is not even */
  readonly pressedMoments = new Float64Array(3);
  /** ∂ ln b/∂|S|, 1/m² */
  growth = 0;
  /** There is one, with torsion. */
  private present = false;
  /** Its limit surface is the ellipsoid of ellipsoid-limit.ts. */
  private ellipsoid = false;

  /**
   * @param held   3: shape that is held within the step, second moments over the square of the area; below 0 or undefined: as found
   * @param volume m³
   * @param area   |S|, m²
   * @param basis  9: n, t₁, t₂
   * @param p      row of the patches
   */
  set(
    law: PairLaw,
    held: Float64Array | undefined,
    volume: number,
    area: number,
    basis: Float64Array,
    patches: ContactPatches,
    p: number,
  ): void {
    const { contour } = this;
    const found = patches.area[p];
    this.growth = 0;
    const spins = law.torsion === 'patch' || law.torsion === 'ellipsoid';
    const given = spins && law.torsionRadius > 0;
    this.present = found > 0 && spins && !given;
    this.ellipsoid = law.torsion === 'ellipsoid';
    if (given) this.setCircle(law);
    if (!(found > 0)) {
      if (!given) contour.setPoint();
    } else {
      const m = patches.secondMoments;
      const i = 6 * p;
      let s11 = 0;
      let s12 = 0;
      let s22 = 0;
      for (let r = 0; r < 3; r++)
        for (let c = 0; c < 3; c++) {
          const entry = m[i + (r === c ? r : r + c + 2)];
          s11 += basis[3 + r] * entry * basis[3 + c];
          s12 += basis[3 + r] * entry * basis[6 + c];
          s22 += basis[6 + r] * entry * basis[6 + c];
        }
      this.moments[0] = s11 / found;
      this.moments[1] = s12 / found;
      this.moments[2] = s22 / found;
      if (!spins) contour.setPoint();
      else if (!given) {
        const share = momentShare(law.pressure, volume, area, patches.extent[p], this.tilt(basis, patches, p)) / found;
        const { pressedMoments } = this;
        pressedMoments[0] = share * s11;
        pressedMoments[1] = share * s12;
        pressedMoments[2] = share * s22;
        const isHeld = held !== undefined && held[0] >= 0;
        if (isHeld || Number.isFinite(law.effectiveRadius)) this.growth = 0.5 / area;
        if (isHeld) contour.setEllipse(held[0] * area, held[1] * area, held[2] * area);
        else contour.setEllipse(pressedMoments[0], pressedMoments[1], pressedMoments[2]);
        if (this.ellipsoid) contour.setEllipsoid();
      }
    }
  }

  /** How unevenly the patch is pressed about its centroid; 0 … 1 */
  private tilt(basis: Float64Array, { centroid, patchCentroid }: ContactPatches, p: number): number {
    let d1 = 0;
    let d2 = 0;
    for (let k = 0; k < 3; k++) {
      const offset = centroid[3 * p + k] - patchCentroid[3 * p + k];
      d1 += basis[3 + k] * offset;
      d2 += basis[6 + k] * offset;
    }
    return patchTilt(d1, d2, this.moments[0], this.moments[1], this.moments[2]);
  }

  /** The circle of contact that the user gives, whatever the overlap is */
  private setCircle({ pressure, torsionRadius }: PairLaw): void {
    const radius = pressure === 'hertz' ? HERTZ_DISC * torsionRadius : torsionRadius;
    if (this.ellipsoid) this.contour.setEllipsoid((2 / 3) * radius);
    else this.contour.setDisc(radius);
  }

  /** b of the patch as it was found by the last `set`, whatever shape was held, m; the contour is that patch from here on. */
  foundRadius(): number {
    const { contour, pressedMoments } = this;
    if (this.present) {
      contour.setEllipse(pressedMoments[0], pressedMoments[1], pressedMoments[2]);
      if (this.ellipsoid) contour.setEllipsoid();
    }
    return contour.effectiveRadius;
  }
}
