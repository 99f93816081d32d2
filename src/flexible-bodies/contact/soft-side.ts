/**
 * One side of a contact that deforms, and a place where two sides touch: displacement per coordinate there, and how the surfaces give.
 */
import type { ContactSurface } from './contact-surface.js';
import { SPREAD } from './load-spread.js';
import type { ResidualCompliance } from './residual-compliance.js';
import type { RigidOutline } from './rigid-outline.js';
import { SideFoot } from './side-foot.js';

/** A part that deforms, as contact sees it */
export interface SoftSide {
  readonly surface: ContactSurface;
  readonly compliance: ResidualCompliance;
  /** Displacement per unit of each coordinate, 2 per node */
  readonly shapes: readonly Float64Array[];
  /** E of plane stress, Pa */
  readonly modulus: number;
}

/** Where two parts touch, at one point of a surface */
export class Touch {
  /** Point of A's surface; −1 − i: corner i of B on a side of A; beyond the corners B's arcs and straight edges (touch-search.ts) */
  index = 0;
  /** Number among all places where they may touch */
  place = 0;
  /** A side of A bends over a straight edge of B, which touches it where it bends away from it. */
  bends = false;
  /** Round about a point of B at x, y by so much */
  radius = 0;
  x = 0;
  y = 0;
  slot = 0;
  depth = 0;
  force = 0;
  /** 1/(κ a), m/N */
  give = 0;
  // normal that pushes A; where the force acts on A and on B
  nx = 0;
  ny = 0;
  ax = 0;
  ay = 0;
  bx = 0;
  by = 0;
  /** Force on A, with friction, N */
  fx = 0;
  fy = 0;
  /** Velocity of A's point seen from B's */
  wx = 0;
  wy = 0;
  /** δ', m/s */
  closing = 0;
  /** Of a rigid B: line of equal distance */
  curvature = 0;
  readonly foot = new SideFoot();
  /** On flexible sides: displacement of the point per coordinate, 2 each, and by ξ */
  phiA = new Float64Array(0);
  phiB = new Float64Array(0);
  slideA = new Float64Array(0);
  slideB = new Float64Array(0);
  /** The same by ξ twice */
  bendA = new Float64Array(0);
  bendB = new Float64Array(0);
  /** Σ_j f_j ∂R_ij/∂ξ_i, m, and by ξ_i again (walking-loads.ts) */
  slope = 0;
  bend = 0;
  // of `move`
  dDepth = 0;
  dForce = 0;
  dnx = 0;
  dny = 0;
  dax = 0;
  day = 0;
  dbx = 0;
  dby = 0;
  dXi = 0;
  dSlope = 0;
  dx = 0;
  dy = 0;
  dwx = 0;
  dwy = 0;
}

export const isSoft = (side: SoftSide | RigidOutline): side is SoftSide => 'surface' in side;

/** Displacement of each point of a surface per coordinate, 2 each */
export function pointShapes({ surface, shapes }: SoftSide): Float64Array {
  const { pointCount, nodes, weights } = surface;
  const n = shapes.length;
  const out = new Float64Array(2 * n * pointCount);
  for (let i = 0; i < pointCount; i++)
    for (let k = 0; k < n; k++)
      for (let j = 0; j < 3; j++) {
        const node = nodes[3 * i + j];
        out[2 * (n * i + k)] += weights[3 * i + j] * shapes[k][2 * node];
        out[2 * (n * i + k) + 1] += weights[3 * i + j] * shapes[k][2 * node + 1];
      }
  return out;
}

/** Where the nodes of the sides are, in the part's own axes */
export function placeNodes({ surface, shapes }: SoftSide, q: Float64Array, out: Float64Array): void {
  const { boundary, mesh } = surface;
  for (let i = 0; i < boundary.length; i++) {
    const node = boundary[i];
    let x = mesh.points[2 * node];
    let y = mesh.points[2 * node + 1];
    for (let k = 0; k < q.length; k++) {
      x += shapes[k][2 * node] * q[k];
      y += shapes[k][2 * node + 1] * q[k];
    }
    out[2 * node] = x;
    out[2 * node + 1] = y;
  }
}

/** Displacement of the foot per coordinate, by ξ, and by ξ twice */
export function sideShapes(
  { surface, shapes }: SoftSide,
  foot: SideFoot,
  phi: Float64Array,
  slide: Float64Array,
  bend?: Float64Array,
): void {
  const { sides } = surface;
  for (let k = 0; k < shapes.length; k++) {
    phi[2 * k] = phi[2 * k + 1] = slide[2 * k] = slide[2 * k + 1] = 0;
    for (let j = 0; j < 3; j++) {
      const node = sides[3 * foot.side + j];
      phi[2 * k] += foot.shape[j] * shapes[k][2 * node];
      phi[2 * k + 1] += foot.shape[j] * shapes[k][2 * node + 1];
      slide[2 * k] += foot.shape[3 + j] * shapes[k][2 * node];
      slide[2 * k + 1] += foot.shape[3 + j] * shapes[k][2 * node + 1];
    }
    if (!bend) continue;
    bend[2 * k] = bend[2 * k + 1] = 0;
    for (let j = 0; j < 3; j++) {
      const node = sides[3 * foot.side + j];
      bend[2 * k] += foot.shape[6 + j] * shapes[k][2 * node];
      bend[2 * k + 1] += foot.shape[6 + j] * shapes[k][2 * node + 1];
    }
  }
}

/** Whether a touch is a point of the surface of A (or of B); else it is a place on one of its sides, between hats */
const isPoint = ({ index }: Touch, isA: boolean): boolean => isA === index >= 0;

const pointOf = ({ surface }: SoftSide, { index }: Touch, isA: boolean): number =>
  isA ? index : surface.firstCorner - 1 - index;

/** Residual compliance of A (or of B) between two touches, m/N */
export function compliance(side: SoftSide, i: Touch, j: Touch, isA: boolean): number {
  const { compliance: of, surface } = side;
  const { spread } = surface;
  const iPoint = isPoint(i, isA);
  const jPoint = isPoint(j, isA);
  if (iPoint && jPoint) return of.between(pointOf(side, i, isA), pointOf(side, j, isA));
  let sum = 0;
  for (let a = 0; a < (iPoint ? 1 : SPREAD); a++) {
    const wi = iPoint ? 1 : spread.weight(i.foot.side, i.foot.xi, a, 0);
    if (wi === 0) continue;
    const first = iPoint ? pointOf(side, i, isA) : of.around(spread.node(i.foot.side, i.foot.xi, a));
    for (let b = 0; b < (jPoint ? 1 : SPREAD); b++) {
      const wj = jPoint ? 1 : spread.weight(j.foot.side, j.foot.xi, b, 0);
      if (wj === 0) continue;
      const second = jPoint ? pointOf(side, j, isA) : of.around(spread.node(j.foot.side, j.foot.xi, b));
      sum += wi * wj * of.between(first, second);
    }
  }
  return sum;
}

/** How far a unit force at a touch pushes any place of a surface outward, at most, m/N */
export function bulgeBy(side: SoftSide, touch: Touch, isA: boolean): number {
  const { compliance: of, surface } = side;
  if (isPoint(touch, isA)) return of.bulge(pointOf(side, touch, isA));
  const { side: on, xi } = touch.foot;
  let sum = 0;
  for (let a = 0; a < SPREAD; a++) {
    const weight = surface.spread.weight(on, xi, a, 0);
    if (weight !== 0) sum += weight * of.bulge(of.around(surface.spread.node(on, xi, a)));
  }
  return sum;
}
