import { beforeAll, describe, expect, test } from 'vitest';
import { extrude } from '../geometry/extrude.js';
import { box } from '../geometry/primitives.js';
import { body } from '../model/body.js';
import { fixed } from '../model/joints.js';
import { model } from '../model/model.js';
import type { Recording } from '../results/recording.js';
import { scaleColour } from '../results/scene/colour-scale.js';
import { simulate } from '../simulation/simulation.js';
import { drawText, textWidth } from './lettering.js';
import { drawStill, type Still } from './still.js';
import { legendTexts, type ValueScale } from './still-legend.js';
import { deformedParts, surfaceRanges, visibleExaggeration } from './surface-parts.js';

const blank = (width: number, height: number): Still => ({
  width,
  height,
  rgba: new Uint8ClampedArray(4 * width * height),
});
const INK = [10, 20, 30] as const;
const written = (text: string, capital = 18): Still => {
  const still = blank(80, 40);
  drawText(still, text, 4, 30, capital, INK);
  return still;
};
/** Pixels that are inked, in all */
const ink = ({ rgba }: Still): number => {
  let sum = 0;
  for (let i = 3; i < rgba.length; i += 4) sum += rgba[i] / 255;
  return sum;
};

test('an end of a scale that is nothing beside the other is 0', () => {
  const scale = { quantity: 'von Mises stress', unit: 'Pa', largest: 3e7 };
  expect(legendTexts({ ...scale, low: 67.5, high: 3e7 })).toMatchObject({ low: '0', high: '30.00' });
  expect(legendTexts({ ...scale, low: 1e6, high: 3e7 })).toMatchObject({ low: '1.000' });
});

describe('lettering', () => {
  test('a stroke has the area of a round pen along it, in the ink, where it is said', () => {
    // l = 18 px tall, pen 0.13 · 18 = 2.34 px: 2.34 · 18 + π/4 · 2.34²; coverage by distance is right to a tenth of a pixel of width
    const still = written('l');
    expect(ink(still) / (2.34 * 18 + (Math.PI / 4) * 2.34 ** 2)).toBeCloseTo(1, 1);
    const at = 4 * (20 * 80 + 4);
    expect([...still.rgba.subarray(at, at + 3)]).toEqual([...INK]);
    for (let y = 0; y < 10; y++) for (let x = 0; x < 80; x++) expect(still.rgba[4 * (80 * y + x) + 3]).toBe(0);
  });

  test('no two letters look alike, and none as what there is no letter for', () => {
    const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz.,:-−+×=/·()[]%°²³µω_…§';
    const seen = new Map<string, string>();
    for (const letter of letters) {
      const picture = Buffer.from(written(letter).rgba).toString('base64');
      // I and l are one stroke, as in most type without serifs
      if (letter !== 'l') expect(seen.get(picture), letter).toBeUndefined();
      seen.set(picture, letter);
    }
  });

  test('stays within the width that is told', () => {
    for (const text of ['von Mises', '0.05286', '×10']) {
      const { rgba, width } = written(text, 9);
      for (let x = Math.ceil(4 + textWidth(text, 9) + 1.6); x < width; x++)
        for (let y = 0; y < 40; y++) expect(rgba[4 * (width * y + x) + 3], text).toBe(0);
    }
  });
});

const scale: ValueScale = {
  quantity: 'von Mises stress',
  unit: 'Pa',
  low: 0,
  high: 2.5e8,
  largest: 4e7,
  exaggeration: 20,
};

describe('the legend of a still', () => {
  test('tells quantity, unit, ends, the largest value and how often deformation is drawn', () => {
    expect(legendTexts(scale)).toEqual({
      title: 'von Mises stress, MPa',
      low: '0',
      high: '250.0',
      beside: ['largest 40.00 MPa', 'deformation × 20'],
    });
    expect(legendTexts({ ...scale, exaggeration: 1 }).beside).toContain('deformation to scale');
  });

  test('has the colours of the scale from end to end, and nothing of the parts over it', () => {
    const { mesh } = box([1, 1, 1]);
    const [width, height] = [400, 310];
    const look = { width, height, samples: 1, background: [255, 255, 255] as const };
    const still = drawStill([{ mesh, colour: [1, 0, 0, 1], scale }], { ...look, legend: true });
    const pixel = (x: number, y: number): number[] => [
      ...still.rgba.subarray(4 * (y * width + x), 4 * (y * width + x) + 3),
    ];
    // capitals of 7 px: text from 14 px on, 7 px above the edge, the bar 1.6 capitals above it and half of the picture wide at most
    for (const [x, s] of [
      [14, 0],
      [14 + 153, 1],
    ])
      scaleColour(s).forEach((c, k) => {
        expect(Math.abs(pixel(x, 288)[k] - 255 * c)).toBeLessThan(2);
      });
    const red = ({ rgba }: Still, from: number): boolean => {
      for (let i = 4 * width * from; i < rgba.length; i += 4) if (rgba[i] > 100 && rgba[i + 1] < 20) return true;
      return false;
    };
    expect(red(still, height - 42)).toBe(false);
    expect(red(drawStill([{ mesh, colour: [1, 0, 0, 1] }], look), height - 42)).toBe(true);
  });
});

describe('bodies that deform', () => {
  let recording: Recording;
  beforeAll(() => {
    const strip = extrude(
      [
        [0, -0.01],
        [0.5, -0.01],
        [0.5, 0.01],
        [0, 0.01],
      ],
      0.01,
    ); // prettier-ignore
    const rubber = { density: 1100, youngsModulus: 1e8, poissonRatio: 0.4 };
    recording = simulate(
      model({
        gravity: [0, -9.81, 0],
        bodies: { strip: body({ shape: strip, material: rubber, flexible: { modes: 2, grid: [10, 1] } }) },
        joints: { wall: fixed({ body: 'strip' }) },
      }),
      { stopTime: 0.05, interval: 0.005 },
    );
  });
  const drawn = (exaggeration: number, row = 10): Float64Array =>
    deformedParts(recording, recording.scene!, row, { exaggeration })[0].mesh.vertices;

  test('are drawn with their displacement times the exaggeration, and the stress they have', () => {
    const [rest, bent, more] = [0, 1, 20].map((factor) => drawn(factor));
    let most = 0;
    for (let i = 0; i < rest.length; i++) {
      expect(more[i] - rest[i]).toBeCloseTo(20 * (bent[i] - rest[i]), 12); // linear; rounding of 1 m
      most = Math.max(most, Math.abs(bent[i] - rest[i]));
    }
    expect(most).toBeGreaterThan(1e-4);
    const stress = (exaggeration: number) =>
      deformedParts(recording, recording.scene!, 10, { exaggeration })[0].scale?.largest;
    expect(stress(20)).toBe(stress(1));
    expect(stress(1)).toBeCloseTo(recording.signal('strip.stress.largest').values[10], -2);
  });

  test('an exaggeration that is seen makes the largest deformation 2.4 to 6 % of the scene, in round numbers', () => {
    const factor = visibleExaggeration(recording, 0.5);
    expect([1, 2, 5, 10, 20, 50]).toContain(factor);
    let most = 0;
    for (let row = 0; row < recording.rows; row++) {
      const [rest, bent] = [drawn(0, row), drawn(1, row)];
      for (let i = 0; i < rest.length; i += 3)
        most = Math.max(most, Math.hypot(bent[i] - rest[i], bent[i + 1] - rest[i + 1], bent[i + 2] - rest[i + 2]));
    }
    expect((factor * most) / 0.5).toBeLessThanOrEqual(0.06);
    expect(Math.max(factor * most, factor === 1 ? 1 : 0) / 0.5).toBeGreaterThan(0.06 / 2.5);
  });

  test('have one scale for a film, up to the largest stress of the run', () => {
    const [, high] = surfaceRanges(recording)['von Mises stress'];
    const largest = Math.max(...recording.signal('strip.stress.largest').values);
    expect(high / largest).toBeCloseTo(1, 6);
    const [part] = deformedParts(recording, recording.scene!, 2, { ranges: surfaceRanges(recording) });
    expect(part.scale).toMatchObject({ high });
    expect(part.scale!.largest).toBeLessThan(high);
  });
});
