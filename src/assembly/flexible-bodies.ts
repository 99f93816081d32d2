/**
 * Flexible bodies of a model: where joints, constraints and forces take hold of each, its mesh and reduction, and the data of its node.
 */
import { ModelError } from '../errors.js';
import { type BuiltPart, buildPart } from '../flexible-bodies/flexible-part.js';
import { type ShapeIntegrals, shapeIntegrals } from '../flexible-bodies/shape-integrals.js';
import type { Form, Solid } from '../geometry/solid.js';
import { fromQuaternion, type Mat3 } from '../math/mat3.js';
import { conjugate, multiply, type Quaternion, rotate } from '../math/quaternion.js';
import { add, sub, type Vec3 } from '../math/vec3.js';
import type { FlexibleOptions } from '../model/flexible.js';
import type { Model } from '../model/model.js';
import { drawnBody, drawnFrame } from './places.js';

/** A flexible body on its way into the tree; axes and places of the drawing. */
export interface FlexibleDraft {
  readonly name: string;
  /** World axes of the part's plane: x, y, normal */
  readonly axes: readonly [Vec3, Vec3, Vec3];
  /** World places of the interfaces; the first holds the frame */
  readonly points: readonly { readonly name: string; readonly position: Vec3 }[];
  readonly built: BuiltPart;
  /** About the first interface, in world axes */
  readonly integrals: ShapeIntegrals;
}

interface Hold {
  readonly name: string;
  readonly position: Vec3;
}

/** Points of a body at which something other than `inboard` takes hold of it, each once. */
function holdsOf(model: Model, body: string, inboard: string): Hold[] {
  const found: Hold[] = [];
  const hold = (name: string, position: Vec3): void => {
    if (!found.some((other) => near(other.position, position))) found.push({ name, position });
  };
  for (const [name, joint] of model.joints)
    if (name !== inboard && (joint.body === body || joint.to === body))
      hold(
        `joints.${name}`,
        joint.at === undefined ? drawnBody(model, joint.body).position : drawnFrame(model, joint.at).position,
      );
  const end = (name: string, reference: Parameters<typeof drawnFrame>[1]): void => {
    const frame = drawnFrame(model, reference);
    if (frame.body === body) hold(name, frame.position);
  };
  for (const [name, constraint] of model.constraints) {
    if (constraint.kind === 'rod') {
      end(`constraints.${name}`, constraint.from);
      end(`constraints.${name}`, constraint.to);
    } else if (constraint.kind === 'pointOnPlane') {
      end(`constraints.${name}`, constraint.point);
      end(`constraints.${name}`, constraint.plane);
    }
  }
  for (const [name, force] of model.forces)
    if (force.kind === 'applied') {
      end(`forces.${name}`, force.on);
      if (force.reactionOn !== undefined) end(`forces.${name}`, force.reactionOn);
    } else {
      end(`forces.${name}`, force.from);
      end(`forces.${name}`, force.to);
    }
  return found;
}

export const near = (a: Vec3, b: Vec3): boolean => {
  const d = sub(a, b);
  return d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= 1e-18 * (1 + a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
};

/**
 * @param inboard joint that carries the body, and its place as drawn
 * @throws ModelError if the part cannot be meshed, or a joint takes hold of nothing
 */
export function draftFlexible(model: Model, name: string, inboard: string, at: Vec3): FlexibleDraft {
  const body = model.bodies.get(name)!;
  const path = `bodies.${name}`;
  const options: FlexibleOptions = typeof body.flexible === 'object' ? body.flexible : {};
  const solid = (Array.isArray(body.shape) ? body.shape[0] : body.shape) as Solid;
  const form = solid.form as Extract<Form, { kind: 'extrusion' }>;
  const drawn = drawnBody(model, name);
  const orientation: Quaternion = multiply(drawn.orientation, solid.pose.orientation);
  const origin = add(drawn.position, rotate(drawn.orientation, solid.pose.position));
  const local = (position: Vec3): Vec3 => rotate(conjugate(orientation), sub(position, origin));
  const holds = [{ name: `joints.${inboard}`, position: at }, ...holdsOf(model, name, inboard)].filter(
    (hold, i) => i === 0 || !near(hold.position, at),
  );
  const built = buildPart({
    profile: form.profile,
    thickness: form.height,
    material: body.material!,
    options,
    points: holds.map((hold) => {
      const [x, y] = local(hold.position);
      const key = hold.name.slice(hold.name.indexOf('.') + 1);
      return { name: hold.name, at: [x, y], radius: options.interfaces?.[key]?.radius };
    }),
    path,
  });
  const unknown = Object.keys(options.interfaces ?? {}).find(
    (key) => !holds.some((hold) => hold.name.slice(hold.name.indexOf('.') + 1) === key),
  );
  if (unknown !== undefined)
    throw new ModelError(
      `${path}.flexible.interfaces.${unknown}`,
      `no joint, constraint or force of that name takes hold of "${name}"; there are ${holds.map((hold) => hold.name).join(', ')}`,
    );
  const matrix: Mat3 = fromQuaternion(orientation);
  const [x, y, z] = local(at);
  return {
    name,
    axes: [
      [matrix[0], matrix[3], matrix[6]],
      [matrix[1], matrix[4], matrix[7]],
      [matrix[2], matrix[5], matrix[8]],
    ],
    points: holds,
    built,
    integrals: shapeIntegrals(built.plane, built.part.shapes, [x, y, z - form.height / 2], matrix),
  };
}
