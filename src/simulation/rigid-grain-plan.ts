/**
 * A model as rigid grains see it: free bodies are grains, fixed ones walls, those on joints a machine or, with prescribed motions, tools.
 *
 * The same model can be run by an error-controlled integrator, which takes any shape and any law, and pays for it; here a
 * thousand stones cost milliseconds a step.
 */
import { assemble } from '../assembly/assemble.js';
import { drawnBody } from '../assembly/places.js';
import type { Anchor } from '../assembly/system.js';
import { reducedModulus, reducedShearModulus } from '../contact-laws/combination.js';
import { initialise } from '../dynamics/initialise.js';
import { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { ModelError } from '../errors.js';
import type { Pose, Solid } from '../geometry/solid.js';
import type { GrainContact } from '../grains/polyhedra/contact-parameters.js';
import { largestFace } from '../grains/polyhedra/foundation-step.js';
import type { GrainBody } from '../grains/polyhedra/grain-arrays.js';
import { clumpGrain, compoundGrain, type GrainShape, polyhedronGrain } from '../grains/polyhedra/grain-shape.js';
import { toolOf } from '../grains/polyhedra/tool.js';
import { fromQuaternion, type Mat3, multiply as matrixProduct, toQuaternion } from '../math/mat3.js';
import { rotate } from '../math/quaternion.js';
import { add, cross, type Vec3, ZERO } from '../math/vec3.js';
import type { Body } from '../model/body.js';
import { pairOptions } from '../model/contacts.js';
import { GRAVITY } from '../model/gravity.js';
import type { Material } from '../model/material.js';
import { pairProperties } from '../model/material-pairs.js';
import type { Model } from '../model/model.js';

/** The name of this way to run a model, in `simulation.integrator` and `--integrator` */
export const GRAINS = 'grains';

export interface GrainPlan {
  /** In the order of the model's bodies */
  readonly names: readonly string[];
  readonly bodies: readonly GrainBody[];
  readonly contact: (i: number, j: number) => GrainContact;
  readonly gravity: Vec3;
  /** By index of body */
  readonly motions: ReadonlyMap<number, (time: number) => Pose>;
  /** The model without its grains, where bodies on joints have coordinates of their own; undefined where all their motions are prescribed */
  readonly machine: Model | undefined;
  /** Whether the body is part of the machine: on a joint, or held by a constraint or a force */
  readonly inMachine: (name: string) => boolean;
  /** Step from a tenth of the frequency of a pair, s */
  readonly step: number;
}

export function grainPlan(model: Model): GrainPlan {
  refuseElements(model);
  const names = [...model.bodies.keys()];
  const jointed = machineBodies(model);
  const species = speciesOf(model, names);
  const bodies = names.map((name, i): GrainBody => {
    const given = model.bodies.get(name)!;
    const { position, orientation } = drawnBody(model, name);
    const free = !given.fixed && !jointed.has(name);
    const shape = free
      ? grainOf(given, `bodies.${name}`)
      : toolOf(given.contact === false ? [] : solidsOf(given), `bodies.${name}`);
    const centre = rotate(orientation, shape.centre);
    const spin = given.angularVelocity ?? ZERO;
    return {
      shape,
      species: species.of[i],
      density: free ? densityOf(given, shape, `bodies.${name}`) : Number.POSITIVE_INFINITY,
      position,
      orientation,
      // the model gives the velocity of the frame's origin
      ...(given.velocity && { velocity: add(given.velocity, cross(spin, centre)) }),
      ...(given.angularVelocity && { angularVelocity: spin }),
    };
  });
  if (!bodies.some(({ density }) => density < Number.POSITIVE_INFINITY))
    throw new ModelError('bodies', 'expected at least one body that is free to move, got none');
  const contact = (i: number, j: number): GrainContact => contactOf(model, species.example[i], species.example[j]);
  return {
    names,
    bodies,
    contact,
    gravity: gravityOf(model),
    ...machineOf(model, names, jointed),
    inMachine: (name) => jointed.has(name),
    step: stepOf(bodies, contact),
  };
}

function refuseElements(model: Model): void {
  const refuse = (what: string, instead: string): never => {
    throw new ModelError(what, `is not for grains; ${instead}, or take another integrator`);
  };
  for (const name of model.events.keys()) refuse(`events.${name}`, 'take it away');
  if (model.contacts === false) refuse('contacts: false', 'grains live by their contacts');
}

/** Bodies on joints, and those that constraints and forces name */
function machineBodies(model: Model): ReadonlySet<string> {
  const found = new Set([...model.joints.values()].map(({ body }) => body));
  const seek = (given: unknown): void => {
    if (typeof given === 'string') {
      if (model.bodies.has(given)) found.add(given);
    } else if (Array.isArray(given)) given.forEach(seek);
    else if (given !== null && typeof given === 'object') Object.values(given).forEach(seek);
  };
  for (const elements of [model.joints, model.constraints, model.forces])
    for (const element of elements.values()) seek(element);
  for (const name of found) if (model.bodies.get(name)?.fixed) found.delete(name);
  return found;
}

/** Bodies that no pair of `contacts.pairs` tells apart and that are of one material are one species. */
function speciesOf(
  model: Model,
  names: readonly string[],
): { readonly of: readonly number[]; readonly example: readonly string[] } {
  const written = new Set(
    model.contacts === false ? [] : (model.contacts.pairs ?? []).flatMap(({ between }) => between),
  );
  const known = new Map<string, number>();
  const example: string[] = [];
  const materials = new Map<Material | undefined, number>();
  const of = names.map((name) => {
    const { material } = model.bodies.get(name)!;
    if (!materials.has(material)) materials.set(material, materials.size);
    const key = `${written.has(name) ? name : name.replace(/\[.*$/, '')} ${materials.get(material)}`;
    if (!known.has(key)) {
      known.set(key, example.length);
      example.push(name);
    }
    return known.get(key)!;
  });
  return { of, example };
}

function contactOf(model: Model, a: string, b: string): GrainContact {
  const options = pairOptions(model.contacts === false ? {} : model.contacts, a, b);
  const [first, second] = [a, b].map((name) => model.bodies.get(name)!.material ?? { density: 1 });
  const { friction, staticFriction = friction, kineticFriction = friction, restitution } = options;
  const properties = pairProperties(
    first,
    second,
    {
      ...(staticFriction !== undefined && { staticFriction }),
      ...(kineticFriction !== undefined && { kineticFriction }),
      ...(restitution !== undefined && { restitution }),
    },
    `contacts.pairs (${a}, ${b})`,
  );
  const law = options.normalLaw;
  const elastic = (material: Material) => ({
    youngsModulus: material.youngsModulus ?? 1e7,
    poissonRatio: material.poissonRatio ?? 0.3,
  });
  const modulus = options.reducedModulus ?? reducedModulus(elastic(first), elastic(second));
  const spheres = {
    reducedModulus: modulus,
    reducedShearModulus:
      (modulus * reducedShearModulus(elastic(first), elastic(second))) /
      reducedModulus(elastic(first), elastic(second)),
  };
  const common = { restitution: properties.restitution, friction: properties.kineticFriction, ...spheres };
  if (typeof law === 'object' && law.kind === 'foundation') return { ...common, modulus: law.modulus };
  throw new ModelError(
    `contacts (${a}, ${b}).normalLaw`,
    "grains press on each other with a pressure per depth that must be given, e.g. contacts: { defaults: { normalLaw: { kind: 'foundation', modulus: 1e8 } } } in N/m³",
  );
}

function gravityOf({ gravity }: Model): Vec3 {
  if (typeof gravity === 'string') return [0, 0, -GRAVITY[gravity]];
  if (Array.isArray(gravity)) return gravity as unknown as Vec3;
  throw new ModelError(
    'gravity',
    'grains know gravity that is everywhere the same; give its name or [x, y, z] in m/s²',
  );
}

const solidsOf = ({ shape }: Body): readonly Solid[] => (shape === undefined ? [] : 'mesh' in shape ? [shape] : shape);

/** Convex solids are polyhedra, spheres stay spheres; several solids make a compound or a clump. */
function grainOf(given: Body, where: string): GrainShape {
  const solids = solidsOf(given);
  if (solids.length === 0) throw new ModelError(`${where}.shape`, 'a grain needs a shape; got none');
  for (const key of ['centreOfMass', 'inertia'] as const)
    if (given[key] !== undefined)
      throw new ModelError(`${where}.${key}`, 'grains take centre of mass and inertia from their shape; take it away');
  const balls = solids.filter(({ form }) => form.kind === 'sphere');
  if (balls.length === solids.length)
    return clumpGrain(
      solids.map(({ form, pose }) => ({ position: pose.position, radius: form.kind === 'sphere' ? form.radius : 0 })),
      where,
    );
  if (balls.length > 0)
    throw new ModelError(`${where}.shape`, 'a grain is of spheres or of polyhedra; this one has both');
  return solids.length === 1
    ? polyhedronGrain(solids[0].mesh, where)
    : compoundGrain(
        solids.map(({ mesh }) => mesh),
        where,
      );
}

function densityOf({ mass, material }: Body, { volume }: GrainShape, where: string): number {
  const density = mass === undefined ? material?.density : mass / volume;
  if (density === undefined)
    throw new ModelError(`${where}.material`, 'expected a material, or a mass in kg; got neither');
  return density;
}

/** Where tools are: prescribed, where all coordinates of the bodies on joints are; else the machine has a say. */
function machineOf(
  model: Model,
  names: readonly string[],
  jointed: ReadonlySet<string>,
): Pick<GrainPlan, 'motions' | 'machine'> {
  const motions = new Map<number, (time: number) => Pose>();
  if (jointed.size === 0) return { motions, machine: undefined };
  const bodies = new Map([...model.bodies].filter(([name, { fixed }]) => fixed || jointed.has(name)));
  const machine: Model = { ...model, bodies, contacts: false };
  const system = assemble(machine);
  if (system.nv > 0) return { motions, machine };
  const mechanics = new MechanicalSystem(system);
  const y = system.initial.slice();
  initialise(mechanics, 0, y);
  let at = Number.NaN;
  for (const { name, anchor } of system.bodies) {
    if (!jointed.has(name)) continue;
    motions.set(names.indexOf(name), (time) => {
      if (time !== at) mechanics.update((at = time), y);
      return poseOf(mechanics, anchor);
    });
  }
  return { motions, machine: undefined };
}

function poseOf({ carriers }: MechanicalSystem, anchor: Anchor): Pose {
  const carrier = carriers.indexOf(anchor);
  const r = [...carriers.rotation.subarray(9 * carrier, 9 * carrier + 9)] as unknown as Mat3;
  const [px, py, pz] = anchor.position;
  const lever = [0, 3, 6].map((row) => r[row] * px + r[row + 1] * py + r[row + 2] * pz);
  return {
    position: [0, 1, 2].map((k) => carriers.position[3 * carrier + k] + lever[k]) as unknown as Vec3,
    orientation: toQuaternion(matrixProduct(r, fromQuaternion(anchor.orientation))),
  };
}

/** h = 0.1 · 2/√(K A/m*), A the largest face, m* half the lightest grain; of spheres T/40 of an impact at 1 m/s. */
function stepOf(bodies: readonly GrainBody[], contact: (i: number, j: number) => GrainContact): number {
  let [lightest, area, radius, stiffest, elastic] = [Number.POSITIVE_INFINITY, 0, Number.POSITIVE_INFINITY, 0, 0];
  for (const { shape, density, species } of bodies) {
    const { modulus, reducedModulus: reduced = 0 } = contact(species, species);
    stiffest = Math.max(stiffest, modulus);
    elastic = Math.max(elastic, reduced);
    if (!(density < Number.POSITIVE_INFINITY)) continue;
    lightest = Math.min(lightest, density * shape.volume);
    for (const piece of shape.pieces) {
      area = Math.max(area, largestFace(piece));
      if (piece.vertices.length === 0) radius = Math.min(radius, piece.radius);
    }
  }
  const mass = 0.5 * lightest;
  const bed = area > 0 ? 0.2 / Math.sqrt((stiffest * area) / mass) : Number.POSITIVE_INFINITY;
  if (!(radius < Number.POSITIVE_INFINITY)) return bed;
  const depth = Math.sqrt(Math.sqrt((15 * mass) / (16 * elastic * Math.sqrt(0.5 * radius)))); // within a few per cent of the power 2/5 it stands for
  return Math.min(bed, (2.94 * depth) / 40);
}
