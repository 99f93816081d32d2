import { expect, test } from 'vitest';
import { involuteGear } from '../../assets/machine-elements/gear.js';
import { circle } from '../../geometry/circle-outline.js';
import { profileArea } from '../../geometry/polygon.js';
import type { Profile } from '../../geometry/profile.js';
import { meshProfile } from './mesh-profile.js';
import { cornerQuality } from './plane-mesh.js';

const degrees = (cosine: number): number => (Math.acos(cosine) * 180) / Math.PI;
const rectangle = [
  [0, 0],
  [200, 0],
  [200, 100],
  [0, 100],
] as const;
const plate: Profile = { outer: rectangle, holes: [circle(20, [100, 50])] };

test('no angle below 25°, and the whole area, with straight edges to rounding', () => {
  const square: Profile = {
    outer: rectangle,
    holes: [
      [
        [80, 30],
        [80, 70],
        [120, 70],
        [120, 30],
      ],
    ],
  };
  for (const size of [30, 8, 3]) {
    const { area, largestCosine } = cornerQuality(meshProfile(square, { size, nodesPerElement: 3 }));
    expect(degrees(largestCosine)).toBeGreaterThan(25);
    expect(Math.abs(area / profileArea(square) - 1)).toBeLessThan(1e-12);
  }
});

test('arcs are kept: corners and middles of sides lie on them', () => {
  const mesh = meshProfile(plate, { size: 8 });
  expect(degrees(cornerQuality(mesh).largestCosine)).toBeGreaterThan(25);
  let onCircle = 0;
  for (let s = 0; s < mesh.sideEdge.length; s++) {
    if (mesh.edgeLoop[mesh.sideEdge[s]] !== 1) continue;
    for (let k = 0; k < 3; k++) {
      const node = mesh.sides[3 * s + k];
      const r = Math.hypot(mesh.points[2 * node] - 100, mesh.points[2 * node + 1] - 50);
      expect(Math.abs(r / 20 - 1)).toBeLessThan(1e-14);
      onCircle++;
    }
  }
  expect(onCircle).toBeGreaterThan(60);
});

// Chords of the circle keep farther from the edge than the circle does: moved onto it, corners left angles of 1.7°. At 3e-7 the triangulation that refinement
// starts from was no Delaunay triangulation (two corners near each other, the third far off), and the refinement did not end.
// Where the gap is g the mesh must be as fine, over √(R g) of it: some thousand triangles, not hundreds of thousands
test.each([1e-3, 1e-4, 1e-6, 3e-7])('a hole that leaves %f of the side: no angle below 25°', (gap) => {
  const square: Profile = { outer: [[0, 0], [1, 0], [1, 1], [0, 1]], holes: [circle(0.2, [0.2 + gap, 0.5])] }; // biome-ignore format: one line
  const mesh = meshProfile(square, { size: 0.05 });
  expect(degrees(cornerQuality(mesh).largestCosine)).toBeGreaterThan(25);
  expect(mesh.elementCount).toBeLessThan(8000);
});

// Twenty teeth of 40 corners and a bore: sides far shorter than the size asked for, in concave places
test('a gear: no angle below 25°, the whole area', () => {
  const bore = Array.from({ length: 32 }, (_, k) => {
    const angle = (-Math.PI * k) / 16;
    return [6e-3 * Math.cos(angle), 6e-3 * Math.sin(angle)] as const;
  });
  const gear: Profile = { outer: involuteGear({ teeth: 20, module: 2e-3 }).outer, holes: [bore] };
  for (const size of [4e-3, 0.7e-3, 0.2e-3]) {
    const { area, largestCosine } = cornerQuality(meshProfile(gear, { size, nodesPerElement: 3 }));
    expect(degrees(largestCosine)).toBeGreaterThan(25);
    expect(Math.abs(area / profileArea(gear) - 1)).toBeLessThan(1e-12);
  }
});

test('sharp corners end', () => {
  const needle: Profile = {
    outer: [
      [0, 0],
      [1, 0],
      [1, 0.05],
    ],
    holes: [],
  };
  const { area } = cornerQuality(meshProfile(needle, { size: 0.1, nodesPerElement: 3 }));
  expect(Math.abs(area / 0.025 - 1)).toBeLessThan(1e-12);
});

test('fifty thousand triangles', () => {
  const mesh = meshProfile(plate, { size: 1.2, nodesPerElement: 3 });
  expect(mesh.elementCount).toBeGreaterThan(50_000);
  expect(degrees(cornerQuality(mesh).largestCosine)).toBeGreaterThan(25);
});

test('what cannot be meshed is refused by name', () => {
  const bow: Profile = {
    outer: [
      [0, 0],
      [1, 1],
      [1, 0],
      [0, 1],
    ],
    holes: [],
  };
  expect(() => meshProfile(bow, { path: 'bodies.bow.shape' })).toThrow(/bodies\.bow\.shape.*cross/s);
  expect(() => meshProfile(plate, { size: 0.8, mostPoints: 5000 })).toThrow(/5000 corners/);
});

// Readers cut an arc in two and a circle in four, which nobody drew: a pressure on "edge 2" was on half of it
test('equal arcs of one circle are one edge, unequal ones and other circles are not', () => {
  const b = Math.tan(Math.PI / 16); // 45°
  const [c, s] = [Math.SQRT1_2, Math.SQRT1_2];
  // quarter of a ring, 1 to 2; its first corner in the middle of the outer arc
  const ring: Profile = {
    outer: [
      [2 * c, 2 * s, b],
      [0, 2],
      [0, 1, -b],
      [c, s, -b],
      [1, 0],
      [2, 0, b],
    ],
    holes: [circle(0.1, [1.1, 1.1])],
  };
  const { edgeLoop, sideEdge, sides, points } = meshProfile(ring, { size: 0.1 });
  expect(Array.from(edgeLoop)).toEqual([0, 0, 0, 0, 1]);
  const radii = new Set(
    Array.from(sideEdge, (edge, i) =>
      edge === 2 ? Math.hypot(points[2 * sides[3 * i]], points[2 * sides[3 * i] + 1]).toFixed(9) : '',
    ),
  );
  expect([...radii].filter(Boolean)).toEqual(['1.000000000']);
  expect(sideEdge.filter((edge) => edge === 0).length).toBeGreaterThan(30);
  const cut = Math.tan(Math.PI / 32); // 22.5° and 67.5°
  const rest = Math.tan((3 * Math.PI) / 32);
  const at = Math.PI / 8;
  const outer: Profile['outer'] = [[0, 0], [1, 0, cut], [Math.cos(at), Math.sin(at), rest], [0, 1]]; // biome-ignore format: one line
  expect(meshProfile({ outer, holes: [] }, { size: 0.2 }).edgeLoop.length).toBe(4);
});
