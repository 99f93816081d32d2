// Functions that jump, bend and ripple inside y' = u(t): the integral of u is known, and steps of order 5 are exact on each piece that is a
// polynomial of degree 4, so what is left over is how well the pieces were told apart.
import { describe, expect, test } from 'vitest';
import { Integration } from './integration.js';
import type { Problem } from './problem.js';

const END = 10;
/** One component y' = u(t), read at least every ms */
function run(u: (t: number) => number, finest = 1e-3, method: 'dopri5' | 'rodas4' | 'radau5' | 'automatic' = 'dopri5') {
  const problem: Problem = {
    size: 1,
    rates: (t, _y, out) => {
      out[0] = u(t);
    },
    given: {
      count: 1,
      readsPerStep: 0,
      hold: () => {},
      sample: (t, out) => {
        out[0] = u(t);
      },
    },
  };
  const integration = new Integration(problem, { t0: 0, y0: [1], method, probe: { finest, until: END } });
  const ends: number[] = [];
  while (integration.t < END) {
    integration.step(END);
    ends.push(integration.t);
  }
  return { y: integration.y[0] - 1, ends, statistics: integration.statistics };
}
const square = (frequency: number, duty: number) => (t: number) => ((t * frequency) % 1 < duty ? 1 : 0);

describe('jumps in time', () => {
  // Each jump is placed to 8 ulp of the time, so n of them leave n · 1e-14 at most.
  test.each([
    [0.1, 0.5],
    [1, 0.5],
    [10, 0.5],
    [100, 0.5],
    [1000, 0.5],
    [10, 0.01],
    [100, 0.01],
    [1, 0.001],
  ])('square wave of %s Hz, on for %s of the time', (frequency, duty) => {
    const { y, statistics } = run(square(frequency, duty));
    expect(Math.abs(y - duty * END)).toBeLessThan(2 * frequency * END * 1e-13 + 1e-14);
    // a step per piece, and those that lead up to it at the start
    expect(statistics.accepted).toBeLessThan(2 * frequency * END + 20);
    expect(statistics.rejected).toBe(0);
  });

  test('without the probe the square wave goes by unseen', () => {
    const wave = square(10, 0.5);
    const integration = new Integration(
      {
        size: 1,
        rates: (t, _y, out) => {
          out[0] = wave(t);
        },
      },
      { t0: 0, y0: [1], method: 'dopri5', hInitial: 0.2, hMax: 0.2 },
    );
    integration.advance(END);
    expect(Math.abs(integration.y[0] - 1 - 0.5 * END)).toBeGreaterThan(0.1 * END);
  });

  test('one pulse as short as promised is found wherever it is', () => {
    for (let k = 0; k < 200; k++) {
      const start = 0.3 + 0.0471234567 * k;
      const { y } = run((t) => (t >= start && t < start + 1e-3 ? 1000 : 0));
      expect(y).toBeCloseTo(1, 9);
    }
  });

  test('right at the start, and at the end', () => {
    expect(run((t) => (t > 0 ? 1 : 100)).y).toBeCloseTo(END, 13);
    expect(run((t) => (t < END ? 1 : 100)).y).toBeCloseTo(END, 12);
  });

  test.each(['rodas4', 'radau5', 'automatic'] as const)('%s steps over them, too', (method) => {
    expect(run(square(10, 0.5), 1e-3, method).y).toBeCloseTo(0.5 * END, 10);
  });

  test('steps end just before a jump and begin just behind', () => {
    const { ends } = run((t) => (t < 3 ? 1 : 2));
    const before = ends.find((t) => Math.abs(t - 3) < 1e-9)!;
    expect(before).toBeLessThan(3);
    expect(3 - before).toBeLessThan(1e-14);
  });

  test('what does not matter is not worth a step', () => {
    // jumps of 1e-12 a hundred times a second: together 1e-11 of y, whose tolerance is 1e-6
    const { statistics } = run((t) => 1 + 1e-12 * square(100, 0.5)(t));
    expect(statistics.accepted).toBeLessThan(20);
  });
});

describe('corners and ripple', () => {
  test('a ramp: steps end at its corners', () => {
    const { y, ends } = run((t) => Math.min(1, Math.max(0, t - 3)));
    expect(y).toBeCloseTo(0.5 + 6, 12);
    for (const corner of [3, 4]) expect(Math.min(...ends.map((t) => Math.abs(t - corner)))).toBeLessThan(1e-9);
  });

  test('a triangle wave of 10 Hz', () => {
    const { y, statistics } = run((t) => Math.abs(((t * 10) % 1) - 0.5));
    expect(y).toBeCloseTo(0.25 * END, 12);
    expect(statistics.accepted).toBeLessThan(250);
  });

  test('a table of 100 values, held and with lines between them', () => {
    const values = Array.from({ length: 102 }, (_, i) => Math.sin(1.7 * i) * (1 + (i % 3)));
    const between = (t: number): number => {
      const i = Math.floor(10 * t);
      return values[i] + (10 * t - i) * (values[i + 1] - values[i]);
    };
    let held = 0;
    let lines = 0;
    for (let i = 0; i < 100; i++) {
      held += 0.1 * values[i];
      lines += 0.05 * (values[i] + values[i + 1]);
    }
    expect(run((t) => values[Math.floor(10 * t)]).y).toBeCloseTo(held, 10);
    expect(run(between).y).toBeCloseTo(lines, 10);
  });

  test('a smooth pulse of 10 ms that a long step would miss', () => {
    // ∫ exp(−((t − 5)/s)²) = s √π
    const { y } = run((t) => 100 * Math.exp(-(((t - 5.01) / 0.005) ** 2)));
    expect(y / (0.5 * Math.sqrt(Math.PI))).toBeCloseTo(1, 5);
  });

  test('a rise in 10 µs, far below what is read', () => {
    // ∫₀¹⁰ tanh((t − 4)/w) = 2 but for w ln 2 at either end, which cancel
    expect(run((t) => Math.tanh((t - 4) / 1e-5)).y).toBeCloseTo(2, 5);
  });
});

describe('jumps with the state', () => {
  const fall = (force: (x: number, v: number) => number, until: number, y0 = [0, 0]) => {
    const problem: Problem = {
      size: 2,
      rates: (_t, y, out) => {
        out[0] = y[1];
        out[1] = force(y[0], y[1]);
      },
      given: {
        count: 1,
        readsPerStep: 10000,
        hold(_t, y) {
          held.set(y);
        },
        sample(_t, out) {
          out[0] = force(held[0], held[1]);
        },
      },
    };
    const held = new Float64Array(2);
    const integration = new Integration(problem, { t0: 0, y0, method: 'dopri5', probe: { finest: 1e-3, until } });
    integration.advance(until);
    return integration;
  };

  test('a force that ends at x = 5', () => {
    // x = t² with a = 2; then the speed 2 √5 stays
    const { y, statistics } = fall((x) => (x > 5 ? 0 : 2), END);
    const speed = 2 * Math.sqrt(5);
    expect(y[1] / speed).toBeCloseTo(1, 6);
    expect(y[0] / (5 + speed * (END - Math.sqrt(5)))).toBeCloseTo(1, 6);
    expect(statistics.accepted + statistics.rejected).toBeLessThan(120);
  });

  test('a push in a narrow band that a step would fly through', () => {
    // v² grows by 2 a Δx = 2 · 100 · 0.01 in the band of 0.01 at x = 5, which is crossed in 2 ms
    const { y } = fall((x) => (x > 5 && x < 5.01 ? 100 : 0), END, [0, 4]);
    expect(y[1] / Math.sqrt(18)).toBeCloseTo(1, 6);
  });
});
