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
        wheel: body({ shape: rotate({ axis: [1, 0, 0], angle: Math.PI / 2 }, cylinder({ radius: R, height: H })), material, position: [0, 0, R] } as never),
      },
    });
    for (const rtol of [1e-6, 1e-8]) {
    const t0 = Date.now();
    const run = simulate(m, { stopTime: 2, interval: 0.1, rtol });
    const v = run.signal('wheel.velocity.x').at(-1)!;
    const t = (run as never as { trust: { steps: { accepted: number, rejected: number } } }).trust;
    console.log(E, restitution, rtol, v, v / ((2 / 3) * g * Math.sin(alpha) * 2) - 1, run.signal('wheel.position.z').at(-1)! - R, JSON.stringify(t.steps), Date.now() - t0);
    }
  }
});
test('spin', () => {
  for (const E of [2e11, 4.5e5]) for (const H of [1, 0.05]) {
    const R = 0.5, mu = 0.4, w = 10;
    const material = { name: 'm', density: 1 / (Math.PI * R * R * H), youngsModulus: E, poissonRatio: 0.4, restitution: 0.6, friction: mu };
    const m = model({
      gravity: [0, 0, -g],
      bodies: {
        floor: body({ shape: halfSpace(), material, fixed: true }),
        disc: body({ shape: cylinder({ radius: R, height: H }), material, position: [0, 0, H / 2], angularVelocity: [0, 0, w] }),
      },
    });
    const I = 0.5 * R * R;
    const stop = (w * I) / ((2 / 3) * mu * g * R);
    const t0 = Date.now();
    const run = simulate(m, { stopTime: 2 * stop, interval: stop / 1000 });
    const sg = run.signal('disc.angularVelocity.z'); const ws = Array.from({ length: 2001 }, (_, i) => (sg as never as { values: Float64Array }).values?.[i] ?? sg.at(i)!);
    // linear fit between 80% and 20%
    const i1 = 200, i2 = 800;
    const slope = (ws[i2] - ws[i1]) / (i2 - i1);
    const at = i1 - ws[i1] / slope;
    console.log(E, H, at / 1000 - 1, ws[990], ws[1010], ws.at(-1), JSON.stringify((run as never as { trust: { steps: unknown } }).trust.steps), Date.now() - t0);
  }
});
