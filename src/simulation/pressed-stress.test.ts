// Colours where something presses: a disc thrown onto a clamped strip, a ball onto a clamped block of tetrahedra.
import { expect, test } from 'vitest';
import { extrude } from '../geometry/extrude.js';
import { disc, sphere } from '../geometry/index.js';
import { body } from '../model/body.js';
import { fixed, prismatic } from '../model/joints.js';
import { model } from '../model/model.js';
import type { Recording } from '../results/recording.js';
import { SurfaceReader } from '../results/scene/surface-frames.js';
import { simulate } from './simulation.js';

const rubber = { density: 1100, youngsModulus: 5e6, poissonRatio: 0.45, friction: 0 };
const strip = extrude(
  [
    [0, -0.015],
    [0.1, -0.015],
    [0.1, 0.015],
    [0, 0.015],
  ],
  0.02,
);

function thrown(onto: 'strip' | 'block'): Recording {
  const planar = onto === 'strip';
  return simulate(
    model({
      gravity: [0, 0, 0],
      bodies: {
        soft: body({
          shape: strip,
          material: rubber,
          flexible: planar ? { grid: [20, 6], modes: 3 } : { grid: [8, 3], layers: 2, modes: 3 },
        }),
        hammer: body({
          shape: planar ? disc({ radius: 0.01, height: 0.02 }) : sphere(0.01),
          mass: 0.05,
          inertia: [1e-5, 1e-5, 1e-5],
          position: planar ? [0.052, 0.02501, 0.01] : [0.052, 0, 0.03001],
        }),
      },
      joints: {
        wall: fixed({ body: 'soft' }),
        guide: prismatic({ body: 'hammer', axis: planar ? [0, 1, 0] : [0, 0, 1], initialSpeed: -0.2 }),
      },
      simulation: { stop: 0.006, interval: 0.001 },
    }),
  );
}

/** Colours at a row, with those of the shapes alone */
function colours(recording: Recording, row: number): { values: Float64Array; shaped: Float64Array } {
  const reader = new SurfaceReader(recording.scene!, recording.signals);
  const table = recording.table('surfaces');
  const samples = recording.samples.row(row);
  const [{ values }] = reader.frames(samples, table.labels, table.instant(row));
  const [{ values: shaped }] = reader.frames(samples);
  return { values, shaped };
}
const largest = (values: Float64Array): number => values.reduce((most, value) => Math.max(most, value), 0);

test('the largest stress of the picture is stress.largest, at the node it names', () => {
  const recording = thrown('strip');
  const told = recording.signal('soft.stress.largest').values;
  const points = recording.signal('contacts.soft-hammer.points').values;
  const row = told.indexOf(Math.max(...told));
  expect(points[row]).toBeGreaterThan(0);
  const { values, shaped } = colours(recording, row);
  // modes alone know little of what happens below the disc
  expect(largest(shaped)).toBeLessThan(0.8 * told[row]);
  const { rest } = recording.scene!.surfaces[0].modes!;
  const nodes = rest.length / 2;
  expect(values).toHaveLength(2 * nodes);
  for (let i = 0; i < recording.rows; i++) {
    const shown = colours(recording, i);
    // the sums are the same numbers in the same order where something presses
    expect(Math.abs(largest(shown.values) / told[i] - 1) || 0).toBeLessThan(1e-12);
    if (points[i] === 0) expect(shown.values).toEqual(shown.shaped);
  }
  const at = values.indexOf(largest(values));
  expect(rest[2 * at]).toBe(recording.signal('soft.stress.x').values[row]);
  expect(rest[2 * at + 1]).toBe(recording.signal('soft.stress.y').values[row]);
  expect(values[at + nodes]).toBe(values[at]); // both faces
});

test('places do not depend on it, and a solid has it too', () => {
  const recording = thrown('block');
  const told = recording.signal('soft.stress.largest').values;
  const row = told.indexOf(Math.max(...told));
  const { values, shaped } = colours(recording, row);
  expect(largest(values)).toBeGreaterThan(1.2 * largest(shaped));
  expect(largest(values)).toBeLessThanOrEqual(told[row] * (1 + 1e-12)); // the largest may lie within
  const reader = new SurfaceReader(recording.scene!, recording.signals);
  const table = recording.table('surfaces');
  const samples = recording.samples.row(row);
  const [{ vertices }] = reader.frames(samples, table.labels, table.instant(row));
  expect(vertices).toEqual(reader.frames(samples)[0].vertices);
});
