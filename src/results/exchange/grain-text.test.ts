import { expect, test } from 'vitest';
import { addGrainTable } from '../grain-records.js';
import { Recording } from '../recording.js';
import { extendedXyz, lammpsDump } from './grain-text.js';
import { vtkFiles } from './vtk.js';

function twoGrains(): Recording {
  const scene = {
    title: '',
    up: [0, 0, 1] as const,
    shapes: [],
    bodies: [],
    joints: [],
    springs: [],
    surfaces: [],
    plots: {},
  };
  const recording = new Recording([{ name: 'a' }], { scene });
  const table = addGrainTable(recording);
  table.append(0, [0, table.label('sand'), 1, 2, 3, 0.5, 0.1, 0, 0, 7, 1]);
  table.append(0, [4, table.label('salt'), 4, 5, 6, 0.25, 0, 0, 0.2, 7, 1]);
  recording.append(0, [0]);
  recording.append(1, [0]); // not kept here
  return recording;
}

test('a LAMMPS dump has bounds, then a line for each grain, numbers from 1 on', () => {
  expect([...lammpsDump(twoGrains())].join('')).toBe(
    `ITEM: TIMESTEP\n0\nITEM: TIME\n0\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS ff ff ff\n0.5 4.25\n1.5 5.25\n2.5 6.25
ITEM: ATOMS id type x y z radius vx vy vz\n1 1 1 2 3 0.5 0.1 0 0\n5 2 4 5 6 0.25 0 0 0.2\n`,
  );
});

test('extended XYZ names the columns', () => {
  expect([...extendedXyz(twoGrains())].join('')).toBe(
    '2\nTime=0 Properties=species:S:1:pos:R:3:radius:R:1:velo:R:3:force_norm:R:1\nsand 1 2 3 0.5 0.1 0 0 7\nsalt 4 5 6 0.25 0 0 0.2 7\n',
  );
});

test('VTK has a series of grains', () => {
  const names = [...vtkFiles(twoGrains(), 'run')].map(({ name }) => name);
  expect(names).toContain('run-grains.vtk.series');
  expect(names).toContain('run-grains_0000.vtk');
});

test('a recording without grains is refused', () => {
  expect(() => [...lammpsDump(new Recording([{ name: 'a' }]))]).toThrow('has no grains');
});
