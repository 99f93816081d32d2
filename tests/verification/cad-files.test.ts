// Files that FreeCAD and OpenSCAD wrote (tests/fixtures/files), against the closed forms of the parts in them:
// a block of 40 × 30 × 10 mm with a bore of radius 8 mm through its middle,
//   V = 40 · 30 · 10 − π · 8² · 10 = 9989.3807 mm³,
// and where there are two parts, a pin of radius 3 mm and length 20 mm standing on z = 0 at x = 30 mm.
// meshMassProperties refuses a mesh that is open or inside out, so each volume also says that the part is a solid.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readGltf } from '../../src/geometry/files/gltf-read.js';
import { writeGlb } from '../../src/geometry/files/gltf-write.js';
import { readStep } from '../../src/geometry/files/step-read.js';
import { readThreeMf } from '../../src/geometry/files/threemf-read.js';
import { writeThreeMf } from '../../src/geometry/files/threemf-write.js';
import { readVrml } from '../../src/geometry/files/vrml-read.js';
import { meshMassProperties } from '../../src/geometry/mass-properties.js';
import { meshBounds, type TriangleMesh } from '../../src/geometry/triangle-mesh.js';

const file = (name: string) => new Uint8Array(readFileSync(new URL(`../fixtures/files/${name}`, import.meta.url)));
const BLOCK = (40 * 30 * 10 - Math.PI * 8 ** 2 * 10) * 1e-9; // m³
const PIN = Math.PI * 3 ** 2 * 20 * 1e-9;

const volume = (mesh: TriangleMesh) => meshMassProperties(mesh).volume;
/** Extent along x, y, z. */
const size = (mesh: TriangleMesh) => {
  const { min, max } = meshBounds(mesh);
  return max.map((x, k) => x - min[k]);
};
const expectNear = (actual: readonly number[], expected: readonly number[], tolerance: number) => {
  for (const [k, x] of actual.entries()) expect(Math.abs(x - expected[k])).toBeLessThan(tolerance);
};

describe('STEP', () => {
  test.each(['mm', 'm', 'in'] as const)('a block with a bore, in %s, has its exact volume to 1/1000', async (unit) => {
    const document = await readStep(file(`step/bored-block-${unit}.step`), { fileName: 'block.step' });
    expect(document).toMatchObject({ format: 'step', unit, unitFrom: 'file', notes: [], profiles: [] });
    expect(document.parts).toHaveLength(1);
    const [{ name, mesh, colour }] = document.parts;
    expect(name).toBe('bored block');
    expect(colour).toEqual([0.5, 0.25, 1, 1]);
    // The bore's polygon has its chords within 1/1000 of the radius, so it is at most 0.13 % short of the circle,
    // and the bore is a sixth of the block.
    expect(Math.abs(volume(mesh) / BLOCK - 1)).toBeLessThan(1e-3);
    expect(volume(mesh)).toBeGreaterThan(BLOCK); // chords cut into the bore, not into the block
    expectNear(size(mesh), [0.04, 0.03, 0.01], 1e-12); // inches are written with 13 digits
  });

  test('the chord error is what was asked for, and the volume converges with it at first order', async () => {
    const deviations: number[] = [];
    for (const chordError of [4e-5, 1e-5]) {
      const { parts } = await readStep(file('step/bored-block-mm.step'), { fileName: 'block.step', chordError });
      deviations.push(volume(parts[0].mesh) - BLOCK);
      // Middles of edges around the bore: both ends at radius 8 mm, at the same height.
      const { vertices: p, triangles } = parts[0].mesh;
      let deepest = 0;
      for (let h = 0; h < triangles.length; h++) {
        const a = 3 * triangles[h];
        const b = 3 * triangles[h % 3 === 2 ? h - 2 : h + 1];
        const onBore = [a, b].every((v) => Math.abs(Math.sqrt(p[v] ** 2 + p[v + 1] ** 2) - 8e-3) < 1e-9);
        if (!onBore) continue;
        const middle = Math.sqrt(((p[a] + p[b]) / 2) ** 2 + ((p[a + 1] + p[b + 1]) / 2) ** 2);
        deepest = Math.max(deepest, 8e-3 - middle);
      }
      expect(deepest).toBeGreaterThan(0);
      expect(deepest).toBeLessThanOrEqual(chordError);
    }
    expect(deviations[1] / deviations[0]).toBeLessThan(0.5); // a quarter, but segments come in whole numbers
  });

  test('an assembly keeps its structure, and one part used twice is two parts', async () => {
    const { parts, notes } = await readStep(file('step/pin-plate.step'), { fileName: 'pin-plate.step' });
    expect(notes).toEqual([]);
    expect(parts.map((part) => part.name)).toEqual(['pin plate/plate', 'pin plate/pin', 'pin plate/pin']);
    expect(parts.map((part) => part.colour)).toEqual([
      [0, 0, 1, 1],
      [1, 0, 0, 1],
      [1, 0, 0, 1],
    ]);
    const [plate, ...pins] = parts.map((part) => meshMassProperties(part.mesh));
    expect(plate.volume).toBeCloseTo(0.06 * 0.02 * 0.005, 18);
    for (const [i, pin] of pins.entries()) {
      expect(Math.abs(pin.volume / PIN - 1)).toBeLessThan(1.3e-3);
      expectNear(pin.centroid, [i === 0 ? -0.02 : 0.02, 0, 0.015], 1e-7);
    }
  });

  test('sphere, torus and cone faces close, and hold their volume to the chord error', async () => {
    const chordError = 5e-5;
    const { parts } = await readStep(file('step/ball-stud.step'), { fileName: 'ball-stud.step', chordError });
    const solid = meshMassProperties(parts[0].mesh);
    // 4878.522448 mm³ is FreeCAD's integral over the exact surfaces.
    expect(Math.abs(solid.volume - 4878.522448395453e-9)).toBeLessThan(solid.area * chordError);
  });

  test('the user may know the unit better than the file', async () => {
    const document = await readStep(file('step/bored-block-mm.step'), { fileName: 'block.step', unit: 'cm' });
    expect(document).toMatchObject({ unit: 'cm', unitFrom: 'option' });
    expectNear(size(document.parts[0].mesh), [0.4, 0.3, 0.1], 1e-12);
  });
});

test.each(['mm', 'm', 'in'] as const)('IGES: the same block in %s', async (unit) => {
  const document = await readStep(file(`iges/bored-block-${unit}.igs`), { fileName: 'block.igs' });
  expect(document).toMatchObject({ format: 'iges', unit, unitFrom: 'file', notes: [] });
  const [{ name, mesh, colour }] = document.parts;
  expect({ name, colour }).toEqual({ name: 'bored block', colour: [0.5, 0.25, 1, 1] });
  expect(Math.abs(volume(mesh) / BLOCK - 1)).toBeLessThan(1e-3);
  expectNear(size(mesh), [0.04, 0.03, 0.01], 1e-10); // IGES in inches is written with 7 to 9 digits
});

describe('glTF', () => {
  test.each(['glb', 'gltf'] as const)(
    '.%s of two parts: upright, in metres, closed after joining vertices',
    async (format) => {
      const companion = (name: string) => (name === 'bored-block.bin' ? file('gltf/bored-block.bin') : undefined);
      const document = await readGltf(file(`gltf/bored-block.${format}`), { fileName: `b.${format}`, companion });
      expect(document).toMatchObject({ format, unit: 'm', unitFrom: 'file', notes: [] });
      const [block, pin] = document.parts;
      expect([block.name, pin.name]).toEqual(['b/bored block', 'b/pin']);
      expect([block.colour, pin.colour]).toEqual([
        [0.5, 0.25, 1, 1],
        [1, 0, 0, 1],
      ]);
      // FreeCAD drew the bore with 39 sides: the polygon's area is sin(2π/39)/(2π/39) of the circle's.
      const polygon = Math.sin((2 * Math.PI) / 39) / ((2 * Math.PI) / 39);
      const expected = 40 * 30 * 10e-9 - polygon * Math.PI * 64 * 10e-9;
      expect(volume(block.mesh) / expected).toBeCloseTo(1, 6); // 32-bit floats have 7 digits
      expectNear(size(block.mesh), [0.04, 0.03, 0.01], 1e-8);
      expectNear(meshMassProperties(pin.mesh).centroid, [0.03, 0, 0.01], 1e-5); // stands on z = 0
    },
  );
});

describe('3MF', () => {
  test.each([
    ['freecad', 39, 'object 1'],
    ['openscad', 32, 'OpenSCAD Model'],
  ])('of %s', (program, sides, name) => {
    const document = readThreeMf(file(`3mf/bored-block-${program}.3mf`), { fileName: 'block.3mf' });
    expect(document).toMatchObject({ format: '3mf', unit: 'mm', unitFrom: 'file', notes: [] });
    const [part] = document.parts;
    expect(part.name).toBe(name);
    const area = (sides / 2) * Math.sin((2 * Math.PI) / sides) * 64e-6; // of the polygon with its corners on the circle
    expect(volume(part.mesh) / (40 * 30 * 10e-9 - area * 10e-3)).toBeCloseTo(1, 6); // written with 6 digits
  });
});

describe('VRML', () => {
  test.each(['wrl', 'wrz'])('a .%s of FreeCAD', (extension) => {
    const { parts } = readVrml(file(`vrml/bored-block.${extension}`), { fileName: 'block.wrl', unit: 'mm' });
    expect(parts[0].colour).toEqual([0.8, 0.8, 0.8, 1]);
    const area = (39 / 2) * Math.sin((2 * Math.PI) / 39) * 64e-6;
    expect(volume(parts[0].mesh) / (40 * 30 * 10e-9 - area * 10e-3)).toBeCloseTo(1, 3); // written to 1 µm
  });

  test('a whole scene of FreeCAD, with DEF and USE, lines and points beside the faces', () => {
    const { parts, notes } = readVrml(file('vrml/scene.wrl'), { fileName: 'scene.wrl', unit: 'mm' });
    expect(parts.length).toBeGreaterThan(0);
    expect(notes.some((note) => note.includes('PointSet was skipped'))).toBe(true);
    const { min, max } = meshBounds(parts[0].mesh);
    expectNear(min, [-0.02, -0.015, -0.005], 1e-6);
    expectNear(max, [0.02, 0.015, 0.005], 1e-6);
  });
});

test('a part goes from STEP through 3MF with the same bits, and through GLB in 32-bit floats', async () => {
  const { parts } = await readStep(file('step/pin-plate.step'), { fileName: 'pin-plate.step' });
  const packed = readThreeMf(writeThreeMf(parts), { fileName: 'a.3mf' });
  expect(packed.parts).toEqual(parts);
  const binary = await readGltf(await writeGlb(parts), { fileName: 'a.glb' });
  expect(binary.parts.map(({ name, colour }) => ({ name, colour }))).toEqual(
    parts.map(({ name, colour }) => ({ name, colour })),
  );
  for (const [i, { mesh }] of binary.parts.entries()) {
    expect(mesh.vertices).toEqual(parts[i].mesh.vertices.map((x) => Math.fround(x) + 0));
    expect(mesh.triangles).toEqual(parts[i].mesh.triangles);
  }
});
