/**
 * Where a file puts its parts: affine maps chained down an assembly, and a budget against files that multiply a small
 * part into more triangles than memory holds (ten components of ten components of …).
 */
import { FileError } from '../../errors.js';
import type { TriangleMesh } from '../triangle-mesh.js';

/** Rows of [A | b], 12 numbers: x′ = a₀ x + a₁ y + a₂ z + a₃ and so on. */
export type Affine = readonly number[];

export const IDENTITY_AFFINE: Affine = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

/** The map that applies `inner` first. */
export function chain(outer: Affine, inner: Affine): Affine {
  if (outer === IDENTITY_AFFINE) return inner;
  if (inner === IDENTITY_AFFINE) return outer;
  const result: number[] = [];
  for (let row = 0; row < 12; row += 4)
    for (let column = 0; column < 4; column++)
      result.push(
        outer[row] * inner[column] +
          outer[row + 1] * inner[4 + column] +
          outer[row + 2] * inner[8 + column] +
          (column === 3 ? outer[row + 3] : 0),
      );
  return result;
}

/** Volume ratio; negative for a map that mirrors. */
export function determinant(a: Affine): number {
  return a[0] * (a[5] * a[10] - a[6] * a[9]) - a[1] * (a[4] * a[10] - a[6] * a[8]) + a[2] * (a[4] * a[9] - a[5] * a[8]);
}

/**
 * The mesh at its place; the identity gives the mesh itself. A map that mirrors also turns the triangles round, so that
 * they stay counter-clockwise seen from outside.
 *
 * @throws FileError if the map flattens the part or sends a vertex to infinity
 */
export function placeMesh(a: Affine, mesh: TriangleMesh, file: string, where: string): TriangleMesh {
  if (a === IDENTITY_AFFINE || a.every((value, i) => value === IDENTITY_AFFINE[i])) return mesh;
  const ratio = determinant(a);
  if (!(ratio !== 0 && Number.isFinite(ratio)))
    throw new FileError(
      file,
      where,
      `expected a transform that keeps the part's volume, got one of determinant ${ratio}`,
    );
  const { vertices, triangles } = mesh;
  const placed = new Float64Array(vertices.length);
  let sum = 0;
  for (let i = 0; i < vertices.length; i += 3) {
    const x = vertices[i];
    const y = vertices[i + 1];
    const z = vertices[i + 2];
    placed[i] = a[0] * x + a[1] * y + a[2] * z + a[3];
    placed[i + 1] = a[4] * x + a[5] * y + a[6] * z + a[7];
    placed[i + 2] = a[8] * x + a[9] * y + a[10] * z + a[11];
    sum += 0 * (placed[i] + placed[i + 1] + placed[i + 2]); // 0 as long as all are finite
  }
  if (sum !== 0)
    throw new FileError(file, where, 'expected a transform with finite results, got coordinates that overflow');
  if (ratio > 0) return { vertices: placed, triangles };
  const turned = triangles.slice();
  for (let t = 0; t < turned.length; t += 3) {
    turned[t + 1] = triangles[t + 2];
    turned[t + 2] = triangles[t + 1];
  }
  return { vertices: placed, triangles: turned };
}

/** Counts what instancing makes of a file. */
export class PlacementBudget {
  readonly #file: string;
  #places = 0;
  #triangles = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** One more thing read or placed, with so many triangles or vertices of its own. @throws FileError when it is too much */
  spend(triangles: number, where: string): void {
    this.#places++;
    this.#triangles += triangles;
    if (this.#places > MOST_PLACES || this.#triangles > MOST_PLACED_TRIANGLES)
      throw new FileError(
        this.#file,
        where,
        `the assembly repeats its parts to more than ${MOST_PLACES} places or ${MOST_PLACED_TRIANGLES} triangles`,
      );
  }
}
const MOST_PLACES = 100_000;
const MOST_PLACED_TRIANGLES = 50_000_000;

/** Nesting of assemblies that is followed. */
export const DEEPEST_ASSEMBLY = 64;

/** `wheel/rim`: names down an assembly; empty ones and repetitions of the one before are left out. */
export function pathName(path: readonly string[], otherwise: string): string {
  const names = path.map((name) => name.trim());
  return (
    names
      .filter((name, i) => name !== '' && name !== names[i - 1])
      .join('/')
      .slice(0, 1000) || otherwise
  );
}
