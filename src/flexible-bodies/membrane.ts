/**
 * Straight slender parts stiffen when they are pulled and shorten when they bend. Linear strain in the frame knows neither; so the elongation a
 * between the two interfaces becomes a + ½ q Gm q in the energy ½ k_a a²:
 *
 *   Gm = Φᵀ K_G Φ,   K_G = ∫ t ∇N_i · σ ∇N_j on both components, σ the stress of unit pull along the axis
 *
 * with the axial direction taken out of Gm. It serves every source of tension, and buckling. For a beam with tip displacement v and turn φ:
 * ½ q Gm q = (36 v² − 6 L v φ + 4 L² φ²)/(60 L).
 */
import type { Vec2 } from '../math/vec3.js';
import { ElementPoint, planeModuli, THREE_POINTS } from './fem/plane-elements.js';
import type { PlanePart } from './fem/plane-part.js';
import type { ReducedPart } from './reduction.js';

export interface Membrane {
  /** Elongation by the coordinates */
  readonly along: Float64Array;
  /** k_a, N/m */
  readonly stiffness: number;
  /** Gm, n × n */
  readonly matrix: Float64Array;
}

/** @param axis unit vector from the inboard interface to the outboard one, whose slides are the first two coordinates */
export function membraneOf(part: PlanePart, { shapes, stiffness: k, count: n }: ReducedPart, axis: Vec2): Membrane {
  const { mesh, material, size } = part;
  const along = new Float64Array(n);
  along[0] = axis[0];
  along[1] = axis[1];
  let ka = 0;
  for (let i = 0; i < 2; i++) for (let j = 0; j < 2; j++) ka += axis[i] * k[i * n + j] * axis[j];
  // Unit pull
  const pull = new Float64Array(size);
  for (let i = 0; i < size; i++) pull[i] = (axis[0] * shapes[0][i] + axis[1] * shapes[1][i]) / ka;
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
  // P Gm P with P = 1 − a aᵀ
  const taken = (rowMajor: boolean): void => {
    for (let i = 0; i < n; i++) {
      const at = (j: number): number => (rowMajor ? i * n + j : j * n + i);
      const part0 = axis[0] * matrix[at(0)] + axis[1] * matrix[at(1)];
      matrix[at(0)] -= axis[0] * part0;
      matrix[at(1)] -= axis[1] * part0;
    }
  };
  taken(true);
  taken(false);
  return { along, stiffness: ka, matrix };
}
