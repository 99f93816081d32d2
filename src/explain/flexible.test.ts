// A clamped strip 1 × 0.02 × 0.01 m: its weight bends it by ρ g A L⁴/(8 E I), turns its end by 4/3 of that over its length
import { expect, test } from 'vitest';
import { assemble } from '../assembly/assemble.js';
import { extrude } from '../geometry/extrude.js';
import { body } from '../model/body.js';
import type { FlexibleOptions } from '../model/flexible.js';
import { fixed } from '../model/joints.js';
import { model } from '../model/model.js';
import { flexibleFacts, flexibleText } from './flexible.js';

const facts = (youngsModulus: number, flexible: FlexibleOptions) =>
  flexibleFacts(
    assemble(
      model({
        contacts: false,
        bodies: {
          strip: body({
            shape: extrude(
              [
                [0, -0.01],
                [1, -0.01],
                [1, 0.01],
                [0, 0.01],
              ],
              0.01,
            ),
            material: { density: 7850, youngsModulus, poissonRatio: 0.3 },
            flexible,
          }),
        },
        joints: { wall: fixed({ body: 'strip' }) },
      }),
    ),
  );

test('a stiff strip bends little under its weight', () => {
  const [strip] = facts(210e9, { grid: [40, 1], modes: 4 });
  const sag = (7850 * 9.81 * 12) / (8 * 210e9 * 0.02 ** 2);
  // four modes have 99.9 % of the sag; the turn is told as 1.5 of it
  expect(Math.abs(strip.turn / (1.5 * sag) - 1)).toBeLessThan(0.01);
  expect(strip).toMatchObject({ modes: 4, coordinates: 4, linear: true, substructures: 1 });
  expect(strip.slenderness).toBeCloseTo(50, 9);
  expect(flexibleText(strip)).toContain('linear strain will do (up to 0.1 rad)');
  // no more is claimed than was looked at
  expect(flexibleText(strip)).toContain('its speed and other loads are not in it');
});
test('a soft one is beyond linear strain, and is told how many pieces it takes', () => {
  const [strip] = facts(210e6, { grid: [40, 1], modes: 4 });
  expect(strip.linear).toBe(false);
  expect(strip.substructures).toBe(Math.ceil(strip.turn / 0.1));
  expect(flexibleText(strip)).toContain(`some ${strip.substructures} substructures would do`);
});
test('automatic: pieces that are slender themselves', () => {
  const pieces = facts(210e9, { grid: [40, 1], modes: 0, substructures: 'automatic' });
  expect(pieces.map(({ name }) => name)).toEqual(['strip', 'strip[1]', 'strip[2]', 'strip[3]', 'strip[4]']);
  for (const piece of pieces) expect(piece.slenderness).toBeCloseTo(10, 9);
});
