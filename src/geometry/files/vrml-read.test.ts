import { gzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { FileError } from '../../errors.js';
import { meshMassProperties } from '../mass-properties.js';
import type { ReadOptions } from './cad-document.js';
import { readVrml } from './vrml-read.js';

const bytes = (text: string) => new TextEncoder().encode(`#VRML V2.0 utf8\n${text}`);
const read = (text: string, options: Partial<ReadOptions> = {}) =>
  readVrml(bytes(text), { fileName: 'part.wrl', ...options });
const refusal = (text: string): string => {
  try {
    read(text);
  } catch (error) {
    if (error instanceof FileError) return error.message;
    throw error;
  }
  return 'nothing was refused';
};

const TETRAHEDRON = `IndexedFaceSet { coord Coordinate { point [ 0 0 0, 1 0 0, 0 1 0, 0 0 1 ] }
  coordIndex [ 0 2 1 -1, 0 1 3 -1, 1 2 3 -1, 0 3 2 -1 ] }`;
const shape = (geometry: string, appearance = '') => `Shape { ${appearance} geometry ${geometry} }`;

describe('VRML shapes', () => {
  test('keep their coordinates, in metres unless the user says otherwise', () => {
    const document = read(shape(TETRAHEDRON));
    expect(document).toMatchObject({ format: 'vrml', unit: 'm', unitFrom: 'assumed' });
    expect(document.notes[0]).toMatch(/taken to be in metres/);
    expect(meshMassProperties(document.parts[0].mesh).volume).toBeCloseTo(1 / 6, 15);
    const millimetres = read(shape(TETRAHEDRON), { unit: 'mm' });
    expect(millimetres).toMatchObject({ unit: 'mm', unitFrom: 'option', notes: [] });
    expect(meshMassProperties(millimetres.parts[0].mesh).volume / (1e-9 / 6)).toBeCloseTo(1, 12);
  });

  test('may run clockwise, and may be concave with corners on straight sides', () => {
    // The tetrahedron with all faces turned round and ccw FALSE is the same solid.
    const clockwise = `IndexedFaceSet { ccw FALSE coord Coordinate { point [ 0 0 0, 1 0 0, 0 1 0, 0 0 1 ] }
      coordIndex [ 0 1 2 -1, 0 3 1 -1, 1 3 2 -1, 0 2 3 ] }`;
    expect(meshMassProperties(read(shape(clockwise)).parts[0].mesh).volume).toBeCloseTo(1 / 6, 15);
    // An L of area 3 extruded by 1; corner 6 (and 13) lies in the middle of a straight side.
    const outline = [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2], [0, 1]]; // biome-ignore format: an outline
    const points = [0, 1].flatMap((z) => outline.map(([x, y]) => `${x} ${y} ${z}`)).join(', ');
    const sides = outline.map((_, i) => `${i} ${(i + 1) % 7} ${((i + 1) % 7) + 7} ${i + 7} -1`).join(' ');
    const prism = `IndexedFaceSet { convex FALSE coord Coordinate { point [ ${points} ] }
      coordIndex [ 6 5 4 3 2 1 0 -1 7 8 9 10 11 12 13 -1 ${sides} ] }`;
    expect(meshMassProperties(read(shape(prism)).parts[0].mesh).volume).toBeCloseTo(3, 12);
  });

  test('may be boxes, spheres, cylinders and cones, along y', () => {
    const volume = (geometry: string, options: Partial<ReadOptions> = {}) =>
      meshMassProperties(read(shape(geometry), options).parts[0].mesh).volume;
    expect(volume('Box { size 1 2 3 }')).toBeCloseTo(6, 12);
    expect(volume('Box { }')).toBeCloseTo(8, 12);
    // Chord error r/1000: a circle's polygon lacks 1 − sin θ/θ with θ = 2 acos(0.999), 0.13 %; a sphere up to 0.3 %.
    expect(volume('Cylinder { radius 2 height 3 }') / (12 * Math.PI)).toBeGreaterThan(0.9986);
    expect(volume('Cone { bottomRadius 2 height 3 }') / (4 * Math.PI)).toBeGreaterThan(0.9986);
    expect(volume('Sphere { radius 2 }') / ((32 / 3) * Math.PI)).toBeGreaterThan(0.997);
    const fine = volume('Cylinder { radius 2 height 3 }', { chordError: 2e-5 }) / (12 * Math.PI);
    expect(fine).toBeGreaterThan(1 - 1.4e-5);
    expect(fine).toBeLessThan(1);
    // The cone's tip points up y: its centroid is a quarter of the height above the base.
    const [, y] = meshMassProperties(read(shape('Cone { height 4 }')).parts[0].mesh).centroid;
    expect(y).toBeCloseTo(-1, 12);
  });

  test('are placed, named, painted and used again', () => {
    const { parts } = read(`
      DEF cart Transform { translation 10 0 0 children [
        DEF wheel Shape { appearance Appearance { material DEF red Material { diffuseColor 1 0 0 transparency 0.25 } }
                          geometry DEF corner ${TETRAHEDRON} }
        DEF mirrored Transform { scale -1 1 1 center 1 0 0 children USE wheel }
        Transform { rotation 0 0 2 1.5707963267948966 children [ Shape { geometry USE corner appearance Appearance { material USE red } } ] }
      ] }`);
    expect(parts.map((part) => part.name)).toEqual(['cart/wheel/corner', 'cart/mirrored/wheel/corner', 'cart/corner']);
    expect(parts.map((part) => part.colour)).toEqual(Array(3).fill([1, 0, 0, 0.75]));
    const solids = parts.map((part) => meshMassProperties(part.mesh));
    for (const { volume } of solids) expect(volume).toBeCloseTo(1 / 6, 12);
    // Mirrored about x = 1 within the cart: ¼ → 1¾. Turned a quarter about z: (¼, ¼) → (−¼, ¼).
    const expected = [[10.25, 0.25, 0.25], [11.75, 0.25, 0.25], [9.75, 0.25, 0.25]]; // biome-ignore format: a table
    for (const [i, { centroid }] of solids.entries())
      for (const [k, x] of centroid.entries()) expect(x).toBeCloseTo(expected[i][k], 12);
  });

  test('follow Transform in the order of the standard', () => {
    // §6.52: P′ = T C R SR S −SR −C P. A stretch by 2 along the axis 45° between x and y.
    const { parts } = read(
      `Transform { scale 2 1 1 scaleOrientation 0 0 1 0.7853981633974483 children ${shape(TETRAHEDRON)} }`,
    );
    const [x, y] = parts[0].mesh.vertices.subarray(3, 6);
    // (1, 0) is ½(1, 1) + ½(1, −1); the first part doubles
    expect(x).toBeCloseTo(1.5, 12);
    expect(y).toBeCloseTo(0.5, 12);
    // Stretched along x, then turned from x to y, then moved: (1, 0, 0) → (2, 0, 0) → (0, 2, 0) → (0, 2, 5)
    const turned = read(
      `Transform { translation 0 0 5 rotation 0 0 1 1.5707963267948966 scale 2 1 1 children ${shape(TETRAHEDRON)} }`,
    ).parts[0].mesh.vertices;
    for (const [k, x] of [0, 2, 5].entries()) expect(turned[3 + k]).toBeCloseTo(x, 12);
  });

  test('may come gzipped', () => {
    expect(readVrml(gzipSync(bytes(shape(TETRAHEDRON))), { fileName: 'part.wrz' }).parts).toHaveLength(1);
    const bomb = gzipSync(new Uint8Array(11_000_000).fill(0x20), { level: 4 });
    expect(() => readVrml(bomb, { fileName: 'bomb.wrz' })).toThrow(/over 200 times/);
    expect(() => readVrml(gzipSync(bytes(shape(TETRAHEDRON))).subarray(0, 60), { fileName: 'cut.wrz' })).toThrow(
      FileError,
    );
  });

  test('say what is skipped, and read the rest', () => {
    const { parts, notes } = read(
      `WorldInfo { title "a { tricky # title \\" here" }
       PROTO Bolt [ field SFFloat size 1 ] { Shape { geometry Sphere { } } }
       EXTERNPROTO Nut [ field SFFloat size ] [ "nut.wrl" ]
       Bolt { size 3 }
       DEF clock TimeSensor { cycleInterval 2 }
       Script { field SFNode it USE clock eventIn SFTime tick url "javascript: function tick() { }" }
       ROUTE clock.fraction_changed TO it.set_fraction # a comment { [
       Switch { whichChoice 1 choice [ ${shape('Box { }')} ${shape('Cone { }')} ${shape('Sphere { }')} ] }
       ${shape('ElevationGrid { xDimension 2 height [ 0 1 2 3 ] }')} ${shape('Extrusion { spine [ 0 0 0, 0 1 0 ] }')}
       LOD { range [ 5 ] level [ Shape { geometry DEF fine Box { } } Shape { geometry DEF coarse Box { } } ] }
       Group { children USE nobody }`,
      { unit: 'mm' },
    );
    expect(parts.map((part) => part.name)).toEqual(['shape 1', 'fine']);
    expect(notes).toEqual([
      'PROTO Bolt was skipped',
      'EXTERNPROTO Nut was skipped',
      'USE nobody was skipped: no such node was read before',
      'line 5: Bolt was skipped',
      'line 10: ElevationGrid was skipped',
      'line 10: Extrusion was skipped',
    ]);
  });
});

describe('VRML that is refused', () => {
  test.each([
    [
      'a point out of range',
      shape(TETRAHEDRON.replace('1 2 3 -1', '1 2 4 -1')),
      /line 2, coordIndex 10: expected -1 or a point from 0 to 3, got 4/,
    ],
    [
      'infinity',
      shape(TETRAHEDRON.replace('0 1 0,', '0 1e999 0,')),
      /point 2: expected a finite coordinate, got Infinity/,
    ],
    ['a missing number', shape(TETRAHEDRON.replace('0 1 0,', '0 1,')), /expected 3 numbers per point, got 11 in all/],
    ['a cut-off list', shape(TETRAHEDRON).slice(0, 120), /not closed; is the file cut off/],
    ['a cut-off node', shape(TETRAHEDRON).slice(0, -3), /not closed; is the file cut off/],
    ['a cut-off string', 'WorldInfo { title "abc', /a string does not end/],
    ['nonsense', '12 34', /expected a node such as Shape or Transform, got "12"/],
    ['a negative radius', shape('Sphere { radius -1 }'), /expected Sphere.radius > 0, got -1/],
    [
      'a short vector',
      `Transform { translation 1 2 children ${shape(TETRAHEDRON)} }`,
      /expected 3 finite numbers in Transform.translation, got 1 2/,
    ],
    ['deep nesting', `${'Group { children '.repeat(5000)}`, /nested deeper than 200 levels/],
    [
      'deep nesting through USE',
      `DEF g0 Group { children ${shape('Box { }')} } ${Array.from({ length: 300 }, (_, i) => `DEF g${i + 1} Group { children USE g${i} }`).join('\n')}`,
      /nested deeper than 200 levels through USE/,
    ],
    [
      'parts multiplied beyond measure',
      `DEF g0 Group { children ${shape('Box { }')} } ${Array.from({ length: 40 }, (_, i) => `DEF g${i + 1} Group { children [ USE g${i} USE g${i} USE g${i} ] }`).join('\n')}`,
      /repeats its parts to more than/,
    ],
  ])('%s', (_, text, message) => {
    expect(refusal(text)).toMatch(message);
  });

  test('VRML 1.0 and other files', () => {
    const old = new TextEncoder().encode('#VRML V1.0 ascii\nSeparator { }');
    expect(() => readVrml(old, { fileName: 'old.wrl' })).toThrow(/is VRML 1.0; expected VRML 2.0/);
    expect(() => readVrml(new TextEncoder().encode('solid x'), { fileName: 'a.wrl' })).toThrow(FileError);
    expect(() => readVrml(new Uint8Array(0), { fileName: 'a.wrl' })).toThrow(FileError);
  });
});
