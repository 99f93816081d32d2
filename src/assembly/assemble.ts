/**
 * Model → System. All node frames have the world's axes as drawn, with the origin at the joint, so the drawing itself is q = 0 and no
 * rotation enters between parent and child.
 */
import { ModelError, missingStage } from '../errors.js';
import { toQuaternion } from '../math/mat3.js';
import { conjugate, IDENTITY, multiply, type Quaternion, rotate } from '../math/quaternion.js';
import { symmetricEigen } from '../math/symmetric-eigen.js';
import { add, dot, norm, sub, type Vec3, ZERO } from '../math/vec3.js';
import type { Constraint as ModelConstraint } from '../model/constraints.js';
import { GRAVITY, type Gravity as ModelGravity } from '../model/gravity.js';
import type { Joint } from '../model/joints.js';
import { GROUND, type Model } from '../model/model.js';
import { AT_REST, contactPlan, type PlaneMotion } from './contacts.js';
import { elementPlans } from './elements.js';
import { draftFlexible, type FlexibleDraft, floatingHold, near } from './flexible-bodies.js';
import { flexibleContactPlans } from './flexible-contacts.js';
import { type BodyInertia, bodyInertia, rotatedInertia } from './inertia.js';
import { type ChainNode, chainOf, cutRows, freeChain, ROWS_IF_CUT, reversedChain } from './joint-chains.js';
import { motionOf } from './motions.js';
import { type AnchorAt, type Coordinate, drawnBody, drawnFrame } from './places.js';
import { spanningTree } from './spanning-tree.js';
import {
  type Anchor,
  type BodyPlace,
  type Constraint,
  type FlexibleNode,
  type Gravity,
  type JointPlace,
  type Motion,
  NODE,
  type System,
} from './system.js';

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

/** The same, where the program may have no code for bodies that deform. @throws ModelError where the model has some and `deforming` is not given */
export function assembleWith(model: Model, deforming: FlexibleAssembly | undefined): System {
  const flexibility = deforming ?? refuseFlexible(model);
  const moving = [...model.bodies].filter(([, body]) => !body.fixed);
  const bodies = new Map(moving.map(([name, body]) => [name, bodyInertia(body, `bodies.${name}`)] as const));
  const centres = new Map(
    [...bodies].map(([name, { centre }]) => {
      const { position, orientation } = drawnBody(model, name);
      return [name, add(position, rotate(orientation, centre))] as const;
    }),
  );
  const tree = spanningTree(bodies.keys(), links(model));
  const tied = tiedBodies(model, tree.cuts);
  const loose = tree.roots.filter(
    (name) => !tied.has(name) && !model.bodies.get(name)!.flexible && !tree.edges.some(({ parent }) => parent === name),
  );

  // Nodes, in topological order: floating roots first, then along the edges
  const builder = new TreeBuilder();
  const grounded = (name: string): boolean => name === GROUND || !bodies.has(name);
  const joints = new Map<string, JointPlace>();
  for (const name of tree.roots) {
    if (loose.includes(name)) continue;
    const { velocity, angularVelocity, flexible } = model.bodies.get(name)!;
    const hold = flexible ? flexibility?.hold(model, name) : undefined;
    const at = hold?.position ?? centres.get(name)!;
    const arm = sub(at, drawnBody(model, name).position);
    builder.chain(GROUND, name, at, freeChain(atCentre(velocity, angularVelocity, arm), angularVelocity));
    if (flexible) builder.deformAll(flexibility!.draft(model, name, hold?.name, at));
  }
  for (const { joint: name, parent, child, forward } of tree.edges) {
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

  // Free bodies: state at the centre of mass, along principal axes
  const free = loose.map((name) => {
    const { values, vectors } = symmetricEigen(bodies.get(name)!.inertia);
    const own = toQuaternion(vectors);
    return { name, moments: values, principal: multiply(drawnBody(model, name).orientation, own) };
  });
  const freeIndex = new Map(free.map(({ name }, i) => [name, i]));

  const anchorAt: AnchorAt = ({ body, position, orientation }) => {
    if (grounded(body)) return { node: -1, position, orientation };
    const index = freeIndex.get(body);
    if (index !== undefined) {
      const back = conjugate(free[index].principal);
      return {
        node: -2 - index,
        position: rotate(back, sub(position, centres.get(body)!)),
        orientation: multiply(back, orientation),
      };
    }
    const node = builder.carrierAt(body, position);
    return { node, position: sub(position, builder.origins[node]), orientation };
  };

  // Mass of each body on its node
  for (const [name, inertia] of bodies)
    if (!freeIndex.has(name) && !builder.isFlexible(name))
      builder.load(name, centres.get(name)!, inertia, drawnBody(model, name).orientation);

  // Loops
  const constraints: Constraint[] = [];
  for (const name of tree.cuts) {
    const joint = model.joints.get(name)!;
    refuseCut(name, joint, model);
    const position = jointPoint(model, joint);
    const frame = (body: string): Anchor => anchorAt({ body, position, orientation: IDENTITY });
    joints.set(name, { name, kind: joint.kind, nodes: [], reversed: false, constraint: constraints.length });
    constraints.push({
      name: `joints.${name}`,
      rows: cutRows(joint, frame(joint.to ?? GROUND), frame(joint.body)),
      activeAtStart: !startsOpen(name, model),
    });
  }
  const coordinateOf = (name: string): Coordinate | undefined => {
    const place = joints.get(name)!;
    const moving = place.nodes.filter((node) => builder.q[node] >= 0 && builder.kind[node] !== NODE.spherical);
    return moving.length === 1 ? { q: builder.q[moving[0]], v: builder.v[moving[0]] } : undefined;
  };
  for (const [name, constraint] of model.constraints)
    constraints.push({
      name: `constraints.${name}`,
      rows: constraintRows(model, constraint, `constraints.${name}`, anchorAt, coordinateOf, builder.initialQ),
      activeAtStart: true,
    });

  const { plans, states } = elementPlans(model, anchorAt, coordinateOf);
  const origin = (node: number): Vec3 => builder.origins[node];
  for (const plan of flexibility?.contacts(model, builder.flexible, origin, anchorAt, states.length) ?? []) {
    plans.push(plan);
    if (plan.kind === 'flexibleContact') for (let k = 0; k < plan.states; k++) states.push(0);
  }

  // State layout: tree first, then free bodies, then element states
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
    const arm = sub(centres.get(name)!, drawnBody(model, name).position);
    initial.set([...centres.get(name)!, ...principal], builder.nq + 7 * i);
    initial.set(
      [...(atCentre(velocity, angularVelocity, arm) ?? ZERO), ...rotate(conjugate(principal), angularVelocity ?? ZERO)],
      nq + builder.nv + 6 * i,
    );
  });

  const places = [...model.bodies].map(([name, given]): BodyPlace => {
    // of a flexible body its frame, from which its shapes are seen, though an interface may be at the body's origin
    const deforming = builder.flexible.find((one) => one.body === name);
    const anchor = deforming?.anchor ?? anchorAt(drawnBody(model, name));
    const own = bodies.get(name);
    if (!own) return { name, anchor, mass: Number.POSITIVE_INFINITY, size: 0, fixed: true };
    const { mass, inertia, reach } = own;
    const gyration = Math.sqrt(Math.max(inertia[0], inertia[4], inertia[8]) / mass);
    const arm = anchor.node >= 0 ? norm(sub(centres.get(name)!, builder.origins[anchor.node])) : 0;
    return { name, anchor, mass, size: Math.max(reach, gyration, arm), fixed: given.fixed ?? false };
  });
  return {
    nq,
    nv,
    ns: states.length,
    tree: builder.tree(),
    free: {
      count: free.length,
      mass: Float64Array.from(free, ({ name }) => bodies.get(name)!.mass),
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
    initial,
    fixedInitially,
  };
}

/** @throws ModelError if the model has bodies that deform, or says how they touch */
function refuseFlexible({ bodies, contacts }: Model): undefined {
  for (const [name, { flexible }] of bodies)
    if (flexible) throw missingStage(`bodies.${name}.flexible`, 'a body that deforms', 'flexibleBodies');
  const pair = contacts === false ? -1 : (contacts.pairs ?? []).findIndex(({ nodalForces }) => nodalForces);
  if (pair >= 0) throw missingStage(`contacts.pairs[${pair}].nodalForces`, 'bodies that deform', 'flexibleBodies');
}

/** Velocity of the centre of mass of a body whose frame origin moves with `velocity`: v + ω × arm. */
function atCentre(velocity: Vec3 | undefined, angularVelocity: Vec3 | undefined, arm: Vec3): Vec3 | undefined {
  if (!velocity && !angularVelocity) return undefined;
  const [wx, wy, wz] = angularVelocity ?? ZERO;
  return add(velocity ?? ZERO, [wy * arm[2] - wz * arm[1], wz * arm[0] - wx * arm[2], wx * arm[1] - wy * arm[0]]);
}

const jointPoint = (model: Model, joint: Joint): Vec3 =>
  joint.at === undefined ? drawnBody(model, joint.body).position : drawnFrame(model, joint.at).position;

function links(model: Model) {
  const geared = new Set(
    [...model.constraints.values()].flatMap((constraint) => (constraint.kind === 'gear' ? constraint.joints : [])),
  );
  const switched = new Set(
    [...model.events.values()].flatMap(({ release, attach }) => [release ?? [], attach ?? []].flat()),
  );
  return [...model.joints].map(([name, joint]) => ({
    name,
    body: joint.body,
    to: joint.to === undefined || model.bodies.get(joint.to)?.fixed ? GROUND : joint.to,
    rows: ROWS_IF_CUT[joint.kind],
    needsCoordinates: geared.has(name) || needsCoordinates(joint),
    startGiven: startOf(joint) !== undefined,
    switched: switched.has(name),
  }));
}

/** Something acts along the joint's coordinate or sets it; a screw couples two coordinates and has no rows of its own. */
const ACTING = [
  'spring',
  'damping',
  'stops',
  'friction',
  'motor',
  'torque',
  'force',
  'speed',
  'angle',
  'position',
] as const;
const needsCoordinates = (joint: Joint): boolean =>
  joint.kind === 'screw' || ACTING.some((key) => (joint as Readonly<Record<string, unknown>>)[key] !== undefined);

/** The first `initial…` that a joint is given. */
const startOf = (joint: Joint): string | undefined =>
  Object.entries(joint).find(([key, value]) => key.startsWith('initial') && value !== undefined)?.[0];

function refuseCut(name: string, joint: Joint, model: Model): void {
  const geared = [...model.constraints].find(([, given]) => given.kind === 'gear' && given.joints.includes(name));
  const start = startOf(joint);
  if (!geared && !needsCoordinates(joint) && start)
    throw new ModelError(
      `joints.${name}.${start}`,
      'this joint closes a loop whose other joints all have a start, a force or a motion of their own, or is switched by an event: ' +
        'it starts where the others put it; give the start to joints of the loop that are enough to tell it',
    );
  if (!geared && !needsCoordinates(joint)) return;
  throw new ModelError(
    `joints.${name}`,
    'closes a loop whose other joints all have forces, motions or gears of their own, or is switched by an event; ' +
      'one joint of each loop must be a plain one, for it has no coordinate to act on',
  );
}

/** A joint that an event makes take hold starts open, unless one before that lets it go; before: by time, or as written if a condition decides. */
function startsOpen(name: string, model: Model): boolean {
  const switching = [...model.events.values()].filter(({ release, attach }) =>
    [release ?? [], attach ?? []].flat().includes(name),
  );
  if (switching.every(({ at }) => at !== undefined)) switching.sort((a, b) => a.at! - b.at!);
  return [switching[0]?.attach ?? []].flat().includes(name);
}

/** Bodies at either end of a constraint: they need nodes, for rows act on nodes. */
function tiedBodies(model: Model, cuts: readonly string[]): Set<string> {
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

function constraintRows(
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
        throw new ModelError(
          `${path}.joints[${i}]`,
          `expected a joint with one coordinate that is free to move, but "${name}" is ${model.joints.get(name)!.kind}`,
        );
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

function gravityOf(gravity: ModelGravity): Gravity {
  if (typeof gravity === 'string') return { kind: 'uniform', acceleration: [0, 0, -GRAVITY[gravity]] };
  if (typeof gravity === 'function') return { kind: 'field', field: gravity };
  if ('mu' in gravity) return { kind: 'point', mu: gravity.mu, centre: gravity.centre ?? ZERO };
  return { kind: 'uniform', acceleration: gravity };
}

const WELD: readonly ChainNode[] = [
  { kind: NODE.fixed, axis: [0, 0, 1], pitch: 0, q: 0, v: 0, qGiven: false, vGiven: false },
];

/** Where an interface of a flexible body is drawn and which node carries it; of planar parts with the normal of their plane */
interface InterfacePlace {
  readonly position: Vec3;
  readonly node: number;
  readonly normal?: Vec3;
}

/** Collects nodes one by one. */
class TreeBuilder {
  /** Last node of each body: the one that carries it. */
  readonly nodeOf = new Map<string, number>([[GROUND, -1]]);
  /** World position of each node's origin as drawn. */
  readonly origins: Vec3[] = [];
  readonly kind: number[] = [];
  readonly q: number[] = [];
  readonly v: number[] = [];
  readonly motions: Motion[] = [];
  readonly initialQ: number[] = [];
  readonly initialV: number[] = [];
  readonly givenQ: number[] = [];
  readonly givenV: number[] = [];
  nq = 0;
  nv = 0;
  private readonly parent: number[] = [];
  private readonly motion: number[] = [];
  private readonly axis: number[] = [];
  private readonly pitch: number[] = [];
  private readonly position: number[] = [];
  private readonly mass: number[] = [];
  private readonly centre: number[] = [];
  private readonly inertia: number[] = [];

  /** Hangs `child` on `parent` by a chain at one point of the drawing; gives the chain's nodes. */
  chain(parent: string, child: string, at: Vec3, chain: readonly ChainNode[], motion?: Motion): number[] {
    let above = this.carrierAt(parent, at);
    const nodes = chain.map((node) => {
      const index = this.kind.length;
      this.parent.push(above);
      this.position.push(...(above < 0 ? at : sub(at, this.origins[above])));
      this.origins.push(at);
      this.kind.push(node.kind);
      this.axis.push(...node.axis);
      this.pitch.push(node.pitch);
      this.mass.push(0);
      this.centre.push(0, 0, 0);
      this.inertia.push(0, 0, 0, 0, 0, 0);
      this.motion.push(motion ? this.motions.push(motion) - 1 : -1);
      if (motion || node.kind === NODE.fixed) {
        this.q.push(-1);
        this.v.push(-1);
      } else {
        const q = typeof node.q === 'number' ? [node.q] : node.q;
        const v = typeof node.v === 'number' ? [node.v] : node.v;
        this.q.push(this.nq);
        this.v.push(this.nv);
        this.initialQ.push(...q);
        this.initialV.push(...v);
        this.givenQ.push(...q.map(() => Number(node.qGiven)));
        this.givenV.push(...v.map(() => Number(node.vGiven)));
        this.nq += q.length;
        this.nv += v.length;
      }
      above = index;
      return index;
    });
    this.nodeOf.set(child, above);
    return nodes;
  }

  /** Bodies that deform, and by name where their interfaces are carried */
  readonly flexible: FlexibleNode[] = [];
  private readonly interfaces = new Map<string, InterfacePlace[]>();

  isFlexible(name: string): boolean {
    return this.interfaces.has(name);
  }

  /** The node that carries a place of a body: of a flexible one the end of the interface there, if one is. */
  carrierAt(name: string, position: Vec3): number {
    const here = this.interfaces.get(name)?.find((one) => near(one.position, position, one.normal));
    return here ? here.node : this.nodeOf.get(name)!;
  }

  /** Pieces of one body, the next welded to the far end of the one before */
  deformAll(pieces: readonly FlexibleDraft[]): void {
    pieces.forEach((piece, i) => {
      if (i > 0) this.chain(pieces[i - 1].name, piece.name, piece.points[0].position, WELD);
      this.deform(piece);
    });
  }

  /** Makes the body that was last hung on the tree a flexible one: nodes for its coordinates, mass on its frame. */
  deform({ name, body, drawn, axes, plane, points, built, integrals, gauges }: FlexibleDraft): void {
    const frame = this.nodeOf.get(name)!;
    const origin = this.origins[frame];
    const nodes: number[] = [];
    const places: InterfacePlace[] = [];
    const coordinate = (kind: number, axis: Vec3): ChainNode => ({
      kind,
      axis,
      pitch: 0,
      q: 0,
      v: 0,
      qGiven: true,
      vGiven: true,
    });
    // in the plane two slides and the turn about its normal, in space three of each
    const flat = built.part.kind === 'plane';
    const slides = (flat ? axes.slice(0, 2) : axes).map((axis) => coordinate(NODE.prismatic, axis));
    const turns = (flat ? axes.slice(2) : axes).map((axis) => coordinate(NODE.revolute, axis));
    const [, ...outboard] = points;
    for (const { position } of outboard) {
      const own = this.chain(name, name, position, [...slides, ...turns]);
      this.nodeOf.set(name, frame);
      nodes.push(...own);
      places.push({ position, node: own.at(-1)!, ...(flat && { normal: axes[2] }) });
    }
    for (let k = nodes.length; k < integrals.count; k++) {
      nodes.push(...this.chain(name, name, origin, [slides[0]]));
      this.nodeOf.set(name, frame);
    }
    this.interfaces.set(name, places);
    if (name !== body) this.interfaces.get(body)!.push(...places);
    const { mass, s0, c00 } = integrals;
    this.mass[frame] = mass;
    const centre = [s0[0] / mass, s0[1] / mass, s0[2] / mass];
    // J = tr(G) 1 − G about the centre
    const g = Array.from(c00, (entry, k) => entry - mass * centre[Math.floor(k / 3)] * centre[k % 3]);
    const trace = g[0] + g[4] + g[8];
    [trace - g[0], trace - g[4], trace - g[8], -g[1], -g[2], -g[5]].forEach((entry, k) => {
      this.inertia[6 * frame + k] = entry;
    });
    centre.forEach((x, k) => {
      this.centre[3 * frame + k] = x;
    });
    const { reduced, part, membrane } = built;
    this.flexible.push({
      name: `bodies.${name}`,
      body,
      anchor: { node: frame, position: sub(drawn.position, origin), orientation: drawn.orientation },
      node: frame,
      plane: { position: sub(plane.position, origin), orientation: plane.orientation },
      nodes: Int32Array.from(nodes),
      carrying: (slides.length + turns.length) * places.length,
      integrals,
      mass: reduced.mass,
      stiffness: reduced.stiffness,
      damping: reduced.damping,
      frequencies: reduced.frequencies,
      gauges,
      ...(membrane && { membrane }),
      part,
    });
  }

  /** How a node moves if it can only turn about one direction and slide; the joints from the ground to it decide. */
  planeMotion(node: number): PlaneMotion | undefined {
    let turn: Vec3 | undefined;
    const slides: Vec3[] = [];
    for (let i = node; i >= 0; i = this.parent[i]) {
      const axis: Vec3 = [this.axis[3 * i], this.axis[3 * i + 1], this.axis[3 * i + 2]];
      if (this.kind[i] === NODE.fixed) continue;
      if (this.kind[i] === NODE.prismatic) slides.push(axis);
      else if (this.kind[i] !== NODE.revolute) return undefined;
      else if (turn && Math.abs(dot(turn, axis)) < 1 - 1e-15) return undefined;
      else turn = axis;
    }
    return { turn, slides };
  }

  /** Puts a body's mass on its node; axes of the drawing. */
  load(name: string, centre: Vec3, { mass, inertia }: BodyInertia, orientation: Quaternion): void {
    const node = this.nodeOf.get(name)!;
    const tensor = rotatedInertia(inertia, orientation);
    this.mass[node] = mass;
    sub(centre, this.origins[node]).forEach((x, k) => {
      this.centre[3 * node + k] = x;
    });
    [0, 4, 8, 1, 2, 5].forEach((entry, k) => {
      this.inertia[6 * node + k] = tensor[entry];
    });
  }

  tree(): System['tree'] {
    const count = this.kind.length;
    const rotation = new Float64Array(9 * count);
    for (let i = 0; i < count; i++) rotation.set([1, 0, 0, 0, 1, 0, 0, 0, 1], 9 * i);
    return {
      count,
      parent: Int32Array.from(this.parent),
      kind: Uint8Array.from(this.kind),
      q: Int32Array.from(this.q),
      v: Int32Array.from(this.v),
      motion: Int32Array.from(this.motion),
      axis: Float64Array.from(this.axis),
      pitch: Float64Array.from(this.pitch),
      position: Float64Array.from(this.position),
      rotation,
      mass: Float64Array.from(this.mass),
      centre: Float64Array.from(this.centre),
      inertia: Float64Array.from(this.inertia),
    };
  }
}
