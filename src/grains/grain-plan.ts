/** From what the user wrote to what a bed needs: kinds, laws of pairs, walls of bodies. */

import { soilsUnderGrains } from '../contact/soil/soil-bed.js';
import { ModelError } from '../errors.js';
import type { Solid } from '../geometry/solid.js';
import { rotate } from '../math/quaternion.js';
import { random } from '../math/random.js';
import { cross, dot, type Vec3 } from '../math/vec3.js';
import type { Body } from '../model/body.js';
import { type Grains, refuseBesideShapes } from '../model/grains.js';
import type { Material } from '../model/material.js';
import { pairProperties } from '../model/material-pairs.js';
import type { Model } from '../model/model.js';
import { type GrainKind, type GrainPairLaw, LEAST_OF_RIGID, LEAST_RESTITUTION } from './grain-laws.js';
import { type SizedSpecies, sizesOf } from './grain-sizes.js';
import { formsOf, type GrainForms } from './shapes/grain-forms.js';
import { roundSides } from './shapes/round-wall.js';
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
  if (onSoil) {
    refuseBesideShapes(grains, `"${onSoil.species[0][0]}" lie on soft ground`);
    if (grains.periodic)
      throw new ModelError('grains.periodic', 'soft ground has borders, and grains lie on it; take it away');
  }
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
  for (const [name, round] of Object.entries(forms ? (grains.roundWalls ?? {}) : {})) {
    const least = Math.min(...species.map(([, { radius }]) => sizesOf(radius, random(0)).least));
    const { sides, off } = roundSides(round, least);
    notes.push(
      `"${name}" is round by ${sides} flat sides for grains with a shape, ${(1e6 * off).toPrecision(2)} µm off its circle at most`,
    );
  }
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
    default: {
      const features = meshFeatures(mesh.vertices, mesh.triangles, path);
      const volume = enclosed(mesh);
      if (volume > 0) return features;
      throw new ModelError(
        path,
        `a wall of grains must have its faces point outward, but it encloses ${volume.toPrecision(3)} m³: it is inside out, or a mirrored copy whose triangles were not reversed; repair turns them round`,
      );
    }
  }
}

/** Volume of a closed mesh, m³: negative if it is inside out */
function enclosed({ vertices, triangles }: Solid['mesh']): number {
  const point = (t: number): Vec3 =>
    [0, 1, 2].map((k) => vertices[3 * triangles[t] + k] - vertices[k]) as unknown as Vec3;
  let volume = 0;
  for (let t = 0; t < triangles.length; t += 3) volume += dot(point(t), cross(point(t + 1), point(t + 2))) / 6;
  return volume;
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

/** What form and orientation of a grain are drawn from */
export const turnSeed = (stream: string, turn: number): string => `${stream} turn ${turn}`;
