/**
 * The overlap kernel held against constructive solid geometry: pairs at random, solids of size about 1, from deep to just apart. Used by the
 * test beside this file and, with 10⁵ pairs, by `tippetop verify --all`.
 */
import { angularRock, belgianBlock } from '../../assets/stones.js';
import { intersect } from '../../geometry/csg/index.js';
import { meshMassProperties } from '../../geometry/mass-properties.js';
import { ORIGIN, type Pose, type Solid } from '../../geometry/solid.js';
import { rotate, translate } from '../../geometry/transform.js';
import type { TriangleMesh } from '../../geometry/triangle-mesh.js';
import { random } from '../../math/random.js';
import { norm, sub, type Vec3 } from '../../math/vec3.js';
import { type GrainShape, polyhedronGrain } from '../shapes/grain-shape.js';
import { PolyhedronOverlap } from './polyhedron-overlap.js';

const rockGrain = (options: Parameters<typeof angularRock>[0]): GrainShape =>
  polyhedronGrain(angularRock(options).mesh);
const blockGrain = (options: Parameters<typeof belgianBlock>[0]): GrainShape =>
  polyhedronGrain(belgianBlock(options).mesh);

export interface OverlapError {
  /** Greatest error of a volume, m³ (solids of about 1 m³) */
  readonly volume: number;
  /** Greatest error of volume × centroid, m⁴ */
  readonly moment: number;
  /** Pairs that overlap */
  readonly touching: number;
  /** Pairs for which WebAssembly and TypeScript differ in any digit */
  readonly bitsDiffer: number;
}

export function randomOverlapError(pairs: number, seed: string): OverlapError {
  const draw = random(`overlap ${seed}`);
  const shapes = [
    ...Array.from({ length: 6 }, (_, i) => rockGrain({ radius: 1, seed: i })),
    ...Array.from({ length: 6 }, (_, i) => blockGrain({ size: [1.4, 1, 1], seed: i })),
  ];
  const prepared = new Map<number, readonly [PolyhedronOverlap, PolyhedronOverlap]>();
  let [volume, moment, touching, bitsDiffer] = [0, 0, 0, 0];
  for (let k = 0; k < pairs; k++) {
    const [i, j] = [draw.integer(12), draw.integer(12)];
    const [a, b] = [shapes[i], shapes[j]];
    const poseA: Pose = { position: [0, 0, 0], orientation: draw.rotation() };
    const distance = draw.uniformBetween(0.3, 2.2);
    const position = draw.unitVector().map((x) => distance * x) as unknown as Vec3;
    const poseB: Pose = { position, orientation: draw.rotation() };
    if (!prepared.has(12 * i + j))
      prepared.set(12 * i + j, [new PolyhedronOverlap(a, b), new PolyhedronOverlap(a, b, false)]);
    const [module, typescript] = prepared.get(12 * i + j)!;
    const found = module.find(poseA, poseB);
    const twin = typescript.find(poseA, poseB);
    const expected = intersection(placed(a.meshes[0], poseA), placed(b.meshes[0], poseB));
    if (expected) touching++;
    volume = Math.max(volume, Math.abs((found?.volume ?? 0) - (expected?.volume ?? 0)));
    if (found && expected) moment = Math.max(moment, expected.volume * norm(sub(found.centroid, expected.centroid)));
    if (JSON.stringify(found) !== JSON.stringify(twin)) bitsDiffer++;
  }
  return { volume, moment, touching, bitsDiffer };
}

const placed = (mesh: TriangleMesh, { position, orientation }: Pose): Solid =>
  translate(position, rotate(orientation, { mesh, form: { kind: 'mesh' }, pose: ORIGIN }));

function intersection(a: Solid, b: Solid): { readonly volume: number; readonly centroid: Vec3 } | undefined {
  const { mesh } = intersect(a, b);
  return mesh.triangles.length === 0 ? undefined : meshMassProperties(mesh);
}
