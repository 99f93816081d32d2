/**
 * Where soil goes that is pressed aside: put down beside what pressed it, then slopes steeper than the angle of repose slide.
 *
 * Put down, conserving volume to rounding:
 *   'ring'   on the free nodes around the contact, weights 1 + β max(0, v̂·d̂): v̂ the direction in which soil is dragged, d̂ from the middle
 *   'field'  on all free nodes near its edge, weights Σ e^(−|x − x_k − ς v̂|²/2ς²), ς = 2 δ + ½ sinkage: many small sources, carried along (FSCM as we
 *            have it; Buse et al. (2023), §4.2 names flow fields and leaves them to Buse 2018)
 * v̂ is the mean of the directions in which nodes drag what they press aside: of length 1 where they agree, 0 under what sinks straight, whose nodes drag to all sides or nowhere.
 * A node under a body rises to its underside at most; what finds no place waits. Soil put down is loose: it yields again.
 *
 * Slides: pairs of neighbours along x and y, then along both diagonals, apart by l δ: where |Δh| exceeds l δ tan φ_r, a fifth of the excess goes from the
 * higher to the lower, for all pairs at once (below a quarter, heights do not swing). So there is no order in which pairs are looked at, and ground that is alike on both sides stays so:
 * with pairs one after another the two sides of a wheel let down straight were 35 µm apart. A step lower than 4 c/(ρ g) tan(45° + φ/2) stands by cohesion, but for what lies loose on the virgin ground: that slides down to it.
 */
import { ModelError } from '../../errors.js';
import { exp } from '../../math/elementary.js';
import type { SoilLaw } from './soil-law.js';
import type { SoilObject } from './soil-object.js';
import type { SoilTiles } from './soil-tiles.js';

export interface FlowOptions {
  /** Part of the soil pressed away that is found again beside; the rest is compacted. 1 unless said */
  readonly flow?: number;
  /** 'field' unless said: heaps of a ring are as narrow as the grid is fine, and a wheel climbs them */
  readonly spread?: 'ring' | 'field';
  /** β of 'ring' */
  readonly drag?: number;
  /** Rounds of sliding each time, 3 unless said; 0 for none */
  readonly slides?: number;
  /** Nodes around a contact that may slide, 10 unless said */
  readonly reach?: number;
}

/** Something stands on it */
const isUnder = (most: Float64Array, cell: number): boolean => most[cell] === -Infinity;

/** Part of the excess that a pair moves at once; passes of a round, which then moves about as much as halving the excess pair by pair would */
const MOVED = 0.2;
const PASSES = 2;

export class SoilFlow {
  readonly flow: number;
  private readonly spread: 'ring' | 'field';
  private readonly drag: number;
  private readonly slides: number;
  private readonly reach: number;
  // the window at hand
  private i0 = 0;
  private j0 = 0;
  private columns = 0;
  private rows = 0;
  private node = new Int32Array(0);
  private level = new Float64Array(0);
  /** m: highest level a node may have; −∞ where something stands on it */
  private most = new Float64Array(0);
  private weight = new Float64Array(0);
  /** m: soil put down on the virgin ground */
  private loose = new Float64Array(0);
  /** m: what slides there */
  private comes = new Float64Array(0);
  /** Of 'field', over offsets of nodes */
  private readonly alongX: Float64Array;
  private readonly alongY: Float64Array;

  constructor(
    private readonly tiles: SoilTiles,
    private readonly law: SoilLaw,
    { flow = 1, spread = 'field', drag = 2, slides = 3, reach = 10 }: FlowOptions,
  ) {
    if (!(flow >= 0 && flow <= 1)) throw new ModelError('soil.flow', `expected a part from 0 to 1, got ${flow}`);
    this.flow = flow;
    this.spread = spread;
    this.drag = drag;
    this.slides = slides;
    this.reach = reach;
    this.alongX = new Float64Array(2 * Math.ceil(reach) + 1);
    this.alongY = new Float64Array(2 * Math.ceil(reach) + 1);
  }

  /** True if a level has changed */
  settle(object: SoilObject): boolean {
    if (!(object.pending > 0) || object.touchedCount === 0) return false;
    const { footprint, touchedI, touchedJ, touchedCount } = object;
    footprint.draw(object.mesh, object, this.tiles.spacing, Infinity);
    let [low, high, near, far] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let k = 0; k < touchedCount; k++) {
      low = Math.min(low, touchedI[k]);
      high = Math.max(high, touchedI[k]);
      near = Math.min(near, touchedJ[k]);
      far = Math.max(far, touchedJ[k]);
    }
    const { reach } = this;
    this.open(low - reach, near - reach, high - low + 2 * reach + 1, far - near + 2 * reach + 1);
    const { i0, j0, columns, rows } = footprint;
    const { under } = footprint.underside;
    for (let k = 0; k < this.columns * this.rows; k++) {
      const a = this.i0 + (k % this.columns) - i0;
      const b = this.j0 + Math.floor(k / this.columns) - j0;
      if (a >= 0 && b >= 0 && a < columns && b < rows) this.most[k] = Math.min(this.most[k], under[b * columns + a]);
    }
    this.deposit(object);
    this.slide(this.slides);
    this.close();
    return true;
  }

  /** Slides within a rectangle of nodes. For tests, and for ground that is to come to rest before a run. */
  relax(i0: number, j0: number, columns: number, rows: number, rounds: number): void {
    this.open(i0, j0, columns, rows);
    this.slide(rounds);
    this.close();
  }

  private open(i0: number, j0: number, columns: number, rows: number): void {
    const { tiles } = this;
    const count = columns * rows;
    [this.i0, this.j0, this.columns, this.rows] = [i0, j0, columns, rows];
    if (this.node.length < count) {
      this.node = new Int32Array(2 * count);
      this.level = new Float64Array(2 * count);
      this.most = new Float64Array(2 * count);
      this.weight = new Float64Array(2 * count);
      this.loose = new Float64Array(2 * count);
      this.comes = new Float64Array(2 * count);
    }
    for (let b = 0, k = 0; b < rows; b++)
      for (let a = 0; a < columns; a++, k++) this.node[k] = tiles.node(i0 + a, j0 + b);
    const { fields } = tiles;
    for (let k = 0; k < count; k++) {
      this.level[k] = fields.level[this.node[k]];
      this.most[k] = fields.owner[this.node[k]] !== 0 ? -Infinity : Infinity;
      this.loose[k] = Math.max(0, this.level[k] - fields.virgin[this.node[k]]);
    }
  }

  private close(): void {
    const { node, level, tiles } = this;
    const { fields } = tiles;
    for (let k = 0; k < this.columns * this.rows; k++) {
      const n = node[k];
      const change = level[k] - fields.level[n];
      if (change === 0) continue;
      fields.level[n] = level[k];
      fields.level0[n] += change;
      // loose soil on top forgets what was carried
      if (change > 0) {
        const kept = 1 - change / (change + tiles.spacing);
        fields.yielded[n] *= kept;
        fields.floorYielded[n] *= kept;
      }
      tiles.raise(n, level[k]);
    }
  }

  private deposit(object: SoilObject): void {
    const { weight, level, most, tiles } = this;
    const count = this.columns * this.rows;
    const area = tiles.spacing * tiles.spacing;
    weight.fill(0, 0, count);
    const { dragged } = object;
    const [vx, vy] = dragged > 0 ? [object.dragX / dragged, object.dragY / dragged] : [0, 0];
    if (this.spread === 'ring') this.weighRing(object, vx, vy);
    else this.weighField(object, vx, vy);
    let sum = 0;
    for (let k = 0; k < count; k++) {
      if (!(most[k] > level[k])) weight[k] = 0;
      sum += weight[k];
    }
    if (!(sum > 0)) return;
    const volume = this.flow * object.pending;
    let placed = 0;
    for (let k = 0; k < count; k++) {
      if (weight[k] === 0) continue;
      const rise = Math.min((volume * weight[k]) / (sum * area), most[k] - level[k]);
      const before = level[k];
      level[k] += rise;
      this.loose[k] += rise;
      placed += level[k] - before;
    }
    object.pending = this.flow > 0 ? object.pending - (placed * area) / this.flow : 0;
    object.dragX = object.dragY = object.dragged = 0;
  }

  private weighRing(object: SoilObject, vx: number, vy: number): void {
    const { weight, columns, i0, j0 } = this;
    const { touchedI, touchedJ, touchedCount } = object;
    let [mx, my] = [0, 0];
    for (let k = 0; k < touchedCount; k++) {
      mx += touchedI[k] / touchedCount;
      my += touchedJ[k] / touchedCount;
    }
    for (let k = 0; k < touchedCount; k++)
      for (let b = -1; b <= 1; b++)
        for (let a = -1; a <= 1; a++) {
          const [dx, dy] = [touchedI[k] + a - mx, touchedJ[k] + b - my];
          const length = Math.sqrt(dx * dx + dy * dy);
          const towards = length > 0 ? (vx * dx + vy * dy) / length : 0;
          weight[(touchedJ[k] + b - j0) * columns + touchedI[k] + a - i0] = 1 + this.drag * Math.max(0, towards);
        }
  }

  private weighField(object: SoilObject, vx: number, vy: number): void {
    const { weight, columns, rows, i0, j0, most, tiles } = this;
    const { touchedI, touchedJ, touched, touchedCount } = object;
    let deepest = 0;
    for (let k = 0; k < touchedCount; k++) deepest = Math.max(deepest, tiles.fields.plastic[touched[k]]);
    const width = 2 + (0.5 * deepest) / tiles.spacing; // in nodes
    const far = Math.min(this.reach, Math.ceil(3 * width));
    // Gaussians of the distance along x and along y, in nodes, alike for all sources
    const { alongX, alongY } = this;
    for (let c = -far; c <= far; c++) {
      const x = (c - width * vx) / width;
      const y = (c - width * vy) / width;
      alongX[c + far] = exp(-0.5 * x * x);
      alongY[c + far] = exp(-0.5 * y * y);
    }
    for (let k = 0; k < touchedCount; k++) {
      const a = touchedI[k] - i0;
      const b = touchedJ[k] - j0;
      const cell = b * columns + a;
      const between = isUnder(most, cell - 1) && isUnder(most, cell + 1);
      if (between && isUnder(most, cell - columns) && isUnder(most, cell + columns)) continue;
      for (let d = Math.max(0, b - far); d <= Math.min(rows - 1, b + far); d++) {
        const across = alongY[d - b + far];
        for (let c = Math.max(0, a - far); c <= Math.min(columns - 1, a + far); c++)
          weight[d * columns + c] += across * alongX[c - a + far];
      }
    }
  }

  private slide(rounds: number): void {
    const { columns, rows, law } = this;
    const step = this.tiles.spacing * law.repose;
    for (let pass = 0; pass < PASSES * rounds; pass++) {
      this.moves = false;
      this.comes.fill(0, 0, columns * rows);
      this.slideTo(1, 0, step);
      this.slideTo(0, 1, step);
      this.take();
      this.slideTo(1, 1, Math.SQRT2 * step);
      this.slideTo(1, -1, Math.SQRT2 * step);
      this.take();
      if (!this.moves) return; // nor will it
    }
  }
  private moves = false;

  /** What goes between nodes and those beside them, di and dj away, from the heights as they are */
  private slideTo(di: number, dj: number, steepest: number): void {
    const { level, most, loose, comes, columns, rows, law } = this;
    const beside = dj * columns + di;
    for (let b = dj < 0 ? 1 : 0; b < rows - (dj > 0 ? 1 : 0); b++)
      for (let k = b * columns; k < (b + 1) * columns - di; k++) {
        const l = k + beside;
        const step = level[k] - level[l];
        const size = Math.abs(step);
        if (!(size > steepest)) continue;
        if (most[k] === -Infinity || most[l] === -Infinity) continue;
        const to = step > 0 ? l : k;
        const from = step > 0 ? k : l;
        // each of four neighbours may give, and take, a quarter of what there is
        const free = size > law.standingHeight ? Infinity : 0.25 * loose[from];
        const moved = Math.min(MOVED * (size - steepest), 0.25 * (most[to] - level[to]), free);
        if (!(moved > 0)) continue;
        comes[to] += moved;
        comes[from] -= moved;
        this.moves = true;
      }
  }

  private take(): void {
    const { level, loose, comes } = this;
    for (let k = 0; k < this.columns * this.rows; k++) {
      const change = comes[k];
      if (change === 0) continue;
      level[k] += change;
      loose[k] = Math.max(0, loose[k] + change);
      comes[k] = 0;
    }
  }
}
