/**
 * How a force at a place X of a solid's surface (undeformed) is spread over pressures on the faces around nodes (solid-surface.ts), as far as the residual compliance goes:
 *
 *   w_a = φ_a/Σ φ,   φ_a = (1 − |X − X_a|²/ρ_a²)³ within ρ_a, the longest side of a triangle at node a      Shepard (1968), with weights that end
 *
 * Slopes of w are continuous wherever X goes, so that what draws a load that walks (walking-places.ts) is. Nodes beyond sharp edges and on surfaces that face the other way do not count.
 */
import type { RimOfFaces } from './rim-of-faces.js';

/** Weights of a place, their slopes by X, and what a change of X does to both */
export class SpreadPlace {
  count = 0;
  patches = new Int32Array(16);
  weights = new Float64Array(16);
  /** 3 per weight, 1/m */
  slopes = new Float64Array(48);
  dWeights = new Float64Array(16);
  dSlopes = new Float64Array(48);

  reserve(count: number): void {
    if (count <= this.patches.length) return;
    const room = 2 * count;
    this.patches = new Int32Array(room);
    this.weights = new Float64Array(room);
    this.slopes = new Float64Array(3 * room);
    this.dWeights = new Float64Array(room);
    this.dSlopes = new Float64Array(3 * room);
  }
}

export class SurfaceSpread {
  /** Per patch: X_a, ρ_a², its part of the surface */
  private readonly at: Float64Array;
  private readonly reach: Float64Array;
  private readonly part: Int32Array;
  /** Patches that reach into a triangle, once it was asked for */
  private readonly near: (Int32Array | undefined)[] = [];

  /** @param patchOf 3 per triangle @param normals 3 per patch */
  constructor(
    private readonly points: Float64Array,
    private readonly triangles: ArrayLike<number>,
    patchOf: Int32Array,
    private readonly normals: Float64Array,
    private readonly rim: RimOfFaces,
  ) {
    const patches = normals.length / 3;
    this.at = new Float64Array(3 * patches);
    this.reach = new Float64Array(patches);
    this.part = new Int32Array(patches);
    for (let i = 0; i < patchOf.length; i++) {
      const patch = patchOf[i];
      const own = 3 * triangles[i];
      this.part[patch] = rim.partOf[Math.floor(i / 3)];
      const t = i - (i % 3);
      for (let d = 0; d < 3; d++) this.at[3 * patch + d] = points[own + d];
      for (let k = 0; k < 3; k++) {
        const [a, b] = [3 * triangles[t + k], 3 * triangles[t + ((k + 1) % 3)]];
        let square = 0;
        for (let d = 0; d < 3; d++) square += (points[a + d] - points[b + d]) * (points[a + d] - points[b + d]);
        this.reach[patch] = Math.max(this.reach[patch], square);
      }
    }
  }

  /** Between two patches, m² */
  square(a: number, b: number): number {
    const { at } = this;
    let sum = 0;
    for (let d = 0; d < 3; d++) sum += (at[3 * a + d] - at[3 * b + d]) * (at[3 * a + d] - at[3 * b + d]);
    return sum;
  }

  private around(t: number): Int32Array {
    const known = this.near[t];
    if (known) return known;
    const { points, triangles, at, reach, part, normals, rim } = this;
    const found: number[] = [];
    for (let patch = 0; patch < reach.length; patch++) {
      if (part[patch] !== rim.partOf[t]) continue;
      let square = 0;
      let facing = 0;
      for (let d = 0; d < 3; d++) {
        let least = Number.POSITIVE_INFINITY;
        let most = Number.NEGATIVE_INFINITY;
        for (let k = 0; k < 3; k++) {
          const x = points[3 * triangles[3 * t + k] + d];
          least = Math.min(least, x);
          most = Math.max(most, x);
        }
        const away = Math.max(0, least - at[3 * patch + d], at[3 * patch + d] - most);
        square += away * away;
        facing += normals[3 * patch + d] * rim.normals[3 * t + d];
      }
      // places may lie a little beside their triangle
      if (square < 1.2 * reach[patch] && facing > 0) found.push(patch);
    }
    this.near[t] = Int32Array.from(found);
    return this.near[t];
  }

  /** Weights and slopes at a place of triangle t */
  find(t: number, x: Float64Array, out: SpreadPlace): void {
    const { at, reach } = this;
    const near = this.around(t);
    out.reserve(near.length);
    let sum = 0;
    let [sx, sy, sz] = [0, 0, 0];
    let n = 0;
    for (let i = 0; i < near.length; i++) {
      const patch = near[i];
      const [u, v, w] = [x[0] - at[3 * patch], x[1] - at[3 * patch + 1], x[2] - at[3 * patch + 2]];
      const left = 1 - (u * u + v * v + w * w) / reach[patch];
      if (!(left > 0)) continue;
      const slope = (-6 * left * left) / reach[patch];
      out.patches[n] = patch;
      out.weights[n] = left * left * left;
      out.slopes[3 * n] = slope * u;
      out.slopes[3 * n + 1] = slope * v;
      out.slopes[3 * n + 2] = slope * w;
      sum += out.weights[n];
      sx += out.slopes[3 * n];
      sy += out.slopes[3 * n + 1];
      sz += out.slopes[3 * n + 2];
      n++;
    }
    out.count = n;
    for (let i = 0; i < n; i++) {
      out.weights[i] /= sum;
      const w = out.weights[i];
      out.slopes[3 * i] = (out.slopes[3 * i] - w * sx) / sum;
      out.slopes[3 * i + 1] = (out.slopes[3 * i + 1] - w * sy) / sum;
      out.slopes[3 * i + 2] = (out.slopes[3 * i + 2] - w * sz) / sum;
    }
  }

  /** What dX does to both: w = φ/S, w' = (φ' − w S')/S */
  move(x: Float64Array, dx: Float64Array, out: SpreadPlace): void {
    const { at, reach } = this;
    const { count, patches, weights, slopes, dWeights, dSlopes } = out;
    let sum = 0;
    let change = 0;
    const s = SUM.fill(0);
    const ds = CHANGE.fill(0);
    for (let i = 0; i < count; i++) {
      const patch = patches[i];
      let square = 0;
      let along = 0;
      for (let d = 0; d < 3; d++) {
        const u = x[d] - at[3 * patch + d];
        square += u * u;
        along += u * dx[d];
      }
      const left = 1 - square / reach[patch];
      const slope = (-6 * left * left) / reach[patch];
      const bend = (24 * left * along) / (reach[patch] * reach[patch]);
      sum += left * left * left;
      change += slope * along;
      dWeights[i] = slope * along;
      for (let d = 0; d < 3; d++) {
        const u = x[d] - at[3 * patch + d];
        s[d] += slope * u;
        dSlopes[3 * i + d] = slope * dx[d] + bend * u;
        ds[d] += dSlopes[3 * i + d];
      }
    }
    for (let i = 0; i < count; i++) {
      dWeights[i] = (dWeights[i] - weights[i] * change) / sum;
      for (let d = 0; d < 3; d++)
        dSlopes[3 * i + d] =
          (dSlopes[3 * i + d] - dWeights[i] * s[d] - weights[i] * ds[d] - slopes[3 * i + d] * change) / sum;
    }
  }
}

const SUM = new Float64Array(3);
const CHANGE = new Float64Array(3);
