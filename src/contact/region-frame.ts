/**
 * The frame of a contact region: normal n from A to B, and a basis (t₁, t₂) of its plane that turns with A. t₁ is the part of e across n, e fixed in A
 * and set to t₁ after every accepted step, so that within a step all is a smooth function of the poses. With ν the change of n seen from A:
 *
 *   dt₁ = θ_A × t₁ − (t₁·ν) n − κ (t₂·ν) t₂,   dt₂ = θ_A × t₂ − (t₂·ν) n + κ (t₂·ν) t₁,   κ = (e·n)/|e − n (e·n)|
 */

/** t₁ and t₂ into basis[3 …] from n in basis[0 …] and e in the carrier's axes; gives κ. */
export function tangents(basis: Float64Array, rotation: Float64Array, r: number, edge: Float64Array): number {
  const ex = rotation[r] * edge[0] + rotation[r + 1] * edge[1] + rotation[r + 2] * edge[2];
  const ey = rotation[r + 3] * edge[0] + rotation[r + 4] * edge[1] + rotation[r + 5] * edge[2];
  const ez = rotation[r + 6] * edge[0] + rotation[r + 7] * edge[1] + rotation[r + 8] * edge[2];
  const nx = basis[0];
  const ny = basis[1];
  const nz = basis[2];
  const along = nx * ex + ny * ey + nz * ez;
  let tx = ex - along * nx;
  let ty = ey - along * ny;
  let tz = ez - along * nz;
  let length = Math.sqrt(tx * tx + ty * ty + tz * tz);
  if (!(length > 1e-6)) {
    // A region that appears where nobody expected it, with nothing in its bristle yet: any direction will do.
    const other = Math.abs(nx) < 0.8;
    tx = other ? 1 - nx * nx : 0 - ny * nx;
    ty = other ? 0 - nx * ny : 1 - ny * ny;
    tz = other ? 0 - nx * nz : 0 - ny * nz;
    length = Math.sqrt(tx * tx + ty * ty + tz * tz);
  }
  basis[3] = tx / length;
  basis[4] = ty / length;
  basis[5] = tz / length;
  basis[6] = ny * basis[5] - nz * basis[4];
  basis[7] = nz * basis[3] - nx * basis[5];
  basis[8] = nx * basis[4] - ny * basis[3];
  return along / length;
}
