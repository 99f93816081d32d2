/**
 * Volume, first and second moments and area of a closed triangle mesh, from its surface alone.
 *
 * Each triangle a b c and the reference point, here the origin, span a tetrahedron, positive if the triangle faces away:
 *
 *   n = (b − a) × (c − a)                  twice the area, along the outward normal         m²
 *   d = a · n                              six times the volume of the tetrahedron          m³
 *   ∫ xᵢ dV   = d/24 sᵢ                    s = a + b + c                                    m⁴
 *   ∫ xᵢxⱼ dV = d/120 (sᵢsⱼ + aᵢaⱼ + bᵢbⱼ + cᵢcⱼ)                                            m⁵
 *
 * summed over the mesh. The tetrahedron integrals are the textbook ones, e.g. Tonon (2004),
 * doi 10.3844/jmssp.2005.8.11, with one corner at the origin.
 *
 * Where the digits go:
 * - Coordinates are shifted to the reference point before any product. With the point inside the bounds the difference of
 *   two coordinates far from the origin is exact, so a small part a kilometre away keeps what its coordinates hold.
 * - d is taken from the edges, not as a · (b × c): for a small triangle far from the reference point b × c cancels.
 * - Sums run over blocks of 32 triangles, and the blocks are added with the rounding error carried along
 *   (two-sum, Knuth, TAOCP 2, §4.2.2), so a million triangles lose no more than a few dozen.
 */
import { type FloatArray, type f64, type IntArray, type i32, ptrF, ptrI } from './prelude.js';

const BLOCK: i32 = 32;

/**
 * Slots: 0 vertices, 3 per vertex, m; 1 triangles, 3 per triangle; 2 result, 22 numbers, of which the first eleven are
 * volume, ∫x, ∫y, ∫z, ∫xx, ∫yy, ∫zz, ∫xy, ∫yz, ∫zx about the reference point, area; the rest is used on the way.
 */
export function meshMoments(triangleCount: i32, referenceX: f64, referenceY: f64, referenceZ: f64): void {
  const vertices: FloatArray = ptrF(0);
  const triangles: IntArray = ptrI(1);
  const sums: FloatArray = ptrF(2);
  for (let k: i32 = 0; k < 22; k++) sums[k] = 0;

  for (let first: i32 = 0; first < triangleCount; first += BLOCK) {
    const end: i32 = first + BLOCK < triangleCount ? first + BLOCK : triangleCount;
    let volume: f64 = 0;
    let momentX: f64 = 0;
    let momentY: f64 = 0;
    let momentZ: f64 = 0;
    let momentXX: f64 = 0;
    let momentYY: f64 = 0;
    let momentZZ: f64 = 0;
    let momentXY: f64 = 0;
    let momentYZ: f64 = 0;
    let momentZX: f64 = 0;
    let area: f64 = 0;

    for (let t: i32 = 3 * first; t < 3 * end; t += 3) {
      // Corners, seen from the reference point
      const i: i32 = 3 * triangles[t];
      const j: i32 = 3 * triangles[t + 1];
      const k: i32 = 3 * triangles[t + 2];
      const ax: f64 = vertices[i] - referenceX;
      const ay: f64 = vertices[i + 1] - referenceY;
      const az: f64 = vertices[i + 2] - referenceZ;
      const bx: f64 = vertices[j] - referenceX;
      const by: f64 = vertices[j + 1] - referenceY;
      const bz: f64 = vertices[j + 2] - referenceZ;
      const cx: f64 = vertices[k] - referenceX;
      const cy: f64 = vertices[k + 1] - referenceY;
      const cz: f64 = vertices[k + 2] - referenceZ;

      // Normal, area and volume
      const ux: f64 = bx - ax;
      const uy: f64 = by - ay;
      const uz: f64 = bz - az;
      const vx: f64 = cx - ax;
      const vy: f64 = cy - ay;
      const vz: f64 = cz - az;
      const nx: f64 = uy * vz - uz * vy;
      const ny: f64 = uz * vx - ux * vz;
      const nz: f64 = ux * vy - uy * vx;
      const d: f64 = ax * nx + ay * ny + az * nz;
      area += Math.sqrt(nx * nx + ny * ny + nz * nz);
      volume += d;

      // Moments
      const sx: f64 = ax + bx + cx;
      const sy: f64 = ay + by + cy;
      const sz: f64 = az + bz + cz;
      momentX += d * sx;
      momentY += d * sy;
      momentZ += d * sz;
      momentXX += d * (sx * sx + ax * ax + bx * bx + cx * cx);
      momentYY += d * (sy * sy + ay * ay + by * by + cy * cy);
      momentZZ += d * (sz * sz + az * az + bz * bz + cz * cz);
      momentXY += d * (sx * sy + ax * ay + bx * by + cx * cy);
      momentYZ += d * (sy * sz + ay * az + by * bz + cy * cz);
      momentZX += d * (sz * sx + az * ax + bz * bx + cz * cx);
    }

    addCarrying(sums, 0, volume);
    addCarrying(sums, 1, momentX);
    addCarrying(sums, 2, momentY);
    addCarrying(sums, 3, momentZ);
    addCarrying(sums, 4, momentXX);
    addCarrying(sums, 5, momentYY);
    addCarrying(sums, 6, momentZZ);
    addCarrying(sums, 7, momentXY);
    addCarrying(sums, 8, momentYZ);
    addCarrying(sums, 9, momentZX);
    addCarrying(sums, 10, area);
  }

  sums[0] = (sums[0] + sums[11]) / 6;
  for (let k: i32 = 1; k < 4; k++) sums[k] = (sums[k] + sums[11 + k]) / 24;
  for (let k: i32 = 4; k < 10; k++) sums[k] = (sums[k] + sums[11 + k]) / 120;
  sums[10] = (sums[10] + sums[21]) / 2;
}

/** sums[k] += value; what the addition rounds off is gathered in sums[11 + k]. */
function addCarrying(sums: FloatArray, k: i32, value: f64): void {
  const before: f64 = sums[k];
  const after: f64 = before + value;
  const added: f64 = after - before;
  sums[k] = after;
  sums[11 + k] += before - (after - added) + (value - added);
}
