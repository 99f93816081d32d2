/**
 * Straight slender parts stiffen when they are pulled and shorten when they bend. Linear strain in the frame knows neither; so the elongation a
 * of each span between two neighbouring interfaces becomes a + ½ q Gm q in the energy ½ k_a a²:
 *
 *   Gm = Φᵀ K_G Φ,   K_G = ∫ t ∇N_i · σ ∇N_j on both components, σ the stress of unit pull of that span along the axis
 *
 * with the axial directions of the interfaces taken out of Gm. Each span has a pull of its own: what holds the part on the way takes the difference. It serves
 * every source of tension, and buckling. For a beam with tip displacement v and turn φ: ½ q Gm q = (36 v² − 6 L v φ + 4 L² φ²)/(60 L).
 */
import type { Vec2 } from '../math/vec3.js';
import { ElementPoint, planeModuli, THREE_POINTS } from './fem/plane-elements.js';
import type { PlanePart } from './fem/plane-part.js';
import type { ReducedPart } from './reduction.js';

export interface Membrane {
  /** Elongation of the span by the coordinates */
  readonly along: Float64Array;
  /** Coordinates of a motion that lengthens this span alone by 1: all interfaces beyond it, seen from the frame, move along */
  readonly shift: Float64Array;
  /** k_a, N/m */
  readonly stiffness: number;
  /** Gm, n × n */
  readonly matrix: Float64Array;
}

/** A straight slender part: unit vector along it, and where its interfaces are along it, m, in their order; the first holds the frame */
export interface SlenderAxis {
  readonly direction: Vec2;
  readonly places: readonly number[];
  /** m: shorter spans are no members */
  readonly leastSpan: number;
}

/** The spans of a part, from one end to the other */
export function membranesOf(part: PlanePart, reduced: ReducedPart, axis: SlenderAxis): Membrane[] {
  const { places, leastSpan } = axis;
  const order = places.map((_, i) => i).sort((i, j) => places[i] - places[j]);
  return order
    .slice(1)
    .flatMap((to, k) =>
      places[to] - places[order[k]] > leastSpan ? membraneOf(part, reduced, axis, order[k], to) : [],
    );
}

/** Of the span between two interfaces, whose slides are coordinates 3 (i − 1) and the next */
function membraneOf(
  part: PlanePart,
  { shapes, stiffness: k, count: n }: ReducedPart,
  { direction, places }: SlenderAxis,
  from: number,
  to: number,
): Membrane {
  const { mesh, material, size } = part;
  const along = new Float64Array(n);
  const shift = new Float64Array(n);
  const put = (vector: Float64Array, i: number, sign: number): void => {
    if (i === 0) return;
    for (let j = 0; j < 2; j++) vector[3 * (i - 1) + j] = sign * direction[j];
  };
  put(along, to, 1);
  put(along, from, -1);
  for (let i = 1; i < places.length; i++) {
    if (places[i] >= places[to] && places[0] <= places[from]) put(shift, i, 1);
    if (places[i] <= places[from] && places[0] >= places[to]) put(shift, i, -1);
  }
  let ka = 0;
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) ka += shift[i] * k[i * n + j] * shift[j];
  // Unit pull
  const pull = new Float64Array(size);
  for (let l = 0; l < n; l++)
    if (shift[l] !== 0) for (let i = 0; i < size; i++) pull[i] += (shift[l] * shapes[l][i]) / ka;
  const [c11, c12, c33] = planeModuli(material);
  const { elements, elementCount, nodesPerElement: nodes } = mesh;
  const point = new ElementPoint(nodes);
  const { n: shape } = point;
  const matrix = new Float64Array(n * n);
  const slope = new Float64Array(4 * n);
  for (let e = 0; e < elementCount; e++)
    for (let g = 0; g < 9; g += 3) {
      const w = THREE_POINTS[g + 2] * point.at(mesh, e, THREE_POINTS[g], THREE_POINTS[g + 1]) * material.thickness;
      let [ux, uy, vx, vy] = [0, 0, 0, 0];
      slope.fill(0);
      for (let a = 0; a < nodes; a++) {
        const node = elements[nodes * e + a];
        const nx = shape[nodes + a];
        const ny = shape[2 * nodes + a];
        ux += nx * pull[2 * node];
        uy += ny * pull[2 * node];
        vx += nx * pull[2 * node + 1];
        vy += ny * pull[2 * node + 1];
        for (let m = 0; m < n; m++) {
          slope[4 * m] += nx * shapes[m][2 * node];
          slope[4 * m + 1] += ny * shapes[m][2 * node];
          slope[4 * m + 2] += nx * shapes[m][2 * node + 1];
          slope[4 * m + 3] += ny * shapes[m][2 * node + 1];
        }
      }
      const sx = c11 * ux + c12 * vy;
      const sy = c12 * ux + c11 * vy;
      const t = c33 * (uy + vx);
      for (let i = 0; i < n; i++)
        for (let j = 0; j < n; j++)
          for (let c = 0; c < 4; c += 2) {
            const ix = slope[4 * i + c];
            const iy = slope[4 * i + c + 1];
            const jx = slope[4 * j + c];
            const jy = slope[4 * j + c + 1];
            matrix[i * n + j] += w * (sx * ix * jx + t * (ix * jy + iy * jx) + sy * iy * jy);
          }
    }
  // P Gm P with P = 1 − Σ a aᵀ, a the axis at each interface
  const taken = (rowMajor: boolean): void => {
    for (let i = 0; i < n; i++)
      for (let c = 0; c < 3 * (places.length - 1); c += 3) {
        const at = (j: number): number => (rowMajor ? i * n + c + j : (c + j) * n + i);
        const part0 = direction[0] * matrix[at(0)] + direction[1] * matrix[at(1)];
        matrix[at(0)] -= direction[0] * part0;
        matrix[at(1)] -= direction[1] * part0;
      }
  };
  taken(true);
  taken(false);
  return { along, shift, stiffness: ka, matrix };
}
