// A freewheel indexes by whole teeth: from one drive to the next the pawls seat as they did before, so that ring and hub differ by k · 2π/12 more,
// at the same torque and hence the same wind-up. In between the ring is let go and the pawls click over its teeth.
import { expect, test } from 'vitest';
import freewheel from '../../examples/freewheel/freewheel.model.js';
import { simulate } from '../../src/simulation/index.js';

test('a freewheel drives, overruns and drives again, a whole number of teeth further', () => {
  const run = simulate(freewheel(), { stopTime: 1.5, interval: 0.05 });
  const at = (name: string, t: number): number => run.signal(name).at(Math.round(t / 0.05))!;
  const lead = (t: number): number => ((at('bearing.angle', t) - at('shaft.angle', t)) * 12) / (2 * Math.PI);
  const teeth = lead(1.5) - lead(0.5);
  expect(Math.round(teeth)).toBe(5);
  // the same torque to 1e-4 of it leaves the same wind-up of 1e-3 rad: 1e-7 rad; what remains of the last click another 1e-5 of a tooth
  expect(Math.abs(teeth - 5)).toBeLessThan(1e-4);
  // carried along, and left behind
  expect(at('bearing.speed', 0.5)).toBeCloseTo(10, 2);
  expect(Math.abs(at('bearing.speed', 1))).toBeLessThan(1);
  expect(run.trust?.verdict?.word).toBe('trusted');
});
