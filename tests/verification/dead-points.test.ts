// N parallelograms in a row (problem A02) pass two dead points a turn, where their loop rows become dependent and a second branch of motion
// begins. The exact motion is that of one pendulum: θ'' = (W/J) sin θ, González et al. (2006); end value by elliptic functions.
import { expect, test } from 'vitest';
import fourBars from '../../examples/n-four-bar/n-four-bar.model.js';
import { simulate } from '../../src/simulation/simulation.js';

// Errors grow by two or three digits a period near the upright position, five periods here.
test.each([
  ['rodas4', 1e-6, 1e-5],
  ['rodas4', 1e-8, 1e-6],
  ['automatic', 1e-9, 1e-6],
] as const)('%s at %d goes through ten of them', (integrator, rtol, limit) => {
  const run = simulate(fourBars({ n: 2 }), { stopTime: 10, interval: 1, integrator, rtol });
  expect(Math.abs(run.signal('crank[0].top.position.x').at(-1)! - 0.3284581115408154)).toBeLessThan(limit);
  expect(Math.abs(run.signal('crank[0].top.position.z').at(-1)! - 0.944518538178601)).toBeLessThan(limit);
});
