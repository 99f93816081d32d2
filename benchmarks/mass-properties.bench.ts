// Volume, moments and area of a closed mesh: one pass over the triangles, gathered vertex loads, about 100 flops each.
// The body is a lumpy ellipsoid whose exact volume comes from integer arithmetic.
import { loadKernels, MOMENTS_LENGTH, twin } from '../src/kernels/index.js';
import { cProgram } from './c-program.js';
import { benchmark } from './harness.js';
import { type LumpyMesh, lumpyMesh } from './lumpy-mesh.js';

const kernels = await loadKernels({ wasm: true });
const start = kernels.arena.mark();

interface Scene extends LumpyMesh {
  readonly moments: Float64Array;
  /** The same arrays in the arena of the WebAssembly kernels. */
  readonly inArena: { vertices: Float64Array; triangles: Int32Array; moments: Float64Array };
  /** Exact volume of the mesh, rounded once, m³. */
  readonly volume: number;
}

benchmark('mass-properties', {
  source: 'the kernel every solid goes through when it enters a model',
  unit: 'triangle',
  sizes: [1_000, 30_000, 1_000_000],
  prepare(size): Scene {
    const mesh = lumpyMesh(size);
    kernels.arena.release(start);
    const blocks = {
      vertices: kernels.arena.floats(mesh.vertices.length),
      triangles: kernels.arena.ints(mesh.triangles.length),
      moments: kernels.arena.floats(MOMENTS_LENGTH),
    };
    blocks.vertices.view.set(mesh.vertices);
    blocks.triangles.view.set(mesh.triangles);
    const inArena = {
      vertices: blocks.vertices.view,
      triangles: blocks.triangles.view,
      moments: blocks.moments.view,
    };
    return { ...mesh, moments: new Float64Array(MOMENTS_LENGTH), inArena, volume: preciseVolume(mesh) };
  },
  run: {
    wasm({ inArena: { vertices, triangles, moments }, reference: [x, y, z] }) {
      kernels.meshMoments(vertices, triangles, x, y, z, moments);
      return moments;
    },
    typescript({ vertices, triangles, moments, reference: [x, y, z] }) {
      twin.meshMoments(vertices, triangles, x, y, z, moments);
      return moments;
    },
  },
  work: (_, { triangles }) => triangles.length / 3,
  error: (moments, { volume }) => Math.abs(moments[0] / volume - 1),
  ratios: {
    C: cProgram<Scene>({
      file: 'mass-properties.c',
      input: ({ reference, vertices, triangles }) => {
        const header = Float64Array.of(...reference, vertices.length / 3, triangles.length / 3);
        return Buffer.concat([header, vertices, triangles].map((part) => new Uint8Array(part.buffer)));
      },
      error: (results, { volume }) => Math.abs(results[0] / volume - 1),
    }),
  },
});

/**
 * Six times the volume is the sum of a · (b × c). Here with coordinates rounded to multiples of 2⁻¹⁷ (the scene's are),
 * where every product and sum is a whole number, exactly, in BigInt.
 */
function preciseVolume({ vertices, triangles }: LumpyMesh): number {
  const whole = BigInt64Array.from(vertices, (x) => BigInt(x * 2 ** 17));
  let sum = 0n;
  for (let t = 0; t < triangles.length; t += 3) {
    const [i, j, k] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const [bx, by, bz, cx, cy, cz] = [whole[j], whole[j + 1], whole[j + 2], whole[k], whole[k + 1], whole[k + 2]];
    sum += whole[i] * (by * cz - bz * cy) + whole[i + 1] * (bz * cx - bx * cz) + whole[i + 2] * (bx * cy - by * cx);
  }
  return Number(sum) / 6 / 2 ** 51;
}
