/** The model's forces, and those that joints carry themselves, as plans for force elements. */
import { ModelError } from '../errors.js';
import { norm, sub, type Vec3, ZERO } from '../math/vec3.js';
import type { ContactElementPlan } from '../model/contact-element.js';
import type { Force } from '../model/forces.js';
import { GROUND, type Model } from '../model/model.js';
import { type AnchorAt, type Coordinate, drawnBody, drawnFrame } from './places.js';
import type { ElementPlan } from './system.js';

/** Plans in the order: joints, forces, elements of the user's own, each as written; and what their states are at the start. */
export function elementPlans(
  model: Model,
  anchorAt: AnchorAt,
  coordinateOf: (joint: string) => Coordinate | undefined,
): { plans: ElementPlan[]; states: number[] } {
  const plans: ElementPlan[] = [];
  const states: number[] = [];
  for (const [name, joint] of model.joints) {
    if (joint.kind !== 'revolute' && joint.kind !== 'prismatic' && joint.kind !== 'screw') continue;
    const { spring, damping, stops, friction, motor } = joint;
    const own = joint.kind === 'prismatic' ? joint.force : joint.torque;
    if (!spring && damping === undefined && !stops && !friction && !motor && own === undefined) continue;
    const coordinate = coordinateOf(name);
    if (!coordinate)
      throw new ModelError(
        `joints.${name}`,
        'its motion is prescribed, so forces along it would do nothing; give one or the other',
      );
    if (stops && stops.lower === undefined && stops.upper === undefined)
      throw new ModelError(`joints.${name}.stops`, 'expected a lower or an upper stop, got neither');
    if (stops && (stops.lower ?? -Infinity) >= (stops.upper ?? Infinity))
      throw new ModelError(`joints.${name}.stops`, `expected lower < upper, got ${stops.lower} and ${stops.upper}`);
    plans.push({
      kind: 'coordinate',
      name: `joints.${name}`,
      q: coordinate.q,
      v: coordinate.v,
      stiffness: spring?.stiffness ?? 0,
      rest: spring?.rest ?? 0,
      damping: damping ?? 0,
      ...(stops && {
        stops: {
          lower: stops.lower ?? -Infinity,
          upper: stops.upper ?? Infinity,
          stiffness: stops.stiffness,
          restitution: stops.restitution ?? 0.5,
        },
      }),
      // A stuck joint gives by about 1e-3 rad or m at the limit unless the user says how stiff it is. A limit of 0 is no friction: a bristle
      // without stiffness would have no scale that its errors could be compared with.
      ...(friction &&
        friction.limit > 0 && {
          friction: {
            limit: friction.limit,
            stiffness: friction.stiffness ?? 1e3 * friction.limit,
            state: states.push(0) - 1,
          },
        }),
      ...(motor && {
        motor: {
          target: overTime(motor.target ?? 0),
          speed: overTime(motor.targetSpeed ?? 0),
          kp: motor.kp ?? 0,
          kd: motor.kd ?? 0,
          limit: motor.limit ?? Infinity,
        },
      }),
      ...(own !== undefined && { force: typeof own === 'number' ? () => own : own }),
    });
  }
  for (const [name, force] of model.forces) plans.push(forcePlan(model, force, `forces.${name}`, anchorAt));
  for (const [name, element] of model.elements) {
    const plan = ownPlan(model, element, `elements.${name}`, anchorAt, states.length);
    plans.push(plan);
    for (const { initial } of plan.states) states.push(initial);
  }
  return { plans, states };
}

function ownPlan(
  model: Model,
  { between, states = {}, signals = {}, dependsOnTime = false, shares, create }: ContactElementPlan,
  path: string,
  anchorAt: AnchorAt,
  state: number,
): Extract<ElementPlan, { kind: 'own' }> {
  return {
    kind: 'own',
    name: path,
    a: anchorAt(drawnBody(model, between[0])),
    b: anchorAt(drawnBody(model, between[1])),
    carrierNames: between,
    states: Object.entries(states).map(([name, { unit = '', initial = 0, scale }]) => ({ name, unit, initial, scale })),
    state,
    signals: Object.entries(signals).map(([name, given]) => {
      const { unit = '', description = '' } = typeof given === 'string' ? { unit: given } : given;
      return { name, unit, description };
    }),
    dependsOnTime,
    shares,
    create,
  };
}

const overTime = (value: number | ((t: number) => number)): ((t: number) => number) =>
  typeof value === 'number' ? () => value : value;

/** What a user's function gave, if it is a vector. Numbers that are not finite are refused where forces are added up. */
function given(value: Vec3, t: number, path: string, unit: string): Vec3 {
  if (Array.isArray(value) && value.length === 3) return value;
  throw new ModelError(path, `t = ${t} s: expected the function to give [x, y, z] in ${unit}, got ${String(value)}`);
}

function forcePlan(model: Model, force: Force, path: string, anchorAt: AnchorAt): ElementPlan {
  if (force.kind === 'applied') {
    const { force: push = ZERO, torque: twist = ZERO } = force;
    const constant = (value: Vec3 | ((...given: never[]) => Vec3)): value is Vec3 => typeof value !== 'function';
    return {
      kind: 'applied',
      name: path,
      b: anchorAt(drawnFrame(model, force.on)),
      ...(force.reactionOn !== undefined && { a: anchorAt(drawnFrame(model, force.reactionOn)) }),
      axes: force.axes ?? 'world',
      onlyTime: [push, twist].every((value) => constant(value) || value.length < 2),
      steady: constant(push) && constant(twist),
      wrench: (t, motion, out) => {
        out.set(constant(push) ? push : given(push(t, motion), t, `${path}.force`, 'N'), 0);
        out.set(constant(twist) ? twist : given(twist(t, motion), t, `${path}.torque`, 'N m'), 3);
      },
    };
  }
  const from = drawnFrame(model, force.from);
  const to = drawnFrame(model, force.to);
  if (from.body === to.body)
    throw new ModelError(
      path,
      `both ends are on ${from.body === GROUND ? 'the ground' : `"${from.body}"`}; a force between them would do nothing`,
    );
  const ends = { name: path, a: anchorAt(from), b: anchorAt(to) };
  if (force.kind === 'bushing')
    return { kind: 'bushing', ...ends, stiffness: force.stiffness, damping: force.damping ?? [0, 0, 0, 0, 0, 0] };
  const drawn = norm(sub(to.position, from.position));
  if (force.kind === 'lineForce')
    return { kind: 'line', ...ends, stiffness: 0, damping: 0, rest: drawn, law: force.law };
  return {
    kind: 'line',
    ...ends,
    stiffness: force.stiffness ?? 0,
    damping: force.damping ?? 0,
    rest: force.restLength ?? drawn,
  };
}
