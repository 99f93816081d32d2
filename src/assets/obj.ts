/** Assets as Wavefront OBJ: metres, z up, outward counter-clockwise; coordinates in steps of 1e-7 m, so that files stay small. */
import { writeObj } from '../geometry/files/obj-write.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';

const PER_METRE = 1e7;

/** Bytes of an OBJ file; equal parameters give equal bytes on every machine. */
export function assetBytes(parts: readonly { readonly name: string; readonly mesh: TriangleMesh }[]): Uint8Array {
  return writeObj(
    parts.map(({ name, mesh }) => ({
      name,
      mesh: {
        vertices: mesh.vertices.map((x) => Math.round(x * PER_METRE) / PER_METRE + 0),
        triangles: mesh.triangles,
      },
    })),
  );
}
