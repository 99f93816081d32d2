import { describe, expect, test } from 'vitest';
import { sphere } from '../geometry/primitives.js';
import { body } from '../model/body.js';
import { gear, rod, rollingWheel } from '../model/constraints.js';
import { applied, spring } from '../model/forces.js';
import { cylindrical, fixed, free, planar, prismatic, revolute, screw, spherical, universal } from '../model/joints.js';
import { steel } from '../model/materials.js';
import { model } from '../model/model.js';
import { assemble } from './assemble.js';
import { NODE } from './system.js';

const point = (x = 0, y = 0, z = 0) => body({ mass: 1, inertia: [1, 1, 1], position: [x, y, z] });
const Y = [0, 1, 0] as const;

describe('tree', () => {
  test('a chain of hinges: node frames at the joints, world axes as drawn', () => {
    const { tree, nq, nv } = assemble(
      model({
        bodies: { upper: point(0, 0, -0.5), lower: point(0, 0, -1.5) },
        joints: {
          elbow: revolute({ body: 'lower', to: 'upper', at: [0, 0, -1], axis: Y, initialAngle: 0.2 }),
          shoulder: revolute({ body: 'upper', at: [0, 0, 0], axis: Y, initialSpeed: 3 }),
        },
      }),
    );
    expect([...tree.parent]).toEqual([-1, 0]);
    expect([...tree.position]).toEqual([0, 0, 0, 0, 0, -1]);
    expect([...tree.centre]).toEqual([0, 0, -0.5, 0, 0, -0.5]);
    expect([nq, nv]).toEqual([2, 2]);
  });

  test('a joint written the other way round moves its coordinate the same way', () => {
    // Ground → lower by a hinge; the elbow moves `upper` against `lower`, but here written as lower against upper.
    const { tree, joints } = assemble(
      model({
        bodies: { a: point(), b: point(1) },
        joints: {
          base: fixed({ body: 'a' }),
          elbow: revolute({ body: 'a', to: 'b', at: [1, 0, 0], axis: Y, initialAngle: 0.3 }),
        },
      }),
    );
    const { nodes, reversed } = joints[1];
    expect(reversed).toBe(true);
    expect([...tree.axis.subarray(3 * nodes[0], 3 * nodes[0] + 3)].map((x) => x + 0)).toEqual([0, -1, 0]);
  });

  test.each([
    ['revolute', revolute({ body: 'a', axis: Y }), [NODE.revolute]],
    ['prismatic', prismatic({ body: 'a', axis: Y }), [NODE.prismatic]],
    ['screw', screw({ body: 'a', axis: Y, pitch: 0.01 }), [NODE.screw]],
    ['cylindrical', cylindrical({ body: 'a', axis: Y }), [NODE.prismatic, NODE.revolute]],
    ['universal', universal({ body: 'a', axis: Y, secondAxis: [1, 0, 0] }), [NODE.revolute, NODE.revolute]],
    ['spherical', spherical({ body: 'a' }), [NODE.spherical]],
    ['planar', planar({ body: 'a', normal: [0, 0, 1] }), [NODE.prismatic, NODE.prismatic, NODE.revolute]],
    ['free', free({ body: 'a' }), [NODE.prismatic, NODE.prismatic, NODE.prismatic, NODE.spherical]],
    ['fixed', fixed({ body: 'a' }), [NODE.fixed]],
  ])('%s is a chain of elementary nodes', (_, joint, kinds) => {
    const { tree } = assemble(model({ bodies: { a: point() }, joints: { joint } }));
    expect([...tree.kind]).toEqual(kinds);
  });

  test('prescribed motion takes the coordinate out of the state', () => {
    const { nq, tree, motions } = assemble(
      model({ bodies: { a: point() }, joints: { drive: revolute({ body: 'a', axis: Y, speed: 2, initialAngle: 1 }) } }),
    );
    const out = new Float64Array(3);
    motions[tree.motion[0]](3, out);
    expect(nq).toBe(0);
    expect([...out]).toEqual([7, 2, 0]);
  });

  test('rates of a motion given by its value alone', () => {
    const { motions } = assemble(
      model({
        bodies: { a: point() },
        joints: { drive: prismatic({ body: 'a', axis: Y, position: (t) => Math.sin(3 * t) }) },
      }),
    );
    const out = new Float64Array(3);
    motions[0](0.7, out);
    // Differences of order 4 over 2 ms: h⁴/30 · 3⁵ ≈ 1e-10 and rounding 1e-16/h² ≈ 1e-10
    expect(out[1]).toBeCloseTo(3 * Math.cos(2.1), 9);
    expect(out[2]).toBeCloseTo(-9 * Math.sin(2.1), 8);
  });
});

describe('loops', () => {
  const square = (last: Parameters<typeof model>[0]['joints']) =>
    model({
      bodies: { left: point(0, 0, 0.5), top: point(0.5, 0, 1), right: point(1, 0, 0.5) },
      joints: {
        a: revolute({ body: 'left', at: [0, 0, 0], axis: Y }),
        b: revolute({ body: 'top', to: 'left', at: [0, 0, 1], axis: Y }),
        c: revolute({ body: 'right', to: 'top', at: [1, 0, 1], axis: Y }),
        ...last,
      },
    });

  test('the joint with fewest rows is cut', () => {
    const system = assemble(square({ d: spherical({ body: 'right', at: [1, 0, 0] }) }));
    expect(system.constraints.map(({ name, rows }) => [name, rows.length])).toEqual([['joints.d', 3]]);
  });
  test('a joint with a motor stays in the tree', () => {
    const system = assemble(
      square({ d: revolute({ body: 'right', at: [1, 0, 0], axis: Y, motor: { target: 1, kp: 10 } }) }),
    );
    expect(system.constraints).toHaveLength(1);
    expect(system.constraints[0].name).not.toBe('joints.d');
    expect(system.constraints[0].rows).toHaveLength(5);
  });
  test('a loop of joints that all need their coordinates is refused with the reason', () => {
    const motor = { target: 1, kp: 10 };
    const all = square({ d: revolute({ body: 'right', at: [1, 0, 0], axis: Y, motor }) });
    for (const joint of ['a', 'b', 'c'])
      (all.joints as Map<string, unknown>).set(joint, { ...all.joints.get(joint)!, motor });
    expect(() => assemble(all)).toThrow(
      /joints\.\w: closes a loop whose other joints all have forces, motions or gears/,
    );
  });
  test('gears couple the coordinates they start with', () => {
    const { constraints } = assemble(
      model({
        bodies: { a: point(), b: point(1) },
        joints: {
          p: revolute({ body: 'a', axis: Y, initialAngle: 0.5 }),
          q: revolute({ body: 'b', axis: Y, initialAngle: 0.1 }),
        },
        constraints: { g: gear({ joints: ['p', 'q'], ratio: -2 }) },
      }),
    );
    expect(constraints[0].rows).toEqual([{ kind: 'coupler', coordinates: [0, 1], ratios: [1, 2], offset: 0.7 }]);
  });
  test('a switched joint is always a cut', () => {
    const system = assemble(
      model({
        bodies: { a: point(), b: point(1) },
        joints: { latch: fixed({ body: 'b', to: 'a', at: [0.5, 0, 0] }) },
        events: { undock: { at: 1, release: 'latch' } },
      }),
    );
    expect(system.joints[0].nodes).toEqual([]);
    expect(system.constraints[0]).toMatchObject({ name: 'joints.latch', activeAtStart: true });
    expect(system.tree.count).toBe(8); // two floating roots of four nodes
  });
});

describe('free bodies', () => {
  test('stay outside the tree, at their centre of mass and along principal axes', () => {
    const system = assemble(
      model({
        bodies: {
          ball: body({
            shape: sphere(0.1),
            material: steel,
            position: [1, 2, 3],
            velocity: [4, 5, 6],
            angularVelocity: [0, 0, 2],
          }),
          stick: body({ mass: 2, inertia: [3, 1, 2], centreOfMass: [0, 0, 0.5], angularVelocity: [1, 0, 0] }),
        },
      }),
    );
    expect(system.tree.count).toBe(0);
    expect([...system.free.inertia.subarray(3)]).toEqual([1, 2, 3]);
    expect([...system.initial.subarray(0, 3)]).toEqual([1, 2, 3]);
    // v of the centre = ω × (0, 0, 0.5) = (0, −0.5, 0)
    expect([...system.initial.subarray(system.nq + 6, system.nq + 9)].map((x) => x + 0)).toEqual([0, -0.5, 0]);
  });
  test('get a root in the tree as soon as a constraint holds them', () => {
    const system = assemble(
      model({ bodies: { bob: point(0, 0, -1) }, constraints: { string: rod({ from: [0, 0, 0], to: 'bob' }) } }),
    );
    expect(system.free.count).toBe(0);
    expect(system.constraints[0].rows).toMatchObject([{ kind: 'distance', length: 1 }]);
  });
  test('a rolling wheel has its holonomic row and two for rolling', () => {
    const coin = body({ mass: 1, inertia: [1, 2, 1], position: [0, 0, 0.3] });
    const { constraints } = assemble(
      model({ bodies: { coin }, constraints: { floor: rollingWheel({ body: 'coin', axis: Y, radius: 0.3 }) } }),
    );
    expect(constraints[0].rows.map(({ kind }) => kind)).toEqual(['wheel', 'roll', 'roll']);
  });
});

describe('refusals', () => {
  test('a velocity on a body that hangs on a joint', () => {
    const swinging = { ...point(), velocity: [1, 0, 0] as const };
    expect(() =>
      assemble(model({ bodies: { a: swinging }, joints: { hinge: revolute({ body: 'a', axis: Y }) } })),
    ).toThrow(/bodies\.a\.velocity: this body hangs on the joint "hinge"; give the joint an initial speed instead/);
  });
  test('a force between two points of one body', () => {
    const bodies = { a: body({ mass: 1, frames: { tip: { position: [1, 0, 0] } } }) };
    expect(() => assemble(model({ bodies, forces: { f: spring({ from: 'a', to: 'a.tip', stiffness: 1 }) } }))).toThrow(
      /both ends are on "a"/,
    );
  });
  test('forces along a prescribed coordinate', () => {
    expect(() =>
      assemble(
        model({ bodies: { a: point() }, joints: { j: revolute({ body: 'a', axis: Y, speed: 1, damping: 2 }) } }),
      ),
    ).toThrow(/its motion is prescribed, so forces along it would do nothing/);
  });
  test('a gear on a driven joint', () => {
    const joints = {
      motor: revolute({ body: 'a', axis: Y, speed: 3 }),
      wheel: revolute({ body: 'b', axis: Y, at: [1, 0, 0] }),
    };
    const mesh = { kind: 'gear', joints: ['wheel', 'motor'], ratio: -2 } as const;
    expect(() => assemble(model({ bodies: { a: point(), b: point() }, joints, constraints: { mesh } }))).toThrow(
      'constraints.mesh.joints[1]: expected a joint that is free to move, but "motor" is driven by its speed; drive "wheel" by -2 times that, too',
    );
  });

  test('stops in the wrong order', () => {
    const stops = { lower: 1, upper: -1, stiffness: 1e3 };
    expect(() =>
      assemble(model({ bodies: { a: point() }, joints: { j: revolute({ body: 'a', axis: Y, stops }) } })),
    ).toThrow(/expected lower < upper, got 1 and -1/);
  });
});

test('an applied force that reads the motion says so', () => {
  const plan = (force: unknown) =>
    assemble(model({ bodies: { a: point() }, forces: { f: applied({ on: 'a', force: force as never }) } })).elements[0];
  expect(plan([1, 0, 0])).toMatchObject({ kind: 'applied', onlyTime: true });
  expect(plan((t: number) => [t, 0, 0])).toMatchObject({ onlyTime: true });
  expect(plan((_t: number, motion: { velocity: number[] }) => motion.velocity)).toMatchObject({ onlyTime: false });
});

test('a force function that gives no vector is named with the time', () => {
  const force = (() => undefined) as never;
  const [plan] = assemble(model({ bodies: { a: point() }, forces: { push: applied({ on: 'a', force }) } })).elements;
  const motion = {
    position: [0, 0, 0],
    velocity: [0, 0, 0],
    orientation: [1, 0, 0, 0],
    angularVelocity: [0, 0, 0],
  } as const;
  expect(() => plan.kind === 'applied' && plan.wrench(0.5, motion, new Float64Array(6))).toThrow(
    'forces.push.force: t = 0.5 s: expected the function to give [x, y, z] in N, got undefined',
  );
});

test('a friction limit of 0 is no friction, and has no state', () => {
  const states = (limit: number): number =>
    assemble(
      model({
        bodies: { arm: body({ mass: 1, inertia: [1, 1, 1] }) },
        joints: { pivot: revolute({ body: 'arm', axis: [0, 0, 1], friction: { limit } }) },
      }),
    ).ns;
  expect(states(0.1)).toBe(1);
  expect(states(0)).toBe(0);
});
