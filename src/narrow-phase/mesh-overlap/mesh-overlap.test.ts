import { describe, expect, test } from 'vitest';
import {
  assortedMeshes,
  at,
  block,
  HERE,
  L_OUTLINE,
  Pair,
  type Placement,
  prepared,
  unitCube,
} from '../../../tests/fixtures/overlap.js';
import { extrude } from '../../geometry/extrude.js';
import { meshMassProperties } from '../../geometry/mass-properties.js';
import { box } from '../../geometry/primitives.js';
import { sphere } from '../../geometry/sphere.js';
import { joinMeshes, type TriangleMesh } from '../../geometry/triangle-mesh.js';
import { toQuaternion } from '../../math/mat3.js';
import { fromAxisAngle, fromRotationVector, multiply, rotate } from '../../math/quaternion.js';
import { random } from '../../math/random.js';
import { add, cross, dot, normalize, perpendicular, sub, type Vec3 } from '../../math/vec3.js';
import { PATCH } from '../contact-patches.js';
import { prepareMesh } from './mesh-topology.js';
import { patchPolygons } from './patch-polygons.js';

const pairOf = (a: TriangleMesh, b: TriangleMesh) => new Pair(prepareMesh(a), prepareMesh(b));
const vector = (array: Float64Array, i = 0): number[] => [...array.subarray(3 * i, 3 * i + 3)];
const close = (actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void => {
  for (let k = 0; k < expected.length; k++) expect(Math.abs(actual[k] - expected[k])).toBeLessThanOrEqual(tolerance);
};

describe('unit cubes', () => {
  const pair = pairOf(unitCube(), unitCube());
  const { patches } = pair;

  test('shifted by (.3, .2, .1): what one computes by hand', () => {
    expect(pair.place(HERE, at(0.3, 0.2, 0.1))).toBe(1);
    close(patches.volume, [0.7 * 0.8 * 0.9], 1e-15);
    close(patches.centroid, [0.65, 0.6, 0.55], 1e-15);
    close(patches.area, [1.91], 1e-15 * 4);
    close(patches.vectorArea, [0.72, 0.63, 0.56], 1e-15);
    // the overlap is a box: both patches have the same lever, so that no moment is left about the centroid
    close(patches.moment, [0, 0, 0], 1e-15);
  });
  test.each([
    [at(0.5, 0.5, 0), 0.25],
    [HERE, 1],
    [at(-0.5, 0, 0), 0.5],
  ])('flush faces: %o', (pose, volume) => {
    expect(pair.place(HERE, pose)).toBe(1);
    close(patches.volume, [volume], 1e-15);
    expect(pair.overlap.contradictions).toBe(0);
  });
  test.each([1, -1])('touching in a face, an edge, a corner: no region, nothing but numbers (%d)', (s) => {
    for (const pose of [at(s, 0, 0), at(0, s, 0), at(s, s, 0), at(s, s, s), at(s, 0.5, 0), at(0.5, s, s)]) {
      pair.place(HERE, pose);
      for (let i = 0; i < patches.count; i++) expect(patches.volume[i]).toBeLessThan(1e-30);
      expect(pair.overlap.contradictions).toBe(0);
    }
  });
  test('an overlap of 1e-12 has all the digits its coordinates have', () => {
    pair.place(HERE, at(1 - 1e-12, 0, 0));
    expect(Math.abs(patches.volume[0] / (1 - (1 - 1e-12)) - 1)).toBeLessThan(1e-15);
    close(patches.centroid, [1, 0.5, 0.5], 1e-12);
    close(patches.normal, [1, 0, 0], 1e-11);
    expect(patches.depth[0] / 2e-12).toBeCloseTo(1, 3); // a flat punch: 2V/|S| is twice the depth
  });
  test('apart: nothing', () => {
    expect(pair.place(HERE, at(1.5, 0, 0))).toBe(0);
    expect(pair.place(HERE, at(0, 0, 1 + 1e-9))).toBe(0);
  });
});

// A corner of a cube below a face, n the face's normal in the cube's axes, depth δ: a tetrahedron of volume
// δ³/(6 n₁n₂n₃), centroid at δ/4; 2V/|S| = 2/3 δ since |S| is its base.
test.each([1e-2, 1e-4, 1e-6, 1e-8, 1e-10])('a corner sunk by %d into a face', (depth) => {
  const pair = pairOf(block([-2, -2, -3], [2, 2, 0]), unitCube());
  for (const direction of [
    [1, 1, 1],
    [1, 2, 3],
    [5, 1, 2],
  ] as Vec3[]) {
    const n = normalize(direction);
    const u = perpendicular(n);
    const v = cross(n, u);
    const orientation = toQuaternion([...u, ...v, ...n]);
    // where the cube's axes really go, after the rounding of the quaternion
    const axes = [
      rotate(orientation, [1, 0, 0])[2],
      rotate(orientation, [0, 1, 0])[2],
      rotate(orientation, [0, 0, 1])[2],
    ];
    expect(pair.place(HERE, { position: [0.1, 0.2, -depth], orientation })).toBe(1);
    const { patches } = pair;
    const tolerance = (20 * 2.2e-16) / depth + 1e-14; // coordinates of size 1 know δ to ε/δ
    expect(Math.abs((patches.volume[0] * 6 * axes[0] * axes[1] * axes[2]) / depth ** 3 - 1)).toBeLessThan(tolerance);
    expect(Math.abs(patches.centroid[2] / (-depth / 4) - 1)).toBeLessThan(tolerance);
    expect(Math.abs(patches.depth[0] / ((2 / 3) * depth) - 1)).toBeLessThan(tolerance);
    expect(Math.abs(patches.extent[0] / depth - 1)).toBeLessThan(tolerance);
    close(patches.normal, [0, 0, 1], tolerance);
  }
});

test('a cube on its edge, δ below a face: V = δ², |S| = 2δ, depth δ', () => {
  const pair = pairOf(block([-2, -2, -3], [2, 2, 0]), unitCube());
  for (const depth of [1e-1, 1e-3, 1e-5]) {
    pair.place(HERE, { position: [0, -0.5, -depth], orientation: fromAxisAngle([0, 1, 0], Math.PI / 4) });
    // lowest is the edge of the corner that turns to −x; it is put at z = −δ
    const { patches } = pair;
    const lowest = Math.min(
      ...[
        [0, 0, 0],
        [1, 0, 0],
        [0, 0, 1],
        [1, 0, 1],
      ].map((c) => rotate(fromAxisAngle([0, 1, 0], Math.PI / 4), c as unknown as Vec3)[2]),
    );
    const pose: Placement = {
      position: [0, -0.5, -depth - lowest],
      orientation: fromAxisAngle([0, 1, 0], Math.PI / 4),
    };
    expect(pair.place(HERE, pose)).toBe(1);
    const tolerance = 1e-14 / depth;
    expect(Math.abs(patches.volume[0] / depth ** 2 - 1)).toBeLessThan(tolerance);
    expect(Math.abs(patches.vectorArea[2] / (2 * depth) - 1)).toBeLessThan(tolerance);
    expect(Math.abs(patches.depth[0] / depth - 1)).toBeLessThan(tolerance);
  }
});

describe('several shells and holes', () => {
  const inside = sphere(0.3, { subdivision: 3 }).mesh;
  const room = block([-1, -1, -1], [1, 1, 1]);
  const volume = meshMassProperties(inside).volume;

  test.each([
    ['the small in the large', room, inside],
    ['the large around the small', inside, room],
  ])('contained: %s', (_, a, b) => {
    const pair = pairOf(a, b);
    expect(pair.place(HERE, at(0.1, 0.2, 0.3))).toBe(1);
    const { patches } = pair;
    expect(Math.abs(patches.volume[0] / volume - 1)).toBeLessThan(1e-14);
    expect(vector(patches.vectorArea)).toEqual([0, 0, 0]);
    expect(patches.flags[0]).toBe(PATCH.contained);
    close(patches.normal, normalize([0.1, 0.2, 0.3]), 1e-12);
    expect(patches.depth[0]).toBeGreaterThan(0.59);
    expect(patches.depth[0]).toBeLessThan(0.6 * (1 + 1e-12)); // diameter of the ball along the normal
  });

  const inward = (mesh: TriangleMesh): TriangleMesh => ({
    ...mesh,
    triangles: mesh.triangles.map((_, h, all) => all[h % 3 === 0 ? h + 1 : h % 3 === 1 ? h - 1 : h]),
  });
  const hollow = joinMeshes([sphere(1, { subdivision: 4 }).mesh, inward(sphere(0.8, { subdivision: 4 }).mesh)]);
  test('a cube in the cavity of a hollow ball touches nothing', () => {
    const pair = pairOf(hollow, box(0.5).mesh);
    expect(pair.place(HERE, at(0.05, 0, 0))).toBe(0);
  });
  test('a cube around the cavity: one region with the cavity in it', () => {
    const cube = box(3).mesh;
    const pair = pairOf(hollow, cube);
    expect(pair.place(HERE, HERE)).toBe(1);
    expect(Math.abs(pair.patches.volume[0] / meshMassProperties(hollow).volume - 1)).toBeLessThan(1e-14);
    // cut by a face beside the cavity: still one
    expect(pair.place(HERE, at(2.4, 0, 0))).toBe(1);
    // a face through the cavity: the cavity opens
    expect(pair.place(HERE, at(1.5, 0, 0))).toBe(1);
  });

  const square = (x: number, y: number, half: number): [number, number][] => [
    [x - half, y - half],
    [x + half, y - half],
    [x + half, y + half],
    [x - half, y + half],
  ];
  test('a tube through one triangle of each face of a slab: one region, two holes joined', () => {
    const slab = block([-2, -2, 0], [2, 2, 0.3]);
    // the diagonal of the faces must not meet the tube, else edges lead from the hole to its rim
    const tube = extrude({ outer: square(0, 0, 0.5), holes: [square(0, 0, 0.3).toReversed()] }, 2).mesh;
    for (const [x, y] of [
      [1, 1],
      [1, -1],
    ]) {
      for (const flip of [false, true]) {
        const pair = flip ? pairOf(tube, slab) : pairOf(slab, tube);
        const [poseA, poseB] = flip ? [at(x, y, -1), HERE] : [HERE, at(x, y, -1)];
        expect(pair.place(poseA, poseB)).toBe(1);
        close(pair.patches.volume, [0.64 * 0.3], 1e-14);
        expect(pair.overlap.contradictions).toBe(0);
      }
    }
    const clear = [
      [1, 1],
      [1, -1],
    ].map(([x, y]) => {
      const pair = pairOf(slab, tube);
      pair.place(HERE, at(x, y, -1));
      return pair.overlap.holesJoined;
    });
    expect(Math.max(...clear)).toBe(2); // one of the two places is clear of the diagonal
  });
  test('four bars through one triangle are four regions', () => {
    const slab = block([-2, -2, 0], [2, 2, 0.3]);
    const bars = joinMeshes(
      [
        [0.8, 0.8],
        [1.2, 0.8],
        [0.8, 1.2],
        [1.2, 1.2],
      ].map(([x, y]) => block([x - 0.1, y - 0.1, -1], [x + 0.1, y + 0.1, 1])),
    );
    for (const turn of [0, Math.PI / 2]) {
      const pair = pairOf(slab, bars);
      expect(pair.place(HERE, { position: [0, 0, 0], orientation: fromAxisAngle([0, 0, 1], turn) })).toBe(4);
      close([pair.total('volume')[0]], [0.048], 1e-15);
    }
  });
  test('parts of an L that reach into a bar twice stay apart', () => {
    const bracket = extrude(L_OUTLINE, 1).mesh;
    const bar = block([-1, 0.9, 0.4], [2, 1.1, 0.6]);
    const pair = pairOf(bracket, joinMeshes([bar, block([0.9, -1, 0.4], [1.1, 0.5, 0.6])]));
    expect(pair.place(HERE, HERE)).toBe(2);
    close([pair.total('volume')[0]], [0.4 * 0.1 * 0.2 + 0.1 * 0.35 * 0.2], 1e-15);
  });
});

// Unit cube with its top 0.1 inside a larger block: ∫ (x − ½)² dA = 1/12 (top) + 0.05 (two sides at x = 0, 1) + 1/60.
test('second moments of the patch', () => {
  const pair = pairOf(unitCube(), block([-1, -1, 0.9], [2, 2, 3]));
  expect(pair.place(HERE, HERE)).toBe(1);
  const { patches } = pair;
  close(patches.volume, [0.1], 1e-15);
  close(patches.area, [1.4], 1e-14);
  close(patches.patchCentroid, [0.5, 0.5, (1 + 0.4 * 0.95) / 1.4], 1e-14);
  const mean = (1 + 0.4 * 0.95) / 1.4;
  const height = 1 + 0.4 * (0.95 ** 2 + 0.01 / 12) - 1.4 * mean ** 2;
  close(patches.secondMoments, [0.15, 0.15, height, 0, 0, 0], 1e-14);
  close(patches.vectorArea, [0, 0, 1], 1e-14);

  // the same in another corner of the world: moments turn with the bodies
  const orientation = fromAxisAngle([1, 2, 3], 0.7);
  const pose: Placement = { position: [3, -2, 1], orientation };
  pair.place(pose, pose);
  const m = pair.patches.secondMoments;
  close([m[0] + m[1] + m[2]], [0.3 + height], 1e-13);
  const n = rotate(orientation, [0, 0, 1]);
  const along =
    n[0] * n[0] * m[0] +
    n[1] * n[1] * m[1] +
    n[2] * n[2] * m[2] +
    2 * (n[0] * n[1] * m[3] + n[0] * n[2] * m[4] + n[1] * n[2] * m[5]);
  close([along], [height], 1e-13);
  close(pair.patches.normal, n, 1e-13);
});

describe('what must hold for all solids and poses', () => {
  const solids = prepared(assortedMeshes());
  const draw = random('mesh overlap');
  const poses = (count: number, visit: (pair: Pair, a: Placement, b: Placement, name: string) => void): void => {
    for (let k = 0; k < count; k++) {
      const [nameA, , a] = solids[draw.integer(solids.length)];
      const [nameB, , b] = solids[draw.integer(solids.length)];
      const pair = new Pair(a, b);
      const poseA = { position: draw.inSphere(), orientation: draw.rotation() };
      const poseB = { position: add(poseA.position, draw.inSphere()), orientation: draw.rotation() };
      visit(pair, poseA, poseB, `${nameA}, ${nameB}`);
    }
  };

  test('the two sides of a region have opposite vector areas and moments', () => {
    poses(150, (pair, poseA, poseB) => {
      pair.place(poseA, poseB);
      const { sums, count } = pair.overlap.sums;
      for (let r = 0; r < count; r++) {
        const s = sums.subarray(30 * r, 30 * r + 30);
        const area = s[0] + s[26];
        for (let k = 0; k < 3; k++) {
          expect(Math.abs(s[1 + k] + s[20 + k])).toBeLessThanOrEqual(1e-14 * (area + 1e-3));
          expect(Math.abs(s[7 + k] + s[23 + k])).toBeLessThanOrEqual(1e-14 * (area + 1e-3));
        }
      }
      expect(pair.overlap.contradictions).toBe(0);
    });
  });

  // dV = −S · dx − Q · dφ about each region's centroid; V is C¹ with kinks in its second derivative, so that central
  // differences of step h are right to about h.
  test('S and Q are the gradient of the volume', () => {
    const h = 1e-6;
    let compared = 0;
    poses(100, (pair, poseA, poseB) => {
      if (pair.place(poseA, poseB) === 0) return;
      const { patches } = pair;
      const dx = draw.unitVector();
      const turn = draw.unitVector();
      let predicted = 0;
      let area = 0;
      for (let i = 0; i < patches.count; i++) {
        const arm = sub(vector(patches.centroid, i) as unknown as Vec3, poseB.position);
        const moved = add(dx, cross(turn, arm));
        predicted -= dot(vector(patches.vectorArea, i) as unknown as Vec3, moved);
        predicted -= dot(vector(patches.moment, i) as unknown as Vec3, turn);
        area += patches.area[i];
      }
      const shifted = (s: number): Placement => ({
        position: add(poseB.position, [s * dx[0], s * dx[1], s * dx[2]]),
        orientation: multiply(fromRotationVector([s * turn[0], s * turn[1], s * turn[2]]), poseB.orientation),
      });
      pair.place(poseA, shifted(h));
      const after = pair.total('volume')[0];
      pair.place(poseA, shifted(-h));
      const before = pair.total('volume')[0];
      expect(Math.abs((after - before) / (2 * h) - predicted)).toBeLessThan(1e-8 * (area + 1));
      compared++;
    });
    expect(compared).toBeGreaterThan(40);
  });

  test('A with B is B with A, the normal turned round', () => {
    poses(60, (pair, poseA, poseB) => {
      const count = pair.place(poseA, poseB);
      const swapped = new Pair(pair.b, pair.a);
      expect(swapped.place(poseB, poseA)).toBe(count);
      const order = (p: Pair) => [...Array(count).keys()].sort((i, j) => p.patches.volume[i] - p.patches.volume[j]);
      const [mine, theirs] = [order(pair), order(swapped)];
      for (let k = 0; k < count; k++) {
        const [i, j] = [mine[k], theirs[k]];
        const v = pair.patches.volume[i];
        if (v < 1e-6) continue; // centroid and normal of a sliver are known to fewer digits
        expect(Math.abs(swapped.patches.volume[j] - v)).toBeLessThan(1e-14);
        close(vector(swapped.patches.centroid, j), vector(pair.patches.centroid, i), 1e-14 / v ** (1 / 3));
        close(
          vector(swapped.patches.vectorArea, j),
          vector(pair.patches.vectorArea, i).map((x) => -x),
          1e-13,
        );
      }
    });
  });

  test('both bodies moved together: the same overlap', () => {
    poses(60, (pair, poseA, poseB) => {
      const count = pair.place(poseA, poseB);
      const [volume] = pair.total('volume');
      const normals = [...pair.patches.normal.subarray(0, 3 * count)];
      const orientation = draw.rotation();
      const move = ({ position, orientation: own }: Placement): Placement => ({
        position: add(rotate(orientation, position), [1, 2, -1]),
        orientation: multiply(orientation, own),
      });
      expect(pair.place(move(poseA), move(poseB))).toBe(count);
      expect(Math.abs(pair.total('volume')[0] - volume)).toBeLessThan(1e-13);
      for (let i = 0; i < count; i++)
        if (pair.patches.volume[i] > 1e-6 && pair.patches.flags[i] === 0)
          close(
            vector(pair.patches.normal, i),
            rotate(orientation, normals.slice(3 * i, 3 * i + 3) as unknown as Vec3),
            1e-10,
          );
    });
  });

  test('the result depends on the poses alone, not on what was evaluated before', () => {
    poses(40, (pair, poseA, poseB) => {
      pair.place(poseA, poseB);
      const hash = (p: Pair) =>
        [
          p.patches.count,
          ...p.patches.volume.subarray(0, p.patches.count),
          ...p.patches.secondMoments.subarray(0, 6 * p.patches.count),
        ].join();
      const first = hash(pair);
      for (let k = 0; k < 3; k++) pair.place({ position: draw.inSphere(), orientation: draw.rotation() }, poseB);
      pair.place(poseA, poseB);
      expect(hash(pair)).toBe(first);
      const fresh = new Pair(pair.a, pair.b);
      fresh.place(poseA, poseB);
      expect(hash(fresh)).toBe(first);
    });
  });

  // A fresh pair looks at all triangles; one that follows a motion, at those that were near each other a while ago.
  test('along a motion in small steps: bit for bit as a fresh search finds', () => {
    let regions = 0;
    for (const scale of [1, 0.25, 4])
      poses(8, ({ a, b }, poseA, start) => {
        const sized = prepareMesh({ ...b.mesh, vertices: b.mesh.vertices.map((x) => x * scale) });
        const walking = new Pair(a, sized);
        const [way, turn] = [draw.inSphere(), draw.inSphere()];
        for (let k = 0; k < 60; k++) {
          const share = 4e-4 * k * Math.min(1, scale);
          const poseB = {
            position: add(start.position, [share * way[0], share * way[1], share * way[2]]),
            orientation: multiply(
              fromRotationVector([share * turn[0], share * turn[1], share * turn[2]]),
              start.orientation,
            ),
          };
          const fresh = new Pair(a, sized);
          expect(walking.place(poseA, poseB)).toBe(fresh.place(poseA, poseB));
          const { count } = fresh.patches;
          regions += count;
          for (const name of ['volume', 'area', 'centroid', 'vectorArea', 'secondMoments'] as const) {
            const per = fresh.patches[name].length / fresh.patches.capacity;
            const values = (p: Pair) => [...p.patches[name].subarray(0, per * count)];
            expect(values(walking)).toEqual(values(fresh));
          }
        }
      });
    expect(regions).toBeGreaterThan(600);
  });

  test('polygons of a patch have the area and the vector area of the patch', () => {
    poses(60, (pair, poseA, poseB) => {
      const count = pair.place({ ...poseA, orientation: [1, 0, 0, 0] }, poseB);
      const { patches, overlap } = pair;
      for (let i = 0; i < count; i++) {
        let area = 0;
        const sum = [0, 0, 0];
        for (const { feature, loops } of patchPolygons(overlap, i, 'A')) {
          const n = pair.a.normals.subarray(3 * feature, 3 * feature + 3);
          for (const loop of loops)
            for (let k = 0; k < loop.length; k++) {
              const turn = cross(sub(loop[k], loop[0]), sub(loop[(k + 1) % loop.length], loop[0]));
              area += 0.5 * (n[0] * turn[0] + n[1] * turn[1] + n[2] * turn[2]);
              for (let c = 0; c < 3; c++) sum[c] += 0.5 * turn[c];
            }
        }
        expect(Math.abs(area - patches.area[i])).toBeLessThan(1e-13);
        if (patches.flags[i] === 0) close(sum, vector(patches.vectorArea, i), 1e-13);
      }
    });
  });
});

describe('depth', () => {
  // A box on a table's edge: as its side passes the edge, the normal tilts by δ/length. The extent along it doubles at
  // once, 2V/|S| does not notice.
  test('2V/|S| is continuous where a resting box begins to overhang; the extent jumps', () => {
    const depth = 0.01;
    const table = block([-2, -2, -1], [0, 2, 0]);
    const place = (measure: 'volume' | 'extent', overhang: number): number => {
      const pair = new Pair(prepareMesh(table), prepareMesh(unitCube()), { depth: measure });
      pair.place(HERE, at(-1 + overhang, -0.5, -depth));
      return pair.patches.depth[0] / depth;
    };
    expect(Math.abs(place('volume', 1e-9) - place('volume', -1e-9))).toBeLessThan(1e-4 * 2);
    expect(place('volume', -1e-9)).toBeCloseTo(2, 6);
    expect(place('extent', -1e-9)).toBeCloseTo(1, 6);
    expect(place('extent', 1e-9)).toBeCloseTo(1.9999, 3);
  });
});

test('a mesh that is not closed is refused', () => {
  const { vertices, triangles } = unitCube();
  expect(() => prepareMesh({ vertices, triangles: triangles.slice(3) })).toThrow(/3 open edges; repair/);
  expect(() => prepareMesh({ vertices: vertices.map((x, i) => (i === 4 ? Number.NaN : x)), triangles })).toThrow(
    /finite/,
  );
});
