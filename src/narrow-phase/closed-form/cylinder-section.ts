/**
 * What a plane cuts off a cylinder: volume, first moments, and the section in the plane with its moments.
 *
 * Seen along the level line of its ends, a cylinder is a rectangle 0 ≤ t ≤ 2R, 0 ≤ z ≤ H with its lowest corner in the origin: t runs
 * across the axis and z along it, both rising, y is level. At t the cylinder is w = 2√(t (2R − t)) wide, whatever z. The plane is a line,
 *
 *   s t + c z = d,     s, c ≥ 0,  s² + c² = 1,     d the depth of the lowest point below the plane
 *
 * that goes down from P = (t_P, z_P), on the upper end (z = H) or the lower side (t = 0), to Q, on the lower end (z = 0) or the upper
 * side (t = 2R). Below it the columns along z have the height ℓ = H for t < t_P and ℓ = z on the line from P to Q:
 *
 *   V = ∫ w ℓ dt     ∫ t dV = ∫ w ℓ t dt     ∫ z dV = ∫ ½ w ℓ² dt     A = ∫ w dσ     ∫ σᵏ dA = ∫ w σᵏ dσ     ∫ y² dA = ∫ w³/12 dσ
 *
 * with σ the length along the line, from its middle. So nothing but √(t (2R − t)) times polynomials is ever integrated. The closed
 * antiderivatives cancel to nothing in shallow contacts and divide by s or c; Gauss–Legendre does neither. Every interval is split at
 * t = R, and v = √t (above it √(2R − t)) takes away the root at the end: what is left is √(2R − v²), v² ≤ R, whose branch point is so far
 * that 14 nodes leave about 3.36^−28 ≈ 2e-15 at worst. dt and dσ are shares of the interval's own length, so a line that stands
 * (c = 0, the cylinder lies) or lies (s = 0, it stands) is no special case, and all sums have terms of one sign: a contact 1e-12 R deep
 * has all digits that its depth has.
 *
 * How A changes if the cylinder moves by u in its own axes (t, z), the plane staying: the plane's points move by −u in it, thus
 *
 *   dA = −∫ (dw/dt) u_t dσ − [w u_z/s]_Q on the lower end + [w u_z/s]_P on the upper end,     dw/dt = 2 (R − t)/√(t (2R − t))
 *
 * Motions along y, and turns about axes in the plane of t and z, change A by nothing in first order: both sides are mirror images.
 */
import { GAUSS_14 } from '../../math/gauss-legendre.js';

const { nodes: NODE, weights: WEIGHT } = GAUSS_14;

export class CylinderSection {
  /** m³, and its first moments ∫ t dV and ∫ z dV, m⁴ */
  volume = 0;
  volumeT = 0;
  volumeZ = 0;
  /** Of the section, m²; ∫ σ dA, ∫ σ² dA, ∫ y² dA with σ from the middle of the line */
  area = 0;
  areaS = 0;
  areaSS = 0;
  areaYY = 0;
  /** Ends of the line, m */
  startT = 0;
  startZ = 0;
  endT = 0;
  endZ = 0;
  /** Whether P is on the upper end, Q on the lower one */
  onUpperEnd = false;
  onLowerEnd = false;
  /** ∂A/∂u_t and ∂A/∂u_z, m; ∂A by a turn about y through the lowest point, u = (z, −t), m² */
  areaByT = 0;
  areaByZ = 0;
  areaByTurn = 0;
  private slopeZ = 0;

  constructor(
    readonly radius: number,
    readonly height: number,
  ) {}

  /** @param d of the lowest point below the plane, m, 0 < d < 2R s + H c */
  cut(d: number, s: number, c: number): void {
    const { radius, height } = this;
    const width = 2 * radius;
    this.onUpperEnd = d > height * c;
    this.onLowerEnd = d < width * s;
    this.startT = this.onUpperEnd ? Math.min(width, (d - height * c) / s) : 0;
    this.startZ = this.onUpperEnd ? height : d / c;
    this.endT = this.onLowerEnd ? d / s : width;
    this.endZ = this.onLowerEnd ? 0 : Math.max(0, (d - width * s) / c);
    this.volume = this.volumeT = this.volumeZ = this.area = this.areaS = this.areaSS = this.areaYY = 0;
    this.areaByT = this.slopeZ = 0;
    const { startT, startZ, endT, endZ } = this;

    // columns of the full height, then those that end at the line
    if (startT > 0) {
      this.add(0, Math.min(startT, radius), height, height, 0, 0, false);
      if (startT > radius) this.add(radius, startT, height, height, 0, 0, true);
    }
    const run = endT - startT;
    const fall = startZ - endZ;
    const half = 0.5 * Math.sqrt(run * run + fall * fall);
    if (endT <= radius) this.add(startT, endT, startZ, endZ, -half, half, false);
    else if (startT >= radius) this.add(startT, endT, startZ, endZ, -half, half, true);
    else {
      const share = (radius - startT) / run;
      const z = startZ - share * fall;
      const middle = (2 * share - 1) * half;
      this.add(startT, radius, startZ, z, -half, middle, false);
      this.add(radius, endT, z, endZ, middle, half, true);
    }

    // what the ends of the cylinder do to the section
    this.areaByZ = 0;
    this.areaByTurn = this.slopeZ;
    if (this.onLowerEnd) {
      const chord = (2 * Math.sqrt(endT * (width - endT))) / s;
      this.areaByZ -= chord;
      this.areaByTurn += chord * endT;
    }
    if (this.onUpperEnd) {
      const chord = (2 * Math.sqrt(startT * (width - startT))) / s;
      this.areaByZ += chord;
      this.areaByTurn -= chord * startT;
    }
  }

  /** Columns from t0 to t1 on one side of t = R, up to the line from z0 to z1, of which σ0 to σ1 is part of the section. */
  private add(t0: number, t1: number, z0: number, z1: number, sigma0: number, sigma1: number, far: boolean): void {
    const { radius } = this;
    const width = 2 * radius;
    const from = Math.sqrt(far ? width - t0 : t0);
    const to = Math.sqrt(far ? width - t1 : t1);
    const sum = from + to;
    if (!(sum > 0)) return;
    const step = to - from;
    const length = t1 - t0;
    const fall = z1 - z0;
    const arc = sigma1 - sigma0;
    let volume = 0;
    let volumeT = 0;
    let volumeZ = 0;
    let area = 0;
    let areaS = 0;
    let areaSS = 0;
    let areaYY = 0;
    let slope = 0;
    let slopeZ = 0;
    for (let i = 0; i < 14; i++) {
      const u = NODE[i];
      const v = from + u * step;
      const near = v * v;
      const t = far ? width - near : near;
      const share = (u * (from + v)) / sum; // of the interval up to here: (v² − from²)/(to² − from²)
      const root = Math.sqrt(width - near);
      const weight = (2 * WEIGHT[i]) / sum;
      const chord = 2 * v * root;
      const piece = weight * v * chord; // w times the interval's share of this node
      const z = z0 + share * fall;
      const sigma = sigma0 + share * arc;
      const column = piece * z;
      volume += column;
      volumeT += column * t;
      volumeZ += column * z;
      area += piece;
      areaS += piece * sigma;
      areaSS += piece * sigma * sigma;
      areaYY += piece * chord * chord;
      const bend = (weight * (radius - t)) / root; // ½ dw/dt times the share
      slope += bend;
      slopeZ += bend * z;
    }
    this.volume += length * volume;
    this.volumeT += length * volumeT;
    this.volumeZ += 0.5 * length * volumeZ;
    if (!(arc > 0)) return;
    this.area += arc * area;
    this.areaS += arc * areaS;
    this.areaSS += arc * areaSS;
    this.areaYY += (arc * areaYY) / 12;
    this.areaByT -= 2 * arc * slope;
    this.slopeZ -= 2 * arc * slopeZ;
  }
}
