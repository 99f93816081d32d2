/** What contact needs to know of a flexible body: its surface, how that gives, how hard it is. */
import type { SoftSide } from '../../flexible-bodies/contact/soft-side.js';
import type { RigidForm } from '../../flexible-bodies/contact/solid/rigid-solid.js';
import type { SolidSide } from '../../flexible-bodies/contact/solid/solid-side.js';
import type { Touching } from '../../flexible-bodies/contact/touching.js';
import type { PlaneFlexiblePart, SolidFlexiblePart } from '../../flexible-bodies/flexible-part.js';
import { pow } from '../../math/power.js';
import type { FlexibleInertia } from '../flexible/flexible-inertia.js';

export function softSide({ plan }: FlexibleInertia, { ContactSurface, ResidualCompliance }: Touching): SoftSide {
  const part = plan.part as PlaneFlexiblePart;
  const surface = new ContactSurface(part.mesh, part.material.thickness, (side) => part.open[side] !== 0);
  return {
    surface,
    compliance: new ResidualCompliance(surface, 2 * part.mesh.nodeCount, 2, part.residual),
    shapes: part.shapes,
    modulus: part.material.youngsModulus,
  };
}

export function solidSide({ plan }: FlexibleInertia, { SolidSurface, ResidualCompliance }: Touching): SolidSide {
  const part = plan.part as SolidFlexiblePart;
  const surface = new SolidSurface(part);
  return {
    surface,
    compliance: new ResidualCompliance(surface, 3 * part.mesh.nodeCount, 3, part.residual),
    shapes: part.shapes,
    modulus: part.material.youngsModulus,
    poissonRatio: part.material.poissonRatio,
  };
}

/** Of a middle point of the surface of a planar part, N/m */
export function planeStiffness({ surface, modulus, compliance }: SoftSide, { HARDNESS }: Touching): number {
  const middle = Math.floor(surface.pointCount / 2);
  const { areas, lengths } = surface;
  const penalty = lengths[middle] / (HARDNESS * modulus * areas[middle]);
  return 1 / (penalty + compliance.between(middle, middle));
}

/** Of a ball the secant of Hertz's law at the depth of an impact at 0.1 m/s; else that of a middle point of the surface, N/m */
export function solidStiffness(
  { surface, modulus, compliance }: SolidSide,
  form: RigidForm | undefined,
  mass: number,
  { HARDNESS }: Touching,
): number {
  if (form?.kind === 'ball') {
    // (2/5) K δ^(5/2) = ½ m v²
    const depth = pow((1.25 * mass * 0.01) / form.stiffness, 0.4);
    return form.stiffness * Math.sqrt(depth);
  }
  const middle = Math.floor(surface.pointCount / 2);
  const { areas, lengths } = surface;
  return 1 / (lengths[middle] / (HARDNESS * modulus * areas[middle]) + compliance.between(middle, middle));
}
