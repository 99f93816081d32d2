/**
 * Forces at points that are pressed into a surface that gives: the least f ≥ 0 with
 *
 *   A f − δ ≥ 0,   f · (A f − δ) = 0,      A = R + diag(1/(κ a)),  symmetric and positive
 *
 * by exchanging points between those that press and those that do not, all at once while that leaves fewer and fewer on the wrong side, and the
 * last one alone where it has not for ten rounds, until it does again: Júdice & Pires (1994), doi 10.1016/0305-0548(94)90106-6, which ends for
 * every positive matrix. With a Cholesky factor of the pressing ones, row by row: rows up to the first point that is another than in a factor that is still there
 * are kept, of the same A or of points with a name between which A is always the same. Rows of A are asked for when one of their points presses.
 *
 * The exchange may begin with points that are expected to press, mostly those that did last time: then one factor is all. What comes out must not depend on what was expected. The solution is
 * unique, so where every point is clearly on its side, forces and gaps far above rounding, the points are those that the exchange would have come to from the start, and the forces,
 * which follow from the points alone, have the same bits; where one is not, the exchange begins as if nothing had been expected.
 */
export class Pressing {
  /** Room for points */
  private room = 0;
  /** `count` × `count`, row by row: A, where `known` */
  private matrix = new Float64Array(0);
  private known = new Uint8Array(0);
  depth = new Float64Array(0);
  force = new Float64Array(0);
  /** Indices of points that press, ascending */
  active = new Int32Array(0);
  activeCount = 0;
  count = 0;
  /** Per point: 0 or more, or −1 of points that have no name */
  names = new Int32Array(0);
  private presses = new Uint8Array(0);
  /** `presses` is what is expected. */
  private expects = false;
  /** A f − δ of points that do not press, m */
  private gap = new Float64Array(0);
  /** 1 per point on the wrong side; all 0 between rounds */
  private changes = new Uint8Array(0);
  /** By round */
  private readonly factors: Factor[] = [];
  private factor: Factor = { rows: new Int32Array(0), count: 0, l: new Float64Array(0), room: 0, of: -1 };
  /** Counts matrices */
  private matrices = 0;
  private inverse = new Float64Array(0);
  /** Points of the last inverse that was written; where to, of which matrix */
  private written = new Int32Array(0);
  private writtenCount = 0;
  private writtenTo: Float64Array | undefined;
  private writtenAt = 0;
  private writtenOf = -1;

  /** @param between A of two points, the first not before the second, m/N */
  constructor(private readonly between: (i: number, j: number) => number) {}

  /** Room for so many points; what was there is gone. */
  begin(count: number): void {
    this.count = count;
    this.activeCount = 0;
    this.matrices++;
    this.expects = false;
    if (count > this.room) {
      const room = Math.max(16, 2 * count);
      this.room = room;
      this.matrix = new Float64Array(room * room);
      this.known = new Uint8Array(room);
      this.depth = new Float64Array(room);
      this.force = new Float64Array(room);
      this.gap = new Float64Array(room);
      this.active = new Int32Array(room);
      this.presses = new Uint8Array(room);
      this.changes = new Uint8Array(room);
      this.names = new Int32Array(room);
      this.written = new Int32Array(room);
    }
    this.names.fill(-1, 0, count);
    this.known.fill(0, 0, count);
    this.presses.fill(0, 0, count);
  }

  /** A point that is likely to press */
  expect(i: number): void {
    this.presses[i] = 1;
    this.expects = true;
  }

  /** False if it does not end, which a positive matrix does not let happen. Those that press then are expected to until the next `begin`. */
  solve(): boolean {
    const { count, presses, depth } = this;
    let deepest = 0;
    for (let i = 0; i < count; i++) deepest = Math.max(deepest, depth[i]);
    if (this.expects && this.exchange(EXPECTED, deepest) && this.isClear(deepest)) return true;
    for (let i = 0; i < count; i++) presses[i] = depth[i] > 0 ? 1 : 0;
    this.expects = this.exchange(1000 + 20 * count, deepest) || this.descend(deepest);
    return this.expects;
  }

  /**
   * The least ½ f · A f − δ · f with f ≥ 0 by Lawson & Hanson (Solving Least Squares Problems, 1974, ch. 23): the point that is pushed in farthest joins those that press, and the way to their forces ends where the
   * first of them would pull, which leaves. Each round is lower than the one before, so it ends where exchanging goes round: many points of a hard surface on few sides of a far softer one, whose A is nearly
   * singular, take too many rounds of one exchange each.
   */
  private descend(deepest: number): boolean {
    const { count, presses, force, gap, depth, changes } = this;
    presses.fill(0, 0, count);
    force.fill(0, 0, count);
    const at = new Float64Array(count);
    this.list();
    for (let round = 0; round < 100 + 20 * count; round++) {
      // `force` is that of those that press
      this.findGaps();
      let next = -1;
      for (let i = 0; i < count; i++)
        if (presses[i] === 0 && changes[i] === 0 && gap[i] < -ROUNDING * Math.max(deepest, -depth[i]))
          if (next < 0 || gap[i] < gap[next]) next = i;
      if (next < 0) {
        changes.fill(0, 0, count);
        // the factor is that of the last set that was tried
        return this.factorise(FACTORS - 1);
      }
      presses[next] = 1;
      at.set(force.subarray(0, count));
      for (;;) {
        this.list();
        if (!this.factorise(FACTORS - 1)) return false;
        force.fill(0, 0, count);
        for (let k = 0; k < this.activeCount; k++) force[this.active[k]] = depth[this.active[k]];
        this.solveActive(force);
        let way = 1;
        for (let i = 0; i < count; i++) if (presses[i] !== 0) way = Math.min(way, wayTo(at[i], force[i]));
        if (way === 1) break;
        for (let i = 0; i < count; i++) {
          if (presses[i] === 0) continue;
          const stays = wayTo(at[i], force[i]) > way;
          at[i] = stays ? at[i] + way * (force[i] - at[i]) : 0;
          if (!stays) presses[i] = 0;
        }
      }
      // one that joined and would pull at once, by rounding, is not asked again until another has joined
      if (presses[next] === 0) changes[next] = 1;
      else changes.fill(0, 0, count);
    }
    changes.fill(0, 0, count);
    return false;
  }

  private exchange(rounds: number, deepest: number): boolean {
    const { count, presses, force, gap, depth, changes } = this;
    let fewest = count + 1;
    let patience = PATIENCE;
    for (let round = 0; round < rounds; round++) {
      this.list();
      if (!this.factorise(Math.min(round, FACTORS - 1))) return false;
      force.fill(0, 0, count);
      for (let k = 0; k < this.activeCount; k++) force[this.active[k]] = depth[this.active[k]];
      this.solveActive(force);
      this.findGaps();
      let wrong = 0;
      let last = 0;
      for (let i = 0; i < count; i++) {
        if (presses[i] !== 0 ? force[i] >= 0 : gap[i] >= -ROUNDING * Math.max(deepest, -depth[i])) continue;
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

  /** Every point is on its side by more than rounding could tell otherwise. */
  private isClear(deepest: number): boolean {
    const { count, presses, force, gap, depth } = this;
    let largest = 0;
    for (let i = 0; i < count; i++) largest = Math.max(largest, force[i]);
    for (let i = 0; i < count; i++)
      if (presses[i] !== 0 ? !(force[i] > CLEAR * largest) : !(gap[i] > CLEAR * Math.max(deepest, -depth[i])))
        return false;
    return true;
  }

  private list(): void {
    const { count, presses, active } = this;
    let n = 0;
    for (let i = 0; i < count; i++) if (presses[i] !== 0) active[n++] = i;
    this.activeCount = n;
  }

  /** A f − δ where nothing presses */
  private findGaps(): void {
    const { count, activeCount, active, depth, force, matrix, gap } = this;
    for (let i = 0; i < count; i++) gap[i] = -depth[i];
    if (activeCount === count) return;
    for (let k = 0; k < activeCount; k++) {
      const row = active[k] * count;
      const f = force[active[k]];
      for (let i = 0; i < count; i++) gap[i] += matrix[row + i] * f;
    }
  }

  /** Row of A, and with it its column of rows that are known */
  private findRow(j: number): void {
    const { matrix, known, count, between } = this;
    if (known[j] !== 0) return;
    const row = count * j;
    for (let i = 0; i < count; i++)
      matrix[row + i] = known[i] !== 0 ? matrix[count * i + j] : i < j ? between(j, i) : between(i, j);
    known[j] = 1;
  }

  private factorise(round: number): boolean {
    const { activeCount: n, active, matrix, count, factors } = this;
    while (factors.length <= round)
      factors.push({ rows: new Int32Array(0), count: 0, l: new Float64Array(0), room: 0, of: -1 });
    const factor = factors[round];
    this.factor = factor;
    if (factor.room < n) {
      factor.room = 2 * n;
      factor.rows = new Int32Array(factor.room);
      factor.l = new Float64Array(factor.room * factor.room);
      factor.count = 0;
    }
    for (let k = 0; k < n; k++) this.findRow(active[k]);
    let kept = 0;
    let best = factor;
    for (const other of factors) {
      const rows = this.rowsOf(other);
      if (rows > kept || (rows === kept && other === factor)) {
        kept = rows;
        best = other;
      }
    }
    const { rows, l, room } = factor;
    if (best !== factor)
      for (let i = 0; i < kept; i++) {
        for (let j = 0; j <= i; j++) l[room * i + j] = best.l[best.room * i + j];
        rows[i] = best.rows[i];
      }
    factor.count = 0;
    factor.of = this.matrices;
    // two rows and two columns at a time; each entry in the order of one at a time
    for (let i = kept; i < n; i += 2) {
      const two = i + 1 < n;
      const r0 = room * i;
      const r1 = two ? r0 + room : r0;
      const a0 = active[i] * count;
      const a1 = active[two ? i + 1 : i] * count;
      let j = 0;
      for (; j + 1 < i; j += 2) {
        const c0 = room * j;
        const c1 = c0 + room;
        let s00 = matrix[a0 + active[j]];
        let s01 = matrix[a0 + active[j + 1]];
        let s10 = matrix[a1 + active[j]];
        let s11 = matrix[a1 + active[j + 1]];
        for (let k = 0; k < j; k++) {
          const [x, y, u, v] = [l[r0 + k], l[r1 + k], l[c0 + k], l[c1 + k]];
          s00 -= x * u;
          s01 -= x * v;
          s10 -= y * u;
          s11 -= y * v;
        }
        s00 /= l[c0 + j];
        s10 /= l[c0 + j];
        l[r0 + j] = s00;
        l[r1 + j] = s10;
        l[r0 + j + 1] = (s01 - s00 * l[c1 + j]) / l[c1 + j + 1];
        l[r1 + j + 1] = (s11 - s10 * l[c1 + j]) / l[c1 + j + 1];
      }
      for (let row = i; row < (two ? i + 2 : i + 1); row++)
        for (let c = j; c <= row; c++) {
          let sum = matrix[active[row] * count + active[c]];
          for (let k = 0; k < c; k++) sum -= l[room * row + k] * l[room * c + k];
          if (row !== c) l[room * row + c] = sum / l[room * c + c];
          else if (sum > 0) l[room * row + c] = Math.sqrt(sum);
          else return false;
        }
    }
    for (let i = kept; i < n; i++) rows[i] = this.rowName(active[i]);
    factor.count = n;
    return true;
  }

  /** How many rows of a factor are those of the points that press */
  private rowsOf({ rows, count, of }: Factor): number {
    const { activeCount: n, active } = this;
    const same = of === this.matrices;
    let kept = 0;
    while (kept < n && kept < count && (same || rows[kept] >= 0) && rows[kept] === this.rowName(active[kept])) kept++;
    return kept;
  }

  /** Of a row of a factor: the name of its point, or −1 − i, which tells it as long as A is the same */
  private rowName(i: number): number {
    return this.names[i] >= 0 ? this.names[i] : -1 - i;
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

  /** `scale` A⁻¹ = L⁻ᵀ L⁻¹ of the points that press into `count` × `count` numbers from `at` on, 0 elsewhere, symmetric to the bit. Of what it wrote last into the same place nothing may have changed meanwhile. */
  writeInverse(out: Float64Array, at: number, scale: number): void {
    const { activeCount: n, active, count, written } = this;
    const { l, room } = this.factor;
    if (this.inverse.length < n * n) this.inverse = new Float64Array(4 * n * n);
    const x = this.inverse;
    if (this.writtenTo !== out || this.writtenAt !== at || this.writtenOf !== this.matrices)
      out.fill(0, at, at + count * count);
    else
      for (let p = 0; p < this.writtenCount; p++) {
        const to = at + count * written[p];
        for (let q = 0; q < this.writtenCount; q++) out[to + written[q]] = 0;
      }
    for (let i = 0; i < n; i++) {
      const row = n * i;
      x.fill(0, row, row + i);
      x[row + i] = 1;
      for (let k = 0; k < i; k++) {
        const f = l[room * i + k];
        for (let j = 0; j <= k; j++) x[row + j] -= f * x[n * k + j];
      }
      const d = l[room * i + i];
      for (let j = 0; j <= i; j++) x[row + j] /= d;
      for (let p = 0; p <= i; p++) {
        const f = scale * x[row + p];
        const to = at + count * active[p];
        for (let q = 0; q <= p; q++) out[to + active[q]] += f * x[row + q];
      }
    }
    for (let p = 0; p < n; p++) {
      written[p] = active[p];
      for (let q = 0; q < p; q++) out[at + count * active[q] + active[p]] = out[at + count * active[p] + active[q]];
    }
    this.writtenCount = n;
    this.writtenTo = out;
    this.writtenAt = at;
    this.writtenOf = this.matrices;
  }
}

/** Part of the way from one force to another at which it is nothing; 2: it stays above */
const wayTo = (from: number, to: number): number => (to > 0 ? 2 : from > 0 ? from / (from - to) : 0);

/** Of the depths: gaps below are rounding; and of depths and forces: far above it */
const ROUNDING = 1e-13;
const CLEAR = 1e-7;

/** Rounds in which as many or more may be on the wrong side before points are exchanged one by one */
const PATIENCE = 10;

/** Rounds of exchange from what was expected */
const EXPECTED = 10;

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
  /** Which matrix it is of */
  of: number;
}
