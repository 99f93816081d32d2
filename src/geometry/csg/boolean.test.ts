import { describe, expect, test } from 'vitest';
import { ModelError } from '../../errors.js';
import { norm, sub } from '../../math/vec3.js';
import { circle, slot } from '../circle-outline.js';
import { extrude } from '../extrude.js';
import { meshMassProperties, solidMassProperties } from '../mass-properties.js';
import { signedArea } from '../polygon-measure.js';
import { box, cylinder, sphere, torus } from '../primitives.js';
import type { Solid } from '../solid.js';
import { openEdges, shells } from '../topology.js';
import { mirror, rotate, scale, translate } from '../transform.js';
import { type TriangleMesh, triangleCount, triangleMesh, vertexAt, vertexCount } from '../triangle-mesh.js';
import { intersect, subtract, union } from './boolean.js';
import { loadCsg, manifold } from './manifold.js';

const keyOf = (mesh: TriangleMesh, i: number) => vertexAt(mesh, i).join();
const keys = (mesh: TriangleMesh) => new Set(Array.from({ length: vertexCount(mesh) }, (_, i) => keyOf(mesh, i)));

/** m³, relative to the first vertex. */
function volume({ mesh }: Solid): number {
  let six = 0;
  const at = (i: number) => vertexAt(mesh, mesh.triangles[i]).map((x, k) => x - mesh.vertices[k]);
  for (let t = 0; t < mesh.triangles.length; t += 3) {
    const [[ax, ay, az], [bx, by, bz], [cx, cy, cz]] = [at(t), at(t + 1), at(t + 2)];
    six += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  }
  return six / 6;
}

describe('closed forms', () => {
  const a = box(2);
  const b = translate([1, 1, 1], box(2));
  test('two cubes that share an octant', () => {
    expect(volume(union(a, b))).toBe(15);
    expect(volume(subtract(a, b))).toBe(7);
    expect(volume(intersect(a, b))).toBe(1);
  });
  test('many at once', () => {
    const tools = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => translate([x, y, z], box(1)))));
    const rest = subtract(a, ...tools); // the cube without its eight corners
    expect(volume(rest)).toBe(7);
    expect(openEdges(rest.mesh)).toEqual([]);
    expect(volume(union(a, ...tools))).toBe(15);
    expect(volume(intersect(a, b, translate([0.5, 0, 0], box(2))))).toBe(1);
    expect(triangleCount(intersect(a, ...tools).mesh)).toBe(0);
  });
  test('cubes that share a face merge into one box; their corners stay', () => {
    const brick = union(a, translate([2, 0, 0], box(2)));
    expect(volume(brick)).toBe(16);
    expect(shells(brick.mesh).count).toBe(1);
    expect(vertexCount(brick.mesh)).toBe(12);
    expect(Math.max(...brick.mesh.vertices)).toBe(3);
  });
  test('cubes that share an edge or a corner stay closed', () => {
    for (const shift of [
      [2, 2, 0],
      [2, 2, 2],
    ] as const) {
      const both = union(a, translate(shift, box(2)));
      expect(volume(both)).toBe(16);
      expect(openEdges(both.mesh)).toEqual([]);
    }
  });
  test('a hole inside is a second shell, turned inwards', () => {
    const hollow = subtract(box(2), box(1));
    expect(volume(hollow)).toBe(7);
    expect(shells(hollow.mesh).count).toBe(2);
  });
});

describe('empty results', () => {
  test('apart', () => {
    const nothing = intersect(box(1), translate([3, 0, 0], box(1)));
    expect(nothing.mesh.vertices).toHaveLength(0);
    expect(nothing.mesh.triangles).toHaveLength(0);
    expect(nothing.form).toEqual({ kind: 'mesh' });
  });
  test('cut away altogether, and used further', () => {
    const nothing = subtract(box(1), box(2));
    expect(triangleCount(nothing.mesh)).toBe(0);
    expect(volume(union(nothing, box(1)))).toBe(1);
    expect(volume(subtract(box(1), nothing))).toBe(1);
    expect(triangleCount(intersect(nothing, box(1)).mesh)).toBe(0);
    expect(triangleCount(union(nothing, nothing).mesh)).toBe(0);
  });
});

describe('double precision', () => {
  const turn = { axis: [1, 2, 3], angle: 0.7 } as const;
  const a = rotate(turn, sphere(1 / 3));
  const b = translate([0.1, 0.2, 0.3], rotate(turn, torus({ majorRadius: 0.3, minorRadius: 0.1 })));

  test('vertices of operands keep their bits', () => {
    const known = new Set([...keys(a.mesh), ...keys(b.mesh)]);
    for (const result of [union(a, b), subtract(a, b), intersect(a, b)]) {
      const kept = [...keys(result.mesh)].filter((key) => known.has(key)).length;
      const inSingle = Array.from(result.mesh.vertices).filter((x) => Math.fround(x) === x).length;
      // new vertices lie where edges of one pierce triangles of the other, a small part of all
      expect(kept).toBeGreaterThan(0.5 * vertexCount(result.mesh));
      expect(inSingle).toBeLessThan(0.01 * result.mesh.vertices.length + 10);
    }
    // where nothing is cut, nothing but bits can change
    const apart = union(a, translate([5, 0, 0], b));
    expect(vertexCount(apart.mesh)).toBe(vertexCount(a.mesh) + vertexCount(b.mesh));
    const all = new Set([...keys(a.mesh), ...keys(translate([5, 0, 0], b).mesh)]);
    expect([...keys(apart.mesh)].every((key) => all.has(key))).toBe(true);
  });

  test('new vertices lie where the surfaces cross to the last digits', () => {
    // a unit square column, turned by 0.3 rad, through a plate: its corners are (±½, ±½) turned, at the plate's faces
    const column = rotate(0.3, box([1, 1, 5]));
    const hole = subtract(
      rotate({ axis: [0, 0, 1], angle: -1.1 }, box([7, 5, 1 / 3])),
      rotate({ axis: [1, 0, 0], angle: Math.PI }, column),
    );
    for (const [x, y] of [
      [0.5, 0.5],
      [-0.5, 0.5],
      [-0.5, -0.5],
      [0.5, -0.5],
    ])
      for (const z of [-1 / 6, 1 / 6]) {
        const at = [Math.cos(0.3) * x + Math.sin(0.3) * y, Math.cos(0.3) * y - Math.sin(0.3) * x, z];
        let nearest = Infinity;
        for (let i = 0; i < vertexCount(hole.mesh); i++)
          nearest = Math.min(nearest, Math.hypot(...vertexAt(hole.mesh, i).map((p, k) => p - at[k])));
        // rounding of coordinates up to 3.5, twice or so
        expect(nearest).toBeLessThan(2e-15);
      }
  });

  test('1 mm a kilometre from the origin', () => {
    const far = [1000, -2000, 3000] as const;
    const place = (solid: Solid) => translate(far, solid);
    const ball = place(sphere(0.5e-3));
    const pin = place(cylinder({ radius: 0.1e-3, height: 2e-3 }));
    // the exact volumes of the shapes as rounded at that distance, so that only the operation is judged
    const sum = volume(ball) + volume(pin);
    const drilled = subtract(ball, pin);
    expect(openEdges(drilled.mesh)).toEqual([]);
    // coordinates there are multiples of 4.5e-13 m: rounded new vertices change the volume by 1e-9 of itself
    expect(Math.abs((volume(union(ball, pin)) + volume(intersect(ball, pin))) / sum - 1)).toBeLessThan(1e-9);
    expect(Math.abs(volume(drilled) / (volume(ball) - volume(intersect(ball, pin))) - 1)).toBeLessThan(1e-9);
    const known = new Set([...keys(ball.mesh), ...keys(pin.mesh)]);
    expect([...keys(union(ball, pin).mesh)].filter((key) => known.has(key)).length).toBeGreaterThan(600);
  });

  test('a tenth of a nanometre stands out, three kilometres away', () => {
    const far = [3000, 0, 0] as const;
    const cube = translate(far, box(1e-3));
    const plate = translate([far[0] + 0.5e-3, 0, 0], box([2e-10, 0.2e-3, 0.2e-3]));
    const bumpy = union(cube, plate);
    const [top, bump] = [cube, plate].map(({ mesh }) => Math.max(...mesh.vertices));
    expect(bump - top).toBeGreaterThan(0.9e-10); // coordinates there are multiples of 4.5e-13 m
    expect(Math.max(...bumpy.mesh.vertices)).toBe(bump);
    expect(vertexCount(bumpy.mesh)).toBe(16);
    expect(volume(bumpy) / volume(cube) - 1).toBeCloseTo(0.04 * (bump - top) * 1e3, 12);
  });

  test.each([1e-9, 1e-3, 1e6, 1e12])('size %d m', (size) => {
    const small = [a, b].map((solid) => scale(size, solid));
    const relative =
      (volume(union(...small)) + volume(intersect(...small))) / (volume(small[0]) + volume(small[1])) - 1;
    expect(Math.abs(relative)).toBeLessThan(1e-13);
  });

  test('details a billionth of the size survive', () => {
    const detail = translate([0.5, 0, 0], box([1e-9, 0.2, 0.2])); // stands out by 5e-10
    const bumpy = union(box(1), detail);
    expect(volume(bumpy) - 1).toBeCloseTo(0.5e-9 * 0.04, 15);
    expect(openEdges(bumpy.mesh)).toEqual([]);
  });

  test('coordinates that are one in single precision', () => {
    // all eight corners of the inner cube coincide in single precision
    const cube = translate([0.7, 0.7, 0.7], box(1e-9));
    const rest = subtract(box(2), cube);
    expect(shells(rest.mesh).count).toBe(2);
    expect(vertexCount(rest.mesh)).toBe(16);
    expect([...keys(rest.mesh)].sort()).toEqual([...keys(box(2).mesh), ...keys(cube.mesh)].sort());
  });

  test('the same bits again', () => {
    expect(subtract(a, b)).toEqual(subtract(a, b));
    manifold().heapSize();
    expect(union(a, b, box(0.4)).mesh.vertices).toEqual(union(a, b, box(0.4)).mesh.vertices);
  });
});

describe('prisms stay prisms', () => {
  const plate = cylinder({ radius: 1, height: 0.2, segments: 90 });
  test('a cut', () => {
    const washer = subtract(
      plate,
      rotate(1, cylinder({ radius: 0.5, height: 0.4, segments: 30 })),
      translate([1, 0, 0], rotate(0.4, box(0.5))),
    );
    expect(washer.form.kind).toBe('extrusion');
    if (washer.form.kind !== 'extrusion') return;
    const { profile, height } = washer.form;
    expect(height).toBe(0.2);
    expect(washer.pose.position).toEqual([0, 0, -0.1]);
    expect(profile.holes).toHaveLength(1);
    expect(signedArea(profile.holes[0])).toBeCloseTo(-0.25 * Math.PI, 14);
    const exact = height * (signedArea(profile.outer) + signedArea(profile.holes[0]));
    expect(solidMassProperties(washer).volume).toBeCloseTo(exact, 14);
    // chords of 90 and 30 pieces
    expect(volume(washer) / exact).toBeCloseTo(1, 2);
    expect(openEdges(washer.mesh)).toEqual([]);
    // bottom and top are the same to the last bit
    const xy = (z: number) =>
      Array.from({ length: vertexCount(washer.mesh) }, (_, i) => vertexAt(washer.mesh, i))
        .filter((p) => p[2] === z)
        .map((p) => `${p[0]},${p[1]}`)
        .sort();
    expect(xy(0.1)).toEqual(xy(-0.1));
    expect(xy(0.1).length * 2).toBe(vertexCount(washer.mesh));
  });
  // Lens of two circles: 2R² (α − sin α cos α), cos α = d/2R
  test('arcs stay arcs', () => {
    const disc = cylinder({ radius: 0.01, height: 0.002 });
    const aside = translate([0.015, 0, 0], disc);
    const alpha = Math.acos(0.75);
    const lens = 2e-4 * (alpha - Math.sin(alpha) * Math.cos(alpha));
    const area = (solid: Solid) => solidMassProperties(solid).volume / 0.002;
    expect(area(intersect(disc, aside)) / lens).toBeCloseTo(1, 12);
    expect(area(union(disc, aside)) / (2e-4 * Math.PI - lens)).toBeCloseTo(1, 12);
    expect(area(subtract(disc, aside)) / (1e-4 * Math.PI - lens)).toBeCloseTo(1, 12);
    // a slot with a round end that its sides are tangent to, open at the rim
    const rim = Math.asin(0.15);
    const open = extrude(slot([0, 0], [0.03, 0], 0.003), 0.004);
    const cut = subtract(extrude(circle(0.01), 0.002), translate([0, 0, -0.001], open));
    const slotArea =
      0.003 * 0.01 * Math.cos(rim) + 1e-4 * (rim - Math.sin(rim) * Math.cos(rim)) + 0.5 * Math.PI * 0.0015 ** 2;
    expect(area(cut) / (1e-4 * Math.PI - slotArea)).toBeCloseTo(1, 12);
    // a hexagon is one
    const nut = subtract(disc, cylinder({ radius: 0.005, height: 0.01, segments: 6 }));
    expect(area(nut) / (1e-4 * Math.PI - 6 * 0.25 * Math.sqrt(3) * 2.5e-5)).toBeCloseTo(1, 12);
  });
  test('prisms of several heights', () => {
    const plate = cylinder({ radius: 0.01, height: 0.002 });
    const pin = translate([0.006, 0, 0.003], cylinder({ radius: 0.002, height: 0.006 }));
    const drive = rotate(
      { axis: [1, 0, 0], angle: 1 },
      translate([1, 2, 3], subtract(union(plate, pin), cylinder({ radius: 0.003, height: 0.1 }))),
    );
    expect(drive.form.kind).toBe('mesh');
    expect(drive.prisms?.map(({ bottom, top }) => [bottom, top].map((z) => Math.round(1e6 * z)))).toEqual([
      [-1000, 1000],
      [1000, 6000],
    ]);
    const exact = Math.PI * (1e-4 - 9e-6) * 0.002 + Math.PI * 4e-6 * 0.005;
    const { volume: found, centroid } = solidMassProperties(drive);
    expect(found / exact).toBeCloseTo(1, 12);
    expect(norm(sub(centroid, meshMassProperties(drive.mesh).centroid))).toBeLessThan(1e-5);
    expect(scale(2, drive).prisms).toBeUndefined();
    // what is below is not what is above
    expect(union(plate, translate([0, 0, 0.002], plate)).prisms).toHaveLength(1);
    expect(subtract(plate, cylinder({ radius: 0.02, height: 0.001 })).prisms).toHaveLength(2);
  });
  test('agrees with the general way', () => {
    const tool = translate([0.8, 0.1, 0], rotate(0.3, box([1, 0.3, 0.5])));
    for (const operate of [subtract, intersect]) {
      const exact = operate(plate, tool);
      const general = operate(plate.mesh, tool.mesh);
      expect(exact.form.kind).toBe('extrusion');
      expect(general.form.kind).toBe('mesh');
      expect(volume(exact)).toBeCloseTo(volume(general), 14);
    }
    const equal = translate([0.8, 0.1, 0], rotate(0.3, box([1, 0.3, 0.2])));
    expect(union(plate, equal).form.kind).toBe('extrusion');
    expect(volume(union(plate, equal))).toBeCloseTo(volume(union(plate.mesh, equal.mesh)), 14);
  });
  test('not where it is none', () => {
    const kind = ({ form }: Solid) => form.kind;
    expect(kind(subtract(plate, translate([0, 0, 0.1], box(0.2))))).toBe('mesh'); // a pocket
    expect(kind(union(plate, box([0.1, 0.1, 3])))).toBe('mesh'); // different heights
    expect(
      kind(subtract(plate, rotate({ axis: [1, 0, 0], angle: Math.PI / 2 }, cylinder({ radius: 0.05, height: 3 })))),
    ).toBe('mesh');
    expect(kind(union(plate, translate([3, 0, 0], plate)))).toBe('mesh'); // two parts
    expect(kind(subtract(plate, sphere(0.5)))).toBe('mesh');
    // quarter turns of a box and of an extrusion
    expect(kind(intersect(plate, rotate({ axis: [1, 0, 0], angle: Math.PI / 2 }, box(1))))).toBe('mesh');
  });
});

describe('operands', () => {
  test('one alone is returned as it is', () => {
    const solid = sphere(1);
    expect(union(solid)).toBe(solid);
    expect(subtract(solid)).toBe(solid);
    expect(intersect(solid.mesh)).toEqual({ mesh: solid.mesh, form: { kind: 'mesh' }, pose: box(1).pose });
  });
  test('the colour of the first stays', () => {
    expect(subtract({ ...box(1), colour: [1, 0, 0, 1] }, sphere(0.6)).colour).toEqual([1, 0, 0, 1]);
  });
  test('triangles with a repeated corner, unused vertices and a back-to-back pair do no harm', () => {
    const { vertices, triangles } = box(1).mesh;
    const dirty = triangleMesh(
      [...vertices, 7, 7, 7, 8, 8, 8, 9, 9, 0],
      [...triangles, 0, 0, 1, 2, 2, 2, 8, 9, 10, 8, 10, 9],
    );
    expect(volume(subtract(dirty, sphere(0.2)))).toBeCloseTo(1 - volume(sphere(0.2)), 14);
  });

  const open = { vertices: box(1).mesh.vertices, triangles: box(1).mesh.triangles.slice(3) };
  const refusal = (work: () => unknown): string => {
    try {
      work();
    } catch (error) {
      expect(error).toBeInstanceOf(ModelError);
      return (error as Error).message;
    }
    return 'nothing refused';
  };
  test('open', () => {
    expect(refusal(() => subtract(box(1), sphere(1), open))).toMatch(
      /^subtract, operand 3 of 3: the surface is not closed: 3 open edges, \(-?0\.5, -?0\.5, -?0\.5\) – \(.*; weld or repair/,
    );
    expect(refusal(() => union(open))).toMatch(/^union, operand 1 of 1: .*3 open edges/);
  });
  test('inside out', () => {
    const { vertices, triangles } = mirror('x', box(1)).mesh;
    const inverted = { vertices, triangles: triangles.map((_, i) => triangles[i - (i % 3) + 2 - (i % 3)]) };
    expect(refusal(() => intersect(inverted, box(1)))).toMatch(
      /operand 1 of 2: the surface is inside out \(volume -1 m³\)/,
    );
  });
  test('not finite, out of range, nothing', () => {
    const bad = {
      vertices: Float64Array.of(0, 0, 0, 1, 0, 0, 0, Number.NaN, 0),
      triangles: Uint32Array.of(0, 1, 2, 0, 2, 1),
    };
    expect(refusal(() => union(box(1), bad))).toBe(
      'union, operand 2 of 2: vertex 2: expected coordinates below 1e+150 m, got 0, NaN, 0',
    );
    const stray = { vertices: new Float64Array(9), triangles: Uint32Array.of(0, 1, 3) };
    expect(refusal(() => union(box(1), stray))).toContain('triangle 0: expected vertex indices below 3, got 3');
    expect(refusal(() => union())).toBe('union: expected at least one solid, got none');
    expect(refusal(() => union(box(1), undefined as unknown as Solid))).toContain('operand 2 of 2: expected a solid');
  });
});

describe('memory', () => {
  test('10 000 operations, refused ones among them, do not grow it', () => {
    // tetrahedra, the quickest solids there are
    const corners = [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ] as const;
    const a = triangleMesh(corners, [
      [0, 2, 1],
      [0, 1, 3],
      [1, 2, 3],
      [0, 3, 2],
    ]);
    const b = translate([0.1, 0.1, 0.1], a);
    const open = { vertices: a.vertices, triangles: a.triangles.slice(3) };
    const once = () => {
      subtract(a, b);
      union(a, b);
      intersect(a, b);
      expect(() => union(a, open)).toThrow();
    };
    for (let i = 0; i < 50; i++) once();
    const before = manifold().heapSize();
    for (let i = 0; i < 2500; i++) once();
    // a leaked solid would be some kilobytes, 10 000 of them more than the 16 MB there from the start
    expect(manifold().heapSize()).toBe(before);
  });
  test('loading beforehand is allowed, once or twice', async () => {
    await loadCsg();
    const module = manifold();
    await loadCsg();
    expect(manifold()).toBe(module);
  });
});
