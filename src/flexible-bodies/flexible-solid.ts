/** A solid ready to be put into a mechanism: of the tetrahedra that its file has, or of an outline extruded in layers. */
import { ModelError } from '../errors.js';
import { profileArea } from '../geometry/polygon.js';
import type { Profile } from '../geometry/profile.js';
import { boundaryFaces, type SolidMesh } from '../geometry/solid-mesh.js';
import type { Vec3 } from '../math/vec3.js';
import type { FlexibleOptions } from '../model/flexible.js';
import type { Material } from '../model/material.js';
import { SolidPart } from './fem/solid-part.js';
import { type BuiltPart, defaultSize, gridMesh, reduce, refuseLongSides } from './flexible-part.js';
import { extrudeMesh } from './mesh/extruded-mesh.js';
import { meshProfile } from './mesh/mesh-profile.js';
import { solidInterfaceAt } from './solid-interfaces.js';

export interface SolidRequest {
  /** A mesh of its own, or an outline of so much height that is meshed */
  readonly shape: { readonly tetrahedra: SolidMesh } | { readonly profile: Profile; readonly height: number };
  readonly material: Material;
  readonly options: FlexibleOptions;
  /** Where joints and forces take hold, in the part's own axes; the first one holds the frame. Where nothing does the frame floats. */
  readonly points: readonly {
    readonly name: string;
    readonly at: Vec3;
    readonly radius?: number | undefined;
    readonly set?: string | undefined;
  }[];
  /** Of the frame where nothing holds the part */
  readonly origin: Vec3;
  readonly path: string;
  /** Hears what is computed */
  readonly told?: ((what: string) => void) | undefined;
}

/**
 * Nodes beyond which nothing is begun. Memory of the factors grows with their power 4/3: 65 000 nodes took 1.8 GB and two minutes, these take some
 * 14 GB and a quarter of an hour
 */
const MOST_NODES = 300_000;

/** @throws ModelError before memory is asked for */
export function refuseMany(nodes: number, path: string, what: string): void {
  if (nodes > MOST_NODES)
    throw new ModelError(path, `expected a solid of up to ${MOST_NODES} nodes, which takes some 14 GB; ${what}`);
}

/** Prisms of an extruded mesh that nobody has asked to be finer: some 6000 nodes */
const PRISMS = 900;

export function buildSolid({ shape, material, options, points, path, origin, told }: SolidRequest): BuiltPart {
  for (const key of ['membrane', 'substructures', 'densities', 'planeStrain'] as const)
    if (options[key] !== undefined && options[key] !== false && options[key] !== 1)
      throw new ModelError(
        `${path}.flexible.${key}`,
        'is for planar parts, and this is a solid of tetrahedra; take it away',
      );
  const { mesh, size, extruded } =
    'tetrahedra' in shape ? filed(shape.tetrahedra, options, path) : layered(shape, options, path);
  const elastic = new SolidPart(mesh, {
    youngsModulus: material.youngsModulus!,
    poissonRatio: material.poissonRatio!,
    density: material.density,
  });
  elastic.told = told;
  const faces = boundaryFaces(mesh);
  const interfaces = points.map((point) => solidInterfaceAt(mesh, faces, point, size, extruded));
  const { reduced, base } = reduce(elastic, interfaces, points, options, path, points[0]?.at ?? origin);
  const closed = interfaces.filter((one) => one.closed).map(({ nodes }) => new Set(nodes));
  const open = Uint8Array.from({ length: faces.length / 6 }, (_, f) =>
    closed.some((own) => faces.subarray(6 * f, 6 * f + 6).every((node) => own.has(node))) ? 0 : 1,
  );
  return {
    part: { ...base, kind: 'solid', mesh, material: elastic.material, interfaces, faces, open },
    elastic,
    reduced,
  };
}

interface Meshed {
  readonly mesh: SolidMesh;
  /** m */
  readonly size: number;
  readonly extruded?: Parameters<typeof solidInterfaceAt>[4];
}

function filed(mesh: SolidMesh, options: FlexibleOptions, path: string): Meshed {
  for (const key of ['meshSize', 'grid', 'chords', 'layers'] as const)
    if (options[key] !== undefined)
      throw new ModelError(`${path}.flexible.${key}`, 'the shape has a mesh of its own; take it away');
  refuseMany(mesh.nodeCount, `${path}.shape`, `the mesh has ${mesh.nodeCount}; mesh it with longer sides`);
  // mean length of the first side of each tetrahedron
  let sum = 0;
  for (let e = 0; e < mesh.elements.length; e += 10) {
    const [a, b] = [3 * mesh.elements[e], 3 * mesh.elements[e + 1]];
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const along = mesh.points[a + k] - mesh.points[b + k];
      square += along * along;
    }
    sum += Math.sqrt(square);
  }
  return { mesh, size: sum / mesh.elementCount };
}

function layered(
  { profile, height }: { profile: Profile; height: number },
  options: FlexibleOptions,
  path: string,
): Meshed {
  const layers = options.layers!;
  refuseLongSides(profile, options.meshSize, `${path}.flexible.meshSize`);
  // a triangle of side h has some 0.43 h²
  const size =
    options.meshSize ?? Math.max(defaultSize(profile), Math.sqrt((profileArea(profile) * layers) / (0.43 * PRISMS)));
  const plane = options.grid
    ? gridMesh(profile, options.grid, `${path}.flexible.grid`)
    : meshProfile(profile, {
        size,
        ...(options.chords !== undefined && { chords: options.chords }),
        path: `${path}.shape`,
      });
  // corners and middles of sides on each level, as many between two
  const nodes = plane.nodeCount * (2 * layers + 1);
  refuseMany(
    nodes,
    `${path}.flexible`,
    `${plane.elementCount} triangles in ${layers} layers have ${nodes}; take a larger meshSize or fewer layers`,
  );
  const solid = extrudeMesh(plane, height, layers);
  return { mesh: solid, size, extruded: { plane, solid } };
}
