/** Joints that run against their end stops: the first impacts are met at every tolerance, by the method the run chooses. */
import { expect, test } from 'vitest';
import { extrude } from '../../src/geometry/extrude.js';
import { body } from '../../src/model/body.js';
import { prismatic, revolute } from '../../src/model/joints.js';
import { model } from '../../src/model/model.js';
import { simulate } from '../../src/simulation/simulation.js';
import { flexibleFourBar } from '../fixtures/flexible-four-bar.js';

// A slider of mass m to and fro at v between elastic stops ± w apart: 2w/v free, then π √(m/k) in touch
test.each([1e-3, 1e-4, 1e-6, 1e-8])('to and fro between elastic stops, rtol %f', (rtol) => {
  const [m, v, w, k] = [2, 3, 0.25, 1e6];
  const touch = Math.PI * Math.sqrt(m / k);
  const run = simulate(
    model({
      gravity: [0, 0, 0],
      bodies: { slider: body({ mass: m, inertia: [1, 1, 1] }) },
      joints: {
        rail: prismatic({
          body: 'slider',
          axis: [1, 0, 0],
          initialSpeed: v,
          stops: { lower: -w, upper: w, stiffness: k, restitution: 1 },
        }),
      },
    }),
    { stopTime: 1, interval: 1 / 64, rtol },
  );
  const exact = (t: number): number => {
    const half = (2 * w) / v + touch;
    const since = t + touch + w / v; // the lower stop would have been met
    const s = since % half;
    const x = s < touch ? -w - v * Math.sqrt(m / k) * Math.sin(s / Math.sqrt(m / k)) : -w + v * (s - touch);
    return since % (2 * half) < half ? x : -x;
  };
  const { values, times } = run.signal('rail.position');
  let worst = 0;
  values.forEach((x, i) => {
    worst = Math.max(worst, Math.abs(x - exact(times[i])));
  });
  // six impacts, each wrong by about rtol of the speed, over 3 m of way; energy goes with the square of the speed
  expect(worst).toBeLessThan(10 * rtol);
  expect(run.trust.energy!.relativeError).toBeLessThan(20 * rtol);
  if (rtol < 1e-3) expect(run.trust.verdict!.word).toBe('trusted');
});

test.each([0.9, 0.6, 0.3])('a pendulum falls on a stop, e = %f: the ledger closes at rtol 1e-4', (restitution) => {
  const run = simulate(
    model({
      bodies: { bob: body({ mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0] }) },
      joints: {
        hinge: revolute({
          body: 'bob',
          at: [0, 0, 0],
          axis: [0, 1, 0],
          stops: { lower: -0.1, upper: 1.2, stiffness: 1e7, restitution },
        }),
      },
    }),
    { stopTime: 1.5, interval: 0.01, rtol: 1e-4 },
  );
  expect(run.trust.energy!.relativeError).toBeLessThan(1e-3);
  expect(run.trust.verdict!.word).toBe('trusted');
  // ω² = 2 m g l sin φ/(m l² + I): from the horizontal by 1.2 rad; after the first impact e of it
  const speed = run.signal('hinge.speed');
  const impact = Math.sqrt((2 * 9.80665 * Math.sin(1.2)) / 1.1);
  let least = 0;
  speed.values.forEach((x) => {
    least = Math.min(least, x);
  });
  // it leaves the stop with e ω and slows down until the next row, at most by g l/1.1 · 0.01 s · cos 1.2
  expect(-least / impact).toBeLessThan(restitution * (1 + 1e-3));
  expect(-least / impact).toBeGreaterThan(restitution - 0.01);
});

// A link that deforms, much faster than the touch lasts, leaves a stop with e ω as a rigid one does: √(k/I) = 63 rad/s beside a first frequency of 9 500 rad/s.
// Damping by what the joint holds of it at the first instant gave 0.97 and 0.85.
test.each([0.8, 0.3])('a flexible link on a stop, e = %f', (restitution) => {
  const [L, h, t, density, speed] = [0.3, 0.03, 0.01, 7850, 2];
  const inertia = density * L * h * t * (L * L + (h * h) / 4) * (1 / 3);
  const run = simulate(
    model({
      gravity: [0, 0, 0],
      contacts: false,
      bodies: {
        link: body({
          shape: extrude(
            [
              [0, -h / 2],
              [L, -h / 2],
              [L, h / 2],
              [0, h / 2],
            ],
            t,
          ),
          material: { density, youngsModulus: 210e9, poissonRatio: 0.3 },
          flexible: { grid: [10, 1], modes: 2 },
        }),
      },
      joints: {
        hinge: revolute({
          body: 'link',
          axis: [0, 0, 1],
          initialSpeed: speed,
          stops: { upper: 0.02, stiffness: inertia * 63 ** 2, restitution },
        }),
      },
    }),
    { stopTime: 0.15, interval: 0.15 },
  );
  // The link goes on swinging: by some 1e-3 rad/s at the hinge
  expect(-run.signal('hinge.speed').values.at(-1)! / speed / restitution).toBeCloseTo(1, 2);
});

test('a loop with a flexible coupler on a stop of its crank, as with a rigid one', () => {
  const { bodies, joints } = flexibleFourBar(0, 0.05);
  const { rod } = bodies as Record<string, ReturnType<typeof body>>;
  const speedAfter = (coupler: object): number => {
    const main = revolute({
      body: 'crank',
      axis: [0, 0, 1],
      initialSpeed: 2,
      stops: { upper: 0.02, stiffness: 30, restitution: 0.3 },
    });
    const options = {
      gravity: [0, 0, 0],
      contacts: false,
      bodies: { ...bodies, rod: { ...rod, ...coupler } },
    } as const;
    const run = simulate(model({ ...options, joints: { ...joints, main } }), {
      stopTime: 0.1,
      interval: 0.1,
      rtol: 1e-5,
    });
    return run.signal('main.speed').values.at(-1)!;
  };
  const rigid = speedAfter({ flexible: undefined });
  const flexible = speedAfter({ material: { density: 2700, youngsModulus: 2e11, poissonRatio: 0.3 } });
  expect(rigid).toBeLessThan(-0.5);
  expect(flexible / rigid).toBeCloseTo(1, 2);
});
