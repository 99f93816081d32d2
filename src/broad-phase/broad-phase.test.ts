// All ways of finding pairs against the plain question put to every two boxes, over scenes chosen to cause trouble: boxes that
// touch, coincide, have no extent, are huge beside tiny, unbounded, in a line, far away, and moving.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Random, random } from '../math/random.js';
import { BroadPhase, type BroadPhaseMethod, type BroadPhaseOptions, methodForSize } from './broad-phase.js';
import type { CandidatePairs } from './candidate-pairs.js';

const METHODS: readonly BroadPhaseMethod[] = ['brute-force', 'morton', 'tree'];

/** Shapes of bodies of their own. */
const alone = (shapes: number) => ({ body: Int32Array.from({ length: shapes }, (_, i) => i) });

const pairsOf = ({ count, a, b }: CandidatePairs): string =>
  Array.from({ length: count }, (_, i) => `${a[i]}-${b[i]}`).join(' ');

/** The definition, written as it is said. */
function expected(boxes: ArrayLike<number>, may: (a: number, b: number) => boolean = () => true): string {
  const found: string[] = [];
  for (let a = 0; 6 * a < boxes.length; a++)
    for (let b = a + 1; 6 * b < boxes.length; b++) {
      const apart = [0, 1, 2].some(
        (k) => boxes[6 * a + k] > boxes[6 * b + 3 + k] || boxes[6 * b + k] > boxes[6 * a + 3 + k],
      );
      if (!apart && may(a, b)) found.push(`${a}-${b}`);
    }
  return found.join(' ');
}

const phases = (shapes: number, options: Partial<BroadPhaseOptions> = {}) =>
  METHODS.map((method) => new BroadPhase({ rules: alone(shapes), method, ...options }));

/** Boxes from centres and half edges. */
const around = (
  n: number,
  at: (i: number) => readonly number[],
  half: (i: number) => readonly number[],
): Float64Array => {
  const boxes = new Float64Array(6 * n);
  for (let i = 0; i < n; i++) {
    const [centre, edge] = [at(i), half(i)];
    for (let k = 0; k < 3; k++) {
      boxes[6 * i + k] = centre[k] - edge[k];
      boxes[6 * i + 3 + k] = centre[k] + edge[k];
    }
  }
  return boxes;
};

describe('the same pairs in the same order', () => {
  // Corners on a coarse lattice: faces, edges and corners touch exactly, boxes coincide, edges vanish.
  const latticeBox = fc
    .tuple(...Array.from({ length: 6 }, () => fc.integer({ min: -3, max: 3 })))
    .map((c) => [0, 1, 2].map((k) => Math.min(c[k], c[k + 3])).concat([0, 1, 2].map((k) => Math.max(c[k], c[k + 3]))));
  test('boxes on a lattice', () => {
    fc.assert(
      fc.property(
        fc.array(latticeBox, { maxLength: 24 }),
        fc.constantFrom(1, 0.1, 1e-9, 2 ** 40, 1e150),
        fc.constantFrom(0, 1 / 3, 1e6),
        fc.constantFrom(0, 0.1, 3),
        (list, unit, shift, skin) => {
          const boxes = Float64Array.from(list.flat(), (x) => (x + shift) * unit);
          for (const phase of phases(list.length, { skin }))
            expect(pairsOf(phase.update(boxes)), phase.method).toBe(expected(boxes));
        },
      ),
      { seed: 1, numRuns: 1500 },
    );
  });

  // Any doubles: sizes over all orders of magnitude, zeros of both signs, infinities.
  const number = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.double({ min: -2, max: 2, noNaN: true }),
    fc.constantFrom(0, -0, 1, -1, 1e-300, 5e-324, 1e308, -1e308, -Infinity, Infinity),
  );
  test('boxes of any numbers', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(number, number, number, number, number, number), { maxLength: 20 }), (list) => {
        const bounded = (x: number, y: number): [number, number] => {
          const [low, high] = x < y ? [x, y] : [y, x];
          return [low === Infinity ? 1 : low, high === -Infinity ? -1 : high];
        };
        const boxes = Float64Array.from(
          list.flatMap((c) => {
            const sides = [bounded(c[0], c[3]), bounded(c[1], c[4]), bounded(c[2], c[5])];
            return [
              ...sides.map(([low, high]) => Math.min(low, high)),
              ...sides.map(([low, high]) => Math.max(low, high)),
            ];
          }),
        );
        for (const phase of phases(list.length))
          expect(pairsOf(phase.update(boxes)), phase.method).toBe(expected(boxes));
      }),
      { seed: 2, numRuns: 1500 },
    );
  });

  const SCENES: Record<string, (draw: Random, n: number) => Float64Array> = {
    grains: (draw, n) => {
      const side = Math.cbrt(n);
      return around(
        n,
        () => [draw.uniform() * side, draw.uniform() * side, draw.uniform() * side],
        () => [0.5, 0.5, 0.5],
      );
    },
    'sizes over nine decades': (draw, n) => {
      const half = Array.from({ length: n }, () => 10 ** draw.uniformBetween(-6, 3));
      const at = Array.from({ length: n }, () => draw.unitVector().map((x) => x * 10 ** draw.uniformBetween(-6, 3)));
      return around(
        n,
        (i) => at[i],
        (i) => [half[i], half[i] * draw.uniform(), half[i]],
      );
    },
    'points on a lattice': (draw, n) =>
      around(
        n,
        () => [draw.integer(4), draw.integer(4), draw.integer(4)],
        () => [0, 0, 0],
      ),
    'rods across the scene': (draw, n) =>
      around(
        n,
        () => [draw.normal(), draw.normal(), draw.normal()],
        (i) => [0, 1, 2].map((k) => (k === i % 3 ? 3 : 0.02)),
      ),
    'all the same': (_, n) =>
      around(
        n,
        () => [1e3, 0, -7],
        () => [0.1, 0.1, 0.1],
      ),
    'a plate, a half space and grains': (draw, n) => {
      const boxes = SCENES.grains(draw, n);
      if (n > 0) boxes.set([-1e3, -1e3, -1, 1e3, 1e3, 0], 0);
      if (n > 1) boxes.set([-Infinity, -Infinity, -Infinity, Infinity, Infinity, 0], 6 * (n - 1));
      return boxes;
    },
    'two heaps far apart and one body gone': (draw, n) => {
      const boxes = SCENES.grains(draw, n).map((x) => x * 1e-3);
      for (let i = 0; i < n; i++)
        for (let k = 0; k < 6; k += 3) boxes[6 * i + k] += i % 7 === 3 ? 1e9 : i % 2 === 0 ? 1024 : 0;
      return boxes;
    },
    // the torus of Morton cells taken for one place: multiples of 2^20 times the size
    'aliases of the grid': (draw, n) =>
      around(
        n,
        () => [1048576 * draw.integer(3), 1048576 * draw.integer(3), draw.integer(3)],
        () => [0.5, 0.5, 0.5],
      ),
  };
  test.each(Object.keys(SCENES))('%s', (name) => {
    const draw = random(name);
    for (let run = 0; run < 60; run++) {
      const n = draw.integer(run < 50 ? 40 : 300);
      const boxes = SCENES[name](draw, n);
      const wanted = expected(boxes);
      for (const phase of phases(n, { skin: run % 3 === 0 ? 0 : 0.1 }))
        expect(pairsOf(phase.update(boxes)), `${phase.method}, ${n} shapes`).toBe(wanted);
    }
  });

  test('a thousand touching balls in a line make 999 pairs', () => {
    for (const direction of [0, 1, 2]) {
      const boxes = around(
        1000,
        (i) => [0, 1, 2].map((k) => (k === direction ? i : 0)),
        () => [0.5, 0.5, 0.5],
      );
      for (const phase of phases(1000)) {
        const { count, a, b } = phase.update(boxes);
        expect(count, phase.method).toBe(999);
        expect(Array.from(a.subarray(0, 999))).toEqual(Array.from({ length: 999 }, (_, i) => i));
        expect(Array.from(b.subarray(0, 999))).toEqual(Array.from({ length: 999 }, (_, i) => i + 1));
      }
    }
  });

  test('none, one and two shapes', () => {
    for (const n of [0, 1, 2])
      for (const phase of phases(n)) expect(phase.update(new Float64Array(6 * n)).count).toBe(n === 2 ? 1 : 0);
  });
});

describe('history does not matter', () => {
  test('what comes out depends on the boxes of the call alone', () => {
    const draw = random('history');
    for (let run = 0; run < 40; run++) {
      const n = 5 + draw.integer(60);
      const side = Math.cbrt(n);
      const at = Float64Array.from({ length: 3 * n }, () => side * draw.uniform());
      const half = Float64Array.from({ length: n }, () => 0.2 + 0.5 * draw.uniform());
      const lasting = phases(n, { skin: [0, 0.05, 0.3][run % 3] });
      for (let step = 0; step < 30; step++) {
        // mostly small motions, at times a few shapes jump, at times all of them, at times none
        const kind = draw.integer(10);
        const stride = kind === 0 ? 0 : kind === 1 ? side : 0.02;
        for (let i = 0; i < n; i++)
          if (kind !== 2 || i % 9 === 0)
            for (let k = 0; k < 3; k++) at[3 * i + k] += (kind === 2 ? side : stride) * draw.normal();
        const boxes = around(
          n,
          (i) => [at[3 * i], at[3 * i + 1], at[3 * i + 2]],
          (i) => [half[i], half[i], half[i]],
        );
        const wanted = expected(boxes);
        for (const phase of lasting) expect(pairsOf(phase.update(boxes)), `${phase.method}, step ${step}`).toBe(wanted);
      }
    }
  });

  test('shapes that move within their skin are not searched for again', () => {
    const boxes = around(
      200,
      (i) => [i % 10, Math.floor(i / 10) % 10, Math.floor(i / 100)],
      () => [0.5, 0.5, 0.5],
    );
    for (const method of ['morton', 'tree'] as const) {
      const phase = new BroadPhase({ rules: alone(200), method, skin: 0.1 });
      for (let step = 0; step < 20; step++) {
        const moved = boxes.map((x) => x + 0.09 * Math.sin(step));
        expect(pairsOf(phase.update(moved))).toBe(expected(moved));
      }
      expect(phase.searches).toBe(1);
      // one that leaves
      boxes[0] -= 1;
      expect(pairsOf(phase.update(boxes))).toBe(expected(boxes));
      expect(phase.searches).toBe(2);
    }
  });

  test('a refused call leaves no trace', () => {
    const boxes = around(
      60,
      (i) => [0.9 * i, 0, 0],
      () => [0.5, 0.5, 0.5],
    );
    for (const phase of phases(60)) {
      phase.update(boxes);
      const broken = boxes.map((x, i) => (i === 200 ? Number.NaN : x + 40 * (i % 5)));
      expect(() => phase.update(broken)).toThrow();
      expect(pairsOf(phase.update(boxes))).toBe(expected(boxes));
    }
  });
});

describe('rules and margins', () => {
  test('random rules hold for all methods', () => {
    const draw = random('rules');
    for (let run = 0; run < 150; run++) {
      const n = 2 + draw.integer(40);
      const bits = () => Int32Array.from({ length: n }, () => draw.integer(8));
      const body = Int32Array.from({ length: n }, () => draw.integer(n) - 1);
      const [group, mask] = [bits(), bits()];
      const pair = (count: number, least: number): [number, number] => {
        const a = least + draw.integer(count - 1);
        return [a, a + 1 + draw.integer(least + count - 1 - a)];
      };
      const bodies = Array.from({ length: 6 }, () => pair(n, -1));
      const shapes = Array.from({ length: 6 }, () => pair(n, 0));
      const excluded = (list: readonly (readonly number[])[], a: number, b: number) =>
        list.some(([p, q]) => (p === a && q === b) || (p === b && q === a));
      const rules = {
        body,
        group,
        mask,
        excludedBodies: bodies.flat(),
        excludedShapes: shapes.flat(),
      };
      const may = (a: number, b: number) =>
        body[a] !== body[b] &&
        (group[a] & mask[b]) !== 0 &&
        (group[b] & mask[a]) !== 0 &&
        !excluded(bodies, body[a], body[b]) &&
        !excluded(shapes, a, b);
      const side = Math.cbrt(n);
      const boxes = around(
        n,
        () => [draw.uniform() * side, draw.uniform() * side, draw.uniform() * side],
        () => [0.7, 0.7, 0.7],
      );
      for (const method of METHODS) {
        const phase = new BroadPhase({ rules, method });
        expect(pairsOf(phase.update(boxes)), method).toBe(expected(boxes, may));
      }
    }
  });

  test('margins add up', () => {
    // gaps of 1, 2, 3 along x
    const boxes = around(
      4,
      (i) => [[0, 2, 5, 9][i], 0, 0],
      () => [0.5, 0.5, 0.5],
    );
    for (const [margin, wanted] of [
      [0, ''],
      [0.499, ''],
      [0.5, '0-1'],
      [1, '0-1 1-2'],
      [[0, 1, 1, 2], '0-1 1-2 2-3'],
      [[0, 0, 0, 6], '1-3 2-3'],
    ] as const)
      for (const phase of phases(4, { margin }))
        expect(pairsOf(phase.update(boxes)), `${phase.method}, margin ${margin}`).toBe(wanted);
  });
});

describe('refused', () => {
  const boxes = around(
    3,
    (i) => [i, 0, 0],
    () => [0.5, 0.5, 0.5],
  );
  test.each([
    ['NaN', 7, Number.NaN],
    ['least above greatest', 7, 9],
    ['a box at infinity', 7, Infinity],
    ['a box at minus infinity', 10, -Infinity],
  ])('%s', (_, at, value) => {
    const broken = boxes.with(at, value);
    for (const phase of phases(3))
      expect(() => phase.update(broken)).toThrow(/^broadPhase\.boxes\[1\]: expected least ≤ greatest coordinates in m/);
  });
  test('what does not fit', () => {
    const make = (options: object) => () => new BroadPhase({ rules: alone(3), ...options });
    expect(() => new BroadPhase({ rules: alone(3) }).update(new Float64Array(12))).toThrow('each of 3 shapes, got 12');
    expect(make({ margin: -1 })).toThrow('broadPhase.margin: expected a length ≥ 0 m, got -1');
    expect(make({ margin: [0, Number.NaN, 0] })).toThrow('broadPhase.margin[1]');
    expect(make({ margin: [0] })).toThrow('one for each of 3 shapes, got 1');
    expect(make({ skin: Number.NaN })).toThrow('broadPhase.skin');
    expect(make({ method: 'sweep' })).toThrow("got 'sweep'");
  });
});

test('the method follows the number of shapes and can be set', () => {
  expect(new BroadPhase({ rules: alone(10) }).method).toBe('brute-force');
  expect(new BroadPhase({ rules: alone(10), method: 'tree' }).method).toBe('tree');
  expect(new BroadPhase({ rules: alone(20_000) }).method).toBe(methodForSize(20_000));
  expect(new Set([10, 1000, 100_000].map(methodForSize)).size).toBeGreaterThan(1);
});

test('no arrays are made once a scene has settled', () => {
  const draw = random('settled');
  const boxes = around(
    500,
    () => [8 * draw.uniform(), 8 * draw.uniform(), 8 * draw.uniform()],
    () => [0.5, 0.5, 0.5],
  );
  for (const phase of phases(500)) {
    const { a, b } = phase.update(boxes);
    const [a0, b0] = [a, b];
    for (let step = 0; step < 5; step++) {
      const again = phase.update(boxes.map((x) => x + step));
      expect(again.a).toBe(a0);
      expect(again.b).toBe(b0);
    }
  }
});
