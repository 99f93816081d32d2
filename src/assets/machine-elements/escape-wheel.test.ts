import { expect, test } from 'vitest';
import { extrude } from '../../geometry/extrude.js';
import { meshMassProperties } from '../../geometry/mass-properties.js';
import { firstCrossingAmong, planeMoments, profileArea } from '../../geometry/polygon.js';
import { escapeWheel } from './escape-wheel.js';

const degree = Math.PI / 180;

// Corners of tooth 0 in mm, from the construction at the top of escape-wheel.ts computed separately for R = 2.25 mm
const table: Record<string, readonly [number, number]> = {
  F3: [1.642914, 0.270292],
  F2: [1.78822, 0.205598],
  F1: [2.068421, 0.080844],
  T: [2.25, 0],
  H: [2.307366, 0.161347],
  K1: [2.06047, 0.198401],
  K2: [1.775314, 0.297086],
  K3: [1.618996, 0.388687],
};

test('the teeth of a 15-tooth wheel are where the drawing has them', () => {
  const { outer } = escapeWheel({ teeth: 15, radius: 2.25e-3 });
  expect(outer.length).toBe(150);
  for (const [i, [x, y]] of Object.values(table).entries())
    for (let k = 0; k < 15; k++) {
      const [c, s] = [Math.cos(24 * degree * k), Math.sin(24 * degree * k)];
      // The table has six digits after the point
      expect(Math.abs(outer[10 * k + i][0] * 1e3 - (c * x - s * y))).toBeLessThan(1e-6);
      expect(Math.abs(outer[10 * k + i][1] * 1e3 - (s * x + c * y))).toBeLessThan(1e-6);
    }
});

test('the front face leans by the undercut: its line passes R sin u from the centre', () => {
  const { outer } = escapeWheel();
  const [toe, f1, f3] = [outer[3], outer[2], outer[0]];
  for (const p of [f1, f3]) {
    const lean = Math.atan2(p[1] - toe[1], toe[0] - p[0]);
    expect(lean).toBeCloseTo(24 * degree, 12);
  }
  expect(Math.hypot(...f3)).toBeCloseTo(0.74 * 2.25e-3, 15);
});

test('area of rim, spokes and hub between two bounds, and mass of the watch wheel', () => {
  const wheel = escapeWheel();
  expect(wheel.holes.length).toBe(4);
  expect(firstCrossingAmong([wheel.outer, ...wheel.holes])).toBeUndefined();
  const R = 2.25e-3;
  // Windows: ring between 0.62 R and 0.22 R less four spokes 0.10 R wide. The straight sides make each spoke as long
  // as from hub to rim; arcs drawn as chords change that by less than half a percent.
  const windows = Math.PI * (0.62 ** 2 - 0.22 ** 2) * R ** 2 - 4 * 0.1 * R * 0.4 * R;
  const [solid, open] = [escapeWheel({ rimInnerRadius: 0 }), wheel];
  expect((profileArea(solid) - profileArea(open)) / windows).toBeCloseTo(1, 2);
  // Steel, 0.13 mm thick, with a pinion of radius 0.30 mm and length 1.5 mm: 8.65 mg and 1.175e-11 kg m²
  const { mass, inertia } = meshMassProperties(extrude(wheel, 0.13e-3).mesh, 7800);
  const pinion = Math.PI * 0.3e-3 ** 2 * 1.5e-3 * 7800;
  expect((mass + pinion) / 8.65e-6).toBeCloseTo(1, 2);
  expect((inertia[8] + (pinion * 0.3e-3 ** 2) / 2) / 1.175e-11).toBeCloseTo(1, 2);
  expect(Math.hypot(...planeMoments(wheel).centroid)).toBeLessThan(1e-12 * R);
});

test('parameters: other numbers of teeth and spokes, a bore, a full disc', () => {
  for (const teeth of [6, 12, 15, 18, 20])
    for (const spokes of [2, 3, 5, 6]) {
      const wheel = escapeWheel({ teeth, spokes, radius: 1, bore: 0.1 });
      expect(wheel.outer.length).toBe(10 * teeth);
      expect(wheel.holes.length).toBe(spokes + 1);
      extrude(wheel, 0.1);
    }
  expect(escapeWheel({ rimInnerRadius: 0 }).holes).toEqual([]);
});

test('refuses sizes that do not fit each other', () => {
  expect(() => escapeWheel({ radius: 0 })).toThrow('escapeWheel.radius: expected a length > 0 m, got 0');
  expect(() => escapeWheel({ teeth: 30 })).toThrow('escapeWheel.undercut: front and back of a tooth meet');
  expect(() => escapeWheel({ undercut: 24 })).toThrow('escapeWheel.undercut: expected 0 to 40°');
  expect(() => escapeWheel({ impulseAngle: 0.3 })).toThrow('escapeWheel.impulseAngle');
  expect(() => escapeWheel({ rimInnerRadius: 2e-3 })).toThrow('escapeWheel.rimInnerRadius');
  expect(() => escapeWheel({ hubRadius: 2e-3 })).toThrow('escapeWheel.hubRadius');
  expect(() => escapeWheel({ spokeWidth: 1e-3 })).toThrow('escapeWheel.spokeWidth');
  expect(() => escapeWheel({ bore: 1e-3 })).toThrow('escapeWheel.bore');
  expect(() => escapeWheel({ rootRadius: 2e-3 })).toThrow('escapeWheel.rootRadius');
  expect(() => escapeWheel({ heelRadius: 2e-3 })).toThrow('escapeWheel.heelRadius');
});
