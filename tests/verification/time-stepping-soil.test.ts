import { expect, test } from 'vitest';
import {
  body,
  box,
  cylinder,
  model,
  type Recording,
  rotate,
  type SimulationOptions,
  simulate,
  steel,
} from '../../src/index.js';

/** A plate of 20 × 20 × 5 cm let go 1 cm above the soil */
function plate(mass: number, soil: string, options: SimulationOptions): Recording {
  return simulate(
    model({
      bodies: { plate: body({ shape: box([0.2, 0.2, 0.05]), material: steel, mass, position: [0, 0, 0.035] }) },
      soils: { bed: { soil, spacing: 0.02, bodies: ['plate'] } },
    }),
    { stopTime: 0.3, interval: 0.01, ...options },
  );
}

const height = (run: Recording): number => run.signal('plate.position.z').values.at(-1)!;
const stepping = (step: number): SimulationOptions => ({ integrator: 'time-stepping', step });

test('sinks into sand as under error control', () => {
  const exact = height(plate(20, 'dry-sand-lll', { rtol: 1e-6 }));
  // it fell 24.3 mm; with the force of the middle of the step 90, 6.7, 4.0, 0.1 µm at 4, 2, 1, 0.5 ms (0.45 mm per ms with that of its start)
  for (const step of [2e-3, 1e-3, 5e-4])
    expect(Math.abs(height(plate(20, 'dry-sand-lll', stepping(step))) - exact)).toBeLessThan(10 * step * step);
});

// The soil's stiffness per mass is 8e7 1/s² on the way out: explicit steps of 20 ms throw the plate to 380 m.
test('a light plate on hard clay stays where it fell, at every step', () => {
  for (const step of [1e-3, 5e-3, 2e-2]) {
    const { values } = plate(0.5, 'heavy-clay-25', stepping(step)).signal('plate.position.z');
    // what it sinks in too far is the way of one step at 0.44 m/s
    expect(Math.min(...values)).toBeGreaterThan(0.025 - 0.5 * step);
    expect(Math.max(...values)).toBeLessThan(0.035 + 1e-12);
    expect(values.at(-1)!).toBeLessThan(0.0251);
  }
});

// What the soil stores under the plate is neither heat nor an error of the steps, which goes to 0 with the step: booked twice, the energy itself would be left
test('energy that soil stores is booked once', () => {
  const [long, short] = [1e-3, 5e-4].map((step) => {
    const run = plate(20, 'snow-us', { ...stepping(step), stopTime: 1 });
    const { kinetic, elastic, dissipated, step: made = 0, potential } = run.trust.energy!;
    const fell = run.signal('energy.potential').values[0] - potential;
    expect(Math.abs(fell - kinetic - elastic - dissipated + made)).toBeLessThan(1e-9 * fell);
    return { made, elastic };
  });
  // what is left at step 0 is of second order: 0.02 of 0.35 J at 1 ms, where 0.10 J are stored
  expect(Math.abs(2 * short.made - long.made)).toBeLessThan(0.5 * short.elastic);
});

// Friction of a wheel's law fades below 1 mm/s and is stiff there, and its states follow within 2 ms. Steps that took the wheel to be slow along its way where it bounced braked it like a damper: 21.1 mm at
// 1 ms in place of 37.9
test('a wheel that bounces rolls on', () => {
  const roll = (options: SimulationOptions): number => {
    const shape = rotate(
      { axis: [1, 0, 0], angle: Math.PI / 2 },
      cylinder({ radius: 0.1, height: 0.06, segments: 24 }),
    );
    const wheel = body({ shape, mass: 4, inertia: [0.02, 0.02, 0.02], position: [0, 0, 0.1], velocity: [0.2, 0, 0] });
    const meets = { wheel: { model: 'terra' as const, radius: 0.1, width: 0.06 } };
    const bed = { soil: 'dry-sand-lll', spacing: 0.01, bodies: meets };
    const run = simulate(model({ bodies: { wheel }, soils: { bed } }), { stopTime: 0.5, ...options });
    return run.signal('wheel.position.x').values.at(-1)!;
  };
  const exact = roll({ rtol: 1e-6 });
  expect(exact).toBeCloseTo(0.03795, 4);
  // first order: 9.5, 4.7, 1.5 and 0.5 % measured at 1, 0.5, 0.25 and 0.1 ms
  expect(Math.abs(roll(stepping(5e-4)) / exact - 1)).toBeLessThan(0.06);
  expect(Math.abs(roll(stepping(1e-4)) / exact - 1)).toBeLessThan(0.01);
});
