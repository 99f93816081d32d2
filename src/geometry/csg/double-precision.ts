/**
 * Meshes in and out of the CSG library in double precision.
 *
 * The library computes in double precision, but its JavaScript interface hands meshes over in single precision: 7
 * digits. Only its function to move vertices (`warpBatch`) sees doubles. So:
 *
 * In. The mesh is first built in a coded shape: vertex i sits at (i / n, random, random), n a power of two, all of it
 * a million times smaller than life. Then every vertex is moved to where it belongs, found by the i in its x. Why
 * random: the library removes triangles that are flat to single precision, and random ones are not (chance 1e-7 each;
 * if it happens, other random numbers are tried). Why small: it remembers the precision it was built with as its
 * tolerance, 1e-7 of the size then; a million times smaller, that is nothing. Flat faces are recognised after the
 * move, on the true shape.
 *
 * Out. The single-precision mesh tells the triangles, and a move that moves nothing reads the vertices. Both list the
 * vertices in the same order, which is checked on all of them.
 */
import { ModelError } from '../../errors.js';
import { powerOfTwoFrom } from './local-frame.js';
import type { Manifold, ManifoldModule } from './manifold.js';

/** Whole numbers up to this are exact in single precision. */
const MOST_VERTICES = 1 << 24;
/** Size of the coded shape against a true size of about 1. */
const CODED_SIZE = 1 / (1 << 20);

/**
 * @param local     vertices, 3 numbers each, of size about 1
 * @param triangles closed and oriented
 */
export function toManifold(
  module: ManifoldModule,
  local: Float64Array,
  triangles: Uint32Array,
  path: string,
): Manifold {
  const count = local.length / 3;
  if (count > MOST_VERTICES) throw new ModelError(path, `expected at most ${MOST_VERTICES} vertices, got ${count}`);
  const triVerts = withoutRepeatedCorners(triangles);
  const codes = powerOfTwoFrom(Math.max(count, 1));
  const indexOf = codes / CODED_SIZE;

  const built = buildCoded(module, count, codes, triVerts, path);
  try {
    return built.warpBatch((vertices, n) => {
      for (let k = 0; k < 3 * n; k += 3) {
        const i = 3 * vertices[k] * indexOf;
        vertices[k] = local[i];
        vertices[k + 1] = local[i + 1];
        vertices[k + 2] = local[i + 2];
      }
    });
  } finally {
    built.delete();
  }
}

function buildCoded(
  module: ManifoldModule,
  count: number,
  codes: number,
  triVerts: Uint32Array,
  path: string,
): Manifold {
  const vertProperties = new Float32Array(3 * count);
  let best: Manifold | undefined;
  // A triangle that vanishes in every attempt is one of a pair back to back, which bounds nothing.
  for (let attempt = 0; attempt < 4; attempt++) {
    for (let i = 0; i < count; i++) {
      vertProperties[3 * i] = (i / codes) * CODED_SIZE;
      vertProperties[3 * i + 1] = random24(8 * i + 2 * attempt) * CODED_SIZE;
      vertProperties[3 * i + 2] = random24(8 * i + 2 * attempt + 1) * CODED_SIZE;
    }
    const built = new module.Manifold({ numProp: 3, vertProperties, triVerts });
    const status = built.status();
    if (status !== 'NoError') {
      built.delete();
      best?.delete();
      throw new ModelError(path, `the surface does not bound a solid (${status}); repair the mesh first`);
    }
    if (best === undefined || built.numTri() > best.numTri()) {
      best?.delete();
      best = built;
    } else built.delete();
    if (3 * best.numTri() === triVerts.length) break;
  }
  return best!;
}

/** Number i of a fixed sequence of random numbers in [0, 1) of 24 bits: MurmurHash3's final mix (Appleby 2011). */
function random24(i: number): number {
  let h = Math.imul(i + 1, 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 8) / (1 << 24);
}

/** A triangle that uses one vertex twice has no area, and its other two sides cancel each other. */
function withoutRepeatedCorners(triangles: Uint32Array): Uint32Array {
  const kept = new Uint32Array(triangles.length);
  let n = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = triangles[t];
    const b = triangles[t + 1];
    const c = triangles[t + 2];
    if (a === b || b === c || c === a) continue;
    kept[n] = a;
    kept[n + 1] = b;
    kept[n + 2] = c;
    n += 3;
  }
  return kept.subarray(0, n);
}

/** Vertices in the frame they were given in. */
export function fromManifold(solid: Manifold, path: string): { vertices: Float64Array; triangles: Uint32Array } {
  const status = solid.status();
  if (status !== 'NoError') throw new ModelError(path, `the operation failed (${status})`);
  if (solid.numTri() === 0) return { vertices: new Float64Array(0), triangles: new Uint32Array(0) };
  const { vertProperties, triVerts, mergeFromVert, numProp } = solid._GetMeshJS(-1);
  let vertices = new Float64Array(0);
  solid
    .warpBatch((all) => {
      vertices = all.slice();
    })
    .delete();
  let same = numProp === 3 && vertices.length === vertProperties.length && (mergeFromVert?.length ?? 0) === 0;
  for (let i = 0; same && i < vertices.length; i++) same = Math.fround(vertices[i]) === vertProperties[i];
  if (!same) throw new Error('manifold-3d lists vertices in another order than it did');
  return { vertices, triangles: triVerts };
}
