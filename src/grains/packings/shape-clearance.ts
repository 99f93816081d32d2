/**
 * Whether a ball is clear of grains that are there, by their form and not by the balls about them: of a ball by its radius, of a polyhedron if it is beyond one of its faces. Beside an edge or a corner it
 * may be clear and not be told so: seeds find other places.
 */
import { SPHERE } from '../../kernels/polyhedron-overlap.kernel.js';
import { conjugate, multiply, type Quaternion, rotate } from '../../math/quaternion.js';
import type { Vec3 } from '../../math/vec3.js';
import type { NewGrain } from '../bed.js';
import type { Clearance } from '../clearance.js';
import { Neighbourhood, type Period } from '../neighbourhood.js';
import type { GrainForms } from '../shapes/grain-forms.js';
import type { Piece } from '../shapes/piece.js';

/** @param greatest radius of the balls that are asked for, m */
export function clearOfShapes(
  others: readonly NewGrain[],
  forms: readonly GrainForms[],
  greatest: number,
  period: Period | undefined,
): Clearance {
  const widest = others.reduce((most, { radius }) => Math.max(most, radius), greatest);
  const placed = new Neighbourhood(2 * widest, period);
  const grains = others.map(({ position, radius, kind, form = 0, orientation = [1, 0, 0, 0] }) => {
    placed.add(...position, radius);
    const { pieces, axes } = forms[kind].shapes[form];
    const back: Quaternion = conjugate(multiply(orientation, axes));
    return { pieces, radius, back };
  });
  return (x, y, z, r) =>
    !placed.someNear(x, y, z, r, (i, way) => {
      const { pieces, radius, back } = grains[i];
      const [px, py, pz] = rotate(back, way);
      const p: Vec3 = [px / radius, py / radius, pz / radius];
      return pieces.some((piece) => reaches(piece, p, r / radius));
    });
}

/** Whether a ball reaches into a piece, as far as its planes tell */
function reaches({ kind, middle, radius, planes }: Piece, [x, y, z]: Vec3, r: number): boolean {
  if (kind === SPHERE) {
    const [dx, dy, dz] = [x - middle[0], y - middle[1], z - middle[2]];
    return dx * dx + dy * dy + dz * dz < (radius + r) * (radius + r);
  }
  for (let p = 0; p < planes.length; p += 4)
    if (planes[p] * x + planes[p + 1] * y + planes[p + 2] * z - planes[p + 3] >= r) return false;
  return true;
}
