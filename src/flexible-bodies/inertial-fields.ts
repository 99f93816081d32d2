/**
 * Mode acceleration: what inertia and weight, spread over a part, do beyond its shapes. The shapes carry the loads of interfaces exactly and those spread
 * over the part only as far as they reach; the static answer of the rest is
 *
 *   u = (K⁻¹ − Σ φ φᵀ/k) f,   f = −M (a + α × X − ω² X + 2 ω × φ_k η_k + φ_k η_k')
 *
 * linear in a (less gravity), α, ω², η' and ω η: one field of displacement and stress for each, found once. The inertia of the shapes is that of the
 * retained ones, so nothing is counted twice. Cornwell, Craig & Johnson, Earthquake Engng Struct. Dyn. 11 (1983) 679–688.
 */
import { applyMass } from './fem/plane-elements.js';
import type { PlanePart } from './fem/plane-part.js';
import { nodalStress } from './fem/stress.js';

export interface InertialFields {
  /** a_x, a_y, α, ω², then η_k' of each shape, then 2 ω η_k; in the axes of the part's plane, at the frame's origin */
  readonly count: number;
  /** As of the shapes: 2 per node, and σx, σy, τxy */
  readonly shapes: readonly Float64Array[];
  readonly stresses: readonly Float64Array[];
}

export function inertialFields(
  part: PlanePart,
  shapes: readonly Float64Array[],
  residual: (force: Float64Array) => void,
  origin: readonly [number, number],
): InertialFields {
  const { mesh, matrices, material, size } = part;
  const { points, nodeCount } = mesh;
  const field = (x: (i: number) => number, y: (i: number) => number): Float64Array => {
    const acceleration = new Float64Array(size);
    for (let i = 0; i < nodeCount; i++) {
      acceleration[2 * i] = -x(i);
      acceleration[2 * i + 1] = -y(i);
    }
    const out = new Float64Array(size);
    applyMass(matrices, acceleration, out);
    residual(out);
    return out;
  };
  const along = (i: number): number => points[2 * i] - origin[0];
  const up = (i: number): number => points[2 * i + 1] - origin[1];
  const found = [
    field(
      () => 1,
      () => 0,
    ),
    field(
      () => 0,
      () => 1,
    ),
    field((i) => -up(i), along),
    field(
      (i) => -along(i),
      (i) => -up(i),
    ),
    ...shapes.map((shape) =>
      field(
        (i) => shape[2 * i],
        (i) => shape[2 * i + 1],
      ),
    ),
    ...shapes.map((shape) =>
      field(
        (i) => -shape[2 * i + 1],
        (i) => shape[2 * i],
      ),
    ),
  ];
  return {
    count: found.length,
    shapes: found,
    stresses: found.map((shape) => nodalStress(mesh, material, shape)),
  };
}
