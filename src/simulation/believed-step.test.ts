import { describe, expect, test } from 'vitest';
import { Integration } from '../integration/integration.js';
import { believedStep } from './believed-step.js';
import type { EnergyBook } from './energy-book.js';

/** A book that says what it is told of a step, J; 1 J has moved, 1e-6 J is allowed */
function pretended(error: (from: number, to: number) => number): {
  readonly book: EnergyBook;
  readonly back: number[];
} {
  const back: number[] = [];
  const book = {
    scale: 1,
    allowedError: 1e-6,
    lastError: 0,
    step({ tPrevious, t }: Integration): void {
      this.lastError = error(tPrevious, t);
    },
    takeBack(t: number): void {
      back.push(t);
    },
  };
  return { book: book as unknown as EnergyBook, back };
}
const swing = (): Integration =>
  new Integration(
    {
      size: 2,
      rates: (_t, y, out) => {
        out[0] = y[1];
        out[1] = -y[0];
      },
    },
    { t0: 0, y0: [1, 0], method: 'dopri5', rtol: 1e-8 },
  );

describe('a step whose work does not add up', () => {
  test('is taken back until it does, and the run goes on from there', () => {
    const integration = swing();
    const { book, back } = pretended((from, to) => (from < 3 && to > 3 ? 100 * (to - from) ** 3 : 0));
    const steps: number[] = [];
    while (integration.t < 10) {
      const { t } = integration;
      believedStep(integration, book, 10, () => {});
      expect(integration.tPrevious).toBe(t);
      steps.push(integration.t - t);
    }
    expect(back.length).toBeGreaterThan(0);
    for (const t of back) expect(t).toBeLessThan(3);
    // the one over t = 3 is so short that 1e-3 J are not exceeded
    let t = 0;
    for (const h of steps) {
      if (t < 3 && t + h > 3) expect(h).toBeLessThan(1.001e-5 ** (1 / 3));
      t += h;
    }
    expect(integration.y[0]).toBeCloseTo(Math.cos(10), 6);
    expect(integration.statistics.accepted).toBe(steps.length);
    expect(integration.statistics.rejected).toBeGreaterThanOrEqual(back.length);
  });
  test('is left where it is no better when shorter', () => {
    const integration = swing();
    const { book, back } = pretended((from, to) => (from < 3 && to > 3 ? 0.1 : 0));
    while (integration.t < 10) believedStep(integration, book, 10, () => {});
    expect(back.length).toBeLessThan(20);
    expect(integration.y[0]).toBeCloseTo(Math.cos(10), 6);
  });
  test('stays where nothing is open', () => {
    const integration = swing();
    const { book, back } = pretended(() => 9e-4);
    while (integration.t < 10) believedStep(integration, book, 10, () => {});
    expect(back).toEqual([]);
  });
});
