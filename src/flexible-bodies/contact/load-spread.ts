/**
 * How a force at a place of a side is spread over the surface around it, as far as the residual compliance R goes (residual-compliance.ts): over hats around nodes (contact-surface.ts) by quadratic
 * B-splines along the outline, with knots at the middles of sides,
 *
 *   w₊ = (x − m₋)²/((m − m₋)(m₊ − m₋)),   w₋ = (m − x)²/((m − m₋)(m − m₋₋)),   w₀ = 1 − w₋ − w₊        m₋ ≤ x ≤ m around a node
 *
 * so that R along the outline has continuous slopes and the spread is about as wide everywhere: between two hats alone a load would meet a third less compliance in the middle of a side than at its
 * ends, on a body that is the same everywhere. At sharp corners the outline ends: the outer knot is the corner itself, where slopes are 0.
 *
 * De Boor, A Practical Guide to Splines (1978), ch. IX.
 */

/** Nodes of a spread */
export const SPREAD = 3;

export class LoadSpread {
  /** 3 per half of a side, first halves first: nodes before, at and after */
  private readonly nodes: Int32Array;
  /** 9 per half: of each node 1, ξ, ξ² */
  private readonly powers: Float64Array;

  /**
   * @param sides  3 nodes per side
   * @param before per side: the one that it goes on from without a sharp corner, −1: none
   * @param after  the one that goes on from it
   * @param length per side, m
   */
  constructor(sides: ArrayLike<number>, before: Int32Array, after: Int32Array, length: ArrayLike<number>) {
    const count = sides.length / 3;
    this.nodes = new Int32Array(6 * count);
    this.powers = new Float64Array(18 * count);
    for (let s = 0; s < count; s++) {
      const own = length[s];
      const [p, n] = [before[s], after[s]];
      const back = p < 0 ? 0 : length[p];
      const ahead = n < 0 ? 0 : length[n];
      const farBack = p < 0 || before[p] < 0 ? 0 : length[before[p]];
      const farAhead = n < 0 || after[n] < 0 ? 0 : length[after[n]];
      // x from the start of the side; knots of the half around its start, then of that around its end
      this.put(2 * s, [p < 0 ? sides[3 * s] : sides[3 * p], sides[3 * s], sides[3 * s + 1]], own, [
        -back - farBack / 2,
        -back / 2,
        own / 2,
        own + ahead / 2,
      ]);
      this.put(2 * s + 1, [sides[3 * s], sides[3 * s + 1], n < 0 ? sides[3 * s + 1] : sides[3 * n + 1]], own, [
        -back / 2,
        own / 2,
        own + ahead / 2,
        own + ahead + farAhead / 2,
      ]);
    }
  }

  private put(half: number, nodes: readonly number[], own: number, [m0, m1, m2, m3]: readonly number[]): void {
    this.nodes.set(nodes, 3 * half);
    // x = own (1 + ξ)/2
    const square = (scale: number, from: number): [number, number, number] => {
      const [k, c] = [own / 2, own / 2 - from];
      return [scale * c * c, 2 * scale * c * k, scale * k * k];
    };
    const after = square(1 / ((m2 - m1) * (m3 - m1)), m1);
    const before = square(1 / ((m2 - m1) * (m2 - m0)), m2);
    const { powers } = this;
    for (let j = 0; j < 3; j++) {
      powers[9 * half + j] = before[j];
      powers[9 * half + 3 + j] = (j === 0 ? 1 : 0) - before[j] - after[j];
      powers[9 * half + 6 + j] = after[j];
    }
  }

  /** Node k of the spread at a place of a side */
  node(side: number, xi: number, k: number): number {
    return this.nodes[3 * (xi < 0 ? 2 * side : 2 * side + 1) + k];
  }

  /** Its weight, or a derivative by ξ */
  weight(side: number, xi: number, k: number, order: 0 | 1 | 2): number {
    const at = 9 * (xi < 0 ? 2 * side : 2 * side + 1) + 3 * k;
    const { powers: c } = this;
    if (order === 0) return c[at] + xi * (c[at + 1] + xi * c[at + 2]);
    return order === 1 ? c[at + 1] + 2 * xi * c[at + 2] : 2 * c[at + 2];
  }
}
