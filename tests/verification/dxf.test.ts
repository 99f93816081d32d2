// DXF drawings against areas and volumes computed by hand.
import { readFileSync } from 'node:fs';
import dxfParser from 'dxf-parser';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CadProfile } from '../../src/geometry/files/cad-document.js';
import { readDxf } from '../../src/geometry/files/dxf-read.js';
import { writeDxf } from '../../src/geometry/files/dxf-write.js';
import { profileArea, signedArea } from '../../src/geometry/polygon-measure.js';
import type { TriangleMesh } from '../../src/geometry/triangle-mesh.js';
import {
  arc,
  binaryOf,
  CUBE_CORNERS,
  CUBE_FACES,
  circle,
  type DrawingParts,
  drawing,
  entity,
  type Groups,
  groupsOf,
  line,
  lwpolyline,
  polyfaceMesh,
  rectangle,
} from '../fixtures/files/dxf/drawing.js';

const METRES = 6;
const MILLIMETRES = 4;
const read = (parts: DrawingParts, options: { chordError?: number; joinTolerance?: number } = {}) =>
  readDxf(drawing({ unit: METRES, ...parts }), { fileName: 'drawing.dxf', ...options });
const area = (profiles: readonly CadProfile[]) => profiles.reduce((sum, { profile }) => sum + profileArea(profile), 0);

/** V = ⅙ Σ a · (b × c) over the triangles. */
function volume({ vertices, triangles }: TriangleMesh): number {
  let six = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => vertices.slice(3 * triangles[t + k], 3 * triangles[t + k] + 3));
    six += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return six / 6;
}

describe('areas of outlines', () => {
  // A slot of length L between centres and width w: w L + π w²/4. Each half circle of n chords is short of its area
  // by (w/2)² (π − n sin(π/n)) / 2.
  const slot = (length: number, width: number) =>
    lwpolyline([[0, 0], [length, 0, 1], [length, width], [0, width, 1]]); // biome-ignore format: a corner each

  test('a slot with two half circles converges to w L + π w²/4 at second order', () => {
    const [length, width] = [0.03, 0.01];
    const exact = width * length + (Math.PI * width ** 2) / 4;
    const errors = [1e-5, 1e-5 / 16, 1e-5 / 256].map((chordError) => {
      const { profiles } = read({ entities: [slot(length, width)] }, { chordError });
      const chords = profiles[0].profile.outer.length / 2 - 1; // of each half circle
      const polygon = width * length + (width / 2) ** 2 * chords * Math.sin(Math.PI / chords);
      expect(area(profiles)).toBeCloseTo(polygon, 16); // rounding only
      return { chords, error: exact - area(profiles) };
    });
    // Four times the chords for a sixteenth of the chord error: a sixteenth of the error in area, up to rounding up.
    for (let i = 0; i + 1 < errors.length; i++) {
      expect(errors[i].error / errors[i + 1].error).toBeGreaterThan(14);
      expect(errors[i].error / errors[i + 1].error).toBeLessThan(18);
    }
    expect(errors[2].error / exact).toBeLessThan(1e-5);
    expect(errors[2].error).toBeGreaterThan(0);
  });

  test('no chord is farther from its circle than the chord error', () => {
    for (const chordError of [1e-4, 1e-6]) {
      const { outer } = read({ entities: [circle(2, 3, 0.5)] }, { chordError }).profiles[0].profile;
      const [[ax, ay], [bx, by]] = outer;
      const sagitta = 0.5 - Math.hypot((ax + bx) / 2 - 2, (ay + by) / 2 - 3);
      expect(sagitta).toBeLessThanOrEqual(chordError * (1 + 1e-9));
      expect(sagitta).toBeGreaterThan(0.9 * chordError); // and no finer than asked
    }
  });

  test('by default a circle is arcs, and its area that of the circle', () => {
    const { outer } = read({ entities: [circle(2, 3, 0.5)] }).profiles[0].profile;
    expect(outer).toHaveLength(4);
    expect(signedArea(outer)).toBeCloseTo(0.25 * Math.PI, 14);
    // half a circle and its diameter; a slot of two bulges; a block mirrored in y turns its arcs round
    const half = read({ entities: [arc(0, 0, 2, 0, 180), line(-2, 0, 2, 0)] }).profiles[0].profile;
    expect(signedArea(half.outer)).toBeCloseTo(2 * Math.PI, 13);
    expect(signedArea(read({ entities: [slot(3, 2)] }).profiles[0].profile.outer)).toBeCloseTo(6 + Math.PI, 13);
    const mirrored = entity('INSERT', 8, '0', 2, 'SLOT', 10, 1, 20, 2, 41, 1, 42, -1);
    const { profile } = read({ entities: [mirrored], blocks: { SLOT: [slot(3, 2)] } }).profiles[0];
    expect(signedArea(profile.outer)).toBeCloseTo(6 + Math.PI, 13);
  });

  test('by default an ellipse is arcs within 1e-5 of its longer half axis', () => {
    const ellipse = entity(
      'ELLIPSE',
      8,
      '0',
      10,
      1,
      20,
      2,
      30,
      0,
      11,
      3,
      21,
      0,
      31,
      0,
      40,
      0.5,
      41,
      0,
      42,
      2 * Math.PI,
    );
    const { outer } = read({ entities: [ellipse] }).profiles[0].profile;
    expect(outer.length).toBeLessThan(100); // 90 by the table of the fit
    expect(Math.abs(signedArea(outer) - 4.5 * Math.PI)).toBeLessThan(3e-5 * 15); // the error along its length
  });

  test('arcs written are read back digit for digit', () => {
    const outer = [[0, 0, 0.3], [2, 0], [2, 1.1, -0.25], [0, 1]] as const; // biome-ignore format: a corner each
    const bytes = writeDxf([{ name: 'plate', profile: { outer, holes: [] } }], { unit: 'm' });
    const [{ profile }] = readDxf(bytes, { fileName: 'plate.dxf' }).profiles;
    expect(profile).toEqual({ outer, holes: [] });
  });

  test('a chord error of 1/1000 of the radius makes 72 chords, symmetric to the last bit', () => {
    const { outer } = read({ entities: [circle(0, 0, 0.5)] }, { chordError: 0.5e-3 }).profiles[0].profile;
    expect(outer).toHaveLength(72);
    expect(1 - Math.cos(Math.PI / 72)).toBeLessThan(1e-3);
    const points = new Set(outer.map(String));
    for (const [x, y] of outer)
      for (const image of [[-x, y], [x, -y], [y, x]]) // biome-ignore format: an image each
        expect(points.has(String(image.map((c) => c + 0)))).toBe(true);
  });

  // A circle of radius r cut by a chord at distance d from its centre, the larger part: r² (π − acos(d/r)) + d √(r² − d²)
  test('a D made of an arc and a line', () => {
    const [r, d] = [5, 3];
    const half = Math.acos(d / r);
    const degrees = (half * 180) / Math.PI;
    const entities = [line(d, 4, d, -4), arc(0, 0, r, degrees, 360 - degrees)];
    const { profiles } = read({ entities }, { chordError: 1e-8 });
    const exact = r ** 2 * (Math.PI - half) + d * Math.sqrt(r ** 2 - d ** 2);
    // The sagitta e costs ⅔ e of the width along the arc.
    expect(area(profiles)).toBeGreaterThan(exact - 2 * Math.PI * r * 1e-8);
    expect(area(profiles)).toBeLessThan(exact);
  });

  test('ellipses: π a b, also tilted, halved, and as a block stretched in x', () => {
    const [a, b, chordError] = [3, 0.7, 1e-6];
    const shortfall = 2 * Math.PI * a * chordError;
    const full = entity('ELLIPSE', 8, '0', 10, 1, 20, 2, 30, 0, 11, a * 0.6, 21, a * 0.8, 31, 0, 40, b / a);
    const half = [...full, 41, Math.PI / 2, 42, (3 * Math.PI) / 2];
    // The half from t = π/2 to 3π/2 is closed by the minor axis, (−0.8, 0.6) b each way from the centre.
    const chord = line(1 - 0.8 * b, 2 + 0.6 * b, 1 + 0.8 * b, 2 - 0.6 * b);
    const stretched = entity('INSERT', 8, '0', 2, 'DISC', 10, 7, 20, 7, 41, a, 42, b, 50, 30);
    for (const [parts, exact] of [
      [{ entities: [full] }, Math.PI * a * b],
      [{ entities: [[...full, 41, 0, 42, 2 * Math.PI]] }, Math.PI * a * b],
      [{ entities: [half, chord] }, (Math.PI * a * b) / 2],
      [{ entities: [stretched], blocks: { DISC: [circle(0, 0, 1)] } }, Math.PI * a * b],
    ] as const) {
      const { profiles, notes } = read(parts, { chordError });
      expect(notes).toEqual([]);
      expect(area(profiles)).toBeGreaterThan(exact - shortfall);
      expect(area(profiles)).toBeLessThan(exact);
    }
  });

  // A full circle as a rational quadratic B-spline: nine control points on a square, weights 1 and √½ by turns
  // (Piegl & Tiller, The NURBS Book, Ex. 7.1).
  test('a NURBS circle lies on the circle', () => {
    const [cx, cy, r] = [0.3, -0.2, 0.05];
    const square = [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1], [1, 0]]; // biome-ignore format: a point each
    const spline = entity(
      'SPLINE',
      ...[8, '0', 70, 12, 71, 2, 72, 12, 73, 9, 74, 0],
      ...[0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4].flatMap((knot) => [40, knot]),
      ...square.flatMap((_, i) => [41, i % 2 === 0 ? 1 : Math.SQRT1_2]),
      ...square.flatMap(([x, y]) => [10, cx + r * x, 20, cy + r * y, 30, 0]),
    );
    const { outer } = read({ entities: [spline] }).profiles[0].profile;
    for (const [x, y] of outer) expect(Math.abs(Math.hypot(x - cx, y - cy) / r - 1)).toBeLessThan(1e-14);
    // As fine as a circle: the default keeps 1/1000 of the radius.
    const sagittas = outer.map(([x, y], i) => {
      const [u, v] = outer[(i + 1) % outer.length];
      return 1 - Math.hypot((x + u) / 2 - cx, (y + v) / 2 - cy) / r;
    });
    expect(Math.max(...sagittas)).toBeLessThan(1.0e-3);
    const fine = read({ entities: [spline] }, { chordError: 1e-8 });
    expect(area(fine.profiles)).toBeGreaterThan(Math.PI * r ** 2 - 2 * Math.PI * r * 1e-8);
    expect(area(fine.profiles)).toBeLessThan(Math.PI * r ** 2);
  });

  // A cubic Bézier curve from (0, 0) over (1, 2), (3, 2) to (4, 0): with s = t (1 − t) it is y = 6 s and
  // x = 3 t + 3 t² − 2 t³, dx/dt = 3 + 6 s, so ∫ y dx = 18 ∫ s dt + 36 ∫ s² dt = 18/6 + 36/30.
  test('the area under a polynomial B-spline', () => {
    const spline = entity(
      'SPLINE',
      ...[8, '0', 70, 8, 71, 3, 72, 8, 73, 4],
      ...[0, 0, 0, 0, 1, 1, 1, 1].flatMap((knot) => [40, knot]),
      ...[[0, 0], [1, 2], [3, 2], [4, 0]].flatMap(([x, y]) => [10, x, 20, y, 30, 0]), // biome-ignore format: a point each
    );
    const exact = 18 / 6 + 36 / 30;
    const { profiles } = read({ entities: [spline, line(4, 0, 0, 0)] }, { chordError: 1e-7 });
    expect(area(profiles)).toBeGreaterThan(exact - 10 * 1e-7); // the curve is shorter than 10
    expect(area(profiles)).toBeLessThan(exact);
  });

  test('a spline given by the points it passes through, closed and open', () => {
    // Sixteen points of a circle: the cubic spline through them is off by O(h⁴), 5/384-like constants times (π/8)⁴.
    const around = Array.from({ length: 16 }, (_, i) => (2 * Math.PI * i) / 16);
    const fit = around.flatMap((t) => [11, Math.cos(t), 21, Math.sin(t), 31, 0]);
    const closed = read({ entities: [entity('SPLINE', 8, '0', 70, 11, 71, 3, 74, 16, ...fit)] }, { chordError: 1e-6 });
    expect(Math.abs(area(closed.profiles) / Math.PI - 1)).toBeLessThan(2e-4);
    for (const [x, y] of closed.profiles[0].profile.outer) expect(Math.abs(Math.hypot(x, y) - 1)).toBeLessThan(2e-4);
    expect(closed.notes.join()).toContain('points it passes through');
    // Half of them with tangents at both ends, closed by a line.
    const half = around.slice(0, 9).flatMap((t) => [11, Math.cos(t), 21, Math.sin(t), 31, 0]);
    const tangents = [12, 0, 22, 1, 32, 0, 13, 0, 23, -1, 33, 0];
    const spline = entity('SPLINE', 8, '0', 70, 8, 71, 3, 74, 9, ...tangents, ...half);
    const open = read({ entities: [spline, line(1, 0, -1, 0)] }, { chordError: 1e-6 });
    expect(Math.abs(area(open.profiles) / (Math.PI / 2) - 1)).toBeLessThan(2e-4);
  });

  // A tooth from root to root, turned twelve times; the corners of one tooth and the axis bound a polygon whose area
  // counts twelve times.
  test('a gear from one tooth in a block, inserted twelve times', () => {
    const turn = Math.PI / 6;
    const tooth = [[1, 0], [1.3, 0.1], [1.3, 0.3], [Math.cos(turn), Math.sin(turn)]]; // biome-ignore format: a corner each
    const inserts = Array.from({ length: 12 }, (_, i) =>
      entity('INSERT', 8, 'gear', 2, 'TOOTH', 10, 0, 20, 0, 50, 30 * i),
    );
    const { profiles, notes } = read({ entities: inserts, blocks: { TOOTH: [lwpolyline(tooth, false)] } });
    expect(notes).toEqual([]);
    expect(profiles).toHaveLength(1);
    expect(profiles[0].name).toBe('gear'); // layer 0 in a block is the layer of the INSERT
    const sector = signedArea([[0, 0], ...(tooth as [number, number][])]);
    expect(area(profiles)).toBeCloseTo(12 * sector, 13); // rounding of sin and cos
  });
});

describe('joining', () => {
  // A plate 100 × 60 with corners rounded by 10 and four bores of radius 4: 6000 − (4 − π) 100 − 4 π 16
  const plate: Groups[] = [
    line(10, 0, 90, 0),
    line(100, 10, 100, 50),
    line(90, 60, 10, 60),
    line(0, 50, 0, 10),
    arc(90, 10, 10, 270, 0),
    arc(90, 50, 10, 0, 90),
    arc(10, 50, 10, 90, 180),
    arc(10, 10, 10, 180, 270),
    ...[[20, 20], [80, 20], [20, 40], [80, 40]].flatMap(([x, y]) => [arc(x, y, 4, 0, 180), arc(x, y, 4, 180, 360)]), // biome-ignore format: a bore each
  ];
  const exact = 6000 - (4 - Math.PI) * 100 - 4 * Math.PI * 16;
  const reversed = (groups: Groups): Groups =>
    groups[1] === 'LINE'
      ? line(...([groups[11], groups[13], groups[5], groups[7]] as [number, number, number, number]))
      : groups;

  test('a plate with four bores from loose lines and arcs, in any order and direction', () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(plate, { minLength: plate.length }),
        fc.array(fc.boolean(), { minLength: plate.length, maxLength: plate.length }),
        (entities, turned) => {
          const mixed = entities.map((groups, i) => (turned[i] ? reversed(groups) : groups));
          const { profiles, notes } = read({ entities: mixed, unit: MILLIMETRES }, { chordError: 1e-6 });
          expect(notes).toEqual([]);
          expect(profiles).toHaveLength(1);
          expect(profiles[0].profile.holes).toHaveLength(4);
          expect(signedArea(profiles[0].profile.outer)).toBeGreaterThan(0);
          for (const hole of profiles[0].profile.holes) expect(signedArea(hole)).toBeLessThan(0);
          // A chord error of 1 µm along 63 mm of fillets and 101 mm of bores.
          expect(Math.abs(area(profiles) * 1e6 - exact)).toBeLessThan(1e-3 * 101);
        },
      ),
      { seed: 7, numRuns: 40 },
    );
  });

  test('lines and arcs drawn twice, also backwards, count once', () => {
    const twice = [...plate, ...plate.slice(0, 6).map(reversed), circle(200, 0, 5), circle(200, 0, 5)];
    const { profiles, notes } = read({ entities: twice, unit: MILLIMETRES });
    expect(notes).toEqual(['layer "0": 7 curves drawn twice counted once']);
    expect(profiles).toHaveLength(2);
  });

  test('layers are joined apart', () => {
    const entities = [rectangle(0, 0, 4, 4, 'outer'), circle(2, 2, 1, 'inner'), rectangle(1, 1, 2, 2, 'outer')];
    const { profiles } = read({ entities }, { chordError: 1e-7 });
    expect(profiles.map(({ name, profile }) => [name, profile.holes.length])).toEqual([['outer', 1], ['inner', 0]]); // biome-ignore format: a profile each
    expect(profileArea(profiles[0].profile)).toBe(12);
  });
});

describe('frames', () => {
  test('normals: a mirrored arc meets the lines it was drawn for', () => {
    // Seen along −z, x runs the other way: the arc from −90° to 90° about (−3, 0) is the half circle about (3, 0) on
    // the side of smaller x.
    const mirrored = entity('ARC', 8, '0', 10, -3, 20, 0, 30, 0, 40, 1, 50, 270, 51, 90, 210, 0, 220, 0, 230, -1);
    const box = [line(3, 1, 5, 1), line(5, 1, 5, -1), line(5, -1, 3, -1)];
    const { profiles, notes } = read({ entities: [mirrored, ...box] }, { chordError: 1e-8 });
    expect(notes).toEqual([]);
    expect(area(profiles)).toBeCloseTo(4 + Math.PI / 2, 6);
    expect(Math.min(...profiles[0].profile.outer.map(([x]) => x))).toBeCloseTo(2, 12);
    // Bulges turn round with the polyline: a D open to the left, mirrored, is open to the right.
    const polyline = [...lwpolyline([[0, -1], [0, 1, 1]]), 210, 0, 220, 0, 230, -1]; // biome-ignore format: a corner each
    const { outer } = read({ entities: [polyline] }).profiles[0].profile;
    const plain = read({ entities: [lwpolyline([[0, -1], [0, 1, 1]])] }).profiles[0].profile; // biome-ignore format: a corner each
    expect(Math.min(...outer.map(([x]) => x))).toBeCloseTo(-Math.max(...plain.outer.map(([x]) => x)), 12);
  });

  // AutoCAD DXF Reference, arbitrary axis algorithm: N = (1, 0, 0) has X = Z × N = (0, 1, 0) and Y = N × X = (0, 0, 1).
  test('a circle that stands upright is skipped with a note', () => {
    const upright = [...circle(0, 0, 1), 210, 1, 220, 0, 230, 0];
    const { profiles, notes } = read({ entities: [upright, circle(9, 9, 1)] });
    expect(profiles).toHaveLength(1);
    expect(notes).toEqual(['layer "0": 1 curves not parallel to the xy plane skipped']);
  });

  test('blocks in rows and columns, turned, scaled, with a base point, nested', () => {
    const r = 0.5;
    const parts: DrawingParts = {
      entities: [
        rectangle(-100, -100, 200, 200, 'plate'),
        // Four columns and three rows of pairs, turned by 90°, bores twice as large; columns now run along y.
        entity('INSERT', 8, 'plate', 2, 'PAIR', 10, 40, 20, 10, 41, 2, 42, 2, 50, 90, 70, 4, 71, 3, 44, 10, 45, 20),
      ],
      blocks: {
        BORE: [circle(5, 5, r)],
        PAIR: [entity('INSERT', 8, '0', 2, 'bore', 10, 0, 20, 0), entity('INSERT', 8, '0', 2, 'BORE', 10, 2, 20, 0)],
      },
      bases: { BORE: [5, 5, 0] },
    };
    const { profiles } = read(parts, { chordError: 1e-6 });
    expect(profiles).toHaveLength(1);
    const { holes } = profiles[0].profile;
    expect(holes).toHaveLength(24);
    const centres = holes.map((hole) =>
      ([0, 1] as const).map((k) => hole.reduce((sum, p) => sum + p[k], 0) / hole.length),
    );
    const expected = [0, 1, 2].flatMap((row) =>
      [0, 1, 2, 3].flatMap((column) => [0, 4].map((pair) => [40 - 20 * row, 10 + 10 * column + pair])),
    );
    const key = (centre: number[]) => centre.map((c) => Math.round(1e6 * c)).join(' ');
    expect(new Set(centres.map(key))).toEqual(new Set(expected.map(key)));
    expect(area(profiles)).toBeCloseTo(40000 - 24 * Math.PI * (2 * r) ** 2, 3);
  });
});

describe('units', () => {
  test.each([
    [1, 'in', 0.0254],
    [2, 'ft', 0.3048],
    [4, 'mm', 1e-3],
    [5, 'cm', 1e-2],
    [6, 'm', 1],
    [7, 'km', 1e3],
    [13, 'um', 1e-6],
  ])('$INSUNITS %i is %s', (unit, name, metres) => {
    const document = read({ entities: [rectangle(0, 0, 2, 3)], unit });
    expect(document).toMatchObject({ unit: name, unitFrom: 'file', format: 'dxf' });
    expect(area(document.profiles) / (6 * metres ** 2)).toBeCloseTo(1, 14);
  });
});

describe('faces', () => {
  const side = 0.02;
  const corners = CUBE_CORNERS.map((corner) => corner.map((c) => c * side));

  test('a polyface cube has volume a³ and eight vertices', () => {
    const { parts } = read({ entities: [polyfaceMesh(corners, CUBE_FACES, 'cube')] });
    expect(parts).toHaveLength(1);
    expect(parts[0].name).toBe('cube');
    expect(parts[0].mesh.vertices).toHaveLength(24);
    expect(parts[0].mesh.triangles).toHaveLength(36);
    expect(volume(parts[0].mesh)).toBeCloseTo(side ** 3, 18);
  });

  test('3DFACEs weld into a cube, also where hidden edges and repeated fourth corners say triangle', () => {
    const face = (ids: readonly number[]): Groups =>
      entity('3DFACE', 8, 'cube', 62, 1, 70, 5, ...ids.flatMap((v, k) => [10 + k, 20 + k, 30 + k].flatMap((code, axis) => [code, corners[v - 1][axis]]))); // biome-ignore format: one expression
    const triangles = CUBE_FACES.slice(3).flatMap(([a, b, c, d]) => [face([a, b, c, c]), face([a, c, d])]);
    const { parts } = read({ entities: [...CUBE_FACES.slice(0, 3).map(face), ...triangles] });
    expect(parts[0].mesh.vertices).toHaveLength(24);
    expect(volume(parts[0].mesh)).toBeCloseTo(side ** 3, 18);
    expect(parts[0].colour).toEqual([1, 0, 0, 1]);
  });

  // A torus as a polygon mesh closed both ways: volume 2 π² R r² of the smooth one, reached at second order.
  test('a polygon mesh closed both ways', () => {
    const [R, r] = [3, 1];
    const torus = (m: number, n: number): Groups => [
      ...entity('POLYLINE', 8, 'ring', 66, 1, 10, 0, 20, 0, 30, 0, 70, 16 + 1 + 32, 71, m, 72, n),
      ...Array.from({ length: m * n }, (_, k) => {
        const u = (2 * Math.PI * Math.floor(k / n)) / m;
        const v = (2 * Math.PI * (k % n)) / n;
        const x = R + r * Math.cos(v);
        return entity('VERTEX', 8, 'ring', 10, x * Math.cos(u), 20, x * Math.sin(u), 30, r * Math.sin(v), 70, 64);
      }).flat(),
      ...entity('SEQEND', 8, 'ring'),
    ];
    const exact = 2 * Math.PI ** 2 * R * r ** 2;
    const [coarse, fine] = [24, 48].map((n) => {
      const { mesh } = read({ entities: [torus(n, n)] }).parts[0];
      expect(mesh.triangles).toHaveLength(6 * n * n);
      return exact - volume(mesh);
    });
    expect(coarse / fine).toBeGreaterThan(3.9);
    expect(coarse / fine).toBeLessThan(4.1);
  });
});

describe('the same drawing in other forms', () => {
  const parts: DrawingParts = {
    unit: MILLIMETRES,
    layers: [[2, 'cut', 70, 0, 62, 3]],
    blocks: { B: [circle(0, 0, 2, 'cut')] },
    entities: [rectangle(0, 0, 20, 10, 'cut'), entity('INSERT', 8, 'cut', 2, 'B', 10, 5, 20, 5), [...circle(15, 5, 2, 'cut'), 1000, 'note', 1071, 70000]],
  }; // biome-ignore format: an entity each

  test('binary files with codes of one and two bytes give the same document as text', () => {
    const groups = groupsOf(parts);
    const text = readDxf(drawing(parts), { fileName: 'a.dxf' });
    expect(text.profiles[0].profile.holes).toHaveLength(2);
    expect(readDxf(binaryOf(groups, 1), { fileName: 'a.dxf' })).toEqual(text);
    expect(readDxf(binaryOf(groups, 2), { fileName: 'a.dxf' })).toEqual(text);
  });

  test('what we write reads back with the same bits', () => {
    const { profiles } = readDxf(drawing(parts), { fileName: 'a.dxf' });
    const named = [...profiles, { name: 'Räder 車', profile: { outer: [[0.3, 1e-7], [1 / 3, 0.2], [0.1, 0.2]] as const, holes: [] } }]; // biome-ignore format: one line
    const again = readDxf(writeDxf(named), { fileName: 'b.dxf' });
    expect(again).toMatchObject({ unit: 'm', unitFrom: 'file', notes: [] });
    expect(again.profiles).toEqual(named);
    for (const unit of ['mm', 'in', 'um', 'ft', 'cm', 'km'] as const) {
      const other = readDxf(writeDxf(named, { unit }), { fileName: 'c.dxf' });
      expect(other.unit).toBe(unit);
      // Two roundings, to the file's unit and back: 1 ulp each at most.
      other.profiles[0].profile.outer.forEach(([x, y], i) => {
        const [u, v] = named[0].profile.outer[i];
        expect(Math.abs(x - u)).toBeLessThanOrEqual(4.5e-16 * Math.abs(u));
        expect(Math.abs(y - v)).toBeLessThanOrEqual(4.5e-16 * Math.abs(v));
      });
    }
  });

  // An independent writer: OpenSCAD, which draws circles of radius r as 64-gons of area 32 r² sin(2π/64), with six digits.
  test('a drawing made by OpenSCAD', () => {
    const file = new URL('../fixtures/files/dxf/openscad-plate.dxf', import.meta.url);
    const document = readDxf(readFileSync(file), { fileName: 'openscad-plate.dxf', unit: 'mm' });
    const disc = (r: number) => 32 * r ** 2 * Math.sin(Math.PI / 32);
    const slot = disc(3) + 15 * 6;
    expect(document).toMatchObject({ unit: 'mm', unitFrom: 'option', notes: [] });
    const [plate, washer] = document.profiles.map(({ profile }) => 1e6 * profileArea(profile));
    expect(plate / (60 * 40 - 2 * disc(5) - slot)).toBeCloseTo(1, 6);
    expect(washer / (disc(10) - disc(4))).toBeCloseTo(1, 5);
  });

  // Another: FreeCAD, with a B-spline below (its area to the x axis integrated with scipy.interpolate.BSpline over two
  // million points), a half ellipse cut out at the right, a rounded corner, a round and an elliptic bore; six digits.
  test('a cam made by FreeCAD', () => {
    const file = new URL('../fixtures/files/dxf/freecad-cam.dxf', import.meta.url);
    const document = readDxf(readFileSync(file), { fileName: 'freecad-cam.dxf', chordError: 1e-8 });
    const belowAxis = 34.65799998;
    const exact =
      40 * 20 + belowAxis - (Math.PI * 10 * 6) / 2 - 25 * (1 - Math.PI / 4) - Math.PI * 4 ** 2 - Math.PI * 4 * 2.5;
    expect(document).toMatchObject({ unit: 'mm', unitFrom: 'file', notes: [] });
    expect(document.profiles[0].profile.holes).toHaveLength(2);
    // Up to 1e-5 mm off along at most 150 mm of curves
    expect(Math.abs(1e6 * area(document.profiles) - exact)).toBeLessThan(1.5e-3);
  });

  // An independent reader: the dxf-parser package. Its module is the class itself, which its types do not say.
  test('dxf-parser reads what we write', () => {
    const Parser = dxfParser as unknown as typeof dxfParser.DxfParser;
    const { profiles } = readDxf(drawing(parts), { fileName: 'a.dxf' });
    const parsed = new Parser().parseSync(new TextDecoder().decode(writeDxf(profiles, { unit: 'mm' })));
    expect(parsed?.header.$INSUNITS).toBe(4);
    expect(parsed?.header.$ACADVER).toBe('AC1015');
    expect(Object.keys(parsed?.tables.layer.layers ?? {})).toEqual(['0', 'cut']);
    expect(Object.keys(parsed?.blocks ?? {})).toEqual(['*Model_Space', '*Paper_Space']);
    const polylines = (parsed?.entities ?? []) as dxfParser.ILwpolylineEntity[];
    expect(polylines).toHaveLength(3);
    const rings = [profiles[0].profile.outer, ...profiles[0].profile.holes];
    polylines.forEach(({ type, shape, layer, vertices }, i) => {
      expect({ type, shape, layer }).toEqual({ type: 'LWPOLYLINE', shape: true, layer: 'cut' });
      expect(vertices).toHaveLength(rings[i].length);
      vertices.forEach(({ x, y }, k) => {
        expect(x).toBeCloseTo(1e3 * rings[i][k][0], 12);
        expect(y).toBeCloseTo(1e3 * rings[i][k][1], 12);
      });
    });
  });
});
