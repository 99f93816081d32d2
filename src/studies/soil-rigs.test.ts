import { describe, expect, test } from 'vitest';
import { SOILS } from '../model/soil-library.js';
import { climbedSlope, drawbarCurve, plateCurve, ringCurve, WheelTestbed } from './soil-rigs.js';

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
