/**
 * Writes a film of bodies as GLB, the one-file form of glTF 2.0: a mesh for each different body, a node for each body, and
 * one animation that moves the nodes, and the vertices of bodies that deform: morph targets with weights. Any glTF viewer plays it.
 *
 * glTF is y up. The bodies keep their own coordinates; one node above them all turns `up` to y. Between two times a viewer
 * interpolates places linearly and orientations along the shortest arc (§3.11 of the specification), so that turns between two
 * times must stay below half a turn. Bodies that stand still have a place and no channel.
 *
 * The same film gives the same bytes.
 */
import { ModelError } from '../../errors.js';
import { between } from '../../math/quaternion.js';
import { normalize, type Vec3 } from '../../math/vec3.js';
import type { Colour } from '../solid.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import { type GlbAnimation, GlbBuilder } from './glb-builder.js';
import { indexArray } from './gltf-write.js';
import { srgbToLinear } from './srgb.js';

export interface GlbFilm {
  readonly title: string;
  /** Unit vector that points up */
  readonly up: Vec3;
  readonly meshes: readonly TriangleMesh[];
  readonly bodies: readonly GlbBody[];
  /** s, increasing */
  readonly times: ArrayLike<number>;
  /** Of all bodies at time k: 7 each, position in m and orientation w, x, y, z */
  poses(time: number): ArrayLike<number>;
}

export interface GlbBody {
  readonly name: string;
  readonly parts: readonly { readonly mesh: number; readonly colour?: Colour }[];
  readonly deforming?: GlbDeforming;
}

/** A mesh in its body's frame whose vertices are moved by Σ weight × target */
export interface GlbDeforming {
  readonly mesh: TriangleMesh;
  /** 3 per vertex, sRGB 0 … 1 */
  readonly colours: Float32Array;
  /** 3 per vertex each, m, for a weight of 1 */
  readonly targets: readonly Float32Array[];
  /** One per target for each time, time after time */
  readonly weights: Float32Array;
  /** What the colours mean, and whatever else is to be kept with it */
  readonly extras: Readonly<Record<string, string | number>>;
}

/** @throws ModelError on a pose that is not finite */
export async function writeGlbFilm(film: GlbFilm): Promise<Uint8Array> {
  const glb = new GlbBuilder(film.title);
  const [uw, ux, uy, uz] = between(normalize(film.up), [0, 1, 0]);
  const world = glb.node({ name: 'world', rotation: [ux, uy, uz, uw] });

  // Meshes: bodies of the same parts and colours share one, and parts of the same mesh its numbers
  const geometries = new Map<number, { positions: number; indices: number }>();
  const geometryOf = (mesh: number) => {
    let known = geometries.get(mesh);
    if (!known) {
      const { vertices, triangles } = film.meshes[mesh];
      known = {
        positions: glb.numbers(Float32Array.from(vertices), 'vertices'),
        indices: glb.numbers(indexArray(triangles, vertices.length / 3), 'indices'),
      };
      geometries.set(mesh, known);
    }
    return known;
  };
  const meshes = new Map<string, number>();
  const meshOf = ({ name, parts }: GlbBody): number | undefined => {
    const drawn = parts.filter(({ mesh }) => film.meshes[mesh].triangles.length > 0);
    if (drawn.length === 0) return undefined; // glTF has no empty meshes; the node is there all the same
    const key = drawn.map(({ mesh, colour }) => `${mesh}:${colour?.join(' ') ?? ''}`).join(';');
    let mesh = meshes.get(key);
    if (mesh === undefined) {
      const primitives = drawn.map((part) => {
        const { positions, indices } = geometryOf(part.mesh);
        return {
          attributes: { POSITION: positions },
          indices,
          ...(part.colour && { material: glb.material(part.colour) }),
        };
      });
      mesh = glb.mesh(name, primitives);
      meshes.set(key, mesh);
    }
    return mesh;
  };

  const deformingMesh = ({ name, deforming }: GlbBody): number | undefined => {
    if (!deforming) return undefined;
    const { mesh, colours, targets, weights, extras } = deforming;
    const { vertices, triangles } = mesh;
    const attributes = {
      POSITION: glb.numbers(Float32Array.from(vertices), 'vertices'),
      COLOR_0: glb.numbers(colours.map(srgbToLinear), 'colours'),
    };
    const indices = glb.numbers(indexArray(triangles, vertices.length / 3), 'indices');
    const moved = targets.map((target) => ({ POSITION: glb.numbers(target, 'vertices') }));
    const material = glb.material([1, 1, 1, 1]);
    return glb.mesh(name, [{ attributes, indices, material, ...(moved.length > 0 && { targets: moved }) }], {
      ...(moved.length > 0 && count > 0 && { weights: [...weights.subarray(0, moved.length)] }),
      extras,
    });
  };

  // Where every body is at every time
  const count = film.times.length;
  const places = film.bodies.map(() => new Float32Array(3 * count));
  const turns = film.bodies.map(() => new Float32Array(4 * count));
  for (let k = 0; k < count; k++) {
    const poses = film.poses(k);
    for (let b = 0; b < film.bodies.length; b++) {
      const [x, y, z, qw, qx, qy, qz] = Array.from({ length: 7 }, (_, i) => poses[7 * b + i]);
      if (!Number.isFinite(x + y + z + qw + qx + qy + qz))
        throw new ModelError(
          `film.${film.bodies[b].name}`,
          `expected a place and an orientation at ${film.times[k]} s, got ${[x, y, z, qw, qx, qy, qz].join(', ')}`,
        );
      places[b].set([x, y, z], 3 * k);
      turns[b].set(nearest([qx, qy, qz, qw], k > 0 ? turns[b].subarray(4 * k - 4, 4 * k) : undefined), 4 * k);
    }
  }
  const moves = (values: Float32Array, width: number): boolean =>
    values.some((value, i) => value !== values[i % width]);

  const start = count > 0 ? film.times[0] : 0;
  const samplers: GlbAnimation['samplers'][number][] = [];
  const channels: GlbAnimation['channels'][number][] = [];
  // An accessor that nobody uses is not allowed, nor is an animation without channels: nothing may move.
  let input: number | undefined;
  film.bodies.forEach((body, b) => {
    const mesh = deformingMesh(body) ?? meshOf(body);
    const node = glb.node(
      {
        name: body.name,
        ...(mesh !== undefined && { mesh }),
        ...(count > 0 && { translation: [...places[b].subarray(0, 3)], rotation: [...turns[b].subarray(0, 4)] }),
      },
      world,
    );
    const channel = (path: keyof typeof TRACKS, values: Float32Array, width: number): void => {
      if (count < 2 || !moves(values, width)) return;
      input ??= glb.numbers(
        Float32Array.from(film.times, (time) => time - start),
        'times',
      );
      const output = glb.numbers(values, TRACKS[path]);
      channels.push({ sampler: samplers.length, target: { node, path } });
      samplers.push({ input, output, interpolation: 'LINEAR' });
    };
    channel('translation', places[b], 3);
    channel('rotation', turns[b], 4);
    if (body.deforming) channel('weights', body.deforming.weights, body.deforming.targets.length);
  });
  if (channels.length > 0) glb.animation({ name: film.title, samplers, channels });
  return glb.bytes();
}

const TRACKS = { translation: 'places', rotation: 'turns', weights: 'weights' } as const;

type Four = [number, number, number, number];

/** A unit quaternion x, y, z, w, of the two that mean the same turn the one nearer to the last. */
function nearest([x, y, z, w]: Four, last: Float32Array | undefined): Four {
  const length = Math.sqrt(x * x + y * y + z * z + w * w) || 1;
  const sign = last && x * last[0] + y * last[1] + z * last[2] + w * last[3] < 0 ? -1 / length : 1 / length;
  return [x * sign, y * sign, z * sign, w * sign];
}
