import { describe, expect, test } from 'vitest';
import { Integration, type IntegrationOptions, integrate, type Problem, type ZeroCrossing } from './index.js';

/** x'' = −x from (1, 0): x = cos t. */
const oscillator: Problem = {
  size: 2,
  rates(_t, y, out) {
    out[0] = y[1];
    out[1] = -y[0];
  },
};
const crossing = (
  name: string,
  value: ZeroCrossing['value'],
  { direction = 'both', stops = false }: Partial<ZeroCrossing> = {},
): ZeroCrossing => ({ name, value, direction, stops });

function events(crossings: ZeroCrossing[], more: Partial<IntegrationOptions & { t1: number }> = {}, of = oscillator) {
  const found: { t: number; name: string; rising: boolean }[] = [];
  const result = integrate(of, {
    t0: 0,
    t1: 20,
    y0: [1, 0],
    method: 'dop853',
    rtol: 1e-11,
    atol: 1e-12,
    crossings,
    onCrossing: ({ t, crossing: { name }, rising }) => found.push({ t, name, rising }),
    ...more,
  });
  return { found, ...result };
}

describe('zero crossings', () => {
  test('all zeros of cos t, once each, with their direction', () => {
    const { found } = events([crossing('x', (_t, y) => y[0])]);
    expect(found).toHaveLength(6);
    found.forEach(({ t, rising }, i) => {
      expect(t).toBeCloseTo((i + 0.5) * Math.PI, 9); // what the integration itself is worth at rtol 1e-11
      expect(rising).toBe(i % 2 === 1);
    });
  });

  test('direction', () => {
    const up = events([crossing('x', (_t, y) => y[0], { direction: 'rising' })]).found;
    const down = events([crossing('x', (_t, y) => y[0], { direction: 'falling' })]).found;
    expect(up.map(({ t }) => Math.floor(t / Math.PI))).toEqual([1, 3, 5]);
    expect(down.map(({ t }) => Math.floor(t / Math.PI))).toEqual([0, 2, 4]);
  });

  test('a function of time alone is located to 1e-14 of it', () => {
    const { found } = events([crossing('t', (t) => t - 12.3456789)]);
    expect(Math.abs(found[0].t - 12.3456789)).toBeLessThan(2e-13);
  });

  test.each(['dopri5', 'dop853', 'rodas4', 'rodas4p', 'esdirk4', 'radau5'] as const)(
    '%s stops there, hands the state over, and goes on',
    (method) => {
      const integration = new Integration(oscillator, {
        t0: 0,
        y0: [1, 0],
        method,
        rtol: 1e-9,
        atol: 1e-9,
        crossings: [crossing('x', (_t, y) => y[0], { stops: true })],
      });
      for (let i = 0; i < 5; i++) {
        expect(integration.advance(100)).toBe('crossing');
        expect(integration.t).toBeCloseTo((i + 0.5) * Math.PI, 6);
        expect(Math.abs(integration.y[0])).toBeLessThan(1e-12);
        expect(integration.y[1]).toBeCloseTo(i % 2 ? 1 : -1, 6);
        expect(integration.located).toHaveLength(1);
      }
      expect(integration.advance(15)).toBe('end');
      expect(integration.t).toBe(15);
      expect(integration.y[0]).toBeCloseTo(Math.cos(15), 6);
    },
  );

  test('a bouncing ball: each impact once, although it starts the next flight at zero', () => {
    const ball: Problem = {
      size: 2,
      rates(_t, y, out) {
        out[0] = y[1];
        out[1] = -2;
      },
    };
    // thrown up from the floor at 1 m/s with g = 2: flights of 1, ½, ¼ … s, impacts at 1, 1.5, 1.75 …
    const integration = new Integration(ball, {
      t0: 0,
      y0: [0, 1],
      method: 'dopri5',
      crossings: [crossing('floor', (_t, y) => y[0], { stops: true })],
    });
    for (let i = 1; i <= 10; i++) {
      expect(integration.advance(10)).toBe('crossing');
      expect(integration.t).toBeCloseTo(2 - 2 ** (1 - i), 10);
      integration.restart(integration.t, [integration.y[0], -0.5 * integration.y[1]]);
    }
    expect(integration.advance(integration.t + 1e-4)).toBe('end');
  });

  test('exactly zero at t0 is no event, coming back is', () => {
    const { found } = events([crossing('sin', (_t, y) => y[1])], { t1: 7 }); // y1 = −sin t
    expect(found.map(({ t }) => t / Math.PI)).toEqual([expect.closeTo(1, 9), expect.closeTo(2, 9)]);
  });

  test('zero throughout is no event', () => {
    expect(events([crossing('none', () => 0)]).found).toEqual([]);
  });

  test('exactly at the end of the run, and at the end of a step', () => {
    const at5 = crossing('five', (t) => t - 5, { stops: true });
    const { found, t, outcome } = events([at5], { t1: 5 });
    expect(found.map((event) => event.t)).toEqual([5]);
    expect(t).toBe(5);
    expect(outcome).toBe('crossing');
    const integration = new Integration(oscillator, { t0: 0, y0: [1, 0], crossings: [at5] });
    integration.advance(5);
    expect(integration.advance(6)).toBe('end'); // not twice
  });

  test('grazing: touches without crossing are not reported, shallow crossings are found twice', () => {
    // cos t + 1 + ε is lowest at π; with ε < 0 it is below zero for 2 √(−2ε)
    const graze = (epsilon: number) =>
      events([crossing('graze', (_t, y) => y[0] + 1 + epsilon)], { t1: 6, hMax: 2 }).found;
    expect(graze(1e-6)).toEqual([]);
    const [down, up] = graze(-1e-6);
    expect(down.t).toBeCloseTo(Math.PI - Math.sqrt(2e-6), 6);
    expect(up.t).toBeCloseTo(Math.PI + Math.sqrt(2e-6), 6);
    expect([down.rising, up.rising]).toEqual([false, true]);
  });

  test('a visit shorter than a step', () => {
    // 0.02 long in steps of 1; rates so plain that error control would take one step
    const still: Problem = { size: 1, rates: (_t, _y, out) => out.fill(0) };
    const { found } = events(
      [crossing('visit', (t) => (t - 3.14) ** 2 - 1e-4)],
      { y0: [0], hMax: 1, atol: 1, rtol: 1 },
      still,
    );
    expect(found.map(({ t }) => t)).toEqual([expect.closeTo(3.13, 10), expect.closeTo(3.15, 10)]);
  });

  test('several in one step come in order of time, equal ones in the order given, and what follows a stop is left for later', () => {
    const still: Problem = { size: 1, rates: (_t, _y, out) => out.fill(0) };
    const list = [
      crossing('late', (t) => t - 0.9),
      crossing('second', (t) => t - 0.5, { stops: true }),
      crossing('third', (t) => 0.5 - t),
      crossing('first', (t) => t - 0.1),
    ];
    const integration = new Integration(still, { t0: 0, y0: [0], hInitial: 1, rtol: 1, crossings: list });
    expect(integration.advance(1)).toBe('crossing');
    expect(integration.located.map((event) => event.crossing.name)).toEqual(['first', 'second', 'third']);
    expect(integration.t).toBeCloseTo(0.5, 13);
    expect(integration.advance(1)).toBe('end');
    expect(integration.located.map((event) => event.crossing.name)).toEqual(['late']);
  });

  test('NaN from a crossing function is named', () => {
    expect(() => events([crossing('gap', (t) => (t > 1 ? Number.NaN : 1))])).toThrow(/"gap".*NaN/);
  });
});
