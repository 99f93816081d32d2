import { expect, test } from 'vitest';
import { SOILS } from '../model/soil-library.js';
import { CMU_SMOOTH, CMU_WHEEL, cmuForetold, cmuPrediction, fitSlipSinkage, predictedTrial } from './wheel-trials.js';

const soil = SOILS['cmu-sand'];

test('measured trials at −0.2, 0 and 0.5 tell those from −0.5 to 0.9 within 2.5 mm and 2 N', () => {
  const { errors, judged } = cmuPrediction(soil);
  expect(judged.map(({ slip }) => slip)).toEqual([-0.5, 0.23, 0.75, 0.9]);
  expect(errors.sinkage).toBeLessThan(2.5e-3);
  expect(errors.drawbarPull).toBeLessThan(2);
});

// The form was published before and fixed without a look at what is judged. It misses the 2.5 mm that are aimed at, for braked wheels sink
// far more at −0.5 than a line through −0.2 tells, and meets the 2 N: measured 4.5 mm and 1.9 N
test('an exponent linear in slip foretells pull within 2 N and sinkage within 5 mm only', () => {
  const { errors } = cmuForetold(soil);
  expect(errors.drawbarPull).toBeLessThan(2);
  expect(errors.sinkage).toBeLessThan(5e-3);
  expect(errors.sinkage).toBeGreaterThan(2.5e-3);
});

test('beyond −0.5 they do not, as with all such models without side walls', () => {
  const { numbers } = cmuPrediction(soil);
  const { slip, load, sinkage } = CMU_SMOOTH[1];
  expect(predictedTrial(soil, CMU_WHEEL, numbers, slip, load).sinkage - sinkage).toBeGreaterThan(0.01);
});

test('numbers that made the trials are found again', () => {
  const numbers = { exponent: 1.4, driven: 0.9, braked: 0.5, frictionAngle: 0.45 };
  const trials = [-0.3, -0.1, 0, 0.2, 0.6].map((slip) => ({
    slip,
    load: 25,
    ...predictedTrial(soil, CMU_WHEEL, numbers, slip, 25),
  }));
  const found = fitSlipSinkage(soil, CMU_WHEEL, trials).numbers;
  for (const name of ['exponent', 'driven', 'braked', 'frictionAngle'] as const)
    expect(found[name]).toBeCloseTo(numbers[name], 4);
});
