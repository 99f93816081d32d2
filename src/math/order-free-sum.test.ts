import { expect, test } from 'vitest';
import { OrderFreeSum } from './order-free-sum.js';
import { random } from './random.js';

test('a sum has the same bits in every order, and is right', () => {
  const draw = random(3);
  const terms = Array.from({ length: 1000 }, () => draw.normal() * (draw.uniform() < 0.01 ? 1e6 : 1e-3));
  const sum = new OrderFreeSum();
  const sumOf = (values: readonly number[]): number => {
    for (const value of values) sum.add(value);
    return sum.take();
  };
  const first = sumOf(terms);
  for (let k = 0; k < 20; k++) expect(sumOf(draw.shuffle(terms))).toBe(first);
  const plain = terms.reduce((a, b) => a + b, 0);
  expect(Math.abs(first - plain)).toBeLessThan(1e-16 * 1000 * 1000 * 4e6);
  // Plain sums do depend on it, or the test would say nothing
  const orders = Array.from({ length: 20 }, () => draw.shuffle(terms).reduce((a, b) => a + b, 0));
  expect(new Set(orders).size).toBeGreaterThan(1);
});

test('nothing, and what is no number', () => {
  const sum = new OrderFreeSum();
  expect(sum.take()).toBe(0);
  sum.add(1);
  sum.add(Number.NaN);
  expect(sum.take()).toBeNaN();
  sum.add(-3);
  sum.add(1e-300);
  expect(sum.take()).toBe(-3);
});
