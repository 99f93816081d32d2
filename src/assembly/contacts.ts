/**
 * Which shapes can touch: every shape of every body, with its place on the carrier, its material, and who is kept apart by groups, joints
 * and the user's word.
 */
import { hasArcs } from '../geometry/outline.js';
import { prismSolids } from '../geometry/prism-solids.js';
import type { Solid } from '../geometry/solid.js';
import { conjugate, multiply, type Quaternion, rotate } from '../math/quaternion.js';
import { add, cross, dot, type Vec3, ZERO } from '../math/vec3.js';
import { GroupBits, namesBody, pairOptions, type Surface } from '../model/contacts.js';
import { GROUND, type Model } from '../model/model.js';
import { type AnchorAt, drawnBody, quaternionOf } from './places.js';
import type { BodyPlace, ContactPlan, ContactShape } from './system.js';

/** Up to so many pairs of bodies all have signals of their own. */
const FEW_PAIRS = 12;

/**
 * @param planeMotionOf how the carrier of a body moves; undefined for what can tilt
 */
export function contactPlan(
  model: Model,
  bodies: readonly BodyPlace[],
  anchorAt: AnchorAt,
  planeMotionOf: (name: string) => PlaneMotion | undefined,
): ContactPlan | undefined {
  const { contacts } = model;
  if (contacts === false) return undefined;
  const bits = new GroupBits();
  const inPlane = areInPlane(model, bodies, planeMotionOf);
  const shapes: ContactShape[] = [];
  const levels: (Level | undefined)[] = [];
  const group: number[] = [];
  const mask: number[] = [];
  bodies.forEach(({ name }, index) => {
    const { shape, contact, material, flexible } = model.bodies.get(name)!;
    // those that deform have elements of their own: flexible-contacts.ts
    if (contact === false || flexible) return;
    const drawn = drawnBody(model, name);
    const place = (position: Vec3, orientation: Quaternion) =>
      anchorAt({
        body: name,
        position: add(drawn.position, rotate(drawn.orientation, position)),
        orientation: multiply(drawn.orientation, orientation),
      });
    const mine: (Omit<ContactShape, 'name'> & { level?: Level | undefined })[] = [];
    const solids: readonly Solid[] = shape === undefined ? [] : Array.isArray(shape) ? shape : [shape as Solid];
    if (contact?.surfaces)
      for (const surface of contact.surfaces) {
        const position = surface.position ?? ZERO;
        const orientation: Quaternion = surface.orientation ? quaternionOf(surface.orientation) : [1, 0, 0, 0];
        mine.push({
          body: index,
          solid: solids[0],
          surface: surface as Surface,
          perAxis: contact.perAxis ?? false,
          ...(contact.thickness !== undefined && { thickness: contact.thickness }),
          edges: contact.edges ?? true,
          anchor: place(position, orientation),
          material,
        });
      }
    else
      for (const solid of inPlane ? solids.flatMap(prismSolids) : solids) {
        const { pose, form } = solid;
        // The mesh is in the solid's frame, a form in a frame of its own
        const anchor = form.kind === 'mesh' ? place(ZERO, [1, 0, 0, 0]) : place(pose.position, pose.orientation);
        const motion = planeMotionOf(name);
        mine.push({
          body: index,
          solid,
          anchor,
          material,
          ...planarity(solid, drawn.orientation, motion),
          level: levelOf(solid, drawn.position, drawn.orientation, motion),
        });
      }
    for (const [i, { level, ...one }] of mine.entries()) {
      shapes.push({ name: mine.length > 1 ? `${name}[${i}]` : name, ...one });
      levels.push(level);
      group.push(bits.of(contact?.group, `bodies.${name}.contact.group`));
      mask.push(contact?.touches === undefined ? -1 : bits.of(contact.touches, `bodies.${name}.contact.touches`));
    }
  });
  if (shapes.length < 2 || shapes.every(({ body }) => bodies[body].fixed)) return undefined;

  const indexOf = new Map(bodies.map(({ name }, i) => [name, i]));
  const excludedBodies: number[] = [];
  const excludedShapes: number[] = [];
  const exclude = (a: number, b: number): void => {
    if (a === b) return;
    if (!bodies[a].fixed && !bodies[b].fixed) excludedBodies.push(a, b);
    else
      for (const [i, one] of shapes.entries())
        for (const [j, other] of shapes.entries()) if (one.body === a && other.body === b) excludedShapes.push(i, j);
  };
  const excludeNamed = (first: string, second: string): void => {
    bodies.forEach(({ name: a }, i) => {
      if (namesBody(first, a))
        bodies.forEach(({ name: b }, j) => {
          if (i !== j && namesBody(second, b)) exclude(i, j);
        });
    });
  };
  // Corners touch surfaces, not corners
  shapes.forEach(({ body: one, surface: first }, i) => {
    if (first?.kind === 'points')
      shapes.forEach(({ body: other, surface: second }, j) => {
        if (j > i && other !== one && second?.kind === 'points') excludedShapes.push(i, j);
      });
  });
  // What turns on one level never meets what turns on another
  levels.forEach((level, i) => {
    if (level)
      for (let j = i + 1; j < levels.length; j++) {
        const other = levels[j];
        if (other && shapes[i].body !== shapes[j].body && areApart(level, other)) excludedShapes.push(i, j);
      }
  });
  const { joined } = contacts;
  if (joined !== true)
    for (const { body, to = GROUND } of model.joints.values()) {
      const touch =
        Array.isArray(joined) &&
        joined.some(([a, b]) => (namesBody(a, body) && namesBody(b, to)) || (namesBody(a, to) && namesBody(b, body)));
      if (to !== GROUND && !touch) exclude(indexOf.get(body)!, indexOf.get(to)!);
    }
  for (const [a, b] of contacts.exclude ?? []) excludeNamed(a, b);
  for (const { between, touch } of contacts.pairs ?? []) if (touch === false) excludeNamed(between[0], between[1]);

  return {
    shapes,
    rules: {
      body: Int32Array.from(shapes, ({ body }) => (bodies[body].fixed ? -1 : body)),
      group: Int32Array.from(group),
      mask: Int32Array.from(mask),
      excludedBodies: Int32Array.from(excludedBodies),
      excludedShapes: Int32Array.from(excludedShapes),
    },
    broadPhase: contacts.broadPhase ?? 'automatic',
    tolerance: contacts.tolerance,
    records: contacts.records ?? true,
    resolve: contacts.resolve ?? false,
    sensors: sensedPairs(model, bodies, shapes),
    pairOptions: (a, b) => pairOptions(contacts, bodies[a].name, bodies[b].name),
  };
}

/** Forms that are a figure drawn along their z axis */
const DRAWN_OUT: readonly string[] = ['extrusion', 'box', 'cylinder'];

/** One whose axis stays across the plane of its motion; carrier's axes are those of the drawing for nodes and the ground. */
function planarity(
  { form, pose, prisms }: Solid,
  drawn: Quaternion,
  motion: PlaneMotion | undefined,
): { planeNormal?: Vec3 } {
  if (!(DRAWN_OUT.includes(form.kind) || prisms) || motion === undefined) return {};
  const axis = rotate(multiply(drawn, pose.orientation), [0, 0, 1]);
  return staysAcross(motion, axis) ? { planeNormal: axis } : {};
}

/**
 * All that can touch are figures, or prisms made of several, drawn along one axis, and stay across it. What consists of prisms then touches by them, arcs as arcs; beside
 * anything else it touches as one mesh, whose inner faces nothing can meet.
 */
function areInPlane(
  model: Model,
  bodies: readonly BodyPlace[],
  planeMotionOf: (name: string) => PlaneMotion | undefined,
): boolean {
  let axis: Vec3 | undefined;
  for (const { name } of bodies) {
    const { shape, contact, flexible } = model.bodies.get(name)!;
    if (shape === undefined || contact === false) continue;
    if (flexible || contact?.surfaces) return false;
    const motion = planeMotionOf(name);
    for (const solid of Array.isArray(shape) ? (shape as readonly Solid[]) : [shape as Solid]) {
      const { planeNormal } = planarity(solid, drawnBody(model, name).orientation, motion);
      if (!planeNormal || (axis && !areParallel(axis, planeNormal))) return false;
      axis = planeNormal;
    }
  }
  return true;
}

/**
 * A body on revolute joints with one direction, prismatic joints, or none: the unit vectors, world as drawn, about which it
 * turns and along which it slides. A tappet or rack only slides: any direction square to its slides is then across its motion.
 */
export interface PlaneMotion {
  readonly turn: Vec3 | undefined;
  readonly slides: readonly Vec3[];
}
export const AT_REST: PlaneMotion = { turn: undefined, slides: [] };

/** It turns about the axis alone, if at all, and does not move along it. */
const staysAcross = ({ turn, slides }: PlaneMotion, axis: Vec3): boolean =>
  (turn === undefined || areParallel(turn, axis)) && slides.every((slide) => Math.abs(dot(slide, axis)) < 1e-12);

/** A shape on a body that may stay across a direction: where it is along it is then as drawn. */
interface Level {
  readonly motion: PlaneMotion;
  readonly along: (direction: Vec3) => readonly [from: number, to: number];
}

/** Of shapes that are what their meshes are; round ones stand out beyond them. */
function levelOf(
  { form, pose, mesh }: Solid,
  position: Vec3,
  drawn: Quaternion,
  motion: PlaneMotion | undefined,
): Level | undefined {
  if (motion === undefined || ['sphere', 'ellipsoid', 'capsule', 'halfSpace'].includes(form.kind)) return undefined;
  const round =
    form.kind === 'cylinder' || form.kind === 'frustum' || (form.kind === 'extrusion' && hasArcs(form.profile));
  const axis = rotate(multiply(drawn, pose.orientation), [0, 0, 1]);
  return {
    motion,
    along(direction) {
      if (round && !areParallel(axis, direction)) return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
      const [x, y, z] = rotate(conjugate(drawn), direction);
      const { vertices } = mesh;
      let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (let v = 0; v < vertices.length; v += 3) {
        const height = x * vertices[v] + y * vertices[v + 1] + z * vertices[v + 2];
        from = Math.min(from, height);
        to = Math.max(to, height);
      }
      const at = dot(direction, position);
      return [at + from, at + to];
    },
  };
}

/** Both keep their places along one direction, and share none but for rounding. */
function areApart(one: Level, other: Level): boolean {
  const direction = one.motion.turn ?? other.motion.turn;
  if (!direction || !staysAcross(one.motion, direction) || !staysAcross(other.motion, direction)) return false;
  const [bottom, top] = one.along(direction);
  const [from, to] = other.along(direction);
  const rounding = 1e-12 * (Math.abs(bottom) + Math.abs(top) + Math.abs(from) + Math.abs(to));
  return from >= top - rounding || bottom >= to - rounding;
}

function areParallel(u: Vec3, v: Vec3): boolean {
  const [x, y, z] = cross(u, v);
  return x * x + y * y + z * z < 1e-24;
}

/** The names of nobody in particular */
const EVERYBODY: readonly (readonly [string | undefined, string | undefined])[] = [[undefined, undefined]];

/** Those the user names, or all if there are few. */
function sensedPairs(
  { contacts }: Model,
  bodies: readonly BodyPlace[],
  shapes: readonly ContactShape[],
): [number, number][] {
  const touching = [...new Set(shapes.map(({ body }) => body))];
  const named = contacts === false ? undefined : contacts.sensors;
  const moving = touching.filter((body) => !bodies[body].fixed).length;
  if (!named && moving * (touching.length - 0.5 * (moving + 1)) > FEW_PAIRS) return [];
  // pairs by the places of their bodies among those that touch, the lesser first
  const places = touching.map((_, k) => k);
  const found = new Set<number>();
  const add = (k: number, l: number): void => {
    if (k === l || (bodies[touching[k]].fixed && bodies[touching[l]].fixed)) return;
    found.add(Math.min(k, l) * touching.length + Math.max(k, l));
  };
  for (const [first, second] of named ?? EVERYBODY) {
    const whom = (name: string | undefined): number[] =>
      name === undefined ? places : places.filter((k) => namesBody(name, bodies[touching[k]].name));
    const others = whom(second);
    for (const k of whom(first)) for (const l of others) add(k, l);
  }
  return [...found]
    .sort((p, q) => p - q)
    .map((key) => [touching[Math.floor(key / touching.length)], touching[key % touching.length]]);
}
