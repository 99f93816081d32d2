/** Points spread evenly inside a shape, for means over parts of space: those of a grid of cells that are in one of its pieces. */
import { HALF_SPACE, SPHERE } from '../../kernels/polyhedron-overlap.kernel.js';
import { cbrt } from '../../math/elementary.js';
import type { Vec3 } from '../../math/vec3.js';
import type { GrainShape } from '../shapes/grain-shape.js';
import type { Piece } from '../shapes/piece.js';

/** About so many points a shape */
const ABOUT = 40;

const known = new WeakMap<GrainShape, readonly Vec3[]>();

/** In the principal frame, m; at least one */
export function pointsIn(shape: GrainShape): readonly Vec3[] {
  const before = known.get(shape);
  if (before) return before;
  const pitch = cbrt(shape.volume / ABOUT);
  const n = Math.ceil(shape.radius / pitch);
  const points: Vec3[] = [];
  for (let i = -n; i < n; i++)
    for (let j = -n; j < n; j++)
      for (let k = -n; k < n; k++) {
        const point: Vec3 = [(i + 0.5) * pitch, (j + 0.5) * pitch, (k + 0.5) * pitch];
        if (shape.pieces.some((piece) => contains(piece, point))) points.push(point);
      }
  if (points.length === 0) points.push([0, 0, 0]);
  known.set(shape, points);
  return points;
}

function contains({ kind, middle, radius, planes }: Piece, [x, y, z]: Vec3): boolean {
  if (kind === HALF_SPACE) return false;
  if (kind === SPHERE) {
    const [dx, dy, dz] = [x - middle[0], y - middle[1], z - middle[2]];
    return dx * dx + dy * dy + dz * dz <= radius * radius;
  }
  for (let p = 0; p < planes.length; p += 4)
    if (planes[p] * x + planes[p + 1] * y + planes[p + 2] * z > planes[p + 3]) return false;
  return true;
}
