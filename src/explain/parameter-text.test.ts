import { expect, test } from 'vitest';
import { parameterText } from './parameter-text.js';

test.each([
  [4, 'm', '4 m'],
  [20_000, 'N/m, of the suspension', '20000 N/m, of the suspension'],
  [1e12, 'N/m³, of the bed of springs', '1e12 N/m³, of the bed of springs'],
  [2e-6, "N m, of the wheel's shaft", "2e-6 N m, of the wheel's shaft"],
  [0, 'm/s: friction that creeps', '0 m/s: friction that creeps'],
  [6, '3 to 12', '6; 3 to 12'],
  [0.01, 'slot width less pin diameter, over the radius', '0.01; slot width less pin diameter, over the radius'],
  [false, 'outlines of chords in place of arcs', 'false; outlines of chords in place of arcs'],
  ['exact', 'exact or mesh', 'exact; exact or mesh'],
  [0.3, '', '0.3'],
])('%j with the comment "%s" reads "%s"', (value, comment, text) => {
  expect(parameterText(value, comment)).toBe(text);
});
