import { expect, test } from 'vitest';
import { ContactScene } from '../../tests/fixtures/contact-scene.js';
import { sphere } from '../geometry/primitives.js';
import { body } from '../model/body.js';
import { model } from '../model/model.js';

const wax = { name: 'wax', density: 1000, youngsModulus: 1e7, poissonRatio: 0.3 };

// A ball that passes forty others, box in box and 27 mm apart: each pair is listed for a while, and none stays known.
test('pairs that only passed each other are forgotten, but one of each two materials, for the notes', () => {
  const post = (i: number) => body({ shape: sphere(0.05), position: [i, 0.09, 0.09], fixed: true, material: wax });
  const scene = new ContactScene(
    model({
      gravity: 'none',
      bodies: {
        posts: Array.from({ length: 40 }, (_, i) => post(i)),
        ball: body({ shape: sphere(0.05), position: [-0.5, 0, 0], material: wax, velocity: [1, 0, 0] }),
      },
    }),
  ).start();
  const rates = new Float64Array(scene.y.length);
  let listed = 0;
  for (let i = 0; i < 2000; i++) {
    scene.place('ball', [-0.5 + 0.0205 * i, 0, 0]);
    scene.contacts.stepLimit(scene.time, scene.y, rates, 0.02);
    scene.accept();
    listed = Math.max(listed, scene.contacts.pairs.length);
  }
  expect(listed).toBeGreaterThan(0);
  expect(listed).toBeLessThan(3);
  expect(scene.contacts.met.length).toBeLessThan(4);
});
