/**
 * Forces at points that are pressed into a surface that gives: the least f ≥ 0 with
 *
 *   A f − δ ≥ 0,   f · (A f − δ) = 0,      A = R + diag(1/(κ a)),  symmetric and positive
 *
 * by exchanging points between those that press and those that do not (Murty's least-index rule once all at once has not ended), with a
 * Cholesky factor of the pressing ones.
 */
export class Pressing {
  /** Room for points */
  private room = 0;
  /** room × room of `count` × `count`, row by row: A */
  matrix = new Float64Array(0);
  depth = new Float64Array(0);
  force = new Float64Array(0);
  /** Indices of points that press, ascending */
  active = new Int32Array(0);
  activeCount = 0;
  count = 0;
  private factor = new Float64Array(0);
  private presses = new Uint8Array(0);

  /** Room for so many points; what was there is gone. */
  begin(count: number): void {
    this.count = count;
    this.activeCount = 0;
    if (count <= this.room) return;
    const room = Math.max(16, 2 * count);
    this.room = room;
    this.matrix = new Float64Array(room * room);
    this.factor = new Float64Array(room * room);
    this.depth = new Float64Array(room);
    this.force = new Float64Array(room);
    this.active = new Int32Array(room);
    this.presses = new Uint8Array(room);
  }

  /** False if it does not end, which a positive matrix does not let happen. */
  solve(): boolean {
    const { count, presses, depth, force, matrix } = this;
    for (let i = 0; i < count; i++) presses[i] = depth[i] > 0 ? 1 : 0;
    let largest = 0;
    for (let i = 0; i < count; i++) largest = Math.max(largest, Math.abs(depth[i]));
    const rounding = 1e-13 * largest;
    for (let round = 0; round < 20 + 4 * count; round++) {
      this.list();
      if (!this.factorise()) return false;
      force.fill(0, 0, count);
      for (let k = 0; k < this.activeCount; k++) force[this.active[k]] = depth[this.active[k]];
      this.solveActive(force);
      let changed = false;
      for (let i = 0; i < count; i++) {
        if (presses[i] !== 0) {
          if (force[i] >= 0) continue;
          presses[i] = 0;
        } else {
          let over = -depth[i];
          for (let k = 0; k < this.activeCount; k++) over += matrix[i * count + this.active[k]] * force[this.active[k]];
          if (over >= -rounding) continue;
          presses[i] = 1;
        }
        changed = true;
        if (round >= 10) break;
      }
      if (!changed) return true;
    }
    return false;
  }

  private list(): void {
    const { count, presses, active } = this;
    let n = 0;
    for (let i = 0; i < count; i++) if (presses[i] !== 0) active[n++] = i;
    this.activeCount = n;
  }

  private factorise(): boolean {
    const { activeCount: n, active, matrix, factor: l, count } = this;
    for (let i = 0; i < n; i++)
      for (let j = 0; j <= i; j++) {
        let sum = matrix[active[i] * count + active[j]];
        for (let k = 0; k < j; k++) sum -= l[i * n + k] * l[j * n + k];
        if (i !== j) l[i * n + j] = sum / l[j * n + j];
        else if (sum > 0) l[i * n + i] = Math.sqrt(sum);
        else return false;
      }
    return true;
  }

  /** b ← A⁻¹ b on the points that press, by the indices of all points */
  solveActive(b: Float64Array): void {
    const { activeCount: n, active, factor: l } = this;
    for (let i = 0; i < n; i++) {
      let sum = b[active[i]];
      for (let j = 0; j < i; j++) sum -= l[i * n + j] * b[active[j]];
      b[active[i]] = sum / l[i * n + i];
    }
    for (let i = n - 1; i >= 0; i--) {
      let sum = b[active[i]];
      for (let j = i + 1; j < n; j++) sum -= l[j * n + i] * b[active[j]];
      b[active[i]] = sum / l[i * n + i];
    }
  }
}
