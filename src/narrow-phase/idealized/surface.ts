/**
 * Idealized contact surfaces, after Oestersötebier et al. (2014) §2.2–2.3: a thin massless layer on a body, in a frame of its own.
 *
 *   sphere      about the origin
 *   cylinder    lateral surface only, axis z, from −length/2 to length/2
 *   rectangle   in the xy plane about the origin, width along x, length along y, outward normal +z; Infinity or
 *               nothing given: without end, a plane
 *   circle      the disc face in the xy plane, outward normal +z
 *   points      corners of a body, each a contact point of its own
 *
 * The frame of the shape in `ShapePoses` is the frame of the surface.
 */
import { ModelError } from '../../errors.js';
import { isFiniteVec3, type Vec2, type Vec3 } from '../../math/vec3.js';

export type IdealizedSurface =
  | { readonly kind: 'sphere'; readonly radius: number }
  | { readonly kind: 'cylinder'; readonly radius: number; readonly length: number }
  | { readonly kind: 'rectangle'; readonly width?: number; readonly length?: number }
  | { readonly kind: 'circle'; readonly radius: number }
  | { readonly kind: 'points'; readonly points: readonly Vec3[] };

export type SurfaceKind = IdealizedSurface['kind'];
export type Sphere = Extract<IdealizedSurface, { kind: 'sphere' }>;
export type Cylinder = Extract<IdealizedSurface, { kind: 'cylinder' }>;
export type Rectangle = Extract<IdealizedSurface, { kind: 'rectangle' }>;
export type Circle = Extract<IdealizedSurface, { kind: 'circle' }>;
export type Points = Extract<IdealizedSurface, { kind: 'points' }>;

export const isFace = (surface: IdealizedSurface): surface is Rectangle | Circle =>
  surface.kind === 'rectangle' || surface.kind === 'circle';

/** A rectangle without end in at least one direction: it has no corners to touch with. */
export const isEndless = (surface: IdealizedSurface): boolean =>
  surface.kind === 'rectangle' && Math.max(...sides(surface)) === Number.POSITIVE_INFINITY;

/** Width and length of a rectangle, m. */
export const sides = ({ width = Number.POSITIVE_INFINITY, length = Number.POSITIVE_INFINITY }: Rectangle): Vec2 => [
  width,
  length,
];

/** @throws ModelError for a size that is not a length, or an unknown kind */
export function requireSurface(path: string, surface: IdealizedSurface): void {
  const size = (name: string, value: number, endless: boolean): void => {
    const finite = value < Number.POSITIVE_INFINITY;
    if (!(value > 0) || !(finite || endless))
      throw new ModelError(`${path}.${name}`, `expected a${endless ? '' : ' finite'} length > 0 m, got ${value}`);
  };
  switch (surface.kind) {
    case 'sphere':
    case 'circle':
      size('radius', surface.radius, false);
      break;
    case 'cylinder':
      size('radius', surface.radius, false);
      size('length', surface.length, false);
      break;
    case 'rectangle':
      size('width', sides(surface)[0], true);
      size('length', sides(surface)[1], true);
      break;
    case 'points':
      if (surface.points.length === 0) throw new ModelError(`${path}.points`, 'expected at least one point, got none');
      surface.points.forEach((point, i) => {
        if (point.length !== 3 || !isFiniteVec3(point))
          throw new ModelError(`${path}.points[${i}]`, `expected three coordinates in m, got [${point.join(', ')}]`);
      });
      break;
    default:
      throw new ModelError(
        `${path}.kind`,
        `expected sphere, cylinder, rectangle, circle or points, got ${(surface as { kind: unknown }).kind}`,
      );
  }
}

/**
 * How far behind a face a body still counts as pressed into it, m, where the user says nothing: half the smaller side of the
 * face, the radius of a disc; without limit for endless planes and for curved surfaces, where the depth has an end of its own.
 */
export function layerThickness(surface: IdealizedSurface): number {
  if (surface.kind === 'circle') return surface.radius;
  return surface.kind === 'rectangle' ? Math.min(...sides(surface)) / 2 : Number.POSITIVE_INFINITY;
}

/**
 * Box in the surface's frame around all places where something can touch it, m: for a face with the layer behind it.
 * Infinite for a plane without end.
 */
export function surfaceBounds(
  surface: IdealizedSurface,
  thickness = layerThickness(surface),
): { readonly min: Vec3; readonly max: Vec3 } {
  const around = (x: number, y: number, z: number): { min: Vec3; max: Vec3 } => ({ min: [-x, -y, -z], max: [x, y, z] });
  switch (surface.kind) {
    case 'sphere':
      return around(surface.radius, surface.radius, surface.radius);
    case 'cylinder':
      return around(surface.radius, surface.radius, surface.length / 2);
    case 'rectangle': {
      const [width, length] = sides(surface);
      return { min: [-width / 2, -length / 2, -thickness], max: [width / 2, length / 2, 0] };
    }
    case 'circle':
      return { min: [-surface.radius, -surface.radius, -thickness], max: [surface.radius, surface.radius, 0] };
    case 'points': {
      const min = [0, 1, 2].map((k) =>
        surface.points.reduce((least, p) => Math.min(least, p[k]), Number.POSITIVE_INFINITY),
      );
      const max = [0, 1, 2].map((k) =>
        surface.points.reduce((most, p) => Math.max(most, p[k]), Number.NEGATIVE_INFINITY),
      );
      return { min: min as unknown as Vec3, max: max as unknown as Vec3 };
    }
  }
}
