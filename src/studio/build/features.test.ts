import { expect, test } from 'vitest';
import { box, cylinder, tube } from '../../geometry/primitives.js';
import { body } from '../../model/body.js';
import { steel } from '../../model/materials.js';
import { model } from '../../model/model.js';
import { sceneOf } from '../../results/scene/scene-of.js';
import { type Feature, featuresOf } from './features.js';

const found = (shape: ReturnType<typeof box>): Feature[] => {
  const { shapes } = sceneOf(model({ bodies: { part: body({ shape, material: steel }) } }));
  return featuresOf(shapes[0]);
};
const count = (features: readonly Feature[], kind: Feature['kind']): number =>
  features.filter((feature) => feature.kind === kind).length;

test('a cylinder has two circles and two flat faces, whatever chords it is drawn with', () => {
  const features = found(cylinder({ radius: 0.05, height: 0.1 }));
  expect([count(features, 'circle'), count(features, 'face')]).toEqual([2, 2]);
  for (const { axis } of features) expect(Math.abs(axis[2])).toBeCloseTo(1, 12);
});

test('a box has six faces and no circle', () => {
  const features = found(box([0.1, 0.2, 0.3]));
  expect([count(features, 'circle'), count(features, 'face')]).toEqual([0, 6]);
});

test('the ends of a hole are told from those of a pin', () => {
  const circles = found(tube({ outerRadius: 0.05, innerRadius: 0.02, height: 0.1 })).filter(
    ({ kind }) => kind === 'circle',
  );
  const ends = circles.map(({ radius, isHole }) => [Number(radius.toFixed(6)), isHole]);
  expect(ends.filter(([radius]) => radius === 0.02)).toEqual(Array(2).fill([0.02, true]));
  expect(ends.filter(([radius]) => radius === 0.05)).toEqual(Array(2).fill([0.05, false]));
});
