import { afterEach, describe, expect, test, vi } from 'vitest';
import { Arena, type Kernels, loadKernels, MOMENTS_LENGTH, twin } from './index.js';

afterEach(() => void vi.unstubAllGlobals());

describe('loading', () => {
  test('WebAssembly by default, TypeScript when asked', async () => {
    expect((await loadKernels()).kind).toBe('wasm');
    expect((await loadKernels({ wasm: false })).kind).toBe('typescript');
  });

  test('TypeScript where WebAssembly is missing, an error if it was demanded', async () => {
    vi.stubGlobal('WebAssembly', undefined);
    const kernels = await loadKernels();
    expect(kernels.kind).toBe('typescript');
    expect(kernels.arena.floats(10).view.length).toBe(10);
    await expect(loadKernels({ wasm: true })).rejects.toThrow('loadKernels.wasm: WebAssembly is missing');
  });

  test('TypeScript where a policy of the page forbids WebAssembly', async () => {
    const forbidden = () => Promise.reject(new WebAssembly.CompileError('blocked by policy'));
    vi.spyOn(WebAssembly, 'instantiate').mockImplementation(forbidden);
    try {
      expect((await loadKernels()).kind).toBe('typescript');
      await expect(loadKernels({ wasm: true })).rejects.toThrow('blocked by policy');
    } finally {
      vi.restoreAllMocks();
    }
  });

  test('an array outside the arena, or from before it grew, is refused', async () => {
    const kernels = await loadKernels({ initialBytes: 65536 });
    const vertices = kernels.arena.floats(9).view;
    const triangles = kernels.arena.ints(3).view;
    const moments = new Float64Array(MOMENTS_LENGTH);
    expect(() => kernels.meshMoments(vertices, triangles, 0, 0, 0, moments)).toThrow(
      'slot 2 does not lie in the arena',
    );
    kernels.arena.floats(100_000);
    expect(() => kernels.meshMoments(vertices, triangles, 0, 0, 0, moments)).toThrow(
      'slot 0 does not lie in the arena',
    );
  });
});

describe('the same bits from TypeScript and WebAssembly', () => {
  test('meshMoments on 200 random meshes of 0 to 400 triangles, sizes from 1e-9 to 1e9, near and far', async () => {
    const kernels = await loadKernels();
    const random = randomNumbers(1);
    for (let i = 0; i < 200; i++) {
      const scale = 10 ** Math.round(18 * random() - 9);
      const reference = [random(), random(), random()].map((x) => 1e3 * scale * x);
      expectSameBits(kernels, randomMesh(3 + 2 * i, Math.floor(400 * random()), scale, reference, random), reference);
    }
  });

  test('meshMoments on a million triangles, in shared memory', async () => {
    const kernels = await loadKernels({ shared: true });
    expect(kernels.arena.shared).toBe(true);
    const reference = [0.5, 0.25, -3];
    expectSameBits(kernels, randomMesh(500_000, 1_000_000, 1, reference, randomNumbers(2)), reference);
  });

  test('two instances on one memory keep their pointer tables apart', async () => {
    const arena = new Arena({ shared: true });
    const [one, two] = [await loadKernels({ arena }), await loadKernels({ arena })];
    const random = randomNumbers(3);
    for (const kernels of [one, two, one]) expectSameBits(kernels, randomMesh(50, 90, 1, [0, 0, 0], random), [0, 0, 0]);
  });
});

// Torus: V = 2π²Rr², and on a grid of 2⁻¹⁷ m every product of three coordinates is a whole multiple of 2⁻⁵¹, so the
// exact volume of this very mesh comes from integer arithmetic.
test('a million triangles keep 15 digits of the volume', () => {
  const { vertices, triangles } = torus(1000, 500);
  const moments = new Float64Array(MOMENTS_LENGTH);
  twin.meshMoments(vertices, triangles, 0.01, -0.02, 0.03, moments);
  const whole = BigInt64Array.from(vertices, (x) => BigInt(x * 2 ** 17));
  let sum = 0n;
  for (let t = 0; t < triangles.length; t += 3) {
    const [i, j, k] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    sum +=
      whole[i] * (whole[j + 1] * whole[k + 2] - whole[j + 2] * whole[k + 1]) +
      whole[i + 1] * (whole[j + 2] * whole[k] - whole[j] * whole[k + 2]) +
      whole[i + 2] * (whole[j] * whole[k + 1] - whole[j + 1] * whole[k]);
  }
  const volume = Number(sum) / 6 / 2 ** 51;
  // Half of the tetrahedra are negative, so the sum of magnitudes is a few times the volume; one rounding each remains.
  expect(Math.abs(moments[0] / volume - 1)).toBeLessThan(1e-15);
  expect(moments[0] / (2 * Math.PI ** 2 * 0.3 ** 2)).toBeCloseTo(1, 4);
  expect(moments[10] / (4 * Math.PI ** 2 * 0.3)).toBeCloseTo(1, 4);
});

interface Mesh {
  readonly vertices: Float64Array;
  readonly triangles: Int32Array;
}

function expectSameBits(kernels: Kernels, mesh: Mesh, [x, y, z]: readonly number[]): void {
  const ours = new Float64Array(MOMENTS_LENGTH);
  twin.meshMoments(mesh.vertices, mesh.triangles, x, y, z, ours);
  const blocks = [kernels.arena.floats(mesh.vertices.length), kernels.arena.floats(MOMENTS_LENGTH)];
  const triangles = kernels.arena.ints(mesh.triangles.length).view;
  const [vertices, moments] = blocks.map((block) => block.view);
  vertices.set(mesh.vertices);
  triangles.set(mesh.triangles);
  kernels.meshMoments(vertices, triangles, x, y, z, moments);
  // As integers: unlike ===, this tells 0 from −0.
  expect(new BigUint64Array(moments.slice().buffer)).toEqual(new BigUint64Array(ours.buffer));
}

/** Triangles at random: the kernel does not need them closed. */
function randomMesh(
  vertexCount: number,
  triangleCount: number,
  scale: number,
  centre: readonly number[],
  random: () => number,
): Mesh {
  return {
    vertices: Float64Array.from({ length: 3 * vertexCount }, (_, i) => centre[i % 3] + scale * (random() - 0.5)),
    triangles: Int32Array.from({ length: 3 * triangleCount }, () => Math.floor(vertexCount * random())),
  };
}

/** Radii 1 m and 0.3 m, 2 × around × across triangles, coordinates rounded to 2⁻¹⁷ m. */
function torus(around: number, across: number): Mesh {
  const grid = (x: number) => Math.round(x * 2 ** 17) / 2 ** 17;
  const vertices = new Float64Array(3 * around * across);
  const triangles = new Int32Array(6 * around * across);
  for (let i = 0; i < around; i++)
    for (let j = 0; j < across; j++) {
      const u = (2 * Math.PI * i) / around;
      const v = (2 * Math.PI * j) / across;
      const radius = 1 + 0.3 * Math.cos(v);
      const at = i * across + j;
      vertices.set([radius * Math.cos(u), radius * Math.sin(u), 0.3 * Math.sin(v)].map(grid), 3 * at);
      const [next, up] = [((i + 1) % around) * across + j, i * across + ((j + 1) % across)];
      const both = ((i + 1) % around) * across + ((j + 1) % across);
      triangles.set([at, next, both, at, both, up], 6 * at);
    }
  return { vertices, triangles };
}

/** Uniform in [0, 1), 32-bit xorshift (Marsaglia 2003). */
function randomNumbers(seed: number): () => number {
  let x = (seed * 2654435761) | 1;
  return () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return (x >>> 0) / 2 ** 32;
  };
}
