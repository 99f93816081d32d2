/** Takes from all vertices of a file those that one part uses. */
import type { TriangleMesh } from '../triangle-mesh.js';

/** Renumbers vertices for one part after the other; made once for a file. */
export class UsedVertices {
  readonly #vertices: Float64Array;
  /** Number of a vertex in the part at hand, plus 1; 0 if it is not in it. */
  readonly #local: Uint32Array;

  /** @param vertices 3 per vertex */
  constructor(vertices: Float64Array) {
    this.#vertices = vertices;
    this.#local = new Uint32Array(vertices.length / 3);
  }

  /**
   * The mesh of triangles that index all vertices, with only those it uses, in the order of the file.
   * Takes time and memory by the size of the part, not of the file. `triangles` is renumbered in place.
   */
  mesh(triangles: Uint32Array): TriangleMesh {
    const local = this.#local;
    let distinct = 0;
    for (let i = 0; i < triangles.length; i++)
      if (local[triangles[i]] === 0) {
        local[triangles[i]] = 1;
        distinct++;
      }
    if (distinct === local.length) {
      local.fill(0);
      return { vertices: this.#vertices.slice(), triangles };
    }
    const used = new Uint32Array(distinct);
    let n = 0;
    for (let i = 0; i < triangles.length; i++)
      if (local[triangles[i]] === 1) {
        local[triangles[i]] = 2;
        used[n++] = triangles[i];
      }
    used.sort();
    const vertices = new Float64Array(3 * distinct);
    for (let i = 0; i < distinct; i++) {
      local[used[i]] = i + 1;
      vertices.set(this.#vertices.subarray(3 * used[i], 3 * used[i] + 3), 3 * i);
    }
    for (let i = 0; i < triangles.length; i++) triangles[i] = local[triangles[i]] - 1;
    for (let i = 0; i < distinct; i++) local[used[i]] = 0;
    return { vertices, triangles };
  }
}
