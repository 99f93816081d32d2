/** The point of a triangle nearest to a point, and how it moves as both do. Ericson, Real-Time Collision Detection (2005), § 5.1.5. */
export class TriangleFoot {
  /** Weights of the corners; 0 of those that the foot does not lie between */
  readonly weights = new Float64Array(3);
  /** From the foot to the point, and its length */
  readonly offset = new Float64Array(3);
  distance = 0;
  // of `move`
  readonly dWeights = new Float64Array(3);
  readonly dOffset = new Float64Array(3);

  /** @param corners x, y, z of the three, 9 numbers */
  find(corners: Float64Array, px: number, py: number, pz: number): void {
    const { weights: w } = this;
    const [ax, ay, az] = [corners[0], corners[1], corners[2]];
    const ux = corners[3] - ax;
    const uy = corners[4] - ay;
    const uz = corners[5] - az;
    const vx = corners[6] - ax;
    const vy = corners[7] - ay;
    const vz = corners[8] - az;
    const ex = px - ax;
    const ey = py - ay;
    const ez = pz - az;
    const d1 = ux * ex + uy * ey + uz * ez;
    const d2 = vx * ex + vy * ey + vz * ez;
    const uu = ux * ux + uy * uy + uz * uz;
    const uv = ux * vx + uy * vy + uz * vz;
    const vv = vx * vx + vy * vy + vz * vz;
    // as seen from b and from c
    const d3 = d1 - uu;
    const d4 = d2 - uv;
    const d5 = d1 - uv;
    const d6 = d2 - vv;
    const va = d3 * d6 - d5 * d4;
    const vb = d5 * d2 - d1 * d6;
    const vc = d1 * d4 - d3 * d2;
    let b = 0;
    let c = 0;
    if (d1 <= 0 && d2 <= 0) b = c = 0;
    else if (d3 >= 0 && d4 <= d3) b = 1;
    else if (d6 >= 0 && d5 <= d6) c = 1;
    else if (vc <= 0 && d1 >= 0 && d3 <= 0) b = d1 / (d1 - d3);
    else if (vb <= 0 && d2 >= 0 && d6 <= 0) c = d2 / (d2 - d6);
    else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
      c = (d4 - d3) / (d4 - d3 + (d5 - d6));
      b = 1 - c;
    } else {
      const sum = va + vb + vc;
      b = vb / sum;
      c = vc / sum;
    }
    w[0] = b + c >= 1 ? 0 : 1 - b - c;
    w[1] = b;
    w[2] = c;
    this.offset[0] = ex - b * ux - c * vx;
    this.offset[1] = ey - b * uy - c * vy;
    this.offset[2] = ez - b * uz - c * vz;
    this.distance = Math.sqrt(
      this.offset[0] * this.offset[0] + this.offset[1] * this.offset[1] + this.offset[2] * this.offset[2],
    );
  }

  /**
   * The offset stays at right angles to the sides t_k that the foot may slide along: t_k · o = 0, o = p − Σ w X, so
   *   t_k · (dp − Σ w dX − Σ dw X) + dt_k · o = 0
   *
   * @param d changes of the corners, 9 numbers
   */
  move(corners: Float64Array, d: Float64Array, dpx: number, dpy: number, dpz: number): void {
    const { weights: w, dWeights: dw, offset, dOffset: out } = this;
    out[0] = dpx;
    out[1] = dpy;
    out[2] = dpz;
    for (let k = 0; k < 3; k++) for (let i = 0; i < 3; i++) out[i] -= w[k] * d[3 * k + i];
    dw.fill(0);
    let count = 0;
    let base = -1;
    for (let k = 0; k < 3; k++)
      if (w[k] > 0) {
        count++;
        if (base < 0) base = k;
      }
    if (count === 1) return;
    const side = (k: number, i: number): number => corners[3 * k + i] - corners[3 * base + i];
    const right = (k: number): number => {
      let sum = 0;
      for (let i = 0; i < 3; i++) sum += side(k, i) * out[i] + (d[3 * k + i] - d[3 * base + i]) * offset[i];
      return sum;
    };
    const product = (k: number, l: number): number => {
      let sum = 0;
      for (let i = 0; i < 3; i++) sum += side(k, i) * side(l, i);
      return sum;
    };
    const others = [0, 1, 2].filter((k) => k !== base && w[k] > 0);
    const [k, l] = others;
    if (count === 2) dw[k] = right(k) / product(k, k);
    else {
      const [kk, kl, ll] = [product(k, k), product(k, l), product(l, l)];
      const [rk, rl] = [right(k), right(l)];
      const determinant = kk * ll - kl * kl;
      dw[k] = (ll * rk - kl * rl) / determinant;
      dw[l] = (kk * rl - kl * rk) / determinant;
    }
    for (const other of others) {
      dw[base] -= dw[other];
      for (let i = 0; i < 3; i++) out[i] -= dw[other] * side(other, i);
    }
  }
}
