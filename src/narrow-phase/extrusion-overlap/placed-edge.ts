/**
 * Nearest points of a line or an arc. That of an arc to a point x lies on the radius through x; its distance from the circle, without the
 * centre, which may be far away, is
 *
 *   | |x − c| − R | = 2 |F| / (|∇F| + |D|),     F and D of arc-side.ts;     for a line |F|/|D|
 */

/** 2: see `PlacedEdge.project` */
export const foot = new Float64Array(2);

/** A line or an arc where it is */
export class PlacedEdge {
  px = 0;
  py = 0;
  qx = 0;
  qy = 0;
  cosine = 1;
  sine = 0;

  set(px: number, py: number, qx: number, qy: number, cosine: number, sine: number): void {
    this.px = px;
    this.py = py;
    this.qx = qx;
    this.qy = qy;
    this.cosine = cosine;
    this.sine = sine;
  }

  chord(): number {
    return Math.sqrt((this.qx - this.px) * (this.qx - this.px) + (this.qy - this.py) * (this.qy - this.py));
  }

  centreX(): number {
    return 0.5 * (this.px + this.qx) - ((0.5 * this.cosine) / this.sine) * (this.qy - this.py);
  }

  centreY(): number {
    return 0.5 * (this.py + this.qy) + ((0.5 * this.cosine) / this.sine) * (this.qx - this.px);
  }

  /** The nearest point of the whole circle or line into `foot`; false if it is not between the ends. */
  project(x: number, y: number): boolean {
    const { px, py, qx, qy, cosine: c, sine: s } = this;
    const dx = qx - px;
    const dy = qy - py;
    const side = c * (dx * (y - py) - dy * (x - px)) - s * ((x - px) * (x - qx) + (y - py) * (y - qy));
    const gx = 0 - c * dy - s * (2 * x - px - qx);
    const gy = c * dx - s * (2 * y - py - qy);
    const slope = Math.sqrt(gx * gx + gy * gy);
    if (!(slope > 0)) return false; // the centre: no end is farther away
    const scale = (2 * side) / ((slope + this.chord()) * slope);
    const fx = x - scale * gx;
    const fy = y - scale * gy;
    foot[0] = fx;
    foot[1] = fy;
    // on the half circle that begins at p and on that which ends at q
    return (
      (fx - px) * (c * dx + s * dy) + (fy - py) * (c * dy - s * dx) >= 0 &&
      (fx - qx) * (c * dx - s * dy) + (fy - qy) * (c * dy + s * dx) <= 0
    );
  }
}
