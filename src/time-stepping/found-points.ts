/**
 * Where two shapes touch or are about to: regions with a normal, each with points and their gaps. Filled by the finders of this stage, used again
 * by every pair.
 *
 *   n    unit vector from A to B, one per region, world
 *   p    point halfway between the two surfaces, world, m
 *   φ    gap along n, negative: overlap, m
 *
 * A region has up to four points: of more, the deepest, then each time the one farthest across the normal from those chosen. The face that they are corners of tells
 * area and second moments.
 */

/** Points of a region that are handed on */
export const MOST_POINTS = 4;

/** How much farther a corner must be for each length that it is higher */
const HIGH = 2;

/** Route of a finder; `find` fills `out` with regions whose points have gaps below `margin`. */
export interface PointFinder {
  find(poses: Poses, margin: number, out: FoundPoints): void;
}

/** 3 and 9 per shape, world */
export interface Poses {
  readonly position: Float64Array;
  readonly rotation: Float64Array;
}

export class FoundPoints {
  regions = 0;
  /** s from the start of the step to the poses that they were found at; 0: those of the start (meeting.ts) */
  ahead = 0;
  /** m: half of what B went aside against A until then, the other way round; points are where they were at the start, in the mean of both */
  readonly aside = new Float64Array(3);
  /** Per region: 3 normal; m² area; 6: (1/A) ∫ r rᵀ dA about the centroid, xx yy zz xy xz yz, m² */
  normal = new Float64Array(3 * 4);
  area = new Float64Array(4);
  moments = new Float64Array(6 * 4);
  /** Per region: first of its points, and how many */
  count = new Int32Array(4);
  /** `MOST_POINTS` per region: 3 place, m, and gap, m */
  place = new Float64Array(3 * 4 * MOST_POINTS);
  gap = new Float64Array(4 * MOST_POINTS);
  /** Corners that `close` chooses from, in the order of the polygon: 3 place, m, and gap */
  private corners = new Float64Array(3 * 64);
  private gaps = new Float64Array(64);
  private nearest = new Float64Array(64);
  private corner = 0;

  clear(): void {
    this.regions = 0;
    this.ahead = 0;
    this.aside.fill(0);
  }

  /** Of the points of region r the one with the least gap */
  nearestOf(r: number): number {
    let best = MOST_POINTS * r;
    for (let p = best + 1; p < MOST_POINTS * r + this.count[r]; p++) if (this.gap[p] < this.gap[best]) best = p;
    return best;
  }

  /** A new region with the normal n, without points yet. */
  open(nx: number, ny: number, nz: number): void {
    const r = this.regions++;
    if (r === this.count.length) this.grow();
    this.normal[3 * r] = nx;
    this.normal[3 * r + 1] = ny;
    this.normal[3 * r + 2] = nz;
    this.area[r] = 0;
    this.moments.fill(0, 6 * r, 6 * r + 6);
    this.count[r] = 0;
    this.corner = 0;
  }

  /** A corner of the region that is open, at the place between the surfaces. */
  add(x: number, y: number, z: number, gap: number): void {
    const k = this.corner++;
    if (k === this.gaps.length) {
      this.corners = longer(this.corners);
      this.gaps = longer(this.gaps);
      this.nearest = longer(this.nearest);
    }
    this.corners[3 * k] = x;
    this.corners[3 * k + 1] = y;
    this.corners[3 * k + 2] = z;
    this.gaps[k] = gap;
  }

  /** Number of corners of the region that is open */
  get cornerCount(): number {
    return this.corner;
  }

  /** Chooses the points. A region without any is no region. */
  close(): void {
    if (this.corner === 0) this.regions--;
    else this.choose();
  }

  /** Area and moments of the region that is open, from its corners so far as a polygon; of two: as a line */
  measure(): void {
    const r = this.regions - 1;
    const { corners, moments, normal } = this;
    const n = this.corner;
    if (n < 2) return;
    const m = 6 * r;
    if (n === 2) {
      const x = corners[3] - corners[0];
      const y = corners[4] - corners[1];
      const z = corners[5] - corners[2];
      moments[m] = (x * x) / 12;
      moments[m + 1] = (y * y) / 12;
      moments[m + 2] = (z * z) / 12;
      moments[m + 3] = (x * y) / 12;
      moments[m + 4] = (x * z) / 12;
      moments[m + 5] = (y * z) / 12;
      return;
    }
    // fan of triangles about the first corner: areas along n, ∫ r and ∫ r rᵀ
    let area = 0;
    let sx = 0;
    let sy = 0;
    let sz = 0;
    let xx = 0;
    let yy = 0;
    let zz = 0;
    let xy = 0;
    let xz = 0;
    let yz = 0;
    const nx = normal[3 * r];
    const ny = normal[3 * r + 1];
    const nz = normal[3 * r + 2];
    for (let k = 1; k + 1 < n; k++) {
      const ax = corners[3 * k] - corners[0];
      const ay = corners[3 * k + 1] - corners[1];
      const az = corners[3 * k + 2] - corners[2];
      const bx = corners[3 * k + 3] - corners[0];
      const by = corners[3 * k + 4] - corners[1];
      const bz = corners[3 * k + 5] - corners[2];
      const a = 0.5 * Math.abs(nx * (ay * bz - az * by) + ny * (az * bx - ax * bz) + nz * (ax * by - ay * bx));
      const cx = ax + bx;
      const cy = ay + by;
      const cz = az + bz;
      area += a;
      sx += (a * cx) / 3;
      sy += (a * cy) / 3;
      sz += (a * cz) / 3;
      // ∫ r rᵀ over a triangle (0, a, b) = A/12 (a aᵀ + b bᵀ + c cᵀ)
      xx += (a / 12) * (ax * ax + bx * bx + cx * cx);
      yy += (a / 12) * (ay * ay + by * by + cy * cy);
      zz += (a / 12) * (az * az + bz * bz + cz * cz);
      xy += (a / 12) * (ax * ay + bx * by + cx * cy);
      xz += (a / 12) * (ax * az + bx * bz + cx * cz);
      yz += (a / 12) * (ay * az + by * bz + cy * cz);
    }
    if (!(area > 0)) return;
    sx /= area;
    sy /= area;
    sz /= area;
    this.area[r] = area;
    moments[m] = Math.max(0, xx / area - sx * sx);
    moments[m + 1] = Math.max(0, yy / area - sy * sy);
    moments[m + 2] = Math.max(0, zz / area - sz * sz);
    moments[m + 3] = xy / area - sx * sy;
    moments[m + 4] = xz / area - sx * sz;
    moments[m + 5] = yz / area - sy * sz;
  }

  private choose(): void {
    const r = this.regions - 1;
    const { corners, gaps, nearest } = this;
    const n = this.corner;
    if (n <= MOST_POINTS) {
      for (let k = 0; k < n; k++) this.take(r, k);
      return;
    }
    // corners of one face differ in rounding: of nearly equals the first is the deepest
    let lowest = gaps[0];
    let highest = gaps[0];
    for (let k = 1; k < n; k++) {
      lowest = Math.min(lowest, gaps[k]);
      highest = Math.max(highest, gaps[k]);
    }
    const same = lowest + 1e-6 * (highest - lowest) + 1e-14;
    let next = 0;
    while (!(gaps[next] <= same)) next++;
    nearest.fill(Number.POSITIVE_INFINITY, 0, n);
    const nx = this.normal[3 * r];
    const ny = this.normal[3 * r + 1];
    const nz = this.normal[3 * r + 2];
    for (let chosen = 0; chosen < MOST_POINTS; chosen++) {
      this.take(r, next);
      let far = -1;
      let most = 0;
      const at = 3 * next;
      for (let k = 0; k < n; k++) {
        const x = corners[3 * k] - corners[at];
        const y = corners[3 * k + 1] - corners[at + 1];
        const z = corners[3 * k + 2] - corners[at + 2];
        const along = nx * x + ny * y + nz * z;
        const across = Math.sqrt(Math.max(0, x * x + y * y + z * z - along * along));
        if (across < nearest[k]) nearest[k] = across;
        // far corners of the other side of the body are high up
        const worth = nearest[k] - HIGH * (gaps[k] - lowest);
        if (worth > most * (1 + 1e-9) + 1e-14) {
          most = worth;
          far = k;
        }
      }
      if (far < 0) return;
      next = far;
    }
  }

  private take(r: number, k: number): void {
    const at = r * MOST_POINTS + this.count[r]++;
    this.place[3 * at] = this.corners[3 * k];
    this.place[3 * at + 1] = this.corners[3 * k + 1];
    this.place[3 * at + 2] = this.corners[3 * k + 2];
    this.gap[at] = this.gaps[k];
  }

  private grow(): void {
    this.normal = longer(this.normal);
    this.area = longer(this.area);
    this.moments = longer(this.moments);
    this.place = longer(this.place);
    this.gap = longer(this.gap);
    const count = new Int32Array(2 * this.count.length);
    count.set(this.count);
    this.count = count;
  }
}

function longer(array: Float64Array): Float64Array<ArrayBuffer> {
  const more = new Float64Array(2 * array.length);
  more.set(array);
  return more;
}
