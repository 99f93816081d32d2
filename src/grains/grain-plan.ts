/** From what the user wrote to what a bed needs: kinds, laws of pairs, walls of bodies, grains at the start. */

import { soilsUnderGrains } from '../contact/soil/soil-bed.js';
import { ModelError } from '../errors.js';
import { type Bvh, buildBvh } from '../geometry/bvh.js';
import { isInside } from '../geometry/point-location.js';
import type { Solid } from '../geometry/solid.js';
import { type Quaternion, rotate } from '../math/quaternion.js';
import { random } from '../math/random.js';
import { dot, sub, type Vec3 } from '../math/vec3.js';
import type { Body } from '../model/body.js';
import { type Grains, type Packing, refuseBesideShapes } from '../model/grains.js';
import type { Material } from '../model/material.js';
import { pairProperties } from '../model/material-pairs.js';
import type { Model } from '../model/model.js';
import type { NewGrain } from './bed.js';
import { GrainBed } from './grain-bed.js';
import { type GrainKind, type GrainPairLaw, LEAST_OF_RIGID, LEAST_RESTITUTION } from './grain-laws.js';
import { type SizedSpecies, sizesOf } from './grain-sizes.js';
import { Neighbourhood } from './neighbourhood.js';
import { type Clearance, packed } from './packing.js';
import type { Surroundings } from './relaxed-packing.js';
import { formOf, formsOf, type GrainForms, type ToldPose } from './shapes/grain-forms.js';
import type { WallBody, WallPose } from './wall-arrays.js';
import {
  ballFeature,
  joinFeatures,
  meshFeatures,
  planeFeature,
  revolvedFeatures,
  type WallFeatures,
} from './wall-features.js';

export interface GrainPlan {
  readonly grains: Grains;
  readonly species: readonly (readonly [name: string, species: SizedSpecies])[];
  /** Of each species, where there is one whose grains are no balls */
  readonly forms: readonly GrainForms[] | undefined;
  /** Species first, then one per wall */
  readonly kinds: readonly GrainKind[];
  readonly lawOf: (a: number, b: number) => GrainPairLaw;
  /** Names of bodies that grains touch, in the order of walls */
  readonly wallNames: readonly string[];
  readonly features: readonly WallFeatures[];
  /** From the body's origin, m */
  readonly farthest: readonly number[];
  readonly notes: readonly string[];
}

export const solidsOf = ({ shape }: Body): readonly Solid[] =>
  shape === undefined ? [] : Array.isArray(shape) ? shape : [shape as Solid];

export function grainPlan(model: Model): GrainPlan {
  const grains = model.grains!;
  const given = Object.entries(grains.species);
  // On soft ground balls turn as bodies do: the ground remembers where their material was
  const onSoil = soilsUnderGrains(model)[0];
  if (onSoil) refuseBesideShapes(grains, `"${onSoil.species[0][0]}" lie on soft ground`);
  const forms =
    onSoil || given.some(([, { shape }]) => shape !== undefined)
      ? given.map(([name, { shape, radius }]) => formsOf(shape, radius, `grains.species.${name}`))
      : undefined;
  const species = given.map(([name, own], k): readonly [string, SizedSpecies] => [
    name,
    { ...own, radius: forms?.[k].radius ?? own.radius! },
  ]);
  const walls = [...model.bodies].filter(([, body]) => body.contact !== false && solidsOf(body).length > 0);
  // What grains do to a wall comes to it as one force and one torque, which bend nothing
  for (const [name, { flexible }] of walls)
    if (flexible)
      throw new ModelError(
        `bodies.${name}.flexible`,
        'grains meet rigid walls, and this body deforms: they would not bend it; make it rigid, or let it pass through them (contact: false)',
      );
  const materials: Material[] = [
    ...species.map(([, { material }]) => material),
    ...walls.map(([, { material }]) => material ?? RIGID),
  ];
  const names = [...species.map(([name]) => name), ...walls.map(([name]) => name)];
  const kinds = materials.map(
    ({ youngsModulus = Number.POSITIVE_INFINITY, poissonRatio = 0.3 }, k): GrainKind => ({
      name: names[k],
      youngsModulus,
      poissonRatio,
      ...(k >= species.length && { wall: true }),
    }),
  );
  const notes: string[] = [];
  const lawOf = (a: number, b: number): GrainPairLaw => {
    // Own values of the species (of both, the harmonic mean is that of pairProperties), then those written for the pair
    const own = b < species.length ? (a === b ? species[a][1] : {}) : withoutSize(species[a][1]);
    const {
      restitution,
      friction,
      rollingFriction,
      twistingFriction,
      cohesion,
      adhesion,
      stiffness,
      stiffnessRatio,
      foundation,
    } = {
      ...withoutSize(own),
      ...(a !== b && b < species.length && shared(species[a][1], species[b][1])),
      ...written(grains, names[a], names[b]),
    };
    const laws = Object.entries({ cohesion, adhesion, stiffness }).filter(([, value]) => (value ?? 0) > 0);
    if (adhesion && laws.length > 1)
      throw new ModelError(
        `grains: ${names[a]} – ${names[b]}`,
        `expected one law: adhesion (JKR), or Hertz or a stiffness with or without cohesion (SJKR); got ${laws.map(([law]) => law).join(' and ')}`,
      );
    const known = pairProperties(
      materials[a],
      materials[b],
      {
        ...(restitution !== undefined && { restitution }),
        ...(friction !== undefined && { kineticFriction: friction }),
      },
      `grains: ${names[a]} – ${names[b]}`,
    );
    if (known.unknown.length > 0)
      notes.push(`${known.unknown.join(' and ')} of ${names[a]} – ${names[b]} is a guess: nobody said it`);
    const least = forms ? LEAST_OF_RIGID : LEAST_RESTITUTION;
    if (known.restitution < least)
      notes.push(`restitution of ${names[a]} – ${names[b]} is ${least}, not ${known.restitution}: less is not met`);
    return {
      restitution: known.restitution,
      friction: known.kineticFriction,
      ...(rollingFriction !== undefined && { rollingFriction }),
      ...(twistingFriction !== undefined && { twistingFriction }),
      ...(cohesion !== undefined && { cohesion }),
      ...(adhesion !== undefined && { adhesion }),
      ...(stiffness !== undefined && { stiffness }),
      ...(stiffnessRatio !== undefined && { stiffnessRatio }),
      ...(foundation !== undefined && { foundation }),
    };
  };
  const features = walls.map(([name, body]) => {
    const round = grains.roundWalls?.[name];
    if (round)
      return revolvedFeatures(round.profile, {
        ...(round.origin && { origin: round.origin }),
        ...(round.axis && { axis: round.axis }),
        closed: round.closed ?? false,
      });
    return joinFeatures(solidsOf(body).map((solid) => featuresOf(solid, `bodies.${name}.shape`)));
  });
  return {
    grains,
    species,
    forms,
    kinds,
    lawOf,
    wallNames: walls.map(([name]) => name),
    features,
    farthest: walls.map(([, body]) => farthestOf(body)),
    notes,
  };
}

/** Of a law, as far as it is written */
type Given = { readonly [Key in keyof GrainPairLaw]?: GrainPairLaw[Key] | undefined };

/** A body that nobody gave a material does not yield. */
const RIGID: Material = { density: 1000 };

/** What is written for a pair, later ones last */
function written({ pairs = [] }: Grains, a: string, b: string): Given {
  let law: Given = {};
  const names = (pattern: string, name: string): boolean =>
    pattern === '*' || pattern === name || name.startsWith(`${pattern}[`);
  for (const { between, ...given } of pairs)
    if ((names(between[0], a) && names(between[1], b)) || (names(between[0], b) && names(between[1], a)))
      law = { ...law, ...given };
  return law;
}

const withoutSize = (species: Partial<SizedSpecies>): Given => {
  const { radius: _, material: __, colour: ___, shape: ____, ...law } = species as SizedSpecies;
  return law;
};

/** Of two species with resistances of their own: the mean of each */
function shared(a: SizedSpecies, b: SizedSpecies): Given {
  const law: Record<string, number> = {};
  for (const key of ['rollingFriction', 'twistingFriction', 'cohesion', 'adhesion'] as const)
    if (a[key] !== undefined || b[key] !== undefined) law[key] = 0.5 * ((a[key] ?? 0) + (b[key] ?? 0));
  return law;
}

/** Features of a solid in its body's frame: closed forms where there are, else faces, edges and vertices of the mesh */
function featuresOf({ form, pose, mesh }: Solid, path: string): WallFeatures {
  const axis = rotate(pose.orientation, [0, 0, 1]);
  switch (form.kind) {
    case 'halfSpace':
      return planeFeature(axis, dot(axis, pose.position));
    case 'sphere':
      return ballFeature(pose.position, form.radius);
    case 'cylinder':
      return turned(form.radius, form.radius, form.height, axis, pose.position);
    case 'frustum':
      return turned(form.bottomRadius, form.topRadius, form.height, axis, pose.position);
    default:
      return meshFeatures(mesh.vertices, mesh.triangles, path);
  }
}

/** The outside of a frustum: down along its side, grains on the left */
const turned = (bottom: number, top: number, height: number, axis: Vec3, origin: Vec3): WallFeatures =>
  revolvedFeatures(
    [
      ...(top > 0 ? [[0, height / 2] as const] : []),
      [top, height / 2],
      [bottom, -height / 2],
      ...(bottom > 0 ? [[0, -height / 2] as const] : []),
    ],
    { origin, axis },
  );

function farthestOf(body: Body): number {
  let far = 0;
  for (const { form, mesh } of solidsOf(body)) {
    if (form.kind === 'halfSpace' && !body.fixed) return Number.POSITIVE_INFINITY;
    const { vertices } = mesh;
    for (let i = 0; i < vertices.length; i += 3)
      far = Math.max(
        far,
        vertices[i] * vertices[i] + vertices[i + 1] * vertices[i + 1] + vertices[i + 2] * vertices[i + 2],
      );
  }
  return Math.sqrt(far);
}

/** Walls with their places at the start */
export const wallsOf = (
  { wallNames, features, farthest, species }: GrainPlan,
  poseOf: (name: string) => WallPose,
): WallBody[] =>
  wallNames.map((name, b) => ({
    name,
    kind: species.length + b,
    features: features[b],
    farthest: farthest[b],
    pose: poseOf(name),
  }));

/** Told where walls are, by number; those at the start unless told */
export type WallClearance = Clearance & {
  place(wall: number, pose: WallPose): void;
  /** Name of the first body in whose solids the point is */
  wallAt(x: number, y: number, z: number): string | undefined;
};

/** Whether a ball is clear of all walls where they are; what is inside a solid is not, however deep. */
export function clearanceOf(model: Model, plan: GrainPlan, walls: readonly WallBody[]): WallClearance {
  const probe = new GrainBed({ kinds: plan.kinds, lawOf: plan.lawOf, walls, skin: 1e-9, wasm: true });
  probe.add([{ position: [0, 0, 0], radius: 1, kind: 0, density: 1 }]);
  const places = walls.map(({ pose }) => placeOf(pose));
  const trees: { readonly tree: Bvh; readonly wall: number; readonly name: string }[] = [];
  walls.forEach(({ name }, wall) => {
    for (const { form, mesh } of solidsOf(model.bodies.get(name)!))
      if (form.kind !== 'halfSpace') trees.push({ tree: buildBvh(mesh), wall, name });
  });
  const x = (): Float64Array => probe.arrays.floats('grains');
  probe.start();
  const wallAt = (px: number, py: number, pz: number): string | undefined =>
    trees.find(({ tree, wall }) => {
      const { at, back } = places[wall];
      return isInside(tree, ...rotate(back, sub([px, py, pz], at)));
    })?.name;
  const free: Clearance = (px, py, pz, radius) => {
    if (walls.length === 0) return true;
    if (wallAt(px, py, pz) !== undefined) return false;
    const grain = x();
    grain[0] = px;
    grain[1] = py;
    grain[2] = pz;
    grain[3] = radius;
    probe.arrays.floats('forces').fill(0, 0, 8);
    probe.makeLists();
    probe.arrays.kernels.run('forces', 0);
    return probe.arrays.floats('results')[4] === 0;
  };
  const place = (wall: number, pose: WallPose): void => {
    places[wall] = placeOf(pose);
    probe.placeWall(wall, pose);
  };
  return Object.assign(free, { place, wallAt });
}

const placeOf = ({ position, rotation }: WallPose): { readonly at: Vec3; readonly back: Quaternion } => ({
  at: [position[0], position[1], position[2]],
  back: quaternionBack(rotation),
});

/** Conjugate of the quaternion of a rotation matrix, row by row */
function quaternionBack(r: ArrayLike<number>): Quaternion {
  const w = 0.5 * Math.sqrt(Math.max(0, 1 + r[0] + r[4] + r[8]));
  if (w > 1e-3) return [w, -(r[7] - r[5]) / (4 * w), -(r[2] - r[6]) / (4 * w), -(r[3] - r[1]) / (4 * w)];
  // Half a turn: the axis from the symmetric part
  const k = r[0] > r[4] ? (r[0] > r[8] ? 0 : 2) : r[4] > r[8] ? 1 : 2;
  const axis = [0, 1, 2].map((i) => r[3 * i + k] + (i === k ? 1 : 0));
  const length = Math.sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  return [0, -axis[0] / length, -axis[1] / length, -axis[2] / length];
}

/** All grains of the packings, in the order written, and which numbers each packing has */
export interface StartingGrains {
  readonly grains: readonly NewGrain[];
  readonly groups: readonly { readonly name: string; readonly first: number; readonly end: number }[];
}

export function startingGrains(
  plan: GrainPlan,
  free: Clearance,
  around: Pick<Surroundings, 'walls' | 'gravity' | 'period'>,
): StartingGrains {
  const { grains, species, forms, kinds, lawOf } = plan;
  let greatest = 0;
  for (const [, { radius }] of species) greatest = Math.max(greatest, sizesOf(radius, random(0)).greatest);
  for (const { at = [] } of Object.values(grains.packings ?? {}))
    for (const [, , , r = 0] of at) greatest = Math.max(greatest, r);
  const placed = new Neighbourhood(2 * greatest, around.period);
  const all: NewGrain[] = [];
  const groups: { name: string; first: number; end: number }[] = [];
  for (const [name, packing] of Object.entries(grains.packings ?? {})) {
    const kind = species.findIndex(([own]) => own === packing.species);
    const place = {
      path: `grains.packings.${name}`,
      packing,
      species: species[kind][1],
      kind,
      seed: `${grains.seed ?? 1} ${name}`,
      fill: forms?.[kind].fill ?? 1,
      shaped: species[kind][1].shape !== undefined,
    };
    const first = all.length;
    for (const grain of packed(place, placed, free, { ...around, kinds, lawOf, others: all.slice() })) {
      const i = all.length - first;
      all.push(
        forms
          ? {
              ...grain,
              ...formOf(
                forms[kind],
                grain.radius,
                turnSeed(place.seed, i),
                packing.orientation,
                toldPose(packing, i, place.path),
              ),
            }
          : grain,
      );
    }
    groups.push({ name, first, end: all.length });
  }
  const most = grains.most ?? Number.POSITIVE_INFINITY;
  if (all.length > most)
    throw new ModelError('grains.most', `expected at least ${all.length}, the grains at the start, got ${most}`);
  return { grains: all, groups };
}

/** Pose of grain i of a packing that is given with orientations */
function toldPose({ arrangement, at }: Packing, i: number, path: string): ToldPose | undefined {
  const row = at?.[i];
  if (arrangement !== 'given' || !row || row.length < 8) return undefined;
  return { axes: [row[4], row[5], row[6], row[7]], form: row[8], path: `${path}.at[${i}]` };
}

/** What form and orientation of a grain are drawn from */
export const turnSeed = (stream: string, turn: number): string => `${stream} turn ${turn}`;
