import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { schemaPage } from '../../scripts/schema-page.mjs';
import { accepts } from '../../tests/json-schema-validator.js';
import { escapeWheel } from '../assets/machine-elements/escape-wheel.js';
import { involuteGear } from '../assets/machine-elements/gear.js';
import { genevaDrive, genevaWheel } from '../assets/machine-elements/geneva-wheel.js';
import { leverEscapement } from '../assets/machine-elements/lever-escapement.js';
import { rock } from '../assets/rock.js';
import { angularRock } from '../assets/stones.js';
import { wheel } from '../assets/wheel.js';
import { intersect, subtract, union } from '../geometry/csg/boolean.js';
import { extrude } from '../geometry/extrude.js';
import { halfSpace } from '../geometry/half-space.js';
import { solidMassProperties } from '../geometry/mass-properties.js';
import { box, regularPrism, sphere } from '../geometry/primitives.js';
import type { Solid } from '../geometry/solid.js';
import { rotate, translate } from '../geometry/transform.js';
import { coilSpring } from './coil-spring.js';
import { modelFromJson, modelFromJsonText } from './json.js';
import { modelJsonSchema } from './json-schema.js';
import { steel } from './materials.js';
import { model } from './model.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const ball = { shape: { sphere: { radius: 0.1 } }, material: 'steel' };
const bodyWith = (shape: unknown) => ({ bodies: { a: { shape, material: 'steel' } } });
const spring = { wireDiameter: 2e-3, meanDiameter: 0.02, activeCoils: 6, freeLength: 0.05, material: 'steel' };
const touching = {
  bodies: {
    floor: { shape: { halfSpace: {} }, fixed: true, material: 'concrete' },
    rack: [{ ...ball, contact: { group: 'balls', touches: ['default', 'balls'] } }],
    pin: { mass: 1, contact: { surfaces: [{ kind: 'circle', radius: 0.1, position: [0, 0, 1] }], perAxis: true } },
  },
  contacts: {
    defaults: { friction: 0.3, frictionLaw: { kind: 'tanh' } },
    pairs: [
      { between: ['rack', 'floor'], normalLaw: { kind: 'power', stiffness: 1e6, exponent: 1.5 }, torsion: 'none' },
    ],
    exclude: [['pin', '*']],
    joined: [['pin', 'floor']],
    broadPhase: 'tree',
    tolerance: 0.001,
    sensors: [['rack', 'floor']],
    records: false,
  },
};
const shapeOf = async (shape: unknown, readPart?: never): Promise<Solid> =>
  (await modelFromJson(bodyWith(shape), readPart)).bodies.get('a')!.shape as Solid;

describe('modelFromJson', () => {
  test('gives the model that the same words give in TypeScript', async () => {
    const made = await modelFromJson({ $schema: 'x', bodies: { rack: [ball, ball] }, gravity: 'moon' });
    expect([...made.bodies.keys()]).toEqual(['rack[0]', 'rack[1]']);
    expect(made.bodies.get('rack[1]')).toEqual({ shape: sphere(0.1), material: steel });
    expect(made.gravity).toBe('moon');
  });
  test('a shape is turned, then moved', async () => {
    const angle = 0.3;
    expect(await shapeOf({ box: { size: [1, 2, 3] }, translate: [5, 0, 0], rotate: angle })).toEqual(
      translate([5, 0, 0], rotate(angle, box([1, 2, 3]))),
    );
  });
  // Volumes of solids by their closed forms; round ones have exact forms except for the torus and the tube, whose polygons of 64 and more
  // corners miss less than 1 %.
  test.each<[object, number]>([
    [{ sphere: { radius: 0.3 } }, (4 / 3) * Math.PI * 0.3 ** 3],
    [{ ellipsoid: { radii: [0.3, 0.2, 0.1] } }, (4 / 3) * Math.PI * 6e-3],
    [{ box: { size: 0.5 } }, 0.125],
    [{ cylinder: { radius: 0.2, height: 3 } }, Math.PI * 0.04 * 3],
    [{ tube: { outerRadius: 0.3, innerRadius: 0.2, height: 1, segments: 200 } }, Math.PI * 0.05],
    [{ cone: { radius: 0.3, height: 2 } }, (Math.PI * 0.09 * 2) / 3],
    [{ frustum: { bottomRadius: 0.3, topRadius: 0.1, height: 1 } }, (Math.PI / 3) * (0.09 + 0.03 + 0.01)],
    [{ capsule: { radius: 0.1, height: 1 } }, Math.PI * 0.01 + (4 / 3) * Math.PI * 1e-3],
    [{ torus: { majorRadius: 1, minorRadius: 0.25, segments: 200, minorSegments: 60 } }, 2 * Math.PI ** 2 * 0.0625],
    [{ wedge: { size: [2, 3, 1], top: 1 } }, 4.5],
    [{ prism: { sides: 6, radius: 1, height: 2 } }, 3 * Math.sqrt(3)],
    [
      {
        extrude: {
          outline: [
            [0, 0],
            [2, 0],
            [2, 2],
            [0, 2],
          ],
          holes: [
            [
              [0.5, 0.5],
              [1, 0.5],
              [1, 1],
              [0.5, 1],
            ],
          ],
          height: 0.5,
        },
      },
      1.875,
    ],
  ])('%j', async (shape, volume) => {
    expect(Math.abs(solidMassProperties(await shapeOf(shape)).volume / volume - 1)).toBeLessThan(0.01);
  });
  // Pappus: the area of a half disc, πr²/2, times the way of its centroid
  test('a turned half disc is a sphere, and cut by a box a half one', async () => {
    const half = {
      revolve: {
        outline: [
          [0, -1],
          [0, 1, -1],
        ],
        segments: 256,
      },
    };
    const sphere = (4 / 3) * Math.PI;
    expect(solidMassProperties(await shapeOf(half)).volume / sphere).toBeCloseTo(1, 2);
    const below = { subtract: [half, { box: { size: 4 }, translate: [0, 0, 2] }] };
    expect(solidMassProperties(await shapeOf(below)).volume / sphere).toBeCloseTo(0.5, 2);
  });
  test('solids combined are those of the functions, and turn and move as one', async () => {
    const [a, b] = [{ box: { size: 1 } }, { box: { size: 1 }, translate: [0.5, 0, 0] }];
    const solids = [box(1), translate([0.5, 0, 0], box(1))] as const;
    expect(await shapeOf({ union: [a, b], translate: [0, 0, 3] })).toEqual(translate([0, 0, 3], union(...solids)));
    expect(await shapeOf({ subtract: [a, b] })).toEqual(subtract(...solids));
    expect(await shapeOf({ intersect: [a, b], rotate: 0.1 })).toEqual(rotate(0.1, intersect(...solids)));
    // several solids of one operand are joined first
    expect(solidMassProperties(await shapeOf({ subtract: [[a, b], a] })).volume).toBeCloseTo(0.5, 12);
  });
  test('machine elements are those of the library', async () => {
    const teeth = { teeth: 24, module: 1e-3, bore: 3e-3 };
    expect(await shapeOf({ gear: { ...teeth, height: 5e-3 } })).toEqual(extrude(involuteGear(teeth), 5e-3));
    const geneva = { slots: 4, radius: 0.03, segments: 32 };
    expect(await shapeOf({ genevaWheel: geneva })).toEqual(genevaWheel(geneva));
    expect(await shapeOf({ genevaDrive: geneva })).toEqual(genevaDrive(geneva));
    expect(await shapeOf({ escapeWheel: { teeth: 15, height: 1e-4 } })).toEqual(extrude(escapeWheel(), 1e-4));
    expect(await shapeOf({ wheel: { radius: 0.2, grouser: { count: 12 } } })).toEqual(
      wheel({ radius: 0.2, grouser: { count: 12 } }).solid,
    );
    await expect(shapeOf({ wheel: { radius: 0.2, grouser: { count: 1200 } } })).rejects.toThrow('wheel.grouser.count');
    expect(await shapeOf({ rock: { length: 0.4, subdivision: 2, seed: 5 } })).toEqual(
      rock({ length: 0.4, subdivision: 2, seed: 5 }).solid,
    );
    expect(await shapeOf({ stone: { radius: 0.1, seed: 3 } })).toEqual(angularRock({ radius: 0.1, seed: 3 }));
    const { pallet, bankings, entry } = leverEscapement({ lock: 0.03 });
    const part = (name: string) => shapeOf({ leverEscapement: { part: name, height: 1e-4, lock: 0.03 } });
    expect(await part('pallet')).toEqual(extrude(pallet, 1e-4));
    expect(await part('rightBanking')).toEqual(extrude(bankings[1], 1e-4));
    expect(await part('entryStone')).toEqual(extrude(entry.outline, 1e-4));
  });
  test('a coil spring brings its bodies, forces and contact rules', async () => {
    const { bodies, forces, exclude } = coilSpring({ ...spring, material: steel, name: 's' });
    const written = { bodies: { a: ball }, coilSprings: { s: spring }, contacts: { exclude: [['a', 'sTop']] } };
    const built = await modelFromJson(written);
    const wanted = model({
      bodies: { a: { shape: sphere(0.1), material: steel }, ...bodies },
      forces,
      contacts: { exclude: [['a', 'sTop'], ...exclude] },
    });
    expect([...built.bodies.keys()]).toEqual([...wanted.bodies.keys()]);
    expect(built.bodies.get('s[3]')).toEqual(wanted.bodies.get('s[3]'));
    expect([built.forces, built.contacts]).toEqual([wanted.forces, wanted.contacts]);
    expect(accepts(modelJsonSchema(), written)).toBe(true);
  });
  test('a half-space', async () => {
    expect(await shapeOf({ halfSpace: {} })).toEqual(halfSpace());
    expect(await shapeOf({ halfSpace: { extent: 2 }, translate: [0, 0, 1] })).toEqual(
      translate([0, 0, 1], halfSpace({ extent: 2 })),
    );
    await expect(shapeOf({ halfSpace: { extent: -1 } })).rejects.toThrow('halfSpace.extent: expected');
  });
  test('a prism and an extrusion are those of the library', async () => {
    expect(await shapeOf({ prism: { sides: 5, radius: 1, height: 2 } })).toEqual(
      regularPrism({ sides: 5, radius: 1, height: 2 }),
    );
    const outline = [
      [0, 0],
      [2, 0],
      [1, 2],
    ] as const;
    expect(await shapeOf({ extrude: { outline, height: 1, twist: 0.2 } })).toEqual(extrude(outline, 1, { twist: 0.2 }));
  });
  test('contact: fixed bodies, rules, laws and surfaces are plain data', async () => {
    const made = await modelFromJson(touching);
    expect(made.bodies.get('floor')).toMatchObject({ fixed: true, shape: halfSpace() });
    expect(made.bodies.get('rack[0]')!.contact).toEqual({ group: 'balls', touches: ['default', 'balls'] });
    expect(made.contacts).toEqual({
      ...touching.contacts,
      defaults: { friction: 0.3, frictionLaw: { kind: 'tanh', deadBand: 1e-3 } },
      pairs: [
        { between: ['rack', 'floor'], normalLaw: { kind: 'power', stiffness: 1e6, exponent: 1.5 }, torsion: 'none' },
      ],
    });
    expect((await modelFromJson({ bodies: { a: ball }, contacts: false })).contacts).toBe(false);
    expect((await modelFromJson({ bodies: { a: { ...ball, contact: false } } })).bodies.get('a')!.contact).toBe(false);
  });
  test('parts come from a file through the reader, by name if wanted', async () => {
    const read: unknown[] = [];
    const readPart = async (...words: unknown[]) => {
      read.push(words);
      return [
        { name: 'lid', mesh: box(1).mesh },
        { name: 'pot', mesh: box(2).mesh },
      ];
    };
    const shape = { file: 'pot.stl', unit: 'mm', part: 'pot', translate: [0, 0, 1] };
    const made = await modelFromJson(bodyWith(shape), { readPart });
    expect((made.bodies.get('a')!.shape as Solid).mesh).toEqual(translate([0, 0, 1], box(2).mesh));
    expect(read).toEqual([['pot.stl', 'mm']]);
    const all = await modelFromJson(bodyWith({ file: 'pot.stl' }), { readPart });
    expect(all.bodies.get('a')!.shape).toHaveLength(2);
    await expect(modelFromJson(bodyWith({ ...shape, part: 'pott' }), { readPart })).rejects.toThrow(
      'bodies.a.shape.part: "pot.stl" has no part "pott"; did you mean "pot"?',
    );
    // Two triangles on each other: closed, and nothing inside
    const sheet = { vertices: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), triangles: Uint32Array.of(0, 1, 2, 2, 1, 0) };
    const withSheet = async () => [...(await readPart()), { name: 'label', mesh: sheet }];
    await expect(modelFromJson(bodyWith({ file: 'pot.stl' }), { readPart: withSheet })).rejects.toThrow(
      'bodies.a.shape.file: part "label" of "pot.stl" is no solid: expected a solid, got a surface that encloses no volume (0 m³); "part" takes one of the others, lid, pot',
    );
  });

  // Each: the model, and the words of the error: path in the file, expectation with unit, what came.
  test.each<[string, unknown, string | RegExp]>([
    ['no object', [], 'model: expected an object { "bodies": … }, got []'],
    ['unknown key', { bodies: { a: ball }, joint: {} }, 'model: has no "joint"; did you mean "joints"?'],
    ['no bodies', {}, 'bodies: expected at least one body'],
    [
      'a shape misspelt',
      bodyWith({ spere: { radius: 1 } }),
      /^bodies\.a\.shape: expected a shape.*did you mean "sphere"/,
    ],
    [
      'a shape as text',
      bodyWith('sphere'),
      'bodies.a.shape: expected a shape such as { "sphere": { "radius": 0.1 } }, got "sphere"',
    ],
    [
      'two shapes in one',
      bodyWith({ box: { size: 1 }, cone: {} }),
      'bodies.a.shape: expected one shape, got box and cone',
    ],
    [
      'a size misspelt',
      bodyWith({ cylinder: { radius: 1, hight: 1, height: 1 } }),
      'bodies.a.shape.cylinder: has no "hight"; did you mean "height"?',
    ],
    [
      'a negative radius in an array',
      bodyWith([{ box: { size: 1 } }, { sphere: { radius: -1 } }]),
      'bodies.a.shape[1].sphere.radius: expected a radius > 0 m, got -1',
    ],
    [
      'a size left out',
      bodyWith({ cone: { radius: 1 } }),
      'bodies.a.shape.cone.height: expected a height in m, got nothing',
    ],
    [
      'a box of two edges',
      bodyWith({ box: { size: [1, 2] } }),
      'bodies.a.shape.box.size: expected edge lengths [x, y, z] > 0 m, or one for a cube, got [1,2]',
    ],
    [
      'half a corner',
      bodyWith({ cylinder: { radius: 1, height: 1, segments: 6.5 } }),
      'bodies.a.shape.cylinder.segments: expected the corners of a circle: a whole number ≥ 3, got 6.5',
    ],
    [
      'a tube without wall',
      bodyWith({ tube: { outerRadius: 1, innerRadius: 2, height: 1 } }),
      'bodies.a.shape.tube.innerRadius: expected less than outerRadius = 1 m',
    ],
    [
      'a crossing outline',
      bodyWith({
        extrude: {
          outline: [
            [0, 0],
            [1, 1],
            [1, 0],
            [0, 1],
          ],
          height: 1,
        },
      }),
      /^bodies\.a\.shape\.extrude\.outline: .*cross/,
    ],
    [
      'an infinite number',
      bodyWith({ sphere: { radius: JSON.parse('1e999') } }),
      'bodies.a.shape.sphere.radius: expected a radius in m, got Infinity',
    ],
    [
      'a bad turn',
      bodyWith({ box: { size: 1 }, rotate: 'x' }),
      'bodies.a.shape.rotate: expected an angle about z in rad, { axis, angle in rad } or a quaternion [w, x, y, z], got "x"',
    ],
    [
      'an unknown unit',
      bodyWith({ file: 'a.stl', unit: 'inch' }),
      'bodies.a.shape.unit: expected one of m, cm, mm, um, km, in, ft, got "inch"',
    ],
    ['a file without reader', bodyWith({ file: 'a.stl' }), 'bodies.a.shape.file: "a.stl" cannot be read here'],
    [
      'unknown material',
      { bodies: { a: { ...ball, material: 'steal' } } },
      'bodies.a.material: there is no material "steal"; did you mean "steel"?',
    ],
    [
      'material without density',
      { bodies: { a: { ...ball, material: {} } } },
      'bodies.a.material.density: expected a density in kg/m³, got nothing',
    ],
    [
      'unknown kind of joint',
      { bodies: { a: ball }, joints: { j: { kind: 'hinge', body: 'a' } } },
      'joints.j.kind: expected one of fixed, revolute, prismatic, screw, cylindrical, universal, spherical, planar, free, got "hinge"',
    ],
    [
      'a law',
      { bodies: { a: ball }, forces: { f: { kind: 'lineForce', from: 'a', to: [0, 0, 1], law: '3*x' } } },
      'forces.f.law: is a function, which JSON cannot hold',
    ],
    [
      'a condition',
      { bodies: { a: ball }, events: { e: { when: 'z < 0', stop: true } } },
      'events.e.when: is a function',
    ],
    [
      'a law of contact',
      { bodies: { a: ball }, contacts: { defaults: { normalLaw: 'd => 1e6*d' } } },
      /^contacts\.defaults\.normalLaw: expected 'hertz', .* got "d => 1e6\*d"/,
    ],
    [
      'a contact key misspelt',
      { bodies: { a: ball }, contacts: { defaults: { friciton: 0.2 } } },
      'contacts.defaults: has no "friciton"; did you mean "friction"?',
    ],
    [
      'a prescribed motion',
      { bodies: { a: ball }, joints: { j: { kind: 'revolute', body: 'a', axis: [0, 0, 1], angle: 't' } } },
      'joints.j.angle: expected a function of time giving the angle in rad, or data of kind constant, ramp, sine or table, got "t"',
    ],
    [
      'a wrong shape inside a cut',
      bodyWith({ subtract: [{ box: { size: 1 } }, { union: [{ sphere: { radius: 0 } }] }] }),
      'bodies.a.shape.subtract[1].union[0].sphere.radius: expected a radius > 0 m, got 0',
    ],
    [
      'nothing to cut with',
      bodyWith({ subtract: [{ box: { size: 1 } }] }),
      'bodies.a.shape.subtract: expected a shape and at least one to cut from it',
    ],
    [
      'nothing left',
      bodyWith({ intersect: [{ box: { size: 1 } }, { box: { size: 1 }, translate: [5, 0, 0] }] }),
      'bodies.a.shape.intersect: leaves nothing',
    ],
    [
      'a half-space to cut with',
      bodyWith({ subtract: [{ box: { size: 1 } }, { halfSpace: {} }] }),
      'bodies.a.shape.subtract[1]: a half-space has no end',
    ],
    [
      'a lathe across its axis',
      bodyWith({
        revolve: {
          outline: [
            [-1, 0],
            [1, 0],
            [1, 1],
          ],
        },
      }),
      'bodies.a.shape.revolve.outline: expected corners with x ≥ 0 m',
    ],
    [
      'a gear of three teeth',
      bodyWith({ gear: { teeth: 3, module: 0.001, height: 0.01 } }),
      'bodies.a.shape.gear.teeth: expected a number: a whole number ≥ 4, got 3',
    ],
    [
      'a bore as large as the gear',
      bodyWith({ gear: { teeth: 12, module: 0.001, height: 0.01, bore: 0.01 } }),
      'bodies.a.shape.gear.bore: expected less than the root radius',
    ],
    [
      'an unknown part of the escapement',
      bodyWith({ leverEscapement: { part: 'fork', height: 1e-4 } }),
      'bodies.a.shape.leverEscapement.part: expected one of wheel, pallet, frame, entryStone',
    ],
    [
      'a spring whose coils overlap',
      { bodies: { a: ball }, coilSprings: { s: { ...spring, freeLength: 0.01 } } },
      'coilSprings.s.freeLength: expected more than the block length (n + 2) d = 0.016 m, got 0.01',
    ],
    [
      'a spring of nothing known',
      { bodies: { a: ball }, coilSprings: { s: { ...spring, material: 'steal' } } },
      'coilSprings.s.material: there is no material "steal"; did you mean "steel"?',
    ],
    [
      'a spring named as a body',
      { bodies: { sTop: ball }, coilSprings: { s: spring } },
      'coilSprings.s: makes a body "sTop", but there is one under bodies',
    ],
  ])('%s', async (_, value, message) => {
    await expect(modelFromJson(value)).rejects.toThrow(message as string);
  });
  test('broken text is shown with its place', async () => {
    await expect(modelFromJsonText('{\n"bodies": {,}}', 'swing.json')).rejects.toThrow(
      'swing.json, line 2, column 12: expected a key in double quotes, got ","',
    );
  });
  test('a body named __proto__ is not lost', async () => {
    const made = await modelFromJsonText('{"bodies": {"__proto__": {"mass": 1}}}', 'm.json');
    expect([...made.bodies.keys()]).toEqual(['__proto__']);
  });
});

describe('the published schema', () => {
  const published = JSON.parse(readFileSync(`${root}schema/model.schema.json`, 'utf8')) as Record<string, unknown>;
  const page = readFileSync(`${root}docs/reference/model-json.md`, 'utf8');
  test('is up to date, and so is the page of keys; if not, run node scripts/build-schema.mjs', () => {
    // No diff of 50 000 characters
    expect(JSON.stringify(published) === JSON.stringify(modelJsonSchema())).toBe(true);
    expect(page === schemaPage(modelJsonSchema())).toBe(true);
  });

  test('says of each key of a flexible body what it is, and lengths in m', () => {
    type Key = { readonly title?: string; readonly description?: string };
    const { flexible } = modelJsonSchema().$defs as { flexible: { properties: Record<string, Key> } };
    expect(Object.keys(flexible.properties).length).toBe(13);
    for (const { title } of Object.values(flexible.properties)) expect(title).toMatch(/\w/);
    expect(flexible.properties.meshSize.description).toBe('in m');
    for (const key of Object.keys(flexible.properties)) expect(page).toContain(`\n| \`${key}\` | `);
    for (const key of ['gauges.<name>.at', 'interfaces.<name>.radius'])
      expect(page).toMatch(new RegExp(`${key}.*\\| m \\|`));
  });

  const swing = JSON.parse(readFileSync(`${root}tests/fixtures/models/swing.json`, 'utf8')) as Record<string, never>;
  test('accepts the samples', () => {
    expect(accepts(published, swing)).toBe(true);
    const table = JSON.parse(readFileSync(`${root}examples/indexing-table/indexing-table.model.json`, 'utf8'));
    expect(accepts(published, table)).toBe(true);
    table.bodies.table.shape[1].subtract[0].cylinder.radius = -1;
    expect(accepts(published, table)).toBe(false);
  });
  test('accepts contacts, and refuses what they do not know', () => {
    expect(accepts(published, touching)).toBe(true);
    for (const wrong of [
      { contacts: true },
      { contacts: { defualts: {} } },
      { contacts: { defaults: { friction: -1 } } },
      { contacts: { defaults: { restitution: 1.1 } } },
      { contacts: { pairs: [{ friction: 0.1 }] } },
      { contacts: { pairs: [{ between: ['rack'] }] } },
      { contacts: { defaults: { normalLaw: { kind: 'power' } } } },
      { contacts: { defaults: { normalLaw: 'd => d' } } },
      { contacts: { defaults: { frictionLaw: { kind: 'sticky' } } } },
      { bodies: { a: { ...ball, contact: true } } },
      { bodies: { a: { ...ball, contact: { surfaces: [{ kind: 'sphere' }] } } } },
      { bodies: { a: { ...ball, fixed: 'yes' } } },
    ])
      expect([wrong, accepts(published, { ...touching, ...wrong })]).toEqual([wrong, false]);
  });
  test.each<[string, object]>([
    ['no bodies', { bodies: undefined }],
    ['an unknown key', { joint: {} }],
    ['a bad name', { bodies: { 'a b': { mass: 1 } } }],
    ['the name of the ground', { bodies: { ground: { mass: 1 } } }],
    ['a negative mass', { bodies: { a: { mass: -1 } } }],
    ['a vector of two', { bodies: { a: { mass: 1, position: [0, 1] } } }],
    ['an unknown material', { bodies: { a: { mass: 1, material: 'cheese' } } }],
    ['an unknown shape', { bodies: { a: { mass: 1, shape: { blob: { radius: 1 } } } } }],
    ['two shapes in one', { bodies: { a: { mass: 1, shape: { sphere: { radius: 1 }, box: { size: 1 } } } } }],
    ['an unknown kind', { joints: { j: { kind: 'hinge', body: 'rod' } } }],
    ['a joint without axis', { joints: { j: { kind: 'revolute', body: 'rod' } } }],
    ['a force that needs a function', { forces: { f: { kind: 'lineForce', from: 'rod', to: [0, 0, 0] } } }],
  ])('refuses %s', (_, wrong) => {
    const { bodies, ...rest } = { ...swing, ...wrong };
    expect(accepts(published, bodies === undefined ? rest : { ...rest, bodies })).toBe(false);
  });
  test('holds no functions and no references that lead nowhere', () => {
    const text = JSON.stringify(published);
    expect(text).not.toContain('x-function');
    const names = Object.keys(published.$defs as object);
    for (const [, name] of text.matchAll(/"#\/\$defs\/(\w+)"/g)) expect(names).toContain(name);
  });
});

test('soils in JSON: a bed of a named soil is read and fits the published schema; a terrain needs a program', async () => {
  const bed = { soil: 'moon-nominal', spacing: 0.01, bodies: ['wheel'] };
  const written = { bodies: { wheel: ball }, soils: { sand: bed } };
  expect((await modelFromJson(written)).soils.get('sand')?.spacing).toBe(0.01);
  expect(accepts(modelJsonSchema(), written)).toBe(true);
  const noise = { ...written, soils: { sand: { ...bed, terrain: {} } } };
  await expect(modelFromJson(noise)).rejects.toThrow('soils.sand.terrain: is a function, which JSON cannot hold');
});
