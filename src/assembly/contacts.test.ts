import { describe, expect, test } from 'vitest';
import { AllowedPairs } from '../broad-phase/allowed-pairs.js';
import { union } from '../geometry/csg/boolean.js';
import { extrude } from '../geometry/extrude.js';
import { halfSpace } from '../geometry/half-space.js';
import { box, cylinder, sphere } from '../geometry/primitives.js';
import type { Solid } from '../geometry/solid.js';
import { translate } from '../geometry/transform.js';
import { rotate } from '../math/quaternion.js';
import { add, type Vec3 } from '../math/vec3.js';
import { type BodyOptions, body } from '../model/body.js';
import { fixed, planar, prismatic, revolute } from '../model/joints.js';
import { steel } from '../model/materials.js';
import { type ModelOptions, model } from '../model/model.js';
import { assemble } from './assemble.js';
import type { ContactPlan } from './system.js';

const ball = (x: number, more: Partial<BodyOptions> = {}): BodyOptions =>
  body({ shape: sphere(0.1), material: steel, position: [x, 0, 0], ...more });
const floor = body({ shape: halfSpace(), fixed: true });
const planOf = (options: ModelOptions): ContactPlan => assemble(model(options)).contacts!;

/** `a b` for each pair of shapes that may touch, in order */
function pairs(options: ModelOptions): string[] {
  const { shapes, rules } = planOf(options);
  const allowed = new AllowedPairs(rules);
  return shapes.flatMap((a, i) =>
    shapes.flatMap((b, j) => (j > i && allowed.allows(i, j) ? [`${a.name} ${b.name}`] : [])),
  );
}

describe('who may touch whom', () => {
  test('everything that has a shape, without a word', () => {
    expect(pairs({ bodies: { floor, a: ball(0), b: ball(1), dot: { mass: 1, inertia: [1, 1, 1] } } })).toEqual([
      'floor a',
      'floor b',
      'a b',
    ]);
  });
  test('nothing, where nothing can', () => {
    expect(planOf({ bodies: { a: ball(0) } })).toBeUndefined();
    expect(planOf({ bodies: { a: ball(0), b: ball(1) }, contacts: false })).toBeUndefined();
    expect(planOf({ bodies: { a: ball(0), b: ball(1, { contact: false }) } })).toBeUndefined();
    expect(planOf({ bodies: { floor, wall: floor, dot: { mass: 1, inertia: [1, 1, 1] } } })).toBeUndefined();
  });
  test('what is fixed does not touch what is fixed', () => {
    expect(pairs({ bodies: { floor, wall: ball(3, { fixed: true }), a: ball(0) } })).toEqual(['floor a', 'wall a']);
  });
  test('a body that says no is out', () => {
    expect(pairs({ bodies: { a: ball(0), b: ball(1, { contact: false }), c: ball(2) } })).toEqual(['a c']);
  });
  test('bodies that a joint connects do not, unless joined says so', () => {
    const bodies = { floor, a: ball(0), b: ball(1), c: ball(2) };
    const joints = {
      ab: revolute({ body: 'a', to: 'b', at: [0.5, 0, 0], axis: [0, 0, 1] }),
      floorC: prismatic({ body: 'c', to: 'floor', at: [2, 0, 0], axis: [0, 0, 1] }),
    };
    const apart = ['floor a', 'floor b', 'a c', 'b c'];
    const all = ['floor a', 'floor b', 'floor c', 'a b', 'a c', 'b c'];
    expect(pairs({ bodies, joints })).toEqual(apart);
    expect(pairs({ bodies, joints, contacts: { joined: true } })).toEqual(all);
    expect(pairs({ bodies, joints, contacts: { joined: [['b', 'a']] } })).toEqual(all.filter((x) => x !== 'floor c'));
    expect(pairs({ bodies, joints, contacts: { joined: [['floor', '*']] } })).toEqual(all.filter((x) => x !== 'a b'));
  });
  test('a joint to the ground parts nobody', () => {
    const joints = { hinge: revolute({ body: 'a', at: [0, 0, 0], axis: [0, 0, 1] }) };
    expect(pairs({ bodies: { floor, a: ball(0) }, joints })).toEqual(['floor a']);
  });
  test('a joint that closes a loop parts as one of the tree does', () => {
    const pin = (name: string, to: string, x: number) => revolute({ body: name, to, at: [x, 0, 0], axis: [0, 0, 1] });
    const joints = { a: pin('a', 'b', 0), b: pin('b', 'c', 1), c: pin('c', 'a', 2) };
    expect(planOf({ bodies: { a: ball(0), b: ball(1), c: ball(2) }, joints }).rules.excludedBodies).toHaveLength(6);
  });
  test('excluded by name, by array and by *', () => {
    const bodies = { floor, rack: [ball(0), ball(1), ball(2)], cue: ball(-1) };
    expect(pairs({ bodies, contacts: { exclude: [['rack', 'rack']] } })).toEqual([
      'floor rack[0]',
      'floor rack[1]',
      'floor rack[2]',
      'floor cue',
      'rack[0] cue',
      'rack[1] cue',
      'rack[2] cue',
    ]);
    expect(
      pairs({
        bodies,
        contacts: {
          exclude: [
            ['rack', 'floor'],
            ['rack[1]', '*'],
          ],
        },
      }),
    ).toEqual(['floor cue', 'rack[0] rack[2]', 'rack[0] cue', 'rack[2] cue']);
    expect(pairs({ bodies, contacts: { pairs: [{ between: ['*', '*'], touch: false }] } })).toEqual([]);
  });
  test('groups: both must touch a group of the other', () => {
    const bodies = {
      floor,
      car: ball(0, { contact: { group: 'car' } }),
      wheel: ball(1, { contact: { group: 'wheels', touches: 'default' } }),
      ghost: ball(2, { contact: { touches: [] } }),
    };
    expect(pairs({ bodies })).toEqual(['floor car', 'floor wheel']);
  });
});

describe('shapes', () => {
  const two = [translate([-0.2, 0, 0], sphere(0.1)), translate([0.2, 0, 0], sphere(0.1))] as readonly Solid[];
  test('several on a body have numbers, touch others and not each other', () => {
    const bodies = { dumbbell: body({ shape: two, material: steel, position: [0, 0, 1] }), floor };
    expect(pairs({ bodies })).toEqual(['dumbbell[0] floor', 'dumbbell[1] floor']);
    expect(pairs({ bodies, contacts: { exclude: [['dumbbell', 'floor']] } })).toEqual([]);
  });
  test('their place on the carrier is that of the drawing', () => {
    const turn = { axis: [0, 1, 0] as Vec3, angle: Math.PI / 2 };
    const { shapes } = planOf({
      bodies: {
        arm: body({ shape: two, material: steel, position: [0, 0, 1], orientation: turn }),
        floor: body({ shape: translate([0, 0, -0.5], halfSpace()), fixed: true, position: [0, 0, 0.2] }),
      },
      joints: { hinge: revolute({ body: 'arm', at: [0, 0, 2], axis: [1, 0, 0] }) },
    });
    // the node's frame has the world's axes, and its origin in the joint: x turned about y by 90° points down
    expect(shapes[0].anchor.node).toBeGreaterThanOrEqual(0);
    const near = (value: Vec3, wanted: Vec3): void => {
      for (let i = 0; i < 3; i++) expect(value[i]).toBeCloseTo(wanted[i], 14);
    };
    near(shapes[0].anchor.position, [0, 0, -0.8]);
    near(shapes[1].anchor.position, [0, 0, -1.2]);
    expect(shapes[2].anchor.node).toBe(-1);
    near(shapes[2].anchor.position, [0, 0, -0.3]);
    near(add(shapes[0].anchor.position, rotate(shapes[0].anchor.orientation, [0.1, 0, 0])), [0, 0, -0.9]);
  });
  test('surfaces take the place of the shape, points do not touch points', () => {
    const square = { kind: 'points', points: [[0, 0, 0]] } as const;
    const bodies = {
      a: ball(0, { contact: { surfaces: [{ kind: 'sphere', radius: 0.1 }, square] } }),
      b: ball(1, { contact: { surfaces: [square], perAxis: true, thickness: 0.01, edges: false } }),
    };
    expect(pairs({ bodies })).toEqual(['a[0] b']);
    const { shapes } = planOf({ bodies });
    expect(shapes.map(({ surface, perAxis, thickness, edges }) => [surface?.kind, perAxis, thickness, edges])).toEqual([
      ['sphere', false, undefined, true],
      ['points', false, undefined, true],
      ['points', true, 0.01, false],
    ]);
  });
  test('an extrusion that cannot tilt says so', () => {
    const plate = extrude(
      [
        [-0.1, -0.1],
        [0.1, -0.1],
        [0.1, 0.1],
        [-0.1, 0.1],
      ],
      0.1,
    );
    const at = (x: number): BodyOptions => body({ shape: plate, material: steel, position: [x, 0, 0] });
    const { shapes } = planOf({
      bodies: {
        turns: at(0),
        slides: at(1),
        tilts: at(2),
        free: at(3),
        base: { ...at(4), fixed: true },
        round: ball(5),
        tappet: at(6),
        piston: at(7),
        arm: at(8),
        onArm: at(9),
        carriage: at(10),
        wheel: at(11),
      },
      joints: {
        a: revolute({ body: 'turns', at: [0, 0, 0], axis: [0, 0, 1] }),
        b: planar({ body: 'slides', at: [1, 0, 0], normal: [0, 0, 1] }),
        c: revolute({ body: 'tilts', at: [2, 0, 0], axis: [1, 0, 0] }),
        // a slide across the extrusion's axis leaves it in its plane, one along it does not
        d: prismatic({ body: 'tappet', at: [6, 0, 0], axis: [0.6, 0.8, 0] }),
        e: prismatic({ body: 'piston', at: [7, 0, 0], axis: [0, 0, 1] }),
        f: revolute({ body: 'arm', at: [8, 0, 0], axis: [0, 0, 1] }),
        g: prismatic({ body: 'onArm', to: 'arm', at: [9, 0, 0], axis: [1, 0, 0] }),
        h: prismatic({ body: 'carriage', at: [10, 0, 0], axis: [1, 0, 0] }),
        i: revolute({ body: 'wheel', to: 'carriage', at: [11, 0, 0], axis: [0, 0, -1] }),
      },
    });
    expect(shapes.map(({ name, planeNormal }) => [name, planeNormal !== undefined])).toEqual([
      ['turns', true],
      ['slides', true],
      ['tilts', false],
      ['free', false],
      ['base', true],
      ['round', false],
      ['tappet', true],
      ['piston', false],
      ['arm', true],
      ['onArm', true],
      ['carriage', true],
      ['wheel', true],
    ]);
  });
});

describe('levels', () => {
  const plate = (x: number, z: number, more: Partial<BodyOptions> = {}): BodyOptions =>
    body({ shape: translate([0, 0, z], box([0.2, 0.2, 0.1])), material: steel, position: [x, 0, 0], ...more });
  const turning = (name: string, x: number, axis: Vec3 = [0, 0, 1]) => revolute({ body: name, at: [x, 0, 0], axis });

  test('what turns on one level never meets what turns on another', () => {
    const stepped = [box([0.2, 0.2, 0.1]), translate([0, 0, 0.1], cylinder({ radius: 0.05, height: 0.1 }))];
    expect(
      pairs({
        bodies: { low: plate(0, 0), high: plate(0.1, 0.1), both: { ...plate(0.2, 0), shape: stepped } },
        joints: { a: turning('low', 0), b: turning('high', 0.1), c: turning('both', 0.2) },
      }),
    ).toEqual(['low both[0]', 'high both[1]']);
  });
  test('nor what is fixed on another', () => {
    const bodies = { low: plate(0, 0), shelf: plate(0, 0.2, { fixed: true }), beside: plate(0.2, 0, { fixed: true }) };
    expect(pairs({ bodies, joints: { a: turning('low', 0) } })).toEqual(['low beside']);
  });
  test('what can tilt, fall or slide up may', () => {
    const bodies = { low: plate(0, 0), high: plate(0.1, 0.3) };
    const a = turning('low', 0);
    expect(pairs({ bodies, joints: { a } })).toEqual(['low high']);
    expect(pairs({ bodies, joints: { a, b: turning('high', 0.1, [1, 0, 0]) } })).toEqual(['low high']);
    const b = prismatic({ body: 'high', axis: [0, 0, 1] });
    expect(pairs({ bodies, joints: { a, b } })).toEqual(['low high']);
  });
  // its mesh is inside the exact ball
  test('a ball reaches beyond its mesh', () => {
    const bodies = { low: plate(0, 0), round: ball(0, { position: [0, 0, 0.1499] }) };
    expect(pairs({ bodies, joints: { a: turning('low', 0), b: turning('round', 0) } })).toEqual(['low round']);
  });
});

describe('sensors', () => {
  const named = (options: ModelOptions): string[] => {
    const system = assemble(model(options));
    return system.contacts!.sensors.map(([a, b]) => `${system.bodies[a].name} ${system.bodies[b].name}`);
  };
  const rack = (count: number) => Array.from({ length: count }, (_, i) => ball(i));
  test('all pairs if there are few, none if there are many', () => {
    expect(named({ bodies: { floor, wall: floor, a: ball(0) } })).toEqual(['floor a', 'wall a']);
    expect(named({ bodies: { rack: rack(5) } })).toHaveLength(10);
    expect(named({ bodies: { rack: rack(6) } })).toEqual([]);
  });
  test('those that are named', () => {
    const bodies = { rack: rack(6), cue: ball(-1), floor };
    expect(
      named({
        bodies,
        contacts: {
          sensors: [
            ['cue', 'rack[2]'],
            ['floor', 'rack[0]'],
          ],
        },
      }),
    ).toEqual(['rack[0] floor', 'rack[2] cue']);
    expect(named({ bodies, contacts: { sensors: [['cue', 'rack']] } })).toHaveLength(6);
    expect(named({ bodies, contacts: { sensors: [] } })).toEqual([]);
  });
  test('a body welded to another still has its own', () => {
    const bodies = { a: ball(0), b: body({ shape: box(0.1), material: steel, position: [1, 0, 0] }), floor };
    const joints = { weld: fixed({ body: 'b', to: 'a' }) };
    expect(pairs({ bodies, joints })).toEqual(['a floor', 'b floor']);
  });
});

describe('what consists of prisms', () => {
  const stepped = union(
    cylinder({ radius: 0.1, height: 0.02 }),
    translate([0.05, 0, 0.03], cylinder({ radius: 0.02, height: 0.05 })),
  );
  const turning = { shaft: revolute({ body: 'cam', axis: [0, 0, 1] }) };
  const cam = body({ shape: stepped, material: steel });
  const shapesOf = (options: ModelOptions) =>
    planOf(options).shapes.map(({ name, solid }) => `${name} ${solid?.form.kind}`);
  test('touches by them where all stay in one plane', () => {
    const plate = body({ shape: extrude([[0.2, 0], [0.3, 0], [0.3, 0.1]], 0.1), material: steel, fixed: true }); // biome-ignore format: one line
    expect(shapesOf({ bodies: { cam, plate }, joints: turning })).toEqual([
      'cam[0] extrusion',
      'cam[1] extrusion',
      'plate extrusion',
    ]);
    const shapes = planOf({ bodies: { cam, plate }, joints: turning }).shapes;
    expect(shapes.every(({ planeNormal }) => planeNormal !== undefined)).toBe(true);
  });
  test('and as a whole beside a ball, or if it can tilt', () => {
    expect(shapesOf({ bodies: { cam, ball: ball(1) }, joints: turning })).toEqual(['cam mesh', 'ball sphere']);
    const plate = body({ shape: extrude([[0.2, 0], [0.3, 0], [0.3, 0.1]], 0.1), material: steel, fixed: true }); // biome-ignore format: one line
    expect(shapesOf({ bodies: { cam, plate } })).toEqual(['cam mesh', 'plate extrusion']);
  });
});
