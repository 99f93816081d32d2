/** Which pairs of a flexible body and another can touch: plans for dynamics/elements/flexible-contact.ts. */
import { ModelError } from '../errors.js';
import type { RigidShape } from '../flexible-bodies/contact/rigid-outline.js';
import type { RigidForm } from '../flexible-bodies/contact/solid/rigid-solid.js';
import { bristlesOf } from '../flexible-bodies/contact/solid/solid-contact.js';
import { TOUCHING } from '../flexible-bodies/contact/touching.js';
import { bulgeOf, corner } from '../geometry/arc.js';
import { reversed } from '../geometry/outline.js';
import type { Outline, Profile } from '../geometry/profile.js';
import { ORIGIN, type Solid } from '../geometry/solid.js';
import { fromQuaternion } from '../math/mat3.js';
import { multiply, type Quaternion, rotate } from '../math/quaternion.js';
import { add, dot, scale, sub, type Vec3 } from '../math/vec3.js';
import { type Contacts, namesBody, pairOptions } from '../model/contacts.js';
import type { Material } from '../model/material.js';
import { pairProperties } from '../model/material-pairs.js';
import type { Model } from '../model/model.js';
import { rulesOf } from './contact-rules.js';
import { type DrawnSolid, refuseEnclosed } from './enclosed.js';
import { type AnchorAt, drawnBody } from './places.js';
import type { ElementPlan, FlexibleNode } from './system.js';

/** Friction states of a pair in the plane: three regions */
const STATES = 3;

/**
 * @param originOf where a node is as drawn
 * @param state    index of the first free state
 */
export function flexibleContactPlans(
  model: Model,
  flexible: readonly FlexibleNode[],
  originOf: (node: number) => Vec3,
  anchorAt: AnchorAt,
  state: number,
): ElementPlan[] {
  const { contacts } = model;
  if (contacts === false) return [];
  const plans: ElementPlan[] = [];
  for (const [i, { between, nodalForces }] of (contacts.pairs ?? []).entries())
    if (nodalForces && !flexible.some(({ body }) => between.some((name) => namesBody(name, body))))
      throw new ModelError(
        `contacts.pairs[${i}].nodalForces`,
        `neither "${between[0]}" nor "${between[1]}" is a flexible body, and rigid ones have no nodes; take nodalForces away, or give one of them \`flexible\``,
      );
  const touches = (name: string): boolean => model.bodies.get(name)!.contact !== false;
  const mayTouch = rulesOf(model, contacts);
  const order = new Map([...model.bodies.keys()].map((name, i) => [name, i]));
  let next = state;
  const push = (
    one: FlexibleNode,
    other: string,
    end: Pick<Extract<ElementPlan, { kind: 'flexibleContact' }>, 'b' | 'shape' | 'form' | 'flexible' | 'height'>,
  ): void => {
    const { friction, guessed } = frictionOf(model, contacts, one.body, other);
    const { restitution, nodalForces } = pairOptions(contacts, one.body, ownerOf(model, other));
    const solid = one.part.kind === 'solid';
    if (nodalForces === 'elmqvist' && solid)
      throw new ModelError(
        `contacts.pairs (${one.body}–${other}).nodalForces`,
        `"${one.body}" is a flexible solid, whose nodes get their forces by its shape functions; take nodalForces away`,
      );
    const states = solid ? bristlesOf(end.form) : STATES;
    if (end.form?.kind !== 'halfSpace' && end.shape?.kind !== 'halfPlane') {
      const { origin, axes } = planeOf(one, originOf);
      const at = add(origin, scale(end.height, axes[2]));
      refuseEnclosed(
        drawnSolid(model, one.body),
        drawnSolid(model, other),
        solid ? undefined : { at, normal: axes[2] },
      );
    }
    // named in the order of the model, whichever deforms, as pairs of rigid bodies are
    const turned = order.get(ownerOf(model, other))! < order.get(one.body)!;
    const own = one.name.slice(one.name.indexOf('.') + 1);
    plans.push({
      kind: 'flexibleContact',
      touching: TOUCHING,
      name: `contacts.${turned ? `${other}-${own}` : `${own}-${other}`}`,
      ...(turned && { turned }),
      a: { node: one.node, position: one.plane.position, orientation: one.plane.orientation },
      carrierNames: turned ? [other, own] : [own, other],
      bodies: [one.body, ownerOf(model, other)],
      friction,
      ...(guessed && { frictionGuessed: true }),
      ...(restitution !== undefined && { restitution }),
      ...(nodalForces && { nodalForces }),
      state: next,
      states: friction > 0 ? states : 0,
      ...end,
    });
    if (friction > 0) next += states;
  };
  flexible.forEach((one, i) => {
    if (!touches(one.body)) return;
    if (one.part.kind === 'solid') {
      solidPairs(model, one, flexible.slice(i + 1), mayTouch, anchorAt, push);
      return;
    }
    const plane = planeOf(one, originOf);
    const { thickness } = one.part.material;
    // with others that deform
    for (const other of flexible.slice(i + 1)) {
      if (other.body === one.body || !touches(other.body) || !mayTouch(one.body, other.body)) continue;
      if (other.part.kind === 'solid') throw planarAndSolid(one.body, other.body);
      const theirs = planeOf(other, originOf);
      if (!(dot(plane.axes[2], theirs.axes[2]) > 1 - 1e-12)) {
        if (dot(plane.axes[2], theirs.axes[2]) < -1 + 1e-12)
          throw new ModelError(
            `bodies.${other.body}.contact`,
            `lies face down in the plane of "${one.body}"; draw both with their outlines seen from one side, or exclude the pair in contacts.exclude`,
          );
        throw across(other.body, one.body);
      }
      const base = dot(sub(theirs.origin, plane.origin), plane.axes[2]);
      const [from, to] = [Math.max(0, base), Math.min(thickness, base + other.part.material.thickness)];
      if (!(to > from)) continue;
      push(one, other.name.slice(other.name.indexOf('.') + 1), {
        b: { node: other.node, position: other.plane.position, orientation: other.plane.orientation },
        flexible: [one.name, other.name],
        height: (from + to) / 2,
      });
    }
    // with rigid ones
    for (const [name, { shape, contact, flexible: deforms }] of model.bodies) {
      if (deforms || contact === false || shape === undefined || !mayTouch(one.body, name)) continue;
      if (contact?.surfaces)
        throw new ModelError(
          `bodies.${name}.contact.surfaces`,
          `"${one.body}" deforms and touches outlines only; take the surfaces away, or exclude the pair in contacts.exclude`,
        );
      const solids: readonly Solid[] = Array.isArray(shape) ? shape : [shape as Solid];
      const drawn = drawnBody(model, name);
      const sections = solids.flatMap((solid) => {
        const found = crossSection(solid, drawn.position, drawn.orientation, plane);
        if (found === 'across') throw across(name, one.body);
        const [from, to] = [Math.max(0, found.from), Math.min(thickness, found.to)];
        return to > from ? [{ ...found, height: (from + to) / 2 }] : [];
      });
      sections.forEach(({ origin, shape: section, height }, index) => {
        push(one, sections.length > 1 ? `${name}[${index}]` : name, {
          b: anchorAt({ body: name, position: origin, orientation: plane.orientation }),
          flexible: [one.name, undefined],
          shape: section,
          height,
        });
      });
    }
  });
  return plans;
}

type PushPair = (
  one: FlexibleNode,
  other: string,
  end: Pick<Extract<ElementPlan, { kind: 'flexibleContact' }>, 'b' | 'shape' | 'form' | 'flexible' | 'height'>,
) => void;

/** Of a flexible solid with other flexible ones that come after it, and with rigid bodies */
function solidPairs(
  model: Model,
  one: FlexibleNode,
  others: readonly FlexibleNode[],
  mayTouch: (a: string, b: string) => boolean,
  anchorAt: AnchorAt,
  push: PushPair,
): void {
  const touches = (name: string): boolean => model.bodies.get(name)!.contact !== false;
  for (const other of others) {
    if (!touches(other.body) || !mayTouch(one.body, other.body)) continue;
    if (other.part.kind !== 'solid') throw planarAndSolid(other.body, one.body);
    // the finer mesh has the points
    const [fine, coarse] = lengthOf(one.part) <= lengthOf(other.part) ? [one, other] : [other, one];
    push(fine, coarse.body, {
      b: { node: coarse.node, position: coarse.plane.position, orientation: coarse.plane.orientation },
      flexible: [fine.name, coarse.name],
      height: 0,
    });
  }
  for (const [name, other] of model.bodies) {
    if (name === one.body || other.flexible || !other.shape || !touches(name) || !mayTouch(one.body, name)) continue;
    if (other.contact !== false && other.contact?.surfaces)
      throw new ModelError(
        `bodies.${name}.contact.surfaces`,
        `"${one.body}" deforms and touches solids only; take the surfaces away, or exclude the pair in contacts.exclude`,
      );
    const solids: readonly Solid[] = Array.isArray(other.shape) ? other.shape : [other.shape as Solid];
    const drawn = drawnBody(model, name);
    solids.forEach((solid, index) => {
      const form = rigidForm(solid, one, other.material);
      // a mesh is in the axes of the solid, a form in its own
      const { position, orientation } = form.kind === 'mesh' ? ORIGIN : solid.pose;
      push(one, solids.length > 1 ? `${name}[${index}]` : name, {
        b: anchorAt({
          body: name,
          position: add(drawn.position, rotate(drawn.orientation, position)),
          orientation: multiply(drawn.orientation, orientation),
        }),
        flexible: [one.name, undefined],
        form,
        height: 0,
      });
    });
  }
}

const planarAndSolid = (plane: string, solid: string): ModelError =>
  new ModelError(
    `bodies.${plane}.contact`,
    `"${plane}" deforms in its plane and "${solid}" in space: make "${plane}" a solid as well (flexible: { layers: 1 }), or exclude the pair in contacts.exclude`,
  );

/** √ of the mean area of the faces of a solid's mesh, by its number of faces and its box, m */
function lengthOf(part: FlexibleNode['part']): number {
  if (part.kind !== 'solid') return 0;
  const { points } = part.mesh;
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; i++) {
    low[i % 3] = Math.min(low[i % 3], points[i]);
    high[i % 3] = Math.max(high[i % 3], points[i]);
  }
  const [x, y, z] = high.map((most, d) => most - low[d]);
  return Math.sqrt((x * y + y * z + z * x) / (part.faces.length / 6));
}

/** A rigid solid as a flexible one meets it */
function rigidForm({ form, mesh }: Solid, { part }: FlexibleNode, material: Material | undefined): RigidForm {
  switch (form.kind) {
    case 'halfSpace':
      return { kind: 'halfSpace' };
    case 'cylinder':
      return { kind: 'rod', radius: form.radius, height: form.height, roundEnds: false };
    case 'capsule':
      return { kind: 'rod', radius: form.radius, height: form.height, roundEnds: true };
    case 'sphere': {
      const give = ({ youngsModulus, poissonRatio = 0.3 }: Partial<Material>): number =>
        youngsModulus === undefined ? 0 : (1 - poissonRatio * poissonRatio) / youngsModulus;
      const reduced = 1 / (give(part.material) + give(material ?? {}));
      return { kind: 'ball', radius: form.radius, stiffness: (4 / 3) * reduced * Math.sqrt(form.radius) };
    }
    default:
      return { kind: 'mesh', vertices: Float64Array.from(mesh.vertices), triangles: Uint32Array.from(mesh.triangles) };
  }
}

const across = (name: string, flexible: string): ModelError =>
  new ModelError(
    `bodies.${name}.contact`,
    `"${flexible}" deforms and touches in the plane of its outline only: expected an extrusion, disc or cylinder across that plane, a box along it or a half space that stands on it; ` +
      'turn the body, or exclude the pair in contacts.exclude',
  );

interface Plane {
  readonly origin: Vec3;
  readonly axes: readonly [Vec3, Vec3, Vec3];
  readonly orientation: Quaternion;
}

/** Of a flexible body, world as drawn */
function planeOf({ node, plane }: FlexibleNode, originOf: (node: number) => Vec3): Plane {
  const m = fromQuaternion(plane.orientation);
  return {
    origin: add(originOf(node), plane.position),
    axes: [
      [m[0], m[3], m[6]],
      [m[1], m[4], m[7]],
      [m[2], m[5], m[8]],
    ],
    orientation: plane.orientation,
  };
}

interface Section {
  /** World: where the shape's own origin is */
  readonly origin: Vec3;
  readonly shape: RigidShape;
  /** Along the plane's normal from its origin, m */
  readonly from: number;
  readonly to: number;
}

/** What a rigid solid has in the plane */
function crossSection(solid: Solid, position: Vec3, orientation: Quaternion, plane: Plane): Section | 'across' {
  const { form, pose } = solid;
  const turn = multiply(orientation, pose.orientation);
  const origin = add(position, rotate(orientation, pose.position));
  const [e1, e2, e3] = plane.axes;
  const base = dot(sub(origin, plane.origin), e3);
  const axis = rotate(turn, [0, 0, 1]);
  const along = dot(axis, e3);
  const parallel = Math.abs(along) > 1 - 1e-12;
  if (form.kind === 'halfSpace') {
    if (Math.abs(along) > 1e-9) return 'across';
    return {
      origin,
      shape: { kind: 'halfPlane', normal: [dot(axis, e1), dot(axis, e2)], offset: 0 },
      from: Number.NEGATIVE_INFINITY,
      to: Number.POSITIVE_INFINITY,
    };
  }
  /** Corners of the form's own plane into the flexible one's axes */
  const inPlane = (profile: Profile, u: Vec3, v: Vec3): Profile => {
    const [ux, uy, vx, vy] = [dot(u, e1), dot(u, e2), dot(v, e1), dot(v, e2)];
    const mirrored = ux * vy - uy * vx < 0;
    const map = (loop: Outline): Outline => {
      const turned = loop.map((c) =>
        corner(ux * c[0] + vx * c[1], uy * c[0] + vy * c[1], mirrored ? -bulgeOf(c) : bulgeOf(c)),
      );
      return mirrored ? reversed(turned) : turned;
    };
    return { outer: map(profile.outer), holes: profile.holes.map(map) };
  };
  const x = rotate(turn, [1, 0, 0]);
  const y = rotate(turn, [0, 1, 0]);
  if (form.kind === 'extrusion' && parallel) {
    const end = base + along * form.height;
    return {
      origin,
      shape: { kind: 'outline', profile: inPlane(form.profile, x, y) },
      from: Math.min(base, end),
      to: Math.max(base, end),
    };
  }
  if (form.kind === 'cylinder' && parallel) {
    const r = form.radius;
    const circle: Profile = {
      outer: [
        [r, 0, 1],
        [-r, 0, 1],
      ],
      holes: [],
    };
    return {
      origin,
      shape: { kind: 'outline', profile: inPlane(circle, x, y) },
      from: base - form.height / 2,
      to: base + form.height / 2,
    };
  }
  if (form.kind === 'box') {
    const own: readonly Vec3[] = [x, y, axis];
    const k = own.findIndex((direction) => Math.abs(dot(direction, e3)) > 1 - 1e-12);
    if (k < 0) return 'across';
    const [i, j] = [(k + 1) % 3, (k + 2) % 3];
    const [a, b] = [form.size[i] / 2, form.size[j] / 2];
    const rectangle: Profile = {
      outer: [
        [-a, -b],
        [a, -b],
        [a, b],
        [-a, b],
      ],
      holes: [],
    };
    return {
      origin,
      shape: { kind: 'outline', profile: inPlane(rectangle, own[i], own[j]) },
      from: base - form.size[k] / 2,
      to: base + form.size[k] / 2,
    };
  }
  return 'across';
}

/** Body of a piece or shape `rod[1]` */
const ownerOf = (model: Model, name: string): string =>
  model.bodies.has(name) ? name : name.slice(0, name.lastIndexOf('['));

/** Of a body or of one of its shapes, `rod[1]`; of a piece of a flexible one the whole */
function drawnSolid(model: Model, name: string): DrawnSolid {
  const body = ownerOf(model, name);
  const { shape } = model.bodies.get(body)!;
  const index = body === name ? 0 : Number(name.slice(body.length + 1, -1));
  return {
    body,
    solid: Array.isArray(shape) ? (shape[index] ?? shape[0]) : (shape as Solid),
    drawn: drawnBody(model, body),
  };
}

const NAMELESS: Material = { density: 1 };

function frictionOf(model: Model, contacts: Contacts, a: string, b: string): { friction: number; guessed?: boolean } {
  const other = ownerOf(model, b);
  const options = pairOptions(contacts, a, other);
  const path = `contacts.pairs (${a}–${other})`;
  if (options.normalLaw !== undefined)
    throw new ModelError(path, `"${a}" or "${other}" deforms and has the pressure of its mesh; take normalLaw away`);
  if (options.frictionLaw === 'none') return { friction: 0 };
  const { kineticFriction: friction, unknown } = pairProperties(
    model.bodies.get(a)!.material ?? NAMELESS,
    model.bodies.get(other)?.material ?? NAMELESS,
    {
      ...(options.friction !== undefined && { staticFriction: options.friction, kineticFriction: options.friction }),
      ...(options.staticFriction !== undefined && { staticFriction: options.staticFriction }),
      ...(options.kineticFriction !== undefined && { kineticFriction: options.kineticFriction }),
    },
    path,
  );
  return { friction, guessed: friction > 0 && unknown.includes('friction') };
}
