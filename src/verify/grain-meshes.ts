/** Claims about spheres on meshes: rolling down a plane of triangles (A6), one contact with a cube wherever the centre is (A7), contacts with meshes of any form against those found triangle by triangle. */
import { box } from '../geometry/primitives.js';
import { AT_REST } from '../grains/wall-arrays.js';
import { meshFeatures } from '../grains/wall-features.js';
import { fromQuaternion } from '../math/mat3.js';
import { random } from '../math/random.js';
import { type Check, once, within } from './check.js';
import { bedOf } from './grain-scenes.js';
import { PlacedSphere, randomPlacementErrors } from './mesh-placements.js';

/** A slab, its top and bottom cut into 2 n² triangles each, top at z = 0 */
function slab(n: number, size: number): ReturnType<typeof meshFeatures> {
  const points: number[] = [];
  const triangles: number[] = [];
  for (const z of [0, -0.2 * size])
    for (let j = 0; j <= n; j++)
      for (let i = 0; i <= n; i++) points.push(size * (i / n - 0.5), size * (j / n - 0.5), z);
  const at = (i: number, j: number, k: number): number => k * (n + 1) * (n + 1) + j * (n + 1) + i;
  const quad = (a: number, b: number, c: number, d: number): void => void triangles.push(a, b, c, a, c, d);
  for (let j = 0; j < n; j++)
    for (let i = 0; i < n; i++) {
      quad(at(i, j, 0), at(i + 1, j, 0), at(i + 1, j + 1, 0), at(i, j + 1, 0));
      quad(at(i, j, 1), at(i, j + 1, 1), at(i + 1, j + 1, 1), at(i + 1, j, 1));
    }
  for (let i = 0; i < n; i++) {
    quad(at(i, 0, 0), at(i, 0, 1), at(i + 1, 0, 1), at(i + 1, 0, 0));
    quad(at(i + 1, n, 0), at(i + 1, n, 1), at(i, n, 1), at(i, n, 0));
    quad(at(0, i + 1, 0), at(0, i + 1, 1), at(0, i, 1), at(0, i, 0));
    quad(at(n, i, 0), at(n, i, 1), at(n, i + 1, 1), at(n, i + 1, 0));
  }
  return meshFeatures(points, triangles, 'slab');
}

/** A sphere rolls 1.5 m down a slope of triangles, in a frame turned about an odd axis: greatest speed along the normal; contacts other than one */
function rolledDown(n: number): { readonly speed: number; readonly jumps: number } {
  const [radius, size, density] = [0.05, 2, 2500];
  // R of (1, 2, 3)/√14 by 0.7 rad
  const [ux, uy, uz] = [1, 2, 3].map((u) => u / Math.sqrt(14));
  const [c, s] = [Math.cos(0.7), Math.sin(0.7)];
  const t = 1 - c;
  const r = [
    ...[t * ux * ux + c, t * ux * uy - s * uz, t * ux * uz + s * uy],
    ...[t * ux * uy + s * uz, t * uy * uy + c, t * uy * uz - s * ux],
    ...[t * ux * uz - s * uy, t * uy * uz + s * ux, t * uz * uz + c],
  ];
  const turned = (x: number, y: number, z: number) =>
    [0, 3, 6].map((k) => r[k] * x + r[k + 1] * y + r[k + 2] * z) as unknown as readonly [number, number, number];
  // A slope of 0.3 rad, across the rows of triangles at an odd angle
  const along = 9.81 * Math.sin(0.3);
  const down = 9.81 * Math.cos(0.3);
  const gravity = turned(along * Math.cos(0.4), along * Math.sin(0.4), -down);
  const stuff = { name: 'stiff', youngsModulus: 1e9, poissonRatio: 0.3 };
  const mass = (4 / 3) * Math.PI * density * radius ** 3;
  const modulus = 1e9 / (2 * 0.91);
  const depth = ((0.75 * mass * down) / (modulus * Math.sqrt(radius))) ** (2 / 3);
  const bed = bedOf([{ position: turned(-0.65, -0.3, radius - depth), radius, kind: 0, density }], {
    kinds: [stuff],
    walls: [{ name: 'slope', kind: 0, features: slab(n, size), pose: { ...AT_REST, rotation: r }, farthest: 2 }],
    gravity,
  });
  const v = bed.arrays.floats('motion');
  const x = bed.arrays.floats('grains');
  let [speed, jumps] = [0, 0];
  const normal = turned(0, 0, 1);
  for (let k = 0; k < 40_000; k++) {
    bed.step(3e-5);
    speed = Math.max(speed, Math.abs(v[0] * normal[0] + v[1] * normal[1] + v[2] * normal[2]));
    if (bed.facts.wallContacts !== 1) jumps++;
  }
  const way = Math.hypot(
    x[0] - turned(-0.65, -0.3, 0)[0],
    x[1] - turned(-0.65, -0.3, 0)[1],
    x[2] - turned(-0.65, -0.3, 0)[2],
  );
  if (!(way > 1)) throw new Error(`expected a way of more than 1 m, got ${way}`);
  return { speed, jumps };
}

const coarseSlope = once(() => rolledDown(20));
const fineSlope = once(() => rolledDown(200));

/** A sphere of 0.2 m beside a cube of 1 m, upright and turned, centres outside: how many have other than one contact, and the greatest relative error of k (r − distance)^1.5 */
function besideCube(centres: readonly (readonly number[])[]): { readonly differ: number; readonly force: number } {
  const [radius, half] = [0.2, 0.5];
  const found = new Float64Array(3);
  let [differ, force] = [0, 0];
  for (const rotation of [AT_REST.rotation, fromQuaternion(random('cube').rotation())]) {
    const sphere = new PlacedSphere(box(2 * half).mesh, radius, rotation);
    for (const c of centres) {
      const gap = Math.hypot(...c.map((x) => Math.max(0, Math.abs(x) - half)));
      if (!(gap > 0) || gap >= radius) continue;
      if (sphere.put(c, found) !== 1) differ++;
      force = Math.max(force, Math.abs(Math.hypot(...found) / (1 - gap / radius) ** 1.5 - 1));
    }
  }
  return { differ, force };
}

/** Centres over faces, edges and corners, and on every border between them */
const TIES = [0.55, 0.5, 0.45, 0.25, 0, -0.25, -0.45, -0.5, -0.55];
const ties = once(() => besideCube(TIES.flatMap((x) => TIES.flatMap((y) => TIES.map((z) => [x, y, z])))));
const anywhere = once(() => {
  const draw = random('beside a cube');
  return besideCube(Array.from({ length: 100_000 }, () => [0, 1, 2].map(() => 1.3 * (draw.uniform() - 0.5))));
});
const placements = once(() => randomPlacementErrors(2000, 'short'));
const manyPlacements = once(() => randomPlacementErrors(1_000_000, 'long'));
const ONE = 'a convex solid touches a sphere once';
const TRIANGLES = 'nearest points of every triangle';

export const grainMeshChecks: readonly Check[] = [
  within(
    'A6-speed',
    'a sphere rolls 1 m down 800 triangles in a turned frame: greatest speed along the normal, m/s',
    'a plane has no bumps',
    0,
    1e-12,
    () => coarseSlope().speed,
    false,
  ),
  within(
    'A6-contacts',
    'the same: steps with other than one contact',
    'a plane touches a sphere once',
    0,
    0,
    () => coarseSlope().jumps,
    false,
  ),
  within('A6-speed-fine', 'the same on 80 000 triangles', 'a plane has no bumps', 0, 1e-12, () => fineSlope().speed),
  within('A6-contacts-fine', 'the same', 'a plane touches a sphere once', 0, 0, () => fineSlope().jumps),
  within(
    'A7-ties',
    'sphere over every border of faces, edges and corners of a cube, upright and turned: other than one contact',
    ONE,
    0,
    0,
    () => ties().differ,
    false,
  ),
  within(
    'A7-ties-force',
    'the same: force, greatest relative error',
    'k (r − distance)^1.5',
    0,
    1e-9,
    () => ties().force,
    false,
  ),
  within(
    'A7',
    'sphere at 100 000 places beside a cube, upright and turned: other than one contact',
    ONE,
    0,
    0,
    () => anywhere().differ,
  ),
  within(
    'A7-force',
    'the same: force, greatest relative error',
    'k (r − distance)^1.5',
    0,
    1e-9,
    () => anywhere().force,
  ),
  within(
    'MESH-2000',
    '2 000 spheres beside a drilled block, a ring, a rock and a thin plate: other number of contacts',
    TRIANGLES,
    0,
    0,
    () => placements().differ,
    false,
  ),
  within(
    'MESH-2000-force',
    'the same: force, greatest error by 4/3 E* r²',
    TRIANGLES,
    0,
    1e-9,
    () => placements().force,
    false,
  ),
  within('MESH-million', 'the same of 1 000 000', TRIANGLES, 0, 0, () => manyPlacements().differ),
  within('MESH-million-force', 'the same: force', TRIANGLES, 0, 1e-9, () => manyPlacements().force),
];
