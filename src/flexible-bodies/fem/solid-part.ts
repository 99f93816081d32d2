/** A solid of tetrahedra: loads on its faces, and its stress. */
import { ModelError, suggestion } from '../../errors.js';
import { LENGTH_UNITS, type LengthUnit } from '../../geometry/files/cad-document.js';
import { boundaryFaces, type SolidMesh } from '../../geometry/solid-mesh.js';
import { type ElasticMaterial, ElasticPart, type NodeMatrices } from './elastic-part.js';
import { SIX_POINTS, shapeFunctions } from './plane-elements.js';
import { applySolidMass, applySolidStiffness, FOUR_POINTS, SolidPoint, solidMatrices } from './solid-elements.js';

export class SolidPart extends ElasticPart {
  readonly dimension = 3;
  readonly mesh: SolidMesh;
  readonly material: ElasticMaterial;
  readonly matrices: NodeMatrices;

  constructor(mesh: SolidMesh, material: ElasticMaterial) {
    super();
    this.mesh = mesh;
    this.material = material;
    this.matrices = solidMatrices(mesh, material);
  }

  applyStiffness(x: Float64Array, out: Float64Array): void {
    applySolidStiffness(this.matrices, x, out);
  }

  applyMass(x: Float64Array, out: Float64Array): void {
    applySolidMass(this.matrices, x, out);
  }

  /** A force spread evenly over the faces whose nodes are all in a set, N; added to `out`. @throws ModelError if there is none */
  addForce(nodes: ArrayLike<number>, force: readonly [number, number, number], out: Float64Array, path: string): void {
    const share = new Float64Array(this.mesh.nodeCount);
    let area = 0;
    this.#overFaces(nodes, path, (own, n, [x, y, z]) => {
      const w = Math.sqrt(x * x + y * y + z * z);
      area += w;
      own.forEach((node, k) => {
        share[node] += w * n[k];
      });
    });
    for (let i = 0; i < share.length; i++)
      if (share[i] !== 0) for (let d = 0; d < 3; d++) out[3 * i + d] += (force[d] * share[i]) / area;
  }

  /** Pressure in Pa on the faces whose nodes are all in a set, towards the material: f_a = −p ∫ N_a n dA; added to `out`. @throws ModelError if there is none */
  addPressure(nodes: ArrayLike<number>, pressure: number, out: Float64Array, path: string): void {
    this.#overFaces(nodes, path, (own, n, normal) => {
      own.forEach((node, k) => {
        for (let d = 0; d < 3; d++) out[3 * node + d] -= pressure * n[k] * normal[d];
      });
    });
  }

  /** Points of faces whose nodes are all in a set: their nodes, shapes, and the outward normal times the area that the point stands for, m². Degree 4, which n and N make on curved faces */
  #overFaces(
    nodes: ArrayLike<number>,
    path: string,
    visit: (own: Int32Array, shapes: Float64Array, normal: readonly [number, number, number]) => void,
  ): void {
    const { points } = this.mesh;
    const inSet = new Uint8Array(this.mesh.nodeCount);
    for (let i = 0; i < nodes.length; i++) inSet[nodes[i]] = 1;
    const faces = boundaryFaces(this.mesh);
    const n = new Float64Array(18);
    let found = false;
    for (let f = 0; f < faces.length; f += 6) {
      const own = faces.subarray(f, f + 6);
      if (!own.every((node) => inSet[node] !== 0)) continue;
      found = true;
      for (let g = 0; g < SIX_POINTS.length; g += 3) {
        shapeFunctions(6, SIX_POINTS[g], SIX_POINTS[g + 1], n);
        const [a, b] = [
          [0, 0, 0],
          [0, 0, 0],
        ];
        own.forEach((node, k) => {
          for (let d = 0; d < 3; d++) {
            a[d] += n[6 + k] * points[3 * node + d];
            b[d] += n[12 + k] * points[3 * node + d];
          }
        });
        const w = SIX_POINTS[g + 2];
        visit(own, n, [
          w * (a[1] * b[2] - a[2] * b[1]),
          w * (a[2] * b[0] - a[0] * b[2]),
          w * (a[0] * b[1] - a[1] * b[0]),
        ]);
      }
    }
    if (!found) throw new ModelError(path, 'a load on nothing: no face of the surface has all its nodes there');
  }

  /**
   * σx, σy, σz, τxy, τyz, τzx per node, Pa: from the four inner points of each element, extended linearly and averaged at nodes
   *
   * @param jump if given, gets the largest difference between elements at one node, Pa
   */
  stress(u: Float64Array, jump?: { largest: number }): Float64Array {
    const { mesh, material } = this;
    const { elements, elementCount, nodeCount } = mesh;
    const { youngsModulus: e0, poissonRatio: nu } = material;
    const lambda = (e0 * nu) / ((1 + nu) * (1 - 2 * nu));
    const mu = e0 / (2 * (1 + nu));
    const point = new SolidPoint();
    const { n } = point;
    const out = new Float64Array(6 * nodeCount);
    const count = new Float64Array(nodeCount);
    const low = jump && new Float64Array(6 * nodeCount).fill(Infinity);
    const high = jump && new Float64Array(6 * nodeCount).fill(-Infinity);
    const inner = new Float64Array(24);
    const b = 0.1381966011250105;
    // linear from the inner points to the corners: barycentric weights of the points
    const own = (1 - b) / (1 - 4 * b);
    const other = -b / (1 - 4 * b);
    for (let e = 0; e < elementCount; e++) {
      for (let g = 0; g < 4; g++) {
        point.at(mesh, e, FOUR_POINTS[4 * g], FOUR_POINTS[4 * g + 1], FOUR_POINTS[4 * g + 2]);
        const d = [0, 0, 0, 0, 0, 0, 0, 0, 0]; // ∂u_i/∂x_j
        for (let a = 0; a < 10; a++) {
          const node = 3 * elements[10 * e + a];
          for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) d[3 * i + j] += u[node + i] * n[10 * (j + 1) + a];
        }
        const trace = lambda * (d[0] + d[4] + d[8]);
        inner.set(
          [
            trace + 2 * mu * d[0],
            trace + 2 * mu * d[4],
            trace + 2 * mu * d[8],
            mu * (d[1] + d[3]),
            mu * (d[5] + d[7]),
            mu * (d[2] + d[6]),
          ],
          6 * g,
        );
      }
      const corner = (a: number, k: number): number => {
        let sum = 0;
        for (let g = 0; g < 4; g++) sum += (g === a ? own : other) * inner[6 * g + k];
        return sum;
      };
      for (let a = 0; a < 10; a++) {
        const node = elements[10 * e + a];
        count[node]++;
        for (let k = 0; k < 6; k++) {
          const value = a < 4 ? corner(a, k) : (corner(MIDDLE[a - 4][0], k) + corner(MIDDLE[a - 4][1], k)) / 2;
          out[6 * node + k] += value;
          if (low && high) {
            low[6 * node + k] = Math.min(low[6 * node + k], value);
            high[6 * node + k] = Math.max(high[6 * node + k], value);
          }
        }
      }
    }
    for (let i = 0; i < nodeCount; i++) for (let k = 0; k < 6; k++) out[6 * i + k] /= count[i];
    if (jump && low && high) {
      jump.largest = 0;
      for (let i = 0; i < out.length; i++) jump.largest = Math.max(jump.largest, high[i] - low[i]);
    }
    return out;
  }
}

const MIDDLE = [
  [0, 1],
  [1, 2],
  [2, 0],
  [0, 3],
  [1, 3],
  [2, 3],
] as const;

/** A set by its name, or the nodes of a plane: `x=min`, `z=max`, `y=0.02` (m). @throws ModelError if there is none */
export function solidNodes({ points, nodeCount, sets }: SolidMesh, where: string, path: string): Int32Array {
  const named = sets.get(where);
  if (named) return named;
  const plane = /^\s*([xyz])\s*=\s*(?:(min|max)|(-?[\d.]+(?:[eE][-+]?\d+)?)\s*(\p{L}+)?)\s*$/u.exec(where);
  const unit = plane?.[4] ?? 'm';
  if (!plane || !Object.hasOwn(LENGTH_UNITS, unit))
    throw new ModelError(
      path,
      `there is no set "${where}"${suggestion(where, [...sets.keys()])}; expected one of ${[...sets.keys()].join(', ') || 'none'}, or a plane such as x=min or z=20mm`,
    );
  const axis = 'xyz'.indexOf(plane[1]);
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < nodeCount; i++) {
    low = Math.min(low, points[3 * i + axis]);
    high = Math.max(high, points[3 * i + axis]);
  }
  const at = plane[2] === 'min' ? low : plane[2] === 'max' ? high : Number(plane[3]) * LENGTH_UNITS[unit as LengthUnit];
  const near = 1e-6 * (high - low);
  const found = Int32Array.from({ length: nodeCount }, (_, i) => i).filter(
    (i) => Math.abs(points[3 * i + axis] - at) <= near,
  );
  if (found.length === 0)
    throw new ModelError(path, `no node of the mesh has ${plane[1]} = ${at} m; it reaches from ${low} to ${high} m`);
  return found;
}
