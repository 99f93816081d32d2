import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { FileError } from '../../errors.js';
import { meshMassProperties } from '../mass-properties.js';
import { readThreeMf } from './threemf-read.js';

const TETRAHEDRON = `<mesh><vertices><vertex x="0" y="0" z="0"/><vertex x="10" y="0" z="0"/><vertex x="0" y="10" z="0"/>
  <vertex x="0" y="0" z="10"/></vertices><triangles><triangle v1="0" v2="2" v3="1"/><triangle v1="0" v2="1" v3="3"/>
  <triangle v1="1" v2="2" v3="3"/><triangle v1="0" v2="3" v3="2"/></triangles></mesh>`;

const model = (resources: string, build: string, unit = 'unit="millimeter"') =>
  `<?xml version="1.0"?><model ${unit} xmlns="x"><resources>${resources}</resources><build>${build}</build></model>`;

const pack = (text: string, more: Record<string, string> = {}): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries({ '3D/3dmodel.model': text, ...more }).map(([name, content]) => [name, strToU8(content)]),
    ),
  );

const read = (text: string, more: Record<string, string> = {}) =>
  readThreeMf(pack(text, more), { fileName: 'part.3mf' });

const refusal = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof FileError) return error.message;
    throw error;
  }
  return 'nothing was refused';
};

describe('3MF models', () => {
  test.each([
    ['unit="micron"', 10e-6, 'um'],
    ['unit="millimeter"', 10e-3, 'mm'],
    ['unit="centimeter"', 0.1, 'cm'],
    ['unit="inch"', 0.254, 'in'],
    ['unit="foot"', 3.048, 'ft'],
    ['unit="meter"', 10, 'm'],
    ['', 10e-3, 'mm'],
  ])('are read in their unit: %s', (unit, size, name) => {
    const document = read(model(`<object id="1">${TETRAHEDRON}</object>`, '<item objectid="1"/>', unit));
    expect(document.unit).toBe(name);
    expect(document.unitFrom).toBe('file');
    expect(document.parts[0].mesh.vertices[3]).toBe(size);
  });

  test('take the unit of the user before their own', () => {
    const bytes = pack(model(`<object id="1">${TETRAHEDRON}</object>`, '<item objectid="1"/>'));
    const document = readThreeMf(bytes, { fileName: 'part.3mf', unit: 'cm' });
    expect(document).toMatchObject({ unit: 'cm', unitFrom: 'option' });
    expect(document.parts[0].mesh.vertices[3]).toBe(0.1);
  });

  test('put items where their transforms say, and turn the triangles of mirrored ones', () => {
    // a quarter turn about z, then 1 mm along x, in the row form of the specification: x′ = −y + 1, y′ = x
    const turned = 'transform="0 1 0 -1 0 0 0 0 1 1 0 0"';
    const mirrored = 'transform="-1 0 0 0 1 0 0 0 1 0 0 0"';
    const { parts } = read(
      model(
        `<object id="1" name="corner">${TETRAHEDRON}</object>`,
        `<item objectid="1" ${turned}/><item objectid="1" ${mirrored}/>`,
      ),
    );
    expect([...parts[0].mesh.vertices.subarray(3, 9)].map((x) => x + 0)).toEqual([0.001, 0.01, 0, 0.001 - 0.01, 0, 0]);
    for (const { mesh } of parts) {
      expect(meshMassProperties(mesh).volume / (1e-6 / 6)).toBeCloseTo(1, 12); // 10 mm · 10 mm · 10 mm / 6, closed, and outside still outside
    }
    expect(parts.map((part) => part.name)).toEqual(['corner', 'corner']);
  });

  test('nest components, also from other entries of the package', () => {
    const wheels = model(`<object id="7" name="wheel">${TETRAHEDRON}</object>`, '');
    const text = model(
      `<object id="2" name="axle"><components>
         <component objectid="7" p:path="/3D/Wheels.model" transform="1 0 0 0 1 0 0 0 1 0 0 5"/>
         <component objectid="7" p:path="/3D/Wheels.model" transform="1 0 0 0 1 0 0 0 1 0 0 -5"/></components></object>
       <object id="3" name="cart"><components><component objectid="2" transform="1 0 0 0 1 0 0 0 1 100 0 0"/></components></object>`,
      '<item objectid="3"/>',
    );
    const { parts } = read(text, { '3D/wheels.model': wheels });
    expect(parts.map((part) => part.name)).toEqual(['cart/axle/wheel', 'cart/axle/wheel']);
    expect([...parts[0].mesh.vertices.subarray(0, 3)]).toEqual([0.1, 0, 0.005]);
    expect([...parts[1].mesh.vertices.subarray(0, 3)]).toEqual([0.1, 0, -0.005]);
  });

  test('have colours from base materials, colour groups and triangles that agree', () => {
    const painted = TETRAHEDRON.replaceAll('<triangle v1', '<triangle pid="5" p1="1" v1');
    const mixed = TETRAHEDRON.replace('<triangle v1', '<triangle pid="5" p1="1" v1');
    const { parts, notes } = read(
      model(
        `<basematerials id="4"><base name="brass" displaycolor="#FF8000"/><base name="glass" displaycolor="#0000ff80"/></basematerials>
         <m:colorgroup id="5"><m:color color="#00FF00"/><m:color color="#FF0000"/></m:colorgroup>
         <object id="1" pid="4" pindex="1">${TETRAHEDRON}</object><object id="2">${painted}</object>
         <object id="3" pid="4">${mixed}</object><object id="6">${TETRAHEDRON}</object>`,
        '<item objectid="1"/><item objectid="2"/><item objectid="3"/><item objectid="6"/>',
      ),
    );
    expect(parts.map((part) => part.colour)).toEqual([
      [0, 0, 1, 128 / 255],
      [1, 0, 0, 1],
      [1, 128 / 255, 0, 1],
      undefined,
    ]);
    expect(notes).toEqual(['object 3 has colours per triangle; one colour was kept']);
  });

  test('say what was skipped', () => {
    const { parts, notes } = read(
      model(
        `<object id="1" type="support">${TETRAHEDRON}</object><object id="2" name="a &amp; b &#x2713;"><mesh>${TETRAHEDRON.slice(6).replace('</mesh>', '<b:beamlattice/></mesh>')}</object>`,
        '<item objectid="1"/><item objectid="2"/>',
      ),
    );
    expect(parts.map((part) => part.name)).toEqual(['a & b ✓']);
    expect(notes).toEqual(['3MF elements <beamlattice> were skipped', 'support structures for printing were skipped']);
  });
});

describe('3MF that is refused', () => {
  const object = `<object id="1">${TETRAHEDRON}</object>`;
  const item = '<item objectid="1"/>';
  test.each([
    [
      'a corner out of range',
      model(object.replace('v3="1"', 'v3="4"'), item),
      /line 2: the mesh has 4 vertices, but a triangle uses vertex 4/,
    ],
    ['NaN', model(object.replace('x="10"', 'x="NaN"'), item), /expected x of the vertex, a finite number, got "NaN"/],
    ['infinity', model(object.replace('x="10"', 'x="1e999"'), item), /a finite number, got "1e999"/],
    ['a missing coordinate', model(object.replace('x="10"', ''), item), /expected x of the vertex/],
    ['an unknown object', model(object, '<item objectid="9"/>'), /there is no object 9/],
    ['an unknown unit', model(object, item, 'unit="furlong"'), /expected the unit to be one of .* got "furlong"/],
    [
      'a short transform',
      model(object, '<item objectid="1" transform="1 0 0"/>'),
      /expected a transform of 12 finite numbers/,
    ],
    ['a flat transform', model(object, '<item objectid="1" transform="1 0 0 0 1 0 0 0 0 0 0 0"/>'), /determinant 0/],
    ['elements that do not nest', model(object.replace('</mesh>', '</mash>'), item), /expected <\/mesh>, got <\/mash>/],
    ['a cut-off file', model(object, item).slice(0, 400), /is it cut off/],
    ['an entity', model('<object id="1" name="&bomb;"/>', item), /one of the five entities|another of the five/],
    ['a document type', `<!DOCTYPE a [<!ENTITY b "bb">]>${model(object, item)}`, /document type/],
    [
      'an object that contains itself',
      model(
        '<object id="1"><components><component objectid="2"/></components></object><object id="2"><components><component objectid="1"/></components></object>',
        item,
      ),
      /object 1 contains itself/,
    ],
    [
      'parts multiplied beyond measure',
      model(
        `${object}${Array.from({ length: 30 }, (_, k) => `<object id="${k + 2}"><components>${`<component objectid="${k + 1}"/>`.repeat(4)}</components></object>`).join('')}`,
        '<item objectid="31"/>',
      ),
      /repeats its parts to more than/,
    ],
  ])('%s', (_, text, message) => {
    expect(refusal(() => read(text))).toMatch(message);
  });

  test('a bomb, by its promise and by its content', () => {
    const blanks = new Uint8Array(11_789_012).fill(0x20);
    const bomb = zipSync({ '3D/3dmodel.model': blanks }, { level: 4 });
    expect(bomb.length).toBeLessThan(100_000);
    expect(refusal(() => readThreeMf(bomb, { fileName: 'bomb.3mf' }))).toMatch(
      /3dmodel.model: unpacks \d+ bytes to 11789012 or more, over 200 times/,
    );
    // the same archive with a harmless size in its directory
    const view = new DataView(bomb.buffer);
    for (let i = 0; i + 4 < bomb.length; i++)
      if (view.getUint32(i, true) === blanks.length) view.setUint32(i, 1000, true);
    expect(refusal(() => readThreeMf(bomb, { fileName: 'liar.3mf' }))).toMatch(
      /unpacks to more than the 1000 bytes it promises/,
    );
  });

  test('archives that are damaged', () => {
    const bytes = pack(model(object, item));
    expect(refusal(() => readThreeMf(bytes.subarray(0, bytes.length - 30), { fileName: 'a.3mf' }))).toMatch(/cut off/);
    expect(refusal(() => readThreeMf(new Uint8Array(0), { fileName: 'a.3mf' }))).toMatch(/zip/);
    const damaged = bytes.slice();
    damaged[60] ^= 0xff;
    expect(refusal(() => readThreeMf(damaged, { fileName: 'a.3mf' }))).toMatch(/damaged|promises/);
    // a stored entry whose coordinate was changed behind the back of its check sum
    const stored = zipSync({ '3D/3dmodel.model': strToU8(model(object, item)) }, { level: 0 });
    stored[new TextDecoder('latin1').decode(stored).indexOf('x="10"') + 3] = 0x32;
    expect(refusal(() => readThreeMf(stored, { fileName: 'a.3mf' }))).toMatch(/check sum does not match/);
    expect(refusal(() => readThreeMf(zipSync({ 'notes.txt': strToU8('hello') }), { fileName: 'a.3mf' }))).toMatch(
      /without a 3D model/,
    );
  });
});
