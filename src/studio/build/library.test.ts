/** Every tile gives parts that can be built, of about the size asked for, above the floor; and runs. */
import { expect, test } from 'vitest';
import { modelFromJson } from '../../model/json.js';
import { sceneOf } from '../../results/scene/scene-of.js';
import { place } from '../commands/place.js';
import { emptyDocument, type JsonModel, sceneModel } from '../document/document.js';
import { MACHINES, MORE, SHAPES } from './library.js';
import { cornersOf, suitableSize } from './place-on-floor.js';

test.each([...SHAPES, ...MACHINES, ...MORE].map((item) => [item.name, item] as const))('%s', async (_, item) => {
  const size = 0.1;
  const elements = item.make([0.3, 0, 0], size);
  const document = place.apply(emptyDocument('tile'), { elements });
  const scene = sceneOf(await modelFromJson(sceneModel(document) as JsonModel));
  const corners = scene.bodies.flatMap(({ name }) => cornersOf(scene, name));
  const heights = corners.map(([, , z]) => z);
  expect(Math.min(...heights)).toBeGreaterThan(-1e-9);
  const across = corners.map(([x]) => x);
  const width = Math.max(...across) - Math.min(...across);
  expect(width).toBeGreaterThan(0.4 * size);
  expect(width).toBeLessThan(4.5 * size);
  // The next part is as large as this one was meant to be, however often a tile is pressed: a Geneva grew 1.9 times each time
  expect(suitableSize(scene) / size).toBeGreaterThan(0.87);
  expect(suitableSize(scene) / size).toBeLessThan(1.13);
});
