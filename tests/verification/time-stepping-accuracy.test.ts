// Steps that choose themselves: ten scenes of sliding, rocking, tipping, pushing, bouncing, rolling, spinning, falling. Asked for an accuracy, places at the end are within
// three times of it. Against: fixed steps, extrapolated to none; blows make that extrapolation itself uncertain by up to half of what is asked here.
import { expect, test } from 'vitest';
import {
  type BodyOptions,
  body,
  box,
  cylinder,
  halfSpace,
  type Model,
  model,
  oak,
  type SimulationOptions,
  simulate,
  sphere,
} from '../../src/index.js';

const ACCURACY = 3e-4;
const cube = box([0.1, 0.1, 0.1]);
const slab = box([0.2, 0.2, 0.1]);
const post = box([0.1, 0.1, 0.4]);

function scene(things: Record<string, BodyOptions>, friction: number, restitution = 0, slope = 0): Model {
  const bodies = Object.entries(things).map(([name, thing]) => [name, body({ material: oak, ...thing })]);
  return model({
    gravity: [9.81 * Math.sin(slope), 0, -9.81 * Math.cos(slope)],
    bodies: { floor: body({ shape: halfSpace(), material: oak, fixed: true }), ...Object.fromEntries(bodies) },
    contacts: { defaults: { friction, restitution }, records: false },
  });
}

const lean = 0.1;
const leaning: BodyOptions = {
  shape: post,
  position: [0.05 * Math.cos(lean) + 0.2 * Math.sin(lean) - 0.05, 0, 0.05 * Math.sin(lean) + 0.2 * Math.cos(lean)],
  orientation: [Math.cos(lean / 2), 0, Math.sin(lean / 2), 0],
};

const scenes: Record<string, readonly [Model, number]> = {
  slides: [scene({ a: { shape: slab, position: [0, 0, 0.05], velocity: [3, 0, 0] } }, 0.4), 1],
  'slides down a slope': [scene({ a: { shape: slab, position: [0, 0, 0.05] } }, 0.2, 0, 0.4), 0.8],
  rocks: [scene({ a: leaning }, 0.8), 0.35],
  tips: [scene({ a: { shape: post, position: [0, 0, 0.2], angularVelocity: [0, 1.2, 0] } }, 0.9), 0.3],
  pushes: [
    scene(
      {
        a: { shape: cube, position: [0, 0, 0.05], velocity: [2, 0, 0] },
        b: { shape: cube, position: [0.25, 0.02, 0.05] },
      },
      0.3,
    ),
    0.6,
  ],
  bounces: [scene({ a: { shape: sphere(0.05), position: [0, 0, 0.3], velocity: [1, 0, 0] } }, 0.3, 0.5), 0.8],
  rolls: [scene({ a: { shape: sphere(0.1), position: [0, 0, 0.1], velocity: [2, 0, 0] } }, 0.3), 0.8],
  spins: [
    scene(
      {
        a: {
          shape: cylinder({ radius: 0.1, height: 0.05 }),
          position: [0, 0, 0.025],
          velocity: [1, 0, 0],
          angularVelocity: [0, 0, 20],
        },
      },
      0.3,
    ),
    0.5,
  ],
  falls: [
    scene({ a: { shape: box([0.2, 0.1, 0.05]), position: [0, 0, 0.3], angularVelocity: [1, 2, 0.5] } }, 0.5),
    0.22,
  ],
  stacks: [
    scene(
      {
        a: { shape: cube, position: [0, 0, 0.0505] },
        b: { shape: cube, position: [0.03, 0, 0.1515] },
        c: { shape: cube, position: [0.01, 0.02, 0.2525] },
      },
      0.5,
    ),
    0.4,
  ],
};

function places([given, stopTime]: readonly [Model, number], options: SimulationOptions): number[] {
  const run = simulate(given, { integrator: 'time-stepping', stopTime, interval: stopTime, ...options });
  const things = [...given.bodies.keys()].filter((name) => name !== 'floor');
  return things.flatMap((name) => ['x', 'y', 'z'].map((axis) => run.signal(`${name}.position.${axis}`).values.at(-1)!));
}

test.each(Object.entries(scenes))('%s within three times the accuracy', (_, given) => {
  const coarse = places(given, { step: 1e-4 });
  const fine = places(given, { step: 5e-5 });
  const chosen = places(given, { accuracy: ACCURACY });
  for (const [i, place] of chosen.entries())
    expect(Math.abs(place - (2 * fine[i] - coarse[i]))).toBeLessThan(3 * ACCURACY);
});
