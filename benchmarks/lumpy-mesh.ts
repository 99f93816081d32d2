/** A closed body of any number of triangles for timing: an ellipsoid with waves, coordinates in multiples of 2⁻¹⁷ m. */

export interface LumpyMesh {
  /** 3 per vertex, m */
  readonly vertices: Float64Array;
  /** 3 per triangle, counter-clockwise seen from outside */
  readonly triangles: Int32Array;
  /** Centre, m */
  readonly reference: readonly [number, number, number];
}

/** Rings of latitude around z with two poles; about `count` triangles, never more. Same bits in every engine. */
export function lumpyMesh(count: number): LumpyMesh {
  const sectors = Math.max(3, Math.floor(Math.sqrt(count)));
  const rings = Math.max(1, Math.floor(count / (2 * sectors)));
  const vertices: number[] = [0, 0, -grid(0.7)];
  for (let ring = 0; ring < rings; ring++) {
    const z = -1 + (2 * (ring + 1)) / (rings + 1);
    const radius = Math.sqrt(1 - z * z);
    for (let sector = 0; sector < sectors; sector++) {
      // Points around the circle without sin and cos, which differ between engines: u runs through a full turn.
      const u = (4 * sector) / sectors;
      const [x, y] = circle(u);
      const wave = 1 + 0.25 * circle((7 * u) % 4)[0] * circle(1 + z)[1];
      vertices.push(grid(1.3 * radius * wave * x), grid(radius * wave * y), grid(0.7 * z));
    }
  }
  const top = vertices.length / 3;
  vertices.push(0, 0, grid(0.7));

  const triangles: number[] = [];
  const at = (ring: number, sector: number) => 1 + ring * sectors + (sector % sectors);
  for (let sector = 0; sector < sectors; sector++) triangles.push(0, at(0, sector + 1), at(0, sector));
  for (let ring = 0; ring + 1 < rings; ring++)
    for (let sector = 0; sector < sectors; sector++) {
      const [a, b, c, d] = [at(ring, sector), at(ring, sector + 1), at(ring + 1, sector + 1), at(ring + 1, sector)];
      triangles.push(a, b, c, a, c, d);
    }
  for (let sector = 0; sector < sectors; sector++)
    triangles.push(at(rings - 1, sector), at(rings - 1, sector + 1), top);
  return { vertices: Float64Array.from(vertices), triangles: Int32Array.from(triangles), reference: [0, 0, 0] };
}

const grid = (x: number): number => Math.round(x * 2 ** 17) / 2 ** 17;

/** A point of the unit circle, u from 0 to 4 for one turn: a parabola through four corners, put on the circle. */
function circle(u: number): [number, number] {
  const corner = (v: number) => {
    const w = ((v % 4) + 4) % 4;
    return w < 1 ? w : w < 3 ? 2 - w : w - 4;
  };
  const x = corner(u + 1);
  const y = corner(u);
  const length = Math.sqrt(x * x + y * y);
  return [x / length, y / length];
}
