/**
 * A part of a System as a System of its own: some of its mechanisms, with all that is fixed or moved by prescription alone.
 *
 * A mechanism is what is tied for good, whatever touches it: whole trees and free bodies, as one where constraints, lines, bushings or
 * applied forces with a reaction act between them, those that an event lets go or takes hold of included. Trees without a coordinate of
 * their own (prescribed motions, fixed joints) tie nothing, as the ground does not: they are in every part, without mass there, for their
 * motion is what it is; with their mass they are a mechanism by themselves, which the part of that name has alone.
 *
 * The order of everything is kept, so that sums are made in the same order. A part of all mechanisms is the System itself.
 */
import { findRoot, unite } from '../math/union-find.js';
import { type Anchor, type ConstraintRow, type ContactPlan, type ElementPlan, NODE, type System } from './system.js';

export interface Mechanism {
  /** Nodes of whole trees, and free bodies, ascending */
  readonly nodes: readonly number[];
  readonly free: readonly number[];
}

export interface Mechanisms {
  /** By their first node, then by their free body; what is prescribed is the last */
  readonly all: readonly Mechanism[];
  /** Index of the mechanism of all trees without coordinates, −1 where there is none */
  readonly prescribed: number;
  /** Per node and per free body */
  readonly ofNode: Int32Array;
  readonly ofFree: Int32Array;
  /** Per mechanism its bodies, ascending; and bodies that are fixed to the ground */
  readonly bodies: readonly (readonly number[])[];
  readonly grounded: readonly number[];
  /** Per body its shapes, ascending */
  readonly shapes: readonly (readonly number[])[];
}

/** Indices in the part → indices in the whole */
export interface Part {
  readonly system: System;
  readonly nodes: Int32Array;
  readonly free: Int32Array;
  readonly q: Int32Array;
  readonly v: Int32Array;
  readonly s: Int32Array;
  readonly bodies: Int32Array;
  readonly shapes: Int32Array;
  readonly constraints: Int32Array;
  readonly elements: Int32Array;
}

/** What is tied for good. */
export function mechanismsOf(system: System): Mechanisms {
  const { tree, free, constraints, elements } = system;
  const count = tree.count + free.count;
  const leader = Int32Array.from({ length: count }, (_, i) => i);
  const lead = (i: number): number => findRoot(leader, i);
  for (let i = 0; i < tree.count; i++) if (tree.parent[i] >= 0) leader[i] = lead(tree.parent[i]);
  // trees that have a coordinate
  const moves = new Uint8Array(count).fill(1, tree.count);
  for (let i = 0; i < tree.count; i++) if (tree.v[i] >= 0) moves[leader[i]] = 1;
  const prescribedNode = Uint8Array.from({ length: tree.count }, (_, i) => 1 - moves[leader[i]]);

  const carrierOf = ({ node }: Anchor): number => (node >= 0 ? node : node === -1 ? -1 : tree.count - 2 - node);
  const tie = (carriers: readonly number[]): void => {
    const own = carriers.filter((i) => i >= 0 && (i >= tree.count || prescribedNode[i] === 0)).map(lead);
    for (const other of own) unite(leader, own[0], other);
  };
  for (const { rows } of constraints) for (const row of rows) tie(endsOf(row, system).map(carrierOf));
  for (const plan of elements) if (plan.kind !== 'coordinate') tie(anchorsOf(plan).map(carrierOf));
  // history that elements have in common is at one time
  const sharing = new Map<string, Anchor[]>();
  for (const plan of elements)
    if (plan.kind === 'own' && plan.shares !== undefined) {
      const ends = sharing.get(plan.shares) ?? [];
      ends.push(...anchorsOf(plan));
      sharing.set(plan.shares, ends);
    }
  for (const ends of sharing.values()) tie(ends.map(carrierOf));

  const all: { nodes: number[]; free: number[] }[] = [];
  const index = new Map<number, number>();
  const ofNode = new Int32Array(tree.count);
  const ofFree = new Int32Array(free.count);
  const prescribedNodes: number[] = [];
  for (let i = 0; i < count; i++) {
    if (i < tree.count && prescribedNode[i] !== 0) {
      prescribedNodes.push(i);
      continue;
    }
    const top = lead(i);
    let own = index.get(top);
    if (own === undefined) {
      own = all.push({ nodes: [], free: [] }) - 1;
      index.set(top, own);
    }
    if (i < tree.count) {
      all[own].nodes.push(i);
      ofNode[i] = own;
    } else {
      all[own].free.push(i - tree.count);
      ofFree[i - tree.count] = own;
    }
  }
  const prescribed = prescribedNodes.length > 0 ? all.push({ nodes: prescribedNodes, free: [] }) - 1 : -1;
  for (const i of prescribedNodes) ofNode[i] = prescribed;
  const bodies: number[][] = all.map(() => []);
  const grounded: number[] = [];
  system.bodies.forEach(({ anchor: { node } }, i) => {
    (node >= 0 ? bodies[ofNode[node]] : node === -1 ? grounded : bodies[ofFree[-2 - node]]).push(i);
  });
  const shapes: number[][] = system.bodies.map(() => []);
  system.contacts?.shapes.forEach(({ body }, i) => {
    shapes[body].push(i);
  });
  return { all, prescribed, ofNode, ofFree, bodies, grounded, shapes };
}

/**
 * The part with the mechanisms `chosen`, ascending indices into `mechanisms.all`.
 *
 * @example const { system: one } = restrict(whole, mechanisms, [3]);
 */
export function restrict(system: System, mechanisms: Mechanisms, chosen: readonly number[]): Part {
  const { prescribed } = mechanisms;
  if (chosen.length === mechanisms.all.length) return wholePart(system);
  const isChosen = new Uint8Array(mechanisms.all.length);
  for (const mechanism of chosen) isChosen[mechanism] = 1;
  const { tree, free } = system;
  const shares = prescribed >= 0 && isChosen[prescribed] === 0;

  // Carriers
  const nodes: number[] = [];
  const nodeAt = new Int32Array(tree.count).fill(-1);
  for (let i = 0; i < tree.count; i++)
    if (isChosen[mechanisms.ofNode[i]] !== 0 || mechanisms.ofNode[i] === prescribed) nodeAt[i] = nodes.push(i) - 1;
  const bodies = ascending(chosen.map((mechanism) => mechanisms.all[mechanism].free));
  const freeAt = new Int32Array(free.count).fill(-1);
  bodies.forEach((i, k) => {
    freeAt[i] = k;
  });
  const isShared = (node: number): boolean => shares && mechanisms.ofNode[node] === prescribed;
  const moved = (anchor: Anchor): Anchor => {
    const { node } = anchor;
    return { ...anchor, node: node >= 0 ? nodeAt[node] : node === -1 ? -1 : -2 - freeAt[-2 - node] };
  };
  /** Acts on a mechanism of the part, not only on what all parts have */
  const concerns = (ends: readonly Anchor[]): boolean =>
    ends.some(({ node }) => (node >= 0 ? nodeAt[node] >= 0 && !isShared(node) : node < -1 && freeAt[-2 - node] >= 0));

  // Coordinates and velocities
  const treeQ = tree.q.reduce((sum, q, i) => sum + (q < 0 ? 0 : tree.kind[i] === NODE.spherical ? 4 : 1), 0);
  const treeV = system.nv - 6 * free.count;
  const q: number[] = [];
  const v: number[] = [];
  const qAt = new Int32Array(nodes.length).fill(-1);
  const vAt = new Int32Array(nodes.length).fill(-1);
  const coordinateAt = new Map<number, number>();
  nodes.forEach((i, k) => {
    if (tree.q[i] < 0) return;
    const spherical = tree.kind[i] === NODE.spherical;
    qAt[k] = q.length;
    vAt[k] = v.length;
    coordinateAt.set(tree.q[i], q.length);
    for (let j = 0; j < (spherical ? 4 : 1); j++) q.push(tree.q[i] + j);
    for (let j = 0; j < (spherical ? 3 : 1); j++) v.push(tree.v[i] + j);
  });
  for (const i of bodies) {
    for (let j = 0; j < 7; j++) q.push(treeQ + 7 * i + j);
    for (let j = 0; j < 6; j++) v.push(treeV + 6 * i + j);
  }

  // Motions, constraints, elements with their states
  const motions: number[] = [];
  const motion = Int32Array.from(nodes, (i) => (tree.motion[i] < 0 ? -1 : motions.push(tree.motion[i]) - 1));
  const constraints: number[] = [];
  system.constraints.forEach(({ rows }, i) => {
    if (rows.some((row) => concerns(endsOf(row, system)))) constraints.push(i);
  });
  const elements: number[] = [];
  const s: number[] = [];
  const plans: ElementPlan[] = [];
  system.elements.forEach((plan, i) => {
    if (plan.kind === 'coordinate') {
      const at = coordinateAt.get(plan.q);
      if (at === undefined) return;
      const { friction } = plan;
      elements.push(i);
      plans.push({
        ...plan,
        q: at,
        v: v.indexOf(plan.v),
        ...(friction && { friction: { ...friction, state: s.push(friction.state) - 1 } }),
      });
    } else if (concerns(anchorsOf(plan))) {
      elements.push(i);
      plans.push({
        ...plan,
        ...('a' in plan && plan.a && { a: moved(plan.a) }),
        b: moved(plan.b),
        ...(plan.kind === 'own' && { state: s.length }),
        ...(plan.kind === 'flexibleContact' && { state: s.length }),
      } as ElementPlan);
      if (plan.kind === 'own') for (let k = 0; k < plan.states.length; k++) s.push(plan.state + k);
      if (plan.kind === 'flexibleContact') for (let k = 0; k < plan.states; k++) s.push(plan.state + k);
    }
  });

  const places = ascending([
    mechanisms.grounded,
    ...(shares ? [mechanisms.bodies[prescribed]] : []),
    ...chosen.map((mechanism) => mechanisms.bodies[mechanism]),
  ]);
  const bodyAt = new Int32Array(system.bodies.length).fill(-1);
  places.forEach((i, k) => {
    bodyAt[i] = k;
  });
  const chosenShapes = ascending(places.map((body) => mechanisms.shapes[body]));
  const constraintAt = new Map(constraints.map((i, k) => [i, k]));
  const joints = system.joints.flatMap((joint) => {
    const inTree = joint.constraint < 0;
    if (inTree ? joint.nodes.some((node) => nodeAt[node] < 0) : !constraintAt.has(joint.constraint)) return [];
    const constraint = inTree ? -1 : constraintAt.get(joint.constraint)!;
    return [{ ...joint, nodes: joint.nodes.map((node) => nodeAt[node]), constraint }];
  });
  const { shapes, contacts } = contactsOf(
    system,
    places,
    bodyAt,
    chosenShapes,
    moved,
    ({ node }) => node >= 0 && isShared(node),
  );
  const massOf = (i: number): number => (isShared(i) ? 0 : tree.mass[i]);
  const part: System = {
    nq: q.length,
    nv: v.length,
    ns: s.length,
    tree: {
      count: nodes.length,
      parent: Int32Array.from(nodes, (i) => (tree.parent[i] < 0 ? -1 : nodeAt[tree.parent[i]])),
      kind: Uint8Array.from(nodes, (i) => tree.kind[i]),
      q: qAt,
      v: vAt,
      motion,
      axis: rowsOf(tree.axis, 3, nodes),
      pitch: rowsOf(tree.pitch, 1, nodes),
      position: rowsOf(tree.position, 3, nodes),
      rotation: rowsOf(tree.rotation, 9, nodes),
      mass: Float64Array.from(nodes, massOf),
      centre: rowsOf(tree.centre, 3, nodes),
      inertia: rowsOf(tree.inertia, 6, nodes).map((x, k) => (isShared(nodes[Math.floor(k / 6)]) ? 0 : x)),
      ...(shares && { shared: Uint8Array.from(nodes, (i) => (isShared(i) ? 1 : 0)) }),
    },
    free: { count: bodies.length, mass: rowsOf(free.mass, 1, bodies), inertia: rowsOf(free.inertia, 3, bodies) },
    ...(system.flexible && {
      flexible: system.flexible
        .filter(({ node }) => nodeAt[node] >= 0)
        .map((body) => ({
          ...body,
          anchor: moved(body.anchor),
          node: nodeAt[body.node],
          nodes: body.nodes.map((i) => nodeAt[i]),
        })),
    }),
    motions: motions.map((i) => system.motions[i]),
    constraints: constraints.map((i) => ({
      ...system.constraints[i],
      rows: system.constraints[i].rows.map(
        (row): ConstraintRow =>
          row.kind === 'coupler'
            ? { ...row, coordinates: row.coordinates.map((own) => coordinateAt.get(own)!) }
            : { ...row, a: moved(row.a), b: moved(row.b) },
      ),
    })),
    gravity: system.gravity,
    bodies: places.map((i) => ({ ...system.bodies[i], anchor: moved(system.bodies[i].anchor) })),
    joints,
    elements: plans,
    contacts,
    initial: Float64Array.from(
      [...q, ...v.map((k) => system.nq + k), ...s.map((k) => system.nq + system.nv + k)],
      (k) => system.initial[k],
    ),
    fixedInitially: Uint8Array.from([...q, ...v.map((k) => system.nq + k)], (k) => system.fixedInitially[k]),
  };
  return {
    system: part,
    nodes: Int32Array.from(nodes),
    free: Int32Array.from(bodies),
    q: Int32Array.from(q),
    v: Int32Array.from(v),
    s: Int32Array.from(s),
    bodies: Int32Array.from(places),
    shapes,
    constraints: Int32Array.from(constraints),
    elements: Int32Array.from(elements),
  };
}

function wholePart(system: System): Part {
  const all = (length: number): Int32Array => Int32Array.from({ length }, (_, i) => i);
  return {
    system,
    nodes: all(system.tree.count),
    free: all(system.free.count),
    q: all(system.nq),
    v: all(system.nv),
    s: all(system.ns),
    bodies: all(system.bodies.length),
    shapes: all(system.contacts?.shapes.length ?? 0),
    constraints: all(system.constraints.length),
    elements: all(system.elements.length),
  };
}

/** Shapes of the part's bodies and who may touch whom; what all parts have touches nothing fixed and none of its like here. */
function contactsOf(
  { contacts, bodies }: System,
  places: readonly number[],
  bodyAt: Int32Array,
  chosen: readonly number[],
  moved: (anchor: Anchor) => Anchor,
  isShared: (anchor: Anchor) => boolean,
): { shapes: Int32Array; contacts: ContactPlan | undefined } {
  if (!contacts) return { shapes: new Int32Array(0), contacts: undefined };
  const stands = (body: number): boolean => bodies[body].fixed === true || isShared(bodies[body].anchor);
  const shapes = Int32Array.from(chosen);
  if (chosen.length < 2 || chosen.every((i) => stands(contacts.shapes[i].body))) return { shapes, contacts: undefined };

  const shapeAt = new Int32Array(contacts.shapes.length).fill(-1);
  chosen.forEach((i, k) => {
    shapeAt[i] = k;
  });
  const { rules } = contacts;
  const shapesOf = (body: number): number[] => chosen.filter((i) => contacts.shapes[i].body === body);
  const excludedBodies: number[] = [];
  const excludedShapes: number[] = [];
  for (let k = 0; k < rules.excludedBodies.length; k += 2) {
    const [a, b] = [rules.excludedBodies[k], rules.excludedBodies[k + 1]];
    if (bodyAt[a] < 0 || bodyAt[b] < 0) continue;
    if (!stands(a) && !stands(b)) excludedBodies.push(bodyAt[a], bodyAt[b]);
    else for (const i of shapesOf(a)) for (const j of shapesOf(b)) excludedShapes.push(shapeAt[i], shapeAt[j]);
  }
  for (let k = 0; k < rules.excludedShapes.length; k += 2) {
    const [i, j] = [shapeAt[rules.excludedShapes[k]], shapeAt[rules.excludedShapes[k + 1]]];
    if (i >= 0 && j >= 0) excludedShapes.push(i, j);
  }
  return {
    shapes,
    contacts: {
      ...contacts,
      shapes: chosen.map((i) => {
        const shape = contacts.shapes[i];
        return { ...shape, body: bodyAt[shape.body], anchor: moved(shape.anchor) };
      }),
      rules: {
        body: Int32Array.from(chosen, (i) => (stands(contacts.shapes[i].body) ? -1 : bodyAt[contacts.shapes[i].body])),
        group: Int32Array.from(chosen, (i) => rules.group[i]),
        mask: Int32Array.from(chosen, (i) => rules.mask[i]),
        excludedBodies: Int32Array.from(excludedBodies),
        excludedShapes: Int32Array.from(excludedShapes),
      },
      sensors: contacts.sensors
        .filter(([a, b]) => bodyAt[a] >= 0 && bodyAt[b] >= 0)
        .map(([a, b]) => [bodyAt[a], bodyAt[b]] as const),
      pairOptions: optionsAmong(contacts, Int32Array.from(places)),
    },
  };
}

/** Where the row acts: its two frames, or the nodes of the coordinates it couples */
function endsOf(row: ConstraintRow, { tree }: System): readonly Anchor[] {
  if (row.kind !== 'coupler') return [row.a, row.b];
  return row.coordinates.map((q) => ({
    node: tree.q.indexOf(q),
    position: [0, 0, 0],
    orientation: [1, 0, 0, 0],
  }));
}

const anchorsOf = (plan: Exclude<ElementPlan, { kind: 'coordinate' }>): readonly Anchor[] =>
  plan.a ? [plan.a, plan.b] : [plan.b];

/** All numbers of lists that have none in common, ascending */
const ascending = (lists: readonly (readonly number[])[]): number[] =>
  lists.length === 1 ? [...lists[0]] : lists.flat().sort((a, b) => a - b);

function rowsOf(from: Float64Array, width: number, rows: readonly number[]): Float64Array {
  const out = new Float64Array(width * rows.length);
  rows.forEach((row, k) => {
    for (let j = 0; j < width; j++) out[width * k + j] = from[width * row + j];
  });
  return out;
}

/** Made apart from all else that is known while a part is made: a function keeps that as long as it lives, some numbers per body of the whole for each island. */
function optionsAmong({ pairOptions }: ContactPlan, bodyOf: Int32Array): ContactPlan['pairOptions'] {
  return (a, b) => pairOptions(bodyOf[a], bodyOf[b]);
}
