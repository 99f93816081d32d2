// Two convex solids in random poses that overlap: volume, centroid, normal, patch and moments of the overlap by clipping, with and without
// the exact gradients. The rival moves one solid, intersects and asks for the volume; it gives no centroid, normal or patch.
import {
  box,
  convexHull,
  intersect,
  meshMassProperties,
  rotate,
  type Solid,
  type TriangleMesh,
  translate,
} from 'tippetop';
import { fromQuaternion } from '../src/math/mat3.js';
import type { Quaternion } from '../src/math/quaternion.js';
import { random } from '../src/math/random.js';
import { scale, type Vec3 } from '../src/math/vec3.js';
import { ContactPatches } from '../src/narrow-phase/contact-patches.js';
import { convexRoute } from '../src/narrow-phase/convex-overlap/index.js';
import type { Route, ShapePoses } from '../src/narrow-phase/route.js';
import { benchmark, rival } from './harness.js';

const POSES = 64;

interface Scene {
  readonly mesh: TriangleMesh;
  readonly placements: readonly { readonly position: Vec3; readonly turn: Quaternion }[];
  /** shape 0 is A, shapes 1 … POSES are B in its poses; one route each */
  readonly poses: ShapePoses;
  readonly routes: readonly Route[];
  readonly patches: ContactPatches;
  /** of all poses together, by constructive solid geometry in double precision, m³ */
  readonly volume: number;
}

benchmark('convex-overlap', {
  source: 'convex pairs; design targets ten times (hard: thirty times) faster than manifold-3d',
  unit: 'evaluation',
  sizes: [6, 24, 60], // faces of one solid: cubes, then hulls of points on a sphere
  prepare(size): Scene {
    const draw = random(`convex pairs ${size}`);
    const solid: Solid =
      size === 6
        ? box(1)
        : {
            ...box(1),
            form: { kind: 'mesh' },
            mesh: convexHull(Array.from({ length: size / 2 + 2 }, () => scale(0.6, draw.unitVector()))),
          };
    const { mesh } = solid;
    const placements: { position: Vec3; turn: Quaternion }[] = [];
    let volume = 0;
    while (placements.length < POSES) {
      const turn = draw.rotation();
      const position = scale(draw.uniformBetween(0.7, 1.1), draw.unitVector());
      const common = intersect(mesh, translate(position, rotate(turn, mesh))).mesh;
      if (common.triangles.length === 0) continue;
      const { volume: part } = meshMassProperties(common);
      if (!(part > 1e-5)) continue;
      volume += part;
      placements.push({ position, turn });
    }
    const rotation = new Float64Array(9 * (POSES + 1));
    const position = new Float64Array(3 * (POSES + 1));
    rotation.set([1, 0, 0, 0, 1, 0, 0, 0, 1]);
    placements.forEach((placement, k) => {
      rotation.set(fromQuaternion(placement.turn), 9 * (k + 1));
      position.set(placement.position, 3 * (k + 1));
    });
    const routes = placements.map((_, k) => convexRoute(solid, solid, 0, k + 1)!);
    return { mesh, placements, poses: { rotation, position }, routes, patches: new ContactPatches(POSES), volume };
  },
  run: {
    patches: (scene: Scene) => findAll(scene, false),
    'patches and gradients': (scene: Scene) => findAll(scene, true),
  },
  work: () => POSES,
  error: (volume, scene) => Math.abs(volume / scene.volume - 1),
  ratios: {
    'manifold-3d': rival({
      async prepare({ mesh, placements }: Scene) {
        const module = await (await import('manifold-3d')).default();
        module.setup();
        const solid = new module.Manifold(
          new module.Mesh({
            numProp: 3,
            vertProperties: Float32Array.from(mesh.vertices),
            triVerts: mesh.triangles,
          }),
        );
        // 4 × 4, by columns
        const matrices = placements.map(({ turn, position: [x, y, z] }) => {
          const r = fromQuaternion(turn);
          return [r[0], r[3], r[6], 0, r[1], r[4], r[7], 0, r[2], r[5], r[8], 0, x, y, z, 1] as const;
        });
        return { solid, matrices };
      },
      run({ solid, matrices }) {
        let volume = 0;
        for (const matrix of matrices) {
          const moved = solid.transform([...matrix] as never);
          const common = solid.intersect(moved);
          volume += common.volume();
          common.delete();
          moved.delete();
        }
        return volume;
      },
      error: (volume, scene) => Math.abs(volume / scene.volume - 1),
    }),
  },
});

function findAll({ routes, poses, patches }: Scene, gradients: boolean): number {
  patches.clear();
  for (let k = 0; k < POSES; k++) routes[k].find(poses, k, patches, gradients);
  let volume = 0;
  for (let i = 0; i < patches.count; i++) volume += patches.volume[i];
  return volume;
}
