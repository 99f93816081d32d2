import { describe, expect, test } from 'vitest';
import { box } from '../../geometry/primitives.js';
import { body } from '../../model/body.js';
import { model } from '../../model/model.js';
import { SOILS } from '../../model/soil-library.js';
import { simulate } from '../../simulation/simulation.js';
import { shearAfter } from './shear-memory.js';

describe('shear that turns about', () => {
  const K = 0.015;
  test('straight on, displacements add up', () => {
    expect(shearAfter(0.01, 0, 0, 0.02, 0, 0, K, new Float64Array(3))).toBe(false);
  });

  // m = −1 + (1 + m₀) e^(−s/K) on the way back: 0 after K ln(1 + m₀)
  test('on the way back it is gone after K ln(1 + m₀), in one step or in many', () => {
    const m0 = 1 - Math.exp(-2);
    for (const steps of [1, 1000]) {
      const j = Float64Array.of(2 * K, 0, 0);
      const way = -K * Math.log(1 + m0);
      for (let k = 0; k < steps; k++) if (!shearAfter(j[0], 0, 0, way / steps, 0, 0, K, j)) j[0] += way / steps;
      expect(Math.abs(j[0])).toBeLessThan(1e-5 * K);
    }
  });

  // dm/ds = ŷ − m from m₀ x̂: m = (m₀ e^(−s/K), 1 − e^(−s/K))
  test('round a corner', () => {
    const j = new Float64Array(3);
    shearAfter(K, 0, 0, 0, 0.5 * K, 0, K, j);
    const size = Math.hypot(j[0], j[1]);
    const m = (1 - Math.exp(-size / K)) / size;
    expect(m * j[0]).toBeCloseTo((1 - Math.exp(-1)) * Math.exp(-0.5), 12);
    expect(m * j[1]).toBeCloseTo(1 - Math.exp(-0.5), 12);
  });

  // It comes to rest where shear is gone: K ln 2 behind the farthest point, give or take what it swings. A sum of displacements pushed it all the way back, 78 mm
  test('a block that has slid on sand stays where it came to', () => {
    const b = body({
      shape: box([0.3, 0.2, 0.1]),
      mass: 20,
      position: [0, 0, 0.05],
      velocity: [1, 0, 0],
      contact: false,
    });
    const bed = { soil: 'dry-sand-lll', spacing: 0.02, rate: 0, bodies: { b: { sideFaces: false } } } as const;
    const run = simulate(model({ bodies: { b }, soils: { bed } }), { stopTime: 1, integrator: 'verlet', step: 1e-3 });
    const x = [...run.signal('b.position.x').values];
    const back = (Math.max(...x) - x.at(-1)!) / (SOILS['dry-sand-lll'].shearLength * Math.LN2);
    expect(back).toBeGreaterThan(0.7);
    expect(back).toBeLessThan(1.2);
  });

  // Rates are others once shear has turned: radau5 went on with those from before, swayed, and came no further than 0.2 s in 3800 steps and more
  test('an implicit method hears that shear has turned', () => {
    const b = body({
      shape: box([0.3, 0.2, 0.1]),
      mass: 20,
      position: [0, 0, 0.05],
      velocity: [1, 0, 0],
      contact: false,
    });
    const bed = { soil: 'dry-sand-lll', spacing: 0.02, rate: 0, bodies: { b: { sideFaces: false } } } as const;
    const run = simulate(model({ bodies: { b }, soils: { bed } }), {
      stopTime: 0.25,
      integrator: 'radau5',
      rtol: 1e-3,
    });
    expect(run.trust.steps!.accepted).toBeLessThan(200);
  });

  // On sheared nodes it is a spring of at most τ_max A/K and loses at most e^(ω² T/2) a second, ω² = τ_max A/(K m), T = shearRelaxation: 5.6 here. Shear that its fall has left in some nodes makes them softer:
  // 3.9 is measured, at half the step too. With 3 T it is the same swing that ends the sooner, and nothing is left: it does not creep
  test('a plate that came down askew swings, less each second, and does not creep', () => {
    const b = body({
      shape: box([0.2, 0.1, 0.02]),
      mass: 2,
      position: [0.503, 0.002, 0.03],
      orientation: { axis: [0, 1, 0], angle: 0.2 },
      contact: false,
    });
    const swings = (shearRelaxation?: number): number[] => {
      const bed = {
        soil: 'snow-us',
        spacing: 0.01,
        rate: 0,
        bodies: { b: { sideFaces: false } },
        ...(shearRelaxation && { shearRelaxation }),
      } as const;
      const options = { stopTime: 6, integrator: 'verlet', step: 2e-3, interval: 0.01 } as const;
      const { times, values } = simulate(model({ bodies: { b }, soils: { bed } }), options).signal('b.position.x');
      return [2, 3, 4, 5].map((from) => {
        const second = values.filter((_, i) => times[i] >= from && times[i] <= from + 1);
        return Math.max(...second) - Math.min(...second);
      });
    };
    const { cohesion, frictionAngle, shearLength: K } = SOILS['snow-us'];
    const most = Math.exp((((cohesion! * 0.02 + 2 * 9.81 * Math.tan(frictionAngle)) / K / 2) * 0.01) / 2);
    const usual = swings();
    for (const [k, swing] of usual.slice(1).entries()) {
      expect(usual[k] / swing).toBeGreaterThan(3);
      expect(usual[k] / swing).toBeLessThan(most);
    }
    expect(swings(0.03).at(-1)).toBeLessThan(1e-9);
  });
});
