/**
 * The point of a deformed side nearest to a point; sides are parabolas through their two ends and middle:
 *
 *   E(ξ) = Σ N_j(ξ) x_j,    (P − E) · E' = 0,    g = (P − E) · n,   n = (E'_y, −E'_x)/|E'|   (the inside is on the left)
 *
 * If P and the nodes move:  dξ = [(dP − Σ N_j dx_j) · E' + (P − E) · Σ N'_j dx_j] / (E'² − (P − E) · E''),   dE' = Σ N'_j dx_j + E'' dξ,
 * dg = n · (dP − Σ N_j dx_j),   dn = −n⊥ (n · dE')/|E'| with n⊥ = E'/|E'|.
 * At an end ξ stands still and the direction is that of P from it.
 */
import { sideShape } from './contact-surface.js';

export class SideFoot {
  side = -1;
  xi = 0;
  /** ξ stands at an end of the side */
  atEnd = false;
  gap = 0;
  nx = 0;
  ny = 0;
  /** 9: N, N', N'' at ξ */
  readonly shape = new Float64Array(9);
  /** E', E'', P − E */
  tx = 0;
  ty = 0;
  bx = 0;
  by = 0;
  ox = 0;
  oy = 0;
  // results of `move`
  dGap = 0;
  dnx = 0;
  dny = 0;
  dXi = 0;
  /** Of E', E'' and P − E */
  dtx = 0;
  dty = 0;
  dbx = 0;
  dby = 0;
  dox = 0;
  doy = 0;

  copy(from: SideFoot): void {
    this.side = from.side;
    this.xi = from.xi;
    this.atEnd = from.atEnd;
    this.gap = from.gap;
    this.nx = from.nx;
    this.ny = from.ny;
    this.shape.set(from.shape);
    this.tx = from.tx;
    this.ty = from.ty;
    this.bx = from.bx;
    this.by = from.by;
    this.ox = from.ox;
    this.oy = from.oy;
  }

  /** Nothing of it moves. */
  still(): void {
    this.dGap = this.dnx = this.dny = this.dXi = 0;
    this.dtx = this.dty = this.dbx = this.dby = this.dox = this.doy = 0;
  }

  /** dP and, 6 numbers, the motion of the side's nodes → dGap, dn, dXi */
  move(px: number, py: number, nodes: Float64Array): void {
    const { shape: n, tx, ty, bx, by, ox, oy } = this;
    let [ex, ey, sx, sy] = [px, py, 0, 0];
    this.dbx = this.dby = 0;
    for (let j = 0; j < 3; j++) {
      ex -= n[j] * nodes[2 * j];
      ey -= n[j] * nodes[2 * j + 1];
      sx += n[3 + j] * nodes[2 * j];
      sy += n[3 + j] * nodes[2 * j + 1];
      this.dbx += n[6 + j] * nodes[2 * j];
      this.dby += n[6 + j] * nodes[2 * j + 1];
    }
    this.dGap = this.nx * ex + this.ny * ey;
    if (this.atEnd) {
      this.dXi = 0;
      this.dtx = sx;
      this.dty = sy;
      this.dox = ex;
      this.doy = ey;
      // n = ± (P − E)/|P − E|
      const along = -this.ny * ex + this.nx * ey;
      const turn = this.gap === 0 ? 0 : along / this.gap;
      this.dnx = -this.ny * turn;
      this.dny = this.nx * turn;
      return;
    }
    const square = tx * tx + ty * ty;
    this.dXi = (ex * tx + ey * ty + ox * sx + oy * sy) / (square - ox * bx - oy * by);
    const ax = sx + bx * this.dXi;
    const ay = sy + by * this.dXi;
    // n turns with E'
    const turn = (tx * ay - ty * ax) / square;
    this.dnx = -this.ny * turn;
    this.dny = this.nx * turn;
    this.dtx = ax;
    this.dty = ay;
    this.dox = ex - tx * this.dXi;
    this.doy = ey - ty * this.dXi;
  }
}

/** 1 − κ times the distance from which on steps are Newton's */
const HOLLOW = 0.01;
/** Corners that turn by less tell nothing of inside and outside. */
const STRAIGHT = 0.05;

/**
 * Foot on one side, and how far it is, m.
 *
 * @param sides   3 nodes per side; the middle is the end again where sides are straight
 * @param curved  sides have middles
 * @param x       2 per node: where nodes are
 * @param turns   per node: how the outline turns there; from convex corners a point that is nearest to them is outside
 */
export function footOnSide(
  px: number,
  py: number,
  sides: Int32Array,
  s: number,
  curved: boolean,
  x: Float64Array,
  turns: Float64Array,
  out: SideFoot,
): number {
  const a = 2 * sides[3 * s];
  const b = 2 * sides[3 * s + 1];
  const m = 2 * sides[3 * s + 2];
  const chordX = x[b] - x[a];
  const chordY = x[b + 1] - x[a + 1];
  const { shape: n } = out;
  out.side = s;
  let xi = (2 * ((px - x[a]) * chordX + (py - x[a + 1]) * chordY)) / (chordX * chordX + chordY * chordY) - 1;
  for (let k = 0, near = false; ; k++) {
    xi = Math.max(-1, Math.min(1, xi));
    sideShape(xi, curved, n);
    out.ox = px - (n[0] * x[a] + n[1] * x[b] + n[2] * x[m]);
    out.oy = py - (n[0] * x[a + 1] + n[1] * x[b + 1] + n[2] * x[m + 1]);
    out.tx = n[3] * x[a] + n[4] * x[b] + n[5] * x[m];
    out.ty = n[3] * x[a + 1] + n[4] * x[b + 1] + n[5] * x[m + 1];
    out.bx = n[6] * x[a] + n[7] * x[b] + n[8] * x[m];
    out.by = n[6] * x[a + 1] + n[7] * x[b + 1] + n[8] * x[m + 1];
    const slope = out.ox * out.tx + out.oy * out.ty;
    const square = out.tx * out.tx + out.ty * out.ty;
    if (k === 8 || near) break;
    // in a hollow of almost the distance, where a pin with little room has its foot, Newton's step is long; beyond it there is no nearest place, and a descent
    const step = slope / Math.max(square - out.ox * out.bx - out.oy * out.by, HOLLOW * square);
    const next = Math.max(-1, Math.min(1, xi + step));
    // steps square their error: what is left after this one is rounding
    near = Math.abs(next - xi) < 1e-8;
    if (next === xi) break;
    xi = next;
  }
  out.xi = xi;
  const speed = Math.sqrt(out.tx * out.tx + out.ty * out.ty);
  const nx = out.ty / speed;
  const ny = -out.tx / speed;
  const along = (out.ox * out.tx + out.oy * out.ty) / speed;
  const across = out.ox * nx + out.oy * ny;
  const size = Math.sqrt(out.ox * out.ox + out.oy * out.oy);
  out.atEnd = (xi === -1 || xi === 1) && Math.abs(along) > 1e-9 * speed;
  if (!out.atEnd) {
    out.gap = across;
    out.nx = nx;
    out.ny = ny;
    return Math.abs(across);
  }
  const turn = turns[sides[3 * s + (xi < 0 ? 0 : 1)]];
  const sign = (Math.abs(turn) < STRAIGHT ? across < 0 : turn < 0) ? -1 : 1;
  out.gap = sign * size;
  out.nx = (sign * out.ox) / size;
  out.ny = (sign * out.oy) / size;
  return size;
}
