// Binary STL read and welded: 50 bytes a triangle, each vertex met about six times.
// The body is the lumpy ellipsoid; its coordinates are multiples of 2⁻¹⁷ m, exact in single precision, so the mesh that
// is read must have the vertices and the volume of the one that was written, bit by bit.
import { readStl } from '../src/geometry/files/stl-read.js';
import { writeStl } from '../src/geometry/files/stl-write.js';
import type { TriangleMesh } from '../src/geometry/triangle-mesh.js';
import { benchmark, rival } from './harness.js';
import { lumpyMesh } from './lumpy-mesh.js';

interface Scene {
  readonly bytes: Uint8Array;
  readonly mesh: TriangleMesh;
}

benchmark('stl-read', {
  source: 'three.js r187: STLLoader and mergeVertices on the same file',
  unit: 'triangle',
  sizes: [10_000, 100_000, 1_000_000],
  prepare(size): Scene {
    const { vertices, triangles } = lumpyMesh(size);
    const mesh = { vertices, triangles: Uint32Array.from(triangles) };
    return { bytes: writeStl([{ name: 'lumpy', mesh }]), mesh };
  },
  run: ({ bytes }) => readStl(bytes, { fileName: 'lumpy.stl' }).parts[0].mesh,
  work: (_, { mesh }) => mesh.triangles.length / 3,
  error: (found, { mesh }) =>
    Math.max(difference(found.vertices.length, mesh.vertices.length), difference(volume(found), volume(mesh))),
  ratios: {
    three: rival({
      async prepare({ bytes }: Scene) {
        const { loader, merging } = await three();
        const buffer = bytes.slice().buffer;
        return { buffer, loader: new loader.STLLoader(), mergeVertices: merging.mergeVertices };
      },
      run({ buffer, loader, mergeVertices }) {
        const geometry = loader.parse(buffer);
        geometry.deleteAttribute('normal'); // with it, corners of different triangles would never be equal
        // Half of the finest distance between vertices; a tolerance of 0 overflows the integers it hashes.
        return mergeVertices(geometry, 2 ** -18) as Geometry;
      },
      error: ({ attributes }, { mesh }) => difference(3 * attributes.position.count, mesh.vertices.length),
      missing: () =>
        three().then(
          () => undefined,
          () => 'three is not installed',
        ),
    }),
  },
});

/** What the benchmark needs of three, which ships no types. */
interface Geometry {
  deleteAttribute(name: string): void;
  readonly attributes: { readonly position: { readonly count: number } };
}
interface Three {
  readonly loader: { readonly STLLoader: new () => { parse(bytes: ArrayBuffer): Geometry } };
  readonly merging: { mergeVertices(geometry: Geometry, tolerance: number): Geometry };
}

async function three(): Promise<Three> {
  const from = 'three/examples/jsm';
  const [loader, merging] = await Promise.all([
    import(`${from}/loaders/STLLoader.js`),
    import(`${from}/utils/BufferGeometryUtils.js`),
  ]);
  return { loader, merging };
}

const difference = (a: number, b: number): number => Math.abs(a / b - 1);

/** m³ */
function volume({ vertices: v, triangles }: TriangleMesh): number {
  let six = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    six +=
      v[a] * (v[b + 1] * v[c + 2] - v[b + 2] * v[c + 1]) +
      v[a + 1] * (v[b + 2] * v[c] - v[b] * v[c + 2]) +
      v[a + 2] * (v[b] * v[c + 1] - v[b + 1] * v[c]);
  }
  return six / 6;
}
