import { describe, expect, test } from 'vitest';
import { random } from '../math/random.js';
import { extrude } from './extrude.js';
import { flattened } from './outline.js';
import { nesting } from './outline-crossing.js';
import { checkedProfile, firstCrossing, firstCrossingAmong, nestOutlines } from './polygon.js';
import type { Corner, Outline } from './profile.js';

const circle = (r: number, x = 0, y = 0): Outline => [
  [x + r, y, 1],
  [x - r, y, 1],
];

describe('crossings of arcs', () => {
  test('with lines and arcs are found where they are', () => {
    // a disc of radius 1 whose chord edge is drawn beyond the disc
    const found = firstCrossingAmong([
      circle(1),
      [
        [0, 0.5],
        [3, 0.5],
        [3, 0.6],
        [0, 0.6],
      ],
    ]);
    expect(found).toMatchObject({ kind: 'cross', firstOutline: 0, secondOutline: 1 });
    expect(Math.hypot(...found!.at)).toBeCloseTo(1, 14);
    // lens of two circles, x = 0.5 by symmetry
    const lens = firstCrossingAmong([circle(1), circle(1, 1)]);
    expect(lens!.at[0]).toBeCloseTo(0.5, 14);
    expect(Math.abs(lens!.at[1])).toBeCloseTo(Math.sqrt(0.75), 14);
  });

  test('one inside the other, beside it, tangent', () => {
    expect(firstCrossingAmong([circle(2), circle(1)])).toBeUndefined();
    expect(firstCrossingAmong([circle(1), circle(1, 2.001)])).toBeUndefined();
    expect(firstCrossingAmong([circle(1), circle(1, 2)])).toMatchObject({ kind: 'touch', at: [1, 0] });
    expect(firstCrossingAmong([circle(1), circle(0.5, 0, 0.5)])).toBeDefined();
    expect(firstCrossingAmong([circle(1), circle(1)])).toMatchObject({ kind: 'overlap' });
  });

  test('of neighbours: tangent joints are none, a loop behind a corner is one', () => {
    const slot: Outline = [
      [-2, -1],
      [2, -1, 1],
      [2, 1],
      [-2, 1, 1],
    ];
    expect(firstCrossing(slot)).toBeUndefined();
    // an arc of 300° that comes back through the line before it
    const loop: Outline = [
      [0, 0],
      [4, 0, -Math.tan((300 / 4) * (Math.PI / 180))],
      [3, 0.2],
      [3, 3],
      [0, 3],
    ];
    expect(firstCrossing(loop)).toMatchObject({ kind: 'cross' });
    // there and back along one arc
    expect(
      firstCrossing([
        [0, 0, 0.5],
        [1, 0, -0.5],
      ]),
    ).toMatchObject({ kind: 'overlap' });
    expect(
      firstCrossing([
        [0, 0, 0.5],
        [1, 0],
      ]),
    ).toBeUndefined();
  });

  // Fine chords stand for the arcs: they agree except where two edges miss each other by less than a sagitta.
  test('agree with fine chords for 600 random outlines', () => {
    const draw = random(11);
    let crossing = 0;
    for (let i = 0; i < 600; i++) {
      const outline = Array.from({ length: 2 + draw.integer(4) }, (): Corner => {
        const bulge = draw.integer(3) === 0 ? 0 : draw.uniformBetween(-1.5, 1.5);
        return [draw.uniformBetween(-1, 1), draw.uniformBetween(-1, 1), bulge];
      });
      if (outline.length === 2 && outline.every(([, , bulge]) => bulge === 0)) continue;
      const found = firstCrossing(outline);
      expect(found !== undefined, JSON.stringify(outline)).toBe(firstCrossing(flattened(outline, 2000)) !== undefined);
      if (found) crossing++;
    }
    expect(crossing).toBeGreaterThan(200);
    expect(crossing).toBeLessThan(550);
  });

  test('nesting knows arcs: what bulges around a point holds it', () => {
    expect([...nesting([circle(3), circle(1, 1.5), circle(0.2, 1.5, 0.5)]).parents]).toEqual([-1, 0, 1]);
    const profiles = nestOutlines([circle(0.2, 1.5, 0.5), circle(1, 1.5), circle(3)]);
    expect(profiles).toHaveLength(2);
    expect(profiles[1].holes).toHaveLength(1);
  });

  test('refused in words', () => {
    expect(() => extrude({ outer: circle(1), holes: [circle(0.5, 0.8)] }, 1)).toThrow(
      /extrude.profile.holes\[0\]: edge \d and edge \d of extrude.profile.outer cross/,
    );
    expect(() => extrude({ outer: circle(1), holes: [circle(0.5, 3)] }, 1)).toThrow('got one outside');
    const { outer, holes } = checkedProfile({ outer: circle(1), holes: [circle(0.5)] }, 'ring');
    expect(outer[0][2]).toBe(1);
    expect(holes[0][0][2]).toBe(-1);
  });
});
