/**
 * What the narrow phase hands on: one row for every region in which two solids overlap, whichever route found it.
 *
 * A and B are the first and the second body of the candidate pair. Directions run **from A to B**: a normal force F > 0
 * acts on B along +normal and on A along −normal. All vectors are in world axes, all points in the world, SI units.
 *
 * The vector area S and the moment Q are the exact derivative of the overlap volume V with respect to the pose: if B is
 * displaced by dx and turned by dφ about `centroid` while A stays,
 *
 *   dV = −S · dx − Q · dφ,     so     dV/dt = −S · v − Q · ω
 *
 * with v the velocity of B's material against A's at the centroid and ω the angular velocity of B against A's.
 *
 * `gradient`, where the route was asked for it, has the same for all that a law looks at: how volume, depth, |S|, normal and centroid
 * change if B is displaced by dx and turned by dφ about `centroid` while A stays; 9 rows (`GRADIENT`) of 6 columns (dx, dφ).
 */
export class ContactPatches {
  /** rows in use; a route appends with `add` and fills the row it got */
  count = 0;
  /** number of the candidate pair */
  pair: Int32Array;
  /** number of the region within its pair and this evaluation; what it was called a step ago is the matching's affair */
  region: Int32Array;
  /** 2 per patch: a feature of A and one of B in the patch (triangle, face or vertex number; −1 where none is known) */
  feature: Int32Array;
  /** sum of `PATCH` flags */
  flags: Uint8Array;
  /** of the overlap, m³ */
  volume: Float64Array;
  /** penetration depth for the force law, m */
  depth: Float64Array;
  /** of the overlap along the normal, m: the depth of Nassauer & Kuna (2013) and Elmqvist et al. (2015) */
  extent: Float64Array;
  /** of A's surface inside B, m² */
  area: Float64Array;
  /** 3 per patch: of the overlap, m */
  centroid: Float64Array;
  /** 3 per patch: unit vector from A to B */
  normal: Float64Array;
  /** 3 per patch: S = ∫ n dA over A's surface inside B, n out of A, m² */
  vectorArea: Float64Array;
  /** 3 per patch: Q = ∫ (r − centroid) × n dA over the same surface, m³ */
  moment: Float64Array;
  /** 3 per patch: of A's surface inside B, m */
  patchCentroid: Float64Array;
  /** 6 per patch: ∫ r rᵀ dA about the patch centroid, xx yy zz xy xz yz, m⁴ */
  secondMoments: Float64Array;
  /** 54 per patch, rows as in `GRADIENT`, columns dx (1/m) and dφ (1/rad), world axes; zero unless asked for */
  gradient: Float64Array;

  constructor(public capacity = 16) {
    const n = capacity;
    this.pair = new Int32Array(n);
    this.region = new Int32Array(n);
    this.feature = new Int32Array(2 * n);
    this.flags = new Uint8Array(n);
    this.volume = new Float64Array(n);
    this.depth = new Float64Array(n);
    this.extent = new Float64Array(n);
    this.area = new Float64Array(n);
    this.centroid = new Float64Array(3 * n);
    this.normal = new Float64Array(3 * n);
    this.vectorArea = new Float64Array(3 * n);
    this.moment = new Float64Array(3 * n);
    this.patchCentroid = new Float64Array(3 * n);
    this.secondMoments = new Float64Array(6 * n);
    this.gradient = new Float64Array(54 * n);
  }

  clear(): void {
    this.count = 0;
  }

  /** The next row, all zero but for pair and region. Arrays are replaced when they grow: read them after the last `add`. */
  add(pair: number, region: number): number {
    if (this.count === this.capacity) this.grow();
    const i = this.count++;
    this.pair[i] = pair;
    this.region[i] = region;
    this.feature[2 * i] = this.feature[2 * i + 1] = -1;
    this.flags[i] = 0;
    this.volume[i] = this.depth[i] = this.extent[i] = this.area[i] = 0;
    for (let k = 3 * i; k < 3 * i + 3; k++) {
      this.centroid[k] = this.normal[k] = this.vectorArea[k] = this.moment[k] = this.patchCentroid[k] = 0;
    }
    this.secondMoments.fill(0, 6 * i, 6 * i + 6);
    this.gradient.fill(0, 54 * i, 54 * i + 54);
    return i;
  }

  private grow(): void {
    const larger = new ContactPatches(2 * Math.max(1, this.capacity));
    for (const name of ARRAYS) (larger[name] as Float64Array).set(this[name]);
    for (const name of ARRAYS) (this[name] as unknown) = larger[name];
    this.capacity = larger.capacity;
  }
}

/** First entries of the rows of a gradient: V, depth, |S|, then three each for the normal and the centroid. */
export const GRADIENT = { volume: 0, depth: 6, vectorArea: 12, normal: 18, centroid: 36 } as const;

/** Which length serves as penetration depth: `volume` is 2V/|S|, `extent` that of the overlap along the normal. */
export type DepthMeasure = 'volume' | 'extent';

export const PATCH = {
  /**
   * One body lies wholly in the other there, or runs right through it: the vector area is zero and says no direction.
   * The normal is then that between the bodies' centroids, and the run should warn.
   */
  contained: 1,
} as const;

const ARRAYS = [
  'pair',
  'region',
  'feature',
  'flags',
  'volume',
  'depth',
  'extent',
  'area',
  'centroid',
  'normal',
  'vectorArea',
  'moment',
  'patchCentroid',
  'secondMoments',
  'gradient',
] as const satisfies readonly (keyof ContactPatches)[];
