/** What a model is made of, as assembled: bodies, joints, degrees of freedom, states. */
import { bodyInertia } from '../assembly/inertia.js';
import { type JointPlace, NODE, type System } from '../assembly/system.js';
import { degreesOfFreedom, redundancy } from '../dynamics/analysis.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { nodeNames } from '../dynamics/tree/dynamics-error.js';
import type { Solid } from '../geometry/solid.js';
import { meshBounds } from '../geometry/triangle-mesh.js';
import { symmetricEigen } from '../math/symmetric-eigen.js';
import type { Vec3 } from '../math/vec3.js';
import type { Body } from '../model/body.js';
import { GROUND, type Model } from '../model/model.js';

export interface BodyFacts {
  readonly name: string;
  /** kg; null for what is fixed */
  readonly mass: number | null;
  /** m, in the body's frame */
  readonly centreOfMass: Vec3;
  /** kg m², about the centre of mass, ascending */
  readonly principalMoments: Vec3;
  /** m, of the box around its shape in its own axes; null without a shape, and for half-spaces */
  readonly size: Vec3 | null;
  /** free: 6 degrees of its own, outside the tree; tree: hangs on `joint`, or floats if there is none; fixed: part of the ground */
  readonly held: 'free' | 'tree' | 'fixed';
  readonly joint: string | null;
}

export interface JointFacts {
  readonly name: string;
  readonly kind: string;
  readonly body: string;
  readonly to: string;
  /** tree: it has coordinates; cut: it closes a loop by constraint rows */
  readonly place: 'tree' | 'cut';
  /** Velocities it has in the state; 0 where it is cut, fixed or moved by a prescribed motion */
  readonly coordinates: number;
  readonly prescribed: boolean;
  /** Constraint rows of a cut joint, and those of them that no other row says already */
  readonly rows: number;
  readonly independent: number;
  /** False for a joint that takes hold only at an event */
  readonly active: boolean;
}

export interface ConstraintFacts {
  readonly name: string;
  readonly kind: string;
  readonly rows: number;
  readonly independent: number;
}

/** Entries y[at … at + count − 1] of the state. */
export interface StateFacts {
  readonly at: number;
  readonly count: number;
  readonly of: string;
  readonly what: string;
  readonly unit: string;
}

export interface Structure {
  readonly bodies: readonly BodyFacts[];
  readonly joints: readonly JointFacts[];
  readonly constraints: readonly ConstraintFacts[];
  readonly degreesOfFreedom: number;
  /** Constraint rows that say nothing new: the motion is unique, the split of reactions is not */
  readonly redundantRows: number;
  readonly states: {
    readonly count: number;
    readonly positions: number;
    readonly velocities: number;
    readonly elements: number;
    /** Reserved for the friction of contacts: 3 per region, 5 with rolling friction; more are made when they run short */
    readonly reserved: number;
    readonly layout: readonly StateFacts[];
  };
}

/** `mechanics` must have been initialised. */
export function structureOf(model: Model, mechanics: MechanicalSystem): Structure {
  const { system } = mechanics;
  const rows = new Map(redundancy(mechanics).map((facts) => [facts.constraint, facts]));
  const heldBy = new Map(system.joints.flatMap((joint) => carried(joint).map((node) => [node, joint.name] as const)));
  return {
    bodies: system.bodies.map(({ name, anchor, fixed }) => ({
      name,
      ...(fixed ? fixedFacts(model.bodies.get(name)!) : massFacts(model.bodies.get(name)!, name)),
      held: fixed ? 'fixed' : anchor.node < -1 ? 'free' : 'tree',
      joint: heldBy.get(anchor.node) ?? null,
    })),
    joints: system.joints.map((place) => {
      const { body, to = GROUND } = model.joints.get(place.name)!;
      const counted = rows.get(`joints.${place.name}`);
      return {
        name: place.name,
        kind: place.kind,
        body,
        to,
        place: place.constraint < 0 ? 'tree' : 'cut',
        coordinates: place.nodes.reduce((sum, node) => sum + velocitiesOf(system, node), 0),
        prescribed: place.nodes.some((node) => system.tree.motion[node] >= 0),
        rows: place.constraint < 0 ? 0 : system.constraints[place.constraint].rows.length,
        independent: counted?.independent ?? 0,
        active: place.constraint < 0 || counted !== undefined,
      };
    }),
    constraints: [...model.constraints].map(([name, { kind }]) => {
      const counted = rows.get(`constraints.${name}`)!;
      return { name, kind, rows: counted.rows, independent: counted.independent };
    }),
    degreesOfFreedom: degreesOfFreedom(mechanics),
    redundantRows: [...rows.values()].reduce((sum, facts) => sum + facts.rows - facts.independent, 0),
    states: {
      count: system.nq + system.nv + system.ns,
      positions: system.nq,
      velocities: system.nv,
      elements: system.ns,
      reserved: mechanics.size - system.nq - system.nv - system.ns,
      layout: layoutOf(system),
    },
  };
}

/** Last node of the chain: the one that carries the joint's body. */
const carried = ({ nodes }: JointPlace): number[] => (nodes.length > 0 ? [Math.max(...nodes)] : []);

type MassFacts = Pick<BodyFacts, 'mass' | 'centreOfMass' | 'principalMoments' | 'size'>;

function massFacts(body: Body, name: string): MassFacts {
  const { mass, centre, inertia } = bodyInertia(body, `bodies.${name}`);
  const moments = [...symmetricEigen(inertia).values].sort((a, b) => a - b);
  return { mass, centreOfMass: centre, principalMoments: moments as unknown as Vec3, size: sizeOf(body) };
}

const fixedFacts = (body: Body): MassFacts => ({
  mass: null,
  centreOfMass: [0, 0, 0],
  principalMoments: [0, 0, 0],
  size: sizeOf(body),
});

function sizeOf(body: Body): Vec3 | null {
  const solids: readonly Solid[] = body.shape === undefined ? [] : [body.shape].flat();
  if (solids.length === 0 || solids.some(({ form }) => form.kind === 'halfSpace')) return null;
  const boxes = solids.map(({ mesh }) => meshBounds(mesh));
  return [0, 1, 2].map(
    (k) => Math.max(...boxes.map(({ max }) => max[k])) - Math.min(...boxes.map(({ min }) => min[k])),
  ) as unknown as Vec3;
}

const velocitiesOf = ({ tree }: System, node: number): number =>
  tree.v[node] < 0 ? 0 : tree.kind[node] === NODE.spherical ? 3 : 1;

/** In the order of the state: positions, velocities, states of elements. */
function layoutOf(system: System): StateFacts[] {
  const { tree, free, nq, nv, bodies, elements } = system;
  const names = nodeNames(system);
  const positions: StateFacts[] = [];
  const velocities: StateFacts[] = [];
  for (let i = 0; i < tree.count; i++) {
    if (tree.v[i] < 0) continue;
    const of = names[i];
    const ball = tree.kind[i] === NODE.spherical;
    const slides = tree.kind[i] === NODE.prismatic;
    positions.push({
      at: tree.q[i],
      count: ball ? 4 : 1,
      of,
      what: ball ? 'quaternion w x y z' : slides ? 'position' : 'angle',
      unit: ball ? '' : slides ? 'm' : 'rad',
    });
    velocities.push({
      at: nq + tree.v[i],
      count: ball ? 3 : 1,
      of,
      what: ball ? "angular velocity in the body's frame" : slides ? 'speed' : 'angular speed',
      unit: slides ? 'm/s' : 'rad/s',
    });
  }
  for (const { name, anchor } of bodies) {
    if (anchor.node > -2) continue;
    const index = -2 - anchor.node;
    const q = nq - 7 * free.count + 7 * index;
    const v = nq + nv - 6 * free.count + 6 * index;
    const of = `bodies.${name}`;
    positions.push({ at: q, count: 3, of, what: 'position of the centre of mass', unit: 'm' });
    positions.push({ at: q + 3, count: 4, of, what: 'quaternion w x y z of the principal axes', unit: '' });
    velocities.push({ at: v, count: 3, of, what: 'velocity of the centre of mass', unit: 'm/s' });
    velocities.push({ at: v + 3, count: 3, of, what: 'angular velocity about the principal axes', unit: 'rad/s' });
  }
  const states = elements.flatMap((plan): StateFacts[] =>
    plan.kind === 'coordinate' && plan.friction
      ? [
          {
            at: nq + nv + plan.friction.state,
            count: 1,
            of: plan.name,
            what: 'bristle of dry friction',
            unit: 'm or rad',
          },
        ]
      : [],
  );
  return [...positions, ...velocities, ...states].sort((a, b) => a.at - b.at);
}
