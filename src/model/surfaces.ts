/**
 * Surfaces that are only drawn and may move in time, with a value at each vertex if there is one to show: a membrane, a field, the stress
 * of something that was computed elsewhere. They touch nothing and weigh nothing.
 *
 *   surfaces: { membrane: surface({ triangles: [[0, 1, 2]], vertices: (t) => [[0, 0, 0], [1, 0, 0], [0, 1, sin(t)]] }) }
 *
 * Elmqvist et al. (2015), §7.2: vertices over time, triangles once, one colour or one for each vertex.
 */

import { ModelError } from '../errors.js';
import type { Vec3 } from '../math/vec3.js';
import { real, shown } from './schema.js';
import * as z from './schema-kinds.js';

/** Flat, 3 numbers each, or nested. */
export type Points = ArrayLike<number> | readonly Vec3[] | readonly (readonly number[])[];

const isList = (value: unknown): boolean => Array.isArray(value) || ArrayBuffer.isView(value);

export const drawnSurfaceSchema = z
  .strictObject({
    /** Three places of vertices each, counter-clockwise seen from outside. */
    triangles: z.custom<Points>(isList, {
      error: ({ input }) => `expected triangles [[0, 1, 2], …] of vertices, got ${shown(input)}`,
    }),
    /** In the world, m; a function of time gives as many at any time. */
    vertices: z.custom<Points | ((time: number) => Points)>((value) => isList(value) || typeof value === 'function', {
      error: ({ input }) =>
        `expected vertices [[x, y, z], …] in m, or a function of time giving them, got ${shown(input)}`,
    }),
    /** One number per vertex, for the colours. */
    values: z
      .custom<ArrayLike<number> | ((time: number) => ArrayLike<number>)>(
        (value) => isList(value) || typeof value === 'function',
        {
          error: ({ input }) => `expected a value per vertex, or a function of time giving them, got ${shown(input)}`,
        },
      )
      .optional(),
    /** What the values are, e.g. `stress`, */
    quantity: z.string().optional(),
    /** and in which unit. */
    unit: z.string().optional(),
    colour: z
      .tuple([real('red', ''), real('green', ''), real('blue', ''), real('opacity', '')])
      .readonly()
      .optional(),
  })
  .readonly();
export type SurfaceOptions = z.input<typeof drawnSurfaceSchema>;

/** A checked surface. */
export interface DrawnSurface extends Omit<z.output<typeof drawnSurfaceSchema>, 'triangles'> {
  /** 3 per triangle */
  readonly triangles: Uint32Array;
  readonly vertexCount: number;
}

/**
 * A surface for `model({ surfaces: { … } })`.
 *
 * @example surface({ triangles, vertices: (time) => nodes(time), values: (time) => stress(time), quantity: 'stress', unit: 'Pa' })
 */
export const surface = (options: SurfaceOptions): SurfaceOptions => options;

/** Checks what the schema cannot: triangles against the vertices at the start. */
export function drawnSurface(given: z.output<typeof drawnSurfaceSchema>, path: string): DrawnSurface {
  const vertexCount = flat(over(given.vertices, 0), `${path}.vertices`, 't = 0 s: ').length / 3;
  if (vertexCount === 0) throw new ModelError(`${path}.vertices`, 'expected at least 3 vertices, got none');
  const triangles = flat(given.triangles, `${path}.triangles`, '');
  for (const [i, vertex] of triangles.entries())
    if (!(Number.isInteger(vertex) && vertex >= 0 && vertex < vertexCount))
      throw new ModelError(
        `${path}.triangles[${Math.floor(i / 3)}]`,
        `expected places of vertices from 0 to ${vertexCount - 1}, got ${vertex}`,
      );
  const checked = { ...given, triangles: Uint32Array.from(triangles), vertexCount };
  surfaceVertices(checked, 0, path);
  surfaceValues(checked, 0, path);
  return checked;
}

/**
 * Vertices at a time, 3 numbers each, m.
 *
 * @throws ModelError with the time and the vertex where one is not finite, or where they are not as many as at the start
 */
export function surfaceVertices({ vertices, vertexCount }: DrawnSurface, time: number, path: string): Float64Array {
  const when = `t = ${Number(time.toPrecision(6))} s: `;
  const found = flat(over(vertices, time), `${path}.vertices`, when);
  if (found.length !== 3 * vertexCount)
    throw new ModelError(
      `${path}.vertices`,
      `${when}expected ${vertexCount} vertices as at the start, got ${found.length / 3}`,
    );
  for (let i = 0; i < found.length; i++)
    if (!Number.isFinite(found[i]))
      throw new ModelError(
        `${path}.vertices[${Math.floor(i / 3)}]`,
        `${when}expected a finite ${'xyz'[i % 3]} in m, got ${found[i]}`,
      );
  return found;
}

/** Values at a time, one per vertex; none if the surface has none. */
export function surfaceValues(
  { values, vertexCount, unit }: DrawnSurface,
  time: number,
  path: string,
): ArrayLike<number> | undefined {
  if (values === undefined) return undefined;
  const when = `t = ${Number(time.toPrecision(6))} s: `;
  const found = over(values, time);
  if (!isList(found) || found.length !== vertexCount)
    throw new ModelError(
      `${path}.values`,
      `${when}expected ${vertexCount} values, one per vertex, got ${isList(found) ? found.length : shown(found)}`,
    );
  for (let i = 0; i < vertexCount; i++)
    if (!Number.isFinite(found[i]))
      throw new ModelError(
        `${path}.values[${i}]`,
        `${when}expected a finite value${unit ? ` in ${unit}` : ''}, got ${found[i]}`,
      );
  return found;
}

const over = <Value>(given: Value | ((time: number) => Value), time: number): Value =>
  typeof given === 'function' ? (given as (time: number) => Value)(time) : given;

/** Numbers one behind another, 3 for each point. */
function flat(points: Points, path: string, when: string): Float64Array {
  if (!isList(points)) throw new ModelError(path, `${when}expected [[x, y, z], …], got ${shown(points)}`);
  if (points.length > 0 && typeof points[0] === 'object') {
    const found = new Float64Array(3 * points.length);
    for (let i = 0; i < points.length; i++) {
      const point = points[i] as readonly number[];
      if (point?.length !== 3) throw new ModelError(`${path}[${i}]`, `${when}expected 3 numbers, got ${shown(point)}`);
      for (let k = 0; k < 3; k++) found[3 * i + k] = point[k];
    }
    return found;
  }
  if (points.length % 3 !== 0)
    throw new ModelError(path, `${when}expected 3 numbers each, got ${points.length} numbers`);
  return Float64Array.from(points as ArrayLike<number>);
}
