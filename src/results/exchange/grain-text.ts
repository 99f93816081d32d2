/**
 * Grains as text for OVITO and others: LAMMPS dump (custom columns, grains sorted by id) and extended XYZ.
 *
 * LAMMPS documentation, `dump custom`; OVITO manual, "XYZ file reader", where `radius` and `Properties` are told.
 */
import { ModelError } from '../../errors.js';
import { GRAIN, GRAIN_TABLE } from '../grain-records.js';
import type { RecordInstant, RecordTable } from '../record-table.js';
import type { Recording } from '../recording.js';

/** Instants at which grains were kept */
function* kept(
  recording: Recording,
): Generator<{ readonly row: number; readonly time: number; readonly rows: RecordInstant }> {
  const table = grainTable(recording);
  for (let row = 0; row < recording.rows; row++) {
    const rows = table.instant(row);
    if (rows.count > 0) yield { row, time: recording.times[row], rows };
  }
}

function grainTable(recording: Recording): RecordTable {
  if (!recording.hasTable(GRAIN_TABLE))
    throw new ModelError('recording', 'has no grains; expected a run of a model with grains');
  return recording.table(GRAIN_TABLE);
}

/** `id type x y z radius vx vy vz`; types are species from 1 on. */
export function* lammpsDump(recording: Recording): Generator<string> {
  for (const { row, time, rows } of kept(recording)) {
    const v = rows.values;
    const box = [0, 1, 2].map((k) => {
      let [low, high] = [Infinity, -Infinity];
      for (let i = 0; i < rows.count; i++) {
        low = Math.min(low, v[GRAIN.x + k][i] - v[GRAIN.radius][i]);
        high = Math.max(high, v[GRAIN.x + k][i] + v[GRAIN.radius][i]);
      }
      return `${low} ${high}`;
    });
    const lines = [
      'ITEM: TIMESTEP',
      String(row),
      'ITEM: TIME',
      String(time),
      'ITEM: NUMBER OF ATOMS',
      String(rows.count),
      'ITEM: BOX BOUNDS ff ff ff',
      ...box,
      'ITEM: ATOMS id type x y z radius vx vy vz',
    ];
    for (let i = 0; i < rows.count; i++)
      lines.push(
        [
          v[GRAIN.id][i] + 1,
          v[GRAIN.species][i] + 1,
          v[GRAIN.x][i],
          v[GRAIN.y][i],
          v[GRAIN.z][i],
          v[GRAIN.radius][i],
          v[GRAIN.velocity][i],
          v[GRAIN.velocity + 1][i],
          v[GRAIN.velocity + 2][i],
        ].join(' '),
      );
    yield `${lines.join('\n')}\n`;
  }
}

/** A line of what the columns are, then `species x y z radius vx vy vz force` */
export function* extendedXyz(recording: Recording): Generator<string> {
  const { labels } = grainTable(recording);
  for (const { time, rows } of kept(recording)) {
    const v = rows.values;
    const lines = [
      String(rows.count),
      `Time=${time} Properties=species:S:1:pos:R:3:radius:R:1:velo:R:3:force_norm:R:1`,
    ];
    for (let i = 0; i < rows.count; i++)
      lines.push(
        [
          labels[v[GRAIN.species][i]],
          v[GRAIN.x][i],
          v[GRAIN.y][i],
          v[GRAIN.z][i],
          v[GRAIN.radius][i],
          v[GRAIN.velocity][i],
          v[GRAIN.velocity + 1][i],
          v[GRAIN.velocity + 2][i],
          v[GRAIN.force][i],
        ].join(' '),
      );
    yield `${lines.join('\n')}\n`;
  }
}
