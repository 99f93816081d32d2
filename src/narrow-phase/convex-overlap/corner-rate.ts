/**
 * How fast a corner of the overlap moves along the normal when B moves, for the gradient of the extent (see `finishExtent`). Which faces
 * meet in the corner tells what it is: a corner of A or B, or an edge of one on a face of the other.
 */
import type { PolytopeClip } from './polytope-clip.js';

/**
 * Writes the corner and its rate w (w · u is its speed along n if B moves by u there) to out[at …], 6 numbers, in the axes of the clip.
 *
 * @param clip   A, cut by the planes of B
 * @param corner place of x in the clip's points
 */
export function cornerRate(
  clip: PolytopeClip,
  corner: number,
  normal: Float64Array,
  n: number,
  out: Float64Array,
  at: number,
): void {
  const { points, edges, face, edgeStart, edgeEnd, normals, own } = clip;
  // faces with an edge that starts here
  let countA = 0;
  let countB = 0;
  let a1 = 0;
  let a2 = 0;
  let b1 = 0;
  let b2 = 0;
  for (let f = 0; f < clip.faceCount; f++)
    for (let e = edgeStart[face[f]]; e < edgeEnd[face[f]]; e += 3) {
      if (3 * edges[e] !== corner) continue;
      if (face[f] < own) {
        a2 = a1;
        a1 = 3 * face[f];
        countA++;
      } else {
        b2 = b1;
        b1 = 3 * face[f];
        countB++;
      }
      break;
    }
  for (let k = 0; k < 3; k++) {
    out[at + k] = points[corner + k];
    out[at + 3 + k] = countA === 0 ? normal[n + k] : 0;
  }
  if (countA === 0 || countB === 0) return;
  // an edge e of one body on a face m of the other: B's edge carries the point along, A's does not
  const edgeOfA = countA >= 2;
  const u = edgeOfA ? a1 : b1;
  const v = edgeOfA ? a2 : b2;
  const m = edgeOfA ? b1 : a1;
  const ex = normals[u + 1] * normals[v + 2] - normals[u + 2] * normals[v + 1];
  const ey = normals[u + 2] * normals[v] - normals[u] * normals[v + 2];
  const ez = normals[u] * normals[v + 1] - normals[u + 1] * normals[v];
  const steep = ex * normals[m] + ey * normals[m + 1] + ez * normals[m + 2];
  const along = ex * normal[n] + ey * normal[n + 1] + ez * normal[n + 2];
  const share = steep !== 0 ? along / steep : 0;
  for (let k = 0; k < 3; k++)
    out[at + 3 + k] = edgeOfA ? share * normals[m + k] : normal[n + k] - share * normals[m + k];
}
