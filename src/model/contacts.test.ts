import { describe, expect, test } from 'vitest';
import { sphere } from '../geometry/primitives.js';
import { body } from './body.js';
import { type Contacts, GroupBits, namesBody, pairOptions } from './contacts.js';
import { steel } from './materials.js';
import { type Model, type ModelOptions, model } from './model.js';

const ball = body({ shape: sphere(1), material: steel });
const withContacts = (contacts: unknown, contact?: unknown): Model =>
  model({
    bodies: { a: { ...ball, ...(contact !== undefined && { contact }) }, b: ball, rack: [ball, ball] },
    contacts,
  } as ModelOptions);

describe('what is refused', () => {
  // Each: what stands under `contacts`, and the words of the error: path, what was expected, what came, what to do.
  test.each<[string, unknown, string]>([
    ['not an object', true, 'contacts: expected { pairs, exclude, … } or false for no contact at all, got true'],
    ['a key', { defualts: {} }, 'contacts: has no "defualts"; did you mean "defaults"?'],
    ['a key inside', { defaults: { fricton: 1 } }, 'contacts.defaults: has no "fricton"; did you mean "friction"?'],
    [
      'a key of a pair',
      { pairs: [{ between: ['a', 'b'], restitutoin: 1 }] },
      'contacts.pairs[0]: has no "restitutoin"; did you mean "restitution"?',
    ],
    [
      'friction',
      { defaults: { friction: -1 } },
      'contacts.defaults.friction: expected a coefficient of friction ≥ 0, got -1',
    ],
    [
      'restitution',
      { defaults: { restitution: 1.5 } },
      'contacts.defaults.restitution: expected a coefficient of restitution from 0 to 1, got 1.5',
    ],
    ['NaN', { tolerance: Number.NaN }, 'contacts.tolerance: expected a tolerance, got NaN'],
    ['a tolerance', { tolerance: 0 }, 'contacts.tolerance: expected a tolerance > 0, got 0'],
    ...[0, -1e-4, 0.02, Number.NaN, '1e-4'].map((depth): [string, unknown, string] => [
      `a depth of ${JSON.stringify(depth)}`,
      { depth },
      `contacts.depth: expected a depth at rest as a part of the smaller body's size, > 0 and at most 0.01 (1e-4 is a good one), got ${typeof depth === 'string' ? '"1e-4"' : depth}`,
    ]),
    [
      'a depth of a pair',
      { pairs: [{ between: ['a', 'b'], depth: 1 }] },
      "contacts.pairs[0].depth: expected a depth at rest as a part of the smaller body's size, > 0 and at most 0.01 (1e-4 is a good one), got 1",
    ],
    [
      'one body',
      { exclude: [['a']] },
      "contacts.exclude[0]: expected the names of two bodies such as ['ball', 'floor'], got [\"a\"]",
    ],
    [
      'no bodies',
      { pairs: [{}] },
      "contacts.pairs[0].between: expected the names of two bodies such as ['ball', 'floor'], got nothing",
    ],
    [
      'a body',
      { pairs: [{ between: ['a', 'bb'] }] },
      'contacts.pairs[0].between[1]: there is no body "bb"; did you mean "b"?',
    ],
    ['an array', { exclude: [['a', 'rak']] }, 'contacts.exclude[0][1]: there is no body "rak"; did you mean "rack"?'],
    [
      'a place in an array',
      { sensors: [['a', 'rack[2]']] },
      'contacts.sensors[0][1]: there is no body "rack[2]"; did you mean "rack[0]"?',
    ],
    ['joined', { joined: [['a', 'c']] }, 'contacts.joined[0][1]: there is no body "c"; did you mean "a"?'],
    [
      'a normal law',
      { defaults: { normalLaw: 'herz' } },
      "contacts.defaults.normalLaw: expected 'hertz', 'overlap-volume', { kind: 'power' | 'foundation' | 'elmqvist' | 'buse' | 'oestersoetebier' | 'hofmann', … } or a function, got \"herz\"",
    ],
    [
      'a constant of a law',
      { defaults: { normalLaw: { kind: 'power', stiffness: -2 } } },
      'contacts.defaults.normalLaw.stiffness: expected a stiffness > 0 N/mⁿ, n the exponent, got -2',
    ],
    [
      'a constant left out',
      { defaults: { normalLaw: { kind: 'foundation' } } },
      'contacts.defaults.normalLaw.modulus: expected a foundation modulus in N/m³, got nothing',
    ],
    [
      'a key of a law',
      { defaults: { normalLaw: { kind: 'power', stiffness: 1, exponnt: 2 } } },
      'contacts.defaults.normalLaw: has no "exponnt"; did you mean "exponent"?',
    ],
    [
      'a friction law',
      { defaults: { frictionLaw: { kind: 'tanh', deadBand: 0 } } },
      'contacts.defaults.frictionLaw.deadBand: expected a speed > 0 m/s, got 0',
    ],
    [
      'a choice',
      { defaults: { search: 'point' } },
      "contacts.defaults.search: expected one of 'automatic', 'overlap', 'points', got \"point\"; did you mean \"points\"?",
    ],
    [
      'a broad phase',
      { broadPhase: 'octree' },
      "contacts.broadPhase: expected one of 'automatic', 'brute-force', 'morton', 'tree', got \"octree\"; did you mean \"tree\"?",
    ],
  ])('%s', (_, contacts, message) => {
    expect(() => withContacts(contacts)).toThrow(message);
  });

  test.each<[string, unknown, string]>([
    ['true', true, 'bodies.a.contact: expected { group, touches, surfaces } or false, got true'],
    ['a key', { gruop: 'x' }, 'bodies.a.contact: has no "gruop"; did you mean "group"?'],
    [
      'a group without anyone',
      { touches: 'defualt' },
      'bodies.a.contact.touches: no body is in the group "defualt"; did you mean "default"?',
    ],
    [
      'a surface',
      { surfaces: [{ kind: 'spere', radius: 1 }] },
      "bodies.a.contact.surfaces[0]: expected { kind: 'sphere' | 'cylinder' | 'rectangle' | 'circle' | 'points', … }",
    ],
    [
      'a size of a surface',
      { surfaces: [{ kind: 'sphere' }] },
      'bodies.a.contact.surfaces[0].radius: expected a radius in m, got nothing',
    ],
    [
      'a thickness',
      { surfaces: [{ kind: 'sphere', radius: 1 }], thickness: 0 },
      'bodies.a.contact.thickness: expected a thickness > 0 m, got 0',
    ],
    [
      'no points',
      { surfaces: [{ kind: 'points', points: [] }] },
      'bodies.a.contact.surfaces[0].points: expected at least one point',
    ],
  ])('of a body: %s', (_, contact, message) => {
    expect(() => withContacts({}, contact)).toThrow(message);
  });
});

describe('what is taken', () => {
  test('nothing written, all off, and everything at once', () => {
    expect(model({ bodies: { a: ball } }).contacts).toEqual({});
    expect(withContacts(false).contacts).toBe(false);
    const law = ({ depth }: { depth: number }) => 1e5 * depth;
    const { contacts } = withContacts({
      defaults: { friction: 0.3, frictionLaw: { kind: 'bristle' } },
      pairs: [{ between: ['*', 'rack'], normalLaw: law }],
      exclude: [['rack', 'rack']],
      joined: true,
      sensors: [['a', '*']],
      records: false,
    });
    // defaults of the law are filled in
    expect((contacts as Contacts).defaults!.frictionLaw).toEqual({ kind: 'bristle', viscous: 0 });
    expect((contacts as Contacts).pairs![0].normalLaw).toBe(law);
  });
  test('groups that somebody is in', () => {
    const made = model({
      bodies: { a: { ...ball, contact: { group: ['wheels', 'left'] } }, b: { ...ball, contact: { touches: 'left' } } },
    });
    expect(made.bodies.get('a')!.contact).toEqual({ group: ['wheels', 'left'] });
  });
});

describe('names', () => {
  test.each<[string, string, boolean]>([
    ['rack', 'rack[0]', true],
    ['rack', 'rack', true],
    ['rack[1]', 'rack[1]', true],
    ['rack[1]', 'rack[11]', false],
    ['rack', 'racket', false],
    ['rack', 'racket[0]', false],
    ['*', 'anything', true],
    ['rack[0]', 'rack', false],
  ])('%s names %s: %s', (pattern, name, expected) => {
    expect(namesBody(pattern, name)).toBe(expected);
  });
});

describe('what is written for two bodies', () => {
  const contacts = withContacts({
    defaults: { friction: 0.3, restitution: 0.5 },
    pairs: [
      { between: ['rack', '*'], friction: 0.4 },
      { between: ['rack[1]', 'a'], restitution: 0.9, friction: undefined },
      { between: ['b', 'a'], rollingFriction: 0.01 },
    ],
  }).contacts as Contacts;
  test('the defaults, where no pair names them', () => {
    expect(pairOptions({ ...contacts, pairs: [] }, 'a', 'b')).toEqual({ friction: 0.3, restitution: 0.5 });
    expect(pairOptions({}, 'a', 'b')).toEqual({});
  });
  test('later pairs override earlier ones key by key; undefined overrides nothing', () => {
    expect(pairOptions(contacts, 'a', 'rack[0]')).toEqual({ friction: 0.4, restitution: 0.5 });
    expect(pairOptions(contacts, 'a', 'rack[1]')).toEqual({ friction: 0.4, restitution: 0.9 });
  });
  test('in either order', () => {
    expect(pairOptions(contacts, 'a', 'b')).toEqual({ friction: 0.3, restitution: 0.5, rollingFriction: 0.01 });
    for (const [p, q] of [
      ['a', 'b'],
      ['a', 'rack[1]'],
      ['rack[0]', 'rack[1]'],
    ])
      expect(pairOptions(contacts, p, q)).toEqual(pairOptions(contacts, q, p));
  });
});

describe('groups as bits', () => {
  test('one each, the default first; several are a sum', () => {
    const bits = new GroupBits();
    expect(bits.of(undefined, 'x')).toBe(1);
    expect(bits.of('wheels', 'x')).toBe(2);
    expect(bits.of(['default', 'wheels', 'left'], 'x')).toBe(7);
    expect(bits.of([], 'x')).toBe(0);
  });
  test('at most 31', () => {
    const bits = new GroupBits();
    const many = Array.from({ length: 30 }, (_, i) => `g${i}`);
    expect(bits.of(many, 'x')).toBe(0x7ffffffe);
    expect(() => bits.of('one more', 'bodies.a.contact.group')).toThrow(
      'bodies.a.contact.group: expected at most 31 groups, got "one more" as one more',
    );
  });
});

describe('a depth at rest', () => {
  test('of all, and of one pair', () => {
    const contacts: Contacts = {
      depth: 1e-4,
      defaults: { friction: 0.3 },
      pairs: [{ between: ['a', 'b'], depth: 1e-3 }],
    };
    expect(pairOptions(contacts, 'b', 'a')).toEqual({ friction: 0.3, depth: 1e-3 });
    expect(pairOptions(contacts, 'a', 'c')).toEqual({ friction: 0.3, depth: 1e-4 });
    expect(pairOptions({}, 'a', 'c')).toEqual({});
  });
  test.each<[string, unknown]>([
    ['no gravity', 'none'],
    ['a zero vector', [0, 0, 0]],
    ['a point mass', { mu: 1 }],
    ['a field', () => [0, 0, -1]],
  ])('needs a weight: %s is refused', (_, gravity) => {
    const of = (contacts: unknown) => () => model({ bodies: { a: ball, b: ball }, gravity, contacts } as ModelOptions);
    const text =
      'a depth at rest needs a weight, and there is no uniform gravity; leave it out, and give a smaller "reducedModulus"';
    expect(of({ depth: 1e-4 })).toThrow(`contacts.depth: ${text}`);
    expect(of({ pairs: [{ between: ['a', 'b'], depth: 1e-4 }] })).toThrow(`contacts.pairs[0].depth: ${text}`);
    expect(of({})).not.toThrow();
  });
});
