// A plate between the light and a floor: what lies under it is dark, what lies beside it is lit, and the border between is soft.
import { expect, test } from 'vitest';
import { box } from '../geometry/primitives.js';
import { translate } from '../geometry/transform.js';
import { ShadowMap } from './shadow-map.js';

test('a plate darkens what lies under it and nothing else', () => {
  const floor = { mesh: box([4, 4, 0.1]).mesh };
  const plate = { mesh: translate([0, 0, 1], box([1, 1, 0.1])).mesh };
  const map = new ShadowMap([floor, plate], [floor, plate], [0, 0, 1]);
  const at = (x: number, y: number, z: number): number =>
    map.reaches(
      x * map.across[0] + y * map.across[1] + z * map.across[2],
      x * map.upwards[0] + y * map.upwards[1] + z * map.upwards[2],
      z,
    );
  expect(at(0.2, 0.1, 0.05)).toBe(0);
  expect(at(1, 0.1, 0.05)).toBe(1);
  expect(at(0.2, 0.1, 1.05)).toBe(1); // the plate's own top
  // Grid of 4 m in 1021 parts, three of them wide: somewhere within two of the edge light and dark mix
  const border = Array.from({ length: 9 }, (_, i) => at(0.5 + (i - 4) * 0.002, 0.1, 0.05));
  expect(border.some((lit) => lit > 0 && lit < 1)).toBe(true);
});

test('what can be seen through casts no shadow', () => {
  const floor = { mesh: box([4, 4, 0.1]).mesh };
  const glass = { mesh: translate([0, 0, 1], box([1, 1, 0.1])).mesh, colour: [1, 1, 1, 0.3] as const };
  const map = new ShadowMap([floor, glass], [floor, glass], [0, 0, 1]);
  expect(map.reaches(0, 0, 0.05)).toBe(1);
});
