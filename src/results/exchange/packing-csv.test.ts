import { expect, test } from 'vitest';
import { recordsCsvText } from '../csv.js';
import { addGrainTable } from '../grain-records.js';
import { Recording } from '../recording.js';
import { packingFromCsv } from './packing-csv.js';
import { vtpFiles } from './vtp.js';

function fallen(): Recording {
  const recording = new Recording([{ name: 'a' }]);
  const table = addGrainTable(recording);
  for (const t of [0, 1]) {
    table.append(t, [0, table.label('sand'), 1, 2, 3 - t, 0.5, 0.1, 0, 0, 7, 1]);
    table.append(t, [4, table.label('salt'), 4, 5, 6 - t, 0.25, 0, 0, 0.2, 7, 1]);
    recording.append(t, [0]);
  }
  return recording;
}

test('what was exported comes back as a packing, the last instant of it', () => {
  const text = [...recordsCsvText(fallen(), 'grains')].join('');
  expect(packingFromCsv(text)).toEqual([
    [1, 2, 2, 0.5],
    [4, 5, 5, 0.25],
  ]);
  expect(() => packingFromCsv('x,y,radius\n0,0,1', 'a.csv')).toThrow('expected a column "z"');
  expect(() => packingFromCsv('x,y,z,radius\n0,0,0,a')).toThrow('line 2: expected numbers in m');
});

// Read back by the layout of the format alone: each appended array is its length in bytes, then its numbers
test('a .vtp has the points and radii, the .pvd its time', () => {
  const files = [...vtpFiles(fallen(), 'run')];
  expect(files.map(({ name }) => name)).toEqual(['run_0000.vtp', 'run_0001.vtp', 'run.pvd']);
  const { bytes } = files[1];
  const text = new TextDecoder('latin1').decode(bytes);
  const start = text.indexOf('_', text.indexOf('<AppendedData')) + 1;
  const array = (name: string): number[] => {
    const offset = Number(new RegExp(`Name="${name}"[^>]* offset="(\\d+)"`).exec(text)![1]);
    const view = new DataView(bytes.buffer, start + offset);
    return Array.from({ length: view.getUint32(0, true) / 4 }, (_, i) => view.getFloat32(4 + 4 * i, true));
  };
  expect(array('Points')).toEqual([1, 2, 2, 4, 5, 5]);
  expect(array('radius')).toEqual([0.5, 0.25]);
  expect(text).toContain('NumberOfPoints="2"');
  expect(new TextDecoder().decode(files[2].bytes)).toContain('<DataSet timestep="1" part="0" file="run_0001.vtp"/>');
});
