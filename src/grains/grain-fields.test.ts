import { expect, test } from 'vitest';
import { FIELD_COLUMNS, fieldsOf, gridParts, orderedContacts } from './grain-fields.js';
import { contactRecords } from './measures.js';
import { SphereBed } from './sphere-bed.js';

const place = (name: string): number => FIELD_COLUMNS.findIndex((column) => column.name === name);

// Simple cubic lattice, compressed along z by ε: fraction π/6/(1 − ε), two contacts each, σ_zz = ⅔ E* ε^1.5 of the area (2r)²
// Cut into cells of one grain and into others that cut grains
test.each([3, 4])('a lattice under strain, in %d cells a side', (cells) => {
  const [r, strain, side] = [0.005, 0.01, 4];
  const pitch = [2.0001 * r, 2.0001 * r, 2 * r * (1 - strain)];
  const length = pitch.map((p) => side * p) as [number, number, number];
  const bed = new SphereBed({
    kinds: [{ name: 'soft', youngsModulus: 1e7, poissonRatio: 0.3 }],
    lawOf: () => ({ restitution: 1, friction: 0 }),
    period: { low: [0, 0, 0], length },
  });
  bed.add(
    Array.from({ length: side ** 3 }, (_, k) => ({
      position: [0, 1, 2].map((axis) => pitch[axis] * ((Math.floor(k / side ** axis) % side) + 0.3)) as never,
      velocity: [0.2, 0, 0.1 * (k % 2)],
      radius: r,
      kind: 0,
      density: 2500,
    })),
  );
  bed.start();
  const records = contactRecords(bed);
  const places = bed.inOrder();
  const speeds = new Float64Array(3 * bed.count);
  const v = bed.arrays.floats('motion');
  for (const i of places) for (let k = 0; k < 3; k++) speeds[3 * i + k] = v[8 * i + k];
  const grid = gridParts([0, 0, 0], length, [cells, cells, cells]);
  const fields = fieldsOf(bed, grid, places, speeds, records, orderedContacts(bed, records));
  const mean = (name: string): number => {
    let sum = 0;
    for (let p = 0; p < grid.count; p++) sum += fields[FIELD_COLUMNS.length * p + place(name)] / grid.count;
    return sum;
  };
  const stress = ((2 / 3) * (1e7 / (2 * 0.91)) * strain ** 1.5 * (2 * r) ** 2) / (pitch[0] * pitch[1]);
  expect(mean('stress.zz') / stress).toBeCloseTo(1, 9);
  expect(Math.abs(mean('stress.xx')) + Math.abs(mean('stress.zx'))).toBeLessThan(1e-9 * stress);
  expect(mean('pressure') / (stress / 3)).toBeCloseTo(1, 9);
  // Whatever cells cut: each of the 32 points is in one of them
  expect(mean('fraction') / (((4 / 3) * Math.PI * r ** 3) / (pitch[0] * pitch[1] * pitch[2]))).toBeCloseTo(1, 6);
  if (cells === side) {
    expect(mean('count')).toBe(1);
    expect(mean('coordination')).toBe(2);
    expect(mean('fabric.zz')).toBeCloseTo(1, 12);
    expect(mean('velocity.x')).toBeCloseTo(0.2, 12);
    expect(mean('velocity.z')).toBeCloseTo(0.05, 12);
  } else {
    expect(mean('count') * cells ** 3).toBe(64);
    expect(mean('temperature')).toBeGreaterThan(0);
  }
});
