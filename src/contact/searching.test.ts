import { expect, test, vi } from 'vitest';
import { ContactScene } from '../../tests/fixtures/contact-scene.js';
import { extrude } from '../geometry/extrude.js';
import { fromRotationVector, type Quaternion } from '../math/quaternion.js';
import { random } from '../math/random.js';
import type { Vec3 } from '../math/vec3.js';
import { body } from '../model/body.js';
import { model } from '../model/model.js';
import { ContactPatches } from '../narrow-phase/contact-patches.js';
import type { Workbench } from './pair-regions.js';

// A hook and a bar, concave: their route searches, and that is what costs
const hook = extrude(
  [
    [0, 0],
    [0.1, 0],
    [0.1, 0.1],
    [0.08, 0.1],
    [0.08, 0.02],
    [0, 0.02],
  ],
  0.03,
);
const steel = { density: 7800, youngsModulus: 2e11, poissonRatio: 0.3 };
const scene = (): ContactScene =>
  new ContactScene(
    model({
      gravity: 'none',
      bodies: {
        fixed: body({ shape: hook, fixed: true, material: steel }),
        loose: body({ shape: hook, material: steel, position: [-0.03, 0.025, 0] }),
      },
    }),
  ).start();

const looked = (of: ContactScene) => {
  const pair = of.pair('fixed', 'loose');
  return { pair, find: vi.spyOn(pair.route, 'find') };
};

test('a second look at the same poses does not search again', () => {
  const of = scene();
  of.place('loose', [-0.03, 0.0199, 0]);
  of.accept();
  const { pair, find } = looked(of);
  of.place('loose', [-0.03, 0.0198, 0]);
  expect(of.regions(pair).length).toBe(1);
  const depth = pair.patches.depth[0];
  expect(find).toHaveBeenCalledTimes(1);
  of.regions(pair);
  expect(find).toHaveBeenCalledTimes(1);
  expect(pair.patches.depth[0]).toBe(depth);
  of.place('loose', [-0.03, 0.0197, 0]);
  of.regions(pair);
  expect(find).toHaveBeenCalledTimes(2);
  expect(pair.patches.depth[0]).toBeGreaterThan(depth);
});

test('who has not come as far as to touch is not searched for; who has, is found as ever', () => {
  const of = scene();
  of.place('loose', [-0.03, 0.025, 0]); // 5 mm apart
  of.accept();
  const { pair, find } = looked(of);
  const bench = Reflect.get(pair, 'bench') as Workbench;
  const numbers = random(7);
  const next = (): number => numbers.uniform();
  const fresh = new ContactPatches();
  let [searched, skipped, touching] = [0, 0, 0];
  for (let i = 0; i < 400; i++) {
    const shift = (): number => 6e-3 * (next() - 0.5);
    const position: Vec3 = [-0.03 + shift(), 0.023 + shift(), shift()];
    const turn: Quaternion = fromRotationVector([0.1 * (next() - 0.5), 0.1 * (next() - 0.5), 0.1 * (next() - 0.5)]);
    of.place('loose', position, turn);
    const before = find.mock.calls.length;
    const count = of.regions(pair).length;
    if (find.mock.calls.length > before) searched++;
    else skipped++;
    // the route itself, asked without any memory
    fresh.clear();
    bench.place(pair.route.a, pair.route.b);
    pair.route.find(bench.poses, 0, fresh, false);
    expect(count).toBe(fresh.count);
    if (count > 0) touching++;
  }
  expect(touching).toBeGreaterThan(20);
  expect(skipped).toBeGreaterThan(20);
  expect(searched).toBeGreaterThan(20);
});
