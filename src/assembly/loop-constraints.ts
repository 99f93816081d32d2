/** What closes loops: joints that the tree was cut at, and the model's own constraints, as rows between carriers. */
import { ModelError } from '../errors.js';
import { IDENTITY } from '../math/quaternion.js';
import { norm, sub, type Vec3, ZERO } from '../math/vec3.js';
import type { Constraint as ModelConstraint } from '../model/constraints.js';
import { GROUND, type Model } from '../model/model.js';
import { cutRows } from './joint-chains.js';
import { type AnchorAt, type Coordinate, drawnFrame, jointPoint } from './places.js';
import type { Anchor, Constraint } from './system.js';
import { refuseCut, startsOpen } from './tree-links.js';

/** A joint that closes a loop. @throws ModelError if something acts along it */
export function cutJoint(model: Model, name: string, anchorAt: AnchorAt): Constraint {
  const joint = model.joints.get(name)!;
  refuseCut(name, joint, model);
  const position = jointPoint(model, joint);
  const frame = (body: string): Anchor => anchorAt({ body, position, orientation: IDENTITY });
  return {
    name: `joints.${name}`,
    rows: cutRows(joint, frame(joint.to ?? GROUND), frame(joint.body)),
    activeAtStart: !startsOpen(name, model),
  };
}

/** Bodies at either end of a constraint: they need nodes, for rows act on nodes. */
export function tiedBodies(model: Model, cuts: readonly string[]): Set<string> {
  const tied = new Set<string>();
  for (const name of cuts) {
    const { body, to } = model.joints.get(name)!;
    tied.add(body).add(to ?? GROUND);
  }
  for (const constraint of model.constraints.values())
    for (const reference of constraintEnds(constraint)) tied.add(drawnFrame(model, reference).body);
  return tied;
}

function constraintEnds(constraint: ModelConstraint) {
  if (constraint.kind === 'gear') return [];
  if (constraint.kind === 'rollingWheel')
    return [constraint.body, ...(constraint.plane === undefined ? [] : [constraint.plane])];
  return constraint.kind === 'rod' ? [constraint.from, constraint.to] : [constraint.point, constraint.plane];
}

export function constraintRows(
  model: Model,
  constraint: ModelConstraint,
  path: string,
  anchorAt: AnchorAt,
  coordinateOf: (joint: string) => Coordinate | undefined,
  initialQ: readonly number[],
): Constraint['rows'] {
  // Directions are kept in the carrier's axes, which for nodes are the world's as drawn.
  const anchor = (reference: Parameters<typeof drawnFrame>[1], carrier?: string): Anchor => ({
    ...anchorAt({ ...drawnFrame(model, reference, carrier), orientation: IDENTITY }),
  });
  switch (constraint.kind) {
    case 'gear': {
      const [first, second] = constraint.joints.map((name, i) => {
        const coordinate = coordinateOf(name);
        if (coordinate) return coordinate.q;
        throw new ModelError(`${path}.joints[${i}]`, noCoordinate(model, name, constraint));
      });
      return [
        {
          kind: 'coupler',
          coordinates: [first, second],
          ratios: [1, -constraint.ratio],
          offset: initialQ[first] - constraint.ratio * initialQ[second],
        },
      ];
    }
    case 'rod': {
      const a = drawnFrame(model, constraint.from);
      const b = drawnFrame(model, constraint.to);
      const length = constraint.length ?? norm(sub(b.position, a.position));
      if (!(length > 0)) throw new ModelError(path, 'its two ends are at one point; expected a length > 0 m');
      return [{ kind: 'distance', a: anchor(constraint.from), b: anchor(constraint.to), length }];
    }
    case 'pointOnPlane':
      return [
        {
          kind: 'point',
          a: anchor(constraint.plane),
          b: anchor(constraint.point),
          direction: unit(constraint.normal),
          offset: 0,
        },
      ];
    case 'rollingWheel': {
      const wheel = {
        a: anchor(constraint.plane ?? ZERO),
        b: constraint.at === undefined ? anchor(constraint.body) : anchor({ body: constraint.body, at: constraint.at }),
        radius: constraint.radius,
        axis: unit(constraint.axis),
        normal: unit(constraint.normal ?? [0, 0, 1]),
      };
      return [
        { kind: 'wheel', ...wheel },
        { kind: 'roll', ...wheel, along: 'rolling' },
        { kind: 'roll', ...wheel, along: 'lateral' },
      ];
    }
  }
}

const unit = (v: Vec3): Vec3 => {
  const length = norm(v);
  return [v[0] / length, v[1] / length, v[2] / length];
};

/** Why a joint cannot be geared, and what to do where it is driven */
function noCoordinate(
  model: Model,
  name: string,
  { joints, ratio }: Extract<ModelConstraint, { kind: 'gear' }>,
): string {
  const joint = model.joints.get(name)!;
  const own = joint as { speed?: number; angle?: unknown; position?: unknown };
  const key = ['speed', 'angle', 'position'].find((one) => own[one as keyof typeof own] !== undefined);
  if (key === undefined)
    return `expected a joint with one coordinate that is free to move, but "${name}" is ${joint.kind}`;
  const other = joints[0] === name ? joints[1] : joints[0];
  const times = Number((joints[0] === name ? 1 / ratio : ratio).toPrecision(6));
  return (
    `expected a joint that is free to move, but "${name}" is driven by its ${key}; drive "${other}" by ${times} times that, too, and leave out the gear, ` +
    `or give "${name}" a motor in place of the ${key}, such as motor: { targetSpeed, kd }`
  );
}
