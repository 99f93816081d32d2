import { describe, expect, test } from 'vitest';
import { box } from '../../geometry/primitives.js';
import { body } from '../../model/body.js';
import { prismatic } from '../../model/joints.js';
import { model } from '../../model/model.js';
import { SOILS } from '../../model/soil-library.js';
import { simulate } from '../../simulation/simulation.js';
import { ShearCurve, UNLOADING } from './shear-memory.js';

/** A node on its way along x and y */
class Node {
  private readonly curve = new ShearCurve();
  m = [0, 0];
  most = 0;
  go(dx: number, dy: number, K: number): void {
    const J = this.m.map((m, i) => (K * m) / UNLOADING + [dx, dy][i]);
    const j = Math.hypot(...J);
    this.curve.at(j, this.most, K, true);
    this.m = J.map((x) => (j > 0 ? (this.curve.part * x) / j : 0));
    this.most = Math.max(this.most, this.curve.part);
  }
}

describe('shear that turns about', () => {
  const K = 0.015;
  test('straight on it is Janosi & Hanamoto’s curve, in one step or in many', () => {
    for (const steps of [1, 1000]) {
      const node = new Node();
      for (let k = 0; k < steps; k++) node.go((2 * K) / steps, 0, K);
      expect(node.m[0]).toBeCloseTo(1 - Math.exp(-2), 12);
    }
  });

  test('on the way back it is gone after K m/κ, and sways without moving on', () => {
    const node = new Node();
    node.go(2 * K, 0, K);
    const m0 = node.m[0];
    node.go((-K * m0) / UNLOADING, 0, K);
    expect(node.m[0]).toBeCloseTo(0, 12);
    for (let k = 0; k < 100; k++) {
      node.go((0.9 * K * m0) / UNLOADING, 0, K);
      node.go((-0.9 * K * m0) / UNLOADING, 0, K);
    }
    expect(node.m[0]).toBeCloseTo(0, 12);
    // and on from where it left the curve
    node.go((K * m0) / UNLOADING + K, 0, K);
    expect(node.m[0]).toBeCloseTo(1 - Math.exp(-3), 12);
  });

  test('the other way it yields once it is as much as it was', () => {
    const node = new Node();
    node.go(K, 0, K);
    node.go((-2 * K * node.m[0]) / UNLOADING - K, 0, K);
    expect(node.m[0]).toBeCloseTo(-(1 - Math.exp(-2)), 12);
  });

  // All sheared and pulled across, |m| = 1 turns by dφ = κ cos φ ds/K: sin φ = tanh(κ s/K)
  test('round a corner', () => {
    const node = new Node();
    node.go(40 * K, 0, K);
    for (let k = 0; k < 10_000; k++) node.go(0, (1e-4 * K) / UNLOADING, K);
    expect(Math.hypot(...node.m)).toBeCloseTo(1, 9);
    expect(node.m[1]).toBeCloseTo(Math.tanh(1), 4); // first order in the step
  });

  // It comes to rest where shear is gone, K/κ behind the farthest point, give or take what it swings. A sum of displacements pushed it all the way back, 78 mm
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
    const back = (Math.max(...x) - x.at(-1)!) / (SOILS['dry-sand-lll'].shearLength / UNLOADING);
    expect(back).toBeGreaterThan(0.5);
    expect(back).toBeLessThan(1.2);
  });

  // Pulled with r of what the soil holds from rest, a block of length L that cannot tilt slides until the work of the pull is that of the shear. Soil ξ behind its front edge was sheared by ξ, and by the way x at most:
  //   r x = ∫ R dx,   R(x) = 1 − [K (1 − e^(−x/K)) + (L − x) e^(−x/K)]/L
  // Then it sways and stays. With Dahl's form it walked on, to 52 mm at r = 0.5
  test.each([0.5, 0.7])('a block pulled at %f of its limit slides as far as the work says, and no farther', (r) => {
    const soil = { ...SOILS['dry-sand-lll'], cohesion: 0 };
    const [L, length, mass] = [0.2, soil.shearLength, 10];
    const resists = (x: number): number =>
      1 - (length * (1 - Math.exp(-x / length)) + (L - x) * Math.exp(-x / length)) / L;
    let [work, way] = [1, 0];
    for (; work > 0; way += 1e-5) work = (way === 0 ? 0 : work) + 1e-5 * (r - resists(way + 5e-6));
    const pull = r * mass * 9.81 * Math.tan(soil.frictionAngle);
    const run = simulate(
      model({
        bodies: {
          sledge: body({ mass: 1e-2, inertia: [1e-3, 1e-3, 1e-3], position: [0.005, 0.005, 0.02] }),
          block: body({ shape: box([L, 0.2, 0.04]), mass, position: [0.005, 0.005, 0.02], contact: false }),
        },
        joints: {
          rail: prismatic({ body: 'sledge', axis: [1, 0, 0], force: (t: number) => (t < 0.5 ? 0 : pull) }),
          guide: prismatic({ body: 'block', to: 'sledge', axis: [0, 0, 1] }),
        },
        soils: { bed: { soil, spacing: 0.01, flow: 0, bodies: { block: { sideFaces: false } } } },
      }),
      { stopTime: 3, rtol: 1e-4, interval: 0.02 },
    );
    const x = [...run.signal('block.position.x').values].map((place) => place - 0.005);
    expect(Math.max(...x) / way).toBeGreaterThan(0.85); // damping takes the rest
    expect(Math.max(...x) / way).toBeLessThan(1.02);
    expect(Math.abs(x.at(-1)! - x.at(-51)!)).toBeLessThan(1e-5);
  });

  // Where rates were others once shear had turned, radau5 went on with those from before, swayed, and came no further than 0.2 s in 3800 steps and more
  test('an implicit method goes on as shear turns', () => {
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

  // Below what its fall has sheared it is a spring of κ τ_max A/K and loses e^(κ ω² T/2) a second, ω² = τ_max A/(K m), T = shearRelaxation: e^17 here. Where reloading was softer than unloading it lost a factor of 4
  test('a plate that came down askew swings for a moment, and does not creep', () => {
    const b = body({
      shape: box([0.2, 0.1, 0.02]),
      mass: 2,
      position: [0.503, 0.002, 0.03],
      orientation: { axis: [0, 1, 0], angle: 0.2 },
      contact: false,
    });
    const bed = { soil: 'snow-us', spacing: 0.01, rate: 0, bodies: { b: { sideFaces: false } } } as const;
    const options = { stopTime: 3, integrator: 'verlet', step: 2e-3, interval: 0.01 } as const;
    const { times, values } = simulate(model({ bodies: { b }, soils: { bed } }), options).signal('b.position.x');
    const late = values.filter((_, i) => times[i] >= 2);
    expect(Math.max(...late) - Math.min(...late)).toBeLessThan(1e-9);
  });
});
