import { describe, expect, test } from 'vitest';
import { mutate } from '../../../tests/fuzz/mutate.js';
import { FileError } from '../../errors.js';
import { halfSpace } from '../../geometry/half-space.js';
import { box } from '../../geometry/primitives.js';
import { sphere } from '../../geometry/sphere.js';
import { translate } from '../../geometry/transform.js';
import { rotate } from '../../math/quaternion.js';
import { body } from '../../model/body.js';
import { rod } from '../../model/constraints.js';
import { applied, spring } from '../../model/forces.js';
import { revolute, universal } from '../../model/joints.js';
import { steel } from '../../model/materials.js';
import { model } from '../../model/model.js';
import { surface } from '../../model/surfaces.js';
import { readScene, sceneBytes } from './scene-bytes.js';
import { sceneOf } from './scene-of.js';

const half = Math.SQRT1_2;
const ball = box([1, 2, 3]);
const machine = () =>
  model({
    title: 'machine',
    gravity: [0, 0, -2],
    bodies: {
      floor: body({ shape: halfSpace(), fixed: true }),
      // turned by 90° about z: its x axis is the world's y axis
      arm: body({
        shape: [ball, translate([1, 0, 0], ball)],
        material: steel,
        position: [1, 2, 3],
        orientation: [half, 0, 0, half],
        frames: { tip: { position: [0, 0, 5] } },
        colour: [1, 0, 0, 1],
      }),
      bob: body({ mass: 2, inertia: [1, 1, 1], position: [4, 0, 0] }),
      grains: [0, 1, 2].map((i) => body({ shape: sphere(0.1), material: steel, position: [i, 9, 9] })),
    },
    joints: {
      hinge: revolute({ body: 'arm', at: [1, 3, 3], axis: [0, 0, 2], motor: { targetSpeed: 1, kd: 1 } }),
      cross: universal({ body: 'bob', to: 'arm', axis: [0, 1, 0], secondAxis: [1, 0, 0] }),
    },
    constraints: { link: rod({ from: 'arm.tip', to: [0, 0, 1] }) },
    forces: {
      coil: spring({ from: [0, 0, 1], to: { body: 'arm', at: [1, 4, 3] }, stiffness: 5 }),
      wind: applied({ on: 'bob', force: [1, 0, 0] }),
    },
    surfaces: {
      membrane: surface({
        triangles: [[0, 1, 2]],
        vertices: (t) => [
          [0, 0, t],
          [1, 0, 0],
          [0, 1, 0],
        ],
        quantity: 'stress',
        unit: 'Pa',
        colour: [0, 1, 0, 1],
      }),
    },
    plots: { heights: '*.position.z' },
  });

describe('the scene of a model', () => {
  const scene = sceneOf(machine());
  const [floor, arm, bob] = scene.bodies;

  test('has bodies with what they weigh and where they are', () => {
    expect(scene.bodies.map(({ name }) => name)).toEqual([
      'floor',
      'arm',
      'bob',
      'grains[0]',
      'grains[1]',
      'grains[2]',
    ]);
    expect(floor).toMatchObject({ fixed: true, mass: 0 });
    expect(arm.mass).toBeCloseTo(12 * steel.density, 6);
    expect(arm.centreOfMass).toEqual([0.5, 0, 0]);
    expect(arm.pose.position).toEqual([1, 2, 3]);
    expect(arm.pose.orientation[3]).toBeCloseTo(half, 15);
    expect(arm.frames).toEqual([{ name: 'tip', pose: { position: [0, 0, 5], orientation: [1, 0, 0, 0] } }]);
    expect(bob).toMatchObject({ mass: 2, parts: [] });
    expect(scene.up).toEqual([0, 0, 1]);
    expect(scene.plots).toEqual({ heights: ['*.position.z'] });
  });

  test('shares shapes: equal ones are one, and none is a copy', () => {
    // floor, two boxes, and one sphere for three grains that were made one by one
    expect(scene.shapes.map(({ form }) => form)).toEqual(['halfSpace', 'box', 'box', 'sphere']);
    expect(scene.shapes[1].vertices).toBe(ball.mesh.vertices);
    expect(scene.shapes[3].radius).toBe(0.1);
    expect(scene.shapes[3].exact?.form).toEqual({ kind: 'sphere', radius: 0.1 });
    expect(scene.shapes.map(({ exact }) => exact !== undefined)).toEqual([true, false, false, true]);
    expect(scene.bodies.slice(3).map(({ parts }) => parts)).toEqual(
      Array.from({ length: 3 }, () => [{ shape: 3, material: 'steel' }]),
    );
    expect(arm.parts).toEqual([
      { shape: 1, colour: [1, 0, 0, 1], material: 'steel' },
      { shape: 2, colour: [1, 0, 0, 1], material: 'steel' },
    ]);
  });

  test('has points and axes in the frames of their bodies', () => {
    const [hinge, cross] = scene.joints;
    // (1, 3, 3) is 1 m along the world's y from the arm's origin, which is the arm's own x
    expect(hinge).toMatchObject({ kind: 'revolute', at: { body: 1 }, to: -1, driven: true });
    expect(cross).not.toHaveProperty('driven');
    const near = (a: readonly number[], b: readonly number[]) => {
      for (const [k, x] of b.entries()) expect(a[k]).toBeCloseTo(x, 12);
    };
    near(hinge.at.position, [1, 0, 0]);
    near(hinge.axes[0], [0, 0, 1]);
    expect(cross).toMatchObject({ kind: 'universal', at: { body: 2 }, to: 1 });
    near(cross.axes[0], [0, 1, 0]);
    near(cross.axes[1], [1, 0, 0]);
    near(rotate(arm.pose.orientation, cross.axisOnTo!), [0, 1, 0]);
    const [coil, link] = scene.springs;
    expect(coil).toMatchObject({
      name: 'coil',
      kind: 'spring',
      from: { body: -1, position: [0, 0, 1] },
      to: { body: 1 },
    });
    near(coil.to.position, [2, 0, 0]);
    expect(coil.freeLength).toBeCloseTo(Math.sqrt(1 + 16 + 4), 12);
    expect(link).toMatchObject({ kind: 'rod', from: { body: 1, position: [0, 0, 5] } });
  });

  test('has surfaces as they are at the start', () => {
    expect(scene.surfaces[0]).toMatchObject({ name: 'membrane', vertexCount: 3, quantity: 'stress', unit: 'Pa' });
    expect([...scene.surfaces[0].vertices]).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0]);
  });

  test.each([
    ['none', [0, 0, 1]],
    [
      [0, 3, 0],
      [0, -1, 0],
    ],
    [
      [0, 0, 0],
      [0, 0, 1],
    ],
    [{ mu: 1 }, [0, 1, 0]],
    [() => [-2, 0, 0] as const, [1, 0, 0]],
  ] as const)('up is against gravity %s', (gravity, up) => {
    const { up: found } = sceneOf(model({ gravity, bodies: { a: body({ mass: 1, position: [0, 5, 0] }) } }));
    expect(found).toEqual(up);
  });

  test('a shape that tells no mass can be looked at', () => {
    const { mesh, ...rest } = box([1, 1, 1]);
    const open = { ...rest, form: { kind: 'mesh' as const }, mesh: { ...mesh, triangles: mesh.triangles.slice(3) } };
    const { bodies } = sceneOf(model({ bodies: { a: body({ shape: open, material: steel }) } }));
    expect(bodies[0].mass).toBeNaN();
  });
});

describe('a scene as bytes', () => {
  const scene = sceneOf(machine());

  test('comes back with every bit', () => {
    const bytes = sceneBytes(scene);
    expect(readScene(bytes, 'a.h5')).toEqual(scene);
    expect(sceneBytes(scene)).toBe(bytes);
  });

  test('colours of triangles and vertices come along', () => {
    const { mesh } = ball;
    const triangleColours = Uint8Array.from(mesh.triangles, (_, i) => i);
    const vertexColours = Uint8Array.from(mesh.vertices, (_, i) => 200 - i);
    const solid = { ...ball, triangleColours, vertexColours };
    const coloured = sceneOf(
      model({ bodies: { a: body({ shape: solid, material: steel }), b: body({ shape: ball, material: steel }) } }),
    );
    expect(coloured.shapes).toHaveLength(2); // the same mesh, once with colours
    const [shape] = readScene(sceneBytes(coloured), 'a.h5').shapes;
    expect(shape.triangleColours).toEqual(triangleColours);
    expect(shape.vertexColours).toEqual(vertexColours);
  });

  test('5050 balls take one shape and few bytes', () => {
    const shared = sphere(0.5);
    const balls = Array.from({ length: 5050 }, (_, i) =>
      body({
        shape: i % 20 === 0 ? sphere(0.5) : shared,
        material: steel,
        position: [(i % 100) * 1.01, Math.floor(i / 100) * 0.87, 0],
      }),
    );
    const billiard = sceneOf(model({ bodies: { ball: balls } }));
    expect(billiard.shapes).toHaveLength(1);
    expect(sceneBytes(billiard).length).toBeLessThan(150_000);
  });

  test('foreign, cut and damaged bytes are refused or give a scene that can be drawn', () => {
    const bytes = sceneBytes(scene);
    expect(() => readScene(new Uint8Array(20), 'a.h5')).toThrow(
      new FileError('a.h5', 'scene', 'expected "ttscene1" at its start'),
    );
    for (let n = 0; n < bytes.length; n += 37) expect(() => readScene(bytes.slice(0, n), 'a.h5')).toThrow(FileError);
    for (let seed = 0; seed < 150; seed++)
      try {
        const found = readScene(mutate([bytes], 5, seed).bytes, 'a.h5');
        for (const { vertices, triangles } of found.shapes)
          expect(triangles.every((vertex) => vertex < vertices.length / 3)).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(FileError);
      }
  });
});
