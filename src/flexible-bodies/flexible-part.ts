/** A part ready to be put into a mechanism: mesh, shapes, and stress per shape. */
import { ModelError } from '../errors.js';
import { outlineBounds } from '../geometry/outline.js';
import { profileArea } from '../geometry/polygon.js';
import type { Profile } from '../geometry/profile.js';
import type { SolidMesh } from '../geometry/solid-mesh.js';
import type { Vec2, Vec3 } from '../math/vec3.js';
import type { FlexibleOptions } from '../model/flexible.js';
import type { Material } from '../model/material.js';
import { densityScales } from './fem/density-scales.js';
import type { ElasticMaterial, ElasticPart } from './fem/elastic-part.js';
import { type PlaneMaterial, planeMatrices } from './fem/plane-elements.js';
import { PlanePart } from './fem/plane-part.js';
import { rigidMotions } from './fem/rigid-motions.js';
import { fieldsOfMotion, type InertialFields, inertialFields } from './inertial-fields.js';
import { interfaceAt, type PartInterface } from './interfaces.js';
import { type Membrane, membranesOf, type SlenderAxis } from './membrane.js';
import { meshProfile } from './mesh/mesh-profile.js';
import type { PlaneMesh } from './mesh/plane-mesh.js';
import { stripMesh } from './mesh/strip.js';
import { type ReducedPart, reduceFreePart, reducePart } from './reduction.js';

/** What any part has, d unknowns to a node */
interface PartBase {
  /** Displacement per unit of each coordinate in the axes of the part, d per node */
  readonly shapes: readonly Float64Array[];
  /** Stress per unit of each coordinate in Pa; in the plane σx, σy, τxy, of solids σx, σy, σz, τxy, τyz, τzx per node */
  readonly stresses: readonly Float64Array[];
  /** Of displacements */
  readonly stress: (displacements: Float64Array) => Float64Array;
  /** Natural frequencies with all interfaces held, rad/s */
  readonly heldFrequencies: Float64Array;
  /** Of mode acceleration, where it is asked for */
  readonly inertial?: InertialFields;
  /** Where it is not: the stress that a unit of each acceleration of its frame and of its interfaces makes beyond the shapes (inertial-fields.ts) */
  readonly beyond?: readonly Float64Array[];
  /** Overwrites nodal forces with the static displacements that the shapes do not have */
  readonly residual: (force: Float64Array) => void;
}

/** Of constant thickness, deforming in its plane */
export interface PlaneFlexiblePart extends PartBase {
  readonly kind: 'plane';
  readonly mesh: PlaneMesh;
  readonly material: PlaneMaterial;
  /** Where joints and forces take hold; the first one holds the frame */
  readonly interfaces: readonly PartInterface[];
  /** 1 per side of the mesh that others can touch: not the rim of a hole that a joint holds, nor a cut */
  readonly open: Uint8Array;
}

/** Of tetrahedra, deforming in space */
export interface SolidFlexiblePart extends PartBase {
  readonly kind: 'solid';
  readonly mesh: SolidMesh;
  readonly material: ElasticMaterial;
  /** Where joints and forces take hold; the first one holds the frame */
  readonly interfaces: readonly PartInterface<Vec3>[];
  /** Of its surface, 6 nodes each */
  readonly faces: Int32Array;
  /** 1 per face that others can touch */
  readonly open: Uint8Array;
}

export type FlexiblePart = PlaneFlexiblePart | SolidFlexiblePart;

export interface PartRequest {
  readonly profile: Profile;
  /** m */
  readonly thickness: number;
  readonly material: Material;
  readonly options: FlexibleOptions;
  /** Where joints and forces take hold, in the plane of the part; the first one holds the frame. Where nothing does the frame floats. */
  readonly points: readonly { readonly name: string; readonly at: Vec2; readonly radius?: number | undefined }[];
  /** Of the frame where nothing holds the part, in its plane */
  readonly origin: Vec2;
  readonly path: string;
  /** A piece of a larger part: interfaces are cuts */
  readonly cut?: boolean;
  /** Hears what is computed */
  readonly told?: ((what: string) => void) | undefined;
}

export interface BuiltPart {
  readonly part: FlexiblePart;
  readonly elastic: ElasticPart;
  readonly reduced: ReducedPart;
  /** Of planar slender parts: one per span between neighbouring interfaces */
  readonly spans?: readonly Membrane[];
}

const MODES = 4;
/** Of a grid, as many as a mesh of an outline may have (mesh-profile.ts) */
const MOST_CORNERS = 400_000;

/** So many times as long as wide a straight part has the membrane term unless that is said */
export const SLENDER = 10;

/** Meshes and reduces a part, its frame clamped to the first interface. */
export function buildPart({
  profile,
  thickness,
  material,
  options,
  points,
  path,
  cut,
  origin,
  told,
}: PartRequest): BuiltPart {
  const planeMaterial: PlaneMaterial = {
    youngsModulus: material.youngsModulus!,
    poissonRatio: material.poissonRatio!,
    density: material.density,
    thickness,
    ...(options.planeStrain && { strain: true }),
  };
  const size = options.meshSize ?? defaultSize(profile);
  refuseLongSides(profile, options.meshSize, `${path}.flexible.meshSize`);
  const mesh = options.grid
    ? gridMesh(profile, options.grid, `${path}.flexible.grid`)
    : meshProfile(profile, {
        size,
        ...(options.chords !== undefined && { chords: options.chords }),
        path: `${path}.shape`,
      });
  const { densities } = options;
  if (densities && densities.length !== mesh.elementCount)
    throw new ModelError(
      `${path}.flexible.densities`,
      `expected one density per element of the mesh, ${mesh.elementCount}, got ${densities.length}`,
    );
  const plane = new PlanePart(
    mesh,
    planeMaterial,
    planeMatrices(mesh, planeMaterial, densities && densityScales(densities)),
  );
  plane.told = told;
  const interfaces = points.map(({ name, at, radius }) => interfaceAt(mesh, at, size, name, radius));
  const axis = slenderAxis(profile, points, options.membrane);
  const { reduced, base } = reduce(plane, interfaces, points, options, path, points[0]?.at ?? origin);
  return {
    part: {
      ...base,
      kind: 'plane',
      mesh,
      material: planeMaterial,
      interfaces,
      open: openSides(mesh, interfaces, cut ?? false),
    },
    elastic: plane,
    reduced,
    ...(axis && { spans: membranesOf(plane, reduced, axis) }),
  };
}

/** Shapes of a part whose interfaces are known, and their stress; `origin` of its frame */
export function reduce(
  elastic: ElasticPart,
  interfaces: readonly PartInterface<readonly number[]>[],
  names: readonly { readonly name: string }[],
  options: FlexibleOptions,
  path: string,
  origin: readonly number[],
): { reduced: ReducedPart; base: PartBase } {
  const owner = new Map<number, string>();
  interfaces.forEach(({ nodes }, i) => {
    for (const node of nodes) {
      const other = owner.get(node);
      if (other !== undefined)
        throw new ModelError(
          names[i].name,
          `takes hold of the same part of the flexible body as ${other}; give their interfaces smaller radii, take a finer mesh, or draw both at one point, which they then share`,
        );
      owner.set(node, names[i].name);
    }
  });
  if (owner.size === elastic.mesh.nodeCount)
    throw new ModelError(
      path,
      `all its nodes are held as one piece by ${[...new Set(owner.values())].join(' and ')}: nothing is left to deform; take a smaller mesh size or radius`,
    );
  const ratio = options.damping;
  const damping = ratio === undefined ? undefined : (): number => ratio;
  const modes = options.modes ?? MODES;
  const reduced =
    interfaces.length === 0
      ? reduceFreePart(elastic, modes, damping, path)
      : reducePart(elastic, interfaces, 0, modes, damping, path);
  if (reduced.count === 0)
    throw new ModelError(
      `${path}.flexible.modes`,
      'expected at least one mode for a part that one joint holds or none; without one it is rigid',
    );
  return {
    reduced,
    base: {
      shapes: reduced.shapes,
      stresses: reduced.shapes.map((shape) => elastic.stress(shape)),
      stress: (displacements) => elastic.stress(displacements),
      heldFrequencies: reduced.heldFrequencies,
      residual: reduced.residual,
      ...(options.stress === 'mode acceleration'
        ? { inertial: inertialFields(elastic, reduced.shapes, reduced.residual, origin) }
        : {
            beyond: fieldsOfMotion(
              elastic,
              reduced.shapes.slice(0, rigidMotions(elastic.dimension) * Math.max(0, interfaces.length - 1)),
              reduced.residual,
              origin,
            ),
          }),
    },
  };
}

function openSides(mesh: PlaneMesh, interfaces: readonly PartInterface[], cut: boolean): Uint8Array {
  const { sides, sideEdge, edgeLoop } = mesh;
  const held = interfaces.map(({ nodes }) => new Set(nodes));
  return Uint8Array.from(sideEdge, (edge, s) => {
    const own = [sides[3 * s], sides[3 * s + 1]];
    const closed = (cut || edgeLoop[edge] > 0) && held.some((nodes) => own.every((node) => nodes.has(node)));
    return closed ? 0 : 1;
  });
}

/** Axis of a part that is straight and slender between its interfaces; undefined for others. */
function slenderAxis(
  profile: Profile,
  points: PartRequest['points'],
  wanted: boolean | undefined,
): SlenderAxis | undefined {
  if (points.length < 2 || wanted === false) return undefined;
  // between the two that are farthest from each other, seen from the first
  const [px, py] = points[0].at;
  const apart = ([ax, ay]: Vec2, [bx, by]: Vec2): number => Math.sqrt((ax - bx) * (ax - bx) + (ay - by) * (ay - by));
  const farthest = (from: Vec2): Vec2 =>
    points.reduce((most, { at }) => (apart(at, from) > apart(most, from) ? at : most), points[0].at);
  const end = farthest(points[0].at);
  const start = farthest(end);
  const length = apart(start, end);
  if (!(length > 0)) return undefined;
  const direction: Vec2 = [(end[0] - start[0]) / length, (end[1] - start[1]) / length];
  // the widest it is across the line
  let across = 0;
  for (const [x, y] of profile.outer)
    across = Math.max(across, Math.abs((x - start[0]) * direction[1] - (y - start[1]) * direction[0]));
  if (!wanted && !(length > SLENDER * 2 * across)) return undefined;
  const places = points.map(({ at: [x, y] }) => (x - px) * direction[0] + (y - py) * direction[1]);
  return { direction, places, leastSpan: points.length > 2 ? 2 * across : 0 };
}

/** 0.4 of the mean width, at most 4000 triangles and at least some 60. */
export function defaultSize(profile: Profile): number {
  const area = profileArea(profile);
  const { min, max } = outlineBounds(profile.outer);
  const extent = Math.max(max[0] - min[0], max[1] - min[1]);
  const width = area / extent;
  return Math.min(Math.max(width / 2.5, Math.sqrt(area / 1700)), extent / 8);
}

/** @throws ModelError where sides would be longer than the part: a size in mm, most likely */
export function refuseLongSides(profile: Profile, size: number | undefined, path: string): void {
  if (size === undefined) return;
  const { min, max } = outlineBounds(profile.outer);
  const extent = Math.max(max[0] - min[0], max[1] - min[1]);
  if (size > extent)
    throw new ModelError(
      path,
      `expected a mesh size in m, up to ${extent.toPrecision(3)} m, the length of the part, got ${size}`,
    );
}

/** The regular mesh of a rectangle along the axes of its outline */
export function gridMesh(
  { outer, holes }: Profile,
  [columns, rows]: readonly [number, number],
  path: string,
): PlaneMesh {
  const { min, max } = outlineBounds(outer);
  const isCorner = ([x, y, bulge]: readonly [number, number, number?]): boolean =>
    !bulge && (x === min[0] || x === max[0]) && (y === min[1] || y === max[1]);
  if (holes.length > 0 || outer.length !== 4 || !outer.every(isCorner))
    throw new ModelError(path, 'expected a rectangle along its own axes without holes; other outlines take a meshSize');
  if (!((columns + 1) * (rows + 1) <= MOST_CORNERS))
    throw new ModelError(path, `expected up to ${MOST_CORNERS} corners, got a grid of ${columns} × ${rows} cells`);
  return stripMesh(min, max, columns, rows);
}
