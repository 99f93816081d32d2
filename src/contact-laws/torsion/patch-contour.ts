/**
 * A contact patch as its friction sees it: nodes on a closed contour, with the outward normal as a weight.
 *
 *   r_i   node, from the centroid                                                        m
 *   q_i = ν_i ds_i/A, ν outward normal, ds length of contour, A area of the patch        1/m
 *
 *   Σ q_i = 0,   Σ r_i q_iᵀ = 1 (the 2×2 identity), hence Σ r_i·q_i = 2
 *
 * **Ellipse** (default): 16 nodes on the uniform ellipse with the patch's second moments S = (1/A)∫ r rᵀ dA. With
 * L = 2 S^½ and c_i on the unit circle: r_i = L c_i, q_i = (2/16) L⁻¹ c_i. Any other contour will do, too (polygon-contour.ts).
 *
 * **Ellipsoid**: no nodes, but an arm b; what ellipsoid-limit.ts makes of a patch. **Point**: neither.
 *
 * b, the effective radius, is the arm of pure spin: drilling torque = µ N b; 2R/3 for a uniform disc. It makes lengths of
 * angles and forces of torques.
 */
import { cos, PI, sin } from '../../math/elementary.js';

const ELLIPSE_NODES = 16;
const circleX = Float64Array.from({ length: ELLIPSE_NODES }, (_, i) => cos(((i + 0.5) * 2 * PI) / ELLIPSE_NODES));
const circleY = Float64Array.from({ length: ELLIPSE_NODES }, (_, i) => sin(((i + 0.5) * 2 * PI) / ELLIPSE_NODES));

export class PatchContour {
  count = 0;
  x = new Float64Array(ELLIPSE_NODES);
  y = new Float64Array(ELLIPSE_NODES);
  qx = new Float64Array(ELLIPSE_NODES);
  qy = new Float64Array(ELLIPSE_NODES);
  /** b, m; 0: a point, which has no torque */
  effectiveRadius = 0;
  /** Of the node farthest from the centroid, m */
  reach = 0;
  /** ½ Σ |r_i| |q_i|, 1 for a disc: how much larger than their sum the terms of sums over the nodes are */
  roughness = 1;
  /** r and −r are of it together, as of an ellipse: then D(v, ω) ≥ |v| and ≥ b |ω| */
  central = true;

  /** From second moments about the centroid, m². Zero moments make a point. */
  setEllipse(sxx: number, sxy: number, syy: number): void {
    const trace = sxx + syy;
    if (!(trace > 0)) {
      this.setPoint();
      return;
    }
    // L = 2 S^½, S^½ = (S + √det 1)/√(tr + 2√det)
    const root = rootOf(sxx, sxy, syy);
    const scale = 2 / Math.sqrt(trace + 2 * root);
    const lxx = scale * (sxx + root);
    const lxy = scale * sxy;
    const lyy = scale * (syy + root);
    const weight = 2 / ELLIPSE_NODES / (lxx * lyy - lxy * lxy);
    for (let i = 0; i < ELLIPSE_NODES; i++) {
      this.x[i] = lxx * circleX[i] + lxy * circleY[i];
      this.y[i] = lxy * circleX[i] + lyy * circleY[i];
      this.qx[i] = weight * (lyy * circleX[i] - lxy * circleY[i]);
      this.qy[i] = weight * (lxx * circleY[i] - lxy * circleX[i]);
    }
    this.count = ELLIPSE_NODES;
    this.central = true;
    this.measure();
  }

  /** A uniform disc, m. */
  setDisc(radius: number): void {
    this.setEllipse(0.25 * radius * radius, 0, 0.25 * radius * radius);
  }

  setPoint(): void {
    this.setEllipsoid(0);
  }

  /** The ellipsoid with the arm b, m; that of the patch it has been so far unless given. */
  setEllipsoid(effectiveRadius = this.effectiveRadius): void {
    this.count = 0;
    this.central = true;
    this.effectiveRadius = effectiveRadius;
  }

  /** The ellipsoid with the arm of the ellipse of these moments: b = ⅓ Σ |r_i| r_i·q_i = Σ |L c_i|/24, of which −c_i has as much as c_i. */
  setEllipsoidOf(sxx: number, sxy: number, syy: number): void {
    const trace = sxx + syy;
    if (!(trace > 0)) {
      this.setPoint();
      return;
    }
    const root = rootOf(sxx, sxy, syy);
    const xx = sxx + root;
    const yy = syy + root;
    let sum = 0;
    for (let i = 0; i < ELLIPSE_NODES / 2; i++) {
      const x = xx * circleX[i] + sxy * circleY[i];
      const y = sxy * circleX[i] + yy * circleY[i];
      sum += Math.sqrt(x * x + y * y);
    }
    this.setEllipsoid(sum / (6 * Math.sqrt(trace + 2 * root)));
  }

  /** b = ⅓ Σ |r_i| r_i·q_i, and how far and rough it is, from its nodes */
  measure(): void {
    let sum = 0;
    let reach = 0;
    let terms = 0;
    for (let i = 0; i < this.count; i++) {
      const x = this.x[i];
      const y = this.y[i];
      const distance = Math.sqrt(x * x + y * y);
      sum += distance * (x * this.qx[i] + y * this.qy[i]);
      reach = Math.max(reach, distance);
      terms += distance * Math.sqrt(this.qx[i] * this.qx[i] + this.qy[i] * this.qy[i]);
    }
    this.effectiveRadius = sum / 3;
    this.reach = reach;
    this.roughness = 0.5 * terms;
  }
}

/**
 * A line has no area: a patch is at least 1/18 of its length wide. Narrower ones have D, summed over 16 nodes that do not lie along their axes, no
 * longer convex; the arm b of the 18:1 ellipse is 0.5 % larger than that of a line.
 */
const THIN = 1 / 17;

/** √det S of an ellipse that is not too thin */
const rootOf = (sxx: number, sxy: number, syy: number): number =>
  Math.max(Math.sqrt(Math.max(0, sxx * syy - sxy * sxy)), THIN * (sxx + syy));
