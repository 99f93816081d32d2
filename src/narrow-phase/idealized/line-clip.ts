/**
 * The part of a straight line p + s d in a region of the xy plane, a rectangle or a disc, and how its ends move.
 *
 * An end lies either at the line's own end, s fixed, or where the line crosses the border f = 0 of the region; there, if the line moves,
 *
 *   ds = −∇f · (dp + s dd) / (∇f · d)
 *
 * This is the movement of contact points of Oestersötebier et al. (2014) §3.2: their law of cosines (eq. 3) is the root of the
 * circle, their eqs 6–7 are the crossing with the edge of a rectangle.
 */
import { type Circle, type Rectangle, sides } from './surface.js';

/** Regions are larger by this part, so that flush edges of equal bodies count as inside whichever way they round. */
export const FLUSH = 1e-9;

const OWN_END = -1;
const CIRCLE = 4;

export class LineClip {
  /** from s to s, and the border at either end: −1 own end, 0 … 3 sides −x, +x, −y, +y, 4 circle */
  from = 0;
  to = 0;
  fromBorder = OWN_END;
  toBorder = OWN_END;
  private readonly halfX: number;
  private readonly halfY: number;
  private readonly radius: number;

  constructor(region: Rectangle | Circle) {
    const [width, length] = region.kind === 'rectangle' ? sides(region) : [0, 0];
    this.halfX = (width / 2) * (1 + FLUSH);
    this.halfY = (length / 2) * (1 + FLUSH);
    this.radius = region.kind === 'circle' ? region.radius * (1 + FLUSH) : 0;
  }

  /** Clips p + s d, from ≤ s ≤ to; false if nothing is left. */
  clip(px: number, py: number, dx: number, dy: number, from: number, to: number): boolean {
    this.from = from;
    this.to = to;
    this.fromBorder = this.toBorder = OWN_END;
    if (this.radius > 0) return this.clipCircle(px, py, dx, dy);
    return this.clipStrip(px, dx, this.halfX, 0) && this.clipStrip(py, dy, this.halfY, 2);
  }

  /** ds of an end on a border, by the shift (ux, uy) of the line's point there. */
  slide(border: number, x: number, y: number, dx: number, dy: number, ux: number, uy: number): number {
    if (border === OWN_END) return 0;
    if (border === CIRCLE) return -(x * ux + y * uy) / (x * dx + y * dy);
    return border < 2 ? -ux / dx : -uy / dy;
  }

  private clipStrip(p: number, d: number, half: number, border: number): boolean {
    if (d === 0) return Math.abs(p) <= half;
    const low = (-half - p) / d;
    const high = (half - p) / d;
    const rising = d > 0;
    this.limit(rising ? low : high, rising ? border : border + 1, rising ? high : low, rising ? border + 1 : border);
    return this.from <= this.to;
  }

  private clipCircle(px: number, py: number, dx: number, dy: number): boolean {
    const a = dx * dx + dy * dy;
    const b = px * dx + py * dy;
    const c = px * px + py * py - this.radius * this.radius;
    if (a === 0) return c <= 0;
    const square = b * b - a * c;
    if (!(square >= 0)) return false;
    const root = Math.sqrt(square);
    this.limit((-b - root) / a, CIRCLE, (-b + root) / a, CIRCLE);
    return this.from <= this.to;
  }

  private limit(from: number, fromBorder: number, to: number, toBorder: number): void {
    if (from > this.from) {
      this.from = from;
      this.fromBorder = fromBorder;
    }
    if (to < this.to) {
      this.to = to;
      this.toBorder = toBorder;
    }
  }
}
