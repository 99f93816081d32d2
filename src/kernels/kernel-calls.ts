/** The kernels as functions of arrays and numbers, the same for both ways they run. */

/** The slots and the numbers each kernel takes; what the TypeScript files and the WebAssembly module both export. */
export interface KernelEntries {
  meshMoments(triangleCount: number, referenceX: number, referenceY: number, referenceZ: number): void;
}

export interface KernelCalls {
  /**
   * Volume, moments and area of a closed mesh about a reference point, from the surface.
   *
   * @param vertices  3 per vertex, m
   * @param triangles 3 per triangle, counter-clockwise seen from outside; indices are not checked
   * @param moments   room for 22 numbers; the first eleven become volume m³, ∫x ∫y ∫z m⁴, ∫xx ∫yy ∫zz ∫xy ∫yz ∫zx m⁵, area m²
   */
  meshMoments(
    vertices: Float64Array,
    triangles: Int32Array,
    referenceX: number,
    referenceY: number,
    referenceZ: number,
    moments: Float64Array,
  ): void;
}

/** Length of the `moments` array of `meshMoments`. */
export const MOMENTS_LENGTH = 22;

/** More than any kernel takes. */
export const SLOTS = 64;

/** @param place puts an array into a slot of the pointer table */
export function kernelCalls(
  place: (slot: number, array: Float64Array | Int32Array) => void,
  entries: KernelEntries,
): KernelCalls {
  return {
    meshMoments(vertices, triangles, referenceX, referenceY, referenceZ, moments) {
      place(0, vertices);
      place(1, triangles);
      place(2, moments);
      entries.meshMoments(triangles.length / 3, referenceX, referenceY, referenceZ);
    },
  };
}
