import { test } from 'vitest';
import { simulate } from '../../simulation/index.js';
import { body, model } from '../../model/index.js';
import { cylinder, halfSpace } from '../../geometry/index.js';
import { rotate } from '../../index.js';
const g = 9.81;
test('roll', () => {
  for (const E of [2e11, 1e9, 4.5e5]) for (const restitution of [0.5, 0.9]) {
    const R = 0.5, H = 1, alpha = 0.2;
    const material = { name: 'm', density: 1 / (Math.PI * R * R * H), youngsModulus: E, poissonRatio: 0.4, restitution, friction: 0.4 };
    const m = model({
      gravity: [g * Math.sin(alpha), 0, -g * Math.cos(alpha)],
      bodies: {
        floor: body({ shape: halfSpace(), material, fixed: true }),
        wheel: body({ shape: rotate({ axis: [1, 0, 0], angle: Math.PI / 2 }, cylinder({ radius: R, height: H })), material, position: [0, 0, R], mass: 1, inertia: [0.15, 0.125, 0.15], orientation: { axis: [1, 0, 0], angle: 0 } } as never),
      },
    });
    // inertia about y is the axis
    const t0 = Date.now();
    const run = simulate(m, { stop: 2, interval: 0.1 });
    const v = run.signal('wheel.velocity.x').at(-1)!;
    const k = 0.125;
    console.log(E, restitution, v, v / ((2 / 3) * g * Math.sin(alpha) * 2) - 1, run.signal('wheel.position.z').at(-1)! - R, JSON.stringify((run as never as { statistics: unknown }).statistics ?? Object.keys(run)), Date.now() - t0);
  }
});
