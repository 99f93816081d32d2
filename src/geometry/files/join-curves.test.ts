import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Vec2 } from '../../math/vec3.js';
import { signedArea } from '../polygon-measure.js';
import { joinCurves } from './join-curves.js';
import { CurveList, type CurveSet } from './join-curves-list.js';

function curves(...chains: readonly (readonly Vec2[])[]): CurveSet {
  const list = new CurveList();
  chains.forEach((chain, i) => {
    for (const [x, y] of chain) list.point(x, y, 0);
    list.finish(false, i);
  });
  return list.level(0).curves;
}

describe('joinCurves', () => {
  test('ends within the tolerance join, others are reported with the gap', () => {
    const bent: Vec2[][] = [[[0, 0], [1, 0]], [[1, 1e-7], [1, 1]], [[0, 2e-7], [1, 1]]]; // biome-ignore format: a curve each
    expect(joinCurves(curves(...bent), 1e-6).outlines).toHaveLength(1);
    const open = joinCurves(curves(...bent), 1e-8);
    expect(open.outlines).toHaveLength(0);
    expect(open.openChains).toBe(2); // the corner at (1, 1) joins
    expect(open.gaps.map(({ distance }) => distance)).toEqual([1e-7, 2e-7]);
    expect(open.gaps[0]).toMatchObject({ from: [1, 0], to: [1, 1e-7] });
  });

  test('two outlines that meet in a corner are two outlines; a divided rectangle is not guessed', () => {
    const bow: Vec2[][] = [[[0, 0], [-1, 1]], [[-1, 1], [-1, -1]], [[-1, -1], [0, 0]], [[0, 0], [1, 1]], [[1, 1], [1, -1]], [[1, -1], [0, 0]]]; // biome-ignore format: a curve each
    expect(joinCurves(curves(...bow), 1e-6).outlines.map((outline) => Math.abs(signedArea(outline)))).toEqual([1, 1]);
    const divided = joinCurves(curves([[1, 0], [0, 0], [0, 1], [1, 1]], [[1, 1], [2, 1], [2, 0], [1, 0]], [[1, 0], [1, 1]]), 1e-6); // biome-ignore format: one line
    expect(divided.outlines).toHaveLength(0);
    expect(divided.branches).toEqual([{ at: [1, 0], ends: 3 }, { at: [1, 1], ends: 3 }]); // biome-ignore format: one line
  });

  test('arcs between the same ends are different curves, two leaning parallelograms different outlines', () => {
    const lens = joinCurves(curves([[0, 0], [1, 1], [2, 0]], [[0, 0], [1, -1], [2, 0]]), 1e-6); // biome-ignore format: one line
    expect(lens).toMatchObject({ duplicates: 0 });
    expect(lens.outlines).toHaveLength(1);
    const right: Vec2[] = [[0, 0], [2, 0], [3, 1], [1, 1], [0, 0]]; // biome-ignore format: one line
    const left: Vec2[] = [[1, 0], [3, 0], [2, 1], [0, 1], [1, 0]]; // biome-ignore format: one line
    expect(joinCurves(curves(right, left), 1e-6).outlines).toHaveLength(2);
    // The same from another corner and backwards is drawn twice.
    const again: Vec2[] = [...right.slice(2), ...right.slice(1, 3)].reverse();
    expect(joinCurves(curves(right, again), 1e-6)).toMatchObject({ duplicates: 1 });
  });

  test('curves shorter than the tolerance vanish', () => {
    const joined = joinCurves(curves([[0, 0], [1, 0]], [[1, 0], [1 + 1e-9, 0]], [[1 + 1e-9, 0], [0, 1], [0, 0]]), 1e-6); // biome-ignore format: one line
    expect(joined.outlines).toEqual([[[0, 0], [1, 0], [0, 1]]]); // biome-ignore format: one line
  });

  // Any polygon, cut into pieces, in any order and direction, comes back with its area.
  test('a shuffled star comes back', () => {
    const star = fc
      .integer({ min: 3, max: 40 })
      .chain((n) =>
        fc.tuple(
          fc.array(fc.double({ min: 0.5, max: 2, noNaN: true }), { minLength: n, maxLength: n }),
          fc.shuffledSubarray([...Array(n).keys()], { minLength: n }),
          fc.array(fc.boolean(), { minLength: n, maxLength: n }),
        ),
      );
    fc.assert(
      fc.property(star, ([radii, order, turned]) => {
        const n = radii.length;
        const corners = radii.map((r, i): Vec2 => {
          const t = (2 * Math.PI * i) / n;
          return [r * Math.cos(t), r * Math.sin(t)];
        });
        const pieces = order.map((i): Vec2[] => {
          const piece = [corners[i], corners[(i + 1) % n]];
          return turned[i] ? piece.reverse() : piece;
        });
        const { outlines } = joinCurves(curves(...pieces), 1e-9);
        expect(outlines).toHaveLength(1);
        expect(Math.abs(signedArea(outlines[0]))).toBeCloseTo(Math.abs(signedArea(corners)), 12);
      }),
      { seed: 3, numRuns: 100 },
    );
  });

  test('100 000 lines join in a time that grows with their number only', () => {
    const time = (squares: number): number => {
      const list = new CurveList();
      const side = Math.ceil(Math.sqrt(squares));
      // All bottom sides first, then all right sides …: neighbours in space are far apart in the list.
      const corner: Vec2[] = [[0, 0], [0.5, 0], [0.5, 0.5], [0, 0.5]]; // biome-ignore format: one line
      for (let k = 0; k < 4; k++)
        for (let i = 0; i < squares; i++) {
          const [x, y] = [i % side, Math.floor(i / side)];
          list.point(x + corner[k][0], y + corner[k][1], 0);
          list.point(x + corner[(k + 1) % 4][0], y + corner[(k + 1) % 4][1], 0);
          list.finish(false, i);
        }
      const { curves } = list.level(0);
      const start = performance.now();
      expect(joinCurves(curves, 1e-6).outlines).toHaveLength(squares);
      return performance.now() - start;
    };
    time(1000);
    expect(time(25_000)).toBeLessThan(5_000); // a search of all pairs would take minutes
  });
});
