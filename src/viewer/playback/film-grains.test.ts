import { expect, test } from 'vitest';
import type { GrainFrame } from '../../results/scene/grain-frames.js';
import { packGrains, unpackGrains } from './film-grains.js';

const frame = (shift: number): GrainFrame => ({
  count: 3,
  ids: Float64Array.from([0, 1, 2]),
  positions: Float64Array.from([0, 0.1, 0.2, 0.3, -0.4, 0.5, 0.6, 0.7, shift]),
  radii: Float64Array.from([1e-3, 2e-3, 3e-3]),
  species: Int32Array.from([0, 1, 0]),
  speed: Float64Array.from([0, 0.5, 1]),
  force: Float64Array.from([2, 0, 4]),
});

test('grains come back from a film to 1/65535 of the box, and where they were not kept the last ones are shown', () => {
  const packed = packGrains(3, (k) => (k === 1 ? undefined : frame(k)));
  for (const [instant, shift] of [
    [0, 0],
    [1, 0],
    [2, 2],
  ]) {
    const back = unpackGrains(packed, instant)!;
    expect(back.count).toBe(3);
    expect([...back.species]).toEqual([0, 1, 0]);
    for (const [i, x] of frame(shift).positions.entries())
      expect(Math.abs(back.positions[i] - x)).toBeLessThan(2.1 / 65535);
    for (const [i, r] of frame(shift).radii.entries()) expect(Math.abs(back.radii[i] - r)).toBeLessThan(2e-3 / 65535);
    for (const [i, v] of frame(shift).speed.entries()) expect(Math.abs(back.speed[i] - v)).toBeLessThan(1 / 255);
  }
});

test('forms and orientations of grains with shapes come back, to 1/32767', () => {
  const shaped = {
    ...frame(0),
    forms: Int32Array.from({ length: frame(0).count }, (_, i) => 7 * i),
    orientations: Float64Array.from({ length: 4 * frame(0).count }, (_, k) => Math.cos(k)),
  };
  const back = unpackGrains(
    packGrains(1, () => shaped),
    0,
  )!;
  expect(back.forms).toEqual(shaped.forms);
  back.orientations!.forEach((part, k) => {
    expect(Math.abs(part - shaped.orientations[k])).toBeLessThan(1 / 32767);
  });
  expect(unpackGrains(packGrains(1, frame), 0)!.forms).toBeUndefined();
});
