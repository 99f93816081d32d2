/** The point of a triangle nearest to a point, and how it moves as both do. Ericson, Real-Time Collision Detection (2005), § 5.1.5. */
export class TriangleFoot {
  /** Weights of the corners; 0 of those that the foot does not lie between */
  readonly weights = new Float64Array(3);
  /** From the foot to the point, and its length */
  readonly offset = new Float64Array(3);
  distance = 0;
  /** The foot is on the plane of the triangle, also beside it */
  private onPlane = false;
  /** Corners that it may slide between: the first, and up to two others, −1: none; sides t to those, 3 each */
  private base = 0;
  private one = -1;
  private two = -1;
  private readonly sides = new Float64Array(6);
  // of `move`
  readonly dWeights = new Float64Array(3);
  readonly dOffset = new Float64Array(3);

  /** @param corners x, y, z of the three, 9 numbers */
  find(corners: Float64Array, px: number, py: number, pz: number): void {
    const { weights: w } = this;
    this.onPlane = false;
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

  /** Foot on the plane of the triangle, wherever that is */
  project(corners: Float64Array, px: number, py: number, pz: number): void {
    const { weights: w, offset } = this;
    this.onPlane = true;
    const e = [px - corners[0], py - corners[1], pz - corners[2]];
    let [uu, uv, vv, d1, d2] = [0, 0, 0, 0, 0];
    for (let i = 0; i < 3; i++) {
      const [u, v] = [corners[3 + i] - corners[i], corners[6 + i] - corners[i]];
      uu += u * u;
      uv += u * v;
      vv += v * v;
      d1 += u * e[i];
      d2 += v * e[i];
    }
    const determinant = uu * vv - uv * uv;
    w[1] = (vv * d1 - uv * d2) / determinant;
    w[2] = (uu * d2 - uv * d1) / determinant;
    w[0] = 1 - w[1] - w[2];
    let square = 0;
    for (let i = 0; i < 3; i++) {
      offset[i] = e[i] - w[1] * (corners[3 + i] - corners[i]) - w[2] * (corners[6 + i] - corners[i]);
      square += offset[i] * offset[i];
    }
    this.distance = Math.sqrt(square);
  }

  private findSides(corners: Float64Array): void {
    const { weights: w, onPlane, sides } = this;
    this.base = this.one = this.two = -1;
    for (let k = 0; k < 3; k++) {
      if (!onPlane && w[k] === 0) continue;
      if (this.base < 0) this.base = k;
      else if (this.one < 0) this.one = k;
      else this.two = k;
    }
    for (let i = 0; i < 3; i++) {
      sides[i] = this.one < 0 ? 0 : corners[3 * this.one + i] - corners[3 * this.base + i];
      sides[3 + i] = this.two < 0 ? 0 : corners[3 * this.two + i] - corners[3 * this.base + i];
    }
  }

  /** y of t_k · t_l y_l = r_k over the sides t, into `y` by corner */
  private solve(r1: number, r2: number, y: Float64Array): void {
    const { sides: t } = this;
    y.fill(0);
    if (this.one < 0) return;
    const kk = t[0] * t[0] + t[1] * t[1] + t[2] * t[2];
    if (this.two < 0) y[this.one] = r1 / kk;
    else {
      const kl = t[0] * t[3] + t[1] * t[4] + t[2] * t[5];
      const ll = t[3] * t[3] + t[4] * t[4] + t[5] * t[5];
      const determinant = kk * ll - kl * kl;
      y[this.one] = (ll * r1 - kl * r2) / determinant;
      y[this.two] = (kk * r2 - kl * r1) / determinant;
    }
    for (let k = 0; k < 3; k++) if (k !== this.base) y[this.base] -= y[k];
  }

  /**
   * The offset stays at right angles to the sides t_k that the foot may slide along: t_k · o = 0, o = p − Σ w X, so
   *   t_k · (dp − Σ w dX − Σ dw X) + dt_k · o = 0
   *
   * @param d changes of the corners, 9 numbers
   */
  move(corners: Float64Array, d: Float64Array, dpx: number, dpy: number, dpz: number): void {
    const { weights: w, dWeights: dw, offset, dOffset: out, sides: t } = this;
    out[0] = dpx;
    out[1] = dpy;
    out[2] = dpz;
    for (let k = 0; k < 3; k++) for (let i = 0; i < 3; i++) out[i] -= w[k] * d[3 * k + i];
    this.findSides(corners);
    const { base, one, two } = this;
    let [r1, r2] = [0, 0];
    for (let i = 0; i < 3; i++) {
      if (one >= 0) r1 += t[i] * out[i] + (d[3 * one + i] - d[3 * base + i]) * offset[i];
      if (two >= 0) r2 += t[3 + i] * out[i] + (d[3 * two + i] - d[3 * base + i]) * offset[i];
    }
    this.solve(r1, r2, dw);
    for (let i = 0; i < 3; i++) {
      if (one >= 0) out[i] -= dw[one] * t[i];
      if (two >= 0) out[i] -= dw[two] * t[3 + i];
    }
  }

  // ---- what pulls the foot along the triangle --------------------------------------------------------------------------------------

  /**
   * Forces on the point and on the corners that do the work g · Σ dw X₀ of a pull g on the foot, X₀ corners of the undeformed triangle: with t_k · t_l y_l = g · (X₀_k − X₀_0), o = `arm`,
   *   F = Σ y t on the point,   −w_k F + y_k o on corner k
   */
  pull(corners: Float64Array, undeformed: Float64Array, g: Float64Array, arm: Float64Array, out: FootPull): void {
    this.findSides(corners);
    const { base, one, two, sides: t, weights: w } = this;
    let [r1, r2] = [0, 0];
    for (let i = 0; i < 3; i++) {
      if (one >= 0) r1 += g[i] * (undeformed[3 * one + i] - undeformed[3 * base + i]);
      if (two >= 0) r2 += g[i] * (undeformed[3 * two + i] - undeformed[3 * base + i]);
    }
    this.solve(r1, r2, out.y);
    for (let i = 0; i < 3; i++)
      out.force[i] = (one < 0 ? 0 : out.y[one] * t[i]) + (two < 0 ? 0 : out.y[two] * t[3 + i]);
    for (let k = 0; k < 3; k++)
      for (let i = 0; i < 3; i++) out.corners[3 * k + i] = -w[k] * out.force[i] + out.y[k] * arm[i];
  }

  /** Change of that, after `move` and `pull`. @param d changes of the corners */
  movePull(
    undeformed: Float64Array,
    d: Float64Array,
    dg: Float64Array,
    arm: Float64Array,
    dArm: Float64Array,
    out: FootPull,
  ): void {
    const { base, one, two, sides: t, weights: w, dWeights: dw } = this;
    const { y, dy, force, dForce } = out;
    let [r1, r2] = [0, 0];
    // (t_k · t_l) dy_l = dg · (X₀_k − X₀_0) − t_k · Σ y dt − dt_k · Σ y t
    for (let i = 0; i < 3; i++) {
      const dOne = one < 0 ? 0 : d[3 * one + i] - d[3 * base + i];
      const dTwo = two < 0 ? 0 : d[3 * two + i] - d[3 * base + i];
      const bent = (one < 0 ? 0 : y[one] * dOne) + (two < 0 ? 0 : y[two] * dTwo);
      dForce[i] = bent;
      if (one >= 0) r1 += dg[i] * (undeformed[3 * one + i] - undeformed[3 * base + i]) - t[i] * bent - dOne * force[i];
      if (two >= 0)
        r2 += dg[i] * (undeformed[3 * two + i] - undeformed[3 * base + i]) - t[3 + i] * bent - dTwo * force[i];
    }
    this.solve(r1, r2, dy);
    for (let i = 0; i < 3; i++) dForce[i] += (one < 0 ? 0 : dy[one] * t[i]) + (two < 0 ? 0 : dy[two] * t[3 + i]);
    for (let k = 0; k < 3; k++)
      for (let i = 0; i < 3; i++)
        out.dCorners[3 * k + i] = -dw[k] * force[i] - w[k] * dForce[i] + dy[k] * arm[i] + y[k] * dArm[i];
  }
}

/** Forces of `pull`: on the point, 3 per corner, y of each corner, and their changes */
export class FootPull {
  readonly force = new Float64Array(3);
  readonly corners = new Float64Array(9);
  readonly y = new Float64Array(3);
  readonly dForce = new Float64Array(3);
  readonly dCorners = new Float64Array(9);
  readonly dy = new Float64Array(3);
}
