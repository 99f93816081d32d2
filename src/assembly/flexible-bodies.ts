/**
 * Flexible bodies of a model: where joints, constraints and forces take hold of each, its mesh and reduction, and the data of its node.
 */
import { ModelError } from '../errors.js';
import { type BuiltPart, buildPart, type FlexiblePart, SLENDER } from '../flexible-bodies/flexible-part.js';
import { buildSolid } from '../flexible-bodies/flexible-solid.js';
import { type ShapeIntegrals, shapeIntegrals } from '../flexible-bodies/shape-integrals.js';
import { outlineBounds } from '../geometry/outline.js';
import type { Profile } from '../geometry/profile.js';
import type { Form, Solid } from '../geometry/solid.js';
import { fromQuaternion, type Mat3 } from '../math/mat3.js';
import { conjugate, multiply, type Quaternion, rotate } from '../math/quaternion.js';
import { add, dot, scale, sub, type Vec2, type Vec3 } from '../math/vec3.js';
import type { FlexibleOptions } from '../model/flexible.js';
import type { Material } from '../model/material.js';
import type { Model } from '../model/model.js';
import { type DrawnFrame, drawnBody, drawnFrame } from './places.js';

/** A flexible body on its way into the tree; axes and places of the drawing. */
export interface FlexibleDraft {
  /** Name of the piece: that of the body, with [1] … behind it for substructures after the first */
  readonly name: string;
  readonly body: string;
  /** The body's own frame as drawn */
  readonly drawn: DrawnFrame;
  /** World axes of the part: of planar ones x, y, normal */
  readonly axes: readonly [Vec3, Vec3, Vec3];
  /** Of the outline's own frame, world */
  readonly plane: { readonly position: Vec3; readonly orientation: Quaternion };
  /** World places of the interfaces; the first holds the frame */
  readonly points: readonly { readonly name: string; readonly position: Vec3 }[];
  readonly built: BuiltPart;
  /** About the first interface, in world axes */
  readonly integrals: ShapeIntegrals;
  /** Nodes whose stress is recorded */
  readonly gauges: readonly { readonly name: string; readonly node: number }[];
}

interface Hold {
  readonly name: string;
  readonly position: Vec3;
}

/** Points of a body at which something other than `inboard` takes hold of it, each once. */
function holdsOf(model: Model, body: string, inboard: string, normal?: Vec3): Hold[] {
  const found: Hold[] = [];
  const hold = (name: string, position: Vec3): void => {
    if (!found.some((other) => near(other.position, position, normal))) found.push({ name, position });
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
  for (const [name, { between }] of model.elements)
    if (between.includes(body)) hold(`elements.${name}`, drawnBody(model, body).position);
  return found;
}

/**
 * Two places that one interface carries. A planar part has the same displacement over its whole thickness: with its `normal` (of length 1)
 * places behind each other are one, at whatever height a joint is drawn.
 */
export const near = (a: Vec3, b: Vec3, normal?: Vec3): boolean => {
  const apart = sub(a, b);
  const d = normal ? sub(apart, scale(dot(apart, normal), normal)) : apart;
  return dot(d, d) <= 1e-18 * (1 + dot(a, a));
};

/** Where the frame of a flexible body that no joint carries sits: at the first thing that takes hold of it, else at its centre of mass. */
export const floatingHold = (model: Model, name: string): Hold | undefined => holdsOf(model, name, '')[0];

/**
 * @param inboard what carries the frame, e.g. `joints.pin`, and its place as drawn; undefined: nothing takes hold of the body, `at` is its
 *                centre of mass
 * @param told    hears what is computed
 * @throws ModelError if the part cannot be meshed, or a joint takes hold of nothing
 */
export function draftFlexible(
  model: Model,
  name: string,
  inboard: string | undefined,
  at: Vec3,
  told?: (what: string) => void,
): FlexibleDraft[] {
  const body = model.bodies.get(name)!;
  const path = `bodies.${name}`;
  const options: FlexibleOptions = typeof body.flexible === 'object' ? body.flexible : {};
  const solid = (Array.isArray(body.shape) ? body.shape[0] : body.shape) as Solid;
  const drawn = drawnBody(model, name);
  const orientation: Quaternion = multiply(drawn.orientation, solid.pose.orientation);
  const origin = add(drawn.position, rotate(drawn.orientation, solid.pose.position));
  const local = (position: Vec3): Vec3 => rotate(conjugate(orientation), sub(position, origin));
  const own = inboard?.startsWith('joints.') ? inboard.slice('joints.'.length) : '';
  const matrix: Mat3 = fromQuaternion(orientation);
  const axes: FlexibleDraft['axes'] = [
    [matrix[0], matrix[3], matrix[6]],
    [matrix[1], matrix[4], matrix[7]],
    [matrix[2], matrix[5], matrix[8]],
  ];
  const normal = isSolid(solid, options) ? undefined : axes[2];
  const holds = [
    ...(inboard === undefined ? [] : [{ name: inboard, position: at }]),
    ...holdsOf(model, name, own, normal),
  ].filter((hold, i) => i === 0 || !near(hold.position, at, normal));
  const unknown = Object.keys(options.interfaces ?? {}).find(
    (key) => !holds.some((hold) => hold.name.slice(hold.name.indexOf('.') + 1) === key),
  );
  if (unknown !== undefined)
    throw new ModelError(
      `${path}.flexible.interfaces.${unknown}`,
      `no joint, constraint or force of that name takes hold of "${name}"; there are ${holds.map((hold) => hold.name).join(', ')}`,
    );
  const flat = holds.map((hold) => {
    const key = hold.name.slice(hold.name.indexOf('.') + 1);
    return { name: hold.name, at: local(hold.position), ...options.interfaces?.[key] };
  });
  const centre = local(at);
  const making: Making = {
    material: body.material!,
    options,
    origin: centre,
    path,
    told: told && ((what) => told(`${path}: ${what}`)),
  };
  const common = { body: name, drawn, axes, plane: { position: origin, orientation } };
  const drafts = isSolid(solid, options)
    ? [solidDraft({ ...common, name }, solid, flat, holds, making)]
    : planeDrafts(common, solid, flat, matrix, making);
  const gauges = Object.entries(options.gauges ?? {}).map(([gauge, { at: place }]) => {
    const found = drafts.map(({ built }) => nearestNode(built.part, place, `${path}.flexible.gauges.${gauge}.at`));
    const piece = found.reduce((best, { distance }, k) => (distance < found[best].distance ? k : best), 0);
    const { node, distance, side } = found[piece];
    if (!(distance <= side))
      throw new ModelError(
        `${path}.flexible.gauges.${gauge}.at`,
        `the nearest node of the mesh is ${distance.toPrecision(3)} m away; expected a point of the part, in its own axes`,
      );
    return { name: gauge, piece, node };
  });
  return drafts.map((draft, piece) => ({ ...draft, gauges: gauges.filter((gauge) => gauge.piece === piece) }));
}

/** It deforms in space: tetrahedra fill it, or are asked for. */
const isSolid = (solid: Solid, options: FlexibleOptions): boolean =>
  solid.tetrahedra !== undefined || options.layers !== undefined;

type Draft = Omit<FlexibleDraft, 'gauges'>;
type Common = Pick<FlexibleDraft, 'body' | 'drawn' | 'axes' | 'plane'>;
/** Where something takes hold of a part, in the part's own axes */
interface PartHold {
  readonly name: string;
  readonly at: Vec3;
  readonly radius?: number | undefined;
  readonly set?: string | undefined;
}
interface Making {
  readonly material: Material;
  readonly options: FlexibleOptions;
  readonly origin: Vec3;
  readonly path: string;
  readonly told: ((what: string) => void) | undefined;
}

function solidDraft(
  common: Common & Pick<FlexibleDraft, 'name'>,
  { tetrahedra, form }: Solid,
  points: readonly PartHold[],
  holds: readonly Hold[],
  making: Making,
): Draft {
  const shape = tetrahedra ? { tetrahedra } : (form as Extract<Form, { kind: 'extrusion' }>);
  const built = buildSolid({ shape, points, ...making });
  const matrix = fromQuaternion(common.plane.orientation);
  return {
    ...common,
    points: holds,
    built,
    integrals: shapeIntegrals(built.elastic, built.part.shapes, points[0]?.at ?? making.origin, matrix),
  };
}

function planeDrafts(
  common: Common,
  { form }: Solid,
  holds: readonly PartHold[],
  matrix: Mat3,
  { material, options, origin: centre, path, told }: Making,
): Draft[] {
  const { profile: whole, height } = form as Extract<Form, { kind: 'extrusion' }>;
  const { position: origin, orientation } = common.plane;
  const flat = holds.map(({ name, at: [x, y], radius }) => ({ name, at: [x, y] as const, radius }));
  const z = holds[0]?.at[2] ?? centre[2];
  const pieces = substructures(whole, options, flat, `${path}.flexible.substructures`);
  const { min, max } = outlineBounds(whole.outer);
  const [short, long] = [max[0] - min[0], max[1] - min[1]].sort((a, b) => a - b);
  // Of a strip it is the whole that is slender: cut into pieces that are not, it would lose the membrane term by being cut finer
  const slender = pieces.length > 1 && long > SLENDER * short;
  return pieces.map(({ profile, grid, points }, i): Draft => {
    const built = buildPart({
      profile,
      thickness: height,
      material,
      options: { ...options, ...(grid && { grid }), ...(slender && { membrane: options.membrane ?? true }) },
      points,
      origin: [centre[0], centre[1]],
      path,
      cut: pieces.length > 1,
      told,
    });
    const [x, y] = points[0]?.at ?? centre;
    return {
      ...common,
      name: i === 0 ? common.body : `${common.body}[${i}]`,
      points: points.map((point) => ({
        name: point.name,
        position: add(origin, rotate(orientation, [point.at[0], point.at[1], z])),
      })),
      built,
      integrals: shapeIntegrals(built.elastic, built.part.shapes, [x, y, z - height / 2], matrix, height),
    };
  });
}

/** And how far it is, beside the longest side of the mesh, m. @throws ModelError if the place has not as many coordinates as the part */
function nearestNode(
  part: FlexiblePart,
  place: readonly number[],
  path: string,
): { node: number; distance: number; side: number } {
  const d = part.kind === 'plane' ? 2 : 3;
  if (place.length !== d)
    throw new ModelError(
      path,
      `expected ${d === 2 ? '[x, y] of a planar part' : '[x, y, z] of a solid'}, got ${place.length} numbers`,
    );
  const { points, nodeCount } = part.mesh;
  const length = (i: number, to: ArrayLike<number>, at: number): number => {
    let square = 0;
    for (let k = 0; k < d; k++) square += (points[d * i + k] - to[at + k]) * (points[d * i + k] - to[at + k]);
    return Math.sqrt(square);
  };
  let node = 0;
  for (let i = 1; i < nodeCount; i++) if (length(i, place, 0) < length(node, place, 0)) node = i;
  let side = 0;
  const [ends, step] = part.kind === 'plane' ? [part.mesh.sides, 3] : [part.faces, 6];
  for (let s = 0; s < ends.length; s += step) side = Math.max(side, length(ends[s], points, d * ends[s + 1]));
  return { node, distance: length(node, place, 0), side };
}

interface Piece {
  readonly profile: Profile;
  readonly grid?: readonly [number, number];
  readonly points: readonly { readonly name: string; readonly at: Vec2; readonly radius?: number | undefined }[];
}

/**
 * A straight strip cut into pieces along its length, from the end at which its joint is: equal ones, or at each joint and force. The far
 * end is an interface whether something is there or not.
 */
function substructures(profile: Profile, options: FlexibleOptions, holds: Piece['points'], path: string): Piece[] {
  const asked = options.substructures ?? 1;
  if (holds.length === 0 && asked !== 1)
    throw new ModelError(
      path,
      'nothing holds this body, so there is no end at which its first piece could begin; expected 1',
    );
  if (asked === 1) return [{ profile, points: holds, ...(options.grid && { grid: options.grid }) }];
  const { min, max } = outlineBounds(profile.outer);
  const rectangle =
    profile.holes.length === 0 &&
    profile.outer.length === 4 &&
    profile.outer.every(([x, y, bulge]) => !bulge && (x === min[0] || x === max[0]) && (y === min[1] || y === max[1]));
  const axis = max[0] - min[0] >= max[1] - min[1] ? 0 : 1;
  const length = max[axis] - min[axis];
  const width = max[1 - axis] - min[1 - axis];
  // pieces that are slender themselves, at most eight
  const count = asked === 'automatic' ? Math.max(1, Math.min(8, Math.floor(length / (10 * width)))) : asked;
  if (count === 1) return [{ profile, points: holds, ...(options.grid && { grid: options.grid }) }];
  if (!rectangle)
    throw new ModelError(
      path,
      'expected a rectangle along its own axes: only straight strips are cut into pieces so far',
    );
  const start = holds[0].at[axis];
  const atEnd = (x: number, end: number): boolean => Math.abs(x - end) <= 1e-9 * length;
  if (!atEnd(start, min[axis]) && !atEnd(start, max[axis]))
    throw new ModelError(
      path,
      `expected ${holds[0].name} at an end of the strip, where its first piece begins, got it ${Math.min(start - min[axis], max[axis] - start).toPrecision(3)} m inside; ` +
        'let the outline end there (what sticks out can be a body of its own, fixed to it), or take substructures: 1',
    );
  const forward = atEnd(start, min[axis]);
  // Equal pieces where all joints are at their cuts; else cuts at the joints, and the longest pieces halved until there are enough
  const equal = Array.from({ length: count + 1 }, (_, i) => (length * i) / count);
  const from = (at: Vec2): number => Math.abs(at[axis] - start);
  const isCut = (cuts: readonly number[], x: number): boolean => cuts.some((cut) => Math.abs(cut - x) <= 1e-9 * length);
  const distances = holds.every((hold) => isCut(equal, from(hold.at)))
    ? equal
    : cutsAtHolds(
        holds.map((hold) => from(hold.at)),
        length,
        count,
      );
  if (distances.length - 1 > count)
    throw new ModelError(
      path,
      `expected at least ${distances.length - 1} pieces: ${holds.length} joints and forces take hold of this strip, each at a cut`,
    );
  const place = (i: number): number => (forward ? min[axis] + distances[i] : max[axis] - distances[i]);
  const middle = (i: number): Vec2 => {
    const across = (min[1 - axis] + max[1 - axis]) / 2;
    return axis === 0 ? [place(i), across] : [across, place(i)];
  };
  const cuts = distances.map((_, i) => {
    const here = holds.filter(({ at }) => atEnd(at[axis], place(i)));
    return here[0] ?? { name: path, at: middle(i) };
  });
  return Array.from({ length: count }, (_, i): Piece => {
    const [near, far] = [Math.min(place(i), place(i + 1)), Math.max(place(i), place(i + 1))];
    const [low, high] = [axis === 0 ? [near, min[1]] : [min[0], near], axis === 0 ? [far, max[1]] : [max[0], far]];
    const grid = options.grid && ([...options.grid] as [number, number]);
    if (grid) grid[axis] = Math.max(1, Math.round((grid[axis] * (far - near)) / length));
    return {
      profile: {
        outer: [
          [low[0], low[1]],
          [high[0], low[1]],
          [high[0], high[1]],
          [low[0], high[1]],
        ],
        holes: [],
      },
      ...(grid && { grid }),
      points: [cuts[i], cuts[i + 1]],
    };
  });
}

/** Distances of cuts from the first end: both ends, all holds, then middles of the longest pieces */
function cutsAtHolds(holds: readonly number[], length: number, count: number): number[] {
  const cuts = [...new Set([0, length, ...holds.map((x) => Math.round(1e9 * (x / length)) * 1e-9 * length)])].sort(
    (a, b) => a - b,
  );
  while (cuts.length - 1 < count) {
    let longest = 0;
    for (let i = 1; i + 1 < cuts.length; i++)
      if (cuts[i + 1] - cuts[i] > (cuts[longest + 1] - cuts[longest]) * (1 + 1e-9)) longest = i;
    cuts.splice(longest + 1, 0, (cuts[longest] + cuts[longest + 1]) / 2);
  }
  return cuts;
}
