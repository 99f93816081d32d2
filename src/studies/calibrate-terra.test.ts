import { expect, test } from 'vitest';
import { sinkageModulus } from '../contact-laws/soil/pressure-sinkage.js';
import { terraFrom, terraSteady } from '../contact-laws/soil/terra.js';
import { SOILS } from '../model/soil-library.js';
import { fitTerra, LOADS, SLIPS } from './calibrate-terra.js';
import { leastSquares } from './least-squares.js';

test('least squares finds the numbers of an exponential, and how well it knows them', () => {
  const t = [0, 1, 2, 3, 4, 5];
  const fit = leastSquares(
    ([a, b]) => t.map((x) => a * Math.exp(-b * x) - 3 * Math.exp(-0.5 * x) - (x % 2 ? 1e-3 : -1e-3)),
    [1, 1],
  );
  expect(fit.values[0]).toBeCloseTo(3, 2);
  expect(fit.values[1]).toBeCloseTo(0.5, 2);
  expect(fit.relativeDeviations[0]).toBeLessThan(1e-2);
});

// The fit to the soil grid itself takes longer: verify has it as T7-terra
test('TerRA is found again from its own steady states', () => {
  const on = { soil: SOILS['sand-azimi'], radius: 0.15, width: 0.1, gravity: 9.81 };
  const given = {
    ...terraFrom(on.soil, on, sinkageModulus(on.soil, 0.1)),
    sinkMost: 0.05,
    sinkPower: 1.4,
    friction: 0.7,
    shearLength: 0.02,
  };
  const points = LOADS.flatMap((part) =>
    SLIPS.map((slip) => ({ load: 100 * part, slip, ...terraSteady(given, on.soil, on, 100 * part, slip, 9.81) })),
  );
  const { sinkageError, pullError, parameters } = fitTerra(points, on);
  expect(sinkageError).toBeLessThan(1e-3);
  expect(pullError).toBeLessThan(1e-3);
  expect(parameters.sinkMost).toBeCloseTo(0.05, 2);
});
