/**
 * Shear of a node as it remembers it. With m = τ/τ_max as a vector and M the most that |m| has been, soil that is moved by d along its surface first gives elastically, κ times as steeply as
 * fresh soil yields, and beyond M yields along Janosi & Hanamoto's curve:
 *
 *   m* = m + κ d/K;     m = m*                            while |m*| ≤ M
 *                       |m| = 1 − (1 − M) e^(−w),  w = (|m*| − M)/κ,  along m*, and M with it, beyond
 *
 * which is the return to the yield surface |m| = M of elastic–plastic soil that hardens: w is the way of a straight pull (m = M: w = d/K, so 1 − e^(−j/K)). Loops below M close: what sways under a load
 * that soil can hold stays where it is. A sum of displacements pushed a block that had slid 78 mm all the way back; Dahl's form, dm/ds = (d̂ − m)/K, loads more softly than it unloads, and a block on a slope at half its limit walked on by 2 mm with every swing.
 *
 * Kept as the displacement J = K m/κ, so that m* = κ (J + d)/K: with j = |J + d|
 *
 *   |m| = κ j/K  while that is ≤ M,  else 1 − (1 − M) e^(M/κ − j/K)
 *
 * Janosi & Hanamoto (1961); κ is ours.
 */
import { exp } from '../../math/elementary.js';

/** κ */
export const UNLOADING = 10;
/** Nearer to what it has been than this part of it, the direction of motion decides whether soil yields */
const AT_YIELD = 1e-9;

export class ShearCurve {
  /** |m|; its change with j, 1/m; and with M */
  part = 0;
  slope = 0;
  byMost = 0;

  /** @param j m; @param most M; @param K m; @param goesOn the motion is along the shear: just at M, it yields */
  at(j: number, most: number, K: number, goesOn: boolean): void {
    const elastic = (UNLOADING * j) / K;
    if (goesOn ? elastic < most * (1 - AT_YIELD) : elastic <= most * (1 + AT_YIELD)) {
      this.part = elastic;
      this.slope = UNLOADING / K;
      this.byMost = 0;
      return;
    }
    const left = exp(most / UNLOADING - j / K);
    this.part = 1 - (1 - most) * left;
    this.slope = ((1 - most) * left) / K;
    this.byMost = left * (1 - (1 - most) / UNLOADING);
  }
}
