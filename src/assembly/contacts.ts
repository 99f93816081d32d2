/**
 * Which shapes can touch: every shape of every body, with its place on the carrier, its material, and who is kept apart by groups, joints
 * and the user's word.
 */
import type { Solid } from '../geometry/solid.js';
import { multiply, type Quaternion, rotate } from '../math/quaternion.js';
import { add, type Vec3, ZERO } from '../math/vec3.js';
import { GroupBits, namesBody, pairOptions, type Surface } from '../model/contacts.js';
import { GROUND, type Model } from '../model/model.js';
import { type AnchorAt, drawnBody, quaternionOf } from './places.js';
import type { BodyPlace, ContactPlan, ContactShape } from './system.js';

/** Up to so many pairs of bodies all have signals of their own. */
const FEW_PAIRS = 12;

/**
 * @param planeNormalOf unit vector, world as drawn, across which the carrier of a body moves and about which it turns; 'any' for what is
 *                      fixed; undefined for what can tilt
 */
export function contactPlan(
  model: Model,
  bodies: readonly BodyPlace[],
  anchorAt: AnchorAt,
  planeNormalOf: (name: string) => Vec3 | 'any' | undefined,
): ContactPlan | undefined {
  const { contacts } = model;
  if (contacts === false) return undefined;
  const bits = new GroupBits();
  const shapes: ContactShape[] = [];
  const group: number[] = [];
  const mask: number[] = [];
  bodies.forEach(({ name }, index) => {
    const { shape, contact, material } = model.bodies.get(name)!;
    if (contact === false) return;
    const drawn = drawnBody(model, name);
    const place = (position: Vec3, orientation: Quaternion) =>
      anchorAt({
        body: name,
        position: add(drawn.position, rotate(drawn.orientation, position)),
        orientation: multiply(drawn.orientation, orientation),
      });
    const mine: Omit<ContactShape, 'name'>[] = [];
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
      for (const solid of solids) {
        const { pose, form } = solid;
        // The mesh is in the solid's frame, a form in a frame of its own
        const anchor = form.kind === 'mesh' ? place(ZERO, [1, 0, 0, 0]) : place(pose.position, pose.orientation);
        mine.push({
          body: index,
          solid,
          anchor,
          material,
          ...planarity(form.kind, multiply(drawn.orientation, pose.orientation), planeNormalOf(name)),
        });
      }
    for (const [i, one] of mine.entries()) {
      shapes.push({ name: mine.length > 1 ? `${name}[${i}]` : name, ...one });
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
    sensors: sensedPairs(model, bodies, shapes),
    pairOptions: (a, b) => pairOptions(contacts, bodies[a].name, bodies[b].name),
  };
}

/** An extrusion whose axis stays across the plane of its motion; carrier's axes are those of the drawing for nodes and the ground. */
function planarity(
  kind: Solid['form']['kind'],
  orientation: Quaternion,
  normal: Vec3 | 'any' | undefined,
): { planeNormal?: Vec3 } {
  if (kind !== 'extrusion' || normal === undefined) return {};
  const axis = rotate(orientation, [0, 0, 1]);
  if (normal === 'any') return { planeNormal: axis };
  const [x, y, z] = [
    axis[1] * normal[2] - axis[2] * normal[1],
    axis[2] * normal[0] - axis[0] * normal[2],
    axis[0] * normal[1] - axis[1] * normal[0],
  ];
  return x * x + y * y + z * z < 1e-24 ? { planeNormal: axis } : {};
}

/** Those the user names, or all if there are few. */
function sensedPairs(
  { contacts }: Model,
  bodies: readonly BodyPlace[],
  shapes: readonly ContactShape[],
): [number, number][] {
  const touching = [...new Set(shapes.map(({ body }) => body))];
  const pairs: [number, number][] = [];
  for (const [k, a] of touching.entries())
    for (const b of touching.slice(k + 1)) if (!(bodies[a].fixed && bodies[b].fixed)) pairs.push([a, b]);
  const named = contacts === false ? undefined : contacts.sensors;
  if (!named) return pairs.length <= FEW_PAIRS ? pairs : [];
  return pairs.filter(([a, b]) =>
    named.some(
      ([first, second]) =>
        (namesBody(first, bodies[a].name) && namesBody(second, bodies[b].name)) ||
        (namesBody(first, bodies[b].name) && namesBody(second, bodies[a].name)),
    ),
  );
}
