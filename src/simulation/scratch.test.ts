import { test } from 'vitest';
import { halfSpace } from '../geometry/half-space.js';
import { sphere } from '../geometry/index.js';
import { model } from '../model/index.js';
import { Simulation } from './simulation.js';

const p1 = (tol: number) =>
  model({
    bodies: {
      floor: { shape: halfSpace(), fixed: true },
      ball: { shape: sphere(0.05), mass: 1.41, position: [0, 0, 0.35] },
    },
    gravity: [0, 0, -9.81],
    contacts: {
      tolerance: tol,
      defaults: { restitution: 0.7, friction: 0.4, normalLaw: { kind: 'power', stiffness: 1e9, exponent: 1.5 } },
    },
  });
test('P1', () => {
  for (const integrator of ['rodas4', 'dopri5', 'automatic'] as const)
    for (const [rtol, tol] of [
      [1e-5, 1e-1],
      [1e-5, 1e-2],
      [1e-6, 1e-2],
      [1e-6, 1e-3],
      [1e-7, 1e-3],
      [1e-8, 1e-4],
      [1e-10, 1e-6],
    ] as const) {
      const s = new Simulation(p1(tol), { stopTime: 3, rtol, integrator, interval: 0.5 });
      const t0 = performance.now();
      try {
        s.advance();
      } catch (e) {
        console.log(String(e));
        continue;
      }
      const r = s.finish();
      console.log(
        integrator,
        rtol,
        tol,
        'ms',
        (performance.now() - t0).toFixed(0),
        s.statistics.accepted,
        s.statistics.rejected,
        s.statistics.evaluations,
        'err z(1)',
        (r.signal('ball.position.z').at(2)! - 0.0552924).toExponential(2),
        'z end',
        (r.signal('ball.position.z').at(-1)! - (0.05 - ((1.41 * 9.81) / 1e9) ** (2 / 3))).toExponential(2),
        r.signal('ball.velocity.z').at(-1)?.toExponential(2),
        r.trust!.energy!.relativeError.toExponential(2),
      );
    }
});
