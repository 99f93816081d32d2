import { expect, test } from 'vitest';
import { cssColour, scaleColour, scaleStops, scaleTable, toLinear } from './colour-scale.js';

test('brightness grows in every step, so that the scale reads in grey', () => {
  // Luminance of sRGB, IEC 61966-2-1
  const luminance = (s: number): number => {
    const [r, g, b] = scaleColour(s).map(toLinear);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  for (let i = 0; i < 64; i++) expect(luminance((i + 1) / 64)).toBeGreaterThan(luminance(i / 64));
  expect(luminance(0)).toBeLessThan(0.05);
  expect(luminance(1)).toBeGreaterThan(0.7);
});

test('from blue to yellow, within what a screen shows, and no farther', () => {
  const [r0, , b0] = scaleColour(0);
  const [r1, , b1] = scaleColour(1);
  expect(b0).toBeGreaterThan(2 * r0);
  expect(r1).toBeGreaterThan(1.5 * b1);
  for (let i = 0; i <= 100; i++)
    for (const c of scaleColour(i / 100)) {
      expect(c).toBeGreaterThanOrEqual(0);
      expect(c).toBeLessThanOrEqual(1);
    }
  expect(scaleColour(-3)).toEqual(scaleColour(0));
  expect(scaleColour(9)).toEqual(scaleColour(1));
});

test('stops for a legend and bytes for a texture are the same colours', () => {
  const stops = scaleStops(5);
  const bytes = scaleTable(5);
  expect(stops.length).toBe(5);
  stops.forEach((stop, i) => {
    expect(stop).toBe(`rgb(${bytes[4 * i]}, ${bytes[4 * i + 1]}, ${bytes[4 * i + 2]})`);
    expect(bytes[4 * i + 3]).toBe(255);
  });
  expect(cssColour([0, 0.5, 1])).toBe('rgb(0, 128, 255)');
});
