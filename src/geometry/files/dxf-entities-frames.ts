/**
 * Frames of DXF entities: affine maps from an entity's coordinates to the drawing's.
 *
 * Flat entities carry their normal N (group codes 210, 220, 230) and coordinates in a frame that the arbitrary axis
 * algorithm makes from N alone: X = Y_W × N where N is close to Z_W, else Z_W × N; Y = N × X. A mirrored part has
 * N = −Z and therefore X = −X_W, Y = Y_W.
 *
 * AutoCAD DXF Reference (2012), "Arbitrary Axis Algorithm".
 */
import { cross, norm, normalize, type Vec3 } from '../../math/vec3.js';
import { circlePoint } from '../circle.js';

/** p ↦ x p₁ + y p₂ + z p₃ + origin */
export interface Frame {
  readonly x: Vec3;
  readonly y: Vec3;
  readonly z: Vec3;
  readonly origin: Vec3;
}

export const WORLD: Frame = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1], origin: [0, 0, 0] };

/** The vector v of the frame, seen from outside. */
export const direction = (frame: Frame, v: Vec3): Vec3 => [
  frame.x[0] * v[0] + frame.y[0] * v[1] + frame.z[0] * v[2],
  frame.x[1] * v[0] + frame.y[1] * v[1] + frame.z[1] * v[2],
  frame.x[2] * v[0] + frame.y[2] * v[1] + frame.z[2] * v[2],
];

/** The point p of the frame, seen from outside. */
export const place = (frame: Frame, p: Vec3): Vec3 => {
  const v = direction(frame, p);
  return [v[0] + frame.origin[0], v[1] + frame.origin[1], v[2] + frame.origin[2]];
};

/** The frame `inner`, given in `outer`, seen from outside. */
export const chain = (outer: Frame, inner: Frame): Frame =>
  outer === WORLD
    ? inner
    : inner === WORLD
      ? outer
      : {
          x: direction(outer, inner.x),
          y: direction(outer, inner.y),
          z: direction(outer, inner.z),
          origin: place(outer, inner.origin),
        };

/** The frame of flat entities with this normal; undefined for a zero normal. */
export function frameOfNormal(normal: Vec3): Frame | undefined {
  if (normal[0] === 0 && normal[1] === 0 && normal[2] > 0) return WORLD;
  if (!(norm(normal) > 0)) return undefined;
  const z = normalize(normal);
  const nearZ = Math.abs(z[0]) < 1 / 64 && Math.abs(z[1]) < 1 / 64;
  const x = normalize(cross(nearZ ? [0, 1, 0] : [0, 0, 1], z));
  return { x, y: normalize(cross(z, x)), z, origin: [0, 0, 0] };
}

/** The frame of a block's entities in an INSERT: T(position) R(angle) S(scale) T(−base); angle in degrees. */
export function frameOfInsert(position: Vec3, angle: number, scale: Vec3, base: Vec3): Frame {
  // Whole quarter turns come out exact; circlePoint reduces any number of degrees without rounding.
  const [c, s] = circlePoint(angle, 360);
  const turned: Frame = {
    x: [scale[0] * c, scale[0] * s, 0],
    y: [0 - scale[1] * s, scale[1] * c, 0],
    z: [0, 0, scale[2]],
    origin: [0, 0, 0],
  };
  const shift = direction(turned, base);
  return { ...turned, origin: [position[0] - shift[0], position[1] - shift[1], position[2] - shift[2]] };
}
