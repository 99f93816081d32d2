/**
 * The power over a step, told by few samples: at its start, middle and end, and at the start and in the middle of the step before. With x the part of
 * the step that has passed, m and s where those of the step before lie,
 *
 *   P = parabola + c₃ x (x − ½)(x − 1) + c₄ x (x − ½)(x − 1)(x − m),   c₃ = P[0, ½, 1, m],  c₄ = P[0, ½, 1, m, s]
 *
 * (divided differences). The term of third order has no integral over the step, that of fourth order −c₄/120: it is what Simpson's rule is wrong by.
 * Where slots changed in between, the power jumps by a little without any of its derivatives doing so; what is older is shifted by that.
 */

/** ∫₀ˣ s (s − ½)(s − 1) ds */
export const thirdOrder = (x: number): number => x * x * (0.25 - 0.5 * x + 0.25 * x * x);

/** ∫₀ˣ s (s − ½)(s − 1)(s − m) ds; −1/120 at the end, whatever m is */
export const fourthOrder = (x: number, m: number): number =>
  x * x * (-0.25 * m + x * ((0.5 + 1.5 * m) / 3 + x * (-0.25 * (1.5 + m) + 0.2 * x)));

export class PowerHistory {
  /** Where the middle of the step before lies */
  node = 0;
  /** s: start, middle and end of the step before */
  private start = Number.NaN;
  private middle = Number.NaN;
  private end = Number.NaN;
  /** 0, ½, 1, m, s */
  private readonly nodes = Float64Array.of(0, 0.5, 1, 0, 0);
  /** 4 and 5: weights of the divided differences */
  private readonly third = new Float64Array(4);
  private readonly fourth = new Float64Array(5);

  /** No step before is known. */
  forget(): void {
    this.end = Number.NaN;
  }

  /** Prepares for the step [t0, t1]; false if there is no step before that ended at its start. */
  prepare(t0: number, t1: number): boolean {
    if (this.end !== t0) return false;
    const { nodes, third, fourth } = this;
    nodes[3] = this.node = (this.middle - t0) / (t1 - t0);
    nodes[4] = (this.start - t0) / (t1 - t0);
    for (let i = 0; i < 5; i++) {
      let product = 1;
      for (let j = 0; j < 4; j++) if (j !== i) product *= nodes[i] - nodes[j];
      if (i < 4) {
        third[i] = 1 / product;
        product *= nodes[i] - nodes[4];
      }
      fourth[i] = 1 / product;
    }
    return true;
  }

  /** c₃ and c₄ into out[at], out[at + 1], W; `before` is what the step before ended with. */
  terms(
    atStart: number,
    atMiddle: number,
    atEnd: number,
    earlierMiddle: number,
    earlierStart: number,
    before: number,
    out: Float64Array,
    at: number,
  ): void {
    const { third, fourth } = this;
    const m = earlierMiddle + (atStart - before);
    const s = earlierStart + (atStart - before);
    out[at] = third[0] * atStart + third[1] * atMiddle + third[2] * atEnd + third[3] * m;
    out[at + 1] = fourth[0] * atStart + fourth[1] * atMiddle + fourth[2] * atEnd + fourth[3] * m + fourth[4] * s;
  }

  /** The step is over. */
  remember(t0: number, t1: number): void {
    this.start = t0;
    this.middle = 0.5 * (t0 + t1);
    this.end = t1;
  }
}
