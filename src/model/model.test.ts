import { describe, expect, test } from 'vitest';
import { convexHull } from '../geometry/hull.js';
import { meshMassProperties } from '../geometry/mass-properties.js';
import { box } from '../geometry/primitives.js';
import type { Solid } from '../geometry/solid.js';
import type { Vec3 } from '../math/vec3.js';
import { body } from './body.js';
import { gear, rod } from './constraints.js';
import { applied, spring } from './forces.js';
import { fixed, revolute } from './joints.js';
import { steel } from './materials.js';
import { model } from './model.js';

const point = body({ mass: 1 });

describe('model', () => {
  test('names every element, arrays with an index', () => {
    const checked = model({
      bodies: { rack: [point, point], cue: point },
      joints: { hinge: revolute({ body: 'cue', axis: [0, 1, 0] }) },
    });
    expect([...checked.bodies.keys()]).toEqual(['rack[0]', 'rack[1]', 'cue']);
    expect(checked.gravity).toBe('earth');
  });

  // Each: what is wrong, and the words of the error: path, expectation with unit, what came.
  test.each<[string, () => unknown, string | RegExp]>([
    [
      'negative mass',
      () => model({ bodies: { rack: [point, body({ mass: -0.5 })] } }),
      'bodies.rack[1].mass: expected a mass > 0 kg, got -0.5',
    ],
    [
      'NaN mass',
      () => model({ bodies: { a: body({ mass: Number.NaN }) } }),
      'bodies.a.mass: expected a mass in kg, got NaN',
    ],
    [
      'no mass at all',
      () => model({ bodies: { a: body({}) } }),
      'bodies.a: expected a shape with a material, or a mass in kg; got neither',
    ],
    [
      'unknown key',
      () => model({ bodies: { a: { mas: 1 } as never } }),
      'bodies.a: has no "mas"; did you mean "mass"?',
    ],
    [
      'unknown key of the model',
      () => model({ bodies: { a: point }, joint: {} } as never),
      'model: has no "joint"; did you mean "joints"?',
    ],
    [
      'unknown body',
      () =>
        model({
          bodies: { upperarm: point, forearm: point },
          joints: { elbow: revolute({ body: 'forearm', to: 'upperArm', axis: [0, 0, 1] }) },
        }),
      'joints.elbow.to: there is no body "upperArm"; did you mean "upperarm"?',
    ],
    [
      'joint to itself',
      () => model({ bodies: { a: point }, joints: { j: fixed({ body: 'a', to: 'a' }) } }),
      'joints.j: connects "a" to itself',
    ],
    [
      'joint moving the ground',
      () => model({ bodies: { a: point }, joints: { j: fixed({ body: 'ground', to: 'a' }) } }),
      /joints\.j\.body: the ground does not move/,
    ],
    [
      'zero axis',
      () => model({ bodies: { a: point }, joints: { j: revolute({ body: 'a', axis: [0, 0, 0] }) } }),
      /joints\.j\.axis: expected an axis: a vector other than zero/,
    ],
    [
      'short vector',
      () => model({ bodies: { a: body({ mass: 1, position: [1, 2] as never }) } }),
      'bodies.a.position: expected a position: 3 numbers in m, got [1,2]',
    ],
    [
      'misspelled joint option',
      () =>
        model({
          bodies: { a: point },
          joints: { j: revolute({ body: 'a', axis: [0, 0, 1], initialAngel: 1 } as never) },
        }),
      /joints\.j: has no "initialAngel"/,
    ],
    [
      'negative inertia',
      () => model({ bodies: { a: body({ mass: 1, inertia: [1, -1, 1] }) } }),
      /bodies\.a\.inertia: expected moments of inertia ≥ 0 kg m²/,
    ],
    [
      'impossible inertia',
      () => model({ bodies: { a: body({ mass: 1, inertia: [1, 1, 3] }) } }),
      /bodies\.a\.inertia: expected xx \+ yy ≥ zz.*got 1, 1, 3/,
    ],
    [
      'lopsided inertia',
      () => model({ bodies: { a: body({ mass: 1, inertia: [1, 0.1, 0, 0, 1, 0, 0, 0, 1] }) } }),
      /expected a symmetric tensor/,
    ],
    [
      'name with a space',
      () => model({ bodies: { 'my ball': point } }),
      /bodies\["my ball"\]: expected a name of letters/,
    ],
    [
      'a density beside a shape',
      () => model({ bodies: { a: body({ shape: box(1), density: 500 } as never) } }),
      /bodies\.a: has no "density"; a density belongs to its material: material: \{ density: 500 \}/,
    ],
    [
      'friction of all contacts',
      () => model({ bodies: { a: point }, contacts: { friction: 0.3 } as never }),
      'contacts: has no "friction"; that of all pairs is contacts: { defaults: { friction: 0.3 } }',
    ],
    [
      'the end of a run, as programs call it',
      () => model({ bodies: { a: point }, simulation: { stopTime: 3 } as never }),
      'simulation: has no "stopTime"; it is called "stop", in s',
    ],
    [
      'limits of a joint',
      () =>
        model({
          bodies: { a: point },
          joints: { j: revolute({ body: 'a', axis: [0, 0, 1], limits: [0, 1] } as never) },
        }),
      'joints.j: has no "limits"; it is called "stops": { lower, upper, stiffness }',
    ],
    [
      'a number for an object',
      () => model({ bodies: { a: point }, joints: { j: revolute({ body: 'a', axis: [0, 0, 1], motor: 3 as never }) } }),
      'joints.j.motor: expected an object such as { target, targetSpeed, kp, kd, limit }, got 3',
    ],
    [
      'an outline for a shape',
      () => model({ bodies: { a: body({ shape: { outer: [], holes: [] } as never, material: steel }) } }),
      /bodies\.a\.shape: expected a solid such as box.*got an outline; a solid of it is extrude\(outline, height\)/,
    ],
    ['the name ground', () => model({ bodies: { ground: point } }), /this name is taken/],
    ['no bodies', () => model({ bodies: {} }), 'bodies: expected at least one body, got none'],
    [
      'unknown frame',
      () =>
        model({
          bodies: { arm: body({ mass: 1, frames: { tip: { position: [1, 0, 0] } } }) },
          forces: { f: spring({ from: [0, 0, 0], to: 'arm.tipp', stiffness: 1 }) },
        }),
      'forces.f.to: body "arm" has no frame "tipp"; did you mean "tip"?',
    ],
    [
      'force of nothing',
      () => model({ bodies: { a: point }, forces: { f: applied({ on: 'a' }) } }),
      /expected a force in N or a torque in N m, got neither/,
    ],
    [
      'a spring of nothing',
      () => model({ bodies: { a: point }, forces: { f: spring({ from: [0, 0, 1], to: 'a' }) } }),
      'forces.f: expected a stiffness in N/m or a damping in N s/m, got neither',
    ],
    [
      'a rest length that nothing pulls to',
      () =>
        model({ bodies: { a: point }, forces: { f: spring({ from: [0, 0, 1], to: 'a', damping: 1, restLength: 1 }) } }),
      'forces.f: expected a stiffness in N/m beside restLength, got none; a damper alone has no rest length',
    ],
    [
      'a body called __proto__, as a literal',
      () => model({ bodies: { a: point, ...{}, __proto__: point } as never }),
      'bodies.__proto__: this name is taken by JavaScript',
    ],
    [
      'a gear of a joint with itself',
      () =>
        model({
          bodies: { a: point },
          joints: { x: revolute({ body: 'a', axis: [0, 0, 1] }) },
          constraints: { g: gear({ joints: ['x', 'x'], ratio: 2 }) },
        }),
      'constraints.g: couples joint "x" to itself; expected two joints',
    ],
    [
      'a gear among the joints',
      () => model({ bodies: { a: point }, joints: { g: gear({ joints: ['x', 'y'], ratio: 2 }) as never } }),
      /^joints\.g\.kind: expected one of fixed, .*, got "gear"; a gear stands in the model's constraints$/,
    ],
    [
      'a million bodies',
      () => model({ bodies: { a: Array.from({ length: 1e6 }, () => point) } }),
      'bodies: expected at most 100000 bodies, got 1000000',
    ],
    [
      'gear on a missing joint',
      () => model({ bodies: { a: point }, constraints: { g: gear({ joints: ['x', 'y'], ratio: 2 }) } }),
      'constraints.g.joints[0]: there is no joint "x"',
    ],
    [
      'rod to a missing body',
      () => model({ bodies: { a: point }, constraints: { r: rod({ from: 'a', to: 'b' }) } }),
      /constraints\.r\.to: there is no body "b"/,
    ],
    [
      'event without effect',
      () => model({ bodies: { a: point }, events: { e: { at: 1 } } }),
      /expected something to happen/,
    ],
    [
      'event without a moment',
      () => model({ bodies: { a: point }, events: { e: { stop: true } } }),
      /expected either a time "at" in s or a condition/,
    ],
    [
      'gravity that is none',
      () => model({ bodies: { a: point }, gravity: 'jupiter' as never }),
      /gravity: expected none, earth/,
    ],
  ])('refuses %s', (_, build, message) => {
    expect(build).toThrow(message);
  });
});

describe('a mesh is a shape', () => {
  const corners = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [x, y, z] as Vec3)));
  test('as convexHull gives it', () => {
    const made = model({ bodies: { stone: body({ shape: convexHull(corners), material: steel }) } });
    const { mesh } = made.bodies.get('stone')!.shape as Solid;
    expect(meshMassProperties(mesh, 1).volume).toBeCloseTo(8, 12);
  });
  test('if it is closed', () => {
    const { vertices, triangles } = convexHull(corners);
    const open = { vertices, triangles: triangles.slice(3) };
    expect(() => model({ bodies: { stone: body({ shape: open, material: steel }) } })).toThrow(
      /^bodies\.stone\.shape: expected a closed solid, got/,
    );
    expect(() => model({ bodies: { stone: body({ shape: 3 as never, material: steel }) } })).toThrow(
      'bodies.stone.shape: expected a solid such as box([1, 1, 1]), or a closed mesh, got number',
    );
  });
});
