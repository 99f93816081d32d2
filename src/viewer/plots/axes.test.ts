import { describe, expect, test } from 'vitest';
import { assignAxes, axisUnit, paddedRange, tickLabels } from './axes.js';

describe('axes', () => {
  test('one for each unit, left and right in turn', () => {
    expect(assignAxes(['m', 'm/s', 'm', '', 'N'])).toEqual([
      { scale: 'm', unit: 'm', side: 'left', lines: [0, 2] },
      { scale: 'm/s', unit: 'm/s', side: 'right', lines: [1] },
      { scale: '1', unit: '', side: 'left', lines: [3] },
      { scale: 'N', unit: 'N', side: 'right', lines: [4] },
    ]);
    expect(assignAxes([])).toEqual([]);
  });

  test('ranges have room, and noise on a constant stays noise', () => {
    expect(paddedRange(0, 1)).toEqual([-0.05, 1.05]);
    expect(paddedRange(5, 5)).toEqual([4.5, 5.5]);
    const [low, high] = paddedRange(1, 1 + 1e-14);
    expect(high - low).toBeCloseTo(0.2, 12);
    expect(paddedRange(0, 0)).toEqual([-1, 1]);
    expect(paddedRange(Number.NaN, Number.NaN)).toEqual([-1, 1]);
  });

  test('labels in the unit of the range, with the decimals that their distance needs', () => {
    expect(tickLabels([0, 0.0005, 0.001], 'm', 0, 0.0012)).toEqual(['0.0', '0.5', '1.0']);
    expect(axisUnit('m', 0, 0.0012)).toBe('mm');
    expect(tickLabels([-20000, 0, 20000], 'N', -25000, 25000)).toEqual(['−20', '0', '20']);
    expect(tickLabels([0.00001, 0.00002], '', 0, 0.00002)).toEqual(['1.0e-5', '2.0e-5']);
    expect(tickLabels([0, 0.25, 0.5], 's', 0, 0.5)).toEqual(['0', '250', '500']);
    expect(tickLabels([1, 1.25, 1.5], 's', 0, 2)).toEqual(['1.00', '1.25', '1.50']);
    expect(tickLabels([0.995, 1, 1.005], '', 0.99, 1.01)).toEqual(['0.995', '1.000', '1.005']);
  });
});
