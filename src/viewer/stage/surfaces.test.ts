// Bodies that deform answer to what a person does with bodies: they hide, stand alone, are seen through, and are found under the pointer where they
// are bent to. A strip in two pieces beside a wall of a mesh that is no body.
import { beforeEach, describe, expect, test } from 'vitest';
import type { Vec3 } from '../../math/vec3.js';
import type { Scene, SceneSurface } from '../../results/scene.js';
import { PointPaths } from '../page/point-paths.js';
import type { Playback } from '../playback/playback.js';
import { Bodies } from './bodies.js';
import { Materials } from './materials.js';
import { Placement } from './placement.js';
import { Surfaces } from './surfaces.js';

/** A square of side 1 in the plane x = at, with its corner at the origin of y and z */
const square = (name: string, at: number, more: object): SceneSurface =>
  ({
    name,
    vertexCount: 4,
    triangles: new Uint32Array([0, 1, 2, 0, 2, 3]),
    vertices: new Float64Array([at, 0, 0, at, 1, 0, at, 1, 1, at, 0, 1]),
    quantity: 'stress',
    unit: 'Pa',
    ...more,
  }) as unknown as SceneSurface;
const pose = { position: [0, 0, 0], orientation: [1, 0, 0, 0] };
const still = { mass: 1, centreOfMass: [0, 0, 0], fixed: false, pose, parts: [], frames: [] };
const scene = {
  up: [0, 0, 1],
  shapes: [],
  bodies: [
    { ...still, name: 'frame' },
    { ...still, name: 'strip' },
  ],
  surfaces: [
    square('wall', 5, {}),
    square('strip', 2, { modes: { frame: 'strip' } }),
    square('strip[1]', 3, { modes: { frame: 'strip[1]', whole: 'strip' } }),
  ],
} as unknown as Scene;
const [ORIGIN, ALONG]: Vec3[] = [
  [0, 0.25, 0.5],
  [1, 0, 0],
];

describe('a body that deforms', () => {
  let surfaces: Surfaces;
  let bodies: Bodies;
  const look = (): void => surfaces.setLooks((body) => bodies.looksOf(body));
  beforeEach(() => {
    const placement = new Placement(scene);
    const materials = new Materials(false);
    surfaces = new Surfaces(scene, placement, materials);
    bodies = new Bodies(scene, placement, materials);
  });

  test('is found where it is bent to, the nearer piece first; what is only drawn is not', () => {
    expect(surfaces.pick(ORIGIN, ALONG)).toMatchObject({ body: 1, distance: 2, normal: [1, 0, 0] });
    const bent = scene.surfaces.map(({ vertices }, s) => ({
      vertices: vertices.map((x, i) => (s === 1 && i % 3 === 1 ? x + 10 : x)),
      values: new Float64Array(4),
    }));
    surfaces.show(bent);
    expect(surfaces.pick(ORIGIN, ALONG)).toMatchObject({ body: 1, distance: 3 });
    expect(surfaces.pick([2.5, 0.25, 0.5], [-1, 0, 0])).toBeUndefined();
    expect(surfaces.pick([4, 0.25, 0.5], ALONG)).toBeUndefined();
  });

  test('hides with all its pieces, and where another stands alone', () => {
    expect(surfaces.points()).toHaveLength(3);
    bodies.setBody(1, { visible: false });
    look();
    expect(surfaces.points()).toHaveLength(1);
    expect(surfaces.pick(ORIGIN, ALONG)).toBeUndefined();
    bodies.setBody(1, { visible: true });
    bodies.isolate([0]);
    look();
    expect(surfaces.pick(ORIGIN, ALONG)).toBeUndefined();
    bodies.isolate(undefined);
    look();
    expect(surfaces.points()).toHaveLength(3);
    expect(surfaces.points(1)).toHaveLength(2);
  });
});

test('the path of a frame of a body that deforms is the one it goes', async () => {
  const values = Float64Array.of(0, 1, 4);
  const playback = {
    scene: { bodies: [{ ...still, frames: [{ name: 'tip', pose: { ...pose, position: [7, 0, 0] } }] }] },
    times: Float64Array.of(0, 1, 2),
    signals: ['x', 'y', 'z'].map((axis) => ({ name: `strip.tip.position.${axis}` })),
    signal: async (name: string) => ({ values: name.endsWith('y') ? values : new Float64Array(3) }),
  };
  playback.scene.bodies[0] = { ...playback.scene.bodies[0], name: 'strip' } as never;
  const path = await new Promise((done) => {
    const stage = { setTrail: (_: string, points?: Float64Array) => done(points), setDecor: () => undefined };
    new PointPaths(playback as unknown as Playback, stage, done).toggle(0, 'tip');
  });
  expect(path).toEqual(Float64Array.of(0, 0, 0, 0, 1, 0, 0, 4, 0));
});
