import { describe, expect, test } from 'vitest';
import { SOILS } from '../model/soil-library.js';
import { climbedSlope, drawbarCurve, plateCurve, ringCurve, testbedRun, WheelTestbed } from './soil-rigs.js';

const soil = SOILS['moon-nominal'];

test('a plate sinks as its closed form says', () => {
  const stiff = { ...soil, elasticStiffness: 1e12 };
  for (const { sinkage, closedForm } of plateCurve(stiff, { length: 0.2, width: 0.1, loads: [50, 200] }))
    expect(Math.abs(sinkage / closedForm - 1)).toBeLessThan(5e-3);
});

test('a ring shows the curve of Janosi and Hanamoto', () => {
  for (const { stress, closedForm } of ringCurve(soil, { inner: 0.08, outer: 0.12, load: 200, spacing: 0.01 }).slice(2))
    expect(Math.abs(stress / closedForm - 1)).toBeLessThan(0.06);
});

describe('a wheel', () => {
  const rigged = { soil, radius: 0.12, width: 0.1 };
  test('pulls more the more it slips, on the grid within a tenth of the load of the integral', () => {
    const grid = drawbarCurve({ ...rigged, spacing: 0.01 }, 100, [0.1, 0.6]);
    const integral = drawbarCurve({ ...rigged, model: 'wong-reece' }, 100, [0.1, 0.6]);
    expect(grid[1].drawbarPull).toBeGreaterThan(grid[0].drawbarPull);
    for (const [i, { drawbarPull }] of grid.entries())
      expect(Math.abs(drawbarPull - integral[i].drawbarPull)).toBeLessThan(10);
  });

  test('climbs the slope on which its pull is its weight’s part along it', () => {
    const bed = new WheelTestbed({ ...rigged, model: 'wong-reece' });
    const slope = climbedSlope(bed, 100, 0.4);
    const { drawbarPull } = bed.at(0.4, 100 * Math.cos(slope));
    expect(drawbarPull).toBeCloseTo(100 * Math.sin(slope), 0);
  });

  test('a slip of 1 is refused', () => {
    expect(() => new WheelTestbed(rigged).at(1, 100)).toThrow('slip: expected a slip between −1 and 1, got 1');
  });
});

// Buse et al. (2023), §4.2.1: let down, loaded to 100 N, driven at 60 % slip; ours are wheel and soil
test('a wheel with grousers that is let down, loaded and driven', () => {
  const grousers = { count: 24, height: 0.01, thickness: 0.006 };
  const wheel = { soil: SOILS['moon-nominal'], radius: 0.12, width: 0.1, grousers, spacing: 0.005, digging: 0.05 };
  const rows = testbedRun(wheel, { load: 100, slip: 0.6, way: 0.06, speed: 0.01, ramp: 2 });
  expect(rows[0].load).toBe(0);
  expect(rows[0].sinkage).toBe(0);
  // the load comes on evenly and stays: it is found by iteration to 1e-10 m
  for (const { time, load } of rows) expect(Math.abs(load - 100 * Math.min(1, time / 2))).toBeLessThan(0.05);
  const still = rows.findIndex(({ time }) => time >= 3);
  for (const { traction } of rows.slice(0, still)) expect(Math.abs(traction)).toBeLessThan(3); // grousers do not stand evenly over the nodes
  const end = rows.slice(-10).map((row) => row.traction);
  const pull = end.reduce((sum, x) => sum + x, 0) / end.length;
  const integral = new WheelTestbed({ ...wheel, model: 'wong-reece' }).at(0.6, 100);
  // steady motion has not quite come after half the wheel's radius
  expect(pull).toBeGreaterThan(0.6 * integral.drawbarPull);
  expect(pull).toBeLessThan(1.3 * integral.drawbarPull);
  expect(rows.at(-1)!.sinkage).toBeGreaterThan(1.1 * rows[still].sinkage); // it digs itself in
  expect(rows.at(-1)!.time).toBeGreaterThan(3 + 5.9);
});
