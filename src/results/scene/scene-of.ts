/** The scene of a model: what there is to see, without a word of mechanics. */
import { bodyInertia } from '../../assembly/inertia.js';
import { type DrawnFrame, drawnBody, drawnFrame, quaternionOf } from '../../assembly/places.js';
import type { FlexibleNode } from '../../assembly/system.js';
import { ModelError } from '../../errors.js';
import { ORIGIN, type Pose, type Solid } from '../../geometry/solid.js';
import { conjugate, rotate } from '../../math/quaternion.js';
import { distance, norm, normalize, scale, sub, type Vec3, ZERO } from '../../math/vec3.js';
import type { Body } from '../../model/body.js';
import type { Gravity } from '../../model/gravity.js';
import type { Joint } from '../../model/joints.js';
import { GROUND, type Model } from '../../model/model.js';
import { surfaceVertices } from '../../model/surfaces.js';
import type { Scene, SceneBody, SceneJoint, ScenePoint, SceneSpring, SceneSurface } from '../scene.js';
import { flexibleSurfaces } from './flexible-scene.js';
import { ShapeList } from './shape-list.js';

/**
 * What a recording of the model shows. Meshes are the model's own arrays, not copies of them.
 *
 * @param flexible bodies that deform, as assembled; without them they are drawn as if they were rigid
 *
 * @example writeFileSync('scene.bin', sceneBytes(sceneOf(billiard())))
 */
export function sceneOf(model: Model, flexible: readonly FlexibleNode[] = []): Scene {
  const shapes = new ShapeList();
  const masses = new Map<string, Mass>();
  const index = new Map([...model.bodies.keys()].map((name, i) => [name, i] as const));
  const bodies = [...model.bodies].map(([name, given]): SceneBody => {
    // what deforms is drawn as a surface
    const drawn = flexible.some(({ body }) => body === name) ? [] : solidsOf(given);
    const parts = drawn.map((solid) => {
      const colour = given.colour ?? solid.colour;
      const name = given.material?.name;
      return { shape: shapes.place(solid), ...(colour && { colour }), ...(name && { material: name }) };
    });
    // Bodies of the same shapes, density and givens weigh the same: counted once for a thousand balls
    const { material, mass, centreOfMass, fixed = false } = given;
    const kind = JSON.stringify([parts.map(({ shape }) => shape), material?.density, mass, centreOfMass, fixed]);
    let own = masses.get(kind);
    if (!own) masses.set(kind, (own = massOf(name, given)));
    const { position, orientation } = drawnBody(model, name);
    const frames = Object.entries(given.frames ?? {}).map(([frame, place]) => ({
      name: frame,
      pose: {
        position: place.position ?? ZERO,
        orientation: place.orientation ? quaternionOf(place.orientation) : ORIGIN.orientation,
      },
    }));
    return { name, ...own, fixed, pose: { position, orientation }, parts, frames };
  });
  const poseOf = (body: string): Pose => (body === GROUND ? ORIGIN : drawnBody(model, body));
  const pointOf = ({ body, position }: DrawnFrame): ScenePoint => ({
    body: index.get(body) ?? -1,
    position: seenFrom(poseOf(body), position),
  });

  const joints = [...model.joints].map(([name, joint]): SceneJoint => {
    const at = joint.at === undefined ? drawnBody(model, joint.body) : drawnFrame(model, joint.at);
    const axes = axesOf(joint).map(normalize);
    const back = conjugate(poseOf(joint.body).orientation);
    const to = joint.to ?? GROUND;
    return {
      name,
      kind: joint.kind,
      at: pointOf({ ...at, body: joint.body }),
      to: index.get(to) ?? -1,
      axes: axes.map((axis) => rotate(back, axis)),
      ...(isDriven(joint) && { driven: true }),
      ...(joint.kind === 'universal' && { axisOnTo: rotate(conjugate(poseOf(to).orientation), axes[0]) }),
    };
  });
  const springs: SceneSpring[] = [];
  for (const [name, force] of model.forces) {
    if (force.kind === 'applied') continue;
    const from = drawnFrame(model, force.from);
    const to = drawnFrame(model, force.to);
    const freeLength = force.kind === 'spring' ? (force.restLength ?? distance(from.position, to.position)) : undefined;
    springs.push({
      name,
      kind: force.kind,
      from: pointOf(from),
      to: pointOf(to),
      ...(freeLength !== undefined && { freeLength }),
    });
  }
  for (const [name, constraint] of model.constraints)
    if (constraint.kind === 'rod')
      springs.push({
        name,
        kind: 'rod',
        from: pointOf(drawnFrame(model, constraint.from)),
        to: pointOf(drawnFrame(model, constraint.to)),
      });
  const surfaces = [...model.surfaces].map(([name, surface]): SceneSurface => {
    const vertices = surfaceVertices(surface, 0, `surfaces.${name}`);
    const { triangles, quantity = '', unit = '', colour } = surface;
    return { name, vertexCount: vertices.length / 3, triangles, vertices, quantity, unit, ...(colour && { colour }) };
  });
  return {
    title: model.title,
    ...upOf(model.gravity, bodies),
    shapes: shapes.list,
    bodies,
    joints,
    springs,
    surfaces: [...surfaces, ...flexibleSurfaces(model, flexible)],
    plots: model.plots,
  };
}

const solidsOf = ({ shape }: Body): readonly Solid[] =>
  shape === undefined ? [] : Array.isArray(shape) ? shape : [shape as Solid];

type Mass = Pick<SceneBody, 'mass' | 'centreOfMass'>;

/** A model can be looked at before it can be run: what its shape cannot tell is NaN here, and refused there. */
function massOf(name: string, given: Body): Mass {
  if (given.fixed) return { mass: 0, centreOfMass: given.centreOfMass ?? ZERO };
  try {
    const { mass, centre } = bodyInertia(given, `bodies.${name}`);
    return { mass, centreOfMass: centre };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { mass: given.mass ?? Number.NaN, centreOfMass: given.centreOfMass ?? ZERO };
  }
}

function axesOf(joint: Joint): readonly Vec3[] {
  switch (joint.kind) {
    case 'revolute':
    case 'prismatic':
    case 'screw':
    case 'cylindrical':
      return [joint.axis];
    case 'universal':
      return [joint.axis, joint.secondAxis];
    case 'planar':
      return [joint.normal];
    case 'fixed':
    case 'spherical':
    case 'free':
      return [];
  }
}

/** A point of the world in the axes of a frame. */
const seenFrom = ({ position, orientation }: Pose, point: Vec3): Vec3 =>
  rotate(conjugate(orientation), sub(point, position));

/** Against gravity where the first moving body is; +z where there is none. */ /** By a motor or along a motion that is given; a torque of the user's own may be anything, and a joint held at rest needs no motor. */
const isDriven = (joint: Joint): boolean =>
  ('motor' in joint && joint.motor !== undefined) ||
  ('speed' in joint && joint.speed !== undefined && joint.speed !== 0) ||
  ('angle' in joint && joint.angle !== undefined) ||
  (joint.kind === 'prismatic' && joint.position !== undefined);

function upOf(gravity: Gravity, bodies: readonly SceneBody[]): Pick<Scene, 'up' | 'weightless'> {
  if (typeof gravity === 'string') return { up: [0, 0, 1] };
  const at = (bodies.find(({ fixed }) => !fixed) ?? bodies[0]).pose.position;
  let up: Vec3;
  if (typeof gravity === 'function') up = scale(-1, gravity(at));
  else if ('mu' in gravity) up = sub(at, gravity.centre ?? ZERO);
  else up = scale(-1, gravity);
  const length = norm(up);
  if (!(length > 0 && length < Number.POSITIVE_INFINITY)) return { up: [0, 0, 1], weightless: true };
  return { up: [up[0] / length + 0, up[1] / length + 0, up[2] / length + 0] }; // no −0
}
