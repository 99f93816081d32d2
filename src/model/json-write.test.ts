import { expect, test } from 'vitest';
import { intersect, subtract, union } from '../geometry/csg/boolean.js';
import { extrude } from '../geometry/extrude.js';
import { halfSpace } from '../geometry/half-space.js';
import { convexHull } from '../geometry/hull.js';
import {
  box,
  capsule,
  cone,
  cylinder,
  ellipsoid,
  frustum,
  regularPrism,
  sphere,
  torus,
  tube,
  wedge,
} from '../geometry/primitives.js';
import { revolve } from '../geometry/revolve.js';
import type { Solid } from '../geometry/solid.js';
import { mirror, rotate, scale, transform, translate } from '../geometry/transform.js';
import { Simulation } from '../simulation/simulation.js';
import { applied, lineForce, spring } from './forces.js';
import { prismatic, revolute } from './joints.js';
import { modelFromJson } from './json.js';
import { printJson } from './json-print.js';
import { modelToJson } from './json-write.js';
import { concrete, steel } from './materials.js';
import { type Model, type ModelOptions, model } from './model.js';
import { firstDifference } from './same-model.js';

/** Through the text of a file */
const again = async (given: Model): Promise<Model> =>
  modelFromJson(JSON.parse(JSON.stringify(modelToJson(given).model)));
const withShape = (shape: Solid | Solid[]): Model => model({ bodies: { part: { shape, material: steel } } });

const KEY = [
  [0, 0],
  [10e-3, 0, 1],
  [10e-3, 4e-3],
  [0, 4e-3, 0.3],
] as const;
const plate = extrude(
  {
    outer: [
      [-0.1, -0.1],
      [0.1, -0.1],
      [0.1, 0.1],
      [-0.1, 0.1],
    ],
    holes: [
      [
        [0.02, 0, 1],
        [-0.02, 0, 1],
      ],
    ],
  },
  0.01,
);
const SOLIDS: Readonly<Record<string, Solid | Solid[]>> = {
  box: box(0.1),
  'box of three edges': box([0.1, 0.2, 0.3]),
  sphere: sphere(0.3, { edgeLength: 0.05 }),
  ellipsoid: ellipsoid([0.1, 0.2, 0.3], { subdivision: 3 }),
  cylinder: cylinder({ radius: 0.1, height: 0.2, segments: 12 }),
  tube: tube({ outerRadius: 0.2, innerRadius: 0.1, height: 0.3 }),
  cone: cone({ radius: 0.1, height: 0.3 }),
  frustum: frustum({ bottomRadius: 0.1, topRadius: 0.05, height: 0.3 }),
  capsule: capsule({ radius: 0.1, height: 0.3 }),
  torus: torus({ majorRadius: 0.2, minorRadius: 0.05 }),
  wedge: wedge({ size: [0.3, 0.2, 0.1], top: 0.1 }),
  prism: regularPrism({ sides: 7, radius: 0.1, height: 0.2 }),
  'extrusion with arcs and a hole': plate,
  'twisted extrusion of three layers': extrude(KEY, 0.1, { twist: 0.3, scale: 0.5, layers: 3 }),
  revolution: revolve(
    [
      [0.1, 0],
      [0.2, 0],
      [0.2, 0.1],
    ],
    { angle: 2, segments: 9 },
  ),
  hull: {
    mesh: convexHull([
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
      [0.1, 0.1, 0.1],
    ]),
    form: { kind: 'mesh' },
    pose: box(1).pose,
  },
  'moves in an order of their own': rotate(
    0.7,
    translate([0.1, 0.2, 0.3], rotate({ axis: [1, 2, 3], angle: 1.1 }, box(0.1))),
    [0.3, 0.1, 0],
  ),
  'quaternion, then shift': translate(
    [1, 2, 3],
    rotate([0.9, 0.1, 0.3, 0.2].map((q) => q / Math.sqrt(0.95)) as never, cylinder({ radius: 0.1, height: 0.4 })),
  ),
  'scaled, mirrored, sheared': transform(
    [
      [1, 0.2, 0, 0],
      [0, 1, 0, 0],
      [0, 0, 1, 5e-3],
    ],
    mirror([1, 1, 0], scale([1, 2, 3], plate)),
  ),
  'cut, cut again and moved': translate(
    [0, 0, 0.3],
    subtract(rotate(0.2, subtract(plate, translate([0.05, 0, 0], cylinder({ radius: 0.01, height: 0.1 })))), box(0.03)),
  ),
  'prisms on one axis': union(
    cylinder({ radius: 0.1, height: 0.2 }),
    translate([0.15, 0, 0], cylinder({ radius: 0.1, height: 0.2 })),
  ),
  'what two have in common, in red': {
    ...intersect(sphere(0.1), translate([0.1, 0, 0], sphere(0.1))),
    colour: [1, 0, 0, 1],
  },
  'a list of one': [sphere(0.1)],
  several: [sphere(0.1), translate([0.3, 0, 0], box(0.1))],
};

test.each(Object.entries(SOLIDS))('%s is made again to the bit', async (_, shape) => {
  const given = withShape(shape);
  expect(modelToJson(given).lost).toEqual([]);
  expect(firstDifference(given, await again(given))).toBeUndefined();
});

test('a solid that somebody put together by hand keeps its triangles, and the loss of its form is said', async () => {
  const given = withShape({ ...box(0.1), form: { kind: 'box', size: [0.1, 0.1, 0.1] } });
  const { lost } = modelToJson(given);
  expect(lost).toEqual([{ path: 'bodies.part.shape', why: expect.stringContaining('exact form (box) is not') }]);
  const solidOf = (of: Model) => of.bodies.get('part')!.shape as Solid;
  const solid = solidOf(await again(given));
  expect(solid.form.kind).toBe('mesh');
  expect(solid.mesh).toEqual(solidOf(given).mesh);
});

const MACHINE: ModelOptions = {
  title: 'all kinds of things',
  gravity: [0, 0, -3.71],
  bodies: {
    floor: { shape: halfSpace(), material: concrete, fixed: true },
    ball: [0, 1].map((i) => ({
      shape: sphere(0.05),
      material: { ...steel, friction: 0.31 },
      position: [0.3 * i, 0, 0.06],
    })),
    arm: {
      shape: translate([0.25, 0, 0], box([0.5, 0.02, 0.02])),
      material: steel,
      position: [0, 1, 1],
      frames: { tip: { position: [0.5, 0, 0] } },
      contact: { group: 'arms', touches: 'default' },
    },
    slide: { mass: 2, inertia: [1, 1, 1], position: [0, 2, 0], orientation: { axis: [0, 0, 1], angle: 0.3 } },
  },
  joints: {
    shoulder: revolute({
      body: 'arm',
      axis: [0, 1, 0],
      at: [0, 1, 1],
      motor: { target: { kind: 'ramp', to: 1, duration: 0.2 }, kp: 30, kd: 1 },
    }),
    guide: prismatic({ body: 'slide', axis: [1, 0, 0], position: { kind: 'sine', amplitude: 0.1, frequency: 3 } }),
  },
  forces: {
    pull: spring({ from: [0, 1, 2], to: 'arm.tip', stiffness: 40, damping: 0.2 }),
    push: applied({ on: 'ball[0]', force: [1, 0, 0] }),
  },
  contacts: {
    defaults: { restitution: 0.4 },
    pairs: [{ between: ['ball', 'floor'], frictionLaw: { kind: 'tanh' } }],
    sensors: [['ball[0]', 'floor']],
  },
  events: { end: { at: 0.05, stop: true } },
  plots: { tip: 'arm.position.*' },
};

test('joints, motors, motions, springs, forces, groups, sensors and events: the same recording', async () => {
  const given = model(MACHINE);
  const { model: written, lost } = modelToJson(given);
  expect(lost).toEqual([]);
  expect(written.bodies).toMatchObject({
    floor: { material: 'concrete' },
    ball: [{}, { material: { friction: 0.31 } }],
  });
  const read = await again(given);
  expect(firstDifference(given, read)).toBeUndefined();
  const hash = (of: Model): string => {
    const run = new Simulation(of, { stopTime: 0.03 });
    run.advance(0.03);
    return run.finish('finished').hash;
  };
  expect(hash(read)).toBe(hash(given));
});

test('functions are named with their path, and what takes their place is said', async () => {
  const given = model({
    ...MACHINE,
    gravity: () => [0, 0, -1],
    joints: {
      shoulder: revolute({ body: 'arm', axis: [0, 1, 0], at: [0, 1, 1], motor: { target: (t) => t, kp: 30 } }),
      guide: prismatic({ body: 'slide', axis: [1, 0, 0], position: (t) => t * t }),
    },
    forces: {
      own: lineForce({ from: [0, 1, 2], to: 'arm.tip', law: (length) => -length }),
      wind: applied({ on: 'ball[0]', force: (t) => [t, 0, 0] }),
      half: applied({ on: 'ball[1]', force: (t) => [t, 0, 0], torque: [0, 0, 1] }),
    },
    contacts: { defaults: { normalLaw: ({ depth }) => 1e5 * depth } },
    events: { high: { when: (signal) => signal('arm.position.z') - 1 } },
    plots: {},
  });
  const { lost } = modelToJson(given);
  expect(lost.map(({ path }) => path)).toEqual([
    'gravity',
    'joints.shoulder.motor',
    'joints.guide.position',
    'forces.own',
    'forces.wind',
    'forces.half.force',
    'contacts.defaults.normalLaw',
    'events.high',
  ]);
  const read = await again(given);
  expect(firstDifference(given, read)).toBe('contacts.defaults.normalLaw');
  expect(
    firstDifference(
      given,
      read,
      lost.map(({ path }) => path),
    ),
  ).toBeUndefined();
});

test('printed, a point stands in a line and the data are the same', () => {
  const { model: data } = modelToJson(model(MACHINE));
  const text = printJson(data);
  expect(JSON.parse(text)).toEqual(data);
  expect(text).toContain('"gravity": [0, 0, -3.71],\n');
  expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThan(130);
});

test('a mesh in a file is checked', async () => {
  const tetrahedron = {
    vertices: [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ],
    triangles: [
      [0, 2, 1],
      [0, 1, 3],
      [1, 2, 3],
      [0, 3, 2],
    ],
  };
  const read = (mesh: object) => modelFromJson({ bodies: { a: { shape: { mesh }, material: 'steel' } } });
  await expect(read(tetrahedron)).resolves.toBeDefined();
  await expect(read({ ...tetrahedron, triangles: tetrahedron.triangles.slice(1) })).rejects.toThrow(
    /bodies\.a\.shape\.mesh/,
  );
  await expect(read({ ...tetrahedron, triangles: [[0, 1, 9]] })).rejects.toThrow(
    'bodies.a.shape.mesh.triangles[0]: expected places of vertices from 0 to 3, got [0,1,9]',
  );
  await expect(modelFromJson({ bodies: { a: { shape: { box: { size: 1 }, moves: [{ turn: 1 }] } } } })).rejects.toThrow(
    /moves\[0\].*"rotate"/,
  );
});
