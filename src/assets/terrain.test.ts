import { describe, expect, test } from 'vitest';
import { log, pow } from '../math/elementary.js';
import { random } from '../math/random.js';
import { readHeightMap } from './height-map-files/index.js';
import { gradientNoise } from './noise.js';
import { type Layer, terrain } from './terrain.js';

const ramp = {
  columns: 5,
  rows: 4,
  spacing: 0.5,
  heights: Float64Array.from({ length: 20 }, (_, k) => 0.3 * (k % 5) + 0.1 * Math.floor(k / 5)),
};

describe('height and slope at any point', () => {
  const layers: [string, Layer, number][] = [
    ['plane', { kind: 'plane', slope: 0.3, azimuth: 1, height: 2 }, 1e-9],
    [
      'smooth profile',
      {
        kind: 'profile',
        interpolation: 'smooth',
        points: [
          [-3, 0],
          [-1, 0.5],
          [0.5, 0.4],
          [3, 1],
        ],
        azimuth: 0.4,
      },
      1e-6,
    ],
    ['noise', { kind: 'noise', frequency: 0.5, amplitude: 0.3, seed: 4 }, 1e-6],
    ['bicubic map', { kind: 'heightMap', map: { ...ramp, interpolation: 'bicubic' } }, 1e-6],
    ['craters', { kind: 'craters', density: 0.05, smallest: 0.5, largest: 4, seed: 2 }, 1e-5],
  ];
  // Central differences of 1e-5 m: their own error is h²/6 h''' plus rounding 1e-16/1e-5
  test.each(layers)('%s: slope against differences', (_, layer, limit) => {
    const ground = terrain({ layers: [layer] });
    const out = new Float64Array(3);
    const draw = random(1);
    const h = 1e-5;
    let off = 0;
    for (let k = 0; k < 200; k++) {
      const [x, y] = [draw.uniformBetween(-0.9, 0.9), draw.uniformBetween(-0.7, 0.7)];
      ground.sample(x, y, out);
      const dx = (ground.height(x + h, y) - ground.height(x - h, y)) / (2 * h);
      const dy = (ground.height(x, y + h) - ground.height(x, y - h)) / (2 * h);
      if (Math.abs(dx - out[1]) > limit || Math.abs(dy - out[2]) > limit) off++;
    }
    expect(off).toBeLessThan(layer.kind === 'craters' ? 3 : 1); // a crater's rim is a crease
  });

  test('billow and ridged have the slopes of their values away from creases', () => {
    for (const type of ['billow', 'ridged'] as const) {
      const ground = terrain({ layers: [{ kind: 'noise', type, octaves: 3, frequency: 0.5, seed: 9 }] });
      const out = new Float64Array(3);
      const draw = random(3);
      let off = 0;
      for (let k = 0; k < 300; k++) {
        const [x, y] = [draw.uniformBetween(-9, 9), draw.uniformBetween(-9, 9)];
        ground.sample(x, y, out);
        if (Math.abs((ground.height(x + 1e-5, y) - ground.height(x - 1e-5, y)) / 2e-5 - out[1]) > 1e-6) off++;
      }
      expect(off).toBeLessThan(3);
    }
  });

  test('layers add up, and the higher or lower of two can be taken', () => {
    const sum = terrain({
      layers: [
        { kind: 'plane', height: 1 },
        { kind: 'plane', height: 2 },
      ],
    });
    expect(sum.height(3, 4)).toBe(3);
    const high = terrain({
      layers: [
        { kind: 'plane', height: 1 },
        { kind: 'plane', height: 2, combine: 'highest' },
      ],
    });
    expect(high.height(3, 4)).toBe(2);
  });

  test('a mesh has the heights of the surface, and the frame stands on it', () => {
    const ground = terrain({ layers: [{ kind: 'noise', seed: 3 }] });
    const { vertices } = ground.mesh({ size: [4, 2], centre: [1, 1], resolution: 0.1 });
    for (let i = 0; i < vertices.length; i += 3)
      expect(vertices[i + 2]).toBe(ground.height(vertices[i], vertices[i + 1]));
    const { origin, axes } = ground.frame(0.3, 0.4, 1);
    expect(origin[2]).toBe(ground.height(0.3, 0.4));
    expect(axes[2]).toEqual(ground.normal(0.3, 0.4));
  });
});

describe('noise', () => {
  test('lies in [−1, 1], vanishes at lattice corners', () => {
    const out = new Float64Array(4);
    const draw = random(5);
    let most = 0;
    for (let k = 0; k < 20000; k++) {
      gradientNoise(draw.uniformBetween(-50, 50), draw.uniformBetween(-50, 50), draw.uniformBetween(-50, 50), 7, out);
      most = Math.max(most, Math.abs(out[0]));
    }
    expect(most).toBeLessThanOrEqual(1);
    expect(most).toBeGreaterThan(0.6);
    gradientNoise(3, -2, 8, 1, out);
    expect(out[0]).toBe(0);
  });

  // A surface with Hurst exponent H has ⟨(h(x + s) − h(x))²⟩ ∝ s^(2H), but only if it has octaves without end: what is coarser than the coarsest, f, would add a part
  // (s f)^(2 − 2H), and without it the exponent found is lower by (1 − H) x/(1 − x) with that part x: 0.013 for 0.9 and 0.026 for 0.95 at waves of 10 km, 0.06 and 0.08 at
  // waves of 20 m. 8000 places leave 0.01.
  test.each([0.5, 0.8, 0.9, 0.95])('Hurst exponent %f as asked, by the structure function', (H) => {
    const ground = terrain({
      layers: [{ kind: 'noise', frequency: 1e-4, octaves: 24, persistence: pow(2, -H), amplitude: 1, seed: 11 }],
    });
    const structure = (s: number): number => {
      const draw = random(17);
      let sum = 0;
      for (let k = 0; k < 8000; k++) {
        const [x, y] = [draw.uniformBetween(-4e5, 4e5), draw.uniformBetween(-4e5, 4e5)];
        const first = ground.height(x + s, y) - ground.height(x, y);
        sum += first * first;
      }
      return sum;
    };
    expect(Math.abs(log(structure(0.4) / structure(0.05)) / log(8) / 2 - H)).toBeLessThan(0.05);
  });

  // Where waves are no longer than 20 m, as of a rover's site, second differences, ⟨(h(x + s) − 2 h(x) + h(x − s))²⟩ ∝ s^(2H), tell it: they are blind to slopes, and nothing
  // coarse is missed (Istas & Lang 1997, quadratic variations). 4000 places leave 0.02 of the ratio.
  test.each([0.5, 0.7, 0.8, 0.9, 0.95])('Hurst exponent %f as asked, by second differences', (H) => {
    const ground = terrain({
      layers: [{ kind: 'noise', frequency: 0.05, octaves: 14, persistence: pow(2, -H), amplitude: 1, seed: 11 }],
    });
    const variation = (s: number): number => {
      const draw = random(17);
      let sum = 0;
      for (let k = 0; k < 4000; k++) {
        const [x, y] = [draw.uniformBetween(-4000, 4000), draw.uniformBetween(-4000, 4000)];
        const second = ground.height(x + s, y) - 2 * ground.height(x, y) + ground.height(x - s, y);
        sum += second * second;
      }
      return sum / 4000;
    };
    const slope = log(variation(0.4) / variation(0.05)) / log(8);
    expect(Math.abs(slope / 2 - H)).toBeLessThan(0.05);
  });

  test('another seed, another ground', () => {
    const [a, b] = [1, 2].map((seed) => terrain({ layers: [{ kind: 'noise', frequency: 1, seed }] }));
    const draw = random(1);
    let [ab, aa, bb] = [0, 0, 0];
    for (let k = 0; k < 4000; k++) {
      const [x, y] = [draw.uniformBetween(-100, 100), draw.uniformBetween(-100, 100)];
      const [p, q] = [a.height(x, y), b.height(x, y)];
      [ab, aa, bb] = [ab + p * q, aa + p * p, bb + q * q];
    }
    expect(Math.abs(ab / Math.sqrt(aa * bb))).toBeLessThan(0.1);
    expect(a.id).not.toBe(b.id);
  });
});

describe('height maps', () => {
  test('without a map, or with rows in place of heights, are told what is expected', () => {
    for (const given of [{ heights: [0, 0, 0, 0], spacing: 1 }, { map: { columns: 2, rows: 2, spacing: 1 } }])
      expect(() => terrain({ layers: [{ kind: 'heightMap', ...given } as never] })).toThrow(
        /layers\[0\].map: expected \{ columns, rows, heights, spacing \}/,
      );
  });

  test('of an ESRI grid: north up, holes named', () => {
    const text = 'ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 2\nNODATA_value -9999\n1 2 3\n4 5 6\n';
    const bytes = new TextEncoder().encode(text);
    const map = readHeightMap(bytes, { fileName: 'a.asc' });
    const ground = terrain({ layers: [{ kind: 'heightMap', map }] });
    expect(ground.height(-2, -1)).toBe(4);
    expect(ground.height(0, 1)).toBe(2);
    const hole = readHeightMap(new TextEncoder().encode(text.replace('5', '-9999')), {});
    expect(() => terrain({ layers: [{ kind: 'heightMap', map: hole }] })).toThrow(
      '1 of 6 heights are holes, the first in column 1 of row 0',
    );
  });

  test('what is none of the three, and brightness without heights, are refused', () => {
    expect(() => readHeightMap(new Uint8Array([1, 2, 3]), { fileName: 'x.bin' })).toThrow(
      'expected a grey PNG, a TIFF or an ESRI ASCII grid',
    );
  });
});
