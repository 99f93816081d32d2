/**
 * Recordings as a Modelica result file: MATLAB level 4 with the matrices that Dymola and OpenModelica write, in the order
 * and orientation they call "binTrans". Their plotters and the Python readers DyMat, OMPython and scipy open it.
 *
 *   Aclass       4 texts: Atrajectory, 1.1, (empty), binTrans
 *   name         a column per variable, NUL-padded; the first is "time"
 *   description  a column per variable: text, then the unit in brackets
 *   dataInfo     4 whole numbers per variable: which matrix (1: constants, 2: over time; 0 for the time, which is in both),
 *                which of its rows counted from 1, 0 (interpolate linearly), −1 (nothing is known outside)
 *   data_1       a row per constant, 2 columns: first and last time; its first row is the time
 *   data_2       a row per variable, a column per instant; its first row is the time
 *
 * Layout: Modelica Association, and OpenModelica User's Guide, "The Matlab 4 file format"; MATLAB level 4: MathWorks,
 * MAT-File Format, ch. 2. The model's parameters that are numbers or true/false become constants `parameters.…`.
 * Tables of records are left out: a variable of this format has one value per instant. They are in the HDF5 file, and in CSV.
 */
import { FileError } from '../errors.js';
import { bytesOf, DOUBLES, header, TEXT, textRows, utf8, WHOLES } from './mat-level4.js';
import type { Recording } from './recording.js';

/** The bytes of the file in pieces, for writing as they come. */
export function* matBytes(recording: Recording, fileName = 'recording.mat'): Generator<Uint8Array> {
  const { signals, samples } = recording;
  const { rows, width } = samples;
  if (rows > 0x7fffffff) throw new FileError(fileName, '', `holds at most 2147483647 instants, got ${rows}`);
  const constants = Object.entries(recording.parameters).flatMap(([name, value]) =>
    typeof value === 'number' || typeof value === 'boolean'
      ? [{ name: `parameters.${name}`, value: Number(value) }]
      : [],
  );

  yield header(TEXT, 'Aclass', 4, 11);
  yield transposed(textRows(['Atrajectory', '1.1', '', 'binTrans'], 11), 4, 11);

  const names = ['time', ...signals.map(({ name }) => name), ...constants.map(({ name }) => name)];
  const descriptions = [
    'Simulation time [s]',
    ...signals.map(({ description, unit }) => `${description}${unit ? ` [${unit}]` : ''}`.trim()),
    ...constants.map(() => ''),
  ];
  for (const [name, texts] of [['name', names] as const, ['description', descriptions] as const]) {
    const length = texts.reduce((most, text) => Math.max(most, utf8(text).length), 1);
    yield header(TEXT, name, length, texts.length);
    yield textRows(texts, length);
  }

  const places = new Int32Array(4 * names.length);
  places.set([0, 1, 0, -1]);
  for (let i = 0; i < signals.length; i++) places.set([2, i + 2, 0, -1], 4 * (1 + i));
  for (let i = 0; i < constants.length; i++) places.set([1, i + 2, 0, -1], 4 * (1 + signals.length + i));
  yield header(WHOLES, 'dataInfo', 4, names.length);
  yield bytesOf(places);

  const ends = [rows > 0 ? samples.times[0] : 0, rows > 0 ? samples.lastTime : 0];
  yield header(DOUBLES, 'data_1', 1 + constants.length, 2);
  yield bytesOf(Float64Array.from(ends.flatMap((time) => [time, ...constants.map(({ value }) => value)])));

  yield header(DOUBLES, 'data_2', 1 + width, rows);
  const most = Math.max(1, Math.floor(131_072 / (1 + width)));
  for (const { count, times, values } of samples.runs())
    for (let from = 0; from < count; from += most) {
      const part = Math.min(most, count - from);
      const columns = new Float64Array(part * (1 + width));
      for (let i = 0; i < part; i++) {
        columns[i * (1 + width)] = times[from + i];
        columns.set(values.subarray((from + i) * width, (from + i + 1) * width), i * (1 + width) + 1);
      }
      yield bytesOf(columns);
    }
}

function transposed(bytes: Uint8Array, rows: number, columns: number): Uint8Array {
  return bytes.map((_, i) => bytes[(i % rows) * columns + Math.floor(i / rows)]);
}
