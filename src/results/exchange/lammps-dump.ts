/**
 * A LAMMPS dump (custom, text) as a recording of grains, for viewer, measures and exports: what another program computed is looked at like one's own run.
 * Columns id, type, x y z (or xu yu zu) and radius or diameter are needed; vx vy vz are taken where they are.
 *
 * LAMMPS documentation, `dump custom`.
 */
import { FileError } from '../../errors.js';
import { addGrainTable, GRAIN, GRAIN_COLUMNS } from '../grain-records.js';
import { Recording } from '../recording.js';

/** @param step s per timestep, where the dump does not tell times; @param species names of the types, in turn */
export function recordingOfDump(
  text: string,
  name: string,
  { step, species = [], title = name }: { step?: number; species?: readonly string[]; title?: string } = {},
): Recording {
  const refuse = (line: number, what: string): never => {
    throw new FileError(name, `line ${line + 1}`, what);
  };
  const lines = text.split('\n');
  const frames: { time: number; columns: readonly string[]; first: number; count: number }[] = [];
  let at = 0;
  let types = 0;
  while (at < lines.length && lines[at].trim() !== '') {
    let [timestep, time, count] = [Number.NaN, Number.NaN, -1];
    for (;;) {
      const header = (lines[at] ?? '').trim();
      if (!header.startsWith('ITEM:'))
        refuse(
          at,
          `expected "ITEM: …" of a LAMMPS dump, got ${header === '' ? 'nothing' : `"${header.slice(0, 40)}"`}`,
        );
      if (header === 'ITEM: TIMESTEP') timestep = Number(lines[at + 1]);
      else if (header === 'ITEM: TIME') time = Number(lines[at + 1]);
      else if (header === 'ITEM: NUMBER OF ATOMS') count = Number(lines[at + 1]);
      else if (header.startsWith('ITEM: BOX BOUNDS')) at += 2;
      else if (header.startsWith('ITEM: ATOMS')) {
        const columns = header.split(/\s+/).slice(2);
        if (!(count >= 0)) refuse(at, 'expected the number of atoms before the atoms');
        if (!Number.isFinite(time) && step !== undefined) time = timestep * step;
        if (!Number.isFinite(time))
          refuse(
            at,
            'the dump does not tell times; give the time of a step in s (--step 1e-5), or dump with "time yes"',
          );
        if (lines.length < at + 1 + count) refuse(lines.length - 1, `the file is cut: expected ${count} atoms`);
        frames.push({ time, columns, first: at + 1, count });
        at += 1 + count;
        break;
      }
      at += 2;
    }
  }
  if (frames.length === 0) refuse(0, 'is empty; expected a LAMMPS dump');

  const places = ({ columns, first }: (typeof frames)[number]): readonly number[] => {
    const place = (...names: string[]): number => {
      const found = names.map((own) => columns.indexOf(own)).find((k) => k >= 0);
      return found ?? refuse(first - 1, `expected a column "${names.join('" or "')}", got ${columns.join(' ')}`);
    };
    const size = columns.includes('radius') ? place('radius') : place('diameter');
    return [
      place('id'),
      place('type'),
      place('x', 'xu'),
      place('y', 'yu'),
      place('z', 'zu'),
      size,
      columns.indexOf('vx'),
      columns.indexOf('vy'),
      columns.indexOf('vz'),
    ];
  };
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  const all = frames.map((frame) => {
    const where = places(frame);
    const half = frame.columns.includes('radius') ? 1 : 0.5;
    const rows = Array.from({ length: frame.count }, (_, k) => {
      const words = lines[frame.first + k].trim().split(/\s+/);
      const row = where.map((place) => (place < 0 ? 0 : Number(words[place])));
      if (row.some((value) => !Number.isFinite(value)))
        refuse(frame.first + k, `expected numbers, got "${lines[frame.first + k]}"`);
      row[5] *= half;
      types = Math.max(types, row[1]);
      for (let axis = 0; axis < 3; axis++) {
        low[axis] = Math.min(low[axis], row[2 + axis] - row[5]);
        high[axis] = Math.max(high[axis], row[2 + axis] + row[5]);
      }
      return row;
    });
    return rows.sort((a, b) => a[0] - b[0]);
  });
  const names = Array.from({ length: types }, (_, k) => species[k] ?? `type${k + 1}`);
  const recording = new Recording(
    [{ name: 'grains.count' }, { name: 'grains.speed', unit: 'm/s', description: 'of the fastest' }],
    {
      title,
      scene: {
        title,
        up: [0, 0, 1],
        shapes: [],
        bodies: [],
        joints: [],
        springs: [],
        surfaces: [],
        plots: {},
        grains: {
          species: names.map((own) => ({ name: own })),
          low: low as unknown as readonly [number, number, number],
          high: high as unknown as readonly [number, number, number],
        },
      },
    },
  );
  const table = addGrainTable(recording);
  const values = new Float64Array(GRAIN_COLUMNS.length);
  frames.forEach(({ time }, f) => {
    let fastest = 0;
    for (const row of all[f]) {
      values.fill(0);
      values[GRAIN.id] = row[0] - 1;
      values[GRAIN.species] = table.label(names[row[1] - 1]);
      for (let k = 0; k < 4; k++) values[GRAIN.x + k] = row[2 + k];
      for (let k = 0; k < 3; k++) values[GRAIN.velocity + k] = row[6 + k];
      fastest = Math.max(fastest, row[6] * row[6] + row[7] * row[7] + row[8] * row[8]);
      table.append(time, values);
    }
    recording.append(time, [all[f].length, Math.sqrt(fastest)]);
  });
  return recording;
}
