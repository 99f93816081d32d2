/** How near two solids are between steps, and how fast they close in. */
import { SolidSearch } from './solid-search.js';
import { dot } from './solid-touch.js';
import { normalOf, type TriangleSurface } from './triangle-surface.js';

export class SolidApproach extends SolidSearch {
  private readonly speed = new Float64Array(3);
  private readonly away = new Float64Array(3);

  /**
   * How near the bodies are: `visit` gets gap and closing speed of each point that does not touch, m and m/s; of points that are far away a
   * distance that is not too large and a speed that is not too small.
   */
  approach(visit: (gap: number, closing: number) => number): void {
    const { a, at, own, velocity: v, place, etaA, etaB, nA, nB, shapesA, surfaceB, rigid, wallFoot, normal } = this;
    const { surface } = a;
    this.placeSurfaces();
    const w = this.speed;
    /** Of A's frame at `at` seen from B's */
    const relative = (): void => {
      for (let d = 0; d < 3; d++) {
        const [e, g] = [(d + 1) % 3, (d + 2) % 3];
        w[d] = v[d] + v[3 + e] * at[g] - v[3 + g] * at[e];
        w[d] -= v[6 + d] + v[9 + e] * (at[g] - place[g]) - v[9 + g] * (at[e] - place[e]);
      }
    };
    if (rigid?.wall || surfaceB)
      for (let i = 0; i < surface.pointCount; i++) {
        this.pointAt(i, Number.POSITIVE_INFINITY);
        relative();
        for (let k = 0; k < nA; k++) for (let d = 0; d < 3; d++) w[d] += shapesA[3 * (nA * i + k) + d] * etaA[k];
        if (rigid?.wall) {
          rigid.wall(own[0], own[1], own[2], wallFoot);
          normal.set(wallFoot.n);
          this.outward(normal, normal);
          if (wallFoot.gap >= 0) visit(wallFoot.gap, -dot(normal, w));
          continue;
        }
        this.turnIn(w);
        this.approachSurface(surfaceB!, etaB, own, w, 0, 0, visit);
      }
    for (let k = 0; k < this.pointsB.length / 3; k++) {
      this.pointOfB(k);
      relative();
      for (let d = 0; d < 3; d++) w[d] = -w[d];
      for (let m = 0; m < nB; m++) {
        const shape = this.soft!.shapes[m];
        for (let d = 0; d < 3; d++) normal[d] = shape[3 * this.nodesB[k] + d];
        this.outward(normal, normal);
        for (let d = 0; d < 3; d++) w[d] += normal[d] * etaB[m];
      }
      const radius = rigid?.radii[k] ?? 0;
      let more = 0;
      // the point of a circle may turn about its middle
      if (rigid?.circles && radius > 0)
        for (let d = 0; d < 3; d++) more += radius * (Math.abs(v[3 + d]) + Math.abs(v[9 + d]));
      this.approachSurface(surface.triangles, etaA, at, w, radius, more, visit);
    }
  }

  /** Of a point with velocity w, both in the axes of the surface; far away its speed is that of the fastest point */
  private approachSurface(
    surface: TriangleSurface,
    eta: Float64Array,
    x: Float64Array,
    w: Float64Array,
    radius: number,
    more: number,
    visit: (gap: number, closing: number) => number,
  ): void {
    const near = this.longestSide;
    const outside = surface.outside(x[0], x[1], x[2]) - radius;
    const t = outside > near ? -1 : surface.nearest(x[0], x[1], x[2], near + radius);
    if (t < 0) {
      let speed = Math.sqrt(dot(w, w)) + more;
      for (let k = 0; k < eta.length; k++) speed += surface.most[k] * Math.abs(eta[k]);
      visit(Math.max(outside, near), speed);
      return;
    }
    const { distance, offset, weights } = surface.foot;
    const gap = distance - radius;
    if (surface.height < 0 || !(gap >= 0)) return;
    // a point that lies on the surface has no direction from it but that of the triangle
    const { away: n } = this;
    if (distance > 0) for (let d = 0; d < 3; d++) n[d] = offset[d] / distance;
    else normalOf(surface.corners, n);
    let closing = -dot(n, w);
    for (let k = 0; k < eta.length; k++)
      for (let j = 0; j < 3; j++) {
        const node = 3 * surface.triangles[3 * t + j];
        for (let d = 0; d < 3; d++) closing += n[d] * weights[j] * surface.shapes[k][node + d] * eta[k];
      }
    visit(gap, closing + more);
  }
}
