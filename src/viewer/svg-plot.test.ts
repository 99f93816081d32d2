import { expect, test } from 'vitest';
import { svgPlot } from './svg-plot.js';

const labels = (svg: string, anchor: string): string[] =>
  [...svg.matchAll(/<text x="[\d.]+" y="[\d.]+" text-anchor="(\w+)">([^<]+)<\/text>/g)]
    .filter(([, where]) => where === anchor)
    .map(([, , text]) => text);

test('axes in decades are labelled with the figures themselves', () => {
  const times = [0.1, 1, 10, 100];
  const line = { name: 'x', unit: 'm', times, values: times.map((f) => 1 / (f * f)) };
  const svg = svgPlot([line], { decades: { across: true, up: true }, across: 'frequency, Hz' });
  expect(labels(svg, 'middle')).toEqual(['0.1', '1', '10', '100', 'frequency, Hz']);
  // 1e2 … 1e-4 in five marks at most: every second decade
  expect(labels(svg, 'end')).toEqual(['0.0001', '0.01', '1', '100']);
  // a power law is a straight line: equal steps across and up
  const [, path] = /<path d="([^"]+)"/.exec(svg)!;
  const points = path
    .slice(1)
    .split('L')
    .map((text) => text.split(' ').map(Number));
  for (let i = 2; i < points.length; i++)
    for (const k of [0, 1]) expect(points[i][k] - points[i - 1][k]).toBeCloseTo(points[1][k] - points[0][k], 0); // places are rounded to 0.1
});

test('less than a decade keeps round figures, and what is not positive is left out', () => {
  const svg = svgPlot([{ name: 'x', unit: 'm', times: [0, 1, 2], values: [0, 2, 4] }], { decades: { up: true } });
  expect(labels(svg, 'end').map(Number)).toEqual([2, 2.5, 3, 3.5, 4]);
  expect(/<path d="([^"]+)"/.exec(svg)![1].match(/[ML]/g)).toHaveLength(2);
});

test('one unit takes the prefix that keeps its figures short; several stay as they are', () => {
  const stress = { name: 'stress', unit: 'Pa', times: [0, 1], values: [0, 2e7] };
  const svg = svgPlot([stress]);
  expect(labels(svg, 'end')).toEqual(['0', '5', '10', '15', '20']);
  expect(svg).toContain('>MPa<');
  const both = svgPlot([stress, { ...stress, name: 'way', unit: 'm' }]);
  expect(both).toContain('>Pa, m<');
  expect(labels(both, 'end').at(-1)).toBe('20000000');
});
