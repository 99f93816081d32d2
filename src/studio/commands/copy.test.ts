/** Copies and mirror images move as what they are copies of: held to runs of both. */
import { expect, test } from 'vitest';
import { modelFromJson } from '../../model/json.js';
import { Simulation } from '../../simulation/simulation.js';
import { type DataRecord, emptyDocument, type JsonModel, sceneModel } from '../document/document.js';
import { array, duplicate, mirror } from './copy.js';
import { History } from './history.js';
import { place } from './place.js';

const wedge: DataRecord = {
  shape: { wedge: { size: [0.2, 0.1, 0.05] }, translate: [0.03, 0.02, 0.01], rotate: 0.3 },
  material: 'steel',
  mass: 3,
  centreOfMass: [0.02, -0.03, 0.01],
  inertia: [0.03, 0.004, -0.002, 0.004, 0.04, 0.006, -0.002, 0.006, 0.05],
  position: [0.4, 0.1, 2],
  orientation: { axis: [1, 2, 3], angle: 0.7 },
  velocity: [0.5, -0.3, 0.2],
  angularVelocity: [3, -2, 5],
  contact: false,
};
const arm: DataRecord = { ...wedge, velocity: null as never, angularVelocity: null as never };

function scene(
  bodies: Readonly<Record<string, DataRecord>>,
  joints: Readonly<Record<string, DataRecord>> = {},
): History {
  const history = new History(emptyDocument('copies'));
  history.do(place, {
    elements: [
      ...Object.entries(bodies).map(([name, { ...value }]) => {
        for (const key of ['velocity', 'angularVelocity'] as const)
          if (value[key] === null) delete (value as never)[key];
        return { group: 'bodies' as const, name, value };
      }),
      ...Object.entries(joints).map(([name, value]) => ({ group: 'joints' as const, name, value })),
    ],
  });
  return history;
}

/** Positions of bodies' frames after 0.3 s, m */
async function ends(history: History, ...names: string[]): Promise<number[][]> {
  // gravity is not mirrored
  const model = await modelFromJson({ ...(sceneModel(history.document.value) as JsonModel), gravity: [0, 0, 0] });
  const run = new Simulation(model, { stopTime: 0.3, rtol: 1e-10 });
  run.advance(0.3);
  const recording = run.finish('finished');
  return names.map((name) => ['x', 'y', 'z'].map((axis) => recording.signal(`${name}.position.${axis}`).at(-1)!));
}

test.each([0, 1, 2] as const)('a mirror image across axis %i flies as its original does in a mirror', async (axis) => {
  const history = scene({ wedge });
  history.do(mirror, { bodies: ['wedge'], axis, at: 0.25 });
  const [a, b] = await ends(history, 'wedge', 'wedge2');
  // it has turned and flown: frames that are off the centre of mass tell of both
  expect(Math.hypot(a[0] - 0.4, a[1] - 0.1)).toBeGreaterThan(0.1);
  for (const [k, x] of b.entries()) expect(x).toBeCloseTo(k === axis ? 0.5 - a[k] : a[k], 8);
});

test.each([
  ['revolute', { speed: 2 }],
  ['prismatic', { speed: 0.3 }],
  ['spherical', { initialAngularVelocity: [1, 2, -3] }],
])('the %s joint of a part is mirrored with it', async (kind, more) => {
  const joint = { kind, body: 'arm', at: [0.5, 0, 2], ...(kind !== 'spherical' && { axis: [1, 2, 0.5] }), ...more };
  const history = scene({ arm }, { pivot: joint });
  history.do(mirror, { bodies: ['arm'], axis: 0, at: 0 });
  const [a, b] = await ends(history, 'arm', 'arm2');
  expect(Math.hypot(a[0] - 0.4, a[1] - 0.1, a[2] - 2)).toBeGreaterThan(0.02);
  for (const [k, x] of b.entries()) expect(x).toBeCloseTo(k === 0 ? -a[k] : a[k], 7);
});

test('a pendulum is copied with its pivot, one that hangs on another with both', async () => {
  const history = scene(
    { upper: arm, lower: { ...arm, position: [0.4, 0.4, 2] } },
    {
      pivot: { kind: 'revolute', body: 'upper', at: [0.4, 0, 2], axis: [1, 0, 0] },
      elbow: { kind: 'revolute', body: 'lower', to: 'upper', at: [0.4, 0.3, 2], axis: [1, 0, 0] },
    },
  );
  history.do(array, { bodies: ['upper', 'lower'], count: 3, shift: [1, 0, 0] });
  expect(sceneModel(history.document.value)!.joints).toMatchObject({
    pivot2: { body: 'upper2', at: [1.4, 0, 2] },
    elbow3: { body: 'lower3', to: 'upper3', at: [2.4, 0.3, 2] },
  });
  const [a, b] = await ends(history, 'lower', 'lower3');
  for (const [k, x] of b.entries()) expect(x).toBeCloseTo(a[k] + (k === 0 ? 2 : 0), 7);
  // alone, what hangs on a part that is not copied hangs on nothing
  history.do(duplicate, { bodies: ['lower'], shift: [0, 1, 0] });
  expect(Object.keys(sceneModel(history.document.value)!.joints!)).toHaveLength(6);
});
