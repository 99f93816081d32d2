// Mutated and truncated drawings: read, or refused with our own error; never a crash, a hang or memory without bound.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readDxf } from '../../src/geometry/files/dxf-read.js';
import { writeDxf } from '../../src/geometry/files/dxf-write.js';
import {
  arc,
  binaryOf,
  CUBE_CORNERS,
  CUBE_FACES,
  circle,
  type DrawingParts,
  drawing,
  entity,
  groupsOf,
  line,
  lwpolyline,
  polyfaceMesh,
} from '../fixtures/files/dxf/drawing.js';
import { fuzzReader } from '../fuzz/fuzz-reader.js';

// One of everything the reader knows.
const everything: DrawingParts = {
  unit: 4,
  header: [9, '$DWGCODEPAGE', 3, 'ANSI_1252'],
  layers: [
    [2, 'cut', 70, 0, 62, 1],
    [2, 'off', 70, 0, 62, -5],
  ],
  blocks: {
    BORE: [circle(0, 0, 1)],
    ROW: [entity('INSERT', 8, '0', 2, 'BORE', 10, 0, 20, 0, 41, 2, 42, 1, 50, 30, 70, 3, 71, 2, 44, 5, 45, 5)],
  },
  entities: [
    line(0, 0, 50, 0, 'cut'),
    line(50, 0, 50, 40, 'cut'),
    line(50, 40, 10, 40, 'cut'),
    arc(10, 30, 10, 90, 180, 'cut'),
    line(0, 30, 0, 0, 'cut'),
    entity('INSERT', 8, 'cut', 2, 'ROW', 10, 10, 20, 10, 210, 0, 220, 0, 230, 1),
    entity('ELLIPSE', 8, 'e', 10, 0, 20, 0, 30, 0, 11, 5, 21, 1, 31, 0, 40, 0.5, 41, 0, 42, 6.283185307179586),
    lwpolyline([
      [0, 0],
      [9, 0, 1],
      [9, 4],
      [0, 4, 1],
    ]),
    entity(
      'SPLINE',
      ...[8, 's', 70, 12, 71, 2, 72, 6, 73, 3, 40, 0, 40, 0, 40, 0, 40, 1, 40, 1, 40, 1, 41, 1, 41, 0.7, 41, 1],
      ...[10, 0, 20, 0, 30, 0, 10, 2, 20, 3, 30, 0, 10, 4, 20, 0, 30, 0],
    ),
    line(4, 0, 0, 0, 's'),
    entity('SPLINE', 8, 'f', 70, 11, 71, 3, 74, 3, 11, 0, 21, 0, 31, 0, 11, 3, 21, 1, 31, 0, 11, 1, 21, 4, 31, 0),
    entity('SOLID', 8, 'fill', 10, 0, 20, 0, 11, 1, 21, 0, 12, 0, 22, 1, 13, 1, 23, 1),
    polyfaceMesh(CUBE_CORNERS, CUBE_FACES, 'cube'),
    entity('3DFACE', 8, 'face', 62, 40, 420, 0xff8800, 10, 0, 20, 0, 30, 0, 11, 1, 21, 0, 31, 0, 12, 0, 22, 1, 32, 1, 13, 0, 23, 1, 33, 1), // biome-ignore format: one entity
    entity('TEXT', 8, 'off', 10, 0, 20, 0, 1, 'hello'),
  ],
};

test('mutated DXF files', async () => {
  const plate = new URL('../fixtures/files/dxf/openscad-plate.dxf', import.meta.url);
  const read = (bytes: Uint8Array) => readDxf(bytes, { fileName: 'fuzz.dxf' });
  const samples = [
    drawing(everything),
    binaryOf(groupsOf(everything), 1),
    binaryOf(groupsOf(everything), 2),
    writeDxf(read(drawing(everything)).profiles.slice(0, 1)),
    Uint8Array.from(readFileSync(plate)),
  ];
  const report = await fuzzReader('dxf', read, samples, { runs: 1500, seed: 1, truncations: 40, longest: 5000 });
  // The longest allowed run is an array of bores that a mutation made 2 million points large.
  // The mutants must reach behind the first check: a good part of them is still a drawing.
  expect(report.read).toBeGreaterThan(200);
  expect(report.refused).toBeGreaterThan(500);
});
