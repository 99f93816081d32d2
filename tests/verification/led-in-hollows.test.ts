// What a hollow leads along a curve, without being driven: energy must not come and go with the steps. Stages that are linearised leave the surface by half the
// curvature of the way, and the energy of these models drifted by 1e-3 to 3e-3 of what moved; stages that are solved for stay on it.
import { expect, test } from 'vitest';
import { body, circle, cylinder, extrude, model, planar, Simulation, steel, tube } from '../../src/index.js';

const contacts = { defaults: { friction: 0.1, restitution: 0.3 } };

/** An arm of 0.2 m hangs on a pin of 10 mm and swings from 1 rad/s; its hole is wider by twice the play. */
function armOnPin(play: number, rtol = 1e-6) {
  const hole = circle(0.005 + play);
  const arm = model({
    gravity: [0, -9.81, 0],
    bodies: {
      pin: body({ shape: extrude(circle(0.005), 0.01), fixed: true, material: steel }),
      arm: body({
        shape: extrude(
          { outer: [[-0.01, -0.2], [0.01, -0.2], [0.01, 0.01], [-0.01, 0.01]], holes: [hole] }, // biome-ignore format: one line
          0.01,
        ),
        material: steel,
        position: [0, -play, 0],
      }),
    },
    joints: { plane: planar({ body: 'arm', normal: [0, 0, 1], at: [0, -play, 0], initialSpin: 1 }) },
    contacts,
  });
  const simulation = new Simulation(arm, { stopTime: 1, rtol });
  simulation.advance();
  return simulation.finish();
}

// Heat of friction against 8.43027e-4 J and 8.4304e-4 J, by ESDIRK and Radau IIA at rtol 1e-8, of 100 µm of play
test.each([1e-5, 3e-5, 1e-4, 1e-3])('an arm on a pin with %f m of play', (play) => {
  const run = armOnPin(play);
  const { trust } = run;
  expect(trust.verdict!.word).toBe('trusted');
  expect(trust.integrator).toMatchObject({ method: 'esdirk4' });
  expect(trust.energy!.relativeError).toBeLessThan(4e-4);
  if (play === 1e-4) expect(Math.abs(run.signal('energy.dissipated').at(-1)! / 8.4303e-4 - 1)).toBeLessThan(1e-3);
});

test('a ring rolls about a rod', () => {
  const ring = model({
    bodies: {
      rod: body({
        shape: cylinder({ radius: 0.01, height: 0.1 }),
        fixed: true,
        material: steel,
        orientation: { axis: [1, 0, 0], angle: Math.PI / 2 },
      }),
      ring: body({
        shape: tube({ outerRadius: 0.04, innerRadius: 0.03, height: 0.01 }),
        material: steel,
        position: [0, 0, -0.02],
        orientation: { axis: [1, 0, 0], angle: Math.PI / 2 },
        angularVelocity: [0, 2, 0],
      }),
    },
    contacts: { defaults: { friction: 0.3, restitution: 0.2 } },
  });
  const simulation = new Simulation(ring, { stopTime: 1 });
  simulation.advance();
  const { trust } = simulation.finish();
  expect(trust.verdict!.word).toBe('trusted');
  expect(trust.energy!.relativeError).toBeLessThan(3e-4);
  expect(trust.steps!.accepted).toBeLessThan(250);
});
