/**
 * One side of a contact that deforms, and a place where two sides touch: displacement per coordinate there, and how the surfaces give.
 */
import type { ContactSurface } from './contact-surface.js';
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
  /** Of A's surface; −1 − i: corner i of B on a side of A */
  index = 0;
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

/** Displacement of the foot per coordinate, and by ξ */
export function sideShapes(
  { surface, shapes }: SoftSide,
  foot: SideFoot,
  phi: Float64Array,
  slide: Float64Array,
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
  }
}

const hatWeight = (end: number, xi: number): number => (end === 0 ? 1 - xi : 1 + xi) / 2;

/** Whether a touch is a point of the surface of A (or of B); else it is a place on one of its sides, between two hats */
const isPoint = ({ index }: Touch, isA: boolean): boolean => isA === index >= 0;

/** Number of the load of a touch: of its point, or of the hat at one end of its side */
const loadOf = ({ compliance: of, surface }: SoftSide, touch: Touch, isA: boolean, end: number): number =>
  isPoint(touch, isA)
    ? isA
      ? touch.index
      : surface.firstCorner - 1 - touch.index
    : of.around(surface.sides[3 * touch.foot.side + end]);

/** Residual compliance of A (or of B) between two touches, m/N; `slid`: its change by ξ of the second one's place, which is none where that is a point */
export function compliance(side: SoftSide, i: Touch, j: Touch, isA: boolean, slid = false): number {
  const iPoint = isPoint(i, isA);
  const jPoint = isPoint(j, isA);
  let sum = 0;
  for (let a = 0; a < (iPoint ? 1 : 2); a++)
    for (let b = 0; b < (jPoint ? 1 : 2); b++) {
      const wi = iPoint ? 1 : hatWeight(a, i.foot.xi);
      const weight = wi * (slid ? (jPoint ? 0 : b - 0.5) : jPoint ? 1 : hatWeight(b, j.foot.xi));
      if (weight !== 0) sum += weight * side.compliance.between(loadOf(side, i, isA, a), loadOf(side, j, isA, b));
    }
  return sum;
}

/** How far a unit force at a touch pushes any place of a surface outward, at most, m/N */
export function bulgeBy(side: SoftSide, touch: Touch, isA: boolean): number {
  const { compliance: of } = side;
  const at = (end: number): number => of.bulge(loadOf(side, touch, isA, end));
  const { xi } = touch.foot;
  return isPoint(touch, isA) ? at(0) : hatWeight(0, xi) * at(0) + hatWeight(1, xi) * at(1);
}
