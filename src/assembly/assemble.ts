/**
 * Model → System. All node frames have the world's axes as drawn, with the origin at the joint, so the drawing itself is q = 0 and no
 * rotation enters between parent and child.
 *
 *   inertia → spanning tree → nodes and free bodies → loops → elements → state layout → contact plan
 */
import { ModelError, missingStage } from '../errors.js';
import { toQuaternion } from '../math/mat3.js';
import { conjugate, multiply, type Quaternion, rotate } from '../math/quaternion.js';
import { symmetricEigen } from '../math/symmetric-eigen.js';
import { add, norm, sub, type Vec3, ZERO } from '../math/vec3.js';
import { GRAVITY, type Gravity as ModelGravity } from '../model/gravity.js';
import { GROUND, type Model } from '../model/model.js';
import { AT_REST, contactPlan } from './contacts.js';
import { elementPlans } from './elements.js';
import { draftFlexible, floatingHold } from './flexible-bodies.js';
import { flexibleContactPlans } from './flexible-contacts.js';
import { type BodyInertia, bodyInertia } from './inertia.js';
import { chainOf, freeChain, reversedChain } from './joint-chains.js';
import { constraintRows, cutJoint, tiedBodies } from './loop-constraints.js';
import { motionOf } from './motions.js';
import { type AnchorAt, type Coordinate, drawnBody, jointPoint } from './places.js';
import { type SpanningTree, spanningTree } from './spanning-tree.js';
import { type BodyPlace, type Constraint, type Gravity, type JointPlace, NODE, type System } from './system.js';
import { TreeBuilder } from './tree-builder.js';
import { treeLinks } from './tree-links.js';

/** What bodies that deform need, as a value: models without them are assembled without it. */
export interface FlexibleAssembly {
  readonly draft: typeof draftFlexible;
  readonly hold: typeof floatingHold;
  readonly contacts: typeof flexibleContactPlans;
}

export const FLEXIBLE: FlexibleAssembly = { draft: draftFlexible, hold: floatingHold, contacts: flexibleContactPlans };

/**
 * Compiles a model, once.
 *
 * @throws ModelError where a joint that needs coordinates cannot be in the tree
 */
export const assemble = (model: Model): System => assembleWith(model, FLEXIBLE);

/** The bodies that move, by name: their inertia, and the centre of mass as drawn */
interface MovingBodies {
  readonly inertia: ReadonlyMap<string, BodyInertia>;
  readonly centre: ReadonlyMap<string, Vec3>;
}

/** A body that hangs on nothing: its state is that of the centre of mass, along principal axes */
interface FreeBody {
  readonly name: string;
  readonly moments: Vec3;
  /** Principal axes as drawn */
  readonly principal: Quaternion;
}

/** The same, where the program may have no code for bodies that deform. `told` hears what may take seconds. @throws ModelError where the model has some and `deforming` is not given */
export function assembleWith(
  model: Model,
  deforming: FlexibleAssembly | undefined,
  told?: (what: string) => void,
): System {
  const known = deforming ?? refuseFlexible(model);
  const flexibility: FlexibleAssembly | undefined = known && {
    ...known,
    draft: (of, name, inboard, at) => known.draft(of, name, inboard, at, told),
  };
  const bodies = movingBodies(model);
  const { inertia, centre } = bodies;
  const tree = spanningTree(inertia.keys(), treeLinks(model));
  const tied = tiedBodies(model, tree.cuts);
  const loose = tree.roots.filter(
    (name) => !tied.has(name) && !model.bodies.get(name)!.flexible && !tree.edges.some(({ parent }) => parent === name),
  );

  const builder = new TreeBuilder();
  const joints = new Map<string, JointPlace>();
  hangFloating(model, builder, tree.roots, new Set(loose), centre, flexibility);
  hangOnJoints(model, builder, tree.edges, joints, flexibility);
  const free = loose.map((name) => freeBody(model, name, inertia.get(name)!));
  const freeIndex = new Map(free.map(({ name }, i) => [name, i]));
  for (const [name, own] of inertia)
    if (!freeIndex.has(name) && !builder.isFlexible(name))
      builder.load(name, centre.get(name)!, own, drawnBody(model, name).orientation);

  const grounded = (name: string): boolean => name === GROUND || !inertia.has(name);
  const anchorAt: AnchorAt = ({ body, position, orientation }) => {
    if (grounded(body)) return { node: -1, position, orientation };
    const index = freeIndex.get(body);
    if (index !== undefined) {
      const back = conjugate(free[index].principal);
      return {
        node: -2 - index,
        position: rotate(back, sub(position, centre.get(body)!)),
        orientation: multiply(back, orientation),
      };
    }
    const node = builder.carrierAt(body, position);
    return { node, position: sub(position, builder.origins[node]), orientation };
  };
  const coordinateOf = (name: string): Coordinate | undefined => {
    const moving = joints
      .get(name)!
      .nodes.filter((node) => builder.q[node] >= 0 && builder.kind[node] !== NODE.spherical);
    return moving.length === 1 ? { q: builder.q[moving[0]], v: builder.v[moving[0]] } : undefined;
  };

  const constraints: Constraint[] = [];
  for (const name of tree.cuts) {
    const { kind } = model.joints.get(name)!;
    const at = constraints.push(cutJoint(model, name, anchorAt)) - 1;
    joints.set(name, { name, kind, nodes: [], reversed: false, constraint: at });
  }
  for (const [name, constraint] of model.constraints) {
    const path = `constraints.${name}`;
    const rows = constraintRows(model, constraint, path, anchorAt, coordinateOf, builder.initialQ);
    constraints.push({ name: path, rows, activeAtStart: true });
  }

  const { plans, states } = elementPlans(model, anchorAt, coordinateOf);
  const origin = (node: number): Vec3 => builder.origins[node];
  for (const plan of flexibility?.contacts(model, builder.flexible, origin, anchorAt, states.length) ?? []) {
    plans.push(plan);
    if (plan.kind === 'flexibleContact') for (let k = 0; k < plan.states; k++) states.push(0);
  }

  const places = bodyPlaces(model, builder, bodies, anchorAt);
  return {
    ...stateLayout(model, builder, free, centre, states),
    tree: builder.tree(),
    free: {
      count: free.length,
      mass: Float64Array.from(free, ({ name }) => inertia.get(name)!.mass),
      inertia: Float64Array.from(free.flatMap(({ moments }) => [...moments])),
    },
    ...(builder.flexible.length > 0 && { flexible: builder.flexible }),
    motions: builder.motions,
    constraints,
    gravity: gravityOf(model.gravity),
    bodies: places,
    contacts: contactPlan(model, places, anchorAt, (name) =>
      grounded(name) ? AT_REST : freeIndex.has(name) ? undefined : builder.planeMotion(builder.nodeOf.get(name)!),
    ),
    joints: [...model.joints.keys()].map((name) => joints.get(name)!),
    elements: plans,
  };
}

/** @throws ModelError if the model has bodies that deform, or says how they touch */
function refuseFlexible({ bodies, contacts }: Model): undefined {
  for (const [name, { flexible }] of bodies)
    if (flexible) throw missingStage(`bodies.${name}.flexible`, 'a body that deforms', 'flexibleBodies');
  const pair = contacts === false ? -1 : (contacts.pairs ?? []).findIndex(({ nodalForces }) => nodalForces);
  if (pair >= 0) throw missingStage(`contacts.pairs[${pair}].nodalForces`, 'bodies that deform', 'flexibleBodies');
}

function movingBodies(model: Model): MovingBodies {
  const moving = [...model.bodies].filter(([, body]) => !body.fixed);
  const inertia = new Map(moving.map(([name, body]) => [name, bodyInertia(body, `bodies.${name}`)] as const));
  const centre = new Map(
    [...inertia].map(([name, { centre: own }]) => {
      const { position, orientation } = drawnBody(model, name);
      return [name, add(position, rotate(orientation, own))] as const;
    }),
  );
  return { inertia, centre };
}

// ---- what hangs on the tree, and what is free --------------------------------------------------------------------------------------

/** Roots of mechanisms that no joint ties to the ground: six free coordinates at the centre of mass, or where a flexible body is held */
function hangFloating(
  model: Model,
  builder: TreeBuilder,
  roots: readonly string[],
  loose: ReadonlySet<string>,
  centre: MovingBodies['centre'],
  flexibility: FlexibleAssembly | undefined,
): void {
  for (const name of roots) {
    if (loose.has(name)) continue;
    const { velocity, angularVelocity, flexible } = model.bodies.get(name)!;
    const hold = flexible ? flexibility?.hold(model, name) : undefined;
    const at = hold?.position ?? centre.get(name)!;
    const arm = sub(at, drawnBody(model, name).position);
    builder.chain(GROUND, name, at, freeChain(atCentre(velocity, angularVelocity, arm), angularVelocity));
    if (flexible) builder.deformAll(flexibility!.draft(model, name, hold?.name, at));
  }
}

/** Bodies along the edges of the tree, each on an earlier one */
function hangOnJoints(
  model: Model,
  builder: TreeBuilder,
  edges: SpanningTree['edges'],
  joints: Map<string, JointPlace>,
  flexibility: FlexibleAssembly | undefined,
): void {
  for (const { joint: name, parent, child, forward } of edges) {
    const joint = model.joints.get(name)!;
    const moving = model.bodies.get(child)!;
    if (moving.velocity || moving.angularVelocity)
      throw new ModelError(
        `bodies.${child}.velocity`,
        `this body hangs on the joint "${name}"; give the joint an initial speed instead`,
      );
    const chain = chainOf(joint);
    const at = jointPoint(model, joint);
    const motion = motionOf(joint);
    const nodes = builder.chain(parent, child, at, forward ? chain : reversedChain(chain), motion);
    if (moving.flexible) builder.deformAll(flexibility!.draft(model, child, `joints.${name}`, at));
    joints.set(name, {
      name,
      kind: joint.kind,
      nodes: forward ? nodes : [...nodes].reverse(),
      reversed: !forward,
      constraint: -1,
    });
  }
}

function freeBody(model: Model, name: string, { inertia }: BodyInertia): FreeBody {
  const { values, vectors } = symmetricEigen(inertia);
  const own = toQuaternion(vectors);
  return { name, moments: values, principal: multiply(drawnBody(model, name).orientation, own) };
}

/** Velocity of the centre of mass of a body whose frame origin moves with `velocity`: v + ω × arm. */
function atCentre(velocity: Vec3 | undefined, angularVelocity: Vec3 | undefined, arm: Vec3): Vec3 | undefined {
  if (!velocity && !angularVelocity) return undefined;
  const [wx, wy, wz] = angularVelocity ?? ZERO;
  return add(velocity ?? ZERO, [wy * arm[2] - wz * arm[1], wz * arm[0] - wx * arm[2], wx * arm[1] - wy * arm[0]]);
}

// ---- what is told of the whole -----------------------------------------------------------------------------------------------------

/** Counts and start of the state: the tree first, then free bodies, then states of elements */
function stateLayout(
  model: Model,
  builder: TreeBuilder,
  free: readonly FreeBody[],
  centre: MovingBodies['centre'],
  states: readonly number[],
): Pick<System, 'nq' | 'nv' | 'ns' | 'initial' | 'fixedInitially'> {
  const nq = builder.nq + 7 * free.length;
  const nv = builder.nv + 6 * free.length;
  const initial = new Float64Array(nq + nv + states.length);
  initial.set(states, nq + nv);
  const fixedInitially = new Uint8Array(nq + nv);
  initial.set(builder.initialQ, 0);
  initial.set(builder.initialV, nq);
  fixedInitially.set(builder.givenQ, 0);
  fixedInitially.set(builder.givenV, nq);
  free.forEach(({ name, principal }, i) => {
    const { velocity, angularVelocity } = model.bodies.get(name)!;
    const arm = sub(centre.get(name)!, drawnBody(model, name).position);
    initial.set([...centre.get(name)!, ...principal], builder.nq + 7 * i);
    initial.set(
      [...(atCentre(velocity, angularVelocity, arm) ?? ZERO), ...rotate(conjugate(principal), angularVelocity ?? ZERO)],
      nq + builder.nv + 6 * i,
    );
  });
  return { nq, nv, ns: states.length, initial, fixedInitially };
}

function bodyPlaces(model: Model, builder: TreeBuilder, bodies: MovingBodies, anchorAt: AnchorAt): BodyPlace[] {
  return [...model.bodies].map(([name, given]): BodyPlace => {
    // of a flexible body its frame, from which its shapes are seen, though an interface may be at the body's origin
    const deforming = builder.flexible.find((one) => one.body === name);
    const anchor = deforming?.anchor ?? anchorAt(drawnBody(model, name));
    const own = bodies.inertia.get(name);
    if (!own) return { name, anchor, mass: Number.POSITIVE_INFINITY, size: 0, fixed: true };
    const { mass, inertia, reach } = own;
    const gyration = Math.sqrt(Math.max(inertia[0], inertia[4], inertia[8]) / mass);
    const arm = anchor.node >= 0 ? norm(sub(bodies.centre.get(name)!, builder.origins[anchor.node])) : 0;
    return { name, anchor, mass, size: Math.max(reach, gyration, arm), fixed: given.fixed ?? false };
  });
}

function gravityOf(gravity: ModelGravity): Gravity {
  if (typeof gravity === 'string') return { kind: 'uniform', acceleration: [0, 0, -GRAVITY[gravity]] };
  if (typeof gravity === 'function') return { kind: 'field', field: gravity };
  if ('mu' in gravity) return { kind: 'point', mu: gravity.mu, centre: gravity.centre ?? ZERO };
  return { kind: 'uniform', acceleration: gravity };
}
