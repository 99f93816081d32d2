/**
 * Forces at points that are pressed into a surface that gives: the least f ≥ 0 with
 *
 *   A f − δ ≥ 0,   f · (A f − δ) = 0,      A = R + diag(1/(κ a)),  symmetric and positive
 *
 * by exchanging points between those that press and those that do not, all at once while that leaves fewer and fewer on the wrong side, and the
 * last one alone where it has not for ten rounds, until it does again: Júdice & Pires (1994), doi 10.1016/0305-0548(94)90106-6, which ends for
 * every positive matrix. With a Cholesky factor of the pressing ones. Points may have a name by which A is known: between points of one name it is always the same. Each round of
 * the exchange then keeps the rows of its factor up to the first one whose point is another than last time: mostly all of them.
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
  /** Per point: 0 or more, or −1 of points that have no name */
  names = new Int32Array(0);
  private presses = new Uint8Array(0);
  /** 1 per point on the wrong side; all 0 between rounds */
  private changes = new Uint8Array(0);
  /** By round */
  private readonly factors: Factor[] = [];
  private factor: Factor = { rows: new Int32Array(0), count: 0, l: new Float64Array(0), room: 0 };

  /** Room for so many points; what was there is gone. */
  begin(count: number): void {
    this.count = count;
    this.activeCount = 0;
    if (count <= this.room) {
      this.names.fill(-1, 0, count);
      return;
    }
    const room = Math.max(16, 2 * count);
    this.room = room;
    this.matrix = new Float64Array(room * room);
    this.depth = new Float64Array(room);
    this.force = new Float64Array(room);
    this.active = new Int32Array(room);
    this.presses = new Uint8Array(room);
    this.changes = new Uint8Array(room);
    this.names = new Int32Array(room).fill(-1);
  }

  /** False if it does not end, which a positive matrix does not let happen. */
  solve(): boolean {
    const { count, presses, depth, force, matrix, changes } = this;
    for (let i = 0; i < count; i++) presses[i] = depth[i] > 0 ? 1 : 0;
    let largest = 0;
    for (let i = 0; i < count; i++) largest = Math.max(largest, Math.abs(depth[i]));
    const rounding = 1e-13 * largest;
    let fewest = count + 1;
    let patience = PATIENCE;
    for (let round = 0; round < 1000 + 20 * count; round++) {
      this.list();
      if (!this.factorise(Math.min(round, FACTORS - 1))) return false;
      force.fill(0, 0, count);
      for (let k = 0; k < this.activeCount; k++) force[this.active[k]] = depth[this.active[k]];
      this.solveActive(force);
      let wrong = 0;
      let last = 0;
      for (let i = 0; i < count; i++) {
        if (presses[i] !== 0) {
          if (force[i] >= 0) continue;
        } else {
          let over = -depth[i];
          for (let k = 0; k < this.activeCount; k++) over += matrix[i * count + this.active[k]] * force[this.active[k]];
          if (over >= -rounding) continue;
        }
        wrong++;
        last = i;
        changes[i] = 1;
      }
      if (wrong === 0) return true;
      if (wrong < fewest) {
        fewest = wrong;
        patience = PATIENCE;
      }
      if (patience-- > 0) for (let i = 0; i <= last; i++) presses[i] ^= changes[i];
      else presses[last] ^= 1;
      changes.fill(0, 0, last + 1);
    }
    return false;
  }

  private list(): void {
    const { count, presses, active } = this;
    let n = 0;
    for (let i = 0; i < count; i++) if (presses[i] !== 0) active[n++] = i;
    this.activeCount = n;
  }

  private factorise(round: number): boolean {
    const { activeCount: n, active, matrix, count, names } = this;
    this.factor = this.factors[round] ??= { rows: new Int32Array(0), count: 0, l: new Float64Array(0), room: 0 };
    const { factor } = this;
    if (factor.room < n) {
      factor.room = 2 * n;
      factor.rows = new Int32Array(factor.room);
      factor.l = new Float64Array(factor.room * factor.room);
      factor.count = 0;
    }
    const { rows, l, room } = factor;
    let kept = 0;
    while (kept < n && kept < factor.count && rows[kept] >= 0 && rows[kept] === names[active[kept]]) kept++;
    factor.count = 0;
    for (let i = kept; i < n; i++) {
      const row = room * i;
      for (let j = 0; j <= i; j++) {
        const other = room * j;
        let sum = matrix[active[i] * count + active[j]];
        for (let k = 0; k < j; k++) sum -= l[row + k] * l[other + k];
        if (i !== j) l[row + j] = sum / l[other + j];
        else if (sum > 0) l[row + i] = Math.sqrt(sum);
        else return false;
      }
      rows[i] = names[active[i]];
    }
    factor.count = n;
    return true;
  }

  /** b ← A⁻¹ b on the points that press, by the indices of all points */
  solveActive(b: Float64Array): void {
    const { activeCount: n, active } = this;
    const { l, room } = this.factor;
    for (let i = 0; i < n; i++) {
      let sum = b[active[i]];
      for (let j = 0; j < i; j++) sum -= l[room * i + j] * b[active[j]];
      b[active[i]] = sum / l[room * i + i];
    }
    // column by column of Lᵀ, along the rows of L
    for (let i = n - 1; i >= 0; i--) {
      const x = b[active[i]] / l[room * i + i];
      b[active[i]] = x;
      for (let j = 0; j < i; j++) b[active[j]] -= l[room * i + j] * x;
    }
  }
}

/** Rounds in which as many or more may be on the wrong side before points are exchanged one by one */
const PATIENCE = 10;

/** Rounds that keep a factor of their own */
const FACTORS = 8;

/** Of A on the points that press, row by row */
interface Factor {
  /** Names of its rows */
  rows: Int32Array;
  count: number;
  l: Float64Array;
  /** Length of a row */
  room: number;
}
