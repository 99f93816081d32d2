/**
 * Mode acceleration: what inertia and weight, spread over a part, do beyond its shapes. The shapes carry the loads of interfaces exactly and those spread
 * over the part only as far as they reach; the static answer of the rest is
 *
 *   u = (K⁻¹ − Σ φ φᵀ/k) f,   f = −M (a + α × X − ω² X + 2 ω × φ_k η_k + φ_k η_k')
 *
 * linear in a (less gravity), α, ω ωᵀ (in the plane ω²), η' and ω η: one field of displacement and stress for each, found once. The inertia of the shapes is that of the
 * retained ones, so nothing is counted twice. Cornwell, Craig & Johnson, Earthquake Engng Struct. Dyn. 11 (1983) 679–688.
 */
import type { ElasticPart } from './fem/elastic-part.js';

export interface InertialFields {
  /**
   * In the plane a_x, a_y, α, ω², then η_k' of each shape, then 2 ω η_k; in space a and α (3 each), ω_x², ω_y², ω_z², ω_x ω_y, ω_y ω_z, ω_z ω_x, then
   * η_k', then 2 ω_x η_k, 2 ω_y η_k, 2 ω_z η_k of each shape. In the axes of the part, at the frame's origin
   */
  readonly count: number;
  /** As of the shapes: d per node, and the stress at each */
  readonly shapes: readonly Float64Array[];
  readonly stresses: readonly Float64Array[];
}

type Field = (i: number, out: number[]) => void;

export function inertialFields(
  part: ElasticPart,
  shapes: readonly Float64Array[],
  residual: (force: Float64Array) => void,
  origin: readonly number[],
): InertialFields {
  const found = solvedFields(part, shapes, residual, origin);
  return { count: found.length, shapes: found, stresses: found.map((shape) => part.stress(shape)) };
}

/**
 * Stress of those of a rigid motion, and of η_k' of the shapes that move interfaces, which undo its jumps: a_x, a_y, α, ω², η_k'; in space a, α, ω ωᵀ
 * and η_k' as above. Modes have no residual.
 */
export const fieldsOfMotion = (
  part: ElasticPart,
  carrying: readonly Float64Array[],
  residual: (force: Float64Array) => void,
  origin: readonly number[],
): Float64Array[] => solvedFields(part, carrying, residual, origin, false).map((shape) => part.stress(shape));

function solvedFields(
  part: ElasticPart,
  shapes: readonly Float64Array[],
  residual: (force: Float64Array) => void,
  origin: readonly number[],
  coriolis = true,
): Float64Array[] {
  const { mesh, size, dimension: d } = part;
  const { points, nodeCount } = mesh;
  const solved = (field: Field): Float64Array => {
    const acceleration = new Float64Array(size);
    const own = [0, 0, 0];
    for (let i = 0; i < nodeCount; i++) {
      field(i, own.fill(0));
      for (let k = 0; k < d; k++) acceleration[d * i + k] = -own[k];
    }
    const out = new Float64Array(size);
    part.applyMass(acceleration, out);
    residual(out);
    return out;
  };
  const x = (i: number, k: number): number => points[d * i + k] - origin[k];
  const axes = d === 2 ? [2] : [0, 1, 2];
  /** e_a × v */
  const turned =
    (a: number, v: (i: number, k: number) => number): Field =>
    (i, out) => {
      const [j, k] = [(a + 1) % 3, (a + 2) % 3];
      out[k] = v(i, j);
      out[j] = -v(i, k);
    };
  const sliding = Array.from(
    { length: d },
    (_, k): Field =>
      (_i, out) => {
        out[k] = 1;
      },
  );
  // ω × (ω × X) = ω (ω · X) − ω² X
  const spinning: Field[] =
    d === 2
      ? [
          (i, out) => {
            out[0] = -x(i, 0);
            out[1] = -x(i, 1);
          },
        ]
      : [
          ...axes.map(
            (a): Field =>
              (i, out) => {
                for (const k of axes) out[k] = k === a ? 0 : -x(i, k);
              },
          ),
          ...axes.map(
            (a): Field =>
              (i, out) => {
                const b = (a + 1) % 3;
                out[a] = x(i, b);
                out[b] = x(i, a);
              },
          ),
        ];
  return [
    ...sliding,
    ...axes.map((a) => turned(a, x)),
    ...spinning,
    ...shapes.map(
      (shape): Field =>
        (i, out) => {
          for (let k = 0; k < d; k++) out[k] = shape[d * i + k];
        },
    ),
    ...(coriolis ? shapes : []).flatMap((shape) => axes.map((a) => turned(a, (i, k) => shape[d * i + k]))),
  ].map(solved);
}
