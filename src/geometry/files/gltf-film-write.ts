/**
 * Writes a film of rigid bodies as GLB, the one-file form of glTF 2.0: a mesh for each different body, a node for each body, and
 * one animation that moves the nodes. Any glTF viewer plays it.
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
import { indexArray, surfaceColour } from './gltf-write.js';

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
}

/** @throws ModelError on a pose that is not finite */
export async function writeGlbFilm(film: GlbFilm): Promise<Uint8Array> {
  const { Document, Logger, VertexLayout, WebIO } = await import('@gltf-transform/core');
  const document = new Document();
  const asset = document.getRoot().getAsset();
  asset.version = '2.0';
  asset.generator = 'tippetop';
  const buffer = document.createBuffer();
  const scene = document.createScene(film.title);
  document.getRoot().setDefaultScene(scene);
  const [uw, ux, uy, uz] = between(normalize(film.up), [0, 1, 0]);
  const world = document.createNode('world').setRotation([ux, uy, uz, uw]);
  scene.addChild(world);

  // Meshes: bodies of the same parts and colours share one
  const geometries = film.meshes.map(({ vertices, triangles }) => ({
    positions: document.createAccessor().setType('VEC3').setArray(Float32Array.from(vertices)).setBuffer(buffer),
    indices: document
      .createAccessor()
      .setType('SCALAR')
      .setArray(indexArray(triangles, vertices.length / 3))
      .setBuffer(buffer),
  }));
  const materials = new Map<string, ReturnType<typeof document.createMaterial>>();
  const material = (colour: Colour) => {
    const key = colour.join(' ');
    const known = materials.get(key) ?? surfaceColour(document.createMaterial(), colour);
    materials.set(key, known);
    return known;
  };
  const meshes = new Map<string, ReturnType<typeof document.createMesh>>();
  const meshOf = ({ name, parts }: GlbBody) => {
    const drawn = parts.filter(({ mesh }) => film.meshes[mesh].triangles.length > 0);
    if (drawn.length === 0) return null; // glTF has no empty meshes; the node is there all the same
    const key = drawn.map(({ mesh, colour }) => `${mesh}:${colour?.join(' ') ?? ''}`).join(';');
    let mesh = meshes.get(key);
    if (!mesh) {
      mesh = document.createMesh(name);
      for (const part of drawn) {
        const { positions, indices } = geometries[part.mesh];
        const primitive = document.createPrimitive().setAttribute('POSITION', positions).setIndices(indices);
        if (part.colour) primitive.setMaterial(material(part.colour));
        mesh.addPrimitive(primitive);
      }
      meshes.set(key, mesh);
    }
    return mesh;
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
  const input =
    count > 1
      ? document
          .createAccessor()
          .setType('SCALAR')
          .setArray(Float32Array.from(film.times, (time) => time - start))
          .setBuffer(buffer)
      : undefined;
  const animation = input && document.createAnimation(film.title);
  film.bodies.forEach((body, b) => {
    const node = document.createNode(body.name).setMesh(meshOf(body));
    world.addChild(node);
    if (count === 0) return;
    node.setTranslation([...places[b].subarray(0, 3)] as [number, number, number]);
    node.setRotation([...turns[b].subarray(0, 4)] as [number, number, number, number]);
    const channel = (
      path: 'translation' | 'rotation',
      type: 'VEC3' | 'VEC4',
      values: Float32Array<ArrayBuffer>,
    ): void => {
      if (!animation || !input || !moves(values, type === 'VEC3' ? 3 : 4)) return;
      const sampler = document
        .createAnimationSampler()
        .setInput(input)
        .setOutput(document.createAccessor().setType(type).setArray(values).setBuffer(buffer))
        .setInterpolation('LINEAR');
      animation
        .addSampler(sampler)
        .addChannel(document.createAnimationChannel().setTargetNode(node).setTargetPath(path).setSampler(sampler));
    };
    channel('translation', 'VEC3', places[b]);
    channel('rotation', 'VEC4', turns[b]);
  });
  // Nothing moves: an animation without channels is not allowed, nor is an accessor that nobody uses.
  if (animation && animation.listChannels().length === 0) {
    animation.dispose();
    input?.dispose();
  }
  const io = new WebIO().setLogger(new Logger(Logger.Verbosity.SILENT)).setVertexLayout(VertexLayout.SEPARATE);
  return io.writeBinary(document);
}

type Four = [number, number, number, number];

/** A unit quaternion x, y, z, w, of the two that mean the same turn the one nearer to the last. */
function nearest([x, y, z, w]: Four, last: Float32Array | undefined): Four {
  const length = Math.sqrt(x * x + y * y + z * z + w * w) || 1;
  const sign = last && x * last[0] + y * last[1] + z * last[2] + w * last[3] < 0 ? -1 / length : 1 / length;
  return [x * sign, y * sign, z * sign, w * sign];
}
