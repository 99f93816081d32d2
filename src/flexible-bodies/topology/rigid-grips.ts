/**
 * Where joints take hold of a design: nodes that move as one rigid piece, with three coordinates each, two displacements of a point and a turn.
 *
 *   Ψ_j = (T_j on the grip, −K_ii⁻¹ K_ib T_j elsewhere)      S = Ψᵀ K Ψ
 *   u = K_ii⁻¹ f_i + Ψ r,   S r + d λ = Ψᵀ f + w,   d · r = 0
 *
 *   r  coordinates that are free        w  forces along them (N, N m)        i: nodes in no grip, b: those in one
 *   d  a direction that is held too, its own for each load case: where a joint gives way to no reaction λ, which takes what
 *      the loads leave unbalanced
 *
 * so that the sparse factors are those of the part with all grips held, whatever is free of them: the reduction of Craig & Bampton without modes.
 */
import { ModelError } from '../../errors.js';
import { factoriseLu, solveLu } from '../../math/dense-lu.js';
import type { NodePattern } from '../../math/sparse/dissection.js';
import type { SparseLdl } from '../../math/sparse/sparse-ldl.js';
import type { Vec2 } from '../../math/vec3.js';
import { applyStiffness } from '../fem/plane-elements.js';

export interface RigidGrip {
  /** m */
  readonly point: Vec2;
  readonly nodes: Int32Array;
  /** Of its three coordinates x, y, turn: which may move */
  readonly free: readonly [boolean, boolean, boolean];
}

export class RigidGrips {
  private readonly coordinates: readonly number[]; // that are free: 3 grip + which
  private readonly moved: readonly Float64Array[]; // T_j, 2 per node
  private readonly shapes: readonly Float64Array[]; // Ψ_j
  private readonly inner: Uint8Array;
  private readonly schur: Float64Array;
  private readonly bordered: Float64Array;
  private readonly pivots: Int32Array;
  private readonly sought: Float64Array;
  private readonly scratch: Float64Array;
  private size = 1; // of entries of S: scales d

  constructor(points: Float64Array, grips: readonly RigidGrip[]) {
    this.inner = new Uint8Array(points.length).fill(1);
    for (const { nodes } of grips) for (const node of nodes) this.inner[2 * node] = this.inner[2 * node + 1] = 0;
    this.coordinates = grips.flatMap(({ free }, grip) =>
      [0, 1, 2].filter((which) => free[which]).map((which) => 3 * grip + which),
    );
    this.moved = this.coordinates.map((coordinate) => {
      const out = new Float64Array(points.length);
      const { point, nodes } = grips[Math.floor(coordinate / 3)];
      const which = coordinate % 3;
      for (const node of nodes)
        out.set(
          which < 2 ? [1 - which, which] : [point[1] - points[2 * node + 1], points[2 * node] - point[0]],
          2 * node,
        );
      return out;
    });
    const count = this.coordinates.length;
    this.shapes = this.moved.map((shape) => shape.slice());
    this.schur = new Float64Array(count * count);
    this.bordered = new Float64Array((count + 1) * (count + 1));
    this.pivots = new Int32Array(count + 1);
    this.sought = new Float64Array(count + 1);
    this.scratch = new Float64Array(points.length);
  }

  /** Whether an unknown belongs to a grip: the sparse factors hold it */
  holds(unknown: number): boolean {
    return this.inner[unknown] === 0;
  }

  /** At a new stiffness, with its factors */
  update(pattern: NodePattern, stiffness: Float64Array, free: Uint8Array, ldl: SparseLdl): void {
    const { moved, shapes, schur, scratch } = this;
    const count = shapes.length;
    const matrices = { pattern, stiffness, mass: NO_MASS };
    shapes.forEach((shape, j) => {
      applyStiffness(matrices, moved[j], shape);
      for (let i = 0; i < shape.length; i++) shape[i] = -shape[i];
      ldl.solve(shape);
      for (let i = 0; i < shape.length; i++) if (free[i] === 0) shape[i] = moved[j][i];
    });
    this.size = 0;
    for (let j = 0; j < count; j++) {
      applyStiffness(matrices, shapes[j], scratch);
      for (let i = 0; i < count; i++) schur[i * count + j] = dot(moved[i], scratch);
      this.size = Math.max(this.size, schur[j * count + j]);
    }
  }

  /**
   * u ← u + Ψ r from u = K_ii⁻¹ f.
   *
   * @param wrenches 3 per grip
   * @param held     3 per grip: d
   * @returns w · r, the work of the wrenches, J
   * @throws ModelError if what is held leaves the part free to move
   */
  addTo(u: Float64Array, force: Float64Array, wrenches: Float64Array | undefined, held?: Float64Array): number {
    const { shapes, schur, bordered, pivots, sought, coordinates, size } = this;
    const count = shapes.length;
    if (count === 0) return 0;
    const n = count + 1;
    bordered.fill(0);
    bordered[n * n - 1] = held ? 0 : 1;
    for (let i = 0; i < count; i++) {
      for (let j = 0; j < count; j++) bordered[n * i + j] = schur[count * i + j];
      if (held) bordered[n * i + count] = bordered[n * count + i] = size * held[coordinates[i]];
      sought[i] = dot(shapes[i], force) + (wrenches ? wrenches[coordinates[i]] : 0);
    }
    sought[count] = 0;
    if (!factoriseLu(bordered, n, pivots))
      throw new ModelError('topology', 'the design region is not held: it can move freely; fix more of it');
    solveLu(bordered, n, pivots, sought);
    let work = 0;
    for (let j = 0; j < count; j++) {
      const r = sought[j];
      if (wrenches) work += wrenches[coordinates[j]] * r;
      const shape = shapes[j];
      for (let i = 0; i < u.length; i++) u[i] += r * shape[i];
    }
    return work;
  }
}

const NO_MASS = new Float64Array(0);

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
