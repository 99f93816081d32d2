/** The overlap of two convex polyhedra in any pose, by the kernel that grains use: for tests, measurements and questions outside a run. */
import type { Pose } from '../../geometry/solid.js';
import { Arena } from '../../kernels/arena.js';
import { type PolyhedronKernels, polyhedronKernels } from '../../kernels/polyhedron-kernels.js';
import { OVERLAP_RESULT } from '../../kernels/polyhedron-overlap.kernel.js';
import { multiply, rotate } from '../../math/quaternion.js';
import { add, dot, norm, sub, type Vec3 } from '../../math/vec3.js';
import type { GrainShape } from '../shapes/grain-shape.js';
import { GrainArrays } from './grain-arrays.js';

export interface Overlap {
  /** m³ */
  readonly volume: number;
  /** m; world axes */
  readonly centroid: Vec3;
  /** Vector area of A's surface inside B, m²: its length is the contact area, its direction the normal from A to B */
  readonly vectorArea: Vec3;
  /** Penetration along the direction that was given, m */
  readonly depth: number;
}

export class PolyhedronOverlap {
  readonly arrays: GrainArrays;
  readonly #kernels: PolyhedronKernels;

  /** @param wasm false: the kernel as TypeScript, the same bits */
  constructor(
    readonly a: GrainShape,
    readonly b: GrainShape,
    wasm = true,
  ) {
    const arena = new Arena({ initialBytes: 65536 });
    this.#kernels = polyhedronKernels(arena, 1, wasm);
    const body = { species: 0, density: 1, position: [0, 0, 0], orientation: [1, 0, 0, 0] } as const;
    this.arrays = new GrainArrays(
      arena,
      this.#kernels,
      [
        { ...body, shape: a },
        { ...body, shape: b },
      ],
      1,
      1,
    );
  }

  /** @param along unit vector, roughly from a to b; the better it is, the fewer faces are looked at. Default: from centre to centre */
  find(poseA: Pose, poseB: Pose, along?: Vec3): Overlap | undefined {
    const { positions, orientations, room } = this.arrays;
    [poseA, poseB].forEach((pose, i) => {
      const shape = i === 0 ? this.a : this.b;
      positions.view.set(add(pose.position, rotate(pose.orientation, shape.centre)), 4 * i);
      orientations.view.set(multiply(pose.orientation, shape.axes), 4 * i);
    });
    this.#kernels.run('movePolyhedra', 0);
    const x = positions.view;
    const from: Vec3 = [x[0], x[1], x[2]];
    const d = sub([x[4], x[5], x[6]], from);
    const [nx, ny, nz] = along ?? (dot(d, d) > 0 ? d.map((c) => c / norm(d)) : [1, 0, 0]);
    const volume = this.#kernels.overlapPolyhedra(0, 1, ...d, nx, ny, nz, this.a.radius + this.b.radius, room);
    if (!(volume > 0)) return undefined;
    const r = this.arrays.work(0).subarray(OVERLAP_RESULT * room, OVERLAP_RESULT * room + 8);
    return {
      volume,
      centroid: add(from, [r[1] / volume, r[2] / volume, r[3] / volume]),
      vectorArea: [r[4], r[5], r[6]],
      depth: r[7],
    };
  }
}
