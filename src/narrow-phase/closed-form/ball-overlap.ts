/**
 * What a ball of radius r has in common with a body whose surface is a sphere of curvature κ = 1/R there (0: a plane), at depth d:
 * the lens of two balls with centres R + r − d apart, written so that κ = 0 is no special case and nothing cancels at small depths.
 *
 *   q   = 1 + κ (r − d)                          centre distance × κ
 *   V   = π d² (12 r − 4 d (1 + κ r) + κ d²)/(12 q)
 *   h   = d (2 − κ d)/(2 q)                      height of the ball's part of the lens, between its apex and the circle
 *   g   = κ η,  η = d (2 r − d)/(2 q)            height of the other part
 *   a²  = h (2 r − h)                            radius of the circle, squared
 *   V_d = π a²,  V_dd = 2 π (r − h)(1 − κ g)/q   the vector area is πa² along the axis
 *   V_κ = −π d² (2 r − d)²/(4 q²)
 *   λ   = r − h + e,  e = π (h³ (4 r − h) − κ² η³ (4 − κ g))/(12 V)      centroid on the axis, from the ball's centre
 *   λ_d = −κ λ/q − e V_d/V
 *
 * The lens: Weisstein, "Sphere–Sphere Intersection", MathWorld; the rest follows by integrating discs and spherical zones. The ball's
 * surface inside has the area 2 π r h and is spread evenly along the axis (Archimedes), so that its centroid is r − h/2 from the
 * centre, its moments about that are area · h²/12 along the axis and area · h (3 r − h)/6 across.
 *
 * From d = 2 r on, the ball is wholly inside; from d = 2 R on, it has swallowed the other: V stays, V_d = 0.
 */
export class BallOverlap {
  volume = 0;
  volumeByDepth = 0;
  volumeByCurvature = 0;
  volumeByDepths = 0;
  volumeByBoth = 0;
  volumeByCurvatures = 0;
  /** λ, m */
  centroid = 0;
  centroidByDepth = 0;
  centroidByCurvature = 0;
  /** The ball's surface inside, m², its centroid from the ball's centre, m, and moments about that along and across the axis, m⁴ */
  area = 0;
  patchCentroid = 0;
  momentAlong = 0;
  momentAcross = 0;
  contained = false;

  /** @param depth > 0 */
  evaluate(r: number, curvature: number, depth: number): void {
    const d = depth;
    const k = curvature;
    if (d >= 2 * r || k * d >= 2) {
      this.contain(r, k, d);
      return;
    }
    this.contained = false;
    const q = 1 + k * (r - d);
    const p = d * (2 * r - d);
    const eta = p / (2 * q);
    const h = (d * (2 - k * d)) / (2 * q);
    const g = k * eta;
    const volume = (Math.PI * d * d * (12 * r - 4 * d * (1 + k * r) + k * d * d)) / (12 * q);
    const slope = Math.PI * h * (2 * r - h);
    const offset = (Math.PI * (h * h * h * (4 * r - h) - k * k * eta * eta * eta * (4 - k * g))) / (12 * volume);
    const centroid = r - h + offset;
    this.volume = volume;
    this.volumeByDepth = slope;
    this.volumeByDepths = (2 * Math.PI * (r - h) * (1 - k * g)) / q;
    this.volumeByCurvature = -(Math.PI * p * p) / (4 * q * q);
    this.volumeByCurvatures = (Math.PI * p * p * (r - d)) / (2 * q * q * q);
    this.volumeByBoth = -((Math.PI * p * (r - d)) / (q * q)) - (Math.PI * k * p * p) / (2 * q * q * q);
    this.centroid = centroid;
    this.centroidByDepth = -(k * centroid) / q - (offset * slope) / volume;
    // λ V = W = π p²/(4 q) (1 − κ² p/(6 q)), the first moment about the ball's centre
    const share = 1 - (k * k * p) / (6 * q);
    const byCurvature =
      ((Math.PI * p * p) / (4 * q)) *
      (-((r - d) * share) / q - (k * p) / (3 * q) + (k * k * p * (r - d)) / (6 * q * q));
    this.centroidByCurvature = (byCurvature - centroid * this.volumeByCurvature) / volume;
    const area = 2 * Math.PI * r * h;
    this.area = area;
    this.patchCentroid = r - h / 2;
    this.momentAlong = (area * h * h) / 12;
    this.momentAcross = (area * h * (3 * r - h)) / 6;
  }

  private contain(r: number, k: number, d: number): void {
    this.contained = true;
    this.volumeByDepth = this.volumeByDepths = this.volumeByBoth = 0;
    this.volumeByCurvature = this.volumeByCurvatures = 0;
    this.centroidByDepth = this.centroidByCurvature = 0;
    if (k * r <= 1) {
      // The ball's whole surface is inside, its centroid is its centre
      this.volume = (4 / 3) * Math.PI * r * r * r;
      this.area = 4 * Math.PI * r * r;
      this.centroid = this.patchCentroid = 0;
      this.momentAlong = this.momentAcross = (this.area * r * r) / 3;
    } else {
      // The other's centre is R + r − d away
      const other = 1 / k;
      this.volume = (4 / 3) * Math.PI * other * other * other;
      this.centroid = this.patchCentroid = other + r - d;
      this.centroidByDepth = -1;
      // dλ/dκ at a fixed depth, λ = 1/κ + r − d; V changes with κ as well
      this.centroidByCurvature = -other * other;
      this.volumeByCurvature = -4 * Math.PI * other * other * other * other;
      this.volumeByCurvatures = 16 * Math.PI * other * other * other * other * other;
      this.area = this.momentAlong = this.momentAcross = 0;
    }
  }
}
